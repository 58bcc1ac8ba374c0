//! What an image holds of grids.

use super::{GridTables, Grids};
use crate::base::id::GridId;
use crate::base::image::{ImageError, possible};
use crate::base::saved::saved;
use crate::config::Config;
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::Source;

saved!([T: GridTables] Grids<T> { rows, of_queue, of_kernel, of_record, of_suspended, flushing, made, stats } but { free, of_device, issued });

impl<T: BoardTables + GridTables> Grids<T> {
    /// Computes what the rows say, and holds the queues of kernels that have ended.
    pub(crate) fn rebuild(&mut self, board: &mut Board<T>) -> Result<(), ImageError> {
        let config: Config = board.config;
        (self.of_device, self.issued) = (0, 0);
        for g in (0..config.n_grid()).map(GridId) {
            let Some(mode) = self.rows[g].mode else { continue };
            possible(self.free.is_free(g))?;
            self.free.claim(g);
            self.of_device += u32::from(mode.parent().is_some());
        }
        let waiting = self.of_record.iter().filter(|(_, grid)| grid.is_some()).count() as u32;
        self.issued = self.of_device.checked_sub(waiting).ok_or(ImageError::Content)?;
        for (q, _) in self.of_queue.iter().filter(|(_, grid)| grid.is_some()) {
            if !board.hwqs.is_busy(q) {
                board.hwqs.hold(Source::Hwq(q), &config)?;
            }
        }
        Ok(())
    }
}
