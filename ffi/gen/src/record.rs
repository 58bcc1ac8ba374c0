//! Types of the core as structs of C.
//!
//! A struct is its fields; parts of it that C has no struct for are laid flat. An enumeration with contents is a tag and the union of the
//! contents. The order of fields is the lock's; new ones come behind, and in a new struct the widest come first.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail, ensure};

use crate::api;
use crate::kind::Kind;
use crate::model::Scope;
use crate::names::snake;
use crate::source::{Field, Shape, Variant, inside, text};

pub struct Record {
    /// The core's type.
    pub core: String,
    /// `gpusched_laperm_placed`.
    pub c: String,
    pub doc: String,
    /// The field that says which case it is.
    pub tag: Option<String>,
    pub cases: Vec<Case>,
    /// In C's order.
    pub fields: Vec<Place>,
    /// Whether a function takes it.
    pub is_input: bool,
    /// Whether a function takes it or none, since numbers in it may name nothing.
    pub is_named: bool,
    /// Whether they may.
    pub is_partial: bool,
    /// Whether that is so because of an enumeration.
    pub is_choice: bool,
    /// Whether a function tells it.
    pub is_output: bool,
    /// C++: the variant that has a class of its own.
    pub class: Option<String>,
}

/// A field of C.
pub struct Place {
    pub name: String,
    pub doc: String,
    pub of: Content,
}

/// What a field of C holds.
#[derive(Clone)]
pub enum Content {
    Tag,
    Value(Kind),
    /// Whether the field of this name says something.
    Flag,
    /// Whether the whole says something.
    Present,
    /// 0, so that the struct has no padding where another one holds it.
    Reserved,
    /// What a method of the core's type tells.
    Method,
    /// A list of these, in an array of this length.
    List(Kind, String),
    /// How many of that array are the list.
    Count,
}

/// One form of a record.
pub struct Case {
    /// The tag's value.
    pub value: String,
    pub doc: String,
    /// The variant in the core, empty in a struct.
    pub variant: String,
    /// The core's value: a pattern that binds every leaf by its name, and the same with `{name}` for what a leaf is built of.
    pub pattern: String,
    pub build: String,
    pub leaves: Vec<Leaf>,
    /// Fields that C has as GPUSCHED_NONE.
    pub none: Vec<String>,
}

#[derive(Clone)]
pub struct Leaf {
    pub name: String,
    /// The core's value, where the pattern has bound its names.
    pub value: String,
    pub kind: Kind,
    /// The core's type, if that must be told.
    pub ty: Option<String>,
    /// The field of C that says whether there is a value.
    pub flag: Option<String>,
    /// A list of `kind`: the field of C that counts, and the length of the array.
    pub list: Option<[String; 2]>,
    pub doc: String,
}

impl Leaf {
    /// A field under its own name.
    pub fn of(f: &Field) -> Self {
        let (name, doc) = (f.name.clone(), f.doc.clone());
        Self { value: name.clone(), name, kind: Kind::Bool, ty: None, flag: None, list: None, doc }
    }
}

impl Record {
    /// Enumerations of the core among the fields, and whether they are optional.
    pub fn enums(&self) -> Vec<(String, bool)> {
        let of = |place: &Place| match &place.of {
            Content::Value(Kind::Enum(e)) => Some((e.clone(), false)),
            Content::Value(Kind::Optional(of)) => match &**of {
                Kind::Enum(e) => Some((e.clone(), true)),
                _ => None,
            },
            _ => None,
        };
        self.fields.iter().filter_map(of).collect()
    }

    /// Records of which it consists.
    pub fn parts<'r>(&'r self, scope: &Scope<'_>) -> impl Iterator<Item = &'r str> {
        self.fields.iter().filter_map(move |place| match &place.of {
            Content::Value(kind) | Content::List(kind, _) => kind.derived_record(scope),
            _ => None,
        })
    }

