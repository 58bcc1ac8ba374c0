//! Single rules, where a vector does not show them alone.

use gpusched::apogee::{
    Access, Adjust, Apogee, ApogeeConfig, Early, Lanes, LastLoad, Loaded, Merge, PrefetchState, RowId, RowKind,
    SlowRule, Tia, Verdict, WarpId,
};
use gpusched::{Cycle, Fault};
use gpusched_tests::apogee::{HeapTables, LoadAnswer, machine};

type Sm = Apogee<HeapTables>;

const WARP: u64 = 8;
/// One warp of 8 threads; an iteration of 4-byte loads is a line.
const ONE: ApogeeConfig =
    ApogeeConfig { entries: 4, warps: 1, warp_size: 8, threads: 8, issue_latency: 0, ..ApogeeConfig::APOGEE_4 };

/// The warp loads `base`, `base + step` ...
fn load(sm: &mut Sm, pc: u64, verdict: Verdict, base: u64, step: i64) -> LoadAnswer {
    let addresses: Vec<_> = (0..WARP as i64).map(|lane| base.wrapping_add_signed(step * lane)).collect();
    let lanes = Lanes::Dense { mask: 0xff, addresses: &addresses };
    let mut decided = LoadAnswer::default();
    let access = Access { pc, warp: WarpId(0), verdict, lanes };
    decided.loaded = sm.load(sm.now(), &access, &mut decided).unwrap();
    decided
}

/// A load without an offset.
fn irregular(sm: &mut Sm, pc: u64) -> LoadAnswer {
    load(sm, pc, Verdict::Hit, 0, 1000)
}

fn walk(sm: &mut Sm, verdict: Verdict, iteration: u64) -> LoadAnswer {
    load(sm, 9, verdict, 32 * iteration, 4)
}

/// Everything in the queue goes to memory and comes back.
fn serve(sm: &mut Sm) {
    while let Some(request) = sm.pf_pop(sm.now()).unwrap() {
        assert_eq!(sm.pf_reply(true), Ok(false));
        assert_eq!(sm.pf_fill(request.entry, request.generation, request.warp), Ok(false));
    }
}

fn state(sm: &Sm, entry: u16) -> PrefetchState {
    sm.row(RowId(entry)).unwrap().states.of(WarpId(0))
}

fn distance(sm: &Sm) -> u16 {
    sm.row(RowId(0)).unwrap().load().unwrap().distance
}

/// apogee-S1, apogee-H3: the distance grows to its greatest value and stays there.
#[test]
fn s1_a_slow_prefetch_moves_away_until_there_is_no_further() {
    let mut sm = machine(&ApogeeConfig { dist_bits: 2, ..ONE }).unwrap();
    let adjusts: Vec<_> = (0..5).map(|i| walk(&mut sm, Verdict::Absent, i).loaded.adjust).collect();
    assert_eq!(adjusts, [Adjust::None, Adjust::Inc, Adjust::Inc, Adjust::IncSat, Adjust::IncSat]);
    assert_eq!(distance(&sm), 3);
}

/// apogee-A5: with `slow_rule` miss, a hit does not say that its prefetch is slow; apogee-S3 resets the state all the same.
#[test]
fn s1_a_hit_is_slow_only_if_any_load_can_be() {
    for (slow_rule, verdict, expected) in [
        (SlowRule::Any, Verdict::Hit, Adjust::Inc),
        (SlowRule::Miss, Verdict::Hit, Adjust::None),
        (SlowRule::Miss, Verdict::Pending, Adjust::Inc),
    ] {
        let mut sm = machine(&ApogeeConfig { slow_rule, ..ONE }).unwrap();
        walk(&mut sm, Verdict::Absent, 0);
        assert_eq!(state(&sm, 0), PrefetchState::Queued);
        let other = load(&mut sm, 9, verdict, 1000, 5);
        assert_eq!((other.loaded.adjust, other.loaded.mismatch), (expected, true));
        assert_eq!(state(&sm, 0), PrefetchState::Idle);
    }
}

