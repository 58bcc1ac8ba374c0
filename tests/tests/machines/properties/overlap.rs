//! What sheet `launch2` promises of kernels that wait for others: who may start when (launch2-I4, launch2-I6), who is released
//! (launch2-I5), and what it is equal to (launch2-E2, launch2-E5).

use std::collections::{BTreeMap, BTreeSet};

use gpusched::{
    Config, Decision, Descriptor, HwqId, IssueSource, KernelEdge, KernelNode, KgraphId, KgraphPart, KmuArb, PdlPart,
    SmxSet, State,
};
use gpusched_tests::events::{Answer, Event, Value};
use proptest::prelude::*;

use crate::properties::configs::{Machine, machine};
use crate::properties::script::{Resolver, Step, play};
use crate::properties::timed::timed;

/// A kernel graph: tags, and edges between them with whether they are programmatic.
#[derive(Default)]
struct Graph {
    tags: Vec<u64>,
    edges: Vec<(u64, u64, bool)>,
}

/// What is known of kernels by their tags; what a kernel graph runs again is forgotten first.
#[derive(Default)]
struct Seen {
    dependents: BTreeSet<u64>,
    /// Issued and not complete, of each queue.
    in_flight: BTreeMap<HwqId, Vec<u64>>,
    open: BTreeSet<u64>,
    complete: BTreeSet<u64>,
    graphs: BTreeMap<KgraphId, Graph>,
    running: BTreeSet<KgraphId>,
    waiting: BTreeSet<(u32, u32)>,
}

impl Seen {
    fn called(&mut self, event: &Event, answer: &Answer) -> Result<(), TestCaseError> {
        match (event, &answer.value) {
            (
                Event::HostLaunchDependent { descriptor, .. } | Event::HostLaunchGraphDependent { descriptor, .. },
                Ok(_),
            ) => {
                self.dependents.insert(descriptor.tag);
            }
            (Event::HostLaunchCross { producers, is_dependent: true, .. }, Ok(_)) => {
                self.dependents.insert(producers.tag);
            }
            (Event::KgraphDefine { nodes, edges }, Ok(Value::Number(g))) => {
                let tags: Vec<_> = nodes.iter().map(|node| node.kernel.tag).collect();
                let edge = |edge: &KernelEdge| {
                    (tags[edge.from as usize], tags[edge.to as usize], edge.kind == KernelEdge::PDL)
                };
                let edges = edges.iter().map(edge).collect();
                self.graphs.insert(KgraphId(*g as u8), Graph { tags, edges });
            }
            (Event::TbWait { smx, slot }, Ok(_)) => {
                prop_assert!(self.waiting.insert((*smx, *slot)), "launch2-I5: a TB waits twice");
            }
            (Event::TbDone { smx, slot }, Ok(_)) => {
                prop_assert!(!self.waiting.contains(&(*smx, *slot)), "launch2-P5: a TB ends that waits");
            }
            _ => {}
        }
        Ok(())
    }

    fn decided(&mut self, decision: &Decision) -> Result<(), TestCaseError> {
        match *decision {
            Decision::Issue { source: IssueSource::Hwq(queue), tag, .. } => {
                let earlier = self.in_flight.entry(queue).or_default();
                let may_go = match earlier.last() {
                    Some(last) => self.dependents.contains(&tag) && self.open.contains(last),
                    None => true,
                };
                prop_assert!(may_go, "launch2-I4: {} starts while {:?} are in flight", tag, earlier);
                earlier.push(tag);
            }
            Decision::Issue { source: IssueSource::Node(_), tag, .. } => {
                let edges = self.graphs.values().flat_map(|graph| &graph.edges).filter(|edge| edge.1 == tag);
                for (from, _, is_pdl) in edges {
                    let is_there = self.complete.contains(from) || (*is_pdl && self.open.contains(from));
                    prop_assert!(is_there, "launch2-I6: {} starts before {}", tag, from);
                }
            }
            // Of a kernel that has ended it is not said; whether it has children left others check.
            Decision::Opened { tag, .. } | Decision::KernelDone { tag, .. } => {
                self.open.insert(tag);
            }
            Decision::Complete { tag } => {
                self.complete.insert(tag);
                for all in self.in_flight.values_mut() {
                    prop_assert!(
                        all.iter().position(|other| *other == tag).is_none_or(|at| at == 0),
                        "launch2-I2: {}",
                        tag
                    );
                    all.retain(|other| *other != tag);
                }
            }
            Decision::Released { smx, slot } => {
                let waited = self.waiting.remove(&(smx.into(), slot.into()));
                prop_assert!(waited, "launch2-I5: a TB is released that does not wait");
            }
            Decision::KgraphStart { graph, .. } => {
                prop_assert!(self.running.insert(graph), "launch2-I7: {:?} runs twice", graph);
                for tag in &self.graphs[&graph].tags {
                    self.complete.remove(tag);
                    self.open.remove(tag);
                }
            }
            Decision::KgraphDone { graph, .. } => {
                self.running.remove(&graph);
                let all = self.graphs[&graph].tags.iter().all(|tag| self.complete.contains(tag));
                prop_assert!(all, "launch2-K6: {:?} is done before its kernels are complete", graph);
            }
            _ => {}
        }
        Ok(())
    }
}

