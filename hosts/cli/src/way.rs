//! How a workload runs: an irregular one in a mode, which says how it launches what it finds; a wavefront in a version, which says
//! how its tiles wait for each other.

use crate::args::Workload;
use crate::failure::Failure;
use anyhow::anyhow;
use gpusched_refgpu::workload::{Mode, Version};
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
}

impl Way {
    /// Those that are asked for, or `default`, if `workload` runs in them.
    pub fn all(
        workload: Workload,
        modes: &[Mode],
        versions: &[Version],
        default: &[Self],
    ) -> Result<Vec<Self>, Failure> {
        let refuse = |option: &str, has: &str| Err(Failure::Usage(anyhow!("{option}: {} has {has}", workload.name())));
        match (workload.wave(), modes, versions) {
            (Some(_), [_, ..], _) => refuse("--mode", "versions: global, cdp, deplinks, lrr, lvl"),
            (None, _, [_, ..]) => refuse("--version", "modes: flat, cdp, cdpi, dtbl, dtbli"),
            (_, [], []) => Ok(default.to_vec()),
            (Some(_), _, versions) => Ok(versions.iter().copied().map(Self::Version).collect()),
            (None, modes, _) => Ok(modes.iter().copied().map(Self::Mode).collect()),
        }
    }

    /// Every way of `workload`.
    pub fn usual(workload: Workload) -> Vec<Self> {
        match workload.wave() {
            Some(_) => Version::ALL.map(Self::Version).to_vec(),
            None => Mode::ALL.map(Self::Mode).to_vec(),
        }
    }

    /// Whether others are compared with it.
    pub const fn is_base(self) -> bool {
        matches!(self, Self::Mode(Mode::Flat) | Self::Version(Version::Global))
    }

    /// Whether TBs launch others.
    pub const fn is_dynamic(self) -> bool {
        match self {
            Self::Mode(mode) => mode.is_dynamic(),
            Self::Version(version) => matches!(version, Version::Cdp),
        }
    }

    /// What ways of its kind are called.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Mode(_) => "mode",
            Self::Version(_) => "version",
        }
    }

    /// Its place among all.
    pub fn number(self) -> usize {
        let place = match self {
            Self::Mode(mode) => Mode::ALL.iter().position(|&one| one == mode),
            Self::Version(version) => Version::ALL.iter().position(|&one| one == version),
        };
        place.unwrap_or(0)
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mode(mode) => mode.fmt(f),
            Self::Version(version) => version.fmt(f),
        }
    }
}
