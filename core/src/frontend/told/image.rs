//! The seam's part of a front end's image.

use crate::base::id::KernelSlot;
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::saved::Saved;
use crate::frontend::FrontEnd;
use crate::frontend::tables::{Tables, held_units};
use crate::policy::seam::units;

impl<T: Tables> FrontEnd<T> {
    pub(crate) fn save_told(&self, w: &mut Writer<'_>) {
        if let Some(told) = self.told.as_ref() {
            told.save(w);
        }
    }

    /// Loads the seam of a machine that has its kernels, groups and TBs, and counts the units in line in their kernels' entries.
    pub(crate) fn load_told(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let Some(told) = self.told.as_mut() else { return Ok(()) };
        told.load(r)?;
        // A forged line may go round in a circle.
        for row in told.units.line().take(units::rows(&self.board.config)) {
            possible(row.0 < held_units(&self.board.config))?;
            let k = match told.units.record(row) {
                None => KernelSlot(row.0 as u8),
                Some(r) => self.board.records.get(r).group().ok_or(ImageError::Content)?.kernel,
            };
            self.board.kd.get_mut(k).pend += 1;
        }
        Ok(())
    }
}
