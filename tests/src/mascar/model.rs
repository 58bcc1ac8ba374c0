//! The sheet's rules in the plainest way: lists that are sorted, no masks, no counts that could disagree with what is counted.

use std::collections::{BTreeMap, VecDeque};

use gpusched::mascar::{
    Action, Entry, Granted, Head, Issue, Kind, Lookup, MascarConfig, Mode, Next, Order, Pick, Pipe, Presented,
    Priority, Released, Reply, Request, Saturation, Via, WarpId, Why,
};
use gpusched::{Cycle, Fault};

use super::{Answer, Event, LsuState, LsuView, Machine, View};

/// A resident warp.
#[derive(Clone, Debug, Default, PartialEq)]
struct Warp {
    age: u64,
    head: Head,
    wst_mem: bool,
    wst_stall: bool,
    /// Unstalled at the last pick, not issued, head unchanged.
    in_ready: bool,
    leftover: bool,
}

/// A memory instruction in the LSU.
#[derive(Clone, Debug, PartialEq)]
struct Instruction {
    warp: WarpId,
    dst: u8,
    nreq: u32,
    left: u32,
}

#[derive(Clone, Debug, PartialEq)]
enum Lsu {
    Idle,
    Await(WarpId),
    Busy(Instruction),
    /// With the held request, and what was presented since it blocked.
    Blocked(Instruction, Request, Vec<Presented>),
}

/// The machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    config: MascarConfig,
    flags: Vec<bool>,
    warps: BTreeMap<WarpId, Warp>,
    started: u64,
    owner: Option<(WarpId, u64)>,
    barred: Option<WarpId>,
    last: Vec<Option<WarpId>>,
    lsu: Lsu,
    presented: Option<Presented>,
    /// New requests presented while the queue was not empty, since its head was.
    passed: u64,
    rexq: VecDeque<Entry>,
    picked: Option<u64>,
    /// Requests begun, and requests that left as accepted or popped.
    begun: u64,
    done: u64,
}

/// A scheduler's candidates in order.
struct Lists {
    mem: Vec<WarpId>,
    comp: Vec<WarpId>,
}

impl Model {
    /// A machine of a configuration within its ranges.
    #[must_use]
    pub fn new(config: &MascarConfig) -> Self {
        Self {
            config: *config,
            flags: vec![false; config.sources.caches().len()],
            warps: BTreeMap::new(),
            started: 0,
            owner: None,
            barred: None,
            last: vec![None; config.schedulers as usize],
            lsu: Lsu::Idle,
            presented: None,
            passed: 0,
            rexq: VecDeque::new(),
            picked: None,
            begun: 0,
            done: 0,
        }
    }

    /// Requests begun = accepted + popped + left in the LSU + in the queue.
    #[must_use]
    pub fn accounts_for_every_request(&self) -> bool {
        self.begun == self.done + self.left() + self.rexq.len() as u64
    }

    fn left(&self) -> u64 {
        match &self.lsu {
            Lsu::Idle | Lsu::Await(_) => 0,
            Lsu::Busy(i) | Lsu::Blocked(i, ..) => i.left.into(),
        }
    }

    fn is_mp(&self) -> bool {
        self.config.enable && self.flags.contains(&true)
    }

    fn mode(&self) -> Mode {
        if self.is_mp() { Mode::Mp } else { Mode::Ep }
    }

    fn in_lsu(&self) -> Option<WarpId> {
        match &self.lsu {
            Lsu::Idle => None,
            Lsu::Await(w) => Some(*w),
            Lsu::Busy(i) | Lsu::Blocked(i, ..) => Some(i.warp),
        }
    }

    fn blocker(&self) -> Option<WarpId> {
        if let Lsu::Blocked(i, ..) = &self.lsu { Some(i.warp) } else { None }
    }

    fn has_entry(&self, w: WarpId) -> bool {
        self.rexq.iter().any(|entry| entry.warp == w)
    }

