//! Arguments of `gpusched run`, which are also what each run of a study is made of.

use super::{Simulation, SmPolicy, WORKLOAD_HELP, Workload, dispatch, mode, version, workload};
use crate::failure::Failure;
use crate::way::{Asked, Way};
use anyhow::anyhow;
use clap::{Args, CommandFactory, Parser};
use gpusched_workloads::{Dispatch, Mode, Version};

/// One workload, one way.
#[derive(Debug, Args)]
pub struct Run {
    /// The workload.
    #[arg(value_parser = workload, help = WORKLOAD_HELP)]
    pub workload: Option<Workload>,
    /// How it runs.
    #[command(flatten)]
    pub way: OneWay,
    /// What it works on, and the machine.
    #[command(flatten)]
    pub simulation: Simulation,
}

/// Arguments that stand for themselves, without the name of a program and without help.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Line {
    #[command(flatten)]
    run: Run,
}

impl Run {
    /// What these arguments of `gpusched run` ask for.
    ///
    /// # Errors
    /// What a command line would say, without the usage of a command that nobody typed.
    pub fn parse(arguments: &[String]) -> Result<Self, Failure> {
        let plain = |error: clap::Error| {
            let text = error.to_string();
            let said = text.split("\n\n").next().unwrap_or(&text);
            Failure::Usage(anyhow!(said.trim_start_matches("error: ").replace('\n', " ")))
        };
        Line::try_parse_from(arguments).map(|line| line.run).map_err(plain)
    }

    /// An option by its name and its value, as arguments: `workload`; `set.KEY`, which changes a parameter; or what a command line has
    /// behind two dashes, of which one that stands alone is `true` or `false`.
    #[must_use]
    pub fn argument(name: &str, value: &str) -> Vec<String> {
        if let Some(parameter) = name.strip_prefix("set.") {
            return vec!["--set".to_owned(), format!("{parameter}={value}")];
        }
        match (name, value) {
            ("workload", _) => vec![value.to_owned()],
            (_, "false") if stands_alone(name) => Vec::new(),
            (_, "true") if stands_alone(name) => vec![format!("--{name}")],
            _ => vec![format!("--{name}={value}")],
        }
    }
}

/// Whether a run has this option and it takes no value.
fn stands_alone(name: &str) -> bool {
    let line = Line::command();
    line.get_arguments().any(|of| of.get_long() == Some(name) && !of.get_action().takes_values())
}

/// The way to run a workload.
#[derive(Debug, Args)]
pub struct OneWay {
    /// How: flat, cdp, cdpi, cdp2, dtbl or dtbli, or pt for bfs [default: dtbl]
    #[arg(long, value_name = "MODE", value_parser = mode)]
    pub mode: Option<Mode>,
    /// How a wavefront runs: global, cdp, deplinks, lrr or lvl [default: lvl]
    #[arg(long, value_name = "VERSION", value_parser = version)]
    pub version: Option<Version>,
    /// Who takes the tiles of gemm: hardware, persistent or stream-k [default: hardware]
    #[arg(long, value_name = "DISPATCH", value_parser = dispatch)]
    pub dispatch: Option<Dispatch>,
    /// What runs inside the SMs when a kernel runs; one that names no order of warps has the machine's (--set sm.policy) [default: lrr]
    #[arg(long, value_name = "POLICY", value_enum)]
    pub sm: Option<SmPolicy>,
}

impl OneWay {
    /// The one that is asked for, or the usual one.
    ///
    /// # Errors
    /// A way that `workload` does not run in.
    pub fn resolve(&self, workload: Workload) -> Result<Vec<Way>, Failure> {
        let asked = Asked {
            modes: self.mode.as_slice(),
            versions: self.version.as_slice(),
            dispatches: self.dispatch.as_slice(),
            sm: self.sm.as_slice(),
        };
        Way::all(workload, asked, &[Way::of_run(workload)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An option that does not exist, or takes a value, is not passed over because it is `false`.
    #[test]
    fn only_what_stands_alone_may_be_left_out() {
        let none: [&str; 0] = [];
        assert_eq!(Run::argument("undirected", "false"), none);
        assert_eq!(Run::argument("undirected", "true"), ["--undirected"]);
        for (name, value) in [("shced", "false"), ("mode", "false"), ("mode", "true"), ("help", "true")] {
            let arguments = Run::argument(name, value);
            assert_eq!(arguments, [format!("--{name}={value}")]);
            assert!(Run::parse(&arguments).unwrap_err().to_string().contains(name));
        }
        assert!(Run::parse(&["--help".to_owned()]).unwrap_err().to_string().contains("unexpected argument"));
    }
}
