//! The WordNet 3.0 graph that comes with the crate: synsets and the pointers between them.
//!
//! `data/README.md` tells where it comes from and `examples/pack_wordnet.rs` makes the file. Unpacked, the file is
//! - two little-endian words: synsets, and pairs of synsets with a pointer either way;
//! - for each synset v a varint: how many pairs it forms with synsets u <= v;
//! - for each of these pairs, u falling from v, a varint: the distance from the previous u, at first from v;
//! - for each pair a byte: pointers from u to v (high four bits) and from v to u (low four bits); a pair (v, v) has only
//!   the latter.
//!
//! Varints have seven bits a byte, low first, and the top bit set on all but the last.

use super::EdgeList;
use flate2::read::GzDecoder;
use std::io::{self, Read};

const PACKED: &[u8] = include_bytes!("../../data/wordnet.bin.gz");

/// Where the graph comes from, for reports.
pub const PROVENANCE: &str = "WordNet 3.0 (Princeton University, 2006): synsets of Debian's wordnet-base 3.0-37 and the \
    pointers between them, undirected; WordNet 3.0 license, data/LICENSE-wordnet";

/// Two synsets u <= v and the pointers between them.
struct Pair {
    u: u32,
    v: u32,
    /// Used where pointers are counted; the graph has their pairs.
    pointers: u8,
}

/// The graph's edges: every pair of synsets with a pointer, once.
///
/// # Errors
/// If the file in the crate is damaged, which a test rules out.
pub fn edges() -> io::Result<EdgeList> {
    let (synsets, pairs) = unpack()?;
    let mut list = EdgeList::unweighted(synsets);
    list.reserve(pairs.len());
    for pair in pairs {
        list.push(pair.u, pair.v, 1);
    }
    Ok(list)
}

fn unpack() -> io::Result<(u32, Vec<Pair>)> {
    let mut bytes = Vec::new();
    GzDecoder::new(PACKED).read_to_end(&mut bytes)?;
    let mut bytes = bytes.into_iter();
    let mut take = || bytes.next().ok_or(io::ErrorKind::UnexpectedEof);
    let mut word = || Ok::<_, io::Error>(u32::from_le_bytes([take()?, take()?, take()?, take()?]));
    let (synsets, total) = (word()?, word()?);
    let mut varint = || {
        let mut value = 0;
        for shift in (0..32).step_by(7) {
            let byte = take()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(io::Error::from(io::ErrorKind::InvalidData))
    };
    let counts: Vec<u32> = (0..synsets).map(|_| varint()).collect::<io::Result<_>>()?;
    let mut pairs = Vec::new();
    for (v, count) in (0..synsets).zip(counts) {
        let mut u = v;
        for _ in 0..count {
            u = u.checked_sub(varint()?).ok_or(io::ErrorKind::InvalidData)?;
            pairs.push(Pair { u, v, pointers: 0 });
        }
    }
    for pair in &mut pairs {
        pair.pointers = take()?;
    }
    match (pairs.len() == total as usize, bytes.next()) {
        (true, None) => Ok((synsets, pairs)),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Csr, fnv1a};

    #[test]
    fn every_synset_and_pointer_is_there() {
        let (synsets, pairs) = unpack().unwrap();
        let mut out = vec![0; synsets as usize];
        let mut into = out.clone();
        for &Pair { u, v, pointers } in &pairs {
            for (from, to, count) in [(u, v, pointers >> 4), (v, u, pointers & 15)] {
                out[from as usize] += u32::from(count);
                into[to as usize] += u32::from(count);
            }
        }
        assert_eq!(synsets, 117_659);
        assert_eq!(out.iter().sum::<u32>(), 377_592);
        assert_eq!(out.iter().max(), Some(&673));
        assert_eq!(into.iter().max(), Some(&674));
    }

    #[test]
    fn the_graph_is_the_one_the_readme_describes() {
        let csr = Csr::from_edges(edges().unwrap()).unwrap();
        assert_eq!(csr.arc_count(), 2 * 183_789);
        let arrays = csr.row().iter().chain(csr.col());
        assert_eq!(fnv1a(arrays.copied()), 0x72b74d1a6c290f0f);
    }
}
