//! Where instructions led, and what runs next.

use gpusched::Fault;
use gpusched::simt::stack::{Branch, Running};

use super::{Object, gpusched_stack};
use crate::GPUSCHED_NONE;
use crate::object::{enter, get, writable};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// What runs next.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_running {
    /// The lanes, a bit each.
    pub mask: u64,
    /// Where.
    pub pc: u32,
    /// Entries on the stack.
    pub depth: u32,
    /// Entries that this call popped.
    pub pops: u32,
    /// 1 if all lanes have exited, else 0.
    pub done: u32,
}

impl From<Running> for gpusched_running {
    #[inline]
    fn from(Running { pc, mask, depth, pops, done }: Running) -> Self {
        Self { mask, pc, depth, pops, done: done.into() }
    }
}

/// A branch.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_branch {
    /// Lanes that take it, a bit each.
    pub taken: u64,
    /// Where they go.
    pub taken_pc: u32,
    /// Where the others go.
    pub fall_pc: u32,
    /// Where all of them meet again; GPUSCHED_NONE: nowhere.
    pub reconv: u32,
    /// Not looked at.
    pub reserved: u32,
}

impl From<&gpusched_branch> for Branch {
    #[inline]
    fn from(&gpusched_branch { taken, taken_pc, fall_pc, reconv, .. }: &gpusched_branch) -> Self {
        Self { taken, taken_pc, fall_pc, reconv: (reconv != GPUSCHED_NONE).then_some(reconv) }
    }
}

/// Carries out a verb.
///
/// # Safety
/// As [`enter`] and of an out-parameter.
#[inline]
unsafe fn run(
    stack: *mut gpusched_stack,
    running: *mut gpusched_running,
    verb: impl FnOnce(&mut Object) -> Result<Running, Fault>,
) -> Result<(), Status> {
    // SAFETY: the caller's contract.
    unsafe {
        let machine = enter::<Object>(stack)?;
        let running = writable(running)?;
        running.write(verb(machine)?.into());
    }
    Ok(())
}

/// The warp begins, whatever it was before.
///
/// @param stack    The stack.
/// @param pc       Where.
/// @param mask     Its lanes, a bit each.
/// @param running  Receives what runs next.
/// @return BadPc, BadMask; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_start(
    stack: *mut gpusched_stack,
    pc: u32,
    mask: u64,
    running: *mut gpusched_running,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { run(stack, running, |machine| machine.init(pc, mask)) })
}

/// All lanes that run go on at another PC.
///
/// @param stack    The stack.
/// @param pc       Where.
/// @param running  Receives what runs next.
/// @return WarpDone, BadPc; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_advance(
    stack: *mut gpusched_stack,
    pc: u32,
    running: *mut gpusched_running,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { run(stack, running, |machine| machine.advance(pc)) })
}

/// Some lanes of those that run may go elsewhere.
///
/// @param stack    The stack.
/// @param branch   Who goes where.
/// @param running  Receives what runs next.
/// @return WarpDone, BadPc, BadMask, StackOverflow; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_branch(
    stack: *mut gpusched_stack,
    branch: *const gpusched_branch,
    running: *mut gpusched_running,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { get(branch).and_then(|branch| run(stack, running, |machine| machine.branch(&branch.into()))) })
}

/// Lanes of those that run end.
///
/// @param stack    The stack.
/// @param lanes    Which, a bit each.
/// @param running  Receives what runs next.
/// @return WarpDone, BadMask; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_exit(
    stack: *mut gpusched_stack,
    lanes: u64,
    running: *mut gpusched_running,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { run(stack, running, |machine| machine.exit(lanes)) })
}
