//! The verbs of the gates (sheet `frontend`, Interface and G).

use crate::base::error::Fault;
use crate::base::id::{ClassId, SmxId};
use crate::base::set::SmxSet;
use crate::config::Config;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;

impl<T: Tables> FrontEnd<T> {
    /// Gate E: only these SMXs take TBs.
    ///
    /// # Errors
    /// `BubbleOwnsMask` with an occupancy-bubble controller; `BadMask` if the set names an SMX that does not exist.
    pub fn set_eligible(&mut self, eligible: SmxSet) -> Result<(), Fault> {
        if self.bubble.is_some() {
            return Err(Fault::BubbleOwnsMask);
        }
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

    /// Gate K: kernels with entry `pc` are of this class from now on; `None` empties the class. Its caps stay (frontend-G3).
    /// Under LaPerm the call goes through the units on chip.
    ///
    /// # Errors
    /// `BadClass`, `ClassTaken`.
    pub fn set_class(&mut self, class: ClassId, pc: Option<u64>) -> Result<(), Fault> {
        self.check_class(class)?;
        if pc.and_then(|pc| self.gates.class_of(pc)).is_some_and(|owner| owner != class) {
            return Err(Fault::ClassTaken);
        }
        self.gates.bind(class, pc);
        self.classify_units();
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
        self.gates.set_class_cap(class, smx, cap as u8, by as u8);
        Ok(())
    }

    /// Whether an active kernel of the class has unsent TBs or groups.
    ///
    /// # Errors
    /// `BadClass`.
    pub fn has_work(&self, class: ClassId) -> Result<bool, Fault> {
        self.check_class(class)?;
        let Some(pc) = self.gates.class(class) else { return Ok(false) };
        let mut entries = self.kd.active().map(|k| self.kd.get(k));
        Ok(entries.any(|e| e.kernel.descriptor.pc == pc && e.has_work()))
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
}
