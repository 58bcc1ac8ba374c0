//! The buffer inside the front end, reached by the calls of the buffer alone (frontend-E3): a launch is `host_launch_graph` and a
//! tick with gate E closed, a select is `set_eligible` and a tick, the end of a TB is `tb_done`.
//!
//! A buffer alone takes every event beside it. What the front end answers must be what that one answers, and after each event both
//! buffers must show the same; what the front end has no call or no answer for (the report of an end, a launch that has to wait) is
//! that one's alone.

use std::collections::BTreeMap;

use gpusched::Violation;
use gpusched::dats::{Dgb, DgbConfig, GraphError, GraphHeader, NodeId, Phase, Selection, Stall};
use gpusched::{
    Config, DatsPart, Decision, Descriptor, Dim3, Fault, FrontEnd, KernelSlot, Sched, SlotId, SmxId, SmxSet,
};

use super::heap::{self, HeapTables};
use super::view::View;
use super::{Answer, Answered, Event};
use super::{Machine, Parts, refused_field};
use crate::events::Told;

/// The parts, with the hardware inside the front end.
pub struct InFrontEnd;

/// The two buffers side by side.
pub struct Pair {
    alone: Dgb<HeapTables>,
    gpu: FrontEnd<gpusched_heap::HeapTables>,
    /// Running nodes of the graph, and where.
    running: BTreeMap<NodeId, (SmxId, SlotId)>,
    /// The kernel as the launch of the buffer alone calls it.
    kde: KernelSlot,
    /// The last graph was given up behind its end: the front end has no kernel any more whose graph that could be.
    is_cleared: bool,
}

/// A GPU around a buffer, in which a kernel is issued and arrives in the cycle of its launch, and each SMX has room for 64 TBs.
fn config(dats: &DgbConfig) -> Config {
    let &DgbConfig { smxs, lna, lea, pub_entries, chunk_bytes, prefetch, level_ref, issue_needs_edges, spill } = dats;
    let part = DatsPart { lna, lea, pub_entries, chunk_bytes, prefetch, level_ref, issue_needs_edges, spill };
    Config { n_smx: smxs, tb_slots: 64, dats: Some(part), ..Config::K20C.ideal() }
}

impl Pair {
    /// Makes the call of the front end for an event that the buffer alone has answered with `expected`.
    fn in_front_end(&mut self, event: &Event, expected: &Answered) {
        match event {
            Event::Launch { kde, graph } => self.launch(*kde, graph, expected),
            Event::Poll => assert_eq!(self.gpu.graph_poll().map(Answer::Request), *expected),
            Event::Nodes { tag, entries } => {
                assert_eq!(self.gpu.graph_nodes(*tag, entries, &mut ()).map(Answer::Report), *expected);
            }
            Event::Edges { tag, targets } => {
                assert_eq!(self.gpu.graph_edges(*tag, targets, &mut ()).map(Answer::Report), *expected);
            }
            Event::Spilled { tag } => assert_eq!(self.gpu.graph_spilled(*tag, &mut ()).map(Answer::Report), *expected),
            Event::Select { fits } => self.select(fits, expected),
            Event::Complete { node } => self.complete(*node, expected),
            Event::Abort => self.abort(expected),
        }
    }

    fn launch(&mut self, kde: KernelSlot, graph: &GraphHeader, expected: &Answered) {
        let kernel = Descriptor { grid: Dim3::linear(graph.v), tb: Dim3::linear(32), ..Descriptor::default() };
        let refusal = match expected {
            // The front end lets the kernel wait until the buffer is free.
            Err(GraphError::Busy | GraphError::GraphFault { .. }) => return,
            Err(GraphError::EmptyGraph) => Err(Fault::EmptyGrid),
            Err(error) => Err(error.fault()),
            Ok(_) => Ok(()),
        };
        assert_eq!(self.gpu.host_launch_graph(0, &kernel, false, graph).map(drop), refusal);
        if refusal.is_ok() {
            self.gpu.set_eligible(SmxSet::EMPTY).expect("no SMX is one of them");
            let tick = self.gpu.tick(&mut ()).expect("time is short");
            assert_eq!(tick.sched, Sched::GraphNoReady);
            (self.kde, self.is_cleared) = (kde, false);
            self.running.clear();
        }
    }