/// apogee-S2: every condition of "too early".
#[test]
fn s2_only_an_absent_line_on_the_pattern_was_early() {
    let early = |early, verdict, base| {
        let mut sm = machine(&ApogeeConfig { early, init_distance: 2, ..ONE }).unwrap();
        walk(&mut sm, Verdict::Absent, 4);
        serve(&mut sm);
        assert_eq!(state(&sm, 0), PrefetchState::Back);
        let adjust = load(&mut sm, 9, verdict, base, 4).loaded.adjust;
        (adjust, distance(&sm))
    };
    let at = |iteration: u64| 32 * iteration;
    for (verdict, base, expected) in [
        (Verdict::Absent, at(5), (Adjust::Dec, 1)),
        (Verdict::Absent, at(9), (Adjust::Dec, 1)),
        (Verdict::Absent, at(3), (Adjust::Dec, 1)),
        // A hit is timely; a line on its way was not evicted; the same place, or no whole warps further, was not expected.
        (Verdict::Hit, at(5), (Adjust::None, 2)),
        (Verdict::Pending, at(5), (Adjust::None, 2)),
        (Verdict::Absent, at(4), (Adjust::None, 2)),
        (Verdict::Absent, at(5) + 4, (Adjust::None, 2)),
    ] {
        assert_eq!(early(Early::Pattern, verdict, base), expected, "{verdict:?} at {base}");
    }
    // Literally: exactly where the prefetch went.
    assert_eq!(early(Early::Literal, Verdict::Absent, at(6)), (Adjust::Dec, 1));
    assert_eq!(early(Early::Literal, Verdict::Absent, at(5)), (Adjust::None, 2));
}

/// apogee-S2: the pattern holds for any mask, because lane 0 is compared (apogee-H8).
#[test]
fn s2_lane_0_is_compared() {
    let mut sm = machine(&ApogeeConfig { init_distance: 2, ..ONE }).unwrap();
    walk(&mut sm, Verdict::Absent, 0);
    serve(&mut sm);
    let access = |lanes| Access { pc: 9, warp: WarpId(0), verdict: Verdict::Absent, lanes };
    let few = [(3, 32 + 12), (5, 32 + 20)];
    let loaded = sm.load(sm.now(), &access(Lanes::List(&few)), &mut ()).unwrap();
    assert_eq!((loaded.adjust, loaded.confirmed), (Adjust::Dec, true));
}

/// apogee-Q3, apogee-Q4: what replies and fills make of each state.
#[test]
fn q3_q4_states_follow_replies_and_fills() {
    let mut sm = machine(&ONE).unwrap();
    // Two lines for one load: 64 bytes further on each.
    load(&mut sm, 9, Verdict::Hit, 0, 8);
    let [first, second] = [0, 1].map(|_| {
        let request = sm.pf_pop(Cycle(0)).unwrap().unwrap();
        assert_eq!(sm.pf_pop(Cycle(0)), Err(Fault::ReplyPending));
        assert_eq!(sm.pf_reply(false), Ok(false));
        (request.line, state(&sm, 0))
    });
    // Not sent: 11 while another request waits, then 00.
    assert_eq!((first, second), ((64, PrefetchState::Queued), (96, PrefetchState::Idle)));
    assert_eq!(sm.pf_pop(Cycle(0)), Ok(None));

    load(&mut sm, 9, Verdict::Hit, 64, 8);
    // A fill of an older request counts (apogee-H1); a reply after it changes nothing.
    assert_eq!(sm.pf_fill(RowId(0), 1, WarpId(0)), Ok(false));
    assert_eq!(state(&sm, 0), PrefetchState::Back);
    sm.pf_pop(Cycle(0)).unwrap().unwrap();
    assert_eq!((sm.pf_reply(true), state(&sm, 0)), (Ok(false), PrefetchState::Back));
    sm.pf_pop(Cycle(0)).unwrap().unwrap();
    assert_eq!((sm.pf_reply(false), state(&sm, 0)), (Ok(false), PrefetchState::Back));
    // The next load resets; what was queued before it still says that it was sent.
    load(&mut sm, 9, Verdict::Hit, 5000, 3);
    assert_eq!(state(&sm, 0), PrefetchState::Idle);
    assert_eq!((sm.pf_fill(RowId(0), 1, WarpId(0)), state(&sm, 0)), (Ok(false), PrefetchState::Idle));
    load(&mut sm, 9, Verdict::Hit, 128, 8);
    load(&mut sm, 9, Verdict::Hit, 6000, 3);
    sm.pf_pop(Cycle(0)).unwrap().unwrap();
    assert_eq!((state(&sm, 0), sm.pf_reply(true)), (PrefetchState::Idle, Ok(false)));
    assert_eq!(state(&sm, 0), PrefetchState::Sent);
}

