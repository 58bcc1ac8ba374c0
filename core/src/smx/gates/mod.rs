//! Gates: what may keep a TB off an SMX although its resources are free (`frontend`, section G).
//!
//! Host-driven controllers set them: E, which SMXs are eligible; X, how many TBs an SMX may hold; M (a parameter), TBs of one
//! kernel shape at a time; K, how many TBs of a class of kernels an SMX may hold, and how many of those bypass L1. A gate only
//! removes candidates; one that is open cannot be told from no gate.

#[cfg(feature = "image")]
mod image;
mod validate;

use crate::base::id::{ClassId, Id, SmxId, id};
use crate::base::set::{ClassSet, MAX_CLASSES, SmxSet};
use crate::base::table::{Rows, Table};
use crate::config::Config;
use crate::smx::residency::{ClassMember, Residency, ResidentTb, Smx, Tbcr};

/// Gate K of one class on one SMX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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

    pub(crate) fn cap(&self, c: ClassId, s: SmxId) -> &ClassCap {
        &self.caps[CapId(c.index() * self.n_smx + s.index())]
    }

    /// SMXs that X closes.
    pub(crate) fn full(&self) -> &SmxSet {
        &self.full
    }

    /// The SMXs off which K keeps a class.
    pub(crate) fn capped(&self, class: Option<ClassId>) -> SmxSet {
        class.and_then(|c| self.capped.get(c.index())).copied().unwrap_or_default()
    }

    /// The classes that K keeps off an SMX.
    pub(crate) fn capped_on(&self, s: SmxId) -> ClassSet {
        let mut classes = ClassSet::EMPTY;
        let capped = self.capped.iter().enumerate().filter(|(_, smxs)| smxs.contains(s));
        capped.for_each(|(c, _)| classes.insert(ClassId::from_index(c)));
        classes
    }

    /// TBs of a class that X and K still let onto an SMX, which holds `resident` TBs.
    pub(crate) fn free_under_caps(&self, class: Option<ClassId>, s: SmxId, resident: u32) -> u32 {
        let under = |cap: u8, resident: u32| {
            if cap < self.tb_slots { u32::from(cap).saturating_sub(resident) } else { u32::MAX }
        };
        let of_class = class.map_or(u32::MAX, |c| {
            let ClassCap { cap, resident, .. } = *self.cap(c, s);
            under(cap, resident.into())
        });
        under(self.block_caps[s], resident).min(of_class)
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
