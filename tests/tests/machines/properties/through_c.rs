//! The front end through C gives the answers of the core, whether or not its decisions are read, and keeps what it refuses: alone,
//! under LaPerm, with an occupancy-bubble controller and with dependency graphs.

use gpusched::power::Sample;
use gpusched::{Config, Cycle, Decision};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::calls::frontend::Queries as _;
use gpusched_tests::events::Event;
use gpusched_tests::images::image;
use gpusched_tests::machine::Machine as _;
use gpusched_tests::through_c::{ThroughC, fault};
use gpusched_tests::view::View;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::properties::configs::{Machine, machine};
use crate::properties::script::{Resolver, Step, play};

fn object(config: &Config, decisions: u32) -> ThroughC {
    ThroughC::new(config, decisions).expect("random configurations are valid")
}

/// frontend-C1: the first multiple of the period, after cycle 0, whose tick is still to come.
fn next_sample(gpu: &Machine) -> Option<Cycle> {
    let period = u64::from(gpu.config().bubble?.sample_cycles);
    gpu.now().0.max(1).checked_next_multiple_of(period).map(Cycle)
}

/// The same call on both.
fn compare(gpu: &mut Machine, c: &mut ThroughC, event: &Event) -> TestCaseResult {
    let before = c.mark();
    let (expected, got) = (event.apply(gpu), c.take(event));
    prop_assert_eq!(&got, &expected, "{:?}", event);
    prop_assert!(got.value.is_ok() || c.mark() == before, "{:?} was refused and changed the state", event);
    prop_assert_eq!(c.view(), View::of(gpu), "after {:?}", event);
    prop_assert_eq!(c.next_event(), gpu.next_event(), "after {:?}", event);
    if gpu.config().bubble.is_some() {
        prop_assert_eq!(c.next_sample(), next_sample(gpu), "after {:?}", event);
    }
    event.bounded(&got, gpu.config()).map_err(TestCaseError::fail)
}

fn agree(config: &Config, steps: &[Step], start: u64) -> TestCaseResult {
    let (mut gpu, mut c) = (machine(config), object(config, 0));
    compare(&mut gpu, &mut c, &Event::Run(start))?;
    play(&mut gpu, &mut Resolver::default(), steps, &mut |gpu, event| compare(gpu, &mut c, event))
}

/// The ring holds the newest of all decisions, whether or not they were read.
fn check_trace(c: &ThroughC, all: &[(Cycle, Decision)]) -> TestCaseResult {
    let (traced, written) = c.traced();
    prop_assert_eq!(written, all.len());
    prop_assert!(all.ends_with(&traced));
    Ok(())
}

/// How a host reads.
#[derive(Clone, Debug)]
struct Habit {
    /// Decisions that its queue is asked to hold.
    decisions: u32,
    /// Decisions that its ring holds.
    ring: usize,
    /// Decisions to read after each call, in turn.
    reads: Vec<usize>,
}

fn habits() -> impl Strategy<Value = Habit> {
    let decisions = prop_oneof![2 => Just(1), 2 => 0..60u32, 1 => Just(5000)];
    let reads = prop::collection::vec(prop_oneof![4 => Just(0), 1 => 1..4usize, 1 => Just(usize::MAX)], 1..6);
    (decisions, 1..20usize, reads).prop_map(|(decisions, ring, reads)| Habit { decisions, ring, reads })
}

/// A host that reads when it likes, and when it must.
struct Lazy<'a> {
    c: ThroughC,
    reads: &'a [usize],
    calls: usize,
    expected: Vec<(Cycle, Decision)>,
    last_sample: Option<Sample>,
}

impl Lazy<'_> {
    /// The same call on both; through C again if it must be.
    fn compare(&mut self, gpu: &mut Machine, event: &Event) -> TestCaseResult {
        let expected = event.apply(gpu);
        self.expected.extend(expected.decisions);
        let mut value = self.c.call(event);
        // It reads no more than it must, so that the queue is as full as it may be.
        while value == Err(Status::Unread) {
            let (before, waiting) = (self.c.mark(), self.c.unread());
            prop_assert_eq!(self.c.call(event), Err(Status::Unread));
            prop_assert!(waiting > 0 && self.c.unread() == waiting && self.c.mark() == before);
            self.c.read(1);
            value = self.c.call(event);
        }
        prop_assert_eq!(value.map_err(fault), expected.value, "{:?}", event);
        prop_assert_eq!(self.c.view(), View::of(gpu), "after {:?}", event);
        self.last_sample = expected.samples.last().map(|&(_, sample)| sample).or(self.last_sample);
        prop_assert_eq!(self.c.last_sample(), self.last_sample, "after {:?}", event);
        self.calls += 1;
        self.c.read(self.reads[self.calls % self.reads.len()]);
        Ok(())
    }
}

/// Nothing is lost or reordered, and a call that finds no room changes nothing.
fn waits(config: &Config, steps: &[Step], habit: &Habit) -> TestCaseResult {
    let mut c = object(config, habit.decisions);
    c.trace(habit.ring);
    let mut lazy = Lazy { c, reads: &habit.reads, calls: 0, expected: Vec::new(), last_sample: None };
    play(&mut machine(config), &mut Resolver::default(), steps, &mut |gpu, event| lazy.compare(gpu, event))?;
    check_trace(&lazy.c, &lazy.expected)?;
    prop_assert_eq!(lazy.c.decisions(), lazy.expected);
    Ok(())
}

