//! What the kernels of each host stream had of the machine, where several run at the same time (refgpu-S12, refgpu-G3).

use serde::{Deserialize, Serialize};

/// Streams that are told apart; later ones are counted with the last.
pub const STREAMS: usize = 8;

counts! {
    /// Counts of one SM, or of all.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct StreamCounts {
        /// TBs started.
        pub tbs: u64,
        /// Those of them that bypass L1 (refgpu-M9).
        pub bypassing_tbs: u64,
        /// Core cycles of TBs that have ended, summed over TBs.
        pub tb_cycles: u64,
        /// Warp instructions.
        pub instructions: u64,
        /// Active lanes of these.
        pub lanes: u64,
        /// Busy cycles of the SP units, summed over units.
        pub sp_busy: u64,
        /// The LSU and L1.
        pub lsu: LsuShare,
    }
}

counts! {
    /// What of an LSU and its L1 a stream had.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct LsuShare {
        /// Cycles with an instruction of the stream in the latch.
        pub busy: u64,
        /// Those of them in which L1 refused a transaction.
        pub refused: u64,
        /// Load transactions that found their line.
        pub hits: u64,
        /// Load transactions that merged with a line in flight.
        pub merges: u64,
        /// Load transactions that fetched a line.
        pub misses: u64,
        /// Load transactions of TBs that bypass L1.
        pub bypassed: u64,
    }
}

impl LsuShare {
    /// Load transactions at L1.
    #[must_use]
    pub const fn accesses(&self) -> u64 {
        self.hits + self.merges + self.misses
    }
}

/// What a kernel had of the SP units and of LD/ST over a run (refgpu-S12; tlp-M1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Pipelines {
    /// Busy cycles of the SP units, per SM cycle and unit.
    pub sp_utilisation: f64,
    /// SM cycles with an instruction in the LSU.
    pub ldst_utilisation: f64,
    /// The first over the second: PUHP, of the whole run as history; 0 if LD/ST was idle.
    pub puhp: f64,
}

/// A host stream of a run with several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamStats {
    /// Its name, if its workload gives one.
    pub name: Option<String>,
    /// Kernels launched.
    pub kernels: u64,
    /// Core cycle of the first launch.
    pub start: u64,
    /// Core cycle in which its first TB was sent; `None`: none was.
    pub first_tb: Option<u64>,
    /// Core cycle in which its last kernel ended.
    pub end: u64,
    /// All SMs together.
    #[serde(flatten)]
    pub counts: StreamCounts,
}
