//! A workload that is a function from (TB, warp, step) to an instruction: for tests of a machine, and for a first look at one.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_refgpu::program::Class;
//! use gpusched_refgpu::script::{Op, kernel, script};
//!
//! // 26 TBs of 64 threads: each warp adds ten times, and ends.
//! let body = |at: gpusched_refgpu::script::At| if at.step < 10 { Op::new(Class::Int, 0, 0) } else { Op::exit() };
//! let config = GpuConfig::preset("k20c").unwrap();
//! let run = Gpu::new(&config, RunOptions::default())?.run(&mut script(&[kernel(0x400, 26, 64, 0)], body), &mut ())?;
//! assert_eq!(run.stats.sm.all_instructions(), 26 * 2 * 11);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::VecDeque;

use gpusched::{Descriptor, Dim3};

use crate::program::{Class, Effects, Inst, LaneLaunch, TbContext, TbGraph, Workload};

/// One instruction and its effect.
#[derive(Clone, Debug)]
pub struct Op {
    /// The instruction.
    pub inst: Inst,
    /// Where each lane accesses memory.
    pub addr: [u64; 32],
    /// What lanes launch.
    pub launches: Vec<LaneLaunch>,
}

impl Op {
    /// An instruction of all lanes, with its registers; it accesses nothing.
    pub fn new(class: Class, src: u32, dst: u32) -> Self {
        let mask = u32::MAX;
        Self { inst: Inst { class, mask, src, dst, diverges: false, pc: 0 }, addr: [0; 32], launches: Vec::new() }
    }

    /// Lane l accesses `address(l)`, 4 bytes.
    pub fn access(class: Class, dst: u32, address: impl Fn(u64) -> u64) -> Self {
        Self { addr: std::array::from_fn(|l| address(l as u64)), ..Self::new(class, 0, dst) }
    }

    /// The warp ends.
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
    /// The kernel's tag.
    pub tag: u64,
    /// The TB, by its number in the grid.
    pub blkid: u32,
    /// The warp, by its number in the TB.
    pub warp: u32,
    /// How many instructions it has executed.
    pub step: u32,
}

/// A warp's state: where it is, and what comes next.
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

/// The workload. Its body is boxed, so that all scripts are of one type.
pub struct Script<'a> {
    kernels: VecDeque<Descriptor>,
    graph: Option<TbGraph>,
    body: Box<dyn Fn(At) -> Op + 'a>,
}

impl Workload for Script<'_> {
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

/// A kernel of so many TBs of so many threads each.
pub fn kernel(pc: u64, tbs: u32, threads: u32, tag: u64) -> Descriptor {
    Descriptor { pc, grid: Dim3::linear(tbs), tb: Dim3::linear(threads), tag, ..Descriptor::default() }
}

/// Kernels one behind the other, all of this body.
pub fn script<'a>(kernels: &[Descriptor], body: impl Fn(At) -> Op + 'a) -> Script<'a> {
    Script { kernels: kernels.iter().copied().collect(), graph: None, body: Box::new(body) }
}

/// The same, each kernel with this graph.
pub fn with_graph<'a>(kernels: &[Descriptor], graph: TbGraph, body: impl Fn(At) -> Op + 'a) -> Script<'a> {
    Script { graph: Some(graph), ..script(kernels, body) }
}
