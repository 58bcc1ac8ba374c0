use super::patterns::{PATTERNS, Pattern};
use super::*;
use crate::functional::{Tally, Turns, finished};
use crate::{Cover, Shape};

fn generated(name: &str) -> Arc<Streams> {
    Arc::new(name.parse::<StreamSource>().unwrap().streams())
}

fn letters(places: &str) -> Pattern {
    places.bytes().map(|letter| letter..=letter).collect()
}

/// Streams of this text and patterns, of which those that are not given begin with a letter that is not there.
fn listed(text: &[&str], patterns: &[&str]) -> Arc<Streams> {
    let others = (patterns.len()..PATTERNS as usize).map(|_| letters("!!!!"));
    let ends = text.iter().scan(0, |end, stream| {
        *end += stream.len() as u32;
        Some(*end)
    });
    Arc::new(Streams {
        source: StreamSource { count: text.len() as u32, ..StreamSource::default() },
        patterns: patterns.iter().map(|places| letters(places)).chain(others).collect(),
        text: text.concat().into_bytes(),
        start: std::iter::once(0).chain(ends).collect(),
    })
}

/// Children for every hit.
const EAGER: LaunchOptions =
    LaunchOptions { min_child: 1, cover: Cover::All, shape: Shape::Fixed(32), launch_insts: 0 };

/// Every program there is, by name.
fn variants() -> Vec<(&'static str, Mode, LaunchOptions)> {
    let default = LaunchOptions::default();
    let odd = LaunchOptions { shape: Shape::Fixed(75), cover: Cover::All, min_child: 5, launch_insts: 3 };
    vec![
        ("flat", Mode::Flat, default),
        ("floor", Mode::Cdp, default),
        ("var", Mode::CdpIdeal, LaunchOptions { shape: Shape::Var, ..default }),
        ("odd", Mode::DtblIdeal, odd),
        ("eager", Mode::Dtbl, EAGER),
    ]
}

fn search(streams: &Arc<Streams>, mode: Mode, options: LaunchOptions, room: usize) -> (Regx, Tally) {
    finished(Regx::new(Arc::clone(streams), mode, options), room, Turns::Together)
}

/// Sets of states, a letter at a time: another way to run an automaton than depth first.
fn by_sets_of_states(streams: &Streams) -> Vec<[u32; 3]> {
    let automaton = Automaton::of(&streams.patterns);
    let mut all = Vec::new();
    for ends in streams.start.windows(2) {
        let (mut states, mut found) = (Vec::new(), [0; 3]);
        for letter in &streams.text[ends[0] as usize..ends[1] as usize] {
            states.push(0_u32);
            let edges = states.iter().flat_map(|&state| {
                let [first, end] = [0, 1].map(|next| automaton.first[state as usize + next] as usize);
                &automaton.edges[first..end]
            });
            let hit = edges.filter(|edge| edge.letters.contains(letter)).map(|edge| edge.target);
            states = hit.collect();
            for &state in &states {
                found = std::array::from_fn(|word| found[word] | automaton.accepted[state as usize][word]);
            }
        }
        all.push(found);
    }
    all
}

#[test]
fn every_variant_finds_what_sets_of_states_find() {
    for name in ["string:130,6", "string:3,70,seed=2", "packets:2,700,seed=4", "string:1,1"] {
        let streams = generated(name);
        let wanted = by_sets_of_states(&streams);
        for (variant, mode, options) in variants() {
            for room in [2, 500] {
                let (regx, _) = search(&streams, mode, options, room);
                assert_eq!(regx.matches(), wanted, "{name} {variant} {room}");
                assert!(regx.check().is_ok());
            }
        }
        assert!(!name.starts_with("packets") || wanted.iter().flatten().any(|&word| word != 0), "words are found");
    }
}

