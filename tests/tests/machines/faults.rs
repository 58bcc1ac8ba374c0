//! Every fault: a call that provokes it, and the state, which is then the same as before (dtbl-I12).

use std::collections::BTreeSet;

use gpusched::Cluster;
use gpusched::dats::{GraphHeader, GraphPolicy, Node, Request};
use gpusched::{
    BuildError, Cdp2Part, ClassId, Config, Cycle, DatsPart, Descriptor, Dim3, Fault, FrontEnd, GroupLaunch, KernelSlot,
    LoadMode, RecordId, SlotId, SmxId, SmxSet, SuspId, inline_tables,
};
use gpusched_heap::{HeapTables, front_end};

const CONFIG: Config = Config {
    n_smx: 2,
    tb_slots: 2,
    threads: 4,
    regs: 8,
    smem: 8,
    warp: 2,
    n_hwq: 2,
    n_kde: 2,
    hwq_depth: 1,
    pend_limit: 2,
    susp_cap: 1,
    sync_depth: 1,
    agt_size: 2,
    load_mode: LoadMode::External,
    n_class: 2,
    dats: Some(DatsPart::GTX480),
    ..Config::K20C.ideal()
};
inline_tables! {
    struct Small = CONFIG;
}
type Gpu = FrontEnd<HeapTables>;

const ONE: Descriptor = Descriptor {
    pc: 1,
    grid: Dim3::linear(1),
    tb: Dim3::linear(1),
    regs: 0,
    smem: 0,
    param: 0,
    cluster: Cluster::NONE,
    tag: 0,
};
const GROUP: GroupLaunch = GroupLaunch { kernel: ONE, hw_tid: 0 };
const S0: SmxId = SmxId(0);
const W0: SlotId = SlotId(0);
const K0: KernelSlot = KernelSlot(0);

fn grid(x: u32, y: u32, z: u32) -> Descriptor {
    Descriptor { grid: Dim3 { x, y, z }, ..ONE }
}

fn tb(x: u32, y: u32, z: u32) -> Descriptor {
    Descriptor { tb: Dim3 { x, y, z }, ..ONE }
}

// ---- states

fn empty() -> Gpu {
    front_end(&CONFIG).unwrap()
}

/// `descriptor` is in entry 0 and has sent one TB, which is at SMX 0, slot 0.
fn running(descriptor: Descriptor, retain: bool) -> Gpu {
    let mut gpu = empty();
    gpu.host_launch(0, &descriptor, retain).unwrap();
    gpu.tick(&mut ()).unwrap();
    assert!(gpu.tb(S0, W0).is_some());
    gpu
}

fn one_tb() -> Gpu {
    running(ONE, false)
}

fn two_tbs_sent() -> Gpu {
    let mut gpu = running(grid(4, 1, 1), false);
    gpu.tick(&mut ()).unwrap();
    gpu
}

/// The kernel in entry 0 is in place 0 of the suspended list.
fn suspended() -> Gpu {
    let mut gpu = two_tbs_sent();
    gpu.suspend(K0, &mut ()).unwrap();
    gpu
}

fn with_group() -> Gpu {
    let mut gpu = one_tb();
    gpu.agg_launch(S0, W0, &[GROUP]).unwrap();
    gpu.tick(&mut ()).unwrap();
    assert_eq!(gpu.kde(K0).unwrap().live, 1);
    gpu
}

/// A suspended kernel has arrived again and restored none of its TBs, since no SMX takes any.
fn restoring() -> Gpu {
    let mut gpu = suspended();
    gpu.set_eligible(SmxSet::EMPTY).unwrap();
    gpu.resume(SuspId(0)).unwrap();
    gpu.tick(&mut ()).unwrap();
    gpu
}

/// A device kernel, of depth 1, is in entry 1 with a TB.
fn nested() -> Gpu {
    let mut gpu = one_tb();
    gpu.device_launch(S0, W0, &[Descriptor { pc: 2, ..ONE }]).unwrap();
    gpu.tick(&mut ()).unwrap();
    gpu.tick(&mut ()).unwrap();
    assert_eq!(gpu.kde(KernelSlot(1)).unwrap().exe, 1);
    gpu
}