    fn owns(&self, w: WarpId) -> bool {
        self.owner.is_some_and(|(owner, _)| owner == w)
    }

    // ---- warp events

    fn exists(&self, w: WarpId) -> Result<(), Fault> {
        if u32::from(w.0) < self.config.warps { Ok(()) } else { Err(Fault::BadWarp) }
    }

    fn warp(&mut self, w: WarpId) -> Result<&mut Warp, Fault> {
        self.exists(w)?;
        self.warps.get_mut(&w).ok_or(Fault::WarpNotResident)
    }

    fn start(&mut self, w: WarpId) -> Result<u64, Fault> {
        self.exists(w)?;
        if self.warps.contains_key(&w) {
            return Err(Fault::WarpResident);
        }
        let age = self.started;
        self.started += 1;
        self.warps.insert(w, Warp { age, ..Warp::default() });
        Ok(age)
    }

    fn exit(&mut self, w: WarpId) -> Result<bool, Fault> {
        self.warp(w)?;
        if self.has_entry(w) || self.in_lsu() == Some(w) {
            return Err(Fault::WarpHasRequests);
        }
        self.warps.remove(&w);
        let owned = self.owns(w);
        if owned {
            self.owner = None;
        }
        if self.barred == Some(w) {
            self.barred = None;
        }
        Ok(owned)
    }

    fn set_head(&mut self, w: WarpId, kind: Option<Kind>, ready: bool, dep_load: bool) -> Result<(), Fault> {
        let warp = self.warp(w)?;
        let kind = kind.ok_or(Fault::BadHead)?;
        let instruction = matches!(kind, Kind::Alu | Kind::Mem);
        if (ready && dep_load) || (!instruction && (ready || dep_load)) {
            return Err(Fault::BadHead);
        }
        let head = Head { kind, ready, dep_load };
        if warp.head != head {
            // mascar-M4.
            (warp.head, warp.in_ready, warp.leftover) = (head, false, false);
        }
        Ok(())
    }

    // ---- M

    fn l1_state(&mut self, src: usize, mshr: u32, missq: u32) -> Result<Saturation, Fault> {
        let cache = *self.config.sources.caches().get(src).ok_or(Fault::BadSource)?;
        if mshr > cache.mshr || missq > cache.missq {
            return Err(Fault::BadOccupancy);
        }
        let before = self.is_mp();
        if !self.flags[src] && (mshr >= cache.mshr_sat || missq >= cache.missq_sat) {
            self.flags[src] = true;
        } else if self.flags[src] && mshr < cache.mshr_clear && missq < cache.missq_clear {
            self.flags[src] = false;
        }
        if !before && self.is_mp() {
            for warp in self.warps.values_mut() {
                warp.leftover = warp.in_ready && warp.head.kind == Kind::Mem;
            }
        }
        if before && !self.is_mp() {
            (self.owner, self.barred) = (None, None);
            for warp in self.warps.values_mut() {
                (warp.leftover, warp.wst_stall) = (false, false);
            }
        }
        Ok(Saturation { flag: self.flags.contains(&true), mode: self.mode() })
    }

    // ---- P

    fn memory_ready(&self, w: WarpId) -> bool {
        let head = self.warps[&w].head;
        head.kind == Kind::Mem && head.ready && !self.has_entry(w)
    }

    fn compute_ready(&self, w: WarpId) -> bool {
        let head = self.warps[&w].head;
        head.kind == Kind::Alu && head.ready
    }

    fn waits(&self, w: WarpId) -> bool {
        self.memory_ready(w) || self.has_entry(w) || self.in_lsu() == Some(w)
    }

    fn is_clear(&self, w: WarpId) -> bool {
        !self.config.relinquish_waits || !(self.has_entry(w) || self.in_lsu() == Some(w))
    }

