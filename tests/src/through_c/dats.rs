//! Dependency graphs as a C program has them: the buffer alone, the builder, the admission check.

use std::ffi::CStr;
use std::ptr;

use gpusched::dats::{
    Admission, Completion, DepLinksError, DgbConfig, DgbStats, GraphError, GraphFaultKind, GraphHeader, GraphPolicy,
    LevelRef, MAX_EDGES, Node, NodeFlaw, NodeId, NodeState, Pending, Phase, Prefetch, Report, Request, Selection,
    Stall,
};
use gpusched::{Dim3, Fault, KernelSlot, SmxId};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::config::gpusched_parameter;
use gpusched_abi::dats::admit::*;
use gpusched_abi::dats::build::*;
use gpusched_abi::dats::builder::*;
use gpusched_abi::dats::config::*;
use gpusched_abi::dats::gpusched_dgb;
use gpusched_abi::dats::graph::*;
use gpusched_abi::dats::image::*;
use gpusched_abi::dats::query::*;
use gpusched_abi::dats::verbs::*;
use gpusched_abi::frontend::launch::gpusched_dim3;
use gpusched_abi::object::gpusched_layout;
use gpusched_abi::smx::gpusched_smx_set;
use gpusched_abi::status::gpusched_status as Status;

use super::config::{code, field, fields};
use super::look::expect;
use super::object::{self, Block, Object, done, fault};
use super::records::{flag, narrow, number, one_of};
use crate::dats::deplinks::{Built, Link};
use crate::dats::event::{Answer, Answered, Event};
use crate::dats::view::{Resident, View};
use crate::dats::{Machine, Parts};

pub(super) const PREFETCH: [(u32, Prefetch); 2] = [
    (gpusched_dgb_prefetch::ChunkFree as u32, Prefetch::ChunkFree),
    (gpusched_dgb_prefetch::Eager as u32, Prefetch::Eager),
];
pub(super) const LEVEL_REF: [(u32, LevelRef); 2] = [
    (gpusched_dgb_level_ref::Incomplete as u32, LevelRef::Incomplete),
    (gpusched_dgb_level_ref::Active as u32, LevelRef::Active),
];

