//! Every named error, in the order of the sheet's tests, and the state after it.

use std::collections::BTreeSet;

use gpusched::dats::{
    DepLinks, DepLinksError, DepLinksRow, Dgb, DgbConfig, DgbState, GraphError, GraphFaultKind, GraphHeader,
    GraphPolicy, GraphStorage, Node, NodeFlaw, NodeId, Phase, Request, Selection, Stall, admit,
};
use gpusched::{Dim3, Fault, KernelSlot, SmxId, SmxSet};
use gpusched_tests::dats::heap::{self, HeapTables};
use gpusched_tests::dats::{Answer, Event};

type Machine = Dgb<HeapTables>;

const CONFIG: DgbConfig = DgbConfig { smxs: 2, lna: 3, lea: 4, pub_entries: 0, chunk_bytes: 16, ..DgbConfig::GTX480 };
/// 0 -> 1 -> 2 and 0 -> 2, in two chunks of nodes.
const NODES: [Node; 3] = [Node::new(0, false, 0, 0), Node::new(2, false, 1, 1), Node::new(3, true, 2, 2)];
const EDGES: [NodeId; 3] = [NodeId(1), NodeId(2), NodeId(2)];
const HEADER: GraphHeader = GraphHeader { v: 3, e: 3, node_base: 0, edge_base: 0, policy: GraphPolicy::Lrr };

fn launch(graph: GraphHeader) -> Event {
    Event::Launch { kde: KernelSlot(0), graph }
}

fn fits(smxs: &[u16]) -> Event {
    let mut set = SmxSet::EMPTY;
    smxs.iter().for_each(|s| set.set(SmxId(*s), true));
    Event::Select { fits: set }
}

fn after(mut m: Machine, events: &[Event]) -> Machine {
    for event in events {
        event.apply(&mut m).unwrap_or_else(|error| panic!("{error:?}: {event:?}"));
    }
    m
}

fn idle() -> Machine {
    heap::machine(&CONFIG).unwrap()
}

/// Nodes 0 and 1 are asked for, under tag 0.
fn asked() -> Machine {
    after(idle(), &[launch(HEADER), Event::Poll])
}

/// They are there; all edges are asked for, under tag 1.
fn edges_asked() -> Machine {
    after(asked(), &[Event::Nodes { tag: 0, entries: NODES[..2].to_vec() }, Event::Poll])
}

/// Node 0 runs; node 2 is asked for, under tag 2.
fn running() -> Machine {
    after(edges_asked(), &[Event::Edges { tag: 1, targets: EDGES.to_vec() }, Event::Poll, fits(&[0])])
}

fn finished() -> Machine {
    let one = GraphHeader { v: 1, e: 0, ..HEADER };
    let arrived = Event::Nodes { tag: 0, entries: vec![Node::new(0, true, 0, 0)] };
    after(idle(), &[launch(one), Event::Poll, arrived, fits(&[0]), Event::Complete { node: NodeId(0) }])
}

/// Node 1 has one parent too many.
fn faulted() -> Machine {
    let two = GraphHeader { v: 2, e: 1, ..HEADER };
    let nodes = vec![Node::new(0, false, 0, 0), Node::new(1, true, 2, 1)];
    let edges = Event::Edges { tag: 1, targets: vec![NodeId(1)] };
    let mut m = after(
        idle(),
        &[launch(two), Event::Poll, Event::Nodes { tag: 0, entries: nodes }, Event::Poll, edges, fits(&[0])],
    );
    assert_eq!(m.complete(NodeId(0)), Err(FAULT));
    m
}

const FAULT: GraphError = GraphError::GraphFault { kind: GraphFaultKind::ParentExcess, node: NodeId(1) };

fn nodes(of: [(u32, bool, u16, u16); 2]) -> Event {
    Event::Nodes {
        tag: 0,
        entries: of.map(|(start, childless, parents, level)| Node::new(start, childless, parents, level)).to_vec(),
    }
}

fn bad_graph(node: u16, what: NodeFlaw) -> GraphError {
    GraphError::BadGraph { node: NodeId(node), what }
}

