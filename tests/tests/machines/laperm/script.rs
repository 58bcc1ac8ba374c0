//! Random machines and random runs on them.

use gpusched::laperm::{BackupSelect, Config, LaPerm, Model, NoFit, Policy, RefillMode, Spill, Visit};
use gpusched::{Cycle, KernelSlot, Resources, SmxId, UnitId};
use gpusched_tests::laperm::LaPerms;
use gpusched_tests::laperm::event::{Event, Queries};
use gpusched_tests::laperm::heap::HeapTables;
use gpusched_tests::laperm::host::Host;
use gpusched_tests::laperm::view::{View, loading};
use gpusched_tests::machine::Family;
use proptest::prelude::*;
use proptest::sample::select;

use crate::every::{Answered, Runs, Script};
use crate::laperm::images;

/// A step, made a call with what is known when its turn comes.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Time goes by.
    Later(u8),
    PushHost(u8, Resources),
    /// The parent is one of those that run.
    PushChild(u8, Resources, u8),
    /// The parent is anywhere, also where no SMX is.
    PushOrphan(u8, Resources, u8, u8),
    Tick,
    /// One of those that run ends.
    Done(u8),
    /// A TB ends of which nobody knows whether it runs.
    DoneAnywhere(u8, Resources, Option<u8>),
    Kmu,
    /// An entry that was asked for is here; if there is none, one of this tag.
    Refilled(u8),
    Mask(u8, bool),
    Waiting(u8),
    /// The same call, but earlier.
    Earlier,
}

fn need() -> impl Strategy<Value = Resources> {
    let small = prop_oneof![8 => 1..=2u32, 2 => 3..=4u32, 1 => Just(0u32), 1 => Just(9u32)];
    let other = || prop_oneof![6 => 0..=2u32, 1 => Just(9u32)];
    let slots = prop_oneof![12 => Just(1u32), 2 => Just(2u32), 1 => Just(0u32)];
    (small, other(), other(), slots).prop_map(|(threads, regs, smem, slots)| Resources { threads, regs, smem, slots })
}

fn step() -> impl Strategy<Value = Step> {
    let tbs = || prop_oneof![12 => 1..=3u8, 1 => Just(0u8)];
    prop_oneof![
        8 => (1..=3u8).prop_map(Step::Later),
        3 => (tbs(), need()).prop_map(|(tbs, need)| Step::PushHost(tbs, need)),
        8 => (tbs(), need(), any::<u8>()).prop_map(|(tbs, need, i)| Step::PushChild(tbs, need, i)),
        4 => (tbs(), need(), 0..=5u8, 0..=5u8).prop_map(|(tbs, need, smx, prio)| Step::PushOrphan(tbs, need, smx, prio)),
        16 => Just(Step::Tick),
        10 => any::<u8>().prop_map(Step::Done),
        1 => (0..=5u8, need(), prop::option::of(0..=5u8)).prop_map(|(s, need, k)| Step::DoneAnywhere(s, need, k)),
        6 => Just(Step::Kmu),
        4 => any::<u8>().prop_map(Step::Refilled),
        2 => (0..=5u8, any::<bool>()).prop_map(|(smx, masked)| Step::Mask(smx, masked)),
        2 => (0..=5u8).prop_map(Step::Waiting),
        1 => Just(Step::Earlier),
    ]
}

pub fn script() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 0..120)
}

prop_compose! {
    /// Machines on which every queue is soon full.
    pub fn configs()(
        (smxs, cluster) in (1..=5u32).prop_flat_map(|n| (Just(n), 1..=n)),
        levels in 1..=4u32,
        policy in select(vec![Policy::Rr, Policy::TbPri, Policy::SmxBind, Policy::AdaptiveBind, Policy::AdaptiveBind]),
        model in select(vec![Model::Dtbl, Model::Dtbl, Model::Cdp]),
        (queue_cap, q0_cap, pool_cap, kdu_entries) in (1..=3u32, 1..=3u32, 0..=5u32, 1..=4u32),
        (visit, no_fit) in (select(vec![Visit::Step, Visit::Skip]), select(vec![NoFit::Block, NoFit::TryNext])),
        spill in select(vec![Spill::New, Spill::Lowest]),
        backup_select in select(vec![BackupSelect::Next, BackupSelect::Lowest, BackupSelect::HighestPrio]),
        (backup_limit, refill_cycles) in (0..=2u32, prop_oneof![2 => Just(0u32), 1 => 1..=4u32]),
        (charge_insert, kmu_dispatch_cycles) in (any::<bool>(), 0..=3u32),
        refill_mode in select(vec![RefillMode::Fixed, RefillMode::External]),
        (smx_threads, smx_regs, smx_smem, smx_slots) in (2..=6u32, 2..=6u32, 2..=6u32, 1..=3u32),
    ) -> Config {
        Config {
            smxs, cluster, levels, queue_cap, q0_cap, pool_cap, kdu_entries, backup_limit, refill_cycles,
            kmu_dispatch_cycles, smx_threads, smx_regs, smx_smem, smx_slots, policy, model, visit, no_fit, spill,
            backup_select, charge_insert, refill_mode,
        }
    }
}

