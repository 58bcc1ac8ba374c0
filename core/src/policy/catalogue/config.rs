//! The parameters of the policies, flat: each policy reads those that [`About`](super::About) lists, and the others stay as
//! [`CatalogueConfig::of`] has them.
//!
//! ```
//! use gpusched::policy::catalogue::{CatalogueConfig, Pass, Place, Policy};
//!
//! let leftover = CatalogueConfig::of(Policy::Leftover);
//! assert_eq!((leftover.pass, leftover.place), (Pass::Head, Place::Rr));
//! assert!(CatalogueConfig { place: Place::Lowest, ..leftover }.check().is_ok());
//! let wrong = CatalogueConfig { block: 3, ..leftover };
//! assert_eq!(wrong.check().unwrap_err().to_string(), "block: the policy has no such parameter");
//! ```

use super::list::List;
use crate::base::parameter::{choice, parameters};
use crate::base::resources::Resources;

/// The most SMXs.
pub const MAX_SMXS: usize = 256;
/// The most slots of streams.
pub const MAX_STREAMS: usize = 64;

choice! {
    /// Who goes where: the policies of sheet `catalogue`. What each one does is said in the module of its name.
    pub enum Policy {
        /// Round robin.
        #[default]
        Rr,
        /// The lowest SMX.
        LowestFirst,
        /// The front kernel alone; others get what it leaves.
        Leftover,
        /// The SMX that can hold the most TBs.
        MostRoom,
        /// Blocks of neighbours on one SMX.
        Bcs,
        /// A limit on a unit's TBs per SMX, measured.
        Lcs,
        /// Contiguous ranges, one per SMX.
        Chunked,
        /// TB by TB over the SMXs, fixed.
        Strided,
        /// Contiguous ranges, one per GPC.
        Dist,
        /// Batches round robin over the GPCs.
        BatchRr,
        /// Over the GPCs, in each over its TPCs, in each over its SMXs.
        GpcFirst,
        /// Over the TPCs, in each over its SMXs.
        TpcFirst,
        /// The oldest family first.
        OldestParent,
        /// SMXs by a hash of the tag.
        Affinity,
        /// The shortest remaining kernel first.
        Srk,
        /// Deficit round robin over streams.
        FairStreams,
        /// At random.
        Random,
        /// Children before parents.
        DepthFirst,
        /// Parents before children.
        BreadthFirst,
        /// Ranges of SMXs, from which others steal.
        Steal,
        /// Whole SMXs for streams.
        Spatial,
    }
}
choice! {
    /// Which SMXs an offer that cannot go leaves to those behind it (catalogue-N1, catalogue-C2).
    pub enum Pass {
        /// None.
        Head,
        /// Those that its cap or the policy itself keeps it from.
        #[default]
        Capped,
        /// All.
        Any,
    }
}
choice! {
    /// Which of the SMXs that an offer may go to it goes to (catalogue-N3).
    pub enum Place {
        /// The first one from a rotating pointer.
        #[default]
        Rr,
        /// The lowest one.
        Lowest,
        /// That of the TB that launched it, else as [`Place::Rr`].
        Parent,
    }
}
choice! {
    /// An order: of a unit's TBs where they belong to domains, of SMXs in `most_room`.
    pub enum Order {
        /// TBs: ascending, one domain at a time.
        #[default]
        Ascending,
        /// TBs: each domain has its own next one (catalogue-X1).
        Own,
        /// SMXs: by number.
        Asc,
        /// SMXs: by their places in their TPCs, then by number.
        EvenOdd,
        /// SMXs: as `listed` says.
        Listed,
    }
}
choice! {
    /// What TBs are divided among.
    pub enum Domain {
        /// SMXs.
        #[default]
        Smx,
        /// TPCs.
        Tpc,
        /// GPCs.
        Gpc,
    }
}
choice! {
    /// What the remaining work of a unit is measured by.
    pub enum Metric {
        /// TBs left.
        #[default]
        Tbs,
        /// Their threads.
        Threads,
        /// TBs left times the duration of the first one that ended.
        Time,
    }
}
choice! {
    /// What a TB costs its stream.
    pub enum Cost {
        /// 1.
        #[default]
        Tbs,
        /// Its threads.
        Threads,
    }
}
choice! {
    /// What is drawn.
    pub enum What {
        /// The SMX.
        #[default]
        Smx,
        /// The offer; the SMX is the first one from a rotating pointer.
        Offer,
        /// The offer, then the SMX.
        Both,
    }
}
choice! {
    /// How much an SMX steals.
    pub enum Amount {
        /// Half of what the victim has, rounded up.
        #[default]
        Half,
        /// One TB.
        One,
    }
}
choice! {
    /// Who is first of equal priority.
    pub enum Tie {
        /// The newest unit.
        #[default]
        Newest,
        /// The oldest unit.
        Oldest,
    }
}

