//! Every order of a few calls: no TB is lost or sent twice, and no cycle is wasted without a reason that the sheet allows.

use gpusched::SmxId;
use gpusched::laperm::{BackupSelect, Config, Model, NoFit, Policy, RefillMode, Spill, Visit};
use gpusched_tests::laperm::explore::{Bounds, Push, explore};

const TINY: Config = Config {
    smxs: 2,
    levels: 2,
    queue_cap: 1,
    q0_cap: 2,
    pool_cap: 2,
    kdu_entries: 2,
    kmu_dispatch_cycles: 1,
    smx_threads: 2,
    smx_regs: 1,
    smx_smem: 0,
    smx_slots: 2,
    ..Config::K20C
};
const PUSHES: &[Push] =
    &[Push::Host(3, 1), Push::Child(2, 2), Push::Child(1, 1), Push::Child(1, 1), Push::Host(1, 2), Push::Child(1, 2)];

/// Everything holds in all states that the pushes lead to; there are at least so many.
fn holds(config: &Config, bounds: &Bounds, least: usize) {
    let states = explore(config, bounds).unwrap_or_else(|e| panic!("{e}\n{config:?}"));
    assert!(states >= least, "{states} states only: {config:?}");
}

#[test]
fn the_four_policies() {
    let bounds = Bounds { pushes: PUSHES, mask: None };
    holds(&Config { policy: Policy::Rr, ..TINY }, &bounds, 2000);
    for policy in [Policy::TbPri, Policy::SmxBind, Policy::AdaptiveBind] {
        holds(&Config { policy, ..TINY }, &bounds, 20_000);
    }
}

#[test]
fn skipping_visits() {
    let bounds = Bounds { pushes: PUSHES, mask: None };
    holds(&Config { visit: Visit::Skip, ..TINY }, &bounds, 20_000);
    holds(&Config { visit: Visit::Skip, policy: Policy::Rr, ..TINY }, &bounds, 1500);
}

#[test]
fn trying_the_next_and_taking_turns() {
    let three = Config { smxs: 3, no_fit: NoFit::TryNext, backup_limit: 1, ..TINY };
    let bounds = Bounds { pushes: &PUSHES[..4], mask: None };
    holds(&Config { backup_select: BackupSelect::HighestPrio, ..three }, &bounds, 20_000);
    holds(&Config { backup_select: BackupSelect::Lowest, ..three }, &bounds, 20_000);
}

#[test]
fn eviction_and_entries_that_load() {
    let config = Config { spill: Spill::Lowest, refill_cycles: 1, charge_insert: true, ..TINY };
    holds(&config, &Bounds { pushes: PUSHES, mask: None }, 20_000);
    let config = Config { refill_mode: RefillMode::External, charge_insert: false, ..config };
    holds(&config, &Bounds { pushes: &PUSHES[..5], mask: None }, 20_000);
}

#[test]
fn a_masked_smx() {
    let bounds = Bounds { pushes: &PUSHES[..4], mask: Some(SmxId(0)) };
    holds(&TINY, &bounds, 20_000);
    holds(&Config { policy: Policy::SmxBind, ..TINY }, &bounds, 10_000);
}

#[test]
fn kernels_and_the_kmu() {
    let bounds = Bounds { pushes: &PUSHES[..5], mask: None };
    holds(&Config { model: Model::Cdp, ..TINY }, &bounds, 20_000);
    holds(&Config { model: Model::Cdp, kdu_entries: 1, policy: Policy::SmxBind, ..TINY }, &bounds, 800);
}
