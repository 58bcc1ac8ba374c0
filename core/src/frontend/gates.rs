//! Gates: what may keep a TB off an SMX although its resources are free (`frontend`, section G).
//!
//! Host-driven controllers set them: E, which SMXs are eligible; X, how many TBs an SMX may hold; M (a parameter), TBs of one
//! kernel shape at a time; K, how many TBs of a class of kernels an SMX may hold, and how many of those bypass L1. A gate only
//! removes candidates; one that is open cannot be told from no gate.

#[cfg(feature = "image")]
mod image;

use crate::base::id::{ClassId, Id, KernelSlot, SmxId, id};
use crate::base::set::{ClassSet, MAX_CLASSES, SmxSet};
use crate::base::table::{Rows, Table};
use crate::config::Config;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Sched};
use crate::launch::distributor::{Distributor, Kde};
use crate::smx::residency::{ClassMember, Residency, ResidentTb, Smx, Tbcr};

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
    /// SMXs that hold as many TBs of a class as its cap allows, or more.
    capped: [SmxSet; MAX_CLASSES],
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
            capped: [SmxSet::EMPTY; MAX_CLASSES],
        };
        (0..n_smx).for_each(|s| gates.block_caps[SmxId::from_index(s)] = tb_slots);
        (0..n_caps).for_each(|c| gates.caps[CapId(c)].cap = tb_slots);
        gates
    }

    pub(crate) fn eligible(&self) -> &SmxSet {
        &self.eligible
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

    /// Sets K of a class on an SMX.
    pub(crate) fn set_class_cap(&mut self, c: ClassId, s: SmxId, cap: u8, by: u8) {
        self.change(c, s, |entry| (entry.cap, entry.by) = (cap, by));
    }

    /// Changes a cap, or what it counts.
    #[inline]
    fn change(&mut self, c: ClassId, s: SmxId, change: impl FnOnce(&mut ClassCap)) {
        let cap = &mut self.caps[CapId(c.index() * self.n_smx + s.index())];
        change(cap);
        let is_capped = cap.cap < self.tb_slots && cap.resident >= cap.cap;
        if let Some(capped) = self.capped.get_mut(c.index()) {
            capped.set(s, is_capped);
        }
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

    /// The class of kernels with this entry (frontend-G3).
    #[inline]
    pub(crate) fn class_of(&self, pc: u64) -> Option<ClassId> {
        if self.bound == 0 {
            return None;
        }
        self.classes.iter().position(|&c| c == Some(pc)).map(ClassId::from_index)
    }

    /// The class of an entry's kernel.
    #[inline]
    pub(crate) fn class_of_kernel(&self, kde: &Kde) -> Option<ClassId> {
        self.class_of(kde.kernel.descriptor.pc)
    }

    pub(crate) fn cap(&self, c: ClassId, s: SmxId) -> &ClassCap {
        &self.caps[CapId(c.index() * self.n_smx + s.index())]
    }

    /// The SMXs off which K keeps a class.
    fn capped(&self, class: Option<ClassId>) -> SmxSet {
        class.and_then(|c| self.capped.get(c.index())).copied().unwrap_or_default()
    }

    /// The classes that K keeps off an SMX.
    pub(crate) fn capped_on(&self, s: SmxId) -> ClassSet {
        let mut classes = ClassSet::EMPTY;
        let capped = self.capped.iter().enumerate().filter(|(_, smxs)| smxs.contains(s));
        capped.for_each(|(c, _)| classes.insert(ClassId::from_index(c)));
        classes
    }

    /// Whether X would keep a TB off an SMX that held `resident` TBs.
    fn is_full_with(&self, s: SmxId, resident: u32) -> bool {
        let cap = self.block_caps[s];
        cap < self.tb_slots && resident >= cap.into()
    }

    /// Counts a TB that is about to start in its kernel's class, and decides whether it bypasses L1 (frontend-G5).
    #[inline]
    pub(crate) fn admit(&mut self, pc: u64, s: SmxId) -> Option<ClassMember> {
        let class = self.class_of(pc)?;
        let ClassCap { by, bypassing, .. } = *self.cap(class, s);
        let member = ClassMember { class, bypass: bypassing < by };
        self.count(s, &member);
        Some(member)
    }

    /// Counts a TB in its class.
    fn count(&mut self, s: SmxId, member: &ClassMember) {
        self.change(member.class, s, |cap| {
            cap.resident += 1;
            cap.bypassing += u8::from(member.bypass);
        });
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
            self.change(class, s, |cap| {
                cap.resident -= 1;
                cap.bypassing -= u8::from(bypass);
            });
        }
        self.recount(s, residency);
    }
}

