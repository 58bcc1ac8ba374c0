// stock.hpp: the simulator's own dispatch rules, said once more, so that a run with the adapter in place can be held against a run
// without. The rules, in the order in which a visit of an SM applies them:
//
//   S1  One TB per cluster and cycle, in the order of Visits.
//   S2  Default: an SM is bound to a kernel. It keeps it while that has TBs to start, and afterwards until its last thread has ended;
//       only then it is bound to the kernel that S4 gives. Is there none, it has none to start TBs of.
//   S3  Concurrent: at each visit the SM takes what S4 gives.
//   S4  Sticky: the kernel that was given last is given again while TBs of it are left and its launch latency is over; else the next
//       entry behind it, going round, of which that is true. Entries are looked at anew each time: a slot that was reused counts as
//       given last.
//   S5  If the SM has no room for a TB of that kernel nothing is started there: no other kernel is tried.
//   S6  TBs of a kernel start in linear order.
//
// What an SM has room for (S5), with the even spreading of small grids, stays the simulator's.
#ifndef GPUSCHED_GPGPUSIM_STOCK_HPP
#define GPUSCHED_GPGPUSIM_STOCK_HPP

#include <gpusched_gpgpusim/host.hpp>

namespace gpusched {
namespace gpgpusim {

template <class Host>
class Stock {
public:
    using Kernel = typename Host::Kernel;

    Stock(Host& host, const Machine& machine)
        : host_(host), visits_(machine), kernels_(machine.kernels), concurrent_(machine.concurrent) {}

    // `started(sm, kernel, tb)` hears of each TB, before it is issued.
    template <class Started>
    void cycle(Started&& started) {
        visits_.cycle([&](std::uint32_t sm) { return start(sm, started); });  // S1
    }

    // The kernel that a visit of this SM would start a TB of, room or not; binds the SM.
    Kernel pick(std::uint32_t sm) {
        if (concurrent_) return select();  // S3
        Kernel kernel = host_.bound(sm);
        if (!host_.more_tbs(kernel) && host_.is_empty(sm)) {  // S2
            kernel = select();
            if (kernel != Kernel()) host_.bind(sm, kernel);
        }
        return kernel;
    }

private:
    template <class Started>
    bool start(std::uint32_t sm, Started&& started) {
        const Kernel kernel = pick(sm);
        if (!host_.more_tbs(kernel) || !host_.can_issue(sm, kernel)) return false;  // S5
        const std::uint32_t tb = host_.next_tb(kernel);  // S6
        started(sm, kernel, tb);
        host_.issue(sm, kernel, tb);
        return true;
    }

    // S4
    Kernel select() {
        for (std::uint32_t i = 0; i <= kernels_; i++) {
            const std::uint32_t entry = last_ + i < kernels_ ? last_ + i : last_ + i - kernels_;
            const Kernel kernel = host_.running(entry);
            if (!host_.more_tbs(kernel) || !host_.ready(kernel)) continue;
            last_ = entry;
            host_.selected(kernel);
            return kernel;
        }
        return Kernel();
    }

    Host& host_;
    Visits visits_;
    std::uint32_t kernels_;
    bool concurrent_;
    std::uint32_t last_ = 0;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_STOCK_HPP
