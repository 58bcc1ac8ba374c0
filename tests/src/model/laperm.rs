//! The model's LaPerm (frontend-T1p, frontend-T2, frontend-T3p, frontend-T4p): a whole machine of that sheet, given the calls that
//! frontend-E2 names. An entry's tag there is a [`Unit`] here.

use gpusched::laperm::{Dispatch, Model as Kind, Placed, Policy as Order, Reason, Tick, Work};
use gpusched::{
    Config, Cycle, Decision, Descriptor, Fault, LaPermPart, Resources, Sched, SmxId, TbPlacement, UnitPlace,
};

use super::gates::Head;
use super::{Held, Key, Model, Ref, tbs_of, threads_of};
use crate::laperm::event::{Answer, Event};
use crate::laperm::model::Gates;
use crate::laperm::view::EntryView;

/// What LaPerm holds as one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// The native TBs of an entry.
    Natives(usize),
    /// The group of a record.
    Group(usize),
}

const GROUP: u64 = 1 << 32;

impl Unit {
    fn tag(self) -> u64 {
        match self {
            Self::Natives(k) => k as u64,
            Self::Group(r) => r as u64 + GROUP,
        }
    }

    pub(super) fn of(tag: u64) -> Self {
        if tag < GROUP { Self::Natives(tag as usize) } else { Self::Group((tag - GROUP) as usize) }
    }
}

/// The gates as a visit sees them (frontend-T4p).
impl Gates for Model {
    fn masks(&self, s: usize) -> bool {
        !self.eligible(s) || self.closed_x(s, 0)
    }

    fn hides(&self, s: usize, work: &Work) -> bool {
        self.config.pass_capped && self.closed_k(self.descriptor_of(Unit::of(work.tag)), s, 0)
    }

    fn excludes(&self, s: usize, work: &Work) -> bool {
        let d = self.descriptor_of(Unit::of(work.tag));
        self.closed_m(d, 0, s) || self.closed_k(d, s, 0)
    }
}

/// The machine of the sheet that the front end drives (frontend-E2): it knows of kernels and groups only that they are there.
pub(super) fn machine(config: &Config, part: &LaPermPart) -> gpusched::laperm::Config {
    let all = part.machine(config);
    match part.model {
        Kind::Dtbl => all,
        // As many kernels as there are entries; the others wait in their records.
        Kind::Cdp => gpusched::laperm::Config {
            model: Kind::Dtbl,
            queue_cap: config.n_kde,
            q0_cap: config.n_kde,
            pool_cap: 0,
            charge_insert: false,
            ..all
        },
    }
}

/// What a TB takes.
pub(super) fn resources(d: &Descriptor) -> Resources {
    Resources { threads: threads_of(d), regs: d.regs, smem: d.smem, slots: 1 }
}

impl Model {
    pub(super) fn descriptor_of(&self, unit: Unit) -> &Descriptor {
        match unit {
            Unit::Natives(k) => &self.kde(k).kernel.descriptor,
            Unit::Group(r) => &self.record(r).descriptor,
        }
    }

    /// What the host calls a unit.
    pub(super) fn tag_of(&self, unit: Unit) -> u64 {
        self.descriptor_of(unit).tag
    }

    /// A call to LaPerm in this cycle. The front end makes none that LaPerm refuses.
    fn laperm(&mut self, event: &Event) -> Answer {
        let laperm = self.laperm.as_mut().expect("the policy is LaPerm");
        laperm.apply(event).expect("the front end makes no call that LaPerm refuses")
    }

