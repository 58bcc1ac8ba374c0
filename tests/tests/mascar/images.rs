//! Images: a restored machine cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::mascar::{
    InlineTables, Kind, Lookup, Mascar, MascarConfig, Offsets, Request, WarpId, mascar_image_config,
};
use gpusched::{Cycle, ImageError, inline_mascar_tables};
use gpusched_tests::images::{CHECKSUM, HEADER, forged};
use gpusched_tests::mascar::invariants::check_state;
use gpusched_tests::mascar::{HeapTables, LsuState, Machine, machine, tables};
use proptest::prelude::*;

use crate::script::{Host, configs, runs, script};

type Sm = Mascar<HeapTables>;

const CONFIG: MascarConfig =
    MascarConfig { warps: 6, rexq: 2, starve_limit: 2, owner_timeout: 3, ..MascarConfig::GTX480 };
inline_mascar_tables! {
    struct Small = CONFIG;
}
inline_mascar_tables! {
    struct Smaller = MascarConfig { rexq: 1, ..CONFIG };
}

pub fn image(sm: &Sm) -> Vec<u8> {
    let mut image = vec![0xa5; sm.image_len()];
    assert_eq!(sm.save(&mut image), Ok(image.len()));
    image
}

fn restored(image: &[u8]) -> Result<Sm, ImageError> {
    Mascar::restore(image, tables(&mascar_image_config(image)?))
}

fn request(w: u8) -> Request {
    let mut offs = Offsets::default();
    offs.set(usize::from(w), 0x55);
    Request { base: 0x1000 + u64::from(w), mask: 1 << w, offs }
}

/// Five warps go to memory, in EP mode and then in MP mode, and all are refused: owner and leftovers, a full queue, a blocked LSU.
fn blocked() -> Sm {
    let mut sm = machine(&CONFIG).unwrap();
    for w in [4, 2, 0, 1, 3] {
        sm.warp_start(WarpId(w)).unwrap();
        sm.set_head(WarpId(w), Kind::Mem, true, false).unwrap();
    }
    for t in 0..4 {
        let pick = sm.pick(Cycle(t), true, None).unwrap();
        for issue in &pick.issues {
            sm.lsu_begin(issue.warp, 1 + u32::from(t == 3), issue.warp.0.into()).unwrap();
            sm.lsu_next().unwrap();
            sm.lsu_reply(Lookup::Miss, false, Some(&request(issue.warp.0))).unwrap();
        }
        if t == 0 {
            sm.l1_state(0, 61, 2).unwrap();
        }
    }
    let view = sm.view();
    assert_eq!((view.lsu.state, view.rexq.len(), view.owner), (LsuState::Blocked, 2, Some(WarpId(2))));
    assert!(view.leftover != 0 && view.wst_stall != 0 && view.wst_mem != 0);
    sm
}

/// The same, a request of the queue presented.
fn presented() -> Sm {
    let mut sm = blocked();
    sm.lsu_next().unwrap();
    sm
}

/// EP mode: a busy LSU, a request that passed the queue, a barrier.
fn busy() -> Sm {
    let mut sm = machine(&CONFIG).unwrap();
    for w in 0..4 {
        sm.warp_start(WarpId(w)).unwrap();
        sm.set_head(WarpId(w), Kind::Mem, true, false).unwrap();
    }
    sm.pick(Cycle(7), true, None).unwrap();
    sm.lsu_begin(WarpId(0), 1, 127).unwrap();
    sm.lsu_next().unwrap();
    sm.lsu_reply(Lookup::Miss, false, Some(&request(0))).unwrap();
    sm.pick(Cycle(8), true, None).unwrap();
    let w = sm.lsu().warp().unwrap();
    sm.lsu_begin(w, 5, 3).unwrap();
    sm.lsu_next().unwrap();
    sm.set_head(WarpId(3), Kind::Sync, false, false).unwrap();
    sm
}

/// Nobody owns, and the one who owned too long may not.
fn barred() -> Sm {
    let mut sm = machine(&CONFIG).unwrap();
    sm.l1_state(0, 64, 0).unwrap();
    for w in 0..2 {
        sm.warp_start(WarpId(w)).unwrap();
        sm.set_head(WarpId(w), Kind::Mem, true, false).unwrap();
    }
    sm.pick(Cycle(0), true, None).unwrap();
    sm.lsu_begin(WarpId(0), 0, 0).unwrap();
    sm.pick(Cycle(3), false, None).unwrap();
    assert_eq!((sm.owner(), sm.barred()), (None, Some(WarpId(0))));
    sm
}

fn all() -> [Sm; 5] {
    [blocked(), presented(), busy(), barred(), machine(&CONFIG).unwrap()]
}

#[test]
fn a_machine_moves_between_homes() {
    for sm in all() {
        let first = image(&sm);
        assert_eq!(mascar_image_config(&first), Ok(CONFIG));
        let inline = Mascar::<Small>::restore(&first, Small::empty()).unwrap();
        let mut again = vec![0; inline.image_len()];
        inline.save(&mut again).unwrap();
        assert_eq!(again, first);
        assert_eq!(restored(&again), Ok(sm));
    }
}

