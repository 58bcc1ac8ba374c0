//! Where the SMs lie, parameter `sm.topology`: the name of a layout of the core, `none`, or a table of one's own.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//!
//! // Two GPCs of two TPCs of two SMs; the last two SMs hold no cluster of more than two TBs.
//! let text = "[sm]\ncount = 8\ntopology = { gpcs = [[2, 2], [2, 2]], numbering = \"interleaved\", pair_only = [6, 7] }";
//! let front = GpuConfig::from_toml(text)?.front_end();
//! assert_eq!(front.topology.map(|topology| topology.n_gpc()), Some(2));
//! # Ok::<(), gpusched_refgpu::config::ConfigError>(())
//! ```

use gpusched::{Numbering, SmxId, Topology};
use serde::{Deserialize, Serialize};

use super::{ConfigError, Entry, GpuConfig, Origin, plain_words};

/// The parameter.
pub(super) const KEY: &str = "sm.topology";

/// The word for SMs of which nobody says where they lie.
const NONE: &str = "none";

/// Where the SMs lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// As it was said.
    said: toml::Value,
    origin: Origin,
    /// The same for the front end; `None`: nobody says.
    pub topology: Option<Topology>,
}

/// A layout of one's own.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    /// Of each GPC the SMs of each of its TPCs.
    gpcs: Vec<Vec<u32>>,
    #[serde(default)]
    numbering: Numbering,
    /// SMs that hold no cluster of more than two TBs (modern-C8).
    #[serde(default)]
    pair_only: Vec<u16>,
}

impl Layout {
    /// Nobody says.
    pub(super) fn none() -> Self {
        let origin = Origin { provenance: gpusched::Provenance::Ours.into(), text: "no source says".into() };
        Self { said: NONE.into(), origin, topology: None }
    }

    pub(super) fn new(said: &toml::Value, origin: &Origin) -> Result<Self, ConfigError> {
        let refuse = |expected: String| ConfigError::value(KEY, Entry::word(Some(said)), expected);
        let topology = match said {
            toml::Value::String(name) if name == NONE => None,
            toml::Value::String(name) => Some(Topology::preset(name).ok_or_else(|| {
                let names: Vec<_> = Topology::PRESETS.iter().map(|(name, _)| *name).collect();
                refuse(format!("{NONE}, a table with `gpcs`, or one of {}", names.join(", ")))
            })?),
            own => {
                let own: Own = own.clone().try_into().map_err(|e: toml::de::Error| refuse(plain_words(e.message())))?;
                Some(own.topology().map_err(refuse)?)
            }
        };
        Ok(Self { said: said.clone(), origin: origin.clone(), topology })
    }

    pub(super) fn entry(&self) -> Entry {
        Entry {
            key: KEY.into(),
            value: Entry::word(Some(&self.said)),
            unit: "",
            doc: "Which SMs share a TPC and a GPC: a layout's name, a table of one, or none.",
            provenance: self.origin.provenance,
            origin: self.origin.text.clone(),
        }
    }

    /// An SM for each place, no more and no fewer.
    pub(super) fn check(&self, sms: u32) -> Result<(), ConfigError> {
        match self.topology.map(|topology| topology.n_smx()) {
            Some(places) if places != sms => {
                Err(ConfigError::value("sm.count", sms, format!("{places}, as {KEY} has, or {KEY} = {NONE}")))
            }
            _ => Ok(()),
        }
    }
}

impl Own {
    fn topology(&self) -> Result<Topology, String> {
        let gpcs: Vec<&[u32]> = self.gpcs.iter().map(Vec::as_slice).collect();
        let sizes = "GPCs of TPCs of 1 to 256 SMs, and 256 in all at most";
        let mut topology = Topology::new(&gpcs, self.numbering).map_err(|_| sizes.to_owned())?;
        let n = topology.n_smx();
        for &sm in &self.pair_only {
            if u32::from(sm) >= n {
                return Err(format!("`pair_only` of the {n} SMs that there are, not {sm}"));
            }
            topology.pair_only.set(SmxId(sm), true);
        }
        Ok(topology)
    }
}

impl GpuConfig {
    /// Sets the layout, if `key` is its.
    pub(super) fn assign_layout(
        &mut self,
        key: &str,
        value: &toml::Value,
        origin: &Origin,
    ) -> Option<Result<(), ConfigError>> {
        (key == KEY).then(|| Layout::new(value, origin).map(|layout| self.layout = layout))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_layout_is_said() {
        let error = |topology: &str| {
            GpuConfig::from_toml(&format!("[sm]\ncount = 4\ntopology = {topology}")).unwrap_err().to_string()
        };
        assert!(error("\"h100\"").contains("expected none, a table with `gpcs`, or one of v100, a100"));
        assert_eq!(error("\"v100\""), "sm.count = 4: expected 80, as sm.topology has, or sm.topology = none");
        assert!(error("{ gpcs = [] }").ends_with("expected GPCs of TPCs of 1 to 256 SMs, and 256 in all at most"));
        assert!(
            error("{ gpcs = [[2], [2]], pair_only = [4] }").ends_with("`pair_only` of the 4 SMs that there are, not 4")
        );
        assert!(error("{ gpcs = [[4]], gpc = 3 }").contains("gpc"));
        assert!(error("3").starts_with("sm.topology = 3: expected"));
    }
}
