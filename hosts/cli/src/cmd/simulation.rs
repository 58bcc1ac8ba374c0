//! `gpusched compare` and `gpusched run`: a workload, one way or several, as a table, a plot and JSON.

use crate::args::{Simulation, Workload};
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::output::Folder;
use crate::report::Report;
use crate::simulate::{self, Job};
use anyhow::anyhow;
use gpusched_refgpu::workload::Mode;
use std::io::{Write, stderr};

/// Runs, writes the files, and gives the text for standard output.
pub fn run(workload: Workload, modes: &[Mode], args: &Simulation) -> Result<String, Failure> {
    if let Some(mode) = modes.iter().enumerate().find_map(|(i, mode)| modes[..i].contains(mode).then_some(mode)) {
        return Err(Failure::Usage(anyhow!("--modes: {mode} is given twice")));
    }
    let setup = Setup::resolve(&args.machine)?;
    let folder = Folder::open(&args.out)?;
    let input = Input::load(workload, &args.input, args.quiet)?;
    let job = Job { workload, input: &input, setup: &setup };
    let runs = simulate::run(job, modes, args.threads, args.quiet)?;
    let report = Report { workload, input: &input, setup: &setup, runs: &runs };
    let (json, plot, stem) = (report.json()?, report.plot()?, report.file_stem());
    let written = [folder.write(&format!("{stem}.svg"), &plot)?, folder.write(&format!("{stem}.json"), &json)?];
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
