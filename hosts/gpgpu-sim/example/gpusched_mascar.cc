// Mascar in GPGPU-Sim 4.2: to be copied to src/gpgpu-sim and compiled in C++17. docs/mascar.md says what to expect.
#include <gpusched_gpgpusim/sm_mascar.hpp>

#include "gpu-sim.h"
#include "gpusched_sm.hpp"
#include "mem_fetch.h"
#include "shader.h"

using namespace gpusched::gpgpusim;

::Mascar *gpusched_attach_mascar(const shader_core_config *c) {
  const bool lrr = attached("mascar:lrr"), gto = attached("mascar:gto");
  if (!attached("mascar") && !lrr && !gto) return nullptr;
  if (c->m_L1D_config.disabled()) stop("gpusched: mascar: there is no L1 data cache: -gpgpu_cache:dl1");
  if (c->max_warps_per_shader > 63) stop("gpusched: mascar: 63 warps per SM at most: -gpgpu_shader_core_pipeline 1984:32");
  if (c->gpgpu_max_insn_issue_per_warp != 1) stop("gpusched: mascar: one instruction per scheduler and cycle: -gpgpu_max_insn_issue_per_warp 1");
  using gpusched::mascar::Config;
  using gpusched::mascar::Preset;
  const Config preset = lrr ? Config(Preset::Lrr) : gto ? Config(Preset::Gto) : Config();
  const auto config = preset.with(saturation(c->m_L1D_config.mshr_entries(), c->m_L1D_config.miss_queue_size()));
  return new gpusched::gpgpusim::Mascar<mem_fetch *>(c->max_warps_per_shader, c->gpgpu_num_sched_per_core, config, stop);
}

bool shader_core_ctx::next_pc_is(unsigned w, const warp_inst_t *inst) {
  if (inst == NULL || m_warp[w]->functional_done()) return false;
  unsigned pc, rpc;
  get_pdom_stack_top_info(w, inst, &pc, &rpc);
  return pc == inst->pc;
}

// Whether the register in front of the unit that cycle() would take is free; with sub-cores that of the warp's scheduler.
bool shader_core_ctx::unit_is_free(unsigned w, const warp_inst_t *inst) {
  const auto has_free = [&](register_set &set) { return set.has_free(m_config->sub_core_model, w % m_config->gpgpu_num_sched_per_core); };
  if (inst->op >= SPEC_UNIT_START_ID) return has_free(*m_specilized_dispatch_reg[inst->op - SPEC_UNIT_START_ID]);
  if (inst->op == TENSOR_CORE_OP) return has_free(m_pipeline_reg[ID_OC_TENSOR_CORE]);
  if (inst->op == DP_OP && m_config->gpgpu_num_dp_units > 0) return has_free(m_pipeline_reg[ID_OC_DP]);
  if (inst->op == DP_OP || inst->op == SFU_OP) return has_free(m_pipeline_reg[ID_OC_SFU]);
  const bool on_int = m_config->gpgpu_num_int_units > 0 && inst->op != SP_OP;
  if (on_int && has_free(m_pipeline_reg[ID_OC_INT])) return true;
  return (m_config->gpgpu_num_int_units == 0 || inst->op == SP_OP) && has_free(m_pipeline_reg[ID_OC_SP]);
}

void shader_core_ctx::pick_by_mascar() {
  bool accepts = false;
  m_mascar->cache(0, m_ldst_unit->l1_mshrs(), m_ldst_unit->l1_misses());
  for (unsigned w = 0; w < m_config->max_warps_per_shader; w++) {
    if (m_warp[w]->done_exit()) continue;
    const warp_inst_t *inst = m_warp[w]->ibuffer_next_inst();
    const bool lsu = m_pipeline_reg[ID_OC_MEM].has_free(m_config->sub_core_model, w % m_config->gpgpu_num_sched_per_core);
    accepts |= lsu;
    WarpHead head = head_of(w);
    head.valid = head.valid && next_pc_is(w, inst);
    head.memory = head.valid && (head.memory || inst->op == MEMORY_BARRIER_OP);
    head.ready = head.valid && head.ready && (head.memory ? lsu : unit_is_free(w, inst));
    for (unsigned i = 0; head.valid && i < inst->incount; i++) head.on_load |= m_scoreboard->islongop(w, inst->in[i]);
    const unsigned slot = m_warp[w]->get_cta_id();
    const bool held = (m_gpu->m_sched && !m_gpu->m_sched->tb_may_issue(m_sid, slot)) || (m_gpu->m_equalizer && !m_gpu->m_equalizer->tb_may_issue(m_sid, slot));
    m_mascar->head(w, head, held);
  }
  m_mascar->pick(m_gpu->gpu_tot_sim_cycle + m_gpu->gpu_sim_cycle, accepts);
}

