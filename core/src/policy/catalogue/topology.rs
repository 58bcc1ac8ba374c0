//! Which SMX belongs to which TPC, GPC and domain.

use super::config::{CatalogueConfig, Domain, Policy};
use crate::base::id::{Id, SmxId, id};
use crate::base::set::{IdSet, SmxSet};

id! {
    /// A TPC: SMXs that share an instruction cache, from 0.
    pub TpcId(u8)
}
id! {
    /// A GPC: TPCs that share a raster unit, or a module of a GPU that has several, from 0.
    pub GpcId(u8)
}
id! {
    /// What TBs are divided among: an SMX, a TPC or a GPC, by number.
    pub DomainId(u16)
}

/// SMXs of a TPC if nobody says.
const OF_TPC: u16 = 2;
/// SMXs of a GPC if nobody says.
const OF_GPC: u16 = 4;

impl CatalogueConfig {
    /// All SMXs, lowest first.
    pub(super) fn smxs(&self) -> impl Iterator<Item = SmxId> + use<> {
        (0..self.n_smx as u16).map(SmxId)
    }

    /// All SMXs.
    pub(super) fn all(&self) -> SmxSet {
        SmxSet::first(self.n_smx)
    }

    /// The SMXs of which something is true.
    pub(super) fn smxs_with(&self, is_in: impl Fn(SmxId) -> bool) -> SmxSet {
        set_of(self.smxs().filter(|s| is_in(*s)))
    }

    /// The TPC of an SMX.
    #[must_use]
    pub fn tpc_of(&self, smx: SmxId) -> TpcId {
        TpcId(self.tpc.get(smx.0.into()).unwrap_or((smx.0 / OF_TPC) as u8))
    }

    /// The GPC of an SMX.
    #[must_use]
    pub fn gpc_of(&self, smx: SmxId) -> GpcId {
        GpcId(self.gpc.get(smx.0.into()).unwrap_or((smx.0 / OF_GPC) as u8))
    }

    /// How many TPCs there are.
    #[must_use]
    pub const fn tpcs(&self) -> u32 {
        self.tpc.numbered(self.n_smx, OF_TPC as u32)
    }

    /// How many GPCs there are.
    #[must_use]
    pub const fn gpcs(&self) -> u32 {
        self.gpc.numbered(self.n_smx, OF_GPC as u32)
    }

    /// How many domains there are.
    #[must_use]
    pub const fn domains(&self) -> u32 {
        match self.domain {
            Domain::Smx => self.n_smx,
            Domain::Tpc => self.tpcs(),
            Domain::Gpc => self.gpcs(),
        }
    }

    /// The domain of an SMX.
    #[must_use]
    pub fn domain_of(&self, smx: SmxId) -> DomainId {
        match self.domain {
            Domain::Smx => DomainId(smx.0),
            Domain::Tpc => DomainId(self.tpc_of(smx).0.into()),
            Domain::Gpc => DomainId(self.gpc_of(smx).0.into()),
        }
    }

    /// The SMXs of a domain.
    pub(super) fn in_domain(&self, domain: DomainId) -> SmxSet {
        match self.domain {
            Domain::Smx => set_of([SmxId(domain.0)].into_iter()),
            _ => self.smxs_with(|s| self.domain_of(s) == domain),
        }
    }

    /// The GPC under which `gpc_first` and `tpc_first` see an SMX: the latter one sees one GPC with all TPCs.
    pub(super) fn group_of(&self, smx: SmxId) -> GpcId {
        if self.policy == Policy::TpcFirst { GpcId(0) } else { self.gpc_of(smx) }
    }

    /// How many of them there are.
    pub(super) const fn groups(&self) -> u32 {
        if matches!(self.policy, Policy::TpcFirst) { 1 } else { self.gpcs() }
    }

    /// The TPCs of a GPC, in this sense.
    pub(super) fn tpcs_in(&self, group: GpcId) -> IdSet<TpcId> {
        set_of(self.smxs().filter(|s| self.group_of(*s) == group).map(|s| self.tpc_of(s)))
    }

    /// The SMXs of a TPC.
    pub(super) fn in_tpc(&self, tpc: TpcId) -> SmxSet {
        self.smxs_with(|s| self.tpc_of(s) == tpc)
    }
}

/// The set of some ids.
pub(super) fn set_of<I: Id>(ids: impl Iterator<Item = I>) -> IdSet<I> {
    let mut set = IdSet::EMPTY;
    ids.for_each(|id| set.set(id, true));
    set
}
