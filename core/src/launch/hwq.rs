//! Hardware work queues: FIFOs of host kernels, each held from the issue of its head until that kernel completes.
//!
//! The queue of a stream is `stream mod n_hwq`, so streams beyond the queues are serialised with others (dtbl-L1, dtbl-H15).

#[cfg(feature = "image")]
mod image;
mod validate;

use crate::base::cycle::Cycle;
use crate::base::id::{ContextId, HwqId, Id, KgraphId, id};
use crate::base::invariant::{Violation, invariant};
use crate::base::set::IdSet;
use crate::base::table::{Rows, Table};
use crate::config::Config;
use crate::launch::descriptor::Descriptor;

/// Age of something that waits for the KMU: earlier `ready` first, then lower `seq`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Key {
    /// The cycle from which it may be served.
    pub ready: Cycle,
    /// Its place in the order of all launches and resumptions.
    pub seq: u64,
}

impl Key {
    /// Whether it was given before `next` will be.
    pub(crate) fn was_before(self, next: Self) -> bool {
        self.ready <= next.ready && self.seq < next.seq
    }
}

id! {
    /// Position of a kernel in the memory of all queues.
    pub(crate) CellId(usize)
}

/// One queue: a ring in its section of the cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hwq {
    head: u32,
    len: u32,
}

/// A host kernel that waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HostKernel {
    /// What was launched.
    pub descriptor: Descriptor,
    /// Whether its entry stays after its last TB, joinable, until `unretain`.
    pub retain: bool,
    /// Whether its TBs are the nodes of a dependency graph.
    pub is_graph: bool,
    /// Whether it is a programmatic dependent of the kernel in front of it (launch2-P1).
    pub is_dependent: bool,
    /// The kernel graph that is launched, if it is one rather than a kernel; then its tag says which of the launches of that graph it is.
    pub kgraph: Option<KgraphId>,
    /// Arrival.
    pub key: Key,
    /// Its stream.
    pub stream: u32,
    /// Whose it is.
    pub owner: Owner,
}

/// Whose a launch is: what its stream was when it was launched, or its parent is (modern-R1, modern-R3, modern-P2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Owner {
    /// The context.
    pub context: ContextId,
    /// The priority; 0 is the lowest.
    pub priority: u8,
}

impl Owner {
    /// The queue of its stream (dtbl-L1, modern-P3).
    pub(crate) fn queue_of(self, stream: u32, config: &Config) -> HwqId {
        let of_context = u32::from(self.context) * config.n_hwq;
        HwqId((of_context + stream.checked_rem(config.n_hwq).unwrap_or(0)) as u8)
    }

    /// What holds of whoever's something is.
    pub(crate) fn validate(self, config: &Config) -> Result<(), Violation> {
        let exists = u32::from(self.context) < config.n_context() && u32::from(self.priority) < config.n_level();
        invariant("a launch is of a context and has a priority (modern-R1)", exists)
    }
}

/// All queues.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hwqs<Q, C> {
    queues: Table<HwqId, Hwq, Q>,
    cells: Table<CellId, HostKernel, C>,
    depth: u32,
    /// Queues that hold a kernel.
    waiting: QueueSet,
    /// Those whose head is a kernel with a dependency graph.
    graphs: QueueSet,
    /// Those of them that wait for nothing but the dependency-graph buffer (frontend-T1g).
    held: QueueSet,
    is_dgb_taken: bool,
    /// Queues of which a kernel is arriving, active or suspended (dtbl-I9), or not complete (launch2-I1).
    busy: QueueSet,
    /// Those of them whose head may be issued all the same if it is a programmatic dependent (launch2-P4).
    may_follow: QueueSet,
    /// Queues whose head is a kernel graph, of which the KMU knows nothing (launch2-K3).
    kgraphs: QueueSet,
    /// These, and queues that are busy and whose head does not follow what is in flight.
    blocked: QueueSet,
    /// Whether a queue's head may be issued.
    has_candidate: bool,
}

/// A set of queues.
type QueueSet = IdSet<HwqId>;

impl<Q: Rows<Hwq>, C: Rows<HostKernel>> Hwqs<Q, C> {
    pub(crate) fn new(queues: Q, cells: C, depth: u32) -> Self {
        Self {
            queues: Table::new(queues),
            cells: Table::new(cells),
            depth,
            waiting: QueueSet::EMPTY,
            graphs: QueueSet::EMPTY,
            held: QueueSet::EMPTY,
            is_dgb_taken: false,
            busy: QueueSet::EMPTY,
            may_follow: QueueSet::EMPTY,
            kgraphs: QueueSet::EMPTY,
            blocked: QueueSet::EMPTY,
            has_candidate: false,
        }
    }

    fn cell(&self, q: HwqId, position: u32) -> CellId {
        let wrapped = if position >= self.depth { position - self.depth } else { position };
        CellId(q.index() * self.depth as usize + wrapped as usize)
    }

    pub(crate) fn is_full(&self, q: HwqId) -> bool {
        self.queues[q].len >= self.depth
    }

