//! A second implementation of `bubble_dvfs`, written from the sheet in the plainest way: one field per register of its table,
//! one statement per sentence. It shares the core's words and none of its logic.

use gpusched::power::{
    BubbleConfig, BubbleStats, GpuDone, GpuStart, PState, Registers, Resident, Resume, Retrigger, Sample, Waiting,
};
use gpusched::{Cycle, Fault, Resources, SmxId, SmxSet};

use super::{Answer, Event, Machine, SmxState, View};

/// What an SMX is, register by register.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Smx {
    dvr: bool,
    drn: bool,
    dvfs: bool,
    /// The SMX is on its way to low or is low; otherwise, with `dvfs`, on its way to high.
    down: bool,
    timer: u32,
    drain: u32,
    armed: bool,
    /// Low when the GPU level was entered.
    was_low: bool,
    threads: u32,
    regs: u32,
    smem: u32,
    slots: u32,
    tbs: u32,
    warps: u32,
    bubble: u64,
    low: u64,
    energy: u128,
    energy_bubble: u128,
}

/// The machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    c: BubbleConfig,
    smxs: Vec<Smx>,
    gpu: bool,
    gpu_pstate: PState,
    gpu_timer: u32,
    idle: u64,
    last_time: u64,
    last_sample: Option<u64>,
    last_account: Option<u64>,
    energy_uncore: u128,
    n: BubbleStats,
}

impl Model {
    /// The machine of a configuration that is within its ranges.
    #[must_use]
    pub fn new(c: &BubbleConfig) -> Self {
        let smx = Smx {
            dvr: false,
            drn: false,
            dvfs: false,
            down: false,
            timer: 0,
            drain: 0,
            armed: true,
            was_low: false,
            threads: c.smx_threads,
            regs: c.smx_regs,
            smem: c.smx_smem,
            slots: c.smx_slots,
            tbs: 0,
            warps: 0,
            bubble: 0,
            low: 0,
            energy: 0,
            energy_bubble: 0,
        };
        Self {
            c: *c,
            smxs: vec![smx; c.smxs as usize],
            gpu: false,
            gpu_pstate: PState::High,
            gpu_timer: 0,
            idle: 0,
            last_time: 0,
            last_sample: None,
            last_account: None,
            energy_uncore: 0,
            n: BubbleStats::default(),
        }
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.smxs.len()
    }

    // ---- definitions

    fn w(&self, res: &Resources) -> u32 {
        res.threads.div_ceil(self.c.warp_size)
    }

    fn max_warps(&self) -> u32 {
        self.c.smx_threads / self.c.warp_size
    }

    fn need(&self, s: usize) -> bool {
        let occ = u128::from(self.smxs[s].warps) * u128::from(self.c.t_den);
        let t = u128::from(self.c.t_num) * u128::from(self.max_warps());
        if self.c.inclusive { occ <= t } else { occ < t }
    }

    fn full(&self, s: usize) -> bool {
        self.smxs[s].warps >= self.max_warps()
    }

    fn idle(&self, s: usize) -> bool {
        self.smxs[s].tbs == 0
    }

    fn fits(&self, s: usize, r: &Resources) -> bool {
        let x = &self.smxs[s];
        r.threads <= x.threads && r.regs <= x.regs && r.smem <= x.smem && r.slots <= x.slots
    }

    fn may(&self, s: usize, waiting: &Waiting) -> bool {
        let allowed = match waiting.allowed {
            Some(mask) => mask.contains(id(s)),
            None => true,
        };
        allowed && self.fits(s, &waiting.res)
    }

    /// Whether an SMX may receive TBs.
    #[must_use]
    pub fn eligible(&self, s: usize) -> bool {
        !self.gpu && !self.smxs[s].dvr && !self.smxs[s].dvfs
    }

    fn pstate(&self, s: usize) -> PState {
        let x = &self.smxs[s];
        if self.gpu {
            if self.gpu_pstate == PState::Down && x.was_low { PState::Low } else { self.gpu_pstate }
        } else if !x.dvfs {
            PState::High
        } else if x.down {
            if x.timer > 0 { PState::Down } else { PState::Low }
        } else {
            PState::Up
        }
    }

    fn moving(&self, s: usize) -> bool {
        matches!(self.pstate(s), PState::Down | PState::Up)
    }

    // ---- 1 and 2

    fn never_fits(&self, r: &Resources) -> bool {
        r.threads > self.c.smx_threads
            || r.regs > self.c.smx_regs
            || r.smem > self.c.smx_smem
            || r.slots > self.c.smx_slots
    }

