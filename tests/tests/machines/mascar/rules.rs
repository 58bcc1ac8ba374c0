//! Rules that no golden vector shows.

use gpusched::Cycle;
use gpusched::mascar::{
    Action, Granted, Kind, Lookup, Lsu, Mascar, MascarConfig, Mode, Next, Order, Pick, Pipe, Priority, Released,
    Request, Via, WarpId, Why,
};
use gpusched_tests::mascar::{HeapTables, machine, warps};

type Sm = Mascar<HeapTables>;

const ONE: MascarConfig = MascarConfig { warps: 8, schedulers: 1, ..MascarConfig::GTX480 };
const GOOD: Request = Request { base: 0, mask: 1, offs: gpusched::mascar::Offsets([0; 7]) };

/// Warps that start in this order, with these heads, ready.
fn sm(config: &MascarConfig, heads: &[(u8, Kind)]) -> Sm {
    let mut sm = machine(config).unwrap();
    for &(w, kind) in heads {
        sm.warp_start(WarpId(w)).unwrap();
        sm.set_head(WarpId(w), kind, matches!(kind, Alu | Mem), false).unwrap();
    }
    sm
}

fn mp(config: &MascarConfig, heads: &[(u8, Kind)]) -> Sm {
    let mut sm = sm(config, heads);
    assert_eq!(sm.l1_state(0, 64, 0).unwrap().mode, Mode::Mp);
    sm
}

fn pick(sm: &mut Sm, now: u64) -> Pick {
    sm.pick(Cycle(now), true, None).unwrap()
}

fn issued(pick: &Pick) -> Vec<(u8, Pipe)> {
    pick.issues.iter().map(|issue| (issue.warp.0, issue.pipe)).collect()
}

/// What issued has one request, which is refused.
fn refuse(sm: &mut Sm, w: u8) -> Action {
    sm.lsu_begin(WarpId(w), 1, w.into()).unwrap();
    assert_eq!(sm.lsu_next(), Ok(Next::New { warp: WarpId(w), index: 0 }));
    sm.lsu_reply(Lookup::Miss, false, Some(&GOOD)).unwrap().action
}

use Kind::{Alu, Mem};
use Pipe::Comp;

/// mascar-P4 by age: exits renumber nobody's place among the others.
#[test]
fn age_is_the_order_of_starts_whoever_exits() {
    let config = MascarConfig { mp_mem_order: Order::Oldest, ..ONE };
    let mut sm = sm(&config, &[(5, Alu), (1, Alu), (7, Alu), (0, Alu), (3, Alu)]);
    for gone in [1, 5] {
        assert_eq!(sm.warp_exit(WarpId(gone)), Ok(false));
    }
    assert_eq!(sm.warp_start(WarpId(1)), Ok(5));
    assert!(sm.by_age().eq([7, 0, 3, 1].map(WarpId)));
    assert_eq!(sm.head(WarpId(1)).unwrap().kind, Kind::None);
    sm.set_head(WarpId(1), Alu, true, false).unwrap();
    for (now, w) in [(1, 7), (2, 0), (3, 3), (4, 1)] {
        // Nobody is greedy: each loses its head.
        assert_eq!(issued(&pick(&mut sm, now)), [(w, Comp)]);
    }
}

/// mascar-P4, round robin: cyclic from behind the last issued warp, whether that is still there or not.
#[test]
fn round_robin_goes_on_behind_the_last_warp() {
    let config = MascarConfig { warps: 63, ep_priority: Priority::Merged, ep_mem_order: Order::Rr, ..ONE };
    let mut sm = sm(&config, &[(62, Alu), (40, Alu), (3, Alu), (0, Alu)]);
    let mut order = Vec::new();
    for now in 0..7 {
        let w = pick(&mut sm, now).issues[0].warp;
        order.push(w.0);
        sm.set_head(w, Alu, true, false).unwrap();
        if now == 5 {
            sm.warp_exit(WarpId(3)).unwrap();
        }
    }
    assert_eq!(order, [0, 3, 40, 62, 0, 3, 40]);
}

/// mascar-P5, merged: whichever of the first two is first in the common order, that of memory warps.
#[test]
fn merged_warps_are_one_group() {
    let config = MascarConfig { ep_priority: Priority::Merged, ep_comp_order: Order::Rr, ..ONE };
    let mut sm = sm(&config, &[(4, Alu), (2, Mem), (6, Alu)]);
    assert_eq!(issued(&pick(&mut sm, 0)), [(4, Comp)]);
    assert_eq!(issued(&pick(&mut sm, 1)), [(2, Pipe::Mem)]);
    // Greedy: the last issued warp before an older one.
    sm.lsu_begin(WarpId(2), 0, 0).unwrap();
    for w in [4, 2] {
        sm.set_head(WarpId(w), Alu, true, false).unwrap();
    }
    assert_eq!(issued(&pick(&mut sm, 2)), [(2, Comp)]);
}

