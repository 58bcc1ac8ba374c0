//! Saving and restoring.

use core::ffi::c_void;

use gpusched::models::monte::{TableSet, TableSizes, monte_image_config};

use super::config::gpusched_monte_config;
use super::{Object, gpusched_monte};
use crate::config::write;
use crate::image;
use crate::object::{array, enter, inspect, put};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Tells how many bytes gpusched_monte_save would write now.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_image_size(monte: *const gpusched_monte, size: *mut usize) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(monte).and_then(|m| put(size, m.image_len())) })
}

/// Saves the whole state.
///
/// @param monte    The machine.
/// @param image     Receives the image; if the result is not OK its content does not matter.
/// @param capacity  Bytes of that memory; if it is 0, image may be null.
/// @param size      Receives the size of the image, also if it is ImageTooSmall.
/// @return ImageTooSmall; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_save(
    monte: *const gpusched_monte,
    image: *mut c_void,
    capacity: usize,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(monte).and_then(|m| image::save(image, capacity, size, |out| m.save(out))) })
}

/// Tells the configuration of the machine that an image was made of, so that one like it can be built.
///
/// @param image        image_size bytes.
/// @param image_size   Their number.
/// @param config       Written.
/// @param config_size  sizeof(gpusched_monte_config) in the caller's header.
/// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
/// BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_image_config(
    image: *const c_void,
    image_size: usize,
    config: *mut gpusched_monte_config,
    config_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        array(image.cast::<u8>(), image_size)
            .and_then(|image| write(config, config_size, &gpusched_monte_config::of(&monte_image_config(image)?)))
    })
}

/// Makes a machine what the saved one was; it goes on exactly there.
///
/// @param monte      An object of the image's configuration.
/// @param image       image_size bytes, outside of the object's storage.
/// @param image_size  Their number.
/// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
/// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_monte_init. Null, Capacity;
/// those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_restore(
    monte: *mut gpusched_monte,
    image: *const c_void,
    image_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(monte).and_then(|machine| {
            let config = *machine.config();
            let bytes = array(image.cast::<u8>(), image_size)?;
            if monte_image_config(bytes)? != config {
                return Err(Status::ImageOther);
            }
            image::restore::<Object>(monte, &config, |arena| {
                let tables = TableSet::take_from(arena, &TableSizes::of(&config)).ok_or(Status::StorageTooSmall)?;
                Ok(Object::restore(bytes, tables)?)
            })
        })
    })
}
