//! The workloads and their options: what `--set bfs.min_child=16` and its kin change, and what reports say about each.

use crate::ask::{self, Kernel, Workload};
use crate::suggest::like;
use crate::way::{Way, WaysOf};
use clap::ValueEnum;
use gpusched::Provenance;
use gpusched_refgpu::config::Entry;
use gpusched_refgpu::config::plain_words;
use gpusched_workloads::catalogue::Request;
use gpusched_workloads::{
    AmrOptions, BfsOptions, BhtOptions, FmmOptions, GemmOptions, LaunchOptions, Mode, PreOptions, Version, WaveKind,
    WaveOptions,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

impl Workload {
    /// The word for it on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Sssp => "sssp",
            Self::Clr => "clr",
            Self::Join => "join",
            Self::Amr => "amr",
            Self::Bht => "bht",
            Self::Pre => "pre",
            Self::Regx => "regx",
            Self::Gemm => "gemm",
            Self::Dtw => "dtw",
            Self::Sw => "sw",
            Self::Heat2d => "heat2d",
            Self::Sor => "sor",
            Self::IntImg => "int_img",
            Self::Hist => "hist",
            Self::Kernel(kernel) => kernel.0.name,
            Self::Trace => "trace",
        }
    }

    /// Those of the sources' studies, on which schedulers and models are tried.
    pub fn of_sources() -> impl Iterator<Item = Self> {
        Self::value_variants().iter().copied().filter(|&workload| workload != Self::Gemm)
    }

    /// In which kind of ways it runs.
    pub const fn ways(self) -> WaysOf {
        match self {
            Self::Bfs | Self::Sssp | Self::Clr | Self::Join | Self::Amr | Self::Bht | Self::Pre | Self::Regx => {
                WaysOf::Modes
            }
            Self::Gemm => WaysOf::Dispatches,
            Self::Kernel(_) | Self::Trace => WaysOf::Policies,
            _ => WaysOf::Versions,
        }
    }

    /// The modes that it has, if its ways are modes.
    pub const fn modes(self) -> &'static [Mode] {
        match self {
            Self::Bfs => &Mode::ALL,
            Self::Sssp | Self::Clr | Self::Join | Self::Amr | Self::Bht | Self::Pre | Self::Regx => &Mode::COMMON,
            _ => &[],
        }
    }

    /// Which wavefront it is, if it is one.
    pub const fn wave(self) -> Option<WaveKind> {
        match self {
            Self::Bfs
            | Self::Sssp
            | Self::Clr
            | Self::Join
            | Self::Amr
            | Self::Bht
            | Self::Pre
            | Self::Regx
            | Self::Gemm
            | Self::Kernel(_)
            | Self::Trace => None,
            Self::Dtw => Some(WaveKind::Dtw),
            Self::Sw => Some(WaveKind::Sw),
            Self::Heat2d => Some(WaveKind::Heat2d),
            Self::Sor => Some(WaveKind::Sor),
            Self::IntImg => Some(WaveKind::IntImg),
            Self::Hist => Some(WaveKind::Hist),
        }
    }

    /// The GPU if none is named: that of its source.
    pub const fn gpu(self) -> &'static str {
        match self.ways() {
            WaysOf::Modes | WaysOf::Dispatches => ask::GPU,
            WaysOf::Versions => ask::DEPENDENCY_GPU,
            WaysOf::Policies => ask::KERNEL_GPU,
        }
    }

    /// The arguments that say what it works on.
    pub const fn takes(self) -> &'static str {
        match self {
            Self::Bfs | Self::Sssp => "--graph and --source",
            Self::Clr => "--graph",
            Self::Join => "--keys",
            Self::Amr => "--set amr.side and amr.depth",
            Self::Bht => "--set bht.bodies and --set bht.seed",
            Self::Pre => "--set of pre.users, pre.items, pre.cut and pre.seed",
            Self::Regx => "--streams",
            Self::Gemm => "--tiles",
            Self::Kernel(_) => "--scale and --loop-warps",
            Self::Trace => "--trace",
            _ => "--tiles and --divide",
        }
    }

    /// How its result is verified.
    pub const fn verified(self) -> &'static str {
        match self {
            Self::Bfs => "every level verified against a sequential search",
            Self::Sssp => "every distance verified against Dijkstra's algorithm",
            Self::Clr => "neighbours differ; every colour verified against a sequential colouring",
            Self::Join => "every pair and their order verified against a nested loop",
            Self::Amr => "every cell verified against a recursion, bit by bit",
            Self::Bht => "which nodes act, and every force, verified against a walk in double precision",
            Self::Pre => "the count of every pair of items verified against a sequential program",
            Self::Regx => "every match verified against a search for each pattern at each place",
            Self::Gemm => "every element verified against a sequential program, bit by bit",
            Self::Kernel(_) => "the result verified against a sequential program",
            Self::Trace => "instructions, lanes and bytes of each kernel verified against a reading of its trace",
            _ => "every cell verified against a sequential program, bit by bit",
        }
    }
}

