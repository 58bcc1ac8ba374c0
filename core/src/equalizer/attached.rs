//! An [`Sm`] beside a [`FrontEnd`]: the front end is its work distributor (frontend-C3).
//!
//! The front end has `exclusive` on, so that an SMX holds TBs of one kernel at a time (equalizer-A15), and is told of every request by
//! gate X: it is closed exactly while the `Sm` would not ask. So every TB that it sends is a grant, none is surplus, and none arrives
//! paused.
//!
//! ```
//! use gpusched::equalizer::{AttachedSm, Counts, SmConfig};
//! use gpusched::{Config, Cycle, Descriptor, Dim3, FrontEnd, Sched, SlotId, SmxId, inline_tables};
//!
//! const GPU: Config = Config { n_smx: 1, tb_slots: 8, threads: 1536, exclusive: true, pend_limit: 16, ..Config::K20C };
//! inline_tables! {
//!     struct One = GPU;
//! }
//! let mut gpu = FrontEnd::<One>::new(&GPU.ideal())?;
//! let config = SmConfig { sample_interval: 64, epoch_cycles: 64, hysteresis: 1, ..SmConfig::GTX480 };
//! let mut smx = AttachedSm::new(SmxId(0), &config)?;
//! let kernel = Descriptor { grid: Dim3::linear(100), tb: Dim3::linear(512), ..Descriptor::default() };
//! gpu.host_launch(0, &kernel, false)?;
//!
//! // Three blocks of 16 warps come at once; at cycle 64 too many of their warps wait for memory.
//! while gpu.now() <= Cycle(64) {
//!     let now = gpu.now();
//!     if let Sched::Tb(tb) = gpu.tick(&mut ())?.sched {
//!         smx.placed(now, &tb, &gpu)?;
//!     }
//!     if now == smx.sm().next_sample() {
//!         let epoch = smx.sample(now, &Counts { active: 48, xmem: 17, ..Counts::default() })?.expect("an epoch");
//!         assert_eq!((epoch.target, epoch.change.pause.len()), (2, 1));
//!     }
//!     smx.set_gate(&mut gpu)?;
//! }
//! // One ends: the paused one goes on, and the front end sends none.
//! let now = gpu.now();
//! gpu.tb_done(SmxId(0), SlotId(0), &mut ())?;
//! assert_eq!(smx.done(now, SlotId(0))?.change.unpause.len(), 1);
//! smx.set_gate(&mut gpu)?;
//! assert_eq!(gpu.tick(&mut ())?.sched, Sched::Gated);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::classify::Counts;
use super::config::SmConfig;
use super::sm::{Ended, EpochEnd, Granted, Sm, Started};
use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{SlotId, SmxId};
use crate::base::parameter::ConfigError;
use crate::config::Config;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::distributor::KernelKey;
use crate::probe::TbPlacement;
use crate::smx::residency::Need;

/// What a TB that the front end sent was to the [`Sm`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Placed {
    /// It is the first of another kernel, which has started.
    pub started: Option<Started>,
    /// The block. Its slot is that of the TB; it runs.
    pub granted: Granted,
}

/// Equalizer on one SMX of a front end. One plain value.
///
/// The host reports each TB that is sent there, right after the `tick`, and each that ends; it samples; and after all of them,
/// before the next `tick`, it has the gate set. Blocks are numbered by their TB slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AttachedSm {
    smx: SmxId,
    sm: Sm,
    /// The kernel whose TBs came last.
    key: Option<KernelKey>,
    /// The target of a kernel that starts is that of the one before.
    keeps_target: bool,
}

impl AttachedSm {
    /// Equalizer on an SMX, before its first TB.
    ///
    /// # Errors
    /// As [`SmConfig::check`].
    pub fn new(smx: SmxId, config: &SmConfig) -> Result<Self, ConfigError> {
        Ok(Self { smx, sm: Sm::new(config)?, key: None, keeps_target: false })
    }

    /// Whether a kernel starts with the target of the one before (`keep` of [`Sm::kernel_start`]); it does not by itself.
    pub fn keep_target(&mut self, keep: bool) {
        self.keeps_target = keep;
    }

