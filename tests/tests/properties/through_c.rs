//! The front end through C gives the answers of the core, whether or not its decisions are read, and keeps what it refuses.

use gpusched::{Config, Cycle, Decision, FrontEnd};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::events::Event;
use gpusched_tests::images::image;
use gpusched_tests::machine::Machine;
use gpusched_tests::through_c::{ThroughC, fault};
use proptest::prelude::*;

use crate::script::{Resolver, Step, Tiny, configs, machine, play, script};

/// The same call on both.
fn compare(gpu: &mut FrontEnd<Tiny>, c: &mut ThroughC, event: &Event) -> Result<(), TestCaseError> {
    let before = c.mark();
    let (expected, got) = (event.apply(gpu), c.take(event));
    prop_assert_eq!(&got, &expected, "{:?}", event);
    prop_assert!(got.value.is_ok() || c.mark() == before, "{:?} was refused and changed the state", event);
    prop_assert_eq!(c.view(), gpu.view(), "after {:?}", event);
    prop_assert_eq!(c.next_event(), gpu.next_event(), "after {:?}", event);
    event.bounded(&got, gpu.config()).map_err(TestCaseError::fail)
}

fn agree(config: &Config, steps: &[Step], start: u64) -> Result<(), TestCaseError> {
    let (mut gpu, mut c) = (machine(config), ThroughC::new(config, 0).expect("random configurations are valid"));
    compare(&mut gpu, &mut c, &Event::Run(start))?;
    play(&mut gpu, &mut Resolver::default(), steps, &mut |gpu, event| compare(gpu, &mut c, event))
}

/// The ring holds the newest of all decisions, whether or not they were read.
fn check_trace(c: &ThroughC, all: &[(Cycle, Decision)]) -> Result<(), TestCaseError> {
    let (traced, written) = c.traced();
    prop_assert_eq!(written, all.len());
    prop_assert!(all.ends_with(&traced));
    Ok(())
}

/// A host that reads when it likes, and when it must.
struct Lazy {
    c: ThroughC,
    /// Decisions to read after each call, in turn.
    reads: Vec<usize>,
    calls: usize,
    expected: Vec<(Cycle, Decision)>,
}

impl Lazy {
    /// The same call on both; through C again if it must be.
    fn compare(&mut self, gpu: &mut FrontEnd<Tiny>, event: &Event) -> Result<(), TestCaseError> {
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
        prop_assert_eq!(self.c.view(), gpu.view(), "after {:?}", event);
        self.calls += 1;
        self.c.read(self.reads[self.calls % self.reads.len()]);
        Ok(())
    }
}

proptest! {
    #![proptest_config(crate::runs(4000))]

    #[test]
    fn every_call_answers_as_in_rust(config in configs(), steps in script()) {
        agree(&config, &steps, 0)?;
    }

    /// Nothing is lost or reordered, and a call that finds no room changes nothing.
    #[test]
    fn unread_decisions_wait(
        config in configs(),
        steps in script(),
        decisions in prop_oneof![2 => Just(1), 2 => 0..60u32, 1 => Just(5000)],
        ring in 1..20usize,
        reads in prop::collection::vec(prop_oneof![4 => Just(0), 1 => 1..4usize, 1 => Just(usize::MAX)], 1..6),
    ) {
        let mut c = ThroughC::new(&config, decisions).expect("random configurations are valid");
        c.trace(ring);
        let mut lazy = Lazy { c, reads, calls: 0, expected: Vec::new() };
        play(&mut machine::<Tiny>(&config), &mut Resolver::default(), &steps, &mut |gpu, event| lazy.compare(gpu, event))?;
        check_trace(&lazy.c, &lazy.expected)?;
        prop_assert_eq!(lazy.c.decisions(), lazy.expected);
    }
}

proptest! {
    #![proptest_config(crate::runs(1500))]

    /// A queue of the default length is long enough for a host that reads once in each cycle.
    #[test]
    fn reading_once_in_each_cycle_is_enough(config in configs(), steps in script()) {
        let mut c = ThroughC::new(&config, 0).expect("random configurations are valid");
        play(&mut machine::<Tiny>(&config), &mut Resolver::default(), &steps, &mut |gpu, event| {
            let expected = event.apply(gpu);
            prop_assert_eq!(c.call(event).map_err(fault), expected.value, "{:?}", event);
            if matches!(event, Event::Tick | Event::Run(_) | Event::Advance(_)) {
                c.read(usize::MAX);
            }
            Ok(())
        })?;
    }

    /// At every step one object is saved, another one, with other things on its mind, becomes what it was, and both go on alike;
    /// their images are those of the core.
    #[test]
    fn what_is_restored_goes_on(config in configs(), steps in script(), decisions in 0..60u32) {
        let object = |decisions| ThroughC::new(&config, decisions).expect("random configurations are valid");
        let (mut one, mut other) = (object(0), object(decisions));
        other.call(&Event::Run(3)).expect("time is short");
        let mut all = Vec::new();
        one.trace(3);
        other.trace(7);
        play(&mut machine::<Tiny>(&config), &mut Resolver::default(), &steps, &mut |gpu, event| {
            let saved = one.image().expect("everything was read");
            prop_assert_eq!(&saved, &image(gpu));
            prop_assert_eq!(other.restore(&saved), Ok(()));
            let expected = event.apply(gpu);
            prop_assert_eq!(&one.take(event), &expected, "{:?}", event);
            prop_assert_eq!(&other.take(event), &expected, "restored, {:?}", event);
            prop_assert_eq!(one.mark(), other.mark());
            all.extend(expected.decisions);
            std::mem::swap(&mut one, &mut other);
            Ok(())
        })?;
        check_trace(&one, &all)?;
        check_trace(&other, &all)?;
    }
}

proptest! {
    #![proptest_config(crate::runs(1000))]

    #[test]
    fn at_the_end_of_time(config in configs(), steps in script(), left in 0..40u64) {
        agree(&config, &steps, Cycle::MAX.0 - left)?;
    }
}
