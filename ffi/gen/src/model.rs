//! A machine as all outputs see it: the core's source and the description, joined and checked.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use crate::api::{Api, ByHand, Common};
use crate::call::Call;
use crate::enums::Enum;
use crate::kind::Kind;
use crate::names::{self, camel, snake};
use crate::part::{Parted, Section};
use crate::record::Record;
use crate::source::{Field, Shape, Source, text};

/// What names mean.
pub struct Scope<'a> {
    /// The machine's name in C.
    pub name: &'a str,
    pub source: &'a Source,
    /// The ids that all machines know.
    pub common_source: &'a Source,
    pub api: &'a Api,
    pub common: &'a Common,
    /// Fields of structs, in the order that programs were built with.
    pub order: BTreeMap<String, Vec<String>>,
    /// Values of enumerations, with the numbers that programs were built with.
    pub numbers: BTreeMap<String, Vec<(String, u32)>>,
    /// The machine that this is one of several objects of.
    pub of: Option<&'a Machine<'a>>,
    /// Machines that may be part of it.
    pub parts: &'a [Parted],
}

impl Scope<'_> {
    /// The core's words in C's.
    pub fn words(&self, doc: &str) -> String {
        names::words(self.common, self.name, doc)
    }

    pub fn is_id(&self, name: &str) -> bool {
        self.api.numbers.iter().any(|id| id == name)
            || self.sources().any(|source| source.ids.iter().any(|id| id == name))
    }

    /// The number as which a type lies.
    pub fn transparent(&self, name: &str) -> Option<&String> {
        self.sources().find_map(|source| source.transparent(name))
    }

    /// The part that alone has a type which is no struct.
    fn whose(&self, name: &str) -> Option<&Parted> {
        let is_number = |source: &Source| source.ids.iter().any(|id| id == name) || source.transparent(name).is_some();
        let has = |source: &Source| is_number(source) || source.plain(name).is_some();
        self.parts.iter().find(|part| part.types().is_some_and(has)).filter(|_| !has(self.source))
    }

    /// Such a type behind the part's module.
    pub fn foreign(&self, name: &str) -> Option<String> {
        self.whose(name).map(|part| format!("{}::{name}", part.module))
    }

    /// An enumeration in C++.
    pub fn cpp_enum(&self, name: &str) -> String {
        self.whose(name).map_or_else(|| name.to_owned(), |part| format!("{}::{name}", part.family))
    }

    /// Where types may be: the machine's files, those that all have, those of its parts.
    fn sources(&self) -> impl Iterator<Item = &Source> {
        [self.source, self.common_source].into_iter().chain(self.parts.iter().filter_map(Parted::types))
    }

    /// How a type is written by hand, if it is.
    pub fn by_hand(&self, name: &str) -> Option<&ByHand> {
        self.api.types.get(name).or_else(|| self.common.types.get(name))
    }

    /// Whose configuration it has: its own, or that of the machine which this is one of several objects of.
    pub fn owner(&self) -> &str {
        self.of.map_or(self.name, Machine::name)
    }

    /// What types are called after.
    pub fn family(&self) -> &str {
        self.api.family.as_deref().unwrap_or(self.owner())
    }

    /// The number in the name of a row.
    pub fn width(&self, id: &str) -> String {
        self.sources().find_map(|source| source.widths.get(id)).cloned().unwrap_or_default()
    }

    /// Whether the struct of a type is that of the machine which this is one object of.
    pub fn is_shared(&self, name: &str) -> bool {
        self.of.is_some_and(|whole| whole.record(name).is_some())
    }

    /// Whether a type of the core is a struct of C that is derived.
    pub fn is_record(&self, name: &str) -> bool {
        self.api.record.contains_key(name)
    }

    /// `placed`.
    pub fn short_of(&self, name: &str) -> String {
        if name == self.api.storage_record() {
            return "storage".into();
        }
        let told = self.api.record.get(name).and_then(|r| r.c.clone());
        told.unwrap_or_else(|| self.api.names.get(name).cloned().unwrap_or_else(|| snake(name)))
    }

    /// `gpusched_laperm_placed`.
    pub fn struct_of(&self, name: &str) -> String {
        let whose = if name == self.api.storage_record() { self.owner() } else { self.family() };
        self.by_hand(name).map_or_else(|| type_of(whose, &self.short_of(name)), |t| t.c.clone())
    }

    /// The class in C++.
    pub fn class_of(&self, name: &str) -> String {
        let derived = || self.api.record.get(name).and_then(|r| r.cpp.clone()).unwrap_or_else(|| name.to_owned());
        self.by_hand(name).map_or_else(derived, |t| t.cpp.clone())
    }

    /// Whether C++ has no class for a struct: its fields are numbers, which it sees as they are.
    pub fn is_raw(&self, name: &str) -> bool {
        let is_number = |f: &Field| match Kind::of(self, &f.ty) {
            Ok(Kind::Number(_)) => true,
            Ok(Kind::Record(name)) => self.by_hand(&name).is_some_and(|t| t.is_raw),
            _ => false,
        };
        if self.api.record.get(name).is_some_and(|r| r.raw) {
            return true;
        }
        match (self.by_hand(name), self.source.types.get(name)) {
            (Some(by_hand), _) => by_hand.is_raw,
            (None, Some(Shape::Struct(fields))) => fields.iter().all(is_number),
            _ => false,
        }
    }

    /// The enumeration of a tag; that of a refusal is the status that comes with it.
    pub fn tag_of(&self, tag: &str) -> String {
        if tag == STATUS { "gpusched_status".into() } else { type_of(self.family(), tag) }
    }

    /// `gpusched_laperm_stage`.
    pub fn enum_of(&self, name: &str) -> String {
        type_of(self.family(), &self.short_of(name))
    }

    /// `gpusched_mascar_preset`.
    pub fn preset_type(&self) -> String {
        type_of(self.family(), self.api.preset_type.as_deref().unwrap_or("preset"))
    }
}

