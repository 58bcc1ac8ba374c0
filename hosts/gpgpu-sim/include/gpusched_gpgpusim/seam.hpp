// seam.hpp: what the simulator calls, and all that its own files need to see of the adapter. C++11 and without includes of gpusched, so
// that the simulator is compiled as it always was; gpusched_gpgpusim.hpp has the class that implements it, for one new file.
//
//   class gpgpu_sim { ...  gpusched::gpgpusim::Seam<kernel_info_t *> *m_sched; };
//
// SMs are numbered 0 to num_shader() - 1, hardware TB slots as in shader_core_ctx, TBs by their linear index, x fastest. All calls come
// from the thread that simulates, and belong to the core cycle whose step 6 (dispatch) comes next. docs/ says where each call goes.
#ifndef GPUSCHED_GPGPUSIM_SEAM_HPP
#define GPUSCHED_GPGPUSIM_SEAM_HPP

#include <cstdio>

namespace gpusched {
namespace gpgpusim {

// What the simulator does after the last thread of a TB has ended.
enum class AfterTb {
    // As ever: if the kernel is done, it retires it.
    AsEver,
    // Nothing more: the adapter retires the kernel, through the host's retire(), once its groups have ended, too.
    LeaveToAdapter,
};

// Kernel is what the simulator knows a kernel by: a pointer.
template <class Kernel>
class Seam {
public:
    virtual ~Seam() {}

    // A kernel took this entry of the list of running kernels.
    virtual void kernel_arrived(Kernel kernel, unsigned entry) = 0;
    // Step 6 of a core cycle: starts TBs, through the host's issue(). `now` counts core cycles since the start of the simulation.
    virtual void dispatch(unsigned long long now) = 0;
    // A TB took a hardware slot. Comes from within issue().
    virtual void tb_started(unsigned sm, unsigned slot, Kernel kernel, unsigned tb) = 0;
    // Its last thread ended, and its resources are free.
    virtual AfterTb tb_done(unsigned sm, unsigned slot, Kernel kernel) = 0;
    // A thread launched a kernel. `thread` is its number within the SM. False: the simulator launches it as it always did; true: the
    // adapter owns it, and it must appear neither in a stream nor in the list of running kernels.
    virtual bool device_launch(unsigned sm, unsigned slot, unsigned warp, unsigned thread, Kernel child) = 0;
    // A kernel that a TB of kernel number `parent` launched has ended, and is no longer among its children.
    virtual void child_done(unsigned long long parent) = 0;
    // Whether warps of this TB may issue instructions.
    virtual bool tb_may_issue(unsigned sm, unsigned slot) const = 0;
    // Whether loads and stores of this TB bypass the L1 cache.
    virtual bool tb_bypasses_l1(unsigned sm, unsigned slot) const = 0;
    // Whether the SM has a clock edge in this core cycle. To be asked once per SM and cycle.
    virtual bool sm_runs(unsigned sm) = 0;
    // Whether the adapter owns work that has not ended: the simulation must go on.
    virtual bool busy() const = 0;
    // Statistics, a line `gpusched_NAME = VALUE` each.
    virtual void print(std::FILE *file) const = 0;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_SEAM_HPP
