//! LaPerm, the occupancy-bubble controller and the dependency-graph buffer out of a fuzzer's bytes, alone and as parts of a front end;
//! and Equalizer.

use arbitrary::Result;
use gpusched::dats::{DgbConfig, LevelRef, Prefetch};
use gpusched::equalizer::{Average, FmConfig, HystMode, Idle, Majority, Objective, Pick, SmConfig, VfMap, XmemRule};
use gpusched::laperm::{self, BackupSelect, Model, NoFit, Policy, RefillMode, Spill, Visit};
use gpusched::power::{BubbleConfig, Retrigger};
use gpusched::{
    AgtMiss, BubblePart, Cdp2Part, ClusterPart, Config, DatsPart, Fill, GpcOrder, KgraphPart, LaPermPart, LateLaunch,
    LoadMode, Numbering, PartitionPart, PdlPart, PendHold, PreemptPart, PriorityPart, Rescue, SmxSet, TailDepth,
    ToldPart, Topology, Units,
};

use crate::bytes::{Bytes, number};

/// A tiny LaPerm, on which every queue is soon full.
pub fn laperm(u: Bytes) -> Result<laperm::Config> {
    let smxs = u.int_in_range(1..=5)?;
    let part = LaPermPart { q0_cap: u.int_in_range(1..=3)?, pool_cap: u.int_in_range(0..=5)?, ..ways(u, smxs)? };
    Ok(laperm::Config {
        smxs,
        kdu_entries: u.int_in_range(1..=4)?,
        kmu_dispatch_cycles: u.int_in_range(0..=3)?,
        smx_threads: u.int_in_range(2..=6)?,
        smx_regs: u.int_in_range(2..=6)?,
        smx_smem: u.int_in_range(2..=6)?,
        smx_slots: u.int_in_range(1..=3)?,
        ..part.machine(&Config::K20C)
    })
}

/// A front end under LaPerm, with hardly more room than it must have.
pub fn under_laperm(u: Bytes, front: Config) -> Result<Config> {
    let part = LaPermPart {
        q0_cap: front.n_kde + u.int_in_range(0..=2)?,
        pool_cap: front.pend_limit + front.n_kde + u.int_in_range(0..=2)?,
        ..ways(u, front.n_smx)?
    };
    Ok(Config {
        policy: gpusched::Policy::LaPerm(part),
        turn_groups: 0,
        load_mode: LoadMode::Fixed,
        load_ahead: 0,
        agt_miss: AgtMiss::Spill,
        ..front
    })
}

/// A front end whose host decides.
pub fn under_host(u: Bytes, front: Config) -> Result<Config> {
    let stall_limit = u.int_in_range(0..=4)?;
    let units = *u.choose(&[Units::Chain, Units::Free])?;
    let part = ToldPart {
        dispatch_per_cycle: u.int_in_range(1..=3)?,
        stall_limit,
        units,
        split_cap: if units == Units::Free { u.int_in_range(0..=3)? } else { 0 },
        rescue: if stall_limit > 0 { *u.choose(&[Rescue::None, Rescue::Rr])? } else { Rescue::None },
    };
    let front = Config { policy: gpusched::Policy::Told(part), load_ahead: 0, ..front };
    if part.units == Units::Chain {
        return Ok(front);
    }
    Ok(Config { turn_groups: 0, load_mode: LoadMode::Fixed, agt_miss: AgtMiss::Spill, ..front })
}

/// Every way that LaPerm has, on so many SMXs.
fn ways(u: Bytes, smxs: u32) -> Result<LaPermPart> {
    Ok(LaPermPart {
        cluster: u.int_in_range(1..=smxs)?,
        levels: u.int_in_range(1..=4)?,
        queue_cap: u.int_in_range(1..=3)?,
        backup_limit: u.int_in_range(0..=2)?,
        refill_cycles: u.int_in_range(0..=3)?,
        policy: *u.choose(&[Policy::AdaptiveBind, Policy::SmxBind, Policy::TbPri, Policy::Rr])?,
        model: *u.choose(&[Model::Dtbl, Model::Cdp])?,
        visit: *u.choose(&[Visit::Step, Visit::Skip])?,
        no_fit: *u.choose(&[NoFit::Block, NoFit::TryNext])?,
        spill: *u.choose(&[Spill::New, Spill::Lowest])?,
        backup_select: *u.choose(&[BackupSelect::Next, BackupSelect::Lowest, BackupSelect::HighestPrio])?,
        charge_insert: u.arbitrary()?,
        refill_mode: *u.choose(&[RefillMode::Fixed, RefillMode::External])?,
        ..LaPermPart::K20C
    })
}

