// Random programs for the test host: kernels from the host, TBs that take their time and launch others, settings of the adapter. What a TB
// does depends on nothing but which TB it is, so that two hosts can run the same program.
#ifndef PROGRAM_HPP
#define PROGRAM_HPP

#include "random.hpp"

#include <gpusched_gpgpusim.hpp>

#include <string>
#include <vector>

namespace test {

using gpusched::gpgpusim::Machine;
using gpusched::gpgpusim::Shape;

// A launch: which kernel of the program it is (its name for ever), and how deep it is nested.
struct Job {
    std::uint64_t path = 0;
    std::uint32_t depth = 0;
    Shape shape;
};

// What a warp of a TB launches, once the TB has executed for so many cycles.
struct Command {
    std::uint32_t at = 0, warp = 0;
    struct Lane {
        std::uint32_t thread;
        Job job;
    };
    std::vector<Lane> lanes;
};

struct HostLaunch {
    std::uint64_t cycle;
    std::uint32_t stream;
    Job job;
};

// Three functions; B has TBs that are not whole warps.
inline Shape shape(std::uint32_t function, gpusched::Dim3 grid) {
    static const gpusched::Dim3 tbs[] = {{64, 1, 1}, {10, 10, 1}, {16, 8, 2}};
    Shape s;
    s.entry = 0x100 * (function + 1);
    s.grid = grid;
    s.tb = tbs[function];
    s.regs_per_thread = 5 + 9 * function;
    s.smem = 1500 * function;
    s.name = std::string("kernel ") + static_cast<char>('A' + function);
    return s;
}

struct Program {
    std::uint64_t seed = 0;
    Machine machine;
    std::string settings;
    // Hardware thread ranges of a TB must be contiguous, as the simulator has it.
    bool contiguous = true;
    // The simulator takes the highest free slot instead of the lowest.
    bool high_slots = false;
    // Core cycles without any kernel are not shown to the adapter.
    bool skip_idle = false;
    // Launches by TBs at all.
    bool launches = true;
    // Latency of a launch in the simulator.
    std::uint32_t latency = 0;
    std::vector<HostLaunch> host;

    std::uint32_t work(const Job& job, std::uint32_t tb) const {
        const std::uint64_t z = mix(seed ^ mix(job.path + tb));
        return 1 + static_cast<std::uint32_t>(z % (z >> 60 == 0 ? 1200 : 150));
    }
    std::vector<Command> commands(const Job& job, std::uint32_t tb) const {
        Random random(seed ^ mix(job.path * 31 + tb));
        std::vector<Command> all;
        if (!launches || job.depth >= 2 || !random.one_in(3)) return all;
        const std::uint32_t time = work(job, tb);
        for (std::uint32_t i = 0, n = 1 + random.below(2); i < n; i++) {
            Command c;
            // In its last cycle, too.
            c.at = random.one_in(4) ? time : 1 + random.below(time);
            c.warp = i;
            const std::uint32_t thread = random.below(machine.threads - 4);
            for (std::uint32_t lane = 0, lanes = 1 + random.below(3); lane < lanes; lane++) {
                const std::uint64_t path = mix(job.path ^ mix((std::uint64_t{tb} << 16) + i * 64 + lane)) >> 1;
                const Shape child = shape(random.below(3), gpusched::dim3(1 + random.below(4)));
                c.lanes.push_back({thread + lane, {path, job.depth + 1, child}});
            }
            all.push_back(c);
        }
        return all;
    }
};

// A machine, and kernels from the host for it.
inline Program program(std::uint64_t seed) {
    Random random(seed);
    Program p;
    p.seed = seed;
    p.machine.clusters = 1 + random.below(6);
    p.machine.sms_per_cluster = 1 + random.below(3);
    p.machine.tb_slots = 1 + random.below(8);
    p.machine.threads = 256 + 128 * random.below(6);
    p.machine.regs = 8192 + 8192 * random.below(4);
    p.machine.smem = 6000 + 3000 * random.below(6);
    p.machine.kernels = 1 + random.below(8);
    p.machine.concurrent = random.one_in(2);
    p.high_slots = random.one_in(2);
    p.latency = random.one_in(2) ? random.below(300) : 0;
    for (std::uint32_t i = 0, n = 1 + random.below(6); i < n; i++) {
        const gpusched::Dim3 grid{1 + random.below(12), 1 + random.below(4), 1};
        p.host.push_back({random.below(1500), random.below(4), {mix(seed + i) >> 1, 0, shape(random.below(3), grid)}});
    }
    return p;
}

}  // namespace test

#endif  // PROGRAM_HPP
