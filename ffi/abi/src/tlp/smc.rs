//! SMC: a search by trial for the split of the SMs.

use core::alloc::Layout;
use core::ffi::c_void;

use gpusched::tlp::{Proposal, Reported, Smc, TlpConfig, smc_image_config};

use super::config::gpusched_tlp_config;
use crate::config::{Choice, read_checked, write};
use crate::image;
use crate::object::{Arena, Machine, array, enter, gpusched_layout, init_from, inspect, put, put_layout, writable};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// SMC: a search by trial for the split of the SMs between two kernels, and for the TBs of each on its SMs. It lives in storage of the caller, at the address where it was initialised, and owns nothing
/// else; forgetting the storage ends it. One thread at a time may call functions that change it.
pub struct gpusched_tlp_smc {
    _opaque: [u8; 0],
}

impl Machine for Smc {
    type Opaque = gpusched_tlp_smc;
    const KIND: u16 = 18;
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
pub unsafe extern "C" fn gpusched_tlp_smc_layout(
    config: *const gpusched_tlp_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Smc>(&config, layout)) })
}

/// Builds a machine in memory of the caller, whose search has not started. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_tlp_smc_layout says.
/// @param size     At least what gpusched_tlp_smc_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param search   Receives the object, which is where storage is.
/// @return BadConfig; TooFewSms: there are not two SMs; Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smc_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_tlp_config,
    search: *mut *mut gpusched_tlp_smc,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Smc>(storage, size, &config, search)) })
}

/// A configuration to be measured.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_proposal {
    /// SMs of kernel 0 and 1.
    pub sm: [u32; 2],
    /// TBs per SM of kernel 0 and 1.
    pub b: [u32; 2],
}

impl From<Proposal> for gpusched_tlp_proposal {
    fn from(Proposal { sm, b }: Proposal) -> Self {
        Self { sm, b }
    }
}

/// Starts a search.
///
/// @param search    The machine.
/// @param max0      TBs of kernel 0 that an SM holds when it is alone.
/// @param max1      The same of kernel 1.
/// @param proposal  Receives what to measure first.
/// @return Busy: a search is on; BadArg: one of them is 0; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smc_start(
    search: *mut gpusched_tlp_smc,
    max0: u32,
    max1: u32,
    proposal: *mut gpusched_tlp_proposal,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Smc>(search).and_then(|machine| {
            let proposal = writable(proposal)?;
            proposal.write(machine.start([max0, max1])?.into());
            Ok(())
        })
    })
}

/// What follows a measurement.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_reported {
    /// What to measure next; at the end the best that was found.
    pub proposal: gpusched_tlp_proposal,
    /// 1 if the search has ended, else 0.
    pub done: u32,
}

impl From<Reported> for gpusched_tlp_reported {
    fn from(Reported { proposal, done }: Reported) -> Self {
        Self { proposal: proposal.into(), done: done.into() }
    }
}

/// How good what was proposed last is.
///
/// @param search    The machine.
/// @param perf      Any measure, the more the better.
/// @param reported  Written.
/// @return NoProposal: before the start, and after the end; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smc_report(
    search: *mut gpusched_tlp_smc,
    perf: u64,
    reported: *mut gpusched_tlp_reported,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Smc>(search).and_then(|machine| {
            let reported = writable(reported)?;
            reported.write(machine.report(perf)?.into());
            Ok(())
        })
    })
}

/// The configuration.
///
/// @param size  sizeof(gpusched_tlp_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smc_get_config(
    search: *const gpusched_tlp_smc,
    config: *mut gpusched_tlp_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Smc>(search).and_then(|m| write(config, size, &gpusched_tlp_config::of(m.config()))) })
}

/// What a search holds.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_smc_state {
    /// How good the best so far is.
    pub best: u64,
    /// What waits for a report, or was found; nothing before the first start.
    pub current: gpusched_tlp_proposal,
    /// The best so far.
    pub saved: gpusched_tlp_proposal,
    /// gpusched_tlp_smc_phase.
    pub phase: u32,
}

/// What the search holds.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smc_get_state(
    search: *const gpusched_tlp_smc,
    state: *mut gpusched_tlp_smc_state,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Smc>(search).and_then(|m| {
            let (current, saved) = (m.proposal().into(), m.saved().into());
            put(state, gpusched_tlp_smc_state { best: m.best(), current, saved, phase: m.phase().code() })
        })
    })
}

/// Tells how many bytes gpusched_tlp_smc_save would write now.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smc_image_size(
    search: *const gpusched_tlp_smc,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Smc>(search).and_then(|m| put(size, m.image_len())) })
}

/// Saves the whole state.
///
/// @param search    The machine.
/// @param image     Receives the image; if the result is not OK its content does not matter.
/// @param capacity  Bytes of that memory; if it is 0, image may be null.
/// @param size      Receives the size of the image, also if it is ImageTooSmall.
/// @return ImageTooSmall; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smc_save(
    search: *const gpusched_tlp_smc,
    image: *mut c_void,
    capacity: usize,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Smc>(search).and_then(|m| image::save(image, capacity, size, |out| m.save(out))) })
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
pub unsafe extern "C" fn gpusched_tlp_smc_image_config(
    image: *const c_void,
    image_size: usize,
    config: *mut gpusched_tlp_config,
    config_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        array(image.cast::<u8>(), image_size)
            .and_then(|image| write(config, config_size, &gpusched_tlp_config::of(&smc_image_config(image)?)))
    })
}

/// Makes a machine what the saved one was; it goes on exactly there.
///
/// @param search      An object of the image's configuration.
/// @param image       image_size bytes, outside of the object's storage.
/// @param image_size  Their number.
/// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
/// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_tlp_smc_init. Null,
/// Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_smc_restore(
    search: *mut gpusched_tlp_smc,
    image: *const c_void,
    image_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Smc>(search).and_then(|machine| {
            let config = *machine.config();
            let bytes = array(image.cast::<u8>(), image_size)?;
            if smc_image_config(bytes)? != config {
                return Err(Status::ImageOther);
            }
            image::restore::<Smc>(search, &config, |_| Ok(Smc::restore(bytes)?))
        })
    })
}
