//! What holds in every state (dtbl-I1 to I9, dtbl-I14 and dtbl-I15, as `frontend` restates them) and along every run (dtbl-I10,
//! dtbl-I13), asked through public queries only.

use std::collections::{BTreeMap, BTreeSet};

use gpusched::dats::{self, NodeState};
use gpusched::power::Resources;
use gpusched::{
    Config, Cycle, Decision, Descriptor, FrontEnd, GraphState, GroupRef, HashScope, HwqId, Id, KernelSlot, LaPermPart,
    Load, LoadMode, Phase, RecordId, RecordState, SmxId, Source, Status, SuspId, Tables, TbRef, TbView, laperm, rows,
};

use crate::bubble::invariants::{Watch, check_state};
use crate::dats::view::View as DgbView;
use crate::drain::loading_units;
use crate::events::{Answer, Event};
use crate::view::{LaPermView, RecordStateView, RecordView, View};

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
    let tbs = gpu.resident_tbs().collect::<Vec<_>>();
    check_room(gpu, &tbs)?;
    check_gates(gpu, &tbs)?;
    check_entries(gpu, &tbs)?;
    check_groups(gpu, &tbs)?;
    check_load_buffer(gpu)?;
    check_queues(gpu)?;
    check_parts(gpu)?;
    check_idle(gpu, &tbs)
}

fn smxs(config: &Config) -> impl Iterator<Item = SmxId> + use<> {
    (0..config.n_smx as usize).map(SmxId::from_index)
}

/// dtbl-I1; one residency (frontend-I1).
fn check_room<T: Tables>(gpu: &FrontEnd<T>, tbs: &[TbView]) -> Result<(), String> {
    let config = gpu.config();
    for s in smxs(config) {
        let smx = gpu.smx(s).ok_or("dtbl-I1: an SMX is missing")?;
        let mut sum = [smx.slots.count_ones(), smx.threads, smx.regs, smx.smem];
        for tb in tbs.iter().filter(|tb| tb.smx == s) {
            let need = gpu.kde(tb.kde).ok_or("dtbl-I2: a TB of a free entry")?.need;
            ensure!(smx.slots >> tb.slot.0 & 1 == 0, "dtbl-I1: {tb:?} is in a free slot");
            for (total, part) in sum.iter_mut().zip([1, need.threads, need.regs, need.smem]) {
                *total += part;
            }
        }
        let capacity = [config.tb_slots, config.threads, config.regs, config.smem];
        ensure!(sum == capacity, "dtbl-I1: {s:?} has {sum:?} of {capacity:?}");
    }
    let warps: u32 = tbs.iter().filter_map(|tb| gpu.kde(tb.kde)).map(|e| e.need.warps).sum();
    ensure!(warps == gpu.resident_warps(), "dtbl-I1: {warps} warps reside, {} are counted", gpu.resident_warps());
    Ok(())
}

/// What the gates count, and M.
fn check_gates<T: Tables>(gpu: &FrontEnd<T>, tbs: &[TbView]) -> Result<(), String> {
    for s in smxs(gpu.config()) {
        let here = || tbs.iter().filter(|tb| tb.smx == s);
        for c in (0..gpu.config().n_class as u8).map(gpusched::ClassId) {
            let cap = gpu.class_cap(c, s).ok_or("a class is missing")?;
            let of_class = || here().filter(|tb| tb.class == Some(c));
            let counted = (usize::from(cap.resident), usize::from(cap.bypassing));
            let found = (of_class().count(), of_class().filter(|tb| tb.bypass).count());
            ensure!(counted == found, "K: {c:?} on {s:?} counts {counted:?}, has {found:?}");
        }
        if gpu.config().exclusive {
            let keys = here().filter_map(|tb| gpu.kde(tb.kde)).map(rows::Kde::key).collect::<Vec<_>>();
            ensure!(keys.windows(2).all(|k| k[0] == k[1]), "M: {s:?} holds TBs of several keys");
        }
    }
    Ok(())
}