/// A refusal, the machine that refuses, and the event.
type Refusal = (GraphError, fn() -> Machine, Event);

/// What is refused, where, with what. Where an event has several faults, the first of the sheet's order is told.
fn refusals() -> Vec<Refusal> {
    use GraphError as E;
    use NodeFlaw as F;
    let top = u64::MAX - 15;
    let too_many = GraphHeader { v: 65536, e: 1 << 31, node_base: 8, ..HEADER };
    let not_running = |node| E::NotRunning { node: NodeId(node) };
    let bad_smx = |smx| E::BadSmx { smx: SmxId(smx) };
    vec![
        (E::Busy, asked, launch(GraphHeader { v: 0, ..too_many })),
        (E::EmptyGraph, idle, launch(GraphHeader { v: 0, ..too_many })),
        (E::EmptyGraph, finished, launch(GraphHeader { v: 0, ..too_many })),
        (E::TooManyNodes, idle, launch(too_many)),
        (E::TooManyNodes, idle, launch(GraphHeader { v: u32::MAX, ..HEADER })),
        (E::TooManyEdges, idle, launch(GraphHeader { v: 65535, ..too_many })),
        (E::Misaligned, idle, launch(GraphHeader { v: 65535, node_base: u64::MAX - 7, ..HEADER })),
        (E::Misaligned, idle, launch(GraphHeader { edge_base: 1, node_base: top, ..HEADER })),
        (E::AddressOverflow, idle, launch(GraphHeader { node_base: top, ..HEADER })),
        (E::AddressOverflow, idle, launch(GraphHeader { e: 9, edge_base: top, ..HEADER })),
        (E::StaleTag, idle, Event::Nodes { tag: 0, entries: Vec::new() }),
        (E::StaleTag, idle, Event::Edges { tag: 0, targets: Vec::new() }),
        (E::StaleTag, idle, Event::Spilled { tag: 0 }),
        (E::StaleTag, finished, Event::Nodes { tag: 0, entries: Vec::new() }),
        (E::StaleTag, asked, Event::Nodes { tag: 1, entries: Vec::new() }),
        (E::StaleTag, asked, Event::Edges { tag: 0, targets: Vec::new() }),
        (E::StaleTag, asked, Event::Spilled { tag: 0 }),
        (E::StaleTag, edges_asked, Event::Nodes { tag: 0, entries: NODES[..2].to_vec() }),
        (E::StaleTag, edges_asked, Event::Edges { tag: 0, targets: EDGES.to_vec() }),
        (E::BadLength, asked, nodes([(9, true, 9, 9); 2]).shorter()),
        (E::BadLength, asked, Event::Nodes { tag: 0, entries: NODES.to_vec() }),
        (E::BadLength, edges_asked, Event::Edges { tag: 1, targets: vec![NodeId(0); 2] }),
        (E::BadLength, edges_asked, Event::Edges { tag: 1, targets: vec![NodeId(0); 4] }),
        (bad_graph(0, F::EdgeStart), asked, nodes([(1, true, 9, 9), (0, true, 9, 9)])),
        (bad_graph(0, F::Level), asked, nodes([(0, true, 9, 1), (0, true, 9, 9)])),
        (bad_graph(0, F::Parents), asked, nodes([(0, true, 1, 0), (0, true, 9, 9)])),
        (bad_graph(1, F::EdgeStart), asked, nodes([(0, true, 0, 0), (4, true, 0, 9)])),
        (bad_graph(0, F::Childless), asked, nodes([(0, true, 0, 0), (3, true, 0, 9)])),
        (bad_graph(0, F::Childless), asked, nodes([(0, false, 0, 0), (0, true, 0, 9)])),
        (bad_graph(1, F::Level), asked, nodes([(0, false, 0, 0), (3, true, 0, 2)])),
        (bad_graph(1, F::Parents), asked, nodes([(0, false, 0, 0), (3, true, 0, 1)])),
        (bad_graph(1, F::Parents), asked, nodes([(0, false, 0, 0), (3, true, 1, 0)])),
        (E::BadEdge { edge: 0 }, edges_asked, Event::Edges { tag: 1, targets: [0, 0, 3].map(NodeId).to_vec() }),
        (E::BadEdge { edge: 2 }, edges_asked, Event::Edges { tag: 1, targets: [2, 1, 3].map(NodeId).to_vec() }),
        (E::BadEdge { edge: 1 }, edges_asked, Event::Edges { tag: 1, targets: [2, u16::MAX, 3].map(NodeId).to_vec() }),
        (E::NotLaunched, idle, fits(&[2])),
        (bad_smx(2), asked, fits(&[0, 255, 2])),
        (bad_smx(255), finished, fits(&[0, 255])),
        (E::NotLaunched, idle, Event::Complete { node: NodeId(0) }),
        (E::NotLaunched, finished, Event::Complete { node: NodeId(0) }),
        (not_running(0), asked, Event::Complete { node: NodeId(0) }),
        (not_running(0), edges_asked, Event::Complete { node: NodeId(0) }),
        (not_running(1), running, Event::Complete { node: NodeId(1) }),
        (not_running(2), running, Event::Complete { node: NodeId(2) }),
        (not_running(u16::MAX), running, Event::Complete { node: NodeId(u16::MAX) }),
    ]
}

