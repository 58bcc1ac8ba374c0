//! The units of `tlp` as a C program has them: one for all of them here, and what each one's calls and state are beside it.

mod config;
mod fit;
mod leftover;
mod pool;
mod records;
mod sm;
mod smart_even;
mod smc;

use gpusched::Fault;
use gpusched::tlp::TlpConfig;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_abi::tlp::sm::{build::*, gpusched_tlp_sm, image::*, query::*};
use gpusched_abi::tlp::{config::*, leftover::*, pool::*, smart_even::*, smc::*};

use super::look::expect;
use super::object::{self, Object, done, fault};
use crate::equalizer::Machine;
use crate::tlp::{Answer, Event, Kind, View};
pub use config::c_config;
pub use records::{c_kernel, c_needs};
pub use sm::c_metrics;

/// A unit in a block, reached through C functions only.
pub struct Unit {
    config: TlpConfig,
    object: Objects,
}

enum Objects {
    Pure,
    TlpSm(Object<gpusched_tlp_sm>),
    Pool(Object<gpusched_tlp_pool>),
    LeftOver(Object<gpusched_tlp_leftover>),
    SmartEven(Object<gpusched_tlp_smart_even>),
    Smc(Object<gpusched_tlp_smc>),
}

/// An object of the type, which must tell the configuration that it was given.
macro_rules! build {
    ($given:expr, $layout:ident, $init:ident, $get_config:ident) => {{
        let object = Object::new(&$given, $layout, $init)?;
        let mut told = c_config(&TlpConfig::GTX480);
        // SAFETY: both live.
        let status = unsafe { $get_config(object.c(), &mut told, size_of_val(&$given)) };
        assert_eq!((status, told), (Status::Ok, $given));
        object
    }};
}

impl Unit {
    /// A unit of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(kind: Kind, config: &TlpConfig) -> Result<Self, Status> {
        let given = c_config(config);
        let object = match kind {
            Kind::Pure => {
                // SAFETY: the configuration lives.
                done(unsafe { gpusched_tlp_config_check(&given, std::ptr::null_mut()) })?;
                Objects::Pure
            }
            Kind::TlpSm => {
                Objects::TlpSm(build!(given, gpusched_tlp_sm_layout, gpusched_tlp_sm_init, gpusched_tlp_sm_get_config))
            }
            Kind::Pool => Objects::Pool(build!(
                given,
                gpusched_tlp_pool_layout,
                gpusched_tlp_pool_init,
                gpusched_tlp_pool_get_config
            )),
            Kind::LeftOver => Objects::LeftOver(build!(
                given,
                gpusched_tlp_leftover_layout,
                gpusched_tlp_leftover_init,
                gpusched_tlp_leftover_get_config
            )),
            Kind::SmartEven => Objects::SmartEven(build!(
                given,
                gpusched_tlp_smart_even_layout,
                gpusched_tlp_smart_even_init,
                gpusched_tlp_smart_even_get_config
            )),
            Kind::Smc => {
                Objects::Smc(build!(given, gpusched_tlp_smc_layout, gpusched_tlp_smc_init, gpusched_tlp_smc_get_config))
            }
        };
        Ok(Self { config: *config, object })
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(match &self.object {
            Objects::Pure => Ok(Vec::new()),
            Objects::TlpSm(object) => object.image(gpusched_tlp_sm_save, gpusched_tlp_sm_image_size),
            Objects::Pool(object) => object.image(gpusched_tlp_pool_save, gpusched_tlp_pool_image_size),
            Objects::LeftOver(object) => object.image(gpusched_tlp_leftover_save, gpusched_tlp_leftover_image_size),
            Objects::SmartEven(object) => {
                object.image(gpusched_tlp_smart_even_save, gpusched_tlp_smart_even_image_size)
            }
            Objects::Smc(object) => object.image(gpusched_tlp_smc_save, gpusched_tlp_smc_image_size),
        })
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        match &mut self.object {
            Objects::Pure => Ok(()),
            Objects::TlpSm(object) => object.restore(gpusched_tlp_sm_restore, image),
            Objects::Pool(object) => object.restore(gpusched_tlp_pool_restore, image),
            Objects::LeftOver(object) => object.restore(gpusched_tlp_leftover_restore, image),
            Objects::SmartEven(object) => object.restore(gpusched_tlp_smart_even_restore, image),
            Objects::Smc(object) => object.restore(gpusched_tlp_smc_restore, image),
        }
    }

    /// The pointer that a C program has, if it is the machine of one SM.
    #[must_use]
    pub fn sm(&self) -> Option<*mut gpusched_tlp_sm> {
        let Objects::TlpSm(object) = &self.object else { return None };
        Some(object.c())
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    ///
    /// # Panics
    /// If the event is of another unit.
    pub fn call(&mut self, event: &Event) -> Result<Answer, Status> {
        match &self.object {
            Objects::Pure => fit::call(&self.config, event),
            Objects::TlpSm(object) => sm::call(object, event),
            Objects::Pool(object) => pool::call(object, event),
            Objects::LeftOver(object) => leftover::call(object, event),
            Objects::SmartEven(object) => smart_even::call(object, self.config.sms, event),
            Objects::Smc(object) => smc::call(object, event),
        }
    }
}

fn foreign(event: &Event) -> ! {
    panic!("{event:?} is no event of this unit")
}

impl Machine for Unit {
    type Event = Event;
    type Answer = Answer;
    type View = View;
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.call(event).map_err(fault)
    }

    fn view(&self) -> View {
        let TlpConfig { slots, sms, pool_cap, qcap, .. } = self.config;
        match &self.object {
            Objects::Pure => View::Pure,
            Objects::TlpSm(object) => View::TlpSm(sm::view(object, slots)),
            Objects::Pool(object) => pool::view(object, pool_cap),
            Objects::LeftOver(object) => leftover::view(object, sms, qcap),
            Objects::SmartEven(object) => smart_even::view(object, sms),
            Objects::Smc(object) => smc::view(object),
        }
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn image_config(kind: Kind, image: &[u8]) -> Result<TlpConfig, Status> {
    let tell = match kind {
        Kind::Pure => return Err(Status::NotAnImage),
        Kind::TlpSm => gpusched_tlp_sm_image_config,
        Kind::Pool => gpusched_tlp_pool_image_config,
        Kind::LeftOver => gpusched_tlp_leftover_image_config,
        Kind::SmartEven => gpusched_tlp_smart_even_image_config,
        Kind::Smc => gpusched_tlp_smc_image_config,
    };
    Ok(config::core_config(&object::image_config(tell, image, c_config(&TlpConfig::GTX480))?))
}
