//! Saving and restoring as a C program does it.

use std::mem::size_of;
use std::ptr;

use gpusched::Config;
use gpusched_abi::frontend::config::gpusched_frontend_config;
use gpusched_abi::frontend::image::*;
use gpusched_abi::status::gpusched_status as Status;

use super::{ThroughC, c_config, config::core_config, done};

impl ThroughC {
    /// The object's image.
    ///
    /// # Errors
    /// `Unread`.
    ///
    /// # Panics
    /// If the object tells several sizes.
    pub fn image(&self) -> Result<Vec<u8>, Status> {
        let mut size = 0;
        // SAFETY: the object and the number live; an image of no bytes may be null.
        match unsafe { gpusched_frontend_save(self.frontend(), ptr::null_mut(), 0, &mut size) } {
            Status::ImageTooSmall => {}
            refused => return Err(refused),
        }
        assert_eq!(self.ask(gpusched_frontend_image_size), size);
        let (mut image, mut written) = (vec![0xa5_u8; size], 0);
        // SAFETY: the image has this size.
        done(unsafe { gpusched_frontend_save(self.frontend(), image.as_mut_ptr().cast(), size, &mut written) })?;
        assert_eq!(written, size);
        Ok(image)
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        // SAFETY: the object lives, and the image is somewhere else.
        done(unsafe { gpusched_frontend_restore(self.frontend(), image.as_ptr().cast(), image.len()) })
    }

    /// A new object that is what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn of_image(image: &[u8], decisions: u32) -> Result<Self, Status> {
        let mut object = Self::new(&image_config(image)?, decisions)?;
        object.restore(image)?;
        Ok(object)
    }
}

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn image_config(image: &[u8]) -> Result<Config, Status> {
    let mut config = c_config(&Config::K20C, 0);
    let size = size_of::<gpusched_frontend_config>();
    // SAFETY: both live.
    done(unsafe { gpusched_frontend_image_config(image.as_ptr().cast(), image.len(), &mut config, size) })?;
    Ok(core_config(&config))
}
