//! Small machines, every order of events: see [`gpusched_tests::explore`].

use std::cell::Cell;

use gpusched::dats::{DgbState, GraphPolicy};
use gpusched::{
    BubblePart, Cdp2Part, Cluster, ClusterPart, Config, Consumers, DatsPart, Descriptor, DeviceLaunch, Dim3,
    GroupLaunch, KernelEdge, KernelNode, KgraphPart, LaPermPart, LoadMode, Numbering, PartitionPart, PdlPart, PendHold,
    Policy, PreemptPart, PriorityPart, SmxSet, TailDepth, TbView, Topology, laperm,
};
use gpusched_heap::front_end;
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::drain::waiting_loads;
use gpusched_tests::events::Event;
use gpusched_tests::explore::{Gpu, explore};

const TINY: Config = Config {
    n_smx: 2,
    tb_slots: 1,
    threads: 2,
    regs: 0,
    smem: 0,
    warp: 2,
    n_hwq: 1,
    n_kde: 1,
    hwq_depth: 1,
    pend_limit: 2,
    susp_cap: 1,
    sync_depth: 1,
    agt_size: 1,
    n_class: 0,
    ..Config::K20C.ideal()
};
/// A buffer whose window holds three nodes, and the updates of one edge.
const DGB: DatsPart = DatsPart { lna: 3, lea: 4, pub_entries: 1, chunk_bytes: 16, ..DatsPart::GTX480 };
/// LaPerm whose queues overflow at once, and whose refills take a cycle.
const BIND: LaPermPart = LaPermPart {
    policy: laperm::Policy::SmxBind,
    levels: 2,
    queue_cap: 1,
    q0_cap: 2,
    pool_cap: 5,
    refill_cycles: 1,
    ..LaPermPart::K20C
};
/// A controller that diverts what is not full, and samples every other cycle.
const BUBBLE: BubblePart =
    BubblePart { t_num: 1, t_den: 1, sample_cycles: 2, drain_samples: 2, transition_samples: 1, ..BubblePart::K20C };
/// States per machine; all of them together take some seconds.
const STATES: usize = 40_000;
/// Those of machines with parts, whose states are larger.
const FEWER: usize = 6_000;

fn kernel(pc: u64, tbs: u32) -> Descriptor {
    Descriptor { pc, grid: Dim3::linear(tbs), tb: Dim3::linear(1), tag: pc, ..Descriptor::default() }
}

fn host(stream: u32, pc: u64, tbs: u32, retain: bool) -> Event {
    Event::HostLaunch { stream, descriptor: kernel(pc, tbs), retain }
}

/// What each resident TB may do: end, or `launch`.
fn per_tb(gpu: &Gpu, launch: impl Fn(u32, u32) -> Vec<Event>) -> Vec<Event> {
    let each = |tb: TbView| {
        let mut events = launch(tb.smx.into(), tb.slot.into());
        events.push(Event::end_of(&tb));
        events
    };
    gpu.resident_tbs().flat_map(each).collect()
}

fn groups(smx: u32, slot: u32, lanes: usize, tbs: u32) -> Event {
    groups_of(1, smx, slot, lanes, tbs)
}

/// Groups for the kernel with this program, all of one thread, so that all but one of them spill.
fn groups_of(pc: u64, smx: u32, slot: u32, lanes: usize, tbs: u32) -> Event {
    Event::AggLaunch { smx, slot, groups: vec![GroupLaunch { kernel: kernel(pc, tbs), hw_tid: 0 }; lanes] }
}

fn kernels(smx: u32, slot: u32, pc: u64) -> Event {
    Event::DeviceLaunch { smx, slot, kernels: vec![kernel(pc, 1)] }
}

/// Explores, and reports how far; every machine here has more states than the bound, so a smaller number is a dead alphabet.
fn run(name: &str, config: &Config, alphabet: impl Fn(&Gpu) -> Vec<Event>) {
    run_to(name, config, STATES, alphabet);
}

/// [`run`] until there are so many states.
fn run_to(name: &str, config: &Config, states: usize, alphabet: impl Fn(&Gpu) -> Vec<Event>) {
    match explore(front_end(config).unwrap(), &alphabet, states) {
        Ok(explored) => {
            println!("{name}: {explored:?}");
            assert!(explored.states >= states && explored.depth >= 5, "{name}: {explored:?}");
        }
        Err(wrong) => panic!("{name}: {wrong}"),
    }
}

