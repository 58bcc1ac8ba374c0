//! What no vector shows: the limits of the machine, the storage report, and the hazards as the sheet foresees them.

use gpusched::laperm::{
    Config, Dispatch, LaPerm, Model, NoFit, Placed, Policy, Reason, Spill, Stage, Stall, Tick, Visit, storage_bits,
};
use gpusched::{Cycle, Resources, SmxId, UnitId};
use gpusched_tests::laperm::heap::{self, HeapTables};

const TB: Resources = Resources { threads: 1, regs: 0, smem: 0, slots: 1 };

fn machine(config: Config) -> LaPerm<HeapTables> {
    heap::machine(&config).expect("a good configuration")
}

fn sent(tick: Tick) -> Dispatch {
    match tick {
        Tick::Dispatch(d) => d,
        Tick::Stall(stall) => panic!("{stall:?}"),
    }
}

/// Figure 26 in one table: who runs where in each round, for the four policies and both ways of visiting where the sheet says
/// that both fit. Tag 1 is P, tag 2 is C0-C1, tag 3 is C2-C5.
#[test]
fn figure_26() {
    let rounds = |policy, visit| {
        let config = Config { smxs: 4, levels: 1, smx_threads: 1, smx_slots: 1, policy, visit, ..Config::K20C };
        let mut m = machine(config);
        m.push_host(Cycle(0), 1, 8, TB).unwrap();
        let mut running = [None; 4];
        let (mut rounds, mut launches) = (Vec::new(), Vec::new());
        for round in 0.. {
            for (tag, tbs, smx) in launches.drain(..) {
                m.push_child(Cycle(4 * round), tag, tbs, TB, smx, 0).unwrap();
            }
            let mut row = ["-"; 4].map(str::to_owned);
            for s in 0..4u16 {
                let now = Cycle(4 * round + u64::from(s));
                if running[usize::from(s)].take().is_some() {
                    m.tb_done(now, SmxId(s), TB, None).unwrap();
                }
                let Ok(Tick::Dispatch(d)) = m.tick(now) else { continue };
                let (name, first) = [("P", 0), ("C", 0), ("C", 2)][d.tag as usize - 1];
                let backup = if d.stage == Stage::Backup { "*" } else { "" };
                row[usize::from(d.smx.0)] = format!("{name}{}{backup}", d.tb + first);
                running[usize::from(d.smx.0)] = Some(());
                match (d.tag, d.tb) {
                    (1, 2) => launches.push((2, 2, d.smx)),
                    (1, 4) => launches.push((3, 4, d.smx)),
                    _ => {}
                }
            }
            if m.is_idle() && row.iter().all(|tb| tb == "-") {
                return rounds;
            }
            rounds.push(row.join(" "));
        }
        rounds
    };
    let rr = ["P0 P1 P2 P3", "P4 P5 P6 P7", "C0 C1 C2 C3", "C4 C5 - -"];
    let tb_pri = ["P0 P1 P2 P3", "C0 C1 P4 P5", "C2 C3 C4 C5", "P6 P7 - -"];
    let smx_bind = ["P0 P1 P2 P3", "P4 P5 C0 P6", "C2 P7 C1 -", "C3 - - -", "C4 - - -", "C5 - - -"];
    let adaptive = ["P0 P1 P2 P3", "P4 P5 C0 P6", "C2 P7 C1 C3*", "C4 C5* - -"];
    for visit in [Visit::Step, Visit::Skip] {
        assert_eq!(rounds(Policy::Rr, visit), rr);
        assert_eq!(rounds(Policy::TbPri, visit), tb_pri);
    }
    assert_eq!(rounds(Policy::SmxBind, Visit::Step), smx_bind);
    assert_eq!(rounds(Policy::AdaptiveBind, Visit::Step), adaptive);
}

/// The largest machine: 256 units of one SMX, with the last one as backup and as home.
#[test]
fn the_largest_machine_wraps_around_its_units() {
    let mut m = machine(Config { smxs: 256, levels: 24, smx_slots: 1, ..Config::K20C });
    m.push_child(Cycle(0), 1, 300, TB, SmxId(255), 24).unwrap();
    for s in 0..256 {
        let d = sent(m.tick(Cycle(s)).unwrap());
        let stage = if s == 255 { Stage::Unit } else { Stage::Backup };
        assert_eq!((u64::from(d.smx.0), d.unit, d.stage, d.prio), (s, Some(UnitId(255)), stage, 24));
    }
    m.push_child(Cycle(300), 2, 1, TB, SmxId(0), 0).unwrap();
    assert_eq!(m.tick(Cycle(300)), Ok(Tick::Stall(Stall { smx: Some(SmxId(0)), reason: Reason::NoFit })));
    assert_eq!(m.waiting_head(Cycle(300), UnitId(255)).unwrap().map(|h| h.tag), Some(1));
    assert_eq!(m.waiting_head(Cycle(300), UnitId(0)).unwrap().map(|h| h.tag), Some(2));
}

/// laperm-R1: times saturate and never wrap.
#[test]
fn the_end_of_time() {
    let mut m = machine(Config { charge_insert: true, ..Config::K20C });
    m.push_child(Cycle::MAX, 1, 1, TB, SmxId(0), 0).unwrap();
    assert_eq!(m.next_event(), Some(Cycle::MAX));
    assert_eq!(sent(m.tick(Cycle::MAX).unwrap()).tag, 1);
}