/// dtbl-I2, dtbl-I4, dtbl-I7, and that cursors exist only for marked entries (frontend-I9).
fn check_entries<T: Tables>(gpu: &FrontEnd<T>, tbs: &[TbView]) -> Result<(), String> {
    let by_laperm = gpu.config().laperm().is_some();
    let fifo = gpu.fcfs().collect::<Vec<_>>();
    let mut marked = gpu.kdes().filter(|(_, e)| e.mark.is_some()).map(|(k, _)| k).collect::<Vec<_>>();
    let mut sorted = fifo.clone();
    sorted.sort();
    marked.sort();
    ensure!(sorted == marked, "dtbl-I4: the FIFO is {fifo:?}, marked are {marked:?}");
    for (k, e) in gpu.kdes() {
        let resident = tbs.iter().filter(|tb| tb.kde == k).count() as u32;
        ensure!(resident == e.exe, "dtbl-I2: {k:?} has {resident} TBs, ExeBL {}", e.exe);
        let own = |tb_ref| tbs.iter().filter(move |tb| tb.kde == k && tb.tb_ref == tb_ref);
        let sent = e.kernel.next_native - e.kernel.saved;
        ensure!(own(TbRef::Native).count() as u32 <= sent, "dtbl-I10: {k:?} has more TBs than were sent");
        ensure!(own(TbRef::Restored).count() as u32 <= e.restored, "dtbl-I10: {k:?} has more TBs than were restored");
        ensure!(own(TbRef::Native).all(|tb| tb.blkid < e.kernel.next_native), "dtbl-I10: a TB of {k:?} was not sent");
        let work = e.has_native_work() || e.chain.is_some() || e.pend > 0;
        ensure!(e.mark.is_none() || e.pend == 0, "frontend-I4: {k:?} is marked and held by LaPerm");
        if by_laperm {
            ensure!(e.mark.is_none() && e.chain.is_none(), "frontend-T3p: {k:?} is marked or has a chain under LaPerm");
        }
        if let Phase::Arriving(_) = e.phase {
            ensure!(e.mark.is_none() && e.chain.is_none() && e.exe == 0, "dtbl-T2: {k:?} acts before it arrives");
        } else if let Some(graph) = e.graph {
            // The DGB holds the unsent nodes; the line only where the policy has one.
            let unsent = e.has_native_work() && graph != GraphState::Aborted;
            ensure!(
                e.mark.is_some() == (unsent && !by_laperm),
                "frontend-T4g: {k:?} is {graph:?}, marked {}",
                e.mark.is_some()
            );
            ensure!(e.pend == 0 && e.chain.is_none() && e.live == 0, "frontend-A5: {k:?} has a graph and groups");
            ensure!(e.exe > 0 || e.is_graph_open(), "frontend-F4: {k:?} is over and still here");
        } else if e.mark.is_some() || e.pend > 0 {
            ensure!(work, "dtbl-I7: {k:?} is marked without work");
        } else {
            ensure!(!work && (e.exe > 0 || e.retain), "dtbl-I7: {k:?} is unmarked, work {work}, ExeBL {}", e.exe);
        }
        let first = e.mark.is_some_and(|m| m.first);
        ensure!(e.mark.is_none() || first == e.has_native_work(), "dtbl-A17: first bit {first} of {k:?}");
        ensure!(e.restored <= e.kernel.saved, "dtbl-S2: {k:?} restored more than was saved");
        ensure!(e.kernel.next_native <= e.total, "dtbl-I10: {k:?} sent more than its grid");
    }
    Ok(())
}

