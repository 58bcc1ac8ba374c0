//! `gpusched reproduce tlp`: the 28 pairs of the study of concurrent kernels, and sets of four and five, with its means beside ours.

use super::published::Unit;
use super::quantity::Mean;
use super::told::{self, Head, Told, Verdict};
use crate::ask::{Kernel, Reproduce, SharingPolicy, Workload};
use crate::failure::Failure;
use crate::input::Input;
use crate::model::on_gpu;
use crate::output;
use crate::page::runs::Runs;
use crate::sharing::{
    self, Alone, EFFICIENCY, Figure, MEMORY_STALLS, SPEEDUP, STALLS, STRUCTURAL_STALLS, Set, machine,
};
use crate::study::store::Store;
use crate::table::{self, Table};
use anyhow::anyhow;
use comfy_table::CellAlignment::{Left, Right};
use gpusched::tlp::{KernelId, Mode, TlpConfig};
use gpusched_refgpu::stats::RunStats;
use gpusched_workloads::sharers::{self, Sharer};
use serde::Serialize;
use std::cmp::Ordering::Equal;
use std::collections::BTreeMap;

/// The study has four sets of four and two of five, and does not name them: these are ours.
const POOLS: [&[&str]; 6] = [
    &["BLK", "BKP", "LBM", "STC"],
    &["HST", "SRD", "SPM", "KMS"],
    &["BKP", "SPM", "LBM", "KMS"],
    &["BLK", "HST", "SPM", "STC"],
    &["BKP", "BLK", "LBM", "KMS", "STC"],
    &["HST", "SRD", "SPM", "LBM", "STC"],
];

/// The order in which the study names the kernels of its pairs (Table IV): of equal types the first one is served first.
const ORDER: [&str; 8] = ["LBM", "SPM", "BLK", "BKP", "HST", "SRD", "KMS", "STC"];

/// What a quick study does with: kernels of every type, two of them of type up, so that some run in turn.
const QUICK: [&str; 4] = ["HST", "SPM", "BKP", "KMS"];

/// Pairs whose L1 misses the study speaks of.
const L1_PAIRS: [[&str; 2]; 3] = [["BKP", "KMS"], ["HST", "KMS"], ["LBM", "STC"]];

/// Kernels that ran together, under every policy.
#[derive(Serialize)]
struct Row {
    kernels: Vec<String>,
    /// Targets to begin with, of pairs.
    targets: Option<[u32; 2]>,
    /// One after the other, since both are of type up.
    leftover: bool,
    /// By policy, then by figure.
    figures: BTreeMap<String, BTreeMap<&'static str, f64>>,
    /// SM resources that the targets take: threads, registers, shared memory.
    used: Option<[f64; 3]>,
}

impl Row {
    fn name(&self) -> String {
        self.kernels.join("_")
    }

    fn get(&self, policy: SharingPolicy, figure: &Figure) -> Option<f64> {
        self.figures.get(&policy.to_string())?.get(figure.key).copied()
    }
}

/// A mean that the study reports, and ours.
#[derive(Serialize)]
struct Outcome {
    what: String,
    source: String,
    here: Option<f64>,
    sets: usize,
    #[serde(skip)]
    verdict: Verdict,
}

/// What a mean is, which says how it is printed.
#[derive(Clone, Copy)]
enum Kind {
    /// A factor.
    Times,
    /// A factor, as what it is more or less than one.
    Change,
    /// A share of one.
    Share,
}

impl Kind {
    fn text(self, value: f64) -> String {
        match self {
            Self::Times => format!("{value:.2}x"),
            Self::Change => format!("{:+.1}%", 100.0 * (value - 1.0)),
            Self::Share => format!("{:.1}%", 100.0 * value),
        }
    }
}

