//! The packed form of tracers of version 6 is read as their text, and refused where it is damaged.

use crate::writer::{Mode, V6, head, tb};
use crate::{instructions, read};
use gpusched_traces::{Instruction, Kernel};
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fs;
use std::path::Path;

type Read = Vec<(u64, u32, Instruction)>;

fn unpacked(bytes: &[u8]) -> Result<Read, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.tracez");
    fs::write(&path, bytes).unwrap();
    let read = Kernel::open(&path).and_then(instructions);
    read.map_err(|error| error.to_string().replace(&folder.path().display().to_string(), ""))
}

/// Warps of the first TB, each in pieces of so many of its lines; without a dictionary.
struct Packed {
    head: Vec<u8>,
    warps: Vec<u8>,
    index: Vec<u8>,
}

impl Packed {
    fn of(warps: &[Vec<String>], piece: usize) -> Self {
        let numbers = |all: &[u32]| all.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
        let mut head = head(V6, [1, 1, 1], [128, 1, 1]).into_bytes();
        head.push(0);
        head.extend(numbers(&[0, 2048]));
        let mut packed =
            Self { warps: Vec::new(), index: numbers(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, warps.len() as u32]), head };
        for lines in warps {
            let begins = (packed.head.len() + packed.warps.len()) as u64;
            let pieces: Vec<&[String]> = lines.chunks(piece).collect();
            let counts = [lines.len() as u32, pieces.len() as u32];
            packed.index.extend(numbers(&counts));
            packed.index.extend(begins.to_le_bytes());
            packed.warps.extend(numbers(&counts));
            for piece in pieces {
                let frame = compress_to_vec(piece.join("\n").as_bytes(), CompressionLevel::Fastest);
                packed.index.extend(numbers(&[piece.len() as u32]));
                packed.warps.extend(numbers(&[frame.len() as u32]));
                packed.warps.extend(frame);
            }
        }
        packed
    }

    fn bytes(&self) -> Vec<u8> {
        let Self { head, warps, index } = self;
        let begins = (head.len() + warps.len()) as u64;
        [&head[..], warps, index, &begins.to_le_bytes()].concat()
    }
}

fn instruction(i: u32) -> Instruction {
    Instruction {
        pc: (16 * i).into(),
        opcode: "IADD3".into(),
        mask: i | 1,
        immediates: vec![i.into(), 0],
        ..Instruction::default()
    }
}

/// So many instructions of each warp, as lines, and what is read of the same as text.
fn sample(counts: &[u32]) -> (Vec<Vec<String>>, Read) {
    let all: Vec<_> =
        (0..).zip(counts).map(|(w, &n)| (w, (0..n).map(|i| (instruction(i), Mode::All)).collect())).collect();
    let text = tb(V6, [0, 0, 0], &all);
    let warps = text.split("warp = ").skip(1).map(|warp| {
        let lines = warp.lines().skip(2).filter(|line| !line.is_empty() && *line != "#END_TB");
        lines.map(str::to_owned).collect()
    });
    (warps.collect(), read(head(V6, [1, 1, 1], [128, 1, 1]) + &text).unwrap())
}

/// The packed file was made by `tests/pack.py` with zstd's own library, which trained its dictionary.
#[test]
fn what_another_program_has_packed_is_read_as_its_text() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let [text, packed] = ["traceg", "tracez"].map(|form| {
        let mut kernel = Kernel::open(&data.join("sample").with_extension(form)).unwrap();
        let header = kernel.header().clone();
        assert!(matches!(kernel.next(), Ok(Some(gpusched_traces::Event::Tb(_)))));
        (header, instructions(kernel).unwrap())
    });
    assert_eq!(text.1.len(), 2 * 2 * 92);
    assert_eq!(packed, text);
}

proptest! {
    #[test]
    fn pieces_of_any_length_are_read_as_text(counts in prop::collection::vec(0_u32..40, 1..=4), piece in 1_usize..50) {
        let (warps, text) = sample(&counts);
        prop_assert_eq!(unpacked(&Packed::of(&warps, piece).bytes()), Ok(text));
    }

    #[test]
    fn damaged_files_are_read_or_refused(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let (warps, _) = sample(&[20, 3]);
        let mut bytes = Packed::of(&warps, 7).bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = unpacked(&bytes);
    }
}

#[test]
fn files_that_are_cut_off_are_refused() {
    let (warps, _) = sample(&[20, 3]);
    let bytes = Packed::of(&warps, 7).bytes();
    for length in 0..bytes.len() {
        assert!(unpacked(&bytes[..length]).is_err(), "{length} of {}", bytes.len());
    }
}

#[test]
fn what_is_wrong_is_said() {
    let (warps, _) = sample(&[20, 3]);
    let good = Packed::of(&warps, 7);
    let bytes = good.bytes();
    let says = |bytes: &[u8], words: &str| {
        let said = unpacked(bytes).unwrap_err();
        assert!(said.starts_with("/test.tracez") && said.contains(words), "{said:?}");
    };
    says(b"-kernel name = a\n", "no zero ends its head");
    says(
        &[b"\0".as_slice(), &(1_u32 << 30).to_le_bytes(), &[0; 4]].concat(),
        "a dictionary of 1073741824 bytes; one has 1048576 at most",
    );
    says(&[b"\0".as_slice(), &20_u32.to_le_bytes(), &[7; 30]].concat(), "its dictionary: ");
    says(&good.head, "it");
    let last = bytes.len() - 8;
    says(&[&bytes[..last], &u64::MAX.to_le_bytes()].concat(), "behind its end");
    says(&[&bytes[..last], &[0; 4], &bytes[last..]].concat(), "bytes follow on the last TB of its index");
    // Number of the TB's warps, then of the first warp's instructions in the index and where it lies.
    let index = good.head.len() + good.warps.len();
    let with = |at: usize, byte: u8| [&bytes[..at], &[byte], &bytes[at + 1..]].concat();
    says(&with(index + 44, 3), "it ends within its index");
    says(
        &with(index + 48, 21),
        "a warp of 21 instructions in 3 pieces by its index, whose pieces have 20, has 20 in 3",
    );
    // The first byte of the first piece's frame, and its size.
    let piece = good.head.len() + 8;
    says(&with(piece + 4, 0), "/test.tracez: ");
    says(&with(piece, bytes[piece] + 1), "1 bytes follow on the frame of a piece");
    // Lines are those of the text: 16 of the head, 7 of the TB and 3 of the warp come before.
    let mut other = warps.clone();
    other[0][0] = "0010 zz".to_owned();
    let said = unpacked(&Packed::of(&other, 7).bytes()).unwrap_err();
    assert!(said.contains("/test.tracez:27: expected") && said.contains("`zz`"), "{said}");
}
