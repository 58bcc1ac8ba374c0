// What the adapter costs per visit of an SM: a core cycle's dispatch on a GPU of 15 SMs, divided by 15.
//
//   bench     a line for each situation: the least of five runs, in CPU time
#include "simulator.hpp"

#include <cstdio>
#include <ctime>

using namespace gpusched::gpgpusim;

namespace {

// A host that is only as much of a simulator as dispatch asks of it. Its SMs are full, or take a TB each cycle that one ends.
struct Host {
    using Kernel = test::Grid*;

    explicit Host(std::uint32_t sms) : room(sms), slots(sms) {}

    std::uint64_t uid(Kernel k) const { return k->uid; }
    Shape shape(Kernel k) const { return k->job.shape; }
    bool more_tbs(Kernel k) const { return k != nullptr && k->has_more(); }
    bool ready(Kernel) const { return true; }
    unsigned next_tb(Kernel k) const { return k->next; }
    Kernel running(unsigned entry) const { return entry == 0 ? kernel : nullptr; }
    bool can_issue(unsigned sm, Kernel) const { return room[sm] > 0; }
    bool is_empty(unsigned) const { return false; }
    Kernel bound(unsigned) const { return kernel; }
    void bind(unsigned, Kernel) {}
    void selected(Kernel) {}
    void issue(unsigned sm, Kernel k, unsigned tb) {
        room[sm]--;
        k->next++, k->issued++;
        sched->tb_started(sm, slots[sm], k, tb);
    }
    bool has_children(Kernel) const { return false; }
    void retire(Kernel) {}
    std::uint16_t activity(unsigned) { return 0; }
    void fail(const std::string& why) {
        std::fprintf(stderr, "%s\n", why.c_str());
        std::exit(EXIT_FAILURE);
    }

    // One TB of the SM ends.
    void end(std::uint32_t sm, std::uint32_t slot) {
        (void)sched->tb_done(sm, slot, kernel);
        slots[sm] = slot, room[sm]++;
    }

    std::vector<std::uint32_t> room, slots;
    Seam<Kernel>* sched = nullptr;
    Kernel kernel = nullptr;
};

constexpr std::uint32_t kSms = 15, kSlots = 8, kCycles = 200000;

double measure(const std::string& settings_text, bool work, std::uint32_t ends_every) {
    Machine machine;
    machine.clusters = kSms, machine.tb_slots = kSlots;
    Settings settings;
    if (!settings.parse(settings_text, "bench")) std::exit(EXIT_FAILURE);
    Host host(kSms);
    test::Grid grid;
    grid.uid = 1;
    grid.job.shape = test::shape(0, gpusched::dim3(2000000));
    Adapter<Host> adapter(host, machine, settings);
    host.sched = &adapter;
    std::uint64_t now = 0;
    if (work) {
        host.kernel = &grid;
        adapter.kernel_arrived(&grid, 0);
        // Fill it.
        for (std::uint32_t slot = 0; slot < kSlots; slot++) {
            for (std::uint32_t sm = 0; sm < kSms; sm++) host.room[sm] = 1, host.slots[sm] = slot;
            while (host.room != std::vector<std::uint32_t>(kSms, 0)) adapter.dispatch(++now);
        }
    }
    const std::clock_t begin = std::clock();
    for (std::uint32_t i = 0; i < kCycles; i++) {
        if (ends_every != 0 && i % ends_every == 0) host.end(i / ends_every % kSms, i / ends_every / kSms % kSlots);
        adapter.dispatch(++now);
    }
    return 1e9 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / kCycles / kSms;
}

void line(const char* what, const char* settings, bool work, std::uint32_t ends_every) {
    double best = measure(settings, work, ends_every);
    for (int i = 0; i < 4; i++) best = std::min(best, measure(settings, work, ends_every));
    std::printf("  %-48s %6.1f ns per SM visit\n", what, best);
}

}  // namespace

int main() {
    const char* const stock = "[adapter]\ndispatch = 'gpgpusim_stock'\n";
    const char* const rr = "base = 'gtx480'\n[adapter]\ndispatch = 'gpusched'\n";
    const char* const laperm = "base = 'gtx480'\n[adapter]\ndispatch = 'gpusched'\n[dtbl]\npolicy = 'laperm'\n";
    line("gpgpusim_stock, no work", stock, false, 0);
    line("gpgpusim_stock, all SMs full", stock, true, 0);
    line("gpgpusim_stock, a TB ends every 10 cycles", stock, true, 10);
    line("round robin, no work", rr, false, 0);
    line("round robin, all SMs full", rr, true, 0);
    line("round robin, a TB ends every 10 cycles", rr, true, 10);
    line("round robin, a TB ends every cycle", rr, true, 1);
    line("laperm, all SMs full", laperm, true, 0);
    line("laperm, a TB ends every 10 cycles", laperm, true, 10);
    const char* const most_room = "base = 'gtx480'\n[adapter]\ndispatch = 'most-room'\n";
    line("most-room, all SMs full", most_room, true, 0);
    line("most-room, a TB ends every 10 cycles", most_room, true, 10);
}
