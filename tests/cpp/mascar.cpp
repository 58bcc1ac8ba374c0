// Mascar in the loop of a toy SM: three warps, each with two loads and four additions that need both, an L1 with two MSHRs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <gpusched_mascar.hpp>

using namespace gpusched;
using namespace gpusched::mascar;

struct Warp {
    int loads = 2, adds = 4;          // instructions left
    int waiting = 0;                  // loads whose values are not there
};

int main() {
    std::vector<Warp> warps(3);
    std::vector<std::pair<std::uint64_t, WarpId>> misses;  // in the L1's MSHRs: the cycle of return, and the warp
    const Cache l1 = {2, 8, 2, 8, 2, 8};
    auto made = Mascar::create(Config().with(&Config::warps, 3).with(&Config::schedulers, 1).with(l1));
    if (!made) return EXIT_FAILURE;
    Mascar sm = *std::move(made);
    for (std::uint32_t w = 0; w < warps.size(); w++) (void)sm.warp_start(WarpId{w});

    for (std::uint64_t cycle = 1; cycle < 100; cycle++) {
        // 1. Fills, and what the L1 is left with.
        for (const auto& [at, w] : misses) warps[number(w)].waiting -= at == cycle;
        misses.erase(std::remove_if(misses.begin(), misses.end(), [&](const auto& m) { return m.first == cycle; }), misses.end());
        (void)sm.l1_state(0, static_cast<std::uint32_t>(misses.size()), 0);
        // 2. The heads of the instruction buffers. The same again costs next to nothing.
        for (std::uint32_t w = 0; w < warps.size(); w++) {
            const Warp& it = warps[w];
            if (it.loads > 0) (void)sm.set_head(WarpId{w}, Kind::Mem, true);
            else if (it.adds > 0) (void)sm.set_head(WarpId{w}, Kind::Alu, it.waiting == 0, it.waiting > 0);
            else (void)sm.set_head(WarpId{w}, Kind::None);
        }
        // 3. Who issues. A memory instruction says how many coalesced requests it has, and its destination.
        const auto pick = sm.pick(cycle);
        for (const Issue issue : pick->issues()) {
            Warp& it = warps[number(issue.warp())];
            const bool mem = issue.pipe() == Pipe::Mem;
            std::printf("cycle %2d: warp %u %s\n", int(cycle), number(issue.warp()), mem ? "loads" : "adds");
            (mem ? it.loads : it.adds)--;
            it.waiting += mem;
            if (mem) (void)sm.lsu_begin(issue.warp(), 1, 1);
        }
        // 4. One port of the L1: present what the LSU says, and report the look-up. A refused request comes back by itself.
        const auto next = sm.lsu_next();
        if (!*next) continue;
        const bool room = misses.size() < l1.mshr;
        const auto reply = sm.lsu_reply(Lookup::Miss, room, Request{0x80, 0xffffffff, {}});
        if (reply->to_l2()) misses.push_back({cycle + 6, next->warp()});
    }
}
