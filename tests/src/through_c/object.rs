//! Objects of any type as a C program has them: in memory of exactly the size that the layout asks for, behind a pointer.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr;

use gpusched::Fault;
use gpusched::models::{Field, Refusal};
use gpusched_abi::object::gpusched_layout;
use gpusched_abi::status::gpusched_status as Status;

use super::records::flag;
use super::told::{Told, told};

/// Memory of the caller, of an exact size, so that a sanitizer sees every step beyond it.
pub struct Block {
    start: *mut u8,
    layout: Layout,
}

impl Block {
    /// What malloc gives: memory with anything in it.
    ///
    /// # Panics
    /// If the layout is none.
    #[must_use]
    pub fn new(layout: gpusched_layout) -> Self {
        let layout = Layout::from_size_align(layout.size, layout.align).expect("an alignment is a power of two");
        // SAFETY: an object's layout is never empty.
        let start = unsafe { alloc(layout) };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        // SAFETY: the block has this size.
        unsafe { start.write_bytes(0xa5, layout.size()) };
        Self { start, layout }
    }

    /// Its first byte.
    #[must_use]
    pub fn start(&self) -> *mut u8 {
        self.start
    }

    /// Its bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.layout.size()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout.
        unsafe { dealloc(self.start, self.layout) };
    }
}

/// A function that tells the layout of a configuration.
pub type GetLayout<C> = unsafe extern "C" fn(*const C, *mut gpusched_layout) -> Status;
/// A function that builds an object.
pub type Init<C, O> = unsafe extern "C" fn(*mut c_void, usize, *const C, *mut *mut O) -> Status;
/// A function that saves an object.
pub type Save<O> = unsafe extern "C" fn(*const O, *mut c_void, usize, *mut usize) -> Status;
/// A function that restores one.
pub type Restore<O> = unsafe extern "C" fn(*mut O, *const c_void, usize) -> Status;

/// A function that tells the configuration of an object.
pub type GetConfig<C, O> = unsafe extern "C" fn(*const O, *mut C, usize) -> Status;
/// A function that tells the size of an object's image.
pub type ImageSize<O> = unsafe extern "C" fn(*const O, *mut usize) -> Status;
/// A function that tells the configuration of an image.
pub type ImageConfig<C> = unsafe extern "C" fn(*const c_void, usize, *mut C, usize) -> Status;

/// An object that C calls `O`, in a block of its own.
pub struct Object<O> {
    block: Block,
    of: PhantomData<*mut O>,
}

impl<O> Object<O> {
    /// The object of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the object is not where its storage is.
    pub fn new<C>(config: &C, layout: GetLayout<C>, init: Init<C, O>) -> Result<Self, Status> {
        let (mut need, mut object) = (gpusched_layout::default(), ptr::null_mut());
        // SAFETY: all pointers are of living values; the block is kept as long as the object is used.
        let block = unsafe {
            done(layout(config, &mut need))?;
            let block = Block::new(need);
            done(init(block.start().cast(), block.size(), config, &mut object))?;
            block
        };
        assert_eq!(object.cast(), block.start(), "the object is where the storage is");
        Ok(Self { block, of: PhantomData })
    }

    /// The pointer that a C program has.
    #[must_use]
    pub fn c(&self) -> *mut O {
        self.block.start().cast()
    }

    /// Bytes that the object lives in.
    #[must_use]
    pub fn size(&self) -> usize {
        self.block.size()
    }

    /// The answer of a query that always has one.
    pub fn ask<V: Default>(&self, query: unsafe extern "C" fn(*const O, *mut V) -> Status) -> V {
        let mut value = V::default();
        // SAFETY: the object and the value live.
        let status = unsafe { query(self.c(), &mut value) };
        assert_eq!(status, Status::Ok);
        value
    }

    /// The object's image, from the functions that save it and tell its size.
    ///
    /// # Errors
    /// Why it is not saved.
    ///
    /// # Panics
    /// If the object tells several sizes.
    pub fn image(&self, save: Save<O>, size: ImageSize<O>) -> Result<Vec<u8>, Status> {
        let mut told = 0;
        // SAFETY: the object and the number live; an image of no bytes may be null.
        match unsafe { save(self.c(), ptr::null_mut(), 0, &mut told) } {
            Status::ImageTooSmall => {}
            refused => return Err(refused),
        }
        assert_eq!(self.ask(size), told);
        let (mut image, mut written) = (vec![0xa5_u8; told], 0);
        // SAFETY: the image has this size.
        done(unsafe { save(self.c(), image.as_mut_ptr().cast(), told, &mut written) })?;
        assert_eq!(written, told);
        Ok(image)
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, restore: Restore<O>, image: &[u8]) -> Result<(), Status> {
        // SAFETY: the object lives, and the image is somewhere else.
        done(unsafe { restore(self.c(), image.as_ptr().cast(), image.len()) })
    }
}

