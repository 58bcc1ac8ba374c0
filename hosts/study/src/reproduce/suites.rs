//! The studies as data: kernels, machine, policies, and the means that the sources report (workloads-SU1; sheets `equalizer`, `mascar`,
//! `apogee`, "Results to reproduce").

use super::notes::{self, Note};
use super::quantity::{
    ACCURACY, BANDWIDTH, ENERGY, EXTRA, L1_HITS, LATE, LATENCY, LSU_STALLS, MEM_HIGH, MEM_LOW, MISSES, MP_SHARE,
    OCCUPANCY, PEAK_IPC, PER_WATT, POWER, Quantity, REPLIES, ROW_HITS, SM_HIGH, SM_LOW, SPEEDUP,
};
use crate::ask::SmPolicy;
use clap::ValueEnum;
use gpusched_workloads::catalogue::{Category, Entry, Kind};

/// The studies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SuiteName {
    /// Blocks and V/F by warp states: 27 kernels, both objectives, and the static V/F points
    Equalizer,
    /// Memory-aware warp order and re-execution: 30 kernels, against LRR and GTO
    Mascar,
    /// Prefetching with few warps: 12 kernels on one SM, against 32 warps and other prefetchers
    Apogee,
    /// Concurrent kernels: 28 pairs of 8 kernels, and sets of four and five, under every policy that shares SMs
    Tlp,
    /// The execution-time model beside the reference GPU: every workload, its error, what it comes from, and what the model leaves out
    Models,
    /// The U-list phase of a fast multipole method: every set of six optimisations, run and as the execution-time model sees it
    Fmm,
    /// Device launches of kernels and of groups of TBs: CDP and DTBL, with and without latency
    Dtbl,
    /// TBs of device launches near their parents: LaPerm's policies, under DTBL and CDP
    Laperm,
    /// SMXs with next to no warps, drained and put to sleep
    Bubbles,
    /// TBs that wait for each other: five versions of six wavefronts
    Wireframe,
    /// All of these, one after the other
    All,
}

impl SuiteName {
    /// As on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// What it is about, in words.
    pub fn about(self) -> String {
        self.to_possible_value().and_then(|value| Some(value.get_help()?.to_string())).unwrap_or_default()
    }

    /// What it is, if it compares policies inside the SMs.
    pub const fn suite(self) -> Option<&'static Suite> {
        Some(match self {
            Self::Equalizer => &EQUALIZER,
            Self::Mascar => &MASCAR,
            Self::Apogee => &APOGEE,
            _ => return None,
        })
    }
}

/// A study.
#[derive(Debug)]
pub struct Suite {
    /// Name, as on the command line.
    pub name: &'static str,
    /// The source's machine.
    pub gpu: &'static str,
    /// The group of a kernel, if it is part of the study.
    pub group: fn(&Entry) -> Option<&'static str>,
    /// How often a kernel's grid is to fill the machine; 0 = as it comes.
    pub waves: u32,
    /// The groups, in the order of the tables.
    pub groups: &'static [&'static str],
    /// Policies; the first is the one that all are compared with.
    pub columns: &'static [Column],
    /// What the table by kernel shows of each.
    pub shown: &'static [&'static Quantity],
    /// What kernels are short of, under which policy.
    pub profile: &'static [(&'static Quantity, &'static str)],
    /// What the source reports.
    pub claims: &'static [Claim],
    /// What the figures say about the means.
    pub notes: &'static [Note],
    /// What else is to be known.
    pub remarks: &'static [(&'static str, &'static str)],
}

/// A policy of a study.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Name.
    pub name: &'static str,
    /// The policy.
    pub policy: SmPolicy,
    /// Parameters of the machine besides.
    pub settings: &'static [(&'static str, &'static str)],
    /// Warps of the grid-stride form, if kernels run in that.
    pub loop_warps: Option<u32>,
}

/// A mean that the source reports.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The groups of kernels, and what they are called together.
    pub of: Groups,
    /// A column.
    pub policy: &'static str,
    /// The column that it is set against; none = the first.
    pub over: Option<&'static str>,
    /// Of what.
    pub quantity: &'static Quantity,
    /// The source's value, if it has one.
    pub source: Option<f64>,
    /// Why its direction does not come out, if it does not.
    pub why: Option<Note>,
}

impl Claim {
    const fn because(self, why: Note) -> Self {
        Self { why: Some(why), ..self }
    }
}

/// Groups of kernels.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    /// What they are called together.
    pub name: &'static str,
    /// Which; none = all.
    pub members: &'static [&'static str],
}

const fn policy(name: &'static str, policy: SmPolicy) -> Column {
    Column { name, policy, settings: &[], loop_warps: None }
}

