//! What a folder of the core's source says: types, methods, parameters, and the words about them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, FnArg, Ident, Item, Lit, LitInt, LitStr, Meta, Pat, ReturnType, Token, Type, Visibility};

/// A field, a parameter of a method, or a choice of a configuration.
#[derive(Clone)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    pub doc: String,
}

/// A variant of an enumeration. One around unnamed values has fields `0`, `1`, ...
pub struct Variant {
    pub name: String,
    pub fields: Vec<Field>,
    pub is_tuple: bool,
    pub doc: String,
    /// The number that the core gives it.
    pub number: Option<u32>,
}

/// What a type consists of.
pub enum Shape {
    /// Its public fields.
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
}

/// Where functions without a receiver are found among the methods: those of the type without a name.
pub const FUNCTIONS: &str = "";

/// A public method with a receiver, or a function without one.
pub struct Method {
    pub name: String,
    pub doc: String,
    pub mutates: bool,
    pub params: Vec<Field>,
    pub answer: Option<Type>,
}

/// A numeric parameter of a configuration.
pub struct Number {
    pub name: String,
    pub doc: String,
    pub unit: String,
    pub min: u64,
    pub max: u64,
    pub is_power_of_two: bool,
}

impl Number {
    /// Its unit and range, in words.
    pub fn range(&self) -> String {
        let power = if self.is_power_of_two { ", a power of two" } else { "" };
        format!("{}, {} to {}{power}.", self.unit, crate::names::limit(self.min), crate::names::limit(self.max))
    }
}

/// All of it.
#[derive(Default)]
pub struct Source {
    pub types: BTreeMap<String, Shape>,
    /// Words about types and functions.
    pub docs: BTreeMap<String, String>,
    /// Public methods by type, in the order of the files and in each of their text.
    pub methods: BTreeMap<String, Vec<Method>>,
    /// Enumerations that a configuration chooses from, in order.
    pub choices: Vec<String>,
    /// Parameters by the type of the configuration.
    pub parameters: BTreeMap<String, Parameters>,
    /// Parts of a configuration: the type, and which parameters of its machine it has.
    pub parts: BTreeMap<String, Vec<String>>,
    /// Other names of types.
    pub aliases: BTreeMap<String, Type>,
    /// Names of rows.
    pub ids: Vec<String>,
    /// The number in each.
    pub widths: BTreeMap<String, String>,
    /// Types that are copied.
    copied: BTreeSet<String>,
    /// Machines on tables.
    on_tables: BTreeSet<String>,
    /// What types stand for by `Deref`.
    behind: BTreeMap<String, Type>,
    /// Structs that lie as C lays them.
    laid: BTreeSet<String>,
    /// Types that are a number and lie as it does.
    transparent: BTreeMap<String, String>,
}

impl Source {
    /// Reads the files of these folders; a path may also be one file.
    pub fn read(root: &Path, paths: &[String]) -> Result<Self> {
        let mut source = Self::default();
        for path in paths {
            for file in files(&root.join(path))? {
                let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
                let parsed = syn::parse_file(&text).with_context(|| file.display().to_string())?;
                for item in parsed.items {
                    source.item(item).with_context(|| file.display().to_string())?;
                }
            }
        }
        Ok(source)
    }

