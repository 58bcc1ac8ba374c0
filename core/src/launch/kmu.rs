//! The kernel management unit: one kernel at a time from the queues, the device list and the suspended list to the distributor
//! (dtbl-T1, frontend-T1).

use crate::base::cycle::Cycle;
use crate::base::id::{HwqId, KernelSlot, RecordId, SuspId, rows_in};
use crate::base::invariant::{Violation, invariant};
use crate::config::KmuArb;
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::{GraphState, Kde, Kernel, Source};
use crate::launch::hwq::Key;
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
    /// The oldest device kernel.
    Device,
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
    ptr: u8,
}

impl<T: BoardTables> Board<T> {
    /// Whether a kernel waits that could be issued now, policies' own lists aside.
    #[inline]
    pub(crate) fn has_candidate(&self) -> bool {
        // In the last cycle of all, an empty list looks ready, too.
        let device = self.records.dev_ready() <= self.now && self.records.first_dev().is_some();
        self.hwqs.candidates() != 0 || self.suspended.any_resumed() || device
    }

    /// Queues whose head may be issued, by age.
    pub(crate) fn waiting_hosts(&self) -> impl Iterator<Item = (Key, Candidate)> {
        rows_in(self.hwqs.candidates()).map(|q| (self.hwqs.head_key(q), Candidate::Hwq(q)))
    }

    /// The oldest device kernel, if it is ready.
    fn ready_dev(&self) -> Option<Key> {
        let key = self.records.get(self.records.first_dev()?).key;
        (key.ready <= self.now).then_some(key)
    }
}

impl Issuer {
    /// The first cycle in which it is not busy.
    pub(crate) fn next_issue(&self) -> Cycle {
        self.next
    }

    /// The kernel whose turn it is by `kmu_arb`.
    pub(crate) fn choose<T: BoardTables>(&mut self, board: &Board<T>) -> Option<Candidate> {
        match board.config.kmu_arb {
            KmuArb::Fcfs => oldest(board),
            KmuArb::Rr => self.next_in_turn(board),
        }
    }

    /// `kmu_arb` rr: the first position with a candidate from the pointer upward, wrapping.
    fn next_in_turn<T: BoardTables>(&mut self, board: &Board<T>) -> Option<Candidate> {
        let n_hwq = board.config.n_hwq as u8;
        let positions = n_hwq + 2;
        let at = |position: u8| match position {
            p if p < n_hwq => (board.hwqs.candidates() >> p & 1 == 1).then_some(Candidate::Hwq(HwqId(p))),
            p if p == n_hwq => board.ready_dev().map(|_| Candidate::Device),
            _ => board.suspended.first_resumed().map(|(_, i)| Candidate::Suspended(i)),
        };
        let order = (self.ptr..positions).chain(0..self.ptr);
        let (position, candidate) = order.into_iter().find_map(|p| Some((p, at(p)?)))?;
        self.ptr = if position + 1 >= positions { 0 } else { position + 1 };
        Some(candidate)
    }

    /// Issues a kernel that was found in `cost` cycles, into an entry that is free.
    pub(crate) fn issue<T: BoardTables>(
        &mut self,
        board: &mut Board<T>,
        candidate: Candidate,
        cost: u64,
        probe: &mut impl Probe,
    ) -> Option<KernelSlot> {
        // Every descriptor here passed the checks when it was launched.
        let shape = |kernel: &Kernel, board: &Board<T>| kernel.descriptor.shape(&board.config).unwrap_or_default();
        let (source, kde, shape) = match candidate {
            Candidate::Hwq(q) => {
                let host = board.hwqs.pop(q);
                let kernel = Kernel { descriptor: host.descriptor, source: Source::Hwq(q), ..Kernel::default() };
                let graph = host.is_graph.then_some(GraphState::Coming);
                let shape = shape(&kernel, board);
                (IssueSource::Hwq(q), Kde { kernel, retain: host.retain, graph, ..Kde::default() }, shape)
            }
            Candidate::Device | Candidate::Kept(_) => {
                let r = if let Candidate::Kept(r) = candidate { r } else { board.records.pop_dev()? };
                let Record { descriptor, depth, psmx, prio, t0, shape, .. } = *board.records.get(r);
                board.records.release(r);
                let (source, psmx) = (Source::Device, Some(psmx));
                let kernel = Kernel { descriptor, source, depth, psmx, prio, ..Kernel::default() };
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
        Some(k)
    }

    /// What holds of the unit between two calls.
    pub(crate) fn validate<T: BoardTables>(&self, board: &Board<T>) -> Result<(), Violation> {
        let config = &board.config;
        let search = 1 + u32::from(config.deepest_prio());
        let latest = board.now.after(config.kmu_interval.max(search).into());
        invariant("the KMU asks a candidate next (dtbl-T1)", u32::from(self.ptr) < config.n_hwq + 2)?;
        invariant("the KMU is busy for one dispatch (dtbl-T1)", self.next <= latest)
    }
}

/// `kmu_arb` fcfs: the least (ready, seq) of all.
fn oldest<T: BoardTables>(board: &Board<T>) -> Option<Candidate> {
    let device = board.ready_dev().map(|key| (key, Candidate::Device));
    let suspended = board.suspended.first_resumed().map(|(key, i)| (key, Candidate::Suspended(i)));
    let all = board.waiting_hosts().chain(device).chain(suspended);
    all.min_by_key(|&(key, _)| key).map(|(_, candidate)| candidate)
}
