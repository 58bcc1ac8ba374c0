//! Golden vectors on each home: tables that are larger than needed, and inline, answer as tables of the exact size on the heap.

use gpusched::apogee::{Apogee, ApogeeConfig};
use gpusched::dats::{Dgb, DgbConfig, GraphHeader};
use gpusched::laperm::{LaPerm, Model};
use gpusched::mascar::{Entry, Mascar, MascarConfig};
use gpusched::power::{BubbleConfig, BubbleDvfs};
use gpusched::presets::{K20c, K20cLaPerm};
use gpusched::rows::{SmxLedger, SmxPower};
use gpusched::{
    BuildError, Config, Cycle, FrontEnd, KernelSlot, Resources, RowSource, SliceTables, dats, inline_apogee_tables,
    inline_bubble_tables, inline_dgb_tables, inline_mascar_tables, inline_tables, laperm, mascar, power,
};
use gpusched_tests::apogee::{Answered, Apogees, Event, Form as Lanes, View};
use gpusched_tests::bubble::Bubbles;
use gpusched_tests::dats::in_front_end::InFrontEnd;
use gpusched_tests::dats::view::View as GraphView;
use gpusched_tests::dats::{Parts, heap, refused_field};
use gpusched_tests::laperm::{LaPerms, heap as laperm_heap};
use gpusched_tests::machine::{Family, Machine, Of};
use gpusched_tests::mascar::Mascars;
use gpusched_tests::replay::frontend::{Pace, has_parts};
use gpusched_tests::replay::steps::{Form, replay_on};
use gpusched_tests::replay::{frontend, in_rust};
use gpusched_tests::through_c::fault;
use serde_json::Value;

use crate::{assert_passed, vectors};

/// Replays the vectors of a mechanism that are chosen on machines that `build` makes.
fn pass<F: Form, M: Of<F>>(
    mechanism: &str,
    chosen: impl Fn(&Value) -> bool,
    build: impl Fn(&F::Config) -> Result<M, BuildError>,
) {
    for (file, vector) in vectors(mechanism).into_iter().filter(|(_, vector)| chosen(vector)) {
        assert_passed(&file, replay_on::<F, _>(&vector, |config| in_rust(build(config))).unwrap());
    }
}

fn all(_: &Value) -> bool {
    true
}

/// Some machines are large values: they and their copies want more than a test thread's stack.
fn on_a_large_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 20).spawn(test).unwrap().join().unwrap();
}

#[test]
fn a_front_end_has_a_home() {
    on_a_large_stack(|| {
        for (file, vector) in [vectors("dtbl"), vectors("frontend")].concat() {
            if !has_parts(&vector) {
                let build = |config: &Config| in_rust(FrontEnd::<K20c>::new(config));
                assert_passed(&file, frontend::replay_on(&vector, Pace::Skip, build).unwrap());
            }
        }
    });
}

inline_tables! {
    /// The K20c in the CDP model.
    struct Kernels: laperm = laperm::Config { model: Model::Cdp, ..laperm::Config::K20C };
}
inline_mascar_tables! {
    struct Gtx480 = MascarConfig::GTX480;
}
inline_bubble_tables! {
    struct Thirteen = BubbleConfig::K20C;
}
inline_apogee_tables! {
    /// As large as the largest that a vector needs.
    struct Large = ApogeeConfig { warps: 32, ..ApogeeConfig::APOGEE_4 };
}
inline_dgb_tables! {
    /// The arrays of the GTX 480, larger than most vectors need.
    struct Arrays = DgbConfig::GTX480;
}

#[test]
fn machines_have_a_home() {
    on_a_large_stack(|| {
        let cdp = |vector: &Value| vector["config"]["model"] == "cdp";
        pass::<LaPerms, _>("laperm", cdp, LaPerm::<Kernels>::new);
        pass::<LaPerms, _>("laperm", |vector| !cdp(vector), LaPerm::<K20cLaPerm>::new);
        pass::<Mascars, _>("mascar", all, Mascar::<Gtx480>::new);
        pass::<Bubbles, _>("bubble_dvfs", all, BubbleDvfs::<Thirteen>::new);
        pass::<Apogees, _>("apogee", all, Apogee::<Large>::new);
    });
}

/// Graphs, on parts of one hand.
fn graphs_pass<P: Parts>() {
    for (file, vector) in vectors("dats") {
        let outcome = gpusched_tests::replay::dats::replay_on::<P>(&vector);
        assert_passed(&file, outcome.unwrap_or_else(|error| panic!("{}: {error:#}", file.display())));
    }
}

/// Machines with inline tables.
struct Inline;

impl Parts for Inline {
    type Machine = Dgb<Arrays>;

    fn machine(config: &DgbConfig) -> Result<Self::Machine, &'static str> {
        Dgb::new(config).map_err(refused_field)
    }
}

#[test]
fn a_buffer_of_graphs_has_a_home() {
    graphs_pass::<Inline>();
}

/// frontend-E3: a graph kernel alone is the buffer alone.
#[test]
fn a_buffer_of_graphs_answers_inside_the_front_end() {
    graphs_pass::<InFrontEnd>();
}

/// A prefetcher that gets its lanes in a form.
struct Given<M>(M, Lanes);

