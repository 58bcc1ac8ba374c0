//! What holds in every state, by the front end's own word and by what its queries say of each other, and along every run (dtbl-I10,
//! dtbl-I13), asked through public queries only.

use std::collections::{BTreeMap, BTreeSet};

use gpusched::{
    Cycle, Decision, Descriptor, FrontEnd, GpcId, GridId, GroupRef, HwqId, InstanceId, IssueSource, KernelSlot,
    RecordId, RecordState, SlotId, SmxId, State, SuspId, Tables, TbRef, TbView, Units, laperm,
};

use crate::bubble::invariants::{Watch, check_state};
use crate::drain::loading_units;
use crate::events::{Answer, Event};
use crate::view::View;

macro_rules! ensure {
    ($holds:expr, $($message:tt)*) => {
        if !$holds {
            return Err(format!($($message)*));
        }
    };
}

/// Checks a state.
///
/// # Errors
/// The first invariant that does not hold.
pub fn check<T: Tables>(gpu: &FrontEnd<T>) -> Result<(), String> {
    gpu.validate().map_err(|broken| broken.to_string())?;
    let (config, view) = (gpu.config(), View::of(gpu));
    ensure!(view.laperm.is_some() == config.laperm().is_some(), "a part that is off has state");
    ensure!(view.bubble.is_some() == config.bubble.is_some(), "a part that is off has state");
    if let Some(bubble) = &view.bubble {
        check_state(bubble, false)?;
    }
    check_idle(gpu, &gpu.resident_tbs().collect::<Vec<_>>())
}

/// Idle means nothing owned anywhere (modern-I10: with every request released, too), and the status says who must act (frontend-Q1, frontend-I11).
fn check_idle<T: Tables>(gpu: &FrontEnd<T>, tbs: &[TbView]) -> Result<(), String> {
    let config = gpu.config();
    let queued = (0..=u8::MAX).map_while(|q| gpu.hwq(HwqId(q))).any(|q| q.len > 0 || q.busy);
    let suspended = (0..config.susp_cap as u8).any(|i| gpu.suspended(SuspId(i)).is_some());
    let incomplete = (0..gpu.n_grid()).any(|g| gpu.grid(GridId(g)).is_some());
    let launched = gpu.kdes().next().is_some() || gpu.records_in_use() > 0 || incomplete;
    let owned = queued || suspended || launched || !tbs.is_empty();
    let status = gpu.status();
    ensure!(owned != (status == State::Drained), "frontend-Q1: {status:?} while something is owned: {owned}");
    ensure!(gpu.is_idle() != owned, "frontend-Q1: false idle");
    let next = gpu.next_event();
    ensure!(next.is_none_or(|t| t >= gpu.now()), "frontend-O4: the next event {next:?} is past");
    let loading = gpu.fcfs().filter_map(|k| gpu.kde(k)).any(|e| e.chain.is_some());
    if status == State::Running {
        // A kernel that matures while every entry is held changes the status, and decides nothing.
        let records = (0..config.pend_limit).filter_map(|r| gpu.record(RecordId(r)));
        let matures = records.into_iter().any(|r| r.state == RecordState::Dev && r.key.ready > gpu.now());
        let refills = !loading_units(gpu).is_empty();
        // A host that has declined what it could send is not asked again until something happens (policy-P9).
        let declined = gpu.told_state().is_some_and(|told| told.has_declined);
        // A grid whose memory is visible while it waits for children is no nearer to its completion.
        let flushes = (0..gpu.n_grid()).filter_map(|g| gpu.grid(GridId(g))).any(|grid| grid.flushed.is_some());
        // So is what the host's launch costs hold back, or a kernel graph's edges, while every entry is held.
        let nodes = (0..config.kgraph.map_or(0, |part| part.insts as u8)).map(InstanceId);
        let ripens = nodes.flat_map(|i| gpu.ready_nodes(i)).any(|node| node.key.ready > gpu.now());
        let flushes = flushes || ripens || gpu.host_free().is_some_and(|free| free > gpu.now());
        let goes_on = !tbs.is_empty() || next.is_some() || loading || matures || refills || declined || flushes;
        ensure!(goes_on, "frontend-Q1: running, but nothing brings it on");
    } else {
        // A spilled group at the head is asked for even where no SMX may take it; samples go on for ever.
        // In the middle of a cycle the next event is now.
        let begun = gpu.told_state().is_some_and(|told| told.is_begun);
        let expected = next.is_none() || loading || config.bubble.is_some() || begun;
        ensure!(expected, "frontend-Q1: {status:?}, but something happens at {next:?}");
    }
    Ok(())
}