/// Groups of one and two TBs against the end of their kernel, with latency 0 and 2.
#[test]
fn groups_and_the_end_of_their_kernel() {
    for (name, gpb_b) in [("at once", 0), ("after two cycles", 2)] {
        run(name, &Config { gpb_b, ..TINY }, |gpu| {
            let mut events = per_tb(gpu, |smx, slot| vec![groups(smx, slot, 1, 1), groups(smx, slot, 1, 2)]);
            events.extend([Event::Tick, host(0, 1, 2, false)]);
            events
        });
    }
}

/// Device kernels, suspension and resumption through one and two entries.
#[test]
fn device_kernels_and_suspension() {
    for (name, n_kde, lat_dispatch) in [("one entry", 1, 0), ("two entries", 2, 1)] {
        run(name, &Config { tb_slots: 2, n_smx: 1, n_kde, lat_dispatch, kmu_interval: 2, ..TINY }, |gpu| {
            let mut events = per_tb(gpu, |smx, slot| vec![kernels(smx, slot, 2)]);
            events.extend([Event::Tick, host(0, 1, 3, false), Event::Resume(0)]);
            events.extend(gpu.kdes().map(|(k, _)| Event::Suspend(k.into())));
            events
        });
    }
}

/// Retained kernels: joined with nothing resident, holding every entry, let go at any time.
#[test]
fn retained_kernels() {
    run("retained", &Config { n_hwq: 2, gpb_b: 1, ..TINY }, |gpu| {
        let mut events = per_tb(gpu, |smx, slot| vec![groups(smx, slot, 1, 1), kernels(smx, slot, 1)]);
        events.extend([Event::Tick, host(0, 1, 1, true), host(1, 1, 1, false), Event::Unretain(0)]);
        events
    });
}

/// Spilled groups whose loads the host answers, turn by turn between two kernels.
#[test]
fn external_loads_and_turns() {
    let config = Config { n_hwq: 2, n_kde: 2, pend_limit: 3, load_mode: LoadMode::External, turn_groups: 1, ..TINY };
    run("loads", &config, |gpu| {
        let mut events = per_tb(gpu, |smx, slot| vec![groups(smx, slot, 2, 1), groups(smx, slot, 1, 2)]);
        events.extend([Event::Tick, host(0, 1, 1, false), host(1, 2, 2, false)]);
        events.extend(waiting_loads(gpu).into_iter().map(|r| Event::SpillLoaded(r.into())));
        events
    });
}

/// Spilled groups that are fetched before their turn, of two kernels that take turns: one place and two, answered by the host in any
/// order and after two cycles (dtbl-T4a).
#[test]
fn loads_ahead_of_their_turn() {
    let machines = [
        ("one place", 1, LoadMode::External, 0),
        ("two places", 2, LoadMode::External, 0),
        ("two places, after two cycles", 2, LoadMode::Fixed, 2),
    ];
    for (name, load_ahead, load_mode, load_cycles) in machines {
        let config = Config { threads: 4, warp: 4, n_hwq: 2, n_kde: 2, pend_limit: 6, turn_groups: 1, ..TINY };
        let full = Cell::new(false);
        run_to(name, &Config { load_ahead, load_mode, load_cycles, ..config }, FEWER, |gpu| {
            full.set(full.get() || gpu.load_buffer().count() == load_ahead as usize);
            let mut events = per_tb(gpu, |smx, slot| [1, 2].map(|pc| groups_of(pc, smx, slot, 3, 1)).into());
            events.push(Event::Tick);
            // Both kernels come first, so that the rest is about their groups.
            events.extend([host(0, 1, 1, false), host(1, 2, 1, false)].into_iter().filter(|_| gpu.now().0 == 0));
            events.extend(waiting_loads(gpu).into_iter().map(|r| Event::SpillLoaded(r.into())));
            events
        });
        assert!(full.get(), "{name}: no state has a full load buffer");
    }
}

/// Gates E, X and K set at any time, with kernels of two classes in line.
#[test]
fn gates_at_any_time() {
    for (name, exclusive) in [("shared SMXs", false), ("exclusive SMXs", true)] {
        run(name, &Config { tb_slots: 2, n_hwq: 2, n_kde: 2, n_class: 1, exclusive, ..TINY }, |gpu| {
            let mut events = per_tb(gpu, |_, _| Vec::new());
            events.extend([Event::Tick, host(0, 1, 2, false), host(1, 2, 2, false)]);
            events.extend([0, 1, 3].map(|mask| Event::SetEligible(SmxSet::from_words([mask, 0, 0, 0]))));
            events.extend([0, 2].map(|cap| Event::SetBlockCap { smx: 0, cap }));
            events.push(Event::SetClass { class: 0, pc: Some(1) });
            let cap = |(cap, smx)| Event::SetClassCap { class: 0, smx, cap, by: 0 };
            events.extend([(0, 0), (1, 0), (0, 1), (2, 1)].map(cap));
            events
        });
    }
}