/// A type of C; those of the front end begin with nothing else.
pub fn type_of(whose: &str, short: &str) -> String {
    if whose.is_empty() { format!("gpusched_{short}") } else { format!("gpusched_{whose}_{short}") }
}

/// The tag of a refusal that says more than its status.
pub const STATUS: &str = "status";

/// A parameter of the configuration.
pub struct Parameter {
    pub name: String,
    pub doc: String,
    pub of: Choice,
    /// Of a part: its section of the configuration, and the core's name.
    pub part: Option<Section>,
}

/// What a parameter is set to.
#[derive(PartialEq)]
pub enum Choice {
    Number,
    Flag,
    /// The enumeration, in the core's words.
    Enum(String),
    /// Fields of C that are written by hand: name, type, words.
    ByHand(Vec<[String; 3]>),
}

impl Parameter {
    /// The fields of C, if they are written by hand.
    pub fn fields(&self) -> Option<&[[String; 3]]> {
        if let Choice::ByHand(fields) = &self.of { Some(fields) } else { None }
    }

    /// C's name, and the core's if that is another one; and what else is told.
    pub fn of_core(&self, what: &str) -> String {
        let own = self.part.as_ref().map_or_else(String::new, |s| format!(" = {}", s.own));
        format!("{}{own}{what}", self.name)
    }
}

pub struct Machine<'a> {
    pub scope: Scope<'a>,
    pub enums: Vec<Enum>,
    /// In C's order.
    pub parameters: Vec<Parameter>,
    pub records: Vec<Record>,
    /// Methods that may be refused, in the core's order.
    pub verbs: Vec<Call>,
    /// The others.
    pub queries: Vec<Call>,
}

impl<'a> Machine<'a> {
    pub fn new(scope: Scope<'a>) -> Result<Self> {
        let mut calls = crate::call::all(&scope)?;
        let records = crate::need::all(&scope, &calls)?;
        let parameters = parameters(&scope)?;
        let enums = crate::enums::all(&scope, &records, &calls);
        let own = records.iter().map(|r| &r.c).chain(enums.iter().map(|e| &e.c));
        let types: Vec<_> = own.chain(scope.api.types.values().map(|t| &t.c)).cloned().collect();
        let is_type = |name: &String| types.contains(name) || scope.of.is_some_and(|whole| whole.has_type(name));
        for call in &mut calls {
            // A function cannot have the name of a type.
            if is_type(&format!("gpusched_{}_{}", scope.name, call.c)) {
                call.c = format!("get_{}", call.c);
            }
        }
        let (verbs, queries): (Vec<_>, _) = calls.into_iter().partition(|c| c.is_verb);
        let machine = Self { scope, enums, parameters, records, verbs, queries };
        machine.check_description()?;
        Ok(machine)
    }

    pub fn name(&self) -> &str {
        self.scope.name
    }

    pub fn api(&self) -> &Api {
        self.scope.api
    }

    /// The module of crate `gpusched`.
    pub fn module(&self) -> &str {
        self.api().module.as_deref().unwrap_or(self.scope.family())
    }

