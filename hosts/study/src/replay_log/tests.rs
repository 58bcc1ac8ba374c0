//! Whatever stands in a log, it is read to its end, or refused with its line.

use super::*;
use gpusched_workloads::graph::{FNV1A_OF_NOTHING, fnv1a_onward};
use proptest::prelude::*;
use std::fs;

const SAMPLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../gpgpu-sim/docs/sample.log"));

/// What happens to a line of a log.
#[derive(Clone, Debug)]
enum Damage {
    Lost,
    Doubled,
    /// Stands where another does.
    Moved(prop::sample::Index),
    /// A word of it is another.
    Word(prop::sample::Index, String),
    Bytes(Vec<u8>),
}

fn damage() -> impl Strategy<Value = Damage> {
    let word = prop_oneof![
        "[0-9]{1,3}",
        Just("-".to_owned()),
        Just(u64::MAX.to_string()),
        Just(u32::MAX.to_string()),
        "(tb|start|end|done|launch|issue|divert|pstate|kde=|tbs=)[0-9]{0,20}",
        "[ -~]{0,6}",
    ];
    prop_oneof![
        Just(Damage::Lost),
        Just(Damage::Doubled),
        any::<prop::sample::Index>().prop_map(Damage::Moved),
        (any::<prop::sample::Index>(), word).prop_map(|(at, word)| Damage::Word(at, word)),
        prop::collection::vec(any::<u8>(), 0..20).prop_map(Damage::Bytes),
    ]
}

/// The lines of the sample without the last, which is made anew so that it fits them.
fn damaged(all: &[(prop::sample::Index, Damage)]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = SAMPLE.lines().map(|line| line.as_bytes().to_vec()).collect();
    lines.pop();
    for (line, damage) in all {
        let (at, count) = (line.index(lines.len()), lines.len());
        match damage {
            Damage::Lost if lines.len() > 1 => drop(lines.remove(at)),
            Damage::Lost => {}
            Damage::Doubled => lines.insert(at, lines[at].clone()),
            Damage::Moved(to) => lines.swap(at, to.index(count)),
            Damage::Word(which, word) => {
                let mut words: Vec<_> = lines[at].split(|&byte| byte == b' ').map(<[u8]>::to_vec).collect();
                let which = which.index(words.len());
                words[which] = word.clone().into_bytes();
                lines[at] = words.join(&b' ');
            }
            Damage::Bytes(bytes) => lines[at].clone_from(bytes),
        }
    }
    let events = lines.iter().filter(|line| !matches!(line.first(), None | Some(b'#' | b'!'))).count() - 1;
    let mut text = lines.join(&b'\n');
    text.push(b'\n');
    let sum = fnv1a_onward(FNV1A_OF_NOTHING, text.iter().copied());
    text.extend(format!("! end {events} {sum:016x}\n").into_bytes());
    text
}

proptest! {
    #[test]
    fn damaged_logs_are_read_or_refused_with_their_line(
        all in prop::collection::vec((any::<prop::sample::Index>(), damage()), 0..4), partial in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("damaged.log");
        fs::write(&path, damaged(&all)).unwrap();
        let mut catalogue = Catalogue::default();
        let boxes = Boxes::of(Window { from: 0, to: None });
        let read = Log::open(&path, Some(boxes), partial, true).and_then(|mut log| log.read(&mut catalogue).map(|()| log));
        match read {
            Ok(log) => prop_assert!(log.run.figures.events > 0 || !all.is_empty()),
            Err(Failure::Failed(why)) => prop_assert!(why.to_string().contains("damaged.log:"), "{}", why),
            Err(other) => prop_assert!(false, "{:?}", other),
        }
        if all.is_empty() {
            prop_assert_eq!(catalogue.names().len(), 3);
        }
    }
}
