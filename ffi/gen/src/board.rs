//! Calls as boards carry them out: `hosts/cortex-m/packed/src/drive/MACHINE.rs` in Rust, `hosts/cortex-m/c/replay/MACHINE.c` in C.

use std::fmt::Write;

use anyhow::Result;

use crate::call::{Call, Param};
use crate::kind::{By, Kind};
use crate::model::Machine;
use crate::names::{camel, shout};
use crate::record::Record;

/// The Rust file.
pub fn rust(m: &Machine<'_>) -> Result<String> {
    let mut arms = String::new();
    for call in &m.verbs {
        let args: Vec<_> = call.params.iter().map(|p| argument(m, p)).collect();
        let refusable = match (&call.error, call.is_refusable) {
            (Some(_), _) => ".map_err(|error| super::refused(error, to))?",
            (None, true) => "?",
            (None, false) => "",
        };
        let made = format!("{}({}){refusable}", m.reached("self", call), args.join(", "));
        let act = match &call.answer.kind {
            Some(_) if call.blames => format!("super::blamed({}, to)?.to_c().put(to)", made.trim_end_matches('?')),
            Some(_) if call.present.is_some() => format!("super::put_optional({made}, to)"),
            Some(_) => format!("{made}.to_c().put(to)"),
            None => made,
        };
        writeln!(arms, "Op::{}{} => {act},", m.api().op, camel(&call.said))?;
    }
    let mut hand = "";
    for (name, _) in m.verbs_by_hand() {
        hand = "mod hand;\n\n";
        writeln!(arms, "Op::{}{} => hand::{name}(self, from, to)?,", m.api().op, camel(name))?;
    }
    let used = m.records.iter().filter(|r| is_on_tape(m, r));
    let records: String = used
        .map(|r| format!("{} {{ {} }}\n", r.c, r.fields.iter().map(|f| f.name.as_str()).collect::<Vec<_>>().join(" ")))
        .collect();
    let tables = if m.is_on_tables() { ", Tables" } else { "" };
    let mut imports = format!("use gpusched::{}::{{{}{tables}}};\n", m.module(), m.api().object);
    if !m.api().has_config() {
        imports.clear();
    }
    if let Some(whole) = m.scope.of {
        writeln!(imports, "use gpusched_abi::{}::*;", whole.name())?;
    }
    let records = if records.is_empty() { records } else { format!("records! {{\n{records}}}\n") };
    let image = if m.has_object() { "image!();" } else { include_str!("../templates/drive_nothing.rs") };
    let machine = match m.api().has_config() {
        true => include_str!("../templates/drive_machine.rs"),
        false => include_str!("../templates/drive_functions.rs"),
    };
    let with = [
        ("{machine}", machine),
        ("{arms}", arms.as_str()),
        ("{records}", &records),
        ("{hand}", hand),
        ("{imports}", &imports),
        ("{image}", image),
    ];
    Ok(m.fill(include_str!("../templates/drive.rs"), &with))
}

/// Whether a verb takes or answers with a record, or with one that it is part of.
fn is_on_tape(m: &Machine<'_>, r: &Record) -> bool {
    let is_part = |kind: &Kind| {
        kind.derived_record(&m.scope)
            .is_some_and(|name| name == r.core || m.record(name).is_some_and(|w| w.has_part(&r.core)))
    };
    let is_of_others = !m.has_object() && r.core != m.api().storage_record();
    let is_told = is_of_others || m.api().record.get(&r.core).is_some_and(|told| told.told_by_hand);
    is_told
        || m.verbs.iter().any(|c| c.error.as_ref() == Some(&r.core))
        || m.verbs.iter().any(|c| c.params.iter().map(|p| &p.kind).chain(&c.answer.kind).any(is_part))
}

fn argument(m: &Machine<'_>, p: &Param) -> String {
    match p.by {
        By::Value if let Kind::Enum(e) = &p.kind => {
            let module = m.module();
            format!("gpusched_abi::convert::named::<gpusched::{module}::{e}>(from.get()?).ok_or(Refused::Damaged)?")
        }
        By::Named if let Kind::Record(name) = &p.kind => {
            format!("from_c::<Option<gpusched::{}::{name}>>(from.get()?)", m.module())
        }
        By::Slice if p.most.is_some() && is_choice(m, p) => format!(
            "&from.get::<Vec<{}>>()?.into_iter().map(from_c::<Option<_>>).collect::<Option<Vec<_>>>().ok_or(Refused::Damaged)?",
            p.kind.c(&m.scope)
        ),
        By::Slice if p.most.is_some() => {
            format!("&from.get::<Vec<{}>>()?.into_iter().map(from_c).collect::<Vec<_>>()", p.kind.c(&m.scope))
        }
        By::Value => "from_c(from.get()?)".into(),
        By::Tried => format!("from.get::<{}>()?", p.ty),
        By::Named => {
            format!("gpusched_abi::convert::named::<gpusched::{}::{}>(from.get()?)", m.module(), p.enumeration())
        }
        By::Reference if is_choice(m, p) => "&from_c::<Option<_>>(from.get()?).ok_or(Refused::Damaged)?".into(),
        By::Reference => "&from_c(from.get()?)".into(),
        By::OptionalReference => "from.optional()?.map(from_c).as_ref()".into(),
        By::Slice | By::InPlace => "&from.get::<Vec<_>>()?".into(),
        By::OptionalSlice => "from.optional::<Vec<_>>()?.as_deref()".into(),
    }
}

/// Whether it has an enumeration, of which C may say what is none.
fn is_choice(m: &Machine<'_>, p: &Param) -> bool {
    matches!(&p.kind, Kind::Record(of) if m.record(of).is_some_and(|r| r.is_choice))
}

