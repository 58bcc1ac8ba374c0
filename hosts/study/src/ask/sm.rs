//! Arguments about kernels and what runs inside the SMs.

use super::{Machine, Pictures, Workload, quoted};
use crate::input;
use crate::reproduce::{Size, SuiteName};
use crate::suggest::like;
use clap::{Args, ValueEnum};
use gpusched_workloads::catalogue::{self, Entry};
use gpusched_workloads::graph::read::STANDARD_INPUT;
use gpusched_workloads::kernel::App;
use serde::Serialize;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// A kernel of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Kernel(pub &'static Entry);

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Kernel {}

/// What `compare` and `run` take.
pub const WORKLOAD_HELP: &str = "What to run: bfs, sssp, clr, join, amr, bht, pre, regx; gemm; a wavefront: dtw, sw, heat2d, sor, int_img, hist; a kernel (see \
    gpusched kernels), or a file of your own that describes one (.toml) [default: bfs, or what --trace says]";

/// The workload of this name, or in this file.
pub fn workload(name: &str) -> Result<Workload, String> {
    Workload::from_str(name, false).or_else(|_| find(name).map(Workload::Kernel)).map_err(|error| match is_file(name) {
        true => error,
        false => format!("no workload {}; {error}{}", algorithms(), like(name, names().into_iter().chain(kernels()))),
    })
}

/// What is no kernel.
fn algorithms() -> String {
    format!("of this name; algorithms: {}", names().join(", "))
}

fn names() -> Vec<&'static str> {
    Workload::value_variants().iter().map(|workload| workload.name()).collect()
}

/// What names of files that describe kernels end with.
const FILE: &str = ".toml";

/// The kernel of this name, or in this file; or what may have been meant.
pub fn kernel(name: &str) -> Result<Kernel, String> {
    find(name).map_err(|error| if is_file(name) { error } else { format!("{error}{}", like(name, kernels())) })
}

/// Whether a word names a file that describes a kernel.
pub(crate) fn is_file(name: &str) -> bool {
    name.ends_with(FILE) || name == STANDARD_INPUT
}

fn kernels() -> impl Iterator<Item = &'static str> {
    catalogue::entries().flat_map(|entry| entry.aliases.iter().copied().chain([entry.name]))
}

fn find(name: &str) -> Result<Kernel, String> {
    if !is_file(name) {
        return catalogue::find(name).map(Kernel).map_err(|error| error.to_string());
    }
    let text = input::text(Path::new(name)).map_err(|error| format!("cannot be read: {error}"))?;
    let app = App::from_toml(&text).map_err(|error| error.to_string())?;
    Ok(Kernel(catalogue::own(app)))
}

/// Which kernels.
#[derive(Debug, Args)]
pub struct Kernels {
    /// Only this one: the file that describes it, to begin your own from
    pub name: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "name")]
    pub json: bool,
}

/// Which kernel to calibrate.
#[derive(Debug, Args)]
pub struct Calibrate {
    /// The kernel, or a file (.toml) with kernels of your own
    #[arg(value_parser = kernel)]
    pub kernel: Kernel,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// So many times the usual work
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub scale: u32,
    /// No remarks
    #[arg(short, long)]
    pub quiet: bool,
}

/// Which study, and how much of it.
#[derive(Debug, Args)]
pub struct Reproduce {
    /// The study
    #[arg(value_enum)]
    pub suite: SuiteName,
    /// Only these kernels of it, or benchmarks, by commas
    #[arg(long, value_delimiter = ',', value_name = "KERNELS")]
    pub kernels: Vec<String>,
    /// Only what the source shows in these of its figures, by commas; of dtbl, laperm and bubbles
    #[arg(long, value_delimiter = ',', value_name = "NUMBERS")]
    pub figures: Vec<u32>,
    /// Small inputs, of some studies also fewer kernels [default for dtbl, laperm, bubbles, wireframe and all]
    #[arg(long, conflicts_with_all = ["full", "smoke"])]
    pub quick: bool,
    /// The source's inputs, or the largest that some hours allow [default for the other studies]; what is ended goes on
    #[arg(long, conflicts_with = "smoke")]
    pub full: bool,
    /// Inputs so small that the figures mean nothing, to see that everything runs; of dtbl, laperm, bubbles and wireframe
    #[arg(long)]
    pub smoke: bool,
    /// So many times each kernel's usual work [default: what fills the machine three times; for tlp, models and fmm: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub scale: Option<u32>,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Folder for the figures
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// In which forms pictures go there.
    #[command(flatten)]
    pub pictures: Pictures,
    /// Also write a report, a page that needs no other file: what is stated beside what came out, figures, and all that makes them
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Simulations at a time; results do not depend on it [default: the machine's cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Print the figures as JSON instead of the tables
    #[arg(long)]
    pub json: bool,
    /// No progress display, no remarks
    #[arg(short, long)]
    pub quiet: bool,
}

impl Reproduce {
    /// What does the same: without where results go, and how they are shown.
    pub fn command(&self) -> String {
        let list = |option: &str, words: Vec<String>| match words.is_empty() {
            true => String::new(),
            false => format!(" --{option} {}", quoted(&words.join(","))),
        };
        let kernels = list("kernels", self.kernels.clone());
        let figures = list("figures", self.figures.iter().map(u32::to_string).collect());
        let given = [(self.quick, " --quick"), (self.full, " --full"), (self.smoke, " --smoke")];
        let size: String = given.into_iter().filter(|(is, _)| *is).map(|(_, option)| option).collect();
        let scale = self.scale.map_or_else(String::new, |scale| format!(" --scale {scale}"));
        format!("gpusched reproduce {}{kernels}{figures}{size}{scale}{}", self.suite.name(), self.machine.words())
    }

