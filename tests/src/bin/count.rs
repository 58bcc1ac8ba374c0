//! `count OPERATION PENDING ITERATIONS`: runs one operation of the front end, or of another machine alone, again and again, for
//! instruction counters.
//!
//! The machine is a K20c with `pend_limit` 2048, or a GTX 480's DGB with the arrays for LRR. It does nothing else, so the instructions
//! of one operation are the difference between two runs of different length, divided by the difference of their lengths;
//! `scripts/instruction-budget.sh` does that.

use std::hint::black_box;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueEnum};
use gpusched::dats::GraphPolicy;
use gpusched::presets::K20c;
use gpusched_tests::apogee::steady as apogee;
use gpusched_tests::dats::steady as dats;
use gpusched_tests::driver::{Driver, Plain, Recording, ThroughC};
use gpusched_tests::equalizer::steady as equalizer;
use gpusched_tests::laperm::steady as laperm;
use gpusched_tests::mascar::steady as mascar;
use gpusched_tests::models::steady as models;
use gpusched_tests::operation::{Operation, Steady, WithLaPerm, WithTold};
use gpusched_tests::simt::steady as simt;
use gpusched_tests::tlp::steady as tlp;

/// Runs one operation of the front end, or of another machine alone, again and again.
#[derive(Parser)]
struct Arguments {
    /// What is repeated.
    operation: OperationName,
    /// Launch records in use meanwhile, groups in LaPerm's queues, or the side of the wavefront that the DGB runs. Others have none.
    pending: u32,
    /// How often it is repeated.
    iterations: u64,
    /// Who makes the calls; all have the first, the front end and the machines inside an SM have the last.
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
    #[value(name = "dispatch_132")]
    WideDispatch,
    #[value(name = "dispatch_ruled")]
    RuledDispatch,
    ToldDispatch,
    Dtbl,
    Cdp,
    CdpMixed,
    LapDispatch,
    LapCapped,
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
    CoalesceUnit,
    CoalesceScatter,
    StackDiverge,
    ScoreboardUse,
    ExecModel,
    MonteRun,
}

fn main() {
    use OperationName as Name;
    let Arguments { operation, pending, iterations, driver } = Arguments::parse();
    let through_c = matches!(driver, DriverName::C);
    let front_end = |operation| front_end(operation, pending, iterations, driver);
    let alone = |of| repeat(iterations, laperm::Steady::new(of, pending), laperm::Steady::step);
    let graph = |policy| repeat(iterations, dats::Steady::new(pending, policy), dats::Steady::step);
    let prefetch = |of| repeat(iterations, apogee::Steady::new(of, through_c), apogee::Steady::step);
    let warps = |of| repeat(iterations, mascar::Steady::new(of, through_c), mascar::Steady::step);
    let sample = |of| match through_c {
        true => repeat(iterations, equalizer::ThroughC::new(of), equalizer::ThroughC::step),
        false => repeat(iterations, equalizer::Plain::new(of), equalizer::Plain::step),
    };
    let blocks = |of| match through_c {
        true => repeat(iterations, tlp::ThroughC::new(of), tlp::ThroughC::step),
        false => repeat(iterations, tlp::Plain::new(of), tlp::Plain::step),
    };
    let lanes = |of| repeat(iterations, simt::Steady::new(of), simt::Steady::step);
    let model = |of| repeat(iterations, models::Steady::new(of), models::Steady::step);
    match operation {
        Name::Dispatch => front_end(Operation::Dispatch),
        Name::WideDispatch => front_end(Operation::WideDispatch),
        Name::RuledDispatch => front_end(Operation::RuledDispatch),
        Name::ToldDispatch => front_end(Operation::ToldDispatch),
        Name::Dtbl => front_end(Operation::Dtbl),
        Name::Cdp => front_end(Operation::Cdp),
        Name::CdpMixed => front_end(Operation::CdpMixed),
        Name::LapDispatch => front_end(Operation::LapDispatch),
        Name::LapCapped => front_end(Operation::LapCapped),
        Name::LapDtbl => front_end(Operation::LapDtbl),
        Name::LapermOwn => alone(laperm::Operation::Own),
        Name::LapermBackup => alone(laperm::Operation::Backup),
        Name::LapermChild => alone(laperm::Operation::Child),
        Name::DatsLrr => graph(GraphPolicy::Lrr),
        Name::DatsLvl => graph(GraphPolicy::Lvl { bound: 3 }),
        Name::ApogeeFoa => prefetch(apogee::Operation::Foa),
        Name::ApogeeFoaDense => prefetch(apogee::Operation::FoaDense),
        Name::ApogeeTia => prefetch(apogee::Operation::Tia),
        Name::ApogeeTiaDense => prefetch(apogee::Operation::TiaDense),
        Name::EqualizerSample => sample(equalizer::Operation::Sample),
        Name::EqualizerEpoch => sample(equalizer::Operation::Epoch),
        Name::MascarEp => warps(mascar::Operation::Ep),
        Name::MascarMp => warps(mascar::Operation::Mp),
        Name::MascarNew => warps(mascar::Operation::New),
        Name::MascarRexq => warps(mascar::Operation::Rexq),
        Name::TlpTurn => blocks(tlp::Operation::Turn),
        Name::TlpStall => blocks(tlp::Operation::Stall),
        Name::TlpPeriod => blocks(tlp::Operation::Period),
        Name::CoalesceUnit => lanes(simt::Operation::CoalesceUnit),
        Name::CoalesceScatter => lanes(simt::Operation::CoalesceScatter),
        Name::StackDiverge => lanes(simt::Operation::StackDiverge),
        Name::ScoreboardUse => lanes(simt::Operation::ScoreboardUse),
        Name::ExecModel => model(models::Operation::Exec),
        Name::MonteRun => model(models::Operation::MonteRun),
    }
}

fn repeat<S>(iterations: u64, mut steady: S, step: impl Fn(&mut S)) {
    for _ in 0..iterations {
        step(black_box(&mut steady));
    }
}

fn front_end(operation: Operation, pending: u32, iterations: u64, driver: DriverName) {
    let with_laperm = matches!(operation, Operation::LapDispatch | Operation::LapCapped | Operation::LapDtbl);
    let is_wide = matches!(operation, Operation::WideDispatch | Operation::RuledDispatch);
    match driver {
        DriverName::Plain | DriverName::C if is_wide => Arguments::command()
            .error(ErrorKind::ArgumentConflict, "only --driver recording has 132 SMXs; the others are K20cs")
            .exit(),
        DriverName::Plain if with_laperm => drive::<Plain<WithLaPerm>>(operation, pending, iterations),
        DriverName::Plain => match operation {
            Operation::ToldDispatch => drive::<Plain<WithTold>>(operation, pending, iterations),
            _ => drive::<Plain<K20c>>(operation, pending, iterations),
        },
        DriverName::Recording => drive::<Recording>(operation, pending, iterations),
        DriverName::C => drive::<ThroughC>(operation, pending, iterations),
    }
}

fn drive<D: Driver>(operation: Operation, pending: u32, iterations: u64) {
    repeat(iterations, Steady::<D>::new(operation, pending), Steady::step);
}
