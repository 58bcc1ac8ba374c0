//! Arguments about kernels that share the machine.

use super::sm::{Kernel, kernel};
use super::{Machine, Pictures, Results};
use clap::{Args, ValueEnum};
use gpusched_workloads::sharers;
use serde::Serialize;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What to compare, where that is no workload.
const KERNEL_HELP: &str =
    "BKP, HST, SRD, SPM, BLK, LBM, KMS, STC; another kernel (see gpusched kernels), or a file (.toml)";

/// A kernel by its name in the study, in the catalogue, or of a file.
fn sharer(name: &str) -> Result<Kernel, String> {
    sharers::find(name).map_or_else(|| kernel(name), |sharer| Ok(Kernel(sharer.entry)))
}

/// Two kernels.
#[derive(Debug, Args)]
pub struct Pair {
    /// The kernel that comes first
    #[arg(value_name = "KERNEL", value_parser = sharer, long_help = KERNEL_HELP)]
    pub first: Kernel,
    /// The kernel beside it
    #[arg(value_name = "KERNEL", value_parser = sharer, long_help = KERNEL_HELP)]
    pub second: Kernel,
    /// How.
    #[command(flatten)]
    pub sharing: SharingArgs,
}

/// Three to five kernels.
#[derive(Debug, Args)]
pub struct Pool {
    /// The kernels, in the order in which they come
    #[arg(value_name = "KERNEL", num_args = 3..=5, required = true, value_parser = sharer, long_help = KERNEL_HELP)]
    pub kernels: Vec<Kernel>,
    /// How.
    #[command(flatten)]
    pub sharing: SharingArgs,
}

/// How to share, and where results go.
#[derive(Debug, Args)]
pub struct SharingArgs {
    /// Policies, by commas; all others are compared with the first [default: leftover,smart-even,smc,static,dynamic,bypass]
    #[arg(long, value_delimiter = ',', value_name = "POLICIES", value_enum)]
    pub policies: Vec<SharingPolicy>,
    /// So many times each kernel's usual work
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub scale: u32,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Folder for the results, where files of the same names are replaced
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// In which forms pictures go there.
    #[command(flatten)]
    pub pictures: Pictures,
    /// Simulations at a time; results do not depend on it [default: the machine's cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Print the result as JSON instead of the tables
    #[arg(long)]
    pub json: bool,
    /// No remarks
    #[arg(short, long)]
    pub quiet: bool,
}

/// A kernel to be run alone with 1, 2, ... TBs per SM.
#[derive(Debug, Args)]
pub struct Sweep {
    /// The kernel
    #[arg(value_parser = sharer, long_help = KERNEL_HELP)]
    pub kernel: Kernel,
    /// So many times its usual work
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub scale: u32,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Simulations at a time; results do not depend on it [default: the machine's cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Where results go.
    #[command(flatten)]
    pub results: Results,
}

/// Who shares SMs, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SharingPolicy {
    /// One kernel after the other; the next one starts on SMs that are idle
    Leftover,
    /// The same, and the next one starts in any room that is left
    Fill,
    /// Each kernel has SMs of its own, an even share of them
    SmartEven,
    /// The same, with the split and the TBs per SM that a search finds (two kernels)
    Smc,
    /// TLP modulation: fixed targets for each SM, by the kernels' types
    Static,
    /// TLP modulation: targets that move with the use of the pipelines
    Dynamic,
    /// TLP modulation with moving targets, and TBs that bypass L1
    Bypass,
    /// No policy: as fill where the machine has a queue for each stream, and for kernels with clusters, too
    Plain,
    /// As plain, but TBs of a later kernel go first as slots free: stream priorities
    Priority,
    /// The same, and half of the SMs are drained of earlier kernels (or streams.drain of them)
    Drain,
    /// Each kernel in a context with SMs of its own, an even part by number: green contexts
    Partition,
    /// Each kernel in a context with GPCs of its own: MIG
    Gpcs,
    /// Each kernel in a context with all SMs and half of their threads (or streams.quota percent): MPS
    Quota,
}

