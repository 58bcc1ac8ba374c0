//! A front end with its policy is one machine: it does what its halves do by hand, is asked as often as it must be, sees all that is
//! decided, and goes on from its image.

use gpusched::Cluster;
use gpusched::catalogue::{About, CatalogueConfig};
use gpusched::seam::{Answer, Policy, View};
use gpusched::{
    BuildError, Choice, Completion, Config, Cycle, Decided, Decision, Descriptor, Dim3, Fault, FrontEnd, ImageError,
    KernelSlot, OfferId, Refused, Rescue, Sched, SmxId, State, ToldPart, Units, decided_image_config,
};
use gpusched_heap::{HeapTables, tables};
use gpusched_tests::events::{Event, Told};
use proptest::prelude::*;

use crate::properties::configs::{TINY, machine};
use crate::properties::script::{Resolver, graph_script};
use crate::told::configs::told_configs;
use crate::told::equalities::but_for_decline;
use crate::told::hosts::{Host, kinds};
use crate::told::pair::cycle;

/// A policy, and what it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Watching {
    policy: Host,
    saw: Vec<(Cycle, Decision)>,
    ends: u64,
    gates: u64,
}

impl Policy for Watching {
    fn saw(&mut self, at: Cycle, decision: &Decision) {
        self.saw.push((at, *decision));
    }

    fn done(&mut self, _: &Completion) {
        self.ends += 1;
    }

    fn regated(&mut self) {
        self.gates += 1;
    }

    fn loads(&self) -> bool {
        self.policy.loads()
    }

    fn choose(&mut self, view: &impl View) -> Answer {
        self.policy.choose(view)
    }
}

/// What was shown by the machine's own verbs, as it should have been.
#[derive(Default)]
struct Expected {
    saw: Vec<(Cycle, Decision)>,
    ends: u64,
    gates: u64,
}

type Watched = Decided<HeapTables, Watching>;

impl Expected {
    /// A call, by the machine's own verb if it has one for it. What it decided.
    fn take(&mut self, gpu: &mut Watched, event: &Event) -> Vec<(Cycle, Decision)> {
        let answer = event.apply_seen(gpu);
        let is_gate = matches!(
            event,
            Event::SetEligible(_) | Event::SetBlockCap { .. } | Event::SetClass { .. } | Event::SetClassCap { .. }
        );
        let is_ok = answer.refusal().is_none();
        self.ends += u64::from(is_ok && matches!(event, Event::TbDone { .. }));
        self.gates += u64::from(is_ok && is_gate);
        self.saw.extend(&answer.decisions);
        answer.decisions
    }
}

/// The same policy in a machine, and by hand in the halves of each cycle.
#[test]
fn a_machine_with_its_policy_does_what_the_halves_do() {
    crate::every::check(800, (told_configs(), graph_script(), kinds()), |(config, steps, kind)| {
        let mut by_hand = machine(&config);
        let mut host = Host::of(kind, &config);
        let policy = Watching { policy: host, saw: Vec::new(), ends: 0, gates: 0 };
        let mut gpu = Decided::with_tables(&config, tables(&config), policy).expect("random configurations are valid");
        let mut expected = Expected::default();
        let mut resolver = Resolver::default();
        for step in &steps {
            for event in resolver.resolve(&by_hand, step) {
                let n = match event {
                    Event::Tick => 1,
                    Event::Run(n) => n.min(40),
                    Event::Advance(_) => 20,
                    other => {
                        let decided = other.apply(&mut by_hand).decisions;
                        prop_assert_eq!(expected.take(&mut gpu, &other), decided, "{:?}", other);
                        prop_assert_eq!(but_for_decline(&gpu), but_for_decline(&by_hand), "after {:?}", other);
                        continue;
                    }
                };
                let mut told = Told::default();
                let mut decided = Vec::new();
                if n == 1 {
                    let (answer, tick) = cycle(&mut by_hand, &mut host);
                    decided = answer.decisions;
                    prop_assert_eq!(gpu.tick(&mut told), Ok(tick));
                } else {
                    (0..n).for_each(|_| decided.extend(cycle(&mut by_hand, &mut host).0.decisions));
                    prop_assert_eq!(gpu.run(n, &mut told), Ok(()));
                }
                prop_assert_eq!(&told.decisions, &decided);
                expected.saw.extend(decided);
                prop_assert_eq!(but_for_decline(&gpu), but_for_decline(&by_hand));
                prop_assert_eq!(gpu.policy().policy, host);
            }
        }
        let Watching { saw, ends, gates, .. } = gpu.policy();
        prop_assert_eq!((saw, *ends, *gates), (&expected.saw, expected.ends, expected.gates));
        prop_assert_eq!(gpu.refused(), Refused::default());
        Ok(())
    });
}

