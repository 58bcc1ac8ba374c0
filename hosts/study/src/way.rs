//! How a workload runs: an irregular one in a mode, which says how it launches what it finds; a wavefront in a version, which says
//! how its tiles wait for each other; a product by a dispatch, which says who takes its tiles; a kernel under a policy, which says what goes on inside the SMs.

use crate::ask::{SmPolicy, Workload};
use crate::failure::Failure;
use anyhow::anyhow;
use gpusched_workloads::{Dispatch, Mode, Version};
use serde::Serialize;
use std::fmt;

/// One way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// Of an irregular workload.
    Mode(Mode),
    /// Of a wavefront.
    Version(Version),
    /// Of a product.
    Dispatch(Dispatch),
    /// Of a kernel.
    Sm(SmPolicy),
}

fn words(ways: &[impl fmt::Display]) -> String {
    ways.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What the ways of a workload are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaysOf {
    /// Of an irregular workload.
    Modes,
    /// Of a wavefront.
    Versions,
    /// Of a product.
    Dispatches,
    /// Of a kernel.
    Policies,
}

/// The ways that are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Of an irregular workload.
    pub modes: &'a [Mode],
    /// Of a wavefront.
    pub versions: &'a [Version],
    /// Of a product.
    pub dispatches: &'a [Dispatch],
    /// Of a kernel.
    pub sm: &'a [SmPolicy],
}

impl Way {
    /// Those that are asked for, or `default`, if `workload` runs in them.
    pub fn all(workload: Workload, asked: Asked<'_>, default: &[Self]) -> Result<Vec<Self>, Failure> {
        let Asked { modes, versions, dispatches, sm } = asked;
        let of = workload.ways();
        let given = [
            ("--mode", WaysOf::Modes, !modes.is_empty()),
            ("--version", WaysOf::Versions, !versions.is_empty()),
            ("--dispatch", WaysOf::Dispatches, !dispatches.is_empty()),
            ("--sm", WaysOf::Policies, !sm.is_empty()),
        ];
        let has = || match of {
            WaysOf::Modes => format!("modes: {}", words(workload.modes())),
            WaysOf::Versions => format!("versions: {}", words(&Version::ALL)),
            WaysOf::Dispatches => format!("dispatches: {}", words(&Dispatch::ALL)),
            WaysOf::Policies => "policies inside the SMs, named with --sm".to_owned(),
        };
        if let Some((option, ..)) = given.into_iter().find(|&(_, kind, is)| is && kind != of) {
            return Err(Failure::Usage(anyhow!("{option}: {} has {}", workload.name(), has())));
        }
        if let Some(mode) = modes.iter().find(|mode| !workload.modes().contains(mode)) {
            return Err(Failure::Usage(anyhow!("--mode {mode}: {} has {}", workload.name(), has())));
        }
        let modes = modes.iter().copied().map(Self::Mode);
        let versions = versions.iter().copied().map(Self::Version);
        let dispatches = dispatches.iter().copied().map(Self::Dispatch);
        let sm = sm.iter().copied().map(Self::Sm);
        let asked: Vec<Self> = modes.chain(versions).chain(dispatches).chain(sm).collect();
        Ok(if asked.is_empty() { default.to_vec() } else { asked })
    }

    /// Every way of `workload`.
    pub fn usual(workload: Workload) -> Vec<Self> {
        match workload.ways() {
            WaysOf::Modes => Mode::OF_SOURCE.map(Self::Mode).to_vec(),
            WaysOf::Versions => Version::ALL.map(Self::Version).to_vec(),
            WaysOf::Dispatches => Dispatch::ALL.map(Self::Dispatch).to_vec(),
            WaysOf::Policies if workload == Workload::Trace => SmPolicy::ANYWHERE.map(Self::Sm).to_vec(),
            WaysOf::Policies => SmPolicy::USUAL.map(Self::Sm).to_vec(),
        }
    }

    /// The one in which `run` takes `workload` if none is named.
    pub const fn of_run(workload: Workload) -> Self {
        match workload.ways() {
            WaysOf::Modes => Self::Mode(Mode::Dtbl),
            WaysOf::Versions => Self::Version(Version::Lvl),
            WaysOf::Dispatches => Self::Dispatch(Dispatch::Hardware),
            WaysOf::Policies => Self::Sm(SmPolicy::Lrr),
        }
    }

    /// Whether others are compared with it, if it is there. Kernels are compared with the first way of all.
    pub const fn is_base(self) -> bool {
        matches!(self, Self::Mode(Mode::Flat) | Self::Version(Version::Global) | Self::Dispatch(Dispatch::Hardware))
    }

    /// Whether TBs launch others.
    pub const fn is_dynamic(self) -> bool {
        match self {
            Self::Mode(mode) => mode.is_dynamic(),
            Self::Version(version) => matches!(version, Version::Cdp),
            Self::Dispatch(_) | Self::Sm(_) => false,
        }
    }

    /// What ways of its kind are called.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Mode(_) => "mode",
            Self::Version(_) => "version",
            Self::Dispatch(_) => "dispatch",
            Self::Sm(_) => "policy",
        }
    }

    /// Its place among all.
    pub fn number(self) -> usize {
        let place = match self {
            Self::Mode(mode) => Mode::ALL.iter().position(|&one| one == mode),
            Self::Version(version) => Version::ALL.iter().position(|&one| one == version),
            Self::Dispatch(dispatch) => Dispatch::ALL.iter().position(|&one| one == dispatch),
            Self::Sm(policy) => Some(policy.number()),
        };
        place.unwrap_or(0)
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mode(mode) => mode.fmt(f),
            Self::Version(version) => version.fmt(f),
            Self::Dispatch(dispatch) => dispatch.fmt(f),
            Self::Sm(policy) => policy.fmt(f),
        }
    }
}
