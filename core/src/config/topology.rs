//! Where SMXs lie: in TPCs, which lie in GPCs (sheet `modern`, Topology).
//!
//! ```
//! use gpusched::{Numbering, SmxId, Topology};
//!
//! // Two GPCs of two TPCs and one of one, each TPC of two SMXs, numbered as most GPUs do: a TPC of each GPC in turn.
//! let topology = Topology::new(&[&[2, 2], &[2, 2], &[2]], Numbering::Interleaved)?;
//! assert_eq!(topology.n_smx(), 10);
//! let of_gpc_1 = topology.gpcs().nth(1).unwrap();
//! assert!(of_gpc_1.iter().eq([2, 3, 8, 9].map(SmxId)));
//! # Ok::<(), gpusched::Fault>(())
//! ```

use crate::base::error::Fault;
use crate::base::id::{GpcId, Id, SmxId};
use crate::base::parameter::choice;
use crate::base::set::SmxSet;

choice! {
    /// How SMXs are numbered (modern-Y1).
    pub enum Numbering {
        /// GPC by GPC, TPC by TPC.
        #[default]
        Gpc,
        /// The first TPC of every GPC, then the second of every GPC that has one, and so on.
        Interleaved,
    }
}

/// The most SMXs of a machine.
const MAX_SMXS: u32 = 256;

/// Which SMXs lie together. TPCs and GPCs may differ in size.
///
/// Counted GPC by GPC and TPC by TPC, each SMX has a place; the last places of each TPC and of each GPC say all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Topology {
    /// Places that end a TPC.
    pub tpc_ends: SmxSet,
    /// Those of them that end a GPC.
    pub gpc_ends: SmxSet,
    /// How SMXs are numbered.
    #[cfg_attr(feature = "serde", serde(default))]
    pub numbering: Numbering,
    /// SMXs, by their numbers, that hold no cluster of more than two TBs (modern-C8); none unless given.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pair_only: SmxSet,
}

/// A TPC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Tpc {
    /// The GPC in which it lies.
    pub gpc: GpcId,
    /// Its SMXs.
    pub smxs: SmxSet,
}

/// A TPC by its places.
#[derive(Clone, Copy)]
struct Places {
    gpc: GpcId,
    /// Its number in its GPC.
    nth: u32,
    size: u32,
}

impl Topology {
    /// Of each GPC the SMXs of each of its TPCs.
    ///
    /// # Errors
    /// `BadConfig` if there is no GPC, a GPC has no TPC, or a TPC not 1 to 256 SMXs; `TopologySize` if there are more than 256 in all.
    pub fn new(gpcs: &[&[u32]], numbering: Numbering) -> Result<Self, Fault> {
        let topology = Self { numbering, ..Self::default() };
        if gpcs.is_empty() {
            return Err(Fault::BadConfig);
        }
        gpcs.iter().try_fold(topology, |topology, gpc| topology.with(gpc))
    }

    /// The same with another GPC behind those that there are: the SMXs of each of its TPCs.
    ///
    /// # Errors
    /// As [`Topology::new`].
    pub fn with(mut self, gpc: &[u32]) -> Result<Self, Fault> {
        if gpc.is_empty() {
            return Err(Fault::BadConfig);
        }
        let mut n = self.n_smx();
        for &tpc in gpc {
            if !(1..=MAX_SMXS).contains(&tpc) {
                return Err(Fault::BadConfig);
            }
            n += tpc;
            if n > MAX_SMXS {
                return Err(Fault::TopologySize);
            }
            self.tpc_ends.set(place(n), true);
        }
        self.gpc_ends.set(place(n), true);
        Ok(self)
    }

