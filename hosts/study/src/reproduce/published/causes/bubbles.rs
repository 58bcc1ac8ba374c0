//! Of occupancy bubbles.

use super::super::bubbles::GROUP_1;
use super::super::claim::{Figure, Unit};
use super::super::measured::Measured;
use super::{least, mean, most, number, share};

/// What persistent threads do without.
pub fn no_launches(measured: &Measured, _: &[&str]) -> Option<String> {
    let names = &["bfs_citation"];
    let over = |way| mean(measured, names, Figure::Over((way, "cycles"), ("pt", "cycles")), Unit::Times);
    Some(format!(
        "persistent threads launch nothing; with no launch latency DTBL would take {:.2}x of their time. They take {:.0}% of warp slots, DTBL {:.0}%",
        over("ideal")?,
        share(measured, names, ("pt", "smx_occupancy"))?,
        share(measured, names, ("base", "smx_occupancy"))?
    ))
}

/// Those of group 2 that are not searches of a graph.
const COARSE_OR_MANY: &[&str] = &["pre", "regx_darpa", "regx_string", "join_uniform"];
const GRAPHS: &[&str] = &["bfs_graph500", "clr_graph500", "sssp_graph500"];

/// What is left of group 2's bubbles if nothing waits for being launched.
pub fn launching(measured: &Measured, _: &[&str]) -> Option<String> {
    let bubbles = |names: &[&str], way| share(measured, names, (way, "bubble_share"));
    let of =
        |names: &[&str]| Some(format!("{:.1}% in place of {:.1}%", bubbles(names, "ideal")?, bubbles(names, "base")?));
    Some(format!(
        "where launches are many or large, SMXs wait for them to be launched: without latency pre, regx and join_uniform have bubbles in {} of the time; \
         bfs, clr and sssp on graph500 have {}, with {:.0}% of warp slots taken then",
        of(COARSE_OR_MANY)?,
        of(GRAPHS)?,
        share(measured, GRAPHS, ("ideal", "smx_occupancy"))?
    ))
}

/// Time in bubbles, and what is saved, of a benchmark.
fn saved(measured: &Measured, name: &str) -> Option<String> {
    let saved = mean(measured, &[name], Figure::Change(("on", "energy_mj"), ("base", "energy_mj")), Unit::Change)?;
    Some(format!(
        "{name} has bubbles in {:.1}% of its time ({})",
        share(measured, &[name], ("base", "bubble_share"))?,
        Unit::Change.text(saved)
    ))
}

/// Who has bubbles saves, and those are others here.
pub fn others_have_more(measured: &Measured, _: &[&str]) -> Option<String> {
    let (top, _) = least(measured, &[], Figure::Change(("on", "energy_mj"), ("base", "energy_mj")))?;
    Some(format!("who has more bubbles saves more: {}, {}", saved(measured, top)?, saved(measured, "join_gaussian")?))
}

/// Why bht is not the one that saves least.
pub fn long_bubbles(measured: &Measured, _: &[&str]) -> Option<String> {
    let (last, _) = most(measured, GROUP_1, Figure::Change(("on", "energy_mj"), ("base", "energy_mj")))?;
    Some(format!(
        "who has few bubbles saves little: {}; {}, and they are long, so that its SMXs sleep in {:.1}% of it",
        saved(measured, last)?,
        saved(measured, "bht")?,
        share(measured, &["bht"], ("on", "low_share"))?
    ))
}

/// How long SMXs of a benchmark sleep, and how its work lies on them before some sleep, and then.
fn gathered(measured: &Measured, name: &str) -> Option<String> {
    let [base, on] = ["base", "on"].map(|way| number(measured, name, (way, "instruction_balance")));
    let time = mean(measured, &[name], Figure::Change(("on", "time_us"), ("base", "time_us")), Unit::Change)?;
    Some(format!(
        "{name} ({} of time) has SMXs sleep in {:.1}% of it where {:.1}% was in bubbles, and its busiest issues {:.2}x of the mean, {:.2}x before",
        Unit::Change.text(time),
        share(measured, &[name], ("on", "low_share"))?,
        share(measured, &[name], ("base", "bubble_share"))?,
        on?,
        base?
    ))
}

/// Those that stay awake do the work of those that sleep.
pub fn gather(measured: &Measured, _: &[&str]) -> Option<String> {
    let (top, _) = most(measured, GROUP_1, Figure::Change(("on", "time_us"), ("base", "time_us")))?;
    Some(format!(
        "SMXs are called back one at a time once the others are full, who until then do their work: {}; {}; {}",
        gathered(measured, top)?,
        gathered(measured, "bht")?,
        gathered(measured, "bfs_citation")?
    ))
}

/// In the source bubbles of bht are short, and a slow regulator misses them.
pub fn not_drained(measured: &Measured, _: &[&str]) -> Option<String> {
    let name = &["bht"];
    let [fast, slow] = ["on", "slow"].map(|way| share(measured, name, (way, "low_share")));
    let loss = mean(measured, name, Figure::Change(("on", "time_us"), ("base", "time_us")), Unit::Change)?;
    Some(format!(
        "in the source bht loses 17.4% with P = 500, some of which a slow regulator spares; here it loses {:.1}%, as {:.0}% of its drainings are given up \
         and SMXs sleep mostly when they have no TB left: in {:.1}% of the time with P = 500, in {:.1}% with 10000",
        100.0 * loss,
        100.0 - share(measured, name, ("on", "drained_share"))?,
        fast?,
        slow?
    ))
}

/// With or without draining an SMX in a bubble is empty soon.
pub fn soon_empty(measured: &Measured, of: &[&str]) -> Option<String> {
    let [on, off] = ["on", "no draining"].map(|way| share(measured, of, (way, "low_share")));
    Some(format!(
        "TBs that a bubble finds are few and end soon, where the source's execute for long: SMXs sleep in {:.1}% of {}'s time with draining, in {:.1}% \
         without, which is all the difference",
        on?,
        of.join(", "),
        off?
    ))
}

/// There is hardly anything to lose.
pub fn few_bubbles(measured: &Measured, of: &[&str]) -> Option<String> {
    Some(format!(
        "SMXs sleep in {:.1}% of the time, of which {:.1}% is in bubbles: what that costs is less than is told as an effect",
        share(measured, of, ("on", "low_share"))?,
        share(measured, of, ("base", "bubble_share"))?
    ))
}
