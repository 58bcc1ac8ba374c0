//! `hosts/python`: the machines as classes of Python. A parameter is taken from what Python gives, and an answer told, by the core's own
//! `serde` forms; so a type needs nothing here.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::Result;

use crate::call::{Call, Param, config_path};
use crate::calls::{core_answer, imports};
use crate::kind::{By, Kind};
use crate::model::Machine;
use crate::names::{camel, comment};

/// A machine that decides: its image has no place for decisions.
const UNREAD: &str = "if !self.made.is_empty() {
            return Err(Refused::new_err((\"Unread\", \"decisions wait to be taken; take them, then save\")));
        }
";

/// The class's name.
pub fn class(m: &Machine<'_>) -> String {
    let object = &m.api().object;
    let is_own = object.to_lowercase() == m.name().replace('_', "");
    if is_own { object.clone() } else { camel(m.name()) }
}

/// The list of the files, and what adds their contents to a module: a machine's class, or functions.
pub fn list(machines: &[(String, String)]) -> String {
    let mut out = include_str!("../templates/python_mod.rs").to_owned();
    out.extend(machines.iter().map(|(name, _)| format!("mod {name};\n")));
    out += "\n/// Adds all.\npub fn add(to: &Bound<'_, PyModule>) -> PyResult<()> {\n";
    out.extend(machines.iter().map(|(name, _)| format!("{name}::add(to)?;\n")));
    out + "Ok(())\n}\n"
}

/// The types of all, for checkers.
pub fn stubs(machines: &[(String, String)]) -> String {
    let mut out = include_str!("../templates/python.pyi").to_owned();
    out.extend(machines.iter().map(|(_, stub)| stub.as_str()));
    out
}

/// `hosts/python/src/machines/MACHINE.rs`; `hand` are methods that are written by hand.
pub fn write(m: &Machine<'_>, hand: &str) -> Result<String> {
    let mut calls = hand.to_owned();
    for call in m.calls() {
        function(&mut calls, m, call)?;
    }
    let template = match (m.api().has_config(), m.api().decides) {
        (false, _) => include_str!("../templates/python_functions.rs"),
        (true, true) => include_str!("../templates/python_deciding.rs"),
        (true, false) => include_str!("../templates/python_class.rs"),
    };
    let added: String =
        m.calls().map(|call| format!("to.add_function(wrap_pyfunction!({}, to)?)?;\n", call.name)).collect();
    let mut doc = String::new();
    comment(&mut doc, "///", &in_python(m, &m.api().doc));
    let heap = match m.module().strip_prefix("models::").unwrap_or(m.module()) {
        "" => String::new(),
        module => format!("::{module}"),
    };
    let (kind, made) = match (m.has_object(), m.is_on_tables()) {
        (false, _) => (m.api().config.clone(), "config.check().map(|()| config)".to_owned()),
        (true, false) => (m.api().object.clone(), format!("{}::new(&config)", m.api().object)),
        (true, true) => {
            let make = if heap.is_empty() { "front_end" } else { "machine" };
            (
                format!("{}<gpusched_heap{heap}::HeapTables>", m.api().object),
                format!("gpusched_heap{heap}::{make}(&config)"),
            )
        }
    };
    let restored = match m.is_on_tables() {
        true => format!(
            "{{image_config}}(image).and_then(|config| {}::restore(image, gpusched_heap{heap}::tables(&config)))",
            m.api().object
        ),
        false => format!("{}::restore(image)", m.api().object),
    };
    let config = match m.has_object() {
        true => format!("machine{}.config()", config_path(&m.scope)),
        false => "machine".to_owned(),
    };
    let (unread, fields) = if m.api().decides { (UNREAD, ", made: Vec::new()") } else { ("", "") };
    let state = if m.has_object() { include_str!("../templates/python_state.rs") } else { "" };
    let with = [
        ("{state}", state.to_owned()),
        ("{unread}", unread.to_owned()),
        ("{fields}", fields.to_owned()),
        ("{restored}", restored),
        ("{config}", config),
        ("{imports}", imports(m)),
        ("{taken}", taken(m)),
        ("{class}", class(m)),
        ("{doc}", doc),
        ("{machine}", kind),
        ("{made}", made),
        ("{calls}", calls),
        ("{added}", added),
    ];
    let with: Vec<_> = with.iter().map(|(key, text)| (*key, text.as_str())).collect();
    Ok(m.fill(template, &with))
}

/// Of a description for C what holds in Python, too.
fn in_python(m: &Machine<'_>, doc: &str) -> String {
    let first = doc.split(". ").next().unwrap_or_default().trim_end_matches('.');
    let names = [format!("gpusched_{}_", m.name()), "gpusched_".to_owned()];
    names.iter().fold(format!("{first}."), |text, name| text.replace(name, ""))
}

/// The structs that functions take. All that the core has there would hide what a function is made of in Python.
fn taken(m: &Machine<'_>) -> String {
    let all = m.calls().flat_map(|call| &call.params).map(|p| p.kind.to_core()).filter(|name| m.record(name).is_some());
    all.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}

/// The words of a call.
fn words(m: &Machine<'_>, call: &Call) -> String {
    let own = format!("gpusched_{}_", m.name());
    let words = call.doc.replace(&own, "").replace("GPUSCHED_NEVER", "None").replace("GPUSCHED_NONE", "None");
    words.replace("gpusched_", "")
}

fn function(out: &mut String, m: &Machine<'_>, call: &Call) -> Result<()> {
    let is_method = m.api().has_config();
    comment(out, "///", &words(m, call));
    if !is_method {
        writeln!(out, "#[pyfunction]")?;
    }
    let optional = |p: &Param| is_optional(p);
    if call.params.iter().any(optional) {
        // Those behind the last one that has to be there may be left out.
        let needed = call.params.iter().rposition(|p| !optional(p)).map_or(0, |at| at + 1);
        let names = call.params.iter().enumerate();
        let names: Vec<_> =
            names.map(|(i, p)| format!("{}{}", p.name, if i < needed { "" } else { "=None" })).collect();
        writeln!(out, "#[pyo3(signature = ({}))]", names.join(", "))?;
    }
    let on = match (is_method, call.is_verb && call.mutates) {
        (false, _) => "",
        (true, true) => "&mut self, ",
        (true, false) => "&self, ",
    };
    let given: String = call
        .params
        .iter()
        .map(|p| match optional(p) {
            true => format!(", {}: Option<&Bound<'py, PyAny>>", p.name),
            false => format!(", {}: &Bound<'py, PyAny>", p.name),
        })
        .collect();
    writeln!(out, "fn {}<'py>({on}py: Python<'py>{given}) -> PyResult<Bound<'py, PyAny>> {{", call.name)?;
    for p in &call.params {
        let take = if optional(p) { "taken_or_none" } else { "taken" };
        writeln!(out, "let {0}: {1} = {take}(\"{0}\", {0})?;", p.name, bound(p))?;
    }
    if is_method {
        let state = if m.api().decides && call.tells {
            "let Self { machine, made } = self;"
        } else {
            "let Self { machine, .. } = self;"
        };
        writeln!(out, "{state}")?;
    }
    writeln!(out, "{}\n}}\n", body(m, call))?;
    Ok(())
}

/// The type of a parameter that is bound to its name.
fn bound(p: &Param) -> String {
    match p.by {
        By::Named => p.owned().trim_start_matches("Option<").trim_end_matches('>').to_owned(),
        _ => p.owned(),
    }
}

fn is_optional(p: &Param) -> bool {
    bound(p).starts_with("Option<")
}

/// What the core's method is given.
fn argument(p: &Param) -> String {
    let name = &p.name;
    match p.by {
        By::Value | By::Named | By::Tried => name.clone(),
        By::Reference | By::Slice | By::InPlace => format!("&{name}"),
        By::OptionalReference => format!("{name}.as_ref()"),
        By::OptionalSlice => format!("{name}.as_deref()"),
    }
}

/// The call, and its answer in Python.
fn body(m: &Machine<'_>, call: &Call) -> String {
    if !call.is_verb && m.api().has_config() {
        let params = call.params.iter().map(|p| Param { name: argument(p), ..p.clone() }).collect();
        let asked = core_answer(&Call { params, ..call.clone() }).replace("(**self)", "(**machine)");
        let asked = asked.replacen("self", "machine", 1);
        return match call.answer.is_list {
            // A list is made of what it is told by.
            true => format!("let list: {} = {asked};\ntold(py, &list)", listed(call)),
            false => format!("told(py, &{asked})"),
        };
    }
    let probe = call.tells.then(|| "&mut |at: Cycle, decision: Decision| made.push((at, decision))".to_owned());
    let args: Vec<_> = call.params.iter().map(argument).chain(probe).collect();
    let made = format!("{}({})", m.reached("machine", call), args.join(", "));
    let answer = if call.is_refusable { format!("{made}.map_err(refused)?") } else { made };
    match (&call.answer.kind, call.answer.is_list || call.answer.is_each) {
        (None, _) => format!("{answer};\nOk(py.None().into_bound(py))"),
        (_, true) if call.answer.is_each => format!("told(py, {answer})"),
        (_, true) => format!("let list: Vec<_> = {answer}.collect();\ntold(py, &list)"),
        _ => format!("told(py, &{answer})"),
    }
}

/// The type of a list that a query answers with.
fn listed(call: &Call) -> String {
    let is_lacking = call.part.is_some() || call.answer.is_optional;
    if is_lacking { "Option<Vec<_>>".into() } else { "Vec<_>".into() }
}

/// The class or the functions for checkers; `hand` are the methods that are written by hand.
pub fn stub(m: &Machine<'_>, hand: &str) -> Result<String> {
    let is_method = m.api().has_config();
    let mut out = String::new();
    let indent = if is_method { "    " } else { "" };
    if is_method {
        let (class, doc) = (class(m), in_python(m, &m.api().doc));
        writeln!(out, "@final\nclass {class}:\n    \"\"\"{doc}\"\"\"\n")?;
        writeln!(out, "    def __new__(cls, **config: Any) -> {class}: ...")?;
        writeln!(out, "    @property\n    def config(self) -> Record: ...")?;
        let state = if m.has_object() { include_str!("../templates/python_state.pyi") } else { "" };
        out += &[state, include_str!("../templates/python_value.pyi")].concat().replace("{class}", &class);
        if m.api().decides {
            out += include_str!("../templates/python_deciding.pyi");
        }
        out += hand;
    }
    for call in m.calls() {
        let needed = call.params.iter().rposition(|p| !is_optional(p)).map_or(0, |at| at + 1);
        let param = |(i, p): (usize, &Param)| {
            let none = if i < needed { "" } else { " = None" };
            format!("{}: {}{none}", p.name, given_type(p))
        };
        let own = is_method.then(|| "self".to_owned());
        let params: Vec<_> = own.into_iter().chain(call.params.iter().enumerate().map(param)).collect();
        writeln!(out, "{indent}def {}({}) -> {}:", call.name, params.join(", "), answer_type(call))?;
        writeln!(out, "{indent}    \"\"\"{}\"\"\"", words(m, call).replace('\\', "\\\\"))?;
    }
    Ok(out + "\n")
}

fn type_of(kind: &Kind, is_given: bool) -> String {
    match kind {
        Kind::Number(n) if n == "f64" => "float".into(),
        Kind::Number(_) | Kind::Cycle | Kind::Id(_) => "int".into(),
        Kind::Bool => "bool".into(),
        Kind::Enum(_) => "str".into(),
        Kind::Optional(of) => format!("{} | None", type_of(of, is_given)),
        Kind::Array(of, _) if is_given => format!("Sequence[{}]", type_of(of, is_given)),
        Kind::Array(of, _) => format!("list[{}]", type_of(of, is_given)),
        Kind::Record(_) if is_given => "_Given".into(),
        Kind::Record(_) | Kind::Bits(..) => "Any".into(),
    }
}

fn given_type(p: &Param) -> String {
    let of = type_of(&p.kind, true);
    let of = if p.is_slice() { format!("Sequence[{of}]") } else { of };
    if is_optional(p) && !of.ends_with("| None") { format!("{of} | None") } else { of }
}

fn answer_type(call: &Call) -> String {
    let Some(kind) = &call.answer.kind else { return "None".into() };
    let of = type_of(kind, false);
    let of = if call.answer.is_list || call.answer.is_each { format!("list[{of}]") } else { of };
    let is_lacking = call.answer.is_optional || call.part.is_some();
    if is_lacking && of != "Any" && !of.ends_with("| None") { format!("{of} | None") } else { of }
}
