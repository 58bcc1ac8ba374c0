//! Small machines, every call and every answer in each state: see [`gpusched_tests::explore`]. In each state the sheet's invariants
//! hold, a refused call has changed nothing, and a host that sends whatever stays live drains it.

use gpusched::dats::GraphPolicy;
use gpusched::{
    Config, DatsPart, Descriptor, Dim3, GroupLaunch, KernelSlot, LoadMode, OfferId, PieceId, Policy, RecordId, Rescue,
    SmxSet, ToldPart, Units,
};
use gpusched_heap::front_end;
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::drain::waiting_loads;
use gpusched_tests::events::Event;
use gpusched_tests::explore::{Gpu, explore};

const TINY: Config = Config {
    n_smx: 2,
    tb_slots: 1,
    threads: 2,
    regs: 0,
    smem: 0,
    warp: 2,
    n_hwq: 2,
    n_kde: 2,
    hwq_depth: 1,
    pend_limit: 2,
    susp_cap: 1,
    sync_depth: 1,
    agt_size: 1,
    n_class: 1,
    ..Config::K20C.ideal()
};
/// States per machine.
const STATES: usize = 10_000;

fn kernel(pc: u64, tbs: u32) -> Descriptor {
    Descriptor { pc, grid: Dim3::linear(tbs), tb: Dim3::linear(1), tag: pc, ..Descriptor::default() }
}

fn host(stream: u32, pc: u64, tbs: u32) -> Event {
    Event::HostLaunch { stream, descriptor: kernel(pc, tbs), retain: false }
}

/// Every call of the seam, with every name that may be one and an SMX too many.
fn every_answer(gpu: &Gpu) -> Vec<Event> {
    let config = gpu.config();
    let entries = (0..config.n_kde as u8).map(|k| OfferId::Entry(KernelSlot(k)));
    let records = (0..config.pend_limit).map(|r| OfferId::Record(RecordId(r)));
    let mut events = vec![Event::Begin, Event::Save, Event::Tick];
    for id in entries.chain(records) {
        events.push(Event::Load(id));
        events.extend((0..=config.n_smx).map(|smx| Event::Send { id, smx }));
    }
    let now = gpu.now().0;
    events.extend([None, Some(now), Some(now + 1), Some(now + 2)].map(Event::End));
    events.extend([now + 1, now + 9].map(Event::Skip));
    events
}

/// What resident TBs do, and what else a host may do between cycles.
fn the_rest(gpu: &Gpu) -> Vec<Event> {
    let groups = |lanes| vec![GroupLaunch { kernel: kernel(1, 2), hw_tid: 0 }; lanes];
    let mut events = Vec::new();
    for tb in gpu.resident_tbs() {
        events.push(Event::end_of(&tb));
        events.push(Event::AggLaunch { smx: tb.smx.into(), slot: tb.slot.into(), groups: groups(2) });
    }
    events.extend([host(0, 1, 2), host(1, 2, 1)]);
    events.extend(waiting_loads(gpu).into_iter().map(|r| Event::SpillLoaded(r.into())));
    events
}

fn run(name: &str, config: &Config, alphabet: impl Fn(&Gpu) -> Vec<Event>) {
    match explore(front_end(config).unwrap(), &alphabet, STATES) {
        Ok(explored) => {
            println!("{name}: {explored:?}");
            assert!(explored.states >= STATES && explored.depth >= 4, "{name}: {explored:?}");
        }
        Err(wrong) => panic!("{name}: {wrong}"),
    }
}

fn told(part: ToldPart) -> Policy {
    Policy::Told(part)
}

/// Two kernels and two groups in chains, of which one spills; the load takes two cycles, or as long as the host says.
#[test]
fn every_answer_to_chains() {
    for (name, load_mode, load_cycles) in [("fixed", LoadMode::Fixed, 2), ("external", LoadMode::External, 0)] {
        let part = ToldPart { stall_limit: 2, rescue: Rescue::Rr, ..ToldPart::CHAIN };
        let config = Config { policy: told(part), load_mode, load_cycles, turn_groups: 1, ..TINY };
        run(name, &config, |gpu| [every_answer(gpu), the_rest(gpu)].concat());
    }
}

