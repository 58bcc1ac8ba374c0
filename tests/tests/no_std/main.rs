//! The core and the C library in programs that have neither `std` nor an allocator: they link nothing of them, and no path in
//! them panics.

use std::path::{Path, PathBuf};
use std::process::Command;

use gpusched_tests::symbols::Symbols;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

/// A release build of the package in `dir` into a folder of the tests' own, where the programs of the C ABI find the library built: as
/// a user's, whatever flags the tests run with.
fn build(dir: &Path, arguments: &[&str], folder: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let output = Command::new(env!("CARGO"))
        .args(["build", "--release", "--offline", "--quiet"])
        .args(arguments)
        .current_dir(dir)
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("CARGO_BUILD_TARGET")
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target
}

fn built(target: &Path, names: &[&str]) -> PathBuf {
    let paths = names.iter().map(|name| target.join("release").join(name));
    paths.into_iter().find(|path| path.exists()).expect("a library")
}

/// Builds the probe as one optimised object, so that its symbols are what is reachable.
fn build_probe() -> Symbols {
    let dir = tempfile::tempdir().expect("a scratch folder");
    let manifest = format!(
        "[workspace]\n[package]\nname = \"probe\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [lib]\npath = {source:?}\ncrate-type = [\"staticlib\"]\n[dependencies]\ngpusched = {{ path = {core:?}, features = [\"image\"] }}\n\
         [profile.release]\npanic = \"abort\"\nlto = \"fat\"\ncodegen-units = 1\n",
        source = root().join("tests/tests/no_std/probe.rs"),
        core = root().join("core"),
    );
    std::fs::write(dir.path().join("Cargo.toml"), manifest).expect("a manifest");
    // The same versions as the workspace, which are there already.
    std::fs::copy(root().join("Cargo.lock"), dir.path().join("Cargo.lock")).expect("the workspace's lock file");
    let target = build(dir.path(), &[], "no-std-probe");
    Symbols::of_archive(&built(&target, &["libprobe.a", "probe.lib"])).expect("a static library")
}

#[test]
fn the_core_needs_no_std_no_allocator_and_never_panics() {
    let probe = build_probe();
    let front_end = ["probe_new", "probe_calls", "probe_queries", "probe_images"];
    let bubble = ["probe_bubble_new", "probe_bubble_calls", "probe_bubble_queries", "probe_bubble_images"];
    for function in front_end.into_iter().chain(bubble).chain(["probe_laperm"]) {
        assert!(probe.exported.contains(function), "{function} is not in the object: {probe:?}");
    }
    assert_eq!(probe.foreign(), Vec::<&str>::new(), "symbols from elsewhere");
    assert_eq!(probe.forbidden(), Vec::<&str>::new(), "reachable panics");
}

/// Both libraries export what the header declares and nothing else, cannot panic, and need nothing but `memcpy` and its kin.
#[cfg(target_os = "linux")]
#[test]
fn the_c_library_is_its_header_and_never_panics() {
    let target = build(root(), &["-p", "gpusched-ffi"], "libgpusched");
    let archive = Symbols::of_archive(&built(&target, &["libgpusched.a"])).expect("a static library");
    assert_eq!(archive.complaints().expect("the header"), Vec::<String>::new(), "libgpusched.a");
    let shared = Symbols::of_shared(&built(&target, &["libgpusched.so"])).expect("a shared library");
    assert_eq!(shared.complaints().expect("the header"), Vec::<String>::new(), "libgpusched.so");
}
