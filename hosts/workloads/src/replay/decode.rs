//! From instructions of a trace to those of the machine.

use super::opcodes::{Deed, Opcode, Opcodes};
use super::pages::Pages;
use super::registers::Registers;
use gpusched_refgpu::lanes::{WARP, lanes};
use gpusched_refgpu::program::{Class, Effects, Inst};
use gpusched_traces::isa::{self, Space};
use gpusched_traces::{Header, Instruction};

/// Bytes that a lane can access at once on the machine.
pub const MOST_BYTES: u32 = 16;

/// What a warp executes.
#[derive(Clone, Debug, Default)]
pub struct Script {
    steps: Vec<Step>,
    /// Of all steps, one behind the other: the first address and the distance of lanes, or an address per lane.
    addresses: Vec<u64>,
}

/// An instruction with what it accesses.
#[derive(Clone, Copy, Debug)]
struct Step {
    inst: Inst,
    /// Bytes per lane, as traced; 0: it accesses nothing.
    width: u32,
    /// Where its addresses begin.
    at: u32,
    told: Told,
}

/// How lanes' addresses are told.
#[derive(Clone, Copy, Debug)]
enum Told {
    /// By the first, and the distance from one to the next.
    Distance,
    Each,
}

/// The end of a warp, where the trace does not tell it.
const END: Inst = Inst { class: Class::Exit, mask: 0, src: 0, dst: 0, diverges: false, pc: u32::MAX };

impl Script {
    /// How many instructions it has.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The instruction at a place; behind the last one, the end of the warp (workloads-RP2).
    pub fn inst(&self, at: usize) -> Inst {
        self.steps.get(at).map_or(END, |step| step.inst)
    }

    /// Bytes that each lane accesses in the instruction at a place, as traced; none behind the last one.
    pub fn width(&self, at: usize) -> Option<u32> {
        self.steps.get(at).map(|step| step.width)
    }

    /// What the instruction at a place accesses.
    pub fn fill(&self, at: usize, effects: &mut Effects) {
        let Some(&Step { inst, width, at, told }) = self.steps.get(at) else { return };
        effects.bytes = width.next_power_of_two().min(MOST_BYTES);
        let addresses = &self.addresses[at as usize..];
        for (number, lane) in lanes(if width == 0 { 0 } else { inst.mask }).enumerate() {
            effects.addr[lane] = match told {
                Told::Distance => addresses[0].wrapping_add(addresses[1].wrapping_mul(number as u64)),
                Told::Each => addresses[number],
            };
        }
    }

    fn push(&mut self, inst: Inst, width: u32, addresses: &[u64]) {
        let at = self.addresses.len() as u32;
        let distance = if let [first, second, ..] = *addresses { second.wrapping_sub(first) } else { 0 };
        let told = if addresses.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == distance) {
            self.addresses.extend(addresses.first().map(|&first| [first, distance]).into_iter().flatten());
            Told::Distance
        } else {
            self.addresses.extend(addresses);
            Told::Each
        };
        self.steps.push(Step { inst, width, at, told });
    }
}

/// What is known of a warp on the way through its trace.
#[derive(Debug)]
pub struct Decoder<'a> {
    header: &'a Header,
    opcodes: &'a mut Opcodes,
    pages: &'a mut Pages,
    /// The number of the kernel's code, for [`Inst::pc`].
    code: u32,
    registers: Registers,
    /// Lanes of the instruction before.
    before: u32,
    script: Script,
}

/// Bits of a place in a kernel's code; codes are told apart above them.
const PC_BITS: u32 = 24;

impl<'a> Decoder<'a> {
    /// At the beginning of a warp.
    pub fn new(header: &'a Header, code: u32, opcodes: &'a mut Opcodes, pages: &'a mut Pages) -> Self {
        Self { header, opcodes, pages, code, registers: Registers::default(), before: 0, script: Script::default() }
    }

    /// Takes the next instruction. `is_last`: none follows.
    pub fn take(&mut self, instruction: &Instruction, is_last: bool) {
        let of = self.opcodes.get(&instruction.opcode);
        let (class, memory) = self.class(of, instruction, is_last);
        let addresses = memory.map(|memory| self.addresses(instruction, memory)).unwrap_or_default();
        let (src, dst) = self.registers_of(instruction, of, class);
        let mask = instruction.mask;
        // workloads-RP8: of the lanes that were there some take the branch: those and the others go on one after the other.
        let some = mask != 0 && mask != self.before && mask & !self.before == 0;
        let diverges = some && of.class == Some(isa::Class::Branch);
        let pc = self.code << PC_BITS ^ instruction.pc as u32;
        let width = if memory.is_some() { instruction.width } else { 0 };
        self.script.push(Inst { class, mask, src, dst, diverges, pc }, width, &addresses);
        self.before = mask;
    }

    /// What the warp executes.
    pub fn finish(self) -> Script {
        self.script
    }

