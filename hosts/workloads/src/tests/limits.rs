//! Every parameter at its limits and beyond: what is legal runs or is refused, nothing panics, and a refusal names a key. What is said to
//! have no effect has none.

use super::config;
use crate::catalogue::{Request, own};
use crate::graph::{Csr, EdgeList};
use crate::kernel::App;
use crate::{Bfs, BfsOptions, Mode, Together, Version, Wave, WaveKind, WaveOptions};
use gpusched_refgpu::config::{ConfigError, GpuConfig};
use gpusched_refgpu::gpu::{Gpu, Monitor, RunError, RunOptions, RunResult};
use gpusched_refgpu::program::Workload;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A run of a few thousand cycles tells as much as one of a greatest latency.
struct Patience;

impl Monitor for Patience {
    fn progress(&mut self, _: u64, _: u64, cycle: u64) -> ControlFlow<()> {
        if cycle < 1_000_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// What was run, and what it told.
struct Ran {
    options: RunOptions,
    /// A run may be too long, or too much for a machine that is very small: it says so.
    told: Result<RunResult, RunError>,
}

/// A run of some workload on this machine.
type Runs = fn(&GpuConfig) -> Result<Ran, ConfigError>;

fn run<W: Workload>(config: &GpuConfig, mut work: W, options: RunOptions) -> Result<Ran, ConfigError> {
    let told = Gpu::new(config, options)?.run(&mut work, &mut Patience);
    Ok(Ran { options, told })
}

fn search_in(mode: Mode, config: &GpuConfig) -> Result<Ran, ConfigError> {
    let mut star = EdgeList::unweighted(41);
    (1..=40).for_each(|leaf| star.push(0, leaf, 1));
    let graph = Arc::new(Csr::from_edges(star).unwrap());
    run(config, Bfs::new(graph, mode, BfsOptions::default()).unwrap(), mode.into())
}

/// A search that launches.
fn search(config: &GpuConfig) -> Result<Ran, ConfigError> {
    search_in(Mode::Dtbl, config)
}

/// Tiles that wait for each other.
fn tiles(config: &GpuConfig) -> Result<Ran, ConfigError> {
    let options = WaveOptions { columns: 3, rows: 3, width: 30, height: 30, ..WaveOptions::default() };
    let (config, of_run) = options.machine(Version::Lrr, config)?;
    run(&config, Wave::new(WaveKind::IntImg, Version::Lrr, options).unwrap(), of_run)
}

/// Two kernels that share the machine.
fn pair(config: &GpuConfig) -> Result<Ran, ConfigError> {
    let text = "about = \"x\"\n[[kernel]]\nname = \"k\"\ngrid = 4\nthreads = 64\nregs = 16\n[[kernel.phase]]\niters = 2\nn = 5\nloads = [\"own(2) x2\"]";
    let kernel = || (own(App::from_toml(text).unwrap()), Request::default());
    run(config, Together::new(&[kernel(), kernel()]).unwrap(), RunOptions::default())
}

/// Words to set a parameter to: those at its limits, and those beyond. They are what the error for another word says.
fn limits(config: &GpuConfig, key: &str) -> (Vec<String>, Vec<String>) {
    let error = config.clone().set(key, "?").unwrap_err().to_string();
    let expected = error.rsplit_once("expected ").unwrap_or_else(|| panic!("{error}")).1;
    if let Some((kind, range)) = expected.split_once(" from ") {
        let (least, most) = range.split_once(" to ").unwrap_or_else(|| panic!("{error}"));
        let (least, most): (i64, i64) = (least.parse().unwrap(), most.parse().unwrap());
        let (mut within, mut beyond) = (vec![least, most], vec![least - 1, most + 1]);
        if kind.contains("power of two") {
            beyond.extend([2 * most, 3]);
        } else {
            within.push(least.midpoint(most));
        }
        let words = |numbers: Vec<i64>| numbers.iter().map(ToString::to_string).collect();
        return (words(within), words(beyond));
    }
    let quoted: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let plain = expected.strip_prefix("one of ").map(|words| words.split(", ").collect::<Vec<_>>());
    let words = match (quoted.is_empty(), plain) {
        (false, _) => quoted,
        (true, Some(words)) => words,
        (true, None) if expected.contains("boolean") || expected.contains("true") => vec!["true", "false"],
        _ => vec![], // a table, such as that of votes
    };
    (words.into_iter().map(str::to_owned).collect(), vec!["?".to_owned(), "-1".to_owned()])
}

/// Sets one parameter after the other of these sections on a machine that has the part, and runs it.
#[track_caller]
fn try_all(preset: &str, switch: &[(&str, &str)], sections: &[&str], run: Runs) {
    let base = config(preset, &[&[("sm.count", "2")], switch].concat());
    let keys: Vec<String> = base.resolved().map(|entry| entry.key).collect();
    let names_a_key = |error: &ConfigError| keys.iter().any(|key| error.to_string().contains(key.as_str()));
    let own = keys.iter().filter(|key| sections.iter().any(|section| key.starts_with(&format!("{section}."))));
    assert!(run(&base).unwrap().told.is_ok(), "as it is, it runs");
    let mut tried = 0;
    for key in own {
        let (within, beyond) = limits(&base, key);
        for word in beyond {
            let mut config = base.clone();
            let error = config.set(key, &word).and_then(|()| config.check()).expect_err(&word).to_string();
            assert!(error.starts_with(&format!("{key} = ")), "{key} = {word}: {error}");
        }
        for word in within {
            let mut config = base.clone();
            let outcome = config.set(key, &word).and_then(|()| config.check()).and_then(|()| run(&config));
            if let Err(error) = outcome {
                assert!(names_a_key(&error), "{key} = {word}: {error}");
            }
            tried += 1;
        }
    }
    assert!(tried > 2 * sections.len(), "{tried}");
}

#[test]
fn the_machine_takes_every_parameter_at_its_limits() {
    let own = ["sm", "l1", "noc", "l2", "dram", "vf", "energy", "run", "dtbl"];
    try_all("k20c", &[], &own, search);
    try_all("c1060", &[("flat.enabled", "true")], &["flat"], search);
}

#[test]
fn laperm_and_bubbles_take_every_parameter_at_their_limits() {
    try_all("k20c", &[("dtbl.policy", "laperm")], &["laperm"], search);
    try_all("k20c", &[("bubble.enabled", "true")], &["bubble"], search);
}

#[test]
fn the_buffer_takes_every_parameter_at_its_limits() {
    try_all("gtx480", &[], &["dats"], tiles);
}

#[test]
fn what_is_inside_an_sm_takes_every_parameter_at_its_limits() {
    try_all("gtx480_mascar", &[("sm.policy", "mascar")], &["mascar"], search);
    try_all("apogee", &[("apogee.enabled", "true")], &["apogee"], search);
    try_all("gtx480_equalizer", &[("equalizer.enabled", "true")], &["equalizer"], search);
}

#[test]
fn those_who_share_take_every_parameter_at_its_limits() {
    let full = config("gtx480_liang", &[("tlp.policy", "tlp"), ("tlp.pool_cap", "2")]);
    assert!(full.check_streams(2).is_ok());
    let error = full.check_streams(3).unwrap_err().to_string();
    assert!(error.starts_with("tlp.pool_cap = 2: expected a place for each of 3 streams"), "{error}");
    for policy in ["leftover", "smart_even", "smc", "tlp"] {
        try_all("gtx480_liang", &[("tlp.policy", policy)], &["tlp"], pair);
    }
}

/// A policy of sharing is refused by its key where there is nobody to share with, and where SMC has no two halves for three.
#[test]
fn policies_of_sharing_say_how_many_streams_they_take() {
    for policy in ["leftover", "smart_even", "smc", "tlp"] {
        let gpu = config("gtx480_liang", &[("tlp.policy", policy)]);
        let error = gpu.check_streams(1).unwrap_err().to_string();
        assert!(error.starts_with(&format!("tlp.policy = {policy}: expected off")), "{error}");
        assert!(gpu.check_streams(2).is_ok());
        assert_eq!(gpu.check_streams(3).is_err(), policy == "smc");
        let graph = Arc::new(Csr::from_edges("kron:5".parse::<crate::graph::Generator>().unwrap().edges()).unwrap());
        let mut bfs = Bfs::new(graph, Mode::Dtbl, BfsOptions::default()).unwrap();
        let refused = Gpu::new(&gpu, Mode::Dtbl.into()).unwrap().run(&mut bfs, &mut ()).unwrap_err().to_string();
        assert_eq!(refused, error);
    }
}

/// Sets every parameter that is said to have no effect on this run, and runs it: nothing is different.
#[track_caller]
fn try_idle(preset: &str, switch: &[(&str, &str)], run: Runs) {
    let base = config(preset, &[&[("sm.count", "2")], switch].concat());
    let Ran { options, told } = run(&base).unwrap();
    let (plain, mut tried, mut wrong) = (told.unwrap(), 0, Vec::new());
    for entry in base.resolved() {
        let Some(why) = base.idle(&entry.key, &options) else { continue };
        for word in limits(&base, &entry.key).0 {
            let mut config = base.clone();
            // What is refused has no effect, either.
            if config.set(&entry.key, &word).and_then(|()| config.check()).is_ok() {
                let told = run(&config).unwrap().told;
                tried += 1;
                if told.as_ref() != Ok(&plain) {
                    wrong.push(format!("{} = {word}, though {why}", entry.key));
                }
            }
        }
    }
    assert!(tried > 20 && wrong.is_empty(), "{tried}: {wrong:#?}");
}

#[test]
fn what_is_said_to_have_no_effect_has_none() {
    try_idle("k20c", &[], search);
    try_idle("k20c", &[], |config| search_in(Mode::Flat, config));
    try_idle("k20c", &[], |config| search_in(Mode::Cdp, config));
    try_idle("k20c", &[("dtbl.policy", "laperm")], search);
    try_idle("k20c", &[("l1.enabled", "false")], search);
    try_idle("c1060", &[("flat.enabled", "true")], search);
    try_idle("gtx480", &[], tiles);
    for policy in ["leftover", "smart_even", "smc", "tlp"] {
        try_idle("gtx480_liang", &[("tlp.policy", policy)], pair);
    }
}
