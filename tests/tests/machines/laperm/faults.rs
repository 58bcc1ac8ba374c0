//! Every named error, in the order of the sheet's tests, and the state after it.

use std::collections::BTreeSet;

use gpusched::laperm::{Config, LaPerm, Model, Policy};
use gpusched::{BuildError, Cycle, Fault, KernelSlot, Resources, SmxId, UnitId};
use gpusched_tests::laperm::heap::{self, HeapTables};

use crate::every::with;

type Machine = LaPerm<HeapTables>;

const TB: Resources = Resources { threads: 32, regs: 10, smem: 5, slots: 1 };
const CONFIG: Config = Config {
    smxs: 2,
    levels: 2,
    queue_cap: 1,
    q0_cap: 1,
    pool_cap: 1,
    kdu_entries: 2,
    smx_threads: 64,
    smx_regs: 100,
    smx_smem: 10,
    smx_slots: 2,
    ..Config::K20C
};
const S0: SmxId = SmxId(0);
const S2: SmxId = SmxId(2);

/// A machine in cycle 5, with one TB on SMX 0 and all queues and lists full.
fn full(config: Config) -> Machine {
    let mut m = heap::machine(&config).unwrap();
    m.push_host(Cycle(5), 1, 1, TB).unwrap();
    if config.model == Model::Cdp {
        m.kmu_tick(Cycle(5)).unwrap();
    }
    m.tick(Cycle(5)).unwrap();
    if config.model == Model::Dtbl {
        m.push_child(Cycle(5), 2, 1, TB, S0, 0).unwrap();
        m.push_host(Cycle(5), 4, 1, TB).ok();
    }
    m.push_child(Cycle(5), 3, 1, TB, S0, 0).unwrap();
    m
}

fn groups() -> Machine {
    full(CONFIG)
}

fn kernels() -> Machine {
    full(Config { model: Model::Cdp, kmu_dispatch_cycles: 0, levels: 1, policy: Policy::Rr, ..CONFIG })
}

type State = fn() -> Machine;
type Call = fn(&mut Machine, Cycle) -> Result<(), Fault>;

const LATE: Cycle = Cycle(9);
const EARLY: Cycle = Cycle(4);

/// What is refused, where, with what.
const REFUSALS: &[(Fault, State, Cycle, Call)] = &[
    (Fault::TimeBackwards, groups, EARLY, |m, t| m.push_host(t, 9, 0, TB).map(drop)),
    (Fault::TimeBackwards, groups, EARLY, |m, t| m.push_child(t, 9, 1, TB, S2, 0).map(drop)),
    (Fault::TimeBackwards, groups, EARLY, |m, t| m.tick(t).map(drop)),
    (Fault::TimeBackwards, groups, EARLY, |m, t| m.tb_done(t, S2, TB, None).map(drop)),
    (Fault::TimeBackwards, kernels, EARLY, |m, t| m.kmu_tick(t).map(drop)),
    (Fault::TimeBackwards, groups, EARLY, |m, t| m.set_mask(t, S2, true)),
    (Fault::TimeBackwards, groups, EARLY, |m, t| m.waiting_head(t, UnitId(2)).map(drop)),
    (Fault::SameCycle, groups, Cycle(5), |m, t| m.tick(t).map(drop)),
    (Fault::BadSmx, groups, LATE, |m, t| m.push_child(t, 9, 0, TB, S2, 9).map(drop)),
    (Fault::BadSmx, groups, LATE, |m, t| m.tb_done(t, S2, Resources::default(), None).map(drop)),
    (Fault::BadSmx, groups, LATE, |m, t| m.set_mask(t, S2, true)),
    (Fault::BadPriority, groups, LATE, |m, t| m.push_child(t, 9, 0, TB, S0, 3).map(drop)),
    (Fault::BadPriority, groups, LATE, |m, t| m.push_child(t, 9, 0, TB, S0, u8::MAX).map(drop)),
    (Fault::EmptyGroup, groups, LATE, |m, t| m.push_child(t, 9, 0, Resources::default(), S0, 0).map(drop)),
    (Fault::EmptyGroup, groups, LATE, |m, t| m.push_host(t, 9, 0, Resources::default()).map(drop)),
    (Fault::BadResources, groups, LATE, |m, t| {
        m.push_host(t, 9, 1, Resources { threads: 0, slots: 3, ..TB }).map(drop)
    }),
    (Fault::BadResources, groups, LATE, |m, t| {
        m.push_host(t, 9, 1, Resources { slots: 0, threads: 65, ..TB }).map(drop)
    }),
    (Fault::BadResources, groups, LATE, |m, t| {
        m.tb_done(t, S0, Resources { slots: 0, threads: 65, ..TB }, None).map(drop)
    }),
    (Fault::TbTooBig, groups, LATE, |m, t| m.push_host(t, 9, 1, Resources { threads: 65, ..TB }).map(drop)),
    (Fault::TbTooBig, groups, LATE, |m, t| m.push_host(t, 9, 1, Resources { regs: 101, ..TB }).map(drop)),
    (Fault::TbTooBig, groups, LATE, |m, t| m.push_host(t, 9, 1, Resources { smem: 11, ..TB }).map(drop)),
    (Fault::TbTooBig, groups, LATE, |m, t| m.push_child(t, 9, 1, Resources { slots: 3, ..TB }, S0, 0).map(drop)),
    (Fault::Queue0Full, groups, LATE, |m, t| m.push_host(t, 9, 1, TB).map(drop)),
    (Fault::PoolFull, groups, LATE, |m, t| m.push_child(t, 9, 1, TB, S0, 0).map(drop)),
    (Fault::PoolFull, kernels, LATE, |m, t| m.push_child(t, 9, 1, TB, S0, 0).map(drop)),
    (Fault::PoolFull, kernels, LATE, |m, t| m.push_host(t, 9, 1, TB).map(drop)),
    (Fault::ReleaseUnderflow, groups, LATE, |m, t| m.tb_done(t, SmxId(1), TB, None).map(drop)),
    (Fault::ReleaseUnderflow, groups, LATE, |m, t| m.tb_done(t, S0, Resources { regs: 11, ..TB }, None).map(drop)),
    (Fault::ReleaseUnderflow, groups, LATE, |m, t| {
        m.tb_done(t, S0, Resources { smem: u32::MAX, ..TB }, None).map(drop)
    }),
    (Fault::ReleaseUnderflow, kernels, LATE, |m, t| m.tb_done(t, SmxId(1), TB, None).map(drop)),
    (Fault::BadKde, kernels, LATE, |m, t| m.tb_done(t, S0, TB, None).map(drop)),
    (Fault::BadKde, kernels, LATE, |m, t| m.tb_done(t, S0, TB, Some(KernelSlot(1))).map(drop)),
    (Fault::BadKde, kernels, LATE, |m, t| m.tb_done(t, S0, TB, Some(KernelSlot(255))).map(drop)),
    (Fault::WrongModel, groups, EARLY, |m, t| m.kmu_tick(t).map(drop)),
    (Fault::BadUnit, groups, LATE, |m, t| m.waiting_head(t, UnitId(2)).map(drop)),
];

