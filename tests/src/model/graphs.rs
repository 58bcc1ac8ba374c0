//! The model's kernels with dependency graphs (frontend-F1, frontend-F3, frontend-F6, frontend-T1g, frontend-T2g, frontend-T4g): a
//! whole machine of sheet `dats`, and the entry that has it.

use gpusched::dats::{GraphError, GraphHeader, NodeId, Phase, Selection, Stall};
use gpusched::{Config, Decision, Descriptor, Fault, GraphState, KernelSlot, Sched, SmxId, SmxSet, TbPlacement};

use super::{Model, Ref, tbs_of};
use crate::dats::model::Model as Dgb;
use crate::dats::{Answer, Answered, Event};
use crate::events::Value;

/// A buffer of the front end's configuration.
pub(super) fn machine(config: &Config) -> Option<Dgb> {
    config.dats.as_ref().map(|part| Dgb::new(&part.machine(config)))
}

fn word(stall: Stall) -> Sched {
    match stall {
        Stall::NoReady => Sched::GraphNoReady,
        Stall::Head => Sched::GraphHead,
        Stall::LevelBound => Sched::GraphLevelBound,
        Stall::Deadlock => Sched::GraphDeadlock,
        Stall::NoSmx => unreachable!("the verdict tells why"),
    }
}

impl Model {
    /// frontend-F1: what a graph adds to V.
    pub(super) fn check_graph(&self, d: &Descriptor, retain: bool, graph: &GraphHeader) -> Result<(), Fault> {
        let Some(part) = &self.config.dats else { return Err(Fault::NoDgb) };
        if retain {
            return Err(Fault::GraphRetain);
        }
        if tbs_of(d) != graph.v {
            return Err(Fault::GraphSize);
        }
        // A machine on which nothing runs.
        let launch = Event::Launch { kde: KernelSlot(0), graph: *graph };
        let launched = Dgb::new(&part.machine(&self.config)).take(&launch);
        launched.map(drop).map_err(GraphError::fault)
    }

    /// frontend-T1g: whether a kernel with a graph cannot be issued.
    pub(super) fn is_dgb_taken(&self) -> bool {
        self.dgb_owner.is_some()
    }

    fn dgb(&mut self, event: &Event) -> Answered {
        self.dgb.as_mut().ok_or(GraphError::NoDgb)?.take(event)
    }

    /// frontend-T2g.
    pub(super) fn start_graph(&mut self, k: usize) {
        let graph = self.kde(k).kernel.graph.expect("a kernel with a graph");
        let launched = self.dgb(&Event::Launch { kde: KernelSlot(k as u8), graph });
        assert_eq!(launched, Ok(Answer::Done), "it was checked, and the buffer is free");
        self.kde_mut(k).graph = Some(GraphState::Running);
    }

    /// An event of the buffer: its own answer, and what becomes of the kernel.
    pub(super) fn graph_event(&mut self, event: &Event) -> Answered {
        self.check_parts(event)?;
        let answered = self.dgb(event);
        let running = self.dgb_owner.filter(|&k| self.kde(k).graph == Some(GraphState::Running));
        let Some(k) = running else { return answered };
        let kde = KernelSlot(k as u8);
        let finished = match &answered {
            Ok(Answer::Report(report)) => report.finished,
            _ => false,
        };
        if finished {
            self.kde_mut(k).graph = Some(GraphState::Finished);
            self.emit(Decision::GraphDone { kde });
        }
        if let Err(GraphError::GraphFault { kind, node }) = answered {
            self.kde_mut(k).graph = Some(GraphState::Faulted);
            self.emit(Decision::GraphFault { kde, kind, node });
        }
        answered
    }

    pub(super) fn graph_verb(&mut self, event: &Event) -> Result<Value, Fault> {
        Ok(Value::Graph(self.graph_event(event)))
    }

    /// frontend-F3: a node's TB has ended.
    pub(super) fn node_done(&mut self, k: usize, vid: u32) {
        if self.kde(k).graph == Some(GraphState::Running) {
            // A refusal is a fault of the graph, which was told.
            let _ = self.graph_event(&Event::Complete { node: NodeId(vid as u16) });
        }
    }

