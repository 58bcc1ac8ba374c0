//! The model's clusters (modern-V5, modern-V7, modern-C1 to modern-C7, modern-S4).

use std::cmp::Reverse;

use gpusched::{Decision, Descriptor, Fault, Fill, GpcId, GpcOrder, KernelSlot, Sched, TbPlacement};

use super::{Member, members};
use crate::model::{Model, Ref, tbs_of, threads_of};

/// What a launch is, as far as clusters ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) enum Launched {
    Kernel,
    Graph,
    Group,
}

/// TBs that are sent together, by rank: what each is, and its blkid.
pub(super) struct Unit {
    cluster: u32,
    tbs: Vec<(u32, Ref, u32)>,
}

/// The dimensions that a launch gives to its clusters; none if it gives no cluster.
fn given(d: &Descriptor) -> Option<[u64; 3]> {
    let dims = [d.cluster.x, d.cluster.y, d.cluster.z].map(u64::from);
    (dims != [0; 3]).then_some(dims)
}

/// Those of a launch that was accepted: 1 x 1 x 1 is no cluster (modern-V5).
pub(in crate::model) fn dims(d: &Descriptor) -> [u32; 3] {
    given(d).unwrap_or([1; 3]).map(|n| n as u32)
}

/// TBs of a cluster; 1 without.
pub(in crate::model) fn size(d: &Descriptor) -> u32 {
    dims(d).into_iter().product()
}

/// modern-C5: the index in the grid of rank `r` of cluster `c`.
fn block(d: &Descriptor, c: u32, r: u32) -> u32 {
    let [cx, cy, cz] = dims(d);
    let (clusters_x, clusters_y) = (d.grid.x / cx, d.grid.y / cy);
    let x = c % clusters_x * cx + r % cx;
    let y = c / clusters_x % clusters_y * cy + r / cx % cy;
    let z = c / clusters_x / clusters_y * cz + r / cx / cy;
    x + d.grid.x * (y + d.grid.y * z)
}

impl Model {
    // ---- modern-V5, modern-V7

    pub(in crate::model) fn check_cluster(&self, d: &Descriptor, launched: Launched) -> Result<(), Fault> {
        let Some(dims) = given(d) else { return Ok(()) };
        if self.config.cluster.is_none() {
            return Err(Fault::NoClusters);
        }
        match launched {
            Launched::Group => return Err(Fault::ClusterGroup),
            Launched::Graph => return Err(Fault::ClusterGraph),
            Launched::Kernel => {}
        }
        self.check_cluster_size(d)?;
        let grid = [d.grid.x, d.grid.y, d.grid.z].map(u64::from);
        let is_multiple = grid.into_iter().zip(dims).all(|(tbs, of)| tbs.is_multiple_of(of));
        if is_multiple { Ok(()) } else { Err(Fault::ClusterGrid) }
    }

    /// What is asked of a cluster alone.
    fn check_cluster_size(&self, d: &Descriptor) -> Result<(), Fault> {
        let part = self.config.cluster.ok_or(Fault::NoClusters)?;
        let most = if d.cluster.nonportable == 0 { part.portable } else { part.largest };
        match given(d).map_or(1, |dims| dims.into_iter().product::<u64>()) {
            0 => Err(Fault::EmptyCluster),
            size if size > u64::from(most) => Err(Fault::ClusterTooBig),
            _ => Ok(()),
        }
    }

    /// modern-V7.
    pub(in crate::model) fn check_reach(&self, d: &Descriptor, c: usize) -> Result<(), Fault> {
        if size(d) == 1 {
            return Ok(());
        }
        let threads = u64::from(size(d)) * u64::from(threads_of(d));
        let is_over = self.limit(c).is_some_and(|limit| threads > limit);
        if is_over || self.reach(d, c).is_empty() { Err(Fault::ClusterNever) } else { Ok(()) }
    }

    // ---- modern-C6, modern-C7

    /// The TBs that an empty SMX can hold.
    fn tbs_per_empty_smx(&self, d: &Descriptor) -> u32 {
        let config = &self.config;
        let of = |has: u32, takes: u32| has.checked_div(takes).unwrap_or(u32::MAX);
        let room = [of(config.threads, threads_of(d)), of(config.regs, d.regs), of(config.smem, d.smem)];
        room.into_iter().fold(config.tb_slots, u32::min)
    }

