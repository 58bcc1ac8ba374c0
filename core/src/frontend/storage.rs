//! What the hardware would cost: bits of storage, laid out as the sheets do (`dtbl`, Storage check; `frontend`, Structures).

use crate::base::storage::bits_for;
use crate::config::parts::{Rescue, ToldPart};
use crate::config::topology::Topology;
use crate::config::{Config, Policy};
use crate::dats::{DgbStorageBits, dgb_storage_bits};
use crate::policy::laperm;
use crate::power::{BubbleStorageBits, bubble_storage_bits};

/// A group reference: an AGT index, or the address of a record in global memory.
const REF_BITS: u64 = 32;
/// An AGE: AggDim 8 bytes, Param 4, Next 4, ExeBL 4.
const AGE_BITS: u64 = 8 * 20;
/// A place of the load buffer: the record, whether it is taken and here, AggDim 8 bytes, Param 4, Next 4.
const LOAD_BITS: u64 = REF_BITS + 2 + 8 * 16;
/// Priority of a TB, in control registers, records and entries.
const PRIO_BITS: u64 = 5;
/// Class of a TB, whether it has one, and its bypass bit.
const TB_GATE_BITS: u64 = 3 + 2;
/// State of the dependency graph of an entry's kernel.
const GRAPH_BITS: u64 = 3;
/// A cycle, or the number of a unit.
const CYCLE_BITS: u64 = 64;
/// The pc of a class.
const PC_BITS: u64 = 64;

/// Storage in bits, part by part. The source gives none for the baseline structures, so none is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StorageBits {
    /// NAGEI and LAGEI in the kernel distributor entries.
    pub kde_refs: u64,
    /// The first bit in the FCFS controller.
    pub fcfs_first: u64,
    /// AGEI in SSCR.
    pub sscr_agei: u64,
    /// AGEI in TBCR, one per TB slot.
    pub tbcr_agei: u64,
    /// The aggregated group table.
    pub agt: u64,
    /// The load buffer.
    pub load_buffer: u64,
    /// Gates E, X and K.
    pub gates: u64,
    /// What composition adds to control registers, records and entries.
    pub composition: u64,
    /// What a host that decides needs: the cycle, what it has said, and the units' keys (sheet `policy`, Structures); 0 without it. Parents'
    /// keys, streams and the starts of TBs are what its own policy reads, and are not counted.
    pub told: u64,
    /// What sheet `modern` adds (Structures): pointers and ranks of clusters, priorities, contexts, requests; 0 without its parts.
    pub modern: u64,
    /// What sheet `launch2` adds (Structures): grids, which grid is where, and second kernels of graphs; 0 without it.
    pub grids: u64,
    /// LaPerm's own figures; 0 without it.
    pub laperm: laperm::StorageBits,
    /// The occupancy-bubble controller's own figures; 0 without it.
    pub bubble: BubbleStorageBits,
    /// The dependency-graph buffer's own figures; 0 without it.
    pub dats: DgbStorageBits,
}

impl StorageBits {
    /// What DTBL adds to the baseline's registers: 1096 bytes on the K20c (4.4).
    #[must_use]
    pub const fn dtbl_registers(&self) -> u64 {
        self.kde_refs + self.fcfs_first + self.sscr_agei + self.tbcr_agei
    }

    /// LaPerm, on chip.
    #[must_use]
    pub const fn laperm_on_chip(&self) -> u64 {
        self.laperm.on_chip()
    }

    /// LaPerm's overflow lists, in memory.
    #[must_use]
    pub const fn laperm_off_chip(&self) -> u64 {
        self.laperm.off_chip
    }

    /// The occupancy-bubble controller; 0 without it.
    #[must_use]
    pub const fn bubble_total(&self) -> u64 {
        self.bubble.total()
    }

    /// The dependency-graph buffer; 0 without it.
    #[must_use]
    pub const fn dats_total(&self) -> u64 {
        self.dats.total()
    }

