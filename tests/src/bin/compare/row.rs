//! What is measured: an operation, on so many SMXs, while so much is pending.

use std::fmt;

use crate::side::Side;

/// An operation.
pub struct Work {
    /// Its name in a row.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Who carries it out, the one written by hand first.
    pub sides: &'static [Side],
    /// Numbers of what is pending, or of the graph's nodes.
    pub pending: &'static [u32],
}

/// All of them.
pub const WORKS: [Work; 5] = [
    Work {
        name: "rr",
        title: "RR: a TB ends, another one takes its place",
        sides: &[Side::Hand, Side::Plain, Side::Recording, Side::ThroughC, Side::CppPolicy, Side::RustPolicy],
        pending: &[100, 10_000, 1_000_000],
    },
    Work {
        name: "idle",
        title: "RR: a cycle in which nothing can happen, for all slots are taken",
        sides: &[Side::Hand, Side::Plain, Side::Recording, Side::ThroughC],
        pending: &[100],
    },
    Work {
        name: "dtbl",
        title: "DTBL: a group is launched, one joins its kernel, its TB is sent and ends",
        sides: &[Side::Hand, Side::Plain, Side::Recording, Side::ThroughC],
        pending: &[100, 10_000, 1_000_000],
    },
    Work {
        name: "bind",
        title: "Adaptive-Bind: a group is pushed, a TB of another one is sent, a TB ends",
        sides: &[Side::Hand, Side::Plain, Side::ThroughC],
        pending: &[100, 10_000, 1_000_000],
    },
    Work {
        name: "dats",
        title: "DATS under LRR: a TB ends, memory answers, another TB is sent; \"pending\" are the nodes of the graph, of which there are \
                at most 65,535",
        sides: &[Side::Hand, Side::Plain, Side::ThroughC],
        pending: &[100, 10_000, 62_500],
    },
];

/// SMXs of the machines.
pub const SMXS: [u32; 2] = [13, 132];

/// One machine.
#[derive(Clone, Copy)]
pub struct Row {
    /// Name of the operation.
    pub work: &'static str,
    /// SMXs.
    pub smxs: u32,
    /// What is pending.
    pub pending: u32,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.work, self.smxs, self.pending)
    }
}

impl Work {
    /// Its rows.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        let row = move |smxs| self.pending.iter().map(move |&pending| Row { work: self.name, smxs, pending });
        SMXS.into_iter().flat_map(row)
    }
}
