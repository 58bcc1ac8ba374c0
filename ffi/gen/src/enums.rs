//! Enumerations of C.

use crate::call::{Call, Param};
use crate::kind::Kind;
use crate::model::{STATUS, Scope};
use crate::names::camel;
use crate::record::{Case, Record};
use crate::source::{Variant, text};

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
    /// Which variant of one of the core it is, whatever that holds.
    Variant(String),
    /// One of the core, or none, which is 0.
    Optional(String),
    /// The variants of a record.
    Tag,
    /// What a configuration is filled with.
    Preset,
}

fn numbered(scope: &Scope<'_>, variants: &[Variant]) -> Vec<Value> {
    // As in Rust, one without a number of its own counts on.
    let mut next = 0;
    let value = |v: &Variant| {
        let number = v.number.unwrap_or(next);
        next = number + 1;
        Value { name: v.name.clone(), doc: scope.words(&v.doc), number }
    };
    variants.iter().map(value).collect()
}

/// Those that a machine needs.
pub fn all(scope: &Scope<'_>, records: &[Record], calls: &[Call]) -> Vec<Enum> {
    let source = scope.source;
    let mut all: Vec<Enum> = Vec::new();
    let presets = scope.api.presets.iter().filter(|_| scope.of.is_none()).zip(0..);
    let presets: Vec<Value> =
        presets.map(|([name, doc], number)| Value { name: name.clone(), doc: doc.clone(), number }).collect();
    if !presets.is_empty() {
        let (c, doc) = (scope.preset_type(), "What a configuration is filled with.".into());
        all.push(Enum {
            c,
            cpp: camel(scope.api.preset_type.as_deref().unwrap_or("preset")),
            doc,
            values: presets,
            of: Of::Preset,
        });
    }
    for (name, cpp) in &scope.api.enums {
        let (c, doc) = (scope.enum_of(name), scope.words(source.doc(name)));
        let mut values = numbered(scope, source.variants(name).unwrap_or_default());
        let held = scope.numbers.get(&c).map_or(&[][..], Vec::as_slice);
        let mut beyond = held.iter().map(|(_, number)| number + 1).max().unwrap_or(0)..;
        for value in &mut values {
            let known = held.iter().find(|(name, _)| *name == value.name).map(|(_, number)| *number);
            value.number = known.or_else(|| beyond.next()).unwrap_or_default();
        }
        values.sort_by_key(|value| value.number);
        let of = if source.plain(name).is_some() { Of::Plain(name.clone()) } else { Of::Variant(name.clone()) };
        all.push(Enum { c, cpp: cpp.clone(), doc, values, of });
    }
    // What functions of a part need is the part's.
    let calls: Vec<_> = calls.iter().filter(|c| c.part.is_none()).collect();
    // What C says by a number that may be none is found in the same way as what a configuration chooses.
    let named = calls.iter().flat_map(|c| &c.params).map(Param::enumeration).filter(|e| !e.is_empty());
    let told =
        calls.iter().filter_map(|c| if let Some(Kind::Enum(e)) = &c.answer.kind { Some(e.as_str()) } else { None });
    let of_parts = scope.parts.iter().filter(|part| part.is_own()).map(crate::part::Parted::config);
    let configs = [scope.api.config.as_str()].into_iter().chain(of_parts);
    let parameters: Vec<_> = configs.filter_map(|of| source.parameters.get(of)).flat_map(|all| &all.chosen).collect();
    let choices =
        source.choices.iter().filter(|e| parameters.iter().any(|f| text(&f.ty) == **e) && source.plain(e).is_some());
    for choice in choices.map(String::as_str).chain(named).chain(told) {
        if all.iter().any(|known| known.cpp == choice) {
            continue;
        }
        let (c, doc) = (scope.enum_of(choice), scope.words(source.doc(choice)));
        let values = numbered(scope, source.plain(choice).unwrap_or_default());
        all.push(Enum { c, cpp: choice.into(), doc, values, of: Of::Choice(choice.into()) });
    }
    for record in records {
        if let Some(tag) = record.tag.as_ref().filter(|tag| *tag != STATUS) {
            let value =
                |(i, case): (usize, &Case)| Value { name: case.value.clone(), doc: case.doc.clone(), number: i as u32 };
            all.push(Enum {
                c: scope.tag_of(tag),
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
            let is_counted = values.iter().zip(0..).all(|(value, i)| value.number == i);
            let of = match is_optional {
                true => Of::Optional(e.clone()),
                // The objects of this machine may take it.
                false if is_counted && !scope.api.has_object() => Of::Choice(e.clone()),
                false => Of::Plain(e.clone()),
            };
            all.push(Enum { c, cpp: e, doc, values, of });
        }
    }
    all.retain(|e| !scope.of.is_some_and(|whole| whole.enums.iter().any(|known| known.c == e.c)));
    all
}
