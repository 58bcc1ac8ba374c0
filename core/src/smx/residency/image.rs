//! Resident TBs in an image; what is free follows from them.

use super::{Need, Residency, ResidentTb, Smx, Tbcr};
use crate::base::id::{Id, KernelSlot, SlotId, SmxId};
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

    /// Loads the view of the room. Its kernel is checked by the caller, who knows what it needs.
    pub(crate) fn load_view(&mut self, r: &mut Reader<'_>) -> Result<Option<(KernelSlot, Need)>, ImageError> {
        (self.followed, self.shape) = r.get()?;
        self.room = self.room_for(&self.shape);
        Ok(self.followed.map(|k| (k, self.shape)))
    }

    /// The resident TBs.
    pub(crate) fn tbs(&self) -> impl Iterator<Item = &ResidentTb> {
        self.tbcrs.iter().filter_map(|(_, tb)| tb.as_ref())
    }

    /// Puts a TB that was read back onto an SMX, if it finds room in its slot.
    pub(crate) fn put_back(&mut self, s: SmxId, w: SlotId, need: &Need, tb: ResidentTb) -> Result<(), ImageError> {
        possible(w.index() < self.tb_slots && self.smxs[s].slots >> w.0 & 1 == 1 && self.smxs[s].fits(need))?;
        self.put(s, w, need, tb);
        Ok(())
    }
}
