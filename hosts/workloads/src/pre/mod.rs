//! Product recommendation (workloads-PR1 to PR4): how many users have rated both of any two items, which is what items are compared by.
//!
//! One kernel with a thread for each user, who adds one to the count of every ordered pair of the user's items. The dynamic modes give rows of
//! pairs to children, sixteen rows to a TB of 16 x 16 threads: children are coarse, and all users launch. `ratings.rs` makes the input,
//! `list.rs` holds the instruction lists; this file the data they work on.
//!
//! ```
//! use gpusched_refgpu::program::Workload;
//! use gpusched_workloads::{Mode, Pre, PreOptions};
//!
//! let mut pre = Pre::new(PreOptions { users: 200, ..PreOptions::default() }, Mode::Dtbl)?;
//! let kernel = Workload::next_kernel(&mut pre).expect("the only one");
//! assert_eq!((kernel.grid.x, kernel.tb.x), (2, 128));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;
mod ratings;

pub use list::{Parameters, Thread};
pub use ratings::{PreOptions, Ratings};

use super::device::{Child, Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, Layout, Mode, SetupError, Verified, WrongResult, verify};
use gpusched::Descriptor;

const TB_THREADS: u32 = 128;
/// Rows of pairs that a child's TB takes, and columns that it takes at a time.
const SIDE: u32 = 16;
const PARENT: Resources = Resources { regs: 24, smem: 0 };
const CHILD: Resources = Resources { regs: 16, smem: 0 };

/// A count of pairs in progress.
#[derive(Clone, Debug)]
pub struct Pre {
    items: u32,
    dynamic: bool,
    ratings: Ratings,
    memory: Memory,
    device: Device<Parameters>,
    launched: bool,
    /// The result: for each pair of items, row by row, the users who have rated both.
    sim: Vec<u32>,
    /// Pairs counted, of how many.
    counted: u64,
    pairs: u64,
}

/// Where the arrays lie, in the order of the sheet.
#[derive(Clone, Debug)]
struct Memory {
    first: Array,
    item: Array,
    sim: Array,
}

impl Pre {
    /// A count over the ratings that `options` ask for.
    ///
    /// # Errors
    /// [`SetupError`]: a mode that only others have, or an option out of range.
    pub fn new(options: PreOptions, mode: Mode) -> Result<Self, SetupError> {
        options.check()?;
        Self::of(Ratings::generated(options), options, mode)
    }

    /// The same over other ratings.
    fn of(ratings: Ratings, options: PreOptions, mode: Mode) -> Result<Self, SetupError> {
        let dynamic = mode.common()?.is_dynamic();
        let (users, counts) = (ratings.count(), u64::from(options.items) * u64::from(options.items));
        let mut layout = Layout::default();
        let memory = Memory {
            first: layout.words(u64::from(users) + 1)?,
            item: layout.words(ratings.item.len() as u64)?,
            sim: layout.words(counts)?,
        };
        Ok(Self {
            items: options.items,
            dynamic,
            memory,
            device: Device::new(options.launch(), CHILD, &mut layout, users)?,
            launched: false,
            sim: vec![0; counts as usize],
            counted: 0,
            pairs: ratings.users().map(|rated| rated.len() as u64).map(|count| count * count.saturating_sub(1)).sum(),
            ratings,
        })
    }

    /// The count of each pair of items so far, row by row.
    #[must_use]
    pub fn similarities(&self) -> &[u32] {
        &self.sim
    }

    /// Compares the counts with those of a look at each user after the other (workloads-PR4).
    ///
    /// # Errors
    /// [`WrongResult`] with the first pair whose count differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let items = self.items as usize;
        let mut expected = vec![0; self.sim.len()];
        for rated in self.ratings.users() {
            for (place, &one) in rated.iter().enumerate() {
                for &other in &rated[place + 1..] {
                    expected[one as usize * items + other as usize] += 1;
                    expected[other as usize * items + one as usize] += 1;
                }
            }
        }
        verify("sim", self.sim.iter().copied(), expected.into_iter())
    }
}

impl Algorithm for Pre {
    type Thread = Thread;
    on_device!(Parameters);

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let first = !std::mem::replace(&mut self.launched, true);
        first.then(|| host_kernel(0, self.ratings.count().div_ceil(TB_THREADS), TB_THREADS, PARENT))
    }

    fn list(&self, child: bool) -> List<Self> {
        match (child, self.dynamic) {
            (true, _) => list::CHILD,
            (false, true) => list::PARENT,
            (false, false) => list::FLAT,
        }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place)
    }

    fn give(&self, thread: &mut Thread) -> Child<Parameters> {
        self.give_rows(thread)
    }

    fn receive(&self, thread: &mut Thread, child: Child<Parameters>) {
        Self::receive_rows(thread, child.parameters);
    }

    fn progress(&self) -> (u64, u64) {
        (self.counted, self.pairs)
    }
}

#[cfg(test)]
mod tests;
