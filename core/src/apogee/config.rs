//! The parameters of APOGEE, with their ranges and provenance.
//!
//! ```
//! use gpusched::apogee::ApogeeConfig;
//!
//! let many = ApogeeConfig { warps: 32, gap_fill: true, ..ApogeeConfig::APOGEE_4 };
//! assert!(many.check().is_ok());
//! // Thread index 63 is the mark of scalar rows, so the last lane is 62.
//! let wide = ApogeeConfig { warp_size: 64, ..ApogeeConfig::APOGEE_4 };
//! assert_eq!(wide.check().unwrap_err().to_string(), "warp_size = 64: expected a value from 2 to 63");
//! ```

use crate::base::parameter::{self, ConfigError, choice, parameters};

choice! {
    /// Which threads of the warp a prefetch is for (apogee-A6).
    pub enum LaneSet {
        /// Every thread of a full warp.
        #[default]
        All,
        /// The threads that were active in the load.
        Active,
    }
}
choice! {
    /// Whose last accessed load (LAL) a chain is made of (apogee-A9).
    pub enum LalScope {
        /// That of each warp.
        #[default]
        Warp,
        /// One register for all warps.
        Sm,
    }
}
choice! {
    /// What tells a prefetch that came too early from a wrong one (apogee-A7).
    pub enum Early {
        /// The access is on the learnt pattern, whole warps further.
        #[default]
        Pattern,
        /// The access is where the row's base formula says, taken literally.
        Literal,
    }
}
choice! {
    /// Which loads find that their prefetch is slow (apogee-A5).
    pub enum SlowRule {
        /// All.
        #[default]
        Any,
        /// Those that miss.
        Miss,
    }
}
choice! {
    /// What a line is merged with (apogee-A8).
    pub enum Merge {
        /// Lines of the same load, and lines that wait in the prefetch queue.
        #[default]
        Queue,
        /// Lines of the same load.
        Group,
    }
}

parameters! {
    /// Parameters of sheet `apogee`. `Default` is Apogee_4.
    pub struct ApogeeConfig;
    /// Apogee_4: four warps, the prefetch table of Table 5.3.
    pub const APOGEE_4;
    numbers {
        /// Rows of the prefetch table, for both kinds.
        entries: "rows" = 64 in 1..=256, Paper "Table 5.3a";
        /// Warps.
        warps: "warps" = 4 in 1..=64, Paper "5.4: Apogee_4";
        /// N: threads of a warp; below 2^`tidx_bits`.
        warp_size: "threads" = 32 in 2..=64, Paper "Table 5.3";
        /// n: threads of the SM at the start.
        threads: "threads" = 128 in 1..=65535, Paper "5.4: 4 warps of 32";
        /// Width of a PC.
        pc_bits: "bits" = 10 in 1..=32, Paper "Table 5.3b";
        /// Width of a byte address (apogee-A11).
        addr_bits: "bits" = 28 in 8..=48, Paper "Table 5.3b";
        /// Width of an offset, with its sign.
        offset_bits: "bits" = 8 in 2..=32, Paper "Table 5.3b";
        /// Width of a confidence; it counts to the N - 2 matches of a full warp.
        conf_bits: "bits" = 8 in 1..=16, Paper "Table 5.3b";
        /// Width of a distance.
        dist_bits: "bits" = 6 in 1..=16, Paper "Table 5.3b";
        /// Width of a thread index, whose greatest value is the mark of scalar rows.
        tidx_bits: "bits" = 6 in 2..=8, Paper "Table 5.3b";
        /// Distance of a new row.
        init_distance: "iterations" = 1 in 1..=65535, Inferred "5.3.1.1: not stated (apogee-A4)";
        /// Least distance, at most `init_distance`.
        min_distance: "iterations" = 1 in 1..=65535, Inferred "5.3.1.1: not stated (apogee-A4)";
        /// Line of the data cache.
        line_bytes: "bytes" = 32 in 1..=4096 (power), Paper "Table 5.3a";
        /// Requests in the prefetch queue.
        pfq: "requests" = 64 in 1..=1024, Ours "not in the source";
        /// From a request's entry into the queue until it may leave.
        issue_latency: "cycles" = 10 in 0..=65535, Paper "Table 5.3a";
        /// Confidence below which nothing is confirmed.
        min_conf: "matches" = 0 in 0..=65535, Ours "apogee-A2: 0 is the source's rule";
    }
    choices {
        /// Which threads a prefetch is for.
        lanes: LaneSet = LaneSet::All;
        /// Whose last accessed load a chain is made of.
        lal: LalScope = LalScope::Warp;
        /// What tells too early from wrong.
        early: Early = Early::Pattern;
        /// Which loads find that their prefetch is slow.
        slow_rule: SlowRule = SlowRule::Any;
        /// What a line is merged with.
        merge: Merge = Merge::Queue;
        /// When the distance grows, the iteration that would be skipped is prefetched, too (apogee-H2).
        gap_fill: bool = false;
    }
}

impl ApogeeConfig {
    /// Checks every range, then what numbers must be to each other.
    ///
    /// # Errors
    /// The first parameter that is out of its range; then the first of `warp_size`, `init_distance`, `min_distance` and
    /// `min_conf` that is above what the others allow.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())?;
        let limits = [
            ("warp_size", self.scalar().min(self.max_confidence() + 2)),
            ("init_distance", self.max_distance()),
            ("min_distance", self.init_distance),
            ("min_conf", self.max_confidence()),
        ];
        parameter::check_limits(self.values(), &limits)
    }

    /// The thread index that marks scalar rows: all ones.
    #[must_use]
    pub const fn scalar(&self) -> u32 {
        ones(self.tidx_bits)
    }

    /// The greatest confidence.
    #[must_use]
    pub const fn max_confidence(&self) -> u32 {
        ones(self.conf_bits)
    }

    /// The greatest distance.
    #[must_use]
    pub const fn max_distance(&self) -> u32 {
        ones(self.dist_bits)
    }

    /// All lanes of a warp.
    pub(super) const fn full_mask(&self) -> u64 {
        u64::MAX >> (u64::BITS - self.warp_size)
    }

    /// Whether the table can hold this offset.
    pub(super) const fn has_offset(&self, q: i64) -> bool {
        let half = 1 << self.offset_bits.saturating_sub(1);
        -half <= q && q < half
    }

    /// Registers for last accessed loads.
    pub(super) const fn lals(&self) -> u32 {
        match self.lal {
            LalScope::Warp => self.warps,
            LalScope::Sm => 1,
        }
    }
}

/// The greatest value of so many bits, at most 16.
const fn ones(bits: u32) -> u32 {
    // A configuration that was not checked may ask for any number of bits.
    if bits < 32 { (1 << bits) - 1 } else { u32::MAX }
}
