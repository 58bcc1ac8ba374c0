//! The lowest SMX that has room (catalogue-P2).

use super::about::about;
use super::pick::choice;
use super::{Catalogue, Tables};
use crate::policy::seam::offer::{Choice, View};

about! {
    /// In tiny-gpu a core that has ended loses a cycle in reset; here the next TB can follow in the cycle of the end.
    pub const LOWEST_FIRST: LowestFirst = "lowest_first", "the first offer that may go, to the lowest SMX that is open to it";
    source "TG", "github.com/adam-maj/tiny-gpu, src/dispatch.sv at 060d23d";
    parameters { pass: Ours "as all policies"; }
    extras [];
    hazard "SMX 0 is filled before SMX 1 gets anything: few TBs have no parallelism."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn lowest_first(&mut self, view: &impl View) -> Option<Choice> {
        let (offer, candidates) = self.walk(view.offers(), |_| self.anywhere())?;
        Some(choice(&offer, candidates.at_or_above(0)?))
    }
}
