//! Structs of C, and what carries the core's values over and back.

use std::fmt::Write;

use anyhow::Result;

use crate::kind::Kind;
use crate::model::Machine;
use crate::names::comment;
use crate::record::{Case, Content, Leaf, Record};

/// A struct.
pub fn write(m: &Machine<'_>, out: &mut String, r: &Record) -> Result<()> {
    comment(out, "///", &r.doc);
    let eq = if m.has_floats(r) { "" } else { ", Eq" };
    writeln!(out, "#[repr(C)]\n#[derive(Clone, Copy, Debug, Default, PartialEq{eq})]\npub struct {} {{", r.c)?;
    for f in &r.fields {
        comment(out, "///", &f.doc);
        let ty = match &f.of {
            Content::Value(kind) => kind.c(&m.scope),
            Content::List(kind, length) => format!("[{}; {length}]", kind.listed(&m.scope)),
            Content::Method => "u64".into(),
            Content::Tag | Content::Flag | Content::Present | Content::Reserved | Content::Count => "u32".into(),
        };
        writeln!(out, "pub {}: {ty},", f.name)?;
    }
    out.push_str("}\n\n");
    if m.scope.source.is_laid(&r.core) {
        // Callers' arrays are read in place.
        let at =
            |f: &crate::record::Place| format!("offset_of!({0}, {2}) == offset_of!({1}, {2})", r.c, r.core, f.name);
        let same: Vec<_> = r.fields.iter().map(at).collect();
        writeln!(
            out,
            "const _: () = assert!(size_of::<{}>() == size_of::<{}>() && {});\n",
            r.c,
            r.core,
            same.join(" && ")
        )?;
    }
    writeln!(out, "impl ToC for {} {{\n    type C = {};\n\n    fn to_c(&self) -> {} {{", r.core, r.c, r.c)?;
    if let Some(tag) = &r.tag {
        out.push_str("match self {\n");
        for (case, value) in r.cases.iter().map(|c| (c, &c.value)) {
            let tag = format!("{tag}: {}::{value} as u32", m.scope.tag_of(tag));
            writeln!(out, "{} => {},", case.pattern, built(r, case, Some(tag)))?;
        }
        out.push('}');
    } else {
        let case = &r.cases[0];
        writeln!(out, "let {} = self;\n{}", case.pattern, built(r, case, None))?;
    }
    out.push_str("}\n}\n\n");
    if r.has_present() {
        writeln!(
            out,
            "impl ToC for Option<{0}> {{\n    type C = {1};\n\n    fn to_c(&self) -> {1} {{ self.as_ref().map_or_else({1}::default, ToC::to_c) }}\n}}\n",
            r.core, r.c
        )?;
    }
    if r.is_input {
        let case = &r.cases[0];
        let from = |leaf: &Leaf| match &leaf.flag {
            Some(flag) => format!("(c.{flag} != 0).then(|| from_c(c.{}))", leaf.name),
            None => format!("from_c(c.{})", leaf.name),
        };
        let build = case.leaves.iter().fold(case.build.clone(), |b, l| b.replace(&format!("{{{}}}", l.name), &from(l)));
        writeln!(
            out,
            "impl FromC for {} {{\n    type C = {};\n\n    fn from_c(c: {}) -> Self {{ {build} }}\n}}\n",
            r.core, r.c, r.c
        )?;
    }
    if r.is_named {
        named(m, out, r)?;
    }
    if let Some(preset) = &m.api().record.get(&r.core).and_then(|told| told.preset.as_ref()) {
        let of = m.scope.short_of(&r.core);
        out.push_str(&m.fill(
            include_str!("../templates/abi_preset.rs"),
            &[("{c}", &r.c), ("{of}", &of), ("{core}", &r.core), ("{PRESET}", preset)],
        ));
    }
    Ok(())
}

/// A record of which C may say what is none.
fn named(m: &Machine<'_>, out: &mut String, r: &Record) -> Result<()> {
    let (core, c) = (&r.core, &r.c);
    let is_named = |part: &str| m.record(part).is_some_and(|part| part.is_named);
    let from = |leaf: &Leaf| match &leaf.kind {
        _ if let Some(flag) = &leaf.flag => format!("(c.{flag} != 0).then(|| from_c(c.{}))", leaf.name),
        Kind::Enum(_) => format!("named(c.{})?", leaf.name),
        Kind::Record(part) if is_named(part) => format!("from_c::<Option<{part}>>(c.{})?", leaf.name),
        kind if kind.is_partial(is_named) => format!("c.{}.try_into().ok()?", leaf.name),
        _ => format!("from_c(c.{})", leaf.name),
    };
    let build = |case: &Case| {
        case.leaves.iter().fold(case.build.clone(), |b, l| b.replace(&format!("{{{}}}", l.name), &from(l)))
    };
    let case = &r.cases[0];
    let some = match &r.tag {
        None => format!("Some({})", build(case)),
        Some(tag) => {
            let of = crate::model::type_of(m.scope.family(), tag);
            let arm = |case: &Case| format!("tag if tag == {of}::{} as u32 => Some({}),", case.value, build(case));
            format!("match c.{tag} {{ {} _ => None }}", r.cases.iter().map(arm).collect::<String>())
        }
    };
    let partial = case.leaves.iter().filter(|leaf| leaf.kind.is_partial(is_named));
    let mut none: Vec<_> = partial
        .map(|leaf| match &leaf.kind {
            Kind::Record(part) => format!("{}: None::<{part}>.to_c()", leaf.name),
            _ => format!("{}: GPUSCHED_NONE", leaf.name),
        })
        .collect();
    none.extend(r.tag.iter().map(|tag| format!("{tag}: GPUSCHED_NONE")));
    if none.len() < r.fields.len() {
        none.push(format!("..{c}::default()"));
    }
    writeln!(
        out,
        "impl FromC for Option<{core}> {{ type C = {c};\n fn from_c(c: {c}) -> Self {{ {some} }} }}\n\n\
         impl ToC for Option<{core}> {{ type C = {c};\n fn to_c(&self) -> {c} {{\n\
         let none = || {c} {{ {} }};\nself.as_ref().map_or_else(none, ToC::to_c) }} }}\n",
        none.join(", ")
    )?;
    Ok(())
}

/// The struct of C of a case whose leaves are bound.
fn built(r: &Record, case: &Case, tag: Option<String>) -> String {
    let mut sets: Vec<String> = tag.into_iter().collect();
    for leaf in &case.leaves {
        let name = &leaf.name;
        if let Some([count, _]) = &leaf.list {
            let array = if matches!(leaf.kind, Kind::Id(_)) { "ids_in_array" } else { "in_array" };
            sets.extend([format!("{count}: {name}.len() as u32"), format!("{name}: {array}({name})")]);
            continue;
        }
        match &leaf.flag {
            Some(flag) => {
                sets.extend([format!("{name}: or_default({name})"), format!("{flag}: {name}.is_some().to_c()")])
            }
            None => sets.push(format!("{name}: {}.to_c()", leaf.value)),
        }
    }
    sets.extend(case.none.iter().map(|field| format!("{field}: GPUSCHED_NONE")));
    for f in &r.fields {
        match f.of {
            Content::Method => sets.push(format!("{0}: self.{0}().to_c()", f.name)),
            Content::Present => sets.push("present: 1".into()),
            Content::Reserved => sets.push("reserved: 0".into()),
            _ => {}
        }
    }
    if sets.len() < r.fields.len() {
        sets.push(format!("..{}::default()", r.c));
    }
    format!("{} {{ {} }}", r.c, sets.join(", "))
}
