//! TBs spread over GPCs, in each over its TPCs, in each over its SMXs: `gpc_first`; without GPCs: `tpc_first` (catalogue-P8).

use super::about::about;
use super::pick::{choice, turn};
use super::tables::PointerId;
use super::topology::{GpcId, TpcId, set_of};
use super::{Catalogue, Tables};
use crate::base::id::SmxId;
use crate::base::set::{IdSet, SmxSet};
use crate::policy::seam::offer::{Choice, View};

about! {
    /// Three pointers: over the GPCs, over the TPCs of each, over the SMXs of each. Those of what was taken go behind it, the others stay.
    pub const GPC_FIRST: GpcFirst = "gpc_first", "the next GPC, in it the next TPC, in it the next SMX";
    source "ours", "Gilman20, 4.3, found Turing's order to spread TBs over GPCs and TPCs";
    parameters { pass: Ours "as all policies"; }
    extras [];
    hazard "A small GPC gets as many TBs as a large one, so its SMXs fill first."
}
about! {
    /// As `gpc_first` with one GPC that holds all TPCs.
    pub const TPC_FIRST: TpcFirst = "tpc_first", "the next TPC, in it the next SMX";
    source "ours", "Gilman20, 4.3, found Turing's order to spread TBs over GPCs and TPCs";
    parameters { pass: Ours "as all policies"; }
    extras [];
    hazard "A small TPC gets as many TBs as a large one, so its SMXs fill first."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn gpc_first(&mut self, view: &impl View) -> Option<Choice> {
        let (offer, candidates) = self.walk(view.offers(), |_| self.anywhere())?;
        Some(choice(&offer, self.spread(&candidates)?))
    }

    /// The first candidate by all three pointers, which go behind it.
    fn spread(&mut self, candidates: &SmxSet) -> Option<SmxId> {
        let config = &self.config;
        let groups = IdSet::<GpcId>::first(config.groups());
        let with_candidates = set_of(candidates.iter().map(|s| config.group_of(s)));
        let (group, behind_group) = turn(&groups, self.turn, &with_candidates)?;

        let in_group = candidates.iter().filter(|s| config.group_of(*s) == group);
        let tpcs = set_of(in_group.map(|s| config.tpc_of(s)));
        let tpc_pointer = PointerId(group.0.into());
        let (tpc, behind_tpc) = turn(&config.tpcs_in(group), self.pointer_at(tpc_pointer), &tpcs)?;

        let smx_pointer = self.smx_pointer(tpc);
        let (smx, behind_smx) = turn(&config.in_tpc(tpc), self.pointer_at(smx_pointer), candidates)?;

        self.turn = behind_group;
        self.set_pointer(tpc_pointer, behind_tpc);
        self.set_pointer(smx_pointer, behind_smx);
        Some(smx)
    }

    /// The row of a TPC's pointer.
    pub(super) fn smx_pointer(&self, tpc: TpcId) -> PointerId {
        PointerId(self.config.groups() as u16 + u16::from(tpc.0))
    }

    pub(super) fn pointer_at(&self, id: PointerId) -> u16 {
        self.pointers.get(id).copied().unwrap_or(0)
    }
}
