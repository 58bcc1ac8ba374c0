use super::*;
use crate::graph::EdgeList;
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::io::Write as _;

/// Both directions of each edge, and weights if they are `wanted`.
fn read_as(bytes: &[u8], name: &str, wanted: Wanted) -> Result<FromFile, GraphError> {
    from_reader(bytes, bytes.len() as u64, Path::new(name), &wanted, &mut |_| ControlFlow::Continue(()))
}

fn read_bytes(bytes: &[u8], name: &str) -> Result<Csr, GraphError> {
    read_as(bytes, name, Wanted { undirected: true, ..Wanted::default() }).map(|read| read.csr)
}

fn complaint(text: &str, name: &str) -> String {
    read_bytes(text.as_bytes(), name).unwrap_err().to_string()
}

/// The graph in each format that can hold it, with the name of a file.
fn written(csr: &Csr) -> Vec<(&'static str, String)> {
    let (n, m) = (csr.vertices(), csr.arc_count() / 2);
    let weighted = csr.weights().is_some();
    let mut metis = format!("% made by a test\n{n} {m} {}\n", if weighted { "1" } else { "" });
    for v in 0..n {
        for e in csr.arcs(v) {
            write!(metis, " {}", csr.col()[e] + 1).unwrap();
            if let Some(weights) = csr.weights() {
                write!(metis, " {}", weights[e]).unwrap();
            }
        }
        metis.push('\n');
    }
    let lines =
        |line: &dyn Fn(u32, u32, u32) -> String| -> String { csr.edges().map(|(u, v, w)| line(u, v, w)).collect() };
    let mut all = vec![("g.graph", metis)];
    if weighted {
        let arcs = lines(&|u, v, w| format!("a {} {} {w}\n", u + 1, v + 1));
        all.push(("g.gr", format!("c test\np sp {n} {m}\n{arcs}")));
        let entries = lines(&|u, v, w| format!("{} {} {w}\n", v + 1, u + 1));
        let banner = "%%MatrixMarket matrix coordinate integer symmetric\n% test\n";
        all.push(("g.mtx", format!("{banner}{n} {n} {m}\n{entries}")));
        let banner = "%%MatrixMarket matrix coordinate real general\n";
        let entries = lines(&|u, v, w| format!("{} {} {w}.0e0\n", v + 1, u + 1));
        all.push(("g.mm", format!("{banner}{n} {n} {m}\n{entries}")));
        all.push(("g.csv", format!("from,to,cost\n{}", lines(&|u, v, w| format!("{u},{v}, {w}\r\n")))));
        all.push(("g.txt", lines(&|u, v, w| format!("{u}\t{v} {w}\n"))));
    } else {
        let edges = lines(&|u, v, _| format!("e {} {}\n", v + 1, u + 1));
        all.push(("g.col", format!("p edge {n} {m}\n{edges}")));
        let banner = "%%MatrixMarket matrix coordinate pattern general\n";
        let entries = lines(&|u, v, _| format!("{} {}\n", u + 1, v + 1));
        all.push(("g.mm", format!("{banner}{n} {n} {m}\n{entries}")));
        all.push(("g.el", format!("# test\n{}", lines(&|u, v, _| format!("{u} {v}\n")))));
    }
    all
}

