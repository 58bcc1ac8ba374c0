//! LaPerm: chapter V of the thesis (sheet `laperm`).

use super::benches::{LARGER, OF_TABLE_7};
use super::causes;
use super::claim::Figure::{Change, Less, Of, Over};
use super::claim::{Cause, Counted, Fold, Unit, extreme, mean, rise};
use super::source::{Does, Row, Source, Way};

/// A figure under each policy, as the launches are DTBL's or CDP's.
macro_rules! under {
    (dtbl $metric:literal) => {
        [("rr", $metric), ("tb-pri", $metric), ("smx-bind", $metric), ("adaptive-bind", $metric)]
    };
    (cdp $metric:literal) => {
        [("rr cdp", $metric), ("tb-pri cdp", $metric), ("smx-bind cdp", $metric), ("adaptive-bind cdp", $metric)]
    };
}
const RR: usize = 0;
const TB_PRI: usize = 1;
const SMX_BIND: usize = 2;
const ADAPTIVE: usize = 3;
const IPC: [Counted; 4] = under!(dtbl "ipc_thread");
const IPC_CDP: [Counted; 4] = under!(cdp "ipc_thread");
const L1: [Counted; 4] = under!(dtbl "l1_hit_rate");
const L1_CDP: [Counted; 4] = under!(cdp "l1_hit_rate");
const L2: [Counted; 4] = under!(dtbl "l2_hit_rate");
const L2_CDP: [Counted; 4] = under!(cdp "l2_hit_rate");

macro_rules! way {
    ($name:literal, $mode:literal, $sched:literal) => {
        Way { name: $name, does: Does::Run(&[("mode", $mode), ("sched", $sched)]) }
    };
}

