//! Programmatic dependents: host kernels that start before the one in front of them in their queue is complete, and wait for it where
//! they ask to (launch2-P1 to launch2-P9).
//!
//! A kernel is *open* when nothing of it is left to send and each of its TBs has triggered or ended. Then the one behind it may be issued, if
//! it was launched as a dependent.
//!
//! The host says what TBs do, and is told when one that waits goes on:
//!
//! ```
//! use gpusched::{Config, Cycle, Decision, Descriptor, Dim3, Fault, FrontEnd, PdlPart, SlotId, SmxId, inline_tables};
//!
//! const GPU: Config = Config { pend_limit: 16, grids: 8, pdl: Some(PdlPart::CUDA), ..Config::K20C }.ideal();
//! inline_tables! {
//!     struct Small = GPU;
//! }
//! let kernel = |tag| Descriptor { grid: Dim3::linear(1), tb: Dim3::linear(32), tag, ..Descriptor::default() };
//! let mut gpu = FrontEnd::<Small>::new(&GPU)?;
//! gpu.host_launch(0, &kernel(1), false)?;
//! gpu.host_launch_dependent(0, &kernel(2), false)?;
//! gpu.tick(&mut ())?;
//! // The first kernel's only TB lets the second kernel start, whose TB comes to lie beside it, and waits.
//! let (first, second, slot) = (SmxId(0), SmxId(1), SlotId(0));
//! gpu.tb_trigger(first, slot, &mut ())?;
//! gpu.tick(&mut ())?;
//! gpu.tb_wait(second, slot, &mut ())?;
//! assert_eq!(gpu.tb_done(second, slot, &mut ()), Err(Fault::TbWaiting));
//! let mut released = Vec::new();
//! let mut note = |_: Cycle, decision: Decision| {
//!     if let Decision::Released { smx, slot } = decision {
//!         released.push((smx, slot));
//!     }
//! };
//! gpu.tb_done(first, slot, &mut note)?;
//! assert_eq!(released, [(second, slot)]);
//! gpu.tb_done(second, slot, &mut ())?;
//! assert!(gpu.is_idle());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{GridList, GridMode, GridTables, Grids, KernelGrid};
use crate::base::id::{GridId, HwqId, KernelSlot, RecordId, SlotId, SmxId, rows_in};
use crate::config::Config;
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::Phase;
use crate::launch::record::RecordState;
use crate::probe::{Decision, Probe};

/// TBs of an SMX, a bit for each slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SmxFlags {
    /// Those that have triggered.
    pub(super) triggered: u64,
    /// Those that wait for what their kernel follows.
    pub(super) waiting: u64,
}

const fn bit(slot: SlotId) -> u64 {
    1 << slot.0
}

impl<T: GridTables> Grids<T> {
    fn flags(&self, smx: SmxId) -> SmxFlags {
        self.tb_flags.get(smx).copied().unwrap_or_default()
    }

    /// Whether the TB in a slot has triggered.
    pub(crate) fn has_triggered(&self, smx: SmxId, slot: SlotId) -> bool {
        self.flags(smx).triggered & bit(slot) != 0
    }

    /// Whether the TB in a slot waits.
    pub(crate) fn is_waiting(&self, smx: SmxId, slot: SlotId) -> bool {
        self.flags(smx).waiting & bit(slot) != 0
    }

    /// TBs that wait.
    pub(crate) fn waiting(&self) -> u32 {
        self.waiting
    }

    /// launch2-P9: whether the kernel in an entry is open, or follows one that is not complete.
    pub(crate) fn overlaps(&self, k: KernelSlot) -> bool {
        self.of_kernel[k].grid.is_some_and(|g| self.rows[g].is_open || self.follows(g))
    }

    /// A TB of the kernel in entry `k` leaves its slot.
    #[inline]
    pub(crate) fn left(&mut self, (smx, slot): (SmxId, SlotId), k: KernelSlot) {
        if self.has_triggered(smx, slot) {
            self.tb_flags[smx].triggered &= !bit(slot);
            self.of_kernel[k].triggered -= 1;
            if self.of_kernel[k].triggered == 0 {
                self.ripening &= !(1 << k.0);
            }
        }
    }

    // ---- groups in flight

    /// A TB of the kernel in entry `k` has launched the group in record `r`.
    pub(crate) fn launched_group(&mut self, k: KernelSlot, r: RecordId) {
        self.of_record[r] = self.of_kernel[k].grid;
        if let Some(g) = self.of_record[r] {
            self.rows[g].groups += 1;
        }
    }

    /// The group in record `r` has joined or fallen.
    pub(crate) fn settled_group(&mut self, r: RecordId) {
        if let Some(g) = self.of_record[r].take() {
            self.rows[g].groups -= 1;
        }
    }

    /// A kernel has ended: nobody asks any more what groups it has launched.
    pub(super) fn forget_groups(&mut self, board: &Board<T>, g: GridId)
    where
        T: BoardTables,
    {
        if core::mem::take(&mut self.rows[g].groups) > 0 {
            let is_waiting = |r: &RecordId| matches!(board.records.get(*r).state, RecordState::Agg { .. });
            for r in (0..board.config.pend_limit).map(RecordId).filter(is_waiting) {
                self.of_record[r] = self.of_record[r].filter(|of| *of != g);
            }
        }
    }
}

