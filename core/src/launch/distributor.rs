//! The kernel distributor: kernels that may have TBs on SMXs, and the FCFS controller's FIFO of those with TBs to send.
//!
//! An entry (KDE) is free, arriving, or active. An active entry is *marked* while it has TBs or groups to send. Marks are a
//! FIFO through the entries themselves; so are the arriving entries, in order of arrival, since no entry is ever both.

#[cfg(feature = "image")]
mod image;
mod validate;

use crate::base::cycle::Cycle;
use crate::base::dim3::Dim3;
use crate::base::id::{ContextId, HwqId, InstanceId, KernelSlot, RecordId, SmxId, first_rows, rows_in};
use crate::base::table::{Rows, Table};
use crate::launch::cross::Cross;
use crate::launch::cursor::Cursor;
use crate::launch::descriptor::Descriptor;
use crate::launch::hwq::Owner;
use crate::policy::laperm::list::EntryId;
use crate::smx::residency::Need;

/// Where a kernel came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Source {
    /// A host launch; its queue is held until it completes.
    Hwq(HwqId),
    /// A device launch.
    #[default]
    Device,
    /// A kernel graph that runs.
    Node(InstanceId),
}

/// Life of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub enum Phase {
    /// Free.
    #[default]
    Free,
    /// Issued by the KMU, not here before this cycle.
    Arriving(Cycle),
    /// In the distributor.
    Active,
    /// Active, and being saved: its TBs are frozen, and taken off in this cycle (modern-S2).
    Saving(Cycle),
}

/// NAGEI and LAGEI: the first group with TBs to send, and the last one. Both or neither exist (dtbl-I6), so the last one can never
/// be stale (dtbl-H1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    /// NAGEI.
    pub next: RecordId,
    /// LAGEI.
    pub last: RecordId,
}

/// Place in the FCFS controller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub struct Mark {
    /// The first bit: native TBs are still to be sent.
    pub first: bool,
    /// How far the SMX scheduler got with this entry; at the FIFO's head it is SSCR.
    pub cursor: Option<Cursor>,
}

/// What a kernel keeps through a suspension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub struct Kernel {
    /// What was launched.
    pub descriptor: Descriptor,
    /// Where it came from.
    pub source: Source,
    /// Nesting depth; 0 for host kernels.
    pub depth: u8,
    /// SMX of the TB that launched it; `None` for host kernels.
    pub psmx: Option<SmxId>,
    /// Priority of its native TBs (frontend-F2).
    pub prio: u8,
    /// Whose it is.
    pub owner: Owner,
    /// Its stream, if it is the host's.
    pub stream: u32,
    /// Native TBs that were sent: the next one to send, unless the host has split what is unsent (policy-P15).
    pub next_native: u32,
    /// TBs that a suspension took off their SMXs.
    pub saved: u32,
}

/// What has become of a kernel's dependency graph (frontend-F1 to F6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum GraphState {
    /// It waits for the kernel's arrival.
    Coming,
    /// The dependency-graph buffer runs it.
    Running,
    /// Every node is done.
    Finished,
    /// Its memory contradicts itself; it waits for `abort_graph`.
    Faulted,
    /// It was given up: nodes that were not sent never are.
    Aborted,
}

