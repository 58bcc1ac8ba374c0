//! Images: a restored machine cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::equalizer::{Counts, Fm, FmConfig, Sm, SmConfig, fm_image_config, sm_image_config};
use gpusched::power::{BubbleConfig, bubble_image_config};
use gpusched::{Cycle, ImageError, SmxId};
use gpusched_tests::bubble::machine as bubble;
use gpusched_tests::equalizer::Machine;
use gpusched_tests::equalizer::invariants::{check_fm, check_sm};
use gpusched_tests::images::{CHECKSUM, HEADER, forged};
use proptest::prelude::*;

use crate::script::{FmHost, SmHost, fm_configs, fm_script, runs, sm_configs, sm_script};

/// What both machines have.
pub trait Saved: Machine + Sized + PartialEq + Clone {
    fn len(&self) -> usize;
    fn save_to(&self, out: &mut [u8]) -> Result<usize, ImageError>;
    fn restored(image: &[u8]) -> Result<Self, ImageError>;
    /// The invariants of its state.
    fn check(&self) -> Result<(), String>;
}

impl Saved for Sm {
    fn len(&self) -> usize {
        self.image_len()
    }
    fn save_to(&self, out: &mut [u8]) -> Result<usize, ImageError> {
        self.save(out)
    }
    fn restored(image: &[u8]) -> Result<Self, ImageError> {
        let sm = Self::restore(image)?;
        assert_eq!(sm_image_config(image), Ok(*sm.config()));
        Ok(sm)
    }
    fn check(&self) -> Result<(), String> {
        check_sm(self.config(), &self.view())
    }
}

impl Saved for Fm {
    fn len(&self) -> usize {
        self.image_len()
    }
    fn save_to(&self, out: &mut [u8]) -> Result<usize, ImageError> {
        self.save(out)
    }
    fn restored(image: &[u8]) -> Result<Self, ImageError> {
        let fm = Self::restore(image)?;
        assert_eq!(fm_image_config(image), Ok(*fm.config()));
        Ok(fm)
    }
    fn check(&self) -> Result<(), String> {
        check_fm(self.config(), &self.view())
    }
}

pub fn image(machine: &impl Saved) -> Vec<u8> {
    let mut image = vec![0xa5; machine.len()];
    assert_eq!(machine.save_to(&mut image), Ok(image.len()));
    image
}

const CONFIG: SmConfig = SmConfig { sample_interval: 4, epoch_cycles: 8, watchdog: 7, ..SmConfig::GTX480 };

/// An SM in the middle of an epoch, with a paused block, a freed slot and a run of decisions.
fn busy_sm() -> Sm {
    let mut sm = Sm::new(&SmConfig { hysteresis: 2, ..CONFIG }).unwrap();
    sm.kernel_start(Cycle(1), 8, 4, false).unwrap();
    for block in [7, 1 << 40, 3, 99] {
        sm.grant(Cycle(2), block).unwrap();
    }
    for i in 1..=7 {
        sm.sample(Cycle(4 * i), &Counts { active: 32, waiting: 1, xalu: 2, xmem: 9 }).unwrap();
    }
    sm.block_end(Cycle(29), gpusched::SlotId(1)).unwrap();
    sm.set_objective(Cycle(30), 0u32).unwrap();
    assert_eq!((sm.running(), sm.target(), sm.run(), sm.samples()), (3, 3, 1, 1));
    sm
}

/// An SM with paused blocks.
fn paused_sm() -> Sm {
    let mut sm = Sm::new(&SmConfig { hysteresis: 1, ..CONFIG }).unwrap();
    sm.kernel_start(Cycle(1), 8, 4, false).unwrap();
    for block in 0..4 {
        sm.grant(Cycle(2), block).unwrap();
    }
    for i in 1..=4 {
        sm.sample(Cycle(4 * i), &Counts { active: 32, waiting: 0, xalu: 0, xmem: 9 }).unwrap();
    }
    assert_eq!((sm.running(), sm.paused(), sm.watchdog_epochs()), (2, 2, 1));
    sm
}

