//! Instructions, and their results.

use gpusched::simt::scoreboard::{Instruction, Issue, Issued, MAX_SOURCES, RegId, Stall};

use super::{Object, gpusched_scoreboard};
use crate::GPUSCHED_NONE;
use crate::ids::{register, scoreboard_warp};
use crate::object::{array, enter, put_unless_null, writable, writable_or_null};
use crate::status::{gpusched_status, status};

/// Why an instruction does not issue.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_stall {
    /// It issues.
    None = 0,
    /// It would read a register before its result is there.
    Raw = 1,
    /// It would write a register while another result is on its way.
    Waw = 2,
    /// No entry is free for its destination.
    Full = 3,
}

/// What becomes of an instruction, or what is pending after a result.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_issue {
    /// gpusched_stall.
    pub stall: u32,
    /// The register that it waits for; GPUSCHED_NONE if it waits for none.
    pub reg: u32,
    /// Registers of this warp that are pending; 0 if it stalls.
    pub pending: u32,
    /// Registers of all warps that wait for memory; 0 if it stalls.
    pub mem_in_flight: u32,
}

impl From<Issued> for gpusched_issue {
    fn from(Issued { pending, mem_in_flight }: Issued) -> Self {
        Self { stall: gpusched_stall::None as u32, reg: GPUSCHED_NONE, pending, mem_in_flight }
    }
}

impl From<Issue> for gpusched_issue {
    fn from(issue: Issue) -> Self {
        let (stall, reg) = match issue {
            Issue::Issued(issued) => return issued.into(),
            Issue::Stall(Stall::Raw(reg)) => (gpusched_stall::Raw, reg.into()),
            Issue::Stall(Stall::Waw(reg)) => (gpusched_stall::Waw, reg.into()),
            Issue::Stall(Stall::Full) => (gpusched_stall::Full, GPUSCHED_NONE),
        };
        Self { stall: stall as u32, reg, pending: 0, mem_in_flight: 0 }
    }
}

/// An instruction wants to issue.
///
/// @param scoreboard   The scoreboard.
/// @param warp         Its warp.
/// @param sources      Registers that it reads, in the order in which they are tested; null if there are none.
/// @param count        Their number, at most 4.
/// @param destination  The register that it writes; GPUSCHED_NONE: none.
/// @param memory       Not 0: the result comes from memory.
/// @param issue        Receives what becomes of it.
/// @return BadWarp, BadArg (number of sources), BadReg; Null, Misaligned, Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_scoreboard_issue(
    scoreboard: *mut gpusched_scoreboard,
    warp: u32,
    sources: *const u32,
    count: usize,
    destination: u32,
    memory: u32,
    issue: *mut gpusched_issue,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(scoreboard).and_then(|machine| {
            let (sources, issue) = (array(sources, count)?, writable(issue)?);
            // One more than there may be is enough to be refused.
            let mut list = [RegId(0); MAX_SOURCES + 1];
            list.iter_mut().zip(sources).for_each(|(to, &source)| *to = register(source));
            let instruction = Instruction {
                sources: list.get(..sources.len()).unwrap_or(&list),
                destination: (destination != GPUSCHED_NONE).then(|| register(destination)),
                memory: memory != 0,
            };
            issue.write(machine.issue(scoreboard_warp(warp), &instruction)?.into());
            Ok(())
        })
    })
}

/// A result is written.
///
/// @param scoreboard  The scoreboard.
/// @param warp        Its warp.
/// @param reg         The register.
/// @param after       Receives what is pending then. May be null.
/// @return BadWarp, BadReg, NotPending; Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_scoreboard_writeback(
    scoreboard: *mut gpusched_scoreboard,
    warp: u32,
    reg: u32,
    after: *mut gpusched_issue,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(scoreboard).and_then(|machine| {
            let after = writable_or_null(after)?;
            put_unless_null(after, machine.writeback(scoreboard_warp(warp), register(reg))?.into());
            Ok(())
        })
    })
}

/// Nothing of a warp is pending any more: it has ended, or a result was lost.
///
/// @param scoreboard  The scoreboard.
/// @param warp        The warp.
/// @param dropped     Receives how many registers were pending. May be null.
/// @return BadWarp; Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_scoreboard_flush(
    scoreboard: *mut gpusched_scoreboard,
    warp: u32,
    dropped: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(scoreboard).and_then(|machine| {
            let dropped = writable_or_null(dropped)?;
            put_unless_null(dropped, machine.flush(scoreboard_warp(warp))?);
            Ok(())
        })
    })
}
