//! Random runs: a GPU, what happens to it, a policy with parameters.

use gpusched::catalogue::{
    About, Catalogue, CatalogueConfig, CatalogueState, Completion, Snapshot, StreamSlot, UnitView,
};
use gpusched::policy::seam::offer::Choice;
use gpusched::{Fault, SmxId};
use gpusched_tests::catalogue::harness::{
    Arrival, Child, Durations, Gate, GateKind, Harness, Line, Pace, Run, Scene, Work,
};
use gpusched_tests::catalogue::{Chooses, HeapTables, Queries, UNITS, config, machine};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A run that a policy is asked for.
#[derive(Clone, Debug)]
pub struct Case {
    pub policy: &'static str,
    pub parameters: Value,
    pub scene: Scene,
    pub arrivals: Vec<Arrival>,
}

impl Case {
    pub fn config(&self) -> CatalogueConfig {
        config(self.policy, &self.parameters, &self.scene, UNITS).unwrap_or_else(|fault| panic!("{fault}: {self:?}"))
    }

    pub fn machine(&self) -> Catalogue<HeapTables> {
        machine(&self.config()).expect("a good configuration")
    }

    pub fn harness(&self) -> Harness {
        Harness::new(&self.scene, &self.arrivals, UNITS)
    }

    /// The run, and the policy behind it.
    pub fn run(&self, pace: Pace) -> Result<(Run, Catalogue<HeapTables>), TestCaseError> {
        let mut machine = self.machine();
        let run = self.harness().finish(&mut machine, pace);
        let run = run.map_err(|error| TestCaseError::fail(format!("{error:#}")))?;
        Ok((run, machine))
    }

    /// The same run of another policy.
    pub fn of(&self, policy: &'static str, parameters: Value) -> Self {
        Self { policy, parameters, ..self.clone() }
    }
}

/// A policy whose calls are watched.
pub struct Watched {
    pub policy: Catalogue<HeapTables>,
    pub done: fn(&mut Catalogue<HeapTables>, &Completion) -> Result<(), Fault>,
    pub choose: fn(&mut Catalogue<HeapTables>, &Snapshot<'_>) -> Option<Choice>,
}

impl Chooses for Watched {
    fn done(&mut self, ended: &Completion) -> Result<(), Fault> {
        (self.done)(&mut self.policy, ended)
    }

    fn choose(&mut self, view: &Snapshot<'_>) -> Result<Option<Choice>, Fault> {
        Ok((self.choose)(&mut self.policy, view))
    }
}

impl Queries for Watched {
    fn config(&self) -> CatalogueConfig {
        *self.policy.config()
    }

    fn is_settled(&self) -> bool {
        self.policy.is_settled()
    }

    fn state(&self) -> CatalogueState {
        self.policy.state()
    }

    fn pointer(&self, index: u32) -> Option<u32> {
        self.policy.pointer(index)
    }

    fn owner(&self, smx: SmxId) -> Option<StreamSlot> {
        self.policy.owner(smx)
    }

    fn deficit(&self, slot: StreamSlot) -> u32 {
        self.policy.deficit(slot)
    }

    fn unit(&self, row: u32) -> Option<UnitView> {
        self.policy.unit(row)
    }
}

/// Numbers from 0 without gaps, each as often as the steps say.
fn numbers(steps: &[bool]) -> Vec<u8> {
    let mut last = 0;
    (0..)
        .zip(steps)
        .map(|(i, step)| {
            last += u8::from(i > 0 && *step);
            last
        })
        .collect()
}

fn topology(n: usize) -> impl Strategy<Value = (Option<Vec<u8>>, Option<Vec<u8>>)> {
    prop::option::of((prop::collection::vec(any::<bool>(), n), prop::collection::vec(any::<bool>(), n))).prop_map(
        |steps| {
            let Some((tpcs, gpcs)) = steps else { return (None, None) };
            let (tpc, gpc_of_tpc) = (numbers(&tpcs), numbers(&gpcs));
            let gpc = tpc.iter().map(|tpc| gpc_of_tpc[usize::from(*tpc)]).collect();
            (Some(tpc), Some(gpc))
        },
    )
}

fn gate() -> impl Strategy<Value = Gate> {
    let kind = prop_oneof![Just(GateKind::E), Just(GateKind::K)];
    (0..60_u64, 1..60_u64, 0..7_u16, prop::option::of(1..5_u64), kind)
        .prop_map(|(from, length, smx, tag, kind)| (from, from + length, smx, tag, kind))
}

pub fn scenes() -> impl Strategy<Value = Scene> {
    let gpu = (1..=7_u32).prop_flat_map(|n| (Just(n), topology(n as usize)));
    let line = prop_oneof![Just(Line::Key), Just(Line::Prio)];
    let times = (any::<u64>(), 1..10_u64, 0..20_u64, 1..16_u64);
    (gpu, 1..=5_u32, prop::sample::select(vec![512, 1024, 2048]), times, prop::collection::vec(gate(), 0..6), line)
        .prop_map(|((n_smx, (tpc, gpc)), slots, threads, (seed, dmin, more, width), gates, offers)| Scene {
            n_smx,
            slots,
            threads,
            tpc,
            gpc,
            seed,
            dmin,
            dmax: dmin + more,
            width,
            gates,
            offers,
            limit: 100_000,
            ..Scene::default()
        })
}

fn leaf() -> impl Strategy<Value = Work> {
    let durations = prop_oneof![2 => Just(None), 1 => (1..40_u64).prop_map(|each| Some(Durations::Each(each)))];
    let needs = (1..=512_u32, 0..=20_000_u32, 0..=16_000_u32);
    (1..5_u64, 1..14_u32, needs, 0..8_u64, durations).prop_map(|(tag, total, (threads, regs, smem), share, dur)| Work {
        tag,
        total,
        threads,
        regs,
        smem,
        share,
        dur,
        children: Vec::new(),
    })
}

fn with_children(of: impl Strategy<Value = Work> + Clone + 'static) -> impl Strategy<Value = Work> + Clone {
    let child = (prop::collection::btree_set(0..14_u32, 1..3), 1..6_u64, of);
    let child = child.prop_map(|(blks, after, work)| Child { blks: blks.into_iter().collect(), after, work });
    (prop::sample::select(vec![0, 0, 1, 2]), prop::collection::vec(child, 2), leaf())
        .prop_map(|(n, children, work)| Work { children: children[..n].to_vec(), ..work })
        .boxed()
}

pub fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let work = with_children(with_children(leaf().boxed()));
    let arrival = (0..50_u64, prop_oneof![4 => 0..4_u32, 1 => any::<u32>()], 0..3_u8, work);
    prop::collection::vec(arrival.prop_map(|(at, stream, prio, work)| Arrival { at, stream, prio, work }), 1..5)
}

