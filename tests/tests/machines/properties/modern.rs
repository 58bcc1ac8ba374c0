//! What sheet `modern` promises beyond what every run of the front end is held to: a part that is not used leaves no trace, saving that costs
//! nothing is suspending, `max_active_clusters` is what an empty machine holds, and nothing starts where a gate of the sheet stands.

use gpusched::{
    Cluster, ClusterPart, Config, Cycle, Decision, Descriptor, Dim3, DrainId, Fault, Numbering, PartitionPart,
    PreemptPart, PriorityPart, Sched, SmxId, SmxSet, TbPlacement, Topology, Victim,
};
use gpusched_heap::front_end;
use gpusched_tests::events::{Event, Value};
use gpusched_tests::view::View;
use proptest::prelude::*;

use crate::properties::configs::{Machine, machine, modern_configs, topologies};
use crate::properties::script::{Resolver, Step, play};

/// What can be seen, but for what only this sheet has.
fn without_modern(gpu: &Machine) -> View {
    View { topology: None, clusters: None, contexts: None, ..View::of(gpu) }
}

/// modern-E2: every part is there, and none is used.
fn unused_is_untouched(
    config: &Config,
    steps: &[Step],
    topology: Topology,
    contexts: u32,
) -> Result<(), TestCaseError> {
    let mut idle = machine(&Config {
        topology: Some(topology),
        cluster: config.bubble.is_none().then_some(ClusterPart::H100),
        priority: Some(PriorityPart::SIX),
        partition: Some(PartitionPart { contexts, ..PartitionPart::TWO }),
        preempt: Some(PreemptPart { save_base: 3, ..PreemptPart::FREE }),
        ..*config
    });
    play(&mut machine(config), &mut Resolver::default(), steps, &mut |plain, event| {
        prop_assert_eq!(event.apply(&mut idle), event.apply(plain), "{:?}", event);
        prop_assert_eq!(without_modern(&idle), View::of(plain), "after {:?}", event);
        prop_assert_eq!(idle.next_event(), plain.next_event(), "after {:?}", event);
        Ok(())
    })
}

/// modern-E3.
fn free_saving_is_suspending(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    let free = PreemptPart { save_base: 0, save_bytes: 0, ..config.preempt.unwrap_or(PreemptPart::FREE) };
    let config = Config { preempt: Some(free), ..*config };
    let mut saves = machine(&config);
    play(&mut machine(&config), &mut Resolver::default(), steps, &mut |suspends, event| {
        if let Event::Suspend(kde) | Event::SaveKernel(kde) = event {
            let (saved, suspended) = (Event::SaveKernel(*kde).apply(&mut saves), Event::Suspend(*kde).apply(suspends));
            prop_assert_eq!(saved.decisions, suspended.decisions);
            let now = Value::Cycles(saves.now().0);
            prop_assert_eq!(saved.value, suspended.value.map(|_| now));
        } else {
            prop_assert_eq!(event.apply(&mut saves), event.apply(suspends));
        }
        prop_assert_eq!(&saves, &*suspends, "after {:?}", event);
        Ok(())
    })
}

/// modern-I4, modern-I8: where a TB starts, as the state was before the cycle; nothing that the cycle does before it sends changes a set or
/// a request.
fn no_fence(before: &Machine, after: &Machine, tb: &TbPlacement) -> Result<(), TestCaseError> {
    let kernel = after.kde(tb.kde).map(|e| e.kernel).expect("a TB's kernel is there");
    if let Some(context) = before.context(kernel.owner.context) {
        prop_assert!(context.smxs.contains(tb.smx), "P: {:?}", tb);
    }
    // A request whose kernel was saved has ended in this cycle.
    let stays = |i: &DrainId| before.drain_request(*i).is_some() && after.drain_request(*i).is_some();
    for drain in (0..64).map(DrainId).filter(stays).filter_map(|i| after.drain_request(i)) {
        let is_victim = match drain.victim {
            Victim::All => true,
            Victim::Context { context } => context == kernel.owner.context,
            Victim::Kernel { kde } => kde == tb.kde,
        };
        prop_assert!(!is_victim || !drain.smxs.contains(tb.smx), "D: {:?}", tb);
    }
    Ok(())
}

