//! Images: a restored machine cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::apogee::{
    Access, Apogee, ApogeeConfig, InlineTables, Lanes, RowId, Verdict, WarpId, apogee_image_config,
};
use gpusched::{Cycle, ImageError, inline_apogee_tables};
use gpusched_tests::apogee::{Event, Form, HeapTables, Load, Machine, machine, tables};
use gpusched_tests::images::{
    NUMBERS, again, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, assert_moves,
    forge, image, on_both, valid,
};
use proptest::prelude::*;

use crate::apogee::script::{Host, Step, configs, runs, script};

type Sm = Apogee<HeapTables>;

const CONFIG: ApogeeConfig =
    ApogeeConfig { entries: 6, warps: 2, warp_size: 8, threads: 16, pfq: 8, ..ApogeeConfig::APOGEE_4 };
inline_apogee_tables! {
    struct Small = CONFIG;
}
inline_apogee_tables! {
    struct Smaller = ApogeeConfig { entries: 5, ..CONFIG };
}

fn restored(image: &[u8]) -> Result<Sm, ImageError> {
    Apogee::restore(image, tables(&apogee_image_config(image)?))
}

fn load(sm: &mut Sm, now: u64, pc: u64, warp: u16, base: u64, step: i64) {
    let addresses: Vec<_> = (0..8).map(|lane| base.wrapping_add_signed(step * lane)).collect();
    let lanes = Lanes::Dense { mask: 0xff, addresses: &addresses };
    sm.load(Cycle(now), &Access { pc, warp: WarpId(warp), verdict: Verdict::Absent, lanes }, &mut ()).unwrap();
}

/// A machine with a row of each kind, requests of several rows and one of a displaced one, the ring turned, and an answer owing.
fn busy() -> Sm {
    let mut sm = machine(&CONFIG).unwrap();
    load(&mut sm, 100, 1, 0, 4096, 4);
    load(&mut sm, 110, 2, 1, 8192, -8);
    for _ in 0..2 {
        sm.pf_pop(Cycle(130)).unwrap().unwrap();
        sm.pf_reply(true).unwrap();
    }
    sm.pf_fill(RowId(0), 1, WarpId(0)).unwrap();
    load(&mut sm, 140, 3, 1, 1 << 20, 0);
    load(&mut sm, 150, 2, 1, 8192 - 128, -8);
    load(&mut sm, 160, 4, 0, 77, 1000);
    for pc in 5..8 {
        load(&mut sm, 170, pc, 0, 1 << (10 + pc), 8);
    }
    load(&mut sm, 180, 1, 0, 4096 + 64, 4);
    sm.pf_pop(Cycle(190)).unwrap().unwrap();
    sm.set_threads(24).unwrap();
    let view = sm.view();
    assert!(view.queue.len() > 4 && view.unanswered.is_some() && view.table.len() == 6, "{view:?}");
    sm
}

#[test]
fn a_machine_moves_between_homes() {
    for sm in [busy(), machine(&CONFIG).unwrap()] {
        assert_eq!(apogee_image_config(&image(&sm)), Ok(CONFIG));
        assert_moves(&sm, |image| Apogee::<Small>::restore(image, Small::empty()), restored);
    }
}

#[test]
fn what_is_damaged_is_refused() {
    assert_damage_is_refused(&busy(), restored);
    let five_rows = Apogee::<Smaller>::restore(&image(&busy()), Smaller::empty());
    assert!(matches!(five_rows, Err(ImageError::Tables(small)) if (small.have, small.need) == (5, 6)));
}

#[test]
fn kinds_are_told_apart() {
    assert_kind(&image(&busy()), 13, 2);
}

#[test]
fn a_stored_image_is_still_good() {
    assert_is_stored(&busy(), "apogee-v2.bin", env!("CARGO_TARGET_TMPDIR"), restored);
}

/// Whatever a forged machine is: it keeps the invariants, and it bears every call.
fn bears(mut sm: Sm) -> Result<(), String> {
    let config = *sm.config();
    valid(&sm, sm.validate())?;
    for i in 0..12_u64 {
        let now = Cycle(sm.now().0.saturating_add(i));
        for warp in 0..config.warps as u16 {
            let lanes = (0..config.warp_size as u8).map(|lane| (lane, 64 * i + u64::from(lane) * (i % 3))).collect();
            let load = Load {
                now,
                pc: i % 5,
                warp: WarpId(warp),
                result: Some(Verdict::Absent),
                lanes,
                form: Form::ALL[i as usize % 3],
            };
            let _ = sm.take(&Event::Load(load));
        }
        let _ = sm.take(&Event::PfReply { sent: i % 2 == 0 });
        if let Ok(Some(request)) = sm.pf_pop(now) {
            let _ = sm.pf_fill(request.entry, request.generation, request.warp);
        }
        valid(&sm, sm.validate())?;
    }
    let _ = sm.pf_reply(true);
    sm.flush().map(drop).map_err(|fault| fault.to_string())
}

#[test]
fn every_forged_number_is_refused_or_possible() {
    assert_forgery_is_harmless(&busy(), NUMBERS, bears);
}

/// Plays random steps on a machine, each call on what its image makes, too.
fn play(sm: &mut Sm, host: &mut Host, steps: &[Step]) -> Result<(), TestCaseError> {
    for step in steps {
        for event in host.events(step) {
            if let Ok(answer) = on_both(sm, |sm| sm.take(&event)).map_err(TestCaseError::fail)? {
                host.answered(&event, &answer);
            }
        }
    }
    again(sm).map(drop).map_err(TestCaseError::fail)
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
        let (mut sm, mut host) = (machine(&config).unwrap(), Host::new(&config));
        for step in &before {
            for event in host.events(step) {
                if let Ok(answer) = sm.take(&event) {
                    host.answered(&event, &answer);
                }
            }
        }
        for mut forged in tries.iter().filter_map(|edits| forge(&sm, edits)) {
            play(&mut forged, &mut host.clone(), &after)?;
        }
    }
}
