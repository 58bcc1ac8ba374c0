//! Words of the sheet, until the core has them.

use gpusched::{KernelSlot, SmxId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct DgbConfig {
    pub smxs: u32,
    pub lna: u32,
    pub lea: u32,
    #[serde(rename = "pub")]
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
    pub fn start(self) -> u32 {
        (self.0 >> 33) as u32
    }
    pub fn childless(self) -> bool {
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
pub enum TbPolicy {
    Lrr,
    Lvl { bound: u16 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepLinksError {
    EmptyGrid,
    TooManyNodes,
    SelfDependency { tb: u16 },
    EdgeStorageFull { tb: u16 },
    PolicyConflict { tb: u16 },
    Cycle { tb: u16 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    Safe,
    MayDeadlock { node: NodeId },
    Deadlocks { node: NodeId },
    Oversize { node: NodeId },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphLaunch {
    pub kdei: KernelSlot,
    pub v: u32,
    pub e: u32,
    pub node_base: u64,
    pub edge_base: u64,
    pub policy: TbPolicy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    Nodes { tag: u32, first: NodeId, count: u32, addr: u64 },
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
pub enum FaultKind {
    EdgeOrder,
    ParentUnderflow,
    ParentExcess,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BadNode {
    EdgeStart,
    Childless,
    Oversize,
    Level,
    Parents,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphError {
    GraphFault { kind: FaultKind, node: NodeId },
    Busy,
    EmptyGraph,
    TooManyNodes,
    TooManyEdges,
    Misaligned,
    AddressOverflow,
    StaleTag,
    BadLength,
    BadGraph { node: NodeId, what: BadNode },
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
