//! One crossbar of the interconnect, in one direction (refgpu N1): SMs to L2 banks, or L2 banks to SMs.
//!
//! Packets wait in order at their input port. A packet of f flits holds its input and its output port f cycles; an output picks
//! among the inputs round robin, from the last winner + 1; then it flies a fixed time.

use crate::config;
use crate::ring::Ring;

/// What a packet asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A line; answered with its data.
    #[default]
    Read,
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
    pub sm: u8,
    /// The L2 bank.
    pub bank: u8,
    /// What it asks for.
    pub kind: Kind,
    /// 32-byte sectors of the line that it touches, one bit each.
    pub sectors: u8,
    /// Cycles that an atomic occupies its bank: most lanes on one word (M8).
    pub serial: u8,
}

impl Packet {
    /// Flits on the way to L2.
    #[must_use]
    pub fn request_flits(&self, flit_bytes: u32) -> u32 {
        match self.kind {
            Kind::Read => 1,
            _ => 1 + self.data_flits(flit_bytes),
        }
    }

    /// Flits on the way back.
    #[must_use]
    pub fn reply_flits(&self, flit_bytes: u32, line_bytes: u32) -> u32 {
        match self.kind {
            Kind::Read => 1 + line_bytes.div_ceil(flit_bytes),
            Kind::Atomic => 1 + self.data_flits(flit_bytes),
            Kind::Write | Kind::Reduction => 1,
        }
    }