    /// GPCs of TPCs of two SMXs, so many per GPC, numbered in turn: for constants.
    const fn of_pairs<const N: usize>(tpcs: [usize; N]) -> Self {
        let (mut tpc_ends, mut gpc_ends) = ([0; 4], [0; 4]);
        let (mut n, mut gpc) = (0, 0);
        while gpc < N {
            let end = n + 2 * tpcs[gpc];
            while n < end {
                n += 2;
                tpc_ends[(n - 1) / 64] |= 1 << ((n - 1) % 64);
            }
            gpc_ends[(n - 1) / 64] |= 1 << ((n - 1) % 64);
            gpc += 1;
        }
        let numbering = Numbering::Interleaved;
        let (tpc_ends, gpc_ends) = (SmxSet::from_words(tpc_ends), SmxSet::from_words(gpc_ends));
        Self { tpc_ends, gpc_ends, numbering, pair_only: SmxSet::EMPTY }
    }

    /// The same, but the SMXs of these numbers hold no cluster of more than two TBs: for constants.
    const fn with_pair_only<const N: usize>(mut self, smxs: [u32; N]) -> Self {
        let mut words = [0; 4];
        let mut i = 0;
        while i < N {
            words[(smxs[i] / 64) as usize] |= 1 << (smxs[i] % 64);
            i += 1;
        }
        self.pair_only = SmxSet::from_words(words);
        self
    }

    /// SMXs in all.
    #[must_use]
    pub fn n_smx(&self) -> u32 {
        self.gpc_ends.last().map_or(0, |last| u32::from(last) + 1)
    }

    /// GPCs.
    #[must_use]
    pub const fn n_gpc(&self) -> u32 {
        let [a, b, c, d] = self.gpc_ends.words();
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    /// The SMXs that a cluster of `size` TBs may have (modern-C8).
    pub(crate) fn for_cluster(&self, size: u32, smxs: &SmxSet) -> SmxSet {
        if size > 2 { smxs.without(&self.pair_only) } else { *smxs }
    }

    /// What a machine asks: its places are those of whole TPCs and GPCs.
    ///
    /// # Errors
    /// `BadConfig` if there is no GPC, one that does not end with a TPC, or an SMX for pairs only that there is not; `TopologySize` if
    /// there are not `n_smx` SMXs.
    pub(crate) fn check(&self, n_smx: u32) -> Result<(), Fault> {
        let ends = self.gpc_ends.without(&self.tpc_ends).is_empty() && self.gpc_ends.last() == self.tpc_ends.last();
        let none_beyond = self.pair_only.without(&SmxSet::first(self.n_smx())).is_empty();
        if !ends || self.gpc_ends.is_empty() || !none_beyond {
            return Err(Fault::BadConfig);
        }
        if self.n_smx() == n_smx { Ok(()) } else { Err(Fault::TopologySize) }
    }

    /// TPCs by their places.
    fn places(&self) -> impl Iterator<Item = Places> {
        let (mut start, mut gpc, mut nth) = (0, 0, 0);
        self.tpc_ends.iter().map(move |end| {
            let next = u32::from(end) + 1;
            let places = Places { gpc: GpcId(gpc), nth, size: next - start };
            start = next;
            (gpc, nth) = if self.gpc_ends.contains(end) { (gpc.wrapping_add(1), 0) } else { (gpc, nth + 1) };
            places
        })
    }

    /// TPCs, in the order of their SMXs.
    pub fn tpcs(&self) -> impl Iterator<Item = Tpc> {
        let rounds = match self.numbering {
            Numbering::Gpc => 1,
            Numbering::Interleaved => self.places().map(|places| places.nth + 1).max().unwrap_or(0),
        };
        let in_round =
            move |round| self.places().filter(move |tpc| self.numbering == Numbering::Gpc || tpc.nth == round);
        let mut next = 0;
        (0..rounds).flat_map(in_round).map(move |Places { gpc, size, .. }| {
            let first = next;
            next += size;
            Tpc { gpc, smxs: SmxSet::first(next).without(&SmxSet::first(first)) }
        })
    }

    /// The SMXs of each GPC.
    pub fn gpcs(&self) -> impl Iterator<Item = SmxSet> {
        let of = |gpc: GpcId| move |tpc: &Tpc| tpc.gpc == gpc;
        let smxs = move |gpc| self.tpcs().filter(of(gpc)).fold(SmxSet::EMPTY, |smxs, tpc| smxs.or(&tpc.smxs));
        (0..self.n_gpc() as usize).map(GpcId::from_index).map(smxs)
    }
}

/// The last place of the first `n`, which are some.
fn place(n: u32) -> SmxId {
    SmxId((n - 1) as u16)
}

/// Layouts of GPUs (modern-Y2): which sizes the GPCs have is partly a guess, which the sheet names.
impl Topology {
    /// V100: 80 SMXs. That its GPCs have 6 or 7 TPCs is the vendor's, which of them is a guess.
    pub const V100: Self = Self::of_pairs([7, 7, 7, 7, 6, 6]);
    /// A100: 108 SMXs. That its GPCs have 7 or 8 TPCs is the vendor's, which of them is a guess.
    pub const A100: Self = Self::of_pairs([8, 8, 8, 8, 8, 7, 7]);
    /// H100 SXM: 132 SMXs, of which one die's 120 are covered by clusters of 8; one of the layouts of which that is true.
    pub const H100_SXM: Self = Self::of_pairs([8, 8, 8, 8, 9, 9, 9, 7]);
    /// H100 SXM as it may also be, with 16 clusters of 8.
    pub const H100_SXM_EVEN: Self = Self::of_pairs([8, 8, 8, 8, 8, 8, 9, 9]);
    /// H100 PCIe: 114 SMXs in 8 GPCs, whose sizes are a guess.
    pub const H100_PCIE: Self = Self::of_pairs([8, 7, 7, 7, 7, 7, 7, 7]);
    /// H100 PCIe with 7 GPCs, whose sizes are a guess.
    pub const H100_PCIE_7: Self = Self::of_pairs([9, 8, 8, 8, 8, 8, 8]);
    /// H200: the GPU of the H100 SXM.
    pub const H200: Self = Self::H100_SXM;

