//! How a value of the core travels: what it is in C and in C++.
//!
//! Conversions are no matter of the generator. Rust finds them by the type: `ToC` and `FromC` of the ABI crate, `Told` and `Argument` of
//! the tests. So a new kind is a line or two here, and a few impls by hand there.

use anyhow::{Result, bail};
use quote::ToTokens;
use syn::Type;

use crate::model::Scope;
use crate::names::snake;
use crate::source::{argument, inside, item_of, text};

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `u8`, `u16`, `u32`, `u64`, `usize`, `i32`, `f64`.
    Number(String),
    Bool,
    Cycle,
    /// The name of a row.
    Id(String),
    /// A type that lies as a number does, and that number.
    Bits(String, String),
    /// An enumeration whose variants hold nothing.
    Enum(String),
    /// A struct in C.
    Record(String),
    /// An id, a cycle, an enumeration or a `u32` that C has a number for where there is none.
    Optional(Box<Self>),
    /// So many of a kind.
    Array(Box<Self>, usize),
}

/// How a parameter is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum By {
    Value,
    /// `impl Into<Option<T>>`: an enumeration of which C may say a number that is none, or a struct with such a one.
    Named,
    /// `impl TryInto<T>`: a number of which the machine says whether it is one.
    Tried,
    Reference,
    /// `Option<&T>`.
    OptionalReference,
    /// `&[T]`.
    Slice,
    /// The same of what lies as a number does.
    InPlace,
    /// `Option<&[T]>`.
    OptionalSlice,
}

impl Kind {
    /// What it is where it is not missing.
    pub fn bare(&self) -> &Self {
        if let Self::Optional(of) = self { of } else { self }
    }

    /// The kind of a type, if it has one.
    pub fn of(scope: &Scope<'_>, ty: &Type) -> Result<Self> {
        if scope.by_hand(&text(ty)).is_some() {
            return Ok(Self::Record(text(ty)));
        }
        if let Some(of) = inside(ty, "Option") {
            return match Self::of(scope, of)? {
                kind @ (Self::Cycle | Self::Id(_) | Self::Enum(_)) => Ok(Self::Optional(Box::new(kind))),
                Self::Number(n) if n == "u32" => Ok(Self::Optional(Box::new(Self::Number(n)))),
                _ => bail!("C has no number for `None` of {}", text(of)),
            };
        }
        if let Type::Array(array) = ty {
            let length = array.len.to_token_stream().to_string().parse()?;
            return Ok(Self::Array(Box::new(Self::of(scope, &array.elem)?), length));
        }
        let name = text(ty).trim_start_matches('&').to_owned();
        let name = name.rsplit("::").next().unwrap_or(&name).to_owned();
        Ok(match name.as_str() {
            "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "f64" => Self::Number(name),
            "bool" => Self::Bool,
            "Cycle" => Self::Cycle,
            _ if scope.is_id(&name) => Self::Id(name),
            _ if let Some(bits) = scope.transparent(&name) => Self::Bits(name, bits.clone()),
            _ if scope.by_hand(&name).is_some() => Self::Record(name),
            _ if scope.source.plain(&name).is_some() || scope.api.enums.contains_key(&name) => Self::Enum(name),
            _ if scope.is_record(&name) => Self::Record(name),
            _ => bail!("{name} has no form in C: list it under `record` or `types`"),
        })
    }

    /// A parameter's kind, and how it is given.
    pub fn of_parameter(scope: &Scope<'_>, ty: &Type) -> Result<(Self, By)> {
        if let Some(of) = named(ty) {
            return Ok((Self::of(scope, of)?, By::Named));
        }
        if let Some(of) = tried(ty) {
            return Ok((Self::Number(Self::of(scope, of)?.c(scope)), By::Tried));
        }
        if let Some(of) = inside(ty, "Option") {
            if let Some(item) = item_of(of) {
                return Ok((Self::of(scope, item)?, By::OptionalSlice));
            }
            if let Type::Reference(r) = of {
                return Ok((Self::of(scope, &r.elem)?, By::OptionalReference));
            }
        }
        if let Some(item) = item_of(ty) {
            return Ok((Self::of(scope, item)?, By::Slice));
        }
        match ty {
            Type::Reference(r) => Ok((Self::of(scope, &r.elem)?, By::Reference)),
            _ => Ok((Self::of(scope, ty)?, By::Value)),
        }
    }

