//! Patterns, and the automaton that looks for all of them (workloads-RX2).

use crate::graph::SplitMix64;
use std::ops::RangeInclusive;

/// How many there are: the bits of a mask of three words.
pub const PATTERNS: u32 = 96;

/// Letters in a row, a range for each place.
pub type Pattern = Vec<RangeInclusive<u8>>;

/// The most places of one.
const MOST_PLACES: u64 = 12;
/// Patterns from one that spells a word to the next.
const SPELLED: usize = 4;

/// The next patterns of a stream of random numbers; each fourth one spells a word, if there are words.
pub fn draw(random: &mut SplitMix64, words: &[&str]) -> Vec<Pattern> {
    let mut patterns: Vec<Pattern> =
        (0..PATTERNS).map(|_| (0..4 + random.below(MOST_PLACES - 3)).map(|_| place(random)).collect()).collect();
    for (pattern, word) in patterns.iter_mut().step_by(SPELLED).zip(words) {
        *pattern = word.bytes().take(MOST_PLACES as usize).map(|letter| letter..=letter).collect();
    }
    patterns
}

fn place(random: &mut SplitMix64) -> RangeInclusive<u8> {
    let is_letter = random.below(10) < 7;
    let low = b'a' + random.below(if is_letter { 26 } else { 20 }) as u8;
    low..=if is_letter { low } else { low + 1 + random.below(6) as u8 }
}

/// A way out of a state, for one of these letters.
#[derive(Clone, Debug)]
pub struct Edge {
    pub letters: RangeInclusive<u8>,
    pub target: u32,
}

/// The automaton: a state for each place of each pattern, behind that place, and state 0, where all patterns start.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// Edges, in the order of the states that they leave.
    pub edges: Vec<Edge>,
    /// Of each state the first of its edges; and, at the end, how many there are.
    pub first: Vec<u32>,
    /// Of each state the patterns that end there, a bit each.
    pub accepted: Vec<[u32; 3]>,
}

impl Automaton {
    pub fn of(patterns: &[Pattern]) -> Self {
        let mut all = Self { edges: Vec::new(), first: vec![0], accepted: vec![[0; 3]] };
        let mut next = 1;
        for pattern in patterns {
            all.edges.extend(pattern.first().map(|letters| Edge { letters: letters.clone(), target: next }));
            next += pattern.len() as u32;
        }
        for (number, pattern) in patterns.iter().enumerate() {
            for letters in pattern.iter().skip(1) {
                all.first.push(all.edges.len() as u32);
                all.accepted.push([0; 3]);
                all.edges.push(Edge { letters: letters.clone(), target: all.accepted.len() as u32 });
            }
            all.first.push(all.edges.len() as u32);
            let mut accepted = [0; 3];
            accepted[number / 32] = 1 << (number % 32);
            all.accepted.push(accepted);
        }
        all.first.push(all.edges.len() as u32);
        all
    }

    pub fn states(&self) -> u32 {
        self.accepted.len() as u32
    }

    /// How many edges leave each state.
    pub fn fan_outs(&self) -> impl Iterator<Item = u32> {
        self.first.windows(2).map(|pair| pair[1] - pair[0])
    }
}
