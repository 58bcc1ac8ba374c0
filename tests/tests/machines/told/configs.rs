//! Random machines whose host decides.

use gpusched::{AgtMiss, Config, LoadMode, Policy, Rescue, ToldPart, Units};
use proptest::prelude::*;
use proptest::sample::select;

use crate::properties::configs::{bubble_configs, configs, graph_configs, with_grids};

/// Everything that a front end may be composed of but LaPerm.
pub fn bases() -> impl Strategy<Value = Config> {
    prop_oneof![3 => configs().boxed(), 1 => bubble_configs().boxed(), 2 => graph_configs().boxed()]
}

/// A host decides on `base`, with what its units rule out switched off.
pub fn with_host(base: Config, part: ToldPart) -> Config {
    let base = Config { policy: Policy::Told(part), load_ahead: 0, ..base };
    match part.units {
        Units::Chain => base,
        Units::Free => Config { turn_groups: 0, load_mode: LoadMode::Fixed, agt_miss: AgtMiss::Spill, ..base },
    }
}

/// [`bases`] with every way to agree with a host.
pub fn told_configs() -> impl Strategy<Value = Config> {
    with_hosts(bases())
}

/// The same with what sheet `launch2` adds.
pub fn told_grid_configs() -> impl Strategy<Value = Config> {
    with_hosts(with_grids(bases()))
}

fn with_hosts(bases: impl Strategy<Value = Config>) -> impl Strategy<Value = Config> {
    let sends = prop_oneof![3 => Just(1u32), 2 => 2..=3u32, 1 => Just(64)];
    let limits = prop_oneof![2 => Just(0u32), 4 => 1..=4u32, 1 => Just(u32::MAX)];
    // Chains are not split.
    let free = select(vec![0, 1, 2, 5, 70]).prop_map(|split_cap| (Units::Free, split_cap));
    let ways = (prop_oneof![Just((Units::Chain, 0)), free], any::<bool>());
    (bases, sends, limits, ways).prop_map(|(base, dispatch_per_cycle, stall_limit, ((units, split_cap), rescues))| {
        let rescue = if rescues && stall_limit > 0 { Rescue::Rr } else { Rescue::None };
        with_host(base, ToldPart { units, dispatch_per_cycle, stall_limit, rescue, split_cap })
    })
}
