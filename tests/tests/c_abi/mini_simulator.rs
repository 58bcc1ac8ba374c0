//! One simulator twice, in C++ and in Rust.

use gpusched_tests::mini_simulator::{self, hash};

use crate::build::{Language, run};

const SEEDS: u64 = 1000;

/// Every decision, result and view is the same through C++ as it is in Rust.
#[test]
fn cpp_and_rust_keep_the_same_journal() {
    let mut program = Language::Cpp("c++17").program("tests/cpp/mini_simulator.cpp");
    let printed = run(program.args(["0", &SEEDS.to_string()]));
    assert_eq!(printed.lines().count() as u64, SEEDS);
    for (seed, line) in (0..).zip(printed.lines()) {
        let journal = mini_simulator::run(seed);
        if line != format!("{seed} {} {:x}", journal.lines(), hash(journal.text().as_bytes())) {
            let mut program = Language::Cpp("c++17").program("tests/cpp/mini_simulator.cpp");
            let theirs = run(program.arg(seed.to_string()));
            let (n, (cpp, rust)) = (1..)
                .zip(theirs.lines().zip(journal.text().lines()))
                .find(|(_, (cpp, rust))| cpp != rust)
                .unwrap_or((0, ("an end", "another end")));
            panic!("seed {seed}, line {n}: C++ has `{cpp}`, Rust has `{rust}`");
        }
    }
}

/// The runs reach what they are for: all kinds of decisions, refusals and waits.
#[test]
fn the_runs_reach_every_corner() {
    let mut words = std::collections::BTreeMap::<String, u32>::new();
    for seed in 0..200 {
        for line in mini_simulator::run(seed).text().lines() {
            for word in line.split(' ').filter(|word| word.chars().any(|c| c.is_ascii_lowercase())) {
                *words.entry(word.to_owned()).or_default() += 1;
            }
            assert!(!line.starts_with("stuck"), "seed {seed}: {line}");
        }
    }
    let reached = |word: &&str| words.contains_key(*word);
    let corners = [
        "tb",
        "bypass",
        "hwq",
        "device",
        "arrive",
        "join",
        "fall",
        "load",
        "unmark",
        "rotate",
        "group",
        "kernel",
        "free",
        "Ok",
        "HwqFull",
        "PendingLimit",
        "EmptyGrid",
        "BadSmx",
        "BadCap",
        "BadClass",
        "ClassTaken",
        "Running",
        "Gated",
        "spilled",
        "age",
        "agg",
        "dev",
        "grp",
        "cursor",
        "chain",
        "head",
    ];
    assert_eq!(corners.iter().filter(|word| !reached(word)).collect::<Vec<_>>(), Vec::<&&str>::new(), "{words:?}");
}
