//! Concurrent kernels: how many TBs of each share an SM, which of them bypass the L1, and which kernels run together
//! (sheet [`tlp`](crate::sheets::tlp)).
//!
//! # What it models
//! A [`TlpSm`] per SM. Two kernels start with targets that their resources and their types allow (Algorithm 1,
//! [`TlpConfig::static_tlp`]). A period lasts until every TB that was resident at its start has ended; its counters say which
//! pipeline was used less than before, and the kernel that leans on it gets another TB, at the other's expense if need be. Over the
//! first periods it is learnt by trial of which kernel some TBs are to bypass the L1, and how many. A [`Pool`] says which kernels run
//! together.
//!
//! What the source compares with is here, too: [`LeftOver`], the hardware's way; [`SmartEven`], SMs shared out; [`Smc`], a search by
//! trial. Every unit can be used alone; all have one [`TlpConfig`].
//!
//! # Who drives it
//! A block dispatcher. It tells of kernels that come ([`TlpSm::attach`]) and go ([`TlpSm::done`]), asks what to send
//! ([`TlpSm::dispatch`]), and tells of ends ([`TlpSm::finish`]). When one of them is the end of a period, it takes the counters of the
//! period to [`TlpSm::sample`]. A host whose dispatcher is a [`FrontEnd`](crate::FrontEnd) leaves that to [`AttachedTlpSm`]s.
//!
//! ```
//! use gpusched::tlp::{Action, Category, Dispatch, Kernel, KernelId, KernelType, Learn, Metrics, Stall, TbNeeds, TlpConfig, TlpSm};
//! use gpusched::{Cycle, SlotId};
//!
//! let kernel = Kernel {
//!     needs: TbNeeds { threads: 128, regs: 1024, smem: 0 },
//!     category: Category { kind: KernelType::Down, opt: 1 },
//! };
//! let mut sm = TlpSm::new(&TlpConfig::GTX480)?;
//! sm.attach(Cycle(0), KernelId(0), kernel)?;
//! assert_eq!(sm.attach(Cycle(0), KernelId(1), kernel)?.tb, [1, 1]);
//! for _ in 0..2 {
//!     assert!(matches!(sm.dispatch(Cycle(10), [true, true])?, Dispatch::Placed(_)));
//! }
//! assert_eq!(sm.dispatch(Cycle(10), [true, true])?, Dispatch::Stall(Stall::AtTarget));
//!
//! // Both TBs end, and with them the first period.
//! assert!(!sm.finish(Cycle(60), SlotId(0))?.period_end);
//! assert!(sm.finish(Cycle(110), SlotId(1))?.period_end);
//! let counters = Metrics { sp: [30, 20], ldst: [10, 40], stall_mem: 70, stall_struct: 5, avail: [true, true] };
//! let sampled = sm.sample(Cycle(110), &counters)?;
//! // There is nothing to compare with yet. Next, a TB of kernel 0 bypasses the L1.
//! assert_eq!((sampled.action, sampled.learn, sampled.by), (Action::First, Learn::S2, [1, 0]));
//! assert!(matches!(sm.dispatch(Cycle(120), [true, true])?, Dispatch::Placed(tb) if tb.bypass));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//! [`config`]: the parameters. `fit`: what fits an SM. `categorise`, `static_tlp`: types and first targets. `sm`: dispatch and
//! tags, periods, modulation, learning. `pool`; `leftover`, `smart_even`, `smc`: what the source compares with.
//!
//! # What a refused call does
//! Nothing: every verb checks before it acts.

mod attached;
mod categorise;
pub mod config;
mod fit;
mod kernel;
mod leftover;
mod pool;
mod sm;
mod smart_even;
mod smc;
mod static_tlp;
mod storage;
mod validate;

#[cfg(feature = "image")]
mod image;

pub use attached::AttachedTlpSm;
pub use config::{HistoryRule, MAX_SLOTS, MAX_SMS, Order, PuhpTie, SoloTlp, StallNorm, TlpConfig, UpUp};
#[cfg(feature = "image")]
pub use image::{left_over_image_config, pool_image_config, smart_even_image_config, smc_image_config};
pub use kernel::{Category, Kernel, KernelId, KernelType, Pref, TbNeeds};
pub use leftover::{LeftOver, Sent, SentTb, Submitted};
pub use pool::{Next, Pending, Picked, Pool};
#[cfg(feature = "image")]
pub use sm::tlp_sm_image_config;
pub use sm::{
    Action, Attached, Detached, Dispatch, Finished, History, Learn, Load, Metrics, Mode, Overridden, Period, Phase,
    Pipe, Placed, ResidentTb, Sampled, SmState, Stall, TlpSm,
};
pub use smart_even::{Job, MAX_SHARERS, OwnedSm, Sharer, SharerTbEnded, SmartEven};
pub use smc::{Proposal, Reported, Smc, SmcPhase};
pub use static_tlp::StaticTlp;
pub use storage::{TlpSmStorageBits, TlpStorageBits, tlp_storage_bits};