trait Shorter {
    fn shorter(self) -> Self;
}

impl Shorter for Event {
    fn shorter(self) -> Self {
        match self {
            Self::Nodes { tag, entries } => Self::Nodes { tag, entries: entries[1..].to_vec() },
            other => other,
        }
    }
}

#[test]
fn every_refusal_changes_nothing() {
    for (i, (error, state, event)) in refusals().into_iter().enumerate() {
        let mut m = state();
        let before = m.clone();
        assert_eq!(event.apply(&mut m), Err(error), "refusal {i}, {event:?}");
        assert!(m == before, "refusal {i}, {event:?}, changed the state");
    }
}

/// dats-H13: whatever was refused, the right answer is taken afterwards.
#[test]
fn the_host_may_answer_again() {
    for (_, state, event) in refusals() {
        let mut m = state();
        let right = match event {
            Event::Nodes { .. } => Event::Nodes { tag: 0, entries: NODES[..2].to_vec() },
            Event::Edges { .. } => Event::Edges { tag: 1, targets: EDGES.to_vec() },
            _ => continue,
        };
        let fresh = right.apply(&mut state());
        event.apply(&mut m).unwrap_err();
        assert_eq!(right.apply(&mut m), fresh, "after {event:?}");
    }
}

/// What is next to those refusals is accepted: the limits are where the sheet has them.
#[test]
fn what_is_within_the_limits_is_accepted() {
    let top = u64::MAX - 15;
    let good = [
        GraphHeader { v: 65535, e: 0x7fff_ffff, ..HEADER },
        GraphHeader { v: 65535, node_base: 0u64.wrapping_sub(65536 * 8), ..HEADER },
        GraphHeader { v: 2, node_base: top, ..HEADER },
        GraphHeader { e: 8, edge_base: top, ..HEADER },
        GraphHeader { e: 0, edge_base: top, ..HEADER },
    ];
    for graph in good {
        assert_eq!(launch(graph).apply(&mut idle()), Ok(Answer::Done), "{graph:?}");
    }
    let mut m = after(asked(), &[nodes([(0, false, 0, 0), (3, true, 9, 1)])]);
    assert_eq!(m.state().fetched, 2);
    m = after(m, &[Event::Poll, Event::Edges { tag: 1, targets: [1, 2, 2].map(NodeId).to_vec() }, fits(&[])]);
    assert_eq!(m.state().edge_head, 3);
}

