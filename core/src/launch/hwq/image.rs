//! Queues in an image: those in which kernels wait.

use super::{CellId, HostKernel, Hwq, Hwqs, Key};
use crate::base::id::{HwqId, rows_in};
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::table::Rows;
use crate::config::Config;
use crate::launch::distributor::Source;

impl<Q: Rows<Hwq>, C: Rows<HostKernel>> Hwqs<Q, C> {
    pub(crate) fn save(&self, w: &mut Writer<'_>) {
        // Who has the buffer is told with it. Which queues are busy follows from the kernels that hold them.
        let Self { queues, cells, depth: _, waiting, graphs: _, held: _, is_dgb_taken: _, busy: _ } = self;
        for q in rows_in::<HwqId>(*waiting) {
            let Hwq { head, len } = queues[q];
            w.put(Some((q, head)));
            w.list((0..len).map(|position| &cells[self.cell(q, head + position)]));
        }
        w.put(None::<()>);
    }

    /// Loads queues, whose kernels came in order and before anybody who would get the key `next`.
    pub(crate) fn load(&mut self, r: &mut Reader<'_>, config: &Config, next: Key) -> Result<(), ImageError> {
        while let Some((q, head)) = r.next::<(HwqId, u32)>()? {
            possible(u32::from(q.0) < config.n_hwq && self.queues[q].len == 0 && head < self.depth)?;
            self.queues[q].head = head;
            let mut last = None;
            while let Some(kernel) = r.next::<HostKernel>()? {
                possible(kernel.key.was_before(next) && last.is_none_or(|last| last < kernel.key))?;
                last = Some(kernel.key);
                possible(!self.is_full(q) && kernel.descriptor.shape(config).is_ok())?;
                possible(!kernel.is_graph || (config.dats.is_some() && !kernel.retain))?;
                self.push(q, kernel);
            }
            possible(self.queues[q].len > 0)?;
        }
        Ok(())
    }

    /// Where the waiting kernels with dependency graphs are, queue by queue, in order.
    pub(crate) fn graph_cells(&self) -> impl Iterator<Item = CellId> {
        rows_in::<HwqId>(self.waiting)
            .flat_map(move |q| {
                let Hwq { head, len } = self.queues[q];
                (0..len).map(move |position| self.cell(q, head + position))
            })
            .filter(|&cell| self.cells[cell].is_graph)
    }

    /// TBs of the kernel that waits there.
    pub(crate) fn tbs_at(&self, cell: CellId, config: &Config) -> Option<u32> {
        Some(self.cells[cell].descriptor.shape(config).ok()?.total)
    }

    /// Holds the queue of a kernel that has left it.
    pub(crate) fn hold(&mut self, source: Source) -> Result<(), ImageError> {
        if let Source::Hwq(q) = source {
            possible(!self.is_busy(q))?;
            self.busy |= 1 << q.0;
            self.hold_graphs(self.is_dgb_taken);
        }
        Ok(())
    }
}
