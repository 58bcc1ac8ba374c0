//! Launches by device threads, as kernels (CDP) and as aggregated groups (DTBL): a list goes in, and one as long comes out.

use core::mem::{offset_of, size_of};

use gpusched::{Descriptor, Dim3, GroupLaunch, RecordId};

use super::Object;
use crate::convert::{ToC, from_c};
use crate::frontend::{gpusched_frontend, gpusched_kernel};
use crate::object::{array, enter, writable_or_null};
use crate::smx::gpusched_dim3;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// An aggregated group as a launch call gives it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_group {
    /// The group's TBs.
    pub kernel: gpusched_kernel,
    /// The calling thread's number within its SMX, below threads.
    pub hw_tid: u32,
}

impl ToC for GroupLaunch {
    type C = gpusched_group;

    fn to_c(&self) -> gpusched_group {
        gpusched_group { kernel: self.descriptor.to_c(), hw_tid: self.hw_tid }
    }
}

// Callers' arrays are read in place as the core's types.
const _: () = {
    assert!(size_of::<gpusched_kernel>() == size_of::<Descriptor>());
    assert!(offset_of!(gpusched_kernel, pc) == offset_of!(Descriptor, pc));
    assert!(offset_of!(gpusched_kernel, grid) == offset_of!(Descriptor, grid));
    assert!(offset_of!(gpusched_kernel, tb) == offset_of!(Descriptor, tb));
    assert!(offset_of!(gpusched_kernel, regs) == offset_of!(Descriptor, regs));
    assert!(offset_of!(gpusched_kernel, smem) == offset_of!(Descriptor, smem));
    assert!(offset_of!(gpusched_kernel, param) == offset_of!(Descriptor, param));
    assert!(offset_of!(gpusched_kernel, tag) == offset_of!(Descriptor, tag));
    assert!(offset_of!(gpusched_dim3, y) == offset_of!(Dim3, y) && offset_of!(gpusched_dim3, z) == offset_of!(Dim3, z));
    assert!(size_of::<gpusched_group>() == size_of::<GroupLaunch>());
    assert!(offset_of!(gpusched_group, kernel) == offset_of!(GroupLaunch, descriptor));
    assert!(offset_of!(gpusched_group, hw_tid) == offset_of!(GroupLaunch, hw_tid));
};

/// The most launches that any warp can make in one command.
const MAX_WARP: u32 = 64;

/// Launches kernels from threads of one warp of the TB at smx, slot (CUDA Dynamic Parallelism), one per calling lane. One faulty
/// lane refuses the whole command.
///
/// @param frontend  The front end.
/// @param smx       SMX of the calling TB.
/// @param slot      Its TB slot.
/// @param kernels   count kernels.
/// @param count     1 to warp.
/// @param records   Receives count launch records, in the order of the lanes. May be null.
/// @return BadSmx, BadSlot, NoTb, BadCount; a lane's EmptyGrid, GridTooLarge, EmptyTb, TbTooBig; PendingLimit; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_device_launch(
    frontend: *mut gpusched_frontend,
    smx: u32,
    slot: u32,
    kernels: *const gpusched_kernel,
    count: u32,
    records: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract; the two types lie alike.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let kernels = lanes(kernels.cast::<Descriptor>(), count, records)?;
            put_records(records, &object.machine.device_launch(from_c(smx), from_c(slot), kernels)?);
            Ok(())
        })
    })
}

/// Launches aggregated groups from threads of one warp of the TB at smx, slot (Dynamic Thread Block Launch), one per calling lane.
/// One faulty lane refuses the whole command.
///
/// @param frontend  The front end.
/// @param smx       SMX of the calling TB.
/// @param slot      Its TB slot.
/// @param groups    count groups.
/// @param count     1 to warp.
/// @param records   Receives count launch records, in the order of the lanes. May be null.
/// @return As gpusched_frontend_device_launch, and a lane's BadThread after its other checks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_agg_launch(
    frontend: *mut gpusched_frontend,
    smx: u32,
    slot: u32,
    groups: *const gpusched_group,
    count: u32,
    records: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract; the two types lie alike.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let groups = lanes(groups.cast::<GroupLaunch>(), count, records)?;
            put_records(records, &object.machine.agg_launch(from_c(smx), from_c(slot), groups)?);
            Ok(())
        })
    })
}

/// The launches of a command. More than any warp has are as wrong as none, and are not read.
///
/// # Safety
/// `first` and `records`, if neither null nor misaligned, point to `count` elements each.
unsafe fn lanes<'a, V>(first: *const V, count: u32, records: *mut u32) -> Result<&'a [V], Status> {
    if count > MAX_WARP {
        return Ok(&[]);
    }
    writable_or_null(records)?;
    // SAFETY: the caller's contract.
    unsafe { array(first, count as usize) }
}

/// # Safety
/// `records`, if not null, points to as many numbers as were launched.
unsafe fn put_records(records: *mut u32, launched: &[RecordId]) {
    if records.is_null() {
        return;
    }
    for (i, record) in launched.iter().enumerate() {
        // SAFETY: the caller's contract.
        unsafe { records.add(i).write(record.0) };
    }
}
