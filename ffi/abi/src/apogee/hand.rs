//! What no rule expresses: a load, whose threads come in one of three forms and whose lists go where the host says.

use gpusched::Cycle;
use gpusched::apogee::{Access, Lanes, LoadProbe, Loaded, Triggered, Verdict};

use super::{Object, gpusched_apogee, gpusched_apogee_loaded, gpusched_apogee_triggered, gpusched_apogee_verdict};
use crate::convert::{ToC, from_c};
use crate::object::enter;
use crate::pointer::{array, array_mut, get, writable};
use crate::status::{gpusched_status, gpusched_status as Status, status};

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
            *to = row.to_c();
        }
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
            loaded.write(decided.to_c());
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
    let of = |verdict| Access { pc, warp: from_c(warp), verdict, lanes };
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
