//! The checksum of every result: FNV-1a, 64 bits, over little-endian words (workloads-W10); of a decision log over its bytes.

/// FNV-1a 64 of nothing.
pub const FNV1A_OF_NOTHING: u64 = 14_695_981_039_346_656_037;
const PRIME: u64 = 1_099_511_628_211;

/// FNV-1a 64 of `words`, each taken as four bytes, low byte first.
pub fn fnv1a(words: impl IntoIterator<Item = u32>) -> u64 {
    fnv1a_onward(FNV1A_OF_NOTHING, words.into_iter().flat_map(u32::to_le_bytes))
}

/// FNV-1a 64 of what has the checksum `sum`, with `bytes` behind it.
pub fn fnv1a_onward(sum: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(sum, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_published_vectors() {
        assert_eq!(fnv1a([]), 0xcbf2_9ce4_8422_2325);
        // "foobar" has six bytes; its published sum continues that of "foob".
        let foob = fnv1a([u32::from_le_bytes(*b"foob")]);
        assert_eq!(fnv1a_onward(foob, *b"ar"), 0x8594_4171_f739_67e8);
    }
}
