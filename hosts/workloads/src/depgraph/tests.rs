use super::*;
use flate2::{Compression, write::GzEncoder};
use gpusched::dats::{Admission, DgbConfig, admit};
use proptest::prelude::*;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

fn read(text: &[u8], name: &str) -> Result<DepGraph, DepError> {
    read::from_reader(text, text.len() as u64, Path::new(name), &mut |_| ControlFlow::Continue(()))
}

fn complaint(text: &str, name: &str) -> String {
    read(text.as_bytes(), name).unwrap_err().to_string()
}

fn shape(name: &str) -> DepGraph {
    let source: DepSource = name.parse().unwrap();
    assert_eq!(source.to_string(), name);
    source.load(&mut |_| ControlFlow::Continue(())).unwrap().graph
}

/// The dependencies by TB, ascending.
fn dependencies(graph: &DepGraph) -> Vec<(u16, u16)> {
    let tb = |node: NodeId| graph.order[usize::from(node.0)];
    let mut all: Vec<_> =
        graph.iter().flat_map(|(vid, _, children)| children.iter().map(move |&child| (tb(vid), tb(child)))).collect();
    all.sort_unstable();
    all
}

#[test]
fn shapes_have_the_sizes_of_the_sheet() {
    // dats-G1 and dats-G2, and "Derived checks" under the results to reproduce.
    for (name, levels, edges) in [
        ("wavefront:3x3", 5, 12),
        ("wavefront:4x4", 7, 24),
        ("wavefront:64x64", 127, 8064),
        ("wavefront:96x96", 191, 18_240),
        ("wavefront:78x52", 129, 51 * 78 + 52 * 77),
        ("wavefront:1x1", 1, 0),
        ("barrier:16x4", 4, 768),
        ("relay:16x4", 7, 96),
        ("relay:5x1", 1, 0),
    ] {
        let graph = shape(name);
        assert_eq!((graph.levels, graph.edges.len(), graph.repeated), (levels, edges, 0), "{name}");
        assert_eq!(graph.widths().iter().sum::<u32>() as usize, graph.nodes.len(), "{name}");
    }
    let order = [0, 1, 4, 2, 5, 8, 3, 6, 9, 12, 7, 10, 13, 11, 14, 15];
    assert_eq!(shape("wavefront:4x4").order, order);
    assert_eq!(shape("wavefront:7x4").widths(), [1, 2, 3, 4, 4, 4, 4, 3, 2, 1]);
}

#[test]
fn sweeps_need_themselves_east_and_south_of_the_sweep_before() {
    let graph = shape("wavefront:2x2x2");
    let within = [(0, 1), (0, 2), (1, 3), (2, 3)];
    let across = [(0, 4), (1, 5), (2, 6), (3, 7), (1, 4), (3, 6), (2, 4), (3, 5)];
    let mut all: Vec<_> = within.iter().flat_map(|&(p, c)| [(p, c), (p + 4, c + 4)]).chain(across).collect();
    all.sort_unstable();
    assert_eq!(dependencies(&graph), all);
    assert_eq!(graph.name(NodeId(7)), "(1, 1, 1)");
    let far = shape("wavefront:9x5x3");
    assert_eq!(far.edges.len() as u64, far.iter().map(|(_, node, _)| u64::from(node.parents())).sum::<u64>());
}

/// dats-H5.
#[test]
fn barriers_deadlock_where_the_sheet_says() {
    let verdict = |name: &str, config: &DgbConfig| {
        let graph = shape(name);
        admit(config, &graph.nodes, &graph.edges, &mut vec![0; graph.nodes.len()]).unwrap()
    };
    let default = DgbConfig::GTX480;
    assert_eq!(verdict("barrier:16x8", &default), Admission::Safe);
    assert!(matches!(verdict("barrier:21x8", &default), Admission::Deadlocks { .. }));
    assert!(matches!(verdict("barrier:20x8", &default), Admission::MayDeadlock { .. }));
    assert_eq!(verdict("barrier:32x8", &DgbConfig::GTX480_LRR), Admission::Safe);
    assert_eq!(verdict("relay:110x8", &default), Admission::Safe);
    assert!(matches!(verdict("wavefront:128x128", &default), Admission::MayDeadlock { .. }));
}

#[test]
fn a_shape_that_cannot_be_is_told() {
    let told = |given: &str| given.parse::<DepSource>().unwrap_err().to_string();
    assert!(told("wavefront:").contains("found ``"));
    assert!(told("wavefront:0x4").contains("found `0`"));
    assert!(told("wavefront:4").contains("expected wavefront:XxY[xSWEEPS]"));
    assert!(told("wavefront:256x256").contains("at most 65535 TBs"));
    assert!(told("relay:65535x65535").contains("at most 65535 TBs"));
    assert!(told("barrier:32767x2").contains("at most 16777216 dependencies, found 1073676289"));
    assert!(told("circle:4x4").contains("barrier:TBSxPHASES"));
}

