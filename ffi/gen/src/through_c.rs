//! `tests/src/through_c/MACHINE.rs`: a machine as a C program has it, told back in the core's terms.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::Result;

use crate::call::{Call, Param};
use crate::calls::{answer_of, imports, signature};
use crate::enums::{Enum, Of};
use crate::kind::{By, Kind};
use crate::model::{Choice, Machine, STATUS};
use crate::names::{camel, shout};
use crate::record::{Leaf, Record};

/// The file.
pub fn write(m: &Machine<'_>, has_hand: bool) -> Result<String> {
    let mut tables = String::new();
    for e in &m.enums {
        table(&mut tables, e)?;
    }
    let [numbers, choices, flags] = parameters(m, None);
    let (mut records, decides) = (String::new(), m.api().decides);
    for r in m.records.iter().filter(|r| r.is_output && m.api().record.get(&r.core).is_none_or(|told| !told.one_way)) {
        record(m, &mut records, r)?;
    }
    let (mut calls, mut queries) = (String::new(), String::new());
    for c in m.verbs.iter().filter(|_| !decides) {
        call(m, &mut calls, c)?;
    }
    for (name, _) in m.verbs_by_hand() {
        let variant = camel(name);
        writeln!(calls, "Event::{variant}(call) => Answer::{variant}(call.through_c(object)?),")?;
    }
    for q in m.asked() {
        writeln!(queries, "fn {} {{ {} }}", signature(q), query(m, q))?;
    }
    let imports = imports(m);
    let by_hand = m.parameters.iter().any(|p| p.fields().is_some());
    let hand = if has_hand { "#[warn(unused_imports)]\npub(crate) mod hand;\n" } else { "" };
    let (object, machine) = match m.has_object() {
        _ if !m.api().has_config() => ("", include_str!("../templates/through_c_plain.rs")),
        true => ("self.object.c()", include_str!("../templates/through_c_object.rs")),
        false => ("&raw const self.c", include_str!("../templates/through_c_functions.rs")),
    };
    let wrong = m.error().map_or_else(String::new, |error| format!(", wrong: &mut {}", error.c));
    let take = match m.error() {
        None => "self.call(event).map_err(fault)",
        Some(_) => {
            "let mut wrong = Default::default();
            self.call(event, &mut wrong).map_err(|status| super::object::refusal(status, &wrong))"
        }
    };
    let of = m.scope.of.map(Machine::name);
    let of = of.map_or_else(String::new, |of| {
        format!("use gpusched_abi::{of}::*;\nuse super::{of}::{{c_config, core_config}};\n")
    });
    let of = if decides { sections(m, &mut tables)? } else { of };
    let (made, of_queries) = match m.api().has_config() {
        true => (include_str!("../templates/through_c_calls.rs"), ", Queries"),
        false => (include_str!("../templates/through_c_made.rs"), ""),
    };
    let with = [
        ("{impl}", made),
        ("{Queries}", of_queries),
        ("{imports}", imports.as_str()),
        ("{of}", &of),
        ("{config}", if m.has_config() { include_str!("../templates/through_c_config.rs") } else { "" }),
        ("{machine}", machine),
        ("{object}", object),
        ("{wrong}", &wrong),
        ("{take}", take),
        ("{refusal}", m.refusal()),
        ("{tables}", &tables),
        ("{put_by_hand}", if by_hand { " hand::put_by_hand(&mut c, config);" } else { "" }),
        ("{get_by_hand}", if by_hand { "hand::get_by_hand(c, get(c))" } else { "get(c)" }),
        ("{numbers}", &numbers),
        ("{flags}", &flags),
        ("{choices}", &choices),
        ("{records}", &records),
        ("{calls}", &calls),
        ("{queries}", &queries),
        ("{hand}", hand),
    ];
    let template = match decides {
        true => include_str!("../templates/through_c_queries.rs"),
        false => include_str!("../templates/through_c.rs"),
    };
    Ok(m.fill(template, &with))
}

/// Parameters of the machine or of a part of it: numbers, choices, flags.
fn parameters(m: &Machine<'_>, part: Option<&str>) -> [String; 3] {
    let of = |is: &dyn Fn(&Choice) -> Option<String>| {
        let of = m.parameters.iter().filter(|p| p.part.as_ref().map(|s| s.part.as_str()) == part);
        of.filter_map(|p| Some(p.of_core(&is(&p.of)?))).collect::<Vec<_>>().join(" ")
    };
    let foreign = part.filter(|part| m.sections().any(|s| s.part == *part && !s.is_own()));
    let table = |e: &String| foreign.map_or_else(|| shout(e), |part| format!("{}_{}", shout(part), shout(e)));
    let choices = of(&|c| if let Choice::Enum(e) = c { Some(format!(" {}", table(e))) } else { None });
    [of(&|c| (*c == Choice::Number).then(String::new)), choices, of(&|c| (*c == Choice::Flag).then(String::new))]
}

