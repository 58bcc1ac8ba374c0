//! refgpu-N6: what the memory system reaches under load.

use super::script::{At, Op, config, kernel, run};
use crate::config::GpuConfig;
use crate::l1::Refusal;
use crate::program::Class;
use crate::stats::RunStats;

const LOADS: u64 = 4;
const WARPS: u64 = 8;

/// Every SM full of TBs of 8 warps, each warp with 4 independent loads of whole lines; `place` turns the number of a line in
/// a stream into its place.
fn read(config: &GpuConfig, place: impl Fn(u64) -> u64) -> RunStats {
    run(config, &[kernel(1, 2000, 32 * WARPS as u32, 0)], |at: At| {
        let step = u64::from(at.step);
        if step == LOADS {
            return Op::exit();
        }
        let line = place((u64::from(at.blkid) * LOADS + step) * WARPS + u64::from(at.warp));
        Op::access(Class::LoadGlobal, 1 << step, |l| line * 128 + 4 * l)
    })
}

#[test]
fn streaming_reads_reach_most_of_k20cs_bandwidth() {
    let f = read(&config("k20c", &[]), |line| line).figures();
    assert!(f.bandwidth_use >= 0.80, "{f:#?}");
    assert!(f.row_hit_rate > 0.95 && f.dram_efficiency > 0.45, "{f:#?}");
}

#[test]
fn streaming_reads_on_gtx480_are_bound_by_mshrs() {
    let base = read(&config("gtx480", &[]), |line| line);
    let more = read(&config("gtx480", &[("l1.mshrs", "64")]), |line| line);
    let stalls = base.sm.lsu.stalls;
    assert!(stalls[Refusal::Mshr as usize] * 10 > stalls.iter().sum::<u64>() * 9, "{stalls:?}");
    // Little's law: 15 x 32 lines of 128 B in 322 cycles are 75 % of 253.4 B per cycle.
    let (base, more) = (base.figures().bandwidth_use, more.figures().bandwidth_use);
    assert!((0.70..=0.755).contains(&base) && more > base * 1.1, "{base} {more}");
}

#[test]
fn random_lines_fall_well_below_streaming() {
    let config = config("k20c", &[]);
    let f = read(&config, |line| line.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).figures();
    let streaming = read(&config, |line| line).figures();
    assert!(f.bandwidth_use < 0.6 * streaming.bandwidth_use, "{f:#?}");
    // Nearly every line opens its row: one activation for its two bursts.
    assert!(f.row_hit_rate < 0.55, "{f:#?}");
}
