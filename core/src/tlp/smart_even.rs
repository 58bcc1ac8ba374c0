//! tlp-V2, tlp-V3: Smart-Even. Each kernel has SMs of its own, an even share of them, and no more than it can fill.

use super::config::{MAX_SMS, TlpConfig};
use super::kernel::{KernelId, TbNeeds};
use super::leftover::{Sent, SentTb};
use crate::base::error::Fault;
use crate::base::id::SmxId;
use crate::base::parameter::ConfigError;
use crate::base::table::Table;

/// The most kernels that share the SMs.
pub const MAX_SHARERS: usize = 8;

/// A kernel to be run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Job {
    /// What one TB takes.
    pub needs: TbNeeds,
    /// TBs of the kernel.
    pub n_tb: u32,
}

/// A kernel that has SMs of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sharer {
    /// TBs that an SM holds.
    pub max: u32,
    /// TBs of the kernel.
    pub n_tb: u32,
    /// The next TB to be sent.
    pub next: u32,
    /// TBs that have ended.
    pub finished: u32,
}

impl Sharer {
    const fn has_work(&self) -> bool {
        self.next < self.n_tb
    }

    pub(super) const fn is_done(&self) -> bool {
        self.finished == self.n_tb
    }
}

/// An SM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Row {
    pub(super) owner: Option<KernelId>,
    /// Resident TBs, all of the owner.
    pub(super) resident: u8,
}

/// An SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OwnedSm {
    /// The kernel that owns it.
    pub owner: Option<KernelId>,
    /// Resident TBs, all of the owner.
    pub resident: u32,
}

/// A TB that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SharerTbEnded {
    /// Its kernel.
    pub k: KernelId,
    /// It was the kernel's last one: SMs may have another owner.
    pub done: bool,
}

/// Smart-Even on a GPU. One plain value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SmartEven {
    pub(super) config: TlpConfig,
    pub(super) kernels: heapless::Vec<Sharer, MAX_SHARERS>,
    pub(super) sms: Table<SmxId, Row, [Row; MAX_SMS]>,
    /// The SM that is asked first.
    pub(super) pointer: SmxId,
}

impl SmartEven {
    /// A GPU without kernels.
    ///
    /// # Errors
    /// As [`TlpConfig::check`].
    pub fn new(config: &TlpConfig) -> Result<Self, ConfigError> {
        config.check()?;
        let sms = Table::new([Row::default(); MAX_SMS]);
        Ok(Self { config: *config, kernels: heapless::Vec::new(), sms, pointer: SmxId(0) })
    }

    /// Shares the SMs among kernels (tlp-V2). [`SmartEven::sm`] tells the result.
    ///
    /// # Errors
    /// In this order: `Busy` while a kernel runs; `BadArg` for none or more than eight; `TooFewSms` if there are more of them than
    /// SMs; then for each kernel `BadKernel` if it has no threads or no TBs, `TbTooBig`.
    pub fn start(&mut self, jobs: &[Job]) -> Result<(), Fault> {
        if self.is_running() {
            return Err(Fault::Busy);
        }
        if jobs.is_empty() || jobs.len() > MAX_SHARERS {
            return Err(Fault::BadArg);
        }
        if jobs.len() > self.config.sms as usize {
            return Err(Fault::TooFewSms);
        }
        let mut kernels = heapless::Vec::new();
        for job in jobs {
            job.needs.check()?;
            if job.n_tb == 0 {
                return Err(Fault::BadKernel);
            }
            let max = self.config.at_least_one(&job.needs)?;
            // There are not more than it holds.
            let _ = kernels.push(Sharer { max, n_tb: job.n_tb, next: 0, finished: 0 });
        }
        self.kernels = kernels;
        let shares = self.shares();
        let owners = shares.iter().enumerate().flat_map(|(k, &n)| (0..n).map(move |_| KernelId(k as u8)));
        let owners = owners.map(Some).chain(core::iter::repeat(None));
        for (sm, owner) in (0..self.config.sms).zip(owners) {
            self.sms[SmxId(sm as u16)] = Row { owner, resident: 0 };
        }
        self.pointer = SmxId(0);
        Ok(())
    }