/// modern-I7, modern-R5, where only priorities are in play: whoever is sent is of the highest priority that is in line, unless what is in
/// front waits for something that leaves the SMX to others.
fn no_inversion(after: &Machine, tb: &TbPlacement, passed: u64) -> Result<(), TestCaseError> {
    let of = |k| after.kde(k).map_or(0, |e| e.kernel.owner.priority);
    let highest = after.fcfs().map(of).max().unwrap_or(0);
    prop_assert!(of(tb.kde) >= highest || after.stats().passed > passed, "{:?} before priority {}", tb, highest);
    Ok(())
}

fn fences_hold(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    play(&mut machine(config), &mut Resolver::default(), steps, &mut |gpu, event| {
        let before = gpu.clone();
        let answer = event.apply(gpu);
        if *event == Event::Tick {
            for (_, decision) in &answer.decisions {
                if let Decision::Tb(tb) = decision {
                    no_fence(&before, gpu, tb)?;
                    no_inversion(gpu, tb, before.stats().passed)?;
                }
            }
        }
        for c in (0..4).filter_map(|c| gpu.context(gpusched::ContextId(c))) {
            prop_assert!(c.limit.is_none_or(|limit| c.threads <= limit), "modern-I5: {:?}", c);
        }
        Ok(())
    })
}

/// modern-E4: one kernel of enough clusters, alone.
fn an_empty_machine_holds(
    config: &Config,
    cluster: (u8, u8),
    need: (u32, u32, u32),
    quota: Option<u32>,
) -> Result<(), TestCaseError> {
    let part = ClusterPart { portable: 16, ..ClusterPart::H100 };
    let config = Config {
        cluster: Some(part),
        partition: Some(PartitionPart::TWO),
        bubble: None,
        dats: None,
        cross: false,
        ..*config
    };
    let mut gpu = front_end(&config).expect("it is within its ranges");
    let spec = gpusched::ContextSpec { quota, ..Default::default() };
    gpu.set_context(gpusched::ContextId(0), &spec).expect("it has all SMXs");
    let (x, y) = (u32::from(cluster.0), u32::from(cluster.1));
    let (threads, regs, smem) = need;
    let kernel = Descriptor {
        grid: Dim3 { x: 40 * x, y: 2 * y, z: 1 },
        tb: Dim3::linear(threads.min(config.threads)),
        regs: regs.min(config.regs),
        smem: smem.min(config.smem),
        cluster: Cluster::new(x, y, 1),
        ..Descriptor::default()
    };
    let most = gpu.max_active_clusters(&kernel, gpusched::ContextId(0));
    match gpu.host_launch(0, &kernel, false) {
        Ok(_) => {}
        Err(Fault::TbOverQuota | Fault::ClusterNever) => {
            prop_assert!(most == Ok(0), "{:?} although {:?} fit", kernel, most);
            return Ok(());
        }
        Err(other) => prop_assert!(false, "{:?}", other),
    }
    loop {
        match gpu.tick(&mut ()).expect("time is short").sched {
            Sched::Tb(_) | Sched::Idle => prop_assert!(gpu.now() < Cycle(1000)),
            word => {
                prop_assert!(matches!(word, Sched::Frag | Sched::NoRoom | Sched::Quota), "{:?}", word);
                break;
            }
        }
    }
    if x * y > 1 {
        prop_assert_eq!(Ok(gpu.stats().clusters as u32), most);
    } else {
        prop_assert_eq!(Ok(gpu.stats().tbs as u32), most);
    }
    Ok(())
}

on_each! {
    unused_parts_leave_no_trace: 2500 of plain, topologies(3), 1..=3u32 => |((config, steps), topology, contexts)| {
        let topology = Config { n_smx: 3, topology: Some(topology), ..config };
        unused_is_untouched(&Config { n_smx: 3, ..config }, &steps, topology.topology.expect("it was given"), contexts)
    };
    unused_parts_leave_no_trace_beside_graphs: 1200 of graphs, topologies(3), 1..=3u32 => |((config, steps), topology, contexts)| {
        unused_is_untouched(&Config { n_smx: 3, ..config }, &steps, topology, contexts)
    };
    saving_that_costs_nothing_is_suspending: 1200 of modern => |((config, steps),)| free_saving_is_suspending(&config, &steps);
    no_tb_starts_against_a_fence: 2500 of modern => |((config, steps),)| fences_hold(&config, &steps);
}

