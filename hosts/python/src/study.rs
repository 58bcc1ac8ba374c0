//! `gpusched study`: runs over every combination of what a file varies, kept as they come, here or elsewhere.

use crate::wait;
use gpusched_study::ask::{Pictures, Results, Study, StudyRun};
use gpusched_study::study::elsewhere::{self, Outcome, Task};
use gpusched_study::study::{is_in_library, run};
use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Runs what has not been run so far, and gives every run as a line of JSON. Here and below `library` is the file that this code is
/// loaded from.
#[pyfunction]
#[pyo3(signature = (file, out, threads, quiet, library))]
pub fn study(
    py: Python<'_>,
    file: PathBuf,
    out: PathBuf,
    threads: Option<NonZeroUsize>,
    quiet: bool,
    library: PathBuf,
) -> PyResult<String> {
    is_in_library(library);
    let results = Results { out, json: true, quiet };
    let asked = StudyRun { study: Study { file, results, pictures: Pictures::default() }, part: None, threads };
    wait::for_work(py, || run(&asked))
}

/// The runs of which `out` has no result.
#[pyfunction]
pub fn missing(py: Python<'_>, file: PathBuf, out: PathBuf, library: PathBuf) -> PyResult<Vec<Task>> {
    is_in_library(library);
    wait::for_work(py, || elsewhere::missing(&file, &out))
}

/// Simulates these, and gives the results.
#[pyfunction]
pub fn simulate(
    py: Python<'_>,
    tasks: Vec<Task>,
    threads: Option<NonZeroUsize>,
    library: PathBuf,
) -> PyResult<Outcome> {
    is_in_library(library);
    wait::for_work(py, || elsewhere::simulate(tasks, threads))
}

/// Keeps a result that was simulated elsewhere in `out`.
#[pyfunction]
pub fn take(py: Python<'_>, key: &str, text: &str, out: PathBuf, library: PathBuf) -> PyResult<()> {
    is_in_library(library);
    wait::for_work(py, || elsewhere::take(key, text, &out))
}
