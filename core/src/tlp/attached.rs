//! A [`TlpSm`] beside a [`FrontEnd`]: the front end is its block dispatcher (frontend-C3).
//!
//! Kernel 0 and 1 are the front end's classes 0 and 1, and gate K holds each to its target. So every TB that the front end sends to the
//! SMX is one that the [`TlpSm`] would send, in the same slot and with the same tag.
//!
//! ```
//! use gpusched::tlp::{AttachedTlpSm, Category, Kernel, KernelId, KernelType, TbNeeds, TlpConfig};
//! use gpusched::{ClassId, Config, Descriptor, Dim3, FrontEnd, Sched, SmxId, inline_tables};
//!
//! const GPU: Config = Config { n_smx: 1, tb_slots: 8, threads: 1536, regs: 32768, pend_limit: 16, ..Config::K20C };
//! inline_tables! {
//!     struct One = GPU;
//! }
//! let mut gpu = FrontEnd::<One>::new(&GPU.ideal())?;
//! let mut smx = AttachedTlpSm::new(SmxId(0), &TlpConfig { slots: 8, ..TlpConfig::GTX480 })?;
//!
//! // Two kernels that run best with two TBs each, in streams of their own.
//! for k in [0u8, 1] {
//!     let needs = TbNeeds { threads: 128, regs: 0, smem: 0 };
//!     let category = Category { kind: KernelType::Optimal, opt: 2 };
//!     let kernel = Descriptor {
//!         pc: 0x100 + u64::from(k),
//!         grid: Dim3::linear(100),
//!         tb: Dim3::linear(128),
//!         ..Descriptor::default()
//!     };
//!     gpu.set_class(ClassId(k), kernel.pc)?;
//!     gpu.host_launch(k.into(), &kernel, false)?;
//!     smx.attach(gpu.now(), KernelId(k), Kernel { needs, category })?;
//! }
//! smx.set_gate(&mut gpu)?;
//! for _ in 0..10 {
//!     let now = gpu.now();
//!     if let Sched::Tb(tb) = gpu.tick(&mut ())?.sched {
//!         smx.placed(now, &tb, &gpu)?;
//!     }
//!     smx.set_gate(&mut gpu)?;
//! }
//! assert_eq!(smx.sm().resident(), [2, 2]);
//! assert_eq!(gpu.tick(&mut ())?.sched, Sched::Capped);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::config::TlpConfig;
use super::kernel::{Kernel, KernelId};
use super::sm::{Attached, Detached, Dispatch, Finished, Metrics, Overridden, Placed, Sampled, TlpSm};
use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{ClassId, SlotId, SmxId};
use crate::base::parameter::ConfigError;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::probe::TbPlacement;

/// The classes of kernel 0 and 1.
const CLASSES: [ClassId; 2] = [ClassId(0), ClassId(1)];

/// TLP modulation on one SMX of a front end. One plain value.
///
/// The host attaches a kernel before the tick in which it arrives, reports each TB that is sent there, right after the `tick`, and each
/// that ends; it samples; it tells when no kernel of a class is left; and after all of them, before the next `tick`, it has the gate
/// set. Every TB on the SMX is of class 0 or 1, and resources and slots of the configuration are those of the front end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AttachedTlpSm {
    smx: SmxId,
    sm: TlpSm,
}

impl AttachedTlpSm {
    /// TLP modulation on an SMX, before its first kernel.
    ///
    /// # Errors
    /// As [`TlpConfig::check`].
    pub fn new(smx: SmxId, config: &TlpConfig) -> Result<Self, ConfigError> {
        Ok(Self { smx, sm: TlpSm::new(config)? })
    }

    /// A kernel of class `k` is about to arrive: [`TlpSm::attach`].
    ///
    /// # Errors
    /// As there.
    pub fn attach(&mut self, now: Cycle, k: KernelId, kernel: impl Into<Option<Kernel>>) -> Result<Attached, Fault> {
        self.sm.attach(now, k, kernel)
    }

    /// No kernel of class `k` is left, and its last TB here has ended: [`TlpSm::done`].
    ///
    /// # Errors
    /// As there.
    pub fn kernel_done(&mut self, now: Cycle, k: KernelId) -> Result<Detached, Fault> {
        self.sm.done(now, k)
    }

    /// The front end has sent this TB here.
    ///
    /// # Errors
    /// `BadSmx` for a TB of another SMX, `NoTb` for one that `gpu` does not have there; `BadClass` for one that is not of class 0 or
    /// 1; `NotEligible` if the [`TlpSm`] would not have sent it, in that slot and with that tag: the gate was not set, or resources
    /// differ; `TimeBackwards`.
    pub fn placed<T: Tables>(&mut self, now: Cycle, tb: &TbPlacement, gpu: &FrontEnd<T>) -> Result<Placed, Fault> {
        if tb.smx != self.smx {
            return Err(Fault::BadSmx);
        }
        let view = gpu.tb(tb.smx, tb.slot).ok_or(Fault::NoTb)?;
        let avail = CLASSES.map(|class| Some(class) == view.class_id);
        if avail == [false, false] {
            return Err(Fault::BadClass);
        }
        // A refusal is to change nothing.
        let mut next = self.sm.clone();
        match next.dispatch(now, avail)? {
            Dispatch::Placed(placed) if placed.slot == tb.slot && placed.bypass == view.bypass => {
                self.sm = next;
                Ok(placed)
            }
            Dispatch::Placed(_) | Dispatch::Stall(_) => Err(Fault::NotEligible),
        }
    }

    /// The TB in a slot has ended, or was taken off by a suspension: [`TlpSm::finish`].
    ///
    /// # Errors
    /// As there.
    pub fn done(&mut self, now: Cycle, slot: SlotId) -> Result<Finished, Fault> {
        self.sm.finish(now, slot)
    }

    /// The counters of the period that has ended: [`TlpSm::sample`]. The front end says who has work.
    ///
    /// # Errors
    /// As there; `BadClass` if `gpu` has no class 1.
    pub fn sample<T: Tables>(&mut self, now: Cycle, metrics: &Metrics, gpu: &FrontEnd<T>) -> Result<Sampled, Fault> {
        let [k0, k1] = CLASSES;
        let avail = [gpu.has_work(k0)?, gpu.has_work(k1)?];
        self.sm.sample(now, &Metrics { avail, ..*metrics })
    }

    /// The host sets the targets: [`TlpSm::override_tlp`].
    ///
    /// # Errors
    /// As there.
    pub fn override_tlp(&mut self, now: Cycle, tb: [u32; 2]) -> Result<Overridden, Fault> {
        self.sm.override_tlp(now, tb)
    }

    /// Sets gate K of the SMX to the targets.
    ///
    /// # Errors
    /// `BadClass` if `gpu` has no class 1, `BadSmx` if it has no such SMX; `BadCap` for a target above its TB slots.
    pub fn set_gate<T: Tables>(&self, gpu: &mut FrontEnd<T>) -> Result<(), Fault> {
        let caps = || CLASSES.into_iter().zip(self.sm.tb()).zip(self.sm.by());
        caps().try_for_each(|((class, tb), by)| gpu.check_class_cap(class, self.smx, tb, by))?;
        caps().try_for_each(|((class, tb), by)| gpu.set_class_cap(class, self.smx, tb, by))
    }

    /// The SMX.
    #[must_use]
    pub fn smx(&self) -> SmxId {
        self.smx
    }

    /// The machine.
    #[must_use]
    pub fn sm(&self) -> &TlpSm {
        &self.sm
    }
}