    /// frontend-F6.
    pub(super) fn abort_graph(&mut self, k: u32) -> Result<(), Fault> {
        let k = k as usize;
        self.active(k)?;
        match self.kde(k).graph {
            None => return Err(Fault::NotGraph),
            Some(GraphState::Finished | GraphState::Aborted) => return Err(Fault::NotRunning),
            Some(_) => {}
        }
        let Ok(Answer::Abort(executing)) = self.dgb(&Event::Abort) else { unreachable!("an abort is taken") };
        self.dgb_owner = None;
        self.kde_mut(k).graph = Some(GraphState::Aborted);
        self.fifo.retain(|&marked| marked != k);
        self.cursors.remove(&k);
        self.emit(Decision::GraphAbort { kde: KernelSlot(k as u8), executing });
        self.d3_release(k);
        self.p3_sweep();
        Ok(())
    }

    /// What `select` says to SMXs with room, without doing it.
    fn look_at_graph(&self, fits: &SmxSet) -> Result<Selection, GraphError> {
        let mut dgb = self.dgb.clone().expect("a graph needs a buffer");
        match dgb.take(&Event::Select { fits: *fits })? {
            Answer::Selection(selection) => Ok(selection),
            other => unreachable!("a select answers {other:?}"),
        }
    }

    /// Whether there is a node to send, if there were room; else the word for why not.
    pub(super) fn sendable_node(&self) -> Result<(), Sched> {
        match self.look_at_graph(&SmxSet::EMPTY) {
            Ok(Selection::Stall(Stall::NoSmx)) => Ok(()),
            Ok(Selection::Stall(stall)) => Err(word(stall)),
            Ok(other) => unreachable!("no SMX has room, and it answers {other:?}"),
            Err(_) => Err(Sched::GraphFault),
        }
    }

    /// policy-P4: the node that the buffer would send, if it has one to send.
    pub(super) fn next_node(&self) -> Option<u32> {
        self.sendable_node().ok()?;
        match self.look_at_graph(&SmxSet::first(1)) {
            Ok(Selection::Dispatch { node, .. }) => Some(node.0.into()),
            other => unreachable!("there is a node, an SMX has room, and it answers {other:?}"),
        }
    }

    /// frontend-T4g.
    pub(super) fn try_graph(&mut self, k: usize, left: &[usize]) -> Result<TbPlacement, Sched> {
        self.sendable_node()?;
        let mut fits = SmxSet::EMPTY;
        for &s in left.iter().filter(|&&s| self.obstacle(k, s).is_none()) {
            fits.set(SmxId(s as u16), true);
        }
        if fits.is_empty() {
            return Err(self.verdict(k, left));
        }
        let selected = self.dgb(&Event::Select { fits });
        let Ok(Answer::Selection(Selection::Dispatch { node, smx, .. })) = selected else {
            unreachable!("there is a node and room for it")
        };
        let kernel = &mut self.kde_mut(k).kernel;
        kernel.next_native += 1;
        if let Some(cross) = &mut kernel.cross {
            cross.sent.push(node.0.into());
        }
        self.stats.graph_tbs += 1;
        let prio = self.kde(k).kernel.prio;
        let placement = self.place(k, usize::from(smx.0), Ref::Node, node.0.into(), prio);
        if !self.native_left(k) && self.fifo.contains(&k) {
            self.fifo.retain(|&marked| marked != k);
            self.emit(Decision::Unmark { kde: KernelSlot(k as u8) });
        }
        Ok(placement)
    }

    /// The kernel whose graph has nodes that were not sent.
    pub(super) fn unsent_graph(&self) -> Option<usize> {
        self.dgb_owner.filter(|&k| self.kde(k).arriving.is_none() && self.native_left(k))
    }

    /// frontend-Q1: whether the graph can never go on by itself.
    pub(super) fn is_graph_stuck(&self) -> bool {
        let faulted = self.dgb_owner.is_some_and(|k| self.kde(k).graph == Some(GraphState::Faulted));
        let view = self.dgb.as_ref().map(Dgb::view);
        faulted || view.is_some_and(|view| view.phase == Phase::Running && view.deadlock.is_some())
    }

    /// frontend-Q1: whether the buffer waits for answers.
    pub(super) fn is_graph_waiting(&self) -> bool {
        self.dgb.as_ref().is_some_and(Dgb::waits_for_memory)
    }
}
