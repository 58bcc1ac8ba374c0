//! What a host tells the prefetcher, and what it decides.

use gpusched::Cycle;
use gpusched::apogee::{
    Access, Adjust, Lanes, LoadProbe, Loaded, Push, Request, RequestKind, RowId, Tia, Triggered, Verdict, WarpId,
};

use super::{Object, gpusched_apogee};
use crate::GPUSCHED_NONE;
use crate::ids::{apogee_row, apogee_warp};
use crate::object::{array, array_mut, enter, get, put_unless_null, writable, writable_or_null};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// What the cache answered to all lines of a load.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_verdict {
    /// All are present.
    Hit = 0,
    /// None is absent, some are on their way.
    Pending = 1,
    /// Some are absent.
    Absent = 2,
}

/// An active thread of a load.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_apogee_lane {
    /// Byte address.
    pub address: u64,
    /// Its lane in the warp.
    pub lane: u32,
    /// Not read.
    pub reserved: u32,
}

/// A load of a warp, as the cache has answered it. Its threads are told in one of three ways: by an address per lane, by a list, or by an
/// address and a stride, as a coalescer knows them.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct gpusched_apogee_access {
    /// Instruction index, below 2^pc_bits.
    pub pc: u64,
    /// Active lanes, unless they are listed: bit i is lane i.
    pub mask: u64,
    /// An address per lane, `count` of them, from lane 0 up to the last active one, or more. Those of lanes that are not active are not
    /// looked at. Null: the threads are listed in `lanes`, or follow `first` and `stride`.
    pub addresses: *const u64,
    /// Active threads, ascending, `count` of them; read only if `addresses` is null. Null, and `count` 0: they follow `first` and
    /// `stride`.
    pub lanes: *const gpusched_apogee_lane,
    /// Elements of the array that is read.
    pub count: usize,
    /// Warp.
    pub warp: u32,
    /// gpusched_apogee_verdict.
    pub verdict: u32,
    /// Address of the first active lane; read only without arrays.
    pub first: u64,
    /// Bytes from the address of one lane to that of the next one, whether these are active or not; read only without arrays.
    pub stride: i64,
}

/// What a load did to the distance of its row.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_adjust {
    /// Nothing.
    None = 0,
    /// The prefetch was slow: one iteration more.
    Inc = 1,
    /// The prefetch was slow, and the distance the greatest already.
    IncSat = 2,
    /// The prefetch was too early: one iteration less.
    Dec = 3,
    /// The prefetch was too early, and the distance the least already.
    DecMin = 4,
}

/// What a load did to the chain of thread-invariant loads.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_tia {
    /// It is no thread-invariant load that misses.
    None = 0,
    /// A trigger row was made for it.
    Added = 1,
    /// Its trigger row stays.
    Kept = 2,
    /// Its trigger row stays, and moves when it triggers next.
    Slow = 3,
    /// The last accessed load is itself: no trigger.
    SelfLoad = 4,
    /// There is no last accessed load.
    NoLal = 5,
    /// The table has no row but its own.
    NoRoom = 6,
}

/// What became of a line that is to be prefetched.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_push {
    /// It waits in the queue.
    Pushed = 0,
    /// It waited there already.
    Merged = 1,
    /// The queue is full.
    Dropped = 2,
}

/// What a load found and did.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_apogee_loaded {
    /// The row of its PC.
    pub entry: u32,
    /// 1 if that row is new, else 0.
    pub is_new: u32,
    /// 1 if another PC was displaced for it, else 0.
    pub evicts: u32,
    /// That PC.
    pub evicted: u32,
    /// gpusched_apogee_adjust.
    pub adjust: u32,
    /// 1 if its threads have not the row's offset, or none: the row trains again; else 0.
    pub mismatch: u32,
    /// 1 if all its threads have the offset, with confidence enough, else 0.
    pub confirmed: u32,
    /// Fixed-offset lines that were queued.
    pub pushed: u32,
    /// Fixed-offset lines that waited already.
    pub merged: u32,
    /// Fixed-offset lines for which the queue had no room.
    pub dropped: u32,
    /// Predictions of threads that lie outside the address space.
    pub outside: u32,
    /// Trigger rows of this PC.
    pub triggered: u32,
    /// gpusched_apogee_tia.
    pub tia: u32,
    /// Its own trigger row; GPUSCHED_NONE if there is none.
    pub tia_entry: u32,
    /// 1 if another PC was displaced for that, else 0.
    pub tia_evicts: u32,
    /// That PC.
    pub tia_evicted: u32,
}

