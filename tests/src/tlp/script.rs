//! Random runs out of random bytes: small configurations, and events that mostly make sense where a unit stands.

use gpusched::Cycle;
use gpusched::tlp::{
    Category, HistoryRule, Job, Kernel, KernelType, Metrics, Order, Phase, Pref, PuhpTie, SoloTlp, StallNorm, TbNeeds,
    TlpConfig, UpUp,
};

use super::{Event, Kind, SmView, View, kernel, leftover, pool, sm, smart_even, smc, tlp};
use crate::equalizer::{slot, smx};

/// Bytes of a configuration.
pub const CONFIG: usize = 24;
/// Bytes of an event.
pub const EVENT: usize = 14;

/// A unit of a few slots and SMs, with every choice.
#[must_use]
pub fn config(bytes: &[u8; CONFIG]) -> TlpConfig {
    let of = |i: usize, low: u32, high: u32| low + u32::from(bytes[i]) % (high - low + 1);
    let flag = |i: usize, bit: u8| bytes[i] >> bit & 1 == 1;
    TlpConfig {
        threads: of(0, 2, 12),
        regs: of(1, 0, 12),
        smem: of(2, 0, 12),
        slots: of(3, 1, 8),
        sms: of(4, 2, 8),
        tlp_cap: of(5, 1, 8),
        tol_permille: of(6, 0, 1000),
        grow_step: of(7, 1, 3),
        min_tlp: of(8, 1, 3),
        his_shift: of(9, 0, 3),
        sp_units: of(10, 1, 2),
        ldst_units: of(11, 1, 3),
        op_cycles: of(12, 0, 9),
        pool_cap: of(13, 1, 5),
        qcap: of(14, 1, 4),
        hold_on_equal: flag(15, 0),
        puhp_tie: if flag(15, 1) { PuhpTie::Hold } else { PuhpTie::Grow0 },
        his_rule: if flag(15, 2) { HistoryRule::Ewma } else { HistoryRule::Mean },
        // Mostly on.
        dynamic: of(16, 0, 4) > 0,
        bypass: of(17, 0, 4) > 0,
        wait_by: flag(18, 0) || flag(18, 1),
        order: if flag(18, 2) { Order::Concurrent } else { Order::BypassFirst },
        stall_norm: if flag(18, 3) { StallNorm::Raw } else { StallNorm::PerCycle },
        solo_tlp: if flag(18, 4) { SoloTlp::Max } else { SoloTlp::Opt },
        upup: if flag(18, 5) { UpUp::Leftover } else { UpUp::Half },
        avoid_upup: flag(19, 0),
        idle_only: flag(19, 1),
        smart: flag(19, 2),
    }
}

/// Bytes, taken one after the other.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    /// Below `n`.
    fn below(&mut self, n: u32) -> u32 {
        u32::from(self.byte()).checked_rem(n).unwrap_or(0)
    }

    /// A mistake, now and then.
    fn wrong(&mut self) -> bool {
        self.below(32) == 31
    }

    fn needs(&mut self) -> TbNeeds {
        let sizes = self.byte();
        let (threads, regs, smem) = (1 + sizes % 4, sizes >> 2 & 3, sizes >> 4 & 3);
        let odd = sizes >= 250;
        TbNeeds {
            threads: if odd { u32::from(sizes % 2) * 13 } else { threads.into() },
            regs: regs.into(),
            smem: smem.into(),
        }
    }

    /// Mostly one.
    fn kernel(&mut self) -> Option<Kernel> {
        let (needs, kind, opt) = (self.needs(), self.byte(), self.byte());
        if kind > 252 {
            return None;
        }
        let kind = [KernelType::Down, KernelType::Optimal, KernelType::Up][usize::from(kind % 3)];
        let opt = if opt > 252 { 0 } else { 1 + opt % 8 };
        Some(Kernel { needs, category: Category { kind, opt } })
    }

    fn kind(&mut self) -> KernelType {
        [KernelType::Down, KernelType::Optimal, KernelType::Up][self.below(3) as usize]
    }

    fn pref(&mut self) -> Pref {
        [Pref::Compute, Pref::Memory][self.below(2) as usize]
    }
}