    /// workloads-RP3: which unit of the machine carries it out, and which memory it accesses there.
    fn class(&self, of: Opcode, instruction: &Instruction, is_last: bool) -> (Class, Option<Memory>) {
        use isa::Class as Of;
        if let Some(memory) = self.memory(of, instruction) {
            let class = match (of.class, memory) {
                (Some(Of::Store), Memory::Global) => Class::StoreGlobal,
                (Some(Of::Store), _) => Class::StoreShared,
                (Some(Of::Atomic), Memory::Global) => Class::AtomicGlobal,
                (Some(Of::Atomic), _) => Class::AtomicShared,
                (_, Memory::Global) => Class::LoadGlobal,
                _ => Class::LoadShared,
            };
            return (class, Some(memory));
        }
        let class = match of.class {
            Some(Of::Single | Of::Half | Of::Tensor) => Class::Fp,
            Some(Of::Double) => Class::Dp,
            Some(Of::Special | Of::Texture) => Class::Sfu,
            Some(Of::Barrier) if of.deed == Some(Deed::Meet) && instruction.mask != 0 => Class::Barrier,
            Some(Of::Exit) if is_last => Class::Exit,
            _ => Class::Int,
        };
        (class, None)
    }

    /// workloads-RP4: which memory is accessed, if any is: without lanes none is. Lanes of a generic access are taken to be all where the
    /// first one is.
    fn memory(&self, of: Opcode, instruction: &Instruction) -> Option<Memory> {
        let &first = instruction.addresses.first()?;
        match self.header.space(of.space?, first) {
            Space::Shared => Some(Memory::Shared),
            Space::Local => Some(Memory::Local),
            Space::Global | Space::Generic => Some(Memory::Global),
            // They come from a cache of their own, which the machine does not have.
            Space::Constant => None,
        }
    }

    fn addresses(&mut self, instruction: &Instruction, memory: Memory) -> Vec<u64> {
        let (header, pages) = (self.header, &mut *self.pages);
        let with_lanes = lanes(instruction.mask).zip(&instruction.addresses);
        let place = |(lane, &address): (usize, &u64)| match memory {
            Memory::Global => pages.place(address),
            Memory::Shared => header.in_window(Space::Shared, address),
            Memory::Local => {
                let offset = header.in_window(Space::Local, address);
                let bytes = u64::from(instruction.width.next_power_of_two().clamp(4, MOST_BYTES));
                (offset / bytes * u64::from(WARP) + lane as u64) * bytes
            }
        };
        with_lanes.map(place).collect()
    }

    /// What it waits for, and what waits for it.
    fn registers_of(&mut self, instruction: &Instruction, of: Opcode, class: Class) -> (u32, u32) {
        let Instruction { sources, dests, immediates, .. } = instruction;
        let registers = &mut self.registers;
        let words = Words::of(instruction, of);
        let mut src = match of.deed {
            Some(Deed::Commit) => {
                registers.commit();
                0
            }
            // How many groups may be under way; of older tracers that is not told, and it waits for all.
            Some(Deed::Await) => registers.wait(immediates.first().map_or(0, |&but| but.clamp(0, 1 << 16) as u32)),
            _ => 0,
        };
        for (number, &source) in sources.iter().enumerate() {
            src |= registers.read(source, words.source(number, sources.len()));
        }
        if of.deed == Some(Deed::Copy) && class == Class::LoadGlobal {
            return (src, registers.copy());
        }
        let mut dst = 0;
        for &dest in dests {
            let (bit, before) = registers.write(dest, words.dest);
            (src, dst) = (src | before, dst | bit);
        }
        if dst == 0 && matches!(class, Class::LoadGlobal | Class::LoadShared) {
            dst = registers.nowhere();
        }
        (src, dst)
    }
}

/// The memories of the machine that a trace accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Memory {
    Global,
    Shared,
    /// The threads' own, which L1 is taken to hold: it takes as long as shared memory.
    Local,
}

/// workloads-RP5: how many registers operands have: the trace names the first of each.
#[derive(Clone, Copy, Debug)]
struct Words {
    dest: usize,
    /// The first source, which is the address of an access.
    first: usize,
    /// The last one of several, which is what a store stores.
    last: usize,
}

impl Words {
    fn of(instruction: &Instruction, of: Opcode) -> Self {
        use isa::Class as Of;
        let data = (instruction.width as usize).div_ceil(4).max(1);
        let address = if matches!(of.space, Some(Space::Global | Space::Generic)) { 2 } else { 1 };
        let (dest, first, last) = match of.class {
            Some(Of::Load) => (data, address, 1),
            Some(Of::Store | Of::Atomic) => (data, address, data),
            Some(Of::Double) => (2, 2, 2),
            Some(Of::Tensor) => (4, 2, 4),
            _ if of.is_wide => (2, 1, 2),
            _ => (1, 1, 1),
        };
        Self { dest, first, last }
    }

    /// Of the source of this number of so many.
    fn source(self, number: usize, of: usize) -> usize {
        match number {
            0 => self.first,
            _ if number + 1 == of => self.last,
            _ => self.first.min(self.last),
        }
    }
}
