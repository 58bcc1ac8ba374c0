//! What GPUs of today add to the front end (sheet [`modern`](crate::sheets::modern)): where SMXs lie, clusters of TBs, priorities of
//! streams, contexts with SMXs of their own, and the draining and saving of what runs.
//!
//! The front end drives it: it asks whose a launch is, and, where one of the parts rules the line of kernels, lets it send.
//! Its verbs are in [`frontend::modern`](crate::frontend::modern). A machine without any of the parts has none of it.
//!
//! ```
//! use gpusched::{Cluster, ClusterPart, Config, ContextId, Descriptor, Dim3, FrontEnd, Topology, inline_tables};
//!
//! const H100: Config =
//!     Config { n_smx: 132, topology: Some(Topology::H100_SXM), cluster: Some(ClusterPart::H100), susp_cap: 0, ..Config::K20C };
//! inline_tables! {
//!     struct Gpu = H100;
//! }
//! # std::thread::Builder::new().stack_size(64 << 20).spawn(|| {
//! let mut gpu = FrontEnd::<Gpu>::new(&H100.ideal()).unwrap();
//! // One TB fills an SMX. Eight start together in one GPC; of 132 SMXs, 12 are in no whole cluster.
//! let kernel = Descriptor {
//!     grid: Dim3::linear(160),
//!     tb: Dim3::linear(1024),
//!     smem: 40 << 10,
//!     cluster: Cluster::new(8, 1, 1),
//!     ..Descriptor::default()
//! };
//! assert_eq!(gpu.max_active_clusters(&kernel, ContextId(0)), Ok(15));
//! gpu.host_launch(0, &kernel, false).unwrap();
//! gpu.run(20, &mut ()).unwrap();
//! assert_eq!(gpu.stats().clusters, 15);
//! # }).unwrap().join().unwrap();
//! ```

pub mod clusters;
pub mod contexts;
pub mod drains;
#[cfg(feature = "image")]
mod image;
mod line;
mod validate;

use crate::base::error::Fault;
use crate::base::id::{ContextId, DrainId, GpcId, Id, KernelSlot, SlotId, SmxId, SuspId, id};
use crate::base::presence::{Part, Presence};
use crate::base::set::SmxSet;
use crate::base::table::{Rows, Table};
use crate::config::Config;
use crate::launch::board::{Board, BoardTables};
use crate::launch::descriptor::Descriptor;
use crate::launch::hwq::Owner;
use clusters::{ClusterPlace, Gpc};
use contexts::Context;
use drains::Drain;

/// Where the rows lie.
pub(crate) trait ModernTables {
    /// Whether a machine can have it.
    type Modern: Presence;
    type Gpcs: Rows<Gpc>;
    type ClusterPlaces: Rows<Option<ClusterPlace>>;
    type SavedPlaces: Rows<Option<ClusterPlace>>;
    type Streams: Rows<Option<Owner>>;
    type Contexts: Rows<Context>;
    type Drains: Rows<Option<Drain>>;
}

/// It, if the machine has a part of it.
pub(crate) type ModernPart<T> = Part<<T as ModernTables>::Modern, Modern<T>>;

