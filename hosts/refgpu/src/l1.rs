//! The L1 data cache of one SM: write-through, write-evict, with MSHR merging (refgpu-M4, refgpu-M6, refgpu-M7, refgpu-M11).
//!
//! The LSU asks for one transaction at a time. A refusal names the resource that is missing and changes nothing; it is the
//! back-pressure of refgpu-M5.

use crate::cache::{Line, Mshrs, Tags};
use crate::config::{self, SetIndex};
use crate::prefetch::LineUse;

/// Why a transaction could not be taken (refgpu-M4), in the order of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Refusal {
    /// The line is in flight and its MSHR is full.
    Merge,
    /// Every way of the set waits for a fill.
    Set,
    /// No MSHR is free.
    Mshr,
    /// The miss queue is full.
    MissQueue,
    /// Memory is saturated, and another warp has the LSU for itself (mascar-R1).
    NotOwner,
}

impl Refusal {
    /// Number of reasons.
    pub const COUNT: usize = 5;
}

/// Where a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// In the cache.
    Present,
    /// On its way to it.
    Pending,
    /// Neither.
    Absent,
}

/// What became of a load transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Data after the hit latency.
    Hit,
    /// Answered by a line already in flight, that of this MSHR.
    Merged(u16),
    /// A request for this MSHR's line has to be sent.
    Miss(u16),
    /// A request has to be sent for this load alone, past the cache.
    Around,
}

counts! {
    /// Transactions of one L1, by outcome.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    pub struct L1Stats {
        /// Load transactions that found their line.
        pub hits: u64,
        /// Load transactions that merged with a line in flight.
        pub merges: u64,
        /// Load transactions that fetched a line.
        pub misses: u64,
        /// Store transactions.
        pub stores: u64,
        /// Atomic transactions.
        pub atomics: u64,
        /// Load transactions of TBs that bypass the cache (refgpu-M9).
        pub bypassed: u64,
    }
}

/// The L1 data cache of one SM. Requests are named by the number of the load that waits.
#[derive(Clone, Debug)]
pub struct L1 {
    tags: Tags,
    mshrs: Mshrs<u16>,
    set_bits: u32,
    index: SetIndex,
    ways: usize,
    /// Which ways hold a prefetched line that no load has wanted yet; without a prefetcher none is looked at.
    unused: Vec<bool>,
    /// What became of prefetched lines.
    pub lines: LineUse,
    /// Transactions so far.
    pub stats: L1Stats,
}

impl L1 {
    /// An empty cache.
    #[must_use]
    pub fn new(config: &config::L1) -> Self {
        Self {
            tags: Tags::new(config.sets, config.ways),
            mshrs: Mshrs::new(config.mshrs, config.merges),
            set_bits: config.sets.trailing_zeros(),
            index: config.index,
            ways: config.ways as usize,
            unused: Vec::new(),
            lines: LineUse::default(),
            stats: L1Stats::default(),
        }
    }

    /// The same, with marks for prefetched lines.
    #[must_use]
    pub fn marking_prefetches(self) -> Self {
        Self { unused: vec![false; self.tags.len()], ..self }
    }

    /// A prefetched line in `way` is unused no longer. Whether it was.
    #[inline]
    fn unmark(&mut self, way: usize) -> bool {
        self.unused.get_mut(way).is_some_and(std::mem::take)
    }

    /// What the cache would say to a load of this line.
    #[must_use]
    pub fn look(&self, line: Line) -> Presence {
        match self.tags.find(self.set(line), line) {
            None => Presence::Absent,
            Some(way) if self.tags.way(way).mshr().is_some() => Presence::Pending,
            Some(_) => Presence::Present,
        }
    }

    /// Whether [`L1::load`] would find room for what this line needs.
    ///
    /// # Errors
    /// The missing resource.
    pub fn room(&self, line: Line, queue_room: usize) -> Result<(), Refusal> {
        let set = self.set(line);
        match self.tags.find(set, line).map(|way| self.tags.way(way).mshr()) {
            Some(None) => Ok(()),
            Some(Some(mshr)) if self.mshrs.can_merge(mshr) => Ok(()),
            Some(Some(_)) => Err(Refusal::Merge),
            None if self.tags.victim(set).is_none() => Err(Refusal::Set),
            None if self.mshrs.free() == 0 => Err(Refusal::Mshr),
            None if queue_room == 0 => Err(Refusal::MissQueue),
            None => Ok(()),
        }
    }

