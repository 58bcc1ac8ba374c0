//! D, P, M, B: the machine of one SM.

use gpusched::tlp::{
    Action, Attached, Detached, Dispatch, Finished, History, HistoryRule, Kernel, Learn, Load, Metrics, Mode, Order,
    Overridden, Phase, Pipe, Placed, PuhpTie, ResidentTb, Sampled, SmState, Stall, StallNorm, TlpConfig,
};
use gpusched::{Cycle, Fault, SlotId};

use super::fit;
use crate::calls::tlp_sm::{Answer, Event};
use crate::tlp::{SmView, kernel};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Tb {
    k: usize,
    tag: bool,
    in_cohort: bool,
}

/// Stalls, and cycles in which they were counted.
type Stalls = (u64, u64);

/// The machine of one SM.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sm {
    config: TlpConfig,
    t: u64,
    kernels: [Option<Kernel>; 2],
    first: usize,
    mode: Mode,
    tb: [u32; 2],
    by: [u32; 2],
    slots: Vec<Option<Tb>>,
    phase: Phase,
    t0: u64,
    t1: u64,
    /// SP and LD/ST of all, then of kernel 0, then of kernel 1.
    his: [u32; 6],
    nper: u32,
    learn: Learn,
    none: Option<Stalls>,
    stall: [Option<Stalls>; 2],
    best: Option<Stalls>,
    chosen: usize,
    kept: u32,
}

impl Sm {
    /// An SM without kernels.
    #[must_use]
    pub fn new(config: &TlpConfig) -> Self {
        Self {
            config: *config,
            t: 0,
            kernels: [None; 2],
            first: 0,
            mode: Mode::Idle,
            tb: [0; 2],
            by: [0; 2],
            slots: vec![None; config.slots as usize],
            phase: Phase::Waiting,
            t0: 0,
            t1: 0,
            his: [0; 6],
            nper: 0,
            learn: Learn::Off,
            none: None,
            stall: [None; 2],
            best: None,
            chosen: 0,
            kept: 0,
        }
    }

    /// What decides about the future if stalls are compared by their counts, the history is the last period, and a pipeline is busy for
    /// all of a period or not at all: of times only whether any passed, and nothing that no rule reads any more.
    #[must_use]
    pub fn bare(&self) -> Self {
        let mut bare = self.clone();
        bare.t = u64::from(self.phase == Phase::Sampling && self.t > self.t0);
        bare.t1 = u64::from(self.phase == Phase::Await && self.t1 > self.t0);
        bare.t0 = 0;
        bare.nper = self.nper.min(1);
        let count = |stall: Option<Stalls>| stall.map(|(count, _)| (count, 1));
        let tries = matches!(self.learn, Learn::S2 | Learn::S3);
        (bare.none, bare.stall) = if tries { (count(self.none), self.stall.map(count)) } else { (None, [None; 2]) };
        let extends = self.learn == Learn::S4;
        (bare.best, bare.chosen, bare.kept) =
            if extends { (count(self.best), self.chosen, self.kept) } else { (None, 0, 0) };
        bare
    }

    fn res(&self, k: usize) -> u32 {
        self.slots.iter().flatten().filter(|tb| tb.k == k).count() as u32
    }

    fn bycur(&self, k: usize) -> u32 {
        self.slots.iter().flatten().filter(|tb| tb.k == k && tb.tag).count() as u32
    }

