//! What opcodes do: a table by generation of GPUs, in `opcodes.toml`.
//!
//! Names follow the lists of instructions in NVIDIA's documentation of its binary tools, one for each generation. To which class a name
//! belongs is ours: the unit that carries it out, as far as that is public.
//!
//! ```
//! use gpusched_traces::isa::{Class, Isa, Space};
//!
//! let volta = Isa::of(70);
//! assert_eq!(volta.class("FFMA.FTZ"), Some(Class::Single));
//! assert_eq!(volta.class("UIADD3"), None); // Turing was the first with a uniform datapath.
//! assert_eq!(Space::of("LDS.128"), Some(Space::Shared));
//! ```

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::OnceLock;

/// What kind of work an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Floating point of 32 bits.
    Single,
    /// Floating point of 16 bits, two at a time.
    Half,
    /// Floating point of 64 bits.
    Double,
    /// Integers, bits and comparisons of them.
    Integer,
    /// Moves, conversions, predicates, votes, shuffles: what computes nothing new.
    Move,
    /// Special functions: reciprocals, roots, sines.
    Special,
    /// Products of small matrices.
    Tensor,
    /// Textures and surfaces.
    Texture,
    /// What is done once for the warp, on a datapath of its own.
    Uniform,
    /// Branches, calls, and what keeps track of threads that part.
    Branch,
    /// Loads.
    Load,
    /// Stores.
    Store,
    /// Atomics and reductions in memory.
    Atomic,
    /// Copies that one thread starts for many bytes.
    Bulk,
    /// Fences and control of caches.
    Fence,
    /// Barriers of a TB or a cluster.
    Barrier,
    /// Waits for what the warp itself has started.
    Wait,
    /// The end of threads.
    Exit,
}

/// Which memory an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Space {
    /// Global memory.
    Global,
    /// Local memory: a thread's own, such as its stack.
    Local,
    /// Shared memory of a TB.
    Shared,
    /// Any of these: the address tells which.
    Generic,
    /// Constants.
    Constant,
}

impl Space {
    /// The memory that an opcode accesses, by its name; none for those that access none, or through the texture unit.
    pub fn of(opcode: &str) -> Option<Self> {
        Some(match base(opcode) {
            "LDG" | "STG" | "ATOMG" | "RED" | "LDGSTS" | "REDG" => Self::Global,
            "LDL" | "STL" => Self::Local,
            "LDS" | "STS" | "ATOMS" | "LDSM" | "STSM" | "LDSLK" | "STSCUL" => Self::Shared,
            "LD" | "ST" | "ATOM" => Self::Generic,
            "LDC" | "ULDC" => Self::Constant,
            _ => return None,
        })
    }
}

/// The name without its modifiers: `LDG` of `LDG.E.128`.
pub fn base(opcode: &str) -> &str {
    opcode.split_once('.').map_or(opcode, |(base, _)| base)
}

/// The opcodes of a generation.
#[derive(Debug)]
pub struct Isa {
    /// Its name, such as `volta`.
    pub generation: String,
    binaries: Vec<u32>,
    classes: HashMap<String, Class, foldhash::fast::FixedState>,
}

impl Isa {
    /// The opcodes of binaries of this version (70 for sm_70). For a version that is not known, those of the newest generation that is
    /// not newer, or of the oldest: [`knows`](Isa::knows) tells.
    pub fn of(binary_version: u32) -> &'static Self {
        let all = generations();
        let knows = all.iter().find(|isa| isa.knows(binary_version));
        let before = || all.iter().rev().find(|isa| isa.binaries.iter().any(|&binary| binary <= binary_version));
        knows.or_else(before).unwrap_or(&all[0])
    }

    /// Whether binaries of this version are of this generation.
    pub fn knows(&self, binary_version: u32) -> bool {
        self.binaries.contains(&binary_version)
    }

    /// The class of an opcode, with or without modifiers; none for one that this generation does not have.
    pub fn class(&self, opcode: &str) -> Option<Class> {
        self.classes.get(base(opcode)).copied()
    }
}

/// A generation in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: String,
    binaries: Vec<u32>,
    /// The generation whose opcodes it has, too.
    like: Option<String>,
    /// Opcodes by class, separated by blanks.
    opcodes: HashMap<Class, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    generation: Vec<Table>,
}

/// All generations, the oldest first.
fn generations() -> &'static [Isa] {
    static ALL: OnceLock<Vec<Isa>> = OnceLock::new();
    ALL.get_or_init(|| {
        let file: File = toml::from_str(include_str!("opcodes.toml")).expect("the file is this crate's own");
        let mut all: Vec<Isa> = Vec::new();
        for Table { name, binaries, like, opcodes } in file.generation {
            let older = like.and_then(|like| all.iter().find(|isa| isa.generation == like));
            let mut classes = older.map(|isa| isa.classes.clone()).unwrap_or_default();
            for (class, words) in opcodes {
                classes.extend(words.split_ascii_whitespace().map(|word| (word.to_owned(), class)));
            }
            all.push(Isa { generation: name, binaries, classes });
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generation_has_its_own_binaries_and_opcodes() {
        let mut seen = std::collections::BTreeSet::new();
        for isa in generations() {
            assert!(isa.classes.len() > 90, "{}: {}", isa.generation, isa.classes.len());
            for &binary in &isa.binaries {
                assert!(seen.insert(binary), "{binary} is of two generations");
                assert_eq!(Isa::of(binary).generation, isa.generation);
            }
        }
        assert_eq!(Isa::of(0).generation, "kepler");
        assert_eq!(Isa::of(999).generation, generations().last().unwrap().generation);
    }

    /// No opcode is of two classes in one entry of the file, where the last would win.
    #[test]
    fn the_file_says_each_opcode_once() {
        let file: File = toml::from_str(include_str!("opcodes.toml")).unwrap();
        for table in file.generation {
            let mut words: Vec<_> = table.opcodes.values().flat_map(|words| words.split_ascii_whitespace()).collect();
            words.sort_unstable();
            let twice: Vec<_> = words.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
            assert!(twice.is_empty(), "{}: {twice:?}", table.name);
        }
    }

    #[test]
    fn memory_accesses_have_a_space_and_a_class() {
        for isa in generations() {
            for (opcode, class) in &isa.classes {
                let accesses = matches!(class, Class::Load | Class::Store | Class::Atomic);
                assert!(!accesses || Space::of(opcode).is_some(), "{}: {opcode}", isa.generation);
            }
        }
    }
}
