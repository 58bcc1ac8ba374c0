//! Callers' pointers: what is read and written through them.
//!
//! A pointer that is null is refused with `Null`, unless it says that it may be; one that is not aligned with `Misaligned`; and an array
//! that no memory could hold with `Capacity`.
//!
//! # Safety
//! All unsafe functions here trust the caller as every function of C does: a pointer that is neither null nor misaligned leads to a value
//! of its type, or to as many as are said, which may be read, and written where something is put; nobody else writes them meanwhile.

use core::alloc::Layout;
use core::mem::{align_of, size_of};

use gpusched::Fault;

use crate::convert::ToC;
use crate::status::gpusched_status as Status;

/// Writes a result through an out-parameter.
#[inline]
pub(crate) unsafe fn put<V>(out: *mut V, value: V) -> Result<(), Status> {
    let out = writable(out)?;
    // SAFETY: the caller's contract.
    unsafe { out.write(value) };
    Ok(())
}

/// Checks an out-parameter before anything is done.
#[inline]
pub(crate) fn writable<V>(out: *mut V) -> Result<*mut V, Status> {
    if out.is_null() {
        Err(Status::Null)
    } else if out.is_aligned() {
        Ok(out)
    } else {
        Err(Status::Misaligned)
    }
}

/// As [`writable`], of an out-parameter that may be left out.
#[inline]
pub(crate) fn writable_or_null<V>(out: *mut V) -> Result<*mut V, Status> {
    if out.is_null() { Ok(out) } else { writable(out) }
}

/// Writes a result through an out-parameter that passed [`writable_or_null`].
#[inline]
pub(crate) unsafe fn put_unless_null<V>(out: *mut V, value: V) {
    if !out.is_null() {
        // SAFETY: the caller's contract.
        unsafe { out.write(value) };
    }
}

/// Writes the list that a call has answered, if it was not refused, to an array of the caller that passed [`writable_or_null`].
#[inline]
pub(crate) unsafe fn put_each<V: ToC, E: Into<Status>>(out: *mut V::C, answer: Result<&[V], E>) -> Result<(), Status> {
    let list = answer.map_err(Into::into)?;
    if !out.is_null() {
        for (i, value) in list.iter().enumerate() {
            // SAFETY: the caller's contract.
            unsafe { out.add(i).write(value.to_c()) };
        }
    }
    Ok(())
}

/// Carries out a call, and writes its answer through an out-parameter that was checked before.
#[inline]
pub(crate) unsafe fn give<V: ToC>(out: *mut V::C, call: impl FnOnce() -> Result<V, Status>) -> Result<(), Status> {
    let out = writable(out)?;
    // SAFETY: the caller's contract.
    unsafe { out.write(call()?.to_c()) };
    Ok(())
}

/// As [`give`], of a call that may have no answer: then everything is 0. What the machine says is not moved before it is C's.
#[inline]
pub(crate) unsafe fn give_or_zero<V: ToC<C: Default>, E: Copy + Into<Status>>(
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
#[inline]
pub(crate) unsafe fn give_unless_null<V: ToC>(
    out: *mut V::C,
    call: impl FnOnce() -> Result<V, Status>,
) -> Result<(), Status> {
    let out = writable_or_null(out)?;
    let answer = call()?;
    // SAFETY: the caller's contract.
    unsafe { put_unless_null(out, answer.to_c()) };
    Ok(())
}

/// The status of what a call is refused with, which is written through an out-parameter that passed [`writable_or_null`].
#[cold]
pub(crate) unsafe fn refused<E: ToC + Copy + Into<Fault>>(out: *mut E::C, refusal: E) -> Status {
    // SAFETY: the caller's contract.
    unsafe { put_unless_null(out, refusal.to_c()) };
    Status::from(refusal.into())
}

/// As [`give`], of a call that may have no answer: a second out-parameter receives whether there is one.
#[inline]
pub(crate) unsafe fn give_optional<V: ToC>(
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
#[inline]
pub(crate) unsafe fn get<'a, V>(value: *const V) -> Result<&'a V, Status> {
    writable(value.cast_mut())?;
    // SAFETY: the caller's contract.
    Ok(unsafe { &*value })
}

/// A value behind a pointer, or none if that is null.
#[inline]
pub(crate) unsafe fn get_or_null<'a, V>(value: *const V) -> Result<Option<&'a V>, Status> {
    // SAFETY: the caller's contract.
    if value.is_null() { Ok(None) } else { unsafe { get(value) }.map(Some) }
}

/// An array of the caller, or none: null, of no elements.
#[inline]
pub(crate) unsafe fn array_or_null<'a, V>(first: *const V, n: usize) -> Result<Option<&'a [V]>, Status> {
    // SAFETY: the caller's contract.
    if first.is_null() && n == 0 { Ok(None) } else { unsafe { array(first, n) }.map(Some) }
}

/// An array of the caller. An empty one may be null.
#[inline]
pub(crate) unsafe fn array<'a, V>(first: *const V, n: usize) -> Result<&'a [V], Status> {
    if n == 0 {
        return Ok(&[]);
    }
    writable(first.cast_mut())?;
    Layout::array::<V>(n).map_err(|_| Status::Capacity)?;
    // SAFETY: the caller's contract.
    Ok(unsafe { core::slice::from_raw_parts(first, n) })
}

/// An array of the caller whose items are `V`s of the core, which lie as C's do.
#[inline]
pub(crate) unsafe fn in_place<'a, V, C>(first: *const C, n: usize) -> Result<&'a [V], Status> {
    const { assert!(size_of::<V>() == size_of::<C>() && align_of::<V>() == align_of::<C>()) };
    // SAFETY: the caller's contract.
    unsafe { array(first.cast(), n) }
}

/// An array of the caller to be written, whatever it holds. An empty one may be null.
#[inline]
pub(crate) unsafe fn array_mut<'a, V>(first: *mut V, n: usize) -> Result<&'a mut [V], Status> {
    if n == 0 {
        return Ok(&mut []);
    }
    writable(first)?;
    Layout::array::<V>(n).map_err(|_| Status::Capacity)?;
    // SAFETY: the caller's contract.
    Ok(unsafe { core::slice::from_raw_parts_mut(first, n) })
}

/// Writes a list to an array of the caller as far as it reaches, and the length of the whole list to `count`.
pub(crate) unsafe fn put_list<V>(
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
