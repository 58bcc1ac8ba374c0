//! What the hardware would cost: bits of storage, as the sheet lays them out.

use super::config::{CatalogueConfig, Metric, Order, Policy};
use super::topology::{DomainId, GpcId, TpcId};
use crate::base::id::Id;
use crate::base::storage::bits_for;

/// Storage in bits, part by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CatalogueStorageBits {
    /// Pointers over SMXs, TPCs, GPCs and slots of streams; the generator of random numbers.
    pub pointers: u64,
    /// What is kept of units.
    pub units: u64,
    /// What is kept of SMXs.
    pub smxs: u64,
    /// What is kept of slots of streams.
    pub streams: u64,
}

impl CatalogueStorageBits {
    /// Everything.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.pointers + self.units + self.smxs + self.streams
    }
}

/// Storage of a policy with this configuration.
///
/// ```
/// use gpusched::policy::catalogue::{CatalogueConfig, Policy, catalogue_storage_bits};
///
/// let bits = |policy| catalogue_storage_bits(&CatalogueConfig { units: 64, ..CatalogueConfig::of(policy) });
/// assert_eq!([Policy::Rr, Policy::Bcs, Policy::Steal].map(|policy| bits(policy).total()), [4, 324, 53316]);
/// ```
#[must_use]
pub fn catalogue_storage_bits(config: &CatalogueConfig) -> CatalogueStorageBits {
    let &CatalogueConfig { n_smx, streams, .. } = config;
    let [n, units] = [n_smx, config.units].map(u64::from);
    let b = bits_for(n_smx);
    let rr = if config.has_rr() { b } else { 0 };
    let only = CatalogueStorageBits { pointers: rr, ..CatalogueStorageBits::default() };
    let with_pointers = |pointers| CatalogueStorageBits { pointers: rr + pointers, ..only };
    match config.policy {
        Policy::Rr
        | Policy::LowestFirst
        | Policy::Leftover
        | Policy::OldestParent
        | Policy::Affinity
        | Policy::DepthFirst
        | Policy::BreadthFirst => only,
        Policy::MostRoom => {
            let warps = config.threads.div_ceil(config.warp.max(1));
            let place = if config.order == Order::Listed { b } else { 0 };
            CatalogueStorageBits { smxs: n * (bits_for(warps + 1) + place), ..only }
        }
        Policy::Bcs => CatalogueStorageBits { units: units * (1 + b), ..only },
        Policy::Lcs => {
            let of_unit = bits_for(config.samples + 1) + 96 + (1 + n) * bits_for(config.slots + 1);
            CatalogueStorageBits { units: units * of_unit, ..only }
        }
        Policy::Chunked | Policy::Strided | Policy::Dist | Policy::BatchRr => {
            let domains = config.domains();
            let pointers = sum(domains, |domain: DomainId| config.in_domain(domain).len());
            if config.is_own() {
                let all = with_pointers(pointers + bits_for(domains));
                CatalogueStorageBits { units: units * u64::from(domains) * 32, ..all }
            } else {
                with_pointers(pointers)
            }
        }
        Policy::GpcFirst | Policy::TpcFirst => {
            let (gpcs, tpcs) = (config.groups(), config.tpcs());
            let of_gpcs = sum(gpcs, |gpc: GpcId| config.tpcs_in(gpc).len());
            with_pointers(bits_for(gpcs) + of_gpcs + sum(tpcs, |tpc: TpcId| config.in_tpc(tpc).len()))
        }
        Policy::Srk if config.metric == Metric::Time => CatalogueStorageBits { units: units * 33, ..only },
        Policy::Srk => only,
        Policy::FairStreams => {
            let deficits = (0..streams as usize).map(|slot| bits_for(2 * config.share(slot) + 1));
            CatalogueStorageBits { streams: deficits.sum(), ..with_pointers(bits_for(streams) + 1) }
        }
        Policy::Random => with_pointers(64),
        Policy::Steal => CatalogueStorageBits { units: units * (1 + 64 * n), ..only },
        Policy::Spatial => {
            CatalogueStorageBits { smxs: n * (1 + bits_for(streams)), ..with_pointers(bits_for(streams)) }
        }
    }
}

/// Bits of pointers over groups of these sizes.
fn sum<I: Id>(groups: u32, size: impl Fn(I) -> u32) -> u64 {
    (0..groups as usize).map(|group| bits_for(size(I::from_index(group)))).sum()
}
