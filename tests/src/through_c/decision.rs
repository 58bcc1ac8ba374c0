//! C's decisions, back in the core's terms.

use gpusched::dats::NodeId;
use gpusched::{
    AgeId, Cycle, Decision, DrainId, GpcId, GroupRef, HwqId, InstanceId, IssueSource, KernelSlot, KgraphId, RecordId,
    Sched, SlotId, SmxId, SuspId, TbPlacement, TbRef, Tick, UnitId, UnitPlace, Words,
};
use gpusched_abi::decision::*;
use gpusched_abi::frontend::*;

use super::records::{flag, narrow, one_of};
use super::told::told;

const NATIVE: u32 = gpusched_unit::Native as u32;
const AGE: u32 = gpusched_unit::Age as u32;
const RECORD: u32 = gpusched_unit::Record as u32;
const RESTORED: u32 = gpusched_unit::Restored as u32;
const NODE: u32 = gpusched_unit::Node as u32;
const UNIT: u32 = gpusched_unit::Unit as u32;

pub fn group_ref(unit: u32, group: u32) -> GroupRef {
    match unit {
        AGE => GroupRef::Age(AgeId(group)),
        RECORD => GroupRef::Record(RecordId(group)),
        UNIT => GroupRef::Unit(RecordId(group)),
        other => panic!("unit {other} is no group"),
    }
}

pub fn tb_ref(unit: u32, group: u32) -> TbRef {
    match unit {
        NATIVE => TbRef::Native,
        RESTORED => TbRef::Restored,
        NODE => TbRef::Node,
        _ => TbRef::Group(group_ref(unit, group)),
    }
}

pub fn decision(d: &gpusched_decision) -> (Cycle, Decision) {
    use gpusched_decision_kind as Kind;
    let kind = Kind::ALL.iter().copied().find(|kind| *kind as u32 == u32::from(d.kind)).expect("a kind");
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
                (gpusched_source::Node as u32, IssueSource::Node(InstanceId(d.queue))),
            ];
            Decision::Issue { source: one_of(detail, &sources), tag, kde }
        }
        Kind::Arrive => Decision::Arrive { kde, tag },
        Kind::Join => Decision::Join { tag, kde, group: group_ref(unit, group) },
        Kind::Fall => Decision::Fall { tag, cause: told(&detail) },
        Kind::Load => Decision::Load { record: RecordId(group) },
        Kind::Unmark => Decision::Unmark { kde },
        Kind::Rotate => Decision::Rotate { kde },
        Kind::GroupDone => Decision::GroupDone { tag, group: group_ref(unit, group) },
        Kind::KernelDone => Decision::KernelDone { kde, tag },
        Kind::Complete => Decision::Complete { tag },
        Kind::Opened => Decision::Opened { kde, tag },
        Kind::Released => Decision::Released { smx, slot },
        Kind::KgraphStart => {
            Decision::KgraphStart { instance: InstanceId(d.detail), graph: KgraphId(d.blkid as u8), queue }
        }
        Kind::KgraphDone => Decision::KgraphDone { instance: InstanceId(d.detail), graph: KgraphId(d.blkid as u8) },
        Kind::Tail => Decision::Tail { tag },
        Kind::HwqFree => Decision::HwqFree { queue },
        Kind::Stalled => Decision::Stalled,
        Kind::Saved => Decision::Saved { smx, slot, tb_ref: tb_ref(unit, group), blkid },
        Kind::Place => {
            let place = told(&detail);
            let unit = (place != UnitPlace::Queue0).then_some(UnitId(d.smx));
            let evicted = flag(d.queue.into()).then_some(u64::from(group) << 32 | u64::from(blkid));
            Decision::Place { tag, place, unit, level: d.slot, evicted }
        }
        Kind::Lap => Decision::Lap { stage: told(&detail), prio: d.slot },
        Kind::Refill => Decision::Refill { tag },
        Kind::Sample => Decision::Sample { waiting: flag(detail).then_some(tag) },
        Kind::GraphDone => Decision::GraphDone { kde },
        Kind::GraphFault => {
            let kind = told(&detail);
            Decision::GraphFault { kde, kind, node: NodeId(narrow(blkid)) }
        }
        Kind::GraphAbort => Decision::GraphAbort { kde, executing: blkid },
        Kind::Suspend => Decision::Suspend { kde, index: SuspId(d.detail) },
        Kind::Cluster => Decision::Cluster { kde, cluster: group, gpc: GpcId(d.detail), tbs: blkid },
        Kind::Drained => Decision::Drained { drain: DrainId(d.detail) },
        Kind::DrainEnd => Decision::DrainEnd { drain: DrainId(d.detail) },
        Kind::Save => Decision::Save { kde, until: Cycle(tag) },
        Kind::Restore => Decision::Restore { smx, slot, cycles: tag },
    };
    (Cycle(d.cycle), decision)
}

/// The word of a number; none is that of a TB, which the number does not name.
pub fn word(number: u32) -> Option<Sched> {
    use gpusched_sched as C;
    let words = [
        (C::Idle, Sched::Idle),
        (C::Load, Sched::Load),
        (C::NoRoom, Sched::NoRoom),
        (C::Gated, Sched::Gated),
        (C::Capped, Sched::Capped),
        (C::NoFit, Sched::NoFit),
        (C::NoCandidate, Sched::NoCandidate),
        (C::Masked, Sched::Masked),
        (C::GraphNoReady, Sched::GraphNoReady),
        (C::GraphHead, Sched::GraphHead),
        (C::GraphLevelBound, Sched::GraphLevelBound),
        (C::GraphDeadlock, Sched::GraphDeadlock),
        (C::GraphFault, Sched::GraphFault),
        (C::Told, Sched::Told),
        (C::Frag, Sched::Frag),
        (C::Quota, Sched::Quota),
    ];
    (number != C::Tb as u32).then(|| one_of(number, &words.map(|(c, word)| (c as u32, word))))
}

pub fn tick(tick: &gpusched_tick) -> Words {
    let (mut words, word) = (Words::default(), word(tick.sched));
    words.count(&Tick { sched: word.unwrap_or(Sched::Idle), kmu: told(&tick.kmu) }, 1);
    if word.is_none() {
        (words.tb, words.idle) = (1, 0);
    }
    words
}
