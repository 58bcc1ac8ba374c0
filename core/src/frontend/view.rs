//! What a host in another language sees of entries, records and queues: plain values, without what only the machine needs.

use crate::base::cycle::Cycle;
use crate::base::id::{ContextId, HwqId, KernelSlot, RecordId, SmxId, SuspId, UnitId};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::cursor::Load;
use crate::launch::distributor::{GraphState, Phase, Source};
use crate::launch::record::RecordState;
use crate::policy::laperm::Entry;
use crate::policy::line::UnitWork;
use crate::probe::{GroupRef, TbRef};

/// Progress of the load of a spilled group. With `load_mode` fixed it stays at `Waiting`, and is here `load_cycles` after it was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum LoadView {
    /// Not asked for.
    #[default]
    NotAsked,
    /// Asked for.
    Waiting,
    /// Here.
    Here,
}

impl From<Load> for LoadView {
    fn from(load: Load) -> Self {
        match load {
            Load::NotAsked => Self::NotAsked,
            Load::Waiting(_) => Self::Waiting,
            Load::Here => Self::Here,
        }
    }
}

/// A place of the load buffer that is taken: a spilled group that was asked for before its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LoadPlace {
    /// Its launch record.
    pub record: RecordId,
    /// How far the load is.
    pub load: LoadView,
}

/// A kernel distributor entry that is not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KdeView {
    /// Tag of the kernel.
    pub tag: u64,
    /// Program entry.
    pub pc: u64,
    /// The cycle in which it arrives, at least 1; 0 if it is there: active.
    pub arrives: Cycle,
    /// Native TBs.
    pub total: u32,
    /// The next native TB to send.
    pub next_native: u32,
    /// TBs that a suspension took off their SMXs.
    pub saved: u32,
    /// Those of them that were sent again.
    pub restored: u32,
    /// Resident TBs, native and aggregated (ExeBL).
    pub exe: u32,
    /// Groups that joined and are not done.
    pub live: u32,
    /// Hardware work queue that it holds; `None` for device kernels.
    pub queue: Option<HwqId>,
    /// SMX of the TB that launched it; `None` for host kernels.
    pub psmx: Option<SmxId>,
    /// Nesting depth; 0 for host kernels.
    pub depth: u8,
    /// Priority of its native TBs (LaPerm).
    pub prio: u8,
    /// Units of it that are held one by one, by LaPerm or for a host that decides.
    pub pend: u32,
    /// Whether the entry stays when its last TB has ended.
    pub retain: bool,
    /// Whether it has TBs or groups to send.
    pub marked: bool,
    /// The first bit: whether native TBs are still to be sent.
    pub first: bool,
    /// NAGEI, the first group with TBs to send.
    pub nagei: Option<GroupRef>,
    /// LAGEI, the last such group.
    pub lagei: Option<GroupRef>,
    /// Whether the scheduler has tried it; if not, the fields below have no meaning. At the FIFO's head they are SSCR.
    pub tried: bool,
    /// AGEI, the group that is being sent; `Native` for the kernel's own grid.
    pub agei: TbRef,
    /// NextBL: the next TB of what is being sent.
    pub next_bl: u32,
    /// Whether a spilled group's information is here.
    pub load: LoadView,
    /// Groups sent in this turn.
    pub turn: u32,
    /// What has become of its dependency graph, if it has one.
    pub graph: Option<GraphState>,
    /// Its context.
    pub context: ContextId,
    /// The priority of its stream.
    pub priority: u8,
    /// TBs of its next dispatch if it is a kernel of clusters with TBs to send; else 0.
    pub unit: u32,
    /// The cycle in which its TBs, which are frozen, are taken off their SMXs; 0 if it is not being saved.
    pub until: Cycle,
}

/// What a launch record in use holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum RecordKind {
    /// A group that waits for its join.
    Agg = 1,
    /// A kernel that waits for the KMU.
    Dev = 2,
    /// A coalesced group.
    Grp = 3,
    /// A tail launch whose turn has not come.
    Tail = 4,
}

/// A launch record in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RecordView {
    /// Tag of the launch.
    pub tag: u64,
    /// The cycle from which it may be served.
    pub ready: Cycle,
    /// The cycle of the launch call.
    pub called: Cycle,
    /// What it holds.
    pub state: RecordKind,
    /// TBs of its grid.
    pub total: u32,
    /// SMX of the calling TB.
    pub psmx: SmxId,
    /// Nesting depth of what was launched.
    pub depth: u8,
    /// Priority of its TBs (LaPerm).
    pub prio: u8,
}

/// A suspended kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SuspendedView {
    /// Its tag.
    pub tag: u64,
    /// TBs that were taken off their SMXs.
    pub saved: u32,
    /// Whether it was resumed and waits for the KMU.
    pub resumed: bool,
}

/// The native TBs of a kernel, or a group, in one of LaPerm's queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct UnitView {
    /// Tag of the kernel or group.
    pub tag: u64,
    /// The cycle from which it is visible; `None` in memory, and while it is being loaded (`laperm_refill_mode` external).
    pub ready_at: Option<Cycle>,
    /// Its TBs.
    pub tbs: u32,
    /// The next TB to send.
    pub next: u32,
    /// Nesting level.
    pub prio: u8,
    /// The level by which it is ordered in its queue; 0 in queue 0.
    pub section: u8,
    /// Entry of its kernel.
    pub kde: KernelSlot,
    /// Launch record of the group; `None` for native TBs.
    pub record: Option<RecordId>,
}

