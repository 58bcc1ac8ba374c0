//! Saving and restoring.

use core::ffi::c_void;

use gpusched::{FrontEnd, image_config};

use super::config::gpusched_frontend_config;
use super::{Object, gpusched_frontend};
use crate::config::write;
use crate::image;
use crate::object::{array, enter, inspect, put, writable};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Tells how many bytes gpusched_frontend_save would write now.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_image_size(
    frontend: *const gpusched_frontend,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(size, object.gpu.image_len())) })
}

/// Saves the whole state. Decisions are not part of it, so they must have been read; the trace ring is not, either.
///
/// @param frontend  The front end.
/// @param image     Receives the image; if the result is not OK its content does not matter.
/// @param capacity  Bytes of that memory; if it is 0, image may be null.
/// @param size      Receives the size of the image, also if it is ImageTooSmall.
/// @return ImageTooSmall; Unread; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_save(
    frontend: *const gpusched_frontend,
    image: *mut c_void,
    capacity: usize,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract; bytes need no alignment.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            writable(size)?;
            if !object.sink.unread().is_empty() {
                return Err(Status::Unread);
            }
            image::save(image, capacity, size, |out| object.gpu.save(out))
        })
    })
}

/// Tells the configuration of the front end that an image was made of, so that one like it can be built.
///
/// @param image        image_size bytes.
/// @param image_size   Their number.
/// @param config       Written, with `decisions` 0.
/// @param config_size  sizeof(gpusched_frontend_config) in the caller's header.
/// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
/// BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_image_config(
    image: *const c_void,
    image_size: usize,
    config: *mut gpusched_frontend_config,
    config_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        array(image.cast::<u8>(), image_size)
            .and_then(|image| write(config, config_size, &gpusched_frontend_config::of(&image_config(image)?)))
    })
}

/// Makes a front end what the saved one was; it goes on exactly there. Its own `decisions` and its trace ring stay as they are;
/// decisions that it had and that were not read are forgotten.
///
/// @param frontend    An object of the image's configuration; `decisions` may differ.
/// @param image       image_size bytes, outside of the object's storage.
/// @param image_size  Their number.
/// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
/// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_frontend_init. Null, Capacity; those
/// of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_restore(
    frontend: *mut gpusched_frontend,
    image: *const c_void,
    image_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let bytes = array(image.cast::<u8>(), image_size)?;
            if image_config(bytes)? != object.setup.machine {
                return Err(Status::ImageOther);
            }
            let (setup, trace) = (object.setup, object.sink.detach());
            let restored = image::restore::<Object>(frontend, &setup, |arena| {
                Object::build_with(&setup, arena, |tables| Ok(FrontEnd::restore(bytes, tables)?))
            });
            enter::<Object>(frontend)?.sink.reattach(trace);
            restored
        })
    })
}