    /// Free MSHRs.
    #[must_use]
    pub fn free_mshrs(&self) -> usize {
        self.mshrs.free()
    }

    /// refgpu-M12: takes an MSHR and a way for a line that nobody has asked for; `None` if it is here or on its way, or finds no place.
    pub fn prefetch(&mut self, line: Line) -> Option<u16> {
        let set = self.set(line);
        if self.tags.find(set, line).is_some() {
            return None;
        }
        let way = self.tags.victim(set)?;
        let mshr = self.mshrs.allocate_for_none(way)?;
        self.lines.evicted += u64::from(self.unmark(way));
        self.tags.replace(way, line);
        self.tags.reserve(way, mshr);
        if let Some(unused) = self.unused.get_mut(way) {
            *unused = true;
        }
        Some(mshr)
    }

    /// refgpu-M4: the set of a line.
    #[must_use]
    pub fn set(&self, line: Line) -> u32 {
        let b = self.set_bits;
        let folded = match self.index {
            SetIndex::Hash => line ^ (line >> b) ^ line.unbounded_shr(2 * b),
            SetIndex::Modulo => line,
        };
        folded & ((1 << b) - 1)
    }

    /// One load transaction, with `queue_room` free places in the miss queue.
    ///
    /// # Errors
    /// The missing resource; nothing has changed.
    #[inline]
    pub fn load(&mut self, line: Line, waiter: u16, queue_room: usize) -> Result<Access, Refusal> {
        let set = self.set(line);
        if let Some(way) = self.tags.find(set, line) {
            let Some(mshr) = self.tags.way(way).mshr() else {
                self.tags.touch(way);
                self.lines.used += u64::from(self.unmark(way));
                self.stats.hits += 1;
                return Ok(Access::Hit);
            };
            if !self.mshrs.merge(mshr, waiter) {
                return Err(Refusal::Merge);
            }
            let is_late = u64::from(self.unmark(way));
            self.lines.used += is_late;
            self.lines.late += is_late;
            self.stats.merges += 1;
            return Ok(Access::Merged(mshr));
        }
        let way = self.tags.victim(set).ok_or(Refusal::Set)?;
        if self.mshrs.free() == 0 {
            return Err(Refusal::Mshr);
        }
        if queue_room == 0 {
            return Err(Refusal::MissQueue);
        }
        let mshr = self.mshrs.allocate(way, waiter).ok_or(Refusal::Mshr)?;
        self.lines.evicted += u64::from(self.unmark(way));
        self.tags.replace(way, line);
        self.tags.reserve(way, mshr);
        self.stats.misses += 1;
        Ok(Access::Miss(mshr))
    }

    /// refgpu-M9: a load transaction of a TB that bypasses the cache: no look-up, no MSHR, no merging.
    ///
    /// # Errors
    /// [`Refusal::MissQueue`]; nothing has changed.
    #[inline]
    pub fn bypass(&mut self, queue_room: usize) -> Result<Access, Refusal> {
        if queue_room == 0 {
            return Err(Refusal::MissQueue);
        }
        self.stats.bypassed += 1;
        Ok(Access::Around)
    }

    /// refgpu-M7, refgpu-M8: a store or atomic transaction passes by and drops the line if it is here.
    ///
    /// # Errors
    /// [`Refusal::MissQueue`]; nothing has changed.
    #[inline]
    pub fn write(&mut self, line: Line, atomic: bool, queue_room: usize) -> Result<(), Refusal> {
        if queue_room == 0 {
            return Err(Refusal::MissQueue);
        }
        let set = self.set(line);
        if let Some(way) = self.tags.find(set, line).filter(|&way| self.tags.way(way).mshr().is_none()) {
            self.tags.drop_line(way);
            self.lines.evicted += u64::from(self.unmark(way));
        }
        *(if atomic { &mut self.stats.atomics } else { &mut self.stats.stores }) += 1;
        Ok(())
    }

    /// The set of a line in flight, and the loads that wait for it so far.
    #[must_use]
    #[inline]
    pub fn in_flight(&self, mshr: u16) -> (u32, &[u16]) {
        let (way, waiters) = self.mshrs.get(mshr);
        ((way / self.ways) as u32, waiters)
    }

    /// refgpu-M6: a line has arrived. Returns the loads that waited for it, in order of arrival.
    #[inline]
    pub fn fill(&mut self, mshr: u16) -> &[u16] {
        let (way, waiters) = self.mshrs.complete(mshr);
        self.tags.fill(way, 1);
        waiters
    }