/// What LaPerm took and sent is told in its order (frontend-T2, frontend-T3p, frontend-T4p), and children run where they are bound
/// (laperm-I6).
fn check_units_told<T: Tables>(gpu: &FrontEnd<T>, answer: &Answer) -> Result<(), String> {
    let alone = gpu.config().laperm().map(|part| part.machine(gpu.config())).ok_or("no LaPerm")?;
    let told = answer.decisions.iter().map(|(_, decision)| *decision).collect::<Vec<_>>();
    for (i, decision) in told.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| told[i]);
        let after = told.get(i + 1);
        match *decision {
            Decision::Arrive { kde, .. } if gpu.kde(kde).is_some_and(|e| e.graph.is_some()) => {}
            Decision::Tb(tb) if tb.tb_ref == TbRef::Node => {}
            Decision::Arrive { tag, .. } | Decision::Join { tag, .. } => {
                let placed = matches!(after, Some(Decision::Place { tag: of, .. }) if *of == tag);
                ensure!(placed, "frontend-T2, frontend-T3p: {tag} is not placed but {after:?}");
            }
            Decision::Place { tag, .. } => {
                let came = matches!(before, Some(Decision::Arrive { tag: of, .. } | Decision::Join { tag: of, .. }) if of == tag);
                ensure!(came, "frontend-T2, frontend-T3p: {tag} is placed after {before:?}");
            }
            Decision::Tb(tb) => {
                let rest = told[i + 1..].iter().find(|d| !matches!(d, Decision::Bypass { .. }));
                ensure!(matches!(rest, Some(Decision::Lap { .. })), "frontend-T4p: {tb:?} is followed by {rest:?}");
                let parent = match tb.tb_ref {
                    TbRef::Group(GroupRef::Unit(r)) => gpu.record(r).map(|record| record.psmx),
                    _ => gpu.kde(tb.kde).and_then(|e| e.kernel.psmx),
                };
                let bound = parent.filter(|_| alone.policy == laperm::Policy::SmxBind);
                let home = bound.is_none_or(|parent| alone.unit_of(parent) == alone.unit_of(tb.smx));
                ensure!(home, "laperm-I6: {tb:?} of a parent on {parent:?}");
            }
            Decision::Load { .. } | Decision::Unmark { .. } | Decision::Rotate { .. } => {
                return Err(format!("under LaPerm there is no {decision:?}"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// What a launch owes, from its call to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Account {
    total: u32,
    sent: u32,
    ended: u32,
    /// TBs that a suspension took off, and those that were sent again.
    saved: u32,
    restored: u32,
    over: bool,
    joined: bool,
    /// Those that were sent, where the order is not theirs: nodes of its graph, TBs of what may be in pieces.
    each: BTreeSet<u32>,
    aborted: bool,
    /// The priority of its stream, or of its parent (modern-R1, modern-R3).
    priority: u8,
    has_clusters: bool,
}

/// The books of a run: dtbl-I10 (each TB once, in order; each launch ends once), dtbl-I13 (only the FIFO's head sends), join order
/// (dtbl-I5) and one TB per cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    accounts: BTreeMap<u64, Account>,
    /// Kernels of kernel graphs, by tag: they are launched as often as these (launch2-H8).
    nodes: BTreeMap<u64, Descriptor>,
    /// Who arrived last in an entry.
    kernels: BTreeMap<KernelSlot, u64>,
    bubble: Option<Watch>,
    /// The cycle in which a TB was sent last, and how many were sent in it.
    sent_in: (Cycle, u32),
    /// The cluster that is being sent: its kernel, its GPC, and how many TBs of it are still to come.
    cluster: Option<(KernelSlot, GpcId, u32)>,
}

/// The priority of the kernel whose TB made a call.
fn caller<T: Tables>(gpu: &FrontEnd<T>, smx: u32, slot: u32) -> u8 {
    let kde = gpu.tb(SmxId(smx as u16), SlotId(slot as u8)).and_then(|tb| gpu.kde(tb.kde));
    kde.map_or(0, |kde| kde.kernel.owner.priority)
}

/// What must be remembered of the state before an event.
pub struct Before {
    now: Cycle,
    fifo: Vec<KernelSlot>,
    passed: u64,
    tbs: Vec<(TbView, u64)>,
}

impl Before {
    /// What the books need to know of the state before an event.
    #[must_use]
    pub fn of<T: Tables>(gpu: &FrontEnd<T>) -> Self {
        let tag = |tb: &TbView| match tb.tb_ref {
            TbRef::Group(at) => gpu.agt().chain(gpu.spilled()).find(|group| group.at == at).map(|group| group.tag),
            _ => gpu.kde(tb.kde).map(|e| e.kernel.descriptor.tag),
        };
        Self {
            now: gpu.now(),
            fifo: gpu.fcfs().collect(),
            passed: gpu.stats().passed,
            tbs: gpu.resident_tbs().map(|tb| (tb, tag(&tb).unwrap_or(u64::MAX))).collect(),
        }
    }
}

impl Ledger {
    fn account(&mut self, tag: u64) -> Result<&mut Account, String> {
        let account = self.accounts.get_mut(&tag).ok_or(format!("dtbl-I10: nobody launched {tag}"))?;
        if account.over { Err(format!("dtbl-I10: {tag} goes on after its end")) } else { Ok(account) }
    }

    fn open(&mut self, d: &Descriptor, priority: u8) {
        let total = d.grid.x * d.grid.y * d.grid.z;
        let has_clusters = d.cluster.size() > 1;
        let former = self.accounts.insert(d.tag, Account { total, priority, has_clusters, ..Account::default() });
        debug_assert!(former.is_none_or(|former| former.over), "tags of a checked run are unique");
    }

    /// The priority of the kernel in an entry.
    fn priority(&self, kde: KernelSlot) -> u8 {
        self.kernels.get(&kde).and_then(|tag| self.accounts.get(tag)).map_or(0, |account| account.priority)
    }

    /// modern-R2: an entry is marked behind the last one of at least its priority.
    fn mark(&self, fifo: &mut Vec<KernelSlot>, kde: KernelSlot) {
        let before = fifo.iter().rposition(|&k| self.priority(k) >= self.priority(kde));
        fifo.insert(before.map_or(0, |before| before + 1), kde);
    }

    fn close(&mut self, tag: u64) -> Result<(), String> {
        let account = self.account(tag)?;
        let all = account.sent == account.total || account.aborted;
        ensure!(all, "dtbl-I10: {tag} ends after {} of {} TBs", account.sent, account.total);
        ensure!(account.restored == account.saved, "dtbl-I10: {tag} ends with saved TBs");
        ensure!(account.ended == account.sent, "dtbl-I10: {tag} ends while {} TBs run", account.sent - account.ended);
        account.over = true;
        Ok(())
    }

    /// Books an event and its answer, whose length is checked, too.
    ///
    /// # Errors
    /// The rule that the answer breaks.
    pub fn book<T: Tables>(
        &mut self,
        before: &Before,
        event: &Event,
        answer: &Answer,
        gpu: &FrontEnd<T>,
    ) -> Result<(), String> {
        event.bounded(answer, gpu.config())?;
        if answer.refusal().is_some() {
            ensure!(answer.decisions.is_empty(), "dtbl-I12: a refused call decides {:?}", answer.decisions);
            return Ok(());
        }
        match event {
            Event::KgraphDefine { nodes, .. } => {
                self.nodes.extend(nodes.iter().map(|node| (node.kernel.tag, node.kernel)));
            }
            Event::HostLaunch { stream, descriptor, .. }
            | Event::HostLaunchDependent { stream, descriptor, .. }
            | Event::HostLaunchGraph { stream, descriptor, .. }
            | Event::HostLaunchGraphDependent { stream, descriptor, .. }
            | Event::HostLaunchCross { stream, producers: descriptor, .. } => {
                self.open(descriptor, gpu.stream(*stream).map_or(0, |owner| owner.priority));
            }
            Event::DeviceLaunch { smx, slot, kernels } => {
                let priority = caller(gpu, *smx, *slot);
                kernels.iter().for_each(|d| self.open(d, priority));
            }
            Event::DeviceLaunchNamed { smx, slot, launches } => {
                let priority = caller(gpu, *smx, *slot);
                launches.iter().for_each(|launch| self.open(&launch.kernel, priority));
            }
            Event::AggLaunch { smx, slot, groups } => {
                let priority = caller(gpu, *smx, *slot);
                groups.iter().for_each(|g| self.open(&g.kernel, priority));
            }
            Event::TbDone { .. } => {
                let ended = before.tbs.iter().find(|(tb, _)| Event::end_of(tb) == *event);
                let (_, tag) = ended.ok_or("dtbl-D1: a TB ended that was not there")?;
                self.account(*tag)?.ended += 1;
            }
            _ => {}
        }
        let by_unit =
            gpu.config().laperm().is_some() || gpu.config().told().is_some_and(|told| told.units == Units::Free);
        if gpu.config().laperm().is_some() {
            check_units_told(gpu, answer)?;
        }
        if let Some(part) = &gpu.config().bubble {
            let watch = self.bubble.get_or_insert_with(|| Watch::new(&part.machine(gpu.config())));
            answer.samples.iter().try_for_each(|(_, sample)| watch.note_sample(sample))?;
            let view = View::of(gpu).bubble.ok_or("the controller is gone")?;
            check_state(&view, false)?;
        }
        let mut fifo = before.fifo.clone();
        for &(at, decision) in &answer.decisions {
            ensure!(at >= before.now, "dtbl-S4: {decision:?} at {at:?}, before {:?}", before.now);
            match decision {
                Decision::Issue { source: IssueSource::Node(_), tag, kde } => {
                    let kernel = *self.nodes.get(&tag).ok_or(format!("launch2-K4: nobody defined {tag}"))?;
                    self.open(&kernel, gpu.kde(kde).map_or(0, |kde| kde.kernel.owner.priority));
                }
                Decision::Arrive { kde, tag } => {
                    self.kernels.insert(kde, tag);
                    if !by_unit {
                        self.mark(&mut fifo, kde);
                    }
                }
                Decision::GraphAbort { kde, .. } => {
                    fifo.retain(|&k| k != kde);
                    let tag = *self.kernels.get(&kde).ok_or("frontend-F6: nobody arrived there")?;
                    self.account(tag)?.aborted = true;
                }
                Decision::Join { tag, kde, .. } => {
                    let account = self.account(tag)?;
                    ensure!(!account.joined, "dtbl-I10: {tag} joins twice");
                    account.joined = true;
                    if !by_unit && !fifo.contains(&kde) {
                        self.mark(&mut fifo, kde);
                    }
                }
                Decision::Unmark { kde } => fifo.retain(|&k| k != kde),
                Decision::Rotate { kde } => {
                    ensure!(fifo.first() == Some(&kde), "dtbl-H11: {kde:?} rotates from behind the head");
                    fifo.remove(0);
                    self.mark(&mut fifo, kde);
                }
                Decision::Suspend { kde, .. } | Decision::Save { kde, .. } => fifo.retain(|&k| k != kde),
                Decision::Cluster { kde, gpc, tbs, .. } => {
                    ensure!(self.cluster.is_none(), "modern-I1: a cluster begins in another one");
                    self.cluster = Some((kde, gpc, tbs));
                }
                Decision::Saved { tb_ref, smx, slot, .. } => {
                    ensure!(!matches!(tb_ref, TbRef::Group(_)), "dtbl-S1: a group's TB is saved");
                    let saved = before.tbs.iter().find(|(tb, _)| (tb.smx, tb.slot) == (smx, slot));
                    let (_, tag) = saved.ok_or("dtbl-S1: a TB is saved that was not there")?;
                    self.account(*tag)?.saved += 1;
                }
                Decision::Tb(tb) => {
                    let (last, n) = self.sent_in;
                    // The TBs of a cluster are one dispatch.
                    let is_last_of_cluster = match &mut self.cluster {
                        None => true,
                        Some((kde, gpc, left)) => {
                            ensure!(*kde == tb.kde, "modern-I3: {tb:?} in a cluster of {kde:?}");
                            ensure!(gpu.gpc_of(tb.smx) == Ok(*gpc), "modern-I2: {tb:?} is not in {gpc:?}");
                            *left -= 1;
                            *left == 0
                        }
                    };
                    if is_last_of_cluster {
                        self.cluster = None;
                        self.sent_in = (at, if last == at { n + 1 } else { 1 });
                    }
                    // policy-I1: as many as agreed, and one if the rescue sends.
                    let agreed = gpu.config().told().filter(|_| !matches!(event, Event::End(_)));
                    let most = agreed.map_or(1, |told| told.dispatch_per_cycle);
                    ensure!(self.sent_in.1 <= most, "TB {} of {most} in cycle {at:?}", self.sent_in.1);
                    let passes = gpu.stats().passed > before.passed;
                    ensure!(by_unit || passes || fifo.first() == Some(&tb.kde), "dtbl-I13: {tb:?} overtakes {fifo:?}");
                    let account = self.account(tb.tag)?;
                    if tb.tb_ref == TbRef::Node {
                        ensure!(account.each.insert(tb.blkid), "frontend-I3: {tb:?} was sent before");
                        ensure!(tb.blkid < account.total, "frontend-I3: {tb:?} is beyond its graph");
                        ensure!(!account.aborted, "frontend-F6: {tb:?} after the abort");
                        account.sent += 1;
                    } else if tb.tb_ref == TbRef::Restored {
                        account.restored += 1;
                        ensure!(account.restored <= account.saved, "dtbl-I10: {tb:?} was restored before");
                    } else if account.has_clusters || gpu.config().told().is_some_and(|told| told.split_cap > 0) {
                        ensure!(account.each.insert(tb.blkid), "policy-I2: {tb:?} was sent before");
                        ensure!(tb.blkid < account.total, "dtbl-I10: {tb:?} is beyond its grid");
                        account.sent += 1;
                    } else {
                        ensure!(tb.blkid == account.sent, "dtbl-I10: {tb:?} after {} TBs", account.sent);
                        account.sent += 1;
                        ensure!(account.sent <= account.total, "dtbl-I10: {tb:?} is beyond its grid");
                    }
                }
                Decision::GroupDone { tag, .. } | Decision::KernelDone { tag, .. } => self.close(tag)?,
                _ => {}
            }
        }
        ensure!(fifo == gpu.fcfs().collect::<Vec<_>>(), "dtbl-I4: the FIFO does not follow from the decisions");
        if matches!(event, Event::Tick) {
            ensure!(gpu.now().since(before.now) == 1, "a tick takes one cycle");
        }
        Ok(())
    }

    /// Whether every launch has ended (dtbl-I10, dtbl-I11).
    ///
    /// # Errors
    /// A launch that has not.
    pub fn settled(&self) -> Result<(), String> {
        match self.accounts.iter().find(|(_, account)| !account.over) {
            Some((tag, account)) => Err(format!("dtbl-I11: {tag} is lost: {account:?}")),
            None => Ok(()),
        }
    }
}
