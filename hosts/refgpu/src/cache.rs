//! What both cache levels are made of: a set-associative tag array with LRU order, and miss status holding registers.
//!
//! [`Tags`] knows lines, ways and 32-byte sectors; [`Mshrs`] knows who waits for a line in flight. The rules that join them are
//! those of the level: `l1.rs` (refgpu-M4) and `l2.rs` (refgpu-N3).

/// A line number: address divided by the line size.
pub type Line = u32;

/// No MSHR.
pub const NO_MSHR: u16 = u16::MAX;

/// Everything about one way but its line number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Valid 32-byte sectors, one bit each.
    pub valid: u8,
    /// Sectors newer than the next level's.
    pub dirty: u8,
    mshr: u16,
}

impl Way {
    const EMPTY: Self = Self { valid: 0, dirty: 0, mshr: NO_MSHR };

    /// The MSHR that will fill this way, if one will: such a way is reserved and no victim.
    #[inline]
    pub fn mshr(&self) -> Option<u16> {
        (self.mshr != NO_MSHR).then_some(self.mshr)
    }
}

const NO_LINE: Line = Line::MAX;
const RESERVED: u64 = u64::MAX;

/// A set-associative tag array with LRU order.
#[derive(Clone, Debug)]
pub struct Tags {
    ways: usize,
    /// Ways of a set that lines are put into, the first ones.
    in_use: usize,
    lines: Vec<Line>,
    /// Order of last use; 0 for an empty way, [`RESERVED`] for a reserved one, whose order is in `before`.
    used: Vec<u64>,
    before: Vec<u64>,
    state: Vec<Way>,
    clock: u64,
}

impl Tags {
    /// An empty array of `sets` x `ways`.
    pub fn new(sets: u32, ways: u32) -> Self {
        let n = sets as usize * ways as usize;
        Self {
            ways: ways as usize,
            in_use: ways as usize,
            lines: vec![NO_LINE; n],
            used: vec![0; n],
            before: vec![0; n],
            state: vec![Way::EMPTY; n],
            clock: 0,
        }
    }

    /// From now on lines are put into so many ways of each set, at most all; lines in others stay where they are.
    pub fn use_ways(&mut self, ways: usize) {
        self.in_use = ways.min(self.ways);
    }

    /// Ways of all sets.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Where `line` is in `set`.
    #[inline]
    pub fn find(&self, set: u32, line: Line) -> Option<usize> {
        let base = set as usize * self.ways;
        self.lines[base..base + self.ways].iter().position(|&l| l == line).map(|way| base + way)
    }

    /// The way that a new line of `set` would take: the first empty one, else the least recently used one that is not reserved.
    #[inline]
    pub fn victim(&self, set: u32) -> Option<usize> {
        let base = set as usize * self.ways;
        let (mut least, mut victim) = (RESERVED, 0);
        for (way, &used) in self.used[base..base + self.in_use].iter().enumerate() {
            (least, victim) = if used < least { (used, way) } else { (least, victim) };
        }
        (least != RESERVED).then_some(base + victim)
    }

    /// Puts `line` into `way`, empty and most recently used. Returns the line that was there.
    pub fn replace(&mut self, way: usize, line: Line) -> Option<(Line, Way)> {
        let old = (self.lines[way], self.state[way]);
        self.lines[way] = line;
        self.state[way] = Way::EMPTY;
        self.touch(way);
        (old.0 != NO_LINE).then_some(old)
    }

    /// `mshr` will fill `way`.
    pub fn reserve(&mut self, way: usize, mshr: u16) {
        self.state[way].mshr = mshr;
        self.before[way] = self.used[way];
        self.used[way] = RESERVED;
    }

    /// The line of a reserved way is here, with these sectors. Its place in the order of use is that of its request.
    pub fn fill(&mut self, way: usize, sectors: u8) -> &mut Way {
        self.used[way] = self.before[way];
        let state = &mut self.state[way];
        state.mshr = NO_MSHR;
        state.valid = sectors;
        state
    }

    /// Makes `way` the most recently used of its set.
    #[inline]
    pub fn touch(&mut self, way: usize) {
        self.clock += 1;
        let order = if self.state[way].mshr == NO_MSHR { &mut self.used } else { &mut self.before };
        order[way] = self.clock;
    }

    /// Forgets the line in `way`.
    pub fn drop_line(&mut self, way: usize) {
        self.lines[way] = NO_LINE;
        self.state[way] = Way::EMPTY;
        self.used[way] = 0;
    }

    /// Forgets every line that is not reserved.
    pub fn clear(&mut self) {
        for way in 0..self.lines.len() {
            if self.state[way].mshr == NO_MSHR {
                self.drop_line(way);
            }
        }
    }