proptest! {
    #![proptest_config(crate::every::runs(1200))]

    #[test]
    fn max_active_clusters_is_what_an_empty_machine_holds(
        config in modern_configs(),
        cluster in (1..=4u8, 1..=3u8),
        need in (1..=3u32, 0..=3u32, 0..=3u32),
        quota in prop::option::weighted(0.5, 1..=100u32),
        topology in topologies(6),
        slots in 1..=5u32,
    ) {
        let smx = Config { n_smx: 6, tb_slots: slots, threads: 6, regs: 7, smem: 7, n_class: 0, exclusive: false, ..config };
        an_empty_machine_holds(&Config { topology: Some(topology), priority: None, ..smx.ideal() }, cluster, need, quota)?;
    }
}

/// With one TB per SMX, 15 clusters of 8 are resident on an H100 SXM, as measured, though its SMXs would do for 16 and, in the layout
/// with measured sizes, its GPCs too; and on an H200 whose SMXs 124 to 131 hold no cluster of more than two TBs, as measured. Those
/// SMXs hold clusters of two, and single TBs.
#[test]
fn an_h100_holds_fifteen_clusters_of_eight() {
    let sizes_alone = Topology { pair_only: SmxSet::EMPTY, ..Topology::H100_SXM_MEASURED };
    let layouts = [
        (Topology::H100_SXM, 15),
        (Topology::H100_SXM_MEASURED, 15),
        (sizes_alone, 16),
        (Topology::H200_MEASURED, 15),
        (Topology::H100_PCIE_MEASURED, 13),
    ];
    for (topology, most) in layouts {
        let n_smx = topology.n_smx();
        let config =
            Config { n_smx, tb_slots: 1, topology: Some(topology), cluster: Some(ClusterPart::H100), ..Config::K20C };
        let kernel = |size| Descriptor {
            grid: Dim3::linear(256),
            tb: Dim3::linear(32),
            cluster: Cluster::new(size, 1, 1),
            ..Descriptor::default()
        };
        let mut gpu = front_end(&config.ideal()).unwrap();
        let fit = |size| gpu.max_active_clusters(&kernel(size), gpusched::ContextId(0));
        assert_eq!((fit(8), fit(2), fit(1)), (Ok(most), Ok(n_smx / 2), Ok(n_smx)));
        gpu.host_launch(0, &kernel(8), false).unwrap();
        let words = gpu.run(20, &mut ()).unwrap();
        let tbs = u64::from(most);
        assert_eq!((words.tb, words.frag, gpu.stats().tbs), (tbs, 20 - tbs, 8 * tbs));
        // What the clusters cannot have, a single TB behind them gets.
        gpu.host_launch(1, &kernel(1), false).unwrap();
        gpu.run(20, &mut ()).unwrap();
        let on = |s: SmxId| gpu.resident_tbs().any(|tb| tb.smx == s && tb.kde == gpusched::KernelSlot(1));
        assert!(topology.pair_only.iter().all(on), "{topology:?}");
    }
}

/// The leftover policy's head of line: a kernel that fills the GPU holds up one of another stream that would find room, and neither a
/// priority nor room helps what is behind a head that waits; with partitions nobody waits for another's SMXs.
#[test]
fn a_partition_has_no_head_of_line_of_others() {
    let big = Descriptor { grid: Dim3::linear(64), tb: Dim3::linear(32), smem: 40 << 10, ..Descriptor::default() };
    let small = Descriptor { grid: Dim3::linear(2), tb: Dim3::linear(32), tag: 1, ..Descriptor::default() };
    let base = Config { n_smx: 4, ..Config::K20C.ideal() };
    let sent_small = |config: &Config, is_split: bool| {
        let mut gpu = front_end(config).unwrap();
        if is_split {
            let lower = |smxs| gpusched::ContextSpec { smxs: Some(smxs), ..Default::default() };
            let (all, low) = (gpusched::SmxSet::first(4), gpusched::SmxSet::first(3));
            gpu.set_context(gpusched::ContextId(0), &lower(low)).unwrap();
            gpu.set_context(gpusched::ContextId(1), &lower(all.without(&low))).unwrap();
            gpu.set_stream(1, Some(gpusched::ContextId(1)), None).unwrap();
        }
        gpu.host_launch(0, &big, false).unwrap();
        gpu.host_launch(1, &small, false).unwrap();
        gpu.run(100, &mut ()).unwrap();
        gpu.resident_tbs()
            .filter(|tb| gpu.kde(tb.kde).is_some_and(|e| e.kernel.descriptor.tag == 1))
            .map(|tb| tb.smx)
            .collect::<Vec<_>>()
    };
    assert_eq!(sent_small(&base, false), []);
    let split = Config { partition: Some(PartitionPart::TWO), ..base };
    assert_eq!(sent_small(&split, true), [SmxId(3); 2]);
}

