//! Parts of the front end that a configuration may leave out: LaPerm, the occupancy-bubble controller and the dependency-graph
//! buffer, each with the parameters of its own sheet that are not the front end's already (`frontend`, Parameters).
//!
//! A machine that is used alone has the same parameters under the same names, with their meaning, ranges and provenance; what an
//! SMX holds, how many there are and what the KMU costs is the front end's to say.
//!
//! ```
//! use gpusched::{BubblePart, Config, LaPermPart, Policy, laperm};
//!
//! let smx_bind = LaPermPart { policy: laperm::Policy::SmxBind, ..LaPermPart::K20C };
//! let off_chip = BubblePart { transition_samples: 20, ..BubblePart::K20C };
//! let config = Config { policy: Policy::LaPerm(smx_bind), bubble: Some(off_chip), ..Config::K20C };
//! assert!(config.check().is_ok());
//! assert_eq!(smx_bind.machine(&config).smxs, config.n_smx);
//! ```

use crate::base::error::Fault;
use crate::base::parameter::{self, ConfigError, PartName, choice, parameters};
use crate::base::presence::{AnyParts, Parts, Presence};
use crate::config::{AgtMiss, Config, LoadMode, launch2, modern};
use crate::dats::{DgbConfig, LevelRef, Prefetch};
use crate::policy::laperm;
use crate::power::{BubbleConfig, Retrigger};