    fn item(&mut self, item: Item) -> Result<()> {
        match item {
            Item::Struct(s) => {
                self.docs.insert(s.ident.to_string(), doc(&s.attrs));
                self.derives(&s.ident, &s.attrs);
                if s.generics.type_params().next().is_some() {
                    self.on_tables.insert(s.ident.to_string());
                }
                let is_laid = |how: &str| {
                    s.attrs.iter().any(
                        |a| matches!(&a.meta, Meta::List(l) if l.path.is_ident("repr") && l.tokens.to_string() == how),
                    )
                };
                if is_laid("C") {
                    self.laid.insert(s.ident.to_string());
                }
                if let (true, Some(field)) = (is_laid("transparent"), s.fields.iter().next()) {
                    self.transparent.insert(s.ident.to_string(), text(&field.ty));
                }
                self.types.insert(s.ident.to_string(), Shape::Struct(fields(&s.fields, false)));
            }
            Item::Enum(e) => {
                self.derives(&e.ident, &e.attrs);
                self.an_enum(&e);
            }
            Item::Impl(i) if i.trait_.is_none() => {
                let Some(of) = named(&i.self_ty) else { return Ok(()) };
                let methods = i.items.iter().filter_map(method);
                self.methods.entry(of).or_default().extend(methods);
            }
            Item::Impl(i) if i.trait_.as_ref().is_some_and(|(_, of, _)| of.is_ident("Deref")) => {
                let target = i.items.into_iter().find_map(|item| match item {
                    syn::ImplItem::Type(target) => Some(target.ty),
                    _ => None,
                });
                self.behind.extend(named(&i.self_ty).zip(target));
            }
            Item::Type(t) => {
                self.aliases.insert(t.ident.to_string(), *t.ty);
            }
            Item::Fn(f) => {
                self.docs.insert(f.sig.ident.to_string(), doc(&f.attrs));
                if matches!(f.vis, Visibility::Public(_)) {
                    let functions = self.methods.entry(FUNCTIONS.to_owned()).or_default();
                    functions.push(of_signature(&f.sig, &f.attrs, false));
                }
            }
            Item::Macro(m) if m.mac.path.is_ident("choice") => {
                let e: syn::ItemEnum = syn::parse2(m.mac.tokens)?;
                self.choices.push(e.ident.to_string());
                self.an_enum(&e);
            }
            Item::Macro(m) if m.mac.path.is_ident("parameters") => {
                let Configured { ty, parameters } = syn::parse2(m.mac.tokens)?;
                self.parameters.insert(ty, parameters);
            }
            Item::Macro(m) if m.mac.path.is_ident("part") => {
                let Part { ty, own } = syn::parse2(m.mac.tokens)?;
                self.parts.insert(ty, own);
            }
            Item::Macro(m) if m.mac.path.is_ident("id") => {
                let Id { name, doc, width, is_public } = syn::parse2(m.mac.tokens)?;
                if is_public {
                    self.docs.insert(name.clone(), doc);
                    self.widths.insert(name.clone(), width);
                    self.ids.push(name);
                }
            }
            // A macro around a struct.
            Item::Macro(m) => {
                if let Ok(of) = syn::parse2(m.mac.tokens) {
                    self.item(Item::Struct(of))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn derives(&mut self, name: &Ident, attrs: &[Attribute]) {
        let copies = |a: &Attribute| {
            let Meta::List(list) = &a.meta else { return false };
            list.path.is_ident("derive") && list.tokens.to_string().split([',', ' ']).any(|word| word == "Copy")
        };
        if attrs.iter().any(copies) {
            self.copied.insert(name.to_string());
        }
    }

    /// Whether values of a type are copied; what is no type of this folder is.
    pub fn is_copied(&self, name: &str) -> bool {
        self.copied.contains(name) || self.choices.iter().any(|c| c == name) || !self.types.contains_key(name)
    }

    /// Whether a machine lives on tables, and is not one plain value.
    pub fn is_on_tables(&self, name: &str) -> bool {
        self.on_tables.contains(name)
    }

    /// The type whose methods another one has by `Deref`.
    pub fn behind(&self, name: &str) -> Option<String> {
        let target = named(self.behind.get(name)?)?;
        self.aliases.get(&target).map_or(Some(target), named)
    }

    /// Whether a struct lies as C lays it.
    pub fn is_laid(&self, name: &str) -> bool {
        self.laid.contains(name)
    }

    /// The number as which a type lies.
    pub fn transparent(&self, name: &str) -> Option<&String> {
        self.transparent.get(name)
    }

    fn an_enum(&mut self, e: &syn::ItemEnum) {
        let number = |e: &Expr| match e {
            Expr::Lit(syn::ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse().ok(),
            _ => None,
        };
        let variant = |v: &syn::Variant| Variant {
            name: v.ident.to_string(),
            fields: fields(&v.fields, true),
            is_tuple: matches!(v.fields, syn::Fields::Unnamed(_)),
            doc: doc(&v.attrs),
            number: v.discriminant.as_ref().and_then(|(_, e)| number(e)),
        };
        self.docs.insert(e.ident.to_string(), doc(&e.attrs));
        self.types.insert(e.ident.to_string(), Shape::Enum(e.variants.iter().map(variant).collect()));
    }

    /// The variants of an enumeration.
    pub fn variants(&self, name: &str) -> Option<&[Variant]> {
        if let Some(Shape::Enum(variants)) = self.types.get(name) { Some(variants) } else { None }
    }

    /// The variants of an enumeration whose variants hold nothing.
    pub fn plain(&self, name: &str) -> Option<&[Variant]> {
        self.variants(name).filter(|all| all.iter().all(|v| v.fields.is_empty()))
    }

    /// Words about a type or a function.
    pub fn doc(&self, name: &str) -> &str {
        self.docs.get(name).map_or("", String::as_str)
    }
}

/// The name of a type, without where it is and what it is made of.
fn named(ty: &Type) -> Option<String> {
    let Type::Path(p) = ty else { return None };
    p.path.segments.last().map(|last| last.ident.to_string())
}

/// A type as text, without spaces.
pub fn text(ty: &Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "")
}

/// The argument of `Outer<X>`.
pub fn inside<'a>(ty: &'a Type, outer: &str) -> Option<&'a Type> {
    let Type::Path(p) = ty else { return None };
    argument(&p.path, outer)
}

/// The item of a slice that is lent.
pub fn item_of(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(lent) if let Type::Slice(list) = &*lent.elem => Some(&list.elem),
        _ => None,
    }
}

/// The first argument of a path that ends with `outer`.
pub fn argument<'a>(path: &'a syn::Path, outer: &str) -> Option<&'a Type> {
    let last = path.segments.last()?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match args.args.first()? {
        syn::GenericArgument::Type(ty) if last.ident == outer => Some(ty),
        _ => None,
    }
}

