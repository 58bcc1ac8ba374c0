//! The binary interface as lines: what programs were built with is never changed, only added to.
//!
//! A line per function, struct and enumeration. Since it keeps the order of fields, a description need not tell it.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use quote::ToTokens;
use syn::{Expr, Fields, Item};

/// The lines of Rust files.
pub fn of(files: &[&str]) -> Result<String> {
    let mut lines = Vec::new();
    for file in files {
        for item in syn::parse_file(file)?.items {
            lines.extend(line(&item));
        }
    }
    lines.sort();
    Ok(lines.iter().map(|line| format!("{line}\n")).collect())
}

fn line(item: &Item) -> Option<String> {
    let squeezed = |t: &dyn ToTokens| t.to_token_stream().to_string().replace(' ', "");
    match item {
        Item::Fn(f) if f.sig.abi.is_some() => {
            let params: Vec<_> = f.sig.inputs.iter().map(|p| squeezed(p)).collect();
            Some(format!("fn {} {}", f.sig.ident, params.join(" ")))
        }
        Item::Struct(s)
            if matches!(s.fields, Fields::Named(_)) && s.fields.iter().all(|f| squeezed(&f.vis) == "pub") =>
        {
            let name = |f: &syn::Field| f.ident.as_ref().map_or_else(String::new, ToString::to_string);
            let fields: Vec<_> = s.fields.iter().map(|f| format!("{}:{}", name(f), squeezed(&f.ty))).collect();
            Some(format!("struct {} {}", s.ident, fields.join(" ")))
        }
        Item::Enum(e) => {
            let number =
                |v: &syn::Variant| v.discriminant.as_ref().map_or_else(String::new, |(_, e): &(_, Expr)| squeezed(e));
            let variants: Vec<_> = e.variants.iter().map(|v| format!("{}={}", v.ident, number(v))).collect();
            Some(format!("enum {} {}", e.ident, variants.join(" ")))
        }
        Item::Const(c) if squeezed(&c.vis) == "pub" => Some(format!("const {} {}", c.ident, squeezed(&c.expr))),
        _ => None,
    }
}

/// Refuses what would break programs that were built before: only enumerations and structs that tell their size may grow, at the end.
pub fn keeps(held: &str, now: &str) -> Result<()> {
    for line in held.lines() {
        let name = line.split(' ').nth(1).context("a line of the lock without a name")?;
        let found = now.lines().find(|l| l.split(' ').nth(1) == Some(name));
        let found = found.with_context(|| format!("{name} is gone: programs use it"))?;
        let grows = line.starts_with("enum") || line.contains(" struct_size:");
        let kept = found == line || grows && found.strip_prefix(line).is_some_and(|rest| rest.starts_with(' '));
        ensure!(kept, "programs were built with\n  {line}\nand not with\n  {found}");
    }
    Ok(())
}

/// Fields of each struct, in their order.
pub fn fields(held: &str) -> BTreeMap<String, Vec<String>> {
    all(held, "struct ", |word| Some(word.split_once(':')?.0.to_owned()))
}

/// Values of each enumeration, and their numbers.
pub fn numbers(held: &str) -> BTreeMap<String, Vec<(String, u32)>> {
    all(held, "enum ", |word| {
        word.split_once('=').and_then(|(name, number)| Some((name.to_owned(), number.parse().ok()?)))
    })
}

/// What lines of one kind say, by the name of what they are about.
fn all<V>(held: &str, kind: &str, of: impl Fn(&str) -> Option<V>) -> BTreeMap<String, Vec<V>> {
    let line = |line: &str| {
        let (name, rest) = line.strip_prefix(kind)?.split_once(' ')?;
        Some((name.to_owned(), rest.split(' ').filter_map(&of).collect()))
    };
    held.lines().filter_map(line).collect()
}
