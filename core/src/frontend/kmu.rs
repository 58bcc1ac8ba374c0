//! The kernel management unit: one kernel at a time from the queues, the device list and the suspended list to the distributor
//! (dtbl-T1, frontend-T1).

use core::cmp::Reverse;

use crate::base::id::{HwqId, KernelSlot, RecordId, SuspId, UnitId, rows_in};
use crate::config::KmuArb;
use crate::frontend::laperm::UnitWork;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Kmu};
use crate::launch::distributor::{GraphState, Kde, Kernel, Source};
use crate::launch::hwq::Key;
use crate::launch::record::Record;
use crate::policy::laperm::list::EntryId;
use crate::policy::laperm::{self, Entry};
use crate::probe::{Decision, IssueSource, Probe};

/// A waiting kernel that may be issued.
#[derive(Clone, Copy)]
enum Candidate {
    Hwq(HwqId),
    Device,
    /// Under LaPerm's model cdp: a kernel in its lists.
    Pending(EntryId),
    Suspended(SuspId),
}

impl<T: Tables> FrontEnd<T> {
    /// dtbl-T1: issues at most one kernel.
    #[inline]
    pub(crate) fn issue(&mut self, probe: &mut impl Probe) -> Kmu {
        if self.laperm.is_some() {
            self.list_matured();
        }
        if self.has_candidate() {
            self.issue_candidate(probe)
        } else if self.hwqs.waits_for_dgb() {
            Kmu::DgBusy
        } else {
            Kmu::Empty
        }
    }

    #[inline(never)]
    fn issue_candidate(&mut self, probe: &mut impl Probe) -> Kmu {
        if self.now < self.next_issue {
            return Kmu::Busy;
        }
        if !self.kd.has_free() {
            return Kmu::KdFull;
        }
        let (chosen, cost) = match self.config.kmu_arb {
            _ if self.is_laperm_cdp() => self.first_candidate(),
            KmuArb::Fcfs => (self.oldest_candidate(), 0),
            KmuArb::Rr => (self.next_candidate(), 0),
        };
        let Some(chosen) = chosen else { return Kmu::Empty };
        self.issue_kernel(chosen, cost, probe);
        Kmu::Issue
    }

    /// Whether a kernel waits that could be issued now.
    #[inline]
    pub(crate) fn has_candidate(&self) -> bool {
        // In the last cycle of all, an empty list looks ready, too.
        let device = self.records.dev_ready() <= self.now && self.records.first_dev().is_some();
        self.hwqs.candidates() != 0 || self.suspended.any_resumed() || device || self.any_pending()
    }

    /// Whether a kernel waits in LaPerm's lists.
    pub(crate) fn any_pending(&self) -> bool {
        self.laperm.as_ref().is_some_and(|line| line.is_cdp() && !line.queues.units_off_chip().is_empty())
    }

    /// frontend-T1p: kernels whose launch has matured go to their bind unit's list, by level. They mature in the order of their keys,
    /// so every list is sorted.
    #[inline(never)]
    fn list_matured(&mut self) {
        while self.is_laperm_cdp() && self.records.dev_ready() <= self.now && self.list_first_dev().is_some() {}
    }

    #[inline(never)]
    fn list_first_dev(&mut self) -> Option<()> {
        let r = self.records.pop_dev()?;
        let &Record { shape, prio, psmx, .. } = self.records.get(r);
        let line = self.laperm.as_mut()?;
        let work = UnitWork { kde: KernelSlot(0), record: Some(r) };
        let entry = line.entry_of(work, shape.total, prio, Some(psmx));
        line.queues.pend(entry).ok()
    }

    /// frontend-T1p: device kernels before host kernels; of device kernels, the bind units in turn, in one the highest level, in that
    /// the oldest. Also, how many levels were searched. Under LaPerm's rr: the oldest of all.
    fn first_candidate(&mut self) -> (Option<Candidate>, u64) {
        let Some(line) = self.laperm.as_ref() else { return (None, 0) };
        let listed = |unit| {
            let e = line.queues.next_off_chip(Some(unit))?;
            let Entry { work, prio, .. } = *line.queues.get(e);
            Some((prio, self.records.get(work.record?).key, Candidate::Pending(e)))
        };
        let resumed = || {
            self.suspended.resumed().filter_map(|(key, i, kernel)| {
                let unit = line.config.unit_of(kernel.psmx?);
                (kernel.source == Source::Device).then_some((unit, kernel.prio, key, Candidate::Suspended(i)))
            })
        };
        let is_rr = line.config.policy == laperm::Policy::Rr;
        let mut units = line.queues.units_off_chip();
        resumed().for_each(|(unit, ..)| units.set(unit, true));
        let queues = rows_in(self.hwqs.candidates()).map(|q| (self.hwqs.head_key(q), Candidate::Hwq(q)));
        let of_host = |source| matches!(source, Source::Hwq(_));
        let hosts = self.suspended.resumed().filter(|(.., kernel)| is_rr || of_host(kernel.source));
        let hosts = queues.chain(hosts.map(|(key, i, _)| (key, Candidate::Suspended(i))));
        let levels = u64::from(line.config.levels);
        if is_rr {
            let listed = listed(UnitId(0)).map(|(_, key, candidate)| (key, candidate));
            return (hosts.chain(listed).min_by_key(|&(key, _)| key).map(|(_, candidate)| candidate), 0);
        }
        let Some(unit) = units.iter_from(line.kmu_ptr).next() else {
            return (hosts.min_by_key(|&(key, _)| key).map(|(_, candidate)| candidate), levels);
        };
        let resumed = resumed().filter(|r| r.0 == unit).map(|(_, prio, key, candidate)| (prio, key, candidate));
        let first = listed(unit).into_iter().chain(resumed).min_by_key(|&(prio, key, _)| (Reverse(prio), key));
        let behind = UnitId(if u32::from(unit.0) + 1 >= line.config.units() { 0 } else { unit.0 + 1 });
        let cost = first.map_or(0, |(prio, ..)| levels + 1 - u64::from(prio));
        if let Some(line) = self.laperm.as_mut() {
            line.kmu_ptr = behind;
        }
        (first.map(|(_, _, candidate)| candidate), cost)
    }

