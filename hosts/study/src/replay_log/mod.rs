//! `gpusched replay-log`: what a simulator and the adapter in it decided, from the log that they wrote, and how two runs differ.
//! `hosts/gpgpu-sim/docs/log.md` has the format.
//!
//! `source.rs` gives lines, `line.rs` and `kinds.rs` are their grammar, `run.rs` follows the run that they tell and refuses what cannot
//! have happened, `figures.rs` counts, `boxes.rs` collects a chart, `against` asks a policy. A log is read once, and never held.

mod against;
mod boxes;
mod catalogue;
mod chart;
mod compare;
mod figures;
mod kinds;
mod line;
mod log;
mod once;
mod run;
mod source;
mod stretch;
mod summary;
#[cfg(test)]
mod tests;
mod text;

use crate::ask::{Machine, ReplayLog, Window};
use crate::failure::Failure;
use crate::input::Setup;
use crate::output::{self, NamedPicture};
use crate::plot::gantt;
use crate::scheduler::Sched;
use anyhow::anyhow;
use boxes::Boxes;
use catalogue::Catalogue;
use compare::{Comparison, Pair, Verdict};
use log::{Decision, Log};
use serde::Serialize;
use std::path::Path;
use summary::LogPart;

/// The text of `replay-log`, and whether both logs are equal, if two are compared, or the log and a policy.
///
/// # Errors
/// A log that cannot be read, and options that make no sense.
pub fn replay(args: &ReplayLog) -> Result<(String, bool), Failure> {
    let Window { from, to } = args.window;
    if to.is_some_and(|to| to <= from) {
        return Err(Failure::Usage(anyhow!("--to {}: expected a cycle behind --from {from}", to.unwrap_or_default())));
    }
    let file = args.gantt.as_deref().map(|path| NamedPicture::open("--gantt", path, false)).transpose()?;
    let told = match (&args.against, &args.other) {
        (Some(sched), _) => against(args, sched),
        (None, Some(other)) => two(args, other, file),
        (None, None) => return one(args, file).map(|text| (text, true)),
    };
    told.map_err(|failure| match failure {
        Failure::Failed(trouble) => Failure::Usage(trouble), // 1 says that they differ
        other => other,
    })
}

fn against(args: &ReplayLog, sched: &Sched) -> Result<(String, bool), Failure> {
    let machine = Machine { gpu: args.gpu.clone(), assignments: Vec::new() };
    let setup = args.gpu.as_ref().map(|gpu| Setup::resolve(&machine, gpu)).transpose()?;
    let mut log = open(&args.log, args, false)?;
    let answers = against::ask(&mut log, sched, setup.as_ref().map(|setup| &setup.gpu), args.partings)?;
    let result =
        if args.json { against::document(&log, sched, &answers)? } else { against::text(&log, sched, &answers) };
    Ok((result, answers.agree()))
}

fn one(args: &ReplayLog, file: Option<NamedPicture>) -> Result<String, Failure> {
    let mut catalogue = Catalogue::default();
    let mut log = open(&args.log, args, file.is_some())?;
    log.read(&mut catalogue)?;
    let document = || Document { schema: "gpusched.log/1", log: LogPart::of(&log, &catalogue) };
    let result = if args.json { output::json(&document())? } else { text::one(&log, &catalogue) };
    drawn(result, &[log], &catalogue, args, file)
}

fn two(args: &ReplayLog, other: &Path, file: Option<NamedPicture>) -> Result<(String, bool), Failure> {
    let mut catalogue = Catalogue::default();
    let mut logs = [open(&args.log, args, file.is_some())?, open(other, args, file.is_some())?];
    let found = Comparison::of(&mut logs, &mut catalogue)?;
    let result = if args.json {
        let parts = logs.each_ref().map(|log| LogPart::of(log, &catalogue));
        output::json(&Documents { schema: "gpusched.logs/1", logs: parts, comparison: ComparisonPart::of(&found) })?
    } else {
        text::two(&logs, &found)
    };
    Ok((drawn(result, &logs, &catalogue, args, file)?, found.verdict() == Verdict::Equal))
}

fn open(path: &Path, args: &ReplayLog, draws: bool) -> Result<Log, Failure> {
    Log::open(path, draws.then(|| Boxes::of(args.window)), args.partial, args.quiet)
}

/// Writes the chart, if there is to be one; says so as other commands do.
fn drawn(
    result: String,
    logs: &[Log],
    catalogue: &Catalogue,
    args: &ReplayLog,
    file: Option<NamedPicture>,
) -> Result<String, Failure> {
    let Some(file) = file else { return Ok(result) };
    let (from, end) = (args.window.from, logs.iter().map(|log| log.run.figures.cycles).max().unwrap_or(0));
    if from > 0 && from >= end {
        let of = if logs.len() == 1 { "the log has" } else { "the logs have" };
        return Err(Failure::Usage(anyhow!("--from {from}: the last event that {of} is in cycle {end}")));
    }
    let (chart, names) = chart::chart(logs, catalogue, args.window);
    let written = file.write("", &gantt::svg_with_names(&chart, &names)?)?;
    let (text, document) = (|| result.clone(), || Ok(result.clone()));
    output::answer((args.json, args.quiet), &written, text, document)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    #[serde(flatten)]
    log: LogPart<'a>,
}

#[derive(Serialize)]
struct Documents<'a> {
    schema: &'static str,
    logs: [LogPart<'a>; 2],
    comparison: ComparisonPart<'a>,
}

#[derive(Serialize)]
struct ComparisonPart<'a> {
    verdict: &'static str,
    equal_decisions: u64,
    /// The first decisions that differ; null for a log that is over.
    first_difference: Option<[Option<DecisionPart<'a>>; 2]>,
    /// The first that are the same in another cycle.
    first_other_cycle: Option<[Option<DecisionPart<'a>>; 2]>,
    /// The first TBs that are sent in another order.
    first_other_order: Option<[Option<DecisionPart<'a>>; 2]>,
    same_order: bool,
    same_placement: bool,
    /// TBs of both logs, on the same SMX and on another.
    tbs_on_same_smx: u64,
    tbs_on_other_smx: u64,
    /// TBs that only one log has.
    tbs_only_in: [u64; 2],
}

#[derive(Serialize)]
struct DecisionPart<'a> {
    line: u64,
    decision: &'a str,
}

impl<'a> ComparisonPart<'a> {
    fn of(found: &'a Comparison) -> Self {
        let part = |decision: &'a Decision| DecisionPart { line: decision.line, decision: &decision.text };
        let parts = |pair: &'a Option<Pair>| pair.as_ref().map(|pair| pair.each_ref().map(|d| d.as_ref().map(part)));
        Self {
            verdict: match found.verdict() {
                Verdict::Equal => "equal",
                Verdict::OtherCycles => "other_cycles",
                Verdict::OtherDecisions => "other_decisions",
            },
            equal_decisions: found.equal,
            first_difference: parts(&found.decision),
            first_other_cycle: parts(&found.cycle),
            first_other_order: parts(&found.order),
            same_order: found.order.is_none(),
            same_placement: found.placement.is_equal(),
            tbs_on_same_smx: found.placement.same,
            tbs_on_other_smx: found.placement.moved,
            tbs_only_in: [0, 1].map(|side| found.placement.only(side)),
        }
    }
}
