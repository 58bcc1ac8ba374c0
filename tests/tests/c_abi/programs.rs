//! The programs in `tests/c`.

use crate::build::{Language, run, text};
use crate::header::MISUSES;

/// The example of the guide: the golden vector of the source's own example, and then TBs that end.
#[test]
fn the_quickstart_runs_its_hundred_blocks() {
    let printed = run(&mut Language::C("c99").program("tests/c/quickstart.c"));
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(lines.len(), 100);
    for (i, line) in lines.iter().take(39).enumerate() {
        // TB i goes to SMX i mod 13 in cycle i.
        assert_eq!(*line, format!("cycle {i:3}: TB {i:2} -> SMX {:2}, slot {}", i % 13, i / 13));
    }
    // All SMXs are full until TB 0 has ended.
    assert_eq!(lines[39], "cycle  50: TB 39 -> SMX  0, slot 0");
    assert_eq!(lines[99], "cycle 121: TB 99 -> SMX  8, slot 1");
    assert_eq!(printed, run(&mut Language::Cpp("c++17").program("tests/cpp/quickstart.cpp")));
}

/// The example of the README: four TBs, one a cycle behind the latency of the kernel's dispatch.
#[test]
fn the_first_program_says_where_four_blocks_go() {
    let printed = run(&mut Language::C("c99").program("tests/c/hello.c"));
    let sent = (0..4).map(|i| format!("cycle {}: TB {i} -> SMX {i}", 283 + i));
    assert!(printed.lines().eq(sent), "{printed}");
}

/// What the READMEs show are the programs that were just run; the whole host in C has at most 60 lines.
#[test]
fn the_readmes_show_the_programs() {
    let hello = text("tests/c/hello.c");
    let (_, body) = hello.split_once("int main(void) {\n").expect("the program's head");
    let (body, _) = body.split_once("    free(gpu);").expect("the program's end");
    let shown: String = body.lines().map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect();
    assert!(text("README.md").contains(&format!("```c\n{shown}```\n")), "README.md has another hello.c");
    let (guide, quickstart) = (text("include/README.md"), text("tests/c/quickstart.c"));
    assert!(quickstart.lines().count() <= 60);
    assert!(guide.contains(&format!("```c\n{quickstart}```\n")), "include/README.md has another quickstart.c");
    let quickstart = text("tests/cpp/quickstart.cpp");
    let (_, body) = quickstart.split_once("using namespace gpusched;\n\n").expect("the program's head");
    assert!(guide.contains(&format!("```cpp\n{body}```\n")), "include/README.md has another quickstart.cpp");
}

/// A wavefront, described, built, launched and run to its end, in C in less than 50 lines: each diagonal after the one before.
#[test]
fn the_wavefronts_run() {
    assert!(text("tests/c/wavefront.c").lines().count() < 50);
    let printed = run(&mut Language::C("c99").program("tests/c/wavefront.c"));
    let diagonals =
        (0..7).flat_map(|d| (0..4).filter_map(move |y: i32| Some((d - y, y)).filter(|(x, _)| (0..4).contains(x))));
    let lines = diagonals.zip([0, 1].into_iter().cycle()).map(|((x, y), smx)| format!("TB ({x},{y}) -> SMX {smx}"));
    assert!(printed.lines().eq(lines), "{printed}");
    assert_eq!(printed, run(&mut Language::Cpp("c++17").program("tests/cpp/wavefront.cpp")));
}

/// A policy of the host's own, in less than 60 lines: the kernel with the fewest blocks left goes first, to the emptiest SMX.
#[test]
fn a_host_decides_by_a_policy_of_its_own() {
    assert!(text("tests/c/policy.c").lines().count() < 60);
    let printed = run(&mut Language::C("c99").program("tests/c/policy.c"));
    // Eight blocks of 512 threads are there a cycle before four of 1024; three SMXs have 2048 each. Then the oldest block ends first.
    let sent = [
        (0, 8, 0),
        (0, 4, 1),
        (1, 4, 2),
        (2, 4, 0),
        (3, 4, 1),
        (1, 8, 2),
        (2, 8, 0),
        (3, 8, 2),
        (4, 8, 0),
        (5, 8, 1),
        (6, 8, 1),
        (7, 8, 2),
    ];
    let lines = sent.map(|(tb, kernel, smx)| format!("TB {tb} of {kernel} -> SMX {smx}"));
    assert!(printed.lines().eq(lines), "{printed}");
    assert_eq!(printed, run(&mut Language::Cpp("c++17").program("tests/cpp/policy.cpp")));
}

