//! From instructions of the machine to those of a trace.

use gpusched_refgpu::lanes::lanes;
use gpusched_refgpu::program::{Class, Effects, Inst, Regs};
use gpusched_traces::{Instruction, Register, RegisterFile};

/// Registers from the name of one bit to that of the next: as many as the widest operand has.
const SPACING: u16 = 4;
/// Accel-Sim reads traces whose instructions have one destination at most, and so many sources.
const MOST_SOURCES: usize = 4;

/// What a warp has executed, as a trace tells it.
#[derive(Debug, Default)]
pub struct Told {
    /// The instructions.
    pub all: Vec<Instruction>,
    /// How many of them wait for more results than the trace tells.
    pub cut: u64,
    /// By bit: the result that it stands for, if any.
    results: [Option<Written>; 32],
}

/// A result: the number of its register, and of the instruction that wrote it.
#[derive(Clone, Copy, Debug)]
struct Written {
    register: u16,
    by: usize,
}

impl Told {
    /// Takes an instruction that has been executed, at this place in the kernel's code.
    pub fn take(&mut self, inst: &Inst, pc: u64, effects: &Effects) {
        let Inst { class, mask, src, dst, diverges, .. } = *inst;
        let (opcode, accesses) = opcode(class, diverges, dst);
        let width = if accesses { effects.bytes } else { 0 };
        let (sources, dests) = self.registers(src, dst);
        self.all.push(Instruction {
            pc,
            mask,
            dests,
            opcode: format!("{opcode}{}", size(width)),
            sources,
            width,
            addresses: if accesses { lanes(mask).map(|lane| effects.addr[lane]).collect() } else { Vec::new() },
            ..Instruction::default()
        });
    }

    /// The registers that are read and written. A result of several bits has the register of the first one. Of more results than a trace
    /// can tell the last ones are told.
    fn registers(&mut self, src: Regs, dst: Regs) -> (Vec<Register>, Vec<Register>) {
        let bits = |regs: Regs| (0..32).filter(move |&bit| regs >> bit & 1 != 0);
        let dest = (dst != 0).then(|| SPACING * dst.trailing_zeros() as u16);
        // Of the bits that are written some may stand for results with other registers, which are waited for, too.
        let replaced = bits(dst).filter_map(|bit| self.results[bit]).filter(|old| Some(old.register) != dest);
        let mut waits: Vec<Written> = bits(src).filter_map(|bit| self.results[bit]).chain(replaced).collect();
        waits.sort_unstable_by_key(|written| (std::cmp::Reverse(written.by), written.register));
        waits.dedup_by_key(|written| written.register);
        self.cut += u64::from(waits.len() > MOST_SOURCES);
        waits.truncate(MOST_SOURCES);
        if let Some(register) = dest {
            let by = self.all.len();
            bits(dst).for_each(|bit| self.results[bit] = Some(Written { register, by }));
        }
        let vector = |number: u16| Register { file: RegisterFile::Vector, number };
        (waits.into_iter().map(|written| vector(written.register)).collect(), dest.into_iter().map(vector).collect())
    }
}

/// The opcode that stands for a class, and whether it accesses memory.
fn opcode(class: Class, diverges: bool, dst: Regs) -> (&'static str, bool) {
    match class {
        Class::Int if diverges => ("BRA", false),
        Class::Int => ("IADD3", false),
        Class::Fp => ("FFMA", false),
        Class::Sfu => ("MUFU.RCP", false),
        Class::Dp => ("DFMA", false),
        Class::LoadGlobal | Class::LoadTexture => ("LDG.E", true),
        Class::StoreGlobal => ("STG.E", true),
        Class::AtomicGlobal if dst == 0 => ("RED.E.ADD", true),
        Class::AtomicGlobal => ("ATOMG.E.ADD", true),
        Class::LoadShared | Class::LoadRemote => ("LDS", true),
        Class::StoreShared | Class::StoreRemote => ("STS", true),
        Class::AtomicShared => ("ATOMS.ADD", true),
        Class::Barrier => ("BAR.SYNC", false),
        Class::Launch | Class::Sync => ("NOP", false),
        Class::Exit => ("EXIT", false),
    }
}

/// The modifier of an opcode that tells how much a lane accesses. Readers take it from there.
fn size(width: u32) -> &'static str {
    match width {
        1 => ".U8",
        2 => ".U16",
        8 => ".64",
        16 => ".128",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(told: &mut Told, class: Class, src: Regs, dst: Regs) -> Instruction {
        let effects =
            Effects { addr: std::array::from_fn(|lane| 8 * lane as u64), bytes: 8, rank: 0, launches: Vec::new() };
        told.take(&Inst { class, mask: 0b1010, src, dst, diverges: false, pc: 3 }, 48, &effects);
        told.all.last().unwrap().clone()
    }

    fn numbers(registers: &[Register]) -> Vec<u16> {
        registers.iter().map(|register| register.number).collect()
    }

    #[test]
    fn an_access_has_the_lanes_and_addresses_of_the_machine() {
        let load = take(&mut Told::default(), Class::LoadGlobal, 0, 1);
        assert_eq!((load.pc, load.mask, load.width, load.opcode.as_str()), (48, 0b1010, 8, "LDG.E.64"));
        assert_eq!(load.addresses, [8, 24]);
        let add = take(&mut Told::default(), Class::Int, 0, 1);
        assert_eq!((add.width, add.addresses.len(), add.opcode.as_str()), (0, 0, "IADD3"));
        let opcodes = [(Class::AtomicGlobal, 0), (Class::AtomicGlobal, 1), (Class::StoreShared, 0), (Class::Exit, 0)];
        let opcodes = opcodes.map(|(class, dst)| take(&mut Told::default(), class, 0, dst).opcode);
        assert_eq!(opcodes, ["RED.E.ADD.64", "ATOMG.E.ADD.64", "STS.64", "EXIT"]);
    }

    #[test]
    fn results_are_waited_for_by_one_register_each() {
        let mut told = Told::default();
        assert_eq!(numbers(&take(&mut told, Class::Int, 1, 0).sources), [], "nothing has written it");
        assert_eq!(numbers(&take(&mut told, Class::LoadGlobal, 0, 0b110).dests), [4]);
        assert_eq!(numbers(&take(&mut told, Class::Int, 0b110, 0).sources), [4]);
        assert_eq!(numbers(&take(&mut told, Class::Int, 0b100, 0).sources), [4]);
        // Half of that result is replaced: the rest is still waited for.
        let replaces = take(&mut told, Class::Int, 0, 0b100);
        assert_eq!((numbers(&replaces.dests), numbers(&replaces.sources)), (vec![8], vec![4]));
        assert_eq!(numbers(&take(&mut told, Class::Int, 0b110, 0).sources), [8, 4]);
        assert_eq!(told.cut, 0);
    }

    #[test]
    fn of_more_results_than_a_trace_can_tell_the_last_ones_are_told() {
        let mut told = Told::default();
        for bit in 0..6 {
            take(&mut told, Class::LoadGlobal, 0, 1 << bit);
        }
        assert_eq!(numbers(&take(&mut told, Class::Fp, 0b1111, 0).sources), [12, 8, 4, 0]);
        assert_eq!(told.cut, 0);
        assert_eq!(numbers(&take(&mut told, Class::Fp, 0b11_1111, 0).sources), [20, 16, 12, 8]);
        assert_eq!(told.cut, 1);
    }
}
