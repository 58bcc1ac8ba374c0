//! The analytical models, sheet `models`: which test holds which rule is listed in `tests/README.md`.

mod closed_faults;
mod exec;
mod monte;
mod theory;
mod vectors;
mod wfg;

use proptest::test_runner::{Config, RngSeed};

/// `cases` random runs, the same in every test run. `PROPTEST_RNG_SEED` chooses others.
fn runs(cases: u32) -> Config {
    let chosen = Config::default();
    let rng_seed = match chosen.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed => fixed,
    };
    Config { cases, rng_seed, ..chosen }
}
