//! What holds of pieces between two calls (policy-I7).

use super::{Piece, Pieces};
use crate::base::id::PieceId;
use crate::base::invariant::{Violation, invariant};
use crate::base::table::Rows;
use crate::policy::seam::units::UnitRow;

impl<P: Rows<Piece>, M: Rows<u64>> Pieces<P, M> {
    /// Each piece is in its row, and no row is lost.
    pub(crate) fn validate(&self) -> Result<(), Violation> {
        let Self { rows, free } = self;
        let here = rows.iter().filter(|(_, piece)| piece.is_here()).count();
        invariant("pieces are counted (policy-I7)", here == free.in_use() as usize)?;
        let agrees = |(p, piece): (PieceId, &Piece)| {
            if piece.is_here() { !free.is_free(p) && piece.next < piece.hi } else { *piece == Piece::default() }
        };
        invariant("a piece has TBs, or its row is free (policy-I7)", rows.iter().all(agrees))
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.free.in_use()
    }

    /// The pieces of a unit, of which it has kept the TBs up to `end`: how many, and where the last one ends. Each is linked with its
    /// neighbours, and has TBs behind those of the one before.
    pub(crate) fn validate_chain(
        &self,
        unit: UnitRow,
        first: Option<PieceId>,
        mut end: u32,
    ) -> Result<(u32, u32), Violation> {
        let (mut at, mut before, mut count) = (first, None, 0);
        while let Some(p) = at {
            let piece = self.piece(p).copied().unwrap_or_default();
            let is_its = piece.unit == unit.0 && piece.before == before && end <= piece.next && piece.next < piece.hi;
            invariant("pieces of a unit follow each other, apart from each other (policy-I7)", is_its)?;
            (end, before, at) = (piece.hi, at, piece.behind);
            count += 1;
        }
        Ok((count, end))
    }
}
