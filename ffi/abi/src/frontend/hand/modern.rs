//! Sheet `modern` in the configuration of a front end, and how a C program says where SMXs lie.

use gpusched::{Config, Numbering, SmxSet, Topology};

use crate::config::{Wrong, choices, chosen, read, write};
use crate::convert::ToC;
use crate::frontend::gpusched_frontend_config;
use crate::pointer::array;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// How SMXs are numbered.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_numbering {
    /// GPC by GPC, TPC by TPC.
    Gpc = 0,
    /// The first TPC of every GPC, then the second of every GPC that has one, and so on.
    Interleaved = 1,
}

choices! { gpusched_numbering = Numbering { Gpc Interleaved }; }

/// Layouts of GPUs: which SMXs lie in which GPC. In part they are guesses, as the sheet says.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_layout_preset {
    /// V100.
    V100 = 0,
    /// A100.
    A100 = 1,
    /// H100 SXM, with 15 clusters of 8.
    H100Sxm = 2,
    /// H100 SXM, with 16 clusters of 8.
    H100SxmEven = 3,
    /// H100 PCIe, with 8 GPCs.
    H100Pcie = 4,
    /// H100 PCIe, with 7 GPCs.
    H100Pcie7 = 5,
    /// H200.
    H200 = 6,
    /// H100 SXM with measured sizes, and SMXs that hold no cluster of more than two TBs.
    H100SxmMeasured = 7,
    /// H100 PCIe with measured SMXs that hold no cluster of more than two TBs.
    H100PcieMeasured = 8,
    /// H200 with measured sizes, and SMXs that hold no cluster of more than two TBs.
    H200Measured = 9,
}

/// A set as words of 32 bits.
fn words(set: &SmxSet) -> [u32; 8] {
    let words = set.words();
    core::array::from_fn(|i| (words[i / 2] >> (32 * (i % 2))) as u32)
}

/// The set of such words.
fn set(words: &[u32; 8]) -> SmxSet {
    SmxSet::from_words(core::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32))
}

impl gpusched_frontend_config {
    /// What is off has its defaults, so that switching it on is enough.
    pub(super) fn put_modern(&mut self, config: &Config) {
        self.put_topology(&config.topology.unwrap_or_default());
        self.topology = config.topology.is_some().into();
        (self.cluster, self.priority) = (config.cluster.is_some().into(), config.priority.is_some().into());
        (self.partition, self.preempt) = (config.partition.is_some().into(), config.preempt.is_some().into());
        self.put_cluster(&config.cluster.unwrap_or_default());
        self.put_priority(&config.priority.unwrap_or_default());
        self.put_partition(&config.partition.unwrap_or_default());
        self.put_preempt(&config.preempt.unwrap_or_default());
    }

    pub(super) fn get_modern(&self, config: &mut Config) -> Result<(), Wrong> {
        let numbering = chosen::<Numbering>(c"topology_numbering", self.topology_numbering)?;
        let topology = self.topology_so_far(Topology { numbering, ..Topology::default() });
        config.topology = if chosen(c"topology", self.topology)? { Some(topology) } else { None };
        config.cluster = if chosen(c"cluster", self.cluster)? { Some(self.get_cluster()?) } else { None };
        config.priority = if chosen(c"priority", self.priority)? { Some(self.get_priority()?) } else { None };
        config.partition = if chosen(c"partition", self.partition)? { Some(self.get_partition()?) } else { None };
        config.preempt = if chosen(c"preempt", self.preempt)? { Some(self.get_preempt()?) } else { None };
        Ok(())
    }
}

/// Lets SMXs lie as in a GPU: n_smx, and in which GPC and TPC each is.
///
/// @param config  An initialised configuration; changed.
/// @param preset  gpusched_layout_preset.
/// @return BadEnum; Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_config_layout(
    config: *mut gpusched_frontend_config,
    preset: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read(config).and_then(|old| {
            let (_, topology) = Topology::PRESETS.get(preset as usize).ok_or(Status::BadEnum)?;
            let mut new = old;
            new.put_topology(topology);
            new.n_smx = topology.n_smx();
            write(config, old.struct_size as usize, &new)
        })
    })
}

/// Adds a GPC behind those that there are. Begin with topology 0, which has none; then n_smx is the SMXs of all GPCs.
///
/// @param config  An initialised configuration; changed.
/// @param tpcs    The SMXs of each TPC of the GPC, 1 to 256.
/// @param count   Its TPCs, at least 1.
/// @return BadConfig: a TPC is empty or too large, or there is none; TopologySize: there are more than 256 SMXs; Null, Misaligned,
///         BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_config_gpc(
    config: *mut gpusched_frontend_config,
    tpcs: *const u32,
    count: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read(config).and_then(|old| {
            let tpcs = array(tpcs, count)?;
            let numbering = chosen::<Numbering>(c"topology_numbering", old.topology_numbering);
            let none = Topology { numbering: numbering.map_err(|wrong| wrong.status)?, ..Topology::default() };
            let known = if old.topology == 0 { none } else { old.topology_so_far(none) };
            let topology = known.with(tpcs).map_err(Status::from)?;
            let mut new = old;
            new.put_topology(&topology);
            new.n_smx = topology.n_smx();
            write(config, old.struct_size as usize, &new)
        })
    })
}

impl gpusched_frontend_config {
    fn put_topology(&mut self, topology: &Topology) {
        self.topology = 1;
        self.topology_numbering = topology.numbering.to_c();
        (self.topology_tpc_ends, self.topology_gpc_ends) = (words(&topology.tpc_ends), words(&topology.gpc_ends));
        self.topology_pair_only = words(&topology.pair_only);
    }

    /// What the fields say of GPCs, numbered as in `like`.
    fn topology_so_far(&self, like: Topology) -> Topology {
        let (tpc_ends, gpc_ends) = (set(&self.topology_tpc_ends), set(&self.topology_gpc_ends));
        Topology { tpc_ends, gpc_ends, pair_only: set(&self.topology_pair_only), ..like }
    }
}
