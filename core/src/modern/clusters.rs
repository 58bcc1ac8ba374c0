//! Clusters: which GPC takes all TBs of the next one, and on which of its SMXs they lie (sheet `modern`, Clusters).

use core::cmp::Reverse;

use heapless::Vec;

use crate::base::id::{ContextId, GpcId, Id, KernelSlot, SmxId, next_of};
use crate::base::resources::Resources;
use crate::base::set::SmxSet;
use crate::config::Config;
use crate::config::modern::{ClusterPart, Fill, GpcOrder};
use crate::launch::board::{Board, BoardTables};
use crate::launch::descriptor::Descriptor;
use crate::launch::distributor::Kde;
use crate::modern::{Modern, ModernTables};
use crate::policy::doors::Doors;
use crate::probe::{Decision, Probe, TbPlacement, TbRef};
use crate::smx::residency::Need;

/// The most TBs of a cluster.
const MAX_CLUSTER: usize = 64;

/// A GPC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gpc {
    /// Its SMXs.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) smxs: SmxSet,
    /// The place among them that is asked first.
    pub(crate) next: u16,
}

/// A GPC, as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GpcView {
    /// Its SMXs.
    pub smxs: SmxSet,
    /// The place among them, in ascending order, that the next cluster begins with.
    pub place: u32,
}

/// The place of a TB in its kernel's clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClusterPlace {
    /// The number of the cluster in the grid (modern-C5).
    pub cluster: u32,
    /// Its rank in the cluster.
    pub rank: u8,
}

/// The TBs that are sent together next.
pub(super) struct Unit {
    cluster: u32,
    /// Rank and number of each, in the order of ranks.
    tbs: Vec<(u8, u32), MAX_CLUSTER>,
}

impl Unit {
    /// The first of these TBs, as many as a cluster has at most.
    fn of(cluster: u32, tbs: impl Iterator<Item = (u8, u32)>) -> Self {
        let mut unit = Self { cluster, tbs: Vec::new() };
        for tb in tbs {
            let _ = unit.tbs.push(tb);
        }
        unit
    }

    pub(super) fn len(&self) -> u32 {
        self.tbs.len() as u32
    }
}

/// TBs of a kernel that an empty SMX holds.
fn per_empty_smx<T: BoardTables>(board: &Board<T>, need: &Need) -> u32 {
    let &Config { threads, regs, smem, tb_slots: slots, .. } = &board.config;
    need.resources().times_in(&Resources { threads, regs, smem, slots })
}

impl<T: ModernTables> Modern<T> {
    pub(super) fn all_gpcs(&self) -> impl Iterator<Item = GpcId> + use<T> {
        (0..self.n_gpc as usize).map(GpcId::from_index)
    }

    /// GPCs from the one that is asked first.
    fn gpcs_in_turn(&self) -> impl Iterator<Item = GpcId> + use<T> {
        let (n, first) = (self.n_gpc, u32::from(self.grr));
        (0..n).map(move |i| GpcId((first + i).checked_rem(n).unwrap_or(0) as u8))
    }

    pub(crate) fn gpc_pointer(&self) -> GpcId {
        self.grr
    }

    /// A GPC, if there is one.
    pub(crate) fn gpc(&self, gpc: GpcId) -> Option<&Gpc> {
        (u32::from(gpc) < self.n_gpc).then(|| &self.gpcs[gpc])
    }

    /// The GPC of an SMX, if the machine knows.
    pub(crate) fn gpc_of(&self, smx: SmxId) -> Option<GpcId> {
        self.all_gpcs().find(|&gpc| self.gpcs[gpc].smxs.contains(smx))
    }
}

impl<T: BoardTables + ModernTables> Modern<T> {
    /// modern-C8: the SMXs of a context that a cluster of so many TBs may have.
    fn smxs_for(&self, context: ContextId, size: u32, board: &Board<T>) -> SmxSet {
        let smxs = self.smxs_of(context, &board.config);
        board.config.topology.as_ref().map_or(smxs, |topology| topology.for_cluster(size, &smxs))
    }

