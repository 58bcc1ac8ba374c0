//! Progress displays on standard error: for reading a file, and for simulations that run side by side. Nothing is shown
//! when standard error is not a terminal, or when `--quiet` is given.

use crate::variant::Variant;
use gpusched_workloads::graph::read::Progress;
use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::time::{Duration, Instant};

/// A line with a template of ours.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━╸ ")
}

fn target(quiet: bool) -> ProgressDrawTarget {
    if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() } // hidden when it is no terminal
}

/// How far a file has been read.
#[derive(Debug)]
pub struct Reading(ProgressBar);

impl Reading {
    /// Shows nothing before the first [`update`](Self::update).
    pub fn new(source: impl Display, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, target(quiet))
            .with_style(style("reading {msg} {bar:30} {bytes} of {total_bytes}, ETA {eta}"))
            .with_message(source.to_string());
        Self(bar)
    }

    /// Shows how far.
    pub fn update(&mut self, progress: Progress) {
        if self.0.length().is_none() {
            self.0.set_length(progress.total);
        }
        self.0.set_position(progress.read);
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Simulations side by side, a line each.
#[derive(Debug)]
pub struct Bars {
    all: MultiProgress,
    lines: Vec<ProgressBar>,
}

impl Bars {
    /// A line for each variant, all waiting.
    pub fn new(variants: &[Variant], quiet: bool) -> Self {
        let all = MultiProgress::with_draw_target(target(quiet));
        let names: Vec<String> = variants.iter().map(ToString::to_string).collect();
        let width = names.iter().map(String::len).max().unwrap_or(0);
        let line = |name: &String| {
            let bar = all.add(ProgressBar::new(0).with_style(style("{prefix} waiting")));
            let bar = bar.with_prefix(format!("{name:>width$}"));
            bar.tick();
            bar
        };
        let lines = names.iter().map(line).collect();
        Self { all, lines }
    }

    /// The line of variant number `index`, which starts now.
    pub fn start(&self, index: usize) -> Bar {
        let bar = self.lines[index].clone();
        bar.set_style(style("{prefix} {bar:32} {percent:>3}%  {msg:<32} ETA {eta}"));
        bar.reset();
        Bar { bar, start: Instant::now() }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.lines.iter().for_each(ProgressBar::finish_and_clear);
        let _ = self.all.clear(); // a terminal that is gone needs no clearing
    }
}

/// How many of a number of simulations are over, on one line.
#[derive(Debug)]
pub struct Count(ProgressBar);

impl Count {
    /// Of so many.
    pub fn new(all: usize, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(all as u64), target(quiet));
        let bar = bar.with_style(style("{bar:32} {pos} of {len} simulations  {msg:<32} ETA {eta}"));
        bar.enable_steady_tick(Duration::from_millis(500));
        Self(bar)
    }

    /// This one is over.
    pub fn done(&self, name: impl Display) {
        self.0.set_message(name.to_string());
        self.0.inc(1);
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The line of one simulation.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
    start: Instant,
}

impl Bar {
    /// `done` of `total` units of work at this cycle.
    pub fn update(&self, done: u64, total: u64, cycle: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
        let speed = cycle as f64 / self.start.elapsed().as_secs_f64() / 1e6;
        self.bar.set_message(format!("cycle {} at {speed:.1} M/s", HumanCount(cycle)));
    }

    /// The simulation is over.
    pub fn finish(&self, cycles: u64) {
        self.bar.set_style(style("{prefix} {bar:32} 100%  {msg:<32} done"));
        self.bar.set_length(1);
        self.bar.set_position(1);
        let seconds = self.start.elapsed().as_secs_f64();
        self.bar.abandon_with_message(format!("{} cycles in {seconds:.1} s", HumanCount(cycles)));
    }
}
