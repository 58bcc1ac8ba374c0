//! `include/gpusched_MACHINE.hpp`: the C++17 face.
//!
//! What C++ says besides stands in `ffi/api/MACHINE.hpp`, if there is such a file: above the line `// ---` what comes before the class of
//! the object, below it members of that class.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::{Context, Result};

use crate::call::{Call, Param};
use crate::enums::Enum;
use crate::kind::{By, Kind};
use crate::model::{Choice, Machine, STATUS};
use crate::names::{comment, shout, snake};
use crate::record::{Content, Place, Record};

/// Whether a module is a machine's, which has a header of its own.
fn is_machine(module: &str) -> bool {
    let api = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../api");
    api.join(module).with_extension("toml").exists()
}

/// The file.
pub fn write(m: &Machine<'_>, hand: &str) -> Result<String> {
    let (configuration, hand) = hand.split_once("// --- configuration\n").unwrap_or(("", hand));
    let (of_configuration, hand) = hand.split_once("// --- types\n").unwrap_or(("", hand));
    let (before, members) = hand.split_once("// ---\n").unwrap_or(("", hand));
    let mut example = String::new();
    for line in m.api().example.lines() {
        writeln!(example, "{}", format!("// {line}").trim_end())?;
    }
    let what = match m.has_object() {
        true => "{title} alone",
        false if m.api().has_config() => "the functions of a configuration",
        false => "{title}",
    };
    let base = m.scope.of.map_or("base", Machine::name);
    let (begin, end) = match m.scope.family() {
        "" => ("", ""),
        _ => ("namespace {t} {\n", "}  // namespace {t}\n"),
    };
    // Parts, and other machines that have a type of this one's.
    let of_parts = m.sections().filter(|s| !s.is_own()).map(|s| s.family.as_str());
    let of_others = m.api().types.values().map(|t| t.module.as_str()).filter(|other| is_machine(other));
    let headers: BTreeSet<&str> = of_parts.chain(of_others).collect();
    let parts: String = headers.iter().map(|of| format!("#include <gpusched_{of}.hpp>\n")).collect();
    let with =
        [("{example}", example.as_str()), ("{what}", what), ("{base}", base), ("{parts}", &parts), ("{begin}", begin)];
    let mut out = m.fill(include_str!("../templates/cpp_head.hpp"), &with);
    for id in m.scope.source.ids.iter().filter(|id| m.has_config() && !m.scope.common_source.ids.contains(id)) {
        comment(&mut out, "//", &m.scope.words(m.scope.source.doc(id)));
        writeln!(out, "enum class {id} : std::uint32_t {{}};\n")?;
    }
    m.enums.iter().try_for_each(|e| an_enum(&mut out, e))?;
    out.push_str(configuration);
    let is_by_hand = |r: &&Record| m.api().record.get(&r.core).is_none_or(|told| told.hand);
    let mut records = String::new();
    for r in m.records.iter().filter(|r| !is_by_hand(r)) {
        record(m, &mut records, r)?;
    }
    let mut methods = String::new();
    for call in m.calls() {
        method(m, &mut methods, call).with_context(|| call.name.clone())?;
    }
    if m.has_config() {
        let presets = &m.api().presets;
        let (init, given) = match presets.iter().find(|[name, _]| shout(name) == m.api().preset).or(presets.first()) {
            Some([usual, _]) => {
                let e = crate::names::camel(m.api().preset_type.as_deref().unwrap_or("preset"));
                (format!("explicit Config({e} preset = {e}::{usual})"), ", number(preset)")
            }
            None => ("Config()".into(), ""),
        };
        let layout = if m.has_object() { include_str!("../templates/cpp_layout.hpp") } else { "" };
        // The functions of a configuration tell records.
        if !m.has_object() {
            out.push_str(&std::mem::take(&mut records));
        }
        let (bits, told) = match m.api().storage {
            Some(_) => {
                ("using StorageBits = gpusched_{t}_{storage};\n\n", include_str!("../templates/cpp_storage.hpp"))
            }
            None => ("", "\n"),
        };
        let with = [
            ("{init}", init.as_str()),
            ("{preset}", given),
            ("{layout}", layout),
            ("{StorageBits}", bits),
            ("{storage_bits}\n", told),
        ];
        out.push_str(&m.fill(include_str!("../templates/cpp_config.hpp"), &with));
        chosen(m, of_configuration, &mut out)?;
        out.push_str(of_configuration);
        if !m.has_object() {
            out.push_str(&methods);
        }
        out.push_str(&m.fill(include_str!("../templates/cpp_parameter.hpp"), &[]));
    }
    out.push_str(&records);
    if !m.api().has_config() {
        out.push_str(&methods);
    }
    out.push_str(before);
    if m.has_object() {
        let (config, layout_of) = match m.has_config() {
            true => ("config", ""),
            false => (
                "detail::Laid<Config, gpusched_{t}_config>(config, gpusched_{m}_layout)",
                include_str!("../templates/cpp_layout_of.hpp"),
            ),
        };
        out.push_str(
            &m.fill(include_str!("../templates/cpp_object.hpp"), &[("{config}", config), ("{layout_of}", layout_of)]),
        );
        out.push_str(&methods);
        for part in m.scope.parts.iter().filter(|part| !part.is_own()) {
            out.push_str(&m.fill(&part.told_config(include_str!("../templates/cpp_part.hpp")), &[]));
        }
        out.push_str(members);
        out.push_str(&m.fill(include_str!("../templates/cpp_images.hpp"), &[]));
    }
    out.push_str(&m.fill(include_str!("../templates/cpp_tail.hpp"), &[("{end}", end)]));
    Ok(out)
}