    fn dispatched(&mut self, now: u64, smx: u16, r: &Resources) -> Result<Resident, Fault> {
        let s = usize::from(smx);
        if now < self.last_time {
            return Err(Fault::TimeBackwards);
        }
        if s >= self.smxs.len() {
            return Err(Fault::BadSmx);
        }
        if r.threads == 0 || r.slots == 0 {
            return Err(Fault::BadResources);
        }
        if self.never_fits(r) {
            return Err(Fault::TbTooBig);
        }
        if !self.eligible(s) {
            return Err(Fault::NotEligible);
        }
        if !self.fits(s, r) {
            return Err(Fault::NoFit);
        }
        self.last_time = now;
        let w = self.w(r);
        let x = &mut self.smxs[s];
        x.threads -= r.threads;
        x.regs -= r.regs;
        x.smem -= r.smem;
        x.slots -= r.slots;
        x.tbs += 1;
        x.warps += w;
        Ok(Resident { tbs: x.tbs, warps: x.warps })
    }

    fn completed(&mut self, now: u64, smx: u16, r: &Resources) -> Result<Resident, Fault> {
        let s = usize::from(smx);
        if now < self.last_time {
            return Err(Fault::TimeBackwards);
        }
        if s >= self.smxs.len() {
            return Err(Fault::BadSmx);
        }
        if r.threads == 0 || r.slots == 0 {
            return Err(Fault::BadResources);
        }
        let (w, c) = (self.w(r), self.c);
        let x = &mut self.smxs[s];
        let above = |free: u32, more: u32, capacity: u32| u64::from(free) + u64::from(more) > u64::from(capacity);
        if x.tbs == 0
            || x.warps < w
            || above(x.threads, r.threads, c.smx_threads)
            || above(x.regs, r.regs, c.smx_regs)
            || above(x.smem, r.smem, c.smx_smem)
            || above(x.slots, r.slots, c.smx_slots)
        {
            return Err(Fault::ReleaseUnderflow);
        }
        self.last_time = now;
        x.threads += r.threads;
        x.regs += r.regs;
        x.smem += r.smem;
        x.slots += r.slots;
        x.tbs -= 1;
        x.warps -= w;
        Ok(Resident { tbs: x.tbs, warps: x.warps })
    }

    // ---- 4

    fn bad_activity(&self, activity: Option<&Vec<u16>>) -> bool {
        activity.is_some_and(|a| a.len() != self.smxs.len() || a.iter().any(|v| *v > 1000))
    }

    fn close(&mut self, now: u64, activity: Option<&Vec<u16>>) {
        if let Some(last) = self.last_account {
            let dt = u128::from(now - last);
            let c = &self.c;
            let (vl, vh) = (u128::from(c.v_low_mv), u128::from(c.v_high_mv));
            let (fl, fh) = (u128::from(c.f_low_mhz), u128::from(c.f_high_mhz));
            let scale = |p: u32| u128::from(p) * vl * vl * fl / (vh * vh * fh);
            let leak_low = u128::from(c.p_leak_mw) * vl.pow(c.leak_exp) / vh.pow(c.leak_exp);
            let high = (u128::from(c.p_leak_mw) + u128::from(c.p_idle_mw), u128::from(c.p_dyn_mw));
            let low = (leak_low + scale(c.p_idle_mw), scale(c.p_dyn_mw));
            for s in self.all() {
                let (fixed, dynamic) = if self.pstate(s) == PState::Low { low } else { high };
                let a = match activity {
                    Some(values) => u128::from(values[s]),
                    None => u128::from(self.smxs[s].warps.min(self.max_warps())) * 1000 / u128::from(self.max_warps()),
                };
                let energy = dt * fixed + dt * dynamic * a / 1000;
                self.smxs[s].energy += energy;
                if self.need(s) {
                    self.smxs[s].energy_bubble += energy;
                }
            }
            self.energy_uncore += dt * u128::from(self.c.p_uncore_mw);
        }
        self.last_account = Some(now);
        self.last_time = now;
    }

    fn account(&mut self, now: u64, activity: Option<&Vec<u16>>) -> Result<(), Fault> {
        if now < self.last_time {
            return Err(Fault::TimeBackwards);
        }
        if self.bad_activity(activity) {
            return Err(Fault::BadActivity);
        }
        self.close(now, activity);
        Ok(())
    }

    // ---- 3