    /// mascar-P1: why the owner would give up at `now`.
    fn why_release(&self, now: u64) -> Option<Why> {
        let (o, since) = self.owner?;
        let head = self.warps[&o].head;
        let timeout = u64::from(self.config.owner_timeout);
        if head.dep_load && self.is_clear(o) {
            return Some(Why::Dep);
        }
        if head.kind == Kind::Sync && self.config.relinquish_sync && self.is_clear(o) {
            return Some(Why::Sync);
        }
        if timeout > 0 && now - since >= timeout && self.warps.keys().any(|&w| w != o && self.waits(w)) {
            return Some(Why::Timeout);
        }
        let blocked = self.blocker().is_some_and(|w| w != o);
        (self.config.rescue && blocked && !self.has_entry(o)).then_some(Why::Rescue)
    }

    fn acquire(&mut self, warp: WarpId, via: Via, now: u64) -> Option<Granted> {
        self.owner = Some((warp, now));
        self.barred = None;
        Some(Granted { warp, via })
    }

    /// mascar-P2.
    fn grant(&mut self, now: u64) -> Option<Granted> {
        let mut q = self.rexq.iter().map(|entry| entry.warp).collect::<Vec<_>>();
        if q.is_empty() {
            q.extend(self.blocker());
        }
        let ready = self.warps.keys().copied().filter(|&w| self.memory_ready(w)).collect::<Vec<_>>();
        if ready.iter().chain(&q).all(|&w| Some(w) == self.barred) {
            self.barred = None;
        }
        let nobody = ready.iter().all(|&w| Some(w) == self.barred);
        if nobody || (self.config.rescue && self.blocker().is_some()) {
            let first = q.into_iter().find(|&w| Some(w) != self.barred)?;
            return self.acquire(first, Via::Queue, now);
        }
        None
    }

    /// mascar-P3.
    fn eligible(&self, w: WarpId) -> bool {
        self.memory_ready(w)
            && match (self.is_mp(), self.owner) {
                (false, _) => true,
                (true, None) => self.barred != Some(w),
                (true, Some((o, _))) => w == o || self.warps[&w].leftover,
            }
    }

    /// mascar-P4: the place of a warp in an order.
    fn place(&self, order: Order, s: usize, w: WarpId) -> (bool, u64) {
        let age = self.warps[&w].age;
        match order {
            Order::Oldest => (false, age),
            Order::Gto => (self.last[s] != Some(w), age),
            Order::Rr => {
                let start = self.last[s].map_or(0, |last| last.0 + 1);
                // Those from `start` on before those below it.
                (w.0 < start, w.0.into())
            }
        }
    }

    fn orders(&self) -> (Priority, Order, Order) {
        let c = &self.config;
        let (priority, mem, comp) = if self.is_mp() {
            (c.mp_priority, c.mp_mem_order, c.mp_comp_order)
        } else {
            (c.ep_priority, c.ep_mem_order, c.ep_comp_order)
        };
        (priority, mem, if priority == Priority::Merged { mem } else { comp })
    }

    fn lists(&self, s: usize, lsu: bool, comp: bool) -> Lists {
        let (_, mem_order, comp_order) = self.orders();
        let of = |holds: &dyn Fn(WarpId) -> bool, order| {
            let mine = |w: &WarpId| usize::from(w.0) % self.last.len() == s && holds(*w);
            let mut list = self.warps.keys().copied().filter(mine).collect::<Vec<_>>();
            list.sort_by_key(|&w| self.place(order, s, w));
            list
        };
        let mut mem = of(&|w| lsu && self.eligible(w), mem_order);
        if self.config.owner_first && self.is_mp() {
            mem.sort_by_key(|&w| !self.owns(w));
        }
        Lists { mem, comp: of(&|w| comp && self.compute_ready(w), comp_order) }
    }

