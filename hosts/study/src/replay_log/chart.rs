//! One log or two as a Gantt chart, coloured by the names of kernels.

use super::boxes::{Boxed, Row};
use super::catalogue::Catalogue;
use super::figures::share;
use super::log::Log;
use super::stretch::What;
use super::summary::{count, percent};
use super::text::shortened;
use crate::ask::Window;
use crate::plot::gantt::{Bar, Chart, Kin, Lane, Names, Panel, Unit};

/// Letters of a name in the legend, and of one beside the lanes.
const LETTERS: [usize; 2] = [30, 22];

/// The figure. Two logs have a time axis in common.
pub fn chart(logs: &[Log], catalogue: &Catalogue, window: Window) -> (Chart, Names) {
    let grain = logs.iter().filter_map(|log| log.boxes.as_ref()).map(|boxes| boxes.grain).max().unwrap_or(1);
    let joined = match grain {
        1 => String::new(),
        grain => format!("; neighbours shorter than {} cycles are drawn as one", count(grain)),
    };
    let end = logs.iter().map(|log| log.run.figures.cycles).max().unwrap_or(0);
    let to = window.to.unwrap_or(end).max(window.from + 1);
    let part = if window == Window::default() {
        String::new()
    } else {
        format!("cycles {} to {} of ", count(window.from), count(to))
    };
    let chart = Chart {
        title: "Which TB ran where".to_owned(),
        subtitle: format!("{part}{}{joined}", if logs.len() == 1 { "a decision log" } else { "two decision logs" }),
        unit: Unit::Part { from: window.from, to },
        panels: logs.iter().map(|log| panel(log, catalogue)).collect(),
    };
    let names = catalogue.names().iter().map(|name| shortened(name, LETTERS[0])).collect();
    (chart, Names(names))
}

fn panel(log: &Log, catalogue: &Catalogue) -> Panel {
    let figures = &log.run.figures;
    let file = log.name().rsplit(['/', '\\']).next().unwrap_or_default();
    let dispatch = log.run.headers.get("dispatch").map_or("", String::as_str);
    let attached = log.run.headers.get("attach").map_or("", String::as_str);
    let notes = [
        dispatch.to_owned(),
        if attached == "-" { String::new() } else { attached.to_owned() },
        format!("host kernels: {}", count(figures.host_kernels)),
        match figures.device_kernels + figures.groups {
            0 => String::new(),
            launches => format!("launches by TBs: {}", count(launches)),
        },
        format!("TBs: {}", count(figures.starts)),
    ];
    let mut lanes: Vec<Lane> =
        (0..figures.smxs.len()).map(|smx| Lane { name: format!("SMX {smx}"), bars: Vec::new() }).collect();
    for ((smx, row), boxes) in log.boxes.iter().flat_map(|boxes| &boxes.rows) {
        lanes[*smx as usize].bars.extend(boxes.iter().map(|one| bar(one, *smx, *row, catalogue)));
    }
    Panel {
        name: shortened(file, LETTERS[1]),
        notes: notes.into_iter().filter(|note| !note.is_empty()).map(|note| shortened(&note, LETTERS[1] + 8)).collect(),
        end: figures.cycles,
        lanes,
    }
}

fn bar(one: &Boxed, smx: u32, row: Row, catalogue: &Catalogue) -> Bar {
    let Boxed { from, to, .. } = *one;
    let when = format!("cycles {} to {}, {} in all", count(from), count(to), count(to - from));
    let (row, kin, name, tip) = match (row, one.what) {
        (Row::Slot(slot), What::Tb { uid, tb, name, ended, .. }) => {
            let called = &catalogue.names()[name];
            let kin = match one.main {
                What::Tb { name, is_child, .. } => Kin::Named { name, is_child },
                _ => Kin::Single,
            };
            let many = one.count > 1;
            let several = if one.alike { "" } else { " of several kernels" };
            let first = match one.count {
                1 => String::new(),
                tbs => format!("{} TBs{several}, the first of them ", count(tbs)),
            };
            let running = if ended { "" } else { "; still running at the end of the log" };
            let busy = match percent(share(one.busy, to - from)).filter(|_| many) {
                Some(busy) => format!("; {busy} of them with a TB"),
                None => String::new(),
            };
            let tip = format!("{first}TB {tb} of {uid} {called}: SMX {smx}, slot {slot}; {when}{busy}{running}");
            (slot, kin, if many { count(one.count) } else { format!("{uid}.{tb}") }, tip)
        }
        (Row::Diverted, _) => (0, Kin::Diverted, String::new(), format!("SMX {smx} diverted: {when}")),
        (_, _) => (0, Kin::Low, String::new(), format!("SMX {smx} in the low P-state: {when}")),
    };
    Bar { row, from, to, kin, taken: false, name, tip }
}
