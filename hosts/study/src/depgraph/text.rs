//! What was found out about a dependency graph, for people.

use super::{BytesPart, Findings, storage_bytes};
use crate::ideal::Outcome;
use crate::table;
use gpusched::dats::{Admission, DgbConfig, GraphPolicy, NodeId, Prefetch};
use indicatif::HumanCount;

impl Findings<'_> {
    pub fn for_people(&self) -> String {
        let blocks = [self.about_graph(), self.about_buffer(), self.about_run(), self.about_help()];
        let blocks = blocks.into_iter().filter(|rows| !rows.is_empty());
        let blocks: Vec<String> = blocks.map(|rows| table::text(&table::remarks(rows))).collect();
        format!("{}\n{}\n\n{}", self.deps.name, self.deps.provenance, blocks.join("\n"))
    }

    fn about_graph(&self) -> Vec<(&'static str, String)> {
        let graph = self.graph();
        let widths = graph.widths();
        let (least, most) = (widths.iter().min().copied().unwrap_or(0), widths.iter().max().copied().unwrap_or(0));
        let mean = graph.nodes.len() as f64 / widths.len().max(1) as f64;
        let repeated = match graph.repeated {
            0 => String::new(),
            n => format!("; {} more were named again", count(n)),
        };
        let BytesPart { nodes, edges, order } = BytesPart::of(graph);
        vec![
            (
                "nodes        ",
                format!("{}, with {} dependencies{repeated}", count(graph.nodes.len()), count(graph.edges.len())),
            ),
            ("levels", format!("{} of {least} to {most} nodes, {mean:.1} in the mean", count(graph.levels))),
            (
                "farthest",
                graph.farthest().map_or("no dependencies".to_owned(), |(parent, child)| {
                    let distance = count(child.0 - parent.0);
                    format!("{distance} VIDs, from {} to its child {}", self.place(parent), self.place(child))
                }),
            ),
            (
                "in memory",
                format!("{} bytes of nodes, {} of edges, {} of TB indices", count(nodes), count(edges), count(order)),
            ),
        ]
    }

    fn about_buffer(&self) -> Vec<(&'static str, String)> {
        let config = self.buffer();
        let DgbConfig { lna, lea, pub_entries, chunk_bytes, prefetch, spill, .. } = config;
        let prefetch = match prefetch {
            Prefetch::ChunkFree => "when there is room for one",
            Prefetch::Eager => "at once",
        };
        let spill = if spill { "; spills, so the graph completes whatever the verdict" } else { "" };
        let size = count(storage_bytes(&config));
        let mut rows = vec![
            (
                "buffer       ",
                format!(
                    "LNA {lna}, LEA {lea}, PUB {pub_entries}; {size} bytes; fetches chunks of {chunk_bytes} bytes, {prefetch}{spill}"
                ),
            ),
            ("verdict", self.verdict_words(&config)),
        ];
        let needs = match (self.verdict.safe_pub, self.verdict.possible_pub) {
            _ if matches!(self.verdict.admission, Admission::Oversize { .. }) => return rows,
            (Some(0), _) => "safe whatever its size".to_owned(),
            (Some(safe), Some(possible)) if safe == possible => {
                format!("safe from {} entries on; with fewer every schedule deadlocks", count(safe))
            }
            (Some(safe), Some(0)) => format!("safe from {} entries on; with none some schedules complete", count(safe)),
            (Some(safe), Some(possible)) => {
                format!("safe from {} entries on; below {} every schedule deadlocks", count(safe), count(possible))
            }
            (None, Some(possible)) => {
                format!("no size up to 65,535 is safe; below {} every schedule deadlocks", count(possible))
            }
            (_, None) => "every schedule deadlocks at any size up to 65,535".to_owned(),
        };
        rows.push(("PUB", needs));
        rows
    }

    fn verdict_words(&self, config: &DgbConfig) -> String {
        let updates = self.verdict.updates.map_or("more than 65,535".to_owned(), count);
        let holds = count(config.pub_entries);
        match self.verdict.admission {
            Admission::Safe => {
                "SAFE: no schedule deadlocks, whatever the SMXs, the policy and the latencies".to_owned()
            }
            Admission::MayDeadlock { node } => format!(
                "MAY DEADLOCK, first at {}: while it is the oldest that is not done, up to {updates} updates lead beyond the \
                 window. The PUB holds {holds}. If it has no room for this node's own, the window never moves again",
                self.place(node)
            ),
            Admission::Deadlocks { node } => format!(
                "DEADLOCKS in any schedule, at {}: when it is the oldest that is not done, it and the older ones have {updates} \
                 updates that lead beyond the window. The PUB holds {holds}, so the window never moves again",
                self.place(node)
            ),
            Admission::Oversize { node } => format!(
                "NEVER FITS: {} has {} children, the LEA holds {} edges, so it can never enter the window",
                self.place(node),
                count(self.graph().children(node).len()),
                count(config.lea)
            ),
        }
    }

    fn about_run(&self) -> Vec<(&'static str, String)> {
        let host = &self.host;
        let range = [host.durations.least, host.durations.most].map(count);
        let [least, most] = &range;
        let cycles = if least == most { least.clone() } else { format!("{least} to {most}") };
        let memory = match host.memory_cycles {
            0 => "at once".to_owned(),
            cycles => format!("after {} cycles", count(cycles)),
        };
        let on = format!(
            "{} on {}: {} SMXs with room for {} TBs of {} threads; a TB takes {cycles} cycles, memory answers {memory}",
            policy_words(host.policy),
            self.gpu,
            host.config.n_smx,
            host.places(),
            host.tb_threads
        );
        let Some(run) = &self.run else { return Vec::new() };
        let mut rows = vec![("run          ", on)];
        rows.push(match run.deadlock {
            None => ("time", format!("{} cycles, {} of the room in use", count(run.cycles), percent(run.occupancy()))),
            Some(node) => ("deadlock", self.deadlock_words(run, node)),
        });
        let gpusched::Words { g_no_ready, g_head, g_level_bound, noroom, .. } = run.words;
        rows.extend([
            ("PUB", format!("{} entries in use at most", count(run.stats.pub_max))),
            ("level range", format!("{} at most, between TBs that run at a time", run.stats.max_level_range)),
            ("requests", requests(run)),
            (
                "cycles spent",
                format!(
                    "{} without a ready node, {} without room for one, {} at the level bound, {} at the head of the window",
                    count(g_no_ready),
                    count(noroom),
                    count(g_level_bound),
                    count(g_head)
                ),
            ),
        ]);
        rows
    }

    fn deadlock_words(&self, run: &Outcome, node: NodeId) -> String {
        let needs = match &self.with_largest_pub {
            Some(Outcome { deadlock: None, stats, .. }) => {
                format!("; with the largest PUB the run takes {} of its entries and completes", count(stats.pub_max))
            }
            _ => String::new(),
        };
        let (ran, all) = (count(run.tbs.len()), count(self.graph().nodes.len()));
        format!("in cycle {}, at {}, after {ran} of {all} TBs{needs}", count(run.cycles), self.place(node))
    }

    fn about_help(&self) -> Vec<(&'static str, String)> {
        let mut rows = Vec::new();
        let config = self.buffer();
        if self.verdict.admission != Admission::Safe {
            rows.push((
                "would help   ",
                match self.verdict.larger {
                    Some(larger) => {
                        format!(
                            "LNA {} with LEA {} is safe, in {} bytes",
                            larger.lna,
                            larger.lea,
                            count(larger.storage_bytes)
                        )
                    }
                    None => "no larger LNA and LEA is safe".to_owned(),
                },
            ));
            if let Some(safe) = self.verdict.safe_pub {
                let size = storage_bytes(&DgbConfig { pub_entries: safe, ..config });
                rows.push(("", format!("a PUB of {} is safe, in {} bytes", count(safe), count(size))));
            }
        }
        if let Some(run) = &self.with_spill {
            let decrements = count(run.stats.spills);
            rows.push((
                "",
                format!(
                    "--spill: this run completes in {} cycles, with {decrements} updates of memory",
                    count(run.cycles)
                ),
            ));
        }
        rows
    }

    /// What a node is called, and where it is.
    fn place(&self, node: NodeId) -> String {
        let level = self.graph().nodes[usize::from(node.0)].level();
        format!("{}, VID {}, level {level}", self.graph().label(node), node.0)
    }
}

fn requests(run: &Outcome) -> String {
    let stats = &run.stats;
    let spilled = match stats.spills {
        0 => String::new(),
        n => format!(", {} updates of memory", count(n)),
    };
    format!("{} of nodes, {} of edges{spilled}", count(stats.node_requests), count(stats.edge_requests))
}

fn policy_words(policy: GraphPolicy) -> String {
    match policy {
        GraphPolicy::Lrr => "LRR".to_owned(),
        GraphPolicy::Lvl { bound } => format!("LVL({bound})"),
    }
}

fn count(number: impl TryInto<u64>) -> String {
    HumanCount(number.try_into().unwrap_or(u64::MAX)).to_string()
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
