//! The scoreboard of an SM.

use alloc::vec;
use alloc::vec::Vec;

use gpusched::BuildError;
use gpusched::simt::scoreboard::{Scoreboard, ScoreboardConfig, TableSet, TableSizes, Tables, WarpRegs};

/// Tables as vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapTables;

impl Tables for HeapTables {
    type Warps = Vec<WarpRegs>;
}

/// Tables with exactly the rows that `config`, within its ranges, needs.
#[must_use]
pub fn tables(config: &ScoreboardConfig) -> TableSet<HeapTables> {
    TableSet { warps: vec![WarpRegs::default(); TableSizes::of(config).warps] }
}

/// A machine with exactly the rows that `config` needs.
///
/// # Errors
/// A value out of its range; nothing is allocated then.
pub fn machine(config: &ScoreboardConfig) -> Result<Scoreboard<HeapTables>, BuildError> {
    config.check().map_err(BuildError::Config)?;
    Scoreboard::with_tables(config, tables(config))
}