/// `mod.rs` first, as a reader would; then by name.
fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let listed = fs::read_dir(path).with_context(|| path.display().to_string())?;
    let mut files: Vec<_> = listed.map(|f| Ok(f?.path())).collect::<Result<_>>()?;
    files.retain(|f| f.extension().is_some_and(|e| e == "rs") && f.file_stem().is_none_or(|name| name != "image"));
    files.sort_by_key(|f| (!f.ends_with("mod.rs"), f.clone()));
    Ok(files)
}

fn doc(attrs: &[Attribute]) -> String {
    let line = |a: &Attribute| match &a.meta {
        Meta::NameValue(syn::MetaNameValue {
            path, value: Expr::Lit(syn::ExprLit { lit: Lit::Str(s), .. }), ..
        }) if path.is_ident("doc") => Some(s.value().trim().to_owned()),
        _ => None,
    };
    attrs.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

fn fields(of: &syn::Fields, all: bool) -> Vec<Field> {
    let public = of.iter().filter(|f| all || matches!(f.vis, Visibility::Public(_)));
    let field = |(i, f): (usize, &syn::Field)| Field {
        name: f.ident.as_ref().map_or_else(|| i.to_string(), Ident::to_string),
        ty: f.ty.clone(),
        doc: doc(&f.attrs),
    };
    public.enumerate().map(field).collect()
}

fn method(item: &syn::ImplItem) -> Option<Method> {
    let syn::ImplItem::Fn(f) = item else { return None };
    let Some(FnArg::Receiver(me)) = f.sig.inputs.first() else { return None };
    let is_hidden = f.attrs.iter().any(|a| matches!(&a.meta, Meta::List(l) if l.tokens.to_string() == "hidden"));
    if !matches!(f.vis, Visibility::Public(_)) || is_hidden {
        return None;
    }
    Some(of_signature(&f.sig, &f.attrs, me.mutability.is_some()))
}

fn of_signature(sig: &syn::Signature, attrs: &[Attribute], mutates: bool) -> Method {
    let param = |a: &FnArg| match a {
        FnArg::Typed(t) => match &*t.pat {
            Pat::Ident(name) => Some(Field { name: name.ident.to_string(), ty: (*t.ty).clone(), doc: String::new() }),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    };
    Method {
        name: sig.ident.to_string(),
        doc: doc(attrs),
        mutates,
        params: sig.inputs.iter().filter_map(param).collect(),
        answer: match &sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some((**ty).clone()),
        },
    }
}

/// `id! { /// words pub Name(repr) }`.
struct Id {
    name: String,
    doc: String,
    width: String,
    is_public: bool,
}

impl Parse for Id {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let doc = doc(&input.call(Attribute::parse_outer)?);
        let is_public = matches!(input.parse()?, Visibility::Public(_));
        let name = input.parse::<Ident>()?.to_string();
        let inside;
        syn::parenthesized!(inside in input);
        Ok(Self { name, doc, width: inside.parse::<Ident>()?.to_string(), is_public })
    }
}

