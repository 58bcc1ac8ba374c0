//! Machines that may be part of another one: that machine has their queries and their parameters, too.

use anyhow::{Context, Result, bail};

use crate::api::{Api, ByHand, Part};
use crate::call::Call;
use crate::model::{Choice, Machine, Parameter, Scope, type_of};
use crate::names;
use crate::source::{Source, text};

/// A part, and what is derived of its own description.
pub struct Parted {
    /// The part's name.
    pub name: String,
    /// The method that reaches it.
    reach: String,
    pub family: String,
    /// Its description.
    of: String,
    title: String,
    none: String,
    /// The method that tells its configuration, if that is none of its own.
    config_method: Option<String>,
    /// The part's type in the core.
    core: String,
    /// Its configuration.
    config: String,
    source: Source,
    /// The files of its own description, and the module that has its types.
    files: Option<Source>,
    pub module: String,
    /// Its queries.
    queries: Vec<Call>,
    /// Its records, by the core's names.
    types: Vec<(String, ByHand)>,
}

/// Where a parameter of a part belongs.
#[derive(Clone)]
pub struct Section {
    /// The part.
    pub part: String,
    /// Its type in the core.
    pub core: String,
    /// The core's name of the parameter.
    pub own: String,
    /// What C and C++ call the enumerations after.
    pub family: String,
    /// The module of the tests that has them.
    pub module: String,
}

impl Section {
    /// Whether what it chooses from is the other machine's.
    pub fn is_own(&self) -> bool {
        self.family.is_empty()
    }
}

impl Parted {
    /// `machine` is that of the part's own description, if there is one.
    pub fn new(name: &str, part: &Part, source: Source, machine: Option<&Machine<'_>>) -> Self {
        let module = machine.map_or_else(String::new, |m| m.module().to_owned());
        let [core, _, config] = part.parameters.clone();
        let family = part.family.clone().unwrap_or_else(|| name.to_owned());
        let (mut queries, mut types) = (Vec::new(), Vec::new());
        if let Some(m) = machine {
            let is_told = |c: &&Call| !part.none.is_empty() && !part.hidden.contains(&c.name) && !c.mutates;
            // Those of a part of it, if it has such a part, are those that both have.
            let inner = m.api().parts.keys().next().map(|path| format!(".{path}()")).unwrap_or_default();
            queries = m.queries.iter().filter(is_told).filter(|c| c.path == inner).cloned().collect();
            types = crate::part::types(m, &family);
        }
        let (title, none) = (part.title.clone(), part.none.clone());
        let of = part.of.clone().unwrap_or_else(|| name.to_owned());
        let reach = part.reach.clone().unwrap_or_else(|| name.to_owned());
        Self {
            name: name.to_owned(),
            reach,
            family,
            of,
            title,
            none,
            core,
            config,
            source,
            files: None,
            config_method: part.config.clone(),
            module,
            queries,
            types,
        }
    }

    /// Whether what it chooses from is the other machine's: it has no description.
    pub fn is_own(&self) -> bool {
        self.family.is_empty()
    }

    /// Its configuration.
    pub fn config(&self) -> &str {
        &self.config
    }

    /// With the files of its own description.
    pub fn of(self, files: Source) -> Self {
        Self { files: Some(files), ..self }
    }

    /// Where its types are.
    pub fn types(&self) -> Option<&Source> {
        self.files.as_ref()
    }

    /// Its types, but for those that the other machine has itself.
    pub fn add_types(&self, api: &mut Api, source: &Source) {
        let foreign = self.types.iter().filter(|(name, _)| !source.types.contains_key(name));
        foreign.for_each(|(name, by_hand)| drop(api.types.insert(name.clone(), by_hand.clone())));
    }

