//! Figure 4.2 of the source: three warps, each with two loads and four additions, driven as the sheet says.

use gpusched::mascar::{CacheConfig, Lookup, MascarConfig, Order, Pipe, Priority, Sources};
use gpusched_tests::mascar::sm::{Op, Sm};

/// From acceptance to the cycle in which the value is usable.
const LATENCY: u64 = 6;

/// What happened in which cycle, per warp, and the last cycle of all.
#[derive(Debug, Default, PartialEq)]
struct Timeline {
    accepted: [Vec<u64>; 3],
    adds: [Vec<u64>; 3],
    end: u64,
}

/// Cycles t = 1, 2, ...: every request misses, and finds room if fewer than `mshrs` loads are on their way.
fn run(config: &MascarConfig, mshrs: usize, saturated: bool) -> Timeline {
    let program = vec![Op::Load(1), Op::Load(1), Op::Use, Op::Use, Op::Use, Op::Use];
    let mut sm = Sm::new(config, &[program.clone(), program.clone(), program]);
    if saturated {
        sm.machine.l1_state(0, 2, 0).unwrap();
    }
    let mut line = Timeline::default();
    for t in 1..100 {
        for (w, accepted) in line.accepted.iter().enumerate() {
            if accepted.iter().all(|a| a + LATENCY <= t) {
                sm.returned(w);
            }
        }
        let flying = line.accepted.iter().flatten().filter(|&&a| t < a + LATENCY).count();
        let done = sm.cycle(t, |_| (Lookup::Miss, flying < mshrs));
        for issue in done.pick.issues.iter().filter(|issue| issue.pipe == Pipe::Comp) {
            line.adds[usize::from(issue.warp.0)].push(t);
            line.end = t;
        }
        if let Some((w, _)) = done.reply.filter(|(_, reply)| reply.ack) {
            line.accepted[usize::from(w.0)].push(t);
        }
    }
    assert!(sm.ended());
    line
}

const ROUND_ROBIN: MascarConfig = MascarConfig {
    warps: 3,
    schedulers: 1,
    per_pipe: true,
    enable: false,
    ep_priority: Priority::Mem,
    ep_mem_order: Order::Rr,
    ep_comp_order: Order::Oldest,
    rexq: 0,
    ..MascarConfig::GTX480
};

fn mascar(rexq: u32) -> MascarConfig {
    let two = CacheConfig { mshr: 2, missq: 8, mshr_sat: 2, missq_sat: 8, mshr_clear: 2, missq_clear: 8 };
    let sources = Sources::new(&[two]).unwrap();
    MascarConfig { warps: 3, schedulers: 1, per_pipe: true, rexq, sources, ..MascarConfig::GTX480 }
}

fn times(accepted: [[u64; 2]; 3], adds: [u64; 3], end: u64) -> Timeline {
    let adds = adds.map(|first| (first..first + 4).collect());
    Timeline { accepted: accepted.map(Vec::from), adds, end }
}

#[test]
fn round_robin_with_any_number_of_requests_ends_at_21() {
    assert_eq!(run(&ROUND_ROBIN, 100, false), times([[1, 4], [2, 5], [3, 6]], [10, 14, 18], 21));
}

#[test]
fn round_robin_with_two_requests_ends_at_26() {
    assert_eq!(run(&ROUND_ROBIN, 2, false), times([[1, 8], [2, 13], [7, 14]], [14, 19, 23], 26));
}

#[test]
fn mascar_with_two_requests_ends_at_23() {
    for rexq in [32, 1, 0] {
        assert_eq!(run(&mascar(rexq), 2, true), times([[1, 2], [7, 8], [13, 14]], [8, 14, 20], 23));
    }
}
