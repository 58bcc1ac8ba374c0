//! What happens: launches, completions, suspension, time, and the decisions that answer them.

use core::mem::{offset_of, size_of};

use gpusched::{Cycle, Descriptor, Dim3, GroupLaunch, KernelSlot, RecordId, SlotId, SmxId, SuspId, Words};

use super::{Object, gpusched_frontend};
use crate::decision::{gpusched_decision, gpusched_trace};
use crate::object::{array, enter, get, put, writable};
use crate::status::{gpusched_status, gpusched_status as Status, status};
use crate::{GPUSCHED_NEVER, frontend::view::smx_id};

/// Extent in three dimensions: of a grid in TBs, or of a TB in threads.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_dim3 {
    /// First dimension.
    pub x: u32,
    /// Second dimension.
    pub y: u32,
    /// Third dimension.
    pub z: u32,
}

/// A kernel as a launch call gives it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_kernel {
    /// Program entry. A group joins a kernel of the same pc, tb, regs and smem.
    pub pc: u64,
    /// Grid, in TBs: x 1 to 2^31-1, y and z 1 to 65535, the product at most 2^32-1.
    pub grid: gpusched_dim3,
    /// TB, in threads; each at least 1.
    pub tb: gpusched_dim3,
    /// Registers of one TB.
    pub regs: u32,
    /// Shared memory of one TB, in bytes.
    pub smem: u32,
    /// Address of the parameters; opaque.
    pub param: u32,
    /// The host's name for this launch; opaque, and told back with every decision about it.
    pub tag: u64,
}

/// An aggregated group as a launch call gives it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_group {
    /// The group's TBs.
    pub kernel: gpusched_kernel,
    /// The calling thread's number within its SMX, below threads.
    pub hw_tid: u32,
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

/// What the scheduler did in a cycle: `sched` of gpusched_tick.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_sched {
    /// It sent a TB.
    Tb = 0,
    /// No kernel has TBs to send.
    Idle = 1,
    /// It waits for the information of a spilled group.
    Load = 2,
    /// No SMX has room for the next TB.
    NoRoom = 3,
    /// An SMX has room, but a gate other than a class cap is closed.
    Gated = 4,
    /// An SMX has room, but a class cap is reached.
    Capped = 5,
}

/// What the kernel management unit did in a cycle: `kmu` of gpusched_tick.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_kmu {
    /// It issued a kernel.
    Issue = 0,
    /// No kernel waits.
    Empty = 1,
    /// Its last dispatch is still under way.
    Busy = 2,
    /// Every kernel distributor entry is taken.
    KdFull = 3,
}

/// What a cycle did, besides its decisions.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tick {
    /// gpusched_sched.
    pub sched: u32,
    /// gpusched_kmu.
    pub kmu: u32,
}

/// How often each word was the answer in a run of cycles.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_words {
    /// Cycles that sent a TB.
    pub tb: u64,
    /// Cycles without a kernel that has TBs to send.
    pub idle: u64,
    /// Cycles that waited for a load.
    pub load: u64,
    /// Cycles without room.
    pub noroom: u64,
    /// Cycles in which a gate other than a class cap was closed.
    pub gated: u64,
    /// Cycles in which a class cap was reached.
    pub capped: u64,
    /// KMU: cycles that issued a kernel.
    pub issue: u64,
    /// KMU: cycles without a waiting kernel.
    pub empty: u64,
    /// KMU: cycles in which its last dispatch was under way.
    pub busy: u64,
    /// KMU: cycles in which every entry was taken.
    pub kdfull: u64,
}

impl gpusched_words {
    fn add(&mut self, words: Words) {
        let Words { tb, idle, load, noroom, gated, capped, issue, empty, busy, kdfull } = words;
        // Each counts cycles, of which there are less than 2^64.
        self.tb = self.tb.wrapping_add(tb);
        self.idle = self.idle.wrapping_add(idle);
        self.load = self.load.wrapping_add(load);
        self.noroom = self.noroom.wrapping_add(noroom);
        self.gated = self.gated.wrapping_add(gated);
        self.capped = self.capped.wrapping_add(capped);
        self.issue = self.issue.wrapping_add(issue);
        self.empty = self.empty.wrapping_add(empty);
        self.busy = self.busy.wrapping_add(busy);
        self.kdfull = self.kdfull.wrapping_add(kdfull);
    }
}

/// An SMX and a TB slot as the machine knows them; what its types cannot hold does not exist.
fn place(smx: u32, slot: u32) -> Result<(SmxId, SlotId), Status> {
    Ok((smx_id(smx)?, SlotId(slot.try_into().map_err(|_| Status::BadSlot)?)))
}

