//! The stochastic memory hierarchy: random runs beside a plain model, in Rust and through C; its promises, faults, ranges and images.

use gpusched::models::monte::{Level, Monte, MonteConfig, Order, Request, SiteId};
use gpusched::{BuildError, Fault, inline_monte_tables};
use gpusched_tests::images::Saved;
use gpusched_tests::machine::Machine;
use gpusched_tests::models::monte::{Draws, Event, HeapTables, Model, Montes, Run, Simulate, Trace, machine, slots};
use gpusched_tests::through_c;
use proptest::prelude::*;

use crate::every::{Runs, Script, runs};

const SMALL: MonteConfig = MonteConfig {
    sms: 2,
    l1_sets: 2,
    l1_ways: 2,
    l1_line: 16,
    l2_sets: 3,
    l2_ways: 2,
    l2_line: 32,
    bins: 4,
    sites: 3,
    ..MonteConfig::GTX480
};

prop_compose! {
    fn configs()(
        sms in 1..=3u32,
        (l1_sets, l1_ways, l1_shift) in (1..=3u32, 1..=3u32, 0..=6u32),
        (l2_sets, l2_ways, l2_shift) in (1..=5u32, 1..=3u32, 0..=7u32),
        bins in prop_oneof![4 => 1..=6u32, 1 => Just(128u32)],
        tol_permille in prop_oneof![Just(0u32), Just(50), Just(1000)],
        max_requests in prop_oneof![1 => 0..=6u32, 6 => Just(65536u32)],
        sites in 1..=4u32,
        (weighted, l1_store_alloc) in (any::<bool>(), any::<bool>()),
    ) -> MonteConfig {
        let pick = if weighted { Order::Weighted } else { Order::UniformWarp };
        MonteConfig {
            sms, l1_sets, l1_ways, l1_line: 1 << l1_shift, l2_sets, l2_ways, l2_line: 1 << l2_shift,
            bins, tol_permille, max_requests, sites, pick, l1_store_alloc,
        }
    }
}

fn traces() -> impl Strategy<Value = Trace> {
    let address = prop_oneof![8 => 0..256u64, 1 => any::<u64>()];
    let site = prop_oneof![20 => 0..3u16, 1 => Just(4u16), 1 => any::<u16>()];
    let request = (address, any::<bool>(), site, prop::bool::weighted(0.3))
        .prop_map(|(address, _, site, store)| Request { address, site: SiteId(site), store });
    let warp = (prop_oneof![30 => 0..2u32, 1 => Just(7u32)], prop::collection::vec(request, 0..9));
    prop::collection::vec(warp, 0..7)
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let runs = prop_oneof![20 => 1..=6u32, 1 => Just(0u32), 1 => Just((1 << 20) + 1)];
    let event = prop_oneof![
        2 => (traces(), runs, any::<u64>()).prop_map(|(trace, runs, seed)| Event::Simulate(Simulate { trace, runs, seed })),
        1 => any::<u64>().prop_map(|seed| Event::Start { seed }),
        3 => (traces(), prop::option::weighted(0.1, 0..40usize)).prop_map(|(trace, slots)| Event::Run(Run { trace, slots })),
    ];
    prop::collection::vec(event, 1..8)
}

impl Script for Montes {
    type Step = Event;
    type Host = ();

    const RUNS: Runs = Runs { model: 1000, c: 1000, image: 1000, forged: 500 };
    const PRESETS: &'static [MonteConfig] = &[MonteConfig::GTX480];
    const BAD: MonteConfig = MonteConfig { l1_line: 48, ..SMALL };

    fn configs() -> BoxedStrategy<MonteConfig> {
        configs().boxed()
    }

    fn steps() -> BoxedStrategy<Vec<Event>> {
        events().boxed()
    }

    fn host(_: &MonteConfig) {}

    fn events(_: &Self::Core, (): &mut (), event: &Event) -> Vec<Event> {
        vec![event.clone()]
    }

    fn some() -> Vec<(u8, &'static str, Self::Core)> {
        vec![(21, "monte-v2.bin", busy())]
    }

    fn bears(mut monte: Self::Core) -> Result<(), String> {
        let _ = monte.take(&Event::Run(Run { trace: vec![(0, vec![Request::load(0, 0)])], slots: None }));
        monte.holds()
    }
}

proptest! {
    #![proptest_config(runs(1000))]

    /// All runs at once are the same runs one by one, and the same seed gives the same result.
    #[test]
    fn one_run_per_call_is_the_same(config in configs(), trace in traces(), n in 1..6u32, seed: u64) {
        let (mut all, mut each, mut again) = (machine(&config).unwrap(), machine(&config).unwrap(), machine(&config).unwrap());
        let answer = all.take(&Event::Simulate(Simulate { trace: trace.clone(), runs: n, seed }));
        again.take(&Event::Simulate(Simulate { trace: trace.clone(), runs: 3, seed: !seed })).ok();
        prop_assert_eq!(again.take(&Event::Simulate(Simulate { trace: trace.clone(), runs: n, seed })), answer);
        if answer.is_ok() {
            each.take(&Event::Start { seed }).unwrap();
            for _ in 0..n {
                each.take(&Event::Run(Run { trace: trace.clone(), slots: None })).unwrap();
            }
            prop_assert_eq!(&each, &all);
            prop_assert_eq!(&again, &all);
        }
    }

    #[test]
    fn random_numbers_are_the_models(seed: u64, run: u32, below in prop::option::of(1..u64::MAX)) {
        let core = machine(&SMALL).unwrap();
        let numbers = core.rng(seed, run, 20, below);
        prop_assert_eq!(&Model::new(&SMALL).rng(seed, run, 20, below), &numbers);
        prop_assert_eq!(&through_c::monte::ThroughC::new(&SMALL).unwrap().rng(seed, run, 20, below), &numbers);
        prop_assert!(below.is_none_or(|below| numbers.iter().all(|&number| number < below)));
    }
}

