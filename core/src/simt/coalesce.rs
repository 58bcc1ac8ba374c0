//! The coalescer: memory transactions of a warp's access (`models` C; 1.4.3 of the source).
//!
//! # What it models
//! Each active lane asks for some bytes. Memory delivers whole segments: one transaction per segment that any lane touches, or, before
//! compute version 1.2, one per lane unless the lanes ask for a sequence that begins at a segment.
//!
//! # Who drives it
//! A host's load/store unit, with the mask and the addresses of each instruction:
//!
//! ```
//! use gpusched::simt::coalesce::{Coalescer, CoalescerConfig, Segment, Segments};
//!
//! let coalescer = Coalescer::new(&CoalescerConfig { segment: 64, ..CoalescerConfig::WARP_32 })?;
//! let words: [u64; 32] = core::array::from_fn(|lane| 4096 + 4 * lane as u64);
//! let mut segments = Segments::default();
//! assert!(coalescer.access(u64::from(u32::MAX), &words, 4, &mut segments)?);
//! let halves = [Segment { base: 4096, lanes: 0x0000_ffff }, Segment { base: 4160, lanes: 0xffff_0000 }];
//! assert_eq!(segments.as_slice(), halves);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::fmt;

use crate::base::error::Fault;
use crate::base::parameter::{self, ConfigError, choice, parameters};

choice! {
    /// How accesses become transactions.
    pub enum CoalesceMode {
        /// One transaction per segment.
        #[default]
        Combine,
        /// As before compute version 1.2: one per segment if lanes are in sequence, else one per lane.
        Legacy,
    }
}

parameters! {
    /// Parameters of a [`Coalescer`]. `Default` is a warp of 32 lanes and lines of 128 bytes.
    pub struct CoalescerConfig;
    /// A warp of 32 lanes and lines of 128 bytes.
    pub const WARP_32;
    numbers {
        /// Lanes of the warp.
        lanes: "lanes" = 32 in 1..=64, Public "CUDA: a warp has 32 threads";
        /// Bytes of a transaction.
        segment: "bytes" = 128 in 16..=4096 (power_of_two), Paper "1.4.3: 32, 64 or 128";
    }
    choices {
        /// How accesses become transactions.
        mode: CoalesceMode = CoalesceMode::Combine;
        /// Whether a lane may ask for bytes that do not begin at a multiple of their number.
        allow_misaligned: bool = false;
    }
}

impl CoalescerConfig {
    /// Checks every range.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())
    }
}

/// Transactions of an access at most: 64 lanes that touch two segments each.
pub const MAX_SEGMENTS: usize = 128;

/// A transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Segment {
    /// Address of its first byte.
    pub base: u64,
    /// Lanes that it serves.
    pub lanes: u64,
}

/// The transactions of an access, in the order of first touch.
#[derive(Clone)]
pub struct Segments {
    list: [Segment; MAX_SEGMENTS],
    len: u8,
}

impl Segments {
    /// No transactions.
    pub const EMPTY: Self = Self { list: [Segment { base: 0, lanes: 0 }; MAX_SEGMENTS], len: 0 };

    /// The transactions.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[Segment] {
        self.list.get(..self.len.into()).unwrap_or_default()
    }

    /// One more, and its number.
    #[inline]
    fn push(&mut self, segment: Segment) -> u8 {
        let at = self.len;
        if let Some(to) = self.list.get_mut(usize::from(at)) {
            *to = segment;
            self.len += 1;
        }
        at
    }
}

impl Default for Segments {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl fmt::Debug for Segments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl PartialEq for Segments {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Segments {}

/// Is told which bytes of which transaction each lane touches. A host that counts parts of a segment (sectors) brings one; `()` hears
/// nothing.
pub trait TouchProbe {
    /// A lane touches bytes `from..=to` of transaction number `transaction`, counted from the segment's first byte.
    #[inline]
    fn touched(&mut self, transaction: u8, from: u32, to: u32) {
        let _ = (transaction, from, to);
    }
}

impl TouchProbe for () {}

/// A coalescer. It has no state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coalescer {
    config: CoalescerConfig,
}

impl Coalescer {
    /// A coalescer.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn new(config: &CoalescerConfig) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self { config: *config })
    }

    /// Its configuration.
    #[must_use]
    pub fn config(&self) -> &CoalescerConfig {
        &self.config
    }

    /// The transactions of an access of `size` bytes per active lane, which replace those in `segments`; whether it is coalesced.
    ///
    /// # Errors
    /// `BadMask` if a lane is active that there is not; `BadSize`; `BadArg` unless there is an address per lane; for the first active
    /// lane with either, `AddressWrap` or `Misaligned`. Then `segments` is as before.
    pub fn access(&self, mask: u64, addresses: &[u64], size: u32, segments: &mut Segments) -> Result<bool, Fault> {
        self.access_and_tell(mask, addresses, size, segments, &mut ())
    }

