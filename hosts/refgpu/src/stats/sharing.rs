//! What was decided for kernels that share SMs (refgpu-G1; sheet `tlp`).

use crate::changes::Changes;
use gpusched::tlp::{Action, Pipe, Sampled};
use serde::{Deserialize, Serialize};

/// Counts of all SMs, under any policy of section `tlp`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharingStats {
    /// Periods that were sampled.
    pub samples: u64,
    /// Those that found nothing to compare with.
    pub first: u64,
    /// Those after which targets moved.
    pub moved: u64,
    /// Those after which both utilisations had risen.
    pub held: u64,
    /// Those after which both kernels leaned on the critical pipeline alike.
    pub tied: u64,
    /// Those after which the kernel that was to grow had no TBs to send.
    pub no_work: u64,
    /// Those after which the other kernel could not shrink enough.
    pub blocked: u64,
    /// Periods that ended before they were sampled, with a kernel.
    pub aborted: u64,
    /// Those in which SP, and in which LD/ST, was critical: had the lesser utilisation over that of its history (PUCT).
    pub critical: [u64; 2],
    /// Cycles that decisions took; meanwhile an SM got no TB.
    pub decision_cycles: u64,
}

impl SharingStats {
    /// A period was sampled.
    pub(crate) fn count(&mut self, sampled: &Sampled) {
        self.samples += 1;
        self.decision_cycles += u64::from(sampled.cost);
        if let Some(pipe) = sampled.critical {
            self.critical[usize::from(pipe == Pipe::Ldst)] += 1;
        }
        match sampled.action {
            Action::First => self.first += 1,
            Action::Moved => self.moved += 1,
            Action::Hold => self.held += 1,
            Action::Tie => self.tied += 1,
            Action::NoWork => self.no_work += 1,
            Action::Blocked => self.blocked += 1,
            Action::Void | Action::Off | Action::Frozen => {}
        }
    }
}

/// Targets of an SM from some cycle on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Targets {
    /// Core cycle.
    pub cycle: u64,
    /// SM.
    pub sm: u16,
    /// TBs of the kernel in the first and the second place.
    pub tb: [u32; 2],
    /// How many of them are to bypass L1.
    pub by: [u32; 2],
    /// The streams in these places.
    pub streams: [Option<usize>; 2],
}

/// The way of the targets of all SMs, under TLP modulation.
pub type TlpWalk = Changes<Targets, { 1 << 16 }>;
