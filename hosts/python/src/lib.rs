//! What the Python package `gpusched` has of Rust: its module `_native`, which the package's own Python puts into its form.
//!
//! Whatever a command of `gpusched` does is done here by the same functions of `gpusched-study`, with the same words for what is wrong.

mod errors;
mod machines;
mod policy;
mod record;
mod refusal;
mod run;
mod study;
mod wait;

/// What `gpusched` is made of; for its own use.
#[pyo3::pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::policy::Seen;
    #[pymodule_export]
    use crate::run::run;
    #[pymodule_export]
    use crate::study::{missing, simulate, study, take};
    use pyo3::prelude::*;

    /// The machines are a module of their own.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let machines = PyModule::new(module.py(), "machines")?;
        crate::machines::add(&machines)?;
        module.add_submodule(&machines)
    }
}
