//! Mascar: memory-aware warp scheduling and cache access re-execution (sheet [`mascar`](crate::sheets::mascar); chapter IV of the source).
//!
//! # What it models
//! One machine per SM, between instruction buffer, warp schedulers, LSU and L1. It picks which warps issue in each cycle. While the
//! memory system keeps up (EP mode) memory warps go first; when the L1 signals saturation (MP mode) one warp, the owner, has the LSU
//! for itself, so that its loads all get out and it can compute while the next owner loads. Requests that the L1 refuses step
//! out of the LSU's way into a re-execution queue, so that later ones can hit. With `enable: false` it is a plain warp scheduler:
//! [`MascarConfig::LRR`] and [`MascarConfig::GTO`].
//!
//! # Who drives it
//! An SM's model. In each cycle, in this order: [`Mascar::l1_state`] behind the fills, [`Mascar::set_head`] of the warps whose heads
//! changed, [`Mascar::pick`], [`Mascar::lsu_begin`] for the memory instruction that it issued, then [`Mascar::lsu_next`] and
//! [`Mascar::lsu_reply`] once per port of the L1. Calls that would change nothing can be left out.
//!
//! ```
//! use gpusched::mascar::{Action, Kind, Lookup, Mascar, MascarConfig, Mode, Next, Pipe, Request, WarpId};
//! use gpusched::{Cycle, inline_mascar_tables};
//!
//! inline_mascar_tables! {
//!     struct Gtx480 = MascarConfig::GTX480;
//! }
//! let mut sm = Mascar::<Gtx480>::new(&MascarConfig::GTX480)?;
//! let [a, b] = [WarpId(0), WarpId(1)];
//! for w in [a, b] {
//!     sm.warp_start(w)?;
//!     sm.set_head(w, Kind::Mem, true, false)?;
//! }
//! // 60 of 64 MSHRs are taken: the oldest warp that goes to memory has the LSU for itself.
//! assert_eq!(sm.l1_state(0, 60, 0)?.mode, Mode::Mp);
//! let pick = sm.pick(Cycle(1), true, None)?;
//! assert_eq!((pick.issues[0].warp, pick.issues[0].pipe, pick.owner), (a, Pipe::Mem, Some(a)));
//! sm.lsu_begin(a, 1, 5)?;
//! assert_eq!(sm.lsu_next()?, Next::New { warp: a, index: 0 });
//! // It misses, and the L1 has no room: the request waits in the queue, and is presented again.
//! let request = Request { base: 0x80, mask: 0xffff_ffff, ..Request::default() };
//! assert_eq!(sm.lsu_reply(Lookup::Miss, false, Some(&request))?.action, Action::Queued);
//! assert!(sm.pick(Cycle(2), true, None)?.issues.is_empty());
//! assert!(matches!(sm.lsu_next()?, Next::Rexq(entry) if entry.request == request));
//! assert!(sm.lsu_reply(Lookup::Miss, true, None)?.to_l2);
//! // Its next instruction needs the value: it gives up, and the other warp loads in the same cycle.
//! sm.set_head(a, Kind::Alu, false, true)?;
//! assert_eq!(sm.pick(Cycle(3), true, None)?.owner, Some(b));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//! [`config`]: the parameters. [`saturation`]: flags and mode. [`warps`]: ages, heads, status table. [`pick`]: release, grant,
//! choice, with the orders of [`order`]. [`lsu`]: what is presented, and what the answer does.
//! [`rexq`]: the queue. `validate`: the invariants.
//!
//! # What a refused call does
//! Nothing: every verb checks before it acts.

pub mod answer;
pub mod config;
pub mod lsu;
pub mod order;
pub mod pick;
pub mod query;
pub mod rexq;
pub mod saturation;
pub mod storage;
pub mod tables;
mod validate;
pub mod warps;

#[cfg(feature = "image")]
mod image;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::home::BuildError;
use crate::base::id::id;

pub use answer::{
    Action, Granted, Issue, Issues, Lookup, Mode, Next, Pick, Pipe, Released, Reply, Saturation, Via, Why,
};
pub use config::{CacheConfig, MAX_SCHEDULERS, MAX_SOURCES, MAX_WARPS, MascarConfig, Order, Priority, Sources};
#[cfg(feature = "image")]
pub use image::mascar_image_config;
pub use lsu::{Instruction, Lsu, LsuState, Presented, STORE};
pub use query::{MascarState, WarpMask, WarpView};
pub use rexq::{Entry, MAX_THREADS, OFFSET_WORDS, Offsets, Request};
pub use storage::{MascarStorageBits, mascar_storage_bits};
pub use tables::{InlineTables, Reserved, TableSet, TableSizes, Tables};
pub use warps::{Head, Kind};

use order::Rules;
use rexq::Rexq;
use warps::Warps;

id! {
    /// A warp of the SM, 0..warps.
    pub WarpId(u8)
}

/// The warp that has the LSU for itself in MP mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Owner {
    warp: WarpId,
    /// The cycle in which it became owner.
    since: Cycle,
}

