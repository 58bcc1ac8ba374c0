//! Each version's form, and what its lines say.

use crate::writer::{ALL, BETWEEN, Form, Mode, V3, V4, V5, V6, head, tb};
use crate::{read, wrong};
use gpusched_traces::isa::{Class, Space};
use gpusched_traces::{Bytes, Event, Instruction, Kernel, Place, Register, RegisterFile, Summary};

/// A load of four bytes per lane.
fn load(form: Form, mask: u32, addresses: Vec<u64>) -> Instruction {
    let register = |number| Register { file: RegisterFile::Vector, number };
    Instruction {
        source_line: form.source_line.then_some(12),
        pc: 0xa0,
        mask,
        dests: vec![register(2)],
        opcode: "LDG.E".into(),
        sources: vec![register(4), register(5)],
        width: 4,
        addresses,
        immediates: (0..form.immediates as i64).map(|n| -n).collect(),
        unread: false,
    }
}

fn one(form: Form, instruction: &Instruction, mode: Mode) -> String {
    head(form, [1, 1, 1], [32, 1, 1]) + &tb(form, [0, 0, 0], &[(0, vec![(instruction.clone(), mode)])])
}

#[test]
fn every_version_is_read_as_it_was_written() {
    for form in ALL {
        let full = load(form, !0, (0..32).map(|lane| 0x1000 - 8 * lane).collect());
        let gaps = load(form, 0x8000_0101, vec![0x7000, 0x10, 0xffff_ffff_ffff_fff0]);
        let none = load(form, 0, vec![]);
        let single = load(form, 1 << 31, vec![0x77]);
        for (instruction, modes) in [
            (&full, &[Mode::All, Mode::Stride, Mode::Deltas][..]),
            (&gaps, &[Mode::All, Mode::Deltas]),
            (&none, &[Mode::All, Mode::Stride, Mode::Deltas]),
            (&single, &[Mode::All, Mode::Stride, Mode::Deltas]),
        ] {
            for &mode in modes {
                let found =
                    read(one(form, instruction, mode)).unwrap_or_else(|error| panic!("{form:?} {mode:?}: {error}"));
                assert_eq!(found, [(0, 0, instruction.clone())], "{form:?} {mode:?}");
            }
        }
    }
}

/// Without a line that tells the form, the version does.
#[test]
fn a_trace_that_does_not_tell_its_form_has_that_of_its_version() {
    for form in [V3, V4, V5, V6] {
        let instruction = load(form, 3, vec![0x40, 0x44]);
        let text = one(form, &instruction, Mode::Deltas);
        let untold = text.lines().filter(|line| !line.starts_with("#traces")).map(|line| format!("{line}\n"));
        assert_eq!(read(untold.collect::<String>()).unwrap(), [(0, 0, instruction)], "{form:?}");
    }
}

/// The distances are one less than the lanes: what follows is the immediate, however many lanes there are.
#[test]
fn an_immediate_is_no_distance() {
    for (form, immediates) in [(V5, vec![-9]), (BETWEEN, vec![-9, 5])] {
        let instruction = Instruction { immediates, ..load(form, 0b1001, vec![0x100, 0x180]) };
        assert_eq!(read(one(form, &instruction, Mode::Deltas)).unwrap()[0].2, instruction);
    }
}

#[test]
fn the_head_tells_the_kernel() {
    let text = head(V5, [3, 2, 1], [40, 2, 1]);
    let kernel = Kernel::read("k", text.as_bytes()).unwrap();
    let header = kernel.header();
    assert_eq!((header.name.as_str(), header.id, header.stream), ("_Z4testv", 1, 7));
    assert_eq!((header.tbs(), header.threads(), header.warps()), (6, 80, 3));
    assert_eq!((header.shared_bytes, header.registers, header.binary_version), (48, 12, 80));
}

