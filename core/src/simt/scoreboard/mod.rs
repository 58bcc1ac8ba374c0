//! The scoreboard of an SM: which registers of which warp wait for a result (`models` B; 1.4.1 and 1.4.3 of the source).
//!
//! # What it models
//! An instruction issues if none of its sources and not its destination is pending; the destination is then, until it is written back.
//! So a load holds its warp back only at the first instruction that needs what it loads, and a warp has several loads in flight.
//!
//! # Who drives it
//! A host's issue stage asks for each instruction, its execution units write back, and a warp that ends is flushed:
//!
//! ```
//! use gpusched::inline_scoreboard_tables;
//! use gpusched::simt::scoreboard::{Hazard, Issue, Issued, RegId, Scoreboard, ScoreboardConfig, Stall, WarpId};
//!
//! const TWO: ScoreboardConfig = ScoreboardConfig { warps: 2, regs: 16, ..ScoreboardConfig::GTX480 };
//! inline_scoreboard_tables! {
//!     struct Two = TWO;
//! }
//! let mut board = Scoreboard::<Two>::new(&TWO)?;
//! let [r0, r1, r2] = [RegId(0), RegId(1), RegId(2)];
//! let load = board.issue(WarpId(0), &[r0], Some(r1), true)?;
//! assert_eq!(load, Issue::Issued(Issued { pending: 1, mem_in_flight: 1 }));
//! let add = board.issue(WarpId(0), &[r1], Some(r2), false)?;
//! assert_eq!(add, Issue::Stall(Stall { hazard: Hazard::Raw, reg: Some(r1) }));
//! board.writeback(WarpId(0), r1)?;
//! assert!(matches!(board.issue(WarpId(0), &[r1], Some(r2), false)?, Issue::Issued(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a refused call does
//! Nothing, and neither does a stall. A writeback that is lost holds its warp back for ever, which shows as a stall; flush it.

pub mod config;
#[cfg(feature = "image")]
mod image;
pub mod storage;
pub mod tables;
mod validate;

pub use config::ScoreboardConfig;
#[cfg(feature = "image")]
pub use image::scoreboard_image_config;
pub use storage::{ScoreboardStorageBits, scoreboard_storage_bits};
pub use tables::{InlineTables, Reserved, TableSet, TableSizes, Tables};

use crate::base::error::Fault;
use crate::base::home::BuildError;
use crate::base::id::id;
use crate::base::set::IdSet;
use crate::base::table::Table;

id! {
    /// A warp of the SM, 0..warps.
    pub WarpId(u8)
}
id! {
    /// A register of a warp, 0..regs.
    pub RegId(u16)
}

/// Sources of an instruction at most.
pub const MAX_SOURCES: usize = 4;

/// Registers of a warp that are pending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WarpRegs {
    /// Registers that wait for a result.
    pub pending: IdSet<RegId>,
    /// Those of them that wait for memory.
    pub memory: IdSet<RegId>,
    /// How many are pending.
    pub(crate) count: u16,
}

/// Registers of a warp that are pending, as sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Waits {
    /// Registers that wait for a result. Bit b of word w is register 64w + b.
    pub pending: IdSet<RegId>,
    /// Those of them that wait for memory.
    pub memory: IdSet<RegId>,
}

/// What is pending after a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Issued {
    /// Registers of this warp.
    pub pending: u32,
    /// Registers of all warps that wait for memory.
    pub mem_in_flight: u32,
}

/// Why an instruction does not issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Hazard {
    /// It would read a register before its result is there.
    Raw,
    /// It would write a register while another result is on its way.
    Waw,
    /// No entry is free for its destination.
    Full,
}

/// An instruction that does not issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stall {
    /// Why.
    pub hazard: Hazard,
    /// The register that it waits for, if it waits for one.
    pub reg: Option<RegId>,
}

impl Stall {
    const FULL: Self = Self { hazard: Hazard::Full, reg: None };

    const fn raw(reg: RegId) -> Self {
        Self { hazard: Hazard::Raw, reg: Some(reg) }
    }

    const fn waw(reg: RegId) -> Self {
        Self { hazard: Hazard::Waw, reg: Some(reg) }
    }
}

