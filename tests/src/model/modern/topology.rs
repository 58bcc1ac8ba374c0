//! modern-Y1: where SMXs lie.

use gpusched::{Fault, Numbering, Topology};

use super::members;
use crate::model::Model;

/// Of each GPC the sizes of its TPCs.
fn sizes(topology: &Topology) -> Vec<Vec<usize>> {
    let (tpc_ends, gpc_ends) = (members(topology.tpc_ends.words()), members(topology.gpc_ends.words()));
    let (mut gpcs, mut gpc, mut start) = (Vec::new(), Vec::new(), 0);
    for end in tpc_ends {
        gpc.push(end + 1 - start);
        start = end + 1;
        if gpc_ends.contains(&end) {
            gpcs.push(std::mem::take(&mut gpc));
        }
    }
    gpcs
}

/// What a machine with so many SMXs asks: GPCs of whole TPCs, and as many SMXs.
pub(in crate::model) fn check(topology: &Topology, n_smx: u32) -> Result<(), Fault> {
    let (tpc_ends, gpc_ends) = (members(topology.tpc_ends.words()), members(topology.gpc_ends.words()));
    let are_whole = gpc_ends.iter().all(|end| tpc_ends.contains(end)) && gpc_ends.last() == tpc_ends.last();
    let Some(last) = gpc_ends.last().filter(|_| are_whole) else { return Err(Fault::BadConfig) };
    if members(topology.pair_only.words()).iter().any(|s| s > last) {
        return Err(Fault::BadConfig);
    }
    if *last + 1 == n_smx as usize { Ok(()) } else { Err(Fault::TopologySize) }
}

/// The SMXs of each GPC, and of each TPC in the order of their numbers.
pub(super) fn lay_out(topology: &Topology) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let sizes = sizes(topology);
    let most = sizes.iter().map(Vec::len).max().unwrap_or(0);
    // GPC and size of each TPC, in the order in which SMXs are numbered.
    let in_order: Vec<(usize, usize)> = match topology.numbering {
        Numbering::Gpc => (0..sizes.len()).flat_map(|g| sizes[g].iter().map(move |&size| (g, size))).collect(),
        Numbering::Interleaved => {
            let sizes = &sizes;
            let nth_of_each = |t| (0..sizes.len()).filter_map(move |g| Some((g, *sizes[g].get(t)?)));
            (0..most).flat_map(nth_of_each).collect()
        }
    };
    let (mut gpcs, mut tpcs, mut next) = (vec![Vec::new(); sizes.len()], Vec::new(), 0);
    for (g, size) in in_order {
        let smxs: Vec<usize> = (next..next + size).collect();
        next += size;
        gpcs[g].extend(&smxs);
        tpcs.push(smxs);
    }
    (gpcs, tpcs)
}

impl Model {
    pub(in crate::model) fn gpc_of(&self, s: u32) -> Result<u32, Fault> {
        if self.config.topology.is_none() {
            return Err(Fault::NoTopology);
        }
        let g = self.modern.gpcs.iter().position(|smxs| smxs.contains(&(s as usize)));
        g.map(|g| g as u32).ok_or(Fault::BadSmx)
    }
}