/// dtbl-I3, dtbl-I5, dtbl-I6, dtbl-I8, dtbl-I14, and that a group's record is live until it is done (frontend-I6).
fn check_groups<T: Tables>(gpu: &FrontEnd<T>, tbs: &[TbView]) -> Result<(), String> {
    let config = gpu.config();
    let records = (0..config.pend_limit).map(RecordId).filter_map(|r| Some((r, gpu.record(r)?))).collect::<Vec<_>>();
    ensure!(records.len() as u32 == gpu.records_in_use(), "dtbl-A16: {} records are counted", gpu.records_in_use());
    let ages = gpu.agt().collect::<Vec<_>>();
    let mut on_chip = 0;
    for &(r, record) in &records {
        let RecordState::Grp(g) = record.state else { continue };
        let at = gpu.group_location(r).ok_or("dtbl-I8: a group is nowhere")?;
        let resident = tbs.iter().filter(|tb| tb.tb_ref == TbRef::Group(at)).count() as u32;
        ensure!(resident == g.exe, "dtbl-I3: {r:?} has {resident} TBs, ExeBL {}", g.exe);
        ensure!(g.exe <= record.shape.total, "dtbl-I10: {r:?} has {} TBs of {}", g.exe, record.shape.total);
        ensure!(!(g.dist && g.exe == 0), "dtbl-D2: {r:?} is done and still here");
        let kernel = gpu.kde(g.kernel).filter(|e| e.phase == Phase::Active).ok_or("dtbl-D4: a group without kernel")?;
        let key = |d: &Descriptor| (d.pc, d.tb, d.regs, d.smem);
        let (of_group, of_kernel) = (key(&record.descriptor), key(&kernel.kernel.descriptor));
        ensure!(of_group == of_kernel, "dtbl-I14: {r:?} has {of_group:?}, {:?} has {of_kernel:?}", g.kernel);
        match g.age {
            None if config.laperm().is_some() => ensure!(at == GroupRef::Unit(r), "frontend-T3p: {r:?} is at {at:?}"),
            None => ensure!(at == GroupRef::Record(r), "dtbl-I8: {r:?} spilled and is at {at:?}"),
            Some(age) => {
                on_chip += 1;
                let tid = match config.hash_scope {
                    HashScope::Smx => record.hw_tid,
                    HashScope::Global => u32::from(record.psmx.0) * config.threads + record.hw_tid,
                };
                ensure!(age.0 == tid & (config.agt_size - 1), "dtbl-I8: {r:?} of thread {tid} is at {age:?}");
                ensure!(ages.iter().any(|(a, v)| *a == age && v.record == r), "dtbl-I8: {age:?} does not hold {r:?}");
            }
        }
    }
    ensure!(ages.len() == on_chip, "dtbl-I8: {} AGEs are valid, {on_chip} groups are on chip", ages.len());
    for (k, e) in gpu.kdes() {
        let groups = records.iter().filter_map(|(r, rec)| Some((*r, rec.group()?))).filter(|(_, g)| g.kernel == k);
        let (live, waiting) = groups.fold((0, 0), |(l, w), (_, g)| (l + 1, w + u32::from(!g.dist)));
        ensure!(live == e.live, "dtbl-D2: {k:?} has {live} groups, counts {}", e.live);
        if config.laperm().is_some() {
            let natives = u32::from(e.has_native_work() && e.phase == Phase::Active && e.graph.is_none());
            ensure!(e.pend == natives + waiting, "frontend-I4: {k:?} has {natives} + {waiting} units, pend {}", e.pend);
            continue;
        }
        let mut walked = 0;
        let mut at = e.chain.map(|c| c.next);
        while let Some(r) = at {
            let group =
                gpu.record(r).and_then(|rec| rec.group()).ok_or(format!("dtbl-I5: {r:?} in the chain of {k:?}"))?;
            let sent = e.cursor().filter(|cursor| cursor.group == Some(r)).map_or(0, |cursor| cursor.next_bl);
            ensure!(group.exe <= sent, "dtbl-I10: {r:?} has {} TBs, {sent} were sent", group.exe);
            ensure!(group.kernel == k && !group.dist, "dtbl-I5: {r:?} does not belong into the chain of {k:?}");
            ensure!(
                group.next.is_some() || e.chain.is_some_and(|c| c.last == r),
                "dtbl-I6: LAGEI of {k:?} is not {r:?}"
            );
            walked += 1;
            ensure!(walked <= waiting, "dtbl-I5: the chain of {k:?} is longer than its {waiting} waiting groups");
            at = group.next.map(|(next, _)| next);
        }
        ensure!(walked == waiting, "dtbl-I5: {walked} of {waiting} waiting groups of {k:?} are in its chain");
    }
    Ok(())
}

