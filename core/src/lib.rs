//! GPU hardware-scheduler models as fixed-size state machines: `no_std`, no allocation, no `unsafe`, no panic on any input.
//!
//! # What is modelled
//! The way of a thread block (TB) from a launch call to a slot on an SMX: streams, hardware work queues, the kernel management
//! unit, the kernel distributor, the FCFS controller and the round-robin SMX scheduler; and its two extensions for work that
//! the device creates: CUDA Dynamic Parallelism (device kernels) and Dynamic Thread Block Launch (aggregated groups). Then
//! machines that act beside them or inside an SM, listed below.
//!
//! What each does is laid down in its sheet, rule by rule: see [`sheets`]. Comments cite the rule that the code carries out, such as
//! dtbl-T4 or frontend-C2.
//!
//! # How to use it
//! A host (a cycle-level simulator, an RTL bench, firmware) owns a [`FrontEnd`], reports events, calls [`FrontEnd::tick`] once
//! per SMX cycle, and obeys the decisions. Launches in, dispatches out, completions back:
//!
//! ```
//! use gpusched::{Config, Descriptor, Dim3, FrontEnd, Sched, State, presets::K20c};
//!
//! let mut gpu = FrontEnd::<K20c>::new(&Config::K20C)?;
//! let kernel = Descriptor { pc: 0x400, grid: Dim3::linear(4), tb: Dim3::linear(256), ..Descriptor::default() };
//! gpu.host_launch(0, &kernel, false)?;
//! while gpu.status() != State::Drained {
//!     if let Sched::Tb(tb) = gpu.tick(&mut ())?.sched {
//!         // Run the TB; here it ends at once.
//!         gpu.tb_done(tb.smx, tb.slot, &mut ())?;
//!     }
//! }
//! assert_eq!(gpu.stats().tbs, 4);
//! // The kernel was dispatched for 283 cycles (Table 5); then one TB a cycle.
//! assert_eq!(gpu.now().0, 283 + 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//! - [`frontend`]: the composed machine, its verbs and the order inside a cycle. Start here.
//! - [`config`]: the parameters of the front end and of its parts.
//! - [`probe`]: decisions as they are made.
//! - [`launch`]: descriptors, queues, launch records, kernel distributor, aggregated group table, coalescing, suspension, latencies.
//! - [`policy`]: which TB goes to which SMX next; in it [`laperm`], a scheduler that can be used alone.
//! - [`catalogue`]: 21 policies, published or in use, that say which TB goes to which SMX next, behind one interface. Usable alone.
//! - [`dats`]: dependency graphs of TBs: the builder, the admission check, the dependency-graph buffer. Usable alone.
//! - [`smx`]: what each SMX has room for.
//! - [`power`]: SMX occupancy bubbles: diversion, draining, resumption, P-states, energy. Usable alone.
//! - [`apogee`]: a prefetcher beside an SM's data cache: fixed offsets and thread-invariant addresses. Usable alone.
//! - [`equalizer`]: block count, SM clock and memory clock tuned to what warps wait for. Usable alone.
//! - [`mascar`]: warp scheduling under memory saturation, and the re-execution queue of the LSU. Usable alone.
//! - [`simt`]: the reconvergence stack, the coalescer, the scoreboard: what happens instruction by instruction. Each usable alone.
//! - [`models`]: estimates instead of machines: execution time and benefits, roofline and theory, work-flow graphs, a memory
//!   hierarchy at random.
//! - [`tlp`]: how many TBs of two kernels share an SM, and which of them bypass the L1. Usable alone.
//! - [`modern`]: where SMXs lie, clusters of TBs, priorities, contexts, draining: what GPUs of today add to the front end.
//! - [`grids`]: kernels that are complete only when all that they launched is, as on GPUs of today.
//! - [`presence`]: parts that a home leaves out, at no cost; [`Linked`] says which.
//! - [`gpu`]: GPUs, with the provenance of each number.
//! - [`sheets`]: the rules of every mechanism, which code and tests cite.
//! - `image` (feature `image`): a machine as bytes, saved and restored.
//!
//! # Promises
//! Same events, same decisions, on every target. A refused call changes nothing. All state is one plain value if its tables
//! are inline. [`FrontEnd::run`] skips idle cycles and cannot be told from stepping.
#![no_std]
#![forbid(unsafe_code)]

mod base;

pub mod apogee;
pub mod config;
pub mod dats;
pub mod equalizer;
pub mod frontend;
pub mod gpu;
pub mod grids;
pub mod launch;
pub mod mascar;
pub mod models;
pub mod modern;
pub mod policy;
pub mod power;
pub mod probe;
#[cfg(doc)]
pub mod sheets;
pub mod simt;
pub mod smx;
pub mod tlp;

