//! Homes for the tables of [`Catalogue`](super::Catalogue): each policy has those that it needs.

use super::config::{CatalogueConfig, Metric, Policy};
use super::kept::Kept;
use super::lcs::Rate;
use super::srk::Pace;
use super::steal::Range;
use crate::base::home::tables;
use crate::base::id::{SmxId, id};

id! {
    /// A pointer of a domain, or of a GPC, and behind those of a TPC.
    pub(super) PointerId(u16)
}
id! {
    /// What a unit has of a domain or of an SMX.
    pub(super) PartId(u32)
}
id! {
    /// A slot of streams: stream mod `streams`.
    pub StreamSlot(u8)
}

tables! {
    /// Pointers into domains (`chunked` and its like), or of each GPC over its TPCs, then of each TPC over its SMXs.
    Pointers pointers: u16;
    /// `bcs`: the SMX of a unit's block.
    Homes homes: Kept<SmxId>;
    /// `lcs`: what is measured of a unit, and its limit.
    Rates rates: Kept<Rate>;
    /// `srk`, metric time: how long a TB of a unit takes.
    Paces paces: Kept<Pace>;
    /// Order own, `steal`: units of which something is in the next two tables.
    Splits splits: Kept<()>;
    /// Order own: TBs sent of each domain of each unit.
    Counts counts: u32;
    /// `steal`: what each SMX has of each unit.
    Ranges ranges: Range;
    /// `spatial`: the owner of each SMX.
    Owners owners: Option<StreamSlot>;
    /// `fair_streams`: what each slot of streams may still spend.
    Deficits deficits: u32;
}

impl TableSizes {
    /// What a configuration within its ranges needs.
    #[must_use]
    pub const fn of(config: &CatalogueConfig) -> Self {
        let units = config.units as usize;
        let pointers = match config.policy {
            Policy::Chunked | Policy::Strided | Policy::Dist | Policy::BatchRr => config.domains(),
            Policy::GpcFirst | Policy::TpcFirst => config.groups() + config.tpcs(),
            _ => 0,
        };
        let none = Self {
            pointers: pointers as usize,
            homes: 0,
            rates: 0,
            paces: 0,
            splits: 0,
            counts: 0,
            ranges: 0,
            owners: 0,
            deficits: 0,
        };
        match config.policy {
            Policy::Bcs => Self { homes: units, ..none },
            Policy::Lcs => Self { rates: units, ..none },
            Policy::Srk if matches!(config.metric, Metric::Time) => Self { paces: units, ..none },
            Policy::Steal => Self { splits: units, ranges: units.saturating_mul(config.n_smx as usize), ..none },
            Policy::Spatial => Self { owners: config.n_smx as usize, ..none },
            Policy::FairStreams => Self { deficits: config.streams as usize, ..none },
            _ if config.is_own() => {
                Self { splits: units, counts: units.saturating_mul(config.domains() as usize), ..none }
            }
            _ => none,
        }
    }
}

/// Makes a home of inline arrays for one configuration, a constant.
#[macro_export]
macro_rules! inline_catalogue_tables {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::policy::catalogue::tables as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                Pointers pointers: u16;
                Homes homes: $crate::policy::catalogue::Kept<$crate::SmxId>;
                Rates rates: $crate::policy::catalogue::Kept<$crate::policy::catalogue::Rate>;
                Paces paces: $crate::policy::catalogue::Kept<$crate::policy::catalogue::Pace>;
                Splits splits: $crate::policy::catalogue::Kept<()>;
                Counts counts: u32;
                Ranges ranges: $crate::policy::catalogue::Range;
                Owners owners: Option<$crate::policy::catalogue::StreamSlot>;
                Deficits deficits: u32;
            }
        };
    };
}
