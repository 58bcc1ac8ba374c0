//! A front end as a policy sees it.

use crate::base::cycle::Cycle;
use crate::base::id::{ClassId, SmxId};
use crate::base::resources::Resources;
use crate::base::set::SmxSet;
use crate::frontend::tables::Tables;
use crate::policy::seam::offer::{Offer, OfferId, Resident, View};
use crate::policy::seam::seat::Seat;

/// What a policy sees of a front end: a look at it, made as it is asked for.
#[allow(missing_debug_implementations, reason = "a look at the front end, which has one")]
pub struct Sight<'a, T: Tables>(pub(super) Seat<'a, T>);

impl<T: Tables> View for Sight<'_, T> {
    fn now(&self) -> Cycle {
        self.0.board.now
    }

    fn offers(&self) -> impl Iterator<Item = Offer> {
        self.0.units().map(|next| self.0.offer(&next))
    }

    fn offer(&self, id: OfferId) -> Option<Offer> {
        Some(self.0.offer(&self.0.find(id)?))
    }

    fn capped(&self, class: ClassId) -> SmxSet {
        self.0.board.gates.capped(Some(class))
    }

    fn closed(&self) -> SmxSet {
        let board = self.0.board;
        board.all_smxs().without(board.gates.eligible()).or(board.gates.full())
    }

    fn free(&self, smx: SmxId) -> Resources {
        self.0.board.residency.smx(smx).free()
    }

    fn residents(&self, smx: SmxId) -> impl Iterator<Item = Resident> {
        self.0.on(smx)
    }
}