/// A controller of a few small SMXs, at any powers.
pub fn bubble(u: Bytes) -> Result<BubbleConfig> {
    let warp_size = u.int_in_range(1..=4)?;
    Ok(BubbleConfig {
        smxs: u.int_in_range(1..=5)?,
        warp_size,
        smx_threads: warp_size * u.int_in_range(1..=8)?,
        smx_regs: u.int_in_range(1..=8)?,
        smx_smem: u.int_in_range(0..=4)?,
        smx_slots: u.int_in_range(1..=6)?,
        ..controller(u)?.machine(&Config::K20C)
    })
}

/// A front end with a controller, whose SMXs hold whole warps.
pub fn with_bubbles(u: Bytes, front: Config) -> Result<Config> {
    let threads = front.threads.next_multiple_of(front.warp);
    Ok(Config { threads, bubble: Some(controller(u)?), ..front })
}

/// A controller that samples soon, at any powers.
fn controller(u: Bytes) -> Result<BubblePart> {
    let t_den = u.int_in_range(1..=4)?;
    let (v_high_mv, f_high_mhz) = (u.int_in_range(1..=5000)?, u.int_in_range(1..=5000)?);
    Ok(BubblePart {
        t_num: u.int_in_range(0..=t_den)?,
        t_den,
        sample_cycles: u.int_in_range(1..=4)?,
        drain_samples: u.int_in_range(1..=3)?,
        transition_samples: u.int_in_range(1..=3)?,
        gpu_idle_samples: u.int_in_range(1..=3)?,
        v_high_mv,
        v_low_mv: u.int_in_range(1..=v_high_mv)?,
        f_high_mhz,
        f_low_mhz: u.int_in_range(1..=f_high_mhz)?,
        leak_exp: u.int_in_range(0..=3)?,
        p_leak_mw: number(u)?.min(1_000_000),
        p_idle_mw: number(u)?.min(1_000_000),
        p_dyn_mw: number(u)?.min(1_000_000),
        p_uncore_mw: number(u)?.min(1_000_000),
        retrigger: *u.choose(&[Retrigger::Rearm, Retrigger::Level, Retrigger::Once])?,
        enabled: !u.ratio(1, 16)?,
        inclusive: u.arbitrary()?,
        draining: u.arbitrary()?,
        gpu_level: u.arbitrary()?,
        resume_draining: u.arbitrary()?,
        resume_hold: u.arbitrary()?,
    })
}

/// A buffer that is soon full.
pub fn dgb(u: Bytes) -> Result<DgbConfig> {
    Ok(DgbConfig { smxs: u.int_in_range(1..=5)?, ..dats(u)?.machine(&Config::K20C) })
}

/// A front end with a buffer.
pub fn with_graphs(u: Bytes, front: Config) -> Result<Config> {
    Ok(Config { dats: Some(dats(u)?), cross: front.laperm().is_none(), pass_graph: u.arbitrary()?, ..front })
}

fn dats(u: Bytes) -> Result<DatsPart> {
    let (chunk_nodes, prefetch) = (u.int_in_range(1..=4)?, *u.choose(&[Prefetch::ChunkFree, Prefetch::Eager])?);
    let least = if prefetch == Prefetch::ChunkFree { chunk_nodes + 1 } else { 1 };
    Ok(DatsPart {
        lna: u.int_in_range(least..=least + 5)?,
        lea: u.int_in_range(1..=10)?,
        pub_entries: u.int_in_range(0..=4)?,
        chunk_bytes: 8 * chunk_nodes,
        prefetch,
        level_ref: *u.choose(&[LevelRef::Incomplete, LevelRef::Active])?,
        issue_needs_edges: u.arbitrary()?,
        spill: u.arbitrary()?,
    })
}

/// Launches into named streams, programmatic dependents, kernel graphs, or some of these, now and then on a machine with few grids.
pub fn with_grids(u: Bytes, front: Config) -> Result<Config> {
    let cdp2 = Cdp2Part {
        max_depth: u.int_in_range(1..=3)?,
        lat_tail: u.int_in_range(0..=3)?,
        tail_depth: *u.choose(&[TailDepth::Child, TailDepth::Same])?,
        pend_hold: *u.choose(&[PendHold::Issue, PendHold::Complete])?,
    };
    let pdl =
        PdlPart { window: u.int_in_range(2..=3)?, late_launch: *u.choose(&[LateLaunch::Allow, LateLaunch::Refuse])? };
    let kgraph = KgraphPart {
        graphs: u.int_in_range(1..=3)?,
        nodes: u.int_in_range(1..=4)?,
        edges: u.int_in_range(0..=6)?,
        insts: u.int_in_range(1..=2)?,
        lat_kernel: u.int_in_range(0..=2)?,
        lat_graph: u.int_in_range(0..=2)?,
        lat_node: u.int_in_range(0..=1)?,
        lat_edge: u.int_in_range(0..=2)?,
    };
    let which: u8 = u.int_in_range(1..=7)?;
    let is = |bit: u8| which >> bit & 1 == 1;
    Ok(Config {
        grids: if u.arbitrary()? { u.int_in_range(1..=4)? } else { 24 },
        flush_cycles: u.int_in_range(0..=3)?,
        cdp2: is(0).then_some(cdp2),
        pdl: is(1).then_some(pdl),
        kgraph: is(2).then_some(kgraph),
        ..front
    })
}