/// One kernel is suspended and fills the list, another one is in entry 0.
fn list_full() -> Gpu {
    let mut gpu = suspended();
    gpu.host_launch(1, &ONE, false).unwrap();
    gpu.tick(&mut ()).unwrap();
    gpu
}

fn resumed() -> Gpu {
    let mut gpu = suspended();
    gpu.resume(SuspId(0)).unwrap();
    gpu
}

/// The scheduler waits for the spilled group in record 1.
fn loading() -> Gpu {
    let mut gpu = one_tb();
    gpu.set_block_cap(S0, 1).unwrap();
    gpu.set_block_cap(SmxId(1), 0).unwrap();
    gpu.agg_launch(S0, W0, &[GROUP, GROUP]).unwrap();
    gpu.tick(&mut ()).unwrap();
    gpu.set_block_cap(S0, 2).unwrap();
    gpu.run(2, &mut ()).unwrap();
    assert_eq!(gpu.spilled().count(), 1);
    gpu
}

fn queue_full() -> Gpu {
    let mut gpu = empty();
    gpu.host_launch(1, &ONE, false).unwrap();
    gpu
}

fn records_full() -> Gpu {
    let mut gpu = one_tb();
    gpu.device_launch(S0, W0, &[ONE]).unwrap();
    gpu
}

fn class_bound() -> Gpu {
    let mut gpu = empty();
    gpu.set_class(ClassId(1), 7).unwrap();
    gpu
}

fn last_cycle() -> Gpu {
    let mut gpu = empty();
    gpu.run(Cycle::MAX.0, &mut ()).unwrap();
    gpu
}

fn in_transit() -> Gpu {
    let mut gpu = front_end(&Config { lat_dispatch: 5, ..CONFIG }).unwrap();
    gpu.host_launch(0, &ONE, true).unwrap();
    gpu.tick(&mut ()).unwrap();
    assert!(gpu.kde(K0).is_some());
    gpu
}

fn without_dgb() -> Gpu {
    front_end(&Config { dats: None, ..CONFIG }).unwrap()
}

const GRAPH: GraphHeader = GraphHeader { v: 1, e: 0, node_base: 0, edge_base: 0, policy: GraphPolicy::Lrr };

/// A kernel with a graph of one node is in entry 0.
fn graph() -> Gpu {
    let mut gpu = empty();
    gpu.host_launch_graph(0, &ONE, false, &GRAPH).unwrap();
    gpu.tick(&mut ()).unwrap();
    gpu
}

/// The same, given up while its node runs.
fn graph_given_up() -> Gpu {
    let mut gpu = graph();
    let Some(Request::Nodes { tag, .. }) = gpu.graph_poll().unwrap() else { panic!("nodes come first") };
    gpu.graph_nodes(tag, &[Node::new(0, true, 0, 0)], &mut ()).unwrap();
    gpu.tick(&mut ()).unwrap();
    assert!(gpu.tb(S0, W0).is_some());
    gpu.abort_graph(K0, &mut ()).unwrap();
    gpu
}

type State = fn() -> Gpu;
type Call = fn(&mut Gpu) -> Result<(), Fault>;

