//! Launch records that were in memory (refgpu-V5).

use serde::{Deserialize, Serialize};

/// What the front end wrote and read, in requests at L2, and how long it waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordStats {
    /// Records written: of spilled groups, of LaPerm's overflow, of kernels that pend.
    pub writes: u64,
    /// Writes of the Next of a spilled group.
    pub links: u64,
    /// Reads that the TB scheduler asked for: spilled groups and, under LaPerm, refills.
    pub loads: u64,
    /// Cycles from asking to the answer, summed over these.
    pub load_cycles: u64,
    /// Reads of kernels that the KMU issued.
    pub issues: u64,
    /// Cycles in which the kernel at the head sent nothing because its group's record was on its way.
    pub wait_cycles: u64,
}

impl RecordStats {
    /// Requests at L2.
    #[must_use]
    pub const fn requests(&self) -> u64 {
        self.writes + self.links + self.loads + self.issues
    }
}
