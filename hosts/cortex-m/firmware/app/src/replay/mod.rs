//! Golden vectors in their packed form (`../../../packed`), replayed on the machines of the core.
//!
//! Each machine is built from its configuration and must have the state that the file says; then each event must have its status, its
//! records and the state behind it. Half-way the machine is saved and restored, and goes on as the restored one.
//!
//! A machine's tables lie in an [`Arena`] that is given back with the vector.

mod arena;
mod machines;

use core::fmt;

use bumpalo::Bump;
use gpusched::{Fault, ImageError, SliceTables};
use gpusched_packed::{Bytes, Damaged, Functions, Machine, Op, Reader, Refused, Vector};

use arena::Arena;
use machines::Replayed;

/// What became of a vector.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// Everything was as expected: so many events.
    Passed(u16),
    /// The first difference.
    Differs(Difference),
    /// It could not be replayed.
    Skipped(Why<'a>),
}

/// Where a vector differs.
#[derive(Clone, Copy, Debug)]
pub struct Difference {
    /// The event, from 0; `None` for building the machine.
    pub event: Option<(u16, Op)>,
    /// What differs.
    pub what: What,
}

/// What differs.
#[derive(Clone, Copy, Debug)]
pub enum What {
    /// The status expected and got.
    Status(u16, u16),
    /// The first byte of the records that is another one, and how many are expected and got.
    Records {
        /// Its place.
        at: usize,
        /// Bytes expected.
        expected: usize,
        /// Bytes got.
        got: usize,
    },
    /// The checksum of the image expected and got.
    State(u32, u32),
    /// The machine saved half-way was not restored.
    Restore(ImageError),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.event {
            Some((number, op)) => write!(f, "event {number}, {op:?}: ")?,
            None => write!(f, "building: ")?,
        }
        match &self.what {
            What::Status(expected, got) => write!(f, "expected status {expected}, got {got}"),
            What::Records { at, expected, got } => {
                write!(f, "{got} bytes of records, {expected} expected; they differ from byte {at} on")
            }
            What::State(expected, got) => write!(f, "expected state {expected:08x}, got {got:08x}"),
            What::Restore(error) => write!(f, "its image is refused: {error}"),
        }
    }
}

/// Why a vector was not replayed.
#[derive(Clone, Copy, Debug)]
pub enum Why<'a> {
    /// It has no packed form.
    NotPacked(&'a str),
    /// Its machine takes more memory than there is.
    NoMemory,
}

impl fmt::Display for Why<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPacked(why) => f.write_str(why),
            Self::NoMemory => f.write_str("its machine takes more memory than there is"),
        }
    }
}

/// Why a replay ends before its vector does.
pub(crate) enum Stop {
    Damaged,
    Differs(Difference),
    NoMemory,
}

impl From<Damaged> for Stop {
    fn from(_: Damaged) -> Self {
        Self::Damaged
    }
}