    /// The visible state.
    #[must_use]
    pub fn view(&self) -> SmView {
        let [sp, ldst, sp0, ldst0, sp1, ldst1] = self.his;
        let runs = self.phase != Phase::Waiting;
        SmView {
            now: Cycle(self.t),
            kernels: self.kernels,
            state: SmState {
                start: runs.then_some(Cycle(self.t0)),
                end: (self.phase == Phase::Await).then_some(Cycle(self.t1)),
                mode: self.mode,
                first: kernel(self.first as u32),
                tb: self.tb,
                by: self.by,
                resident: [self.res(0), self.res(1)],
                bypassing: [self.bycur(0), self.bycur(1)],
                phase: self.phase,
                cohort: (0..32)
                    .filter(|&s| self.slots.get(s).copied().flatten().is_some_and(|tb| tb.in_cohort))
                    .map(|s| 1u32 << s)
                    .sum(),
                learn: self.learn,
                history: History {
                    load: Load { sp, ldst, sp_of: [sp0, sp1], ldst_of: [ldst0, ldst1] },
                    periods: self.nper as u16,
                },
            },
            slots: self
                .slots
                .iter()
                .map(|slot| slot.map(|tb| ResidentTb { k: kernel(tb.k as u32), bypass: tb.tag }))
                .collect(),
        }
    }

