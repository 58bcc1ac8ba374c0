//! Two kernels that share a dependency graph: producers, and the consumers that wait for them TB by TB (sheet `launch2`, section X).
//!
//! They are launched as one kernel of the host whose TBs are the graph's nodes, the producers' first, and take one place in a queue and one
//! entry. The entry says of itself, at any time, what the part of the candidate is: entry point, shape and resources of the TB that would
//! be sent next. So whoever asks an entry for what it needs is answered for that TB; only who asks for a resident TB must say which.
//!
//! The front end drives it: [`host_launch_cross`](crate::FrontEnd::host_launch_cross) launches such a pair, and whatever changes the
//! graph's candidate turns its entry.
//!
//! ```
//! use gpusched::dats::{GraphHeader, Node, NodeId, Request};
//! use gpusched::{Config, Consumers, DatsPart, Descriptor, Dim3, FrontEnd, Sched, State, inline_tables};
//!
//! const GPU: Config = Config { n_smx: 1, cross: true, dats: Some(DatsPart::GTX480), pend_limit: 16, ..Config::K20C };
//! inline_tables! {
//!     struct One = GPU;
//! }
//! // Producers 0 and 1; consumer 2 reads what 0 writes, consumer 3 what 1 does.
//! let nodes = [Node::new(0, false, 0, 0), Node::new(1, false, 0, 0), Node::new(2, true, 1, 1), Node::new(2, true, 1, 1)];
//! let edges = [2, 3].map(NodeId);
//! let mut gpu = FrontEnd::<One>::new(&GPU.ideal())?;
//! let producers = Descriptor { grid: Dim3::linear(4), tb: Dim3::linear(256), ..Descriptor::default() };
//! let consumers = Consumers { pc: 1, tb: Dim3::linear(64), first: 2, ..Consumers::default() };
//! let graph = GraphHeader { v: 4, e: 2, ..GraphHeader::default() };
//! gpu.host_launch_cross(0, &producers, false, &graph, &consumers)?;
//!
//! let mut threads = Vec::new();
//! while gpu.status() != State::Drained {
//!     while let Some(request) = gpu.graph_poll()? {
//!         match request {
//!             Request::Nodes { tag, first, count, .. } => {
//!                 gpu.graph_nodes(tag, &nodes[first as usize..][..count as usize], &mut ())?
//!             }
//!             Request::Edges { tag, first, count, .. } => {
//!                 gpu.graph_edges(tag, &edges[first as usize..][..count as usize], &mut ())?
//!             }
//!             Request::Decrement { .. } => unreachable!("nothing spills"),
//!         };
//!     }
//!     if let Sched::Tb(tb) = gpu.tick(&mut ())?.sched {
//!         threads.push(2048 - gpu.smx(tb.smx).expect("it exists").threads);
//!         gpu.tb_done(tb.smx, tb.slot, &mut ())?;
//!     }
//! }
//! assert_eq!(threads, [256, 256, 64, 64]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::mem::swap;

use crate::base::dim3::Dim3;
use crate::base::error::Fault;
use crate::base::id::KernelSlot;
use crate::base::invariant::{Violation, invariant};
use crate::base::table::Rows;
use crate::config::Config;
use crate::launch::descriptor::Descriptor;
use crate::launch::distributor::{Distributor, Kde, KernelKey, Phase};
use crate::smx::residency::{Need, ResidentTb};

/// The second of two kernels that share a dependency graph. Its fields lie as in C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct Consumers {
    /// Program entry.
    pub pc: u64,
    /// TB, in threads.
    pub tb: Dim3,
    /// Registers of one TB.
    pub regs: u32,
    /// Shared memory of one TB, in bytes.
    pub smem: u32,
    /// Its first node: those before are the producers'. At least 1, and below the nodes of the graph.
    pub first: u32,
}

impl Consumers {
    /// The kernel that is launched with `producers`, as it would be if it were launched by itself.
    fn kernel(&self, producers: &Descriptor) -> Descriptor {
        let Self { pc, tb, regs, smem, .. } = *self;
        Descriptor { pc, tb, regs, smem, ..*producers }
    }

    /// dtbl-V3 and dtbl-V4: what one of its TBs needs.
    pub(crate) fn need(&self, producers: &Descriptor, config: &Config) -> Result<Need, Fault> {
        Ok(self.kernel(producers).shape(config)?.need)
    }

