//! What the figures of a suite say about why its means are as they are. A note is worked out from the rows, so it says what was
//! measured, for the kernels that were run.

use super::kernels::Row;
use super::quantity::{
    BANDWIDTH, ENERGY, L1_HITS, LSU_STALLS, MEMORY_ENERGY, OCCUPANCY, PEAK_IPC, Quantity, REPLIES, SM_LOW, SPEEDUP,
};

/// A sentence, if there are rows that it is about.
pub type Note = fn(&[Row]) -> Option<String>;

/// Shares from which a resource is busy. DRAM needs the rest of its time for activations and to turn its bus.
const BUSY: [(&Quantity, f64); 3] = [(&BANDWIDTH, 0.65), (&REPLIES, 0.7), (&PEAK_IPC, 0.85)];
/// L1 hit rates that differ by less are the same.
const SAME_HITS: f64 = 0.05;

fn mean<'a>(rows: impl Iterator<Item = &'a Row>, policy: &str, quantity: &Quantity) -> Option<f64> {
    let values: Vec<f64> = rows.filter_map(|row| row.figure(policy, quantity)).collect();
    (!values.is_empty()).then(|| quantity.mean.of(&values))
}

/// Whether a resource is busy under `base`, and another policy changes nothing about what is asked of it.
fn is_bound(row: &Row, base: &str, policy: &str) -> bool {
    let hits = |policy| row.figure(policy, &L1_HITS).unwrap_or(0.0);
    let busy = |(quantity, least): &(&Quantity, f64)| row.figure(base, quantity).is_some_and(|share| share >= *least);
    BUSY.iter().any(busy) && (hits(base) - hits(policy)).abs() < SAME_HITS
}

/// Where a resource is busy and L1 hits as often, an order of warps has nothing to gain.
pub fn bound(rows: &[Row]) -> Option<String> {
    bound_under("mascar", rows)
}

/// The same of the oldest first.
pub fn bound_under_gto(rows: &[Row]) -> Option<String> {
    bound_under("gto", rows)
}

fn bound_under(policy: &str, rows: &[Row]) -> Option<String> {
    let intensive = || rows.iter().filter(|row| row.group != "compute");
    let (bound, free): (Vec<&Row>, Vec<&Row>) = intensive().partition(|row| is_bound(row, "lrr", policy));
    let of = |rows: &[&Row]| mean(rows.iter().copied(), policy, &SPEEDUP);
    let names = bound.iter().map(|row| row.kernel).collect::<Vec<_>>().join(", ");
    let others =
        of(&free).map_or_else(String::new, |speedup| format!("; {speedup:.2}x in the others ({})", free.len()));
    let [dram, replies, ipc] = BUSY.map(|(_, least)| 100.0 * least);
    Some(format!(
        "{policy} is at {:.2}x in {names}: under lrr these use {dram:.0}% of DRAM's bandwidth, {replies:.0}% of the reply ports or \
         {ipc:.0}% of the issue slots, or more, and {policy} does not change their L1 hit rates{others}",
        of(&bound)?,
    ))
}

/// TBs of equal work end together under a round robin, and one after the other if the oldest goes first.
pub fn tails(rows: &[Row]) -> Option<String> {
    let of =
        |policy| mean(rows.iter().filter(|row| row.group == "compute"), policy, &OCCUPANCY).map(|share| 100.0 * share);
    let (lrr, gto, mascar) = (of("lrr")?, of("gto")?, of("mascar")?);
    Some(format!(
        "over compute kernels {lrr:.1}% of the warp slots are taken under lrr, {gto:.1}% under gto, {mascar:.1}% under mascar: TBs \
         of equal work end together in turn, but one after the other if the oldest goes first, and the last leave the SM empty"
    ))
}

/// Prefetches need MSHRs as loads do.
pub fn mshrs(rows: &[Row]) -> Option<String> {
    let of = |policy| mean(rows.iter(), policy, &LSU_STALLS).map(|share| 100.0 * share);
    let (simt, mta, apogee) = (of("simt-32")?, of("mta-32")?, of("apogee-4")?);
    Some(format!(
        "L1 refuses an access for want of an MSHR in {simt:.0}% of the cycles of simt-32, {mta:.0}% of mta-32 and {apogee:.0}% of \
         apogee-4: loads of 32 warps take every MSHR, so that mta-32 has none to fetch ahead with"
    ))
}

/// What the memory at -15 % can save is what it takes where little is loaded.
pub fn standby(rows: &[Row]) -> Option<String> {
    let compute = || rows.iter().filter(|row| row.group == "compute");
    let share = mean(compute(), "gto", &MEMORY_ENERGY)?;
    Some(format!(
        "DRAM, L2 and network take {:.1}% of the energy of compute kernels at normal levels, standby included: at -15 % of voltage \
         the memory can save 28% of that at most",
        100.0 * share
    ))
}

/// Nothing raises the SMs again that the votes of the first loads have lowered.
pub fn lowered(rows: &[Row]) -> Option<String> {
    let compute = || rows.iter().filter(|row| row.group == "compute");
    let speedup = |row: &&Row| row.figure("energy", &SPEEDUP);
    let slowest = compute().filter_map(|row| Some((row.kernel, speedup(&row)?))).min_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(format!(
        "votes of the first loads lower the SMs, and nothing raises them again when a kernel computes (equalizer-HZ2, equalizer.idle = hold): \
         compute kernels run at -15 % for {:.0}% of their time, {} at {:.2}x",
        100.0 * mean(compute(), "energy", &SM_LOW)?,
        slowest.0,
        slowest.1
    ))
}

