//! Mascar beside one SM (`sm.policy = mascar`; refgpu-M13; sheet `mascar`): the machine of `gpusched`, what it has been told, and what
//! it did.
//!
//! The SM reports heads and asks which warps issue ([`crate::sm`], `order.rs`); the LSU presents to L1 what Mascar says, and lets it
//! have what L1 refuses ([`crate::lsu`], `nack.rs`). Nothing is decided here.

use crate::counts::Adds;
use gpusched::mascar::{Kind, Lsu, Mascar, MascarConfig, Mode, Pick, Via, WarpId, Why};
use gpusched_heap::mascar::{HeapTables, machine};
use serde::{Deserialize, Serialize};

use crate::coalesce::Transaction;
use crate::config::{ConfigError, GpuConfig, WarpPolicy};
use crate::l1::{L1, Refusal};
use crate::noc;

/// An access has at most two lines for each of 32 lanes.
const MOST_REQUESTS: u32 = 64;

/// Heads of the instruction buffers, a bit for each warp slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heads {
    /// Instructions for compute pipes.
    pub alu: u64,
    /// Memory instructions.
    pub mem: u64,
    /// Warps that wait for others.
    pub sync: u64,
    /// Instructions with all operands.
    pub ready: u64,
    /// Instructions with an operand that a load brings.
    pub dep_load: u64,
}

impl Heads {
    fn of(&self, w: u32) -> (Kind, bool, bool) {
        let has = |set: u64| set >> w & 1 != 0;
        let kind = match (has(self.alu), has(self.mem), has(self.sync)) {
            (true, ..) => Kind::Alu,
            (_, true, _) => Kind::Mem,
            (.., true) => Kind::Sync,
            _ => Kind::None,
        };
        (kind, has(self.ready), has(self.dep_load))
    }

    /// Warps whose heads are not the same.
    fn differences(&self, o: &Self) -> u64 {
        let kinds = (self.alu ^ o.alu) | (self.mem ^ o.mem) | (self.sync ^ o.sync);
        kinds | (self.ready ^ o.ready) | (self.dep_load ^ o.dep_load)
    }

    fn forget(&mut self, warps: u64) {
        for set in [&mut self.alu, &mut self.mem, &mut self.sync, &mut self.ready, &mut self.dep_load] {
            *set &= !warps;
        }
    }
}

/// A memory instruction with requests that L1 has not taken. A warp has at most one.
#[derive(Clone, Debug, Default)]
pub struct Open {
    /// What its requests ask for.
    pub kind: noc::Kind,
    /// The load that waits for them.
    pub load: u16,
    /// Requests that were not taken.
    pub left: u8,
    /// Cycle of the last hit.
    pub last_hit: u64,
    /// All its requests.
    pub requests: Vec<Transaction>,
    /// Its lanes by request.
    pub lanes: Vec<u32>,
}

/// What Mascar did on one SM, or on all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MascarStats {
    /// Cycles in MP mode, of the SM's clock.
    pub mp_cycles: u64,
    /// How often MP mode began.
    pub mp_entries: u64,
    /// Owners that gave up: dependence, synchronisation, timeout, rescue.
    pub released: [u64; 4],
    /// Warps that became owners: by issue, from the queue.
    pub granted: [u64; 2],
    /// Refused requests that entered the re-execution queue.
    pub queued: u64,
    /// Requests that left it for L1.
    pub popped: u64,
    /// Refused requests that went from its head to its tail.
    pub recycled: u64,
    /// Refused presentations, by reason.
    pub refused: [u64; Refusal::COUNT],
    /// Most requests in the queue.
    pub queue_peak: u64,
    /// Requests in the queue, summed over cycles.
    pub queue_cycles: u64,
}

impl Adds for MascarStats {
    fn adds(&mut self, other: &Self) {
        self.add(other);
    }
}

impl MascarStats {
    /// Adds another SM's counts; the peak is the greater one.
    pub fn add(&mut self, o: &Self) {
        self.released.adds(&o.released);
        self.granted.adds(&o.granted);
        self.refused.adds(&o.refused);
        self.mp_cycles += o.mp_cycles;
        self.mp_entries += o.mp_entries;
        self.queued += o.queued;
        self.popped += o.popped;
        self.recycled += o.recycled;
        self.queue_peak = self.queue_peak.max(o.queue_peak);
        self.queue_cycles += o.queue_cycles;
    }

    /// Accesses to the re-execution queue, reading or writing an entry.
    pub fn queue_accesses(&self) -> u64 {
        self.queued + self.popped + self.recycled
    }

    /// Warps that became owners.
    pub fn owners(&self) -> u64 {
        self.granted.iter().sum()
    }
}

