/// Tells how many bytes gpusched_{m}_save would write now.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{m}_image_size({o}: *const gpusched_{m}, size: *mut usize) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>({o}).and_then(|m| put(size, m{at}.image_len())) })
}

/// Saves the whole state.
///
/// @param {o}    The machine.
/// @param image     Receives the image; if the result is not OK its content does not matter.
/// @param capacity  Bytes of that memory; if it is 0, image may be null.
/// @param size      Receives the size of the image, also if it is ImageTooSmall.
/// @return ImageTooSmall; {unread}Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{m}_save(
    {o}: *const gpusched_{m},
    image: *mut c_void,
    capacity: usize,
    size: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>({o}).and_then(|m| { {first}image::save(image, capacity, size, |out| m{at}.save(out)) }) })
}

/// Tells the configuration of the machine that an image was made of, so that one like it can be built.
///
/// @param image        image_size bytes.
/// @param image_size   Their number.
/// @param config       Written.
/// @param config_size  sizeof(gpusched_{t}_config) in the caller's header.
/// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted, ImageContent; Null, Misaligned,
/// BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{m}_image_config(
    image: *const c_void,
    image_size: usize,
    config: *mut gpusched_{t}_config,
    config_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        array(image.cast::<u8>(), image_size)
            .and_then(|image| write(config, config_size, &gpusched_{t}_config::of(&{image_config}(image)?)))
    })
}

/// Makes a machine what the saved one was; it goes on exactly there.{dropped}
///
/// @param {o}      An object of the image's configuration.
/// @param image       image_size bytes, outside of the object's storage.
/// @param image_size  Their number.
/// @return ImageTruncated, NotAnImage, ImageWrongType, ImageWrongVersion, ImageCorrupted; ImageOther: the configurations differ;
/// ImageContent: the checksum fits, but somebody forged the image; then the object is as after gpusched_{m}_init. Null, Capacity;
/// those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{m}_restore(
    {o}: *mut gpusched_{m},
    image: *const c_void,
    image_size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>({o}).and_then(|machine| {
            let config = *machine{at}{config_path}.config();
            let bytes = array(image.cast::<u8>(), image_size)?;
            if {image_config}(bytes)? != config {
                return Err(Status::ImageOther);
            }
            {restored}
        })
    })
}