/// Fault, state, refused call.
const REFUSALS: &[(Fault, State, Call)] = &[
    (Fault::EmptyGrid, empty, |g| g.host_launch(0, &grid(0, 1, 1), false).map(drop)),
    (Fault::EmptyGrid, empty, |g| g.host_launch(0, &grid(1, 0, 1), false).map(drop)),
    (Fault::EmptyGrid, empty, |g| g.host_launch(0, &grid(u32::MAX, 1, 0), false).map(drop)),
    (Fault::EmptyGrid, one_tb, |g| g.device_launch(S0, W0, &[ONE, grid(0, 1, 1)]).map(drop)),
    (Fault::GridTooLarge, empty, |g| g.host_launch(0, &grid(1 << 31, 1, 1), false).map(drop)),
    (Fault::GridTooLarge, empty, |g| g.host_launch(0, &grid(1, 1 << 16, 1), false).map(drop)),
    (Fault::GridTooLarge, empty, |g| g.host_launch(0, &grid(1, 1, 1 << 16), false).map(drop)),
    (Fault::GridTooLarge, empty, |g| g.host_launch(0, &grid(1 << 16, 1 << 15, 2), false).map(drop)),
    (Fault::GridTooLarge, empty, |g| g.host_launch(0, &grid(u32::MAX, u32::MAX, u32::MAX), false).map(drop)),
    (Fault::EmptyTb, empty, |g| g.host_launch(0, &tb(0, 1, 1), false).map(drop)),
    (Fault::EmptyTb, empty, |g| g.host_launch(0, &tb(u32::MAX, 2, 0), false).map(drop)),
    (Fault::TbTooBig, empty, |g| g.host_launch(0, &tb(5, 1, 1), false).map(drop)),
    (Fault::TbTooBig, empty, |g| g.host_launch(0, &tb(1 << 16, 1 << 16, 1), false).map(drop)),
    (Fault::TbTooBig, empty, |g| g.host_launch(0, &Descriptor { regs: 9, ..ONE }, false).map(drop)),
    (Fault::TbTooBig, empty, |g| g.host_launch(0, &Descriptor { smem: 9, ..ONE }, false).map(drop)),
    (Fault::NoDgb, without_dgb, |g| g.host_launch_graph(0, &ONE, true, &GRAPH).map(drop)),
    (Fault::NoDgb, without_dgb, |g| Ok(g.graph_poll().map(drop)?)),
    (Fault::EmptyGrid, without_dgb, |g| g.host_launch_graph(0, &grid(0, 1, 1), true, &GRAPH).map(drop)),
    (Fault::GraphRetain, empty, |g| g.host_launch_graph(0, &grid(2, 1, 1), true, &GRAPH).map(drop)),
    (Fault::GraphSize, empty, |g| {
        g.host_launch_graph(0, &grid(2, 1, 1), false, &GraphHeader { e: u32::MAX, ..GRAPH }).map(drop)
    }),
    (Fault::TooManyNodes, empty, |g| {
        let graph = GraphHeader { v: 65536, e: u32::MAX, ..GRAPH };
        g.host_launch_graph(0, &grid(65536, 1, 1), false, &graph).map(drop)
    }),
    (Fault::TooManyEdges, empty, |g| {
        g.host_launch_graph(0, &ONE, false, &GraphHeader { e: 1 << 31, node_base: 8, ..GRAPH }).map(drop)
    }),
    (Fault::Misaligned, empty, |g| {
        g.host_launch_graph(0, &ONE, false, &GraphHeader { edge_base: 64, ..GRAPH }).map(drop)
    }),
    (Fault::AddressOverflow, empty, |g| {
        let graph = GraphHeader { e: 65, edge_base: 0u64.wrapping_sub(128), ..GRAPH };
        g.host_launch_graph(0, &ONE, false, &graph).map(drop)
    }),
    (Fault::HwqFull, queue_full, |g| g.host_launch_graph(3, &ONE, false, &GRAPH).map(drop)),
    (Fault::GraphKernel, graph, |g| g.suspend(K0, &mut ()).map(drop)),
    (Fault::NotGraph, one_tb, |g| g.abort_graph(K0, &mut ())),
    (Fault::NotRunning, graph_given_up, |g| g.abort_graph(K0, &mut ())),
    (Fault::BadKde, graph, |g| g.abort_graph(KernelSlot(2), &mut ())),
    (Fault::NoKernel, graph, |g| g.abort_graph(KernelSlot(1), &mut ())),
    (Fault::HwqFull, queue_full, |g| g.host_launch(3, &ONE, false).map(drop)),
    (Fault::BadSmx, one_tb, |g| g.tb_done(SmxId(2), W0, &mut ())),
    (Fault::BadSmx, one_tb, |g| g.device_launch(SmxId(u16::MAX), W0, &[ONE]).map(drop)),
    (Fault::BadSmx, empty, |g| g.set_block_cap(SmxId(2), 9)),
    (Fault::BadSmx, empty, |g| g.set_class_cap(ClassId(0), SmxId(2), 9, 9)),
    (Fault::BadSlot, one_tb, |g| g.tb_done(S0, SlotId(2), &mut ())),
    (Fault::BadSlot, one_tb, |g| g.agg_launch(S0, SlotId(255), &[GROUP]).map(drop)),
    (Fault::NoTb, one_tb, |g| g.tb_done(SmxId(1), W0, &mut ())),
    (Fault::NoTb, one_tb, |g| g.device_launch(SmxId(1), W0, &[]).map(drop)),
    (Fault::BadCount, one_tb, |g| g.device_launch(S0, W0, &[]).map(drop)),
    (Fault::BadCount, one_tb, |g| g.device_launch(S0, W0, &[grid(0, 0, 0); 3]).map(drop)),
    (Fault::BadCount, one_tb, |g| g.agg_launch(S0, W0, &[GROUP; 3]).map(drop)),
    (Fault::BadThread, one_tb, |g| g.agg_launch(S0, W0, &[GROUP, GroupLaunch { hw_tid: 4, ..GROUP }]).map(drop)),
    (Fault::PendingLimit, records_full, |g| g.agg_launch(S0, W0, &[GROUP; 2]).map(drop)),
    (Fault::PendingLimit, records_full, |g| g.device_launch(S0, W0, &[ONE; 2]).map(drop)),
    (Fault::BadKde, empty, |g| g.unretain(KernelSlot(2), &mut ())),
    (Fault::BadKde, empty, |g| g.suspend(KernelSlot(64), &mut ()).map(drop)),
    (Fault::NoKernel, empty, |g| g.unretain(K0, &mut ())),
    (Fault::NoKernel, in_transit, |g| g.unretain(K0, &mut ())),
    (Fault::NoKernel, in_transit, |g| g.suspend(K0, &mut ()).map(drop)),
    (Fault::NotRetained, one_tb, |g| g.unretain(K0, &mut ())),
    (Fault::Retained, || running(ONE, true), |g| g.suspend(K0, &mut ()).map(drop)),
    (Fault::HasGroups, with_group, |g| g.suspend(K0, &mut ()).map(drop)),
    (Fault::RestorePending, restoring, |g| g.suspend(K0, &mut ()).map(drop)),
    (
        Fault::NothingResident,
        || {
            let mut gpu = running(grid(2, 1, 1), false);
            gpu.tb_done(S0, W0, &mut ()).unwrap();
            gpu
        },
        |g| g.suspend(K0, &mut ()).map(drop),
    ),
    (Fault::SyncDepth, nested, |g| g.suspend(KernelSlot(1), &mut ()).map(drop)),
    (Fault::SuspFull, list_full, |g| g.suspend(K0, &mut ()).map(drop)),
    (Fault::BadSusp, empty, |g| g.resume(SuspId(0))),
    (Fault::BadSusp, suspended, |g| g.resume(SuspId(1))),
    (Fault::BadSusp, suspended, |g| g.resume(SuspId(64))),
    (Fault::AlreadyResumed, resumed, |g| g.resume(SuspId(0))),
    (Fault::NoLoad, empty, |g| g.spill_loaded(RecordId(0))),
    (Fault::NoLoad, loading, |g| g.spill_loaded(RecordId(0))),
    (
        Fault::NoLoad,
        || {
            let mut gpu = loading();
            gpu.set_eligible(SmxSet::EMPTY).unwrap();
            gpu.spill_loaded(RecordId(1)).unwrap();
            gpu
        },
        |g| g.spill_loaded(RecordId(1)),
    ),
    (Fault::TimeOverflow, last_cycle, |g| g.tick(&mut ()).map(drop)),
    (Fault::TimeOverflow, last_cycle, |g| g.run(1, &mut ()).map(drop)),
    (Fault::TimeOverflow, one_tb, |g| g.run(Cycle::MAX.0, &mut ()).map(drop)),
    (Fault::BadMask, empty, |g| g.set_eligible(SmxSet::first(3))),
    (Fault::BadMask, empty, |g| g.set_eligible(SmxSet::from_words([0, 0, 0, 1 << 63]))),
    (Fault::BadCap, empty, |g| g.set_block_cap(S0, 3)),
    (Fault::BadCap, empty, |g| g.set_block_cap(S0, u32::MAX)),
    (Fault::BadCap, empty, |g| g.set_class_cap(ClassId(0), S0, 3, 0)),
    (Fault::BadCap, empty, |g| g.set_class_cap(ClassId(0), S0, 1, 2)),
    (Fault::BadClass, empty, |g| g.clear_class(ClassId(2))),
    (Fault::BadClass, empty, |g| g.set_class_cap(ClassId(8), SmxId(9), 9, 9)),
    (Fault::BadClass, empty, |g| g.has_work(ClassId(2)).map(drop)),
    (Fault::ClassTaken, class_bound, |g| g.set_class(ClassId(0), 7)),
    (Fault::NoBubble, empty, |g| g.activity(&[1, 2])),
    (Fault::BadUnit, empty, |g| g.waiting_head(1).map(drop)),
];

