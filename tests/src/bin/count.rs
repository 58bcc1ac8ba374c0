//! `count BEFORE COUNTED`: runs operations of the front end, and of other machines alone, again and again, for an instruction counter.
//!
//! Each line of the standard input names a row: `DRIVER OPERATION PENDING`. The driver is who makes the calls, see
//! [`gpusched_tests::driver`]: all operations have `plain`, the front end and the machines inside an SM have `c`, and the front end has
//! `recording`, too. PENDING is the number of launch records in use meanwhile, of groups in LaPerm's queues, or the side of the wavefront
//! that the DGB runs. Others have none.
//!
//! The machine is a K20c with `pend_limit` 2048, or a GTX 480's DGB with the arrays for LRR. It does nothing else, so the instructions
//! of one operation are those between two calls of [`mark`], divided by COUNTED; `scripts/instruction-budget.sh` does that.

use std::env::args;
use std::hint::black_box;
use std::io::stdin;

use anyhow::{Context as _, Result, bail};
use gpusched::dats::GraphPolicy;
use gpusched::presets::{K20c, K20cLaPerm};
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

/// How often an operation is repeated: before it is counted, so that it has come to its steady state, and while it is.
type Times = [u64; 2];

#[derive(Clone, Copy, PartialEq, Eq)]
enum DriverName {
    /// Rust, tables inside the machine, decisions ignored.
    Plain,
    /// Rust, tables in slices, decisions written as C's records.
    Recording,
    /// The C ABI: the same work, through its functions.
    C,
}

fn main() -> Result<()> {
    let arguments: Vec<_> = args().skip(1).map(|times| times.parse()).collect::<Result<_, _>>()?;
    let times: Times = arguments.try_into().ok().context("usage: count BEFORE COUNTED <ROWS")?;
    for row in stdin().lines() {
        let row = row?;
        let [driver, operation, pending] = row.split(' ').collect::<Vec<_>>()[..] else {
            bail!("expected DRIVER OPERATION PENDING, got `{row}`")
        };
        let driver = match driver {
            "plain" => DriverName::Plain,
            "recording" => DriverName::Recording,
            "c" => DriverName::C,
            _ => bail!("there is no driver `{driver}`"),
        };
        count(driver, operation, pending.parse()?, times).with_context(|| row.clone())?;
    }
    Ok(())
}

