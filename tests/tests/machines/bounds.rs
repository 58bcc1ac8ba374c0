//! The announced numbers of decisions are reached, so hosts reserve no room in vain. That they are never passed is checked in every
//! random run ([`Event::bounded`]).

use gpusched::{Config, Decision, Descriptor, Dim3, FrontEnd, GroupLaunch, SlotId, SmxId};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_heap::{HeapTables, front_end};
use gpusched_tests::events::Event;
use gpusched_tests::machine::Machine;
use gpusched_tests::through_c::ThroughC;

const SMX: SmxId = SmxId(0);

fn kernel(pc: u64, regs: u32) -> Descriptor {
    Descriptor { pc, regs, grid: Dim3::linear(1), tb: Dim3::linear(1), ..Descriptor::default() }
}

fn tick(gpu: &mut FrontEnd<HeapTables>) -> Vec<Decision> {
    Event::Tick.apply(gpu).decisions.into_iter().map(|(_, decision)| decision).collect()
}

/// Every entry but one holds a kernel, all of whose TBs were sent; all but the last kernel, which still has a TB, are of a class
/// that no SMX takes. In one cycle a kernel is issued and arrives, a warp launches a spilled group for each of the others (and
/// some that nobody takes), and the scheduler asks for every group until it finds the one that may go.
fn busiest_tick(config: &Config) -> usize {
    let mut gpu = front_end(config).unwrap();
    let kernels = config.n_kde - 1;
    let (capped, open) = (1, 2);
    let of = |k: u32| kernel(if k + 1 < kernels { capped } else { open }, k);
    for k in 0..kernels {
        gpu.host_launch(k, &of(k), true).unwrap();
        // Issued, arrived and sent in one cycle; the last TB stays.
        tick(&mut gpu);
        if k + 1 < kernels {
            gpu.tb_done(SMX, SlotId(0), &mut ()).unwrap();
        }
    }
    let group = |k: u32| GroupLaunch { kernel: of(k), hw_tid: 0 };
    // The only entry of the AGT is taken from now on.
    gpu.agg_launch(SMX, SlotId(0), &[group(kernels - 1)]).unwrap();
    tick(&mut gpu);
    let classes = [(0, capped, 0, 0), (1, open, config.tb_slots, 1)];
    for (class, pc, cap, by) in classes {
        Event::SetClass { class, pc: Some(pc) }.apply(&mut gpu).value.unwrap();
        Event::SetClassCap { class, smx: 0, cap, by }.apply(&mut gpu).value.unwrap();
    }
    gpu.host_launch(kernels, &kernel(capped, kernels), false).unwrap();
    let fallen = GroupLaunch { kernel: kernel(3, 0), hw_tid: 0 };
    let lane = |lane| if lane < kernels { group(lane) } else { fallen };
    let lanes = (0..config.warp).map(lane).collect::<Vec<_>>();
    gpu.agg_launch(SMX, SlotId(0), &lanes).unwrap();
    tick(&mut gpu).len()
}

#[test]
fn a_tick_decides_as_often_as_announced() {
    for (n_kde, warp) in [(2, 1), (2, 4), (8, 32), (32, 32), (64, 64)] {
        let config = Config {
            n_smx: 1,
            n_kde,
            n_hwq: n_kde,
            warp,
            agt_size: 1,
            load_cycles: 0,
            pend_limit: 100,
            ..Config::K20C.ideal()
        };
        assert_eq!(busiest_tick(&config), config.decisions_per_tick(), "{n_kde} entries, {warp} lanes");
    }
}

/// A kernel that fills the GPU is suspended.
#[test]
fn a_call_decides_as_often_as_announced() {
    let config = Config::K20C.ideal();
    let mut gpu = front_end(&config).unwrap();
    let slots = config.n_smx * config.tb_slots;
    gpu.host_launch(0, &Descriptor { grid: Dim3::linear(slots + 1), ..kernel(1, 0) }, false).unwrap();
    gpu.run(slots.into(), &mut ()).unwrap();
    let suspended = Event::Suspend(0).apply(&mut gpu);
    assert_eq!(suspended.decisions.len(), config.decisions_per_call());
}

fn host(stream: u32, descriptor: Descriptor, retain: bool) -> Event {
    Event::HostLaunch { stream, descriptor, retain }
}

/// Through C: with one place less than the call takes it is refused; with as many it is not, and loses nothing. `setup` may use
/// streams and pcs from 2 to 9; slots 0 and 1 are taken by the group that it begins with.
fn takes_exactly(needed: usize, setup: &[Event], call: &Event) {
    let config = Config { n_smx: 1, tb_slots: 8, n_kde: 64, n_hwq: 64, warp: 1, ..Config::K20C.ideal() };
    // The shortest queue.
    let mut c = ThroughC::new(&config, 1).unwrap();
    let done = |c: &mut ThroughC, event: &Event| {
        let answer = c.take(event);
        assert!(answer.value.is_ok(), "{event:?}: {answer:?}");
        answer.decisions
    };
    // A group of one TB, whose end is one decision, and retained kernels, whose ends are two each.
    let group = GroupLaunch { kernel: kernel(1, 0), hw_tid: 0 };
    let group = Event::AggLaunch { smx: 0, slot: 0, groups: vec![group] };
    for event in [host(1, kernel(1, 0), false), Event::Tick, group, Event::Tick].iter().chain(setup) {
        done(&mut c, event);
    }
    for k in 10..50 {
        let sent = [host(k, kernel(k.into(), 0), true), Event::Tick].map(|event| done(&mut c, &event)).concat();
        let tb = sent.iter().find_map(|(_, d)| if let Decision::Tb(tb) = d { Some(tb) } else { None }).unwrap();
        done(&mut c, &Event::TbDone { smx: 0, slot: tb.slot.into() });
    }
    let mut retained =
        c.view().kdes.into_iter().filter(|(_, e)| e.retain && e.pc >= 10).map(|(k, _)| Event::Unretain(k.into()));
    let room = |c: &ThroughC| config.decisions_per_call() - c.unread();
    while room(&c) > needed {
        c.call(&retained.next().unwrap()).unwrap();
    }
    if room(&c) == needed {
        c.call(&Event::TbDone { smx: 0, slot: 1 }).unwrap();
    }
    assert_eq!(room(&c), needed - 1);
    let before = (c.unread(), c.mark());
    assert_eq!(c.call(call), Err(Status::Unread));
    assert!((c.unread(), c.mark()) == before);
    c.read(1);
    c.call(call).unwrap();
    assert_eq!(room(&c), 0, "every decision is in the queue");
}

#[test]
fn a_call_through_c_takes_the_room_that_it_asks_for() {
    let group = GroupLaunch { kernel: kernel(2, 0), hw_tid: 1 };
    let launch = Event::AggLaunch { smx: 0, slot: 2, groups: vec![group] };
    let parent_ends = Event::TbDone { smx: 0, slot: 2 };
    let start = |retain| vec![host(2, kernel(2, 0), retain), Event::Tick];
    // A group, its kernel and its queue end at once.
    let last_of_all = [start(false), vec![launch, Event::Tick, parent_ends.clone()]].concat();
    takes_exactly(3, &last_of_all, &Event::TbDone { smx: 0, slot: 3 });
    takes_exactly(2, &[start(true), vec![parent_ends]].concat(), &Event::Unretain(1));
    let two = Descriptor { grid: Dim3::linear(2), ..kernel(2, 0) };
    takes_exactly(3, &[host(2, two, false), Event::Tick, Event::Tick], &Event::Suspend(1));
}
