//! What every SMX has room for, and which TB holds which slot: the one residency that all schedulers share.
//!
//! A TB takes one slot, and threads, registers and shared memory, as one block from its dispatch to its end (dtbl-I1). All
//! other views of free room (LaPerm's, the dependency graphs', the power controller's) are views of this table.

#[cfg(feature = "image")]
mod image;
mod validate;

use crate::base::id::{ClassId, Id, KernelSlot, RecordId, SlotId, SmxId, id};
use crate::base::resources::Resources;
use crate::base::set::SmxSet;
use crate::base::table::{Rows, Table};
use crate::config::Config;

/// Resources of one TB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Need {
    /// Threads.
    pub threads: u32,
    /// Registers.
    pub regs: u32,
    /// Shared memory, bytes.
    pub smem: u32,
    /// Warps, the last one perhaps partly filled.
    pub warps: u32,
}

impl Need {
    /// With the slot that each TB takes.
    #[inline]
    pub(crate) const fn resources(&self) -> Resources {
        Resources { threads: self.threads, regs: self.regs, smem: self.smem, slots: 1 }
    }

    /// Bytes that there are to save of a TB (modern-S2).
    pub(crate) fn context_bytes(&self) -> u64 {
        4 * u64::from(self.regs) + u64::from(self.smem)
    }
}

/// What a resident TB is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unit {
    /// The kernel's own grid.
    #[default]
    Native,
    /// An aggregated group, named by its launch record.
    Group(RecordId),
    /// The kernel's own grid, sent again after a suspension.
    Restored,
    /// The kernel's dependency graph: its number is a VID.
    Node,
}

/// A TB on an SMX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ResidentTb {
    /// Its kernel.
    pub kde: KernelSlot,
    /// Its grid.
    pub unit: Unit,
    /// Its number in that grid; for restored TBs the position in the list of saved ones.
    pub blkid: u32,
    /// Its priority (LaPerm).
    #[cfg_attr(feature = "serde", serde(skip))]
    pub prio: u8,
    /// Its class at dispatch, if it had one (gate K).
    pub member: Option<ClassMember>,
}

impl ResidentTb {
    /// The launch record of its group, if it is of one.
    pub(crate) fn group(&self) -> Option<RecordId> {
        match self.unit {
            Unit::Group(r) => Some(r),
            Unit::Native | Unit::Restored | Unit::Node => None,
        }
    }
}

/// A TB that gate K counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClassMember {
    /// Its class.
    pub class: ClassId,
    /// Whether it bypasses the L1 cache.
    pub bypass: bool,
}

/// A TB control register.
pub type Tbcr = Option<ResidentTb>;

/// What is free on one SMX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Smx {
    /// Bit w: slot w is free.
    pub slots: u64,
    /// Free threads.
    pub threads: u32,
    /// Free registers.
    pub regs: u32,
    /// Free shared memory, bytes.
    pub smem: u32,
    /// Resident warps.
    pub warps: u32,
}

impl Smx {
    /// Slots counted.
    #[inline]
    pub(crate) const fn free(&self) -> Resources {
        Resources { threads: self.threads, regs: self.regs, smem: self.smem, slots: self.slots.count_ones() }
    }

    /// Whether a TB finds room.
    #[inline]
    #[must_use]
    pub fn fits(&self, need: &Need) -> bool {
        self.slots != 0 && self.threads >= need.threads && self.regs >= need.regs && self.smem >= need.smem
    }
}

id! {
    /// A TB control register: SMX by SMX, slot by slot.
    pub(crate) TbcrId(usize)
}

/// All SMXs and their TB control registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Residency<S, R> {
    smxs: Table<SmxId, Smx, S>,
    tbcrs: Table<TbcrId, Tbcr, R>,
    n_smx: usize,
    tb_slots: usize,
    /// The kernel whose TBs were asked for last, what they need, and which SMXs have room for one: kept current, since the
    /// scheduler asks for the same kernel, or for kernels of one shape, again and again.
    followed: Option<KernelSlot>,
    shape: Need,
    room: SmxSet,
    warps: u32,
}

impl<S: Rows<Smx>, R: Rows<Tbcr>> Residency<S, R> {
    pub(crate) fn new(smxs: S, tbcrs: R, config: &Config) -> Self {
        let (n_smx, tb_slots) = (config.n_smx as usize, config.tb_slots as usize);
        let slots = u64::MAX >> (64 - config.tb_slots);
        let empty = Smx { slots, threads: config.threads, regs: config.regs, smem: config.smem, warps: 0 };
        let mut table = Table::new(smxs);
        for s in 0..n_smx {
            table[SmxId::from_index(s)] = empty;
        }
        let room = SmxSet::first(config.n_smx);
        let tbcrs = Table::new(tbcrs);
        Self { smxs: table, tbcrs, n_smx, tb_slots, followed: None, shape: Need::default(), room, warps: 0 }
    }

    fn register(&self, s: SmxId, w: SlotId) -> TbcrId {
        TbcrId(s.index() * self.tb_slots + w.index())
    }

