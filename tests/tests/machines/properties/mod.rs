//! Properties of random runs on tiny machines, where every table is soon full and every race soon happens.

mod against_model;
mod configs;
mod gates;
mod graphs;
mod images;
mod invariants;
mod parts;
mod reach;
mod script;
mod skipping;
mod through_c;

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
