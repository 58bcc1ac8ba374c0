//! What a machine was asked and answered while a vector was replayed on it.
//!
//! There is one tape per thread, since the parts of [`crate::dats::Parts`] are functions that know no object.
#![allow(unsafe_code, reason = "a struct of C is written as the numbers that it consists of")]

use std::cell::RefCell;
use std::mem;
use std::slice;

use gpusched::Fault;
use gpusched_abi::config::Parameters;
use gpusched_packed::{Op, Record, Sink, checksum};
use serde::Serialize;

/// A file that is being written.
#[derive(Default)]
pub struct Bytes(pub Vec<u8>);

impl Sink for Bytes {
    fn put(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }
}

impl Bytes {
    /// A count, and so many bytes.
    ///
    /// # Panics
    /// If they are more than the form can hold.
    pub fn list(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.put(bytes);
    }

    /// The count of a list.
    ///
    /// # Panics
    /// If it is more than the form can hold.
    pub fn count(&mut self, count: usize) {
        u16::try_from(count).expect("lists of the packed form have at most 65,535 items").put(self);
    }

    /// A configuration in both of its forms.
    ///
    /// # Panics
    /// If it takes more room than any does.
    pub fn config<C: Parameters>(&mut self, config: &impl Serialize, of_c: &C) {
        let mut room = [0; 1024];
        self.list(postcard::to_slice(config, &mut room).expect("a configuration is shorter"));
        // SAFETY: a struct of `Parameters` consists of `u32` fields, so it has no padding, and any byte may be read.
        self.list(unsafe { slice::from_raw_parts((&raw const *of_c).cast(), size_of::<C>()) });
    }
}

/// A vector's machine and events.
#[derive(Default)]
pub struct Tape {
    /// Configuration, status, checksum.
    start: Option<Bytes>,
    /// The machine's state.
    checksum: u32,
    /// How many events follow.
    pub events: u16,
    body: Bytes,
    /// What has no packed form.
    unknown: Option<String>,
}

impl Tape {
    /// Writes what stands behind the number of the machine.
    pub fn write(&self, to: &mut Bytes) {
        let Some(start) = &self.start else { return };
        to.put(&start.0);
        if self.checksum != 0 {
            self.events.put(to);
            to.put(&self.body.0);
        }
    }
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
}

/// Begins anew.
pub fn rewind() {
    TAPE.take();
}

/// What was recorded, or why that has no packed form.
pub fn take() -> Result<Tape, String> {
    let tape = TAPE.take();
    match (&tape.start, &tape.unknown) {
        (_, Some(unknown)) => Err(unknown.clone()),
        (None, None) => {
            Err("its configuration names a parameter that there is not, or a value that its type cannot hold".into())
        }
        (Some(_), None) => Ok(tape),
    }
}

/// What is checked of a state: the checksum of an image.
///
/// # Panics
/// If the image is none.
pub fn state(image: &[u8]) -> u32 {
    checksum(image).expect("an image has a checksum")
}

/// Whether the vector's machine was built, with the checksum of its image.
pub fn has_started() -> bool {
    TAPE.with_borrow(|tape| tape.start.is_some())
}

/// The vector's machine is built, or refused.
pub fn start<C: Parameters>(config: &impl Serialize, of_c: &C, built: Result<u32, Fault>) {
    TAPE.with_borrow_mut(|tape| {
        let mut start = Bytes::default();
        start.config(config, of_c);
        status(built.map(drop)).put(&mut start);
        if let Ok(checksum) = built {
            checksum.put(&mut start);
            tape.checksum = checksum;
        }
        tape.start = Some(start);
    });
}

/// A status of C.
pub fn status(result: Result<(), Fault>) -> u16 {
    result.map_or_else(|fault| fault.code() as u16, |()| 0)
}

/// An event, its answer, and the state behind it: `None` for what leaves the machine alone.
pub fn event(
    op: Op,
    arguments: impl FnOnce(&mut Bytes),
    result: Result<(), Fault>,
    answer: impl FnOnce(&mut Bytes),
    state: Option<u32>,
) {
    TAPE.with_borrow_mut(|tape| {
        tape.checksum = state.unwrap_or(tape.checksum);
        let mut event = mem::take(&mut tape.body);
        (op as u8).put(&mut event);
        arguments(&mut event);
        status(result).put(&mut event);
        let mut records = Bytes::default();
        answer(&mut records);
        event.list(&records.0);
        tape.checksum.put(&mut event);
        tape.body = event;
        tape.events += 1;
    });
}

/// An event that no vector has so far, so that there is no form for it.
pub fn unknown(what: String) {
    TAPE.with_borrow_mut(|tape| tape.unknown = Some(what));
}
