//! R: how many TBs an SM holds.

use super::config::TlpConfig;
use super::kernel::{Kernel, Pair, TbNeeds, Which};
use crate::base::error::Fault;

/// What TBs take of an SM together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Used {
    slots: u64,
    threads: u64,
    regs: u64,
    smem: u64,
}

impl Used {
    /// What `n` TBs of a kernel take.
    pub(super) fn of(n: u32, needs: &TbNeeds) -> Self {
        let n = u64::from(n);
        let times = |need: u32| n * u64::from(need);
        Self { slots: n, threads: times(needs.threads), regs: times(needs.regs), smem: times(needs.smem) }
    }

    /// What these and `others` take.
    pub(super) const fn and(self, others: Self) -> Self {
        Self {
            slots: self.slots.saturating_add(others.slots),
            threads: self.threads.saturating_add(others.threads),
            regs: self.regs.saturating_add(others.regs),
            smem: self.smem.saturating_add(others.smem),
        }
    }
}

impl Used {
    /// Whether an SM has as much.
    pub(super) fn fits(&self, sm: &TlpConfig) -> bool {
        let within = |used: u64, all: u32| used <= all.into();
        within(self.slots, sm.slots)
            && within(self.threads, sm.threads)
            && within(self.regs, sm.regs)
            && within(self.smem, sm.smem)
    }
}

impl TlpConfig {
    /// tlp-R1: how many TBs fit beside what is used; 0 if more is used than there is.
    pub(super) fn room(&self, needs: &TbNeeds, used: &Used) -> u32 {
        // A resource that a TB does not need leaves room for any number.
        let of = |all: u32, used: u64, need: u32| {
            let free = u64::from(all).checked_sub(used)?;
            Some(free.checked_div(need.into()).unwrap_or(u64::MAX))
        };
        let room = || {
            let slots = of(self.slots, used.slots, 1)?;
            let threads = of(self.threads, used.threads, needs.threads)?;
            let regs = of(self.regs, used.regs, needs.regs)?;
            let smem = of(self.smem, used.smem, needs.smem)?;
            Some(slots.min(threads).min(regs).min(smem))
        };
        room().unwrap_or(0).min(self.tlp_cap.into()) as u32
    }

    /// tlp-R2: how many TBs an empty SM holds.
    pub(super) fn most(&self, needs: &TbNeeds) -> u32 {
        self.room(needs, &Used::default())
    }

    /// As [`TlpConfig::most`], of which there must be some.
    pub(super) fn at_least_one(&self, needs: &TbNeeds) -> Result<u32, Fault> {
        match self.most(needs) {
            0 => Err(Fault::TbTooBig),
            most => Ok(most),
        }
    }

    /// tlp-R2: whether so many TBs of both kernels fit an SM together (equation 1).
    pub(super) fn fits(&self, kernels: &Pair<TbNeeds>, tb: Pair<u32>) -> bool {
        let used = |k: Which| Used::of(tb[k], &kernels[k]);
        tb.0.iter().all(|&n| n <= self.tlp_cap) && used(Which::K0).and(used(Which::K1)).fits(self)
    }

    /// tlp-R2: how many TBs of a kernel an empty SM holds.
    ///
    /// ```
    /// use gpusched::tlp::{Category, Kernel, KernelType, TbNeeds, TlpConfig};
    ///
    /// // HST of Table III: registers bind.
    /// let hst = Kernel {
    ///     needs: TbNeeds { threads: 256, regs: 9216, smem: 3072 },
    ///     category: Category { kind: KernelType::Up, opt: 3 },
    /// };
    /// assert_eq!(TlpConfig::GTX480.max(hst)?, 3);
    /// # Ok::<(), gpusched::Fault>(())
    /// ```
    ///
    /// # Errors
    /// `BadKernel`.
    pub fn max(&self, kernel: impl Into<Option<Kernel>>) -> Result<u32, Fault> {
        Ok(self.most(&Kernel::checked(kernel)?.needs))
    }

    /// tlp-R1: how many TBs of a kernel fit beside `n` of another.
    ///
    /// # Errors
    /// `BadKernel`.
    pub fn remain(
        &self,
        kernel: impl Into<Option<Kernel>>,
        other: impl Into<Option<Kernel>>,
        n: u32,
    ) -> Result<u32, Fault> {
        let (kernel, other) = (Kernel::checked(kernel)?, Kernel::checked(other)?);
        Ok(self.room(&kernel.needs, &Used::of(n, &other.needs)))
    }
}