    /// The type in C, as Rust writes it.
    pub fn c(&self, scope: &Scope<'_>) -> String {
        match self {
            Self::Number(n) if matches!(n.as_str(), "u64" | "usize" | "i32" | "f64") => n.clone(),
            Self::Cycle => "u64".into(),
            Self::Bits(_, number) => number.clone(),
            Self::Optional(of) => of.c(scope),
            Self::Array(of, n) => format!("[{}; {n}]", of.c(scope)),
            Self::Record(name) => scope.struct_of(name),
            _ => "u32".into(),
        }
    }

    /// The type in C of an item of an array in a struct: ids are no wider than they are.
    pub fn listed(&self, scope: &Scope<'_>) -> String {
        match self {
            Self::Id(id) => scope.width(id),
            _ => self.c(scope),
        }
    }

    /// The type in C, as C writes it.
    pub fn raw(&self, scope: &Scope<'_>) -> String {
        raw(&self.c(scope))
    }

    /// C++: the type.
    pub fn cpp(&self, scope: &Scope<'_>) -> String {
        match self {
            Self::Bool => "bool".into(),
            Self::Id(id) => id.clone(),
            Self::Enum(e) => scope.cpp_enum(e),
            Self::Record(name) => scope.class_of(name),
            // C++'s enumeration has a value for "none", as C's.
            Self::Optional(of) if matches!(**of, Self::Enum(_)) => of.cpp(scope),
            Self::Optional(of) => format!("std::optional<{}>", of.cpp(scope)),
            Self::Array(of, n) => format!("std::array<{}, {n}>", of.cpp(scope)),
            _ => self.raw(scope),
        }
    }

    /// C++: the value of a field or of an out-parameter.
    pub fn cpp_value(&self, scope: &Scope<'_>, v: &str) -> String {
        match self {
            Self::Bool => format!("{v} != 0"),
            Self::Id(id) => format!("{id}{{{v}}}"),
            Self::Enum(_) => format!("static_cast<{}>({v})", self.cpp(scope)),
            Self::Record(name) if !scope.is_raw(name) => format!("{}({v})", scope.class_of(name)),
            Self::Optional(of) => match &**of {
                Self::Cycle => format!("detail::cycle({v})"),
                of @ Self::Enum(_) => of.cpp_value(scope, v),
                of => format!("detail::row<{}>({v})", of.cpp(scope)),
            },
            Self::Array(of, _) => match &**of {
                Self::Optional(of) => format!("detail::rows<{}>({v})", of.cpp(scope)),
                of => format!("detail::array<{}>({v})", of.cpp(scope)),
            },
            _ => v.to_owned(),
        }
    }