    /// As [`Coalescer::access`], and tells which bytes are touched.
    ///
    /// # Errors
    /// Those of [`Coalescer::access`].
    #[inline]
    pub fn access_and_tell(
        &self,
        mask: u64,
        addresses: &[u64],
        size: u32,
        segments: &mut Segments,
        probe: &mut impl TouchProbe,
    ) -> Result<bool, Fault> {
        self.check(mask, addresses, size)?;
        let size = u64::from(size);
        let coalesced = match self.config.mode {
            CoalesceMode::Combine => true,
            CoalesceMode::Legacy => self.is_sequence(mask, addresses, size),
        };
        segments.len = 0;
        let shift = self.config.segment.trailing_zeros();
        if coalesced {
            let mut merged = Merged::new(segments, shift);
            each(mask, addresses, size, shift, |lane, segment, from, to| {
                let at = merged.touch(lane, segment);
                probe.touched(at, from, to);
            });
            merged.close();
        } else {
            // models-C2: a transaction for each lane alone.
            each(mask, addresses, size, shift, |lane, segment, from, to| {
                let at = segments.push(Segment { base: segment << shift, lanes: 1 << lane });
                probe.touched(at, from, to);
            });
        }
        Ok(coalesced)
    }

    fn check(&self, mask: u64, addresses: &[u64], size: u32) -> Result<(), Fault> {
        let CoalescerConfig { lanes, allow_misaligned, .. } = self.config;
        if lanes < 64 && mask >> lanes != 0 {
            return Err(Fault::BadMask);
        }
        if !matches!(size, 1 | 2 | 4 | 8 | 16) {
            return Err(Fault::BadSize);
        }
        if addresses.len() != lanes as usize {
            return Err(Fault::BadArg);
        }
        let last = u64::from(size - 1);
        // All lanes at once, those that are not active too: what is aligned does not wrap either.
        if addresses.iter().fold(0, |all, address| all | address) & last == 0 {
            return Ok(());
        }
        for address in active(mask, addresses).map(|(_, address)| address) {
            if address > u64::MAX - last {
                return Err(Fault::AddressWrap);
            }
            if !allow_misaligned && address & last != 0 {
                return Err(Fault::Misaligned);
            }
        }
        Ok(())
    }

    /// models-C2: whether active lane i asks for the i-th place behind a segment's first byte (models-A11).
    fn is_sequence(&self, mask: u64, addresses: &[u64], size: u64) -> bool {
        let mut lanes = active(mask, addresses);
        let Some((first, address)) = lanes.next() else { return true };
        let base = address.checked_sub(u64::from(first) * size);
        base.is_some_and(|base| {
            base.trailing_zeros() >= self.config.segment.trailing_zeros()
                && lanes.all(|(lane, address)| base.checked_add(u64::from(lane) * size) == Some(address))
        })
    }
}

/// The active lanes, lowest first, with their addresses.
#[inline]
fn active(mask: u64, addresses: &[u64]) -> impl Iterator<Item = (u32, u64)> {
    let mut left = mask;
    core::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let lane = left.trailing_zeros();
        left &= left - 1;
        Some((lane, addresses.get(lane as usize).copied().unwrap_or_default()))
    })
}

/// Every segment that an active lane touches: lane, number of the segment, first and last byte in it. That of the last byte is another
/// one only if the access is misaligned.
#[inline]
fn each(mask: u64, addresses: &[u64], size: u64, shift: u32, mut touch: impl FnMut(u32, u64, u32, u32)) {
    let within = (1_u64 << shift) - 1;
    for (lane, first) in active(mask, addresses) {
        let last = first + (size - 1);
        let (segment, last_segment) = (first >> shift, last >> shift);
        let (from, to) = ((first & within) as u32, (last & within) as u32);
        if segment == last_segment {
            touch(lane, segment, from, to);
        } else {
            touch(lane, segment, from, within as u32);
            touch(lane, last_segment, 0, to);
        }
    }
}

/// models-C1: a transaction per segment, in the order of first touch. Mostly a lane touches the segment of the lane before it, so that
/// one is kept open; any other one is found in a hash table of places in the list. There are no more segments than buckets.
struct Merged<'a> {
    segments: &'a mut Segments,
    shift: u32,
    buckets: [u8; MAX_SEGMENTS],
    /// The segment touched last: its number, its place, and lanes that its transaction is still to be told of.
    open: u64,
    at: u8,
    lanes: u64,
}

/// No place of the list.
const NONE: u8 = u8::MAX;

impl<'a> Merged<'a> {
    #[inline]
    fn new(segments: &'a mut Segments, shift: u32) -> Self {
        // No segment has the number.
        Self { segments, shift, buckets: [NONE; MAX_SEGMENTS], open: u64::MAX, at: NONE, lanes: 0 }
    }

    /// A lane touches a segment. The place of its transaction.
    #[inline]
    fn touch(&mut self, lane: u32, segment: u64) -> u8 {
        if segment != self.open {
            self.close();
            (self.open, self.at, self.lanes) = (segment, self.find_or_add(segment), 0);
        }
        self.lanes |= 1 << lane;
        self.at
    }

    /// Tells the open transaction of its lanes.
    #[inline]
    fn close(&mut self) {
        if let Some(known) = self.segments.list.get_mut(usize::from(self.at)) {
            known.lanes |= self.lanes;
        }
    }

    /// The place of a segment in the list, at the end of it if it is new.
    #[inline]
    fn find_or_add(&mut self, segment: u64) -> u8 {
        let base = segment << self.shift;
        // The upper bits of the product depend on all bits of the number.
        let mut bucket = (segment.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57) as usize;
        for _ in 0..MAX_SEGMENTS {
            match self.buckets.get_mut(bucket) {
                Some(free) if *free == NONE => {
                    *free = self.segments.push(Segment { base, lanes: 0 });
                    return *free;
                }
                Some(&mut known)
                    if self.segments.list.get(usize::from(known)).is_some_and(|known| known.base == base) =>
                {
                    return known;
                }
                _ => bucket = (bucket + 1) % MAX_SEGMENTS,
            }
        }
        NONE
    }
}