/// dtbl-I15: what was fetched ahead is in line behind what is being sent, and nothing was followed beyond a record that is not here;
/// and dtbl-T4a: no further ahead than the scheduler may look.
fn check_load_buffer<T: Tables>(gpu: &FrontEnd<T>) -> Result<(), String> {
    let config = gpu.config();
    let buffer = gpu.load_buffer().collect::<Vec<_>>();
    let places = config.load_ahead as usize;
    ensure!(buffer.len() <= places, "dtbl-T4a: {buffer:?} are in {places} places");
    let is_here = |load| match load {
        Load::NotAsked => false,
        Load::Waiting(at) => config.load_mode == LoadMode::Fixed && at <= gpu.now(),
        Load::Here => true,
    };
    let is_spilled = |r| matches!(gpu.group_location(r), Some(GroupRef::Record(_)));
    let mut in_line = 0;
    for (k, e) in gpu.fcfs().filter_map(|k| Some((k, gpu.kde(k)?))) {
        let next_of = |r: &RecordId| gpu.record(*r)?.group()?.next.map(|(next, _)| next);
        let chain = std::iter::successors(e.chain.map(|c| c.next), next_of);
        let sent = e.cursor().and_then(|c| Some((c.group?, c.load)));
        let mut followed = sent.is_none_or(|(r, load)| !is_spilled(r) || is_here(load));
        for (ahead, r) in chain.filter(|&r| sent.is_none_or(|(sent, _)| r != sent)).enumerate() {
            let mut found = buffer.iter().filter(|(record, _)| *record == r);
            match found.next() {
                None => followed &= !is_spilled(r),
                Some(&(_, load)) => {
                    ensure!(is_spilled(r), "dtbl-I15: {r:?} of {k:?} is on chip and in the load buffer");
                    ensure!(followed, "dtbl-I15: {r:?} of {k:?} was fetched through a record that is not here");
                    ensure!(ahead < places, "dtbl-T4a: {r:?} is {ahead} groups behind the next one of {k:?}");
                    ensure!(load != Load::NotAsked, "dtbl-T4a: {r:?} has a place and was not asked for");
                    followed = is_here(load);
                    in_line += 1;
                }
            }
            ensure!(found.next().is_none(), "dtbl-I15: {r:?} is in the load buffer twice");
        }
    }
    ensure!(in_line == buffer.len(), "dtbl-I15: of {buffer:?} only {in_line} are in line");
    Ok(())
}

/// dtbl-I9.
fn check_queues<T: Tables>(gpu: &FrontEnd<T>) -> Result<(), String> {
    let suspended = || (0..gpu.config().susp_cap as u8).filter_map(|i| gpu.suspended(SuspId(i)));
    for q in (0..gpu.config().n_hwq as u8).map(HwqId) {
        let from = |source: Source| source == Source::Hwq(q);
        let in_kd = gpu.kdes().filter(|(_, e)| from(e.kernel.source)).count();
        let owners = in_kd + suspended().filter(|s| from(s.kernel.source)).count();
        let busy = gpu.hwq(q).is_some_and(|h| h.busy);
        ensure!(owners == usize::from(busy), "dtbl-I9: {q:?} busy {busy}, {owners} kernels");
    }
    ensure!(suspended().all(|s| s.kernel.saved > 0), "dtbl-S1: a suspended kernel has no saved TB");
    Ok(())
}

/// The parts: one residency and one mask (frontend-I1), and the invariants of their own sheets.
fn check_parts<T: Tables>(gpu: &FrontEnd<T>) -> Result<(), String> {
    gpu.validate().map_err(|broken| broken.to_string())?;
    let (config, view) = (gpu.config(), View::of(gpu));
    ensure!(view.laperm.is_some() == config.laperm().is_some(), "a part that is off has state");
    ensure!(view.bubble.is_some() == config.bubble.is_some(), "a part that is off has state");
    if let (Some(part), Some(laperm)) = (&config.laperm(), &view.laperm) {
        check_laperm(config, part, laperm, &view)?;
    }
    if let Some(bubble) = &view.bubble {
        check_state(bubble, false)?;
        ensure!(bubble.eligible.words() == view.eligible, "frontend-C1: the mask is {:?}", view.eligible);
        for (s, smx) in bubble.each() {
            let Resources { threads, regs, smem, slots } = smx.free;
            let here = view.tbs.iter().filter(|tb| tb.smx == s).count() as u32;
            ensure!([slots, threads, regs, smem] == view.smxs[s.index()], "frontend-I1: {s:?} has {:?}", smx.free);
            ensure!(smx.resident.tbs == here, "frontend-I1: {s:?} has {here} TBs, {:?}", smx.resident);
        }
        let warps = bubble.smxs.iter().map(|smx| smx.resident.warps).sum::<u32>();
        ensure!(warps == view.warps, "frontend-I1: {warps} warps of {}", view.warps);
    }
    if let Some((dgb, owner)) = &view.dgb {
        check_graphs(&view, dgb, *owner)?;
    }
    Ok(())
}

