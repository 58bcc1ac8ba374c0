//! What a run of the mini-simulator did, one line per event. `tests/cpp/journal.hpp` writes the same text in C++.

use std::fmt::{Arguments, Display};

use gpusched::dats::{GraphPolicy, NodeId, NodeState, Phase};
use gpusched::{
    Cycle, Decision, FallCause, Fault, FrontEnd, GroupRef, IssueSource, RecordId, Stats, TbPlacement, TbRef, UnitPlace,
    Words,
};
use gpusched_heap::HeapTables;

use crate::view::{KdeView, LoadView, RecordStateView, View};

/// The journal of a run.
#[derive(Default)]
pub struct Journal {
    text: String,
    lines: usize,
}

/// How a call went, as the C ABI names it.
pub fn name<T>(result: Result<T, Fault>) -> &'static str {
    result.err().map_or("Ok", Fault::name)
}

/// A number that there may be.
pub fn number_or_dash(number: Option<impl Display>) -> String {
    number.map_or_else(|| "-".to_owned(), |n| n.to_string())
}

fn at(group: GroupRef) -> String {
    match group {
        GroupRef::Age(age) => format!("A{}", age.0),
        GroupRef::Record(record) => format!("R{}", record.0),
        GroupRef::Unit(record) => format!("U{}", record.0),
    }
}

/// What is in the journal for a group that there may be; for the kernel's own grid if `native`.
fn at_or(group: Option<GroupRef>, native: &str) -> String {
    group.map_or_else(|| native.to_owned(), at)
}

fn part(tb: TbRef) -> String {
    match tb {
        TbRef::Native => "N".to_owned(),
        TbRef::Restored => "S".to_owned(),
        TbRef::Node => "V".to_owned(),
        TbRef::Group(group) => at(group),
    }
}