parameters! {
    /// What a [`Catalogue`](super::Catalogue) is built of: the GPU, the policy, its parameters.
    pub struct CatalogueConfig;
    /// Round robin, on the SMXs of the K20c.
    pub const RR;
    numbers {
        /// SMXs.
        n_smx: "SMXs" = 13 in 1..=256, Paper "Table 4";
        /// Units that the host can have at once: entries of its kernel distributor and launch records.
        units: "units" = 2080 in 1..=1_048_640, Paper "2.2 and pend_limit";
        /// TB slots of an SMX.
        slots: "TBs" = 16 in 1..=1024, Paper "Table 4";
        /// Threads of an SMX.
        threads: "threads" = 2048 in 1..=1_048_576, Paper "Table 4";
        /// Registers of an SMX.
        regs: "registers" = 65536 in 0..=16_777_216, Paper "Table 4";
        /// Shared memory of an SMX.
        smem: "bytes" = 49152 in 0..=16_777_216, Paper "Table 4";
        /// TBs of a block.
        block: "TBs" = 2 in 1..=64, Ours "pairs are our reading of Lee14";
        /// Ends of TBs that are measured.
        samples: "TBs" = 1 in 1..=255, Ours "not stated";
        /// TBs of a chunk; 0: as many as make one chunk per domain.
        chunk: "TBs" = 0 in 0..=2_147_483_647, Ours "catalogue: one contiguous range per domain";
        /// Threads of a warp.
        warp: "threads" = 32 in 1..=64, Paper "Gilman20";
        /// Consecutive TBs that have the same home; 0: all.
        grain: "TBs" = 0 in 0..=2_147_483_647, Ours "one home per kernel";
        /// SMXs behind the home that will do, too.
        probe: "SMXs" = 255 in 0..=255, Ours "all";
        /// Slots of streams.
        streams: "slots" = 32 in 1..=64, Ours "as many as hardware work queues";
        /// What a visit adds to a slot, for each unit of its weight.
        quantum: "TBs or threads" = 1 in 1..=65536, Ours "a TB a turn";
        /// TBs that a victim has at least.
        min_steal: "TBs" = 1 in 1..=65535, Ours "nothing is left behind";
    }
    choices {
        /// Where random numbers start, or what a hash is mixed with.
        seed: u64 = 0;
        /// TPC of each SMX, from 0 without gaps; empty: two SMXs each, by number.
        tpc: List<MAX_SMXS> = List::EMPTY;
        /// GPC of each SMX, from 0 without gaps; empty: four SMXs each, by number.
        gpc: List<MAX_SMXS> = List::EMPTY;
        /// Who goes where.
        policy: Policy = Policy::Rr;
        /// Which SMXs an offer that cannot go leaves.
        pass: Pass = Pass::Capped;
        /// Which of its SMXs an offer goes to.
        place: Place = Place::Rr;
        /// Whether offers of higher priority go first.
        prio_first: bool = false;
        /// The order of TBs, or of SMXs.
        order: Order = Order::Ascending;
        /// With order listed: every SMX, first one first.
        listed: List<MAX_SMXS> = List::EMPTY;
        /// What TBs are divided among.
        domain: Domain = Domain::Smx;
        /// Whether a TB goes elsewhere if its domain has no room.
        spill: bool = false;
        /// How remaining work is measured.
        metric: Metric = Metric::Tbs;
        /// Weight of each slot of streams, 1 to 255; empty: 1.
        weights: List<MAX_STREAMS> = List::EMPTY;
        /// What a TB costs.
        cost: Cost = Cost::Tbs;
        /// What is drawn.
        what: What = What::Smx;
        /// How much is stolen.
        amount: Amount = Amount::Half;
        /// Who is first of equal priority.
        tie: Tie = Tie::Newest;
    }
}

