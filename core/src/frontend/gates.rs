//! Gates: what may keep a TB off an SMX although its resources are free (`frontend` G).
//!
//! Host-driven controllers set them: E, which SMXs are eligible; X, how many TBs an SMX may hold; M (a parameter), TBs of one
//! kernel shape at a time; K, how many TBs of a class of kernels an SMX may hold, and how many of those bypass L1. A gate only
//! removes candidates; one that is open cannot be told from no gate.

#[cfg(feature = "image")]
mod image;

use crate::frontend::config::Config;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Sched};
use crate::id::{ClassId, Id, KernelSlot, SmxId, id};
use crate::launch::distributor::Distributor;
use crate::residency::{ClassMember, Residency, ResidentTb, Smx, Tbcr};
use crate::set::SmxSet;
use crate::table::{Rows, Table};

/// The most classes.
const MAX_CLASSES: usize = 8;

/// Gate K of one class on one SMX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClassCap {
    /// TBs of the class that the SMX may hold; `tb_slots` is open.
    pub cap: u8,
    /// Resident TBs of the class that bypass L1.
    pub by: u8,
    /// Resident TBs of the class.
    pub resident: u8,
    /// Those of them that bypass L1.
    pub bypassing: u8,
}

id! {
    /// A cap: class by class, SMX by SMX.
    pub(crate) CapId(usize)
}

/// All gates but M, which is a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Gates<B, C> {
    tb_slots: u8,
    n_smx: usize,
    n_class: u8,
    /// E.
    eligible: SmxSet,
    /// X per SMX.
    block_caps: Table<SmxId, u8, B>,
    /// SMXs whose cap is not open.
    limited: u16,
    /// SMXs that X closes, since they hold as many TBs or more.
    full: SmxSet,
    /// K: the pc of each class.
    classes: [Option<u64>; MAX_CLASSES],
    /// Classes that have one.
    bound: u8,
    caps: Table<CapId, ClassCap, C>,
}

impl<B: Rows<u8>, C: Rows<ClassCap>> Gates<B, C> {
    pub(crate) fn new(block_caps: B, caps: C, config: &Config) -> Self {
        let (n_smx, tb_slots) = (config.n_smx as usize, config.tb_slots as u8);
        let n_caps = config.n_class as usize * n_smx;
        let mut gates = Self {
            tb_slots,
            n_smx,
            n_class: config.n_class as u8,
            eligible: SmxSet::first(config.n_smx),
            block_caps: Table::new(block_caps),
            limited: 0,
            full: SmxSet::EMPTY,
            classes: [None; MAX_CLASSES],
            bound: 0,
            caps: Table::new(caps),
        };
        (0..n_smx).for_each(|s| gates.block_caps[SmxId::from_index(s)] = tb_slots);
        (0..n_caps).for_each(|c| gates.caps[CapId(c)].cap = tb_slots);
        gates
    }

    pub(crate) fn eligible(&self) -> SmxSet {
        self.eligible
    }

    /// Those of some SMXs that E and X leave open.
    pub(crate) fn open(&self, smxs: &SmxSet) -> SmxSet {
        smxs.and(&self.eligible).without(&self.full)
    }

    pub(crate) fn set_eligible(&mut self, eligible: SmxSet) {
        self.eligible = eligible;
    }

    pub(crate) fn block_cap(&self, s: SmxId) -> u8 {
        self.block_caps[s]
    }

    /// Sets X of an SMX that holds `resident` TBs.
    pub(crate) fn set_block_cap(&mut self, s: SmxId, cap: u8, resident: u32) {
        let is_limit = |cap: u8| u16::from(cap < self.tb_slots);
        self.limited = self.limited + is_limit(cap) - is_limit(self.block_caps[s]);
        self.block_caps[s] = cap;
        self.full.set(s, self.is_full_with(s, resident));
    }

