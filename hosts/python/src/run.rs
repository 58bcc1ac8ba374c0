//! `gpusched run`: one workload, one way.

use crate::errors::{UsageError, raised};
use crate::policy::{self, Raised};
use crate::wait;
use anyhow::anyhow;
use gpusched_study::Failure;
use gpusched_study::ask::{PowerPolicy, Run, Scheduling, Simulation};
use gpusched_study::compare::Compared;
use gpusched_study::scheduler::Sched;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::path::PathBuf;

/// What went on over time in a run: for each sample, resident warps summed over its cycles, SMX by SMX, and pending launches.
type Timeline = (Py<PyArray2<u64>>, Py<PyArray1<u64>>);

/// Runs what these options ask for: the document of `gpusched run --json`, the timeline of each run, and the files that were written.
#[pyfunction]
#[pyo3(signature = (options, policy, out))]
pub fn run(
    py: Python<'_>,
    options: Vec<(String, String)>,
    policy: Option<Bound<'_, PyAny>>,
    out: Option<PathBuf>,
) -> PyResult<(String, Vec<Timeline>, Vec<PathBuf>)> {
    let arguments: Vec<String> = options.iter().flat_map(|(name, value)| Run::argument(name, value)).collect();
    let mut run = Run::parse(&arguments).map_err(|failure| raised(&failure))?;
    run.simulation.quiet = true;
    let policy = policy.map(|policy| given(&policy, &mut run)).transpose()?;
    let outcome = wait::for_work(py, || {
        let done = compared(&run, out)?;
        Ok((done.report().json()?, done))
    });
    // Whatever became of a run without its policy, this is why.
    if let Some(error) = policy.and_then(|raised| raised.take()) {
        return Err(error);
    }
    let (document, done) = outcome?;
    let timelines: PyResult<_> = done
        .runs
        .into_iter()
        .map(|run| {
            // Python's arrays take over the memory of the lists.
            let timeline = run.result.timeline;
            let samples = timeline.pending_cycles.len();
            let warps = PyArray1::from_vec(py, timeline.warp_cycles).reshape([samples, timeline.sms])?;
            Ok((warps.unbind(), PyArray1::from_vec(py, timeline.pending_cycles).unbind()))
        })
        .collect();
    Ok((document, timelines?, done.written))
}

/// Lets this policy decide in the run.
fn given(policy: &Bound<'_, PyAny>, run: &mut Run) -> PyResult<Raised> {
    let refused = |text: &str| Err(UsageError::new_err(format!("policy: {text}")));
    let Scheduling { sched, power } = &mut run.simulation.scheduling;
    if !sched.is_empty() {
        return refused("sched names another scheduler");
    }
    if power.power == PowerPolicy::Bubble && !policy.is_instance_of::<PyType>() {
        return refused("with power=\"bubble\" there are two runs, each with a policy of its own; give the class");
    }
    let (decider, raised) = policy::decider(policy)?;
    sched.push(Sched::Own(decider));
    Ok(raised)
}

fn compared(run: &Run, out: Option<PathBuf>) -> Result<Compared, Failure> {
    let Run { workload, way, simulation } = run;
    let Simulation { input, scheduling, .. } = simulation;
    if scheduling.sched.len() > 1 {
        return Err(Failure::Usage(anyhow!("sched: a run takes one scheduler")));
    }
    let workload = input.workload(*workload)?;
    Compared::run(workload, &way.resolve(workload)?, simulation, out.as_deref(), None)
}
