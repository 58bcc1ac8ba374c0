//! Rules of the sheets that no golden vector shows, one test each, and the sheets themselves. `tests/README.md` says where every rule is
//! tested.

mod law;
mod rooms;

use gpusched::{
    BubblePart, ClassId, Config, Cycle, Decision, DecisionList, Descriptor, Dim3, FallCause, FrontEnd, GroupLaunch,
    GroupRef, Kmu, LaPermPart, Policy, RecordId, Sched, SlotId, SmxId, State, TableSet, TbPlacement, laperm,
};
use gpusched_heap::{HeapTables, front_end, tables};

type Gpu = FrontEnd<HeapTables>;

fn machine(config: Config) -> Gpu {
    front_end(&config).unwrap()
}

fn ideal() -> Config {
    Config { n_smx: 2, tb_slots: 4, pend_limit: 16, ..Config::K20C.ideal() }
}

fn kernel(pc: u64, tag: u64, tbs: u32) -> Descriptor {
    Descriptor { pc, tag, grid: Dim3::linear(tbs), tb: Dim3::linear(32), ..Descriptor::default() }
}

fn group(tag: u64, hw_tid: u32) -> GroupLaunch {
    GroupLaunch { kernel: kernel(1, tag, 1), hw_tid }
}

/// One cycle; the decisions of it.
fn tick(gpu: &mut Gpu) -> Vec<Decision> {
    let mut list = DecisionList::<64>::new();
    gpu.tick(&mut list).unwrap();
    list.as_slice().iter().map(|&(_, decision)| decision).collect()
}

/// One cycle that sends a TB.
fn sent(gpu: &mut Gpu) -> TbPlacement {
    match gpu.tick(&mut ()).unwrap().sched {
        Sched::Tb(tb) => tb,
        other => panic!("a TB was due, not {other:?}"),
    }
}

fn end(gpu: &mut Gpu, tb: TbPlacement) {
    gpu.tb_done(tb.smx, tb.slot, &mut ()).unwrap();
}

/// A kernel of two TBs, both running, ready to take groups.
fn parent(gpu: &mut Gpu) -> [TbPlacement; 2] {
    gpu.host_launch(0, &kernel(1, 1, 2), false).unwrap();
    [sent(gpu), sent(gpu)]
}

/// dtbl-A2: `kmu_interval` is one dispatch at a time; 1 is a pipeline.
#[test]
fn a2_the_interval_separates_dispatches() {
    for (interval, words) in
        [(3, [Kmu::Issue, Kmu::Busy, Kmu::Busy, Kmu::Issue]), (1, [Kmu::Issue, Kmu::Issue, Kmu::Empty, Kmu::Empty])]
    {
        let mut gpu = machine(Config { kmu_interval: interval, lat_dispatch: 9, ..ideal() });
        gpu.host_launch(0, &kernel(1, 1, 1), false).unwrap();
        gpu.host_launch(1, &kernel(1, 2, 1), false).unwrap();
        assert_eq!(words.map(|_| gpu.tick(&mut ()).unwrap().kmu), words, "interval {interval}");
    }
}

/// dtbl-A21: registers and shared memory of a TB are part of what a group and its kernel must share; so are pc and TB shape.
#[test]
fn a21_the_whole_key_is_compared() {
    let equal = kernel(1, 10, 1);
    let others = [
        Descriptor { regs: 1, ..equal },
        Descriptor { smem: 1, ..equal },
        Descriptor { pc: 2, ..equal },
        Descriptor { tb: Dim3::linear(31), ..equal },
        Descriptor { tb: Dim3 { x: 16, y: 2, z: 1 }, ..equal },
        Descriptor { tb: Dim3 { x: 16, y: 1, z: 2 }, ..equal },
    ];
    let accepted = [equal, Descriptor { grid: Dim3 { x: 2, y: 2, z: 2 }, param: 9, ..equal }];
    for (descriptors, joins) in [(&others[..], false), (&accepted[..], true)] {
        for descriptor in descriptors {
            let mut gpu = machine(ideal());
            let [tb, _] = parent(&mut gpu);
            gpu.agg_launch(tb.smx, tb.slot, &[GroupLaunch { kernel: *descriptor, hw_tid: 0 }]).unwrap();
            let joined = tick(&mut gpu).iter().any(|d| matches!(d, Decision::Join { .. }));
            assert_eq!(joined, joins, "{descriptor:?}");
        }
    }
}