/// Replays one vector.
///
/// # Errors
/// `Damaged` if it is not in the packed form.
pub fn replay<'a>(vector: Vector<'a>) -> Result<Outcome<'a>, Damaged> {
    let mut from = vector.rest;
    let memory = Bump::new();
    let arena = &mut Arena::new(&memory);
    let events = match vector.machine {
        Machine::NotPacked => return Ok(Outcome::Skipped(Why::NotPacked(from.get()?))),
        Machine::FrontEnd => replay_on::<gpusched::FrontEnd<SliceTables<'_>>>(&mut from, arena),
        Machine::LaPerm => replay_on::<gpusched::laperm::LaPerm<SliceTables<'_>>>(&mut from, arena),
        Machine::Bubble => replay_on::<gpusched::power::BubbleDvfs<SliceTables<'_>>>(&mut from, arena),
        Machine::Dgb => replay_on::<gpusched::dats::Dgb<SliceTables<'_>>>(&mut from, arena),
        Machine::Functions => replay_on::<Functions>(&mut from, arena),
        Machine::Coalescer => replay_on::<gpusched::simt::coalesce::CoalescerConfig>(&mut from, arena),
        Machine::Stack => replay_on::<gpusched::simt::stack::Stack<SliceTables<'_>>>(&mut from, arena),
        Machine::Scoreboard => replay_on::<gpusched::simt::scoreboard::Scoreboard<SliceTables<'_>>>(&mut from, arena),
        Machine::Monte => replay_on::<gpusched::models::monte::Monte<SliceTables<'_>>>(&mut from, arena),
        Machine::Mascar => replay_on::<gpusched::mascar::Mascar<SliceTables<'_>>>(&mut from, arena),
        Machine::Apogee => replay_on::<gpusched::apogee::Apogee<SliceTables<'_>>>(&mut from, arena),
        Machine::EqualizerSm => replay_on::<gpusched::equalizer::Sm>(&mut from, arena),
        Machine::EqualizerFm => replay_on::<gpusched::equalizer::Fm>(&mut from, arena),
        Machine::TlpFit => replay_on::<gpusched::tlp::TlpConfig>(&mut from, arena),
        Machine::TlpSm => replay_on::<gpusched::tlp::TlpSm>(&mut from, arena),
        Machine::TlpPool => replay_on::<gpusched::tlp::Pool>(&mut from, arena),
        Machine::TlpLeftOver => replay_on::<gpusched::tlp::LeftOver>(&mut from, arena),
        Machine::TlpSmartEven => replay_on::<gpusched::tlp::SmartEven>(&mut from, arena),
        Machine::TlpSmc => replay_on::<gpusched::tlp::Smc>(&mut from, arena),
    };
    match events {
        Ok(events) => Ok(Outcome::Passed(events)),
        Err(Stop::Differs(difference)) => Ok(Outcome::Differs(difference)),
        Err(Stop::NoMemory) => Ok(Outcome::Skipped(Why::NoMemory)),
        Err(Stop::Damaged) => Err(Damaged),
    }
}

/// Replays what stands behind the number of the machine: how many events there were.
fn replay_on<'a, M: Replayed<'a>>(from: &mut Reader<'_>, arena: &mut Arena<'a>) -> Result<u16, Stop> {
    let differs = |event, what| Err(Stop::Differs(Difference { event, what }));
    let (config, _of_c, expected) = (from.get()?, from.get::<&[u8]>()?, from.get::<u16>()?);
    let built = M::build(config, arena)?;
    let got = status(built.as_ref().map(drop).map_err(|fault| *fault));
    if got != expected {
        return differs(None, What::Status(expected, got));
    }
    let Ok(mut machine) = built else { return Ok(0) };
    let (expected, got) = (from.get()?, machine.state());
    if got != expected {
        return differs(None, What::State(expected, got));
    }
    let events = from.get::<u16>()?;
    let mut is_restored = false;
    for number in 0..events {
        let op = Op::of(from.get()?).ok_or(Damaged)?;
        let event = Some((number, op));
        let mut records = Bytes::default();
        let got = match machine.event(op, from, &mut records) {
            Ok(()) => status(Ok(())),
            Err(Refused::Fault(fault)) => status(Err(fault)),
            Err(Refused::Damaged) => return Err(Stop::Damaged),
        };
        let expected = from.get()?;
        if got != expected {
            return differs(event, What::Status(expected, got));
        }
        let (expected, got) = (from.get::<&[u8]>()?, &records.0[..]);
        if got != expected {
            let at = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
            return differs(event, What::Records { at, expected: expected.len(), got: got.len() });
        }
        // From the middle on, at the first event behind which it can be saved.
        let image = (!is_restored && number >= events / 2).then(|| machine.image());
        if let Some(image) = image.filter(|image| !image.is_empty()) {
            is_restored = true;
            machine = match machine.restore(&image, arena)? {
                Ok(restored) => restored,
                Err(error) => return differs(event, What::Restore(error)),
            };
        }
        let (expected, got) = (from.get()?, machine.state());
        if got != expected {
            return differs(event, What::State(expected, got));
        }
    }
    Ok(events)
}

/// A status of C: 0, or the number of a fault.
fn status(result: Result<(), Fault>) -> u16 {
    result.map_or_else(|fault| fault.code() as u16, |()| 0)
}