/// A kernel distributor entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub struct Kde {
    /// Free, arriving or active.
    pub phase: Phase,
    /// The kernel.
    pub kernel: Kernel,
    /// Its native TBs.
    #[cfg_attr(feature = "image", serde(skip))]
    pub total: u32,
    /// Resources of one TB.
    #[cfg_attr(feature = "image", serde(skip))]
    pub need: Need,
    /// The launch call, until the first TB is sent (device kernels).
    pub t0: Option<Cycle>,
    /// The entry stays when its last TB has ended.
    pub retain: bool,
    /// Saved TBs that were sent again.
    pub restored: u32,
    /// ExeBL: resident TBs, native and aggregated (dtbl-D4).
    #[cfg_attr(feature = "image", serde(skip))]
    pub exe: u32,
    /// Groups that joined and are not done.
    #[cfg_attr(feature = "image", serde(skip))]
    pub live: u32,
    /// Groups with TBs to send.
    #[cfg_attr(feature = "image", serde(skip))]
    pub chain: Option<Chain>,
    /// Place in the FCFS controller.
    pub mark: Option<Mark>,
    /// Whether the kernel behind it may be issued if it is a programmatic dependent (launch2-P3).
    #[cfg_attr(feature = "image", serde(skip))]
    pub is_open: bool,
    /// The state of its dependency graph, if its TBs are the nodes of one.
    pub graph: Option<GraphState>,
    /// Units of it that are held one by one, by LaPerm or for a host that decides: its native TBs, and each group with TBs to send
    /// (frontend-F4, policy-P12).
    #[cfg_attr(feature = "image", serde(skip))]
    pub pend: u32,
    /// The unit of its native TBs, while LaPerm holds that.
    #[cfg_attr(feature = "image", serde(skip))]
    pub(crate) natives: Option<EntryId>,
    #[cfg_attr(feature = "image", serde(skip))]
    pub(crate) links: Links,
}

/// Neighbours in the FIFO of marks, or in the order of arrival.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Links {
    before: Option<KernelSlot>,
    behind: Option<KernelSlot>,
}

impl Kde {
    /// How far the SMX scheduler got, if the kernel is marked and was tried.
    #[inline]
    #[must_use]
    pub fn cursor(&self) -> Option<&Cursor> {
        self.mark.as_ref()?.cursor.as_ref()
    }

    #[inline]
    pub(crate) fn cursor_mut(&mut self) -> Option<&mut Cursor> {
        self.mark.as_mut()?.cursor.as_mut()
    }

    /// Gives a marked kernel that was never tried its cursor.
    pub(crate) fn start_cursor(&mut self) -> Option<&mut Cursor> {
        let start = Cursor::start(self);
        Some(self.mark.as_mut()?.cursor.insert(start))
    }

    /// The kernel was not tried after all.
    pub(crate) fn drop_cursor(&mut self) {
        if let Some(mark) = &mut self.mark {
            mark.cursor = None;
        }
    }

    /// Whether native TBs, restored or fresh, are still to be sent.
    #[must_use]
    pub fn has_native_work(&self) -> bool {
        self.restored < self.kernel.saved || self.kernel.next_native < self.total
    }

    /// Whether anything of an active kernel is to be sent: native TBs, or groups.
    #[must_use]
    pub fn has_work(&self) -> bool {
        let has_native_work = self.has_native_work() && self.graph != Some(GraphState::Aborted);
        has_native_work || self.chain.is_some() || self.pend > 0
    }

    /// Whether an active entry has nothing left to send, to wait for, or to stay for (dtbl-D3).
    #[inline]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.exe == 0 && self.mark.is_none() && self.pend == 0 && !self.retain && !self.is_graph_open()
    }

    /// Whether it has a dependency graph that is neither finished nor given up.
    #[inline]
    #[must_use]
    pub fn is_graph_open(&self) -> bool {
        self.graph.is_some_and(|graph| !matches!(graph, GraphState::Finished | GraphState::Aborted))
    }

    /// Whether it may have groups: not one with a dependency graph (frontend-A5), nor one of clusters or that is being saved (modern-C1,
    /// modern-S2).
    #[must_use]
    pub fn may_have_groups(&self) -> bool {
        self.graph.is_none() && self.phase == Phase::Active && !self.kernel.descriptor.cluster.is_of_many()
    }

    /// Whether groups may join it: none that is open (launch2-P8).
    #[must_use]
    pub fn takes_groups(&self) -> bool {
        self.may_have_groups() && !self.is_open
    }

    /// What two kernels must share for one to take the other's groups (dtbl-I14).
    #[must_use]
    pub fn key(&self) -> KernelKey {
        KernelKey::of(&self.kernel.descriptor, self.kernel.owner)
    }
}

