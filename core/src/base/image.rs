//! Images: a machine's whole state as bytes, from which it goes on later, elsewhere, on another target (feature `image`).
//!
//! A simulator that makes checkpoints saves with [`FrontEnd::save`](crate::FrontEnd::save) and restores with
//! [`FrontEnd::restore`](crate::FrontEnd::restore), on tables that [`image_config`](crate::image_config) tells it to size:
//!
//! ```
//! use gpusched::{Config, Descriptor, Dim3, FrontEnd, InlineTables, image_config, inline_tables};
//!
//! const SMALL: Config = Config { pend_limit: 64, hwq_depth: 4, ..Config::K20C };
//! inline_tables! {
//!     struct Small = SMALL;
//! }
//! let mut gpu = FrontEnd::<Small>::new(&SMALL)?;
//! gpu.host_launch(0, &Descriptor { grid: Dim3::linear(4), tb: Dim3::linear(64), ..Descriptor::default() }, false)?;
//! let mut image = vec![0; gpu.image_len()];
//! gpu.save(&mut image)?;
//!
//! assert_eq!(image_config(&image)?, SMALL);
//! let mut restored = FrontEnd::restore(&image, Small::empty())?;
//! assert_eq!(restored, gpu);
//! assert_eq!(restored.run(1000, &mut ()), gpu.run(1000, &mut ()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Form
//! | bytes | what |
//! |---|---|
//! | 0..8 | `gpusched` |
//! | 8..10 | kind of machine: 1 is the front end, 2 LaPerm alone, 3 the occupancy-bubble machine, 4 the dependency-graph buffer, 10 and 11 Equalizer, 12 Mascar, 13 APOGEE, 14 to 18 the units of TLP modulation, 19 a reconvergence stack, 20 a scoreboard, 21 runs of the stochastic memory hierarchy, 22 a policy of the catalogue, 23 a front end with a policy of one's own |
//! | 10..12 | version of that kind's form |
//! | 12..16 | length of the body |
//! | body | the configuration, then the state, in postcard's encoding |
//! | last 4 | CRC-32 (that of zlib and Ethernet) of everything before |
//!
//! Numbers of the frame are little-endian; the body is made of variable-length numbers. Neither knows the target, its word size
//! or where tables lie. An image is exactly this long: bytes behind it are refused as damage.
//!
//! # What is in a body
//! The state of a machine, field by field as its types say: of a table the rows in use, each behind its number, so empty tables cost
//! nothing. What the configuration or other fields say is left out where it is much, such as indexes and links, and computed when a
//! machine is restored; where it is little, such as a count, it is written, too. Restoring ends with the machine's own `validate`, the
//! one place where its invariants are said. The front end still says what it writes, and checks it as it reads.
//!
//! # What is promised
//! - **A checkpoint.** What a machine saves, at any time, is accepted. It makes an equal machine, which goes on as the saved one does and
//!   saves the same bytes. Random histories of every machine hold this at every call.
//! - **Damage is found**, as far as a checksum of 32 bits finds it.
//! - **Forgery does no harm.** An image that somebody made, with a checksum that fits, is refused as
//!   [`Content`](ImageError::Content), or it makes a machine that keeps the invariants of its sheet that are about one state. Such
//!   a machine takes every call: none panics, none is endless, and what it saves later is accepted again. Images of every machine that
//!   are changed here and there hold this.
//!
//! What only the past of a machine tells is beyond an image, and is taken as the image says it:
//!
//! - Invariants of a whole run. Of a grid no more TBs reside than were sent, and none has a number that was not, but two may have the
//!   same one; what was lost before the image is lost (dtbl-I10, dtbl-I11, frontend-I3, frontend-I10). Then decisions tell twice, or
//!   never, of a TB; a host that counts them will notice.
//! - Caps and targets that changed: TBs above them stay and drain (frontend-I8, tlp-I5).
//! - What the host handed in: program counters, parameters, tags, addresses, when a launch was called, hints.
//! - Statistics and energy, but for what must fit the state beside them.
//! - Memory that the host keeps: nodes and edges of a graph that are not on chip. They are checked when they land (dats-N1, dats-E1).
//!
//! Counters of 64 bits that only grow are below 2^63 in an image.
//!
//! The serde implementations of rows are this form and nothing else: computed fields are left out.
//!
//! # For the next mechanism
//! Derive `Serialize` and `Deserialize` on its rows (with `serde(skip)` on what is computed). `saved!` makes what has tables `Saved`: it
//! names each field once, so that a new field does not compile until somebody has decided what becomes of it. Give it a
//! `Form` of its own, a `validate` that is said of the whole state and not of what changed, and if something is computed a method that
//! does so; `image_verbs!` gives it the verbs. **Whoever changes what is written counts up the version.**

