//! What the seam at which the host is the policy has in C by other rules than all: names of offers, keys of units.

use gpusched::{KernelSlot, OfferId, PieceId, RecordId, UnitKey};

use crate::GPUSCHED_NEVER;
use crate::convert::{FromC, ToC, from_c};

/// Offers below this number are named by their kernel distributor entry; of a group that is offered by itself (told_units free) the
/// number is this and its launch record.
pub const GPUSCHED_OFFER_RECORD: u32 = 256;

/// Offers from this number on are pieces that gpusched_frontend_split has made: the number is this and the piece's row.
pub const GPUSCHED_OFFER_PIECE: u32 = 0x8000_0000;

/// When a unit became visible, and its number: no two units share it, and both only grow. Both are GPUSCHED_NEVER if there is no unit.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_unit_key {
    /// The cycle.
    pub ready: u64,
    /// The number, from 0.
    pub no: u64,
}

impl gpusched_unit_key {
    /// That of no unit.
    pub const fn none() -> Self {
        Self { ready: GPUSCHED_NEVER, no: GPUSCHED_NEVER }
    }
}

impl ToC for OfferId {
    type C = u32;

    #[inline]
    fn to_c(&self) -> u32 {
        match *self {
            Self::Entry(entry) => entry.0.into(),
            Self::Record(record) => GPUSCHED_OFFER_RECORD.saturating_add(record.0),
            Self::Piece(piece) => GPUSCHED_OFFER_PIECE + u32::from(piece.0),
        }
    }
}

impl FromC for OfferId {
    type C = u32;

    #[inline]
    fn from_c(c: u32) -> Self {
        if let Some(piece) = c.checked_sub(GPUSCHED_OFFER_PIECE) {
            // What no row can have is named by the last number, which none has.
            return Self::Piece(PieceId(piece.try_into().unwrap_or(u16::MAX)));
        }
        match c.checked_sub(GPUSCHED_OFFER_RECORD) {
            Some(record) => Self::Record(RecordId(record)),
            None => Self::Entry(KernelSlot(c as u8)),
        }
    }
}

impl ToC for UnitKey {
    type C = gpusched_unit_key;

    #[inline]
    fn to_c(&self) -> gpusched_unit_key {
        gpusched_unit_key { ready: self.ready.to_c(), no: self.no }
    }
}

impl ToC for Option<UnitKey> {
    type C = gpusched_unit_key;

    #[inline]
    fn to_c(&self) -> gpusched_unit_key {
        self.map_or(gpusched_unit_key::none(), |key| key.to_c())
    }
}

impl FromC for UnitKey {
    type C = gpusched_unit_key;

    #[inline]
    fn from_c(c: gpusched_unit_key) -> Self {
        Self { ready: from_c(c.ready), no: c.no }
    }
}

impl FromC for Option<UnitKey> {
    type C = gpusched_unit_key;

    #[inline]
    fn from_c(c: gpusched_unit_key) -> Self {
        (c.no != GPUSCHED_NEVER).then(|| from_c(c))
    }
}
