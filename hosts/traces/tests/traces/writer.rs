//! A small writer of traces, in the form of each version.

use gpusched_traces::{Instruction, Register};
use std::fmt::Write as _;

/// How addresses are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    All,
    Stride,
    Deltas,
}

/// What a version writes.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub tracer: &'static str,
    pub source_line: bool,
    pub immediates: usize,
    pub values: bool,
}

pub const V3: Form = Form { tracer: "3", source_line: false, immediates: 0, values: false };
pub const V4: Form = Form { tracer: "4", source_line: true, immediates: 0, values: false };
pub const V5: Form = Form { tracer: "5", source_line: false, immediates: 1, values: false };
/// It calls itself 5 and has two immediates.
pub const BETWEEN: Form = Form { tracer: "5", source_line: false, immediates: 2, values: false };
pub const V6: Form = Form { tracer: "6", source_line: false, immediates: 2, values: true };
pub const ALL: [Form; 5] = [V3, V4, V5, BETWEEN, V6];

/// The head of a kernel's trace.
pub fn head(form: Form, grid: [u32; 3], block: [u32; 3]) -> String {
    let [gx, gy, gz] = grid;
    let [bx, by, bz] = block;
    let immediates = ["", " immediate", " immediate1 immediate2"][form.immediates];
    let values = if form.values { " Val|NoVal [dest_val_num] [dest_val] ..." } else { "" };
    format!(
        "-kernel name = _Z4testv\n-kernel id = 1\n-grid dim = ({gx},{gy},{gz})\n-block dim = ({bx},{by},{bz})\n-shmem = 48\n\
         -nregs = 12\n-binary version = 80\n-cuda stream id = 7\n-shmem base_addr = 0x00007f0001000000\n\
         -local mem base_addr = 0x00007f0000000000\n-nvbit version = 1.7\n-accelsim tracer version = {}\n-enable lineinfo = {}\n\n\
         #traces format = PC mask dest_num opcode src_num mem_width{immediates}{values}\n\n",
        form.tracer,
        u8::from(form.source_line)
    )
}

/// A TB with warps, each with its number.
pub fn tb(form: Form, [x, y, z]: [u32; 3], warps: &[(u32, Vec<(Instruction, Mode)>)]) -> String {
    let mut text = format!("\n#BEGIN_TB\n\nthread block = {x},{y},{z}\n");
    for (warp, instructions) in warps {
        let _ = writeln!(text, "\nwarp = {warp}\ninsts = {}", instructions.len());
        for (instruction, mode) in instructions {
            text += &line(form, instruction, *mode);
        }
    }
    text + "\n#END_TB\n"
}

fn line(form: Form, instruction: &Instruction, mode: Mode) -> String {
    let registers = |all: &[Register]| {
        let names = all.iter().map(|register| format!(" {register}"));
        format!("{}{}", all.len(), names.collect::<String>())
    };
    let mut text = instruction.source_line.map(|line| format!("{line} ")).unwrap_or_default();
    let Instruction { pc, mask, opcode, width, .. } = instruction;
    let (dests, sources) = (registers(&instruction.dests), registers(&instruction.sources));
    let _ = write!(text, "{pc:04x} {mask:08x} {dests} {opcode} {sources} {width}");
    if *width > 0 {
        let addresses = &instruction.addresses;
        let first = addresses.first().copied().unwrap_or_default();
        let apart = |pair: &[u64]| pair[1].wrapping_sub(pair[0]).cast_signed();
        match mode {
            Mode::All => {
                text += " 0";
                addresses.iter().for_each(|address| text += &format!(" 0x{address:x}"));
            }
            Mode::Stride => {
                let _ = write!(text, " 1 0x{first:x} {}", addresses.windows(2).next().map_or(0, apart));
            }
            Mode::Deltas => {
                let _ = write!(text, " 2 0x{first:x}");
                addresses.windows(2).for_each(|pair| text += &format!(" {}", apart(pair)));
            }
        }
    }
    instruction.immediates.iter().for_each(|immediate| text += &format!(" {immediate}"));
    if form.values {
        text += if pc % 32 == 0 { " NoVal" } else { " Val" };
        if pc % 32 != 0 {
            for register in instruction.dests.iter().chain(&instruction.sources) {
                let n = if register.number % 2 == 0 { 1 } else { 32 };
                text += &format!(" {n}{}", " 0xbeef".repeat(n));
            }
        }
    }
    text + " \n"
}
