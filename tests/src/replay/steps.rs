//! Vectors of a machine that is driven step by step: each says an event and what must come of it.

use anyhow::{Context, Result};
use gpusched::Fault;
use serde_json::{Value, json};

use super::{Difference, Face, Outcome, expect};
use crate::machine::{Answered, Family, Object, Of};
use crate::through_c::fault;

/// The form of a machine's vectors, which the README beside them describes.
pub trait Form: Family<Refused = Fault> {
    /// Where a step names its event. The arguments of an `op` stand beside it, those of an `ev` in `in`.
    const NAME: &str = "ev";

    /// The configuration, or the fault of a value that its parameter cannot hold.
    ///
    /// # Errors
    /// Parameters that do not have the form.
    fn config(parameters: &Value) -> Result<Result<Self::Config, Fault>>;
    /// The event of a step, whose configuration is written so.
    ///
    /// # Errors
    /// A step that does not have the form.
    fn event(parameters: &Value, name: &str, arguments: &Value) -> Result<Self::Event>;
    /// The sheet's record of an answer.
    ///
    /// # Errors
    /// An answer that has no form in JSON.
    fn answer(answer: &Self::Answer) -> Result<Value>;
    /// An expected record, in the way in which [`Form::answer`] writes it.
    ///
    /// # Errors
    /// A record that is of no such form.
    fn expected(record: &Value) -> Result<Value> {
        Ok(record.clone())
    }
    /// A piece of the visible state.
    ///
    /// # Errors
    /// A key that names none.
    fn state(view: &Self::View, key: &str) -> Result<Value>;
    /// What becomes of a vector without `expect_config` whose machine is refused.
    ///
    /// # Errors
    /// A vector that does not have the form.
    fn refused(_: &Value, fault: Fault) -> Result<Outcome> {
        Ok(unlike(None, "a machine".into(), format!("{fault:?}")))
    }
}

/// Replays one vector on a machine that is reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay<F: Form>(vector: &Value, face: Face) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on::<F, _>(vector, |config| Ok(F::core(config))),
        Face::C => replay_on::<F, _>(vector, |config| Ok(F::C::new(config).map_err(fault))),
        Face::Model => replay_on::<F, _>(vector, |config| Ok(F::model(config))),
    }
}

/// Replays one vector on the machine that `build` makes of its configuration.
///
/// # Errors
/// As [`replay`], and those of `build`.
pub fn replay_on<F: Form, M: Of<F>>(
    vector: &Value,
    build: impl FnOnce(&F::Config) -> Result<Result<M, Fault>>,
) -> Result<Outcome> {
    let built = match F::config(&vector["config"])? {
        Ok(config) => build(&config)?,
        Err(fault) => Err(fault),
    };
    let steps = vector["steps"].as_array().context("`steps` is not a list")?;
    let mut machine = match built {
        Err(fault) if vector.get("expect_config").is_none() => return F::refused(vector, fault),
        built => match as_expected(vector, built) {
            Ok(machine) => machine,
            Err(outcome) => return Ok(outcome),
        },
    };
    for (i, step) in steps.iter().enumerate() {
        let difference = take::<F>(&mut machine, &vector["config"], i, step).with_context(|| format!("step {i}"))?;
        if let Some(difference) = difference {
            return Ok(Outcome::Differs(difference));
        }
    }
    Ok(Outcome::Passed)
}

fn unlike(step: Option<usize>, expected: String, got: String) -> Outcome {
    Outcome::Differs(Difference { step, expected, got })
}

/// The machine of a vector that expects one, or what became of the vector.
pub(super) fn as_expected<M>(vector: &Value, built: Result<M, Fault>) -> Result<M, Outcome> {
    match (built, vector.get("expect_config")) {
        (Ok(machine), None) => Ok(machine),
        (Err(fault), Some(expected)) if *expected == fault.name() => Err(Outcome::Passed),
        (Ok(_), Some(expected)) => Err(unlike(None, expected.to_string(), "a machine".into())),
        (Err(fault), expected) => {
            Err(unlike(None, expected.map_or("a machine".into(), Value::to_string), format!("{fault:?}")))
        }
    }
}

fn take<F: Form>(machine: &mut impl Of<F>, parameters: &Value, i: usize, step: &Value) -> Result<Option<Difference>> {
    let name = step[F::NAME].as_str().with_context(|| format!("a step without `{}`", F::NAME))?;
    let expected = step.get("expect").context("a step without `expect`")?;
    if (F::NAME, name) == ("op", "state") {
        return look::<F>(&machine.view(), i, expected, "expect");
    }
    let before = machine.mark();
    let arguments = if F::NAME == "op" { step } else { &step["in"] };
    let answered = machine.take(&F::event(parameters, name, arguments)?);
    if let Some(fault) = answered.refusal()
        && machine.mark() != before
    {
        let expected = format!("unchanged state after {fault:?}");
        return Ok(Some(Difference { step: Some(i), expected, got: "another state".into() }));
    }
    let got = match &answered {
        Ok(answer) => F::answer(answer)?,
        Err(fault) => json!({"err": fault.name()}),
    };
    match (expect(i, Some(&F::expected(expected)?), &got, name), step.get("state")) {
        (None, Some(state)) => look::<F>(&machine.view(), i, state, "state"),
        (difference, _) => Ok(difference),
    }
}

/// Compares pieces of the visible state.
fn look<F: Form>(view: &F::View, i: usize, pieces: &Value, of: &str) -> Result<Option<Difference>> {
    for (key, expected) in pieces.as_object().with_context(|| format!("`{of}` is not an object"))? {
        if let Some(difference) = expect(i, Some(expected), &F::state(view, key)?, key) {
            return Ok(Some(difference));
        }
    }
    Ok(None)
}