use core::fmt;

use postcard::Deserializer;
use postcard::de_flavors::Slice;
use postcard::ser_flavors::Flavor;
use serde::{Deserialize, Serialize};

use crate::base::home::TableTooSmall;
use crate::base::invariant::Violation;
use crate::base::saved::Saved;

const MAGIC: &[u8; 8] = b"gpusched";
const HEADER: usize = 16;
const CHECKSUM: usize = 4;
static CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);

/// Why an image was not written or not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ImageError {
    /// Saving: the buffer is smaller than [`FrontEnd::image_len`](crate::FrontEnd::image_len).
    TooSmall {
        /// Bytes that the image takes.
        need: usize,
    },
    /// Saving: a cycle was begun and has not ended (policy-P2).
    MidCycle,
    /// The image ends too early.
    Truncated,
    /// This is no image: it does not begin as one.
    NotAnImage,
    /// An image of another kind of machine.
    WrongKind,
    /// An image in another version of the form.
    WrongVersion {
        /// The image's version.
        found: u16,
    },
    /// The image was damaged: its checksum is wrong, or something follows it.
    Corrupted,
    /// The image is whole, but no machine can be in the state that it describes.
    Content,
    /// Restoring: the tables are smaller than the configuration needs.
    Tables(TableTooSmall),
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSmall { need } => write!(f, "the image takes {need} bytes"),
            Self::MidCycle => f.write_str(crate::base::error::Fault::MidCycle.text()),
            Self::Truncated => f.write_str("the image ends too early"),
            Self::NotAnImage => f.write_str("not an image of a machine"),
            Self::WrongKind => f.write_str("an image of another kind of machine"),
            Self::WrongVersion { found } => {
                write!(f, "an image in version {found} of its form, which is not supported")
            }
            Self::Corrupted => f.write_str("the image is damaged"),
            Self::Content => f.write_str("no machine can be in the state of this image"),
            Self::Tables(e) => e.fmt(f),
        }
    }
}

impl core::error::Error for ImageError {}

/// [`ImageError::Content`] unless `holds`.
pub(crate) fn possible(holds: bool) -> Result<(), ImageError> {
    if holds { Ok(()) } else { Err(ImageError::Content) }
}

/// [`ImageError::Content`] if a machine that counts to `n` could come to the end of its counter: none lives that long.
pub(crate) fn countable(n: u64) -> Result<(), ImageError> {
    possible(n >> 63 == 0)
}

impl From<Violation> for ImageError {
    fn from(_: Violation) -> Self {
        Self::Content
    }
}

/// Which machine's image, in which version.
pub(crate) struct Form {
    pub(crate) kind: u16,
    pub(crate) version: u16,
}