/// An SM whose GWDE ran dry, and one that still waits for it.
fn asking_sm(deny: bool) -> Sm {
    let mut sm = Sm::new(&CONFIG).unwrap();
    sm.kernel_start(Cycle(1), 8, 6, false).unwrap();
    sm.grant(Cycle(2), 5).unwrap();
    if deny {
        sm.deny(Cycle(3)).unwrap();
    }
    sm
}

fn sms() -> [Sm; 5] {
    [busy_sm(), paused_sm(), asking_sm(true), asking_sm(false), Sm::new(&CONFIG).unwrap()]
}

/// A round half way, one step under way, an SM that does not vote.
fn busy_fm() -> Fm {
    let mut fm = Fm::new(&FmConfig { sms: 5, mem_transition: 0, ..FmConfig::GTX480 }).unwrap();
    fm.enable(Cycle(3), SmxId(4), false).unwrap();
    for sm in 0..4 {
        fm.vote(Cycle(10), SmxId(sm), (1, -1)).unwrap();
    }
    for sm in [3, 1] {
        fm.vote(Cycle(20), SmxId(sm), (-1, 0)).unwrap();
    }
    assert_eq!(fm.next_event(), Some(Cycle(522)));
    fm
}

fn fms() -> [Fm; 2] {
    [busy_fm(), Fm::new(&FmConfig::GTX480).unwrap()]
}

fn assert_damage_is_refused<M: Saved>(machine: &M) {
    let good = image(machine);
    assert!(M::restored(&good).as_ref() == Ok(machine));
    for len in 0..good.len() {
        assert_eq!(M::restored(&good[..len]).err(), Some(ImageError::Truncated));
        assert_eq!(machine.save_to(&mut vec![0; len]), Err(ImageError::TooSmall { need: good.len() }));
    }
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        assert!(M::restored(&bad).is_err(), "byte {at}");
    }
    assert_eq!(M::restored(&[&good[..], &[0]].concat()).err(), Some(ImageError::Corrupted));
}

#[test]
fn what_is_damaged_is_refused() {
    sms().iter().for_each(assert_damage_is_refused);
    fms().iter().for_each(assert_damage_is_refused);
}

/// The form is the common one, of kinds 10 and 11.
#[test]
fn kinds_are_told_apart() {
    let (sm, fm) = (image(&busy_sm()), image(&busy_fm()));
    assert_eq!(sm[..12], [&b"gpusched"[..], &[10, 0, 1, 0]].concat());
    assert_eq!(fm[..12], [&b"gpusched"[..], &[11, 0, 1, 0]].concat());
    assert_eq!(Sm::restore(&fm), Err(ImageError::WrongKind));
    assert_eq!(Fm::restore(&sm), Err(ImageError::WrongKind));
    assert_eq!(bubble_image_config(&sm), Err(ImageError::WrongKind));
    let other = bubble(&BubbleConfig::K20C).unwrap();
    let mut image = vec![0; other.image_len()];
    other.save(&mut image).unwrap();
    assert_eq!(Sm::restore(&image), Err(ImageError::WrongKind));
}

/// An image of yesterday. If this fails, the form has changed: count up the version in `core/src/equalizer/image.rs`, and check in
/// the image of the new version beside the old one.
fn assert_is_still_good<M: Saved>(machine: &M, stored: &[u8], name: &str) {
    let (now, file) = (image(machine), format!("{}/{name}", env!("CARGO_TARGET_TMPDIR")));
    if now != stored {
        std::fs::write(&file, &now).unwrap();
    }
    assert!(now == stored, "the form has changed; today's image is {file}");
    assert!(M::restored(stored).as_ref() == Ok(machine));
}

