//! Writes traces, in the form of version 5, which both Accel-Sim and this crate read.
//!
//! ```
//! use gpusched_traces::{Header, Instruction, Kernel, Writer};
//!
//! let header = Header { name: "end".into(), id: 1, grid: [1, 1, 1], block: [32, 1, 1], binary_version: 70, ..Header::default() };
//! let end = Instruction { mask: u32::MAX, opcode: "EXIT".into(), ..Instruction::default() };
//! let mut text = Vec::new();
//! Writer::new(&mut text, &header)?.tb([0, 0, 0], &[(0, vec![end])])?;
//! assert_eq!(Kernel::read("end.traceg", text.as_slice())?.header().name, "end");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::header::Header;
use crate::instruction::{Instruction, Register, RegisterFile};
use std::fmt;
use std::io::{self, Write};

/// Writes the trace of one kernel.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
}

impl<W: Write> Writer<W> {
    /// Writes the head. What it says of the tracer and of the form of lines is this writer's.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(mut out: W, header: &Header) -> io::Result<Self> {
        let Header { name, id, shared_bytes, registers, binary_version, stream, shared_base, local_base, .. } = header;
        let [grid, block] = [header.grid, header.block].map(|[x, y, z]| format!("({x},{y},{z})"));
        write!(
            out,
            "-kernel name = {name}\n-kernel id = {id}\n-grid dim = {grid}\n-block dim = {block}\n-shmem = {shared_bytes}\n\
             -nregs = {registers}\n-binary version = {binary_version}\n-cuda stream id = {stream}\n\
             -shmem base_addr = 0x{shared_base:016x}\n-local mem base_addr = 0x{local_base:016x}\n\
             -accelsim tracer version = 5\n-enable lineinfo = 0\n\n\
             #traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [address_mode mem_addresses] immediate\n"
        )?;
        Ok(Self { out })
    }

    /// Writes a TB with its warps, in ascending order. TBs come in the order of their linear indices, x fastest.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn tb(&mut self, [x, y, z]: [u32; 3], warps: &[(u32, Vec<Instruction>)]) -> io::Result<()> {
        write!(self.out, "\n#BEGIN_TB\n\nthread block = {x},{y},{z}\n")?;
        for (warp, instructions) in warps {
            write!(self.out, "\nwarp = {warp}\ninsts = {}\n", instructions.len())?;
            instructions.iter().try_for_each(|instruction| writeln!(self.out, "{}", Line(instruction)))?;
        }
        self.out.write_all(b"\n#END_TB\n")
    }

    /// Sees that everything has been written.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

struct Line<'a>(&'a Instruction);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Instruction { pc, mask, dests, opcode, sources, width, addresses, immediates, .. } = self.0;
        write!(f, "{pc:04x} {mask:08x} {}", dests.len())?;
        dests.iter().try_for_each(|register| write!(f, " {register}"))?;
        write!(f, " {opcode} {}", sources.len())?;
        sources.iter().try_for_each(|register| write!(f, " {register}"))?;
        write!(f, " {width}")?;
        if *width > 0 {
            self.addresses(f, addresses)?;
        }
        write!(f, " {}", immediates.first().unwrap_or(&0))
    }
}

impl Line<'_> {
    /// One distance where lanes side by side have it, else a distance from each lane to the next. Readers hold a single distance in 32 bits.
    fn addresses(&self, f: &mut fmt::Formatter<'_>, addresses: &[u64]) -> fmt::Result {
        let first = addresses.first().copied().unwrap_or_default();
        let distances: Vec<i64> =
            addresses.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]).cast_signed()).collect();
        let run = self.0.mask >> self.0.mask.trailing_zeros().min(31);
        let are_side_by_side = run & run.wrapping_add(1) == 0;
        match distances.as_slice() {
            [one, rest @ ..]
                if are_side_by_side && i32::try_from(*one).is_ok() && rest.iter().all(|other| other == one) =>
            {
                write!(f, " 1 0x{first:x} {one}")
            }
            all => {
                write!(f, " 2 0x{first:x}")?;
                all.iter().try_for_each(|distance| write!(f, " {distance}"))
            }
        }
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = match self.file {
            RegisterFile::Vector => "R",
            RegisterFile::Uniform => "UR",
            RegisterFile::Predicate => "P",
            RegisterFile::UniformPredicate => "UP",
        };
        write!(f, "{file}{}", self.number)
    }
}