fn all_wait_for_what_they_need(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut seen = Seen::default();
    play(&mut machine(config), &mut Resolver::default(), steps, &mut |gpu, event| {
        let answer = event.apply(gpu);
        seen.called(event, &answer)?;
        answer.decisions.iter().try_for_each(|(_, decision)| seen.decided(decision))
    })
}

/// launch2-E2: where nobody triggers and nothing is flushed, programmatic dependents are ordinary kernels.
fn without_triggers_nothing_overlaps(config: &Config, steps: &[Step]) -> Result<(), TestCaseError> {
    let config = Config { pdl: Some(PdlPart::CUDA), flush_cycles: 0, ..*config };
    let mut other = machine(&config);
    play(&mut machine(&config), &mut Resolver::default(), steps, &mut |gpu, event| {
        let ordinary = match event.clone() {
            Event::TbTrigger { .. } | Event::TbWait { .. } => return Ok(()),
            Event::HostLaunchDependent { stream, descriptor, retain } => {
                Event::HostLaunch { stream, descriptor, retain }
            }
            Event::HostLaunchGraphDependent { stream, descriptor, retain, graph } => {
                Event::HostLaunchGraph { stream, descriptor, retain, graph }
            }
            Event::HostLaunchCross { stream, producers, retain, graph, consumers, .. } => {
                Event::HostLaunchCross { stream, producers, retain, is_dependent: false, graph, consumers }
            }
            // Of kernel graphs their programmatic edges are full ones.
            Event::KgraphDefine { nodes, edges } => {
                let full = |edge: KernelEdge| KernelEdge {
                    kind: if edge.kind == KernelEdge::PDL { 0 } else { edge.kind },
                    ..edge
                };
                Event::KgraphDefine { nodes, edges: edges.into_iter().map(full).collect() }
            }
            event => event,
        };
        prop_assert_eq!(event.apply(gpu), ordinary.apply(&mut other), "{:?}", event);
        Ok(())
    })
}

/// launch2-E5: kernels that follow each other in a graph are those of a stream, and kernels that wait for nothing those of as many streams.
fn a_graph_is_its_streams(config: &Config, sizes: &[u32], is_line: bool, takes: u64) -> Result<(), TestCaseError> {
    let n = sizes.len() as u32;
    let kgraph = KgraphPart { nodes: n, edges: n, ..KgraphPart::FREE };
    let config = Config {
        kgraph: Some(kgraph),
        kmu_arb: KmuArb::Fcfs,
        n_hwq: n,
        hwq_depth: n,
        dats: None,
        cross: false,
        bubble: None,
        partition: None,
        priority: None,
        ..config.ideal()
    };
    let tb = gpusched::Dim3::linear(1);
    let kernel =
        |(tag, size): (u64, &u32)| Descriptor { grid: gpusched::Dim3::linear(*size), tb, tag, ..Descriptor::default() };
    let kernels: Vec<_> = (1..).zip(sizes).map(kernel).collect();
    let mut of_streams = machine(&config);
    for (stream, kernel) in (0..).zip(&kernels) {
        let launched = of_streams.host_launch(if is_line { 0 } else { stream }, kernel, false);
        prop_assert!(launched.is_ok(), "{:?}", launched);
    }
    let mut of_graph = machine(&config);
    let nodes: Vec<_> = kernels.iter().map(|&kernel| KernelNode { kernel, retain: 0 }).collect();
    let edges = (1..n).map(|to| KernelEdge { from: to - 1, to, kind: KernelEdge::FULL });
    let edges: Vec<_> = if is_line { edges.collect() } else { Vec::new() };
    let graph = of_graph.kgraph_define(&nodes, &edges).map_err(|fault| TestCaseError::fail(fault.name()))?;
    prop_assert!(of_graph.kgraph_launch(graph, 0).is_ok());
    let tbs_of = |gpu: &mut Machine| timed(gpu, |_| takes, |_| {});
    prop_assert_eq!(tbs_of(&mut of_graph), tbs_of(&mut of_streams));
    Ok(())
}

