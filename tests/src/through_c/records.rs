//! C's records, from and to the core's types.

use gpusched::dats::{GraphFaultKind, NodeId};
use gpusched::laperm::Stage;
use gpusched::{
    AgeId, ClassCap, ClassId, Cycle, Decision, Descriptor, FallCause, GroupLaunch, GroupRef, HwqId, IssueSource,
    KernelSlot, Need, RecordId, SlotId, SmxId, SmxSet, Stats, SuspId, TbPlacement, TbRef, TbView, UnitId, UnitPlace,
    WaitingHead, Words,
};
use gpusched_abi::decision::*;
use gpusched_abi::frontend::launch::{gpusched_group, gpusched_kernel};
use gpusched_abi::frontend::time::{gpusched_tick, gpusched_words};
use gpusched_abi::frontend::view::*;
use gpusched_abi::smx::gpusched_dim3;
use gpusched_abi::{GPUSCHED_NEVER, GPUSCHED_NONE};

/// What a number of an enumeration stands for.
pub fn one_of<V: Copy>(number: u32, values: &[(u32, V)]) -> V {
    let found = values.iter().find(|(n, _)| *n == number);
    found.unwrap_or_else(|| panic!("{number} is no value of its enumeration")).1
}

/// A flag.
pub fn flag(number: u32) -> bool {
    one_of(number, &[(0, false), (1, true)])
}

/// A number that fits its id, which every number that the library tells does.
pub fn narrow<N: TryFrom<u32>>(number: u32) -> N {
    N::try_from(number).unwrap_or_else(|_| panic!("{number} is no id"))
}

/// A row's number, if it names one.
pub fn number<N: TryFrom<u32>>(number: u32) -> Option<N> {
    (number != GPUSCHED_NONE).then(|| narrow(number))
}

/// A time, if it comes.
pub fn time(cycle: u64) -> Option<u64> {
    (cycle != GPUSCHED_NEVER).then_some(cycle)
}

pub fn kernel(d: &Descriptor) -> gpusched_kernel {
    let dim = |d: gpusched::Dim3| gpusched_dim3 { x: d.x, y: d.y, z: d.z };
    let &Descriptor { pc, grid, tb, regs, smem, param, tag } = d;
    gpusched_kernel { pc, grid: dim(grid), tb: dim(tb), regs, smem, param, tag }
}

pub fn group(g: &GroupLaunch) -> gpusched_group {
    gpusched_group { kernel: kernel(&g.descriptor), hw_tid: g.hw_tid }
}

const NATIVE: u32 = gpusched_unit::Native as u32;
const AGE: u32 = gpusched_unit::Age as u32;
const RECORD: u32 = gpusched_unit::Record as u32;
const RESTORED: u32 = gpusched_unit::Restored as u32;
const NODE: u32 = gpusched_unit::Node as u32;
const UNIT: u32 = gpusched_unit::Unit as u32;
const NONE: u32 = gpusched_unit::None as u32;

pub fn group_ref(unit: u32, group: u32) -> GroupRef {
    match unit {
        AGE => GroupRef::Age(AgeId(group)),
        RECORD => GroupRef::Record(RecordId(group)),
        UNIT => GroupRef::Unit(RecordId(group)),
        other => panic!("unit {other} is no group"),
    }
}

pub fn optional_ref(unit: u32, group: u32) -> Option<GroupRef> {
    (unit != NONE).then(|| group_ref(unit, group))
}

/// The group that is being sent; none for the kernel's own grid.
pub fn group_or_native(unit: u32, group: u32) -> Option<GroupRef> {
    (unit != NATIVE).then(|| group_ref(unit, group))
}

fn tb_ref(unit: u32, group: u32) -> TbRef {
    match unit {
        NATIVE => TbRef::Native,
        RESTORED => TbRef::Restored,
        NODE => TbRef::Node,
        _ => TbRef::Group(group_ref(unit, group)),
    }
}

