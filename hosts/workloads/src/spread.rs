//! Which thread works on which item of a kernel: a grid with a thread for each, or grid-stride loops over the threads of one SM
//! (workloads-PK7).

use super::catalogue::Request;
use super::device::{Resources, host_kernel};
use super::list::Place;
use super::{SetupError, check_range};
use gpusched::Descriptor;
use gpusched_refgpu::lanes::WARP;
use serde::{Deserialize, Serialize};

/// Most threads of a TB.
const MOST_THREADS: u32 = 1024;
/// Registers of a thread in a loop: the SM has as many as 16 for each of its threads (refgpu-P5).
const LOOP_REGISTERS: u32 = 16;

/// How the items of a kernel are spread over threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spread {
    /// Over a grid of TBs, in the form of the functional kernels (workloads-FK1 to FK12).
    #[default]
    Grid,
    /// Over one TB of so many threads, 1 to 1024: all that the SM has. Thread t works on the items t, t + threads,
    /// t + 2 threads and so on, so that addresses are functions of t + i threads. The APOGEE form of a kernel.
    Loop(u32),
}

/// The items that are left to a thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Items {
    /// The next one.
    pub at: u32,
    step: u32,
    end: u32,
}

impl Spread {
    /// As the catalogue's `request` says.
    pub(super) fn requested(request: Request) -> Self {
        request.loop_warps.map_or(Self::Grid, |warps| Self::Loop(warps.saturating_mul(WARP)))
    }

    pub(super) fn check(self) -> Result<(), SetupError> {
        match self {
            Self::Grid => Ok(()),
            Self::Loop(threads) => check_range("spread", threads, 1..=MOST_THREADS, "a loop over 1 to 1024 threads"),
        }
    }

    /// Whether threads loop.
    pub(super) const fn is_loop(self) -> bool {
        matches!(self, Self::Loop(_))
    }

    /// Kernel number `program`: `tbs` TBs of `tb` threads that need `resources`, or the TB of the loop.
    pub(super) fn kernel(self, program: u8, tbs: u32, tb: u32, resources: Resources) -> Descriptor {
        match self {
            Self::Grid => host_kernel(program, tbs, tb, resources),
            Self::Loop(threads) => host_kernel(program, 1, threads, Resources { regs: LOOP_REGISTERS, ..resources }),
        }
    }

    /// What a thread has of items 0..`count`. In a grid that is one at most.
    pub(super) const fn items(self, place: Place, count: u32) -> Items {
        let step = match self {
            Self::Grid => count,
            Self::Loop(threads) => threads,
        };
        Items::strided(place.index(), step, count)
    }
}

impl Items {
    /// The items `first`, `first + step` and so on below `end`.
    pub(super) const fn strided(first: u32, step: u32, end: u32) -> Self {
        Self { at: first, step, end }
    }

    /// Whether one is left.
    pub(super) const fn left(self) -> bool {
        self.at < self.end
    }

    /// On to the next one.
    pub(super) const fn advance(&mut self) {
        self.at += self.step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All items of 0..`count` that `threads` threads have, in TBs of `tb`.
    fn all(spread: Spread, threads: u32, tb: u32, count: u32) -> Vec<u32> {
        let of = |index| {
            let place = Place { tb: index / tb, in_tb: index % tb, tb_threads: tb, room: 0 };
            let mut items = spread.items(place, count);
            std::iter::from_fn(move || {
                let at = items.at;
                let left = items.left();
                items.advance();
                left.then_some(at)
            })
        };
        (0..threads).flat_map(of).collect()
    }

    #[test]
    fn every_item_has_one_thread() {
        assert_eq!(all(Spread::Grid, 64, 32, 40), (0..40).collect::<Vec<_>>());
        assert_eq!(all(Spread::Loop(3), 3, 3, 8), [0, 3, 6, 1, 4, 7, 2, 5]);
        for threads in [1, 7, 32, 100, 1024] {
            let mut items = all(Spread::Loop(threads), threads, threads, 333);
            items.sort_unstable();
            assert_eq!(items, (0..333).collect::<Vec<_>>());
        }
    }

    #[test]
    fn reads_from_toml_and_refuses_what_no_tb_has() {
        #[derive(Deserialize)]
        struct File {
            spread: Spread,
        }
        let read = |text| toml::from_str::<File>(text).unwrap().spread;
        assert_eq!(read("spread = 'grid'"), Spread::Grid);
        assert_eq!(read("spread = { loop = 128 }"), Spread::Loop(128));
        assert_eq!([1, 1024].map(|threads| Spread::Loop(threads).check()), [Ok(()), Ok(())]);
        for threads in [0, 1025] {
            assert_eq!(
                Spread::Loop(threads).check().unwrap_err().to_string(),
                format!("option `spread`: expected a loop over 1 to 1024 threads, found {threads}")
            );
        }
    }
}
