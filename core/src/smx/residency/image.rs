//! Resident TBs in an image; what is free follows from them.

use super::{Need, Residency, ResidentTb, Smx, Tbcr};
use crate::base::id::{Id, SlotId, SmxId};
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::table::Rows;

impl<S: Rows<Smx>, R: Rows<Tbcr>> Residency<S, R> {
    pub(crate) fn save(&self, w: &mut Writer<'_>) {
        let Self { smxs: _, tbcrs: _, n_smx, tb_slots, followed, shape, room: _, warps: _ } = self;
        w.put((followed, shape));
        let slots = |s| (0..*tb_slots).map(SlotId::from_index).map(move |slot| (s, slot));
        let places = (0..*n_smx).map(SmxId::from_index).flat_map(slots);
        w.list(places.filter_map(|(s, slot)| Some((s, slot, self.tb(s, slot)?))));
    }

    /// Loads the view of the room.
    pub(crate) fn load_view(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        (self.followed, self.shape) = r.get()?;
        self.room = self.room_for(&self.shape);
        Ok(())
    }

    /// Puts a TB that was read back onto an SMX, if it finds room in its slot.
    pub(crate) fn put_back(&mut self, s: SmxId, w: SlotId, need: &Need, tb: ResidentTb) -> Result<(), ImageError> {
        let is_slot = s.index() < self.n_smx && w.index() < self.tb_slots;
        possible(is_slot && self.smxs[s].slots >> w.0 & 1 == 1 && self.smxs[s].fits(need))?;
        self.put(s, w, need, tb);
        Ok(())
    }
}