/// Each policy with its defaults, as a constant.
macro_rules! presets {
    ($($NAME:ident: $Policy:ident = $what:literal;)*) => {
        impl CatalogueConfig {
            $(
                #[doc = concat!($what, ", on the SMXs of the K20c.")]
                pub const $NAME: Self = Self::of(Policy::$Policy);
            )*
        }
    };
}
presets! {
    LOWEST_FIRST: LowestFirst = "The lowest SMX";
    LEFTOVER: Leftover = "The front kernel alone";
    MOST_ROOM: MostRoom = "The SMX that can hold the most TBs";
    BCS: Bcs = "Pairs of neighbours on one SMX";
    LCS: Lcs = "A measured limit on a unit's TBs per SMX";
    CHUNKED: Chunked = "Contiguous ranges, one per SMX";
    STRIDED: Strided = "TB by TB over the SMXs, fixed";
    DIST: Dist = "Contiguous ranges, one per GPC";
    BATCH_RR: BatchRr = "Batches of eight round robin over the GPCs";
    GPC_FIRST: GpcFirst = "Over GPCs, TPCs and SMXs";
    TPC_FIRST: TpcFirst = "Over TPCs and SMXs";
    OLDEST_PARENT: OldestParent = "The oldest family first";
    AFFINITY: Affinity = "SMXs by a hash of the tag";
    SRK: Srk = "The shortest remaining kernel first";
    FAIR_STREAMS: FairStreams = "Deficit round robin over streams";
    RANDOM: Random = "SMXs at random";
    DEPTH_FIRST: DepthFirst = "Children before parents";
    BREADTH_FIRST: BreadthFirst = "Parents before children";
    STEAL: Steal = "Ranges of SMXs, from which others steal";
    SPATIAL: Spatial = "Whole SMXs for streams";
}

impl CatalogueConfig {
    /// A policy with its defaults, on the SMXs of the K20c.
    #[must_use]
    pub const fn of(policy: Policy) -> Self {
        let all = Self { policy, ..Self::RR };
        match policy {
            Policy::Leftover => Self { pass: Pass::Head, ..all },
            Policy::MostRoom => Self { pass: Pass::Head, order: Order::Asc, ..all },
            Policy::Strided => Self { chunk: 1, ..all },
            Policy::Dist => Self { domain: Domain::Gpc, ..all },
            Policy::BatchRr => Self { domain: Domain::Gpc, chunk: 8, ..all },
            Policy::OldestParent => Self { place: Place::Parent, ..all },
            _ => all,
        }
    }

    /// What an empty SMX has.
    #[must_use]
    pub const fn capacity(&self) -> Resources {
        let &Self { slots, threads, regs, smem, .. } = self;
        Resources { threads, regs, smem, slots }
    }

    /// Whether each domain sends its own TBs in order (catalogue-X1).
    #[must_use]
    pub const fn is_own(&self) -> bool {
        matches!(self.order, Order::Own)
    }

    /// Whether the policy searches SMXs from a pointer (catalogue-N2).
    #[must_use]
    pub const fn has_rr(&self) -> bool {
        match self.policy {
            Policy::Rr | Policy::Bcs | Policy::Lcs | Policy::Steal | Policy::Spatial => true,
            Policy::LowestFirst | Policy::MostRoom | Policy::Affinity | Policy::GpcFirst | Policy::TpcFirst => false,
            Policy::Chunked | Policy::Strided | Policy::Dist | Policy::BatchRr => self.spill,
            Policy::Random => matches!(self.what, What::Offer),
            Policy::Leftover
            | Policy::OldestParent
            | Policy::Srk
            | Policy::FairStreams
            | Policy::DepthFirst
            | Policy::BreadthFirst => !matches!(self.place, Place::Lowest),
        }
    }

    /// How many there are of those whose turn it is one by one: domains, GPCs, slots of streams.
    #[must_use]
    pub fn turns(&self) -> u32 {
        match self.policy {
            Policy::GpcFirst | Policy::TpcFirst => self.groups(),
            Policy::FairStreams | Policy::Spatial => self.streams,
            _ if self.is_own() => self.domains(),
            _ => 1,
        }
    }

    /// What a visit adds to the deficit of a slot: quantum times weight.
    #[must_use]
    pub fn share(&self, slot: usize) -> u32 {
        self.quantum.saturating_mul(self.weights.get(slot).map_or(1, u32::from))
    }
}
