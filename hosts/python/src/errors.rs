//! Failures as the exceptions of the package.

use gpusched_study::Failure;
use pyo3::PyErr;
use pyo3::exceptions::PyKeyboardInterrupt;

pyo3::import_exception!(gpusched.errors, Error);
pyo3::import_exception!(gpusched.errors, Refused);
pyo3::import_exception!(gpusched.errors, UsageError);

/// The exception for what went wrong.
pub fn raised(failure: &Failure) -> PyErr {
    match failure {
        Failure::Failed(_) => Error::new_err(failure.to_string()),
        Failure::Usage(_) => UsageError::new_err(failure.to_string()),
        Failure::Interrupted => PyKeyboardInterrupt::new_err(()),
    }
}
