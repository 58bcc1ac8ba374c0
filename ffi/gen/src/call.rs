//! Methods of the core as functions of C.

use anyhow::{Context, Result, bail};
use syn::Type;

use crate::api;
use crate::kind::{By, Kind};
use crate::model::Scope;
use crate::names::{faults, small};
use crate::source::{Method, inside, item_of, text};

#[derive(Clone)]
pub struct Call {
    /// The core's name; of one of a part, the part's name before it.
    pub name: String,
    /// The core's method.
    pub method: String,
    /// C's, without the machine.
    pub c: String,
    /// What vectors and tapes call it.
    pub said: String,
    /// How what has the method is reached from the object: nothing, or `.controller()`.
    pub path: String,
    /// Whether the object has it by `Deref`.
    pub is_behind: bool,
    pub doc: String,
    /// Whether something happens: it changes the object, or may be refused.
    pub is_verb: bool,
    /// Whether it may be refused.
    pub is_refusable: bool,
    /// The core's type of the refusal, if that says more than a fault.
    pub error: Option<String>,
    pub mutates: bool,
    pub params: Vec<Param>,
    pub answer: Answer,
    /// The out-parameter: its name, and what it receives.
    pub out: String,
    pub gives: String,
    /// Whether that may be null.
    pub null: bool,
    /// The out-parameter that receives whether there is an answer.
    pub present: Option<String>,
    /// The status for `None`.
    pub none: Option<String>,
    /// How many rows there are, and the status of one beyond them.
    pub rows: Vec<[String; 2]>,
    /// Statuses of the model.
    pub faults: String,
    /// C++'s name.
    pub cpp: String,
    /// Of a part that there may not be: the status that says so.
    pub part: Option<String>,
    /// Whether it tells decisions, and how many there may be.
    pub tells: bool,
    /// What must be there, and the status if it is not.
    pub needs: Option<[String; 2]>,
    pub room: Option<String>,
    /// Whether a refusal says which input is to blame.
    pub blames: bool,
}

#[derive(Clone)]
pub struct Param {
    pub name: String,
    /// The core's type.
    pub ty: String,
    pub kind: Kind,
    pub by: By,
    /// A list whose items C has in another form: the constant that says how many there may be.
    pub most: Option<String>,
    pub doc: String,
    /// In vectors.
    pub json: String,
    pub missing: Option<u32>,
    /// What C calls the number of items of a list: several lists are told apart.
    pub count: String,
}

/// What a method answers.
#[derive(Clone)]
pub struct Answer {
    /// Nothing if there is only a refusal.
    pub kind: Option<Kind>,
    /// The core's type, without references.
    pub ty: String,
    pub is_optional: bool,
    pub is_list: bool,
    /// Whether that has an item for each of the list that is given.
    pub is_each: bool,
    /// Whether the core answers with a reference.
    pub is_reference: bool,
}

impl Param {
    /// The enumeration that is named.
    pub fn enumeration(&self) -> &str {
        if let Kind::Enum(e) = &self.kind { e } else { "" }
    }

    pub fn is_slice(&self) -> bool {
        matches!(self.by, By::Slice | By::InPlace | By::OptionalSlice)
    }

    /// The core's type as a test keeps it.
    pub fn owned(&self) -> String {
        let of = self.ty.trim_start_matches("Option<").trim_end_matches('>').trim_start_matches('&').to_owned();
        match self.by {
            By::Value | By::Tried => self.ty.clone(),
            By::Named if self.kind.is_record() => format!("Option<{}>", self.kind.to_core()),
            By::Named => format!("Option<{}>", self.enumeration()),
            By::Reference => of,
            By::OptionalReference => format!("Option<{of}>"),
            By::Slice | By::InPlace => format!("Vec<{}>", self.kind.to_core()),
            By::OptionalSlice => format!("Option<Vec<{}>>", self.kind.to_core()),
        }
    }
}

impl Answer {
    /// The type that a test keeps.
    pub fn owned(&self) -> String {
        let of = if self.is_list { format!("Vec<{}>", self.ty) } else { self.ty.clone() };
        if self.is_optional { format!("Option<{of}>") } else { of }
    }

    /// Whether C says `None` with a value of the answer's type: a cycle that will not come, or a row that is not there.
    pub fn has_never(&self) -> bool {
        self.is_optional && !self.is_list && matches!(self.kind, Some(Kind::Cycle | Kind::Id(_)))
    }
}

impl Call {
    /// Statuses for what is not there.
    pub fn absent(&self) -> impl Iterator<Item = &String> {
        let needs = self.needs.iter().map(|[_, status]| status);
        self.part.iter().chain(needs).chain(self.rows.iter().map(|[_, status]| status)).chain(&self.none)
    }

