//! Everything beyond the L1s: two crossbars, L2 banks and DRAM channels, and their clocks (refgpu-T1, refgpu-N2).
//!
//! SMs hand in requests with [`Memory::send`]; [`Memory::step`] carries out one cycle in the order DRAM, L2, network, and tells of
//! replies as soon as their arrival is known. The front end has a port of its own, behind those of the SMs (refgpu-N1).
//!
//! All of it is one domain with a clock of its own (refgpu-V2), whose nominal frequency is that of the SMs; DRAM keeps its ratio to it.
//! Outside, times are beats, here called `at`; inside, `now` is the domain's own cycle. A packet that has left the network keeps its
//! time of arrival when the clock changes.

mod flat;

pub use flat::{Flat, FlatStats};

use crate::agenda::Agenda;
use crate::cache::Line;
use crate::clock::{Clock, Pace};
use crate::config::GpuConfig;
use crate::dram::{Channel, DramStats};
use crate::l2::{Bank, L2Stats};
use crate::noc::{Crossbar, Delivery, Destination, Kind, NocStats, Packet};

/// refgpu-N2: where a line lives.
#[derive(Clone, Debug)]
pub struct AddressMap {
    chunk_shift: u32,
    channels: u32,
    banks_per_channel: u32,
}

impl AddressMap {
    fn new(config: &GpuConfig) -> Self {
        Self {
            chunk_shift: (config.dram.interleave / config.l1.line).trailing_zeros(),
            channels: config.dram.channels,
            banks_per_channel: config.l2.banks / config.dram.channels,
        }
    }

    /// The L2 bank of a line, and its line number within the DRAM channel.
    #[inline]
    pub fn locate(&self, line: Line) -> (u8, u32) {
        let chunk = line >> self.chunk_shift;
        let (row, channel) = (chunk / self.channels, chunk % self.channels);
        let local = row << self.chunk_shift | (line & ((1 << self.chunk_shift) - 1));
        ((channel * self.banks_per_channel + local % self.banks_per_channel) as u8, local)
    }
}

/// The two clocks at the nominal level, in femtoseconds per cycle (refgpu-T1). Cycle n is at n periods; of equal instants DRAM's is first.
#[derive(Clone, Copy, Debug)]
struct Clocks {
    core: u64,
    dram: u64,
}

impl Clocks {
    fn new(config: &GpuConfig) -> Self {
        let period = |mhz: u32| 1_000_000_000 / u64::from(mhz);
        Self { core: period(config.sm.clock_mhz), dram: period(config.dram.clock_mhz) }
    }

    /// The last command cycle that is not after the domain's cycle `cycle`.
    fn tick(self, cycle: u64) -> u64 {
        cycle * self.core / self.dram
    }

    /// The first cycle of the domain that is not before command cycle `tick`.
    fn cycle(self, tick: u64) -> u64 {
        if tick == u64::MAX { tick } else { (tick * self.dram).div_ceil(self.core) }
    }
}

/// A reply on its way to an SM, or to the front end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reply {
    /// Beat of arrival.
    pub at: u64,
    /// The SM; the number of SMs is the front end.
    pub sm: u16,
    /// The SM's own name for the request.
    pub id: u16,
    /// What it brings.
    pub answer: Answer,
}

/// What a reply brings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// A line.
    #[default]
    Line,
    /// Old values of an atomic.
    Old,
    /// A line for one load that bypasses L1; so called by the LSU, which has asked for it.
    Around,
    /// That a store, or an atomic without result, was carried out.
    Written,
}

impl Answer {
    /// The answer to a request.
    pub const fn to(kind: Kind) -> Self {
        match kind {
            Kind::Read | Kind::Fetch => Self::Line,
            Kind::Atomic => Self::Old,
            Kind::Write | Kind::Reduction => Self::Written,
        }
    }
}

