//! `ffi/abi/src/MACHINE.rs`: the functions, structs and enumerations of C.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::Result;

use crate::call::{Call, Param};
use crate::enums::{Enum, Of};
use crate::kind::{By, Kind};
use crate::model::{Choice, Machine};
use crate::names::{comment, shout};
use crate::record::Content;

/// The file. `has_hand` if the machine has functions that are written by hand.
pub fn write(m: &Machine<'_>, has_hand: bool) -> Result<String> {
    let mut out = m.fill(include_str!("../templates/abi_head.rs"), &[("{imports}", &imports(m))]);
    for e in m.enums.iter().filter(|e| matches!(e.of, Of::Choice(_))) {
        an_enum(&mut out, e)?;
    }
    if m.has_config() {
        config(m, &mut out)?;
    }
    let mut doc = String::new();
    comment(&mut doc, "///", &m.api().doc);
    let init = match m.api().presets.is_empty() {
        true => include_str!("../templates/abi_init.rs"),
        false => include_str!("../templates/abi_init_preset.rs"),
    };
    let choices = m.api().presets.iter().map(|[name, _]| {
        format!("if preset == {}::{name} as u32 {{ &{{Config}}::{} }} else ", m.scope.preset_type(), shout(name))
    });
    let by_hand = m.parameters.iter().any(|p| p.fields().is_some());
    let decides = m.api().decides;
    let with = [
        ("{Checked}", if decides { "Setup" } else { "{Config}" }),
        ("{checked}", if decides { "self.set_up(config)" } else { "Ok(config)" }),
        ("{doc}\n", doc.as_str()),
        ("{init}", init),
        ("{choices}", &choices.collect::<String>()),
        ("{preset}", &m.scope.preset_type()),
        ("{put_by_hand}", if by_hand { "of.put_by_hand(config);" } else { "" }),
        ("{check}", if decides { "config.check().map_err(Self::wrong)?;" } else { "config.check()?;" }),
        ("{mut}", if by_hand { "mut" } else { "" }),
        ("{get_by_hand}", if by_hand { "self.get_by_hand(&mut config)?;" } else { "" }),
        (
            "{object}",
            if decides {
                ""
            } else if m.is_on_tables() {
                TABLES
            } else {
                VALUE
            },
        ),
    ];
    if m.has_config() {
        out.push_str(&m.fill(include_str!("../templates/abi_configuration.rs"), &with));
        if m.api().storage.is_some() {
            out.push_str(&m.fill(include_str!("../templates/abi_storage.rs"), &[]));
        }
    }
    if m.has_object() {
        out.push_str(&m.fill(include_str!("../templates/abi_object.rs"), &with));
    }
    for e in m.enums.iter().filter(|e| !matches!(e.of, Of::Choice(_))) {
        an_enum(&mut out, e)?;
    }
    for r in &m.records {
        crate::abi_record::write(m, &mut out, r)?;
    }
    for call in &m.verbs {
        function(m, &mut out, call)?;
    }
    if m.has_object() {
        let told = "gpusched_{t}_config::of(m{config_path}.config())";
        let told = if decides { "m.told_config()" } else { told };
        out.push_str(&m.fill(include_str!("../templates/abi_config.rs"), &[("{told_config}", told)]));
        for part in m.scope.parts.iter().filter(|part| !part.is_own()) {
            out.push_str(&m.fill(&part.told_config(include_str!("../templates/abi_part.rs")), &[("{at}", at(m))]));
        }
    }
    for call in &m.queries {
        function(m, &mut out, call)?;
    }
    if m.has_object() {
        let restore = if m.is_on_tables() { RESTORE_TABLES } else { "|_| Ok(Object::restore(bytes)?)" };
        let restored = format!("image::restore::<Object>({{o}}, &config, {restore})");
        let restored = if decides { "hand::restore({o}, bytes)" } else { &restored };
        let first = if decides { "m.all_read(size)?; " } else { "" };
        let unread = if decides { "Unread: a decision waits to be read; MidCycle; " } else { "" };
        let dropped = if decides { " Decisions of the machine before that nobody has read are gone." } else { "" };
        let with = [
            ("{restored}", restored),
            ("{first}", first),
            ("{unread}", unread),
            ("{dropped}", dropped),
            ("{at}", at(m)),
        ];
        out.push_str(&m.fill(include_str!("../templates/abi_image.rs"), &with));
    }
    if has_hand {
        // Not every machine has all that this file begins with; what is by hand needs what it names.
        out.push_str("#[warn(unused_imports)]\nmod hand;\npub use hand::*;\n");
    }
    Ok(out)
}

