//! The parameters of the front end: one list that gives the structure, the defaults, the ranges and their provenance.
//!
//! ```
//! use gpusched::{AgtMiss, Config};
//!
//! let config = Config { agt_size: 512, agt_miss: AgtMiss::Device, ..Config::K20C }.ideal();
//! assert!(config.check().is_ok());
//! let wrong = Config { agt_size: 1000, ..Config::K20C };
//! assert_eq!(wrong.check().unwrap_err().to_string(), "agt_size = 1000: expected a power of two from 1 to 65536");
//! ```

pub mod latency;
pub mod launch2;
pub mod modern;
pub mod parts;
pub mod topology;

use crate::base::id::{ContextId, Id};
use crate::base::parameter::{self, ConfigError, choice, parameters};
use crate::base::presence::{AnyParts, Parts};
use launch2::{Cdp2Part, KgraphPart, PdlPart};
use modern::{ClusterPart, PartitionPart, PreemptPart, PriorityPart};
use parts::{BubblePart, DatsPart, FREE_LEVELS, LaPermPart, ToldPart, Units};
use topology::Topology;

choice! {
    /// How the KMU chooses between waiting kernels (dtbl-A1).
    pub enum KmuArb {
        /// Least (ready, seq) of all.
        #[default]
        Fcfs,
        /// Turns: the queues, then the device list, then the suspended list.
        Rr,
    }
}
choice! {
    /// Which threads share an AGT index (dtbl-A8).
    pub enum HashScope {
        /// The thread's number within its SMX is hashed.
        #[default]
        Smx,
        /// The thread's number within the GPU is hashed.
        Global,
    }
}
choice! {
    /// What becomes of a group that finds its AGE taken (dtbl-A7).
    pub enum AgtMiss {
        /// Its information stays in global memory and is loaded when its turn comes.
        #[default]
        Spill,
        /// It becomes a device kernel.
        Device,
    }
}
choice! {
    /// What a group pays that becomes a device kernel (dtbl-A6).
    pub enum Fallback {
        /// Only the KMU and the dispatch.
        #[default]
        Direct,
        /// The launch call for all lanes that fell, too.
        Full,
    }
}
choice! {
    /// Who times the load of a spilled group (dtbl-T4).
    pub enum LoadMode {
        /// It takes `load_cycles`.
        #[default]
        Fixed,
        /// The host answers with `spill_loaded`.
        External,
    }
}
choice! {
    /// Who sends TBs to SMXs, with its parameters.
    pub enum Policy {
        /// First-come-first-served kernels, round-robin SMXs: the baseline.
        #[default]
        FcfsRr,
        /// LaPerm's queues, by level and by SMX; its own parameter says which of its policies.
        #[cfg_attr(feature = "serde", serde(rename = "laperm"))]
        LaPerm(LaPermPart),
        /// The host decides, between the two halves of a cycle.
        Told(ToldPart),
    }
}

