//! What a front end's image has of grids.

use crate::base::id::RecordId;
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::saved::Saved;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::record::{Record, RecordState};

impl<T: Tables> FrontEnd<T> {
    pub(crate) fn save_grids(&self, w: &mut Writer<'_>) {
        if let Some(grids) = self.grids.as_ref() {
            w.list(grids.closed().map(|r| (r, self.board.records.get(r))));
            grids.save(w);
        }
    }

    /// Loads them into a machine that has its kernels and launches.
    pub(crate) fn load_grids(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let Self { board, grids, .. } = self;
        let Some(grids) = grids.as_mut() else { return Ok(()) };
        while let Some((id, record)) = r.next::<(RecordId, Record)>()? {
            possible(record.state == RecordState::Tail)?;
            let config = board.config;
            board.records.put_back(id, record, &config)?;
        }
        grids.load(r)?;
        grids.rebuild(board)
    }
}
