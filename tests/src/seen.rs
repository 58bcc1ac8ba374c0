//! The states that an exploration has seen.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// A set of states.
pub type Seen<S> = HashSet<S, BuildHasherDefault<Quick>>;

/// A hash of words, with one multiplication for each. Nobody chooses states so that they collide, which is what the standard library's
/// hash guards against; explorations spent a fifth of their time in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quick(u64);

/// An odd number without a pattern.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn write_u16(&mut self, word: u16) {
        self.write_u64(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from((self.0 ^ word).wrapping_add(ODD)) * u128::from(ODD);
        // Both halves: the set looks at the lowest bits and at the highest.
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
