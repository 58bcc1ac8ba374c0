//! What a log says in short: the rows of a table, which two logs can share, and JSON.

use super::catalogue::Catalogue;
use super::figures::{Figures, OfName, OfSmx, Tally, share};
use super::log::Log;
use indicatif::HumanCount;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A row: what is told, and the figure, unless there is none.
pub type Row = (&'static str, Option<String>);

/// The figures of a run. Two runs have the same rows.
pub fn rows(f: &Figures) -> Vec<Row> {
    let some = |number: u64| (number > 0).then(|| count(number));
    let decisions = |kind: &str, part: Option<&str>| some(f.count(kind, part));
    let smx_share = |figure: fn(&OfSmx) -> u64| percent(share(f.of_smxs(figure), f.smx_cycles()));
    let diverts = f.count("divert", None) > 0;
    let steps = f.count("pstate", None) > 0;
    vec![
        ("cycle of the last event", Some(count(f.cycles))),
        ("kernels of the host", Some(count(f.host_kernels))),
        ("kernels launched by TBs", some(f.device_kernels)),
        ("groups launched by TBs", some(f.groups)),
        ("kernels and groups not done", some(f.not_done)),
        ("TBs that started", Some(count(f.starts))),
        ("TBs that did not end", some(f.unfinished)),
        ("TBs sent that did not start", some(f.not_started)),
        ("mean TB (cycles)", mean(&f.tbs)),
        ("longest TB", most(&f.tbs)),
        ("mean wait of the host's kernels for a TB", mean(&f.host_wait)),
        ("longest wait of one", most(&f.host_wait)),
        ("mean wait of launches by TBs", mean(&f.device_wait)),
        ("longest wait of one of them", most(&f.device_wait)),
        ("TBs of children on their parent's SMX", percent(share(f.with_parent, f.child_tbs))),
        ("TBs refused at first", some(f.refused)),
        ("mean time from decision to start", mean(&f.to_start)),
        ("SMX cycles with a TB", smx_share(|smx| smx.busy)),
        ("TB slots in use", percent(f.slot_share())),
        ("busiest SMX (TB cycles over the mean)", f.imbalance().map(|times| format!("{times:.2}x"))),
        ("SMX cycles diverted", smx_share(|smx| smx.diverted).filter(|_| diverts)),
        ("SMX cycles in the low P-state", smx_share(|smx| smx.low).filter(|_| steps)),
        ("diversions", decisions("divert", None)),
        ("samples of the bubble controller", decisions("sample", None)),
        ("TBs that bypass L1", decisions("bypass", None)),
        ("issued from hardware queues", decisions("issue", Some("hwq"))),
        ("issued device kernels", decisions("issue", Some("device"))),
        ("issued suspended kernels", decisions("issue", Some("suspended"))),
        ("groups that joined a kernel", decisions("join", None)),
        ("groups that found no kernel", decisions("fall", Some("kde"))),
        ("groups that found no AGT entry", decisions("fall", Some("agt"))),
        ("fetches of spilled groups", decisions("load", None)),
        ("LaPerm: units on chip", decisions("place", Some("chip"))),
        ("LaPerm: units to memory", decisions("place", Some("memory"))),
        ("LaPerm: units in queue 0", decisions("place", Some("queue0"))),
        ("LaPerm: fetches of units", decisions("refill", None)),
        ("LaPerm: TBs of the SMX's own units", decisions("lap", Some("unit"))),
        ("LaPerm: TBs from queue 0", decisions("lap", Some("queue0"))),
        ("LaPerm: TBs of another SMX's units", decisions("lap", Some("backup"))),
        ("dependency graphs done", decisions("graph_done", None)),
        ("dependency graphs at fault", decisions("graph_fault", None)),
        ("dependency graphs given up", decisions("graph_abort", None)),
        ("TBs saved", decisions("saved", None)),
        ("events of unknown kinds", some(f.unknown.values().sum())),
    ]
}

/// A log in JSON.
#[derive(Debug, Serialize)]
pub struct LogPart<'a> {
    log: &'a str,
    /// Whether the log has its end.
    complete: bool,
    headers: &'a std::collections::BTreeMap<String, String>,
    /// That of the last event.
    cycles: u64,
    events: u64,
    host_kernels: u64,
    device_kernels: u64,
    groups: u64,
    not_done: u64,
    tbs: TbPart,
    host_wait: Cycles,
    device_wait: Cycles,
    child_tbs: u64,
    on_parents_smx: u64,
    slot_share: Option<f64>,
    imbalance: Option<f64>,
    smxs: Vec<SmxPart>,
    names: Vec<NamePart<'a>>,
    decisions: Map<String, Value>,
    unknown: &'a std::collections::BTreeMap<String, u64>,
}

