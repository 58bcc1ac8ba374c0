//! The dependency-graph buffer alone.

use arbitrary::Result;
use gpusched::dats::{DgbConfig, NodeId, NodeState};
use gpusched::{KernelSlot, SmxSet};
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::dats::{Answer, Dgbs, Event, Queries, ThroughC};

use crate::bytes::{Bytes, number};
use crate::choose;
use crate::graphs::{self, Graphs};
use crate::twins::{Answered, Twins};

/// What a host knows.
#[derive(Default)]
pub struct Host {
    graphs: Graphs,
    /// The graph of a launch that was not answered.
    launched: Option<Memory>,
}

impl Host {
    fn launch(&mut self, u: Bytes) -> Result<Event> {
        let kde = KernelSlot(u.int_in_range(0..=3)?);
        if u.ratio(1, 8)? {
            self.launched = None;
            return Ok(Event::Launch { kde, graph: graphs::wild_header(u)? });
        }
        let memory = graphs::memory(u)?;
        let graph = memory.header(graphs::policy(u)?);
        self.launched = Some(memory);
        Ok(Event::Launch { kde, graph })
    }
}

impl Twins for Dgbs {
    type Host = Host;

    fn config(u: Bytes) -> Result<DgbConfig> {
        choose::dgb(u)
    }

    fn event(core: &Self::Core, host: &mut Host, u: Bytes) -> Result<Event> {
        Ok(match u.int_in_range(0..=15u8)? {
            0..=3 => Event::Poll,
            4..=7 => host.graphs.answer(u)?,
            8..=10 if u.ratio(1, 8)? => Event::Select {
                fits: SmxSet::from_words([u.arbitrary()?, 0, 0, if u.ratio(1, 8)? { u.arbitrary()? } else { 0 }]),
            },
            8..=10 => Event::Select { fits: SmxSet::first(core.config().smxs) },
            11..=13 => {
                let resident = (Queries::state(core).tail..).zip((**core).resident());
                let executing = resident.filter(|(_, node)| node.state == NodeState::Executing);
                let executing = executing.map(|(vid, _)| NodeId(vid as u16)).collect::<Vec<_>>();
                let anything = executing.is_empty() || u.ratio(1, 16)?;
                Event::Complete { node: if anything { NodeId(number(u)? as u16) } else { *u.choose(&executing)? } }
            }
            14 => host.launch(u)?,
            _ if u.ratio(1, 4)? => Event::Abort,
            _ => Event::Spilled { tag: number(u)? },
        })
    }

    fn learn(host: &mut Host, event: &Event, answered: &Answered<Self>) {
        match (event, answered) {
            (_, Ok(Answer::Request(Some(request)))) => host.graphs.asked(*request, 0),
            (Event::Nodes { tag, .. } | Event::Edges { tag, .. } | Event::Spilled { tag }, Ok(_)) => {
                host.graphs.answered(*tag)
            }
            (Event::Launch { .. }, Ok(_)) => {
                host.graphs = Graphs::default();
                if let Some(memory) = host.launched.take() {
                    host.graphs.keep(0, memory);
                }
            }
            _ => {}
        }
    }

    fn shows(core: &Self::Core, c: &ThroughC) {
        assert_eq!(c.graph(), Queries::graph(core));
        assert_eq!(c.state(), Queries::state(core));
    }
}
