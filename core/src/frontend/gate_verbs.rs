//! The verbs of the gates, and what controllers ask (`frontend`, Interface, G and C2).

use crate::dispatch::Cursor;
use crate::error::Fault;
use crate::frontend::config::Config;
use crate::frontend::gates::Obstacle;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Sched};
use crate::id::{ClassId, KernelSlot, SmxId};
use crate::residency::Need;
use crate::set::SmxSet;

/// The unit at the head of the line, for controllers that wake SMXs (C2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WaitingHead {
    /// Tag of the kernel or group whose TB is next.
    pub tag: u64,
    /// What that TB needs.
    pub need: Need,
    /// SMXs that may take it, were they eligible and free.
    pub allowed: SmxSet,
}

impl<T: Tables> FrontEnd<T> {
    /// Gate E: only these SMXs take TBs.
    ///
    /// # Errors
    /// `BadMask` if the set names an SMX that does not exist.
    pub fn set_eligible(&mut self, eligible: SmxSet) -> Result<(), Fault> {
        if !eligible.without(&self.all_smxs()).is_empty() {
            return Err(Fault::BadMask);
        }
        self.gates.set_eligible(eligible);
        Ok(())
    }

    /// Gate X: `smx` holds at most `cap` TBs; `tb_slots` is open. Nothing is evicted.
    ///
    /// # Errors
    /// `BadSmx`, `BadCap`.
    pub fn set_block_cap(&mut self, smx: SmxId, cap: u32) -> Result<(), Fault> {
        self.check_smx(smx)?;
        if cap > self.config.tb_slots {
            return Err(Fault::BadCap);
        }
        self.gates.set_block_cap(smx, cap as u8, self.residency.count_of(smx));
        Ok(())
    }

    /// Gate K: kernels with entry `pc` are of this class from now on; `None` empties the class. Its caps stay (G3).
    ///
    /// # Errors
    /// `BadClass`, `ClassTaken`.
    pub fn set_class(&mut self, class: ClassId, pc: Option<u64>) -> Result<(), Fault> {
        self.check_class(class)?;
        if pc.and_then(|pc| self.gates.class_of(pc)).is_some_and(|owner| owner != class) {
            return Err(Fault::ClassTaken);
        }
        self.gates.bind(class, pc);
        Ok(())
    }

    /// Gate K: `smx` holds at most `cap` TBs of the class, the first `by` of which bypass L1; `tb_slots` is open.
    ///
    /// # Errors
    /// `BadClass`, `BadSmx`, `BadCap`.
    pub fn set_class_cap(&mut self, class: ClassId, smx: SmxId, cap: u32, by: u32) -> Result<(), Fault> {
        self.check_class(class)?;
        self.check_smx(smx)?;
        if by > cap || cap > self.config.tb_slots {
            return Err(Fault::BadCap);
        }
        let entry = self.gates.cap_mut(class, smx);
        (entry.cap, entry.by) = (cap as u8, by as u8);
        Ok(())
    }

    /// Activity of each SMX in thousandths, for the next sample of an occupancy-bubble controller.
    ///
    /// # Errors
    /// `NoBubble`: no such controller is part of this machine yet.
    pub fn activity(&mut self, per_smx: &[u16]) -> Result<(), Fault> {
        let _ = per_smx;
        Err(Fault::NoBubble)
    }

    /// Whether an active kernel of the class has unsent TBs or groups.
    ///
    /// # Errors
    /// `BadClass`.
    pub fn has_work(&self, class: ClassId) -> Result<bool, Fault> {
        self.check_class(class)?;
        let Some(pc) = self.gates.class(class) else { return Ok(false) };
        let mut entries = self.kd.active().map(|k| self.kd.get(k));
        Ok(entries.any(|e| e.kernel.descriptor.pc == pc && (e.has_native_work() || e.chain.is_some())))
    }

    /// The first unit in line that no SMX can take although one that is not eligible is allowed to; else the first in line. A
    /// unit that waits for gate X, M or K on every SMX is passed over. First come, first served has one line: unit 0.
    ///
    /// # Errors
    /// `BadUnit`.
    pub fn waiting_head(&self, start: u32) -> Result<Option<WaitingHead>, Fault> {
        if start != 0 {
            return Err(Fault::BadUnit);
        }
        let mut first = None;
        for k in self.kd.fifo() {
            let kde = self.kd.get(k);
            let mut allowed = self.all_smxs();
            let (mut taken, mut asleep, mut capped, mut free) = (false, false, false, false);
            for smx in self.all_smxs().iter() {
                let open = !self.is_closed(k, smx);
                allowed.set(smx, open);
                let obstacle = self.obstacle(k, smx);
                capped |= obstacle == Some(Obstacle::Cap);
                free |= obstacle.is_none();
                taken |= open && obstacle.is_none();
                asleep |= open && !self.gates.eligible().contains(smx);
            }
            if !allowed.is_empty() {
                let group = Cursor::of(kde).group;
                let tag = group.map_or(kde.kernel.descriptor.tag, |r| self.records.get(r).descriptor.tag);
                let head = WaitingHead { tag, need: kde.need, allowed };
                if !taken && asleep {
                    return Ok(Some(head));
                }
                first.get_or_insert(head);
            }
            let passed = !free && capped && self.config.pass_capped;
            if !passed {
                break;
            }
        }
        Ok(first)
    }

    /// Whether X, M or K keeps kernel `k` off an SMX.
    fn is_closed(&self, k: KernelSlot, smx: SmxId) -> bool {
        let class = self.gates.class_of(self.kd.get(k).kernel.descriptor.pc);
        self.gates.full().contains(smx) || self.is_excluded(k, smx) || self.gates.is_capped(class, smx, |c| c.resident)
    }

    pub(crate) fn all_smxs(&self) -> SmxSet {
        SmxSet::first(self.config.n_smx)
    }

    fn check_smx(&self, smx: SmxId) -> Result<(), Fault> {
        let Config { n_smx, .. } = self.config;
        if u32::from(smx.0) < n_smx { Ok(()) } else { Err(Fault::BadSmx) }
    }

    fn check_class(&self, class: ClassId) -> Result<(), Fault> {
        if self.gates.has_class(class) { Ok(()) } else { Err(Fault::BadClass) }
    }

    /// What the scheduler would say if every SMX were empty: can anything be sent at all (Q1)?
    pub(crate) fn could_send_when_empty(&self) -> bool {
        for k in self.kd.fifo() {
            let class = self.gates.class_of(self.kd.get(k).kernel.descriptor.pc);
            let mut word = Sched::Gated;
            for smx in self.gates.eligible().iter() {
                if self.gates.is_full_with(smx, 0) {
                    continue;
                }
                if !self.gates.is_capped(class, smx, |_| 0) {
                    return true;
                }
                word = Sched::Capped;
            }
            if word != Sched::Capped || !self.config.pass_capped {
                return false;
            }
        }
        false
    }
}
