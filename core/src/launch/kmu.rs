//! The kernel management unit: one kernel at a time from the queues, the device list and the suspended list to the distributor
//! (dtbl-T1, frontend-T1).

use core::cmp::Reverse;

use crate::base::cycle::Cycle;
use crate::base::id::{HwqId, InstanceId, KernelSlot, RecordId, SuspId};
use crate::base::invariant::{Violation, invariant};
use crate::base::presence::Presence;
use crate::config::KmuArb;
use crate::config::launch2::KgraphPart;
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::{GraphState, Kde, Kernel, Source};
use crate::launch::hwq::{Key, Owner};
use crate::launch::record::Record;
use crate::probe::{Decision, IssueSource, Probe};

/// What the kernel management unit did in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Kmu {
    /// It issued a kernel.
    Issue,
    /// No kernel waits.
    Empty,
    /// Its last dispatch is still under way.
    Busy,
    /// Every kernel distributor entry is taken, or every one that the contexts of those that wait may hold (modern-P7).
    KdFull,
    /// Only kernels wait whose dependency graphs wait for the dependency-graph buffer.
    DgBusy,
}

/// A kernel of a kernel graph that may be issued, and whose it is.
pub(crate) type Ready = (Owner, Key, InstanceId);

/// A waiting kernel that may be issued.
#[derive(Clone, Copy)]
pub(crate) enum Candidate {
    Hwq(HwqId),
    /// The oldest device kernel of an owner.
    Device(RecordId),
    /// A device kernel whose record a policy keeps, and has taken out of where it waits.
    Kept(RecordId),
    Suspended(SuspId),
    /// The first kernel in the list of what runs a kernel graph.
    Node(InstanceId),
}

/// The unit: when it is free, and whom it asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Issuer {
    /// It is busy before this cycle.
    next: Cycle,
    /// With `kmu_arb` rr: the position that is asked first.
    ptr: u16,
}

impl<T: BoardTables> Board<T> {
    /// Whether a kernel waits that could be issued now, policies' own lists aside.
    #[inline]
    pub(crate) fn has_candidate(&self) -> bool {
        // In the last cycle of all, an empty list looks ready, too.
        let device = self.records.dev_ready() <= self.now && self.records.first_dev().is_some();
        self.has_host() || self.suspended.any_resumed() || device
    }

    /// Whether a queue's head may be issued now.
    #[inline]
    fn has_host(&self) -> bool {
        self.hwqs.has_candidate() && (self.kgraph().is_none() || self.is_host_there())
    }

    /// Kernel graphs, if there can be any. Only with them does a launch cost the host time, so that it is in its queue before it is there
    /// (launch2-K2).
    #[inline(always)]
    fn kgraph(&self) -> Option<&KgraphPart> {
        if T::Grids::IS_POSSIBLE { self.config.kgraph.as_ref() } else { None }
    }

    #[inline(never)]
    fn is_host_there(&self) -> bool {
        self.hosts().next().is_some()
    }

    /// Queues whose head may be issued, by age.
    pub(crate) fn waiting_hosts(&self) -> impl Iterator<Item = (Key, Candidate)> {
        self.hosts().map(|(_, key, candidate)| (key, candidate))
    }

    fn hosts(&self) -> impl Iterator<Item = (Owner, Key, Candidate)> {
        self.heads().filter(|(_, key, _)| self.kgraph().is_none() || key.ready <= self.now)
    }

    /// Also those that are not there yet (launch2-K2).
    fn heads(&self) -> impl Iterator<Item = (Owner, Key, Candidate)> {
        self.hwqs.candidates().iter().map(|q| {
            let head = self.hwqs.head(q);
            (head.owner, head.key, Candidate::Hwq(q))
        })
    }

    /// Whether a kernel waits for the dependency-graph buffer and for nothing else.
    #[inline]
    pub(crate) fn waits_for_dgb(&self) -> bool {
        self.hwqs.waits_for_dgb() && (self.kgraph().is_none() || self.is_held_there())
    }

    #[inline(never)]
    fn is_held_there(&self) -> bool {
        self.hwqs.held().iter().any(|q| self.hwqs.head(q).key.ready <= self.now)
    }