/// What stands between kernels and SMXs: a look at the parts of a front end that know.
///
/// For each SMX the first obstacle counts (frontend-G1), and K comes first: it says whose an SMX is that a kernel cannot use. So a caller
/// takes the SMXs from a kernel on which it has its share before it asks where there is room.
pub(crate) struct Doors<'a, T: Tables> {
    pub(crate) config: &'a Config,
    pub(crate) kd: &'a Distributor<T::Kdes>,
    pub(crate) residency: &'a Residency<T::Smxs, T::Tbcrs>,
    pub(crate) gates: &'a Gates<T::BlockCaps, T::ClassCaps>,
    /// E.
    pub(crate) eligible: &'a SmxSet,
}

impl<T: Tables> Doors<'_, T> {
    /// R: whether a TB of kernel `k` finds its resources.
    #[inline]
    pub(crate) fn has_room(&self, k: KernelSlot, s: SmxId) -> bool {
        self.residency.smx(s).fits(&self.kd.get(k).need)
    }

    /// Gates E and X, which ask only about the SMX.
    #[inline]
    pub(crate) fn is_masked(&self, s: SmxId) -> bool {
        !self.eligible.contains(s) || self.gates.full.contains(s)
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

    /// Gate K: the SMXs on which kernel `k` has its share.
    pub(crate) fn capped(&self, k: KernelSlot) -> SmxSet {
        self.gates.capped(self.gates.class_of_kernel(self.kd.get(k)))
    }

    /// The SMXs among those left to kernel `k` that K and X leave open for it.
    fn uncapped(&self, k: KernelSlot, left: &SmxSet) -> SmxSet {
        left.without(&self.capped(k)).without(&self.gates.full)
    }

    /// The SMXs among those left to kernel `k` that K, X and M leave open for it.
    pub(crate) fn allowed(&self, k: KernelSlot, left: &SmxSet) -> SmxSet {
        let mut allowed = self.uncapped(k, left);
        if self.config.exclusive {
            allowed.iter().filter(|&s| self.holds_another(k, s)).for_each(|s| allowed.set(s, false));
        }
        allowed
    }

    /// The SMXs among those left to kernel `k` that have no obstacle for it, from `start` on and then those below it.
    pub(crate) fn takers(&self, k: KernelSlot, left: &SmxSet, start: SmxId) -> impl Iterator<Item = SmxId> {
        let open = self.uncapped(k, left).and(self.eligible);
        open.iter_from(start).filter(move |&s| self.has_room(k, s) && !self.is_excluded(k, s))
    }

    /// Whether one of the SMXs left to kernel `k` has no obstacle for it.
    pub(crate) fn is_taken(&self, k: KernelSlot, left: &SmxSet) -> bool {
        self.takers(k, left, SmxId(0)).next().is_some()
    }

    /// Why none of the SMXs left to kernel `k` takes it (frontend-G4).
    pub(crate) fn verdict(&self, k: KernelSlot, left: &SmxSet) -> Sched {
        if !left.and(&self.capped(k)).is_empty() {
            Sched::Capped
        } else if left.iter().any(|s| self.has_room(k, s)) {
            Sched::Gated
        } else {
            Sched::NoRoom
        }
    }

    /// The SMXs among those left to kernel `k`, which cannot be sent for this reason, that it leaves to those behind it (frontend-G6).
    pub(crate) fn leaves(&self, k: KernelSlot, word: &Sched, left: &SmxSet) -> SmxSet {
        match word {
            Sched::Capped if self.config.pass_capped => left.and(&self.capped(k)),
            word if self.config.pass_graph && word.is_of_graph() => *left,
            _ => SmxSet::EMPTY,
        }
    }
}

impl<T: Tables> FrontEnd<T> {
    pub(crate) fn doors(&self) -> Doors<'_, T> {
        self.doors_with(self.gates.eligible())
    }

    /// What stands between kernels and SMXs if these were the eligible ones.
    pub(crate) fn doors_with<'a>(&'a self, eligible: &'a SmxSet) -> Doors<'a, T> {
        let Self { config, kd, residency, gates, .. } = self;
        Doors { config, kd, residency, gates, eligible }
    }

    /// The first SMX from the round-robin pointer on without obstacle for kernel `k`, which is the first in line, or the verdict.
    #[inline(always)] // On the way of every TB.
    pub(crate) fn select_smx(&mut self, k: KernelSlot) -> Result<SmxId, Sched> {
        self.residency.follow(k, &self.kd.get(k).need);
        let smx = if self.config.exclusive || self.gates.any_class() {
            self.first_taker(k, self.residency.room())
        } else {
            let Gates { eligible, full, .. } = &self.gates;
            self.residency.room().first_from(self.rr, eligible, full)
        };
        smx.ok_or_else(|| self.verdict(k))
    }

    #[inline(never)]
    pub(crate) fn first_taker(&self, k: KernelSlot, left: &SmxSet) -> Option<SmxId> {
        self.doors().takers(k, left, self.rr).next()
    }

    /// The verdict on the first in line.
    #[cold]
    fn verdict(&self, k: KernelSlot) -> Sched {
        self.doors().verdict(k, &self.all_smxs())
    }
}