    /// Whether a field holds another type of the core.
    pub fn has_part(&self, core: &str) -> bool {
        let is = |kind: &Kind| matches!(kind, Kind::Record(part) if part == core);
        self.fields.iter().any(|f| matches!(&f.of, Content::Value(kind) | Content::List(kind, _) if is(kind)))
    }

    pub fn has_present(&self) -> bool {
        self.fields.iter().any(|f| matches!(f.of, Content::Present))
    }
}

/// A type of the core in C. `present`: whether a field says that there is one.
pub fn record(scope: &Scope<'_>, name: &str, api: &api::Record, present: bool, methods: &[String]) -> Result<Record> {
    let cases = match scope.source.types.get(name).context("the core has no such type")? {
        Shape::Struct(fields) => {
            let flat = flatten(scope, name, fields, api)?;
            vec![flat.case(String::new(), String::new(), String::new())]
        }
        Shape::Enum(variants) => {
            let cases = variants.iter().map(|v| cases_of(scope, name, api, v)).collect::<Result<Vec<_>>>()?;
            cases.into_iter().flatten().collect()
        }
    };
    let is_sum = cases.iter().any(|c| !c.variant.is_empty());
    ensure!(is_sum == api.tag.is_some(), "an enumeration with contents needs a `tag`, and only it");
    let c = scope.struct_of(name);
    let mut fields = places(scope, api, &cases, present)?;
    for method in methods {
        let of = scope.source.methods.get(name).and_then(|all| all.iter().find(|m| m.name == *method));
        let of = of.with_context(|| format!("the core has no method {method}"))?;
        fields.push(Place { name: method.clone(), doc: scope.words(&of.doc), of: Content::Method });
    }
    check(api, &fields)?;
    let held = scope.order.get(&c).map_or(&[][..], Vec::as_slice);
    let width = |f: &Place| match &f.of {
        Content::Value(kind) => kind.c(scope).contains("32"),
        Content::Method | Content::List(..) => false,
        _ => true,
    };
    fields.sort_by_key(|f| (held.iter().position(|h| *h == f.name).unwrap_or(usize::MAX), width(f)));
    let (core, tag, class) = (name.to_owned(), api.tag.clone(), api.class.clone());
    let doc = scope.words(scope.source.doc(name));
    let (is_input, is_named, is_partial, is_choice, is_output) = (false, false, false, false, false);
    Ok(Record { core, c, doc, tag, cases, fields, is_input, is_named, is_partial, is_choice, is_output, class })
}

fn check(api: &api::Record, fields: &[Place]) -> Result<()> {
    let has = |name: &str| fields.iter().any(|f| f.name == name);
    for name in api.doc.keys().chain(api.flags.keys()) {
        ensure!(has(name), "the core has no field {name}");
    }
    let mut seen = BTreeSet::new();
    match fields.iter().find(|f| !seen.insert(&f.name)) {
        Some(twice) => bail!("two fields are called {}", twice.name),
        None => Ok(()),
    }
}

