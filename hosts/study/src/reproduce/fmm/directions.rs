//! What the source says of its sets of optimisations, whether that comes out, and why not.

use super::super::told::Verdict;
use super::{NO_GAIN, OPTIONS, PREF, RSQRT, Row, Rows, SHMEM, TIGHT, UJAM, VECPACK};
use crate::statistics::{median, spearman};
use crate::table::{self, Table};
use comfy_table::CellAlignment::Left;
use serde::Serialize;

/// What the source says, and what came out.
#[derive(Debug, Serialize)]
pub struct Direction {
    source: &'static str,
    pub holds: bool,
    here: String,
    /// Why not, if it does not hold.
    #[serde(skip)]
    why: Option<String>,
}

/// What the source says of its sets (3.5.2, 4.1.2, 4.1.3).
pub fn directions(rows: &Rows) -> Vec<Direction> {
    let (measured, estimated) = (|row: &Row| row.measured_gflops, |row: &Row| row.estimated_gflops);
    let alone: Vec<_> = (0..OPTIONS.len()).map(|option| rows.gain(0, 1 << option)).collect();
    let gains = OPTIONS.iter().zip(&alone).map(|(name, gain)| format!("{name} {gain:.2}x")).collect::<Vec<_>>();
    let shmem_first = alone.iter().all(|&gain| gain <= rows.gain(0, SHMEM)) && rows.gain(0, SHMEM) >= NO_GAIN;
    let rsqrt = rows.gain(0, RSQRT);
    let found = rows.search(measured);
    let four = VECPACK | RSQRT | SHMEM | UJAM;
    let pref = rows.gain(four, four | PREF);
    let b_fp = |bits| rows.get(bits).estimate.b_fp / rows.get(0).estimate.t_exec;
    let (best, guess) = (rows.best(measured), rows.best(estimated));
    let baseline = &rows.get(0).estimate;
    // What B_itilp of a set says of shmem on top of it, beside what that gains.
    let without: Vec<u32> = (0..rows.0.len() as u32).filter(|set| set & SHMEM == 0).collect();
    let told = |&set: &u32| {
        let e = &rows.get(set).estimate;
        (1.0 - 1.0 / rows.gain(set, set | SHMEM), e.b_itilp / e.t_exec)
    };
    let b_itilp = || without.iter().map(|&set| rows.get(set).estimate.b_itilp / rows.get(set).estimate.t_exec);
    let told = spearman(&without.iter().map(told).collect::<Vec<_>>());
    let direction = |source, holds, here| Direction { source, holds, here, why: None };
    let because = |direction: Direction, why: String| Direction { why: Some(why), ..direction };
    let median_error = |with_shmem: bool| {
        let of = rows.0.iter().filter(|row| row.options.shmem == with_shmem);
        100.0 * median(of.map(|row| row.error.abs()))
    };
    let with_shmem = |option: u32| rows.gain(SHMEM, SHMEM | option);
    vec![
        direction("of options alone, shmem gains most", shmem_first, gains.join(", ")),
        because(
            direction("rsqrt alone gains nothing", rsqrt < NO_GAIN, format!("{rsqrt:.2}x")),
            format!(
                "what the baseline waits for is not SP units, so that a shorter chain and half the load of the SFU help it; with shmem, where SP units are \
                 short, rsqrt is at {:.2}x",
                with_shmem(RSQRT)
            ),
        ),
        because(
            direction(
                "the search finds shmem, rsqrt, vecpack, in this order",
                found.0 == ["shmem", "rsqrt", "vecpack"],
                format!("{}: {:.0} Gflop/s", found.0.join(", "), rows.get(found.1).measured_gflops),
            ),
            format!(
                "of what is short with shmem, SP units, tight and ujam save integer instructions ({:.2}x, {:.2}x on top of it), while root and division are \
                 an instruction each here, as rsqrt is ({:.2}x), and vecpack saves loads, which SP units do not do ({:.2}x)",
                with_shmem(TIGHT),
                with_shmem(UJAM),
                with_shmem(RSQRT),
                with_shmem(VECPACK)
            ),
        ),
        direction(
            "pref gains nothing after vecpack, rsqrt, shmem, ujam; B_fp rises slightly",
            pref < NO_GAIN && b_fp(four | PREF) >= b_fp(four),
            format!("{pref:.2}x; B_fp from {:.2} to {:.2} of the baseline's time", b_fp(four), b_fp(four | PREF)),
        ),
        because(
            direction(
                "the baseline is bound by computing: B_serial and B_memlp 0, B_itilp 6068, B_fp 9691",
                baseline.b_serial == 0.0 && baseline.b_memlp == 0.0 && baseline.b_itilp > 0.0 && baseline.b_fp > 0.0,
                format!(
                    "B_serial {:.0}, B_memlp {:.0}, B_itilp {:.0}, B_fp {:.0} cycles",
                    baseline.b_serial, baseline.b_memlp, baseline.b_itilp, baseline.b_fp
                ),
            ),
            format!(
                "warps and the parallelism within each are above what the model takes to hide latency (models-E1), and no cache keeps loads: what the \
                 baseline waits for beyond computing is memory, {:.0}% of its time",
                100.0 * baseline.b_memlp / baseline.t_exec
            ),
        ),
        because(
            direction(
                "the model finds the best set",
                best == guess,
                format!(
                    "{}, at {:.2} of the best's speed; the best: {}",
                    rows.get(guess).name,
                    rows.gain(best, guess),
                    rows.get(best).name
                ),
            ),
            format!(
                "the best sets are closer to each other than the model's error, in the median {:.0}% over sets with shmem, of whose barriers it counts \
                 waiting that other warps hide, and {:.0}% over those without",
                median_error(true),
                median_error(false)
            ),
        ),
        because(
            direction(
                "B_itilp tells what shmem will gain",
                told > 0.5,
                format!("rank correlation {told:.2} over the {} sets without shmem", without.len()),
            ),
            format!(
                "B_itilp is {:.1}% of the estimated time in the mean, {:.1}% at most, and where warps are more than the model takes to be needed for their \
                 latency (models-E1) it is 0: in {} of these {} sets",
                100.0 * b_itilp().sum::<f64>() / without.len() as f64,
                100.0 * b_itilp().fold(0.0, f64::max),
                b_itilp().filter(|&share| share == 0.0).count(),
                without.len()
            ),
        ),
    ]
}

/// The same, as a statement of the source.
pub fn verdict(Direction { source, holds, here, why }: &Direction, over: usize) -> Verdict {
    let (what, here) = ((*source).to_owned(), here.clone());
    let cause = why.clone().filter(|_| !holds);
    Verdict { what, over, here, direction: Some(*holds), cause, ..Verdict::default() }
}

/// A line each.
pub fn by_direction(directions: &[Direction]) -> Table {
    let mut text = table::new(["source", "holds", "here"].map(str::to_owned).to_vec(), &[Left, Left, Left]);
    for Direction { source, holds, here, .. } in directions {
        let holds = if *holds { "yes" } else { "no" };
        text.add_row([(*source).to_owned(), holds.to_owned(), here.clone()]);
    }
    text
}