    /// The next cycle, `from` or later, in which a head of a queue is there, or in which it would let a kernel graph begin (launch2-K2).
    pub(crate) fn next_head(&self, from: Cycle) -> Option<Cycle> {
        self.kgraph()?;
        let kgraphs = self.hwqs.kgraph_heads();
        let graphs = kgraphs.iter().filter_map(|q| Some(self.hwqs.kgraph_at_head(q)?.2));
        let held = self.hwqs.held();
        let kernels = self.heads().map(|(_, key, _)| key.ready).chain(held.iter().map(|q| self.hwqs.head(q).key.ready));
        kernels.chain(graphs).filter(|&ready| ready >= from).min()
    }

    /// The oldest device kernel of each owner that has one that is ready.
    fn devices(&self) -> impl Iterator<Item = (Owner, Key, Candidate)> {
        let ready = self.records.first_of_each().filter(|(_, record)| record.key.ready <= self.now);
        ready.map(|(r, record)| (record.owner, record.key, Candidate::Device(r)))
    }

    fn resumed(&self) -> impl Iterator<Item = (Owner, Key, Candidate)> {
        self.suspended.resumed().map(|(key, i, kernel)| (kernel.owner, key, Candidate::Suspended(i)))
    }

    /// The first cycle, from now on, in which a kernel waits that may be issued; of the contexts in `held` none may.
    pub(crate) fn next_candidate(&self, held: u64) -> Option<Cycle> {
        let is_free = |owner: Owner| held >> owner.context.0 & 1 == 0;
        if held == 0 && (self.has_host() || self.suspended.any_resumed()) {
            return Some(self.now);
        }
        if held != 0 && self.hosts().chain(self.resumed()).any(|(owner, ..)| is_free(owner)) {
            return Some(self.now);
        }
        let late = self.kgraph().map(|_| self.heads().filter(|(owner, ..)| is_free(*owner)));
        let late = late.into_iter().flatten().map(|(_, key, _)| key.ready);
        let ready = self.records.first_of_each().filter(|(_, record)| is_free(record.owner));
        ready.map(|(_, record)| record.key.ready).chain(late).min()
    }
}

impl Issuer {
    /// The first cycle in which it is not busy.
    pub(crate) fn next_issue(&self) -> Cycle {
        self.next
    }

    /// The kernel whose turn it is: of those whose context is not in `held` and whose priority is the highest (modern-R4, modern-A8,
    /// modern-P7) the oldest, or under `kmu_arb` rr the one at the first position from the pointer upward, wrapping. The device list, the
    /// suspended list and the kernel graphs have one position each, behind the queues (launch2-K4); of their candidates the oldest counts.
    /// `node` is that of the kernel graphs.
    pub(crate) fn choose<T: BoardTables>(
        &mut self,
        board: &Board<T>,
        node: Option<Ready>,
        held: u64,
    ) -> Option<Candidate> {
        let node = node.map(|(owner, key, instance)| (owner, key, Candidate::Node(instance)));
        let is_rr = board.config.kmu_arb == KmuArb::Rr;
        if board.records.has_one_owner() && !is_rr {
            return if held == 0 { oldest(board, node) } else { None };
        }
        let (n_queue, ptr) = (board.config.n_queue() as u16, self.ptr);
        let positions = n_queue + 2 + u16::from(board.kgraph().is_some());
        let position = |candidate: &Candidate| match candidate {
            Candidate::Hwq(q) => u16::from(q.0),
            Candidate::Device(_) | Candidate::Kept(_) => n_queue,
            Candidate::Suspended(_) => n_queue + 1,
            Candidate::Node(_) => n_queue + 2,
        };
        let turns = |candidate: &Candidate| match position(candidate) {
            _ if !is_rr => 0,
            position if position < ptr => position + positions - ptr,
            position => position - ptr,
        };
        let all = board.hosts().chain(board.devices()).chain(board.resumed()).chain(node);
        let may_go = all.filter(|(owner, ..)| held >> owner.context.0 & 1 == 0);
        let rank =
            |(owner, key, candidate): &(Owner, Key, Candidate)| (Reverse(owner.priority), turns(candidate), *key);
        let (.., chosen) = may_go.min_by_key(rank)?;
        if is_rr {
            let next = position(&chosen) + 1;
            self.ptr = if next >= positions { 0 } else { next };
        }
        Some(chosen)
    }

