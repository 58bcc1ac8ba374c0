// tests/c/quickstart.c in C++: 100 thread blocks on a Tesla K20c.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <gpusched.hpp>

using namespace gpusched;

constexpr std::size_t kTbs = 100;
constexpr std::uint64_t kTbCycles = 50;

// The value of a result, or the end of the program.
template <class T>
T get(Result<T> result) {
    if (result) return *std::move(result);
    std::fprintf(stderr, "%s: %s\n", result.status().name(), result.status().text());
    std::exit(EXIT_FAILURE);
}

int main() {
    auto gpu = get(FrontEnd::create(Config(Gpu::K20c).ideal()));
    get(gpu.host_launch(0, kernel(0x400, dim3(kTbs), dim3(640), 7)));

    std::vector<Decision> running;
    for (std::size_t ended = 0; ended < kTbs;) {
        const auto now = get(gpu.now());
        while (ended < running.size() && now == running[ended].cycle() + kTbCycles) {
            if (!gpu.tb_done(running[ended].smx(), running[ended].slot())) return EXIT_FAILURE;
            ended++;
        }
        get(gpu.tick());
        for (const Decision d : get(gpu.take())) {
            if (d.kind() != Kind::Tb) continue;
            std::printf("cycle %3llu: TB %2u -> SMX %2u, slot %u\n", static_cast<unsigned long long>(d.cycle()), d.blkid(),
                        number(d.smx()), number(d.slot()));
            running.push_back(d);
        }
    }
}