    /// H100 SXM with the sizes of GPCs that one chip says it has. Which GPC is large is a guess, and so is which SMXs are for pairs only:
    /// the last TPC of the large GPCs, and two of one other, so that 15 clusters of 8 are resident, as measured.
    pub const H100_SXM_MEASURED: Self =
        Self::of_pairs([8, 8, 8, 8, 8, 8, 9, 9]).with_pair_only([106, 107, 122, 123, 128, 129, 130, 131]);
    /// H100 PCIe with 7 GPCs, of which SMXs 110 to 113 are for pairs only, as measured; so they are the last of its large GPCs.
    pub const H100_PCIE_MEASURED: Self = Self::of_pairs([8, 8, 8, 8, 9, 9, 7]).with_pair_only([110, 111, 112, 113]);
    /// H200 with sizes that 3 of 28 chips have, and with SMXs 124 to 131 for pairs only, as measured; so they are the last of its large
    /// GPCs.
    pub const H200_MEASURED: Self =
        Self::of_pairs([8, 8, 8, 9, 9, 9, 9, 6]).with_pair_only([124, 125, 126, 127, 128, 129, 130, 131]);

    /// Each layout by its name.
    pub const PRESETS: [(&'static str, Self); 10] = [
        ("v100", Self::V100),
        ("a100", Self::A100),
        ("h100_sxm", Self::H100_SXM),
        ("h100_sxm_even", Self::H100_SXM_EVEN),
        ("h100_pcie", Self::H100_PCIE),
        ("h100_pcie_7", Self::H100_PCIE_7),
        ("h200", Self::H200),
        ("h100_sxm_measured", Self::H100_SXM_MEASURED),
        ("h100_pcie_measured", Self::H100_PCIE_MEASURED),
        ("h200_measured", Self::H200_MEASURED),
    ];

    /// The layout of this name.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        Self::PRESETS.iter().find(|(known, _)| *known == name).map(|&(_, topology)| topology)
    }
}
