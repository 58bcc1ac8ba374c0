//! What a compiled library defines, exports and wants from elsewhere: how tests hold a release build to being freestanding and
//! free of panics, for whatever machine it was built.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use gpusched_gen::{House, functions};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol, SymbolScope};

/// What a freestanding program must bring itself, without the underscores that some systems put first.
const FREESTANDING: &[&str] = &["memcpy", "memmove", "memset", "memcmp", "bcmp", "GLOBAL_OFFSET_TABLE_"];

/// What the linker and the dynamic loader of a shared object say to each other.
const LOADER: &[&str] = &["ITM_deregisterTMCloneTable", "ITM_registerTMCloneTable", "cxa_finalize", "gmon_start__"];

/// Parts of the names of functions that a library without panics, allocator and `std` has not, nor wants. Every path that panics
/// leads through one of the first two (`panic_bounds_check`, `unwrap_failed`, `slice_index_fail`): these are never inlined.
const FORBIDDEN: &[&str] = &["panic", "_fail", "begin_unwind", "eh_personality", "Unwind_", "alloc", "3std"];

/// Names of a library, without leading underscores.
#[derive(Debug, Default)]
pub struct Symbols {
    /// All that it defines.
    pub defined: BTreeSet<String>,
    /// Those that other libraries and programs see.
    pub exported: BTreeSet<String>,
    /// Those that it does not define and the compiler's helpers beside it do not either.
    pub wanted: BTreeSet<String>,
}

impl Symbols {
    /// Those of a static library. Objects of the compiler's own arithmetic and memory helpers, which every static library of Rust
    /// carries along, count only as what they offer.
    ///
    /// # Errors
    /// The file cannot be read, or is no static library.
    pub fn of_archive(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let archive = ArchiveFile::parse(&*bytes).with_context(|| path.display().to_string())?;
        let (mut library, mut helpers) = (Self::default(), Self::default());
        for member in archive.members() {
            let member = member?;
            let helper = member.name().starts_with(b"compiler_builtins");
            // An archive may also hold what is no object, such as the compiler's own notes.
            if let Ok(object) = object::File::parse(member.data(&*bytes)?) {
                if helper { &mut helpers } else { &mut library }.add(object.symbols());
            }
        }
        library.wanted.retain(|name| !library.defined.contains(name) && !helpers.defined.contains(name));
        Ok(library)
    }

    /// Those of a shared object (ELF).
    ///
    /// # Errors
    /// The file cannot be read, or is no object.
    pub fn of_shared(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let object = object::File::parse(&*bytes).with_context(|| path.display().to_string())?;
        let (mut all, mut dynamic) = (Self::default(), Self::default());
        all.add(object.symbols());
        dynamic.add(object.dynamic_symbols());
        dynamic.wanted.retain(|name| !LOADER.contains(&name.as_str()));
        Ok(Self { defined: all.defined, exported: dynamic.exported, wanted: dynamic.wanted })
    }

    fn add<'a>(&mut self, symbols: impl Iterator<Item = object::Symbol<'a, 'a>>) {
        for symbol in symbols {
            // Versioned names of shared objects, such as memcpy@GLIBC_2.14, are told without their version.
            let name = symbol.name().unwrap_or_default().trim_start_matches('_').split('@').next().unwrap_or_default();
            if name.is_empty() {
                continue;
            }
            if symbol.is_undefined() {
                self.wanted.insert(name.to_owned());
                continue;
            }
            self.defined.insert(name.to_owned());
            if symbol.is_global() && symbol.scope() == SymbolScope::Dynamic {
                self.exported.insert(name.to_owned());
            }
        }
    }

    /// What it has that a library without panics, allocator and `std` has not.
    #[must_use]
    pub fn forbidden(&self) -> Vec<&str> {
        let names = self.defined.iter().chain(&self.wanted);
        names.map(String::as_str).filter(|name| FORBIDDEN.iter().any(|part| name.contains(part))).collect()
    }

    /// What it wants from elsewhere that a freestanding program does not have.
    #[must_use]
    pub fn foreign(&self) -> Vec<&str> {
        self.wanted.iter().map(String::as_str).filter(|name| !FREESTANDING.contains(name)).collect()
    }

    /// Everything that keeps it from being libgpusched as C programs may expect it, one sentence each.
    ///
    /// # Errors
    /// The C header cannot be read.
    pub fn complaints(&self) -> Result<Vec<String>> {
        let declared = functions(&House::own().header_text()?);
        let missing = declared.difference(&self.exported).map(|name| format!("{name} is declared and not exported"));
        let extra = self.exported.difference(&declared).map(|name| format!("{name} is exported and not declared"));
        let forbidden =
            self.forbidden().into_iter().map(|name| format!("{name} is part of a panic, an allocator or std"));
        let foreign = self.foreign().into_iter().map(|name| format!("{name} is wanted from elsewhere"));
        Ok(missing.chain(extra).chain(forbidden).chain(foreign).collect())
    }
}
