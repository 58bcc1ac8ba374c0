//! CDP and DTBL: chapters III and IV of the thesis (sheet `dtbl`).

use super::benches::*;
use super::causes;
use super::claim::Figure::{Change, Less, Of, Over};
use super::claim::{Cause, Counted, Fold, Unit, extreme, mean, unchanged};
use super::source::{Does, Row, Source, Way};

const FLAT: Counted = ("flat", "cycles");
const CDP: Counted = ("cdp", "cycles");
const CDPI: Counted = ("cdpi", "cycles");
const DTBL: Counted = ("dtbl", "cycles");
const DTBLI: Counted = ("dtbli", "cycles");

/// A figure in each mode.
macro_rules! in_modes {
    ($metric:literal: $($mode:literal),*) => { [$(($mode, $metric)),*] };
}
const OCCUPANCY: [Counted; 4] = in_modes!("smx_occupancy": "cdp", "cdpi", "dtbl", "dtbli");
const WAITING: [Counted; 4] = in_modes!("waiting_cycles": "cdp", "cdpi", "dtbl", "dtbli");
const PENDING: [Counted; 2] = in_modes!("pending_peak_bytes": "cdp", "dtbl");
const HITS: [Counted; 3] = in_modes!("agt_hit_rate": "agt 512", "dtbl", "agt 2048");
const ACTIVITY: [Counted; 3] = in_modes!("warp_activity": "flat", "dtbl", "cdpi");
const DRAM: [Counted; 3] = in_modes!("dram_efficiency": "flat", "cdp", "dtbl");
const L2: [Counted; 2] = in_modes!("l2_hit_rate": "flat", "cdp");

/// The benchmark of which the source says most.
const REGX: &[&str] = &["regx_string"];

const HARDWARE: &str = "measured on real GPUs with CUDA 5.5, whose run-time library this machine does not execute";

