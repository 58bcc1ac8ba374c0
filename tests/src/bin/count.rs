//! `count OPERATION PENDING ITERATIONS`: runs one operation of the front end, or of LaPerm, the DGB, APOGEE, Equalizer or Mascar alone,
//! again and again, for instruction counters.
//!
//! The machine is a K20c with `pend_limit` 2048, or a GTX 480's DGB with the arrays for LRR. It does nothing else, so the instructions of one operation are the difference
//! between two runs of different length, divided by the difference of their lengths; `scripts/instruction-budget.sh` does that.

use std::hint::black_box;

use clap::{Parser, ValueEnum};
use gpusched::dats::GraphPolicy;
use gpusched::presets::K20c;
use gpusched_tests::apogee::steady as apogee;
use gpusched_tests::dats::steady as dats;
use gpusched_tests::driver::{Driver, Plain, Recording, ThroughC};
use gpusched_tests::equalizer::steady as equalizer;
use gpusched_tests::laperm::steady as laperm;
use gpusched_tests::mascar::steady as mascar;
use gpusched_tests::operation::{Operation, Steady, WithLaPerm};
use gpusched_tests::tlp::steady as tlp;

/// Runs one operation of the front end, or of LaPerm or the DGB alone, again and again.
#[derive(Parser)]
struct Arguments {
    /// What is repeated.
    operation: OperationName,
    /// Launch records in use meanwhile, groups in LaPerm's queues, or the side of the wavefront that the DGB runs. Equalizer has none.
    pending: u32,
    /// How often it is repeated.
    iterations: u64,
    /// Who makes the calls; LaPerm and the DGB alone have only the first, APOGEE, Equalizer, Mascar and TLP modulation have the first and the last.
    #[arg(long, default_value = "plain")]
    driver: DriverName,
}

#[derive(Clone, Copy, ValueEnum)]
enum DriverName {
    /// Rust, tables inside the machine, decisions ignored.
    Plain,
    /// Rust, tables in slices, decisions written as C's records.
    Recording,
    /// The C ABI: the same work, through its functions.
    C,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum OperationName {
    Dispatch,
    Dtbl,
    Cdp,
    CdpMixed,
    LapDispatch,
    LapDtbl,
    LapermOwn,
    LapermBackup,
    LapermChild,
    DatsLrr,
    DatsLvl,
    ApogeeFoa,
    ApogeeFoaDense,
    ApogeeTia,
    ApogeeTiaDense,
    EqualizerSample,
    EqualizerEpoch,
    MascarEp,
    MascarMp,
    MascarNew,
    MascarRexq,
    TlpTurn,
    TlpStall,
    TlpPeriod,
}

fn main() {
    let Arguments { operation, pending, iterations, driver } = Arguments::parse();
    let alone = |operation| {
        let mut steady = laperm::Steady::new(operation, pending);
        for _ in 0..iterations {
            black_box(&mut steady).step();
        }
    };
    let graph = |policy| {
        let mut steady = dats::Steady::new(pending, policy);
        for _ in 0..iterations {
            black_box(&mut steady).step();
        }
    };
    let prefetch = |operation| {
        let mut steady = apogee::Steady::new(operation, matches!(driver, DriverName::C));
        for _ in 0..iterations {
            black_box(&mut steady).step();
        }
    };
    let sm = |operation| {
        let mut steady = mascar::Steady::new(operation, matches!(driver, DriverName::C));
        for _ in 0..iterations {
            black_box(&mut steady).step();
        }
    };
    let sample = |operation| match driver {
        DriverName::C => {
            let mut steady = equalizer::ThroughC::new(operation);
            (0..iterations).for_each(|_| black_box(&mut steady).step());
        }
        DriverName::Plain | DriverName::Recording => {
            let mut steady = equalizer::Plain::new(operation);
            (0..iterations).for_each(|_| black_box(&mut steady).step());
        }
    };
    let blocks = |operation| match driver {
        DriverName::C => {
            let mut steady = tlp::ThroughC::new(operation);
            (0..iterations).for_each(|_| black_box(&mut steady).step());
        }
        DriverName::Plain | DriverName::Recording => {
            let mut steady = tlp::Plain::new(operation);
            (0..iterations).for_each(|_| black_box(&mut steady).step());
        }
    };
    let operation = match operation {
        OperationName::TlpTurn => return blocks(tlp::Operation::Turn),
        OperationName::TlpStall => return blocks(tlp::Operation::Stall),
        OperationName::TlpPeriod => return blocks(tlp::Operation::Period),
        OperationName::MascarEp => return sm(mascar::Operation::Ep),
        OperationName::MascarMp => return sm(mascar::Operation::Mp),
        OperationName::MascarNew => return sm(mascar::Operation::New),
        OperationName::MascarRexq => return sm(mascar::Operation::Rexq),
        OperationName::ApogeeFoa => return prefetch(apogee::Operation::Foa),
        OperationName::ApogeeFoaDense => return prefetch(apogee::Operation::FoaDense),
        OperationName::ApogeeTia => return prefetch(apogee::Operation::Tia),
        OperationName::ApogeeTiaDense => return prefetch(apogee::Operation::TiaDense),
        OperationName::EqualizerSample => return sample(equalizer::Operation::Sample),
        OperationName::EqualizerEpoch => return sample(equalizer::Operation::Epoch),
        OperationName::DatsLrr => return graph(GraphPolicy::Lrr),
        OperationName::DatsLvl => return graph(GraphPolicy::Lvl { bound: 3 }),
        OperationName::LapermOwn => return alone(laperm::Operation::Own),
        OperationName::LapermBackup => return alone(laperm::Operation::Backup),
        OperationName::LapermChild => return alone(laperm::Operation::Child),
        OperationName::Dispatch => Operation::Dispatch,
        OperationName::Dtbl => Operation::Dtbl,
        OperationName::Cdp => Operation::Cdp,
        OperationName::CdpMixed => Operation::CdpMixed,
        OperationName::LapDispatch => Operation::LapDispatch,
        OperationName::LapDtbl => Operation::LapDtbl,
    };
    let with_laperm = matches!(operation, Operation::LapDispatch | Operation::LapDtbl);
    match driver {
        DriverName::Plain if with_laperm => repeat::<Plain<WithLaPerm>>(operation, pending, iterations),
        DriverName::Plain => repeat::<Plain<K20c>>(operation, pending, iterations),
        DriverName::Recording => repeat::<Recording>(operation, pending, iterations),
        DriverName::C => repeat::<ThroughC>(operation, pending, iterations),
    }
}

fn repeat<D: Driver>(operation: Operation, pending: u32, iterations: u64) {
    let mut steady = Steady::<D>::new(operation, pending);
    for _ in 0..iterations {
        black_box(&mut steady).step();
    }
}
