//! Statuses: what every function of the C ABI returns. A fault of the core is one under its own number, unless C has its name already.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Ident, Item, LitInt, LitStr, Token};

use crate::api::Statuses;
use crate::names::capital;

/// A line of the core's `faults!`: `BadSmx = 7, "no such SMX";`.
struct Fault {
    name: String,
    code: u32,
    text: String,
}

impl Parse for Fault {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse::<Ident>()?.to_string();
        input.parse::<Token![=]>()?;
        let code = input.parse::<LitInt>()?.base10_parse()?;
        input.parse::<Token![,]>()?;
        let text = input.parse::<LitStr>()?.value();
        Ok(Self { name, code, text })
    }
}

/// The faults of the core, in the order of its source.
fn faults(core: &Path) -> Result<Vec<Fault>> {
    let file = syn::parse_file(&std::fs::read_to_string(core.join("base/error.rs"))?)?;
    let calls = file.items.iter().filter_map(|item| if let Item::Macro(call) = item { Some(&call.mac) } else { None });
    let call = calls.into_iter().find(|mac| mac.path.is_ident("faults")).context("base/error.rs has no faults!")?;
    let list = syn::punctuated::Punctuated::<Fault, Token![;]>::parse_terminated.parse2(call.tokens.clone())?;
    Ok(list.into_iter().collect())
}

/// `ffi/abi/src/statuses.rs`.
pub fn write(core: &Path, api: &Statuses) -> Result<String> {
    let (mut values, mut from, mut own) = (String::new(), String::new(), String::new());
    let mut value = |name: &str, code: u32, text: &str| writeln!(values, "/// {}.\n{name} = {code},", capital(text));
    for (name, code, text) in api.own.iter().take(1) {
        value(name, *code, text)?;
    }
    for Fault { name, code, text } in faults(core)? {
        let status = api.renamed.get(&name).unwrap_or(&name);
        value(status, code, &text)?;
        writeln!(from, "Fault::{name} => Self::{status},")?;
    }
    for (name, code, text) in api.own.iter().skip(1) {
        value(name, *code, text)?;
    }
    for (name, _, text) in &api.own {
        writeln!(own, "(gpusched_status::{name}, c{name:?}, c{text:?}),")?;
    }
    let with = [("{values}", values), ("{from}", from), ("{own}", own)];
    let template = include_str!("../templates/abi_status.rs").to_owned();
    Ok(with.iter().fold(template, |text, (key, with)| text.replace(key, with)))
}
