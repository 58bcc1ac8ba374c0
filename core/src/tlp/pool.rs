//! O: which kernels run together next.

use super::config::TlpConfig;
use super::kernel::{KernelId, KernelType, Pref};
use crate::base::error::Fault;
use crate::base::parameter::ConfigError;
use crate::base::table::Table;

const MAX_KERNELS: usize = 64;

/// A kernel that waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Pending {
    /// Its type.
    pub kind: KernelType,
    /// What it leans on.
    pub pref: Pref,
    /// Whether nothing that it depends on is missing.
    pub ready: bool,
    /// How many were added before it.
    pub seq: u64,
}

/// Kernels for an empty machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Picked {
    /// The first one.
    pub a: KernelId,
    /// Its partner; `None` if it runs alone.
    pub b: Option<KernelId>,
}

/// A partner for the kernel that was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Next {
    /// The kernel.
    pub i: KernelId,
    /// Whether it leans on what the other one does not.
    pub complementary: bool,
}

/// The kernels that wait to be run in pairs (4.6). One plain value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    pub(super) config: TlpConfig,
    pub(super) entries: Table<KernelId, Option<Pending>, [Option<Pending>; MAX_KERNELS]>,
    /// Kernels that were added so far.
    pub(super) added: u64,
}

impl Pool {
    /// An empty pool.
    ///
    /// # Errors
    /// As [`TlpConfig::check`].
    pub fn new(config: &TlpConfig) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self { config: *config, entries: Table::new([None; MAX_KERNELS]), added: 0 })
    }

    /// tlp-O1: a kernel comes, and gets the lowest free entry.
    ///
    /// # Errors
    /// `PoolFull`.
    pub fn add(&mut self, kind: KernelType, pref: Pref, ready: bool) -> Result<KernelId, Fault> {
        let free = (0..self.config.pool_cap as u8).map(KernelId).find(|&i| self.entries[i].is_none());
        let i = free.ok_or(Fault::PoolFull)?;
        self.entries[i] = Some(Pending { kind, pref, ready, seq: self.added });
        self.added = self.added.wrapping_add(1);
        Ok(i)
    }

    /// Nothing that a kernel depends on is missing any more.
    ///
    /// # Errors
    /// `BadIndex` if no kernel is in this entry.
    pub fn ready(&mut self, i: KernelId) -> Result<(), Fault> {
        if u32::from(i.0) >= self.config.pool_cap {
            return Err(Fault::BadIndex);
        }
        self.entries[i].as_mut().ok_or(Fault::BadIndex)?.ready = true;
        Ok(())
    }

    /// tlp-O3: takes out two kernels for an empty machine; the only one if there are no two, nothing (a stall: NoReady) if none is
    /// ready.
    pub fn pick_pair(&mut self) -> Option<Picked> {
        let (a, first) = self.least_ready(|kernel| (kernel.kind == KernelType::Up, kernel.seq))?;
        self.entries[a] = None;
        let b = self.pick_next(first.kind, first.pref).map(|next| next.i);
        Some(Picked { a, b })
    }

    /// tlp-O2: takes out the partner for a kernel that was left running, of this type, which leans on `pref`; nothing (a stall: NoReady)
    /// if none is ready.
    pub fn pick_next(&mut self, kind: KernelType, pref: Pref) -> Option<Next> {
        let avoid = self.config.avoid_upup && kind == KernelType::Up;
        let (i, next) =
            self.least_ready(|kernel| (kernel.pref == pref, avoid && kernel.kind == KernelType::Up, kernel.seq))?;
        self.entries[i] = None;
        Some(Next { i, complementary: next.pref != pref })
    }

    /// The ready kernel with the least key.
    fn least_ready<K: Ord>(&self, key: impl Fn(&Pending) -> K) -> Option<(KernelId, Pending)> {
        self.kernels().filter(|(_, kernel)| kernel.ready).min_by_key(|(_, kernel)| key(kernel))
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &TlpConfig {
        &self.config
    }

    /// The kernel in an entry; `None` if none is there.
    #[must_use]
    pub fn pending(&self, i: KernelId) -> Option<Pending> {
        self.kernels().find(|(entry, _)| *entry == i).map(|(_, kernel)| kernel)
    }

    /// The kernels that wait, by entry.
    pub fn kernels(&self) -> impl Iterator<Item = (KernelId, Pending)> {
        self.entries.iter().filter_map(|(i, &kernel)| Some((i, kernel?)))
    }

    /// Kernels that were added so far.
    #[must_use]
    pub fn added(&self) -> u64 {
        self.added
    }
}
