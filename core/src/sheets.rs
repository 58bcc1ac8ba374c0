#![doc = include_str!("../spec/README.md")]
//!
//! This module is in the documentation only; the sheets lie in `core/spec`, beside the source.

// Brackets in a sheet are mathematics.
#![allow(rustdoc::broken_intra_doc_links)]

#[doc = include_str!("../spec/dtbl.md")]
pub mod dtbl {}

#[doc = include_str!("../spec/laperm.md")]
pub mod laperm {}

#[doc = include_str!("../spec/bubble_dvfs.md")]
pub mod bubble_dvfs {}

#[doc = include_str!("../spec/dats.md")]
pub mod dats {}

#[doc = include_str!("../spec/frontend.md")]
pub mod frontend {}

#[doc = include_str!("../spec/modern.md")]
pub mod modern {}

#[doc = include_str!("../spec/launch2.md")]
pub mod launch2 {}

#[doc = include_str!("../spec/policy.md")]
pub mod policy {}

#[doc = include_str!("../spec/catalogue.md")]
pub mod catalogue {}

#[doc = include_str!("../spec/equalizer.md")]
pub mod equalizer {}

#[doc = include_str!("../spec/mascar.md")]
pub mod mascar {}

#[doc = include_str!("../spec/apogee.md")]
pub mod apogee {}

#[doc = include_str!("../spec/tlp.md")]
pub mod tlp {}

#[doc = include_str!("../spec/models.md")]
pub mod models {}
