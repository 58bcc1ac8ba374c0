//! Random runs.

use std::collections::BTreeSet;

use gpusched::mascar::{Action, Mascar, MascarConfig, Next, Via, Why};
use gpusched_tests::mascar::invariants::check_event;
use gpusched_tests::mascar::model::Model;
use gpusched_tests::mascar::{Answer, Answered, Event, HeapTables, LsuState, Machine, Mascars, View};
use proptest::prelude::*;

use crate::every::{Runs, Script, reach, run};
use crate::mascar::faults::SHEET;
use crate::mascar::images;
use crate::mascar::script::{Host, Step, configs, script};

impl Script for Mascars {
    type Step = Step;
    type Host = Host;

    const RUNS: Runs = Runs { model: 3000, c: 500, image: 1500, forged: 300 };
    const PRESETS: &'static [MascarConfig] = &[MascarConfig::GTX480, MascarConfig::LRR, MascarConfig::GTO];
    const BAD: MascarConfig = MascarConfig { warps: 64, ..MascarConfig::GTX480 };

    fn configs() -> BoxedStrategy<MascarConfig> {
        configs().boxed()
    }

    fn steps() -> BoxedStrategy<Vec<Step>> {
        script().boxed()
    }

    fn host(config: &MascarConfig) -> Host {
        Host::new(config)
    }

    fn events(core: &Self::Core, host: &mut Host, step: &Step) -> Vec<Event> {
        host.events(step, &core.view())
    }

    fn note(
        _: &mut Host,
        event: &Event,
        answered: &Answered,
        before: &View,
        after: &View,
        core: &Self::Core,
    ) -> Result<(), String> {
        check_event(core.config(), before, event, answered, after)
    }

    fn beside(_: &Self::Core, model: &Model) -> Result<(), String> {
        if model.accounts_for_every_request() { Ok(()) } else { Err("a request is lost".into()) }
    }

    fn some() -> Vec<(u8, &'static str, Mascar<HeapTables>)> {
        vec![(12, "mascar-v2.bin", images::presented())]
    }

    fn others() -> Vec<Self::Core> {
        images::others()
    }

    fn bears(sm: Self::Core) -> Result<(), String> {
        images::bears(sm)
    }
}

/// A host that leaves out the picks before `next_event` gets the decisions of one that picks in every cycle.
#[test]
fn nothing_happens_before_the_next_event() {
    run::<Mascars>(Mascars::RUNS.model, |_, core, host, steps| {
        for step in steps {
            Mascars::step(core, host, step, &mut |core, _, event| Ok(core.take(event)))?;
            let next = core.picked().map_or(0, |picked| picked.0 + 1);
            let idle = core.next_event().map_or(u64::MAX, |at| at.0);
            let mut stepped = core.clone();
            for now in next..idle.min(next + 12) {
                let pick = stepped.pick(gpusched::Cycle(now), true, None).expect("a later cycle");
                let nothing = pick.issues.is_empty() && pick.released.is_none() && pick.granted.is_none();
                prop_assert!(nothing, "{:?} in cycle {} of {:?}", pick, now, core.view());
                prop_assert_eq!((stepped.owner(), stepped.state().barred), (core.owner(), core.state().barred));
            }
        }
        Ok(())
    });
}

#[test]
fn random_runs_reach_everything() {
    let mut found = BTreeSet::new();
    let faults = reach::<Mascars>(8000, |config, answered, view| {
        match answered {
            Err(_) => {}
            Ok(Answer::Pick(pick)) => {
                found.extend(pick.released.map(|released| match released.why {
                    Why::Dep => "dep",
                    Why::Sync => "sync",
                    Why::Timeout => "timeout",
                    Why::Rescue => "rescue",
                }));
                found.extend(pick.granted.map(|granted| match granted.via {
                    Via::Issue => "issue",
                    Via::Queue => "queue",
                }));
            }
            Ok(Answer::Next(next)) => drop(found.insert(match next {
                Next::Idle => "idle",
                Next::New { .. } => "new",
                Next::Blocked(_) => "blocked",
                Next::Rexq(_) => "rexq",
            })),
            Ok(Answer::Reply(reply)) => {
                found.extend(reply.unblocked.then_some("unblocked"));
                found.insert(match reply.action {
                    Action::Accepted => "accepted",
                    Action::Queued => "queued",
                    Action::Blocked => "still blocked",
                    Action::Popped => "popped",
                    Action::Recycled => "recycled",
                });
            }
            Ok(Answer::WarpExit(true)) => drop(found.insert("the owner exits")),
            Ok(_) => {}
        }
        found.extend((view.leftover != 0).then_some("leftover"));
        found.extend(view.barred.map(|_| "barred"));
        found.extend((view.lsu.state == LsuState::Blocked && config.rexq == 0).then_some("no queue"));
    });
    assert_eq!(faults, SHEET.split_whitespace().collect());
    assert_eq!(found.len(), 20, "{found:?}");
}