/// The union of what the cases hold.
fn places(scope: &Scope<'_>, api: &api::Record, cases: &[Case], present: bool) -> Result<Vec<Place>> {
    let mut places: Vec<Place> = Vec::new();
    if let Some(tag) = &api.tag {
        places.push(Place { name: tag.clone(), doc: format!("{}.", scope.tag_of(tag)), of: Content::Tag });
    }
    let is_none = |name: &str| cases.iter().any(|c| c.none.iter().any(|n| n == name));
    for leaf in cases.iter().flat_map(|c| &c.leaves) {
        let kind = match &leaf.kind {
            Kind::Id(_) if is_none(&leaf.name) => Kind::Optional(Box::new(leaf.kind.clone())),
            kind => kind.clone(),
        };
        if let Some(known) = places.iter_mut().find(|p| p.name == leaf.name) {
            if let Content::Value(of) = &known.of {
                ensure!(of.bare() == kind.bare(), "the field {} is of two kinds", leaf.name);
            }
            // Where one case always has it and another may lack it, C says so by the same number.
            if matches!(kind, Kind::Optional(_)) {
                known.of = Content::Value(kind);
            }
            continue;
        }
        if let Some([count, length]) = &leaf.list {
            let count_doc = api.doc.get(count).cloned().unwrap_or_else(|| format!("Their number: {}.", leaf.name));
            places.push(Place { name: count.clone(), doc: count_doc, of: Content::Count });
            let doc = api.doc.get(&leaf.name).cloned().unwrap_or_else(|| scope.words(&leaf.doc));
            places.push(Place { name: leaf.name.clone(), doc, of: Content::List(kind, length.clone()) });
            continue;
        }
        // What C says for `None`, where it is not the common word.
        let said = match (&leaf.flag, &kind) {
            (Some(flag), _) => leaf.doc.replace("`None`", &format!("{flag} 0")),
            (None, Kind::Optional(of)) if **of == Kind::Cycle => leaf.doc.replace("`None`", "GPUSCHED_NEVER"),
            _ => leaf.doc.clone(),
        };
        let mut doc = api.doc.get(&leaf.name).cloned().unwrap_or_else(|| scope.words(&said));
        if let Some(e) = enum_name(&leaf.kind) {
            doc = format!("{}: {}", scope.enum_of(e), crate::names::small(&doc));
        }
        places.push(Place { name: leaf.name.clone(), doc, of: Content::Value(kind) });
        if let Some(flag) = &leaf.flag {
            let doc = format!("1 if {} says something, else 0.", leaf.name);
            places.push(Place { name: flag.clone(), doc, of: Content::Flag });
        }
    }
    if present {
        let doc = "1 if there is some, else 0 and all fields are 0.".into();
        places.push(Place { name: "present".into(), doc, of: Content::Present });
    }
    if api.reserved {
        places.push(Place { name: "reserved".into(), doc: "0.".into(), of: Content::Reserved });
    }
    Ok(places)
}

fn enum_name(kind: &Kind) -> Option<&str> {
    match kind {
        Kind::Enum(e) => Some(e),
        Kind::Optional(of) => enum_name(of),
        _ => None,
    }
}

fn cases_of(scope: &Scope<'_>, of: &str, api: &api::Record, v: &Variant) -> Result<Vec<Case>> {
    let source = scope.source;
    let value = |name: &str| api.values.get(name).cloned().unwrap_or_else(|| name.to_owned());
    let path = format!("{of}::{}", v.name);
    if !v.is_tuple {
        let flat = flatten(scope, &path, &v.fields, api)?;
        return Ok(vec![flat.case(value(&v.name), scope.words(&v.doc), v.name.clone()).lacking(api)]);
    }
    ensure!(v.fields.len() == 1, "{path} holds several values without names");
    let held = &v.fields[0];
    let payload = text(&held.ty);
    // A variant around an enumeration is as many values of the tag.
    if let Some(inner) = source.plain(&payload) {
        let case = |i: &Variant| {
            let whole = format!("{path}({payload}::{})", i.name);
            let flat = Flat { pattern: whole.clone(), build: whole, leaves: Vec::new() };
            flat.case(value(&i.name), scope.words(&i.doc), v.name.clone()).lacking(api)
        };
        return Ok(inner.iter().map(case).collect());
    }
    let Some(Shape::Struct(fields)) = source.types.get(&payload) else {
        // A variant around a value: its field is called as the kind is.
        let kind = Kind::of(scope, &held.ty)?;
        let name = api.value.clone().or_else(|| kind.out_name(scope)).unwrap_or_else(|| snake(&v.name));
        let field = Field { name: name.clone(), ty: held.ty.clone(), doc: v.doc.clone() };
        let mut flat = flatten(scope, "", std::slice::from_ref(&field), api)?;
        flat.pattern = format!("{path}({name})");
        flat.build = format!("{path}({{{name}}})");
        return Ok(vec![flat.case(value(&v.name), scope.words(&v.doc), v.name.clone()).lacking(api)]);
    };
    // So is one whose contents say why by an enumeration that C does not have as a field: that of a stall.
    let is_why = |f: &&Field| source.plain(&text(&f.ty)).is_some() && api.hidden.contains(&f.name);
    let Some(why) = fields.iter().find(is_why) else {
        let flat = flatten(scope, &payload, fields, api)?.within(&path);
        return Ok(vec![flat.case(value(&v.name), scope.words(&v.doc), v.name.clone()).lacking(api)]);
    };
    let rest: Vec<Field> = fields.iter().filter(|f| f.name != why.name).cloned().collect();
    let why_type = text(&why.ty);
    let case = |i: &Variant| {
        let mut flat = flatten(scope, &payload, &rest, api)?;
        let told = format!("{{ {}: {why_type}::{}, ", why.name, i.name);
        flat.pattern = flat.pattern.replacen("{ ", &told, 1);
        flat.build = flat.build.replacen("{ ", &told, 1);
        Ok(flat.within(&path).case(value(&i.name), scope.words(&i.doc), v.name.clone()).lacking(api))
    };
    source.plain(&why_type).unwrap_or_default().iter().map(case).collect()
}

