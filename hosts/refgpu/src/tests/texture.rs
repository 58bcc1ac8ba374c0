//! refgpu-M10: texture loads have a cache and a latch of their own.

use gpusched::Descriptor;

use super::script::{At, Op, config, kernel, run};
use crate::l1::Refusal;
use crate::program::Class;
use crate::stats::SmStats;

/// One warp loads 32 lines through `class`, then one from shared memory.
fn gather(class: Class, change: &[(&str, &str)]) -> (u64, SmStats) {
    gather_in(&kernel(1, 1, 32, 0), class, change)
}

fn gather_in(kernel: &Descriptor, class: Class, change: &[(&str, &str)]) -> (u64, SmStats) {
    let body = |at: At| match at.step {
        0 | 2 => Op::access(class, 1, |l| l * 4096),
        1 | 3 => Op::access(Class::LoadShared, 2, |l| l * 4),
        _ => Op::exit(),
    };
    let stats = run(&config("gtx480", change), &[*kernel], body);
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

/// refgpu-M15 is about L1: shared memory takes nothing of the texture cache.
#[test]
fn shared_memory_leaves_the_texture_cache_whole() {
    // 32 lines fill it.
    let unified = [("l1.unified", "true"), ("l1.sets", "8"), ("l1.ways", "4")];
    let kernel = Descriptor { smem: 48 << 10, ..kernel(1, 1, 32, 0) };
    let hits = |class| {
        let (_, sm) = gather_in(&kernel, class, &unified);
        (sm.l1.hits, sm.texture.hits)
    };
    let ((l1, _), (_, texture)) = (hits(Class::LoadGlobal), hits(Class::LoadTexture));
    assert!(l1 < 32 && texture == 32, "{l1} {texture}");
}
