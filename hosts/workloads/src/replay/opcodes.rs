//! What the opcodes of a trace mean to the machine, each looked up once.

use gpusched_traces::isa::{Class, Isa, Space, base};
use std::collections::HashMap;

/// An opcode with its modifiers.
#[derive(Clone, Copy, Debug)]
pub struct Opcode {
    /// What kind of work it is; none if the generation does not know it.
    pub class: Option<Class>,
    /// Which memory it accesses.
    pub space: Option<Space>,
    /// The factors are of one word, product and sum of two.
    pub is_wide: bool,
    /// What it does that no class says.
    pub deed: Option<Deed>,
}

/// What an instruction does beside its work (workloads-RP6, workloads-RP7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// It copies from global to shared memory.
    Copy,
    /// Copies up to here are a group.
    Commit,
    /// It waits for groups of copies.
    Await,
    /// All warps of the TB wait for each other: to arrive alone is not to wait, and barriers of a cluster are not the TB's.
    Meet,
}

/// The opcodes of one generation that a trace has had.
#[derive(Debug)]
pub struct Opcodes {
    isa: &'static Isa,
    known: HashMap<String, Opcode>,
}

impl Opcodes {
    /// Of binaries of this version.
    pub fn of(binary_version: u32) -> Self {
        Self { isa: Isa::of(binary_version), known: HashMap::new() }
    }

    /// What an opcode means.
    pub fn get(&mut self, opcode: &str) -> Opcode {
        if let Some(&known) = self.known.get(opcode) {
            return known;
        }
        let deed = match base(opcode) {
            "LDGSTS" => Some(Deed::Copy),
            "LDGDEPBAR" => Some(Deed::Commit),
            "DEPBAR" => Some(Deed::Await),
            "BAR" if !opcode.contains(".ARV") => Some(Deed::Meet),
            _ => None,
        };
        let (class, space) = (self.isa.class(opcode), Space::of(opcode));
        let new = Opcode { class, space, is_wide: opcode.contains(".WIDE"), deed };
        self.known.insert(opcode.to_owned(), new);
        new
    }
}
