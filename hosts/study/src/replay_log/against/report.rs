//! What a policy says to a log, for people and for programs.

use super::super::log::Log;
use super::super::summary::{count, percent};
use super::super::text::origin;
use super::floor::Placement;
use super::{Answers, Parting};
use crate::failure::Failure;
use crate::output;
use crate::scheduler::Sched;
use crate::table;
use comfy_table::CellAlignment::{Left, Right};
use serde::Serialize;
use std::fmt::Write as _;

/// For people.
pub fn text(log: &Log, sched: &Sched, answers: &Answers) -> String {
    let mut text = format!("{}: {}\nagainst {sched}\n\n", log.name(), origin(log));
    let all = answers.placements;
    let share = |part: u64| percent((all > 0).then(|| part as f64 / all as f64)).unwrap_or_else(|| "-".to_owned());
    let _ = writeln!(text, "{:<42} {:>14}", "TBs that the log places", count(all));
    for (what, part) in [
        ("the policy would send the same kernel", answers.same_unit),
        ("and of it the same TB", answers.same_tb),
        ("it would choose the same SMX for it", answers.same_smx),
        ("the same TB to the same SMX", answers.same),
        ("it would wait", answers.waits),
    ] {
        let _ = writeln!(text, "{what:<42} {:>14} {:>8}", count(part), share(part));
    }
    if answers.of_clusters > 0 {
        let what = "TBs of clusters, which no policy was asked";
        let _ = writeln!(text, "{what:<42} {:>14}", count(answers.of_clusters));
    }
    if answers.partings.is_empty() {
        let told = if answers.agree() { "they part nowhere" } else { "where they part is not told" };
        return text + &format!("\n{told}\n");
    }
    let header = ["line", "cycle", "the log sends", "the policy sends", "and the log's kernel to"];
    let mut rows = table::new(header.map(str::to_owned).to_vec(), &[Right, Right, Left, Left, Left]);
    for Parting { line, cycle, log, policy, smx } in &answers.partings {
        rows.add_row([
            line.to_string(),
            cycle.to_string(),
            words(log),
            policy.as_ref().map_or("nothing".to_owned(), words),
            smx.map_or("no SMX".to_owned(), |smx| format!("SMX {smx}")),
        ]);
    }
    let more = answers.placements - answers.same - answers.partings.len() as u64;
    let more = if more == 0 { String::new() } else { format!("and {} more\n", count(more)) };
    text + "\n" + &table::text(&rows) + &more
}

fn words(of: &Placement) -> String {
    format!("TB {} of {} to SMX {}", of.tb, of.uid, of.smx)
}

/// For programs.
pub fn document(log: &Log, sched: &Sched, answers: &Answers) -> Result<String, Failure> {
    output::json(&Document {
        schema: "gpusched.against/1",
        log: log.name(),
        cut: log.cut(),
        dispatch: log.run.headers.get("dispatch").map(String::as_str),
        against: sched.to_string(),
        agree: answers.agree(),
        placements: answers.placements,
        same_unit: answers.same_unit,
        same_tb: answers.same_tb,
        same_smx: answers.same_smx,
        same: answers.same,
        waits: answers.waits,
        of_clusters: answers.of_clusters,
        partings: answers.partings.iter().map(PartingPart::of).collect(),
    })
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    log: &'a str,
    /// Why the log is no more than a part; null if it is whole.
    cut: Option<&'static str>,
    dispatch: Option<&'a str>,
    against: String,
    agree: bool,
    placements: u64,
    same_unit: u64,
    same_tb: u64,
    same_smx: u64,
    same: u64,
    waits: u64,
    of_clusters: u64,
    partings: Vec<PartingPart>,
}

#[derive(Serialize)]
struct PartingPart {
    line: u64,
    cycle: u64,
    log: PlacementPart,
    /// Null if it would wait.
    policy: Option<PlacementPart>,
    /// The SMX for the log's kernel or group, were it the only one; null if there is none.
    smx: Option<u32>,
}

#[derive(Serialize)]
struct PlacementPart {
    uid: u64,
    tb: u32,
    smx: u32,
}

impl PartingPart {
    fn of(parting: &Parting) -> Self {
        let part = |&Placement { uid, tb, smx }: &Placement| PlacementPart { uid, tb, smx };
        let &Parting { line, cycle, ref log, ref policy, smx } = parting;
        Self { line, cycle, log: part(log), policy: policy.as_ref().map(part), smx }
    }
}