impl Outcome {
    fn of(what: &str, source: f64, values: Vec<f64>, mean: Mean, kind: Kind) -> Self {
        let here = (!values.is_empty()).then(|| mean.of(&values));
        let is_factor = !matches!(kind, Kind::Share);
        let side = |value| Unit::Times.side(value);
        let verdict = Verdict {
            group: "all pairs".to_owned(),
            what: what.to_owned(),
            over: values.len(),
            stated: kind.text(source),
            here: here.map_or_else(|| "-".to_owned(), |here| kind.text(here)),
            ratio: here.map(|here| here / source),
            direction: here.filter(|_| is_factor).map(|here| side(here) == side(source)),
            cause: None,
            factors: here.filter(|_| is_factor).map(|here| (here, source, values)),
        };
        Self { what: what.to_owned(), source: kind.text(source), here, sets: verdict.over, verdict }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    /// So many times the usual work of each kernel.
    scale: u32,
    pairs: &'a [Row],
    pools: &'a [Row],
    means: &'a [Outcome],
}

/// Runs the pairs and pools, and writes their figures.
pub fn run(args: &Reproduce) -> Result<Told, Failure> {
    let quick: Vec<String> = if args.quick { QUICK.map(str::to_owned).to_vec() } else { Vec::new() };
    let named = if args.kernels.is_empty() { &quick } else { &args.kernels };
    let kernels = chosen(named)?;
    let store = Store::open(&args.out)?.with_png(args.pictures.png)?;
    let pairs: Vec<Vec<&Sharer>> = (0..kernels.len())
        .flat_map(|first| (first + 1..kernels.len()).map(move |second| (first, second)))
        .map(|(first, second)| vec![kernels[first], kernels[second]])
        .collect();
    // All of them, or pairs of some.
    let pools: Vec<Vec<&Sharer>> = if named.is_empty() {
        POOLS.iter().map(|names| names.iter().filter_map(|name| sharers::find(name)).collect()).collect()
    } else {
        Vec::new()
    };
    let all = pairs.len() + pools.len();
    let scale = args.scale.unwrap_or(1);
    let (mut rows, mut told) = (Vec::with_capacity(all), Runs::default());
    for (place, (kernels, usual)) in pairs
        .iter()
        .map(|pair| (pair, &SharingPolicy::USUAL[..]))
        .chain(pools.iter().map(|pool| (pool, &SharingPolicy::OF_POOLS[..])))
        .enumerate()
    {
        let entries: Vec<Kernel> = kernels.iter().map(|sharer| Kernel(sharer.entry)).collect();
        let alone = Alone { store: Some(&store), threads: args.threads, quiet: args.quiet };
        let set = Set::of(&entries, &args.machine, scale, Some(alone))?;
        output::remark(&format!("{} ({} of {all})\n", set.name(), place + 1), args.quiet);
        let runs = sharing::counts(&set, usual, args.threads, &store)?;
        rows.push(row(&set, usual, &runs));
        tell(&mut told, &set, kernels, args)?;
    }
    let pools = rows.split_off(pairs.len());
    let means = means(&rows, &pools);
    let setup = machine(&args.machine)?;
    let document = Document {
        head: Head::new("gpusched.reproduce-tlp/1", "tlp", &setup),
        scale,
        pairs: &rows,
        pools: &pools,
        means: &means,
    };
    let json = output::json(&document)?;
    let path = store.write("reproduce-tlp.json", &json)?;
    let verdicts: Vec<Verdict> = means.iter().map(|mean| mean.verdict.clone()).collect();
    let (title, mut written) = (args.suite.about(), vec![path]);
    let sets = format!("{all} sets of kernels; results verified");
    if let Some(picture) = told::picture(&title, sets, &verdicts)? {
        written.extend(store.draw("reproduce-tlp", &picture)?);
    }
    let mut tables = vec![of_pairs(&rows)];
    if !pools.is_empty() {
        tables.push(of_pools(&pools));
    }
    let remarks = remarks(args, setup.told());
    let text = told::text(&[&tables[..], &[of_means(&means)]].concat(), &remarks);
    Ok(Told { name: "tlp", title, verdicts, tables, remarks, runs: told, text, json, written })
}

/// What halves of the machine cost the pair that loses most, and what a split that is searched does for it.
fn halves(pairs: &[Row]) -> Option<String> {
    let speedup = |row: &Row, policy| row.get(policy, &SPEEDUP);
    let even = |row: &Row| speedup(row, SharingPolicy::SmartEven);
    let worst =
        pairs.iter().filter(|row| even(row).is_some()).min_by(|a, b| even(a).partial_cmp(&even(b)).unwrap_or(Equal))?;
    Some(format!(
        "each kernel has half of the SMs, whatever it needs: {} is at {:.2}x, and at {:.2}x under SMC, which searches the split",
        worst.name(),
        even(worst)?,
        speedup(worst, SharingPolicy::Smc)?
    ))
}

/// Why one kind of stalls can rise while both together fall.
fn structural(together: f64) -> String {
    format!(
        "a cycle in which a warp is ready but the LD/ST unit is taken counts as structural, also if others wait for memory (the rule for what is both is \
         ours), and kernels bound by memory hold that unit: few count as memory stalls to begin with; both together change by {}",
        Kind::Change.text(together)
    )
}

/// The command that runs a set, and what each of its kernels works on.
fn tell(runs: &mut Runs, set: &Set, kernels: &[&Sharer], args: &Reproduce) -> Result<(), Failure> {
    let names = kernels.iter().map(|kernel| kernel.name.as_str()).collect::<Vec<_>>().join(" ");
    let what = if kernels.len() > 2 { "pool" } else { "compare pair" };
    let scale = args.scale.map_or_else(String::new, |scale| format!(" --scale {scale}"));
    let command = format!("gpusched {what} {names}{scale}{}", args.machine.words());
    for member in &set.members {
        let kernel = Kernel(member.entry);
        let input = Input::Kernel { kernel, request: member.request };
        let workload = Workload::Kernel(kernel);
        runs.command(command.clone(), &set.setup, workload, on_gpu::plainest(workload), &input)?;
    }
    Ok(())
}

/// The kernels of the study, or those of them that are named.
fn chosen(names: &[String]) -> Result<Vec<&'static Sharer>, Failure> {
    let find = |name: &String| {
        sharers::find(name).ok_or_else(|| Failure::Usage(anyhow!("--kernels: {name} is not part of tlp")))
    };
    let mut chosen: Vec<_> = names.iter().map(find).collect::<Result<_, _>>()?;
    if chosen.len() == 1 {
        return Err(Failure::Usage(anyhow!("--kernels: tlp runs pairs; name two kernels or more")));
    }
    if chosen.is_empty() {
        chosen.extend(sharers::all());
    }
    chosen.sort_by_key(|sharer| ORDER.iter().position(|name| *name == sharer.name));
    Ok(chosen)
}

