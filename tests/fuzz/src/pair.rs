//! One machine twice: through C, in memory of the exact size, and in Rust beside it. After every call both must show the same, and
//! the sheet's invariants must hold.

use arbitrary::Result;
use gpusched::power::Sample;
use gpusched::{Cycle, Decision, Fault, FrontEnd};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_heap::HeapTables;
use gpusched_tests::calls::frontend::Queries as _;
use gpusched_tests::events::{Event, Value};
use gpusched_tests::invariants::{self, Before, Ledger};
use gpusched_tests::machine::Machine;
use gpusched_tests::through_c::{ThroughC, fault};

use crate::bytes::{Bytes, Caller};

/// A call out of a fuzzer's bytes, whose answer the caller learns from.
pub fn call(u: Bytes, pair: &mut Pair, caller: &mut Caller) -> Result<()> {
    let event = caller.event(u, &pair.rust)?;
    if let Ok(value) = pair.call(&event) {
        caller.learn(&event, &value, &pair.rust);
    }
    Ok(())
}

/// The two.
pub struct Pair {
    /// Through C.
    pub c: ThroughC,
    /// In Rust.
    pub rust: FrontEnd<HeapTables>,
    /// The books of a run from its beginning.
    ledger: Option<Ledger>,
    decisions: Vec<(Cycle, Decision)>,
    last_sample: Option<Sample>,
}

impl Pair {
    /// Two machines in the same state, `fresh` or restored.
    pub fn new(c: ThroughC, rust: FrontEnd<HeapTables>, fresh: bool) -> Self {
        let pair = Self { c, rust, ledger: fresh.then(Ledger::default), decisions: Vec::new(), last_sample: None };
        pair.check("at the beginning");
        pair
    }

    /// The same call on both; through C twice if decisions must be read first.
    pub fn call(&mut self, event: &Event) -> std::result::Result<Value, Fault> {
        let (before, mark) = (Before::of(&self.rust), self.c.mark());
        let answer = event.apply(&mut self.rust);
        event.bounded(&answer, self.rust.config()).expect("the announced bound");
        if let Some(ledger) = &mut self.ledger {
            ledger.book(&before, event, &answer, &self.rust).expect("the books");
        }
        let refused = answer.refusal().is_some();
        let mut value = self.c.call(event);
        if value == Err(Status::Unread) {
            assert!(self.c.unread() > 0 && self.c.mark() == mark, "{event:?} changed what it refused");
            self.c.read(usize::MAX);
            value = self.c.call(event);
        } else if refused {
            assert!(self.c.mark() == mark, "{event:?} changed what it refused");
        }
        assert_eq!(value.map_err(fault), answer.value, "{event:?}");
        let value = answer.value;
        self.decisions.extend(answer.decisions);
        self.last_sample = answer.samples.last().map(|&(_, sample)| sample).or(self.last_sample);
        self.check(event);
        value
    }

    /// Both show the same, and it is right.
    pub fn check(&self, after: impl std::fmt::Debug) {
        assert_eq!(self.c.view(), self.rust.view(), "after {after:?}");
        assert_eq!(self.c.next_event(), self.rust.next_event(), "after {after:?}");
        assert_eq!(self.c.last_sample(), self.last_sample, "after {after:?}");
        // At the end of time work stays that never comes.
        if self.rust.now() < Cycle(u64::MAX >> 1) {
            invariants::check(&self.rust).unwrap_or_else(|wrong| panic!("{wrong} after {after:?}"));
        }
    }

    /// Takes all decisions so far from both.
    pub fn settle(&mut self) {
        assert_eq!(self.c.decisions(), std::mem::take(&mut self.decisions));
    }

    /// Ends a cycle that a host has begun, for half a cycle is not saved.
    pub fn end_cycle(&mut self) {
        if self.rust.told_state().is_some_and(|told| told.is_begun) {
            self.call(&Event::End(None)).expect("it was begun");
            self.settle();
        }
    }

    /// The images of both, which must have been settled.
    pub fn image(&self) -> Vec<u8> {
        let image = gpusched_tests::images::image(&self.rust);
        assert_eq!(self.c.image().as_ref(), Ok(&image));
        image
    }
}
