// host.hpp: what the adapter asks of a simulator. A host is any class with these members; there is nothing to derive from. `Kernel` is
// cheap to copy, comparable, and empty by default: a pointer. A kernel stays valid until it is retired.
//
//   struct Host {
//       using Kernel = kernel_info_t *;
//       std::uint64_t uid(Kernel) const;          // its number; never used twice, unlike its address
//       Shape shape(Kernel) const;
//       bool more_tbs(Kernel) const;              // whether a TB of it is left to start; false for no kernel
//       bool ready(Kernel) const;                 // no launch latency is left
//       unsigned next_tb(Kernel) const;           // stock: linear index of the TB that its cursor is at
//       Kernel running(unsigned entry) const;     // stock: the list of running kernels; empty if the entry is free
//       bool can_issue(unsigned sm, Kernel);      // the SM has room for a TB of it
//       bool is_empty(unsigned sm) const;         // no live thread on the SM
//       Kernel bound(unsigned sm) const;          // unless concurrent: the kernel that the SM is bound to
//       void bind(unsigned sm, Kernel);
//       void selected(Kernel);                    // stock: it was chosen for an SM; for the simulator's statistics
//       void issue(unsigned sm, Kernel, unsigned tb);   // starts this TB there; calls tb_started before it returns
//       // If launches by TBs are not left to the simulator:
//       bool has_children(Kernel) const;          // a kernel that its TBs launched has not been retired
//       void retire(Kernel);                      // all of it has ended; tells child_done if it is a child
//       std::uint16_t activity(unsigned sm);      // diversion: share of the cycles since the last call in which the SM issued, per mille
//       void fail(const std::string &why);        // wrong settings, or a refusal that nothing mends; need not return
//   };
//
// "stock" members are called under dispatch `gpgpusim_stock` only.
#ifndef GPUSCHED_GPGPUSIM_HOST_HPP
#define GPUSCHED_GPGPUSIM_HOST_HPP

#include <gpusched.hpp>

#include <string>
#include <vector>

namespace gpusched {
namespace gpgpusim {

// What the simulator is configured to.
struct Machine {
    // Clusters, and SMs of each.
    std::uint32_t clusters = 1, sms_per_cluster = 1;
    // Of an SM.
    std::uint32_t tb_slots = 8, threads = 1536, regs = 32768, smem = 49152;
    std::uint32_t warp = 32;
    // Entries of the list of running kernels.
    std::uint32_t kernels = 8;
    // An SM takes TBs of several kernels: -gpgpu_concurrent_kernel_sm.
    bool concurrent = false;

    std::uint32_t sms() const { return clusters * sms_per_cluster; }
};

// What a kernel is, in the simulator's terms.
struct Shape {
    // Of its first instruction, or any number that is its function's own.
    std::uint64_t entry = 0;
    Dim3 grid{1, 1, 1}, tb{1, 1, 1};
    std::uint32_t regs_per_thread = 0;
    // Static shared memory of a TB: all that the simulator counts.
    std::uint32_t smem = 0;
    std::string name;

    std::uint64_t tbs() const { return std::uint64_t{grid.x} * grid.y * grid.z; }
    std::uint64_t threads() const { return std::uint64_t{tb.x} * tb.y * tb.z; }
};

// A kernel as the front end counts it: as the simulator does, in whole warps, with registers per thread rounded up to four.
inline Kernel front_end_kernel(const Shape& shape, std::uint32_t warp, std::uint64_t uid) {
    const std::uint64_t threads = shape.threads(), padded = (threads + warp - 1) / warp * warp;
    Kernel kernel = gpusched::kernel(shape.entry, shape.grid, shape.tb, uid);
    if (padded != threads) {
        // Shapes that pad to the same number of warps remain different: they must not share a group's kernel.
        const std::uint64_t form = (std::uint64_t{shape.tb.x} << 42) ^ (std::uint64_t{shape.tb.y} << 21) ^ shape.tb.z;
        kernel.pc ^= form * 0x9e3779b97f4a7c15u;
        kernel.tb = dim3(static_cast<std::uint32_t>(padded));
    }
    kernel.regs = static_cast<std::uint32_t>(padded * ((std::uint64_t{shape.regs_per_thread} + 3) / 4 * 4));
    kernel.smem = shape.smem;
    return kernel;
}

// Goes round the SMs in the simulator's order, and starts at most one TB per cluster and cycle: clusters from the one behind the last
// that started one (as it was when the cycle began), SMs of a cluster from the one behind its last.
class Visits {
public:
    explicit Visits(const Machine& machine)
        : sms_(machine.sms_per_cluster), last_cluster_(machine.clusters - 1), last_sm_(machine.clusters, machine.sms_per_cluster - 1) {}

    // `start(sm)` says whether it started a TB there.
    template <class Start>
    void cycle(Start&& start) {
        const auto clusters = static_cast<std::uint32_t>(last_sm_.size());
        std::uint32_t cluster = last_cluster_;
        for (std::uint32_t i = 0; i < clusters; i++) {
            cluster = cluster + 1 == clusters ? 0 : cluster + 1;
            std::uint32_t& last = last_sm_[cluster];
            std::uint32_t sm = last;
            for (std::uint32_t k = 0; k < sms_; k++) {
                sm = sm + 1 == sms_ ? 0 : sm + 1;
                if (!start(cluster * sms_ + sm)) continue;
                last = sm;
                last_cluster_ = cluster;
                break;
            }
        }
    }

private:
    std::uint32_t sms_, last_cluster_;
    std::vector<std::uint32_t> last_sm_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_HOST_HPP
