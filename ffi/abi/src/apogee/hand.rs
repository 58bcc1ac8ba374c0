//! What no rule expresses: a load, whose threads come in one of three forms and whose lists go where the host says; a row of the prefetch
//! table, of which C has one struct for all types.

use gpusched::Cycle;
use gpusched::apogee::{Access, Lanes, LoadProbe, LoadRow, Loaded, PrefetchState, Row, RowKind, Triggered, Verdict};

use super::{Object, gpusched_apogee, gpusched_apogee_loaded, gpusched_apogee_triggered};
use crate::convert::{ToC, from_c, numbers, or_default};
use crate::object::{array, array_mut, enter, get, writable};
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

numbers! { gpusched_apogee_verdict = Verdict { Hit Pending Absent }; }

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

/// What a row of the prefetch table is for: its PF type.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_row_type {
    /// Nothing.
    Free = 0,
    /// The load of its PC, which has no offset yet.
    Train = 1,
    /// The load of its PC, with an offset.
    Foa = 2,
    /// The prefetch of what another load will ask for, by the load of its PC.
    Trig = 3,
}

/// What has become of the prefetches of one row for one warp.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_state {
    /// Nothing is outstanding.
    Idle = 0,
    /// One is on its way to memory.
    Sent = 1,
    /// One has come back.
    Back = 2,
    /// Requested, still in the prefetch queue.
    Queued = 3,
}

/// A row of the prefetch table. Fields that its type has not are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_apogee_row {
    /// Byte address: of the last active thread of the last access, or what to prefetch.
    pub address: u64,
    /// Bit w is the low bit of the state of warp w, a gpusched_apogee_state.
    pub states_low: u64,
    /// Bit w is the high bit of the state of warp w.
    pub states_high: u64,
    /// gpusched_apogee_row_type.
    pub row_type: u32,
    /// The load that reads it: its own, or the trigger.
    pub pc: u32,
    /// Matches of the offset; of a trigger row, a copy of its target's.
    pub confidence: u32,
    /// How often the row was allocated, modulo 2^32.
    pub generation: u32,
    /// Of a load's row: bytes from one thread index to the next; 0 while it trains.
    pub offset: i32,
    /// Of a load's row: lane of the last active thread of the last access; all ones: scalar.
    pub thread: u32,
    /// Of a load's row: iterations from a load to what it prefetches.
    pub distance: u32,
    /// Of a trigger row: PC of the load that it prefetches for.
    pub target: u32,
    /// Of a trigger row: 1 if it did not come in time, else 0.
    pub slow: u32,
}

impl ToC for Row {
    type C = gpusched_apogee_row;

    fn to_c(&self) -> gpusched_apogee_row {
        use gpusched_apogee_row_type as Type;
        let &Self { kind, pc, address, confidence, states, generation, .. } = self;
        let (states_low, states_high) = states.bits();
        let common = gpusched_apogee_row {
            address,
            states_low,
            states_high,
            pc,
            confidence: confidence.to_c(),
            generation,
            ..Default::default()
        };
        match kind {
            RowKind::Free => gpusched_apogee_row { row_type: Type::Free as u32, ..common },
            RowKind::Load(LoadRow { offset, thread, distance }) => gpusched_apogee_row {
                row_type: if offset.is_some() { Type::Foa } else { Type::Train } as u32,
                offset: or_default(&offset),
                thread: thread.to_c(),
                distance: distance.to_c(),
                ..common
            },
            RowKind::Trigger { target, slow } => {
                gpusched_apogee_row { row_type: Type::Trig as u32, target, slow: slow.to_c(), ..common }
            }
        }
    }
}

/// The core's states and those of C have the same numbers.
const _: () = {
    assert!(PrefetchState::Idle as u32 == gpusched_apogee_state::Idle as u32);
    assert!(PrefetchState::Sent as u32 == gpusched_apogee_state::Sent as u32);
    assert!(PrefetchState::Back as u32 == gpusched_apogee_state::Back as u32);
    assert!(PrefetchState::Queued as u32 == gpusched_apogee_state::Queued as u32);
};
