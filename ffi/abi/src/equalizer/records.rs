//! Records of both machines, and the words of the core in numbers.

use gpusched::equalizer::{
    Action, Change, Class, Classified, Counts, Decision, EpochEnd, HeadKind, Objective, Outcome, Resolved, Round,
    SlotList, Step, Warp,
};

use crate::config::{Choice, choices};
use crate::status::gpusched_status as Status;

/// What the user wants of the clocks.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_objective {
    /// Lower the clock of what is not needed.
    Energy = 0,
    /// Raise the clock of what is short.
    Performance = 1,
}

/// What the instruction at the head of a warp's buffer needs.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_head_kind {
    /// An arithmetic pipe.
    Alu = 0,
    /// The LD/ST pipe.
    Mem = 1,
}

/// What a warp does at a sampling instant.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_class {
    /// It is not there.
    Absent = 0,
    /// Its block is paused.
    Paused = 1,
    /// It issues.
    Issued = 2,
    /// Nothing is known of its next instruction.
    Unaccounted = 3,
    /// Something that the mechanism does not count.
    Other = 4,
    /// It waits for operands.
    Waiting = 5,
    /// It is ready, and held back by the arithmetic pipes.
    Xalu = 6,
    /// It is ready, and held back by the LD/ST pipe.
    Xmem = 7,
}

/// Which resource the kernel is short of.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_action {
    /// None.
    None = 0,
    /// The SM.
    Comp = 1,
    /// The memory.
    Mem = 2,
}

/// What became of a decision about a clock.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_outcome {
    /// Nothing was asked for.
    None = 0,
    /// The last step of the domain is still under way: dropped.
    Busy = 1,
    /// There is no further level: dropped.
    Limit = 2,
    /// A step starts.
    Start = 3,
    /// A step that takes no time is done.
    Done = 4,
}

choices! {
    gpusched_equalizer_objective = Objective { Energy Performance };
    gpusched_equalizer_head_kind = HeadKind { Alu Mem };
    gpusched_equalizer_class = Class { Absent Paused Issued Unaccounted Other Waiting Xalu Xmem };
    gpusched_equalizer_action = Action { None Comp Mem };
    gpusched_equalizer_outcome = Outcome { None Busy Limit Start Done };
}

/// Numbers of warps: those of a sample, or their sums over an epoch.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_counts {
    /// Active warps.
    pub active: u32,
    /// Those that wait for operands.
    pub waiting: u32,
    /// Those that the arithmetic pipes hold back: X_alu.
    pub xalu: u32,
    /// Those that the LD/ST pipe holds back: X_mem.
    pub xmem: u32,
}

impl From<Counts> for gpusched_equalizer_counts {
    fn from(Counts { active, waiting, xalu, xmem }: Counts) -> Self {
        Self { active, waiting, xalu, xmem }
    }
}

impl From<gpusched_equalizer_counts> for Counts {
    fn from(gpusched_equalizer_counts { active, waiting, xalu, xmem }: gpusched_equalizer_counts) -> Self {
        Self { active, waiting, xalu, xmem }
    }
}

/// A warp at a sampling instant, by the state at the end of the issue phase. Flags are 0, or anything else for yes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_warp {
    /// It is resident.
    pub resident: u32,
    /// Its block is paused.
    pub paused: u32,
    /// It issues an instruction in this cycle.
    pub issued: u32,
    /// There is a valid instruction at the head of its buffer.
    pub valid: u32,
    /// The head waits on a barrier or fence.
    pub sync: u32,
    /// The head's operands are ready.
    pub ready: u32,
    /// What the head needs: gpusched_equalizer_head_kind.
    pub kind: u32,
    /// The LD/ST pipe accepts one (more) instruction in this cycle.
    pub accept: u32,
}

impl TryFrom<&gpusched_equalizer_warp> for Warp {
    type Error = Status;

    fn try_from(warp: &gpusched_equalizer_warp) -> Result<Self, Status> {
        Ok(Self {
            resident: warp.resident != 0,
            paused: warp.paused != 0,
            issued: warp.issued != 0,
            valid: warp.valid != 0,
            sync: warp.sync != 0,
            ready: warp.ready != 0,
            kind: *HeadKind::ALL.get(warp.kind as usize).ok_or(Status::BadEnum)?,
            accept: warp.accept != 0,
        })
    }
}