    /// Its queries as the other machine's.
    pub fn calls(&self) -> Vec<Call> {
        let name = &self.reach;
        let of = |call: &Call| Call {
            name: format!("{name}_{}", call.name),
            c: format!("{name}_{}", call.c.trim_start_matches("get_")),
            said: format!("{name}_{}", call.said),
            cpp: format!("{name}_{}", call.cpp),
            path: format!(".{name}()"),
            part: Some(self.none.clone()),
            ..call.clone()
        };
        self.queries.iter().map(of).collect()
    }

    /// How the other machine tells its configuration: a template, filled as far as it is about the part.
    pub fn told_config(&self, template: &str) -> String {
        let of = self.config_method.as_ref().unwrap_or(&self.reach);
        let config = if self.config_method.is_some() { "&part" } else { "part.config()" };
        let with = [
            ("{part}", self.title.as_str()),
            ("{family}", &self.family),
            ("{reach}", &self.reach),
            ("{none}", &self.none),
            ("{of}", of),
            ("{config}", config),
        ];
        with.iter().fold(template.to_owned(), |text, (key, value)| text.replace(key, value))
    }

    /// Its parameters as the other machine's: those that the core's part has.
    pub fn parameters(&self, scope: &Scope<'_>) -> Result<Vec<Parameter>> {
        let all = self.source.parameters.get(&self.config).with_context(|| self.config.clone())?;
        // What has no machine of its own has all that it declares.
        let declared =
            || all.numbers.iter().map(|n| &n.name).chain(all.chosen.iter().map(|f| &f.name)).cloned().collect();
        let owns: Vec<_> = match scope.source.parts.get(&self.core) {
            Some(owns) => owns.clone(),
            None if self.core == self.config => declared(),
            None => bail!("the core has no part {}", self.core),
        };
        let of = |own: &String| {
            let words = |doc: &str| {
                format!("{}: {}", self.title, names::words(scope.common, &self.name, doc).trim_end_matches('.'))
            };
            let number = all.numbers.iter().find(|n| n.name == *own);
            let chosen = all.chosen.iter().find(|f| f.name == *own);
            let (doc, of) = match (number, chosen) {
                (Some(n), _) => (format!("{}; {}", words(&n.doc), n.range()), Choice::Number),
                (None, Some(f)) if text(&f.ty) == "bool" => (format!("{}; 0 or 1.", words(&f.doc)), Choice::Flag),
                (None, f) => {
                    let f = f.with_context(|| format!("{} has no parameter {own}", self.config))?;
                    let e = text(&f.ty);
                    let c = if self.is_own() { scope.enum_of(&e) } else { type_of(&self.family, &names::snake(&e)) };
                    (
                        format!(
                            "{}: {c}: {}.",
                            self.title,
                            names::small(&names::words(scope.common, &self.name, &f.doc)).trim_end_matches('.')
                        ),
                        Choice::Enum(e),
                    )
                }
            };
            let part = Section {
                part: self.name.clone(),
                core: self.core.clone(),
                own: own.clone(),
                family: self.family.clone(),
                module: self.of.clone(),
            };
            Ok(Parameter { name: format!("{}_{own}", self.name), doc, of, part: Some(part) })
        };
        owns.iter().map(of).collect()
    }
}

/// The structs of a machine, as another one sees them.
fn types(m: &Machine<'_>, family: &str) -> Vec<(String, ByHand)> {
    let core = m.module().to_owned();
    let own = m.records.iter().map(|r| {
        let (cpp, is_raw) = (format!("{family}::{}", m.scope.class_of(&r.core)), m.scope.is_raw(&r.core));
        (r.core.clone(), ByHand { c: r.c.clone(), cpp, module: m.name().to_owned(), is_raw, core: core.clone() })
    });
    let by_hand = m.api().types.iter().map(|(name, t)| {
        let cpp = format!("{family}::{}", t.cpp);
        (name.clone(), ByHand { cpp, module: m.name().to_owned(), core: core.clone(), ..t.clone() })
    });
    own.chain(by_hand).collect()
}