parameters! {
    /// Parameters of the front end, sheets `dtbl` and `frontend`. `Default` is the K20c.
    pub struct Config;
    /// The Tesla K20c, Tables 4 and 5 of the source.
    pub const K20C;
    numbers {
        /// SMXs.
        n_smx: "SMXs" = 13 in 1..=256, Paper "Table 4";
        /// TB slots of an SMX.
        tb_slots: "TBs" = 16 in 1..=64, Paper "Table 4";
        /// Threads of an SMX.
        threads: "threads" = 2048 in 1..=65536, Paper "Table 4";
        /// Registers of an SMX.
        regs: "registers" = 65536 in 0..=0x7fff_ffff, Paper "Table 4";
        /// Shared memory of an SMX.
        smem: "bytes" = 49152 in 0..=0x7fff_ffff, Paper "Table 4";
        /// Threads of a warp; also the most launches in one command.
        warp: "threads" = 32 in 1..=64, Paper "2.2";
        /// Hardware work queues.
        n_hwq: "queues" = 32 in 1..=64, Paper "2.2";
        /// Kernel distributor entries.
        n_kde: "entries" = 32 in 1..=64, Paper "2.2";
        /// Kernels that a hardware work queue holds.
        hwq_depth: "kernels" = 64 in 1..=65536, Ours "unbounded in the source";
        /// Launch records: the pending launch count limit.
        pend_limit: "launches" = 2048 in 1..=1048576, Ours "3.4.2.4 names the limit, not its default";
        /// Suspended kernels that the KMU holds.
        susp_cap: "kernels" = 24 in 0..=64, Ours "capacity for 2.4";
        /// Nesting depth from which a kernel cannot synchronise.
        sync_depth: "levels" = 24 in 0..=255, Paper "2.4";
        /// Entries of the aggregated group table.
        agt_size: "AGEs" = 1024 in 1..=65536 (power), Paper "4.4";
        /// CDP: stream creation, once per warp call.
        lat_stream: "cycles" = 7165 in 0..=0xffff_ffff, Paper "Table 5";
        /// Parameter buffer: fixed part.
        gpb_b: "cycles" = 8023 in 0..=0xffff_ffff, Paper "Table 5, b";
        /// Parameter buffer: per calling thread.
        gpb_a: "cycles" = 129 in 0..=0xffff_ffff, Paper "Table 5, A";
        /// Device launch call: fixed part.
        ld_b: "cycles" = 12187 in 0..=0xffff_ffff, Paper "Table 5, b";
        /// Device launch call: per calling thread.
        ld_a: "cycles" = 1592 in 0..=0xffff_ffff, Paper "Table 5, A";
        /// From the KMU to the kernel distributor.
        lat_dispatch: "cycles" = 283 in 0..=0xffff_ffff, Paper "Table 5";
        /// From one KMU dispatch to the next; 1 = pipelined.
        kmu_interval: "cycles" = 283 in 1..=0xffff_ffff, Ours "one dispatch at a time fits Figure 7";
        /// Eligible-kernel search, per entry.
        kde_scan: "cycles" = 1 in 0..=65536, Paper "4.4";
        /// AGT probe, per group.
        agt_probe: "cycles" = 1 in 0..=65536, Paper "4.4";
        /// Load of a spilled group, with `load_mode` fixed.
        load_cycles: "cycles" = 300 in 0..=0xffff_ffff, Ours "4.4: depends on memory traffic";
        /// Groups after which a kernel lets the next one have a turn; 0 = never.
        turn_groups: "groups" = 0 in 0..=0xffff_ffff, Paper "0 is the source's rule";
        /// Classes of gate K.
        n_class: "classes" = 4 in 0..=8, Ours "gate K";
        /// Groups next in line that may be fetched from memory before they are sent (dtbl-T4a, dtbl-A23).
        load_ahead: "groups" = 0 in 0..=8, Paper "4.4: loaded when it is scheduled";
        /// Streams that can be given a context or a priority, those below it; others are of context 0 and priority 0.
        n_stream: "streams" = 256 in 1..=65536, Ours "a table of streams has an end";
        /// Device launches whose kernels are not complete, where completion is told apart from the end of a kernel.
        grids: "grids" = 4096 in 1..=1048576, Ours "a table of grids has an end";
        /// From the end of a kernel's last TB until what it wrote is visible, and it may be complete.
        flush_cycles: "cycles" = 0 in 0..=0xffff_ffff, Ours "free unless it is asked for";
    }
    choices {
        /// How the KMU chooses between waiting kernels.
        kmu_arb: KmuArb = KmuArb::Fcfs;
        /// Which threads share an AGT index.
        hash_scope: HashScope = HashScope::Smx;
        /// What becomes of a group that finds its AGE taken.
        agt_miss: AgtMiss = AgtMiss::Spill;
        /// What a group pays that becomes a device kernel.
        fallback: Fallback = Fallback::Direct;
        /// Who times the load of a spilled group.
        load_mode: LoadMode = LoadMode::Fixed;
        /// Which scheduler sends TBs to SMXs.
        policy: Policy = Policy::FcfsRr;
        /// Work behind a kernel may go ahead on SMXs of which its class has its share (gate K; frontend-A3).
        pass_capped: bool = true;
        /// Gate M: an SMX holds TBs of one (pc, TB shape, registers, shared memory) at a time.
        exclusive: bool = false;
        /// `fcfs_rr`: work behind a kernel whose dependency graph has no node to send may go ahead (frontend-A4).
        pass_graph: bool = false;
        /// The occupancy-bubble controller, if there is one.
        bubble: Option<BubblePart> = None;
        /// The dependency-graph buffer, if there is one.
        dats: Option<DatsPart> = None;
        /// Where SMXs lie, if that matters.
        topology: Option<Topology> = None;
        /// Clusters of TBs, if there are some.
        cluster: Option<ClusterPart> = None;
        /// Priorities of streams, if they have some.
        priority: Option<PriorityPart> = None;
        /// Contexts with SMXs of their own, if there are some.
        partition: Option<PartitionPart> = None;
        /// Draining and saving, if that is possible.
        preempt: Option<PreemptPart> = None;
        /// Device kernels that are fired and forgotten or launched behind their parents, if there are such.
        cdp2: Option<Cdp2Part> = None;
        /// Host kernels that start before the one in front of them is complete, if there are such.
        pdl: Option<PdlPart> = None;
        /// Graphs of kernels, if there are such.
        kgraph: Option<KgraphPart> = None;
        /// Whether two kernels can share a dependency graph, and TBs of one wait for those of the other.
        cross: bool = false;
    }
}

