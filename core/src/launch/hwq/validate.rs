//! What holds of the hardware work queues between two calls.

use super::{CellId, HostKernel, Hwq, Hwqs, Key};
use crate::base::id::HwqId;
use crate::base::invariant::{Violation, invariant};
use crate::base::set::IdSet;
use crate::base::table::Rows;
use crate::config::Config;

impl<Q: Rows<Hwq>, C: Rows<HostKernel>> Hwqs<Q, C> {
    /// What holds of the queues, whose kernels came before anybody who would get the key `next`. Who holds a queue is the board's affair.
    pub(crate) fn validate(&self, config: &Config, next: Key) -> Result<(), Violation> {
        let Self { queues, cells: _, depth, waiting, graphs, held, is_dgb_taken, busy, has_candidate } = self;
        let all = IdSet::first(config.n_queue());
        let used = waiting.or(graphs).or(busy);
        invariant("only queues that there are are used", used.without(&all).is_empty())?;
        for q in all.iter() {
            let Hwq { head, len } = queues[q];
            let is = |set: &IdSet<HwqId>| set.contains(q);
            invariant("a queue holds what it can (dtbl-L1)", head < *depth && len <= *depth && (len > 0 || head == 0))?;
            invariant("a queue waits if it holds a kernel", is(waiting) == (len > 0))?;
            let is_graph = len > 0 && self.kernel(q, 0).is_graph;
            invariant("a queue is known by its head (frontend-T1g)", is(graphs) == is_graph)?;
            let mut last = None;
            for kernel in (0..len).map(|position| self.kernel(q, position)) {
                let HostKernel { ref descriptor, retain, is_graph, key, stream, owner } = *kernel;
                invariant("a queue is in order (dtbl-L1)", key.was_before(next) && last.is_none_or(|last| last < key))?;
                last = Some(key);
                invariant("a kernel in a queue was accepted (dtbl-V1)", descriptor.is_accepted(config, !is_graph))?;
                owner.validate(config)?;
                let is_its = owner.queue_of(stream, config) == q;
                invariant("a kernel waits in a queue of its stream (dtbl-L1, modern-P3)", is_its)?;
                let may_be = !is_graph || (config.dats.is_some() && !retain);
                invariant("a kernel with a graph does not stay (frontend-F1)", may_be)?;
            }
        }
        let waits = if *is_dgb_taken { graphs.without(busy) } else { IdSet::EMPTY };
        let known = *has_candidate != self.candidates().is_empty();
        invariant("graphs wait for the buffer (frontend-T1g)", *held == waits && known)
    }

    /// The kernel at a position of a queue, which it has.
    fn kernel(&self, q: HwqId, position: u32) -> &HostKernel {
        &self.cells[self.cell(q, self.queues[q].head + position)]
    }

    /// Where the waiting kernels with dependency graphs are, queue by queue, in order.
    pub(crate) fn graph_cells(&self) -> impl Iterator<Item = CellId> {
        self.waiting
            .iter()
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

    /// Whether the dependency-graph buffer is said to be taken.
    pub(crate) fn is_dgb_taken(&self) -> bool {
        self.is_dgb_taken
    }
}
