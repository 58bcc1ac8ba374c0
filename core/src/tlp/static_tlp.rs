//! S: Algorithm 1, the targets that two kernels start with.

use super::config::{SoloTlp, TlpConfig, UpUp};
use super::fit::Used;
use super::kernel::{Kernel, KernelId, KernelType, Pair, Which};
use super::sm::Mode;
use crate::base::error::Fault;

/// Targets of two kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StaticTlp {
    /// TBs of kernel 0 and 1.
    pub tb: [u32; 2],
    /// [`Mode::Pair`], or [`Mode::Leftover`] if they are not to be mixed.
    pub mode: Mode,
    /// Role A: the kernel that was served first.
    pub a: KernelId,
}

/// What tlp-S2 to S4 decide.
pub(super) struct Targets {
    pub(super) tb: Pair<u32>,
    pub(super) mode: Mode,
    a: Which,
}

impl TlpConfig {
    /// Targets for kernels 0 and 1, of which `first` is the older.
    ///
    /// ```
    /// use gpusched::tlp::{Category, Kernel, KernelId, KernelType, Mode, StaticTlp, TbNeeds, TlpConfig};
    ///
    /// // LBM and BKP of Table III: three TBs of LBM, and what fits of BKP (Table IV).
    /// let lbm = Kernel {
    ///     needs: TbNeeds { threads: 128, regs: 5120, smem: 0 },
    ///     category: Category { kind: KernelType::Optimal, opt: 3 },
    /// };
    /// let bkp = Kernel {
    ///     needs: TbNeeds { threads: 256, regs: 4096, smem: 1088 },
    ///     category: Category { kind: KernelType::Up, opt: 6 },
    /// };
    /// let targets = TlpConfig::GTX480.static_tlp(lbm, bkp, KernelId(0))?;
    /// assert_eq!(targets, StaticTlp { tb: [3, 4], mode: Mode::Pair, a: KernelId(0) });
    /// # Ok::<(), gpusched::Fault>(())
    /// ```
    ///
    /// # Errors
    /// In this order: `BadKernel`; `BadArg` unless `first` is 0 or 1; `TbTooBig` (tlp-S1).
    pub fn static_tlp(
        &self,
        k0: impl Into<Option<Kernel>>,
        k1: impl Into<Option<Kernel>>,
        first: KernelId,
    ) -> Result<StaticTlp, Fault> {
        let kernels = Pair([Kernel::checked(k0)?, Kernel::checked(k1)?]);
        let first = first.try_into()?;
        for kernel in &kernels.0 {
            self.at_least_one(&kernel.needs)?;
        }
        let Targets { tb, mode, a } = self.targets(&kernels, first);
        Ok(StaticTlp { tb: tb.0, mode, a: a.id() })
    }

    /// tlp-D1: the target of a kernel that has the SM for itself.
    pub(super) fn solo(&self, kernel: &Kernel) -> u32 {
        let most = self.most(&kernel.needs);
        match self.solo_tlp {
            SoloTlp::Max => most,
            SoloTlp::Opt => most.min(kernel.category.opt.into()),
        }
    }

    /// tlp-S2 to S4, for kernels that fit an SM alone.
    pub(super) fn targets(&self, kernels: &Pair<Kernel>, first: Which) -> Targets {
        let kind = |k: Which| kernels[k].category.kind;
        let most = |k: Which| self.most(&kernels[k].needs);
        let beside = |k: Which, n: u32| self.room(&kernels[k].needs, &Used::of(n, &kernels[k.other()].needs));
        let opt = |k: Which| u32::from(kernels[k].category.opt);
        let mut tb = Pair::default();
        if kind(first) == KernelType::Up && kind(first.other()) == KernelType::Up {
            // tlp-S3.
            let half = (most(first) / 2).max(1);
            let rest = beside(first.other(), half);
            if self.upup == UpUp::Leftover || rest == 0 {
                return Targets { tb: Pair::only(first, most(first)), mode: Mode::Leftover, a: first };
            }
            (tb[first], tb[first.other()]) = (half, rest);
            return Targets { tb, mode: Mode::Pair, a: first };
        }
        // tlp-S2.
        let a = if kind(first.other()) < kind(first) { first.other() } else { first };
        let b = a.other();
        // tlp-S4.
        tb[a] = opt(a).min(most(a));
        let rest = beside(b, tb[a]);
        tb[b] = if kind(b) == KernelType::Up { rest } else { rest.min(opt(b)) };
        Targets { tb, mode: Mode::Pair, a }
    }
}
