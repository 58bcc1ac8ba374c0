//! Round robin over the SMXs (catalogue-P1).

use super::about::about;
use super::pick::choice;
use super::{Catalogue, Tables};
use crate::policy::seam::offer::{Choice, View};

about! {
    /// GPGPU-Sim starts behind the cluster that it served last, and goes on to the next kernel only when the one served last has no TB
    /// left: the same with one TB per cycle. It is what the front end does by itself (frontend-T4f).
    pub const RR: Rr = "rr", "the first offer that may go, to the first SMX from a pointer that goes behind it";
    source "GS", "github.com/gpgpu-sim/gpgpu-sim_distribution, `gpgpu_sim::issue_block2core`";
    parameters { pass: Ours "capped is frontend-T4f"; }
    extras [];
    hazard "It knows no locality: neighbours go to different SMXs, and a kernel's last TBs to any."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn rr(&mut self, view: &impl View) -> Option<Choice> {
        let (offer, candidates) = self.walk(view.offers(), |_| self.anywhere())?;
        Some(choice(&offer, self.next_in_turn(&candidates)?))
    }
}
