//! What sheet `launch2` promises of grids, beyond what every run of the front end is held to: each is complete once, after all that it
//! launched and after what came before it in its queue; where nothing but forgotten kernels is launched, the machine is that of sheet `dtbl`.

use std::collections::{BTreeMap, BTreeSet};

use gpusched::{Cdp2Part, Config, Decision, DeviceLaunch, Fault, IssueSource, LateLaunch, State};
use gpusched_tests::drain::drain;
use gpusched_tests::events::{Answer, Event};
use proptest::prelude::*;

use crate::properties::configs::{Machine, machine};
use crate::properties::script::{Resolver, Step, play};

/// What a run has launched and not seen complete.
#[derive(Default)]
struct Seen {
    /// Parents of what the device launched, by tag.
    parents: BTreeMap<u64, Option<u64>>,
    /// The queue of each kernel of the host, and the place in the order of issue.
    issued: Vec<(u8, u64)>,
    ended: Vec<u64>,
    /// Groups that have not become kernels.
    groups: BTreeSet<u64>,
}

impl Seen {
    fn launched(&mut self, gpu: &Machine, event: &Event) {
        let parent = |smx: u32, slot: u32| {
            let tb = gpu.resident_tbs().find(|tb| (u32::from(tb.smx), u32::from(tb.slot)) == (smx, slot))?;
            let has_children = gpu.config().cdp2.is_some();
            Some(gpu.kde(tb.kde)?.kernel.descriptor.tag).filter(|_| has_children)
        };
        match event {
            Event::HostLaunch { descriptor, .. }
            | Event::HostLaunchDependent { descriptor, .. }
            | Event::HostLaunchGraph { descriptor, .. }
            | Event::HostLaunchGraphDependent { descriptor, .. }
            | Event::HostLaunchCross { producers: descriptor, .. } => {
                self.parents.insert(descriptor.tag, None);
            }
            // Groups that fall are kernels by themselves, for which nobody waits.
            Event::AggLaunch { groups, .. } => {
                self.groups.extend(groups.iter().map(|group| group.kernel.tag));
            }
            Event::DeviceLaunch { smx, slot, kernels } => {
                let parent = parent(*smx, *slot);
                self.parents.extend(kernels.iter().map(|kernel| (kernel.tag, parent)));
            }
            Event::DeviceLaunchNamed { smx, slot, launches } => {
                let parent = parent(*smx, *slot);
                self.parents.extend(launches.iter().map(|launch| (launch.kernel.tag, parent)));
            }
            _ => {}
        }
    }

