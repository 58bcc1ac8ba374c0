//! Suspension: a parent leaves its SMXs while it waits for its children, and comes back through the KMU (dtbl-S1 to S3).

use crate::base::error::Fault;
use crate::base::id::{KernelSlot, RecordId, SlotId, SmxId, SuspId};
use crate::config::LoadMode;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::cursor::Load;
use crate::launch::distributor::Kernel;
use crate::probe::{Decision, Probe};

impl<T: Tables> FrontEnd<T> {
    /// dtbl-S1: takes a kernel's TBs off their SMXs and its entry away; its queue stays held. Register and memory contexts are the
    /// caller's to keep, in the order of the `Saved` decisions.
    ///
    /// # Errors
    /// `BadKde`, `NoKernel`, `GraphKernel`, `Retained`, `HasGroups`, `RestorePending`, `NothingResident`, `SyncDepth`, `SuspFull`.
    pub fn suspend(&mut self, kde: KernelSlot, probe: &mut impl Probe) -> Result<SuspId, Fault> {
        self.check_active(kde)?;
        let entry = *self.kd.get(kde);
        let refusals = [
            (entry.graph.is_some(), Fault::GraphKernel),
            (entry.retain, Fault::Retained),
            (entry.live > 0, Fault::HasGroups),
            (entry.restored < entry.kernel.saved, Fault::RestorePending),
            (entry.exe == 0, Fault::NothingResident),
            (u32::from(entry.kernel.depth) >= self.config.sync_depth, Fault::SyncDepth),
            (self.suspended.is_full(), Fault::SuspFull),
        ];
        if let Some(&(_, fault)) = refusals.iter().find(|(refused, _)| *refused) {
            return Err(fault);
        }
        for smx in (0..self.config.n_smx as u16).map(SmxId) {
            for slot in (0..self.config.tb_slots as u8).map(SlotId) {
                let Some(tb) = self.residency.tb(smx, slot).copied().filter(|tb| tb.kde == kde) else { continue };
                let tb_ref = self.tb_ref(tb.unit);
                probe.decide(self.now, Decision::Saved { smx, slot, tb_ref, blkid: tb.blkid });
                let _ = self.take_off(smx, slot);
            }
        }
        // frontend-F5: of a kernel without groups LaPerm holds at most the native TBs.
        if let Some(natives) = entry.natives {
            self.let_go(natives, probe);
        }
        self.kd.unmark(kde);
        self.kd.release(kde);
        self.residency.forget(kde);
        let index = self.suspended.push(Kernel { saved: entry.exe, ..entry.kernel });
        probe.decide(self.now, Decision::Suspend { kde, index });
        Ok(index)
    }

    /// dtbl-S2: makes a suspended kernel a candidate of the KMU. It will send its saved TBs first, on any SMX, then those never sent.
    ///
    /// # Errors
    /// `BadSusp`, `AlreadyResumed`.
    pub fn resume(&mut self, index: SuspId) -> Result<(), Fault> {
        let entry = self.suspended.get(index).ok_or(Fault::BadSusp)?;
        if entry.resumed.is_some() {
            return Err(Fault::AlreadyResumed);
        }
        let key = self.next_key(self.now);
        self.suspended.resume(index, key);
        Ok(())
    }

    /// dtbl-S3: the information of a spilled group is here (`load_mode` external).
    ///
    /// # Errors
    /// `NoLoad` if that record was not asked for, or was answered.
    pub fn spill_loaded(&mut self, record: RecordId) -> Result<(), Fault> {
        if self.config.load_mode != LoadMode::External {
            return Err(Fault::NoLoad);
        }
        let is_sent = |k: &KernelSlot| self.kd.get(*k).cursor().is_some_and(|c| c.group == Some(record));
        let sender = self.kd.fifo().find(is_sent);
        let load = match sender {
            Some(k) => self.kd.get_mut(k).cursor_mut().map(|cursor| &mut cursor.load),
            None => self.load_buffer.get_mut(record),
        };
        let load = load.filter(|load| matches!(load, Load::Waiting(_))).ok_or(Fault::NoLoad)?;
        *load = Load::Here;
        Ok(())
    }
}