/// TBs come in order and may be missing; so may warps, and a warp without instructions is none.
#[test]
fn events_come_as_the_trace_has_them() {
    let exit = Instruction { opcode: "EXIT".into(), mask: 1, immediates: vec![0], ..Instruction::default() };
    let body = || vec![(exit.clone(), Mode::All)];
    let text = head(V5, [2, 2, 1], [96, 1, 1])
        + &tb(V5, [1, 0, 0], &[(0, body()), (1, vec![]), (2, body())])
        + &tb(V5, [0, 1, 0], &[(1, body())]);
    let mut kernel = Kernel::read("k", text.as_bytes()).unwrap();
    let mut found = Vec::new();
    while let Some(event) = kernel.next().unwrap() {
        found.push(format!("{event:?}").split([' ', '{', '(']).next().unwrap().to_owned());
        match event {
            Event::Tb(place) => assert!(matches!(place, Place { index: 1 | 2, .. })),
            Event::Warp { instructions, .. } => assert_eq!(instructions, 1),
            _ => {}
        }
    }
    let tb_of = |warps: usize| [&["Tb"][..], &["Warp", "Instruction"].repeat(warps), &["TbEnd"]].concat();
    assert_eq!(found, [tb_of(2), tb_of(1)].concat());
    assert_eq!(kernel.tbs(), 2);
}

#[test]
fn clusters_are_told() {
    let text = one(V6, &load(V6, 1, vec![0]), Mode::All);
    let place = "thread block = 0,0,0\n";
    let text = text.replace(place, &format!("{place}cluster id = 1,2,3\ncluster cta = 0,0,0\ncluster rank = 4\n"));
    let mut kernel = Kernel::read("k", text.as_bytes()).unwrap();
    kernel.next().unwrap();
    assert_eq!(kernel.next().unwrap(), Some(Event::Cluster { id: [1, 2, 3], rank: 4 }));
    assert!(wrong(text.replace("cluster rank", "rank")).contains("expected cluster rank = ..., found `rank = 4`"));
}

/// Counted here once more, by hand.
#[test]
fn a_summary_counts_what_is_there() {
    let lines = "0000 ffffffff 1 R2 LDG.E.64 1 R4 8 1 0x1000 8 0\n\
                 0010 0000000f 0 ST.E 2 R4 R2 4 2 0x7f0001000010 4 4 0x0 0\n";
    let lines = lines.replace(" 0x0 0", " 4 0");
    let text = head(V5, [2, 1, 1], [32, 1, 1])
        + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 5\n"
        + &lines
        + "0020 00000001 1 R1 ATOMG.ADD 1 R2 4 1 0x2000 0 0\n0030 ffffffff 0 NEWOP.X 0 0 0\n0040 00000000 0 EXIT 0 0 0\n#END_TB\n";
    let mut kernel = Kernel::read("k", text.as_bytes()).unwrap();
    let summary = Summary::of(&mut kernel, &mut || false).unwrap().unwrap();
    assert_eq!((summary.tbs, summary.warps, summary.instructions), (1, 1, 5));
    assert_eq!((summary.thread_instructions, summary.without_lanes), (32 + 4 + 1 + 32, 1));
    let class = |class| summary.classes.get(&class).copied().unwrap_or_default();
    assert_eq!([Class::Load, Class::Store, Class::Atomic, Class::Exit].map(class), [1, 1, 1, 1]);
    assert_eq!(summary.unknown.iter().collect::<Vec<_>>(), [(&"NEWOP.X".to_owned(), &1)]);
    let bytes = |space| summary.bytes.get(&space).copied().unwrap_or_default();
    assert_eq!(bytes(Space::Global), Bytes { loaded: 256, stored: 0, atomic: 4 });
    // The generic address is in the window that the head gives to shared memory.
    assert_eq!(bytes(Space::Shared), Bytes { loaded: 0, stored: 16, atomic: 0 });
    assert_eq!(summary.global_blocks, 2 + 1);
}

#[test]
fn a_summary_ends_when_it_is_told_to() {
    let exit = Instruction { opcode: "EXIT".into(), immediates: vec![0], ..Instruction::default() };
    let tbs = (0..100).map(|x| tb(V5, [x, 0, 0], &[(0, vec![(exit.clone(), Mode::All)])])).collect::<String>();
    let text = head(V5, [100, 1, 1], [32, 1, 1]) + &tbs;
    let mut kernel = Kernel::read("k", text.as_bytes()).unwrap();
    assert!(Summary::of(&mut kernel, &mut || true).unwrap().is_none());
    assert!(kernel.tbs() < 100);
}
