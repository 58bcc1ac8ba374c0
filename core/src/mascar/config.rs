//! The parameters of Mascar, with their ranges and provenance.
//!
//! ```
//! use gpusched::mascar::{CacheConfig, MascarConfig, Order, Priority, Sources};
//!
//! // Loose round robin: no mode but EP, one group of warps, no queue.
//! assert_eq!(MascarConfig::LRR.ep_priority, Priority::Merged);
//! assert_eq!(MascarConfig::GTO, MascarConfig { ep_mem_order: Order::Gto, ..MascarConfig::LRR });
//! let wrong = CacheConfig { mshr_clear: 61, ..CacheConfig::FERMI };
//! let wrong = MascarConfig { sources: Sources::new(&[wrong])?, ..MascarConfig::GTX480 };
//! assert_eq!(wrong.check().unwrap_err().to_string(), "mshr_clear = 61: expected a value from 1 to 60");
//! # Ok::<(), gpusched::ConfigError>(())
//! ```

use crate::base::error::Fault;
use crate::base::parameter::{self, ConfigError, Parameter, Provenance, choice, parameters};

choice! {
    /// Which kind of instruction a scheduler prefers when it has candidates of both (mascar-P5).
    pub enum Priority {
        /// Memory.
        #[default]
        Mem,
        /// Compute.
        Comp,
        /// Neither: one group, ordered as memory warps are.
        Merged,
    }
}
choice! {
    /// The order of the warps of one group (mascar-P4).
    pub enum Order {
        /// Greedy, then oldest: the scheduler's last issued warp, then by age.
        #[default]
        Gto,
        /// By age.
        Oldest,
        /// Round robin: by number, from the one behind the scheduler's last issued warp.
        Rr,
    }
}

parameters! {
    /// One cache whose back pressure sets the mode: its structures and their marks.
    pub struct CacheConfig;
    /// The L1 data cache of a Fermi SM.
    pub const FERMI;
    numbers {
        /// Miss status holding registers.
        mshr: "MSHRs" = 64 in 1..=65535, Paper "Table 4.1";
        /// Places of the miss queue.
        missq: "places" = 8 in 1..=65535, Inferred "mascar-A1: GPGPU-Sim's Fermi";
        /// Taken MSHRs that set the flag; at most `mshr`.
        mshr_sat: "MSHRs" = 60 in 1..=65535, Ours "mascar-A1: almost full";
        /// Taken places that set the flag; at most `missq`.
        missq_sat: "places" = 7 in 1..=65535, Ours "mascar-A1: almost full";
        /// The flag clears below this many taken MSHRs; at most `mshr_sat`.
        mshr_clear: "MSHRs" = 60 in 1..=65535, Ours "mascar-A1: level-sensitive";
        /// The flag clears below this many taken places; at most `missq_sat`.
        missq_clear: "places" = 7 in 1..=65535, Ours "mascar-A1: level-sensitive";
    }
    choices {}
}

impl CacheConfig {
    /// Checks every range, then `clear <= sat <= size` of both structures (mascar-H7: a mark of 0 would pin MP mode).
    ///
    /// # Errors
    /// The first value that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())?;
        let limits = [
            ("mshr_sat", self.mshr),
            ("missq_sat", self.missq),
            ("mshr_clear", self.mshr_sat),
            ("missq_clear", self.missq_sat),
        ];
        parameter::check_limits(self.values(), &limits)
    }
}

/// Caches that a machine may watch.
pub const MAX_SOURCES: usize = 3;

const SOURCES: Parameter = Parameter::number(
    c"sources",
    "caches",
    1,
    MAX_SOURCES as u32,
    Provenance::Paper,
    "4.3.1: data, texture and constant cache",
);

/// The caches that a machine watches, 1 to 3: the L1 data cache, then texture and constant where they are modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SourceList", into = "SourceList"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sources {
    /// Those behind `len` are `FERMI`.
    list: [CacheConfig; MAX_SOURCES],
    len: u8,
}

#[cfg(feature = "serde")]
type SourceList = heapless::Vec<CacheConfig, MAX_SOURCES>;

impl Sources {
    /// A Fermi SM's L1 data cache alone.
    pub const FERMI: Self = Self { list: [CacheConfig::FERMI; MAX_SOURCES], len: 1 };

    /// These caches. Their marks are checked by [`MascarConfig::check`].
    ///
    /// # Errors
    /// `BadConfig` if they are not 1 to 3.
    pub fn new(caches: &[CacheConfig]) -> Result<Self, ConfigError> {
        let mut sources = Self { len: caches.len() as u8, ..Self::FERMI };
        if caches.is_empty() || caches.len() > MAX_SOURCES {
            let value = u32::try_from(caches.len()).unwrap_or(u32::MAX);
            return Err(ConfigError::new(Fault::BadConfig, &SOURCES, value));
        }
        sources.list.iter_mut().zip(caches).for_each(|(to, from)| *to = *from);
        Ok(sources)
    }

