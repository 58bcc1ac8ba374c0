//! Listens to the front end's decisions: pending launches, parents and children, what LaPerm and graphs do.

use std::collections::{BTreeMap, BTreeSet};

use gpusched::dats::{GraphFaultKind, NodeId};
use gpusched::laperm::Stage;
use gpusched::power::Sample;
use gpusched::{Cycle, Decision, GroupRef, IssueSource, KernelSlot, Probe, SuspId, TbPlacement, TbRef, UnitPlace};

use super::LaunchVerb;
use super::depths::Depths;
use super::family::Families;
use super::records::Move;
use crate::stats::{LaPermStats, PendingStats};

/// A kernel has arrived in the distributor, or a group has joined one: the scheduler sees it from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The cycle.
    pub at: u64,
    /// Its tag.
    pub tag: u64,
    /// The entry that holds the kernel.
    pub kde: KernelSlot,
    /// Where the group is; `None` for a kernel.
    pub group: Option<GroupRef>,
}

/// Listens to the front end's decisions: pending launches, and when a launch record becomes free.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// TBs that were sent, to be taken by the front end: one, or those of a cluster.
    pub sent: Vec<TbPlacement>,
    /// A launch record, or a grid, became free.
    pub freed: bool,
    /// A hardware queue became free.
    pub emptied: bool,
    /// Entries that hold a device kernel, one bit each.
    device: u64,
    groups: u64,
    kernels: u64,
    /// Those among them that the scheduler has: groups, and kernels by entry, one bit each.
    unsent_groups: BTreeSet<GroupRef>,
    unsent_kernels: u64,
    counted: u64,
    /// Waiting launches, up to cycle `counted`.
    pub stats: PendingStats,
    /// What LaPerm did.
    pub laperm: LaPermStats,
    /// Where LaPerm had the TB that it sent last.
    pub stage: Option<Stage>,
    /// There was a sample.
    pub sampled: bool,
    /// What launch records want of memory, to be taken by the front end.
    pub moves: Vec<Move>,
    /// Tags of launches that have come to their end, to be taken, too.
    pub over: Vec<u64>,
    /// By entry: the group at the end of its chain, if that is spilled.
    tails: BTreeMap<KernelSlot, u64>,
    /// Who waits for whom.
    pub families: Families,
    /// What has become visible to the scheduler, to be taken.
    pub arrived: Vec<Arrival>,
    /// Tags of kernels that have ended, to be taken by the host.
    pub ended: Vec<u64>,
    /// Suspended kernels whose children have ended.
    pub complete: Vec<SuspId>,
    /// Entries that kernels have left, each with whether its kernel is suspended, to be taken.
    pub left: Vec<(KernelSlot, bool)>,
    /// How much of everything there is.
    pub depths: Depths,
    /// A graph is done.
    pub graph_done: bool,
    /// A graph's memory contradicts itself.
    pub graph_fault: Option<(GraphFaultKind, NodeId)>,
}

/// Bytes of a group that waits: 64 of parameters, 20 of its AGE (refgpu-S14).
const GROUP_BYTES: u64 = 64 + 20;
/// Bytes of a device kernel that waits, beyond the first 32 (`dtbl`, memory figures).
const KERNEL_BYTES: u64 = 8300;
const KERNELS_RESERVED: u64 = 32;

impl Watch {
    /// Whether an entry holds a device kernel.
    pub fn is_device(&self, kde: KernelSlot) -> bool {
        self.device >> (kde.0 & 63) & 1 != 0
    }

    /// Launches of which no TB has started.
    pub const fn pending(&self) -> u64 {
        self.groups + self.kernels
    }

    /// Nothing happens before `cycle`.
    pub fn count_until(&mut self, cycle: u64) {
        self.stats.cycles += cycle.saturating_sub(self.counted) * (self.groups + self.kernels);
        self.counted = cycle;
    }

    /// A group joins the kernel of an entry.
    fn join(&mut self, tag: u64, kde: KernelSlot, group: GroupRef) {
        let is_spilled = matches!(group, GroupRef::Record(_));
        let tail = if is_spilled { self.tails.insert(kde, tag) } else { self.tails.remove(&kde) };
        self.moves.extend(tail.map(Move::Link));
        if is_spilled {
            self.moves.push(Move::Write(tag));
        }
    }

