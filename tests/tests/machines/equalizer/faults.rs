//! Every fault, in the order of the tests that the sheet names: an event that provokes it, and the state, which is then as before.

use gpusched::equalizer::{Counts, Fm, FmConfig, Objective, Sm, SmConfig};
use gpusched::{Cycle, Fault, SlotId, SmxId};
use gpusched_tests::equalizer::{FmEvent, Machine, SmEvent};

use crate::every::{assert_faults, assert_refused};

/// The faults of events in the sheet.
pub const SHEET: &str = "AlreadyVoted BadKernel BadObjective BadSample BadSlot BadSm BadVote Busy DuplicateBlock \
    NoKernel NotDue NotEnabled RoundOpen SampleMissed SlotEmpty TimeBackwards TimeOverflow UnsolicitedDeny UnsolicitedGrant";

const SM: SmConfig = SmConfig { sample_interval: 10, epoch_cycles: 20, ..SmConfig::GTX480 };

/// Without a kernel; at cycle 25, the next sample at 30.
fn fresh() -> Sm {
    let mut sm = Sm::new(&SM).unwrap();
    assert_eq!(sm.resync(Cycle(25)), Ok(Cycle(30)));
    sm
}

/// Two blocks of 16 warps in slots 0 and 1, a request open; at cycle 25, the next sample at 30.
fn busy() -> Sm {
    let mut sm = Sm::new(&SM).unwrap();
    sm.kernel_start(Cycle(0), 16, 3, false).unwrap();
    sm.grant(Cycle(0), 100).unwrap();
    sm.grant(Cycle(0), 101).unwrap();
    for now in [10, 20] {
        sm.sample(Cycle(now), &Counts { active: 32, ..Counts::default() }).unwrap();
    }
    sm.set_objective(Cycle(25), Objective::Energy).unwrap();
    assert_eq!((sm.state().outstanding, sm.next_sample()), (1, Cycle(30)));
    sm
}

/// All three blocks, nothing open.
fn full() -> Sm {
    let mut sm = busy();
    sm.grant(Cycle(25), 102).unwrap();
    sm
}

const NOTHING: Counts = Counts { active: 0, waiting: 0, xalu: 0, xmem: 0 };
const CONTRADICTION: Counts = Counts { active: u32::MAX, waiting: 1, xalu: 1, xmem: 1 };

/// Every event that has a time, wrong in all other ways.
fn wrong_events(now: u64) -> Vec<SmEvent> {
    let now = Cycle(now);
    vec![
        SmEvent::KernelStart { now, w_cta: 0, limit: 0, keep: false },
        SmEvent::Grant { now, block: 100 },
        SmEvent::Deny { now },
        SmEvent::Refill { now },
        SmEvent::BlockEnd { now, slot: SlotId(32) },
        SmEvent::Sample { now, counts: CONTRADICTION },
        SmEvent::SetObjective { now, objective: None },
    ]
}

fn kernel(w_cta: u32, limit: u32) -> SmEvent {
    SmEvent::KernelStart { now: Cycle(25), w_cta, limit, keep: false }
}

fn sample(now: u64, [active, waiting, xalu, xmem]: [u32; 4]) -> SmEvent {
    SmEvent::Sample { now: Cycle(now), counts: Counts { active, waiting, xalu, xmem } }
}

fn end(slot: u8) -> SmEvent {
    SmEvent::BlockEnd { now: Cycle(25), slot: SlotId(slot) }
}

/// Machines, and events that they refuse.
fn sm_refusals() -> Vec<(Sm, Fault, SmEvent)> {
    let mut all = Vec::new();
    for now in [1 << 63, u64::MAX] {
        let resync = SmEvent::Resync { now: Cycle(now) };
        let events = wrong_events(now).into_iter().chain([resync]);
        all.extend(events.map(|event| (busy(), Fault::TimeOverflow, event)));
    }
    let early = wrong_events(24).into_iter().chain([SmEvent::Resync { now: Cycle(24) }]);
    all.extend(early.map(|event| (busy(), Fault::TimeBackwards, event)));
    for now in [31, (1 << 63) - 1] {
        all.extend(wrong_events(now).into_iter().map(|event| (busy(), Fault::SampleMissed, event)));
    }
    let now = Cycle(25);
    all.extend([
        (busy(), Fault::Busy, kernel(8, 6)),
        (busy(), Fault::Busy, kernel(0, 0)),
        (full(), Fault::Busy, kernel(8, 6)),
        (fresh(), Fault::BadKernel, kernel(0, 1)),
        (fresh(), Fault::BadKernel, kernel(1, 0)),
        (fresh(), Fault::BadKernel, kernel(1, 9)),
        (fresh(), Fault::BadKernel, kernel(7, 7)),
        (fresh(), Fault::BadKernel, kernel(49, 1)),
        (fresh(), Fault::BadKernel, kernel(u32::MAX, u32::MAX)),
        (fresh(), Fault::BadKernel, kernel(1 << 31, 2)),
        (fresh(), Fault::UnsolicitedGrant, SmEvent::Grant { now, block: 1 }),
        (full(), Fault::UnsolicitedGrant, SmEvent::Grant { now, block: 100 }),
        (busy(), Fault::DuplicateBlock, SmEvent::Grant { now, block: 101 }),
        (fresh(), Fault::UnsolicitedDeny, SmEvent::Deny { now }),
        (full(), Fault::UnsolicitedDeny, SmEvent::Deny { now }),
        (fresh(), Fault::NoKernel, SmEvent::Refill { now }),
        (busy(), Fault::BadSlot, end(8)),
        (busy(), Fault::BadSlot, end(u8::MAX)),
        (busy(), Fault::SlotEmpty, end(2)),
        (busy(), Fault::SlotEmpty, end(7)),
        (busy(), Fault::NotDue, sample(25, [0; 4])),
        (busy(), Fault::NotDue, SmEvent::Sample { now: Cycle(29), counts: CONTRADICTION }),
        (busy(), Fault::BadSample, sample(30, [49, 0, 0, 0])),
        (busy(), Fault::BadSample, sample(30, [2, 1, 1, 1])),
        (busy(), Fault::BadSample, sample(30, [0, 0, 0, 1])),
        (busy(), Fault::BadSample, sample(30, [48, u32::MAX, 1, 0])),
        (busy(), Fault::BadSample, sample(30, [48, u32::MAX, u32::MAX, u32::MAX])),
        (busy(), Fault::BadObjective, SmEvent::SetObjective { now, objective: None }),
        (busy(), Fault::BadSample, SmEvent::Decide { sums: NOTHING, samples: 0, w_cta: 8 }),
    ]);
    all.extend([
        (fresh(), Fault::BadSample, SmEvent::Sample { now: Cycle(30), counts: CONTRADICTION }),
        (fresh(), Fault::NoKernel, sample(30, [1, 0, 0, 0])),
    ]);
    all
}

