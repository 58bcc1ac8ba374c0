//! The resident warps: their ages, their heads, and the Warp Status Table (WST).
//!
//! Sets of warps are words whose bit r is the warp of rank r, the rank being its place among the resident warps by age. So the
//! oldest warp of a set is its lowest bit, and choosing costs the same for 1 and for 63 warps. Ranks above that of a warp that
//! exits move down by one.

use super::WarpId;
use super::config::MAX_SCHEDULERS;
use crate::base::id::rows_in;

/// What is at the head of a warp's instruction buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Kind {
    /// Nothing.
    #[default]
    None,
    /// An instruction for a compute pipe.
    Alu,
    /// A memory instruction.
    Mem,
    /// A barrier or fence, or the warp is paused: it waits for something that others must do.
    Sync,
}

/// The head of a warp's instruction buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Head {
    /// What it is.
    pub kind: Kind,
    /// Its operands are available.
    pub ready: bool,
    /// An operand is the result of an outstanding long-latency load of this warp.
    pub dep_load: bool,
}

impl Head {
    /// Whether an instruction can have these operands: they are not both available and outstanding, and what is no instruction
    /// has none.
    pub(super) const fn is_possible(self) -> bool {
        match self.kind {
            Kind::None | Kind::Sync => !self.ready && !self.dep_load,
            Kind::Alu | Kind::Mem => !(self.ready && self.dep_load),
        }
    }
}

/// A head in a byte: bits 0 and 1 are its kind, bit 2 is `ready`, bit 3 `dep_load`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Code(u8);

impl Default for Code {
    fn default() -> Self {
        Self::NONE
    }
}

impl Code {
    const NONE: Self = Self::of(Head { kind: Kind::None, ready: false, dep_load: false });

    #[inline]
    const fn of(Head { kind, ready, dep_load }: Head) -> Self {
        Self(kind as u8 | (ready as u8) << 2 | (dep_load as u8) << 3)
    }

    #[inline]
    const fn head(self) -> Head {
        let kind = match self.0 & 3 {
            0 => Kind::None,
            1 => Kind::Alu,
            2 => Kind::Mem,
            _ => Kind::Sync,
        };
        Head { kind, ready: self.0 >> 2 & 1 == 1, dep_load: self.0 >> 3 & 1 == 1 }
    }
}

/// A value per warp. Numbers that no warp has reach a spare value, so indexing cannot panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PerWarp<R>([R; 64]);

#[cfg(feature = "image")]
impl<R: serde::Serialize + serde::de::DeserializeOwned + Default + PartialEq> crate::base::saved::Saved for PerWarp<R> {
    fn save(&self, w: &mut crate::base::image::Writer<'_>) {
        crate::base::saved::save_rows(&self.0, w);
    }

    fn load(&mut self, r: &mut crate::base::image::Reader<'_>) -> Result<(), crate::base::image::ImageError> {
        crate::base::saved::load_rows(&mut self.0, r)
    }
}

impl<R> core::ops::Index<u8> for PerWarp<R> {
    type Output = R;

    #[inline]
    fn index(&self, at: u8) -> &R {
        &self.0[usize::from(at & 63)]
    }
}

impl<R> core::ops::IndexMut<u8> for PerWarp<R> {
    #[inline]
    fn index_mut(&mut self, at: u8) -> &mut R {
        &mut self.0[usize::from(at & 63)]
    }
}

/// The sets of one word each, by rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Sets {
    /// Head mem.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) mem: u64,
    /// Head mem, ready.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) mem_ready: u64,
    /// Compute-ready: head alu, ready.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) comp_ready: u64,
    /// Head sync, or with an operand from an outstanding load: an owner may have to give up.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) waits: u64,
    /// Has entries in the re-execution queue.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) queued: u64,
    /// WST: head mem at the last pick.
    pub(super) wst_mem: u64,
    /// WST: stalled at the last pick.
    pub(super) wst_stall: u64,
    /// In the ready queue: unstalled after the last pick, and its head is the same since (mascar-M3, mascar-M4).
    pub(super) in_ready: u64,
    /// Leftovers.
    pub(super) leftover: u64,
    /// All resident warps.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) all: u64,
    /// The warps of each scheduler.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) of_scheduler: [u64; MAX_SCHEDULERS],
    /// The last issued warps of all schedulers, those that are resident.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) greedy: u64,
    /// The owner.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) owner: u64,
}

