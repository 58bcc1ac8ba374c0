//! What GPUs of today make of several host streams (refgpu-G6, sheet `modern`): contexts, priorities, draining.

use super::sharing::{COMPUTE, SMS, UP, kernel, residents, run};
use crate::catalogue::own;
use crate::kernel::App;
use gpusched::tlp::{Category, Pref};
use gpusched_refgpu::gpu::RunResult;
use gpusched_refgpu::timeline::Tb;

/// SMs 0 to 2 lie in a GPC each.
const GPCS: (&str, &str) = ("sm.topology", "{ gpcs = [[1], [1], [1]] }");
/// The second stream begins when the first one's TBs fill the machine.
const LATER: (&str, &str) = ("streams.stagger", "2000");

type Kernels = Vec<(&'static crate::catalogue::Entry, Category, Pref)>;

/// One kernel behind the other, in any room that is left: what GPUs do without any of it.
const FILL: &[(&str, &str)] = &[LATER, ("tlp.policy", "leftover"), ("tlp.idle_only", "false")];

/// A long kernel, and a short one behind it.
fn long_and_short() -> Kernels {
    vec![(kernel(240, COMPUTE), UP, Pref::Compute), (kernel(24, COMPUTE), UP, Pref::Compute)]
}

fn both(change: &[(&str, &str)]) -> RunResult {
    let skipped = run(change, &long_and_short(), false);
    assert_eq!(skipped, run(change, &long_and_short(), true), "{change:?}: skipped and stepped");
    assert_eq!(skipped.stats.sm.tbs, 264);
    skipped
}

/// TBs of a stream.
fn tbs(result: &RunResult, stream: u64) -> Vec<Tb> {
    let log = &result.timeline.tbs;
    log.tbs().iter().filter(|tb| log.launches()[tb.launch as usize].kernel.tag >> 56 == stream).copied().collect()
}

/// Cycles from the second stream's launch to its first TB, and to its end.
fn waits(result: &RunResult) -> (u64, u64) {
    let short = &result.stats.streams[1];
    (short.first_tb.unwrap() - short.start, short.end - short.start)
}

#[test]
fn contexts_keep_to_their_sms_and_start_at_once() {
    let fill = both(FILL);
    for contexts in ["even", "gpcs"] {
        let result = both(&[GPCS, LATER, ("streams.contexts", contexts)]);
        let on = |stream| {
            let mut sms: Vec<u16> = tbs(&result, stream).iter().map(|tb| tb.sm).collect();
            sms.sort_unstable();
            sms.dedup();
            sms
        };
        let (first, second) = (on(0), on(1));
        assert_eq!(first.len() + second.len(), usize::from(SMS), "{contexts}: {first:?} {second:?}");
        assert!(first.iter().all(|sm| !second.contains(sm)), "{contexts}: {first:?} {second:?}");
        assert!(waits(&result).0 < 600 && waits(&fill).0 > 10_000, "{:?} {:?}", waits(&result), waits(&fill));
    }
}

#[test]
fn a_context_has_no_more_threads_than_its_share() {
    let result = both(&[("streams.contexts", "all"), ("streams.quota", "50")]);
    let half = usize::from(SMS) * 1536 / 2 / 256;
    let mut seen = [0, 0];
    for stream in [0, 1] {
        let all = tbs(&result, stream);
        let at = |cycle: u64| all.iter().filter(|tb| tb.start <= cycle && tb.end.is_none_or(|end| cycle < end)).count();
        seen[stream as usize] = all.iter().map(|tb| at(tb.start)).max().unwrap();
    }
    assert_eq!(seen, [half, half]);
}

#[test]
fn tbs_of_the_higher_stream_go_first_and_nobody_is_evicted() {
    let (fill, ranked) = (both(FILL), both(&[LATER, ("streams.ranks", "rising")]));
    let short = tbs(&ranked, 1);
    let (first, last) = (short.first().unwrap().start, short.last().unwrap().start);
    let long = tbs(&ranked, 0);
    let between = long.iter().filter(|tb| (first..last).contains(&tb.start)).count();
    assert_eq!(between, 0, "a TB of the long kernel goes before one that waits");
    assert!(long.iter().any(|tb| tb.start < first && tb.end > Some(first)), "what runs, runs on");
    assert!(waits(&ranked).0 < waits(&fill).0 / 4, "{:?} {:?}", waits(&ranked), waits(&fill));
    // Who comes later is last where ranks fall, as in the line of one priority.
    assert_eq!(waits(&both(&[LATER, ("streams.ranks", "falling")])), waits(&fill));
}

#[test]
fn drained_sms_take_no_tb_of_the_lower_stream_till_the_higher_has_sent_its_last() {
    let result = both(&[LATER, ("streams.ranks", "rising"), ("streams.drain", "2")]);
    let (launch, short) = (result.stats.streams[1].start, tbs(&result, 1));
    let last = short.last().unwrap().start;
    let on = |sms: std::ops::Range<u16>, from: u64, to: u64| {
        tbs(&result, 0).iter().filter(|tb| sms.contains(&tb.sm) && (from..to).contains(&tb.start)).count()
    };
    assert_eq!(on(0..2, launch + 1, last), 0);
    assert!(on(0..2, last, u64::MAX) > 0, "they are open again");
}

#[test]
fn a_policy_that_decides_from_outside_goes_with_none_of_it() {
    for change in [("streams.ranks", "rising"), ("streams.contexts", "even")] {
        let mut gpu = super::config("gtx480_liang", &[change, ("dtbl.policy", "laperm")]);
        let refused = gpu.check().unwrap_err().to_string();
        assert!(refused.contains("first come, first served"), "{refused}");
        gpu.set("dtbl.policy", "fcfs_rr").unwrap();
        gpu.check().unwrap();
    }
    assert_eq!(residents(&both(&[]).timeline.tbs, 2).len(), 264);
}

/// refgpu-M15: of kernels that are launched together, the one that leaves least of the common store decides, in whatever order they come.
#[test]
fn what_shared_memory_takes_of_l1_does_not_depend_on_the_order_of_launches() {
    let entry = |smem: u32, loads: &str| {
        let text = format!(
            "about = \"x\"\n[[kernel]]\nname = \"k\"\ngrid = 6\nthreads = 256\nregs = 16\nsmem = {smem}\n[[kernel.phase]]\niters = 40\nn = 30\n{loads}"
        );
        (own(App::from_toml(&text).unwrap()), UP, Pref::Compute)
    };
    let large = |smem| entry(smem, "loads = [\"own(2) x2\"]");
    let small = || entry(0, "fp = 0.8");
    let change = [&[("l1.unified", "true"), ("l1.ways", "12")][..], FILL, &[("streams.stagger", "0")]].concat();
    let hits = |kernels: Kernels| run(&change, &kernels, false).stats.sm.l1.hits;
    let whole = hits(vec![large(0), small()]);
    for kernels in [vec![large(24 << 10), small()], vec![small(), large(24 << 10)]] {
        let left = hits(kernels);
        assert!(left < whole / 4, "{left} of {whole}");
    }
}