/// `part! { /// words pub struct Name of ...; own { name: Type, } ... }`.
struct Part {
    ty: String,
    own: Vec<String>,
}

impl Parse for Part {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        input.parse::<Token![struct]>()?;
        let ty = input.parse::<Ident>()?.to_string();
        declared(input)?;
        input.parse::<Ident>()?;
        let body;
        syn::braced!(body in input);
        let own = body.parse_terminated(syn::Field::parse_named, Token![,])?;
        while !input.is_empty() {
            input.parse::<TokenTree>()?;
        }
        Ok(Self { ty, own: own.iter().filter_map(|f| Some(f.ident.as_ref()?.to_string())).collect() })
    }
}

/// Parameters of a configuration.
pub struct Parameters {
    pub numbers: Vec<Number>,
    pub chosen: Vec<Field>,
}

/// `parameters!`: the type of the configuration, and what it has.
struct Configured {
    ty: String,
    parameters: Parameters,
}

impl Parse for Configured {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        // The preset is not needed.
        let (ty, _) = (declared(input)?, declared(input)?);
        let (mut numbers, mut chosen) = (Vec::new(), Vec::new());
        input.parse::<Ident>()?;
        let body;
        syn::braced!(body in input);
        while !body.is_empty() {
            let doc = doc(&body.call(Attribute::parse_outer)?);
            let name = body.parse::<Ident>()?.to_string();
            body.parse::<Token![:]>()?;
            let unit = body.parse::<LitStr>()?.value();
            body.parse::<Token![=]>()?;
            body.parse::<LitInt>()?;
            body.parse::<Token![in]>()?;
            let min = body.parse::<LitInt>()?.base10_parse()?;
            body.parse::<Token![..=]>()?;
            let max = body.parse::<LitInt>()?.base10_parse()?;
            let mut is_power_of_two = false;
            while !body.peek(Token![;]) {
                is_power_of_two |= body.parse::<TokenTree>()?.to_string() == "(power_of_two)";
            }
            body.parse::<Token![;]>()?;
            numbers.push(Number { name, doc, unit, min, max, is_power_of_two });
        }
        input.parse::<Ident>()?;
        let body;
        syn::braced!(body in input);
        while !body.is_empty() {
            let doc = doc(&body.call(Attribute::parse_outer)?);
            let name = body.parse::<Ident>()?.to_string();
            body.parse::<Token![:]>()?;
            let ty = body.parse::<Type>()?;
            body.parse::<Token![=]>()?;
            body.parse::<Expr>()?;
            body.parse::<Token![;]>()?;
            chosen.push(Field { name, ty, doc });
        }
        while !input.is_empty() {
            input.parse::<TokenTree>()?;
        }
        Ok(Self { ty, parameters: Parameters { numbers, chosen } })
    }
}

/// The name that stands before the next semicolon.
fn declared(input: ParseStream<'_>) -> syn::Result<String> {
    let mut name = String::new();
    while !input.peek(Token![;]) {
        name = input.parse::<TokenTree>()?.to_string();
    }
    input.parse::<Token![;]>()?;
    Ok(name)
}
