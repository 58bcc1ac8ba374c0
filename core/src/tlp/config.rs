//! The parameters of all units, with their ranges and provenance. Each unit reads those that concern it.
//!
//! ```
//! use gpusched::tlp::TlpConfig;
//!
//! let error = TlpConfig { slots: 33, ..TlpConfig::GTX480 }.check().unwrap_err().to_string();
//! assert_eq!(error, "slots = 33: expected a value from 1 to 32");
//! assert!(TlpConfig { slots: 16, ..TlpConfig::GTX480 }.check().is_ok());
//! ```

use crate::base::parameter::{self, ConfigError, choice, parameters};

/// The most TB slots of an SM.
pub const MAX_SLOTS: usize = 32;
/// The most SMs of a GPU.
pub const MAX_SMS: usize = 256;

choice! {
    /// What becomes of the targets when both kernels lean on the critical pipeline alike (tlp-A8).
    pub enum PuhpTie {
        /// They stay.
        #[default]
        Hold,
        /// Kernel 0 grows.
        Grow0,
    }
}

choice! {
    /// How utilisations enter the history (tlp-A4).
    pub enum HistoryRule {
        /// The new one weighs 2^-`his_shift`.
        #[default]
        Ewma,
        /// The mean of all periods.
        Mean,
    }
}

choice! {
    /// Whether targets move while bypassing is learnt (tlp-H10).
    pub enum Order {
        /// They do.
        #[default]
        Concurrent,
        /// Not before learning has ended.
        BypassFirst,
    }
}

choice! {
    /// What of the stalls of two periods is compared (tlp-B7).
    pub enum StallNorm {
        /// Their counts.
        #[default]
        Raw,
        /// Their counts per cycle of the period.
        PerCycle,
    }
}

choice! {
    /// The target of a kernel without a partner (tlp-D1).
    pub enum SoloTlp {
        /// All that fit.
        #[default]
        Max,
        /// As many as it runs best with.
        Opt,
    }
}

choice! {
    /// What two kernels of type up do (tlp-S3).
    pub enum UpUp {
        /// The younger waits for the older to end.
        #[default]
        Leftover,
        /// The older has half of what fits.
        Half,
    }
}

parameters! {
    /// Parameters of every unit. `Default` is the GTX 480.
    pub struct TlpConfig;
    /// The machine of Table II, with the values of the source.
    pub const GTX480;
    numbers {
        /// Threads of an SM.
        threads: "threads" = 1536 in 1..=4294967295, Paper "Table II";
        /// Registers of an SM.
        regs: "registers" = 32768 in 0..=4294967295, Paper "Table II";
        /// Shared memory of an SM.
        smem: "bytes" = 49152 in 0..=4294967295, Paper "Table II";
        /// TB slots of an SM.
        slots: "TBs" = 8 in 1..=32, Paper "Table II; 4.1 and 4.5 say 16 (tlp-A1)";
        /// SMs of the GPU; [`Smc`](super::Smc) needs two.
        sms: "SMs" = 15 in 1..=256, Paper "Table II";
        /// The most TBs of a kernel on an SM.
        tlp_cap: "TBs" = 16 in 1..=32, Paper "4.1, 4.5 (tlp-A1)";
        /// How much worse than the best a profile's value may be to count as the best.
        tol_permille: "thousandths" = 0 in 0..=1000, Ours "the source compares exactly";
        /// TBs by which the kernel that is chosen grows.
        grow_step: "TBs" = 1 in 1..=32, Paper "4.5; Figure 13 shows 2";
        /// TBs below which the other kernel does not shrink.
        min_tlp: "TBs" = 1 in 1..=32, Ours "a kernel must run";
        /// Weight of a period in the history: 2^-`his_shift`.
        his_shift: "bits" = 1 in 0..=8, Ours "the source only says that history and current value are used";
        /// Pipelines of kind SP: busy cycles of a period may reach its length times this.
        sp_units: "pipelines" = 1 in 1..=65535, Ours "by how the host counts";
        /// Pipelines of kind LD/ST.
        ldst_units: "pipelines" = 1 in 1..=65535, Ours "by how the host counts";
        /// Time of a comparison or addition.
        op_cycles: "cycles" = 4 in 0..=65535, Paper "4.5";
        /// Kernels that the pool holds.
        pool_cap: "kernels" = 16 in 1..=64, Ours "4.6 names none";
        /// Kernels that LeftOver holds.
        qcap: "kernels" = 8 in 1..=32, Ours "2.2 names none";
    }
    choices {
        /// Whether a utilisation that stays equal counts as one that does not fall.
        hold_on_equal: bool = false;
        /// What becomes of the targets when both kernels lean on the critical pipeline alike.
        puhp_tie: PuhpTie = PuhpTie::Hold;
        /// How utilisations enter the history.
        his_rule: HistoryRule = HistoryRule::Ewma;
        /// Whether targets are modulated at run time.
        #[cfg_attr(feature = "serde", serde(rename = "dyn"))]
        dynamic: bool = true;
        /// Whether bypassing is learnt.
        bypass: bool = true;
        /// Whether a period waits for as many tagged TBs as are wanted (tlp-H9).
        wait_by: bool = true;
        /// Whether targets move while bypassing is learnt.
        order: Order = Order::Concurrent;
        /// What of the stalls of two periods is compared (tlp-A10).
        stall_norm: StallNorm = StallNorm::Raw;
        /// The target of a kernel without a partner.
        solo_tlp: SoloTlp = SoloTlp::Max;
        /// What two kernels of type up do (tlp-A9).
        upup: UpUp = UpUp::Leftover;
        /// Whether the pool puts off a kernel of type up beside one of type up.
        avoid_upup: bool = true;
        /// Whether LeftOver waits for an SM without TBs of other kernels (tlp-A13).
        idle_only: bool = true;
        /// Whether Smart-Even gives no kernel more SMs than it can fill (tlp-A14).
        smart: bool = true;
    }
}

impl TlpConfig {
    /// Checks every range.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())
    }
}