impl<M: Of<Apogees>> Machine for Given<M> {
    type Event = Event;
    type Answered = Answered;
    type View = View;
    type Mark = M::Mark;

    fn take(&mut self, event: &Event) -> Answered {
        let mut event = event.clone();
        if let Event::Load(load) = &mut event {
            load.form = self.1;
        }
        self.0.take(&event)
    }

    fn view(&self) -> View {
        self.0.view()
    }

    fn mark(&self) -> M::Mark {
        self.0.mark()
    }
}

/// In Rust and through C; lanes in every form.
#[test]
fn lanes_have_every_form() {
    for (file, vector) in vectors("apogee") {
        for form in Lanes::ALL {
            let core = |config: &_| Ok(Apogees::core(config).map(|machine| Given(machine, form)));
            assert_passed(&file, replay_on::<Apogees, _>(&vector, core).unwrap());
            let c =
                |config: &_| Ok(<Apogees as Family>::C::new(config).map(|machine| Given(machine, form)).map_err(fault));
            assert_passed(&file, replay_on::<Apogees, _>(&vector, c).unwrap());
        }
    }
}

/// Rows one behind the other in memory that belongs to somebody else.
struct Arena;

impl<'a> RowSource<'a> for Arena {
    fn rows<R: Default + 'a>(&mut self, n: usize) -> Option<&'a mut [R]> {
        Some(std::iter::repeat_with(R::default).take(n).collect::<Vec<R>>().leak())
    }
}

#[test]
fn slices_are_a_home_of_laperm() {
    let config = laperm::Config { smxs: 5, cluster: 2, pool_cap: 3, ..laperm::Config::K20C };
    let sizes = laperm::TableSizes::of(&config);
    let tables = laperm::TableSet::take_from(&mut Arena, &sizes).unwrap();
    let mut machine = LaPerm::<SliceTables<'static>>::with_tables(&config, tables).unwrap();
    let mut on_heap = laperm_heap::machine(&config).unwrap();
    let need = Resources { threads: 1, regs: 0, smem: 0, slots: 1 };
    let now = Cycle(0);
    assert_eq!(machine.push_host(now, 1, 1, need), on_heap.push_host(now, 1, 1, need));
    assert_eq!(machine.tick(now), on_heap.tick(now));
    // Three units of 128 entries, queue 0 and the pool; four levels per unit and the host's section.
    assert_eq!((sizes.entries, sizes.sections, sizes.units, sizes.smxs), (3 * 128 + 32 + 3, 13, 3, 5));
    assert_eq!(sizes.layouts().count(), 7);
}

const PAIR: laperm::Config = laperm::Config { smxs: 2, queue_cap: 3, q0_cap: 2, pool_cap: 3, ..laperm::Config::K20C };
inline_tables! {
    /// Two SMXs.
    struct Pair: laperm = PAIR;
}

/// A home that lacks a row is refused, with the name of its table.
#[test]
fn small_tables_are_refused() {
    let built = LaPerm::<Pair>::new(&laperm::Config { pool_cap: 4, ..PAIR });
    let Err(BuildError::Tables(small)) = built else { panic!("it has a row too few") };
    assert_eq!((small.table, small.need - small.have), ("entries", 1));
}

#[test]
fn slices_are_a_home_of_a_buffer_of_graphs() {
    let config = DgbConfig { lna: 65, lea: 9, pub_entries: 3, chunk_bytes: 24, ..DgbConfig::GTX480 };
    let sizes = dats::TableSizes::of(&config);
    assert_eq!((sizes.local_nodes, sizes.local_edges, sizes.pending_updates, sizes.insertions), (65, 9, 3, 3));
    let tables = dats::TableSet::take_from(&mut Arena, &sizes).unwrap();
    let mut machine = Dgb::<SliceTables<'static>>::with_tables(&config, tables).unwrap();
    let mut on_heap = heap::machine(&config).unwrap();
    let graph = GraphHeader { v: 9, ..GraphHeader::default() };
    assert_eq!(machine.launch(KernelSlot(0), &graph), on_heap.launch(KernelSlot(0), &graph));
    assert_eq!(machine.poll(), on_heap.poll());
    assert_eq!(GraphView::of(&machine), GraphView::of(&on_heap));
}

/// Slices of somebody else's memory are a home like any other.
#[test]
fn slices_are_a_home_of_mascar() {
    let config = MascarConfig { rexq: 2, ..MascarConfig::GTX480 };
    let mut rows = [Entry::default(); 2];
    let mut machine = Mascar::with_tables(&config, mascar::TableSet::<SliceTables<'_>> { rexq: &mut rows }).unwrap();
    assert!(machine.pick(Cycle(0), true, None).unwrap().issues.is_empty());
}

/// Slices of somebody else's memory are a home like any other.
#[test]
fn slices_are_a_home_of_the_controller() {
    let config = BubbleConfig { smxs: 2, ..BubbleConfig::K20C };
    let (mut powers, mut ledgers) = ([SmxPower::default(); 2], [SmxLedger::default(); 2]);
    let tables = power::TableSet::<SliceTables<'_>> { powers: &mut powers, ledgers: &mut ledgers };
    let mut machine = BubbleDvfs::with_tables(&config, tables).unwrap();
    let sample = machine.sample(Cycle(0), None, None).unwrap();
    assert!(sample.gpu_start.is_some());
}
