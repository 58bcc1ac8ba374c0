//! Every way in which a small graph can go through a DGB: all orders of requests, answers, dispatches and completions, each state
//! once.
//!
//! Two states are the same if they differ only in tags, statistics and the SMX that is tried first. Every event makes progress, so
//! a way ends where no event changes anything; there the graph is finished, or it is stuck.

use std::collections::BTreeSet;

use gpusched::{KernelSlot, SmxId, SmxSet};

use super::Dgbs;
use super::invariants::Run;
use super::memory::Memory;
use super::view::View;
use super::{Answer, Event};
use crate::machine::Of;
use crate::seen::Seen;
use gpusched::dats::{DgbStats, NodeId, NodeState, Phase, Request, Selection, Stall};

/// When memory answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// At once, whenever there is a request.
    AtOnce,
    /// Requests are made, and answered, at any time.
    AnyTime,
}

/// Where the ways of a graph lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// Different states.
    pub states: usize,
    /// Whether a way leads to the end of the graph.
    pub finishes: bool,
    /// The tails at which a way is stuck.
    pub stuck: BTreeSet<NodeId>,
}

#[derive(Clone)]
struct State<M> {
    machine: M,
    view: View,
    memory: Memory,
    /// Requests without answer.
    asked: Vec<Request>,
}

/// What tells states apart.
type Key = (View, Memory, BTreeSet<(u8, u32, u32)>);

impl<M: Of<Dgbs> + Clone> State<M> {
    fn key(&self) -> Key {
        let view = View { stats: DgbStats::default(), next_smx: SmxId(0), ..self.view.clone() };
        let request = |request: &Request| match *request {
            Request::Nodes { first, count, .. } => (0, first, count),
            Request::Edges { first, count, .. } => (1, first, count),
            Request::Decrement { node, .. } => (2, node.0.into(), 1),
        };
        (view, self.memory.clone(), self.asked.iter().map(request).collect())
    }

    /// The state after an event; the event is not refused.
    fn after(&self, run: &Run, event: &Event) -> Result<Self, String> {
        let mut next = self.clone();
        let answer = next.machine.take(event).map_err(|error| format!("{error:?}: {event:?}"))?;
        next.view = next.machine.view();
        if let Answer::Request(Some(request)) = answer {
            next.asked.push(request);
        }
        next.machine.validate().map_err(|broken| broken.to_string())?;
        run.check(&next.view)?;
        run.check_event(&self.view, event, &answer, &next.view)?;
        Ok(next)
    }

    fn answered(&self, run: &Run, i: usize) -> Result<Self, String> {
        let mut before = self.clone();
        let request = before.asked.remove(i);
        let event = before.memory.answer(&request);
        before.after(run, &event)
    }

    /// Answers all requests as long as there are any.
    fn served(mut self, run: &Run) -> Result<Self, String> {
        loop {
            self = self.after(run, &Event::Poll)?;
            if self.asked.is_empty() {
                return Ok(self);
            }
            self = self.answered(run, 0)?;
        }
    }

    fn successors(&self, run: &Run, slots: usize, answers: Answers) -> Result<Vec<Self>, String> {
        let executing = self.view.resident.iter().filter(|r| r.state == NodeState::Executing).map(|r| r.node);
        let executing = executing.collect::<Vec<_>>();
        let fits = if executing.len() < slots { SmxSet::first(run.config.smxs) } else { SmxSet::EMPTY };
        let mut events = executing.into_iter().map(|node| Event::Complete { node }).collect::<Vec<_>>();
        events.push(Event::Select { fits });
        let mut next = events.iter().map(|event| self.after(run, event)).collect::<Result<Vec<_>, _>>()?;
        match answers {
            Answers::AtOnce => next = next.into_iter().map(|s| s.served(run)).collect::<Result<_, _>>()?,
            Answers::AnyTime => {
                next.push(self.after(run, &Event::Poll)?);
                for i in 0..self.asked.len() {
                    next.push(self.answered(run, i)?);
                }
            }
        }
        Ok(next)
    }
}

/// Explores all ways of a graph through `machine`, on which nothing was launched; at most `slots` TBs run at a time.
///
/// # Errors
/// What does not hold.
pub fn explore<M: Of<Dgbs> + Clone>(machine: M, run: &Run, slots: usize, answers: Answers) -> Result<Explored, String> {
    let (view, memory) = (machine.view(), run.graph.clone());
    let idle = State { machine, view, memory, asked: Vec::new() };
    let launch = Event::Launch { kde: KernelSlot(0), graph: run.graph.header(run.policy) };
    let mut start = idle.after(run, &launch)?;
    if answers == Answers::AtOnce {
        start = start.served(run)?;
    }
    let mut seen = Seen::from_iter([start.key()]);
    let mut open = vec![start];
    let mut explored = Explored::default();
    while let Some(state) = open.pop() {
        if state.view.phase == Phase::Finished {
            explored.finishes = true;
            continue;
        }
        let key = state.key();
        let wrong = |what: String| format!("{what}\nin {:?}, asked {:?}", state.view, state.asked);
        let next = state.successors(run, slots, answers).map_err(wrong)?;
        let mut moves = false;
        for next in next {
            let next_key = next.key();
            moves |= next_key != key;
            if seen.insert(next_key) {
                open.push(next);
            }
        }
        if !moves {
            let told = state.clone().machine.take(&Event::Select { fits: SmxSet::first(run.config.smxs) });
            if told != Ok(Answer::Selection(Selection::Stall(Stall::Deadlock))) {
                return Err(wrong(format!("nothing moves, and a select answers {told:?}")));
            }
            let tail = state.view.deadlock.ok_or_else(|| wrong("no deadlock is shown".into()))?;
            explored.stuck.insert(tail);
        }
    }
    explored.states = seen.len();
    Ok(explored)
}
