//! Kernels as the units know them, and the two that share an SM.

use core::ops::{Index, IndexMut};

use crate::base::error::Fault;
use crate::base::id::id;

/// What one TB takes of an SM, besides a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TbNeeds {
    /// Threads, at least 1.
    pub threads: u32,
    /// Registers.
    pub regs: u32,
    /// Shared memory, bytes.
    pub smem: u32,
}

impl TbNeeds {
    /// A TB has threads.
    pub(super) fn check(&self) -> Result<(), Fault> {
        if self.threads > 0 { Ok(()) } else { Err(Fault::BadKernel) }
    }
}

/// How a kernel's speed follows its TLP (4.1), in the order in which Algorithm 1 serves them (tlp-S2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum KernelType {
    /// One TB is best.
    #[default]
    Down,
    /// It is best somewhere between.
    Optimal,
    /// The more the better.
    Up,
}

/// What a kernel leans on (tlp-O3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Pref {
    /// The SP pipelines.
    #[default]
    Compute,
    /// The LD/ST pipelines.
    Memory,
}

/// Type of a kernel, and the TLP with which it runs best (tlp-C1, tlp-C2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Category {
    /// The type.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub kind: KernelType,
    /// TBs per SM, from 1.
    pub opt: u8,
}

/// A kernel that is modulated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Kernel {
    /// What one TB takes.
    pub needs: TbNeeds,
    /// How its speed follows its TLP.
    pub category: Category,
}

impl Kernel {
    /// A TB has threads, and runs best with at least one.
    pub(super) fn check(&self) -> Result<(), Fault> {
        self.needs.check()?;
        if self.category.opt > 0 { Ok(()) } else { Err(Fault::BadKernel) }
    }

    /// A kernel that is one; none if its numbers name no type, or are too large.
    pub(super) fn checked(kernel: impl Into<Option<Self>>) -> Result<Self, Fault> {
        let kernel = kernel.into().ok_or(Fault::BadKernel)?;
        kernel.check()?;
        Ok(kernel)
    }
}

id! {
    /// A kernel of a unit: 0 or 1 on a shared SM, elsewhere its place.
    pub KernelId(u8)
}

/// One of the two kernels that share an SM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Which {
    #[default]
    K0,
    K1,
}

impl Which {
    pub(super) const BOTH: [Self; 2] = [Self::K0, Self::K1];

    pub(super) const fn other(self) -> Self {
        match self {
            Self::K0 => Self::K1,
            Self::K1 => Self::K0,
        }
    }

    /// Its number.
    pub(super) const fn id(self) -> KernelId {
        KernelId(self as u8)
    }
}

impl TryFrom<KernelId> for Which {
    type Error = Fault;

    fn try_from(id: KernelId) -> Result<Self, Fault> {
        match id.0 {
            0 => Ok(Self::K0),
            1 => Ok(Self::K1),
            _ => Err(Fault::BadArg),
        }
    }
}

/// Something of both kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Pair<T>(pub(super) [T; 2]);

impl<T> Index<Which> for Pair<T> {
    type Output = T;

    #[inline]
    fn index(&self, k: Which) -> &T {
        let [k0, k1] = &self.0;
        match k {
            Which::K0 => k0,
            Which::K1 => k1,
        }
    }
}

impl<T> IndexMut<Which> for Pair<T> {
    #[inline]
    fn index_mut(&mut self, k: Which) -> &mut T {
        let [k0, k1] = &mut self.0;
        match k {
            Which::K0 => k0,
            Which::K1 => k1,
        }
    }
}

impl<T: Copy + Default> Pair<T> {
    /// `value` for kernel `k`, nothing for the other.
    pub(super) fn only(k: Which, value: T) -> Self {
        let mut pair = Self::default();
        pair[k] = value;
        pair
    }
}
