//! Random machines: tiny capacities, and every way that the sheets leave open.

use gpusched::dats::{LevelRef, Prefetch};
use gpusched::power::Retrigger;
use gpusched::{
    AgtMiss, BubblePart, Cdp2Part, ClusterPart, Config, DatsPart, Fallback, Fill, FrontEnd, GpcOrder, HashScope,
    KgraphPart, KmuArb, LaPermPart, LateLaunch, LoadMode, Numbering, PartitionPart, PdlPart, PendHold, Policy,
    PreemptPart, PriorityPart, SmxSet, TailDepth, Topology, inline_tables, laperm,
};
use gpusched_heap::{HeapTables, front_end};
use proptest::prelude::*;
use proptest::sample::select;

/// What every machine of these tests is at most.
pub const TINY: Config = Config {
    n_smx: 3,
    tb_slots: 3,
    warp: 4,
    n_hwq: 4,
    n_kde: 4,
    hwq_depth: 2,
    pend_limit: 8,
    susp_cap: 2,
    agt_size: 4,
    n_class: 3,
    ..Config::K20C
};
/// The largest buffer of these tests.
pub const SMALL_DGB: DatsPart = DatsPart { lna: 8, lea: 16, pub_entries: 6, chunk_bytes: 32, ..DatsPart::GTX480 };

inline_tables! {
    /// Room for those with LaPerm.
    pub struct TinyLaPerm = Config {
        policy: Policy::LaPerm(LaPermPart { policy: laperm::Policy::AdaptiveBind, ..LaPermPart::K20C }),
        bubble: Some(BubblePart::K20C),
        dats: Some(SMALL_DGB),
        ..TINY
    };
}

inline_tables! {
    /// Room for all others, with what sheets `modern` and `launch2` add.
    pub struct TinyModern = Config {
        n_smx: 6,
        bubble: Some(BubblePart::K20C),
        dats: Some(SMALL_DGB),
        cross: true,
        topology: Some(SINGLE),
        cluster: Some(ClusterPart::H100),
        priority: Some(PriorityPart { levels: 3 }),
        partition: Some(PartitionPart { contexts: 3, ..PartitionPart::TWO }),
        preempt: Some(PreemptPart { drain_max: 3, ..PreemptPart::FREE }),
        n_stream: 6,
        grids: 24,
        cdp2: Some(Cdp2Part::CUDA),
        pdl: Some(PdlPart { window: 3, ..PdlPart::CUDA }),
        kgraph: Some(SMALL_KGRAPHS),
        ..TINY
    };
}
/// The most and largest kernel graphs of these tests.
pub const SMALL_KGRAPHS: KgraphPart = KgraphPart { graphs: 3, nodes: 4, edges: 6, insts: 2, ..KgraphPart::FREE };
/// Six GPCs, the most that there are here.
const SINGLE: Topology = Topology {
    tpc_ends: SmxSet::from_words([0b11_1111, 0, 0, 0]),
    gpc_ends: SmxSet::from_words([0b11_1111, 0, 0, 0]),
    numbering: Numbering::Gpc,
    pair_only: SmxSet::EMPTY,
};

/// The machine of these tests: with exactly the rows that its configuration needs.
pub type Machine = FrontEnd<HeapTables>;

/// A machine of a random configuration.
pub fn machine(config: &Config) -> Machine {
    front_end(config).expect("random configurations are valid")
}

fn capacities() -> impl Strategy<Value = Config> {
    let smx = (1..=3u32, 1..=3u32, 2..=6u32, 0..=4u32, 0..=4u32, 1..=4u32);
    let launch = (1..=4u32, 1..=4u32, 1..=2u32, 1..=8u32, 0..=2u32, 0..=3u32);
    (smx, launch, select(vec![1u32, 2, 4])).prop_map(
        |(
            (n_smx, tb_slots, threads, regs, smem, warp),
            (n_hwq, n_kde, hwq_depth, pend_limit, susp_cap, sync_depth),
            agt_size,
        )| Config {
            n_smx,
            tb_slots,
            threads,
            regs,
            smem,
            warp,
            n_hwq,
            n_kde,
            hwq_depth,
            pend_limit,
            susp_cap,
            sync_depth,
            agt_size,
            ..Config::K20C.ideal()
        },
    )
}