const FM: FmConfig = FmConfig { sms: 3, ..FmConfig::GTX480 };

/// A round in which SM 0 has voted and SM 2 does not, at cycle 9.
fn open() -> Fm {
    let mut fm = Fm::new(&FM).unwrap();
    fm.enable(Cycle(3), SmxId(2), false).unwrap();
    assert_eq!(fm.vote(Cycle(9), SmxId(0), 1, -1), Ok(None));
    fm
}

fn vote(now: u64, sm: u16, sm_vote: i32, mem_vote: i32) -> FmEvent {
    FmEvent::Vote { now: Cycle(now), sm: SmxId(sm), sm_vote, mem_vote }
}

fn fm_refusals() -> Vec<(Fm, Fault, FmEvent)> {
    let mut all = Vec::new();
    for (fault, at) in [(Fault::TimeOverflow, 1 << 63), (Fault::TimeBackwards, 8)] {
        let now = Cycle(at);
        let events = [
            vote(at, 3, 2, 2),
            FmEvent::Close { now },
            FmEvent::Enable { now, sm: SmxId(3), on: true },
            FmEvent::Levels { now },
            FmEvent::Reset { now },
        ];
        all.extend(events.map(|event| (fault, event)));
    }
    let now = Cycle(9);
    all.extend([
        (Fault::BadSm, vote(9, 3, 2, 2)),
        (Fault::BadSm, vote(9, u16::MAX, 0, 0)),
        (Fault::NotEnabled, vote(9, 2, 2, 2)),
        (Fault::BadVote, vote(9, 1, 2, 0)),
        (Fault::BadVote, vote(9, 1, 0, -2)),
        (Fault::BadVote, vote(9, 0, i32::MIN, i32::MAX)),
        (Fault::AlreadyVoted, vote(9, 0, 0, 0)),
        (Fault::BadSm, FmEvent::Enable { now, sm: SmxId(3), on: true }),
        (Fault::RoundOpen, FmEvent::Enable { now, sm: SmxId(1), on: false }),
        (Fault::RoundOpen, FmEvent::Enable { now, sm: SmxId(1), on: true }),
    ]);
    all.into_iter().map(|(fault, event)| (open(), fault, event)).collect()
}

#[test]
fn refused_events_change_nothing() {
    assert_refused(sm_refusals());
    assert_refused(fm_refusals());
}

#[test]
fn every_fault_of_the_sheet_is_provoked() {
    let faults = sm_refusals().into_iter().map(|(_, fault, _)| fault);
    let faults = faults.chain(fm_refusals().into_iter().map(|(_, fault, _)| fault));
    let numbers = [8, 14, 25, 100].into_iter().chain(120..=134).collect::<Vec<_>>();
    assert_faults(faults, SHEET, &numbers);
}

/// The tests are tight: what is just within a limit is accepted.
#[test]
fn what_is_within_the_limits_is_accepted() {
    let mut sm = Sm::new(&SM).unwrap();
    sm.resync(Cycle((1 << 63) - 1)).unwrap();
    assert!(sm.kernel_start(Cycle((1 << 63) - 1), 48, 1, false).is_ok());
    for (w_cta, limit) in [(6, 8), (1, 1), (48, 1), (1, 8)] {
        assert!(Sm::new(&SM).unwrap().kernel_start(Cycle(10), w_cta, limit, true).is_ok());
    }
    assert!(busy().take(&sample(30, [48, 16, 16, 16])).is_ok());
    assert!(busy().take(&SmEvent::Grant { now: Cycle(30), block: u64::MAX }).is_ok());
    assert_eq!(busy().resync(Cycle(25)), Ok(Cycle(30)));
    assert_eq!(busy().resync(Cycle(30)), Ok(Cycle(40)));
    assert_eq!(busy().block_end(Cycle(25), SlotId(1)).unwrap().block, 101);
    assert!(open().take(&vote(9, 1, -1, 1)).is_ok());
    let mut fm = Fm::new(&FM).unwrap();
    assert!(fm.close(Cycle((1 << 63) - 1)).is_ok(), "a round without votes may be closed");
}