impl Sets {
    fn each(&mut self, change: impl FnMut(&mut u64)) {
        let Self {
            mem,
            mem_ready,
            comp_ready,
            waits,
            queued,
            wst_mem,
            wst_stall,
            in_ready,
            leftover,
            all,
            of_scheduler,
            greedy,
            owner,
        } = self;
        let sets =
            [mem, mem_ready, comp_ready, waits, queued, wst_mem, wst_stall, in_ready, leftover, all, greedy, owner];
        sets.into_iter().chain(of_scheduler).for_each(change);
    }
}

/// The resident warps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Warps {
    /// By number, not by rank.
    pub(super) resident: u64,
    /// Ranks by number, of resident warps; else 0.
    pub(super) rank: PerWarp<u8>,
    /// Numbers by rank; else 0.
    pub(super) number: PerWarp<u8>,
    /// By number.
    pub(super) head: PerWarp<Code>,
    /// Entries in the re-execution queue, by number.
    pub(super) entries: PerWarp<u8>,
    /// The age of the next warp that starts (mascar-H9).
    pub(super) next_age: u64,
    pub(super) sets: Sets,
}

impl Warps {
    pub(super) const fn new() -> Self {
        Self {
            resident: 0,
            rank: PerWarp([0; 64]),
            number: PerWarp([0; 64]),
            head: PerWarp([Code::NONE; 64]),
            entries: PerWarp([0; 64]),
            next_age: 0,
            sets: Sets {
                mem: 0,
                mem_ready: 0,
                comp_ready: 0,
                waits: 0,
                queued: 0,
                wst_mem: 0,
                wst_stall: 0,
                in_ready: 0,
                leftover: 0,
                all: 0,
                of_scheduler: [0; MAX_SCHEDULERS],
                greedy: 0,
                owner: 0,
            },
        }
    }

    #[inline]
    pub(super) const fn is_resident(&self, w: WarpId) -> bool {
        w.0 < 64 && self.resident >> w.0 & 1 == 1
    }

    /// The set of this warp alone; empty if it is not resident.
    #[inline]
    pub(super) fn bit(&self, w: WarpId) -> u64 {
        (self.resident >> (w.0 & 63) & 1) << (self.rank[w.0] & 63)
    }

    /// The warp of a rank.
    #[inline]
    pub(super) fn at(&self, rank: u32) -> WarpId {
        WarpId(self.number[rank as u8])
    }

    /// The warp of a set of one.
    #[inline]
    pub(super) fn of(&self, bit: u64) -> WarpId {
        self.at(bit.trailing_zeros())
    }

    /// Resident warps by number: bit w is warp w.
    pub(super) const fn resident(&self) -> u64 {
        self.resident
    }

    /// A set by rank as one by number.
    pub(super) fn numbers(&self, set: u64) -> u64 {
        rows_in::<WarpId>(set).fold(0, |numbers, rank| numbers | 1 << (self.number[rank.0] & 63))
    }

    /// The resident warps, oldest first.
    pub(super) fn by_age(&self) -> impl Iterator<Item = WarpId> {
        rows_in::<WarpId>(self.sets.all).map(|rank| WarpId(self.number[rank.0]))
    }

    #[inline]
    pub(super) fn head(&self, w: WarpId) -> Head {
        self.head[w.0].head()
    }

    /// Whether this is a warp's head.
    #[inline]
    pub(super) fn is_head(&self, w: WarpId, head: Head) -> bool {
        self.head[w.0] == Code::of(head)
    }

    #[inline]
    pub(super) fn entries(&self, w: WarpId) -> u8 {
        self.entries[w.0]
    }

