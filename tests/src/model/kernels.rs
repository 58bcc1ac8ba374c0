//! The way of kernels and groups into the distributor: KMU (dtbl-T1), arrival (dtbl-T2), coalescing (dtbl-T3).

use gpusched::{
    AgtMiss, Decision, FallCause, Fallback, GraphState, HashScope, HwqId, InstanceId, IssueSource, KernelSlot, Kmu,
    KmuArb,
};

use super::cross::Cross;
use super::grids::Of;
use super::{Group, Held, Kde, Kernel, Key, Model, Origin, Owner, Record, Waiting, same_key};

/// What waits for the KMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Its position for `kmu_arb` rr.
    position: usize,
    key: Key,
    /// Its number in its structure.
    number: usize,
    owner: Owner,
}

impl Model {
    /// Everything that the KMU may take by itself, whatever its context holds.
    pub(super) fn ready_for_kmu(&self) -> Vec<Candidate> {
        let n_hwq = self.queues.len();
        let mut all = Vec::new();
        for (q, queue) in self.queues.iter().enumerate() {
            // frontend-T1g: a graph waits until the buffer is free.
            if let Some(head) = queue.front()
                && self.may_go(q)
                && head.key.0 <= self.now
                && head.kernel_graph.is_none()
                && !(head.graph.is_some() && self.is_dgb_taken())
            {
                all.push(Candidate { position: q, key: head.key, number: q, owner: head.owner });
            }
        }
        let used = self.records.iter().enumerate().filter_map(|(r, record)| Some((r, record.as_ref()?)));
        for (number, record) in used.filter(|(_, rec)| matches!(rec.state, Held::Dev) && rec.key.0 <= self.now) {
            all.push(Candidate { position: n_hwq, key: record.key, number, owner: record.owner });
        }
        for (number, entry) in self.suspended.iter().enumerate() {
            let Some(entry) = entry else { continue };
            let Some(key) = entry.resumed else { continue };
            all.push(Candidate { position: n_hwq + 1, key, number, owner: entry.kernel.owner });
        }
        // launch2-K4.
        for (key, number, owner) in self.ready_nodes() {
            all.push(Candidate { position: n_hwq + 2, key, number, owner });
        }
        all
    }

