//! policy-E1 to E6: which host is which policy, and that nobody is missed where nobody is asked.

use std::path::Path;

use gpusched::seam::{self, FcfsRr, LaPerm};
use gpusched::{
    BubblePart, Config, Fault, KernelSlot, KmuArb, LaPermPart, OfferId, Policy, Rescue, ToldPart, ToldState, Units,
    inline_tables, laperm,
};
use gpusched_heap::front_end;
use gpusched_tests::events::Event;
use gpusched_tests::images::{image, inline};
use gpusched_tests::machine::Machine as _;
use gpusched_tests::replay::frontend::{Pace, replay_on};
use gpusched_tests::replay::{Outcome, read, vectors_in};
use gpusched_tests::view::View;
use proptest::prelude::*;
use proptest::sample::select;

use crate::properties::configs::{
    Machine, SMALL_DGB, TINY, configs, graph_configs, laperm_configs, laperm_graph_configs, machine,
};
use crate::properties::script::{Resolver, Step, graph_script, plain_script};
use crate::told::configs::{bases, told_configs, with_host};
use crate::told::hosts::{Host, Kind, kinds};
use crate::told::pair::{Pair, cycle};
use crate::told::script::{Digits, Host as Random, Script, offers, told_script};

type Checked = Result<(), TestCaseError>;

/// A rescue that sends what nobody does, at once.
const RESCUED: ToldPart = ToldPart { stall_limit: 1, rescue: Rescue::Rr, ..ToldPart::CHAIN };

/// A script on two machines, which must do the same; cycles that end with a decision are some cycles.
fn play<P: seam::Policy>(pair: &mut Pair<P>, steps: &[Step], is_meant: impl Fn(&Event) -> bool) -> Checked {
    let mut resolver = Resolver::default();
    for step in steps {
        for event in resolver.resolve(pair.other(), step) {
            let event = match event {
                Event::Advance(until) => Event::Run(until.saturating_sub(pair.other().now().0).min(12)),
                other => other,
            };
            if is_meant(&event) {
                pair.take(&event);
            }
        }
    }
    Ok(())
}

/// policy-E1's conditions: with a controller of bubbles, only where frontend-C2 cannot differ.
fn as_fcfs(base: Config) -> Config {
    let has_bubble = base.bubble.is_some();
    Config {
        load_ahead: 0,
        exclusive: base.exclusive && !has_bubble,
        pass_graph: base.pass_graph || has_bubble && base.dats.is_some(),
        ..base
    }
}

/// Whether a call may be made where frontend-C2 is compared.
fn leaves_c2(config: &Config) -> impl Fn(&Event) -> bool + use<> {
    let has_bubble = config.bubble.is_some();
    move |event| !(has_bubble && matches!(event, Event::SetClassCap { .. }))
}

/// policy-E1: a host that does what `fcfs_rr` does is it.
#[test]
fn e1_first_come_first_served_as_a_host() {
    crate::every::check(1500, (bases(), graph_script()), |(base, steps)| {
        let base = as_fcfs(base);
        let told = with_host(base, ToldPart::CHAIN);
        play(&mut Pair::of(&base, &told, FcfsRr::new(&told)), &steps, leaves_c2(&base))
    });
}

/// policy-E1 and policy-E3 on the vectors of `dtbl` and `frontend` under `fcfs_rr`.
#[test]
fn e1_and_e3_on_the_vectors() {
    for (part, host) in [(ToldPart::CHAIN, Kind::FcfsRr), (RESCUED, Kind::Idle)] {
        let mut compared = 0;
        for mechanism in ["dtbl", "frontend"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(mechanism);
            for file in vectors_in(&folder).unwrap() {
                let vector = read(&file).unwrap();
                let sets_caps = vector.to_string().contains("set_class_cap");
                let is_compared = |base: &Config| {
                    let conditions = as_fcfs(*base) == *base && !(base.bubble.is_some() && sets_caps);
                    conditions && base.policy == Policy::FcfsRr && base.check().is_ok()
                };
                let outcome = replay_on(&vector, Pace::Skip, |base| {
                    anyhow::ensure!(is_compared(base), "not of these");
                    let told = with_host(*base, part);
                    Ok(Ok::<_, Fault>(Pair::of(base, &told, Host::of(host, &told))))
                });
                match outcome {
                    Ok(Outcome::Passed) => compared += 1,
                    Ok(Outcome::Differs(difference)) => panic!("{}: {difference}", file.display()),
                    Err(_) => {}
                }
            }
        }
        assert!(compared >= 70, "{compared} vectors");
    }
}