#[test]
fn every_refusal_changes_nothing() {
    for (i, (fault, state, call)) in REFUSALS.iter().enumerate() {
        let mut gpu = state();
        let before = gpu.clone();
        assert_eq!(call(&mut gpu), Err(*fault), "refusal {i}");
        assert!(gpu == before, "refusal {i}, {fault:?}, changed the state");
    }
}

/// Calls beside those refusals that are not refused: the limits are where the sheet has them.
#[test]
fn what_is_within_the_limits_is_accepted() {
    let accepted: &[(State, Call)] = &[
        (empty, |g| g.host_launch(u32::MAX, &grid((1 << 31) - 1, 1, 1), false).map(drop)),
        (empty, |g| g.host_launch(0, &grid(65537, 65535, 1), false).map(drop)),
        (empty, |g| g.host_launch(0, &grid(1, 65535, 65535), false).map(drop)),
        (empty, |g| g.host_launch(0, &Descriptor { regs: 8, smem: 8, ..tb(2, 2, 1) }, false).map(drop)),
        (queue_full, |g| g.host_launch(2, &ONE, false).map(drop)),
        (one_tb, |g| g.agg_launch(S0, W0, &[GroupLaunch { hw_tid: 3, ..GROUP }; 2]).map(drop)),
        (records_full, |g| g.agg_launch(S0, W0, &[GROUP]).map(drop)),
        (two_tbs_sent, |g| g.suspend(K0, &mut ()).map(drop)),
        (suspended, |g| g.resume(SuspId(0))),
        (loading, |g| g.spill_loaded(RecordId(1))),
        (|| running(ONE, true), |g| g.unretain(K0, &mut ())),
        (empty, |g| g.run(Cycle::MAX.0, &mut ()).map(drop)),
        (empty, |g| g.set_eligible(SmxSet::first(2))),
        (empty, |g| g.set_block_cap(S0, 2)),
        (empty, |g| g.set_class_cap(ClassId(1), SmxId(1), 2, 2)),
        (class_bound, |g| g.set_class(ClassId(1), 7)),
        (class_bound, |g| g.clear_class(ClassId(0))),
        (empty, |g| g.waiting_head(0).map(drop)),
    ];
    for (i, (state, call)) in accepted.iter().enumerate() {
        assert_eq!(call(&mut state()), Ok(()), "call {i}");
    }
}