/// A machine and its copy, and one from its image, go on alike; its state includes the policy's.
#[test]
fn a_machine_is_saved_with_its_policy() {
    crate::every::check(300, (told_configs(), graph_script(), kinds()), |(config, steps, kind)| {
        let mut gpu = Decided::with_tables(&config, tables(&config), Host::of(kind, &config)).expect("they are valid");
        let mut resolver = Resolver::default();
        for step in &steps {
            for event in resolver.resolve(&gpu, step) {
                match event {
                    Event::Tick | Event::Run(_) | Event::Advance(_) => drop(gpu.run(3, &mut Told::default())),
                    other => drop(other.apply(&mut *gpu)),
                }
            }
            let mut image = vec![0; gpu.image_len()];
            prop_assert_eq!(gpu.save(&mut image), Ok(image.len()));
            prop_assert_eq!(decided_image_config(&image), Ok(config));
            let mut restored = Decided::<HeapTables, Host>::restore(&image, tables(&config)).expect("it was saved");
            let mut copy = gpu.clone();
            prop_assert_eq!(&restored, &gpu);
            for other in [&mut restored, &mut copy] {
                other.run(5, &mut Told::default()).expect("time is long");
            }
            prop_assert_eq!(restored, copy);
            let of_front = FrontEnd::<HeapTables>::restore(&image, tables(&config));
            prop_assert!(matches!(of_front, Err(ImageError::WrongKind)), "it is no front end alone");
        }
        Ok(())
    });
}

/// What a policy of the tests answers to whatever it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
struct Wrong(u8);

impl Policy for Wrong {
    fn choose(&mut self, view: &impl View) -> Answer {
        let first = view.offers().next().map_or(OfferId::Entry(KernelSlot(0)), |offer| offer.id);
        let choice = match self.0 {
            0 => Choice::next_of(OfferId::Entry(KernelSlot(77)), SmxId(0)),
            1 => Choice::next_of(first, SmxId(99)),
            2 => Choice { blkid: Some(u32::MAX), ..Choice::next_of(first, SmxId(0)) },
            _ => return Answer::Load(first),
        };
        Answer::Send(choice)
    }
}

const KERNEL: Descriptor = Descriptor {
    pc: 1,
    grid: Dim3::linear(9),
    tb: Dim3::linear(32),
    regs: 0,
    smem: 0,
    param: 0,
    cluster: Cluster::NONE,
    tag: 5,
};

/// A wrong answer sends nothing, is counted and named, and ends its cycle; so the guard sees it, and the rescue does what the policy does not.
#[test]
fn a_wrong_answer_is_counted_and_named() {
    for (wrong, fault) in [Fault::BadOffer, Fault::BadSmx, Fault::NoSplit, Fault::NoLoad].into_iter().enumerate() {
        let part = ToldPart { stall_limit: 4, rescue: Rescue::Rr, ..ToldPart::CHAIN };
        let config = Config { policy: gpusched::Policy::Told(part), ..TINY.ideal() };
        let mut gpu = Decided::with_tables(&config, tables(&config), Wrong(wrong as u8)).expect("it is valid");
        gpu.host_launch(0, &KERNEL, false).expect("there is room");
        for n in 1..=3 {
            let tick = gpu.tick(&mut ()).expect("time is long");
            assert_eq!((tick.sched, gpu.refused()), (Sched::Told, Refused { count: n, last: Some(fault) }));
        }
        gpu.run(6, &mut ()).expect("time is long");
        let stats = gpu.stats();
        assert_eq!((stats.stalled, stats.rescued, stats.tbs), (1, 6, 6), "{fault:?}");
        let mut image = vec![0; gpu.image_len()];
        gpu.save(&mut image).expect("it is between cycles");
        assert_eq!(Decided::restore(&image, tables(&config)), Ok(gpu), "answers that were refused are saved");
    }
}

/// A policy of one's own decides only where the configuration says so.
#[test]
fn another_policy_leaves_nothing_to_decide() {
    let config = TINY.ideal();
    let refused = Decided::with_tables(&config, tables(&config), Wrong(0));
    let Err(BuildError::Config(error)) = refused else { panic!("FCFS decides") };
    assert_eq!((error.fault, error.parameter.name), (Fault::NotTold, "policy"));
}

/// Every policy of the catalogue that needs no counts decides for a front end, and sends every TB.
#[test]
fn the_catalogue_decides() {
    for about in About::ALL {
        let config = Config {
            policy: gpusched::Policy::Told(ToldPart { units: Units::Free, split_cap: 64, ..ToldPart::CHAIN }),
            ..TINY.ideal()
        };
        let Config { n_smx, tb_slots, threads, n_kde, pend_limit, .. } = config;
        let policy = CatalogueConfig {
            n_smx,
            slots: tb_slots,
            threads,
            units: n_kde + pend_limit,
            ..CatalogueConfig::of(about.policy)
        };
        let policy = gpusched_heap::catalogue::machine(&policy).expect("it is valid");
        let mut gpu = Decided::with_tables(&config, tables(&config), policy).expect("it is valid");
        for stream in 0..3 {
            gpu.host_launch(stream, &Descriptor { tag: stream.into(), ..KERNEL }, false).expect("there is room");
        }
        for _ in 0..400 {
            let mut told = Told::default();
            gpu.run(1, &mut told).expect("time is long");
            for (_, decision) in told.decisions {
                if let Decision::Tb(tb) = decision {
                    gpu.tb_done_after(tb.smx, tb.slot, (1, 1), &mut Told::default()).expect("it was sent");
                }
            }
        }
        assert_eq!((gpu.status(), gpu.stats().tbs), (State::Drained, 27), "{}", about.name);
        assert_eq!(gpu.refused(), Refused::default(), "{}", about.name);
    }
}