fn kernel_slot(kde: u32) -> Result<KernelSlot, Status> {
    kde.try_into().map(KernelSlot).map_err(|_| Status::BadKde)
}

/// Launches a kernel from the host. It waits in the hardware work queue of its stream.
///
/// @param frontend  The front end.
/// @param stream    Any number; streams share a queue if they are equal modulo n_hwq.
/// @param kernel    Read.
/// @param retain    If not 0, the kernel's entry stays, joinable by groups, until gpusched_frontend_unretain.
/// @param queue     Receives the queue. May be null.
/// @return EmptyGrid, GridTooLarge, EmptyTb, TbTooBig, HwqFull; those of the object (see the top).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_host_launch(
    frontend: *mut gpusched_frontend,
    stream: u32,
    kernel: *const gpusched_kernel,
    retain: u32,
    queue: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract; the two types lie alike.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let kernel = get(kernel.cast::<Descriptor>())?;
            if !queue.is_null() {
                writable(queue)?;
            }
            let hwq = object.gpu.host_launch(stream, kernel, retain != 0)?;
            if !queue.is_null() {
                queue.write(hwq.0.into());
            }
            Ok(())
        })
    })
}

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
            let (smx, slot) = place(smx, slot)?;
            let kernels = lanes(kernels.cast::<Descriptor>(), count, records)?;
            put_records(records, &object.gpu.device_launch(smx, slot, kernels)?);
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
            let (smx, slot) = place(smx, slot)?;
            let groups = lanes(groups.cast::<GroupLaunch>(), count, records)?;
            put_records(records, &object.gpu.agg_launch(smx, slot, groups)?);
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
    if !records.is_null() {
        writable(records)?;
    }
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

/// The TB at smx, slot has ended. Its room can be used by the tick of this cycle.
///
/// @return BadSmx, BadSlot, NoTb; Unread; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_tb_done(
    frontend: *mut gpusched_frontend,
    smx: u32,
    slot: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let (smx, slot) = place(smx, slot)?;
            // The ends of a group and of a kernel, and its queue.
            object.room(3)?;
            Ok(object.gpu.tb_done(smx, slot, &mut object.sink)?)
        })
    })
}

/// Ends the hold on a kernel that was launched with retain.
///
/// @return BadKde, NoKernel, NotRetained; Unread; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_unretain(frontend: *mut gpusched_frontend, kde: u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            // The end of a kernel, and its queue.
            object.room(2)?;
            Ok(object.gpu.unretain(kernel_slot(kde)?, &mut object.sink)?)
        })
    })
}

/// Takes a kernel's TBs off their SMXs and its entry away, while it waits for its children; its queue stays held. Contexts are
/// the host's to keep, in the order of the Saved decisions.
///
/// @param frontend  The front end.
/// @param kde       The kernel's entry.
/// @param index     Receives its place in the list of suspended kernels. May be null.
/// @return BadKde, NoKernel, Retained, HasGroups, RestorePending, NothingResident, SyncDepth, SuspFull; Unread; those of the
/// object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_suspend(
    frontend: *mut gpusched_frontend,
    kde: u32,
    index: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            if !index.is_null() {
                writable(index)?;
            }
            let kde = kernel_slot(kde)?;
            let resident = object.gpu.kde(kde).map_or(0, |entry| entry.exe as usize);
            object.room(resident + 1)?;
            let suspended = object.gpu.suspend(kde, &mut object.sink)?;
            if !index.is_null() {
                index.write(suspended.0.into());
            }
            Ok(())
        })
    })
}

/// Makes a suspended kernel a candidate of the KMU. It will send its saved TBs first, on any SMX, then those never sent.
///
/// @return BadSusp, AlreadyResumed; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_resume(frontend: *mut gpusched_frontend, index: u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let index = index.try_into().map_err(|_| Status::BadSusp)?;
            Ok(object.gpu.resume(SuspId(index))?)
        })
    })
}

/// The information of a spilled group is here (load_mode external).
///
/// @return NoLoad: no scheduler waits for that record; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_spill_loaded(
    frontend: *mut gpusched_frontend,
    record: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(frontend).and_then(|object| Ok(object.gpu.spill_loaded(RecordId(record))?)) })
}