    /// Takes over what the last pick left: the status table, the ready queue and leftovers.
    pub(super) fn take_status(&mut self, of: &Self) {
        let Sets { wst_mem, wst_stall, in_ready, leftover, .. } = of.sets;
        self.sets = Sets { wst_mem, wst_stall, in_ready, leftover, ..self.sets };
    }

    /// A warp that is not resident starts: its age. `is_last`: its number is that of its scheduler's last issued warp.
    pub(super) fn start(&mut self, w: WarpId, scheduler: usize, is_last: bool) -> u64 {
        // At most 62 others.
        let rank = self.resident.count_ones() as u8;
        self.resident |= 1 << (w.0 & 63);
        self.rank[w.0] = rank;
        self.number[rank] = w.0;
        let (bit, s) = (1 << (rank & 63), scheduler % MAX_SCHEDULERS);
        self.sets.all |= bit;
        self.sets.of_scheduler[s] |= bit;
        put(&mut self.sets.greedy, bit, is_last);
        let age = self.next_age;
        self.next_age = age.wrapping_add(1);
        age
    }

    /// A resident warp exits: younger warps move down a rank.
    pub(super) fn exit(&mut self, w: WarpId) {
        let rank = self.rank[w.0];
        let below = (1 << (rank & 63)) - 1;
        self.sets.each(|set| *set = *set & below | *set >> 1 & !below);
        let last = (self.resident.count_ones() as u8).saturating_sub(1);
        for r in rank..last {
            let number = self.number[r + 1];
            self.number[r] = number;
            self.rank[number] = r;
        }
        self.number[last] = 0;
        self.rank[w.0] = 0;
        self.head[w.0] = Code::NONE;
        self.resident &= !(1 << (w.0 & 63));
    }

    /// A resident warp's head is another one now: it is no longer in the ready queue, and no leftover (mascar-M4).
    #[inline]
    pub(super) fn set_head(&mut self, w: WarpId, head: Head) {
        self.head[w.0] = Code::of(head);
        let bit = self.bit(w);
        let (mem, alu) = (head.kind == Kind::Mem, head.kind == Kind::Alu);
        let sets = &mut self.sets;
        put(&mut sets.mem, bit, mem);
        put(&mut sets.mem_ready, bit, mem && head.ready);
        put(&mut sets.waits, bit, head.dep_load || head.kind == Kind::Sync);
        put(&mut sets.comp_ready, bit, alu && head.ready);
        sets.in_ready &= !bit;
        sets.leftover &= !bit;
    }

    /// The warp of this bit issues: it has no head any more. [`Warps::issued`] is due.
    #[inline]
    pub(super) fn issue(&mut self, bit: u64) -> WarpId {
        let warp = self.of(bit);
        self.head[warp.0] = Code::NONE;
        warp
    }

    /// Warps issued: they are in no set of heads, and no leftovers (mascar-M4); `greedy` are the last ones of all schedulers now.
    #[inline]
    pub(super) fn issued(&mut self, set: u64, greedy: u64) {
        let sets = &mut self.sets;
        sets.greedy = greedy;
        sets.mem &= !set;
        sets.mem_ready &= !set;
        sets.comp_ready &= !set;
        sets.leftover &= !set;
    }

    /// Memory-ready: head mem, ready, no entry in the re-execution queue.
    #[inline]
    pub(super) const fn memory_ready(&self) -> u64 {
        self.sets.mem_ready & !self.sets.queued
    }

    /// A request of this warp was queued.
    #[inline]
    pub(super) fn queued(&mut self, w: WarpId) {
        self.entries[w.0] = self.entries[w.0].saturating_add(1);
        self.sets.queued |= self.bit(w);
    }

    /// A request of this warp left the queue.
    #[inline]
    pub(super) fn popped(&mut self, w: WarpId) {
        let left = self.entries[w.0].saturating_sub(1);
        self.entries[w.0] = left;
        if left == 0 {
            self.sets.queued &= !self.bit(w);
        }
    }
}

#[inline]
const fn put(set: &mut u64, bit: u64, member: bool) {
    *set = if member { *set | bit } else { *set & !bit };
}
