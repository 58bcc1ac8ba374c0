//! Images of machines, and machines from images; and what is tested of the images of every machine alike.

use std::fmt::Debug;

use flate2::Crc;
use gpusched::apogee::Apogee;
use gpusched::dats::Dgb;
use gpusched::laperm::LaPerm;
use gpusched::mascar::Mascar;
use gpusched::models::monte::Monte;
use gpusched::policy::catalogue::Catalogue;
use gpusched::power::BubbleDvfs;
use gpusched::simt::scoreboard::Scoreboard;
use gpusched::simt::stack::Stack;
use gpusched::{FrontEnd, ImageError, InlineTables, Tables, Violation, equalizer, tlp};
use gpusched_heap::{HeapTables, tables};

use crate::models::monte;
use crate::simt::{scoreboard, stack};
use crate::tlp::Unit;
use crate::{apogee, bubble, dats, invariants, laperm, mascar};

/// Bytes before the body.
pub const HEADER: usize = 16;
/// Bytes behind it.
pub const CHECKSUM: usize = 4;

/// Numbers to forge a body with: flags, small indices and counts, the largest number of a byte, and one that goes on.
pub const NUMBERS: [u8; 8] = [0, 1, 2, 3, 5, 9, 0x7f, 0xff];

/// A machine that can be saved.
pub trait Save {
    /// Bytes of its image.
    fn image_len(&self) -> usize;
    /// Writes its image, and says how many bytes it takes.
    ///
    /// # Errors
    /// `TooSmall`.
    fn save(&self, out: &mut [u8]) -> Result<usize, ImageError>;
}

macro_rules! save {
    ($($Machine:ty $(where T: $Tables:path)?),* $(,)?) => {$(
        impl$(<T: $Tables>)? Save for $Machine {
            fn image_len(&self) -> usize {
                <$Machine>::image_len(self)
            }
            fn save(&self, out: &mut [u8]) -> Result<usize, ImageError> {
                <$Machine>::save(self, out)
            }
        }
    )*};
}
save! {
    FrontEnd<T> where T: Tables,
    LaPerm<T> where T: gpusched::laperm::Tables,
    Dgb<T> where T: gpusched::dats::Tables,
    BubbleDvfs<T> where T: gpusched::power::Tables,
    equalizer::Sm,
    equalizer::Fm,
    Mascar<T> where T: gpusched::mascar::Tables,
    Apogee<T> where T: gpusched::apogee::Tables,
    tlp::TlpSm,
    tlp::Pool,
    tlp::LeftOver,
    tlp::SmartEven,
    tlp::Smc,
    Stack<T> where T: gpusched::simt::stack::Tables,
    Scoreboard<T> where T: gpusched::simt::scoreboard::Tables,
    Monte<T> where T: gpusched::models::monte::Tables,
    Catalogue<T> where T: gpusched::policy::catalogue::Tables,
}

/// A machine that the tests save, restore and judge.
pub trait Saved: Save + PartialEq + Debug + Sized {
    /// The machine of an image. That of a front end lies on tables of this one's size, so that a forged configuration takes no memory.
    ///
    /// # Errors
    /// As [`FrontEnd::restore`].
    fn restored(&self, image: &[u8]) -> Result<Self, ImageError>;
    /// Checks the invariants of the machine's sheet.
    ///
    /// # Errors
    /// The first that does not hold.
    fn holds(&self) -> Result<(), String>;
}

/// A machine's own word on its invariants.
///
/// # Errors
/// The first that does not hold, with the machine.
pub fn valid(machine: &impl Debug, word: Result<(), Violation>) -> Result<(), String> {
    word.map_err(|broken| format!("{broken}: {machine:?}"))
}

