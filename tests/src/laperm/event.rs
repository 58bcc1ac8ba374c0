//! Events as values: what a host may tell LaPerm, and what it answers.

use gpusched::laperm::{KmuTick, LaPerm, Placed, Resources, Tables, Tick, WaitingHead};
use gpusched::{Cycle, Fault, KernelSlot, SmxId, UnitId};

/// One call of a host, without its cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Tag, TBs, resources of one.
    PushHost(u64, u32, Resources),
    /// Tag, TBs, resources of one, SMX and priority of the parent.
    PushChild(u64, u32, Resources, SmxId, u8),
    /// One cycle of the scheduler.
    Tick,
    /// SMX, resources, entry of the kernel distributor.
    TbDone(SmxId, Resources, Option<KernelSlot>),
    /// One cycle of the KMU.
    KmuTick,
    /// The tag of an entry that was asked for.
    Refilled(u64),
    /// SMX, whether it is masked.
    SetMask(SmxId, bool),
    /// The unit with which the search begins.
    WaitingHead(UnitId),
}

/// A call in its cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// When.
    pub now: Cycle,
    /// What.
    pub call: Call,
}

/// What a call that was not refused answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a push.
    Placed(Placed),
    /// Of a tick.
    Tick(Tick),
    /// Of an end: whether the entry of the kernel distributor is free.
    Freed(bool),
    /// Of the KMU.
    Kmu(KmuTick),
    /// Of a mask, and of an entry that is here.
    Done,
    /// Of the query.
    Waiting(Option<WaitingHead>),
}

impl Event {
    /// Makes the call.
    ///
    /// # Errors
    /// The machine's fault.
    pub fn apply<T: Tables>(&self, m: &mut LaPerm<T>) -> Result<Value, Fault> {
        let now = self.now;
        match self.call {
            Call::PushHost(tag, tbs, res) => m.push_host(now, tag, tbs, res).map(Value::Placed),
            Call::PushChild(tag, tbs, res, smx, prio) => m.push_child(now, tag, tbs, res, smx, prio).map(Value::Placed),
            Call::Tick => m.tick(now).map(Value::Tick),
            Call::TbDone(smx, res, kde) => m.tb_done(now, smx, res, kde).map(Value::Freed),
            Call::KmuTick => m.kmu_tick(now).map(Value::Kmu),
            Call::Refilled(tag) => m.refilled(now, tag).map(|()| Value::Done),
            Call::SetMask(smx, masked) => m.set_mask(now, smx, masked).map(|()| Value::Done),
            Call::WaitingHead(start) => m.waiting_head(now, start).map(Value::Waiting),
        }
    }
}
