//! Refusals of machines as exceptions, and configurations.

use crate::errors::{Refused, UsageError};
use crate::record::{taken, wrong};
use gpusched::dats::GraphError;
use gpusched::models::Refusal;
use gpusched::{BuildError, ConfigError, Fault, ImageError};
use pyo3::PyErr;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pythonize::depythonize;
use serde::de::DeserializeOwned;

/// The exception for a refusal.
pub fn refused(refusal: impl Refuses) -> PyErr {
    refusal.raised()
}

/// What a call of a machine may be refused with.
pub trait Refuses {
    /// The exception for it.
    fn raised(self) -> PyErr;
}

impl Refuses for Fault {
    fn raised(self) -> PyErr {
        Refused::new_err((self.name(), self.to_string()))
    }
}

impl Refuses for GraphError {
    fn raised(self) -> PyErr {
        Refused::new_err((self.fault().name(), self.to_string()))
    }
}

impl Refuses for Refusal {
    fn raised(self) -> PyErr {
        let text =
            self.field.map_or_else(|| self.fault.to_string(), |field| format!("{}: {}", field.name(), self.fault));
        Refused::new_err((self.fault.name(), text))
    }
}

impl Refuses for ConfigError {
    fn raised(self) -> PyErr {
        UsageError::new_err(self.to_string())
    }
}

impl Refuses for BuildError {
    fn raised(self) -> PyErr {
        UsageError::new_err(self.to_string())
    }
}

impl Refuses for ImageError {
    fn raised(self) -> PyErr {
        match self {
            Self::MidCycle => Fault::MidCycle.raised(),
            damage => UsageError::new_err(damage.to_string()),
        }
    }
}

/// The configuration with these parameters, the others as by default.
pub fn of_config<T: DeserializeOwned>(parameters: Option<&Bound<'_, PyDict>>) -> PyResult<T> {
    let Some(parameters) = parameters else {
        return Python::attach(|py| taken("configuration", &PyDict::new(py)));
    };
    taken("configuration", parameters).map_err(|error| wrong_parameter::<T>(parameters).unwrap_or(error))
}

/// The exception for the first parameter that makes no configuration by itself.
fn wrong_parameter<T: DeserializeOwned>(parameters: &Bound<'_, PyDict>) -> Option<PyErr> {
    parameters.iter().find_map(|(name, value)| {
        let alone = PyDict::new(parameters.py());
        alone.set_item(&name, &value).ok()?;
        // What a variant holds has defaults here.
        depythonize::<T>(&alone).err().map(|error| wrong(&name.to_string(), &value, "{}", &error))
    })
}
