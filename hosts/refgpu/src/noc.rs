//! One crossbar of the interconnect, in one direction (refgpu-N1): SMs to L2 banks, or L2 banks to SMs.
//!
//! Packets wait at their input port, in order for each output: a packet waits neither for one before it that wants another
//! output, nor lets one behind it to the same output pass. (With one queue per input, whose head blocks all others, random
//! traffic would use no more than 59 % of the ports.) A packet of f flits holds its input and its output port f cycles; an
//! output picks among the inputs round robin, from the last winner + 1; then it flies a fixed time.

use crate::config;
use crate::units::{self, Round};

/// What a packet asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A line; answered with its data.
    #[default]
    Read,
    /// Sectors of a line; answered with their data.
    Fetch,
    /// Sectors of a line; answered with an acknowledgement.
    Write,
    /// A read-modify-write at the L2 bank; answered with the old values.
    Atomic,
    /// A read-modify-write whose old values nobody wants.
    Reduction,
}

/// A request, and later its reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packet {
    /// Line number within its DRAM channel.
    pub line: u32,
    /// The SM's own name for the request: L1 MSHR of a read, load number of an atomic.
    pub id: u16,
    /// The SM.
    pub sm: u16,
    /// The L2 bank.
    pub bank: u8,
    /// What it asks for.
    pub kind: Kind,
    /// 32-byte sectors of the line that it touches, one bit each.
    pub sectors: u8,
    /// Cycles that an atomic occupies its bank: most lanes on one word (refgpu-M8).
    pub serial: u8,
}

impl Kind {
    /// Whether it leaves memory as it is.
    pub const fn is_read(self) -> bool {
        matches!(self, Self::Read | Self::Fetch)
    }
}

impl Packet {
    /// Flits on the way to L2.
    pub fn request_flits(&self, flit_bytes: u32) -> u32 {
        match self.kind {
            Kind::Read | Kind::Fetch => 1,
            _ => 1 + self.data_flits(flit_bytes),
        }
    }

    /// Flits on the way back.
    pub fn reply_flits(&self, flit_bytes: u32, line_bytes: u32) -> u32 {
        match self.kind {
            Kind::Read => 1 + line_bytes.div_ceil(flit_bytes),
            Kind::Fetch | Kind::Atomic => 1 + self.data_flits(flit_bytes),
            Kind::Write | Kind::Reduction => 1,
        }
    }

    fn data_flits(&self, flit_bytes: u32) -> u32 {
        (self.sectors.count_ones() * 32).div_ceil(flit_bytes)
    }
}

/// A queued packet, in the list of its input and output.
#[derive(Clone, Copy, Debug, Default)]
struct Queued {
    packet: Packet,
    flits: u16,
    next: u32,
}

const NONE: u32 = u32::MAX;

/// The packets of one input for one output, oldest first.
#[derive(Clone, Copy, Debug)]
struct List {
    head: u32,
    tail: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Input {
    free_at: u64,
    /// Packets queued.
    queued: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Output {
    free_at: u64,
    /// The input after the last winner.
    first: usize,
}

/// A packet that was picked: it is at its destination in cycle `arrives`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Input port.
    pub input: usize,
    /// Output port.
    pub output: usize,
    /// Cycle of arrival.
    pub arrives: u64,
    /// The packet.
    pub packet: Packet,
}

/// What is behind the output ports.
pub trait Destination {
    /// Whether `output` can take a packet.
    fn accepts(&self, output: usize) -> bool;
    /// A packet is on its way.
    fn deliver(&mut self, delivery: Delivery);
}

/// Packets and flits that went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NocStats {
    /// Packets.
    pub packets: u64,
    /// Flits.
    pub flits: u64,
}

/// A crossbar. Driven by [`Crossbar::step`] in every cycle from [`Crossbar::next`] on.
#[derive(Clone, Debug)]
pub struct Crossbar {
    places: u32,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    /// Outputs with packets queued for them, and the one that chooses first.
    wanted: Vec<u64>,
    turn: usize,
    /// Per output: the inputs with a packet for it, a set of so many words.
    wanted_by: Vec<u64>,
    words: usize,
    /// Per output and input.
    lists: Vec<List>,
    pool: Vec<Queued>,
    free: Vec<u32>,
    flight: u64,
    next: u64,
    /// Look in every cycle, also where nothing can happen.
    pub(crate) always: bool,
    /// Traffic so far.
    pub stats: NocStats,
}

