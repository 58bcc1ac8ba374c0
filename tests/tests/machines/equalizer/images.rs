//! Machines whose images are stored and forged.

use gpusched::equalizer::{Counts, Fm, FmConfig, Objective, Sm, SmConfig};
use gpusched::{Cycle, SmxId};

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
