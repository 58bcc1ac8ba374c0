//! models-M1: the generator, SplitMix64.

/// Random numbers of one run. Equal seeds and runs give equal numbers on every target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Generator(u64);

impl Generator {
    /// The numbers of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The numbers of a run.
    #[must_use]
    pub const fn of_run(seed: u64, run: u32) -> Self {
        let mut first = Self(seed ^ (run as u64).wrapping_mul(0xd134_2543_de82_ef95));
        Self(first.next())
    }

    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "there is always a next one")]
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next number below `n`; 0 if that is 0.
    pub const fn below(&mut self, n: u64) -> u64 {
        ((self.next() as u128 * n as u128) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sheet's golden values, which are those of the public definition.
    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = Generator::new(0);
        let first = [(); 3].map(|()| random.next());
        assert_eq!(first, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }
}
