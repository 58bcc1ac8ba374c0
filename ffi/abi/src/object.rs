//! Machines in memory that the caller provides.
//!
//! A block holds a header, the machine, and the rows of its tables, each at its alignment, with nothing left over. The header
//! says what the block is; its seal also depends on where the block is, so that a block that was moved, overwritten or never
//! initialised is refused instead of followed.

use core::alloc::Layout;
use core::ffi::c_void;
use core::mem::{align_of, size_of};
use core::ptr::{self, NonNull};

use gpusched::RowSource;

use crate::GPUSCHED_ABI_VERSION;
use crate::pointer::{put, writable};
use crate::status::gpusched_status as Status;

/// Memory that an object needs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_layout {
    /// Bytes.
    pub size: usize,
    /// Alignment in bytes, a power of two.
    pub align: usize,
}

/// A machine that lives in a caller's block.
///
/// How one more machine comes to C: `ffi/gen/README.md`.
pub trait Machine: Sized {
    /// The type of the pointers that C holds.
    type Opaque;
    /// Tells this machine's blocks from other machines'.
    const KIND: u16;
    /// The machine's configuration, checked.
    type Config;

    /// Memory of each table, in the order in which [`Machine::build`] takes them; `None` where no address could tell so many.
    fn tables(config: &Self::Config) -> impl Iterator<Item = Option<Layout>>;

    /// The machine on tables from `arena`.
    ///
    /// # Errors
    /// What the configuration asks for and cannot be had.
    fn build(config: &Self::Config, arena: &mut Arena) -> Result<Self, Status>;
}

/// "GSCH", read as a little-endian number.
const MAGIC: u32 = u32::from_le_bytes(*b"GSCH");

/// What a block begins with.
#[repr(C)]
#[derive(Clone, Copy)]
struct Header {
    magic: u32,
    kind: u16,
    version: u16,
    /// The words above and the block's address, mixed.
    seal: u64,
}

impl Header {
    /// The header of a block of this kind at this address.
    #[inline]
    fn of<M: Machine>(address: usize) -> Self {
        let Self { magic, kind, version, .. } = Self::unsealed::<M>();
        let words = (magic as u64) << 32 | (kind as u64) << 16 | version as u64;
        // An odd factor spreads the words, so that a seal is not met by chance.
        Self { magic, kind, version, seal: words.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ address as u64 }
    }

    const fn unsealed<M: Machine>() -> Self {
        Self { magic: MAGIC, kind: M::KIND, version: GPUSCHED_ABI_VERSION as u16, seal: 0 }
    }
}

#[repr(C)]
struct Object<M> {
    header: Header,
    machine: M,
}

/// Memory that a machine of this configuration needs.
///
/// # Errors
/// `Capacity` if it is more than an address can tell.
pub(crate) fn layout<M: Machine>(config: &M::Config) -> Result<Layout, Status> {
    let mut all = Layout::new::<Object<M>>();
    for table in M::tables(config) {
        (all, _) = all.extend(table.ok_or(Status::Capacity)?).map_err(|_| Status::Capacity)?;
    }
    Ok(all)
}

/// Builds a machine in `storage`, of `size` bytes. Refused without a trace.
///
/// # Errors
/// `Null`, `Misaligned`, `StorageTooSmall`, `Capacity`, and those of [`Machine::build`].
///
/// # Safety
/// `storage`, if not null, has `size` bytes that nobody else uses as long as the object is used.
pub(crate) unsafe fn init<M: Machine>(
    storage: *mut u8,
    size: usize,
    config: &M::Config,
) -> Result<NonNull<M::Opaque>, Status> {
    let need = layout::<M>(config)?;
    let block = NonNull::new(storage).ok_or(Status::Null)?;
    if !block.addr().get().is_multiple_of(need.align()) {
        return Err(Status::Misaligned);
    }
    if size < need.size() {
        return Err(Status::StorageTooSmall);
    }
    let object = block.cast::<Object<M>>();
    // SAFETY: the block is large enough for the object and its tables, which lie behind it.
    unsafe {
        put_machine(object.as_ptr(), M::build(config, &mut Arena::behind(object.as_ptr(), need.size())))?;
    }
    Ok(object.cast())
}

/// Makes a block an object. Field by field, since a machine is large where stacks are small.
///
/// # Safety
/// The block has room for the object.
#[inline(always)]
unsafe fn put_machine<M: Machine>(object: *mut Object<M>, built: Result<M, Status>) -> Result<(), Status> {
    match built {
        // SAFETY: the caller's contract.
        Ok(machine) => unsafe {
            ptr::addr_of_mut!((*object).machine).write(machine);
            ptr::addr_of_mut!((*object).header).write(Header::of::<M>(object.addr()));
            Ok(())
        },
        Err(refused) => Err(refused),
    }
}

