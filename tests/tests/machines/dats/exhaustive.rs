//! Every way of every small graph through small buffers: invariants in each state, and what `admit` promises.

use std::collections::{BTreeSet, HashSet};

use gpusched::dats::{Admission, DgbConfig, GraphPolicy, LevelRef, Prefetch};
use gpusched_tests::dats::admit::deadlocks;
use gpusched_tests::dats::explore::{Answers, explore};
use gpusched_tests::dats::invariants::Run;
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::dats::{OfCore, OfModel, Parts, heap};

/// All graphs of `tbs` TBs, each once, whatever its TBs were called.
fn graphs(tbs: u32) -> Vec<Memory> {
    let mut seen = HashSet::new();
    let all = (0..1u64 << (tbs * (tbs - 1) / 2)).map(|edges| Memory::of_bits(tbs, edges));
    all.filter(|graph| seen.insert(graph.clone())).collect()
}

/// All combinations of small arrays.
fn buffers(lnas: &[u32], leas: &[u32], pubs: &[u32]) -> Vec<DgbConfig> {
    let mut configs = Vec::new();
    for (lna, lea) in lnas.iter().flat_map(|lna| leas.iter().map(move |lea| (*lna, *lea))) {
        for (&pub_entries, chunk_bytes) in pubs.iter().flat_map(|entries| [8, 16].map(|chunk| (entries, chunk))) {
            for prefetch in [Prefetch::ChunkFree, Prefetch::Eager] {
                let config = DgbConfig { smxs: 1, lna, lea, pub_entries, chunk_bytes, prefetch, ..DgbConfig::GTX480 };
                configs.extend(config.check().is_ok().then_some(config));
            }
        }
    }
    configs
}

/// How many graphs were looked at, by verdict.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    states: usize,
    safe: usize,
    may_deadlock: usize,
    deadlocks: usize,
    spilled: usize,
}

impl Seen {
    /// Nothing was left out by mistake.
    fn has_at_least(&self, least: &Self) {
        let counts = |s: &Self| [s.states, s.safe, s.may_deadlock, s.deadlocks, s.spilled];
        println!("{self:?}");
        assert!(counts(self).iter().zip(counts(least)).all(|(has, least)| *has >= least), "{self:?}");
    }
}

/// As many slots as there are TBs, and more.
const ENOUGH: usize = 9;

impl Seen {
    fn look(&mut self, graph: &Memory, config: &DgbConfig, policy: GraphPolicy, slots: usize, answers: Answers) {
        let verdict = OfCore::admit(config, &graph.nodes, &graph.edges);
        assert_eq!(verdict, OfModel::admit(config, &graph.nodes, &graph.edges), "{config:?}\n{graph:?}");
        if matches!(verdict, Admission::Oversize { .. }) && !config.spill {
            return;
        }
        let run = Run { config, graph, policy };
        let way = || format!("{config:?}\n{policy:?}, {slots} slots, answers {answers:?}\n{graph:?}");
        let machine = heap::machine(config).expect("a good configuration");
        let explored = explore(machine, &run, slots, answers).unwrap_or_else(|e| panic!("{e}\n{}", way()));
        self.states += explored.states;
        let (finishes, stuck) = (explored.finishes, &explored.stuck);
        if config.spill {
            self.spilled += 1;
            assert!(finishes && stuck.is_empty(), "with spill every way ends: {}", way());
            return;
        }
        match verdict {
            Admission::Safe => {
                self.safe += 1;
                assert!(finishes && stuck.is_empty(), "every way ends: {}", way());
            }
            Admission::MayDeadlock { .. } => {
                self.may_deadlock += 1;
                assert!(finishes, "some way ends: {}", way());
            }
            Admission::Deadlocks { node } => {
                self.deadlocks += 1;
                assert!(!finishes && !stuck.is_empty(), "no way ends: {}", way());
                assert!(stuck.iter().all(|t| *t <= node), "no way gets past {node:?}: {}", way());
            }
            Admission::Oversize { .. } => unreachable!("left above"),
        }
        if policy == GraphPolicy::Lrr && slots == ENOUGH {
            let exactly = deadlocks(config, &graph.nodes, &graph.edges).into_iter().collect::<BTreeSet<_>>();
            assert_eq!(*stuck, exactly, "the theorem: {}", way());
        }
    }
}

const LVL: [GraphPolicy; 2] = [GraphPolicy::Lvl { bound: 0 }, GraphPolicy::Lvl { bound: 1 }];

/// Requests and answers at any time, few slots or enough.
#[test]
fn up_to_four_tbs_with_memory_at_any_time() {
    let mut seen = Seen::default();
    let graphs = (1..=4).flat_map(graphs).collect::<Vec<_>>();
    for config in buffers(&[1, 2, 3], &[1, 2, 4], &[0, 1, 2]) {
        for graph in &graphs {
            for slots in [1, ENOUGH] {
                seen.look(graph, &config, GraphPolicy::Lrr, slots, Answers::AnyTime);
            }
            for policy in LVL {
                seen.look(graph, &config, policy, ENOUGH, Answers::AnyTime);
            }
            let spill = DgbConfig { spill: true, ..config };
            seen.look(graph, &spill, GraphPolicy::Lrr, ENOUGH, Answers::AnyTime);
        }
    }
    seen.has_at_least(&Seen { states: 600_000, safe: 8000, may_deadlock: 600, deadlocks: 5000, spilled: 4500 });
}

/// All orders of completions: what the verdict of `admit` says is so, with each policy.
#[test]
fn five_tbs_with_memory_at_once() {
    let mut seen = Seen::default();
    let graphs = graphs(5);
    for config in buffers(&[2, 3], &[2, 6], &[0, 1, 2]) {
        for graph in &graphs {
            seen.look(graph, &config, GraphPolicy::Lrr, ENOUGH, Answers::AtOnce);
        }
    }
    for config in buffers(&[4], &[3], &[0, 1]) {
        for graph in &graphs {
            for policy in LVL {
                seen.look(graph, &config, policy, ENOUGH, Answers::AtOnce);
                let active = DgbConfig { level_ref: LevelRef::Active, ..config };
                seen.look(graph, &active, policy, ENOUGH, Answers::AtOnce);
            }
            let cautious = DgbConfig { issue_needs_edges: true, ..config };
            seen.look(graph, &cautious, GraphPolicy::Lrr, ENOUGH, Answers::AtOnce);
            let spill = DgbConfig { spill: true, lea: 1, ..config };
            seen.look(graph, &spill, GraphPolicy::Lrr, ENOUGH, Answers::AtOnce);
        }
    }
    seen.has_at_least(&Seen { states: 500_000, safe: 10_000, may_deadlock: 2000, deadlocks: 10_000, spilled: 3000 });
}

#[test]
fn five_tbs_with_memory_at_any_time() {
    let mut seen = Seen::default();
    let graphs = graphs(5);
    for config in buffers(&[3], &[2, 6], &[1]) {
        for graph in &graphs {
            seen.look(graph, &config, GraphPolicy::Lrr, ENOUGH, Answers::AnyTime);
        }
    }
    for config in buffers(&[3], &[2], &[0]) {
        for graph in &graphs {
            let spill = DgbConfig { spill: true, ..config };
            seen.look(graph, &spill, GraphPolicy::Lrr, ENOUGH, Answers::AnyTime);
        }
    }
    seen.has_at_least(&Seen { states: 500_000, safe: 900, may_deadlock: 900, deadlocks: 2000, spilled: 2000 });
}