    /// The oldest device kernel, if it is ready.
    fn ready_dev(&self) -> Option<Key> {
        let key = self.records.get(self.records.first_dev()?).key;
        (key.ready <= self.now).then_some(key)
    }

    /// `kmu_arb` fcfs: the least (ready, seq) of all.
    fn oldest_candidate(&self) -> Option<Candidate> {
        let queues = rows_in(self.hwqs.candidates()).map(|q| (self.hwqs.head_key(q), Candidate::Hwq(q)));
        let device = self.ready_dev().map(|key| (key, Candidate::Device));
        let suspended = self.suspended.first_resumed().map(|(key, i)| (key, Candidate::Suspended(i)));
        queues.chain(device).chain(suspended).min_by_key(|&(key, _)| key).map(|(_, candidate)| candidate)
    }

    /// `kmu_arb` rr: the first position with a candidate from the pointer upward, wrapping.
    fn next_candidate(&mut self) -> Option<Candidate> {
        let n_hwq = self.config.n_hwq as u8;
        let positions = n_hwq + 2;
        let at = |position: u8| match position {
            p if p < n_hwq => (self.hwqs.candidates() >> p & 1 == 1).then_some(Candidate::Hwq(HwqId(p))),
            p if p == n_hwq => self.ready_dev().map(|_| Candidate::Device),
            _ => self.suspended.first_resumed().map(|(_, i)| Candidate::Suspended(i)),
        };
        let order = (self.kmu_ptr..positions).chain(0..self.kmu_ptr);
        let (position, candidate) = order.into_iter().find_map(|p| Some((p, at(p)?)))?;
        self.kmu_ptr = if position + 1 >= positions { 0 } else { position + 1 };
        Some(candidate)
    }

    /// Issues a kernel that was found in `cost` cycles.
    fn issue_kernel(&mut self, candidate: Candidate, cost: u64, probe: &mut impl Probe) {
        let graph = if let Candidate::Hwq(q) = candidate { self.head_graph(q) } else { None };
        // Every descriptor here passed the checks when it was launched.
        let shape = |kernel: &Kernel| kernel.descriptor.shape(&self.config).unwrap_or_default();
        let (source, kde, shape) = match candidate {
            Candidate::Hwq(q) => {
                let host = self.hwqs.pop(q);
                let kernel = Kernel { descriptor: host.descriptor, source: Source::Hwq(q), ..Kernel::default() };
                let shape = shape(&kernel);
                (
                    IssueSource::Hwq(q),
                    Kde { kernel, retain: host.retain, graph: graph.map(|_| GraphState::Coming), ..Kde::default() },
                    shape,
                )
            }
            Candidate::Device | Candidate::Pending(_) => {
                let Some(r) = self.take_device(candidate) else { return };
                let Record { descriptor, depth, psmx, prio, t0, shape, .. } = *self.records.get(r);
                self.records.release(r);
                let (source, psmx) = (Source::Device, Some(psmx));
                let kernel = Kernel { descriptor, source, depth, psmx, prio, ..Kernel::default() };
                (IssueSource::Device, Kde { kernel, t0: Some(t0), ..Kde::default() }, shape)
            }
            Candidate::Suspended(i) => {
                let kernel = self.suspended.pop(i);
                let shape = shape(&kernel);
                (IssueSource::Suspended, Kde { kernel, ..Kde::default() }, shape)
            }
        };
        let tag = kde.kernel.descriptor.tag;
        let kde = Kde { total: shape.total, need: shape.need, ..kde };
        let k = self.kd.admit(kde, self.now.after(cost).after(self.config.lat_dispatch.into()));
        if let Some(header) = graph {
            self.take_dgb(k, header);
        }
        self.next_issue = self.now.after(u64::from(self.config.kmu_interval).max(1 + cost));
        probe.decide(self.now, Decision::Issue { source, tag, kde: k });
    }

    /// Takes the record of a device kernel out of where it waits.
    fn take_device(&mut self, candidate: Candidate) -> Option<RecordId> {
        let Candidate::Pending(e) = candidate else { return self.records.pop_dev() };
        let line = self.laperm.as_mut()?;
        let record = line.queues.get(e).work.record;
        line.queues.remove(e);
        record
    }
}
