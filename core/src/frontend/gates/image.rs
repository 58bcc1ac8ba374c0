//! Gates in an image: those that are not open. They are set again by the verbs that set them.

use super::{ClassCap, Gates};
use crate::base::id::{ClassId, Id, SmxId};
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::set::SmxSet;
use crate::base::table::Rows;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::smx::residency::ClassMember;

impl<B: Rows<u8>, C: Rows<ClassCap>> Gates<B, C> {
    pub(crate) fn save(&self, w: &mut Writer<'_>) {
        // What counts TBs follows from the TBs.
        let Self {
            tb_slots,
            n_smx,
            n_class,
            eligible,
            block_caps,
            limited: _,
            full: _,
            classes,
            bound: _,
            caps: _,
            capped: _,
        } = self;
        w.put(eligible);
        let smxs = || (0..*n_smx).map(SmxId::from_index);
        w.list(smxs().map(|s| (s, u32::from(block_caps[s]))).filter(|&(_, cap)| cap < u32::from(*tb_slots)));
        w.list((0u8..).map(ClassId).zip(classes).filter_map(|(c, pc)| Some((c, (*pc)?))));
        let caps = (0..*n_class).map(ClassId).flat_map(|c| smxs().map(move |s| (c, s)));
        w.list(caps.filter_map(|(c, s)| {
            let &ClassCap { cap, by, resident: _, bypassing: _ } = self.cap(c, s);
            ((cap, by) != (*tb_slots, 0)).then_some((c, s, u32::from(cap), u32::from(by)))
        }));
    }

    /// Counts a TB that was read.
    pub(crate) fn count_read(&mut self, s: SmxId, member: Option<ClassMember>) -> Result<(), ImageError> {
        if let Some(member) = member {
            possible(self.has_class(member.class))?;
            self.count(s, &member);
        }
        Ok(())
    }
}

impl<T: Tables> FrontEnd<T> {
    /// Sets the gates of an image, on a machine that has its TBs.
    pub(crate) fn load_gates(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let refused = |_| ImageError::Content;
        let eligible: SmxSet = r.get()?;
        possible(eligible.without(&self.all_smxs()).is_empty())?;
        self.gates.set_eligible(eligible);
        while let Some((smx, cap)) = r.next()? {
            self.set_block_cap(smx, cap).map_err(refused)?;
        }
        while let Some((class, pc)) = r.next()? {
            self.set_class(class, Some(pc)).map_err(refused)?;
        }
        while let Some((class, smx, cap, by)) = r.next()? {
            self.set_class_cap(class, smx, cap, by).map_err(refused)?;
        }
        Ok(())
    }
}