/// The C file.
pub fn c(m: &Machine<'_>) -> Result<String> {
    let mut cases = String::new();
    for call in &m.verbs {
        case(m, &mut cases, call)?;
    }
    let (mut hand, end) = (String::new(), if m.has_object() { "MACHINE_TYPE" } else { "CONFIG_TYPE" });
    for (name, _) in m.verbs_by_hand() {
        hand = format!("#include \"{}_hand.h\"\n", m.name());
        let op = format!("{}_{}", shout(&m.api().op), name.to_uppercase());
        writeln!(cases, "    case OP_{op}: return {name}({}, from);", m.fill("{o}", &[]))?;
    }
    if !m.api().has_config() {
        return Ok(m.fill(include_str!("../templates/board_functions.c"), &[("{cases}", &cases)]));
    }
    Ok(m.fill(
        include_str!("../templates/board.c"),
        &[
            ("{cases}", &cases),
            ("{hand}", &hand),
            ("{end}", end),
            ("{opaque}", &if m.has_object() { m.opaque() } else { format!("const {}", m.opaque()) }),
        ],
    ))
}

fn case(m: &Machine<'_>, out: &mut String, call: &Call) -> Result<()> {
    let name = m.name();
    writeln!(out, "    case OP_{}_{}: {{", shout(&m.api().op), call.said.to_uppercase())?;
    let mut args = if m.api().has_config() { vec![m.fill("{o}", &[])] } else { Vec::new() };
    for p in &call.params {
        let raw = c_type(&p.kind.c(&m.scope));
        let n = &p.name;
        match (&p.kind, p.by) {
            (kind, By::Slice | By::InPlace | By::OptionalSlice) => {
                let item = if p.by == By::InPlace { kind.listed(&m.scope) } else { kind.to_rust(&m.scope) };
                let item = c_type(&item);
                if p.by == By::OptionalSlice {
                    writeln!(out, "        const bool has_{n} = read_u32(from) != 0;")?;
                }
                writeln!(out, "        LIST({item}, {n}, {n}_count);")?;
                args.push(if p.by == By::OptionalSlice { format!("has_{n} ? {n} : NULL") } else { n.clone() });
                args.push(format!("{n}_count"));
            }
            (Kind::Record(of), by) => {
                if by == By::OptionalReference {
                    writeln!(out, "        const bool has_{n} = read_u32(from) != 0;")?;
                }
                match last(m, of) {
                    Some(last) => writeln!(out, "        RECORD({raw}, {n}, {last});")?,
                    None => writeln!(out, "        ARGUMENT({raw}, {n});")?,
                }
                args.push(if by == By::OptionalReference { format!("has_{n} ? &{n} : NULL") } else { format!("&{n}") });
            }
            (Kind::Array(of, length), _) => {
                for i in 0..*length {
                    writeln!(out, "        ARGUMENT({}, {n}{i});", c_type(&of.c(&m.scope)))?;
                    args.push(format!("{n}{i}"));
                }
            }
            _ => {
                writeln!(out, "        ARGUMENT({raw}, {n});")?;
                args.push(n.clone());
            }
        }
    }
    let (mut error, mut put_error) = ("", String::new());
    if let Some(of) = call.error.as_ref().and_then(|error| m.record(error)) {
        let last = of.fields.last().map_or("", |f| &f.name);
        writeln!(out, "        {} error;", of.c)?;
        (error, put_error) = (", &error", format!("if (status != GPUSCHED_STATUS_OK) PUT(error, {last});"));
    }
    let made = |args: &[String]| format!("gpusched_{name}_{}({}{error})", call.c, args.join(", "));
    match &call.answer.kind {
        None if put_error.is_empty() => writeln!(out, "        return {};", made(&args))?,
        None => {
            writeln!(out, "        const gpusched_status status = {};", made(&args))?;
            writeln!(out, "        {put_error}\n        return status;")?;
        }
        Some(kind) => {
            let (raw, to) = (c_type(&kind.c(&m.scope)), &call.out);
            args.push(format!("&{to}"));
            args.extend(call.present.iter().map(|present| format!("&{present}")));
            if call.blames {
                writeln!(out, "        const char *field = NULL;")?;
                args.push("&field".into());
            }
            let put = match kind {
                Kind::Record(of) => last(m, of).map(|last| format!("PUT({to}, {last})")),
                _ => None,
            };
            let put = put.unwrap_or_else(|| format!("PUT_NUMBER({to})"));
            writeln!(out, "        {raw} {to};")?;
            if let Some(present) = &call.present {
                writeln!(out, "        uint32_t {present};")?;
            }
            writeln!(out, "        const gpusched_status status = {};", made(&args))?;
            if let Some(present) = &call.present {
                writeln!(out, "        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER({present});")?;
            }
            if !put_error.is_empty() {
                writeln!(out, "        {put_error}")?;
            }
            if call.blames {
                writeln!(out, "        if (status != GPUSCHED_STATUS_OK) put_text(field);")?;
            }
            let there = call.present.as_ref().map_or_else(String::new, |present| format!(" && {present}"));
            writeln!(out, "        if (status == GPUSCHED_STATUS_OK{there}) {put};\n        return status;")?;
        }
    }
    out.push_str("    }\n");
    Ok(())
}

/// The last field of a record, if its struct is derived.
fn last(m: &Machine<'_>, core: &str) -> Option<String> {
    m.record(core).and_then(|r| r.fields.last()).map(|f| f.name.clone())
}

fn c_type(rust: &str) -> String {
    crate::kind::raw(rust).trim_start_matches("std::").to_owned()
}
