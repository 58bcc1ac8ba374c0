//! `gpusched graph check`: whether a dependency graph of TBs can deadlock the buffer that is to run it, what it needs of it, and how
//! it runs there.

mod admission;
mod dot;
mod text;

use crate::ask::{DEPENDENCY_GPU, GraphCheck};
use crate::failure::Failure;
use crate::ideal::{Host, Outcome};
use crate::input::{Setup, dependency_graph};
use crate::output::{self, NamedFile};
use admission::{Question, Verdict, storage_bytes};
use anyhow::anyhow;
use gpusched::dats::{Admission, DgbConfig, GraphPolicy, NodeId};
use gpusched::{Config, DatsPart};
use gpusched_refgpu::gpu::RunOptions;
use gpusched_workloads::depgraph::{DepGraph, NamedDeps};
use serde::Serialize;

/// The text of `graph check`; writes the picture if one is asked for.
pub fn check(args: &GraphCheck) -> Result<String, Failure> {
    let setup = Setup::with(&args.machine, DEPENDENCY_GPU, args.buffer.settings().collect())?;
    let file = args.dot.as_deref().map(|path| NamedFile::open("--dot", path, "dot")).transpose()?;
    setup.only_of(&[])?;
    setup.only_machine(
        &["dtbl.", "laperm.", "bubble.", "dats.", "sm.count", "sm.tb_slots", "sm.threads"],
        "graph check",
    )?;
    let ideal = setup.gpu.without_launch_latency();
    setup.check_effect(&[(ideal, RunOptions { graphs: true, ..RunOptions::default() })], &[])?;
    let host = host(&setup, args)?;
    let deps = dependency_graph(&args.graph, args.quiet)?;
    let findings = Findings::of(&deps, &setup.gpu.name, host)?;
    let written = file.map(|file| file.write("", &dot::dot(&deps, &findings.verdict.admission))).transpose()?;
    let document = || output::json(&findings.document());
    output::answer((args.json, args.quiet), written.as_slice(), || findings.for_people(), document)
}

fn host(setup: &Setup, args: &GraphCheck) -> Result<Host, Failure> {
    let config = Config { dats: Some(setup.gpu.dats), ..setup.gpu.front_end() };
    config.check().map_err(|error| Failure::Usage(error.into()))?;
    let host = Host {
        config,
        policy: args.policy.0,
        tb_threads: args.tb_threads,
        durations: args.tb_cycles,
        memory_cycles: args.memory_cycles.into(),
    };
    if host.places() == 0 {
        let most = config.threads;
        return Err(Failure::Usage(anyhow!("--tb-threads {}: expected 1 to {most}, as an SMX has", args.tb_threads)));
    }
    Ok(host)
}

/// Everything that was found out.
struct Findings<'a> {
    deps: &'a NamedDeps,
    gpu: &'a str,
    host: Host,
    part: DatsPart,
    verdict: Verdict,
    /// The run, unless a node can never enter the window.
    run: Option<Outcome>,
    /// If it deadlocked: the same with the largest PUB.
    with_largest_pub: Option<Outcome>,
    /// If the graph is not safe: the same with updates that may go to memory.
    with_spill: Option<Outcome>,
}

impl<'a> Findings<'a> {
    fn of(deps: &'a NamedDeps, gpu: &'a str, host: Host) -> Result<Self, Failure> {
        let part = host.config.dats.unwrap_or_default();
        let verdict = Question::new(&deps.graph, part.machine(&host.config)).verdict()?;
        let with =
            |part: DatsPart| Host { config: Config { dats: Some(part), ..host.config }, ..host }.run(&deps.graph);
        let runs = part.spill || !matches!(verdict.admission, Admission::Oversize { .. });
        let run = if runs { Some(with(part)?) } else { None };
        let deadlocked = run.as_ref().is_some_and(|run| run.deadlock.is_some());
        let largest = DatsPart { pub_entries: 65_535, ..part };
        let with_largest_pub = if deadlocked { Some(with(largest)?) } else { None };
        let spills = verdict.admission != Admission::Safe && !part.spill;
        let with_spill = if spills { Some(with(DatsPart { spill: true, ..part })?) } else { None };
        Ok(Self { deps, gpu, host, part, verdict, run, with_largest_pub, with_spill })
    }

    fn graph(&self) -> &DepGraph {
        &self.deps.graph
    }

    fn buffer(&self) -> DgbConfig {
        self.part.machine(&self.host.config)
    }