    /// mascar-P5: the warp with which a scheduler contends for the LSU.
    fn contends(&self, s: usize, lists: &Lists) -> Option<WarpId> {
        let mem = *lists.mem.first()?;
        let Some(&comp) = lists.comp.first() else { return Some(mem) };
        let (priority, order, _) = self.orders();
        let goes = self.config.per_pipe
            || match priority {
                Priority::Mem => true,
                Priority::Comp => false,
                Priority::Merged => self.place(order, s, mem) < self.place(order, s, comp),
            };
        goes.then_some(mem)
    }

    fn pick(&mut self, now: u64, lsu_accept: bool, comp_accept: Option<u32>) -> Result<Pick, Fault> {
        if now >= 1 << 63 {
            return Err(Fault::TimeOverflow);
        }
        if self.picked.is_some_and(|last| now <= last) {
            return Err(Fault::TimeBackwards);
        }
        let all = (1 << self.config.schedulers) - 1;
        if comp_accept.is_some_and(|mask| mask > all) {
            return Err(Fault::BadMask);
        }
        let comp_accept = comp_accept.unwrap_or(all);
        self.picked = Some(now);
        let mut pick = Pick { mode: self.mode(), ..Pick::default() };
        if self.is_mp() {
            if let Some(why) = self.why_release(now) {
                let warp = self.owner.take().expect("an owner gives up").0;
                self.barred = (why == Why::Timeout).then_some(warp);
                pick.released = Some(Released { warp, why });
            }
            if self.owner.is_none() {
                pick.granted = self.grant(now);
            }
        }
        let lsu = lsu_accept && self.lsu == Lsu::Idle;
        let lists = (0..self.last.len()).map(|s| self.lists(s, lsu, comp_accept >> s & 1 == 1)).collect::<Vec<_>>();
        let mut contenders = lists.iter().enumerate().filter_map(|(s, l)| self.contends(s, l)).collect::<Vec<_>>();
        // mascar-P6.
        contenders.sort_by_key(|&w| (!self.owns(w), self.warps[&w].age));
        let winner = contenders.first().copied();
        for (s, lists) in lists.iter().enumerate() {
            let won = winner.filter(|&w| usize::from(w.0) % self.last.len() == s);
            let comp = lists.comp.first().copied().filter(|_| won.is_none() || self.config.per_pipe);
            for (warp, pipe) in [(comp, Pipe::Comp), (won, Pipe::Mem)] {
                let Some(warp) = warp else { continue };
                pick.issues.push(Issue { sched: s as u8, warp, pipe }).expect("one more than schedulers");
                self.last[s] = Some(warp);
                let it = self.warps.get_mut(&warp).expect("who issues is resident");
                (it.head, it.leftover) = (Head::default(), false);
            }
        }
        if let Some(winner) = winner {
            self.lsu = Lsu::Await(winner);
            if self.is_mp() && self.owner.is_none() {
                pick.granted = self.acquire(winner, Via::Issue, now);
            }
        }
        pick.owner = self.owner.map(|(w, _)| w);
        // mascar-P8.
        for w in self.warps.keys().copied().collect::<Vec<_>>() {
            let unstalled = self.eligible(w) || self.compute_ready(w);
            let warp = self.warps.get_mut(&w).expect("it is resident");
            warp.wst_mem = warp.head.kind == Kind::Mem;
            (warp.wst_stall, warp.in_ready) = (!unstalled, unstalled);
        }
        Ok(pick)
    }

    // ---- mascar-L1 to L4, mascar-R1 to R6

    fn begin(&mut self, w: WarpId, nreq: u32, dst: u32) -> Result<(), Fault> {
        let Lsu::Await(warp) = self.lsu else { return Err(Fault::LsuNotAwaiting) };
        if warp != w {
            return Err(Fault::WrongWarp);
        }
        if nreq > self.config.warp_size {
            return Err(Fault::BadCount);
        }
        if dst > 127 {
            return Err(Fault::BadRegister);
        }
        self.begun += u64::from(nreq);
        self.lsu = match nreq {
            0 => Lsu::Idle,
            nreq => Lsu::Busy(Instruction { warp, dst: dst as u8, nreq, left: nreq }),
        };
        Ok(())
    }

