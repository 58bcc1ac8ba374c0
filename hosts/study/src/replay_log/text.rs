//! A log, or two, for people.

use super::catalogue::Catalogue;
use super::compare::{Comparison, Pair, Verdict};
use super::figures::{Figures, OfName, OfSmx, share};
use super::log::Log;
use super::summary::{by_time, count, mean, percent, rows};
use crate::table;
use comfy_table::CellAlignment::{Left, Right};
use std::fmt::Write as _;

/// Names and SMXs that a table has room for.
const MOST_NAMES: usize = 12;
const MOST_SMXS: usize = 32;
/// Letters of a name.
const LETTERS: usize = 36;

/// A figure of an SMX, and its name.
type Column = (&'static str, fn(&OfSmx) -> u64);

/// One log.
pub fn one(log: &Log, catalogue: &Catalogue) -> String {
    let figures = &log.run.figures;
    let mut text = format!("{}\n{}\n\n", log.name(), origin(log));
    for (what, figure) in rows(figures) {
        if let Some(figure) = figure {
            let _ = writeln!(text, "{what:<42} {figure:>14}");
        }
    }
    for table in [of_names(figures, catalogue), of_smxs(figures)].into_iter().flatten() {
        let _ = write!(text, "\n{table}");
    }
    text + &notes(log)
}

/// Two logs and how they differ.
pub fn two(logs: &[Log; 2], found: &Comparison) -> String {
    let [a, b] = logs;
    let mut text = String::new();
    for (letter, log) in ["A", "B"].into_iter().zip(logs) {
        let _ = writeln!(text, "{letter}  {}: {}", log.name(), origin(log));
    }
    let _ = write!(text, "\n{}\n", table::text(&table::remarks(differences(found))));
    let mut sides = table::new(["", "A", "B"].map(str::to_owned).to_vec(), &[Left, Right, Right]);
    for ((what, a), (_, b)) in rows(&a.run.figures).into_iter().zip(rows(&b.run.figures)) {
        if a.is_some() || b.is_some() {
            let figure = |figure: Option<String>| figure.unwrap_or_else(|| "-".to_owned());
            sides.add_row([what.to_owned(), figure(a), figure(b)]);
        }
    }
    text + &table::text(&sides) + &notes(a) + &notes(b)
}

/// What the headers say.
pub fn origin(log: &Log) -> String {
    let header = |name: &str| log.run.headers.get(name).map(String::as_str);
    let dispatch = header("dispatch").unwrap_or("unknown dispatch");
    let clusters = header("clusters").map_or(String::new(), |clusters| format!(" in {clusters} clusters"));
    let attached = header("attach").filter(|list| *list != "-").map_or(String::new(), |list| format!("; {list}"));
    let config = header("config").map_or(String::new(), |file| format!("; {file}"));
    let (smxs, slots) = (log.run.figures.smxs.len(), log.run.figures.slots);
    format!("{dispatch} on {smxs} SMXs{clusters}, with {slots} TB slots each{attached}{config}")
}

fn notes(log: &Log) -> String {
    let kinds = &log.run.figures.unknown;
    let list: Vec<String> = kinds.iter().map(|(kind, number)| format!("{kind} ({})", count(*number))).collect();
    let mut text = log.cut().map_or(String::new(), |why| format!("\n{}: only a part: {why}\n", log.name()));
    if !list.is_empty() {
        text += &format!("\n{}: skipped events of kinds that are not known: {}\n", log.name(), list.join(", "));
    }
    text
}

/// Where the logs part.
fn differences(found: &Comparison) -> Vec<(&'static str, String)> {
    let at = |pair: &Pair| {
        let [a, b] = ["A", "B"].map(|name| name.to_owned());
        let place =
            |name: String, line: Option<u64>| line.map_or(format!("the end of {name}"), |l| format!("{name}:{l}"));
        let [line_a, line_b] = [0, 1].map(|side| pair[side].as_ref().map(|decision| decision.line));
        format!("{} and {}", place(a, line_a), place(b, line_b))
    };
    let lines = |pair: &Pair| {
        let words = |side: usize| pair[side].as_ref().map_or("(over)".to_owned(), |decision| decision.text.clone());
        [("", format!("A  {}", words(0))), ("", format!("B  {}", words(1)))]
    };
    let equal = count(found.equal);
    let mut rows = vec![match found.verdict() {
        Verdict::Equal => ("decisions ", format!("equal: {equal}, in the same cycles")),
        Verdict::OtherCycles => ("decisions ", format!("equal: {equal}, but not in the same cycles")),
        Verdict::OtherDecisions => ("decisions ", "differ".to_owned()),
    }];
    if let Some(pair) = &found.cycle {
        rows.push(("", format!("first in other cycles at {}:", at(pair))));
        rows.extend(lines(pair));
    }
    if let Some(pair) = &found.decision {
        rows.push(("", format!("first differ at {}, behind {equal} that are equal:", at(pair))));
        rows.extend(lines(pair));
    }
    rows.push(match &found.order {
        None => ("order", "equal: TBs are sent in the same order".to_owned()),
        Some(pair) => ("order", format!("differs: TBs are sent in another order from {} on", at(pair))),
    });
    let placed = &found.placement;
    let all = placed.same + placed.moved;
    let only = |side: usize, name: &str| match placed.only(side) {
        0 => String::new(),
        number => format!("; {} only in {name}", count(number)),
    };
    let words = match placed.moved {
        0 => format!("each of the {} TBs of both on the same SMX", count(all)),
        moved => format!("{} of the {} TBs of both on another SMX", count(moved), count(all)),
    };
    let verdict = if placed.is_equal() { "equal" } else { "differs" };
    rows.push(("placement", format!("{verdict}: {words}{}{}", only(0, "A"), only(1, "B"))));
    rows
}

fn of_names(figures: &Figures, catalogue: &Catalogue) -> Option<String> {
    let names = by_time(figures, catalogue);
    let header = ["kernel or group", "launches", "TBs", "mean TB", "TB cycles", "mean wait", "mean time"];
    let mut rows = table::new(header.map(str::to_owned).to_vec(), &[Left, Right, Right, Right, Right, Right, Right]);
    let all = names.iter().map(|(_, of)| of.tbs.sum).fold(0, u64::saturating_add);
    for (name, of) in names.iter().take(MOST_NAMES) {
        let OfName { launches, tbs, wait, time } = of;
        let or_none = |figure: Option<String>| figure.unwrap_or_else(|| "-".to_owned());
        rows.add_row([
            shortened(name, LETTERS),
            count(*launches),
            count(tbs.count),
            or_none(mean(tbs)),
            or_none(percent(share(tbs.sum, all))),
            or_none(mean(wait)),
            or_none(mean(time)),
        ]);
    }
    let more = match names.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!("and {} more names (--json has them all)\n", count(more as u64)),
    };
    (!names.is_empty()).then(|| table::text(&rows) + &more)
}

