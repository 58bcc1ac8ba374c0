//! Kernels of several host streams on one machine: who may send TBs where, by the units of `gpusched::tlp` (frontend-C3).
//!
//! Nothing is decided here. The front end's reports and decisions go to the unit of the policy, and what it wants becomes gate K: a
//! class per stream, or, under TLP modulation, one for each of the two kernels that share SMs. LeftOver needs no gate: the front end
//! itself serves one kernel after the other, and the unit is asked whether it would have sent the same TB.
//!
//! The front end asks the head of its line first. On an SM on which the head has its target, the next kernel in line may have the
//! room that is left (frontend-G6).

mod modulation;

use gpusched::tlp::{Job, KernelId, LeftOver, Sent, SentTb, SmartEven, TbNeeds, TlpConfig};
use gpusched::{ClassId, ConfigError, Cycle, Descriptor, Fault, FrontEnd, SlotId, SmxId, SmxSet, TbPlacement};
use gpusched_heap::HeapTables;

use crate::config::{GpuConfig, LdstBusy, Sharing};
use crate::program::StreamProfile;
use crate::stats::{STREAMS, SharingStats, StreamCounts, TlpWalk};
use modulation::Modulation;

/// The front end.
type Core = FrontEnd<HeapTables>;

/// Pipelines and stalls of an SM so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pipes {
    /// Busy cycles of SP by stream.
    sp: [u64; STREAMS],
    /// Busy cycles of LD/ST by stream.
    ldst: [u64; STREAMS],
    /// Scheduler cycles that waited for memory, and for a unit.
    stalls: (u64, u64),
}

impl Pipes {
    /// By what an SM has counted.
    pub fn of(streams: &[StreamCounts; STREAMS], stalls: (u64, u64), ldst: LdstBusy) -> Self {
        let busy = |stream: &StreamCounts| match ldst {
            LdstBusy::Occupied => stream.lsu.busy,
            LdstBusy::Accepted => stream.lsu.busy - stream.lsu.refused,
        };
        Self {
            sp: std::array::from_fn(|s| streams[s].sp_busy),
            ldst: std::array::from_fn(|s| busy(&streams[s])),
            stalls,
        }
    }
}

/// A host stream.
#[derive(Clone, Debug)]
struct Line {
    profile: StreamProfile,
    /// What a TB of its kernel takes, and the kernel's tag, once it has one.
    needs: Option<TbNeeds>,
    tag: u64,
    /// TBs sent so far, and those of all kernels so far.
    sent: u32,
    announced: u32,
    over: bool,
}

impl Line {
    /// Whether it will send no more TBs.
    fn is_exhausted(&self) -> bool {
        self.over || self.sent >= self.profile.tbs.max(self.announced)
    }
}

#[derive(Debug)]
enum Policy {
    LeftOver {
        unit: Box<LeftOver>,
        kernels: [Option<KernelId>; STREAMS],
    },
    SmartEven {
        unit: Box<SmartEven>,
    },
    /// SMs of the first kernel, and TBs of each on its SMs.
    Smc {
        split: u32,
        b: [u32; 2],
    },
    Tlp(Box<Modulation>),
}

/// The policy, and what it has to know.
#[derive(Debug)]
pub struct Share {
    policy: Policy,
    units: TlpConfig,
    lines: Vec<Line>,
    /// The stream of the TB in each slot, SM by SM.
    owners: Vec<[u8; 64]>,
    /// SMs whose gates may be others now.
    stale: SmxSet,
    stats: SharingStats,
}

impl Share {
    /// The policy of section `tlp` for these streams; `None` if there is none.
    pub fn new(config: &GpuConfig, streams: Vec<StreamProfile>) -> Result<Option<Self>, ConfigError> {
        let (switch, units) = (config.tlp.switch, config.tlp_units());
        let policy = match switch.policy {
            Sharing::Off => return Ok(None),
            Sharing::Leftover => Policy::LeftOver { unit: Box::new(LeftOver::new(&units)?), kernels: [None; STREAMS] },
            Sharing::SmartEven => Policy::SmartEven { unit: Box::new(SmartEven::new(&units)?) },
            Sharing::Smc => {
                let even = units.sms - units.sms / 2;
                let or_all = |b: u32| if b == 0 { units.slots } else { b };
                let split = if switch.split == 0 { even } else { switch.split };
                Policy::Smc { split, b: [or_all(switch.b0), or_all(switch.b1)] }
            }
            Sharing::Tlp => Policy::Tlp(Box::new(Modulation::new(&units, &streams)?)),
        };
        let line = |profile| Line { profile, needs: None, tag: 0, sent: 0, announced: 0, over: false };
        Ok(Some(Self {
            policy,
            units,
            lines: streams.into_iter().map(line).collect(),
            owners: vec![[u8::MAX; 64]; units.sms as usize],
            stale: SmxSet::EMPTY,
            stats: SharingStats::default(),
        }))
    }