pub static SOURCE: Source = Source {
    name: "dtbl",
    title: "CDP and DTBL: device launches of kernels, and of aggregated groups of TBs",
    benches: &[
        AMR,
        BHT,
        BFS_CITATION,
        BFS_USA_ROAD,
        BFS_CAGE15,
        CLR_CITATION,
        CLR_GRAPH500,
        CLR_UNIFORM,
        CLR_CAGE15,
        REGX_DARPA,
        REGX_STRING,
        PRE,
        JOIN_UNIFORM,
        JOIN_GAUSSIAN,
        SSSP_CITATION,
        SSSP_FLIGHT,
        SSSP_CAGE15,
    ],
    ways: &[
        Way { name: "flat", does: Does::Run(&[("mode", "flat")]) },
        Way { name: "cdp", does: Does::Run(&[("mode", "cdp")]) },
        Way { name: "cdpi", does: Does::Run(&[("mode", "cdpi")]) },
        Way { name: "dtbl", does: Does::Run(&[("mode", "dtbl")]) },
        Way { name: "dtbli", does: Does::Run(&[("mode", "dtbli")]) },
        Way { name: "agt 512", does: Does::Run(&[("mode", "dtbl"), ("set.dtbl.agt_size", "512")]) },
        Way {
            name: "agt of all",
            does: Does::Run(&[("mode", "dtbl"), ("set.dtbl.agt_size", "32768"), ("set.dtbl.hash_scope", "global")]),
        },
        Way { name: "agt 2048", does: Does::Run(&[("mode", "dtbl"), ("set.dtbl.agt_size", "2048")]) },
    ],
    rows: &[
        Row {
            cells: &["speedup over flat: CDPI, DTBLI, CDP, DTBL"],
            figures: &[21],
            claims: &[
                mean("speedup over flat, CDPI", Over(FLAT, CDPI), Unit::Times, 1.43),
                mean("speedup over flat, DTBLI", Over(FLAT, DTBLI), Unit::Times, 1.63),
                mean("speedup over flat, CDP", Over(FLAT, CDP), Unit::Times, 1.0 / 1.16),
                mean("speedup over flat, DTBL", Over(FLAT, DTBL), Unit::Times, 1.21)
                    .because(Cause { ways: &["flat", "agt of all"], shown: causes::dtbl::records }),
            ],
            without: &[],
        },
        Row {
            cells: &["DTBL over CDP"],
            figures: &[21],
            claims: &[mean("speedup over CDP, DTBL", Over(CDP, DTBL), Unit::Times, 1.40)
                .because(Cause { ways: &["flat", "agt of all"], shown: causes::dtbl::records })],
            without: &[],
        },
        Row {
            cells: &["clr_graph500, regx_string DTBL"],
            figures: &[21],
            claims: &[
                mean("speedup over flat, DTBL, clr_graph500", Over(FLAT, DTBL), Unit::Times, 0.97)
                    .of(&["clr_graph500"])
                    .because(Cause { ways: &[], shown: causes::dtbl::unbalanced }),
                mean("speedup over flat, DTBL, a graph of uniform degree", Over(FLAT, DTBL), Unit::Times, 0.97)
                    .of(&["clr_uniform"]),
                mean("speedup over flat, CDPI, regx_string", Over(FLAT, CDPI), Unit::Times, 2.73).of(REGX),
                mean("speedup over flat, DTBLI, regx_string", Over(FLAT, DTBLI), Unit::Times, 3.10).of(REGX),
                mean("speedup over flat, DTBL, regx_string", Over(FLAT, DTBL), Unit::Times, 0.95).of(REGX),
            ],
            without: &[],
        },
        Row {
            cells: &["bfs_usa_road, sssp_flight"],
            figures: &[21],
            claims: &[
                unchanged("speedup over flat, DTBL, bfs_usa_road", Over(FLAT, DTBL), Unit::Times).of(&["bfs_usa_road"]),
                unchanged("speedup over flat, DTBL, sssp_flight", Over(FLAT, DTBL), Unit::Times)
                    .of(&["sssp_flight"])
                    .because(Cause { ways: &[], shown: causes::dtbl::flights }),
            ],
            without: &[],
        },
        Row {
            cells: &["occupancy DTBLI over CDPI"],
            figures: &[18],
            claims: &[
                mean("occupancy, DTBLI less CDPI", Less(OCCUPANCY[3], OCCUPANCY[1]), Unit::Points, 0.179),
                mean("occupancy, DTBLI less CDPI, bht", Less(OCCUPANCY[3], OCCUPANCY[1]), Unit::Points, 0.246)
                    .of(&["bht"]),
                extreme(
                    "occupancy, DTBLI less CDPI, bht",
                    Less(OCCUPANCY[3], OCCUPANCY[1]),
                    Unit::Points,
                    Fold::Most,
                    &["bht"],
                )
                .because(Cause { ways: &[], shown: causes::dtbl::small_tbs }),
                mean("threads of a launch, bht", Of(("cdpi", "threads_per_launch")), Unit::Number, 33.4).of(&["bht"]),
                mean("occupancy, DTBLI less CDPI, pre", Less(OCCUPANCY[3], OCCUPANCY[1]), Unit::Points, 0.0046)
                    .of(&["pre"]),
                mean("threads of a launch, pre", Of(("dtbli", "threads_per_launch")), Unit::Number, 1527.9)
                    .of(&["pre"]),
                mean("occupancy, DTBLI less CDPI, regx_string", Less(OCCUPANCY[3], OCCUPANCY[1]), Unit::Points, 0.112)
                    .of(REGX),
            ],
            without: &[],
        },
        Row {
            cells: &["occupancy loss from latency"],
            figures: &[18],
            claims: &[
                mean("occupancy, CDP less CDPI", Less(OCCUPANCY[0], OCCUPANCY[1]), Unit::Points, -0.107),
                mean("occupancy, DTBL less DTBLI", Less(OCCUPANCY[2], OCCUPANCY[3]), Unit::Points, -0.052),
                mean("occupancy, DTBL less CDP, regx_string", Less(OCCUPANCY[2], OCCUPANCY[0]), Unit::Points, 0.254)
                    .of(REGX)
                    .because(Cause { ways: &["agt of all"], shown: causes::dtbl::occupancy }),
            ],
            without: &[],
        },
        Row {
            cells: &["waiting time"],
            figures: &[19],
            claims: &[
                mean("waiting time, DTBLI against CDPI", Change(WAITING[3], WAITING[1]), Unit::Change, -0.188),
                mean("waiting time, DTBL against CDP", Change(WAITING[2], WAITING[0]), Unit::Change, -0.241)
                    .because(Cause { ways: &["agt of all"], shown: causes::dtbl::waiting }),
                unchanged(
                    "waiting time, DTBLI against CDPI, join_uniform",
                    Change(WAITING[3], WAITING[1]),
                    Unit::Change,
                )
                .of(&["join_uniform"])
                .because(Cause { ways: &[], shown: causes::dtbl::not_full }),
                unchanged("waiting time, DTBLI against CDPI, pre", Change(WAITING[3], WAITING[1]), Unit::Change)
                    .of(&["pre"])
                    .because(Cause { ways: &[], shown: causes::dtbl::not_full }),
                unchanged("waiting time, DTBL against CDP, clr_graph500", Change(WAITING[2], WAITING[0]), Unit::Change)
                    .of(&["clr_graph500"])
                    .because(Cause { ways: &[], shown: causes::dtbl::empty }),
                mean(
                    "waiting time, DTBL against CDP, regx_string",
                    Change(WAITING[2], WAITING[0]),
                    Unit::Change,
                    -0.418,
                )
                .of(REGX)
                .because(Cause { ways: &["agt of all"], shown: causes::dtbl::waiting }),
            ],
            without: &[],
        },
        Row {
            cells: &["memory footprint DTBL against CDP"],
            figures: &[20],
            claims: &[
                mean(
                    "pending launches' memory, DTBL against CDP",
                    Change(PENDING[1], PENDING[0]),
                    Unit::Change,
                    -0.256,
                ),
                unchanged(
                    "pending launches' memory, DTBL against CDP, clr_graph500",
                    Change(PENDING[1], PENDING[0]),
                    Unit::Change,
                )
                .of(&["clr_graph500"])
                .because(Cause { ways: &[], shown: causes::dtbl::empty }),
                mean(
                    "pending launches' memory, DTBL against CDP, regx_string",
                    Change(PENDING[1], PENDING[0]),
                    Unit::Change,
                    -0.512,
                )
                .of(REGX),
            ],
            without: &[],
        },
        Row {
            cells: &["AGT size"],
            figures: &[23],
            claims: &[
                mean("time, AGT of 512 against 1024", Over(("agt 512", "cycles"), DTBL), Unit::Times, 1.31)
                    .because(Cause { ways: &["agt 2048"], shown: causes::dtbl::few_numbers }),
                mean("speedup, AGT of 2048 over 1024", Over(DTBL, ("agt 2048", "cycles")), Unit::Times, 1.20)
                    .because(Cause { ways: &["agt 512"], shown: causes::dtbl::few_numbers }),
                extreme(
                    "time, AGT of 512 against 1024, bht and regx",
                    Over(("agt 512", "cycles"), DTBL),
                    Unit::Times,
                    Fold::Most,
                    &["bht", "regx_darpa", "regx_string"],
                )
                .because(Cause { ways: &[], shown: causes::dtbl::hits_by_size }),
            ],
            without: &[],
        },
        Row {
            cells: &["AGT hit rate"],
            figures: &[23],
            claims: &[
                mean("AGT hits at 512", Of(HITS[0]), Unit::Share, 0.622),
                mean("AGT hits at 1024", Of(HITS[1]), Unit::Share, 0.816),
                extreme(
                    "AGT hits at 1024, clr_graph500 and regx_string",
                    Of(HITS[1]),
                    Unit::Share,
                    Fold::Least,
                    &["clr_graph500", "regx_string"],
                )
                .because(Cause { ways: &[], shown: causes::dtbl::few_pending }),
            ],
            without: &[],
        },
        Row {
            cells: &["KDE hit rate"],
            figures: &[22],
            claims: &[mean("KDE hits, DTBL", Of(("dtbl", "kde_hit_rate")), Unit::Share, 0.818)],
            without: &[],
        },
        Row {
            cells: &["warp activity"],
            figures: &[16],
            claims: &[
                mean("warp activity, DTBL less flat", Less(ACTIVITY[1], ACTIVITY[0]), Unit::Points, 0.107),
                mean(
                    "warp activity, DTBL less flat, join_gaussian",
                    Less(ACTIVITY[1], ACTIVITY[0]),
                    Unit::Points,
                    0.213,
                )
                .of(&["join_gaussian"])
                .because(Cause { ways: &[], shown: causes::dtbl::lanes }),
                mean("warp activity, DTBL less flat, amr", Less(ACTIVITY[1], ACTIVITY[0]), Unit::Points, 0.453)
                    .of(&["amr"]),
                mean("warp activity, DTBL less flat, clr_cage15", Less(ACTIVITY[1], ACTIVITY[0]), Unit::Points, -0.059)
                    .of(&["clr_cage15"])
                    .because(Cause { ways: &[], shown: causes::dtbl::all_of_cage }),
            ],
            without: &[],
        },
        Row {
            cells: &["DRAM efficiency"],
            figures: &[17],
            claims: &[
                mean("DRAM efficiency, CDP less flat", Less(DRAM[1], DRAM[0]), Unit::Difference, 0.029)
                    .because(Cause { ways: &["dtbl"], shown: causes::dtbl::one_at_a_time }),
                mean("DRAM efficiency, DTBL less flat", Less(DRAM[2], DRAM[0]), Unit::Difference, 0.053)
                    .because(Cause { ways: &["cdp"], shown: causes::dtbl::one_at_a_time }),
                mean("DRAM efficiency, DTBL less CDP", Less(DRAM[2], DRAM[1]), Unit::Difference, 0.022)
                    .because(Cause { ways: &["flat"], shown: causes::dtbl::one_at_a_time }),
            ],
            without: &[],
        },
        Row {
            cells: &["CDP on hardware"],
            figures: &[],
            claims: &[
                mean("speedup over flat, CDPI, least", Over(FLAT, CDPI), Unit::Times, 1.13)
                    .at(Fold::Least)
                    .because(Cause { ways: &[], shown: causes::dtbl::slowed }),
                mean("speedup over flat, CDPI, most", Over(FLAT, CDPI), Unit::Times, 2.73).at(Fold::Most),
                mean("speedup over flat, CDPI, regx_darpa", Over(FLAT, CDPI), Unit::Times, 1.96).of(&["regx_darpa"]),
                mean("time over flat, CDP", Over(CDP, FLAT), Unit::Times, 1.21),
            ],
            without: &[],
        },
        Row {
            cells: &["CDP launch time"],
            figures: &[6, 7],
            claims: &[],
            without: &[
                ("launch times, share of the run time", HARDWARE),
                ("a flat BFS_citation kernel", "measured on a K20c, on a graph that the source does not name"),
            ],
        },
        Row {
            cells: &["child kernels"],
            figures: &[],
            claims: &[
                mean("threads of a launch", Of(("cdp", "threads_per_launch")), Unit::Number, 44.0),
                mean("launches, regx_string", Of(("cdp", "launches")), Unit::Number, 156_000.0).of(REGX),
                mean("pending launches at most, regx_string", Of(("cdp", "pending_peak")), Unit::Number, 127_000.0)
                    .of(REGX),
            ],
            without: &[("REGX_string: memory that is set aside", HARDWARE)],
        },
        Row {
            cells: &["other CDP measures"],
            figures: &[],
            claims: &[
                mean("warp activity, flat, least", Of(ACTIVITY[0]), Unit::Share, 0.219).at(Fold::Least),
                mean("warp activity, flat, most", Of(ACTIVITY[0]), Unit::Share, 0.988).at(Fold::Most),
                mean("warp activity, CDPI less flat, least", Less(ACTIVITY[2], ACTIVITY[0]), Unit::Points, 0.022)
                    .at(Fold::Least)
                    .because(Cause { ways: &[], shown: causes::dtbl::lost_lanes }),
                mean("warp activity, CDPI less flat, most", Less(ACTIVITY[2], ACTIVITY[0]), Unit::Points, 0.653)
                    .at(Fold::Most),
                mean(
                    "load and store replays, CDPI against flat, least",
                    Change(("cdpi", "lsrp"), ("flat", "lsrp")),
                    Unit::Change,
                    -0.588,
                )
                .at(Fold::Least),
                mean("L2 hit rate, CDP less flat, regx_darpa", Less(L2[1], L2[0]), Unit::Points, 0.132)
                    .of(&["regx_darpa"])
                    .because(Cause { ways: &[], shown: causes::dtbl::hits_when_flat }),
                mean("L2 hit rate, CDP less flat, regx_string", Less(L2[1], L2[0]), Unit::Points, 0.201)
                    .of(REGX)
                    .because(Cause { ways: &[], shown: causes::dtbl::hits_when_flat }),
            ],
            without: &[(
                "WEE-CDP",
                "code of the run-time library counts in it, and is not executed here (workloads-W6)",
            )],
        },
    ],
    remarks: &[
        ("CDPI, DTBLI", "without launch latency"),
        (
            "CDP on hardware, other CDP measures",
            "the source measured these on a K20c; here they are of the reference GPU",
        ),
        ("waiting", "of a launch, from its call to the start of its first TB"),
    ],
    larger: LARGER,
};
