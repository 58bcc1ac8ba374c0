//! Relational join (workloads-JO1 to JO4): every pair of a row of R and a row of S with equal keys, in the order of a nested loop
//! over both sides, which are sorted by key.
//!
//! Three kernels: *count* finds each row's matches by binary search and numbers them within its TB, *scan* numbers the TBs,
//! *gather* writes the pairs, each row at its own offset. The dynamic modes number the pairs that children write and those
//! that parents write apart, so prefix sums run twice. `list.rs` holds the instruction lists, `thread.rs` what their
//! instructions do; this file the data they work on.
//!
//! ```
//! use gpusched_workloads::keys::KeySource;
//! use gpusched_refgpu::program::Workload;
//! use gpusched_workloads::{Join, LaunchOptions, Mode};
//! use std::sync::Arc;
//!
//! let keys = "uni:1000,2000".parse::<KeySource>()?.load(u64::MAX, &mut |_| std::ops::ControlFlow::Continue(()))?;
//! let mut join = Join::new(Arc::new(keys.r), Arc::new(keys.s), Mode::Dtbl, LaunchOptions::default())?;
//! let count = Workload::next_kernel(&mut join).expect("the first of three");
//! assert_eq!(count.grid.x, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;
mod thread;

pub use thread::{Parameters, Thread};

use super::device::{Child, Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, LaunchOptions, Layout, Mode, SetupError, Verified, WrongResult, verify};
use crate::keys::Rows;
use gpusched::Descriptor;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

const TB_THREADS: u32 = 256;
const PARENT: Resources = Resources { regs: 24, smem: 4 * TB_THREADS };
const CHILD: Resources = Resources { regs: 16, smem: 0 };

/// A join in progress.
#[derive(Clone, Debug)]
pub struct Join {
    r: Arc<Rows>,
    s: Arc<Rows>,
    dynamic: bool,
    memory: Memory,
    device: Device<Parameters>,
    kernel: Option<Kernel>,
    /// Matches of each row of R, and the first of them in S.
    count: Vec<u32>,
    low: Vec<u32>,
    /// For the pairs of parents and those of children: pairs of earlier rows of the TB, and of earlier TBs.
    offset: [Vec<u32>; 2],
    block: [Vec<u32>; 2],
    /// The result: key, value in R, value in S of each pair.
    out: [Vec<u32>; 3],
    written: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    Count,
    Scan,
    Gather,
}

/// Where the arrays lie, in the order of the sheet; `low` follows `cnt`, and what children need that of parents.
#[derive(Clone, Debug)]
struct Memory {
    r_key: Array,
    r_value: Array,
    s_key: Array,
    s_value: Array,
    count: Array,
    low: Array,
    offset: [Array; 2],
    block: [Array; 2],
    out: [Array; 3],
}

impl Join {
    /// A join of `r` with `s`.
    ///
    /// # Errors
    /// [`SetupError`]: a mode that only others have, an option out of range, or more pairs than can be numbered or than the address space holds.
    pub fn new(r: Arc<Rows>, s: Arc<Rows>, mode: Mode, options: LaunchOptions) -> Result<Self, SetupError> {
        let dynamic = mode.common()?.is_dynamic();
        let pairs = r.pairs_with(&s);
        let (rows, total) = (r.count(), u32::try_from(pairs).map_err(|_| SetupError::TooManyPairs { pairs })?);
        let tbs = rows.div_ceil(TB_THREADS);
        let mut layout = Layout::default();
        let mut words = |len: u32| layout.words(u64::from(len));
        let memory = Memory {
            r_key: words(rows)?,
            r_value: words(rows)?,
            s_key: words(s.count())?,
            s_value: words(s.count())?,
            count: words(rows)?,
            low: words(rows)?,
            offset: [words(rows)?, words(rows)?],
            block: [words(tbs)?, words(tbs)?],
            out: [words(total)?, words(total)?, words(total)?],
        };
        let zeros = |len: u32| vec![0; len as usize];
        Ok(Self {
            dynamic,
            device: Device::new(options, CHILD, &mut layout, rows)?,
            memory,
            kernel: None,
            count: zeros(rows),
            low: zeros(rows),
            offset: [zeros(rows), zeros(rows)],
            block: [zeros(tbs), zeros(tbs)],
            out: [zeros(total), zeros(total), zeros(total)],
            written: 0,
            r,
            s,
        })
    }

    /// Key, value in R and value in S of each pair so far.
    #[must_use]
    pub const fn pairs(&self) -> &[Vec<u32>; 3] {
        &self.out
    }

    /// Compares the pairs with those of a nested loop, order included.
    ///
    /// # Errors
    /// [`WrongResult`] with the first place that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let matches = matches(&self.s);
        let pairs = |column: fn(u32, u32, u32) -> u32| {
            let (matches, s) = (&matches, self.s.values());
            let rows = self.r.keys().iter().zip(self.r.values());
            rows.flat_map(move |(&key, &value)| {
                let run = matches.get(&key).cloned().unwrap_or_default();
                run.map(move |place| column(key, value, s[place]))
            })
        };
        let columns: [fn(u32, u32, u32) -> u32; 3] = [|key, _, _| key, |_, r, _| r, |_, _, s| s];
        verify("pair", self.out.iter().flatten().copied(), columns.into_iter().flat_map(pairs))
    }

    /// Prefix sums: one, or another for the pairs of children.
    const fn sums(&self) -> u8 {
        if self.dynamic { 2 } else { 1 }
    }
}

/// Where each key of `rows` stands.
fn matches(rows: &Rows) -> BTreeMap<u32, Range<usize>> {
    let mut found = BTreeMap::new();
    for (place, &key) in rows.keys().iter().enumerate() {
        found.entry(key).or_insert(place..place).end = place + 1;
    }
    found
}

impl Algorithm for Join {
    type Thread = Thread;
    on_device!(Parameters);

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let kernel = match self.kernel {
            None => Kernel::Count,
            Some(Kernel::Count) => Kernel::Scan,
            Some(Kernel::Scan) => Kernel::Gather,
            Some(Kernel::Gather) => return None,
        };
        self.kernel = Some(kernel);
        let tbs = match kernel {
            Kernel::Scan => u32::from(self.sums()),
            Kernel::Count | Kernel::Gather => self.r.count().div_ceil(TB_THREADS),
        };
        Some(host_kernel(kernel as u8, tbs, TB_THREADS, PARENT))
    }

    fn list(&self, child: bool) -> List<Self> {
        match (self.kernel, child, self.dynamic) {
            (_, true, _) => list::CHILD,
            (Some(Kernel::Scan), ..) => list::SCAN,
            (Some(Kernel::Gather), _, false) => list::GATHER,
            (Some(Kernel::Gather), _, true) => list::GATHER_REST,
            (_, _, false) => list::COUNT,
            (_, _, true) => list::COUNT_BOTH,
        }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place)
    }

    fn give(&self, thread: &mut Thread) -> Child<Parameters> {
        thread.give(&self.device)
    }

    fn receive(&self, thread: &mut Thread, child: Child<Parameters>) {
        thread.receive(child);
    }

    fn progress(&self) -> (u64, u64) {
        (self.written, self.out[0].len() as u64)
    }
}

#[cfg(test)]
mod tests;
