//! What the verbs answer.

use super::WarpId;
use super::config::MAX_SCHEDULERS;
use super::rexq::Entry;

/// How the memory system stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Mode {
    /// Equal priority: not saturated.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "EP"))]
    Ep,
    /// Memory access priority: saturated, one warp owns the LSU.
    #[cfg_attr(feature = "serde", serde(rename = "MP"))]
    Mp,
}

/// A pipe of the SM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Pipe {
    /// Any compute pipe.
    #[default]
    Comp,
    /// The LSU.
    Mem,
}

/// A warp whose head issues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Issue {
    /// The scheduler.
    pub sched: u8,
    /// The warp.
    pub warp: WarpId,
    /// Where to.
    pub pipe: Pipe,
}

/// The issues of a cycle: one per scheduler, or one per pipe of each; one to the LSU.
pub type Issues = heapless::Vec<Issue, { MAX_SCHEDULERS + 1 }, u8>;

/// Why an owner gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Why {
    /// Its head depends on an outstanding load.
    Dep,
    /// Its head waits for others.
    Sync,
    /// It owned too long.
    Timeout,
    /// It cannot reach the LSU, which another warp blocks.
    Rescue,
}

/// An owner that gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Released {
    /// The warp.
    pub warp: WarpId,
    /// Why.
    pub why: Why,
}

/// How a warp became owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Via {
    /// It issued to the LSU.
    Issue,
    /// It has a request in the re-execution queue, or blocks the LSU.
    Queue,
}

/// A warp that became owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Granted {
    /// The warp.
    pub warp: WarpId,
    /// How.
    pub via: Via,
}

/// What a cycle issues.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Pick {
    /// The mode.
    pub mode: Mode,
    /// The owner behind this pick.
    pub owner: Option<WarpId>,
    /// The owner before it, if it gave up.
    pub released: Option<Released>,
    /// The owner, if it is a new one.
    pub granted: Option<Granted>,
    /// By scheduler, comp before mem.
    pub issues: Issues,
}

/// How saturated the memory system is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Saturation {
    /// Some cache's flag is set.
    pub flag: bool,
    /// The mode.
    pub mode: Mode,
}

/// The request to present to the L1 now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Next {
    /// None.
    Idle,
    /// The next one of the instruction in the LSU.
    New {
        /// Its warp.
        warp: WarpId,
        /// Which of the instruction's requests, from 0.
        index: u8,
    },
    /// The refused request that blocks the LSU.
    Blocked(Entry),
    /// The head of the re-execution queue.
    Rexq(Entry),
}

/// The L1's look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Lookup {
    /// The line is there.
    Hit,
    /// A miss on a line that is on its way.
    Merge,
    /// A miss.
    Miss,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Action {
    /// It left the LSU.
    Accepted,
    /// Refused: it waits in the re-execution queue.
    Queued,
    /// Refused: it blocks the LSU.
    Blocked,
    /// It left the re-execution queue.
    Popped,
    /// Refused: it went to the queue's tail.
    Recycled,
}

/// The answer to the L1's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Reply {
    /// The request is served: the L1 keeps what it looked up.
    pub ack: bool,
    /// It goes to the L2.
    pub to_l2: bool,
    /// What became of it.
    pub action: Action,
    /// The request that blocked the LSU took the freed place in the queue.
    pub unblocked: bool,
}