    /// So many launches were taken.
    pub fn launched(&mut self, now: u64, verb: LaunchVerb, n: u64) {
        self.count_until(now);
        self.depths.launched(verb, n as u32);
        match verb {
            LaunchVerb::DeviceKernel | LaunchVerb::ForgottenKernel => self.kernels += n,
            LaunchVerb::Group => self.groups += n,
        }
        self.note_peak();
    }

    fn note_peak(&mut self) {
        let bytes = self.groups * GROUP_BYTES + self.kernels.saturating_sub(KERNELS_RESERVED) * KERNEL_BYTES;
        self.stats.peak = self.stats.peak.max(self.groups + self.kernels);
        self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
    }
}

impl Probe for Watch {
    fn decide(&mut self, at: Cycle, decision: Decision) {
        if let Decision::Tb(tb) = decision {
            self.sent.push(tb);
        }
        self.depths.decide(&decision);
        match decision {
            Decision::Issue { source, tag, kde } => {
                let bit = 1 << (kde.0 & 63);
                let is_child = match source {
                    IssueSource::Device => true,
                    IssueSource::Suspended => self.families.issue(kde),
                    IssueSource::Hwq(_) | IssueSource::Node(_) => false,
                };
                self.device = self.device & !bit | if is_child { bit } else { 0 };
                if source == IssueSource::Device {
                    self.moves.push(Move::Issue(tag));
                    self.unsent_kernels |= bit;
                }
                self.freed |= source == IssueSource::Device;
            }
            Decision::GroupDone { tag, .. } => {
                self.freed = true;
                self.over.push(tag);
                self.complete.extend(self.families.end_child(tag));
            }
            Decision::KernelDone { tag, kde } => {
                if self.is_device(kde) {
                    self.over.push(tag);
                }
                self.ended.push(tag);
                self.left.push((kde, false));
                self.complete.extend(self.families.end_child(tag));
            }
            Decision::Arrive { tag, kde } => self.arrived.push(Arrival { at: at.0, tag, kde, group: None }),
            Decision::Join { tag, kde, group } => {
                self.arrived.push(Arrival { at: at.0, tag, kde, group: Some(group) });
                self.unsent_groups.insert(group);
                self.join(tag, kde, group);
            }
            Decision::Unmark { kde } => {
                self.tails.remove(&kde);
            }
            Decision::Load { record } => self.moves.push(Move::Load(record)),
            Decision::Fall { tag, .. } => {
                self.moves.push(Move::Write(tag));
                self.count_until(at.0);
                self.groups -= 1;
                self.kernels += 1;
                self.note_peak();
            }
            // Whichever is the first (policy-P16).
            Decision::Tb(tb) => {
                let bit = 1 << (tb.kde.0 & 63);
                match tb.tb_ref {
                    TbRef::Group(group) if self.unsent_groups.remove(&group) => {
                        self.count_until(at.0);
                        self.groups -= 1;
                    }
                    TbRef::Native if self.unsent_kernels & bit != 0 => {
                        self.unsent_kernels &= !bit;
                        self.count_until(at.0);
                        self.kernels -= 1;
                    }
                    _ => {}
                }
            }
            Decision::Place { tag, place, evicted, .. } => {
                if place == UnitPlace::Spilled {
                    self.moves.push(Move::Write(tag));
                }
                self.moves.extend(evicted.map(Move::Write));
                let lap = &mut self.laperm;
                *match place {
                    UnitPlace::OnChip => &mut lap.on_chip,
                    UnitPlace::Spilled => &mut lap.spilled,
                    UnitPlace::Queue0 => &mut lap.queue0,
                } += 1;
                lap.evicted += u64::from(evicted.is_some());
            }
            Decision::Lap { stage, .. } => {
                self.laperm.tbs[stage as usize - 1] += 1;
                self.stage = Some(stage);
            }
            Decision::Refill { tag } => {
                self.moves.push(Move::Refill(tag));
                self.laperm.refills += 1;
            }
            Decision::Suspend { kde, .. } => self.left.push((kde, true)),
            Decision::HwqFree { .. } => self.emptied = true,
            // Its grid is free for another launch.
            Decision::Complete { .. } => self.freed = true,
            Decision::GraphDone { .. } => self.graph_done = true,
            Decision::GraphFault { kind, node, .. } => self.graph_fault = Some((kind, node)),
            _ => {}
        }
    }

    fn sample(&mut self, _: Cycle, _: &Sample) {
        self.sampled = true;
    }
}
