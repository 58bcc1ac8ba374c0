//! The map of votes, which a configuration has as a number per vote.

use gpusched::equalizer::{SmConfig, Step, VfMap, VfSteps, Votes};
use gpusched_abi::equalizer_sm::{gpusched_equalizer_sm_config, gpusched_equalizer_step};

use crate::through_c::config::code;
use crate::through_c::records::one_of;

const STEP: [(u32, Step); 3] = [
    (gpusched_equalizer_step::Hold as u32, Step::Hold),
    (gpusched_equalizer_step::Up as u32, Step::Up),
    (gpusched_equalizer_step::Down as u32, Step::Down),
];

/// The map, as a C program writes it.
pub(super) fn put_by_hand(c: &mut gpusched_equalizer_sm_config, config: &SmConfig) {
    let VfMap { energy, performance } = config.vf_map;
    let step = |step| code(step, &STEP);
    (c.energy_comp_sm, c.energy_comp_mem) = (step(energy.comp.sm), step(energy.comp.mem));
    (c.energy_mem_sm, c.energy_mem_mem) = (step(energy.mem.sm), step(energy.mem.mem));
    (c.performance_comp_sm, c.performance_comp_mem) = (step(performance.comp.sm), step(performance.comp.mem));
    (c.performance_mem_sm, c.performance_mem_mem) = (step(performance.mem.sm), step(performance.mem.mem));
}

/// The map that C tells.
pub(super) fn get_by_hand(c: &gpusched_equalizer_sm_config, config: SmConfig) -> SmConfig {
    let votes = |sm, mem| Votes { sm: one_of(sm, &STEP), mem: one_of(mem, &STEP) };
    let energy =
        VfSteps { comp: votes(c.energy_comp_sm, c.energy_comp_mem), mem: votes(c.energy_mem_sm, c.energy_mem_mem) };
    let performance = VfSteps {
        comp: votes(c.performance_comp_sm, c.performance_comp_mem),
        mem: votes(c.performance_mem_sm, c.performance_mem_mem),
    };
    SmConfig { vf_map: VfMap { energy, performance }, ..config }
}
