//! `gpusched reproduce`: a whole study again, kernel by kernel, with what its source reports beside what comes out here.
//!
//! A study is data: which kernels, on which machine, under which policies, and what the source says of which means. Kernels are
//! ours, made after the sources' tables, so it is directions and proportions that should appear, not the same figures. Each comes to a
//! `Told`, of which the table, the files for programs and the page of a report are made.

mod all;
mod fmm;
mod kernels;
mod models;
mod notes;
mod published;
mod quantity;
mod report;
mod size;
mod suites;
mod tlp;
mod told;

use crate::ask::Reproduce;
use crate::failure::Failure;
use crate::output::{self, Folder, NamedFile};
use crate::study;
use anyhow::anyhow;
pub use published::Size;
pub use suites::SuiteName;
use told::Told;

/// Runs a study or all of them, writes figures and perhaps a report, and gives the text for standard output.
pub fn run(args: &Reproduce) -> Result<String, Failure> {
    if matches!(args.suite, SuiteName::Models | SuiteName::Fmm) {
        args.pictures.refused(&format!("reproduce {}", args.suite.name()))?;
    }
    let report = args.report.as_deref().map(|file| NamedFile::open("--report", file, "html")).transpose()?;
    let (mut all, json) = match args.suite {
        SuiteName::All => all::run(args)?,
        _ => {
            let told = one(args)?;
            let json = told.json.clone();
            (vec![told], json)
        }
    };
    let mut written: Vec<_> = all.iter_mut().flat_map(|told| std::mem::take(&mut told.written)).collect();
    let folder = Folder::open(&args.out)?;
    for told in &all {
        written.push(folder.write(&format!("reproduce-{}.csv", told.name), &told.statements()?)?);
    }
    if let Some(file) = report {
        written.push(file.write("", &report::page(&all, args)?)?);
    }
    output::answer((args.json, args.quiet), &written, || all::text(all), || Ok(json))
}

/// Runs one study, and writes its figures.
fn one(args: &Reproduce) -> Result<Told, Failure> {
    let published = match args.suite {
        SuiteName::Dtbl => published::DTBL,
        SuiteName::Laperm => published::LAPERM,
        SuiteName::Bubbles => published::BUBBLES,
        SuiteName::Wireframe => published::WIREFRAME,
        _ => return of_kernels(args),
    };
    published::run(published, args)
}

/// One of the studies of kernels.
fn of_kernels(args: &Reproduce) -> Result<Told, Failure> {
    let has = |option: &str| Err(Failure::Usage(anyhow!("{option}: {} has none", args.suite.name())));
    if !args.figures.is_empty() {
        return has("--figures");
    }
    if args.smoke {
        return has("--smoke");
    }
    let told = match (args.suite, args.suite.suite()) {
        (_, Some(suite)) => kernels::run(suite, args),
        (SuiteName::Fmm, None) => fmm::run(args),
        (SuiteName::Tlp, None) => tlp::run(args),
        _ => models::run(args),
    };
    study::goes_on(told, args.quiet)
}
