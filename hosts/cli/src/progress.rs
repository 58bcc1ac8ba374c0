//! Progress displays on standard error: for reading a file, and for simulations that run side by side. Nothing is shown
//! when standard error is not a terminal, or when `--quiet` is given.

use gpusched_refgpu::graph::GraphSource;
use gpusched_refgpu::graph::read::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
    pub fn new(source: &GraphSource, quiet: bool) -> Self {
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