/// An event for a unit that stands so.
#[must_use]
pub fn event(config: &TlpConfig, kind: Kind, view: &View, bytes: &[u8; EVENT]) -> Event {
    let mut b = Bytes(bytes);
    match (kind, view) {
        (Kind::TlpSm, View::TlpSm(sm)) => sm_event(config, sm, &mut b).into(),
        (Kind::Pool, _) => match b.below(8) {
            0..=3 => pool::Event::Add { kind: b.kind(), pref: b.pref(), ready: b.below(3) > 0 }.into(),
            4 => pool::Event::Ready { i: kernel(if b.wrong() { 300 } else { b.below(config.pool_cap + 1) }) }.into(),
            5 => pool::Event::PickPair.into(),
            _ => pool::Event::PickNext { kind: b.kind(), pref: b.pref() }.into(),
        },
        (Kind::LeftOver, View::LeftOver { resident, .. }) => match b.below(16) {
            0..=2 => leftover::Event::Submit { needs: b.needs(), n_tb: b.below(8) }.into(),
            3..=9 => leftover::Event::Dispatch.into(),
            _ => {
                let running = (0u32..)
                    .zip(resident)
                    .flat_map(|(sm, row)| (0u32..).zip(row).filter(|(_, n)| **n > 0).map(move |(k, _)| (sm, k)));
                let running = running.collect::<Vec<_>>();
                let at = b.below(running.len() as u32) as usize;
                let wrong = b.wrong();
                let found = running.get(at).copied().filter(|_| !wrong);
                let (sm, k) = found.unwrap_or_else(|| (b.below(7), b.below(40)));
                leftover::Event::Finish { sm: smx(sm), k: kernel(k) }.into()
            }
        },
        (Kind::SmartEven, View::SmartEven { sms, .. }) => match b.below(16) {
            0 | 1 => {
                let n = b.below(10);
                let jobs = (0..n).map(|_| Job { needs: b.needs(), n_tb: b.below(12) }).collect();
                smart_even::Event::Start { jobs }.into()
            }
            2..=8 => smart_even::Event::Dispatch.into(),
            _ => {
                let running = (0u32..).zip(sms).filter(|(_, sm)| sm.resident > 0).map(|(sm, _)| sm).collect::<Vec<_>>();
                let at = b.below(running.len() as u32) as usize;
                let wrong = b.wrong();
                let sm = running.get(at).copied().filter(|_| !wrong).unwrap_or(u32::from(b.byte()));
                smart_even::Event::Finish { sm: smx(sm) }.into()
            }
        },
        (Kind::Smc, _) => match b.below(8) {
            0 => smc::Event::Start { max: [b.below(5), b.below(5)] }.into(),
            _ => smc::Event::Report { perf: b.below(8).into() }.into(),
        },
        _ => match b.below(4) {
            0 => {
                let n = b.below(36);
                let value = u64::from(b.byte());
                let profile = (0..u64::from(n)).map(|i| (value * (i + 3)) % 11 * (u64::MAX / 11)).collect();
                tlp::Event::Categorise { profile }.into()
            }
            1 => tlp::Event::StaticTlp { k0: b.kernel(), k1: b.kernel(), first: kernel(b.below(9) / 4) }.into(),
            2 => tlp::Event::Max { kernel: b.kernel() }.into(),
            _ => {
                let (kernel, other) = (b.kernel(), b.kernel());
                tlp::Event::Remain { kernel, other, n: if b.wrong() { u32::MAX } else { b.below(10) } }.into()
            }
        },
    }
}

