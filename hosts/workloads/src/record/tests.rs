//! That a recording tells what was executed, all of it, and leaves the run as it is.

use super::Recorder;
use crate::catalogue::{Request, Size, find};
use crate::{Boxed, Replay, Verified, WrongResult};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::front::LaunchVerb;
use gpusched_refgpu::gpu::{Gpu, RunOptions};
use gpusched_refgpu::program::{Class, TbGraph, Workload};
use gpusched_refgpu::script::{At, Op, Script, kernel, script, with_graph};
use gpusched_refgpu::stats::RunStats;
use gpusched_traces::{Event, Kernel, Program};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

fn run<W: Workload>(work: &mut W) -> RunStats {
    let options = RunOptions { launch: Some(LaunchVerb::Group), ..RunOptions::default() };
    Gpu::new(&GpuConfig::preset("k20c").unwrap(), options).unwrap().run(work, &mut ()).unwrap().stats
}

fn read(folder: &Path) -> Program {
    Program::read(folder, &mut || false).unwrap().unwrap()
}

fn fine(_: &Script<'static>) -> Result<Verified, WrongResult> {
    Ok(Verified { checksum: 7 })
}

/// Records a script; what its check says.
fn recorded(work: Script<'static>, folder: &Path) -> Result<Verified, WrongResult> {
    let mut recorder = Recorder::new(work, fine, "script", folder).unwrap();
    run(&mut recorder);
    recorder.check()
}

#[test]
fn a_recorded_run_is_the_run_and_its_trace_runs_alike() {
    for name in ["transpose", "histogram", "spmv", "kmeans", "bp-1"] {
        let request = Request { size: Size::Test, ..Request::default() };
        let work = || find(name).unwrap().kernel(request).unwrap();
        let alone = run(&mut work());
        let folder = tempdir().unwrap();
        let mut recorder = Recorder::new(work(), Boxed::check, name, folder.path()).unwrap();
        assert_eq!(run(&mut recorder), alone, "{name}: recording changes nothing");
        assert_eq!(recorder.check(), work_check(work()), "{name}");

        let program = read(folder.path());
        assert_eq!(program.kernels.len(), alone.kernels.len(), "{name}");
        assert_eq!(program.sum(|of| of.instructions), alone.sm.all_instructions(), "{name}");
        assert_eq!(program.sum(|of| of.thread_instructions), alone.sm.lanes.iter().sum::<u64>(), "{name}");
        let mut replay = Replay::new(program.into());
        let again = run(&mut replay);
        replay.check().unwrap();
        assert_eq!((again.sm.classes, again.sm.class_lanes), (alone.sm.classes, alone.sm.class_lanes), "{name}");
        assert_eq!(
            (again.sm.transactions, again.sm.shared_cycles),
            (alone.sm.transactions, alone.sm.shared_cycles),
            "{name}"
        );
        // Only where arrays lie among channels and banks is another.
        let ratio = again.cycles as f64 / alone.cycles as f64;
        assert!((0.9..1.1).contains(&ratio), "{name}: {ratio}");
    }
}

/// The result of a run without a recorder.
fn work_check(mut work: Boxed) -> Result<Verified, WrongResult> {
    run(&mut work);
    work.check()
}

/// The first TB runs the longest, and still comes first.
#[test]
fn tbs_are_written_in_the_order_of_the_grid() {
    let body = |at: At| {
        if at.step < 50 - at.blkid { Op::access(Class::LoadGlobal, 1, |lane| 4 * lane) } else { Op::exit() }
    };
    let folder = tempdir().unwrap();
    let grid = gpusched::Dim3 { x: 3, y: 5, z: 2 };
    let descriptor = gpusched::Descriptor { grid, ..kernel(1, 1, 96, 0) };
    assert_eq!(recorded(script(&[descriptor], body), folder.path()), Ok(Verified { checksum: 7 }));
    let mut trace = Kernel::open(&folder.path().join("kernel-1.traceg")).unwrap();
    let mut expected = (0..30_u64).flat_map(|tb| (0..3).map(move |warp| (tb, warp, 51 - tb)));
    let mut tb = 0;
    while let Some(event) = trace.next().unwrap() {
        match event {
            Event::Tb(place) => tb = place.index,
            Event::Warp { warp, instructions } => assert_eq!(expected.next(), Some((tb, warp, instructions))),
            _ => {}
        }
    }
    assert_eq!(expected.next(), None);
}

#[test]
fn what_traces_cannot_tell_is_said() {
    let launches = |at: At| match (at.tag, at.step) {
        (0, 0) => Op::launch(1, 2, 1),
        _ => Op::exit(),
    };
    let told = recorded(script(&[kernel(1, 1, 32, 0)], launches), tempdir().unwrap().path()).unwrap_err().to_string();
    assert!(told.contains("kernel-1.traceg is a TB launches others, which traces cannot tell"), "{told}");
    let graph = TbGraph { header: Default::default(), nodes: Vec::new(), edges: Vec::new() };
    let mut recorder = Recorder::new(
        with_graph(&[kernel(1, 1, 32, 0)], graph, |_| Op::exit()),
        fine,
        "script",
        tempdir().unwrap().path(),
    )
    .unwrap();
    recorder.next_kernel();
    let told = recorder.check().unwrap_err().to_string();
    assert!(told.contains("TBs depend on each other, which traces cannot tell"), "{told}");
}

#[test]
fn a_file_that_cannot_be_written_is_said() {
    let folder = tempdir().unwrap();
    fs::create_dir(folder.path().join("kernel-1.traceg")).unwrap();
    let told = recorded(script(&[kernel(1, 1, 32, 0)], |_| Op::exit()), folder.path()).unwrap_err();
    assert!(told.place.ends_with("kernel-1.traceg") && told.got.contains("directory"), "{told}");
    assert!(
        Recorder::new(script(&[], |_| Op::exit()), fine, "script", &folder.path().join("kernelslist.g/x")).is_err()
    );
}
