//! The random runs reach what they are meant to test: every decision, word and status, and every fault that a call can meet.

use std::collections::BTreeSet;

use gpusched::laperm::Stage;
use gpusched::{Config, Decision, FallCause, Fault, GroupRef, IssueSource, TbRef, UnitPlace, Words};
use gpusched_tests::events::{Answer, Value};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::properties::configs::{
    bubble_configs, configs, graph_configs, grid_configs, laperm_configs, machine, modern_configs,
};
use crate::properties::script::{Resolver, Step, graph_script, grid_script, modern_script, play, script};

const DECISIONS: &str = "issue h, issue d, issue s, arrive, join a, join s, fall kde, fall agt, load, tb N, tb R, tb a, tb s, \
    bypass, unmark, rotate, gdone, kdone, hwqfree, saved, susp, join g, tb g, place on_chip, place evicting, \
    place spilled, place queue0, lap 1, lap 2, lap 3, refill, sample, tb V, gfin, gfault, gabort, cluster, drained, drain_end, save, restore, \
    complete, tail, opened, released, issue k, kgstart, kgdone";
const STATUS: &[&str] =
    &["Running", "Gated", "KdBlocked", "Suspended", "HwqBlocked", "Retained", "Drained", "GraphStuck", "GraphWait"];
/// Faults that no call of a random run meets, and why.
const ELSEWHERE: &[Fault] = &[
    // The configurations are within their ranges and go together.
    Fault::BadConfig,
    Fault::TurnWithLaperm,
    Fault::LoadWithLaperm,
    Fault::AgtWithLaperm,
    Fault::AheadWithLaperm,
    Fault::Queue0TooSmall,
    Fault::PoolTooSmall,
    // The grids are small; the tests of the buffer alone meet it.
    Fault::TooManyNodes,
    // In Rust there is no such policy.
    Fault::BadGraphPolicy,
    // As of the first ones.
    Fault::TopologySize,
    Fault::ClusterWithLaperm,
    Fault::PriorityWithLaperm,
    Fault::PartitionWithLaperm,
    Fault::PreemptWithLaperm,
    Fault::Launch2WithLaperm,
    Fault::ClusterWithBubble,
    Fault::ClusterWithTold,
    Fault::PriorityWithTold,
    Fault::PartitionWithTold,
    Fault::PreemptWithTold,
];

fn name(decision: &Decision) -> &'static str {
    let on = |group, chip, memory, unit| match group {
        GroupRef::Age(_) => chip,
        GroupRef::Record(_) => memory,
        GroupRef::Unit(_) => unit,
    };
    match decision {
        Decision::Issue { source: IssueSource::Hwq(_), .. } => "issue h",
        Decision::Issue { source: IssueSource::Device, .. } => "issue d",
        Decision::Issue { source: IssueSource::Suspended, .. } => "issue s",
        Decision::Issue { source: IssueSource::Node(_), .. } => "issue k",
        Decision::Arrive { .. } => "arrive",
        Decision::Join { group, .. } => on(*group, "join a", "join s", "join g"),
        Decision::Fall { cause: FallCause::Kde, .. } => "fall kde",
        Decision::Fall { cause: FallCause::Agt, .. } => "fall agt",
        Decision::Load { .. } => "load",
        Decision::Tb(tb) => match tb.tb_ref {
            TbRef::Native => "tb N",
            TbRef::Restored => "tb R",
            TbRef::Node => "tb V",
            TbRef::Group(group) => on(group, "tb a", "tb s", "tb g"),
        },
        Decision::Bypass { .. } => "bypass",
        Decision::Unmark { .. } => "unmark",
        Decision::Rotate { .. } => "rotate",
        Decision::GroupDone { .. } => "gdone",
        Decision::KernelDone { .. } => "kdone",
        Decision::HwqFree { .. } => "hwqfree",
        Decision::Saved { .. } => "saved",
        Decision::Stalled => "stalled",
        Decision::Suspend { .. } => "susp",
        Decision::Place { evicted: Some(_), .. } => "place evicting",
        Decision::Place { place: UnitPlace::OnChip, .. } => "place on_chip",
        Decision::Place { place: UnitPlace::Spilled, .. } => "place spilled",
        Decision::Place { place: UnitPlace::Queue0, .. } => "place queue0",
        Decision::Lap { stage: Stage::Unit, .. } => "lap 1",
        Decision::Lap { stage: Stage::Queue0, .. } => "lap 2",
        Decision::Lap { stage: Stage::Backup, .. } => "lap 3",
        Decision::Refill { .. } => "refill",
        Decision::Sample { .. } => "sample",
        Decision::GraphDone { .. } => "gfin",
        Decision::GraphFault { .. } => "gfault",
        Decision::GraphAbort { .. } => "gabort",
        Decision::Cluster { .. } => "cluster",
        Decision::Complete { .. } => "complete",
        Decision::Tail { .. } => "tail",
        Decision::Opened { .. } => "opened",
        Decision::Released { .. } => "released",
        Decision::KgraphStart { .. } => "kgstart",
        Decision::KgraphDone { .. } => "kgdone",
        Decision::Drained { .. } => "drained",
        Decision::DrainEnd { .. } => "drain_end",
        Decision::Save { .. } => "save",
        Decision::Restore { .. } => "restore",
    }
}