    /// frontend-T2, frontend-T3p: a unit is queued. `child` is the SMX of its parent, and its own priority.
    fn queue(&mut self, unit: Unit, tbs: u32, child: Option<(u32, u32)>) {
        // policy-P12: a host's line of units is all that there is.
        if self.laperm.is_none() {
            return;
        }
        let d = *self.descriptor_of(unit);
        let (now, tag, res) = (Cycle(self.now), unit.tag(), resources(&d));
        let event = match child {
            None => Event::PushHost { now, tag, tbs, res },
            // LaPerm asks for the priority of the parent, which is one less, or also L.
            Some((psmx, prio)) => {
                let (parent_smx, parent_prio) = (SmxId(psmx as u16), (prio - 1) as u8);
                Event::PushChild { now, tag, tbs, res, parent_smx, parent_prio }
            }
        };
        let Answer::Placed(placed) = self.laperm(&event) else { unreachable!("a push is placed") };
        let (place, unit, level, evicted) = match placed {
            Placed::Queue0 { .. } => (UnitPlace::Queue0, None, 0, None),
            Placed::OnChip { unit, level, evicted, .. } => (UnitPlace::OnChip, Some(unit), level, evicted),
            Placed::Spilled { unit, level } => (UnitPlace::Spilled, Some(unit), level, None),
            Placed::Pending { .. } => unreachable!("the front end's LaPerm is that of groups"),
        };
        let evicted = evicted.map(|tag| self.tag_of(Unit::of(tag)));
        self.emit(Decision::Place { tag: d.tag, place, unit, level, evicted });
    }

    /// frontend-T2: the natives of a kernel that arrived; of a resumed one those that were saved, too.
    pub(super) fn queue_natives(&mut self, k: usize) {
        let kernel = self.kde(k).kernel.clone();
        self.kde_mut(k).pend = 1;
        let tbs = kernel.saved + tbs_of(&kernel.descriptor) - kernel.next_native;
        self.queue(Unit::Natives(k), tbs, kernel.psmx.map(|psmx| (psmx, kernel.prio)));
    }

    /// frontend-T3p: a group that joined.
    pub(super) fn queue_group(&mut self, r: usize) {
        let (k, record) = (self.group(r).kde, self.record(r).clone());
        self.kde_mut(k).pend += 1;
        self.queue(Unit::Group(r), tbs_of(&record.descriptor), Some((record.psmx, record.prio)));
    }

    /// frontend-F5: the natives of a kernel that is suspended.
    pub(super) fn withdraw_natives(&mut self, k: usize) {
        let Some(laperm) = &mut self.laperm else { return };
        if let Some(refill) = laperm.withdraw(self.now, Unit::Natives(k).tag()) {
            self.emit(Decision::Refill { tag: self.tag_of(Unit::of(refill)) });
        }
    }

    /// The TB ended, or was saved.
    pub(super) fn laperm_ended(&mut self, s: usize, d: &Descriptor) {
        if self.laperm.is_some() {
            let (now, smx) = (Cycle(self.now), SmxId(s as u16));
            self.laperm(&Event::TbDone { now, smx, res: resources(d), kde: None });
        }
    }

    // ---- frontend-T1p

    /// Whether the KMU goes by LaPerm's order.
    pub(super) fn kmu_by_laperm(&self) -> bool {
        self.config.laperm().is_some_and(|c| c.model == Kind::Cdp)
    }