/// Groups under LaPerm, bound and not, against the end of their kernel; queues overflow and are refilled.
#[test]
fn groups_under_laperm() {
    let adaptive = LaPermPart { policy: laperm::Policy::AdaptiveBind, visit: laperm::Visit::Skip, ..BIND };
    let charged = LaPermPart { spill: laperm::Spill::Lowest, charge_insert: true, ..BIND };
    for (name, part) in [("bound", BIND), ("adaptive", adaptive), ("charged", charged)] {
        let config = Config { policy: Policy::LaPerm(part), gpb_b: 1, pend_limit: 3, ..TINY };
        run_to(name, &config, FEWER, |gpu| {
            let mut events = per_tb(gpu, |smx, slot| vec![groups(smx, slot, 1, 1), groups(smx, slot, 1, 2)]);
            events.extend([Event::Tick, host(0, 1, 2, false)]);
            events
        });
    }
}

/// Kernels under LaPerm, as through the KMU of its model cdp, suspended and resumed at any time.
#[test]
fn kernels_under_laperm() {
    for (name, model) in [("dtbl", laperm::Model::Dtbl), ("cdp", laperm::Model::Cdp)] {
        let policy = Policy::LaPerm(LaPermPart { model, ..BIND });
        let config = Config { policy, tb_slots: 2, n_kde: 2, pend_limit: 3, ..TINY };
        run_to(name, &config, FEWER, |gpu| {
            let mut events = per_tb(gpu, |smx, slot| vec![kernels(smx, slot, 2)]);
            events.extend([Event::Tick, host(0, 1, 3, false), Event::Resume(0)]);
            events.extend(gpu.kdes().map(|(k, _)| Event::Suspend(k.into())));
            events
        });
    }
}

/// Gates E, X and K at any time under LaPerm.
#[test]
fn gates_under_laperm() {
    for (name, pass_capped) in [("passed", true), ("not passed", false)] {
        let config =
            Config { policy: Policy::LaPerm(BIND), tb_slots: 2, n_hwq: 2, n_kde: 2, n_class: 1, pass_capped, ..TINY };
        run_to(name, &config, FEWER, |gpu| {
            let mut events = per_tb(gpu, |smx, slot| vec![groups(smx, slot, 1, 1)]);
            events.extend([Event::Tick, host(0, 1, 2, false), host(1, 2, 2, false)]);
            events.extend([1, 3].map(|mask| Event::SetEligible(SmxSet::from_words([mask, 0, 0, 0]))));
            events.extend([0, 2].map(|cap| Event::SetBlockCap { smx: 0, cap }));
            events.push(Event::SetClass { class: 0, pc: Some(1) });
            events.extend([0, 2].map(|cap| Event::SetClassCap { class: 0, smx: 0, cap, by: 0 }));
            events
        });
    }
}

/// SMXs that are diverted, drained, lowered and raised while kernels come and TBs end: in no state are all of them diverted, and
/// from each the rest is run.
#[test]
fn bubbles_at_any_time() {
    let slow = BubblePart { draining: false, gpu_level: false, transition_samples: 2, ..BUBBLE };
    for (name, bubble) in [("drained", BUBBLE), ("lowered at once", slow)] {
        let config = Config { bubble: Some(bubble), tb_slots: 2, threads: 4, n_hwq: 2, n_kde: 2, ..TINY };
        run_to(name, &config, FEWER, |gpu| {
            let mut events = per_tb(gpu, |smx, slot| vec![kernels(smx, slot, 2)]);
            events.extend([Event::Tick, host(0, 1, 2, false), host(1, 2, 1, false)]);
            events
        });
    }
}

/// Children that are bound to SMXs which may be diverted or asleep (`frontend`, Hazards).
#[test]
fn children_bound_to_bubbles() {
    for (name, model) in [("groups", laperm::Model::Dtbl), ("kernels", laperm::Model::Cdp)] {
        let policy = Policy::LaPerm(LaPermPart { model, ..BIND });
        let config = Config { policy, bubble: Some(BUBBLE), tb_slots: 2, threads: 4, ..TINY };
        let of_groups = model == laperm::Model::Dtbl;
        run_to(name, &config, FEWER, |gpu| {
            let child = |smx, slot| if of_groups { groups(smx, slot, 1, 1) } else { kernels(smx, slot, 1) };
            let mut events = per_tb(gpu, |smx, slot| vec![child(smx, slot)]);
            events.extend([Event::Tick, host(0, 1, 2, false)]);
            events
        });
    }
}