#[test]
fn every_refusal_changes_nothing() {
    for (i, (fault, state, at, call)) in REFUSALS.iter().enumerate() {
        let mut m = state();
        let before = m.clone();
        assert_eq!(call(&mut m, *at), Err(*fault), "refusal {i}");
        assert!(m == before, "refusal {i}, {fault:?}, changed the state");
    }
}

/// What is next to those refusals is accepted: the limits are where the sheet has them.
#[test]
fn what_is_within_the_limits_is_accepted() {
    let whole = Resources { threads: 64, regs: 100, smem: 10, slots: 2 };
    let mut m = heap::machine(&CONFIG).unwrap();
    assert!(m.push_host(Cycle(5), 1, 1, whole).is_ok());
    assert!(m.push_child(Cycle(5), 2, u32::MAX, whole, SmxId(1), 2).is_ok());
    assert!(m.waiting_head(Cycle(5), UnitId(1)).is_ok());
    assert!(m.tick(Cycle(5)).is_ok() && m.tick(Cycle(6)).is_ok());
    assert!(m.tb_done(Cycle(6), S0, whole, Some(KernelSlot(9))).is_ok(), "in dtbl the entry is ignored");
    let mut m = kernels();
    assert_eq!(m.tb_done(LATE, S0, TB, Some(KernelSlot(0))), Ok(true));
    assert!(m.kmu_tick(LATE).is_ok());
}

/// BadConfig: every parameter has both ends of its range, and a cluster is part of the machine.
#[test]
fn values_out_of_range_build_nothing() {
    let checked = |name: &str, value: u32| with(Config { smxs: 256, ..Config::K20C }, &[(name, value)]).check();
    for p in Config::PARAMETERS {
        assert!(checked(p.name, p.min).is_ok() && checked(p.name, p.max).is_ok(), "{}", p.name);
        for value in [p.min.checked_sub(1), p.max.checked_add(1)].into_iter().flatten() {
            let error = checked(p.name, value).unwrap_err();
            assert_eq!((error.parameter.name, error.value, Fault::from(error)), (p.name, value, Fault::BadConfig));
        }
    }
    assert_eq!(Config { cluster: 2, ..CONFIG }.check(), Ok(()));
    let error = Config { cluster: 3, ..CONFIG }.check().unwrap_err();
    assert_eq!(error.to_string(), "cluster = 3: expected a value from 1 to 2");
    assert!(matches!(heap::machine(&Config { levels: 25, ..CONFIG }), Err(BuildError::Config(_))));
}

/// No fault of the sheet without a refusal above; the numbers of its own are among those from 61 on.
#[test]
fn every_fault_of_the_sheet_is_provoked() {
    let provoked = REFUSALS.iter().map(|(fault, ..)| fault.name()).collect::<BTreeSet<_>>();
    let own = [
        ("SameCycle", 61),
        ("BadPriority", 62),
        ("EmptyGroup", 63),
        ("BadResources", 64),
        ("Queue0Full", 66),
        ("PoolFull", 67),
        ("ReleaseUnderflow", 68),
        ("WrongModel", 69),
    ];
    for (name, code) in own {
        assert!(provoked.contains(name), "{name}");
        assert!(Fault::ALL.iter().any(|f| (f.name(), f.code()) == (name, code)), "{name} = {code}");
    }
    let shared = ["TimeBackwards", "TbTooBig", "BadSmx", "BadKde", "BadUnit"];
    assert!(shared.iter().all(|shared| provoked.contains(shared)));
    assert_eq!(provoked.len(), own.len() + shared.len());
}
