//! Parameters: one list per machine gives its configuration, the defaults, the ranges and where each number comes from.

use core::ffi::CStr;
use core::fmt;

use crate::base::error::Fault;

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Provenance {
    /// Stated by the source.
    Paper,
    /// A public specification of the device, or a public simulator's file of it.
    Public,
    /// The vendor's documentation.
    Vendor,
    /// Measured on a device; the origin says by whom.
    Measured,
    /// Follows from other numbers, or carried over from another device.
    Inferred,
    /// Chosen here.
    Ours,
}

impl Provenance {
    /// One word.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Public => "public",
            Self::Vendor => "vendor",
            Self::Measured => "measured",
            Self::Inferred => "inferred",
            Self::Ours => "ours",
        }
    }
}

/// One numeric parameter: name, unit, range, and where its default comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name, as in the sheets.
    pub name: &'static str,
    /// [`Parameter::name`] for C.
    pub c_name: &'static CStr,
    /// Unit of the value.
    pub unit: &'static str,
    /// Least value.
    pub min: u32,
    /// Greatest value.
    pub max: u32,
    /// Whether only powers of two are allowed.
    pub power_of_two: bool,
    /// Where the default comes from.
    pub provenance: Provenance,
    /// Table or section of the source, or the reason.
    pub origin: &'static str,
    /// Of a rule between parameters, or of one that is no number, what is asked, for C: its `origin`. Then there is no range.
    pub c_rule: Option<&'static CStr>,
}

impl Parameter {
    /// The length of a list, or what one machine asks of another one's number.
    pub(crate) const fn number(
        c_name: &'static CStr,
        unit: &'static str,
        min: u32,
        max: u32,
        provenance: Provenance,
        origin: &'static str,
    ) -> Self {
        let Ok(name) = c_name.to_str() else { panic!("it is ASCII") };
        Self { name, c_name, unit, min, max, power_of_two: false, provenance, origin, c_rule: None }
    }

    /// A rule between parameters, or of one that is no number, as the error that names it.
    pub(crate) const fn rule(c_name: &'static CStr, provenance: Provenance, asked: &'static CStr) -> Self {
        let (Ok(name), Ok(origin)) = (c_name.to_str(), asked.to_str()) else { panic!("it is ASCII") };
        Self { name, c_name, unit: "", min: 0, max: 0, power_of_two: false, provenance, origin, c_rule: Some(asked) }
    }
}