    /// State of a way.
    #[inline]
    pub fn way(&self, way: usize) -> &Way {
        &self.state[way]
    }

    /// State of a way.
    #[inline]
    pub fn way_mut(&mut self, way: usize) -> &mut Way {
        &mut self.state[way]
    }
}

/// Miss status holding registers: for each line in flight, where it goes and who waits, in order of arrival.
#[derive(Clone, Debug)]
pub struct Mshrs<W> {
    merges: usize,
    waiters: Vec<W>,
    count: Vec<u8>,
    way: Vec<u32>,
    free: Vec<u16>,
}

impl<W: Copy + Default> Mshrs<W> {
    /// `entries` registers, each for at most `merges` requests.
    pub fn new(entries: u32, merges: u32) -> Self {
        let (n, merges) = (entries as usize, merges as usize);
        Self {
            merges,
            waiters: vec![W::default(); n * merges],
            count: vec![0; n],
            way: vec![0; n],
            free: (0..entries as u16).rev().collect(),
        }
    }

    /// Free registers.
    #[inline]
    pub fn free(&self) -> usize {
        self.free.len()
    }

    /// Takes a free register for the line that will fill `way`.
    pub fn allocate(&mut self, way: usize, waiter: W) -> Option<u16> {
        let mshr = self.free.pop()?;
        let m = mshr as usize;
        self.way[m] = way as u32;
        self.waiters[m * self.merges] = waiter;
        self.count[m] = 1;
        Some(mshr)
    }

    /// Takes a free register for the line that will fill `way`, for no request so far.
    pub fn allocate_for_none(&mut self, way: usize) -> Option<u16> {
        let mshr = self.free.pop()?;
        let m = mshr as usize;
        self.way[m] = way as u32;
        self.count[m] = 0;
        Some(mshr)
    }

    /// Whether a register can hold another request.
    pub fn can_merge(&self, mshr: u16) -> bool {
        usize::from(self.count[mshr as usize]) < self.merges
    }

    /// Adds a request to a register; `false` if it holds as many as it can.
    pub fn merge(&mut self, mshr: u16, waiter: W) -> bool {
        let m = mshr as usize;
        let n = self.count[m] as usize;
        if n == self.merges {
            return false;
        }
        self.waiters[m * self.merges + n] = waiter;
        self.count[m] += 1;
        true
    }

    /// The requests that wait for a register's line, and the way that it will fill.
    #[inline]
    pub fn get(&self, mshr: u16) -> (usize, &[W]) {
        let m = mshr as usize;
        let first = m * self.merges;
        (self.way[m] as usize, &self.waiters[first..first + self.count[m] as usize])
    }

    /// The line is here: frees the register. Returns the way to fill and the waiting requests in order of arrival.
    pub fn complete(&mut self, mshr: u16) -> (usize, &[W]) {
        self.free.push(mshr);
        self.get(mshr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_line_goes_first_and_a_reserved_one_never() {
        let mut tags = Tags::new(2, 2);
        for line in [10, 12] {
            let way = tags.victim(0).unwrap();
            assert_eq!(tags.replace(way, line), None);
        }
        tags.touch(tags.find(0, 10).unwrap());
        let way = tags.victim(0).unwrap();
        assert_eq!(tags.replace(way, 14).unwrap().0, 12);
        tags.reserve(way, 0);
        let other = tags.victim(0).unwrap();
        assert_eq!(tags.find(0, 10), Some(other));
        tags.reserve(other, 1);
        assert_eq!(tags.victim(0), None);
        // Filled, it is as old as its last use was: older than the one that is still reserved.
        tags.fill(other, 1);
        assert_eq!(tags.victim(0), Some(other));
        assert!(tags.victim(1).is_some());
    }

    #[test]
    fn clearing_keeps_lines_in_flight() {
        let mut tags = Tags::new(1, 2);
        let a = tags.victim(0).unwrap();
        tags.replace(a, 1);
        tags.reserve(a, 3);
        let b = tags.victim(0).unwrap();
        tags.replace(b, 2);
        tags.clear();
        assert_eq!((tags.find(0, 1), tags.find(0, 2)), (Some(a), None));
    }

    #[test]
    fn an_mshr_answers_its_requests_in_order_and_no_more_than_its_merges() {
        let mut mshrs = Mshrs::new(1, 2);
        let m = mshrs.allocate(7, 'a').unwrap();
        assert_eq!(mshrs.allocate(8, 'x'), None);
        assert!(mshrs.merge(m, 'b'));
        assert!(!mshrs.merge(m, 'c'));
        assert_eq!(mshrs.complete(m), (7, &['a', 'b'][..]));
        assert_eq!(mshrs.free(), 1);
    }
}