#[derive(Default)]
struct Reached {
    decisions: BTreeSet<&'static str>,
    words: Words,
    faults: BTreeSet<&'static str>,
    status: BTreeSet<String>,
    passed: u64,
}

impl Reached {
    fn note(&mut self, answer: &Answer) {
        self.decisions.extend(answer.decisions.iter().map(|(_, d)| name(d)));
        match &answer.value {
            Err(fault) => {
                self.faults.insert(fault.name());
            }
            Ok(Value::Words(words)) => self.words += *words,
            Ok(_) => {}
        }
    }
}

/// So many runs of random configurations.
fn runs(
    reached: &mut Reached,
    configs: &impl Strategy<Value = Config>,
    script: &impl Strategy<Value = Vec<Step>>,
    n: u32,
) {
    let mut runner = TestRunner::deterministic();
    for _ in 0..n {
        let (config, steps) = (configs, script).new_tree(&mut runner).expect("a value").current();
        let mut gpu = machine(&config);
        let played = play(&mut gpu, &mut Resolver::default(), &steps, &mut |gpu, event| {
            reached.note(&event.apply(gpu));
            reached.status.insert(format!("{:?}", gpu.status()));
            Ok(())
        });
        played.expect("nothing is checked here");
        reached.passed += gpu.stats().passed;
    }
}

#[test]
fn random_runs_reach_everything() {
    let mut reached = Reached::default();
    runs(&mut reached, &configs(), &script(), 1500);
    runs(&mut reached, &laperm_configs(), &script(), 1000);
    runs(&mut reached, &bubble_configs(), &script(), 300);
    runs(&mut reached, &configs(), &graph_script(), 100);
    runs(&mut reached, &graph_configs(), &graph_script(), 1500);
    runs(&mut reached, &modern_configs(), &modern_script(), 2000);
    runs(&mut reached, &grid_configs(), &grid_script(), 1000);
    runs(&mut reached, &configs(), &grid_script(), 100);
    // Beyond 50 are the faults of single mechanisms, but for those of sheets `modern` and `launch2`.
    let is_of_front_end =
        |f: &&Fault| f.code() <= 50 || **f == Fault::BadPriority || f.code() >= Fault::NoTopology.code();
    let faults = Fault::ALL.iter().filter(|f| is_of_front_end(f) && !ELSEWHERE.contains(f)).map(|f| f.name());
    assert_eq!(reached.decisions, DECISIONS.split(", ").collect());
    let Words { tb, idle, load, noroom, gated, capped, no_fit, no_candidate, masked, .. } = reached.words;
    let Words { issue, empty, busy, kdfull, frag, quota, .. } = reached.words;
    let Words { g_no_ready, g_head, g_level_bound, g_deadlock, g_fault, dgbusy, .. } = reached.words;
    let of_graphs = [g_no_ready, g_head, g_level_bound, g_deadlock, g_fault, dgbusy];
    assert!(of_graphs.iter().all(|&n| n > 0), "{:?}", reached.words);
    let words =
        [tb, idle, load, noroom, gated, capped, no_fit, no_candidate, masked, issue, empty, busy, kdfull, frag, quota];
    assert!(words.iter().all(|&n| n > 0), "{:?}", reached.words);
    // Random runs hardly come to this; a test of its own does (launch2-Q2).
    reached.status.remove("WaitStuck");
    assert_eq!(reached.status, STATUS.iter().map(|s| (*s).to_owned()).collect());
    assert_eq!(reached.faults, faults.collect());
    assert!(reached.passed > 20, "{} TBs overtook a capped head", reached.passed);
}
