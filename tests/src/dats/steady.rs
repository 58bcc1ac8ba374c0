//! The DGB's operation whose cost is measured, in a steady state that can be repeated for ever: a TB ends, memory is asked and
//! answers, and the slot is filled again. The graphs are wavefronts, one after another.

use std::collections::VecDeque;

use gpusched::dats::{Dgb, DgbConfig, GraphError, GraphPolicy, NodeId, Report, Request, Selection};
use gpusched::inline_dgb_tables;
use gpusched::{KernelSlot, SmxSet};

use super::memory::Memory;

/// Arrays in which a wavefront of 250 x 250 cannot deadlock.
const CONFIG: DgbConfig = DgbConfig::GTX480_LRR;

inline_dgb_tables! {
    /// Inline arrays for it.
    struct Gtx480Lrr = CONFIG;
}

/// The end of a TB: a function of its own, so that its instructions can be counted without those of memory.
#[inline(never)]
fn complete(machine: &mut Dgb<Gtx480Lrr>, node: NodeId) -> Result<Report, GraphError> {
    machine.complete(node)
}

/// As [`complete`]: the dispatch of another TB.
#[inline(never)]
fn select(machine: &mut Dgb<Gtx480Lrr>, fits: &SmxSet) -> Result<Selection, GraphError> {
    machine.select(fits)
}

/// A machine in the steady state.
pub struct Steady {
    machine: Box<Dgb<Gtx480Lrr>>,
    memory: Memory,
    policy: GraphPolicy,
    /// Running nodes, the next to end first.
    running: VecDeque<NodeId>,
    /// TBs that run at a time: as many as there are SMXs.
    slots: usize,
    all: SmxSet,
}

impl Steady {
    /// A machine in the middle of a square wavefront.
    ///
    /// # Panics
    /// If the machine does not do what the operation needs, so that nothing else is ever measured.
    #[must_use]
    pub fn new(side: u32, policy: GraphPolicy) -> Self {
        Self::on(CONFIG.smxs, side, policy)
    }

    /// The same on so many SMXs.
    ///
    /// # Panics
    /// As [`Steady::new`].
    #[must_use]
    pub fn on(smxs: u32, side: u32, policy: GraphPolicy) -> Self {
        let machine = Box::new(Dgb::new(&DgbConfig { smxs, ..CONFIG }).expect("the preset fits its home"));
        let memory = Memory::wavefront(side, side);
        let (slots, all) = (smxs as usize, SmxSet::first(smxs));
        let mut steady = Self { machine, memory, policy, running: VecDeque::new(), slots, all };
        steady.launch();
        for _ in 0..1000 {
            steady.step();
        }
        steady
    }

    fn launch(&mut self) {
        assert_eq!(self.machine.launch(KernelSlot(0), &self.memory.header(self.policy)), Ok(()));
        self.fill();
    }

    /// Answers what memory is asked, and dispatches while there are slots and ready nodes.
    fn fill(&mut self) {
        while let Some(request) = self.machine.poll().expect("a good graph") {
            let rows = |first: u32, count: u32| first as usize..(first + count) as usize;
            let answered = match request {
                Request::Nodes { tag, first, count, .. } => {
                    self.machine.nodes(tag, &self.memory.nodes[rows(first, count)])
                }
                Request::Edges { tag, first, count, .. } => {
                    self.machine.edges(tag, &self.memory.edges[rows(first, count)])
                }
                Request::Decrement { .. } => panic!("nothing spills"),
            };
            assert!(answered.is_ok(), "{answered:?}");
        }
        while self.running.len() < self.slots {
            match select(&mut self.machine, &self.all) {
                Ok(Selection::Dispatch { node, .. }) => self.running.push_back(node),
                other => {
                    assert!(matches!(other, Ok(Selection::Stall(_))), "{other:?}");
                    break;
                }
            }
        }
    }

    /// Does it once.
    ///
    /// # Panics
    /// As [`Steady::new`].
    pub fn step(&mut self) {
        let node = self.running.pop_front().expect("TBs run");
        let report = complete(&mut self.machine, node).expect("it runs");
        if report.finished {
            self.launch();
        } else {
            self.fill();
        }
    }
}