/// Every way the sheet leaves open, and times: none, small, or now and then huge.
pub fn configs() -> impl Strategy<Value = Config> {
    let time = prop_oneof![20 => 0..=4u32, 1 => Just(u32::MAX)];
    let launch = (0..=4u32, 0..=4u32, 0..=3u32, 0..=4u32, 0..=3u32, time.clone());
    let ahead = prop_oneof![2 => Just(0u32), 3 => 1..=3u32];
    let rest = (1..=3u32, 0..=2u32, 0..=2u32, time, 0..=2u32, 0..=3u32, ahead);
    let ways = (
        select(vec![KmuArb::Fcfs, KmuArb::Rr]),
        select(vec![HashScope::Smx, HashScope::Global]),
        prop_oneof![3 => Just(AgtMiss::Spill), 1 => Just(AgtMiss::Device)],
        select(vec![Fallback::Direct, Fallback::Full]),
        select(vec![LoadMode::Fixed, LoadMode::External]),
        any::<bool>(),
        prop::bool::weighted(0.2),
        any::<bool>(),
    );
    (capacities(), launch, rest, ways).prop_map(|(base, launch, rest, ways)| {
        let (kmu_arb, hash_scope, agt_miss, fallback, load_mode, pass_capped, exclusive, ideal) = ways;
        let (kmu_interval, kde_scan, agt_probe, load_cycles, turn_groups, n_class, load_ahead) = rest;
        let base = Config {
            kmu_arb,
            hash_scope,
            agt_miss,
            fallback,
            load_mode,
            pass_capped,
            exclusive,
            load_cycles,
            load_ahead,
            turn_groups,
            n_class,
            ..base
        };
        if ideal {
            return base;
        }
        let (lat_stream, gpb_b, gpb_a, ld_b, ld_a, lat_dispatch) = launch;
        Config { lat_stream, gpb_b, gpb_a, ld_b, ld_a, lat_dispatch, kmu_interval, kde_scan, agt_probe, ..base }
    })
}

/// Every way of the occupancy-bubble controller, with samples that come soon.
fn bubbles() -> impl Strategy<Value = BubblePart> {
    let numbers = (0..=4u32, 1..=5u32, 1..=3u32, 1..=3u32, 1..=2u32);
    let retriggers = select(vec![Retrigger::Level, Retrigger::Rearm, Retrigger::Once]);
    let flags = (prop::bool::weighted(0.9), any::<[bool; 5]>(), retriggers);
    (numbers, flags).prop_map(|(numbers, (enabled, flags, retrigger))| {
        let (t_num, sample_cycles, drain_samples, transition_samples, gpu_idle_samples) = numbers;
        let [inclusive, draining, gpu_level, resume_draining, resume_hold] = flags;
        BubblePart {
            t_num,
            t_den: 4,
            sample_cycles,
            drain_samples,
            transition_samples,
            gpu_idle_samples,
            enabled,
            inclusive,
            draining,
            gpu_level,
            retrigger,
            resume_draining,
            resume_hold,
            ..BubblePart::K20C
        }
    })
}

/// The controller counts whole warps, and no time is so far that its samples would not end before.
fn with_bubble(config: Config, bubble: BubblePart) -> Config {
    Config {
        threads: config.threads.next_multiple_of(config.warp),
        lat_dispatch: config.lat_dispatch.min(4),
        load_cycles: config.load_cycles.min(4),
        bubble: Some(bubble),
        ..config
    }
}

/// [`configs`] with an occupancy-bubble controller.
pub fn bubble_configs() -> impl Strategy<Value = Config> {
    (configs(), bubbles()).prop_map(|(config, bubble)| with_bubble(config, bubble))
}

/// [`configs`] under LaPerm, in every way that it has; some with an occupancy-bubble controller.
pub fn laperm_configs() -> impl Strategy<Value = Config> {
    use laperm::{BackupSelect, Model, NoFit, Policy as Order, RefillMode, Spill, Visit};
    let numbers = (1..=3u32, 1..=3u32, 1..=3u32, 0..=2u32, 0..=2u32, 0..=2u32, 0..=3u32);
    let ways = (
        select(vec![Order::Rr, Order::TbPri, Order::SmxBind, Order::AdaptiveBind, Order::AdaptiveBind]),
        select(vec![Model::Dtbl, Model::Dtbl, Model::Cdp]),
        select(vec![Visit::Step, Visit::Skip]),
        select(vec![NoFit::Block, NoFit::TryNext]),
        select(vec![Spill::New, Spill::Lowest]),
        select(vec![BackupSelect::Next, BackupSelect::Lowest, BackupSelect::HighestPrio]),
        any::<bool>(),
        select(vec![RefillMode::Fixed, RefillMode::Fixed, RefillMode::External]),
    );
    let bubble = prop::option::weighted(0.4, bubbles());
    (configs(), numbers, ways, bubble).prop_map(|(config, numbers, ways, bubble)| {
        let (cluster, levels, queue_cap, q0_more, pool_more, backup_limit, refill_cycles) = numbers;
        let (policy, model, visit, no_fit, spill, backup_select, charge_insert, refill_mode) = ways;
        let part = LaPermPart {
            cluster: cluster.min(config.n_smx),
            levels,
            queue_cap,
            q0_cap: config.n_kde + q0_more,
            pool_cap: config.pend_limit + config.n_kde + pool_more,
            backup_limit,
            refill_cycles,
            policy,
            model,
            visit,
            no_fit,
            spill,
            backup_select,
            charge_insert,
            refill_mode,
        };
        let config = Config {
            policy: Policy::LaPerm(part),
            turn_groups: 0,
            load_mode: LoadMode::Fixed,
            load_ahead: 0,
            agt_miss: AgtMiss::Spill,
            ..config
        };
        bubble.map_or(config, |bubble| with_bubble(config, bubble))
    })
}