/// One graph at a time, whose kernel has the buffer; its resident TBs are the executing nodes (frontend-I5).
fn check_graphs(view: &View, dgb: &DgbView, owner: Option<KernelSlot>) -> Result<(), String> {
    let of = |k: &KernelSlot| view.kdes.get(k).and_then(|e| e.graph);
    let is_open = |graph| !matches!(graph, GraphState::Finished | GraphState::Aborted);
    let open = view.kdes.keys().copied().filter(|k| of(k).is_some_and(is_open)).collect::<Vec<_>>();
    ensure!(open == owner.into_iter().collect::<Vec<_>>(), "frontend-I5: {open:?} have graphs, {owner:?} the buffer");
    let running = owner.filter(|k| of(k) == Some(GraphState::Running));
    ensure!(running.is_some() == (dgb.phase == dats::Phase::Running), "frontend-I5: {running:?}, {:?}", dgb.phase);
    let faulted = owner.filter(|k| of(k) == Some(GraphState::Faulted));
    let in_fault = matches!(dgb.phase, dats::Phase::Faulted { .. });
    ensure!(faulted.is_some() == in_fault, "frontend-F3: {faulted:?}, {:?}", dgb.phase);
    if let Some(k) = running {
        let here = view.tbs.iter().filter(|tb| tb.kde == k);
        let mut here = here.map(|tb| tb.blkid).collect::<Vec<_>>();
        here.sort_unstable();
        let executing = dgb.resident.iter().filter(|r| r.state == NodeState::Executing);
        let executing = executing.map(|r| u32::from(r.node.0)).collect::<Vec<_>>();
        ensure!(here == executing, "frontend-I5: {here:?} reside, {executing:?} execute");
    }
    let nodes = view.tbs.iter().filter(|tb| tb.tb_ref == TbRef::Node);
    ensure!(nodes.into_iter().all(|tb| of(&tb.kde).is_some()), "frontend-T4g: a node of a kernel without a graph");
    Ok(())
}