macro_rules! saved {
    ($($Machine:ty: $restored:expr, $holds:expr;)*) => {$(
        impl Saved for $Machine {
            fn restored(&self, image: &[u8]) -> Result<Self, ImageError> {
                let restored: fn(&Self, &[u8]) -> Result<Self, ImageError> = $restored;
                restored(self, image)
            }
            fn holds(&self) -> Result<(), String> {
                let holds: fn(&Self) -> Result<(), String> = $holds;
                holds(self)
            }
        }
    )*};
}
saved! {
    FrontEnd<HeapTables>: |m, image| FrontEnd::restore(image, tables(m.config())), invariants::check;
    Catalogue<gpusched_heap::catalogue::HeapTables>: |m, image| Self::restore(image, gpusched_heap::catalogue::tables(m.config())), |m| valid(m, m.validate());
    equalizer::Sm: |_, image| Self::restore(image), |m| valid(m, m.validate());
    equalizer::Fm: |_, image| Self::restore(image), |m| valid(m, m.validate());
    Unit: |m, image| Self::restore(m.kind(), image), |m| valid(m, m.validate());
}

/// Machines on tables of the size that their images say.
macro_rules! saved_on_the_heap {
    ($($Machine:ty: $tables:expr, $image_config:expr;)*) => {
        saved! {
            $($Machine: |_, image| Self::restore(image, $tables(&$image_config(image)?)), |m| valid(m, m.validate());)*
        }
    };
}
saved_on_the_heap! {
    LaPerm<laperm::heap::HeapTables>: laperm::heap::tables, gpusched::laperm::image_config;
    Dgb<dats::heap::HeapTables>: dats::heap::tables, gpusched::dats::dgb_image_config;
    BubbleDvfs<bubble::HeapTables>: bubble::tables, gpusched::power::bubble_image_config;
    Mascar<mascar::HeapTables>: mascar::tables, gpusched::mascar::mascar_image_config;
    Apogee<apogee::HeapTables>: apogee::tables, gpusched::apogee::apogee_image_config;
    Stack<stack::HeapTables>: stack::tables, gpusched::simt::stack::stack_image_config;
    Scoreboard<scoreboard::HeapTables>: scoreboard::tables, gpusched::simt::scoreboard::scoreboard_image_config;
    Monte<monte::HeapTables>: monte::tables, gpusched::models::monte::monte_image_config;
}

/// The same machine again, from its image.
///
/// # Errors
/// Why the image is refused, or in what the two differ.
pub fn again<M: Saved>(machine: &M) -> Result<M, String> {
    let saved = image(machine);
    let again =
        machine.restored(&saved).map_err(|error| format!("its own image is refused, {error:?}: {machine:?}"))?;
    if again != *machine {
        return Err(format!("its image makes another machine: {machine:?}\n{again:?}"));
    }
    if image(&again) == saved { Ok(again) } else { Err(format!("restored, it saves other bytes: {machine:?}")) }
}

/// Makes a call on a machine and on what its image makes: both answer alike and stand alike, and the sheet's invariants hold.
///
/// # Errors
/// What does not hold.
pub fn on_both<M: Saved, A: PartialEq + Debug>(machine: &mut M, call: impl Fn(&mut M) -> A) -> Result<A, String> {
    let mut other = again(machine)?;
    let (answer, from_image) = (call(machine), call(&mut other));
    if answer != from_image {
        return Err(format!("{answer:?}, from its image {from_image:?}"));
    }
    if other != *machine {
        return Err(format!("{answer:?} leads elsewhere from its image: {machine:?}\n{other:?}"));
    }
    machine.holds().map(|()| answer)
}

/// A machine's image.
///
/// # Panics
/// If the machine takes another number of bytes than it announced.
#[must_use]
pub fn image(machine: &impl Save) -> Vec<u8> {
    let mut image = vec![0xa5; machine.image_len()];
    assert_eq!(machine.save(&mut image), Ok(image.len()), "what `image_len` said");
    image
}

/// An image in the frame of another one with a body of somebody's making, whose length and checksum are right all the same.
#[must_use]
pub fn forged(like: &[u8], body: &[u8]) -> Vec<u8> {
    let mut forged = [&like[..HEADER - 4], &(body.len() as u32).to_le_bytes(), body].concat();
    let mut crc = Crc::new();
    crc.update(&forged);
    forged.extend(crc.sum().to_le_bytes());
    forged
}