/// dtbl-H7: two lanes of one command with one thread index are accepted; the second spills.
#[test]
fn h7_the_second_lane_of_one_thread_spills() {
    let mut gpu = machine(ideal());
    let [tb, _] = parent(&mut gpu);
    gpu.agg_launch(tb.smx, tb.slot, &[group(10, 5), group(11, 5)]).unwrap();
    let joins = tick(&mut gpu).into_iter().filter_map(|d| match d {
        Decision::Join { tag, group, .. } => Some((tag, group)),
        _ => None,
    });
    let on_chip = GroupRef::Age(gpusched::AgeId(5));
    assert_eq!(joins.collect::<Vec<_>>(), [(10, on_chip), (11, GroupRef::Record(RecordId(1)))]);
    assert_eq!((gpu.stats().agt_hit, gpu.stats().agt_spill), (1, 1));
}

/// dtbl-H10: the depth of a kernel that is nested 300 levels deep is 255.
#[test]
fn h10_depth_saturates() {
    let mut gpu = machine(ideal());
    gpu.host_launch(0, &kernel(1, 0, 1), false).unwrap();
    let mut tb = sent(&mut gpu);
    for level in 1..=300u64 {
        gpu.device_launch(tb.smx, tb.slot, &[kernel(1, level, 1)]).unwrap();
        end(&mut gpu, tb);
        tb = sent(&mut gpu);
        assert_eq!(tb.tag, level);
        assert_eq!(u64::from(gpu.kde(tb.kde).unwrap().kernel.depth), level.min(255));
    }
}

/// dtbl-H14, dtbl-A11: a TB that fits nowhere keeps back a later kernel that would fit.
#[test]
fn h14_a_large_tb_holds_the_line() {
    let mut gpu = machine(Config { n_smx: 1, ..ideal() });
    let large = Descriptor { tb: Dim3::linear(1000), ..kernel(1, 1, 3) };
    gpu.host_launch(0, &large, false).unwrap();
    gpu.host_launch(1, &kernel(2, 2, 1), false).unwrap();
    let first = sent(&mut gpu);
    sent(&mut gpu);
    assert_eq!(gpu.tick(&mut ()).unwrap().sched, Sched::NoRoom);
    assert_eq!(gpu.smx(SmxId(0)).unwrap().threads, 48, "enough for the kernel behind");
    end(&mut gpu, first);
    assert_eq!([sent(&mut gpu).tag, sent(&mut gpu).tag], [1, 2]);
}

/// dtbl-H16: the TB that launched a command may end before the command joins.
#[test]
fn h16_the_launching_tb_may_end_first() {
    let mut gpu = machine(Config { gpb_b: 3, ..ideal() });
    let [one, _] = parent(&mut gpu);
    gpu.agg_launch(one.smx, one.slot, &[group(10, 0)]).unwrap();
    end(&mut gpu, one);
    let decisions = (0..4).flat_map(|_| tick(&mut gpu)).collect::<Vec<_>>();
    assert!(matches!(
        decisions[..],
        [Decision::Join { tag: 10, .. }, Decision::Tb(TbPlacement { tag: 10, .. }), Decision::Unmark { .. }]
    ));
}

/// dtbl-H17: entry, record, AGE and slot of what is done are given to the next; only the tags differ.
#[test]
fn h17_numbers_are_reused() {
    let mut gpu = machine(Config { n_smx: 1, ..ideal() });
    let mut seen = Vec::new();
    for tag in [10, 20] {
        gpu.host_launch(0, &kernel(1, tag, 1), false).unwrap();
        let native = sent(&mut gpu);
        let records = gpu.agg_launch(native.smx, native.slot, &[group(tag + 1, 7)]).unwrap().to_vec();
        let of_group = sent(&mut gpu);
        assert_eq!((native.tag, of_group.tag), (tag, tag + 1));
        seen.push((native.kde, native.slot, records, of_group.tb_ref, of_group.slot));
        end(&mut gpu, native);
        end(&mut gpu, of_group);
        assert_eq!(gpu.status(), State::Drained);
    }
    assert_eq!(seen[0], seen[1]);
}