fn sm_event(config: &TlpConfig, sm: &SmView, b: &mut Bytes) -> sm::Event {
    use sm::Event;

    let what = b.below(64);
    let time = b.byte();
    let now = match time {
        255 => Cycle(sm.now.0.saturating_sub(1)),
        254 => Cycle(sm.now.0.saturating_add(1 << 40)),
        _ if time < 100 => sm.now,
        _ => Cycle(sm.now.0.saturating_add(u64::from(time % 16))),
    };
    let live = sm.kernels.iter().flatten().count() as u32;
    let k = kernel(if b.wrong() { 2 + b.below(300) } else { b.below(2) });
    match what {
        // Kernels come soon and stay for a while.
        0..=11 if live < 2 && what != 3 && what != 5 => {
            Event::Attach { now, k: if sm.kernels[0].is_none() { kernel(0) } else { k }, kernel: b.kernel() }
        }
        0 | 1 => Event::Attach { now, k, kernel: b.kernel() },
        2..=4 => Event::Done { now, k },
        // Small targets, 0 among them, mostly fit.
        5 | 12..=15 if live == 2 || what == 5 => {
            let of = b.byte();
            let most = if of >> 6 == 3 { 7 } else { 3 };
            let tb = [u32::from(of & most), u32::from(of >> 3 & most)];
            Event::OverrideTlp { now, tb: if b.wrong() { [u32::MAX, 1] } else { tb } }
        }
        6..=7 => Event::Finish { now, slot: slot(b.below(40)) },
        _ if sm.state.phase == Phase::Await && what.is_multiple_of(2) => {
            let cycles = sm.state.start.zip(sm.state.end).map_or(0, |(start, end)| end.0 - start.0);
            Event::Sample { now, metrics: metrics(config, cycles, b) }
        }
        8 => Event::Sample { now, metrics: metrics(config, 1, b) },
        9 => Event::Dispatch { now, avail: [true; 2] },
        _ => {
            // TBs come until there is no more room for them, and then end.
            let missing = (0..2).any(|k| sm.state.resident[k] < sm.state.tb[k]);
            if missing && what % 4 != 3 {
                return Event::Dispatch { now, avail: [b.below(8) > 0, b.below(8) > 0] };
            }
            let (of_cohort, cohort) = (b.below(4) > 0, sm.state.cohort);
            let candidates = (0u32..)
                .zip(&sm.slots)
                .filter(|(slot, tb)| tb.is_some() && (!of_cohort || cohort == 0 || cohort >> slot & 1 == 1));
            let candidates = candidates.map(|(slot, _)| slot).collect::<Vec<_>>();
            let at = b.below(candidates.len() as u32) as usize;
            match candidates.get(at) {
                Some(&at) => Event::Finish { now, slot: slot(at) },
                None => Event::Dispatch { now, avail: [b.below(8) > 0, b.below(8) > 0] },
            }
        }
    }
}

/// Counters of a period; too much of something, now and then.
fn metrics(config: &TlpConfig, cycles: u64, b: &mut Bytes) -> Metrics {
    let most = |units: u32| cycles.saturating_mul(units.into());
    let mut share = |units: u32| {
        let (part, other) = (b.byte(), b.byte());
        let busy = most(units) / 8 * u64::from(part % 9);
        let first = match other % 4 {
            0 => 0,
            1 => busy,
            _ => busy / 16 * u64::from(other % 16),
        };
        [first, busy.saturating_sub(first)]
    };
    let (mut sp, ldst) = (share(config.sp_units), share(config.ldst_units));
    let stalls = b.byte();
    let mut stall_mem = u64::from(stalls % 8);
    if stalls == 255 {
        stall_mem = u64::MAX;
    }
    if stalls == 254 {
        sp = [most(config.sp_units), u64::MAX];
    }
    let avail = b.byte();
    Metrics { sp, ldst, stall_mem, stall_struct: u64::from(stalls >> 7), avail: [avail & 7 > 0, avail >> 3 & 7 > 0] }
}
