//! Everything about C that is derived.
//!
//! The core's source (`source`) and a description of what C has besides (`api`) are joined to a machine (`model`: its `record`s,
//! its `call`s, the `kind` of each value), of which each output is written: `abi`, `cpp`, `python`, and for tests and boards `calls`,
//! `through_c`, `board`, `misuse`. A `lock` keeps the binary interface, and of the crate `gpusched-abi` follow the C `header`s. `README.md`
//! says how a machine comes to it.

mod abi;
mod abi_record;
mod api;
mod board;
mod call;
mod calls;
mod cpp;
mod enums;
mod flat;
mod hand;
mod header;
mod kind;
mod lock;
mod misuse;
mod model;
mod names;
mod need;
mod part;
mod python;
mod record;
mod source;
mod statuses;
mod through_c;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use api::Api;
pub use header::functions;
use model::{Machine, Scope};
use part::Parted;
use source::Source;

/// A derived file: its path in the repository, and its text.
pub type Derived = (String, String);

/// The repository.
pub struct House(PathBuf);

impl House {
    /// The one that this crate is part of.
    #[must_use]
    pub fn own() -> Self {
        Self(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
    }

    /// Files that are not what the core and the descriptions say, of these machines, or of all if none is named. The C headers follow from
    /// some of them: see [`Self::headers`].
    ///
    /// # Errors
    /// A description that does not fit the core, or an interface that programs could no longer use.
    pub fn stale(&self, named: &[String]) -> Result<Vec<Derived>> {
        let machines = self.machines()?;
        let list = formatted(&calls::list(&machines))?;
        let common: api::Common = toml::from_str(&self.read("ffi/api/common.toml")?).context("ffi/api/common.toml")?;
        let statuses = formatted(&statuses::write(&self.0.join("core/src"), &common.status)?)?;
        let stub = |name: &String| {
            Ok((name.clone(), self.with(name, &common, |m| python::stub(m, &self.by_hand(name, "python.pyi")))?))
        };
        let stubs = machines.iter().map(stub).collect::<Result<Vec<_>>>()?;
        let mut files = vec![
            (PYTHON.to_owned(), formatted(&python::list(&stubs))?),
            (STUBS.to_owned(), python::stubs(&stubs)),
            (".gitattributes".to_owned(), self.attributes(&machines)?),
            (CALLS.to_owned(), list),
            (STATUSES.to_owned(), statuses),
            (CODES.to_owned(), statuses::cpp(&self.0.join("core/src"), &common)?),
        ];
        for machine in machines.iter().filter(|m| named.is_empty() || named.contains(m)) {
            files.extend(self.files(machine, &common).with_context(|| format!("ffi/api/{machine}.toml"))?);
        }
        Ok(self.old(files))
    }

    /// The C headers as the crate `gpusched-abi` says they must be.
    ///
    /// # Errors
    /// A crate or a configuration that cbindgen does not understand, and headers that would need each other.
    pub fn headers(&self) -> Result<Vec<Derived>> {
        Ok(header::generate(&self.0)?.into_iter().map(|(file, text)| (format!("include/{file}"), text)).collect())
    }

    /// The C headers as they are, one behind the other.
    ///
    /// # Errors
    /// What the system says.
    pub fn header_text(&self) -> Result<String> {
        header::text(&self.0)
    }

    /// Of these files, those that are not so in the repository.
    #[must_use]
    pub fn old(&self, mut files: Vec<Derived>) -> Vec<Derived> {
        files.retain(|(path, text)| self.read(path).ok().as_ref() != Some(text));
        files
    }

    /// The tables of misuse, which the programs of misuse begin with.
    ///
    /// # Errors
    /// What the system says.
    pub fn tables_of_misuse(&self) -> Result<Vec<String>> {
        let all = self.machines()?.iter().map(|m| Ok(self.paths(m)?.get(6).cloned())).collect::<Result<Vec<_>>>()?;
        Ok(all.into_iter().flatten().collect())
    }

    /// Writes files.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, files: &[Derived]) -> Result<()> {
        files.iter().try_for_each(|(path, text)| fs::write(self.0.join(path), text).with_context(|| path.clone()))
    }