    /// modern-C8: whether TBs of a kernel may be on an SMX at all.
    fn is_large_enough(&self, s: usize, d: &Descriptor) -> bool {
        let pair_only = self.config.topology.map(|topology| members(topology.pair_only.words())).unwrap_or_default();
        size(d) <= 2 || !pair_only.contains(&s)
    }

    /// The clusters that the SMXs of a GPC that are a context's can hold if they are empty.
    fn clusters_in(&self, gpc: &[usize], d: &Descriptor, c: usize) -> u32 {
        let is_for_it = |s: usize| self.smxs_of(c).contains(&s) && self.is_large_enough(s, d);
        let smxs = gpc.iter().filter(|s| is_for_it(**s)).count() as u32;
        smxs * self.tbs_per_empty_smx(d) / size(d)
    }

    /// modern-C6: where a kernel of a context may be at all.
    pub(in crate::model) fn reach(&self, d: &Descriptor, c: usize) -> Vec<usize> {
        let mut reach = self.smxs_of(c).to_vec();
        if size(d) > 1 {
            let holds = |s: &usize| {
                let gpc =
                    self.modern.gpcs.iter().find(|gpc| gpc.contains(s)).expect("with clusters there is a topology");
                self.is_large_enough(*s, d) && self.clusters_in(gpc, d, c) > 0
            };
            reach.retain(holds);
        }
        reach
    }

    /// modern-C7.
    pub(in crate::model) fn max_active_clusters(&self, d: &Descriptor, c: u32) -> Result<u32, Fault> {
        if self.config.cluster.is_none() {
            return Err(Fault::NoClusters);
        }
        let c = self.context_with_smxs(c)?;
        self.check_tb(d)?;
        self.check_cluster_size(d)?;
        let by_room = self.modern.gpcs.iter().map(|gpc| u64::from(self.clusters_in(gpc, d, c))).sum::<u64>();
        let threads = u64::from(size(d)) * u64::from(threads_of(d));
        let by_quota = self.limit(c).map_or(u64::MAX, |limit| limit / threads);
        Ok(by_room.min(by_quota) as u32)
    }

    // ---- modern-C1, modern-S4

    pub(in crate::model) fn has_clusters(&self, k: usize) -> bool {
        size(&self.kde(k).kernel.descriptor) > 1
    }

    /// The next unit of a kernel of clusters: what is left of a saved cluster, or a fresh one.
    fn next_cluster(&self, k: usize) -> Option<Unit> {
        let kde = self.kde(k);
        let (kernel, d) = (&kde.kernel, &kde.kernel.descriptor);
        if kde.restored < kernel.saved {
            let mut clusters: Vec<u32> = Vec::new();
            for member in &kernel.members {
                if !clusters.contains(&member.cluster) {
                    clusters.push(member.cluster);
                }
            }
            let mut before = 0;
            for cluster in clusters {
                let saved = kernel.members.iter().enumerate().filter(|(_, member)| member.cluster == cluster);
                let mut tbs: Vec<_> = saved.map(|(place, member)| (member.rank, Ref::Restored, place as u32)).collect();
                tbs.sort_unstable_by_key(|&(rank, ..)| rank);
                if before == kde.restored {
                    return Some(Unit { cluster, tbs });
                }
                before += tbs.len() as u32;
            }
            unreachable!("whole clusters are restored")
        }
        let cluster = kernel.next_native / size(d);
        let fresh = |rank| (rank, Ref::Native, block(d, cluster, rank));
        (kernel.next_native < tbs_of(d)).then(|| Unit { cluster, tbs: (0..size(d)).map(fresh).collect() })
    }

    /// modern-C1: the TBs of the next dispatch of an entry.
    pub(in crate::model) fn unit(&self, k: usize) -> u32 {
        if self.has_clusters(k) { self.cluster_unit(k) } else { 1 }
    }

    /// The same of a kernel of clusters that has TBs to send; else 0.
    pub(in crate::model) fn cluster_unit(&self, k: usize) -> u32 {
        let next = if self.has_clusters(k) { self.next_cluster(k) } else { None };
        next.map_or(0, |unit| unit.tbs.len() as u32)
    }

    // ---- modern-C2 to modern-C4

