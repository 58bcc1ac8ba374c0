//! Which configurations the model refuses (`frontend`, Parameters; `modern`, Parameters).

use gpusched::{AgtMiss, Config, Fault, LaPermPart, LoadMode, Policy, Rescue, ToldPart, Units, laperm};

use super::modern::check_topology;
use super::{Model, grids};

/// `policy`, Parameters: what a host that decides rules out. It asks for loads itself, so nothing is loaded ahead.
fn check_told(config: &Config, part: &ToldPart) -> Result<(), Fault> {
    let is_in_range = (1..=64).contains(&part.dispatch_per_cycle);
    let is_rescue_in_vain = part.rescue == Rescue::Rr && part.stall_limit == 0;
    let is_in_range = is_in_range && part.split_cap <= 65_535;
    if !is_in_range || is_rescue_in_vain || config.load_ahead > 0 {
        return Err(Fault::BadConfig);
    }
    let rules_chains =
        config.turn_groups > 0 || config.load_mode == LoadMode::External || config.agt_miss == AgtMiss::Device;
    if part.units == Units::Chain && part.split_cap > 0 {
        return Err(Fault::FreeOnly);
    }
    if part.units == Units::Free && rules_chains { Err(Fault::ChainOnly) } else { Ok(()) }
}

/// Ranges, then what the policy rules out.
fn check(config: &Config) -> Result<(), Fault> {
    let alone = Config {
        policy: Policy::FcfsRr,
        bubble: None,
        dats: None,
        topology: None,
        cluster: None,
        priority: None,
        partition: None,
        preempt: None,
        cdp2: None,
        pdl: None,
        kgraph: None,
        cross: false,
        flush_cycles: 0,
        ..*config
    };
    alone.check().map_err(|_| Fault::BadConfig)?;
    // What an SMX holds is the front end's affair, whatever a machine alone allows.
    let usual = Config { regs: 65536, smem: 0, lat_dispatch: 0, ..alone };
    if let Some(part) = &config.bubble {
        part.machine(&usual).check().map_err(|_| Fault::BadConfig)?;
    }
    if let Some(part) = &config.dats {
        part.machine(&usual).check().map_err(|_| Fault::BadConfig)?;
    }
    if let Some(part) = config.told() {
        check_told(config, part)?;
    }
    if let Some(part) = config.laperm() {
        part.machine(&usual).check().map_err(|_| Fault::BadConfig)?;
        check_laperm(config, part)?;
    }
    check_modern(config)?;
    grids::check(config)
}

/// What LaPerm rules out.
fn check_laperm(config: &Config, part: &LaPermPart) -> Result<(), Fault> {
    let of_groups = part.model == laperm::Model::Dtbl;
    if config.turn_groups > 0 {
        Err(Fault::TurnWithLaperm)
    } else if config.load_mode == LoadMode::External {
        Err(Fault::LoadWithLaperm)
    } else if config.agt_miss == AgtMiss::Device {
        Err(Fault::AgtWithLaperm)
    } else if config.load_ahead > 0 {
        Err(Fault::AheadWithLaperm)
    } else if of_groups && part.q0_cap < config.n_kde {
        Err(Fault::Queue0TooSmall)
    } else if of_groups && part.pool_cap < config.pend_limit + config.n_kde {
        Err(Fault::PoolTooSmall)
    } else {
        Ok(())
    }
}

/// `modern`, Parameters: part by part, then what a part asks of others.
fn check_modern(config: &Config) -> Result<(), Fault> {
    // Under LaPerm, and under a host that decides, a part is refused by name, before its ranges are looked at.
    let by_policy = |laperm, told| match config.policy {
        Policy::FcfsRr => Ok(()),
        Policy::LaPerm(_) => Err(laperm),
        Policy::Told(_) => Err(told),
    };
    let ranges = |are_kept| if are_kept { Ok(()) } else { Err(Fault::BadConfig) };
    if let Some(topology) = &config.topology {
        check_topology(topology, config.n_smx)?;
    }
    if let Some(part) = &config.cluster {
        by_policy(Fault::ClusterWithLaperm, Fault::ClusterWithTold)?;
        ranges((1..=64).contains(&part.portable) && (part.portable..=64).contains(&part.largest))?;
    }
    if let Some(part) = &config.priority {
        by_policy(Fault::PriorityWithLaperm, Fault::PriorityWithTold)?;
        ranges((1..=64).contains(&part.levels))?;
    }
    if let Some(part) = &config.partition {
        by_policy(Fault::PartitionWithLaperm, Fault::PartitionWithTold)?;
        ranges((1..=64).contains(&part.contexts))?;
        ranges((1..=256).contains(&part.min_set) && (1..=256).contains(&part.align))?;
        // modern-P3: each context has queues of its own, and a queue has a number of 8 bits.
        ranges(part.contexts * config.n_hwq <= 256)?;
    }
    if let Some(part) = &config.preempt {
        by_policy(Fault::PreemptWithLaperm, Fault::PreemptWithTold)?;
        ranges(part.drain_max <= 64)?;
    }
    if config.cluster.is_some() && config.topology.is_none() {
        Err(Fault::NoTopology)
    } else if config.cluster.is_some() && config.bubble.is_some() {
        Err(Fault::ClusterWithBubble)
    } else if config.partition.is_some_and(|part| part.mig) && config.topology.is_none() {
        Err(Fault::NoTopology)
    } else {
        Ok(())
    }
}

impl Model {
    /// A machine with this configuration.
    ///
    /// # Errors
    /// The fault of a configuration that is refused.
    pub fn build(config: &Config) -> Result<Self, Fault> {
        check(config).map(|()| Self::new(config))
    }
}