/// Carries out the current cycle, then moves to the next one.
///
/// @param frontend  The front end.
/// @param tick      Receives what the cycle did. May be null: its decisions tell the rest.
/// @return TimeOverflow: the last cycle; Unread; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_tick(
    frontend: *mut gpusched_frontend,
    tick: *mut gpusched_tick,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            object.room(object.gpu.config().decisions_per_tick())?;
            if !tick.is_null() {
                writable(tick)?;
            }
            let gpusched::Tick { sched, kmu } = object.gpu.tick(&mut object.sink)?;
            if !tick.is_null() {
                tick.write(gpusched_tick { sched: sched_word(&sched) as u32, kmu: kmu_word(kmu) as u32 });
            }
            Ok(())
        })
    })
}

fn sched_word(sched: &gpusched::Sched) -> gpusched_sched {
    match sched {
        gpusched::Sched::Tb(_) => gpusched_sched::Tb,
        gpusched::Sched::Idle => gpusched_sched::Idle,
        gpusched::Sched::Load => gpusched_sched::Load,
        gpusched::Sched::NoRoom => gpusched_sched::NoRoom,
        gpusched::Sched::Gated => gpusched_sched::Gated,
        gpusched::Sched::Capped => gpusched_sched::Capped,
    }
}

fn kmu_word(kmu: gpusched::Kmu) -> gpusched_kmu {
    match kmu {
        gpusched::Kmu::Issue => gpusched_kmu::Issue,
        gpusched::Kmu::Empty => gpusched_kmu::Empty,
        gpusched::Kmu::Busy => gpusched_kmu::Busy,
        gpusched::Kmu::KdFull => gpusched_kmu::KdFull,
    }
}

/// Carries out cycles until one has decided something or `until` is the next one, whichever comes first. Cycles without decisions
/// cost nothing, however many they are. Typically `until` is when the host's next TB ends.
///
/// @param frontend  The front end.
/// @param until     The cycle that will not be carried out any more; GPUSCHED_NEVER for no limit.
/// @param words     Receives how often each word was the answer. May be null.
/// @return TimeOverflow: nothing is due and there is no limit; Unread; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_advance(
    frontend: *mut gpusched_frontend,
    until: u64,
    words: *mut gpusched_words,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            object.room(object.gpu.config().decisions_per_tick())?;
            if !words.is_null() {
                writable(words)?;
            }
            let mut counted = gpusched_words::default();
            counted.add(object.gpu.advance(Cycle(until), &mut object.sink)?);
            if !words.is_null() {
                words.write(counted);
            }
            Ok(())
        })
    })
}

/// Carries out all cycles before `until` for which there is room for decisions, in one call: for hosts that report nothing
/// meanwhile. If gpusched_frontend_now is below `until` afterwards, the decisions must be read before it goes on.
///
/// @param frontend  The front end.
/// @param until     The cycle that will not be carried out any more; GPUSCHED_NEVER: stop when nothing more is due.
/// @param words     Receives how often each word was the answer. May be null.
/// @return Unread: no room for a single cycle's; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_run(
    frontend: *mut gpusched_frontend,
    until: u64,
    words: *mut gpusched_words,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let most = object.gpu.config().decisions_per_tick();
            object.room(most)?;
            if !words.is_null() {
                writable(words)?;
            }
            let mut counted = gpusched_words::default();
            let last = |object: &Object| until == GPUSCHED_NEVER && object.gpu.next_event().is_none();
            while object.gpu.now().0 < until && object.sink.has_room(most) && !last(object) {
                counted.add(object.gpu.advance(Cycle(until), &mut object.sink)?);
            }
            if !words.is_null() {
                words.write(counted);
            }
            Ok(())
        })
    })
}

/// Takes the oldest decisions that were not read yet, at most capacity.
///
/// @param frontend   The front end.
/// @param decisions  Receives them.
/// @param capacity   Length of that array; if it is 0, decisions may be null.
/// @param count      Receives how many it was: less than capacity means that none is left.
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_read(
    frontend: *mut gpusched_frontend,
    decisions: *mut gpusched_decision,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let count = writable(count)?;
            if capacity > 0 {
                writable(decisions)?;
            }
            count.write(object.sink.read(decisions, capacity));
            Ok(())
        })
    })
}

/// Tells how many decisions wait to be read.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_unread(
    frontend: *const gpusched_frontend,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { crate::object::inspect::<Object>(frontend).and_then(|object| put(count, object.sink.unread())) })
}

/// From now on every decision is also written to this ring, whether or not it is read. The ring and its events must stay in place
/// until another ring, or null, is attached.
///
/// @param frontend  The front end.
/// @param trace     `events` and `capacity` are read now, `written` is set to 0. Null: no more tracing.
/// @return Misaligned; Null: it has no events; Capacity: their number is 0; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_trace(
    frontend: *mut gpusched_frontend,
    trace: *mut gpusched_trace,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(frontend).and_then(|object| object.sink.attach(trace)) })
}
