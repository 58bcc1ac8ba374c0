//! The reconvergence stack of a warp (`models` S; 1.4.2 of the source).
//!
//! # What it models
//! After a divergent branch the lanes of a warp run one path, then the other, then go on together where the paths join. A stack holds
//! what is still to come: entries of a PC at which they end, a mask of lanes, and the PC where these go on.
//!
//! # Who drives it
//! The host says where each instruction led: to another PC ([`Stack::advance`]), to two ([`Stack::branch`]), or to the end of lanes
//! ([`Stack::exit`]). Each answer says what runs next.
//!
//! ```
//! use gpusched::inline_stack_tables;
//! use gpusched::simt::stack::{Branch, Stack, StackConfig};
//!
//! const FOUR: StackConfig = StackConfig::of_lanes(4);
//! inline_stack_tables! {
//!     struct Four = FOUR;
//! }
//! // A at 10 diverges to B at 20 (lanes 0, 1) and C at 30 (lanes 2, 3), which join at D at 40.
//! let mut warp = Stack::<Four>::new(&FOUR)?;
//! warp.init(10, 0b1111)?;
//! let b = warp.branch(&Branch { taken: 0b1100, taken_pc: 30, fall_pc: 20, reconv: Some(40) })?;
//! assert_eq!((b.pc, b.mask, b.depth), (20, 0b0011, 2));
//! let c = warp.advance(40)?;
//! assert_eq!((c.pc, c.mask, c.pops), (30, 0b1100, 1));
//! let d = warp.advance(40)?;
//! assert_eq!((d.pc, d.mask, d.depth), (40, 0b1111, 0));
//! assert!(warp.exit(0b1111)?.done);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How deep
//! Each nested divergence leaves at least one lane fewer and pushes at most two entries, so 2 * (lanes - 1) entries never overflow. A
//! smaller stack may refuse a divergent branch; the warp can then branch uniformly or exit, and nothing else.
//!
//! # What a refused call does
//! Nothing: every verb checks before it acts.

pub mod config;
#[cfg(feature = "image")]
mod image;
pub mod storage;
pub mod tables;
mod validate;

pub use config::{FirstPath, StackConfig};
#[cfg(feature = "image")]
pub use image::stack_image_config;
pub use storage::{StackStorageBits, stack_storage_bits};
pub use tables::{InlineTables, Reserved, TableSet, TableSizes, Tables};

use crate::base::error::Fault;
use crate::base::home::BuildError;
use crate::base::id::id;
use crate::base::table::Table;

/// The PC that is none.
pub const NO_PC: u32 = u32::MAX;

id! {
    /// A place of the stack, from the bottom.
    pub EntryId(u8)
}

/// Lanes that wait for their turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Entry {
    /// The PC at which what runs before them ends; `None`: only when all of its lanes have exited (models-S6).
    pub reconv: Option<u32>,
    /// The lanes.
    pub mask: u64,
    /// Where they go on.
    pub next: u32,
}

/// A branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Branch {
    /// Lanes that take it.
    pub taken: u64,
    /// Where they go.
    pub taken_pc: u32,
    /// Where the others go.
    pub fall_pc: u32,
    /// Where all of them meet again, if anywhere.
    pub reconv: Option<u32>,
}

/// What runs next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Running {
    /// Where.
    pub pc: u32,
    /// The lanes.
    pub mask: u64,
    /// Entries on the stack.
    pub depth: u32,
    /// Entries that this call popped.
    pub pops: u32,
    /// Whether all lanes have exited.
    pub done: bool,
}

/// The stack of a warp. With inline tables it is one plain value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stack<T: Tables> {
    config: StackConfig,
    entries: Table<EntryId, Entry, T::Entries>,
    depth: u8,
    pc: u32,
    mask: u64,
}

impl<T: InlineTables> Stack<T> {
    /// A warp that brings its own tables.
    ///
    /// # Errors
    /// A value out of its range, or a configuration that needs more entries than the home has.
    pub fn new(config: &StackConfig) -> Result<Self, BuildError> {
        Self::with_tables(config, T::empty())
    }
}

impl<T: Tables> Stack<T> {
    /// A warp on the given tables. It is not live yet.
    ///
    /// # Errors
    /// A value out of its range, or a table with fewer rows than [`TableSizes::of`] the configuration.
    pub fn with_tables(config: &StackConfig, tables: TableSet<T>) -> Result<Self, BuildError> {
        config.check().map_err(BuildError::Config)?;
        if let Some(small) = tables.shortage(&TableSizes::of(config)) {
            return Err(BuildError::Tables(small));
        }
        Ok(Self::empty(config, tables))
    }

    fn empty(config: &StackConfig, TableSet { entries }: TableSet<T>) -> Self {
        Self { config: *config, entries: Table::new(entries), depth: 0, pc: 0, mask: 0 }
    }

    /// Its configuration.
    #[must_use]
    pub fn config(&self) -> &StackConfig {
        &self.config
    }

    /// What runs now.
    #[must_use]
    pub fn running(&self) -> Running {
        self.after(0)
    }

