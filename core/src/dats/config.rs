//! The parameters of the dependency-graph buffer, with their ranges and provenance.
//!
//! ```
//! use gpusched::dats::DgbConfig;
//!
//! let roomy = DgbConfig { lna: 512, lea: 2048, ..DgbConfig::GTX480 };
//! assert_eq!(roomy, DgbConfig::GTX480_LRR);
//! assert!(roomy.check().is_ok());
//! let wrong = DgbConfig { chunk_bytes: 12, ..DgbConfig::GTX480 };
//! assert_eq!(wrong.check().unwrap_err().to_string(), "chunk_bytes = 12: expected a multiple of 8 from 8 to 1024");
//! ```

use crate::base::error::Fault;
use crate::base::parameter::{self, ConfigError, Parameter, Provenance, choice, parameters};

choice! {
    /// When a chunk of nodes is requested (dats-A5).
    pub enum Prefetch {
        /// When the window has room for all of it.
        #[default]
        ChunkFree,
        /// As soon as the node insertion buffer is empty.
        Eager,
    }
}
choice! {
    /// What the level of a candidate is compared with under LVL (dats-A10).
    pub enum LevelRef {
        /// The level of the oldest node that is not finalised.
        #[default]
        Incomplete,
        /// The levels of the nodes that are executing.
        Active,
    }
}

parameters! {
    /// Parameters of sheet `dats`. `Default` is the GTX 480 with the arrays that LVL needs.
    pub struct DgbConfig;
    /// The GTX 480 with the arrays that were evaluated under LVL (5.1).
    pub const GTX480;
    numbers {
        /// SMXs.
        smxs: "SMXs" = 15 in 1..=256, Paper "4.1: GTX 480";
        /// Entries of the local node array (LNA) and the node state table.
        lna: "nodes" = 128 in 1..=65535, Paper "5.1";
        /// Entries of the local edge array (LEA).
        lea: "edges" = 512 in 1..=65535, Paper "5.1";
        /// Entries of the pending update buffer (PUB).
        #[cfg_attr(feature = "serde", serde(alias = "pub"))]
        pub_entries: "updates" = 64 in 0..=65535, Paper "5.1; 5.4 says 32";
        /// Bytes of a memory request, and of the node insertion buffer (NIB); a multiple of 8.
        chunk_bytes: "bytes" = 128 in 8..=1024, Paper "4.2";
    }
    choices {
        /// When a chunk of nodes is requested.
        prefetch: Prefetch = Prefetch::ChunkFree;
        /// What the level of a candidate is compared with under LVL.
        level_ref: LevelRef = LevelRef::Incomplete;
        /// A node is dispatched only when its edges are on chip (dats-A7).
        issue_needs_edges: bool = false;
        /// Updates that fit nowhere go to the parent counts in memory, so that no graph can deadlock the buffer (dats-H1).
        spill: bool = false;
    }
}

/// Bytes of a node in memory.
const NODE_BYTES: u32 = 8;
/// Bytes of an edge in memory.
const EDGE_BYTES: u32 = 2;

/// What a chunk with whole nodes has none of.
const PARTIAL_NODE: Parameter =
    Parameter::rule(c"chunk_bytes", Provenance::Paper, c"expected a multiple of 8 from 8 to 1024");

/// Hazard dats-H3 (b): the last node of a chunk would wait for its successor, and that for the node's slot.
const CHUNK_AND_ONE: Parameter =
    Parameter::rule(c"lna", Provenance::Ours, c"expected more than the nodes of a chunk, unless `prefetch` is eager");

impl DgbConfig {
    /// The GTX 480 with the arrays that were evaluated under LRR (5.1).
    pub const GTX480_LRR: Self = Self { lna: 512, lea: 2048, ..Self::GTX480 };

    /// Nodes of a chunk.
    #[must_use]
    pub const fn chunk_nodes(&self) -> u32 {
        self.chunk_bytes / NODE_BYTES
    }

    /// Edges of a chunk.
    #[must_use]
    pub const fn chunk_edges(&self) -> u32 {
        self.chunk_bytes / EDGE_BYTES
    }

    /// Checks every range, then that a chunk has whole nodes, then that the node array holds more than a chunk.
    ///
    /// # Errors
    /// The first parameter that is wrong.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())?;
        let refused = |parameter, value| Err(ConfigError::new(Fault::BadConfig, parameter, value));
        if !self.chunk_bytes.is_multiple_of(NODE_BYTES) {
            return refused(&PARTIAL_NODE, self.chunk_bytes);
        }
        if self.prefetch == Prefetch::ChunkFree && self.lna <= self.chunk_nodes() {
            return refused(&CHUNK_AND_ONE, self.lna);
        }
        Ok(())
    }
}
