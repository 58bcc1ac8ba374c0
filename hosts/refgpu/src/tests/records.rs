//! `refgpu-V5`: launch records that are not on the chip go through the front end's port to memory and back.

use super::script::{At, Op, config, kernel, run_with, with_verb};
use crate::front::LaunchVerb;
use crate::gpu::RunOptions;
use crate::program::Class;
use crate::stats::{RecordStats, RunStats};

/// The first `lanes` lanes launch a one-TB child each, and each child has a tag of its own.
fn children(lanes: u32) -> Op {
    let mut op = Op::launch(((1u64 << lanes) - 1) as u32, 1, 7);
    op.launches.iter_mut().for_each(|launch| launch.descriptor.tag += u64::from(launch.lane));
    op
}

/// One warp whose first `lanes` lanes launch a one-TB child each, which exits at once. One AGE, so only one group is on chip.
fn launch(lanes: u32, options: RunOptions, change: &[(&str, &str)]) -> RunStats {
    let config = config("k20c", &[&[("dtbl.agt_size", "1")], change].concat());
    run_with(&config, options, &[kernel(1, 1, 32, 0)], |at: At| match (at.tag, at.step) {
        (0, 0) => children(lanes),
        (0, 1) => Op::new(Class::Int, 0, 1),
        _ => Op::exit(),
    })
}

#[test]
fn a_spilled_group_is_written_when_it_joins_and_read_when_it_is_scheduled() {
    let at_once = launch(4, with_verb(LaunchVerb::Group), &[("dtbl.load_mode", "fixed"), ("dtbl.load_cycles", "0")]);
    assert_eq!((at_once.front.agt_hit, at_once.front.agt_spill, at_once.records), (1, 3, None));
    let stats = launch(4, with_verb(LaunchVerb::Group), &[]);
    // A flit and its flight, ROP delay, hit latency, two flits and their flight; the first read also waits for the packets before
    // it: three records and two Nexts.
    let way = 1 + 8 + 120 + 57 + 2 + 8;
    let records = stats.records.unwrap();
    let RecordStats { writes, links, loads, load_cycles, issues, wait_cycles } = records;
    assert_eq!((writes, links, loads, issues), (3, 2, 3, 0));
    assert_eq!(load_cycles, wait_cycles);
    assert!((3 * way..3 * way + 3 * 10).contains(&load_cycles), "{load_cycles}");
    assert_eq!(stats.cycles, at_once.cycles + load_cycles);
    // L2 and the network saw these, and nothing else.
    assert_eq!((stats.l2.writes, stats.l2.hits, stats.l2.all()), (5, 3, records.requests()));
    assert!(stats.energy.as_ref().unwrap().parts_j.l2 > 0.0 && stats.energy.as_ref().unwrap().parts_j.network > 0.0);
    assert!((stats.figures().record_latency - load_cycles as f64 / 3.0).abs() < 1e-9);
}

#[test]
fn a_record_that_has_left_the_l2_comes_from_dram() {
    // While the first spilled group is fetched, stores of the parent's drive the record of the second out of an L2 of a line per bank.
    let change = [("l2.sets", "1"), ("l2.ways", "1"), ("dtbl.agt_size", "1")];
    let run = |far: bool| {
        run_with(&config("k20c", &change), with_verb(LaunchVerb::Group), &[kernel(1, 1, 32, 0)], |at: At| {
            match (at.tag, at.step) {
                (0, 0) => children(3),
                (0, 1) if far => Op::access(Class::StoreGlobal, 0, |l| (1 << 32) + 256 * l + (1 << 20)),
                (0, 1) => Op::new(Class::Int, 0, 1),
                _ => Op::exit(),
            }
        })
    };
    let (near, far) = (run(false).records.unwrap(), run(true));
    assert!(far.dram.reads > 0);
    assert!(far.records.unwrap().load_cycles > near.load_cycles + 100, "{far:?} {near:?}");
}

#[test]
fn pending_kernels_are_written_and_read_but_nobody_waits() {
    let options = with_verb(LaunchVerb::DeviceKernel);
    let stats = launch(3, options, &[]);
    let at_once = launch(3, options, &[("dtbl.load_mode", "fixed")]);
    let wanted = RecordStats { writes: 3, issues: 3, ..RecordStats::default() };
    assert_eq!((stats.records, stats.cycles), (Some(wanted), at_once.cycles));
    assert_eq!((stats.l2.all(), at_once.l2.all()), (6, 0));
}

#[test]
fn a_group_that_falls_becomes_a_pending_kernel() {
    // Nothing runs the children's function, so the first finds no kernel.
    let body = |at: At| match (at.tag, at.step) {
        (0, 0) => Op::launch(0b1, 2, 7),
        _ => Op::exit(),
    };
    let stats = run_with(&config("k20c", &[]), with_verb(LaunchVerb::Group), &[kernel(1, 1, 32, 0)], body);
    assert_eq!(stats.front.kde_miss, 1);
    assert_eq!(stats.records, Some(RecordStats { writes: 1, issues: 1, ..RecordStats::default() }));
}

#[test]
fn ideal_launches_have_their_records_at_hand() {
    for verb in [LaunchVerb::Group, LaunchVerb::DeviceKernel] {
        let stats = launch(4, RunOptions { ideal_launch: true, ..with_verb(verb) }, &[]);
        assert_eq!((stats.records, stats.l2.all()), (None, 0));
    }
}

#[test]
fn what_overflows_from_laperms_queues_comes_back_from_memory() {
    let queues =
        [("dtbl.policy", "laperm"), ("laperm.policy", "tb_pri"), ("laperm.visit", "skip"), ("laperm.queue_cap", "1")];
    let options = with_verb(LaunchVerb::Group);
    let stats = launch(4, options, &queues);
    let at_once = launch(4, options, &[queues.as_slice(), &[("laperm.refill_mode", "fixed")]].concat());
    let (records, laperm) = (stats.records.unwrap(), stats.laperm.unwrap());
    assert_eq!((laperm.spilled, laperm.refills), (3, 3));
    let RecordStats { writes, links, loads, load_cycles, issues, .. } = records;
    assert_eq!((writes, links, loads, issues), (3, 0, 3, 0));
    assert_eq!((at_once.records, stats.cycles > at_once.cycles + load_cycles / 2), (None, true));
    assert_eq!(stats.l2.all(), records.requests());
}