impl Form {
    /// Writes an image into `out` and says how many bytes it takes. If that is more than `out` has, what `out` holds is no image.
    pub(crate) fn write(&self, out: &mut [u8], body: impl FnOnce(&mut Writer<'_>)) -> usize {
        let mut writer = Writer(postcard::Serializer { output: Sink { out, len: HEADER } });
        body(&mut writer);
        let Sink { out, len: end } = writer.0.output;
        // The largest configuration's body stays below 2^30 bytes.
        let length = (end - HEADER) as u32;
        if let Some((image, rest)) = out.split_at_mut_checked(end)
            && let Some((header, _)) = image.split_first_chunk_mut()
            && let Some(checksum) = rest.first_chunk_mut()
        {
            *header = self.header(length);
            *checksum = CRC.checksum(image).to_le_bytes();
        }
        end + CHECKSUM
    }

    /// As [`Form::write`].
    ///
    /// # Errors
    /// `TooSmall`.
    pub(crate) fn save(&self, out: &mut [u8], body: impl FnOnce(&mut Writer<'_>)) -> Result<usize, ImageError> {
        let need = self.write(out, body);
        if need <= out.len() { Ok(need) } else { Err(ImageError::TooSmall { need }) }
    }

    fn header(&self, length: u32) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        let fields = [&MAGIC[..], &self.kind.to_le_bytes(), &self.version.to_le_bytes(), &length.to_le_bytes()];
        header.iter_mut().zip(fields.into_iter().flatten()).for_each(|(to, from)| *to = *from);
        header
    }

    /// Checks everything about an image but its content, which is left to be read.
    pub(crate) fn open<'a>(&self, image: &'a [u8]) -> Result<Reader<'a>, ImageError> {
        if !image.iter().zip(MAGIC).all(|(a, b)| a == b) {
            return Err(ImageError::NotAnImage);
        }
        let (header, rest) = image.split_first_chunk::<HEADER>().ok_or(ImageError::Truncated)?;
        let [.., k0, k1, v0, v1, l0, l1, l2, l3] = *header;
        if u16::from_le_bytes([k0, k1]) != self.kind {
            return Err(ImageError::WrongKind);
        }
        let found = u16::from_le_bytes([v0, v1]);
        if found != self.version {
            return Err(ImageError::WrongVersion { found });
        }
        let length = usize::try_from(u32::from_le_bytes([l0, l1, l2, l3])).map_err(|_| ImageError::Truncated)?;
        let (body, checksum) = rest.split_at_checked(length).ok_or(ImageError::Truncated)?;
        let (&checksum, behind) = checksum.split_first_chunk().ok_or(ImageError::Truncated)?;
        let mut crc = CRC.digest();
        crc.update(header);
        crc.update(body);
        if !behind.is_empty() || crc.finalize() != u32::from_le_bytes(checksum) {
            return Err(ImageError::Corrupted);
        }
        Ok(Reader(Deserializer::from_bytes(body)))
    }
}

/// Writes as far as there is room, and counts all the same.
struct Sink<'a> {
    out: &'a mut [u8],
    len: usize,
}

impl Flavor for Sink<'_> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        if let Some(to) = self.out.get_mut(self.len) {
            *to = byte;
        }
        self.len += 1;
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

/// A body being written.
pub(crate) struct Writer<'a>(postcard::Serializer<Sink<'a>>);

impl Writer<'_> {
    /// Writes one value.
    pub(crate) fn put(&mut self, value: impl Serialize) {
        // Only a sink without room, or a sequence of unknown length, could make this fail; there is neither.
        let _ = value.serialize(&mut self.0);
    }

    /// Writes a machine and its configuration.
    pub(crate) fn machine(&mut self, config: &impl Serialize, machine: &impl Saved) {
        self.put(config);
        machine.save(self);
    }

    /// Writes values of which nobody has to know the number.
    pub(crate) fn list(&mut self, values: impl Iterator<Item: Serialize>) {
        values.for_each(|value| self.put(Some(value)));
        self.put(None::<()>);
    }
}

/// A body being read.
pub(crate) struct Reader<'a>(Deserializer<'a, Slice<'a>>);

impl<'a> Reader<'a> {
    /// Reads one value.
    pub(crate) fn get<V: Deserialize<'a>>(&mut self) -> Result<V, ImageError> {
        V::deserialize(&mut self.0).map_err(|_| ImageError::Content)
    }

    /// Reads a configuration, which must be one that a machine can have.
    pub(crate) fn config<C: Deserialize<'a>, E>(
        &mut self,
        check: impl Fn(&C) -> Result<(), E>,
    ) -> Result<C, ImageError> {
        let config = self.get()?;
        possible(check(&config).is_ok())?;
        Ok(config)
    }

    /// The next value of a list.
    pub(crate) fn next<V: Deserialize<'a>>(&mut self) -> Result<Option<V>, ImageError> {
        self.get()
    }

    /// Makes sure that all was read.
    pub(crate) fn finish(self) -> Result<(), ImageError> {
        possible(self.0.finalize().is_ok_and(<[u8]>::is_empty))
    }
}