/// Counts an operation.
fn count(driver: DriverName, operation: &str, pending: u32, times: Times) -> Result<()> {
    let through_c = driver == DriverName::C;
    let front_end = |operation| front_end(operation, pending, driver, times);
    let alone = |of| repeat(times, laperm::Steady::new(of, pending), laperm::Steady::<K20cLaPerm>::step);
    let graph = |policy| repeat(times, dats::Steady::new(pending, policy), dats::Steady::step);
    let prefetch = |of| repeat(times, apogee::Steady::new(of, through_c), apogee::Steady::step);
    let warps = |of| repeat(times, mascar::Steady::new(of, through_c), mascar::Steady::step);
    let sample = |of| match through_c {
        true => repeat(times, equalizer::ThroughC::new(of), equalizer::ThroughC::step),
        false => repeat(times, equalizer::Plain::new(of), equalizer::Plain::step),
    };
    let blocks = |of| match through_c {
        true => repeat(times, tlp::ThroughC::new(of), tlp::ThroughC::step),
        false => repeat(times, tlp::Plain::new(of), tlp::Plain::step),
    };
    let lanes = |of| repeat(times, simt::Steady::new(of), simt::Steady::step);
    let model = |of| repeat(times, models::Steady::new(of), models::Steady::step);
    match operation {
        "dispatch" => front_end(Operation::Dispatch)?,
        "idle" => front_end(Operation::Idle)?,
        "idle_132" => front_end(Operation::WideIdle)?,
        "dispatch_132" => front_end(Operation::WideDispatch)?,
        "dispatch_ruled" => front_end(Operation::RuledDispatch)?,
        "told_dispatch" => front_end(Operation::ToldDispatch)?,
        "dtbl" => front_end(Operation::Dtbl)?,
        "cdp" => front_end(Operation::Cdp)?,
        "cdp_mixed" => front_end(Operation::CdpMixed)?,
        "lap_dispatch" => front_end(Operation::LapDispatch)?,
        "lap_capped" => front_end(Operation::LapCapped)?,
        "lap_dtbl" => front_end(Operation::LapDtbl)?,
        "laperm_own" => alone(laperm::Operation::Own),
        "laperm_backup" => alone(laperm::Operation::Backup),
        "laperm_child" => alone(laperm::Operation::Child),
        "dats_lrr" => graph(GraphPolicy::Lrr),
        "dats_lvl" => graph(GraphPolicy::Lvl { bound: 3 }),
        "apogee_foa" => prefetch(apogee::Operation::Foa),
        "apogee_foa_dense" => prefetch(apogee::Operation::FoaDense),
        "apogee_tia" => prefetch(apogee::Operation::Tia),
        "apogee_tia_dense" => prefetch(apogee::Operation::TiaDense),
        "equalizer_sample" => sample(equalizer::Operation::Sample),
        "equalizer_epoch" => sample(equalizer::Operation::Epoch),
        "mascar_ep" => warps(mascar::Operation::Ep),
        "mascar_mp" => warps(mascar::Operation::Mp),
        "mascar_new" => warps(mascar::Operation::New),
        "mascar_rexq" => warps(mascar::Operation::Rexq),
        "tlp_turn" => blocks(tlp::Operation::Turn),
        "tlp_stall" => blocks(tlp::Operation::Stall),
        "tlp_period" => blocks(tlp::Operation::Period),
        "coalesce_unit" => lanes(simt::Operation::CoalesceUnit),
        "coalesce_scatter" => lanes(simt::Operation::CoalesceScatter),
        "stack_diverge" => lanes(simt::Operation::StackDiverge),
        "scoreboard_use" => lanes(simt::Operation::ScoreboardUse),
        "exec_model" => model(models::Operation::Exec),
        "monte_run" => model(models::Operation::MonteRun),
        _ => bail!("there is no such operation"),
    }
    Ok(())
}

/// The instruction counter writes down what it has counted when this is called, and begins anew.
#[inline(never)]
fn mark() {
    black_box(());
}

/// Repeats an operation, with a mark before and behind what is counted.
fn repeat<S>(times: Times, mut steady: S, step: impl Fn(&mut S)) {
    // One loop for both, so that they run the same code.
    for times in black_box(times) {
        for _ in 0..times {
            step(black_box(&mut steady));
        }
        mark();
    }
}

fn front_end(operation: Operation, pending: u32, driver: DriverName, times: Times) -> Result<()> {
    let with_laperm = matches!(operation, Operation::LapDispatch | Operation::LapCapped | Operation::LapDtbl);
    let is_wide = matches!(operation, Operation::WideDispatch | Operation::RuledDispatch | Operation::WideIdle);
    match driver {
        DriverName::Plain | DriverName::C if is_wide => bail!("only `recording` has 132 SMXs; the others are K20cs"),
        DriverName::Plain if with_laperm => drive::<Plain<WithLaPerm>>(operation, pending, times),
        DriverName::Plain => match operation {
            Operation::ToldDispatch => drive::<Plain<WithTold>>(operation, pending, times),
            _ => drive::<Plain<K20c>>(operation, pending, times),
        },
        DriverName::Recording => drive::<Recording>(operation, pending, times),
        DriverName::C => drive::<ThroughC>(operation, pending, times),
    }
    Ok(())
}

fn drive<D: Driver>(operation: Operation, pending: u32, times: Times) {
    repeat(times, Steady::<D>::new(operation, pending), Steady::step);
}