/// Clusters, priorities, contexts, draining and saving, two or three of them at a time, beside plain kernels.
#[test]
fn what_modern_adds_at_any_time() {
    let topology = Topology::new(&[&[1, 1], &[1]], Numbering::Gpc).unwrap();
    let base = Config { n_smx: 3, n_hwq: 2, n_kde: 2, n_stream: 2, topology: Some(topology), ..TINY };
    let cluster = ClusterPart { portable: 2, largest: 2, ..ClusterPart::H100 };
    let preempt = PreemptPart { drain_max: 2, save_base: 1, ..PreemptPart::FREE };
    let partition = PartitionPart { contexts: 2, ..PartitionPart::TWO };
    let priority = PriorityPart { levels: 2 };
    let machines = [
        ("clusters that are saved", Config { cluster: Some(cluster), preempt: Some(preempt), ..base }),
        ("clusters that are passed", Config { cluster: Some(ClusterPart { pass_cluster: true, ..cluster }), ..base }),
        ("clusters with priorities", Config { cluster: Some(cluster), priority: Some(priority), ..base }),
        ("contexts with priorities", Config { partition: Some(partition), priority: Some(priority), ..base }),
        ("contexts that are drained", Config { partition: Some(partition), preempt: Some(preempt), ..base }),
    ];
    for (name, config) in machines {
        run_to(name, &config, FEWER, |gpu| {
            let mut events = per_tb(gpu, |smx, slot| vec![kernels(smx, slot, 2)]);
            let pairs = Descriptor { cluster: Cluster::new(2, 1, 1), ..kernel(1, 4) };
            let pairs = Event::HostLaunch { stream: 0, descriptor: pairs, retain: false };
            events.extend([Event::Tick, pairs, host(0, 3, 1, false), host(1, 2, 2, false)]);
            let set = |bits| Some(SmxSet::from_words([bits, 0, 0, 0]));
            if config.priority.is_some() {
                events.extend([0, 1].map(|p| Event::SetStream { stream: 1, context: None, priority: Some(p) }));
            }
            if config.partition.is_some() {
                events.push(Event::SetStream { stream: 1, context: Some(1), priority: None });
                let share = |(smxs, quota)| Event::SetContext { context: 1, smxs, gpcs: None, quota, kdes: Some(1) };
                events.extend([(set(0b110), None), (None, Some(40))].map(share));
            }
            if config.preempt.is_some() {
                let smxs = SmxSet::first(1);
                events.extend([None, Some(0)].map(|kde| Event::Drain { smxs, context: None, kde }));
                events.extend([Event::ReleaseDrain(0), Event::Resume(0), Event::Suspend(0), Event::SaveKernel(0)]);
            }
            events
        });
    }
}

/// Fire-and-forget and tail launches into a machine with few records and grids, with and without flushes and levels. Parents that wait
/// for children hold none of the two entries, so that all of them drain (launch2-H2).
#[test]
fn launches_into_named_streams_at_any_time() {
    let part = Cdp2Part { max_depth: 2, ..Cdp2Part::CUDA };
    let level = Cdp2Part { tail_depth: TailDepth::Same, pend_hold: PendHold::Complete, lat_tail: 1, ..part };
    for (name, part, flush_cycles) in [("deeper", part, 0), ("level, and flushed", level, 2)] {
        let config =
            Config { cdp2: Some(part), grids: 3, flush_cycles, n_kde: 2, pend_limit: 3, tb_slots: 2, n_smx: 1, ..TINY };
        run_to(name, &config, 3 * FEWER, |gpu| {
            let launch = |pc, stream| DeviceLaunch { kernel: kernel(pc, 1), stream };
            let (fired, tail) = (launch(2, DeviceLaunch::FIRE_AND_FORGET), launch(3, DeviceLaunch::TAIL));
            let each = |smx, slot| {
                [vec![fired], vec![tail], vec![tail, fired]]
                    .map(|launches| Event::DeviceLaunchNamed { smx, slot, launches })
                    .to_vec()
            };
            let mut events = per_tb(gpu, each);
            events.extend([Event::Tick, host(0, 1, 1, false)]);
            events
        });
    }
}

