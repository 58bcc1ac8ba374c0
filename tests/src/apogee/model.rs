//! A second implementation of `apogee`, written from the sheet in the plainest way: it scans its rows and its queue, compares pair
//! after pair and lane after lane, and calculates in wide signed integers. It shares the core's words and none of its logic.

use gpusched::apogee::{
    Adjust, ApogeeConfig, Early, LalScope, LaneSet, LoadRow, Loaded, Merge, PrefetchState, Push, Request, RequestKind,
    RowId, RowKind, SlowRule, Tia, Triggered, Verdict, Waiting, WarpId,
};
use gpusched::{Cycle, Fault};

use super::{Answer, Event, Load, LoadAnswer, Machine, RowView, View};

const TRAIN: u8 = 1;
const FOA: u8 = 2;
const TRIG: u8 = 3;

/// A row of Table 5.3b, field by field.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    pf_type: u8,
    pc: u64,
    address: i128,
    offset: i128,
    confidence: u32,
    tidx: u32,
    distance: u32,
    target: u64,
    slow: bool,
    state: Vec<u8>,
    generation: u32,
}

/// The machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    c: ApogeeConfig,
    rows: Vec<Row>,
    lal: Vec<Option<u64>>,
    queue: Vec<(Request, u64)>,
    unanswered: Option<Request>,
    n: u32,
    now: u64,
    /// Invariant: pushed = popped + waiting + flushed.
    pushed: u64,
    popped: u64,
    flushed: u64,
}

impl Model {
    /// The machine of a configuration that is within its ranges.
    #[must_use]
    pub fn new(c: &ApogeeConfig) -> Self {
        let row = Row {
            pf_type: 0,
            pc: 0,
            address: 0,
            offset: 0,
            confidence: 0,
            tidx: 0,
            distance: 0,
            target: 0,
            slow: false,
            state: vec![0; c.warps as usize],
            generation: 0,
        };
        Self {
            c: *c,
            rows: vec![row; c.entries as usize],
            lal: vec![None; if c.lal == LalScope::Warp { c.warps as usize } else { 1 }],
            queue: Vec::new(),
            unanswered: None,
            n: c.threads,
            now: 0,
            pushed: 0,
            popped: 0,
            flushed: 0,
        }
    }

    /// Whether requests are all accounted for.
    #[must_use]
    pub fn balances(&self) -> bool {
        self.pushed == self.popped + self.queue.len() as u64 + self.flushed
    }

    fn line(&self, address: i128) -> i128 {
        address.div_euclid(self.c.line_bytes.into()) * i128::from(self.c.line_bytes)
    }

    fn check_time(&self, now: u64) -> Result<(), Fault> {
        if now >= 1 << 63 {
            Err(Fault::TimeOverflow)
        } else if now < self.now {
            Err(Fault::TimeBackwards)
        } else {
            Ok(())
        }
    }

    fn check_load(&self, load: &Load) -> Result<(), Fault> {
        self.check_time(load.now.0)?;
        if u32::from(load.warp) >= self.c.warps {
            return Err(Fault::BadWarp);
        }
        if load.pc >= 1 << self.c.pc_bits {
            return Err(Fault::PcRange);
        }
        if load.lanes.is_empty() {
            return Err(Fault::NoActiveLanes);
        }
        for (i, &(lane, _)) in load.lanes.iter().enumerate() {
            if u32::from(lane) >= self.c.warp_size || (i > 0 && load.lanes[i - 1].0 >= lane) {
                return Err(Fault::BadLanes);
            }
        }
        if load.lanes.iter().any(|&(_, address)| address >= 1 << self.c.addr_bits) {
            return Err(Fault::AddressRange);
        }
        if load.result.is_none() { Err(Fault::BadResult) } else { Ok(()) }
    }

    fn push(&mut self, line: i128, row: usize, warp: usize, kind: RequestKind) -> Push {
        let line = line as u64;
        if self.c.merge == Merge::Queue && self.queue.iter().any(|(r, _)| r.line == line) {
            return Push::Merged;
        }
        if self.queue.len() == self.c.pfq as usize {
            return Push::Dropped;
        }
        let generation = self.rows[row].generation;
        let request = Request { line, entry: RowId(row as u16), generation, warp: WarpId(warp as u16), kind };
        self.queue.push((request, self.now + u64::from(self.c.issue_latency)));
        self.rows[row].state[warp] = 3;
        self.pushed += 1;
        Push::Pushed
    }