/// Configuration that a group and its kernel must share: entry, TB shape and resources of a TB (dtbl-A21).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelKey {
    pc: u64,
    tb: Dim3,
    regs: u32,
    smem: u32,
    cluster: u32,
    context: ContextId,
}

impl KernelKey {
    /// The key of a descriptor, and of the context whose it is (modern-P2).
    #[must_use]
    pub fn of(d: &Descriptor, owner: Owner) -> Self {
        Self { pc: d.pc, tb: d.tb, regs: d.regs, smem: d.smem, cluster: d.cluster.key(), context: owner.context }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct List {
    head: Option<KernelSlot>,
    tail: Option<KernelSlot>,
}

/// All entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Distributor<K, C> {
    pub(super) kdes: Table<KernelSlot, Kde, K>,
    /// What an entry of two kernels does not show.
    pub(super) crosses: Table<KernelSlot, Cross, C>,
    /// Bit k: entry k is free.
    free: u64,
    /// Bit k: entry k is active.
    active: u64,
    arriving: List,
    fifo: List,
}

impl<K: Rows<Kde>, C: Rows<Cross>> Distributor<K, C> {
    pub(crate) fn new(kdes: K, crosses: C, n_kde: u32) -> Self {
        Self {
            kdes: Table::new(kdes),
            crosses: Table::new(crosses),
            free: first_rows(n_kde),
            active: 0,
            arriving: List::default(),
            fifo: List::default(),
        }
    }

    pub(crate) fn get(&self, k: KernelSlot) -> &Kde {
        &self.kdes[k]
    }

    pub(crate) fn get_mut(&mut self, k: KernelSlot) -> &mut Kde {
        &mut self.kdes[k]
    }

    pub(crate) fn has_free(&self) -> bool {
        self.free != 0
    }

    pub(crate) fn is_active(&self, k: KernelSlot) -> bool {
        self.active >> k.0 & 1 == 1
    }

    /// Entries that are not free.
    pub(crate) fn kernel_slots(&self) -> impl Iterator<Item = KernelSlot> {
        self.arriving().chain(self.active())
    }

    /// Active entries, lowest first.
    pub(crate) fn active(&self) -> impl Iterator<Item = KernelSlot> + use<K, C> {
        rows_in(self.active)
    }

    /// Entries that are being saved, and until when.
    pub(crate) fn saving(&self) -> impl Iterator<Item = (Cycle, KernelSlot)> {
        self.active().filter_map(|k| match self.kdes[k].phase {
            Phase::Saving(until) => Some((until, k)),
            _ => None,
        })
    }

    pub(crate) fn any_active(&self) -> bool {
        self.active != 0
    }

    /// The lowest active entry that takes groups of this key (dtbl-T3 step 1).
    pub(crate) fn eligible(&self, key: &KernelKey) -> Option<KernelSlot> {
        self.active().find(|&k| self.kdes[k].key() == *key && self.kdes[k].takes_groups())
    }

    // ---- dtbl-T1 and dtbl-T2: the way in

    /// Puts an issued kernel into the lowest free entry; the caller has made sure that there is one.
    pub(crate) fn admit(&mut self, kde: Kde, arrive_at: Cycle) -> KernelSlot {
        let k = KernelSlot(self.free.trailing_zeros() as u8);
        self.free &= self.free.wrapping_sub(1);
        self.kdes[k] = Kde { phase: Phase::Arriving(arrive_at), ..kde };
        // Equal times keep the order of issue.
        let mut before = self.arriving.tail;
        while let Some(b) = before {
            if self.arrives_at(b) <= arrive_at {
                break;
            }
            before = self.kdes[b].links.before;
        }
        let mut list = self.arriving;
        self.insert(&mut list, k, before);
        self.arriving = list;
        k
    }

    fn arrives_at(&self, k: KernelSlot) -> Cycle {
        match self.kdes[k].phase {
            Phase::Arriving(at) => at,
            _ => Cycle::ZERO,
        }
    }