#[test]
fn lists_are_read() {
    let list = "# parents, children\nparent,child\n0,1\n0,2\n% again\n1, 3\n2\t3\n1 3\n5\n";
    let graph = read(list.as_bytes(), "a.csv").unwrap();
    assert_eq!((graph.nodes.len(), graph.levels, graph.repeated), (6, 3, 1));
    assert_eq!(dependencies(&graph), [(0, 1), (0, 2), (1, 3), (2, 3)]);
    assert_eq!(graph.order, [0, 4, 5, 1, 2, 3], "4 and 5 depend on nothing");
    assert_eq!(graph.label(NodeId(3)), "TB 1");
    assert_eq!(graph.farthest(), Some((NodeId(0), NodeId(4))));
    let one = read(b"0", "one.txt").unwrap();
    assert_eq!((one.nodes.len(), one.levels, one.farthest()), (1, 1, None));
}

#[test]
fn the_language_of_graphviz_is_read() {
    let text = r#"
        /* a graph */ STRICT digraph "g 1" { // of TBs
            rankdir = LR; graph [label=<a <b>bold</b> name>, "q"="\"]"]
            # 1 "dot.c"
            node [shape=box]; edge[color=red]
            load:out:s -> { "gemm\"0" gemm + 1.5 } -> store [weight=2; constraint]
        }"#;
    assert!(read(text.as_bytes(), "g.dot").unwrap_err().to_string().contains("found `+`"));
    let graph = read(text.replace("gemm +", "\"ge\" + \"mm\"").as_bytes(), "g.gv").unwrap();
    let named: Vec<_> = (0..5).map(|vid| graph.name(NodeId(vid))).collect();
    assert_eq!(named, ["`load`", "`gemm\\\"0`", "`gemm`", "`1.5`", "`store`"]);
    assert_eq!(dependencies(&graph), [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)]);
    assert_eq!(graph.label(NodeId(2)), "`gemm` (TB 2)");
}

#[test]
fn groups_stand_for_every_node_in_them() {
    let text = "digraph { subgraph a { x; y -> z } w -> subgraph a { v } }";
    let graph = read(text.as_bytes(), "unnamed").unwrap();
    // In the order of mention: x, y, z, w, v; the group is opened a second time.
    assert_eq!(dependencies(&graph), [(1, 2), (3, 0), (3, 1), (3, 2), (3, 4)]);
}

#[test]
fn names_that_are_the_indices_are_the_indices() {
    let text = "digraph { 2 -> 0; \"1\" -> 2 }";
    let graph = read(text.as_bytes(), "a.dot").unwrap();
    assert_eq!((dependencies(&graph), graph.label(NodeId(0))), (vec![(1, 2), (2, 0)], "TB 1".to_owned()));
    for other in ["digraph { 2 -> 00; 1 -> 2 }", "digraph { 3 -> 0; 1 -> 3 }"] {
        let graph = read(other.as_bytes(), "a.dot").unwrap();
        assert_eq!(dependencies(&graph), [(0, 1), (2, 0)], "{other}: in the order of mention");
    }
}

#[test]
fn gzip_is_unpacked() {
    for (name, text) in [("a.el.gz", "0 1\n1 2\n"), ("a.dot.gz", "digraph { 0 -> 1 -> 2 }")] {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        let packed = encoder.finish().unwrap();
        assert_eq!(dependencies(&read(&packed, name).unwrap()), [(0, 1), (1, 2)]);
        let cut = complaint_of(&packed[..packed.len() - 9], name);
        assert!(cut.starts_with(name) && cut.contains("deflate"), "{cut}");
    }
}

fn complaint_of(bytes: &[u8], name: &str) -> String {
    read(bytes, name).unwrap_err().to_string()
}

