//! Images of machines, and machines from images; and what is tested of the images of every machine alike.

use std::fmt::Debug;

use flate2::Crc;
use gpusched::apogee::Apogee;
use gpusched::dats::Dgb;
use gpusched::laperm::LaPerm;
use gpusched::mascar::Mascar;
use gpusched::models::monte::Monte;
use gpusched::power::BubbleDvfs;
use gpusched::simt::scoreboard::Scoreboard;
use gpusched::simt::stack::Stack;
use gpusched::{FrontEnd, ImageError, InlineTables, Tables, equalizer, tlp};
use gpusched_heap::{HeapTables, tables};

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

/// Asserts that an image is in the common form, of this kind in version 1, and that the front end tells it from its own.
///
/// # Panics
/// If it is not.
pub fn assert_kind(image: &[u8], kind: u8) {
    assert_eq!(image[..12], [&b"gpusched"[..], &[kind, 0, 1, 0]].concat());
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
/// the old one.
///
/// # Panics
/// If it is another one.
pub fn assert_is_stored<M: Save + PartialEq>(
    machine: &M,
    file: &str,
    scratch: &str,
    restored: impl Fn(&[u8]) -> Result<M, ImageError>,
) {
    let stored = std::fs::read(format!("{}/tests/images/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap_or_default();
    let now = image(machine);
    if now != stored {
        std::fs::write(format!("{scratch}/{file}"), &now).expect("a scratch folder");
    }
    assert!(now == stored, "the form has changed; today's image is {scratch}/{file}");
    assert!(restored(&stored).as_ref() == Ok(machine));
}

/// The machine that an image makes after its body was edited, here and there to be another byte, unless it is refused: a machine like
/// others, which its own image makes again.
///
/// # Panics
/// If it is refused as something other than content that no machine can have, or is no such machine.
pub fn forge<M: Save + PartialEq>(
    good: &[u8],
    edits: &[(usize, u8)],
    restored: impl Fn(&[u8]) -> Result<M, ImageError>,
) -> Option<M> {
    let mut body = good[HEADER..good.len() - CHECKSUM].to_vec();
    for (at, byte) in edits {
        let at = at % body.len();
        body[at] = *byte;
    }
    match restored(&forged(good, &body)) {
        Err(error) => {
            assert_eq!(error, ImageError::Content, "{edits:?}");
            None
        }
        Ok(machine) => {
            assert!(restored(&image(&machine)).as_ref() == Ok(&machine), "its image is another machine, {edits:?}");
            Some(machine)
        }
    }
}

/// Asserts that whatever single byte of a body is any of these numbers, the image is refused or makes a machine that `bears` what is
/// done to it; and that more than half are refused.
///
/// # Panics
/// If it does not.
pub fn assert_forgery_is_harmless<M: Save + PartialEq>(
    good: &[u8],
    numbers: impl IntoIterator<Item = u8> + Clone,
    restored: impl Fn(&[u8]) -> Result<M, ImageError>,
    bears: impl Fn(M) -> Result<(), String>,
) {
    let bytes = good.len() - HEADER - CHECKSUM;
    let (mut tried, mut refused) = (0, 0);
    for (at, byte) in (0..bytes).flat_map(|at| numbers.clone().into_iter().map(move |byte| (at, byte))) {
        tried += 1;
        match forge(good, &[(at, byte)], &restored) {
            Some(machine) => assert_eq!(bears(machine), Ok(()), "byte {at} = {byte}"),
            None => refused += 1,
        }
    }
    assert!(refused > tried / 2, "{refused} of {tried} forged images are refused");
}
