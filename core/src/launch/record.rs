//! Launch records: every device-side launch owns one from its call on (`dtbl` L2, L3).
//!
//! A device kernel's record lives until the KMU issues it, a group's until the group is done (A16). The records lie in global
//! memory; [`Config::pend_limit`](crate::Config) is how many there are.
//!
//! The sheet asks for the waiting launch of least (ready, seq). A launch by x lanes becomes ready a fixed time after its call,
//! so the launches of one lane count wait in a FIFO that is sorted by itself: the least of all is at one of at most 2 x `warp`
//! heads, whatever is pending.

use crate::cycle::Cycle;
use crate::id::{AgeId, Id, KernelSlot, RecordId, SmxId};
use crate::launch::descriptor::{Descriptor, Shape};
use crate::launch::free_map::FreeMap;
use crate::launch::hwq::Key;
use crate::probe::GroupRef;
use crate::table::{Rows, Table};

/// What a launch record holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RecordState {
    /// Nothing.
    #[default]
    Free,
    /// A group that waits for its join, as part of the command whose first launch has this `seq`.
    Agg {
        /// Identity of the command.
        command: u64,
    },
    /// A kernel that waits for the KMU.
    Dev,
    /// A group that was coalesced with a kernel.
    Grp(Group),
}

/// A coalesced group's progress: the fields of its AGE, kept on chip or, spilled, in its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// The kernel it joined.
    pub kernel: KernelSlot,
    /// Its AGE; `None` if it spilled.
    pub age: Option<AgeId>,
    /// The group that joined the same kernel after it: its record, and what the Next field says, which may outlive it (H17).
    pub next: Option<(RecordId, GroupRef)>,
    /// ExeBL: its resident TBs.
    pub exe: u32,
    /// Whether every TB of it was sent.
    pub dist: bool,
}

/// One launch record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record {
    /// What it is used for.
    pub state: RecordState,
    /// What was launched.
    pub descriptor: Descriptor,
    /// When it is ready, and its place in the order.
    pub key: Key,
    /// The cycle of the launch call.
    pub t0: Cycle,
    /// Its TBs, and what one needs.
    pub shape: Shape,
    /// Depth of the launched kernel.
    pub depth: u8,
    /// Hardware thread index of the caller (groups only).
    pub hw_tid: u32,
    /// SMX of the calling TB.
    pub psmx: SmxId,
    /// The record behind it in its FIFO.
    pub(crate) behind: Option<RecordId>,
}

impl Record {
    /// The group in it, if it is coalesced.
    #[must_use]
    pub fn group(&self) -> Option<&Group> {
        match &self.state {
            RecordState::Grp(group) => Some(group),
            _ => None,
        }
    }
}

/// Launches of one lane count, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LaunchFifo {
    head: Option<RecordId>,
    tail: Option<RecordId>,
}

/// One FIFO among those of a [`Waiting`] set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FifoId(u16);

impl Id for FifoId {
    fn index(self) -> usize {
        self.0.into()
    }
    fn from_index(index: usize) -> Self {
        Self(index as u16)
    }
}

/// FIFOs that the records need: per lane count one for commands, one for kernels, one for groups that fell.
pub(crate) const fn fifos(warp: u32) -> usize {
    3 * warp as usize
}

/// What waits for the same thing: which of its FIFOs are not empty, and the least head among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Waiting {
    /// Its first FIFO.
    base: u16,
    /// Bit f: FIFO `base + f` is not empty.
    occupied: u128,
    least: Option<RecordId>,
    /// When the least is ready; [`Cycle::MAX`] if nothing waits.
    ready: Cycle,
}

impl Waiting {
    fn from(base: u32) -> Self {
        Self { base: base as u16, occupied: 0, least: None, ready: Cycle::MAX }
    }

    fn fifos(&self) -> impl Iterator<Item = FifoId> + use<> {
        let base = self.base;
        Bits(self.occupied).map(move |f| FifoId(base + f))
    }
}

/// All launch records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Records<R, M, F> {
    records: Table<RecordId, Record, R>,
    free: FreeMap<M>,
    fifos: Table<FifoId, LaunchFifo, F>,
    warp: u32,
    agg: Waiting,
    dev: Waiting,
}

impl<R: Rows<Record>, M: Rows<u64>, F: Rows<LaunchFifo>> Records<R, M, F> {
    pub(crate) fn new(records: R, map: M, fifo_rows: F, pend_limit: u32, warp: u32) -> Self {
        Self {
            records: Table::new(records, pend_limit as usize),
            free: FreeMap::new(map, pend_limit),
            fifos: Table::new(fifo_rows, fifos(warp)),
            warp,
            agg: Waiting::from(0),
            dev: Waiting::from(warp),
        }
    }

    pub(crate) fn free(&self) -> u32 {
        self.free.free()
    }