    /// The caches; events name them by their places.
    #[must_use]
    pub fn caches(&self) -> &[CacheConfig] {
        self.list.get(..self.len.into()).unwrap_or_default()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<SourceList> for Sources {
    type Error = ConfigError;

    fn try_from(list: SourceList) -> Result<Self, ConfigError> {
        Self::new(&list)
    }
}

#[cfg(feature = "serde")]
impl From<Sources> for SourceList {
    fn from(sources: Sources) -> Self {
        sources.caches().iter().copied().collect()
    }
}

/// Warps that a machine may have: 63 numbers and "none" fit 6 bits.
pub const MAX_WARPS: usize = 63;
/// Schedulers that a machine may have.
pub const MAX_SCHEDULERS: usize = 8;

parameters! {
    /// Parameters of sheet `mascar`. `Default` is an SM of the GTX 480.
    pub struct MascarConfig;
    /// An SM of the GTX 480, with the values of 4.3.
    pub const GTX480;
    numbers {
        /// Warps of the SM.
        warps: "warps" = 48 in 1..=63, Paper "Table 4.2";
        /// Warp schedulers; warp w belongs to scheduler w mod `schedulers`.
        schedulers: "schedulers" = 2 in 1..=8, Paper "2.1: Fermi";
        /// Entries of the re-execution queue; without any the LSU blocks on a refusal.
        rexq: "entries" = 32 in 0..=255, Paper "Table 4.2";
        /// Threads of a warp.
        warp_size: "threads" = 32 in 1..=64, Paper "Table 4.2: 32 offsets";
        /// Longest ownership while others wait (mascar-H5); 0: without end.
        owner_timeout: "cycles" = 4096 in 0..=4294967295, Ours "mascar-H5";
        /// New requests after which the queue has a turn (mascar-H6); 0: never before them.
        starve_limit: "requests" = 0 in 0..=65535, Paper "4.3.2: new requests first";
    }
    choices {
        /// A scheduler may issue one compute and one memory warp in a cycle, rather than one warp (mascar-A9).
        per_pipe: bool = false;
        /// Whether there is an MP mode; if not, this is a plain warp scheduler.
        enable: bool = true;
        /// Which kind of instruction goes first in EP mode.
        ep_priority: Priority = Priority::Mem;
        /// The order of memory warps in EP mode.
        ep_mem_order: Order = Order::Gto;
        /// The order of compute warps in EP mode.
        ep_comp_order: Order = Order::Gto;
        /// Which kind of instruction goes first in MP mode.
        mp_priority: Priority = Priority::Comp;
        /// The order of memory warps in MP mode.
        mp_mem_order: Order = Order::Oldest;
        /// The order of compute warps in MP mode.
        mp_comp_order: Order = Order::Oldest;
        /// In MP mode the owner precedes older leftovers (mascar-A5).
        owner_first: bool = false;
        /// An owner gives up only when all its requests are accepted (mascar-A3, mascar-H1).
        relinquish_waits: bool = true;
        /// An owner gives up at a barrier or fence (mascar-H2).
        relinquish_sync: bool = true;
        /// An owner that cannot reach the blocked LSU passes ownership to the queue (mascar-H3).
        rescue: bool = true;
        /// A blocked request of the owner is presented in turns with the queue's head (mascar-H4).
        retry_owner: bool = true;
        /// A miss on a line that is on its way is accepted from every warp (mascar-A7).
        nonowner_merge: bool = false;
        /// The caches that set the mode (mascar-A12).
        sources: Sources = Sources::FERMI;
    }
}

impl MascarConfig {
    /// The baseline scheduler of the source: loose round robin and an LSU that blocks.
    pub const LRR: Self =
        Self { enable: false, ep_priority: Priority::Merged, ep_mem_order: Order::Rr, rexq: 0, ..Self::GTX480 };
    /// The baseline greedy-then-oldest.
    pub const GTO: Self = Self { ep_mem_order: Order::Gto, ..Self::LRR };

    /// Checks every range, then the caches.
    ///
    /// # Errors
    /// The first value that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())?;
        self.sources.caches().iter().try_for_each(CacheConfig::check)
    }

    /// Every scheduler: the mask of a compute pipe that takes what comes.
    #[must_use]
    pub const fn all_schedulers(&self) -> u32 {
        (1 << self.schedulers) - 1
    }
}