/// The class of a warp, and whether it is active.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_classified {
    /// gpusched_equalizer_class.
    pub class_number: u32,
    /// 1 if it counts as active, else 0.
    pub active: u32,
}

impl From<Classified> for gpusched_equalizer_classified {
    fn from(Classified { class, active }: Classified) -> Self {
        Self { class_number: class.code(), active: active.into() }
    }
}

/// What Algorithm 1 decides.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_decision {
    /// For the block count: -1, 0 or 1.
    pub delta: i32,
    /// For the clocks: gpusched_equalizer_action.
    pub action: u32,
}

impl From<Decision> for gpusched_equalizer_decision {
    fn from(Decision { delta, action }: Decision) -> Self {
        Self { delta: number(delta), action: action.code() }
    }
}

/// What the host has to do after an event. Warps of paused slots must not issue.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_change {
    /// Slots to be paused, in the order in which they were chosen.
    pub pause: [u8; 32],
    /// Slots to be woken, in the order in which they were chosen.
    pub unpause: [u8; 32],
    /// How many slots are to be paused.
    pub pause_count: u32,
    /// How many slots are to be woken.
    pub unpause_count: u32,
    /// Blocks to be asked of the work distributor, which grants or denies each.
    pub requests: u32,
}

impl From<&Change> for gpusched_equalizer_change {
    #[inline]
    fn from(Change { pause, unpause, requests }: &Change) -> Self {
        let mut of = Self { requests: *requests, ..Self::default() };
        of.pause_count = list(pause, &mut of.pause);
        of.unpause_count = list(unpause, &mut of.unpause);
        of
    }
}

/// Writes the numbers of slots, and says how many there are.
#[inline]
fn list(slots: &SlotList, to: &mut [u8; 32]) -> u32 {
    to.iter_mut().zip(slots).for_each(|(to, slot)| *to = slot.0);
    slots.len() as u32
}

/// What a sample led to. If it did not end an epoch, everything is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_epoch {
    /// What is to be done.
    pub change: gpusched_equalizer_change,
    /// 1 if it ended an epoch, else 0.
    pub ended: u32,
    /// What Algorithm 1 said about the block count: -1, 0 or 1.
    pub delta: i32,
    /// What it said about the clocks: gpusched_equalizer_action.
    pub action: u32,
    /// What is to be voted for in this cycle, for the SMs: -1, 0 or 1.
    pub sm_vote: i32,
    /// What is to be voted for in this cycle, for the memory: -1, 0 or 1.
    pub mem_vote: i32,
    /// What hysteresis let through: -1, 0 or 1.
    pub changed: i32,
    /// 1 if the watchdog has raised the target by one, else 0.
    pub watchdog: u32,
    /// Blocks that may run from now on.
    pub target: u32,
}

impl From<&EpochEnd> for gpusched_equalizer_epoch {
    #[inline]
    fn from(EpochEnd { decision, votes, changed, watchdog, target, change }: &EpochEnd) -> Self {
        Self {
            change: change.into(),
            ended: 1,
            delta: number(decision.delta),
            action: decision.action.code(),
            sm_vote: number(votes.sm),
            mem_vote: number(votes.mem),
            changed: number(*changed),
            watchdog: (*watchdog).into(),
            target: *target,
        }
    }
}

/// What a round of votes decided for one domain.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_resolved {
    /// SMs for a step up.
    pub up: u32,
    /// SMs for none, and those that did not vote.
    pub hold: u32,
    /// SMs for a step down.
    pub down: u32,
    /// What the majority asks for: -1, 0 or 1.
    pub decision: i32,
    /// What became of that: gpusched_equalizer_outcome.
    pub outcome: u32,
}

impl From<Resolved> for gpusched_equalizer_resolved {
    fn from(Resolved { up, hold, down, decision, outcome }: Resolved) -> Self {
        Self { up, hold, down, decision: number(decision), outcome: outcome.code() }
    }
}

/// What a vote led to. If it left the round open, everything is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_round {
    /// 1 if the round is resolved, else 0.
    pub resolved: u32,
    /// For the SMs.
    pub sm: gpusched_equalizer_resolved,
    /// For the memory.
    pub mem: gpusched_equalizer_resolved,
}

impl From<Round> for gpusched_equalizer_round {
    fn from(Round { sm, mem }: Round) -> Self {
        Self { resolved: 1, sm: sm.into(), mem: mem.into() }
    }
}

/// -1, 0 or 1.
pub(crate) fn number(step: Step) -> i32 {
    step.number().into()
}
