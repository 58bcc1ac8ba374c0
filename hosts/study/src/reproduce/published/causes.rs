//! Why some statements of a source do not come out here, each from what was counted in the runs. Nothing is told of what was not run.

use super::claim::{Counted, Figure, Unit};
use super::measured::Measured;

/// The mean of a figure over these benchmarks, or over all of the source's.
fn mean(measured: &Measured, names: &[&str], figure: Figure, unit: Unit) -> Option<f64> {
    let values: Vec<f64> = measured.of(names).filter_map(|(_, figures)| figure.of(figures)).collect();
    (!values.is_empty()).then(|| unit.mean(&values))
}

fn share(measured: &Measured, names: &[&str], counted: Counted) -> Option<f64> {
    mean(measured, names, Figure::Of(counted), Unit::Share).map(|share| 100.0 * share)
}

/// Groups that spill from the AGT cost a round trip to memory each.
pub fn records(measured: &Measured) -> Option<String> {
    let waits = Figure::Over(("dtbl", "record_wait_cycles"), ("dtbl", "cycles"));
    let waits = 100.0 * mean(measured, &[], waits, Unit::Share)?;
    let speedup = Figure::Over(("flat", "cycles"), ("agt of all", "cycles"));
    let speedup = mean(measured, &[], speedup, Unit::Times)?;
    Some(format!(
        "the scheduler waits for groups' records in memory in {waits:.0}% of DTBL's cycles, since {:.0}% of groups find their entry of the AGT \
         free; with an entry for every thread of the GPU, all else equal, DTBL is {speedup:.2}x as fast as flat",
        share(measured, &[], ("dtbl", "agt_hit_rate"))?
    ))
}

/// A thread that loops over the neighbours of a hub holds its warp, which a launch puts an end to.
fn hubs(measured: &Measured, name: &str) -> Option<String> {
    let launches = mean(measured, &[name], Figure::Of(("dtbl", "launches")), Unit::Number)?;
    let [flat, dtbl] = ["flat", "dtbl"].map(|mode| share(measured, &[name], (mode, "warp_activity")));
    Some(format!(
        "the stand-in has hubs: {launches:.0} launches take warps from {:.0}% of active lanes, when flat, to {:.0}%",
        flat?, dtbl?
    ))
}

/// Of a Kronecker graph; the source describes a balanced one (workloads-A4).
pub fn unbalanced(measured: &Measured) -> Option<String> {
    let of_hubs = hubs(measured, "clr_graph500")?;
    let uniform = mean(measured, &["clr_uniform"], Figure::Over(("flat", "cycles"), ("dtbl", "cycles")), Unit::Times);
    let uniform = uniform.map_or_else(String::new, |speedup| {
        format!("; on a graph of uniform degree, as the source describes its graph500, DTBL is at {speedup:.2}x")
    });
    Some(of_hubs + &uniform)
}

/// Of the stand-in for flights.
pub fn flights(measured: &Measured) -> Option<String> {
    hubs(measured, "sssp_flight")
}

/// What launches can gain of lanes, in the benchmark of which the source reports much.
pub fn lanes(measured: &Measured) -> Option<String> {
    let flat = share(measured, &["join_gaussian"], ("flat", "warp_activity"))?;
    Some(format!("flat join_gaussian has {flat:.0}% of its lanes active already, so that launches have little to gain"))
}

/// An index that few threads share spills at any size of the table.
pub fn few_numbers(measured: &Measured) -> Option<String> {
    let of_sizes = |figures: &super::measured::Figures| {
        let hits = |way: &str| figures.get(way)?.get("agt_hit_rate").copied();
        Some([hits("agt 512")?, hits("dtbl")?, hits("agt 2048")?])
    };
    let all: Vec<[f64; 3]> = measured.of(&[]).filter_map(|(_, figures)| of_sizes(figures)).collect();
    let same = all.iter().filter(|[small, usual, large]| small == usual && usual == large).count();
    let taken = share(measured, &[], ("dtbl", "smx_occupancy"))?;
    Some(format!(
        "in {same} of {} benchmarks that launch, tables of 512, 1024 and 2048 entries have the same hits: the index is the hardware thread's \
         number within its SMX, and with {taken:.0}% of warp slots taken those that launch have low numbers",
        all.len()
    ))
}

/// A ratio that falls with the number of siblings.
pub fn many_siblings(measured: &Measured) -> Option<String> {
    let own = share(measured, &[], ("footprint", "siblings_own"))?;
    Some(format!(
        "the source's ratio, of the blocks of all siblings, falls with their number; of a child's own blocks {own:.0}% are its siblings', too"
    ))
}

/// What SMX-Bind costs.
pub fn uneven(measured: &Measured) -> Option<String> {
    let balance = |way| mean(measured, &[], Figure::Of((way, "instruction_balance")), Unit::Number);
    Some(format!(
        "under SMX-Bind the busiest SMX issues {:.2}x of the mean, under RR {:.2}x, and {}",
        balance("smx-bind")?,
        balance("rr")?,
        room(measured)?
    ))
}

/// What persistent threads do without.
pub fn no_launches(measured: &Measured) -> Option<String> {
    let names = &["bfs_citation"];
    let over = |way| mean(measured, names, Figure::Over((way, "cycles"), ("pt", "cycles")), Unit::Times);
    Some(format!(
        "persistent threads launch nothing; with no launch latency DTBL would take {:.2}x of their time. They take {:.0}% of warp slots, DTBL {:.0}%",
        over("ideal")?,
        share(measured, names, ("pt", "smx_occupancy"))?,
        share(measured, names, ("base", "smx_occupancy"))?
    ))
}

/// What L2 can gain at most by another order of TBs.
pub fn fits_l2(measured: &Measured) -> Option<String> {
    Some(format!(
        "the inputs nearly fit in L2: {:.1}% of accesses hit under RR with DTBL, {:.1}% with CDP",
        share(measured, &[], ("rr", "l2_hit_rate"))?,
        share(measured, &[], ("rr cdp", "l2_hit_rate"))?
    ))
}

/// What L1 can gain at most by where children run.
pub fn little_of_a_parent(measured: &Measured) -> Option<String> {
    Some(format!(
        "of the blocks that a child loads, {:.1}% are loaded by its parent and by no other TB of the parent's kernel (mean): where it runs \
         matters for these alone",
        share(measured, &[], ("footprint", "own_parent_loads"))?
    ))
}

/// SMXs have room, so that nothing waits for its turn.
pub fn room(measured: &Measured) -> Option<String> {
    Some(format!(
        "TBs of a launch seldom compete: {:.0}% of warp slots are taken under RR with DTBL, {:.0}% with CDP; {}",
        share(measured, &[], ("rr", "smx_occupancy"))?,
        share(measured, &[], ("rr cdp", "smx_occupancy"))?,
        fits_l2(measured)?
    ))
}