/// BadConfig: every parameter has both ends of its range.
#[test]
fn values_out_of_range_build_nothing() {
    let with = |name: &str, value: u32| {
        // What is flushed only with grids has its range there.
        let mut config = serde_json::to_value(Config { cdp2: Some(Cdp2Part::CUDA), ..Config::K20C }).unwrap();
        config[name] = value.into();
        let config: Config = serde_json::from_value(config).unwrap();
        config.check()
    };
    for p in Config::PARAMETERS {
        assert!(with(p.name, p.min).is_ok() && with(p.name, p.max).is_ok(), "{}", p.name);
        let beyond = [p.min.checked_sub(1), p.max.checked_add(1)];
        for value in beyond.into_iter().flatten() {
            let error = with(p.name, value).unwrap_err();
            assert_eq!((error.parameter.name, error.value), (p.name, value));
            assert_eq!(Fault::from(error), Fault::BadConfig);
        }
        assert_eq!(with(p.name, 3).is_err(), p.power_of_two || !(p.min..=p.max).contains(&3), "{}", p.name);
    }
    let refused = FrontEnd::<Small>::new(&Config { agt_size: 3, ..CONFIG });
    assert!(matches!(refused, Err(BuildError::Config(e)) if e.parameter.name == "agt_size"));
    let too_large = FrontEnd::<Small>::new(&Config { pend_limit: 3, ..CONFIG });
    assert!(matches!(too_large, Err(BuildError::Tables(e)) if (e.table, e.have, e.need) == ("records", 2, 3)));
}

