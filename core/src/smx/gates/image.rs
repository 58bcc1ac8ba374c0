//! Gates in an image: those that are not open. They are set again by the verbs that set them.

use super::{ClassCap, Gates};
use crate::base::id::{ClassId, Id, SmxId};
use crate::base::image::{ImageError, Writer, possible};
use crate::base::table::Rows;
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
