//! Parts of a configuration, there and back.

use gpusched::{Config, Numbering, Policy, SmxId, SmxSet, Topology};
use gpusched_abi::frontend::{gpusched_frontend_config, gpusched_numbering, gpusched_policy};

use super::{
    get_bubble, get_cdp2, get_cluster, get_dats, get_kgraph, get_laperm, get_partition, get_pdl, get_preempt,
    get_priority, get_told, put_bubble, put_cdp2, put_cluster, put_dats, put_kgraph, put_laperm, put_partition,
    put_pdl, put_preempt, put_priority, put_told,
};
use crate::through_c::records::{flag, one_of};

pub(super) fn put_by_hand(c: &mut gpusched_frontend_config, config: &Config) {
    (c.bubble, c.dats) = (config.bubble.is_some().into(), config.dats.is_some().into());
    c.policy = match config.policy {
        Policy::FcfsRr => gpusched_policy::FcfsRr,
        Policy::LaPerm(_) => gpusched_policy::LaPerm,
        Policy::Told(_) => gpusched_policy::Told,
    } as u32;
    put_told(c, &config.told().copied().unwrap_or_default());
    put_laperm(c, &config.laperm().copied().unwrap_or_default());
    put_bubble(c, &config.bubble.unwrap_or_default());
    put_dats(c, &config.dats.unwrap_or_default());
    (c.cluster, c.priority) = (config.cluster.is_some().into(), config.priority.is_some().into());
    (c.partition, c.preempt) = (config.partition.is_some().into(), config.preempt.is_some().into());
    put_cluster(c, &config.cluster.unwrap_or_default());
    put_priority(c, &config.priority.unwrap_or_default());
    put_partition(c, &config.partition.unwrap_or_default());
    put_preempt(c, &config.preempt.unwrap_or_default());
    c.cdp2 = config.cdp2.is_some().into();
    put_cdp2(c, &config.cdp2.unwrap_or_default());
    c.pdl = config.pdl.is_some().into();
    put_pdl(c, &config.pdl.unwrap_or_default());
    c.kgraph = config.kgraph.is_some().into();
    put_kgraph(c, &config.kgraph.unwrap_or_default());
    let topology = config.topology.unwrap_or_default();
    c.topology = config.topology.is_some().into();
    c.topology_numbering = match topology.numbering {
        Numbering::Gpc => gpusched_numbering::Gpc,
        Numbering::Interleaved => gpusched_numbering::Interleaved,
    } as u32;
    (c.topology_tpc_ends, c.topology_gpc_ends) = (halves(topology.tpc_ends), halves(topology.gpc_ends));
    c.topology_pair_only = halves(topology.pair_only);
}

/// The 256 bits of a set, 32 at a time.
fn halves(set: SmxSet) -> [u32; 8] {
    let mut halves = [0; 8];
    (0..256).filter(|s| set.contains(SmxId(*s))).for_each(|s| halves[usize::from(s) / 32] |= 1 << (s % 32));
    halves
}

/// The set with these bits.
fn whole(halves: &[u32; 8]) -> SmxSet {
    let mut set = SmxSet::EMPTY;
    (0..256).for_each(|s| set.set(SmxId(s), halves[usize::from(s) / 32] >> (s % 32) & 1 == 1));
    set
}

pub(super) fn get_by_hand(c: &gpusched_frontend_config, config: Config) -> Config {
    let policies = [
        (gpusched_policy::FcfsRr as u32, Policy::FcfsRr),
        (gpusched_policy::LaPerm as u32, Policy::LaPerm(get_laperm(c))),
        (gpusched_policy::Told as u32, Policy::Told(get_told(c))),
    ];
    let policy = one_of(c.policy, &policies);
    let (bubble, dats) = (flag(c.bubble).then(|| get_bubble(c)), flag(c.dats).then(|| get_dats(c)));
    let numberings = [
        (gpusched_numbering::Gpc as u32, Numbering::Gpc),
        (gpusched_numbering::Interleaved as u32, Numbering::Interleaved),
    ];
    let topology = flag(c.topology).then(|| Topology {
        tpc_ends: whole(&c.topology_tpc_ends),
        gpc_ends: whole(&c.topology_gpc_ends),
        numbering: one_of(c.topology_numbering, &numberings),
        pair_only: whole(&c.topology_pair_only),
    });
    let cluster = flag(c.cluster).then(|| get_cluster(c));
    let priority = flag(c.priority).then(|| get_priority(c));
    let partition = flag(c.partition).then(|| get_partition(c));
    let preempt = flag(c.preempt).then(|| get_preempt(c));
    let cdp2 = flag(c.cdp2).then(|| get_cdp2(c));
    let pdl = flag(c.pdl).then(|| get_pdl(c));
    let kgraph = flag(c.kgraph).then(|| get_kgraph(c));
    Config { policy, bubble, dats, topology, cluster, priority, partition, preempt, cdp2, pdl, kgraph, ..config }
}