    /// Whether both parts have TBs in a graph of so many nodes.
    pub(crate) fn splits(&self, nodes: u32) -> bool {
        (1..nodes).contains(&self.first)
    }
}

/// What an entry does not show of the two kernels in it. All is 0 for an entry of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub struct Cross {
    /// The part that the entry does not show; `first` is the same, whichever it is.
    other: Consumers,
    #[cfg_attr(feature = "image", serde(skip))]
    need: Need,
    /// Whether the entry shows the consumers.
    is_turned: bool,
    /// Producers that were sent.
    sent: u32,
    /// Producers that are resident.
    #[cfg_attr(feature = "image", serde(skip))]
    exe: u32,
}

impl Cross {
    fn is_pair(&self) -> bool {
        self.other.first > 0
    }

    /// Whether this TB is of the part that the entry does not show.
    #[inline]
    fn is_other(&self, vid: u32) -> bool {
        self.is_pair() && (vid >= self.other.first) != self.is_turned
    }

    /// launch2-X5: whether the part of the candidate is the consumers'; without a candidate that of what is to be sent.
    fn is_turned_at(&self, candidate: Option<u32>) -> bool {
        candidate.map_or(self.sent == self.other.first, |vid| vid >= self.other.first)
    }

    /// Entry points of the producers and the consumers, of which the entry shows `shown`.
    fn entry_points(&self, shown: u64) -> (u64, u64) {
        if self.is_turned { (self.other.pc, shown) } else { (shown, self.other.pc) }
    }

    /// What holds of the two kernels in an entry.
    pub(super) fn validate(&self, kde: &Kde, config: &Config) -> Result<(), Violation> {
        let Self { other, need, is_turned: _, sent, exe } = self;
        if !self.is_pair() {
            return invariant("an entry of one kernel shows all of it (launch2-X1)", *self == Self::default());
        }
        let is_graph = config.cross && kde.graph.is_some() && kde.phase != Phase::Free;
        invariant("kernels that share an entry share a graph (launch2-X1)", is_graph && other.splits(kde.total))?;
        let is_accepted = other.need(&kde.kernel.descriptor, config) == Ok(*need);
        invariant("both were accepted (launch2-X1)", is_accepted)?;
        let consumers = kde.kernel.next_native.checked_sub(*sent);
        let is_counted = *sent <= other.first && consumers.is_some_and(|sent| sent <= kde.total - other.first);
        invariant("the TBs of each are counted (launch2-X4)", is_counted && *exe <= kde.exe && exe <= sent)
    }
}

impl<K: Rows<Kde>, C: Rows<Cross>> Distributor<K, C> {
    /// launch2-X1: the kernel that was issued into an entry shares it with its consumers.
    pub(crate) fn pair(&mut self, k: KernelSlot, consumers: &Consumers, config: &Config) {
        let need = consumers.need(&self.kdes[k].kernel.descriptor, config);
        // They were accepted when they were launched.
        if let (Ok(need), Some(cross)) = (need, self.crosses.get_mut(k)) {
            *cross = Cross { other: *consumers, need, ..Cross::default() };
        }
    }

    /// What an entry does not show, if it is of two kernels.
    fn pair_in(&self, k: KernelSlot) -> Option<&Cross> {
        self.crosses.get(k).filter(|cross| cross.is_pair())
    }

    /// The first node of the consumers, if the entry is of two kernels.
    pub(crate) fn first_consumer(&self, k: KernelSlot) -> Option<u32> {
        Some(self.pair_in(k)?.other.first)
    }

    /// Shows the part of the candidate (launch2-X3). Whether the entry has shown the other one.
    pub(crate) fn turn_to(&mut self, k: KernelSlot, candidate: Option<u32>) -> bool {
        let Some(cross) = self.crosses.get_mut(k).filter(|cross| cross.is_pair()) else { return false };
        if cross.is_turned == cross.is_turned_at(candidate) {
            return false;
        }
        cross.is_turned = !cross.is_turned;
        let Kde { kernel, need, .. } = &mut self.kdes[k];
        swap(&mut kernel.descriptor.pc, &mut cross.other.pc);
        swap(&mut kernel.descriptor.tb, &mut cross.other.tb);
        swap(&mut kernel.descriptor.regs, &mut cross.other.regs);
        swap(&mut kernel.descriptor.smem, &mut cross.other.smem);
        swap(need, &mut cross.need);
        true
    }