/// The machine of one SM. With inline tables it is one plain value: clone it, compare it, hash it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mascar<T: Tables> {
    config: MascarConfig,
    /// How warps are chosen in EP and in MP mode.
    rules: [Rules; 2],
    /// The longest ownership while others wait: `owner_timeout`, or for ever.
    longest: u64,
    /// The first cycle of the next pick: the one behind the last pick, or 0.
    next_pick: Cycle,
    /// The saturation flags, a bit per cache.
    flags: u8,
    /// It follows from the flags (mascar-M2).
    mode: Mode,
    owner: Option<Owner>,
    /// Not owner again before another one was; only while there is no owner.
    barred: Option<WarpId>,
    warps: Warps,
    /// The last issued warp of each scheduler.
    last: [Option<WarpId>; MAX_SCHEDULERS],
    lsu: Lsu,
    presented: Option<Presented>,
    /// What no offset of this `warp_size` has.
    no_offset: Offsets,
    /// New requests that passed the waiting queue since its head was presented, at most `starve_limit` (mascar-L3).
    passed: u16,
    rexq: Rexq<T::Rexq>,
}

impl<T: InlineTables> Mascar<T> {
    /// A machine that brings its own tables.
    ///
    /// # Errors
    /// A value out of its range, or a configuration that needs more rows than the home has.
    pub fn new(config: &MascarConfig) -> Result<Self, BuildError> {
        Self::with_tables(config, T::empty())
    }
}

impl<T: Tables> Mascar<T> {
    /// A machine on the given tables.
    ///
    /// # Errors
    /// A value out of its range, or a table with fewer rows than [`TableSizes::of`] the configuration.
    pub fn with_tables(config: &MascarConfig, tables: TableSet<T>) -> Result<Self, BuildError> {
        config.check().map_err(BuildError::Config)?;
        if let Some(small) = tables.shortage(&TableSizes::of(config)) {
            return Err(BuildError::Tables(small));
        }
        Ok(Self::empty(config, tables))
    }

    /// A machine without warps, of a checked configuration and on tables that are large enough.
    fn empty(config: &MascarConfig, tables: TableSet<T>) -> Self {
        Self {
            config: *config,
            rules: [false, true].map(|mp| Rules::of(config, mp)),
            longest: if config.owner_timeout == 0 { u64::MAX } else { config.owner_timeout.into() },
            next_pick: Cycle::ZERO,
            flags: 0,
            mode: Mode::Ep,
            owner: None,
            barred: None,
            warps: Warps::new(),
            last: [None; MAX_SCHEDULERS],
            lsu: Lsu::Idle,
            presented: None,
            no_offset: Offsets::beyond(config.warp_size),
            passed: 0,
            rexq: Rexq::new(tables.rexq, config.rexq),
        }
    }

    /// A warp starts. Its age: how many started before it.
    ///
    /// # Errors
    /// `BadWarp`, `WarpResident`.
    pub fn warp_start(&mut self, w: WarpId) -> Result<u64, Fault> {
        self.check_warp(w)?;
        if self.warps.is_resident(w) {
            return Err(Fault::WarpResident);
        }
        let scheduler = self.scheduler_of(w);
        Ok(self.warps.start(w, scheduler, self.last(scheduler) == Some(w)))
    }

    fn scheduler_of(&self, w: WarpId) -> usize {
        u32::from(w.0).checked_rem(self.config.schedulers).unwrap_or(0) as usize
    }

    /// A warp exits. Whether it was the owner, and is no longer (mascar-H2).
    ///
    /// # Errors
    /// `BadWarp`, `WarpNotResident`; `WarpHasRequests` while it has requests in the queue or is in the LSU: the host keeps it, with
    /// head none, until they are accepted.
    pub fn warp_exit(&mut self, w: WarpId) -> Result<bool, Fault> {
        self.check_resident(w)?;
        if self.has_requests(w) {
            return Err(Fault::WarpHasRequests);
        }
        self.warps.exit(w);
        self.barred = self.barred.filter(|barred| *barred != w);
        let owned = self.owner() == Some(w);
        if owned {
            self.set_owner(None);
        }
        Ok(owned)
    }

    /// What is at the head of a warp's instruction buffer now; the same again changes nothing. `ready`: its operands are available.
    /// `dep_load`: one of them is the result of an outstanding long-latency load of this warp.
    ///
    /// # Errors
    /// `BadWarp`, `WarpNotResident`; `BadHead` for no kind, an instruction that is both, or something else that is either.
    #[inline]
    pub fn set_head(
        &mut self,
        w: WarpId,
        kind: impl Into<Option<Kind>>,
        ready: bool,
        dep_load: bool,
    ) -> Result<(), Fault> {
        self.check_resident(w)?;
        let kind = kind.into().ok_or(Fault::BadHead)?;
        let head = Head { kind, ready, dep_load };
        if self.warps.is_head(w, head) {
            return Ok(());
        }
        if !head.is_possible() {
            return Err(Fault::BadHead);
        }
        self.warps.set_head(w, head);
        Ok(())
    }

    /// That a warp is resident.
    ///
    /// # Errors
    /// `BadWarp`, `WarpNotResident`.
    #[inline]
    pub fn check_resident(&self, w: WarpId) -> Result<(), Fault> {
        if self.warps.is_resident(w) {
            return Ok(());
        }
        self.check_warp(w)?;
        Err(Fault::WarpNotResident)
    }

    fn check_warp(&self, w: WarpId) -> Result<(), Fault> {
        if u32::from(w.0) < self.config.warps { Ok(()) } else { Err(Fault::BadWarp) }
    }
}