/// Requests of another generation of a row do not keep its state (apogee-Q3), and are stale (apogee-Q4, apogee-H11).
#[test]
fn q3_requests_of_a_displaced_row_are_nobodys() {
    let mut sm = machine(&ApogeeConfig { entries: 1, ..ONE }).unwrap();
    load(&mut sm, 1, Verdict::Hit, 0, 4);
    load(&mut sm, 2, Verdict::Hit, 4096, 4);
    assert_eq!(sm.pf_pop(Cycle(0)).unwrap().unwrap().line, 32);
    assert_eq!((sm.pf_reply(true), state(&sm, 0)), (Ok(true), PrefetchState::Queued));
    assert_eq!(sm.pf_fill(RowId(0), 1, WarpId(0)), Ok(true));
    load(&mut sm, 1, Verdict::Hit, 64, 4);
    // The stale request of the same row and warp leaves first; the row's own is the only one that counts.
    assert_eq!(sm.pf_pop(Cycle(0)).unwrap().unwrap().generation, 2);
    assert_eq!(sm.pf_reply(false), Ok(true));
    assert_eq!(sm.pf_pop(Cycle(0)).unwrap().unwrap().generation, 3);
    assert_eq!((sm.pf_reply(false), state(&sm, 0)), (Ok(false), PrefetchState::Idle));
    assert_eq!(sm.flush(), Ok(0));
    assert_eq!(sm.pf_fill(RowId(0), 3, WarpId(0)), Ok(true));
}

/// apogee-Q1: what waits is merged, whatever row asked; what was popped waits no more.
#[test]
fn q1_lines_are_merged_only_while_they_wait() {
    let mut sm = machine(&ONE).unwrap();
    assert_eq!(load(&mut sm, 1, Verdict::Hit, 0, 4).pushed, [32]);
    let again = load(&mut sm, 2, Verdict::Hit, 0, 4);
    assert_eq!((again.loaded.merged, again.pushed), (1, vec![]));
    assert_eq!((state(&sm, 0), state(&sm, 1)), (PrefetchState::Queued, PrefetchState::Idle));
    sm.pf_pop(Cycle(0)).unwrap().unwrap();
    assert_eq!(load(&mut sm, 3, Verdict::Hit, 0, 4).pushed, [32]);
    let mut sm = machine(&ApogeeConfig { merge: Merge::Group, ..ONE }).unwrap();
    for pc in 1..=3 {
        assert_eq!(load(&mut sm, pc, Verdict::Hit, 0, 4).pushed, [32]);
    }
}

