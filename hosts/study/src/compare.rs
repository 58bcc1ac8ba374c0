//! `gpusched compare`, `gpusched run` and `gpusched timeline`: a workload, one way or several, as a table, a plot and JSON.

use crate::ask::{self, Setting, Simulation, TimelineFiles, Workload};
use crate::decision_log;
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::job::Job;
use crate::output::{self, Folder, NamedFile, NamedPicture};
use crate::report::Report;
use crate::side_by_side;
use crate::simulate::{self, Keep, Run};
use crate::timeline::Wanted;
use crate::trace;
use crate::variant::Variant;
use crate::way::Way;
use anyhow::anyhow;
use gpusched_traces::{LIST, Program};
use gpusched_workloads::graph::{GraphSource, UNREACHED};
use gpusched_workloads::keys::KeySource;
use gpusched_workloads::{INFINITY, Version};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

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
    let done = Compared::run(workload, ways, args, Some(&args.out), timelines)?;
    let report = done.report();
    output::answer((args.json, args.quiet), &done.written, || report.table(), || report.json())
}

/// A comparison that has been run.
#[derive(Debug)]
pub struct Compared {
    workload: Workload,
    input: Input,
    setup: Setup,
    /// A run per variant; at least one.
    pub runs: Vec<Run>,
    /// The files that were written.
    pub written: Vec<PathBuf>,
}

impl Compared {
    /// Runs, and writes the files that have been asked for by name; with `out`, also pictures and the document there. `timelines` need `out`.
    ///
    /// # Errors
    /// What makes no sense, what cannot be read or written, a run that failed.
    pub fn run(
        workload: Workload,
        ways: &[Way],
        args: &Simulation,
        out: Option<&Path>,
        timelines: Option<&TimelineFiles>,
    ) -> Result<Self, Failure> {
        let setup = setup(workload, args)?;
        let variants = Variant::all(ways, &args.scheduling, &setup)?;
        let charts =
            args.gantt.as_deref().map(|file| NamedPicture::open("--gantt", file, args.pictures.png)).transpose()?;
        let logs = args.log.as_deref().map(|file| NamedFile::open("--log", file, "log")).transpose()?;
        let results = args.results.as_deref().map(|file| NamedFile::open("--results", file, "csv")).transpose()?;
        can_be_traced(&variants, args)?;
        spares_inputs(args)?;
        let of_vertex = of_vertices(workload, args)?;
        let folder = out.map(|out| Folder::open(out)?.with_png(args.pictures.png)).transpose()?;
        if folder.is_none() && charts.is_none() {
            args.pictures.refused("a run without a folder")?;
        }
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
            out.zip(timelines).map(|(out, files)| Wanted::open(files, workload.name(), (out, &stem), args.quiet));
        let timelines = timelines.transpose()?;
        let keep = Keep {
            tbs: log_tbs,
            trace: args.export_trace.as_deref(),
            timelines: timelines.as_ref(),
            by_vertex: results.is_some(),
        };
        let runs = simulate::run(job, &variants, keep, args.threads, args.quiet)?;
        let mut done = Self { workload, input, setup, runs, written: Vec::new() };
        if let Some(folder) = folder {
            done.written = done.report().write(&folder)?;
        }
        if let Some(charts) = charts {
            let drawn = each(&done.runs, |run, part| charts.write(part, &done.report().gantt(run)?))?;
            done.written.extend(drawn.into_iter().flatten());
        }
        if let Some(logs) = logs {
            done.written.extend(each(&done.runs, |run, part| logs.write(part, &decision_log::of(run)?))?);
        }
        if let Some((results, (what, none))) = results.zip(of_vertex) {
            done.written.extend(each(&done.runs, |run, part| results.write(part, &by_vertex(run, what, none)?))?);
        }
        done.written.extend(done.runs.iter().flat_map(|run| run.timelines.clone()));
        let cut: u64 = done.runs.iter().map(|run| run.cut).sum();
        if cut > 0 {
            let text = "instructions wait for more than four results; the trace tells the last four, since Accel-Sim reads no more";
            output::remark(&format!("--export-trace: {cut} {text}\n"), args.quiet);
        }
        done.written.extend(args.export_trace.as_ref().map(|folder| folder.join(LIST)));
        Ok(done)
    }