    /// C++: a parameter's type, and what C is given for it.
    pub fn cpp_given(&self, scope: &Scope<'_>, by: By, p: &str) -> (String, String) {
        let of = |ty: String, arg: String| (ty, arg);
        match (self, by) {
            (Self::Array(item, n), _) => {
                let each: Vec<_> = (0..*n).map(|i| item.cpp_given(scope, by, &format!("{p}[{i}]")).1).collect();
                of(format!("const {}&", self.cpp(scope)), each.join(", "))
            }
            (_, By::Slice | By::InPlace | By::OptionalSlice) => {
                let item = raw(&if by == By::InPlace { self.listed(scope) } else { self.to_rust(scope) });
                of(format!("Span<const {item}>"), format!("{p}.data(), {p}.size()"))
            }
            (Self::Record(name), By::OptionalReference) => {
                let raw = if scope.is_raw(name) { format!("&*{p}") } else { format!("&{p}->raw()") };
                of(format!("const std::optional<{}>&", scope.class_of(name)), format!("{p} ? {raw} : nullptr"))
            }
            (Self::Record(name), _) if scope.is_raw(name) => {
                of(format!("const {}&", scope.class_of(name)), format!("&{p}"))
            }
            (Self::Record(name), _) => of(format!("const {}&", scope.class_of(name)), format!("&{p}.raw()")),
            (Self::Bool, _) => of("bool".into(), format!("{p} ? 1 : 0")),
            (Self::Id(id), _) => of(id.clone(), format!("number({p})")),
            (Self::Enum(_), _) => of(self.cpp(scope), format!("number({p})")),
            (Self::Optional(kind), _) if matches!(**kind, Self::Number(_)) => {
                of(self.cpp(scope), format!("{p}.value_or(GPUSCHED_NONE)"))
            }
            (Self::Optional(_), _) => of(self.cpp(scope), format!("detail::number_or_none({p})")),
            _ => of(self.raw(scope), p.to_owned()),
        }
    }

    /// Whether C gets a pointer to it.
    pub fn is_record(&self) -> bool {
        matches!(self, Self::Record(_))
    }

    /// The type, if its struct is derived.
    pub fn derived_record<'k>(&'k self, scope: &Scope<'_>) -> Option<&'k str> {
        match self {
            Self::Record(name) if scope.is_record(name) && scope.by_hand(name).is_none() => Some(name),
            _ => None,
        }
    }

    /// The item of a slice: the core's own numbers, which C hands over as they are.
    pub fn to_rust(&self, scope: &Scope<'_>) -> String {
        match self {
            Self::Number(n) => n.clone(),
            kind => kind.c(scope),
        }
    }

    /// Whether items of a slice may be another type in the core, which lies as C's does.
    pub fn is_bits(&self) -> bool {
        matches!(self, Self::Id(_) | Self::Bits(..))
    }

    /// The item of a slice as the core has it.
    pub fn to_core(&self) -> &str {
        match self {
            Self::Number(name) | Self::Id(name) | Self::Bits(name, _) | Self::Record(name) => name,
            _ => "",
        }
    }

    /// Whether C may say what is none of it: a number that names nothing, or is too large.
    pub fn is_partial(&self, is_partial_record: impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Enum(_) => true,
            Self::Number(n) => n == "u8" || n == "u16",
            Self::Record(name) => is_partial_record(name),
            _ => false,
        }
    }

    /// What an out-parameter with this value is called if nobody says how.
    pub fn out_name(&self, scope: &Scope<'_>) -> Option<String> {
        match self {
            Self::Cycle => Some("cycle".into()),
            Self::Id(id) => Some(snake(id.trim_end_matches("Id"))),
            Self::Optional(of) => of.out_name(scope),
            Self::Record(name) if scope.is_record(name) => Some(scope.short_of(name)),
            _ => None,
        }
    }
}

/// The enumeration of `impl Into<Option<E>>`.
fn named(ty: &Type) -> Option<&Type> {
    argument(bound(ty)?, "Into").and_then(|of| inside(of, "Option"))
}

/// The type of `impl TryInto<T>`.
fn tried(ty: &Type) -> Option<&Type> {
    argument(bound(ty)?, "TryInto")
}

/// The trait of `impl Trait`.
fn bound(ty: &Type) -> Option<&syn::Path> {
    let Type::ImplTrait(of) = ty else { return None };
    let syn::TypeParamBound::Trait(bound) = of.bounds.first()? else { return None };
    Some(&bound.path)
}

/// A type of C as C++ writes it.
pub fn raw(c: &str) -> String {
    match c {
        "u64" | "u32" | "u16" | "u8" => format!("std::uint{}_t", &c[1..]),
        "i32" => "std::int32_t".into(),
        "f64" => "double".into(),
        "usize" => "std::size_t".into(),
        c => c.to_owned(),
    }
}