    /// Whether it may be refused, and C's struct has a field that says whether there is an answer.
    pub fn may_lack(&self) -> bool {
        let is_struct = matches!(self.answer.kind, Some(Kind::Record(_)));
        self.is_refusable && self.answer.is_optional && self.present.is_none() && self.none.is_none() && is_struct
    }
}

/// Every public method of the object and of its parts.
pub fn all(scope: &Scope<'_>) -> Result<Vec<Call>> {
    let api = scope.api;
    let of = |ty: &str| scope.source.methods.get(ty).map_or(&[][..], Vec::as_slice);
    let mut calls: Vec<Call> = Vec::new();
    let behind = scope.source.behind(&api.object);
    let own = [Some(api.object.clone()), behind.clone()].into_iter().flatten().map(|ty| (String::new(), ty));
    let parts = api.parts.iter().map(|(path, ty)| (format!(".{path}()"), ty.clone()));
    for (path, ty) in own.chain(parts) {
        for method in of(&ty) {
            // What all machines have: C gets it with the object, and `validate` as the end of restoring.
            let is_lifecycle =
                ["check", "config", "with_tables", "image_len", "save", "validate"].contains(&method.name.as_str());
            let is_part = api.parts.contains_key(&method.name)
                || api.part.iter().any(|(name, part)| part.reach.as_ref().unwrap_or(name) == &method.name);
            let is_hidden = api.hidden.contains(&method.name) || api.verbs_by_hand.contains(&method.name);
            if is_lifecycle || is_part || is_hidden || calls.iter().any(|c| c.name == method.name) {
                continue;
            }
            let mut call = call(scope, &path, method).with_context(|| format!("{ty}::{}", method.name))?;
            call.is_behind = Some(&ty) == behind.as_ref();
            calls.push(call);
        }
    }
    for name in &api.of_config {
        let method = of(&api.config).iter().find(|m| m.name == *name);
        let method = method.with_context(|| format!("`of_config`: the core's configuration has no method {name}"))?;
        calls.push(call(scope, &format!("{}.config()", config_path(scope)), method)?);
    }
    calls.extend(scope.parts.iter().flat_map(crate::part::Parted::calls));
    Ok(calls)
}

/// How what has the configuration is reached from the object.
pub fn config_path(scope: &Scope<'_>) -> String {
    let has = |ty: &String| scope.source.methods.get(ty).is_some_and(|all| all.iter().any(|m| m.name == "config"));
    let part = scope.api.parts.iter().find(|(_, ty)| has(ty)).filter(|_| !has(&scope.api.object));
    part.map_or_else(String::new, |(path, _)| format!(".{path}()"))
}

fn call(scope: &Scope<'_>, path: &str, method: &Method) -> Result<Call> {
    let none = api::Call::default();
    let told = scope.api.call.get(&method.name).unwrap_or(&none);
    let is_refusable = method.answer.as_ref().is_some_and(|ty| inside(ty, "Result").is_some());
    let is_verb = is_refusable || method.mutates || told.event;
    let answer = answer(scope, method.answer.as_ref())?;
    let params = params(scope, method, told, is_verb)?;
    let out = told.out.clone().or_else(|| {
        let name = answer.kind.as_ref().filter(|_| !answer.is_list).and_then(|k| k.out_name(scope));
        let is_flag = matches!(answer.kind, Some(Kind::Bool));
        name.or_else(|| is_flag.then(|| method.name.trim_start_matches("is_").to_owned()))
    });
    let out = out.unwrap_or_else(|| if answer.is_list { "list".into() } else { method.name.clone() });
    if params.iter().any(|p| p.name == out) {
        bail!("a parameter and the result are both called {out}: say `out`");
    }
    let gives = match (&told.gives, &answer.kind) {
        (Some(gives), _) => gives.clone(),
        (None, Some(Kind::Record(_))) => small(scope.words(scope.source.doc(&answer.ty)).trim_end_matches('.')),
        (None, Some(_)) if is_verb => bail!("say what the out-parameter {out} receives: `gives`"),
        _ => String::new(),
    };
    let has_present = told.present.is_some() || is_verb && matches!(answer.kind, Some(Kind::Record(_)));
    let says_none = match &told.none {
        Some(status) => status,
        None if answer.has_never() && answer.kind == Some(Kind::Cycle) => "GPUSCHED_NEVER",
        None if answer.has_never() => "GPUSCHED_NONE",
        None if answer.is_optional && !has_present => bail!("which status stands for `None`? Say `none`"),
        None => "`None`",
    };
    Ok(Call {
        name: method.name.clone(),
        method: method.name.clone(),
        c: told.c.clone().unwrap_or_else(|| method.name.clone()),
        said: told.c.clone().unwrap_or_else(|| method.name.clone()),
        path: path.to_owned(),
        is_behind: false,
        doc: scope.words(&match says_none {
            "GPUSCHED_NEVER" => method.doc.replace("`None`", says_none),
            _ => method.doc.replace("`None` if", &format!("{says_none} if")),
        }),
        is_verb,
        is_refusable,
        error: method.answer.as_ref().and_then(refusal).filter(|error| error != "Fault" && error != "Refusal"),
        mutates: method.mutates,
        blames: method.answer.as_ref().is_some_and(|ty| text(ty).ends_with(",Refusal>")),
        params,
        answer,
        out,
        gives,
        null: told.null,
        present: told.present.clone(),
        none: told.none.clone(),
        rows: told.rows.as_ref().map(api::Rows::each).unwrap_or_default(),
        faults: faults(scope.common, scope.name, &method.doc),
        cpp: told.cpp.clone().unwrap_or_else(|| method.name.clone()),
        part: None,
        tells: method.params.iter().any(is_probe),
        needs: told.needs.clone(),
        room: told.room.clone(),
    })
}