impl From<&Loaded> for gpusched_apogee_loaded {
    #[inline]
    fn from(loaded: &Loaded) -> Self {
        let &Loaded { entry, is_new, evicted, adjust, mismatch, confirmed, pushed, merged, dropped, .. } = loaded;
        let &Loaded { outside, triggered, tia, tia_entry, tia_evicted, .. } = loaded;
        Self {
            entry: entry.into(),
            is_new: is_new.into(),
            evicts: evicted.is_some().into(),
            evicted: evicted.unwrap_or_default(),
            adjust: match adjust {
                Adjust::None => gpusched_apogee_adjust::None,
                Adjust::Inc => gpusched_apogee_adjust::Inc,
                Adjust::IncSat => gpusched_apogee_adjust::IncSat,
                Adjust::Dec => gpusched_apogee_adjust::Dec,
                Adjust::DecMin => gpusched_apogee_adjust::DecMin,
            } as u32,
            mismatch: mismatch.into(),
            confirmed: confirmed.into(),
            pushed,
            merged,
            dropped,
            outside,
            triggered,
            tia: match tia {
                Tia::None => gpusched_apogee_tia::None,
                Tia::Added => gpusched_apogee_tia::Added,
                Tia::Kept => gpusched_apogee_tia::Kept,
                Tia::Slow => gpusched_apogee_tia::Slow,
                Tia::SelfLoad => gpusched_apogee_tia::SelfLoad,
                Tia::NoLal => gpusched_apogee_tia::NoLal,
                Tia::NoRoom => gpusched_apogee_tia::NoRoom,
            } as u32,
            tia_entry: tia_entry.map_or(GPUSCHED_NONE, u32::from),
            tia_evicts: tia_evicted.is_some().into(),
            tia_evicted: tia_evicted.unwrap_or_default(),
        }
    }
}

/// A trigger row whose load came.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_apogee_triggered {
    /// The row.
    pub entry: u32,
    /// 1 if it moved to an earlier load, else 0.
    pub moved: u32,
    /// Its line: gpusched_apogee_push.
    pub result: u32,
}

impl From<Triggered> for gpusched_apogee_triggered {
    fn from(Triggered { entry, moved, result }: Triggered) -> Self {
        let result = match result {
            Push::Pushed => gpusched_apogee_push::Pushed,
            Push::Merged => gpusched_apogee_push::Merged,
            Push::Dropped => gpusched_apogee_push::Dropped,
        };
        Self { entry: entry.into(), moved: moved.into(), result: result as u32 }
    }
}

/// Where a load writes its lists; as far as the arrays reach, in the order of the load.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct gpusched_apogee_lists {
    /// Receives the fixed-offset lines that were queued: gpusched_apogee_loaded.pushed of them.
    pub lines: *mut u64,
    /// Elements of that array; 0 if it is null.
    pub line_capacity: usize,
    /// Receives the rows that were triggered: gpusched_apogee_loaded.triggered of them.
    pub rows: *mut gpusched_apogee_triggered,
    /// Elements of that array; 0 if it is null.
    pub row_capacity: usize,
}

/// The arrays of a [`gpusched_apogee_lists`], and how far they are filled.
#[derive(Default)]
struct Lists<'a> {
    lines: core::slice::IterMut<'a, u64>,
    rows: core::slice::IterMut<'a, gpusched_apogee_triggered>,
}

