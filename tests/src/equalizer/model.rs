//! A second implementation of `equalizer`, written from the sheet in the plainest way: lists instead of bit sets, one statement per
//! sentence, rational thresholds by division. It shares the core's words and none of its logic.

use gpusched::equalizer::{
    self, Action, Average, Block, Change, Class, Classified, Counts, Decision, Ended, EpochEnd, FmConfig, FmState,
    Granted, HystMode, Idle, Levels, Majority, Objective, Outcome, Pick, Resolved, Round, SlotList, SmConfig, SmState,
    Started, Step, Votes, Warp, XmemRule,
};
use gpusched::{Cycle, Fault, SlotId, SmxId, SmxSet};

use super::{FmAnswer, FmEvent, Machine, SmAnswer, SmEvent, SmView};

const TOO_LATE: u64 = 1 << 63;

fn step(n: i64) -> Step {
    match n {
        -1 => Step::Down,
        0 => Step::Hold,
        1 => Step::Up,
        n => panic!("{n} is no step"),
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Resident {
    slot: u32,
    id: u64,
    runs: bool,
}

/// An `Sm`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sm {
    c: SmConfig,
    now: u64,
    next_sample: u64,
    samples: i64,
    /// Active, waiting, X_alu, X_mem.
    sums: [i64; 4],
    kernel: bool,
    w_cta: i64,
    limit: i64,
    target: i64,
    run: i64,
    dir: i64,
    /// In the order of arrival.
    blocks: Vec<Resident>,
    outstanding: i64,
    drained: bool,
    wd: i64,
    block_ended: bool,
    objective: Objective,
}

impl Sm {
    /// A machine of a configuration that is within its ranges.
    #[must_use]
    pub fn new(c: &SmConfig) -> Self {
        Self {
            c: *c,
            now: 0,
            next_sample: c.sample_interval.into(),
            samples: 0,
            sums: [0; 4],
            kernel: false,
            w_cta: 0,
            limit: 0,
            target: 0,
            run: 0,
            dir: 0,
            blocks: Vec::new(),
            outstanding: 0,
            drained: false,
            wd: 0,
            block_ended: false,
            objective: c.objective,
        }
    }

    /// The machine in its first epochs: what happened before decides nothing.
    #[must_use]
    pub fn timeless(&self) -> Self {
        let (interval, epoch) = (u64::from(self.c.sample_interval), u64::from(self.c.epoch_cycles));
        let past = (self.next_sample - interval) / epoch * epoch;
        Self { now: self.now - past, next_sample: self.next_sample - past, ..self.clone() }
    }

    fn running(&self) -> i64 {
        self.blocks.iter().filter(|b| b.runs).count() as i64
    }

    fn paused(&self) -> i64 {
        self.blocks.iter().filter(|b| !b.runs).count() as i64
    }

    fn resident(&self) -> i64 {
        self.blocks.len() as i64
    }

    // ---- C

    fn classify(&self, w: &Warp) -> Classified {
        let of = |of, active| Classified { of, active };
        if !w.resident {
            return of(Class::Absent, false);
        }
        if w.paused {
            return of(Class::Paused, false);
        }
        if w.issued {
            return of(Class::Issued, true);
        }
        if !w.valid {
            return of(Class::Unaccounted, false);
        }
        if w.sync {
            return of(Class::Other, self.c.sync_active);
        }
        if !w.ready {
            return of(Class::Waiting, true);
        }
        if !w.mem {
            return of(Class::Xalu, true);
        }
        let counts = !w.accept || self.c.xmem_rule == XmemRule::Any;
        of(if counts { Class::Xmem } else { Class::Other }, true)
    }

    // ---- D

    fn decide(&self, sums: [i64; 4], n: i64, w_cta: i64) -> Decision {
        // Means as fractions with denominator n; truncated ones with denominator 1.
        let ([a, w, c, m], n) = match self.c.average {
            Average::Exact => (sums.map(i128::from), i128::from(n)),
            Average::Floor => (sums.map(|sum| i128::from(sum / n)), 1),
        };
        let (w_cta, b) = (i128::from(w_cta), i128::from(self.c.bw_threshold));
        let of = |delta, action| Decision { delta: step(delta), action };
        // mean > threshold
        let above = |sum: i128, threshold: i128| sum > threshold * n;
        if above(m, w_cta) {
            return of(-1, Action::Mem);
        }
        if above(c, w_cta) || (self.c.alu_inclusive && c == w_cta * n) {
            return of(0, Action::Comp);
        }
        if above(m, b) {
            return of(0, Action::Mem);
        }
        if w + w > a {
            return of(1, if c > m { Action::Comp } else { Action::Mem });
        }
        if a == 0 {
            return of(0, Action::Comp);
        }
        of(0, Action::None)
    }

    fn vote(&self, action: Action) -> Votes {
        let steps = match self.objective {
            Objective::Energy => self.c.vf_map.energy,
            Objective::Performance => self.c.vf_map.performance,
        };
        match action {
            Action::None => Votes::default(),
            Action::Comp => steps.comp,
            Action::Mem => steps.mem,
        }
    }

    // ---- B

    fn reconcile(&mut self) -> Change {
        let mut change = Change::default();
        while self.running() > self.target {
            let mut running = self.blocks.iter_mut().filter(|b| b.runs);
            let block = match self.c.pause_pick {
                Pick::Oldest => running.next(),
                Pick::Youngest => running.next_back(),
            };
            let block = block.unwrap();
            block.runs = false;
            push(&mut change.pause, block.slot);
        }
        while self.running() < self.target && self.paused() > 0 {
            let mut paused = self.blocks.iter_mut().filter(|b| !b.runs);
            let block = match self.c.unpause_pick {
                Pick::Oldest => paused.next(),
                Pick::Youngest => paused.next_back(),
            };
            let block = block.unwrap();
            block.runs = true;
            push(&mut change.unpause, block.slot);
        }
        while !self.drained
            && self.running() + self.outstanding < self.target
            && self.resident() + self.outstanding < self.limit
        {
            self.outstanding += 1;
            change.requests += 1;
        }
        change
    }

    fn least(&self, limit: i64) -> i64 {
        i64::from(self.c.min_blocks).min(limit)
    }

    // ---- events

    fn check(&self, now: u64) -> Result<(), Fault> {
        check_time(now, self.now)?;
        if now > self.next_sample { Err(Fault::SampleMissed) } else { Ok(()) }
    }

    fn kernel_start(&mut self, now: u64, w_cta: u32, limit: u32, keep: bool) -> Result<Started, Fault> {
        self.check(now)?;
        if self.resident() > 0 || self.outstanding > 0 {
            return Err(Fault::Busy);
        }
        if w_cta == 0
            || limit == 0
            || limit > self.c.max_blocks
            || u64::from(w_cta) * u64::from(limit) > u64::from(self.c.max_warps)
        {
            return Err(Fault::BadKernel);
        }
        self.now = now;
        self.w_cta = w_cta.into();
        self.limit = limit.into();
        self.target =
            if keep && self.kernel { self.target.max(self.least(self.limit)).min(self.limit) } else { self.limit };
        self.kernel = true;
        self.sums = [0; 4];
        (self.samples, self.run, self.dir, self.wd) = (0, 0, 0, 0);
        self.block_ended = false;
        self.drained = false;
        let change = self.reconcile();
        Ok(Started { target: self.target as u32, requests: change.requests })
    }

    fn grant(&mut self, now: u64, id: u64) -> Result<Granted, Fault> {
        self.check(now)?;
        if self.outstanding == 0 {
            return Err(Fault::UnsolicitedGrant);
        }
        if self.blocks.iter().any(|b| b.id == id) {
            return Err(Fault::DuplicateBlock);
        }
        self.now = now;
        self.outstanding -= 1;
        let slot = (0..).find(|slot| self.blocks.iter().all(|b| b.slot != *slot)).unwrap();
        self.blocks.push(Resident { slot, id, runs: true });
        Ok(Granted { slot: SlotId(slot as u8), change: self.reconcile() })
    }

    fn block_end(&mut self, now: u64, slot: SlotId) -> Result<Ended, Fault> {
        self.check(now)?;
        let slot = u32::from(slot.0);
        if slot >= self.c.max_blocks {
            return Err(Fault::BadSlot);
        }
        let at = self.blocks.iter().position(|b| b.slot == slot).ok_or(Fault::SlotEmpty)?;
        self.now = now;
        let block = self.blocks.remove(at);
        self.block_ended = true;
        Ok(Ended { block: block.id, change: self.reconcile() })
    }

    fn sample(&mut self, now: u64, counts: &Counts) -> Result<Option<EpochEnd>, Fault> {
        self.check(now)?;
        if now != self.next_sample {
            return Err(Fault::NotDue);
        }
        let &Counts { active, waiting, xalu, xmem } = counts;
        let [a, w, c, m] = [active, waiting, xalu, xmem].map(i64::from);
        if w + c + m > a || a > self.c.max_warps.into() {
            return Err(Fault::BadSample);
        }
        if a > 0 && !self.kernel {
            return Err(Fault::NoKernel);
        }
        self.now = now;
        self.next_sample += u64::from(self.c.sample_interval);
        for (sum, count) in self.sums.iter_mut().zip([a, w, c, m]) {
            *sum += count;
        }
        self.samples += 1;
        if !now.is_multiple_of(self.c.epoch_cycles.into()) {
            return Ok(None);
        }
        Ok(Some(self.end_epoch()))
    }

    fn end_epoch(&mut self) -> EpochEnd {
        // D
        let Decision { delta, action } = if self.kernel {
            self.decide(self.sums, self.samples, self.w_cta)
        } else {
            Decision { delta: Step::Hold, action: Action::Comp }
        };
        let Votes { sm: sm_vote, mem: mem_vote } = self.vote(action);
        // H
        let (mut changed, mut watchdog) = (0, false);
        if self.kernel {
            let proposal = self.target + i64::from(delta.number());
            let proposal = proposal.max(self.least(self.limit)).min(self.limit);
            let d = proposal - self.target;
            if d == 0 {
                (self.run, self.dir) = (0, 0);
            } else {
                let more = d == self.dir || (self.c.hyst_mode == HystMode::Any && self.run > 0);
                self.run = if more { self.run + 1 } else { 1 };
                self.dir = d;
                if self.run >= self.c.hysteresis.into() {
                    self.target = proposal;
                    changed = d;
                    (self.run, self.dir) = (0, 0);
                }
            }
            if self.c.watchdog != 0 {
                self.wd = if self.paused() > 0 && !self.block_ended { self.wd + 1 } else { 0 };
                if self.wd >= self.c.watchdog.into() && self.target < self.limit {
                    self.target += 1;
                    (self.wd, self.run, self.dir) = (0, 0, 0);
                    watchdog = true;
                }
            }
            self.block_ended = false;
        }
        self.sums = [0; 4];
        self.samples = 0;
        // B
        let change = self.reconcile();
        let (changed, target) = (step(changed), self.target as u32);
        EpochEnd { delta, action, sm_vote, mem_vote, changed, watchdog, target, change }
    }
}

fn check_time(now: u64, last: u64) -> Result<(), Fault> {
    if now >= TOO_LATE {
        return Err(Fault::TimeOverflow);
    }
    if now < last {
        return Err(Fault::TimeBackwards);
    }
    Ok(())
}

fn push(list: &mut SlotList, slot: u32) {
    list.push(SlotId(slot as u8)).expect("a list of slots is long enough");
}

impl Machine for Sm {
    type Event = SmEvent;
    type Answered = Result<SmAnswer, Fault>;
    type View = SmView;
    type Mark = Self;

    fn take(&mut self, event: &SmEvent) -> Result<SmAnswer, Fault> {
        Ok(match *event {
            SmEvent::KernelStart { now, w_cta, limit, keep } => {
                SmAnswer::Started(self.kernel_start(now.0, w_cta, limit, keep)?)
            }
            SmEvent::Grant { now, block } => SmAnswer::Granted(self.grant(now.0, block)?),
            SmEvent::Deny { now } => {
                self.check(now.0)?;
                if self.outstanding == 0 {
                    return Err(Fault::UnsolicitedDeny);
                }
                self.now = now.0;
                self.outstanding -= 1;
                self.drained = true;
                SmAnswer::Change(self.reconcile())
            }
            SmEvent::Refill { now } => {
                self.check(now.0)?;
                if !self.kernel {
                    return Err(Fault::NoKernel);
                }
                self.now = now.0;
                self.drained = false;
                SmAnswer::Change(self.reconcile())
            }
            SmEvent::BlockEnd { now, slot } => SmAnswer::Ended(self.block_end(now.0, slot)?),
            SmEvent::Sample { now, ref counts } => SmAnswer::EpochEnd(self.sample(now.0, counts)?),
            SmEvent::SetObjective { now, objective } => {
                self.check(now.0)?;
                self.objective = objective.ok_or(Fault::BadObjective)?;
                self.now = now.0;
                SmAnswer::Done
            }
            SmEvent::Resync { now } => {
                check_time(now.0, self.now)?;
                self.now = now.0;
                let interval = u64::from(self.c.sample_interval);
                self.next_sample = (now.0 / interval + 1) * interval;
                self.sums = [0; 4];
                (self.samples, self.run, self.dir, self.wd) = (0, 0, 0, 0);
                SmAnswer::Resync(Cycle(self.next_sample))
            }
            SmEvent::Classify { ref warp } => SmAnswer::Classified(self.classify(warp)),
            SmEvent::Decide { sums: Counts { active, waiting, xalu, xmem }, samples, w_cta } => {
                if samples == 0 {
                    return Err(Fault::BadSample);
                }
                let sums = [active, waiting, xalu, xmem].map(i64::from);
                SmAnswer::Decision(self.decide(sums, samples.into(), w_cta.into()))
            }
        })
    }

    fn view(&self) -> SmView {
        let [active, waiting, xalu, xmem] = self.sums.map(|sum| sum as u32);
        let block = |slot| {
            let block = self.blocks.iter().find(|b| b.slot == slot)?;
            Some(Block { id: block.id, paused: !block.runs })
        };
        let state = SmState {
            samples: self.samples as u32,
            sums: Counts { active, waiting, xalu, xmem },
            w_cta: self.w_cta as u32,
            limit: self.limit as u32,
            target: self.target as u32,
            run: self.run as u32,
            dir: step(self.dir),
            running: self.running() as u32,
            paused: self.paused() as u32,
            outstanding: self.outstanding as u32,
            drained: self.drained,
            watchdog_epochs: self.wd as u32,
            objective: self.objective,
        };
        let slots = (0..self.c.max_blocks).map(block).collect();
        SmView { next_sample: Cycle(self.next_sample), state, slots }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Domain {
    level: i64,
    target: i64,
    done_at: Option<u64>,
    time: u64,
}

/// An `Fm`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fm {
    c: FmConfig,
    now: u64,
    sm: Domain,
    mem: Domain,
    /// The vote of each SM in this round.
    votes: Vec<Option<(i64, i64)>>,
    enabled: Vec<bool>,
}

impl Fm {
    /// A machine of a configuration that is within its ranges.
    #[must_use]
    pub fn new(c: &FmConfig) -> Self {
        let domain = |time: u32| Domain { level: 0, target: 0, done_at: None, time: time.into() };
        Self {
            c: *c,
            now: 0,
            sm: domain(c.sm_transition),
            mem: domain(c.mem_transition),
            votes: vec![None; c.sms as usize],
            enabled: vec![true; c.sms as usize],
        }
    }

    /// The machine at cycle 0: what happened before decides nothing.
    #[must_use]
    pub fn timeless(&self) -> Self {
        let mut at_0 = Self { now: 0, ..self.clone() };
        for domain in [&mut at_0.sm, &mut at_0.mem] {
            domain.done_at = domain.done_at.map(|at| at - self.now);
            // What nobody is on the way to is forgotten.
            domain.target = if domain.done_at.is_some() { domain.target } else { domain.level };
        }
        at_0
    }

    fn advance(&mut self, now: u64) {
        self.now = now;
        for domain in [&mut self.sm, &mut self.mem] {
            if domain.done_at.is_some_and(|at| at <= now) {
                domain.level = domain.target;
                domain.done_at = None;
            }
        }
    }

    fn check_sm(&self, now: u64, sm: SmxId) -> Result<usize, Fault> {
        check_time(now, self.now)?;
        if u32::from(sm.0) >= self.c.sms { Err(Fault::BadSm) } else { Ok(sm.0.into()) }
    }

    fn resolve(&mut self) -> Round {
        let enabled = (0..self.votes.len()).filter(|s| self.enabled[*s]);
        // A vote that is missing is for no step.
        let votes = enabled.map(|s| self.votes[s].unwrap_or((0, 0))).collect::<Vec<_>>();
        self.votes.fill(None);
        let (c, now) = (self.c, self.now);
        let sm = resolve(&mut self.sm, votes.iter().map(|v| v.0).collect(), &c, now);
        let mem = resolve(&mut self.mem, votes.iter().map(|v| v.1).collect(), &c, now);
        Round { sm, mem }
    }
}

fn resolve(domain: &mut Domain, votes: Vec<i64>, c: &FmConfig, now: u64) -> Resolved {
    let count = |vote| votes.iter().filter(|v| **v == vote).count();
    let (up, hold, down) = (count(1), count(0), count(-1));
    let decision = match c.majority {
        _ if up.max(down) < c.quorum as usize => 0,
        Majority::Strict if 2 * up > votes.len() => 1,
        Majority::Strict if 2 * down > votes.len() => -1,
        Majority::Plurality if up > down && up > hold => 1,
        Majority::Plurality if down > up && down > hold => -1,
        _ => 0,
    };
    let of =
        |outcome| Resolved { up: up as u32, hold: hold as u32, down: down as u32, decision: step(decision), outcome };
    if domain.done_at.is_some() {
        return of(Outcome::Busy);
    }
    let by = if c.idle == Idle::Relax && decision == 0 { -domain.level.signum() } else { decision };
    if by == 0 {
        return of(Outcome::None);
    }
    let to = domain.level + by;
    if to.abs() > 1 {
        return of(Outcome::Limit);
    }
    domain.target = to;
    if domain.time == 0 {
        domain.level = to;
        return of(Outcome::Done);
    }
    domain.done_at = Some(now + domain.time);
    of(Outcome::Start)
}

impl Machine for Fm {
    type Event = FmEvent;
    type Answered = Result<FmAnswer, Fault>;
    type View = FmState;
    type Mark = Self;

    fn take(&mut self, event: &FmEvent) -> Result<FmAnswer, Fault> {
        Ok(match *event {
            FmEvent::Vote { now, sm, sm_vote, mem_vote } => {
                let s = self.check_sm(now.0, sm)?;
                if !self.enabled[s] {
                    return Err(Fault::NotEnabled);
                }
                if !(-1..=1).contains(&sm_vote) || !(-1..=1).contains(&mem_vote) {
                    return Err(Fault::BadVote);
                }
                if self.votes[s].is_some() {
                    return Err(Fault::AlreadyVoted);
                }
                self.advance(now.0);
                self.votes[s] = Some((sm_vote.into(), mem_vote.into()));
                let all = (0..self.votes.len()).all(|s| !self.enabled[s] || self.votes[s].is_some());
                FmAnswer::Vote(all.then(|| self.resolve()))
            }
            FmEvent::Close { now } => {
                check_time(now.0, self.now)?;
                self.advance(now.0);
                FmAnswer::Round(self.resolve())
            }
            FmEvent::Enable { now, sm, on } => {
                let s = self.check_sm(now.0, sm)?;
                if self.votes.iter().any(Option::is_some) {
                    return Err(Fault::RoundOpen);
                }
                self.advance(now.0);
                self.enabled[s] = on;
                FmAnswer::Done
            }
            FmEvent::Reset { now } => {
                check_time(now.0, self.now)?;
                *self = Self { now: now.0, enabled: self.enabled.clone(), ..Self::new(&self.c) };
                FmAnswer::Done
            }
            FmEvent::Levels { now } => {
                check_time(now.0, self.now)?;
                self.advance(now.0);
                let permille = |level: i64| (1000 + level * i64::from(self.c.step_permille)) as u32;
                let next = [self.sm.done_at, self.mem.done_at].into_iter().flatten().min().map(Cycle);
                FmAnswer::Levels(Levels {
                    sm: step(self.sm.level),
                    mem: step(self.mem.level),
                    sm_permille: permille(self.sm.level),
                    mem_permille: permille(self.mem.level),
                    next,
                })
            }
        })
    }

    fn view(&self) -> FmState {
        let set = |is: &dyn Fn(usize) -> bool| {
            let mut set = SmxSet::EMPTY;
            (0..self.votes.len()).filter(|s| is(*s)).for_each(|s| set.set(SmxId(s as u16), true));
            set
        };
        // Who is on the way to nothing stays where it is.
        let domain = |of: &Domain| equalizer::Domain {
            level: step(of.level),
            target: step(if of.done_at.is_some() { of.target } else { of.level }),
            done_at: of.done_at.map(Cycle),
        };
        FmState {
            sm: domain(&self.sm),
            mem: domain(&self.mem),
            voted: set(&|s| self.votes[s].is_some()),
            enabled: set(&|s| self.enabled[s]),
        }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}
