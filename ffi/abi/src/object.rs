//! Machines in memory that the caller provides.
//!
//! A block holds a header, the machine, and the rows of its tables, each at its alignment, with nothing left over. The header
//! says what the block is; its seal also depends on where the block is, so that a block that was moved, overwritten or never
//! initialised is refused instead of followed.

use core::alloc::Layout;
use core::ffi::c_void;
use core::mem::{align_of, size_of};
use core::ptr::{self, NonNull};

use gpusched::{Fault, RowSource};

use crate::GPUSCHED_ABI_VERSION;
use crate::convert::ToC;
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
pub fn layout<M: Machine>(config: &M::Config) -> Result<Layout, Status> {
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
pub unsafe fn init<M: Machine>(
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
        let machine = M::build(config, &mut Arena::behind(object.as_ptr(), need.size()))?;
        object.write(Object { header: Header::of::<M>(object.addr().get()), machine });
    }
    Ok(object.cast())
}

/// Tells the memory that a machine of this configuration needs.
///
/// # Errors
/// `Capacity`, `Null`, `Misaligned`.
///
/// # Safety
/// As [`put`].
pub unsafe fn put_layout<M: Machine>(config: &M::Config, out: *mut gpusched_layout) -> Result<(), Status> {
    let need = layout::<M>(config)?;
    // SAFETY: the caller's contract.
    unsafe { put(out, gpusched_layout { size: need.size(), align: need.align() }) }
}