/// apogee-Q1, apogee-Q2: streams whose lines share bits of the filter are told apart, in whatever order they leave.
#[test]
fn q1_the_filter_tells_lines_apart() {
    let mut sm = machine(&ApogeeConfig { entries: 64, pfq: 64, dist_bits: 1, ..ONE }).unwrap();
    let mut waiting = Vec::new();
    for round in 0..40 {
        for stream in 0..5_u64 {
            let decided = load(&mut sm, stream, Verdict::Hit, stream << 20 | (32 * (round % 16)), 4);
            let line = (stream << 20) + 32 * (round % 16 + 1);
            let room = waiting.len() < 64;
            assert_eq!(decided.loaded.merged, u32::from(waiting.contains(&line)), "round {round}, stream {stream}");
            assert_eq!(decided.pushed, if room && !waiting.contains(&line) { vec![line] } else { vec![] });
            waiting.extend(decided.pushed);
        }
        for _ in 0..round % 4 {
            let request = sm.pf_pop(Cycle(0)).unwrap().unwrap();
            assert_eq!(request.line, waiting.remove(0));
            sm.pf_reply(true).unwrap();
        }
        let lines: Vec<_> = sm.queue().map(|waiting| waiting.request.line).collect();
        assert_eq!(lines, waiting);
    }
}

/// apogee-F3: lines in order of appearance, also downwards, and steps wider than a line.
#[test]
fn f3_lines_come_in_order_of_appearance() {
    let mut sm = machine(&ONE).unwrap();
    assert_eq!(load(&mut sm, 1, Verdict::Hit, 8128, -8).pushed, [8064, 8032, 8000]);
    assert_eq!(
        load(&mut sm, 2, Verdict::Hit, 0, 100).pushed,
        [800, 896, 992, 1088, 1184, 1280, 1376, 1472].map(|line| line / 32 * 32)
    );
    assert_eq!(load(&mut sm, 3, Verdict::Hit, 30, 1).pushed, [32]);
}

/// apogee-F2: at both ends of the address space, what lies outside is counted and the rest prefetched.
#[test]
fn f2_what_lies_outside_is_dropped() {
    let mut sm = machine(&ApogeeConfig { addr_bits: 10, ..ONE }).unwrap();
    let high = load(&mut sm, 1, Verdict::Hit, 928, 8);
    assert_eq!((high.pushed, high.loaded.outside), (vec![992], 4));
    let low = load(&mut sm, 2, Verdict::Hit, 88, -8);
    assert_eq!((low.pushed, low.loaded.outside), (vec![0], 4));
    // 2^16 - 1 iterations of 2^16 - 1 threads ahead at the widest offset: outside, and no overflow.
    let far =
        ApogeeConfig { offset_bits: 32, dist_bits: 16, init_distance: 65535, threads: 65535, addr_bits: 48, ..ONE };
    for (base, step) in [(0, i64::from(i32::MAX)), (1 << 47, i64::from(i32::MIN))] {
        let mut sm = machine(&far).unwrap();
        let decided = load(&mut sm, 1, Verdict::Hit, base, step);
        assert_eq!((decided.loaded.confirmed, decided.loaded.outside), (true, 8));
    }
}

/// apogee-H2: when the distance grows, the iteration that would be skipped comes first; a line of both comes once.
#[test]
fn f3_gap_fill_prefetches_the_skipped_iteration_first() {
    for (gap_fill, expected) in [(false, vec![96]), (true, vec![64, 96])] {
        let mut sm = machine(&ApogeeConfig { gap_fill, ..ONE }).unwrap();
        assert_eq!(walk(&mut sm, Verdict::Absent, 0).pushed, [32]);
        let second = walk(&mut sm, Verdict::Pending, 1);
        assert_eq!((second.loaded.adjust, second.pushed), (Adjust::Inc, expected));
    }
    let mut sm = machine(&ApogeeConfig { gap_fill: true, line_bytes: 128, ..ONE }).unwrap();
    walk(&mut sm, Verdict::Absent, 3);
    assert_eq!(walk(&mut sm, Verdict::Pending, 1).loaded.merged, 0);
    // Not when it cannot grow any more.
    let mut sm = machine(&ApogeeConfig { gap_fill: true, dist_bits: 1, ..ONE }).unwrap();
    walk(&mut sm, Verdict::Absent, 0);
    let second = walk(&mut sm, Verdict::Pending, 1);
    assert_eq!((second.loaded.adjust, second.pushed), (Adjust::IncSat, vec![64]));
}