pub use base::cycle::Cycle;
pub use base::dim3::Dim3;
pub use base::error::Fault;
pub use base::home::{BuildError, RowSource, SliceTables, TableTooSmall};
pub use base::id::{
    AgeId, ClassId, ContextId, DrainId, GpcId, GridId, HwqId, Id, InstanceId, KernelNodeId, KernelSlot, KgraphId,
    PieceId, RecordId, SlotId, SmxId, SuspId, UnitId,
};
#[cfg(feature = "image")]
pub use base::image;
#[cfg(feature = "image")]
pub use base::image::ImageError;
pub use base::invariant::Violation;
pub use base::parameter::{ConfigError, Parameter, PartName, Provenance};
pub use base::presence;
pub use base::presence::{AnyParts, Linked, NoParts, Parts};
pub use base::resources::Resources;
pub use base::set::{IdSet, SmxSet};
pub use base::table::Rows;
pub use config::launch2::{Cdp2Part, KgraphPart, LateLaunch, PdlPart, PendHold, TailDepth};
pub use config::modern::{ClusterPart, Fill, GpcOrder, PartitionPart, PreemptPart, PriorityPart};
pub use config::parts::{BubblePart, DatsPart, LaPermPart, Rescue, ToldPart, Units};
pub use config::topology::{Numbering, Topology, Tpc};
pub use config::{AgtMiss, Config, Fallback, HashScope, KmuArb, LoadMode, Policy};
#[cfg(feature = "image")]
pub use frontend::decided::decided_image_config;
pub use frontend::decided::{Asked, Decided, Refused};
pub use frontend::graph::DgbOf;
#[cfg(feature = "image")]
pub use frontend::image::image_config;
pub use frontend::launches::{DeviceLaunch, GroupLaunch};
pub use frontend::query::{GroupView, HwqView, State, TbView};
pub use frontend::skip::Words;
pub use frontend::storage::{StorageBits, storage_bits};
pub use frontend::tables::{InlineTables, Reserved, TableSet, TableSizes, Tables};
pub use frontend::told::ToldState;
pub use frontend::told::sight::Sight;
pub use frontend::view::{KdeView, LoadPlace, LoadView, RecordKind, RecordView, SuspendedView, UnitView};
pub use frontend::waiting::WaitingHead;
pub use frontend::{FrontEnd, Tick};
pub use gpu::{GpuSpec, presets};
pub use grids::instances::{InstanceView, ReadyNode};
pub use grids::kgraph::{KernelEdge, KernelNode, KgraphView};
pub use grids::{GridStats, GridView};
pub use launch::cross::Consumers;
pub use launch::cursor::{Cursor, Load};
pub use launch::descriptor::{Cluster, Descriptor};
pub use launch::distributor::{Chain, GraphState, Kde, Kernel, Mark, Phase, Source};
pub use launch::hwq::{Key, Owner};
pub use launch::kmu::Kmu;
pub use launch::record::{Group, Record, RecordState};
pub use launch::stats::Stats;
pub use launch::suspended::Suspended;
pub use modern::clusters::GpcView;
pub use modern::contexts::{ContextSpec, ContextView, GpcSet};
pub use modern::drains::{DrainView, Victim};
pub use policy::Sched;
pub use policy::catalogue;
pub use policy::laperm;
pub use policy::line::UnitWork;
pub use policy::seam;
pub use policy::seam::offer::{Choice, Completion, Offer, OfferId, OfferKind, OfferLoad, Resident, UnitKey, View};
pub use probe::{Decision, DecisionList, FallCause, GroupRef, IssueSource, Probe, TbPlacement, TbRef, UnitPlace};
pub use smx::gates::ClassCap;
pub use smx::residency::{ClassMember, Need, ResidentTb, Smx, Unit};

/// Row types of the tables, for homes (see [`inline_tables!`]).
pub mod rows {
    pub use crate::base::table::{Reserve, fill};
    pub use crate::grids::instances::{Instance, NodeState};
    pub use crate::grids::kgraph::{KernelEdgeRow, KernelNodeRow, Kgraph};
    pub use crate::grids::overlap::SmxFlags;
    pub use crate::grids::{Grid, GridList, KernelGrid};
    pub use crate::launch::agt::Age;
    pub use crate::launch::cross::{Consumers, Cross};
    pub use crate::launch::distributor::Kde;
    pub use crate::launch::hwq::{HostKernel, Hwq};
    pub use crate::launch::record::{LaunchFifo, Record, Waiting};
    pub use crate::launch::suspended::Suspended;
    pub use crate::modern::clusters::{ClusterPlace, Gpc};
    pub use crate::modern::contexts::Context;
    pub use crate::modern::drains::Drain;
    pub use crate::policy::line::UnitWork;
    pub use crate::policy::seam::pieces::Piece;
    pub use crate::policy::seam::units::ToldUnit;
    pub use crate::power::{SmxLedger, SmxPower};
    pub use crate::smx::gates::ClassCap;
    pub use crate::smx::residency::{Smx, Tbcr};
}
