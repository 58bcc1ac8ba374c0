//! What an image holds of grids.

use super::kgraph::{KernelEdgeRow, KernelNodeRow, Kgraph, Kgraphs};
use super::{GridMode, GridTables, Grids};
use crate::base::id::{GridId, HwqId, Id, KernelNodeId, KernelSlot, SlotId, rows_in};
use crate::base::image::{ImageError, possible};
use crate::base::saved::saved;
use crate::base::table::Rows;
use crate::config::Config;
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::Source;

saved!([T: GridTables] Grids<T> { rows, of_queue, of_kernel, of_record, of_suspended, tb_flags, kgraphs, instances, states, host_free, flushing, made, stats } but { free, ripening, waiting, n_node, next_ready, issued });
saved!([G: Rows<Kgraph>, N: Rows<KernelNodeRow>, E: Rows<KernelEdgeRow>] Kgraphs<G, N, E> { graphs, nodes, edges } but { room });

impl<T: BoardTables + GridTables> Grids<T> {
    /// Computes what the rows say, and holds the queues of kernels that have ended.
    pub(crate) fn rebuild(&mut self, board: &mut Board<T>) -> Result<(), ImageError> {
        let config: Config = board.config;
        self.issued = 0;
        for g in (0..config.n_grid()).map(GridId) {
            let Some(mode) = self.rows[g].mode else { continue };
            possible(self.free.is_free(g))?;
            self.free.claim(g);
            self.issued += u32::from(!matches!(mode, GridMode::Host { .. } | GridMode::Node { .. }));
        }
        if config.cdp2.is_some() {
            let waiting = self.of_record.iter().filter(|(_, grid)| grid.is_some()).count() as u32;
            self.issued = self.issued.checked_sub(waiting).ok_or(ImageError::Content)?;
        }
        for q in (0..config.n_queue() as usize).map(HwqId::from_index) {
            if self.of_queue[q].len > 0 && !board.hwqs.is_busy(q) {
                board.hwqs.hold(Source::Hwq(q), &config)?;
            }
            let may_follow = self.may_follow(&config, q);
            board.hwqs.let_follow(q, may_follow);
        }
        let running = self.instances.iter().filter(|(_, instance)| instance.graph.is_some());
        for queue in running.map(|(_, instance)| instance.queue) {
            possible(u32::from(queue) < config.n_queue() && !board.hwqs.is_busy(queue))?;
            board.hwqs.hold(Source::Hwq(queue), &config)?;
        }
        self.rebuild_overlap(board)
    }

    /// Counts TBs that have triggered or wait, and tells entries what is open.
    fn rebuild_overlap(&mut self, board: &mut Board<T>) -> Result<(), ImageError> {
        for (smx, flags) in self.tb_flags.iter() {
            for slot in rows_in::<SlotId>(flags.triggered | flags.waiting) {
                let exists = board.check_slot(smx, slot).is_ok();
                let tb = board.residency.tb(smx, slot).filter(|_| exists).ok_or(ImageError::Content)?;
                let of_kernel = &mut self.of_kernel[tb.kde];
                of_kernel.triggered += (flags.triggered >> slot.0 & 1) as u32;
                let waits = (flags.waiting >> slot.0 & 1) as u32;
                of_kernel.waiting += waits;
                self.waiting += waits;
            }
        }
        for k in (0..board.config.n_kde as usize).map(KernelSlot::from_index) {
            let of_kernel = &self.of_kernel[k];
            let is_open = of_kernel.grid.and_then(|g| self.rows.get(g)).is_some_and(|grid| grid.is_open);
            board.kd.get_mut(k).is_open = is_open;
            self.ripening |= u64::from(of_kernel.triggered > 0 && !is_open) << k.0;
        }
        // That lists end, and are whole, is seen when all is checked.
        let is_known = |first: KernelNodeId| u32::from(first) < self.n_node;
        possible(self.instances.iter().all(|(_, instance)| instance.first.is_none_or(is_known)))?;
        possible(self.states.iter().all(|(_, state)| state.next.is_none_or(is_known)))?;
        self.look_at_ready();
        Ok(())
    }
}
