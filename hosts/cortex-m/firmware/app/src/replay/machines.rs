//! How each machine is built from its configuration and from its image, on tables in an [`Arena`].

use gpusched::{BuildError, Fault, ImageError, SliceTables};
use gpusched_packed::{Driven, Functions};

use super::Stop;
use super::arena::Arena;

/// A machine that is built from a configuration or an image.
pub(super) trait Replayed<'a>: Driven + Sized {
    /// A machine of a configuration in postcard's encoding.
    fn build(config: &[u8], arena: &mut Arena<'a>) -> Result<Result<Self, Fault>, Stop>;
    /// The machine of an image.
    fn restore(&self, image: &[u8], arena: &mut Arena<'a>) -> Result<Result<Self, ImageError>, Stop>;
}

/// Machines with tables.
macro_rules! on_tables {
    ($($Machine:path: $Config:path, $image_config:path, $tables:path;)*) => {
        $(impl<'a> Replayed<'a> for $Machine {
            fn build(config: &[u8], arena: &mut Arena<'a>) -> Result<Result<Self, Fault>, Stop> {
                use $tables::{TableSet, TableSizes};
                let config: $Config = postcard::from_bytes(config).map_err(|_| Stop::Damaged)?;
                if let Err(error) = config.check() {
                    return Ok(Err(error.fault));
                }
                let tables = TableSet::take_from(arena, &TableSizes::of(&config)).ok_or(Stop::NoMemory)?;
                match Self::with_tables(&config, tables) {
                    Ok(machine) => Ok(Ok(machine)),
                    Err(BuildError::Config(error)) => Ok(Err(error.fault)),
                    Err(BuildError::Tables(_)) => Err(Stop::NoMemory),
                }
            }

            fn restore(&self, image: &[u8], arena: &mut Arena<'a>) -> Result<Result<Self, ImageError>, Stop> {
                use $tables::{TableSet, TableSizes};
                let config = match $image_config(image) {
                    Ok(config) => config,
                    Err(error) => return Ok(Err(error)),
                };
                let tables = TableSet::take_from(arena, &TableSizes::of(&config)).ok_or(Stop::NoMemory)?;
                Ok(Self::restore(image, tables))
            }
        })*
    };
}

on_tables! {
    gpusched::FrontEnd<SliceTables<'a>>: gpusched::Config, gpusched::image_config, gpusched;
    gpusched::laperm::LaPerm<SliceTables<'a>>:
        gpusched::laperm::Config, gpusched::laperm::image_config, gpusched::laperm;
    gpusched::power::BubbleDvfs<SliceTables<'a>>:
        gpusched::power::BubbleConfig, gpusched::power::bubble_image_config, gpusched::power;
    gpusched::dats::Dgb<SliceTables<'a>>:
        gpusched::dats::DgbConfig, gpusched::dats::dgb_image_config, gpusched::dats;
    gpusched::simt::stack::Stack<SliceTables<'a>>:
        gpusched::simt::stack::StackConfig, gpusched::simt::stack::stack_image_config, gpusched::simt::stack;
    gpusched::simt::scoreboard::Scoreboard<SliceTables<'a>>:
        gpusched::simt::scoreboard::ScoreboardConfig, gpusched::simt::scoreboard::scoreboard_image_config,
        gpusched::simt::scoreboard;
    gpusched::models::monte::Monte<SliceTables<'a>>:
        gpusched::models::monte::MonteConfig, gpusched::models::monte::monte_image_config, gpusched::models::monte;
    gpusched::mascar::Mascar<SliceTables<'a>>:
        gpusched::mascar::MascarConfig, gpusched::mascar::mascar_image_config, gpusched::mascar;
    gpusched::apogee::Apogee<SliceTables<'a>>:
        gpusched::apogee::ApogeeConfig, gpusched::apogee::apogee_image_config, gpusched::apogee;
}

/// Machines that are one plain value.
macro_rules! values {
    ($($Machine:path: $Config:path;)*) => {
        $(impl<'a> Replayed<'a> for $Machine {
            fn build(config: &[u8], _: &mut Arena<'a>) -> Result<Result<Self, Fault>, Stop> {
                let config: $Config = postcard::from_bytes(config).map_err(|_| Stop::Damaged)?;
                Ok(Self::new(&config).map_err(|error| error.fault))
            }

            fn restore(&self, image: &[u8], _: &mut Arena<'a>) -> Result<Result<Self, ImageError>, Stop> {
                Ok(Self::restore(image))
            }
        })*
    };
}

values! {
    gpusched::equalizer::Sm: gpusched::equalizer::SmConfig;
    gpusched::equalizer::Fm: gpusched::equalizer::FmConfig;
    gpusched::tlp::TlpSm: gpusched::tlp::TlpConfig;
    gpusched::tlp::Pool: gpusched::tlp::TlpConfig;
    gpusched::tlp::LeftOver: gpusched::tlp::TlpConfig;
    gpusched::tlp::SmartEven: gpusched::tlp::TlpConfig;
    gpusched::tlp::Smc: gpusched::tlp::TlpConfig;
}

/// There is nothing to build: what keeps nothing goes on as it is.
impl<'a> Replayed<'a> for Functions {
    fn build(_: &[u8], _: &mut Arena<'a>) -> Result<Result<Self, Fault>, Stop> {
        Ok(Ok(Self))
    }

    fn restore(&self, _: &[u8], _: &mut Arena<'a>) -> Result<Result<Self, ImageError>, Stop> {
        Ok(Ok(*self))
    }
}

/// Configurations, whose functions keep nothing.
macro_rules! configurations {
    ($($Config:path;)*) => {
        $(impl<'a> Replayed<'a> for $Config {
            fn build(config: &[u8], _: &mut Arena<'a>) -> Result<Result<Self, Fault>, Stop> {
                let config: Self = postcard::from_bytes(config).map_err(|_| Stop::Damaged)?;
                Ok(config.check().map(|()| config).map_err(|error| error.fault))
            }

            fn restore(&self, _: &[u8], _: &mut Arena<'a>) -> Result<Result<Self, ImageError>, Stop> {
                Ok(Ok(*self))
            }
        })*
    };
}

configurations! {
    gpusched::tlp::TlpConfig;
    gpusched::simt::coalesce::CoalescerConfig;
}