/// Every interleaving of two warps has the chance that the sheet says: the one without a hit, a quarter or a third.
#[test]
fn orders_have_their_chances() {
    let (x, y) = (Request::load(0, 0), Request::load(128, 1));
    let trace = vec![(0, vec![x, x]), (0, vec![y])];
    for (pick, chance) in [(Order::UniformWarp, 0.25), (Order::Weighted, 1.0 / 3.0)] {
        let config = MonteConfig { l1_sets: 1, l1_ways: 1, pick, ..MonteConfig::GTX480 };
        let mut monte = machine(&config).unwrap();
        monte.take(&Event::Simulate(Simulate { trace: trace.clone(), runs: 40_000, seed: 7 })).unwrap();
        let without = f64::from(monte.histogram(Level::L1).next().unwrap()) / 40_000.0;
        assert!((without - chance).abs() < 0.01, "{pick:?}: {without}");
    }
}

/// Faults in the order of the tests: each event is wrong in one way, and in all ways that are tested later.
#[test]
fn faults_come_in_order() {
    let config = MonteConfig { max_requests: 2, ..SMALL };
    let load = |site| Request::load(0, site);
    let far: Trace = vec![(0, vec![load(9); 3]), (2, vec![])];
    let odd: Trace = vec![(0, vec![load(9); 3])];
    let long: Trace = vec![(0, vec![load(0); 2]), (1, vec![load(0)])];
    let fits: Trace = vec![(0, vec![load(0); 2])];
    let mut monte = machine(&config).unwrap();
    let simulate = |trace: &Trace, runs| Event::Simulate(Simulate { trace: trace.clone(), runs, seed: 1 });
    let run = |trace: &Trace| Event::Run(Run { trace: trace.clone(), slots: None });
    let cases = [
        (Fault::BadArg, simulate(&far, 0)),
        (Fault::BadArg, simulate(&far, (1 << 20) + 1)),
        (Fault::BadSm, simulate(&far, 1)),
        (Fault::BadSm, run(&far)),
        (Fault::BadSite, simulate(&odd, 1)),
        (Fault::BadSite, run(&odd)),
        (Fault::TooManyRequests, simulate(&long, 1)),
        (Fault::TooManyRequests, run(&long)),
        // Scratch memory is a limit, too.
        (Fault::TooManyRequests, Event::Run(Run { trace: fits.clone(), slots: Some(1) })),
    ];
    monte.take(&simulate(&fits, 3)).unwrap();
    let before = monte.clone();
    for (fault, event) in cases {
        assert_eq!(monte.take(&event), Err(fault), "{event:?}");
        assert_eq!(monte, before, "{event:?}");
    }
}

/// After 2^20 runs there is no further one.
#[test]
fn runs_have_an_end() {
    let mut monte = machine(&SMALL).unwrap();
    let nothing: Trace = vec![];
    monte.take(&Event::Simulate(Simulate { trace: nothing.clone(), runs: 1 << 20, seed: 0 })).unwrap();
    assert_eq!(monte.take(&Event::Run(Run { trace: nothing.clone(), slots: None })), Err(Fault::BadArg));
    assert_eq!((monte.runs(), monte.level(Level::L1).empty, slots(&nothing)), (1 << 20, 1 << 20, 0));
}

#[test]
fn defaults_and_ranges_are_those_of_the_sheet() {
    let listed: Vec<_> = MonteConfig::PARAMETERS.iter().map(|p| (p.name, p.min, p.max, p.power_of_two)).collect();
    let table = [
        ("sms", 1, 64, false),
        ("l1_sets", 1, 4096, false),
        ("l1_ways", 1, 64, false),
        ("l1_line", 1, 4096, true),
        ("l2_sets", 1, 4096, false),
        ("l2_ways", 1, 64, false),
        ("l2_line", 1, 4096, true),
        ("bins", 1, 128, false),
        ("tol_permille", 0, 1000, false),
        ("max_requests", 0, u32::MAX, false),
        ("sites", 1, 256, false),
    ];
    assert_eq!(listed, table);
    let MonteConfig { sms, bins, tol_permille, max_requests, sites, pick, l1_store_alloc, .. } = MonteConfig::default();
    assert_eq!((sms, bins, tol_permille, max_requests, sites), (1, 20, 50, 65536, 64));
    assert_eq!((pick, l1_store_alloc), (Order::UniformWarp, false));
    assert!(MonteConfig { l1_line: 48, ..SMALL }.check().is_err());
}

inline_monte_tables! {
    struct Tiny = SMALL;
}

#[test]
fn homes_are_as_large_as_needed() {
    let Err(BuildError::Tables(small)) = Monte::<Tiny>::new(&MonteConfig { l2_ways: 3, ..SMALL }) else {
        panic!("6 lines for 9")
    };
    assert_eq!((small.table, small.have, small.need), ("l2_lines", 6, 9));
    assert!(Monte::<Tiny>::new(&SMALL).is_ok());
}

fn busy() -> Monte<HeapTables> {
    let mut monte = machine(&SMALL).unwrap();
    let trace = vec![
        (0, vec![Request::load(0, 0), Request::store(64, 1), Request::load(0, 2)]),
        (1, vec![Request::load(0, 0), Request::load(300, 1)]),
        (0, vec![Request::load(16, 0), Request::load(32, 0), Request::load(0, 1)]),
    ];
    monte.take(&Event::Simulate(Simulate { trace, runs: 9, seed: 3 })).unwrap();
    monte
}