    fn next(&mut self) -> Result<Next, Fault> {
        if self.presented.is_some() {
            return Err(Fault::ReplyPending);
        }
        let head = self.rexq.front().copied();
        let starves = self.config.starve_limit > 0 && self.passed >= self.config.starve_limit.into();
        let next = match (&self.lsu, head) {
            (Lsu::Blocked(i, held, since), head) => {
                let turn = self.config.retry_owner
                    && self.is_mp()
                    && self.owns(i.warp)
                    && since.last() == Some(&Presented::Rexq);
                match head {
                    Some(head) if !turn => Next::Rexq(head),
                    _ => Next::Blocked(Entry { warp: i.warp, dst: i.dst, request: *held }),
                }
            }
            (Lsu::Busy(_), Some(head)) if starves => Next::Rexq(head),
            (Lsu::Busy(i), _) => Next::New { warp: i.warp, index: (i.nreq - i.left) as u8 },
            (Lsu::Idle | Lsu::Await(_), Some(head)) => Next::Rexq(head),
            (Lsu::Idle | Lsu::Await(_), None) => Next::Idle,
        };
        self.presented = match next {
            Next::Idle => None,
            Next::New { .. } => Some(Presented::New),
            Next::Blocked(_) => Some(Presented::Blocked),
            Next::Rexq(_) => Some(Presented::Rexq),
        };
        match self.presented {
            Some(Presented::Rexq) => self.passed = 0,
            Some(Presented::New) if head.is_some() => self.passed += 1,
            _ => {}
        }
        if let Lsu::Blocked(_, _, since) = &mut self.lsu {
            since.extend(self.presented);
        }
        Ok(next)
    }

    fn reply(&mut self, result: Option<Lookup>, room: bool, new: Option<&Request>) -> Result<Reply, Fault> {
        let presented = self.presented.ok_or(Fault::NoReplyPending)?;
        let result = result.ok_or(Fault::BadReply)?;
        let size = self.config.warp_size as usize;
        let thread = |request: &Request, t: usize| request.mask >> t & 1 == 1;
        let whole = |request: &&Request| {
            let beyond = (size..64).any(|t| thread(request, t) || request.offs.get(t) != 0);
            request.mask != 0 && !beyond
        };
        let new = new.filter(whole).copied();
        if presented == Presented::New && new.is_none() {
            return Err(Fault::BadRequest);
        }
        self.presented = None;
        let warp = match presented {
            Presented::Rexq => self.rexq[0].warp,
            Presented::New | Presented::Blocked => self.in_lsu().expect("it came from there"),
        };
        let allowed = !self.is_mp() || self.owns(warp);
        let merge = result == Lookup::Merge && self.config.nonowner_merge;
        let ack = result == Lookup::Hit || (room && (allowed || merge));
        self.done += u64::from(ack);
        let mut unblocked = false;
        let action = match (presented, ack) {
            (Presented::Rexq, true) => {
                self.rexq.pop_front();
                if let Lsu::Blocked(i, held, _) = self.lsu.clone() {
                    self.rexq.push_back(Entry { warp: i.warp, dst: i.dst, request: held });
                    self.go_on();
                    unblocked = true;
                }
                Action::Popped
            }
            (Presented::Rexq, false) => {
                self.rexq.rotate_left(1);
                Action::Recycled
            }
            (_, true) => {
                self.go_on();
                Action::Accepted
            }
            (Presented::Blocked, false) => Action::Blocked,
            (Presented::New, false) => {
                let Lsu::Busy(i) = self.lsu.clone() else { panic!("a new request comes from a busy LSU") };
                let request = new.expect("checked");
                if self.rexq.len() < self.config.rexq as usize {
                    self.rexq.push_back(Entry { warp: i.warp, dst: i.dst, request });
                    self.go_on();
                    Action::Queued
                } else {
                    self.lsu = Lsu::Blocked(i, request, Vec::new());
                    Action::Blocked
                }
            }
        };
        Ok(Reply { ack, to_l2: ack && result == Lookup::Miss, action, unblocked })
    }

