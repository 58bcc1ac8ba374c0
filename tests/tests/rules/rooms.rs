//! The rooms of the core: which folder of `core/src` may name which other one. An arrow that is not in the table is refused, and one
//! that is in the table and nowhere else is, too; since a room names only rooms above its own line, there is no ring.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Rooms from the ground floor upward, each with the rooms that it names. The longest path of a file is its room.
const ROOMS: [(&str, &str); 20] = [
    ("base", ""),
    ("simt", "base"),
    ("models", "base"),
    ("mascar", "base"),
    ("apogee", "base"),
    ("power", "base"),
    ("dats", "base"),
    ("policy/laperm", "base"),
    ("config", "base dats policy/laperm power"),
    ("probe", "base dats policy/laperm power"),
    ("smx", "base config"),
    ("launch", "base config policy/laperm probe smx"),
    ("policy", "base config dats launch policy/laperm probe smx"),
    ("policy/catalogue", "base policy"),
    ("modern", "base config launch policy probe smx"),
    ("grids", "base config launch probe"),
    ("frontend", "base config dats grids launch modern policy policy/laperm power probe smx"),
    ("gpu", "base config policy/laperm"),
    ("equalizer", "base config frontend launch probe smx"),
    ("tlp", "base frontend probe"),
];

/// The room of a path below `core/src`, such as `policy/laperm/queues.rs` or `policy/laperm`.
fn room_of(path: &str) -> Option<&'static str> {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let holds = |room: &str| path.strip_prefix(room).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let rooms = ROOMS.iter().map(|&(room, _)| room).filter(|room| holds(room));
    rooms.max_by_key(|room| room.len())
}

/// Rust files below a folder, by their paths below `root`.
fn files(folder: &Path, root: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, root, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            found.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
}

/// What a file names behind `crate::`, as a path. Its comments may name anything; so may its unit tests, which stand at its end, and its
/// macros, through `$crate`; and what is exported from the root because it is a macro has no room.
fn named(text: &str) -> impl Iterator<Item = String> {
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
    let code = lines.filter_map(|line| line.split("//").next());
    code.flat_map(|line| {
        let behind = line.match_indices("crate::").filter(|&(at, _)| !line[..at].ends_with('$'));
        behind.filter_map(|(at, word)| {
            let path = &line[at + word.len()..];
            let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(path.len());
            let (path, rest) = path.split_at(end);
            (!rest.starts_with('!')).then(|| path.trim_end_matches(':').replace("::", "/"))
        })
    })
}

#[test]
fn rooms_name_only_what_the_table_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src");
    let mut all = BTreeMap::new();
    files(&root, &root, &mut all);
    all.retain(|name, _| !["lib.rs", "sheets.rs"].contains(&name.as_str()));
    let mut arrows = BTreeMap::<&str, BTreeSet<&str>>::new();
    for (file, text) in &all {
        let from = room_of(file).unwrap_or_else(|| panic!("{file} is in no room"));
        for path in named(text) {
            let to = room_of(&path).unwrap_or_else(|| panic!("{file} names crate::{path}, not the room that has it"));
            if to != from {
                arrows.entry(from).or_default().insert(to);
            }
        }
    }
    let mut below = BTreeSet::new();
    for (room, allowed) in ROOMS {
        let allowed: BTreeSet<_> = allowed.split_whitespace().collect();
        assert!(allowed.is_subset(&below), "{room} may name only what stands above it in the table: {allowed:?}");
        assert_eq!(arrows.remove(room).unwrap_or_default(), allowed, "what {room} names, and what it may");
        below.insert(room);
    }
}

#[test]
fn a_longer_path_is_the_room_and_comments_name_none() {
    assert_eq!(room_of("policy/laperm/queues.rs"), Some("policy/laperm"));
    assert_eq!(room_of("policy/line.rs"), Some("policy"));
    assert_eq!(room_of("policyholder.rs"), None);
    let text =
        "//! crate::gpu\nuse crate::base::set::SmxSet; // crate::gpu\n$crate::Rows crate::Config crate::inline_tables!
#[cfg(test)]
use crate::gpu;";
    assert_eq!(named(text).collect::<Vec<_>>(), ["base/set/SmxSet", "Config"]);
}
