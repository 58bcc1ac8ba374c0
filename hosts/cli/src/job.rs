//! A workload with its input, set up for a mode: what both simulations and footprints start from.

use crate::args::Workload;
use crate::failure::Failure;
use crate::input::{Input, Setup};
use anyhow::anyhow;
use gpusched_refgpu::program;
use gpusched_refgpu::workload::{Bfs, Clr, Join, Mode, SetupError, Sssp, Verified, WrongResult};
use std::sync::Arc;

/// What is to be run.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The algorithm.
    pub workload: Workload,
    /// What it works on.
    pub input: &'a Input,
    /// The machine and the options.
    pub setup: &'a Setup,
}

/// What is done with a workload of any type.
pub trait Task {
    /// What comes out.
    type Output;

    /// Does it; `check` verifies the result of a workload that has run.
    fn carry_out<W: program::Workload>(self, work: W, check: Check<W>) -> Result<Self::Output, Failure>;
}

/// Verifies the result of a workload that has run.
pub type Check<W> = fn(&W) -> Result<Verified, WrongResult>;

impl Job<'_> {
    /// Sets the workload up for `mode`, and does `task` with it.
    pub fn with<T: Task>(&self, mode: Mode, task: T) -> Result<T::Output, Failure> {
        let options = &self.setup.options;
        match self.input {
            Input::Graph { graph, source } => {
                let (csr, source) = (Arc::clone(&graph.csr), *source);
                match self.workload {
                    Workload::Sssp => self.start(Sssp::from_vertex(csr, source, mode, options.sssp), Sssp::check, task),
                    Workload::Clr => self.start(Clr::new(csr, mode, options.clr), Clr::check, task),
                    _ => self.start(Bfs::from_vertex(csr, source, mode, options.bfs), Bfs::check, task),
                }
            }
            Input::Keys(keys) => {
                let join = Join::new(Arc::clone(&keys.r), Arc::clone(&keys.s), mode, options.join);
                self.start(join, Join::check, task)
            }
        }
    }

    /// Does `task`, if the workload could be set up. If not, an option makes no sense, or the input is too much.
    fn start<W, T>(&self, work: Result<W, SetupError>, check: Check<W>, task: T) -> Result<T::Output, Failure>
    where
        W: program::Workload,
        T: Task,
    {
        let work = work.map_err(|error| {
            let told = anyhow!("{}: {error}", self.workload.name());
            if matches!(error, SetupError::Option { .. }) { Failure::Usage(told) } else { Failure::Failed(told) }
        })?;
        task.carry_out(work, check)
    }
}