fn zipped(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Small graphs whose last vertex has an edge, so that an edge list shows how many there are.
fn graphs() -> impl Strategy<Value = Csr> {
    let edges = prop::collection::vec((0_u32..30, 0_u32..30, 1_u32..u32::MAX), 0..60);
    (edges, any::<bool>()).prop_map(|(edges, weighted)| {
        let mut list = if weighted { EdgeList::weighted(0) } else { EdgeList::unweighted(0) };
        for (u, v, w) in edges {
            list.push(u, v, w);
        }
        list.push(0, list.vertices().max(1), 7);
        Csr::from_edges(list).unwrap()
    })
}

proptest! {
    #![proptest_config(crate::graph::same_cases())]

    #[test]
    fn what_was_written_is_what_is_read(csr in graphs()) {
        for (name, text) in written(&csr) {
            prop_assert_eq!(&read_bytes(text.as_bytes(), name).unwrap(), &csr, "{}", name);
            let name = format!("{name}.gz");
            prop_assert_eq!(&read_bytes(&zipped(text.as_bytes()), &name).unwrap(), &csr, "{}", name);
        }
    }

    #[test]
    fn damaged_files_give_a_graph_or_an_error(
        csr in graphs(), which in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(),
        junk in prop::collection::vec(any::<u8>(), 0..6), cut in 0_usize..6, zip in any::<bool>(),
    ) {
        let files = written(&csr);
        let (name, text) = &files[which.index(files.len())];
        let mut bytes = if zip { zipped(text.as_bytes()) } else { text.clone().into_bytes() };
        let from = place.index(bytes.len());
        let to = (from + cut).min(bytes.len());
        bytes.splice(from..to, junk);
        if let Ok(csr) = read_bytes(&bytes, name) {
            prop_assert!(csr.col().iter().all(|&v| v < csr.vertices()));
        }
    }

    #[test]
    fn arbitrary_bytes_give_a_graph_or_an_error(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        digits in "[0-9 \n%,]{0,200}",
    ) {
        for name in ["a.graph", "a.gr", "a.col", "a.mtx", "a.txt", "a"] {
            let _ = read_bytes(&bytes, name);
            let _ = read_bytes(digits.as_bytes(), name);
        }
    }
}

#[test]
fn errors_name_the_line_and_what_was_wanted() {
    let banner = "%%MatrixMarket matrix coordinate";
    let cases = [
        ("a.graph", "".to_owned(), "a.graph:1: expected a header `n m [fmt [ncon]]`, found the end of the file"),
        ("a.graph", "2 1\n2\n".to_owned(), "a.graph:3: expected 1 edges, each twice, found 1 neighbours in all"),
        (
            "a.graph",
            "3 2\n2\n".to_owned(),
            "a.graph:3: expected the neighbours of 3 vertices, found the end of the file after 1",
        ),
        ("a.graph", "2 1\n2\n3\n".to_owned(), "a.graph:3: expected a vertex in 1..=2, found 3"),
        ("a.graph", "2 1\n2 x\n1\n".to_owned(), "a.graph:2: expected a vertex, found `x`"),
        ("a.graph", "2 1\n2\n1\n1\n".to_owned(), "a.graph:4: expected the end of the file, found `1`"),
        ("a.graph", "2 1 2\n2\n1\n".to_owned(), "a.graph:1: expected a format of digits 0 and 1, found 2"),
        (
            "a.graph",
            "3 1\n2\n\n1\n".to_owned(),
            "a.graph:5: expected every edge in the lists of both its ends, with one weight, found edges in one list only, or with two",
        ),
        ("a.graph", "2 1 1\n2 0\n1 0\n".to_owned(), "a.graph:2: expected a weight in 1..=4294967294, found 0"),
        ("a.graph", "0 0\n".to_owned(), "a.graph:1: expected a number of vertices in 1..=4294967294, found 0"),
        (
            "a.gr",
            "c x\np sp 2 2\na 1 2 5\n".to_owned(),
            "a.gr:4: expected 2 lines like an arc `a u v w`, found the end of the file after 1",
        ),
        ("a.gr", "p tw 2 2\n".to_owned(), "a.gr:1: expected a header `p sp n m` or `p edge n m`, found `p tw`"),
        (
            "a.gr",
            "p sp 2 1\na 1 2 4294967295\n".to_owned(),
            "a.gr:2: expected a weight in 1..=4294967294, found 4294967295",
        ),
        ("a.gr", "p sp 2 1\na 1 2\n".to_owned(), "a.gr:2: expected a weight, found the end of the line"),
        ("a.col", "p edge 2 1\ne 1 2 3\n".to_owned(), "a.col:2: expected the end of the line, found `3`"),
        ("a.col", "p edge 2 1\na 1 2\n".to_owned(), "a.col:2: expected an edge `e u v`, found `a`"),
        ("a", format!("{banner} complex general\n"), "a:1: expected `pattern` or `integer` or `real`, found `complex`"),
        ("a", format!("{banner} real general\n2 3 1\n"), "a:2: expected a square matrix, 2 columns, found 3"),
        (
            "a",
            format!("{banner} real general\n2 2 1\n1 2 NaN\n"),
            "a:3: expected a weight, a finite number, found `NaN`",
        ),
        (
            "a",
            format!("{banner} integer general\n2 2 1\n1 2 -4\n"),
            "a:3: expected a weight in 1..=4294967294, found -4",
        ),
        (
            "a",
            format!("{banner} pattern symmetric\n2 2 9\n1 2\n"),
            "a:4: expected 9 entries, found the end of the file after 1",
        ),
        (
            "a",
            format!("{banner} pattern general\n4000000000 4000000000 1\n1 2\n"),
            "a:4: expected at most 16777216 vertices for 1 edges, found 4000000000",
        ),
        (
            "a.graph",
            "9 1073741825\n".to_owned(),
            "a.graph:1: expected a number of edges in 0..=1073741824, found 1073741825",
        ),
        (
            "a",
            format!("{banner} pattern general\n9 9 99999999999\n"),
            "a:2: expected a number of edges in 0..=1073741824, found 99999999999",
        ),
        ("a.csv", "u,v\n1,2\n3;4\n".to_owned(), "a.csv:3: expected a vertex, then a blank, found `;4`"),
        ("a.txt", "0 1\n1 2 9\n".to_owned(), "a.txt:2: expected the end of the line, found `9`"),
        (
            "a.txt",
            "0 99999999999999999999999\n".to_owned(),
            "a.txt:1: expected a vertex in 0..=4294967293, found a number over 2^64",
        ),
        (
            "a.txt",
            "0 1\n0 4000000000\n".to_owned(),
            "a.txt:3: expected at most 16777216 vertices for 2 edges, found 4000000001",
        ),
        ("a.txt", "# nothing\n".to_owned(), "a.txt:2: expected an edge, found none"),
    ];
    for (name, text, wanted) in cases {
        assert_eq!(complaint(&text, name), wanted, "{text}");
    }
}

#[test]
fn directions_are_those_of_the_format_unless_both_are_wanted() {
    let banner = "%%MatrixMarket matrix coordinate pattern";
    for (name, text, directed) in [
        ("a.txt", "0 1\n1 2\n1 0\n".to_owned(), true),
        ("a.gr", "p sp 3 3\na 1 2 4\na 2 3 4\na 2 1 4\n".to_owned(), true),
        ("a", format!("{banner} general\n3 3 3\n1 2\n2 3\n2 1\n"), true),
        ("a", format!("{banner} symmetric\n3 3 2\n2 1\n3 2\n"), false),
        ("a.col", "p edge 3 2\ne 1 2\ne 2 3\n".to_owned(), false),
        ("a.graph", "3 2\n2\n1 3\n2\n".to_owned(), false),
    ] {
        let csr = read_as(text.as_bytes(), name, Wanted::default()).unwrap().csr;
        assert_eq!((csr.is_directed(), csr.one_way()), (directed, directed.then_some((1, 2))), "{name}");
        assert_eq!(csr.edge_count(), if directed { 3 } else { 2 });
        let both = read_bytes(text.as_bytes(), name).unwrap();
        assert_eq!((both.is_directed(), both.arc_count()), (false, 4), "{name}");
    }
}

/// A weight in each format that has them, with what becomes of it as it is, multiplied by 4, and when nobody asks.
#[test]
fn weights_are_whole_scaled_or_of_no_matter() {
    let files = |weight: &str| {
        [
            ("a.graph", format!("2 1 1\n2 {weight}\n1 {weight}\n")),
            ("a.gr", format!("p sp 2 1\na 1 2 {weight}\n")),
            ("a", format!("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 {weight}\n")),
            ("a", format!("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 {weight}\n")),
            ("a.txt", format!("0 1 {weight}\n")),
            ("a.csv", format!("u,v,w\n0,1,{weight}\n")),
        ]
    };
    let wanted = |weights| Wanted { weights, ..Wanted::default() };
    for (weight, whole, times) in [
        ("7", Ok(7), Ok(28)),
        ("7.0", Ok(7), Ok(28)),
        ("0.6", Err("expected a whole weight in 1..=4294967294, or a scale that makes whole ones, found 0.6"), Ok(2)),
        ("1e9", Ok(1_000_000_000), Ok(4_000_000_000)),
        (
            "2e9",
            Ok(2_000_000_000),
            Err("expected a weight in 1..=4294967294 when it is multiplied by 4 and rounded, found 2000000000"),
        ),
        ("4294967295", Err("expected a weight in 1..=4294967294, found 4294967295"), Err("found 4294967295")),
        ("1e300", Err("found 1e300"), Err("found 1e300")),
        ("0", Err("expected a weight in 1..=4294967294, found 0"), Err("found 0")),
        ("0.1", Err("found 0.1"), Err("found 0.1")),
        ("-3", Err("expected a weight in 1..=4294967294, found -3"), Err("found -3")),
    ] {
        for (name, text) in files(weight) {
            for (weights, becomes) in [(Weights::Whole, whole), (Weights::Times(4.0), times)] {
                match (read_as(text.as_bytes(), name, wanted(weights)), becomes) {
                    (Ok(read), Ok(units)) => assert_eq!(read.csr.weights().unwrap()[0], units, "{text}"),
                    (Err(error), Err(says)) => {
                        let line = text.lines().position(|line| line.ends_with(weight)).unwrap() + 1;
                        let error = error.to_string();
                        assert!(error.starts_with(&format!("{name}:{line}: ")) && error.ends_with(says), "{error}");
                    }
                    (found, _) => panic!("{text}: {found:?}"),
                }
            }
            let read = read_as(text.as_bytes(), name, wanted(Weights::Ignored)).unwrap();
            let value: f64 = weight.parse().unwrap();
            assert_eq!((read.csr.weights(), read.weights), (None, Some([value; 2])), "{text}");
        }
    }
    for weight in ["nan", "inf", "-inf", "1e999", "x", "0x10"] {
        for (name, text) in files(weight) {
            for weights in [Weights::Ignored, Weights::Whole, Weights::Times(0.5)] {
                let error = read_as(text.as_bytes(), name, wanted(weights)).unwrap_err().to_string();
                assert!(error.ends_with(&format!("expected a weight, a finite number, found `{weight}`")), "{error}");
            }
        }
    }
}

#[test]
fn a_graph_may_be_a_vertex() {
    let banner = "%%MatrixMarket matrix coordinate real general";
    for (name, text) in [
        ("a.graph", "1 0\n\n".to_owned()),
        ("a.graph", "1 0".to_owned()),
        ("a.gr", "p sp 1 0\n".to_owned()),
        ("a.col", "p edge 1 0\n".to_owned()),
        ("a", format!("{banner}\n1 1 1\n1 1 -3.5\n")),
        ("a.txt", "0 0\n".to_owned()),
    ] {
        let csr = read_bytes(text.as_bytes(), name).unwrap();
        assert_eq!((csr.vertices(), csr.arc_count()), (1, 0), "{name}");
    }
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    for (name, text) in [("a.txt", "0 1\n"), ("a", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")] {
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        let plain = read_bytes(text.as_bytes(), name).unwrap();
        assert_eq!(read_bytes(&marked, name).unwrap(), plain);
        assert_eq!(read_bytes(&zipped(&marked), name).unwrap(), plain);
    }
    assert_eq!(
        read_bytes(b"\xef\xbb\xbf0 x\n", "a.txt").unwrap_err().to_string(),
        "a.txt:1: expected a vertex, found `x`"
    );
}

/// By the header where it promises edges, else as they come.
#[test]
fn a_graph_over_the_limit_is_refused_before_it_is_built() {
    let small = Wanted { memory: 1 << 20, ..Wanted::default() };
    let (mut list, mut arcs) = (String::new(), "p sp 9 800000\n".to_owned());
    (0..70_000).for_each(|v| writeln!(list, "{v} {}", v + 1).unwrap());
    arcs.push_str("a 1 2 1\n");
    for (name, text, says) in [
        (
            "a.txt",
            list,
            "a graph of 70001 vertices and 70000 edges takes about 2 MiB of memory to build; the limit is 1 MiB",
        ),
        ("a.gr", arcs, "a graph of 9 vertices and 800000 edges takes about 15 MiB"),
        ("a.graph", "50000000 9\n".to_owned(), "a graph of 50000000 vertices and 9 edges takes about 572 MiB"),
    ] {
        let error = read_as(text.as_bytes(), name, small).unwrap_err();
        assert!(matches!(error, GraphError::Memory { limit: 0x10_0000, .. }), "{error}");
        assert!(error.to_string().starts_with(says), "{error}");
    }
    assert!(read_as(b"0 1\n", "a.txt", small).is_ok());
}

#[test]
fn metis_vertex_sizes_and_weights_are_passed_over() {
    // The triangle 1-2-3 in every form of header.
    let triangle = read_bytes(b"3 3\n2 3\n1 3\n1 2\n", "a.graph").unwrap();
    for text in [
        "3 3 10\n9 2 3\n9 1 3\n9 1 2\n",
        "3 3 010 2\n9 8 2 3\n9 8 1 3\n9 8 1 2\n",
        "3 3 100\n7 2 3\n7 1 3\n7 1 2\n",
        "3 3 110 2\n7 9 8 2 3\n7 9 8 1 3\n% between\n7 9 8 1 2\n% after\n\n",
        "3 3 000 5\n2 3\n1 3\n1 2",
    ] {
        assert_eq!(read_bytes(text.as_bytes(), "a.graph").unwrap(), triangle, "{text}");
    }
    let weighted = read_bytes(b"3 3 111\n7 9 2 5 3 6\n7 9 1 5 3 4\n7 9 1 6 2 4\n", "a.graph").unwrap();
    assert_eq!(weighted.weights().unwrap(), [5, 6, 5, 4, 6, 4]);
}

#[test]
fn foreign_bytes_and_long_words_are_quoted_safely() {
    let found = read_bytes(b"0 \xff\x07\n", "a.txt").unwrap_err().to_string();
    assert_eq!(found, "a.txt:1: expected a vertex, found `\\xff\\x07`");
    let found = complaint(&"x".repeat(1 << 20), "a.graph");
    assert!(found.len() < 200 && found.contains("xxx..."), "{found}");
}

#[test]
fn a_line_may_be_longer_than_the_window() {
    let leaves = 40_000;
    let mut star = format!("% {}\n{} {leaves}\n", "-".repeat(1 << 20), leaves + 1);
    (2..=leaves + 1).for_each(|v| write!(star, "{v} ").unwrap());
    star.push_str(&"\n1".repeat(leaves));
    let csr = read_bytes(star.as_bytes(), "star.graph").unwrap();
    assert_eq!((csr.degree(0), csr.degree(1)), (40_000, 1));
}

#[test]
fn a_cut_gzip_file_is_said_to_be_damaged() {
    let text: String = (0..9000).map(|v| format!("{v} {}\n", v * 7 + 1)).collect();
    let bytes = zipped(text.as_bytes());
    // Cut where lines are read, and where the format is made out.
    for length in [bytes.len() / 2, 15] {
        let found = read_bytes(&bytes[..length], "a.txt.gz").unwrap_err().to_string();
        assert!(found.contains("expected an intact gzip stream"), "{found}");
    }
}

/// A pipe may give its first bytes one by one.
#[test]
fn gzip_is_known_however_few_bytes_come_at_a_time() {
    struct OneByOne<'a>(&'a [u8]);
    impl Read for OneByOne<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(1);
            self.0.read(&mut buffer[..length])
        }
    }
    let bytes = zipped(b"0 1\n1 2\n");
    let name = Path::new("a.txt");
    let read = from_reader(OneByOne(&bytes), 0, name, &Wanted::default(), &mut |_| ControlFlow::Continue(()));
    assert_eq!(read.unwrap().csr.vertices(), 3);
}