    fn allocate(&mut self, keep: Option<usize>) -> Option<(usize, Option<u64>)> {
        let free = self.rows.iter().position(|r| r.pf_type == 0);
        let (at, displaced) = match free {
            Some(at) => (at, None),
            None => {
                let mut least: Option<usize> = None;
                for i in (0..self.rows.len()).filter(|&i| Some(i) != keep) {
                    if least.is_none_or(|l| self.rows[i].confidence < self.rows[l].confidence) {
                        least = Some(i);
                    }
                }
                (least?, Some(self.rows[least?].pc))
            }
        };
        let generation = self.rows[at].generation.wrapping_add(1);
        self.rows[at] = Row { generation, ..Self::new(&self.c).rows[0].clone() };
        Some((at, displaced))
    }

    fn load(&mut self, load: &Load) -> LoadAnswer {
        let c = self.c;
        let mut d = LoadAnswer::default();
        self.now = load.now.0;
        let w = usize::from(load.warp.0);
        let lw = if c.lal == LalScope::Warp { w } else { 0 };
        let (lal, miss) = (self.lal[lw], load.result != Some(Verdict::Hit));
        // apogee-C1, apogee-C2.
        for i in 0..self.rows.len() {
            if self.rows[i].pf_type != TRIG || self.rows[i].pc != load.pc {
                continue;
            }
            let mut moved = false;
            if self.rows[i].slow {
                self.rows[i].slow = false;
                if let Some(lal) = lal.filter(|&lal| lal != load.pc && lal != self.rows[i].target) {
                    self.rows[i].pc = lal;
                    moved = true;
                }
            }
            self.rows[i].state[w] = 0;
            let line = self.line(self.rows[i].address);
            let result = self.push(line, i, w, RequestKind::Tia);
            d.trig.push(Triggered { entry: RowId(i as u16), moved, result });
        }
        d.loaded.triggered = d.trig.len() as u32;
        // apogee-T1.
        let own = self.rows.iter().position(|r| matches!(r.pf_type, TRAIN | FOA) && r.pc == load.pc);
        let i = match own {
            Some(i) => {
                d.loaded.adjust = self.adjust(i, load);
                i
            }
            None => {
                let (i, evicted) = self.allocate(None).expect("there is a row");
                d.loaded.is_new = true;
                d.loaded.evicted = evicted.map(|pc| pc as u32);
                let row = &mut self.rows[i];
                (row.pf_type, row.pc, row.distance) = (TRAIN, load.pc, c.init_distance);
                i
            }
        };
        d.loaded.entry = RowId(i as u16);
        d.loaded.mismatch = self.detect(i, load);
        // apogee-O5.
        let active = load.lanes.len() as i64;
        let row = &mut self.rows[i];
        d.loaded.confirmed = row.pf_type == FOA && i64::from(row.confidence) >= (active - 2).max(i64::from(c.min_conf));
        if d.loaded.confirmed && row.offset == 0 {
            row.tidx = (1 << c.tidx_bits) - 1;
        }
        if d.loaded.confirmed && self.rows[i].offset != 0 {
            self.prefetch(i, load, &mut d);
        }
        if d.loaded.confirmed && self.rows[i].offset == 0 && miss {
            self.chain(i, w, lal, &mut d.loaded);
        }
        self.lal[lw] = Some(load.pc);
        d
    }

    /// apogee-S1 to S3.
    fn adjust(&mut self, i: usize, load: &Load) -> Adjust {
        let (c, n, w) = (self.c, i128::from(self.n), usize::from(load.warp.0));
        let row = &mut self.rows[i];
        let state = row.state[w];
        row.state[w] = 0;
        let slow = state == 1 || state == 3;
        if slow && (c.slow_rule == SlowRule::Any || load.result != Some(Verdict::Hit)) {
            if row.distance == (1 << c.dist_bits) - 1 {
                return Adjust::IncSat;
            }
            row.distance += 1;
            return Adjust::Inc;
        }
        if state != 2 || load.result != Some(Verdict::Absent) || row.pf_type != FOA || row.offset == 0 {
            return Adjust::None;
        }
        let (lane, first) = load.lanes[0];
        let o = row.offset;
        let now = i128::from(first) - i128::from(lane) * o;
        let expected = match c.early {
            Early::Pattern => {
                let r = row.address - i128::from(row.tidx) * o;
                now != r && (now - r) % (i128::from(c.warp_size) * o) == 0
            }
            Early::Literal => now == row.address + o * (i128::from(row.distance) * n - i128::from(row.tidx)),
        };
        if !expected {
            Adjust::None
        } else if row.distance == c.min_distance {
            Adjust::DecMin
        } else {
            row.distance -= 1;
            Adjust::Dec
        }
    }

