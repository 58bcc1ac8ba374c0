//! `gpusched compare --seeds` and `--sources`: schedulers on many inputs instead of one, and how sure it is which of them is faster.
//!
//! Each input is a sample: all schedulers run it, and are compared on it with the first of them. So what differs between inputs, which is
//! much, does not hide what differs between schedulers.

mod report;
mod samples;

use crate::ask::{PowerPolicy, Samples, Simulation, Workload};
use crate::compare;
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::job::Job;
use crate::output::{self, Folder};
use crate::progress::Count;
use crate::scheduler::Sched;
use crate::side_by_side;
use crate::simulate;
use crate::variant::Variant;
use crate::way::Way;
use anyhow::anyhow;
use report::Report;
use samples::Draw;

/// What one scheduler took in one way.
struct Contestant {
    way: Way,
    sched: Sched,
    /// Of each sample.
    cycles: Vec<u64>,
}

/// Runs, writes the files, and gives the text for standard output.
pub fn run(workload: Workload, ways: &[Way], samples: Samples, args: &Simulation) -> Result<String, Failure> {
    let option = if samples.seeds.is_some() { "--seeds" } else { "--sources" };
    let usage = |text: String| Err(Failure::Usage(anyhow!(text)));
    if args.scheduling.sched.len() < 2 {
        return usage(format!("{option}: compares schedulers, of which --sched names two or more"));
    }
    let beside = [
        ("--gantt", args.gantt.is_some()),
        ("--log", args.log.is_some()),
        ("--export-trace", args.export_trace.is_some()),
        ("--results", args.results.is_some()),
        ("--power", args.scheduling.power.power != PowerPolicy::None),
    ];
    if let Some((other, _)) = beside.into_iter().find(|(_, is)| *is) {
        return usage(format!("{other} is about single runs, and does not go with {option}"));
    }
    let setup = compare::setup(workload, args)?;
    let variants = Variant::all(ways, &args.scheduling, &setup)?;
    let folder = Folder::open(&args.out)?.with_png(args.pictures.png)?;
    let draw = Draw::new(option, workload, samples, args, &setup)?;
    draw.first().fits(side_by_side::at_once(args.threads, usize::MAX))?;
    setup.check_options(ways.iter().copied())?;
    let job = Job { workload, input: draw.first(), setup: &setup };
    setup.check_effect(&simulate::machines(job, &variants)?, &[])?;
    let contestants = contest(&draw, workload, &variants, &setup, args)?;
    let report = Report {
        workload,
        draw: &draw,
        setup: &setup,
        contestants: &contestants,
        schedulers: args.scheduling.sched.len(),
    };
    let (json, stem) = (report.json()?, report.file_stem());
    let mut written = folder.draw(&stem, &report.plot()?)?;
    written.push(folder.write(&format!("{stem}.json"), &json)?);
    output::answer((args.json, args.quiet), &written, || report.table(), || Ok(json))
}

/// Every sample under every scheduler in every way. Samples are made as they are needed, as many at a time as there are threads.
fn contest(
    draw: &Draw<'_>,
    workload: Workload,
    variants: &[Variant],
    setup: &Setup,
    args: &Simulation,
) -> Result<Vec<Contestant>, Failure> {
    let contestant =
        |variant: &Variant| Contestant { way: variant.way, sched: variant.scheduler(), cycles: Vec::new() };
    let mut contestants: Vec<Contestant> = variants.iter().map(contestant).collect();
    let mut first_result = None;
    let count = Count::new(draw.len() * variants.len(), args.quiet);
    let samples: Vec<usize> = (0..draw.len()).collect();
    // Two at least, so that it is seen early whether they differ at all.
    for batch in samples.chunks(side_by_side::at_once(args.threads, draw.len()).max(2)) {
        let inputs = side_by_side::each(batch, args.threads, |&sample, _| draw.sample(sample))?;
        let work: Vec<(&Input, &Variant)> =
            inputs.iter().flat_map(|input| variants.iter().map(move |variant| (input, variant))).collect();
        let done = side_by_side::each(&work, args.threads, |&(input, variant), failed| {
            let run = simulate::one(Job { workload, input, setup }, variant, failed)?;
            count.done(format!("{}, {variant}", input.name()));
            Ok((run.result.stats.cycles, run.verified.checksum))
        })?;
        for (sample, done) in batch.iter().zip(done.chunks(variants.len())) {
            let checksum = done[0].1;
            if *sample == 1 && first_result == Some(checksum) {
                draw.refuse_equal()?;
            }
            first_result.get_or_insert(checksum);
            contestants.iter_mut().zip(done).for_each(|(contestant, &(cycles, _))| contestant.cycles.push(cycles));
        }
    }
    Ok(contestants)
}