/// `laperm` 3, 5, 6, and that LaPerm's units are those of the kernels and groups (frontend-I4).
fn check_laperm(config: &Config, part: &LaPermPart, laperm: &LaPermView, view: &View) -> Result<(), String> {
    let alone = part.machine(config);
    let of_groups = part.model == laperm::Model::Dtbl;
    let cap = |of_groups_cap: u32| if of_groups { of_groups_cap } else { config.n_kde } as usize;
    let pool = if of_groups { part.pool_cap } else { 0 } as usize;
    ensure!(laperm.queues.len() == alone.units() as usize, "U: {} queues", laperm.queues.len());
    for (u, (queue, overflow)) in laperm.queues.iter().zip(&laperm.overflow).enumerate() {
        ensure!(queue.len() <= cap(part.queue_cap), "laperm-I3: unit {u} holds {} entries", queue.len());
        ensure!(overflow.is_empty() || queue.len() == cap(part.queue_cap), "laperm-I3: overflow of unit {u}");
        for list in [queue, overflow] {
            ensure!(list.is_sorted_by(|a, b| a.section >= b.section), "laperm-I3: unit {u} is not sorted");
        }
    }
    ensure!(laperm.queue0.len() <= cap(part.q0_cap), "laperm-I3: queue 0");
    let in_memory = laperm.overflow.iter().map(Vec::len).sum::<usize>();
    ensure!(in_memory + laperm.pool_free as usize == pool, "laperm-I5: {in_memory} of {pool} places are taken");
    for (s, backup) in laperm.backups.iter().enumerate() {
        let own = alone.unit_of(SmxId::from_index(s));
        ensure!(backup.unit.is_none_or(|u| u != own), "laperm-I6: SMX {s} is its own backup");
        ensure!(u32::from(backup.run) <= part.backup_limit, "laperm-R8: a run of {}", backup.run);
    }
    let held = laperm.queues.iter().chain([&laperm.queue0]).chain(&laperm.overflow).flatten().collect::<Vec<_>>();
    ensure!(held.iter().all(|u| u.next < u.tbs), "laperm-R9: an entry without TBs");
    let mut owed = Vec::new();
    for e in view.kdes.values().filter(|e| e.arrives.is_none() && e.graph.is_none()) {
        let left = e.saved.0 - e.saved.1 + (e.total - e.next_native);
        if left > 0 {
            let has = held.iter().any(|u| u.tag == e.tag && u.tbs - u.next == left);
            ensure!(has, "frontend-I4: {left} native TBs of {} are not held", e.tag);
            owed.push((e.tag, e.prio));
        }
    }
    let waits = |r: &&RecordView| matches!(r.state, RecordStateView::Grp { dist: false, .. });
    owed.extend(view.records.values().filter(waits).map(|r| (r.tag, r.prio)));
    let mut units = held.iter().map(|u| (u.tag, u.prio)).collect::<Vec<_>>();
    units.sort_unstable();
    owed.sort_unstable();
    ensure!(units == owed, "frontend-I4: LaPerm holds {units:?}, owed are {owed:?}");
    Ok(())
}