/// Tells the memory that a machine of this configuration needs.
pub(crate) unsafe fn put_layout<M: Machine>(config: &M::Config, out: *mut gpusched_layout) -> Result<(), Status> {
    let need = layout::<M>(config)?;
    // SAFETY: the caller's contract.
    unsafe { put(out, gpusched_layout { size: need.size(), align: need.align() }) }
}

/// As [`init`], and tells where the object is.
pub(crate) unsafe fn init_from<M: Machine>(
    storage: *mut c_void,
    size: usize,
    config: &M::Config,
    out: *mut *mut M::Opaque,
) -> Result<(), Status> {
    let out = writable(out)?;
    // SAFETY: the caller's contract.
    unsafe { out.write(init::<M>(storage.cast(), size, config)?.as_ptr()) };
    Ok(())
}

/// Builds the machine of an object anew, in its own block. If that fails the block holds no object any more.
///
/// # Errors
/// Those of `build`.
///
/// # Safety
/// `object` passed [`enter`], and no reference to its machine is left.
pub(crate) unsafe fn rebuild<M: Machine>(
    object: *mut M::Opaque,
    config: &M::Config,
    build: impl FnOnce(&mut Arena) -> Result<M, Status>,
) -> Result<(), Status> {
    let need = layout::<M>(config)?;
    let object = object.cast::<Object<M>>();
    // SAFETY: the object was built with this configuration, so the block has this size; its old machine is forgotten (it owns
    // nothing) before its tables are handed out again.
    unsafe {
        ptr::addr_of_mut!((*object).header.seal).write(0);
        put_machine(object, build(&mut Arena::behind(object, need.size())))
    }
}

/// The rest of a block, from which tables are taken.
pub struct Arena {
    block: *mut u8,
    used: usize,
    size: usize,
}

impl Arena {
    fn behind<M>(object: *mut Object<M>, size: usize) -> Self {
        Self { block: object.cast(), used: size_of::<Object<M>>(), size }
    }
}

impl RowSource<'static> for Arena {
    fn rows<R: Default + 'static>(&mut self, n: usize) -> Option<&'static mut [R]> {
        let bytes = n.checked_mul(size_of::<R>())?;
        let start = self.used.checked_next_multiple_of(align_of::<R>())?;
        let end = start.checked_add(bytes).filter(|&end| end <= self.size)?;
        self.used = end;
        // SAFETY: `start..end` lies within the block, whose alignment is at least that of every table, and is handed out only
        // here; every row is written before the slice exists. The block outlives the machine by the caller's contract.
        unsafe {
            let rows = self.block.add(start).cast::<R>();
            for i in 0..n {
                rows.add(i).write(R::default());
            }
            Some(core::slice::from_raw_parts_mut(rows, n))
        }
    }
}

/// The machine of an object, to be changed.
///
/// # Errors
/// `Null`, `Misaligned`, `NotInitialised`, `WrongType`, `WrongVersion`, `Moved`.
///
/// # Safety
/// `object`, if it is neither null nor misaligned, points to readable memory of an object's size; and if it is an object, no
/// other call uses it meanwhile.
#[inline]
pub(crate) unsafe fn enter<'a, M: Machine>(object: *mut M::Opaque) -> Result<&'a mut M, Status> {
    let object = object.cast::<Object<M>>();
    // SAFETY: a valid header says that `init` built a machine of this type here.
    unsafe {
        check(object)?;
        Ok(&mut (*object).machine)
    }
}

/// The machine of an object, to be looked at.
///
/// # Errors
/// As [`enter`].
///
/// # Safety
/// As [`enter`], but other calls may look at it meanwhile.
#[inline]
pub(crate) unsafe fn inspect<'a, M: Machine>(object: *const M::Opaque) -> Result<&'a M, Status> {
    let object = object.cast::<Object<M>>();
    // SAFETY: as in `enter`.
    unsafe {
        check(object)?;
        Ok(&(*object).machine)
    }
}

#[inline]
unsafe fn check<M: Machine>(object: *const Object<M>) -> Result<(), Status> {
    if object.is_null() {
        return Err(Status::Null);
    }
    // SAFETY: the caller says that an object's memory can be read here. Every content is valid for a seal, and no seal fits an
    // address where `init` would not have built.
    unsafe {
        let seal = (&raw const (*object).header.seal).read_unaligned();
        if seal == Header::of::<M>(object.addr()).seal { Ok(()) } else { Err(refusal(object)) }
    }
}

/// Why there is no object of this kind at this place.
///
/// # Safety
/// As [`check`].
#[cold]
#[inline(never)]
unsafe fn refusal<M: Machine>(object: *const Object<M>) -> Status {
    if !object.is_aligned() {
        return Status::Misaligned;
    }
    // SAFETY: as in `check`.
    let header = unsafe { (&raw const (*object).header).read() };
    let expected = Header::unsealed::<M>();
    if header.magic != expected.magic || header.seal == 0 {
        Status::NotInitialised
    } else if header.version != expected.version {
        Status::WrongVersion
    } else if header.kind != expected.kind {
        Status::WrongType
    } else {
        Status::Moved
    }
}
