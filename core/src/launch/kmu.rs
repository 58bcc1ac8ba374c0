//! The kernel management unit: one kernel at a time from the queues, the device list and the suspended list to the distributor
//! (dtbl-T1, frontend-T1).

use core::cmp::Reverse;

use crate::base::cycle::Cycle;
use crate::base::id::{HwqId, KernelSlot, RecordId, SuspId};
use crate::base::invariant::{Violation, invariant};
use crate::config::KmuArb;
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::{GraphState, Kde, Kernel, Source};
use crate::launch::hwq::{Key, Owner};
use crate::launch::record::Record;
use crate::probe::{Decision, IssueSource, Probe};

/// What the kernel management unit did in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Kmu {
    /// It issued a kernel.
    Issue,
    /// No kernel waits.
    Empty,
    /// Its last dispatch is still under way.
    Busy,
    /// Every kernel distributor entry is taken.
    KdFull,
    /// Only kernels wait whose dependency graphs wait for the dependency-graph buffer.
    DgBusy,
}

/// A waiting kernel that may be issued.
#[derive(Clone, Copy)]
pub(crate) enum Candidate {
    Hwq(HwqId),
    /// The oldest device kernel of an owner.
    Device(RecordId),
    /// A device kernel whose record a policy keeps, and has taken out of where it waits.
    Kept(RecordId),
    Suspended(SuspId),
}

/// The unit: when it is free, and whom it asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
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
        self.hwqs.has_candidate() || self.suspended.any_resumed() || device
    }

    /// Queues whose head may be issued, by age.
    pub(crate) fn waiting_hosts(&self) -> impl Iterator<Item = (Key, Candidate)> {
        self.hosts().map(|(_, key, candidate)| (key, candidate))
    }

    fn hosts(&self) -> impl Iterator<Item = (Owner, Key, Candidate)> {
        self.hwqs.candidates().iter().map(|q| {
            let head = self.hwqs.head(q);
            (head.owner, head.key, Candidate::Hwq(q))
        })
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
        if held == 0 && (self.hwqs.has_candidate() || self.suspended.any_resumed()) {
            return Some(self.now);
        }
        if held != 0 && self.hosts().chain(self.resumed()).any(|(owner, ..)| is_free(owner)) {
            return Some(self.now);
        }
        let ready = self.records.first_of_each().filter(|(_, record)| is_free(record.owner));
        ready.map(|(_, record)| record.key.ready).min()
    }
}

impl Issuer {
    /// The first cycle in which it is not busy.
    pub(crate) fn next_issue(&self) -> Cycle {
        self.next
    }

    /// The kernel whose turn it is by `kmu_arb`.
    /// Of those whose context is not in `held` the ones of the highest priority count (modern-R4, modern-A8, modern-P7).
    pub(crate) fn choose<T: BoardTables>(&mut self, board: &Board<T>, held: u64) -> Option<Candidate> {
        if board.records.has_one_owner() && board.config.kmu_arb == KmuArb::Fcfs {
            return oldest(board);
        }
        let all = || board.hosts().chain(board.devices()).chain(board.resumed());
        let may_go = move |owner: Owner| held >> owner.context.0 & 1 == 0;
        match board.config.kmu_arb {
            KmuArb::Fcfs => {
                let free = all().filter(|(owner, ..)| may_go(*owner));
                let oldest = free.min_by_key(|(owner, key, _)| (Reverse(owner.priority), *key));
                oldest.map(|(.., candidate)| candidate)
            }
            KmuArb::Rr => {
                let free = || all().filter(|(owner, ..)| may_go(*owner));
                let highest = free().map(|(owner, ..)| owner.priority).max()?;
                self.next_in_turn(board, free().filter(|(owner, ..)| owner.priority == highest))
            }
        }
    }

    /// `kmu_arb` rr: the first position with a candidate from the pointer upward, wrapping. The device list and the suspended list have one
    /// each, behind the queues; of their candidates the oldest counts.
    fn next_in_turn<T: BoardTables>(
        &mut self,
        board: &Board<T>,
        candidates: impl Iterator<Item = (Owner, Key, Candidate)>,
    ) -> Option<Candidate> {
        let n_queue = board.config.n_queue() as u16;
        let positions = n_queue + 2;
        let of = |candidate: &Candidate| match candidate {
            Candidate::Hwq(q) => u16::from(q.0),
            Candidate::Device(_) | Candidate::Kept(_) => n_queue,
            Candidate::Suspended(_) => n_queue + 1,
        };
        let ptr = self.ptr;
        let turns = |position: u16| if position < ptr { position + positions - ptr } else { position - ptr };
        let (.., chosen) = candidates.min_by_key(|(_, key, candidate)| (turns(of(candidate)), *key))?;
        let position = of(&chosen);
        self.ptr = if position + 1 >= positions { 0 } else { position + 1 };
        Some(chosen)
    }

    /// Issues a kernel that was found in `cost` cycles, into an entry that is free.
    pub(crate) fn issue<T: BoardTables>(
        &mut self,
        board: &mut Board<T>,
        candidate: Candidate,
        cost: u64,
        probe: &mut impl Probe,
    ) -> KernelSlot {
        // Every descriptor here passed the checks when it was launched.
        let shape = |kernel: &Kernel, board: &Board<T>| kernel.descriptor.shape(&board.config).unwrap_or_default();
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
            Candidate::Suspended(i) => {
                let kernel = board.suspended.pop(i);
                let shape = shape(&kernel, board);
                (IssueSource::Suspended, Kde { kernel, ..Kde::default() }, shape)
            }
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
        invariant("the KMU asks a candidate next (dtbl-T1)", u32::from(self.ptr) < config.n_queue() + 2)?;
        invariant("the KMU is busy for one dispatch (dtbl-T1)", self.next <= latest)
    }
}

/// `kmu_arb` fcfs where all is of one priority and one context: the least (ready, seq) of all.
fn oldest<T: BoardTables>(board: &Board<T>) -> Option<Candidate> {
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
    oldest.map(|(_, candidate)| candidate)
}
