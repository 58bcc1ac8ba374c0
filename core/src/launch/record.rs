//! Launch records: every device-side launch owns one from its call on (dtbl-L2, dtbl-L3).
//!
//! A device kernel's record lives until the KMU issues it, a group's until the group is done (dtbl-A16). The records lie in global
//! memory; [`Config::pend_limit`](crate::Config) is how many there are.
//!
//! The sheet asks for the waiting launch of least (ready, seq). A launch by x lanes becomes ready a fixed time after its call,
//! so the launches of one lane count wait in a FIFO that is sorted by itself. The least of all is at the head of one of at most
//! 2 x `warp` FIFOs, which a small heap keeps in order, whatever is pending.

#[cfg(feature = "image")]
mod image;
mod validate;

use crate::base::cycle::Cycle;
use crate::base::free_map::FreeMap;
use crate::base::id::{AgeId, KernelSlot, RecordId, SmxId, id};
use crate::base::table::{Rows, Table};
use crate::config::Config;
use crate::launch::descriptor::{Descriptor, Shape};
use crate::launch::hwq::{Key, Owner};
use crate::probe::GroupRef;

/// What a launch record holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
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
    /// A tail launch whose turn has not come: the KMU does not see it (launch2-C1).
    Tail,
    /// A group that was coalesced with a kernel.
    Grp(Group),
}

/// A coalesced group's progress: the fields of its AGE, kept on chip or, spilled, in its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub struct Group {
    /// The kernel it joined.
    pub kernel: KernelSlot,
    /// Its AGE; `None` if it spilled.
    pub age: Option<AgeId>,
    /// The group that joined the same kernel after it: its record, and what the Next field says, which may outlive it (dtbl-H17).
    pub next: Option<(RecordId, GroupRef)>,
    /// ExeBL: its resident TBs.
    #[cfg_attr(feature = "image", serde(skip))]
    pub exe: u32,
    /// Whether every TB of it was sent.
    pub dist: bool,
}

/// One launch record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
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
    #[cfg_attr(feature = "image", serde(skip))]
    pub shape: Shape,
    /// Depth of the launched kernel.
    pub depth: u8,
    /// Hardware thread index of the caller (groups only).
    pub hw_tid: u32,
    /// SMX of the calling TB.
    pub psmx: SmxId,
    /// Priority of its TBs: one level below the calling TB (frontend-F2).
    pub prio: u8,
    /// Whose it is: that of the kernel of the calling TB (modern-R3).
    pub owner: Owner,
    /// The record behind it in its FIFO.
    #[cfg_attr(feature = "image", serde(skip))]
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
    /// Not about this FIFO: the number of the one that stands at this row's place in the heap of its [`Waiting`] set.
    heap: u32,
}

id! {
    /// One FIFO among those of a [`Waiting`] set.
    pub(crate) FifoId(u32)
}

/// Owners whose kernels wait apart: each priority of each context.
pub(crate) const fn n_owner(config: &Config) -> u32 {
    config.n_context() * config.n_level()
}

/// FIFOs that the records need: per lane count one for commands, and per owner one for kernels and one for groups that fell.
pub(crate) const fn fifos(config: &Config) -> usize {
    config.warp as usize * (1 + 2 * n_owner(config) as usize)
}

id! {
    /// A priority of a context: context by context.
    pub(crate) OwnerId(u16)
}

/// What waits for the same thing: FIFOs that are not empty, in a binary heap by the age of their heads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Waiting {
    /// Its first FIFO.
    base: u32,
    /// FIFOs in the heap.
    len: u32,
    least: Option<RecordId>,
    /// When the least is ready; [`Cycle::MAX`] if nothing waits.
    ready: Cycle,
}

impl Waiting {
    fn from(base: u32) -> Self {
        Self { base, len: 0, least: None, ready: Cycle::MAX }
    }

    /// The row that keeps place `at` of the heap.
    fn place(&self, at: u32) -> FifoId {
        FifoId(self.base + at)
    }
}

/// Which of the [`Waiting`] sets.
#[derive(Clone, Copy)]
enum Line {
    /// Groups that wait for their join.
    Agg,
    /// Kernels of an owner that wait for the KMU.
    Dev(OwnerId),
}

/// All launch records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Records<R, M, F, W> {
    records: Table<RecordId, Record, R>,
    free: FreeMap<RecordId, M>,
    fifos: Table<FifoId, LaunchFifo, F>,
    warp: u32,
    n_level: u32,
    n_owner: u32,
    agg: Waiting,
    /// Kernels for the KMU, owner by owner.
    devs: Table<OwnerId, Waiting, W>,
    /// The oldest of all of them.
    dev: Option<RecordId>,
    /// When it is ready; [`Cycle::MAX`] if none waits.
    dev_ready: Cycle,
}