fn of_smxs(figures: &Figures) -> Option<String> {
    let all = figures.smxs.len();
    if figures.starts == 0 || all > MOST_SMXS {
        return None;
    }
    let columns: [Column; 3] =
        [("with a TB", |smx| smx.busy), ("diverted", |smx| smx.diverted), ("low P-state", |smx| smx.low)];
    let columns = columns.into_iter().filter(|(name, figure)| *name == "with a TB" || figures.of_smxs(*figure) > 0);
    let columns: Vec<_> = columns.collect();
    let header = ["SMX", "TBs", "mean TBs at a time"].into_iter().chain(columns.iter().map(|(name, _)| *name));
    let alignment = vec![Right; 3 + columns.len()];
    let mut rows = table::new(header.map(str::to_owned).collect(), &alignment);
    for (number, smx) in figures.smxs.iter().enumerate() {
        let at_a_time = share(smx.tb_cycles, figures.cycles).map_or("-".to_owned(), |tbs| format!("{tbs:.2}"));
        let part =
            |figure: fn(&OfSmx) -> u64| percent(share(figure(smx), figures.cycles)).unwrap_or_else(|| "-".to_owned());
        let shares = columns.iter().map(|(_, figure)| part(*figure));
        rows.add_row([number.to_string(), count(smx.tbs), at_a_time].into_iter().chain(shares));
    }
    Some(table::text(&rows))
}

/// The beginning of a name that is longer than this.
pub fn shortened(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        return name.to_owned();
    }
    name.chars().take(letters - 2).chain("..".chars()).collect()
}
