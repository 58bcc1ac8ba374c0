//! Every fault of the seam (sheet `policy`, Interface, Parameters): a call that meets it, in the order of the tests, and the state,
//! which is then the same as before, `sent`, `spell` and `decline` included.

use gpusched::{
    AgtMiss, Cluster, Config, Descriptor, Dim3, Fault, GroupLaunch, KernelSlot, LaPermPart, LoadMode, OfferId, PieceId,
    Policy, RecordId, Rescue, SmxSet, ToldPart, Units,
};
use gpusched_heap::front_end;
use gpusched_tests::events::Event;
use gpusched_tests::model::Model;
use gpusched_tests::through_c::{ThroughC, fault};

use crate::properties::configs::Machine;

const BASE: Config = Config {
    n_smx: 2,
    tb_slots: 2,
    threads: 4,
    regs: 8,
    smem: 8,
    warp: 2,
    n_hwq: 2,
    n_kde: 2,
    pend_limit: 4,
    susp_cap: 1,
    agt_size: 1,
    load_mode: LoadMode::External,
    n_class: 2,
    dats: Some(gpusched::DatsPart::GTX480),
    policy: Policy::Told(ToldPart { stall_limit: 3, rescue: Rescue::Rr, ..ToldPart::CHAIN }),
    ..Config::K20C.ideal()
};
const ONE: Descriptor = Descriptor {
    pc: 1,
    grid: Dim3::linear(4),
    tb: Dim3::linear(1),
    regs: 0,
    smem: 0,
    param: 0,
    cluster: Cluster::NONE,
    tag: 0,
};
const K0: OfferId = OfferId::Entry(KernelSlot(0));
const K1: OfferId = OfferId::Entry(KernelSlot(1));
const G0: OfferId = OfferId::Record(RecordId(0));

fn machine(config: &Config) -> Machine {
    front_end(config).expect("the configuration is good")
}

/// A machine on which these calls were accepted.
fn after(config: &Config, events: &[Event]) -> Machine {
    let mut gpu = machine(config);
    for event in events {
        assert_eq!(event.apply(&mut gpu).refusal(), None, "{event:?}");
    }
    gpu
}

fn launch(stream: u32, descriptor: Descriptor) -> Event {
    Event::HostLaunch { stream, descriptor, retain: false }
}

fn send(id: OfferId, smx: u32) -> Event {
    Event::Send { id, smx }
}

/// A kernel is offered, a cycle is begun, the host has declined before and let a cycle pass.
fn begun() -> Machine {
    after(&BASE, &[launch(0, ONE), Event::Begin, Event::End(None), Event::Begin])
}

/// The call is refused so, and nothing is as it was not.
fn refuses(gpu: &Machine, event: &Event, fault: Fault) {
    let mut after = gpu.clone();
    let answer = event.apply(&mut after);
    assert_eq!(answer.refusal(), Some(fault), "{event:?}");
    assert!(answer.decisions.is_empty() && after == *gpu, "{event:?} was refused and changed the state");
}