/// A host, its clock, and the last tag.
#[derive(Clone, Default)]
pub struct Player {
    pub host: Host,
    time: u64,
    tag: u64,
}

impl Player {
    /// The call of a step, if it is one.
    fn event(&mut self, machine: &LaPerm<HeapTables>, step: &Step) -> Option<Event> {
        self.time = self.time.max(machine.now().0);
        self.tag += 1;
        let Self { host, time, tag } = self;
        let tag = *tag;
        let chosen = |i: u8| host.running.get(usize::from(i) % host.running.len().max(1));
        let now = match step {
            Step::Later(cycles) => {
                *time = time.saturating_add(u64::from(*cycles));
                return None;
            }
            Step::Earlier => Cycle(time.saturating_sub(2)),
            _ => Cycle(*time),
        };
        Some(match *step {
            Step::Later(_) => return None,
            Step::PushHost(tbs, res) => Event::PushHost { now, tag, tbs: tbs.into(), res },
            Step::PushChild(tbs, res, i) => {
                let parent = chosen(i)?;
                let (parent_smx, parent_prio) = (parent.smx, parent.prio);
                Event::PushChild { now, tag, tbs: tbs.into(), res, parent_smx, parent_prio }
            }
            Step::PushOrphan(tbs, res, smx, parent_prio) => {
                Event::PushChild { now, tag, tbs: tbs.into(), res, parent_smx: SmxId(smx.into()), parent_prio }
            }
            Step::Tick | Step::Earlier => Event::Tick { now },
            Step::Done(i) => {
                let tb = chosen(i)?;
                host.end(now, tb)
            }
            Step::DoneAnywhere(smx, res, kde) => {
                Event::TbDone { now, smx: SmxId(smx.into()), res, kde: kde.map(KernelSlot) }
            }
            Step::Kmu => Event::KmuTick { now },
            Step::Refilled(i) => {
                let tags = loading(&View::of(machine)).collect::<Vec<_>>();
                let tag = tags.get(usize::from(i) % tags.len().max(1)).copied().unwrap_or(i.into());
                Event::Refilled { now, tag }
            }
            Step::Mask(smx, masked) => Event::SetMask { now, smx: SmxId(smx.into()), masked },
            Step::Waiting(start) => Event::WaitingHead { now, start: UnitId(start.into()) },
        })
    }
}

impl Script for LaPerms {
    type Step = Step;
    type Host = Player;

    const RUNS: Runs = Runs { model: 10000, c: 2500, image: 1500, forged: 300 };
    const PRESETS: &'static [Config] = &[Config::K20C];
    const BAD: Config = Config { cluster: 14, ..Config::K20C };

    fn configs() -> BoxedStrategy<Config> {
        configs().boxed()
    }

    fn steps() -> BoxedStrategy<Vec<Step>> {
        script().boxed()
    }

    fn host(_: &Config) -> Player {
        Player::default()
    }

    fn events(core: &Self::Core, player: &mut Player, step: &Step) -> Vec<Event> {
        player.event(core, step).into_iter().collect()
    }

    fn note(
        player: &mut Player,
        event: &Event,
        answered: &Answered<Self>,
        before: &View,
        _: &View,
        core: &Self::Core,
    ) -> Result<(), String> {
        player.host.note(before, core, event, answered)
    }

    /// At last everything is sent, unless ends of TBs that nobody sent may have taken the place of real ones.
    fn ends(core: &mut Self::Core, player: &mut Player, steps: &[Step]) -> Result<(), String> {
        let is_sound = !steps.iter().any(|step| matches!(step, Step::DoneAnywhere(..)));
        if is_sound { player.host.drain(core) } else { Ok(()) }
    }

    fn shows(core: &Self::Core, c: &<Self as Family>::C) -> Result<(), TestCaseError> {
        prop_assert_eq!((c.next_event(), c.is_idle()), (core.next_event(), core.is_idle()));
        Ok(())
    }

    fn some() -> Vec<(u8, &'static str, Self::Core)> {
        let stored = [(Model::Dtbl, "laperm-dtbl-v3.bin"), (Model::Cdp, "laperm-cdp-v3.bin")];
        stored.map(|(model, file)| (2, file, images::busy(model))).into()
    }

    fn bears(mut core: Self::Core) -> Result<(), String> {
        let _ = (core.next_event(), core.is_idle(), core.tick(Cycle::MAX));
        Ok(())
    }
}
