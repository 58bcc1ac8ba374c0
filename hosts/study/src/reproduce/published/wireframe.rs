//! Wireframe: dependency graphs of TBs (sheet `dats`).

use super::causes;
use super::claim::Figure::{Less, Of, Over};
use super::claim::{Cause, Claim, Counted, Fold, Unit, at_most, mean, rise, unchanged};
use super::source::{Bench, Does, Row, Source, Way, Words};

/// Sides of the matrices are divided by so much, and launches by the same. A tile is walked diagonal by diagonal, so that the time of a level
/// goes with the side, not with the cells: with `sw`, Global, 4K, computing over launching is 2.80 at the source's side, and 2.96 at a 16th
/// of it with launches 16 times as fast (workloads-B9).
const SIZES: [Words; 3] = [
    &[("divide", "32"), ("launch-scale", "32")],
    &[("divide", "16"), ("launch-scale", "16")],
    &[("divide", "1"), ("launch-scale", "1")],
];

macro_rules! wave {
    ($name:literal) => {
        Bench { name: $name, words: &[("workload", $name)], launching: &[], sizes: SIZES, beside: false }
    };
}

macro_rules! way {
    ($name:literal, $version:literal, $tiles:literal $(, $more:expr)*) => {
        Way { name: $name, does: Does::Run(&[("version", $version), ("tiles", $tiles) $(, $more)*]) }
    };
}

const GLOBAL: Counted = ("global", "cycles");
const GLOBAL_1K: Counted = ("global 1K", "cycles");
const GLOBAL_9K: Counted = ("global 9K", "cycles");
const LRR: Counted = ("lrr", "cycles");
const LVL: Counted = ("lvl", "cycles");
const LVL_1K: Counted = ("lvl 1K", "cycles");
const LVL_9K: Counted = ("lvl 9K", "cycles");
const RANGE: [Counted; 2] = [("lrr 9K", "max_level_range"), ("lvl 9K", "max_level_range")];
const ADDED: Counted = ("lvl", "added_requests");

const fn ranges(what: &'static str, way: usize, stated: f64) -> Claim {
    mean(what, Of(RANGE[way]), Unit::Number, stated)
}

/// Computing over launching.
macro_rules! computing {
    ($way:literal) => {
        Over(($way, "cycles_without_launches"), ($way, "launch_cycles"))
    };
}

