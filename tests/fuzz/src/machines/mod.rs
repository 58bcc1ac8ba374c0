//! The machines that stand alone, out of a fuzzer's bytes.

mod apogee;
mod bubble;
pub mod catalogue;
mod dgb;
mod equalizer;
mod laperm;
mod mascar;
mod simt;
mod tlp;
