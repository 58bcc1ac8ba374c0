//! Random runs.

use std::collections::BTreeSet;

use gpusched::apogee::{Adjust, ApogeeConfig, Push, Tia};
use gpusched_tests::apogee::invariants::check_event;
use gpusched_tests::apogee::model::Model;
use gpusched_tests::apogee::{Answer, Answered, Apogees, Event, LoadAnswer, View};
use proptest::prelude::*;

use crate::apogee::faults::SHEET;
use crate::apogee::images;
use crate::apogee::script::{Host, Step, configs, script};
use crate::every::{Runs, Script, reach};

impl Script for Apogees {
    type Step = Step;
    type Host = Host;

    const RUNS: Runs = Runs { model: 2000, c: 300, image: 1500, forged: 300 };
    const PRESETS: &'static [ApogeeConfig] = &[ApogeeConfig::APOGEE_4];
    const BAD: ApogeeConfig = ApogeeConfig { warp_size: 64, ..ApogeeConfig::APOGEE_4 };

    fn configs() -> BoxedStrategy<ApogeeConfig> {
        configs().boxed()
    }

    fn steps() -> BoxedStrategy<Vec<Step>> {
        script().boxed()
    }

    fn host(config: &ApogeeConfig) -> Host {
        Host::new(config)
    }

    fn events(_: &Self::Core, host: &mut Host, step: &Step) -> Vec<Event> {
        host.events(step)
    }

    fn learn(host: &mut Host, event: &Event, answer: &Answer) {
        host.answered(event, answer);
    }

    fn note(
        _: &mut Host,
        event: &Event,
        answered: &Answered,
        before: &View,
        after: &View,
        core: &Self::Core,
    ) -> Result<(), String> {
        check_event(core.config(), event, answered, before, after)
    }

    fn beside(_: &Self::Core, model: &Model) -> Result<(), String> {
        if model.balances() { Ok(()) } else { Err("a request is lost".into()) }
    }

    fn some() -> Vec<(u8, &'static str, Self::Core)> {
        vec![(13, "apogee-v2.bin", images::busy())]
    }

    fn bears(sm: Self::Core) -> Result<(), String> {
        images::bears(sm)
    }
}

/// What random runs came across.
fn note(found: &mut BTreeSet<String>, decided: &LoadAnswer) {
    let loaded = &decided.loaded;
    found.insert(format!("adjust {:?}", loaded.adjust));
    found.insert(format!("tia {:?}", loaded.tia));
    found.extend(decided.trig.iter().map(|t| format!("triggered {:?} {}", t.result, t.moved)));
    let flags = [
        ("evicted", loaded.evicted.is_some()),
        ("tia evicted", loaded.tia_evicted.is_some()),
        ("mismatch", loaded.mismatch),
        ("several lines", loaded.pushed > 1),
        ("merged", loaded.merged > 0),
        ("some merged", loaded.merged > 0 && loaded.pushed > 0),
        ("dropped", loaded.dropped > 0),
        ("outside", loaded.outside > 0),
        ("some outside", loaded.outside > 0 && loaded.pushed > 0),
    ];
    found.extend(flags.iter().filter(|(_, found)| *found).map(|(name, _)| (*name).to_owned()));
}

#[test]
fn random_runs_reach_everything() {
    let mut found = BTreeSet::new();
    let faults = reach::<Apogees>(1500, |_, answered, _| match answered {
        Ok(Answer::Load(decided)) => note(&mut found, decided),
        Ok(Answer::PfReply(true) | Answer::PfFill(true)) => drop(found.insert("stale".to_owned())),
        _ => {}
    });
    assert_eq!(faults, SHEET.split_whitespace().collect());
    let adjusts = [Adjust::None, Adjust::Inc, Adjust::IncSat, Adjust::Dec, Adjust::DecMin];
    let tias = [Tia::None, Tia::Added, Tia::Kept, Tia::Slow, Tia::SelfLoad, Tia::NoLal, Tia::NoRoom];
    let mut all = BTreeSet::from_iter(adjusts.iter().map(|adjust| format!("adjust {adjust:?}")));
    all.extend(tias.iter().map(|tia| format!("tia {tia:?}")));
    for push in [Push::Pushed, Push::Merged, Push::Dropped] {
        all.extend([false, true].map(|moved| format!("triggered {push:?} {moved}")));
    }
    let flags = "evicted,tia evicted,mismatch,several lines,merged,some merged,dropped,outside,some outside,stale";
    all.extend(flags.split(',').map(str::to_owned));
    assert_eq!(found, all);
}
