//! The image of a scoreboard. The form is described in `image.rs` of the crate; counts follow from the registers.

use super::config::ScoreboardConfig;
use super::tables::{TableSet, TableSizes, Tables};
use super::{Scoreboard, WarpId, WarpRegs};
use crate::base::image::{Form, ImageError, Reader, Writer, image_verbs, possible};
use crate::base::set::IdSet;

const FORM: Form = Form { kind: 20, version: 1 };

image_verbs!(Scoreboard, ScoreboardConfig, scoreboard_image_config);

impl<T: Tables> Scoreboard<T> {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, warps, mem_in_flight: _ } = self;
        w.put(config);
        for warp in 0..config.warps {
            w.put(warps[WarpId(warp as u8)]);
        }
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let registers = IdSet::first(self.config.regs);
        for warp in 0..self.config.warps {
            let mut row: WarpRegs = r.get()?;
            possible(row.pending.without(&registers).is_empty() && row.memory.without(&row.pending).is_empty())?;
            possible(self.config.entries == 0 || row.pending.len() <= self.config.entries)?;
            row.count = row.pending.len() as u16;
            self.mem_in_flight += row.memory.len();
            self.warps[WarpId(warp as u8)] = row;
        }
        Ok(())
    }
}
