//! What the instructions of the search do for a thread. `list.rs` has the lists that they stand in.

use super::{Regx, STACK, list};
use crate::device::Child;
use crate::list::{List, Place};

/// A thread, of a stream or of a child.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    stream: u32,
    /// The place in the text where patterns start, and where the stream ends.
    start: u32,
    text_end: u32,
    /// The task: a state, and the place of the letter that is compared with its edges.
    state: u32,
    at: u32,
    letter: u8,
    /// Edges left to compare: next and end.
    edge: u32,
    edge_end: u32,
    /// Whether the last one was a hit, and the patterns that end at its target.
    is_hit: bool,
    accepted: [u32; 3],
    /// Tasks on the stack.
    depth: u32,
}

/// The parameter block of a child: first edge, the place of the letter, and the stream with its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parameters {
    edge: u32,
    at: u32,
    stream: u32,
    text_end: u32,
}

impl Thread {
    pub(super) fn at(place: Place) -> Self {
        Self { place, stream: place.index(), ..Self::default() }
    }

    pub(super) const fn receive(&mut self, child: Child<Parameters>) {
        let Child { count, parameters: Parameters { edge, at, stream, text_end }, .. } = child;
        let item = self.place.index();
        self.edge = edge + item;
        self.edge_end = self.edge + (item < count) as u32;
        (self.at, self.stream, self.text_end) = (at, stream, text_end);
    }
}

// What the lists do, for one thread.
impl Regx {
    pub(super) fn give(&self, t: &mut Thread) -> Child<Parameters> {
        let Thread { edge, at, stream, text_end, .. } = *t;
        let child = self.device.child(t.edge_end - edge, Parameters { edge, at, stream, text_end });
        t.edge += child.count;
        child
    }

    /// What stands behind the letter of a task: a launch, where the mode has them.
    pub(super) fn launch(&self) -> List<Self> {
        if self.dynamic { list::LAUNCH } else { &[] }
    }

    pub(super) fn has_stream(&self, t: &Thread) -> bool {
        t.stream < self.streams.count()
    }

    pub(super) fn start(&mut self, t: &mut Thread) -> u64 {
        t.start = self.streams.start[t.stream as usize];
        self.memory.start.at(t.stream)
    }

    pub(super) fn end(&mut self, t: &mut Thread) -> u64 {
        t.text_end = self.streams.start[t.stream as usize + 1];
        self.memory.start.at(t.stream + 1)
    }

    pub(super) fn has_text(&self, t: &Thread) -> bool {
        t.start < t.text_end
    }

    pub(super) fn begin(&mut self, t: &mut Thread) {
        (t.state, t.at) = (0, t.start);
    }

    pub(super) fn next_place(&mut self, t: &mut Thread) {
        t.start += 1;
        self.begun += 1;
    }

    pub(super) fn first_edge(&mut self, t: &mut Thread) -> u64 {
        t.edge = self.automaton.first[t.state as usize];
        self.memory.first.at(t.state)
    }

    pub(super) fn last_edge(&mut self, t: &mut Thread) -> u64 {
        t.edge_end = self.automaton.first[t.state as usize + 1];
        self.memory.first.at(t.state + 1)
    }

    pub(super) fn letter(&mut self, t: &mut Thread) -> u64 {
        t.letter = self.streams.text[t.at as usize];
        self.memory.text.at(t.at)
    }

    pub(super) fn is_wide(&self, t: &Thread) -> bool {
        self.device.launches(t.edge_end - t.edge)
    }

    pub(super) fn has_edge(&self, t: &Thread) -> bool {
        t.edge < t.edge_end
    }

    pub(super) fn edge(&mut self, t: &mut Thread) -> u64 {
        let (edge, address) = (&self.automaton.edges[t.edge as usize], self.memory.edge.at(t.edge));
        t.is_hit = edge.letters.contains(&t.letter);
        t.state = edge.target;
        t.edge += 1;
        address
    }

    pub(super) fn is_hit(&self, t: &Thread) -> bool {
        t.is_hit
    }

    pub(super) fn accepted<const WORD: usize>(&mut self, t: &mut Thread) -> u64 {
        t.accepted[WORD] = self.automaton.accepted[t.state as usize][WORD];
        self.memory.accepted.at(3 * t.state + WORD as u32)
    }

    pub(super) fn accepts(&self, t: &Thread) -> bool {
        t.accepted != [0; 3]
    }

    pub(super) fn accepts_in<const WORD: usize>(&self, t: &Thread) -> bool {
        t.accepted[WORD] != 0
    }

    pub(super) fn or_match<const WORD: usize>(&mut self, t: &mut Thread) -> u64 {
        self.matches[t.stream as usize][WORD] |= t.accepted[WORD];
        self.memory.matches.at(3 * t.stream + WORD as u32)
    }

    pub(super) fn has_more_text(&self, t: &Thread) -> bool {
        t.at + 1 < t.text_end
    }

    /// A word of the stack has 12 bits each for the next and the last of the edges that are left, and 8 for how far from the start the
    /// letter is.
    pub(super) fn push(&mut self, t: &mut Thread) -> u64 {
        let slot = self.slot(t);
        self.stack[slot as usize] = t.edge | t.edge_end << 12 | (t.at - t.start) << 24;
        t.depth += 1;
        self.memory.stack.at(slot)
    }

    pub(super) fn descend(&mut self, t: &mut Thread) {
        t.at += 1;
    }

    /// The edges of a state have been compared, and some of one before it have not.
    pub(super) fn must_return(&self, t: &Thread) -> bool {
        !self.has_edge(t) && t.depth > 0
    }

    pub(super) fn pop(&mut self, t: &mut Thread) -> u64 {
        t.depth -= 1;
        let slot = self.slot(t);
        let word = self.stack[slot as usize];
        (t.edge, t.edge_end, t.at) = (word & 0xfff, word >> 12 & 0xfff, t.start + (word >> 24));
        self.memory.stack.at(slot)
    }

    /// As local memory lies: a word of each thread, then the next of each. A child's thread has none: it has one edge, and so has every
    /// state that is not the first, so that it never has edges to come back to.
    fn slot(&self, t: &Thread) -> u32 {
        t.depth * (self.stack.len() as u32 / STACK) + t.place.index()
    }
}