    /// What it says.
    #[must_use]
    pub fn report(&self) -> Report<'_> {
        let Self { workload, input, setup, runs, .. } = self;
        Report { workload: *workload, input, setup, runs }
    }
}

/// What is found of each vertex, and the number that stands for nothing; refused if it is asked for where there is none.
fn of_vertices(workload: Workload, args: &Simulation) -> Result<Option<(&'static str, u32)>, Failure> {
    let refuse = |why: String| Err(Failure::Usage(anyhow!("--results: {why}")));
    match workload {
        _ if args.results.is_none() => Ok(None),
        _ if args.export_trace.is_some() => refuse("take either it or --export-trace".to_owned()),
        Workload::Bfs => Ok(Some(("level", UNREACHED))),
        Workload::Sssp => Ok(Some(("distance", INFINITY))),
        Workload::Clr => Ok(Some(("colour", 0))),
        other => refuse(format!("{} has no number for each vertex; bfs, sssp and clr have", other.name())),
    }
}

/// A line for each vertex, in the order of the graph, with what was found of it; what was not is empty.
fn by_vertex(run: &Run, what: &str, none: u32) -> Result<String, Failure> {
    let mut text = format!("vertex,{what}\n");
    for (vertex, &found) in run.by_vertex.iter().enumerate() {
        let found = if found == none { String::new() } else { found.to_string() };
        let _ = writeln!(text, "{vertex},{found}"); // a string takes it
    }
    Ok(text)
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

/// Refuses to write where the input is.
fn spares_inputs(args: &Simulation) -> Result<(), Failure> {
    let ask::Input { graph, keys, trace, .. } = &args.input;
    let refuse = |option: &str, path: &Path| {
        Err(Failure::Usage(anyhow!("{option} {}: the input is read from there", path.display())))
    };
    let mut read = Vec::new();
    if let Some(GraphSource::File(file)) = graph {
        read.push(file);
    }
    if let Some(KeySource::Files(files)) = keys {
        read.extend(files);
    }
    let written = [("--gantt", &args.gantt), ("--log", &args.log), ("--results", &args.results)];
    for (option, file) in written.into_iter().filter_map(|(option, file)| Some((option, file.as_ref()?))) {
        if read.iter().any(|one| is_same(one, file)) {
            return refuse(option, file);
        }
    }
    let Some((trace, folder)) = trace.as_ref().zip(args.export_trace.as_ref()) else { return Ok(()) };
    let files = Program::files(trace).map_err(anyhow::Error::from)?;
    let is_there = files.iter().filter_map(|file| file.parent()).any(|parent| is_same(parent, folder));
    if is_there { refuse("--export-trace", folder) } else { Ok(()) }
}

/// Whether two paths lead to one place that is there.
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| if path.as_os_str().is_empty() { Path::new(".") } else { path }.canonicalize().ok();
    place(one).is_some_and(|one| Some(one) == place(other))
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
    let gpu = trace::usual_gpu(workload, &args.input, &args.machine)?;
    let setup = Setup::with(&args.machine, gpu, settings)?;
    setup.only_of(&[workload])?;
    Ok(setup)
}

/// Files for each run; of several runs each with its name behind that of the file.
fn each<F>(runs: &[Run], write: impl Fn(&Run, &str) -> Result<F, Failure>) -> Result<Vec<F>, Failure> {
    let part = |run: &Run| match runs {
        [_] => String::new(),
        _ => format!("-{}", run.variant.file_part()),
    };
    runs.iter().map(|run| write(run, &part(run))).collect()
}