/// dtbl-H18: a group on its way to a kernel that is suspended meanwhile becomes a device kernel, or joins an equal kernel.
#[test]
fn h18_suspension_against_a_group_in_flight() {
    for equal_kernel in [false, true] {
        let mut gpu = machine(Config { gpb_b: 2, ..ideal() });
        let [one, _] = parent(&mut gpu);
        gpu.agg_launch(one.smx, one.slot, &[group(10, 0)]).unwrap();
        gpu.suspend(one.kde, &mut ()).unwrap();
        if equal_kernel {
            gpu.host_launch(1, &kernel(1, 2, 2), false).unwrap();
        }
        let decisions = (0..3).flat_map(|_| tick(&mut gpu)).collect::<Vec<_>>();
        let fell = decisions.contains(&Decision::Fall { tag: 10, cause: FallCause::Kde });
        let joined = decisions.iter().any(|d| matches!(d, Decision::Join { tag: 10, .. }));
        assert_eq!((fell, joined), (!equal_kernel, equal_kernel));
    }
}

/// frontend-O1: with no latency a kernel is issued, arrives and sends its first TB in the cycle of its launch; a group joins and sends
/// in the cycle of its own; and an end frees room, entry and queue for the same cycle.
#[test]
fn o1_everything_in_one_cycle() {
    let mut gpu = machine(Config { n_smx: 1, tb_slots: 1, n_kde: 1, n_hwq: 1, ..ideal() });
    gpu.host_launch(0, &kernel(1, 1, 1), false).unwrap();
    gpu.host_launch(0, &kernel(1, 2, 1), false).unwrap();
    let first = tick(&mut gpu);
    assert!(matches!(
        first[..],
        [Decision::Issue { .. }, Decision::Arrive { .. }, Decision::Tb(_), Decision::Unmark { .. }]
    ));
    gpu.agg_launch(SmxId(0), SlotId(0), &[group(10, 0)]).unwrap();
    // The kernel's last TB ends before the group joins: entry and queue go to the second kernel, and the group finds that one.
    gpu.tb_done(SmxId(0), SlotId(0), &mut ()).unwrap();
    let second = tick(&mut gpu);
    assert!(matches!(
        second[..],
        [
            Decision::Issue { tag: 2, .. },
            Decision::Arrive { .. },
            Decision::Join { tag: 10, .. },
            Decision::Tb(TbPlacement { tag: 2, .. })
        ]
    ));
    assert_eq!(gpu.now(), Cycle(2));
}

/// frontend-O4: a skipped span ends where only a word changes, even if that is the very next cycle.
#[test]
fn o4_a_word_that_changes_in_the_next_cycle_is_counted() {
    let mut gpu = machine(Config { n_kde: 1, kmu_interval: 3, ..ideal() });
    gpu.host_launch(0, &kernel(1, 1, 1), false).unwrap();
    gpu.host_launch(1, &kernel(1, 2, 1), false).unwrap();
    gpu.run(2, &mut ()).unwrap();
    let words = gpu.run(5, &mut ()).unwrap();
    assert_eq!((words.busy, words.kdfull), (1, 4));
}

/// frontend-O4: where a load ends and no SMX has room, the word changes and nothing is decided, so nothing is announced.
#[test]
fn o4_a_load_may_end_without_room() {
    let mut gpu = machine(Config { n_smx: 1, agt_size: 1, load_cycles: 4, ..ideal() });
    let [tb, _] = parent(&mut gpu);
    gpu.agg_launch(tb.smx, tb.slot, &[group(10, 0), group(11, 0)]).unwrap();
    sent(&mut gpu);
    gpu.set_block_cap(SmxId(0), 0).unwrap();
    assert_eq!(gpu.next_event(), Some(gpu.now()), "the load of the spilled group");
    assert_eq!(gpu.tick(&mut ()).unwrap().sched, Sched::Load);
    assert_eq!(gpu.next_event(), None);
    let words = gpu.run(9, &mut ()).unwrap();
    assert_eq!((words.load, words.gated), (3, 6));
}

/// dtbl-H17: the Next field of a group keeps what was written when its successor is done and its record is given away.
#[test]
fn h17_next_outlives_the_group_it_names() {
    let mut gpu = machine(ideal());
    let [tb, _] = parent(&mut gpu);
    gpu.agg_launch(tb.smx, tb.slot, &[group(10, 5), group(11, 6)]).unwrap();
    let [_, second] = [sent(&mut gpu), sent(&mut gpu)];
    let next = |gpu: &Gpu| gpu.group(RecordId(0)).unwrap().next;
    let named = Some(GroupRef::Age(gpusched::AgeId(6)));
    assert_eq!(next(&gpu), named);
    end(&mut gpu, second);
    assert!(gpu.group(RecordId(1)).is_none());
    assert_eq!(next(&gpu), named);
}

