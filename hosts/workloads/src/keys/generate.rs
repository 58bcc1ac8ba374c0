//! KEY: seeded keys, exact to the draw (workloads-G8). First all of R, then all of S, from one stream.

use super::MAX_ROWS;
use crate::generated::{sizes_and_seed, within};
use crate::graph::SplitMix64;
use std::fmt;

/// How keys are spread over 0..K.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distribution {
    /// All alike.
    Uniform,
    /// The sum of twelve uniform ones: mean K/2, standard deviation K/8.
    Gaussian,
}

impl Distribution {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Uniform, Self::Gaussian];

    /// The word for it in names.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Uniform => "uni",
            Self::Gaussian => "gauss",
        }
    }

    /// K for a searched side of `rows`, by the ratio of workloads-IN4.
    fn range(self, rows: u32) -> u32 {
        let rows_per_key = match self {
            Self::Uniform => 256,
            Self::Gaussian => 16,
        };
        (rows / rows_per_key).max(1)
    }

    fn draw(self, stream: &mut SplitMix64, range: u32) -> u32 {
        match self {
            Self::Uniform => stream.below(u64::from(range)) as u32,
            Self::Gaussian => {
                let sum: i64 = (0..12).map(|_| stream.below(65_536) as i64).sum();
                // K/2 + (sum - mean)*K/8/65536, over the common denominator of its two terms.
                let range = i64::from(range);
                let key = (range * 262_144 + (sum - 393_210) * range).div_euclid(524_288);
                key.clamp(0, range - 1) as u32
            }
        }
    }
}

/// A generator of keys with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Generator {
    /// How they are spread.
    pub distribution: Distribution,
    /// Rows of R and of S, 1 to [`MAX_ROWS`].
    pub rows: [u32; 2],
    /// Keys are below this, 1 or more.
    pub range: u32,
    /// Seed of the stream.
    pub seed: u64,
}

impl Generator {
    /// The generator of the default size.
    #[must_use]
    pub fn new(distribution: Distribution) -> Self {
        let rows = [4096, 65_536];
        Self { distribution, rows, range: distribution.range(rows[1]), seed: 1 }
    }

    /// The keys of R and S, in the order in which they are drawn.
    #[must_use]
    pub fn keys(&self) -> [Vec<u32>; 2] {
        let mut stream = SplitMix64::new(self.seed);
        self.rows.map(|rows| (0..rows).map(|_| self.distribution.draw(&mut stream, self.range)).collect())
    }

    /// What the keys are.
    #[must_use]
    pub fn provenance(&self) -> String {
        let spread = match self.distribution {
            Distribution::Uniform => "uniform",
            Distribution::Gaussian => "near Gaussian",
        };
        format!("generated `{self}`: {spread} keys below {}; no licence needed", self.range)
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { distribution, rows: [r, s], range, seed } = self;
        write!(f, "{}:{r},{s},{range},seed={seed}", distribution.word())
    }
}

/// Reads `kind[:R,S[,K]][,seed=N]`, or says what is wrong with it.
pub fn parse(given: &str) -> Result<Generator, String> {
    let (kind, rest) = given.split_once(':').map_or((given, None), |(kind, rest)| (kind, Some(rest)));
    let expected = || format!("expected {}", super::KeySource::FORMS);
    let distribution = Distribution::ALL.into_iter().find(|d| d.word() == kind).ok_or_else(expected)?;
    let mut generator = Generator::new(distribution);
    let (sizes, seed) = sizes_and_seed(rest)?;
    generator.seed = seed.unwrap_or(generator.seed);
    match sizes[..] {
        [] => {}
        [r, s, ref range @ ..] if range.len() <= 1 => {
            generator.rows = [within(r, MAX_ROWS)?, within(s, MAX_ROWS)?];
            generator.range = match range {
                [range] => within(*range, u32::MAX)?,
                _ => distribution.range(generator.rows[1]),
            };
        }
        _ => return Err(expected()),
    }
    Ok(generator)
}
