//! Every fault, in the order of the tests that the sheet names: a call that provokes it, and the state, which is then as before.

use gpusched::power::{BubbleConfig, Waiting};
use gpusched::{Cycle, Fault, Resources, SmxId, SmxSet};
use gpusched_tests::bubble::{Event, HeapTables, Machine, machine};

use crate::every::{assert_faults, assert_refused};

/// The faults of events in the sheet.
pub const SHEET: &str = "BadActivity BadMask BadResources BadSmx TbTooBig NoFit NotEligible OffSample \
    ReleaseUnderflow TimeBackwards";

type Gpu = gpusched::power::BubbleDvfs<HeapTables>;

const CONFIG: BubbleConfig = BubbleConfig {
    smxs: 2,
    sample_cycles: 10,
    warp_size: 4,
    smx_threads: 64,
    smx_regs: 100,
    smx_smem: 10,
    smx_slots: 4,
    t_num: 1,
    t_den: 4,
    ..BubbleConfig::K20C
};
const ONE: Resources = Resources { threads: 16, regs: 50, smem: 5, slots: 1 };
const NOTHING: Resources = Resources { threads: 0, regs: 0, smem: 0, slots: 0 };
const LARGE: Resources = Resources { threads: 65, regs: 101, smem: 11, slots: 5 };

/// SMX 0 holds a TB; SMX 1 is empty, diverted, and going down. The last sample was at 20.
fn gpu() -> Gpu {
    let mut gpu = machine(&CONFIG).unwrap();
    gpu.dispatched(Cycle(3), SmxId(0), &ONE).unwrap();
    let sample = gpu.sample(Cycle(20), None, None).unwrap();
    assert!(sample.down.contains(SmxId(1)) && sample.eligible.contains(SmxId(0)));
    gpu
}

fn start(now: u64, smx: u16, res: Resources) -> Event {
    Event::Dispatched { now: Cycle(now), smx: SmxId(smx), res }
}

fn end(now: u64, smx: u16, res: Resources) -> Event {
    Event::Completed { now: Cycle(now), smx: SmxId(smx), res }
}

fn sample(now: u64, waiting: Option<(Resources, Option<u64>)>, activity: Option<Vec<u16>>) -> Event {
    let allowed = |mask: u64| SmxSet::from_words([mask, 0, 0, 0]);
    let waiting = waiting.map(|(res, mask)| Waiting { res, allowed: mask.map(allowed) });
    Event::Sample { now: Cycle(now), waiting, activity }
}

fn account(now: u64, activity: Option<Vec<u16>>) -> Event {
    Event::Account { now: Cycle(now), activity }
}

