//! The sheet: the rules that the machine obeys, which code and tests cite. How they are written, and the sources in
//! full: the module `sheets` of `gpusched`.
//!
//! This module is in the documentation only; the sheet lies in `hosts/refgpu/spec`, beside the source.

// Brackets in a sheet are mathematics, and marks of where a number comes from.
#![allow(rustdoc::broken_intra_doc_links)]

#[doc = include_str!("../spec/refgpu.md")]
pub mod refgpu {}
