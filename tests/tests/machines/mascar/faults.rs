//! Every fault, in the order of the tests that the sheet names: a call that provokes it, and the state, which is then as before.

use gpusched::mascar::{Kind, Lookup, Mascar, MascarConfig, Offsets, Request, WarpId};
use gpusched::{Cycle, Fault};
use gpusched_tests::mascar::{Event, HeapTables, Machine, machine};

use crate::every::{assert_faults, assert_refused};

/// The faults of events in the sheet.
pub const SHEET: &str = "BadCount BadHead BadMask BadOccupancy BadRegister BadReply BadRequest BadSource BadWarp \
    LsuNotAwaiting NoReplyPending ReplyPending TimeBackwards TimeOverflow WarpHasRequests WarpNotResident WarpResident \
    WrongWarp";

type Sm = Mascar<HeapTables>;

const CONFIG: MascarConfig = MascarConfig { warps: 4, schedulers: 2, rexq: 2, warp_size: 4, ..MascarConfig::GTX480 };
const GOOD: Request = Request { base: 0x80, mask: 0b1111, offs: Offsets([(1 << 28) - 1, 0, 0, 0, 0, 0, 0]) };

/// Warps 0 to 2 are resident; the LSU waits for warp 0, warp 1 has an entry in the queue. The last pick was at 20.
fn awaiting() -> Sm {
    let mut sm = machine(&CONFIG).unwrap();
    for w in [1, 0, 2] {
        sm.warp_start(WarpId(w)).unwrap();
    }
    sm.set_head(WarpId(1), Kind::Mem, true, false).unwrap();
    sm.pick(Cycle(10), true, None).unwrap();
    sm.lsu_begin(WarpId(1), 1, 3).unwrap();
    sm.lsu_next().unwrap();
    sm.lsu_reply(Lookup::Miss, false, Some(&GOOD)).unwrap();
    sm.set_head(WarpId(0), Kind::Mem, true, false).unwrap();
    sm.pick(Cycle(20), true, None).unwrap();
    sm
}

/// The same, but warp 0's first request of two is presented.
fn presented() -> Sm {
    let mut sm = awaiting();
    sm.lsu_begin(WarpId(0), 2, 4).unwrap();
    sm.lsu_next().unwrap();
    sm
}

fn set_head(w: u8, kind: Option<Kind>, ready: bool, dep_load: bool) -> Event {
    Event::SetHead { w: WarpId(w), kind, ready, dep_load }
}

fn l1(src: u32, mshr: u32, missq: u32) -> Event {
    Event::L1State { src, mshr, missq }
}

fn pick(now: u64, comp_accept: Option<u32>) -> Event {
    Event::Pick { now: Cycle(now), lsu_accept: true, comp_accept }
}

fn begin(w: u8, nreq: u32, dst: u32) -> Event {
    Event::LsuBegin { w: WarpId(w), nreq, dst }
}

fn reply(result: Option<Lookup>, request: Option<Request>) -> Event {
    Event::LsuReply { result, room: true, request }
}

/// Events that are wrong in one way, and then in every way that is tested later, too: while the LSU waits for warp 0.
fn refusals() -> Vec<(Fault, Event)> {
    let start = |w| Event::WarpStart { w: WarpId(w) };
    let exit = |w| Event::WarpExit { w: WarpId(w) };
    vec![
        (Fault::BadWarp, start(4)),
        (Fault::BadWarp, start(255)),
        (Fault::WarpResident, start(0)),
        (Fault::BadWarp, exit(4)),
        (Fault::WarpNotResident, exit(3)),
        // In the LSU; in the queue.
        (Fault::WarpHasRequests, exit(0)),
        (Fault::WarpHasRequests, exit(1)),
        (Fault::BadWarp, set_head(4, None, true, true)),
        (Fault::BadWarp, set_head(64, Some(Kind::Alu), true, false)),
        (Fault::WarpNotResident, set_head(3, None, true, true)),
        (Fault::WarpNotResident, set_head(3, Some(Kind::Alu), true, false)),
        (Fault::BadHead, set_head(2, None, false, false)),
        (Fault::BadHead, set_head(2, Some(Kind::Alu), true, true)),
        (Fault::BadHead, set_head(2, Some(Kind::Mem), true, true)),
        (Fault::BadHead, set_head(2, Some(Kind::None), true, false)),
        (Fault::BadHead, set_head(2, Some(Kind::None), false, true)),
        (Fault::BadHead, set_head(2, Some(Kind::Sync), true, false)),
        (Fault::BadHead, set_head(2, Some(Kind::Sync), false, true)),
        (Fault::BadSource, l1(1, 0, 0)),
        (Fault::BadSource, l1(u32::MAX, u32::MAX, u32::MAX)),
        (Fault::BadOccupancy, l1(0, 65, 0)),
        (Fault::BadOccupancy, l1(0, 0, 9)),
        (Fault::TimeOverflow, pick(1 << 63, None)),
        (Fault::TimeOverflow, pick(u64::MAX, Some(u32::MAX))),
        (Fault::TimeBackwards, pick(20, None)),
        (Fault::TimeBackwards, pick(0, Some(4))),
        (Fault::BadMask, pick(21, Some(4))),
        (Fault::BadMask, pick(21, Some(u32::MAX))),
        (Fault::WrongWarp, begin(1, 1, 0)),
        (Fault::WrongWarp, begin(200, 5, 128)),
        (Fault::BadCount, begin(0, 5, 128)),
        (Fault::BadCount, begin(0, u32::MAX, 0)),
        (Fault::BadRegister, begin(0, 4, 128)),
        (Fault::BadRegister, begin(0, 0, u32::MAX)),
        (Fault::NoReplyPending, reply(None, None)),
        (Fault::NoReplyPending, reply(Some(Lookup::Hit), Some(GOOD))),
    ]
}