const fn claim_of(
    of: Groups,
    policy: &'static str,
    over: Option<&'static str>,
    quantity: &'static Quantity,
    source: Option<f64>,
) -> Claim {
    Claim { of, policy, over, quantity, source, why: None }
}

const fn claim(of: Groups, policy: &'static str, quantity: &'static Quantity, source: f64) -> Claim {
    claim_of(of, policy, None, quantity, Some(source))
}

const fn claim_over(
    of: Groups,
    policy: &'static str,
    over: &'static str,
    quantity: &'static Quantity,
    source: f64,
) -> Claim {
    claim_of(of, policy, Some(over), quantity, Some(source))
}

/// The source has no figure.
const fn unclaimed(of: Groups, policy: &'static str, quantity: &'static Quantity) -> Claim {
    claim_of(of, policy, None, quantity, None)
}

const ALL: Groups = Groups { name: "all", members: &[] };
const COMPUTE: Groups = Groups { name: "compute", members: &["compute"] };
const MEMORY: Groups = Groups { name: "memory", members: &["memory"] };
const CACHE: Groups = Groups { name: "cache", members: &["cache"] };
const UNSATURATED: Groups = Groups { name: "unsaturated", members: &["unsaturated"] };
const INTENSIVE: Groups = Groups { name: "memory and cache", members: &["memory", "cache"] };

static EQUALIZER: Suite = Suite {
    name: "equalizer",
    gpu: "gtx480_equalizer",
    group: |entry| {
        entry.row.category.map(|category| match category {
            Category::Compute => "compute",
            Category::Memory => "memory",
            Category::Cache => "cache",
            Category::Unsaturated => "unsaturated",
        })
    },
    waves: 3,
    groups: &["compute", "memory", "cache", "unsaturated"],
    columns: &[
        policy("gto", SmPolicy::Gto),
        policy("perf", SmPolicy::EqualizerPerf),
        policy("energy", SmPolicy::EqualizerEnergy),
        policy("sm-high", SmPolicy::SmHigh),
        policy("mem-high", SmPolicy::MemHigh),
        policy("sm-low", SmPolicy::SmLow),
        policy("mem-low", SmPolicy::MemLow),
    ],
    shown: &[&SPEEDUP, &ENERGY],
    profile: &[
        (&PEAK_IPC, "gto"),
        (&BANDWIDTH, "gto"),
        (&SM_HIGH, "perf"),
        (&MEM_HIGH, "perf"),
        (&SM_LOW, "energy"),
        (&MEM_LOW, "energy"),
        (&OCCUPANCY, "gto"),
        (&OCCUPANCY, "perf"),
    ],
    notes: &[notes::standby],
    claims: &[
        claim(ALL, "perf", &SPEEDUP, 1.22),
        claim(ALL, "perf", &ENERGY, 1.06),
        claim(ALL, "energy", &SPEEDUP, 1.05).because(notes::lowered),
        claim(ALL, "energy", &ENERGY, 0.85),
        claim(COMPUTE, "perf", &SPEEDUP, 1.138),
        claim(COMPUTE, "perf", &ENERGY, 1.15),
        claim(COMPUTE, "energy", &SPEEDUP, 0.999).because(notes::lowered),
        claim(COMPUTE, "energy", &ENERGY, 0.95),
        claim(MEMORY, "perf", &SPEEDUP, 1.124),
        claim(MEMORY, "perf", &ENERGY, 1.11),
        claim(MEMORY, "energy", &SPEEDUP, 0.975),
        claim(MEMORY, "energy", &ENERGY, 0.89),
        claim(CACHE, "perf", &SPEEDUP, 1.54),
        claim(CACHE, "perf", &ENERGY, 0.89).because(notes::same_hits),
        claim(CACHE, "energy", &SPEEDUP, 1.30).because(notes::same_hits),
        claim(CACHE, "energy", &ENERGY, 0.64),
        claim(UNSATURATED, "energy", &SPEEDUP, 0.987),
        claim(UNSATURATED, "energy", &ENERGY, 0.936),
        claim(ALL, "sm-high", &SPEEDUP, 1.07),
        claim(ALL, "sm-high", &ENERGY, 1.12),
        claim(ALL, "mem-high", &SPEEDUP, 1.06),
        claim(ALL, "mem-high", &ENERGY, 1.07),
        claim(ALL, "sm-low", &SPEEDUP, 0.91),
        claim(ALL, "mem-low", &SPEEDUP, 0.93),
        claim(COMPUTE, "mem-high", &ENERGY, 1.05),
        claim(COMPUTE, "mem-low", &ENERGY, 0.95).because(notes::standby),
    ],
    remarks: &[
        ("perf, energy", "Equalizer for performance, and for energy"),
        ("high, low", "one domain at +15 % or -15 % of voltage and frequency, all the time"),
    ],
};