/// launch2-E3: where every TB triggers at its start, and nobody waits, TBs are in the order of two streams.
#[test]
fn who_triggers_at_once_is_followed_as_another_stream() {
    let config = Config { pdl: Some(PdlPart::CUDA), grids: 8, n_smx: 2, tb_slots: 2, n_hwq: 2, ..Config::K20C.ideal() };
    let tb = gpusched::Dim3::linear(1);
    let kernel = |tag, tbs| Descriptor { grid: gpusched::Dim3::linear(tbs), tb, tag, ..Descriptor::default() };
    let order = |stream: u32| {
        let mut gpu = machine(&config);
        gpu.host_launch(0, &kernel(1, 5), false).unwrap();
        gpu.host_launch_dependent(stream, &kernel(2, 6), false).unwrap();
        let (mut order, mut ends) = (Vec::new(), Vec::new());
        while gpu.status() != State::Drained {
            for (_, decision) in Event::Tick.apply(&mut gpu).decisions {
                let Decision::Tb(tb) = decision else { continue };
                gpu.tb_trigger(tb.smx, tb.slot, &mut ()).unwrap();
                order.push((tb.tag, tb.blkid));
                ends.push((gpu.now().0 + 7, tb.smx, tb.slot));
            }
            let now = gpu.now().0;
            ends.retain(|&(at, smx, slot)| at > now || gpu.tb_done(smx, slot, &mut ()).is_err());
        }
        order
    };
    assert_eq!(order(0), order(1));
}

/// launch2-Q2: a child that an open kernel launches late starts once nothing but a gate keeps it out, and never where those that
/// wait for it hold every slot.
#[test]
fn a_late_child_is_gated_or_finds_no_room() {
    let tb = gpusched::Dim3::linear(1);
    let kernel = |tag, tbs| Descriptor { grid: gpusched::Dim3::linear(tbs), tb, tag, ..Descriptor::default() };
    // The first kernel ends when it has launched its child; `tbs` of the second one wait for both.
    let all_wait = |n_smx, tb_slots, tbs, eligible| {
        let cdp2 = Some(gpusched::Cdp2Part::CUDA);
        let config =
            Config { pdl: Some(PdlPart::CUDA), cdp2, grids: 8, n_smx, tb_slots, n_hwq: 1, ..Config::K20C.ideal() };
        let mut gpu = machine(&config);
        gpu.host_launch(0, &kernel(1, 1), false).unwrap();
        gpu.host_launch_dependent(0, &kernel(2, tbs), false).unwrap();
        let (mut first, mut waiting) = (None, 0);
        for _ in 0..100 {
            for (_, decision) in Event::Tick.apply(&mut gpu).decisions {
                match decision {
                    Decision::Tb(tb) if tb.tag == 1 => {
                        gpu.tb_trigger(tb.smx, tb.slot, &mut ()).unwrap();
                        first = Some((tb.smx, tb.slot));
                    }
                    Decision::Tb(tb) => {
                        gpu.tb_wait(tb.smx, tb.slot, &mut ()).unwrap();
                        waiting += 1;
                    }
                    _ => {}
                }
            }
            if let Some((smx, slot)) = first.filter(|_| waiting == 1) {
                gpu.set_eligible(eligible).unwrap();
                gpu.device_launch(smx, slot, &[kernel(3, 1)]).unwrap();
                gpu.tb_done(smx, slot, &mut ()).unwrap();
                first = None;
            }
        }
        assert_eq!(waiting, tbs);
        gpu
    };
    let mut gated = all_wait(2, 1, 1, SmxSet::EMPTY);
    assert_eq!(gated.status(), State::Gated);
    gated.set_eligible(SmxSet::first(2)).unwrap();
    assert_eq!(gated.status(), State::Running);
    let full = all_wait(1, 2, 2, SmxSet::first(1));
    assert_eq!((full.status(), full.next_event()), (State::WaitStuck, None));
}

on_each! {
    who_starts_may_and_who_waits_is_released: 3000 of grids => |((config, steps),)| {
        all_wait_for_what_they_need(&config, &steps)
    };
    where_nobody_triggers_dependents_are_ordinary: 2000 of grids => |((config, steps),)| {
        without_triggers_nothing_overlaps(&config, &steps)
    };
    a_kernel_graph_is_its_streams: 1000 of grids, prop::collection::vec(1..=5u32, 1..=6), any::<bool>(), 1..=9u64
        => |((config, _), sizes, is_line, takes)| a_graph_is_its_streams(&config, &sizes, is_line, takes);
}