pub static SOURCE: Source = Source {
    name: "wireframe",
    title: "Wireframe: TBs that start when those that they depend on have ended",
    benches: &[wave!("dtw"), wave!("sw"), wave!("int_img"), wave!("hist"), wave!("heat2d"), wave!("sor")],
    ways: &[
        way!("global", "global", "64"),
        way!("global 1K", "global", "32"),
        way!("global 9K", "global", "96"),
        way!("cdp", "cdp", "64"),
        way!("deplinks", "deplinks", "64"),
        way!("lrr", "lrr", "64"),
        way!("lrr 9K", "lrr", "96"),
        way!("lvl", "lvl", "64"),
        way!("lvl 1K", "lvl", "32"),
        way!("lvl 9K", "lvl", "96"),
        way!("lrr, LNA 128", "lrr", "64", ("dgb", "128,2048,64")),
    ],
    rows: &[
        Row {
            cells: &["mean speedup over Global, 4K: CDP, DepLinks, LRR, LVL"],
            figures: &[],
            claims: &[
                mean("speedup over Global, CDP", Over(GLOBAL, ("cdp", "cycles")), Unit::Times, 1.0687),
                mean("speedup over Global, DepLinks", Over(GLOBAL, ("deplinks", "cycles")), Unit::Times, 1.2507),
                mean("speedup over Global, LRR", Over(GLOBAL, LRR), Unit::Times, 1.2981),
                mean("speedup over Global, LVL", Over(GLOBAL, LVL), Unit::Times, 1.3181),
                rise(
                    "speedups over Global",
                    Unit::Times,
                    &[
                        ("CDP", Over(GLOBAL, ("cdp", "cycles"))),
                        ("DepLinks", Over(GLOBAL, ("deplinks", "cycles"))),
                        ("LRR", Over(GLOBAL, LRR)),
                        ("LVL", Over(GLOBAL, LVL)),
                    ],
                )
                .because(Cause { ways: &[], shown: causes::wireframe::no_choice }),
                rise(
                    "speedups over Global, hist",
                    Unit::Times,
                    &[("LVL", Over(GLOBAL, LVL)), ("LRR", Over(GLOBAL, LRR))],
                )
                .of(&["hist"])
                .because(Cause { ways: &[], shown: causes::wireframe::no_choice }),
            ],
            without: &[],
        },
        Row {
            cells: &["LVL, mean at 1K, 4K, 9K; maximum"],
            figures: &[],
            claims: &[
                mean("speedup over Global, LVL, 1K", Over(GLOBAL_1K, LVL_1K), Unit::Times, 1.1411),
                mean("speedup over Global, LVL, 9K", Over(GLOBAL_9K, LVL_9K), Unit::Times, 1.4507),
                mean("speedup over Global, LVL, 9K, most", Over(GLOBAL_9K, LVL_9K), Unit::Times, 1.6520).at(Fold::Most),
                rise(
                    "speedups over Global, LVL",
                    Unit::Times,
                    &[("1K", Over(GLOBAL_1K, LVL_1K)), ("4K", Over(GLOBAL, LVL)), ("9K", Over(GLOBAL_9K, LVL_9K))],
                ),
            ],
            without: &[],
        },
        Row {
            cells: &["compute : launch time, mean at 1K, 4K, 9K"],
            figures: &[],
            claims: &[
                mean("computing over launching, 1K", computing!("global 1K"), Unit::Number, 8.0),
                mean("computing over launching, 4K", computing!("global"), Unit::Number, 5.0),
                mean("computing over launching, 9K", computing!("global 9K"), Unit::Number, 3.0),
                rise(
                    "computing over launching",
                    Unit::Number,
                    &[("9K", computing!("global 9K")), ("4K", computing!("global")), ("1K", computing!("global 1K"))],
                ),
            ],
            without: &[],
        },
        Row {
            cells: &["added memory requests"],
            figures: &[],
            claims: &[
                mean("memory requests added, LVL", Of(ADDED), Unit::Part, 0.0012),
                mean("memory requests added, LVL, most", Of(ADDED), Unit::Part, 0.0016).at(Fold::Most),
                unchanged(
                    "L2 miss rate, LVL less Global",
                    Less(("lvl", "l2_miss_rate"), ("global", "l2_miss_rate")),
                    Unit::Points,
                )
                .because(Cause { ways: &[], shown: causes::wireframe::l1_is_kept }),
            ],
            without: &[],
        },
        Row {
            cells: &["maximum level range at 9K, LRR -> LVL(3)"],
            figures: &[],
            claims: &[
                ranges("level range, LRR", 0, 5.0),
                ranges("level range, LVL", 1, 2.0),
                ranges("level range, LRR, dtw", 0, 7.0).of(&["dtw"]),
                ranges("level range, LVL, dtw", 1, 2.0).of(&["dtw"]),
                ranges("level range, LRR, sor", 0, 6.0).of(&["sor"]),
                ranges("level range, LVL, sor", 1, 2.0).of(&["sor"]),
                at_most("level range, LRR, heat2d", Of(RANGE[0]), Unit::Number, 7.0).of(&["heat2d"]),
                rise("level ranges", Unit::Number, &[("LVL", Of(RANGE[1])), ("LRR", Of(RANGE[0]))]),
            ],
            without: &[],
        },
        Row {
            cells: &["PUB high-water mark, SOR"],
            figures: &[],
            claims: &[
                mean("PUB entries, LVL with LNA 128, sor", Of(("lvl", "pub_max")), Unit::Number, 32.0).of(&["sor"]),
                mean("PUB entries, LRR with LNA 512, sor", Of(("lrr", "pub_max")), Unit::Number, 32.0).of(&["sor"]),
                rise(
                    "PUB entries, LRR, sor",
                    Unit::Number,
                    &[("LNA 512", Of(("lrr", "pub_max"))), ("LNA 128", Of(("lrr, LNA 128", "pub_max")))],
                )
                .of(&["sor"])
                .because(Cause { ways: &[], shown: causes::wireframe::near_children }),
            ],
            without: &[(
                "edges on chip at a time",
                "the buffer does not count them; every LVL run here is done with an LEA of 512",
            )],
        },
        Row {
            cells: &["DGB timing overhead"],
            figures: &[],
            claims: &[],
            without: &[(
                "cycles in which no node is ready because nodes are being loaded",
                "the buffer counts cycles in which no node is ready, and not for want of what",
            )],
        },
    ],
    remarks: &[
        (
            "launches",
            "as many times faster as the side is smaller, which keeps computing over launching: a tile is walked diagonal by diagonal",
        ),
        ("1K, 4K, 9K", "32 x 32, 64 x 64 and 96 x 96 tiles of one matrix; 4K where nothing is said"),
        ("DepLinks", "with a relay TB between wide levels (workloads-B8)"),
        ("Global", "with its launches, 21,000 cycles for each level at the source's size"),
    ],
    larger: &[],
};