    /// modern-C6: the SMXs on which TBs of a kernel can ever be, if there are any.
    pub(crate) fn reach_of(&self, board: &Board<T>, kernel: &Descriptor, context: ContextId) -> Option<SmxSet> {
        let size = kernel.cluster.size();
        let smxs = self.smxs_for(context, size, board);
        if size == 1 {
            return Some(smxs).filter(|smxs| !smxs.is_empty());
        }
        let each = per_empty_smx(board, &kernel.shape(&board.config).ok()?.need);
        let own = self.all_gpcs().map(|gpc| self.gpcs[gpc].smxs.and(&smxs));
        let could = own.filter(|own| u64::from(own.len()) * u64::from(each) >= size.into());
        Some(could.fold(SmxSet::EMPTY, |reach, own| reach.or(&own))).filter(|reach| !reach.is_empty())
    }

    /// modern-C7.
    pub(crate) fn max_active(&self, board: &Board<T>, kernel: &Descriptor, need: &Need, context: ContextId) -> u32 {
        let smxs = self.smxs_for(context, kernel.cluster.size(), board);
        let size = u64::from(kernel.cluster.size());
        let each = per_empty_smx(board, need);
        let holds = |gpc| {
            let tbs = u64::from(self.gpcs[gpc].smxs.and(&smxs).len()) * u64::from(each);
            tbs.checked_div(size).unwrap_or(0)
        };
        let all: u64 = self.all_gpcs().map(holds).sum();
        let threads = size * u64::from(need.threads);
        let share = self.limit_of(context).map(|limit| u64::from(limit).checked_div(threads).unwrap_or(0));
        all.min(share.unwrap_or(u64::MAX)) as u32
    }

    /// TBs of a kernel that an SMX could take now: R, X and K count TB by TB (modern-C4).
    fn room_on(&self, doors: &Doors<'_, T>, k: KernelSlot, s: SmxId) -> u32 {
        if doors.is_masked(s) || doors.is_excluded(k, s) {
            return 0;
        }
        let board = doors.board;
        let by_room = board.kd.get(k).need.resources().times_in(&board.residency.smx(s).free());
        by_room.min(board.gates.free_under_caps(board.class_of(k), s, board.residency.count_of(s)))
    }

    /// The TBs of a kernel of clusters that are sent together next; `None` if there are none.
    pub(super) fn unit_of(&self, board: &Board<T>, k: KernelSlot) -> Option<Unit> {
        let Kde { kernel, restored, .. } = board.kd.get(k);
        if *restored < kernel.saved {
            return self.saved_unit(k, kernel.saved);
        }
        let (size, next) = (kernel.descriptor.cluster.size(), kernel.next_native);
        let cluster = next.checked_div(size).filter(|_| next < board.kd.get(k).total)?;
        let tb = |rank: u32| (rank as u8, kernel.descriptor.tb_of_cluster(cluster, rank));
        Some(Unit::of(cluster, (0..size.min(MAX_CLUSTER as u32)).map(tb)))
    }

    /// modern-S4: those of the first cluster in the list of saved TBs that were not sent again, in the order of ranks.
    fn saved_unit(&self, k: KernelSlot, saved: u32) -> Option<Unit> {
        let list = u32::from(k);
        let waiting = || (0..saved).filter_map(|nth| Some((nth, (*self.saved.get(self.saved_id(list, nth))?)?)));
        let (_, ClusterPlace { cluster, .. }) = waiting().next()?;
        let of_rank = |rank: u8| {
            let is_it = move |place: ClusterPlace| place == ClusterPlace { cluster, rank };
            waiting().find(|&(_, place)| is_it(place)).map(|(nth, _)| (rank, nth))
        };
        Some(Unit::of(cluster, (0..MAX_CLUSTER as u8).filter_map(of_rank)))
    }

    /// TBs of the next dispatch of a kernel of clusters that has TBs to send; 0 of any other.
    pub(crate) fn next_unit(&self, board: &Board<T>, k: KernelSlot) -> u32 {
        let is_of_clusters = board.kd.get(k).kernel.descriptor.cluster.is_of_many();
        if is_of_clusters { self.unit_of(board, k).map_or(0, |unit| unit.len()) } else { 0 }
    }