    /// tlp-V2: how many SMs each kernel gets.
    fn shares(&self) -> [u32; MAX_SHARERS] {
        let (sms, n) = (self.config.sms, self.kernels.len() as u32);
        let (each, rest) = (sms.checked_div(n).unwrap_or(0), sms.checked_rem(n).unwrap_or(0));
        let mut shares = [0; MAX_SHARERS];
        for (i, share) in (0..n).zip(&mut shares) {
            *share = each + u32::from(i < rest);
        }
        if !self.config.smart {
            return shares;
        }
        let want = |kernel: &Sharer| kernel.n_tb.div_ceil(kernel.max.max(1));
        let mut left = 0;
        for (share, kernel) in shares.iter_mut().zip(&self.kernels) {
            let excess = share.saturating_sub(want(kernel));
            *share -= excess;
            left += excess;
        }
        // One SM per kernel and pass: there are not more passes than SMs.
        for _ in 0..sms {
            for (share, kernel) in shares.iter_mut().zip(&self.kernels) {
                if left > 0 && *share < want(kernel) {
                    *share += 1;
                    left -= 1;
                }
            }
            if left == 0 {
                break;
            }
        }
        shares
    }

    /// Sends the next TB of the owner of the next SM that takes one.
    pub fn dispatch(&mut self) -> Sent {
        if !self.kernels.iter().any(Sharer::has_work) {
            return Sent::Empty;
        }
        let start = u32::from(self.pointer.0);
        for sm in (start..self.config.sms).chain(0..start).map(|sm| SmxId(sm as u16)) {
            let Row { owner: Some(k), resident } = self.sms[sm] else { continue };
            let Some(kernel) = self.kernels.get_mut(usize::from(k.0)) else { continue };
            if !kernel.has_work() || u32::from(resident) >= kernel.max {
                continue;
            }
            let tb = kernel.next;
            kernel.next += 1;
            self.sms[sm].resident += 1;
            let next = u32::from(sm.0) + 1;
            self.pointer = SmxId(if next < self.config.sms { next as u16 } else { 0 });
            return Sent::Tb(SentTb { sm, k, tb });
        }
        Sent::NoRoom
    }

    /// A TB has ended. If it was its kernel's last one, other kernels take over its SMs, and those that nobody owns (tlp-V3).
    ///
    /// # Errors
    /// `NotResident`.
    pub fn finish(&mut self, sm: SmxId) -> Result<SharerTbEnded, Fault> {
        if u32::from(sm.0) >= self.config.sms {
            return Err(Fault::NotResident);
        }
        let Row { owner: Some(k), resident: 1.. } = self.sms[sm] else { return Err(Fault::NotResident) };
        let Some(kernel) = self.kernels.get_mut(usize::from(k.0)) else { return Err(Fault::NotResident) };
        kernel.finished += 1;
        self.sms[sm].resident -= 1;
        let done = kernel.is_done();
        if done {
            self.take_over(k);
        }
        Ok(SharerTbEnded { k, done })
    }

    /// tlp-V3.
    fn take_over(&mut self, ended: KernelId) {
        let mut owned = [0u32; MAX_SHARERS];
        for sm in 0..self.config.sms as u16 {
            if let Some(owner) = self.sms[SmxId(sm)].owner
                && let Some(n) = owned.get_mut(usize::from(owner.0))
            {
                *n += 1;
            }
        }
        for sm in (0..self.config.sms).map(|sm| SmxId(sm as u16)) {
            if self.sms[sm].owner.is_some_and(|owner| owner != ended) {
                continue;
            }
            let unfinished =
                self.kernels.iter().zip(&mut owned).enumerate().filter(|(_, (kernel, _))| !kernel.is_done());
            // The first of equals.
            let heir = unfinished.min_by_key(|(_, (_, n))| **n);
            self.sms[sm].owner = heir.map(|(k, (_, n))| {
                *n += 1;
                KernelId(k as u8)
            });
        }
    }

    /// Whether a kernel has not ended.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.kernels.iter().any(|kernel| !kernel.is_done())
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &TlpConfig {
        &self.config
    }

    /// The kernels of the last start.
    #[must_use]
    pub fn kernels(&self) -> &[Sharer] {
        &self.kernels
    }

    /// A kernel of the last start; `None` if there is no such kernel.
    #[must_use]
    pub fn kernel(&self, k: KernelId) -> Option<Sharer> {
        self.kernels.get(usize::from(k.0)).copied()
    }

    /// Who owns an SM; `None` if there is no such SM.
    #[must_use]
    pub fn sm(&self, sm: SmxId) -> Option<OwnedSm> {
        if u32::from(sm.0) >= self.config.sms {
            return None;
        }
        let Row { owner, resident } = self.sms[sm];
        Some(OwnedSm { owner, resident: resident.into() })
    }

    /// The SMs, and who owns each.
    pub fn sms(&self) -> impl Iterator<Item = OwnedSm> {
        (0..self.config.sms as u16).filter_map(|sm| self.sm(SmxId(sm)))
    }

    /// The SM that is asked first.
    #[must_use]
    pub fn pointer(&self) -> SmxId {
        self.pointer
    }
}