    /// The number of TBs on an SMX has changed.
    #[inline]
    pub(crate) fn recount<S: Rows<Smx>, R: Rows<Tbcr>>(&mut self, s: SmxId, residency: &Residency<S, R>) {
        if self.limited > 0 {
            self.full.set(s, self.is_full_with(s, residency.count_of(s)));
        }
    }

    pub(crate) fn class(&self, c: ClassId) -> Option<u64> {
        self.classes.get(c.index()).copied().flatten()
    }

    pub(crate) fn has_class(&self, c: ClassId) -> bool {
        c.0 < self.n_class
    }

    pub(crate) fn bind(&mut self, c: ClassId, pc: Option<u64>) {
        if let Some(class) = self.classes.get_mut(c.index()) {
            *class = pc;
        }
        self.bound = self.classes.iter().flatten().count() as u8;
    }

    /// Whether any class is bound.
    pub(crate) fn any_class(&self) -> bool {
        self.bound > 0
    }

    /// The class of kernels with this entry (G3).
    #[inline]
    pub(crate) fn class_of(&self, pc: u64) -> Option<ClassId> {
        if self.bound == 0 {
            return None;
        }
        self.classes.iter().position(|&c| c == Some(pc)).map(ClassId::from_index)
    }

    pub(crate) fn cap(&self, c: ClassId, s: SmxId) -> &ClassCap {
        &self.caps[CapId(c.index() * self.n_smx + s.index())]
    }

    pub(crate) fn cap_mut(&mut self, c: ClassId, s: SmxId) -> &mut ClassCap {
        &mut self.caps[CapId(c.index() * self.n_smx + s.index())]
    }

    /// Whether K keeps a class off an SMX that held `resident` of its TBs.
    pub(crate) fn is_capped(&self, class: Option<ClassId>, s: SmxId, resident: impl Fn(&ClassCap) -> u8) -> bool {
        class.map(|c| self.cap(c, s)).is_some_and(|cap| cap.cap < self.tb_slots && resident(cap) >= cap.cap)
    }

    /// Whether X would keep a TB off an SMX that held `resident` TBs.
    pub(crate) fn is_full_with(&self, s: SmxId, resident: u32) -> bool {
        let cap = self.block_caps[s];
        cap < self.tb_slots && resident >= cap.into()
    }

    /// Counts a TB that is about to start in its kernel's class, and decides whether it bypasses L1 (G5).
    #[inline]
    pub(crate) fn admit(&mut self, pc: u64, s: SmxId) -> Option<ClassMember> {
        let class = self.class_of(pc)?;
        let cap = self.cap_mut(class, s);
        let bypass = cap.bypassing < cap.by;
        cap.resident += 1;
        cap.bypassing += u8::from(bypass);
        Some(ClassMember { class, bypass })
    }

    /// A TB has left an SMX.
    #[inline]
    pub(crate) fn leave<S: Rows<Smx>, R: Rows<Tbcr>>(
        &mut self,
        s: SmxId,
        tb: &ResidentTb,
        residency: &Residency<S, R>,
    ) {
        if let Some(ClassMember { class, bypass }) = tb.member {
            let cap = self.cap_mut(class, s);
            cap.resident -= 1;
            cap.bypassing -= u8::from(bypass);
        }
        self.recount(s, residency);
    }
}

/// What keeps a TB off an SMX: the first of these that holds (G1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// R: its resources.
    Resources,
    /// E, X or M.
    Gate,
    /// K.
    Cap,
}

/// What stands between kernels and SMXs: a look at the parts of a front end that know.
pub(crate) struct Doors<'a, T: Tables> {
    pub(crate) config: &'a Config,
    pub(crate) kd: &'a Distributor<T::Kdes>,
    pub(crate) residency: &'a Residency<T::Smxs, T::Tbcrs>,
    pub(crate) gates: &'a Gates<T::BlockCaps, T::ClassCaps>,
}