    fn data_flits(&self, flit_bytes: u32) -> u32 {
        (self.sectors.count_ones() * 32).div_ceil(flit_bytes)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Queued {
    ready: u64,
    packet: Packet,
    output: u16,
    flits: u16,
}

#[derive(Clone, Debug)]
struct Input {
    queue: Ring<Queued>,
    free_at: u64,
}

#[derive(Clone, Copy, Debug)]
struct Output {
    free_at: u64,
    last: usize,
    /// Of the inputs that want this output now: distance from `last` + 1, and the input.
    best: Option<(usize, usize)>,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct NocStats {
    /// Packets.
    pub packets: u64,
    /// Flits.
    pub flits: u64,
}

/// A crossbar. Driven by [`Crossbar::step`] in every cycle from [`Crossbar::next`] on.
#[derive(Clone, Debug)]
pub struct Crossbar {
    inputs: Vec<Input>,
    /// When each input's head may be picked at the earliest; `u64::MAX` without one.
    head_at: Vec<u64>,
    outputs: Vec<Output>,
    waiting: Vec<u16>,
    flight: u64,
    next: u64,
    /// Look in every cycle, also where nothing can happen.
    pub(crate) always: bool,
    /// Traffic so far.
    pub stats: NocStats,
}

impl Crossbar {
    /// A crossbar with `inputs` ports of `queue` places and `outputs` ports.
    #[must_use]
    pub fn new(inputs: usize, outputs: usize, queue: usize, config: &config::Noc) -> Self {
        Self {
            inputs: vec![
                Input {
                    queue: Ring::new(queue),
                    free_at: 0
                };
                inputs
            ],
            head_at: vec![u64::MAX; inputs],
            outputs: vec![
                Output {
                    free_at: 0,
                    last: inputs - 1,
                    best: None
                };
                outputs
            ],
            waiting: Vec::with_capacity(inputs),
            flight: u64::from(config.flight),
            next: u64::MAX,
            always: false,
            stats: NocStats::default(),
        }
    }

    /// Free places at an input port.
    #[must_use]
    #[inline]
    pub fn room(&self, input: usize) -> usize {
        self.inputs[input].queue.room()
    }

    /// The next cycle in which a packet could be picked.
    #[must_use]
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Queues a packet that may be picked from cycle `ready` on. `ready` never decreases at one port.
    pub fn push(&mut self, input: usize, output: usize, flits: u32, ready: u64, packet: Packet) {
        let port = &mut self.inputs[input];
        if port.queue.is_empty() {
            let at = ready.max(port.free_at);
            self.head_at[input] = at;
            self.next = self.next.min(at);
        }
        port.queue.push(Queued {
            ready,
            packet,
            output: output as u16,
            flits: flits as u16,
        });
    }

    /// One cycle: each free output whose destination accepts it picks one packet.
    pub fn step(&mut self, now: u64, to: &mut impl Destination) {
        if now < self.next && !self.always {
            return;
        }
        self.next = u64::MAX;
        self.waiting.clear();
        let inputs = self.inputs.len();
        for (i, &at) in self.head_at.iter().enumerate() {
            if at > now {
                self.next = self.next.min(at);
                continue;
            }
            let Some(head) = self.inputs[i].queue.front() else {
                continue;
            };
            let o = head.output as usize;
            let output = &mut self.outputs[o];
            self.waiting.push(i as u16);
            if output.free_at <= now && to.accepts(o) {
                let distance = if i > output.last {
                    i - output.last - 1
                } else {
                    i + inputs - output.last - 1
                };
                if output.best.is_none_or(|(d, _)| distance < d) {
                    output.best = Some((distance, i));
                }
            }
        }
        for w in 0..self.waiting.len() {
            let i = self.waiting[w] as usize;
            let Some(head) = self.inputs[i].queue.front().copied() else {
                continue;
            };
            let output = &mut self.outputs[head.output as usize];
            if output.best.is_some_and(|(_, best)| best == i) {
                let free_at = now + u64::from(head.flits);
                *output = Output {
                    free_at,
                    last: i,
                    best: None,
                };
                let input = &mut self.inputs[i];
                input.queue.pop();
                input.free_at = free_at;
                self.head_at[i] = input
                    .queue
                    .front()
                    .map_or(u64::MAX, |q| q.ready.max(free_at));
                self.next = self.next.min(self.head_at[i]);
                self.stats.packets += 1;
                self.stats.flits += u64::from(head.flits);
                to.deliver(Delivery {
                    input: i,
                    output: head.output as usize,
                    arrives: free_at + self.flight,
                    packet: head.packet,
                });
            } else {
                // Another packet holds or gets the output, or the destination is full: look again when that may have changed.
                self.next = self.next.min(output.free_at.max(now + 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GpuConfig;

    fn crossbar(inputs: usize, outputs: usize) -> Crossbar {
        Crossbar::new(inputs, outputs, 8, &GpuConfig::preset("k20c").unwrap().noc)
    }

    /// Notes input and arrival of every packet; one output may be closed.
    #[derive(Default)]
    struct Log {
        got: Vec<(usize, u64)>,
        closed: Option<usize>,
    }

    impl Destination for Log {
        fn accepts(&self, output: usize) -> bool {
            self.closed != Some(output)
        }
        fn deliver(&mut self, d: Delivery) {
            self.got.push((d.input, d.arrives));
        }
    }

    fn packet(id: u16) -> Packet {
        Packet {
            id,
            ..Packet::default()
        }
    }

    /// Runs to cycle `until` and returns (input, arrival) of every packet.
    fn run(noc: &mut Crossbar, until: u64) -> Vec<(usize, u64)> {
        let mut log = Log::default();
        for now in 0..until {
            noc.step(now, &mut log);
        }
        log.got
    }

    #[test]
    fn a_packet_takes_its_flits_and_the_flight() {
        let mut noc = crossbar(2, 2);
        noc.push(0, 1, 5, 3, packet(0));
        assert_eq!(noc.next(), 3);
        assert_eq!(run(&mut noc, 10), [(0, 3 + 5 + 8)]);
        assert_eq!(noc.next(), u64::MAX);
        assert_eq!((noc.stats.packets, noc.stats.flits), (1, 5));
    }

    #[test]
    fn an_output_is_held_and_picks_round_robin_from_the_last_winner() {
        let mut noc = crossbar(3, 1);
        for input in [2, 0, 1, 0] {
            noc.push(input, 0, 2, 0, packet(0));
        }
        let order: Vec<_> = run(&mut noc, 20);
        assert_eq!(order, [(0, 10), (1, 12), (2, 14), (0, 16)]);
    }

    #[test]
    fn the_head_blocks_the_packets_behind_it() {
        let mut noc = crossbar(2, 2);
        noc.push(0, 0, 4, 0, packet(0));
        noc.push(1, 0, 1, 0, packet(1));
        noc.push(1, 1, 1, 0, packet(2));
        // Input 1's second packet wants a free output, but waits for its head, which waits for output 0.
        assert_eq!(run(&mut noc, 10), [(0, 12), (1, 13), (1, 14)]);
    }

    #[test]
    fn a_full_destination_blocks_its_packets_only() {
        let mut noc = crossbar(2, 2);
        noc.push(0, 0, 1, 0, packet(0));
        noc.push(1, 1, 1, 0, packet(1));
        let mut log = Log {
            closed: Some(0),
            ..Log::default()
        };
        for now in 0..4 {
            log.closed = log.closed.filter(|_| now < 3);
            noc.step(now, &mut log);
        }
        assert_eq!(log.got, [(1, 9), (0, 12)]);
    }

    #[test]
    fn packets_are_as_long_as_what_they_carry() {
        let of = |kind, sectors| Packet {
            kind,
            sectors,
            ..Packet::default()
        };
        let flits = |p: Packet| (p.request_flits(32), p.reply_flits(32, 128));
        assert_eq!(flits(of(Kind::Read, 0b1)), (1, 5));
        assert_eq!(flits(of(Kind::Write, 0b1)), (2, 1));
        assert_eq!(flits(of(Kind::Write, 0b1111)), (5, 1));
        assert_eq!(flits(of(Kind::Atomic, 0b101)), (3, 3));
        assert_eq!(flits(of(Kind::Reduction, 0b101)), (3, 1));
    }
}