/// The machine of an image, on tables on the heap.
///
/// # Errors
/// As [`FrontEnd::restore`].
pub fn on_heap(image: &[u8]) -> Result<FrontEnd<HeapTables>, ImageError> {
    FrontEnd::restore(image, tables(&gpusched::image_config(image)?))
}

/// The machine of an image, on inline tables.
///
/// # Errors
/// As [`FrontEnd::restore`].
pub fn inline<T: InlineTables>(image: &[u8]) -> Result<FrontEnd<T>, ImageError> {
    FrontEnd::restore(image, T::empty())
}

/// A change to a body.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Set(usize, u8),
    Flip(usize, u8),
    /// One more or one less.
    Step(usize, u8),
    Insert(usize, u8),
    Remove(usize),
    /// Copies a few bytes over others: numbers and whole rows appear twice.
    Copy(usize, usize, usize),
}

impl Edit {
    /// One that a random number says.
    fn of(number: u64) -> Self {
        let [kind, low, high, other, byte, ..] = number.to_le_bytes();
        let at = usize::from(u16::from_le_bytes([low, high]));
        match kind % 16 {
            // Mostly flags, small numbers and counts.
            0..=4 => Self::Set(at, byte % 9),
            5 | 6 => Self::Set(at, byte),
            7..=10 => Self::Step(at, if byte % 2 == 0 { 1 } else { u8::MAX }),
            11 | 12 => Self::Flip(at, 1 << (byte % 8)),
            13 => Self::Insert(at, byte % 9),
            14 => Self::Remove(at),
            _ => Self::Copy(at, usize::from(other), usize::from(byte % 40) + 1),
        }
    }

    fn make(self, body: &mut Vec<u8>) {
        let len = body.len();
        let (Self::Set(at, _)
        | Self::Flip(at, _)
        | Self::Step(at, _)
        | Self::Insert(at, _)
        | Self::Remove(at)
        | Self::Copy(at, ..)) = self;
        let at = at % len;
        match self {
            Self::Set(_, byte) => body[at] = byte,
            Self::Flip(_, bits) => body[at] ^= bits,
            Self::Step(_, by) => body[at] = body[at].wrapping_add(by),
            Self::Insert(_, byte) => body.insert(at, byte),
            Self::Remove(_) => drop(body.remove(at)),
            Self::Copy(_, to, n) => {
                let to = to % len;
                body.copy_within(at..at + n.min(len - at.max(to)), to);
            }
        }
    }
}

/// The machine of an image of somebody's making, whose checksum fits, unless it is refused.
///
/// # Panics
/// If it is refused as something other than content that no machine can have, or tables that are too small; or if it was accepted and
/// its own image is not.
fn accepted<M: Saved>(machine: &M, image_of: &[u8]) -> Option<M> {
    match machine.restored(image_of) {
        Ok(forged) => {
            // A forged configuration may be smaller: it goes to tables of its own size.
            let settled = forged.restored(&image(&forged));
            assert!(settled.is_ok(), "it was accepted, and its own image is not: {forged:?}");
            settled.ok()
        }
        Err(error) => {
            assert!(matches!(error, ImageError::Content | ImageError::Tables(_)), "{error:?}");
            None
        }
    }
}

/// The machine that an image makes after its body was edited as random numbers say, unless it is refused.
///
/// # Panics
/// As if a single number was forged: [`assert_forgery_is_harmless`].
pub fn forge<M: Saved>(machine: &M, edits: &[u64]) -> Option<M> {
    let good = image(machine);
    let mut body = good[HEADER..good.len() - CHECKSUM].to_vec();
    edits.iter().for_each(|&number| Edit::of(number).make(&mut body));
    accepted(machine, &forged(&good, &body))
}

/// Asserts that an image is in the common form, of this kind and version, and that the front end tells it from its own.
///
/// # Panics
/// If it is not.
pub fn assert_kind(image: &[u8], kind: u8, version: u8) {
    assert_eq!(image[..12], [&b"gpusched"[..], &[kind, 0, version, 0]].concat());
    assert_eq!(gpusched::image_config(image), Err(ImageError::WrongKind));
}

