//! Random runs, graphs and verdicts: the core answers and stands as the model does, and keeps the invariants.

use std::collections::BTreeSet;

use gpusched::dats::{Admission, DgbConfig, GraphError, GraphPolicy, NodeId, Phase, Request, Selection};
use gpusched::{Cycle, Dim3};
use gpusched_tests::dats::deplinks::Link;
use gpusched_tests::dats::invariants::Run;
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::dats::model::Model;
use gpusched_tests::dats::view::View;
use gpusched_tests::dats::{Answer, Answered, Dgbs, Event, OfC, OfCore, OfModel, Parts, Queries, ThroughC};
use proptest::prelude::*;

use crate::dats::images;
use crate::dats::script::{Graph, Host, Step, configs, memory, node, steps, story};
use crate::every::{Call, Runs, Script, reach, runs};

/// Any cycle.
const NOW: Cycle = Cycle(7);

impl Script for Dgbs {
    type Step = Step;
    type Host = Host;

    const RUNS: Runs = Runs { model: 2000, c: 400, image: 1500, forged: 300 };
    const PRESETS: &'static [DgbConfig] = &[DgbConfig::GTX480, DgbConfig::GTX480_LRR];
    const BAD: DgbConfig = DgbConfig { lna: 16, ..DgbConfig::GTX480 };

    fn configs() -> BoxedStrategy<DgbConfig> {
        configs().boxed()
    }

    fn steps() -> BoxedStrategy<Vec<Step>> {
        steps(60).boxed()
    }

    fn story() -> BoxedStrategy<Vec<Step>> {
        story().boxed()
    }

    fn host(config: &DgbConfig) -> Host {
        Host::new(config)
    }

    fn step(
        core: &mut Self::Core,
        host: &mut Host,
        step: &Step,
        call: &mut Call<'_, Self>,
    ) -> Result<(), TestCaseError> {
        host.step(step, &mut |host, event| call(core, host, event))
    }

    fn note(
        host: &mut Host,
        event: &Event,
        answered: &Answered,
        before: &View,
        after: &View,
        core: &Self::Core,
    ) -> Result<(), String> {
        let answer = match answered {
            Err(GraphError::GraphFault { kind, node }) => {
                let is_kept = after.phase == Phase::Faulted { kind: *kind, node: *node };
                return if is_kept { Ok(()) } else { Err(format!("{answered:?}, and then {after:?}")) };
            }
            Err(_) => return Ok(()),
            Ok(answer) => answer,
        };
        let good = host.graph.as_ref().filter(|graph| !graph.damaged && host.is_faithful(event));
        if let (Some(graph), false) = (good, matches!(event, Event::Abort | Event::Launch { .. })) {
            let config = core.config();
            let run = Run { config: &config, graph: &graph.memory, policy: graph.policy };
            run.check(after).and_then(|()| run.check_event(before, event, answer, after))?;
            if after.phase == Phase::Finished && host.whole_chunks {
                let chunks = (graph.memory.edges.len() as u32).div_ceil(config.chunk_edges());
                if after.stats.edge_requests != chunks {
                    return Err(format!("dats-Q13: {chunks} chunks in {after:?}"));
                }
            }
        }
        Ok(())
    }

    fn beside(core: &Self::Core, model: &Model) -> Result<(), String> {
        let (next, waits) = (model.next_node(), model.waits_for_memory());
        let expected = (next, waits, (next.is_some() || model.is_request_due()).then_some(NOW));
        let now = (core.next_node(), core.waits_for_memory(), core.next_event(NOW));
        if now == expected { Ok(()) } else { Err(format!("{now:?}, the model {expected:?}")) }
    }

    /// dats-Q10, and what `admit` promises.
    fn ends(core: &mut Self::Core, host: &mut Host, _: &[Step]) -> Result<(), String> {
        let view = View::of(core);
        let Some(Graph { memory, .. }) = host.graph.as_ref().filter(|graph| !graph.damaged) else { return Ok(()) };
        let finished = view.phase == Phase::Finished;
        let verdict = OfCore::admit(&core.config(), &memory.nodes, &memory.edges);
        let as_promised = match verdict {
            _ if core.config().spill => finished,
            Admission::Safe => finished,
            Admission::MayDeadlock { .. } => finished != view.deadlock.is_some(),
            Admission::Deadlocks { .. } => view.deadlock.is_some(),
            Admission::Oversize { .. } => !finished,
        };
        if as_promised { Ok(()) } else { Err(format!("{verdict:?}, and then {view:?}")) }
    }

    fn shows(core: &Self::Core, c: &ThroughC) -> Result<(), TestCaseError> {
        prop_assert_eq!(c.graph(), Queries::graph(core));
        prop_assert_eq!(c.state(), Queries::state(core));
        Ok(())
    }

    /// What a buffer is like after a fault has no meaning.
    fn alike(one: &View, other: &View) -> bool {
        one == other || (one.phase == other.phase && matches!(one.phase, Phase::Faulted { .. }))
    }

    fn some() -> Vec<(u8, &'static str, Self::Core)> {
        vec![(4, "dats-busy-v2.bin", images::busy()), (4, "dats-spilling-v2.bin", images::spilling())]
    }
}

proptest! {
    #![proptest_config(runs(3000))]

    #[test]
    fn the_verdict_is_that_of_the_rule(config in configs(), memory in memory()) {
        let Memory { nodes, edges } = memory;
        let verdict = OfCore::admit(&config, &nodes, &edges);
        prop_assert_eq!(&OfModel::admit(&config, &nodes, &edges), &verdict);
        prop_assert_eq!(&OfC::admit(&config, &nodes, &edges), &verdict);
        prop_assert_eq!(OfC::storage_bits(&config), OfCore::storage_bits(&config));
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
        let built = OfCore::build(grid, edge_cap, &links);
        prop_assert_eq!(&OfModel::build(grid, edge_cap, &links), &built);
        prop_assert_eq!(&OfC::build(grid, edge_cap, &links), &built);
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
    let mut reached = Reached::default();
    reach::<Dgbs>(1500, |_, answered, _| reached.note(answered));
    // 14 errors; the 5 flaws of a node and the 3 kinds of a fault count one by one.
    assert_eq!(reached.errors.len(), 14 + 4 + 2, "{:?}", reached.errors);
    // 5 stalls, 4 reasons to wait and none, spills.
    assert_eq!(reached.found.len(), 5 + 5 + 1, "{:?}", reached.found);
}

/// The storage of the presets is that of the core.
#[test]
fn presets_take_the_same_storage_through_c() {
    for config in [DgbConfig::GTX480, DgbConfig::GTX480_LRR] {
        assert_eq!(OfC::storage_bits(&config), OfCore::storage_bits(&config));
    }
}
