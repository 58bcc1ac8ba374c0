//! Occupancy bubbles: chapter VI of the thesis (sheet `bubble_dvfs`).

use super::benches::{LARGER, OF_TABLE_7};
use super::causes;
use super::claim::Figure::{Change, Further, Of, Over, Short};
use super::claim::{Cause, Claim, Counted, Fold, Unit, extreme, less, mean};
use super::source::{Does, Row, Source, Way, Words};

const ENERGY: Counted = ("base", "energy_mj");
const TIME: Counted = ("base", "time_us");
const BUBBLES: Counted = ("base", "bubble_share");
const IDEAL: Counted = ("base", "ideal_saving");
const ON_ENERGY: Counted = ("on", "energy_mj");
const ON_TIME: Counted = ("on", "time_us");

/// Group 1 and group 2 (workloads, 3.9).
pub(super) const GROUP_1: &[&str] = &[
    "bfs_citation",
    "bfs_cage15",
    "clr_citation",
    "clr_cage15",
    "sssp_citation",
    "sssp_cage15",
    "join_gaussian",
    "amr",
    "bht",
];
const GROUP_2: &[&str] =
    &["bfs_graph500", "clr_graph500", "sssp_graph500", "pre", "regx_darpa", "regx_string", "join_uniform"];
/// What persistent threads are there for.
const BFS: &[&str] = &["bfs_citation", "bfs_graph500", "bfs_cage15"];

const SAVING: Claim =
    mean("energy with bubbles put to sleep, group 1", Change(ON_ENERGY, ENERGY), Unit::Change, -0.159);
const LOSS: Claim = mean("time with bubbles put to sleep, group 1", Change(ON_TIME, TIME), Unit::Change, 0.067);

/// DTBL under LaPerm, as the source has it, with more.
macro_rules! adaptive {
    ($($more:expr),*) => { Does::Run(&[("mode", "dtbl"), ("sched", "adaptive-bind"), $($more),*]) };
}
const ENABLED: (&str, &str) = ("set.bubble.enabled", "true");
const DTBL: Words = &[("mode", "dtbl"), ("sched", "adaptive-bind")];

