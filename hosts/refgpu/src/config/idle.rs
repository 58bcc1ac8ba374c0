//! Parts of the machine that a run does without: what is set of them has no effect.

use super::{Contexts, GpuConfig, Ranks, Sharing, TbPolicy, WarpPolicy};
use crate::front::LaunchVerb;
use crate::gpu::RunOptions;
use crate::vf::VfLevel;
use gpusched::laperm::RefillMode;
use gpusched::{Fallback, LoadMode};

/// Why most of L2, DRAM and crossbars is idle.
const FLAT: &str = "flat.enabled is true: memory has neither L2 nor DRAM";

impl GpuConfig {
    /// Why the parameter called `key` has no effect on a run with these options: the machine does without the part that it belongs to.
    /// `None`: it has one.
    #[must_use]
    pub fn idle(&self, key: &str, options: &RunOptions) -> Option<&'static str> {
        let (section, name) = key.split_once('.')?;
        let switch = &self.equalizer.switch;
        let steps = self.vf.sm != VfLevel::Normal || self.vf.mem != VfLevel::Normal;
        match (section, name) {
            (_, "enabled" | "policy" | "observe") if section != "laperm" => None,
            ("l1", "sets" | "ways" | "index" | "hit_latency" | "merges") => {
                (!self.l1.enabled).then_some("l1.enabled is false")
            }
            // The rest is in the figures of any memory.
            ("l2", _) => self.flat.enabled.then_some(FLAT),
            ("noc", name) if name != "flit_bytes" => self.flat.enabled.then_some(FLAT),
            ("dram", name) if !matches!(name, "channels" | "clock_mhz" | "interleave" | "burst" | "burst_cycles") => {
                self.flat.enabled.then_some(FLAT)
            }
            ("dtbl", "gpb_a" | "gpb_b" | "pend_limit" | "susp_cap" | "sync_depth" | "load_mode")
            | ("run", "full_pool")
                if options.launch.is_none() =>
            {
                Some("no kernel launches")
            }
            ("dtbl", "lat_stream") if !options.launch.is_some_and(LaunchVerb::is_kernel) => {
                Some("no kernel launches device kernels")
            }
            (
                "dtbl",
                "agt_size" | "hash_scope" | "agt_miss" | "agt_probe" | "kde_scan" | "fallback" | "load_cycles"
                | "load_ahead" | "turn_groups",
            ) if options.launch != Some(LaunchVerb::Group) => Some("no kernel launches groups"),
            ("dtbl", "ld_a" | "ld_b") => match options.launch {
                None => Some("no kernel launches"),
                Some(LaunchVerb::DeviceKernel | LaunchVerb::ForgottenKernel) => None,
                // A group without an eligible kernel becomes a kernel.
                Some(LaunchVerb::Group) => {
                    (self.dtbl.fallback == Fallback::Direct).then_some("dtbl.fallback is direct")
                }
            },
            ("dtbl", "pass_graph") => (!options.graphs).then_some("no kernel has a dependency graph"),
            ("dtbl", "agt_size" | "hash_scope" | "load_cycles") if self.switch.policy == TbPolicy::LaPerm => {
                Some("dtbl.policy is laperm, whose queues hold the groups")
            }
            ("dtbl", "load_mode") if self.switch.policy == TbPolicy::LaPerm => {
                Some("dtbl.policy is laperm, which refills its queues instead (laperm.refill_mode)")
            }
            ("dtbl", "load_cycles") => {
                (self.dtbl.load_mode == LoadMode::External).then_some("dtbl.load_mode is external")
            }
            ("laperm", "refill_cycles") if self.switch.policy == TbPolicy::LaPerm => {
                (self.laperm.refill_mode == RefillMode::External).then_some("laperm.refill_mode is external")
            }
            ("streams", "quota") => (self.streams.contexts == Contexts::None).then_some("streams.contexts is none"),
            ("streams", "drain") => (self.streams.ranks == Ranks::None).then_some("streams.ranks is none"),
            ("dsm" | "cluster", _) => (!self.dsm.enabled).then_some("dsm.enabled is false"),
            ("told", _) => (self.switch.policy != TbPolicy::Told).then_some("no policy decides from outside"),
            ("laperm", _) => (self.switch.policy != TbPolicy::LaPerm).then_some("dtbl.policy is not laperm"),
            ("cdp2", _) | ("dtbl", "flush_cycles" | "grids") if options.launch != Some(LaunchVerb::ForgottenKernel) => {
                Some("no kernel is fired and forgotten (mode cdp2)")
            }
            // A launch that names no stream is no tail launch.
            ("cdp2", "lat_tail" | "tail_depth") => Some("no kernel has tail launches"),
            ("dats", _) => (!options.graphs).then_some("no kernel has a dependency graph"),
            ("mascar", _) => (self.sm.policy != WarpPolicy::Mascar).then_some("sm.policy is not mascar"),
            ("apogee", _) => (!self.apogee.enabled).then_some("apogee.enabled is false"),
            ("flat", _) => (!self.flat.enabled).then_some("flat.enabled is false"),
            ("equalizer", "step_permille") if steps => None,
            ("equalizer", _) => (!switch.enabled && !switch.observe).then_some("equalizer.enabled is false"),
            ("tlp", name) => match (self.tlp.switch.policy, name) {
                (Sharing::Off, _) => Some("tlp.policy is off"),
                (Sharing::Smc, "split" | "b0" | "b1") | (Sharing::Leftover, "qcap" | "idle_only") => None,
                (Sharing::SmartEven, "smart") | (Sharing::Leftover | Sharing::SmartEven, "tlp_cap") => None,
                (_, "split" | "b0" | "b1") => Some("tlp.policy is not smc"),
                (_, "qcap" | "idle_only") => Some("tlp.policy is not leftover"),
                (_, "smart") => Some("tlp.policy is not smart_even"),
                (Sharing::Tlp, _) => None,
                _ => Some("tlp.policy is not tlp"),
            },
            // What a bubble is matters in any case: they are counted. The levels are those of SMXs that were put to sleep, for energy, too.
            (
                "bubble",
                "draining" | "gpu_level" | "retrigger" | "resume_draining" | "resume_hold" | "transition_samples"
                | "drain_samples" | "gpu_idle_samples" | "f_low_mhz" | "f_high_mhz" | "v_low_mv" | "v_high_mv",
            ) => (!self.bubble.enabled).then_some("bubble.enabled is false"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_is_off_is_told_and_its_switch_is_not() {
        let why = |set: &[(&str, &str)], key: &str| {
            let mut gpu = GpuConfig::preset("gtx480_mascar").unwrap();
            set.iter().for_each(|(key, word)| gpu.set(key, word).unwrap());
            gpu.idle(key, &RunOptions { launch: Some(LaunchVerb::Group), ..RunOptions::default() })
        };
        for (key, switch) in [
            ("laperm.cluster", ("dtbl.policy", "laperm")),
            ("dtbl.load_cycles", ("dtbl.load_mode", "fixed")),
            ("mascar.rexq", ("sm.policy", "mascar")),
            ("apogee.entries", ("apogee.enabled", "true")),
            ("equalizer.hyst", ("equalizer.observe", "true")),
            ("equalizer.step_permille", ("vf.sm", "high")),
            ("tlp.his_shift", ("tlp.policy", "tlp")),
            ("tlp.idle_only", ("tlp.policy", "leftover")),
            ("tlp.smart", ("tlp.policy", "smart_even")),
            ("tlp.b0", ("tlp.policy", "smc")),
            ("streams.quota", ("streams.contexts", "all")),
            ("streams.drain", ("streams.ranks", "rising")),
            ("cluster.portable", ("dsm.enabled", "true")),
            ("bubble.draining", ("bubble.enabled", "true")),
            ("bubble.f_low_mhz", ("bubble.enabled", "true")),
            ("bubble.v_high_mv", ("bubble.enabled", "true")),
            ("bubble.gpu_idle_samples", ("bubble.enabled", "true")),
            ("flat.latency", ("flat.enabled", "true")),
        ] {
            assert!(why(&[], key).is_some(), "{key}");
            assert_eq!((why(&[switch], key), why(&[], switch.0)), (None, None), "{key}");
        }
        let gpu = GpuConfig::preset("gtx480").unwrap();
        assert_eq!(gpu.idle("dats.lna", &RunOptions { graphs: true, ..RunOptions::default() }), None);
        assert_eq!(gpu.idle("dats.lna", &RunOptions::default()), Some("no kernel has a dependency graph"));
        assert_eq!(gpu.idle("l1.ways", &RunOptions::default()), None);
        assert_eq!(why(&[], "dtbl.agt_size"), None);
        assert_eq!(gpu.idle("dtbl.agt_size", &RunOptions::default()), Some("no kernel launches groups"));
        assert_eq!(gpu.idle("run.full_pool", &RunOptions::default()), Some("no kernel launches"));
        for key in ["dtbl.agt_size", "dtbl.hash_scope", "dtbl.load_mode", "dtbl.load_cycles", "laperm.refill_cycles"] {
            assert!(why(&[("dtbl.policy", "laperm")], key).is_some(), "{key}");
        }
        let kernels = RunOptions { launch: Some(LaunchVerb::DeviceKernel), ..RunOptions::default() };
        assert_eq!(gpu.idle("dtbl.agt_size", &kernels), Some("no kernel launches groups"));
        assert_eq!(gpu.idle("dtbl.gpb_a", &kernels), None);
        for (switch, keys) in [
            (("l1.enabled", "false"), ["l1.ways", "l1.hit_latency"]),
            (("flat.enabled", "true"), ["l2.ways", "noc.flight"]),
            (("flat.enabled", "true"), ["dram.latency", "dram.rcd"]),
        ] {
            assert!(keys.iter().all(|key| why(&[], key).is_none() && why(&[switch], key).is_some()), "{keys:?}");
        }
        let fixed = [("dtbl.policy", "laperm"), ("laperm.refill_mode", "fixed")];
        assert_eq!(why(&fixed, "laperm.refill_cycles"), None);
    }
}