/// Small buffers, in every way that they have.
fn dats() -> impl Strategy<Value = DatsPart> {
    let numbers = (2..=8u32, 2..=16u32, 0..=6u32, select(vec![8u32, 8, 16, 32]));
    let ways =
        (select(vec![Prefetch::ChunkFree, Prefetch::Eager]), select(vec![LevelRef::Incomplete, LevelRef::Active]));
    let flags = (prop::bool::weighted(0.3), any::<bool>());
    (numbers, ways, flags).prop_map(|(numbers, (prefetch, level_ref), (issue_needs_edges, spill))| {
        let (lna, lea, pub_entries, chunk_bytes) = numbers;
        let lna = lna.max(chunk_bytes / 8 + 1);
        DatsPart { lna, lea, pub_entries, chunk_bytes, prefetch, level_ref, issue_needs_edges, spill }
    })
}

/// [`configs`] with a dependency-graph buffer, some with an occupancy-bubble controller.
pub fn graph_configs() -> impl Strategy<Value = Config> {
    let configs = with_dats(prop_oneof![2 => configs().boxed(), 1 => bubble_configs().boxed()]);
    // On most of them two kernels can share a graph.
    (configs, prop::bool::weighted(0.8)).prop_map(|(config, cross)| Config { cross, ..config })
}

/// SMXs in GPCs of all sizes, some of them for pairs only.
pub fn topologies(n_smx: u32) -> impl Strategy<Value = Topology> {
    let ends = (0..1u64 << (n_smx - 1), 0..1u64 << (n_smx - 1));
    let pair_only = prop_oneof![3 => Just(0), 1 => 0..1u64 << n_smx];
    let numbering = select(vec![Numbering::Gpc, Numbering::Interleaved]);
    (ends, numbering, pair_only).prop_map(move |((tpcs, gpcs), numbering, pair_only)| {
        // The last SMX ends a TPC and a GPC, and a GPC ends where a TPC does.
        let last = 1 << (n_smx - 1);
        let set = |word: u64| SmxSet::from_words([word | last, 0, 0, 0]);
        let pair_only = SmxSet::from_words([pair_only, 0, 0, 0]);
        Topology { tpc_ends: set(tpcs | gpcs), gpc_ends: set(gpcs), numbering, pair_only }
    })
}

/// Clusters, priorities, contexts, draining and saving, each in every way or not at all.
fn with_modern(base: Config) -> impl Strategy<Value = Config> {
    let cost = || prop_oneof![2 => Just(0u32), 2 => 1..=3u32];
    let cluster = (1..=3u32, 0..=3u32, select(vec![Fill::Spread, Fill::Pack]), any::<[bool; 2]>());
    let cluster = cluster.prop_map(|(portable, more, fill, [most_room, pass_cluster])| ClusterPart {
        portable,
        largest: portable + more,
        fill,
        gpc_order: if most_room { GpcOrder::MostRoom } else { GpcOrder::Rr },
        pass_cluster,
    });
    let partition = (1..=3u32, prop_oneof![4 => Just(1u32), 1 => Just(2)], 1..=2u32, prop::bool::weighted(0.3));
    let partition =
        partition.prop_map(|(contexts, min_set, align, mig)| PartitionPart { contexts, min_set, align, mig });
    let preempt = (0..=3u32, cost(), cost(), cost(), cost());
    let preempt = preempt.prop_map(|(drain_max, save_base, save_bytes, restore_base, restore_bytes)| PreemptPart {
        drain_max,
        save_base,
        save_bytes,
        restore_base,
        restore_bytes,
    });
    let some = |weight| prop::bool::weighted(weight);
    let which = (some(0.8), some(0.7), some(0.7), some(0.7), some(0.7));
    (topologies(base.n_smx), cluster, 1..=3u32, partition, preempt, which).prop_map(
        move |(
            topology,
            cluster,
            levels,
            partition,
            preempt,
            (has_topology, clusters, priorities, contexts, preempts),
        )| {
            let partition = PartitionPart { mig: partition.mig && has_topology, ..partition };
            Config {
                topology: has_topology.then_some(topology),
                // The controller's sample asks for one TB (modern, Purpose).
                cluster: (clusters && has_topology && base.bubble.is_none()).then_some(cluster),
                priority: priorities.then_some(PriorityPart { levels }),
                partition: contexts.then_some(partition),
                preempt: preempts.then_some(preempt),
                n_stream: 6,
                ..base
            }
        },
    )
}

