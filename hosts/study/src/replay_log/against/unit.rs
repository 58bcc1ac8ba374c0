//! A kernel or group of a log: its shape, from the keys of its launch, and which of its TBs are unsent.

use super::super::line::{Event, Keys, Wrong};
use super::machine::Known;
use gpusched::{Resources, SmxId, UnitKey};
use std::ops::Range;

/// Launches of launches have no higher priority than this (frontend-F2).
const DEEPEST: u8 = 24;

/// Threads of a warp.
const WARP: u32 = 32;

/// One that is not done.
#[derive(Debug)]
pub struct Unit {
    /// When it became visible.
    pub key: Option<UnitKey>,
    /// Its place in a policy's tables, once it is visible.
    pub row: usize,
    pub is_group: bool,
    /// Whether its TBs start together in clusters.
    pub is_clustered: bool,
    pub tag: u64,
    /// Stream of the host launch that it descends from.
    pub stream: u32,
    /// Its own stream, where the log tells one: it waits there for those before it.
    pub own_stream: Option<u32>,
    /// Higher first.
    pub prio: u8,
    pub parent: Option<UnitKey>,
    /// SMX of the TB that launched it.
    pub psmx: Option<SmxId>,
    /// What a TB takes.
    pub res: Resources,
    pub total: u32,
    /// Numbers of TBs that are unsent, in order. More than one range if the log does not go by number.
    pub unsent: Vec<Range<u32>>,
    pub running: u32,
}

impl Unit {
    /// From the line of its launch.
    pub fn of(event: &Event<'_>, known: &Known, parent: Option<&Self>) -> Result<Self, Wrong> {
        let keys = event.keys;
        let counted = |name: &str, counted: bool| match (counted, keys.get(name)) {
            (false, _) => Ok(0),
            (true, Some(_)) => small(keys, name),
            (true, None) => Err(Wrong::new(format!("a key `{name}`, as the machine has a limit of it"), "none")),
        };
        let maybe = |name: &str| keys.get(name).map(|_| small(keys, name)).transpose();
        let (total, own_stream, threads) = (small(keys, "tbs")?, maybe("stream")?, small(keys, "threads")?);
        let res = Resources {
            threads: if known.warps { threads.div_ceil(WARP).saturating_mul(WARP) } else { threads },
            regs: counted("regs", known.regs)?,
            smem: counted("smem", known.smem)?,
            slots: 1,
        };
        let is_child = event.kind == "launch";
        let prio = match (maybe("prio")?, parent) {
            (Some(prio), _) => {
                let wrong = |_| Wrong::new("a number below 256 as `prio`", prio.to_string());
                u8::try_from(prio).map_err(wrong)?
            }
            (None, Some(parent)) => DEEPEST.min(parent.prio.saturating_add(1)),
            (None, None) => 0,
        };
        let tag = match keys.get("tag") {
            Some(_) => keys.number("tag")?,
            None if known.tags => return Err(Wrong::new("a key `tag`, as the policy goes by it", "none")),
            None => 0,
        };
        Ok(Self {
            key: None,
            row: 0,
            is_group: keys.get("as") == Some("group"),
            is_clustered: maybe("cluster")?.is_some_and(|tbs| tbs > 1),
            tag,
            stream: own_stream.or(parent.map(|parent| parent.stream)).unwrap_or_default(),
            own_stream,
            prio,
            parent: parent.and_then(|parent| parent.key),
            psmx: event.smx.filter(|_| is_child).map(|smx| SmxId(smx as u16)),
            res,
            total,
            unsent: std::iter::once(0..total).collect(),
            running: 0,
        })
    }

    /// A TB is sent.
    pub fn send(&mut self, tb: u32) {
        self.running += 1;
        let Some(place) = self.unsent.iter().position(|tbs| tbs.contains(&tb)) else { return };
        let Range { start, end } = self.unsent[place].clone();
        let kept = [start..tb, tb + 1..end].into_iter().filter(|tbs| !tbs.is_empty());
        self.unsent.splice(place..=place, kept);
    }
}

/// A number below 2^32.
fn small(keys: Keys<'_>, name: &str) -> Result<u32, Wrong> {
    let number = keys.number(name)?;
    u32::try_from(number).map_err(|_| Wrong::new(format!("a number below 2^32 as `{name}`"), number.to_string()))
}