static MASCAR: Suite = Suite {
    name: "mascar",
    gpu: "gtx480_mascar",
    // Memory intensive: at most 30 instructions per L1 miss. Of these the source calls seven cache sensitive without naming them:
    // those of the other study's table, and spmv.
    group: |entry| match (entry.row.ipm?, entry.row.category) {
        (30.0.., _) => Some("compute"),
        (_, Some(Category::Cache)) => Some("cache"),
        _ if entry.name == "spmv" => Some("cache"),
        _ => Some("memory"),
    },
    waves: 3,
    groups: &["memory", "cache", "compute"],
    columns: &[
        policy("lrr", SmPolicy::Lrr),
        policy("gto", SmPolicy::Gto),
        policy("re-exec", SmPolicy::Reexecution),
        policy("mascar", SmPolicy::Mascar),
    ],
    shown: &[&SPEEDUP, &LSU_STALLS, &L1_HITS],
    profile: &[
        (&PEAK_IPC, "lrr"),
        (&BANDWIDTH, "lrr"),
        (&REPLIES, "lrr"),
        (&MP_SHARE, "mascar"),
        (&ROW_HITS, "lrr"),
        (&ROW_HITS, "mascar"),
        (&OCCUPANCY, "lrr"),
        (&OCCUPANCY, "gto"),
    ],
    notes: &[notes::bound, notes::tails],
    claims: &[
        claim(MEMORY, "gto", &SPEEDUP, 1.04).because(notes::bound_under_gto),
        claim(MEMORY, "mascar", &SPEEDUP, 1.17).because(notes::bound),
        claim(CACHE, "gto", &SPEEDUP, 1.24),
        claim(CACHE, "re-exec", &SPEEDUP, 1.35).because(notes::nothing_to_reach),
        claim(CACHE, "mascar", &SPEEDUP, 1.56),
        claim(INTENSIVE, "gto", &SPEEDUP, 1.13),
        claim(INTENSIVE, "mascar", &SPEEDUP, 1.34),
        claim(COMPUTE, "gto", &SPEEDUP, 1.0).because(notes::tails),
        claim(COMPUTE, "mascar", &SPEEDUP, 1.015).because(notes::tails),
        claim(INTENSIVE, "lrr", &LSU_STALLS, 0.40),
        claim(INTENSIVE, "mascar", &LSU_STALLS, 0.20),
        claim(INTENSIVE, "mascar", &ENERGY, 0.88),
    ],
    remarks: &[
        ("re-exec", "loose round robin with the re-execution queue alone"),
        ("LSU stalls", "SM cycles in which L1 refuses an access"),
    ],
};

/// Four warps, and the register file that they need.
macro_rules! four_warps {
    ($($more:expr),*) => { &[("sm.warps", "4"), ("sm.threads", "128"), $($more),*] };
}

const fn warps(name: &'static str, warps: u32, settings: &'static [(&'static str, &'static str)]) -> Column {
    Column { name, policy: SmPolicy::Lrr, settings, loop_warps: Some(warps) }
}

const ON: (&str, &str) = ("apogee.enabled", "true");
const STRIDE: (&str, &str) = ("apogee.scheme", "stride");
const MTA: (&str, &str) = ("apogee.scheme", "mta");
const GRAPHICS: Groups = Groups { name: "graphics", members: &["graphics"] };