impl SharingPolicy {
    /// Those that are compared if none are named: of two kernels, and of more.
    pub const USUAL: [Self; 6] =
        [Self::Leftover, Self::SmartEven, Self::Smc, Self::Static, Self::Dynamic, Self::Bypass];
    /// Those that can do with more than two kernels.
    pub const OF_POOLS: [Self; 5] = [Self::Leftover, Self::SmartEven, Self::Static, Self::Dynamic, Self::Bypass];

    /// The parameters of the machine that make it: all that tell policies apart, so that what another one needs does not reach this one.
    /// Where one is there twice, the last counts.
    pub fn settings(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        const WITHOUT: [(&str, &str); 4] =
            [("streams.contexts", "none"), ("streams.ranks", "none"), ("streams.drain", "0"), ("streams.quota", "0")];
        WITHOUT.iter().chain(self.own()).copied()
    }

    const fn own(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Leftover => &[("tlp.policy", "leftover"), ("tlp.idle_only", "true")],
            Self::Fill => &[("tlp.policy", "leftover"), ("tlp.idle_only", "false")],
            Self::SmartEven => &[("tlp.policy", "smart_even")],
            // The search starts from nothing.
            Self::Smc => &[("tlp.policy", "smc"), ("tlp.split", "0"), ("tlp.b0", "0"), ("tlp.b1", "0")],
            Self::Static => &[("tlp.policy", "tlp"), ("tlp.dyn", "false"), ("tlp.bypass", "false")],
            Self::Dynamic => &[("tlp.policy", "tlp"), ("tlp.dyn", "true"), ("tlp.bypass", "false")],
            Self::Bypass => &[("tlp.policy", "tlp"), ("tlp.dyn", "true"), ("tlp.bypass", "true")],
            Self::Plain => &[("tlp.policy", "off")],
            Self::Priority | Self::Drain => &[("tlp.policy", "off"), ("streams.ranks", "rising")],
            Self::Partition => &[("tlp.policy", "off"), ("streams.contexts", "even")],
            Self::Gpcs => &[("tlp.policy", "off"), ("streams.contexts", "gpcs")],
            Self::Quota => &[("tlp.policy", "off"), ("streams.contexts", "all")],
        }
    }

    /// A number above 0 that it needs, and what it is if none is set.
    pub const fn number(self, sms: u32) -> Option<(&'static str, u32)> {
        match self {
            Self::Drain => Some(("streams.drain", sms / 2)),
            Self::Quota => Some(("streams.quota", 50)),
            _ => None,
        }
    }

    /// Whether SMs have targets, which go by what kernels are alone.
    pub const fn modulates(self) -> bool {
        matches!(self, Self::Static | Self::Dynamic | Self::Bypass)
    }
}

impl fmt::Display for SharingPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::show(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched_refgpu::config::GpuConfig;

    #[test]
    fn every_policy_can_be_set_on_the_usual_machine_or_one_with_gpcs() {
        for policy in SharingPolicy::value_variants() {
            let name = if *policy == SharingPolicy::Gpcs { "h100-sxm" } else { sharers::GPU };
            let mut gpu = GpuConfig::preset(name).unwrap();
            for (key, value) in policy.settings() {
                gpu.set(key, value).unwrap();
            }
            gpu.check().unwrap();
        }
    }

    #[test]
    fn kernels_have_the_names_of_the_study_and_of_the_catalogue() {
        assert_eq!(sharer("STC").unwrap().0.name, "sc-20");
        assert_eq!(sharer("stc"), sharer("sc-20"));
        assert_eq!(sharer("lbm").unwrap().0.name, "lbm-40", "the study's comes first");
        assert!(sharer("XYZ").unwrap_err().starts_with("no kernel `XYZ`"));
    }
}
