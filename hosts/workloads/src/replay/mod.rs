//! Programs that were traced on a real GPU, executed again: each warp issues what it issued there, with the same lanes, at the same addresses.
//!
//! What a trace does not tell is not there either: values, predicates as operands, and what warps would do at another speed. The
//! sheet says how each instruction runs (workloads-RP1 to workloads-RP9).
//!
//! - `ahead` reads TBs when they start, or a little before, so that a trace may be longer than memory;
//! - `decode` turns instructions of a trace into those of the machine, `opcodes` knows what they mean;
//! - `registers` are a warp's registers on the machine's scoreboard, `pages` its addresses in the machine's memory.

mod ahead;
mod assumed;
mod decode;
mod opcodes;
mod pages;
mod registers;
#[cfg(test)]
mod tests;

pub use assumed::assumed;

use crate::graph::fnv1a;
use crate::{Verified, WrongResult};
use ahead::Ahead;
use decode::Script;
use gpusched::{Descriptor, Dim3};
use gpusched_refgpu::program::{Class, Effects, Inst, TbContext, Workload};
use gpusched_traces::isa::Space;
use gpusched_traces::{Program, Summary, TraceError, Traced};
use std::sync::Arc;

/// A traced program that runs, its kernels one after the other in the order of their launches (workloads-RP1).
#[derive(Debug)]
pub struct Replay {
    program: Arc<Program>,
    ahead: Ahead,
    /// What was executed of each kernel that has begun.
    done: Vec<Counts>,
    wrong: Option<TraceError>,
}

/// A warp that executes its part of a trace.
#[derive(Clone, Debug, Default)]
pub struct Warp {
    script: Script,
    at: usize,
}

/// What is counted of a kernel on either side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    instructions: u64,
    thread_instructions: u64,
    loaded: u64,
    stored: u64,
    atomic: u64,
}

impl Counts {
    /// What the reader of traces counts. Constants come from a memory of their own.
    fn of(summary: &Summary) -> Self {
        let Summary { instructions, thread_instructions, .. } = *summary;
        let mut counts = Self { instructions, thread_instructions, ..Self::default() };
        for (_, bytes) in summary.bytes.iter().filter(|(space, _)| **space != Space::Constant) {
            counts.loaded += bytes.loaded;
            counts.stored += bytes.stored;
            counts.atomic += bytes.atomic;
        }
        counts
    }

    fn add(&mut self, inst: Inst, width: u32) {
        let lanes = u64::from(inst.mask.count_ones());
        self.instructions += 1;
        self.thread_instructions += lanes;
        let bytes = lanes * u64::from(width);
        match inst.class {
            Class::LoadGlobal | Class::LoadShared => self.loaded += bytes,
            Class::StoreGlobal | Class::StoreShared => self.stored += bytes,
            Class::AtomicGlobal | Class::AtomicShared => self.atomic += bytes,
            _ => {}
        }
    }

    fn named(self) -> [(&'static str, u64); 5] {
        let Self { instructions, thread_instructions, loaded, stored, atomic } = self;
        [
            ("instructions", instructions),
            ("thread instructions", thread_instructions),
            ("bytes loaded", loaded),
            ("bytes stored", stored),
            ("bytes of atomics", atomic),
        ]
    }
}

impl Replay {
    /// From the beginning of a program that has been read once. Its files are read again as they run.
    #[must_use]
    pub fn new(program: Arc<Program>) -> Self {
        Self::of(program, Ahead::new)
    }

    /// The same, read on a thread of its own, up to a million instructions ahead of the machine. Nothing else can be told apart.
    #[must_use]
    pub fn read_beside(program: Arc<Program>) -> Self {
        Self::of(program, Ahead::beside)
    }

    fn of(program: Arc<Program>, ahead: fn(Arc<Program>) -> Ahead) -> Self {
        Self { ahead: ahead(Arc::clone(&program)), program, done: Vec::new(), wrong: None }
    }

    /// workloads-RP9: verifies that of each kernel as many instructions, lanes and bytes were executed as its trace has. The checksum is over
    /// these.
    ///
    /// # Errors
    /// The first count that differs, and a trace that has changed since it was read first.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        if let Some(wrong) = &self.wrong {
            let want = "a trace that does not change while it runs".to_owned();
            return Err(WrongResult { place: "what was read".to_owned(), got: wrong.to_string(), want });
        }
        let mut words = Vec::new();
        for (number, Traced { file, summary, .. }) in self.program.kernels.iter().enumerate() {
            let done = self.done.get(number).copied().unwrap_or_default();
            for ((what, got), (_, want)) in done.named().into_iter().zip(Counts::of(summary).named()) {
                if got != want {
                    let place = format!("{}: {what}", file.display());
                    return Err(WrongResult { place, got: got.to_string(), want: want.to_string() });
                }
                words.extend([got as u32, (got >> 32) as u32]);
            }
        }
        Ok(Verified { checksum: fnv1a(words) })
    }
}

/// The number of the code of a kernel: kernels of one name have one code.
fn code(Program { kernels, .. }: &Program, kernel: usize) -> usize {
    kernels.iter().position(|one| one.header.name == kernels[kernel].header.name).unwrap_or(kernel)
}

impl Workload for Replay {
    type Warp = Warp;

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let number = self.done.len();
        if self.wrong.is_some() || number >= self.program.kernels.len() {
            return None;
        }
        if let Err(wrong) = self.ahead.next_kernel() {
            self.wrong = Some(wrong);
            return None;
        }
        self.done.push(Counts::default());
        let Traced { header, .. } = &self.program.kernels[number];
        let [grid, tb] = [header.grid, header.block].map(|[x, y, z]| Dim3 { x, y, z });
        Some(Descriptor {
            pc: 1 + code(&self.program, number) as u64,
            grid,
            tb,
            regs: header.registers.saturating_mul(header.threads()),
            smem: header.shared_bytes,
            tag: number as u64,
            ..Descriptor::default()
        })
    }

    fn kernel_name(&self, kernel: &Descriptor) -> Option<&str> {
        self.program.kernels.get(kernel.tag as usize).map(|kernel| kernel.header.name.as_str())
    }

    fn begin(&mut self, tb: &TbContext, warp: u32, state: &mut Warp) {
        *state = Warp::default();
        if self.wrong.is_some() {
            return;
        }
        match self.ahead.take(tb.blkid.into(), warp) {
            Ok(script) => state.script = script,
            // Warps end at once from here on, and the check tells why.
            Err(wrong) => self.wrong = Some(wrong),
        }
    }

    fn fetch(&self, warp: &Warp) -> Inst {
        warp.script.inst(warp.at)
    }

    fn execute(&mut self, warp: &mut Warp, effects: &mut Effects) {
        if let (Some(width), Some(counts)) = (warp.script.width(warp.at), self.done.last_mut()) {
            counts.add(warp.script.inst(warp.at), width);
            warp.script.fill(warp.at, effects);
        }
        warp.at += 1;
    }

    fn preview(&self, warp: &Warp, effects: &mut Effects) -> bool {
        warp.script.fill(warp.at, effects);
        true
    }

    fn progress(&self) -> (u64, u64) {
        let executed = self.done.iter().map(|counts| counts.instructions).sum();
        (executed, self.program.sum(|summary| summary.instructions))
    }
}
