//! The ground floor: what every machine is made of. Imports nothing from above.
//!
//! - [`cycle`], [`id`], [`set`], [`dim3`]: numbers that are not mixed up;
//! - [`table`], [`home`], [`presence`]: rows, where they live, and parts that a home leaves out; `aside`: what is beside the value;
//! - [`resources`]: what TBs need and SMXs have;
//! - [`parameter`], [`error`]: what can be set, and what is refused; `invariant`: what holds between two calls.

pub(crate) mod aside;
pub(crate) mod cycle;
pub(crate) mod dim3;
pub(crate) mod error;
pub(crate) mod free_map;
pub(crate) mod home;
pub(crate) mod id;
#[cfg(feature = "image")]
pub mod image;
pub(crate) mod invariant;
pub(crate) mod parameter;
pub mod presence;
pub(crate) mod resources;
#[cfg(feature = "image")]
pub(crate) mod saved;
pub(crate) mod set;
pub(crate) mod storage;
pub(crate) mod table;
