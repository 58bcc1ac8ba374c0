//! The memory side of the dependency-graph buffer: its requests go through the front end's port to L2 and DRAM, and its answers
//! come back from there (refgpu-D1; dats-M1 to M4).
//!
//! A request for a chunk is a read of each line that it touches, answered to the buffer when the last of them is there. A
//! `Decrement` is a write of a sector; memory subtracts when it is acknowledged.

use gpusched::FrontEnd;
use gpusched::dats::{Admission, DgbStats, GraphError, Request};

use super::decide::Listeners;
use super::port::Port;
use crate::program::TbGraph;
use crate::stats::DatsStats;
use gpusched_heap::HeapTables;

const NODE_BYTES: u64 = 8;
const EDGE_BYTES: u64 = 2;

/// A request of the buffer on its way.
#[derive(Clone, Copy, Debug)]
struct InFlight {
    request: Request,
    /// Cycle in which it was made.
    since: u64,
    /// Replies to come.
    replies: u32,
}

/// Numbers of the buffer's requests: nodes, edges, a decrement. There is one of each at most.
pub const REQUESTS: u16 = 3;

/// The graph that lies in memory, and the buffer's requests.
#[derive(Clone, Debug, Default)]
pub struct GraphMemory {
    graph: Option<TbGraph>,
    /// By number.
    in_flight: [Option<InFlight>; REQUESTS as usize],
    stats: DatsStats,
}

impl GraphMemory {
    /// A kernel is launched whose graph is this one.
    pub fn launch(&mut self, graph: &TbGraph, admission: Admission) {
        self.graph = Some(graph.clone());
        self.stats.nodes += u64::from(graph.header.v);
        self.stats.edges += u64::from(graph.header.e);
        self.stats.admission = Some(admission);
    }

    /// A reply to request `number` is there.
    pub fn reply(
        &mut self,
        now: u64,
        number: u16,
        core: &mut FrontEnd<HeapTables>,
        listeners: &mut Listeners<'_>,
    ) -> Result<(), GraphError> {
        let flight = &mut self.in_flight[usize::from(number % REQUESTS)];
        if let Some(one) = flight {
            one.replies -= 1;
        }
        if let Some(one) = flight.take_if(|one| one.replies == 0) {
            self.stats.request_cycles += now - one.since;
            self.answer(&one.request, core, listeners)?;
        }
        Ok(())
    }

    /// Requests that are due.
    pub fn poll(&mut self, now: u64, core: &mut FrontEnd<HeapTables>, port: &mut Port) -> Result<(), GraphError> {
        if self.graph.is_some() {
            while let Some(request) = core.graph_poll()? {
                self.ask(now, request, port);
            }
        }
        Ok(())
    }

    fn answer(
        &mut self,
        request: &Request,
        core: &mut FrontEnd<HeapTables>,
        listeners: &mut Listeners<'_>,
    ) -> Result<(), GraphError> {
        let Some(graph) = &mut self.graph else { return Ok(()) };
        let part = |first: u32, count: u32| first as usize..(first + count) as usize;
        match *request {
            Request::Nodes { tag, first, count, .. } => {
                core.graph_nodes(tag, &graph.nodes[part(first, count)], listeners)?;
            }
            Request::Edges { tag, first, count, .. } => {
                core.graph_edges(tag, &graph.edges[part(first, count)], listeners)?;
            }
            Request::Decrement { tag, node, .. } => {
                let entry = &mut graph.nodes[node.0 as usize];
                *entry = entry.with_parent_done().unwrap_or(*entry);
                core.graph_spilled(tag, listeners)?;
            }
        }
        Ok(())
    }

    fn ask(&mut self, now: u64, request: Request, port: &mut Port) {
        let (number, replies) = match request {
            Request::Nodes { count, addr, .. } => (0, port.read_lines(addr, u64::from(count) * NODE_BYTES, 0)),
            Request::Edges { count, addr, .. } => (1, port.read_lines(addr, u64::from(count) * EDGE_BYTES, 1)),
            Request::Decrement { addr, .. } => {
                port.write_sector(addr, 2);
                (2, 1)
            }
        };
        self.stats.requests += u64::from(replies);
        self.in_flight[number] = Some(InFlight { request, since: now, replies });
    }

    /// Whether the buffer has something to ask for that was not asked for yet.
    pub fn asks(&self, core: &FrontEnd<HeapTables>) -> bool {
        let asks = self.graph.is_some() && self.in_flight.iter().all(Option::is_none);
        asks && core.dgb().is_some_and(|dgb| dgb.waits_for_memory())
    }

    /// The graph is done.
    pub fn finish(&mut self, of: DgbStats) {
        self.graph = None;
        self.stats.add(of);
    }

    pub fn stats(&self) -> DatsStats {
        self.stats
    }
}
