//! What sheet `launch2` promises of two kernels that share a dependency graph: what it is equal to (launch2-E6), and that consumers start
//! after the producers that they read and no later than behind a barrier (launch2-E7, launch2-I9).

use std::collections::BTreeSet;

use gpusched::dats::GraphPolicy;
use gpusched::{Config, Consumers, DatsPart, Descriptor, Dim3, TbPlacement};
use gpusched_tests::dats::memory::Memory;
use proptest::prelude::*;

use crate::properties::configs::{Machine, machine};
use crate::properties::graphs::served;
use crate::properties::timed::timed;

/// A buffer that all of a graph of these tests fits.
const LARGE: DatsPart = DatsPart { lna: 32, lea: 128, pub_entries: 128, chunk_bytes: 64, ..DatsPart::GTX480 };

/// Two kernels: their TBs, threads and registers of one, and how long one takes.
#[derive(Clone, Copy, Debug)]
struct Kernel {
    tbs: u32,
    threads: u32,
    regs: u32,
    takes: u64,
}

fn kernels() -> impl Strategy<Value = Kernel> {
    (1..=8u32, 1..=3u32, 0..=2u32, 1..=9u64).prop_map(|(tbs, threads, regs, takes)| Kernel {
        tbs,
        threads,
        regs,
        takes,
    })
}

fn gpus() -> impl Strategy<Value = Config> {
    (1..=3u32, 1..=3u32, 3..=6u32).prop_map(|(n_smx, tb_slots, threads)| Config {
        n_smx,
        tb_slots,
        threads,
        regs: 4,
        n_hwq: 2,
        cross: true,
        dats: Some(LARGE),
        ..Config::K20C.ideal()
    })
}

/// A TB that was sent: when, where, and of which kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sent {
    at: u64,
    smx: u16,
    is_consumer: bool,
    blkid: u32,
    ends: u64,
}

/// The TBs that are sent, each of which ends in its time. Memory answers at once.
fn run(gpu: &mut Machine, memory: &mut Memory, [producers, consumers]: [Kernel; 2]) -> Vec<Sent> {
    let is_consumer = |tb: &TbPlacement| tb.tag == 2 || (tb.tag == 0 && tb.blkid >= producers.tbs);
    let takes = |tb: &TbPlacement| if is_consumer(tb) { consumers.takes } else { producers.takes };
    let sent = timed(gpu, takes, |gpu| served(gpu, memory));
    let of = |(at, tb): (u64, TbPlacement)| {
        let is_consumer = is_consumer(&tb);
        let blkid = if tb.tag == 0 && is_consumer { tb.blkid - producers.tbs } else { tb.blkid };
        Sent { at, smx: tb.smx.0, is_consumer, blkid, ends: at + takes(&tb) }
    };
    sent.into_iter().map(of).collect()
}

fn descriptor(kernel: Kernel, tag: u64) -> Descriptor {
    let Kernel { tbs, threads, regs, .. } = kernel;
    Descriptor { pc: tag, grid: Dim3::linear(tbs), tb: Dim3::linear(threads), regs, tag, ..Descriptor::default() }
}

/// The kernels in streams of their own, or behind each other in one.
fn in_streams(config: &Config, kernels: [Kernel; 2], is_barrier: bool) -> Vec<Sent> {
    let mut gpu = machine(config);
    for (stream, kernel) in (0..).zip(kernels) {
        let launched =
            gpu.host_launch(if is_barrier { 0 } else { stream }, &descriptor(kernel, 1 + u64::from(stream)), false);
        assert!(launched.is_ok(), "{launched:?}");
    }
    run(&mut gpu, &mut Memory::of_parents(&[Vec::new()]), kernels)
}

