//! What holds of the hardware work queues between two calls.

use super::{CellId, HostKernel, Hwq, Hwqs, Key};
use crate::base::id::HwqId;
use crate::base::invariant::{Violation, invariant};
use crate::base::set::IdSet;
use crate::base::table::Rows;
use crate::config::Config;
use crate::launch::descriptor::Descriptor;

impl<Q: Rows<Hwq>, C: Rows<HostKernel>> Hwqs<Q, C> {
    /// What holds of the queues, whose kernels came before anybody who would get the key `next`. Who holds a queue is the board's affair.
    pub(crate) fn validate(&self, config: &Config, next: Key) -> Result<(), Violation> {
        let Self {
            queues,
            cells: _,
            depth,
            waiting,
            graphs,
            held,
            is_dgb_taken,
            busy,
            may_follow,
            kgraphs,
            blocked,
            has_candidate,
        } = self;
        let all = IdSet::first(config.n_queue());
        let used = waiting.or(graphs).or(busy).or(blocked);
        invariant("only queues that there are are used", used.without(&all).is_empty())?;
        for q in all.iter() {
            let Hwq { head, len } = queues[q];
            let is = |set: &IdSet<HwqId>| set.contains(q);
            invariant("a queue holds what it can (dtbl-L1)", head < *depth && len <= *depth && (len > 0 || head == 0))?;
            invariant("a queue waits if it holds a kernel", is(waiting) == (len > 0))?;
            let is_graph = len > 0 && self.kernel(q, 0).is_graph;
            let is_dependent = len > 0 && self.kernel(q, 0).is_dependent;
            let is_kgraph = len > 0 && self.kernel(q, 0).kgraph.is_some();
            invariant(
                "a queue is known by its head (frontend-T1g)",
                is(graphs) == is_graph && is(kgraphs) == is_kgraph,
            )?;
            let is_blocked = is_kgraph || (is(busy) && !(is_dependent && is(may_follow)));
            invariant("what is in flight blocks a queue but for dependents (launch2-P4)", is(blocked) == is_blocked)?;
            invariant("only what is in flight is followed (launch2-P4)", !is(may_follow) || is(busy))?;
            let mut last = None;
            for kernel in (0..len).map(|position| self.kernel(q, position)) {
                let HostKernel { ref descriptor, retain, is_graph, is_dependent, kgraph, key, stream, owner } = *kernel;
                // What launches cost the host is to come (launch2-K2).
                let was_launched = if config.kgraph.is_some() { key.seq < next.seq } else { key.was_before(next) };
                invariant("a queue is in order (dtbl-L1)", was_launched && last.is_none_or(|last| last < key))?;
                last = Some(key);
                let is_accepted = match kgraph {
                    None => descriptor.is_accepted(config, !is_graph),
                    Some(_) => !(retain || is_graph || is_dependent),
                };
                invariant("a kernel in a queue was accepted (dtbl-V1)", is_accepted)?;
                owner.validate(config)?;
                let is_its = owner.queue_of(stream, config) == q;
                invariant("a kernel waits in a queue of its stream (dtbl-L1, modern-P3)", is_its)?;
                let has_pdl = !is_dependent || config.pdl.is_some();
                invariant("only where there are dependents is a kernel one (launch2-P1)", has_pdl)?;
                let may_be = !is_graph || (config.dats.is_some() && !retain);
                invariant("a kernel with a graph does not stay (frontend-F1)", may_be)?;
            }
        }
        let waits = if *is_dgb_taken { graphs.without(blocked) } else { IdSet::EMPTY };
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

    /// The kernel that waits there.
    pub(crate) fn descriptor_at(&self, cell: CellId) -> &Descriptor {
        &self.cells[cell].descriptor
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
