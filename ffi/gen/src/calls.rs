//! `tests/src/calls/MACHINE.rs`: calls of a machine as values: made on the core, read from vectors, written to tapes.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::{Result, ensure};

use crate::call::{Call, Param};
use crate::kind::{By, Kind};
use crate::model::Machine;
use crate::names::{camel, comment};

/// The list of the files.
pub fn list(machines: &[String]) -> String {
    let mut out = include_str!("../templates/calls_mod.rs").to_owned();
    out.extend(machines.iter().map(|m| format!("pub mod {m};\n")));
    out
}

/// The file.
pub fn write(m: &Machine<'_>) -> Result<String> {
    let decides = m.api().decides;
    let answers = if decides { Vec::new() } else { answers(m)? };
    let has_lists = m.verbs.iter().flat_map(|c| &c.params).any(Param::is_slice);
    let is_copied = answers.iter().all(|(_, c)| m.scope.source.is_copied(&c.answer.ty));
    let (mut events, mut applied, mut read, mut packed) = (String::new(), String::new(), String::new(), String::new());
    for call in m.verbs.iter().filter(|_| !decides) {
        event(&mut events, call)?;
        let names: Vec<_> = call.params.iter().map(|p| p.name.as_str()).collect();
        let bound = if names.is_empty() { String::new() } else { format!(" {{ {} }}", names.join(", ")) };
        let variant = camel(&call.name);
        let args: Vec<_> = call.params.iter().map(argument).collect();
        let answer = answer_of(m, call);
        let wrap =
            if call.answer.kind.is_none() { format!("|()| Answer::{answer}") } else { format!("Answer::{answer}") };
        let made = format!("{}({})", m.reached("m", call), args.join(", "));
        match (call.is_refusable, call.answer.kind.is_none()) {
            (true, _) => writeln!(applied, "Self::{variant}{bound} => {made}.map({wrap}),")?,
            (false, true) => writeln!(applied, "Self::{variant}{bound} => {{ {made}; Ok(Answer::{answer}) }}")?,
            (false, false) => writeln!(applied, "Self::{variant}{bound} => Ok(Answer::{answer}({made})),")?,
        }
        let given: String = call.params.iter().map(|p| format!("{}: {}, ", p.name, given(p))).collect();
        writeln!(read, "\"{}\" => Self::{variant} {{ {given} }},", call.said)?;
        let packs: String = call.params.iter().map(|p| format!(", {}", pack(p))).collect();
        writeln!(packed, "Self::{variant}{bound} => packed!({}{}{packs}),", m.api().op, camel(&call.said))?;
    }
    let (mut told_by_hand, mut has_hand) = (String::new(), false);
    for (name, doc) in m.verbs_by_hand() {
        let variant = camel(name);
        has_hand = true;
        comment(&mut events, "///", &doc);
        writeln!(events, "{variant}(hand::{variant}),")?;
        writeln!(told_by_hand, "/// Of `{name}`.\n{variant}(hand::{variant}Answer),")?;
        writeln!(applied, "Self::{variant}(call) => call.apply(m).map(Answer::{variant}),")?;
        writeln!(read, "\"{name}\" => Self::{variant}(super::hand::{variant}::read(step)?),")?;
        writeln!(packed, "Self::{variant}(call) => call.packed(),")?;
    }
    let answers: String = answers
        .iter()
        .map(|(name, call)| match &call.answer.kind {
            None => format!("/// Nothing.\n{name},\n"),
            Some(_) => format!("/// Of `{}`.\n{name}({}),\n", call.name, call.answer.owned()),
        })
        .chain([told_by_hand])
        .collect();
    let (mut asked, mut told) = (String::new(), String::new());
    for call in m.asked() {
        let mut doc = String::new();
        comment(&mut doc, "///", &call.doc);
        let signature = signature(call);
        writeln!(asked, "{doc}fn {signature};")?;
        writeln!(told, "fn {signature} {{ {} }}", core_answer(call))?;
    }
    let derives = match (has_lists || has_hand, is_copied && !has_hand) {
        (true, true) => ("Clone", "Clone, Copy"),
        (true, false) => ("Clone", "Clone"),
        (false, true) => ("Clone, Copy", "Clone, Copy"),
        (false, false) => ("Clone, Copy", "Clone"),
    };
    let is_timed = |c: &Call| c.params.first().is_some_and(|p| p.name == "now" && p.kind == Kind::Cycle);
    let mut now = String::new();
    if !has_hand && m.verbs.iter().all(is_timed) {
        let all: Vec<_> = m.verbs.iter().map(|c| format!("Self::{} {{ now, .. }}", camel(&c.name))).collect();
        let all = all.join(" | ");
        now = format!("\n/// When.\n#[must_use]\npub fn now(&self) -> Cycle {{ match self {{ {all} => *now }} }}\n");
    }
    let config = match (m.has_object(), m.scope.source.behind(&m.api().object)) {
        (false, _) => "*self".into(),
        (true, None) => "*self{config_path}.config()".into(),
        (true, Some(_)) => "*(**self).config()".into(),
    };
    let with = [
        ("{config}", config),
        ("{now}", now),
        ("{hand}", if has_hand { "pub mod hand;\n\n".into() } else { String::new() }),
        ("{imports}", imports(m)),
        ("{event_derives}", derives.0.into()),
        ("{answer_derives}", derives.1.into()),
        ("{events}", events),
        ("{answers}", answers),
        ("{applied}", applied),
        ("{read}", read),
        ("{packed}", packed),
        ("{asked}", asked),
        ("{told}", told),
    ];
    let with: Vec<_> = with.iter().map(|(key, text)| (*key, text.as_str())).collect();
    if decides {
        return Ok(m.fill(include_str!("../templates/calls_asked.rs"), &with));
    }
    let is_float =
        m.verbs.iter().flat_map(|c| c.params.iter().map(|p| &p.kind).chain(&c.answer.kind)).any(|k| m.is_float(k));
    let (eq, eq_hash) = if is_float { ("", "") } else { (", Eq", ", Eq, Hash") };
    let of = match m.api().has_config() {
        true => {
            let (queries, reading) =
                (include_str!("../templates/calls_queries.rs"), include_str!("../templates/calls_read.rs"));
            [", m: &mut {O}{<T>}", m.refusal(), queries, reading]
        }
        // Vectors of functions name their arguments in their own way.
        false => ["", "Refusal", "", ""],
    };
    let of = ["{of}", "{Refusal}", "{queries}", "{reading}"].into_iter().zip(of);
    let with: Vec<_> = of.chain([("{eq}", eq), ("{eq_hash}", eq_hash)]).chain(with).collect();
    Ok(m.fill(include_str!("../templates/calls.rs"), &with))
}

