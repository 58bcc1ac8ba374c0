use super::*;
use crate::graph::fnv1a;
use std::io::Write;
use std::ops::ControlFlow;

fn load(source: &str) -> Result<NamedKeys, KeyError> {
    source.parse::<KeySource>()?.load(u64::MAX, &mut |_| ControlFlow::Continue(()))
}

fn message(source: &str) -> String {
    load(source).unwrap_err().to_string()
}

#[test]
fn rows_are_sorted_and_keep_their_order_among_equals() {
    let rows = Rows::sorted(&[7, 3, 7, 0]);
    assert_eq!((rows.keys(), rows.values()), (&[0, 3, 7, 7][..], &[3, 1, 0, 2][..]));
}

/// workloads-JO3: every row matches about 256 in the uniform case, up to about 51 in the other.
#[test]
fn the_default_sizes_have_the_matches_that_the_sheet_expects() {
    for (name, pairs, most) in [("uni", 1_048_576.0, 330), ("gauss", 4096.0 * 36.1, 75)] {
        let keys = load(name).unwrap();
        assert_eq!((keys.r.count(), keys.s.count()), (4096, 65_536));
        let matches = |key: u32| keys.s.keys().iter().filter(|&&k| k == key).count();
        let count: Vec<usize> = keys.r.keys().iter().map(|&key| matches(key)).collect();
        let sum = count.iter().sum::<usize>() as f64;
        assert!((sum / pairs - 1.0).abs() < 0.03, "{name} {sum}");
        assert!(count.iter().all(|&n| n <= most), "{name} {:?}", count.iter().max());
    }
}

/// The rule of workloads-G8 in real numbers, which are exact here.
#[test]
fn gaussian_keys_are_those_of_the_formula() {
    let generator = Generator { rows: [500, 500], range: 1000, ..Generator::new(Distribution::Gaussian) };
    let mut stream = crate::graph::SplitMix64::new(1);
    let mut key = || {
        let sum: f64 = (0..12).map(|_| stream.below(65_536) as f64).sum();
        let key = (500.0 + (sum - 393_210.0) * 1000.0 / 8.0 / 65_536.0).floor();
        key.clamp(0.0, 999.0) as u32
    };
    let [r, s] = generator.keys();
    assert!(r.into_iter().chain(s).all(|drawn| drawn == key()));
}

/// So that nobody's results move unnoticed.
#[test]
fn the_default_keys_stay_what_they_are() {
    let sum = |name: &str| {
        let keys = load(name).unwrap();
        fnv1a([&keys.r, &keys.s].into_iter().flat_map(|rows| rows.keys().iter().chain(rows.values()).copied()))
    };
    assert_eq!((sum("uni"), sum("gauss")), (0xc22fb5abc35e19ce, 0xbd11fc7ec831c7d1));
}

#[test]
fn a_name_reads_back_as_itself_and_sizes_set_the_range() {
    for (given, printed) in [
        ("uni", "uni:4096,65536,256,seed=1"),
        ("gauss", "gauss:4096,65536,4096,seed=1"),
        ("gauss:seed=7", "gauss:4096,65536,4096,seed=7"),
        ("uni:65536,1048576", "uni:65536,1048576,4096,seed=1"),
        ("gauss:10,20,30,seed=5", "gauss:10,20,30,seed=5"),
        ("uni:3,3", "uni:3,3,1,seed=1"),
        ("a.txt,dir/b.bin", "a.txt,dir/b.bin"),
    ] {
        let source: KeySource = given.parse().unwrap();
        assert_eq!(source.to_string(), printed);
        assert_eq!(printed.parse::<KeySource>().unwrap(), source);
    }
    assert_eq!(KeySource::default().to_string(), "uni:4096,65536,256,seed=1");
}