/// The options of every workload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Breadth-first search.
    pub bfs: BfsOptions,
    /// Shortest paths.
    pub sssp: LaunchOptions,
    /// Graph colouring.
    pub clr: LaunchOptions,
    /// Join.
    pub join: LaunchOptions,
    /// Mesh refinement.
    pub amr: AmrOptions,
    /// Barnes-Hut tree.
    pub bht: BhtOptions,
    /// Product recommendation.
    pub pre: PreOptions,
    /// Regular expressions.
    pub regx: LaunchOptions,
    /// Product.
    pub gemm: GemmOptions,
    /// Every wavefront.
    pub wave: WaveOptions,
    /// The one kernel that has options.
    pub fmm: FmmOptions,
}

impl Workload {
    /// What its options are called together, if it has any.
    pub fn options(self) -> Option<&'static str> {
        match self {
            Self::Bfs
            | Self::Sssp
            | Self::Clr
            | Self::Join
            | Self::Amr
            | Self::Bht
            | Self::Pre
            | Self::Regx
            | Self::Gemm => Some(self.name()),
            Self::Kernel(kernel) => (kernel.0.name == FMM).then_some(FMM),
            Self::Trace => None,
            _ => Some(WAVE),
        }
    }
}

/// The word for the options of wavefronts.
const WAVE: &str = "wave";
/// The kernel that has options, as the catalogue names it.
const FMM: &str = "fmm";

impl Options {
    /// What options are called together.
    pub const SECTIONS: [&str; 11] = ["bfs", "sssp", "clr", "join", "amr", "bht", "pre", "regx", "gemm", WAVE, FMM];

    /// Sets the option called `key` from a word, or says what is wrong with it. `None`: no workload's option.
    pub fn set(&mut self, key: &str, word: &str) -> Option<Result<(), String>> {
        let (name, field) = key.split_once('.')?;
        match name {
            WAVE => return Some(set_option(&mut self.wave, field, word)),
            FMM => return Some(set_option(&mut self.fmm, field, word)),
            _ => {}
        }
        let workload = Workload::value_variants().iter().find(|workload| workload.name() == name)?;
        Some(match workload {
            Workload::Bfs => set_option(&mut self.bfs, field, word),
            Workload::Sssp => set_option(&mut self.sssp, field, word),
            Workload::Clr => set_option(&mut self.clr, field, word),
            Workload::Join => set_option(&mut self.join, field, word),
            Workload::Amr => set_option(&mut self.amr, field, word),
            Workload::Bht => set_option(&mut self.bht, field, word),
            Workload::Pre => set_option(&mut self.pre, field, word),
            Workload::Regx => set_option(&mut self.regx, field, word),
            Workload::Gemm => set_option(&mut self.gemm, field, word),
            _ => return None,
        })
    }

    /// What they ask of a kernel: its usual work.
    pub fn request(&self, kernel: Kernel) -> Request {
        match kernel.0.name {
            FMM => Request { seed: self.fmm.seed, fmm: self.fmm, ..Request::default() },
            _ => Request::default(),
        }
    }

    /// The options of `workload`, in JSON.
    pub fn json(&self, workload: Workload) -> anyhow::Result<Value> {
        Ok(match workload {
            Workload::Bfs => serde_json::to_value(self.bfs)?,
            Workload::Sssp => serde_json::to_value(self.sssp)?,
            Workload::Clr => serde_json::to_value(self.clr)?,
            Workload::Join => serde_json::to_value(self.join)?,
            Workload::Amr => serde_json::to_value(self.amr)?,
            Workload::Bht => serde_json::to_value(self.bht)?,
            Workload::Pre => serde_json::to_value(self.pre)?,
            Workload::Regx => serde_json::to_value(self.regx)?,
            Workload::Gemm => serde_json::to_value(self.gemm)?,
            Workload::Kernel(kernel) if kernel.0.name == FMM => serde_json::to_value(self.fmm)?,
            Workload::Kernel(_) | Workload::Trace => Value::Object(serde_json::Map::new()),
            _ => serde_json::to_value(self.wave)?,
        })
    }