/// workloads-RX2: a match may begin anywhere, overlap others, and end with its stream, but not go on in the next.
#[test]
fn patterns_are_found_wherever_they_are_and_in_their_stream_only() {
    let streams = listed(&["xabababx", "abab", "aba", "baba"], &["abab", "baba", "babx"]);
    for (variant, mode, options) in variants() {
        let (regx, _) = search(&streams, mode, options, 9);
        assert_eq!(regx.matches(), [[7, 0, 0], [1, 0, 0], [0; 3], [2, 0, 0]], "{variant}");
    }
}

/// workloads-RX2: places of 96 patterns of 4 to 12 letters, a range in ten places three; each a state, and so is their start.
#[test]
fn the_automaton_has_a_state_for_each_place_and_one_for_the_start() {
    let streams = generated("string");
    let lengths: Vec<usize> = streams.patterns.iter().map(Vec::len).collect();
    assert_eq!((lengths.len(), lengths.iter().min(), lengths.iter().max()), (96, Some(&4), Some(&12)));
    let places = || streams.patterns.iter().flatten();
    let widths = places().map(|letters| letters.end() - letters.start());
    assert!(widths.clone().all(|width| width <= 6) && places().all(|letters| *letters.end() <= b'z'));
    let ranges = widths.filter(|&width| width > 0).count() as f64 / places().count() as f64;
    assert!((0.27..0.33).contains(&ranges), "{ranges}");
    let automaton = Automaton::of(&streams.patterns);
    assert_eq!(automaton.states() as usize, 1 + places().count());
    assert_eq!(automaton.edges.len(), places().count());
    let mut fan_outs: Vec<u32> = automaton.fan_outs().collect();
    assert_eq!(fan_outs.remove(0), 96);
    let ends = automaton.accepted.iter().skip(1).map(|mask| mask.iter().map(|word| word.count_ones()).sum::<u32>());
    assert!(fan_outs.into_iter().zip(ends).all(|(edges, ends)| edges + ends == 1));
}

/// workloads-RX1: exact to the draw.
#[test]
fn the_text_is_that_of_the_sheet() {
    let sum = |name: &str| crate::graph::fnv1a(generated(name).text().iter().map(|&byte| byte.into()));
    let sums = [sum("string"), sum("packets")];
    assert_eq!(sums, [0x07f4_a8dd_a1d1_8652, 0x3c22_4c7f_78b2_81e3]);
    assert!(generated("string").text().iter().all(u8::is_ascii_lowercase));
    let packets = generated("packets:200");
    let lengths: Vec<u32> = packets.start.windows(2).map(|ends| ends[1] - ends[0]).collect();
    let of = |length| lengths.iter().filter(|&&of| of == length).count();
    assert_eq!(of(64) + of(512) + of(1460), 200);
    assert!((85..115).contains(&of(64)) && (45..75).contains(&of(512)), "{lengths:?}");
    let short = generated("packets:200,32");
    let shortened = short.start.windows(2).map(|ends| ends[1] - ends[0]);
    assert!(shortened.zip(&lengths).take(1).all(|(short, length)| short == length * 32 / 1460));
    let first = String::from_utf8(packets.text()[..packets.start[1] as usize].to_vec()).unwrap();
    assert!(first.starts_with("mail 8303 post server login user-agent: rcpt head\r\nreply "), "{first}");
}

