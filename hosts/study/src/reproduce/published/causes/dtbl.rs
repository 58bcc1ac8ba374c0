//! Of device launches.

use super::super::claim::{Figure, Unit};
use super::super::measured::{Figures, Measured};
use super::{least, mean, most, number, share};

/// Groups that spill from the AGT cost a round trip to memory each.
pub fn records(measured: &Measured, _: &[&str]) -> Option<String> {
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
pub fn unbalanced(measured: &Measured, _: &[&str]) -> Option<String> {
    let of_hubs = hubs(measured, "clr_graph500")?;
    let uniform = mean(measured, &["clr_uniform"], Figure::Over(("flat", "cycles"), ("dtbl", "cycles")), Unit::Times);
    let uniform = uniform.map_or_else(String::new, |speedup| {
        format!("; on a graph of uniform degree, as the source describes its graph500, DTBL is at {speedup:.2}x")
    });
    Some(of_hubs + &uniform)
}

/// Of the stand-in for flights.
pub fn flights(measured: &Measured, _: &[&str]) -> Option<String> {
    hubs(measured, "sssp_flight")
}

/// What launches can gain of lanes, in the benchmark of which the source reports much.
pub fn lanes(measured: &Measured, _: &[&str]) -> Option<String> {
    let flat = share(measured, &["join_gaussian"], ("flat", "warp_activity"))?;
    Some(format!("flat join_gaussian has {flat:.0}% of its lanes active already, so that launches have little to gain"))
}

/// An index that few threads share spills at any size of the table.
pub fn few_numbers(measured: &Measured, _: &[&str]) -> Option<String> {
    let of_sizes = |figures: &Figures| {
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

/// An SMX holds 16 TBs, however small they are.
pub fn small_tbs(measured: &Measured, _: &[&str]) -> Option<String> {
    let [bht, amr] = ["bht", "amr"].map(|name| {
        let [cdpi, dtbli] = ["cdpi", "dtbli"].map(|way| share(measured, &[name], (way, "smx_occupancy")));
        Some(format!("from {:.1}% with CDPI to {:.1}% with DTBLI", cdpi?, dtbli?))
    });
    Some(format!(
        "an SMX holds 16 TBs: bht's children, of 32 threads each (workloads-BH4), take at most 25% of its warp slots, amr's, of 64 (workloads-AM4), \
         50%; bht goes {}, amr {}",
        bht?, amr?
    ))
}

/// What a figure of DTBL is against CDP's if no group spills.
fn without_spilling(measured: &Measured, names: &[&str], figure: Figure, unit: Unit) -> Option<String> {
    let waits = Figure::Over(("dtbl", "record_wait_cycles"), ("dtbl", "cycles"));
    Some(format!(
        "the scheduler waits for groups' records in memory, one after the other (dtbl-H2), in {:.0}% of DTBL's cycles; with an entry of the AGT \
         for every thread it is {}",
        100.0 * mean(measured, names, waits, Unit::Share)?,
        unit.text(mean(measured, names, figure, unit)?)
    ))
}

/// Of SMX occupancy.
pub fn occupancy(measured: &Measured, of: &[&str]) -> Option<String> {
    let figure = Figure::Less(("agt of all", "smx_occupancy"), ("cdp", "smx_occupancy"));
    without_spilling(measured, of, figure, Unit::Points)
}

const WAITING: Figure = Figure::Change(("agt of all", "waiting_cycles"), ("cdp", "waiting_cycles"));

/// Of how long launches wait.
pub fn waiting(measured: &Measured, of: &[&str]) -> Option<String> {
    without_spilling(measured, of, WAITING, Unit::Change)
}

/// Coalescing gains nothing where 32 kernels fill the GPU, and something where they do not.
pub fn not_full(measured: &Measured, of: &[&str]) -> Option<String> {
    let [cdpi, dtbli] = ["cdpi", "dtbli"].map(|way| share(measured, of, (way, "smx_occupancy")));
    Some(format!(
        "32 kernels of {:.0} threads run at a time under CDPI and take {:.1}% of warp slots, groups under DTBLI {:.1}%: they do not fill the GPU, \
         which in the source is why nothing changes",
        mean(measured, of, Figure::Of(("cdpi", "threads_per_launch")), Unit::Number)?,
        cdpi?,
        dtbli?
    ))
}

/// In the source launches of clr_graph500 wait for others to end; on an empty GPU they wait for being launched.
pub fn empty(measured: &Measured, _: &[&str]) -> Option<String> {
    let name = "clr_graph500";
    Some(format!(
        "in the source launches wait until others leave a full GPU, which takes longer than launching; here {:.1}% of warp slots are taken under \
         DTBL and {:.0} launches are pending at most, so that what they wait for is being launched",
        share(measured, &[name], ("dtbl", "smx_occupancy"))?,
        number(measured, name, ("dtbl", "pending_peak"))?
    ))
}

/// What each size of the table holds in the benchmark that gains most by it, and in those that the source names.
pub fn hits_by_size(measured: &Measured, _: &[&str]) -> Option<String> {
    let (top, _) = most(measured, &[], Figure::Over(("agt 512", "cycles"), ("dtbl", "cycles")))?;
    let hits = |name: &str| {
        let [small, usual] = ["agt 512", "dtbl"].map(|way| share(measured, &[name], (way, "agt_hit_rate")));
        Some(format!("{name} from {:.1}% to {:.1}%", small?, usual?))
    };
    Some(format!(
        "with 1024 entries in place of 512 hits go in {}, in {}, in {}: the index is the hardware thread's number within its SMX, and more entries \
         help only where threads with high numbers launch, not where many launches have the same number",
        hits(top)?,
        hits("bht")?,
        hits("regx_string")?
    ))
}

/// Many that wait find no entry; in the source they are many in clr_graph500.
pub fn few_pending(measured: &Measured, _: &[&str]) -> Option<String> {
    let of = |name: &str| {
        let pending = number(measured, name, ("dtbl", "pending_peak"))?;
        Some(format!("{pending:.0} and {:.1}%", share(measured, &[name], ("dtbl", "agt_hit_rate"))?))
    };
    let (lowest, _) = least(measured, &[], Figure::Of(("dtbl", "agt_hit_rate")))?;
    Some(format!(
        "hits are few where many launches wait at once: at most {} in {lowest}, {} in regx_darpa, {} in clr_graph500",
        of(lowest)?,
        of("regx_darpa")?,
        of("clr_graph500")?
    ))
}

/// What the source's drop comes from is not done here (workloads-A5).
pub fn all_of_cage(measured: &Measured, _: &[&str]) -> Option<String> {
    let [flat, dtbl] = ["flat", "dtbl"].map(|mode| share(measured, &["clr_cage15"], (mode, "warp_activity")));
    Some(format!(
        "in the source launching for some vertices and not for others breaks a balance; with its threshold none of this graph's launch, and here \
         all with 16 neighbours do (workloads-A5), which takes warps from {:.0}% of active lanes to {:.0}%",
        flat?, dtbl?
    ))
}

/// How many command cycles nothing is moved in for each row that is opened. A burst takes two command cycles.
fn idle_per_row(measured: &Measured, way: &'static str) -> Option<f64> {
    let idle = |(_, figures): (&str, &Figures)| {
        let of = |key: &str| figures.get(way)?.get(key).copied();
        let idle = (1.0 / of("dram_efficiency")? - 2.0) / (1.0 - of("dram_row_hit_rate")?);
        idle.is_finite().then_some(idle)
    };
    let all: Vec<f64> = measured.of(&[]).filter_map(idle).collect();
    (!all.is_empty()).then(|| Unit::Number.mean(&all))
}

/// DRAM waits for each row by itself if nothing else is asked of it meanwhile.
pub fn one_at_a_time(measured: &Measured, _: &[&str]) -> Option<String> {
    let [flat, cdp, dtbl] = ["flat", "cdp", "dtbl"].map(|way| idle_per_row(measured, way));
    Some(format!(
        "DRAM has little to do, {:.1}% of its bandwidth when flat, {:.1}% under CDP, {:.1}% under DTBL: opening a row leaves it idle for {:.0} command \
         cycles when flat, where warps ask all at once, for {:.0} and {:.0} with launches, which come one after the other, while as many requests find \
         their row open",
        share(measured, &[], ("flat", "dram_bandwidth_use"))?,
        share(measured, &[], ("cdp", "dram_bandwidth_use"))?,
        share(measured, &[], ("dtbl", "dram_bandwidth_use"))?,
        flat?,
        cdp?,
        dtbl?
    ))
}

/// What the benchmark does that launching without latency slows most.
pub fn slowed(measured: &Measured, _: &[&str]) -> Option<String> {
    let (name, _) = least(measured, &[], Figure::Over(("flat", "cycles"), ("cdpi", "cycles")))?;
    let work = Figure::Over(("cdpi", "warp_instructions"), ("flat", "warp_instructions"));
    Some(format!(
        "{name} is the slowest: with its launches it issues {:.1}x the warp instructions of flat, and 32 kernels of {:.0} threads at a time take {:.1}% \
         of warp slots",
        mean(measured, &[name], work, Unit::Times)?,
        number(measured, name, ("cdpi", "threads_per_launch"))?,
        share(measured, &[name], ("cdpi", "smx_occupancy"))?
    ))
}

/// What the benchmark does that loses most lanes to launches.
pub fn lost_lanes(measured: &Measured, _: &[&str]) -> Option<String> {
    let (name, _) = least(measured, &[], Figure::Less(("cdpi", "warp_activity"), ("flat", "warp_activity")))?;
    let [flat, cdpi] = ["flat", "cdpi"].map(|mode| share(measured, &[name], (mode, "warp_activity")));
    let why = match name {
        "bht" => {
            ": the bodies of a warp, neighbours, walk alike when flat; a thread of a child walks on from a node of its own, and those that are done \
             wait for the longest walk (workloads-BH4)"
        }
        _ => ", which leaves little to gain",
    };
    Some(format!("{name} has least: {:.1}% of lanes when flat, {:.1}% with launches{why}", flat?, cdpi?))
}

/// What is left to gain for expressions.
pub fn hits_when_flat(measured: &Measured, of: &[&str]) -> Option<String> {
    let [l1, l2] = ["l1_hit_rate", "l2_hit_rate"].map(|key| share(measured, of, ("flat", key)));
    Some(format!(
        "when flat {:.1}% of accesses hit in L1, and {:.1}% of the others in L2: launches can only add some that nothing has touched before, such as \
         their parameters",
        l1?, l2?
    ))
}