/// dtbl-S4: in the last cycle an idle machine is still idle.
#[test]
fn s4_idle_at_the_end_of_time() {
    let mut gpu = machine(ideal());
    gpu.run(Cycle::MAX.0, &mut ()).unwrap();
    assert_eq!(gpu.status(), State::Drained);
}

/// Tables may hold anything when a machine is built on them, also where it will never look.
#[test]
fn what_tables_held_before_does_not_matter() {
    let config = Config { agt_size: 8, ..ideal() };
    let larger = Config { agt_size: 16, ..config };
    let clean = tables(&larger);
    let used = TableSet { ages: vec![Some(RecordId(3)); 16], block_caps: vec![7; 2], ..tables(&larger) };
    let [clean, used] = [clean, used].map(|tables| FrontEnd::with_tables(&config, tables).unwrap());
    assert_eq!(used.agt().count(), 0);
    assert_eq!(used, clean);
}

/// frontend-C2, frontend-Q1: a capped kernel is no reason to wake a GPU, but the kernel behind it is, and what `running` promises comes.
#[test]
fn c2_a_kernel_behind_a_capped_one_wakes_the_gpu() {
    let bubble = BubblePart { sample_cycles: 4, t_num: 1, t_den: 4, gpu_level: true, ..BubblePart::K20C };
    for policy in [Policy::FcfsRr, Policy::LaPerm(LaPermPart::K20C)] {
        let mut gpu = machine(Config { bubble: Some(bubble), policy, ..ideal() });
        gpu.set_class(ClassId(0), 1).unwrap();
        (0..2).for_each(|s| gpu.set_class_cap(ClassId(0), SmxId(s), 0, 0).unwrap());
        gpu.host_launch(0, &kernel(1, 1, 1), false).unwrap();
        gpu.run(40, &mut ()).unwrap();
        assert!(gpu.eligible().is_empty(), "it sleeps");
        assert_eq!(gpu.status(), State::Gated);
        gpu.host_launch(1, &kernel(2, 2, 1), false).unwrap();
        gpu.run(2, &mut ()).unwrap();
        assert_eq!(gpu.status(), State::Running);
        assert_eq!(gpu.waiting_head(0).unwrap().map(|head| head.tag), Some(2));
        let words = gpu.run(40, &mut ()).unwrap();
        assert_eq!((words.tb, gpu.resident_tbs().next().map(|tb| tb.kde.0)), (1, Some(1)));
    }
}

/// frontend-G6 in queues of LaPerm: an SMX from which K hides units sees those behind them, in queue 0 and in the one queue of `rr`.
#[test]
fn g6_capped_units_leave_their_smx_to_those_behind_them() {
    for order in [laperm::Policy::AdaptiveBind, laperm::Policy::SmxBind, laperm::Policy::TbPri, laperm::Policy::Rr] {
        let part = LaPermPart { policy: order, ..LaPermPart::K20C };
        let mut gpu = machine(Config { policy: Policy::LaPerm(part), n_smx: 1, ..ideal() });
        for (class, cap) in [(0, 1), (1, 0)] {
            gpu.set_class(ClassId(class), class.into()).unwrap();
            gpu.set_class_cap(ClassId(class), SmxId(0), cap, 0).unwrap();
        }
        // Of kernels 0 and 3 one TB in all, of 1 and 4 none; of 2 and 5 whatever fits.
        for k in 0..6 {
            gpu.host_launch(k, &kernel(u64::from(k) % 3, k.into(), 2), false).unwrap();
        }
        let tags = [(); 4].map(|()| {
            let before = gpu.stats().tbs;
            let mut ticks = std::iter::repeat_with(|| gpu.tick(&mut ()).unwrap().sched);
            let tag = ticks.find_map(|sched| if let Sched::Tb(tb) = sched { Some(tb.tag) } else { None });
            assert_eq!(gpu.stats().tbs, before + 1);
            tag.unwrap()
        });
        assert_eq!(tags, [0, 2, 2, 5], "{order:?}");
    }
}
