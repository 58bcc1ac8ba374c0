//! The tables of the catalogue's policies.

use alloc::vec;
use alloc::vec::Vec;

use gpusched::policy::catalogue::{
    Catalogue, CatalogueConfig, Kept, Pace, Range, Rate, StreamSlot, TableSet, TableSizes, Tables,
};
use gpusched::{BuildError, SmxId};

/// Tables as vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapTables;

impl Tables for HeapTables {
    type Pointers = Vec<u16>;
    type Homes = Vec<Kept<SmxId>>;
    type Rates = Vec<Kept<Rate>>;
    type Paces = Vec<Kept<Pace>>;
    type Splits = Vec<Kept<()>>;
    type Counts = Vec<u32>;
    type Ranges = Vec<Range>;
    type Owners = Vec<Option<StreamSlot>>;
    type Deficits = Vec<u32>;
}

/// Tables with exactly the rows that `config` needs.
#[must_use]
pub fn tables(config: &CatalogueConfig) -> TableSet<HeapTables> {
    let TableSizes { pointers, homes, rates, paces, splits, counts, ranges, owners, deficits } = TableSizes::of(config);
    TableSet {
        pointers: vec![0; pointers],
        homes: vec![Kept::default(); homes],
        rates: vec![Kept::default(); rates],
        paces: vec![Kept::default(); paces],
        splits: vec![Kept::default(); splits],
        counts: vec![0; counts],
        ranges: vec![Range::default(); ranges],
        owners: vec![None; owners],
        deficits: vec![0; deficits],
    }
}

/// A policy with exactly the rows that `config` needs.
///
/// # Errors
/// A parameter that is wrong; nothing is allocated then.
pub fn machine(config: &CatalogueConfig) -> Result<Catalogue<HeapTables>, BuildError> {
    config.check().map_err(BuildError::Config)?;
    Catalogue::with_tables(config, tables(config))
}
