// APOGEE in GPGPU-Sim 4.2: to be copied to src/gpgpu-sim and compiled in C++17. docs/apogee.md says what to expect.
#include <gpusched_gpgpusim/sm_apogee.hpp>

#include "gpu-sim.h"
#include "gpusched_sm.hpp"
#include "mem_fetch.h"
#include "shader.h"

using namespace gpusched::gpgpusim;

::Apogee *gpusched_attach_apogee(const shader_core_config *c) {
  if (!attached("apogee")) return nullptr;
  if (c->m_L1D_config.disabled()) stop("gpusched: apogee: there is no L1 data cache: -gpgpu_cache:dl1");
  ApogeeSettings settings;
  settings.config.warps = c->max_warps_per_shader, settings.config.warp_size = c->warp_size;
  settings.config.line_bytes = c->m_L1D_config.get_atom_sz();  // of a sectored L1 a sector
  return new gpusched::gpgpusim::Apogee<mem_fetch *>(settings, stop);
}

void shader_core_ctx::report_load(const warp_inst_t &inst) {
  // Past the L1 there is nothing to learn; with CACHE_GLOBAL go atomics, too.
  if (!inst.is_load() || inst.space.get_type() == shared_space || !m_ldst_unit->goes_to_l1(inst)) return;
  unsigned long long addresses[MAX_WARP_SIZE];
  IssuedLoad load;
  for (unsigned lane = 0; lane < m_config->warp_size; lane++) {
    if (!inst.active(lane)) continue;
    load.mask |= 1ull << lane;
    addresses[lane] = inst.get_addr(lane);
  }
  load.id = inst.get_uid(), load.warp = inst.warp_id(), load.pc = inst.pc;
  load.accesses = inst.accessq_count(), load.addresses = addresses;
  m_apogee->load_issued(load);
}

// A request; Accel-Sim's fork asks for the number of a stream behind the rest.
template <class... Words>
static auto request(int, const shader_core_mem_fetch_allocator &of, Words... words) -> decltype(of.alloc(words...)) { return of.alloc(words...); }
template <class... Words>
static auto request(long, const shader_core_mem_fetch_allocator &of, Words... words) -> decltype(of.alloc(words..., 0ull)) { return of.alloc(words..., 0ull); }

void ldst_unit::prefetch(::Apogee &apogee) {
  if (!m_L1D->takes_miss()) return;
  const unsigned long long now = m_core->get_gpu()->gpu_tot_sim_cycle + m_core->get_gpu()->gpu_sim_cycle;
  Prefetch p;
  if (!apogee.next(now, p)) return;
  const unsigned line = m_config->m_L1D_config.get_line_sz(), sector = m_config->m_L1D_config.get_atom_sz();
  mem_fetch *mf;
  if (sector == line) {
    mf = request(0, *m_mf_allocator, p.line, GLOBAL_ACC_R, line, false, now);
  } else {
    mem_access_byte_mask_t bytes;
    for (unsigned i = 0; i < sector; i++) bytes.set(p.line % line + i);
    mem_access_sector_mask_t sectors;
    sectors.set(p.line % line / sector);
    mf = request(0, *m_mf_allocator, p.line, GLOBAL_ACC_R, active_mask_t(), bytes, sectors, sector, false, now, -1, m_sid, m_tpc, (mem_fetch *)NULL);
  }
  std::list<cache_event> events;
  const cache_request_status status = m_L1D->access(p.line, mf, now, events);
  if (was_read_sent(events)) return apogee.sent(mf);
  apogee.not_sent();
  if (status == HIT || status == RESERVATION_FAIL) delete mf;  // else the cache owns it
}
