//! Machines whose images are stored, moved and forged.

use gpusched::power::{BubbleConfig, BubbleDvfs, InlineTables};
use gpusched::{Cycle, ImageError, Resources, SmxId, inline_bubble_tables};
use gpusched_tests::bubble::{HeapTables, machine};
use gpusched_tests::images::{Saved, assert_moves, image};

type Gpu = BubbleDvfs<HeapTables>;

const CONFIG: BubbleConfig =
    BubbleConfig { smxs: 4, sample_cycles: 10, transition_samples: 3, drain_samples: 4, ..BubbleConfig::K20C };
inline_bubble_tables! {
    struct Small = CONFIG;
}
inline_bubble_tables! {
    struct Smaller = BubbleConfig { smxs: 3, ..CONFIG };
}

/// A machine with an SMX of each kind: one going down, one draining, two at work.
pub fn busy() -> Gpu {
    let mut gpu = machine(&CONFIG).unwrap();
    let tb = |threads| Resources { threads, regs: 7, smem: 5, slots: 1 };
    for (s, threads) in [(1, 32), (2, 512), (3, 1024)] {
        gpu.dispatched(Cycle(2), SmxId(s), &tb(threads)).unwrap();
    }
    gpu.account(Cycle(3), None).unwrap();
    gpu.sample(Cycle(10), None, None).unwrap();
    gpu.sample(Cycle(20), None, Some(&[0, 10, 500, 1000])).unwrap();
    assert!(gpu.controller().registers().drn.contains(SmxId(1)));
    gpu
}

/// A machine whose GPU level is in force, with an SMX that was low before.
pub fn asleep() -> Gpu {
    let mut gpu = machine(&CONFIG).unwrap();
    let tb = Resources { threads: 512, regs: 0, smem: 0, slots: 1 };
    gpu.dispatched(Cycle(0), SmxId(3), &tb).unwrap();
    for i in 0..5 {
        gpu.sample(Cycle(10 * i), None, None).unwrap();
    }
    gpu.completed(Cycle(40), SmxId(3), &tb).unwrap();
    gpu.sample(Cycle(50), None, None).unwrap();
    assert!(gpu.controller().registers().gpu);
    gpu
}

/// A machine whose last SMX at work is idle: one more diversion would be one too many.
pub fn lonely() -> Gpu {
    let mut gpu = machine(&BubbleConfig { smxs: 2, ..CONFIG }).unwrap();
    let tb = Resources { threads: 512, regs: 0, smem: 0, slots: 1 };
    gpu.dispatched(Cycle(0), SmxId(1), &tb).unwrap();
    gpu.sample(Cycle(0), None, None).unwrap();
    gpu.completed(Cycle(5), SmxId(1), &tb).unwrap();
    assert!(gpu.controller().registers().dvr.contains(SmxId(0)));
    gpu
}

#[test]
fn a_machine_moves_between_homes() {
    for gpu in [busy(), asleep(), machine(&CONFIG).unwrap()] {
        assert_moves(&gpu, |image| BubbleDvfs::<Small>::restore(image, Small::empty()), |image| gpu.restored(image));
    }
    let three_rows = BubbleDvfs::<Smaller>::restore(&image(&busy()), Smaller::empty());
    assert!(matches!(three_rows, Err(ImageError::Tables(small)) if (small.have, small.need) == (3, 4)));
}