/// Idle means nothing owned anywhere, and the status says who must act (frontend-Q1, frontend-I11).
fn check_idle<T: Tables>(gpu: &FrontEnd<T>, tbs: &[TbView]) -> Result<(), String> {
    let config = gpu.config();
    let queued = (0..config.n_hwq as u8).filter_map(|q| gpu.hwq(HwqId(q))).any(|q| q.len > 0 || q.busy);
    let suspended = (0..config.susp_cap as u8).any(|i| gpu.suspended(SuspId(i)).is_some());
    let owned = queued || suspended || gpu.kdes().next().is_some() || gpu.records_in_use() > 0 || !tbs.is_empty();
    let status = gpu.status();
    ensure!(owned != (status == Status::Drained), "frontend-Q1: {status:?} while something is owned: {owned}");
    ensure!(gpu.is_idle() != owned, "frontend-Q1: false idle");
    let next = gpu.next_event();
    ensure!(next.is_none_or(|t| t >= gpu.now()), "frontend-O4: the next event {next:?} is past");
    let loading = gpu.fcfs().filter_map(|k| gpu.kde(k)).any(|e| e.chain.is_some());
    if status == Status::Running {
        // A kernel that matures while every entry is held changes the status, and decides nothing.
        let records = (0..config.pend_limit).filter_map(|r| gpu.record(RecordId(r)));
        let matures = records.into_iter().any(|r| r.state == RecordState::Dev && r.key.ready > gpu.now());
        let refills = !loading_units(gpu).is_empty();
        let goes_on = !tbs.is_empty() || next.is_some() || loading || matures || refills;
        ensure!(goes_on, "frontend-Q1: running, but nothing brings it on");
    } else {
        // A spilled group at the head is asked for even where no SMX may take it; samples go on for ever.
        let expected = next.is_none() || loading || config.bubble.is_some();
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
    /// The nodes of its graph that were sent.
    nodes: BTreeSet<u32>,
    aborted: bool,
}

/// The books of a run: dtbl-I10 (each TB once, in order; each launch ends once), dtbl-I13 (only the FIFO's head sends), join order
/// (dtbl-I5) and one TB per cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    accounts: BTreeMap<u64, Account>,
    /// Who arrived last in an entry.
    kernels: BTreeMap<KernelSlot, u64>,
    bubble: Option<Watch>,
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
            TbRef::Group(at) => {
                let tag_at =
                    |(r, g): (RecordId, gpusched::GroupView)| (gpu.group_location(r) == Some(at)).then_some(g.tag);
                let on_chip = gpu.agt().map(|(_, g)| (g.record, g));
                on_chip.chain(gpu.spilled()).find_map(tag_at)
            }
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

    fn open(&mut self, d: &Descriptor) {
        let total = d.grid.x * d.grid.y * d.grid.z;
        let former = self.accounts.insert(d.tag, Account { total, ..Account::default() });
        debug_assert!(former.is_none(), "tags of a checked run are unique");
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
            Event::HostLaunch { descriptor, .. } | Event::HostLaunchGraph { descriptor, .. } => self.open(descriptor),
            Event::DeviceLaunch { kernels, .. } => kernels.iter().for_each(|d| self.open(d)),
            Event::AggLaunch { groups, .. } => groups.iter().for_each(|g| self.open(&g.descriptor)),
            Event::TbDone { .. } => {
                let ended = before.tbs.iter().find(|(tb, _)| Event::end_of(tb) == *event);
                let (_, tag) = ended.ok_or("dtbl-D1: a TB ended that was not there")?;
                self.account(*tag)?.ended += 1;
            }
            _ => {}
        }
        let by_laperm = gpu.config().laperm().is_some();
        if by_laperm {
            check_units_told(gpu, answer)?;
        }
        if let Some(part) = &gpu.config().bubble {
            let watch = self.bubble.get_or_insert_with(|| Watch::new(&part.machine(gpu.config())));
            answer.samples.iter().try_for_each(|(_, sample)| watch.note_sample(sample))?;
            let view = View::of(gpu).bubble.ok_or("the controller is gone")?;
            check_state(&view, false)?;
        }
        let mut fifo = before.fifo.clone();
        let mut last_tb = None;
        for &(at, decision) in &answer.decisions {
            ensure!(at >= before.now, "dtbl-S4: {decision:?} at {at:?}, before {:?}", before.now);
            match decision {
                Decision::Arrive { kde, tag } => {
                    self.kernels.insert(kde, tag);
                    if !by_laperm {
                        fifo.push(kde);
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
                    if !by_laperm && !fifo.contains(&kde) {
                        fifo.push(kde);
                    }
                }
                Decision::Unmark { kde } => fifo.retain(|&k| k != kde),
                Decision::Rotate { kde } => {
                    ensure!(fifo.first() == Some(&kde), "dtbl-H11: {kde:?} rotates from behind the head");
                    fifo.rotate_left(1);
                }
                Decision::Suspend { kde, .. } => fifo.retain(|&k| k != kde),
                Decision::Saved { tb_ref, smx, slot, .. } => {
                    ensure!(!matches!(tb_ref, TbRef::Group(_)), "dtbl-S1: a group's TB is saved");
                    let saved = before.tbs.iter().find(|(tb, _)| (tb.smx, tb.slot) == (smx, slot));
                    let (_, tag) = saved.ok_or("dtbl-S1: a TB is saved that was not there")?;
                    self.account(*tag)?.saved += 1;
                }
                Decision::Tb(tb) => {
                    ensure!(last_tb != Some(at), "a second TB in cycle {at:?}");
                    last_tb = Some(at);
                    let passes = gpu.stats().passed > before.passed;
                    ensure!(
                        by_laperm || passes || fifo.first() == Some(&tb.kde),
                        "dtbl-I13: {tb:?} overtakes {fifo:?}"
                    );
                    let account = self.account(tb.tag)?;
                    if tb.tb_ref == TbRef::Node {
                        ensure!(account.nodes.insert(tb.blkid), "frontend-I3: {tb:?} was sent before");
                        ensure!(tb.blkid < account.total, "frontend-I3: {tb:?} is beyond its graph");
                        ensure!(!account.aborted, "frontend-F6: {tb:?} after the abort");
                        account.sent += 1;
                    } else if tb.tb_ref == TbRef::Restored {
                        account.restored += 1;
                        ensure!(account.restored <= account.saved, "dtbl-I10: {tb:?} was restored before");
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
