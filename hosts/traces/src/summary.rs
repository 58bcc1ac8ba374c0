//! What is in a trace: counts, mixes, and the memory that is touched.

use crate::error::TraceError;
use crate::header::Header;
use crate::instruction::Instruction;
use crate::isa::{Class, Isa, Space};
use crate::kernel::{Event, Kernel};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Bytes of a block of memory whose touch is counted, as lines of L1 and L2 have them.
pub const BLOCK: u64 = 128;
/// Warps between two questions whether to stop.
const PAUSE: u64 = 64;

/// Counts over the trace of a kernel.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// TBs that executed something.
    pub tbs: u64,
    /// Clusters that the TBs say they are in.
    pub clusters: u64,
    /// Warps that executed something.
    pub warps: u64,
    /// Instructions of warps.
    pub instructions: u64,
    /// Instructions of threads: the lanes of the masks.
    pub thread_instructions: u64,
    /// Instructions of warps whose mask is empty.
    pub without_lanes: u64,
    /// Instructions of warps by class.
    pub classes: BTreeMap<Class, u64>,
    /// By opcode, with its modifiers.
    pub opcodes: BTreeMap<String, u64>,
    /// Opcodes that the table of the generation lacks. They are in no class.
    pub unknown: BTreeMap<String, u64>,
    /// Bytes that lanes ask for, by memory.
    pub bytes: BTreeMap<Space, Bytes>,
    /// Blocks of 128 bytes of global memory that are touched.
    pub global_blocks: u64,
    /// Accesses of more than 16 bytes per lane.
    pub wide: u64,
    /// Instructions of which something was left unread (see [`Instruction::unread`]).
    pub unread: u64,
}

/// Bytes that lanes ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bytes {
    /// By loads.
    pub loaded: u64,
    /// By stores.
    pub stored: u64,
    /// By atomics, each once.
    pub atomic: u64,
}

impl Summary {
    /// Reads a trace to its end; none if `stop` said so, which is asked now and then. The memory that this takes grows with what the
    /// kernel touches, not with the trace.
    ///
    /// # Errors
    /// What is wrong with the trace.
    pub fn of(kernel: &mut Kernel<'_>, stop: &mut dyn FnMut() -> bool) -> Result<Option<Self>, TraceError> {
        let header = kernel.header().clone();
        let isa = Isa::of(header.binary_version);
        let mut summary = Self::default();
        let mut counts = Counts { isa, header: &header, by_opcode: HashMap::default(), touched: u64::MAX };
        let mut clusters = HashSet::<_, foldhash::fast::FixedState>::default();
        let mut blocks = HashSet::<_, foldhash::fast::FixedState>::default();
        while let Some(event) = kernel.next()? {
            match event {
                Event::Tb(_) => summary.tbs += 1,
                Event::Cluster { id, .. } => {
                    clusters.insert(id);
                }
                Event::Warp { .. } => {
                    summary.warps += 1;
                    if summary.warps.is_multiple_of(PAUSE) && stop() {
                        return Ok(None);
                    }
                }
                Event::Instruction(instruction) => summary.count(instruction, &mut counts, &mut |block| {
                    blocks.insert(block);
                }),
                Event::TbEnd => {}
            }
        }
        (summary.clusters, summary.global_blocks) = (clusters.len() as u64, blocks.len() as u64);
        summary.classify(counts.by_opcode);
        Ok(Some(summary))
    }

    fn count(&mut self, instruction: &Instruction, counts: &mut Counts<'_>, touch: &mut impl FnMut(u64)) {
        self.instructions += 1;
        self.thread_instructions += u64::from(instruction.mask.count_ones());
        self.without_lanes += u64::from(instruction.mask == 0);
        self.unread += u64::from(instruction.unread);
        let Opcode { class, space, .. } = counts.count(&instruction.opcode);
        let width = u64::from(instruction.width);
        let Some(space) = space.filter(|_| width > 0) else { return };
        self.wide += u64::from(width > 16);
        for &address in &instruction.addresses {
            let space = counts.header.space(space, address);
            let bytes = self.bytes.entry(space).or_default();
            match class {
                Some(Class::Store) => bytes.stored += width,
                Some(Class::Atomic) => bytes.atomic += width,
                _ => bytes.loaded += width,
            }
            if space == Space::Global {
                let (first, last) = (address / BLOCK, address.saturating_add(width - 1) / BLOCK);
                // Lanes side by side share theirs.
                if (first, last) != (counts.touched, counts.touched) {
                    (first..=last).for_each(&mut *touch);
                    counts.touched = last;
                }
            }
        }
    }

    /// Sums the counts of opcodes by class.
    fn classify(&mut self, by_opcode: ByOpcode) {
        for (opcode, Opcode { times, class, .. }) in by_opcode {
            match class {
                Some(class) => *self.classes.entry(class).or_default() += times,
                None => {
                    self.unknown.insert(opcode.clone(), times);
                }
            }
            self.opcodes.insert(opcode, times);
        }
    }
}

type ByOpcode = HashMap<String, Opcode, foldhash::fast::FixedState>;

/// What is known on the way through a trace.
struct Counts<'a> {
    isa: &'a Isa,
    header: &'a Header,
    by_opcode: ByOpcode,
    /// The block of global memory that was touched last.
    touched: u64,
}

/// An opcode, looked up once in the tables, and how often it is there.
#[derive(Clone, Copy, Debug)]
struct Opcode {
    times: u64,
    class: Option<Class>,
    space: Option<Space>,
}

impl Counts<'_> {
    /// Counts an opcode. Only a new name is copied.
    fn count(&mut self, opcode: &str) -> Opcode {
        if let Some(known) = self.by_opcode.get_mut(opcode) {
            known.times += 1;
            return *known;
        }
        let new = Opcode { times: 1, class: self.isa.class(opcode), space: Space::of(opcode) };
        self.by_opcode.insert(opcode.to_owned(), new);
        new
    }
}
