//! Traces of real GPU programs, in the form that the tracer of Accel-Sim writes (versions 3 to 6): which instructions each warp of
//! each TB executed, with which lanes, at which addresses.
//!
//! [`Commands`] is the list of what the host did, [`Kernel`] reads the trace of one kernel from beginning to end, [`Summary`] counts what
//! is in it; [`Program`] is all of this of a list, [`Writer`] writes traces. Nothing is held but the line that is being read, so a trace may be
//! longer than memory. Files are plain, gzip, xz or zstd, whatever they are called, or the tracer's packed form, called `.tracez`.
//!
//! ```
//! use gpusched_traces::{Event, Kernel};
//!
//! let text = "\
//! -kernel name = add
//! -kernel id = 1
//! -grid dim = (1,1,1)
//! -block dim = (32,1,1)
//! -binary version = 80
//! -accelsim tracer version = 5
//! #traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate
//! #BEGIN_TB
//! thread block = 0,0,0
//! warp = 0
//! insts = 2
//! 0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x1000 4 0
//! 0010 ffffffff 0 EXIT 0 0 0
//! #END_TB
//! ";
//! let mut kernel = Kernel::read("add.traceg", text.as_bytes())?;
//! assert_eq!(kernel.header().name, "add");
//! let mut addresses = Vec::new();
//! while let Some(event) = kernel.next()? {
//!     if let Event::Instruction(instruction) = event {
//!         addresses.extend_from_slice(&instruction.addresses);
//!     }
//! }
//! assert_eq!((addresses.len(), addresses[31]), (32, 0x1000 + 31 * 4));
//! # Ok::<(), gpusched_traces::TraceError>(())
//! ```
//!
//! What is wrong in a file is said with its name, the line, what was expected there and what was found.

mod commands;
mod error;
mod header;
mod instruction;
pub mod isa;
mod kernel;
mod lines;
mod program;
mod summary;
mod tracez;
mod words;
mod writer;

pub use commands::{Command, Commands};
pub use error::TraceError;
pub use header::{Form, Header};
pub use instruction::{Instruction, Register, RegisterFile};
pub use kernel::{Event, Kernel, Place};
pub use program::{Copies, LIST, Program, Traced};
pub use summary::{BLOCK, Bytes, Summary};
pub use writer::Writer;