/// The last node: its edges end where the array ends, and it has no children.
#[test]
fn the_last_node_ends_the_edges() {
    let last = |node: Node| {
        let mut m = after(running(), &[Event::Complete { node: NodeId(0) }, Event::Poll]);
        m.nodes(2, &[node])
    };
    assert_eq!(last(Node::new(2, true, 2, 2)), Err(bad_graph(2, NodeFlaw::EdgeStart)));
    assert_eq!(last(Node::new(3, false, 2, 2)), Err(bad_graph(2, NodeFlaw::Childless)));
    assert_eq!(last(Node::new(3, true, 2, 3)), Err(bad_graph(2, NodeFlaw::Level)));
    assert_eq!(last(Node::new(3, true, 2, 0)), Err(bad_graph(2, NodeFlaw::Level)));
    assert!(last(Node::new(3, true, 2, 2)).is_ok());
}

/// dats-N1 (c) and (e): only with `spill` may a node have more edges than the LEA, or parents that were counted down before.
#[test]
fn spilling_allows_more() {
    let small = DgbConfig { lea: 2, ..CONFIG };
    let asked = |spill| after(heap::machine(&DgbConfig { spill, ..small }).unwrap(), &[launch(HEADER), Event::Poll]);
    let oversize = nodes([(0, false, 0, 0), (3, true, 1, 1)]);
    assert_eq!(oversize.apply(&mut asked(false)), Err(bad_graph(0, NodeFlaw::Oversize)));
    assert!(oversize.apply(&mut asked(true)).is_ok());
    let counted_down = nodes([(0, false, 0, 0), (2, false, 0, 1)]);
    assert_eq!(counted_down.apply(&mut asked(false)), Err(bad_graph(1, NodeFlaw::Parents)));
    assert!(counted_down.apply(&mut asked(true)).is_ok());
    let at_level_0 = nodes([(0, false, 0, 0), (2, false, 1, 0)]);
    assert_eq!(at_level_0.apply(&mut asked(true)), Err(bad_graph(1, NodeFlaw::Parents)));
}

/// Every verb meets the fault, until `abort`; what can be seen goes on being seen.
#[test]
fn a_graph_fault_is_sticky() {
    let events = [
        launch(HEADER),
        launch(GraphHeader { v: 0, ..HEADER }),
        Event::Poll,
        Event::Nodes { tag: 9, entries: Vec::new() },
        Event::Edges { tag: 9, targets: Vec::new() },
        Event::Spilled { tag: 9 },
        fits(&[255]),
        Event::Complete { node: NodeId(9) },
    ];
    let mut m = faulted();
    for event in events {
        let before = m.clone();
        assert_eq!(event.apply(&mut m), Err(FAULT), "{event:?}");
        assert!(m == before, "{event:?}");
    }
    assert_eq!(m.phase(), Phase::Faulted { kind: GraphFaultKind::ParentExcess, node: NodeId(1) });
    assert_eq!((m.stats().dispatched, m.next_node(), m.waits_for_memory()), (1, None, false));
    assert_eq!(m.abort(), 0);
    assert_eq!((m.phase(), m.abort()), (Phase::Idle, 0));
    assert_eq!(
        Event::Nodes { tag: 1, entries: NODES[..2].to_vec() }.apply(&mut m),
        Err(GraphError::StaleTag),
        "dats-H12"
    );
    assert_eq!(launch(HEADER).apply(&mut m), Ok(Answer::Done));
}

/// dats-X1: TBs that still run are counted, those that wait for the PUB are not; late answers are stale.
#[test]
fn an_aborted_graph_is_forgotten() {
    let mut m = running();
    assert_eq!(m.abort(), 1);
    assert_eq!((m.phase(), m.graph()), (Phase::Idle, None));
    assert_eq!(m.state(), DgbState { next_smx: SmxId(1), ..DgbState::default() });
    let late = [
        Event::Nodes { tag: 2, entries: NODES[2..].to_vec() },
        Event::Edges { tag: 1, targets: EDGES.to_vec() },
        Event::Spilled { tag: 2 },
    ];
    for event in late {
        assert_eq!(event.apply(&mut m), Err(GraphError::StaleTag), "{event:?}");
    }
    assert_eq!((m.poll(), m.complete(NodeId(0))), (Ok(None), Err(GraphError::NotLaunched)));
    // Tags and the turn of the SMXs go on.
    m = after(m, &[launch(HEADER)]);
    assert!(matches!(m.poll(), Ok(Some(Request::Nodes { tag: 3, first: 0, .. }))));
    assert_eq!(m.next_smx(), SmxId(1));
    assert_eq!(m.stats().dispatched, 0);
    let mut pending = after(running(), &[Event::Complete { node: NodeId(0) }, Event::Poll]);
    assert_eq!(pending.abort(), 0);
}