/// Every verb that belongs between cycles, with arguments that would be refused there, too.
fn between_cycles() -> Vec<Event> {
    let none = Descriptor { grid: Dim3::linear(0), ..ONE };
    let graph = gpusched_tests::dats::memory::Memory::of_parents(&[vec![]]);
    let header = graph.header(gpusched::dats::GraphPolicy::Lrr);
    vec![
        launch(0, ONE),
        launch(0, none),
        Event::HostLaunchGraph { stream: 0, descriptor: ONE, retain: true, graph: header },
        Event::DeviceLaunch { smx: 0, slot: 0, kernels: vec![ONE] },
        Event::DeviceLaunch { smx: 9, slot: 9, kernels: Vec::new() },
        Event::AggLaunch { smx: 0, slot: 0, groups: vec![GroupLaunch { kernel: ONE, hw_tid: 0 }] },
        Event::TbDone { smx: 0, slot: 0 },
        Event::TbDone { smx: 9, slot: 9 },
        Event::Unretain(0),
        Event::Suspend(0),
        Event::Resume(0),
        Event::SpillLoaded(0),
        Event::Refilled(0),
        Event::GraphPoll,
        Event::GraphNodes(0, Vec::new()),
        Event::GraphEdges(0, Vec::new()),
        Event::GraphSpilled(0),
        Event::AbortGraph(0),
        Event::SetEligible(SmxSet::first(1)),
        Event::SetEligible(SmxSet::from_words([u64::MAX; 4])),
        Event::SetBlockCap { smx: 0, cap: 1 },
        Event::SetClass { class: 0, pc: Some(1) },
        Event::SetClass { class: 0, pc: None },
        Event::SetClassCap { class: 0, smx: 0, cap: 1, by: 0 },
        Event::Activity(vec![0, 0]),
        Event::Account(None),
        Event::Skip(9),
        Event::Save,
    ]
}

/// policy-P2: in the middle of a cycle nothing else is done, whatever else is wrong with it.
#[test]
fn mid_cycle() {
    let idle = begun();
    let sent = after(&BASE, &[launch(0, ONE), Event::Begin, send(K0, 0)]);
    let without_dgb = after(&Config { dats: None, ..BASE }, &[Event::Begin]);
    for gpu in [idle, sent, without_dgb] {
        between_cycles().iter().for_each(|event| refuses(&gpu, event, Fault::MidCycle));
        refuses(&gpu, &Event::Begin, Fault::TwiceBegun);
    }
}

/// policy-P1: between cycles nothing is sent, and a cycle takes the place of `tick`.
#[test]
fn not_begun_and_told() {
    let between = after(&BASE, &[launch(0, ONE), Event::Begin, Event::End(None)]);
    let split = Event::Split { id: G0, at: 0 };
    for event in [Event::Offers, Event::Load(K0), Event::Load(G0), send(K0, 0), send(G0, 9), split, Event::End(None)] {
        refuses(&between, &event, Fault::NotBegun);
    }
    // NotBegun comes before BadWake.
    refuses(&between, &Event::End(Some(0)), Fault::NotBegun);
    let mut c = ThroughC::new(&BASE, 0).expect("the configuration is good");
    for event in [Event::Tick, Event::Run(1), Event::Run(0), Event::Advance(5), Event::Run(u64::MAX)] {
        for gpu in [&between, &begun()] {
            refuses(gpu, &event, Fault::Told);
        }
        assert_eq!(c.call(&event).map_err(fault), Err(Fault::Told), "{event:?} through C");
    }
}

/// Under another policy the verbs of the seam are nobody's, before any other test.
#[test]
fn not_told() {
    let laperm = Policy::LaPerm(LaPermPart { pool_cap: 64, ..LaPermPart::K20C });
    for policy in [Policy::FcfsRr, laperm] {
        let gpu = after(&Config { policy, load_mode: LoadMode::Fixed, ..BASE }, &[launch(0, ONE), Event::Tick]);
        let split = Event::Split { id: G0, at: 0 };
        let calls =
            [Event::Begin, Event::Offers, Event::Load(G0), send(G0, 9), split, Event::End(Some(0)), Event::Skip(0)];
        calls.iter().for_each(|event| refuses(&gpu, event, Fault::NotTold));
    }
}

/// The last cycle is not begun.
#[test]
fn time_overflow() {
    refuses(&after(&BASE, &[Event::Skip(u64::MAX)]), &Event::Begin, Fault::TimeOverflow);
}

/// policy-P9: a host wakes later than now.
#[test]
fn bad_wake() {
    let gpu = begun();
    let now = gpu.now().0;
    assert!(now > 0);
    for wake in [0, now - 1, now] {
        refuses(&gpu, &Event::End(Some(wake)), Fault::BadWake);
    }
}