id! {
    /// A TB control register: SMX by SMX, slot by slot.
    pub(crate) PlaceId(u32)
}
id! {
    /// A place in the list of TBs that a suspension took off: list by list, one per entry and one per suspended kernel.
    pub(crate) SavedId(u32)
}
id! {
    /// A stream that can be set.
    pub(crate) StreamId(u32)
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Modern<T: ModernTables> {
    tb_slots: u32,
    /// TBs that can be resident: the length of a list of saved ones.
    n_tb: u32,
    n_kde: u32,
    n_gpc: u32,
    gpcs: Table<GpcId, Gpc, T::Gpcs>,
    /// The GPC that is asked first.
    grr: GpcId,
    /// Cluster and rank of the TB in each slot.
    places: Table<PlaceId, Option<ClusterPlace>, T::ClusterPlaces>,
    /// Those of saved TBs that wait.
    saved: Table<SavedId, Option<ClusterPlace>, T::SavedPlaces>,
    streams: Table<StreamId, Option<Owner>, T::Streams>,
    contexts: Table<ContextId, Context, T::Contexts>,
    drains: Table<DrainId, Option<Drain>, T::Drains>,
    /// Bit i: request i is there.
    asked: u64,
}

/// The rows, in the order of the tables.
pub(crate) type ModernRows<T> = (
    <T as ModernTables>::Gpcs,
    <T as ModernTables>::ClusterPlaces,
    <T as ModernTables>::SavedPlaces,
    <T as ModernTables>::Streams,
    <T as ModernTables>::Contexts,
    <T as ModernTables>::Drains,
);

/// How many rows there are of each.
pub(crate) const fn rows(config: &Config) -> [usize; 6] {
    let tbs = config.n_smx as usize * config.tb_slots as usize;
    let lists = if config.susp_cap > 0 { config.n_kde as usize + config.susp_cap as usize } else { 0 };
    let n_gpc = match &config.topology {
        Some(topology) => topology.n_gpc() as usize,
        None => 0,
    };
    let drains = match &config.preempt {
        Some(part) => part.drain_max as usize,
        None => 0,
    };
    [
        n_gpc,
        if config.cluster.is_some() { tbs } else { 0 },
        if config.cluster.is_some() { lists * tbs } else { 0 },
        if config.has_streams() { config.n_stream as usize } else { 0 },
        if config.partition.is_some() { config.n_context() as usize } else { 0 },
        drains,
    ]
}

impl<T: ModernTables> Modern<T> {
    pub(crate) fn new((gpcs, places, saved, streams, contexts, drains): ModernRows<T>, config: &Config) -> Self {
        let mut gpcs = Table::new(gpcs);
        let mut contexts: Table<ContextId, Context, _> = Table::new(contexts);
        let mut n_gpc = 0;
        for (g, smxs) in config.topology.iter().flat_map(|topology| topology.gpcs()).enumerate() {
            gpcs[GpcId::from_index(g)] = Gpc { smxs, next: 0 };
            n_gpc += 1;
        }
        let all = SmxSet::first(config.n_smx);
        if let Some(part) = &config.partition {
            let owns = if part.mig { 1 } else { part.contexts };
            config.contexts().take(owns as usize).for_each(|c| contexts[c].smxs = all);
        }
        Self {
            tb_slots: config.tb_slots,
            n_tb: config.n_smx * config.tb_slots,
            n_kde: config.n_kde,
            n_gpc,
            gpcs,
            grr: GpcId(0),
            places: Table::new(places),
            saved: Table::new(saved),
            streams: Table::new(streams),
            contexts,
            drains: Table::new(drains),
            asked: 0,
        }
    }

    fn place_id(&self, smx: SmxId, slot: SlotId) -> PlaceId {
        PlaceId(u32::from(smx) * self.tb_slots + u32::from(slot))
    }

    /// Cluster and rank of the TB in a slot, if it is of one.
    pub(crate) fn cluster_at(&self, smx: SmxId, slot: SlotId) -> Option<ClusterPlace> {
        self.places.get(self.place_id(smx, slot)).copied().flatten()
    }

    /// Whose launches of this stream are (modern-R1).
    pub(crate) fn owner_of(&self, stream: u32) -> Owner {
        self.streams.get(StreamId(stream)).copied().flatten().unwrap_or_default()
    }

    /// A stream that was set.
    pub(crate) fn stream(&self, stream: u32) -> Option<Owner> {
        *self.streams.get(StreamId(stream))?
    }

    pub(crate) fn set_stream(&mut self, stream: u32, owner: Owner) {
        if let Some(row) = self.streams.get_mut(StreamId(stream)) {
            *row = Some(owner);
        }
    }

    /// A TB has left its slot: one of kernel `k`, which is of `context`.
    #[cold]
    #[inline(never)]
    pub(crate) fn left(&mut self, (smx, slot): (SmxId, SlotId), k: KernelSlot, context: ContextId) {
        let place = self.place_id(smx, slot);
        if let Some(row) = self.places.get_mut(place) {
            *row = None;
        }
        self.drain_left(smx, k, context);
    }

    fn saved_id(&self, list: u32, nth: u32) -> SavedId {
        SavedId(list * self.n_tb + nth)
    }

    /// The list of saved TBs of a suspended kernel.
    fn list_of_suspended(&self, i: SuspId) -> u32 {
        self.n_kde + u32::from(i)
    }

    /// The `nth` TB of a kernel that goes to place `i` of the suspended list was in this slot.
    pub(crate) fn keep_saved(&mut self, i: SuspId, nth: u32, (smx, slot): (SmxId, SlotId)) {
        let (place, id) = (self.cluster_at(smx, slot), self.saved_id(self.list_of_suspended(i), nth));
        if let Some(row) = self.saved.get_mut(id) {
            *row = place;
        }
    }

    /// The suspended kernel `i` was issued into entry `k`; `saved` TBs of it wait.
    pub(crate) fn resumed(&mut self, i: SuspId, k: KernelSlot, saved: u32) {
        let from = self.list_of_suspended(i);
        for nth in 0..saved {
            let place = self.saved.get_mut(self.saved_id(from, nth)).and_then(Option::take);
            if let Some(row) = self.saved.get_mut(self.saved_id(k.into(), nth)) {
                *row = place;
            }
        }
    }
}

impl<T: BoardTables + ModernTables> Modern<T> {
    /// Whether the line of kernels is walked by the rules of this sheet: some part can keep an SMX from a kernel and not from others, or
    /// sends clusters.
    #[inline]
    pub(crate) fn rules_line(&self, config: &Config) -> bool {
        config.cluster.is_some() || config.partition.is_some() || config.preempt.is_some()
    }

    /// modern-V6, modern-V7: whether a launch can ever be sent.
    pub(crate) fn check_launch(
        &self,
        board: &Board<T>,
        descriptor: &Descriptor,
        threads: u32,
        context: ContextId,
    ) -> Result<(), Fault> {
        let (size, limit) = (descriptor.cluster.size(), self.limit_of(context));
        if limit.is_some_and(|limit| threads > limit) {
            return Err(Fault::TbOverQuota);
        }
        if size > 1 {
            let fits = self.reach_of(board, descriptor, context).is_some();
            let is_within = limit.is_none_or(|limit| u64::from(size) * u64::from(threads) <= limit.into());
            if !fits || !is_within {
                return Err(Fault::ClusterNever);
            }
        }
        Ok(())
    }
}