impl<R: Rows<Record>, M: Rows<u64>, F: Rows<LaunchFifo>, W: Rows<Waiting>> Records<R, M, F, W> {
    pub(crate) fn new(records: R, map: M, fifo_rows: F, waiting: W, config: &Config) -> Self {
        let (warp, n_owner) = (config.warp, n_owner(config));
        let mut devs = Table::new(waiting);
        (0..n_owner).for_each(|owner| devs[OwnerId(owner as u16)] = Waiting::from(warp + 2 * warp * owner));
        Self {
            records: Table::new(records),
            free: FreeMap::new(map, config.pend_limit),
            fifos: Table::new(fifo_rows),
            warp,
            n_level: config.n_level(),
            n_owner,
            agg: Waiting::from(0),
            devs,
            dev: None,
            dev_ready: Cycle::MAX,
        }
    }

    /// Whether all kernels wait in one order.
    #[inline]
    pub(crate) fn has_one_owner(&self) -> bool {
        self.n_owner == 1
    }

    #[inline]
    fn owner_of(&self, r: RecordId) -> OwnerId {
        if self.has_one_owner() {
            return OwnerId(0);
        }
        let Owner { context, priority } = self.records[r].owner;
        OwnerId((u32::from(context) * self.n_level + u32::from(priority)) as u16)
    }

