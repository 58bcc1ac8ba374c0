//! Programmatic dependents (launch2-P1 to launch2-P9).

use gpusched::{Decision, Fault, GraphState, KernelSlot, LateLaunch, SlotId, SmxId};

use super::Of;
use crate::model::{Held, Model, Tb, tbs_of};

impl Model {
    /// launch2-P4: whether the head of a queue may be issued behind what is in flight there.
    pub(in crate::model) fn may_go(&self, q: usize) -> bool {
        if !self.busy[q] {
            return true;
        }
        let in_flight = self.grids.of(Of::Host(q));
        let is_dependent = self.queues[q].front().is_some_and(|head| head.is_dependent);
        let has_room = self.config.pdl.is_some_and(|part| in_flight.len() < part.window as usize);
        is_dependent && has_room && in_flight.last().is_some_and(|&g| self.grids.grid(g).is_open)
    }

    fn dependent(&self, smx: u32, slot: u32) -> Result<Tb, Fault> {
        if self.config.pdl.is_none() {
            return Err(Fault::NoPdl);
        }
        self.running(smx, slot)
    }

    fn tb_mut(&mut self, smx: u32, slot: u32) -> &mut Tb {
        self.tbcr[smx as usize][slot as usize].as_mut().expect("the TB was looked at")
    }

    /// launch2-P2.
    pub(in crate::model) fn tb_trigger(&mut self, smx: u32, slot: u32) -> Result<(), Fault> {
        let tb = self.dependent(smx, slot)?;
        self.tb_mut(smx, slot).has_triggered = true;
        self.try_open(tb.kde);
        Ok(())
    }

    /// launch2-P5.
    pub(in crate::model) fn tb_wait(&mut self, smx: u32, slot: u32) -> Result<(), Fault> {
        let tb = self.dependent(smx, slot)?;
        if tb.is_waiting {
            return Err(Fault::AlreadyWaiting);
        }
        self.grids.stats.waits += 1;
        let grid = self.kde(tb.kde).kernel.grid.expect("where TBs wait, kernels have grids");
        if self.grids.follows(grid) {
            self.tb_mut(smx, slot).is_waiting = true;
        } else {
            self.emit(Decision::Released { smx: SmxId(smx as u16), slot: SlotId(slot as u8) });
        }
        Ok(())
    }

    /// launch2-G4: TBs of a grid need not wait any more.
    pub(super) fn release(&mut self, g: usize) {
        for s in 0..self.tbcr.len() {
            for w in 0..self.tbcr[s].len() {
                let Some(tb) = self.tbcr[s][w].filter(|tb| tb.is_waiting) else { continue };
                if self.kde(tb.kde).kernel.grid == Some(g) {
                    self.tb_mut(s as u32, w as u32).is_waiting = false;
                    self.emit(Decision::Released { smx: SmxId(s as u16), slot: SlotId(w as u8) });
                }
            }
        }
    }

    /// launch2-P3: sweep.
    pub(in crate::model) fn p3_sweep(&mut self) {
        (0..self.kdes.len()).for_each(|k| self.try_open(k));
    }

    fn try_open(&mut self, k: usize) {
        let Some(kde) = self.kdes[k].as_ref().filter(|_| self.config.pdl.is_some()) else { return };
        let Some(g) = kde.kernel.grid else { return };
        let natives = kde.restored < kde.kernel.saved || kde.kernel.next_native < tbs_of(&kde.kernel.descriptor);
        let natives = natives && kde.graph != Some(GraphState::Aborted);
        let is_sent = !self.fifo.contains(&k) && !natives && kde.nagei.is_none() && kde.pend == 0;
        let is_active = kde.arriving.is_none() && kde.saving.is_none() && !kde.retain;
        let tbs: Vec<_> = self.tbcr.iter().flatten().flatten().filter(|tb| tb.kde == k).collect();
        let have_triggered = !tbs.is_empty() && tbs.iter().all(|tb| tb.has_triggered);
        let is_group = |held: &Held| matches!(held, Held::Agg(_));
        let has_groups = self.records.iter().flatten().any(|rec| is_group(&rec.state) && rec.launcher == Some(g));
        let is_new = !self.grids.grid(g).is_open;
        if is_new && is_sent && is_active && have_triggered && !has_groups && !self.grids.has_children(g) {
            self.grids.stats.opens += 1;
            self.emit(Decision::Opened { kde: KernelSlot(k as u8), tag: self.grids.grid(g).tag });
            self.open(g);
        }
    }

    /// launch2-P3: of what has ended.
    pub(super) fn open_if_ended(&mut self, g: usize) {
        let Some(grid) = &self.grids.all[g] else { return };
        if self.config.pdl.is_some() && grid.has_ended && !grid.is_open && !self.grids.has_children(g) {
            self.open(g);
        }
    }

    fn open(&mut self, g: usize) {
        self.grids.grid_mut(g).is_open = true;
        if let Of::Node(i, node) = self.grids.grid(g).of {
            self.node_is_open(i, node);
        }
    }

    /// Whether the kernel in an entry is open.
    pub(in crate::model) fn is_open(&self, k: usize) -> bool {
        self.kde(k).kernel.grid.is_some_and(|g| self.grids.grid(g).is_open)
    }

    /// launch2-P7.
    pub(in crate::model) fn check_late(&self, k: usize) -> Result<(), Fault> {
        let refuses = self.config.pdl.is_some_and(|part| part.late_launch == LateLaunch::Refuse);
        if refuses && self.is_open(k) { Err(Fault::Opened) } else { Ok(()) }
    }

    /// launch2-P9.
    pub(in crate::model) fn overlaps(&self, k: usize) -> bool {
        self.is_open(k) || self.kde(k).kernel.grid.is_some_and(|g| self.grids.follows(g))
    }

    /// TBs that wait, and TBs.
    pub(in crate::model) fn waiting_tbs(&self) -> (usize, usize) {
        let tbs = || self.tbcr.iter().flatten().flatten();
        (tbs().filter(|tb| tb.is_waiting).count(), tbs().count())
    }

    /// So many cycles go by.
    pub(in crate::model) fn count_waits(&mut self, cycles: u64) {
        let slots = (self.waiting_tbs().0 as u64).saturating_mul(cycles);
        self.grids.stats.wait_slots = self.grids.stats.wait_slots.saturating_add(slots);
    }
}
