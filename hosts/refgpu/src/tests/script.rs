//! A workload that is a function from (TB, warp, step) to an instruction.

use std::collections::VecDeque;

use gpusched::{Descriptor, Dim3};

use crate::config::GpuConfig;
use crate::front::LaunchVerb;
use crate::gpu::{Gpu, RunOptions, RunResult};
use crate::power::SmxState;
use crate::program::{Class, Effects, Inst, LaneLaunch, TbContext, TbGraph, Workload};
use crate::stats::RunStats;

/// One instruction and its effect.
#[derive(Clone, Debug)]
pub struct Op {
    pub inst: Inst,
    pub addr: [u64; 32],
    pub launches: Vec<LaneLaunch>,
}

impl Op {
    pub fn new(class: Class, src: u32, dst: u32) -> Self {
        let mask = u32::MAX;
        Self { inst: Inst { class, mask, src, dst, diverges: false, pc: 0 }, addr: [0; 32], launches: Vec::new() }
    }

    /// Lane l accesses `address(l)`, 4 bytes.
    pub fn access(class: Class, dst: u32, address: impl Fn(u64) -> u64) -> Self {
        Self { addr: std::array::from_fn(|l| address(l as u64)), ..Self::new(class, 0, dst) }
    }

    pub fn exit() -> Self {
        Self::new(Class::Exit, 0, 0)
    }

    /// The lanes of `mask` launch one kernel each, of one TB like the caller's.
    pub fn launch(mask: u32, pc: u64, tag: u64) -> Self {
        let descriptor = kernel(pc, 1, 32, tag);
        let lanes =
            (0..32).filter(|l| mask >> l & 1 != 0).map(|lane| LaneLaunch { lane, descriptor, block: block(lane) });
        let mut op = Self { launches: lanes.collect(), ..Self::new(Class::Launch, 0, 0) };
        op.inst.mask = mask;
        op
    }
}

/// Where a launch of this lane has its block.
pub fn block(lane: u32) -> u64 {
    (1 << 32) + 256 * u64::from(lane)
}

/// Which warp, and how far it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct At {
    pub tag: u64,
    pub blkid: u32,
    pub warp: u32,
    pub step: u32,
}

#[derive(Debug)]
pub struct Warp {
    at: At,
    op: Op,
}

impl Default for Warp {
    fn default() -> Self {
        Self { at: At::default(), op: Op::exit() }
    }
}

pub struct Script<F> {
    kernels: VecDeque<Descriptor>,
    graph: Option<TbGraph>,
    body: F,
}

impl<F: Fn(At) -> Op> Workload for Script<F> {
    type Warp = Warp;

    fn next_kernel(&mut self) -> Option<Descriptor> {
        self.kernels.pop_front()
    }

    fn dependencies(&self) -> Option<&TbGraph> {
        self.graph.as_ref()
    }

    fn begin(&mut self, tb: &TbContext, warp: u32, state: &mut Warp) {
        state.at = At { tag: tb.tag, blkid: tb.blkid, warp, step: 0 };
        state.op = (self.body)(state.at);
    }

    fn fetch(&self, warp: &Warp) -> Inst {
        warp.op.inst
    }

    fn execute(&mut self, warp: &mut Warp, effects: &mut Effects) {
        effects.addr = warp.op.addr;
        effects.bytes = 4;
        effects.launches.extend_from_slice(&warp.op.launches);
        warp.at.step += 1;
        warp.op = (self.body)(warp.at);
    }

    fn preview(&self, warp: &Warp, effects: &mut Effects) -> bool {
        effects.addr = warp.op.addr;
        true
    }

    fn progress(&self) -> (u64, u64) {
        (0, 0)
    }
}

pub fn kernel(pc: u64, tbs: u32, threads: u32, tag: u64) -> Descriptor {
    Descriptor { pc, grid: Dim3::linear(tbs), tb: Dim3::linear(threads), tag, ..Descriptor::default() }
}

pub fn config(preset: &str, change: &[(&str, &str)]) -> GpuConfig {
    let mut config = GpuConfig::preset(preset).unwrap();
    for (key, word) in change {
        config.set(key, word).unwrap();
    }
    config
}

pub fn script<F: Fn(At) -> Op>(kernels: &[Descriptor], body: F) -> Script<F> {
    Script { kernels: kernels.iter().copied().collect(), graph: None, body }
}

/// The same, each kernel with this graph.
pub fn with_graph<F: Fn(At) -> Op>(kernels: &[Descriptor], graph: TbGraph, body: F) -> Script<F> {
    Script { graph: Some(graph), ..script(kernels, body) }
}

/// Runs `body` for these kernels.
pub fn run(config: &GpuConfig, kernels: &[Descriptor], body: impl Fn(At) -> Op) -> RunStats {
    run_with(config, RunOptions::default(), kernels, body)
}

pub fn run_with(config: &GpuConfig, options: RunOptions, kernels: &[Descriptor], body: impl Fn(At) -> Op) -> RunStats {
    Gpu::new(config, options).unwrap().run(&mut script(kernels, body), &mut ()).unwrap().stats
}

/// Runs `body` with SMs whose states are set: after this cycle, this SM, this state.
pub fn run_at(
    config: &GpuConfig,
    options: RunOptions,
    kernels: &[Descriptor],
    body: impl Fn(At) -> Op,
    states: &[(u64, u16, SmxState)],
) -> RunResult {
    let mut gpu = Gpu::new(config, options).unwrap();
    gpu.script = states.iter().copied().collect();
    gpu.run(&mut script(kernels, body), &mut ()).unwrap()
}

pub fn with_verb(launch: LaunchVerb) -> RunOptions {
    RunOptions { launch: Some(launch), ..RunOptions::default() }
}
