//! Of where TBs run.

use super::super::claim::{Figure, Unit};
use super::super::measured::Measured;
use super::{mean, most, share};
use gpusched::Config;

/// A ratio that falls with the number of siblings.
pub fn many_siblings(measured: &Measured, _: &[&str]) -> Option<String> {
    let own = share(measured, &[], ("footprint", "siblings_own"))?;
    Some(format!(
        "the source's ratio, of the blocks of all siblings, falls with their number; of a child's own blocks {own:.0}% are its siblings', too"
    ))
}

/// What SMX-Bind costs.
pub fn uneven(measured: &Measured, _: &[&str]) -> Option<String> {
    let balance = |way| mean(measured, &[], Figure::Of((way, "instruction_balance")), Unit::Number);
    Some(format!(
        "under SMX-Bind the busiest SMX issues {:.2}x of the mean, under RR {:.2}x, and {}",
        balance("smx-bind")?,
        balance("rr")?,
        room(measured, &[])?
    ))
}

/// What L2 can gain at most by another order of TBs.
fn fits_l2(measured: &Measured) -> Option<String> {
    Some(format!(
        "the inputs nearly fit in L2: {:.1}% of accesses hit under RR with DTBL, {:.1}% with CDP",
        share(measured, &[], ("rr", "l2_hit_rate"))?,
        share(measured, &[], ("rr cdp", "l2_hit_rate"))?
    ))
}

/// What L1 can gain at most by where children run.
pub fn little_of_a_parent(measured: &Measured, _: &[&str]) -> Option<String> {
    Some(format!(
        "of the blocks that a child loads, {:.1}% are loaded by its parent and by no other TB of the parent's kernel (mean): where it runs \
         matters for these alone",
        share(measured, &[], ("footprint", "own_parent_loads"))?
    ))
}

/// SMXs have room, so that nothing waits for its turn.
pub fn room(measured: &Measured, _: &[&str]) -> Option<String> {
    Some(format!(
        "TBs of a launch seldom compete: {:.0}% of warp slots are taken under RR with DTBL, {:.0}% with CDP; {}",
        share(measured, &[], ("rr", "smx_occupancy"))?,
        share(measured, &[], ("rr cdp", "smx_occupancy"))?,
        fits_l2(measured)?
    ))
}

/// How much of the time of a policy under CDP the KMU takes to pass one kernel after the other.
fn passing(measured: &Measured, way: &'static str) -> Option<f64> {
    let launches = Figure::Over((way, "launches"), (way, "cycles"));
    Some(100.0 * f64::from(Config::K20C.kmu_interval) * mean(measured, &[], launches, Unit::Share)?)
}

/// Under CDP time is that of launching.
pub fn paced(measured: &Measured, _: &[&str]) -> Option<String> {
    Some(format!(
        "the KMU passes a kernel every {} cycles (dtbl-A2), which alone is {:.0}% of the time with CDP: which SMX takes a TB matters little, as {:.0}% of \
         warp slots are taken",
        Config::K20C.kmu_interval,
        passing(measured, "smx-bind cdp")?,
        share(measured, &[], ("rr cdp", "smx_occupancy"))?
    ))
}

/// What Adaptive-Bind gains in one benchmark, and what there was to hide.
fn gain(measured: &Measured, name: &str) -> Option<String> {
    let less = |key: &'static str| Figure::Less(("adaptive-bind", key), ("rr", key));
    Some(format!(
        "{name} {:+.1} points of L1 hits and {:+.0} cycles of a load, with {:.0}% of warp slots taken",
        100.0 * mean(measured, &[name], less("l1_hit_rate"), Unit::Points)?,
        mean(measured, &[name], less("load_latency_cycles"), Unit::Difference)?,
        share(measured, &[name], ("rr", "smx_occupancy"))?
    ))
}

/// Where loads that come sooner are not hidden by other warps anyway.
pub fn hidden(measured: &Measured, _: &[&str]) -> Option<String> {
    let (top, _) = most(measured, &[], Figure::Over(("adaptive-bind", "ipc_thread"), ("rr", "ipc_thread")))?;
    Some(format!(
        "what is gained depends on what other warps hide: {} gains less than {}",
        gain(measured, "sssp_cage15")?,
        gain(measured, top)?
    ))
}
