//! Functions that are written by hand, in `ffi/abi/src/MACHINE/hand.rs`: what no kind expresses. Their signatures are read, so that the
//! lock and the tables of misuse have them, too.

use anyhow::Result;
use quote::ToTokens;
use syn::{FnArg, Item, Pat};

/// A function of C on an object: `(object, inputs..., out)`.
pub struct Function {
    pub name: String,
    /// Types between the object and the result.
    pub inputs: Vec<String>,
}

/// Those of a file.
pub fn functions(file: &str) -> Result<Vec<Function>> {
    let of = |item: Item| {
        let Item::Fn(f) = item else { return None };
        f.sig.abi.as_ref()?;
        let ty = |a: &FnArg| match a {
            FnArg::Typed(t) if matches!(*t.pat, Pat::Ident(_)) => Some(t.ty.to_token_stream().to_string()),
            _ => None,
        };
        let types: Vec<_> = f.sig.inputs.iter().filter_map(ty).collect();
        if !types.first()?.starts_with('*') {
            return None;
        }
        let inputs = types.get(1..types.len().saturating_sub(1)).unwrap_or_default().to_vec();
        Some(Function { name: f.sig.ident.to_string(), inputs })
    };
    Ok(syn::parse_file(file)?.items.into_iter().filter_map(of).collect())
}
