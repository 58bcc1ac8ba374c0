//! The kinds of events (`hosts/gpgpu-sim/docs/log.md`, "Reports" and "Decisions"): which columns and keys each one has.

use super::line::{Event, Wrong};
use super::source::quoted;

/// A kind.
#[derive(Debug)]
pub struct Kind {
    pub name: &'static str,
    /// Not a report.
    pub is_decision: bool,
    /// `uid`, `tb`, `smx`, `slot`.
    columns: [Column; 4],
    keys: &'static [&'static str],
    /// The key by whose values events are counted apart, and these.
    split: Option<(&'static str, &'static [&'static str])>,
}

/// Whether a column holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Never,
    Ever,
    Maybe,
}

use Column::{Ever as X, Maybe as M, Never as N};

const fn report(name: &'static str, columns: [Column; 4], keys: &'static [&'static str]) -> Kind {
    Kind { name, is_decision: false, columns, keys, split: None }
}

const fn decision(name: &'static str, columns: [Column; 4], keys: &'static [&'static str]) -> Kind {
    Kind { name, is_decision: true, columns, keys, split: None }
}

impl Kind {
    const fn by(self, key: &'static str, values: &'static [&'static str]) -> Self {
        Self { split: Some((key, values)), ..self }
    }

    /// The kind of this name. `None`: a later one, which readers skip.
    pub fn of(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// Whether `event` has what one of this kind has.
    pub fn check(&self, event: &Event<'_>) -> Result<(), Wrong> {
        let there = [event.uid.is_some(), event.tb.is_some(), event.smx.is_some(), event.slot.is_some()];
        for ((name, wanted), there) in ["uid", "tb", "smx", "slot"].into_iter().zip(self.columns).zip(there) {
            match (wanted, there) {
                (X, false) => return Err(Wrong::new(format!("a number as `{name}` of `{}`", self.name), "`-`")),
                (N, true) => return Err(Wrong::new(format!("`-` as `{name}` of `{}`", self.name), "a number")),
                _ => {}
            }
        }
        for key in self.keys {
            event.keys.need(key)?;
        }
        self.part(event).map(|_| ())
    }

    /// The value by which events of this kind are counted apart.
    pub fn part(&self, event: &Event<'_>) -> Result<Option<&'static str>, Wrong> {
        let Some((key, values)) = self.split else { return Ok(None) };
        let found = event.keys.need(key)?;
        let known = values.iter().find(|value| **value == found);
        let wrong = || Wrong::new(format!("`{key}` to be {}", values.join(" or ")), quoted(found));
        known.map(|value| Some(*value)).ok_or_else(wrong)
    }
}

static KINDS: [Kind; 42] = [
    // A scheduler without slots, as the simulator's own, has none to tell.
    decision("tb", [X, X, X, M], &[]),
    report("start", [X, X, X, X], &[]),
    report("end", [X, X, X, X], &[]),
    report("kernel", [X, N, N, N], &["tbs", "threads", "name"]),
    report("launch", [X, X, X, X], &["parent", "as", "tbs", "threads", "name"]).by("as", &["kernel", "group"]),
    report("refuse", [X, X, X, N], &[]),
    report("done", [X, N, N, N], &[]),
    decision("bypass", [N, N, X, X], &[]),
    decision("issue", [X, N, N, N], &["from", "kde"]).by("from", &["hwq", "device", "suspended", "node"]),
    decision("arrive", [X, N, N, N], &["kde"]),
    decision("join", [X, N, N, N], &["part", "kde"]),
    decision("fall", [X, N, N, N], &["for"]).by("for", &["kde", "agt"]),
    decision("load", [N, N, N, N], &["rec"]),
    decision("unmark", [N, N, N, N], &["kde"]),
    decision("rotate", [N, N, N, N], &["kde"]),
    decision("group_done", [X, N, N, N], &["part"]),
    decision("kernel_done", [X, N, N, N], &["kde"]),
    decision("hwq_free", [N, N, N, N], &["queue"]),
    decision("stalled", [N, N, N, N], &[]),
    decision("saved", [N, X, X, X], &["part"]),
    decision("suspend", [X, N, N, N], &["kde", "place"]),
    decision("place", [X, N, N, N], &["in", "unit", "level"]).by("in", &["chip", "memory", "queue0"]),
    decision("lap", [N, N, N, N], &["stage", "level"]).by("stage", &["unit", "queue0", "backup"]),
    decision("refill", [X, N, N, N], &[]),
    decision("sample", [M, N, N, N], &[]),
    decision("divert", [N, N, X, N], &[]),
    decision("admit", [N, N, X, N], &[]),
    decision("pstate", [N, N, X, N], &["to"]).by("to", &["high", "down", "low", "up"]),
    decision("graph_done", [N, N, N, N], &["kde"]),
    decision("graph_fault", [N, N, N, N], &["kde", "fault", "node"])
        .by("fault", &["edge_order", "parent_underflow", "parent_excess"]),
    decision("graph_abort", [N, N, N, N], &["kde", "executing"]),
    decision("cluster", [N, N, N, N], &["kde", "cluster", "gpc", "tbs"]),
    decision("complete", [X, N, N, N], &[]),
    decision("tail", [X, N, N, N], &[]),
    decision("opened", [X, N, N, N], &["kde"]),
    decision("released", [N, N, X, X], &[]),
    decision("kgstart", [N, N, N, N], &["instance", "graph", "queue"]),
    decision("kgdone", [N, N, N, N], &["instance", "graph"]),
    decision("drained", [N, N, N, N], &["drain"]),
    decision("drain_end", [N, N, N, N], &["drain"]),
    decision("save", [N, N, N, N], &["kde", "until"]),
    decision("restore", [N, N, X, X], &["cycles"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay_log::line::Line;

    fn check(text: &str) -> Result<(), Wrong> {
        let Ok(Line::Event(event)) = Line::parse(text) else { panic!("{text}") };
        Kind::of(event.kind).unwrap().check(&event)
    }

    #[test]
    fn columns_and_keys_are_those_of_the_kind() {
        assert_eq!(check("0 sample - - - -").and(check("0 sample 4 - - -")), Ok(()));
        assert_eq!(check("0 tb 1 2 3 - part=age7").and(check("0 tb 1 2 3 0")), Ok(()));
        assert_eq!(check("0 end 1 2 3 -").unwrap_err().0, "a number as `slot` of `end`");
        assert_eq!(check("0 divert 1 - 3 -").unwrap_err().0, "`-` as `uid` of `divert`");
        assert_eq!(check("0 load - - - -").unwrap_err().0, "a key `rec`");
        assert_eq!(check("0 pstate - - 1 - to=off").unwrap_err().0, "`to` to be high or down or low or up");
        assert!(Kind::of("sleep").is_none());
    }

    #[test]
    fn every_kind_of_the_page_is_known() {
        let page = include_str!("../../../gpgpu-sim/docs/log.md");
        let rows = page.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 7);
        let names: Vec<&str> = rows
            .flat_map(|row| row.split('|').nth(1).unwrap().split(','))
            .map(|name| name.trim().trim_matches('`'))
            .collect();
        assert_eq!(names.len(), KINDS.len(), "{names:?}");
        assert!(names.iter().all(|name| Kind::of(name).is_some()), "{names:?}");
    }
}
