//! The controller of occupancy bubbles.

use alloc::vec;
use alloc::vec::Vec;

use gpusched::BuildError;
use gpusched::power::{BubbleConfig, BubbleDvfs, SmxLedger, SmxPower, TableSet, TableSizes, Tables};

/// Tables as vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapTables;

impl Tables for HeapTables {
    type Powers = Vec<SmxPower>;
    type Ledgers = Vec<SmxLedger>;
}

/// Tables with exactly the rows that `config` needs.
#[must_use]
pub fn tables(config: &BubbleConfig) -> TableSet<HeapTables> {
    let TableSizes { powers, ledgers } = TableSizes::of(config);
    TableSet { powers: vec![SmxPower::default(); powers], ledgers: vec![SmxLedger::default(); ledgers] }
}

/// A machine with exactly the rows that `config` needs.
///
/// # Errors
/// A value out of its range; nothing is allocated then.
pub fn machine(config: &BubbleConfig) -> Result<BubbleDvfs<HeapTables>, BuildError> {
    config.check().map_err(BuildError::Config)?;
    BubbleDvfs::with_tables(config, tables(config))
}