/// Types of the core that are not in the machine's module.
pub fn imports(m: &Machine<'_>) -> String {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut kinds: Vec<&Kind> =
        m.calls().flat_map(|c| c.params.iter().map(|p| &p.kind).chain(&c.answer.kind)).collect();
    kinds.extend(m.records.iter().flat_map(|r| &r.cases).flat_map(|c| &c.leaves).map(|l| &l.kind));
    for kind in kinds {
        let kind = if let Kind::Optional(of) = kind { of } else { kind };
        match kind {
            Kind::Cycle => {
                names.insert("Cycle".into());
            }
            Kind::Id(id) if m.scope.common_source.ids.contains(id) => {
                names.insert(id.clone());
            }
            Kind::Id(name) | Kind::Bits(name, _) | Kind::Enum(name) => names.extend(m.scope.foreign(name)),
            Kind::Record(name) if name.starts_with(char::is_uppercase) && !m.scope.source.types.contains_key(name) => {
                // A generic type by its name.
                let name = name.trim_start_matches("Option<").split(['<', '>']).next().unwrap_or(name);
                let module = m.scope.by_hand(name).map_or("", |t| t.core.as_str());
                names.insert(if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") });
            }
            _ => {}
        }
    }
    names.insert("Fault".into());
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// The variant of a call's answer: what the core calls it, or what the verb is called, also if it may have an answer that another verb
/// always has.
pub fn answer_of(m: &Machine<'_>, call: &Call) -> String {
    let always = |c: &Call| c.answer.kind == call.answer.kind && !c.answer.is_optional;
    match &call.answer.kind {
        None => "Done".into(),
        Some(Kind::Record(name)) if !(call.answer.is_optional && m.verbs.iter().any(always)) => name.clone(),
        Some(_) => camel(&call.name),
    }
}

fn answers<'m>(m: &'m Machine<'_>) -> Result<Vec<(String, &'m Call)>> {
    let mut all: Vec<(String, &Call)> = Vec::new();
    for call in &m.verbs {
        let name = answer_of(m, call);
        match all.iter().find(|(known, _)| *known == name) {
            Some((_, known)) => {
                let same = known.answer.owned() == call.answer.owned();
                ensure!(same, "{} and {} answer {name} in two forms", known.name, call.name);
            }
            None => all.push((name, call)),
        }
    }
    Ok(all)
}

fn event(out: &mut String, call: &Call) -> Result<()> {
    comment(out, "///", &call.doc);
    let fields: String = call.params.iter().map(|p| format!("{}: {}, ", p.name, p.owned())).collect();
    match call.params.is_empty() {
        true => writeln!(out, "{},", camel(&call.name))?,
        false => writeln!(out, "{} {{ {fields} }},", camel(&call.name))?,
    }
    Ok(())
}

/// What the core's method is given of a bound field.
fn argument(p: &Param) -> String {
    let name = &p.name;
    match p.by {
        By::Value | By::Named | By::Tried => format!("*{name}"),
        By::Reference | By::Slice | By::InPlace => name.clone(),
        By::OptionalReference => format!("{name}.as_ref()"),
        By::OptionalSlice => format!("{name}.as_deref()"),
    }
}

/// What a vector's step says.
fn given(p: &Param) -> String {
    match p.missing {
        _ if p.by == By::Named && p.kind.is_record() => format!("given(step, \"{}\").ok()", p.json),
        _ if p.by == By::Named => format!("named(step, \"{}\")", p.json),
        _ if matches!(p.kind, Kind::Enum(_)) => format!("chosen(step, \"{}\")?", p.json),
        Some(n) if p.kind == Kind::Bool => format!("given_or(step, \"{}\", {})?", p.json, n != 0),
        Some(n) => format!("given_or(step, \"{}\", {n})?", p.json),
        None if p.json == "." => "whole(step)?".into(),
        None => format!("given(step, \"{}\")?", p.json),
    }
}

/// What is written to a tape of a bound field.
fn pack(p: &Param) -> String {
    let name = &p.name;
    match p.by {
        By::Value | By::Tried | By::Reference => format!("{name}.to_c()"),
        By::Named if !p.kind.is_record() => format!("number_of(*{name})"),
        By::Named => format!("{name}.to_c()"),
        By::Slice if p.most.is_some() => format!("{name}.iter().map(ToC::to_c).collect::<Vec<_>>()[..]"),
        By::OptionalReference => format!("{name}.is_some(), {name}.as_ref().map(ToC::to_c).unwrap_or_default()"),
        By::Slice | By::InPlace => format!("{name}[..]"),
        By::OptionalSlice => format!("{name}.is_some(), {name}.as_deref().unwrap_or_default()"),
    }
}

/// A query, without `fn`.
pub fn signature(call: &Call) -> String {
    let params: String = call.params.iter().map(|p| format!(", {}: {}", p.name, p.ty)).collect();
    let answer = call.answer.owned();
    let answer = if call.part.is_some() && !call.answer.is_optional { format!("Option<{answer}>") } else { answer };
    let answer = if call.is_refusable { format!("Result<{answer}, Fault>") } else { answer };
    format!("{}(&self{params}) -> {answer}", call.name)
}

/// How the core is asked a query, of `self`.
pub fn core_answer(call: &Call) -> String {
    let args: Vec<_> = call.params.iter().map(|p| p.name.as_str()).collect();
    let a = &call.answer;
    if call.part.is_some() {
        let whole =
            Call { part: None, path: String::new(), name: call.method.clone(), is_behind: false, ..call.clone() };
        let asked = core_answer(&whole).replacen("self", "part", 1);
        let map = if a.is_optional { "and_then" } else { "map" };
        return format!("self{}.{map}(|part| {asked})", call.path);
    }
    // What is behind the object must not be mistaken for this.
    let own = if call.is_behind { "(**self)" } else { "self" };
    let asked = format!("{own}{}.{}({})", call.path, call.method, args.join(", "));
    let copied = if a.is_reference { ".copied()" } else { "" };
    match (a.is_list, a.is_optional) {
        _ if call.is_refusable => asked,
        (true, true) => format!("{asked}.map(|list| list{copied}.collect())"),
        (true, false) => format!("{asked}{copied}.collect()"),
        (false, true) => format!("{asked}{copied}"),
        (false, false) if a.is_reference => format!("*{asked}"),
        (false, false) => asked,
    }
}