impl LoadProbe for Lists<'_> {
    #[inline]
    fn pushed(&mut self, line: u64) {
        if let Some(to) = self.lines.next() {
            *to = line;
        }
    }

    fn triggered(&mut self, row: Triggered) {
        if let Some(to) = self.rows.next() {
            *to = row.into();
        }
    }
}

/// Why a line is prefetched.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_kind {
    /// Fixed offset address.
    Foa = 0,
    /// Thread invariant address.
    Tia = 1,
}

/// A line to be prefetched.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_apogee_request {
    /// Address of the line.
    pub line: u64,
    /// The row that asks for it.
    pub entry: u32,
    /// That row's generation when it asked.
    pub generation: u32,
    /// The warp that it is for.
    pub warp: u32,
    /// gpusched_apogee_kind.
    pub kind: u32,
}

impl From<Request> for gpusched_apogee_request {
    fn from(Request { line, entry, generation, warp, kind }: Request) -> Self {
        let kind = match kind {
            RequestKind::Foa => gpusched_apogee_kind::Foa,
            RequestKind::Tia => gpusched_apogee_kind::Tia,
        };
        Self { line, entry: entry.into(), generation, warp: warp.into(), kind: kind as u32 }
    }
}

/// Threads of a list: one more than a warp can have is enough to be refused.
const LISTED: usize = 65;

/// The first threads of a list as the core takes them.
fn listed(lanes: &[gpusched_apogee_lane]) -> [(u8, u64); LISTED] {
    let mut list = [(0, 0); LISTED];
    for (to, lane) in list.iter_mut().zip(lanes) {
        // A lane that is too large is beyond every warp, too.
        *to = (lane.lane.min(u8::MAX.into()) as u8, lane.address);
    }
    list
}

/// A warp has loaded.
///
/// @param apogee  The machine.
/// @param now     The cycle, not before that of the last load or pop.
/// @param access  The load.
/// @param loaded  Receives what was found and decided.
/// @param lists   Where its lists go. May be null; their lengths are in `loaded` anyhow.
/// @return TimeOverflow, TimeBackwards, BadWarp, PcRange, NoActiveLanes, BadLanes, AddressRange, BadResult; Null, Misaligned, Capacity;
/// those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_load(
    apogee: *mut gpusched_apogee,
    now: u64,
    access: *const gpusched_apogee_access,
    loaded: *mut gpusched_apogee_loaded,
    lists: *const gpusched_apogee_lists,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(apogee).and_then(|machine| {
            let (access, loaded) = (get(access)?, writable(loaded)?);
            let mut lists = if lists.is_null() { Lists::default() } else { arrays(get(lists)?)? };
            let &gpusched_apogee_access { mask, first, stride, .. } = access;
            let decided = if !access.addresses.is_null() {
                let addresses = array(access.addresses, access.count)?;
                load(machine, Cycle(now), access, Lanes::Dense { mask, addresses }, &mut lists)?
            } else if access.lanes.is_null() && access.count == 0 {
                load(machine, Cycle(now), access, Lanes::Affine { mask, first, stride }, &mut lists)?
            } else {
                let lanes = array(access.lanes, access.count)?;
                let list = listed(lanes);
                let list = list.get(..lanes.len()).unwrap_or(&list);
                load(machine, Cycle(now), access, Lanes::List(list), &mut lists)?
            };
            loaded.write((&decided).into());
            Ok(())
        })
    })
}

