//! The verbs of the gates (sheet `frontend`, Interface and G).

use crate::base::error::Fault;
use crate::base::id::{ClassId, SmxId};
use crate::base::set::SmxSet;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;

impl<T: Tables> FrontEnd<T> {
    /// Gate E: only these SMXs take TBs.
    ///
    /// # Errors
    /// `BubbleOwnsMask` with an occupancy-bubble controller; `BadMask` if the set names an SMX that does not exist.
    pub fn set_eligible(&mut self, eligible: SmxSet) -> Result<(), Fault> {
        self.between()?;
        if self.bubble.is_some() {
            return Err(Fault::BubbleOwnsMask);
        }
        if !eligible.without(&self.board.all_smxs()).is_empty() {
            return Err(Fault::BadMask);
        }
        self.lift();
        self.board.gates.set_eligible(eligible);
        Ok(())
    }

    /// Gate X: `smx` holds at most `cap` TBs; `tb_slots` is open. Nothing is evicted.
    ///
    /// # Errors
    /// `BadSmx`, `BadCap`.
    pub fn set_block_cap(&mut self, smx: SmxId, cap: u32) -> Result<(), Fault> {
        self.between()?;
        self.board.check_smx(smx)?;
        if cap > self.board.config.tb_slots {
            return Err(Fault::BadCap);
        }
        self.lift();
        self.board.gates.set_block_cap(smx, cap as u8, self.board.residency.count_of(smx));
        Ok(())
    }

    /// Gate K: kernels with entry `pc` are of this class from now on. Its caps stay (frontend-G3). Under LaPerm the call goes through
    /// the units on chip.
    ///
    /// # Errors
    /// `BadClass`; `ClassTaken`: `pc` belongs to another class.
    pub fn set_class(&mut self, cls: ClassId, pc: u64) -> Result<(), Fault> {
        self.between()?;
        self.board.check_class(cls)?;
        if self.board.gates.class_of(pc).is_some_and(|owner| owner != cls) {
            return Err(Fault::ClassTaken);
        }
        self.bind_class(cls, Some(pc));
        Ok(())
    }

    /// Gate K: no kernel is of this class any more. Its caps stay.
    ///
    /// # Errors
    /// `BadClass`.
    pub fn clear_class(&mut self, cls: ClassId) -> Result<(), Fault> {
        self.between()?;
        self.board.check_class(cls)?;
        self.bind_class(cls, None);
        Ok(())
    }

    fn bind_class(&mut self, cls: ClassId, pc: Option<u64>) {
        self.lift();
        self.board.gates.bind(cls, pc);
        if let Some(line) = self.laperm.as_mut() {
            line.classify(&self.board);
        }
    }

    /// Gate K: `smx` holds at most `cap` TBs of the class, the first `by` of which bypass L1; `tb_slots` is open.
    ///
    /// # Errors
    /// `BadClass`, `BadSmx`, `BadCap`.
    pub fn set_class_cap(&mut self, cls: ClassId, smx: SmxId, cap: u32, by: u32) -> Result<(), Fault> {
        self.check_class_cap(cls, smx, cap, by)?;
        self.lift();
        self.board.gates.set_class_cap(cls, smx, cap as u8, by as u8);
        Ok(())
    }

    /// What [`FrontEnd::set_class_cap`] would be refused with.
    pub(crate) fn check_class_cap(&self, cls: ClassId, smx: SmxId, cap: u32, by: u32) -> Result<(), Fault> {
        self.between()?;
        self.board.check_class(cls)?;
        self.board.check_smx(smx)?;
        if by > cap || cap > self.board.config.tb_slots { Err(Fault::BadCap) } else { Ok(()) }
    }

    /// Whether an active kernel of the class has unsent TBs or groups.
    ///
    /// # Errors
    /// `BadClass`.
    pub fn has_work(&self, cls: ClassId) -> Result<bool, Fault> {
        self.board.check_class(cls)?;
        let Some(pc) = self.board.gates.class(cls) else { return Ok(false) };
        Ok(self.board.kd.active().any(|k| self.board.kd.has_work_of(k, pc)))
    }

    /// SMXs that may take TBs as far as the host is concerned: gate E, unless the controller owns that.
    pub(super) fn host_eligible(&self) -> SmxSet {
        if self.bubble.is_some() { self.board.all_smxs() } else { *self.board.gates.eligible() }
    }
}
