//! `gpusched compare` and `gpusched run`: a workload, one way or several, as a table, a plot and JSON.

use crate::args::{Simulation, Workload};
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::job::Job;
use crate::output::Folder;
use crate::report::Report;
use crate::simulate::{self, Run};
use crate::variant::Variant;
use anyhow::anyhow;
use gpusched_refgpu::workload::Mode;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

/// Runs of more TBs are not drawn as Gantt charts.
const MOST_TBS: u32 = 4096;

/// Runs, writes the files, and gives the text for standard output.
pub fn run(workload: Workload, modes: &[Mode], args: &Simulation) -> Result<String, Failure> {
    let setup = Setup::resolve(&args.machine)?;
    let variants = Variant::all(modes, &args.scheduling, &setup)?;
    let charts = args.gantt.as_deref().map(Charts::open).transpose()?;
    let folder = Folder::open(&args.out)?;
    let input = Input::load(workload, &args.input, args.quiet)?;
    let log_tbs = if charts.is_some() { MOST_TBS } else { 0 };
    let job = Job { workload, input: &input, setup: &setup };
    let runs = simulate::run(job, &variants, log_tbs, args.threads, args.quiet)?;
    let report = Report { workload, input: &input, setup: &setup, runs: &runs };
    let (json, plot, stem) = (report.json()?, report.plot()?, report.file_stem());
    let mut written = vec![folder.write(&format!("{stem}.svg"), &plot)?, folder.write(&format!("{stem}.json"), &json)?];
    if let Some(charts) = charts {
        written.extend(charts.write(&report)?);
    }
    let written: String = written.iter().map(|path| format!("written: {}\n", path.display())).collect();
    match (args.json, args.quiet) {
        (false, false) => Ok(format!("{}\n{written}", report.table())),
        (false, true) => Ok(report.table()),
        (true, quiet) => {
            if !quiet {
                let _ = stderr().write_all(written.as_bytes()); // a remark; the result matters
            }
            Ok(json)
        }
    }
}

/// Where `--gantt` goes.
struct Charts {
    folder: Folder,
    /// Name of the file, without extension.
    stem: String,
}

impl Charts {
    /// Makes sure that the files can be written.
    fn open(file: &Path) -> Result<Self, Failure> {
        let is_svg = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
        let stem = file.file_stem().and_then(|stem| stem.to_str()).filter(|_| is_svg);
        let wrong = || Failure::Usage(anyhow!("--gantt {}: expected the name of an SVG file", file.display()));
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self { stem: stem.ok_or_else(wrong)?.to_owned(), folder: Folder::open(folder)? })
    }

    /// One file; of several runs one each, with its name behind that of the file.
    fn write(&self, report: &Report<'_>) -> Result<Vec<PathBuf>, Failure> {
        let name = |run: &Run| match report.runs {
            [_] => format!("{}.svg", self.stem),
            _ => format!("{}-{}.svg", self.stem, run.variant.file_part()),
        };
        report.runs.iter().map(|run| self.folder.write(&name(run), &report.gantt(run)?)).collect()
    }
}
