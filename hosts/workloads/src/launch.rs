//! When and how a thread gives work to a child (workloads-W6 to W8): what all workloads of Group A have in common.

use super::SetupError;
use serde::{Deserialize, Serialize};

/// Most threads of a TB on any machine here.
const MAX_TB: u32 = 1024;

/// When a thread launches, and what. The defaults are the sheet's for workloads other than the breadth-first search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LaunchOptions {
    /// Items (neighbours, matches) from which on a thread gives them to a child, 1 or more (workloads-W7).
    pub min_child: u32,
    /// How much of them the child takes.
    pub cover: Cover,
    /// Threads in the TBs of the child.
    pub shape: Shape,
    /// Integer instructions that each launching lane spends in the launch call, alone (workloads-W6). 0: the call costs its launch
    /// latency only.
    pub launch_insts: u32,
}

/// How much of d items a child takes (workloads-W7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cover {
    /// As many as fill TBs; the parent's thread does the rest.
    #[default]
    Floor,
    /// All; the last TB has idle lanes.
    All,
}

/// Threads in the TBs of a child (workloads-W8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// The largest of 256, 128, 64, 32 not above d, at least 32.
    #[default]
    Var,
    /// This many, 1 to 1024.
    Fixed(u32),
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self { min_child: 32, cover: Cover::default(), shape: Shape::Fixed(32), launch_insts: 0 }
    }
}

impl LaunchOptions {
    /// The preset for cage graphs, where hardly any vertex has 32 neighbours (workloads-A5).
    #[must_use]
    pub fn cage() -> Self {
        Self { min_child: 16, cover: Cover::All, ..Self::default() }
    }

    pub(super) fn check(&self) -> Result<(), SetupError> {
        let wrong =
            |option, expected, found: u32| Err(SetupError::Option { option, expected, found: u64::from(found) });
        match (self.min_child, self.shape) {
            (0, _) => wrong("min_child", "1 or more", 0),
            (_, Shape::Fixed(tb)) if !(1..=MAX_TB).contains(&tb) => wrong("shape", "1 to 1024 threads", tb),
            _ => Ok(()),
        }
    }

    /// The child for `items`: how many of them it takes, in TBs of how many threads. `None`: no child.
    pub(super) fn child(&self, items: u32) -> Option<(u32, u32)> {
        if items < self.min_child {
            return None;
        }
        let tb = match self.shape {
            Shape::Fixed(tb) => tb,
            Shape::Var => 1 << items.clamp(32, 256).ilog2(),
        };
        let count = match self.cover {
            Cover::All => items,
            Cover::Floor => items / tb * tb,
        };
        (count > 0).then_some((count, tb))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_have_the_shape_the_options_say() {
        let floor = LaunchOptions { shape: Shape::Var, ..LaunchOptions::default() };
        let children = [31, 32, 63, 64, 100, 255, 256, 1000].map(|d| floor.child(d));
        let wanted = [
            None,
            Some((32, 32)),
            Some((32, 32)),
            Some((64, 64)),
            Some((64, 64)),
            Some((128, 128)),
            Some((256, 256)),
            Some((768, 256)),
        ];
        assert_eq!(children, wanted);

        let cage = LaunchOptions::cage();
        assert_eq!([15, 16, 40, 70].map(|d| cage.child(d)), [None, Some((16, 32)), Some((40, 32)), Some((70, 32))]);
        let wide = LaunchOptions { shape: Shape::Fixed(64), ..floor };
        assert_eq!([40, 130].map(|d| wide.child(d)), [None, Some((128, 64))]);
    }

    #[test]
    fn options_read_from_toml_and_reject_what_they_do_not_know() {
        let read = toml::from_str::<LaunchOptions>;
        assert_eq!(read("").unwrap(), LaunchOptions::default());
        let all = "min_child = 16\ncover = 'all'\nshape = 'var'\nlaunch_insts = 32";
        let wanted = LaunchOptions { min_child: 16, cover: Cover::All, shape: Shape::Var, launch_insts: 32 };
        assert_eq!(read(all).unwrap(), wanted);
        assert!(read("min_chidl = 16").unwrap_err().to_string().contains("min_chidl"));
        assert!(read("min_child = 0").unwrap().check().is_err());
        assert!(read("shape = { fixed = 1025 }").unwrap().check().is_err());
    }
}