    /// apogee-O1 to O4.
    fn detect(&mut self, i: usize, load: &Load) -> bool {
        let c = self.c;
        let row = &mut self.rows[i];
        let mut mismatch = false;
        for pair in load.lanes.windows(2) {
            let [(l0, a0), (l1, a1)] = [pair[0], pair[1]].map(|(l, a)| (i128::from(l), i128::from(a)));
            let half = 1_i128 << (c.offset_bits - 1);
            let exact = (a1 - a0) % (l1 - l0) == 0;
            let q = Some((a1 - a0) / (l1 - l0)).filter(|q| exact && (-half..half).contains(q));
            match q {
                Some(q) if row.pf_type == TRAIN => (row.pf_type, row.offset) = (FOA, q),
                Some(q) if row.offset == q => row.confidence = (row.confidence + 1).min((1 << c.conf_bits) - 1),
                _ => {
                    (row.pf_type, row.offset, row.confidence) = (TRAIN, 0, 0);
                    mismatch = true;
                    break;
                }
            }
        }
        let &(lane, address) = load.lanes.last().expect("checked");
        (row.tidx, row.address) = (lane.into(), address.into());
        mismatch
    }

    /// apogee-F1 to F3.
    fn prefetch(&mut self, i: usize, load: &Load, d: &mut LoadAnswer) {
        let (c, n, row) = (self.c, i128::from(self.n), self.rows[i].clone());
        let lanes: Vec<u32> = match c.lanes {
            LaneSet::All => (0..c.warp_size).collect(),
            LaneSet::Active => load.lanes.iter().map(|&(lane, _)| lane.into()).collect(),
        };
        let distance = i128::from(row.distance);
        let mut distances = vec![distance];
        if c.gap_fill && d.loaded.adjust == Adjust::Inc {
            distances.insert(0, distance - 1);
        }
        let mut lines: Vec<i128> = Vec::new();
        for distance in distances {
            let base = row.address + row.offset * (distance * n - i128::from(row.tidx));
            for &lane in &lanes {
                let p = base + row.offset * i128::from(lane);
                if p < 0 || p >= 1 << c.addr_bits {
                    d.loaded.outside += 1;
                } else if !lines.contains(&self.line(p)) {
                    lines.push(self.line(p));
                }
            }
        }
        for line in lines {
            match self.push(line, i, load.warp.0.into(), RequestKind::Foa) {
                Push::Pushed => d.pushed.push(line as u64),
                Push::Merged => d.loaded.merged += 1,
                Push::Dropped => d.loaded.dropped += 1,
            }
        }
        d.loaded.pushed = d.pushed.len() as u32;
    }

    /// apogee-C3, apogee-C4.
    fn chain(&mut self, i: usize, w: usize, lal: Option<u64>, loaded: &mut Loaded) {
        let Row { pc, address, confidence, .. } = self.rows[i];
        if let Some(t) = self.rows.iter().position(|r| r.pf_type == TRIG && r.target == pc) {
            let row = &mut self.rows[t];
            let late = matches!(row.state[w], 1 | 3);
            row.slow |= late;
            loaded.tia = if late { Tia::Slow } else { Tia::Kept };
            (row.address, row.confidence) = (address, confidence);
            loaded.tia_entry = Some(RowId(t as u16));
            return;
        }
        loaded.tia = match lal {
            None => Tia::NoLal,
            Some(lal) if lal == pc => Tia::SelfLoad,
            Some(lal) => match self.allocate(Some(i)) {
                None => Tia::NoRoom,
                Some((t, evicted)) => {
                    let row = &mut self.rows[t];
                    (row.pf_type, row.pc, row.target) = (TRIG, lal, pc);
                    (row.address, row.confidence) = (address, confidence);
                    loaded.tia_entry = Some(RowId(t as u16));
                    loaded.tia_evicted = evicted.map(|pc| pc as u32);
                    Tia::Added
                }
            },
        };
    }