pub static SOURCE: Source = Source {
    name: "bubbles",
    title: "Occupancy bubbles: SMXs with next to no warps are drained and put to sleep",
    benches: OF_TABLE_7,
    ways: &[
        Way { name: "base", does: Does::Run(DTBL) },
        Way { name: "pt", does: Does::Run(&[("mode", "pt")]) },
        Way { name: "ideal", does: Does::Run(&[("mode", "dtbli"), ("sched", "adaptive-bind")]) },
        Way { name: "on", does: adaptive!(ENABLED) },
        Way { name: "slow", does: adaptive!(ENABLED, ("set.bubble.transition_samples", "20")) },
        Way { name: "no draining", does: adaptive!(ENABLED, ("set.bubble.draining", "false")) },
    ],
    rows: &[
        Row {
            cells: &["32, 33", "BFS iteration 4"],
            figures: &[32, 33],
            claims: &[
                mean(
                    "power, DTBL over persistent threads, bfs_citation",
                    Over(("base", "mean_power_w"), ("pt", "mean_power_w")),
                    Unit::Times,
                    117.6 / 135.96,
                )
                .of(&["bfs_citation"]),
                mean(
                    "time, DTBL over persistent threads, bfs_citation",
                    Over(("base", "cycles"), ("pt", "cycles")),
                    Unit::Times,
                    138.5 / 163.5,
                )
                .of(&["bfs_citation"])
                .because(Cause { ways: &["ideal"], shown: causes::bubbles::no_launches }),
            ],
            without: &[(
                "one expansion kernel of iteration 4",
                "persistent threads have no kernel per iteration here: the whole search is measured",
            )],
        },
        Row {
            cells: &["text", "all benchmarks: DTBL power below persistent threads"],
            figures: &[],
            claims: &[
                mean(
                    "power, DTBL against persistent threads, bfs",
                    Change(("base", "mean_power_w"), ("pt", "mean_power_w")),
                    Unit::Change,
                    -0.127,
                )
                .of(BFS),
                mean(
                    "variance of the occupancy, DTBL against persistent threads, bfs",
                    Change(("base", "occupancy_variance"), ("pt", "occupancy_variance")),
                    Unit::Change,
                    0.235,
                )
                .of(BFS),
            ],
            without: &[(
                "clr, sssp, regx, join, amr, bht, pre",
                "they have no form with persistent threads (workloads-W5)",
            )],
        },
        Row {
            cells: &["34", "bubble occurrence; ideal average power saving, group 1"],
            figures: &[34],
            claims: &[
                mean("time in bubbles, group 1", Of(BUBBLES), Unit::Share, 0.327).of(GROUP_1),
                mean("ideal saving, group 1", Of(IDEAL), Unit::Share, 0.245).of(GROUP_1),
            ],
            without: &[],
        },
        Row {
            cells: &["34", "the same, group 2"],
            figures: &[34],
            claims: &[
                mean("time in bubbles, group 2", Of(BUBBLES), Unit::Share, 0.041).of(GROUP_2),
                mean("ideal saving, group 2", Of(IDEAL), Unit::Share, 0.011).of(GROUP_2),
                extreme("time in bubbles, group 2", Of(BUBBLES), Unit::Share, Fold::Least, GROUP_2)
                    .because(Cause { ways: &["ideal"], shown: causes::bubbles::launching }),
            ],
            without: &[],
        },
        Row {
            cells: &["38", "energy saving; performance loss, group 1, P = 500 cycles"],
            figures: &[38],
            claims: &[SAVING.of(GROUP_1), LOSS.of(GROUP_1)],
            without: &[],
        },
        Row {
            cells: &["38", "the same, group 2"],
            figures: &[38],
            claims: &[
                mean("energy with bubbles put to sleep, group 2", Change(ON_ENERGY, ENERGY), Unit::Change, -0.01)
                    .of(GROUP_2),
                mean("time with bubbles put to sleep, group 2", Change(ON_TIME, TIME), Unit::Change, 0.005)
                    .of(GROUP_2)
                    .because(Cause { ways: &[], shown: causes::bubbles::few_bubbles }),
            ],
            without: &[],
        },
        Row {
            cells: &["38", "join_gaussian: saving; ideal; occurrence"],
            figures: &[38],
            claims: &[
                mean(
                    "energy with bubbles put to sleep, join_gaussian",
                    Change(ON_ENERGY, ENERGY),
                    Unit::Change,
                    -0.249,
                )
                .of(&["join_gaussian"]),
                extreme(
                    "energy with bubbles put to sleep, join_gaussian",
                    Change(ON_ENERGY, ENERGY),
                    Unit::Change,
                    Fold::Least,
                    &["join_gaussian"],
                )
                .because(Cause { ways: &[], shown: causes::bubbles::others_have_more }),
                mean("saving short of the ideal, join_gaussian", Short(ON_ENERGY, ENERGY, IDEAL), Unit::Points, 0.046)
                    .of(&["join_gaussian"]),
                mean("time in bubbles, join_gaussian", Of(BUBBLES), Unit::Share, 0.457).of(&["join_gaussian"]),
            ],
            without: &[],
        },
        Row {
            cells: &["38", "bht"],
            figures: &[38],
            claims: &[
                mean("energy with bubbles put to sleep, bht", Change(ON_ENERGY, ENERGY), Unit::Change, -0.025)
                    .of(&["bht"]),
                extreme(
                    "energy with bubbles put to sleep, bht, of group 1",
                    Change(ON_ENERGY, ENERGY),
                    Unit::Change,
                    Fold::Most,
                    &["bht"],
                )
                .of(GROUP_1)
                .because(Cause { ways: &[], shown: causes::bubbles::long_bubbles }),
                mean("ideal saving, bht", Of(IDEAL), Unit::Share, 0.18).of(&["bht"]),
                mean("time in bubbles, bht", Of(BUBBLES), Unit::Share, 0.277).of(&["bht"]),
                mean("time with bubbles put to sleep, bht", Change(ON_TIME, TIME), Unit::Change, 0.174).of(&["bht"]),
                extreme(
                    "time with bubbles put to sleep, bht, of group 1",
                    Change(ON_TIME, TIME),
                    Unit::Change,
                    Fold::Most,
                    &["bht"],
                )
                .of(GROUP_1)
                .because(Cause { ways: &[], shown: causes::bubbles::gather }),
            ],
            without: &[],
        },
        Row {
            cells: &["38", "bfs_citation: loss"],
            figures: &[38],
            claims: &[
                mean("time with bubbles put to sleep, bfs_citation", Change(ON_TIME, TIME), Unit::Change, 0.015)
                    .of(&["bfs_citation"])
                    .because(Cause { ways: &[], shown: causes::bubbles::few_bubbles }),
                extreme(
                    "time with bubbles put to sleep, bfs_citation, of group 1",
                    Change(ON_TIME, TIME),
                    Unit::Change,
                    Fold::Least,
                    &["bfs_citation"],
                )
                .of(GROUP_1)
                .because(Cause { ways: &[], shown: causes::bubbles::gather }),
            ],
            without: &[],
        },
        Row {
            cells: &["text", "bubbles drained within W = 10"],
            figures: &[],
            claims: &[mean(
                "SMXs drained in time, most of a benchmark",
                Of(("on", "drained_share")),
                Unit::Share,
                0.954,
            )
            .at(Fold::Most)],
            without: &[],
        },
        Row {
            cells: &["39", "P = 10000 instead of 500 cycles, group 1: saving; loss"],
            figures: &[39],
            claims: &[
                mean(
                    "energy, P = 10000 further than 500",
                    Further(("slow", "energy_mj"), ON_ENERGY, ENERGY),
                    Unit::Points,
                    0.012,
                )
                .of(GROUP_1),
                mean(
                    "time, P = 10000 further than 500",
                    Further(("slow", "time_us"), ON_TIME, TIME),
                    Unit::Points,
                    0.006,
                )
                .of(GROUP_1),
                mean("time, P = 10000 against 500, bht", Change(("slow", "time_us"), ON_TIME), Unit::Change, -0.045)
                    .of(&["bht"])
                    .because(Cause { ways: &[], shown: causes::bubbles::not_drained }),
            ],
            without: &[],
        },
        Row {
            cells: &["40", "draining off, group 1"],
            figures: &[40],
            claims: &[
                less(
                    "energy, without draining further than with it",
                    Further(("no draining", "energy_mj"), ON_ENERGY, ENERGY),
                    Unit::Points,
                )
                .of(&[
                    "bht",
                    "bfs_citation",
                    "bfs_cage15",
                    "clr_citation",
                    "clr_cage15",
                    "sssp_citation",
                    "sssp_cage15",
                ]),
                mean(
                    "energy, without draining further than with it, join_gaussian",
                    Further(("no draining", "energy_mj"), ON_ENERGY, ENERGY),
                    Unit::Points,
                    0.012,
                )
                .of(&["join_gaussian"])
                .because(Cause { ways: &[], shown: causes::bubbles::soon_empty }),
                mean(
                    "time without draining, join_gaussian",
                    Change(("no draining", "time_us"), TIME),
                    Unit::Change,
                    0.044,
                )
                .of(&["join_gaussian"]),
                mean(
                    "energy, without draining further than with it, amr",
                    Further(("no draining", "energy_mj"), ON_ENERGY, ENERGY),
                    Unit::Points,
                    0.032,
                )
                .of(&["amr"])
                .because(Cause { ways: &[], shown: causes::bubbles::soon_empty }),
                mean("time without draining, amr", Change(("no draining", "time_us"), TIME), Unit::Change, 0.079)
                    .of(&["amr"]),
            ],
            without: &[],
        },
    ],
    remarks: &[
        ("base", "DTBL under Adaptive-Bind, as in the source; what is put to sleep is set beside it"),
        (
            "group 2",
            "the graph500 inputs, regx, pre and join_uniform, as the source describes it; group 1 is what else there is",
        ),
        ("persistent threads", "of the breadth-first search, workloads-BF6"),
    ],
    larger: LARGER,
};