/// Declares an enumeration that a configuration chooses from.
macro_rules! choice {
    ($(#[$doc:meta])* pub enum $name:ident { $($(#[$of:meta])* $variant:ident $(($Of:ty))?,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub enum $name {
            $($(#[$of])* $variant $(($Of))?,)*
        }
    };
}
pub(crate) use choice;

/// Declares the configuration of one machine: numbers with their ranges and provenance, and choices.
macro_rules! parameters {
    (
        $(#[$doc:meta])* pub struct $Config:ident;
        $(#[$default_doc:meta])* pub const $DEFAULT:ident;
        numbers {
            $($(#[$number_doc:meta])* $name:ident: $unit:literal = $default:literal in $min:literal..=$max:literal $(($pow:ident))?,
                $prov:ident $origin:literal;)*
        }
        choices { $($(#[$choice_doc:meta])* $choice:ident: $Choice:ty = $chosen:expr;)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub struct $Config {
            $($(#[$number_doc])* pub $name: u32,)*
            $($(#[$choice_doc])* pub $choice: $Choice,)*
        }

        impl $Config {
            $(#[$default_doc])*
            pub const $DEFAULT: Self = Self { $($name: $default,)* $($choice: $chosen,)* };

            /// Every numeric parameter, in the order of the sheets.
            pub const PARAMETERS: &'static [$crate::Parameter] = &[$($crate::Parameter {
                name: stringify!($name),
                c_name: $crate::base::error::c_text!(stringify!($name)),
                unit: $unit,
                min: $min,
                max: $max,
                power_of_two: <[&str]>::len(&[$(stringify!($pow))?]) == 1,
                provenance: $crate::Provenance::$prov,
                origin: $origin,
                c_rule: None,
            }),*];

            /// The numeric values, in the order of `PARAMETERS`.
            pub fn values(&self) -> impl Iterator<Item = (&'static $crate::Parameter, u32)> + Clone {
                Self::PARAMETERS.iter().zip([$(self.$name),*])
            }
        }

        impl Default for $Config {
            fn default() -> Self {
                Self::$DEFAULT
            }
        }
    };
}
pub(crate) use parameters;

/// Checks every range: the first value that is out of its own is the error.
pub(crate) fn check(mut values: impl Iterator<Item = (&'static Parameter, u32)>) -> Result<(), ConfigError> {
    let wrong = |&(p, v): &(&Parameter, u32)| v < p.min || v > p.max || (p.power_of_two && !v.is_power_of_two());
    match values.find(wrong) {
        Some((parameter, value)) => Err(ConfigError::new(Fault::BadConfig, parameter, value)),
        None => Ok(()),
    }
}

/// Checks the limits that parameters, each in its range, set each other: what is named is at most so much. The first value above its
/// limit is the error.
pub(crate) fn check_limits(
    values: impl Iterator<Item = (&'static Parameter, u32)> + Clone,
    limits: &[(&str, u32)],
) -> Result<(), ConfigError> {
    limits.iter().try_for_each(|&(name, max)| match values.clone().find(|&(p, value)| p.name == name && value > max) {
        Some((parameter, value)) => Err(ConfigError { max, ..ConfigError::new(Fault::BadConfig, parameter, value) }),
        None => Ok(()),
    })
}

/// A part of a front end with parameters of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the part of that name in the configuration")]
pub enum PartName {
    LaPerm,
    Bubble,
    Dats,
    Told,
    Cluster,
    Priority,
    Partition,
    Preempt,
    Cdp2,
    Pdl,
    Kgraph,
}

impl PartName {
    /// As the sheets and configurations call it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LaPerm => "laperm",
            Self::Bubble => "bubble",
            Self::Dats => "dats",
            Self::Told => "told",
            Self::Cluster => "cluster",
            Self::Priority => "priority",
            Self::Partition => "partition",
            Self::Preempt => "preempt",
            Self::Cdp2 => "cdp2",
            Self::Pdl => "pdl",
            Self::Kgraph => "kgraph",
        }
    }
}

/// A configuration value that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// `BadConfig` for a value out of its range; the parts of a front end have faults of their own for what they rule out.
    pub fault: Fault,
    /// The part of a front end that has the parameter; none for the machine's own.
    pub part: Option<PartName>,
    /// The parameter.
    pub parameter: &'static Parameter,
    /// Its refused value.
    pub value: u32,
    /// Greatest value that is accepted beside the other parameters.
    pub max: u32,
}

impl ConfigError {
    /// A machine's own parameter that is refused.
    pub(crate) const fn new(fault: Fault, parameter: &'static Parameter, value: u32) -> Self {
        Self { fault, part: None, parameter, value, max: parameter.max }
    }

    /// The same of a part.
    pub(crate) const fn of(self, part: PartName) -> Self {
        Self { part: Some(part), ..self }
    }

    /// Whether a rule between parameters is broken, or one of what is no number: what it asks is the parameter's
    /// [`origin`](Parameter::origin), and there is no range.
    #[must_use]
    pub const fn is_rule(&self) -> bool {
        self.parameter.c_rule.is_some()
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(part) = self.part {
            write!(f, "{}.", part.as_str())?;
        }
        let Parameter { name, min, power_of_two, origin, .. } = self.parameter;
        if self.is_rule() {
            // Of what is no number there is no value to tell.
            return match self.value {
                0 => write!(f, "{name}: {origin}"),
                value => write!(f, "{name} = {value}: {origin}"),
            };
        }
        let kind = if *power_of_two { "a power of two" } else { "a value" };
        write!(f, "{name} = {}: expected {kind} from {min} to {}", self.value, self.max)
    }
}

impl core::error::Error for ConfigError {}

impl From<ConfigError> for Fault {
    fn from(error: ConfigError) -> Self {
        error.fault
    }
}