pub static SOURCE: Source = Source {
    name: "laperm",
    title: "LaPerm: TBs of device launches near their parents",
    benches: OF_TABLE_7,
    ways: &[
        way!("rr", "dtbl", "rr"),
        way!("tb-pri", "dtbl", "tb-pri"),
        way!("smx-bind", "dtbl", "smx-bind"),
        way!("adaptive-bind", "dtbl", "adaptive-bind"),
        way!("rr cdp", "cdp", "rr"),
        way!("tb-pri cdp", "cdp", "tb-pri"),
        way!("smx-bind cdp", "cdp", "smx-bind"),
        way!("adaptive-bind cdp", "cdp", "adaptive-bind"),
        Way { name: "footprint", does: Does::Footprint },
    ],
    rows: &[
        Row {
            cells: &["24", "shared footprint"],
            figures: &[24],
            claims: &[
                mean("footprint shared by parent and children", Of(("footprint", "parent_child")), Unit::Share, 0.384),
                mean("footprint shared by siblings", Of(("footprint", "child_sibling")), Unit::Share, 0.305),
                mean("footprint shared by parents", Of(("footprint", "parent_parent")), Unit::Share, 0.093),
                rise(
                    "shared footprints",
                    Unit::Share,
                    &[
                        ("parents", Of(("footprint", "parent_parent"))),
                        ("siblings", Of(("footprint", "child_sibling"))),
                        ("parent and children", Of(("footprint", "parent_child"))),
                    ],
                )
                .because(Cause { ways: &[], shown: causes::laperm::many_siblings }),
                extreme(
                    "footprint shared by siblings, amr and join",
                    Of(("footprint", "child_sibling")),
                    Unit::Share,
                    Fold::Least,
                    &["amr", "join_uniform", "join_gaussian"],
                )
                .because(Cause { ways: &[], shown: causes::laperm::many_siblings }),
            ],
            without: &[],
        },
        Row {
            cells: &["29", "L2 hit rate, TB-Pri over RR"],
            figures: &[29],
            claims: &[
                mean("L2 hit rate, TB-Pri less RR, CDP", Less(L2_CDP[TB_PRI], L2_CDP[RR]), Unit::Points, 0.067)
                    .because(Cause { ways: &["rr", "rr cdp"], shown: causes::laperm::room }),
                mean("L2 hit rate, TB-Pri less RR, DTBL", Less(L2[TB_PRI], L2[RR]), Unit::Points, 0.087)
                    .because(Cause { ways: &["rr", "rr cdp"], shown: causes::laperm::room }),
            ],
            without: &[],
        },
        Row {
            cells: &["30", "L1 hit rate, TB-Pri over RR"],
            figures: &[30],
            claims: &[
                mean("L1 hit rate, TB-Pri less RR, CDP", Less(L1_CDP[TB_PRI], L1_CDP[RR]), Unit::Points, 0.011)
                    .because(Cause { ways: &["rr", "rr cdp"], shown: causes::laperm::room }),
                mean("L1 hit rate, TB-Pri less RR, DTBL", Less(L1[TB_PRI], L1[RR]), Unit::Points, 0.021)
                    .because(Cause { ways: &["rr", "rr cdp"], shown: causes::laperm::room }),
            ],
            without: &[],
        },
        Row {
            cells: &["30", "L1 hit rate, SMX-Bind"],
            figures: &[30],
            claims: &[
                mean("L1 hit rate, SMX-Bind less RR, CDP", Less(L1_CDP[SMX_BIND], L1_CDP[RR]), Unit::Points, 0.066),
                mean("L1 hit rate, SMX-Bind less RR, DTBL", Less(L1[SMX_BIND], L1[RR]), Unit::Points, 0.136),
            ],
            without: &[],
        },
        Row {
            cells: &["30", "L1 hit rate, Adaptive-Bind relative to SMX-Bind"],
            figures: &[30],
            claims: &[
                mean(
                    "L1 hit rate, Adaptive-Bind less SMX-Bind, CDP",
                    Less(L1_CDP[ADAPTIVE], L1_CDP[SMX_BIND]),
                    Unit::Points,
                    -0.023,
                ),
                mean(
                    "L1 hit rate, Adaptive-Bind less SMX-Bind, DTBL",
                    Less(L1[ADAPTIVE], L1[SMX_BIND]),
                    Unit::Points,
                    -0.031,
                ),
                rise(
                    "L1 hit rates, DTBL",
                    Unit::Share,
                    &[
                        ("RR", Of(L1[RR])),
                        ("TB-Pri", Of(L1[TB_PRI])),
                        ("Adaptive-Bind", Of(L1[ADAPTIVE])),
                        ("SMX-Bind", Of(L1[SMX_BIND])),
                    ],
                )
                .because(Cause { ways: &["rr", "rr cdp"], shown: causes::laperm::room }),
            ],
            without: &[],
        },
        Row {
            cells: &["31", "IPC, TB-Pri / RR"],
            figures: &[31],
            claims: &[
                mean("IPC, TB-Pri over RR, CDP", Over(IPC_CDP[TB_PRI], IPC_CDP[RR]), Unit::Times, 1.04)
                    .because(Cause { ways: &["rr", "rr cdp"], shown: causes::laperm::room }),
                mean("IPC, TB-Pri over RR, DTBL", Over(IPC[TB_PRI], IPC[RR]), Unit::Times, 1.13)
                    .because(Cause { ways: &["rr", "rr cdp"], shown: causes::laperm::room }),
            ],
            without: &[],
        },
        Row {
            cells: &["31", "IPC, SMX-Bind relative to TB-Pri"],
            figures: &[31],
            claims: &[
                mean(
                    "IPC, SMX-Bind against TB-Pri, CDP",
                    Change(IPC_CDP[SMX_BIND], IPC_CDP[TB_PRI]),
                    Unit::Change,
                    -0.09,
                )
                .because(Cause { ways: &["rr cdp"], shown: causes::laperm::paced }),
                mean("IPC, SMX-Bind against TB-Pri, DTBL", Change(IPC[SMX_BIND], IPC[TB_PRI]), Unit::Change, -0.05),
            ],
            without: &[],
        },
        Row {
            cells: &["31", "IPC, Adaptive-Bind / RR"],
            figures: &[31],
            claims: &[
                mean("IPC, Adaptive-Bind over RR, CDP", Over(IPC_CDP[ADAPTIVE], IPC_CDP[RR]), Unit::Times, 1.06)
                    .because(Cause { ways: &["footprint"], shown: causes::laperm::little_of_a_parent }),
                mean("IPC, Adaptive-Bind over RR, DTBL", Over(IPC[ADAPTIVE], IPC[RR]), Unit::Times, 1.27)
                    .because(Cause { ways: &["footprint"], shown: causes::laperm::little_of_a_parent }),
                rise(
                    "IPC over RR's, DTBL",
                    Unit::Times,
                    &[
                        ("RR", Over(IPC[RR], IPC[RR])),
                        ("SMX-Bind", Over(IPC[SMX_BIND], IPC[RR])),
                        ("TB-Pri", Over(IPC[TB_PRI], IPC[RR])),
                        ("Adaptive-Bind", Over(IPC[ADAPTIVE], IPC[RR])),
                    ],
                )
                .because(Cause { ways: &["smx-bind", "rr", "rr cdp"], shown: causes::laperm::uneven }),
                rise(
                    "IPC, Adaptive-Bind over RR",
                    Unit::Times,
                    &[("CDP", Over(IPC_CDP[ADAPTIVE], IPC_CDP[RR])), ("DTBL", Over(IPC[ADAPTIVE], IPC[RR]))],
                )
                .because(Cause { ways: &["footprint"], shown: causes::laperm::little_of_a_parent }),
            ],
            without: &[],
        },
        Row {
            cells: &["31", "best: sssp_cage15, Adaptive-Bind / RR"],
            figures: &[31],
            claims: &[
                mean(
                    "IPC, Adaptive-Bind over RR, CDP, sssp_cage15",
                    Over(IPC_CDP[ADAPTIVE], IPC_CDP[RR]),
                    Unit::Times,
                    1.11,
                )
                .of(&["sssp_cage15"])
                .because(Cause { ways: &["footprint"], shown: causes::laperm::little_of_a_parent }),
                mean("IPC, Adaptive-Bind over RR, DTBL, sssp_cage15", Over(IPC[ADAPTIVE], IPC[RR]), Unit::Times, 1.51)
                    .of(&["sssp_cage15"]),
                extreme(
                    "IPC, Adaptive-Bind over RR, DTBL, sssp_cage15",
                    Over(IPC[ADAPTIVE], IPC[RR]),
                    Unit::Times,
                    Fold::Most,
                    &["sssp_cage15"],
                )
                .because(Cause { ways: &[], shown: causes::laperm::hidden }),
            ],
            without: &[],
        },
    ],
    remarks: &[
        ("hit rates", "the source's percentages are taken for points"),
        (
            "IPC",
            "of threads' instructions; RR is LaPerm's machine as one FIFO, so that policies differ in nothing else",
        ),
        ("orders", "the sheet's orderings to expect of any host"),
    ],
    larger: LARGER,
};
