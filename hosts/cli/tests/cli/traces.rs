//! Traces of programs: what is in them (`trace info`), and running them (`--trace`).

use crate::place::{Place, json};

/// Two TBs of one warp each: a load of four bytes per lane, and the end.
fn kernel(id: u32, binary: u32) -> String {
    let tb = |x: u32| {
        format!(
            "#BEGIN_TB\n\nthread block = {x},0,0\n\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x{:x} 4 0\n\
             0010 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n",
            0x1000 + 128 * x
        )
    };
    format!(
        "-kernel name = _Z4copyPf\n-kernel id = {id}\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-shmem = 16\n-nregs = 8\n\
         -binary version = {binary}\n-cuda stream id = 0\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n\
         #traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [mem_addresses] immediate\n\n{}{}",
        tb(0),
        tb(1)
    )
}

/// A list of two kernels between copies.
fn program() -> Place {
    let place = Place::new();
    place.put("kernelslist.g", "MemcpyHtoD,0x1000,256\nkernel-1.traceg\nkernel-2.traceg\nMemcpyDtoH,0x1000,64\n");
    place.put("kernel-1.traceg", &kernel(1, 80));
    place.put("kernel-2.traceg", &kernel(2, 80));
    place
}

#[test]
fn a_list_a_folder_and_a_kernel_are_summed_up() {
    let place = program();
    let text = place.run("trace info . --quiet").stdout();
    assert_eq!(place.run("trace info kernelslist.g --quiet").stdout(), text);
    let words = |start: &str| {
        let line =
            text.lines().find(|line| line.trim_start().starts_with(start)).unwrap_or_else(|| panic!("{start}: {text}"));
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(words("2 "), ["2", "0", "2x1x1", "2", "32", "16", "8", "2", "4", "32.0", "_Z4copyPf"]);
    assert_eq!(words("load "), ["load", "4", "50.0%"]);
    assert_eq!(words("global "), ["global", "512", "B", "0", "B", "0", "B", "512", "B"]);
    assert_eq!(words("LDG.E "), ["LDG.E", "4", "50.0%"]);
    assert!(text.contains("1 to the device (256 B), 1 back (64 B)"), "{text}");

    let one = json(&place.run("trace info kernel-1.traceg --json --quiet").stdout());
    assert_eq!(one["schema"], "gpusched.trace/1");
    let kernel = &one["kernels"][0];
    assert_eq!((&kernel["instructions"], &kernel["thread_instructions"]), (&4.into(), &128.into()));
    assert_eq!((&kernel["bytes"]["global"]["loaded"], &kernel["global_blocks"]), (&256.into(), &2.into()));
    assert_eq!(kernel["generation"], "ampere");
}

#[test]
fn what_is_assumed_missing_or_unknown_is_said() {
    let place = Place::new();
    let cut = kernel(1, 120).replace("(2,1,1)", "(3,1,1)").replacen("EXIT", "LEAVE.NOW", 1);
    place.put("kernel-1.traceg", &cut);
    let text = place.run("trace info kernel-1.traceg --quiet").stdout();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for says in [
        "LEAVE.NOW (1)",
        "kernel-1.traceg: 1 TBs of the grid are not in the trace",
        "opcodes of hopper, as sm_120 is not known",
    ] {
        assert!(text.contains(says), "{says}: {text}");
    }
}

#[test]
fn what_is_wrong_with_a_trace_is_said_with_file_and_line() {
    let place = program();
    place.put("kernel-2.traceg", &kernel(2, 80).replacen("4 1 0x1000", "4 9 0x1000", 1));
    place.run("trace info . -q").refused(1, &["./kernel-2.traceg:20: expected how addresses are told", "found `9`"]);
    place.put("kernelslist.g", "kernel-1.traceg\nkernel-3.traceg\n");
    place.run("trace info . -q").refused(1, &["./kernel-3.traceg: No such file"]);
    place.put("kernelslist.g", "MemcpyHtoD,0x1000,256\n");
    place.run("trace info . -q").refused(1, &["./kernelslist.g: it launches no kernel"]);
    place.put("kernel-1.tracez", "");
    place.run("trace info kernel-1.tracez").refused(1, &["kernel-1.tracez: no zero ends its head"]);
    place.run("trace info").refused(2, &["TRACE"]);
}

#[test]
fn traces_run_and_are_verified() {
    let place = program();
    let text = place.run("compare --trace . -q").stdout();
    let folder = place.path().file_name().unwrap().to_string_lossy().into_owned();
    for says in [
        format!("{folder}: 2 kernels, 4 TBs, 8 warp instructions"),
        "traced on sm_80 by version 5 of Accel-Sim's tracer".to_owned(),
        "a100: A100".to_owned(),
        "verified against a reading of its trace".to_owned(),
    ] {
        assert!(text.contains(&says), "{says}: {text}");
    }
    assert!(!text.contains("assumed"), "{text}");

    let one = json(&place.run("run --trace kernel-1.traceg --gpu k20c --sm gto --sched most-room --json -q").stdout());
    assert_eq!((&one["workload"]["name"], &one["trace"]["name"]), (&"trace".into(), &"kernel-1".into()));
    assert_eq!(
        (&one["trace"]["thread_instructions"], &one["trace"]["bytes"]["global"]["loaded"]),
        (&128.into(), &256.into())
    );
    let run = &one["runs"][0];
    assert_eq!(
        (&run["counts"]["sm"]["instructions"], &run["scheduler"]),
        (&serde_json::json!([4, 0]), &"most-room".into())
    );
    assert_eq!(
        (&run["counts"]["sm"]["transactions"], &run["counts"]["kernels"][0]["name"]),
        (&2.into(), &"_Z4copyPf".into())
    );
}

#[test]
fn what_stands_in_for_something_is_told_with_the_result() {
    let place = Place::new();
    place.put("kernel-1.traceg", &kernel(1, 80).replace("(2,1,1)", "(3,1,1)").replacen("EXIT", "LEAVE.NOW", 1));
    let text = place.run("run --trace kernel-1.traceg -q").stdout().split_whitespace().collect::<Vec<_>>().join(" ");
    let says = "assumed 1 TBs that are not in the trace end at once; opcodes that are not known run as integer instructions: LEAVE.NOW (1)";
    assert!(text.contains(says), "{text}");
}

#[test]
fn what_makes_no_sense_with_a_trace_is_refused() {
    let place = program();
    for (words, says) in [
        ("run bfs --trace .", "--trace runs instead of a workload; take either it or bfs"),
        ("run --trace . --graph kron:8", "--graph: trace takes --trace"),
        ("run --trace . --scale 2", "--scale: trace takes --trace"),
        ("run --trace . --mode flat", "--mode: trace has policies inside the SMs, named with --sm"),
        ("compare --trace . --sched fcfs,most-room --seeds 3", "--seeds: a trace has no seed"),
        ("run --trace . --tiles 4", "--tiles: trace is no wavefront"),
        ("footprint --trace .", "--trace: bfs takes --graph and --source"),
    ] {
        place.run(&format!("{words} -q")).refused(2, &[says]);
    }
    place.put("kernel-1.traceg", &kernel(1, 61));
    place.run("run --trace . -q").refused(2, &["--gpu: the trace is of sm_61, and no GPU here is; name one"]);
    place.put("kernel-2.traceg", &kernel(2, 80).replacen("4 1 0x1000", "4 9 0x1000", 1));
    place.run("run --trace . --gpu k20c -q").refused(1, &["kernel-2.traceg:20: expected how addresses are told"]);
    place.put("kernel-2.traceg", &kernel(2, 80).replacen("-shmem = 16", "-shmem = 999999", 1));
    place.run("run --trace . --gpu k20c -q").refused(1, &["the front end refused a call"]);
    place.run("run --trace nowhere -q").refused(1, &["nowhere: No such file"]);
}

/// Each architecture's GPU is one.
#[test]
fn the_gpu_of_an_architecture_is_taken_if_none_is_named() {
    let place = Place::new();
    for (binary, gpu) in [(35, "k20c"), (70, "v100"), (80, "a100"), (86, "rtx3090"), (89, "rtx4090"), (90, "h100-sxm")]
    {
        place.put("kernel-1.traceg", &kernel(1, binary));
        let one = json(&place.run("run --trace kernel-1.traceg --json -q").stdout());
        assert_eq!(one["gpu"]["name"], gpu);
    }
}

#[test]
fn what_a_run_executes_is_written_as_a_trace_that_runs() {
    let place = Place::new();
    let bfs = "run bfs --mode flat --graph cit:512 --gpu k20c -q";
    place.run(&format!("{bfs} --export-trace traces/bfs")).stdout();
    let counts = |words: &str| json(&place.run(&format!("{words} --json")).stdout())["runs"][0]["counts"]["sm"].clone();
    let (alone, again) = (counts(bfs), counts("run --trace traces/bfs --gpu k20c -q"));
    for key in ["tbs", "instructions", "lanes", "classes", "transactions", "shared_cycles"] {
        assert_eq!(alone[key], again[key], "{key}");
    }
    let info = json(&place.run("trace info traces/bfs --json -q").stdout());
    let sum: u64 =
        info["kernels"].as_array().unwrap().iter().map(|kernel| kernel["instructions"].as_u64().unwrap()).sum();
    assert_eq!(alone["instructions"][0], sum);
    for again in ["traces/bfs", "traces/../traces/bfs/kernelslist.g", "traces/bfs/kernel-1.traceg"] {
        place
            .run(&format!("run --trace {again} --gpu k20c --export-trace ./traces/bfs"))
            .refused(2, &["--export-trace ./traces/bfs: the input is read from there"]);
    }
    assert_eq!(json(&place.run("trace info traces/bfs --json -q").stdout()), info);
}

#[test]
fn what_traces_cannot_tell_is_refused() {
    let place = Place::new();
    for (words, says) in [
        ("run bfs --graph cit:512", "dtbl launches from the device, which traces cannot tell; take another mode"),
        (
            "run sw --tiles 4",
            "in version lvl TBs depend on each other, which traces cannot tell; take --version global",
        ),
        ("compare bfs --graph cit:512 --modes flat,pt", "it is of one run; gpusched run makes one"),
        ("compare bfs --graph cit:512 --sched fcfs,rr --seeds 2", "--export-trace is about single runs"),
    ] {
        place.run(&format!("{words} --export-trace t -q")).refused(2, &["--export-trace", says]);
    }
    place.put("file", "");
    place.run("run bfs --mode flat --graph cit:512 --export-trace file/t -q").refused(1, &["--export-trace file/t"]);
}

#[test]
fn what_gpgpu_sim_has_executed_is_executed_again() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../gpgpu-sim/correlation/test/sample.traceg");
    let text = Place::new().run(&format!("run --trace {sample} --gpu gtx480 --quiet")).stdout();
    for words in
        ["1 kernel, 2 TBs, 10 warp instructions", "2 loads of constants", "lanes and bytes of each kernel verified"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
}