/// LaPerm in every way that it has, and policy-E2's conditions.
fn as_policy() -> impl Strategy<Value = Config> {
    let configs = prop_oneof![2 => laperm_configs().boxed(), 1 => laperm_graph_configs().boxed()];
    configs.prop_map(|base| {
        let part = LaPermPart {
            model: laperm::Model::Dtbl,
            refill_mode: laperm::RefillMode::Fixed,
            ..*base.laperm().expect("that is its policy")
        };
        // Whom a controller of bubbles sees waiting goes by the queues there, by the offers here (policy-A8).
        as_fcfs(Config { policy: Policy::LaPerm(part), bubble: None, ..base })
    })
}

/// LaPerm's round robin, and policy-E2's conditions.
fn rr_configs() -> impl Strategy<Value = Config> {
    let models = select(vec![laperm::Model::Dtbl, laperm::Model::Cdp]);
    (bases(), models, 1..=3u32).prop_map(|(base, model, queue_cap)| {
        let base = as_fcfs(with_host(base, ToldPart { units: Units::Free, ..ToldPart::CHAIN }));
        let of_kernels = model == laperm::Model::Cdp;
        let part = LaPermPart {
            policy: laperm::Policy::Rr,
            model,
            visit: laperm::Visit::Skip,
            levels: 24,
            // What K hides may be passed only as far as the queue reaches.
            queue_cap: if base.pass_capped && base.n_class > 0 { 64 } else { queue_cap },
            q0_cap: base.n_kde,
            pool_cap: base.pend_limit + base.n_kde,
            refill_cycles: 0,
            charge_insert: false,
            ..LaPermPart::K20C
        };
        let kmu_arb = if of_kernels { KmuArb::Fcfs } else { base.kmu_arb };
        Config { policy: Policy::LaPerm(part), kmu_arb, cross: false, ..base }
    })
}

fn as_laperm<P: seam::Policy>(base: &Config, steps: &[Step], part: ToldPart, policy: impl Fn(&Config) -> P) -> Checked {
    let told = with_host(*base, ToldPart { units: Units::Free, ..part });
    let of_kernels = base.laperm().is_some_and(|part| part.model == laperm::Model::Cdp);
    let leaves_c2 = leaves_c2(base);
    let is_meant = |event: &Event| leaves_c2(event) && !(of_kernels && matches!(event, Event::AggLaunch { .. }));
    play(&mut Pair::of(base, &told, policy(&told)), steps, is_meant)
}

/// policy-E2: a host that asks by SMX is LaPerm's round robin.
#[test]
fn e2_laperms_round_robin_as_a_host() {
    crate::every::check(1500, (rr_configs(), graph_script()), |(base, steps)| {
        as_laperm(&base, &steps, ToldPart::CHAIN, |told| Host::of(Kind::BySmx, told))
    });
}

/// policy-E2: the four of LaPerm as a policy that keeps its queues, overflow and refills itself.
#[test]
fn e2_laperm_as_a_policy() {
    crate::every::check(1500, (as_policy(), graph_script()), |(base, steps)| {
        as_laperm(&base, &steps, ToldPart::CHAIN, |told| {
            let part = base.laperm().expect("that is its policy");
            LaPerm::with_tables(part, told, gpusched_heap::laperm::tables(&part.machine(told))).expect("it may decide")
        })
    });
}

/// policy-E3: a host that says nothing, and a rescue that says all.
#[test]
fn e3_the_rescue_is_first_come_first_served() {
    crate::every::check(1000, (bases(), graph_script()), |(base, steps)| {
        let base = as_fcfs(base);
        let told = with_host(base, RESCUED);
        play(&mut Pair::of(&base, &told, Host::of(Kind::Idle, &told)), &steps, leaves_c2(&base))
    });
    crate::every::check(1000, (rr_configs(), graph_script()), |(base, steps)| {
        as_laperm(&Config { pass_capped: false, ..base }, &steps, RESCUED, |told| Host::of(Kind::Idle, told))
    });
}

/// What a machine shows but for the decline (policy-E4).
pub fn but_for_decline(gpu: &Machine) -> View {
    let view = View::of(gpu);
    let told = view.told.map(|told| ToldState { has_declined: false, wake: None, ..told });
    View { told, ..view }
}

/// policy-E4: one machine's host is asked in every cycle, the other's only when it must be.
fn is_asked_enough(config: &Config, steps: &[Step], host: Kind) -> Checked {
    let (mut dense, mut sparse) = (machine(config), machine(config));
    let (mut asked, mut rarely) = (Host::of(host, config), Host::of(host, config));
    let mut resolver = Resolver::default();
    for step in steps {
        for event in resolver.resolve(&dense, step) {
            let n = match event {
                Event::Tick => 1,
                Event::Run(n) => n.min(40),
                Event::Advance(_) => 20,
                other => {
                    prop_assert_eq!(other.apply(&mut dense), other.apply(&mut sparse), "{:?}", other);
                    prop_assert_eq!(but_for_decline(&dense), but_for_decline(&sparse), "after {:?}", other);
                    continue;
                }
            };
            let until = dense.now().after(n);
            let (mut all, mut some) = (Vec::new(), Vec::new());
            while dense.now() < until {
                all.extend(cycle(&mut dense, &mut asked).0.decisions);
            }
            while sparse.now() < until {
                let next = sparse.next_event().map_or(until, |at| at.min(until));
                if next > sparse.now() {
                    let n = next.since(sparse.now());
                    prop_assert_eq!(sparse.skip(until), Ok(n));
                } else {
                    some.extend(cycle(&mut sparse, &mut rarely).0.decisions);
                }
            }
            prop_assert_eq!(all, some);
            prop_assert_eq!(but_for_decline(&dense), but_for_decline(&sparse), "at {:?}", until);
        }
    }
    Ok(())
}

