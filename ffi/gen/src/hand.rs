//! Functions that are written by hand, in `ffi/abi/src/MACHINE/hand.rs`: what no kind expresses. Their signatures are read, so that the
//! lock and the tables of misuse have them, too.

use anyhow::Result;
use quote::ToTokens;
use syn::{FnArg, Item, Pat};

/// A function of C on an object.
#[derive(Clone)]
pub struct Function {
    pub name: String,
    /// Types behind the object.
    pub params: Vec<String>,
}

impl Function {
    /// Whether it has the usual form, `(object, inputs..., out)`: all pointers are needed, and the last one alone is written through.
    pub fn is_usual(&self) -> bool {
        let outs = self.params.iter().filter(|ty| ty.starts_with("* mut"));
        outs.count() == 1 && self.params.last().is_some_and(|ty| ty.starts_with("* mut"))
    }
}

/// Those of a file, on objects that C calls `opaque`.
pub fn functions(file: &str, opaque: &str) -> Result<Vec<Function>> {
    let of = |item: Item| {
        let Item::Fn(f) = item else { return None };
        f.sig.abi.as_ref()?;
        let ty = |a: &FnArg| match a {
            FnArg::Typed(t) if matches!(*t.pat, Pat::Ident(_)) => Some(t.ty.to_token_stream().to_string()),
            _ => None,
        };
        let types: Vec<_> = f.sig.inputs.iter().filter_map(ty).collect();
        if !types.first()?.ends_with(&format!(" {opaque}")) {
            return None;
        }
        let params = types.get(1..).unwrap_or_default().to_vec();
        Some(Function { name: f.sig.ident.to_string(), params })
    };
    Ok(syn::parse_file(file)?.items.into_iter().filter_map(of).collect())
}
