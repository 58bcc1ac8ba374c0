//! Policies of the catalogue through C and in Rust: any views and ends of TBs in any order, and any bytes as an image. Both answer the
//! same, an SMX that is open to an offer or nothing; what is refused changes nothing; an image makes the policy that it was saved of, and
//! a forged one is refused or makes one that bears every call.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched::catalogue::{CatalogueConfig, catalogue_image_config};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_fuzz::bytes::{Bytes, number};
use gpusched_fuzz::machines::catalogue::{Seen, config, ended};
use gpusched_fuzz::twins::change;
use gpusched_tests::calls::catalogue::Event;
use gpusched_tests::catalogue::{HeapTables, Queries as _, machine, state};
use gpusched_tests::images::{Saved as _, image};
use gpusched_tests::through_c::catalogue::{ThroughC, image_config};
use libfuzzer_sys::fuzz_target;

type Core = gpusched::catalogue::Catalogue<HeapTables>;

/// Rows for units of a configuration that is built, so that it takes little memory.
const MOST_UNITS: u32 = 4096;

/// Both judge a configuration alike.
fn wild_config(u: Bytes, sane: &CatalogueConfig) -> Result<()> {
    let mut config = *sane;
    let field = match u.int_in_range(0..=9u8)? {
        0 => &mut config.n_smx,
        1 => &mut config.units,
        2 => &mut config.slots,
        3 => &mut config.threads,
        4 => &mut config.chunk,
        5 => &mut config.block,
        6 => &mut config.probe,
        7 => &mut config.streams,
        8 => &mut config.quantum,
        _ => &mut config.warp,
    };
    *field = number(u)?;
    if config.units <= MOST_UNITS {
        assert_eq!(ThroughC::new(&config).is_ok(), config.check().is_ok(), "{config:?}");
    }
    Ok(())
}

/// Both go on from an image, perhaps a changed one, or are as they were.
fn from_image(u: Bytes, c: &mut ThroughC, core: &mut Core) -> Result<()> {
    let saved = image(core);
    let changed = change(u, &saved)?;
    let told = catalogue_image_config(&changed).map_err(Status::from);
    assert_eq!(image_config(&changed), told, "the configuration in an image");
    if told != Ok(*core.config()) {
        return Ok(());
    }
    match core.restored(&changed) {
        Ok(restored) => {
            assert_eq!(c.restore(&changed), Ok(()));
            *core = restored;
        }
        Err(refused) => {
            assert_ne!(changed, saved, "what a policy saves is accepted");
            assert_eq!(c.restore(&changed), Err(refused.into()));
            // A refused one leaves the object as new.
            *core = machine(&c.config()).expect("it is valid");
        }
    }
    Ok(())
}

fn run(u: &mut Unstructured) -> Result<()> {
    let config = config(u)?;
    if u.ratio(1, 16)? {
        return wild_config(u, &config);
    }
    let mut c = ThroughC::new(&config).expect("it is valid");
    let mut core = machine(&config).expect("it is valid");
    while !u.is_empty() {
        match u.int_in_range(0..=15u8)? {
            0 => from_image(u, &mut c, &mut core)?,
            1..=4 => {
                let event = match u.int_in_range(0..=7u8)? {
                    0 => Event::Forget { row: number(u)?, unit: u.int_in_range(0..=5)? },
                    _ => Event::Done { ended: ended(u)? },
                };
                let before = core.clone();
                let answer = event.apply(&mut core);
                assert_eq!(c.take(&event), answer, "{event:?}");
                assert!(answer.is_ok() || core == before, "{event:?} changed what it refused");
            }
            _ => Seen::any(u, &config)?.show(&mut c, &mut core),
        }
        core.holds().unwrap_or_else(|broken| panic!("{broken}"));
        assert_eq!(c.is_settled(), core.is_settled());
        assert_eq!(c.image(), image(&core));
        // C has the greatest number for none, so what lasted longest of all is one less there.
        let is_longest = |row| core.unit(row).is_some_and(|unit| unit.duration == Some(u32::MAX));
        if u.ratio(1, 8)? && !(0..config.units).any(is_longest) {
            assert_eq!(state(&c), state(&core));
        }
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    // Bytes that end early end the run early.
    let _ = run(&mut Unstructured::new(data));
});