/// mascar-P5: pipes that take nothing are as if nobody wanted them.
#[test]
fn closed_pipes_leave_the_other_kind() {
    let heads = [(0, Mem), (1, Mem), (2, Alu), (3, Alu)];
    let config = MascarConfig { schedulers: 2, ..ONE };
    let mut one = sm(&config, &heads);
    assert_eq!(issued(&one.pick(Cycle(0), false, None).unwrap()), [(2, Comp), (3, Comp)]);
    let mut other = sm(&config, &heads);
    assert_eq!(issued(&other.pick(Cycle(0), true, Some(0b01)).unwrap()), [(0, Pipe::Mem)]);
    // Scheduler 1 lost the LSU, and may not compute.
    assert_eq!(other.state().wst_stall, 0b0001);
    assert_eq!(issued(&other.pick(Cycle(1), false, Some(0)).unwrap()), []);
    // MP mode: compute goes first, if it may.
    let mut third = mp(&config, &heads);
    assert_eq!(issued(&third.pick(Cycle(0), true, Some(0b10)).unwrap()), [(0, Pipe::Mem), (3, Comp)]);
}

/// mascar-A9: a scheduler issues to both pipes, compute first, and is greedy about its memory warp.
#[test]
fn per_pipe_issues_to_both() {
    let config = MascarConfig { per_pipe: true, schedulers: 8, warps: 16, ..ONE };
    let heads: Vec<_> = (0..16).map(|w| (w, if w < 8 { Alu } else { Mem })).collect();
    let mut sm = sm(&config, &heads);
    let pick = pick(&mut sm, 0);
    let expected: Vec<_> = [(0, Comp), (8, Pipe::Mem)].into_iter().chain((1..8).map(|w| (w, Comp))).collect();
    assert_eq!(issued(&pick), expected);
    assert_eq!(sm.state().last[..2], [Some(WarpId(8)), Some(WarpId(1))]);
}

/// mascar-A5: leftovers go by age, before the owner or not.
#[test]
fn the_owner_and_older_leftovers() {
    for (owner_first, expected) in [(false, 0), (true, 2)] {
        let config = MascarConfig { owner_first, mp_mem_order: Order::Gto, ..ONE };
        let mut sm = sm(&config, &[(0, Mem), (1, Kind::None), (2, Alu)]);
        // The LSU is closed: warp 2 computes, and warp 0 is in the ready queue for memory.
        assert_eq!(issued(&sm.pick(Cycle(0), false, None).unwrap()), [(2, Comp)]);
        sm.l1_state(0, 64, 0).unwrap();
        assert!(warps(sm.state().leftover).eq([WarpId(0)]));
        // Greedy: warp 2 goes before the older one, and owns.
        sm.set_head(WarpId(2), Mem, true, false).unwrap();
        assert_eq!(pick(&mut sm, 1).owner, Some(WarpId(2)));
        sm.lsu_begin(WarpId(2), 0, 0).unwrap();
        sm.set_head(WarpId(2), Mem, true, false).unwrap();
        sm.set_head(WarpId(1), Alu, true, false).unwrap();
        assert_eq!(issued(&pick(&mut sm, 2)), [(1, Comp)]);
        // Nobody is greedy now.
        assert_eq!(issued(&pick(&mut sm, 3)), [(expected, Pipe::Mem)]);
        assert_eq!(sm.owner(), Some(WarpId(2)));
    }
}

/// mascar-M4: whose head changes is no leftover, and a mode later is none again.
#[test]
fn a_changed_head_leaves_the_ready_queue() {
    let mut sm = sm(&ONE, &[(0, Mem), (1, Mem)]);
    sm.pick(Cycle(0), false, None).unwrap();
    sm.set_head(WarpId(1), Mem, false, false).unwrap();
    sm.set_head(WarpId(1), Mem, true, false).unwrap();
    sm.l1_state(0, 64, 0).unwrap();
    assert!(warps(sm.state().leftover).eq([WarpId(0)]));
    sm.set_head(WarpId(0), Mem, false, false).unwrap();
    assert_eq!(sm.state().leftover, 0);
}

/// mascar-P1, mascar-P7: release and acquisition in one pick; the age of ownership counts from the pick.
#[test]
fn no_cycle_is_lost_between_owners() {
    let config = MascarConfig { owner_timeout: 5, ..ONE };
    let mut sm = mp(&config, &[(0, Mem), (1, Mem)]);
    assert_eq!(pick(&mut sm, 10).granted, Some(Granted { warp: WarpId(0), via: Via::Issue }));
    sm.lsu_begin(WarpId(0), 0, 0).unwrap();
    assert_eq!((sm.state().acquired, sm.next_event()), (Some(Cycle(10)), Some(Cycle(15))));
    assert_eq!(pick(&mut sm, 14).released, None);
    let late = pick(&mut sm, 15);
    assert_eq!(late.released, Some(Released { warp: WarpId(0), why: Why::Timeout }));
    assert_eq!((late.granted, late.owner), (Some(Granted { warp: WarpId(1), via: Via::Issue }), Some(WarpId(1))));
    assert_eq!((sm.state().acquired, sm.state().barred), (Some(Cycle(15)), None));
}

