//! The model's grids: kernels from their launch until all that they launched is complete (sheet `launch2`). A grid is named by its place
//! in the order in which grids were made, and a complete one is nothing.

mod kernel_graphs;
mod overlap;

use gpusched::{Config, Decision, DeviceLaunch, Fault, GridStats, HwqId, PendHold, TailDepth};

use super::{Held, Model};
use crate::view::{GridKind, GridView, GridsView};
pub(super) use kernel_graphs::KernelGraphs;

/// Whose a grid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// The host's, in flight in this queue.
    Host(usize),
    /// Fired and forgotten by this grid.
    Fired(usize),
    /// A tail launch of this grid.
    Tail(usize),
    /// The device's: nobody waits for it.
    Device,
    /// A kernel of the kernel graph that this instance runs: instance, kernel.
    Node(usize, usize),
}

/// A grid that is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    tag: u64,
    of: Of,
    /// launch2-P4, launch2-K4: what it follows.
    predecessors: Vec<usize>,
    was_issued: bool,
    has_ended: bool,
    is_flushed: bool,
    is_open: bool,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Grids {
    all: Vec<Option<Grid>>,
    /// Those that are being flushed, in the order of their ends, and until when.
    flushing: Vec<(u64, usize)>,
    pub(super) kernel_graphs: KernelGraphs,
    stats: GridStats,
}

impl Grids {
    pub(super) fn is_empty(&self) -> bool {
        self.all.iter().all(Option::is_none)
    }

    pub(super) fn is_flushing(&self) -> bool {
        !self.flushing.is_empty()
    }

    fn grid(&self, g: usize) -> &Grid {
        self.all[g].as_ref().expect("it is not complete")
    }

    fn grid_mut(&mut self, g: usize) -> &mut Grid {
        self.all[g].as_mut().expect("it is not complete")
    }

    fn incomplete(&self) -> impl Iterator<Item = (usize, &Grid)> {
        self.all.iter().enumerate().filter_map(|(g, grid)| Some((g, grid.as_ref()?)))
    }

    fn of(&self, of: Of) -> Vec<usize> {
        self.incomplete().filter(|(_, grid)| grid.of == of).map(|(g, _)| g).collect()
    }

    /// launch2-W2.
    pub(super) fn holds(&self, queue: usize) -> bool {
        let has_ended = self.incomplete().any(|(_, grid)| grid.of == Of::Host(queue) && grid.has_ended);
        has_ended || self.kernel_graphs.holds(queue)
    }

    /// Whether it has children that are not complete.
    fn has_children(&self, g: usize) -> bool {
        !self.of(Of::Fired(g)).is_empty() || !self.of(Of::Tail(g)).is_empty()
    }

    /// Whether something that it follows is not complete.
    fn follows(&self, g: usize) -> bool {
        self.grid(g).predecessors.iter().any(|&p| self.all[p].is_some())
    }
}

/// `launch2`, Parameters.
pub(super) fn check(config: &Config) -> Result<(), Fault> {
    let cdp2 = config.cdp2.is_none_or(|part| (1..=255).contains(&part.max_depth));
    let pdl = config.pdl.is_none_or(|part| (2..=64).contains(&part.window));
    let kgraph = config.kgraph.is_none_or(|part| {
        let sizes = (1..=256).contains(&part.graphs) && (1..=65535).contains(&part.nodes);
        sizes && part.edges <= 1 << 20 && (1..=64).contains(&part.insts)
    });
    let flushes = has_grids(config) || config.flush_cycles == 0;
    let cross = config.dats.is_some() || !config.cross;
    if !(cdp2 && pdl && kgraph && flushes && cross) {
        return Err(Fault::BadConfig);
    }
    let is_any = has_grids(config) || config.cross;
    if is_any && config.laperm().is_some() { Err(Fault::Launch2WithLaperm) } else { Ok(()) }
}

fn has_grids(config: &Config) -> bool {
    config.cdp2.is_some() || config.pdl.is_some() || config.kgraph.is_some()
}

impl Model {
    pub(super) fn has_grids(&self) -> bool {
        has_grids(&self.config)
    }

    pub(super) fn has_named_streams(&self) -> bool {
        self.config.cdp2.is_some()
    }

    /// launch2-C2: the depth of what a kernel of depth `parent` launches into a stream.
    pub(super) fn child_depth(&self, parent: u32, stream: u32) -> u32 {
        let is_level = self.config.cdp2.is_some_and(|part| part.tail_depth == TailDepth::Same);
        if is_level && stream == DeviceLaunch::TAIL { parent } else { parent + 1 }
    }

    /// launch2-C2.
    pub(super) fn check_depth(&self, parent: u32, streams: &[u32]) -> Result<(), Fault> {
        let Some(part) = &self.config.cdp2 else { return Ok(()) };
        let is_too_deep = |&stream: &u32| self.child_depth(parent, stream) > part.max_depth;
        if streams.iter().any(is_too_deep) { Err(Fault::DepthLimit) } else { Ok(()) }
    }

    /// launch2-C4.
    pub(super) fn check_room(&self, lanes: usize) -> Result<(), Fault> {
        if !self.has_grids() {
            return Ok(());
        }
        let of_device = |grid: &Grid| matches!(grid.of, Of::Fired(_) | Of::Tail(_) | Of::Device);
        let issued = self.grids.incomplete().filter(|(_, grid)| of_device(grid) && grid.was_issued).count();
        let all = self.records.iter().flatten().count() + issued + lanes;
        let holds = self.config.cdp2.is_some_and(|part| part.pend_hold == PendHold::Complete);
        let is_full = all > self.config.grids as usize || (holds && all > self.config.pend_limit as usize);
        if is_full { Err(Fault::PendingLimit) } else { Ok(()) }
    }