#[derive(Debug, Serialize)]
struct TbPart {
    started: u64,
    unfinished: u64,
    not_started: u64,
    refused: u64,
    cycles: Cycles,
    decision_to_start: Cycles,
}

#[derive(Debug, Serialize)]
struct Cycles {
    count: u64,
    mean: Option<f64>,
    max: u64,
}

#[derive(Debug, Serialize)]
struct SmxPart {
    tbs: u64,
    tb_cycles: u64,
    busy_cycles: u64,
    diverted_cycles: u64,
    low_cycles: u64,
}

#[derive(Debug, Serialize)]
struct NamePart<'a> {
    name: &'a str,
    launches: u64,
    tb_cycles: Cycles,
    wait: Cycles,
    time: Cycles,
}

impl<'a> LogPart<'a> {
    pub fn of(log: &'a Log, catalogue: &'a Catalogue) -> Self {
        let f = &log.run.figures;
        Self {
            log: log.name(),
            complete: log.cut().is_none(),
            headers: &log.run.headers,
            cycles: f.cycles,
            events: f.events,
            host_kernels: f.host_kernels,
            device_kernels: f.device_kernels,
            groups: f.groups,
            not_done: f.not_done,
            tbs: TbPart {
                started: f.starts,
                unfinished: f.unfinished,
                not_started: f.not_started,
                refused: f.refused,
                cycles: Cycles::of(&f.tbs),
                decision_to_start: Cycles::of(&f.to_start),
            },
            host_wait: Cycles::of(&f.host_wait),
            device_wait: Cycles::of(&f.device_wait),
            child_tbs: f.child_tbs,
            on_parents_smx: f.with_parent,
            slot_share: f.slot_share(),
            imbalance: f.imbalance(),
            smxs: f.smxs.iter().map(SmxPart::of).collect(),
            names: by_time(f, catalogue).into_iter().map(NamePart::of).collect(),
            decisions: decisions(f),
            unknown: &f.unknown,
        }
    }
}

impl Cycles {
    fn of(tally: &Tally) -> Self {
        Self { count: tally.count, mean: tally.mean(), max: tally.most }
    }
}

impl SmxPart {
    fn of(smx: &OfSmx) -> Self {
        let OfSmx { tbs, tb_cycles, busy, diverted, low } = *smx;
        Self { tbs, tb_cycles, busy_cycles: busy, diverted_cycles: diverted, low_cycles: low }
    }
}

impl<'a> NamePart<'a> {
    fn of((name, of): (&'a str, &OfName)) -> Self {
        let [tb_cycles, wait, time] = [of.tbs, of.wait, of.time].map(|tally| Cycles::of(&tally));
        Self { name, launches: of.launches, tb_cycles, wait, time }
    }
}

/// Kernels and groups by name, those whose TBs took most cycles first.
pub fn by_time<'a>(figures: &'a Figures, catalogue: &'a Catalogue) -> Vec<(&'a str, &'a OfName)> {
    let names = catalogue.names().iter().map(String::as_str).zip(&figures.names);
    let mut names: Vec<_> = names.filter(|(_, of)| of.launches > 0).collect();
    names.sort_by_key(|(_, of)| std::cmp::Reverse(of.tbs.sum)); // stable: else as they came
    names
}

/// A number for each kind, or one for each part of it.
fn decisions(figures: &Figures) -> Map<String, Value> {
    let mut all = Map::new();
    for (&(kind, part), &count) in &figures.decisions {
        match part {
            None => drop(all.insert(kind.to_owned(), count.into())),
            Some(part) => all.entry(kind).or_insert_with(|| json!({}))[part] = count.into(),
        }
    }
    all
}

pub fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

pub fn percent(share: Option<f64>) -> Option<String> {
    share.map(|share| format!("{:.1}%", 100.0 * share))
}

pub fn mean(tally: &Tally) -> Option<String> {
    tally.mean().map(|mean| if mean < 1000.0 { format!("{mean:.1}") } else { count(mean.round() as u64) })
}

fn most(tally: &Tally) -> Option<String> {
    (tally.count > 0).then(|| count(tally.most))
}