    /// Why an option of a workload has no effect on a run in this way; `None`: it has one.
    pub fn idle(key: &str, way: Way) -> Option<&'static str> {
        let (of, option) = key.split_once('.')?;
        match (of, option, way) {
            (WAVE, "bound", Way::Version(version)) => (version != Version::Lvl).then_some("version lvl does not run"),
            (WAVE, "barriers", Way::Version(version)) => {
                (version != Version::DepLinks).then_some("version deplinks does not run")
            }
            ("bfs", "flat", Way::Mode(mode)) => (mode != Mode::Flat).then_some("mode flat does not run"),
            ("bht", "bodies" | "seed", _) => None,
            ("pre", "users" | "items" | "cut" | "seed", _) => None,
            ("bfs" | "sssp" | "clr" | "join" | "regx" | "pre" | "bht", _, Way::Mode(mode))
            | ("amr", "launch_insts", Way::Mode(mode)) => (!mode.is_dynamic()).then_some("no mode that launches runs"),
            _ => None,
        }
    }

    /// All of them, labelled as sheet `workloads` does.
    pub fn entries(&self) -> Vec<Entry> {
        let default = Self::default();
        let of = |name, now, default| entries(name, &now, &default);
        [
            of("bfs", table(&self.bfs), table(&default.bfs)),
            of("sssp", table(&self.sssp), table(&default.sssp)),
            of("clr", table(&self.clr), table(&default.clr)),
            of("join", table(&self.join), table(&default.join)),
            of("amr", table(&self.amr), table(&default.amr)),
            of("bht", table(&self.bht), table(&default.bht)),
            of("pre", table(&self.pre), table(&default.pre)),
            of("regx", table(&self.regx), table(&default.regx)),
            of("gemm", table(&self.gemm), table(&default.gemm)),
            of(WAVE, table(&self.wave), table(&default.wave)),
            of(FMM, table(&self.fmm), table(&default.fmm)),
        ]
        .concat()
    }
}

fn table(options: &impl Serialize) -> toml::Table {
    toml::Table::try_from(options).unwrap_or_default()
}

/// Sets one field of the options of a workload from a word: a TOML value, or a string without its quotes.
fn set_option<T: Serialize + DeserializeOwned>(options: &mut T, field: &str, word: &str) -> Result<(), String> {
    let mut table = toml::Table::try_from(&*options).map_err(|e| e.to_string())?;
    if !table.contains_key(field) {
        let known: Vec<&str> = table.keys().map(String::as_str).collect();
        return Err(format!("expected one of the options {}{}", known.join(", "), like(field, &known)));
    }
    let value = format!("value = {word}").parse::<toml::Table>().ok().and_then(|mut t| t.remove("value"));
    table.insert(field.to_owned(), value.unwrap_or_else(|| toml::Value::String(word.to_owned())));
    *options = table.try_into().map_err(|e: toml::de::Error| plain_words(e.message()))?;
    Ok(())
}

fn entries(name: &str, values: &toml::Table, default: &toml::Table) -> Vec<Entry> {
    let rows = OPTIONS.iter().filter(|row| values.contains_key(row.0));
    rows.map(|&(field, unit, doc, provenance, origin)| {
        let (key, value) = (format!("{name}.{field}"), Entry::word(values.get(field)));
        let (provenance, origin) = match (field, name) {
            ("shape", "sssp" | "clr" | "join" | "bht" | "regx") => (Provenance::Ours, "workloads-W8: a warp"),
            ("min_child", "pre") => (Provenance::Ours, "workloads-PR3: the side of a child's TB"),
            ("columns" | "rows", "gemm") => (Provenance::Ours, "workloads-FK13: 1.1 waves of a K20c"),
            _ => (provenance, origin),
        };
        let stated = Entry { key, value, unit, doc, provenance: provenance.into(), origin: origin.to_owned() };
        stated.or_user(values.get(field) != default.get(field))
    })
    .collect()
}

type OptionRow = (&'static str, &'static str, &'static str, Provenance, &'static str);

