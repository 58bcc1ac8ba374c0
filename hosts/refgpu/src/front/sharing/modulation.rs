//! TLP modulation on the whole machine: a [`TlpSm`](gpusched::tlp::TlpSm) per SM, two kernels at a time, and the pool of those that wait
//! (tlp-D1 to D6, tlp-P1 to P4, tlp-O1 to O3; frontend-C3).

use gpusched::tlp::{AttachedTlpSm, Kernel, KernelId, Metrics, Mode, Period, Pool, TbNeeds, TlpConfig};
use gpusched::{ClassId, ConfigError, Cycle, Fault, SlotId, SmxId, SmxSet, TbPlacement};

use super::{Core, Pipes};
use crate::program::StreamProfile;
use crate::stats::{SharingStats, Targets, TlpWalk};

/// The machine of an SM.
#[derive(Debug)]
struct Smx {
    unit: AttachedTlpSm,
    /// Its counters at the start of the running period, and that start.
    start: Option<(Cycle, Pipes)>,
    /// A decision is made until this cycle; before it no TB comes.
    frozen_until: u64,
    /// The last entry in the walk.
    shown: ([u32; 2], [u32; 2]),
}

/// The machines of all SMs.
#[derive(Debug)]
pub(super) struct Modulation {
    smxs: Vec<Smx>,
    units: TlpConfig,
    profiles: Vec<StreamProfile>,
    /// The stream in the place of kernel 0 and 1.
    places: [Option<usize>; 2],
    /// Streams that wait.
    pool: Pool,
    waiting: Vec<(KernelId, usize)>,
    /// SMs with events since their counters were read.
    pub(super) touched: SmxSet,
    pub(super) walk: TlpWalk,
}

impl Modulation {
    /// The machines, and who begins: both of two streams, or whom the pool picks of more.
    pub(super) fn new(units: &TlpConfig, profiles: &[StreamProfile]) -> Result<Self, ConfigError> {
        let smx = |s: u32| {
            let unit = AttachedTlpSm::new(SmxId(s as u16), units)?;
            Ok(Smx { unit, start: None, frozen_until: 0, shown: Default::default() })
        };
        let mut all = Self {
            smxs: (0..units.sms).map(smx).collect::<Result<_, ConfigError>>()?,
            units: *units,
            profiles: profiles.to_vec(),
            places: [None; 2],
            pool: Pool::new(units)?,
            waiting: Vec::new(),
            touched: SmxSet::EMPTY,
            walk: TlpWalk::default(),
        };
        if profiles.len() <= 2 {
            all.places = [(!profiles.is_empty()).then_some(0), (profiles.len() > 1).then_some(1)];
        } else {
            for (stream, profile) in profiles.iter().enumerate() {
                // The configuration was asked for a place for each.
                if let Ok(entry) = all.pool.add(profile.category.kind, profile.pref, true) {
                    all.waiting.push((entry, stream));
                }
            }
            all.fill();
        }
        Ok(all)
    }

    /// Puts streams of the pool into free places (tlp-O2, tlp-O3).
    fn fill(&mut self) {
        let stream = |waiting: &mut Vec<(KernelId, usize)>, entry: KernelId| {
            let at = waiting.iter().position(|&(of, _)| of == entry)?;
            Some(waiting.remove(at).1)
        };
        match self.places {
            [None, None] => {
                if let Some(picked) = self.pool.pick_pair() {
                    self.places[0] = stream(&mut self.waiting, picked.a);
                    self.places[1] = picked.b.and_then(|b| stream(&mut self.waiting, b));
                }
            }
            [Some(left), None] | [None, Some(left)] => {
                let StreamProfile { category, pref, .. } = self.profiles[left];
                if let Some(next) = self.pool.pick_next(category.kind, pref) {
                    let free = usize::from(self.places[0].is_some());
                    self.places[free] = stream(&mut self.waiting, next.i);
                }
            }
            [Some(_), Some(_)] => {}
        }
    }

    /// The place of a stream.
    pub(super) fn place_of(&self, stream: usize) -> Option<usize> {
        self.places.iter().position(|&of| of == Some(stream))
    }

    /// A stream in a place launches a kernel (tlp-D1), unless its last kernel is there still.
    pub(super) fn attach(
        &mut self,
        now: Cycle,
        stream: usize,
        needs: TbNeeds,
        pc: u64,
        core: &mut Core,
    ) -> Result<(), Fault> {
        let k = self.place_of(stream).ok_or(Fault::NotLive)?;
        core.set_class(ClassId(k as u8), pc)?;
        let kernel = Kernel { needs, category: self.profiles[stream].category };
        for smx in self.smxs.iter_mut().filter(|smx| smx.unit.sm().kernel(KernelId(k as u8)).is_none()) {
            smx.unit.attach(now, KernelId(k as u8), kernel)?;
        }
        self.touched = self.all();
        Ok(())
    }

    /// The front end has sent a TB.
    pub(super) fn placed(&mut self, now: Cycle, tb: &TbPlacement, core: &Core) -> Result<(), Fault> {
        self.touched.set(tb.smx, true);
        self.smxs[usize::from(tb.smx.0)].unit.placed(now, tb, core).map(|_| ())
    }

    /// A stream has sent its last TB: where none is resident, the other kernel has the SM for itself (tlp-D5). SMs with news.
    pub(super) fn exhaust(&mut self, now: Cycle, stream: usize, stats: &mut SharingStats) -> Result<SmxSet, Fault> {
        let Some(k) = self.place_of(stream) else { return Ok(SmxSet::EMPTY) };
        self.all().iter().try_for_each(|smx| self.detach(now, smx, k, stats))?;
        Ok(self.all())
    }

