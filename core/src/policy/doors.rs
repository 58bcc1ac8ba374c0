//! What stands between kernels and SMXs: what a policy is offered.

use crate::base::error::Fault;
use crate::base::id::{KernelSlot, SmxId};
use crate::base::set::SmxSet;
use crate::launch::board::{Board, BoardTables};
use crate::policy::Sched;

/// What stands between kernels and SMXs: a look at the board.
///
/// For each SMX the first obstacle counts (frontend-G1), and K comes first: it says whose an SMX is that a kernel cannot use. So a caller
/// takes the SMXs from a kernel on which it has its share before it asks where there is room.
pub(crate) struct Doors<'a, T: BoardTables> {
    pub(crate) board: &'a Board<T>,
    /// E.
    pub(crate) eligible: &'a SmxSet,
    /// Whether X and K are looked at, too; else they count as open.
    pub(crate) are_kept: bool,
}

impl<'a, T: BoardTables> Doors<'a, T> {
    /// As things stand.
    #[inline]
    pub(crate) fn of(board: &'a Board<T>) -> Self {
        Self { board, eligible: board.gates.eligible(), are_kept: true }
    }

    /// X: the SMXs that hold as many TBs as they may.
    #[inline(always)]
    fn full(&self) -> &SmxSet {
        if self.are_kept { self.board.gates.full() } else { const { &SmxSet::EMPTY } }
    }

    /// R: whether a TB of kernel `k` finds its resources.
    #[inline]
    pub(crate) fn has_room(&self, k: KernelSlot, s: SmxId) -> bool {
        self.board.residency.smx(s).fits(&self.board.kd.get(k).need)
    }

    /// R: the SMXs on which it does. Of the kernel whose room is kept no SMX is looked at.
    #[inline]
    fn room(&self, k: KernelSlot) -> SmxSet {
        let Board { residency, kd, .. } = self.board;
        residency.room_of(k, &kd.get(k).need)
    }

    /// Gates E and X, which ask only about the SMX.
    #[inline]
    pub(crate) fn is_masked(&self, s: SmxId) -> bool {
        !self.eligible.contains(s) || self.full().contains(s)
    }

    /// Gate M: whether the SMX holds TBs of another key.
    #[inline]
    pub(crate) fn is_excluded(&self, k: KernelSlot, s: SmxId) -> bool {
        self.board.config.exclusive && self.holds_another(k, s)
    }

    #[inline(never)]
    fn holds_another(&self, k: KernelSlot, s: SmxId) -> bool {
        // All TBs of an SMX share their key, so one speaks for all.
        let resident = self.board.residency.any_tb(s).map(|tb| self.board.kd.key_of(tb));
        resident.is_some_and(|key| key != self.board.kd.get(k).key())
    }

    /// Gate K: the SMXs on which kernel `k` has its share.
    pub(crate) fn capped(&self, k: KernelSlot) -> SmxSet {
        if self.are_kept { self.board.gates.capped(self.board.class_of(k)) } else { SmxSet::EMPTY }
    }

    /// The SMXs among those left to kernel `k` that K and X leave open for it.
    fn uncapped(&self, k: KernelSlot, left: &SmxSet) -> SmxSet {
        left.without(&self.capped(k)).without(self.full())
    }

    /// The SMXs among those left to kernel `k` that K, X and M leave open for it.
    pub(crate) fn allowed(&self, k: KernelSlot, left: &SmxSet) -> SmxSet {
        let mut allowed = self.uncapped(k, left);
        if self.board.config.exclusive {
            allowed.iter().filter(|&s| self.holds_another(k, s)).for_each(|s| allowed.set(s, false));
        }
        allowed
    }

    /// The SMXs among those left to kernel `k` that have no obstacle for it, from `start` on and then those below it.
    pub(crate) fn takers(&self, k: KernelSlot, left: &SmxSet, start: SmxId) -> impl Iterator<Item = SmxId> {
        let open = self.uncapped(k, left).and(self.eligible);
        open.iter_from(start).filter(move |&s| self.has_room(k, s) && !self.is_excluded(k, s))
    }

    /// All SMXs that have no obstacle for kernel `k`.
    #[inline]
    pub(crate) fn open(&self, k: KernelSlot) -> SmxSet {
        let Board { gates, config, .. } = self.board;
        let room = self.room(k).and(self.eligible);
        if config.exclusive || gates.any_class() { self.allowed(k, &room) } else { room.without(self.full()) }
    }

    /// frontend-G1: what stands first between kernel `k` and an SMX.
    #[inline]
    pub(crate) fn obstacle(&self, k: KernelSlot, s: SmxId) -> Option<Fault> {
        let is_simple = !self.board.config.exclusive && !self.board.gates.any_class();
        if is_simple && !self.is_masked(s) && self.has_room(k, s) { None } else { self.first_obstacle(k, s) }
    }

    #[inline(never)]
    fn first_obstacle(&self, k: KernelSlot, s: SmxId) -> Option<Fault> {
        if self.capped(k).contains(s) {
            Some(Fault::ClosedK)
        } else if !self.has_room(k, s) {
            Some(Fault::ClosedR)
        } else if !self.eligible.contains(s) {
            Some(Fault::ClosedE)
        } else if self.full().contains(s) {
            Some(Fault::ClosedX)
        } else if self.is_excluded(k, s) {
            Some(Fault::ClosedM)
        } else {
            None
        }
    }

    /// Whether one of the SMXs left to kernel `k` has no obstacle for it.
    pub(crate) fn is_taken(&self, k: KernelSlot, left: &SmxSet) -> bool {
        self.takers(k, left, SmxId(0)).next().is_some()
    }

    /// Whether an SMX has no obstacle for kernel `k`. Of the kernel whose room is kept no SMX is looked at.
    #[inline]
    pub(crate) fn is_open(&self, k: KernelSlot) -> bool {
        let Board { residency, gates, config, kd, .. } = self.board;
        match residency.kept_room(k, &kd.get(k).need) {
            Some(room) if !config.exclusive && !gates.any_class() => {
                room.first_from(SmxId(0), self.eligible, self.full()).is_some()
            }
            _ => self.is_taken(k, &self.board.all_smxs()),
        }
    }

    /// Why none of the SMXs left to kernel `k` takes it (frontend-G4).
    pub(crate) fn verdict(&self, k: KernelSlot, left: &SmxSet) -> Sched {
        if !left.and(&self.capped(k)).is_empty() {
            Sched::Capped
        } else if self.room(k).and(left).is_empty() {
            Sched::NoRoom
        } else {
            Sched::Gated
        }
    }

    /// The SMXs among those left to kernel `k`, which cannot be sent for this reason, that it leaves to those behind it (frontend-G6).
    pub(crate) fn leaves(&self, k: KernelSlot, word: &Sched, left: &SmxSet) -> SmxSet {
        match word {
            Sched::Capped if self.board.config.pass_capped => left.and(&self.capped(k)),
            word if self.board.config.pass_graph && word.is_of_graph() => *left,
            _ => SmxSet::EMPTY,
        }
    }
}