    /// Appends, and says where; the caller has made sure that the queue is not full.
    pub(crate) fn push(&mut self, q: HwqId, kernel: HostKernel) -> CellId {
        let Hwq { head, len } = self.queues[q];
        let cell = self.cell(q, head + len);
        let is_special = kernel.is_graph || kernel.is_dependent || kernel.kgraph.is_some();
        self.cells[cell] = kernel;
        self.queues[q].len += 1;
        // Behind others it changes nothing, and as most kernels are it adds its own queue at most.
        if len == 0 {
            self.waiting.set(q, true);
            if is_special {
                self.look_at(q);
            } else {
                self.has_candidate |= !self.blocked.contains(q);
            }
        }
        cell
    }

    /// Where the head is.
    fn head_cell(&self, q: HwqId) -> CellId {
        self.cell(q, self.queues[q].head)
    }

    /// Sees what the head of a queue is, and whether what is in flight of the queue blocks it.
    fn look_at(&mut self, q: HwqId) {
        let is_waiting = self.waiting.contains(q);
        let head = &self.cells[self.head_cell(q)];
        let (is_graph, is_kgraph) = (is_waiting && head.is_graph, is_waiting && head.kgraph.is_some());
        let follows = is_waiting && head.is_dependent && self.may_follow.contains(q);
        self.graphs.set(q, is_graph);
        self.kgraphs.set(q, is_kgraph);
        self.blocked.set(q, is_kgraph || (self.busy.contains(q) && !follows));
        self.hold_graphs(self.is_dgb_taken);
    }

    /// launch2-P4: whether a programmatic dependent may follow what is in flight of a queue.
    pub(crate) fn let_follow(&mut self, q: HwqId, may_follow: bool) {
        if self.may_follow.contains(q) != may_follow {
            self.may_follow.set(q, may_follow);
            self.look_at(q);
        }
    }

    /// frontend-T1g: while the buffer is taken, no queue is a candidate whose head is a kernel with a graph.
    pub(crate) fn hold_graphs(&mut self, is_dgb_taken: bool) {
        self.is_dgb_taken = is_dgb_taken;
        self.held = if is_dgb_taken { self.graphs.without(&self.blocked) } else { QueueSet::EMPTY };
        self.has_candidate = !self.candidates().is_empty();
    }

    /// Takes the head and holds the queue.
    pub(crate) fn pop(&mut self, q: HwqId) -> HostKernel {
        let Hwq { head, len } = self.queues[q];
        let cell = self.cell(q, head);
        let kernel = core::mem::take(&mut self.cells[cell]);
        // An empty queue starts over, so that equal contents are equal state.
        self.queues[q] = match len {
            0 | 1 => Hwq::default(),
            _ => Hwq { head: if head + 1 >= self.depth { 0 } else { head + 1 }, len: len - 1 },
        };
        if len <= 1 {
            self.waiting.set(q, false);
        }
        self.busy.set(q, true);
        self.look_at(q);
        kernel
    }

    pub(crate) fn release(&mut self, q: HwqId) {
        self.busy.set(q, false);
        if self.graphs.contains(q) || self.kgraphs.contains(q) {
            self.look_at(q);
        } else {
            self.blocked.set(q, false);
            self.has_candidate |= self.waiting.contains(q);
        }
    }

    /// Whether a programmatic dependent may follow what is in flight of a queue.
    pub(crate) fn lets_follow(&self, q: HwqId) -> bool {
        self.may_follow.contains(q)
    }

    /// Queues whose head may be issued.
    pub(crate) fn candidates(&self) -> QueueSet {
        self.waiting.without(&self.blocked.or(&self.held))
    }

    /// Whether a head is the launch of a kernel graph.
    #[inline]
    pub(crate) fn any_kgraph(&self) -> bool {
        !self.kgraphs.is_empty()
    }

    /// Queues that are free, and whose head is the launch of a kernel graph.
    pub(crate) fn kgraph_heads(&self) -> QueueSet {
        self.kgraphs.without(&self.busy)
    }

    /// The kernel graph at the head of a queue, which of its launches it is, and from when on it may run.
    pub(crate) fn kgraph_at_head(&self, q: HwqId) -> Option<(KgraphId, u64, Cycle)> {
        let head = self.head(q);
        Some((head.kgraph?, head.descriptor.tag, head.key.ready))
    }

    /// Whether there is one.
    #[inline]
    pub(crate) fn has_candidate(&self) -> bool {
        self.has_candidate
    }

    /// Where the head of a queue is, if it has a dependency graph.
    pub(crate) fn graph_at_head(&self, q: HwqId) -> Option<CellId> {
        self.graphs.contains(q).then(|| self.head_cell(q))
    }

    /// Whether a kernel waits for the dependency-graph buffer and for nothing else.
    #[inline]
    pub(crate) fn waits_for_dgb(&self) -> bool {
        !self.held.is_empty()
    }

    /// Queues whose head waits for it.
    pub(crate) fn held(&self) -> QueueSet {
        self.held
    }

    /// The head of a queue that has one.
    pub(crate) fn head(&self, q: HwqId) -> &HostKernel {
        &self.cells[self.head_cell(q)]
    }

    /// The kernels that wait in a queue, in order.
    pub(crate) fn kernels(&self, q: HwqId) -> impl Iterator<Item = &HostKernel> {
        let Hwq { head, len } = self.queues[q];
        (0..len).map(move |position| &self.cells[self.cell(q, head + position)])
    }

    pub(crate) fn any_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub(crate) fn is_busy(&self, q: HwqId) -> bool {
        self.busy.contains(q)
    }

    pub(crate) fn len(&self, q: HwqId) -> u32 {
        self.queues[q].len
    }
}
