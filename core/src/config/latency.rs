//! What a device-side launch costs its calling warp (`dtbl`, Parameters; Table 5): linear in the calling threads.

use crate::config::Config;

impl Config {
    /// P(x): parameter buffers for `x` calling threads of one warp, in cycles.
    #[must_use]
    pub const fn lat_parameters(&self, x: u32) -> u64 {
        self.gpb_b as u64 + self.gpb_a as u64 * x as u64
    }

    /// D(x): the launch call itself, in cycles.
    #[must_use]
    pub const fn lat_launch_call(&self, x: u32) -> u64 {
        self.ld_b as u64 + self.ld_a as u64 * x as u64
    }

    /// Cycles from a CDP launch by `x` threads of a warp until its kernels are ready for the KMU.
    #[must_use]
    pub const fn lat_cdp(&self, x: u32) -> u64 {
        self.lat_stream as u64 + self.lat_parameters(x) + self.lat_launch_call(x)
    }

    /// Cycles from a DTBL launch by `x` threads of a warp until its groups are ready to join: the eligible-kernel search and
    /// the AGT probes overlap the parameter stores (dtbl-A3, dtbl-A4).
    #[must_use]
    pub const fn lat_dtbl(&self, x: u32) -> u64 {
        let search = self.kde_scan as u64 * self.n_kde as u64 + self.agt_probe as u64 * x as u64;
        let store = self.lat_parameters(x);
        if store > search { store } else { search }
    }
}