/// policy-E4.
#[test]
fn e4_a_host_is_asked_when_it_must_be() {
    crate::every::check(1500, (told_configs(), graph_script(), kinds()), |(config, steps, host)| {
        is_asked_enough(&config, &steps, host)
    });
}

/// policy-E6: the same host on two machines, on the second of which the units fall into pieces.
fn is_sent_alike(config: &Config, script: &Script, seed: u64) -> Checked {
    let (mut whole, mut pieces) = (machine(config), machine(config));
    let mut digits = Digits(seed);
    Random::default().play(&mut whole, script, &mut |whole, event| {
        // What the two may answer otherwise.
        let of_pieces = matches!(event, Event::Split { .. } | Event::Send { id: OfferId::Piece(_), .. });
        if of_pieces || matches!(event, Event::Suspend(_) | Event::Offers | Event::Load(_)) {
            return Ok(());
        }
        let first_of = |id| {
            let row = offers(whole).iter().find(|offer| offer.id == id)?.row;
            offers(&pieces).iter().find(|offer| offer.row == row).map(|offer| offer.id)
        };
        let same = match *event {
            Event::Send { id, smx } => Event::Send { id: first_of(id).unwrap_or(id), smx },
            ref other => other.clone(),
        };
        let (theirs, mine) = (event.apply(whole), same.apply(&mut pieces));
        prop_assert_eq!(mine, theirs, "{:?}", event);
        prop_assert_eq!(View::of(&pieces), View::of(whole), "after {:?}", event);
        let now = offers(&pieces);
        if let Some(offer) = now.get(digits.below(now.len())) {
            let at = offer.blkid.unwrap_or(0).saturating_add(digits.below(offer.left as usize) as u32);
            let _ = Event::Split { id: offer.id, at }.apply(&mut pieces);
        }
        Ok(())
    })
}

/// policy-E6: that a unit is in pieces shows only in its offers, as long as its lowest TB goes first.
#[test]
fn e6_pieces_in_order_are_the_unit() {
    let many = |config: Config| match config.told() {
        Some(&part) => with_host(config, ToldPart { units: Units::Free, split_cap: 70, ..part }),
        None => config,
    };
    crate::every::check(
        1500,
        (told_configs().prop_map(many), told_script(), any::<u64>()),
        |(config, script, seed)| is_sent_alike(&config, &script, seed),
    );
}

inline_tables! {
    /// A home that has room for a host's decisions.
    struct TinyTold = Config {
        policy: Policy::Told(ToldPart::CHAIN),
        bubble: Some(BubblePart::K20C),
        dats: Some(SMALL_DGB),
        cross: true,
        ..TINY
    };
}

/// policy-E5: under another policy the seam takes no row, its calls are refused, and a home that has room for it is as one that has
/// none, byte for byte.
#[test]
fn e5_under_another_policy_there_is_no_trace() {
    let id = OfferId::Entry(KernelSlot(0));
    let of_the_seam =
        [Event::Begin, Event::Offers, Event::Load(id), Event::Send { id, smx: 0 }, Event::End(None), Event::Skip(9)];
    let all = prop_oneof![1 => configs().boxed(), 1 => graph_configs().boxed()];
    crate::every::check(200, (all, plain_script()), |(config, steps)| {
        let sizes = gpusched::TableSizes::of(&config);
        let seam = (sizes.told_units, sizes.told_starts, sizes.told_pieces, sizes.told_piece_words);
        prop_assert_eq!(seam, (0, 0, 0, 0));
        let mut gpu = front_end(&config).expect("random configurations are valid");
        let mut resolver = Resolver::default();
        for step in &steps {
            for event in resolver.resolve(&gpu, step) {
                let mut roomy = inline::<TinyTold>(&image(&gpu)).expect("a home with more room");
                prop_assert_eq!(event.apply(&mut roomy), event.apply(&mut gpu));
                prop_assert_eq!(image(&roomy), image(&gpu));
                let before = gpu.clone();
                for refused in &of_the_seam {
                    prop_assert_eq!(refused.apply(&mut gpu).refusal(), Some(Fault::NotTold), "{:?}", refused);
                }
                prop_assert!(gpu == before && gpu.told_state().is_none());
            }
        }
        Ok(())
    });
}