const BLAMED: &str =
    "Receives the name of the input because of which the call is refused; NULL if there is none. Static. May be null.";

/// How an object on tables is built, and one that is a plain value.
const TABLES: &str = include_str!("../templates/abi_tables.rs");
const VALUE: &str = include_str!("../templates/abi_value.rs");
const RESTORE_TABLES: &str = "|arena| {
    let tables = TableSet::take_from(arena, &TableSizes::of(&config)).ok_or(Status::StorageTooSmall)?;
    Ok(Object::restore(bytes, tables)?)
}";

/// Where in the object of C the machine is.
fn at(m: &Machine<'_>) -> &'static str {
    if m.api().decides { ".machine" } else { "" }
}

/// Types by hand that the file names.
fn imports(m: &Machine<'_>) -> String {
    let in_records = m.records.iter().flat_map(|r| &r.fields).filter_map(|f| match &f.of {
        Content::Value(kind) => Some(kind),
        _ => None,
    });
    let in_calls = m.calls().flat_map(|c| c.params.iter().map(|p| &p.kind).chain(&c.answer.kind));
    let named =
        in_records.chain(in_calls).filter_map(|kind| if let Kind::Record(name) = kind { Some(name) } else { None });
    let errors = m.calls().filter_map(|c| c.error.as_ref());
    let by_hand = named.chain(errors).filter_map(|name| m.scope.by_hand(name)).filter(|t| !t.module.is_empty());
    let mut uses: BTreeSet<String> = by_hand.map(|t| format!("use crate::{}::{};\n", t.module, t.c)).collect();
    let items = m.calls().flat_map(|c| &c.params).filter(|p| p.by == By::InPlace);
    let foreign = items.filter_map(|p| m.scope.foreign(p.kind.to_core()));
    uses.extend(foreign.map(|name| format!("use gpusched::{name};\n")));
    if m.calls().any(|c| c.blames) {
        uses.extend(["use core::ffi::c_char;\n".into(), "use crate::blame::blamed;\n".into()]);
    }
    uses.extend(m.scope.of.map(|whole| format!("use crate::{}::*;\n", whole.name())));
    uses.into_iter().collect()
}

fn an_enum(out: &mut String, e: &Enum) -> Result<()> {
    comment(out, "///", &e.doc);
    writeln!(out, "#[repr(u32)]\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub enum {} {{", e.c)?;
    for v in &e.values {
        comment(out, "///", &v.doc);
        writeln!(out, "{} = {},", v.name, v.number)?;
    }
    out.push_str("}\n\n");
    let names = |values: &[crate::enums::Value]| values.iter().map(|v| v.name.as_str()).collect::<Vec<_>>().join(" ");
    if let Of::Variant(_) = e.of {
        let all: Vec<_> = e.values.iter().map(|v| format!("Self::{}", v.name)).collect();
        writeln!(out, "impl {} {{\n/// All of them.\npub const ALL: &[Self] = &[{}];\n}}\n", e.c, all.join(", "))?;
    }
    match &e.of {
        Of::Choice(core) => writeln!(out, "choices! {{ {} = {core} {{ {} }}; }}\n", e.c, names(&e.values))?,
        Of::Plain(core) | Of::Variant(core) => {
            writeln!(out, "numbers! {{ {} = {core} {{ {} }}; }}\n", e.c, names(&e.values))?
        }
        Of::Optional(core) => {
            writeln!(out, "optional_numbers! {{ {} = {core} {{ {} }}; }}\n", e.c, names(&e.values[1..]))?;
        }
        Of::Tag | Of::Preset => {}
    }
    Ok(())
}

fn config(m: &Machine<'_>, out: &mut String) -> Result<()> {
    let name = m.name();
    let about = format!(
        "Parameters of {}. Fill it with gpusched_{name}_config_init, then change what you like: a newer library adds fields at the end, \
         and programs that were built before keep working.",
        m.api().title.as_ref().unwrap_or(&m.api().object)
    );
    comment(out, "///", &about);
    writeln!(
        out,
        "#[repr(C)]\n#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]\npub struct gpusched_{name}_config {{"
    )?;
    out.push_str("/// sizeof this struct in the caller's header.\npub struct_size: u32,\n");
    for p in &m.parameters {
        for [name, ty, doc] in p.fields().unwrap_or(&[[p.name.clone(), "u32".into(), p.doc.clone()]]) {
            comment(out, "///", doc);
            writeln!(out, "pub {name}: {ty},")?;
        }
    }
    out.push_str("}\n\n");
    let of = |part: Option<&str>, number: bool| {
        let of = m.parameters.iter().filter(|p| p.part.as_ref().map(|s| s.part.as_str()) == part);
        let all = of.filter(|p| (p.of == Choice::Number) == number && p.fields().is_none());
        all.map(|p| p.of_core("")).collect::<Vec<_>>().join(" ")
    };
    let own = (None, m.api().config.as_str(), String::new());
    for (part, core, behind) in
        [own].into_iter().chain(m.sections().map(|s| (Some(s.part.as_str()), s.core.as_str(), format!("_{}", s.part))))
    {
        writeln!(
            out,
            "fields! {{\n    gpusched_{name}_config: put{behind}, get{behind} = {core};\n    numbers {{ {} }}\n    choices {{ {} }}\n}}\n",
            of(part, true),
            of(part, false)
        )?;
    }
    Ok(())
}

/// A parameter: how C declares it, what is read through pointers first, and what the method gets.
fn parameter(m: &Machine<'_>, p: &Param) -> (String, String, String) {
    let (name, c) = (&p.name, p.kind.c(&m.scope));
    match (&p.kind, p.by) {
        (kind, By::Slice) if let Some(most) = &p.most => {
            let count = &p.count;
            let param = format!("{name}: *const {}, {count}: usize", kind.to_rust(&m.scope));
            let array = format!("array({name}, {count})?");
            if is_choice(m, kind) {
                let named =
                    format!("&crate::convert::all_named::<_, {{ {most} + 1 }}>({name}).ok_or(Status::BadEnum)?");
                return (param, format!("let {name} = {array};"), named);
            }
            (param, format!("let {name} = copied::<_, {{ {most} + 1 }}>({array});"), format!("&{name}"))
        }
        (kind, By::InPlace) => (
            format!("{name}: *const {}, {}: usize", kind.listed(&m.scope), p.count),
            format!("let {name} = in_place::<{}, _>({name}, {})?;", kind.to_core(), p.count),
            name.clone(),
        ),
        (kind, By::Slice | By::OptionalSlice) => {
            let read = if p.by == By::Slice { "array" } else { "array_or_null" };
            let item = kind.to_rust(&m.scope);
            (
                format!("{name}: *const {item}, {}: usize", p.count),
                format!("let {name} = {read}({name}, {})?;", p.count),
                name.clone(),
            )
        }
        (_, By::OptionalReference) => {
            let read = format!("let {name} = get_or_null({name})?.map(|c| from_c(*c));");
            (format!("{name}: *const {c}"), read, format!("{name}.as_ref()"))
        }
        (Kind::Record(of), By::Named) => {
            let read = format!("let {name}: Option<{of}> = from_c(*get({name})?);");
            (format!("{name}: *const {c}"), read, name.clone())
        }
        (Kind::Record(of), By::Reference) if is_choice(m, &p.kind) => {
            let named = format!("&from_c::<Option<{of}>>(*{name}).ok_or(Status::BadEnum)?");
            (format!("{name}: *const {c}"), format!("let {name} = get({name})?;"), named)
        }
        (Kind::Record(_), by) => {
            let given = if by == By::Reference { format!("&{name}") } else { name.clone() };
            (format!("{name}: *const {c}"), format!("let {name} = from_c(*get({name})?);"), given)
        }
        (_, By::Named) => (format!("{name}: {c}"), String::new(), format!("named::<{}>({name})", p.enumeration())),
        (_, By::Tried) => (format!("{name}: {c}"), String::new(), name.clone()),
        (Kind::Enum(_), _) => {
            let read = format!("let {name} = named({name}).ok_or(Status::BadEnum)?;");
            (format!("{name}: {c}"), read, name.clone())
        }
        (Kind::Array(of, n), _) => {
            let each: Vec<_> = (0..*n).map(|i| format!("{name}{i}")).collect();
            let params: Vec<_> = each.iter().map(|name| format!("{name}: {}", of.c(&m.scope))).collect();
            (params.join(", "), String::new(), format!("from_c([{}])", each.join(", ")))
        }
        _ => (format!("{name}: {c}"), String::new(), format!("from_c({name})")),
    }
}

/// Whether a struct has an enumeration, of which C may say what is none.
fn is_choice(m: &Machine<'_>, kind: &Kind) -> bool {
    matches!(kind, Kind::Record(of) if m.record(of).is_some_and(|r| r.is_choice))
}

fn function(m: &Machine<'_>, out: &mut String, call: &Call) -> Result<()> {
    let (name, to, object, opaque) = (m.name(), &call.out, m.fill("{o}", &[]), m.opaque());
    comment(out, "///", &call.doc);
    out.push_str("///\n");
    documented(m, out, call);
    let (mut params, mut reads, mut args) = (Vec::new(), Vec::new(), Vec::new());
    for p in &call.params {
        let (param, read, arg) = parameter(m, p);
        params.push(param);
        reads.push(read);
        args.push(arg);
    }
    let part = call.part.as_ref().map_or_else(String::new, |none| format!("{}.ok_or(Status::{none})?", call.path));
    if let Some([there, status]) = &call.needs {
        reads.push(format!("if m{}.{there}().is_none() {{ return Err(Status::{status}); }}", at(m)));
    }
    for (p, [rows, status]) in call.params.iter().zip(&call.rows) {
        let row = &p.name;
        let is_parameter = call.part.is_some() || m.parameters.iter().any(|p| p.name == *rows);
        let rows = if is_parameter { rows.clone() } else { format!("{rows}()") };
        reads.push(format!("if {row} >= m{}{part}.config().{rows} {{ return Err(Status::{status}); }}", at(m)));
    }
    reads.extend(call.room.iter().map(|room| format!("m.room({room})?;")));
    args.extend(call.tells.then(|| "&mut m.probe".to_owned()));
    let c = call.answer.kind.as_ref().map(|k| k.c(&m.scope));
    match &c {
        Some(c) if call.answer.is_each => {
            params.push(format!("{to}: *mut {c}"));
            reads.push(format!("writable_or_null({to})?;"));
        }
        Some(c) if call.answer.is_list => params.push(format!("{to}: *mut {c}, capacity: usize, count: *mut usize")),
        Some(c) => {
            params.push(format!("{to}: *mut {c}"));
            params.extend(call.present.iter().map(|present| format!("{present}: *mut u32")));
        }
        None => {}
    }
    let refused = call.error.as_ref();
    if let Some(error) = refused {
        params.push(format!("error: *mut {}", m.scope.struct_of(error)));
        reads.insert(0, "let error = writable_or_null(error)?;".into());
    }
    let on = format!("m{}", at(m));
    let reached = if call.part.is_some() { format!("{on}{part}.{}", call.method) } else { m.reached(&on, call) };
    let mut made = format!("{reached}({})", args.join(", "));
    if refused.is_some() {
        made.push_str(".map_err(|refusal| refused(error, refusal))");
    }
    // What tells its refusal has the status already.
    let is_told = refused.is_some() && c.is_some() && call.none.is_none() && call.present.is_none();
    if call.is_refusable && !call.may_lack() && !is_told && !call.blames && !call.answer.is_each {
        made.push('?');
    }
    if let Some(none) = &call.none {
        made = format!("{made}.ok_or(Status::{none})?");
    }
    let made_ok = if is_told { made.clone() } else { format!("Ok({made})") };
    let act = match &c {
        None => format!("{made}; Ok(())"),
        Some(_) if call.answer.is_each => format!("put_each({to}, {made})"),
        Some(_) if call.answer.is_list => format!("put_list({to}, capacity, count, {made}.map(|of| of.to_c()))"),
        Some(_) if let Some(present) = &call.present => {
            let copied = if call.answer.is_reference { ".copied()" } else { "" };
            format!("give_optional({to}, {present}, || Ok({made}{copied}))")
        }
        Some(_) if call.null => format!("give_unless_null({to}, || {made_ok})"),
        Some(_) if call.may_lack() => format!("give_or_zero({to}, || {made})"),
        Some(_) if call.is_verb => format!("give({to}, || {made_ok})"),
        Some(_) => format!("put({to}, {made}.to_c())"),
    };
    if call.blames {
        params.push("field: *mut *const c_char".into());
        writeln!(
            out,
            "#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn gpusched_{name}_{}({}) -> gpusched_status {{\n\
             // SAFETY: the caller's contract.\nunsafe {{ blamed({to}, field, || {{ {} Ok({made}) }}) }}\n}}\n",
            call.c,
            params.join(", "),
            reads.concat()
        )?;
        return Ok(());
    }
    let (enter, by) = match (m.has_object(), call.mutates) {
        (false, _) => (format!("read_checked({object})"), "*const"),
        (true, true) => (format!("enter::<Object>({object})"), "*mut"),
        (true, false) => (format!("inspect::<Object>({object})"), "*const"),
    };
    let reads: String = reads.concat();
    // What cannot fail.
    let (then, act) = match c.is_none() && !call.is_refusable && reads.is_empty() {
        true => ("map", format!("{{ {made}; }}")),
        false => ("and_then", act),
    };
    let body = if reads.is_empty() && !act.contains("; ") { act } else { format!("{{ {reads} {act} }}") };
    let params: String = params.iter().map(|p| format!(", {p}")).collect();
    writeln!(
        out,
        "#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn gpusched_{name}_{}({object}: {by} {opaque}{params}) -> gpusched_status {{\n\
         // SAFETY: the caller's contract.\nstatus(unsafe {{ {enter}.{then}(|m| {body}) }})\n}}\n",
        call.c
    )?;
    Ok(())
}

/// The lines about parameters and statuses.
fn documented(m: &Machine<'_>, out: &mut String, call: &Call) {
    if call.is_verb {
        let object = if m.has_object() { "The machine." } else { "An initialised configuration." };
        let object = (m.fill("{o}", &[]), object.to_owned());
        let mut told: Vec<_> = Some(object).into_iter().filter(|_| m.api().has_config()).collect();
        for p in &call.params {
            match p.kind {
                Kind::Array(_, n) => {
                    told.extend((0..n).map(|i| (format!("{}{i}", p.name), p.doc.replace("{i}", &i.to_string()))));
                }
                _ => told.push((p.name.clone(), p.doc.clone())),
            }
            if p.is_slice() {
                told.push((p.count.clone(), "Their number.".into()));
            }
        }
        if call.answer.kind.is_some() {
            let null = if call.null || call.answer.is_each { " May be null." } else { "" };
            let some = if call.present.is_some() { ", if there is one" } else { "" };
            told.push((call.out.clone(), format!("Receives {}{some}.{null}", call.gives)));
            told.extend(call.present.iter().map(|p| (p.clone(), "Receives 1 if there is one, else 0.".to_owned())));
        }
        let about = "If the machine refuses, receives what that is about. May be null.";
        told.extend(call.error.iter().map(|_| ("error".to_owned(), about.to_owned())));
        if call.blames {
            told.push(("field".into(), BLAMED.into()));
        }
        let width = told.iter().map(|(p, _)| p.len()).max().unwrap_or(0);
        for (p, words) in &told {
            let mut text = String::new();
            comment(&mut text, "///", &format!("@param {p} {words}"));
            out.push_str(&text.replacen(&format!("@param {p} "), &format!("@param {p:width$}  "), 1));
        }
    }
    if let (false, Some(present)) = (call.is_verb, &call.present) {
        comment(
            out,
            "///",
            &format!("@param {present} Receives 1 if there is one, else 0; then {} keeps what it has.", call.out),
        );
    }
    let mut statuses: Vec<String> = Vec::new();
    if !call.faults.is_empty() {
        statuses.push(call.faults.clone());
    }
    statuses.extend(call.absent().cloned());
    statuses.extend(call.room.as_ref().map(|_| "Unread".to_owned()));
    if call.answer.is_list {
        statuses.push("Capacity: count is more than capacity".into());
    }
    let is_chosen = |p: &Param| match p.by {
        By::Value => matches!(p.kind, Kind::Enum(_)),
        By::Reference | By::Slice => is_choice(m, &p.kind),
        _ => false,
    };
    if call.params.iter().any(is_chosen) {
        statuses.push("BadEnum".into());
    }
    let has_pointers =
        !m.has_object() || call.answer.kind.is_some() || call.params.iter().any(|p| p.kind.is_record() || p.is_slice());
    if has_pointers {
        statuses.push("Null, Misaligned".into());
    }
    if m.api().has_config() {
        statuses
            .push(if m.has_object() { "those of the object" } else { "BadConfig, BadStructSize, WrongVersion" }.into());
    }
    comment(out, "///", &format!("@return {}.", crate::names::capital(&statuses.join("; "))));
}
