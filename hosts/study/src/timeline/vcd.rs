//! A timeline as VCD, the value change dump of Verilog (IEEE 1364), which waveform viewers open: a signal for each queue and table of the
//! front end, each SM, each of its TB slots.
//!
//! Time is in picoseconds of the nominal clock; the signal `cycle` has the core cycle of each. In it are those in which something
//! changes. What a sample counted is there from its end to that of the next.

use super::gauges::{self, Clock, Supplies};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::equalizer::VfPair;
use gpusched_refgpu::power::SmxState;
use gpusched_refgpu::timeline::{Event, Sample, SmSample, Tb};
use std::collections::BTreeMap;
use std::io::{self, Write};
use vcd::{IdCode, SimulationCommand, TimescaleUnit, Value, Writer};

/// The place of a signal in the file's list.
type Signal = usize;

/// A signal.
struct Wire {
    id: IdCode,
    width: u32,
    /// What it is, and what the file says so far.
    value: u64,
    written: u64,
}

/// The signals of an SM.
#[derive(Clone)]
struct Sm {
    tbs: Signal,
    warps: Signal,
    state: Signal,
    bubble: Signal,
    supply: [Signal; 2],
    instructions: Signal,
    stalls: [Signal; 7],
    slots: Vec<Signal>,
}

/// A file under way.
pub struct Vcd<W: Write> {
    out: Writer<W>,
    clock: Clock,
    supplies: Supplies,
    wires: Vec<Wire>,
    /// Changes that are not written yet, by cycle.
    changes: BTreeMap<u64, Vec<(Signal, u64)>>,
    /// The last cycle in the file.
    now: u64,
    cycle: Signal,
    depths: [Signal; 9],
    sample_cycles: Signal,
    scheduler: [Signal; 17],
    kmu: [Signal; 5],
    /// The cycles by word at the last sample.
    words: ([u64; 17], [u64; 5]),
    levels: [Signal; 2],
    sms: Vec<Sm>,
}

/// Makes the signals, in the order in which they are declared.
struct Declaring<'a, W: Write> {
    out: &'a mut Writer<W>,
    wires: Vec<Wire>,
}

