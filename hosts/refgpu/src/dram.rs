//! One DRAM channel: FR-FCFS over a queue of line requests, with bank timing in command cycles (refgpu-N4).
//!
//! Each command cycle carries one command. Column commands come first: the oldest request to an open row whose bank is ready.
//! Else a row command: in order of age, each bank serves the first request that waits for it, but keeps its row while any
//! request to that row waits. The channel sleeps until the next cycle in which a command is possible.

use crate::config;
use crate::ring::Ring;
use crate::units::members;

/// A request for (part of) a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Line number within the channel.
    pub line: u32,
    /// Bursts still to move.
    pub bursts: u8,
    /// Data to DRAM.
    pub write: bool,
    /// Who asked: L2 bank within the channel.
    pub bank: u8,
    /// The L2 MSHR that waits, for reads.
    pub mshr: u16,
}

/// A line that DRAM has read, for an L2 bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Returned {
    /// Command cycle after the last data.
    pub tick: u64,
    /// L2 bank within the channel.
    pub bank: u8,
    /// The MSHR that waits.
    pub mshr: u16,
}

counts! {
    /// Commands and cycles of a channel.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    pub struct DramStats {
        /// Read commands (one burst each).
        pub reads: u64,
        /// Write commands.
        pub writes: u64,
        /// Activations.
        pub activations: u64,
        /// Precharges.
        pub precharges: u64,
        /// Command cycles with a request in the queue.
        pub pending_cycles: u64,
    }
}

const CLOSED: u32 = u32::MAX;
const MAX_BANKS: usize = 32;

#[derive(Clone, Copy, Debug)]
struct Bank {
    row: u32,
    /// Earliest activation, precharge and column command.
    activate: u64,
    precharge: u64,
    column: u64,
}

/// A DRAM channel. Times are command cycles, which only grow.
#[derive(Clone, Debug)]
pub struct Channel {
    t: config::Dram,
    row_shift: u32,
    chunk_shift: u32,
    /// Requests by age, with their bank and row.
    requests: Vec<Request>,
    place: Vec<(u8, u32)>,
    /// Requests, by age, whose row is open.
    hits: u64,
    banks: [Bank; MAX_BANKS],
    /// Requests of each bank, by age.
    of_bank: [u64; MAX_BANKS],
    groups: [u64; MAX_BANKS],
    activate: u64,
    column: u64,
    read: u64,
    write: u64,
    pending_since: u64,
    next: u64,
    /// Look in every command cycle, also where nothing can happen.
    pub(crate) always: bool,
    returned: Ring<Returned>,
    stats: DramStats,
}

impl Channel {
    /// An idle channel with closed rows.
    pub fn new(config: &config::Dram, line_bytes: u32) -> Self {
        let idle = Bank { row: CLOSED, activate: 0, precharge: 0, column: 0 };
        let queue = config.queue as usize;
        Self {
            t: config.clone(),
            row_shift: (config.row / line_bytes).trailing_zeros(),
            chunk_shift: (config.interleave / line_bytes).trailing_zeros(),
            requests: Vec::with_capacity(queue),
            place: Vec::with_capacity(queue),
            hits: 0,
            banks: [idle; MAX_BANKS],
            of_bank: [0; MAX_BANKS],
            groups: [0; MAX_BANKS],
            activate: 0,
            column: 0,
            read: 0,
            write: 0,
            pending_since: 0,
            next: u64::MAX,
            always: false,
            returned: Ring::new(queue * 4),
            stats: DramStats::default(),
        }
    }

    /// Free places in the queue.
    #[inline]
    pub fn room(&self) -> usize {
        self.t.queue as usize - self.requests.len()
    }

    /// The next command cycle in which a command may be possible.
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Adds a request, visible from command cycle `tick` on. The caller has asked for [`Channel::room`].
    pub fn push(&mut self, tick: u64, request: Request) {
        if self.requests.is_empty() {
            self.pending_since = tick;
        }
        let (bank, row) = self.locate(request.line);
        let youngest = 1 << self.requests.len();
        self.of_bank[bank] |= youngest;
        if self.banks[bank].row == row {
            self.hits |= youngest;
        }
        self.requests.push(request);
        self.place.push((bank as u8, row));
        self.next = self.next.min(tick);
    }

    /// Bank and row of a line. The lowest bank bit is above the 256-byte chunks that go to one channel, as in the public GTX 480
    /// file, so that a stream alternates between two bank groups; with all bank bits above the row's 4 KB it would be bound by
    /// CCDL. The other bank bits are above the columns.
    fn locate(&self, line: u32) -> (usize, u32) {
        let chunk = self.chunk_shift;
        let low = line >> chunk & 1;
        let column_and_up = line >> (chunk + 1) << chunk | line & ((1 << chunk) - 1);
        let number = column_and_up >> self.row_shift;
        let high = number & (self.t.banks / 2 - 1);
        ((high * 2 + low) as usize, number / (self.t.banks / 2))
    }

    /// The line that DRAM returned longest ago and nobody has taken.
    #[inline]
    pub fn returned(&self) -> Option<&Returned> {
        self.returned.front()
    }

    /// Takes it.
    pub fn take_returned(&mut self) {
        self.returned.pop();
    }

