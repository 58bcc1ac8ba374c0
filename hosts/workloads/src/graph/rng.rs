//! Random numbers: SplitMix64 (models-M1, workloads-W12). Integers only, so every target draws the same.

/// A SplitMix64 stream.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A stream that starts from `seed` as its state.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub const fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.state;
        let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`: the high half of a draw times `bound`. 0 if `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.draw() as u128 * bound as u128) >> 64) as u64
    }

    /// A multiple of 2^-24 from 0 to below 1, uniformly: `below(2^24) / 2^24`, exact.
    pub const fn unit_f32(&mut self) -> f32 {
        self.below(1 << 24) as f32 / 16_777_216.0
    }

    /// [`below`](Self::below) for vertex numbers.
    pub(crate) const fn vertex(&mut self, bound: u32) -> u32 {
        self.below(bound as u64) as u32
    }
}

/// The first draw of the stream with state `x`.
#[must_use]
pub const fn hash(x: u64) -> u64 {
    SplitMix64::new(x).draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begins_as_the_sheet_says() {
        let mut stream = SplitMix64::new(0);
        assert_eq!(stream.draw(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(stream.draw(), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(stream.draw(), 0x06C4_5D18_8009_454F);
        assert_eq!(hash(0), 0xE220_A839_7B1D_CDAF);
    }
}