/// The parameters of parts; what they need of the parts' own files.
fn sections(m: &Machine<'_>, out: &mut String) -> Result<String> {
    let mut uses = String::new();
    for s in m.sections() {
        let [numbers, choices, flags] = parameters(m, Some(&s.part));
        writeln!(
            out,
            "fields! {{\n    gpusched_{}_config: put_{1}, get_{1} = {2};\n    numbers {numbers};\n    choices {choices};\n    flags {flags}\n}}\n",
            m.name(),
            s.part,
            s.core
        )?;
        if s.is_own() {
            continue;
        }
        let of = m.parameters.iter().filter(|p| p.part.as_ref().is_some_and(|of| of.part == s.part));
        let tables: BTreeSet<_> =
            of.filter_map(|p| if let Choice::Enum(e) = &p.of { Some(shout(e)) } else { None }).collect();
        let all: Vec<_> = tables.iter().map(|t| format!("{t} as {}_{t}", shout(&s.part))).collect();
        writeln!(uses, "use super::{}::{{{}}};", s.module, all.join(", "))?;
    }
    Ok(uses)
}

/// Numbers of an enumeration, and what they stand for.
fn table(out: &mut String, e: &Enum) -> Result<()> {
    let row = |core: &str, name: &str| format!("({}::{name} as u32, {core}::{name})", e.c);
    match &e.of {
        Of::Tag | Of::Preset | Of::Variant(_) => {}
        Of::Choice(core) | Of::Plain(core) => {
            let rows: Vec<_> = e.values.iter().map(|v| row(core, &v.name)).collect();
            let name = shout(core);
            writeln!(out, "pub(super) const {name}: [(u32, {core}); {}] = [{}];\n", rows.len(), rows.join(", "))?;
            writeln!(out, "impl Told for {core} {{ fn told(c: &u32) -> Self {{ one_of(*c, &{name}) }} }}\n")?;
        }
        Of::Optional(core) => {
            let mut rows = vec![format!("({}::None as u32, None)", e.c)];
            rows.extend(e.values[1..].iter().map(|v| format!("({}::{1} as u32, Some({core}::{1}))", e.c, v.name)));
            writeln!(
                out,
                "impl Told for Option<{core}> {{ fn told(c: &u32) -> Self {{ one_of(*c, &[{}]) }} }}\n",
                rows.join(", ")
            )?;
        }
    }
    Ok(())
}

fn record(m: &Machine<'_>, out: &mut String, r: &Record) -> Result<()> {
    if r.core == m.api().storage_record() {
        return Ok(());
    }
    let told = |leaf: &Leaf| match &leaf.flag {
        _ if let Some([count, _]) = &leaf.list => {
            let told = if matches!(leaf.kind, Kind::Id(_)) { "told_ids" } else { "told_list" };
            format!("{told}(&c.{}, c.{count})", leaf.name)
        }
        Some(flag) => format!("flag(c.{flag}).then(|| told(&c.{}))", leaf.name),
        None => {
            let ty = leaf.ty.as_ref().map_or_else(String::new, |ty| format!("::<{ty}>"));
            format!("told{ty}(&c.{})", leaf.name)
        }
    };
    let build = |case: &crate::record::Case| {
        case.leaves.iter().fold(case.build.clone(), |b, l| b.replace(&format!("{{{}}}", l.name), &told(l)))
    };
    writeln!(out, "impl Told for {} {{\nfn told(c: &{}) -> Self {{", r.core, r.c)?;
    if let Some(tag) = &r.tag {
        let of = if tag == STATUS { "Status".to_owned() } else { m.scope.tag_of(tag) };
        writeln!(out, "use {of} as Tag;\nmatch c.{tag} {{")?;
        for case in &r.cases {
            writeln!(out, "tag if tag == Tag::{} as u32 => {},", case.value, build(case))?;
        }
        writeln!(out, "other => panic!(\"{{other}} is no {tag}\"),\n}}")?;
    } else {
        writeln!(out, "{}", build(&r.cases[0]))?;
    }
    out.push_str("}\n}\n\n");
    if r.has_present() {
        let told = "flag(c.present).then(|| told(c))";
        writeln!(out, "impl Told for Option<{}> {{ fn told(c: &{}) -> Self {{ {told} }} }}\n", r.core, r.c)?;
    }
    Ok(())
}