    /// Where the warp is.
    #[must_use]
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// The lanes that run there.
    #[must_use]
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// Whether the warp has begun and has lanes left.
    #[must_use]
    pub fn is_live(&self) -> bool {
        // Settling leaves no lanes only to a warp that is done.
        self.mask != 0
    }

    /// The entries, from the bottom.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry> {
        (0..self.depth).map(|i| self.entries[EntryId(i)])
    }

    /// models-S1: the warp begins, whatever it was.
    ///
    /// # Errors
    /// `BadPc`; `BadMask` if it has no lanes, or lanes that there are not.
    pub fn init(&mut self, pc: u32, mask: u64) -> Result<Running, Fault> {
        check_pc(pc)?;
        if mask == 0 || mask & !self.config.all_lanes() != 0 {
            return Err(Fault::BadMask);
        }
        self.drop_to(0);
        (self.pc, self.mask) = (pc, mask);
        Ok(self.after(0))
    }

    /// models-S3: all of its lanes go on at `pc`.
    ///
    /// # Errors
    /// `WarpDone`, `BadPc`.
    pub fn advance(&mut self, pc: u32) -> Result<Running, Fault> {
        self.check_live()?;
        check_pc(pc)?;
        self.pc = pc;
        Ok(self.settle())
    }

    /// models-S4: some of its lanes may go elsewhere.
    ///
    /// # Errors
    /// `WarpDone`, `BadPc`; `BadMask` if lanes take it that do not run; `StackOverflow`.
    pub fn branch(&mut self, branch: &Branch) -> Result<Running, Fault> {
        self.check_live()?;
        let &Branch { taken, taken_pc, fall_pc, reconv } = branch;
        check_pc(taken_pc)?;
        check_pc(fall_pc)?;
        let reconv = reconv.filter(|&pc| pc != NO_PC);
        if taken & !self.mask != 0 {
            return Err(Fault::BadMask);
        }
        let fall = self.mask & !taken;
        if taken == 0 || fall == 0 || taken_pc == fall_pc {
            self.pc = if taken == 0 { fall_pc } else { taken_pc };
            return Ok(self.settle());
        }
        let ((pc, mask), (other_pc, other)) = match self.config.first {
            FirstPath::Fall => ((fall_pc, fall), (taken_pc, taken)),
            FirstPath::Taken => ((taken_pc, taken), (fall_pc, fall)),
        };
        let joins_already = self.config.compact && self.top().is_some_and(|top| top.reconv == reconv);
        let join = reconv.filter(|_| !joins_already).map(|next| Entry { reconv, mask: self.mask, next });
        let is_join = self.config.compact && reconv == Some(other_pc);
        let path = (!is_join).then_some(Entry { reconv, mask: other, next: other_pc });
        let pushes = u32::from(join.is_some()) + u32::from(path.is_some());
        if u32::from(self.depth) + pushes > self.config.depth {
            return Err(Fault::StackOverflow);
        }
        for entry in [join, path].into_iter().flatten() {
            self.push(entry);
        }
        (self.pc, self.mask) = (pc, mask);
        Ok(self.settle())
    }

    /// models-S5 (models-A10): lanes end.
    ///
    /// # Errors
    /// `WarpDone`; `BadMask` if there are none, or one does not run.
    pub fn exit(&mut self, lanes: u64) -> Result<Running, Fault> {
        self.check_live()?;
        if lanes == 0 || lanes & !self.mask != 0 {
            return Err(Fault::BadMask);
        }
        self.mask &= !lanes;
        for i in 0..self.depth {
            self.entries[EntryId(i)].mask &= !lanes;
        }
        Ok(if self.mask == 0 { self.settle() } else { self.after(0) })
    }

    /// models-S2: pops until some lanes run that have not come to where they join others.
    fn settle(&mut self) -> Running {
        let before = self.depth;
        while let Some(top) = self.top()
            && (self.mask == 0 || top.reconv == Some(self.pc))
        {
            (self.mask, self.pc) = (top.mask, top.next);
            self.drop_to(self.depth - 1);
        }
        self.after(before - self.depth)
    }

    /// What runs after a call that popped so many entries.
    fn after(&self, pops: u8) -> Running {
        let &Self { pc, mask, depth, .. } = self;
        Running { pc, mask, depth: depth.into(), pops: pops.into(), done: mask == 0 }
    }

    fn top(&self) -> Option<Entry> {
        self.depth.checked_sub(1).map(|i| self.entries[EntryId(i)])
    }

    fn push(&mut self, entry: Entry) {
        self.entries[EntryId(self.depth)] = entry;
        self.depth += 1;
    }

    /// Forgets the entries from this depth on: places that are free are equal.
    fn drop_to(&mut self, depth: u8) {
        for i in depth..self.depth {
            self.entries[EntryId(i)] = Entry::default();
        }
        self.depth = depth;
    }

    fn check_live(&self) -> Result<(), Fault> {
        if self.is_live() { Ok(()) } else { Err(Fault::WarpDone) }
    }
}

fn check_pc(pc: u32) -> Result<(), Fault> {
    if pc == NO_PC { Err(Fault::BadPc) } else { Ok(()) }
}
