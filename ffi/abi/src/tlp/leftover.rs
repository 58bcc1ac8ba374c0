//! LeftOver, the hardware's way to run kernels side by side.

use core::alloc::Layout;
use core::ffi::c_void;

use gpusched::tlp::{LeftOver, Submitted, TlpConfig, left_over_image_config};

use super::config::gpusched_tlp_config;
use super::records::{gpusched_tlp_needs, gpusched_tlp_sent};
use crate::config::{read_checked, write};
use crate::ids::{smx_id, tlp_kernel};
use crate::image;
use crate::object::{
    Arena, Machine, array, enter, get, gpusched_layout, init_from, inspect, put, put_layout, writable,
};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// LeftOver: one kernel after another; the next one gets what the last one leaves. It lives in storage of the caller, at the address where it was initialised, and owns nothing
/// else; forgetting the storage ends it. One thread at a time may call functions that change it.
pub struct gpusched_tlp_leftover {
    _opaque: [u8; 0],
}

impl Machine for LeftOver {
    type Opaque = gpusched_tlp_leftover;
    const KIND: u16 = 16;
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
pub unsafe extern "C" fn gpusched_tlp_leftover_layout(
    config: *const gpusched_tlp_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<LeftOver>(&config, layout)) })
}

/// Builds a machine in memory of the caller, for an empty GPU. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_tlp_leftover_layout says.
/// @param size     At least what gpusched_tlp_leftover_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param gpu      Receives the object, which is where storage is.
/// @return BadConfig; Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_leftover_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_tlp_config,
    gpu: *mut *mut gpusched_tlp_leftover,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<LeftOver>(storage, size, &config, gpu)) })
}

/// A kernel comes.
///
/// @param gpu    The machine.
/// @param needs  What one TB takes.
/// @param n_tb   Its TBs.
/// @param k      Receives its entry.
/// @return BadKernel: TBs without threads, or no TBs; KernelTooBig, QueueFull; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_leftover_submit(
    gpu: *mut gpusched_tlp_leftover,
    needs: *const gpusched_tlp_needs,
    n_tb: u32,
    k: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<LeftOver>(gpu).and_then(|machine| {
            let (needs, k) = ((*get(needs)?).into(), writable(k)?);
            k.write(machine.submit(needs, n_tb)?.into());
            Ok(())
        })
    })
}

/// Sends the next TB of the oldest kernel that has one.
///
/// @param gpu   The machine.
/// @param sent  Written.
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_leftover_dispatch(
    gpu: *mut gpusched_tlp_leftover,
    sent: *mut gpusched_tlp_sent,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<LeftOver>(gpu).and_then(|machine| {
            let sent = writable(sent)?;
            sent.write(machine.dispatch().into());
            Ok(())
        })
    })
}

/// A TB has ended.
///
/// @param gpu   The machine.
/// @param sm    Its SM.
/// @param k     Its kernel.
/// @param done  Receives 1 if it was its kernel's last one, whose entry is free then; else 0.
/// @return NotResident; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_leftover_finish(
    gpu: *mut gpusched_tlp_leftover,
    sm: u32,
    k: u32,
    done: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<LeftOver>(gpu).and_then(|machine| {
            let done = writable(done)?;
            done.write(machine.finish(smx_id(sm), tlp_kernel(k))?.into());
            Ok(())
        })
    })
}

/// The configuration.
///
/// @param size  sizeof(gpusched_tlp_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_leftover_get_config(
    gpu: *const gpusched_tlp_leftover,
    config: *mut gpusched_tlp_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<LeftOver>(gpu).and_then(|m| write(config, size, &gpusched_tlp_config::of(m.config()))) })
}

/// A kernel that was submitted and has not ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_submitted {
    /// How many kernels were submitted before it.
    pub seq: u64,
    /// What one TB takes.
    pub needs: gpusched_tlp_needs,
    /// TBs of the kernel.
    pub n_tb: u32,
    /// The next TB to be sent.
    pub next: u32,
    /// TBs that have ended.
    pub finished: u32,
}

impl From<Submitted> for gpusched_tlp_submitted {
    fn from(Submitted { needs, n_tb, next, finished, seq }: Submitted) -> Self {
        Self { seq, needs: needs.into(), n_tb, next, finished }
    }
}

/// The kernel in an entry.
///
/// @return NotLive: none is there; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_leftover_get_kernel(
    gpu: *const gpusched_tlp_leftover,
    k: u32,
    kernel: *mut gpusched_tlp_submitted,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<LeftOver>(gpu).and_then(|m| {
            let found = m.kernels().find(|(entry, _)| u32::from(*entry) == k);
            put(kernel, found.ok_or(Status::NotLive)?.1.into())
        })
    })
}

/// TBs of a kernel on an SM; 0 if there is no such kernel or SM.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_leftover_resident(
    gpu: *const gpusched_tlp_leftover,
    sm: u32,
    k: u32,
    resident: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<LeftOver>(gpu).and_then(|m| put(resident, m.resident(smx_id(sm), tlp_kernel(k)))) })
}

/// What a machine holds besides kernels.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_leftover_state {
    /// Kernels that were submitted so far.
    pub submitted: u64,
    /// The SM that is asked first.
    pub pointer: u32,
}

/// What the machine holds besides kernels.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_leftover_get_state(
    gpu: *const gpusched_tlp_leftover,
    state: *mut gpusched_tlp_leftover_state,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<LeftOver>(gpu).and_then(|m| {
            put(state, gpusched_tlp_leftover_state { submitted: m.submitted(), pointer: m.pointer().into() })
        })
    })
}

/// Tells how many bytes gpusched_tlp_leftover_save would write now.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_leftover_image_size(
    gpu: *const gpusched_tlp_leftover,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<LeftOver>(gpu).and_then(|m| put(size, m.image_len())) })
}

/// Saves the whole state.
///
/// @param gpu       The machine.
/// @param image     Receives the image; if the result is not OK its content does not matter.
/// @param capacity  Bytes of that memory; if it is 0, image may be null.
/// @param size      Receives the size of the image, also if it is ImageTooSmall.
/// @return ImageTooSmall; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_leftover_save(
    gpu: *const gpusched_tlp_leftover,
    image: *mut c_void,
    capacity: usize,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<LeftOver>(gpu).and_then(|m| image::save(image, capacity, size, |out| m.save(out))) })
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
pub unsafe extern "C" fn gpusched_tlp_leftover_image_config(
    image: *const c_void,
    image_size: usize,
    config: *mut gpusched_tlp_config,
    config_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        array(image.cast::<u8>(), image_size)
            .and_then(|image| write(config, config_size, &gpusched_tlp_config::of(&left_over_image_config(image)?)))
    })
}

/// Makes a machine what the saved one was; it goes on exactly there.
///
/// @param gpu         An object of the image's configuration.
/// @param image       image_size bytes, outside of the object's storage.
/// @param image_size  Their number.
/// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
/// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_leftover_init. Null,
/// Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_leftover_restore(
    gpu: *mut gpusched_tlp_leftover,
    image: *const c_void,
    image_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<LeftOver>(gpu).and_then(|machine| {
            let config = *machine.config();
            let bytes = array(image.cast::<u8>(), image_size)?;
            if left_over_image_config(bytes)? != config {
                return Err(Status::ImageOther);
            }
            image::restore::<LeftOver>(gpu, &config, |_| Ok(LeftOver::restore(bytes)?))
        })
    })
}