    fn read(&self, path: &str) -> Result<String> {
        fs::read_to_string(self.0.join(path)).with_context(|| path.to_owned())
    }

    /// A machine's lock; of a new machine there is none.
    fn held(&self, name: &str) -> String {
        self.read(&format!("ffi/api/{name}.lock")).unwrap_or_default()
    }

    /// What a face of a machine has by hand beside its description; most have nothing.
    fn by_hand(&self, name: &str, extension: &str) -> String {
        self.read(&format!("ffi/api/{name}.{extension}")).unwrap_or_default()
    }

    fn description(&self, name: &str) -> Result<toml::Table> {
        Ok(toml::from_str(&self.read(&format!("ffi/api/{name}.toml"))?)?)
    }

    /// The machines that are described.
    fn machines(&self) -> Result<Vec<String>> {
        let files = fs::read_dir(self.0.join("ffi/api"))?.map(|f| Ok(f?.path())).collect::<Result<Vec<_>>>()?;
        let toml = files.iter().filter(|f| f.extension().is_some_and(|e| e == "toml"));
        let mut names: Vec<String> = toml.filter_map(|f| Some(f.file_stem()?.to_str()?.to_owned())).collect();
        names.retain(|name| name != "common");
        names.sort();
        Ok(names)
    }

    /// What may be part of a machine.
    fn parts(&self, api: &Api, common: &api::Common) -> Result<Vec<Parted>> {
        let core = self.0.join("core/src");
        let mut parts = Vec::new();
        for (name, part) in &api.part {
            let source = Source::read(&core, &part.parameters[1..2])?;
            let Some(of) = &part.of else {
                parts.push(Parted::new(name, part, source, None));
                continue;
            };
            let api = Api::of(self.description(of)?, None)?;
            let (own, common_source) = (Source::read(&core, &api.core)?, Source::read(&core, &common.ids)?);
            let held = self.held(of);
            let (source_of, api) = (&own, &api);
            let scope = Scope {
                name: of,
                source: source_of,
                common_source: &common_source,
                api,
                common,
                order: lock::fields(&held),
                numbers: lock::numbers(&held),
                of: None,
                parts: &[],
            };
            let parted = Parted::new(name, part, source, Some(&Machine::new(scope)?));
            parts.push(parted.of(own));
        }
        // In the order of the description, which is that of its words.
        Ok(parts)
    }

    /// What of the ABI crate is by hand for a machine: `hand.rs`, and the files of `hand`.
    fn hand(&self, name: &str) -> Result<Vec<String>> {
        let folder = format!("ffi/abi/src/{name}/hand");
        let mut files = vec![format!("{folder}.rs")];
        if let Ok(all) = fs::read_dir(self.0.join(&folder)) {
            for file in all {
                files.push(format!("{folder}/{}", file?.file_name().to_string_lossy()));
            }
        }
        files.retain(|file| self.0.join(file).exists());
        files.sort();
        files.iter().map(|file| self.read(file)).collect()
    }

    /// What is derived of a machine: paths and texts.
    fn files(&self, name: &str, common: &api::Common) -> Result<Vec<Derived>> {
        self.with(name, common, |m| self.files_of(m))
    }

