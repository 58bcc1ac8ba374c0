//! Smart-Even: SMs shared out among kernels.

use core::alloc::Layout;
use core::ffi::c_void;

use gpusched::tlp::{Job, Sharer, SharerTbEnded, SmartEven, TlpConfig, smart_even_image_config};

use super::config::gpusched_tlp_config;
use super::records::{gpusched_tlp_needs, gpusched_tlp_sent};
use crate::GPUSCHED_NONE;
use crate::config::{read_checked, write};
use crate::ids::smx_id;
use crate::image;
use crate::object::{Arena, Machine, array, enter, gpusched_layout, init_from, inspect, put, put_layout, writable};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Smart-Even: each kernel has an even share of the SMs, and no more than it can fill. It lives in storage of the caller, at the address where it was initialised, and owns nothing
/// else; forgetting the storage ends it. One thread at a time may call functions that change it.
pub struct gpusched_tlp_smart_even {
    _opaque: [u8; 0],
}

impl Machine for SmartEven {
    type Opaque = gpusched_tlp_smart_even;
    const KIND: u16 = 17;
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
pub unsafe extern "C" fn gpusched_tlp_smart_even_layout(
    config: *const gpusched_tlp_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<SmartEven>(&config, layout)) })
}

/// Builds a machine in memory of the caller, for a GPU without kernels. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_tlp_smart_even_layout says.
/// @param size     At least what gpusched_tlp_smart_even_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param gpu      Receives the object, which is where storage is.
/// @return BadConfig; Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smart_even_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_tlp_config,
    gpu: *mut *mut gpusched_tlp_smart_even,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<SmartEven>(storage, size, &config, gpu)) })
}

/// A kernel to be run.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_job {
    /// What one TB takes.
    pub needs: gpusched_tlp_needs,
    /// TBs of the kernel.
    pub n_tb: u32,
}

/// The most kernels that share the SMs.
const MAX_JOBS: usize = gpusched::tlp::MAX_SHARERS;

/// Shares the SMs among kernels. gpusched_tlp_smart_even_get_sm tells the result.
///
/// @param gpu    The machine.
/// @param jobs   The kernels.
/// @param count  Their number.
/// @return Busy: a kernel runs; BadArg: none or more than eight; TooFewSms: there are more of them than SMs; BadKernel: no threads or no
/// TBs; KernelTooBig; Null, Misaligned, Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smart_even_start(
    gpu: *mut gpusched_tlp_smart_even,
    jobs: *const gpusched_tlp_job,
    count: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<SmartEven>(gpu).and_then(|machine| {
            // One more than there may be is as bad as any.
            let mut copies = [Job::default(); MAX_JOBS + 1];
            let jobs = array(jobs, count)?;
            for (copy, job) in copies.iter_mut().zip(jobs) {
                *copy = Job { needs: job.needs.into(), n_tb: job.n_tb };
            }
            let n = jobs.len().min(copies.len());
            Ok(machine.start(copies.get(..n).unwrap_or_default())?)
        })
    })
}

/// Sends the next TB of the owner of the next SM that takes one.
///
/// @param gpu   The machine.
/// @param sent  Written.
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smart_even_dispatch(
    gpu: *mut gpusched_tlp_smart_even,
    sent: *mut gpusched_tlp_sent,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<SmartEven>(gpu).and_then(|machine| {
            let sent = writable(sent)?;
            sent.write(machine.dispatch().into());
            Ok(())
        })
    })
}

/// A TB that has ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_sharer_ended {
    /// Its kernel.
    pub k: u32,
    /// 1 if it was the kernel's last one: SMs may have another owner; else 0.
    pub done: u32,
}

impl From<SharerTbEnded> for gpusched_tlp_sharer_ended {
    fn from(SharerTbEnded { k, done }: SharerTbEnded) -> Self {
        Self { k: k.into(), done: done.into() }
    }
}

/// A TB has ended. If it was its kernel's last one, other kernels take over its SMs, and those that nobody owns.
///
/// @param gpu    The machine.
/// @param sm     Its SM.
/// @param ended  Written.
/// @return NotResident; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smart_even_finish(
    gpu: *mut gpusched_tlp_smart_even,
    sm: u32,
    ended: *mut gpusched_tlp_sharer_ended,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<SmartEven>(gpu).and_then(|machine| {
            let ended = writable(ended)?;
            ended.write(machine.finish(smx_id(sm))?.into());
            Ok(())
        })
    })
}