    fn owners(&self) -> impl Iterator<Item = OwnerId> + use<R, M, F, W> {
        (0..self.n_owner).map(|owner| OwnerId(owner as u16))
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
            RecordState::Agg { .. } => self.append(Line::Agg, r, lanes - 1),
            RecordState::Tail => {}
            _ => self.append_dev(r, lanes - 1),
        }
        r
    }

    /// A group that did not join goes to the kernels, ready at `ready`; `fell` lanes of its command did so.
    pub(crate) fn fall(&mut self, r: RecordId, ready: Cycle, fell: u32) {
        self.records[r].state = RecordState::Dev;
        self.records[r].key.ready = ready;
        self.append_dev(r, self.warp + fell - 1);
    }

    /// The turn of the tail launch in `r` has come, in the cycle `turn`. Tail launches were ready whenever they were, so those whose turn
    /// has come wait by age in a FIFO of their own, which is that of commands of which one lane fell: where there are tail launches there
    /// are no groups. It takes as long as that FIFO is where a launch is not the youngest of them.
    pub(crate) fn open(&mut self, r: RecordId, turn: Cycle) {
        let record = &mut self.records[r];
        record.state = RecordState::Dev;
        record.key.ready = record.key.ready.max(turn);
        let (key, owner) = (record.key, self.owner_of(r));
        let fifo = FifoId(self.devs[owner].base + self.warp);
        let before = |records: &Self, other: Option<RecordId>| other.filter(|&other| records.records[other].key < key);
        // Most often it is the youngest.
        if before(self, self.fifos[fifo].tail) == self.fifos[fifo].tail {
            return self.append_dev(r, self.warp);
        }
        let Some(mut at) = before(self, self.fifos[fifo].head) else {
            // It goes ahead of all others, which makes it the FIFO's age.
            self.records[r].behind = self.fifos[fifo].head.replace(r);
            let waiting = self.devs[owner];
            let place = (0..waiting.len).find(|&place| self.fifos[waiting.place(place)].heap == fifo.0);
            self.rise_from(&waiting, fifo, place.unwrap_or(0));
            self.find_least(Line::Dev(owner));
            return self.find_dev();
        };
        while let Some(next) = before(self, self.records[at].behind) {
            at = next;
        }
        self.records[r].behind = self.records[at].behind.replace(r);
    }

    /// Puts a kernel behind FIFO number `f` of its owner's.
    fn append_dev(&mut self, r: RecordId, f: u32) {
        let owner = self.owner_of(r);
        self.append(Line::Dev(owner), r, f);
        self.find_dev();
    }

    /// The oldest kernel of each owner may have changed.
    #[inline]
    fn find_dev(&mut self) {
        let first = self.devs[OwnerId(0)];
        (self.dev, self.dev_ready) = (first.least, first.ready);
        if self.n_owner > 1 {
            let of_each = self.owners().filter_map(|owner| self.devs[owner].least);
            self.dev = of_each.min_by_key(|&r| self.records[r].key);
            self.dev_ready = self.dev.map_or(Cycle::MAX, |r| self.records[r].key.ready);
        }
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
        self.dev
    }

    /// The next kernel of each owner, with that.
    pub(crate) fn first_of_each(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        self.owners().filter_map(|owner| self.devs[owner].least).map(|r| (r, &self.records[r]))
    }

    /// When the next kernel for the KMU is ready; [`Cycle::MAX`] if none waits.
    #[inline]
    pub(crate) fn dev_ready(&self) -> Cycle {
        self.dev_ready
    }

    /// Whether a kernel waits that is not ready at `now`.
    pub(crate) fn any_dev_maturing(&self, now: Cycle) -> bool {
        let heap = |set: Waiting| (0..set.len).map(move |at| FifoId(self.fifos[set.place(at)].heap));
        let mut fifos = self.owners().flat_map(|owner| heap(self.devs[owner]));
        fifos.any(|fifo| self.fifos[fifo].tail.is_some_and(|r| self.records[r].key.ready > now))
    }

    /// Takes the next group out of the FIFO in which it waits for its join.
    pub(crate) fn pop_agg(&mut self) -> Option<RecordId> {
        let least = self.agg.least;
        self.remove_least(Line::Agg);
        least
    }

    /// Takes `r`, the next kernel of its owner, out of the FIFO in which it waits for the KMU.
    pub(crate) fn pop_dev(&mut self, r: RecordId) {
        let owner = self.owner_of(r);
        self.remove_least(Line::Dev(owner));
        self.find_dev();
    }

    fn line(&self, line: Line) -> &Waiting {
        match line {
            Line::Agg => &self.agg,
            Line::Dev(owner) => &self.devs[owner],
        }
    }

    fn line_mut(&mut self, line: Line) -> &mut Waiting {
        match line {
            Line::Agg => &mut self.agg,
            Line::Dev(owner) => &mut self.devs[owner],
        }
    }

    /// Puts `r` behind FIFO number `f` of a line.
    fn append(&mut self, line: Line, r: RecordId, f: u32) {
        let fifo = FifoId(self.line(line).base + f);
        self.records[r].behind = None;
        if let Some(tail) = self.fifos[fifo].tail.replace(r) {
            self.records[tail].behind = Some(r);
            return;
        }
        self.fifos[fifo].head = Some(r);
        self.line_mut(line).len += 1;
        let waiting = *self.line(line);
        self.rise(&waiting, fifo);
        self.find_least(line);
    }

    /// Takes the least head of a line away.
    fn remove_least(&mut self, line: Line) {
        let mut waiting = *self.line(line);
        let Some(least) = waiting.least else { return };
        let fifo = FifoId(self.fifos[waiting.place(0)].heap);
        let behind = self.records[least].behind.take();
        self.fifos[fifo].head = behind;
        if behind.is_some() {
            self.sink(&waiting, fifo);
        } else {
            self.fifos[fifo].tail = None;
            waiting.len -= 1;
            self.line_mut(line).len = waiting.len;
            let last = FifoId(core::mem::take(&mut self.fifos[waiting.place(waiting.len)].heap));
            if waiting.len > 0 {
                self.sink(&waiting, last);
            }
        }
        self.find_least(line);
    }

    /// The oldest of a line may have changed.
    fn find_least(&mut self, line: Line) {
        let waiting = self.line(line);
        let root = FifoId(self.fifos[waiting.place(0)].heap);
        let least = if waiting.len > 0 { self.fifos[root].head } else { None };
        let ready = least.map_or(Cycle::MAX, |r| self.records[r].key.ready);
        let waiting = self.line_mut(line);
        (waiting.least, waiting.ready) = (least, ready);
    }

    /// The age of a FIFO that is not empty.
    fn key(&self, fifo: FifoId) -> Key {
        self.fifos[fifo].head.map_or(Key::default(), |r| self.records[r].key)
    }

    /// Puts `fifo` into the heap's last place and moves it up to where it belongs.
    fn rise(&mut self, waiting: &Waiting, fifo: FifoId) {
        self.rise_from(waiting, fifo, waiting.len - 1);
    }

    /// Moves `fifo`, whose age is less than it was, from place `at` up to where it belongs.
    fn rise_from(&mut self, waiting: &Waiting, fifo: FifoId, mut at: u32) {
        let key = self.key(fifo);
        while at > 0 {
            let parent = (at - 1) / 2;
            let other = FifoId(self.fifos[waiting.place(parent)].heap);
            if self.key(other) <= key {
                break;
            }
            self.fifos[waiting.place(at)].heap = other.0;
            at = parent;
        }
        self.fifos[waiting.place(at)].heap = fifo.0;
    }

    /// Puts `fifo` into the heap's first place and moves it down to where it belongs.
    fn sink(&mut self, waiting: &Waiting, fifo: FifoId) {
        // Most often all commands have as many lanes.
        if waiting.len <= 1 {
            self.fifos[waiting.place(0)].heap = fifo.0;
            return;
        }
        let key = self.key(fifo);
        let mut at = 0;
        while 2 * at + 1 < waiting.len {
            let child = |at: u32| {
                let fifo = FifoId(self.fifos[waiting.place(at)].heap);
                (self.key(fifo), at, fifo)
            };
            let left = child(2 * at + 1);
            let right = if 2 * at + 2 < waiting.len { child(2 * at + 2) } else { left };
            let (least, below, other) = if right.0 < left.0 { right } else { left };
            if key <= least {
                break;
            }
            self.fifos[waiting.place(at)].heap = other.0;
            at = below;
        }
        self.fifos[waiting.place(at)].heap = fifo.0;
    }
}
