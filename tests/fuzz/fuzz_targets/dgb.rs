//! The dependency-graph buffer alone, through C and in Rust.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched::dats::{Dgb, DgbConfig, GraphError, NodeId, NodeState, dgb_image_config};
use gpusched::{KernelSlot, SmxSet};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_fuzz::bytes::{Bytes, number};
use gpusched_fuzz::choose;
use gpusched_fuzz::graphs::{self, Graphs};
use gpusched_fuzz::twins::{Twins, run, status};
use gpusched_tests::dats::heap::{HeapTables, machine, tables};
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::dats::view::View;
use gpusched_tests::dats::{self, Answer, Answered, Event, Machine, Queries, ThroughC};
use libfuzzer_sys::fuzz_target;

/// Both, and what their host knows.
struct Pair {
    c: ThroughC,
    rust: Dgb<HeapTables>,
    graphs: Graphs,
}

/// A call, and the graph that it launches.
#[derive(Debug)]
struct Call {
    event: Event,
    memory: Option<Memory>,
}

impl Pair {
    fn launch(u: Bytes) -> Result<Call> {
        let kde = KernelSlot(u.int_in_range(0..=3)?);
        if u.ratio(1, 8)? {
            let graph = graphs::wild_header(u)?;
            return Ok(Call { event: Event::Launch { kde, graph }, memory: None });
        }
        let memory = graphs::memory(u)?;
        let graph = memory.header(graphs::policy(u)?);
        Ok(Call { event: Event::Launch { kde, graph }, memory: Some(memory) })
    }

    fn complete(&self, u: Bytes) -> Result<Event> {
        let executing = (self.rust.state().tail..)
            .zip((*self.rust).resident())
            .filter(|(_, node)| node.state == NodeState::Executing);
        let executing = executing.map(|(vid, _)| NodeId(vid as u16)).collect::<Vec<_>>();
        let anything = executing.is_empty() || u.ratio(1, 16)?;
        Ok(Event::Complete { node: if anything { NodeId(number(u)? as u16) } else { *u.choose(&executing)? } })
    }

    /// Learns from an answer.
    fn learn(&mut self, call: &Call, answer: &Answered) {
        match (&call.event, answer) {
            (_, Ok(Answer::Request(Some(request)))) => self.graphs.asked(*request, 0),
            (Event::Nodes { tag, .. } | Event::Edges { tag, .. } | Event::Spilled { tag }, Ok(_)) => {
                self.graphs.answered(*tag)
            }
            (Event::Launch { .. }, Ok(_)) => {
                self.graphs = Graphs::default();
                if let Some(memory) = &call.memory {
                    self.graphs.keep(0, memory.clone());
                }
            }
            _ => {}
        }
    }
}

impl Twins for Pair {
    type Event = Call;
    type Answer = Answered;
    type Mark = (View, Vec<u8>);
    type Config = DgbConfig;

    fn config(u: Bytes) -> Result<DgbConfig> {
        choose::dgb(u)
    }

    fn new(config: &DgbConfig) -> Self {
        let (c, rust) = (ThroughC::new(config).expect("it is valid"), machine(config).expect("it is valid"));
        Self { c, rust, graphs: Graphs::default() }
    }

    fn event(&self, u: Bytes) -> Result<Call> {
        let event = match u.int_in_range(0..=15u8)? {
            0..=3 => Event::Poll,
            4..=7 => self.graphs.answer(u)?,
            8..=10 if u.ratio(1, 8)? => Event::Select {
                fits: SmxSet::from_words([u.arbitrary()?, 0, 0, if u.ratio(1, 8)? { u.arbitrary()? } else { 0 }]),
            },
            8..=10 => Event::Select { fits: SmxSet::first(self.rust.config().smxs) },
            11..=13 => self.complete(u)?,
            14 => return Self::launch(u),
            _ if u.ratio(1, 4)? => Event::Abort,
            _ => Event::Spilled { tag: number(u)? },
        };
        Ok(Call { event, memory: None })
    }

    fn call(&mut self, call: &Call) -> [Answered; 2] {
        let answers = [self.c.take(&call.event), self.rust.take(&call.event)];
        self.learn(call, &answers[1]);
        answers
    }

    fn is_refusal(answer: &Answered) -> bool {
        !matches!(answer, Ok(_) | Err(GraphError::GraphFault { .. }))
    }

    fn check(&self) -> Self::Mark {
        let mark = self.c.mark();
        assert_eq!(mark.0, self.rust.view());
        assert_eq!(self.c.graph(), Queries::graph(&self.rust));
        assert_eq!(self.c.state(), Queries::state(&self.rust));
        mark
    }

    fn image(&self) -> Vec<u8> {
        let mut image = vec![0; self.rust.image_len()];
        assert_eq!(self.rust.save(&mut image), Ok(image.len()));
        assert_eq!(self.c.image(), image);
        image
    }

    fn image_config(image: &[u8]) -> [std::result::Result<DgbConfig, Status>; 2] {
        [dats::image_config(image), status(dgb_image_config(image))]
    }

    fn restore(&mut self, config: &DgbConfig, image: &[u8]) -> [std::result::Result<(), Status>; 2] {
        let restored = status(Dgb::restore(image, tables(config)));
        let result = restored.as_ref().map(|_| ()).map_err(|&status| status);
        self.rust = restored.unwrap_or_else(|_| machine(config).expect("it is valid"));
        [self.c.restore(image), result]
    }
}

fuzz_target!(|data: &[u8]| {
    // Bytes that end early end the run early.
    let _ = run::<Pair>(&mut Unstructured::new(data));
});