#[test]
fn stored_images_are_still_good() {
    assert_is_still_good(&busy_sm(), include_bytes!("../images/equalizer-sm-v1.bin"), "equalizer-sm.bin");
    assert_is_still_good(&busy_fm(), include_bytes!("../images/equalizer-fm-v1.bin"), "equalizer-fm.bin");
}

/// Whatever single number of a body is wrong: the machine is refused or keeps the invariants, and its image is stable.
fn assert_forgery_is_harmless<M: Saved>(machine: &M) -> (usize, usize) {
    let good = image(machine);
    let body = &good[HEADER..good.len() - CHECKSUM];
    let mut refused = 0;
    for (at, byte) in (0..body.len()).flat_map(|at| [0, 1, 2, 3, 5, 9, 0x7f, 0xff].map(|byte| (at, byte))) {
        let mut changed = body.to_vec();
        changed[at] = byte;
        match M::restored(&forged(&good, &changed)) {
            Err(error) => {
                assert_eq!(error, ImageError::Content);
                refused += 1;
            }
            Ok(machine) => {
                assert_eq!(machine.check(), Ok(()), "byte {at} = {byte}");
                assert!(M::restored(&image(&machine)).as_ref() == Ok(&machine));
            }
        }
    }
    (refused, body.len())
}

#[test]
fn every_forged_number_is_refused_or_possible() {
    let of_sms = sms().map(|sm| assert_forgery_is_harmless(&sm));
    let of_fms = fms().map(|fm| assert_forgery_is_harmless(&fm));
    for (refused, bytes) in of_sms.into_iter().chain(of_fms) {
        assert!(refused > bytes, "{refused} of the forged images of {bytes} bytes are refused");
    }
}

proptest! {
    #![proptest_config(runs(500))]

    /// One machine goes on; another one goes through an image before every event.
    #[test]
    fn a_restored_sm_goes_on_as_the_original(config in sm_configs(), steps in sm_script()) {
        let (mut sm, mut host) = (Sm::new(&config).unwrap(), SmHost::new(&config));
        let mut traveller = image(&sm);
        for step in &steps {
            for event in host.events(step, &sm.view()) {
                let mut other = Sm::restored(&traveller).expect("its image is good");
                prop_assert_eq!(sm.take(&event), other.take(&event));
                prop_assert!(other == sm, "after {:?}", event);
                traveller = image(&other);
            }
        }
    }

    #[test]
    fn a_restored_fm_goes_on_as_the_original(config in fm_configs(), steps in fm_script()) {
        let (mut fm, mut host) = (Fm::new(&config).unwrap(), FmHost::new(&config));
        let mut traveller = image(&fm);
        for step in &steps {
            for event in host.events(step, &fm.view()) {
                let mut other = Fm::restored(&traveller).expect("its image is good");
                prop_assert_eq!(fm.take(&event), other.take(&event));
                prop_assert!(other == fm, "after {:?}", event);
                traveller = image(&other);
            }
        }
    }

    /// A forged body is refused, or makes a machine that keeps the invariants and bears every call.
    #[test]
    fn a_forged_sm_does_no_harm(
        which in 0..5usize,
        edits in prop::collection::vec((any::<u16>(), prop_oneof![4 => 0..=8u8, 1 => any::<u8>()]), 1..=4),
        steps in sm_script(),
    ) {
        let good = image(&sms()[which]);
        let mut body = good[HEADER..good.len() - CHECKSUM].to_vec();
        for (at, byte) in edits {
            let at = usize::from(at) % body.len();
            body[at] = byte;
        }
        let Ok(mut sm) = Sm::restored(&forged(&good, &body)) else { return Ok(()) };
        sm.check().map_err(TestCaseError::fail)?;
        let mut host = SmHost::new(sm.config());
        for step in &steps {
            for event in host.events(step, &sm.view()) {
                let _ = sm.take(&event);
                sm.check().map_err(TestCaseError::fail)?;
            }
        }
    }
}