/// As [`init`], and tells where the object is.
///
/// # Errors
/// As [`init`].
///
/// # Safety
/// As [`init`] and [`put`].
pub unsafe fn init_from<M: Machine>(
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
pub unsafe fn rebuild<M: Machine>(
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
        let machine = build(&mut Arena::behind(object, need.size()))?;
        object.write(Object { header: Header::of::<M>(object.addr()), machine });
    }
    Ok(())
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
pub unsafe fn enter<'a, M: Machine>(object: *mut M::Opaque) -> Result<&'a mut M, Status> {
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
pub unsafe fn inspect<'a, M: Machine>(object: *const M::Opaque) -> Result<&'a M, Status> {
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

/// Writes a result through an out-parameter.
///
/// # Errors
/// `Null`, `Misaligned`.
///
/// # Safety
/// `out`, if neither null nor misaligned, points to writable memory of a `V`.
#[inline]
pub unsafe fn put<V>(out: *mut V, value: V) -> Result<(), Status> {
    let out = writable(out)?;
    // SAFETY: the caller's contract.
    unsafe { out.write(value) };
    Ok(())
}

/// Checks an out-parameter before anything is done.
///
/// # Errors
/// `Null`, `Misaligned`.
#[inline]
pub fn writable<V>(out: *mut V) -> Result<*mut V, Status> {
    if out.is_null() {
        Err(Status::Null)
    } else if out.is_aligned() {
        Ok(out)
    } else {
        Err(Status::Misaligned)
    }
}

/// As [`writable`], of an out-parameter that may be left out.
///
/// # Errors
/// `Misaligned`.
#[inline]
pub fn writable_or_null<V>(out: *mut V) -> Result<*mut V, Status> {
    if out.is_null() { Ok(out) } else { writable(out) }
}

/// Writes a result through an out-parameter that passed [`writable_or_null`].
///
/// # Safety
/// `out`, if it is not null, points to writable memory of a `V`.
#[inline]
pub unsafe fn put_unless_null<V>(out: *mut V, value: V) {
    if !out.is_null() {
        // SAFETY: the caller's contract.
        unsafe { out.write(value) };
    }
}

/// Writes a list to an array of the caller that passed [`writable_or_null`].
///
/// # Safety
/// `out`, if it is not null, points to as many writable elements as there are items.
pub unsafe fn put_each<V: ToC>(out: *mut V::C, list: &[V]) {
    for (i, value) in list.iter().enumerate().filter(|_| !out.is_null()) {
        // SAFETY: the caller's contract.
        unsafe { out.add(i).write(value.to_c()) };
    }
}

/// Carries out a call, and writes its answer through an out-parameter that was checked before.
///
/// # Errors
/// `Null`, `Misaligned`, and those of the call.
///
/// # Safety
/// As [`put`].
#[inline]
pub unsafe fn give<V: ToC>(out: *mut V::C, call: impl FnOnce() -> Result<V, Status>) -> Result<(), Status> {
    let out = writable(out)?;
    // SAFETY: the caller's contract.
    unsafe { out.write(call()?.to_c()) };
    Ok(())
}

/// As [`give`], of a call that may have no answer: then everything is 0. What the machine says is not moved before it is C's.
///
/// # Errors
/// `Null`, `Misaligned`, and those of the call.
///
/// # Safety
/// As [`put`].
#[inline]
pub unsafe fn give_or_zero<V: ToC<C: Default>, E: Copy + Into<Status>>(
    out: *mut V::C,
    call: impl FnOnce() -> Result<Option<V>, E>,
) -> Result<(), Status> {
    let out = writable(out)?;
    // SAFETY: the caller's contract.
    unsafe {
        match &call() {
            Ok(Some(answer)) => out.write(answer.to_c()),
            Ok(None) => out.write(V::C::default()),
            Err(fault) => return Err((*fault).into()),
        }
    }
    Ok(())
}

/// As [`give`], with an out-parameter that may be left out.
///
/// # Errors
/// `Misaligned`, and those of the call.
///
/// # Safety
/// As [`put`], if `out` is not null.
#[inline]
pub unsafe fn give_unless_null<V: ToC>(out: *mut V::C, call: impl FnOnce() -> Result<V, Status>) -> Result<(), Status> {
    let out = writable_or_null(out)?;
    let answer = call()?;
    // SAFETY: the caller's contract.
    unsafe { put_unless_null(out, answer.to_c()) };
    Ok(())
}

/// The status of what a call is refused with, which is written through an out-parameter that passed [`writable_or_null`].
///
/// # Safety
/// As [`put_unless_null`].
#[cold]
pub unsafe fn refused<E: ToC + Copy + Into<Fault>>(out: *mut E::C, refusal: E) -> Status {
    // SAFETY: the caller's contract.
    unsafe { put_unless_null(out, refusal.to_c()) };
    Status::from(refusal.into())
}

/// As [`give`], of a call that may have no answer: a second out-parameter receives whether there is one.
///
/// # Errors
/// `Null`, `Misaligned`, and those of the call.
///
/// # Safety
/// As [`put`], of both.
#[inline]
pub unsafe fn give_optional<V: ToC>(
    out: *mut V::C,
    present: *mut u32,
    call: impl FnOnce() -> Result<Option<V>, Status>,
) -> Result<(), Status> {
    let (out, present) = (writable(out)?, writable(present)?);
    let answer = call()?;
    // SAFETY: the caller's contract.
    unsafe {
        present.write(answer.is_some().into());
        if let Some(answer) = answer {
            out.write(answer.to_c());
        }
    }
    Ok(())
}

/// A value behind a pointer.
///
/// # Errors
/// `Null`, `Misaligned`.
///
/// # Safety
/// `value`, if neither null nor misaligned, points to a valid `V`.
#[inline]
pub unsafe fn get<'a, V>(value: *const V) -> Result<&'a V, Status> {
    writable(value.cast_mut())?;
    // SAFETY: the caller's contract.
    Ok(unsafe { &*value })
}

/// A value behind a pointer, or none if that is null.
///
/// # Errors
/// `Misaligned`.
///
/// # Safety
/// As [`get`].
#[inline]
pub unsafe fn get_or_null<'a, V>(value: *const V) -> Result<Option<&'a V>, Status> {
    // SAFETY: the caller's contract.
    if value.is_null() { Ok(None) } else { unsafe { get(value) }.map(Some) }
}

/// An array of the caller, or none: null, of no elements.
///
/// # Errors
/// As [`array()`].
///
/// # Safety
/// As [`array()`].
#[inline]
pub unsafe fn array_or_null<'a, V>(first: *const V, n: usize) -> Result<Option<&'a [V]>, Status> {
    // SAFETY: the caller's contract.
    if first.is_null() && n == 0 { Ok(None) } else { unsafe { array(first, n) }.map(Some) }
}

/// An array of the caller. An empty one may be null.
///
/// # Errors
/// `Null`, `Misaligned`; `Capacity` if no array can be so long.
///
/// # Safety
/// `first`, if neither null nor misaligned, points to `n` valid elements.
#[inline]
pub unsafe fn array<'a, V>(first: *const V, n: usize) -> Result<&'a [V], Status> {
    if n == 0 {
        return Ok(&[]);
    }
    writable(first.cast_mut())?;
    Layout::array::<V>(n).map_err(|_| Status::Capacity)?;
    // SAFETY: the caller's contract.
    Ok(unsafe { core::slice::from_raw_parts(first, n) })
}

/// An array of the caller whose items are `V`s of the core, which lie as C's do.
///
/// # Errors
/// As [`array()`].
///
/// # Safety
/// As [`array()`]; every item of C is a valid `V`.
#[inline]
pub unsafe fn in_place<'a, V, C>(first: *const C, n: usize) -> Result<&'a [V], Status> {
    const { assert!(size_of::<V>() == size_of::<C>() && align_of::<V>() == align_of::<C>()) };
    // SAFETY: the caller's contract.
    unsafe { array(first.cast(), n) }
}

/// An array of the caller to be written, whatever it holds. An empty one may be null.
///
/// # Errors
/// As [`array()`].
///
/// # Safety
/// `first`, if neither null nor misaligned, points to `n` elements that nobody else uses meanwhile, of a type that takes any bytes.
#[inline]
pub unsafe fn array_mut<'a, V>(first: *mut V, n: usize) -> Result<&'a mut [V], Status> {
    if n == 0 {
        return Ok(&mut []);
    }
    writable(first)?;
    Layout::array::<V>(n).map_err(|_| Status::Capacity)?;
    // SAFETY: the caller's contract.
    Ok(unsafe { core::slice::from_raw_parts_mut(first, n) })
}

/// Writes a list to an array of the caller as far as it reaches, and the length of the whole list to `count`.
///
/// # Errors
/// `Null`, `Misaligned`; `Capacity` if the list is longer than the array.
///
/// # Safety
/// `out`, if neither null nor misaligned, points to `capacity` writable elements; `count` to a writable number.
pub unsafe fn put_list<V>(
    out: *mut V,
    capacity: usize,
    count: *mut usize,
    list: impl Iterator<Item = V>,
) -> Result<(), Status> {
    writable(count)?;
    if capacity > 0 {
        writable(out)?;
    }
    let mut n = 0;
    for value in list {
        if n < capacity {
            // SAFETY: within the caller's array.
            unsafe { out.add(n).write(value) };
        }
        n += 1;
    }
    // SAFETY: the caller's contract.
    unsafe { count.write(n) };
    if n <= capacity { Ok(()) } else { Err(Status::Capacity) }
}