    pub(crate) fn smx(&self, s: SmxId) -> &Smx {
        &self.smxs[s]
    }

    /// The TB in a slot.
    pub(crate) fn tb(&self, s: SmxId, w: SlotId) -> Option<&ResidentTb> {
        self.tbcrs[self.register(s, w)].as_ref()
    }

    /// The TB in the lowest taken slot of an SMX.
    pub(crate) fn any_tb(&self, s: SmxId) -> Option<&ResidentTb> {
        let lowest = SlotId(self.smxs[s].slots.trailing_ones() as u8);
        if lowest.index() < self.tb_slots { self.tb(s, lowest) } else { None }
    }

    /// How many TBs an SMX holds.
    pub(crate) fn count_of(&self, s: SmxId) -> u32 {
        self.tb_slots as u32 - self.smxs[s].slots.count_ones()
    }

    /// Makes `k`, whose TBs need `need`, the kernel whose [`Residency::room`] is kept.
    #[inline]
    pub(crate) fn follow(&mut self, k: KernelSlot, need: &Need) {
        if self.followed != Some(k) {
            self.turn_to(k, need);
        }
    }

    /// The room that is kept is right for every kernel of this shape.
    #[inline(never)]
    fn turn_to(&mut self, k: KernelSlot, need: &Need) {
        if self.shape != *need {
            self.room = self.room_for(need);
            self.shape = *need;
        }
        self.followed = Some(k);
    }

    /// A kernel has left its entry: what is kept for the entry is about nobody.
    pub(crate) fn forget(&mut self, k: KernelSlot) {
        if self.followed == Some(k) {
            self.followed = None;
        }
    }

    /// SMXs with room for a TB of the kernel that is followed.
    pub(crate) fn room(&self) -> &SmxSet {
        &self.room
    }

    /// The same, if it is kernel `k` that is followed, or one of its shape, which needs `need`.
    #[inline]
    pub(crate) fn kept_room(&self, k: KernelSlot, need: &Need) -> Option<&SmxSet> {
        (self.followed == Some(k) || self.shape == *need).then_some(&self.room)
    }

    /// SMXs with room for a TB of kernel `k`, which needs `need`.
    #[inline]
    pub(crate) fn room_of(&self, k: KernelSlot, need: &Need) -> SmxSet {
        self.kept_room(k, need).copied().unwrap_or_else(|| self.room_for(need))
    }

    /// The TBs on an SMX, by slot.
    pub(crate) fn tbs_on(&self, s: SmxId) -> impl Iterator<Item = &ResidentTb> {
        (0..self.tb_slots).map(SlotId::from_index).filter_map(move |w| self.tb(s, w))
    }

    /// SMXs with room for a TB of any shape.
    pub(crate) fn room_for(&self, need: &Need) -> SmxSet {
        let mut room = SmxSet::EMPTY;
        for s in (0..self.n_smx).map(SmxId::from_index) {
            room.set(s, self.smxs[s].fits(need));
        }
        room
    }

    /// Resident warps of the GPU. Every TB has one.
    pub(crate) fn warps(&self) -> u32 {
        self.warps
    }

    /// Puts a TB into the lowest free slot of an SMX on which it fits.
    #[inline]
    pub(crate) fn place(&mut self, s: SmxId, need: &Need, tb: ResidentTb) -> SlotId {
        let slot = SlotId(self.smxs[s].slots.trailing_zeros() as u8);
        self.put(s, slot, need, tb);
        slot
    }

    /// Puts a TB into a free slot of an SMX on which it fits.
    #[inline(always)] // On the way of every TB; its other caller loads images.
    fn put(&mut self, s: SmxId, slot: SlotId, need: &Need, tb: ResidentTb) {
        let smx = &mut self.smxs[s];
        smx.slots &= !(1 << slot.0);
        smx.threads -= need.threads;
        smx.regs -= need.regs;
        smx.smem -= need.smem;
        smx.warps += need.warps;
        if !smx.fits(&self.shape) {
            self.room.set(s, false);
        }
        self.warps += need.warps;
        let register = self.register(s, slot);
        self.tbcrs[register] = Some(tb);
    }

    /// Clears the register of a slot and says which TB it held. Its resources stay taken until [`Residency::free`].
    #[inline]
    pub(crate) fn clear(&mut self, s: SmxId, w: SlotId) -> Tbcr {
        let register = self.register(s, w);
        self.tbcrs[register].take()
    }

    /// Gives the resources back of the TB that a slot held. If it was like those that kernel `k` sends, there is room for another one then.
    #[inline]
    pub(crate) fn free(&mut self, s: SmxId, w: SlotId, k: Option<KernelSlot>, need: &Need) {
        let smx = &mut self.smxs[s];
        smx.slots |= 1 << w.0;
        smx.threads += need.threads;
        smx.regs += need.regs;
        smx.smem += need.smem;
        smx.warps -= need.warps;
        if (k.is_some() && self.followed == k) || smx.fits(&self.shape) {
            self.room.set(s, true);
        }
        self.warps -= need.warps;
    }
}
