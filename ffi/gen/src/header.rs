//! The C headers in `include`, as the crate `gpusched-abi` says they must be: one per module of it, each with those that it needs; what
//! all need is `gpusched_base.h`, and `gpusched.h` includes every one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// The header of what belongs to no machine.
const BASE: &str = "base";

/// All checked-in headers of C, one behind the other.
pub fn text(house: &Path) -> Result<String> {
    files_below(&house.join("include"), "h")?.iter().map(|file| Ok(read_to_string(file)?)).collect()
}

/// The headers' texts, by file name.
pub fn generate(house: &Path) -> Result<BTreeMap<String, String>> {
    let (abi, api) = (house.join("ffi/abi"), house.join("ffi/api"));
    let modules = modules(&abi.join("src"), &api)?;
    let mut config = cbindgen::Config::from_file(abi.join("cbindgen.toml")).map_err(anyhow::Error::msg)?;
    config.export.include.extend(enumerations(&api)?);
    let contract = config.header.take().context("cbindgen.toml: the contract")?;
    let bindings = cbindgen::generate_with_config(&abi, config).context("the crate gpusched-abi")?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    let mut headers: BTreeMap<&str, Header> = BTreeMap::new();
    for item in String::from_utf8(text)?.split("\n\n").map(str::trim) {
        let Some((name, is_function)) = declared(item) else { continue };
        let module = modules.get(name).with_context(|| format!("{name} is in no module"))?;
        let header = headers.entry(module).or_default();
        (if is_function { &mut header.functions } else { &mut header.types }).push(item.to_owned());
    }
    let needs: BTreeMap<&str, BTreeSet<&str>> = headers
        .iter()
        .map(|(&of, header)| {
            let words = header.types.iter().chain(&header.functions).flat_map(|item| code(item)).flat_map(words);
            let modules = words.filter_map(|word| modules.get(word)).map(String::as_str);
            (of, modules.chain([BASE]).filter(|&module| module != of).collect())
        })
        .collect();
    for (of, others) in &needs {
        let back = others.iter().find(|other| needs.get(**other).is_some_and(|needs| needs.contains(of)));
        ensure!(back.is_none(), "{of} and {back:?} need each other");
    }
    let mut files: BTreeMap<String, String> = headers
        .iter()
        .map(|(&of, header)| {
            let head = if of == BASE { &contract } else { FROM_CRATE };
            (format!("gpusched_{of}.h"), header.text(of, &needs[of], head))
        })
        .collect();
    let all = headers.keys().map(|of| format!("#include \"gpusched_{of}.h\"\n")).collect::<String>();
    let said = "// gpusched: GPU hardware-scheduler models, all of them. The contract for every function is in gpusched_base.h.";
    files.insert("gpusched.h".to_owned(), guarded("GPUSCHED_H", &format!("{said}\n{FROM_CRATE}"), &all));
    Ok(files)
}

/// How a generated file says so.
const FROM_CRATE: &str =
    "// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen\n";

/// What a module declares.
#[derive(Default)]
struct Header {
    types: Vec<String>,
    functions: Vec<String>,
}

impl Header {
    fn text(&self, of: &str, needs: &BTreeSet<&str>, head: &str) -> String {
        let mut body = String::new();
        if needs.is_empty() {
            body += "#include <stddef.h>\n#include <stdint.h>\n";
        }
        for other in needs {
            let _ = writeln!(body, "#include \"gpusched_{other}.h\"");
        }
        for item in &self.types {
            let _ = writeln!(body, "\n{item}");
        }
        body += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
        for item in &self.functions {
            let _ = writeln!(body, "\n{item}");
        }
        body += "\n#ifdef __cplusplus\n}  // extern \"C\"\n#endif\n";
        guarded(&format!("GPUSCHED_{}_H", of.to_uppercase()), head, &body)
    }
}

fn guarded(guard: &str, head: &str, body: &str) -> String {
    format!("{}\n\n#ifndef {guard}\n#define {guard}\n\n{body}\n#endif  // {guard}\n", head.trim_end())
}

/// The name that a paragraph of the header declares, and whether it is a function's.
fn declared(item: &str) -> Option<(&str, bool)> {
    let mut code = code(item);
    let first = code.find(|line| !line.is_empty())?;
    let ours = |word: &&str| word.starts_with("gpusched_") || word.starts_with("GPUSCHED_");
    let mut names = words(first).filter(ours);
    let is_type = ["typedef ", "enum ", "#define ", "struct ", "union "].iter().any(|start| first.starts_with(start));
    if is_type {
        return names.next().map(|name| (name, false));
    }
    let (before, _) = first.split_once('(')?;
    words(before).rfind(ours).map(|name| (name, true))
}

/// The lines of an item that are no comments.
fn code(item: &str) -> impl Iterator<Item = &str> {
    item.lines().filter(|line| !line.trim_start().starts_with("//"))
}

fn words(line: &str) -> impl DoubleEndedIterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Which header every public item of the ABI crate belongs to.
fn modules(source: &Path, api: &Path) -> Result<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    for file in files_below(source, "rs")? {
        let first = file.strip_prefix(source)?.iter().next().and_then(|name| name.to_str()).unwrap_or_default();
        let first = first.trim_end_matches(".rs");
        // A machine has a folder, or is derived.
        let is_derived = api.join(first).with_extension("toml").exists();
        let module = if source.join(first).is_dir() || is_derived { first } else { BASE };
        for line in read_to_string(&file)?.lines().map(str::trim_start) {
            let kinds = ["pub struct ", "pub enum ", "pub union ", "pub type ", "pub const ", "extern \"C\" fn "];
            let name = kinds.iter().find_map(|kind| words(line.split_once(kind)?.1).next());
            if let Some(name) = name {
                all.insert(name.to_owned(), module.to_owned());
            }
        }
    }
    Ok(all)
}

/// Files with this extension, in a folder and in those below.
fn files_below(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            all.extend(files_below(&path, extension)?);
        } else if path.extension().is_some_and(|e| e == extension) {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// Enumerations of the derived machines, which no function names.
fn enumerations(api: &Path) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for file in files_below(api, "lock")? {
        let lock = read_to_string(file)?;
        let names = lock.lines().filter_map(|line| line.strip_prefix("enum ")?.split(' ').next());
        all.extend(names.map(str::to_owned));
    }
    Ok(all)
}

/// The functions that a header declares.
#[must_use]
pub fn functions(text: &str) -> BTreeSet<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let before_brackets = code.filter_map(|line| line.split_once('(').map(|(before, _)| before));
    let names = before_brackets.filter_map(|before| before.rsplit([' ', '*']).next());
    names.filter(|name| name.starts_with("gpusched_")).map(str::to_owned).collect()
}
