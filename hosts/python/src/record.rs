//! Values of the core in Python: a struct is a `gpusched.Record`, an enumeration's variant its name or a record around what it holds, and
//! a parameter is taken from any mapping, list, word or number that says the same.

use crate::errors::UsageError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyMapping, PyString, PyType};
use pythonize::{PythonizeError, PythonizeNamedMappingType, PythonizeTypes, depythonize, pythonize_custom};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A value as Python has it.
///
/// # Errors
/// What Python says; a value that cannot be told does not occur.
pub fn told<'py>(py: Python<'py>, value: &(impl Serialize + ?Sized)) -> PyResult<Bound<'py, PyAny>> {
    Ok(pythonize_custom::<Form, _>(py, value)?)
}

/// A parameter of this name.
///
/// # Errors
/// A value that is none, with the name before what is wrong with it.
pub fn taken<T: DeserializeOwned>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    depythonize(value).map_err(|error| wrong(name, value, "...", &error))
}

/// The same of one that may be missing.
///
/// # Errors
/// As [`taken`].
pub fn taken_or_none<T: DeserializeOwned>(name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<T>> {
    value.map_or(Ok(None), |value| taken(name, value))
}

/// The exception for a value that is none. `holds` is what stands for what a variant holds.
pub fn wrong(name: &str, value: &Bound<'_, PyAny>, holds: &str, error: &PythonizeError) -> PyErr {
    let error = error.to_string();
    // So serde speaks of the name of a variant that holds something.
    if !error.starts_with("invalid type: unit variant, expected") {
        return UsageError::new_err(format!("{name}: {error}"));
    }
    let variant = value.extract().unwrap_or_else(|_| "NAME".to_owned());
    let form = format!("{{\"{variant}\": {holds}}}");
    UsageError::new_err(format!("{name}: write {form}, the name with what it holds, and not the name alone"))
}

struct Form;

impl PythonizeTypes for Form {
    type Map = PyDict;
    type NamedMap = Record;
    type List = PyList;
}

struct Record;

static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

impl PythonizeNamedMappingType for Record {
    type Builder<'py> = Bound<'py, PyAny>;

    fn builder<'py>(py: Python<'py>, _: usize, _: &'static str) -> PyResult<Self::Builder<'py>> {
        CLASS.import(py, "gpusched.record", "Record")?.call0()
    }

    fn push_field<'py>(
        builder: &mut Self::Builder<'py>,
        name: Bound<'py, PyString>,
        value: Bound<'py, PyAny>,
    ) -> PyResult<()> {
        builder.set_item(name, value)
    }

    fn finish<'py>(builder: Self::Builder<'py>) -> PyResult<Bound<'py, PyMapping>> {
        Ok(builder.cast_into()?)
    }
}
