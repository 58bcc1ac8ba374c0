//! Of graphs of tiles.

use super::super::claim::{Figure, Unit};
use super::super::measured::Measured;
use super::{mean, share};

/// In which order ready tiles are sent matters where some have to wait for room.
pub fn no_choice(measured: &Measured, of: &[&str]) -> Option<String> {
    let part = |key: &'static str| {
        let cycles = Figure::Over(("lrr", key), ("lrr", "cycles"));
        Some(100.0 * mean(measured, of, cycles, Unit::Share)?)
    };
    let longer = Figure::Change(("lvl", "cycles"), ("lrr", "cycles"));
    Some(format!(
        "a tile that is ready finds room: under LRR none is ready in {:.0}% of the cycles, and in {:.1}% one is for which there is no room, so that in \
         which order they are sent changes little (LVL takes {:+.2}% of time)",
        part("no_ready_cycles")?,
        part("no_room_cycles")?,
        100.0 * mean(measured, of, longer, Unit::Change)?
    ))
}

/// L2 is asked less often for the same lines.
pub fn l1_is_kept(measured: &Measured, _: &[&str]) -> Option<String> {
    let [global, lvl] = ["global", "lvl"].map(|way| share(measured, &[], (way, "l1_hit_rate")));
    Some(format!(
        "each kernel of Global begins with an empty L1, and LVL is one kernel: {:.0}% of accesses hit there in place of {:.0}%, so that L2 is asked less \
         often, and what it has to read from memory is the larger part of that",
        lvl?, global?
    ))
}

/// The PUB is for children that are beyond the window.
pub fn near_children(measured: &Measured, _: &[&str]) -> Option<String> {
    let range = mean(measured, &["sor"], Figure::Of(("lrr", "max_level_range")), Unit::Number)?;
    Some(format!(
        "a tile's children are at most 64 numbers on in 64 x 64 tiles, which a window of 128 nodes holds while tiles end nearly in order: at most {range:.0} \
         levels run at a time"
    ))
}