/// Everything beyond the L1s.
#[derive(Clone, Debug)]
pub struct Memory {
    map: AddressMap,
    clock: Clock,
    clocks: Clocks,
    flit_bytes: u32,
    banks_per_channel: usize,
    way_back: u64,
    request: Crossbar,
    reply: Crossbar,
    banks: Vec<Bank>,
    channels: Vec<Channel>,
    /// Cycle of each channel's next command and of its next returned line.
    command_at: Vec<u64>,
    return_at: Vec<u64>,
    /// The earliest of all these.
    dram_at: u64,
    /// When each bank has to be looked at.
    agenda: Agenda,
    /// SMs that found their port full.
    port_full: Vec<bool>,
    next: u64,
    always: bool,
    line_bytes: u32,
    /// SMs wait for their stores.
    acknowledges: bool,
    /// In the place of all the rest (refgpu-N5).
    flat: Option<Flat>,
}

impl Memory {
    /// An idle memory system with empty caches.
    pub fn new(config: &GpuConfig) -> Self {
        let (sms, banks, channels) =
            (config.sm.count as usize, config.l2.banks as usize, config.dram.channels as usize);
        Self {
            map: AddressMap::new(config),
            clock: Clock::new(config.paces().level(config.vf.mem)),
            clocks: Clocks::new(config),
            flit_bytes: config.noc.flit_bytes,
            banks_per_channel: banks / channels,
            way_back: u64::from(config.dram.latency + config.dram.extra),
            request: Crossbar::new(sms + 1, banks, &config.noc),
            reply: Crossbar::new(banks, sms + 1, &config.noc),
            banks: (0..config.l2.banks).map(|b| Bank::new(config, b)).collect(),
            channels: vec![Channel::new(&config.dram, config.l1.line); channels],
            command_at: vec![u64::MAX; channels],
            return_at: vec![u64::MAX; channels],
            dram_at: u64::MAX,
            agenda: Agenda::new(banks),
            port_full: vec![false; sms],
            next: u64::MAX,
            always: false,
            line_bytes: config.l1.line,
            acknowledges: config.l1.write_mshrs > 0,
            flat: config.flat.enabled.then(|| Flat::new(&config.flat)),
        }
    }

    /// From now on every unit is looked at in every cycle. No count may tell the difference (refgpu-T3).
    pub fn step_always(&mut self) {
        self.always = true;
        self.request.always = true;
        self.reply.always = true;
        self.channels.iter_mut().for_each(|c| c.always = true);
    }

    /// The next beat at which something beyond the L1s happens.
    #[inline]
    pub fn next(&self) -> u64 {
        self.clock.at(self.next)
    }

    /// After beat `at` the clock runs at this pace (refgpu-V2): the next beat is one of its own cycles.
    pub fn set_pace(&mut self, at: u64, pace: Pace) {
        self.clock.change(at + 1, pace);
    }

    /// Hands a request to the network, which sees it in its next cycle after beat `at`. `false` if the port is full; an SM is woken
    /// when that has changed, the front end has to try again.
    pub fn send(&mut self, at: u64, line: Line, mut packet: Packet) -> bool {
        let sm = packet.sm as usize;
        if let Some(flat) = &mut self.flat {
            let answer = Answer::to(packet.kind);
            let waits = answer != Answer::Written || self.acknowledges || sm == self.port_full.len();
            let reply = waits.then_some(Reply { at: 0, sm: packet.sm, id: packet.id, answer });
            let bytes = if packet.kind == Kind::Read { self.line_bytes } else { packet.sectors.count_ones() * 32 };
            let seen = self.clock.first(at + 1);
            flat.request(seen - 1, bytes, !packet.kind.is_read(), reply);
            self.next = self.next.min(seen);
            return true;
        }
        let (bank, local) = self.map.locate(line);
        packet.bank = bank;
        packet.line = local;
        let flits = packet.request_flits(self.flit_bytes);
        let sent = self.request.push(sm, bank as usize, flits, self.clock.first(at + 1), packet);
        if let Some(full) = self.port_full.get_mut(sm) {
            *full = !sent;
        }
        self.next = self.next.min(self.request.next());
        sent
    }

