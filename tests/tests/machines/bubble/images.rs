//! Images: a restored machine cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::power::{BubbleConfig, BubbleDvfs, InlineTables, Resources, bubble_image_config};
use gpusched::{Config, Cycle, FrontEnd, ImageError, SmxId, inline_bubble_tables, presets};
use gpusched_tests::bubble::{HeapTables, Machine, machine, tables};
use gpusched_tests::images::{
    NUMBERS, again, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, assert_moves,
    forge, image, on_both,
};
use proptest::prelude::*;

use crate::bubble::script::{Host, Step, configs, runs, script};

type Gpu = BubbleDvfs<HeapTables>;

const CONFIG: BubbleConfig =
    BubbleConfig { smxs: 4, sample_cycles: 10, transition_samples: 3, drain_samples: 4, ..BubbleConfig::K20C };
inline_bubble_tables! {
    struct Small = CONFIG;
}
inline_bubble_tables! {
    struct Smaller = BubbleConfig { smxs: 3, ..CONFIG };
}

fn restored(image: &[u8]) -> Result<Gpu, ImageError> {
    BubbleDvfs::restore(image, tables(&bubble_image_config(image)?))
}

/// A machine with an SMX of each kind: one going down, one draining, two at work.
fn busy() -> Gpu {
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
fn asleep() -> Gpu {
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
fn lonely() -> Gpu {
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
        assert_eq!(bubble_image_config(&image(&gpu)), Ok(CONFIG));
        assert_moves(&gpu, |image| BubbleDvfs::<Small>::restore(image, Small::empty()), restored);
    }
}

#[test]
fn what_is_damaged_is_refused() {
    assert_damage_is_refused(&busy(), restored);
    let three_rows = BubbleDvfs::<Smaller>::restore(&image(&busy()), Smaller::empty());
    assert!(matches!(three_rows, Err(ImageError::Tables(small)) if (small.have, small.need) == (3, 4)));
}

#[test]
fn kinds_are_told_apart() {
    assert_kind(&image(&busy()), 3, 2);
    let front_end = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(|| image(&FrontEnd::<presets::K20c>::new(&Config::K20C).unwrap()));
    assert_eq!(bubble_image_config(&front_end.unwrap().join().unwrap()), Err(ImageError::WrongKind));
}

#[test]
fn a_stored_image_is_still_good() {
    assert_is_stored(&busy(), "bubble-v2.bin", env!("CARGO_TARGET_TMPDIR"), restored);
}

#[test]
fn every_forged_number_is_refused_or_possible() {
    for gpu in [busy(), asleep(), lonely()] {
        assert_forgery_is_harmless(&gpu, NUMBERS, |_| Ok(()));
    }
}

/// Plays random steps on a machine, each call on what its image makes, too.
fn play(gpu: &mut Gpu, host: &mut Host, steps: &[Step]) -> Result<(), TestCaseError> {
    for step in steps {
        host.wait(step);
        for event in host.events(step) {
            if on_both(gpu, |gpu| gpu.take(&event)).map_err(TestCaseError::fail)?.is_ok() {
                host.accepted(&event);
            }
        }
    }
    again(gpu).map(drop).map_err(TestCaseError::fail)
}

proptest! {
    #![proptest_config(runs(1500))]

    /// A machine can be saved and restored anywhere in a random history, and goes on from its image as it would have.
    #[test]
    fn a_restored_machine_goes_on_as_the_original(config in configs(), steps in script()) {
        play(&mut machine(&config).unwrap(), &mut Host::new(&config), &steps)?;
    }
}

proptest! {
    #![proptest_config(runs(300))]

    /// A forged body is refused, or makes a machine that keeps the invariants, bears every call, and can be saved and restored.
    #[test]
    fn a_forged_image_does_no_harm(
        config in configs(),
        before in script(),
        tries in prop::collection::vec(prop::collection::vec(any::<u64>(), 1..=4), 8),
        after in script(),
    ) {
        let (mut gpu, mut host) = (machine(&config).unwrap(), Host::new(&config));
        for step in &before {
            host.wait(step);
            for event in host.events(step) {
                if gpu.take(&event).is_ok() {
                    host.accepted(&event);
                }
            }
        }
        for mut forged in tries.iter().filter_map(|edits| forge(&gpu, edits)) {
            play(&mut forged, &mut host.clone(), &after)?;
        }
    }
}