/// Machines of up to six SMXs with what sheet `modern` adds, some with a dependency-graph buffer, a few with an occupancy-bubble
/// controller.
pub fn modern_configs() -> impl Strategy<Value = Config> {
    let base = prop_oneof![4 => configs().boxed(), 3 => graph_configs().boxed(), 1 => bubble_configs().boxed()];
    (base, 1..=6u32).prop_map(|(base, n_smx)| Config { n_smx, ..base }).prop_flat_map(with_modern)
}

/// Machines with what sheet `launch2` adds.
pub fn grid_configs() -> impl Strategy<Value = Config> {
    with_grids(prop_oneof![4 => configs().boxed(), 1 => graph_configs().boxed(), 2 => modern_configs().boxed()])
}

/// The same with named streams, shallow and deep, programmatic dependents, kernel graphs, or some of these. Some have few grids.
pub fn with_grids(base: impl Strategy<Value = Config>) -> impl Strategy<Value = Config> {
    let time = || prop_oneof![20 => 0..=4u32, 1 => Just(u32::MAX)];
    let cdp2 = (1..=4u32, time(), any::<[bool; 2]>()).prop_map(|(max_depth, lat_tail, [is_level, holds])| Cdp2Part {
        max_depth,
        lat_tail,
        tail_depth: if is_level { TailDepth::Same } else { TailDepth::Child },
        pend_hold: if holds { PendHold::Complete } else { PendHold::Issue },
    });
    let pdl = (2..=3u32, prop::bool::weighted(0.8)).prop_map(|(window, allows)| PdlPart {
        window,
        late_launch: if allows { LateLaunch::Allow } else { LateLaunch::Refuse },
    });
    let costs = prop_oneof![1 => Just([0; 4]), 1 => (time(), 0..=4u32, 0..=2u32, 0..=4u32).prop_map(|(a, b, c, d)| [a, b, c, d])];
    let kgraph = (1..=3u32, 1..=4u32, 0..=6u32, 1..=2u32, costs).prop_map(|(graphs, nodes, edges, insts, costs)| {
        let [lat_kernel, lat_graph, lat_node, lat_edge] = costs;
        KgraphPart { graphs, nodes, edges, insts, lat_kernel, lat_graph, lat_node, lat_edge }
    });
    let parts = (1..8u8, cdp2, pdl, kgraph, prop_oneof![1 => 1..=4u32, 3 => Just(24u32)]);
    let flush = prop_oneof![2 => Just(0u32), 2 => 1..=4u32, 1 => 5..=40u32];
    (base, parts, flush).prop_map(|(base, (which, cdp2, pdl, kgraph, grids), flush_cycles)| {
        // A controller's samples cannot be skipped, so that nothing waits for long beside one.
        let least = if base.bubble.is_some() { 9 } else { u32::MAX };
        let cdp2 = Cdp2Part { lat_tail: cdp2.lat_tail.min(least), ..cdp2 };
        let kgraph = KgraphPart { lat_kernel: kgraph.lat_kernel.min(least), ..kgraph };
        let is = |bit: u8| which >> bit & 1 == 1;
        Config {
            grids,
            flush_cycles,
            cdp2: is(0).then_some(cdp2),
            pdl: is(1).then_some(pdl),
            kgraph: is(2).then_some(kgraph),
            ..base
        }
    })
}

/// [`laperm_configs`] with a dependency-graph buffer.
pub fn laperm_graph_configs() -> impl Strategy<Value = Config> {
    with_dats(laperm_configs())
}

fn with_dats(configs: impl Strategy<Value = Config>) -> impl Strategy<Value = Config> {
    (configs, dats(), any::<bool>()).prop_map(|(base, dats, pass_graph)| Config {
        dats: Some(dats),
        pass_graph,
        ..base
    })
}
