//! The memory side of the dependency-graph buffer: its requests go through a port of the front end's own to L2 and DRAM, and its
//! answers come back from there (refgpu N1; `dats` M).
//!
//! A request for a chunk is a read of each line that it touches, answered to the buffer when the last of them is there. A
//! `Decrement` is a write of a sector; memory subtracts when it is acknowledged. Each cycle sends a packet at most.

use std::collections::VecDeque;

use gpusched::FrontEnd;
use gpusched::dats::{Admission, DgbStats, GraphError, Request};

use super::watch::Watch;
use crate::cache::Line;
use crate::config::GpuConfig;
use crate::memory::Memory;
use crate::noc::{Kind, Packet};
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

/// The front end's port to memory, and the graph that lies there.
#[derive(Clone, Debug)]
pub struct GraphPort {
    port: u8,
    line_shift: u32,
    graph: Option<TbGraph>,
    /// Nodes, edges, a decrement: one of each at most. Packets bear the position.
    in_flight: [Option<InFlight>; 3],
    /// Packets that the network has not taken yet.
    outgoing: VecDeque<(Line, Packet)>,
    /// Replies on their last way: cycle of arrival and position.
    incoming: VecDeque<(u64, u16)>,
    stats: DatsStats,
}

impl GraphPort {
    pub fn new(config: &GpuConfig) -> Self {
        Self {
            port: config.sm.count as u8,
            line_shift: config.l1.line.trailing_zeros(),
            graph: None,
            in_flight: [None; 3],
            outgoing: VecDeque::new(),
            incoming: VecDeque::new(),
            stats: DatsStats::default(),
        }
    }

    /// A kernel is launched whose graph is this one.
    pub fn launch(&mut self, graph: &TbGraph, admission: Admission) {
        self.graph = Some(graph.clone());
        self.stats.nodes += u64::from(graph.header.v);
        self.stats.edges += u64::from(graph.header.e);
        self.stats.admission = Some(admission);
    }

    /// The buffer's part of cycle `now`, after the ends of TBs: answers that are there, then requests that are due.
    pub fn serve(&mut self, now: u64, core: &mut FrontEnd<HeapTables>, watch: &mut Watch) -> Result<(), GraphError> {
        while let Some(&(_, place)) = self.incoming.front().filter(|reply| reply.0 <= now) {
            self.incoming.pop_front();
            let flight = &mut self.in_flight[place as usize % 3];
            if let Some(one) = flight {
                one.replies -= 1;
            }
            if let Some(one) = flight.take_if(|one| one.replies == 0) {
                self.stats.request_cycles += now - one.since;
                self.answer(&one.request, core, watch)?;
            }
        }
        if self.graph.is_some() {
            while let Some(request) = core.graph_poll()? {
                self.ask(now, request);
            }
        }
        Ok(())
    }

    fn answer(
        &mut self,
        request: &Request,
        core: &mut FrontEnd<HeapTables>,
        watch: &mut Watch,
    ) -> Result<(), GraphError> {
        let Some(graph) = &mut self.graph else { return Ok(()) };
        let part = |first: u32, count: u32| first as usize..(first + count) as usize;
        match *request {
            Request::Nodes { tag, first, count, .. } => {
                core.graph_nodes(tag, &graph.nodes[part(first, count)], watch)?;
            }
            Request::Edges { tag, first, count, .. } => {
                core.graph_edges(tag, &graph.edges[part(first, count)], watch)?;
            }
            Request::Decrement { tag, node, .. } => {
                let entry = &mut graph.nodes[node.0 as usize];
                *entry = entry.with_parent_done().unwrap_or(*entry);
                core.graph_spilled(tag, watch)?;
            }
        }
        Ok(())
    }

    fn ask(&mut self, now: u64, request: Request) {
        let (place, addr, bytes, kind) = match request {
            Request::Nodes { count, addr, .. } => (0, addr, u64::from(count) * NODE_BYTES, Kind::Read),
            Request::Edges { count, addr, .. } => (1, addr, u64::from(count) * EDGE_BYTES, Kind::Read),
            Request::Decrement { addr, .. } => (2, addr, NODE_BYTES, Kind::Write),
        };
        let line = |addr: u64| addr >> self.line_shift;
        let within = addr & ((1 << self.line_shift) - 1);
        let sectors = if kind == Kind::Write { 1 << (within / 32) } else { 0 };
        let packet = Packet { line: 0, id: place, sm: self.port, bank: 0, kind, sectors, serial: 1 };
        let lines = line(addr)..=line(addr + bytes - 1);
        let replies = lines.clone().count() as u32;
        self.outgoing.extend(lines.map(|line| (line as Line, packet)));
        self.stats.requests += u64::from(replies);
        self.in_flight[place as usize] = Some(InFlight { request, since: now, replies });
    }

    /// A reply will arrive in cycle `at`.
    pub fn expect(&mut self, at: u64, place: u16) {
        self.incoming.push_back((at, place));
    }

    /// End of the cycle at beat `at`: a packet leaves for the network.
    pub fn send(&mut self, at: u64, memory: &mut Memory) {
        if let Some(&(line, packet)) = self.outgoing.front()
            && memory.send(at, line, packet)
        {
            self.outgoing.pop_front();
        }
    }

    /// The next cycle, after `now`, with something to do here.
    pub fn next(&self, now: u64, core: &FrontEnd<HeapTables>) -> u64 {
        let asks = self.graph.is_some() && self.in_flight.iter().all(Option::is_none);
        if !self.outgoing.is_empty() || asks && core.dgb().is_some_and(|dgb| dgb.waits_for_memory()) {
            return now + 1;
        }
        self.next_arrival()
    }

    /// The next cycle with a reply.
    pub fn next_arrival(&self) -> u64 {
        self.incoming.front().map_or(u64::MAX, |reply| reply.0)
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