/// A queue of the default length is long enough for a host that reads once in each cycle.
fn reads_once_in_each_cycle(config: &Config, steps: &[Step]) -> TestCaseResult {
    let mut c = object(config, 0);
    play(&mut machine(config), &mut Resolver::default(), steps, &mut |gpu, event| {
        let expected = event.apply(gpu);
        prop_assert_eq!(c.call(event).map_err(fault), expected.value, "{:?}", event);
        if matches!(event, Event::Tick | Event::Run(_) | Event::Advance(_)) {
            c.read(usize::MAX);
        }
        Ok(())
    })
}

/// At every step one object is saved, another one, with other things on its mind, becomes what it was, and both go on alike;
/// their images are those of the core.
fn goes_on(config: &Config, steps: &[Step], decisions: u32) -> TestCaseResult {
    let (mut one, mut other) = (object(config, 0), object(config, decisions));
    other.call(&Event::Run(3)).expect("time is short");
    let mut all = Vec::new();
    one.trace(3);
    other.trace(7);
    play(&mut machine(config), &mut Resolver::default(), steps, &mut |gpu, event| {
        let saved = one.image().expect("everything was read");
        prop_assert_eq!(&saved, &image(gpu));
        prop_assert_eq!(other.restore(&saved), Ok(()));
        prop_assert_eq!(other.last_sample(), None);
        let expected = event.apply(gpu);
        prop_assert_eq!(&one.take(event), &expected, "{:?}", event);
        prop_assert_eq!(&other.take(event), &expected, "restored, {:?}", event);
        prop_assert_eq!(one.mark(), other.mark());
        all.extend(expected.decisions);
        std::mem::swap(&mut one, &mut other);
        Ok(())
    })?;
    check_trace(&one, &all)?;
    check_trace(&other, &all)
}

on_each! {
    every_call_answers_as_in_rust: 4000 of plain => |((config, steps),)| agree(&config, &steps, 0);
    every_call_answers_as_in_rust_under_laperm: 1500 of laperm => |((config, steps),)| agree(&config, &steps, 0);
    every_call_answers_as_in_rust_with_bubbles: 1500 of bubbles => |((config, steps),)| agree(&config, &steps, 0);
    every_call_answers_as_in_rust_with_graphs: 1500 of graphs => |((config, steps),)| agree(&config, &steps, 0);
    every_call_answers_as_in_rust_with_graphs_under_laperm: 1500 of laperm_graphs => |((config, steps),)| {
        agree(&config, &steps, 0)
    };
    every_call_answers_as_in_rust_with_grids: 1200 of grids => |((config, steps),)| agree(&config, &steps, 0);
    unread_decisions_wait_with_grids: 800 of grids, habits() => |((config, steps), habit)| {
        waits(&config, &steps, &habit)
    };
    what_is_restored_goes_on_with_grids: 400 of grids, 0..60u32 => |((config, steps), decisions)| {
        goes_on(&config, &steps, decisions)
    };
    every_call_answers_as_in_rust_with_what_modern_adds: 1500 of modern => |((config, steps),)| agree(&config, &steps, 0);
    unread_decisions_wait_with_what_modern_adds: 1500 of modern, habits() => |((config, steps), habit)| {
        waits(&config, &steps, &habit)
    };
    reading_once_in_each_cycle_is_enough_with_what_modern_adds: 1500 of modern => |((config, steps),)| {
        reads_once_in_each_cycle(&config, &steps)
    };
    what_is_restored_goes_on_with_what_modern_adds: 600 of modern, 0..60u32 => |((config, steps), decisions)| {
        goes_on(&config, &steps, decisions)
    };
    at_the_end_of_time: 1000 of plain, 0..40u64 => |((config, steps), left)| agree(&config, &steps, Cycle::MAX.0 - left);
    /// A controller's samples cannot be skipped, so that there is none.
    at_the_end_of_time_under_laperm: 400 of laperm, 0..40u64 => |((config, steps), left)| {
        agree(&Config { bubble: None, ..config }, &steps, Cycle::MAX.0 - left)
    };
    unread_decisions_wait: 4000 of plain, habits() => |((config, steps), habit)| waits(&config, &steps, &habit);
    unread_decisions_wait_with_graphs: 1500 of graphs, habits() => |((config, steps), habit)| waits(&config, &steps, &habit);
    unread_decisions_wait_under_laperm: 1500 of laperm, habits() => |((config, steps), habit)| {
        waits(&config, &steps, &habit)
    };
    unread_decisions_wait_with_bubbles: 1500 of bubbles, habits() => |((config, steps), habit)| {
        waits(&config, &steps, &habit)
    };
    reading_once_in_each_cycle_is_enough: 1500 of plain => |((config, steps),)| reads_once_in_each_cycle(&config, &steps);
    reading_once_in_each_cycle_is_enough_under_laperm: 1500 of laperm => |((config, steps),)| {
        reads_once_in_each_cycle(&config, &steps)
    };
    what_is_restored_goes_on: 1500 of plain, 0..60u32 => |((config, steps), decisions)| goes_on(&config, &steps, decisions);
    what_is_restored_goes_on_under_laperm: 600 of laperm, 0..60u32 => |((config, steps), decisions)| {
        goes_on(&config, &steps, decisions)
    };
    what_is_restored_goes_on_with_graphs: 600 of graphs, 0..60u32 => |((config, steps), decisions)| {
        goes_on(&config, &steps, decisions)
    };
    what_is_restored_goes_on_with_bubbles: 600 of bubbles, 0..60u32 => |((config, steps), decisions)| {
        goes_on(&config, &steps, decisions)
    };
}