/// What a call writes to a list, asked for its length first and then in an array of exactly that length.
///
/// # Errors
/// Why the call is refused.
///
/// # Panics
/// If it tells two lengths.
pub fn list<V: Told<C: Default + Clone>>(
    call: impl Fn(*mut V::C, usize, *mut usize) -> Status,
) -> Result<Vec<V>, Status> {
    let mut length = 0;
    // An array of length 0 may be null.
    match call(ptr::null_mut(), 0, &mut length) {
        Status::Ok => assert_eq!(length, 0),
        Status::Capacity => assert!(length > 0),
        refused => return Err(refused),
    }
    let (mut list, mut count) = (vec![V::C::default(); length], 0);
    assert_eq!((call(list.as_mut_ptr(), length, &mut count), count), (Status::Ok, length));
    Ok(list.iter().map(told).collect())
}

/// The configuration that an image tells, by the function that does so.
///
/// # Errors
/// Why the image is refused.
pub fn image_config<C>(tell: ImageConfig<C>, image: &[u8], mut config: C) -> Result<C, Status> {
    // SAFETY: both live.
    done(unsafe { tell(image.as_ptr().cast(), image.len(), &mut config, size_of::<C>()) })?;
    Ok(config)
}

/// The answer of a call that writes it through an out-parameter: all of it, over bytes that mean nothing.
///
/// # Errors
/// Why the call is refused.
pub fn answer<V: Told>(call: impl FnOnce(*mut V::C) -> Status) -> Result<V, Status> {
    written(call).map(|out| told(&out))
}

/// What a call writes over bytes that mean nothing.
fn written<C>(call: impl FnOnce(*mut C) -> Status) -> Result<C, Status> {
    let mut out = MaybeUninit::<C>::uninit();
    // SAFETY: what C tells consists of numbers, for which any bytes are valid.
    unsafe {
        out.as_mut_ptr().cast::<u8>().write_bytes(0xa5, size_of::<C>());
        done(call(out.as_mut_ptr()))?;
        Ok(out.assume_init())
    }
}

/// What a call is refused with, of its status and of what it wrote about that.
///
/// # Panics
/// If both say two things.
pub fn refusal<E: Told + Copy + Into<Fault>>(status: Status, wrong: &E::C) -> E {
    let error: E = told(wrong);
    assert_eq!(error.into(), fault(status), "a refusal has one status");
    error
}

/// As [`answer`], of a call that says through a second out-parameter whether it has written one.
///
/// # Errors
/// Why the call is refused.
pub fn optional<V: Told>(call: impl FnOnce(*mut V::C, *mut u32) -> Status) -> Result<Option<V>, Status> {
    let mut present = 9;
    let told: V::C = written(|out| call(out, &mut present))?;
    Ok(flag(present).then(|| self::told(&told)))
}

/// As [`answer`], of a call that tells the input to blame.
///
/// # Errors
/// Why the call is refused.
///
/// # Panics
/// If it answers something else without being told where to write the input.
pub fn blamed<V: Told>(call: impl Fn(*mut V::C, *mut *const c_char) -> Status) -> Result<V, Refusal> {
    let mut field = c"not written".as_ptr();
    let told: Result<V::C, _> = written(|out| call(out, &mut field));
    assert_eq!(written::<V::C>(|out| call(out, ptr::null_mut())).err(), told.as_ref().err().copied());
    // SAFETY: a field that is told is a static string.
    let field = (!field.is_null()).then(|| Field(unsafe { CStr::from_ptr(field) }));
    match told {
        Ok(_) if field.is_some() => panic!("{field:?} is to blame for nothing"),
        Ok(out) => Ok(self::told(&out)),
        Err(refused) => Err(Refusal { fault: fault(refused), field }),
    }
}

/// Numbers as a C program hands them over: null if there are none.
pub fn array<V>(values: Option<&[V]>) -> (*const V, usize) {
    values.map_or((ptr::null(), 0), |values| (values.as_ptr(), values.len()))
}

/// A status as a result.
pub fn done(status: Status) -> Result<(), Status> {
    if status == Status::Ok { Ok(()) } else { Err(status) }
}

/// The fault of the sheets with a status' number.
///
/// # Panics
/// If there is none: the status is a mistake of the caller.
#[must_use]
pub fn fault(status: Status) -> Fault {
    let found = Fault::ALL.iter().find(|fault| fault.code() == status as u32);
    *found.unwrap_or_else(|| panic!("{status:?} is no fault of the models"))
}