/// The same units, free, up to two TBs in a cycle.
#[test]
fn every_answer_to_free_units() {
    let part =
        ToldPart { units: Units::Free, dispatch_per_cycle: 2, stall_limit: 1, rescue: Rescue::Rr, ..ToldPart::CHAIN };
    run("free", &Config { policy: told(part), ..TINY }, |gpu| [every_answer(gpu), the_rest(gpu)].concat());
}

/// One SMX and one unit of a kernel, or a kernel and a group, every split of which the two rows for pieces have room, and a row too many; the
/// kernel comes and goes. There is no other way to begin or end a cycle, so that the search is deep.
#[test]
fn every_answer_to_units_in_pieces() {
    for (name, tbs, dispatch_per_cycle) in [("kernel", 5, 2), ("group", 2, 1)] {
        let part = ToldPart { units: Units::Free, dispatch_per_cycle, split_cap: 2, ..ToldPart::CHAIN };
        let config = Config { policy: told(part), n_smx: 1, tb_slots: 2, n_kde: 1, pend_limit: 1, ..TINY };
        run(name, &config, |gpu| {
            let pieces = (0..=2).map(|p| OfferId::Piece(PieceId(p)));
            let ids = pieces.chain([OfferId::Entry(KernelSlot(0)), OfferId::Record(RecordId(0))]);
            let mut events = vec![Event::Begin, Event::End(None), host(0, 1, tbs), Event::Suspend(0), Event::Resume(0)];
            for id in ids {
                events.push(Event::Send { id, smx: 0 });
                events.extend((0..=5).map(|at| Event::Split { id, at }));
            }
            for tb in gpu.resident_tbs() {
                events.push(Event::end_of(&tb));
                let group = GroupLaunch { kernel: kernel(1, 4), hw_tid: 0 };
                events.push(Event::AggLaunch { smx: tb.smx.into(), slot: tb.slot.into(), groups: vec![group] });
            }
            events
        });
    }
}

/// One SMX of two slots whose gates open and close, and kernels that are suspended and come back.
#[test]
fn every_answer_to_what_comes_and_goes() {
    for units in [Units::Chain, Units::Free] {
        let part = ToldPart { units, stall_limit: 3, rescue: Rescue::None, ..ToldPart::CHAIN };
        let config = Config { policy: told(part), n_smx: 1, tb_slots: 2, n_kde: 1, pend_limit: 1, ..TINY };
        run("comes and goes", &config, |gpu| {
            let mut events = [every_answer(gpu), the_rest(gpu)].concat();
            events.extend([0, 1].map(|mask| Event::SetEligible(SmxSet::from_words([mask, 0, 0, 0]))));
            events.extend([Event::Suspend(0), Event::Resume(0), host(0, 1, 3)]);
            events
        });
    }
}

/// A graph beside a kernel, answered at any time.
#[test]
fn every_answer_to_a_graph() {
    for units in [Units::Chain, Units::Free] {
        let dats = DatsPart { lna: 3, lea: 4, pub_entries: 1, chunk_bytes: 16, ..DatsPart::GTX480 };
        let part = ToldPart { units, stall_limit: 1, rescue: Rescue::Rr, dispatch_per_cycle: 2, ..ToldPart::CHAIN };
        let config = Config { policy: told(part), dats: Some(dats), n_hwq: 1, ..TINY };
        let memory = Memory::of_parents(&[vec![], vec![0]]);
        run("graph", &config, |gpu| {
            let graph = memory.header(GraphPolicy::Lrr);
            let descriptor = kernel(7, graph.v);
            let mut events = every_answer(gpu);
            events.extend(gpu.resident_tbs().map(|tb| Event::end_of(&tb)));
            events.extend([Event::GraphPoll, Event::AbortGraph(0), host(0, 1, 1)]);
            events.push(Event::HostLaunchGraph { stream: 0, descriptor, retain: false, graph });
            events.extend((0..3).map(|tag| Event::GraphNodes(tag, memory.nodes.clone())));
            events.extend((0..3).map(|tag| Event::GraphEdges(tag, memory.edges.clone())));
            events
        });
    }
}