    pub(crate) fn in_use(&self) -> u32 {
        self.free.in_use()
    }

    pub(crate) fn get(&self, r: RecordId) -> &Record {
        &self.records[r]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        self.records.iter()
    }

    /// The group in record `r`. Records that hold none are never asked.
    pub(crate) fn group_mut(&mut self, r: RecordId) -> Option<&mut Group> {
        match &mut self.records[r].state {
            RecordState::Grp(group) => Some(group),
            _ => None,
        }
    }

    /// Takes the lowest free record for a launch that is one of `lanes` of its command.
    pub(crate) fn launch(&mut self, record: Record, lanes: u32) -> RecordId {
        let r = self.free.take();
        self.records[r] = record;
        match record.state {
            RecordState::Agg { .. } => self.agg = self.append(self.agg, r, lanes - 1),
            _ => self.dev = self.append(self.dev, r, lanes - 1),
        }
        r
    }

    /// A group that did not join goes to the kernels, ready at `ready`; `fell` lanes of its command did so.
    pub(crate) fn fall(&mut self, r: RecordId, ready: Cycle, fell: u32) {
        self.records[r].state = RecordState::Dev;
        self.records[r].key.ready = ready;
        self.dev = self.append(self.dev, r, self.warp + fell - 1);
    }

    /// A group that joined.
    pub(crate) fn join(&mut self, r: RecordId, group: Group) {
        self.records[r].state = RecordState::Grp(group);
    }

    /// Frees a record that waits nowhere.
    pub(crate) fn release(&mut self, r: RecordId) {
        self.records[r] = Record::default();
        self.free.give(r);
    }

    /// The group at the head of the next command, if any waits.
    pub(crate) fn first_agg(&self) -> Option<RecordId> {
        self.agg.least
    }

    /// When the next command is ready; [`Cycle::MAX`] if none waits.
    #[inline]
    pub(crate) fn agg_ready(&self) -> Cycle {
        self.agg.ready
    }

    /// The next kernel for the KMU, if any waits.
    pub(crate) fn first_dev(&self) -> Option<RecordId> {
        self.dev.least
    }

    /// When the next kernel for the KMU is ready; [`Cycle::MAX`] if none waits.
    #[inline]
    pub(crate) fn dev_ready(&self) -> Cycle {
        self.dev.ready
    }

    /// Whether a kernel waits that is not ready at `now`.
    pub(crate) fn any_dev_maturing(&self, now: Cycle) -> bool {
        let mut tails = self.dev.fifos().filter_map(|f| self.fifos[f].tail);
        tails.any(|r| self.records[r].key.ready > now)
    }

    /// Takes the next group out of the FIFO in which it waits for its join.
    pub(crate) fn pop_agg(&mut self) -> Option<RecordId> {
        let least = self.agg.least;
        self.agg = self.remove_least(self.agg);
        least
    }

    /// Takes the next kernel out of the FIFO in which it waits for the KMU.
    pub(crate) fn pop_dev(&mut self) -> Option<RecordId> {
        let least = self.dev.least;
        self.dev = self.remove_least(self.dev);
        least
    }

    /// Puts `r` behind FIFO number `f` of `waiting`.
    fn append(&mut self, mut waiting: Waiting, r: RecordId, f: u32) -> Waiting {
        let fifo = FifoId(waiting.base + f as u16);
        self.records[r].behind = None;
        match self.fifos[fifo].tail {
            Some(tail) => self.records[tail].behind = Some(r),
            None => self.fifos[fifo].head = Some(r),
        }
        self.fifos[fifo].tail = Some(r);
        waiting.occupied |= 1 << f;
        let key = self.records[r].key;
        if waiting.least.is_none_or(|least| key < self.records[least].key) {
            waiting.least = Some(r);
            waiting.ready = key.ready;
        }
        waiting
    }

    /// Takes the least head away and finds the next one.
    fn remove_least(&mut self, mut waiting: Waiting) -> Waiting {
        let Some(least) = waiting.least else { return waiting };
        if let Some(fifo) = waiting.fifos().find(|&f| self.fifos[f].head == Some(least)) {
            let behind = self.records[least].behind.take();
            self.fifos[fifo].head = behind;
            if behind.is_none() {
                self.fifos[fifo].tail = None;
                waiting.occupied &= !(1 << (fifo.0 - waiting.base));
            }
        }
        let heads = waiting.fifos().filter_map(|f| self.fifos[f].head);
        let first = heads.map(|r| (self.records[r].key, r)).min();
        waiting.least = first.map(|(_, r)| r);
        waiting.ready = first.map_or(Cycle::MAX, |(key, _)| key.ready);
        waiting
    }
}

/// The set bits of a word, lowest first.
struct Bits(u128);

impl Iterator for Bits {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as u16;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