    fn sample(&mut self, now: u64, waiting: Option<&Waiting>, activity: Option<&Vec<u16>>) -> Result<Sample, Fault> {
        if now < self.last_time {
            return Err(Fault::TimeBackwards);
        }
        if let Some(last) = self.last_sample
            && u128::from(now) != u128::from(last) + u128::from(self.c.sample_cycles)
        {
            return Err(Fault::OffSample);
        }
        if let Some(w) = waiting {
            if w.res.threads == 0 || w.res.slots == 0 {
                return Err(Fault::BadResources);
            }
            if self.never_fits(&w.res) {
                return Err(Fault::TbTooBig);
            }
            if let Some(mask) = w.allowed {
                let within = (0..=u16::from(u8::MAX)).all(|s| !mask.contains(SmxId(s)) || u32::from(s) < self.c.smxs);
                if mask.is_empty() || !within {
                    return Err(Fault::BadMask);
                }
            }
        }
        if self.bad_activity(activity) {
            return Err(Fault::BadActivity);
        }
        let mut out = Sample::default();
        self.last_sample = Some(now);
        self.close(now, activity);
        self.n.samples += 1;
        for s in self.all() {
            if self.need(s) {
                self.smxs[s].bubble += 1;
            } else {
                self.smxs[s].armed = true;
            }
            if self.pstate(s) == PState::Low {
                self.smxs[s].low += 1;
            }
        }
        self.rules(waiting, &mut out);
        for s in self.all() {
            out.eligible.set(id(s), self.eligible(s));
        }
        out.registers = self.registers();
        Ok(out)
    }

    fn rules(&mut self, waiting: Option<&Waiting>, out: &mut Sample) {
        // bubble_dvfs-S2
        if self.gpu {
            if self.gpu_pstate != PState::Low {
                self.gpu_timer -= 1;
                if self.gpu_timer == 0 && self.gpu_pstate == PState::Down {
                    self.gpu_pstate = PState::Low;
                    out.gpu_done = Some(GpuDone::Low);
                } else if self.gpu_timer == 0 {
                    self.gpu = false;
                    self.gpu_pstate = PState::High;
                    out.gpu_done = Some(GpuDone::High);
                }
            }
        } else {
            for s in self.all() {
                if !self.moving(s) {
                    continue;
                }
                let x = &mut self.smxs[s];
                x.timer -= 1;
                if x.timer > 0 {
                    continue;
                }
                if x.down {
                    out.low_done.set(id(s), true);
                } else {
                    x.dvfs = false;
                    x.armed = false;
                    out.high_done.set(id(s), true);
                }
            }
        }
        if !self.c.enabled {
            return;
        }
        // bubble_dvfs-S3
        if self.gpu {
            if self.gpu_pstate == PState::Low && waiting.is_some() {
                self.gpu_pstate = PState::Up;
                self.gpu_timer = self.c.transition_samples;
                out.gpu_start = Some(GpuStart::Up);
                self.n.gpu_up += 1;
            }
            return;
        }
        // bubble_dvfs-S4
        if waiting.is_none() && self.all().all(|s| self.idle(s)) {
            self.idle += 1;
        } else {
            self.idle = 0;
        }
        if self.c.gpu_level && self.idle >= u64::from(self.c.gpu_idle_samples) && !self.all().any(|s| self.moving(s)) {
            for s in self.all() {
                self.smxs[s].was_low = self.pstate(s) == PState::Low;
            }
            self.gpu = true;
            self.gpu_pstate = PState::Down;
            self.gpu_timer = self.c.transition_samples;
            self.idle = 0;
            for x in &mut self.smxs {
                x.dvr = false;
                x.drn = false;
                x.dvfs = false;
                x.drain = 0;
                x.armed = true;
            }
            out.gpu_start = Some(GpuStart::Down);
            self.n.gpu_down += 1;
            return;
        }
        // bubble_dvfs-S5
        let mut resumed = None;
        if let Some(w) = waiting
            && !self.all().any(|d| self.eligible(d) && !self.full(d) && self.may(d, w))
        {
            out.starved = true;
            let held = self.c.resume_hold && self.all().any(|s| self.pstate(s) == PState::Up);
            let draining = self.all().find(|&s| self.c.resume_draining && self.smxs[s].drn && self.may(s, w));
            let low = self.all().find(|&s| self.pstate(s) == PState::Low && self.smxs[s].dvr && self.may(s, w));
            if let Some(s) = draining.filter(|_| !held) {
                let x = &mut self.smxs[s];
                x.dvr = false;
                x.drn = false;
                x.drain = 0;
                x.armed = false;
                out.resume = Some(Resume::cancel(id(s)));
                self.n.cancel += 1;
                resumed = Some(s);
            } else if let Some(s) = low.filter(|_| !held) {
                let x = &mut self.smxs[s];
                x.dvr = false;
                x.down = false;
                x.timer = self.c.transition_samples;
                out.resume = Some(Resume::up(id(s)));
                self.n.up += 1;
                resumed = Some(s);
            }
        }
        // bubble_dvfs-S6
        for s in self.all() {
            if resumed == Some(s) || self.moving(s) {
                continue;
            }
            if self.smxs[s].drn && self.idle(s) {
                self.smxs[s].drn = false;
                self.smxs[s].drain = 0;
                out.drain_done.set(id(s), true);
                self.n.drain_done += 1;
                self.go_down(s, out);
            } else if self.smxs[s].drn {
                let x = &mut self.smxs[s];
                x.drain += 1;
                if x.drain == self.c.drain_samples {
                    x.dvr = false;
                    x.drn = false;
                    x.drain = 0;
                    x.armed = false;
                    out.drain_abort.set(id(s), true);
                    self.n.drain_abort += 1;
                }
            } else if !self.smxs[s].dvr && self.need(s) && (self.smxs[s].armed || self.c.retrigger == Retrigger::Level)
            {
                if self.c.retrigger == Retrigger::Once {
                    self.smxs[s].armed = false;
                }
                let exists = self.all().any(|d| {
                    d != s
                        && self.eligible(d)
                        && !self.need(d)
                        && !self.full(d)
                        && waiting.is_none_or(|w| self.may(d, w))
                });
                if !exists {
                    out.refused.set(id(s), true);
                    self.n.refused += 1;
                    continue;
                }
                self.smxs[s].dvr = true;
                out.divert.set(id(s), true);
                self.n.divert += 1;
                if self.idle(s) || !self.c.draining {
                    self.go_down(s, out);
                } else {
                    self.smxs[s].drn = true;
                    self.smxs[s].drain = 0;
                }
            }
        }
    }