    /// launch2-G1: a grid is made, if there are grids.
    pub(super) fn make_grid(&mut self, tag: u64, of: Of) -> Option<usize> {
        if !self.has_grids() {
            return None;
        }
        let predecessors = match of {
            Of::Host(q) => self.grids.of(Of::Host(q)).pop().into_iter().collect(),
            Of::Node(i, node) => self.pdl_predecessors(i, node),
            _ => Vec::new(),
        };
        self.grids.all.push(Some(Grid {
            tag,
            of,
            predecessors,
            was_issued: !matches!(of, Of::Fired(_) | Of::Tail(_)),
            has_ended: false,
            is_flushed: false,
            is_open: false,
        }));
        Some(self.grids.all.len() - 1)
    }

    pub(super) fn grid_was_issued(&mut self, g: Option<usize>) {
        if let Some(g) = g {
            self.grids.grid_mut(g).was_issued = true;
        }
    }

    /// launch2-G2.
    pub(super) fn grid_has_ended(&mut self, g: usize) {
        self.grids.grid_mut(g).has_ended = true;
        self.grids.flushing.push((self.now.saturating_add(self.config.flush_cycles.into()), g));
        if self.config.flush_cycles == 0 {
            self.flush();
        }
        self.open_if_ended(g);
    }

    fn flush(&mut self) {
        while let Some(&(_, g)) = self.grids.flushing.first().filter(|(at, _)| *at <= self.now) {
            self.grids.flushing.remove(0);
            self.grids.grid_mut(g).is_flushed = true;
            self.look_at_grid(g);
        }
    }

    /// launch2-T0.
    pub(super) fn t0_grids(&mut self) {
        self.flush();
        self.p3_sweep();
        self.k3_start();
    }

    /// launch2-G3, launch2-G4, launch2-C3.
    fn look_at_grid(&mut self, g: usize) {
        // It may have been complete by what came before in the same event.
        let Some(grid) = self.grids.all[g].clone() else { return };
        if !grid.is_flushed || self.grids.follows(g) || !self.grids.of(Of::Fired(g)).is_empty() {
            return self.open_if_ended(g);
        }
        if let Some(&tail) = self.grids.of(Of::Tail(g)).first() {
            return self.open_tail(tail);
        }
        self.grids.all[g] = None;
        self.grids.stats.completes += 1;
        self.emit(Decision::Complete { tag: grid.tag });
        match grid.of {
            Of::Host(q) if self.grids.of(grid.of).is_empty() => {
                self.busy[q] = false;
                self.emit(Decision::HwqFree { queue: HwqId(q as u8) });
            }
            Of::Node(i, node) => self.node_is_complete(i, node),
            _ => {}
        }
        let follows = |(_, other): &(usize, &Grid)| other.predecessors.contains(&g);
        let mut successors: Vec<_> = self.grids.incomplete().filter(follows).map(|(s, _)| s).collect();
        successors.retain(|&s| !self.grids.follows(s));
        // Kernels of a graph in the order of their numbers.
        successors.sort_by_key(|&s| if let Of::Node(_, node) = self.grids.grid(s).of { node } else { 0 });
        successors.iter().for_each(|&s| self.release(s));
        successors.iter().for_each(|&s| self.look_at_grid(s));
        if let Of::Fired(parent) | Of::Tail(parent) = grid.of {
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
        self.grids.stats.tails += 1;
        self.emit(Decision::Tail { tag });
    }

    /// When something falls due of what waits for nothing but time.
    pub(super) fn next_of_grids(&self) -> Vec<u64> {
        let waits = |g: usize| !self.grids.of(Of::Fired(g)).is_empty() || self.grids.follows(g);
        let flushes = self.grids.flushing.iter().filter(|(_, g)| !waits(*g)).map(|(at, _)| *at);
        flushes.chain(self.next_start()).collect()
    }

    /// What can be seen of them.
    pub(super) fn grids_view(&self) -> Option<GridsView> {
        let tag = |g: usize| Some(self.grids.all[g].as_ref()?.tag);
        let view = |(g, grid): (usize, &Grid)| GridView {
            tag: grid.tag,
            kind: match grid.of {
                Of::Host(q) => GridKind::Host(q as u8),
                Of::Fired(_) => GridKind::FireAndForget,
                Of::Tail(_) => GridKind::Tail,
                Of::Device => GridKind::Device,
                Of::Node(i, _) => GridKind::Node(i as u8),
            },
            parent: if let Of::Fired(parent) | Of::Tail(parent) = grid.of { tag(parent) } else { None },
            kids: self.grids.of(Of::Fired(g)).len() as u32,
            tails: self.grids.of(Of::Tail(g)).len() as u32,
            has_ended: grid.has_ended,
            is_open: grid.is_open,
            flushed: self.grids.flushing.iter().find(|(_, other)| *other == g).map(|(at, _)| *at),
        };
        let all = self.grids.incomplete().map(view).collect();
        self.has_grids().then(|| GridsView { all, stats: self.grids.stats, kgraphs: self.kgraphs_view() })
    }
}