    /// Carries out every command cycle up to `limit`. Returns whether a place in the queue became free.
    pub fn run(&mut self, limit: u64) -> bool {
        let before = self.requests.len();
        while self.next <= limit {
            let next = self.step(self.next);
            self.next = if self.always && next != u64::MAX { self.next + 1 } else { next };
        }
        self.requests.len() < before
    }

    /// Statistics up to command cycle `tick`.
    pub fn stats(&self, tick: u64) -> DramStats {
        let open = if self.requests.is_empty() { 0 } else { tick.saturating_sub(self.pending_since) };
        DramStats { pending_cycles: self.stats.pending_cycles + open, ..self.stats }
    }

    /// One command cycle; returns the next one worth looking at.
    fn step(&mut self, tick: u64) -> u64 {
        let column = self.column_command(tick);
        if column == tick {
            return if self.requests.is_empty() { u64::MAX } else { tick + 1 };
        }
        let row = self.row_command(tick);
        if row == tick { tick + 1 } else { column.min(row) }
    }

    /// Issues a column command if one is possible and returns `tick`; else returns when the first will be.
    fn column_command(&mut self, tick: u64) -> u64 {
        let mut earliest = u64::MAX;
        if self.hits == 0 {
            return earliest;
        }
        if self.column > tick {
            return self.column;
        }
        for i in members(0, self.hits) {
            let bank = self.place[i].0 as usize;
            let group = bank & (self.t.groups as usize - 1);
            let turn = if self.requests[i].write { self.write } else { self.read };
            let ready = self.banks[bank].column.max(self.groups[group]).max(turn);
            if ready <= tick {
                self.issue_column(i, tick);
                return tick;
            }
            earliest = earliest.min(ready);
        }
        earliest
    }

    fn issue_column(&mut self, i: usize, tick: u64) {
        let t = &self.t;
        let cycles = |n: u32| u64::from(n);
        let request = &mut self.requests[i];
        let bank = self.place[i].0 as usize;
        self.column = tick + cycles(t.ccd.max(t.burst_cycles));
        self.groups[bank & (t.groups as usize - 1)] = tick + cycles(t.ccdl.max(t.burst_cycles));
        let state = &mut self.banks[bank];
        if request.write {
            let end = tick + cycles(t.wl + t.burst_cycles);
            self.stats.writes += 1;
            self.read = self.read.max(end + cycles(t.cdlr));
            state.precharge = state.precharge.max(end + cycles(t.wr));
        } else {
            self.stats.reads += 1;
            // The data bus must be free of read data when write data come.
            self.write = self.write.max(tick + cycles((t.cl + t.burst_cycles).saturating_sub(t.wl)));
            state.precharge = state.precharge.max(tick + cycles(t.rtpl));
        }
        request.bursts -= 1;
        if request.bursts > 0 {
            return;
        }
        if !request.write {
            let done = tick + cycles(t.cl + t.burst_cycles);
            self.returned.push(Returned { tick: done, bank: request.bank, mshr: request.mshr });
        }
        self.hits = without(self.hits, i);
        self.of_bank = self.of_bank.map(|set| without(set, i));
        self.requests.copy_within(i + 1.., i);
        self.place.copy_within(i + 1.., i);
        self.requests.pop();
        self.place.pop();
        if self.requests.is_empty() {
            self.stats.pending_cycles += tick + 1 - self.pending_since;
        }
    }

    /// Issues a row command if one is possible and returns `tick`; else returns when the first will be.
    fn row_command(&mut self, tick: u64) -> u64 {
        let mut earliest = u64::MAX;
        // The oldest request of each bank that has none whose row is open.
        let oldest = |&of_bank: &u64| if of_bank & self.hits == 0 { of_bank & of_bank.wrapping_neg() } else { 0 };
        let oldest = self.of_bank.iter().map(oldest).fold(0, |all, one| all | one);
        for i in members(0, oldest) {
            let (bank, row) = self.place[i];
            let b = bank as usize;
            let state = &mut self.banks[b];
            let open = state.row != CLOSED;
            let ready = if open { state.precharge } else { state.activate.max(self.activate) };
            if ready > tick {
                earliest = earliest.min(ready);
            } else if open {
                state.row = CLOSED;
                state.activate = state.activate.max(tick + u64::from(self.t.rp));
                self.stats.precharges += 1;
                return tick;
            } else {
                self.activate(b, row, tick);
                return tick;
            }
        }
        earliest
    }

    fn activate(&mut self, bank: usize, row: u32, tick: u64) {
        let t = &self.t;
        let state = &mut self.banks[bank];
        state.row = row;
        state.column = tick + u64::from(t.rcd);
        state.precharge = tick + u64::from(t.ras);
        state.activate = tick + u64::from(t.rc);
        self.activate = tick + u64::from(t.rrd);
        self.stats.activations += 1;
        for i in members(0, self.of_bank[bank]) {
            self.hits |= u64::from(self.place[i].1 == row) << i;
        }
    }
}

/// The set without its member of this age; the younger ones move up.
fn without(set: u64, age: usize) -> u64 {
    let older = (1 << age) - 1;
    set & older | set >> 1 & !older
}

#[cfg(test)]
mod tests;