    /// Does something with a machine.
    fn with<T>(&self, name: &str, common: &api::Common, act: impl FnOnce(&Machine<'_>) -> Result<T>) -> Result<T> {
        let own = self.description(name)?;
        let whole = own.get(api::OF).and_then(toml::Value::as_str).map(str::to_owned);
        let described = whole.as_ref().map(|whole| self.description(whole)).transpose()?;
        let mut api = Api::of(own, described.as_ref())?;
        let parts = self.parts(&api, common)?;
        let whole_api = described.map(|whole| Api::of(whole, None)).transpose()?;
        let core = self.0.join("core/src");
        let (source, common_source) = (Source::read(&core, &api.core)?, Source::read(&core, &common.ids)?);
        parts.iter().for_each(|part| part.add_types(&mut api, &source));
        let scope = |name, api, of| {
            let held = self.held(name);
            let (order, numbers) = (lock::fields(&held), lock::numbers(&held));
            Scope {
                name,
                source: &source,
                common_source: &common_source,
                api,
                common,
                order,
                numbers,
                of,
                parts: &parts,
            }
        };
        let whole = whole.as_ref().zip(whole_api.as_ref());
        let whole = whole.map(|(name, api)| Machine::new(scope(name, api, None))).transpose()?;
        let m = Machine::new(scope(name, &api, whole.as_ref()))?;
        act(&m)
    }

    fn files_of(&self, m: &Machine<'_>) -> Result<Vec<Derived>> {
        let name = m.name();
        let hand = self.hand(name)?;
        let hand_functions =
            hand.iter().map(|file| hand::functions(file, &m.opaque())).collect::<Result<Vec<_>>>()?.concat();
        let hand_cpp = self.by_hand(name, "hpp");
        let has_hand_told = self.0.join(format!("tests/src/through_c/{name}/hand.rs")).exists();
        let abi = abi::write(m, !hand.is_empty())?;
        let texts: Vec<_> = hand.iter().chain([&abi]).map(String::as_str).collect();
        let now = lock::of(&texts)?;
        lock::keeps(&self.held(name), &now)?;
        let mut texts = vec![
            formatted(&abi)?,
            now,
            cpp::write(m, &hand_cpp)?,
            formatted(&calls::write(m)?)?,
            formatted(&through_c::write(m, has_hand_told)?)?,
            formatted(&python::write(m, &self.by_hand(name, "python.rs"))?)?,
        ];
        if !m.api().decides {
            texts.push(misuse::write(m, &hand_functions)?);
            texts.extend([formatted(&board::rust(m)?)?, board::c(m)?]);
        }
        Ok(self.paths(name)?.into_iter().zip(texts).collect())
    }

    /// What is derived of a machine.
    fn paths(&self, name: &str) -> Result<Vec<String>> {
        let mut all = paths(name).to_vec();
        if self.description(name)?.contains_key("decides") {
            all.truncate(6);
        }
        Ok(all)
    }

    /// Which files reviewers need not read.
    fn attributes(&self, machines: &[String]) -> Result<String> {
        let mut text = "# Generated by gpusched-gen; do not edit. Anew: cargo run -p gpusched-gen\n".to_owned();
        let mut all =
            [".gitattributes", "include/*.h", CALLS, STATUSES, CODES, PYTHON, STUBS].map(str::to_owned).to_vec();
        for machine in machines {
            all.extend(self.paths(machine)?);
        }
        all.iter().for_each(|path| text += &format!("{path} linguist-generated\n"));
        Ok(text)
    }
}

/// The statuses.
const STATUSES: &str = "ffi/abi/src/statuses.rs";
/// The same in C++, and names of rows.
const CODES: &str = "include/gpusched_codes.hpp";
/// The list of calls.
const CALLS: &str = "tests/src/calls/mod.rs";
/// The list of Python's machines.
const PYTHON: &str = "hosts/python/src/machines/mod.rs";
/// Their types.
const STUBS: &str = "hosts/python/python/gpusched/machines.pyi";

/// What is derived of a machine; the last three not of one that decides.
fn paths(name: &str) -> [String; 9] {
    [
        format!("ffi/abi/src/{name}.rs"),
        format!("ffi/api/{name}.lock"),
        format!("include/gpusched_{name}.hpp"),
        format!("tests/src/calls/{name}.rs"),
        format!("tests/src/through_c/{name}.rs"),
        format!("hosts/python/src/machines/{name}.rs"),
        format!("tests/c/misuse_{name}_table.h"),
        format!("hosts/cortex-m/packed/src/drive/{name}.rs"),
        format!("hosts/cortex-m/c/replay/{name}.c"),
    ]
}

/// As `cargo fmt` would have it.
fn formatted(text: &str) -> Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config", "max_width=120,use_small_heuristics=Max"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("rustfmt")?;
    rustfmt.stdin.take().context("a pipe to rustfmt")?.write_all(text.as_bytes())?;
    let out = rustfmt.wait_with_output()?;
    ensure!(out.status.success(), "rustfmt refuses what was generated");
    Ok(String::from_utf8(out.stdout)?)
}