/// The same while warp 0's request is presented.
fn refusals_of_a_reply() -> Vec<(Fault, Event)> {
    let mut beyond = GOOD;
    beyond.offs.set(4, 1);
    let mut far = GOOD;
    far.offs.set(63, 0x40);
    vec![
        (Fault::LsuNotAwaiting, begin(0, 1, 0)),
        (Fault::LsuNotAwaiting, begin(200, 5, 128)),
        (Fault::ReplyPending, Event::LsuNext),
        (Fault::BadReply, reply(None, Some(GOOD))),
        (Fault::BadReply, reply(None, None)),
        (Fault::BadRequest, reply(Some(Lookup::Hit), None)),
        (Fault::BadRequest, reply(Some(Lookup::Miss), Some(Request { mask: 0, ..GOOD }))),
        (Fault::BadRequest, reply(Some(Lookup::Miss), Some(Request { mask: 0b1_0001, ..GOOD }))),
        (Fault::BadRequest, reply(Some(Lookup::Miss), Some(beyond))),
        (Fault::BadRequest, reply(Some(Lookup::Miss), Some(far))),
        (Fault::WarpHasRequests, Event::WarpExit { w: WarpId(0) }),
    ]
}

#[test]
fn refused_events_change_nothing() {
    for (from, refusals) in [(awaiting(), refusals()), (presented(), refusals_of_a_reply())] {
        assert_refused(refusals.into_iter().map(|(fault, event)| (from.clone(), fault, event)));
    }
}

#[test]
fn every_fault_of_the_sheet_is_provoked() {
    let all = [refusals(), refusals_of_a_reply()].concat();
    assert_faults(all.iter().map(|(fault, _)| *fault), SHEET, &[]);
}

/// The gates are tight: what is just within a limit is accepted.
#[test]
fn what_is_within_the_limits_is_accepted() {
    let accepted = [
        Event::WarpStart { w: WarpId(3) },
        Event::WarpExit { w: WarpId(2) },
        set_head(2, Some(Kind::Alu), true, false),
        set_head(2, Some(Kind::Mem), false, true),
        set_head(2, Some(Kind::Sync), false, false),
        l1(0, 64, 8),
        pick(21, Some(3)),
        pick((1 << 63) - 1, None),
        begin(0, 4, 127),
        begin(0, 0, 0),
    ];
    for event in accepted {
        assert!(awaiting().take(&event).is_ok(), "{event:?}");
    }
    let last = Request { base: u64::MAX, mask: 0b1000, ..GOOD };
    assert!(presented().take(&reply(Some(Lookup::Miss), Some(last))).is_ok());
    // Whole warps of 64 threads: every bit of mask and offsets.
    let config = MascarConfig { warp_size: 64, ..CONFIG };
    let mut sm = machine(&config).unwrap();
    sm.warp_start(WarpId(0)).unwrap();
    sm.set_head(WarpId(0), Kind::Mem, true, false).unwrap();
    sm.pick(Cycle(0), true, None).unwrap();
    sm.lsu_begin(WarpId(0), 64, 0).unwrap();
    sm.lsu_next().unwrap();
    let all = Request { base: 1, mask: u64::MAX, offs: Offsets([u64::MAX; 7]) };
    assert!(sm.lsu_reply(Lookup::Miss, false, Some(&all)).is_ok());
    assert_eq!(sm.rexq().next().unwrap().request, all);
}
