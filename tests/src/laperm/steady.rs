//! LaPerm's operations whose cost is measured, each in a steady state that can be repeated for ever.
//!
//! `pending` groups wait behind those that are sent all the time: on chip, and beyond the queues in memory.

use std::collections::VecDeque;

use gpusched::laperm::{Config, Dispatch, InlineTables, LaPerm, Stage, Tick};
use gpusched::presets::K20cLaPerm;
use gpusched::{Cycle, Resources, SmxId};

/// What one step does, under Adaptive-Bind on a K20c.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A TB is sent to the SMX that its parent ran on, another one ends.
    Own,
    /// A TB is sent to an SMX whose own unit and queue 0 are empty, another one ends.
    Backup,
    /// A group of one TB is pushed, one is sent and leaves its queue, a TB ends.
    Child,
}

const TB: Resources = Resources { threads: 64, regs: 0, smem: 0, slots: 1 };

/// A machine in the steady state of an operation.
pub struct Steady<T: InlineTables = K20cLaPerm> {
    machine: Box<LaPerm<T>>,
    smxs: u16,
    operation: Operation,
    now: u64,
    /// SMXs of running TBs, the next to end first.
    running: VecDeque<SmxId>,
}

impl Steady {
    /// A machine with `pending` groups, about to repeat `operation`.
    ///
    /// # Panics
    /// If the machine does not do what the operation needs, so that nothing else is ever measured.
    #[must_use]
    pub fn new(operation: Operation, pending: u32) -> Self {
        Self::on(&Config::K20C, operation, pending)
    }
}

impl<T: InlineTables> Steady<T> {
    /// The same on another machine.
    ///
    /// # Panics
    /// As [`Steady::new`].
    #[must_use]
    pub fn on(config: &Config, operation: Operation, pending: u32) -> Self {
        let machine = Box::new(LaPerm::new(config).expect("the configuration fits its home"));
        let smxs = config.smxs as u16;
        let mut steady = Self { machine, smxs, operation, now: 0, running: VecDeque::new() };
        let (homes, tbs, parent) = match operation {
            Operation::Own => (smxs, u32::MAX, 2),
            Operation::Backup => (1, u32::MAX, 2),
            Operation::Child => (smxs, 1, 2),
        };
        for smx in 0..homes {
            steady.push(smx, tbs, parent);
        }
        for i in 0..pending {
            steady.push((i % u32::from(homes)) as u16, 1, if operation == Operation::Child { 2 } else { 0 });
        }
        for _ in 0..2 * smxs {
            steady.send();
        }
        for _ in 0..1000 {
            steady.step();
        }
        steady
    }

    fn push(&mut self, smx: u16, tbs: u32, parent_prio: u8) {
        let placed = self.machine.push_child(Cycle(self.now), self.now, tbs, TB, SmxId(smx), parent_prio);
        assert!(placed.is_ok(), "{placed:?}");
    }

    /// Where a TB was sent, and from where.
    fn send(&mut self) -> (SmxId, Stage) {
        self.now += 1;
        let Ok(Tick::Dispatch(Dispatch { smx, stage, .. })) = self.machine.tick(Cycle(self.now)) else {
            panic!("there is room and work")
        };
        if self.operation == Operation::Child && self.running.len() < 2 * usize::from(self.smxs) {
            self.push(smx.0, 1, 2);
        }
        self.running.push_back(smx);
        (smx, stage)
    }

    /// Does it once.
    ///
    /// # Panics
    /// As [`Steady::new`].
    pub fn step(&mut self) {
        if self.operation == Operation::Child {
            self.push((self.now % u64::from(self.smxs)) as u16, 1, 2);
        }
        let (smx, stage) = self.send();
        let own = smx == SmxId(0) || self.operation != Operation::Backup;
        assert_eq!(stage, if own { Stage::Unit } else { Stage::Backup });
        let ended = self.running.pop_front().expect("TBs run");
        let done = self.machine.tb_done(Cycle(self.now), ended, TB, None);
        assert!(done.is_ok(), "{done:?}");
    }
}