    /// Whether a stream may launch its next kernel.
    pub fn admits(&self, stream: usize) -> bool {
        match &self.policy {
            Policy::Tlp(modulation) => modulation.place_of(stream).is_some(),
            _ => true,
        }
    }

    /// A stream is about to launch a kernel.
    pub fn announce(&mut self, now: u64, stream: usize, kernel: &Descriptor, core: &mut Core) -> Result<(), Fault> {
        let needs = needs_of(kernel);
        let tbs = grid_of(kernel);
        let line = &mut self.lines[stream];
        line.needs = Some(needs);
        line.tag = kernel.tag;
        line.announced += tbs;
        match &mut self.policy {
            Policy::LeftOver { unit, kernels } => kernels[stream] = Some(unit.submit(needs, tbs)?),
            Policy::SmartEven { unit } => {
                core.set_class(ClassId(stream as u8), kernel.pc)?;
                let is_first = unit.kernels().is_empty();
                let job = |line: &Line| Some(Job { needs: line.needs?, n_tb: line.profile.tbs.max(line.announced) });
                // All streams launch their first kernels in one cycle.
                if is_first && let Some(jobs) = self.lines.iter().map(job).collect::<Option<Vec<_>>>() {
                    unit.start(&jobs)?;
                    while let Sent::Tb(_) = unit.dispatch() {}
                }
            }
            Policy::Smc { .. } => core.set_class(ClassId(stream as u8), kernel.pc)?,
            Policy::Tlp(modulation) => modulation.attach(Cycle(now), stream, needs, kernel.pc, core)?,
        }
        self.stale = SmxSet::first(self.units.sms);
        Ok(())
    }

    /// A stream has no more kernels.
    pub fn end_stream(&mut self, now: u64, stream: usize, core: &mut Core) -> Result<(), Fault> {
        self.lines[stream].over = true;
        self.stale = SmxSet::first(self.units.sms);
        match &mut self.policy {
            Policy::Tlp(modulation) => modulation.leave(Cycle(now), stream, core, &mut self.stats),
            _ => Ok(()),
        }
    }

    /// The front end has sent a TB; `NotEligible` if the unit would not have.
    pub fn placed(&mut self, now: u64, tb: &TbPlacement, core: &Core) -> Result<(), Fault> {
        let stream = self.lines.iter().position(|line| !line.over && line.needs.is_some() && line.tag == tb.tag);
        let stream = stream.ok_or(Fault::NotEligible)?;
        self.owners[usize::from(tb.smx.0)][usize::from(tb.slot.0) & 63] = stream as u8;
        self.lines[stream].sent += 1;
        match &mut self.policy {
            Policy::LeftOver { unit, kernels } => match unit.dispatch() {
                Sent::Tb(SentTb { sm, k, tb: number })
                    if (sm, Some(k), number) == (tb.smx, kernels[stream], tb.blkid) => {}
                _ => return Err(Fault::NotEligible),
            },
            Policy::SmartEven { .. } | Policy::Smc { .. } => {}
            Policy::Tlp(modulation) => {
                modulation.placed(Cycle(now), tb, core)?;
                if self.lines[stream].is_exhausted() {
                    let freed = modulation.exhaust(Cycle(now), stream, &mut self.stats)?;
                    self.stale = self.stale.or(&freed);
                }
            }
        }
        Ok(())
    }

