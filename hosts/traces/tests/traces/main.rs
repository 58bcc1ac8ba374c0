//! What is promised of traces: each version's form is read as it was written, packed or not; what is wrong is said where it is; and
//! nothing that a file may hold makes the reader panic.

mod hostile;
mod lists;
mod packed;
mod random;
mod tracez;
mod versions;
mod writer;

use gpusched_traces::{Event, Instruction, Kernel, TraceError};

/// All instructions of a trace, with the TB and the warp that each is of.
fn read(text: impl AsRef<[u8]>) -> Result<Vec<(u64, u32, Instruction)>, TraceError> {
    instructions(Kernel::read("test.traceg", text.as_ref())?)
}

/// Those that follow.
fn instructions(mut kernel: Kernel<'_>) -> Result<Vec<(u64, u32, Instruction)>, TraceError> {
    let (mut all, mut tb, mut in_warp) = (Vec::new(), 0, 0);
    while let Some(event) = kernel.next()? {
        match event {
            Event::Tb(place) => tb = place.index,
            Event::Warp { warp, .. } => in_warp = warp,
            Event::Instruction(instruction) => all.push((tb, in_warp, instruction.clone())),
            Event::Cluster { .. } | Event::TbEnd => {}
        }
    }
    Ok(all)
}

/// What is wrong with a trace.
fn wrong(text: impl AsRef<[u8]>) -> String {
    read(text).expect_err("it is wrong").to_string()
}
