//! Random runs: the core answers and stands as the model does, and keeps the invariants.

use std::collections::BTreeSet;

use gpusched::dats::{Admission, Dgb, DgbConfig, GraphError, GraphPolicy, NodeId, Phase, Request, Selection};
use gpusched::{Cycle, Dim3};
use gpusched_tests::dats::deplinks::Link;
use gpusched_tests::dats::heap::{self, HeapTables};
use gpusched_tests::dats::invariants::Run;
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::dats::model::Model;
use gpusched_tests::dats::view::View;
use gpusched_tests::dats::{Answer, Event};
use gpusched_tests::dats::{OfCore, OfModel, Parts};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::dats::runs;
use crate::dats::script::{Graph, Host, Made, configs, memory, node, play, script};

/// Any cycle.
const NOW: Cycle = Cycle(7);

/// The core and the model, which get the same calls.
struct Both {
    config: DgbConfig,
    core: Dgb<HeapTables>,
    model: Model,
    view: View,
}

impl Both {
    fn new(config: &DgbConfig) -> Self {
        let core = heap::machine(config).expect("random configurations are valid");
        Self { config: *config, view: View::of(&core), core, model: Model::new(config) }
    }

    /// Makes a call on both and compares what can be compared.
    fn call(&mut self, host: &Host, event: &Event) -> Made {
        let before = self.core.clone();
        let answered = event.apply(&mut self.core);
        prop_assert_eq!(&answered, &self.model.take(event), "{:?} after {:?}", event, self.view);
        let view = View::of(&self.core);
        let (next, waits) = (self.model.next_node(), self.model.waits_for_memory());
        let due = (next.is_some() || self.model.is_request_due()).then_some(NOW);
        let now = (self.core.next_node(), self.core.waits_for_memory(), self.core.next_event(NOW));
        prop_assert_eq!(now, (next, waits, due), "after {:?}", event);
        match answered {
            Err(GraphError::GraphFault { kind, node }) => {
                prop_assert_eq!(view.phase, Phase::Faulted { kind, node });
                prop_assert_eq!(self.model.view().phase, view.phase);
            }
            Err(_) => prop_assert!(self.core == before, "{:?} was refused and changed the state", event),
            Ok(answer) => {
                prop_assert_eq!(self.core.validate(), Ok(()), "after {:?}, before {:?}", event, self.view);
                prop_assert_eq!(&view, &self.model.view(), "after {:?}, before {:?}", event, self.view);
                let good = host.graph.as_ref().filter(|graph| !graph.damaged && host.is_faithful(event));
                if let (Some(graph), false) = (good, matches!(event, Event::Abort | Event::Launch { .. })) {
                    let run = Run { config: &self.config, graph: &graph.memory, policy: graph.policy };
                    let sound = run.check(&view).and_then(|()| run.check_event(&self.view, event, &answer, &view));
                    prop_assert_eq!(sound, Ok(()), "after {:?}: {:?}", event, view);
                    if view.phase == Phase::Finished && host.whole_chunks {
                        let chunks = (graph.memory.edges.len() as u32).div_ceil(self.config.chunk_edges());
                        prop_assert_eq!(view.stats.edge_requests, chunks, "dats-Q13");
                    }
                }
            }
        }
        self.view = view;
        Ok(answered)
    }
}

proptest! {
    #![proptest_config(runs(2000))]

    #[test]
    fn the_core_answers_as_the_model(config in configs(), script in script()) {
        let mut both = Both::new(&config);
        let host = play(&config, &script, &mut |host, event| both.call(host, event))?;
        // dats-Q10, and what `admit` promises.
        let Some(Graph { memory, .. }) = host.graph.filter(|graph| !graph.damaged) else { return Ok(()) };
        let finished = both.view.phase == Phase::Finished;
        let verdict = OfCore::admit(&config, &memory.nodes, &memory.edges);
        let as_promised = match verdict {
            _ if config.spill => finished,
            Admission::Safe => finished,
            Admission::MayDeadlock { .. } => finished != both.view.deadlock.is_some(),
            Admission::Deadlocks { .. } => both.view.deadlock.is_some(),
            Admission::Oversize { .. } => !finished,
        };
        prop_assert!(as_promised, "{:?}, and then {:?}", verdict, both.view);
    }
}

