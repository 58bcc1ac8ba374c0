//! Whole programs on a reconvergence stack, beside what each lane would do alone.
//!
//! A program is a list of instructions by PC. A lane that runs alone follows its own branches; on a warp the stack says which lanes run
//! where. Each lane must see the same instructions in the same order either way.

use gpusched::Fault;
use gpusched::simt::stack::{Branch, Running, StackConfig};

use super::stack::{Event, Stacks, check_state};
use crate::machine::Of;

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Goes on at this PC.
    Jump(u32),
    /// Lanes of `taken` go to `to`, the others to the next PC; the paths join at `reconv`.
    Branch {
        /// Lanes.
        taken: u64,
        /// Where they go.
        to: u32,
        /// Where the paths join, if they do.
        reconv: Option<u32>,
    },
    /// Lanes of this mask end; the others go on at the next PC.
    Exit(u64),
}

/// A program: the instruction at each PC from 0. Behind its end all lanes end.
pub type Program = [Op];

/// Instructions that a lane or a warp may carry out before a program counts as endless.
const MOST: usize = 4096;

/// The PCs that a lane alone comes through; `None` if it does not end.
#[must_use]
pub fn alone(program: &Program, lane: u32) -> Option<Vec<u32>> {
    let (mut pc, mut path) = (0, Vec::new());
    while path.len() < MOST {
        path.push(pc);
        match program.get(pc as usize) {
            Some(Op::Jump(to)) => pc = *to,
            Some(Op::Branch { taken, to, .. }) => pc = if taken >> lane & 1 == 1 { *to } else { pc + 1 },
            Some(Op::Exit(mask)) if mask >> lane & 1 == 0 => pc += 1,
            Some(Op::Exit(_)) | None => return Some(path),
        }
    }
    None
}

/// What a warp did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// PC and lanes of each instruction.
    pub steps: Vec<(u32, u64)>,
    /// The PCs that each lane came through.
    pub paths: Vec<Vec<u32>>,
    /// Greatest depth of the stack.
    pub depth: u32,
}

/// Runs a program on a warp, and checks the invariants at each step.
///
/// # Errors
/// The fault of a refused event, or what does not hold.
pub fn run<M: Of<Stacks>>(config: &StackConfig, warp: &mut M, program: &Program) -> Result<Run, Result<Fault, String>> {
    let lanes = u64::MAX >> (64 - config.lanes);
    let mut run = Run { paths: vec![Vec::new(); config.lanes as usize], ..Run::default() };
    let mut live = lanes;
    let mut at = warp.take(&Event::Init { pc: 0, mask: lanes }).map_err(Ok)?;
    while !at.done {
        if run.steps.len() == MOST {
            return Err(Err("the warp does not end".into()));
        }
        let Running { pc, mask, depth, .. } = at;
        warp.validate().map_err(|broken| Err(broken.to_string()))?;
        check_state(&warp.view(), live).map_err(Err)?;
        run.depth = run.depth.max(depth);
        run.steps.push((pc, mask));
        (0..config.lanes).filter(|lane| mask >> lane & 1 == 1).for_each(|lane| run.paths[lane as usize].push(pc));
        at = match program.get(pc as usize).copied() {
            Some(Op::Jump(to)) => warp.take(&Event::Advance { pc: to }).map_err(Ok)?,
            Some(Op::Branch { taken, to, reconv }) => {
                let branch = Branch { taken: taken & mask, taken_pc: to, fall_pc: pc + 1, reconv };
                warp.take(&Event::Branch { branch }).map_err(Ok)?
            }
            other => {
                let ends = if let Some(Op::Exit(ends)) = other { ends & mask } else { mask };
                live &= !ends;
                let mut after = at;
                if ends != 0 {
                    after = warp.take(&Event::Exit { lanes: ends }).map_err(Ok)?;
                }
                // Those that are left go on; others that run then are where they were.
                if ends != mask { warp.take(&Event::Advance { pc: pc + 1 }).map_err(Ok)? } else { after }
            }
        };
    }
    Ok(run)
}