/// policy-P4: names of nobody; under chain those of groups, under free those of groups that are over.
#[test]
fn bad_offer() {
    let gpu = begun();
    let ids =
        [K1, G0, OfferId::Entry(KernelSlot(2)), OfferId::Entry(KernelSlot(255)), OfferId::Record(RecordId(u32::MAX))];
    for id in ids {
        refuses(&gpu, &Event::Load(id), Fault::BadOffer);
        // BadOffer comes before BadSmx.
        [0, 9].iter().for_each(|&smx| refuses(&gpu, &send(id, smx), Fault::BadOffer));
    }
    // A kernel whose last TB was sent is not offered any more.
    let over = after(&BASE, &[launch(0, Descriptor { grid: Dim3::linear(1), ..ONE }), Event::Begin, send(K0, 0)]);
    refuses(&over, &send(K0, 1), Fault::BadOffer);
    let part = ToldPart { units: Units::Free, dispatch_per_cycle: 9, ..ToldPart::CHAIN };
    let free = Config { policy: Policy::Told(part), load_mode: LoadMode::Fixed, ..BASE };
    let group = GroupLaunch { kernel: Descriptor { grid: Dim3::linear(1), ..ONE }, hw_tid: 0 };
    let events = [
        launch(0, ONE),
        Event::Begin,
        send(K0, 0),
        Event::End(None),
        Event::AggLaunch { smx: 0, slot: 0, groups: vec![group] },
        Event::Begin,
        send(G0, 1),
    ];
    refuses(&after(&free, &events), &send(G0, 1), Fault::BadOffer);
}

/// A chain whose next group is spilled, and not here.
fn needed() -> Vec<Event> {
    let group = GroupLaunch { kernel: Descriptor { grid: Dim3::linear(1), ..ONE }, hw_tid: 0 };
    vec![
        launch(0, Descriptor { grid: Dim3::linear(1), ..ONE }),
        Event::Begin,
        send(K0, 0),
        Event::End(None),
        Event::AggLaunch { smx: 0, slot: 0, groups: vec![group; 2] },
        Event::Begin,
        send(K0, 1),
        Event::End(None),
        Event::Begin,
    ]
}

/// policy-P7, policy-P8: what is not here is not sent, wherever; what nobody has to load is not loaded, and nothing twice.
#[test]
fn not_here_and_no_load() {
    let gpu = after(&BASE, &needed());
    refuses(&gpu, &send(K0, 0), Fault::NotHere);
    // BadSmx comes before NotHere, NotHere before Closed.
    refuses(&gpu, &send(K0, 2), Fault::BadSmx);
    let mut closed = needed();
    closed.insert(8, Event::SetEligible(SmxSet::EMPTY));
    refuses(&after(&BASE, &closed), &send(K0, 0), Fault::NotHere);
    let asked = after(&BASE, &[needed(), vec![Event::Load(K0)]].concat());
    refuses(&asked, &send(K0, 0), Fault::NotHere);
    refuses(&asked, &Event::Load(K0), Fault::NoLoad);
    refuses(&begun(), &Event::Load(K0), Fault::NoLoad);
    let here = [needed(), vec![Event::Load(K0), Event::End(None), Event::SpillLoaded(1), Event::Begin]].concat();
    refuses(&after(&BASE, &here), &Event::Load(K0), Fault::NoLoad);
}