/// A struct or the contents of a variant, laid flat.
struct Flat {
    pattern: String,
    build: String,
    leaves: Vec<Leaf>,
}

impl Flat {
    fn within(self, path: &str) -> Self {
        Self { pattern: format!("{path}({})", self.pattern), build: format!("{path}({})", self.build), ..self }
    }

    fn case(self, value: String, doc: String, variant: String) -> Case {
        let Self { pattern, build, leaves } = self;
        Case { value, doc, variant, pattern, build, leaves, none: Vec::new() }
    }
}

impl Case {
    /// Tells what the case lacks.
    fn lacking(mut self, api: &api::Record) -> Self {
        let of = |absent: &String| {
            let (variant, field) = absent.split_once('.')?;
            (variant == self.variant).then(|| field.to_owned())
        };
        self.none = api.none.iter().filter_map(of).collect();
        self
    }
}

fn flatten(scope: &Scope<'_>, path: &str, fields: &[Field], api: &api::Record) -> Result<Flat> {
    if fields.is_empty() {
        return Ok(Flat { pattern: path.into(), build: path.into(), leaves: Vec::new() });
    }
    let (mut patterns, mut builds, mut leaves, mut rest) = (Vec::new(), Vec::new(), Vec::new(), false);
    for f in fields {
        let name = &f.name;
        if api.hidden.contains(name) {
            rest = true;
            continue;
        }
        if let Some(names) = api.flat.get(name) {
            let (build, all) =
                crate::flat::optional_struct(scope, f, names).with_context(|| format!("`flat.{name}`"))?;
            patterns.push(name.clone());
            builds.push(format!("{name}: {build}"));
            leaves.extend(all);
            continue;
        }
        if let Some(list) = api.lists.get(name) {
            patterns.push(name.clone());
            builds.push(format!("{name}: {{{name}}}"));
            leaves.push(crate::flat::list(scope, f, list)?);
            continue;
        }
        let flag = api.flags.get(name).cloned();
        let ty =
            if flag.is_some() { inside(&f.ty, "Option").context("a field with a flag is no `Option`")? } else { &f.ty };
        match (Kind::of(scope, ty), scope.source.types.get(&text(ty))) {
            (Ok(kind), _) => {
                patterns.push(name.clone());
                builds.push(format!("{name}: {{{name}}}"));
                leaves.push(Leaf { kind, flag, ..Leaf::of(f) });
            }
            (Err(_), Some(Shape::Struct(inner))) => {
                let flat = flatten(scope, &text(ty), inner, api)?;
                patterns.push(format!("{name}: {}", flat.pattern));
                builds.push(format!("{name}: {}", flat.build));
                leaves.extend(flat.leaves);
            }
            (Err(error), _) => {
                return Err(error.context(format!("the field {name}: list it in `hidden` or `flags`, or")));
            }
        }
    }
    if rest {
        patterns.push("..".into());
    }
    let (pattern, build) = (patterns.join(", "), builds.join(", "));
    Ok(Flat { pattern: format!("{path} {{ {pattern} }}"), build: format!("{path} {{ {build} }}"), leaves })
}
