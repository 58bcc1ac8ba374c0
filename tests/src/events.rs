//! Events as values: what a host may tell a front end, and what it answers.

use gpusched::{
    ClassId, Cycle, Decision, Descriptor, Fault, FrontEnd, GroupLaunch, KernelSlot, Kmu, RecordId, Sched, SlotId,
    SmxId, SmxSet, SuspId, Tables, Words,
};

/// One call of a host.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// L1.
    HostLaunch {
        /// Stream.
        stream: u32,
        /// Kernel.
        descriptor: Descriptor,
        /// Whether its entry is held.
        retain: bool,
    },
    /// L2.
    DeviceLaunch {
        /// SMX of the caller.
        smx: SmxId,
        /// TB slot of the caller.
        slot: SlotId,
        /// One kernel per lane.
        kernels: Vec<Descriptor>,
    },
    /// L3.
    AggLaunch {
        /// SMX of the caller.
        smx: SmxId,
        /// TB slot of the caller.
        slot: SlotId,
        /// One group per lane.
        groups: Vec<GroupLaunch>,
    },
    /// D1.
    TbDone(SmxId, SlotId),
    /// D5.
    Unretain(KernelSlot),
    /// S1.
    Suspend(KernelSlot),
    /// S2.
    Resume(SuspId),
    /// S3.
    SpillLoaded(RecordId),
    /// Gate E.
    SetEligible(SmxSet),
    /// Gate X.
    SetBlockCap(SmxId, u32),
    /// The pc of a class of gate K.
    SetClass(ClassId, Option<u64>),
    /// Gate K: cap and `by`.
    SetClassCap(ClassId, SmxId, u32, u32),
    /// One cycle.
    Tick,
    /// So many cycles.
    Run(u64),
}

/// What a call that was not refused returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    Done,
    /// The number of a queue or of a suspended kernel.
    Number(u8),
    /// The launch records of a command.
    Records(Vec<RecordId>),
    /// The words of a cycle.
    Tick(Sched, Kmu),
    /// The words of several cycles.
    Run(Words),
}

/// The complete answer to an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The return value or the fault.
    pub value: Result<Value, Fault>,
    /// The decisions, in order.
    pub decisions: Vec<(Cycle, Decision)>,
}

impl Event {
    /// Makes the call.
    pub fn apply<T: Tables>(&self, gpu: &mut FrontEnd<T>) -> Answer {
        let mut decisions = Vec::new();
        let probe = &mut |at: Cycle, decision: Decision| decisions.push((at, decision));
        let done = |()| Value::Done;
        let value = match self {
            Self::HostLaunch { stream, descriptor, retain } => {
                gpu.host_launch(*stream, descriptor, *retain).map(|q| Value::Number(q.0))
            }
            Self::DeviceLaunch { smx, slot, kernels } => {
                gpu.device_launch(*smx, *slot, kernels).map(|r| Value::Records(r.to_vec()))
            }
            Self::AggLaunch { smx, slot, groups } => {
                gpu.agg_launch(*smx, *slot, groups).map(|r| Value::Records(r.to_vec()))
            }
            Self::TbDone(smx, slot) => gpu.tb_done(*smx, *slot, probe).map(done),
            Self::Unretain(k) => gpu.unretain(*k, probe).map(done),
            Self::Suspend(k) => gpu.suspend(*k, probe).map(|i| Value::Number(i.0)),
            Self::Resume(i) => gpu.resume(*i).map(done),
            Self::SpillLoaded(r) => gpu.spill_loaded(*r).map(done),
            Self::SetEligible(set) => gpu.set_eligible(*set).map(done),
            Self::SetBlockCap(smx, cap) => gpu.set_block_cap(*smx, *cap).map(done),
            Self::SetClass(class, pc) => gpu.set_class(*class, *pc).map(done),
            Self::SetClassCap(class, smx, cap, by) => gpu.set_class_cap(*class, *smx, *cap, *by).map(done),
            Self::Tick => gpu.tick(probe).map(|t| Value::Tick(t.sched, t.kmu)),
            Self::Run(n) => gpu.run(*n, probe).map(Value::Run),
        };
        Answer { value, decisions }
    }
}