    fn go_down(&mut self, s: usize, out: &mut Sample) {
        let x = &mut self.smxs[s];
        x.dvfs = true;
        x.down = true;
        x.timer = self.c.transition_samples;
        out.down.set(id(s), true);
        self.n.down += 1;
    }

    fn set(&self, holds: impl Fn(&Smx) -> bool) -> SmxSet {
        let mut set = SmxSet::EMPTY;
        for s in self.all() {
            set.set(id(s), holds(&self.smxs[s]));
        }
        set
    }

    fn registers(&self) -> Registers {
        Registers { dvr: self.set(|x| x.dvr), drn: self.set(|x| x.drn), dvfs: self.set(|x| x.dvfs), gpu: self.gpu }
    }
}

fn id(s: usize) -> SmxId {
    SmxId(s as u16)
}

impl Machine for Model {
    type Event = Event;
    type Answered = Result<Answer, Fault>;
    type View = View;
    type Mark = Self;

    fn mark(&self) -> Self {
        self.clone()
    }

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        match event {
            Event::Dispatched { now: Cycle(now), smx, res } => self.dispatched(*now, smx.0, res).map(Answer::Resident),
            Event::Completed { now: Cycle(now), smx, res } => self.completed(*now, smx.0, res).map(Answer::Resident),
            Event::Sample { now: Cycle(now), waiting, activity } => {
                let sample = self.sample(*now, waiting.as_ref(), activity.as_ref())?;
                Ok(Answer::Sample(sample))
            }
            Event::Account { now: Cycle(now), activity } => {
                self.account(*now, activity.as_ref()).map(|()| Answer::Done)
            }
        }
    }

    fn view(&self) -> View {
        let smx = |s: usize| {
            let x = &self.smxs[s];
            SmxState {
                pstate: self.pstate(s),
                // A timer that was absorbed by the GPU level runs no longer.
                timer: if !self.gpu && self.moving(s) { x.timer } else { 0 },
                drain: x.drain,
                free: Resources { threads: x.threads, regs: x.regs, smem: x.smem, slots: x.slots },
                resident: Resident { tbs: x.tbs, warps: x.warps },
                energy: x.energy,
                energy_bubble: x.energy_bubble,
                bubble: x.bubble,
                low: x.low,
            }
        };
        let mut eligible = SmxSet::EMPTY;
        self.all().for_each(|s| eligible.set(id(s), self.eligible(s)));
        View {
            registers: self.registers(),
            eligible,
            armed: self.set(|x| x.armed),
            gpu_pstate: self.gpu_pstate,
            gpu_timer: self.gpu_timer,
            idle_run: self.idle,
            smxs: self.all().map(smx).collect(),
            energy_uncore: self.energy_uncore,
            stats: self.n,
        }
    }
}
