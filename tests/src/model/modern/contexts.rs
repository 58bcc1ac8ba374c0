//! The model's contexts and streams (modern-P1 to modern-P7, modern-R1, modern-V6).

use gpusched::{Config, Descriptor, Fault, GpcSet, SmxSet};

use super::{Owner, members};
use crate::model::{Kernel, Model, threads_of};

/// A context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Context {
    /// Its SMXs, ascending; nothing if none were given to it yet.
    pub(super) smxs: Vec<usize>,
    /// Percent.
    pub(super) quota: Option<u32>,
    /// Entries that it may hold.
    pub(super) kdes: Option<u32>,
}

/// The contexts of a machine that was just built: with `mig` the first has all SMXs, else each; without the part there is
/// one.
pub(super) fn first(config: &Config) -> Vec<Context> {
    let all: Vec<usize> = (0..config.n_smx as usize).collect();
    let of = |c: usize| Context {
        smxs: if c == 0 || !config.partition.is_some_and(|part| part.mig) { all.clone() } else { Vec::new() },
        quota: None,
        kdes: None,
    };
    (0..config.partition.map_or(1, |part| part.contexts as usize)).map(of).collect()
}

impl Model {
    /// modern-P4: the most threads of a context, if it has a quota.
    pub(in crate::model) fn limit(&self, c: usize) -> Option<u64> {
        let context = &self.modern.contexts[c];
        let threads = context.smxs.len() as u64 * u64::from(self.config.threads);
        context.quota.map(|quota| (u64::from(quota) * threads).div_ceil(100))
    }

    /// The threads of a context that are resident, frozen ones with them.
    pub(in crate::model) fn context_threads(&self, c: usize) -> u64 {
        let tbs = self.tbcr.iter().flatten().flatten().filter(|tb| self.kde(tb.kde).kernel.owner.context == c);
        tbs.map(|tb| u64::from(threads_of(&self.resident_kernel(tb)))).sum()
    }

    /// modern-P7: whether a context holds as many entries as it may.
    pub(in crate::model) fn holds_all_entries(&self, c: usize) -> bool {
        let held = self.kdes.iter().flatten().filter(|entry| entry.kernel.owner.context == c).count();
        self.modern.contexts[c].kdes.is_some_and(|most| held >= most as usize)
    }

    // ---- modern-G1: P and Q

    /// modern-P5.
    pub(in crate::model) fn closed_p(&self, k: usize, s: usize) -> bool {
        !self.modern.contexts[self.kde(k).kernel.owner.context].smxs.contains(&s)
    }

    /// modern-P4: of the next unit of an entry, on whichever SMX.
    pub(in crate::model) fn closed_q(&self, k: usize) -> bool {
        let kernel = &self.kde(k).kernel;
        let unit = u64::from(self.unit(k)) * u64::from(threads_of(&self.next_kernel(k)));
        let c = kernel.owner.context;
        self.limit(c).is_some_and(|limit| self.context_threads(c) + unit > limit)
    }

    /// modern-V6.
    pub(in crate::model) fn check_quota(&self, d: &Descriptor, c: usize) -> Result<(), Fault> {
        let is_over = self.limit(c).is_some_and(|limit| u64::from(threads_of(d)) > limit);
        if is_over { Err(Fault::TbOverQuota) } else { Ok(()) }
    }

    /// The SMXs of a context.
    pub(in crate::model) fn smxs_of(&self, c: usize) -> &[usize] {
        &self.modern.contexts[c].smxs
    }

    /// A context by the number that a host gives.
    pub(super) fn context(&self, c: u32) -> Result<usize, Fault> {
        let c = c as usize;
        if c < self.modern.contexts.len() { Ok(c) } else { Err(Fault::BadContext) }
    }

    /// One that has SMXs: under `mig` there may be others.
    pub(super) fn context_with_smxs(&self, c: u32) -> Result<usize, Fault> {
        self.context(c).ok().filter(|&c| !self.modern.contexts[c].smxs.is_empty()).ok_or(Fault::BadContext)
    }

    // ---- modern-R1, modern-P2, modern-P3

    /// What a host launch of this stream is now.
    pub(in crate::model) fn owner_of_stream(&self, stream: u32) -> Owner {
        self.modern.streams.get(&stream).copied().unwrap_or_default()
    }

    /// modern-P3: the queue of a stream.
    pub(in crate::model) fn queue_of_stream(&self, stream: u32) -> usize {
        let n_hwq = self.config.n_hwq as usize;
        self.owner_of_stream(stream).context * n_hwq + stream as usize % n_hwq
    }

