//! The dependency graphs of a front end's image: those that wait in queues, the buffer, and who has it.

use crate::base::id::KernelSlot;
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::dats::{GraphHeader, NodeState, Phase};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::distributor::GraphState;

impl<T: Tables> FrontEnd<T> {
    pub(crate) fn save_graphs(&self, w: &mut Writer<'_>) {
        let Some(graphs) = self.graphs.as_ref() else { return };
        w.list(self.board.hwqs.graph_cells().map(|cell| graphs.headers[cell]));
        w.put(graphs.owner);
        graphs.dgb.save_state(w);
    }

    /// Loads the graphs of a machine that has its kernels and TBs.
    pub(crate) fn load_graphs(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let Some(graphs) = self.graphs.as_mut() else { return Ok(()) };
        let dgb = *graphs.dgb.config();
        let mut cells = self.board.hwqs.graph_cells();
        while let Some(header) = r.next::<GraphHeader>()? {
            let cell = cells.next().ok_or(ImageError::Content)?;
            possible(self.board.hwqs.tbs_at(cell, &self.board.config) == Some(header.v) && header.check(&dgb).is_ok())?;
            graphs.headers[cell] = header;
        }
        possible(cells.next().is_none())?;
        drop(cells);
        graphs.owner = r.get()?;
        graphs.dgb.load_state(r)?;
        if let Some((k, _)) = graphs.owner {
            possible(u32::from(k.0) < self.board.config.n_kde)?;
            self.board.hwqs.hold_graphs(true);
        }
        self.check_owner()
    }

    /// frontend-I5: who has the buffer, and what both know of the graph.
    fn check_owner(&self) -> Result<(), ImageError> {
        let Some(graphs) = self.graphs.as_ref() else { return Ok(()) };
        let open =
            (0..self.board.config.n_kde).map(|k| KernelSlot(k as u8)).filter(|&k| self.board.kd.get(k).is_graph_open());
        possible(open.eq(graphs.owner.map(|(k, _)| k)))?;
        let is_free = matches!(graphs.dgb.phase(), Phase::Idle | Phase::Finished);
        let Some((k, header)) = graphs.owner else { return possible(is_free) };
        let kde = self.board.kd.get(k);
        possible(kde.total == header.v && header.check(graphs.dgb.config()).is_ok())?;
        let is_launched = graphs.dgb.kdei() == k && graphs.dgb.graph() == Some(&header);
        match kde.graph {
            Some(GraphState::Coming) => return possible(is_free && kde.kernel.next_native == 0),
            Some(GraphState::Running) => possible(is_launched && graphs.dgb.phase() == Phase::Running)?,
            _ => possible(is_launched && matches!(graphs.dgb.phase(), Phase::Faulted { .. }))?,
        }
        possible(graphs.dgb.stats().dispatched == kde.kernel.next_native)?;
        // The executing nodes are as many as the resident TBs; each TB is another one of them. A faulted graph is not told of ends.
        let is_running = kde.graph == Some(GraphState::Running);
        let executing = graphs.dgb.window().executing;
        possible(if is_running { executing == kde.exe } else { executing >= kde.exe })?;
        let mut nodes = self.resident_tbs().filter(|tb| tb.kde == k);
        let runs = |vid: u32| graphs.dgb.state(vid) == Some(NodeState::Executing);
        let is_twice = |vid: u32| self.resident_tbs().filter(|tb| tb.kde == k && tb.blkid == vid).count() > 1;
        possible(nodes.all(|tb| tb.blkid < header.v && !is_twice(tb.blkid) && (!is_running || runs(tb.blkid))))
    }
}