/// What a configuration must not combine, and what it must have (`modern`, Parameters).
#[test]
fn configurations_that_do_not_go_together_are_refused() {
    use gpusched::{BubblePart, LaPermPart, Policy, ToldPart};
    let topology = Topology::new(&[&[2, 2], &[2]], Numbering::Gpc).ok();
    let base = Config { n_smx: 6, topology, ..Config::K20C };
    let laperm = Config { policy: Policy::LaPerm(LaPermPart::K20C), ..base };
    let told = Config { policy: Policy::Told(ToldPart::CHAIN), ..base };
    let (cluster, priority) = (Some(ClusterPart::H100), Some(PriorityPart::SIX));
    let (partition, preempt) = (Some(PartitionPart::TWO), Some(PreemptPart::FREE));
    let with = |base: Config| {
        [
            Config { cluster, ..base },
            Config { priority, ..base },
            Config { partition, ..base },
            Config { preempt, ..base },
        ]
    };
    let refused = |config: &Config| config.check().unwrap_err().fault;
    let of_laperm =
        [Fault::ClusterWithLaperm, Fault::PriorityWithLaperm, Fault::PartitionWithLaperm, Fault::PreemptWithLaperm];
    let of_told = [Fault::ClusterWithTold, Fault::PriorityWithTold, Fault::PartitionWithTold, Fault::PreemptWithTold];
    assert_eq!(with(laperm).map(|config| refused(&config)), of_laperm);
    assert_eq!(with(told).map(|config| refused(&config)), of_told);
    assert!(laperm.check().is_ok() && told.check().is_ok(), "a topology decides nothing there");
    let bubble = Some(BubblePart::K20C);
    assert_eq!(refused(&Config { bubble, cluster, ..base }), Fault::ClusterWithBubble);
    assert!(Config { bubble, priority, partition, preempt, ..base }.check().is_ok());
    assert_eq!(refused(&Config { cluster, topology: None, ..base }), Fault::NoTopology);
    let mig = Some(PartitionPart { mig: true, ..PartitionPart::TWO });
    assert_eq!(refused(&Config { partition: mig, topology: None, ..base }), Fault::NoTopology);
    assert_eq!(refused(&Config { n_smx: 7, ..base }), Fault::TopologySize);
    assert_eq!(refused(&Config { topology: Some(Topology::default()), ..base }), Fault::BadConfig);
    let beyond = topology.map(|topology| Topology { pair_only: SmxSet::first(7), ..topology });
    assert_eq!(refused(&Config { topology: beyond, ..base }), Fault::BadConfig);
    let many = Some(PartitionPart { contexts: 9, ..PartitionPart::TWO });
    assert_eq!(refused(&Config { partition: many, ..base }), Fault::BadConfig, "modern-A13: 9 x 32 queues");
    let small = Some(ClusterPart { portable: 8, largest: 4, ..ClusterPart::H100 });
    let error = Config { cluster: small, ..base }.check().unwrap_err().to_string();
    assert_eq!(error, "cluster.largest = 4: a cluster that is not portable is not smaller than one that is");
    assert_eq!(Topology::new(&[&[200], &[100]], Numbering::Gpc), Err(Fault::TopologySize));
    for nothing in [&[][..], &[&[][..]][..], &[&[0][..]][..], &[&[257][..]][..]] {
        assert_eq!(Topology::new(nothing, Numbering::Gpc), Err(Fault::BadConfig));
    }
}