    /// The front end has sent this TB here. If its kernel is new on this SMX, which is empty then, that starts first.
    ///
    /// # Errors
    /// `BadSmx` for a TB of another SMX, `NoKernel` for one that `gpu` does not have; `BadKernel` if a TB has more warps than
    /// the [`Sm`]; those of the time. Others mean that the front end does not run with `exclusive`, or without the gate.
    pub fn placed<T: Tables>(&mut self, now: Cycle, tb: &TbPlacement, gpu: &FrontEnd<T>) -> Result<Placed, Fault> {
        if tb.smx != self.smx {
            return Err(Fault::BadSmx);
        }
        let kde = gpu.kde(tb.kde).ok_or(Fault::NoKernel)?;
        // A refusal is to change nothing, and there are several steps.
        let mut next = self.clone();
        let started = if next.key == Some(kde.key()) {
            None
        } else {
            next.deny_all(now)?;
            next.key = Some(kde.key());
            let limit = next.limit(&kde.need, gpu.config());
            Some(next.sm.kernel_start(now, kde.need.warps, limit, self.keeps_target)?)
        };
        if next.sm.blocks.drained {
            next.sm.refill(now)?;
        }
        let granted = next.sm.grant(now, tb.slot.0.into())?;
        *self = next;
        Ok(Placed { started, granted })
    }

    /// The TB in a slot has ended, or was taken off by a suspension.
    ///
    /// # Errors
    /// As [`Sm::block_end`].
    pub fn done(&mut self, now: Cycle, slot: SlotId) -> Result<Ended, Fault> {
        self.sm.block_end(now, slot)
    }

    /// The front end has no work left: it denies what is asked of it.
    ///
    /// # Errors
    /// Those of the time.
    pub fn no_work(&mut self, now: Cycle) -> Result<(), Fault> {
        self.deny_all(now)
    }

    /// A sample: [`Sm::sample`].
    ///
    /// # Errors
    /// As there.
    pub fn sample(&mut self, now: Cycle, counts: &Counts) -> Result<Option<EpochEnd>, Fault> {
        self.sm.sample(now, counts)
    }

    /// Sets gate X of the SMX to the target; open before the first kernel.
    ///
    /// # Errors
    /// `BadSmx` if `gpu` has no such SMX.
    pub fn set_gate<T: Tables>(&self, gpu: &mut FrontEnd<T>) -> Result<(), Fault> {
        let open = gpu.config().tb_slots;
        let cap = if self.key.is_some() { self.sm.kernel.target.min(open) } else { open };
        gpu.set_block_cap(self.smx, cap)
    }

    /// Nobody waits for an answer; nothing is paused or woken by that, since nobody is paused while blocks are missing.
    fn deny_all(&mut self, now: Cycle) -> Result<(), Fault> {
        while self.sm.blocks.outstanding > 0 {
            self.sm.deny(now)?;
        }
        Ok(())
    }

    /// TBs that an empty SMX holds, and that the [`Sm`] has slots and warps for.
    fn limit(&self, need: &Need, gpu: &Config) -> u32 {
        let of = |all: u32, each: u32| all.checked_div(each).unwrap_or(u32::MAX);
        let by_resources = of(gpu.threads, need.threads).min(of(gpu.regs, need.regs)).min(of(gpu.smem, need.smem));
        let config = self.sm.config();
        by_resources.min(gpu.tb_slots).min(config.max_blocks).min(of(config.max_warps, need.warps))
    }

    /// The SMX.
    #[must_use]
    pub fn smx(&self) -> SmxId {
        self.smx
    }

    /// The machine. Its verbs for kernels and blocks are called from here alone.
    #[must_use]
    pub fn sm(&self) -> &Sm {
        &self.sm
    }

    /// The machine, for what a front end has no part in: [`Sm::set_objective`], [`Sm::resync`].
    pub fn sm_mut(&mut self) -> &mut Sm {
        &mut self.sm
    }
}