impl<W: Write> Declaring<'_, W> {
    fn wire(&mut self, width: u32, name: &str) -> io::Result<Signal> {
        self.wires.push(Wire { id: self.out.add_wire(width, name)?, width, value: 0, written: 0 });
        Ok(self.wires.len() - 1)
    }

    fn wires<const N: usize>(&mut self, named: [(impl AsRef<str>, u64); N]) -> io::Result<[Signal; N]> {
        let mut signals = [0; N];
        for (signal, (name, value)) in signals.iter_mut().zip(named) {
            *signal = self.wire(32, name.as_ref())?;
            (self.wires[*signal].value, self.wires[*signal].written) = (value, value);
        }
        Ok(signals)
    }

    fn sm(&mut self, slots: u32, supply: [(&'static str, u64); 2]) -> io::Result<Sm> {
        Ok(Sm {
            tbs: self.wire(16, "tbs")?,
            warps: self.wire(16, "warps")?,
            state: self.wire(3, "pstate")?,
            bubble: self.wire(1, "bubble")?,
            supply: self.wires(supply)?,
            instructions: self.wire(32, "instructions")?,
            stalls: self.wires(gauges::stalls(&SmSample::default()))?,
            slots: (0..slots).map(|slot| self.wire(32, &format!("slot{slot}"))).collect::<io::Result<_>>()?,
        })
    }
}

impl<W: Write> Vcd<W> {
    /// Begins a file of a run of `workload`, `run`, on `gpu`.
    pub fn begin(out: W, workload: &str, run: &str, gpu: &GpuConfig) -> io::Result<Self> {
        let (supplies, mut out) = (Supplies::of(gpu), Writer::new(out));
        out.version(concat!("gpusched ", env!("CARGO_PKG_VERSION")))?;
        out.comment(&format!("{workload} {run} on {}, {} MHz", gpu.name, gpu.sm.clock_mhz))?;
        out.comment("pstate: 0 high, 1 draining, 2 going down, 3 low, 4 going up")?;
        out.comment("slotN: the number of the launch whose TB runs there, from 1; 0 is none")?;
        out.timescale(1, TimescaleUnit::PS)?;
        out.add_module("gpu")?;
        let mut declaring = Declaring { out: &mut out, wires: Vec::new() };
        let cycle = declaring.wire(64, "cycle")?;
        let levels = declaring.wires(supplies.of_levels(VfPair { sm: gpu.vf.sm, mem: gpu.vf.mem }))?;
        declaring.out.add_module("front_end")?;
        let depths = declaring.wires(
            gauges::depths(&Default::default()).map(|(group, name, value)| (format!("{group}_{name}"), value)),
        )?;
        let sample_cycles = declaring.wire(32, "sample_cycles")?;
        let (scheduler, kmu) = (gauges::scheduler(&Default::default()), gauges::kmu(&Default::default()));
        declaring.out.add_module(scheduler.name)?;
        let scheduler = declaring.wires(scheduler.values)?;
        declaring.out.upscope()?;
        declaring.out.add_module(kmu.name)?;
        let kmu = declaring.wires(kmu.values)?;
        declaring.out.upscope()?;
        declaring.out.upscope()?;
        let mut sms = Vec::new();
        for sm in 0..gpu.sm.count {
            declaring.out.add_module(&format!("sm{sm}"))?;
            sms.push(declaring.sm(gpu.sm.tb_slots, supplies.of_state(SmxState::High))?);
            declaring.out.upscope()?;
        }
        let wires = declaring.wires;
        out.upscope()?;
        out.enddefinitions()?;
        out.timestamp(0)?;
        out.begin(SimulationCommand::Dumpvars)?;
        wires.iter().try_for_each(|wire| change(&mut out, wire))?;
        out.end()?;
        let (clock, changes) = (Clock::of(gpu), BTreeMap::new());
        let words = ([0; 17], [0; 5]);
        Ok(Self {
            out,
            clock,
            supplies,
            wires,
            changes,
            now: 0,
            cycle,
            depths,
            sample_cycles,
            scheduler,
            kmu,
            words,
            levels,
            sms,
        })
    }

    /// Takes an event of cycle `at`.
    pub fn event(&mut self, at: u64, event: &Event<'_>) -> io::Result<()> {
        match *event {
            Event::Launch { .. } | Event::Visible(_) | Event::Left { .. } => {}
            Event::Start { tb, .. } => self.tb(at, tb, true),
            Event::End { tb, .. } => self.tb(at, tb, false),
            Event::Depths(depths) => self.set_all(at, self.depths, gauges::depths(&depths).map(|(.., value)| value)),
            Event::State { smx, state, bubble } => {
                if let Some(Sm { state: signal, bubble: bit, supply, .. }) = self.sms.get(usize::from(smx)) {
                    let (signal, bit, supply) = (*signal, *bit, *supply);
                    self.set(at, signal, state as u64);
                    self.set(at, bit, bubble.into());
                    self.set_all(at, supply, self.supplies.of_state(state).map(|(_, value)| value));
                }
            }
            Event::Levels(levels) => {
                self.set_all(at, self.levels, self.supplies.of_levels(levels).map(|(_, value)| value));
            }
            Event::Sample(sample) => self.sample(at, sample),
        }
        // What changes in the next cycle may have been told; what changed in the one before, no more.
        let settled = self.changes.split_off(&at.saturating_sub(1));
        let settled = std::mem::replace(&mut self.changes, settled);
        settled.into_iter().try_for_each(|(cycle, changes)| self.write(cycle, changes))
    }

    /// Ends the file with the run, or with what there is of it, in cycle `at`.
    pub fn end(mut self, at: u64) -> io::Result<()> {
        let changes = std::mem::take(&mut self.changes);
        changes.into_iter().try_for_each(|(cycle, changes)| self.write(cycle, changes))?;
        self.reach(at)?;
        self.out.flush()
    }

    fn set(&mut self, at: u64, signal: Signal, value: u64) {
        self.wires[signal].value = value;
        self.changes.entry(at).or_default().push((signal, value));
    }

    fn set_all<const N: usize>(&mut self, at: u64, signals: [Signal; N], values: [u64; N]) {
        signals.into_iter().zip(values).for_each(|(signal, value)| self.set(at, signal, value));
    }

    /// What changed in a cycle.
    fn write(&mut self, cycle: u64, changes: Vec<(Signal, u64)>) -> io::Result<()> {
        // Of several changes of a signal the last counts.
        let changes: BTreeMap<Signal, u64> = changes.into_iter().collect();
        for (signal, value) in changes {
            if self.wires[signal].written != value {
                self.reach(cycle)?;
                self.wires[signal].written = value;
                change(&mut self.out, &self.wires[signal])?;
            }
        }
        Ok(())
    }

    /// Comes to a cycle.
    fn reach(&mut self, cycle: u64) -> io::Result<()> {
        if cycle <= self.now {
            return Ok(());
        }
        self.now = cycle;
        self.out.timestamp(self.clock.ps(cycle))?;
        self.wires[self.cycle].written = cycle;
        change(&mut self.out, &self.wires[self.cycle])
    }

    fn tb(&mut self, at: u64, tb: &Tb, starts: bool) {
        let Some(sm) = self.sms.get(usize::from(tb.sm)) else { return };
        let warps = u64::from(tb.threads.div_ceil(32));
        let (counts, slot) = ([(sm.tbs, 1), (sm.warps, warps)], sm.slots.get(usize::from(tb.slot)).copied());
        for (signal, by) in counts {
            let now = self.wires[signal].value;
            self.set(at, signal, if starts { now + by } else { now.saturating_sub(by) });
        }
        if let Some(slot) = slot {
            self.set(at, slot, if starts { u64::from(tb.launch) + 1 } else { 0 });
        }
    }

    fn sample(&mut self, at: u64, sample: &Sample<'_>) {
        self.set(at, self.sample_cycles, sample.cycles);
        let (scheduler, kmu) = (gauges::scheduler(&sample.words), gauges::kmu(&sample.words));
        let (scheduler, kmu) = (scheduler.values.map(|(_, n)| n), kmu.values.map(|(_, n)| n));
        let before = std::mem::replace(&mut self.words, (scheduler, kmu));
        self.set_all(at, self.scheduler, std::array::from_fn(|i| scheduler[i] - before.0[i]));
        self.set_all(at, self.kmu, std::array::from_fn(|i| kmu[i] - before.1[i]));
        for (place, counts) in sample.sms.iter().enumerate() {
            let Some(Sm { instructions, stalls, .. }) = self.sms.get(place) else { continue };
            let (instructions, stalls) = (*instructions, *stalls);
            self.set(at, instructions, counts.instructions);
            self.set_all(at, stalls, gauges::stalls(counts).map(|(_, value)| value));
        }
    }
}

/// Writes what the file is to say of a signal.
fn change<W: Write>(out: &mut Writer<W>, wire: &Wire) -> io::Result<()> {
    let bit = |place: u32| Value::from(wire.written >> place & 1 != 0);
    if wire.width == 1 {
        return out.change_scalar(wire.id, bit(0));
    }
    // Leading zeros are left out, as the format allows.
    let bits = (u64::BITS - wire.written.leading_zeros()).clamp(1, wire.width);
    out.change_vector(wire.id, (0..bits).rev().map(bit))
}