/// An SMX that is none, and a graph without a node to send.
#[test]
fn bad_smx_and_no_node() {
    for smx in [2, 255, 256, u32::MAX] {
        refuses(&begun(), &send(K0, smx), Fault::BadSmx);
    }
    let memory = gpusched_tests::dats::memory::Memory::of_parents(&[vec![]]);
    let graph = memory.header(gpusched::dats::GraphPolicy::Lrr);
    let descriptor = Descriptor { grid: Dim3::linear(1), ..ONE };
    let waits = [Event::HostLaunchGraph { stream: 0, descriptor, retain: false, graph }, Event::Begin];
    let gpu = after(&BASE, &waits);
    refuses(&gpu, &send(K0, 0), Fault::NoNode);
    refuses(&gpu, &send(K0, 2), Fault::BadSmx);
    refuses(&gpu, &Event::Load(K0), Fault::NoLoad);
    // NoNode comes before Closed.
    let closed = [vec![Event::SetEligible(SmxSet::EMPTY)], waits.to_vec()].concat();
    refuses(&after(&BASE, &closed), &send(K0, 0), Fault::NoNode);
}

/// Each obstacle by its name, the first that stands, and before that the cycle is full.
#[test]
fn closed_and_full() {
    let full_smx = [launch(0, Descriptor { tb: Dim3::linear(4), ..ONE }), Event::Begin, send(K0, 0), Event::End(None)];
    let gates = [
        (Fault::ClosedE, vec![Event::SetEligible(SmxSet::EMPTY)]),
        (Fault::ClosedX, vec![Event::SetBlockCap { smx: 0, cap: 0 }]),
        (Fault::ClosedR, full_smx.to_vec()),
        (
            Fault::ClosedK,
            vec![
                Event::SetClass { class: 1, pc: Some(1) },
                Event::SetClassCap { class: 1, smx: 0, cap: 0, by: 0 },
                // K is the first of all.
                Event::SetEligible(SmxSet::EMPTY),
                Event::SetBlockCap { smx: 0, cap: 0 },
            ],
        ),
    ];
    for (fault, mut events) in gates {
        if fault != Fault::ClosedR {
            events.push(launch(0, ONE));
        }
        events.push(Event::Begin);
        refuses(&after(&BASE, &events), &send(K0, 0), fault);
    }
    let other = Descriptor { pc: 2, ..ONE };
    let exclusive = Config { exclusive: true, ..BASE };
    let events = [launch(0, ONE), launch(1, other), Event::Begin, send(K0, 0), Event::End(None), Event::Begin];
    refuses(&after(&exclusive, &events), &send(K1, 0), Fault::ClosedM);
    // A full cycle still tells why (policy-A3).
    let full = after(&BASE, &[launch(0, ONE), Event::SetBlockCap { smx: 1, cap: 0 }, Event::Begin, send(K0, 0)]);
    refuses(&full, &send(K0, 0), Fault::CycleFull);
    refuses(&full, &send(K0, 1), Fault::ClosedX);
}

/// policy-P15, policy-P17: what cannot be split, the order of the tests, and a kernel in pieces stays where it is.
#[test]
fn no_split_split_full_and_split() {
    let part = ToldPart { units: Units::Free, dispatch_per_cycle: 9, split_cap: 1, ..ToldPart::CHAIN };
    let free = Config { policy: Policy::Told(part), load_mode: LoadMode::Fixed, ..BASE };
    let split = |id, at| Event::Split { id, at };
    let piece = |p| OfferId::Piece(PieceId(p));
    let whole = [launch(0, ONE), Event::Begin];
    let gpu = after(&free, &whole);
    for (id, fault) in
        [(K1, Fault::BadOffer), (G0, Fault::BadOffer), (piece(0), Fault::BadOffer), (piece(u16::MAX), Fault::BadOffer)]
    {
        refuses(&gpu, &split(id, 1), fault);
        refuses(&gpu, &send(id, 0), fault);
    }
    for at in [0, 4, 5, u32::MAX] {
        refuses(&gpu, &split(K0, at), Fault::NoSplit);
    }
    // What was sent is not split off, and NoSplit comes before SplitFull.
    let sent = after(&free, &[&whole[..], &[send(K0, 0), split(K0, 3)]].concat());
    for (id, at, fault) in [
        (K0, 1, Fault::NoSplit),
        (K0, 2, Fault::SplitFull),
        (K0, 3, Fault::NoSplit),
        (piece(0), 3, Fault::NoSplit),
        (piece(0), 4, Fault::NoSplit),
        (piece(1), 1, Fault::BadOffer),
    ] {
        refuses(&sent, &split(id, at), fault);
    }
    let between = after(&free, &[&whole[..], &[send(K0, 0), split(K0, 3), Event::End(None)]].concat());
    refuses(&between, &Event::Suspend(0), Fault::Split);
    // Restored TBs come first, in their order.
    let back = [Event::End(None), Event::Suspend(0), Event::Resume(0), Event::Begin, Event::End(None), Event::Begin];
    let restored = after(&free, &[&whole[..], &[send(K0, 0)], &back].concat());
    refuses(&restored, &split(K0, 2), Fault::NoSplit);
    after(&free, &[&whole[..], &[send(K0, 0)], &back, &[send(K0, 0), split(K0, 2)]].concat());
    // Without rows, and in chains.
    let none = Config { policy: Policy::Told(ToldPart { split_cap: 0, ..part }), ..free };
    refuses(&after(&none, &whole), &split(K0, 0), Fault::NoSplit);
    refuses(&after(&none, &whole), &split(K0, 1), Fault::SplitFull);
    refuses(&begun(), &split(K0, 1), Fault::NoSplit);
}