    /// refgpu-M11, refgpu-M15: a host kernel starts, which leaves so many ways of each set.
    pub fn clear(&mut self, ways: u32) {
        self.tags.clear();
        self.tags.use_ways(ways as usize);
        for (way, unused) in self.unused.iter_mut().enumerate() {
            *unused &= self.tags.way(way).mshr().is_some();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GpuConfig;

    fn l1(change: &[(&str, &str)]) -> L1 {
        let mut config = GpuConfig::preset("k20c").unwrap();
        for (key, word) in change {
            config.set(key, word).unwrap();
        }
        L1::new(&config.l1)
    }

    #[test]
    fn a_line_misses_then_merges_then_hits() {
        let mut l1 = l1(&[]);
        let Ok(Access::Miss(mshr)) = l1.load(5, 1, 1) else { panic!("first access") };
        assert_eq!(l1.load(5, 2, 0), Ok(Access::Merged(mshr)));
        assert_eq!(l1.in_flight(mshr), (5, &[1, 2][..]));
        assert_eq!(l1.fill(mshr), [1, 2]);
        assert_eq!(l1.load(5, 3, 0), Ok(Access::Hit));
        assert_eq!((l1.stats.hits, l1.stats.merges, l1.stats.misses), (1, 1, 1));
    }

    #[test]
    fn refusals_come_in_the_order_merge_set_mshr_queue_and_change_nothing() {
        let mut one = l1(&[("l1.sets", "1"), ("l1.ways", "1"), ("l1.mshrs", "1"), ("l1.merges", "1")]);
        assert_eq!(one.load(5, 1, 0), Err(Refusal::MissQueue));
        let Ok(Access::Miss(mshr)) = one.load(5, 1, 1) else { panic!("room for one") };
        assert_eq!(one.load(5, 2, 0), Err(Refusal::Merge));
        assert_eq!(one.load(6, 2, 0), Err(Refusal::Set));
        assert_eq!(one.fill(mshr), [1]);
        let mut wide = l1(&[("l1.mshrs", "1")]);
        assert!(wide.load(5, 1, 1).is_ok());
        assert_eq!(wide.load(6, 2, 0), Err(Refusal::Mshr));
        assert_eq!(wide.stats.misses, 1);
    }

    #[test]
    fn stores_evict_the_line_but_not_one_in_flight() {
        let mut l1 = l1(&[]);
        let Ok(Access::Miss(mshr)) = l1.load(5, 1, 1) else { panic!("first access") };
        assert_eq!(l1.write(5, false, 1), Ok(()));
        assert_eq!(l1.fill(mshr), [1]);
        assert_eq!(l1.load(5, 1, 0), Ok(Access::Hit));
        assert_eq!(l1.write(5, false, 0), Err(Refusal::MissQueue));
        assert_eq!(l1.load(5, 1, 0), Ok(Access::Hit));
        assert_eq!(l1.write(5, true, 1), Ok(()));
        assert!(matches!(l1.load(5, 1, 1), Ok(Access::Miss(_))));
    }

    #[test]
    fn the_set_index_spreads_strides_of_the_set_count() {
        let l1 = l1(&[]);
        let sets: std::collections::BTreeSet<_> = (0..32).map(|i| l1.set(i * 32)).collect();
        assert_eq!(sets.len(), 32);
        assert_eq!(l1.set(0b10101_00011_01000), 0b10101 ^ 0b00011 ^ 0b01000);
    }

    #[test]
    fn a_kernel_leaves_some_ways_of_each_set() {
        let mut l1 = l1(&[("l1.sets", "1"), ("l1.ways", "4")]);
        let mut all_hit = |lines: u32, ways: u32| {
            l1.clear(ways);
            let mut load = |line: u32| match l1.load(line, 1, 1) {
                Ok(Access::Miss(mshr)) => {
                    l1.fill(mshr);
                    false
                }
                access => access == Ok(Access::Hit),
            };
            let cold = (0..lines).filter(|&line| load(line)).count();
            cold == 0 && (0..lines).all(load)
        };
        assert!(all_hit(4, 4) && all_hit(3, 3) && !all_hit(4, 3) && all_hit(1, 1) && all_hit(4, 4));
    }

    #[test]
    fn a_host_kernel_finds_the_cache_empty() {
        let mut l1 = l1(&[]);
        let Ok(Access::Miss(mshr)) = l1.load(5, 1, 1) else { panic!("first access") };
        l1.fill(mshr);
        l1.clear(4);
        assert!(matches!(l1.load(5, 1, 1), Ok(Access::Miss(_))));
    }
}
