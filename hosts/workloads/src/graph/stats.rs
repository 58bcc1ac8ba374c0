//! How the degrees of a graph are spread, which decides how well a SIMT machine gets on with it.

use super::Csr;

/// Lanes of a warp.
const LANES: u32 = 32;

/// Degree statistics of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct DegreeStats {
    /// Least degree.
    pub min: u32,
    /// Greatest degree.
    pub max: u32,
    /// Arcs per vertex.
    pub mean: f64,
    /// Degree that a quarter, half and three quarters of the vertices do not exceed.
    pub quartiles: [u32; 3],
    /// Vertices by degree: 0, then 1, 2..=3, 4..=7 and so on; the last entry holds `max`.
    pub histogram: Vec<u32>,
    /// Share of vertices with at least 32 neighbours, 0..=1.
    pub wide_vertices: f64,
    /// Share of arcs that start at those, 0..=1.
    pub wide_arcs: f64,
    /// Lane efficiency of "one thread per vertex loops over its neighbours", 0..=1: arcs per lane slot while each warp of
    /// 32 consecutive vertices loops as often as its widest one needs. Lanes beyond the last vertex do not count.
    pub loop_efficiency: f64,
}

impl DegreeStats {
    /// The statistics of `csr`.
    #[must_use]
    pub fn of(csr: &Csr) -> Self {
        let mut degrees: Vec<u32> = (0..csr.vertices()).map(|v| csr.degree(v)).collect();
        let arcs = f64::from(csr.arc_count());
        let vertices = f64::from(csr.vertices());
        let slots: u64 = degrees
            .chunks(LANES as usize)
            .map(|warp| warp.len() as u64 * u64::from(warp.iter().copied().max().unwrap_or(0)))
            .sum();
        let wide = || degrees.iter().filter(|&&d| d >= LANES);
        let (wide_vertices, wide_arcs) =
            (wide().count() as f64 / vertices, wide().map(|&d| u64::from(d)).sum::<u64>() as f64 / arcs.max(1.0));
        degrees.sort_unstable();
        let bucket = |degree: u32| (u32::BITS - degree.leading_zeros()) as usize;
        let max = degrees.last().copied().unwrap_or(0);
        let mut histogram = vec![0; bucket(max) + 1];
        for &degree in &degrees {
            histogram[bucket(degree)] += 1;
        }
        let quantile = |quarter: usize| degrees[(degrees.len() - 1) * quarter / 4];
        Self {
            min: degrees[0],
            max,
            mean: arcs / vertices,
            quartiles: [quantile(1), quantile(2), quantile(3)],
            histogram,
            wide_vertices,
            wide_arcs,
            loop_efficiency: arcs / slots.max(1) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::EdgeList;

    #[test]
    fn a_star_of_forty_leaves() {
        let mut star = EdgeList::unweighted(41);
        for leaf in 1..=40 {
            star.push(0, leaf, 0);
        }
        let stats = DegreeStats::of(&Csr::from_edges(star).unwrap());
        assert_eq!((stats.min, stats.max, stats.quartiles), (1, 40, [1, 1, 1]));
        assert_eq!(stats.histogram, [0, 40, 0, 0, 0, 0, 1]);
        assert_eq!(stats.wide_vertices, 1.0 / 41.0);
        assert_eq!(stats.wide_arcs, 0.5);
        // 32 lanes loop 40 times, the 9 of the last warp once.
        assert_eq!(stats.loop_efficiency, 80.0 / (32.0 * 40.0 + 9.0));
    }
}
