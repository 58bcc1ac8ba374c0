//! Instructions of calls, as `gpusched_board::counter` counts them. Without the feature `count` nothing is counted, and nothing of this is
//! linked.

use gpusched::{Fault, Sched, Tick};
use gpusched_board::counter::Counter;
use gpusched_board::{say, say_number};

/// Calls of one kind.
#[derive(Default)]
struct Calls {
    number: u32,
    sum: u32,
    most: u32,
}

/// What has been counted, of each kind of call.
pub struct Count {
    counter: Option<Counter>,
    calls: [Calls; KINDS.len()],
}

const KINDS: [&str; 3] = ["TB sent", "TB ended", "nothing sent"];
const SENT: usize = 0;
const ENDED: usize = 1;
const NOTHING: usize = 2;

impl Count {
    /// Begins, if anything is to be counted.
    #[inline(always)]
    pub fn start() -> Self {
        Self { counter: if cfg!(feature = "count") { Some(Counter::start()) } else { None }, calls: Default::default() }
    }

    /// A tick, which sends a TB or does not.
    #[inline(always)]
    pub fn tick(&mut self, tick: impl FnOnce() -> Result<Tick, Fault>) -> Result<Tick, Fault> {
        let kind = |tick: &Result<Tick, Fault>| match tick {
            Ok(Tick { sched: Sched::Tb(_), .. }) => SENT,
            _ => NOTHING,
        };
        self.call(tick, kind)
    }

    /// The end of a TB, with all that it launches before.
    #[inline(always)]
    pub fn end<R>(&mut self, end: impl FnOnce() -> R) -> R {
        self.call(end, |_| ENDED)
    }

    #[inline(always)]
    fn call<R>(&mut self, call: impl FnOnce() -> R, kind: impl FnOnce(&R) -> usize) -> R {
        let Some(counter) = self.counter.as_ref().filter(|_| cfg!(feature = "count")) else { return call() };
        let (result, instructions) = counter.measure(call);
        if let Some(calls) = self.calls.get_mut(kind(&result)) {
            calls.number += 1;
            calls.sum += instructions;
            calls.most = calls.most.max(instructions);
        }
        result
    }

    /// Writes a line per kind: calls, the mean and the most.
    #[inline(always)]
    pub fn report(&self) {
        if !cfg!(feature = "count") {
            return;
        }
        for (name, calls) in KINDS.iter().zip(&self.calls) {
            say(name);
            for number in [calls.number, calls.sum / calls.number.max(1), calls.most] {
                say(" ");
                say_number(number);
            }
            say("\n");
        }
    }
}