pub fn decision(d: &gpusched_decision) -> (Cycle, Decision) {
    use gpusched_decision_kind as Kind;
    const KINDS: [Kind; 21] = [
        Kind::Tb,
        Kind::Bypass,
        Kind::Issue,
        Kind::Arrive,
        Kind::Join,
        Kind::Fall,
        Kind::Load,
        Kind::Unmark,
        Kind::Rotate,
        Kind::GroupDone,
        Kind::KernelDone,
        Kind::HwqFree,
        Kind::Saved,
        Kind::Suspend,
        Kind::Place,
        Kind::Lap,
        Kind::Refill,
        Kind::Sample,
        Kind::GraphDone,
        Kind::GraphFault,
        Kind::GraphAbort,
    ];
    let kind = one_of(d.kind.into(), &KINDS.map(|kind| (kind as u32, kind)));
    let (smx, slot, kde, queue) = (SmxId(d.smx), SlotId(d.slot), KernelSlot(d.kde), HwqId(d.queue));
    let (tag, blkid, detail) = (d.tag, d.blkid, d.detail.into());
    let (unit, group) = (d.unit.into(), d.group);
    let decision = match kind {
        Kind::Tb => Decision::Tb(TbPlacement { smx, slot, kde, tb_ref: tb_ref(unit, group), blkid, tag }),
        Kind::Bypass => Decision::Bypass { smx, slot },
        Kind::Issue => {
            let sources = [
                (gpusched_source::Hwq as u32, IssueSource::Hwq(queue)),
                (gpusched_source::Device as u32, IssueSource::Device),
                (gpusched_source::Suspended as u32, IssueSource::Suspended),
            ];
            Decision::Issue { source: one_of(detail, &sources), tag, kde }
        }
        Kind::Arrive => Decision::Arrive { kde, tag },
        Kind::Join => Decision::Join { tag, kde, group: group_ref(unit, group) },
        Kind::Fall => {
            let causes = [(gpusched_fall::Kde as u32, FallCause::Kde), (gpusched_fall::Agt as u32, FallCause::Agt)];
            Decision::Fall { tag, cause: one_of(detail, &causes) }
        }
        Kind::Load => Decision::Load { record: RecordId(group) },
        Kind::Unmark => Decision::Unmark { kde },
        Kind::Rotate => Decision::Rotate { kde },
        Kind::GroupDone => Decision::GroupDone { tag, group: group_ref(unit, group) },
        Kind::KernelDone => Decision::KernelDone { kde, tag },
        Kind::HwqFree => Decision::HwqFree { queue },
        Kind::Saved => Decision::Saved { smx, slot, tb_ref: tb_ref(unit, group), blkid },
        Kind::Place => {
            let places = [
                (gpusched_place::OnChip as u32, UnitPlace::OnChip),
                (gpusched_place::Spilled as u32, UnitPlace::Spilled),
                (gpusched_place::Queue0 as u32, UnitPlace::Queue0),
            ];
            let place = one_of(detail, &places);
            let unit = (place != UnitPlace::Queue0).then_some(UnitId(d.smx));
            let evicted = flag(d.queue.into()).then_some(u64::from(group) << 32 | u64::from(blkid));
            Decision::Place { tag, place, unit, level: d.slot, evicted }
        }
        Kind::Lap => {
            let stages = [Stage::Unit, Stage::Queue0, Stage::Backup];
            Decision::Lap { stage: one_of(detail, &stages.map(|s| (s as u32, s))), prio: d.slot }
        }
        Kind::Refill => Decision::Refill { tag },
        Kind::Sample => Decision::Sample { waiting: flag(detail).then_some(tag) },
        Kind::GraphDone => Decision::GraphDone { kde },
        Kind::GraphFault => {
            let kinds = [GraphFaultKind::EdgeOrder, GraphFaultKind::ParentUnderflow, GraphFaultKind::ParentExcess];
            let kind = one_of(detail, &kinds.map(|kind| (kind as u32, kind)));
            Decision::GraphFault { kde, kind, node: NodeId(narrow(blkid)) }
        }
        Kind::GraphAbort => Decision::GraphAbort { kde, executing: blkid },
        Kind::Suspend => Decision::Suspend { kde, index: SuspId(d.detail) },
    };
    (Cycle(d.cycle), decision)
}