    /// The candidate that the KMU takes, by position and number as in dtbl-T1, and the levels searched.
    pub(super) fn t1p_choose(&mut self) -> ((usize, usize), u64) {
        let c = self.config.laperm().expect("the policy is LaPerm");
        let levels = u64::from(c.levels);
        let (n_hwq, mut device, mut host) = (self.queues.len(), Vec::new(), Vec::new());
        for (q, queue) in self.queues.iter().enumerate().filter(|(q, _)| !self.busy[*q]) {
            let head = queue.front().filter(|head| head.graph.is_none() || !self.is_dgb_taken());
            host.extend(head.map(|head| (head.key, (q, q))));
        }
        for (r, record) in self.records.iter().enumerate() {
            let Some(record) = record else { continue };
            if matches!(record.state, Held::Dev) && record.key.0 <= self.now {
                device.push((record.key, (n_hwq, r), record.psmx, record.prio));
            }
        }
        for (i, entry) in self.suspended.iter().enumerate() {
            let Some(entry) = entry else { continue };
            let Some(key) = entry.resumed else { continue };
            match entry.kernel.psmx {
                Some(psmx) => device.push((key, (n_hwq + 1, i), psmx, entry.kernel.prio)),
                None => host.push((key, (n_hwq + 1, i))),
            }
        }
        let least = |all: Vec<(Key, (usize, usize))>| all.into_iter().min().expect("there is a candidate").1;
        if c.policy == Order::Rr {
            let all = device.iter().map(|&(key, place, ..)| (key, place)).chain(host).collect();
            return (least(all), 0);
        }
        if device.is_empty() {
            return (least(host), levels);
        }
        let laperm = self.laperm.as_ref().expect("the policy is LaPerm");
        let n = laperm.units();
        let units = (0..n).map(|i| (self.kptr + i) % n);
        let lies_in = |u: usize, psmx: u32| laperm.unit_of(psmx as usize) == u;
        let u = units.into_iter().find(|&u| device.iter().any(|&(_, _, psmx, _)| lies_in(u, psmx)));
        let u = u.expect("every SMX lies in a unit");
        device.retain(|&(_, _, psmx, _)| lies_in(u, psmx));
        let p = device.iter().map(|&(.., prio)| prio).max().expect("it has one");
        device.retain(|&(.., prio)| prio == p);
        self.kptr = (u + 1) % n;
        (least(device.into_iter().map(|(key, place, ..)| (key, place)).collect()), levels - u64::from(p) + 1)
    }

    // ---- frontend-T4p

    pub(super) fn t4_laperm(&mut self) -> Sched {
        let mut laperm = self.laperm.take().expect("the policy is LaPerm");
        let ticked = laperm.apply_gated(&Event::Tick { now: Cycle(self.now) }, self);
        self.laperm = Some(laperm);
        let word = match ticked {
            Ok(Answer::Tick(Tick::Dispatch(sent))) => return Sched::Tb(self.sent_by_laperm(&sent)),
            Ok(Answer::Tick(Tick::Stall(stall))) => match stall.reason {
                Reason::NoWork => Sched::Idle,
                Reason::NoFit => Sched::NoFit,
                Reason::NoCandidate => Sched::NoCandidate,
                Reason::Masked => Sched::Masked,
            },
            other => unreachable!("a tick in a new cycle answers {other:?}"),
        };
        // frontend-A6: the graph takes the cycles that LaPerm leaves.
        let Some(k) = self.unsent_graph() else { return word };
        match self.try_graph(k, &self.all()) {
            Ok(tb) => {
                let res = resources(&self.kde(k).kernel.descriptor);
                self.laperm.as_mut().expect("the policy is LaPerm").occupy(usize::from(tb.smx.0), &res);
                Sched::Tb(tb)
            }
            Err(of_graph) if word == Sched::Idle => of_graph,
            Err(_) => word,
        }
    }

    fn sent_by_laperm(&mut self, sent: &Dispatch) -> TbPlacement {
        let s = usize::from(sent.smx.0);
        let placement = self.send_of_unit(Unit::of(sent.tag), s, sent.tb, u32::from(sent.prio), sent.last);
        self.emit(Decision::Lap { stage: sent.stage, prio: sent.prio });
        if let Some(refill) = sent.refill {
            self.emit(Decision::Refill { tag: self.tag_of(Unit::of(refill)) });
        }
        placement
    }

    /// The next TB of a unit that is held by itself starts; `tb` counts those of a group.
    pub(super) fn send_of_unit(&mut self, unit: Unit, s: usize, tb: u32, prio: u32, is_last: bool) -> TbPlacement {
        let (k, part, blkid) = match unit {
            Unit::Natives(k) => {
                let kde = self.kde_mut(k);
                if kde.restored < kde.kernel.saved {
                    kde.restored += 1;
                    (k, Ref::Restored, kde.restored - 1)
                } else {
                    kde.kernel.next_native += 1;
                    // Only a unit in pieces is not sent in order, and only a host has it so.
                    let blkid = if self.natives_are_in_pieces(k) { tb } else { self.kde(k).kernel.next_native - 1 };
                    (k, Ref::Native, blkid)
                }
            }
            Unit::Group(r) => {
                self.group_mut(r).exe += 1;
                (self.group(r).kde, Ref::Group(r), tb)
            }
        };
        let placement = self.place(k, s, part, blkid, prio);
        if is_last {
            self.kde_mut(k).pend -= 1;
            if let Unit::Group(r) = unit {
                self.group_mut(r).dist = true;
            }
        }
        placement
    }

