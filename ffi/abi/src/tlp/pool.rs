//! The pool: which kernels run together next.

use core::alloc::Layout;
use core::ffi::c_void;

use gpusched::tlp::{Next, Pending, Picked, Pool, TlpConfig, pool_image_config};

use super::config::gpusched_tlp_config;
use super::records::chosen;
use crate::GPUSCHED_NONE;
use crate::config::{Choice, read_checked, write};
use crate::ids::tlp_kernel;
use crate::image;
use crate::object::{Arena, Machine, array, enter, gpusched_layout, init_from, inspect, put, put_layout, writable};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Kernels that wait to be run in pairs. It lives in storage of the caller, at the address where it was initialised, and owns nothing
/// else; forgetting the storage ends it. One thread at a time may call functions that change it.
pub struct gpusched_tlp_pool {
    _opaque: [u8; 0],
}

impl Machine for Pool {
    type Opaque = gpusched_tlp_pool;
    const KIND: u16 = 15;
    type Config = TlpConfig;

    fn tables(_: &TlpConfig) -> impl Iterator<Item = Option<Layout>> {
        core::iter::empty()
    }

    fn build(config: &TlpConfig, _: &mut Arena) -> Result<Self, Status> {
        Self::new(config).map_err(|error| error.fault.into())
    }
}

/// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_layout(
    config: *const gpusched_tlp_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Pool>(&config, layout)) })
}

/// Builds a machine in memory of the caller, empty. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_tlp_pool_layout says.
/// @param size     At least what gpusched_tlp_pool_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param pool     Receives the object, which is where storage is.
/// @return BadConfig; Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_tlp_config,
    pool: *mut *mut gpusched_tlp_pool,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Pool>(storage, size, &config, pool)) })
}

/// A kernel comes, and gets the lowest free entry.
///
/// @param pool   The pool.
/// @param kind   gpusched_tlp_type.
/// @param pref   gpusched_tlp_pref.
/// @param ready  Not 0: nothing that it depends on is missing.
/// @param i      Receives its entry.
/// @return PoolFull; BadEnum, Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_add(
    pool: *mut gpusched_tlp_pool,
    kind: u32,
    pref: u32,
    ready: u32,
    i: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Pool>(pool).and_then(|machine| {
            let i = writable(i)?;
            i.write(machine.add(chosen(kind)?, chosen(pref)?, ready != 0)?.into());
            Ok(())
        })
    })
}

/// Nothing that a kernel depends on is missing any more.
///
/// @param pool  The pool.
/// @param i     Its entry.
/// @return BadPoolIndex: no kernel is there; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_ready(pool: *mut gpusched_tlp_pool, i: u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Pool>(pool).and_then(|machine| Ok(machine.ready(tlp_kernel(i))?)) })
}

/// Kernels for an empty machine.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_picked {
    /// The first one; GPUSCHED_NONE if none is ready.
    pub a: u32,
    /// Its partner; GPUSCHED_NONE if it runs alone.
    pub b: u32,
}

impl From<Option<Picked>> for gpusched_tlp_picked {
    fn from(picked: Option<Picked>) -> Self {
        let number = |i: Option<_>| i.map_or(GPUSCHED_NONE, Into::into);
        Self { a: number(picked.map(|picked| picked.a)), b: number(picked.and_then(|picked| picked.b)) }
    }
}

/// Takes out two kernels for an empty machine, or the only one.
///
/// @param pool    The pool.
/// @param picked  Written.
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_pick_pair(
    pool: *mut gpusched_tlp_pool,
    picked: *mut gpusched_tlp_picked,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Pool>(pool).and_then(|machine| {
            let picked = writable(picked)?;
            picked.write(machine.pick_pair().into());
            Ok(())
        })
    })
}

/// A partner for the kernel that was left.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_next {
    /// The kernel; GPUSCHED_NONE if none is ready.
    pub i: u32,
    /// 1 if it leans on what the other one does not, else 0.
    pub complementary: u32,
}

impl From<Option<Next>> for gpusched_tlp_next {
    fn from(next: Option<Next>) -> Self {
        match next {
            None => Self { i: GPUSCHED_NONE, complementary: 0 },
            Some(Next { i, complementary }) => Self { i: i.into(), complementary: complementary.into() },
        }
    }
}

