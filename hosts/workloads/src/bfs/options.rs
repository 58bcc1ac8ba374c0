//! How a search visits the neighbours of a vertex.

use crate::{Cover, LaunchOptions, Shape};
use serde::{Deserialize, Serialize};

/// Options of a search (workloads-BF4, workloads-W6 to W8). The defaults are the sheet's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BfsOptions {
    /// Form of mode `flat`; the others have their own.
    pub flat: FlatForm,
    /// Neighbours from which on a vertex is given to a child, 1 or more (workloads-W7).
    pub min_child: u32,
    /// How much of them the child takes.
    pub cover: Cover,
    /// Threads in the TBs of the child.
    pub shape: Shape,
    /// Integer instructions that each launching lane spends in the launch call, alone (workloads-W6). 0: the call costs its launch
    /// latency only.
    pub launch_insts: u32,
}

/// Forms of the flat search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlatForm {
    /// Each thread visits the neighbours of its vertex.
    #[default]
    Thread,
    /// Vertices of 256 neighbours or more by the TB, of 32 or more by the warp, the rest by the thread.
    Merrill,
}

impl Default for BfsOptions {
    fn default() -> Self {
        let LaunchOptions { min_child, cover, launch_insts, .. } = LaunchOptions::default();
        Self { flat: FlatForm::default(), min_child, cover, shape: Shape::Var, launch_insts }
    }
}

impl BfsOptions {
    /// The preset for cage graphs, where hardly any vertex has 32 neighbours (workloads-A5).
    #[must_use]
    pub fn cage() -> Self {
        let LaunchOptions { min_child, cover, .. } = LaunchOptions::cage();
        Self { min_child, cover, ..Self::default() }
    }

    /// When a vertex's thread launches, and what.
    pub(super) const fn launch(self) -> LaunchOptions {
        let Self { min_child, cover, shape, launch_insts, .. } = self;
        LaunchOptions { min_child, cover, shape, launch_insts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_read_from_toml_and_reject_what_they_do_not_know() {
        let read = toml::from_str::<BfsOptions>;
        assert_eq!(read("").unwrap(), BfsOptions::default());
        let all = "flat = 'merrill'\nmin_child = 16\ncover = 'all'\nshape = { fixed = 64 }\nlaunch_insts = 32";
        let wanted = BfsOptions {
            flat: FlatForm::Merrill,
            min_child: 16,
            cover: Cover::All,
            shape: Shape::Fixed(64),
            launch_insts: 32,
        };
        assert_eq!(read(all).unwrap(), wanted);
        assert!(read("min_chidl = 16").unwrap_err().to_string().contains("min_chidl"));
        let LaunchOptions { shape, .. } = BfsOptions::cage().launch();
        assert_eq!(shape, Shape::Var);
    }
}
