//! `gpusched rank`: every scheduler on every workload, and who is how fast where.

mod figures;
mod page;
mod report;
mod rounds;
pub(crate) use rounds::LONG;

use crate::ask::{self, Rank, Scheduling};
use crate::failure::Failure;
use crate::job::{self, Job};
use crate::output::{self, Folder};
use crate::progress::Count;
use crate::scheduler::{self, Sched};
use crate::side_by_side;
use crate::simulate;
use crate::variant::Variant;
use anyhow::anyhow;
use figures::Table;
use report::Report;
use rounds::Round;
use std::time::Instant;

/// Cycles of a scheduler in a round, or why there are none.
type Outcome = Result<u64, String>;

/// Runs, writes the files, and gives the text for standard output.
pub fn run(args: &Rank) -> Result<String, Failure> {
    let scheds = if args.sched.is_empty() { scheduler::every() } else { args.sched.clone() };
    if scheds.len() < 2 {
        return Err(Failure::Usage(anyhow!("--sched: a ranking is of two schedulers or more")));
    }
    let rounds = rounds::all(&args.workloads, &args.machine)?;
    // What is given twice, and what no machine takes, is said before anything runs.
    for round in &rounds {
        Variant::all(&[round.way], &Scheduling { sched: scheds.clone(), ..Scheduling::default() }, &round.setup)?;
    }
    let machines: Result<Vec<_>, _> =
        rounds.iter().map(|round| job::machine(&round.setup, round.way, &round.setup.gpu)).collect();
    rounds[0].setup.check_effect(&machines?, &[])?;
    let folder = Folder::open(&args.out)?;
    let start = Instant::now();
    let outcomes = outcomes(&rounds, &scheds, args)?;
    let table = Table::of(outcomes, scheds.len());
    let seconds = start.elapsed().as_secs_f64();
    let report = Report { rounds: &rounds, scheds: &scheds, table: &table };
    let json = report.json()?;
    let written = [folder.write("rank.html", &report.page()?)?, folder.write("rank.json", &json)?];
    output::answer((args.json, args.quiet), &written, || report.text(seconds), || Ok(json))
}

/// A row per round, a column per scheduler. What a scheduler cannot run is an outcome; an interruption ends all.
fn outcomes(rounds: &[Round], scheds: &[Sched], args: &Rank) -> Result<Vec<Vec<Outcome>>, Failure> {
    let count = Count::new(rounds.len() * scheds.len(), args.quiet);
    let work: Vec<(&Round, &Sched)> =
        rounds.iter().flat_map(|round| scheds.iter().map(move |sched| (round, sched))).collect();
    let done = side_by_side::each(&work, args.threads, |&(round, sched), failed| {
        let Round { workload, way, setup, input } = round;
        let scheduling = Scheduling { sched: vec![sched.clone()], power: ask::PowerOptions::default() };
        let one = || {
            let variants = Variant::all(&[*way], &scheduling, setup)?;
            simulate::one(Job { workload: *workload, input, setup }, &variants[0], failed)
        };
        let outcome = match one() {
            Ok(run) => Ok(run.result.stats.cycles),
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) => Err(failure.to_string()),
        };
        count.done(format!("{round} {sched}"));
        Ok(outcome)
    })?;
    Ok(done.chunks(scheds.len()).map(<[Outcome]>::to_vec).collect())
}
