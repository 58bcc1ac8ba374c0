//! The model's grids: kernels from their launch until all that they launched is complete (sheet `launch2`). A grid is named by its place
//! in the order in which grids were made, and a complete one is nothing.

use gpusched::{Config, Decision, DeviceLaunch, Fault, HwqId, PendHold, TailDepth};

use super::{Held, Model};
use crate::view::{GridKind, GridView, GridsView};

/// A grid that is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    tag: u64,
    /// Of what the device launched.
    parent: Option<usize>,
    is_tail: bool,
    /// Of what the host launched.
    queue: Option<usize>,
    was_issued: bool,
    has_ended: bool,
    is_flushed: bool,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Grids {
    all: Vec<Option<Grid>>,
    /// Those that are being flushed, in the order of their ends, and until when.
    flushing: Vec<(u64, usize)>,
    completes: u64,
    tails: u64,
}

impl Grids {
    pub(super) fn is_empty(&self) -> bool {
        self.all.iter().all(Option::is_none)
    }

    pub(super) fn is_flushing(&self) -> bool {
        !self.flushing.is_empty()
    }

    fn incomplete(&self) -> impl Iterator<Item = (usize, &Grid)> {
        self.all.iter().enumerate().filter_map(|(g, grid)| Some((g, grid.as_ref()?)))
    }

    /// Incomplete children, those that are tail launches or the others, in the order of the calls.
    fn children(&self, g: usize, tails: bool) -> Vec<usize> {
        let children = self.incomplete().filter(|(_, grid)| grid.parent == Some(g) && grid.is_tail == tails);
        children.map(|(g, _)| g).collect()
    }
}

/// `launch2`, Parameters.
pub(super) fn check(config: &Config) -> Result<(), Fault> {
    let Some(part) = &config.cdp2 else {
        return if config.flush_cycles > 0 { Err(Fault::BadConfig) } else { Ok(()) };
    };
    if !(1..=255).contains(&part.max_depth) || !(1..=1 << 20).contains(&part.grids) {
        return Err(Fault::BadConfig);
    }
    if config.laperm().is_some() { Err(Fault::Launch2WithLaperm) } else { Ok(()) }
}

impl Model {
    pub(super) fn has_grids(&self) -> bool {
        self.config.cdp2.is_some()
    }

    /// launch2-C2: the depth of what a kernel of depth `parent` launches into a stream.
    pub(super) fn child_depth(&self, parent: u32, stream: u32) -> u32 {
        let is_level = self.config.cdp2.is_some_and(|part| part.tail_depth == TailDepth::Same);
        if is_level && stream == DeviceLaunch::TAIL { parent } else { parent + 1 }
    }

    /// launch2-C2, launch2-C4.
    pub(super) fn check_depth_and_room(&self, parent: u32, streams: &[u32]) -> Result<(), Fault> {
        let Some(part) = &self.config.cdp2 else { return Ok(()) };
        if streams.iter().any(|&stream| self.child_depth(parent, stream) > part.max_depth) {
            return Err(Fault::DepthLimit);
        }
        let of_device = || self.grids.incomplete().filter(|(_, grid)| grid.parent.is_some());
        let issued = of_device().filter(|(_, grid)| grid.was_issued).count();
        let held = if part.pend_hold == PendHold::Complete { issued } else { 0 };
        let pending = self.records.iter().flatten().count() + held;
        let has_records = pending + streams.len() <= self.config.pend_limit as usize;
        let has_grids = of_device().count() + streams.len() <= part.grids as usize;
        if has_records && has_grids { Ok(()) } else { Err(Fault::PendingLimit) }
    }

    /// launch2-G1: a grid is made, if there are grids.
    pub(super) fn make_grid(
        &mut self,
        tag: u64,
        queue: Option<usize>,
        parent: Option<usize>,
        is_tail: bool,
    ) -> Option<usize> {
        if !self.has_grids() {
            return None;
        }
        let was_issued = queue.is_some();
        self.grids.all.push(Some(Grid {
            tag,
            parent,
            is_tail,
            queue,
            was_issued,
            has_ended: false,
            is_flushed: false,
        }));
        Some(self.grids.all.len() - 1)
    }

    pub(super) fn grid_was_issued(&mut self, g: Option<usize>) {
        if let Some(grid) = g.and_then(|g| self.grids.all[g].as_mut()) {
            grid.was_issued = true;
        }
    }

    /// launch2-G2.
    pub(super) fn grid_has_ended(&mut self, g: usize) {
        self.grids.all[g].as_mut().expect("a kernel that ends is not complete").has_ended = true;
        self.grids.flushing.push((self.now.saturating_add(self.config.flush_cycles.into()), g));
        if self.config.flush_cycles == 0 {
            self.t0_flushes();
        }
    }

    /// launch2-T0.
    pub(super) fn t0_flushes(&mut self) {
        while let Some(&(_, g)) = self.grids.flushing.first().filter(|(at, _)| *at <= self.now) {
            self.grids.flushing.remove(0);
            self.grids.all[g].as_mut().expect("it is not complete").is_flushed = true;
            self.look_at_grid(g);
        }
    }

    /// launch2-G3, launch2-G4, launch2-C3.
    fn look_at_grid(&mut self, g: usize) {
        let grid = self.grids.all[g].clone().expect("it is not complete");
        if !grid.is_flushed || !self.grids.children(g, false).is_empty() {
            return;
        }
        if let Some(&tail) = self.grids.children(g, true).first() {
            return self.open_tail(tail);
        }
        self.grids.all[g] = None;
        self.grids.completes += 1;
        self.emit(Decision::Complete { tag: grid.tag });
        if let Some(q) = grid.queue {
            self.busy[q] = false;
            self.emit(Decision::HwqFree { queue: HwqId(q as u8) });
        }
        if let Some(parent) = grid.parent {
            self.look_at_grid(parent);
        }
    }

    fn open_tail(&mut self, g: usize) {
        let lat_tail = u64::from(self.config.cdp2.expect("there are tail launches").lat_tail);
        let turn = self.now.saturating_add(lat_tail);
        let closed = self.records.iter_mut().flatten().find(|r| r.grid == Some(g) && r.state == Held::Tail);
        let Some(record) = closed else { return };
        record.state = Held::Dev;
        record.key.0 = record.key.0.max(turn);
        let tag = record.descriptor.tag;
        self.grids.tails += 1;
        self.emit(Decision::Tail { tag });
    }

    /// What can be seen of them.
    pub(super) fn grids_view(&self) -> Option<GridsView> {
        let view = |(g, grid): (usize, &Grid)| GridView {
            tag: grid.tag,
            kind: match grid.queue {
                Some(q) => GridKind::Host(q as u8),
                None if grid.is_tail => GridKind::Tail,
                None => GridKind::FireAndForget,
            },
            parent: grid.parent.and_then(|parent| Some(self.grids.all[parent].as_ref()?.tag)),
            kids: self.grids.children(g, false).len() as u32,
            tails: self.grids.children(g, true).len() as u32,
            has_ended: grid.has_ended,
            flushed: self.grids.flushing.iter().find(|(_, other)| *other == g).map(|(at, _)| *at),
        };
        let all = self.grids.incomplete().map(view).collect();
        self.has_grids().then_some(GridsView { all, completes: self.grids.completes, tails: self.grids.tails })
    }
}
