//! Memory without L2 and DRAM channels: a fixed latency, and a bandwidth at which requests queue (refgpu-N5).

use crate::config;
use crate::memory::Reply;

/// What the memory moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FlatStats {
    /// Lines read.
    pub reads: u64,
    /// Stores and atomics.
    pub writes: u64,
    /// Bytes moved, both ways.
    pub bytes: u64,
    /// Cycles that requests waited for the bus, summed.
    pub queued: u64,
}

/// One bus. Requests take it in the order in which they come.
#[derive(Clone, Debug)]
pub struct Flat {
    latency: u64,
    bytes_per_cycle: u64,
    /// The bus is free from here on, in bytes that it could have moved since cycle 0.
    free: u64,
    /// Replies whose time is known and that nobody was told of.
    untold: Vec<Reply>,
    /// What was moved.
    pub stats: FlatStats,
}

impl Flat {
    /// From the issue of a load to its request's way out, and from the arrival of its line to its registers, it is a cycle each.
    const WAYS: u64 = 2;

    /// An idle bus.
    pub fn new(config: &config::Flat) -> Self {
        Self {
            latency: u64::from(config.latency) - Self::WAYS,
            bytes_per_cycle: config.bytes_per_cycle.into(),
            free: 0,
            untold: Vec::new(),
            stats: FlatStats::default(),
        }
    }

    /// Whether a request of cycle `now` would wait for the bus.
    pub fn is_busy(&self, now: u64) -> bool {
        self.free > now * self.bytes_per_cycle
    }

    /// A request of cycle `now` that moves so many bytes; `reply` is told its time.
    pub fn request(&mut self, now: u64, bytes: u32, write: bool, reply: Option<Reply>) {
        let asked = now * self.bytes_per_cycle;
        let start = self.free.max(asked);
        self.free = start + u64::from(bytes);
        let queued = (start - asked).div_ceil(self.bytes_per_cycle);
        self.stats.queued += queued;
        self.stats.bytes += u64::from(bytes);
        *(if write { &mut self.stats.writes } else { &mut self.stats.reads }) += 1;
        self.untold.extend(reply.map(|reply| Reply { at: now + queued + self.latency, ..reply }));
    }

    /// Tells of replies that nobody was told of, in cycles of the memory's clock.
    pub fn replies(&mut self) -> impl Iterator<Item = Reply> {
        self.untold.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GpuConfig;

    #[test]
    fn lines_take_turns_on_the_bus() {
        let mut flat = Flat::new(&GpuConfig::preset("apogee").unwrap().flat);
        for id in 0..4 {
            flat.request(100, 32, id == 3, Some(Reply { id, ..Reply::default() }));
        }
        assert!(flat.is_busy(110) && !flat.is_busy(111), "128 bytes at 12 per cycle");
        flat.request(200, 32, false, None);
        let sent: Vec<_> = flat.replies().collect();
        assert_eq!(sent.iter().map(|r| r.at - 498).collect::<Vec<_>>(), [0, 3, 6, 8]);
        assert_eq!(flat.stats, FlatStats { reads: 4, writes: 1, bytes: 160, queued: 17 });
    }
}
