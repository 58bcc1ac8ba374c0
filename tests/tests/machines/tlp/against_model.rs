//! Random runs: the core answers and stands as the model does, and keeps the invariants.

use std::collections::BTreeSet;

use gpusched::Fault;
use gpusched::tlp::{Dispatch, Sent, TlpConfig};
use gpusched_tests::calls::{tlp_leftover, tlp_pool, tlp_sm, tlp_smart_even};
use gpusched_tests::equalizer::Machine;
use gpusched_tests::images::valid;
use gpusched_tests::tlp::invariants::Watch;
use gpusched_tests::tlp::{Answer, Event, Kind, Unit, View, model, script};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// `cases` random runs, the same in every test run. `PROPTEST_RNG_SEED` chooses others, `PROPTEST_CASES` how many.
pub fn runs(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|asked| asked.parse().ok());
    let chosen = ProptestConfig::default();
    let rng_seed = match chosen.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed => fixed,
    };
    ProptestConfig { cases: asked.unwrap_or(cases), rng_seed, ..chosen }
}

/// Bytes of a run: a configuration, and events.
pub fn bytes() -> impl Strategy<Value = ([u8; script::CONFIG], Vec<[u8; script::EVENT]>)> {
    (any::<[u8; script::CONFIG]>(), prop::collection::vec(any::<[u8; script::EVENT]>(), 1..160))
}

/// One run of core and model side by side; `note` sees what happens.
fn run(
    kind: Kind,
    config: &TlpConfig,
    events: &[[u8; script::EVENT]],
    mut note: impl FnMut(&Event, &Result<Answer, Fault>, &View),
) -> Result<(), String> {
    let (mut core, mut model) = (Unit::new(kind, config).unwrap(), model::Unit::new(kind, config).unwrap());
    let (mut watch, mut view) = (Watch::default(), core.view());
    for bytes in events {
        let event = script::event(config, kind, &view, bytes);
        let before = core.clone();
        let answer = core.take(&event);
        let expected = model.take(&event);
        if answer != expected {
            return Err(format!("{event:?}: {answer:?}, the model {expected:?}\nin {view:?}\n{config:?}"));
        }
        if answer.is_err() && core != before {
            return Err(format!("{event:?} was refused and changed the state"));
        }
        let now = core.view();
        if now != model.view() {
            return Err(format!("after {event:?}: {now:?},\nthe model {:?}", model.view()));
        }
        valid(&core, core.validate())?;
        watch.note(config, &event, &answer, &view, &now)?;
        note(&event, &answer, &now);
        view = now;
    }
    Ok(())
}

proptest! {
    #![proptest_config(runs(4000))]

    #[test]
    fn an_sm_answers_as_the_model((config, events) in bytes()) {
        run(Kind::TlpSm, &script::config(&config), &events, |_, _, _| ()).map_err(TestCaseError::fail)?;
    }
}

proptest! {
    #![proptest_config(runs(1000))]

    #[test]
    fn the_other_units_answer_as_the_model((config, events) in bytes(), kind in 0..5usize) {
        let kind = [Kind::Pure, Kind::Pool, Kind::LeftOver, Kind::SmartEven, Kind::Smc][kind];
        run(kind, &script::config(&config), &events, |_, _, _| ()).map_err(TestCaseError::fail)?;
    }
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
    // Numbers that look random, the same in every run.
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut byte = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 32) as u8
    };
    for _ in 0..1500 {
        let config = script::config(&std::array::from_fn(|_| byte()));
        for kind in Kind::ALL {
            let events = (0..150).map(|_| std::array::from_fn(|_| byte())).collect::<Vec<_>>();
            run(kind, &config, &events, |_, answer, view| reached.note(kind, answer, view)).unwrap();
        }
    }
    let expected = "
        Pure BadKernel, Pure BadArg, Pure KernelTooBig, Pure BadProfile,
        TlpSm BadArg, TlpSm TimeRegress, TlpSm SlotBusy, TlpSm BadKernel, TlpSm KernelTooBig, TlpSm NotLive,
        TlpSm KernelStillResident, TlpSm BadSlot, TlpSm NotPaired, TlpSm DoesNotFit, TlpSm NoSampleDue, TlpSm BadMetrics,
        TlpSm Void, TlpSm Off, TlpSm Frozen, TlpSm First, TlpSm Hold, TlpSm Tie, TlpSm NoWork, TlpSm Blocked, TlpSm Moved,
        TlpSm learnt Off, TlpSm learnt S1, TlpSm learnt S2, TlpSm learnt S3, TlpSm learnt S4, TlpSm learnt Done,
        TlpSm critical None, TlpSm critical Some(Sp), TlpSm critical Some(Ldst), TlpSm bypass, TlpSm several bypass,
        TlpSm Idle, TlpSm AtTarget, TlpSm NoRoom, TlpSm mode Idle, TlpSm mode Solo, TlpSm mode Pair, TlpSm mode Leftover,
        TlpSm done; aborted true, TlpSm done; aborted false, TlpSm override; aborted true, TlpSm override; aborted false,
        Pool PoolFull, Pool BadIndex, Pool pair None, Pool pair Some(false), Pool pair Some(true), Pool next None,
        Pool next Some(false), Pool next Some(true),
        LeftOver BadKernel, LeftOver KernelTooBig, LeftOver QueueFull, LeftOver NotResident, LeftOver Empty, LeftOver NoRoom,
        LeftOver sent, LeftOver ended,
        SmartEven Busy, SmartEven BadArg, SmartEven TooFewSms, SmartEven BadKernel, SmartEven KernelTooBig,
        SmartEven NotResident, SmartEven Empty, SmartEven NoRoom, SmartEven sent, SmartEven took over,
        SmartEven an SM is left over,
        Smc Busy, Smc BadArg, Smc NoProposal, Smc phase Idle, Smc phase Base, Smc phase B0, Smc phase B1, Smc phase More,
        Smc phase EvenMore, Smc phase Less,
    ";
    let expected = expected.split(',').map(|name| name.trim().replace(';', ",")).filter(|name| !name.is_empty());
    let missing = expected.filter(|name| !reached.0.contains(name)).collect::<Vec<_>>();
    assert_eq!(missing, Vec::<String>::new(), "not reached; reached: {:?}", reached.0);
}
