//! A machine as all outputs see it: the core's source and the description, joined and checked.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use crate::api::{Api, ByHand, Common};
use crate::call::{Call, Param};
use crate::kind::{By, Kind};
use crate::names::{self, camel, snake};
use crate::record::Record;
use crate::source::{Field, Shape, Source, Variant, text};

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
}

impl Scope<'_> {
    /// What C's types begin with.
    pub fn family(&self) -> &str {
        self.api.family.as_deref().unwrap_or(self.name)
    }

    /// The number in the name of a row.
    pub fn width(&self, id: &str) -> String {
        self.source.widths.get(id).or_else(|| self.common_source.widths.get(id)).cloned().unwrap_or_default()
    }

    /// The core's words in C's.
    pub fn words(&self, doc: &str) -> String {
        names::words(self.common, self.name, doc)
    }

    pub fn is_id(&self, name: &str) -> bool {
        self.source.ids.iter().chain(&self.common_source.ids).any(|id| id == name)
    }

    /// How a type is written by hand, if it is.
    pub fn by_hand(&self, name: &str) -> Option<&ByHand> {
        self.api.types.get(name).or_else(|| self.common.types.get(name))
    }

    /// Whether a type of the core is a struct of C that is derived.
    pub fn is_record(&self, name: &str) -> bool {
        self.api.record.contains_key(name)
    }

    /// `placed`.
    pub fn short_of(&self, name: &str) -> String {
        if name == self.api.storage.record {
            return "storage".into();
        }
        let told = self.api.record.get(name).and_then(|r| r.c.clone());
        told.unwrap_or_else(|| self.api.names.get(name).cloned().unwrap_or_else(|| snake(name)))
    }

    /// `gpusched_laperm_placed`.
    pub fn struct_of(&self, name: &str) -> String {
        let whose = if name == self.api.storage.record { self.name } else { self.family() };
        self.by_hand(name).map_or_else(|| format!("gpusched_{whose}_{}", self.short_of(name)), |t| t.c.clone())
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
        match (self.by_hand(name), self.source.types.get(name)) {
            (Some(by_hand), _) => by_hand.is_raw,
            (None, Some(Shape::Struct(fields))) => {
                self.api.record.get(name).is_some_and(|told| told.raw) || fields.iter().all(is_number)
            }
            _ => false,
        }
    }

    /// `gpusched_laperm_stage`.
    pub fn enum_of(&self, name: &str) -> String {
        format!("gpusched_{}_{}", self.family(), self.short_of(name))
    }
}

/// An enumeration of C.
pub struct Enum {
    /// `gpusched_laperm_stage`.
    pub c: String,
    /// `Stage`.
    pub cpp: String,
    pub doc: String,
    pub values: Vec<Value>,
    pub of: Of,
}

/// A value of an enumeration.
pub struct Value {
    pub name: String,
    pub doc: String,
    pub number: u32,
}

/// What an enumeration of C stands for.
pub enum Of {
    /// An enumeration of the core that a configuration chooses from.
    Choice(String),
    /// Another one of the core.
    Plain(String),
    /// One of the core, or none, which is 0.
    Optional(String),
    /// The variants of a record.
    Tag,
    /// What a configuration is filled with.
    Preset,
}