/// Declares a part: those parameters of a machine that are not the front end's, which names the others.
macro_rules! part {
    (
        $(#[$doc:meta])* pub struct $Part:ident of $Machine:path = $DEFAULT:ident, $default:literal;
        own { $($(#[$attr:meta])* $own:ident: $Own:ty,)* }
        front { $($owned:ident = $from:expr,)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub struct $Part {
            $(#[doc = concat!("`", stringify!($own), "` of the machine alone.")] $(#[$attr])* pub $own: $Own,)*
        }

        impl $Part {
            #[doc = $default]
            pub const $DEFAULT: Self = Self { $($own: <$Machine>::$DEFAULT.$own,)* };

            /// The machine that this part is, in a front end of this configuration.
            #[must_use]
            pub const fn machine(&self, front: &Config) -> $Machine {
                let mut machine = <$Machine>::$DEFAULT;
                $(machine.$own = self.$own;)*
                $(machine.$owned = $from(front);)*
                machine
            }
        }

        impl Default for $Part {
            fn default() -> Self {
                Self::$DEFAULT
            }
        }
    };
}

part! {
    /// LaPerm as a part: the parameters of [`laperm::Config`] but those that the front end owns.
    pub struct LaPermPart of laperm::Config = K20C, "The Tesla K20c.";
    own {
        cluster: u32,
        levels: u32,
        queue_cap: u32,
        q0_cap: u32,
        pool_cap: u32,
        backup_limit: u32,
        refill_cycles: u32,
        policy: laperm::Policy,
        model: laperm::Model,
        visit: laperm::Visit,
        no_fit: laperm::NoFit,
        spill: laperm::Spill,
        backup_select: laperm::BackupSelect,
        charge_insert: bool,
        refill_mode: laperm::RefillMode,
    }
    front {
        smxs = n_smx,
        kdu_entries = n_kde,
        kmu_dispatch_cycles = lat_dispatch,
        smx_threads = threads,
        smx_regs = regs,
        smx_smem = smem,
        smx_slots = tb_slots,
    }
}

part! {
    /// The occupancy-bubble controller as a part: the parameters of [`BubbleConfig`] but those that the front end owns.
    pub struct BubblePart of BubbleConfig = K20C, "The Tesla K20c.";
    own {
        t_num: u32,
        t_den: u32,
        sample_cycles: u32,
        drain_samples: u32,
        transition_samples: u32,
        gpu_idle_samples: u32,
        v_high_mv: u32,
        v_low_mv: u32,
        f_high_mhz: u32,
        f_low_mhz: u32,
        leak_exp: u32,
        p_leak_mw: u32,
        p_idle_mw: u32,
        p_dyn_mw: u32,
        p_uncore_mw: u32,
        enabled: bool,
        inclusive: bool,
        draining: bool,
        gpu_level: bool,
        retrigger: Retrigger,
        resume_draining: bool,
        resume_hold: bool,
    }
    front {
        smxs = n_smx,
        warp_size = warp,
        smx_threads = threads,
        smx_regs = regs,
        smx_smem = smem,
        smx_slots = tb_slots,
    }
}

part! {
    /// The dependency-graph buffer as a part: the parameters of [`DgbConfig`] but those that the front end owns.
    pub struct DatsPart of DgbConfig = GTX480, "The GTX 480, with the arrays that LVL needs.";
    own {
        lna: u32,
        lea: u32,
        #[cfg_attr(feature = "serde", serde(alias = "pub"))]
        pub_entries: u32,
        chunk_bytes: u32,
        prefetch: Prefetch,
        level_ref: LevelRef,
        issue_needs_edges: bool,
        spill: bool,
    }
    front {
        smxs = n_smx,
    }
}

choice! {
    /// What is offered to a host that decides which TB goes where (sheet `policy`, Parameters).
    pub enum Units {
        /// Of each kernel its next TB, in the order of the FCFS controller's chains.
        #[default]
        Chain,
        /// A kernel's native TBs and each of its groups by themselves, as under LaPerm with one queue.
        Free,
    }
}
choice! {
    /// Who sends when a host that decides is stalled (policy-P11).
    pub enum Rescue {
        /// Nobody.
        #[default]
        None,
        /// First come, first served and round robin, until the host sends again.
        Rr,
    }
}

parameters! {
    /// The host as the policy: it decides which TB goes to which SMX, between the two halves of a cycle (sheet `policy`).
    pub struct ToldPart;
    /// One TB in a cycle, offered in the order of the chains, and no guard.
    pub const CHAIN;
    numbers {
        /// The most TBs that the host sends in a cycle.
        dispatch_per_cycle: "TBs" = 1 in 1..=64, Ours "one in a cycle is what the source does";
        /// Cycles with something open and nothing sent from which on the host is said to be stalled; 0 is never.
        stall_limit: "cycles" = 0 in 0..=0xffff_ffff, Ours "no guard unless it is asked for";
        /// Pieces that units whose unsent TBs the host splits are in, beyond the first of each; 0: it splits none.
        split_cap: "pieces" = 0 in 0..=65_535, Ours "units are sent in order unless it is asked for";
    }
    choices {
        /// What is offered.
        units: Units = Units::Chain;
        /// Who sends when the host is stalled.
        rescue: Rescue = Rescue::None;
    }
}

impl ToldPart {
    /// Checks every range, and that there is something to rescue from.
    ///
    /// # Errors
    /// The first parameter that is out of its range; a rescue without `stall_limit`.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())?;
        if self.rescue != Rescue::None && self.stall_limit == 0 {
            return Err(ConfigError::new(Fault::BadConfig, &RESCUE, 1));
        }
        Ok(())
    }
}

impl DatsPart {
    /// The GTX 480, with the arrays that LRR needs.
    pub const GTX480_LRR: Self =
        Self { lna: DgbConfig::GTX480_LRR.lna, lea: DgbConfig::GTX480_LRR.lea, ..Self::GTX480 };
}

macro_rules! getters {
    ($($name:ident)*) => { $(const fn $name(front: &Config) -> u32 { front.$name })* };
}
getters! { n_smx n_kde lat_dispatch threads regs smem tb_slots warp }

/// The deepest priority of a TB under free units (policy-P12).
pub(crate) const FREE_LEVELS: u8 = 24;

/// A rule between parameters, as the error that names it.
macro_rules! rule {
    ($RULE:ident, $name:literal, $why:literal) => {
        const $RULE: $crate::Parameter = $crate::Parameter::rule(
            crate::base::error::c_text!($name),
            $crate::Provenance::Ours,
            crate::base::error::c_text!($why),
        );
    };
}
pub(crate) use rule;

rule!(NO_LAPERM, "laperm", "the home leaves this part out");
rule!(NO_BUBBLE, "bubble", "the home leaves this part out");
rule!(NO_DATS, "dats", "the home leaves this part out");
rule!(NO_TOLD, "told", "the home leaves this part out");
rule!(NO_MODERN, "modern", "the home leaves topology, clusters, priorities, partitions and preemption out");
rule!(NO_CDP2, "cdp2", "the home leaves grids out");
rule!(NO_PDL, "pdl", "the home leaves grids out");
rule!(NO_KGRAPH, "kgraph", "the home leaves grids out");
rule!(PARTIAL_WARP, "threads", "expected a multiple of `warp`: the occupancy-bubble controller counts whole warps");
rule!(RESCUE, "rescue", "without stall_limit there is nothing to rescue from");
rule!(TOLD_AHEAD, "load_ahead", "the host asks for loads");
rule!(FREE_TURNS, "turn_groups", "it rules the FCFS controller's chains, which free units replace");
rule!(FREE_LOADS, "load_mode", "it rules the FCFS controller's chains, which free units replace");
rule!(FREE_MISSES, "agt_miss", "of free units none looks for an AGE");
rule!(CHAIN_SPLITS, "split_cap", "chains send in order, so only free units are split");
rule!(TURNS, "turn_groups", "it rules the FCFS controller's chains, which LaPerm replaces");
rule!(LOADS, "load_mode", "it rules the FCFS controller's chains, which LaPerm replaces");
rule!(MISSES, "agt_miss", "under LaPerm no group looks for an AGE");
rule!(AHEAD, "load_ahead", "it rules the FCFS controller's chains, which LaPerm replaces");
rule!(QUEUE0, "q0_cap", "below n_kde queue 0 could be full when a kernel arrives");
rule!(POOL, "pool_cap", "below pend_limit + n_kde the pool could be full when a group joins");
rule!(SEAM_UNITS, "units", "LaPerm sends units by themselves");
rule!(SEAM_MODEL, "model", "the KMU is no affair of a policy that is asked");
rule!(SEAM_REFILLS, "refill_mode", "a policy that is asked hears no answers of the memory");
rule!(NOT_TOLD, "policy", "a policy of one's own decides only where the policy is told");

/// Whether a policy of the host's own decides.
pub(crate) fn expect_told(front: &Config) -> Result<(), ConfigError> {
    match front.told() {
        Some(_) => Ok(()),
        None => Err(ConfigError::new(Fault::NotTold, &NOT_TOLD, 0)),
    }
}

/// Whether LaPerm can decide as a policy of the seam.
pub(crate) fn expect_laperm_as_policy(part: &LaPermPart, front: &Config) -> Result<(), ConfigError> {
    expect_told(front)?;
    let refused = |part, parameter| Err(ConfigError::new(Fault::BadConfig, parameter, 1).of(part));
    if !front.has_free_units() {
        return refused(PartName::Told, &SEAM_UNITS);
    }
    if part.model == laperm::Model::Cdp {
        return refused(PartName::LaPerm, &SEAM_MODEL);
    }
    if part.refill_mode == laperm::RefillMode::External {
        return refused(PartName::LaPerm, &SEAM_REFILLS);
    }
    check::<AnyParts>(&Config { policy: crate::config::Policy::LaPerm(*part), ..*front })
}

/// What a host that decides asks (sheet `policy`, Parameters).
fn check_told(told: &ToldPart, front: &Config) -> Result<(), ConfigError> {
    let refused = |fault, parameter, value| Err(ConfigError::new(fault, parameter, value));
    told.check().map_err(|e| e.of(PartName::Told))?;
    if front.load_ahead > 0 {
        return refused(Fault::BadConfig, &TOLD_AHEAD, front.load_ahead);
    }
    let of_chains = [
        (front.turn_groups, &FREE_TURNS),
        ((front.load_mode == LoadMode::External).into(), &FREE_LOADS),
        ((front.agt_miss == AgtMiss::Device).into(), &FREE_MISSES),
    ];
    if told.units == Units::Chain && told.split_cap > 0 {
        return Err(ConfigError::new(Fault::FreeOnly, &CHAIN_SPLITS, told.split_cap).of(PartName::Told));
    }
    match of_chains.into_iter().find(|&(value, _)| told.units == Units::Free && value > 0) {
        Some((value, parameter)) => refused(Fault::ChainOnly, parameter, value),
        None => Ok(()),
    }
}

/// What the parts ask of a configuration whose own values are within their ranges, and whether a home with `P` has them.
pub(crate) fn check<P: Parts>(front: &Config) -> Result<(), ConfigError> {
    let refused = |fault, parameter, value| Err(ConfigError::new(fault, parameter, value));
    // What the front end owns has the front end's ranges, so it is tried with values that no machine refuses.
    let harmless = Config { lat_dispatch: 0, regs: 1, smem: 0, ..*front };
    let asked = [
        (front.laperm().is_some() && !P::LaPerm::IS_POSSIBLE, &NO_LAPERM),
        (front.bubble.is_some() && !P::Bubble::IS_POSSIBLE, &NO_BUBBLE),
        (front.dats.is_some() && !P::Dats::IS_POSSIBLE, &NO_DATS),
        (front.told().is_some() && !P::Told::IS_POSSIBLE, &NO_TOLD),
        (front.is_modern() && !P::Modern::IS_POSSIBLE, &NO_MODERN),
        (front.cdp2.is_some() && !P::Grids::IS_POSSIBLE, &NO_CDP2),
        (front.pdl.is_some() && !P::Grids::IS_POSSIBLE, &NO_PDL),
        (front.kgraph.is_some() && !P::Grids::IS_POSSIBLE, &NO_KGRAPH),
    ];
    if let Some((_, part)) = asked.into_iter().find(|(is_missing, _)| *is_missing) {
        return refused(Fault::BadConfig, part, 1);
    }
    if P::Bubble::IS_POSSIBLE
        && let Some(bubble) = &front.bubble
    {
        bubble.machine(&harmless).check().map_err(|e| match e.parameter.name {
            // The front end's own, of which only this machine asks for whole warps.
            "smx_threads" => ConfigError::new(e.fault, &PARTIAL_WARP, front.threads),
            _ => e.of(PartName::Bubble),
        })?;
    }
    if P::Dats::IS_POSSIBLE
        && let Some(dats) = &front.dats
    {
        dats.machine(&harmless).check().map_err(|e| e.of(PartName::Dats))?;
    }
    if P::Told::IS_POSSIBLE
        && let Some(told) = front.told()
    {
        check_told(told, front)?;
    }
    if P::LaPerm::IS_POSSIBLE
        && let Some(part) = front.laperm()
    {
        check_laperm(part, front, &harmless)?;
    }
    if P::Modern::IS_POSSIBLE {
        modern::check(front)?;
    }
    launch2::check(front)
}

/// What LaPerm asks (`frontend`, Parameters).
fn check_laperm(part: &LaPermPart, front: &Config, harmless: &Config) -> Result<(), ConfigError> {
    let refused = |fault, parameter, value| Err(ConfigError::new(fault, parameter, value));
    part.machine(harmless).check().map_err(|e| e.of(PartName::LaPerm))?;
    if front.turn_groups > 0 {
        return refused(Fault::TurnWithLaperm, &TURNS, front.turn_groups);
    }
    if front.load_mode == LoadMode::External {
        return refused(Fault::LoadWithLaperm, &LOADS, 1);
    }
    if front.agt_miss == AgtMiss::Device {
        return refused(Fault::AgtWithLaperm, &MISSES, 1);
    }
    if front.load_ahead > 0 {
        return refused(Fault::AheadWithLaperm, &AHEAD, front.load_ahead);
    }
    if part.model == laperm::Model::Dtbl {
        if part.q0_cap < front.n_kde {
            return Err(ConfigError::new(Fault::Queue0TooSmall, &QUEUE0, part.q0_cap).of(PartName::LaPerm));
        }
        if part.pool_cap < front.pend_limit.saturating_add(front.n_kde) {
            return Err(ConfigError::new(Fault::PoolTooSmall, &POOL, part.pool_cap).of(PartName::LaPerm));
        }
    }
    Ok(())
}
