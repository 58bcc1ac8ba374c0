//! How many bodies, and how their threads launch.

use crate::{Cover, LaunchOptions, SetupError, Shape, check_range};
use serde::{Deserialize, Serialize};

/// Options of a Barnes-Hut tree (workloads-BH1, workloads-W6 to W8). The defaults are the sheet's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BhtOptions {
    /// Bodies, 1 to 2^20.
    pub bodies: u32,
    /// Seed of their places.
    pub seed: u64,
    /// Grandchildren from which on a cell that is opened is given to a child, 1 or more (workloads-W7).
    pub min_child: u32,
    /// How much of them the child takes.
    pub cover: Cover,
    /// Threads in the TBs of the child.
    pub shape: Shape,
    /// Integer instructions that each launching lane spends in the launch call, alone (workloads-W6).
    pub launch_insts: u32,
}

impl Default for BhtOptions {
    fn default() -> Self {
        let LaunchOptions { min_child, cover, shape, launch_insts } = LaunchOptions::default();
        Self { bodies: 2048, seed: 1, min_child, cover, shape, launch_insts }
    }
}

impl BhtOptions {
    /// When a thread launches, and what.
    pub(super) const fn launch(self) -> LaunchOptions {
        let Self { min_child, cover, shape, launch_insts, .. } = self;
        LaunchOptions { min_child, cover, shape, launch_insts }
    }

    pub(super) fn check(&self) -> Result<(), SetupError> {
        check_range("bodies", self.bodies, 1..=1 << 20, "1 to 2^20 bodies")?;
        self.launch().check()
    }
}