    /// The TB in a slot has ended.
    pub fn done(&mut self, now: u64, sm: u16, slot: u8) -> Result<(), Fault> {
        let stream = usize::from(self.owners[usize::from(sm)][usize::from(slot) & 63]);
        match &mut self.policy {
            Policy::LeftOver { unit, kernels } => {
                let k = kernels.get(stream).copied().flatten().ok_or(Fault::NotResident)?;
                unit.finish(SmxId(sm), k)?;
            }
            Policy::SmartEven { unit } => {
                if unit.finish(SmxId(sm))?.done {
                    self.stale = SmxSet::first(self.units.sms);
                }
                while let Sent::Tb(sent) = unit.dispatch() {
                    self.stale.set(sent.sm, true);
                }
                self.stale.set(SmxId(sm), true);
            }
            Policy::Smc { .. } => {}
            Policy::Tlp(modulation) => {
                let is_exhausted = self.lines.get(stream).is_some_and(Line::is_exhausted);
                modulation.done(Cycle(now), sm, SlotId(slot), is_exhausted.then_some(stream), &mut self.stats)?;
                self.stale.set(SmxId(sm), true);
            }
        }
        Ok(())
    }

    /// SMs of which the unit wants to know the counters; they are taken.
    pub fn take_touched(&mut self) -> SmxSet {
        match &mut self.policy {
            Policy::Tlp(modulation) => std::mem::take(&mut modulation.touched),
            _ => SmxSet::EMPTY,
        }
    }

    /// The counters of an SM that was touched: a period begins, or has ended and is sampled.
    pub fn observe(&mut self, now: u64, sm: u16, pipes: &Pipes, core: &Core) -> Result<(), Fault> {
        if let Policy::Tlp(modulation) = &mut self.policy {
            modulation.observe(Cycle(now), sm, pipes, core, &mut self.stats)?;
            self.stale.set(SmxId(sm), true);
        }
        Ok(())
    }

    /// Whether gates may have to be set.
    #[inline]
    pub fn is_stale(&self) -> bool {
        !self.stale.is_empty()
    }

    /// The next cycle in which gates have to be set for time alone.
    pub fn next(&self) -> u64 {
        match &self.policy {
            Policy::Tlp(modulation) => modulation.thaws(),
            _ => u64::MAX,
        }
    }

    /// Sets the gates of SMs with news, in cycle `now`; whether there were any.
    pub fn set_gates(&mut self, now: u64, core: &mut Core) -> Result<bool, Fault> {
        if let Policy::Tlp(modulation) = &mut self.policy {
            self.stale = self.stale.or(&modulation.thaw(now));
        }
        let stale = std::mem::take(&mut self.stale);
        stale.iter().try_for_each(|smx| self.set_gate(smx, core))?;
        Ok(!stale.is_empty())
    }

    fn set_gate(&self, smx: SmxId, core: &mut Core) -> Result<(), Fault> {
        match &self.policy {
            Policy::LeftOver { .. } => Ok(()),
            Policy::Tlp(modulation) => modulation.set_gate(smx, core),
            Policy::SmartEven { unit } => {
                let sm = unit.sm(smx);
                (0..self.lines.len() as u8).try_for_each(|c| {
                    let owned = sm.filter(|sm| sm.owner == Some(KernelId(c)));
                    let cap = owned.map_or(0, |sm| sm.resident);
                    core.set_class_cap(ClassId(c), smx, cap, 0)
                })
            }
            Policy::Smc { split, b } => {
                let first = u32::from(smx.0) < *split;
                // When a kernel has ended, the other has all SMs.
                let owner = match (first, self.is_over(0), self.is_over(1)) {
                    (true, false, _) | (false, false, true) => 0,
                    _ => 1,
                };
                (0..self.lines.len().min(2)).try_for_each(|c| {
                    let cap = if c == owner { b[c].min(self.units.slots) } else { 0 };
                    core.set_class_cap(ClassId(c as u8), smx, cap, 0)
                })
            }
        }
    }

    fn is_over(&self, stream: usize) -> bool {
        self.lines.get(stream).is_none_or(|line| line.over)
    }

    /// What was counted, and the way of the targets, under TLP modulation.
    pub fn finish(&mut self) -> (SharingStats, Option<TlpWalk>) {
        let walk = match &mut self.policy {
            Policy::Tlp(modulation) => Some(std::mem::take(&mut modulation.walk)),
            _ => None,
        };
        (self.stats, walk)
    }
}

/// TBs of a kernel.
fn grid_of(kernel: &Descriptor) -> u32 {
    let [x, y, z] = [kernel.grid.x, kernel.grid.y, kernel.grid.z];
    x.saturating_mul(y).saturating_mul(z)
}

/// What a TB of a kernel takes.
fn needs_of(kernel: &Descriptor) -> TbNeeds {
    let Descriptor { tb, regs, smem, .. } = *kernel;
    TbNeeds { threads: tb.x.saturating_mul(tb.y).saturating_mul(tb.z), regs, smem }
}