/// The lists of workloads-RX3 to RX5 counted by hand: a stream of three letters, of which the first is the first of pattern 0.
#[test]
fn instructions_are_those_of_the_lists() {
    let streams = listed(&["abc"], &["ax!!"]);
    // I4 Lstart Lstart+1; three warps have no stream.
    let (beginning, exits) = (4 * 4 + 2, 4);
    let open = 3;
    // Of 96 edges one is hit: acc x3, I3, I2, the stack, the next state; its edge; and back.
    let (turn, hit, back) = (1 + 1 + 3 + 2, 3 + 3 + 2 + 1 + open, 2 + 2);
    let place = 96 * turn + open + 2;
    let (_, flat) = search(&streams, Mode::Flat, LaunchOptions::default(), 9);
    assert_eq!(flat.issued, beginning + 3 * place + hit + turn + back + exits);
    assert_eq!(flat.launches.len(), 0);

    // A test, S and K at each place. Three TBs of a child: I3 Lparameters Ltext and a turn. Of the hit I3, I2 and the next state with
    // a test of its own, and its edge. A child's thread has nothing to come back to.
    let (_, dynamic) = search(&streams, Mode::Dtbl, LaunchOptions::default(), 9);
    let place = open + 2 + 2 + 2;
    let child = 3 * (3 + 2 + turn + 1);
    assert_eq!(dynamic.issued, beginning + 3 * (place + child) + hit - 1 + 2 + turn + exits);
    let shapes: Vec<_> = dynamic.launches.iter().map(|of| (of.grid.x, of.tb.x, of.regs, of.smem)).collect();
    assert_eq!(shapes, [(3, 32, 24 * 32, 0); 3]);
    let parent = dynamic.kernels[0];
    assert_eq!((parent.grid.x, parent.tb.x, parent.regs, parent.smem), (1, 128, 32 * 128, 0));
}

/// workloads-RX5: no state is wide but the first, unless a single edge is enough.
#[test]
fn each_place_launches_and_hits_do_where_they_may() {
    for name in ["string:40,30", "packets:2"] {
        let streams = generated(name);
        let (_, usual) = search(&streams, Mode::Dtbl, LaunchOptions::default(), 100);
        assert_eq!(usual.launches.len(), streams.bytes() as usize);
        let (_, eager) = search(&streams, Mode::Dtbl, EAGER, 100);
        let nested = eager.launches.len() - usual.launches.len();
        assert!(nested > usual.launches.len(), "{nested}");
        assert!(eager.launches.iter().filter(|of| of.grid.x == 1).count() == nested);
    }
}

#[test]
fn what_is_out_of_range_is_refused() {
    let none = LaunchOptions { min_child: 0, ..LaunchOptions::default() };
    let error = |options| Regx::new(generated("string:1,1"), Mode::Flat, options).unwrap_err().to_string();
    assert_eq!(error(none), "option `min_child`: expected 1 or more, found 0");
    let of_none = LaunchOptions { shape: Shape::Fixed(0), ..LaunchOptions::default() };
    assert_eq!(error(of_none), "option `shape`: expected 1 to 1024 threads, found 0");
    let error = |name: &str| name.parse::<StreamSource>().unwrap_err().to_string();
    let forms = "expected string[:N[,LENGTH]] or packets[:N[,LONGEST]], each also with ,seed=N";
    assert_eq!(error("darpa"), format!("streams `darpa`: {forms}"));
    assert_eq!(error("packets:3,4,5"), format!("streams `packets:3,4,5`: {forms}"));
    assert_eq!(error("string:x"), "streams `string:x`: expected a whole number, found `x`");
    assert_eq!(error("string:0"), "streams `string:0`: expected 1..=1048576, found 0");
    assert!(error("packets:1048576").ends_with(": expected at most 2^28 bytes of text, found up to 1530920960"));
}

#[test]
fn names_say_all_that_makes_the_streams() {
    for (given, name) in [
        ("string", "string:128,128,seed=1"),
        ("string:5", "string:5,128,seed=1"),
        ("packets", "packets:32,1460,seed=1"),
        ("packets:7,90,seed=3", "packets:7,90,seed=3"),
    ] {
        let source: StreamSource = given.parse().unwrap();
        assert_eq!((source.to_string().as_str(), name.parse()), (name, Ok(source)));
    }
    let twice = "string:seed=1,seed=2".parse::<StreamSource>().unwrap_err().to_string();
    assert!(twice.contains("takes `seed=` once"), "{twice}");
}

#[test]
fn a_wrong_match_is_told_with_its_place() {
    let (mut regx, _) = search(&listed(&["xabcd", "x"], &["abcd"]), Mode::Flat, LaunchOptions::default(), 1);
    regx.matches[1][2] = 9;
    assert_eq!(regx.check().unwrap_err().to_string(), "wrong result: match[5] is 9, want 0");
}
