//! A policy in Python, at the seam where any policy of one's own decides.

use crate::errors::Error;
use crate::record::{taken, told};
use gpusched::seam::{Answer, Sendable, View};
use gpusched::{Choice, Completion, Cycle, Decision, Fault, Offer, Resident, Resources, SmxId, Units};
use gpusched_refgpu::front::{Decider, Decides, Machine, Sight};
use gpusched_study::interrupt;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use std::sync::{Arc, Mutex, PoisonError};

/// What a policy raised first; it ends the run.
#[derive(Clone, Debug, Default)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    fn keep(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    fn is_some(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// It, if there is something.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The decider that is this policy, or, of a class, a new policy of it for each run.
pub fn decider(policy: &Bound<'_, PyAny>) -> PyResult<(Decider, Raised)> {
    let name: String = policy.getattr("name")?.extract()?;
    let units = if policy.getattr("free_units")?.extract()? { Units::Free } else { Units::Chain };
    let splits: bool = policy.getattr("splits")?.extract()?;
    let (given, raised, of) = (policy.clone().unbind(), Raised::default(), name.clone());
    let kept = raised.clone();
    let decider = Decider::new(name, units, move |machine| {
        let begun = Python::attach(|py| begin(py, &given, machine));
        let policy = begun.map_err(|error| {
            let text = error.to_string();
            kept.keep(error);
            text
        })?;
        let smxs = machine.front.n_smx as u16;
        Ok(Box::new(InPython { policy, name: of.clone(), raised: kept.clone(), smxs }))
    });
    Ok((if splits { decider.splitting() } else { decider }, raised))
}

/// The policy of a run, which knows its machine.
fn begin(py: Python<'_>, given: &Py<PyAny>, machine: &Machine) -> PyResult<Py<PyAny>> {
    let given = given.bind(py);
    let policy = if given.is_instance_of::<PyType>() { given.call0()? } else { given.clone() };
    let machine = Begin { config: &machine.front, tpc: &machine.tpc, gpc: &machine.gpc, capacity: machine.capacity() };
    policy.call_method1("begin", (told(py, &machine)?,))?;
    Ok(policy.unbind())
}

/// What a policy is told before a run.
#[derive(serde::Serialize)]
struct Begin<'a> {
    /// The front end's parameters.
    config: &'a gpusched::Config,
    /// The TPC of each SMX.
    tpc: &'a [u16],
    /// The GPC of each SMX.
    gpc: &'a [u16],
    /// What is free on an SMX that holds no TB.
    capacity: Resources,
}

/// A policy at work. Once it has raised something it decides no more, and the run comes to its end.
#[derive(Debug)]
struct InPython {
    policy: Py<PyAny>,
    name: String,
    raised: Raised,
    smxs: u16,
}

impl InPython {
    /// Calls it, unless it has raised something before.
    fn call<T>(&self, of: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Option<T> {
        if interrupt::requested() {
            self.raised.keep(PyKeyboardInterrupt::new_err(()));
        }
        if self.raised.is_some() {
            return None;
        }
        Python::attach(|py| of(self.policy.bind(py))).map_err(|error| self.raised.keep(error)).ok()
    }
}

impl Decides for InPython {
    fn saw(&mut self, _: Cycle, _: &Decision) {}

    fn done(&mut self, completion: &Completion) {
        self.call(|policy| policy.call_method1("done", (told(policy.py(), completion)?,)).map(drop));
    }

    fn regated(&mut self) {}

    fn loads(&self) -> bool {
        false
    }

    fn choose(&mut self, sight: &Sight<'_>) -> Answer {
        let seen = Seen::of(&Sendable(sight), self.smxs);
        let at = sight.now().0;
        let answer = self.call(|policy| {
            let said = policy.call_method1("decide", (seen,))?;
            answer(&said).map_err(|error| {
                Error::new_err(format!("policy {}, cycle {at}: {}", self.name, error.value(said.py())))
            })
        });
        answer.unwrap_or(Answer::Wait(None))
    }

    fn refused(&mut self, at: Cycle, fault: Fault) {
        let text = format!("policy {}, cycle {}: {}: {fault}", self.name, at.0, fault.name());
        self.raised.keep(Error::new_err(text));
    }
}

/// Nothing; the cycle in which it wants to be asked again; an offer and an SMX, perhaps with another TB than the next one.
fn answer(said: &Bound<'_, PyAny>) -> PyResult<Answer> {
    if said.is_none() {
        return Ok(Answer::Wait(None));
    }
    let Ok(said) = said.cast::<PyTuple>() else {
        return Ok(Answer::Wait(Some(Cycle(said.extract()?))));
    };
    if !matches!(said.len(), 2 | 3) {
        return Err(PyTypeError::new_err(format!(
            "expected an offer, an SMX and perhaps a TB, found {} things",
            said.len()
        )));
    }
    let id = taken("offer", &said.get_item(0)?.get_item("id")?)?;
    // One that no SMX can have is none.
    let smx = SmxId(said.get_item(1)?.extract::<i64>()?.try_into().unwrap_or(u16::MAX));
    let blkid = if said.len() == 3 { said.get_item(2)?.extract()? } else { None };
    Ok(Answer::Send(Choice { id, smx, blkid }))
}

/// How things stand when a policy is asked.
#[pyclass(name = "View", module = "gpusched", frozen)]
pub struct Seen {
    now: u64,
    offers: Vec<Offer>,
    free: Vec<Resources>,
    residents: Vec<Vec<Resident>>,
}

impl Seen {
    fn of(view: &impl View, smxs: u16) -> Self {
        let all = || (0..smxs).map(SmxId);
        Self {
            now: view.now().0,
            offers: view.offers().collect(),
            free: all().map(|smx| view.free(smx)).collect(),
            residents: all().map(|smx| view.residents(smx).collect()).collect(),
        }
    }
}

/// What there is of an SMX.
fn row<T>(rows: &[T], smx: usize) -> PyResult<&T> {
    rows.get(smx).ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(format!("SMX {smx}: there are {}", rows.len())))
}

#[pymethods]
impl Seen {
    /// The cycle.
    #[getter]
    fn now(&self) -> u64 {
        self.now
    }

    /// Units with TBs to send, in the order in which they became visible.
    #[getter]
    fn offers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        told(py, &self.offers)
    }

    /// What is free on an SMX.
    fn free<'py>(&self, py: Python<'py>, smx: usize) -> PyResult<Bound<'py, PyAny>> {
        told(py, row(&self.free, smx)?)
    }

    /// The TBs that run on an SMX.
    fn residents<'py>(&self, py: Python<'py>, smx: usize) -> PyResult<Bound<'py, PyAny>> {
        told(py, row(&self.residents, smx)?)
    }
}