const OPTIONS: &[OptionRow] = &[
    ("flat", "", "Form of mode flat: thread or merrill.", Provenance::Paper, "3.4.1: one thread per vertex"),
    (
        "min_child",
        "items",
        "Items (neighbours, matches, grandchildren, ratings, edges) from which on a thread gives them to a child.",
        Provenance::Paper,
        "3.3: a warp's worth",
    ),
    ("cover", "", "How much of them the child takes: floor or all.", Provenance::Paper, "3.3"),
    (
        "shape",
        "",
        "Threads in the TBs of the child: var or { fixed = N }.",
        Provenance::Ours,
        "4.6.2.1 has variable sizes, gives none",
    ),
    (
        "launch_insts",
        "instructions",
        "Integer instructions of the launch call, per launching lane.",
        Provenance::Ours,
        "workloads-W6: not counted in 4.6.2.1",
    ),
    (
        "side",
        "cells",
        "Cells along a side of the base grid: a power of two.",
        Provenance::Ours,
        "workloads-IN4; the source's is 64",
    ),
    ("depth", "levels", "How often a cell of the base grid may be refined.", Provenance::Ours, "workloads-IN4"),
    ("users", "users", "Users, of which each has a thread.", Provenance::Ours, "workloads-PR1: 943 in the source"),
    ("items", "items", "Items that they rate.", Provenance::Public, "MovieLens 100K"),
    ("cut", "ratings", "Most ratings that a user draws.", Provenance::Ours, "workloads-PR1: 737 in the source"),
    ("columns", "tiles", "Columns of tiles.", Provenance::Ours, "Wireframe 5: 4K tiles; that they are square is ours"),
    ("rows", "tiles", "Rows of tiles.", Provenance::Ours, "Wireframe 5: 4K tiles; that they are square is ours"),
    ("bodies", "bodies", "Bodies of the tree.", Provenance::Ours, "workloads-BH1; the source has 65,536"),
    ("inner", "columns", "Columns of both matrices whose product is taken.", Provenance::Ours, "workloads-FK13"),
    (
        "divide",
        "",
        "What the sides of the source's matrix are divided by.",
        Provenance::Ours,
        "workloads-B9: fits with the time that a simulation takes",
    ),
    ("width", "cells", "Columns of the matrix; 0 = the source's, divided.", Provenance::Paper, "Wireframe 5"),
    ("height", "cells", "Rows of the matrix; 0 = the source's, divided.", Provenance::Paper, "Wireframe 5"),
    ("seed", "", "Seed of the inputs.", Provenance::Ours, "any"),
    (
        "launch_scale",
        "",
        "What all launch latencies are divided by.",
        Provenance::Ours,
        "workloads-B9: keeps compute : launch at a quarter of the side",
    ),
    ("host_launch", "cycles", "A host launch, before scaling.", Provenance::Paper, "Wireframe 5: 30 us at 700 MHz"),
    (
        "nested_launch",
        "cycles",
        "In cdp, from a device launch to the level's first TB, before scaling.",
        Provenance::Inferred,
        "workloads-B7: call and dispatch of Table 5",
    ),
    (
        "barriers",
        "",
        "Barriers of deplinks: auto, edges or node.",
        Provenance::Ours,
        "workloads-B8: a relay TB from levels of 33 tiles on",
    ),
    ("bound", "levels", "Levels that executing tiles may be apart in lvl.", Provenance::Paper, "Wireframe 5.1"),
    ("level", "", "The unit cube has 8^level boxes.", Provenance::Ours, "workloads-D1"),
    ("q", "points", "Targets, and sources, of a box.", Provenance::Ours, "workloads-D1; the source tunes it"),
    ("cubes", "cubes", "Unit cubes side by side.", Provenance::Ours, "workloads-D1: 1"),
    ("periodic", "", "Boxes at one side have those at the other as neighbours.", Provenance::Ours, "27 inside only"),
    ("shmem", "", "Sources go through shared memory, in tiles of 32.", Provenance::Paper, "3.5.1: blocking"),
    ("rsqrt", "", "The root's reciprocal and a product for root and division.", Provenance::Paper, "3.5"),
    ("vecpack", "", "An array for each word of the points.", Provenance::Paper, "3.5.1: SOA"),
    ("ujam", "targets", "Targets of a thread.", Provenance::Paper, "3.5.1: unroll and jam"),
    ("pref", "", "The next source is loaded before this one is used.", Provenance::Paper, "3.5.1: prefetching"),
    ("tight", "", "The loop over sources is unrolled by 4.", Provenance::Paper, "4.1.3 names it; by 4: workloads-D3"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_listed() {
        let listed = Options::default().entries();
        let fields = [
            ("bfs", table(&BfsOptions::default())),
            ("join", table(&LaunchOptions::default())),
            ("amr", table(&AmrOptions::default())),
            ("bht", table(&BhtOptions::default())),
            ("pre", table(&PreOptions::default())),
            ("regx", table(&LaunchOptions::default())),
            ("gemm", table(&GemmOptions::default())),
            ("wave", table(&WaveOptions::default())),
            ("fmm", table(&FmmOptions::default())),
        ];
        for (workload, fields) in fields {
            let listed: Vec<_> = listed.iter().filter_map(|e| e.key.strip_prefix(workload)).collect();
            assert!(fields.keys().all(|field| listed.contains(&format!(".{field}").as_str())), "{fields:?}");
            assert_eq!(fields.len(), listed.len());
        }
    }

    #[test]
    fn workloads_are_called_as_on_the_command_line() {
        for workload in Workload::value_variants() {
            assert_eq!(workload.to_possible_value().unwrap().get_name(), workload.name());
        }
    }
}
