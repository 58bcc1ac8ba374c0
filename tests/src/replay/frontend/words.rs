//! The words of a vector. What stands under another one is not looked at, so a slip of the pen takes away what was to be checked.

use serde_json::Value;

const OF_VECTOR: &str = "config ret steps what";

/// Of a step, and of a launch or a kernel in one.
const OF_STEP: &str = "at by cap cls cluster ctx drain edges entries first g gpcs graph grid groups hw_tid id kde kdei kernels kmu mask n \
    named nodes nonportable note op out param part1 pc pdl prio quota rec regs ret retain sched si slot smem smx start state stream tag \
    targets tb to values wake";

/// What of a vector is not looked at, and which of its steps check nothing.
#[must_use]
pub fn unread(vector: &Value) -> Vec<String> {
    let mut found: Vec<_> = strange(vector, OF_VECTOR).map(|word| format!("`{word}` is not looked at")).collect();
    let steps = vector["steps"].as_array();
    if steps.is_some_and(Vec::is_empty) {
        found.push("`steps` is empty, so nothing is checked".into());
    }
    for (i, step) in steps.into_iter().flatten().enumerate() {
        let launches = ["kernels", "groups", "nodes"].into_iter().filter_map(|list| step[list].as_array()).flatten();
        let words = [step, &step["part1"]].into_iter().chain(launches).flat_map(|object| strange(object, OF_STEP));
        found.extend(words.map(|word| format!("step {i}: `{word}` is not looked at")));
        if step["op"] == "state" && step["state"].is_null() {
            found.push(format!("step {i}: without `state`, it checks nothing"));
        }
    }
    found
}

/// Keys of an object that are none of these words.
fn strange<'a>(object: &'a Value, words: &'static str) -> impl Iterator<Item = &'a String> {
    let keys = object.as_object().into_iter().flat_map(|object| object.keys());
    keys.filter(move |key| !words.split_ascii_whitespace().any(|word| word == *key))
}