    fn is_stale(&self, entry: RowId, generation: u32) -> bool {
        let row = &self.rows[usize::from(entry.0)];
        row.pf_type == 0 || row.generation != generation
    }

    fn reply(&mut self, sent: bool) -> Result<bool, Fault> {
        let r = self.unanswered.take().ok_or(Fault::NoReplyPending)?;
        if self.is_stale(r.entry, r.generation) {
            return Ok(true);
        }
        let others = self.queue.iter().any(|(o, _)| (o.entry, o.generation, o.warp) == (r.entry, r.generation, r.warp));
        let state = &mut self.rows[usize::from(r.entry.0)].state[usize::from(r.warp.0)];
        if sent && matches!(*state, 0 | 3) {
            *state = 1;
        }
        if !sent && *state == 3 && !others {
            *state = 0;
        }
        Ok(false)
    }

    fn fill(&mut self, entry: RowId, generation: u32, warp: WarpId) -> Result<bool, Fault> {
        if u32::from(entry) >= self.c.entries {
            return Err(Fault::BadEntry);
        }
        if u32::from(warp) >= self.c.warps {
            return Err(Fault::BadWarp);
        }
        if self.is_stale(entry, generation) {
            return Ok(true);
        }
        let state = &mut self.rows[usize::from(entry.0)].state[usize::from(warp.0)];
        if matches!(*state, 1 | 3) {
            *state = 2;
        }
        Ok(false)
    }

    fn flush(&mut self) -> Result<u32, Fault> {
        if self.unanswered.is_some() {
            return Err(Fault::ReplyPending);
        }
        let dropped = self.queue.len();
        self.flushed += dropped as u64;
        self.queue.clear();
        self.lal.fill(None);
        let empty = Self::new(&self.c).rows[0].clone();
        for row in &mut self.rows {
            *row = Row { generation: row.generation, ..empty.clone() };
        }
        Ok(dropped as u32)
    }
}

impl Machine for Model {
    type Event = Event;
    type Answered = Result<Answer, Fault>;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        match event {
            Event::Load(load) => {
                self.check_load(load)?;
                Ok(Answer::Load(self.load(load)))
            }
            Event::PfPop { now } => {
                self.check_time(now.0)?;
                if self.unanswered.is_some() {
                    return Err(Fault::ReplyPending);
                }
                self.now = now.0;
                if self.queue.first().is_some_and(|&(_, ready)| ready <= now.0) {
                    self.unanswered = Some(self.queue.remove(0).0);
                    self.popped += 1;
                }
                Ok(Answer::Request(self.unanswered))
            }
            Event::PfReply { sent } => self.reply(*sent).map(Answer::PfReply),
            Event::PfFill { entry, generation, warp } => self.fill(*entry, *generation, *warp).map(Answer::PfFill),
            Event::SetThreads { n } => {
                if !(1..=65535).contains(n) {
                    return Err(Fault::BadThreads);
                }
                self.n = *n;
                Ok(Answer::Done)
            }
            Event::Flush => self.flush().map(Answer::Flush),
        }
    }

    fn view(&self) -> View {
        let row = |row: &Row| RowView {
            kind: match row.pf_type {
                TRIG => RowKind::Trigger { target: row.target as u32, slow: row.slow },
                pf_type => RowKind::Load(LoadRow {
                    offset: (pf_type == FOA).then_some(row.offset as i32),
                    thread: row.tidx as u8,
                    distance: row.distance as u16,
                }),
            },
            pc: row.pc as u32,
            address: row.address as u64,
            confidence: row.confidence as u16,
            generation: row.generation,
            states: row
                .state
                .iter()
                .map(|&state| match state {
                    0 => PrefetchState::Idle,
                    1 => PrefetchState::Sent,
                    2 => PrefetchState::Back,
                    _ => PrefetchState::Queued,
                })
                .collect(),
        };
        let rows = self.rows.iter().enumerate().filter(|(_, row)| row.pf_type != 0);
        View {
            table: rows.map(|(i, of)| (RowId(i as u16), row(of))).collect(),
            lal: self.lal.iter().map(|lal| lal.map(|pc| pc as u32)).collect(),
            queue: self.queue.iter().map(|&(request, ready)| Waiting { request, ready: Cycle(ready) }).collect(),
            unanswered: self.unanswered,
            n: self.n,
            now: Cycle(self.now),
            next_event: self.queue.first().map(|&(_, ready)| Cycle(ready)),
        }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}