    /// Whether C has a type of this name.
    fn has_type(&self, name: &str) -> bool {
        self.records.iter().any(|r| r.c == name) || self.enums.iter().any(|e| e.c == name)
    }

    /// Whether there is an object, and not only functions of a configuration.
    pub fn has_object(&self) -> bool {
        self.api().has_object()
    }

    /// What C's functions are of: the object, or the configuration.
    pub fn opaque(&self) -> String {
        if self.has_object() { format!("gpusched_{}", self.name()) } else { format!("gpusched_{}_config", self.name()) }
    }

    /// Whether the configuration is its own, and not that of the machine which this is one object of.
    pub fn has_config(&self) -> bool {
        self.scope.of.is_none() && self.api().has_config()
    }

    /// How a call of the core begins, of what is reached by `on`.
    pub fn reached(&self, on: &str, call: &Call) -> String {
        match self.api().has_config() {
            true => format!("{on}{}.{}", call.path, call.method),
            false => format!("gpusched::{}::{}", self.module(), call.method),
        }
    }

    /// Whether a value has parts that are no integers, and so no order and no hash.
    pub fn is_float(&self, kind: &Kind) -> bool {
        match kind {
            Kind::Number(n) => n == "f64",
            Kind::Record(name) => self.record(name).is_some_and(|r| self.has_floats(r)),
            Kind::Optional(of) | Kind::Array(of, _) => self.is_float(of),
            _ => false,
        }
    }

    /// Whether a struct has such parts.
    pub fn has_floats(&self, r: &Record) -> bool {
        r.cases.iter().flat_map(|c| &c.leaves).any(|leaf| self.is_float(&leaf.kind))
    }

    /// Whether the object lives on tables, and is not one plain value.
    pub fn is_on_tables(&self) -> bool {
        self.scope.source.is_on_tables(&self.api().object)
    }

    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.verbs.iter().chain(&self.queries)
    }

    /// What tests ask: queries, and, of a machine whose verbs are by hand in the tests, verbs that change nothing.
    pub fn asked(&self) -> impl Iterator<Item = &Call> {
        let decides = self.api().decides;
        self.queries.iter().chain(self.verbs.iter().filter(move |c| decides && !c.mutates))
    }

    /// The record of what its verbs are refused with, if that says more than a fault.
    pub fn error(&self) -> Option<&Record> {
        self.verbs.iter().find_map(|c| self.record(c.error.as_ref()?))
    }

    /// The core's type of what a verb is refused with.
    pub fn refusal(&self) -> &str {
        self.error().map_or("Fault", |error| &error.core)
    }

    /// Verbs that are written by hand: the core's names, and words about them.
    pub fn verbs_by_hand(&self) -> impl Iterator<Item = (&str, String)> {
        let methods = || self.scope.source.methods.get(&self.api().object).into_iter().flatten();
        let doc = move |name: &str| methods().find(|m| m.name == name).map_or("", |m| &m.doc);
        self.api().verbs_by_hand.iter().map(move |name| (name.as_str(), self.scope.words(doc(name))))
    }

    /// Sections of the configuration: of each part one.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        let all = self.parameters.iter().filter_map(|p| p.part.as_ref());
        let mut seen = Vec::new();
        all.filter(move |s| {
            !seen.contains(&&s.part) && {
                seen.push(&s.part);
                true
            }
        })
    }

    pub fn record(&self, core: &str) -> Option<&Record> {
        let own = self.records.iter().find(|r| r.core == core);
        own.or_else(|| self.scope.of.and_then(|whole| whole.record(core)))
    }

    /// A template with this machine's names.
    pub fn fill(&self, template: &str, with: &[(&str, &str)]) -> String {
        let api = self.api();
        let core = api.core.join(", core/src/");
        let owner = self.scope.owner();
        let object = self.name().strip_prefix(self.scope.family()).map_or("", |rest| rest.trim_start_matches('_'));
        let (tables, rows) = if self.is_on_tables() { ("<T: Tables>", "<T>") } else { ("", "") };
        let pairs = [
            (
                "{o}",
                if !self.has_object() {
                    "config"
                } else if object.is_empty() {
                    self.name()
                } else {
                    object
                },
            ),
            ("{<T: Tables>}", tables),
            ("{<T>}", rows),
            ("{t}", owner),
            ("{T}", &owner.to_uppercase()),
            ("{title}", api.title.as_ref().unwrap_or(&api.object)),
            ("{m}", self.name()),
            ("{M}", &self.name().to_uppercase()),
            ("{Face}", &camel(self.name())),
            ("{Class}", api.cpp.as_ref().unwrap_or(&api.object)),
            ("{O}", &api.object),
            ("{Config}", &api.config),
            ("{module}::", &if self.module().is_empty() { String::new() } else { format!("{}::", self.module()) }),
            ("{module}", self.module()),
            ("{kind}", &api.kind.to_string()),
            ("{first}", &api.first_size.to_string()),
            ("{PRESET}", &api.preset),
            ("{preset_doc}", &api.preset_doc),
            ("{StorageBits}", api.storage_record()),
            ("{storage}", &self.scope.short_of(api.storage_record())),
            ("{storage_bits}", api.storage.as_ref().map_or("", |storage| &storage.function)),
            ("{image_config}", &api.image_config),
            ("{config_path}", &crate::call::config_path(&self.scope)),
            ("{core}", &core),
        ];
        let filled = with.iter().fold(template.to_owned(), |text, (key, value)| text.replace(key, value));
        pairs.iter().fold(filled, |text, (key, value)| text.replace(key, value))
    }

    /// What is described is there.
    fn check_description(&self) -> Result<()> {
        let (api, source) = (self.api(), self.scope.source);
        for name in api.call.keys() {
            ensure!(self.calls().any(|c| c.name == *name), "`call.{name}`: the core has no such method");
        }
        for name in api.record.keys().filter(|name| !self.scope.is_shared(name)) {
            ensure!(source.types.contains_key(name), "`record.{name}`: the core has no such type");
            ensure!(self.record(name).is_some(), "`record.{name}`: no function tells or takes it");
        }
        for name in api.names.keys() {
            ensure!(source.types.contains_key(name), "`names.{name}`: the core has no such type");
        }
        for name in api.hidden.iter().chain(&api.verbs_by_hand) {
            let known = source.methods.values().flatten().any(|m| m.name == *name);
            ensure!(known, "`hidden`, `verbs_by_hand`: the core has no method {name}");
        }
        let in_calls = self.calls().flat_map(|c| c.params.iter().map(|p| &p.name).chain([&c.out]));
        let in_structs = self.records.iter().flat_map(|r| &r.fields).map(|f| &f.name);
        for name in in_calls.chain(in_structs).chain(self.parameters.iter().map(|p| &p.name)) {
            ensure!(!names::is_keyword(name), "{name} is a word of C or C++: the core must call it otherwise");
        }
        Ok(())
    }
}