    fn go_on(&mut self) {
        if let Lsu::Busy(i) | Lsu::Blocked(i, ..) = &self.lsu {
            let mut i = i.clone();
            i.left -= 1;
            self.lsu = if i.left == 0 { Lsu::Idle } else { Lsu::Busy(i) };
        }
    }

    /// The first cycle in which a pick or a presentation may do something.
    fn next_event(&self) -> Option<Cycle> {
        let next = self.picked.map_or(0, |picked| picked + 1);
        let issues = |&w: &WarpId| self.compute_ready(w) || self.eligible(w);
        let releases = self.is_mp() && self.why_release(next).is_some();
        if self.lsu != Lsu::Idle
            || !self.rexq.is_empty()
            || self.warps.keys().any(issues)
            || self.barred.is_some()
            || releases
        {
            return Some(Cycle(next));
        }
        let (o, since) = self.owner?;
        let waits = self.warps.keys().any(|&w| w != o && self.waits(w));
        let timeout = u64::from(self.config.owner_timeout);
        (timeout > 0 && waits).then_some(Cycle(since + timeout))
    }
}

impl Machine for Model {
    type Event = Event;
    type Answered = Result<Answer, Fault>;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        match *event {
            Event::WarpStart { w } => self.start(w).map(Answer::WarpStart),
            Event::WarpExit { w } => self.exit(w).map(Answer::WarpExit),
            Event::SetHead { w, kind, ready, dep_load } => {
                self.set_head(w, kind, ready, dep_load).map(|()| Answer::Done)
            }
            Event::L1State { src, mshr, missq } => self.l1_state(src as usize, mshr, missq).map(Answer::Saturation),
            Event::Pick { now, lsu_accept, comp_accept } => self.pick(now.0, lsu_accept, comp_accept).map(Answer::Pick),
            Event::LsuBegin { w, nreq, dst } => self.begin(w, nreq, dst).map(|()| Answer::Done),
            Event::LsuNext => self.next().map(Answer::Next),
            Event::LsuReply { result, room, ref request } => {
                self.reply(result, room, request.as_ref()).map(Answer::Reply)
            }
        }
    }

    fn view(&self) -> View {
        let mask = |holds: &dyn Fn(&Warp) -> bool| {
            self.warps.iter().filter(|(_, warp)| holds(warp)).fold(0, |mask, (w, _)| mask | 1 << w.0)
        };
        let mut by_age = self.warps.keys().copied().collect::<Vec<_>>();
        by_age.sort_by_key(|w| self.warps[w].age);
        let state = match &self.lsu {
            Lsu::Idle => LsuState::Idle,
            Lsu::Await(_) => LsuState::Await,
            Lsu::Busy(_) => LsuState::Busy,
            Lsu::Blocked(..) => LsuState::Blocked,
        };
        View {
            mode: self.mode(),
            flags: self.flags.clone(),
            owner: self.owner.map(|(w, _)| w),
            acquired: self.owner.map(|(_, since)| Cycle(since)),
            barred: self.barred,
            resident: mask(&|_| true),
            wst_mem: mask(&|warp| warp.wst_mem),
            wst_stall: mask(&|warp| warp.wst_stall),
            leftover: mask(&|warp| warp.leftover),
            last: self.last.clone(),
            lsu: LsuView { state, warp: self.in_lsu(), left: self.left() as u8 },
            presented: self.presented,
            rexq: self.rexq.iter().copied().collect(),
            heads: self.warps.iter().map(|(w, warp)| (*w, warp.head)).collect(),
            by_age,
            picked: self.picked.map(Cycle),
            next_event: self.next_event(),
        }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}
