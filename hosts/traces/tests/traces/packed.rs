//! Packed files are told by how they begin, whatever they are called.

use crate::read;
use crate::writer::{Mode, V5, head, tb};
use flate2::{Compression, Crc, write::GzEncoder};
use gpusched_traces::Instruction;
use lzma_rust2::{XzOptions, XzWriter};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::Write;

fn text() -> String {
    let instruction = Instruction { opcode: "EXIT".into(), mask: 5, immediates: vec![3], ..Instruction::default() };
    head(V5, [1, 1, 1], [32, 1, 1]) + &tb(V5, [0, 0, 0], &[(0, vec![(instruction, Mode::All); 500])])
}

fn packed() -> [(&'static str, Vec<u8>); 3] {
    let text = text();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
    xz.write_all(text.as_bytes()).unwrap();
    let zstd = compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
    [("gzip", gzip.finish().unwrap()), ("xz", xz.finish().unwrap()), ("zstd", zstd)]
}

#[test]
fn packed_traces_are_read_as_plain_ones() {
    let plain = read(text()).unwrap();
    for (name, bytes) in packed() {
        assert!(bytes.len() < text().len());
        assert_eq!(read(bytes).unwrap(), plain, "{name}");
    }
}

/// What is cut off or damaged is an error, and never a shorter trace.
#[test]
fn packed_traces_that_are_cut_off_are_refused() {
    for (name, bytes) in packed() {
        for length in (7..bytes.len() - 1).step_by(11) {
            assert!(read(&bytes[..length]).is_err(), "{name}: {length} of {}", bytes.len());
        }
    }
}

/// A file of a few bytes that asks for a gigabyte to be unpacked is refused before it gets it.
#[test]
fn a_packed_trace_that_needs_too_much_memory_is_refused() {
    let [_, (_, mut xz), _] = packed();
    // The head of the first block: its size, no options, one filter (0x21) with one byte, which is the size of the dictionary.
    assert_eq!(xz[12..16], [2, 0, 0x21, 1]);
    xz[16] = 36;
    let mut crc = Crc::new();
    crc.update(&xz[12..20]);
    xz[20..24].copy_from_slice(&crc.sum().to_le_bytes());
    assert!(crate::wrong(xz).contains("memory too big"));
}
