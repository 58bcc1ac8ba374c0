//! What SMs report to the front end.

use crate::program::LaneLaunch;
use crate::remote::RemoteAccess;

/// What SMs report in one cycle to the front end.
#[derive(Debug, Default)]
pub struct Outbox {
    /// TBs whose last warp has exited.
    pub ended: Vec<Ended>,
    /// Launch calls.
    pub launches: Vec<LaunchCall>,
    /// TBs whose warps all wait for the TB's children: SM and TB slot.
    pub syncs: Vec<(u16, u8)>,
    /// Buffers to use again.
    pub spare: Vec<Vec<LaneLaunch>>,
    /// Accesses to shared memory of other TBs of a cluster, to be carried out in the same beat.
    pub remote: Vec<RemoteAccess>,
    /// An address beyond what a line number holds was used.
    pub bad_address: bool,
}

impl Outbox {
    /// Whether there is nothing to report.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ended.is_empty() && self.launches.is_empty() && self.syncs.is_empty()
    }
}

/// A TB whose last warp has exited.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// SM.
    pub sm: u16,
    /// TB slot.
    pub slot: u8,
    /// What it has issued; nothing, unless that is counted.
    pub issued: Issued,
}

/// Warp instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Issued {
    /// Of a TB, since it came to its SM.
    pub own: u64,
    /// Of all TBs of its unit on that SM meanwhile, it included.
    pub all: u64,
}

/// A warp's launch call. The warp is held until [`Sm::resume`](super::Sm::resume).
#[derive(Debug)]
pub struct LaunchCall {
    /// SM.
    pub sm: u16,
    /// TB slot.
    pub slot: u8,
    /// Warp slot.
    pub warp: u8,
    /// What its lanes launch, in lane order.
    pub lanes: Vec<LaneLaunch>,
}