    /// Every candidate: no context gives one that holds as many entries as it may (modern-P7), only the highest priority
    /// counts (modern-R4), and each list has but its oldest.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let n_hwq = self.queues.len();
        let mut all = self.ready_for_kmu();
        all.retain(|candidate| !self.holds_all_entries(candidate.owner.context));
        let highest = all.iter().map(|candidate| candidate.owner.prio).max();
        all.retain(|candidate| Some(candidate.owner.prio) == highest);
        for list in [n_hwq, n_hwq + 1, n_hwq + 2] {
            let of_list = all.iter().filter(|candidate| candidate.position == list);
            let oldest = of_list.map(|candidate| candidate.key).min();
            all.retain(|candidate| candidate.position != list || Some(candidate.key) == oldest);
        }
        all
    }

    pub(super) fn t1_kmu(&mut self) -> Kmu {
        if self.ready_for_kmu().is_empty() {
            let is_held = |head: &Waiting| head.graph.is_some() && head.key.0 <= self.now;
            let waits = |q: usize| self.may_go(q) && self.queues[q].front().is_some_and(is_held);
            return if (0..self.queues.len()).any(waits) { Kmu::DgBusy } else { Kmu::Empty };
        }
        if self.now < self.next_issue {
            return Kmu::Busy;
        }
        let candidates = self.candidates();
        let free = self.kdes.iter().position(Option::is_none).filter(|_| !candidates.is_empty());
        let Some(entry) = free else { return Kmu::KdFull };
        let ((position, number), cost) =
            if self.kmu_by_laperm() { self.t1p_choose() } else { (self.t1_choose(&candidates), 0) };
        let n_hwq = self.queues.len();
        let (source, kernel, t0, retain) = if position < n_hwq {
            let host = self.queues[number].pop_front().expect("a candidate is a queue's head");
            self.busy[number] = true;
            let grid = self.make_grid(host.descriptor.tag, Of::Host(number));
            let kernel = Kernel {
                grid,
                descriptor: host.descriptor,
                queue: Some(number),
                depth: 0,
                psmx: None,
                prio: 0,
                next_native: 0,
                saved: 0,
                members: Vec::new(),
                graph: host.graph,
                cross: host.consumers.map(Cross::of),
                origin: host.origin,
                stream: Some(host.stream),
                owner: host.owner,
            };
            if host.graph.is_some() {
                self.dgb_owner = Some(entry);
            }
            (IssueSource::Hwq(HwqId(number as u8)), kernel, None, host.retain)
        } else if position == n_hwq {
            let record = self.records[number].take().expect("a candidate is a record in use");
            self.grid_was_issued(record.grid);
            let made = record.grid.or_else(|| self.make_grid(record.descriptor.tag, Of::Device));
            let kernel = Kernel {
                grid: made,
                descriptor: record.descriptor,
                queue: None,
                depth: record.depth,
                psmx: Some(record.psmx),
                prio: record.prio,
                next_native: 0,
                saved: 0,
                members: Vec::new(),
                graph: None,
                cross: None,
                origin: record.origin,
                stream: None,
                owner: record.owner,
            };
            (IssueSource::Device, kernel, Some(record.t0), false)
        } else if position == n_hwq + 2 {
            let (instance, grid, descriptor, stream, queue, owner) = self.take_node(number);
            let kernel = Kernel {
                grid,
                descriptor,
                queue: None,
                depth: 0,
                psmx: None,
                prio: 0,
                next_native: 0,
                saved: 0,
                members: Vec::new(),
                graph: None,
                cross: None,
                origin: Origin { stream: queue as u32, parent: None },
                stream: Some(stream),
                owner,
            };
            (IssueSource::Node(InstanceId(instance as u8)), kernel, None, false)
        } else {
            let entry = self.suspended[number].take().expect("a candidate is a suspended kernel");
            (IssueSource::Suspended, entry.kernel, None, false)
        };
        let tag = kernel.descriptor.tag;
        let arrive_at = self.now.saturating_add(cost).saturating_add(self.config.lat_dispatch.into());
        let graph = kernel.graph.map(|_| GraphState::Coming);
        self.kdes[entry] = Some(Kde {
            graph,
            kernel,
            arriving: Some((arrive_at, self.issues)),
            t0,
            retain,
            restored: 0,
            exe: 0,
            live: 0,
            pend: 0,
            nagei: None,
            lagei: None,
            first: false,
            saving: None,
        });
        self.issues += 1;
        self.next_issue = self.now.saturating_add(u64::from(self.config.kmu_interval).max(1 + cost));
        self.emit(Decision::Issue { source, tag, kde: KernelSlot(entry as u8) });
        Kmu::Issue
    }

    /// A candidate by `kmu_arb`: its position and number.
    fn t1_choose(&mut self, candidates: &[Candidate]) -> (usize, usize) {
        let positions = self.queues.len() + 2 + usize::from(self.config.kgraph.is_some());
        let candidates = candidates.iter().copied();
        let chosen = match self.config.kmu_arb {
            KmuArb::Fcfs => candidates.min_by_key(|candidate| candidate.key),
            KmuArb::Rr => {
                let distance = |p: usize| (p + positions - self.kmu_ptr) % positions;
                let first = candidates.min_by_key(|candidate| distance(candidate.position));
                if let Some(Candidate { position, .. }) = first {
                    self.kmu_ptr = (position + 1) % positions;
                }
                first
            }
        };
        let Candidate { position, number, .. } = chosen.expect("there is a candidate");
        (position, number)
    }

    // ---- dtbl-T2

    pub(super) fn t2_arrival(&mut self) {
        let due = |(k, e): (usize, &Option<Kde>)| Some((e.as_ref()?.arriving?, k));
        let mut arriving = self.kdes.iter().enumerate().filter_map(due).collect::<Vec<_>>();
        arriving.retain(|((at, _), _)| *at <= self.now);
        arriving.sort_unstable();
        for (_, k) in arriving {
            let kde = self.kdes[k].as_mut().expect("an arriving entry is in use");
            kde.arriving = None;
            let tag = kde.kernel.descriptor.tag;
            self.emit(Decision::Arrive { kde: KernelSlot(k as u8), tag });
            self.name_natives(k);
            let is_graph = self.kde(k).graph.is_some();
            if is_graph {
                self.start_graph(k);
            }
            if self.has_free_units() {
                if !is_graph {
                    self.queue_natives(k);
                }
            } else {
                self.kde_mut(k).first = true;
                self.mark(k);
            }
        }
    }

    // ---- dtbl-T3

    pub(super) fn t3_coalescing(&mut self) {
        let waiting = |(r, record): (usize, &Option<Record>)| match record {
            Some(Record { state: Held::Agg(command), key, .. }) => Some((*key, r, *command)),
            _ => None,
        };
        let mut groups = self.records.iter().enumerate().filter_map(waiting).collect::<Vec<_>>();
        groups.retain(|((ready, _), ..)| *ready <= self.now);
        groups.sort_unstable();
        let Some(&(_, _, command)) = groups.first() else { return };
        // Lanes of a command take ascending seq, so the sorted order is lane order.
        let lanes = groups.into_iter().filter(|&(_, _, c)| c == command);
        let mut fallen = Vec::new();
        for (_, r, _) in lanes {
            if let Err(cause) = self.join(r) {
                let tag = self.record(r).descriptor.tag;
                self.emit(Decision::Fall { tag, cause });
                fallen.push(r);
            }
        }
        let m = fallen.len() as u64;
        let ready = match self.config.fallback {
            Fallback::Direct => self.now,
            Fallback::Full => self.now.saturating_add(u64::from(self.config.ld_b) + u64::from(self.config.ld_a) * m),
        };
        for r in fallen {
            let record = self.records[r].as_mut().expect("a fallen group keeps its record");
            record.state = Held::Dev;
            record.key.0 = ready;
        }
    }

    fn join(&mut self, r: usize) -> Result<(), FallCause> {
        let Record { descriptor, hw_tid, psmx, owner, .. } = self.record(r).clone();
        let eligible = |k: usize, e: &Kde| {
            // frontend-T3, modern-C1, modern-S2.
            let takes = e.arriving.is_none() && e.graph.is_none() && !self.has_clusters(k) && e.saving.is_none();
            // launch2-P8.
            let takes = takes && !self.is_open(k);
            takes && same_key((&e.kernel.descriptor, e.kernel.owner.context), (&descriptor, owner.context))
        };
        let mut entries = self.kdes.iter().enumerate().filter_map(|(k, e)| Some((k, e.as_ref()?)));
        let Some((k, _)) = entries.find(|&(k, e)| eligible(k, e)) else {
            self.stats.kde_miss += 1;
            return Err(FallCause::Kde);
        };
        self.stats.kde_hit += 1;
        if self.has_free_units() {
            self.join_by_itself(r, k);
            return Ok(());
        }
        let index = match self.config.hash_scope {
            HashScope::Smx => hw_tid,
            HashScope::Global => psmx * self.config.threads + hw_tid,
        };
        let index = index % self.config.agt_size;
        let age = if self.agt.contains_key(&index) {
            self.stats.agt_spill += 1;
            if self.config.agt_miss == AgtMiss::Device {
                return Err(FallCause::Agt);
            }
            None
        } else {
            self.stats.agt_hit += 1;
            self.agt.insert(index, r);
            Some(index)
        };
        let group = Group { kde: k, age, next: None, exe: 0, dist: false };
        self.records[r].as_mut().expect("the record waits").state = Held::Grp(group);
        match self.kde(k).nagei {
            None => self.kde_mut(k).nagei = Some(r),
            Some(_) => {
                let last = self.kde(k).lagei.expect("NAGEI and LAGEI are set together");
                let at = self.group_ref(r);
                self.group_mut(last).next = Some((r, at));
            }
        }
        self.kde_mut(k).lagei = Some(r);
        self.kde_mut(k).live += 1;
        if !self.fifo.contains(&k) {
            self.kde_mut(k).first = false;
            self.mark(k);
        }
        let group = self.group_ref(r);
        self.emit(Decision::Join { tag: descriptor.tag, kde: KernelSlot(k as u8), group });
        self.name_group(r);
        Ok(())
    }

    /// frontend-T3p, policy-P12.
    fn join_by_itself(&mut self, r: usize, k: usize) {
        let tag = self.record(r).descriptor.tag;
        let group = Group { kde: k, age: None, next: None, exe: 0, dist: false };
        self.records[r].as_mut().expect("the record waits").state = Held::Grp(group);
        self.kde_mut(k).live += 1;
        let group = self.group_ref(r);
        self.emit(Decision::Join { tag, kde: KernelSlot(k as u8), group });
        self.name_group(r);
        self.queue_group(r);
    }
}