/// A small SM with short epochs.
pub fn equalizer_sm(u: Bytes) -> Result<SmConfig> {
    let (sample_interval, max_blocks) = (u.int_in_range(1..=4)?, u.int_in_range(1..=6)?);
    let picks = [Pick::Youngest, Pick::Oldest];
    Ok(SmConfig {
        max_warps: u.int_in_range(1..=12)?,
        max_blocks,
        sample_interval,
        epoch_cycles: sample_interval * u.int_in_range(1..=4)?,
        counter_bits: u.int_in_range(6..=32)?,
        bw_threshold: u.int_in_range(0..=4)?,
        hysteresis: u.int_in_range(1..=3)?,
        min_blocks: u.int_in_range(1..=max_blocks)?,
        watchdog: u.int_in_range(0..=3)?,
        alu_inclusive: u.arbitrary()?,
        average: *u.choose(&[Average::Exact, Average::Floor])?,
        hyst_mode: *u.choose(&[HystMode::Same, HystMode::Any])?,
        objective: *u.choose(&[Objective::Energy, Objective::Performance])?,
        vf_map: *u.choose(&[VfMap::TABLE, VfMap::PRINTED])?,
        pause_pick: *u.choose(&picks)?,
        unpause_pick: *u.choose(&picks)?,
        xmem_rule: *u.choose(&[XmemRule::Accept, XmemRule::Any])?,
        sync_active: u.arbitrary()?,
    })
}

/// A frequency manager of a few SMs.
pub fn equalizer_fm(u: Bytes) -> Result<FmConfig> {
    Ok(FmConfig {
        sms: u.int_in_range(1..=4)?,
        sm_transition: u.int_in_range(0..=6)?,
        mem_transition: u.int_in_range(0..=6)?,
        quorum: u.int_in_range(0..=3)?,
        step_permille: u.int_in_range(1..=999)?,
        majority: *u.choose(&[Majority::Strict, Majority::Plurality])?,
        idle: *u.choose(&[Idle::Hold, Idle::Relax])?,
    })
}

/// With any of what sheet `modern` adds.
pub fn with_modern(u: Bytes, front: Config) -> Result<Config> {
    let cost = |u: Bytes| if u.arbitrary()? { Ok(0) } else { number(u) };
    let last = 1 << (front.n_smx - 1);
    let gpc_ends = u.int_in_range(0..=last)? | last;
    let tpc_ends = u.int_in_range(0..=last)? | gpc_ends;
    let set = |word: u64| SmxSet::from_words([word & (2 * last - 1), 0, 0, 0]);
    let numbering = *u.choose(&[Numbering::Gpc, Numbering::Interleaved])?;
    let pair_only = set(u.int_in_range(0..=last)?);
    let portable = u.int_in_range(1..=3)?;
    let cluster = ClusterPart {
        portable,
        largest: portable + u.int_in_range(0..=2)?,
        fill: *u.choose(&[Fill::Spread, Fill::Pack])?,
        gpc_order: *u.choose(&[GpcOrder::Rr, GpcOrder::MostRoom])?,
        pass_cluster: u.arbitrary()?,
    };
    let partition = PartitionPart {
        contexts: u.int_in_range(1..=3)?,
        min_set: u.int_in_range(1..=2)?,
        align: u.int_in_range(1..=2)?,
        mig: u.ratio(1, 4)?,
    };
    let preempt = PreemptPart {
        drain_max: u.int_in_range(0..=3)?,
        save_base: cost(u)?,
        save_bytes: cost(u)?,
        restore_base: cost(u)?,
        restore_bytes: cost(u)?,
    };
    Ok(Config {
        n_stream: 3,
        topology: Some(Topology { tpc_ends: set(tpc_ends), gpc_ends: set(gpc_ends), numbering, pair_only }),
        cluster: u.arbitrary::<bool>()?.then_some(cluster),
        priority: if u.arbitrary()? { Some(PriorityPart { levels: u.int_in_range(1..=3)? }) } else { None },
        partition: u.arbitrary::<bool>()?.then_some(partition),
        preempt: u.arbitrary::<bool>()?.then_some(preempt),
        ..front
    })
}