    fn select(&mut self, fits: &SmxSet, expected: &Answered) {
        match self.gpu.set_eligible(*fits) {
            Ok(()) => {}
            Err(fault) => {
                assert_eq!(fault, Fault::BadMask);
                assert!(matches!(expected, Err(GraphError::BadSmx { .. } | GraphError::NotLaunched)), "{expected:?}");
                return;
            }
        }
        let sched = self.gpu.tick(&mut ()).expect("time is short").sched;
        let got = match sched {
            Sched::Tb(tb) => {
                let node = NodeId(tb.blkid as u16);
                self.running.insert(node, (tb.smx, tb.slot));
                Ok(Selection::Dispatch { kde: self.kde, node, smx: tb.smx })
            }
            Sched::GraphNoReady => Ok(Selection::Stall(Stall::NoReady)),
            Sched::GraphHead => Ok(Selection::Stall(Stall::Head)),
            Sched::GraphLevelBound => Ok(Selection::Stall(Stall::LevelBound)),
            Sched::GraphDeadlock => Ok(Selection::Stall(Stall::Deadlock)),
            Sched::Gated | Sched::NoRoom => Ok(Selection::Stall(Stall::NoSmx)),
            Sched::GraphFault => match self.alone.phase() {
                Phase::Faulted { kind, node } => Err(GraphError::GraphFault { kind, node }),
                other => panic!("the front end's graph is faulted, and this one is {other:?}"),
            },
            Sched::Idle => match self.alone.phase() {
                Phase::Idle => Err(GraphError::NotLaunched),
                Phase::Finished => Ok(Selection::Finished),
                _ => {
                    // Its last node was sent, so the front end does not look at the kernel any more.
                    assert!(matches!(expected, Ok(Answer::Selection(Selection::Stall(_)))), "{expected:?}");
                    return;
                }
            },
            other => panic!("{other:?} is no word for a graph"),
        };
        assert_eq!(got.map(Answer::Selection), *expected);
    }

    fn complete(&mut self, node: NodeId, expected: &Answered) {
        if let Some((smx, slot)) = self.running.remove(&node) {
            let mut told = Told::default();
            assert_eq!(self.gpu.tb_done(smx, slot, &mut told), Ok(()));
            let faults = told.decisions.iter().filter(|(_, d)| matches!(d, Decision::GraphFault { .. })).count();
            let is_faulted = matches!(self.alone.phase(), Phase::Faulted { .. });
            assert_eq!(faults == 1, is_faulted && expected.is_err());
        }
    }

    /// The TBs that still run end at once, and with them the kernel, so that the next one takes its place.
    fn abort(&mut self, expected: &Answered) {
        let Some(kde) = self.gpu.dgb_owner() else {
            self.is_cleared = self.gpu.dgb().is_some_and(|dgb| dgb.phase() == Phase::Finished);
            return;
        };
        let mut told = Told::default();
        assert_eq!(self.gpu.abort_graph(kde, &mut told), Ok(()));
        let aborted = told.decisions.iter().find_map(|(_, decision)| match decision {
            Decision::GraphAbort { executing, .. } => Some(Answer::Abort(*executing)),
            _ => None,
        });
        assert_eq!(aborted, expected.ok());
        for (smx, slot) in std::mem::take(&mut self.running).into_values() {
            assert_eq!(self.gpu.tb_done(smx, slot, &mut ()), Ok(()));
        }
    }
}

impl Machine for Pair {
    type Event = Event;
    type Answered = Answered;
    type View = View;
    type Mark = Dgb<HeapTables>;

    fn take(&mut self, event: &Event) -> Answered {
        let answered = self.alone.take(event);
        self.in_front_end(event, &answered);
        if !self.is_cleared {
            let inside = View::of_part(self.gpu.dgb().expect("it has one"));
            assert_eq!(inside, self.alone.view(), "after {event:?}");
        }
        answered
    }

    fn view(&self) -> View {
        self.alone.view()
    }

    fn mark(&self) -> Self::Mark {
        self.alone.clone()
    }

    fn validate(&self) -> Result<(), Violation> {
        self.alone.validate()?;
        self.gpu.dgb().map_or(Ok(()), |dgb| dgb.validate())
    }
}

impl Parts for InFrontEnd {
    type Machine = Pair;

    fn machine(dats: &DgbConfig) -> Result<Pair, &'static str> {
        let alone = heap::machine(dats).map_err(refused_field)?;
        let gpu = gpusched_heap::front_end(&config(dats)).map_err(refused_field)?;
        Ok(Pair { alone, gpu, running: BTreeMap::new(), kde: KernelSlot(0), is_cleared: false })
    }
}
