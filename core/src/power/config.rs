//! The parameters of the occupancy-bubble controller, with their ranges and provenance.
//!
//! ```
//! use gpusched::power::BubbleConfig;
//!
//! let off_chip = BubbleConfig { transition_samples: 20, ..BubbleConfig::K20C };
//! assert!(off_chip.check().is_ok());
//! let wrong = BubbleConfig { v_low_mv: 1100, ..BubbleConfig::K20C };
//! assert_eq!(wrong.check().unwrap_err().to_string(), "v_low_mv = 1100: expected a value from 1 to 1000");
//! ```

use crate::base::error::Fault;
use crate::base::parameter::{self, ConfigError, Parameter, Provenance, choice, parameters};
use crate::base::resources::Resources;

choice! {
    /// When a bubble that is still there may be diverted again (bubble_dvfs-A3).
    pub enum Retrigger {
        /// At every sample.
        Level,
        /// At every sample until a drain time-out or a resumption; then only after the SMX was not in a bubble.
        #[default]
        Rearm,
        /// Only at the first sample of a bubble, even if that was refused.
        Once,
    }
}

parameters! {
    /// Parameters of sheet `bubble_dvfs`. `Default` is the K20c.
    pub struct BubbleConfig;
    /// The Tesla K20c, with the values of 6.3.1.
    pub const K20C;
    numbers {
        /// SMXs.
        smxs: "SMXs" = 13 in 1..=256, Paper "Table 4";
        /// Threshold T: numerator.
        t_num: "of t_den" = 1 in 0..=65535, Paper "6.3.1: 4 of 64 warps";
        /// Threshold T: denominator. T is at most 1.
        t_den: "parts" = 16 in 1..=65535, Paper "6.3.1: 4 of 64 warps";
        /// Sampling period.
        sample_cycles: "cycles" = 500 in 1..=1048576, Paper "6.3.1";
        /// W: samples in which a draining SMX must become empty.
        drain_samples: "samples" = 10 in 1..=65535, Paper "6.3.1: 5000 cycles";
        /// P: samples that a transition of the P-state takes.
        transition_samples: "samples" = 1 in 1..=65535, Paper "6.3.1: 1 on chip, 20 off chip";
        /// Samples in a row with all SMXs idle before the GPU level.
        gpu_idle_samples: "samples" = 1 in 1..=65535, Paper "1 is the source's rule";
        /// Threads of a warp; divides `smx_threads`.
        warp_size: "threads" = 32 in 1..=1024, Paper "2.2";
        /// Threads of an SMX.
        smx_threads: "threads" = 2048 in 1..=1048576, Paper "Table 4";
        /// Registers of an SMX.
        smx_regs: "registers" = 65536 in 1..=16777216, Paper "Table 4";
        /// Shared memory of an SMX.
        smx_smem: "bytes" = 49152 in 0..=16777216, Paper "Table 4";
        /// TB slots of an SMX.
        smx_slots: "TBs" = 16 in 1..=1024, Paper "Table 4";
        /// Voltage of the high P-state.
        v_high_mv: "mV" = 1000 in 1..=5000, Paper "6.3.1";
        /// Voltage of the low P-state, at most that of the high one.
        v_low_mv: "mV" = 550 in 1..=5000, Paper "6.3.1";
        /// Clock of the high P-state.
        f_high_mhz: "MHz" = 700 in 1..=5000, Paper "6.3.1";
        /// Clock of the low P-state, at most that of the high one.
        f_low_mhz: "MHz" = 100 in 1..=5000, Paper "6.3.1";
        /// Leakage follows this power of the voltage.
        leak_exp: "exponent" = 1 in 0..=3, Paper "2.5";
        /// Leakage of an SMX at the high P-state.
        p_leak_mw: "mW" = 1400 in 0..=1000000, Ours "calibration: at most 22 % of the idle power";
        /// Other power of an idle SMX at the high P-state.
        p_idle_mw: "mW" = 4900 in 0..=1000000, Ours "calibration: idle is 0.70 of the mean power";
        /// What full activity adds at the high P-state.
        p_dyn_mw: "mW" = 8000 in 0..=1000000, Ours "calibration: 117.6 W at an activity of 0.15";
        /// Everything but the SMXs, at any P-state.
        p_uncore_mw: "mW" = 20000 in 0..=1000000, Ours "calibration: 117.6 W at an activity of 0.15";
    }
    choices {
        /// Whether anything is decided; if not, bubbles and energy are counted for the base run.
        enabled: bool = true;
        /// A bubble is an occupancy of at most T, rather than below T (bubble_dvfs-A1).
        inclusive: bool = false;
        /// A diverted SMX runs empty before it goes down, rather than going down with its TBs.
        draining: bool = true;
        /// The whole GPU goes down when all SMXs are idle.
        gpu_level: bool = true;
        /// When a bubble that is still there may be diverted again.
        retrigger: Retrigger = Retrigger::Rearm;
        /// A draining SMX may be taken back (bubble_dvfs-A6).
        resume_draining: bool = true;
        /// No SMX is resumed while another one is going up.
        resume_hold: bool = false;
    }
}

/// An SMX holds whole warps.
const PARTIAL_WARP: Parameter = Parameter::rule(
    c"smx_threads",
    Provenance::Ours,
    c"expected a multiple of `warp_size`: an occupancy of 1 is a whole number of warps",
);

impl BubbleConfig {
    /// Checks every range, then what numbers must be to each other.
    ///
    /// # Errors
    /// The first parameter that is out of its range; then the first of `t_num`, `v_low_mv` and `f_low_mhz` that is above its
    /// limit; then `smx_threads` that are not whole warps.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())?;
        let limits = [("t_num", self.t_den), ("v_low_mv", self.v_high_mv), ("f_low_mhz", self.f_high_mhz)];
        parameter::check_limits(self.values(), &limits)?;
        if self.smx_threads.is_multiple_of(self.warp_size) {
            Ok(())
        } else {
            Err(ConfigError::new(Fault::BadConfig, &PARTIAL_WARP, self.smx_threads))
        }
    }

    /// What an empty SMX has.
    #[must_use]
    pub const fn capacity(&self) -> Resources {
        let &Self { smx_threads, smx_regs, smx_smem, smx_slots, .. } = self;
        Resources { threads: smx_threads, regs: smx_regs, smem: smx_smem, slots: smx_slots }
    }

    /// What the sheet asks of any TB: threads and slots, and an SMX large enough.
    pub(super) fn check_tb(&self, res: &Resources) -> Result<(), Fault> {
        res.check()?;
        if res.fits(&self.capacity()) { Ok(()) } else { Err(Fault::TbTooBig) }
    }

    /// Whether any SMX can ever be diverted (bubble_dvfs-I9): there are others, and a bubble has room below the threshold.
    pub(super) const fn can_divert(&self) -> bool {
        self.enabled && self.smxs > 1 && (self.t_num > 0 || self.inclusive)
    }

    /// Warps that an SMX holds at most: an occupancy of 1.
    #[must_use]
    pub const fn max_warps(&self) -> u32 {
        match self.smx_threads.checked_div(self.warp_size) {
            Some(warps) => warps,
            None => 0,
        }
    }
}
