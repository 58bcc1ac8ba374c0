// LaPerm alone: a TB launches a group, which goes to its SMX before the rest of its parent's kernel.
#include <cstdio>
#include <cstdlib>

#include <gpusched_laperm.hpp>

using namespace gpusched;
using namespace gpusched::laperm;

int main() {
    auto made = LaPerm::create(Config().with(&Config::smxs, 2).with(Policy::SmxBind).with(Visit::Skip));
    if (!made) return EXIT_FAILURE;
    LaPerm scheduler = *std::move(made);
    const Resources tb = resources(1024);
    if (!scheduler.push_host(0, 7, 3, tb)) return EXIT_FAILURE;
    for (std::uint64_t cycle = 0; cycle < 16; cycle++) {
        const auto tick = scheduler.tick(cycle);
        if (!tick) return EXIT_FAILURE;
        const auto sent = tick->dispatch();
        if (!sent) continue;
        std::printf("cycle %2d: %d.%u -> SMX %u\n", int(cycle), int(sent->tag()), sent->tb(), number(sent->smx()));
        // The kernel's first TB launches a group of one TB. It is bound to that SMX, and goes before the rest of the kernel.
        if (sent->tb() == 0 && sent->tag() == 7) (void)scheduler.push_child(cycle, 8, 1, tb, sent->smx(), sent->prio());
    }
}
