//! What a sample leads to (tlp-P4): modulation (tlp-M1 to M6).

use super::TlpSm;
use super::learn::{Learn, PeriodStall};
use super::period::Period;
use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::tlp::config::{HistoryRule, Order, PuhpTie, TlpConfig};
use crate::tlp::kernel::{KernelId, Pair, Which};

/// The counters of a period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Metrics {
    /// Cycles in which SP pipelines were busy with kernel 0 and 1.
    pub sp: [u64; 2],
    /// Cycles in which LD/ST pipelines were.
    pub ldst: [u64; 2],
    /// Stalls for memory.
    pub stall_mem: u64,
    /// Structural stalls.
    pub stall_struct: u64,
    /// Whether kernel 0 and 1 have TBs to be sent.
    pub avail: [bool; 2],
}

/// A pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Pipe {
    /// The arithmetic one.
    Sp,
    /// That of loads and stores.
    Ldst,
}

/// What became of the targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Action {
    /// The period took no time: nothing.
    Void,
    /// They are not modulated.
    Off,
    /// They wait until learning has ended.
    Frozen,
    /// There was nothing to compare with.
    First,
    /// Both utilisations rise: nothing.
    Hold,
    /// Both kernels lean on the critical pipeline alike: nothing.
    Tie,
    /// The kernel that is to grow has no TBs to send: nothing.
    #[cfg_attr(feature = "serde", serde(rename = "nowork"))]
    NoWork,
    /// The other kernel cannot shrink enough: nothing.
    Blocked,
    /// They have moved.
    Moved,
}

/// What a sample leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sampled {
    /// What became of the targets.
    pub action: Action,
    /// The pipeline whose utilisation fell.
    pub critical: Option<Pipe>,
    /// The kernel that was to grow.
    pub grow: Option<KernelId>,
    /// Targets of kernel 0 and 1.
    pub tb: [u32; 2],
    /// Bypassing TBs wanted of kernel 0 and 1.
    pub by: [u32; 2],
    /// What is learnt now.
    pub learn: Learn,
    /// Cycles that the hardware takes for it.
    pub cost: u32,
}

/// Utilisations of a period, in 65536ths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Load {
    /// Of SP.
    pub sp: u32,
    /// Of LD/ST.
    pub ldst: u32,
    /// Of SP by kernel 0 and 1.
    pub sp_of: [u32; 2],
    /// Of LD/ST by kernel 0 and 1.
    pub ldst_of: [u32; 2],
}

/// The utilisations of periods so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct History {
    /// Their sum of weights is 1.
    pub load: Load,
    /// Periods, at most 65535.
    pub periods: u16,
}

impl Load {
    /// The most that a pipeline can be used.
    pub(super) const FULL: u32 = 1 << 16;

    /// tlp-M1; `None` if a pipeline was busier than the period was long.
    fn of(metrics: &Metrics, cycles: u64, config: &TlpConfig) -> Option<Self> {
        let pipe = |[b0, b1]: [u64; 2], units: u32| {
            let most = u128::from(cycles) * u128::from(units);
            let busy = u128::from(b0) + u128::from(b1);
            // At most FULL. Without a cycle there is nothing to be told of.
            let share = |busy: u128| (busy * u128::from(Self::FULL)).checked_div(most).unwrap_or(0) as u32;
            (busy <= most).then(|| (share(busy), [share(b0.into()), share(b1.into())]))
        };
        let (sp, sp_of) = pipe(metrics.sp, config.sp_units)?;
        let (ldst, ldst_of) = pipe(metrics.ldst, config.ldst_units)?;
        Some(Self { sp, ldst, sp_of, ldst_of })
    }

    /// All values of two periods, made one by one into those of a third.
    fn zip(&self, other: &Self, f: impl Fn(u32, u32) -> u32) -> Self {
        let pair = |[a0, a1]: [u32; 2], [b0, b1]: [u32; 2]| [f(a0, b0), f(a1, b1)];
        Self {
            sp: f(self.sp, other.sp),
            ldst: f(self.ldst, other.ldst),
            sp_of: pair(self.sp_of, other.sp_of),
            ldst_of: pair(self.ldst_of, other.ldst_of),
        }
    }
}

impl History {
    /// tlp-M6.
    fn add(&mut self, load: &Load, config: &TlpConfig) {
        let (shift, periods) = (config.his_shift, u64::from(self.periods));
        let ewma = |his: u32, cur: u32| {
            let weight = 1u64.wrapping_shl(shift) - 1;
            (u64::from(his) * weight + u64::from(cur)).wrapping_shr(shift) as u32
        };
        let mean = |his: u32, cur: u32| {
            let sum = u64::from(his) * periods + u64::from(cur);
            sum.checked_div(periods + 1).unwrap_or(0) as u32
        };
        self.load = match config.his_rule {
            HistoryRule::Ewma => self.load.zip(load, ewma),
            HistoryRule::Mean => self.load.zip(load, mean),
        };
        self.periods = self.periods.saturating_add(1);
    }
}

/// What the modulation step did.
struct Step {
    action: Action,
    critical: Option<Pipe>,
    grow: Option<Which>,
    /// Comparisons and additions.
    ops: u32,
}

impl Step {
    const fn of(action: Action) -> Self {
        Self { action, critical: None, grow: None, ops: 0 }
    }
}

