//! `gpusched study`: runs over every combination of what a file varies, kept as they come.

use crate::wait;
use gpusched_study::ask::{Results, Study, StudyRun};
use gpusched_study::study::{is_in_library, run};
use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Runs what has not been run so far, and gives every run as a line of JSON. `library` is the file that this code is loaded from.
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
    let asked = StudyRun { study: Study { file, results }, part: None, threads };
    wait::for_work(py, || run(&asked))
}
