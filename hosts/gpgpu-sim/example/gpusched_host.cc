// GPGPU-Sim 4.2 as a host of the adapter: to be copied to src/gpgpu-sim and compiled in C++17. It needs the patch of docs/patch.md.
// Accel-Sim's fork has the same names. gpusched_gpgpusim/host.hpp says what each member means.
#include <gpusched_gpgpusim.hpp>

#include <algorithm>
#include <cstdlib>

#include "../abstract_hardware_model.h"
#include "../cuda-sim/cuda-sim.h"
#include "../cuda-sim/ptx_ir.h"
#include "gpu-sim.h"
#include "gpusched_sm.hpp"
#include "shader.h"

using namespace gpusched::gpgpusim;

struct GpuschedHost {
    using Kernel = kernel_info_t *;
    gpgpu_sim *gpu;

    std::uint64_t uid(Kernel k) const { return k->get_uid(); }
    Shape shape(Kernel k) const {
        const gpgpu_ptx_sim_info *info = ptx_sim_kernel_info(k->entry());
        const dim3 grid = k->get_grid_dim(), tb = k->get_cta_dim();
        return {k->entry()->get_start_PC(), {grid.x, grid.y, grid.z}, {tb.x, tb.y, tb.z}, unsigned(info->regs), unsigned(info->smem), k->name()};
    }
    bool more_tbs(Kernel k) const { return gpu->kernel_more_cta_left(k); }
    // Both launch latencies: what the stream manager charges is over when the kernel arrives.
    bool ready(Kernel k) const { return k->m_kernel_TB_latency == 0; }
    unsigned next_tb(Kernel k) const { return k->get_next_cta_id_single(); }
    Kernel running(unsigned entry) const { return gpu->m_running_kernels[entry]; }
    bool can_issue(unsigned sm, Kernel k) {
    if (gpu->m_equalizer && !gpu->m_equalizer->wants_tb(sm, true)) return false;
    return core(sm)->can_issue_1block(*k);
  }
    bool is_empty(unsigned sm) const { return core(sm)->get_not_completed() == 0; }
    Kernel bound(unsigned sm) const {
    const Kernel k = core(sm)->get_kernel();
    if (gpu->m_equalizer && k != nullptr && !more_tbs(k)) gpu->m_equalizer->wants_tb(sm, false);
    return k;
  }
    void bind(unsigned sm, Kernel k) { core(sm)->set_kernel(k); }
    // Names, uids and the first cycle of kernels, for the printed statistics.
    void selected(Kernel k) {
        auto &uids = gpu->m_executed_kernel_uids;
        if (std::find(uids.begin(), uids.end(), k->get_uid()) != uids.end()) return;
        k->start_cycle = gpu->gpu_sim_cycle + gpu->gpu_tot_sim_cycle;
        uids.push_back(k->get_uid());
        gpu->m_executed_kernel_names.push_back(k->name());
    }
    void issue(unsigned sm, Kernel k, unsigned tb) {
        selected(k);
        k->set_next_cta(tb);
        core(sm)->issue_block2core(*k);
        gpu->m_total_cta_launched++;
    }
    bool has_children(Kernel k) const { return !k->children_all_finished(); }
    // A kernel of the list, or one that a TB launched, which is in no stream.
    void retire(Kernel k) {
        auto &running = gpu->m_running_kernels;
        if (std::find(running.begin(), running.end(), k) != running.end()) return gpu->set_kernel_done(k);
        k->notify_parent_finished();
        delete k;
    }
    // Not measured: whether there is a live thread.
    std::uint16_t activity(unsigned sm) { return core(sm)->get_not_completed() == 0 ? 0 : 1000; }
    void fail(const std::string &why) {
        std::fprintf(stderr, "%s\n", why.c_str());
        std::exit(1);
    }

    shader_core_ctx *core(unsigned sm) const {
        const shader_core_config *c = gpu->getShaderCoreConfig();
        return gpu->m_cluster[c->sid_to_cluster(sm)]->core(c->sid_to_cid(sm));
    }
};

// Without GPUSCHED_CONFIG in the environment the simulator is as it was.
Seam<kernel_info_t *> *gpusched_attach(gpgpu_sim *gpu) {
    const char *file = std::getenv("GPUSCHED_CONFIG");
    if (file == nullptr) return nullptr;
    static GpuschedHost host;
    host.gpu = gpu;
    Settings settings;
    if (!settings.read(file)) host.fail(settings.error());
  const bool equalizer = attached("equalizer:energy") || attached("equalizer:performance");
  if (equalizer && settings.dispatch != Dispatch::Stock) host.fail("gpusched: equalizer says how many TBs an SM runs, and needs adapter.dispatch = \"gpgpusim_stock\"");
    const shader_core_config *c = gpu->getShaderCoreConfig();
    Machine machine;
    machine.clusters = c->n_simt_clusters;
    machine.sms_per_cluster = c->n_simt_cores_per_cluster;
    machine.tb_slots = c->max_cta_per_core;
    machine.threads = c->n_thread_per_shader;
    machine.regs = c->gpgpu_shader_registers;
    machine.smem = c->gpgpu_shmem_size;
    machine.warp = c->warp_size;
    machine.kernels = gpu->get_config().get_max_concurrent_kernel();
    machine.concurrent = c->gpgpu_concurrent_kernel_sm;
    return new Adapter<GpuschedHost>(host, machine, settings);
}