/// What becomes of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Issue {
    /// It issues.
    Issued(Issued),
    /// It waits. Nothing has changed.
    Stall(Stall),
}

/// The scoreboard of an SM. With inline tables it is one plain value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scoreboard<T: Tables> {
    config: ScoreboardConfig,
    warps: Table<WarpId, WarpRegs, T::Warps>,
    mem_in_flight: u32,
}

impl<T: InlineTables> Scoreboard<T> {
    /// A scoreboard that brings its own tables.
    ///
    /// # Errors
    /// A value out of its range, or a configuration that needs more rows than the home has.
    pub fn new(config: &ScoreboardConfig) -> Result<Self, BuildError> {
        Self::with_tables(config, T::empty())
    }
}

impl<T: Tables> Scoreboard<T> {
    /// A scoreboard on the given tables.
    ///
    /// # Errors
    /// A value out of its range, or a table with fewer rows than [`TableSizes::of`] the configuration.
    pub fn with_tables(config: &ScoreboardConfig, tables: TableSet<T>) -> Result<Self, BuildError> {
        config.check().map_err(BuildError::Config)?;
        if let Some(small) = tables.shortage(&TableSizes::of(config)) {
            return Err(BuildError::Tables(small));
        }
        Ok(Self::empty(config, tables))
    }

    fn empty(config: &ScoreboardConfig, TableSet { warps }: TableSet<T>) -> Self {
        Self { config: *config, warps: Table::new(warps), mem_in_flight: 0 }
    }

    /// Its configuration.
    #[must_use]
    pub fn config(&self) -> &ScoreboardConfig {
        &self.config
    }

    /// Registers of all warps that wait for memory.
    #[must_use]
    pub fn mem_in_flight(&self) -> u32 {
        self.mem_in_flight
    }

    /// What a warp waits for; `None` if there is no such warp.
    #[must_use]
    pub fn warp(&self, warp: WarpId) -> Option<&WarpRegs> {
        self.check_warp(warp).ok().map(|()| &self.warps[warp])
    }

    /// The registers of a warp that are pending; `None` if there is no such warp.
    #[must_use]
    pub fn waits(&self, warp: WarpId) -> Option<Waits> {
        self.warp(warp).map(|&WarpRegs { pending, memory, .. }| Waits { pending, memory })
    }

    /// models-B1: an instruction of a warp wants to issue, which reads `sources`, tested in this order, and writes `destination`; `memory`
    /// says whether that comes from memory.
    ///
    /// # Errors
    /// `BadWarp`; `BadArg` if it has more sources than four ([`MAX_SOURCES`]); `BadReg`.
    #[inline]
    pub fn issue(
        &mut self,
        warp: WarpId,
        sources: &[RegId],
        destination: Option<RegId>,
        memory: bool,
    ) -> Result<Issue, Fault> {
        if let Some(stall) = self.would_stall(warp, sources, destination)? {
            return Ok(Issue::Stall(stall));
        }
        let row = &mut self.warps[warp];
        if let Some(register) = destination {
            row.pending.set(register, true);
            row.count += 1;
            if memory {
                row.memory.set(register, true);
                self.mem_in_flight += 1;
            }
        }
        Ok(Issue::Issued(Issued { pending: row.count.into(), mem_in_flight: self.mem_in_flight }))
    }

    /// models-B1, for a host whose instructions read and write sets of registers. The lowest register that an instruction waits for is
    /// told.
    ///
    /// # Errors
    /// `BadWarp`, `BadReg`.
    #[inline]
    pub fn issue_sets(
        &mut self,
        warp: WarpId,
        sources: &IdSet<RegId>,
        destinations: &IdSet<RegId>,
        memory: bool,
    ) -> Result<Issue, Fault> {
        self.check_warp(warp)?;
        let used = sources.or(destinations);
        self.check_registers(&used)?;
        let entries = self.config.entries;
        let row = &mut self.warps[warp];
        if !used.and(&row.pending).is_empty() {
            let lowest = |set: &IdSet<RegId>| set.and(&row.pending).at_or_above(0);
            if let Some(register) = lowest(sources) {
                return Ok(Issue::Stall(Stall::raw(register)));
            }
            if let Some(register) = lowest(destinations) {
                return Ok(Issue::Stall(Stall::waw(register)));
            }
        }
        let new = destinations.len();
        if new > 0 && entries > 0 && u32::from(row.count) + new > entries {
            return Ok(Issue::Stall(Stall::FULL));
        }
        row.pending = row.pending.or(destinations);
        row.count += new as u16;
        if memory {
            row.memory = row.memory.or(destinations);
            self.mem_in_flight += new;
        }
        Ok(Issue::Issued(Issued { pending: row.count.into(), mem_in_flight: self.mem_in_flight }))
    }

