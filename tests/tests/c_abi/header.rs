//! The headers: fresh, clean in every language, and complete in C++ and in the tests.

use std::collections::BTreeSet;

use gpusched_gen::{Derived, House, functions};

use crate::build::{Language, text};

const CPP_HEADERS: &[&str] = &[
    "include/gpusched_base.hpp",
    "include/gpusched_codes.hpp",
    "include/gpusched.hpp",
    "include/gpusched_frontend.hpp",
    "include/gpusched_laperm.hpp",
    "include/gpusched_bubble.hpp",
    "include/gpusched_dgb.hpp",
    "include/gpusched_equalizer_sm.hpp",
    "include/gpusched_equalizer_fm.hpp",
    "include/gpusched_apogee.hpp",
    "include/gpusched_mascar.hpp",
    "include/gpusched_tlp.hpp",
    "include/gpusched_tlp_leftover.hpp",
    "include/gpusched_tlp_pool.hpp",
    "include/gpusched_tlp_sm.hpp",
    "include/gpusched_tlp_smart_even.hpp",
    "include/gpusched_tlp_smc.hpp",
    "include/gpusched_coalescer.hpp",
    "include/gpusched_scoreboard.hpp",
    "include/gpusched_stack.hpp",
    "include/gpusched_models.hpp",
    "include/gpusched_monte.hpp",
    "include/gpusched_catalogue.hpp",
];
/// Programs that call every function as it must not be called.
pub const MISUSES: &[&str] = &[
    "tests/c/misuse.c",
    "tests/c/misuse_config.c",
    "tests/c/misuse_decisions.c",
    "tests/c/misuse_frontend_graph.c",
    "tests/c/misuse_told.c",
    "tests/c/misuse_modern.c",
    "tests/c/misuse_grids.c",
    "tests/c/misuse_laperm.c",
    "tests/c/misuse_bubble.c",
    "tests/c/misuse_graph.c",
    "tests/c/misuse_dgb.c",
    "tests/c/misuse_equalizer_sm.c",
    "tests/c/misuse_equalizer_fm.c",
    "tests/c/misuse_apogee.c",
    "tests/c/misuse_mascar.c",
    "tests/c/misuse_tlp.c",
    "tests/c/misuse_tlp_sm.c",
    "tests/c/misuse_tlp_pool.c",
    "tests/c/misuse_tlp_leftover.c",
    "tests/c/misuse_tlp_smart_even.c",
    "tests/c/misuse_tlp_smc.c",
    "tests/c/misuse_stack.c",
    "tests/c/misuse_scoreboard.c",
    "tests/c/misuse_models.c",
    "tests/c/misuse_coalescer.c",
    "tests/c/misuse_monte.c",
    "tests/c/misuse_catalogue.c",
];

/// `cargo cinstall` calls the shared library after the binary interface, as the library calls itself.
#[test]
fn cargo_c_installs_the_binary_interface() {
    let version = format!("\nversion = \"{}.0.0\"\n", gpusched_abi::GPUSCHED_ABI_VERSION);
    let manifest = text("ffi/Cargo.toml");
    let (_, library) = manifest.split_once("[package.metadata.capi.library]").expect("what cargo-c is told");
    assert!(library.contains(&version), "ffi/Cargo.toml: expected {version}");
}

#[test]
fn the_headers_are_what_the_crate_says() {
    let house = House::own();
    let fresh = house.headers().expect("the crate is one that cbindgen understands");
    let all: usize = fresh.iter().map(|(_, text)| text.len()).sum();
    assert_eq!(house.header_text().expect("the headers").len(), all, "`include` has others than {:#?}", paths(&fresh));
    assert_fresh(&house.old(fresh));
}

#[test]
fn the_derived_files_are_what_the_core_says() {
    assert_fresh(&House::own().stale(&[]).expect("the descriptions fit the core"));
}

fn assert_fresh(old: &[Derived]) {
    assert!(old.is_empty(), "these are old; renew them with: cargo run -p gpusched-gen\n{:#?}", paths(old));
}

fn paths(files: &[Derived]) -> Vec<&str> {
    files.iter().map(|(path, _)| path.as_str()).collect()
}

#[test]
fn the_headers_compile_alone_without_warnings() {
    for language in ["c99", "c11", "c17"].map(Language::C).into_iter().chain(["c++11", "c++17"].map(Language::Cpp)) {
        language.check("#include <gpusched.h>\n");
    }
    for (path, _) in House::own().headers().expect("the headers") {
        let header = format!("#include <{}>\n", path.trim_start_matches("include/"));
        Language::C("c99").check(&header.repeat(2));
    }
    let cpp: Vec<_> =
        CPP_HEADERS.iter().map(|header| format!("#include <{}>\n", header.trim_start_matches("include/"))).collect();
    // Twice, and beside each other, the last of them first.
    for header in &cpp {
        Language::Cpp("c++17").check(&header.repeat(2));
    }
    let beside: String = cpp.iter().rev().map(String::as_str).chain(["#include <gpusched.h>\n"]).collect();
    for year in ["c++17", "c++20"] {
        Language::Cpp(year).check(&beside);
    }
}

/// Every function and every number of C is in C++, too.
#[test]
fn the_cpp_header_lacks_nothing() {
    let (c, cpp) = (House::own().header_text().expect("the headers"), texts(CPP_HEADERS));
    let functions = functions(&c);
    let numbers = c.lines().filter_map(|line| line.trim().strip_suffix(',')?.split_once(" = ")).map(|(name, _)| name);
    let names: Vec<_> = functions.iter().map(String::as_str).chain(numbers).collect();
    assert!(names.len() > 150, "functions and enumerators are found: {}", names.len());
    assert_eq!(missing(names, &cpp), Vec::<&str>::new());
}

/// Comments lead somewhere: a name in one is that of something that the headers have, or that a plug-in gives.
#[test]
fn comments_name_only_what_is_there() {
    let all = House::own().header_text().expect("the headers") + &texts(CPP_HEADERS);
    let (mut code, mut names) = (String::new(), BTreeSet::from(["gpusched_plugin_table"]));
    for line in all.lines() {
        let (before, comment) = line.split_once("//").unwrap_or((line, ""));
        code += before;
        code.push('\n');
        let words = comment.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        names.extend(words.filter(|word| word.starts_with("gpusched_") || word.starts_with("GPUSCHED_")));
    }
    let names = names.into_iter().filter(|name| !name.ends_with('_'));
    assert_eq!(missing(names, &code), ["gpusched_plugin_table"]);
}

/// No function is left out of the tests of misuse.
#[test]
fn every_function_is_misused() {
    let house = House::own();
    let tables = house.tables_of_misuse().expect("the descriptions can be read");
    let tables: Vec<_> = tables.iter().map(String::as_str).collect();
    let (header, misuse) = (house.header_text().expect("the headers"), texts(MISUSES) + &texts(&tables));
    let functions = functions(&header);
    assert_eq!(missing(functions.iter().map(String::as_str), &misuse), Vec::<&str>::new());
}

/// Files of the repository, one behind the other.
fn texts(names: &[&str]) -> String {
    names.iter().map(|name| text(name)).collect()
}

/// The names that are no word of a text.
fn missing<'a>(names: impl IntoIterator<Item = &'a str>, text: &str) -> Vec<&'a str> {
    let words: BTreeSet<_> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    names.into_iter().filter(|name| !words.contains(name)).collect()
}
