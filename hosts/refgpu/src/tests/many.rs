//! Machines of more SMs than a word has bits: every SM has work under every policy, and skipping changes nothing.

use super::script::{At, Op, config, kernel, run_with, with_verb};
use crate::front::LaunchVerb;
use crate::gpu::RunOptions;
use crate::program::Class;

/// The SMs of an H100.
const SMS: u32 = 132;

/// Loads, work, stores, and of every eighth TB of the host's kernel a launch.
fn body(at: At) -> Op {
    let line = (u64::from(at.blkid) << 8) + u64::from(at.step);
    match at.step {
        0 | 2 => Op::access(Class::LoadGlobal, 1, move |lane| 128 * line + 4 * lane),
        1 if at.tag == 0 && at.blkid.is_multiple_of(8) && at.warp == 0 => Op::launch(1, 1, 1 + u64::from(at.blkid)),
        1 | 3 => Op::new(Class::Int, 1, 1),
        4 => Op::access(Class::StoreGlobal, 0, move |lane| 128 * line + 4 * lane),
        _ => Op::exit(),
    }
}

fn all_work(sms: u32, preset: &str, change: &[(&str, &str)], launch: LaunchVerb) {
    let count = sms.to_string();
    let config = config(preset, &[&[("sm.count", count.as_str())], change].concat());
    let tbs = 4 * sms;
    let run = |step| run_with(&config, RunOptions { step, ..with_verb(launch) }, &[kernel(1, tbs, 64, 0)], body);
    let stats = run(false);
    assert_eq!(stats, run(true), "{preset} {change:?} {launch:?}");
    assert_eq!(stats.smxs.len(), sms as usize);
    let idle = stats.smxs.iter().position(|smx| smx.tbs == 0 || smx.instructions == 0);
    assert_eq!(idle, None, "{preset} {change:?} {launch:?}");
    assert_eq!((stats.sm.tbs, stats.sm.launches), (u64::from(tbs + tbs / 8), u64::from(tbs / 8)));
}

#[test]
fn every_sm_has_work_under_every_policy() {
    for launch in [LaunchVerb::Group, LaunchVerb::DeviceKernel] {
        all_work(SMS, "k20c", &[], launch);
        for policy in ["rr", "tb_pri", "smx_bind", "adaptive_bind"] {
            all_work(SMS, "k20c", &[("dtbl.policy", "laperm"), ("laperm.policy", policy)], launch);
        }
    }
    let policies: [(&str, &[(&str, &str)]); 5] = [
        ("k20c", &[("bubble.enabled", "true")]),
        ("gtx480", &[("sm.policy", "gto")]),
        ("gtx480_equalizer", &[("equalizer.enabled", "true")]),
        ("gtx480_mascar", &[("sm.policy", "mascar")]),
        ("apogee", &[("apogee.enabled", "true")]),
    ];
    for (preset, change) in policies {
        all_work(SMS, preset, change, LaunchVerb::Group);
    }
}

#[test]
fn there_may_be_256_sms_and_no_more() {
    all_work(256, "k20c", &[], LaunchVerb::Group);
    let refused = config("k20c", &[]).set("sm.count", "257").unwrap_err().to_string();
    assert_eq!(refused, "sm.count = 257: expected an integer from 1 to 256");
}