/// Asserts that an image makes the same machine again after it was one on tables of another home, and the same bytes there.
///
/// # Panics
/// If it does not.
pub fn assert_moves<M, N>(
    machine: &M,
    elsewhere: impl Fn(&[u8]) -> Result<N, ImageError>,
    restored: impl Fn(&[u8]) -> Result<M, ImageError>,
) where
    M: Save + PartialEq,
    N: Save + Debug,
{
    let first = image(machine);
    let again = image(&elsewhere(&first).expect("its image is good"));
    assert_eq!(again, first);
    assert!(restored(&again).as_ref() == Ok(machine));
}

/// Asserts that an image makes the machine again, and nothing else does: what is cut off, changed in any byte or followed by another
/// one is refused, as is too small a buffer.
///
/// # Panics
/// If something else does.
pub fn assert_damage_is_refused<M: Save + PartialEq>(machine: &M, restored: impl Fn(&[u8]) -> Result<M, ImageError>) {
    let good = image(machine);
    assert!(restored(&good).as_ref() == Ok(machine));
    for len in 0..good.len() {
        assert_eq!(restored(&good[..len]).err(), Some(ImageError::Truncated), "{len} bytes");
        assert_eq!(machine.save(&mut vec![0; len]), Err(ImageError::TooSmall { need: good.len() }));
    }
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        assert!(restored(&bad).is_err(), "byte {at}");
    }
    assert_eq!(restored(&[&good[..], &[0]].concat()).err(), Some(ImageError::Corrupted));
}

/// Asserts that a machine's image is that of yesterday, a file of `tests/images/`, which makes the machine today. If this fails, the
/// form has changed: count up the version in the machine's `image.rs`, and check in today's image, which is in `scratch` then, beside
/// the old one. What older versions wrote is told apart from damage.
///
/// # Panics
/// If it is another one.
pub fn assert_is_stored<M: Save + PartialEq>(
    machine: &M,
    file: &str,
    scratch: &str,
    restored: impl Fn(&[u8]) -> Result<M, ImageError>,
) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/images");
    let stored = std::fs::read(format!("{folder}/{file}")).unwrap_or_default();
    let now = image(machine);
    if now != stored {
        std::fs::write(format!("{scratch}/{file}"), &now).expect("a scratch folder");
    }
    assert!(now == stored, "the form has changed; today's image is {scratch}/{file}");
    assert!(restored(&stored).as_ref() == Ok(machine));
    let version = u16::from(stored[10]);
    for found in 1..version {
        let older = file.replace(&format!("-v{version}."), &format!("-v{found}."));
        let older = std::fs::read(format!("{folder}/{older}")).expect("older images are kept");
        assert_eq!(restored(&older).err(), Some(ImageError::WrongVersion { found }));
    }
}

/// Asserts that whatever single byte of a body is any of these numbers, the image is refused or makes a machine that keeps the sheet's
/// invariants, is made again by its own image, and `bears` what is done to it; and that more than half are refused.
///
/// # Panics
/// If it does not.
pub fn assert_forgery_is_harmless<M: Saved>(
    machine: &M,
    numbers: impl IntoIterator<Item = u8> + Clone,
    bears: impl Fn(M) -> Result<(), String>,
) {
    let good = image(machine);
    let body = &good[HEADER..good.len() - CHECKSUM];
    let (mut tried, mut refused) = (0, 0);
    for (at, byte) in (0..body.len()).flat_map(|at| numbers.clone().into_iter().map(move |byte| (at, byte))) {
        let mut body = body.to_vec();
        body[at] = byte;
        tried += 1;
        match accepted(machine, &forged(&good, &body)) {
            Some(machine) => {
                let borne = machine.holds().and_then(|()| again(&machine)).and_then(&bears);
                assert_eq!(borne, Ok(()), "byte {at} = {byte}");
            }
            None => refused += 1,
        }
    }
    assert!(refused > tried / 2, "{refused} of {tried} forged images are refused");
}