    /// The size that is asked for.
    pub fn size(&self) -> Option<Size> {
        let given = [(self.smoke, Size::Smoke), (self.quick, Size::Quick), (self.full, Size::Full)];
        given.into_iter().find_map(|(is, size)| is.then_some(size))
    }
}

/// How much of a kernel runs.
#[derive(Debug, Default, Args)]
pub struct KernelArgs {
    /// For kernels: so many times the usual work [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub scale: Option<u32>,
    /// For kernels with a grid-stride form: run it as one TB of so many warps, as the prefetching study does
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=32))]
    pub loop_warps: Option<u32>,
}

impl KernelArgs {
    /// An option that means something for kernels only.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [("--scale", self.scale.is_some()), ("--loop-warps", self.loop_warps.is_some())];
        given.into_iter().find_map(|(name, is)| is.then_some(name))
    }
}

/// What runs inside the SMs. What a policy does not name stays as configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SmPolicy {
    /// Warps in loose round robin
    Lrr,
    /// Warps greedy, then oldest
    Gto,
    /// Equalizer for performance: blocks per SM and V/F of both domains
    EqualizerPerf,
    /// Equalizer for energy
    EqualizerEnergy,
    /// Mascar: memory-aware warp order, and re-execution of refused cache accesses
    Mascar,
    /// The re-execution queue of Mascar alone, under loose round robin
    Reexecution,
    /// APOGEE: prefetching of fixed offsets and thread-invariant addresses
    Apogee,
    /// SMs at +15 % of voltage and frequency, all the time
    SmHigh,
    /// SMs at -15 %
    SmLow,
    /// The memory system at +15 %
    MemHigh,
    /// The memory system at -15 %
    MemLow,
}

impl SmPolicy {
    /// Those that are compared if none are named.
    pub const USUAL: [Self; 6] =
        [Self::Lrr, Self::Gto, Self::EqualizerPerf, Self::EqualizerEnergy, Self::Mascar, Self::Apogee];

    /// Those of them that every GPU can have: Equalizer needs one whose energy a source prices, Mascar fewer than 64 warps on an SM.
    pub const ANYWHERE: [Self; 3] = [Self::Lrr, Self::Gto, Self::Apogee];

    /// The parameters of the machine that make it.
    pub const fn settings(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Lrr => &[("sm.policy", "lrr")],
            Self::Gto => &[("sm.policy", "gto")],
            Self::EqualizerPerf => &[("equalizer.enabled", "true"), ("equalizer.objective", "performance")],
            Self::EqualizerEnergy => &[("equalizer.enabled", "true"), ("equalizer.objective", "energy")],
            Self::Mascar => &[("sm.policy", "mascar")],
            Self::Reexecution => &[
                ("sm.policy", "mascar"),
                ("mascar.enable", "false"),
                ("mascar.ep_priority", "merged"),
                ("mascar.ep_mem_order", "rr"),
            ],
            Self::Apogee => &[("apogee.enabled", "true")],
            Self::SmHigh => &[("vf.sm", "high")],
            Self::SmLow => &[("vf.sm", "low")],
            Self::MemHigh => &[("vf.mem", "high")],
            Self::MemLow => &[("vf.mem", "low")],
        }
    }

    /// Its place among all.
    pub fn number(self) -> usize {
        Self::value_variants().iter().position(|&one| one == self).unwrap_or(0)
    }
}

impl fmt::Display for SmPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::show(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched_refgpu::config::GpuConfig;

    #[test]
    fn every_policy_can_be_set_on_the_usual_machine() {
        for policy in SmPolicy::value_variants() {
            let mut gpu = GpuConfig::preset(crate::ask::KERNEL_GPU).unwrap();
            for (key, value) in policy.settings() {
                gpu.set(key, value).unwrap();
            }
            gpu.check().unwrap();
        }
    }

    #[test]
    fn names_are_those_of_algorithms_first_then_of_kernels() {
        assert_eq!(workload("bfs"), Ok(Workload::Bfs));
        for entry in catalogue::entries() {
            assert_eq!(workload(entry.name), Ok(Workload::Kernel(Kernel(entry))), "{}", entry.name);
        }
        assert!(workload("kmean").unwrap_err().contains("sor, int_img, hist; no kernel `kmean`; known: "));
    }
}