    /// Whether an entry shows what it is to show.
    pub(crate) fn shows(&self, k: KernelSlot, candidate: Option<u32>) -> bool {
        self.pair_in(k).is_none_or(|cross| cross.is_turned == cross.is_turned_at(candidate))
    }

    /// Counts a node that is sent, in an entry of one kernel or of two.
    pub(crate) fn count_sent(&mut self, k: KernelSlot, vid: u32) {
        if let Some(cross) = self.crosses.get_mut(k).filter(|cross| vid < cross.other.first) {
            cross.sent += 1;
        }
        self.count_resident(k, vid);
    }

    /// Counts a node whose TB is resident; an image says how many were sent.
    pub(crate) fn count_resident(&mut self, k: KernelSlot, vid: u32) {
        if let Some(cross) = self.crosses.get_mut(k).filter(|cross| vid < cross.other.first) {
            cross.exe += 1;
        }
    }

    /// Counts the end of a TB of an entry of two kernels. What it needed, if that is not what the entry shows.
    #[inline]
    pub(crate) fn count_end(&mut self, tb: &ResidentTb) -> Option<Need> {
        let cross = self.crosses.get_mut(tb.kde).filter(|cross| cross.is_pair())?;
        cross.exe -= u32::from(tb.blkid < cross.other.first);
        cross.is_other(tb.blkid).then_some(cross.need)
    }

    fn other_of(&self, tb: &ResidentTb) -> Option<&Cross> {
        self.crosses.get(tb.kde).filter(|cross| cross.is_other(tb.blkid))
    }

    /// What a resident TB needs: what its own part does, not the larger of both (launch2-X4, launch2-A8).
    pub(crate) fn need_of(&self, tb: &ResidentTb) -> &Need {
        self.other_of(tb).map_or(&self.kdes[tb.kde].need, |cross| &cross.need)
    }

    /// The key of a resident TB's own part.
    pub(crate) fn key_of(&self, tb: &ResidentTb) -> KernelKey {
        let kernel = &self.kdes[tb.kde].kernel;
        match self.other_of(tb) {
            Some(cross) => KernelKey::of(&cross.other.kernel(&kernel.descriptor), kernel.owner),
            None => self.kdes[tb.kde].key(),
        }
    }

    /// Threads of an entry's resident TBs: all of one kernel, and of the groups that joined it, have as many.
    pub(crate) fn threads_in(&self, k: KernelSlot) -> u32 {
        let Kde { exe, need, .. } = &self.kdes[k];
        let Some(cross) = self.pair_in(k) else { return exe * need.threads };
        let others = if cross.is_turned { cross.exe } else { exe - cross.exe };
        (exe - others) * need.threads + others * cross.need.threads
    }

    /// Whether an active entry has TBs of this entry point to send.
    pub(crate) fn has_work_of(&self, k: KernelSlot, pc: u64) -> bool {
        let kde = &self.kdes[k];
        let shown = kde.kernel.descriptor.pc;
        match self.pair_in(k) {
            None => kde.has_work() && shown == pc,
            Some(cross) => {
                let (producers, consumers) = cross.entry_points(shown);
                let (first, sent) = (cross.other.first, kde.kernel.next_native - cross.sent);
                let has_producers = producers == pc && cross.sent < first;
                kde.has_work() && (has_producers || (consumers == pc && sent < kde.total - first))
            }
        }
    }

    /// Entries of two kernels, with what they do not show.
    #[cfg(feature = "image")]
    pub(super) fn pairs(&self) -> impl Iterator<Item = (KernelSlot, &Cross)> {
        self.kernel_slots().filter_map(|k| Some((k, self.pair_in(k)?)))
    }

    /// Puts back what an entry does not show; that the two go together is checked with all else.
    #[cfg(feature = "image")]
    pub(super) fn put_back_pair(&mut self, k: KernelSlot, cross: Cross, config: &Config) -> Result<(), Fault> {
        let need = cross.other.need(&self.kdes[k].kernel.descriptor, config)?;
        *self.crosses.get_mut(k).ok_or(Fault::BadKde)? = Cross { need, ..cross };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_candidate_the_part_is_what_is_to_be_sent() {
        let other = Consumers { first: 2, ..Consumers::default() };
        let after = |sent| Cross { other, sent, ..Cross::default() };
        assert_eq!([0, 1, 2].map(|sent| after(sent).is_turned_at(None)), [false, false, true]);
        assert_eq!([1, 2].map(|vid| after(0).is_turned_at(Some(vid))), [false, true]);
    }
}
