//! Machines whose images are stored and forged.

use gpusched::equalizer::{Counts, Fm, FmConfig, Objective, Sm, SmConfig};
use gpusched::{Cycle, SmxId};
use gpusched_tests::images::{HEADER, Saved, forged, image};

const CONFIG: SmConfig = SmConfig { sample_interval: 4, epoch_cycles: 8, watchdog: 7, ..SmConfig::GTX480 };

/// An SM in the middle of an epoch, with a paused block, a freed slot and a run of decisions.
pub fn busy_sm() -> Sm {
    let mut sm = Sm::new(&SmConfig { hysteresis: 2, ..CONFIG }).unwrap();
    sm.kernel_start(Cycle(1), 8, 4, false).unwrap();
    for block in [7, 1 << 40, 3, 99] {
        sm.grant(Cycle(2), block).unwrap();
    }
    for i in 1..=7 {
        sm.sample(Cycle(4 * i), &Counts { active: 32, waiting: 1, xalu: 2, xmem: 9 }).unwrap();
    }
    sm.block_end(Cycle(29), gpusched::SlotId(1)).unwrap();
    sm.set_objective(Cycle(30), Objective::Energy).unwrap();
    assert_eq!((sm.state().running, sm.state().target, sm.state().run, sm.state().samples), (3, 3, 1, 1));
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
    assert_eq!((sm.state().running, sm.state().paused, sm.state().watchdog_epochs), (2, 2, 1));
    sm
}

/// equalizer-H5: a watchdog whose epochs are over has barked, so that there is no more than one epoch less while a block is paused.
#[test]
fn an_image_whose_watchdog_has_slept_in_is_refused() {
    let config = SmConfig { sample_interval: 1, epoch_cycles: 1, hysteresis: 1, watchdog: 100, ..SmConfig::GTX480 };
    let mut sm = Sm::new(&config).unwrap();
    sm.kernel_start(Cycle(0), 8, 2, false).unwrap();
    for block in 0..2 {
        sm.grant(Cycle(0), block).unwrap();
    }
    sm.sample(Cycle(1), &Counts { active: 16, waiting: 0, xalu: 0, xmem: 9 }).unwrap();
    for epoch in 2.. {
        if sm.state().watchdog_epochs == 99 {
            break;
        }
        sm.sample(Cycle(epoch), &Counts { active: 16, waiting: 0, xalu: 0, xmem: 0 }).unwrap();
    }
    assert_eq!(sm.state().paused, 1);
    let image = image(&sm);
    let body = &image[HEADER..image.len() - 4];
    let mut refused = 0;
    for at in (0..body.len()).filter(|&at| body[at] == 99) {
        let mut body = body.to_vec();
        body[at] = 100;
        match sm.restored(&forged(&image, &body)) {
            Ok(other) => assert_eq!(other.state().watchdog_epochs, 99),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 0);
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

pub fn other_sms() -> Vec<Sm> {
    vec![paused_sm(), asking_sm(true), asking_sm(false), Sm::new(&CONFIG).unwrap()]
}

/// A round half way, one step under way, an SM that does not vote.
pub fn busy_fm() -> Fm {
    let mut fm = Fm::new(&FmConfig { sms: 5, mem_transition: 0, ..FmConfig::GTX480 }).unwrap();
    fm.enable(Cycle(3), SmxId(4), false).unwrap();
    for sm in 0..4 {
        fm.vote(Cycle(10), SmxId(sm), 1, -1).unwrap();
    }
    for sm in [3, 1] {
        fm.vote(Cycle(20), SmxId(sm), -1, 0).unwrap();
    }
    assert_eq!(fm.next_event(), Some(Cycle(522)));
    fm
}
