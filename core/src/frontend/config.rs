//! The parameters of the front end: one list that gives the structure, the defaults, the ranges and their provenance.
//!
//! ```
//! use gpusched::{AgtMiss, Config};
//!
//! let config = Config { agt_size: 512, agt_miss: AgtMiss::Device, ..Config::K20C }.ideal();
//! assert!(config.check().is_ok());
//! let wrong = Config { agt_size: 1000, ..Config::K20C };
//! assert_eq!(wrong.check().unwrap_err().to_string(), "agt_size = 1000: expected a power of two from 1 to 65536");
//! ```

use core::ffi::CStr;
use core::fmt;

use crate::error::{Fault, c_text};
use crate::spec::Provenance;

/// How the KMU chooses between waiting kernels (`dtbl` A1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum KmuArb {
    /// Least (ready, seq) of all.
    #[default]
    Fcfs,
    /// Turns: the queues, then the device list, then the suspended list.
    Rr,
}

/// Which threads share an AGT index (`dtbl` A8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum HashScope {
    /// The thread's number within its SMX is hashed.
    #[default]
    Smx,
    /// The thread's number within the GPU is hashed.
    Global,
}

/// What becomes of a group that finds its AGE taken (`dtbl` A7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum AgtMiss {
    /// Its information stays in global memory and is loaded when its turn comes.
    #[default]
    Spill,
    /// It becomes a device kernel.
    Device,
}

/// What a group pays that becomes a device kernel (`dtbl` A6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Fallback {
    /// Only the KMU and the dispatch.
    #[default]
    Direct,
    /// The launch call for all lanes that fell, too.
    Full,
}

/// Who times the load of a spilled group (`dtbl` T4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LoadMode {
    /// It takes `load_cycles`.
    #[default]
    Fixed,
    /// The host answers with `spill_loaded`.
    External,
}

/// Which scheduler sends TBs to SMXs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Policy {
    /// First-come-first-served kernels, round-robin SMXs: the baseline.
    #[default]
    FcfsRr,
}

/// One numeric parameter: name, unit, range, and where its default comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name, as in the sheets.
    pub name: &'static str,
    /// [`Parameter::name`] for C.
    pub c_name: &'static CStr,
    /// Unit of the value.
    pub unit: &'static str,
    /// Least value.
    pub min: u32,
    /// Greatest value.
    pub max: u32,
    /// Whether only powers of two are allowed.
    pub power_of_two: bool,
    /// Where the default comes from.
    pub provenance: Provenance,
    /// Table or section of the source, or the reason.
    pub origin: &'static str,
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $unit:literal = $default:literal in $min:literal..=$max:literal $(($pow:ident))?, $prov:ident $origin:literal;)*) => {
        /// Parameters of the front end, sheets `dtbl` and `frontend`. `Default` is the K20c.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub struct Config {
            $($(#[$doc])* pub $name: u32,)*
            /// How the KMU chooses between waiting kernels.
            pub kmu_arb: KmuArb,
            /// Which threads share an AGT index.
            pub hash_scope: HashScope,
            /// What becomes of a group that finds its AGE taken.
            pub agt_miss: AgtMiss,
            /// What a group pays that becomes a device kernel.
            pub fallback: Fallback,
            /// Who times the load of a spilled group.
            pub load_mode: LoadMode,
            /// Which scheduler sends TBs to SMXs.
            pub policy: Policy,
            /// Work behind a kernel that only gate K keeps out may go ahead (`frontend` A3).
            pub pass_capped: bool,
            /// Gate M: an SMX holds TBs of one (pc, TB shape, registers, shared memory) at a time.
            pub exclusive: bool,
        }

        impl Config {
            /// The Tesla K20c, Tables 4 and 5 of the source.
            pub const K20C: Self = Self {
                $($name: $default,)*
                kmu_arb: KmuArb::Fcfs,
                hash_scope: HashScope::Smx,
                agt_miss: AgtMiss::Spill,
                fallback: Fallback::Direct,
                load_mode: LoadMode::Fixed,
                policy: Policy::FcfsRr,
                pass_capped: true,
                exclusive: false,
            };

            /// Every numeric parameter, in the order of the sheets.
            pub const PARAMETERS: &'static [Parameter] = &[$(Parameter {
                name: stringify!($name),
                c_name: c_text!(stringify!($name)),
                unit: $unit,
                min: $min,
                max: $max,
                power_of_two: <[&str]>::len(&[$(stringify!($pow))?]) == 1,
                provenance: Provenance::$prov,
                origin: $origin,
            }),*];

            /// The numeric values, in the order of [`Config::PARAMETERS`].
            pub fn values(&self) -> impl Iterator<Item = (&'static Parameter, u32)> {
                Self::PARAMETERS.iter().zip([$(self.$name),*])
            }
        }
    };
}