impl TlpSm {
    /// tlp-P4: the counters of the period that has ended.
    ///
    /// # Errors
    /// In this order: `TimeBackwards`; `NoSampleDue`; `BadMetrics` if there are more than 2^64 - 1 stalls, or more busy cycles than the
    /// period and the pipelines allow.
    pub fn sample(&mut self, now: Cycle, metrics: &Metrics) -> Result<Sampled, Fault> {
        self.check_time(now)?;
        let Period::Await { start, end } = self.period else { return Err(Fault::NoSampleDue) };
        let cycles = end.since(start);
        let count = metrics.stall_mem.checked_add(metrics.stall_struct).ok_or(Fault::BadMetrics)?;
        let load = Load::of(metrics, cycles, &self.config).ok_or(Fault::BadMetrics)?;
        self.now = now;
        self.period = Period::Waiting;
        let step = match cycles {
            // tlp-H1.
            0 => Step::of(Action::Void),
            _ => self.end_period(&load, PeriodStall { count, cycles }, metrics.avail),
        };
        self.start_period();
        Ok(Sampled {
            action: step.action,
            critical: step.critical,
            grow: step.grow.map(Which::id),
            tb: self.tb.0,
            by: self.by.0,
            learn: self.learning.name(),
            cost: step.ops.wrapping_mul(self.config.op_cycles),
        })
    }

    /// Learning, then modulation, then tlp-L6, in the order of tlp-P4.
    fn end_period(&mut self, load: &Load, stall: PeriodStall, avail: [bool; 2]) -> Step {
        let is_frozen = self.config.order == Order::BypassFirst && self.learning.is_on();
        self.learn_from(stall);
        let step = match self.config.dynamic {
            false => Step::of(Action::Off),
            true if is_frozen => Step::of(Action::Frozen),
            true => self.modulate(load, Pair(avail)),
        };
        // Also without a step: a target may have become 0 since a TB of the kernel was tried.
        self.clamp_bypass();
        step
    }

    /// tlp-M2 to M6.
    fn modulate(&mut self, load: &Load, avail: Pair<bool>) -> Step {
        // tlp-A5.
        if self.history.periods == 0 {
            self.history = History { load: *load, periods: 1 };
            return Step::of(Action::First);
        }
        let step = match self.critical(load) {
            None => Step { ops: 2, ..Step::of(Action::Hold) },
            Some(critical) => self.grow(critical, avail),
        };
        self.history.add(load, &self.config);
        step
    }

    /// tlp-M3, tlp-M4: the pipeline whose utilisation fell most; `None` if both rise. One that is idle is never it (tlp-H3).
    fn critical(&self, cur: &Load) -> Option<Pipe> {
        let his = &self.history.load;
        let rising = |cur: u32, his: u32| cur > his || cur == 0 && his == 0 || self.config.hold_on_equal && cur == his;
        if rising(cur.sp, his.sp) && rising(cur.ldst, his.ldst) {
            return None;
        }
        let is_idle = |cur: u32, his: u32| cur == 0 && his == 0;
        let times = |a: u32, b: u32| u64::from(a) * u64::from(b);
        let is_sp = if is_idle(cur.sp, his.sp) {
            false
        } else {
            is_idle(cur.ldst, his.ldst) || times(cur.sp, his.ldst) <= times(cur.ldst, his.sp)
        };
        Some(if is_sp { Pipe::Sp } else { Pipe::Ldst })
    }

    /// tlp-M5: the kernel that leans more on the critical pipeline grows (tlp-A6), beyond what it runs best with, too (tlp-A16). Products
    /// in the place of ratios need no case of their own for an idle pipeline (tlp-H2).
    fn grow(&mut self, critical: Pipe, avail: Pair<bool>) -> Step {
        let still = |action, grow| Step { action, critical: Some(critical), grow, ops: 3 };
        let Load { sp_of: [sp0, sp1], ldst_of: [ldst0, ldst1], .. } = self.history.load;
        let times = |a: u32, b: u32| u64::from(a) * u64::from(b);
        let (x0, x1) = (times(sp0, ldst1), times(sp1, ldst0));
        let g = match critical {
            _ if x0 == x1 => match self.config.puhp_tie {
                PuhpTie::Hold => return still(Action::Tie, None),
                PuhpTie::Grow0 => Which::K0,
            },
            Pipe::Sp if x0 > x1 => Which::K0,
            Pipe::Ldst if x0 < x1 => Which::K0,
            _ => Which::K1,
        };
        let o = g.other();
        // tlp-H6.
        if !avail[g] {
            return still(Action::NoWork, Some(g));
        }
        let Some(tb) = self.grown(g) else { return still(Action::Blocked, Some(g)) };
        let ops = if tb[o] == self.tb[o] { 4 } else { 5 };
        self.tb = tb;
        Step { action: Action::Moved, critical: Some(critical), grow: Some(g), ops }
    }

    /// tlp-M5: the targets with a larger one for `g` and the largest that fits beside it for the other (tlp-A7).
    fn grown(&self, g: Which) -> Option<Pair<u32>> {
        let Pair([Some(k0), Some(k1)]) = self.kernels else { return None };
        let needs = Pair([k0.needs, k1.needs]);
        let o = g.other();
        let least = self.config.min_tlp.min(self.tb[o]);
        let mut tb = self.tb;
        tb[g] += self.config.grow_step;
        (least..=self.tb[o]).rev().find_map(|n| {
            tb[o] = n;
            self.config.fits(&needs, tb).then_some(tb)
        })
    }
}
