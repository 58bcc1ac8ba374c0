//! A line of an instruction.

use crate::error::Wrong;
use crate::header::Form;
use crate::isa::base;
use crate::words::{Words, quoted};

/// What one warp executed once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instruction {
    /// Its line in the program's source, where the trace tells.
    pub source_line: Option<u32>,
    /// Its place in the kernel's code, in bytes.
    pub pc: u64,
    /// Lanes that are active and whose predicate holds: bit i is lane i. It may be 0.
    pub mask: u32,
    /// Registers that it writes.
    pub dests: Vec<Register>,
    /// Its name with all modifiers, such as `LDG.E.128`.
    pub opcode: String,
    /// Registers that it reads.
    pub sources: Vec<Register>,
    /// Bytes that a lane accesses; 0 if it accesses no memory.
    pub width: u32,
    /// The address of each lane of the mask, from the lowest lane on; empty without an access.
    pub addresses: Vec<u64>,
    /// Immediates that the tracer found.
    pub immediates: Vec<i64>,
    /// Whether something at the end of the line was left unread, as the trace's form is documented too loosely for it: a bulk copy (TMA)
    /// behind its registers.
    pub unread: bool,
}

/// A register of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    /// In which file it is.
    pub file: RegisterFile,
    /// Its number there. The highest (255, or 63 of the uniform ones) always reads as zero.
    pub number: u16,
}

/// The register files of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegisterFile {
    /// One value per lane: `R`.
    Vector,
    /// One value for the warp: `UR`.
    Uniform,
    /// A bit per lane: `P`.
    Predicate,
    /// A bit for the warp: `UP`.
    UniformPredicate,
}

/// More registers than an instruction can have.
const MOST_REGISTERS: u32 = 64;
/// More than a lane can access.
const MOST_BYTES: u32 = 1 << 16;

impl Instruction {
    /// Reads a line, in the place of what was there.
    pub(crate) fn read(&mut self, line: &str, form: Form) -> Result<(), Wrong> {
        let mut words = Words::of(line);
        self.source_line = form.source_line.then(|| words.decimal("a line of the source")).transpose()?;
        self.pc = words.hex("a program counter in hexadecimal")?;
        let mask = words.next("a mask of 8 hexadecimal digits")?;
        let digits = u32::from_str_radix(mask, 16).ok().filter(|_| mask.len() == 8 && !mask.starts_with('+'));
        self.mask = digits.ok_or_else(|| Wrong::new("a mask of 8 hexadecimal digits", quoted(mask)))?;
        registers(&mut words, &mut self.dests, "how many registers are written")?;
        self.opcode.clear();
        self.opcode.push_str(words.next("an opcode")?);
        if !self.opcode.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            return Err(Wrong::new("an opcode", quoted(&self.opcode)));
        }
        registers(&mut words, &mut self.sources, "how many registers are read")?;
        (self.width, self.unread) = (0, false);
        self.addresses.clear();
        self.immediates.clear();
        if form.values && is_bulk(&self.opcode) {
            self.unread = true;
            return Ok(());
        }
        if form.values && base(&self.opcode).ends_with("GMMA") {
            words.decimal::<u32>("whether the group is committed")?;
        }
        self.width = words.decimal("bytes per lane, or 0")?;
        if self.width > MOST_BYTES {
            return Err(Wrong::new(format!("at most {MOST_BYTES} bytes per lane"), self.width.to_string()));
        }
        if self.width > 0 {
            self.read_addresses(&mut words)?;
        }
        for _ in 0..form.immediates {
            self.immediates.push(words.decimal("an immediate")?);
        }
        if form.values {
            self.skip_values(&mut words)?;
        }
        words.end()
    }

    fn read_addresses(&mut self, words: &mut Words<'_>) -> Result<(), Wrong> {
        let lanes = self.mask.count_ones() as usize;
        let mode = words.next("how addresses are told: 0, 1 or 2")?;
        match mode {
            "0" => {
                for _ in 0..lanes {
                    self.addresses.push(words.hex("an address per active lane")?);
                }
            }
            "1" => {
                let base = words.hex("the lowest lane's address")?;
                let stride = words.decimal::<i64>("the distance of two lanes' addresses")?;
                // In one piece, or the distance would not tell where the others are.
                let run = self.mask >> self.mask.trailing_zeros().min(31);
                if run & run.wrapping_add(1) != 0 {
                    let found = format!("lanes {:08x}", self.mask);
                    return Err(Wrong::new("lanes side by side, as addresses have one distance", found));
                }
                self.addresses.extend((0..lanes as i64).map(|k| base.wrapping_add_signed(stride.wrapping_mul(k))));
            }
            "2" => {
                let mut address = words.hex("the lowest lane's address")?;
                // Exactly one less than there are lanes: the next number is no distance but the immediate.
                for lane in 0..lanes {
                    if lane > 0 {
                        address =
                            address.wrapping_add_signed(words.decimal("an address's distance from the one before")?);
                    }
                    self.addresses.push(address);
                }
            }
            _ => return Err(Wrong::new("how addresses are told: 0, 1 or 2", quoted(mode))),
        }
        Ok(())
    }

    /// Values of registers are checked for their number, and not kept.
    fn skip_values(&self, words: &mut Words<'_>) -> Result<(), Wrong> {
        match words.next("Val or NoVal")? {
            "NoVal" => return Ok(()),
            "Val" => {}
            other => return Err(Wrong::new("Val or NoVal", quoted(other))),
        }
        for _ in self.dests.iter().chain(&self.sources) {
            let count = words.next("1 or 32 values")?;
            let count = match count {
                "1" => 1,
                "32" => 32,
                _ => return Err(Wrong::new("1 or 32 values", quoted(count))),
            };
            for _ in 0..count {
                words.hex("a value in hexadecimal")?;
            }
        }
        Ok(())
    }
}

fn registers(words: &mut Words<'_>, into: &mut Vec<Register>, what: &str) -> Result<(), Wrong> {
    into.clear();
    let count = words.decimal::<u32>(what)?;
    if count > MOST_REGISTERS {
        return Err(Wrong::new(format!("{what}, at most {MOST_REGISTERS}"), count.to_string()));
    }
    for _ in 0..count {
        into.push(register(words.next("a register")?)?);
    }
    Ok(())
}

fn register(word: &str) -> Result<Register, Wrong> {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let file = match &word[..word.len() - digits.len()] {
        "R" => Some(RegisterFile::Vector),
        "UR" => Some(RegisterFile::Uniform),
        "P" => Some(RegisterFile::Predicate),
        "UP" => Some(RegisterFile::UniformPredicate),
        _ => None,
    };
    let number = digits.parse::<u16>().ok().filter(|_| !digits.starts_with('+'));
    match (file, number) {
        (Some(file), Some(number)) => Ok(Register { file, number }),
        _ => Err(Wrong::new("a register such as R7, UR4 or P0", quoted(word))),
    }
}

/// Copies between memories that one thread starts for many bytes: what stands behind their registers has a form of its own.
fn is_bulk(opcode: &str) -> bool {
    matches!(base(opcode), "UTMALDG" | "UTMASTG" | "UTMAPF" | "UTMAREDG" | "UBLKCP" | "UBLKPF" | "UBLKRED")
}