pub fn tick(tick: &gpusched_tick) -> Words {
    let mut words = Words::default();
    *match tick.sched {
        0 => &mut words.tb,
        1 => &mut words.idle,
        2 => &mut words.load,
        3 => &mut words.noroom,
        4 => &mut words.gated,
        5 => &mut words.capped,
        6 => &mut words.no_fit,
        7 => &mut words.no_candidate,
        8 => &mut words.masked,
        9 => &mut words.g_no_ready,
        10 => &mut words.g_head,
        11 => &mut words.g_level_bound,
        12 => &mut words.g_deadlock,
        13 => &mut words.g_fault,
        other => panic!("{other} is no word of the scheduler"),
    } = 1;
    *match tick.kmu {
        0 => &mut words.issue,
        1 => &mut words.empty,
        2 => &mut words.busy,
        3 => &mut words.kdfull,
        4 => &mut words.dgbusy,
        other => panic!("{other} is no word of the KMU"),
    } = 1;
    words
}

pub fn words(words: &gpusched_words) -> Words {
    let &gpusched_words { tb, idle, load, noroom, gated, capped, issue, empty, busy, kdfull, .. } = words;
    let &gpusched_words { no_fit, no_candidate, masked, dgbusy, .. } = words;
    let &gpusched_words { g_no_ready, g_head, g_level_bound, g_deadlock, g_fault, .. } = words;
    Words {
        tb,
        idle,
        load,
        noroom,
        gated,
        capped,
        no_fit,
        no_candidate,
        masked,
        g_no_ready,
        g_head,
        g_level_bound,
        g_deadlock,
        g_fault,
        issue,
        empty,
        busy,
        kdfull,
        dgbusy,
    }
}

pub fn head(head: &gpusched_waiting_head) -> Option<WaitingHead> {
    let &gpusched_waiting_head { allowed, tag, present, threads, regs, smem, warps } = head;
    let allowed = SmxSet::from_words(allowed.words);
    flag(present).then_some(WaitingHead { tag, need: Need { threads, regs, smem, warps }, allowed })
}

pub fn tb(tb: &gpusched_tb) -> TbView {
    TbView {
        smx: SmxId(narrow(tb.smx)),
        slot: SlotId(narrow(tb.slot)),
        kde: KernelSlot(narrow(tb.kde)),
        tb_ref: tb_ref(tb.unit, tb.group),
        blkid: tb.blkid,
        class: number(tb.class_id).map(ClassId),
        bypass: flag(tb.bypass),
        prio: narrow(tb.prio),
    }
}

pub fn class_cap(cap: &gpusched_class_cap) -> ClassCap {
    let &gpusched_class_cap { cap, by, resident, bypassing } = cap;
    ClassCap { cap: narrow(cap), by: narrow(by), resident: narrow(resident), bypassing: narrow(bypassing) }
}

pub fn stats(stats: &gpusched_frontend_stats) -> Stats {
    let &gpusched_frontend_stats { kde_hit, kde_miss, agt_hit, agt_spill, dyn_n, dyn_wait, tbs, .. } = stats;
    let &gpusched_frontend_stats { warp_cycles, ticks, rec_peak, gated, capped, passed, graph_tbs, samples, .. } =
        stats;
    Stats {
        kde_hit,
        kde_miss,
        agt_hit,
        agt_spill,
        dyn_n,
        dyn_wait,
        tbs,
        warp_cycles,
        ticks,
        rec_peak,
        gated,
        capped,
        passed,
        graph_tbs,
        samples,
    }
}