fn parameters(scope: &Scope<'_>) -> Result<Vec<Parameter>> {
    let (name, api) = (scope.owner(), scope.api);
    let mut all = Vec::new();
    let Some(parameters) = scope.source.parameters.get(&api.config) else { return Ok(all) };
    for n in &parameters.numbers {
        let words = scope.words(&n.doc);
        all.push(Parameter {
            name: n.name.clone(),
            doc: format!("{}; {}", words.trim_end_matches('.'), n.range()),
            of: Choice::Number,
            part: None,
        });
    }
    for f in &parameters.chosen {
        let (ty, words) = (text(&f.ty), scope.words(&f.doc));
        let words = words.trim_end_matches('.');
        if let Some(fields) = api.fields.get(&f.name) {
            all.push(Parameter {
                name: f.name.clone(),
                doc: String::new(),
                of: Choice::ByHand(fields.clone()),
                part: None,
            });
            continue;
        }
        all.push(match ty.as_str() {
            "bool" => {
                Parameter { name: f.name.clone(), doc: format!("{words}; 0 or 1."), of: Choice::Flag, part: None }
            }
            _ => Parameter {
                name: f.name.clone(),
                doc: format!("{}: {words}.", scope.enum_of(&ty)),
                of: Choice::Enum(ty),
                part: None,
            },
        });
    }
    // What only C has.
    let is_known = |name: &String, all: &[Parameter]| all.iter().any(|p| p.name == *name);
    for (name, fields) in &api.fields {
        if !is_known(name, &all) {
            let of = Choice::ByHand(fields.clone());
            all.push(Parameter { name: name.clone(), doc: String::new(), of, part: None });
        }
    }
    for part in scope.parts {
        all.extend(part.parameters(scope)?);
    }
    for (name, doc) in &api.params {
        let found = all.iter_mut().find(|p| p.name == *name);
        found.with_context(|| format!("`params.{name}`: the core has no such parameter"))?.doc.clone_from(doc);
    }
    let held = scope.order.get(&format!("gpusched_{name}_config"));
    let held = held.map_or(&[][..], Vec::as_slice);
    all.sort_by_key(|p| held.iter().position(|h| *h == p.name).unwrap_or(usize::MAX));
    Ok(all)
}
