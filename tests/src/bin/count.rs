//! `count OPERATION PENDING ITERATIONS`: runs one operation of the front end again and again, for instruction counters.
//!
//! The machine is a K20c with `pend_limit` 2048. It does nothing else, so the instructions of one operation are the difference
//! between two runs of different length, divided by the difference of their lengths; `scripts/instruction-budget.sh` does that.

use std::hint::black_box;

use clap::{Parser, ValueEnum};
use gpusched::presets::K20c;
use gpusched_tests::operation::{Operation, Steady};

/// Runs one operation of the front end again and again.
#[derive(Parser)]
struct Arguments {
    /// What is repeated.
    operation: OperationName,
    /// Launch records in use meanwhile.
    pending: u32,
    /// How often it is repeated.
    iterations: u64,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum OperationName {
    Dispatch,
    Dtbl,
    Cdp,
    CdpMixed,
}

fn main() {
    let Arguments { operation, pending, iterations } = Arguments::parse();
    let operation = match operation {
        OperationName::Dispatch => Operation::Dispatch,
        OperationName::Dtbl => Operation::Dtbl,
        OperationName::Cdp => Operation::Cdp,
        OperationName::CdpMixed => Operation::CdpMixed,
    };
    let mut steady = Steady::<K20c>::new(operation, pending);
    for _ in 0..iterations {
        black_box(&mut steady).step();
    }
}
