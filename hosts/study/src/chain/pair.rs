//! Which TBs of a kernel read which of the one before it: the patterns of chains, and what they are as a dependency graph or in one kernel.

use anyhow::{Error, anyhow};
use gpusched::dats::DepLinksError;
use gpusched_workloads::depgraph::DepGraph;
use serde::{Serialize, Serializer};
use std::fmt::{Display, Formatter};
use std::ops::Range;
use std::str::FromStr;

/// What the TBs of every second kernel read of the kernel before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// A stencil: the TB in the same place, and as many on either side of it.
    Stencil(u32),
    /// A reduction after a map: so many TBs, which nobody else reads.
    Reduce(u32),
    /// Two layers of matrix products: all tiles of the same row, of which there are so many.
    Layers(u32),
}

/// Two kernels in one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fused {
    /// Its TBs.
    pub tbs: u32,
    /// What one takes, in TBs of the kernels alone.
    pub takes: f64,
    /// So many TBs in a row have another TB's work behind the last of them that ends; 0: none.
    pub behind: u32,
}

impl Reads {
    /// The size of the first kernel of two that is nearest to so many TBs, and at least one of whatever is read together.
    pub fn producers(self, tbs: f64) -> u32 {
        let unit = match self {
            Self::Stencil(_) => 1,
            Self::Reduce(of) | Self::Layers(of) => of,
        };
        let units = (tbs / f64::from(unit)).round() as u32;
        units.max(1) * unit
    }

    /// The size of the second one.
    pub fn consumers(self, producers: u32) -> u32 {
        match self {
            Self::Stencil(_) | Self::Layers(_) => producers,
            Self::Reduce(of) => producers / of,
        }
    }

    /// The TBs that a consumer reads.
    fn read_by(self, consumer: u32, producers: u32) -> Range<u32> {
        match self {
            Self::Stencil(reach) => consumer.saturating_sub(reach)..(consumer + reach + 1).min(producers),
            Self::Reduce(of) => consumer * of..(consumer + 1) * of,
            Self::Layers(of) => {
                let row = consumer / of * of;
                row..row + of
            }
        }
    }

    /// The most TBs that read one.
    pub fn readers(self) -> u32 {
        match self {
            Self::Stencil(reach) => 2 * reach + 1,
            Self::Reduce(_) => 1,
            Self::Layers(of) => of,
        }
    }

    /// Two kernels as a dependency graph.
    pub fn graph(self, producers: u32) -> Result<DepGraph, DepLinksError> {
        let consumers = self.consumers(producers);
        let most = (0..consumers).map(|consumer| self.read_by(consumer, producers).len()).sum();
        DepGraph::of(producers + consumers, most, |tb, links| {
            let Some(consumer) = tb.x.checked_sub(producers) else { return Ok(()) };
            self.read_by(consumer, producers).try_for_each(|read| links.add_dependency(read.into(), 0, 0))
        })
    }

    /// Two kernels in one, as a programmer would write them. A stencil computes `halo` of a TB's first step once more, at its edge. The
    /// last TB of those that are reduced together does that, too. The tiles of a row are one TB's, since nobody else may read them.
    pub fn fused(self, producers: u32, halo: f64) -> Fused {
        match self {
            Self::Stencil(_) => Fused { tbs: producers, takes: 2.0 + halo, behind: 0 },
            Self::Reduce(of) => Fused { tbs: producers, takes: 1.0, behind: of },
            Self::Layers(of) => Fused { tbs: producers / of, takes: f64::from(2 * of), behind: 0 },
        }
    }
}

impl Display for Reads {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stencil(reach) => write!(f, "stencil:{reach}"),
            Self::Reduce(of) => write!(f, "reduce:{of}"),
            Self::Layers(of) => write!(f, "layers:{of}"),
        }
    }
}

impl Serialize for Reads {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Reads {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, number) = text.split_once(':').unwrap_or((text, ""));
        let number = |usual: u32, least: u32| {
            let number = if number.is_empty() && !text.contains(':') { Ok(usual) } else { number.parse() };
            let is_sound = |n: &u32| (least..=256).contains(n);
            number.ok().filter(is_sound).ok_or_else(|| anyhow!("expected a number from {least} to 256 behind {name}:"))
        };
        match name {
            "stencil" => number(1, 0).map(Self::Stencil),
            "reduce" => number(16, 1).map(Self::Reduce),
            "layers" => number(8, 1).map(Self::Layers),
            _ => Err(anyhow!(
                "expected stencil, reduce or layers, each with : and a number if it is not to be the usual one"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched::dats::NodeId;

    /// Each consumer has as many parents as edges lead to it, and all of the two lists agree.
    #[test]
    fn a_pair_is_a_graph_of_two_levels() {
        for (reads, producers) in [(Reads::Stencil(1), 5), (Reads::Reduce(4), 12), (Reads::Layers(3), 9)] {
            let DepGraph { nodes, edges, .. } = reads.graph(producers).unwrap();
            assert_eq!(nodes.len() as u32, producers + reads.consumers(producers));
            for (vid, node) in (0..).zip(&nodes) {
                let parents = edges.iter().filter(|to| u32::from(to.0) == vid).count();
                assert_eq!(
                    (usize::from(node.parents()), u32::from(node.level() > 0)),
                    (parents, u32::from(vid >= producers))
                );
            }
            let most = (0..producers as usize).map(|p| nodes[p + 1].start() - nodes[p].start()).max();
            assert!(most <= Some(reads.readers()), "{reads}");
        }
        assert_eq!(Reads::Stencil(1).graph(3).unwrap().edges, [3, 4, 3, 4, 5, 4, 5].map(NodeId));
    }

    #[test]
    fn patterns_are_read_and_told_alike() {
        for text in ["stencil:2", "reduce:16", "layers:8"] {
            assert_eq!(text.parse::<Reads>().unwrap().to_string(), text);
        }
        assert_eq!("stencil".parse::<Reads>().unwrap(), Reads::Stencil(1));
        for text in ["", "stencils", "reduce:0", "layers:", "layers:257", "stencil:x"] {
            assert!(text.parse::<Reads>().is_err(), "{text}");
        }
    }
}
