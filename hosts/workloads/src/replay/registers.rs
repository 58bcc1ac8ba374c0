//! A warp's registers, on the bits that the machine's scoreboard has for them (workloads-RP5).
//!
//! A warp of a real GPU has hundreds of registers, one of the machine 31 bits. A result takes the bit that was used the longest time ago.
//! No dependency is lost by that: the instruction that takes a bit waits for what the bit stood for, as for any result that it replaces,
//! and whoever reads the old register comes later, when it is there. A warp waits without need only when 31 results are under way.

use gpusched_refgpu::program::Regs;
use gpusched_traces::{Register, RegisterFile};
use std::ops::Range;

/// Bit 31 is of launch calls.
const BITS: usize = 31;
/// Registers of a warp: 256 and as many uniform ones, 8 predicates and as many uniform ones.
const REGISTERS: usize = 256 + 256 + 8 + 8;

/// Which bits stand for which registers, at one place of a warp's program.
#[derive(Debug)]
pub struct Registers {
    bit_of: [Option<u8>; REGISTERS],
    holds: [Held; BITS],
    now: u64,
    /// Copies to shared memory that have not been waited for, by the group in which they were committed.
    copies: Vec<(u32, u8, u64)>,
    group: u32,
}

/// What a bit stands for.
#[derive(Clone, Debug, Default)]
struct Held {
    places: Range<usize>,
    /// When it was taken, and when it was last of use.
    taken: u64,
    used: u64,
}

impl Default for Registers {
    fn default() -> Self {
        Self {
            bit_of: [None; REGISTERS],
            holds: std::array::from_fn(|_| Held::default()),
            now: 0,
            copies: Vec::new(),
            group: 0,
        }
    }
}

/// The places of `count` registers from one on among all of a warp; none of what always reads as zero, or as true.
fn places(register: Register, count: usize) -> Range<usize> {
    let number = usize::from(register.number);
    let (begins, registers) = match register.file {
        RegisterFile::Vector => (0, 255),
        // The highest one was UR63 before Blackwell.
        RegisterFile::Uniform if number == 63 => (0, 0),
        RegisterFile::Uniform => (256, 255),
        RegisterFile::Predicate => (512, 7),
        RegisterFile::UniformPredicate => (520, 7),
    };
    let end = begins + (number + count).min(registers);
    (begins + number).min(end)..end
}

impl Registers {
    /// The bits of what is read in `count` registers from this one on.
    pub fn read(&mut self, register: Register, count: usize) -> Regs {
        let mut bits = 0;
        for place in places(register, count) {
            if let Some(bit) = self.bit_of[place] {
                bits |= 1 << bit;
                self.holds[usize::from(bit)].used = self.now;
            }
        }
        bits
    }

    /// The bit of a result in `count` registers from this one on, and those of other results there, which it has to wait for.
    pub fn write(&mut self, register: Register, count: usize) -> (Regs, Regs) {
        let places = places(register, count);
        if places.is_empty() {
            return (0, 0);
        }
        let before = self.read(register, count);
        let bit = 1 << self.take(places);
        (bit, before & !bit)
    }

    /// The bit of a load whose value goes to no register.
    pub fn nowhere(&mut self) -> Regs {
        1 << self.take(0..0)
    }

    /// The bit of a copy to shared memory, which can be waited for (workloads-RP6).
    pub fn copy(&mut self) -> Regs {
        let bit = self.take(0..0);
        self.copies.push((self.group, bit, self.holds[usize::from(bit)].taken));
        1 << bit
    }

    /// Copies up to here are a group.
    pub fn commit(&mut self) {
        self.group += 1;
    }

    /// The bits of copies in all groups but the last `but`, which are waited for.
    pub fn wait(&mut self, but: u32) -> Regs {
        let mut bits = 0;
        let holds = &self.holds;
        self.copies.retain(|&(group, bit, taken)| {
            let waits = group + but < self.group;
            // A bit that has been taken since was waited for then.
            bits |= if waits && holds[usize::from(bit)].taken == taken { 1 << bit } else { 0 };
            !waits
        });
        bits
    }