/// 5.2.5: the insertion search takes 128 cycles at most with 128 entries.
#[test]
fn the_insertion_search_looks_at_128_entries_at_most() {
    let mut m = machine(Config { charge_insert: true, ..Config::K20C });
    let push = |m: &mut LaPerm<_>| m.push_child(Cycle(10), 1, 1, TB, SmxId(3), 0).unwrap();
    for pos in 0..128 {
        let (unit, ready_at) = (UnitId(3), Cycle(10 + u64::from(pos) + 1));
        assert_eq!(push(&mut m), Placed::OnChip { unit, level: 1, pos, ready_at, evicted: None });
    }
    assert_eq!(push(&mut m), Placed::Spilled { unit: UnitId(3), level: 1 });
}

/// Hazard: a child bound to its SMX does not fit, and the SMX takes nothing, not even parents, until a TB ends.
#[test]
fn a_bound_child_that_does_not_fit_delays_its_smx() {
    let config = Config { smxs: 1, smx_threads: 4, policy: Policy::SmxBind, ..Config::K20C };
    for (no_fit, after) in [(NoFit::Block, None), (NoFit::TryNext, Some(1))] {
        let mut m = machine(Config { no_fit, ..config });
        m.push_host(Cycle(0), 1, 9, TB).unwrap();
        m.tick(Cycle(0)).unwrap();
        m.push_child(Cycle(1), 2, 1, Resources { threads: 4, ..TB }, SmxId(0), 0).unwrap();
        let tag = |t| if let Tick::Dispatch(d) = t { Some(d.tag) } else { None };
        assert_eq!(tag(m.tick(Cycle(1)).unwrap()), after);
        for _ in 0..if after.is_some() { 2 } else { 1 } {
            m.tb_done(Cycle(2), SmxId(0), TB, None).unwrap();
        }
        assert_eq!(tag(m.tick(Cycle(2)).unwrap()), Some(2), "never a deadlock");
    }
}

/// Hazard: one unit fills the pool, and the others are refused as well.
#[test]
fn the_pool_is_shared() {
    let mut m = machine(Config { smxs: 2, queue_cap: 1, pool_cap: 1, ..Config::K20C });
    for tag in 0..2 {
        m.push_child(Cycle(0), tag, 1, TB, SmxId(0), 0).unwrap();
    }
    m.push_child(Cycle(0), 2, 1, TB, SmxId(1), 0).unwrap();
    assert_eq!(m.push_child(Cycle(0), 3, 1, TB, SmxId(1), 0), Err(gpusched::Fault::PoolFull));
    // The refill from SMX 0's list makes room for all.
    assert_eq!(sent(m.tick(Cycle(0)).unwrap()).refill, Some(1));
    assert!(m.push_child(Cycle(0), 3, 1, TB, SmxId(1), 0).is_ok());
}

/// Hazard: children without end starve their parents, and at the deepest level they are first come, first served.
#[test]
fn children_without_end_starve_their_parents() {
    let mut m = machine(Config { smxs: 1, levels: 2, spill: Spill::Lowest, ..Config::K20C });
    m.push_host(Cycle(0), 0, 1, TB).unwrap();
    m.push_child(Cycle(0), 1, 1, TB, SmxId(0), 0).unwrap();
    for tag in 2..50 {
        m.push_child(Cycle(tag), tag, 1, TB, SmxId(0), 2).unwrap();
        let d = sent(m.tick(Cycle(tag)).unwrap());
        assert_eq!((d.tag, d.prio), (tag, 2));
        m.tb_done(Cycle(tag), d.smx, TB, None).unwrap();
    }
    let rest = [50, 51].map(|now| sent(m.tick(Cycle(now)).unwrap()).tag);
    assert_eq!(rest, [1, 0]);
}

/// Structures: what each choice costs, bit by bit.
#[test]
fn storage_follows_the_configuration() {
    let bits = storage_bits(&Config::K20C);
    assert_eq!((bits.visit_pointer, bits.mask, bits.kmu_pointer), (4, 13, 0));
    assert_eq!(bits.baseline, 13 * 50);
    assert_eq!(bits.off_chip, 4096 * 192);
    assert_eq!(bits.on_chip(), 8 * 40_704 + 8 * 39 + 65 + 4 + 13);
    let limited = storage_bits(&Config { backup_limit: 1, ..Config::K20C });
    assert_eq!(limited.backups, 13 * (5 + 16));
    let tb_pri = storage_bits(&Config { policy: Policy::TbPri, queue_cap: 128 * 13, ..Config::K20C });
    assert_eq!((tb_pri.unit_queues, tb_pri.backups), (bits.unit_queues, 0));
    let cdp = storage_bits(&Config { model: Model::Cdp, policy: Policy::SmxBind, ..Config::K20C });
    assert_eq!((cdp.unit_queues, cdp.queue0, cdp.kmu_pointer), (8 * 13 * 768, 8 * 768, 4));
    let rr = storage_bits(&Config { policy: Policy::Rr, ..Config::K20C });
    assert_eq!((rr.queue0, rr.section_pointers), (0, 0), "one queue of one section");
}