/// Setters by the type of the value: where several parameters have one type, the field must be told, too. `hand` may have setters for
/// parameters of parts that do more.
fn chosen(m: &Machine<'_>, hand: &str, out: &mut String) -> Result<()> {
    let fields = |e: &str| {
        m.parameters.iter().filter(|p| p.part.is_none() && p.of == Choice::Enum(e.to_owned())).collect::<Vec<_>>()
    };
    for e in m.enums.iter().map(|e| &e.cpp) {
        match fields(e).as_slice() {
            [] => {}
            [p] => writeln!(
                out,
                "    Config with({e} value) const noexcept {{ return with(&Config::{}, number(value)); }}",
                p.name
            )?,
            _ => writeln!(
                out,
                "    Config with(std::uint32_t gpusched_{}_config::* field, {e} value) const noexcept {{\n        \
                 return with(field, number(value));\n    }}",
                m.scope.owner()
            )?,
        }
    }
    for p in &m.parameters {
        if let (Choice::Enum(e), Some(s)) = (&p.of, &p.part) {
            let e = if s.is_own() { e.clone() } else { format!("{}::{e}", s.family) };
            let head = format!("Config with({e} value)");
            if !hand.contains(&head) {
                writeln!(out, "    {head} const noexcept {{ return with(&Config::{}, number(value)); }}", p.name)?;
            }
        }
    }
    Ok(())
}

fn an_enum(out: &mut String, e: &Enum) -> Result<()> {
    comment(out, "//", &e.doc);
    writeln!(out, "enum class {} : std::uint32_t {{", e.cpp)?;
    for v in &e.values {
        writeln!(out, "    {} = {}_{},", v.name, e.c.to_uppercase(), shout(&v.name))?;
    }
    out.push_str("};\n\n");
    Ok(())
}

/// A record's class. One that has nothing but numbers is the struct itself.
fn record(m: &Machine<'_>, out: &mut String, r: &Record) -> Result<()> {
    let class = m.scope.class_of(&r.core);
    let preset = m.api().record.get(&r.core).and_then(|told| told.preset.as_ref());
    let preset = preset.map_or_else(String::new, |_| {
        let with = [("{Class}", class.as_str()), ("{c}", &r.c), ("{of}", &m.scope.short_of(&r.core))];
        m.fill(include_str!("../templates/cpp_preset.hpp"), &with)
    });
    if m.scope.is_raw(&r.core) {
        comment(out, "//", &r.doc);
        return Ok(write!(out, "using {class} = {};\n\n{preset}", r.c)?);
    }
    if let Some(of) = &r.class {
        let doc = r.cases.iter().find(|c| c.variant == *of).map_or("", |c| &c.doc);
        begin(out, of, &r.c, doc)?;
        let is_of = |f: &Place| {
            r.cases
                .iter()
                .filter(|c| c.variant == *of)
                .flat_map(|c| &c.leaves)
                .find(|l| l.name == f.name)
                .map(|l| l.kind.clone())
        };
        accessors(m, out, r, &is_of)?;
        out.push_str("};\n\n");
    }
    begin(out, &class, &r.c, &r.doc)?;
    if let Some(tag) = &r.tag {
        let e = if tag == STATUS { "Code".into() } else { crate::names::camel(tag) };
        writeln!(out, "    constexpr {e} {tag}() const noexcept {{ return static_cast<{e}>(raw_.{tag}); }}")?;
        if let Some(of) = &r.class {
            let value = r.cases.iter().find(|c| c.variant == *of).map_or(of, |c| &c.value);
            let is = format!("{tag}() == {e}::{value}");
            writeln!(out, "    constexpr std::optional<{of}> {}() const noexcept {{", snake(of))?;
            writeln!(out, "        return {is} ? std::optional({of}(raw_)) : std::nullopt;\n    }}")?;
        }
    }
    let of_others = |f: &Place| {
        let others = r.cases.iter().filter(|c| r.class.is_none() || r.class.as_ref() != Some(&c.variant));
        let is_told = others.flat_map(|c| &c.leaves).any(|l| l.name == f.name);
        match &f.of {
            Content::Value(kind) if is_told => Some(kind.clone()),
            _ => None,
        }
    };
    accessors(m, out, r, &of_others)?;
    out.push_str("};\n\n");
    if m.calls().any(|c| c.answer.is_list && c.answer.ty == r.core) {
        writeln!(out, "using {} = List<{class}, {}>;\n", plural(&class), r.c)?;
    }
    Ok(())
}