    /// One cycle, if one is at beat `at`. Adds replies to `sent`, and enters an SM whose full port has room again in `wake`.
    pub fn step(&mut self, at: u64, wake: &mut Agenda, sent: &mut Vec<Reply>) {
        let Ok(now) = self.clock.tick(at) else { return };
        if now < self.next && !self.always {
            return;
        }
        if let Some(flat) = &mut self.flat {
            sent.extend(flat.replies().map(|reply| Reply { at: self.clock.at(reply.at), ..reply }));
            self.next = u64::MAX;
            return;
        }
        if self.dram_at <= now || self.always {
            self.run_dram(now);
        }
        if self.always {
            (0..self.banks.len()).for_each(|b| self.run_bank(b, now));
        }
        for word in 0..self.agenda.words() {
            for b in self.agenda.take(now, word) {
                if self.agenda.confirm(b, now) {
                    self.run_bank(b, now);
                }
            }
        }
        self.run_network(now, at, wake, sent);
        self.next = self.agenda.next(now).min(self.request.next()).min(self.reply.next()).min(self.dram_at);
    }

    fn run_dram(&mut self, now: u64) {
        self.dram_at = u64::MAX;
        for c in 0..self.channels.len() {
            let at = |memory: &Self| memory.command_at[c].min(memory.return_at[c]);
            if at(self) <= now || self.always {
                self.run_channel(c, now);
            }
            self.dram_at = self.dram_at.min(at(self));
        }
    }

    fn run_channel(&mut self, c: usize, now: u64) {
        let first = c * self.banks_per_channel;
        let channel = &mut self.channels[c];
        if self.command_at[c] <= now {
            if channel.run(self.clocks.tick(now)) {
                for b in first..first + self.banks_per_channel {
                    if self.banks[b].dram_has_room(now) {
                        self.agenda.lower(b, now, now);
                    }
                }
            }
            self.command_at[c] = self.clocks.cycle(channel.next());
            if self.return_at[c] == u64::MAX {
                self.return_at[c] = return_time(channel, self.clocks, self.way_back);
            }
        }
        while self.return_at[c] <= now {
            if let Some(r) = channel.returned().copied() {
                channel.take_returned();
                let b = first + r.bank as usize;
                self.banks[b].fill(now, r.mshr);
                self.agenda.lower(b, now, now);
            }
            self.return_at[c] = return_time(channel, self.clocks, self.way_back);
        }
    }

    fn run_bank(&mut self, b: usize, now: u64) {
        let bank = &mut self.banks[b];
        let replies = bank.send_reply(now, &mut self.reply);
        let requests = if bank.request_at() <= now || self.always {
            let c = b / self.banks_per_channel;
            let dram = &mut self.channels[c];
            let before = dram.next();
            let next = bank.step(now, dram, || self.clocks.tick(now) + 1);
            if dram.next() != before {
                self.command_at[c] = self.clocks.cycle(dram.next());
                self.dram_at = self.dram_at.min(self.command_at[c]);
            }
            next
        } else {
            bank.request_at()
        };
        // An access may have put the first reply into the queue.
        let next = requests.min(replies.min(bank.reply_at().max(now + 1)));
        self.agenda.set(b, next, now);
    }

    fn run_network(&mut self, now: u64, at: u64, wake: &mut Agenda, sent: &mut Vec<Reply>) {
        let Self { clock, request, reply, banks, agenda, port_full, acknowledges, .. } = self;
        let (front_end, acknowledges) = (port_full.len(), *acknowledges);
        request.step(now, &mut ToBanks { banks, agenda, port_full, now, wake, at });
        reply.step(now, &mut ToSms { clock, sent, front_end, acknowledges });
    }

    /// Whether a request of beat `at` would have to wait for memory's bandwidth; only a flat memory can tell.
    pub fn is_busy(&self, at: u64) -> bool {
        self.flat.as_ref().is_some_and(|flat| flat.is_busy(self.clock.first(at)))
    }