/// A value of a parameter that a number chooses; none leaves the default.
fn value(policy: &str, name: &str, number: u64, scene: &Scene) -> Option<Value> {
    let pick = |values: &[Value]| values[number as usize % values.len()].clone();
    let words = |words: &[&str]| Some(json!(words[number as usize % words.len()]));
    match name {
        "pass" => words(&["head", "capped", "any"]),
        "place" if policy == "leftover" => words(&["rr", "lowest"]),
        "place" => words(&["rr", "lowest", "parent"]),
        "order" if policy == "most_room" => {
            let mut all: Vec<_> = (0..scene.n_smx).collect();
            all.rotate_left(number as usize / 3 % scene.n_smx as usize);
            all.reverse();
            Some(pick(&[json!("asc"), json!("even_odd"), json!(all)]))
        }
        "order" => words(&["ascending", "own"]),
        "prio_first" | "spill" => Some(json!(number % 2 == 1)),
        "warp" => Some(pick(&[json!(32), json!(1), json!(64), json!(13)])),
        "block" => Some(json!(1 + number % 5)),
        "samples" => Some(json!(1 + number % 3)),
        "domain" => words(&["smx", "tpc", "gpc"]),
        "chunk" => Some(json!(number % 6)),
        "seed" => Some(json!(number)),
        "grain" => Some(json!(number % 4)),
        "probe" => Some(json!(number % 9)),
        "metric" => words(&["tbs", "threads", "time"]),
        "streams" => Some(json!(1 + number % 4)),
        "cost" => words(&["tbs", "threads"]),
        "quantum" => Some(json!(scene.threads + number as u32 % 9)),
        "what" => words(&["smx", "offer", "both"]),
        "tie" => words(&["newest", "oldest"]),
        "amount" => words(&["half", "one"]),
        "min_steal" => Some(json!(1 + number % 3)),
        _ => None,
    }
}

/// Parameters of a policy, chosen by numbers; half of them are the defaults.
fn parameters(about: &About, numbers: &[u64], scene: &Scene) -> Value {
    let mut all = json!({});
    for (reads, number) in about.parameters.iter().zip(numbers) {
        // Of two parameters that belong together both are told.
        let is_told = number % 2 == 0 || ["streams", "quantum"].contains(&reads.name);
        if let Some(value) = value(about.name, reads.name, number / 2, scene).filter(|_| is_told) {
            all[reads.name] = value;
        }
    }
    if all["order"] == "own" {
        all["spill"] = json!(false);
    }
    if about.has("weights") && numbers[0].is_multiple_of(3) {
        let streams = all["streams"].as_u64().unwrap();
        all["weights"] = (0..streams).map(|slot| json!(1 + (numbers[1] >> slot) % 4)).collect();
    }
    all.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    all
}

/// Runs of every policy.
pub fn cases() -> impl Strategy<Value = Case> {
    let numbers = prop::collection::vec(any::<u64>(), 8);
    (prop::sample::select(About::ALL), numbers, scenes(), arrivals()).prop_map(|(about, numbers, scene, arrivals)| {
        Case { policy: about.name, parameters: parameters(&about, &numbers, &scene), scene, arrivals }
    })
}