/// Events that are wrong in one way, and then in every way that is tested later, too.
fn refusals() -> Vec<(Fault, Event)> {
    let with = |part: fn(&mut Resources)| {
        let mut res = ONE;
        part(&mut res);
        res
    };
    let far = SmxSet::from_words([0, 0, 0, 1]);
    let mut all = vec![
        (Fault::TimeBackwards, start(19, 0, ONE)),
        (Fault::TimeBackwards, start(19, 2, NOTHING)),
        (Fault::BadSmx, start(20, 2, ONE)),
        (Fault::BadSmx, start(20, u16::MAX, NOTHING)),
        (Fault::BadResources, start(20, 0, with(|r| r.threads = 0))),
        (Fault::BadResources, start(20, 0, with(|r| r.slots = 0))),
        (Fault::BadResources, start(20, 1, Resources { threads: 0, ..LARGE })),
        (Fault::NotEligible, start(20, 1, ONE)),
        (Fault::NotEligible, start(20, 1, Resources { threads: 64, regs: 100, smem: 10, slots: 4 })),
        (Fault::NoFit, start(20, 0, with(|r| r.threads = 49))),
        (Fault::NoFit, start(20, 0, with(|r| r.regs = 51))),
        (Fault::NoFit, start(20, 0, with(|r| r.smem = 6))),
        (Fault::NoFit, start(20, 0, with(|r| r.slots = 4))),
        (Fault::TimeBackwards, end(19, 0, ONE)),
        (Fault::TimeBackwards, end(19, 2, NOTHING)),
        (Fault::BadSmx, end(20, 2, ONE)),
        (Fault::BadSmx, end(20, 2, NOTHING)),
        (Fault::BadResources, end(20, 1, NOTHING)),
        (Fault::BadResources, end(20, 0, with(|r| r.slots = 0))),
        // No TB there; more warps; more of each component than was taken.
        (Fault::ReleaseUnderflow, end(20, 1, ONE)),
        (Fault::ReleaseUnderflow, end(20, 0, with(|r| r.threads = 17))),
        (Fault::ReleaseUnderflow, end(20, 0, with(|r| r.threads = u32::MAX))),
        (Fault::ReleaseUnderflow, end(20, 0, with(|r| r.regs = 51))),
        (Fault::ReleaseUnderflow, end(20, 0, with(|r| r.smem = 6))),
        (Fault::ReleaseUnderflow, end(20, 0, with(|r| r.slots = 2))),
        (Fault::TimeBackwards, sample(19, None, None)),
        (Fault::TimeBackwards, sample(19, Some((NOTHING, Some(0))), Some(vec![]))),
        (Fault::OffSample, sample(20, None, None)),
        (Fault::OffSample, sample(29, None, None)),
        (Fault::OffSample, sample(31, Some((NOTHING, Some(0))), Some(vec![]))),
        (Fault::OffSample, sample(40, None, None)),
        (Fault::BadResources, sample(30, Some((with(|r| r.threads = 0), None)), None)),
        (Fault::BadResources, sample(30, Some((Resources { slots: 0, ..LARGE }, Some(0))), Some(vec![]))),
        (Fault::TbTooBig, sample(30, Some((LARGE, None)), None)),
        (Fault::TbTooBig, sample(30, Some((LARGE, Some(0))), Some(vec![]))),
        (Fault::BadMask, sample(30, Some((ONE, Some(0))), None)),
        (Fault::BadMask, sample(30, Some((ONE, Some(0b101))), None)),
        (Fault::BadMask, sample(30, Some((ONE, Some(0b100))), Some(vec![]))),
        (Fault::BadActivity, sample(30, None, Some(vec![]))),
        (Fault::BadActivity, sample(30, None, Some(vec![1]))),
        (Fault::BadActivity, sample(30, None, Some(vec![1, 1, 1]))),
        (Fault::BadActivity, sample(30, Some((ONE, Some(0b11))), Some(vec![0, 1001]))),
        (Fault::TimeBackwards, account(19, Some(vec![]))),
        (Fault::BadActivity, account(20, Some(vec![1]))),
        (Fault::BadActivity, account(20, Some(vec![1001, 0]))),
    ];
    let parts: [fn(&mut Resources); 4] = [|r| r.threads = 65, |r| r.regs = 101, |r| r.smem = 11, |r| r.slots = 5];
    for part in parts {
        // On an SMX that is not eligible, too.
        all.extend([0, 1].map(|smx| (Fault::TbTooBig, start(20, smx, with(part)))));
    }
    let waiting = Some(Waiting { res: ONE, allowed: Some(far) });
    all.push((Fault::BadMask, Event::Sample { now: Cycle(30), waiting, activity: None }));
    all
}

#[test]
fn refused_events_change_nothing() {
    assert_refused(refusals().into_iter().map(|(fault, event)| (gpu(), fault, event)));
}

#[test]
fn every_fault_of_the_sheet_is_provoked() {
    let numbers = [5, 7, 39, 44, 64, 68, 90, 91, 92, 120];
    assert_faults(refusals().iter().map(|(fault, _)| *fault), SHEET, &numbers);
}

/// The gates are tight: what is just within a limit is accepted.
#[test]
fn what_is_within_the_limits_is_accepted() {
    let accepted = [
        start(20, 0, Resources { threads: 48, regs: 50, smem: 5, slots: 3 }),
        end(20, 0, ONE),
        end(21, 0, Resources { threads: 1, regs: 0, smem: 0, slots: 1 }),
        sample(30, Some((Resources { threads: 64, regs: 100, smem: 10, slots: 4 }, Some(0b10))), Some(vec![1000, 0])),
        account(20, Some(vec![1000, 0])),
    ];
    for event in accepted {
        assert!(gpu().take(&event).is_ok(), "{event:?}");
    }
}

/// An SMX that is going down, low or going up takes no TB; one that drains takes none either.
#[test]
fn no_tb_starts_before_the_high_pstate_is_reached() {
    let mut gpu = gpu();
    let tb = Waiting { res: ONE, allowed: Some(SmxSet::from_words([0b10, 0, 0, 0])) };
    for (now, waiting) in [(30, None), (40, Some(&tb))] {
        gpu.sample(Cycle(now), waiting, None).unwrap();
        assert_eq!(gpu.dispatched(Cycle(now), SmxId(1), &ONE), Err(Fault::NotEligible));
    }
    gpu.sample(Cycle(50), Some(&tb), None).unwrap();
    assert!(gpu.dispatched(Cycle(50), SmxId(1), &ONE).is_ok());
}