fn plural(class: &str) -> String {
    class.strip_suffix('y').map_or_else(|| format!("{class}s"), |stem| format!("{stem}ies"))
}

fn begin(out: &mut String, class: &str, raw: &str, doc: &str) -> Result<()> {
    comment(out, "//", doc);
    Ok(writeln!(out, "class {class} : public detail::View<{raw}> {{\npublic:\n    using View::View;")?)
}

fn accessors(m: &Machine<'_>, out: &mut String, r: &Record, kind_of: &dyn Fn(&Place) -> Option<Kind>) -> Result<()> {
    for f in &r.fields {
        if let Content::List(kind, _) = &f.of {
            let list = format!("List<{}, {}>", kind.cpp(&m.scope), crate::kind::raw(&kind.listed(&m.scope)));
            let count = r.cases.iter().flat_map(|c| &c.leaves).find(|l| l.name == f.name).and_then(|l| l.list.as_ref());
            let count = count.map_or("", |[count, _]| count);
            writeln!(out, "    // They last as long as what they are of.")?;
            writeln!(out, "    constexpr {list} {}() const& noexcept {{", f.name)?;
            writeln!(out, "        return {list}(raw_.{0}, raw_.{count}, raw_.{count});\n    }}", f.name)?;
            writeln!(out, "    {list} {}() && = delete;", f.name)?;
            continue;
        }
        let Some(kind) = kind_of(f) else { continue };
        let (mut ty, mut value) = (kind.cpp(&m.scope), kind.cpp_value(&m.scope, &format!("raw_.{}", f.name)));
        let leaf = r.cases.iter().flat_map(|c| &c.leaves).find(|l| l.name == f.name);
        if let Some(flag) = leaf.and_then(|l| l.flag.as_ref()) {
            value = format!("raw_.{flag} != 0 ? std::optional({value}) : std::nullopt");
            ty = format!("std::optional<{ty}>");
        }
        writeln!(out, "    constexpr {ty} {}() const noexcept {{ return {value}; }}", f.name)?;
    }
    Ok(())
}

/// What the header of C says of a call, in C++: the object's calls by their own names, and what C has for no row and no cycle.
fn in_cpp(m: &Machine<'_>, doc: &str) -> String {
    let prefix = format!("gpusched_{}_", m.name());
    let mut parts = doc.split(&prefix);
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(part.len());
        out.extend([&part[..end], "()", &part[end..]]);
    }
    ["GPUSCHED_NEVER", "GPUSCHED_NONE"].iter().fold(out, |out, none| out.replace(none, "std::nullopt"))
}

