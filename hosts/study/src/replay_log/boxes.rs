//! The boxes of a chart, of bounded number however long the log is. While there are too many, the grain doubles: what lies behind each
//! other in a row and is shorter than the grain, gap included, becomes one box.

use super::line::Wrong;
use super::stretch::{Stretch, What};
use crate::ask::Window;
use std::collections::BTreeMap;

/// Boxes are joined when there are more than this.
const MOST: usize = 16_384;
/// Rows: room for 132 SMXs with 32 TB slots. The number of boxes cannot fall below that of rows.
const MOST_ROWS: usize = MOST / 3;

/// A row of a lane, from the back to the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    Diverted,
    Low,
    Slot(u32),
}

/// What one box stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boxed {
    pub from: u64,
    pub to: u64,
    /// Stretches, and the cycles in which they ran.
    pub count: u64,
    pub busy: u64,
    /// The first of them.
    pub what: What,
    /// What its colour stands for: one that is like most of them, by cycles, if there is such a one.
    pub main: What,
    /// By how many cycles it is ahead of the others (the vote of Boyer and Moore).
    lead: u64,
    /// All have the same name and came the same way.
    pub alike: bool,
}

/// All boxes, by SMX and row.
#[derive(Debug)]
pub struct Boxes {
    window: Window,
    /// No box that is joined was as long as this.
    pub grain: u64,
    count: usize,
    pub rows: BTreeMap<(u32, Row), Vec<Boxed>>,
}

impl Boxes {
    pub fn of(window: Window) -> Self {
        Self { window, grain: 1, count: 0, rows: BTreeMap::new() }
    }

    /// Takes what overlaps the window. Rows are filled in the order of time.
    pub fn add(&mut self, stretch: &Stretch) -> Result<(), Wrong> {
        let &Stretch { smx, what, from, to } = stretch;
        if to <= self.window.from || self.window.to.is_some_and(|end| end <= from) {
            return Ok(());
        }
        let row = match what {
            What::Diverted => Row::Diverted,
            What::Low => Row::Low,
            What::Tb { slot, .. } => Row::Slot(slot),
        };
        if self.rows.len() == MOST_ROWS && !self.rows.contains_key(&(smx, row)) {
            let found = format!("slot {} of SMX {smx} as well", row.number());
            return Err(Wrong::new(format!("at most {MOST_ROWS} rows for a chart"), found));
        }
        let boxes = self.rows.entry((smx, row)).or_default();
        let before = boxes.len();
        let busy = to - from;
        push(boxes, Boxed { from, to, count: 1, busy, what, main: what, lead: busy, alike: true }, self.grain);
        self.count += boxes.len() - before;
        while self.count > MOST {
            self.coarsen();
        }
        Ok(())
    }

    fn coarsen(&mut self) {
        self.grain = self.grain.saturating_mul(2);
        self.count = 0;
        for boxes in self.rows.values_mut() {
            for one in std::mem::take(boxes) {
                push(boxes, one, self.grain);
            }
            self.count += boxes.len();
        }
    }
}

impl Row {
    fn number(self) -> u32 {
        if let Self::Slot(slot) = self { slot } else { 0 }
    }
}

/// Puts a box behind the others, or joins it with the last.
fn push(boxes: &mut Vec<Boxed>, one: Boxed, grain: u64) {
    let last = boxes.last_mut().filter(|last| {
        let longest = (last.to - last.from).max(one.to - one.from).max(one.from.saturating_sub(last.to));
        longest < grain
    });
    let Some(last) = last else { return boxes.push(one) };
    last.alike &= one.alike && last.what.is_like(&one.what);
    (last.main, last.lead) = match (last.main.is_like(&one.main), last.lead >= one.lead) {
        (true, _) => (last.main, last.lead + one.lead),
        (false, true) => (last.main, last.lead - one.lead),
        (false, false) => (one.main, one.lead - last.lead),
    };
    last.to = last.to.max(one.to);
    last.count += one.count;
    last.busy += one.busy;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tb(smx: u32, slot: u32, name: usize, from: u64, to: u64) -> Stretch {
        Stretch { smx, what: What::Tb { slot, uid: 1, tb: 0, name, is_child: false, ended: true }, from, to }
    }

    #[test]
    fn few_are_as_they_were() {
        let mut boxes = Boxes::of(Window::default());
        for from in 0..1000 {
            boxes.add(&tb(0, 0, 0, 10 * from, 10 * from + 10)).unwrap();
        }
        assert_eq!((boxes.grain, boxes.count, boxes.rows[&(0, Row::Slot(0))].len()), (1, 1000, 1000));
    }

    #[test]
    fn many_are_joined_and_none_is_lost() {
        let mut boxes = Boxes::of(Window::default());
        let (mut all, mut busy) = (0, 0);
        for from in 0..200_000 {
            let (slot, name, length) =
                (from % 4, usize::from(from == 77_777), if from == 100_000 { 1 << 30 } else { 3 });
            // The long one leaves its slot to itself.
            if from > 100_000 && slot == 0 {
                continue;
            }
            (all, busy) = (all + 1, busy + length);
            boxes.add(&tb(7, slot, name, 4 * u64::from(from), 4 * u64::from(from) + length)).unwrap();
        }
        assert!(boxes.count <= MOST && boxes.count > MOST / 4 && boxes.grain > 8, "{boxes:?}");
        let every = || boxes.rows.values().flatten();
        assert_eq!(every().map(|one| one.count).sum::<u64>(), all);
        assert_eq!(every().map(|one| one.busy).sum::<u64>(), busy);
        assert!(every().all(|one| one.to - one.from < 3 * boxes.grain || one.count == 1));
        assert_eq!(every().filter(|one| !one.alike).count(), 1);
        assert!(boxes.rows.values().all(|row| row.windows(2).all(|two| two[0].to <= two[1].from)));
    }

    #[test]
    fn the_colour_of_a_box_is_that_of_most_of_it() {
        let name = |boxed: &Boxed| if let What::Tb { name, .. } = boxed.main { name } else { 99 };
        for (cycles, most) in [([5, 1, 1], 0), ([1, 5, 1], 1), ([1, 1, 5], 2), ([2, 2, 5], 2)] {
            let (mut row, mut from) = (Vec::new(), 0);
            for (kernel, cycles) in cycles.into_iter().enumerate() {
                let Stretch { what, from: at, to, .. } = tb(0, 0, kernel, from, from + cycles);
                let one = Boxed { from: at, to, count: 1, busy: cycles, what, main: what, lead: cycles, alike: true };
                push(&mut row, one, 100);
                from += cycles;
            }
            assert_eq!((row.len(), name(&row[0]), row[0].alike), (1, most, false), "{cycles:?}");
        }
    }

    #[test]
    fn what_is_outside_is_left_out() {
        let mut boxes = Boxes::of(Window { from: 100, to: Some(200) });
        for (slot, (from, to)) in (0..).zip([(0, 100), (99, 101), (120, 130), (199, 300), (200, 201), (0, 900)]) {
            boxes.add(&tb(0, slot, 0, from, to)).unwrap();
        }
        let slots: Vec<u32> = boxes.rows.keys().map(|(_, row)| row.number()).collect();
        assert_eq!(slots, [1, 2, 3, 5]);
    }

    #[test]
    fn too_many_rows_are_told() {
        let mut boxes = Boxes::of(Window::default());
        let mut add = |row: u32| boxes.add(&tb(row / 4, row % 4, 0, 0, 5));
        assert!((0..MOST_ROWS as u32).all(|row| add(row).is_ok()));
        assert!(add(MOST_ROWS as u32).is_err() && add(0).is_ok());
    }
}
