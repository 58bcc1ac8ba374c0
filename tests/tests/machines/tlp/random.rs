//! Random runs.

use std::collections::BTreeSet;

use gpusched::Fault;
use gpusched::tlp::{Dispatch, Sent, TlpConfig};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::calls::{tlp_leftover, tlp_pool, tlp_sm, tlp_smart_even};
use gpusched_tests::machine::{Machine, Object};
use gpusched_tests::tlp::invariants::Watch;
use gpusched_tests::tlp::through_c::Unit as ThroughC;
use gpusched_tests::tlp::{Answer, Event, Kind, Unit, Units, View, script};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::every::{Runs, Script, answers_as_the_model, check};
use crate::tlp::images;

fn config() -> impl Strategy<Value = TlpConfig> {
    any::<[u8; script::CONFIG]>().prop_map(|bytes| script::config(&bytes))
}

fn events() -> impl Strategy<Value = Vec<[u8; script::EVENT]>> {
    prop::collection::vec(any::<[u8; script::EVENT]>(), 1..160)
}

const PRESETS: [(Kind, TlpConfig); 5] = [
    (Kind::TlpSm, TlpConfig::GTX480),
    (Kind::Pool, TlpConfig::GTX480),
    (Kind::LeftOver, TlpConfig::GTX480),
    (Kind::SmartEven, TlpConfig::GTX480),
    (Kind::Smc, TlpConfig::GTX480),
];

/// Units with a state.
impl Script for Units {
    type Step = [u8; script::EVENT];
    type Host = (Kind, TlpConfig, Watch);

    const RUNS: Runs = Runs { model: 4800, c: 700, image: 3000, forged: 600 };
    const PRESETS: &'static [(Kind, TlpConfig)] = &PRESETS;
    const BAD: (Kind, TlpConfig) = (Kind::Pool, TlpConfig { slots: 33, ..TlpConfig::GTX480 });

    fn configs() -> BoxedStrategy<(Kind, TlpConfig)> {
        (0..5usize, config()).prop_map(|(which, config)| (PRESETS[which].0, config)).boxed()
    }

    fn steps() -> BoxedStrategy<Vec<Self::Step>> {
        events().boxed()
    }

    fn host((kind, config): &(Kind, TlpConfig)) -> Self::Host {
        (*kind, *config, Watch::default())
    }

    fn events(unit: &Unit, host: &mut Self::Host, bytes: &Self::Step) -> Vec<Event> {
        vec![script::event(unit.config(), host.0, &unit.view(), bytes)]
    }

    fn note(
        (_, config, watch): &mut Self::Host,
        event: &Event,
        answered: &Result<Answer, Fault>,
        before: &View,
        after: &View,
        _: &Unit,
    ) -> Result<(), String> {
        watch.note(config, event, answered, before, after)
    }

    fn some() -> Vec<(u8, &'static str, Unit)> {
        vec![
            (14, "tlp-sm-v2.bin", images::busy(Kind::TlpSm)),
            (15, "tlp-pool-v2.bin", images::busy(Kind::Pool)),
            (16, "tlp-leftover-v2.bin", images::busy(Kind::LeftOver)),
            (17, "tlp-smart-even-v2.bin", images::busy(Kind::SmartEven)),
            (18, "tlp-smc-v2.bin", images::busy(Kind::Smc)),
        ]
    }

    fn others() -> Vec<Unit> {
        vec![images::tried_without_a_target()]
    }
}

/// The unit of one SM has the most to do.
#[test]
fn an_sm_answers_as_the_model() {
    answers_as_the_model::<Units>(3200, config().prop_map(|config| (Kind::TlpSm, config)).boxed());
}

#[test]
fn functions_answer_as_the_model_and_through_c() {
    answers_as_the_model::<Units>(300, config().prop_map(|config| (Kind::Pure, config)).boxed());
    check(150, (config(), events()), |(config, events)| {
        let (mut core, unit) = (Unit::new(Kind::Pure, &config).unwrap(), (Kind::Pure, config));
        let mut c = ThroughC::new(&unit).expect("random configurations are valid");
        for bytes in &events {
            let event = script::event(&config, Kind::Pure, &View::Pure, bytes);
            prop_assert_eq!(Machine::take(&mut c, &event), core.take(&event), "{:?}", event);
        }
        Ok(())
    });
}

#[test]
fn what_no_unit_is_built_of_is_refused_through_c() {
    for kind in Kind::ALL {
        let bad = (kind, TlpConfig { slots: 33, ..TlpConfig::GTX480 });
        assert_eq!(ThroughC::new(&bad).err(), Some(Status::BadConfig));
        assert_eq!(
            ThroughC::new(&(kind, TlpConfig::GTX480)).unwrap().view(),
            Unit::new(kind, &TlpConfig::GTX480).unwrap().view()
        );
    }
    let one = (Kind::Smc, TlpConfig { sms: 1, ..TlpConfig::GTX480 });
    assert_eq!(ThroughC::new(&one).err(), Some(Status::TooFewSms));
}

/// What random runs came across.
#[derive(Default)]
struct Reached(BTreeSet<String>);