    /// Everything on chip. Residency is the baseline's; what LaPerm keeps in memory is `laperm.off_chip`.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.dtbl_registers()
            + self.agt
            + self.load_buffer
            + self.gates
            + self.composition
            + self.told
            + self.modern
            + self.grids
            + self.laperm_on_chip()
            + self.bubble_total()
            + self.dats_total()
    }
}

/// The seam's own (sheet `policy`, Structures).
const fn told_bits(part: &ToldPart, config: &Config) -> u64 {
    let units = config.n_kde as u64 + config.pend_limit as u64;
    let next = if config.has_free_units() { 32 * config.pend_limit as u64 } else { 0 };
    // Of each piece whether there is one, its range and its unit; of each unit whether it is in pieces, and the range of its own.
    let split = match part.split_cap as u64 {
        0 => 0,
        cap => {
            cap * (1 + 64 + bits_for(units as u32))
                + units * (1 + 32)
                + 32 * config.n_kde as u64
                + config.pend_limit as u64
        }
    };
    let rescuing = matches!(part.rescue, Rescue::Rr) as u64;
    // The limit goes up to 2^32 - 1, whose successor has its own 33rd bit.
    let spell = if part.stall_limit == u32::MAX { 32 } else { bits_for(part.stall_limit + 1) };
    1 + bits_for(part.dispatch_per_cycle + 1)
        + 2
        + CYCLE_BITS
        + spell
        + rescuing
        + 64
        + 2 * CYCLE_BITS * units
        + next
        + split
}

/// Which place of each GPC is next (modern-C4).
const fn gpc_place_bits(topology: &Topology) -> u64 {
    let words = topology.gpc_ends.words();
    let (mut bits, mut start, mut place) = (0, 0, 0);
    while place < 256 {
        if words[place / 64] >> (place % 64) & 1 == 1 {
            bits += bits_for((place + 1 - start) as u32);
            start = place + 1;
        }
        place += 1;
    }
    bits
}

/// What sheet `modern` adds (its Structures).
const fn modern_bits(config: &Config) -> u64 {
    let (n_smx, n_kde) = (config.n_smx as u64, config.n_kde as u64);
    let waiting = config.n_queue() as u64 * config.hwq_depth as u64;
    let launches = config.pend_limit as u64 + waiting + n_kde + config.susp_cap as u64;
    let mut bits = 0;
    if let (Some(topology), Some(part)) = (&config.topology, &config.cluster) {
        let of_tb = 32 + bits_for(part.largest);
        bits += bits_for(topology.n_gpc()) + gpc_place_bits(topology) + n_smx * config.tb_slots as u64 * of_tb;
    }
    if let Some(part) = &config.priority {
        bits += launches * bits_for(part.levels);
    }
    if let Some(part) = &config.partition {
        let of_context = n_smx + 7 + 32 + bits_for(config.n_kde + 1) + 32;
        bits += launches * bits_for(part.contexts) + part.contexts as u64 * of_context;
    }
    if let Some(part) = &config.preempt {
        let context = bits_for(config.n_context());
        let victim = 2 + if context > 6 { context } else { 6 };
        bits += part.drain_max as u64 * (1 + victim + n_smx + 1) + n_kde * (1 + CYCLE_BITS);
    }
    bits
}

/// A second kernel in a place of a queue or in an entry: its program entry, the shape of its TBs, their resources, its first node.
const CROSS_BITS: u64 = PC_BITS + 3 * 32 + 2 * 32 + 16;

/// What sheet `launch2` adds (its Structures): second kernels, and grids.
const fn launch2_bits(config: &Config) -> u64 {
    let places = config.n_queue() as u64 * config.hwq_depth as u64 + config.n_kde as u64;
    grid_bits(config) + if config.cross { places * CROSS_BITS } else { 0 }
}

/// Modes, progress, numbers of grids, and what TBs have said.
const fn grid_bits(config: &Config) -> u64 {
    let n = config.n_grid();
    if n == 0 {
        return 0;
    }
    let places = 2 * config.n_queue() + config.n_kde + config.pend_limit + config.susp_cap;
    let bits = n as u64 * (2 + 2 + 1 + 5 * bits_for(n)) + places as u64 * bits_for(n) + kgraph_bits(config);
    if config.pdl.is_none() {
        return bits;
    }
    bits + n as u64 * bits_for(config.pend_limit + 1) + 2 * config.n_tb() as u64 + config.n_kde as u64
}

