//! Traces that are wrong: what and where is said.

use crate::writer::{Mode, V5, head, tb};
use crate::{read, wrong};
use gpusched_traces::Instruction;

fn text() -> String {
    let load = Instruction {
        opcode: "LDG.E".into(),
        mask: 0b101,
        width: 4,
        addresses: vec![0x10, 0x20],
        immediates: vec![0],
        ..Instruction::default()
    };
    let exit = Instruction { opcode: "EXIT".into(), mask: 1, immediates: vec![0], ..Instruction::default() };
    let warp = |n| (n, vec![(load.clone(), Mode::Deltas), (exit.clone(), Mode::All)]);
    head(V5, [2, 1, 1], [64, 1, 1]) + &tb(V5, [0, 0, 0], &[warp(0), warp(1)]) + &tb(V5, [1, 0, 0], &[warp(0), warp(1)])
}

/// Each is one change to a trace that is right.
#[test]
fn each_fault_is_said_with_its_line() {
    let right = text();
    assert_eq!(read(&right).unwrap().len(), 8);
    for (from, to, says) in [
        ("-grid dim = (2,1,1)\n", "", "expected -grid dim before the first TB, found none"),
        ("-block dim = (64,1,1)\n", "", "expected -block dim before the first TB, found none"),
        ("-accelsim tracer version = 5\n", "", "expected -accelsim tracer version before the first TB, found none"),
        ("version = 5", "version = 2", "expected a tracer of version 3 to 6, found `2`"),
        ("version = 5", "version = seven", "expected a tracer of version 3 to 6, found `seven`"),
        ("(2,1,1)", "(2,1)", "test.traceg:3: expected a grid (X,Y,Z), found `(2,1)`"),
        ("(2,1,1)", "(0,1,1)", "expected a grid of at least one TB"),
        ("(2,1,1)", "(4294967295,4294967295,4294967295)", "expected a grid of at least one TB and fewer than 2^64"),
        ("(64,1,1)", "(64,64,1)", "expected a block of 1 to 1024 threads, found [64, 64, 1]"),
        ("(64,1,1)", "(65536,65536,1)", "expected a block of 1 to 1024 threads"),
        ("-nregs = 12", "nregs 12", "test.traceg:6: expected -KEY = VALUE, found `nregs 12`"),
        ("lineinfo = 0", "lineinfo = 2", "expected 0 or 1, found `2`"),
        ("thread block = 0,0,0", "thread block = 2,0,0", "expected a TB of the grid 2,1,1, found `2,0,0`"),
        ("thread block = 1,0,0", "thread block = 0,0,0", "expected a TB behind the one before"),
        ("warp = 1", "warp = 0", "expected a warp from 1 to 1, each once and in order, found 0"),
        ("warp = 1", "warp = 2", "expected a warp from 1 to 1"),
        ("insts = 2", "insts = many", "expected a number of instructions, found `many`"),
        ("insts = 2", "instructions = 2", "expected insts = NUMBER"),
        ("insts = 2", "insts = 3", "expected a program counter in hexadecimal, found `warp`"),
        ("insts = 2", "insts = 1", "expected warp = NUMBER, or #END_TB, found `0000 00000001"),
        ("00000005", "0000005", "expected a mask of 8 hexadecimal digits, found `0000005`"),
        ("0 LDG.E", "R2 LDG.E", "expected how many registers are written, found `R2`"),
        ("0 LDG.E", "2 R1 LDG.E", "expected a register such as R7, UR4 or P0, found `LDG.E`"),
        ("0 LDG.E", "99 LDG.E", "expected how many registers are written, at most 64, found 99"),
        ("LDG.E 0", "LDG.E x", "expected how many registers are read, found `x`"),
        ("4 2 0x10 16", "4 3 0x10 16", "expected how addresses are told: 0, 1 or 2, found `3`"),
        (
            "4 2 0x10 16",
            "4 1 0x10 16",
            "expected lanes side by side, as addresses have one distance, found lanes 00000005",
        ),
        ("4 2 0x10 16", "4 2 0x10", "expected an immediate, found the end of the line"),
        ("4 2 0x10 16 0", "4 2 0x10 16 0 7", "expected the end of the line, found `7`"),
        ("4 2 0x10 16", "4 0 0x10 0xzz", "expected an address per active lane, found `0xzz`"),
        ("4 2 0x10 16", "99999999 2 0x10 16", "expected at most 65536 bytes per lane, found 99999999"),
        ("EXIT 0 0 0", "exit 0 0 0", "expected an opcode, found `exit`"),
        ("#BEGIN_TB", "begin", "expected #BEGIN_TB, found `begin`"),
        ("thread block = 0,0,0\n", "", "expected thread block = X,Y,Z, found `warp = 0`"),
    ] {
        assert!(right.contains(from), "{from}");
        let error = wrong(right.replacen(from, to, 1));
        assert!(error.contains(says) && error.starts_with("test.traceg:"), "{from} -> {to}: {error}");
    }
}

#[test]
fn a_trace_that_ends_in_its_head_or_within_a_tb_is_refused() {
    let right = text();
    let head = 0..=right.find('#').unwrap();
    let places = |word| right.match_indices(word).map(|(at, word)| at + word.len());
    let within = places("#BEGIN_TB").zip(places("#END_TB")).flat_map(|(begin, end)| begin..end);
    let mut cuts = 0;
    for length in head.chain(within) {
        assert!(read(&right[..length]).is_err(), "cut at {length}");
        cuts += 1;
    }
    assert!(cuts > 500, "{cuts}");
}

#[test]
fn a_line_without_end_is_no_line() {
    let text = head(V5, [1, 1, 1], [32, 1, 1]) + &"x".repeat(1 << 17);
    assert!(wrong(text).contains("expected a line of less than 65536 bytes, found a longer one"));
    assert!(wrong([head(V5, [1, 1, 1], [32, 1, 1]).as_bytes(), b"\xff\xfe\n"].concat()).contains("expected text"));
}

/// Also where a line has to follow on another one.
#[test]
fn a_line_that_cannot_be_read_is_not_taken_for_the_end_of_the_file() {
    let until = text().split("insts").next().unwrap().to_owned();
    assert!(wrong(&until).contains("expected insts = NUMBER, found the end of the file"));
    assert!(wrong([until.as_bytes(), b"\xff\xfe\n"].concat()).contains("expected text, found other bytes"));
}