/// What can be asked of a machine without a running graph.
#[test]
fn an_idle_machine_waits() {
    for state in [idle, finished] {
        let mut m = state();
        assert_eq!((m.poll(), m.next_node(), m.waits_for_memory()), (Ok(None), None, false));
    }
    assert_eq!(finished().select(&SmxSet::first(2)), Ok(Selection::Finished));
    assert_eq!(finished().select(&SmxSet::EMPTY), Ok(Selection::Finished));
    assert_eq!(finished().abort(), 0);
    assert_eq!(asked().select(&SmxSet::first(2)), Ok(Selection::Stall(Stall::NoReady)));
}

fn error_names(answers: impl Iterator<Item = GraphError>) -> BTreeSet<&'static str> {
    answers.map(|error| error.fault().name()).collect()
}

/// No error of the sheet without a refusal above.
#[test]
fn every_error_of_the_sheet_is_provoked() {
    let provoked = error_names(refusals().into_iter().map(|(error, ..)| error).chain([FAULT]));
    let sheet = "Busy EmptyGraph TooManyNodes TooManyEdges Misaligned AddressOverflow StaleTag BadLength BadGraph BadEdge \
        BadSmx NotLaunched NotRunning GraphFault";
    assert_eq!(provoked, sheet.split_whitespace().collect());
    assert!(sheet.split_whitespace().all(|name| Fault::ALL.iter().any(|fault| fault.name() == name)));
}

// ---- the builder, the admission check

struct Room {
    nodes: Vec<Node>,
    edges: Vec<NodeId>,
    order: Vec<u16>,
    parents: Vec<u16>,
    rows: Vec<DepLinksRow>,
}

impl Room {
    fn of(nodes: usize, edges: usize) -> Self {
        Self {
            nodes: vec![Node::default(); nodes],
            edges: vec![NodeId(0); edges],
            order: vec![0; nodes],
            parents: vec![0; edges],
            rows: vec![DepLinksRow::default(); nodes],
        }
    }

    fn storage(&mut self) -> GraphStorage<'_> {
        let Self { nodes, edges, order, parents, rows } = self;
        GraphStorage { nodes, edges, order, parents, rows }
    }
}

#[test]
fn a_builder_without_room_is_refused() {
    type Shrink = fn(&mut Room);
    let shrink: [(&str, Shrink); 3] = [
        ("nodes", |room| room.nodes.truncate(3)),
        ("order", |room| room.order.truncate(3)),
        ("rows", |room| room.rows.truncate(3)),
    ];
    for (name, shrink) in shrink {
        let mut room = Room::of(4, 0);
        shrink(&mut room);
        let error = DepLinks::new(Dim3::linear(4), room.storage()).err();
        let Some(DepLinksError::Storage(small)) = error else { panic!("{name}: {error:?}") };
        assert_eq!((small.table, small.have, small.need), (name, 3, 4));
    }
    // Either list of edges that is short is short.
    for short in [|room: &mut Room| room.edges.truncate(1), |room: &mut Room| room.parents.truncate(1)] {
        let mut room = Room::of(3, 2);
        short(&mut room);
        let built = DepLinks::build(Dim3::linear(3), room.storage(), |block, links| {
            links.add_dependency(i64::from(block.x) - 1, 0, 0)
        });
        assert_eq!(built.err(), Some(DepLinksError::EdgeStorageFull { tb: 2 }));
    }
}

