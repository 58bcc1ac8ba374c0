//! Images of pieces.

use super::{Piece, Pieces};
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::saved::Saved;
use crate::base::table::Rows;

impl<P: Rows<Piece>, M: Rows<u64>> Saved for Pieces<P, M> {
    fn save(&self, w: &mut Writer<'_>) {
        let Self { rows, free: _ } = self;
        rows.save(w);
    }

    /// Which rows are free follows from what is in them.
    fn load(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        self.rows.load(r)?;
        for (p, _) in self.rows.iter().filter(|(_, piece)| piece.is_here()) {
            possible(self.free.is_free(p))?;
            self.free.claim(p);
        }
        Ok(())
    }
}