    /// launch2-G2, launch2-G4, launch2-I2.
    fn note(&mut self, answer: &Answer) -> Result<(), TestCaseError> {
        for (_, decision) in &answer.decisions {
            match *decision {
                Decision::Issue { source: IssueSource::Hwq(queue), tag, .. } => self.issued.push((queue.0, tag)),
                Decision::KernelDone { tag, .. } => self.ended.push(tag),
                Decision::Issue { source: IssueSource::Node(_), tag, .. } => {
                    self.parents.insert(tag, None);
                }
                Decision::Issue { source: IssueSource::Device, tag, .. } if self.groups.remove(&tag) => {
                    self.parents.insert(tag, None);
                }
                Decision::Complete { tag } => {
                    let ended = self.ended.iter().position(|ended| *ended == tag);
                    prop_assert!(ended.is_some(), "{} is complete, and has not ended", tag);
                    self.ended.swap_remove(ended.unwrap_or(0));
                    prop_assert!(self.parents.remove(&tag).is_some(), "{} is complete twice", tag);
                    let child = self.parents.iter().find(|(_, parent)| **parent == Some(tag));
                    prop_assert!(child.is_none(), "{} is complete before {:?}", tag, child);
                    if let Some(at) = self.issued.iter().position(|(_, issued)| *issued == tag) {
                        let (queue, _) = self.issued.remove(at);
                        let earlier = self.issued[..at].iter().find(|(of, _)| *of == queue);
                        prop_assert!(earlier.is_none(), "{} is complete before {:?}", tag, earlier);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether a drained machine holds launches for ever: launch2-I10 lets it where late launches have brought it to a stand, and nowhere else.
pub fn may_stay(gpu: &Machine) -> Result<bool, TestCaseError> {
    let stays = gpu.status() == State::WaitStuck;
    prop_assert!(!stays || gpu.config().pdl.is_some_and(|part| part.late_launch == LateLaunch::Allow));
    Ok(stays)
}

/// launch2-I2, launch2-I10.
fn each_is_complete_once(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    let (mut gpu, mut seen) = (machine(config), Seen::default());
    play(&mut gpu, &mut Resolver::default(), steps, &mut |gpu, event| {
        let before = gpu.clone();
        let answer = event.apply(gpu);
        if answer.refusal().is_none() {
            seen.launched(&before, event);
        }
        seen.note(&answer)
    })?;
    drain(&mut gpu, &mut |gpu, event| {
        let answer = event.apply(gpu);
        seen.note(&answer).map_err(|wrong| wrong.to_string())
    })
    .map_err(TestCaseError::fail)?;
    if may_stay(&gpu)? {
        return Ok(());
    }
    prop_assert!(seen.parents.is_empty(), "{:?} are never complete", seen.parents);
    let stats = gpu.grid_stats().expect("there are grids");
    prop_assert_eq!((0..gpu.n_grid()).filter(|&g| gpu.grid(gpusched::GridId(g)).is_some()).count(), 0);
    prop_assert!(stats.tails <= stats.completes);
    Ok(())
}

/// launch2-E8: one kernel of the host per queue, and forgotten ones. What is decided is what it is without streams, but for when grids
/// are complete and queues are free.
fn forgotten_is_as_before(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    let part = Cdp2Part { max_depth: 255, ..Cdp2Part::CUDA };
    let before = Config { cdp2: None, pdl: None, kgraph: None, flush_cycles: 0, ..*config };
    let mut now = machine(&Config { cdp2: Some(part), pdl: None, kgraph: None, grids: 24, ..*config });
    let mut queues = 0_u32;
    play(&mut machine(&before), &mut Resolver::default(), steps, &mut |gpu, event| {
        match event {
            Event::HostLaunch { stream, .. } if queues >> (stream % config.n_hwq) & 1 == 0 => {
                queues |= 1 << (stream % config.n_hwq);
            }
            Event::HostLaunch { .. } | Event::HostLaunchGraph { .. } | Event::HostLaunchCross { .. } => return Ok(()),
            Event::AggLaunch { .. } | Event::Suspend(_) | Event::DeviceLaunchNamed { .. } => return Ok(()),
            // What is decided ends them, and it is more there.
            Event::Advance(_) => return Ok(()),
            _ => {}
        }
        let got = event.apply(&mut now);
        // A kernel whose children run is over before, and holds its queue now (launch2-W2).
        if matches!(got.refusal(), Some(Fault::StreamBusy | Fault::ContextBusy)) {
            return Ok(());
        }
        let expected = event.apply(gpu);
        prop_assert_eq!(&got.value, &expected.value, "{:?}", event);
        let kept = |answer: &Answer| {
            let is_kept =
                |decision: &Decision| !matches!(decision, Decision::Complete { .. } | Decision::HwqFree { .. });
            answer.decisions.iter().filter(|(_, decision)| is_kept(decision)).copied().collect::<Vec<_>>()
        };
        prop_assert_eq!(kept(&got), kept(&expected), "{:?}", event);
        Ok(())
    })
}

/// launch2-C1: a command without names is one whose lanes all name the stream of forgotten kernels.
fn unnamed_is_forgotten(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut named = machine(config);
    play(&mut machine(config), &mut Resolver::default(), steps, &mut |gpu, event| {
        let other = match event {
            Event::DeviceLaunch { smx, slot, kernels } if config.cdp2.is_some() => {
                let launch = |&kernel| DeviceLaunch { kernel, stream: DeviceLaunch::FIRE_AND_FORGET };
                Event::DeviceLaunchNamed { smx: *smx, slot: *slot, launches: kernels.iter().map(launch).collect() }
            }
            other => other.clone(),
        };
        prop_assert_eq!(other.apply(&mut named), event.apply(gpu));
        prop_assert_eq!(&named, &*gpu);
        Ok(())
    })
}

on_each! {
    each_grid_is_complete_once: 3000 of grids => |((config, steps),)| each_is_complete_once(&config, &steps);
    forgotten_kernels_are_as_before: 2000 of grids => |((config, steps),)| forgotten_is_as_before(&config, &steps);
    a_lane_without_a_name_is_forgotten: 800 of grids => |((config, steps),)| unnamed_is_forgotten(&config, &steps);
}