#[test]
fn a_wrong_name_says_what_would_be_right() {
    assert!(message("normal").contains("`normal`") && message("normal").contains("gauss[:R,S[,K]]"));
    assert!(message("one.txt").contains("R_FILE,S_FILE"));
    assert!(message("uni:4096").contains("uni[:R,S[,K]]"));
    assert!(message("uni:1,2,3,4").contains("uni[:R,S[,K]]"));
    assert_eq!(message("uni:0,5"), "keys `uni:0,5`: expected 1..=1073741824, found 0");
    assert_eq!(message("uni:seed=1,seed=2"), "keys `uni:seed=1,seed=2`: takes `seed=` once");
    assert_eq!(message("gauss:x,5"), "keys `gauss:x,5`: expected a whole number, found `x`");
}

/// What is too large is refused before it is held: the keys themselves, then the pairs of a join of them.
#[test]
fn keys_and_pairs_take_no_more_memory_than_they_may() {
    let message = |source: &str, memory: u64| {
        let source: KeySource = source.parse().unwrap();
        source.load(memory, &mut |_| ControlFlow::Continue(())).map(|_| ()).unwrap_err().to_string()
    };
    let (of_keys, of_pairs) = ("uni:1000000000,1000000000", "uni:60000,60000,1");
    assert_eq!(message(of_keys, 1 << 30), "2000000000 keys take about 29.8 GiB of memory; the limit is 1.0 GiB");
    assert_eq!(
        message(of_pairs, 1 << 30),
        "3600000000 pairs of 120000 keys take about 40.2 GiB of memory; the limit is 1.0 GiB"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.u32");
    std::fs::write(&path, vec![0; 1 << 20]).unwrap();
    let path = path.display();
    let start =
        format!("{} keys of {path}, and more, take about 1 MiB of memory; the limit is 1 MiB", (1 << 16) + (1 << 14));
    assert_eq!(message(&format!("{path},{path}"), 1 << 20), start);
}

#[test]
fn pairs_are_counted_as_a_nested_loop_does() {
    for (r, s) in [(&[3, 1, 3, 2][..], &[3, 3, 0, 1, 9][..]), (&[], &[1]), (&[7], &[]), (&[5, 5], &[5, 5, 5])] {
        let pairs = r.iter().flat_map(|key| s.iter().filter(move |other| *other == key)).count();
        assert_eq!(Rows::sorted(r).pairs_with(&Rows::sorted(s)), pairs as u64);
    }
}

#[test]
fn files_of_both_formats_load_plain_and_packed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("r.txt"), "# keys\n5\n\n 1 \r\n4294967295").unwrap();
    let words: Vec<u8> = [2_u32, 1, 2].iter().flat_map(|key| key.to_le_bytes()).collect();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&words).unwrap();
    std::fs::write(path("s.bin.gz"), packed.finish().unwrap()).unwrap();
    let keys = load(&format!("{},{}", path("r.txt").display(), path("s.bin.gz").display())).unwrap();
    assert_eq!(keys.name, "r.txt,s.bin.gz");
    assert_eq!((keys.r.keys(), keys.r.values()), (&[1, 5, u32::MAX][..], &[1, 0, 2][..]));
    assert_eq!((keys.s.keys(), keys.s.values()), (&[1, 2, 2][..], &[1, 0, 2][..]));
}

/// workloads-W11: the file, the line, what was expected and what was found.
#[test]
fn what_is_wrong_with_a_file_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let path = path.display().to_string();
        message(&format!("{path},{path}")).replace(&path, name)
    };
    assert_eq!(file("a.txt", b"1\n2\nx\n"), "a.txt:3: expected a key, found `x`");
    assert_eq!(file("a.txt", b"1\n4294967296\n"), "a.txt:2: expected a key in 0..=4294967295, found 4294967296");
    assert_eq!(file("a.txt", b"1 2\n"), "a.txt:1: expected the end of the line, found `2`");
    assert_eq!(file("a.txt", b"\n# nothing\n"), "a.txt: expected 1 to 2^30 keys, found none");
    assert_eq!(file("a.raw", b"123456"), "a.raw: expected a multiple of 4 bytes, found 6");
    assert_eq!(file("a.u32", b""), "a.u32: expected 1 to 2^30 keys, found none");
    assert!(message("./no-such.txt,./none.txt").starts_with("./no-such.txt: "));
}
