//! Random runs: the core answers and stands as the model does, and keeps the invariants.

use std::collections::BTreeSet;

use gpusched::mascar::{Action, Next, Via, Why};
use gpusched_tests::images::valid;
use gpusched_tests::mascar::invariants::check_event;
use gpusched_tests::mascar::model::Model;
use gpusched_tests::mascar::{Answer, LsuState, Machine, machine};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::mascar::script::{Host, configs, runs, script};

proptest! {
    #![proptest_config(runs(3000))]

    #[test]
    fn the_core_answers_as_the_model(config in configs(), steps in script()) {
        let (mut core, mut model, host) = (machine(&config).unwrap(), Model::new(&config), Host::new(&config));
        let mut view = core.view();
        prop_assert_eq!(&view, &model.view());
        for step in &steps {
            for event in host.events(step, &view) {
                let before = core.clone();
                let answer = core.take(&event);
                prop_assert_eq!(&answer, &model.take(&event), "{:?}", event);
                if answer.is_err() {
                    prop_assert!(core == before, "{:?} was refused and changed the state", event);
                }
                let now = core.view();
                prop_assert_eq!(&now, &model.view(), "after {:?}", event);
                prop_assert!(model.accounts_for_every_request());
                valid(&core, core.validate()).map_err(TestCaseError::fail)?;
                check_event(&config, &view, &event, &answer, &now).map_err(TestCaseError::fail)?;
                view = now;
            }
        }
    }

    /// A host that leaves out the picks before `next_event` gets the decisions of one that picks in every cycle.
    #[test]
    fn nothing_happens_before_the_next_event(config in configs(), steps in script()) {
        let (mut core, host) = (machine(&config).unwrap(), Host::new(&config));
        for step in &steps {
            let view = core.view();
            for event in host.events(step, &view) {
                let _ = core.take(&event);
            }
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
    }
}

#[test]
fn random_runs_reach_everything() {
    let mut runner = TestRunner::deterministic();
    let (mut faults, mut found) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..8000 {
        let (config, steps) = (configs(), script()).new_tree(&mut runner).expect("a value").current();
        let (mut core, host) = (machine(&config).unwrap(), Host::new(&config));
        for step in &steps {
            let view = core.view();
            for event in host.events(step, &view) {
                match core.take(&event) {
                    Err(fault) => drop(faults.insert(fault.name())),
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
                let view = core.view();
                found.extend((view.leftover != 0).then_some("leftover"));
                found.extend(view.barred.map(|_| "barred"));
                found.extend((view.lsu.state == LsuState::Blocked && config.rexq == 0).then_some("no queue"));
            }
        }
    }
    let sheet = "BadCount BadHead BadMask BadOccupancy BadRegister BadReply BadRequest BadSource BadWarp LsuNotAwaiting \
                 NoReplyPending ReplyPending TimeBackwards TimeOverflow WarpHasRequests WarpNotResident WarpResident \
                 WrongWarp";
    assert_eq!(faults, sheet.split_whitespace().collect());
    assert_eq!(found.len(), 20, "{found:?}");
}
