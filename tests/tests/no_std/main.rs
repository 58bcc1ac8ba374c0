//! The core in a program that has neither `std` nor an allocator: it links nothing of them, and no path in it panics.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol, SymbolKind};

/// What a freestanding program must bring itself, without the underscores that some systems put first.
const FREESTANDING: &[&str] = &["memcpy", "memmove", "memset", "memcmp", "bcmp", "GLOBAL_OFFSET_TABLE_"];

/// Functions of an object: those it defines and those it wants from elsewhere.
struct Symbols {
    defined: BTreeSet<String>,
    undefined: BTreeSet<String>,
}

/// Builds the probe as one optimised object, so that its symbols are what is reachable.
fn build_probe() -> Symbols {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let dir = tempfile::tempdir().expect("a scratch folder");
    let manifest = format!(
        "[workspace]\n[package]\nname = \"probe\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [lib]\npath = {source:?}\ncrate-type = [\"staticlib\"]\n[dependencies]\ngpusched = {{ path = {core:?}, features = [\"image\"] }}\n\
         [profile.release]\npanic = \"abort\"\nlto = \"fat\"\ncodegen-units = 1\n",
        source = root.join("tests/tests/no_std/probe.rs"),
        core = root.join("core"),
    );
    std::fs::write(dir.path().join("Cargo.toml"), manifest).expect("a manifest");
    // The same versions as the workspace, which are there already.
    std::fs::copy(root.join("Cargo.lock"), dir.path().join("Cargo.lock")).expect("the workspace's lock file");
    let output = Command::new(env!("CARGO"))
        .args(["build", "--release", "--offline", "--quiet"])
        .current_dir(dir.path())
        .env("CARGO_TARGET_DIR", dir.path().join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let archive = ["libprobe.a", "probe.lib"].map(|name| dir.path().join("target/release").join(name));
    let archive = archive.into_iter().find(|path| path.exists()).expect("a static library");
    let bytes = std::fs::read(archive).expect("a static library");

    // The other objects of the archive are the compiler's own arithmetic helpers.
    let archive = ArchiveFile::parse(&*bytes).expect("an archive");
    let members = archive.members().map(|m| m.expect("a member").data(&*bytes).expect("a member's data"));
    let objects = members.filter_map(|data| object::File::parse(data).ok()).map(|object| Symbols::of(&object));
    let [probe] = objects
        .filter(|s| s.defined.iter().any(|f| f.contains("probe_")))
        .collect::<Vec<_>>()
        .try_into()
        .ok()
        .expect("one object has the probe");
    probe
}

impl Symbols {
    fn of(object: &object::File<'_>) -> Self {
        let name = |s: &object::Symbol<'_, '_>| Some(s.name().ok()?.trim_start_matches('_').to_owned());
        let named = || object.symbols().filter_map(|s| Some((name(&s)?, s)));
        let undefined = named().filter(|(name, s)| s.is_undefined() && !name.is_empty());
        let defined = named().filter(|(_, s)| s.kind() == SymbolKind::Text && !s.is_undefined());
        Self { defined: defined.map(|(name, _)| name).collect(), undefined: undefined.map(|(name, _)| name).collect() }
    }
}

#[test]
fn the_core_needs_no_std_no_allocator_and_never_panics() {
    let Symbols { defined, undefined } = build_probe();
    for function in ["probe_new", "probe_calls", "probe_queries", "probe_images"] {
        assert!(defined.iter().any(|name| name.contains(function)), "{function} is not in the object: {defined:?}");
    }
    let unexpected = undefined.iter().filter(|name| !FREESTANDING.contains(&name.as_str()));
    assert_eq!(unexpected.collect::<Vec<_>>(), Vec::<&String>::new(), "symbols from elsewhere");
    let panics = defined.iter().filter(|name| name.contains("panicking") || name.contains("alloc::"));
    assert_eq!(panics.collect::<Vec<_>>(), Vec::<&String>::new(), "reachable panics");
}
