//! Suspension: a parent leaves its SMXs while it waits for its children, and comes back through the KMU (dtbl-S1 to S3).

use crate::base::error::Fault;
use crate::base::id::{KernelSlot, RecordId, SlotId, SmxId, SuspId};
use crate::config::LoadMode;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::distributor::{Kernel, Phase};
use crate::probe::{Decision, Probe};

impl<T: Tables> FrontEnd<T> {
    /// dtbl-S1, policy-P17: takes a kernel's TBs off their SMXs and its entry away; its queue stays held. Register and memory contexts are the
    /// caller's to keep, in the order of the `Saved` decisions.
    ///
    /// # Errors
    /// `NoJoin` where no kernel waits for its children (launch2-C5); `BadKde`, `NoKernel`, `GraphKernel`, `PdlKernel` (launch2-P9),
    /// `Saving`, `Retained`, `HasGroups`, `RestorePending`, `Split`, `NothingResident`, `SyncDepth`, `SuspFull`.
    pub fn suspend(&mut self, kde: KernelSlot, probe: &mut impl Probe) -> Result<SuspId, Fault> {
        self.between()?;
        if self.board.config.cdp2.is_some() {
            return Err(Fault::NoJoin);
        }
        self.check_suspend(kde)?;
        self.lift();
        let index = self.take_away(kde, probe);
        self.settle(probe);
        Ok(index)
    }

    /// Whether a kernel can be suspended.
    pub(super) fn check_suspend(&self, kde: KernelSlot) -> Result<(), Fault> {
        self.board.check_active(kde)?;
        let entry = self.board.kd.get(kde);
        let coming = if self.modern.is_some() { self.board.kd.saving().count() as u32 } else { 0 };
        let refusals = [
            (entry.graph.is_some(), Fault::GraphKernel),
            (self.grids.as_ref().is_some_and(|grids| grids.overlaps(kde)), Fault::PdlKernel),
            (matches!(entry.phase, Phase::Saving(_)), Fault::Saving),
            (entry.retain, Fault::Retained),
            (entry.live > 0, Fault::HasGroups),
            (entry.restored < entry.kernel.saved, Fault::RestorePending),
            (self.told.as_ref().is_some_and(|told| told.units.is_cut(told.units.natives(kde))), Fault::Split),
            (entry.exe == 0, Fault::NothingResident),
            (u32::from(entry.kernel.depth) >= self.board.config.sync_depth, Fault::SyncDepth),
            (self.board.suspended.is_full(coming), Fault::SuspFull),
        ];
        match refusals.iter().find(|(refused, _)| *refused) {
            Some(&(_, fault)) => Err(fault),
            None => Ok(()),
        }
    }

    /// Takes a kernel that can be suspended away.
    pub(super) fn take_away(&mut self, kde: KernelSlot, probe: &mut impl Probe) -> SuspId {
        let entry = *self.board.kd.get(kde);
        let (next, mut nth) = (self.board.suspended.next_free(), 0);
        for smx in (0..self.board.config.n_smx as u16).map(SmxId) {
            for slot in (0..self.board.config.tb_slots as u8).map(SlotId) {
                let Some(tb) = self.board.residency.tb(smx, slot).copied().filter(|tb| tb.kde == kde) else { continue };
                let tb_ref = self.tb_ref(tb.unit);
                probe.decide(self.board.now, Decision::Saved { smx, slot, tb_ref, blkid: tb.blkid });
                let _ = self.board.take_off(smx, slot);
                if let Some(told) = self.told.as_mut() {
                    told.left(smx, slot);
                }
                if let Some(grids) = self.grids.as_mut() {
                    grids.left((smx, slot), kde);
                }
                if let Some(modern) = self.modern.as_mut() {
                    modern.keep_saved(next, nth, (smx, slot));
                    modern.left((smx, slot), kde, entry.kernel.owner.context);
                }
                nth += 1;
            }
        }
        // frontend-F5: of a kernel without groups LaPerm holds at most the native TBs.
        if let Some((natives, line)) = entry.natives.zip(self.laperm.as_mut()) {
            line.let_go(&mut self.board, natives, probe);
        }
        let unit = self.told.as_mut().map(|told| {
            told.withdraw(&mut self.board, kde, None);
            told.units.take(told.units.natives(kde))
        });
        self.board.kd.unmark(kde);
        self.board.leave_entry(kde);
        let index = self.board.suspended.push(Kernel { saved: entry.exe, ..entry.kernel });
        if let Some(grids) = self.grids.as_mut() {
            grids.suspended(kde, index);
        }
        if let Some((told, unit)) = self.told.as_mut().zip(unit) {
            told.units.put(told.units.suspended(index), unit);
        }
        probe.decide(self.board.now, Decision::Suspend { kde, index });
        index
    }

    /// dtbl-S2: makes a suspended kernel a candidate of the KMU. It will send its saved TBs first, on any SMX, then those never sent.
    ///
    /// # Errors
    /// `BadSusp`, `AlreadyResumed`.
    pub fn resume(&mut self, index: SuspId) -> Result<(), Fault> {
        self.between()?;
        let entry = self.board.suspended.get(index).ok_or(Fault::BadSusp)?;
        if entry.resumed.is_some() {
            return Err(Fault::AlreadyResumed);
        }
        self.lift();
        let key = self.board.next_key(self.board.now);
        self.board.suspended.resume(index, key);
        Ok(())
    }

    /// dtbl-S3: the information of a spilled group is here (`load_mode` external).
    ///
    /// # Errors
    /// `NoLoad` if that record was not asked for, or was answered.
    pub fn spill_loaded(&mut self, record: RecordId) -> Result<(), Fault> {
        self.verb(|gpu| {
            if gpu.board.config.load_mode != LoadMode::External {
                return Err(Fault::NoLoad);
            }
            gpu.fcfs_rr.loaded(&mut gpu.board, record)
        })
    }
}