    /// modern-C3, modern-A3: the GPC that takes `n` TBs of a kernel on those of these SMXs that are open to it.
    pub(super) fn taker(&self, doors: &Doors<'_, T>, k: KernelSlot, open: &SmxSet, n: u32) -> Option<GpcId> {
        let room =
            |gpc: GpcId| -> u32 { self.gpcs[gpc].smxs.and(open).iter().map(|s| self.room_on(doors, k, s)).sum() };
        let mut in_turn = self.gpcs_in_turn().map(|gpc| (room(gpc), gpc)).filter(|(room, _)| *room >= n);
        let found = match doors.board.config.cluster?.gpc_order {
            GpcOrder::Rr => in_turn.next(),
            // The first of those that have most.
            GpcOrder::MostRoom => in_turn.min_by_key(|(room, _)| Reverse(*room)),
        };
        found.map(|(_, gpc)| gpc)
    }

    /// modern-C4, modern-A2: an SMX of the GPC for each of `n` TBs, which it takes; several TBs of a cluster may share one.
    fn lay(
        &self,
        doors: &Doors<'_, T>,
        k: KernelSlot,
        (gpc, open): (GpcId, &SmxSet),
        n: usize,
    ) -> Vec<SmxId, MAX_CLUSTER> {
        let Gpc { smxs, next } = &self.gpcs[gpc];
        let start = smxs.iter().nth(usize::from(*next)).unwrap_or(SmxId(0));
        let own = smxs.and(open);
        let fill = doors.board.config.cluster.map_or(Fill::Spread, |ClusterPart { fill, .. }| fill);
        let mut laid = Vec::new();
        // In the r-th round each SMX takes its r-th TB; packed, all of its TBs are of the first round.
        for round in 0..MAX_CLUSTER as u32 {
            for s in own.iter_from(start) {
                let room = self.room_on(doors, k, s);
                let takes = match fill {
                    Fill::Spread => u32::from(round < room),
                    Fill::Pack if round == 0 => room,
                    Fill::Pack => 0,
                };
                for _ in 0..takes {
                    if laid.len() < n {
                        let _ = laid.push(s);
                    }
                }
            }
            if laid.len() >= n {
                break;
            }
        }
        laid
    }

    /// modern-C2, modern-A4: sends the unit to the GPC, which takes it, in one cycle. The first of its TBs, and whether the kernel has more.
    pub(super) fn send_unit(
        &mut self,
        board: &mut Board<T>,
        k: KernelSlot,
        unit: &Unit,
        (gpc, open): (GpcId, &SmxSet),
        probe: &mut impl Probe,
    ) -> Option<(TbPlacement, bool)> {
        let laid = self.lay(&Doors::of(board), k, (gpc, open), unit.tbs.len());
        let (cluster, n) = (unit.cluster, unit.len());
        probe.decide(board.now, Decision::Cluster { kde: k, cluster, gpc, tbs: n });
        let mut first = None;
        let mut has_more = false;
        for (&(rank, number), &smx) in unit.tbs.iter().zip(&laid) {
            let (tb, more) = board.send_numbered((k, number), smx, probe);
            let place = self.place_id(tb.smx, tb.slot);
            if let Some(row) = self.places.get_mut(place) {
                *row = Some(ClusterPlace { cluster, rank });
            }
            if tb.tb_ref == TbRef::Restored {
                let id = self.saved_id(u32::from(k), number);
                self.saved.get_mut(id).and_then(Option::take);
            }
            first = first.or(Some(tb));
            has_more = more;
        }
        let last = laid.last()?;
        let Gpc { smxs, .. } = self.gpcs[gpc];
        let place = smxs.and(&SmxSet::first(u32::from(*last))).len();
        self.gpcs[gpc].next = next_of(SmxId(place as u16), smxs.len()).0;
        self.grr = next_of(gpc, self.n_gpc);
        board.stats.clusters = board.stats.clusters.saturating_add(1);
        Some((first?, has_more))
    }
}
