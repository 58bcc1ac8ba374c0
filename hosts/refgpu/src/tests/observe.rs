//! What an observer of a run is told: nothing that its counts do not say, in order, and without a trace in them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use gpusched::{KernelSlot, Words};

use super::script::{config, kernel, script, with_verb};
use super::skip;
use crate::front::{Depths, LaunchVerb};
use crate::gpu::{Gpu, Monitor};
use crate::power::SmxState;
use crate::timeline::{Event, Observer, SmSample};

/// Adds up what it is told, and holds it against itself.
#[derive(Default)]
struct Clerk {
    last: u64,
    running: BTreeMap<(u16, u8), u32>,
    entries: BTreeSet<KernelSlot>,
    launches: u32,
    tbs: u32,
    tb_cycles: u64,
    depths: Depths,
    deepest: Depths,
    cycles: u64,
    counted: SmSample,
    words: Words,
    low: BTreeSet<u16>,
}

impl Observer for Clerk {
    fn event(&mut self, at: u64, event: Event<'_>) {
        assert!(at + 1 >= self.last, "{event:?} of {at} after {}", self.last);
        self.last = at.max(self.last);
        match event {
            Event::Launch { number, launch, .. } => {
                assert_eq!(number, self.launches);
                assert!(launch.parent.is_none_or(|parent| self.running.values().any(|&tb| tb == parent)));
                self.launches += 1;
            }
            Event::Visible(visible) if visible.group.is_none() => assert!(self.entries.insert(visible.kde)),
            Event::Visible(visible) => assert!(self.entries.contains(&visible.kde), "a group joins what is there"),
            Event::Left { kde, .. } => assert!(self.entries.remove(&kde)),
            Event::Start { number, tb } => {
                assert_eq!((number, tb.start), (self.tbs, at));
                self.tbs += 1;
                assert_eq!(self.running.insert((tb.sm, tb.slot), number), None, "one TB in a slot");
            }
            Event::End { number, tb, .. } => {
                assert_eq!(self.running.remove(&(tb.sm, tb.slot)), Some(number));
                self.tb_cycles += at - tb.start;
            }
            Event::Depths(depths) => {
                let most = &mut self.deepest;
                most.device = most.device.max(depths.device);
                most.joining = most.joining.max(depths.joining);
                self.depths = depths;
            }
            Event::State { smx, state: SmxState::Low, .. } => drop(self.low.insert(smx)),
            Event::State { .. } | Event::Levels(_) => {}
            Event::Sample(sample) => {
                self.cycles += sample.cycles;
                sample.sms.iter().for_each(|sm| self.counted.add(sm));
                self.words = sample.words;
            }
        }
    }
}

impl Monitor for Clerk {
    fn progress(&mut self, _: u64, _: u64, _: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self)
    }
}

#[test]
fn what_is_told_adds_up_to_what_is_counted_and_leaves_no_trace() {
    let laperm = [("dtbl.policy", "laperm"), ("bubble.enabled", "true"), ("laperm.queue_cap", "4")];
    for (change, verb) in [
        (&[][..], LaunchVerb::Group),
        (&[], LaunchVerb::DeviceKernel),
        (&[("dtbl.agt_size", "2")], LaunchVerb::Group),
        (&laperm, LaunchVerb::Group),
    ] {
        let (config, kernels) = (config("k20c", change), [kernel(1, 14, 64, 0), kernel(1, 5, 64, 0)]);
        let run = |monitor: &mut dyn Monitor| {
            Gpu::new(&config, with_verb(verb)).unwrap().run(&mut script(&kernels, skip::body), monitor).unwrap()
        };
        let mut clerk = Clerk::default();
        let (result, plain) = (run(&mut clerk), run(&mut ()));
        assert_eq!(result, plain, "{change:?}");
        let stats = result.stats;
        assert_eq!((u64::from(clerk.tbs), clerk.tb_cycles), (stats.sm.tbs, stats.sm.tb_cycles), "{change:?}");
        assert_eq!(u64::from(clerk.launches), stats.host_kernels + stats.sm.launches);
        assert!(clerk.running.is_empty() && clerk.entries.is_empty());
        assert_eq!(clerk.depths, Depths::default(), "{change:?}");
        assert!(clerk.deepest.device + clerk.deepest.joining > 0);
        let counted = [clerk.counted.warp_cycles, clerk.counted.instructions, clerk.counted.memory_stalls];
        assert_eq!(counted, [stats.sm.warp_cycles, stats.sm.all_instructions(), stats.sm.memory_stalls]);
        assert_eq!((clerk.cycles, clerk.words.tb), (stats.cycles, stats.sm.tbs), "{change:?}");
        assert_eq!(clerk.low.is_empty(), result.states.changes.iter().all(|change| change.state != SmxState::Low));
    }
}