/// Programmatic dependents and kernel graphs on a machine of two entries: TBs trigger, wait and launch at any time. Whatever they
/// do, all drains, unless late launches bring it to a stand (launch2-I10).
#[test]
fn dependents_and_kernel_graphs_at_any_time() {
    let kgraph = KgraphPart { graphs: 1, nodes: 3, edges: 2, insts: 1, ..KgraphPart::FREE };
    let late = KgraphPart { lat_kernel: 1, lat_edge: 1, ..kgraph };
    for (name, kgraph, cdp2, flush_cycles) in
        [("with children", kgraph, Some(Cdp2Part::CUDA), 0), ("late, and flushed", late, None, 2)]
    {
        let pdl = Some(PdlPart { window: 2, ..PdlPart::CUDA });
        let small = Config { grids: 3, n_kde: 2, pend_limit: 2, tb_slots: 2, n_smx: 1, ..TINY };
        let config = Config { pdl, cdp2, kgraph: Some(kgraph), flush_cycles, ..small };
        run_to(name, &config, 3 * FEWER, |gpu| {
            let each = |smx, slot| {
                let kernels = vec![kernel(2, 1)];
                vec![
                    Event::TbTrigger { smx, slot },
                    Event::TbWait { smx, slot },
                    Event::DeviceLaunch { smx, slot, kernels },
                ]
            };
            let mut events = per_tb(gpu, each);
            let edge = |from, to, kind| KernelEdge { from, to, kind };
            let nodes = (1..=3).map(|pc| KernelNode { kernel: kernel(pc, 1), retain: 0 }).collect();
            let edges = vec![edge(0, 1, KernelEdge::PDL), edge(1, 2, KernelEdge::FULL)];
            events.extend([Event::Tick, host(0, 1, 1, false), Event::KgraphLaunch { graph: 0, stream: 0 }]);
            events.extend([Event::KgraphDefine { nodes, edges }, Event::KgraphDestroy(0)]);
            events.push(Event::HostLaunchDependent { stream: 0, descriptor: kernel(4, 1), retain: false });
            events
        });
    }
}

/// What memory may answer now, under each of the first tags.
fn graph_answers(gpu: &Gpu, memory: &Memory) -> Vec<Event> {
    let Some(dgb) = gpu.dgb() else { return Vec::new() };
    let chunk = |from: u32, most: usize, len: usize| from as usize..len.min(from as usize + most);
    let DgbState { fetched, edge_head, tail_edge, .. } = dgb.state();
    let nodes = &memory.nodes[chunk(fetched, 2, memory.nodes.len())];
    let edges = &memory.edges[chunk(edge_head, (tail_edge + DGB.lea - edge_head) as usize, memory.edges.len())];
    let answers = |tag| [Event::GraphNodes(tag, nodes.to_vec()), Event::GraphEdges(tag, edges.to_vec())];
    (0..8).flat_map(answers).collect()
}

/// Dependency graphs beside other kernels: polled, answered and given up at any time.
#[test]
fn graphs_at_any_time() {
    fn of(name: &str, config: &Config, memory: &Memory, consumers: Option<Consumers>) {
        let (graph, descriptor) = (memory.header(GraphPolicy::Lrr), kernel(7, 4));
        let (stream, retain) = (0, false);
        let launch = match consumers {
            None => Event::HostLaunchGraph { stream, descriptor, retain, graph },
            Some(consumers) => {
                Event::HostLaunchCross { stream, producers: descriptor, retain, is_dependent: false, graph, consumers }
            }
        };
        run_to(name, config, FEWER, |gpu| {
            let mut events = per_tb(gpu, |_, _| Vec::new());
            events.extend([
                Event::Tick,
                host(1, 2, 1, false),
                Event::GraphPoll,
                Event::AbortGraph(0),
                Event::Suspend(0),
            ]);
            events.push(launch.clone());
            events.extend(graph_answers(gpu, memory));
            events
        });
    }
    let config = Config { n_hwq: 2, n_kde: 2, dats: Some(DGB), ..TINY };
    // 0 -> {1, 2} -> 3: at the end of 1 the update of 3 has to wait.
    let diamond = Memory::of_parents(&[vec![], vec![0], vec![0], vec![1, 2]]);
    of("alone", &config, &diamond, None);
    of("passed", &Config { pass_graph: true, ..config }, &diamond, None);
    let laperm = Config { policy: Policy::LaPerm(BIND), ..config };
    of("under LaPerm", &laperm, &diamond, None);
    // Two kernels, the TBs of the second one twice as large.
    let shared = Memory::of_parents(&[vec![], vec![], vec![0], vec![0, 1]]);
    let consumers = Consumers { pc: 8, tb: Dim3::linear(2), first: 2, ..Consumers::default() };
    of("of two kernels", &Config { cross: true, tb_slots: 2, ..config }, &shared, Some(consumers));
}