/// Kernel graphs, their descriptors aside, and what runs them.
const fn kgraph_bits(config: &Config) -> u64 {
    let Some(part) = &config.kgraph else { return 0 };
    let (node, waits) = (bits_for(part.nodes), bits_for(part.edges + 1));
    let edges = part.graphs as u64 * part.edges as u64 * (2 * node + 1);
    let instance = bits_for(part.graphs) + bits_for(config.n_queue()) + bits_for(part.nodes + 1) + 2 * node;
    let states = config.n_kernel_node() as u64 * (2 * waits + bits_for(config.n_grid()) + node);
    edges + part.insts as u64 * instance + states + part.graphs as u64 * bits_for(part.insts + 1)
}

/// Storage of the front end with this configuration.
///
/// ```
/// use gpusched::{Config, storage_bits};
///
/// let bits = storage_bits(&Config::K20C);
/// assert_eq!(bits.dtbl_registers(), 8 * 1096);
/// assert_eq!(bits.agt, 8 * 20 * 1024);
/// // Six levels of priority are 3 bits of each launch record, of each place in a queue, of each entry and each suspended kernel.
/// let priority = Some(gpusched::PriorityPart::SIX);
/// let launches = 2048 + 32 * 64 + 32 + 24;
/// assert_eq!(storage_bits(&Config { priority, ..Config::K20C }).modern, 3 * launches);
/// ```
#[must_use]
pub const fn storage_bits(config: &Config) -> StorageBits {
    let n_smx = config.n_smx as u64;
    let n_kde = config.n_kde as u64;
    let tbcrs = n_smx * config.tb_slots as u64;
    let cap = bits_for(config.tb_slots + 1);
    let smx_bits = if bits_for(config.n_smx) > 6 { bits_for(config.n_smx) } else { 6 };
    let parents = config.pend_limit as u64 + n_kde + config.susp_cap as u64;
    // The FCFS controller's marks and chains, and the group table, are not there under LaPerm; counts of held units are.
    let (is_fcfs, pend) = match config.policy {
        Policy::FcfsRr => (1, 0),
        Policy::Told(_) if !config.has_free_units() => (1, 0),
        Policy::LaPerm(_) | Policy::Told(_) => (0, bits_for(config.pend_limit + 2)),
    };
    // State of a kernel's dependency graph.
    let graph = if config.dats.is_some() { GRAPH_BITS } else { 0 };
    StorageBits {
        kde_refs: is_fcfs * 2 * REF_BITS * n_kde,
        fcfs_first: is_fcfs * n_kde,
        sscr_agei: is_fcfs * REF_BITS,
        tbcr_agei: REF_BITS * tbcrs,
        agt: is_fcfs * AGE_BITS * config.agt_size as u64,
        load_buffer: LOAD_BITS * config.load_ahead as u64,
        gates: n_smx * (1 + cap) + config.n_class as u64 * (PC_BITS + 2 * cap * n_smx),
        composition: tbcrs * (PRIO_BITS + TB_GATE_BITS) + parents * (smx_bits + 1 + PRIO_BITS) + n_kde * (pend + graph),
        told: match config.told() {
            Some(part) => told_bits(part, config),
            None => 0,
        },
        modern: modern_bits(config),
        grids: launch2_bits(config),
        laperm: match config.laperm() {
            Some(part) => laperm::storage_bits(&part.machine(config)),
            None => laperm::StorageBits::NONE,
        },
        bubble: match &config.bubble {
            Some(part) => bubble_storage_bits(&part.machine(config)),
            None => BubbleStorageBits::NONE,
        },
        dats: match &config.dats {
            Some(part) => dgb_storage_bits(&part.machine(config)),
            None => DgbStorageBits::NONE,
        },
    }
}