impl UnitView {
    /// Whether it was asked for and is not here yet; of one that is on chip.
    #[must_use]
    pub fn is_loading(&self) -> bool {
        self.ready_at.is_none()
    }
}

impl<T: Tables> FrontEnd<T> {
    /// A kernel distributor entry; `None` if it is free.
    #[must_use]
    pub fn kde_view(&self, kde: KernelSlot) -> Option<KdeView> {
        let entry = self.kde(kde)?;
        let at = |record| self.group_location(record);
        let (kernel, cursor) = (&entry.kernel, entry.cursor().copied());
        let group = cursor.and_then(|c| c.group);
        Some(KdeView {
            tag: kernel.descriptor.tag,
            pc: kernel.descriptor.pc,
            arrives: match entry.phase {
                Phase::Arriving(at) => at,
                Phase::Free | Phase::Active | Phase::Saving(_) => Cycle::ZERO,
            },
            total: entry.total,
            next_native: kernel.next_native,
            saved: kernel.saved,
            restored: entry.restored,
            exe: entry.exe,
            live: entry.live,
            queue: match kernel.source {
                Source::Hwq(queue) => Some(queue),
                Source::Device | Source::Node(_) => None,
            },
            psmx: kernel.psmx,
            depth: kernel.depth,
            prio: kernel.prio,
            pend: entry.pend,
            retain: entry.retain,
            marked: entry.mark.is_some(),
            first: entry.mark.is_some_and(|mark| mark.first),
            nagei: entry.chain.and_then(|chain| at(chain.next)),
            lagei: entry.chain.and_then(|chain| at(chain.last)),
            tried: cursor.is_some(),
            agei: group.and_then(at).map_or(TbRef::Native, TbRef::Group),
            next_bl: cursor.map_or(0, |c| if group.is_some() { c.next_bl } else { kernel.next_native }),
            load: cursor.map_or(LoadView::NotAsked, |c| c.load.into()),
            turn: cursor.map_or(0, |c| c.turn),
            graph: entry.graph,
            context: kernel.owner.context,
            priority: kernel.owner.priority,
            unit: self.modern.as_ref().map_or(0, |modern| modern.next_unit(&self.board, kde)),
            until: match entry.phase {
                Phase::Saving(until) => until,
                _ => Cycle::ZERO,
            },
        })
    }

    /// A launch record; `None` if it is free.
    #[must_use]
    pub fn record_view(&self, record: RecordId) -> Option<RecordView> {
        let record = self.record(record)?;
        Some(RecordView {
            tag: record.descriptor.tag,
            ready: record.key.ready,
            called: record.t0,
            state: match record.state {
                RecordState::Free => return None,
                RecordState::Agg { .. } => RecordKind::Agg,
                RecordState::Dev => RecordKind::Dev,
                RecordState::Tail => RecordKind::Tail,
                RecordState::Grp(_) => RecordKind::Grp,
            },
            total: record.shape.total,
            psmx: record.psmx,
            depth: record.depth,
            prio: record.prio,
        })
    }

    /// A suspended kernel.
    #[must_use]
    pub fn suspended_view(&self, index: SuspId) -> Option<SuspendedView> {
        let suspended = self.suspended(index)?;
        let kernel = &suspended.kernel;
        Some(SuspendedView { tag: kernel.descriptor.tag, saved: kernel.saved, resumed: suspended.resumed.is_some() })
    }

    /// LaPerm: the units in the on-chip queue of a bind unit, or in queue 0 for `None`, in order; `None` if there is no such queue.
    pub fn laperm_queue(&self, unit: Option<UnitId>) -> Option<impl Iterator<Item = UnitView>> {
        let queues = &self.laperm.as_ref().filter(|line| line.has(unit))?.queues;
        Some(queues.on_chip(unit).map(|(_, entry)| self.unit_view(entry, true)))
    }

    /// LaPerm: the units in the overflow lists of a bind unit: highest level first, each list in order. The model `cdp` has none.
    pub fn laperm_overflow(&self, unit: UnitId) -> Option<impl Iterator<Item = UnitView>> {
        let line = self.laperm.as_ref().filter(|line| line.has(Some(unit)))?;
        let queues = Some(&line.queues).filter(|_| !line.is_cdp());
        let units = queues.into_iter().flat_map(move |queues| queues.off_chip(Some(unit)));
        Some(units.map(|(_, entry)| self.unit_view(entry, false)))
    }

    fn unit_view(&self, entry: &Entry<UnitWork>, is_on_chip: bool) -> UnitView {
        let &Entry { work: UnitWork { kde, record }, tbs, next, prio, section, ready_at, is_loading, .. } = entry;
        // The last cycle of all is never carried out.
        let ready_at = Some(ready_at).filter(|&at| is_on_chip && !is_loading && at < Cycle::MAX);
        UnitView { tag: self.board.tag_of(kde, record), ready_at, tbs, next, prio, section, kde, record }
    }
}
