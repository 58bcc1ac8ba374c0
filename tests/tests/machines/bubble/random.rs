//! Random runs; and no TB waits for ever.

use std::collections::BTreeSet;

use gpusched::power::{BubbleConfig, GpuDone, GpuStart, Resume, ResumeKind, Sample};
use gpusched::{Resources, SmxSet};
use gpusched_tests::bubble::invariants::{Watch, serves};
use gpusched_tests::bubble::{Answer, Answered, Bubbles, Event, Queries, View};
use gpusched_tests::machine::Family;
use proptest::prelude::*;

use crate::bubble::faults::SHEET;
use crate::bubble::images;
use crate::bubble::script::{Host, Step, configs, script};
use crate::every::{Runs, Script, reach};

impl Script for Bubbles {
    type Step = Step;
    type Host = (Host, Watch);

    const RUNS: Runs = Runs { model: 1500, c: 700, image: 1500, forged: 300 };
    const PRESETS: &'static [BubbleConfig] = &[BubbleConfig::K20C];
    const BAD: BubbleConfig = BubbleConfig { t_num: 17, ..BubbleConfig::K20C };

    fn configs() -> BoxedStrategy<BubbleConfig> {
        configs().boxed()
    }

    fn steps() -> BoxedStrategy<Vec<Step>> {
        script().boxed()
    }

    fn host(config: &BubbleConfig) -> Self::Host {
        (Host::new(config), Watch::new(config))
    }

    fn events(_: &Self::Core, (host, _): &mut Self::Host, step: &Step) -> Vec<Event> {
        host.wait(step);
        host.events(step)
    }

    fn learn((host, _): &mut Self::Host, event: &Event, _: &Answer) {
        host.accepted(event);
    }

    fn note(
        (_, watch): &mut Self::Host,
        event: &Event,
        answered: &Answered,
        before: &View,
        after: &View,
        _: &Self::Core,
    ) -> Result<(), String> {
        watch.note(event, answered, before, after)
    }

    fn settled(core: &Self::Core, (host, _): &Self::Host) -> Result<(), String> {
        let config = core.controller().config();
        [1, config.smx_threads]
            .into_iter()
            .try_for_each(|threads| serves(core, config, Resources { threads, regs: 1, smem: 0, slots: 1 }, host.due))
    }

    fn shows(core: &Self::Core, c: &<Self as Family>::C) -> Result<(), TestCaseError> {
        prop_assert_eq!((c.now(), c.next_sample()), (core.controller().now(), core.controller().next_sample()));
        Ok(())
    }

    fn some() -> Vec<(u8, &'static str, Self::Core)> {
        vec![(3, "bubble-v2.bin", images::busy())]
    }

    fn others() -> Vec<Self::Core> {
        vec![images::asleep(), images::lonely()]
    }
}

/// What random runs came across.
#[derive(Default)]
struct Reached {
    found: BTreeSet<&'static str>,
}

impl Reached {
    fn note(&mut self, sample: &Sample) {
        let sets = [
            ("low_done", sample.low_done),
            ("high_done", sample.high_done),
            ("divert", sample.divert),
            ("refused", sample.refused),
            ("drain_done", sample.drain_done),
            ("drain_abort", sample.drain_abort),
            ("down", sample.down),
        ];
        let flags = [
            ("gpu low", sample.gpu_done == Some(GpuDone::Low)),
            ("gpu high", sample.gpu_done == Some(GpuDone::High)),
            ("gpu down", sample.gpu_start == Some(GpuStart::Down)),
            ("gpu up", sample.gpu_start == Some(GpuStart::Up)),
            ("up", matches!(sample.resume, Some(Resume { kind: ResumeKind::Up, .. }))),
            ("cancel", matches!(sample.resume, Some(Resume { kind: ResumeKind::Cancel, .. }))),
            ("starved", sample.starved),
        ];
        let sets = sets.into_iter().map(|(name, set)| (name, set != SmxSet::EMPTY));
        self.found.extend(sets.chain(flags).filter(|(_, found)| *found).map(|(name, _)| name));
    }
}

#[test]
fn random_runs_reach_everything() {
    let mut reached = Reached::default();
    let reached_faults = reach::<Bubbles>(500, |_, answered, _| {
        if let Ok(Answer::Sample(sample)) = answered {
            reached.note(sample);
        }
    });
    assert_eq!(reached_faults, SHEET.split_whitespace().collect());
    assert_eq!(reached.found.len(), 14, "{:?}", reached.found);
}
