//! The kernel management unit: one kernel at a time from the queues, the device list and the suspended list to the distributor
//! (`dtbl` T1).

use crate::frontend::config::KmuArb;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Kmu};
use crate::id::{HwqId, SuspId, rows_in};
use crate::launch::distributor::{Kde, Kernel, Source};
use crate::launch::hwq::Key;
use crate::launch::record::Record;
use crate::probe::{Decision, IssueSource, Probe};

/// A waiting kernel that may be issued.
#[derive(Clone, Copy)]
enum Candidate {
    Hwq(HwqId),
    Device,
    Suspended(SuspId),
}

impl<T: Tables> FrontEnd<T> {
    /// T1: issues at most one kernel.
    #[inline]
    pub(crate) fn issue(&mut self, probe: &mut impl Probe) -> Kmu {
        if self.has_candidate() { self.issue_candidate(probe) } else { Kmu::Empty }
    }

    #[inline(never)]
    fn issue_candidate(&mut self, probe: &mut impl Probe) -> Kmu {
        if self.now < self.next_issue {
            return Kmu::Busy;
        }
        if !self.kd.has_free() {
            return Kmu::KdFull;
        }
        let chosen = match self.config.kmu_arb {
            KmuArb::Fcfs => self.oldest_candidate(),
            KmuArb::Rr => self.next_candidate(),
        };
        let Some(chosen) = chosen else { return Kmu::Empty };
        self.issue_kernel(chosen, probe);
        Kmu::Issue
    }

    /// Whether a kernel waits that could be issued now.
    #[inline]
    pub(crate) fn has_candidate(&self) -> bool {
        // In the last cycle of all, an empty list looks ready, too.
        let device = self.records.dev_ready() <= self.now && self.records.first_dev().is_some();
        self.hwqs.candidates() != 0 || self.suspended.any_resumed() || device
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

    fn issue_kernel(&mut self, candidate: Candidate, probe: &mut impl Probe) {
        // Every descriptor here passed the checks when it was launched.
        let shape = |kernel: &Kernel| kernel.descriptor.shape(&self.config).unwrap_or_default();
        let (source, kde, shape) = match candidate {
            Candidate::Hwq(q) => {
                let host = self.hwqs.pop(q);
                let kernel = Kernel { descriptor: host.descriptor, source: Source::Hwq(q), ..Kernel::default() };
                let shape = shape(&kernel);
                (IssueSource::Hwq(q), Kde { kernel, retain: host.retain, ..Kde::default() }, shape)
            }
            Candidate::Device => {
                let Some(r) = self.records.pop_dev() else { return };
                let Record { descriptor, depth, psmx, t0, shape, .. } = *self.records.get(r);
                self.records.release(r);
                let kernel =
                    Kernel { descriptor, source: Source::Device, depth, psmx: Some(psmx), ..Kernel::default() };
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
        let k = self.kd.admit(kde, self.now.after(self.config.lat_dispatch.into()));
        self.next_issue = self.now.after(self.config.kmu_interval.into());
        probe.decide(self.now, Decision::Issue { source, tag, kde: k });
    }
}
