//! Words of the sheet, until the core has them.

use gpusched::{KernelSlot, SmxId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct DgbConfig {
    pub smxs: u32,
    pub lna: u32,
    pub lea: u32,
    #[serde(alias = "pub")]
    pub pub_entries: u32,
    pub chunk_bytes: u32,
    pub prefetch: Prefetch,
    pub level_ref: LevelRef,
    pub issue_needs_edges: bool,
    pub spill: bool,
}

impl Default for DgbConfig {
    fn default() -> Self {
        Self {
            smxs: 15,
            lna: 128,
            lea: 512,
            pub_entries: 64,
            chunk_bytes: 128,
            prefetch: Prefetch::ChunkFree,
            level_ref: LevelRef::Incomplete,
            issue_needs_edges: false,
            spill: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prefetch {
    ChunkFree,
    Eager,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelRef {
    Incomplete,
    Active,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u16);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node(u64);

impl Node {
    pub fn new(start: u32, childless: bool, parents: u16, level: u16) -> Self {
        Self(u64::from(start) << 33 | u64::from(childless) << 32 | u64::from(parents) << 16 | u64::from(level))
    }
    pub fn with_parent_done(self) -> Option<Self> {
        if self.parents() == 0 { None } else { Some(Self(self.0 - (1 << 16))) }
    }
    pub fn start(self) -> u32 {
        (self.0 >> 33) as u32
    }
    pub fn is_childless(self) -> bool {
        self.0 >> 32 & 1 == 1
    }
    pub fn parents(self) -> u16 {
        (self.0 >> 16) as u16
    }
    pub fn level(self) -> u16 {
        self.0 as u16
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphPolicy {
    Lrr,
    Lvl { bound: u16 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepLinksError {
    EmptyGrid,
    TooManyNodes,
    SelfDependency { tb: u32 },
    EdgeStorageFull { tb: u32 },
    PolicyConflict { tb: u32 },
    Cycle { tb: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    Safe,
    MayDeadlock { node: NodeId },
    Deadlocks { node: NodeId },
    Oversize { node: NodeId },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphHeader {
    pub v: u32,
    pub e: u32,
    pub node_base: u64,
    pub edge_base: u64,
    pub policy: GraphPolicy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphLaunch {
    pub kdei: KernelSlot,
    pub graph: GraphHeader,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    Idle,
    Running,
    Finished,
    Faulted { kind: GraphFaultKind, node: NodeId },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeState {
    Waiting,
    Ready,
    Executing,
    Pending,
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    Nodes { tag: u32, first: u32, count: u32, addr: u64 },
    Edges { tag: u32, first: u32, count: u32, addr: u64 },
    Decrement { tag: u32, node: NodeId, addr: u64 },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub finalised: u32,
    pub updates: u32,
    pub pub_in: u32,
    pub pub_out: u32,
    pub inserted: u32,
    pub readied: u32,
    pub finished: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stall {
    NoReady,
    Head,
    LevelBound,
    NoSmx,
    Deadlock,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    Dispatch { kdei: KernelSlot, node: NodeId, smx: SmxId },
    Stall(Stall),
    Finished,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    Edges,
    Pub,
    Tail,
    Spill,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    pub report: Report,
    pub pending: Option<Pending>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphFaultKind {
    EdgeOrder,
    ParentUnderflow,
    ParentExcess,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeFlaw {
    EdgeStart,
    Childless,
    Oversize,
    Level,
    Parents,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphError {
    GraphFault { kind: GraphFaultKind, node: NodeId },
    Busy,
    EmptyGraph,
    TooManyNodes,
    TooManyEdges,
    Misaligned,
    AddressOverflow,
    StaleTag,
    BadLength,
    BadGraph { node: NodeId, what: NodeFlaw },
    BadEdge { edge: u32 },
    BadSmx { smx: SmxId },
    NotLaunched,
    NotRunning { node: NodeId },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DgbStats {
    pub dispatched: u32,
    pub node_requests: u32,
    pub edge_requests: u32,
    pub spills: u32,
    pub pub_max: u32,
    pub max_level_range: u32,
}