proptest! {
    #![proptest_config(runs(3000))]

    #[test]
    fn the_verdict_is_that_of_the_rule(config in configs(), memory in memory()) {
        let Memory { nodes, edges } = memory;
        prop_assert_eq!(OfCore::admit(&config, &nodes, &edges), OfModel::admit(&config, &nodes, &edges));
    }

    /// Whatever stands in the arrays.
    #[test]
    fn the_verdict_on_anything_is_some_verdict(
        config in configs(),
        nodes in prop::collection::vec(node(), 0..20),
        edges in prop::collection::vec(any::<u16>().prop_map(NodeId), 0..40),
    ) {
        OfCore::admit(&config, &nodes, &edges);
    }

    #[test]
    fn graphs_are_built_as_by_the_rules(
        grid in grids(),
        edge_cap in prop_oneof![1 => 0..=20usize, 3 => Just(10_000)],
        mappings in prop::collection::vec(prop::collection::vec(link(), 0..=4), 1..=30),
    ) {
        let links = |block: Dim3| {
            let tb = block.x + 5 * (block.y + 5 * block.z);
            mappings[tb as usize % mappings.len()].iter().map(|link| link.at(block)).collect()
        };
        prop_assert_eq!(OfCore::build(grid, edge_cap, &links), OfModel::build(grid, edge_cap, &links));
    }
}

/// What a mapping function says of a TB.
#[derive(Clone, Copy, Debug)]
pub enum Saying {
    Offset(i64, i64, i64),
    Block(i64, i64, i64),
    Policy(GraphPolicy),
}

impl Saying {
    pub fn at(self, block: Dim3) -> Link {
        match self {
            Self::Offset(x, y, z) => {
                Link::Parent(x + i64::from(block.x), y + i64::from(block.y), z + i64::from(block.z))
            }
            Self::Block(x, y, z) => Link::Parent(x, y, z),
            Self::Policy(policy) => Link::Policy(policy),
        }
    }
}

pub fn link() -> impl Strategy<Value = Saying> {
    let back = || prop_oneof![4 => -2..=0i64, 1 => -3..=3i64];
    let anywhere = || prop_oneof![6 => 0..=5i64, 1 => Just(-1), 1 => any::<i64>(), 1 => Just(1 << 32)];
    let policy = prop_oneof![9 => Just(GraphPolicy::Lvl { bound: 3 }), 1 => Just(GraphPolicy::Lrr)];
    prop_oneof![
        24 => (back(), back(), back()).prop_map(|(x, y, z)| Saying::Offset(x, y, z)),
        3 => (anywhere(), anywhere(), anywhere()).prop_map(|(x, y, z)| Saying::Block(x, y, z)),
        2 => policy.prop_map(Saying::Policy),
    ]
}

pub fn grids() -> impl Strategy<Value = Dim3> {
    let size = || prop_oneof![8 => 1..=4u32, 1 => Just(0u32), 1 => Just(u32::MAX)];
    (prop_oneof![8 => 1..=9u32, 1 => Just(0u32)], size(), size()).prop_map(|(x, y, z)| Dim3 { x, y, z })
}

/// What random runs came across.
#[derive(Default)]
struct Reached {
    errors: BTreeSet<String>,
    found: BTreeSet<String>,
}

impl Reached {
    fn note(&mut self, answered: &Result<Answer, GraphError>) {
        // What is the matter, without where.
        let name = |value: &dyn std::fmt::Debug| {
            let text = format!("{value:?}");
            text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        };
        match answered {
            Err(error) => _ = self.errors.insert(name(error)),
            Ok(Answer::Selection(Selection::Stall(stall))) => _ = self.found.insert(name(stall)),
            Ok(Answer::Report(report)) => _ = self.found.insert(name(&report.pending)),
            Ok(Answer::Request(Some(Request::Decrement { .. }))) => _ = self.found.insert("Decrement".into()),
            Ok(_) => {}
        }
    }
}

#[test]
fn random_runs_reach_everything() {
    let mut runner = TestRunner::deterministic();
    let mut reached = Reached::default();
    for _ in 0..1500 {
        let (config, script) = (configs(), script()).new_tree(&mut runner).expect("a value").current();
        let mut core = heap::machine(&config).expect("random configurations are valid");
        play(&config, &script, &mut |_, event| {
            let answered = event.apply(&mut core);
            reached.note(&answered);
            Ok(answered)
        })
        .expect("nothing is looked at");
    }
    // 14 errors; the 5 flaws of a node and the 3 kinds of a fault count one by one.
    assert_eq!(reached.errors.len(), 14 + 4 + 2, "{:?}", reached.errors);
    // 5 stalls, 4 reasons to wait and none, spills.
    assert_eq!(reached.found.len(), 5 + 5 + 1, "{:?}", reached.found);
}
