//! Random runs.

use std::collections::BTreeSet;

use gpusched::equalizer::{Action, Fm, FmConfig, FmState, Outcome, SmConfig, Step};
use gpusched_tests::equalizer::invariants::{Watch, check_fm_event};
use gpusched_tests::equalizer::{
    FmAnswer, FmEvent, FmQueries as _, Fms, Machine, SmAnswer, SmEvent, SmQueries as _, SmView, Sms,
};
use gpusched_tests::machine::Family;
use proptest::prelude::*;

use crate::equalizer::faults::SHEET;
use crate::equalizer::images;
use crate::equalizer::script::{FmHost, FmStep, SmHost, SmStep, fm_configs, fm_script, sm_configs, sm_script};
use crate::every::{Answered, Runs, Script, reach};

impl Script for Sms {
    type Step = SmStep;
    type Host = (SmHost, Watch);

    const RUNS: Runs = Runs { model: 3000, c: 700, image: 1500, forged: 300 };
    const PRESETS: &'static [SmConfig] = &[SmConfig::GTX480];
    const BAD: SmConfig = SmConfig { min_blocks: 9, ..SmConfig::GTX480 };

    fn configs() -> BoxedStrategy<SmConfig> {
        sm_configs().boxed()
    }

    fn steps() -> BoxedStrategy<Vec<SmStep>> {
        sm_script().boxed()
    }

    fn host(config: &SmConfig) -> Self::Host {
        (SmHost::new(config), Watch::default())
    }

    fn events(sm: &Self::Core, (host, _): &mut Self::Host, step: &SmStep) -> Vec<SmEvent> {
        host.events(step, &sm.view())
    }

    fn note(
        (_, watch): &mut Self::Host,
        event: &SmEvent,
        answered: &Answered<Self>,
        before: &SmView,
        after: &SmView,
        core: &Self::Core,
    ) -> Result<(), String> {
        watch.note(core.config(), event, answered, before, after)
    }

    fn shows(core: &Self::Core, c: &<Self as Family>::C) -> Result<(), TestCaseError> {
        prop_assert_eq!(c.now(), core.now());
        Ok(())
    }

    fn some() -> Vec<(u8, &'static str, Self::Core)> {
        vec![(10, "equalizer-sm-v2.bin", images::busy_sm())]
    }

    fn others() -> Vec<Self::Core> {
        images::other_sms()
    }
}

impl Script for Fms {
    type Step = FmStep;
    type Host = FmHost;

    const RUNS: Runs = Runs { model: 3000, c: 700, image: 1500, forged: 300 };
    const PRESETS: &'static [FmConfig] = &[FmConfig::GTX480];
    const BAD: FmConfig = FmConfig { sms: 257, ..FmConfig::GTX480 };

    fn configs() -> BoxedStrategy<FmConfig> {
        fm_configs().boxed()
    }

    fn steps() -> BoxedStrategy<Vec<FmStep>> {
        fm_script().boxed()
    }

    fn host(config: &FmConfig) -> Self::Host {
        FmHost::new(config)
    }

    fn events(fm: &Fm, host: &mut FmHost, step: &FmStep) -> Vec<FmEvent> {
        host.events(step, &fm.view())
    }

    fn note(
        _: &mut FmHost,
        _: &FmEvent,
        answered: &Answered<Self>,
        before: &FmState,
        after: &FmState,
        _: &Fm,
    ) -> Result<(), String> {
        check_fm_event(answered, before, after)
    }

    fn shows(core: &Self::Core, c: &<Self as Family>::C) -> Result<(), TestCaseError> {
        prop_assert_eq!((c.now(), c.next_event()), (core.now(), core.next_event()));
        Ok(())
    }

    fn some() -> Vec<(u8, &'static str, Self::Core)> {
        vec![(11, "equalizer-fm-v3.bin", images::busy_fm())]
    }

    fn others() -> Vec<Self::Core> {
        vec![Fm::new(&FmConfig::GTX480).unwrap()]
    }
}

/// What random runs came across.
#[derive(Default)]
struct Reached {
    found: BTreeSet<String>,
}

impl Reached {
    fn note_sm(&mut self, answer: &SmAnswer) {
        let change = match answer {
            SmAnswer::Granted(granted) if granted.change.pause.contains(&granted.slot) => {
                self.found.insert("arrives paused".into());
                &granted.change
            }
            SmAnswer::Granted(granted) => &granted.change,
            SmAnswer::Ended(ended) => &ended.change,
            SmAnswer::Change(change) => change,
            SmAnswer::EpochEnd(Some(end)) => {
                self.found.insert(format!("{:?} {:?}", end.delta, end.action));
                let flags = [("shrinks", end.changed == Step::Down), ("grows", end.changed == Step::Up)];
                self.found.extend(flags.iter().filter(|(_, is)| *is).map(|(name, _)| (*name).to_owned()));
                if end.watchdog {
                    self.found.insert("watchdog".into());
                }
                &end.change
            }
            _ => return,
        };
        let lists = [("pause", !change.pause.is_empty()), ("unpause", !change.unpause.is_empty())];
        let asks = [("requests", change.requests > 0)];
        self.found.extend(lists.iter().chain(&asks).filter(|(_, is)| *is).map(|(name, _)| (*name).to_owned()));
    }

    fn note_fm(&mut self, answer: &FmAnswer) {
        if let FmAnswer::Vote(Some(round)) | FmAnswer::Round(round) = answer {
            for resolved in [round.sm, round.mem] {
                self.found.insert(format!("{:?}, {:?}", resolved.decision, resolved.outcome));
            }
        }
    }
}

#[test]
fn random_runs_reach_everything() {
    let mut reached = Reached::default();
    let mut reached_faults =
        reach::<Sms>(1500, |_, answered, _| answered.iter().for_each(|answer| reached.note_sm(answer)));
    reached_faults
        .extend(reach::<Fms>(1500, |_, answered, _| answered.iter().for_each(|answer| reached.note_fm(answer))));
    assert_eq!(reached_faults, SHEET.split_whitespace().collect());
    let mut expected = BTreeSet::from(
        ["arrives paused", "shrinks", "grows", "watchdog", "pause", "unpause", "requests"].map(str::to_owned),
    );
    for (delta, action) in [
        (Step::Down, Action::Mem),
        (Step::Hold, Action::Comp),
        (Step::Hold, Action::Mem),
        (Step::Up, Action::Comp),
        (Step::Up, Action::Mem),
        (Step::Hold, Action::None),
    ] {
        expected.insert(format!("{delta:?} {action:?}"));
    }
    let decisions = [Step::Down, Step::Hold, Step::Up];
    let outcomes = [Outcome::None, Outcome::Busy, Outcome::Limit, Outcome::Start, Outcome::Done];
    for (decision, outcome) in decisions.into_iter().flat_map(|d| outcomes.map(|o| (d, o))) {
        let possible = match outcome {
            Outcome::None => decision == Step::Hold,
            Outcome::Limit => decision != Step::Hold,
            _ => true,
        };
        if possible {
            expected.insert(format!("{decision:?}, {outcome:?}"));
        }
    }
    assert_eq!(reached.found, expected);
}