fn row(set: &Set, policies: &[SharingPolicy], runs: &[RunStats]) -> Row {
    let units = set.setup.gpu.tlp_units();
    let figures = |(policy, run): (&SharingPolicy, &RunStats)| {
        let each = Figure::ALL.iter().filter_map(|figure| Some((figure.key, figure.of(run, &runs[0])?)));
        (policy.to_string(), each.collect())
    };
    let targets = match &set.members[..] {
        [first, second] => units.static_tlp(first.kernel(), second.kernel(), KernelId(0)).ok(),
        _ => None,
    };
    Row {
        kernels: set.members.iter().map(|member| member.name.clone()).collect(),
        targets: targets.map(|targets| targets.tb),
        leftover: targets.is_some_and(|targets| targets.mode == Mode::Leftover),
        figures: policies.iter().zip(runs).map(figures).collect(),
        used: targets.map(|targets| used(set, targets.tb, &units)),
    }
}

/// What so many TBs of each take of an SM: threads, registers, shared memory.
fn used(set: &Set, tb: [u32; 2], units: &TlpConfig) -> [f64; 3] {
    let sum = |of: fn(&gpusched::tlp::TbNeeds) -> u32| -> u32 {
        set.members.iter().zip(tb).map(|(member, n)| n * of(&member.needs)).sum()
    };
    let share = |n: u32, all: u32| f64::from(n) / f64::from(all.max(1));
    [
        share(sum(|needs| needs.threads), units.threads),
        share(sum(|needs| needs.regs), units.regs),
        share(sum(|needs| needs.smem), units.smem),
    ]
}

fn means(pairs: &[Row], pools: &[Row]) -> Vec<Outcome> {
    use SharingPolicy::{Bypass, Dynamic, SmartEven, Smc, Static};
    let of = |rows: &[Row], policy, figure: &Figure| -> Vec<f64> {
        rows.iter().filter_map(|row| row.get(policy, figure)).collect()
    };
    let mut all = Vec::new();
    for (policy, what, source) in [
        (SmartEven, "throughput, Smart-Even", 1.21),
        (Smc, "throughput, SMC", 1.26),
        (Static, "throughput, static TLP", 1.31),
        (Dynamic, "throughput, + dynamic", 1.40),
        (Bypass, "throughput, + bypassing", 1.51),
    ] {
        all.push(Outcome::of(what, source, of(pairs, policy, &SPEEDUP), Mean::Geometric, Kind::Times));
    }
    if let Some(verdict) = all.first_mut().map(|even| &mut even.verdict).filter(|of| of.direction == Some(false)) {
        verdict.cause = halves(pairs);
    }
    let efficiency = of(pairs, Bypass, &EFFICIENCY);
    all.push(Outcome::of("energy efficiency, + bypassing", 1.39, efficiency, Mean::Geometric, Kind::Times));
    let stalls = [(&MEMORY_STALLS, "memory stalls", 0.616), (&STRUCTURAL_STALLS, "structural stalls", 0.879)];
    for (figure, what, source) in stalls {
        let what = format!("{what}, + bypassing");
        all.push(Outcome::of(&what, source, of(pairs, Bypass, figure), Mean::Arithmetic, Kind::Change));
    }
    let together = of(pairs, Bypass, &STALLS);
    for stalls in all.iter_mut().rev().take(2).filter(|stalls| stalls.verdict.direction == Some(false)) {
        stalls.verdict.cause = (!together.is_empty()).then(|| structural(Mean::Arithmetic.of(&together)));
    }
    let l1: Vec<f64> = pairs
        .iter()
        .filter(|row| L1_PAIRS.iter().any(|pair| pair.iter().all(|name| row.kernels.iter().any(|of| of == name))))
        .filter_map(|row| {
            let rate = |policy| row.get(policy, &sharing::L1_MISSES);
            Some(rate(Bypass)? / rate(SharingPolicy::Leftover)?)
        })
        .collect();
    let what = "L1 miss rate, + bypassing (BKP_KMS, HST_KMS, LBM_STC)";
    all.push(Outcome::of(what, 0.70, l1, Mean::Arithmetic, Kind::Change));
    let resources = [(0, "threads", 0.726), (1, "registers", 0.775), (2, "shared memory", 0.052)];
    for (place, what, source) in resources {
        let values: Vec<f64> = pairs.iter().filter_map(|row| row.used.map(|used| used[place])).collect();
        all.push(Outcome::of(&format!("{what} taken, static TLP"), source, values, Mean::Arithmetic, Kind::Share));
    }
    if !pools.is_empty() {
        let of_pools = of(pools, Bypass, &SPEEDUP);
        all.push(Outcome::of("throughput of pools, + bypassing", 1.44, of_pools, Mean::Geometric, Kind::Times));
    }
    all
}