impl<T: Tables> Doors<'_, T> {
    /// What keeps the TBs of kernel `k` off an SMX.
    pub(crate) fn obstacle(&self, k: KernelSlot, s: SmxId) -> Option<Obstacle> {
        if !self.has_room(k, s) {
            Some(Obstacle::Resources)
        } else if self.is_masked(s) || self.is_excluded(k, s) {
            Some(Obstacle::Gate)
        } else {
            self.is_capped(k, s).then_some(Obstacle::Cap)
        }
    }

    /// R: whether a TB of kernel `k` finds its resources.
    #[inline]
    pub(crate) fn has_room(&self, k: KernelSlot, s: SmxId) -> bool {
        self.residency.smx(s).fits(&self.kd.get(k).need)
    }

    /// Gates E and X, which ask only about the SMX.
    #[inline]
    pub(crate) fn is_masked(&self, s: SmxId) -> bool {
        !self.gates.eligible.contains(s) || self.gates.full.contains(s)
    }

    /// Gate M: whether the SMX holds TBs of another key.
    #[inline]
    pub(crate) fn is_excluded(&self, k: KernelSlot, s: SmxId) -> bool {
        self.config.exclusive && self.holds_another(k, s)
    }

    #[inline(never)]
    fn holds_another(&self, k: KernelSlot, s: SmxId) -> bool {
        // All TBs of an SMX share their key, so one speaks for all.
        let resident = self.residency.any_tb(s).map(|tb| self.kd.get(tb.kde).key());
        resident.is_some_and(|key| key != self.kd.get(k).key())
    }

    /// Gate K.
    #[inline]
    pub(crate) fn is_capped(&self, k: KernelSlot, s: SmxId) -> bool {
        let class = self.gates.class_of(self.kd.get(k).kernel.descriptor.pc);
        self.gates.is_capped(class, s, |c| c.resident)
    }

    /// Whether X, M or K keeps kernel `k` off an SMX.
    pub(crate) fn is_closed(&self, k: KernelSlot, s: SmxId) -> bool {
        self.gates.full.contains(s) || self.is_excluded(k, s) || self.is_capped(k, s)
    }
}

impl<T: Tables> FrontEnd<T> {
    pub(crate) fn doors(&self) -> Doors<'_, T> {
        let Self { config, kd, residency, gates, .. } = self;
        Doors { config, kd, residency, gates }
    }

    /// The first SMX from the round-robin pointer on that nothing keeps kernel `k` off, or the verdict on all (G4).
    #[inline(always)]
    pub(crate) fn select_smx(&mut self, k: KernelSlot) -> Result<SmxId, Sched> {
        self.residency.follow(k, &self.kd.get(k).need);
        self.first_open(k, self.residency.room())
    }

    /// What [`FrontEnd::select_smx`] would answer.
    pub(crate) fn find_smx(&self, k: KernelSlot) -> Result<SmxId, Sched> {
        self.first_open(k, &self.residency.room_for(&self.kd.get(k).need))
    }

    #[inline(always)] // On the way of every TB; its other caller is a query.
    fn first_open(&self, k: KernelSlot, room: &SmxSet) -> Result<SmxId, Sched> {
        let Gates { eligible, full, .. } = &self.gates;
        let smx = if self.config.exclusive || self.gates.any_class() {
            self.first_without_obstacle(k, room)
        } else {
            room.first_from(self.rr, eligible, full)
        };
        smx.ok_or_else(|| self.verdict(k))
    }

    #[inline(never)]
    fn first_without_obstacle(&self, k: KernelSlot, room: &SmxSet) -> Option<SmxId> {
        let doors = self.doors();
        room.iter_from(self.rr).find(|&s| doors.obstacle(k, s).is_none())
    }

    #[cold]
    pub(crate) fn verdict(&self, k: KernelSlot) -> Sched {
        let mut word = Sched::NoRoom;
        let doors = self.doors();
        for s in SmxSet::first(self.config.n_smx).iter() {
            match doors.obstacle(k, s) {
                Some(Obstacle::Cap) => return Sched::Capped,
                Some(Obstacle::Gate) => word = Sched::Gated,
                _ => {}
            }
        }
        word
    }
}