fn method(m: &Machine<'_>, out: &mut String, call: &Call) -> Result<()> {
    let scope = &m.scope;
    let of = if m.has_object() { "c()" } else { "this" };
    let c = format!("gpusched_{}_{}", m.name(), call.c);
    let (mut params, mut args) = (Vec::new(), Vec::new());
    for (i, p) in call.params.iter().enumerate() {
        let (ty, arg) = p.kind.cpp_given(scope, p.by, &p.name);
        // What may be left out stands last.
        let default = if call.params[i..].iter().all(may_lack) { default(m, p) } else { String::new() };
        params.push(format!("{ty} {}{default}", p.name));
        args.push(arg);
    }
    let mut error = String::new();
    if let Some(of) = &call.error {
        let class = scope.class_of(of);
        params.push(format!("{class}* error = nullptr"));
        error = format!(", {class}::c(error)");
    }
    let made = if call.mutates { "" } else { " const" };
    comment(out, if m.api().has_config() { "    //" } else { "//" }, &in_cpp(m, &call.doc));
    if let Some(kind) = call.answer.kind.as_ref().filter(|_| call.blames) {
        let (ty, raw, params) = (kind.cpp(scope), kind.raw(scope), params.join(", "));
        args.extend(["to".into(), "field".into()]);
        writeln!(out, "inline Evaluated<{ty}> {}({params}) noexcept {{", call.name)?;
        writeln!(out, "    return detail::evaluated<{ty}, {raw}>([&](auto* to, auto* field) {{")?;
        return Ok(writeln!(out, "        return {c}({});\n    }});\n}}\n", args.join(", "))?);
    }
    let all = |first: &str| [&[first.to_owned()][..], &args].concat().join(", ");
    let Some(kind) = &call.answer.kind else {
        let body = format!("return {c}({}{error});", all(of));
        writeln!(out, "    Status {}({}){made} noexcept {{ {body} }}", call.cpp, params.join(", "))?;
        return Ok(());
    };
    let (ty, raw) = (kind.cpp(scope), kind.raw(scope));
    if call.answer.is_each {
        let list = call.params.iter().find(|p| p.is_slice()).map_or("", |p| &p.name);
        let (to, params, all) = (&call.out, params.join(", "), all(of));
        writeln!(out, "    // {to}: room for all of them, or none.")?;
        writeln!(out, "    Status {}({params}, Span<{raw}> {to} = {{}}){made} noexcept {{", call.cpp)?;
        writeln!(out, "        if (!{to}.empty() && {to}.size() < {list}.size()) return Code::Capacity;")?;
        return Ok(writeln!(out, "        return {c}({all}, {to}.empty() ? nullptr : {to}.data());\n    }}")?);
    }
    if call.answer.is_list {
        let is_class = matches!(kind, Kind::Record(of) if !scope.is_raw(of));
        let class = if is_class { plural(&ty) } else { format!("List<{ty}, {raw}>") };
        params.push(format!("Span<{raw}> buffer"));
        let given: String = args.iter().map(|a| format!(", {a}")).collect();
        let body = format!("return list<{class}>({c}, buffer{given});");
        writeln!(out, "    Result<{class}> {}({}){made} noexcept {{ {body} }}", call.cpp, params.join(", "))?;
        return Ok(());
    }
    let (ty, value) = if call.answer.has_never() {
        (
            Kind::Optional(Box::new(kind.clone())).cpp(scope),
            Kind::Optional(Box::new(kind.clone())).cpp_value(scope, "told"),
        )
    } else if call.is_verb && call.answer.is_optional && call.present.is_none() {
        (
            format!("std::optional<{ty}>"),
            format!("told.present != 0 ? std::optional({}) : std::nullopt", kind.cpp_value(scope, "told")),
        )
    } else {
        (ty, kind.cpp_value(scope, "told"))
    };
    let params = params.join(", ");
    if let Some(present) = &call.present {
        writeln!(out, "    Result<std::optional<{ty}>> {}({params}){made} noexcept {{", call.cpp)?;
        writeln!(out, "        {raw} told{{}};\n        std::uint32_t {present} = 0;")?;
        writeln!(out, "        const Status status = {c}({}, &told, &{present}{error});", all(of))?;
        return Ok(writeln!(
            out,
            "        return {{status, {present} != 0 ? std::optional({value}) : std::nullopt}};\n    }}"
        )?);
    }
    if value == "told" && !call.mutates && m.has_object() {
        return Ok(writeln!(
            out,
            "    Result<{ty}> {}({params}) const noexcept {{ return ask<{ty}>({}); }}",
            call.cpp,
            all(&c)
        )?);
    }
    writeln!(out, "    Result<{ty}> {}({params}){made} noexcept {{\n        {raw} told{{}};", call.cpp)?;
    let call_args = all(of);
    writeln!(out, "        const Status status = {c}({call_args}, &told{error});")?;
    let value = if call.answer.has_never() { format!("status ? {value} : std::nullopt") } else { value };
    Ok(writeln!(out, "        return {{status, {value}}};\n    }}")?)
}

fn may_lack(p: &Param) -> bool {
    p.missing.is_some() || is_optional(p) || p.by == By::OptionalSlice
}

fn is_optional(p: &Param) -> bool {
    p.by == By::OptionalReference || matches!(&p.kind, Kind::Optional(of) if matches!(**of, Kind::Number(_)))
}

fn default(m: &Machine<'_>, p: &Param) -> String {
    match (p.missing, p.by) {
        (Some(n), _) if p.kind == Kind::Bool => format!(" = {}", n != 0),
        (Some(n), _) => format!(" = {}", p.kind.cpp_value(&m.scope, &n.to_string())),
        (None, _) if is_optional(p) => " = std::nullopt".into(),
        _ => " = {}".into(),
    }
}
