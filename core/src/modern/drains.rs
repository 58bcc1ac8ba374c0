//! Requests that SMXs be drained of what runs there (sheet `modern`, Preemption, modern-D1 to D4).

use crate::base::id::{ContextId, DrainId, KernelSlot, SmxId, first_rows, rows_in};
use crate::base::set::SmxSet;
use crate::launch::board::{Board, BoardTables};
use crate::modern::{Modern, ModernTables};
use crate::probe::{Decision, Probe};

/// Whose TBs are to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Victim {
    /// Everybody's.
    All,
    /// A context's.
    Context {
        /// The context.
        context: ContextId,
    },
    /// Those of a kernel, and of the groups that joined it.
    Kernel {
        /// Its entry.
        kde: KernelSlot,
    },
}

impl Victim {
    fn is(self, k: KernelSlot, context: ContextId) -> bool {
        match self {
            Self::All => true,
            Self::Context { context: of } => of == context,
            Self::Kernel { kde } => kde == k,
        }
    }
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Drain {
    pub(crate) victim: Victim,
    pub(crate) smxs: SmxSet,
    /// TBs of the victim that are left there.
    pub(crate) left: u32,
    /// It was said that none is left.
    pub(crate) is_done: bool,
}

/// A request, as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DrainView {
    /// Its SMXs.
    pub smxs: SmxSet,
    /// Whose TBs are to go.
    pub victim: Victim,
    /// Whether none is left there.
    pub is_done: bool,
}

impl<T: ModernTables> Modern<T> {
    /// Requests, by number.
    fn requests(&self) -> impl Iterator<Item = (DrainId, &Drain)> {
        rows_in(self.asked).filter_map(|i: DrainId| Some((i, self.drains[i].as_ref()?)))
    }

    /// modern-D1: the SMXs on which no TB of a kernel starts.
    pub(crate) fn drained_from(&self, k: KernelSlot, context: ContextId) -> SmxSet {
        let of_it = self.requests().filter(|(_, drain)| drain.victim.is(k, context));
        of_it.fold(SmxSet::EMPTY, |smxs, (_, drain)| smxs.or(&drain.smxs))
    }

    /// The number of the next request.
    pub(crate) fn free_drain(&self, drain_max: u32) -> Option<DrainId> {
        let free = first_rows(drain_max) & !self.asked;
        (free != 0).then(|| DrainId(free.trailing_zeros() as u8))
    }

    pub(crate) fn drain(&self, i: DrainId) -> Option<&Drain> {
        self.drains.get(i)?.as_ref()
    }

    /// Ends a request, if it is there.
    pub(crate) fn release_drain(&mut self, i: DrainId) -> Option<Drain> {
        let drain = self.drains.get_mut(i)?.take()?;
        self.asked &= !(1 << i.0);
        Some(drain)
    }

    /// A TB of kernel `k`, which is of `context`, has left an SMX.
    pub(super) fn drain_left(&mut self, smx: SmxId, k: KernelSlot, context: ContextId) {
        for i in rows_in::<DrainId>(self.asked) {
            if let Some(drain) = &mut self.drains[i]
                && drain.smxs.contains(smx)
                && drain.victim.is(k, context)
            {
                drain.left = drain.left.saturating_sub(1);
            }
        }
    }
}

impl<T: BoardTables + ModernTables> Modern<T> {
    /// A new request, of this number.
    pub(crate) fn ask(&mut self, board: &Board<T>, i: DrainId, smxs: SmxSet, victim: Victim) {
        self.asked |= 1 << i.0;
        let left = self.count(board, &smxs, victim);
        self.drains[i] = Some(Drain { victim, smxs, left, is_done: false });
    }

    /// TBs of a victim on these SMXs.
    pub(super) fn count(&self, board: &Board<T>, smxs: &SmxSet, victim: Victim) -> u32 {
        let on = |s| board.residency.tbs_on(s);
        let context = |k| board.kd.get(k).kernel.owner.context;
        smxs.iter().flat_map(on).filter(|tb| victim.is(tb.kde, context(tb.kde))).count() as u32
    }

    /// modern-D2, modern-D4: says which requests have come to their end.
    #[cold]
    #[inline(never)]
    pub(crate) fn settle(&mut self, board: &Board<T>, probe: &mut impl Probe) {
        for i in rows_in::<DrainId>(self.asked) {
            let Some(drain) = &mut self.drains[i] else { continue };
            if drain.left == 0 && !drain.is_done {
                drain.is_done = true;
                probe.decide(board.now, Decision::Drained { drain: i });
            }
            if let Victim::Kernel { kde } = drain.victim
                && !board.kd.is_active(kde)
            {
                self.release_drain(i);
                probe.decide(board.now, Decision::DrainEnd { drain: i });
            }
        }
    }

    /// Whether a request has something to say after a call.
    #[inline]
    pub(crate) fn any_drain(&self) -> bool {
        self.asked != 0
    }
}