/// apogee-H4: rows of an old kernel stay for ever; a flush frees them, and generations go on.
#[test]
fn t2_a_flush_frees_rows_that_nothing_displaces() {
    let mut sm = machine(&ApogeeConfig { entries: 2, ..ONE }).unwrap();
    for i in 0..60 {
        load(&mut sm, 1, Verdict::Hit, 32 * i, 4);
        serve(&mut sm);
    }
    for pc in 2..9 {
        let Loaded { entry, evicted, .. } = load(&mut sm, pc, Verdict::Hit, 0, 4).loaded;
        assert_eq!((entry, evicted), (RowId(1), (pc > 2).then_some(pc as u32 - 1)));
    }
    assert_eq!(sm.row(RowId(0)).unwrap().confidence, 255);
    // All ask for the same line.
    assert_eq!(sm.flush(), Ok(1));
    assert_eq!((sm.rows().count(), sm.last_load(WarpId(0)), sm.next_event()), (0, Some(LastLoad::default()), None));
    assert_eq!(load(&mut sm, 9, Verdict::Hit, 0, 4).loaded.entry, RowId(0));
    assert_eq!(sm.row(RowId(0)).unwrap().generation, 2);
}

/// apogee-C2, apogee-H12: a slow trigger moves to the load before it, unless that is the target.
#[test]
fn c2_a_slow_trigger_moves_back() {
    for moves in [true, false] {
        let mut sm = machine(&ONE).unwrap();
        let scalar = |sm: &mut Sm| load(sm, 3, Verdict::Absent, 4096, 0).loaded.tia;
        irregular(&mut sm, 2);
        assert_eq!(scalar(&mut sm), Tia::Added);
        irregular(&mut sm, 2);
        assert_eq!(scalar(&mut sm), Tia::Slow);
        if moves {
            irregular(&mut sm, 1);
        }
        let second = irregular(&mut sm, 2);
        assert_eq!((second.trig.len(), second.trig[0].moved), (1, moves));
        let trigger = sm.row(second.trig[0].entry).unwrap();
        let kind = RowKind::Trigger { target: 3, slow: false };
        assert_eq!((trigger.pc, trigger.kind), (if moves { 1 } else { 2 }, kind));
    }
}

/// apogee-C1: several rows of one trigger prefetch in ascending order, and are found though others share their bucket.
#[test]
fn c1_triggers_prefetch_in_the_order_of_rows() {
    let mut sm = machine(&ApogeeConfig { entries: 64, ..ONE }).unwrap();
    for target in 10..18 {
        irregular(&mut sm, 2);
        assert_eq!(load(&mut sm, target, Verdict::Absent, 4096 + 64 * target, 0).loaded.tia, Tia::Added);
        serve(&mut sm);
    }
    let decided = irregular(&mut sm, 2);
    let rows: Vec<_> = decided.trig.iter().map(|triggered| triggered.entry.0).collect();
    assert_eq!(rows, [2, 4, 6, 8, 10, 12, 14, 16]);
    assert_eq!(
        sm.queue().map(|waiting| waiting.request.line).collect::<Vec<_>>(),
        (10..18).map(|t| 4096 + 64 * t).collect::<Vec<_>>()
    );
}

/// apogee-H13: the next prefetch uses the new number of threads.
#[test]
fn f1_uses_the_threads_of_now() {
    let mut sm = machine(&ONE).unwrap();
    sm.set_threads(16).unwrap();
    assert_eq!((walk(&mut sm, Verdict::Hit, 0).pushed, sm.threads()), (vec![64], 16));
}
