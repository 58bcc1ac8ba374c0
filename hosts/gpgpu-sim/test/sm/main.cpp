// Runs the adapters of mechanisms inside an SM in toy SMs.
//
//   sm PROGRAMS [FIRST]     so many random programs for each, from this seed on
//
// On random programs an adapter must decide what its machine decides when another host drives it directly. What was never seen fails.
#include "apogee.hpp"
#include "equalizer.hpp"
#include "mascar.hpp"

#include <cstdlib>

int main(int argc, char** argv) {
    using namespace test;
    if (argc < 2 || argc > 3) return std::puts("sm PROGRAMS [FIRST]"), 2;
    const std::uint64_t programs = std::strtoull(argv[1], nullptr, 10), first = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 0;
    for (std::uint64_t i = first; i < first + programs; i++) equalizer::program(i), mascar::program(i), apogee::program(i);
    mascar::figures();
    equalizer::errors(), mascar::errors(), apogee::errors();
    if (programs >= 60) {
        for (const char* const kind : {"equalizer epochs", "equalizer pauses", "equalizer wakes", "equalizer denials", "equalizer resyncs", "equalizer watchdog", "equalizer SM levels",
                                       "equalizer memory levels", "mascar MP cycles", "mascar EP cycles", "mascar blocked cycles", "mascar owners", "mascar queued", "mascar recycled",
                                       "mascar refused with room", "mascar given up", "apogee absent", "apogee pending", "apogee confirmed", "apogee sent", "apogee not sent", "apogee dropped", "apogee stale",
                                       "apogee outside", "apogee sooner", "apogee later"}) {
            if (seen[kind] == 0) failed("coverage", 0, std::string("never seen: ") + kind);
        }
    }
    const auto n = [](const char* what) { return static_cast<unsigned long long>(seen[what]); };
    std::printf("equalizer: %llu cycles of the toy GPU as directly, %llu TBs paused, %llu epochs\n", n("equalizer steps"), n("equalizer pauses"), n("equalizer epochs"));
    std::printf("mascar: %llu instructions and %llu requests of the toy SM as directly, %llu MP cycles; %llu timelines\n", n("mascar instructions"), n("mascar presented"),
                n("mascar MP cycles"), n("mascar timelines"));
    std::printf("apogee: %llu loads of the toy SM as directly, %llu lines prefetched, %llu already there\n", n("apogee loads"), n("apogee sent"), n("apogee not sent"));
    std::printf("%llu errors\n", n("errors"));
    if (failures > 0) std::printf("%d failures\n", failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
