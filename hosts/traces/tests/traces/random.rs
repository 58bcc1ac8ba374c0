//! Whatever a trace holds, it is read as it was written; whatever a file holds, reading it ends without a panic.

use crate::read;
use crate::writer::{self, ALL, Mode, V5, V6, head, tb};
use gpusched_traces::{Form, Header, Instruction, Kernel, Register, RegisterFile, Writer};
use proptest::prelude::*;

fn register() -> impl Strategy<Value = Register> {
    use RegisterFile::{Predicate, Uniform, UniformPredicate, Vector};
    let file = prop::sample::select(vec![Vector, Vector, Uniform, Predicate, UniformPredicate]);
    (file, 0..256_u16).prop_map(|(file, number)| Register { file, number })
}

/// An instruction that a trace of this form can tell, and a way to tell it.
fn instruction(form: writer::Form) -> impl Strategy<Value = (Instruction, Mode)> {
    let registers = || prop::collection::vec(register(), 0..4);
    let access = (any::<u32>(), any::<[u64; 32]>(), prop::sample::select(vec![0, 1, 2, 4, 8, 16]), any::<bool>());
    let opcode = prop::sample::select(vec!["LDG.E.128", "STS", "FFMA", "IMAD.MOV.U32", "ATOMG.ADD"]);
    (any::<u16>(), opcode, registers(), registers(), access, any::<[i32; 2]>()).prop_map(
        move |(pc, opcode, dests, sources, (mask, addresses, width, deltas), immediates)| {
            let lanes = if width > 0 { mask.count_ones() as usize } else { 0 };
            let instruction = Instruction {
                source_line: form.source_line.then_some(u32::from(pc) / 3),
                pc: u64::from(pc),
                mask,
                dests,
                opcode: opcode.into(),
                sources,
                width,
                addresses: addresses[..lanes].to_vec(),
                immediates: immediates[..form.immediates].iter().map(|&immediate| i64::from(immediate)).collect(),
                unread: false,
            };
            (instruction, if deltas { Mode::Deltas } else { Mode::All })
        },
    )
}

fn traces() -> impl Strategy<Value = (writer::Form, Vec<(Instruction, Mode)>)> {
    prop::sample::select(ALL.to_vec())
        .prop_flat_map(|form| prop::collection::vec(instruction(form), 1..6).prop_map(move |all| (form, all)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn what_is_written_is_read((form, all) in traces()) {
        let text = head(form, [1, 1, 1], [32, 1, 1]) + &tb(form, [0, 0, 0], &[(0, all.clone())]);
        let found = read(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let expected: Vec<_> = all.into_iter().map(|(instruction, _)| (0, 0, instruction)).collect();
        prop_assert_eq!(found, expected);
    }

    /// So is what the library writes, in the form of version 5.
    #[test]
    fn what_the_library_writes_is_read(all in prop::collection::vec(instruction(V5), 1..6)) {
        let (all, grid) = (all.into_iter().map(|(instruction, _)| instruction).collect::<Vec<_>>(), [3, 2, 1]);
        let header = Header { name: "_Z4testv".into(), id: 4, grid, block: [64, 1, 1], shared_bytes: 48, registers: 12, stream: 7, ..Header::default() };
        let header = Header { binary_version: 80, shared_base: 1 << 40, local_base: 1 << 41, ..header };
        let mut writer = Writer::new(Vec::new(), &header)?;
        writer.tb([1, 0, 0], &[(0, all.clone()), (1, all.clone())])?;
        writer.tb([0, 1, 0], &[(1, all.clone())])?;
        let text = writer.finish()?;
        let kernel = Kernel::read("test.traceg", text.as_slice()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let form = Form { immediates: 1, ..Form::default() };
        prop_assert_eq!(kernel.header(), &Header { tracer: "5".into(), form, ..header });
        let found = read(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let expected = [(1, 0), (1, 1), (3, 1)].into_iter().flat_map(|(tb, warp)| all.iter().map(move |one| (tb, warp, one.clone())));
        prop_assert_eq!(found, expected.collect::<Vec<_>>());
    }

    /// A change of a few bytes is an error or another trace, and never a panic.
    #[test]
    fn damaged_traces_do_no_harm(
        (form, all) in traces(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut text = (head(form, [1, 1, 1], [32, 1, 1]) + &tb(form, [0, 0, 0], &[(0, all)])).into_bytes();
        for (at, byte) in changes {
            *at.get_mut(&mut text) = byte;
        }
        let _ = read(text);
    }

    #[test]
    fn lines_of_any_words_do_no_harm(words in "[0-9a-fxRUP=#., \n-]{0,200}", head_first: bool) {
        let head = if head_first { head(V6, [1, 1, 1], [32, 1, 1]) + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 9\n" } else { String::new() };
        let _ = read(head + &words);
    }

    #[test]
    fn bytes_behind_any_magic_do_no_harm(magic in 0..4_usize, bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let magic: &[u8] = [&[0x1f, 0x8b, 8][..], &[0xfd, b'7', b'z', b'X', b'Z', 0], &[0x28, 0xb5, 0x2f, 0xfd], &[]][magic];
        let _ = read([magic, &bytes].concat());
    }
}
