//! The map of votes, which a configuration has as a number per vote.

use gpusched::equalizer::{SmConfig, Step};

use super::gpusched_equalizer_sm_config;
use crate::config::{Choice, Wrong, c_name, chosen};

/// A step of a clock, as configurations have it.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_step {
    /// None.
    Hold = 0,
    /// One up.
    Up = 1,
    /// One down.
    Down = 2,
}

impl Choice for Step {
    const ALL: &'static [Self] = &[Self::Hold, Self::Up, Self::Down];

    fn code(self) -> u32 {
        match self {
            Self::Hold => gpusched_equalizer_step::Hold as u32,
            Self::Up => gpusched_equalizer_step::Up as u32,
            Self::Down => gpusched_equalizer_step::Down as u32,
        }
    }
}

/// Ties fields to the steps of the core's map.
macro_rules! vf_map {
    ($($field:ident = $objective:ident . $action:ident . $domain:ident;)*) => {
        impl gpusched_equalizer_sm_config {
            /// Takes over the core's steps.
            pub(super) fn put_by_hand(&mut self, core: &SmConfig) {
                $(self.$field = core.vf_map.$objective.$action.$domain.code();)*
            }

            /// The core's steps.
            pub(super) fn get_by_hand(&self, core: &mut SmConfig) -> Result<(), Wrong> {
                $(core.vf_map.$objective.$action.$domain = chosen(c_name!($field), self.$field)?;)*
                Ok(())
            }
        }
    };
}

vf_map! {
    energy_comp_sm = energy.comp.sm;
    energy_comp_mem = energy.comp.mem;
    energy_mem_sm = energy.mem.sm;
    energy_mem_mem = energy.mem.mem;
    performance_comp_sm = performance.comp.sm;
    performance_comp_mem = performance.comp.mem;
    performance_mem_sm = performance.mem.sm;
    performance_mem_mem = performance.mem.mem;
}
