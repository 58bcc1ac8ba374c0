//! What random runs on tiny machines must show beside the model's answers.

use gpusched::laperm::{Config, LaPerm, Model as Kind, Policy, Reason, Spill, Stall, Tick};
use gpusched::{Cycle, Fault, Resources, SmxId};
use gpusched_tests::laperm::LaPerms;
use gpusched_tests::laperm::heap::{self, HeapTables};
use gpusched_tests::machine::Machine;
use proptest::prelude::*;

use crate::every::{check, noted, play, runs};
use crate::laperm::script::{Player, configs, script};

fn machine(config: &Config) -> LaPerm<HeapTables> {
    heap::machine(config).expect("a good configuration")
}

/// 2500 random runs of machines whose configuration is changed; `look` sees the machine after each event.
fn runs_show(change: impl Fn(Config) -> Config, look: impl Fn(&LaPerm<HeapTables>) -> Result<(), TestCaseError>) {
    check(2500, (configs(), script()), |(config, steps)| {
        let mut m = machine(&change(config));
        play::<LaPerms>(&mut m, &mut Player::default(), &steps, &mut |m, host, event| {
            let answered = noted::<LaPerms>(m, host, event, |m| Ok(m.take(event)))?;
            look(m)?;
            Ok(answered)
        })
    });
}

/// laperm-I9: until `next_event` a tick says `no_work`, and the KMU stalls; neither changes anything but the times.
#[test]
fn nothing_happens_before_the_next_event() {
    runs_show(
        |config| config,
        |m| {
            let next = m.next_event().map_or(m.now().0 + 20, |next| next.0);
            let (mut idle, before) = (m.clone(), m.view());
            for now in m.now().0..next {
                let tick = idle.tick(Cycle(now));
                let nothing = Tick::Stall(Stall { smx: None, reason: Reason::NoWork });
                prop_assert!(tick == Ok(nothing) || (now == m.now().0 && tick == Err(Fault::SameCycle)), "{:?}", tick);
                prop_assert!(!matches!(idle.kmu_tick(Cycle(now)), Ok(gpusched::laperm::KmuTick::Moved(_))));
            }
            let mut after = idle.view();
            after.now = before.now;
            prop_assert_eq!(after, before);
            // And then something does, unless the KMU has something to do and the scheduler has not.
            if let Some(next) = m.next_event() {
                let no_work = |t: &Result<Tick, Fault>| matches!(t, Ok(Tick::Stall(s)) if s.reason == Reason::NoWork);
                let ticked = m.clone().tick(next);
                let moved = matches!(m.clone().kmu_tick(next), Ok(gpusched::laperm::KmuTick::Moved(_)));
                prop_assert!(moved || (ticked.is_ok() && !no_work(&ticked)), "{:?}", ticked);
            }
            Ok(())
        },
    );
}

/// laperm-I10: TB-Pri is SMX-Bind with one cluster of all SMXs.
#[test]
fn tb_pri_is_one_cluster() {
    check(2500, (configs(), script()), |(config, steps)| {
        let mut m = machine(&Config { policy: Policy::TbPri, ..config });
        let mut bound = machine(&Config { policy: Policy::SmxBind, cluster: config.smxs, ..config });
        play::<LaPerms>(&mut m, &mut Player::default(), &steps, &mut |m, host, event| {
            let answered = noted::<LaPerms>(m, host, event, |m| Ok(m.take(event)))?;
            prop_assert_eq!(&bound.take(event), &answered);
            prop_assert_eq!(bound.view(), m.view());
            Ok(answered)
        })
    });
}

/// laperm-I8: kernels on chip or running never exceed the kernel distributor, whatever comes.
#[test]
fn kernels_have_entries() {
    runs_show(
        |config| Config { model: Kind::Cdp, ..config },
        |m| {
            let view = m.view();
            let on_chip = view.queues.iter().map(Vec::len).sum::<usize>();
            let taken = view.kdes.iter().flatten().count();
            prop_assert!(on_chip <= taken && taken <= m.config().kdu_entries as usize);
            Ok(())
        },
    );
}

proptest! {
    #![proptest_config(runs(2500))]

    /// laperm-I4: with `spill` lowest and a refill that takes no time, one SMX with room sends by level, then by arrival.
    #[test]
    fn one_smx_sends_by_level_then_arrival(
        levels in 1..=4u32,
        queue_cap in 1..=4u32,
        pushes in prop::collection::vec((0..=4u8, 1..=3u32, 0..=3u8), 1..20),
    ) {
        let config = Config { smxs: 1, levels, queue_cap, spill: Spill::Lowest, policy: Policy::TbPri, ..Config::K20C };
        let mut m = machine(&config);
        let need = Resources { threads: 1, regs: 0, smem: 0, slots: 1 };
        let mut waiting = Vec::<(u8, u64, u32)>::new();
        let (mut now, mut next) = (0, 0..);
        let mut send = |m: &mut LaPerm<HeapTables>, waiting: &mut Vec<(u8, u64, u32)>, n: usize| {
            for _ in 0..n {
                now += 1;
                let Ok(Tick::Dispatch(d)) = m.tick(Cycle(now)) else { break };
                m.tb_done(Cycle(now), d.smx, need, None).expect("it ran");
                let best = waiting.iter().enumerate().min_by_key(|(_, w)| (u8::MAX - w.0, w.1)).expect("sent").0;
                prop_assert_eq!((d.prio, d.tag), (waiting[best].0, waiting[best].1));
                waiting[best].2 -= 1;
                if waiting[best].2 == 0 {
                    waiting.remove(best);
                }
            }
            Ok(())
        };
        for (parent, tbs, ticks) in pushes {
            let parent = parent.min(levels as u8);
            let tag = next.next().expect("endless");
            m.push_child(m.now(), tag, tbs, need, SmxId(0), parent).expect("the pool is large");
            waiting.push(((parent + 1).min(levels as u8), tag, tbs));
            send(&mut m, &mut waiting, usize::from(ticks))?;
        }
        send(&mut m, &mut waiting, usize::MAX)?;
        prop_assert!(waiting.is_empty() && m.is_idle());
    }

}