void scheduler_unit::order_by_mascar() {
  m_next_cycle_prioritized_warps.clear();
  // Nothing is picked of a warp whose buffer holds the wrong instructions; cycle() has to see it to flush them.
  for (shd_warp_t *const warp : m_supervised_warps) {
    if (!warp->done_exit() && !warp->waiting() && !warp->ibuffer_empty() && !m_shader->next_pc_is(warp->get_warp_id(), warp->ibuffer_next_inst()))
      m_next_cycle_prioritized_warps.push_back(warp);
  }
  for (int memory = 0; memory < 2; memory++) {
    const unsigned w = m_shader->m_mascar->picked(m_id, memory != 0);
    if (w != ::Mascar::kNoWarp) m_next_cycle_prioritized_warps.push_back(&warp(w));
  }
}

unsigned ldst_unit::l1_mshrs() const { return m_L1D->mshrs(); }
unsigned ldst_unit::l1_misses() const { return m_L1D->misses(); }

// As memory_cycle() decides it.
bool ldst_unit::goes_to_l1(const warp_inst_t &inst) const {
  const bool global = inst.space.is_global(), local = inst.space.get_type() == local_space || inst.space.get_type() == param_space_local;
  const bool skipped = global && m_core->get_config()->gmem_skip_L1D && inst.cache_op != CACHE_L1;
  return (global || local) && inst.active_count() > 0 && inst.cache_op != CACHE_GLOBAL && !skipped;
}

void ldst_unit::count_store(const mem_fetch *mf) {
  const bool sectors = m_config->m_L1D_config.get_mshr_type() == SECTOR_ASSOC;
  for (unsigned i = 0; i < (sectors ? mf->get_data_size() / SECTOR_SIZE : 1); i++) m_core->inc_store_req(mf->get_wid());
}

// A request for each bank in each cycle, while the L1 takes them.
void ldst_unit::present_to_l1(::Mascar &mascar) {
  for (unsigned bank = 0; bank < m_config->m_L1D_config.l1_banks && l1_latency_queue[0][0] == NULL; bank++) {
    const Presented<mem_fetch *> p = mascar.present();
    if (p.source == p.Nothing) return;
    mem_fetch *mf = p.fetch;
    if (p.source == p.New) {
      warp_inst_t &inst = *m_dispatch_reg;
      mf = m_mf_allocator->alloc(inst, inst.accessq_back(), m_core->get_gpu()->gpu_tot_sim_cycle + m_core->get_gpu()->gpu_sim_cycle);
      inst.accessq_pop_back();
      if (mf->get_is_write()) count_store(mf);
    }
    L1Probe probe;
    probe.status = CacheStatus(m_L1D->look(mf));
    // A cache that makes room for stores refuses one when its set has none.
    const bool needs_line = m_config->m_L1D_config.get_write_allocate_policy() != NO_WRITE_ALLOCATE && probe.status == CacheStatus::ReservationFail;
    probe.sent_on = mf->get_is_write() && !needs_line;
    probe.miss_queue_full = m_L1D->no_miss();
    probe.in_mshr = m_L1D->on_its_way(mf);
    // 4.2 merges nothing either while the miss queue is full.
    probe.mshr_full = m_L1D->no_mshr(mf) || probe.miss_queue_full;
    if (mascar.answer(probe, mf, mf->get_addr())) access_l1(mf);
  }
}

// At the end of its latency, which is how the simulator accesses the L1. If it refuses all the same, the request stays there and tries again.
void ldst_unit::access_l1(mem_fetch *mf) {
  l1_latency_queue[0][0] = mf;
  L1_latency_queue_cycle();
}
