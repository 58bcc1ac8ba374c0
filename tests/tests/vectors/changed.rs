//! Whether the replay of the models' vectors would notice a difference.

use gpusched_tests::replay::{Face, Outcome, models::replay};
use serde_json::{Value, json};

use crate::vectors;

/// Each leaf of an expectation, changed by more than the tolerance (which is wide for the benefits), one at a time.
fn changes(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(of) => {
            let mut all = Vec::new();
            for (key, inner) in of {
                for changed in changes(inner) {
                    let mut of = of.clone();
                    of.insert(key.clone(), changed);
                    all.push(Value::Object(of));
                }
            }
            let mut more = of.clone();
            more.insert("more".to_owned(), json!(1));
            all.push(Value::Object(more));
            all
        }
        Value::Array(of) => {
            let longer = Value::Array([&of[..], &[json!(7)]].concat());
            let inner = (0..of.len()).flat_map(|i| {
                changes(&of[i]).into_iter().map(move |changed| {
                    let mut of = of.clone();
                    of[i] = changed;
                    Value::Array(of)
                })
            });
            inner.chain([longer]).collect()
        }
        Value::Number(n) if n.is_f64() => vec![json!(n.as_f64().unwrap() * 1.5 + 1.0)],
        Value::Number(n) => vec![json!(n.as_u64().map_or(1, |n| n ^ 1))],
        Value::Bool(b) => vec![json!(!b)],
        Value::String(text) => vec![json!(format!("{text}x"))],
        Value::Null => vec![json!(1)],
    }
}

/// A replay that passed whatever is expected would hold nothing: every number of every expectation is looked at.
#[test]
fn a_changed_expectation_is_noticed() {
    let mut count = 0;
    for (file, vector) in vectors("models") {
        // The differences of exec's large terms have a wide tolerance, and each step of a file is the same test.
        if file.file_name().is_some_and(|name| name.to_str().unwrap().starts_with("h16")) {
            continue;
        }
        let steps = vector["steps"].as_array().unwrap();
        // The first steps only: those behind them are of the same forms.
        for i in 0..steps.len().min(4) {
            for what in ["expect", "state"] {
                for changed in steps[i].get(what).map(changes).unwrap_or_default() {
                    let mut other = vector.clone();
                    other["steps"].as_array_mut().unwrap().truncate(i + 1);
                    other["steps"][i][what] = changed.clone();
                    let outcome = replay(&other, Face::Rust);
                    assert!(
                        !matches!(outcome, Ok(Outcome::Passed)),
                        "{}, step {i}: {changed} passes as well",
                        file.display()
                    );
                    count += 1;
                }
            }
        }
    }
    assert!(count > 500, "{count} changes");
}
