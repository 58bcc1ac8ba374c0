//! Why an evaluation is refused, and the checks that all models make.

use core::ffi::CStr;
use core::fmt;

use crate::base::error::Fault;

/// An input of a model, by its name in the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field(pub &'static CStr);

impl Field {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.to_str().unwrap_or_default()
    }

    /// Its name for C.
    #[must_use]
    pub const fn c_name(self) -> &'static CStr {
        self.0
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for Field {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{=str}", self.name());
    }
}

/// A field by its identifier.
macro_rules! field {
    ($name:ident) => {
        $crate::models::Field(const { $crate::base::error::c_text!(stringify!($name)) })
    };
}
pub(super) use field;

/// A refused evaluation. Nothing was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Refusal {
    /// Why.
    pub fault: Fault,
    /// The input to blame, where one is.
    pub field: Option<Field>,
}

impl Refusal {
    /// Because of one input.
    pub(super) const fn of(fault: Fault, field: Field) -> Self {
        Self { fault, field: Some(field) }
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self { fault, field: None }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field {
            Some(field) => write!(f, "{}: {}", field.name(), self.fault),
            None => self.fault.fmt(f),
        }
    }
}

impl core::error::Error for Refusal {}

/// An input to be checked.
#[derive(Clone, Copy)]
pub(super) struct Input {
    pub(super) field: Field,
    pub(super) value: f64,
    /// Whether it must not be 0.
    pub(super) nonzero: bool,
}

/// Inputs with their names, in the order of the checks; `nonzero` where 0 is refused.
macro_rules! inputs {
    ($($name:ident = $value:expr $(, $nonzero:ident)?;)*) => {
        [$($crate::models::refusal::Input {
            field: $crate::models::refusal::field!($name),
            value: $value,
            nonzero: <[&str]>::len(&[$(stringify!($nonzero))?]) == 1,
        }),*]
    };
}
pub(super) use inputs;

/// The first three tests of a model's inputs: each of them on all fields before the next.
pub(super) fn check(inputs: &[Input]) -> Result<(), Refusal> {
    let refuse = |fault, is_wrong: fn(&Input) -> bool| match inputs.iter().find(|input| is_wrong(input)) {
        Some(input) => Err(Refusal::of(fault, input.field)),
        None => Ok(()),
    };
    refuse(Fault::NotFinite, |input| !input.value.is_finite())?;
    refuse(Fault::Negative, |input| input.value < 0.0)?;
    refuse(Fault::ZeroInput, |input| input.nonzero && input.value == 0.0)
}

/// `Overflow` unless every result is finite.
pub(super) fn finite(results: &[f64]) -> Result<(), Refusal> {
    if results.iter().all(|result| result.is_finite()) { Ok(()) } else { Err(Fault::Overflow.into()) }
}