/// The examples of the machines that stand alone, LaPerm in C++ and the controller in C.
#[test]
fn the_examples_of_the_guide_run() {
    let printed = run(&mut Language::Cpp("c++17").program("tests/cpp/laperm.cpp"));
    let sent = ["cycle  0: 7.0 -> SMX 0", "cycle  1: 7.1 -> SMX 1", "cycle  2: 8.0 -> SMX 0", "cycle  3: 7.2 -> SMX 1"];
    assert!(printed.lines().eq(sent), "{printed}");
    let printed = run(&mut Language::C("c99").program("tests/c/bubble.c"));
    assert_eq!(printed, "cycle  500: SMX 0 is low\nSMX 0 took 3642225 mW x cycles, of which 3642225 in bubbles\n");
    let printed = run(&mut Language::C("c99").program("tests/c/equalizer.c"));
    let epochs = [
        "cycle  4096: 6 blocks may run, memory at 1000",
        "cycle  8192: 6 blocks may run, memory at 1150",
        "cycle 12288: 5 blocks may run, memory at 1150",
        "slot 5 pauses",
    ];
    assert!(printed.lines().eq(epochs), "{printed}");
    let printed = run(&mut Language::C("c99").program("tests/c/tlp.c"));
    let periods = [
        "targets 2 and 4",
        "SMX 0 holds 2 of 2 and 4 of 4",
        "cycle  900: 1 of 2 and 0 of 4 bypass",
        "cycle 1900: 0 of 2 and 1 of 4 bypass",
        "cycle 2900: 0 of 2 and 2 of 4 bypass",
        "cycle 3900: 0 of 2 and 3 of 4 bypass",
        "cycle 4900: 0 of 2 and 4 of 4 bypass",
    ];
    assert!(printed.lines().eq(periods), "{printed}");
    assert!(text("tests/cpp/mascar.cpp").lines().count() <= 60);
    let printed = run(&mut Language::Cpp("c++17").program("tests/cpp/mascar.cpp"));
    let loads = [(1, 0), (2, 0), (3, 1), (4, 2), (8, 1), (14, 2)].map(|(t, w)| (t, w, "loads"));
    let adds = [9, 15, 20].into_iter().zip(0..).flat_map(|(first, w)| (first..first + 4).map(move |t| (t, w, "adds")));
    let mut issues = loads.into_iter().chain(adds).collect::<Vec<_>>();
    issues.sort_unstable();
    assert!(printed.lines().eq(issues.iter().map(|(t, w, what)| format!("cycle {t:2}: warp {w} {what}"))), "{printed}");
    let guide = text("include/README.md");
    let examples = [
        ("tests/cpp/laperm.cpp", "cpp"),
        ("tests/cpp/mascar.cpp", "cpp"),
        ("tests/c/bubble.c", "c"),
        ("tests/c/equalizer.c", "c"),
        ("tests/c/tlp.c", "c"),
        ("tests/c/policy.c", "c"),
        ("tests/c/wavefront.c", "c"),
        ("tests/cpp/wavefront.cpp", "cpp"),
    ];
    for (name, language) in examples {
        let program = text(name);
        let (_, body) = program.split_once("int main(").expect("a program");
        assert!(
            guide.contains(&format!("```{language}\nint main({body}```\n")),
            "include/README.md has another {name}"
        );
    }
}

/// What contexts and requests to drain are given has a constructor each.
#[test]
fn contexts_are_said_in_cpp() {
    let printed = run(&mut Language::Cpp("c++17").program("tests/cpp/contexts.cpp"));
    let said = ["Ok", "Ok", "NoTopology", "Ok", "Ok", "Ok", "NoKernel", "50 % and 1 entry of one, 75 % of the other"];
    assert!(printed.lines().eq(said), "{printed}");
}

#[test]
fn no_misuse_does_harm() {
    for program in MISUSES {
        let printed = run(&mut Language::C("c11").program(program));
        assert!(printed.ends_with("all as promised\n"), "{printed}");
    }
}

/// The models' doubles have these bits on every target; `scripts/bare-metal.sh` runs the same program on ARM and RISC-V.
#[test]
fn the_models_compute_these_bits() {
    assert_eq!(run(&mut Language::C("c11").program("tests/c/models_bits.c")), "679984d80635f16e\n");
}

#[test]
fn objects_on_two_threads_do_not_meet() {
    let printed = run(&mut Language::C("c11").program("tests/c/two_threads.c"));
    assert!(printed.ends_with("as in one thread\n"), "{printed}");
}
