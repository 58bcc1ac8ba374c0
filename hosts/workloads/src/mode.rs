//! How a workload of Group A expands its irregular work (workloads-W5).

use super::SetupError;
use crate::named::{UnknownWord, named};
use gpusched_refgpu::front::LaunchVerb;
use gpusched_refgpu::gpu::RunOptions;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Flat, one of the ways of launching from the device, or persistent threads. The dynamic modes share one program; the machine chooses the verb
/// and the latency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// No device launch: each thread does its own work.
    #[default]
    #[serde(rename = "flat")]
    Flat,
    /// CUDA dynamic parallelism: launches are kernels.
    #[serde(rename = "cdp")]
    Cdp,
    /// The same without launch latency.
    #[serde(rename = "cdpi")]
    CdpIdeal,
    /// CUDA dynamic parallelism of today: kernels that are fired and forgotten. Not one of the source's modes.
    #[serde(rename = "cdp2")]
    Cdp2,
    /// Dynamic TB launch: launches are aggregated groups.
    #[serde(rename = "dtbl")]
    Dtbl,
    /// The same without launch latency.
    #[serde(rename = "dtbli")]
    DtblIdeal,
    /// Persistent threads: TBs that stay, and take what they find from a queue. Of the breadth-first search only.
    #[serde(rename = "pt")]
    Persistent,
}

impl Mode {
    /// All of them, in the usual order.
    pub const ALL: [Self; 7] =
        [Self::Flat, Self::Cdp, Self::CdpIdeal, Self::Cdp2, Self::Dtbl, Self::DtblIdeal, Self::Persistent];
    /// Those that every workload of Group A has.
    pub const COMMON: [Self; 6] = [Self::Flat, Self::Cdp, Self::CdpIdeal, Self::Cdp2, Self::Dtbl, Self::DtblIdeal];
    /// Those of which the source compares all workloads.
    pub const OF_SOURCE: [Self; 5] = [Self::Flat, Self::Cdp, Self::CdpIdeal, Self::Dtbl, Self::DtblIdeal];

    /// Whether the program launches from the device.
    #[must_use]
    pub const fn is_dynamic(self) -> bool {
        !matches!(self, Self::Flat | Self::Persistent)
    }

    /// Whether launches take no time.
    #[must_use]
    pub const fn is_ideal(self) -> bool {
        matches!(self, Self::CdpIdeal | Self::DtblIdeal)
    }

    /// For workloads that have the modes of all.
    pub(super) const fn common(self) -> Result<Self, SetupError> {
        match self {
            Self::Persistent => Err(SetupError::NoMode { mode: self }),
            _ => Ok(self),
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Flat => "flat",
            Self::Cdp => "cdp",
            Self::CdpIdeal => "cdpi",
            Self::Cdp2 => "cdp2",
            Self::Dtbl => "dtbl",
            Self::DtblIdeal => "dtbli",
            Self::Persistent => "pt",
        })
    }
}

impl FromStr for Mode {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        named("mode ", Self::ALL, word, "flat, cdp, cdpi, cdp2, dtbl, dtbli or pt")
    }
}

impl From<Mode> for RunOptions {
    fn from(mode: Mode) -> Self {
        let launch = match mode {
            Mode::Flat | Mode::Persistent => None,
            Mode::Cdp | Mode::CdpIdeal => Some(LaunchVerb::DeviceKernel),
            Mode::Cdp2 => Some(LaunchVerb::ForgottenKernel),
            Mode::Dtbl | Mode::DtblIdeal => Some(LaunchVerb::Group),
        };
        Self { launch, ideal_launch: mode.is_ideal(), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_everywhere() {
        #[derive(Deserialize)]
        struct File {
            mode: Mode,
        }
        for mode in Mode::ALL {
            assert_eq!(mode.to_string().parse(), Ok(mode));
            let file: File = toml::from_str(&format!("mode = \"{mode}\"")).unwrap();
            assert_eq!(file.mode, mode);
        }
        assert!("CDP".parse::<Mode>().unwrap_err().to_string().contains("cdpi"));
    }
}
