//! Names of rows: one newtype per structure, so that an SMX number cannot be used as a kernel entry.

/// A row number of some table.
pub trait Id: Copy {
    /// The row's position in its table.
    fn index(self) -> usize;
    /// The row at position `index`; positions beyond the id's width wrap, which no table's size allows.
    fn from_index(index: usize) -> Self;
}

macro_rules! id {
    ($(#[$doc:meta])* $vis:vis $name:ident($repr:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[repr(transparent)]
        $vis struct $name($vis $repr);

        impl $crate::Id for $name {
            fn index(self) -> usize {
                self.0 as usize
            }
            fn from_index(index: usize) -> Self {
                Self(index as $repr)
            }
        }

        impl From<$name> for u32 {
            fn from(id: $name) -> Self {
                id.0 as Self
            }
        }
    };
}

pub(crate) use id;

id! {
    /// A streaming multiprocessor, 0..n_smx.
    pub SmxId(u16)
}
id! {
    /// A thread-block slot of one SMX, 0..tb_slots.
    pub SlotId(u8)
}
id! {
    /// A hardware work queue, 0..n_hwq of each context, one context behind the other (modern-P3).
    pub HwqId(u8)
}
id! {
    /// A kernel distributor entry (KDE), 0..n_kde.
    pub KernelSlot(u8)
}
id! {
    /// A launch record in global memory, 0..pend_limit.
    pub RecordId(u32)
}
id! {
    /// An entry of the aggregated group table (AGT), 0..agt_size.
    pub AgeId(u32)
}
id! {
    /// An entry of the list of suspended kernels, 0..susp_cap.
    pub SuspId(u8)
}
id! {
    /// A piece of a unit whose unsent TBs were split, 0..split_cap (policy-P15).
    pub PieceId(u16)
}
id! {
    /// A class of kernels that share per-SMX caps (gate K), 0..n_class.
    pub ClassId(u8)
}
id! {
    /// A graphics processing cluster (GPC): SMXs that lie together, from 0.
    pub GpcId(u8)
}
id! {
    /// A context: a client with SMXs, a share and streams of its own, 0..contexts.
    pub ContextId(u8)
}
id! {
    /// A request that SMXs be drained, 0..drain_max.
    pub DrainId(u8)
}
id! {
    /// A grid that is not complete, 0..n_grid.
    pub GridId(u32)
}
id! {
    /// A kernel graph, 0..kgraph.graphs.
    pub KgraphId(u8)
}
id! {
    /// A kernel of a kernel graph, from 0.
    pub KernelNodeId(u16)
}
id! {
    /// A kernel graph that runs, 0..kgraph.insts.
    pub InstanceId(u8)
}
id! {
    /// A bind unit of LaPerm: the SMXs that share a queue, 0..U.
    pub UnitId(u16)
}

/// The row behind this one of `n`, in turn: the first one comes behind the last.
#[inline]
pub(crate) fn next_of<I: Id>(row: I, n: u32) -> I {
    let next = row.index() + 1;
    I::from_index(if next >= n as usize { 0 } else { next })
}

/// The bits of the first `n` rows, of 64 at most.
pub(crate) const fn first_rows(n: u32) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

/// The rows whose bits are set in `word`, lowest first.
pub(crate) fn rows_in<I: Id>(mut word: u64) -> impl Iterator<Item = I> {
    core::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros();
        word &= word - 1;
        Some(I::from_index(bit as usize))
    })
}