parameters! {
    /// SMXs.
    n_smx: "SMXs" = 13 in 1..=256, Paper "Table 4";
    /// TB slots of an SMX.
    tb_slots: "TBs" = 16 in 1..=64, Paper "Table 4";
    /// Threads of an SMX.
    threads: "threads" = 2048 in 1..=65536, Paper "Table 4";
    /// Registers of an SMX.
    regs: "registers" = 65536 in 0..=0x7fff_ffff, Paper "Table 4";
    /// Shared memory of an SMX.
    smem: "bytes" = 49152 in 0..=0x7fff_ffff, Paper "Table 4";
    /// Threads of a warp; also the most launches in one command.
    warp: "threads" = 32 in 1..=64, Paper "2.2";
    /// Hardware work queues.
    n_hwq: "queues" = 32 in 1..=64, Paper "2.2";
    /// Kernel distributor entries.
    n_kde: "entries" = 32 in 1..=64, Paper "2.2";
    /// Kernels that a hardware work queue holds.
    hwq_depth: "kernels" = 64 in 1..=65536, Ours "unbounded in the source";
    /// Launch records: the pending launch count limit.
    pend_limit: "launches" = 2048 in 1..=1048576, Ours "3.4.2.4 names the limit, not its default";
    /// Suspended kernels that the KMU holds.
    susp_cap: "kernels" = 24 in 0..=64, Ours "capacity for 2.4";
    /// Nesting depth from which a kernel cannot synchronise.
    sync_depth: "levels" = 24 in 0..=255, Paper "2.4";
    /// Entries of the aggregated group table.
    agt_size: "AGEs" = 1024 in 1..=65536 (power), Paper "4.4";
    /// CDP: stream creation, once per warp call.
    lat_stream: "cycles" = 7165 in 0..=0xffff_ffff, Paper "Table 5";
    /// Parameter buffer: fixed part.
    gpb_b: "cycles" = 8023 in 0..=0xffff_ffff, Paper "Table 5, b";
    /// Parameter buffer: per calling thread.
    gpb_a: "cycles" = 129 in 0..=0xffff_ffff, Paper "Table 5, A";
    /// Device launch call: fixed part.
    ld_b: "cycles" = 12187 in 0..=0xffff_ffff, Paper "Table 5, b";
    /// Device launch call: per calling thread.
    ld_a: "cycles" = 1592 in 0..=0xffff_ffff, Paper "Table 5, A";
    /// From the KMU to the kernel distributor.
    lat_dispatch: "cycles" = 283 in 0..=0xffff_ffff, Paper "Table 5";
    /// From one KMU dispatch to the next; 1 = pipelined.
    kmu_interval: "cycles" = 283 in 1..=0xffff_ffff, Ours "one dispatch at a time fits Figure 7";
    /// Eligible-kernel search, per entry.
    kde_scan: "cycles" = 1 in 0..=65536, Paper "4.4";
    /// AGT probe, per group.
    agt_probe: "cycles" = 1 in 0..=65536, Paper "4.4";
    /// Load of a spilled group, with `load_mode` fixed.
    load_cycles: "cycles" = 300 in 0..=0xffff_ffff, Ours "4.4: depends on memory traffic";
    /// Groups after which a kernel lets the next one have a turn; 0 = never.
    turn_groups: "groups" = 0 in 0..=0xffff_ffff, Paper "0 is the source's rule";
    /// Classes of gate K.
    n_class: "classes" = 4 in 0..=8, Ours "gate K";
}

impl Default for Config {
    fn default() -> Self {
        Self::K20C
    }
}

/// A configuration value out of its range. Always the fault [`Fault::BadConfig`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The parameter.
    pub parameter: &'static Parameter,
    /// Its refused value.
    pub value: u32,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { name, min, max, power_of_two, .. } = self.parameter;
        let kind = if *power_of_two { "a power of two" } else { "a value" };
        write!(f, "{name} = {}: expected {kind} from {min} to {max}", self.value)
    }
}

impl core::error::Error for ConfigError {}

impl From<ConfigError> for Fault {
    fn from(_: ConfigError) -> Self {
        Self::BadConfig
    }
}

impl Config {
    /// Every launch latency off: the modes CDPI and DTBLI of 4.6.2.2.
    #[must_use]
    pub const fn ideal(self) -> Self {
        Self {
            lat_stream: 0,
            gpb_b: 0,
            gpb_a: 0,
            ld_b: 0,
            ld_a: 0,
            lat_dispatch: 0,
            kde_scan: 0,
            agt_probe: 0,
            kmu_interval: 1,
            ..self
        }
    }

    /// The most decisions of one [`tick`](crate::FrontEnd::tick): an issue, an arrival or a load per entry (gate K lets the
    /// scheduler pass all of them, but one that arrives sends its native TBs first), a join or fall per lane of a command, a TB
    /// with its bypass, an unmark or rotate.
    #[must_use]
    pub const fn decisions_per_tick(&self) -> usize {
        1 + self.n_kde as usize + self.warp as usize + 3
    }

    /// The most decisions of any one call but [`run`](crate::FrontEnd::run). A suspension saves every TB of a kernel.
    #[must_use]
    pub const fn decisions_per_call(&self) -> usize {
        let (tick, suspension) = (self.decisions_per_tick(), self.n_smx as usize * self.tb_slots as usize + 1);
        if tick > suspension { tick } else { suspension }
    }

    /// The most decisions between two ends of [`tick`](crate::FrontEnd::tick): those of the calls before it, in which each TB ends
    /// or is saved, each kernel ends or is suspended, and each queue is freed, once at most; and its own.
    #[must_use]
    pub const fn decisions_per_cycle(&self) -> usize {
        let tbs = self.n_smx as usize * self.tb_slots as usize;
        tbs + self.n_kde as usize + self.n_hwq as usize + self.decisions_per_tick()
    }

    /// Checks every range.
    ///
    /// # Errors
    /// The first parameter, in the order of [`Config::PARAMETERS`], that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        let wrong = |&(p, v): &(&Parameter, u32)| v < p.min || v > p.max || (p.power_of_two && !v.is_power_of_two());
        match self.values().find(wrong) {
            Some((parameter, value)) => Err(ConfigError { parameter, value }),
            None => Ok(()),
        }
    }
}