/// The same kernels in one graph, in which each consumer reads these producers; and each as it was cycle for cycle before the graph was
/// asked for, one cycle earlier.
fn crossed(config: &Config, kernels: [Kernel; 2], reads: &[BTreeSet<u32>]) -> Vec<Sent> {
    let [producers, consumers] = kernels;
    let none = (0..producers.tbs).map(|_| Vec::new());
    let parents: Vec<_> = none.chain(reads.iter().map(|reads| reads.iter().copied().collect())).collect();
    let mut memory = Memory::of_parents(&parents);
    let Descriptor { pc, tb, regs, smem, .. } = descriptor(consumers, 2);
    let second = Consumers { pc, tb, regs, smem, first: producers.tbs };
    let first = Descriptor { grid: Dim3::linear(producers.tbs + consumers.tbs), tag: 0, ..descriptor(producers, 1) };
    let mut gpu = machine(config);
    let launched = gpu.host_launch_cross(0, &first, false, &memory.header(GraphPolicy::Lrr), &second);
    assert!(launched.is_ok(), "{launched:?}");
    let sent = run(&mut gpu, &mut memory, kernels);
    sent.into_iter().map(|sent| Sent { at: sent.at - 1, ends: sent.ends - 1, ..sent }).collect()
}

/// launch2-E6.
fn all_edges_are_a_barrier_and_none_two_streams(config: &Config, kernels: [Kernel; 2]) -> Result<(), TestCaseError> {
    let [producers, consumers] = kernels;
    let edges = |reads: BTreeSet<u32>| vec![reads; consumers.tbs as usize];
    let all = crossed(config, kernels, &edges((0..producers.tbs).collect()));
    prop_assert_eq!(all, in_streams(config, kernels, true));
    prop_assert_eq!(crossed(config, kernels, &edges(BTreeSet::new())), in_streams(config, kernels, false));
    Ok(())
}

/// launch2-E7, launch2-I9. Consumers are numbered by their places in the graph, where those without producers come first.
fn consumers_wait_for_what_they_read(
    config: &Config,
    kernels: [Kernel; 2],
    reads: &[BTreeSet<u32>],
) -> Result<(), TestCaseError> {
    let sent = crossed(config, kernels, reads);
    let mut by_vid = reads.to_vec();
    by_vid.sort_by_key(|reads| !reads.is_empty());
    let producer = |p: u32| sent.iter().find(|sent| !sent.is_consumer && sent.blkid == p).map(|sent| sent.ends);
    let last_sent = sent.iter().filter(|sent| !sent.is_consumer).map(|sent| sent.at).max();
    for consumer in sent.iter().filter(|sent| sent.is_consumer) {
        let reads = &by_vid[consumer.blkid as usize];
        let is_after = reads.iter().all(|&p| producer(p).is_some_and(|end| end <= consumer.at));
        prop_assert!(is_after, "launch2-I9: {:?} starts before {:?} have ended", consumer, reads);
        prop_assert!(last_sent < Some(consumer.at), "launch2-X5: {:?} goes before a producer", consumer);
    }
    let barrier = in_streams(config, kernels, true);
    for (crossed, barrier) in sent.iter().zip(&barrier) {
        prop_assert!(crossed.at <= barrier.at, "launch2-E7: {:?} is later than {:?}", crossed, barrier);
    }
    let each: BTreeSet<_> = sent.iter().map(|sent| (sent.is_consumer, sent.blkid)).collect();
    prop_assert_eq!((sent.len(), each.len()), (barrier.len(), barrier.len()), "launch2-I8: a TB is sent twice");
    Ok(())
}

#[test]
fn full_dependencies_are_a_barrier_and_none_are_two_streams() {
    crate::every::check(2000, (gpus(), [kernels(), kernels()]), |(config, kernels)| {
        all_edges_are_a_barrier_and_none_two_streams(&config, kernels)
    });
}

#[test]
fn consumers_start_when_what_they_read_is_there() {
    let random = (gpus(), [kernels(), kernels()]).prop_flat_map(|(config, kernels)| {
        let [producers, consumers] = kernels;
        let reads = prop::collection::btree_set(0..producers.tbs, 0..=3usize);
        (Just(config), Just(kernels), prop::collection::vec(reads, consumers.tbs as usize))
    });
    crate::every::check(2000, random, |(config, kernels, reads)| {
        consumers_wait_for_what_they_read(&config, kernels, &reads)
    });
}