    /// modern-C4: an SMX of a GPC for each of `n` ranks of the next unit of an entry, among those on which it is tried.
    fn lay(&self, k: usize, g: usize, tried: &[usize], n: usize) -> Option<Vec<usize>> {
        let part = self.config.cluster.expect("a kernel of clusters was accepted");
        let gpc = &self.modern.gpcs[g];
        let round = (0..gpc.len()).map(|i| gpc[(self.modern.crr[g] + i) % gpc.len()]);
        let round: Vec<usize> = round.filter(|s| tried.contains(s)).collect();
        let can_take = |s: usize, placed: &[usize]| {
            let here = placed.iter().filter(|&&other| other == s).count() as u32;
            self.obstacle_beside(k, s, here).is_none()
        };
        let mut placed: Vec<usize> = Vec::new();
        match part.fill {
            Fill::Spread => loop {
                let before = placed.len();
                for &s in &round {
                    if placed.len() < n && can_take(s, &placed) {
                        placed.push(s);
                    }
                }
                if placed.len() == n || placed.len() == before {
                    break;
                }
            },
            Fill::Pack => {
                for &s in &round {
                    while placed.len() < n && can_take(s, &placed) {
                        placed.push(s);
                    }
                }
            }
        }
        (placed.len() == n).then_some(placed)
    }

    /// modern-C3: single TBs of an entry that the SMXs of a GPC, among those on which it is tried, could take now.
    fn room(&self, k: usize, g: usize, tried: &[usize]) -> u32 {
        let on = |&s: &usize| (0..).take_while(|&placed| self.obstacle_beside(k, s, placed).is_none()).count() as u32;
        self.modern.gpcs[g].iter().filter(|s| tried.contains(s)).map(on).sum()
    }

    /// modern-C3: the GPC that takes the next unit of an entry, and the SMX of each rank.
    pub(in crate::model) fn find_gpc(&self, k: usize, tried: &[usize]) -> Option<(usize, Vec<usize>)> {
        let part = self.config.cluster.expect("a kernel of clusters was accepted");
        let n_gpc = self.modern.gpcs.len();
        let mut order: Vec<usize> = (0..n_gpc).map(|i| (self.modern.grr + i) % n_gpc).collect();
        if part.gpc_order == GpcOrder::MostRoom {
            // The sort keeps the order of equals.
            order.sort_by_key(|&g| Reverse(self.room(k, g, tried)));
        }
        let n = self.cluster_unit(k) as usize;
        order.into_iter().find_map(|g| Some((g, self.lay(k, g, tried, n)?)))
    }

    /// modern-C2: all TBs of the next unit of a kernel of clusters, or none.
    pub(in crate::model) fn try_cluster(&mut self, k: usize, tried: &[usize]) -> Result<TbPlacement, Sched> {
        let mut sscr = self.cursors.get(&k).copied().unwrap_or_else(|| self.fresh(k));
        self.cursors.insert(k, sscr);
        let Some((g, smxs)) = self.find_gpc(k, tried) else { return Err(self.verdict(k, tried)) };
        let Unit { cluster, tbs } = self.next_cluster(k).expect("a marked entry has TBs to send");
        let n = tbs.len() as u32;
        self.emit(Decision::Cluster { kde: KernelSlot(k as u8), cluster, gpc: GpcId(g as u8), tbs: n });
        let mut first = None;
        for (&s, &(rank, part, blkid)) in smxs.iter().zip(&tbs) {
            let tb = self.place_in(k, s, part, blkid, 0, Some(Member { cluster, rank }));
            first.get_or_insert(tb);
            let kde = self.kde_mut(k);
            match part {
                Ref::Restored => kde.restored += 1,
                _ => kde.kernel.next_native += 1,
            }
            if part == Ref::Native {
                sscr.next_bl = kde.kernel.next_native;
            }
        }
        self.stats.clusters += 1;
        let last = *smxs.last().expect("a cluster has TBs");
        let gpc = &self.modern.gpcs[g];
        let place = gpc.iter().position(|&s| s == last).expect("the SMX is of the GPC");
        self.modern.crr[g] = (place + 1) % gpc.len();
        self.modern.grr = (g + 1) % self.modern.gpcs.len();
        self.after_sending(k, sscr);
        Ok(first.expect("a cluster has TBs"))
    }
}