impl<T: BoardTables + GridTables> Grids<T> {
    // ---- launch2-P2, launch2-P5: what TBs say

    /// A TB of the kernel in entry `k` says that what follows may start.
    pub(crate) fn trigger(
        &mut self,
        board: &mut Board<T>,
        (smx, slot): (SmxId, SlotId),
        k: KernelSlot,
        probe: &mut impl Probe,
    ) {
        if !self.has_triggered(smx, slot) {
            self.tb_flags[smx].triggered |= bit(slot);
            self.of_kernel[k].triggered += 1;
            if !board.kd.get(k).is_open {
                self.ripening |= 1 << k.0;
            }
        }
        self.try_open(board, k, probe);
    }

    /// A TB of the kernel in entry `k`, which does not wait, asks to wait for what its kernel follows.
    pub(crate) fn wait(
        &mut self,
        board: &Board<T>,
        (smx, slot): (SmxId, SlotId),
        k: KernelSlot,
        probe: &mut impl Probe,
    ) {
        self.stats.waits = self.stats.waits.saturating_add(1);
        if self.of_kernel[k].grid.is_some_and(|g| self.follows(g)) {
            self.tb_flags[smx].waiting |= bit(slot);
            self.of_kernel[k].waiting += 1;
            self.waiting += 1;
        } else {
            probe.decide(board.now, Decision::Released { smx, slot });
        }
    }

    /// launch2-G4: what the kernel of grid `g` follows is complete.
    pub(super) fn release(&mut self, board: &Board<T>, g: GridId, probe: &mut impl Probe) {
        let waits = |k: &KernelSlot| self.of_kernel[*k].grid == Some(g) && self.of_kernel[*k].waiting > 0;
        let Some(k) = board.kd.active().find(waits) else { return };
        for smx in board.all_smxs().iter() {
            for slot in rows_in::<SlotId>(self.flags(smx).waiting) {
                if board.residency.tb(smx, slot).is_some_and(|tb| tb.kde == k) {
                    self.tb_flags[smx].waiting &= !bit(slot);
                    self.of_kernel[k].waiting -= 1;
                    self.waiting -= 1;
                    probe.decide(board.now, Decision::Released { smx, slot });
                }
            }
        }
    }

    // ---- launch2-P3: what is open

    /// Every kernel that can be open is.
    #[inline]
    pub(crate) fn sweep(&mut self, board: &mut Board<T>, probe: &mut impl Probe) {
        if self.ripening != 0 {
            self.sweep_ripening(board, probe);
        }
    }

    #[inline(never)]
    fn sweep_ripening(&mut self, board: &mut Board<T>, probe: &mut impl Probe) {
        rows_in(self.ripening).for_each(|k| self.try_open(board, k, probe));
    }

    fn try_open(&mut self, board: &mut Board<T>, k: KernelSlot, probe: &mut impl Probe) {
        let KernelGrid { grid: Some(g), triggered, .. } = self.of_kernel[k] else { return };
        let (kde, grid) = (board.kd.get(k), &self.rows[g]);
        let is_sent = kde.phase == Phase::Active && kde.mark.is_none() && !kde.has_work() && !kde.retain;
        let have_triggered = triggered > 0 && triggered == kde.exe;
        let has_launched = grid.kids > 0 || grid.tails.len > 0 || grid.groups > 0;
        if grid.is_open || !is_sent || !have_triggered || has_launched {
            return;
        }
        let tag = grid.tag;
        self.ripening &= !(1 << k.0);
        board.kd.get_mut(k).is_open = true;
        self.stats.opens = self.stats.opens.saturating_add(1);
        probe.decide(board.now, Decision::Opened { kde: k, tag });
        self.open(board, g);
    }

    /// A kernel that has ended is open if it has no child that is not complete.
    pub(super) fn open_if_ended(&mut self, board: &mut Board<T>, g: GridId) {
        let grid = &self.rows[g];
        let is_new = board.config.pdl.is_some() && !grid.is_open;
        if is_new && grid.progress.is_ended() && grid.kids == 0 && grid.tails.len == 0 {
            self.open(board, g);
        }
    }

    fn open(&mut self, board: &mut Board<T>, g: GridId) {
        self.rows[g].is_open = true;
        match self.rows[g].mode {
            Some(GridMode::Host { queue }) => self.look_at_queue(board, queue),
            Some(GridMode::Node { instance, node }) => self.node_open(board, (instance, node)),
            _ => {}
        }
    }

    /// launch2-P4: whether a dependent may follow what is in flight of a queue. Its way through the KMU begins then (launch2-A1).
    pub(crate) fn look_at_queue(&self, board: &mut Board<T>, queue: HwqId) {
        let may_follow = self.may_follow(&board.config, queue);
        board.hwqs.let_follow(queue, may_follow);
    }

    pub(super) fn may_follow(&self, config: &Config, queue: HwqId) -> bool {
        let GridList { last, len, .. } = self.of_queue[queue];
        len < config.window() && last.and_then(|g| self.rows.get(g)).is_some_and(|grid| grid.is_open)
    }
}