#[test]
fn errors_name_the_line_and_what_was_wanted() {
    let nested = |depth: usize| format!("digraph {{\n{}{}}}", "{".repeat(depth), "}".repeat(depth));
    let many: String = (0..=65_535).map(|n| format!("n{n}\n")).collect();
    let cases = [
        ("a.txt", "".to_owned(), "a.txt:1: expected a dependency `parent child`, found the end of the file"),
        ("a.txt", "# none\n".to_owned(), "a.txt:2: expected a dependency `parent child`, found the end of the file"),
        ("a.txt", "0 1\n1 x\n".to_owned(), "a.txt:2: expected the index of a TB, found `x`"),
        ("a.txt", "0 1 7\n".to_owned(), "a.txt:1: expected the end of the line, found `7`"),
        ("a.txt", "0 1\n0 65535\n".to_owned(), "a.txt:2: expected the index of a TB in 0..=65534, found 65535"),
        ("a.txt", "0 1\n\n4 4\n".to_owned(), "a.txt:3: expected a parent other than the TB itself, found TB 4 twice"),
        (
            "a.txt",
            "0 1\n1 2\n2 3\n3 1\n1 2".to_owned(),
            "a.txt:4: expected dependencies without a cycle, found 1 -> 2 -> 3 -> 1",
        ),
        (
            "a.txt",
            (0..9).map(|tb| format!("{tb} {}\n", (tb + 1) % 9)).collect(),
            "a.txt:9: expected dependencies without a cycle, found 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> ... 3 more -> 0",
        ),
        (
            "a.dot",
            "digraph {\n a -> b\n b -> a }".to_owned(),
            "a.dot:3: expected dependencies without a cycle, found `a` -> `b` -> `a`",
        ),
        ("a.dot", "digraph {\n a -> a }".to_owned(), "a.dot:2: expected a parent other than the TB itself, found `a`"),
        (
            "a.dot",
            "digraph {\n a;\n a -> {b\n a} }".to_owned(),
            "a.dot:3: expected a parent other than the TB itself, found `a`",
        ),
        ("a.dot", "digraph {}".to_owned(), "a.dot:1: expected a graph with nodes, found none"),
        ("a.dot", "\ngraph { a -- b }".to_owned(), "a.dot:2: expected a directed graph (`digraph`), found `graph`"),
        ("a.dot", "".to_owned(), "a.dot:1: expected a directed graph (`digraph`), found the end of the file"),
        ("a.dot", "digraph {} digraph {}".to_owned(), "a.dot:1: expected the end of the file, found `digraph`"),
        ("a.dot", "digraph {\n a -> }".to_owned(), "a.dot:2: expected `{` or a name, found `}`"),
        ("a.dot", "digraph {\n a -> b\n".to_owned(), "a.dot:3: expected"),
        ("a.dot", "digraph {\n a -- b }".to_owned(), "found `--`"),
        ("a.dot", "digraph {\n 1a -> b }".to_owned(), "found `1a`"),
        ("a.dot", "digraph {\n a [color=] }".to_owned(), "a.dot:2: expected a name, found `]`"),
        ("a.dot", nested(40), "a.dot:2: expected at most 32 braces inside each other, found more"),
        ("a.dot", nested(1_000_000), "a.dot:2: expected at most 32 braces inside each other, found more"),
        ("a.dot", format!("digraph {{\n{many}}}"), "a.dot:65537: expected at most 65535 nodes, found more"),
        ("a.data", "0 1\n".to_owned(), "a.data: cannot tell the format; name the file .dot or .gv"),
    ];
    let wrong = cases.into_iter().map(|(name, text, wanted)| (complaint(&text, name), wanted));
    let wrong: Vec<_> = wrong.filter(|(told, wanted)| !told.contains(wanted)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let told = complaint_of(b"digraph {\n \xff }", "a.dot");
    assert_eq!(told, "a.dot:2: expected UTF-8, found byte 0xff");
    let zeroes = vec![b' '; (1 << 25) + 1];
    assert!(complaint_of(&zeroes, "a.dot").contains("at most 33554432 bytes"));
}

#[test]
fn groups_of_many_nodes_are_stopped_at_the_limit() {
    let group = |letter: char| -> String { (0..4_100).map(|n| format!("{letter}{n} ")).collect() };
    let told = complaint(&format!("digraph {{\n{{{}}} -> {{{}}}\n}}", group('a'), group('b')), "a.dot");
    assert_eq!(told, "a.dot:2: expected at most 16777216 dependencies, found more");
}

proptest! {
    #![proptest_config(crate::graph::same_cases())]

    #[test]
    fn what_is_written_is_what_is_read(mut listed in prop::collection::vec((0_u16..40, 0_u16..40), 1..80)) {
        listed.retain(|(a, b)| a != b);
        listed.push((38, 39));
        for edge in &mut listed {
            *edge = (edge.0.min(edge.1), edge.0.max(edge.1));
        }
        let mut wanted = listed.clone();
        wanted.sort_unstable();
        wanted.dedup();
        let lines = |between: &str| -> String { listed.iter().map(|(a, b)| format!("{a}{between}{b}\n")).collect() };
        let all: String = (0..40).map(|tb| format!("{tb};")).collect();
        for (name, text) in [("a.txt", lines(" ")), ("a.csv", lines(", ")), ("a.dot", format!("digraph{{{all}{}}}", lines("->")))] {
            let graph = read(text.as_bytes(), name).unwrap();
            prop_assert_eq!(&dependencies(&graph), &wanted);
            prop_assert_eq!((graph.nodes.len(), graph.repeated as usize), (40, listed.len() - wanted.len()));
        }
    }

    #[test]
    fn arbitrary_text_gives_a_graph_or_an_error(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        text in "[a-c0-2 {}\\[\\]<>=;,:\"\n#/*-]{0,120}",
        cut in any::<prop::sample::Index>(),
    ) {
        let dot = "strict digraph g { a -> {b c:p} -> \"d\"; subgraph s { e [l=<x<b>y</b>>] } e -> a }";
        let start = &dot[..cut.index(dot.len())];
        for name in ["a.dot", "a.txt", "a"] {
            let _ = read(&bytes, name);
            let _ = read(text.as_bytes(), name);
            let _ = read(format!("digraph{{{text}}}").as_bytes(), name);
            let _ = read(format!("{start}{text}").as_bytes(), name);
        }
    }
}
