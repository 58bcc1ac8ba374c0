//! Fields of the core that C has as several: optional structs, and lists in an array.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use crate::kind::Kind;
use crate::model::Scope;
use crate::record::Leaf;
use crate::source::{Field, Shape, inside, text};

/// An optional struct that is laid flat: how it is built, and its leaves.
pub fn optional_struct(scope: &Scope<'_>, f: &Field, names: &BTreeMap<String, String>) -> Result<(String, Vec<Leaf>)> {
    let of = text(inside(&f.ty, "Option").context("it is no `Option`")?);
    let Some(Shape::Struct(fields)) = scope.source.types.get(&of) else { bail!("{of} is no struct") };
    ensure!(names.len() == fields.len(), "each field of {of} needs a name");
    let mut leaves = Vec::new();
    for inner in fields {
        let name = names.get(&inner.name).with_context(|| format!("{} needs a name", inner.name))?.clone();
        let ty: syn::Type = syn::parse_str(&format!("Option<{}>", text(&inner.ty)))?;
        let value = format!("{}.as_ref().map(|of| of.{})", f.name, inner.name);
        leaves.push(Leaf { name, value, kind: Kind::of(scope, &ty)?, ty: Some(text(&ty)), ..Leaf::of(inner) });
    }
    let told: Vec<_> = leaves.iter().map(|l| format!("{{{}}}", l.name)).collect();
    let some: Vec<_> = fields.iter().map(|inner| format!("Some({})", inner.name)).collect();
    let each: Vec<_> = fields.iter().map(|inner| inner.name.as_str()).collect();
    let none = vec!["None"; fields.len()].join(", ");
    let build = format!(
        "match ({}) {{ ({}) => Some({of} {{ {} }}), ({none}) => None, torn => panic!(\"{{torn:?}} is a part of {of}\") }}",
        told.join(", "),
        some.join(", "),
        each.join(", ")
    );
    Ok((build, leaves))
}

/// A list that C has as an array, and the field that counts: the leaf.
pub fn list(scope: &Scope<'_>, f: &Field, told: &[String; 2]) -> Result<Leaf> {
    let ty = scope.source.aliases.get(&text(&f.ty)).unwrap_or(&f.ty);
    let of = inside(ty, "Vec").with_context(|| format!("`lists.{}`: it is no `Vec`", f.name))?;
    Ok(Leaf { kind: Kind::of(scope, of)?, list: Some(told.clone()), ..Leaf::of(f) })
}
