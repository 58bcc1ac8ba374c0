//! Clusters of TBs on the machine (refgpu-M16, sheet `modern`): placed whole, in one GPC, with traffic between their SMs.

use super::config;
use crate::catalogue::{Request, own};
use crate::kernel::App;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::front::Decider;
use gpusched_refgpu::gpu::{Gpu, RunError, RunOptions, RunResult};
use gpusched_refgpu::program::Class;
use std::collections::BTreeMap;

/// GPCs of SMs 0 to 3, 4 to 7, and of SM 8, which holds two TBs.
const GPCS: (&str, &str) = ("sm.topology", "{ gpcs = [[2, 2], [2, 2], [1]] }");

fn machine(change: &[(&str, &str)]) -> GpuConfig {
    config("h100-sxm", &[&[GPCS, ("sm.count", "9")], change].concat())
}

/// 24 TBs of 1024 threads, of which an SM holds two, in clusters of `size`; each warp asks the next TB so many times.
fn ring(gpu: &GpuConfig, size: u32, remote: u32, step: bool) -> Result<RunResult, RunError> {
    let text = format!(
        "about = \"x\"\n[[kernel]]\nname = \"k\"\ngrid = 24\nthreads = 1024\nregs = 16\nsmem = 4096\ncluster = {size}\n\
         [[kernel.phase]]\niters = 3\nn = 30\nremote = {remote}"
    );
    let mut work = own(App::from_toml(&text).unwrap()).kernel(Request::default()).unwrap();
    let options = RunOptions { step, log_tbs: 100, ..RunOptions::default() };
    let result = Gpu::new(gpu, options).unwrap().run(&mut work, &mut ())?;
    work.check().unwrap();
    Ok(result)
}

#[test]
fn a_cluster_starts_whole_in_one_gpc_and_others_have_the_rest() {
    for fill in ["spread", "pack"] {
        let gpu = machine(&[("cluster.fill", fill)]);
        let run = ring(&gpu, 4, 2, false).unwrap();
        assert_eq!(run, ring(&gpu, 4, 2, true).unwrap(), "skipped and stepped");
        let mut clusters: BTreeMap<u32, Vec<(u64, u16)>> = BTreeMap::new();
        for tb in run.timeline.tbs.tbs() {
            clusters.entry(tb.blkid / 4).or_default().push((tb.start, tb.sm));
        }
        assert_eq!(clusters.len(), 6);
        for tbs in clusters.values() {
            assert!(tbs.iter().all(|tb| tb.0 == tbs[0].0 && tb.1 / 4 == tbs[0].1 / 4 && tb.1 < 8), "{fill}: {tbs:?}");
            let mut sms: Vec<u16> = tbs.iter().map(|tb| tb.1).collect();
            sms.dedup();
            // The first find their GPC empty.
            let packed = fill == "pack" && tbs[0].0 < 1000;
            assert!(sms.len() == (if packed { 2 } else { 4 }) || fill == "pack" && !packed, "{tbs:?}");
        }
        assert_eq!(run.stats.front.clusters, 6);
    }
    // Without clusters all SMs have work.
    let plain = ring(&machine(&[]), 1, 0, false).unwrap();
    assert!(plain.stats.smxs.iter().all(|smx| smx.tbs > 0));
}

#[test]
fn remote_accesses_take_the_way_between_sms_and_the_other_ones_port() {
    let cycles = |remote, change: &[(&str, &str)]| ring(&machine(change), 4, remote, false).unwrap().stats.cycles;
    let (none, some) = (cycles(0, &[]), cycles(1, &[]));
    // Each of three iterations waits for an answer; other warps hide part of it.
    assert!(some >= none + 2 * 180, "{none} {some}");
    assert!(cycles(1, &[("dsm.latency", "1000")]) >= some + 2 * 820);
    // 64 warps of the two TBs ask an SM for 128 bytes three times, at 4 bytes per cycle.
    assert!(cycles(1, &[("dsm.bytes_per_cycle", "4")]) >= 64 * 3 * 32);
    let stats = ring(&machine(&[]), 4, 2, false).unwrap().stats.sm;
    assert_eq!(stats.remote_instructions, 24 * 32 * 3 * 2);
    let of = |class: Class| stats.classes[class as usize];
    assert_eq!((of(Class::LoadRemote), of(Class::StoreRemote)), (24 * 32 * 3, 24 * 32 * 3));
}

#[test]
fn who_has_no_clusters_says_so() {
    let error = |gpu: &GpuConfig| ring(gpu, 4, 0, false).unwrap_err().to_string();
    let text = error(&config("a100", &[]));
    assert_eq!(text, "a kernel has clusters of 4 TBs: a100 has none (dsm.enabled)");
    let text = error(&machine(&[("dtbl.policy", "laperm")]));
    assert!(text.contains("only first come, first served sends them"), "{text}");
    let mut told = machine(&[]);
    told.decide_by(Decider::new("nobody", gpusched::Units::Free, |_| Err("never made".into())));
    assert!(Gpu::new(&told, RunOptions::default()).is_err());
    // A cluster that no GPC can hold, and one that is not portable.
    let text = error(&machine(&[("sm.topology", "{ gpcs = [[2], [2], [2], [2], [1]] }"), ("sm.tb_slots", "1")]));
    assert!(text.contains("cluster"), "{text}");
    assert!(ring(&machine(&[("cluster.portable", "3")]), 4, 0, false).unwrap_err().to_string().contains("cluster"));
}
