//! The benchmarks of the study of device launches (Tables 6 and 7 of the thesis, workloads-IN4, workloads-A5) that run here, each on the
//! stand-in for its input (workloads-IN1).

use super::source::{Bench, Words};

/// The sizes of a graph.
macro_rules! sized {
    ($option:literal: $smoke:literal, $quick:literal, $full:literal) => {
        [&[($option, $smoke)], &[($option, $quick)], &[($option, $full)]]
    };
}

/// A benchmark of the source that launches as it comes.
const fn on(name: &'static str, words: Words, sizes: [Words; 3]) -> Bench {
    Bench { name, words, launching: &[], sizes, beside: false }
}

const BFS: Words = &[("workload", "bfs")];
const CLR: Words = &[("workload", "clr")];
const SSSP: Words = &[("workload", "sssp")];
const REGX: Words = &[("workload", "regx")];
const JOIN: Words = &[("workload", "join")];

// With the source's threshold of 32 hardly a vertex of cage15 launches, in which case there is nothing to see (workloads-A5).
const BFS_CAGE: Words = &[("set.bfs.min_child", "16"), ("set.bfs.cover", "all")];
const CLR_CAGE: Words = &[("set.clr.min_child", "16"), ("set.clr.cover", "all")];
const SSSP_CAGE: Words = &[("set.sssp.min_child", "16"), ("set.sssp.cover", "all")];

pub const BFS_CITATION: Bench = on("bfs_citation", BFS, sized!("graph": "cit:512", "cit:16384", "cit:268495"));
pub const BFS_USA_ROAD: Bench = on("bfs_usa_road", BFS, sized!("graph": "road:3", "road:6", "road:9"));
pub const BFS_CAGE15: Bench =
    Bench { launching: BFS_CAGE, ..on("bfs_cage15", BFS, sized!("graph": "cage:512", "cage:8192", "cage:131072")) };
pub const BFS_GRAPH500: Bench = on("bfs_graph500", BFS, sized!("graph": "kron:8", "kron:12", "kron:16"));
pub const CLR_CITATION: Bench = on("clr_citation", CLR, sized!("graph": "cit:256", "cit:4096", "cit:32768"));
pub const CLR_CAGE15: Bench =
    Bench { launching: CLR_CAGE, ..on("clr_cage15", CLR, sized!("graph": "cage:256", "cage:2048", "cage:32768")) };
pub const CLR_GRAPH500: Bench = on("clr_graph500", CLR, sized!("graph": "kron:6", "kron:10", "kron:14"));
/// In place of a Kronecker graph, whose few hubs have nearly all arcs: a graph of uniform degree, as the source describes its graph500 (workloads-A4).
pub const CLR_UNIFORM: Bench =
    Bench { beside: true, ..on("clr_uniform", CLR, sized!("graph": "uni:6", "uni:10", "uni:14")) };
pub const SSSP_CITATION: Bench = on("sssp_citation", SSSP, sized!("graph": "cit:256", "cit:8192", "cit:65536"));
pub const SSSP_FLIGHT: Bench = on("sssp_flight", SSSP, sized!("graph": "flight:200", "flight:3400", "flight:3400"));
pub const SSSP_CAGE15: Bench =
    Bench { launching: SSSP_CAGE, ..on("sssp_cage15", SSSP, sized!("graph": "cage:256", "cage:4096", "cage:16384")) };
pub const SSSP_GRAPH500: Bench = on("sssp_graph500", SSSP, sized!("graph": "kron:7", "kron:11", "kron:14"));
pub const JOIN_UNIFORM: Bench =
    on("join_uniform", JOIN, sized!("keys": "uni:256,4096,16", "uni:2048,32768,128", "uni:65536,1048576,4096"));
pub const JOIN_GAUSSIAN: Bench = on(
    "join_gaussian",
    JOIN,
    sized!("keys": "gauss:256,4096,256", "gauss:2048,32768,2048", "gauss:65536,1048576,65536"),
);
pub const AMR: Bench = on("amr", &[("workload", "amr")], sized!("set.amr.side": "4", "16", "64"));
pub const BHT: Bench = on("bht", &[("workload", "bht")], sized!("set.bht.bodies": "64", "2048", "4096"));
pub const PRE: Bench = on(
    "pre",
    &[("workload", "pre")],
    [
        &[("set.pre.users", "8"), ("set.pre.cut", "20")],
        &[("set.pre.users", "256"), ("set.pre.cut", "64")],
        &[("set.pre.users", "943"), ("set.pre.cut", "737")],
    ],
);

// Quick, about as many streams as the source has, but shorter ones (workloads-IN4). Full, no more launches than the pool holds.
pub const REGX_DARPA: Bench =
    on("regx_darpa", REGX, sized!("streams": "packets:16,16", "packets:600,32", "packets:256"));
pub const REGX_STRING: Bench =
    on("regx_string", REGX, sized!("streams": "string:16,16", "string:600,8", "string:500,260"));

/// Those of Table 7, of which LaPerm and the bubbles are told.
pub const OF_TABLE_7: &[Bench] = &[
    AMR,
    BHT,
    BFS_CITATION,
    BFS_GRAPH500,
    BFS_CAGE15,
    CLR_CITATION,
    CLR_GRAPH500,
    CLR_CAGE15,
    SSSP_CITATION,
    SSSP_GRAPH500,
    SSSP_CAGE15,
    REGX_DARPA,
    REGX_STRING,
    PRE,
    JOIN_UNIFORM,
    JOIN_GAUSSIAN,
];

/// What the source's own inputs take.
pub const LARGER: &[(&str, &str)] = &[
    (
        "gpusched compare bfs --graph kron:20,48 --modes flat,cdp,dtbl --set dtbl.pend_limit=262144",
        "graph500 as large as the source's; clr on it takes days",
    ),
    ("gpusched compare bfs --graph cage:4194304 --set bfs.min_child=16 --set bfs.cover=all", "cage15, likewise"),
    ("gpusched compare bfs --graph road:12 --modes flat,cdp,dtbl", "usa_road, likewise"),
];