/// No fault of the front end without a refusal above, and the numbers of the sheets. Beyond 50 are those of single mechanisms.
#[test]
fn every_fault_is_provoked() {
    let composed = || Fault::ALL.iter().filter(|fault| fault.code() <= 50);
    let provoked = REFUSALS.iter().map(|(fault, ..)| fault.name()).chain([Fault::BadConfig.name()]);
    // This front end has no other parts; what they refuse is in the vectors f05, f19, f20 and f25.
    let of_parts = [
        Fault::BadActivity,
        Fault::NoDtbl,
        Fault::BubbleOwnsMask,
        Fault::TurnWithLaperm,
        Fault::LoadWithLaperm,
        Fault::AgtWithLaperm,
        Fault::AheadWithLaperm,
        Fault::Queue0TooSmall,
        Fault::PoolTooSmall,
    ];
    // In Rust a policy is one of those that there are; `misuse_frontend_graph.c` names others.
    let elsewhere = |fault: &&Fault| of_parts.contains(fault) || **fault == Fault::BadGraphPolicy;
    let all = composed().filter(|fault| !elsewhere(fault)).map(|f| f.name());
    assert_eq!(provoked.collect::<BTreeSet<_>>(), all.collect());
    let dtbl = "BadConfig EmptyGrid GridTooLarge EmptyTb TbTooBig HwqFull BadSmx BadSlot NoTb BadCount BadThread \
        PendingLimit BadKde NoKernel NotRetained Retained HasGroups RestorePending NothingResident SyncDepth SuspFull \
        BadSusp AlreadyResumed NoLoad TimeOverflow";
    let frontend = "NoDgb GraphRetain GraphSize BadGraphPolicy TooManyNodes TooManyEdges Misaligned AddressOverflow \
        NoDtbl GraphKernel NotGraph NotRunning BubbleOwnsMask BadMask BadCap BadClass ClassTaken NoBubble BadActivity \
        BadUnit TurnWithLaperm LoadWithLaperm AgtWithLaperm Queue0TooSmall PoolTooSmall \
        AheadWithLaperm";
    let numbered = dtbl.split_whitespace().chain(frontend.split_whitespace()).zip(1..).collect::<Vec<_>>();
    assert_eq!(numbered.last(), Some(&("AheadWithLaperm", 51)));
    for fault in composed() {
        assert!(numbered.contains(&(fault.name(), fault.code())), "{fault:?} = {}", fault.code());
    }
}