    /// What a flat memory moved.
    pub fn flat_stats(&self) -> Option<FlatStats> {
        self.flat.as_ref().map(|flat| flat.stats)
    }

    /// Sums over the banks.
    pub fn l2_stats(&self) -> L2Stats {
        self.banks.iter().map(|bank| bank.stats).sum()
    }

    /// Sums over the channels, up to beat `until`.
    pub fn dram_stats(&self, until: u64) -> DramStats {
        let tick = self.command_cycles(until);
        self.channels.iter().map(|channel| channel.stats(tick)).sum()
    }

    /// Traffic of the request and the reply crossbar.
    pub fn noc_stats(&self) -> (NocStats, NocStats) {
        (self.request.stats, self.reply.stats)
    }

    /// Command cycles before beat `until`.
    pub fn command_cycles(&self, until: u64) -> u64 {
        self.clocks.tick(self.clock.first(until))
    }
}

/// Behind the request crossbar.
struct ToBanks<'a> {
    banks: &'a mut [Bank],
    agenda: &'a mut Agenda,
    port_full: &'a mut [bool],
    now: u64,
    wake: &'a mut Agenda,
    at: u64,
}

impl Destination for ToBanks<'_> {
    #[inline]
    fn accepts(&self, bank: usize) -> bool {
        self.banks[bank].accepts()
    }

    #[inline]
    fn deliver(&mut self, d: Delivery) {
        let look = self.banks[d.output].accept(d.arrives, d.packet);
        self.agenda.lower(d.output, look, self.now);
        if let Some(full) = self.port_full.get_mut(d.input)
            && std::mem::take(full)
        {
            self.wake.lower(d.input, self.at, self.at);
        }
    }
}

/// Behind the reply crossbar.
struct ToSms<'a> {
    clock: &'a Clock,
    sent: &'a mut Vec<Reply>,
    front_end: usize,
    acknowledges: bool,
}

impl Destination for ToSms<'_> {
    #[inline]
    fn accepts(&self, _: usize) -> bool {
        true
    }

    #[inline]
    fn deliver(&mut self, d: Delivery) {
        let answer = Answer::to(d.packet.kind);
        // Otherwise only the front end waits for acknowledgements (refgpu-M7; dats-M4).
        if answer == Answer::Written && d.output != self.front_end && !self.acknowledges {
            return;
        }
        self.sent.push(Reply { at: self.clock.at(d.arrives), sm: d.output as u16, id: d.packet.id, answer });
    }
}

/// Cycle in which the channel's next returned line reaches its bank: data, then the fixed way back (refgpu-N4).
fn return_time(channel: &Channel, clocks: Clocks, way_back: u64) -> u64 {
    channel.returned().map_or(u64::MAX, |r| clocks.cycle(r.tick) + way_back)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_interleave_by_256_bytes_over_channels_and_by_line_over_a_channels_banks() {
        let map = AddressMap::new(&GpuConfig::preset("k20c").unwrap());
        let at = |address: u64| map.locate((address / 128) as Line);
        assert_eq!(at(0), (0, 0));
        assert_eq!(at(128), (1, 1));
        assert_eq!(at(256), (2, 0));
        assert_eq!(at(5 * 256), (0, 2));
        // floor(a / (256 C)) * 256 + a mod 256, in lines, for a = 1,000,064: channel 3906 mod 5 = 1, odd line.
        assert_eq!(at(1_000_064), (3, ((1_000_064 / 1280) * 256 + 1_000_064 % 256) / 128));
    }

    #[test]
    fn clocks_agree_at_every_instant() {
        let clocks = Clocks { core: 1_416_430, dram: 769_230 };
        for tick in 0..2000 {
            let cycle = clocks.cycle(tick);
            assert!(clocks.tick(cycle) >= tick && (cycle == 0 || clocks.tick(cycle - 1) < tick));
        }
    }
}
