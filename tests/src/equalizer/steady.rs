//! Equalizer's operation whose cost is measured, a sample, in a steady state that can be repeated for ever.

use std::hint::black_box;

use gpusched::equalizer::{Counts, EpochEnd, Sm, SmConfig};
use gpusched::{Cycle, Fault};
use gpusched_abi::convert::ToC;
use gpusched_abi::equalizer_sm::{
    gpusched_equalizer_counts, gpusched_equalizer_epoch, gpusched_equalizer_sm, gpusched_equalizer_sm_sample,
};
use gpusched_abi::status::gpusched_status;

use super::{SmEvent, Sms};
use crate::machine::Of;
use crate::through_c::equalizer_sm as through_c;

/// What one step does, on an SM of the GTX 480 that holds eight blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A sample that does not end the epoch: there are 2^17 in one.
    Sample,
    /// A sample that ends the epoch, and pauses or wakes a block in turn: hysteresis lets every decision through.
    Epoch,
}

impl Operation {
    fn config(self) -> SmConfig {
        match self {
            Self::Sample => SmConfig { epoch_cycles: 1 << 24, counter_bits: 23, ..SmConfig::GTX480 },
            Self::Epoch => SmConfig { epoch_cycles: 128, hysteresis: 1, ..SmConfig::GTX480 },
        }
    }
}

/// Memory is saturated, then most warps wait for operands.
const COUNTS: [Counts; 2] =
    [Counts { active: 48, waiting: 10, xalu: 2, xmem: 7 }, Counts { active: 42, waiting: 30, xalu: 2, xmem: 1 }];

/// The kernel and its blocks.
fn warm_up(machine: &mut impl Of<Sms>) {
    let now = Cycle(0);
    let mut take = |event| drop(machine.take(&event).unwrap_or_else(|fault| panic!("{event:?}: {fault}")));
    take(SmEvent::KernelStart { now, w_cta: 6, limit: 8, keep: false });
    (0..8).for_each(|block| take(SmEvent::Grant { now, block }));
}

/// In Rust.
pub struct Plain {
    sm: Sm,
    operation: Operation,
    turn: usize,
}

impl Plain {
    /// About to repeat the operation.
    ///
    /// # Panics
    /// If the machine does not do what the operation needs, so that nothing else is ever measured.
    #[must_use]
    pub fn new(operation: Operation) -> Self {
        let mut sm = Sm::new(&operation.config()).expect("the configuration is valid");
        warm_up(&mut sm);
        Self { sm, operation, turn: 0 }
    }

    /// Does it once.
    ///
    /// # Panics
    /// If it is another operation.
    pub fn step(&mut self) {
        let counts = &COUNTS[self.turn];
        self.turn = 1 - self.turn;
        let end = sample(&mut self.sm, counts).expect("a sample is due");
        let turned = end.map(|end| end.change.pause.len() + end.change.unpause.len());
        assert_eq!(turned, (self.operation == Operation::Epoch).then_some(1));
    }
}

/// Through C.
pub struct ThroughC {
    sm: through_c::ThroughC,
    counts: [gpusched_equalizer_counts; 2],
    operation: Operation,
    turn: usize,
    now: u64,
}

impl ThroughC {
    /// As [`Plain::new`].
    ///
    /// # Panics
    /// As there.
    #[must_use]
    pub fn new(operation: Operation) -> Self {
        let mut sm = through_c::ThroughC::new(&operation.config()).expect("the configuration is valid");
        warm_up(&mut sm);
        Self { sm, counts: COUNTS.map(|counts| counts.to_c()), operation, turn: 0, now: 0 }
    }

    /// As [`Plain::step`].
    ///
    /// # Panics
    /// As there.
    pub fn step(&mut self) {
        self.now += 128;
        let counts = &self.counts[self.turn];
        self.turn = 1 - self.turn;
        let mut epoch = gpusched_equalizer_epoch::default();
        assert_eq!(sample_through_c(&mut self.sm, self.now, counts, &mut epoch), gpusched_status::Ok);
        let turned = epoch.change.pause_count + epoch.change.unpause_count;
        assert_eq!((epoch.present, turned), if self.operation == Operation::Epoch { (1, 1) } else { (0, 0) });
    }
}

/// A sample, in Rust.
#[inline(never)]
fn sample(sm: &mut Sm, counts: &Counts) -> Result<Option<EpochEnd>, Fault> {
    sm.sample(sm.next_sample(), black_box(counts))
}

/// A sample, through C.
#[inline(never)]
#[allow(unsafe_code, reason = "calls a C function with pointers to live values")]
fn sample_through_c(
    sm: &mut through_c::ThroughC,
    now: u64,
    counts: &gpusched_equalizer_counts,
    epoch: &mut gpusched_equalizer_epoch,
) -> gpusched_status {
    let sm: *mut gpusched_equalizer_sm = sm.object().c();
    // SAFETY: all pointers are of living values.
    unsafe { gpusched_equalizer_sm_sample(sm, now, black_box(counts), epoch) }
}