/// What must be bound first, and what C is given.
fn given(p: &Param) -> (String, String) {
    let name = &p.name;
    match (&p.kind, p.by) {
        (_, By::Slice) if p.most.is_some() => {
            let bound = format!("let {name}: Vec<_> = {name}.iter().map(ToC::to_c).collect();");
            (bound, format!("{name}.as_ptr(), {name}.len()"))
        }
        (_, By::Slice) => (String::new(), format!("{name}.as_ptr(), {name}.len()")),
        (_, By::InPlace) => (String::new(), format!("{name}.as_ptr().cast(), {name}.len()")),
        (_, By::OptionalSlice) => {
            (format!("let ({name}, {name}_count) = array({name}.as_deref());"), format!("{name}, {name}_count"))
        }
        (_, By::OptionalReference) => {
            let bound = format!("let {name} = {name}.as_ref().map(ToC::to_c);");
            (bound, format!("{name}.as_ref().map_or(ptr::null(), ptr::from_ref)"))
        }
        (Kind::Record(_), _) => (String::new(), format!("&{name}.to_c()")),
        (_, By::Named) => (String::new(), format!("number_of(*{name})")),
        (Kind::Array(_, n), _) => {
            let each: Vec<_> = (0..*n).map(|i| format!("{name}[{i}].to_c()")).collect();
            (String::new(), each.join(", "))
        }
        _ => (String::new(), format!("{name}.to_c()")),
    }
}

fn call(m: &Machine<'_>, out: &mut String, c: &Call) -> Result<()> {
    let (name, answer) = (m.name(), answer_of(m, c));
    let names: Vec<_> = c.params.iter().map(|p| p.name.as_str()).collect();
    let bound = if names.is_empty() { String::new() } else { format!(" {{ {} }}", names.join(", ")) };
    let (binds, args): (Vec<_>, Vec<_>) = c.params.iter().map(given).unzip();
    let args: String = args.iter().map(|a| format!(", {a}")).collect();
    let args = if m.api().has_config() { format!("object{args}") } else { args.trim_start_matches(", ").to_owned() };
    let made = format!("gpusched_{name}_{}({args}", c.c);
    let error = if c.error.is_some() { ", wrong" } else { "" };
    let act = match &c.answer.kind {
        None => format!("done({made}{error}))?; Answer::{answer}"),
        Some(_) if c.blames => format!("Answer::{answer}(super::object::blamed(|out, field| {made}, out, field))?)"),
        Some(_) if c.present.is_some() => {
            format!("Answer::{answer}(optional(|out, present| {made}, out, present{error}))?)")
        }
        Some(_) => format!("Answer::{answer}(answer(|out| {made}, out{error}))?)"),
    };
    let binds = binds.concat();
    let act =
        if binds.is_empty() && c.answer.kind.is_some() { format!("{act},") } else { format!("{{ {binds} {act} }}") };
    writeln!(out, "Event::{}{bound} => {act}", camel(&c.name))?;
    Ok(())
}

fn query(m: &Machine<'_>, q: &Call) -> String {
    let by = |p: &Param| if p.kind.is_record() { "&" } else { "" };
    let rows: String = q.params.iter().map(|p| format!(", {}{}.to_c()", by(p), p.name)).collect();
    let object = if m.has_object() { "self.object.c()" } else { "&self.c" };
    let (how, out) = match (&q.present, q.answer.is_list) {
        (Some(_), _) => ("optional", "out, present"),
        (None, true) => ("list", "list, capacity, count"),
        (None, false) => ("answer", "out"),
    };
    let asked = format!("{how}(|{out}| unsafe {{ gpusched_{}_{}({object}{rows}, {out}) }})", m.name(), q.c);
    let answered = match q.none.is_some() || q.part.is_some() {
        _ if q.is_refusable => format!("{asked}.map_err(fault)"),
        false => format!("expect({asked})"),
        true => {
            let none = q.absent().map(|s| format!("Status::{s}")).collect::<Vec<_>>().join(" | ");
            format!("match {asked} {{ Err({none}) => None, told => Some(expect(told)) }}")
        }
    };
    format!("// SAFETY: all pointers are of living values.\n{answered}")
}
