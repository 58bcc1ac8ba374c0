//! Images: a restored machine cannot be told from the saved one; what is damaged or forged is refused or harmless.

use flate2::Crc;
use gpusched::power::{BubbleConfig, BubbleDvfs, InlineTables, Resources, Waiting, bubble_image_config};
use gpusched::{Config, Cycle, FrontEnd, ImageError, SmxId, inline_bubble_tables, presets};
use gpusched_tests::bubble::invariants::check_state;
use gpusched_tests::bubble::{HeapTables, Machine, machine, tables};
use gpusched_tests::images::{CHECKSUM, HEADER};
use proptest::prelude::*;

use crate::script::{Host, configs, runs, script};

type Gpu = BubbleDvfs<HeapTables>;

const CONFIG: BubbleConfig =
    BubbleConfig { smxs: 4, sample_cycles: 10, transition_samples: 3, drain_samples: 4, ..BubbleConfig::K20C };
inline_bubble_tables! {
    struct Small = CONFIG;
}
inline_bubble_tables! {
    struct Smaller = BubbleConfig { smxs: 3, ..CONFIG };
}

pub fn image(gpu: &Gpu) -> Vec<u8> {
    let mut image = vec![0xa5; gpu.image_len()];
    assert_eq!(gpu.save(&mut image), Ok(image.len()));
    image
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

/// An image with this body, whose length and checksum are right.
fn sealed(image: &[u8], body: &[u8]) -> Vec<u8> {
    let mut sealed = [&image[..HEADER - 4], &(body.len() as u32).to_le_bytes(), body].concat();
    let mut crc = Crc::new();
    crc.update(&sealed);
    sealed.extend(crc.sum().to_le_bytes());
    sealed
}

#[test]
fn a_machine_moves_between_homes() {
    for gpu in [busy(), asleep(), machine(&CONFIG).unwrap()] {
        let first = image(&gpu);
        assert_eq!(bubble_image_config(&first), Ok(CONFIG));
        let inline = BubbleDvfs::<Small>::restore(&first, Small::empty()).unwrap();
        let mut again = vec![0; inline.image_len()];
        inline.save(&mut again).unwrap();
        assert_eq!(again, first);
        assert_eq!(restored(&again), Ok(gpu));
    }
}

#[test]
fn what_is_damaged_is_refused() {
    let good = image(&busy());
    for len in 0..good.len() {
        assert_eq!(restored(&good[..len]), Err(ImageError::Truncated));
        assert_eq!(busy().save(&mut vec![0; len]), Err(ImageError::TooSmall { need: good.len() }));
    }
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        assert!(restored(&bad).is_err(), "byte {at}");
    }
    assert_eq!(restored(&[&good[..], &[0]].concat()), Err(ImageError::Corrupted));
    let Err(ImageError::Tables(small)) = BubbleDvfs::<Smaller>::restore(&good, Smaller::empty()) else {
        panic!("three rows for four SMXs")
    };
    assert_eq!((small.have, small.need), (3, 4));
}

/// The form is the common one, of kind 3.
#[test]
fn kinds_are_told_apart() {
    let image = image(&busy());
    assert_eq!(image[..12], [&b"gpusched"[..], &[3, 0, 1, 0]].concat());
    assert_eq!(gpusched::image_config(&image), Err(ImageError::WrongKind));
    let front_end = std::thread::Builder::new().stack_size(64 << 20).spawn(|| {
        let gpu = FrontEnd::<presets::K20c>::new(&Config::K20C).unwrap();
        let mut image = vec![0; gpu.image_len()];
        gpu.save(&mut image).unwrap();
        image
    });
    assert_eq!(bubble_image_config(&front_end.unwrap().join().unwrap()), Err(ImageError::WrongKind));
}

/// An image of yesterday. If this fails, the form has changed: count up the version in `core/src/power/image.rs`, and check in
/// the image of the new version beside the old one.
#[test]
fn a_stored_image_is_still_good() {
    let stored = include_bytes!("../images/bubble-v1.bin");
    let now = image(&busy());
    if now != stored {
        std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/bubble.bin"), &now).unwrap();
    }
    assert!(now == stored, "the form has changed; today's image is {}/bubble.bin", env!("CARGO_TARGET_TMPDIR"));
    assert_eq!(restored(stored), Ok(busy()));
}

/// Whatever single number of a body is wrong: the machine is refused or keeps the invariants, and its image is stable.
#[test]
fn every_forged_number_is_refused_or_possible() {
    for good in [busy(), asleep(), lonely()].map(|gpu| image(&gpu)) {
        let body = &good[HEADER..good.len() - CHECKSUM];
        let mut refused = 0;
        for (at, byte) in (0..body.len()).flat_map(|at| [0, 1, 2, 3, 5, 9, 0x7f].map(|byte| (at, byte))) {
            let mut forged = body.to_vec();
            forged[at] = byte;
            match restored(&sealed(&good, &forged)) {
                Err(error) => {
                    assert_eq!(error, ImageError::Content);
                    refused += 1;
                }
                Ok(gpu) => {
                    let state = check_state(gpu.controller().config(), &gpu.view(), false);
                    assert_eq!(state, Ok(()), "byte {at} = {byte}");
                    assert!(restored(&image(&gpu)) == Ok(gpu));
                }
            }
        }
        assert!(refused > body.len(), "{refused} of the forged images are refused");
    }
}

proptest! {
    #![proptest_config(runs(300))]

    /// One machine goes on; another one goes through an image before every event.
    #[test]
    fn a_restored_machine_goes_on_as_the_original(config in configs(), steps in script()) {
        let (mut gpu, mut host) = (machine(&config).unwrap(), Host::new(&config));
        let mut traveller = image(&gpu);
        for step in &steps {
            host.wait(step);
            for event in host.events(step) {
                let mut other = restored(&traveller).expect("its image is good");
                let answer = gpu.take(&event);
                prop_assert_eq!(&answer, &other.take(&event));
                prop_assert!(other == gpu, "after {:?}", event);
                traveller = image(&other);
                if answer.is_ok() {
                    host.accepted(&event);
                }
            }
        }
    }

    /// A forged body is refused, or makes a machine that keeps the invariants and bears every call.
    #[test]
    fn a_forged_image_does_no_harm(
        asleep_or_busy: bool,
        edits in prop::collection::vec((any::<u16>(), prop_oneof![4 => 0..=8u8, 1 => any::<u8>()]), 1..=4),
    ) {
        let good = image(&if asleep_or_busy { asleep() } else { busy() });
        let mut body = good[HEADER..good.len() - CHECKSUM].to_vec();
        for (at, byte) in edits {
            let at = usize::from(at) % body.len();
            body[at] = byte;
        }
        let Ok(mut gpu) = restored(&sealed(&good, &body)) else { return Ok(()) };
        let copy = restored(&image(&gpu));
        prop_assert_eq!(copy.as_ref(), Ok(&gpu));
        let config = *gpu.controller().config();
        check_state(&config, &gpu.view(), false).map_err(TestCaseError::fail)?;
        let tb = Waiting { res: Resources { threads: 1, regs: 0, smem: 0, slots: 1 }, allowed: None };
        for i in 0..20 {
            let now = gpu.controller().next_sample().unwrap_or(gpu.controller().now());
            let _ = gpu.sample(now, (i > 10).then_some(&tb), None);
            for s in 0..config.smxs as u16 {
                let _ = gpu.dispatched(now, SmxId(s), &tb.res);
                let _ = gpu.completed(now, SmxId(s), &tb.res);
            }
            check_state(&config, &gpu.view(), false).map_err(TestCaseError::fail)?;
        }
    }
}