    /// models-B2, for a set of results.
    ///
    /// # Errors
    /// `BadWarp`, `BadReg`; `NotPending` unless all of them are.
    #[inline]
    pub fn writeback_set(&mut self, warp: WarpId, registers: &IdSet<RegId>) -> Result<Issued, Fault> {
        self.check_warp(warp)?;
        self.check_registers(registers)?;
        let row = &mut self.warps[warp];
        if !registers.without(&row.pending).is_empty() {
            return Err(Fault::NotPending);
        }
        let loaded = row.memory.and(registers);
        if !loaded.is_empty() {
            self.mem_in_flight -= loaded.len();
            row.memory = row.memory.without(&loaded);
        }
        row.pending = row.pending.without(registers);
        row.count -= registers.len() as u16;
        Ok(Issued { pending: row.count.into(), mem_in_flight: self.mem_in_flight })
    }

    /// Why an instruction would not issue now; `None` if it would.
    ///
    /// # Errors
    /// Those of [`Scoreboard::issue`].
    #[inline]
    pub fn would_stall(
        &self,
        warp: WarpId,
        sources: &[RegId],
        destination: Option<RegId>,
    ) -> Result<Option<Stall>, Fault> {
        self.check_warp(warp)?;
        if sources.len() > MAX_SOURCES {
            return Err(Fault::BadArg);
        }
        sources.iter().chain(&destination).try_for_each(|&register| self.check_register(register))?;
        let row = &self.warps[warp];
        if let Some(&register) = sources.iter().find(|&&register| row.pending.contains(register)) {
            return Ok(Some(Stall::raw(register)));
        }
        let Some(register) = destination else { return Ok(None) };
        if row.pending.contains(register) {
            return Ok(Some(Stall::waw(register)));
        }
        let entries = self.config.entries;
        Ok((entries > 0 && u32::from(row.count) >= entries).then_some(Stall::FULL))
    }

    /// models-B2: a result is written.
    ///
    /// # Errors
    /// `BadWarp`, `BadReg`, `NotPending`.
    pub fn writeback(&mut self, warp: WarpId, reg: RegId) -> Result<Issued, Fault> {
        self.check_warp(warp)?;
        self.check_register(reg)?;
        let row = &mut self.warps[warp];
        if !row.pending.contains(reg) {
            return Err(Fault::NotPending);
        }
        row.pending.set(reg, false);
        row.count -= 1;
        if row.memory.contains(reg) {
            row.memory.set(reg, false);
            self.mem_in_flight -= 1;
        }
        Ok(Issued { pending: row.count.into(), mem_in_flight: self.mem_in_flight })
    }

    /// models-B2: nothing of a warp is pending any more. How many registers were.
    ///
    /// # Errors
    /// `BadWarp`.
    pub fn flush(&mut self, warp: WarpId) -> Result<u32, Fault> {
        self.check_warp(warp)?;
        let row = core::mem::take(&mut self.warps[warp]);
        self.mem_in_flight -= row.memory.len();
        Ok(row.count.into())
    }

    fn check_warp(&self, warp: WarpId) -> Result<(), Fault> {
        if u32::from(warp) < self.config.warps { Ok(()) } else { Err(Fault::BadWarp) }
    }

    fn check_registers(&self, registers: &IdSet<RegId>) -> Result<(), Fault> {
        registers.last().map_or(Ok(()), |last| self.check_register(last))
    }

    fn check_register(&self, register: RegId) -> Result<(), Fault> {
        if u32::from(register) < self.config.regs { Ok(()) } else { Err(Fault::BadReg) }
    }
}