impl Config {
    /// Every launch latency off: the modes CDPI and DTBLI of 4.6.2.2.
    #[must_use]
    pub const fn ideal(self) -> Self {
        Self {
            lat_stream: 0,
            gpb_b: 0,
            gpb_a: 0,
            ld_b: 0,
            ld_a: 0,
            lat_dispatch: 0,
            kde_scan: 0,
            agt_probe: 0,
            kmu_interval: 1,
            ..self
        }
    }

    /// LaPerm's parameters, if that is the policy.
    #[must_use]
    pub const fn laperm(&self) -> Option<&LaPermPart> {
        match &self.policy {
            Policy::FcfsRr | Policy::Told(_) => None,
            Policy::LaPerm(part) => Some(part),
        }
    }

    /// What is agreed with the host, if it decides which TB goes where.
    #[must_use]
    pub const fn told(&self) -> Option<&ToldPart> {
        match &self.policy {
            Policy::FcfsRr | Policy::LaPerm(_) => None,
            Policy::Told(part) => Some(part),
        }
    }

    /// Whether it has one of the parts of sheet `modern`.
    #[must_use]
    pub const fn is_modern(&self) -> bool {
        self.topology.is_some()
            || self.cluster.is_some()
            || self.priority.is_some()
            || self.partition.is_some()
            || self.preempt.is_some()
    }

    /// Contexts: one without partitions.
    pub(crate) const fn n_context(&self) -> u32 {
        match &self.partition {
            Some(part) => part.contexts,
            None => 1,
        }
    }

    /// All of them.
    pub(crate) fn contexts(&self) -> impl Iterator<Item = ContextId> + use<> {
        (0..self.n_context() as usize).map(ContextId::from_index)
    }

    /// Whether streams can be set: they have contexts or priorities.
    pub(crate) const fn has_streams(&self) -> bool {
        self.priority.is_some() || self.partition.is_some()
    }

    /// Levels of priority: one without priorities.
    pub(crate) const fn n_level(&self) -> u32 {
        match &self.priority {
            Some(part) => part.levels,
            None => 1,
        }
    }

    /// Hardware work queues of all contexts (modern-P3).
    pub(crate) const fn n_queue(&self) -> u32 {
        self.n_context() * self.n_hwq
    }

    /// Whether a kernel's native TBs and its groups are held one by one, rather than in the chains of the FCFS controller.
    pub(crate) const fn has_free_units(&self) -> bool {
        match &self.policy {
            Policy::FcfsRr => false,
            Policy::LaPerm(_) => true,
            Policy::Told(part) => matches!(part.units, Units::Free),
        }
    }

    /// The deepest priority of a TB: at most 24.
    #[inline]
    pub(crate) fn deepest_prio(&self) -> u8 {
        match &self.policy {
            Policy::LaPerm(part) => part.levels as u8,
            Policy::Told(ToldPart { units: Units::Free, .. }) => FREE_LEVELS,
            Policy::FcfsRr | Policy::Told(_) => 0,
        }
    }