#[test]
fn what_has_no_name_is_told_by_its_first_bytes_and_else_is_a_list() {
    let vertices = |text: &str| read_bytes(text.as_bytes(), UNNAMED).unwrap().vertices();
    assert_eq!(vertices("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"), 3);
    assert_eq!(vertices("p edge 5 1\ne 1 2\n"), 5);
    assert_eq!(vertices("0 1\n1 2\n"), 3);
    let found = complaint("pears edge 5 1\ne 1 2\n", "a.col");
    assert!(found.contains("a.col:1: expected a header"), "{found}");
}

#[test]
fn progress_counts_compressed_bytes_and_can_cancel() {
    let text: String = (0..60_000).map(|v| format!("{v} {}\n", v + 1)).collect();
    let bytes = zipped(text.as_bytes());
    let total = bytes.len() as u64;
    let mut seen = Vec::new();
    from_reader(&*bytes, total, Path::new("a.txt"), &Wanted::default(), &mut |progress| {
        seen.push(progress);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(seen.windows(2).all(|two| two[0].read <= two[1].read));
    assert_eq!(seen.last(), Some(&Progress { read: total, total }));

    let mut left = 3;
    let cancelled = from_reader(&*bytes, total, Path::new("a.txt"), &Wanted::default(), &mut |_| {
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(cancelled, Err(GraphError::Cancelled)));
    assert_eq!(left, 0, "no further report after the cancelling one");
}

#[test]
fn a_format_that_nothing_tells_is_asked_for() {
    assert!(complaint("3 2\n2\n1 3\n2\n", "graph.dat").contains("cannot tell the format"));
    assert!(matches!(
        file(Path::new("/no/such.graph"), &Wanted::default(), &mut |_| ControlFlow::Continue(())),
        Err(GraphError::Io { .. })
    ));
}