/// mascar-H5: nobody else waits, so there is no reason to give up; and 0 is without end.
#[test]
fn an_owner_without_rivals_is_not_timed_out() {
    for (owner_timeout, rivals) in [(5, 1), (0, 2)] {
        let config = MascarConfig { owner_timeout, ..ONE };
        let mut sm = mp(&config, &[(0, Mem), (1, Mem)][..rivals]);
        pick(&mut sm, 0);
        sm.lsu_begin(WarpId(0), 0, 0).unwrap();
        assert_eq!(sm.next_event(), None);
        assert_eq!(pick(&mut sm, 1 << 40).owner, Some(WarpId(0)));
    }
}

/// A number that exits and starts again is a new warp: it is not barred.
#[test]
fn a_bar_ends_with_its_warp() {
    let config = MascarConfig { owner_timeout: 1, ..ONE };
    let mut sm = mp(&config, &[(0, Mem), (1, Mem)]);
    pick(&mut sm, 0);
    sm.lsu_begin(WarpId(0), 0, 0).unwrap();
    sm.set_head(WarpId(0), Kind::None, false, false).unwrap();
    sm.pick(Cycle(1), false, None).unwrap();
    assert_eq!(sm.state().barred, Some(WarpId(0)));
    sm.warp_exit(WarpId(0)).unwrap();
    assert_eq!(sm.state().barred, None);
}

/// mascar-P2: without a queue, who blocks the LSU is who waits.
#[test]
fn without_a_queue_the_blocker_is_granted() {
    let config = MascarConfig { rexq: 0, ..ONE };
    let mut sm = sm(&config, &[(3, Mem), (1, Mem)]);
    pick(&mut sm, 0);
    assert_eq!(refuse(&mut sm, 3), Action::Blocked);
    sm.l1_state(0, 64, 0).unwrap();
    assert_eq!(pick(&mut sm, 1).granted, Some(Granted { warp: WarpId(3), via: Via::Queue }));
    assert!(matches!(sm.lsu_next(), Ok(Next::Blocked(entry)) if entry.warp == WarpId(3)));
    assert!(sm.lsu_reply(Lookup::Miss, true, None).unwrap().ack);
    assert_eq!(*sm.lsu(), Lsu::Idle);
}

/// mascar-M5: EP mode forgets owner, leftovers and stalls at once.
#[test]
fn ep_mode_forgets() {
    let mut sm = mp(&ONE, &[(0, Mem), (1, Mem)]);
    pick(&mut sm, 0);
    assert_eq!((sm.owner(), sm.state().wst_stall), (Some(WarpId(0)), 0b11));
    assert_eq!(sm.l1_state(0, 0, 0).unwrap().mode, Mode::Ep);
    assert_eq!((sm.owner(), sm.state().wst_stall, sm.state().leftover), (None, 0, 0));
}

/// mascar-M2: a plain scheduler has flags and no modes.
#[test]
fn a_plain_scheduler_stays_in_ep_mode() {
    let mut sm = sm(&MascarConfig::LRR, &[(0, Mem)]);
    let saturation = sm.l1_state(0, 64, 8).unwrap();
    assert_eq!((saturation.flag, saturation.mode, sm.state().flags), (true, Mode::Ep, 1));
    assert_eq!(pick(&mut sm, 0).owner, None);
}

/// A call that repeats the current values changes nothing: the warp stays in the ready queue.
#[test]
fn a_head_that_is_repeated_changes_nothing() {
    let mut sm = sm(&ONE, &[(0, Mem), (1, Mem)]);
    pick(&mut sm, 0);
    let before = sm.clone();
    sm.set_head(WarpId(1), Mem, true, false).unwrap();
    assert_eq!(sm, before);
    sm.l1_state(0, 64, 0).unwrap();
    assert!(warps(sm.state().leftover).eq([WarpId(1)]));
}

/// The queue is a ring: as many requests as pass through it, order stays.
#[test]
fn the_queue_goes_round() {
    let config = MascarConfig { rexq: 3, ep_mem_order: Order::Oldest, ..ONE };
    let mut sm = sm(&config, &[(0, Mem), (1, Mem), (2, Mem)]);
    for round in 0..5_u64 {
        for w in 0..3 {
            pick(&mut sm, 10 * round + u64::from(w));
            assert_eq!(refuse(&mut sm, w), Action::Queued);
            sm.set_head(WarpId(w), Mem, true, false).unwrap();
        }
        assert!(sm.rexq().map(|entry| entry.warp.0).eq(0..3));
        assert!(matches!(sm.lsu_next(), Ok(Next::Rexq(_))));
        assert_eq!(sm.lsu_reply(Lookup::Merge, false, None).unwrap().action, Action::Recycled);
        for w in [1, 2, 0] {
            assert!(matches!(sm.lsu_next(), Ok(Next::Rexq(entry)) if entry.warp == WarpId(w)));
            assert_eq!(sm.lsu_reply(Lookup::Hit, false, None).unwrap().action, Action::Popped);
        }
        assert_eq!(sm.lsu_next(), Ok(Next::Idle));
    }
}
