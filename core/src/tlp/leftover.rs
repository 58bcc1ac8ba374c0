//! tlp-V1: LeftOver, the default concurrency of the hardware (tlp-A12). One kernel after another; the next one gets what the last one
//! leaves.

use super::config::{MAX_SMS, TlpConfig};
use super::fit::Used;
use super::kernel::{KernelId, TbNeeds};
use crate::base::error::Fault;
use crate::base::id::{Id, SmxId};
use crate::base::parameter::ConfigError;
use crate::base::table::Table;

pub(super) const MAX_KERNELS: usize = 32;

/// A kernel that was submitted and has not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Submitted {
    /// What one TB takes.
    pub needs: TbNeeds,
    /// TBs of the kernel.
    pub n_tb: u32,
    /// The next TB to be sent.
    pub next: u32,
    /// TBs that have ended.
    pub finished: u32,
    /// How many kernels were submitted before it.
    pub seq: u64,
}

impl Submitted {
    const fn has_work(&self) -> bool {
        self.next < self.n_tb
    }
}

/// A TB that goes to an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SentTb {
    /// The SM.
    pub sm: SmxId,
    /// Its kernel.
    pub k: KernelId,
    /// Its number in the kernel.
    pub tb: u32,
}

/// What a work distributor does in one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Sent {
    /// It sends a TB.
    Tb(SentTb),
    /// No kernel has TBs to be sent.
    Empty,
    /// No SM takes one.
    NoRoom,
}

/// Resident TBs of each kernel.
type Residents = Table<KernelId, u8, [u8; MAX_KERNELS]>;

/// LeftOver on a GPU. One plain value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeftOver {
    pub(super) config: TlpConfig,
    pub(super) entries: Table<KernelId, Option<Submitted>, [Option<Submitted>; MAX_KERNELS]>,
    pub(super) residents: Table<SmxId, Residents, [Residents; MAX_SMS]>,
    /// The SM that is asked first.
    pub(super) pointer: SmxId,
    /// Kernels that were submitted so far.
    pub(super) submitted: u64,
}

impl LeftOver {
    /// An empty GPU.
    ///
    /// # Errors
    /// As [`TlpConfig::check`].
    pub fn new(config: &TlpConfig) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self {
            config: *config,
            entries: Table::default(),
            residents: Table::default(),
            pointer: SmxId(0),
            submitted: 0,
        })
    }

    /// A kernel of `n_tb` TBs comes.
    ///
    /// # Errors
    /// In this order: `BadKernel` for TBs without threads, or no TBs; `TbTooBig`; `QueueFull`.
    pub fn submit(&mut self, needs: TbNeeds, n_tb: u32) -> Result<KernelId, Fault> {
        needs.check()?;
        if n_tb == 0 {
            return Err(Fault::BadKernel);
        }
        self.config.at_least_one(&needs)?;
        let free = (0..self.config.qcap as u8).map(KernelId).find(|&k| self.entries[k].is_none());
        let k = free.ok_or(Fault::QueueFull)?;
        self.entries[k] = Some(Submitted { needs, n_tb, next: 0, finished: 0, seq: self.submitted });
        self.submitted = self.submitted.wrapping_add(1);
        Ok(k)
    }

    /// Sends the next TB of the oldest kernel that has one.
    pub fn dispatch(&mut self) -> Sent {
        let heads = self.kernels().filter(|(_, kernel)| kernel.has_work());
        let Some((k, head)) = heads.min_by_key(|(_, kernel)| kernel.seq) else { return Sent::Empty };
        let start = u32::from(self.pointer.0);
        let sms = (start..self.config.sms).chain(0..start).map(|sm| SmxId(sm as u16));
        let Some(sm) = sms.into_iter().find(|&sm| self.takes(sm, k, &head)) else { return Sent::NoRoom };
        let tb = head.next;
        self.entries[k] = Some(Submitted { next: tb + 1, ..head });
        self.residents[sm][k] += 1;
        let next = u32::from(sm.0) + 1;
        self.pointer = SmxId(if next < self.config.sms { next as u16 } else { 0 });
        Sent::Tb(SentTb { sm, k, tb })
    }

    /// Whether an SM takes another TB of the head.
    pub(super) fn takes(&self, sm: SmxId, k: KernelId, head: &Submitted) -> bool {
        let mut used = Used::default();
        for (other, kernel) in self.kernels() {
            let n = self.residents[sm][other];
            if n > 0 && other != k && self.config.idle_only {
                return false;
            }
            used = used.and(Used::of(n.into(), &kernel.needs));
        }
        self.config.room(&head.needs, &used) > 0
    }

    /// A TB has ended. Whether it was its kernel's last one, whose entry is free then.
    ///
    /// # Errors
    /// `NotResident`.
    pub fn finish(&mut self, sm: SmxId, k: KernelId) -> Result<bool, Fault> {
        if self.resident(sm, k) == 0 {
            return Err(Fault::NotResident);
        }
        let kernel = self.entries[k].as_mut().ok_or(Fault::NotResident)?;
        self.residents[sm][k] -= 1;
        kernel.finished += 1;
        let done = kernel.finished == kernel.n_tb;
        if done {
            self.entries[k] = None;
        }
        Ok(done)
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &TlpConfig {
        &self.config
    }

    /// The kernel in an entry; `None` if none is there.
    #[must_use]
    pub fn kernel(&self, k: KernelId) -> Option<Submitted> {
        self.kernels().find(|(entry, _)| *entry == k).map(|(_, kernel)| kernel)
    }

    /// The kernels that have not ended, by entry.
    pub fn kernels(&self) -> impl Iterator<Item = (KernelId, Submitted)> {
        self.entries.iter().filter_map(|(k, &kernel)| Some((k, kernel?)))
    }

    /// TBs of a kernel on an SM; 0 if there is no such kernel or SM.
    #[must_use]
    pub fn resident(&self, sm: SmxId, k: KernelId) -> u32 {
        if sm.index() < MAX_SMS && k.index() < MAX_KERNELS { self.residents[sm][k].into() } else { 0 }
    }

    /// The SM that is asked first.
    #[must_use]
    pub fn pointer(&self) -> SmxId {
        self.pointer
    }

    /// Kernels that were submitted so far.
    #[must_use]
    pub fn submitted(&self) -> u64 {
        self.submitted
    }
}