    /// Issues a kernel that was found in `cost` cycles, into an entry that is free; `node`, what was taken from an instance if it is of one.
    pub(crate) fn issue<T: BoardTables>(
        &mut self,
        board: &mut Board<T>,
        (candidate, node): (Candidate, Option<&Kernel>),
        cost: u64,
        probe: &mut impl Probe,
    ) -> KernelSlot {
        // Every descriptor here passed the checks when it was launched.
        let shape = |kernel: &Kernel, board: &Board<T>| kernel.descriptor.shape(&board.config).unwrap_or_default();
        let as_is = |source: IssueSource, kernel: Kernel, board: &Board<T>| {
            (source, Kde { kernel, ..Kde::default() }, shape(&kernel, board))
        };
        let (source, kde, shape) = match candidate {
            Candidate::Hwq(q) => {
                let host = board.hwqs.pop(q);
                let kernel = Kernel {
                    descriptor: host.descriptor,
                    source: Source::Hwq(q),
                    owner: host.owner,
                    stream: host.stream,
                    ..Kernel::default()
                };
                let graph = host.is_graph.then_some(GraphState::Coming);
                let shape = shape(&kernel, board);
                (IssueSource::Hwq(q), Kde { kernel, retain: host.retain, graph, ..Kde::default() }, shape)
            }
            Candidate::Device(r) | Candidate::Kept(r) => {
                if matches!(candidate, Candidate::Device(_)) {
                    board.records.pop_dev(r);
                }
                let Record { descriptor, depth, psmx, prio, owner, t0, shape, .. } = *board.records.get(r);
                board.records.release(r);
                let (source, psmx) = (Source::Device, Some(psmx));
                let kernel = Kernel { descriptor, source, depth, psmx, prio, owner, ..Kernel::default() };
                (IssueSource::Device, Kde { kernel, t0: Some(t0), ..Kde::default() }, shape)
            }
            Candidate::Suspended(i) => as_is(IssueSource::Suspended, board.suspended.pop(i), board),
            Candidate::Node(instance) => as_is(IssueSource::Node(instance), node.copied().unwrap_or_default(), board),
        };
        let tag = kde.kernel.descriptor.tag;
        let kde = Kde { total: shape.total, need: shape.need, ..kde };
        let k = board.kd.admit(kde, board.now.after(cost).after(board.config.lat_dispatch.into()));
        self.next = board.now.after(u64::from(board.config.kmu_interval).max(1 + cost));
        probe.decide(board.now, Decision::Issue { source, tag, kde: k });
        k
    }

    /// What holds of the unit between two calls.
    pub(crate) fn validate<T: BoardTables>(&self, board: &Board<T>) -> Result<(), Violation> {
        let config = &board.config;
        let search = 1 + u32::from(config.deepest_prio());
        let latest = board.now.after(config.kmu_interval.max(search).into());
        invariant(
            "the KMU asks a candidate next (dtbl-T1)",
            u32::from(self.ptr) < config.n_queue() + 2 + u32::from(config.kgraph.is_some()),
        )?;
        invariant("the KMU is busy for one dispatch (dtbl-T1)", self.next <= latest)
    }
}

/// `kmu_arb` fcfs where all is of one priority and one context: the least (ready, seq) of all.
fn oldest<T: BoardTables>(board: &Board<T>, node: Option<(Owner, Key, Candidate)>) -> Option<Candidate> {
    let first = board.records.first_dev().map(|r| (board.records.get(r).key, Candidate::Device(r)));
    let mut oldest = first.filter(|(key, _)| key.ready <= board.now);
    let mut see = |key: Key, candidate| {
        if oldest.as_ref().is_none_or(|(least, _)| key < *least) {
            oldest = Some((key, candidate));
        }
    };
    if board.hwqs.has_candidate() {
        board.waiting_hosts().for_each(|(key, candidate)| see(key, candidate));
    }
    if board.suspended.any_resumed() {
        board.suspended.resumed().for_each(|(key, i, _)| see(key, Candidate::Suspended(i)));
    }
    if let Some((_, key, candidate)) = node {
        see(key, candidate);
    }
    oldest.map(|(_, candidate)| candidate)
}
