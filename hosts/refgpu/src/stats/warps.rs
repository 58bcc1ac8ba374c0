//! How the warps of the SMs spend their time: classes at sampling instants (`equalizer` C).

use gpusched::equalizer::{Class, Classified, Counts};
use serde::{Deserialize, Serialize};

/// Warps by class, summed over samples of SMs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarpStates {
    /// Samples of an SM.
    pub samples: u64,
    /// Active warps: all but paused and unaccounted ones, and those at barriers unless `equalizer.sync_active`.
    pub active: u64,
    /// Waiting for operands.
    pub waiting: u64,
    /// Held back by the arithmetic pipes.
    pub xalu: u64,
    /// Held back by the LD/ST pipe.
    pub xmem: u64,
    /// Issuing in the sampled cycle.
    pub issued: u64,
    /// At a barrier, held by a launch, or ready for a memory pipe that accepts.
    pub other: u64,
    /// Of paused blocks.
    pub paused: u64,
    /// Without a valid instruction.
    pub unaccounted: u64,
}

impl WarpStates {
    /// One more warp.
    pub fn count(&mut self, warp: &Classified) {
        self.active += u64::from(warp.active);
        *match warp.of {
            Class::Absent => return,
            Class::Paused => &mut self.paused,
            Class::Issued => &mut self.issued,
            Class::Unaccounted => &mut self.unaccounted,
            Class::Other => &mut self.other,
            Class::Waiting => &mut self.waiting,
            Class::Xalu => &mut self.xalu,
            Class::Xmem => &mut self.xmem,
        } += 1;
    }

    /// What the machine of an SM is told; for a single sample.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let [active, waiting, xalu, xmem] = [self.active, self.waiting, self.xalu, self.xmem].map(|n| n as u32);
        Counts { active, waiting, xalu, xmem }
    }

    fn zip(self, o: Self, f: fn(u64, u64) -> u64) -> Self {
        Self {
            samples: f(self.samples, o.samples),
            active: f(self.active, o.active),
            waiting: f(self.waiting, o.waiting),
            xalu: f(self.xalu, o.xalu),
            xmem: f(self.xmem, o.xmem),
            issued: f(self.issued, o.issued),
            other: f(self.other, o.other),
            paused: f(self.paused, o.paused),
            unaccounted: f(self.unaccounted, o.unaccounted),
        }
    }
}

impl std::ops::AddAssign for WarpStates {
    fn add_assign(&mut self, o: Self) {
        *self = self.zip(o, |a, b| a + b);
    }
}

impl std::ops::Sub for WarpStates {
    type Output = Self;

    /// What came after `o`, an earlier state of the same sums.
    fn sub(self, o: Self) -> Self {
        self.zip(o, |a, b| a - b)
    }
}
