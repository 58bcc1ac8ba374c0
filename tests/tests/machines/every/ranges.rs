//! Parameters: their defaults, ranges and choices, as the sheet's table has them.

use gpusched::{ConfigError, Fault, Parameter};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A parameter: name, default, least, greatest.
pub type Row = (&'static str, u32, u32, u32);

/// A configuration with these values.
pub fn with<C: Serialize + DeserializeOwned>(base: C, values: &[(&str, u32)]) -> C {
    let mut config = serde_json::to_value(base).expect("a configuration is written");
    for (name, value) in values {
        config[*name] = json!(value);
    }
    C::deserialize(config).expect("numbers of its types")
}

/// Asserts that a configuration has exactly these parameters and these choices, and that both ends of each range are good, and what is
/// beyond them is not. `wide` is one in which no other parameter limits that of this name and value.
pub fn assert_are_of_the_sheet<C: Serialize + DeserializeOwned + Default>(
    parameters: &[Parameter],
    table: &[Row],
    choices: &Value,
    wide: impl Fn(&str, u32) -> C,
    check: impl Fn(&C) -> Result<(), ConfigError>,
) {
    let listed = parameters.iter().map(|p| (p.name, p.min, p.max));
    assert!(listed.eq(table.iter().map(|&(name, _, min, max)| (name, min, max))));
    let defaults = serde_json::to_value(C::default()).expect("a configuration is written");
    let mut expected = choices.clone();
    for &(name, value, min, max) in table {
        expected[name] = json!(value);
        let checked = |value| check(&with(wide(name, value), &[(name, value)]));
        assert_eq!((checked(min), checked(max)), (Ok(()), Ok(())), "{name}");
        for value in [min.checked_sub(1), max.checked_add(1)].into_iter().flatten() {
            let error = checked(value).expect_err(name);
            assert_eq!((error.parameter.name, error.value, Fault::from(error)), (name, value, Fault::BadConfig));
        }
    }
    assert_eq!(defaults, expected);
}