/// Mascar of one SM.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The machine. It is asked nothing that it refuses; in tests that is checked.
    pub(crate) machine: Mascar<HeapTables>,
    told: Heads,
    /// Taken MSHRs and places of the miss queue of L1 and of the texture cache, as told.
    occupancy: [(u32, u32); 2],
    mshrs: [u32; 2],
    /// By warp.
    pub(crate) open: Vec<Open>,
    pub(crate) stats: MascarStats,
}

/// What the SM does is what the machine allows.
#[track_caller]
pub(crate) fn allowed<T>(answer: Result<T, gpusched::Fault>) -> Option<T> {
    debug_assert!(answer.is_ok(), "{:?}", answer.err());
    answer.ok()
}

impl Unit {
    /// The unit that `config` asks for, if it does.
    pub fn new(config: &GpuConfig) -> Result<Option<Self>, ConfigError> {
        if config.sm.policy != WarpPolicy::Mascar {
            return Ok(None);
        }
        let mascar = MascarConfig { warp_size: MOST_REQUESTS, ..config.mascar()? };
        let [l1, texture] = mascar.sources.caches() else { return Ok(None) };
        Ok(Some(Self {
            mshrs: [l1.mshr, texture.mshr],
            machine: machine(&mascar).map_err(|e| ConfigError::Syntax(format!("mascar: {e}")))?,
            told: Heads::default(),
            occupancy: [(0, 0); 2],
            open: vec![Open::default(); 64],
            stats: MascarStats::default(),
        }))
    }

    /// A warp has started in slot `w`.
    pub fn start(&mut self, w: usize) {
        allowed(self.machine.warp_start(WarpId(w as u8)));
    }

    /// The warp in slot `w` has ended, or leaves the SM for now.
    pub fn exit(&mut self, w: usize) {
        self.told.forget(1 << w);
        allowed(self.machine.warp_exit(WarpId(w as u8)));
    }

    /// Of these warps, those with requests that L1 has not taken.
    pub fn with_requests(&self, warps: u64) -> u64 {
        crate::units::members(0, warps)
            .filter(|&w| self.machine.has_requests(WarpId(w as u8)))
            .fold(0, |set, w| set | 1 << w)
    }

    /// Tells of heads that have changed.
    pub fn tell_heads(&mut self, heads: Heads) {
        for w in crate::units::members(0, heads.differences(&self.told)) {
            let (kind, ready, dep_load) = heads.of(w as u32);
            allowed(self.machine.set_head(WarpId(w as u8), kind, ready, dep_load));
        }
        self.told = heads;
    }

    /// Tells how full a cache is, if that has changed: 0 is L1, 1 the texture cache.
    pub fn tell_occupancy(&mut self, source: usize, l1: &L1, queued: usize) {
        let occupancy = (self.mshrs[source] - l1.free_mshrs() as u32, queued as u32);
        if self.occupancy[source] == occupancy {
            return;
        }
        self.occupancy[source] = occupancy;
        let was = self.machine.mode();
        allowed(self.machine.l1_state(source as u32, occupancy.0, occupancy.1));
        self.stats.mp_entries += u64::from(was == Mode::Ep && self.machine.mode() == Mode::Mp);
    }

    /// The warps that issue in this cycle, whose heads are none from here on.
    pub fn pick(&mut self, now: u64, lsu_accepts: bool) -> Pick {
        let pick = allowed(self.machine.pick(gpusched::Cycle(now), lsu_accepts, None)).unwrap_or_default();
        if let Some(released) = pick.released {
            let why = [Why::Dep, Why::Sync, Why::Timeout, Why::Rescue];
            let at = why.iter().position(|why| *why == released.why).unwrap_or(0);
            self.stats.released[at] += 1;
        }
        if let Some(granted) = pick.granted {
            self.stats.granted[usize::from(granted.via == Via::Queue)] += 1;
        }
        let issued = pick.issues.iter().fold(0, |set, issue| set | 1 << issue.warp.0);
        self.told.forget(issued);
        pick
    }

    /// The next own cycle in which a pick may do something if nobody comes with news; `u64::MAX` if none may.
    pub fn next(&self, heads_changed: bool, now: u64) -> u64 {
        if heads_changed {
            return now + 1;
        }
        self.machine.next_event().map_or(u64::MAX, |at| at.0)
    }

    /// Own cycles in this mode, with this queue.
    pub fn count(&mut self, cycles: u64) {
        let waiting = u64::from(self.machine.state().rexq);
        self.stats.mp_cycles += if self.machine.mode() == Mode::Mp { cycles } else { 0 };
        self.stats.queue_cycles += cycles * waiting;
        self.stats.queue_peak = self.stats.queue_peak.max(waiting);
    }

    /// Whether the LSU has an instruction.
    pub fn is_busy(&self) -> bool {
        *self.machine.lsu() != Lsu::Idle
    }

    /// Whether a refused request keeps it from going on.
    pub fn is_blocked(&self) -> bool {
        matches!(self.machine.lsu(), Lsu::Blocked { .. })
    }
}
