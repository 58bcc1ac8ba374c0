//! Every fault, in the order of the tests that the sheet names: a call that provokes it, and the state, which is then as before.

use gpusched::apogee::{Apogee, ApogeeConfig, RowId, Verdict, WarpId};
use gpusched::{Cycle, Fault};
use gpusched_tests::apogee::{Event, Form, HeapTables, Load, Machine, machine};

use crate::every::{assert_faults, assert_refused};

/// The faults of events in the sheet.
pub const SHEET: &str = "AddressRange BadEntry BadLanes BadResult BadThreads BadWarp NoActiveLanes NoReplyPending \
    PcRange ReplyPending TimeBackwards TimeOverflow";

type Sm = Apogee<HeapTables>;

const CONFIG: ApogeeConfig = ApogeeConfig {
    entries: 4,
    warps: 2,
    warp_size: 4,
    threads: 8,
    addr_bits: 12,
    pc_bits: 4,
    ..ApogeeConfig::APOGEE_4
};

fn good() -> Load {
    Load {
        now: Cycle(100),
        pc: 3,
        warp: WarpId(1),
        result: Some(Verdict::Absent),
        lanes: vec![(0, 64), (1, 68), (2, 72), (3, 76)],
        form: Form::List,
    }
}

/// The load of PC 3 has asked for a line; with `popped`, that is popped and not answered.
fn sm(popped: bool) -> Sm {
    let mut sm = machine(&CONFIG).unwrap();
    sm.take(&Event::Load(good())).unwrap();
    if popped {
        sm.pf_pop(Cycle(110)).unwrap().unwrap();
    }
    sm
}

/// Makes a load wrong in one way.
type Spoil = fn(&mut Load);

/// Loads that are wrong in one way, and then in every way that is tested later, too.
fn loads() -> Vec<(Fault, Load)> {
    let ways: [(Fault, Spoil); 8] = [
        (Fault::BadResult, |load| load.result = None),
        (Fault::AddressRange, |load| load.lanes[1].1 = 1 << 12),
        (Fault::BadLanes, |load| load.lanes[3].0 = 4),
        (Fault::NoActiveLanes, |load| load.lanes.clear()),
        (Fault::PcRange, |load| load.pc = 16),
        (Fault::BadWarp, |load| load.warp = WarpId(2)),
        (Fault::TimeBackwards, |load| load.now = Cycle(99)),
        (Fault::TimeOverflow, |load| load.now = Cycle(1 << 63)),
    ];
    let mut all = Vec::new();
    let mut worse = good();
    for (fault, spoil) in ways {
        let mut one = good();
        spoil(&mut one);
        // Lanes that are no list any more cannot be spoilt further.
        if !worse.lanes.is_empty() || !matches!(fault, Fault::BadLanes | Fault::AddressRange) {
            spoil(&mut worse);
        }
        all.extend([(fault, one), (fault, worse.clone())]);
    }
    let with = |change: fn(&mut Load)| {
        let mut load = good();
        change(&mut load);
        load
    };
    all.extend([
        (Fault::TimeOverflow, with(|load| load.now = Cycle(u64::MAX))),
        (Fault::BadWarp, with(|load| load.warp = WarpId(u16::MAX))),
        (Fault::PcRange, with(|load| load.pc = 1 << 32)),
        (Fault::BadLanes, with(|load| load.lanes[1].0 = 0)),
        (Fault::BadLanes, with(|load| load.lanes[2].0 = 0)),
        (Fault::BadLanes, with(|load| load.lanes[3].0 = 255)),
        (Fault::AddressRange, with(|load| load.lanes[0].1 = u64::MAX)),
        (Fault::AddressRange, with(|load| load.lanes[3].1 = 4096)),
        // A sequence that leaves the address space between its ends: none does, but its ends can.
        (Fault::AddressRange, with(|load| load.lanes = vec![(0, 4090), (1, 4094), (2, 4098), (3, 4102)])),
    ]);
    all
}

fn refusals() -> Vec<(Fault, bool, Event)> {
    let mut all = Vec::new();
    for (fault, load) in loads() {
        for form in Form::ALL {
            all.push((fault, false, Event::Load(Load { form, ..load.clone() })));
        }
    }
    let fill = |entry, warp| Event::PfFill { entry: RowId(entry), generation: 1, warp: WarpId(warp) };
    all.extend([
        (Fault::TimeOverflow, true, Event::PfPop { now: Cycle(1 << 63) }),
        (Fault::TimeBackwards, true, Event::PfPop { now: Cycle(109) }),
        (Fault::TimeBackwards, false, Event::PfPop { now: Cycle(99) }),
        (Fault::ReplyPending, true, Event::PfPop { now: Cycle(110) }),
        (Fault::NoReplyPending, false, Event::PfReply { sent: true }),
        (Fault::NoReplyPending, false, Event::PfReply { sent: false }),
        (Fault::BadEntry, false, fill(4, 0)),
        (Fault::BadEntry, false, fill(u16::MAX, 2)),
        (Fault::BadWarp, false, fill(3, 2)),
        (Fault::BadWarp, false, fill(0, u16::MAX)),
        (Fault::ReplyPending, true, Event::Flush),
        (Fault::BadThreads, false, Event::SetThreads { n: 0 }),
        (Fault::BadThreads, false, Event::SetThreads { n: 65536 }),
        (Fault::BadThreads, false, Event::SetThreads { n: u32::MAX }),
    ]);
    all
}

#[test]
fn refused_events_change_nothing() {
    assert_refused(refusals().into_iter().map(|(fault, popped, event)| (sm(popped), fault, event)));
}

#[test]
fn every_fault_of_the_sheet_is_provoked() {
    let numbers = [25, 120, 140, 150, 151, 160, 161, 162, 163, 164, 165, 166];
    assert_faults(refusals().iter().map(|(fault, ..)| *fault), SHEET, &numbers);
}

/// The gates are tight: what is just within a limit is accepted.
#[test]
fn what_is_within_the_limits_is_accepted() {
    let load = |change: fn(&mut Load)| {
        let mut load = good();
        change(&mut load);
        Event::Load(load)
    };
    let accepted = [
        (false, load(|load| load.now = Cycle((1 << 63) - 1))),
        (false, load(|load| load.pc = 15)),
        (false, load(|load| load.lanes = vec![(3, 4095)])),
        (false, load(|load| load.lanes = vec![(0, 4092), (1, 4093), (2, 4094), (3, 4095)])),
        (false, Event::PfPop { now: Cycle((1 << 63) - 1) }),
        (true, Event::PfReply { sent: false }),
        (false, Event::PfFill { entry: RowId(3), generation: 0, warp: WarpId(1) }),
        (false, Event::SetThreads { n: 1 }),
        (false, Event::SetThreads { n: 65535 }),
        (false, Event::Flush),
    ];
    for (popped, event) in accepted {
        assert!(sm(popped).take(&event).is_ok(), "{event:?}");
    }
}
