//! Regular expressions in streams of text (workloads-RX1 to RX6): which of 96 patterns occur in each stream, by an automaton that is
//! not deterministic.
//!
//! One kernel: a thread takes a stream, and starts the automaton at each of its places. Edges of a state are compared with a letter one
//! by one; in the dynamic modes a state with many gives them to a child. `patterns.rs` has the automaton, `streams.rs` the
//! inputs, `list.rs` the instruction lists, `thread.rs` what their instructions do; this file the data they work on.
//!
//! ```
//! use gpusched_refgpu::program::Workload;
//! use gpusched_workloads::regx::StreamSource;
//! use gpusched_workloads::{LaunchOptions, Mode, Regx};
//! use std::sync::Arc;
//!
//! let streams = "string:300,64".parse::<StreamSource>()?.streams();
//! let mut search = Regx::new(Arc::new(streams), Mode::Dtbl, LaunchOptions::default())?;
//! let only = Workload::next_kernel(&mut search).expect("the only one");
//! assert_eq!((only.grid.x, only.tb.x), (3, 128));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;
mod patterns;
mod streams;
mod thread;

pub use streams::{Kind, StreamError, StreamSource, Streams};
pub use thread::{Parameters, Thread};

use super::device::{Child, Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, LaunchOptions, Layout, Mode, SetupError, Verified, WrongResult, verify};
use gpusched::Descriptor;
use patterns::Automaton;
use std::sync::Arc;

const TB_THREADS: u32 = 128;
const PARENT: Resources = Resources { regs: 32, smem: 0 };
const CHILD: Resources = Resources { regs: 24, smem: 0 };
/// Tasks that a thread's stack holds: more than a pattern has places.
const STACK: u32 = 16;

/// A search in progress.
#[derive(Clone, Debug)]
pub struct Regx {
    streams: Arc<Streams>,
    automaton: Automaton,
    dynamic: bool,
    memory: Memory,
    device: Device<Parameters>,
    is_begun: bool,
    /// Tasks put aside.
    stack: Vec<u32>,
    /// The result: of each stream a bit for each pattern that occurs in it.
    matches: Vec<[u32; 3]>,
    /// Places at which the automaton was started.
    begun: u64,
}

/// Where the arrays lie, in the order of the sheet.
#[derive(Clone, Debug)]
struct Memory {
    text: Array,
    start: Array,
    edge: Array,
    first: Array,
    accepted: Array,
    matches: Array,
    stack: Array,
}

impl Regx {
    /// Looks for the patterns of `streams` in them.
    ///
    /// # Errors
    /// [`SetupError`]: a mode that only others have, an option out of range, or more than the address space holds.
    pub fn new(streams: Arc<Streams>, mode: Mode, options: LaunchOptions) -> Result<Self, SetupError> {
        let dynamic = mode.common()?.is_dynamic();
        options.check()?;
        let automaton = Automaton::of(&streams.patterns);
        let (count, states) = (u64::from(streams.count()), u64::from(automaton.states()));
        let slots = count.next_multiple_of(TB_THREADS.into()) * u64::from(STACK);
        let mut layout = Layout::default();
        let memory = Memory {
            text: layout.array(streams.bytes().into(), 1)?,
            start: layout.words(count + 1)?,
            edge: layout.array(automaton.edges.len() as u64, 8)?,
            first: layout.words(states + 1)?,
            accepted: layout.words(3 * states)?,
            matches: layout.words(3 * count)?,
            stack: layout.words(slots)?,
        };
        // A state is entered once at most for each place at which the automaton is started.
        let wide = automaton.fan_outs().filter(|&edges| options.child(edges).is_some()).count();
        let most = u64::from(streams.bytes()) * wide as u64;
        Ok(Self {
            device: Device::new(options, CHILD, &mut layout, u32::try_from(most).unwrap_or(u32::MAX))?,
            dynamic,
            memory,
            is_begun: false,
            stack: vec![0; slots as usize],
            matches: vec![[0; 3]; streams.count() as usize],
            begun: 0,
            automaton,
            streams,
        })
    }

    /// Of each stream a bit for each pattern that occurs in it, so far.
    #[must_use]
    pub fn matches(&self) -> &[[u32; 3]] {
        &self.matches
    }

    /// Compares the matches with those of a search for each pattern at each place, without an automaton.
    ///
    /// # Errors
    /// [`WrongResult`] with the first word that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let Streams { patterns, text, start, .. } = &*self.streams;
        let occurs = |number: usize, text: &[u8]| {
            let pattern = &patterns[number];
            text.windows(pattern.len())
                .any(|at| pattern.iter().zip(at).all(|(letters, letter)| letters.contains(letter)))
        };
        let wanted = start.windows(2).flat_map(|ends| {
            let stream = &text[ends[0] as usize..ends[1] as usize];
            (0..3).map(move |word| (0..32).map(|bit| u32::from(occurs(32 * word + bit, stream)) << bit).sum())
        });
        verify("match", self.matches.iter().flatten().copied(), wanted)
    }
}

impl Algorithm for Regx {
    type Thread = Thread;
    on_device!(Parameters);

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        is_first.then(|| host_kernel(0, self.streams.count().div_ceil(TB_THREADS), TB_THREADS, PARENT))
    }

    fn list(&self, child: bool) -> List<Self> {
        if child { list::CHILD } else { list::PARENT }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place)
    }

    fn give(&self, thread: &mut Thread) -> Child<Parameters> {
        Self::give(self, thread)
    }

    fn receive(&self, thread: &mut Thread, child: Child<Parameters>) {
        thread.receive(child);
    }

    fn progress(&self) -> (u64, u64) {
        (self.begun, self.streams.bytes().into())
    }
}

#[cfg(test)]
mod tests;
