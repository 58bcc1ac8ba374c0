//! `gpusched compare pair` and `gpusched pool`: kernels that share the machine, under every policy; `gpusched sweep`: a kernel alone with
//! more and more TBs per SM.
//!
//! `set.rs` says what runs, `run.rs` runs it under each policy (and searches, for SMC), `figures.rs` says what is told of a run,
//! `report.rs` makes tables and JSON, `pictures.rs` pictures.

mod figures;
mod pictures;
mod report;
mod run;
mod set;
mod sweep;

use crate::ask::{Kernel, Pair, PairTimeline, Pool, SharingArgs, SharingPolicy, TimelineFiles};
use crate::failure::Failure;
use crate::output::{self, Folder};
use crate::timeline::Wanted;
use anyhow::anyhow;
pub use figures::{EFFICIENCY, Figure, L1_MISSES, MEMORY_STALLS, SPEEDUP, STALLS, STRUCTURAL_STALLS};
pub use run::{counts, run};
pub use set::{Set, machine};
pub use sweep::{Alone, sweep};

/// Text of `compare pair`.
pub fn pair(args: &Pair) -> Result<String, Failure> {
    compare(&[args.first, args.second], &args.sharing, &SharingPolicy::USUAL, None)
}

/// Text of `timeline pair`: that of `compare pair`, with what happened in each run. A search has many runs, and no timeline.
pub fn pair_timeline(args: &PairTimeline) -> Result<String, Failure> {
    let Pair { first, second, sharing } = &args.pair;
    if sharing.policies.contains(&SharingPolicy::Smc) {
        return Err(Failure::Usage(anyhow!("--policies: smc searches with many runs; take other policies")));
    }
    let usual = SharingPolicy::USUAL.into_iter().filter(|policy| *policy != SharingPolicy::Smc).collect::<Vec<_>>();
    compare(&[*first, *second], sharing, &usual, Some(&args.files))
}

/// Text of `pool`.
pub fn pool(args: &Pool) -> Result<String, Failure> {
    if args.sharing.policies.contains(&SharingPolicy::Smc) {
        return Err(Failure::Usage(anyhow!("--policies: smc searches for two kernels; compare pair takes it")));
    }
    compare(&args.kernels, &args.sharing, &SharingPolicy::OF_POOLS, None)
}

/// Runs the kernels, writes the files, and gives the text for standard output.
fn compare(
    kernels: &[Kernel],
    args: &SharingArgs,
    usual: &[SharingPolicy],
    timelines: Option<&TimelineFiles>,
) -> Result<String, Failure> {
    let policies = if args.policies.is_empty() { usual } else { &args.policies };
    if let Some(twice) = policies.iter().enumerate().find(|(i, one)| policies[..*i].contains(one)) {
        return Err(Failure::Usage(anyhow!("--policies: {} is given twice", twice.1)));
    }
    let types = policies.iter().any(|policy| policy.modulates());
    // Before kernels are run alone, which may take long.
    let setup = machine(&args.machine)?;
    policies.iter().try_for_each(|&policy| run::machine(&setup, policy).map(drop))?;
    let alone = Alone { store: None, threads: args.threads, quiet: args.quiet };
    let set = &Set::of(kernels, &args.machine, args.scale, types.then_some(alone))?;
    let folder = Folder::open(&args.out)?.with_png(args.pictures.png)?;
    let stem = set.file_stem();
    let timelines =
        timelines.map(|files| Wanted::open(files, &set.name(), (&args.out, &stem), args.quiet)).transpose()?;
    let runs = run(set, policies, args.threads, timelines.as_ref())?;
    let json = report::json(set, &runs)?;
    let mut written = Vec::new();
    for (name, picture) in pictures::all(set, &runs)? {
        written.extend(folder.draw(&format!("{stem}-{name}"), &picture)?);
    }
    written.push(folder.write(&format!("{stem}.json"), &json)?);
    written.extend(runs.iter().flat_map(|run| run.timelines.clone()));
    output::answer((args.json, args.quiet), &written, || report::tables(set, &runs), || Ok(json))
}
