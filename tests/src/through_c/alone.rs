//! A machine that stands alone, as a C program has it.

use std::fmt::Debug;

use gpusched_abi::status::gpusched_status as Status;

use super::look::expect;
use super::object::{self, GetConfig, GetLayout, ImageConfig, ImageSize, Init, Object, Restore, Save};

/// The functions that every machine has.
pub trait Face {
    /// What C's pointers lead to.
    type Opaque;
    /// The core's configuration.
    type Config: Copy;
    /// C's.
    type C: PartialEq + Debug;

    /// Tells the layout of a configuration.
    const LAYOUT: GetLayout<Self::C>;
    /// Builds an object.
    const INIT: Init<Self::C, Self::Opaque>;
    /// Tells the configuration of an object.
    const GET_CONFIG: GetConfig<Self::C, Self::Opaque>;
    /// Tells the size of its image.
    const IMAGE_SIZE: ImageSize<Self::Opaque>;
    /// Saves it.
    const SAVE: Save<Self::Opaque>;
    /// Restores it.
    const RESTORE: Restore<Self::Opaque>;
    /// Tells the configuration of an image.
    const IMAGE_CONFIG: ImageConfig<Self::C>;

    /// The configuration that C's functions begin with.
    fn preset() -> Self::Config;
    /// A configuration as a C program writes it.
    fn to_c(config: &Self::Config) -> Self::C;
    /// A configuration that C tells.
    fn from_c(c: &Self::C) -> Self::Config;
}

/// A machine in a block, reached through C functions only.
pub struct Alone<F: Face> {
    pub(super) object: Object<F::Opaque>,
    pub(super) config: F::Config,
}

impl<F: Face> Alone<F> {
    /// A machine of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &F::Config) -> Result<Self, Status> {
        let given = F::to_c(config);
        let object = Object::new(&given, F::LAYOUT, F::INIT)?;
        let mut told = F::to_c(&F::preset());
        // SAFETY: both live.
        let status = unsafe { F::GET_CONFIG(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!((status, told), (Status::Ok, given));
        Ok(Self { object, config: *config })
    }

    /// The object.
    #[must_use]
    pub fn object(&self) -> &Object<F::Opaque> {
        &self.object
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(self.object.image(F::SAVE, F::IMAGE_SIZE))
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(F::RESTORE, image)
    }

    /// The configuration of the object that an image was made of.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn image_config(image: &[u8]) -> Result<F::Config, Status> {
        Ok(F::from_c(&object::image_config(F::IMAGE_CONFIG, image, F::to_c(&F::preset()))?))
    }
}
