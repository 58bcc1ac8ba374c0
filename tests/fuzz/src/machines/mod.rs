//! The machines that stand alone, out of a fuzzer's bytes.

mod apogee;
mod bubble;
mod dgb;
mod equalizer;
mod laperm;
mod mascar;
mod simt;
mod tlp;