    /// Carries out an event.
    ///
    /// # Errors
    /// The sheet's named errors.
    pub fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        if let Event::Attach { k, .. } | Event::Done { k, .. } = event
            && k.0 > 1
        {
            return Err(Fault::BadArg);
        }
        let now = match event {
            Event::Attach { now, .. }
            | Event::Done { now, .. }
            | Event::Dispatch { now, .. }
            | Event::Finish { now, .. }
            | Event::Sample { now, .. }
            | Event::OverrideTlp { now, .. } => now.0,
        };
        if now < self.t {
            return Err(Fault::TimeBackwards);
        }
        // A refused event changes nothing: it is carried out on a copy.
        let mut next = self.clone();
        next.t = now;
        let answer = match event {
            Event::Attach { k, kernel, .. } => next.attach(k.0.into(), kernel)?,
            Event::Done { k, .. } => next.done(k.0.into())?,
            Event::Dispatch { avail, .. } => next.dispatch(*avail),
            Event::Finish { slot, .. } => next.finish(slot.0.into())?,
            Event::Sample { metrics, .. } => next.sample(metrics)?,
            Event::OverrideTlp { tb, .. } => next.override_tb(*tb)?,
        };
        if !matches!(event, Event::Done { .. }) {
            next.p2();
        }
        *self = next;
        Ok(match answer {
            // Its `by` is that of the end of the event, which tlp-P2 does not change.
            Answer::Overridden(set) => Answer::Overridden(Overridden { by: self.by, ..set }),
            answer => answer,
        })
    }

    fn attach(&mut self, k: usize, kernel: &Option<Kernel>) -> Result<Answer, Fault> {
        if self.kernels[k].is_some() {
            return Err(Fault::SlotBusy);
        }
        let kernel = fit::check(kernel)?;
        if fit::remain(&self.config, kernel.needs, &[]) == 0 {
            return Err(Fault::TbTooBig);
        }
        self.kernels[k] = Some(kernel);
        self.reset();
        if let [Some(k0), Some(k1)] = self.kernels {
            self.first = 1 - k;
            let targets = fit::targets(&self.config, &[k0, k1], 1 - k);
            self.mode = targets.mode;
            self.tb = targets.tb;
            if self.mode == Mode::Pair && self.config.bypass {
                self.learn = Learn::S1;
            }
        } else {
            self.go_solo(k);
        }
        Ok(Answer::Attached(Attached { mode: self.mode, tb: self.tb }))
    }

    fn go_solo(&mut self, k: usize) {
        self.mode = Mode::Solo;
        self.first = k;
        self.tb = [0; 2];
        self.tb[k] = fit::solo(&self.config, &self.kernels[k].unwrap());
    }

    fn done(&mut self, k: usize) -> Result<Answer, Fault> {
        if self.kernels[k].is_none() {
            return Err(Fault::NotLive);
        }
        if self.res(k) > 0 {
            return Err(Fault::KernelStillResident);
        }
        self.kernels[k] = None;
        let aborted = self.reset();
        if self.kernels[1 - k].is_some() {
            self.go_solo(1 - k);
        } else {
            self.mode = Mode::Idle;
            self.tb = [0; 2];
        }
        Ok(Answer::Detached(Detached { mode: self.mode, tb: self.tb, aborted }))
    }

    /// Drops period, history and learning.
    fn reset(&mut self) -> bool {
        self.his = [0; 6];
        self.nper = 0;
        self.learn = Learn::Off;
        (self.none, self.stall, self.best, self.chosen, self.kept) = (None, [None; 2], None, 0, 0);
        self.by = [0; 2];
        self.drop_period()
    }

    fn drop_period(&mut self) -> bool {
        let aborted = self.phase != Phase::Waiting;
        self.phase = Phase::Waiting;
        self.slots.iter_mut().flatten().for_each(|tb| tb.in_cohort = false);
        aborted
    }

    fn dispatch(&mut self, avail: [bool; 2]) -> Answer {
        let stall = |stall| Answer::Dispatch(Dispatch::Stall(stall));
        if self.mode == Mode::Idle {
            return stall(Stall::Idle);
        }
        let (mut no_work, mut no_room) = (false, false);
        let residents = [0, 1].map(|k| (self.res(k), self.kernels[k].map(|kernel| kernel.needs).unwrap_or_default()));
        for (i, has_work) in avail.into_iter().enumerate() {
            let Some(of) = self.kernels[i] else { continue };
            if self.res(i) >= self.tb[i] {
                continue;
            }
            if !has_work {
                no_work = true;
            } else if fit::remain(&self.config, of.needs, &residents) == 0 {
                no_room = true;
            } else {
                let slot = self.slots.iter().position(Option::is_none).unwrap();
                let tag = self.bycur(i) < self.by[i];
                self.slots[slot] = Some(Tb { k: i, tag, in_cohort: false });
                let placed = Placed { slot: SlotId(slot as u8), k: kernel(i as u32), bypass: tag };
                return Answer::Dispatch(Dispatch::Placed(placed));
            }
        }
        stall(match (no_room, no_work) {
            (true, _) => Stall::NoRoom,
            (false, true) => Stall::NoWork,
            (false, false) => Stall::AtTarget,
        })
    }

    fn finish(&mut self, slot: usize) -> Result<Answer, Fault> {
        let tb = self.slots.get_mut(slot).and_then(Option::take).ok_or(Fault::BadSlot)?;
        let left = self.slots.iter().flatten().any(|tb| tb.in_cohort);
        let period_end = tb.in_cohort && !left;
        if period_end {
            self.phase = Phase::Await;
            self.t1 = self.t;
        }
        Ok(Answer::Finished(Finished { k: kernel(tb.k as u32), bypass: tb.tag, period_end }))
    }

    fn override_tb(&mut self, tb: [u32; 2]) -> Result<Answer, Fault> {
        let [Some(k0), Some(k1)] = self.kernels else { return Err(Fault::NotPaired) };
        if tb[0] == 0 && tb[1] == 0 {
            return Err(Fault::BadArg);
        }
        if !fit::fits(&self.config, [k0.needs, k1.needs], tb) {
            return Err(Fault::DoesNotFit);
        }
        let aborted = self.drop_period();
        self.tb = tb;
        if self.mode == Mode::Leftover {
            self.mode = Mode::Pair;
            if self.config.bypass {
                self.learn = Learn::S1;
            }
        }
        self.l6();
        Ok(Answer::Overridden(Overridden { aborted, by: self.by }))
    }

    fn learning(&self) -> bool {
        matches!(self.learn, Learn::S1 | Learn::S2 | Learn::S3 | Learn::S4)
    }

    /// tlp-P1, tlp-P2.
    fn p2(&mut self) {
        let wanted = (self.mode == Mode::Pair && self.config.dynamic) || self.learning();
        let full = (0..2).all(|k| self.res(k) == self.tb[k]);
        let tagged = !self.config.wait_by || (0..2).all(|k| self.bycur(k) == self.by[k]);
        if self.phase == Phase::Waiting && wanted && full && self.tb[0] + self.tb[1] > 0 && tagged {
            self.phase = Phase::Sampling;
            self.t0 = self.t;
            self.slots.iter_mut().flatten().for_each(|tb| tb.in_cohort = true);
        }
    }

    /// tlp-P4.
    fn sample(&mut self, m: &Metrics) -> Result<Answer, Fault> {
        if self.phase != Phase::Await {
            return Err(Fault::NoSampleDue);
        }
        let c = self.t1 - self.t0;
        let stalls = u128::from(m.stall_mem) + u128::from(m.stall_struct);
        let busy = |b: [u64; 2]| u128::from(b[0]) + u128::from(b[1]);
        let most = |units: u32| u128::from(c) * u128::from(units);
        let too_much = busy(m.sp) > most(self.config.sp_units) || busy(m.ldst) > most(self.config.ldst_units);
        if stalls > u64::MAX.into() || too_much {
            return Err(Fault::BadMetrics);
        }
        self.phase = Phase::Waiting;
        let mut told = Sampled {
            action: Action::Void,
            critical: None,
            grow: None,
            tb: self.tb,
            by: self.by,
            learn: self.learn,
            cost: 0,
        };
        if c > 0 {
            let was_learning = self.learning();
            self.learn_step((stalls as u64, c));
            if !self.config.dynamic {
                told.action = Action::Off;
            } else if self.config.order == Order::BypassFirst && was_learning {
                told.action = Action::Frozen;
            } else {
                let q16 = |busy: u128, units: u32| (busy * 65536 / most(units)) as u32;
                let (sp, ldst) = (self.config.sp_units, self.config.ldst_units);
                let cur = [
                    q16(busy(m.sp), sp),
                    q16(busy(m.ldst), ldst),
                    q16(m.sp[0].into(), sp),
                    q16(m.ldst[0].into(), ldst),
                    q16(m.sp[1].into(), sp),
                    q16(m.ldst[1].into(), ldst),
                ];
                self.modulate(cur, m.avail, &mut told);
            }
            self.l6();
        }
        (told.tb, told.by, told.learn) = (self.tb, self.by, self.learn);
        Ok(Answer::Sampled(told))
    }

    /// tlp-M2 to M6.
    fn modulate(&mut self, cur: [u32; 6], avail: [bool; 2], told: &mut Sampled) {
        if self.nper == 0 {
            self.his = cur;
            self.nper = 1;
            told.action = Action::First;
            return;
        }
        let ops = self.move_targets(&cur, avail, told);
        told.cost = ops * self.config.op_cycles;
        let nper = u64::from(self.nper);
        for (his, cur) in self.his.iter_mut().zip(cur) {
            let (old, new) = (u64::from(*his), u64::from(cur));
            *his = match self.config.his_rule {
                HistoryRule::Ewma => {
                    let weight = 1 << self.config.his_shift;
                    (old * (weight - 1) + new) / weight
                }
                HistoryRule::Mean => (old * nper + new) / (nper + 1),
            } as u32;
        }
        self.nper = (self.nper + 1).min(65535);
    }

    /// tlp-M3 to M5; how many operations it takes.
    fn move_targets(&mut self, cur: &[u32; 6], avail: [bool; 2], told: &mut Sampled) -> u32 {
        let his = self.his;
        let idle = |p: usize| cur[p] == 0 && his[p] == 0;
        let equal = self.config.hold_on_equal;
        let rising = |p: usize| cur[p] > his[p] || idle(p) || (equal && cur[p] == his[p]);
        if rising(0) && rising(1) {
            told.action = Action::Hold;
            return 2;
        }
        // PUCT as a fraction; one over 0 is above all others.
        let puct = |p: usize| (u64::from(cur[p]), u64::from(his[p]));
        let less = |a: (u64, u64), b: (u64, u64)| match (a.1, b.1) {
            (0, _) => false,
            (_, 0) => true,
            _ => a.0 * b.1 < b.0 * a.1,
        };
        let critical = if idle(0) || (!idle(1) && less(puct(1), puct(0))) { 1 } else { 0 };
        told.critical = Some([Pipe::Sp, Pipe::Ldst][critical]);
        // PUHP: SP over LD/ST of each kernel. 0 over 0 is like anything.
        let puhp = |k: usize| (u64::from(his[2 + 2 * k]), u64::from(his[3 + 2 * k]));
        let unlike = |(a, b): (u64, u64), (c, d): (u64, u64)| a * d != c * b;
        let g = if !unlike(puhp(0), puhp(1)) {
            if self.config.puhp_tie == PuhpTie::Hold {
                told.action = Action::Tie;
                return 3;
            }
            0
        } else {
            let larger = if less(puhp(0), puhp(1)) { 1 } else { 0 };
            if critical == 0 { larger } else { 1 - larger }
        };
        told.grow = Some(kernel(g as u32));
        if !avail[g] {
            told.action = Action::NoWork;
            return 3;
        }
        let o = 1 - g;
        let needs = [0, 1].map(|k: usize| self.kernels[k].unwrap().needs);
        let mut best = None;
        for n in self.config.min_tlp.min(self.tb[o])..=self.tb[o] {
            let mut tb = [0; 2];
            tb[g] = self.tb[g] + self.config.grow_step;
            tb[o] = n;
            if fit::fits(&self.config, needs, tb) {
                best = Some(tb);
            }
        }
        let Some(tb) = best else {
            told.action = Action::Blocked;
            return 3;
        };
        let shrinks = tb[o] < self.tb[o];
        self.tb = tb;
        told.action = Action::Moved;
        if shrinks { 5 } else { 4 }
    }

    /// tlp-B7.
    fn less(&self, a: Stalls, b: Stalls) -> bool {
        match self.config.stall_norm {
            StallNorm::Raw => a.0 < b.0,
            StallNorm::PerCycle => u128::from(a.0) * u128::from(b.1) < u128::from(b.0) * u128::from(a.1),
        }
    }

    /// tlp-B1 to B6.
    fn learn_step(&mut self, stall: Stalls) {
        match self.learn {
            Learn::Off | Learn::Done => return,
            Learn::S1 => {
                self.none = Some(stall);
                if self.tb[0] > 0 {
                    self.by = [1, 0];
                    self.learn = Learn::S2;
                    return;
                }
            }
            Learn::S2 => self.stall[0] = Some(stall),
            Learn::S3 => self.stall[1] = Some(stall),
            Learn::S4 => {
                if self.less(stall, self.best.unwrap()) {
                    self.best = Some(stall);
                    self.kept = self.by[self.chosen];
                    self.b6();
                } else {
                    self.by[self.chosen] = self.kept;
                    self.learn = Learn::Done;
                }
                return;
            }
        }
        if self.learn != Learn::S3 && self.tb[1] > 0 {
            self.by = [0, 1];
            self.learn = Learn::S3;
            return;
        }
        // tlp-B4. If nobody has any TBs there is nothing to try, and this decides for nobody.
        self.by = [0; 2];
        self.learn = Learn::Done;
        let none = self.none.unwrap();
        let better = (0..2).filter(|&k| self.stall[k].is_some_and(|stall| self.less(stall, none)));
        let better = better.collect::<Vec<_>>();
        self.chosen = match better[..] {
            [] => return,
            [k] => k,
            _ => usize::from(self.less(self.stall[1].unwrap(), self.stall[0].unwrap())),
        };
        self.best = self.stall[self.chosen];
        self.kept = 1;
        self.b6();
    }

    fn b6(&mut self) {
        self.by[self.chosen] = self.kept;
        self.learn = Learn::Done;
        if self.kept < self.tb[self.chosen] {
            self.by[self.chosen] += 1;
            self.learn = Learn::S4;
        }
    }

    /// tlp-L6, whatever happened: By is never above Tb.
    fn l6(&mut self) {
        for k in 0..2 {
            if self.by[k] > self.tb[k] {
                self.by[k] = self.tb[k];
                if self.learn == Learn::S4 && self.chosen == k {
                    self.by[k] = self.kept.min(self.tb[k]);
                    self.learn = Learn::Done;
                }
            }
        }
    }
}