    /// Arriving entries, in order.
    pub(crate) fn arriving(&self) -> impl Iterator<Item = KernelSlot> {
        core::iter::successors(self.arriving.head, |&k| self.kdes[k].links.behind)
    }

    /// Kernels in entries.
    pub(crate) fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.kernel_slots().map(|k| &self.kdes[k].kernel)
    }

    /// Entries that hold kernels of a context (modern-P7).
    pub(crate) fn entries_of(&self, context: ContextId) -> usize {
        self.kernels().filter(|kernel| kernel.owner.context == context).count()
    }

    /// The cycle of the next arrival.
    pub(crate) fn next_arrival(&self) -> Option<Cycle> {
        self.arriving.head.map(|k| self.arrives_at(k))
    }

    /// Activates the next entry whose time has come.
    #[inline]
    pub(crate) fn arrive(&mut self, now: Cycle) -> Option<KernelSlot> {
        let k = self.arriving.head.filter(|&k| self.arrives_at(k) <= now)?;
        self.activate(k);
        Some(k)
    }

    #[inline(never)]
    fn activate(&mut self, k: KernelSlot) {
        let mut list = self.arriving;
        self.remove(&mut list, k);
        self.arriving = list;
        self.kdes[k].phase = Phase::Active;
        self.active |= 1 << k.0;
    }

    // ---- the FCFS controller

    /// Marks an entry, behind all others of at least its priority (modern-R2).
    pub(crate) fn mark(&mut self, k: KernelSlot, first: bool) {
        self.kdes[k].mark = Some(Mark { first, cursor: None });
        let (mut list, mut last) = (self.fifo, self.fifo.tail);
        let priority = self.kdes[k].kernel.owner.priority;
        while let Some(before) = last.filter(|&before| self.kdes[before].kernel.owner.priority < priority) {
            last = self.kdes[before].links.before;
        }
        self.insert(&mut list, k, last);
        self.fifo = list;
    }

    /// Takes an entry's mark away.
    pub(crate) fn unmark(&mut self, k: KernelSlot) {
        if self.kdes[k].mark.take().is_some() {
            let mut list = self.fifo;
            self.remove(&mut list, k);
            self.fifo = list;
        }
    }

    /// The marked entry that is served first.
    pub(crate) fn fifo_head(&self) -> Option<KernelSlot> {
        self.fifo.head
    }

    /// The marked entry behind `k`.
    pub(crate) fn fifo_behind(&self, k: KernelSlot) -> Option<KernelSlot> {
        self.kdes[k].links.behind
    }

    /// Marked entries, head first.
    pub(crate) fn fifo(&self) -> impl Iterator<Item = KernelSlot> {
        core::iter::successors(self.fifo.head, |&k| self.fifo_behind(k))
    }

    // ---- the way out

    /// Frees an unmarked entry.
    pub(crate) fn release(&mut self, k: KernelSlot) {
        self.kdes[k] = Kde::default();
        if let Some(cross) = self.crosses.get_mut(k) {
            *cross = Cross::default();
        }
        self.active &= !(1 << k.0);
        self.free |= 1 << k.0;
    }

    fn insert(&mut self, list: &mut List, k: KernelSlot, before: Option<KernelSlot>) {
        let behind = match before {
            Some(b) => self.kdes[b].links.behind.replace(k),
            None => list.head.replace(k),
        };
        match behind {
            Some(b) => self.kdes[b].links.before = Some(k),
            None => list.tail = Some(k),
        }
        self.kdes[k].links = Links { before, behind };
    }

    fn remove(&mut self, list: &mut List, k: KernelSlot) {
        let Links { before, behind } = core::mem::take(&mut self.kdes[k].links);
        match before {
            Some(b) => self.kdes[b].links.behind = behind,
            None => list.head = behind,
        }
        match behind {
            Some(b) => self.kdes[b].links.before = before,
            None => list.tail = before,
        }
    }
}
