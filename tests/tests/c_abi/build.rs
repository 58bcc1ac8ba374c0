//! The release library, built once, and programs that are linked with it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use cc::Build;

/// The workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

/// What a file of the workspace says.
pub fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Where everything is built: kept from run to run.
fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// `libgpusched.a`, as C programs get it.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let target = folder().join("libgpusched");
        run(Command::new(env!("CARGO"))
            .args(["build", "--release", "--offline", "--quiet", "-p", "gpusched-ffi"])
            .current_dir(root())
            .env("CARGO_TARGET_DIR", &target)
            .env_remove("CARGO_BUILD_TARGET")
            .env_remove("RUSTFLAGS"));
        target.join("release/libgpusched.a")
    })
}

/// The machine that the tests run on.
fn host() -> &'static str {
    static HOST: OnceLock<String> = OnceLock::new();
    HOST.get_or_init(|| {
        let version = run(Command::new(env!("CARGO")).arg("-vV"));
        let host = version.lines().find_map(|line| line.strip_prefix("host: "));
        host.expect("cargo names its host").to_owned()
    })
}

/// Runs a command that must succeed; what it prints.
pub fn run(command: &mut Command) -> String {
    let output = command.output();
    let what = format!("{:?} {:?}", command.get_program(), command.get_args().collect::<Vec<_>>());
    let output = output.unwrap_or_else(|error| panic!("{what}: {error}"));
    let [said, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{what}: {}\n{said}{errors}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

/// A language, and what its compiler is asked for.
#[derive(Clone, Copy)]
pub enum Language {
    /// C of a year.
    C(&'static str),
    /// C++ of a year, without exceptions and run-time types.
    Cpp(&'static str),
}

impl Language {
    /// The compiler, with every warning an error.
    fn compiler(self) -> Command {
        let mut build = Build::new();
        build.cargo_metadata(false).target(host()).host(host()).opt_level(1).debug(false);
        build.include(root().join("include")).warnings(true).extra_warnings(true).warnings_into_errors(true);
        build.flag("-Wpedantic").flag("-Wconversion").flag("-pthread");
        match self {
            Self::C(year) => build.std(year),
            Self::Cpp(year) => build.cpp(true).std(year).flag("-fno-exceptions").flag("-fno-rtti"),
        };
        build.get_compiler().to_command()
    }

    /// Compiles a text and links nothing.
    pub fn check(self, text: &str) {
        let dir = tempfile::tempdir().expect("a scratch folder");
        let source = dir.path().join(if matches!(self, Self::C(_)) { "source.c" } else { "source.cpp" });
        std::fs::write(&source, text).expect("a source file");
        run(self.compiler().arg("-fsyntax-only").arg(source));
    }

    /// Builds a program of the workspace.
    pub fn program(self, source: &str) -> Command {
        let name = source.replace(['/', '.'], "_");
        let executable = folder().join(name);
        run(self.compiler().arg(root().join(source)).arg(library()).arg("-o").arg(&executable));
        Command::new(executable)
    }
}