    fn take(&mut self, places: Range<usize>) -> u8 {
        self.now += 1;
        // The same registers again: their old value is waited for anyway.
        let same = places.clone().next().and_then(|first| self.bit_of[first]);
        let same = same.filter(|&bit| self.holds[usize::from(bit)].places == places);
        let oldest = || (0..BITS as u8).min_by_key(|&bit| self.holds[usize::from(bit)].used).unwrap_or_default();
        let bit = same.unwrap_or_else(oldest);
        for place in self.holds[usize::from(bit)].places.clone() {
            if self.bit_of[place] == Some(bit) {
                self.bit_of[place] = None;
            }
        }
        self.bit_of[places.clone()].fill(Some(bit));
        self.holds[usize::from(bit)] = Held { places, taken: self.now, used: self.now };
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn vector(number: u16) -> Register {
        Register { file: RegisterFile::Vector, number }
    }

    /// Instructions in a row, each of which is done as late as the machine's rules for bits allow: what waits for a bit sees every result done
    /// that had the bit before.
    #[derive(Default)]
    struct Latest {
        /// By bit, the results that are under way.
        pending: HashMap<u32, usize>,
        done: Vec<bool>,
    }

    impl Latest {
        fn wait(&mut self, bits: Regs) {
            for bit in (0..32).filter(|bit| bits >> bit & 1 != 0) {
                if let Some(result) = self.pending.remove(&bit) {
                    self.done[result] = true;
                }
            }
        }

        fn issue(&mut self, dst: Regs) -> usize {
            self.wait(dst);
            self.done.push(false);
            self.pending.insert(dst.trailing_zeros(), self.done.len() - 1);
            self.done.len() - 1
        }
    }

    proptest! {
        /// Whoever reads registers, or writes them, finds done what wrote them last; and who reads what is done waits for nothing.
        #[test]
        fn every_dependency_is_kept(steps in prop::collection::vec((any::<bool>(), 0_u16..60, 1_usize..5), 1..400)) {
            let (mut registers, mut machine) = (Registers::default(), Latest::default());
            let mut wrote: HashMap<u16, usize> = HashMap::new();
            for (writes, number, count) in steps {
                let range = number..number + count as u16;
                if writes {
                    let (dst, before) = registers.write(vector(number), count);
                    prop_assert_eq!(dst.count_ones(), 1);
                    machine.wait(before);
                    let result = machine.issue(dst);
                    for place in range {
                        if let Some(&old) = wrote.get(&place) {
                            prop_assert!(machine.done[old], "a result replaces one that is under way");
                        }
                        wrote.insert(place, result);
                    }
                } else {
                    machine.wait(registers.read(vector(number), count));
                    for place in range {
                        prop_assert!(wrote.get(&place).is_none_or(|&result| machine.done[result]));
                    }
                }
            }
        }
    }

    #[test]
    fn up_to_31_results_are_under_way_at_the_same_time() {
        let mut registers = Registers::default();
        let bits = (0..31).fold(0, |bits, number| bits | registers.write(vector(number), 1).0);
        assert_eq!(bits, u32::MAX >> 1);
        // The first is of use once more, so the second is the oldest.
        let first = registers.read(vector(0), 1);
        let second = registers.read(vector(1), 1);
        registers = Registers::default();
        for number in 0..31 {
            registers.write(vector(number), 1);
        }
        registers.read(vector(0), 1);
        assert_eq!(registers.write(vector(100), 1), (second, 0));
        assert_eq!((registers.read(vector(1), 1), registers.read(vector(0), 1)), (0, first));
    }

    #[test]
    fn what_reads_as_zero_or_true_is_never_waited_for() {
        let mut registers = Registers::default();
        let constants = [
            (RegisterFile::Vector, 255),
            (RegisterFile::Uniform, 63),
            (RegisterFile::Uniform, 255),
            (RegisterFile::Predicate, 7),
            (RegisterFile::UniformPredicate, 7),
        ];
        for (file, number) in constants {
            let register = Register { file, number };
            assert_eq!((registers.write(register, 1), registers.read(register, 1)), ((0, 0), 0));
        }
    }

    #[test]
    fn wide_operands_end_with_their_file() {
        let mut registers = Registers::default();
        let (uniform, predicate) = (Register { file: RegisterFile::Uniform, number: 0 }, RegisterFile::Predicate);
        let first = registers.write(uniform, 1).0;
        assert_eq!(registers.read(vector(254), 4), 0);
        assert_eq!(registers.read(uniform, 1), first);
        assert_eq!(registers.write(Register { file: predicate, number: 700 }, 1), (0, 0));
        let last = registers.write(vector(254), 4).0;
        assert_eq!((registers.read(vector(254), 1), registers.read(uniform, 1)), (last, first));
    }

    #[test]
    fn copies_are_waited_for_by_groups() {
        let mut registers = Registers::default();
        let first = registers.copy() | registers.copy();
        registers.commit();
        let second = registers.copy();
        registers.commit();
        let third = registers.copy();
        assert_eq!(registers.wait(1), first);
        assert_eq!(registers.wait(1), 0);
        assert_eq!(registers.wait(0), second);
        registers.commit();
        assert_eq!(registers.wait(0), third);
    }
}
