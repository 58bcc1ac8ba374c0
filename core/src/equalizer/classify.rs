//! C: the class of a warp at a sampling instant, and how many warps of a class there are.

use super::config::{SmConfig, XmemRule};

/// A warp at a sampling instant, by the state at the end of the issue phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Warp {
    /// It is resident.
    pub resident: bool,
    /// Its block is paused.
    pub paused: bool,
    /// It issues an instruction in this cycle.
    pub issued: bool,
    /// There is a valid instruction at the head of its buffer.
    pub valid: bool,
    /// The head waits on a barrier or fence.
    pub sync: bool,
    /// The head's operands are ready.
    pub ready: bool,
    /// The head needs the LD/ST pipe; else it needs an arithmetic one.
    pub mem: bool,
    /// The LD/ST pipe accepts one (more) instruction in this cycle.
    pub accept: bool,
}

/// What a warp does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u32)]
pub enum Class {
    /// It is not there.
    Absent,
    /// Its block is paused.
    Paused,
    /// It issues.
    Issued,
    /// Nothing is known of its next instruction.
    Unaccounted,
    /// Something that the mechanism does not count.
    Other,
    /// It waits for operands.
    Waiting,
    /// It is ready, and held back by the arithmetic pipes.
    Xalu,
    /// It is ready, and held back by the LD/ST pipe.
    Xmem,
}

/// The class of a warp, and whether it is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Classified {
    /// Its class.
    #[cfg_attr(feature = "serde", serde(rename = "class"))]
    pub of: Class,
    /// Whether it counts as active.
    pub active: bool,
}

impl SmConfig {
    /// The class of a warp: the first of equalizer-C1 to C8 that applies.
    ///
    /// ```
    /// use gpusched::equalizer::{Class, Counts, SmConfig, Warp};
    ///
    /// let blocked = Warp { resident: true, valid: true, ready: true, mem: true, ..Warp::default() };
    /// let classified = SmConfig::GTX480.classify(&blocked);
    /// assert_eq!((classified.of, classified.active), (Class::Xmem, true));
    ///
    /// let mut counts = Counts::default();
    /// counts.count(&classified);
    /// assert_eq!(counts, Counts { active: 1, xmem: 1, ..Counts::default() });
    /// ```
    #[must_use]
    pub const fn classify(&self, warp: &Warp) -> Classified {
        let (of, active) = if !warp.resident {
            (Class::Absent, false)
        } else if warp.paused {
            (Class::Paused, false)
        } else if warp.issued {
            (Class::Issued, true)
        } else if !warp.valid {
            (Class::Unaccounted, false)
        } else if warp.sync {
            (Class::Other, self.sync_active)
        } else if !warp.ready {
            (Class::Waiting, true)
        } else {
            let counts = !warp.accept || matches!(self.xmem_rule, XmemRule::Any);
            (
                if !warp.mem {
                    Class::Xalu
                } else if counts {
                    Class::Xmem
                } else {
                    Class::Other
                },
                true,
            )
        };
        Classified { of, active }
    }
}

/// Numbers of warps: those of a sample, or their sums over an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Counts {
    /// Active warps.
    pub active: u32,
    /// Those that wait for operands.
    pub waiting: u32,
    /// Those that the arithmetic pipes hold back: X_alu.
    pub xalu: u32,
    /// Those that the LD/ST pipe holds back: X_mem.
    pub xmem: u32,
}

impl Counts {
    /// Counts one more warp.
    pub fn count(&mut self, warp: &Classified) {
        let mut of = |count: fn(&mut Self) -> &mut u32| {
            let count = count(self);
            *count = count.saturating_add(1);
        };
        if warp.active {
            of(|counts| &mut counts.active);
        }
        match warp.of {
            Class::Waiting => of(|counts| &mut counts.waiting),
            Class::Xalu => of(|counts| &mut counts.xalu),
            Class::Xmem => of(|counts| &mut counts.xmem),
            Class::Absent | Class::Paused | Class::Issued | Class::Unaccounted | Class::Other => {}
        }
    }

    /// Active, waiting, X_alu and X_mem, in numbers whose products with 32 bits cannot wrap.
    #[inline]
    pub(super) const fn wide(&self) -> [u64; 4] {
        [self.active as u64, self.waiting as u64, self.xalu as u64, self.xmem as u64]
    }

    /// Whether at most `warps` warps are active, and each of them is of one class at most.
    #[inline]
    pub(super) const fn are_of(&self, warps: u64) -> bool {
        let [active, waiting, xalu, xmem] = self.wide();
        waiting + xalu + xmem <= active && active <= warps
    }

    /// These and `more`: sums that were checked not to be too large for their counters.
    #[inline]
    pub(super) const fn plus(&self, more: &Self) -> Self {
        Self {
            active: self.active.saturating_add(more.active),
            waiting: self.waiting.saturating_add(more.waiting),
            xalu: self.xalu.saturating_add(more.xalu),
            xmem: self.xmem.saturating_add(more.xmem),
        }
    }

    /// Each divided by `n`, truncated.
    pub(super) fn over(&self, n: u32) -> Self {
        let over = |sum: u32| sum.checked_div(n).unwrap_or(0);
        Self { active: over(self.active), waiting: over(self.waiting), xalu: over(self.xalu), xmem: over(self.xmem) }
    }
}