    fn all(&self) -> SmxSet {
        SmxSet::first(self.units.sms)
    }

    fn detach(&mut self, now: Cycle, s: SmxId, k: usize, stats: &mut SharingStats) -> Result<(), Fault> {
        let smx = &mut self.smxs[usize::from(s.0)];
        let sm = smx.unit.sm();
        if sm.kernel(KernelId(k as u8)).is_some() && sm.resident()[k] == 0 {
            let detached = smx.unit.kernel_done(now, KernelId(k as u8))?;
            stats.aborted += u64::from(detached.aborted);
            self.touched.set(s, true);
        }
        Ok(())
    }

    /// The TB in a slot has ended, of a stream that will send no more if that is named.
    pub(super) fn done(
        &mut self,
        now: Cycle,
        sm: u16,
        slot: SlotId,
        exhausted: Option<usize>,
        stats: &mut SharingStats,
    ) -> Result<(), Fault> {
        self.touched.set(SmxId(sm), true);
        self.smxs[usize::from(sm)].unit.done(now, slot)?;
        match exhausted.and_then(|stream| self.place_of(stream)) {
            Some(k) => self.detach(now, SmxId(sm), k, stats),
            None => Ok(()),
        }
    }

    /// A stream has no more kernels: its place is for another.
    pub(super) fn leave(
        &mut self,
        now: Cycle,
        stream: usize,
        core: &mut Core,
        stats: &mut SharingStats,
    ) -> Result<(), Fault> {
        let Some(k) = self.place_of(stream) else { return Ok(()) };
        self.exhaust(now, stream, stats)?;
        core.clear_class(ClassId(k as u8))?;
        self.places[k] = None;
        self.fill();
        Ok(())
    }

    /// The counters of an SM in cycle `now`: at the start of a period they are kept, at its end it is sampled (tlp-P2 to P4; refgpu-G3).
    pub(super) fn observe(
        &mut self,
        now: Cycle,
        sm: u16,
        pipes: &Pipes,
        core: &Core,
        stats: &mut SharingStats,
    ) -> Result<(), Fault> {
        let places = self.places;
        let smx = &mut self.smxs[usize::from(sm)];
        if let Period::Await { start, end } = smx.unit.sm().period() {
            let before = smx.start.take().filter(|(at, _)| *at == start).map_or(*pipes, |(_, pipes)| pipes);
            let metrics = metrics(&before, pipes, places, end.since(start), &self.units);
            let sampled = smx.unit.sample(now, &metrics, core)?;
            stats.count(&sampled);
            smx.frozen_until = now.0 + 1 + u64::from(sampled.cost);
        }
        if let Period::Sampling { start, .. } = smx.unit.sm().period()
            && smx.start.is_none_or(|(at, _)| at != start)
        {
            smx.start = Some((start, *pipes));
        }
        let (tb, by) = (smx.unit.sm().tb(), smx.unit.sm().by());
        if smx.shown != (tb, by) {
            smx.shown = (tb, by);
            self.walk.add(Targets { cycle: now.0, sm, tb, by, streams: places });
        }
        Ok(())
    }

    /// When the next decision is made; `u64::MAX` if none is being made.
    pub(super) fn thaws(&self) -> u64 {
        let at = self.smxs.iter().map(|smx| smx.frozen_until).filter(|&at| at > 0);
        at.min().unwrap_or(u64::MAX)
    }

    /// Ends the decisions that are made by cycle `now`; the SMs.
    pub(super) fn thaw(&mut self, now: u64) -> SmxSet {
        let mut thawed = SmxSet::EMPTY;
        let all = self.all().iter().zip(&mut self.smxs);
        for (s, smx) in all.filter(|(_, smx)| (1..=now).contains(&smx.frozen_until)) {
            smx.frozen_until = 0;
            thawed.set(s, true);
        }
        thawed
    }

    /// Gate K of an SM: its targets; shut while a decision is made (refgpu-G4).
    pub(super) fn set_gate(&self, s: SmxId, core: &mut Core) -> Result<(), Fault> {
        let smx = &self.smxs[usize::from(s.0)];
        if smx.frozen_until == 0 || smx.unit.sm().mode() == Mode::Idle {
            return smx.unit.set_gate(core);
        }
        [ClassId(0), ClassId(1)].into_iter().try_for_each(|class| core.set_class_cap(class, s, 0, 0))
    }
}

/// What was counted in a period of so many cycles, for the kernels in both places.
fn metrics(start: &Pipes, end: &Pipes, places: [Option<usize>; 2], cycles: u64, units: &TlpConfig) -> Metrics {
    let busy = |of: fn(&Pipes) -> &[u64], pipelines: u32| {
        let [k0, k1] = places.map(|stream| stream.map_or(0, |s| of(end)[s].saturating_sub(of(start)[s])));
        // A unit that is taken for several cycles at once may be busy beyond the end.
        let most = cycles * u64::from(pipelines);
        let k0 = k0.min(most);
        [k0, k1.min(most - k0)]
    };
    Metrics {
        sp: busy(|pipes| &pipes.sp, units.sp_units),
        ldst: busy(|pipes| &pipes.ldst, units.ldst_units),
        stall_mem: end.stalls.0 - start.stalls.0,
        stall_struct: end.stalls.1 - start.stalls.1,
        avail: [false; 2],
    }
}
