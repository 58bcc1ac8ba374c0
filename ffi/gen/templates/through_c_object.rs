/// The functions of the machine.
pub struct {Face};

impl Face for {Face} {
    type Opaque = gpusched_{m};
    type Config = {Config};
    type C = gpusched_{t}_config;

    const LAYOUT: super::object::GetLayout<Self::C> = gpusched_{m}_layout;
    const INIT: super::object::Init<Self::C, Self::Opaque> = gpusched_{m}_init;
    const GET_CONFIG: super::object::GetConfig<Self::C, Self::Opaque> = gpusched_{m}_get_config;
    const IMAGE_SIZE: super::object::ImageSize<Self::Opaque> = gpusched_{m}_image_size;
    const SAVE: super::object::Save<Self::Opaque> = gpusched_{m}_save;
    const RESTORE: super::object::Restore<Self::Opaque> = gpusched_{m}_restore;
    const IMAGE_CONFIG: super::object::ImageConfig<Self::C> = gpusched_{m}_image_config;

    fn preset() -> {Config} {
        {Config}::{PRESET}
    }

    fn to_c(config: &{Config}) -> Self::C {
        c_config(config)
    }

    fn from_c(c: &Self::C) -> {Config} {
        core_config(c)
    }
}

/// {title} in a block, reached through C functions only.
pub type ThroughC = Alone<{Face}>;

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn image_config(image: &[u8]) -> Result<{Config}, Status> {
    ThroughC::image_config(image)
}

