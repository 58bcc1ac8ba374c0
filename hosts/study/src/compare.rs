//! `gpusched compare`, `gpusched run` and `gpusched timeline`: a workload, one way or several, as a table, a plot and JSON.

use crate::ask::{Setting, Simulation, TimelineFiles, Workload};
use crate::decision_log;
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::job::Job;
use crate::output::{self, Folder, NamedFile};
use crate::report::Report;
use crate::side_by_side;
use crate::simulate::{self, Keep, Run};
use crate::timeline::Wanted;
use crate::trace;
use crate::variant::Variant;
use crate::way::Way;
use anyhow::anyhow;
use gpusched_traces::LIST;
use gpusched_workloads::Version;
use std::path::PathBuf;

/// Runs of more TBs are not drawn as Gantt charts.
pub const MOST_DRAWN: u32 = 4096;
/// Nor are those of more written as decision logs, which are held until the run has ended.
const MOST_LOGGED: u32 = 1 << 20;

/// Runs, writes the files, and gives the text for standard output.
pub fn run(workload: Workload, ways: &[Way], args: &Simulation) -> Result<String, Failure> {
    observed(workload, ways, args, None)
}

/// Does the same, and writes what happened in each run.
pub fn observed(
    workload: Workload,
    ways: &[Way],
    args: &Simulation,
    timelines: Option<&TimelineFiles>,
) -> Result<String, Failure> {
    let setup = setup(workload, args)?;
    let variants = Variant::all(ways, &args.scheduling, &setup)?;
    let charts = args.gantt.as_deref().map(|file| NamedFile::open("--gantt", file, "svg")).transpose()?;
    let logs = args.log.as_deref().map(|file| NamedFile::open("--log", file, "log")).transpose()?;
    can_be_traced(&variants, args)?;
    let folder = Folder::open(&args.out)?;
    let input = Input::load(workload, &args.input, &args.kernel, &setup, args.quiet)?;
    input.fits(side_by_side::at_once(args.threads, variants.len()))?;
    let log_tbs = match (&charts, &logs) {
        (Some(_), _) => MOST_DRAWN,
        (None, Some(_)) => MOST_LOGGED,
        (None, None) => 0,
    };
    let job = Job { workload, input: &input, setup: &setup };
    setup.check_options(variants.iter().map(|variant| variant.way))?;
    setup.check_effect(&simulate::machines(job, &variants)?, &[])?;
    let stem = Report { workload, input: &input, setup: &setup, runs: &[] }.file_stem();
    let timelines =
        timelines.map(|files| Wanted::open(files, workload.name(), (&args.out, &stem), args.quiet)).transpose()?;
    let keep = Keep { tbs: log_tbs, trace: args.export_trace.as_deref(), timelines: timelines.as_ref() };
    let runs = simulate::run(job, &variants, keep, args.threads, args.quiet)?;
    let report = Report { workload, input: &input, setup: &setup, runs: &runs };
    let (json, plot, stem) = (report.json()?, report.plot()?, report.file_stem());
    let mut written = vec![folder.write(&format!("{stem}.svg"), &plot)?];
    for (name, picture) in report.inside()? {
        written.push(folder.write(&format!("{stem}-{name}.svg"), &picture)?);
    }
    written.push(folder.write(&format!("{stem}.json"), &json)?);
    if let Some(charts) = charts {
        written.extend(each(&charts, &runs, |run| report.gantt(run))?);
    }
    if let Some(logs) = logs {
        written.extend(each(&logs, &runs, decision_log::of)?);
    }
    written.extend(runs.iter().flat_map(|run| run.timelines.clone()));
    let cut: u64 = runs.iter().map(|run| run.cut).sum();
    if cut > 0 {
        let text = "instructions wait for more than four results; the trace tells the last four, since Accel-Sim reads no more";
        output::remark(&format!("--export-trace: {cut} {text}\n"), args.quiet);
    }
    written.extend(args.export_trace.as_ref().map(|folder| folder.join(LIST)));
    output::answer((args.json, args.quiet), &written, || report.table(), || Ok(json))
}

/// Refuses a trace of what traces cannot tell, and of several runs in one folder.
fn can_be_traced(variants: &[Variant], args: &Simulation) -> Result<(), Failure> {
    let refuse = |why: String| Err(Failure::Usage(anyhow!("--export-trace: {why}")));
    match variants {
        _ if args.export_trace.is_none() => Ok(()),
        [one] if one.way.is_dynamic() => refuse(format!(
            "{} launches from the device, which traces cannot tell; take another {}",
            one.way,
            one.way.kind()
        )),
        [Variant { way: Way::Version(version), .. }] if *version != Version::Global => refuse(format!(
            "in version {version} TBs depend on each other, which traces cannot tell; take --version global"
        )),
        [_] => Ok(()),
        _ => refuse("it is of one run; gpusched run makes one".to_owned()),
    }
}

/// The machine and the options that are asked for, all of which are of `workload`.
pub fn setup(workload: Workload, args: &Simulation) -> Result<Setup, Failure> {
    let mut settings: Vec<Setting> = args.wave.settings().chain(args.buffer.settings()).collect();
    if workload == Workload::Gemm {
        settings = settings.into_iter().map(Setting::of_product).collect();
    }
    let foreign = |setting: &&Setting| workload.options().is_none_or(|of| !setting.key.starts_with(of));
    if let (None, Some(setting)) = (workload.wave(), settings.iter().find(foreign)) {
        let text = format!("{}: {} is no wavefront, and has no dependencies", setting.option, workload.name());
        return Err(Failure::Usage(anyhow!(text)));
    }
    let gpu = match &args.input.trace {
        Some(trace) if args.machine.gpu.is_none() => trace::gpu(trace)?,
        _ => workload.gpu(),
    };
    let setup = Setup::with(&args.machine, gpu, settings)?;
    setup.only_of(&[workload])?;
    Ok(setup)
}

/// A file for each run; of several runs each with its name behind that of the file.
fn each(
    file: &NamedFile,
    runs: &[Run],
    content: impl Fn(&Run) -> Result<String, Failure>,
) -> Result<Vec<PathBuf>, Failure> {
    let part = |run: &Run| match runs {
        [_] => String::new(),
        _ => format!("-{}", run.variant.file_part()),
    };
    runs.iter().map(|run| file.write(&part(run), &content(run)?)).collect()
}
