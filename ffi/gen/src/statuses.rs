//! Statuses: what every function of the C ABI returns. A fault of the core is one under its own number, unless C has its name already.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Ident, Item, LitInt, LitStr, Token};

use crate::api::{Common, Statuses};
use crate::names::{capital, comment, shout, words};
use crate::source::Source;

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

/// Every status of C in the order of its numbers' source: its name, number and text, and the core's name if it is a fault.
fn all(core: &Path, api: &Statuses) -> Result<Vec<(Fault, Option<String>)>> {
    let own = |(name, code, text): &(String, u32, String)| {
        (Fault { name: name.clone(), code: *code, text: text.clone() }, None)
    };
    let of_fault = |fault: Fault| {
        let name = api.renamed.get(&fault.name).unwrap_or(&fault.name).clone();
        (Fault { name, ..fault }, Some(fault.name))
    };
    let faults = faults(core)?.into_iter().map(of_fault);
    Ok(api.own.iter().take(1).map(own).chain(faults).chain(api.own.iter().skip(1).map(own)).collect())
}

/// `ffi/abi/src/statuses.rs`.
pub fn write(core: &Path, api: &Statuses) -> Result<String> {
    let (mut values, mut from, mut own) = (String::new(), String::new(), String::new());
    for (Fault { name, code, text }, fault) in all(core, api)? {
        writeln!(values, "/// {}.\n{name} = {code},", capital(&text))?;
        match fault {
            Some(fault) => writeln!(from, "Fault::{fault} => Self::{name},")?,
            None => writeln!(own, "(gpusched_status::{name}, c{name:?}, c{text:?}),")?,
        }
    }
    let with = [("{values}", values), ("{from}", from), ("{own}", own)];
    let template = include_str!("../templates/abi_status.rs").to_owned();
    Ok(with.iter().fold(template, |text, (key, with)| text.replace(key, with)))
}

/// `include/gpusched_codes.hpp`.
pub fn cpp(core: &Path, common: &Common) -> Result<String> {
    let (mut ids, mut codes) = (String::new(), String::new());
    let source = Source::read(core, &common.ids)?;
    for id in &source.ids {
        comment(&mut ids, "//", &words(common, "frontend", source.doc(id)));
        writeln!(ids, "enum class {id} : std::uint32_t {{}};\n")?;
    }
    for (Fault { name, .. }, _) in all(core, &common.status)? {
        writeln!(codes, "    {name} = GPUSCHED_STATUS_{},", shout(&name))?;
    }
    Ok(include_str!("../templates/cpp_codes.hpp").replace("{ids}", &ids).replace("{codes}", &codes))
}