/// A parameter of the configuration.
pub struct Parameter {
    pub name: String,
    pub doc: String,
    pub of: Choice,
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
        let records = crate::record::all(&scope, &calls)?;
        let by_hand = scope.api.types.values().map(|t| t.c.clone());
        let structs: Vec<_> = records.iter().map(|r| r.c.clone()).chain(by_hand).collect();
        for call in &mut calls {
            // A function cannot have the name of a struct.
            if structs.contains(&format!("gpusched_{}_{}", scope.name, call.c)) {
                call.c = format!("get_{}", call.c);
            }
        }
        let (verbs, queries): (Vec<_>, _) = calls.into_iter().partition(|c| c.is_verb);
        let parameters = parameters(&scope)?;
        let enums = enums(&scope, &records, &verbs);
        let machine = Self { scope, enums, parameters, records, verbs, queries };
        machine.check_description()?;
        Ok(machine)
    }

    pub fn name(&self) -> &str {
        self.scope.name
    }

    /// What words call the machine.
    pub fn title(&self) -> &str {
        self.api().title.as_ref().unwrap_or(&self.api().object)
    }

    /// What C calls the object in parameters.
    pub fn it(&self) -> &str {
        self.name().rsplit('_').next().unwrap_or(self.name())
    }

    pub fn api(&self) -> &Api {
        self.scope.api
    }

    /// The module of crate `gpusched`.
    pub fn module(&self) -> &str {
        self.api().module.as_deref().unwrap_or(self.name())
    }

    /// Whether it lives on tables; else it is one plain value.
    pub fn has_tables(&self) -> bool {
        self.scope.source.generic.contains(&self.api().object)
    }

    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.verbs.iter().chain(&self.queries)
    }

    /// Verbs that are written by hand: the core's names, and words about them.
    pub fn verbs_by_hand(&self) -> impl Iterator<Item = (&str, String)> {
        let methods = || self.scope.source.methods.get(&self.api().object).into_iter().flatten();
        let doc = move |name: &str| methods().find(|m| m.name == name).map_or("", |m| &m.doc);
        self.api().verbs_by_hand.iter().map(move |name| (name.as_str(), self.scope.words(doc(name))))
    }

    pub fn record(&self, core: &str) -> Option<&Record> {
        self.records.iter().find(|r| r.core == core)
    }

    /// A template with this machine's names.
    pub fn fill(&self, template: &str, with: &[(&str, &str)]) -> String {
        let api = self.api();
        let core = api.core.join(", core/src/");
        let (generics, of, uses) =
            if self.has_tables() { ("<T: Tables>", "{O}<T>", "{{O}, Tables}") } else { ("", "{O}", "{O}") };
        let pairs = [
            ("{generics}", generics),
            ("{O of T}", of),
            ("{O and Tables}", uses),
            ("{m}", self.name()),
            ("{it}", self.it()),
            ("{title}", self.title()),
            ("{M}", &self.name().to_uppercase()),
            ("{Face}", &camel(self.name())),
            ("{Class}", api.cpp.as_ref().unwrap_or(&api.object)),
            ("{O}", &api.object),
            ("{Config}", &api.config),
            ("{module}", self.module()),
            ("{kind}", &api.kind.to_string()),
            ("{first}", &api.first_size.to_string()),
            ("{PRESET}", &api.preset),
            ("{preset_doc}", &api.preset_doc),
            ("{StorageBits}", &api.storage.record),
            ("{storage}", &self.scope.short_of(&api.storage.record)),
            ("{storage_bits}", &api.storage.function),
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
        for name in api.record.keys() {
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
        Ok(())
    }
}

fn parameters(scope: &Scope<'_>) -> Result<Vec<Parameter>> {
    let (name, api) = (scope.name, scope.api);
    let mut all = Vec::new();
    let Some(parameters) = scope.source.parameters.get(&api.config) else { return Ok(all) };
    for n in &parameters.numbers {
        let words = scope.words(&n.doc);
        let range = format!("{}, {} to {}.", n.unit, names::limit(n.min), names::limit(n.max));
        all.push(Parameter {
            name: n.name.clone(),
            doc: format!("{}; {range}", words.trim_end_matches('.')),
            of: Choice::Number,
        });
    }
    for f in &parameters.chosen {
        let (ty, words) = (text(&f.ty), scope.words(&f.doc));
        let words = words.trim_end_matches('.');
        if let Some(fields) = api.fields.get(&f.name) {
            all.push(Parameter { name: f.name.clone(), doc: String::new(), of: Choice::ByHand(fields.clone()) });
            continue;
        }
        all.push(match ty.as_str() {
            "bool" => Parameter { name: f.name.clone(), doc: format!("{words}; 0 or 1."), of: Choice::Flag },
            _ => Parameter {
                name: f.name.clone(),
                doc: format!("{}: {words}.", scope.enum_of(&ty)),
                of: Choice::Enum(ty),
            },
        });
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

fn numbered(scope: &Scope<'_>, variants: &[Variant]) -> Vec<Value> {
    let value = |(i, v): (usize, &Variant)| Value {
        name: v.name.clone(),
        doc: scope.words(&v.doc),
        number: v.number.unwrap_or(i as u32),
    };
    variants.iter().enumerate().map(value).collect()
}

fn enums(scope: &Scope<'_>, records: &[Record], verbs: &[Call]) -> Vec<Enum> {
    let source = scope.source;
    let mut all: Vec<Enum> = Vec::new();
    let presets = scope.api.presets.iter().zip(0..);
    let presets: Vec<Value> =
        presets.map(|([name, doc], number)| Value { name: name.clone(), doc: doc.clone(), number }).collect();
    if !presets.is_empty() {
        let (c, doc) = (format!("gpusched_{}_preset", scope.name), "What a configuration is filled with.".into());
        all.push(Enum { c, cpp: "Preset".into(), doc, values: presets, of: Of::Preset });
    }
    // What C says by a number that may be none is found in the same way as what a configuration chooses.
    let named = verbs.iter().flat_map(|c| &c.params).filter(|p| p.by == By::Named).map(Param::enumeration);
    let chosen = source.parameters.get(&scope.api.config).map_or(&[][..], |p| &p.chosen);
    let choices = source.choices.iter().filter(|e| chosen.iter().any(|f| text(&f.ty) == **e)).map(String::as_str);
    for choice in choices.chain(named) {
        let (c, doc) = (scope.enum_of(choice), scope.words(source.doc(choice)));
        if all.iter().any(|known| known.c == c) {
            continue;
        }
        let values = numbered(scope, source.plain(choice).unwrap_or_default());
        all.push(Enum { c, cpp: choice.into(), doc, values, of: Of::Choice(choice.into()) });
    }
    for record in records {
        if let Some(tag) = &record.tag {
            let value = |(i, case): (usize, &crate::record::Case)| Value {
                name: case.value.clone(),
                doc: case.doc.clone(),
                number: i as u32,
            };
            all.push(Enum {
                c: format!("gpusched_{}_{tag}", scope.family()),
                cpp: camel(tag),
                doc: format!("{} `{tag}` of {}.", record.doc, record.c).replace('`', ""),
                values: record.cases.iter().enumerate().map(value).collect(),
                of: Of::Tag,
            });
        }
        for (e, is_optional) in record.enums() {
            let (c, doc) = (scope.enum_of(&e), scope.words(source.doc(&e)));
            if all.iter().any(|known| known.c == c) {
                continue;
            }
            let mut values = numbered(scope, source.plain(&e).unwrap_or_default());
            if is_optional {
                values.iter_mut().for_each(|v| v.number += 1);
                values.insert(0, Value { name: "None".into(), doc: "None.".into(), number: 0 });
            }
            all.push(Enum {
                c,
                cpp: e.clone(),
                doc,
                values,
                of: if is_optional { Of::Optional(e) } else { Of::Plain(e) },
            });
        }
    }
    all
}