const SHOWN: [SharingPolicy; 5] = [
    SharingPolicy::SmartEven,
    SharingPolicy::Smc,
    SharingPolicy::Static,
    SharingPolicy::Dynamic,
    SharingPolicy::Bypass,
];

/// Of each pair: targets, throughput under every policy, and what bypassing does.
fn of_pairs(rows: &[Row]) -> Table {
    let mut header = vec!["pair".to_owned(), "targets".to_owned()];
    header.extend(SHOWN.iter().map(ToString::to_string));
    header.extend(["energy", "memory", "structural", "L1 misses"].map(str::to_owned));
    let alignment: Vec<_> = [Left, Left].into_iter().chain([Right; 9]).collect();
    let mut text = table::new(header, &alignment);
    for row in rows {
        let targets = match row.targets {
            Some([a, b]) if row.leftover => format!("{{{a},{b}}} in turn"),
            Some([a, b]) => format!("{{{a},{b}}}"),
            None => "-".to_owned(),
        };
        let mut cells = vec![row.name(), targets];
        cells.extend(SHOWN.iter().map(|&policy| SPEEDUP.text(row.get(policy, &SPEEDUP))));
        for figure in [&EFFICIENCY, &MEMORY_STALLS, &STRUCTURAL_STALLS] {
            cells.push(figure.text(row.get(SharingPolicy::Bypass, figure)));
        }
        let rate = |policy| row.get(policy, &sharing::L1_MISSES);
        let misses = rate(SharingPolicy::Bypass).zip(rate(SharingPolicy::Leftover).filter(|&rate| rate > 0.0));
        cells.push(MEMORY_STALLS.text(misses.map(|(now, before)| now / before)));
        text.add_row(cells);
    }
    text
}

fn of_pools(rows: &[Row]) -> Table {
    let shown = SHOWN.iter().filter(|policy| **policy != SharingPolicy::Smc);
    let mut header = vec!["pool".to_owned()];
    header.extend(shown.clone().map(ToString::to_string));
    header.push("energy".to_owned());
    let alignment: Vec<_> = std::iter::once(Left).chain([Right; 5]).collect();
    let mut text = table::new(header, &alignment);
    for row in rows {
        let mut cells = vec![row.name()];
        cells.extend(shown.clone().map(|&policy| SPEEDUP.text(row.get(policy, &SPEEDUP))));
        cells.push(EFFICIENCY.text(row.get(SharingPolicy::Bypass, &EFFICIENCY)));
        text.add_row(cells);
    }
    text
}

fn of_means(means: &[Outcome]) -> Table {
    let header = ["tlp", "sets", "source", "here"].map(str::to_owned);
    let mut text = table::new(header.to_vec(), &[Left, Right, Right, Right]);
    for Outcome { what, source, sets, verdict, .. } in means {
        text.add_row([what, &sets.to_string(), source, &verdict.here]);
    }
    text
}

fn remarks(args: &Reproduce, gpu: String) -> Vec<(&'static str, String)> {
    let times = args.scale.unwrap_or(1);
    let mut remarks = vec![
        ("throughput", "time under LeftOver over time, for the same kernels".to_owned()),
        ("energy, memory, ...", "under bypass, against LeftOver".to_owned()),
        ("targets", "TBs per SM to begin with; in turn: both kernels are of type up, and are not mixed".to_owned()),
        ("means", "throughput and energy: geometric; the rest: arithmetic".to_owned()),
        (
            "kernels",
            format!("made after the source's tables; {times} times the usual work, 0.1 to 0.3 million cycles each"),
        ),
        ("pools", "the source does not name its sets: these are ours".to_owned()),
        ("GPU", gpu),
    ];
    if args.quick && args.kernels.is_empty() {
        remarks.push(("quick", format!("pairs of {} only, of the source's eight kernels; no pools", QUICK.join(", "))));
    }
    remarks
}
