//! What a version asks of the machine: launch latencies, and how device launches are made
//! (workloads-B7, workloads-B9).

use super::{Version, Wave, WaveOptions};
use gpusched::DatsPart;
use gpusched_refgpu::config::{ConfigError, GpuConfig};
use gpusched_refgpu::front::LaunchVerb;
use gpusched_refgpu::gpu::RunOptions;
use gpusched_refgpu::stats::RunStats;

impl WaveOptions {
    /// The machine `base` as a wavefront is to run on it in this version, and how. All launch latencies are divided by `launch_scale`: the host's
    /// launch, the KMU's dispatch, and in `cdp` the launch call of the parent.
    ///
    /// A level of `cdp` costs `nested_launch`, from the call to the level's first TB. What the source's latencies add up to beyond
    /// that, for the stream and the parameter buffer, is paid once, outside the parent's loop: it is added to the host's launch.
    ///
    /// The dependency-graph buffer has the arrays that were evaluated with the version, where `base` has none of this run's own:
    /// those of LVL for `lvl`, the larger ones of LRR else.
    ///
    /// # Errors
    /// A latency that is out of its range: `nested_launch` below that of a dispatch, or what `base` has set.
    pub fn machine(&self, version: Version, base: &GpuConfig) -> Result<(GpuConfig, RunOptions), ConfigError> {
        let mut config = base.clone();
        let scaled = |cycles: u64| cycles / u64::from(self.launch_scale.max(1));
        let mut set = |key: &str, cycles: u64| config.set(key, &cycles.to_string());
        let dispatch = u64::from(base.dtbl.lat_dispatch);
        let mut host_launch = u64::from(self.host_launch);
        if version == Version::Cdp {
            let nested = u64::from(self.nested_launch);
            let Some(call) = nested.checked_sub(dispatch) else {
                let expected = format!("at least dtbl.lat_dispatch = {dispatch}");
                return Err(ConfigError::Value { key: "nested_launch".into(), value: nested.to_string(), expected });
            };
            host_launch += (base.dtbl.lat_cdp(1) + dispatch).saturating_sub(nested);
            set("dtbl.ld_b", scaled(call))?;
            for key in ["dtbl.ld_a", "dtbl.lat_stream", "dtbl.gpb_a", "dtbl.gpb_b"] {
                set(key, 0)?;
            }
        }
        set("run.host_launch_cycles", scaled(host_launch))?;
        set("dtbl.lat_dispatch", scaled(dispatch))?;
        set("dtbl.kmu_interval", scaled(base.dtbl.kmu_interval.into()).max(1))?;
        config.prefer_dats(if version == Version::Lvl { DatsPart::GTX480 } else { DatsPart::GTX480_LRR });
        let (launch, graphs) = ((version == Version::Cdp).then_some(LaunchVerb::DeviceKernel), version.has_graph());
        Ok((config, RunOptions { launch, graphs, ..RunOptions::default() }))
    }
}

impl Wave {
    /// The machine `base` as this wavefront is to run on it, and how: [`WaveOptions::machine`].
    ///
    /// # Errors
    /// As that.
    pub fn machine(&self, base: &GpuConfig) -> Result<(GpuConfig, RunOptions), ConfigError> {
        self.options.machine(self.version, base)
    }

    /// Launch overhead of a run: cycles of the host's launches, and in `cdp` from each of the parent's calls to the first TB of the
    /// level. No tile runs in them.
    #[must_use]
    pub const fn launch_cycles(stats: &RunStats) -> u64 {
        stats.host_launch_cycles + stats.front.dyn_wait
    }
}