/// The load of C with its threads.
#[inline(always)]
fn load(
    machine: &mut Object,
    now: Cycle,
    access: &gpusched_apogee_access,
    lanes: Lanes<'_>,
    lists: &mut Lists<'_>,
) -> Result<Loaded, Status> {
    let &gpusched_apogee_access { pc, warp, verdict, .. } = access;
    const PENDING: u32 = gpusched_apogee_verdict::Pending as u32;
    const ABSENT: u32 = gpusched_apogee_verdict::Absent as u32;
    let of = |verdict| Access { pc, warp: apogee_warp(warp), verdict, lanes };
    let verdict = match verdict {
        0 => Verdict::Hit,
        PENDING => Verdict::Pending,
        ABSENT => Verdict::Absent,
        _ => {
            machine.check_load(now, &of(Verdict::Hit))?;
            return Err(Status::BadResult);
        }
    };
    Ok(machine.load(now, &of(verdict), lists)?)
}

/// The arrays of the caller.
///
/// # Safety
/// As of [`array_mut`].
unsafe fn arrays<'a>(lists: &gpusched_apogee_lists) -> Result<Lists<'a>, Status> {
    // SAFETY: the caller's contract.
    unsafe {
        Ok(Lists {
            lines: array_mut(lists.lines, lists.line_capacity)?.iter_mut(),
            rows: array_mut(lists.rows, lists.row_capacity)?.iter_mut(),
        })
    }
}

/// Takes the head of the prefetch queue, if it is ready. The host looks the line up, and answers with gpusched_apogee_pf_reply before it
/// takes the next one.
///
/// @param apogee   The machine.
/// @param now      The cycle, not before that of the last load or pop.
/// @param request  Receives the request, if there is one.
/// @param popped   Receives 1 if there is one, else 0.
/// @return TimeOverflow, TimeBackwards, ReplyPending; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_pf_pop(
    apogee: *mut gpusched_apogee,
    now: u64,
    request: *mut gpusched_apogee_request,
    popped: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(apogee).and_then(|machine| {
            let (to, popped) = (writable(request)?, writable(popped)?);
            let request = machine.pf_pop(Cycle(now))?;
            popped.write(request.is_some().into());
            if let Some(request) = request {
                to.write(request.into());
            }
            Ok(())
        })
    })
}

/// Says what became of the request that was popped.
///
/// @param apogee  The machine.
/// @param sent    Not 0: it was sent to memory. 0: the line is present or already on its way.
/// @param stale   Receives 1 if its row was displaced meanwhile, else 0. May be null.
/// @return NoReplyPending; Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_pf_reply(
    apogee: *mut gpusched_apogee,
    sent: u32,
    stale: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(apogee).and_then(|machine| {
            let stale = writable_or_null(stale)?;
            put_unless_null(stale, machine.pf_reply(sent != 0)?.into());
            Ok(())
        })
    })
}

/// A request that was sent has come back.
///
/// @param apogee      The machine.
/// @param entry       The request's row.
/// @param generation  The request's generation.
/// @param warp        The request's warp.
/// @param stale       Receives 1 if the row was displaced or flushed meanwhile, else 0. May be null.
/// @return BadEntry, BadWarp; Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_pf_fill(
    apogee: *mut gpusched_apogee,
    entry: u32,
    generation: u32,
    warp: u32,
    stale: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(apogee).and_then(|machine| {
            let stale = writable_or_null(stale)?;
            let (entry, warp): (RowId, WarpId) = (apogee_row(entry), apogee_warp(warp));
            put_unless_null(stale, machine.pf_fill(entry, generation, warp)?.into());
            Ok(())
        })
    })
}

/// The SM has so many threads from now on: warps have started or ended.
///
/// @param apogee  The machine.
/// @param n       1 to 65535.
/// @return BadThreads; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_set_threads(apogee: *mut gpusched_apogee, n: u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(apogee).and_then(|machine| Ok(machine.set_threads(n)?)) })
}

/// A kernel ends: frees all rows, empties queue and last accessed loads.
///
/// @param apogee   The machine.
/// @param dropped  Receives how many requests waited. May be null.
/// @return ReplyPending; Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_flush(apogee: *mut gpusched_apogee, dropped: *mut u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(apogee).and_then(|machine| {
            let dropped = writable_or_null(dropped)?;
            put_unless_null(dropped, machine.flush()?);
            Ok(())
        })
    })
}