#[test]
fn what_is_damaged_is_refused() {
    let good = image(&presented());
    for len in 0..good.len() {
        assert_eq!(restored(&good[..len]), Err(ImageError::Truncated));
        assert_eq!(presented().save(&mut vec![0; len]), Err(ImageError::TooSmall { need: good.len() }));
    }
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        assert!(restored(&bad).is_err(), "byte {at}");
    }
    assert_eq!(restored(&[&good[..], &[0]].concat()), Err(ImageError::Corrupted));
    let Err(ImageError::Tables(small)) = Mascar::<Smaller>::restore(&good, Smaller::empty()) else {
        panic!("one row for two entries")
    };
    assert_eq!((small.have, small.need), (1, 2));
}

/// The form is the common one, of kind 12.
#[test]
fn kinds_are_told_apart() {
    let image = image(&busy());
    assert_eq!(image[..12], [&b"gpusched"[..], &[12, 0, 1, 0]].concat());
    assert_eq!(gpusched::image_config(&image), Err(ImageError::WrongKind));
}

/// An image of yesterday. If this fails, the form has changed: count up the version in `core/src/mascar/image.rs`, and check in
/// the image of the new version beside the old one.
#[test]
fn a_stored_image_is_still_good() {
    let stored = include_bytes!("../images/mascar-v1.bin");
    let now = image(&presented());
    if now != stored {
        std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/mascar.bin"), &now).unwrap();
    }
    assert!(now == stored, "the form has changed; today's image is {}/mascar.bin", env!("CARGO_TARGET_TMPDIR"));
    assert_eq!(restored(stored), Ok(presented()));
}

/// Lets a machine do what there is to do.
fn drive(sm: &mut Sm) {
    let config = *sm.config();
    let now = sm.picked().map_or(0, |picked| picked.0.saturating_add(1));
    for t in now..now.saturating_add(40) {
        if let Ok(pick) = sm.pick(Cycle(t), true, None) {
            for issue in &pick.issues {
                let _ = sm.lsu_begin(issue.warp, 1, 1);
            }
        }
        let _ = sm.lsu_next();
        let _ = sm.lsu_reply(Lookup::Miss, t % 3 == 0, Some(&Request { mask: 1, ..Request::default() }));
        if t % 5 == 0 {
            let _ = sm.l1_state(0, if t % 10 == 0 { config.sources.caches()[0].mshr } else { 0 }, 0);
        }
        let w = WarpId((t % u64::from(config.warps)) as u8);
        let _ = sm.set_head(w, Kind::Mem, true, false);
        assert_eq!(check_state(&config, &sm.view()), Ok(()));
    }
}

/// Whatever single number of a body is wrong: the machine is refused or keeps the invariants, and its image is stable.
#[test]
fn every_forged_number_is_refused_or_possible() {
    for good in all().map(|sm| image(&sm)) {
        let body = &good[HEADER..good.len() - CHECKSUM];
        let mut refused = 0;
        for (at, byte) in (0..body.len()).flat_map(|at| [0, 1, 2, 3, 5, 9, 0x7f].map(|byte| (at, byte))) {
            let mut bad = body.to_vec();
            bad[at] = byte;
            match restored(&forged(&good, &bad)) {
                Err(error) => {
                    assert_eq!(error, ImageError::Content);
                    refused += 1;
                }
                Ok(mut sm) => {
                    assert_eq!(check_state(sm.config(), &sm.view()), Ok(()), "byte {at} = {byte}");
                    assert!(restored(&image(&sm)).as_ref() == Ok(&sm), "byte {at} = {byte}");
                    drive(&mut sm);
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
        let (mut sm, host) = (machine(&config).unwrap(), Host::new(&config));
        let mut traveller = image(&sm);
        for step in &steps {
            for event in host.events(step, &sm.view()) {
                let mut other = restored(&traveller).expect("its image is good");
                prop_assert_eq!(&sm.take(&event), &other.take(&event));
                prop_assert!(other == sm, "after {:?}", event);
                traveller = image(&other);
            }
        }
    }

    /// A forged body is refused, or makes a machine that keeps the invariants and bears every call.
    #[test]
    fn a_forged_image_does_no_harm(
        which in 0..5usize,
        edits in prop::collection::vec((any::<u16>(), prop_oneof![4 => 0..=8u8, 1 => any::<u8>()]), 1..=4),
    ) {
        let good = image(&all()[which]);
        let mut body = good[HEADER..good.len() - CHECKSUM].to_vec();
        for (at, byte) in edits {
            let at = usize::from(at) % body.len();
            body[at] = byte;
        }
        let Ok(mut sm) = restored(&forged(&good, &body)) else { return Ok(()) };
        let copy = restored(&image(&sm));
        prop_assert_eq!(copy.as_ref(), Ok(&sm));
        drive(&mut sm);
    }
}