    fn document(&self) -> Document<'_> {
        let Self { deps, host, verdict, .. } = self;
        let graph = self.graph();
        let (admission, node) = match verdict.admission {
            Admission::Safe => ("safe", None),
            Admission::MayDeadlock { node } => ("may_deadlock", Some(node)),
            Admission::Deadlocks { node } => ("deadlocks", Some(node)),
            Admission::Oversize { node } => ("oversize", Some(node)),
        };
        let part = |run: &Outcome| RunPart::of(run, graph);
        Document {
            schema: "gpusched.depgraph/1",
            name: &deps.name,
            provenance: &deps.provenance,
            nodes: graph.nodes.len(),
            dependencies: graph.edges.len(),
            repeated: graph.repeated,
            levels: graph.levels,
            widths: graph.widths(),
            farthest: graph.farthest().map(|(parent, child)| FarthestPart {
                distance: child.0 - parent.0,
                parent: NodePart::of(parent, graph),
                child: NodePart::of(child, graph),
            }),
            bytes: BytesPart::of(graph),
            buffer: self.part,
            buffer_bytes: storage_bytes(&self.buffer()),
            admission: AdmissionPart {
                verdict: admission,
                node: node.map(|node| NodePart::of(node, graph)),
                updates: verdict.updates,
                safe_pub: verdict.safe_pub,
                possible_pub: verdict.possible_pub,
                larger: verdict.larger,
            },
            host: HostPart {
                gpu: self.gpu,
                policy: host.policy,
                smxs: host.config.n_smx,
                places: host.places(),
                tb_threads: host.tb_threads,
                tb_cycles: [host.durations.least, host.durations.most],
                seed: host.durations.seed,
                memory_cycles: host.memory_cycles,
            },
            run: self.run.as_ref().map(part),
            with_largest_pub: self.with_largest_pub.as_ref().map(part),
            with_spill: self.with_spill.as_ref().map(part),
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    name: &'a str,
    provenance: &'a str,
    nodes: usize,
    dependencies: usize,
    /// Dependencies that were named again.
    repeated: u64,
    levels: u32,
    /// Nodes of each level.
    widths: Vec<u32>,
    farthest: Option<FarthestPart>,
    bytes: BytesPart,
    buffer: DatsPart,
    buffer_bytes: u64,
    admission: AdmissionPart,
    host: HostPart<'a>,
    run: Option<RunPart>,
    with_largest_pub: Option<RunPart>,
    with_spill: Option<RunPart>,
}

/// The edge that leads farthest.
#[derive(Serialize)]
struct FarthestPart {
    distance: u16,
    parent: NodePart,
    child: NodePart,
}

#[derive(Serialize)]
struct NodePart {
    name: String,
    tb: u16,
    vid: u16,
    level: u16,
}

impl NodePart {
    fn of(node: NodeId, graph: &DepGraph) -> Self {
        let vid = usize::from(node.0);
        Self { name: graph.name(node), tb: graph.order[vid], vid: node.0, level: graph.nodes[vid].level() }
    }
}

/// What the graph takes in memory.
#[derive(Serialize)]
struct BytesPart {
    nodes: usize,
    edges: usize,
    /// The table from VIDs to TBs.
    order: usize,
}

impl BytesPart {
    fn of(graph: &DepGraph) -> Self {
        Self {
            nodes: size_of_val(graph.nodes.as_slice()),
            edges: size_of_val(graph.edges.as_slice()),
            order: size_of_val(graph.order.as_slice()),
        }
    }
}

#[derive(Serialize)]
struct AdmissionPart {
    verdict: &'static str,
    node: Option<NodePart>,
    updates: Option<u32>,
    safe_pub: Option<u32>,
    possible_pub: Option<u32>,
    larger: Option<admission::Larger>,
}

#[derive(Serialize)]
struct HostPart<'a> {
    gpu: &'a str,
    policy: GraphPolicy,
    smxs: u32,
    places: u32,
    tb_threads: u32,
    tb_cycles: [u32; 2],
    seed: u64,
    memory_cycles: u64,
}

#[derive(Serialize)]
struct RunPart {
    /// TBs that ran.
    tbs: usize,
    cycles: u64,
    occupancy: f64,
    deadlock: Option<NodePart>,
    pub_max: u32,
    max_level_range: u32,
    node_requests: u32,
    edge_requests: u32,
    decrements: u32,
    no_ready_cycles: u64,
    head_cycles: u64,
    level_bound_cycles: u64,
    no_room_cycles: u64,
}

impl RunPart {
    fn of(run: &Outcome, graph: &DepGraph) -> Self {
        let Outcome { stats, words, .. } = run;
        Self {
            tbs: run.tbs.len(),
            cycles: run.cycles,
            occupancy: run.occupancy(),
            deadlock: run.deadlock.map(|node| NodePart::of(node, graph)),
            pub_max: stats.pub_max,
            max_level_range: stats.max_level_range,
            node_requests: stats.node_requests,
            edge_requests: stats.edge_requests,
            decrements: stats.spills,
            no_ready_cycles: words.g_no_ready,
            head_cycles: words.g_head,
            level_bound_cycles: words.g_level_bound,
            no_room_cycles: words.noroom,
        }
    }
}
