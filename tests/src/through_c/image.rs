//! Saving and restoring as a C program does it.

use gpusched::Config;
use gpusched_abi::frontend::*;
use gpusched_abi::status::gpusched_status as Status;

use super::frontend::core_config;
use super::{ThroughC, c_config, object};

impl ThroughC {
    /// The object's image.
    ///
    /// # Errors
    /// `Unread`.
    ///
    /// # Panics
    /// If the object tells several sizes.
    pub fn image(&self) -> Result<Vec<u8>, Status> {
        self.object.image(gpusched_frontend_save, gpusched_frontend_image_size)
    }

    /// Makes the object what the saved one was, and forgets what the other one had decided.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(gpusched_frontend_restore, image)?;
        self.read.clear();
        self.samples.clear();
        Ok(())
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
    let told = object::image_config(gpusched_frontend_image_config, image, c_config(&Config::K20C, 0))?;
    Ok(core_config(&told))
}