/// The configuration.
///
/// @param size  sizeof(gpusched_tlp_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smart_even_get_config(
    gpu: *const gpusched_tlp_smart_even,
    config: *mut gpusched_tlp_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<SmartEven>(gpu).and_then(|m| write(config, size, &gpusched_tlp_config::of(m.config()))) })
}

/// An SM.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_owned_sm {
    /// The kernel that owns it; GPUSCHED_NONE if none does.
    pub owner: u32,
    /// Resident TBs.
    pub resident: u32,
}

/// Who owns an SM.
///
/// @return BadSm; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smart_even_get_sm(
    gpu: *const gpusched_tlp_smart_even,
    sm: u32,
    owned: *mut gpusched_tlp_owned_sm,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<SmartEven>(gpu).and_then(|m| {
            if sm >= m.config().sms {
                return Err(Status::BadSm);
            }
            let owner = m.owner(smx_id(sm)).map_or(GPUSCHED_NONE, Into::into);
            put(owned, gpusched_tlp_owned_sm { owner, resident: m.resident(smx_id(sm)) })
        })
    })
}

/// A kernel that has SMs of its own.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_sharer {
    /// TBs that an SM holds.
    pub max: u32,
    /// TBs of the kernel.
    pub n_tb: u32,
    /// The next TB to be sent.
    pub next: u32,
    /// TBs that have ended.
    pub finished: u32,
}

impl From<Sharer> for gpusched_tlp_sharer {
    fn from(Sharer { max, n_tb, next, finished }: Sharer) -> Self {
        Self { max, n_tb, next, finished }
    }
}

/// A kernel of the last start.
///
/// @return NotLive: there is no such kernel; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smart_even_get_kernel(
    gpu: *const gpusched_tlp_smart_even,
    k: u32,
    sharer: *mut gpusched_tlp_sharer,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<SmartEven>(gpu)
            .and_then(|m| put(sharer, (*m.kernels().get(k as usize).ok_or(Status::NotLive)?).into()))
    })
}

/// What a machine holds besides kernels and SMs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_smart_even_state {
    /// Kernels of the last start.
    pub kernels: u32,
    /// 1 if one of them has not ended, else 0.
    pub running: u32,
    /// The SM that is asked first.
    pub pointer: u32,
}

/// What the machine holds besides kernels and SMs.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smart_even_get_state(
    gpu: *const gpusched_tlp_smart_even,
    state: *mut gpusched_tlp_smart_even_state,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<SmartEven>(gpu).and_then(|m| {
            let (kernels, running) = (m.kernels().len() as u32, m.is_running().into());
            put(state, gpusched_tlp_smart_even_state { kernels, running, pointer: m.pointer().into() })
        })
    })
}

/// Tells how many bytes gpusched_tlp_smart_even_save would write now.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smart_even_image_size(
    gpu: *const gpusched_tlp_smart_even,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<SmartEven>(gpu).and_then(|m| put(size, m.image_len())) })
}

/// Saves the whole state.
///
/// @param gpu       The machine.
/// @param image     Receives the image; if the result is not OK its content does not matter.
/// @param capacity  Bytes of that memory; if it is 0, image may be null.
/// @param size      Receives the size of the image, also if it is ImageTooSmall.
/// @return ImageTooSmall; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smart_even_save(
    gpu: *const gpusched_tlp_smart_even,
    image: *mut c_void,
    capacity: usize,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<SmartEven>(gpu).and_then(|m| image::save(image, capacity, size, |out| m.save(out))) })
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
pub unsafe extern "C" fn gpusched_tlp_smart_even_image_config(
    image: *const c_void,
    image_size: usize,
    config: *mut gpusched_tlp_config,
    config_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        array(image.cast::<u8>(), image_size)
            .and_then(|image| write(config, config_size, &gpusched_tlp_config::of(&smart_even_image_config(image)?)))
    })
}

/// Makes a machine what the saved one was; it goes on exactly there.
///
/// @param gpu         An object of the image's configuration.
/// @param image       image_size bytes, outside of the object's storage.
/// @param image_size  Their number.
/// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
/// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_smart_even_init. Null,
/// Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smart_even_restore(
    gpu: *mut gpusched_tlp_smart_even,
    image: *const c_void,
    image_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<SmartEven>(gpu).and_then(|machine| {
            let config = *machine.config();
            let bytes = array(image.cast::<u8>(), image_size)?;
            if smart_even_image_config(bytes)? != config {
                return Err(Status::ImageOther);
            }
            image::restore::<SmartEven>(gpu, &config, |_| Ok(SmartEven::restore(bytes)?))
        })
    })
}