/// Takes out the partner for a kernel that was left running.
///
/// @param pool  The pool.
/// @param kind  That kernel's gpusched_tlp_type.
/// @param pref  Its gpusched_tlp_pref.
/// @param next  Written.
/// @return BadEnum, Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_pick_next(
    pool: *mut gpusched_tlp_pool,
    kind: u32,
    pref: u32,
    next: *mut gpusched_tlp_next,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Pool>(pool).and_then(|machine| {
            let next = writable(next)?;
            next.write(machine.pick_next(chosen(kind)?, chosen(pref)?).into());
            Ok(())
        })
    })
}

/// The configuration.
///
/// @param size  sizeof(gpusched_tlp_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_get_config(
    pool: *const gpusched_tlp_pool,
    config: *mut gpusched_tlp_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Pool>(pool).and_then(|m| write(config, size, &gpusched_tlp_config::of(m.config()))) })
}

/// How many kernels were added so far.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_added(pool: *const gpusched_tlp_pool, added: *mut u64) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Pool>(pool).and_then(|m| put(added, m.added())) })
}

/// A kernel that waits.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_pending {
    /// How many were added before it.
    pub seq: u64,
    /// gpusched_tlp_type.
    pub kind: u32,
    /// gpusched_tlp_pref.
    pub pref: u32,
    /// 1 if nothing that it depends on is missing, else 0.
    pub ready: u32,
}

impl From<Pending> for gpusched_tlp_pending {
    fn from(Pending { kind, pref, ready, seq }: Pending) -> Self {
        Self { seq, kind: kind.code(), pref: pref.code(), ready: ready.into() }
    }
}

/// The kernel in an entry.
///
/// @return BadPoolIndex: none is there; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_get_pending(
    pool: *const gpusched_tlp_pool,
    i: u32,
    pending: *mut gpusched_tlp_pending,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Pool>(pool).and_then(|m| {
            let found = m.pending().find(|(entry, _)| u32::from(*entry) == i);
            put(pending, found.ok_or(Status::BadPoolIndex)?.1.into())
        })
    })
}

/// Tells how many bytes gpusched_tlp_pool_save would write now.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_image_size(
    pool: *const gpusched_tlp_pool,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Pool>(pool).and_then(|m| put(size, m.image_len())) })
}

/// Saves the whole state.
///
/// @param pool      The machine.
/// @param image     Receives the image; if the result is not OK its content does not matter.
/// @param capacity  Bytes of that memory; if it is 0, image may be null.
/// @param size      Receives the size of the image, also if it is ImageTooSmall.
/// @return ImageTooSmall; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_save(
    pool: *const gpusched_tlp_pool,
    image: *mut c_void,
    capacity: usize,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Pool>(pool).and_then(|m| image::save(image, capacity, size, |out| m.save(out))) })
}

/// Tells the configuration of the machine that an image was made of, so that one like it can be built.
///
/// @param image        image_size bytes.
/// @param image_size   Their number.
/// @param config       Written.
/// @param config_size  sizeof(gpusched_tlp_config) in the caller's header.
/// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
/// BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_image_config(
    image: *const c_void,
    image_size: usize,
    config: *mut gpusched_tlp_config,
    config_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        array(image.cast::<u8>(), image_size)
            .and_then(|image| write(config, config_size, &gpusched_tlp_config::of(&pool_image_config(image)?)))
    })
}

/// Makes a machine what the saved one was; it goes on exactly there.
///
/// @param pool        An object of the image's configuration.
/// @param image       image_size bytes, outside of the object's storage.
/// @param image_size  Their number.
/// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
/// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_pool_init. Null,
/// Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pool_restore(
    pool: *mut gpusched_tlp_pool,
    image: *const c_void,
    image_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Pool>(pool).and_then(|machine| {
            let config = *machine.config();
            let bytes = array(image.cast::<u8>(), image_size)?;
            if pool_image_config(bytes)? != config {
                return Err(Status::ImageOther);
            }
            image::restore::<Pool>(pool, &config, |_| Ok(Pool::restore(bytes)?))
        })
    })
}
