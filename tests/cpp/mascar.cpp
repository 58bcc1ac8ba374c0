// Mascar in the loop of a toy SM: three warps, each with two loads and four additions that need both, an L1 with two MSHRs.
#include <cstdio>
#include <cstdlib>
#include <map>

#include <gpusched_mascar.hpp>

using namespace gpusched;
using namespace gpusched::mascar;

struct Program {
    int loads = 2, adds = 4;  // Instructions to come.
    int waiting = 0;          // Loads whose values are not there.
};

int main() {
    Program warps[3];
    std::multimap<std::uint64_t, WarpId> misses;  // In the L1's MSHRs, by the cycle of their return.
    const Cache l1 = {2, 8, 2, 8, 2, 8};
    auto made = Mascar::create(Config().with(&Config::warps, 3).with(&Config::schedulers, 1).with(l1));
    if (!made) return EXIT_FAILURE;
    Mascar sm = *std::move(made);
    for (std::uint32_t w = 0; w < 3; w++) (void)sm.warp_start(WarpId{w});

    for (std::uint64_t cycle = 1; cycle < 32; cycle++) {
        // 1. Fills, and what they leave of the L1.
        while (!misses.empty() && misses.begin()->first == cycle) {
            warps[number(misses.begin()->second)].waiting--;
            misses.erase(misses.begin());
        }
        (void)sm.l1_state(0, static_cast<std::uint32_t>(misses.size()), 0);
        // 2. The heads of the instruction buffers; the same again costs next to nothing.
        for (std::uint32_t w = 0; w < 3; w++) {
            const Program& it = warps[w];
            if (it.loads > 0) (void)sm.set_head(WarpId{w}, Kind::Mem, true);
            else if (it.adds > 0) (void)sm.set_head(WarpId{w}, Kind::Alu, it.waiting == 0, it.waiting > 0);
        }
        // 3. Who issues. A memory instruction tells its coalesced requests and its destination.
        const auto pick = sm.pick(cycle);
        for (const Issue issue : pick->issues()) {
            Program& it = warps[number(issue.warp())];
            const bool loads = issue.pipe() == Pipe::Mem;
            std::printf("cycle %2d: warp %u %s\n", int(cycle), number(issue.warp()), loads ? "loads" : "adds");
            (loads ? it.loads : it.adds)--;
            if (!loads) continue;
            it.waiting++;
            (void)sm.lsu_begin(issue.warp(), 1, 1);
        }
        // 4. Each port of the L1: look up what the LSU presents, and report it. A refused request comes again by itself.
        const auto next = sm.lsu_next();
        if (!next->warp()) continue;
        const auto reply = sm.lsu_reply(Lookup::Miss, misses.size() < l1.mshr, Request{0x80, 0xffffffff, {}});
        if (reply->to_l2()) misses.emplace(cycle + 6, *next->warp());
    }
}