fields! {
    gpusched_dgb_config: put, get = DgbConfig;
    numbers
    smxs lna lea pub_entries chunk_bytes;
    choices
    prefetch PREFETCH
    level_ref LEVEL_REF;
    flags
    issue_needs_edges spill
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_config(config: &DgbConfig) -> gpusched_dgb_config {
    let mut c = gpusched_dgb_config { struct_size: size_of::<gpusched_dgb_config>() as u32, ..Default::default() };
    put(&mut c, config);
    c
}

/// A buffer in a block, reached through C functions only.
pub struct ThroughC {
    object: Object<gpusched_dgb>,
    config: DgbConfig,
}

impl ThroughC {
    /// A buffer of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &DgbConfig) -> Result<Self, Status> {
        let given = c_config(config);
        let object = Object::new(&given, gpusched_dgb_layout, gpusched_dgb_init)?;
        let mut told = c_config(&DgbConfig::GTX480);
        // SAFETY: both live.
        let status = unsafe { gpusched_dgb_get_config(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!((status, told), (Status::Ok, given));
        Ok(Self { object, config: *config })
    }

    /// The object.
    #[must_use]
    pub fn object(&self) -> &Object<gpusched_dgb> {
        &self.object
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(self.object.image(gpusched_dgb_save, gpusched_dgb_image_size))
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(gpusched_dgb_restore, image)
    }

    /// What the object says of itself in one record.
    #[must_use]
    pub fn state(&self) -> gpusched_dgb_state {
        self.object.ask(gpusched_dgb_get_state)
    }

    /// The graph that was launched last.
    #[must_use]
    pub fn graph(&self) -> Option<GraphHeader> {
        let mut graph = gpusched_graph_header::default();
        // SAFETY: the object and the header live.
        match unsafe { gpusched_dgb_get_graph(self.object.c(), &mut graph) } {
            Status::Ok => Some(core_header(&graph)),
            Status::NotLaunched => None,
            other => panic!("{other:?}"),
        }
    }
}

impl Machine for ThroughC {
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Answered {
        let dgb = self.object.c();
        let mut wrong = gpusched_graph_error::default();
        let (mut report, mut executing) = (gpusched_graph_report::default(), 0);
        // SAFETY: all pointers are of living values.
        let answer = unsafe {
            match event {
                Event::Launch(launch) => {
                    let kde = launch.kdei.0.into();
                    let status = gpusched_dgb_launch(dgb, kde, &c_header(&launch.graph), &mut wrong);
                    done(status).map(|()| Answer::Done)
                }
                Event::Poll => {
                    let mut request = gpusched_graph_request::default();
                    let status = gpusched_dgb_poll(dgb, &mut request, &mut wrong);
                    done(status).map(|()| Answer::Request(core_request(&request)))
                }
                Event::Nodes(tag, entries) => {
                    let bits = bits(entries);
                    let (first, count) = (bits.as_ptr(), bits.len());
                    let status = gpusched_dgb_nodes(dgb, *tag, first, count, &mut report, &mut wrong);
                    done(status).map(|()| Answer::Report(core_report(&report)))
                }
                Event::Edges(tag, targets) => {
                    let vids = vids(targets);
                    let (first, count) = (vids.as_ptr(), vids.len());
                    let status = gpusched_dgb_edges(dgb, *tag, first, count, &mut report, &mut wrong);
                    done(status).map(|()| Answer::Report(core_report(&report)))
                }
                Event::Spilled(tag) => {
                    let status = gpusched_dgb_spilled(dgb, *tag, &mut report, &mut wrong);
                    done(status).map(|()| Answer::Report(core_report(&report)))
                }
                Event::Select(fits) => {
                    let (fits, mut selection) = (gpusched_smx_set::from(*fits), gpusched_dgb_selection::default());
                    let status = gpusched_dgb_select(dgb, &fits, &mut selection, &mut wrong);
                    done(status).map(|()| Answer::Selection(core_selection(&selection)))
                }
                Event::Complete(node) => {
                    let status = gpusched_dgb_complete(dgb, node.0.into(), &mut report, &mut wrong);
                    done(status).map(|()| Answer::Completion(completion(&report)))
                }
                Event::Abort => done(gpusched_dgb_abort(dgb, &mut executing)).map(|()| Answer::Executing(executing)),
            }
        };
        answer.map_err(|status| {
            let named = if let Event::Complete(node) = event { Some(*node) } else { None };
            core_error(status, &wrong, named)
        })
    }

    fn view(&self) -> View {
        let object = &self.object;
        let told = Told {
            state: object.ask(gpusched_dgb_get_state),
            stats: object.ask(gpusched_dgb_get_stats),
            resident: object.list(gpusched_dgb_resident),
            edges: object.list(gpusched_dgb_resident_edges),
            pending_updates: object.list(gpusched_dgb_pending_updates),
            landed: object.list(gpusched_dgb_landed),
        };
        told.view(self.config.lea)
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}

/// What the queries of a buffer tell, of one that stands alone or of a part.
pub(super) struct Told {
    pub state: gpusched_dgb_state,
    pub stats: gpusched_dgb_stats,
    pub resident: Vec<gpusched_dgb_node>,
    pub edges: Vec<u16>,
    pub pending_updates: Vec<u16>,
    pub landed: Vec<u64>,
}

impl Told {
    /// It in the core's terms, of a buffer with so many places for edges. Where two queries show the same thing, they must agree.
    pub fn view(self, lea: u32) -> View {
        let Self { state, stats, resident, edges, pending_updates, landed } = self;
        let Window { tail, head, fetched, tail_edge, edge_head } = Window::of(&state);
        assert_eq!(resident.len(), (head - tail) as usize);
        assert_eq!(edges.len(), (edge_head - tail_edge) as usize);
        assert_eq!(landed.len(), (fetched - head) as usize);
        let mut slots = vec![None; lea as usize];
        for (edge, target) in (tail_edge..).zip(edges) {
            slots[(edge % lea) as usize] = Some(NodeId(target));
        }
        let mut pending_updates = pending_updates.into_iter().map(NodeId).collect::<Vec<_>>();
        pending_updates.sort();
        let nib = (head..).zip(landed).map(|(vid, bits)| (NodeId(narrow(vid)), Node::from_bits(bits).parents()));
        View {
            phase: phase(&state),
            window: (tail, head),
            fetched,
            edges: (tail_edge, edge_head),
            resident: (tail..).zip(&resident).map(|(vid, node)| local(vid, node, lea)).collect(),
            lea: slots,
            pending_updates,
            nib: nib.collect(),
            spilling: number(state.spilling).map(NodeId),
            deadlock: number(state.deadlock).map(NodeId),
            next_smx: SmxId(narrow(state.next_smx)),
            stats: core_stats(&stats),
        }
    }
}

/// The registers of the window.
struct Window {
    tail: u32,
    head: u32,
    fetched: u32,
    tail_edge: u32,
    edge_head: u32,
}

impl Window {
    fn of(state: &gpusched_dgb_state) -> Self {
        let &gpusched_dgb_state { tail, head, fetched, tail_edge, edge_head, .. } = state;
        Self { tail, head, fetched, tail_edge, edge_head }
    }
}

fn phase(state: &gpusched_dgb_state) -> Phase {
    use gpusched_dgb_phase as C;
    let node = number(state.fault_node).map(NodeId);
    assert_eq!(node.is_some(), state.phase == C::Faulted as u32, "a fault is somewhere");
    match node {
        Some(node) => Phase::Faulted { kind: one_of(state.fault, &FAULTS), node },
        None => one_of(
            state.phase,
            &[
                (C::Idle as u32, Phase::Idle),
                (C::Running as u32, Phase::Running),
                (C::Finished as u32, Phase::Finished),
            ],
        ),
    }
}

fn local(vid: u32, node: &gpusched_dgb_node, lea: u32) -> Resident {
    use gpusched_node_state as C;
    let states = [
        (C::Waiting as u32, NodeState::Waiting),
        (C::Ready as u32, NodeState::Ready),
        (C::Executing as u32, NodeState::Executing),
        (C::Pending as u32, NodeState::Pending),
        (C::Done as u32, NodeState::Done),
    ];
    assert_eq!(node.node, vid, "nodes follow each other");
    Resident {
        node: NodeId(narrow(node.node)),
        state: one_of(node.state, &states),
        parents: narrow(node.parents),
        level: narrow(node.level),
        les: (!flag(node.childless)).then_some(node.start % lea),
    }
}

fn core_stats(stats: &gpusched_dgb_stats) -> DgbStats {
    let &gpusched_dgb_stats { dispatched, node_requests, edge_requests, spills, pub_max, max_level_range } = stats;
    DgbStats { dispatched, node_requests, edge_requests, spills, pub_max, max_level_range }
}

pub(super) fn bits(entries: &[Node]) -> Vec<u64> {
    entries.iter().map(|node| node.to_bits()).collect()
}

pub(super) fn vids(targets: &[NodeId]) -> Vec<u16> {
    targets.iter().map(|node| node.0).collect()
}

pub(super) fn c_header(graph: &GraphHeader) -> gpusched_graph_header {
    let &GraphHeader { v, e, node_base, edge_base, policy } = graph;
    let (policy, bound) = match policy {
        // The bound has no meaning then.
        GraphPolicy::Lrr => (gpusched_graph_policy::Lrr, 70_000),
        GraphPolicy::Lvl { bound } => (gpusched_graph_policy::Lvl, bound.into()),
    };
    gpusched_graph_header { node_base, edge_base, v, e, policy: policy as u32, bound }
}

pub(super) fn core_header(graph: &gpusched_graph_header) -> GraphHeader {
    let &gpusched_graph_header { node_base, edge_base, v, e, policy, bound } = graph;
    let policies = [
        (gpusched_graph_policy::Lrr as u32, GraphPolicy::Lrr),
        (gpusched_graph_policy::Lvl as u32, GraphPolicy::Lvl { bound: narrow(bound) }),
    ];
    let policy = one_of(policy, &policies);
    assert!(policy != GraphPolicy::Lrr || bound == 0);
    GraphHeader { v, e, node_base, edge_base, policy }
}

pub(super) fn core_request(request: &gpusched_graph_request) -> Option<Request> {
    use gpusched_graph_request_kind as C;
    let &gpusched_graph_request { addr, kind, tag, first, count } = request;
    let kinds = [C::None, C::Nodes, C::Edges, C::Decrement];
    match one_of(kind, &kinds.map(|kind| (kind as u32, kind))) {
        C::None => {
            assert_eq!(*request, gpusched_graph_request::default());
            None
        }
        C::Nodes => Some(Request::Nodes { tag, first, count, addr }),
        C::Edges => Some(Request::Edges { tag, first, count, addr }),
        C::Decrement => {
            assert_eq!(count, 1);
            Some(Request::Decrement { tag, node: NodeId(narrow(first)), addr })
        }
    }
}

pub(super) fn core_report(report: &gpusched_graph_report) -> Report {
    let &gpusched_graph_report { finalised, updates, pub_in, pub_out, inserted, readied, finished, pending } = report;
    assert_eq!(pending, gpusched_graph_pending::None as u32, "only the end of a TB says this");
    Report { finalised, updates, pub_in, pub_out, inserted, readied, finished: flag(finished) }
}

fn completion(report: &gpusched_graph_report) -> Completion {
    use gpusched_graph_pending as C;
    let reasons = [
        (C::None as u32, None),
        (C::Edges as u32, Some(Pending::Edges)),
        (C::Pub as u32, Some(Pending::Pub)),
        (C::Tail as u32, Some(Pending::Tail)),
        (C::Spill as u32, Some(Pending::Spill)),
    ];
    let pending = one_of(report.pending, &reasons);
    Completion { report: core_report(&gpusched_graph_report { pending: 0, ..*report }), pending }
}

fn core_selection(selection: &gpusched_dgb_selection) -> Selection {
    use gpusched_dgb_sched as C;
    let &gpusched_dgb_selection { sched, kde, node, smx } = selection;
    let dispatch =
        Selection::Dispatch { kdei: KernelSlot(narrow(kde)), node: NodeId(narrow(node)), smx: SmxId(narrow(smx)) };
    let words = [
        (C::Dispatch as u32, dispatch),
        (C::NoReady as u32, Selection::Stall(Stall::NoReady)),
        (C::Head as u32, Selection::Stall(Stall::Head)),
        (C::LevelBound as u32, Selection::Stall(Stall::LevelBound)),
        (C::NoSmx as u32, Selection::Stall(Stall::NoSmx)),
        (C::Deadlock as u32, Selection::Stall(Stall::Deadlock)),
        (C::Finished as u32, Selection::Finished),
    ];
    let word = one_of(sched, &words);
    assert!(word == dispatch || (kde, node, smx) == (0, 0, 0), "only a dispatch is about a node");
    word
}

const FAULTS: [(u32, GraphFaultKind); 3] = [
    (gpusched_graph_fault::EdgeOrder as u32, GraphFaultKind::EdgeOrder),
    (gpusched_graph_fault::ParentUnderflow as u32, GraphFaultKind::ParentUnderflow),
    (gpusched_graph_fault::ParentExcess as u32, GraphFaultKind::ParentExcess),
];

const FLAWS: [(u32, NodeFlaw); 5] = [
    (gpusched_node_flaw::EdgeStart as u32, NodeFlaw::EdgeStart),
    (gpusched_node_flaw::Childless as u32, NodeFlaw::Childless),
    (gpusched_node_flaw::Oversize as u32, NodeFlaw::Oversize),
    (gpusched_node_flaw::Level as u32, NodeFlaw::Level),
    (gpusched_node_flaw::Parents as u32, NodeFlaw::Parents),
];

/// The error of a status and its details; that a node is not running is said of the one that was named.
pub(super) fn core_error(status: Status, wrong: &gpusched_graph_error, named: Option<NodeId>) -> GraphError {
    let node = || NodeId(number(wrong.node).expect("a node"));
    let nowhere = gpusched_graph_error::default();
    let (error, details) = match fault(status) {
        Fault::BadGraph => {
            let error = GraphError::BadGraph { node: node(), what: one_of(wrong.what, &FLAWS) };
            (error, gpusched_graph_error { node: wrong.node, what: wrong.what, ..nowhere })
        }
        Fault::GraphFault => {
            let error = GraphError::GraphFault { kind: one_of(wrong.what, &FAULTS), node: node() };
            (error, gpusched_graph_error { node: wrong.node, what: wrong.what, ..nowhere })
        }
        Fault::BadEdge => {
            (GraphError::BadEdge { edge: wrong.edge }, gpusched_graph_error { edge: wrong.edge, ..nowhere })
        }
        Fault::BadSmx => {
            let smx = SmxId(number(wrong.smx).expect("an SMX"));
            (GraphError::BadSmx { smx }, gpusched_graph_error { smx: wrong.smx, ..nowhere })
        }
        Fault::NotRunning => (GraphError::NotRunning { node: named.expect("a node was named") }, nowhere),
        Fault::Busy => (GraphError::Busy, nowhere),
        Fault::EmptyGraph => (GraphError::EmptyGraph, nowhere),
        Fault::TooManyNodes => (GraphError::TooManyNodes, nowhere),
        Fault::TooManyEdges => (GraphError::TooManyEdges, nowhere),
        Fault::Misaligned => (GraphError::Misaligned, nowhere),
        Fault::AddressOverflow => (GraphError::AddressOverflow, nowhere),
        Fault::StaleTag => (GraphError::StaleTag, nowhere),
        Fault::BadLength => (GraphError::BadLength, nowhere),
        Fault::NotLaunched => (GraphError::NotLaunched, nowhere),
        Fault::NoDgb => (GraphError::NoDgb, nowhere),
        other => panic!("{other:?} is no error of a graph"),
    };
    assert_eq!(*wrong, details, "nothing else is told");
    error
}

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn image_config(image: &[u8]) -> Result<DgbConfig, Status> {
    let told = object::image_config(gpusched_dgb_image_config, image, c_config(&DgbConfig::GTX480))?;
    Ok(get(&told))
}

/// The parts as a C program has them.
pub struct OfC;

impl Parts for OfC {
    type Machine = ThroughC;

    fn machine(config: &DgbConfig) -> Result<ThroughC, &'static str> {
        ThroughC::new(config).map_err(|status| {
            assert_eq!(status, Status::BadConfig);
            let (c, mut wrong) = (c_config(config), std::mem::MaybeUninit::<gpusched_parameter>::uninit());
            // SAFETY: both live; what is wrong has a static name.
            let name = unsafe {
                assert_eq!(gpusched_dgb_config_check(&c, wrong.as_mut_ptr()), status);
                CStr::from_ptr::<'static>(wrong.assume_init().name).to_str().expect("a name")
            };
            if name == "pub_entries" { "pub" } else { name }
        })
    }

    fn storage_bits(config: &DgbConfig) -> u64 {
        let mut bits = gpusched_dgb_storage::default();
        // SAFETY: both live.
        let status = unsafe { gpusched_dgb_storage_bits(&c_config(config), &mut bits) };
        assert_eq!(status, Status::Ok);
        let gpusched_dgb_storage { lna, lea, pub_entries, nib, total } = bits;
        assert_eq!(lna + lea + pub_entries + nib, total);
        total
    }

    fn admit(config: &DgbConfig, nodes: &[Node], edges: &[NodeId]) -> Admission {
        use gpusched_admission as C;
        let (nodes, edges) = (bits(nodes), vids(edges));
        let (mut scratch, mut admission, mut at) = (vec![7; nodes.len()], 9, 9);
        // SAFETY: all live; the arrays have these lengths.
        let status = unsafe {
            let (v, e) = (nodes.len() as u32, edges.len() as u32);
            let (nodes, edges) = (nodes.as_ptr(), edges.as_ptr());
            gpusched_admit(&c_config(config), nodes, v, edges, e, scratch.as_mut_ptr(), &mut admission, &mut at)
        };
        assert_eq!(status, Status::Ok);
        let node = number(at).map(NodeId);
        assert_eq!(node.is_none(), admission == C::Safe as u32, "a verdict is about a node");
        let node = node.unwrap_or_default();
        let verdicts = [
            (C::Safe as u32, Admission::Safe),
            (C::MayDeadlock as u32, Admission::MayDeadlock { node }),
            (C::Deadlocks as u32, Admission::Deadlocks { node }),
            (C::Oversize as u32, Admission::Oversize { node }),
        ];
        one_of(admission, &verdicts)
    }

    fn build(grid: Dim3, edge_cap: usize, links: &dyn Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
        let max_edges = edge_cap.min(MAX_EDGES as usize) as u32;
        Builder::new(grid, max_edges)
            .map_err(|status| match fault(status) {
                Fault::EmptyGrid => DepLinksError::EmptyGrid,
                Fault::TooManyNodes => DepLinksError::TooManyNodes,
                other => panic!("{other:?}"),
            })?
            .build(links)
    }
}

/// A builder in a block of its own.
struct Builder {
    block: Block,
}

impl Builder {
    fn new(grid: Dim3, max_edges: u32) -> Result<Self, Status> {
        let grid = gpusched_dim3 { x: grid.x, y: grid.y, z: grid.z };
        let (mut need, mut object) = (gpusched_layout::default(), ptr::null_mut());
        // SAFETY: all pointers are of living values; the block is kept as long as the object is used.
        unsafe {
            done(gpusched_graph_builder_layout(&grid, max_edges, &mut need))?;
            let block = Block::new(need);
            let storage = block.start().cast();
            done(gpusched_graph_builder_init(storage, block.size(), &grid, max_edges, &mut object))?;
            assert_eq!(object.cast(), block.start());
            Ok(Self { block })
        }
    }

    fn c(&self) -> *mut gpusched_graph_builder {
        self.block.start().cast()
    }

    /// Goes through the grid as a C program does.
    fn build(self, links: &dyn Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
        let mut block = gpusched_dim3::default();
        // SAFETY: the object and all values live; the arrays of the graph have the lengths that are told.
        unsafe {
            while gpusched_graph_builder_block(self.c(), &mut block) == Status::Ok {
                for link in links(Dim3 { x: block.x, y: block.y, z: block.z }) {
                    self.link(link)?;
                }
                assert_eq!(gpusched_graph_builder_advance(self.c()), Status::Ok);
            }
            let (mut graph, mut wrong) = (std::mem::MaybeUninit::uninit(), gpusched_graph_error::default());
            match gpusched_graph_builder_finish(self.c(), graph.as_mut_ptr(), &mut wrong) {
                Status::Ok => {}
                Status::Cycle => return Err(DepLinksError::Cycle { tb: wrong.tb }),
                other => panic!("{other:?}"),
            }
            assert_eq!(wrong, gpusched_graph_error::default());
            let gpusched_graph { nodes, edges, order, header, levels } = graph.assume_init();
            let GraphHeader { v, e, node_base, edge_base, policy } = core_header(&header);
            assert_eq!((node_base, edge_base), (0, 0));
            let nodes = std::slice::from_raw_parts(nodes, v as usize).iter();
            Ok(Built {
                nodes: nodes.map(|&bits| Node::from_bits(bits)).collect(),
                edges: std::slice::from_raw_parts(edges, e as usize).iter().copied().map(NodeId).collect(),
                order: std::slice::from_raw_parts(order, v as usize).to_vec(),
                policy,
                levels,
            })
        }
    }

    fn link(&self, link: Link) -> Result<(), DepLinksError> {
        let mut tb = GPUSCHED_NONE;
        // SAFETY: the object and the number live.
        let status = unsafe {
            assert_eq!(gpusched_graph_builder_tb(self.c(), &mut tb), Status::Ok);
            match link {
                Link::Parent(x, y, z) => gpusched_graph_builder_add_dependency(self.c(), x, y, z),
                Link::Policy(policy) => {
                    let gpusched_graph_header { policy, bound, .. } =
                        c_header(&GraphHeader { policy, ..GraphHeader::default() });
                    gpusched_graph_builder_set_policy(self.c(), policy, bound)
                }
            }
        };
        match status {
            Status::Ok => Ok(()),
            Status::SelfDependency => Err(DepLinksError::SelfDependency { tb }),
            Status::EdgeStorageFull => Err(DepLinksError::EdgeStorageFull { tb }),
            Status::PolicyConflict => Err(DepLinksError::PolicyConflict { tb }),
            other => panic!("{other:?}"),
        }
    }
}
