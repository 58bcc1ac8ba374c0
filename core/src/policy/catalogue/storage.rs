//! What the hardware would cost: bits of storage, as the sheet lays them out.

use super::config::{CatalogueConfig, Metric, Order, Policy};
use super::topology::{DomainId, GpcId, TpcId};
use crate::base::id::Id;
use crate::base::storage::bits_for;

/// Storage of a policy with this configuration, in bits.
///
/// ```
/// use gpusched::policy::catalogue::{CatalogueConfig, Policy, catalogue_storage_bits};
///
/// let bits = |policy| catalogue_storage_bits(&CatalogueConfig { units: 64, ..CatalogueConfig::of(policy) });
/// assert_eq!([Policy::Rr, Policy::Bcs, Policy::Steal].map(bits), [4, 324, 53316]);
/// ```
#[must_use]
pub fn catalogue_storage_bits(config: &CatalogueConfig) -> u64 {
    let &CatalogueConfig { n_smx, units, slots, streams, .. } = config;
    let [n, units_64] = [n_smx, units].map(u64::from);
    let b = bits_for(n_smx);
    let rr = if config.has_rr() { b } else { 0 };
    let beside = match config.policy {
        Policy::Rr
        | Policy::LowestFirst
        | Policy::Leftover
        | Policy::OldestParent
        | Policy::Affinity
        | Policy::DepthFirst
        | Policy::BreadthFirst => 0,
        Policy::MostRoom => {
            let warps = config.threads.div_ceil(config.warp.max(1));
            n * bits_for(warps + 1) + if config.order == Order::Listed { n * b } else { 0 }
        }
        Policy::Bcs => units_64 * (1 + b),
        Policy::Lcs => {
            let of_unit = bits_for(config.samples + 1) + 96 + (1 + n) * bits_for(slots + 1);
            units_64 * of_unit
        }
        Policy::Chunked | Policy::Strided | Policy::Dist | Policy::BatchRr => {
            let domains = config.domains();
            let own = units_64 * u64::from(domains) * 32 + bits_for(domains);
            let pointers = sum(domains, |domain: DomainId| config.in_domain(domain).len());
            pointers + if config.is_own() { own } else { 0 }
        }
        Policy::GpcFirst | Policy::TpcFirst => {
            let (gpcs, tpcs) = (config.groups(), config.tpcs());
            let of_gpcs = sum(gpcs, |gpc: GpcId| config.tpcs_in(gpc).len());
            bits_for(gpcs) + of_gpcs + sum(tpcs, |tpc: TpcId| config.in_tpc(tpc).len())
        }
        Policy::Srk if config.metric == Metric::Time => units_64 * 33,
        Policy::Srk => 0,
        Policy::FairStreams => {
            let deficits = (0..streams as usize).map(|slot| bits_for(2 * config.share(slot) + 1));
            deficits.sum::<u64>() + bits_for(streams) + 1
        }
        Policy::Random => 64,
        Policy::Steal => units_64 * (1 + 64 * n),
        Policy::Spatial => bits_for(streams) + n * (1 + bits_for(streams)),
    };
    rr + beside
}

/// Bits of pointers over groups of these sizes.
fn sum<I: Id>(groups: u32, size: impl Fn(I) -> u32) -> u64 {
    (0..groups as usize).map(|group| bits_for(size(I::from_index(group)))).sum()
}
