//! The dependency graphs of a front end's image: those that wait in queues, the buffer, and who has it.

use serde::Deserialize;

use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::table::{Rows, Table};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::hwq::CellId;

impl<T: Tables> FrontEnd<T> {
    pub(crate) fn save_graphs(&self, w: &mut Writer<'_>) {
        let Some(graphs) = self.graphs.as_ref() else { return };
        w.list(self.board.hwqs.graph_cells().map(|cell| graphs.headers[cell]));
        if self.board.config.cross {
            w.list(self.board.hwqs.graph_cells().map(|cell| graphs.consumers[cell]));
        }
        w.put(graphs.owner);
        graphs.dgb.save_state(w);
    }

    /// Loads the graphs of a machine that has its kernels and TBs.
    pub(crate) fn load_graphs(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let Some(graphs) = self.graphs.as_mut() else { return Ok(()) };
        load_each(r, self.board.hwqs.graph_cells(), &mut graphs.headers)?;
        if self.board.config.cross {
            load_each(r, self.board.hwqs.graph_cells(), &mut graphs.consumers)?;
        }
        graphs.owner = r.get()?;
        self.board.hwqs.hold_graphs(graphs.owner.is_some());
        graphs.dgb.load_state(r)
    }
}

/// Loads a list of as many values as there are of these places, each to its own.
fn load_each<'a, V: Deserialize<'a>, S: Rows<V>>(
    r: &mut Reader<'a>,
    mut cells: impl Iterator<Item = CellId>,
    rows: &mut Table<CellId, V, S>,
) -> Result<(), ImageError> {
    while let Some(value) = r.next()? {
        rows[cells.next().ok_or(ImageError::Content)?] = value;
    }
    possible(cells.next().is_none())
}
