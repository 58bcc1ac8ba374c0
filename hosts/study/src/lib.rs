//! Experiments on the reference GPU: a workload in several ways side by side, kernels that share a machine, studies of the sources run
//! again, models beside measurements; with their tables, figures and JSON. The command `gpusched` is a face of this crate.
//!
//! [`ask`] says what can be asked for; each experiment is a module with a function that takes it and gives a text, and leaves files in a
//! folder. What they share can be used alone: [`input`] turns names into inputs and machines, [`job`] sets a workload up, [`variant`]
//! says in which ways to run it, [`simulate`] does it on several threads, [`metrics`] are what is told of runs, [`report`] puts them into
//! a table, a plot and JSON, and [`plot`] draws. [`interrupt::request`] ends what runs.
//!
//! ```
//! use gpusched_study::ask::{Machine, Scheduling, Workload};
//! use gpusched_study::{Failure, input, job::Job, report::Report, simulate, variant::Variant, way::Way};
//!
//! let setup = input::Setup::resolve(&Machine::default(), "k20c")?;
//! let graph = gpusched_study::ask::Input { graph: Some("cit:512".parse().unwrap()), ..Default::default() };
//! let input = input::Input::load(Workload::Bfs, &graph, &Default::default(), &setup, true)?;
//! let job = Job { workload: Workload::Bfs, input: &input, setup: &setup };
//! let variants = Variant::all(&Way::usual(Workload::Bfs), &Scheduling::default(), &setup)?;
//! let runs = simulate::run(job, &variants, Default::default(), None, true)?;
//! assert!(runs.iter().all(|run| run.result.stats.sm.tbs > 0));
//! let report = Report { workload: Workload::Bfs, input: &input, setup: &setup, runs: &runs };
//! assert!(report.table().contains("speedup over flat"));
//! # Ok::<(), Failure>(())
//! ```

pub mod ask;
pub mod chain;
pub mod clusters;
pub mod compare;
pub mod config;
pub mod decision_log;
pub mod demo;
pub mod depgraph;
mod failure;
pub mod footprint;
pub mod graph;
pub mod ideal;
pub mod input;
pub mod interrupt;
pub mod job;
pub mod kernels;
mod memory;
pub mod metrics;
pub mod microbench;
pub mod model;
pub mod options;
pub mod output;
mod page;
pub mod plot;
pub mod policies;
mod progress;
pub mod rank;
pub mod replay_log;
pub mod report;
pub mod reproduce;
pub mod scheduler;
pub mod sharing;
pub mod side_by_side;
pub mod simulate;
pub mod speed;
pub mod statistics;
mod stopwatch;
pub mod study;
mod suggest;
mod table;
pub mod timeline;
pub mod tournament;
pub mod trace;
pub mod variant;
pub mod way;

pub use failure::Failure;
