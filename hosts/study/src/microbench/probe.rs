//! The programs: most are loops of one kind of instruction, whose time is what a longer loop takes more than a shorter one.
//!
//! Differences leave out what comes once: the launch, the first misses, the end.

use crate::failure::Failure;
use crate::interrupt::Watch;
use gpusched::{Descriptor, Dim3};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunError, RunOptions};
use gpusched_refgpu::program::Class;
use gpusched_refgpu::script::{At, Op, kernel, script};
use std::sync::atomic::AtomicBool;

/// Threads of a TB that fills the units of an SM: 32 warps.
const FULL: u32 = 1024;
/// Where global memory begins.
const BASE: u64 = 1 << 32;
/// From a line to one in another row, channel and set.
const ROW_STRIDE: u64 = (1 << 16) + 128;
/// Independent chains of a warp, for rates.
const CHAINS: u32 = 8;

/// A machine that is measured.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    pub gpu: &'a GpuConfig,
    /// Whether measurements are of no more use.
    pub useless: &'a AtomicBool,
}

/// A loop: how often it turns in the shorter run, and how often more in the longer one.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    pub first: u32,
    pub more: u32,
}

impl Bench<'_> {
    /// Core cycles of kernels that run one after the other.
    fn cycles(&self, kernels: &[Descriptor], body: impl Fn(At) -> Op) -> Result<u64, Failure> {
        let gpu = Gpu::new(self.gpu, RunOptions::default()).map_err(|error| Failure::Usage(error.into()))?;
        match gpu.run(&mut script(kernels, body), &mut Watch(self.useless)) {
            Ok(result) => Ok(result.stats.cycles),
            Err(RunError::Cancelled { .. }) => Err(Failure::Interrupted),
            Err(error) => Err(Failure::Failed(error.into())),
        }
    }

    /// Cycles of a turn, of TBs that all do the same.
    fn per_turn(&self, tbs: u32, threads: u32, turns: Turns, op: impl Fn(At) -> Op) -> Result<f64, Failure> {
        let run = |turns: u32| {
            self.cycles(&[kernel(1, tbs, threads, 0)], |at| if at.step < turns { op(at) } else { Op::exit() })
        };
        let (short, long) = (run(turns.first)?, run(turns.first + turns.more)?);
        Ok((long as f64 - short as f64) / f64::from(turns.more))
    }

    /// From an instruction to the next, each of which needs the result of the one before: one warp alone.
    pub fn latency(&self, class: Class) -> Result<f64, Failure> {
        self.per_turn(1, 32, Turns { first: 64, more: 256 }, |_| Op::new(class, 1, 1))
    }

    /// Instructions per cycle of one SM, of warps that never wait for a result.
    pub fn rate(&self, class: Class) -> Result<f64, Failure> {
        let op = |at: At| Op::new(class, 0, 1 << (at.step % CHAINS));
        Ok(f64::from(FULL / 32) / self.per_turn(1, FULL, Turns { first: 64, more: 256 }, op)?)
    }

    /// A load by one lane, whose address needs the value of the load before: one word in every `stride` bytes of a footprint, again and
    /// again, after a first way through it.
    pub fn chase(&self, footprint: u64, stride: u64) -> Result<f64, Failure> {
        let words = (footprint / stride).max(1);
        let more = u32::try_from(words.max(512)).unwrap_or(u32::MAX / 4);
        let turns = Turns { first: u32::try_from(words).unwrap_or(u32::MAX / 4), more };
        self.per_turn(1, 32, turns, |at| {
            let mut op = Op::access(Class::LoadGlobal, 1, |_| BASE + u64::from(at.step) % words * stride);
            (op.inst.mask, op.inst.src) = (1, 1);
            op
        })
    }

    /// The same, of addresses that never come again, each in another row of DRAM.
    pub fn cold(&self) -> Result<f64, Failure> {
        self.per_turn(1, 32, Turns { first: 64, more: 256 }, |at| {
            let mut op = Op::access(Class::LoadGlobal, 1, |_| BASE + u64::from(at.step) * ROW_STRIDE);
            (op.inst.mask, op.inst.src) = (1, 1);
            op
        })
    }

    /// A load from shared memory, with so many lanes on each bank that has one.
    pub fn conflict(&self, ways: u64) -> Result<f64, Failure> {
        self.per_turn(1, 32, Turns { first: 64, more: 256 }, |_| {
            let mut op = Op::access(Class::LoadShared, 1, |lane| 4 * ways * lane);
            op.inst.src = 1;
            op
        })
    }

    /// A barrier of a TB of 32 warps.
    pub fn barrier(&self) -> Result<f64, Failure> {
        self.per_turn(1, FULL, Turns { first: 16, more: 64 }, |_| Op::new(Class::Barrier, 0, 0))
    }

    /// An atomic of so many lanes on one word of global memory, whose old value is waited for.
    pub fn atomic(&self, lanes: u32) -> Result<f64, Failure> {
        self.per_turn(1, 32, Turns { first: 16, more: 64 }, |_| {
            let mut op = Op::access(Class::AtomicGlobal, 1, |_| BASE);
            (op.inst.mask, op.inst.src) = (gpusched_refgpu::lanes::first_lanes(lanes), 1);
            op
        })
    }

    /// Bytes per cycle of one SM that hits in L1, lanes side by side with 4 bytes each.
    pub fn l1_bandwidth(&self) -> Result<f64, Failure> {
        let line = u64::from(self.gpu.l1.line);
        let turns = Turns { first: 64, more: 256 };
        let cycles = self.per_turn(1, FULL, turns, |at| load(BASE + u64::from(at.step % 4) * line.max(128), at))?;
        Ok(f64::from(FULL * 4) / cycles)
    }

    /// Bytes per cycle of all SMs from L2: each goes again and again through a part of memory that is too large for its L1, all through
    /// the same one.
    pub fn l2_bandwidth(&self) -> Result<f64, Failure> {
        let (sms, warps) = (u64::from(self.gpu.sm.count), u64::from(FULL / 32));
        let lines = (4 * self.l1_bytes() / 128).next_multiple_of(warps);
        // A way through it, then another.
        let turns = u32::try_from(lines / warps).unwrap_or(u32::MAX / 4);
        let cycles = self.per_turn(self.gpu.sm.count, FULL, Turns { first: turns, more: turns }, |at| {
            // SMs begin at different places, so that no bank is asked by all.
            let line = (u64::from(at.step) * warps + u64::from(at.warp) + u64::from(at.blkid) * lines / sms) % lines;
            load(BASE + 128 * line, at)
        })?;
        Ok((sms * u64::from(FULL) * 4) as f64 / cycles)
    }

    /// Bytes per cycle of all SMs from DRAM: each line is loaded once, by TBs that are short, so that those which run at the same time load
    /// what lies side by side, whatever the order of warps. Only the launch is left out: the beginning is slower than the rest, and a
    /// difference of two grids would be faster than DRAM is.
    pub fn dram_bandwidth(&self) -> Result<f64, Failure> {
        const LOADS: u32 = 4;
        const WARPS: u32 = 8;
        let tbs = 96 * self.gpu.sm.count;
        let stream = self.cycles(&[kernel(1, tbs, 32 * WARPS, 0)], |at| {
            if at.step == LOADS {
                return Op::exit();
            }
            let line = (u64::from(at.blkid) * u64::from(LOADS) + u64::from(at.step)) * u64::from(WARPS);
            load(BASE + 128 * (line + u64::from(at.warp)), at)
        })?;
        let empty = self.cycles(&[kernel(1, 1, 32, 0)], |_| Op::exit())?;
        Ok(f64::from(tbs * WARPS * LOADS * 128) / (stream - empty) as f64)
    }

    /// From the end of an empty kernel to that of the next one.
    pub fn launch(&self) -> Result<f64, Failure> {
        let run = |kernels: u64| {
            let all: Vec<_> = (0..kernels).map(|tag| kernel(1, 1, 32, tag)).collect();
            self.cycles(&all, |_| Op::exit())
        };
        Ok((run(24)? as f64 - run(8)? as f64) / 16.0)
    }

    /// TBs per cycle that start on the whole machine, of empty TBs of one warp.
    pub fn dispatch(&self) -> Result<f64, Failure> {
        let run = |waves: u32| {
            let grid = Dim3::linear(waves * self.gpu.sm.count);
            self.cycles(&[Descriptor { grid, ..kernel(1, 1, 32, 0) }], |_| Op::exit())
        };
        let (short, long) = (run(32)?, run(64)?);
        Ok(f64::from(32 * self.gpu.sm.count) / (long as f64 - short as f64))
    }

    /// Bytes of L1.
    pub fn l1_bytes(&self) -> u64 {
        let l1 = &self.gpu.l1;
        u64::from(l1.sets) * u64::from(l1.ways) * u64::from(l1.line)
    }

    /// Bytes of L2, all banks; its lines have 128.
    pub fn l2_bytes(&self) -> u64 {
        let l2 = &self.gpu.l2;
        u64::from(l2.banks) * u64::from(l2.sets) * u64::from(l2.ways) * 128
    }
}

/// A load of lanes side by side, 4 bytes each, into one of the registers in turn.
fn load(base: u64, at: At) -> Op {
    Op::access(Class::LoadGlobal, 1 << (at.step % CHAINS), |lane| base + 4 * lane)
}