/// The name of `E` in `Result<T, E>`.
fn refusal(ty: &Type) -> Option<String> {
    let Type::Path(p) = ty else { return None };
    let last = p.path.segments.last().filter(|last| last.ident == "Result")?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    let syn::GenericArgument::Type(error) = args.args.get(1)? else { return None };
    Some(text(error))
}

fn params(scope: &Scope<'_>, method: &Method, told: &api::Call, is_verb: bool) -> Result<Vec<Param>> {
    let is_param = |name: &String| method.params.iter().any(|p| p.name == *name);
    if let Some(name) = told
        .params
        .keys()
        .chain(told.json.keys())
        .chain(told.missing.keys())
        .chain(told.most.keys())
        .find(|n| !is_param(n))
    {
        bail!("the core's method has no parameter {name}");
    }
    let param = |p: &crate::source::Field| {
        let (kind, by) = Kind::of_parameter(scope, &p.ty).with_context(|| p.name.clone())?;
        let lies = kind.is_bits() || kind.is_record() && scope.source.is_laid(kind.to_core());
        let is_in_place = by == By::Slice && lies && !told.most.contains_key(&p.name);
        let by = if is_in_place { By::InPlace } else { by };
        let doc = told.params.get(&p.name).or_else(|| scope.common.params.get(&p.name));
        let doc = match doc {
            Some(doc) => doc.clone(),
            None if is_verb => bail!("say what the parameter {} is: `params.{}`", p.name, p.name),
            None => String::new(),
        };
        let json = told.json.get(&p.name).unwrap_or(&p.name).clone();
        Ok(Param {
            name: p.name.clone(),
            ty: if by == By::Tried { kind.c(scope) } else { text(&p.ty) },
            kind,
            by,
            most: told.most.get(&p.name).cloned(),
            doc,
            json,
            missing: told.missing.get(&p.name).copied(),
            count: "count".into(),
        })
    };
    let mut params = method.params.iter().filter(|p| !is_probe(p)).map(param).collect::<Result<Vec<_>>>()?;
    let lists = params.iter_mut().filter(|p| p.is_slice()).collect::<Vec<_>>();
    if lists.len() > 1 {
        lists.into_iter().for_each(|p| p.count = format!("{}_count", p.name));
    }
    Ok(params)
}

/// Whether it is what is told decisions, which C does not see.
fn is_probe(p: &crate::source::Field) -> bool {
    text(&p.ty) == "&mutimplProbe"
}

fn answer(scope: &Scope<'_>, ty: Option<&Type>) -> Result<Answer> {
    let nothing =
        Answer { kind: None, ty: "()".into(), is_optional: false, is_list: false, is_each: false, is_reference: false };
    let Some(ty) = ty else { return Ok(nothing) };
    let ty = inside(ty, "Result").unwrap_or(ty);
    if text(ty) == "()" {
        return Ok(nothing);
    }
    let (is_optional, ty) = inside(ty, "Option").map_or((false, ty), |of| (true, of));
    if let Type::ImplTrait(_) = ty {
        // `impl Iterator<Item = T>`.
        let all = text(ty);
        let item = all.split("Item=").nth(1).context("a list of what?")?;
        let is_reference = item.starts_with('&');
        let item = item.trim_start_matches('&');
        let item = item.split(['<', '>', '+']).next().unwrap_or(item);
        let item: Type = syn::parse_str(item)?;
        let kind = Some(Kind::of(scope, &item)?);
        return Ok(Answer { kind, ty: text(&item), is_optional, is_list: true, is_each: false, is_reference });
    }
    let name = text(ty).trim_start_matches('&').to_owned();
    let is_reference = matches!(ty, Type::Reference(_));
    if let Some(item) = item_of(ty) {
        let kind = Some(Kind::of(scope, item)?);
        return Ok(Answer { kind, ty: text(item), is_optional, is_list: false, is_each: true, is_reference });
    }
    Ok(Answer { kind: Some(Kind::of(scope, ty)?), ty: name, is_optional, is_list: false, is_each: false, is_reference })
}