impl Journal {
    /// A command that was launched, or was refused.
    pub fn launched(&mut self, what: Arguments<'_>, records: Result<&[RecordId], Fault>) {
        self.line(format_args!("{what} {}", name(records)));
        for record in records.iter().copied().flatten() {
            self.line(format_args!("record {}", record.0));
        }
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many lines it has.
    #[must_use]
    pub const fn lines(&self) -> usize {
        self.lines
    }

    pub(super) fn line(&mut self, words: Arguments<'_>) {
        self.text.push_str(&words.to_string());
        self.text.push('\n');
        self.lines += 1;
    }

    pub(super) fn decision(&mut self, Cycle(now): Cycle, decision: &Decision) {
        match *decision {
            Decision::Tb(TbPlacement { smx, slot, kde, tb_ref, blkid, tag }) => {
                let (smx, slot, kde, part) = (smx.0, slot.0, kde.0, part(tb_ref));
                self.line(format_args!("{now} tb {smx} {slot} {kde} {part} {blkid} {tag}"));
            }
            Decision::Bypass { smx, slot } => self.line(format_args!("{now} bypass {} {}", smx.0, slot.0)),
            Decision::Issue { source, tag, kde } => {
                let source = match source {
                    IssueSource::Hwq(queue) => format!("hwq {}", queue.0),
                    IssueSource::Device => "device".to_owned(),
                    IssueSource::Suspended => "suspended".to_owned(),
                    IssueSource::Node(instance) => format!("node {}", instance.0),
                };
                self.line(format_args!("{now} issue {source} {tag} {}", kde.0));
            }
            Decision::Arrive { kde, tag } => self.line(format_args!("{now} arrive {} {tag}", kde.0)),
            Decision::Join { tag, kde, group } => self.line(format_args!("{now} join {tag} {} {}", kde.0, at(group))),
            Decision::Fall { tag, cause } => {
                let cause = match cause {
                    FallCause::Kde => "kde",
                    FallCause::Agt => "agt",
                };
                self.line(format_args!("{now} fall {cause} {tag}"));
            }
            Decision::Load { record } => self.line(format_args!("{now} load {}", record.0)),
            Decision::Unmark { kde } => self.line(format_args!("{now} unmark {}", kde.0)),
            Decision::Rotate { kde } => self.line(format_args!("{now} rotate {}", kde.0)),
            Decision::GroupDone { tag, group } => self.line(format_args!("{now} group done {tag} {}", at(group))),
            Decision::KernelDone { kde, tag } => self.line(format_args!("{now} kernel done {} {tag}", kde.0)),
            Decision::HwqFree { queue } => self.line(format_args!("{now} hwq free {}", queue.0)),
            Decision::Stalled => self.line(format_args!("{now} stalled")),
            Decision::Saved { smx, slot, tb_ref, blkid } => {
                self.line(format_args!("{now} saved {} {} {} {blkid}", smx.0, slot.0, part(tb_ref)));
            }
            Decision::Place { tag, place, unit, level, evicted } => {
                let place = match place {
                    UnitPlace::OnChip => "on chip",
                    UnitPlace::Spilled => "spilled",
                    UnitPlace::Queue0 => "queue 0",
                };
                let (unit, evicted) = (number_or_dash(unit.map(|u| u.0)), number_or_dash(evicted));
                self.line(format_args!("{now} place {tag} {place} {unit} {level} {evicted}"));
            }
            Decision::Lap { stage, prio } => self.line(format_args!("{now} lap {} {prio}", stage as u8)),
            Decision::Refill { tag } => self.line(format_args!("{now} refill {tag}")),
            Decision::Sample { waiting } => self.line(format_args!("{now} sample {}", number_or_dash(waiting))),
            Decision::GraphDone { kde } => self.line(format_args!("{now} graph done {}", kde.0)),
            Decision::GraphFault { kde, kind, node } => {
                self.line(format_args!("{now} graph fault {} {} {}", kde.0, kind as u8, node.0));
            }
            Decision::GraphAbort { kde, executing } => {
                self.line(format_args!("{now} graph abort {} {executing}", kde.0));
            }
            Decision::Suspend { kde, index } => self.line(format_args!("{now} suspend {} {}", kde.0, index.0)),
            Decision::Cluster { kde, cluster, gpc, tbs } => {
                self.line(format_args!("{now} cluster {} {cluster} {} {tbs}", kde.0, gpc.0));
            }
            Decision::Opened { kde, tag } => self.line(format_args!("{now} opened {} {tag}", kde.0)),
            Decision::Released { smx, slot } => self.line(format_args!("{now} released {} {}", smx.0, slot.0)),
            Decision::KgraphStart { instance, graph, queue } => {
                self.line(format_args!("{now} kgstart {} {} {}", instance.0, graph.0, queue.0))
            }
            Decision::KgraphDone { instance, graph } => {
                self.line(format_args!("{now} kgdone {} {}", instance.0, graph.0))
            }
            Decision::Complete { tag } => self.line(format_args!("{now} complete {tag}")),
            Decision::Tail { tag } => self.line(format_args!("{now} tail {tag}")),
            Decision::Drained { drain } => self.line(format_args!("{now} drained {}", drain.0)),
            Decision::DrainEnd { drain } => self.line(format_args!("{now} drain end {}", drain.0)),
            Decision::Save { kde, until } => self.line(format_args!("{now} save {} {}", kde.0, until.0)),
            Decision::Restore { smx, slot, cycles } => {
                self.line(format_args!("{now} restore {} {} {cycles}", smx.0, slot.0));
            }
        }
    }

    /// Everything that can be seen of a front end.
    pub(super) fn snapshot(&mut self, gpu: &FrontEnd<HeapTables>) {
        let View { now, rr, warps, status, .. } = View::of(gpu);
        let next = number_or_dash(gpu.next_event().map(|at| at.0));
        self.line(format_args!("at {now} {status:?} next {next} rr {} warps {warps}", rr.0));
        let view = View::of(gpu);
        self.gates(&view);
        for (queue, (busy, len)) in &view.hwqs {
            self.line(format_args!("queue {queue} {} {len}", u8::from(*busy)));
        }
        for (kde, entry) in &view.kdes {
            self.kde(kde.0, entry);
        }
        for kde in &view.fcfs {
            self.line(format_args!("fcfs {}", kde.0));
        }
        for tb in &view.tbs {
            let (part, class) = (part(tb.tb_ref), number_or_dash(tb.class_id.map(|c| c.0)));
            let (smx, slot, kde, bypass) = (tb.smx.0, tb.slot.0, tb.kde.0, u8::from(tb.bypass));
            self.line(format_args!("tb {smx} {slot} {kde} {part} {} {class} {bypass}", tb.blkid));
        }
        for (age, record) in &view.agt {
            self.line(format_args!("age A{age} {}", record.0));
        }
        for group in gpu.spilled() {
            self.line(format_args!("spilled R{} {}", group.record.0, group.record.0));
        }
        self.line(format_args!("records {}", gpu.records_in_use()));
        for (id, record) in &view.records {
            let (id, tag, psmx) = (id.0, record.tag, record.psmx.0);
            match record.state {
                RecordStateView::Agg(ready) => self.line(format_args!("agg {id} {tag} {psmx} {ready}")),
                RecordStateView::Dev(ready) => self.line(format_args!("dev {id} {tag} {psmx} {ready}")),
                RecordStateView::Tail(ready) => self.line(format_args!("closed {id} {tag} {psmx} {ready}")),
                RecordStateView::Grp { at: here, kde, next, exe, dist } => {
                    let (here, next, dist) = (at(here), at_or(next, "-"), u8::from(dist));
                    self.line(format_args!("grp {id} {tag} {psmx} {here} {} {next} {exe} {dist}", kde.0));
                }
            }
        }
        for index in view.suspended.keys() {
            self.line(format_args!("suspended {index}"));
        }
        self.dgb(gpu);
    }

    /// The dependency-graph buffer.
    fn dgb(&mut self, gpu: &FrontEnd<HeapTables>) {
        let Some(dgb) = gpu.dgb() else { return };
        let vid = |node: Option<NodeId>| number_or_dash(node.map(|node| node.0));
        let (owner, w, s) = (number_or_dash(gpu.dgb_owner().map(|kde| kde.0)), dgb.state(), dgb.stats());
        let phase = match dgb.phase() {
            Phase::Idle => 0,
            Phase::Running => 1,
            Phase::Finished => 2,
            Phase::Faulted { .. } => 3,
        };
        self.line(format_args!(
            "dgb {owner} {phase} {} {} {} {} {}",
            w.tail, w.head, w.fetched, w.tail_edge, w.edge_head
        ));
        let waits = u8::from(w.waits_for_memory);
        self.line(format_args!(
            "at {} {} {} {} {} {waits}",
            w.executing,
            vid(w.spilling),
            vid(w.deadlock),
            w.next_smx.0,
            vid(w.next_node)
        ));
        let [dispatched, node_requests, edge_requests] = [s.dispatched, s.node_requests, s.edge_requests];
        let [spills, pub_max, range] = [s.spills, s.pub_max, s.max_level_range];
        self.line(format_args!("of {dispatched} {node_requests} {edge_requests} {spills} {pub_max} {range}"));
        for (node, row) in (w.tail..).zip(dgb.resident()) {
            let state = match row.state {
                NodeState::Waiting => 0,
                NodeState::Ready => 1,
                NodeState::Executing => 2,
                NodeState::Pending => 3,
                NodeState::Done => 4,
            };
            let childless = u8::from(row.is_childless);
            self.line(format_args!("node {node} {state} {} {} {} {childless}", row.parents, row.level, row.start));
        }
        for target in dgb.resident_edges() {
            self.line(format_args!("edge {}", target.0));
        }
        for node in dgb.pending_updates() {
            self.line(format_args!("update {}", node.0));
        }
        for entry in dgb.landed() {
            let childless = u8::from(entry.is_childless());
            self.line(format_args!("landed {} {childless} {} {}", entry.start(), entry.parents(), entry.level()));
        }
        if let Some(g) = dgb.graph() {
            let (policy, bound) = match g.policy {
                GraphPolicy::Lrr => (0, 0),
                GraphPolicy::Lvl { bound } => (1, bound),
            };
            self.line(format_args!("header {} {} {} {} {policy} {bound}", g.v, g.e, g.node_base, g.edge_base));
        }
        for (kde, entry) in gpu.kdes() {
            if let Some(graph) = entry.graph {
                self.line(format_args!("graph of {} {graph:?}", kde.0));
            }
        }
    }

    fn gates(&mut self, view: &View) {
        for (i, ([slots, threads, regs, smem], cap)) in view.smxs.iter().zip(&view.block_caps).enumerate() {
            let eligible = view.eligible[i / 64] >> (i % 64) & 1;
            self.line(format_args!("smx {i} {slots} {threads} {regs} {smem} {cap} {eligible}"));
        }
        for (i, (pc, caps, has_work)) in view.classes.iter().enumerate() {
            self.line(format_args!("class {i} {} {}", number_or_dash(*pc), u8::from(*has_work)));
            for (smx, c) in caps.iter().enumerate() {
                self.line(format_args!("cap {smx} {} {} {} {}", c.cap, c.by, c.resident, c.bypassing));
            }
        }
        if let Some(head) = view.waiting_heads[0] {
            let (tag, need, allowed) = (head.tag, head.need, head.allowed.words()[0]);
            let gpusched::Need { threads, regs, smem, warps } = need;
            self.line(format_args!("head {tag} {threads} {regs} {smem} {warps} {allowed}"));
        }
    }

    fn kde(&mut self, i: u8, e: &KdeView) {
        let (queue, arrives) = (number_or_dash(e.queue.map(|q| q.0)), e.arrives.unwrap_or(0));
        let psmx = number_or_dash(e.psmx.map(|smx| smx.0));
        let KdeView { tag, exe, live, next_native, saved: (saved, restored), depth, .. } = e;
        let retain = u8::from(e.retain);
        self.line(format_args!(
            "kde {i} {tag} {queue} {arrives} {exe} {live} {next_native} {saved} {restored} {depth} {retain} {psmx}"
        ));
        if let Some(first) = e.mark {
            self.line(format_args!("marked {}", u8::from(first)));
        }
        if let Some((nagei, lagei)) = e.chain {
            self.line(format_args!("chain {} {}", at(nagei), at(lagei)));
        }
        if let Some(cursor) = e.cursor {
            let load = match cursor.load {
                LoadView::NotAsked => 0,
                LoadView::Waiting => 1,
                LoadView::Here => 2,
            };
            let agei = at_or(cursor.group, "N");
            self.line(format_args!("cursor {agei} {} {load} {}", cursor.next_bl, cursor.turn));
        }
    }

    /// The sums of a run.
    pub(super) fn conclude(&mut self, s: &Stats, w: &Words) {
        let [kde_hit, kde_miss, agt_hit, agt_spill] = [s.kde_hit, s.kde_miss, s.agt_hit, s.agt_spill];
        let [dyn_n, dyn_wait, tbs, warp_cycles] = [s.dyn_n, s.dyn_wait, s.tbs, s.warp_cycles];
        self.line(format_args!(
            "stats {kde_hit} {kde_miss} {agt_hit} {agt_spill} {dyn_n} {dyn_wait} {tbs} {warp_cycles} {} {} {} {} {} {}",
            s.ticks, s.rec_peak, s.gated, s.capped, s.passed, s.graph_tbs
        ));
        let Words { tb, idle, load, noroom, gated, capped, issue, empty, busy, kdfull, .. } = w;
        self.line(format_args!("words {tb} {idle} {load} {noroom} {gated} {capped} {issue} {empty} {busy} {kdfull}"));
        let Words { g_no_ready, g_head, g_level_bound, g_deadlock, g_fault, dgbusy, .. } = w;
        self.line(format_args!("graphs {g_no_ready} {g_head} {g_level_bound} {g_deadlock} {g_fault} {dgbusy}"));
    }
}
