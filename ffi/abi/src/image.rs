//! Images: what saving and restoring have in common. Images do not depend on addresses, word size or byte order; they have a
//! version and a checksum.

use core::ffi::c_void;

use gpusched::ImageError;

use crate::object::{Arena, Machine, rebuild};
use crate::pointer::writable;
use crate::status::gpusched_status as Status;

impl From<ImageError> for Status {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::TooSmall { .. } => Self::ImageTooSmall,
            ImageError::MidCycle => Self::MidCycle,
            ImageError::Truncated => Self::ImageTruncated,
            ImageError::NotAnImage => Self::NotAnImage,
            ImageError::WrongKind => Self::ImageWrongType,
            ImageError::WrongVersion { .. } => Self::ImageWrongVersion,
            ImageError::Corrupted => Self::ImageCorrupted,
            ImageError::Content => Self::ImageContent,
            ImageError::Tables(_) => Self::ImageOther,
        }
    }
}

/// Has an image written into `capacity` bytes and tells its size, also if they are too few.
///
/// # Errors
/// `Null`, `Misaligned`, `ImageTooSmall`.
///
/// # Safety
/// `image`, if it is not null, points to `capacity` writable bytes; `size`, if neither null nor misaligned, to a writable number.
pub(crate) unsafe fn save(
    image: *mut c_void,
    capacity: usize,
    size: *mut usize,
    save: impl FnOnce(&mut [u8]) -> Result<usize, ImageError>,
) -> Result<(), Status> {
    let size = writable(size)?;
    let out: &mut [u8] = if capacity == 0 {
        &mut []
    } else {
        // SAFETY: the caller's contract; no memory is larger than that, and bytes need no alignment.
        unsafe { core::slice::from_raw_parts_mut(writable(image.cast::<u8>())?, capacity.min(isize::MAX as usize)) }
    };
    let (written, result) = match save(out) {
        Ok(len) => (len, Ok(())),
        Err(ImageError::TooSmall { need }) => (need, Err(Status::ImageTooSmall)),
        Err(error) => return Err(error.into()),
    };
    // SAFETY: the caller's contract.
    unsafe { size.write(written) };
    result
}

/// Has the machine of an object made anew; if that fails, the object is as new.
///
/// # Errors
/// Those of `build`.
///
/// # Safety
/// As [`rebuild`].
pub(crate) unsafe fn restore<M: Machine>(
    object: *mut M::Opaque,
    config: &M::Config,
    build: impl FnOnce(&mut Arena) -> Result<M, Status>,
) -> Result<(), Status> {
    // SAFETY: the caller's contract.
    unsafe {
        let restored = rebuild(object, config, build);
        if restored.is_err() {
            rebuild(object, config, |arena| M::build(config, arena))?;
        }
        restored
    }
}