/// Parameters: ranges, what belongs together, and what free units rule out; the model refuses the same.
#[test]
fn refused_configurations() {
    let told = |part| Config { policy: Policy::Told(part), load_mode: LoadMode::Fixed, ..BASE };
    let chain = ToldPart::CHAIN;
    let free = ToldPart { units: Units::Free, ..chain };
    let refused = [
        (Fault::BadConfig, told(ToldPart { dispatch_per_cycle: 0, ..chain })),
        (Fault::BadConfig, told(ToldPart { dispatch_per_cycle: 65, ..chain })),
        (Fault::BadConfig, told(ToldPart { rescue: Rescue::Rr, ..chain })),
        (Fault::BadConfig, told(ToldPart { split_cap: 65_536, ..free })),
        (Fault::FreeOnly, told(ToldPart { split_cap: 1, ..chain })),
        (Fault::BadConfig, Config { load_ahead: 1, ..told(chain) }),
        (Fault::ChainOnly, Config { turn_groups: 1, ..told(free) }),
        (Fault::ChainOnly, Config { load_mode: LoadMode::External, ..told(free) }),
        (Fault::ChainOnly, Config { agt_miss: AgtMiss::Device, ..told(free) }),
        // A range comes first.
        (Fault::BadConfig, Config { turn_groups: 1, ..told(ToldPart { dispatch_per_cycle: 65, ..free }) }),
        (Fault::BadConfig, Config { turn_groups: 1, ..told(ToldPart { rescue: Rescue::Rr, ..free }) }),
        (Fault::BadConfig, Config { turn_groups: 1, n_smx: 0, ..told(free) }),
    ];
    for (fault, config) in refused {
        let core = front_end(&config).map(drop).map_err(|error| match error {
            gpusched::BuildError::Config(error) => error.fault,
            other => panic!("{other:?}"),
        });
        assert_eq!(core, Err(fault), "{config:?}");
        assert_eq!(Model::build(&config).map(drop), Err(fault), "{config:?}");
    }
    for part in [
        ToldPart { dispatch_per_cycle: 64, stall_limit: u32::MAX, rescue: Rescue::Rr, ..chain },
        ToldPart { dispatch_per_cycle: 1, stall_limit: 1, split_cap: 65_535, ..free },
    ] {
        assert!(front_end(&told(part)).is_ok() && Model::build(&told(part)).is_ok());
    }
    // Chains may have all of that.
    let chains = Config { turn_groups: 1, load_mode: LoadMode::External, agt_miss: AgtMiss::Device, ..told(chain) };
    assert!(front_end(&chains).is_ok() && Model::build(&chains).is_ok());
}