    /// The most decisions of one [`tick`](crate::FrontEnd::tick): an issue, an arrival or a load per entry (gate K lets the
    /// scheduler pass all of them, but one that arrives sends its native TBs first), loads ahead, a join or fall per lane of a
    /// command, a sample, a TB with its bypass, an unmark or rotate. Under LaPerm whatever arrives or joins is also placed, and a TB comes
    /// with its stage and a refill.
    #[must_use]
    pub const fn decisions_per_tick(&self) -> usize {
        let (of_each, of_tb) = match self.policy {
            Policy::FcfsRr => (1, 3),
            Policy::LaPerm(_) => (2, 4),
            // That the host is stalled is one.
            Policy::Told(_) => (1, 4),
        };
        let of_all = self.load_ahead as usize + self.bubble.is_some() as usize;
        // A cluster is said, and each of its TBs with its bypass and what restoring it costs.
        let of_cluster = match &self.cluster {
            Some(part) => 1 + 3 * part.largest as usize,
            None => 0,
        };
        // Kernels that are saved leave their SMXs, and with them requests come to their end.
        let of_preempt = match &self.preempt {
            Some(part) => 1 + self.n_tb() + self.n_kde as usize + 2 * part.drain_max as usize,
            None => 0,
        };
        1 + of_each * (self.n_kde as usize + self.warp as usize)
            + of_all
            + of_tb
            + of_cluster
            + of_preempt
            + self.decisions_of_grids()
    }

    /// TBs that can be resident.
    pub(crate) const fn n_tb(&self) -> usize {
        self.n_smx as usize * self.tb_slots as usize
    }

    /// The most decisions that a call takes about requests that SMXs be drained.
    const fn decisions_of_drains(&self) -> usize {
        match &self.preempt {
            Some(part) => 2 * part.drain_max as usize,
            None => 0,
        }
    }

    /// The most decisions of any one call but [`run`](crate::FrontEnd::run). A suspension saves every TB of a kernel; what LaPerm
    /// held of it may be refilled.
    #[must_use]
    pub const fn decisions_per_call(&self) -> usize {
        let refill = self.laperm().is_some() as usize;
        let suspension = self.n_tb() + refill + 1 + self.decisions_of_drains();
        // All that holds of a call that ends a kernel holds of a tick in which memory is flushed.
        let tick = self.decisions_per_tick();
        if tick > suspension { tick } else { suspension }
    }

    /// The most decisions of [`send`](crate::FrontEnd::send): the TB, that it bypasses the L1 cache, the end of its unit.
    pub const DECISIONS_PER_SEND: usize = 3;

    /// The most decisions of [`end`](crate::FrontEnd::end): that the host is stalled, and those of a TB that is sent for it.
    pub const DECISIONS_PER_END: usize = 1 + Self::DECISIONS_PER_SEND;

    /// The most decisions between two ends of [`tick`](crate::FrontEnd::tick), or of [`end`](crate::FrontEnd::end): those of the calls before it, in which each TB ends
    /// or is saved, each kernel ends or is suspended, and each queue is freed, once at most; and its own.
    #[must_use]
    pub const fn decisions_per_cycle(&self) -> usize {
        let tbs = self.n_tb();
        // Each suspension may refill once.
        let ends = if self.laperm().is_some() { 2 } else { 1 };
        // A graph comes to an end, or to a fault and then to an abort; the next one starts in a tick.
        let graph = 2 * self.dats.is_some() as usize;
        // A host that decides sends so many TBs, and may ask for a load for each entry and behind each of them.
        let told = match self.told() {
            Some(told) => self.n_kde as usize + told.dispatch_per_cycle as usize * (Self::DECISIONS_PER_SEND + 1),
            None => 0,
        };
        // Each request may come to its end twice, and each save is said; saved kernels are resumed only by a tick.
        let preempt = if self.preempt.is_some() { self.n_kde as usize + self.decisions_of_drains() } else { 0 };
        let queues = self.n_queue() as usize;
        let calls = tbs + ends * self.n_kde as usize + queues + graph + self.decisions_of_grids();
        calls + told + preempt + self.decisions_per_tick()
    }

    /// Checks every range, then what the parts ask.
    ///
    /// # Errors
    /// The first parameter, in the order of [`Config::PARAMETERS`], that is out of its range; then one of a part's own; then
    /// `TurnWithLaperm`, `LoadWithLaperm`, `AgtWithLaperm`, `AheadWithLaperm`, `Queue0TooSmall`, `PoolTooSmall`; then what is refused of
    /// the parts of sheets `modern` and `launch2`.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_for::<AnyParts>()
    }

    /// As [`Config::check`], for a home with these parts.
    pub(crate) fn check_for<P: Parts>(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())?;
        parts::check::<P>(self)
    }
}
