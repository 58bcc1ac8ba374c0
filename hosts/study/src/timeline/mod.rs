//! `gpusched timeline`: what happened in a run, as files that viewers open: Chrome's trace events (`perfetto`) and VCD (`vcd`).
//!
//! # What is observed
//! The machine tells its [`Observer`] of every launch, kernel, group and TB, and of every change of a queue's length, a P-state and a
//! clock, in the cycle in which it happens; of stalls, warps and the words of the TB scheduler it tells samples of `run.sample_cycles`
//! cycles ([`gpusched_refgpu::timeline::events`]). Both forms are written from this alone, while the run goes on: nobody waits for its
//! end to write, memory is taken for what is in flight, and a run that fails leaves what happened until then. Nothing of it can reach
//! back: a run that is observed counts what it counts otherwise.
//!
//! A file has another name until it is whole, and is gone if the program is interrupted.

mod gauges;
mod launches;
mod perfetto;
mod vcd;

use crate::ask::TimelineFiles;
use crate::failure::Failure;
use crate::output::{self, Draft, NamedFile};
use anyhow::Context;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::Monitor;
use gpusched_refgpu::timeline::{Event, Observer};
use perfetto::Perfetto;
use std::fs::File;
use std::io::{self, BufWriter};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use vcd::Vcd;

/// The files that are asked for.
#[derive(Debug)]
pub struct Wanted {
    files: Vec<(Kind, NamedFile)>,
    /// Whether the user has named them.
    is_named: bool,
    workload: String,
    quiet: bool,
}

/// A form of timeline.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Perfetto,
    Vcd,
}

impl Kind {
    const fn option(self) -> &'static str {
        match self {
            Self::Perfetto => "--perfetto",
            Self::Vcd => "--vcd",
        }
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Perfetto => "json",
            Self::Vcd => "vcd",
        }
    }
}

impl Wanted {
    /// Makes sure that they can be written. If none is named it is one for Perfetto in folder `out`, after `stem`.
    ///
    /// # Errors
    /// A name without the extension of its form, and a folder that cannot be written to.
    pub fn open(
        asked: &TimelineFiles,
        workload: &str,
        (out, stem): (&Path, &str),
        quiet: bool,
    ) -> Result<Self, Failure> {
        let named = [(Kind::Perfetto, asked.perfetto.clone()), (Kind::Vcd, asked.vcd.clone())];
        let mut named: Vec<_> = named.into_iter().filter_map(|(kind, file)| Some((kind, file?))).collect();
        let is_named = !named.is_empty();
        if !is_named {
            named.push((Kind::Perfetto, out.join(format!("{stem}.json"))));
        }
        let open = |(kind, file): (Kind, PathBuf)| Ok((kind, NamedFile::open(kind.option(), &file, kind.extension())?));
        Ok(Self {
            files: named.into_iter().map(open).collect::<Result<_, Failure>>()?,
            is_named,
            workload: workload.to_owned(),
            quiet,
        })
    }

    /// Begins those of a run that is called so, one of `runs`, on the machine `gpu`.
    pub(crate) fn begin(&self, run: &str, gpu: &GpuConfig, runs: usize) -> Result<Timeline, Failure> {
        let own = run.replace(' ', "-");
        let part = match (self.is_named, runs) {
            (true, 1) => String::new(),
            (true, _) => format!("-{own}"),
            (false, _) => format!("-{own}-timeline"),
        };
        let begin = |(kind, file): &(Kind, NamedFile)| {
            let (draft, out) = file.draft(&part)?;
            let out = BufWriter::new(out);
            let form = match kind {
                Kind::Perfetto => {
                    Perfetto::begin(out, &self.workload, run, gpu).map(|file| Form::Perfetto(Box::new(file)))
                }
                Kind::Vcd => Vcd::begin(out, &self.workload, run, gpu).map(|file| Form::Vcd(Box::new(file))),
            };
            Ok((draft, form.with_context(|| kind.option())?))
        };
        let files = self.files.iter().map(begin).collect::<Result<_, Failure>>()?;
        Ok(Timeline { files, last: 0, error: None, quiet: self.quiet })
    }
}

/// A file in one form.
enum Form {
    Perfetto(Box<Perfetto<BufWriter<File>>>),
    Vcd(Box<Vcd<BufWriter<File>>>),
}

/// Who watches a run whose timeline is written, if it is.
pub(crate) struct Watched<'a> {
    pub watch: &'a mut dyn Monitor,
    pub timeline: Option<Timeline>,
}

impl Monitor for Watched<'_> {
    fn progress(&mut self, done: u64, total: u64, cycle: u64) -> ControlFlow<()> {
        if self.timeline.as_ref().is_some_and(|timeline| timeline.error.is_some()) {
            return ControlFlow::Break(());
        }
        self.watch.progress(done, total, cycle)
    }

    fn observer(&mut self) -> Option<&mut dyn Observer> {
        self.timeline.as_mut().map(|timeline| timeline as &mut dyn Observer)
    }
}

impl Watched<'_> {
    /// The run is over, and has taken so many `cycles` if it came to its end: gives it with the files that tell of it. A run that has failed
    /// leaves what happened until then; one that was interrupted leaves none.
    pub fn finish<R>(self, run: Result<R, Failure>, cycles: impl Fn(&R) -> u64) -> Result<(R, Vec<PathBuf>), Failure> {
        let Some(timeline) = self.timeline else { return Ok((run?, Vec::new())) };
        match run {
            Ok(run) => timeline.end(Some(cycles(&run))).map(|files| (run, files)),
            Err(Failure::Interrupted) if timeline.error.is_none() => Err(Failure::Interrupted),
            Err(failure) => {
                let quiet = timeline.quiet;
                for file in timeline.end(None)? {
                    output::remark(&format!("written: {}, until the run failed\n", file.display()), quiet);
                }
                Err(failure)
            }
        }
    }
}

/// The files of a run under way.
pub(crate) struct Timeline {
    files: Vec<(Draft, Form)>,
    last: u64,
    error: Option<io::Error>,
    /// Nobody wants to hear of files.
    quiet: bool,
}

impl Timeline {
    /// The run has ended after so many cycles, or failed: the files are whole, and get their names.
    fn end(self, cycles: Option<u64>) -> Result<Vec<PathBuf>, Failure> {
        if let Some(error) = self.error {
            return Err(anyhow::Error::new(error).context("cannot write the timeline").into());
        }
        let last = cycles.unwrap_or(self.last);
        let keep = |(draft, form): (Draft, Form)| {
            let ended = match form {
                Form::Perfetto(file) => file.end(last),
                Form::Vcd(file) => file.end(last),
            };
            ended.context("cannot write the timeline")?;
            draft.keep()
        };
        self.files.into_iter().map(keep).collect()
    }
}

impl Observer for Timeline {
    fn event(&mut self, at: u64, event: Event<'_>) {
        self.last = self.last.max(at);
        if self.error.is_some() {
            return;
        }
        let mut write = |(_, form): &mut (Draft, Form)| match form {
            Form::Perfetto(file) => file.event(at, &event),
            Form::Vcd(file) => file.event(at, &event),
        };
        self.error = self.files.iter_mut().try_for_each(&mut write).err();
    }
}
