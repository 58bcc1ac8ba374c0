//! The front end's port to the network (refgpu-N1), which the dependency-graph buffer and launch records share. Packets leave in
//! order, one a cycle; replies come back by the number of their request.

use std::collections::VecDeque;

use crate::cache::Line;
use crate::config::GpuConfig;
use crate::memory::Memory;
use crate::noc::{Kind, Packet};

/// The number of requests whose replies nobody waits for.
pub const NOBODY: u16 = u16::MAX;
/// Bytes of a sector.
const SECTOR: u64 = 32;

/// The port.
#[derive(Clone, Debug)]
pub struct Port {
    number: u16,
    line_shift: u32,
    /// Packets that the network has not taken yet.
    outgoing: VecDeque<(Line, Packet)>,
    /// Replies on their last way: cycle of arrival and number.
    incoming: VecDeque<(u64, u16)>,
}

impl Port {
    /// The port behind those of the SMs.
    pub fn new(config: &GpuConfig) -> Self {
        Self {
            number: config.sm.count as u16,
            line_shift: config.l1.line.trailing_zeros(),
            outgoing: VecDeque::new(),
            incoming: VecDeque::new(),
        }
    }

    /// Reads the lines of these bytes; each is answered. Returns how many they are.
    pub fn read_lines(&mut self, addr: u64, bytes: u64, id: u16) -> u32 {
        let lines = addr >> self.line_shift..=(addr + bytes - 1) >> self.line_shift;
        let replies = lines.clone().count() as u32;
        lines.for_each(|line| self.push(line, Kind::Read, 0, id));
        replies
    }

    /// Reads the sector at `addr`.
    pub fn read_sector(&mut self, addr: u64, id: u16) {
        self.push_sector(addr, Kind::Fetch, id);
    }

    /// Writes the sector at `addr`, or a part of it.
    pub fn write_sector(&mut self, addr: u64, id: u16) {
        self.push_sector(addr, Kind::Write, id);
    }

    fn push_sector(&mut self, addr: u64, kind: Kind, id: u16) {
        let within = addr & ((1 << self.line_shift) - 1);
        self.push(addr >> self.line_shift, kind, 1 << (within / SECTOR), id);
    }

    fn push(&mut self, line: u64, kind: Kind, sectors: u8, id: u16) {
        let packet = Packet { line: 0, id, sm: self.number, bank: 0, kind, sectors, serial: 1 };
        self.outgoing.push_back((line as Line, packet));
    }

    /// A reply will arrive in cycle `at`.
    pub fn expect(&mut self, at: u64, id: u16) {
        if id != NOBODY {
            self.incoming.push_back((at, id));
        }
    }

    /// The number of a request whose reply has arrived by cycle `now`.
    pub fn arrived(&mut self, now: u64) -> Option<u16> {
        self.incoming.pop_front_if(|reply| reply.0 <= now).map(|(_, id)| id)
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
    pub fn next(&self, now: u64) -> u64 {
        if self.outgoing.is_empty() { self.next_arrival() } else { now + 1 }
    }

    /// The next cycle with a reply.
    pub fn next_arrival(&self) -> u64 {
        self.incoming.front().map_or(u64::MAX, |reply| reply.0)
    }
}
