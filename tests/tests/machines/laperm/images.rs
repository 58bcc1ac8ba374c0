//! Machines whose images are stored and forged.

use gpusched::laperm::{Config, LaPerm, Model};
use gpusched::{Cycle, ImageError, Resources, SmxId, UnitId};
use gpusched_tests::images::image;
use gpusched_tests::laperm::heap::{self, HeapTables};

#[test]
fn a_home_that_is_too_small_is_refused() {
    let image = image(&heap::machine(&Config::K20C).unwrap());
    let small = heap::tables(&Config { pool_cap: 0, ..Config::K20C });
    assert!(matches!(LaPerm::<HeapTables>::restore(&image, small), Err(ImageError::Tables(t)) if t.table == "entries"));
}

/// A machine with something of everything.
pub fn busy(model: Model) -> LaPerm<HeapTables> {
    let config = Config { smxs: 3, queue_cap: 1, pool_cap: 9, kdu_entries: 2, backup_limit: 2, model, ..Config::K20C };
    let tb = Resources { threads: 256, regs: 4096, smem: 512, slots: 1 };
    let mut m = heap::machine(&config).unwrap();
    m.push_host(Cycle(1), 1, 2, tb).unwrap();
    for tag in 2..7 {
        m.push_child(Cycle(2), tag, 3 * tag as u32, tb, SmxId(tag as u16 % 2), 1).unwrap();
    }
    m.push_host(Cycle(3), 7, 3, tb).unwrap();
    for now in 4..300 {
        m.kmu_tick(Cycle(now)).ok();
    }
    for now in 300..if model == Model::Dtbl { 321 } else { 309 } {
        m.tick(Cycle(now)).unwrap();
    }
    m.set_mask(Cycle(400), SmxId(1), true).unwrap();
    m
}

#[test]
fn they_have_something_of_everything() {
    for model in [Model::Dtbl, Model::Cdp] {
        let m = busy(model);
        let some = |entries: usize| assert!(entries > 0, "{model:?}");
        some(m.queue(Some(UnitId(0))).unwrap().count());
        some(m.off_chip(Some(UnitId(0))).unwrap().count());
        some(usize::from(m.backup(SmxId(2)).is_some_and(|b| b.unit.is_some() && b.run > 0)));
    }
}
