//! Tells the program which commit it was built from: `gpusched --version` says it. Outside a repository it is the version alone.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The log of HEAD grows with every commit, and with every other one that is checked out.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| std::path::Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).map(|commit| format!(" ({commit})"));
    println!("cargo::rustc-env=GPUSCHED_VERSION={}{}", env!("CARGO_PKG_VERSION"), commit.unwrap_or_default());
}
