//! refgpu-M10: texture loads have a cache and a latch of their own.

use super::script::{At, Op, config, kernel, run};
use crate::l1::Refusal;
use crate::program::Class;
use crate::stats::SmStats;

/// One warp loads 32 lines through `class`, then one from shared memory.
fn gather(class: Class, change: &[(&str, &str)]) -> (u64, SmStats) {
    let body = |at: At| match at.step {
        0 | 2 => Op::access(class, 1, |l| l * 4096),
        1 | 3 => Op::access(Class::LoadShared, 2, |l| l * 4),
        _ => Op::exit(),
    };
    let stats = run(&config("gtx480", change), &[kernel(1, 1, 32, 0)], body);
    (stats.sm.lsu.busy, stats.sm)
}

#[test]
fn a_texture_load_leaves_the_lsu_free_and_fills_a_cache_of_its_own() {
    let (busy, global) = gather(Class::LoadGlobal, &[]);
    assert_eq!((global.l1.misses, global.l1.hits, global.texture.misses), (32, 32, 0));
    assert!(busy >= 2 * 33);
    let (busy, texture) = gather(Class::LoadTexture, &[]);
    assert_eq!((texture.l1.misses, texture.texture.misses, texture.texture.hits), (0, 32, 32));
    assert_eq!((busy, texture.texture_unit.loads_done), (2, 2), "only the shared loads pass the LSU");
}

#[test]
fn the_texture_unit_has_four_times_the_mshrs() {
    let few = [("l1.mshrs", "8")];
    let stalls = |sm: &SmStats| (sm.lsu.stalls[Refusal::Mshr as usize], sm.texture_unit.stalls[Refusal::Mshr as usize]);
    assert!(stalls(&gather(Class::LoadGlobal, &few).1).0 > 0);
    assert_eq!(stalls(&gather(Class::LoadTexture, &few).1), (0, 0));
}