/// Fewer TBs help L1 where each has lines of its own that fit then.
pub fn same_hits(rows: &[Row]) -> Option<String> {
    let hits = |row: &Row| Some(100.0 * (row.figure("perf", &L1_HITS)? - row.figure("gto", &L1_HITS)?));
    let cache = rows.iter().filter(|row| row.group == "cache");
    let (gain, same): (Vec<_>, Vec<_>) =
        cache.filter_map(|row| Some((row, hits(row)?))).partition(|(_, hits)| *hits >= 100.0 * SAME_HITS);
    let names = gain.iter().map(|(row, hits)| {
        format!("{} (+{hits:.0} points, {})", row.kernel, ENERGY.text(row.figure("perf", &ENERGY).as_ref()))
    });
    let names = names.collect::<Vec<_>>().join(", ");
    let but = if gain.is_empty() { String::new() } else { format!(" but {names}") };
    let of = |policy, quantity| quantity_of(same.iter().map(|(row, _)| *row), policy, quantity);
    Some(format!(
        "with fewer TBs the L1 hit rate of no cache kernel{but} rises by {:.0} points: they draw lines that all warps share, or keep more than fits with any; \
         the others are at {} of energy for performance, and for energy at {} of speed",
        100.0 * SAME_HITS,
        of("perf", &ENERGY)?,
        of("energy", &SPEEDUP)?
    ))
}

fn quantity_of<'a>(rows: impl Iterator<Item = &'a Row>, policy: &str, quantity: &Quantity) -> Option<String> {
    Some(quantity.text(Some(&mean(rows, policy, quantity)?)))
}

/// A queue lets warps reach lines that are there.
pub fn nothing_to_reach(rows: &[Row]) -> Option<String> {
    let hits = |policy| mean(rows.iter().filter(|row| row.group == "cache"), policy, &L1_HITS).map(|hits| 100.0 * hits);
    Some(format!(
        "round robin leaves no lines in L1 that the queue could let others reach: cache kernels hit in {:.1}% with it, in {:.1}% without, and in {:.1}% under \
         mascar, whose owner reuses its lines before others evict them",
        hits("re-exec")?,
        hits("lrr")?,
        hits("mascar")?
    ))
}

/// A table of strides covers loads that repeat exactly from the first.
pub fn exact_strides(rows: &[Row]) -> Option<String> {
    let both = |row: &Row| Some((row.kernel, row.figure("mta-4", &SPEEDUP)?, row.figure("apogee-4", &SPEEDUP)?));
    let mut all: Vec<_> = rows.iter().filter_map(both).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let told = all.iter().take(3).map(|(kernel, mta, apogee)| format!("{kernel} {mta:.2}x ({apogee:.2}x)"));
    let told = told.collect::<Vec<_>>().join(", ");
    (!all.is_empty()).then(|| {
        format!(
            "where strides repeat exactly it fetches the right line at once, while apogee has to find its distance first: {told}, in brackets apogee-4"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::kernels::Cell;
    use super::*;

    fn row(kernel: &'static str, group: &'static str, figures: &[(&'static str, &'static str, f64)]) -> Row {
        let policies = ["lrr", "gto", "mascar"].into_iter();
        let cell = |policy| Cell {
            policy,
            figures: figures.iter().filter(|f| f.0 == policy).map(|&(_, key, value)| (key, value)).collect(),
        };
        Row { kernel, group, scale: 1, cells: policies.map(cell).collect() }
    }

    #[test]
    fn kernels_that_something_bounds_are_told_from_others() {
        let of = |kernel, group, bandwidth, replies, hits, speedup| {
            let figures = [
                ("lrr", "bandwidth", bandwidth),
                ("lrr", "replies", replies),
                ("lrr", "l1_hits", 0.0),
                ("mascar", "l1_hits", hits),
                ("mascar", "speedup", speedup),
            ];
            row(kernel, group, &figures)
        };
        let rows = [
            of("a", "memory", 0.8, 0.1, 0.0, 1.0),
            of("b", "cache", 0.1, 0.95, 0.02, 0.81),
            of("c", "cache", 0.3, 0.3, 0.0, 2.0),
            of("d", "cache", 0.8, 0.3, 0.5, 2.0),
            of("e", "compute", 0.9, 0.9, 0.0, 1.0),
        ];
        let note = bound(&rows).unwrap();
        assert!(note.starts_with("mascar is at 0.90x in a, b: "), "{note}");
        assert!(note.ends_with("; 2.00x in the others (2)"), "{note}");
        assert_eq!(bound(&rows[2..]), None, "there is none");
    }

    #[test]
    fn notes_are_about_what_was_run() {
        let all: [Note; 7] = [tails, mshrs, standby, lowered, same_hits, nothing_to_reach, exact_strides];
        assert!(all.iter().all(|note| note(&[]).is_none()));
        let rows = [row(
            "a",
            "compute",
            &[("lrr", "occupancy", 0.5), ("gto", "occupancy", 0.4), ("mascar", "occupancy", 0.3)],
        )];
        assert!(
            tails(&rows)
                .unwrap()
                .contains("50.0% of the warp slots are taken under lrr, 40.0% under gto, 30.0% under mascar")
        );
    }
}
