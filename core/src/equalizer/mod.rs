//! Equalizer: the block count of each SM, and the clocks of the SMs and of the memory, tuned to what warps wait for (sheet
//! [`equalizer`](crate::sheets::equalizer); chapter III of its source).
//!
//! # What it models
//! An [`Sm`] per SM adds up, at every sample point, how many of its warps wait for operands, or are held back by a busy arithmetic
//! or memory pipe. At the end of an epoch the four sums say what the kernel is bound by (Algorithm 1). Three such decisions in a
//! row move the number of blocks that may run by one: blocks are paused, woken, or asked of the work distributor (GWDE). Every
//! epoch also ends in a vote for a step of both clocks, up for performance or down for energy. The [`Fm`], one per chip, steps a
//! clock when most SMs ask for it.
//!
//! # Who drives it
//! A host with an SM model of its own:
//! - It [classifies](SmConfig::classify) the warps of the SM every `sample_interval` cycles and calls [`Sm::sample`] with the
//!   [`Counts`], also when the SM is idle. [`Sm::next_sample`] says when.
//! - It reports the start of a kernel, each end of a block, and the GWDE's answers to requests: one [`Sm::grant`] or [`Sm::deny`]
//!   each.
//! - It obeys every [`Change`]: warps of paused slots issue nothing, and each request goes to its GWDE.
//! - It carries the votes of an [`EpochEnd`] to [`Fm::vote`] in the same cycle, and sets the clocks that [`Fm::levels`] says.
//!
//! A host whose GWDE is a [`FrontEnd`](crate::FrontEnd) leaves the talk between the two to [`AttachedSm`]s.
//!
//! ```
//! use gpusched::equalizer::{Action, Counts, Fm, FmConfig, Outcome, Sm, SmConfig, Step};
//! use gpusched::{Cycle, SlotId, SmxId};
//!
//! // An epoch of one sample, and a change of the block count at once.
//! let config = SmConfig { sample_interval: 4, epoch_cycles: 4, hysteresis: 1, ..SmConfig::GTX480 };
//! let mut sm = Sm::new(&config)?;
//! let mut fm = Fm::new(&FmConfig { sms: 1, ..FmConfig::GTX480 })?;
//!
//! // Blocks of 16 warps, of which the SM holds 3.
//! let started = sm.kernel_start(Cycle(0), 16, 3, false)?;
//! for block in 0..u64::from(started.requests) {
//!     assert_eq!(sm.grant(Cycle(0), block)?.slot, SlotId(block as u8));
//! }
//!
//! // More than a block's warps queue up for the memory pipe: one block less, and a vote for a faster memory.
//! let counts = Counts { active: 48, waiting: 0, xalu: 0, xmem: 17 };
//! let epoch = sm.sample(sm.next_sample(), &counts)?.expect("the sample that ends the epoch");
//! assert_eq!((epoch.delta, epoch.action), (Step::Down, Action::Mem));
//! assert_eq!((epoch.target, epoch.change.pause.as_slice()), (2, [SlotId(2)].as_slice()));
//!
//! let round = fm.vote(sm.now(), SmxId(0), epoch.sm_vote, epoch.mem_vote)?.expect("the only SM has voted");
//! assert_eq!(round.mem.outcome, Outcome::Start);
//! assert_eq!(fm.levels(Cycle(4 + 512))?.mem_permille, 1150);
//!
//! // A running block ends: the paused one goes on, and nothing is asked for.
//! let ended = sm.block_end(Cycle(517), SlotId(0));
//! assert_eq!(ended.unwrap_err().name(), "SampleMissed"); // 128 samples were due meanwhile.
//! sm.resync(Cycle(517))?;
//! let ended = sm.block_end(Cycle(517), SlotId(0))?;
//! assert_eq!((ended.block, ended.change.unpause.as_slice()), (0, [SlotId(2)].as_slice()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Order at the end of an epoch
//! The decision, then hysteresis and watchdog, which may move the target; the sums start again; then blocks are paused,
//! woken and asked for; then the reply, with the votes.
//!
//! # What a refused call does
//! Nothing: every verb checks before it acts. Times never go back; at equal times calls act in their order.

mod attached;
mod blocks;
mod classify;
pub mod config;
mod decide;
mod fm;
mod hysteresis;
mod query;
mod sm;
mod storage;
mod validate;
mod vote;

#[cfg(feature = "image")]
mod image;

pub use attached::{AttachedSm, Placed};
pub use blocks::{Block, Change, MAX_BLOCKS, SlotList};
pub use classify::{Class, Classified, Counts, Warp};
pub use config::{Average, FmConfig, HystMode, Idle, Majority, Pick, SmConfig, XmemRule};
pub use decide::{Action, Decision};
pub use fm::{Domain, Fm, FmState, Levels, Outcome, Resolved, Round};
#[cfg(feature = "image")]
pub use image::{fm_image_config, sm_image_config};
pub use query::SmState;
pub use sm::{Ended, EpochEnd, Granted, Sm, Started};
pub use storage::{FmStorageBits, SmStorageBits, fm_storage_bits, sm_storage_bits};
pub use vote::{Objective, Step, VfMap, VfSteps, Votes};

use crate::base::cycle::Cycle;
use crate::base::error::Fault;

/// The last cycle that an event may have: sums of it and a period cannot wrap.
const LAST: Cycle = Cycle(u64::MAX >> 1);

/// The tests of an event's time that both machines make.
fn check_time(now: Cycle, last: Cycle) -> Result<(), Fault> {
    if now > LAST {
        Err(Fault::TimeOverflow)
    } else if now < last {
        Err(Fault::TimeBackwards)
    } else {
        Ok(())
    }
}