impl Reached {
    fn note(&mut self, kind: Kind, answer: &Result<Answer, Fault>, view: &View) {
        let mut found = |what: String| {
            self.0.insert(format!("{kind:?} {what}"));
        };
        match answer {
            Err(fault) => found(format!("{fault:?}")),
            Ok(Answer::TlpSm(answer)) => match answer {
                tlp_sm::Answer::Sampled(sampled) => {
                    found(format!("{:?}", sampled.action));
                    found(format!("learnt {:?}", sampled.learn));
                    found(format!("critical {:?}", sampled.critical));
                }
                tlp_sm::Answer::Dispatch(Dispatch::Stall(stall)) => found(format!("{stall:?}")),
                tlp_sm::Answer::Dispatch(Dispatch::Placed(tb)) if tb.bypass => found("bypass".into()),
                tlp_sm::Answer::Detached(gone) => found(format!("done, aborted {}", gone.aborted)),
                tlp_sm::Answer::Overridden(set) => found(format!("override, aborted {}", set.aborted)),
                _ => {}
            },
            Ok(
                Answer::LeftOver(tlp_leftover::Answer::Sent(sent))
                | Answer::SmartEven(tlp_smart_even::Answer::Sent(sent), _),
            ) => match sent {
                Sent::Tb(_) => found("sent".into()),
                Sent::Empty | Sent::NoRoom => found(format!("{sent:?}")),
            },
            Ok(Answer::Pool(tlp_pool::Answer::Picked(picked))) => {
                found(format!("pair {:?}", picked.map(|picked| picked.b.is_some())));
            }
            Ok(Answer::Pool(tlp_pool::Answer::Next(next))) => {
                found(format!("next {:?}", next.map(|next| next.complementary)));
            }
            Ok(Answer::LeftOver(tlp_leftover::Answer::Finish(true))) => found("ended".into()),
            Ok(Answer::SmartEven(tlp_smart_even::Answer::SharerTbEnded(ended), _)) if ended.done => {
                found("took over".into());
            }
            Ok(_) => {}
        }
        match view {
            View::TlpSm(sm) => {
                found(format!("mode {:?}", sm.state.mode));
                let by = sm.state.by.iter().max().copied().unwrap_or(0);
                if by > 1 {
                    found("several bypass".into());
                }
            }
            View::Smc { phase, .. } => found(format!("phase {phase:?}")),
            View::SmartEven { sms, .. }
                if sms.iter().any(|sm| sm.owner.is_none()) && sms.iter().any(|sm| sm.owner.is_some()) =>
            {
                found("an SM is left over".into());
            }
            _ => {}
        }
    }
}

/// Random runs come across every fault, every action and every stall; else what they show means little.
#[test]
fn random_runs_reach_everything() {
    let mut reached = Reached::default();
    let mut runner = TestRunner::deterministic();
    for _ in 0..1500 {
        let (config, events) = (config(), events()).new_tree(&mut runner).expect("a value").current();
        for kind in Kind::ALL {
            let mut unit = Unit::new(kind, &config).unwrap();
            for bytes in &events {
                let answered = unit.take(&script::event(&config, kind, &unit.view(), bytes));
                reached.note(kind, &answered, &unit.view());
            }
        }
    }
    let expected = "
        Pure BadKernel, Pure BadArg, Pure TbTooBig, Pure BadProfile,
        TlpSm BadArg, TlpSm TimeBackwards, TlpSm SlotBusy, TlpSm BadKernel, TlpSm TbTooBig, TlpSm NotLive,
        TlpSm KernelStillResident, TlpSm BadSlot, TlpSm NotPaired, TlpSm DoesNotFit, TlpSm NoSampleDue, TlpSm BadMetrics,
        TlpSm Void, TlpSm Off, TlpSm Frozen, TlpSm First, TlpSm Hold, TlpSm Tie, TlpSm NoWork, TlpSm Blocked, TlpSm Moved,
        TlpSm learnt Off, TlpSm learnt S1, TlpSm learnt S2, TlpSm learnt S3, TlpSm learnt S4, TlpSm learnt Done,
        TlpSm critical None, TlpSm critical Some(Sp), TlpSm critical Some(Ldst), TlpSm bypass, TlpSm several bypass,
        TlpSm Idle, TlpSm AtTarget, TlpSm NoRoom, TlpSm mode Idle, TlpSm mode Solo, TlpSm mode Pair, TlpSm mode Leftover,
        TlpSm done; aborted true, TlpSm done; aborted false, TlpSm override; aborted true, TlpSm override; aborted false,
        Pool PoolFull, Pool BadIndex, Pool pair None, Pool pair Some(false), Pool pair Some(true), Pool next None,
        Pool next Some(false), Pool next Some(true),
        LeftOver BadKernel, LeftOver TbTooBig, LeftOver QueueFull, LeftOver NotResident, LeftOver Empty, LeftOver NoRoom,
        LeftOver sent, LeftOver ended,
        SmartEven Busy, SmartEven BadArg, SmartEven TooFewSms, SmartEven BadKernel, SmartEven TbTooBig,
        SmartEven NotResident, SmartEven Empty, SmartEven NoRoom, SmartEven sent, SmartEven took over,
        SmartEven an SM is left over,
        Smc Busy, Smc BadArg, Smc NoProposal, Smc phase Idle, Smc phase Base, Smc phase B0, Smc phase B1, Smc phase More,
        Smc phase EvenMore, Smc phase Less,
    ";
    let expected = expected.split(',').map(|name| name.trim().replace(';', ",")).filter(|name| !name.is_empty());
    let missing = expected.filter(|name| !reached.0.contains(name)).collect::<Vec<_>>();
    assert_eq!(missing, Vec::<String>::new(), "not reached; reached: {:?}", reached.0);
}
