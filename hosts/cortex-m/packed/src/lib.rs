//! Golden vectors in a packed form, which a microcontroller interprets without JSON: written by `pack` of the workspace's tests, read by
//! the firmware in Rust (`../firmware`) and, by the same description, in C (`../c/replay`). [`Driven`] carries packed events out on the
//! core's machines, for `pack` and for the firmware alike.
//!
//! # Form
//! All numbers are little-endian, nothing is aligned. `text`, `bytes` are a `u16` count and so many bytes.
//!
//! | what | is |
//! |---|---|
//! | file | [`MAGIC`], version `u32`, vectors `u32`, then each vector |
//! | vector | bytes that follow `u32`, name `text` as `mechanism/vector`, [`Machine`] `u8`, then what that says |
//! | not packed | why: `text` |
//! | a machine | its configuration for Rust, `bytes` in postcard's encoding, and for C, `bytes` of the struct (both empty where there is none); status of building it `u16`; if that is 0: checksum of the new machine `u32`, events `u16`, then each event |
//! | event | [`Op`] `u8`, arguments as its documentation says, then the answer: status `u16`, `bytes` of records, checksum `u32` |
//!
//! Among arguments, `[..]` is a `u16` count and so many items; rows, choices, counts and flags are `u32`; times, tags and SMX sets are
//! `u64`s (a set is four of them); what has a struct in the C ABI is that, field by field. A status is a number of the C ABI, which a
//! fault of the core has, too. Records are those of the C ABI, field by field: first the decisions in their order, each sample with its
//! record behind it, then what the call returns. The checksum is the last word of the machine's image, the CRC-32 of everything before
//! it: it stands for the whole state. Of what keeps nothing it is 0.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod drive;
mod op;
mod read;
mod record;

pub use drive::{Driven, Functions, Refused};
pub use op::{Machine, OPS, Op};
pub use read::{Damaged, Item, Reader, Vector, vectors};
pub use record::{Bytes, Record, Sink};

/// What a file begins with.
pub const MAGIC: [u8; 4] = *b"GSPK";
/// The version of the form.
pub const VERSION: u32 = 1;

/// The checksum of an image: its last word.
#[must_use]
pub fn checksum(image: &[u8]) -> Option<u32> {
    image.last_chunk().copied().map(u32::from_le_bytes)
}
