// Equalizer in GPGPU-Sim 4.2: to be copied to src/gpgpu-sim and compiled in C++17. docs/equalizer.md says what to expect. The simulator
// reports its warps here, for Mascar as well.
#include <gpusched_gpgpusim/sm_equalizer.hpp>

#include "gpu-sim.h"
#include "gpusched_sm.hpp"
#include "shader.h"

using namespace gpusched::gpgpusim;

EqualizerSeam *gpusched_attach_equalizer(gpgpu_sim *gpu) {
  const bool energy = attached("equalizer:energy");
  if (!energy && !attached("equalizer:performance")) return nullptr;
  const shader_core_config *c = gpu->getShaderCoreConfig();
  if (c->gpgpu_concurrent_kernel_sm) stop("gpusched: equalizer: an SM of several kernels has no one number of warps per TB: -gpgpu_concurrent_kernel_sm 0");
  Machine machine;
  machine.clusters = c->n_simt_clusters, machine.sms_per_cluster = c->n_simt_cores_per_cluster;
  machine.tb_slots = c->max_cta_per_core, machine.threads = c->n_thread_per_shader, machine.warp = c->warp_size;
  EqualizerSettings settings;
  settings.sm = settings.sm.with(energy ? gpusched::equalizer_sm::Objective::Energy : gpusched::equalizer_sm::Objective::Performance);
  return new Equalizer(machine, settings, stop);
}

// The SM was bound to a kernel.
void shader_core_ctx::report_kernel(const kernel_info_t &kernel) {
  const unsigned warps = (kernel.threads_per_cta() + m_config->warp_size - 1) / m_config->warp_size;
  if (m_gpu->m_equalizer) m_gpu->m_equalizer->kernel_bound(m_sid, warps, m_config->max_cta(kernel));
  if (m_apogee) m_apogee->kernel_bound();
}

WarpHead shader_core_ctx::head_of(unsigned w) {
  shd_warp_t &warp = *m_warp[w];
  const warp_inst_t *inst = warp.ibuffer_next_inst();
  const bool atomic = warp.get_n_atomic() > 0;
  WarpHead head;
  head.valid = inst != NULL && warp.ibuffer_next_valid();
  head.waits = warp.waiting() && !atomic;
  head.memory = head.valid && (inst->is_load() || inst->is_store());
  head.ready = head.valid && !atomic && !m_scoreboard->checkCollision(w, inst);
  return head;
}

void shader_core_ctx::report_warps(EqualizerSeam &equalizer) {
  for (unsigned w = 0; w < m_config->max_warps_per_shader; w++) {
    if (m_warp[w]->done_exit()) continue;
    // With sub-cores each scheduler has a register of its own in front of the LD/ST pipe.
    const bool accepts = m_pipeline_reg[ID_OC_MEM].has_free(m_config->sub_core_model, w % m_config->gpgpu_num_sched_per_core);
    equalizer.warp(m_sid, w, m_warp[w]->get_cta_id(), head_of(w), accepts);
  }
}

void simt_core_cluster::gpusched_print() const {
  for (unsigned i = 0; i < m_config->n_simt_cores_per_cluster; i++) {
    if (m_core[i]->m_mascar) m_core[i]->m_mascar->print(stdout);
    if (m_core[i]->m_apogee) m_core[i]->m_apogee->print(stdout);
  }
}