/// Behind the last TB there is nothing to say; a refused call says nothing either.
#[test]
fn a_builder_goes_on_after_a_refusal() {
    let mut room = Room::of(3, 2);
    let mut links = DepLinks::new(Dim3::linear(3), room.storage()).unwrap();
    assert_eq!(links.add_dependency(0, 0, 0), Err(DepLinksError::SelfDependency { tb: 0 }));
    links.set_policy(GraphPolicy::Lvl { bound: 2 }).unwrap();
    links.advance().unwrap();
    assert_eq!(links.set_policy(GraphPolicy::Lrr), Err(DepLinksError::PolicyConflict { tb: 1 }));
    assert_eq!((links.tb(), links.block()), (1, Some(Dim3 { x: 1, y: 0, z: 0 })));
    links.add_dependency(0, 0, 0).unwrap();
    links.advance().unwrap();
    links.add_dependency(1, 0, 0).unwrap();
    assert_eq!(links.add_dependency(0, 0, 0), Err(DepLinksError::EdgeStorageFull { tb: 2 }));
    links.advance().unwrap();
    assert_eq!((links.tb(), links.block()), (3, None));
    assert_eq!(links.advance(), Err(DepLinksError::Complete));
    assert_eq!(links.add_dependency(0, 0, 0), Err(DepLinksError::Complete));
    assert_eq!(links.barrier(0..1, 1..2), Err(DepLinksError::Complete));
    assert_eq!(links.set_policy(GraphPolicy::Lrr), Err(DepLinksError::Complete));
    let graph = links.finish().unwrap();
    assert_eq!((graph.edges, graph.order, graph.levels), (&[1, 2].map(NodeId)[..], &[0, 1, 2][..], 3));
    assert_eq!(graph.policy, GraphPolicy::Lvl { bound: 2 });
}

/// dats-B1, for grids whose sizes multiply beyond every width.
#[test]
fn grids_have_a_tb_and_not_too_many() {
    let nodes = |x, y, z| DepLinks::nodes_of(Dim3 { x, y, z });
    let most = u32::MAX;
    assert_eq!((nodes(65535, 1, 1), nodes(257, 255, 1), nodes(1, 1, 65535)), (Ok(65535), Ok(65535), Ok(65535)));
    for grid in [(65536, 1, 1), (256, 256, 1), (most, most, most), (1 << 16, 1 << 16, 1 << 16), (1 << 31, 2, 1)] {
        assert_eq!(nodes(grid.0, grid.1, grid.2), Err(DepLinksError::TooManyNodes), "{grid:?}");
    }
    for grid in [(0, 0, 0), (most, most, 0), (0, most, most), (most, 0, most)] {
        assert_eq!(nodes(grid.0, grid.1, grid.2), Err(DepLinksError::EmptyGrid), "{grid:?}");
    }
}

#[test]
fn the_admission_check_wants_a_counter_per_node() {
    let small = admit(&CONFIG, &NODES, &EDGES, &mut [0; 2]).unwrap_err();
    assert_eq!((small.table, small.have, small.need), ("scratch", 2, 3));
    assert!(admit(&CONFIG, &NODES, &EDGES, &mut [9; 5]).is_ok());
}

/// Chunks of less than a node never bring one: that is looked at, too.
#[test]
fn the_admission_check_ends_for_any_configuration() {
    let config = DgbConfig { chunk_bytes: 4, ..CONFIG };
    assert!(config.check().is_err() && admit(&config, &NODES, &EDGES, &mut [0; 3]).is_ok());
}

/// What an error says names what and where.
#[test]
fn errors_say_where() {
    let said = |error: &dyn std::fmt::Display| error.to_string();
    assert!(said(&bad_graph(7, NodeFlaw::Level)).starts_with("node 7: "));
    assert!(said(&FAULT).starts_with("node 1: "));
    assert!(said(&GraphError::BadEdge { edge: 9 }).starts_with("edge 9: "));
    assert!(said(&GraphError::BadSmx { smx: SmxId(4) }).starts_with("SMX 4: "));
    assert!(said(&GraphError::NotRunning { node: NodeId(5) }).starts_with("node 5: "));
    assert!(said(&DepLinksError::Cycle { tb: 3 }).starts_with("TB 3: "));
    assert_eq!(said(&GraphError::Busy), Fault::Busy.to_string());
}
