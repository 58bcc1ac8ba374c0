//! The parameters of the stochastic memory hierarchy, with their ranges and provenance.

use crate::base::parameter::{self, ConfigError, choice, parameters};

choice! {
    /// Whose request is next (models-A13).
    pub enum Order {
        /// Any stream that has requests left, with the same chance.
        #[default]
        UniformWarp,
        /// Any request that is left, with the same chance: so every interleaving has the same.
        Weighted,
    }
}

parameters! {
    /// Parameters of a [`Monte`](super::Monte). `Default` has the caches of a GTX 480.
    pub struct MonteConfig;
    /// One SM of a GTX 480 and its L2, as the reference GPU has them. The sheet gives no default of a cache.
    pub const GTX480;
    numbers {
        /// SMs, each with an L1.
        sms: "SMs" = 1 in 1..=64, Ours "a single SM shows what its warps do to each other";
        /// Sets of an L1.
        l1_sets: "sets" = 32 in 1..=4096, Public "GTX 480: 16 KB";
        /// Ways of an L1.
        l1_ways: "ways" = 4 in 1..=64, Public "GTX 480: 16 KB";
        /// Line of an L1.
        l1_line: "bytes" = 128 in 1..=4096 (power_of_two), Public "GTX 480";
        /// Sets of the L2.
        l2_sets: "sets" = 768 in 1..=4096, Public "GTX 480: 768 KB";
        /// Ways of the L2.
        l2_ways: "ways" = 8 in 1..=64, Public "GTX 480: 768 KB";
        /// Line of the L2.
        l2_line: "bytes" = 128 in 1..=4096 (power_of_two), Public "GTX 480";
        /// Bins of the histograms.
        bins: "bins" = 20 in 1..=128, Ours "not in the source";
        /// How far ratios of reliable runs may be apart.
        tol_permille: "thousandths" = 50 in 0..=1000, Ours "a histogram that is not wide (4.2.3; models-A15)";
        /// Requests of all warps.
        max_requests: "requests" = 65536 in 0..=4294967295, Ours "scratch memory";
        /// Sites that are told apart.
        sites: "sites" = 64 in 1..=256, Ours "loads of a kernel";
    }
    choices {
        /// Whose request is next.
        pick: Order = Order::UniformWarp;
        /// Whether a store brings its line into the L1 (models-A14).
        l1_store_alloc: bool = false;
    }
}

impl MonteConfig {
    /// Checks every range.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())
    }
}