static APOGEE: Suite = Suite {
    name: "apogee",
    gpu: "apogee",
    group: |entry| match (entry.kind(), entry.name) {
        (Kind::Graphics, _) => Some("graphics"),
        (_, "fft" | "filter" | "hotspot" | "mergesort" | "pathfinder") => Some("gpgpu"),
        _ => None,
    },
    waves: 0,
    groups: &["graphics", "gpgpu"],
    columns: &[
        warps("simt-32", 32, &[]),
        warps("simt-1", 1, &[("sm.warps", "1"), ("sm.threads", "32")]),
        warps("simt-4", 4, four_warps!()),
        warps("simt-8", 8, &[("sm.warps", "8"), ("sm.threads", "256")]),
        warps("stride-4", 4, four_warps!(ON, STRIDE)),
        warps("mta-4", 4, four_warps!(ON, MTA)),
        warps("mta-8", 8, &[("sm.warps", "8"), ("sm.threads", "256"), ON, MTA]),
        warps("mta-32", 32, &[ON, MTA]),
        warps("apogee-4", 4, four_warps!(ON)),
        warps("slow-any", 4, four_warps!(ON, ("apogee.slow_rule", "any"))),
        warps("gap-fill", 4, four_warps!(ON, ("apogee.gap_fill", "true"))),
    ],
    shown: &[&SPEEDUP, &ACCURACY, &LATENCY, &MISSES],
    profile: &[
        (&PEAK_IPC, "simt-32"),
        (&LSU_STALLS, "simt-32"),
        (&LSU_STALLS, "mta-32"),
        (&PEAK_IPC, "apogee-4"),
        (&LSU_STALLS, "apogee-4"),
        (&LATE, "apogee-4"),
        (&EXTRA, "apogee-4"),
        (&PER_WATT, "apogee-4"),
    ],
    notes: &[notes::mshrs],
    claims: &[
        claim(ALL, "apogee-4", &SPEEDUP, 1.19),
        claim(GRAPHICS, "apogee-4", &SPEEDUP, 1.015),
        claim(ALL, "stride-4", &SPEEDUP, 0.81),
        claim(ALL, "mta-4", &SPEEDUP, 0.90).because(notes::exact_strides),
        claim(ALL, "mta-32", &SPEEDUP, 1.16),
        claim(ALL, "apogee-4", &PER_WATT, 1.51),
        claim(ALL, "apogee-4", &ACCURACY, 0.935),
        claim(ALL, "apogee-4", &LATENCY, 43.0),
        claim(ALL, "apogee-4", &MISSES, 0.20),
        claim(ALL, "apogee-4", &EXTRA, 1.022),
        claim_over(ALL, "apogee-4", "mta-32", &SPEEDUP, 1.03),
        claim_over(ALL, "apogee-4", "mta-32", &PER_WATT, 1.33),
        claim_over(ALL, "simt-32", "simt-1", &SPEEDUP, 1.0 / 0.15),
        claim_over(ALL, "simt-32", "simt-1", &POWER, 1.315),
        claim_over(ALL, "mta-8", "simt-8", &SPEEDUP, 1.52),
        claim_over(ALL, "mta-32", "mta-8", &SPEEDUP, 1.18).because(notes::mshrs),
        claim_over(ALL, "mta-32", "mta-8", &POWER, 1.28),
        unclaimed(ALL, "simt-32", &LATENCY),
        unclaimed(ALL, "simt-4", &SPEEDUP),
        unclaimed(ALL, "slow-any", &SPEEDUP),
        unclaimed(ALL, "slow-any", &ACCURACY),
        unclaimed(ALL, "slow-any", &EXTRA),
        unclaimed(ALL, "gap-fill", &SPEEDUP),
        unclaimed(ALL, "gap-fill", &ACCURACY),
        unclaimed(ALL, "gap-fill", &LATENCY),
        unclaimed(ALL, "gap-fill", &MISSES),
    ],
    remarks: &[
        ("simt-32, ...", "32 warps or fewer on one SM; stride: of each warp's own loads; mta: many-thread aware"),
        (
            "slow-any",
            "apogee-4 that takes a prefetch for slow though the load hits (apogee-A5), as `core` does by default",
        ),
        ("gap-fill", "apogee-4 that also fetches what a growing distance would skip; the source has no such step"),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched_refgpu::config::GpuConfig;

    #[test]
    fn claims_name_columns_and_groups_that_there_are() {
        for suite in SuiteName::value_variants().iter().filter_map(|name| name.suite()) {
            for claim in suite.claims {
                let has = |policy: &str| suite.columns.iter().any(|column| column.name == policy);
                assert!(has(claim.policy) && claim.over.is_none_or(has), "{} {:?}", claim.policy, claim.over);
                assert!(suite.profile.iter().all(|(_, policy)| has(policy)), "{}", suite.name);
                assert!(claim.of.members.iter().all(|group| suite.groups.contains(group)), "{}", claim.of.name);
                assert!(
                    Quantity::ALL.iter().any(|quantity| quantity.key == claim.quantity.key),
                    "{}",
                    claim.quantity.key
                );
            }
        }
    }

    /// Where a direction does not hold in the results that are kept, there is a cause to tell.
    #[test]
    fn what_does_not_come_out_has_a_cause() {
        for suite in SuiteName::value_variants().iter().filter_map(|name| name.suite()) {
            let name = format!("{}/results/full/reproduce-{}.csv", env!("CARGO_MANIFEST_DIR"), suite.name);
            let statements: Vec<_> = csv::Reader::from_path(&name).unwrap().records().map(Result::unwrap).collect();
            assert_eq!(statements.len(), suite.claims.len(), "{name}");
            for (statement, claim) in statements.iter().zip(suite.claims) {
                assert!(&statement[6] != "does not hold" || claim.why.is_some(), "{name}: {statement:?}");
            }
        }
    }

    #[test]
    fn every_policy_can_be_set_on_the_suites_machine() {
        for suite in SuiteName::value_variants().iter().filter_map(|name| name.suite()) {
            for column in suite.columns {
                let mut gpu = GpuConfig::preset(suite.gpu).unwrap();
                for (key, value) in column.policy.settings().iter().chain(column.settings) {
                    gpu.set(key, value).unwrap();
                }
                gpu.check().unwrap();
            }
        }
    }
}