    /// modern-R1.
    pub(in crate::model) fn set_stream(&mut self, stream: u32, c: Option<u32>, prio: Option<u32>) -> Result<(), Fault> {
        let mut owner = self.owner_of_stream(stream);
        if let Some(c) = c {
            if self.config.partition.is_none() {
                return Err(Fault::NoPartition);
            }
            owner.context = self.context_with_smxs(c)?;
        }
        if let Some(prio) = prio {
            let part = self.config.priority.ok_or(Fault::NoPriority)?;
            if prio >= part.levels {
                return Err(Fault::BadPriority);
            }
            owner.prio = prio;
        }
        if stream >= self.config.n_stream {
            return Err(Fault::BadStream);
        }
        let is_of = |kernel: &Kernel| kernel.stream == Some(stream);
        let is_queued = self.queues.iter().flatten().any(|waiting| waiting.stream == stream);
        let is_in_kd = self.kdes.iter().flatten().any(|entry| is_of(&entry.kernel));
        let is_suspended = self.suspended.iter().flatten().any(|entry| is_of(&entry.kernel));
        // launch2-W2.
        let is_held = self.grids.holds(self.queue_of_stream(stream));
        if is_queued || is_in_kd || is_suspended || is_held {
            return Err(Fault::StreamBusy);
        }
        self.modern.streams.insert(stream, owner);
        Ok(())
    }

    // ---- modern-P1, modern-P6

    pub(in crate::model) fn set_context(
        &mut self,
        c: u32,
        smxs: Option<SmxSet>,
        gpcs: Option<GpcSet>,
        quota: Option<u32>,
        kdes: Option<u32>,
    ) -> Result<(), Fault> {
        if self.config.partition.is_none() {
            return Err(Fault::NoPartition);
        }
        let c = self.context(c)?;
        let smxs = self.new_set(c, smxs, gpcs)?;
        if quota.is_some_and(|quota| !(1..=100).contains(&quota)) {
            return Err(Fault::BadQuota);
        }
        if kdes.is_some_and(|kdes| !(1..=self.config.n_kde).contains(&kdes)) {
            return Err(Fault::BadLimit);
        }
        let is_its = |owner: Owner| owner.context == c;
        let is_queued = self.queues.iter().flatten().any(|waiting| is_its(waiting.owner));
        let is_launched = self.records.iter().flatten().any(|record| is_its(record.owner));
        let is_in_kd = self.kdes.iter().flatten().any(|entry| is_its(entry.kernel.owner));
        let is_suspended = self.suspended.iter().flatten().any(|entry| is_its(entry.kernel.owner));
        // launch2-W2.
        let n_hwq = self.config.n_hwq as usize;
        let is_held = (c * n_hwq..(c + 1) * n_hwq).any(|q| self.grids.holds(q));
        if is_queued || is_launched || is_in_kd || is_suspended || is_held {
            return Err(Fault::ContextBusy);
        }
        self.modern.contexts[c] = Context { smxs, quota, kdes };
        Ok(())
    }

    /// modern-P1: the set that a context asks for.
    fn new_set(&self, c: usize, smxs: Option<SmxSet>, gpcs: Option<GpcSet>) -> Result<Vec<usize>, Fault> {
        let part = self.config.partition.ok_or(Fault::NoPartition)?;
        let modern = &self.modern;
        let set = match (smxs, gpcs) {
            (None, None) => self.all(),
            (Some(_), Some(_)) => return Err(Fault::BadSet),
            (Some(smxs), None) => members(smxs.words()),
            (None, Some(_)) if self.config.topology.is_none() => return Err(Fault::NoTopology),
            (None, Some(gpcs)) => {
                let gpcs = members(gpcs.words());
                if gpcs.iter().any(|&g| g >= modern.gpcs.len()) {
                    return Err(Fault::BadSet);
                }
                let mut set: Vec<usize> = gpcs.iter().flat_map(|&g| modern.gpcs[g].clone()).collect();
                set.sort_unstable();
                set
            }
        };
        let size = set.len();
        let is_out_of_range = set.iter().any(|&s| s >= self.tbcr.len());
        if size == 0 || is_out_of_range || size < part.min_set as usize || !size.is_multiple_of(part.align as usize) {
            return Err(Fault::BadSet);
        }
        if part.mig {
            let is_split =
                |gpc: &Vec<usize>| gpc.iter().any(|s| set.contains(s)) && !gpc.iter().all(|s| set.contains(s));
            if modern.gpcs.iter().any(is_split) {
                return Err(Fault::MigSplit);
            }
            let others = modern.contexts.iter().enumerate().filter(|&(other, _)| other != c);
            if others.flat_map(|(_, context)| &context.smxs).any(|s| set.contains(s)) {
                return Err(Fault::MigOverlap);
            }
        }
        Ok(set)
    }
}
