//! The dependency graphs of a front end's image: those that wait in queues, the buffer, and who has it.

use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::dats::GraphHeader;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::cross::Consumers;

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
        let mut cells = self.board.hwqs.graph_cells();
        while let Some(header) = r.next::<GraphHeader>()? {
            graphs.headers[cells.next().ok_or(ImageError::Content)?] = header;
        }
        possible(cells.next().is_none())?;
        drop(cells);
        if self.board.config.cross {
            let mut cells = self.board.hwqs.graph_cells();
            while let Some(consumers) = r.next::<Consumers>()? {
                graphs.consumers[cells.next().ok_or(ImageError::Content)?] = consumers;
            }
            possible(cells.next().is_none())?;
        }
        graphs.owner = r.get()?;
        self.board.hwqs.hold_graphs(graphs.owner.is_some());
        graphs.dgb.load_state(r)
    }
}