impl Crossbar {
    /// A crossbar with so many ports on either side.
    pub fn new(inputs: usize, outputs: usize, config: &config::Noc) -> Self {
        let places = inputs * config.input_queue as usize;
        Self {
            places: config.input_queue,
            inputs: vec![Input::default(); inputs],
            outputs: vec![Output::default(); outputs],
            wanted: vec![0; units::words(outputs)],
            turn: 0,
            wanted_by: vec![0; units::words(inputs) * outputs],
            words: units::words(inputs),
            lists: vec![List { head: NONE, tail: NONE }; outputs * inputs],
            pool: vec![Queued::default(); places],
            free: (0..places as u32).rev().collect(),
            flight: u64::from(config.flight),
            next: u64::MAX,
            always: false,
            stats: NocStats::default(),
        }
    }

    /// Free places at an input port.
    #[inline]
    pub fn room(&self, input: usize) -> u32 {
        self.places - self.inputs[input].queued
    }

    /// The next cycle in which a packet could be picked.
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Queues a packet that may be picked from cycle `from` on, the next in which [`Crossbar::step`] is called. `false`, and
    /// nothing happens, if the port is full.
    pub fn push(&mut self, input: usize, output: usize, flits: u32, from: u64, packet: Packet) -> bool {
        if self.room(input) == 0 {
            return false;
        }
        let Some(place) = self.free.pop() else { return false };
        self.pool[place as usize] = Queued { packet, flits: flits as u16, next: NONE };
        let (n, port, out) = (self.inputs.len(), &mut self.inputs[input], &mut self.outputs[output]);
        let list = &mut self.lists[output * n + input];
        if list.head == NONE {
            list.head = place;
            units::insert(&mut self.wanted_by[output * self.words..][..self.words], input);
            units::insert(&mut self.wanted, output);
        } else {
            self.pool[list.tail as usize].next = place;
        }
        list.tail = place;
        port.queued += 1;
        self.next = self.next.min(from.max(out.free_at).max(port.free_at));
        true
    }

    /// One cycle: each free output whose destination accepts it picks one packet. Outputs choose one after the other, first
    /// the one after that which picked last.
    pub fn step(&mut self, now: u64, to: &mut impl Destination) {
        if now < self.next && !self.always {
            return;
        }
        self.next = u64::MAX;
        let mut outputs = Round::new(&self.wanted, self.turn);
        while let Some(o) = outputs.next(&self.wanted) {
            let free_at = self.outputs[o].free_at;
            if free_at > now {
                self.next = self.next.min(free_at);
            } else if !to.accepts(o) {
                self.next = now + 1;
            } else {
                match self.choose(o, now) {
                    Ok(input) => self.send(input, o, now, to),
                    Err(later) => self.next = self.next.min(later),
                }
            }
        }
    }

    /// The first input from the last winner + 1 that is free and wants this output; else when one will be free.
    #[inline]
    fn choose(&self, o: usize, now: u64) -> Result<usize, u64> {
        let wanted_by = &self.wanted_by[o * self.words..][..self.words];
        let mut inputs = Round::new(wanted_by, self.outputs[o].first);
        let mut earliest = u64::MAX;
        while let Some(input) = inputs.next(wanted_by) {
            let free_at = self.inputs[input].free_at;
            if free_at <= now {
                return Ok(input);
            }
            earliest = earliest.min(free_at);
        }
        Err(earliest)
    }

    #[inline]
    fn send(&mut self, input: usize, output: usize, now: u64, to: &mut impl Destination) {
        let (n, port, out) = (self.inputs.len(), &mut self.inputs[input], &mut self.outputs[output]);
        let wanted_by = &mut self.wanted_by[output * self.words..][..self.words];
        let list = &mut self.lists[output * n + input];
        let place = list.head;
        let Queued { packet, flits, next } = self.pool[place as usize];
        list.head = next;
        if next == NONE {
            units::remove(wanted_by, input);
        }
        self.free.push(place);
        let free_at = now + u64::from(flits);
        *port = Input { free_at, queued: port.queued - 1 };
        (out.free_at, out.first) = (free_at, input + 1);
        if wanted_by.iter().all(|&word| word == 0) {
            units::remove(&mut self.wanted, output);
        } else {
            self.next = self.next.min(free_at);
        }
        self.turn = output + 1;
        self.stats.packets += 1;
        self.stats.flits += u64::from(flits);
        to.deliver(Delivery { input, output, arrives: free_at + self.flight, packet });
    }
}

#[cfg(test)]
mod tests;