    /// laperm-R14: the first unit of the host's tag that is being loaded. Its own tag there is another one.
    pub(super) fn refilled(&mut self, tag: u64) -> Result<(), Fault> {
        let view = self.laperm.as_ref().ok_or(Fault::NoLoad)?.view();
        let loading = crate::laperm::view::loading(&view).find(|&unit| self.tag_of(Unit::of(unit)) == tag);
        self.laperm(&Event::Refilled { now: Cycle(self.now), tag: loading.ok_or(Fault::NoLoad)? });
        Ok(())
    }

    /// frontend-Q1: whether a visit would send a TB.
    pub(super) fn laperm_could_send(&self) -> bool {
        let laperm = self.laperm.as_ref().expect("the policy is LaPerm");
        (0..self.tbcr.len()).any(|s| laperm.would_send(s, self.now, self))
            || self.unsent_graph().is_some_and(|k| self.sendable_node().is_ok() && self.takes(k, &self.all()))
    }

    /// frontend-Q1: whether LaPerm holds units, and whether one of them is on its way to the chip.
    pub(super) fn laperm_units(&self) -> (bool, bool) {
        let Some(laperm) = &self.laperm else { return (false, false) };
        let view = laperm.view();
        let on_chip = || view.queues.iter().flatten();
        let loading = on_chip().any(|e| e.ready_at.is_none_or(|at| at.0 > self.now));
        (on_chip().chain(view.off_chip.iter().flatten()).next().is_some(), loading)
    }

    /// frontend-O4: whether a unit on chip is loaded in this cycle.
    pub(super) fn is_loaded_now(&self) -> bool {
        let Some(laperm) = &self.laperm else { return false };
        laperm.view().queues.iter().flatten().any(|e| e.ready_at == Some(Cycle(self.now)))
    }

    /// frontend-C2's heads: queue by queue what SMXs see, then the graph.
    pub(super) fn laperm_heads(&self, start: usize) -> Vec<Head> {
        let laperm = self.laperm.as_ref().expect("the policy is LaPerm");
        let mut heads = Vec::new();
        let visible = |e: &EntryView| e.ready_at.is_some_and(|at| at.0 <= self.now);
        for place in laperm.places_from(start) {
            let queue = laperm.queue(place);
            for (i, e) in queue.iter().enumerate().filter(|(_, e)| visible(e)) {
                // It is left the SMXs from which all before it in its section are hidden, and of each section above either all or
                // those before one that is being loaded.
                let is_left = |s: &usize| {
                    let mut shown = queue[..i].iter().filter(|b| !self.hides(*s, &b.work));
                    let mut sections = Vec::new();
                    shown.all(|b| {
                        let is_first = !sections.contains(&b.section);
                        sections.push(b.section);
                        b.section != e.section && (!is_first || !visible(b))
                    })
                };
                let left = laperm.allowed(place).into_iter().filter(is_left).collect::<Vec<_>>();
                let d = *self.descriptor_of(Unit::of(e.work.tag));
                let is_taken = left.iter().any(|&s| self.obstacle_of(&d, s).is_none());
                heads.push(Head { tag: d.tag, d, left, entry: None });
                if is_taken {
                    break;
                }
            }
        }
        if let Some(k) = self.unsent_graph().filter(|_| self.sendable_node().is_ok()) {
            let d = self.kde(k).kernel.descriptor;
            heads.push(Head { tag: d.tag, d, left: self.all(), entry: None });
        }
        heads
    }
}
