//! The controller over a ledger that somebody else keeps answers as the machine with its own.

use gpusched::power::{BubbleConfig, BubbleController, Ledger, SmxPower};
use gpusched::{BuildError, Fault, Resources, SmxId};
use gpusched_tests::bubble::{Answer, Event, Machine, machine};
use proptest::prelude::*;

use crate::bubble::script::{Host, configs, script};
use crate::every::runs;

/// A host that keeps a list of its TBs, and counts when it is asked.
struct List {
    config: BubbleConfig,
    tbs: Vec<(SmxId, Resources)>,
}

impl List {
    fn on(&self, smx: SmxId) -> impl Iterator<Item = &Resources> {
        self.tbs.iter().filter(move |(s, _)| *s == smx).map(|(_, res)| res)
    }
}

impl Ledger for List {
    fn warps(&self, smx: SmxId) -> u32 {
        self.on(smx).map(|res| res.warps(self.config.warp_size)).sum()
    }

    fn is_idle(&self, smx: SmxId) -> bool {
        self.on(smx).next().is_none()
    }

    fn fits(&self, smx: SmxId, res: &Resources) -> bool {
        let total = |part: fn(&Resources) -> u32| self.on(smx).chain([res]).map(part).sum::<u32>();
        let smx = self.config.capacity();
        total(|r| r.threads) <= smx.threads
            && total(|r| r.regs) <= smx.regs
            && total(|r| r.smem) <= smx.smem
            && total(|r| r.slots) <= smx.slots
    }
}

proptest! {
    #![proptest_config(runs(300))]

    #[test]
    fn an_outside_ledger_answers_as_the_own_one(config in configs(), steps in script()) {
        let (mut own, mut host) = (machine(&config).unwrap(), Host::new(&config));
        let rows = vec![SmxPower::default(); config.smxs as usize];
        let mut controller = BubbleController::new(&config, rows).unwrap();
        let mut list = List { config, tbs: Vec::new() };
        for step in &steps {
            host.wait(step);
            for event in host.events(step) {
                // A TB that nobody started is not in the list.
                let known = |smx, res| list.tbs.iter().position(|tb| *tb == (smx, res));
                if matches!(event, Event::Completed { smx, res, .. } if known(smx, res).is_none()) {
                    continue;
                }
                let answer = own.take(&event);
                // The controller alone hears nothing of TBs, so less of the time.
                if answer == Err(Fault::TimeBackwards) {
                    continue;
                }
                match &event {
                    Event::Dispatched { smx, res, .. } => {
                        if answer.is_ok() {
                            prop_assert!(controller.eligible().contains(*smx) && list.fits(*smx, res));
                            list.tbs.push((*smx, *res));
                        }
                    }
                    Event::Completed { smx, res, .. } => {
                        if let Some(at) = known(*smx, *res) {
                            list.tbs.swap_remove(at);
                        }
                    }
                    Event::Sample { now, waiting, activity } => {
                        let sample = controller.sample(*now, waiting.as_ref(), activity.as_deref(), &list);
                        prop_assert_eq!(&answer, &sample.map(Answer::Sample));
                    }
                    Event::Account { now, activity } => {
                        let done = controller.account(*now, activity.as_deref(), &list);
                        prop_assert_eq!(&answer, &done.map(|()| Answer::Done));
                    }
                }
                if answer.is_ok() {
                    host.accepted(&event);
                }
            }
        }
        prop_assert_eq!(controller.energy(), own.controller().energy());
        prop_assert_eq!(controller.stats(), own.controller().stats());
        prop_assert_eq!(controller.armed(), own.controller().armed());
    }
}

#[test]
fn a_controller_is_not_built_of_what_is_wrong() {
    let row = SmxPower::default();
    let small = BubbleController::new(&BubbleConfig { smxs: 3, ..BubbleConfig::K20C }, [row; 2]);
    assert!(matches!(small, Err(BuildError::Tables(e)) if (e.have, e.need) == (2, 3)));
    let wrong = BubbleController::new(&BubbleConfig { smxs: 0, ..BubbleConfig::K20C }, [row; 2]);
    assert!(matches!(wrong, Err(BuildError::Config(e)) if e.parameter.name == "smxs"));
}
