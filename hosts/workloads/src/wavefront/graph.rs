//! The dependencies of tiles as a graph: barriers between levels, or the W and N tiles of each (workloads-B8; dats-B1 to B5).

use super::grid::Grid;
use super::{Barriers, Version, WaveOptions};
use crate::{Layout, SetupError};
use gpusched::Dim3;
use gpusched::dats::{DepLinks, DepLinksError, DepLinksRow, GraphHeader, GraphPolicy, GraphStorage, Node, NodeId};
use gpusched_refgpu::program::TbGraph;

/// Bytes of an entry of `order`.
const ORDER_BYTES: u64 = 2;
/// A chunk starts on a multiple of itself; this is the largest.
const MOST_CHUNK_BYTES: u64 = 1024;
/// Tiles of a level from which on a barrier is a relay TB (dats-H5).
const MOST_DIRECT: usize = 32;

/// The graph of a launch, and the tile of each VID; a relay TB has none.
#[derive(Clone, Debug)]
pub struct Dependencies {
    pub graph: TbGraph,
    pub tiles: Vec<Option<u32>>,
}

impl Dependencies {
    /// The graph of a version that has one. Its arrays are the next of `layout`.
    pub fn new(
        version: Version,
        options: &WaveOptions,
        grid: &Grid,
        layout: &mut Layout,
    ) -> Result<Option<Self>, SetupError> {
        let mut dependencies = match version {
            Version::Global | Version::Cdp => return Ok(None),
            Version::DepLinks => barriers(options.barriers, grid)?,
            Version::Lrr => tile_by_tile(GraphPolicy::Lrr, grid)?,
            Version::Lvl => tile_by_tile(GraphPolicy::Lvl { bound: options.bound }, grid)?,
        };
        let TbGraph { header, nodes, edges } = &mut dependencies.graph;
        layout.align(MOST_CHUNK_BYTES);
        header.node_base = layout.array(nodes.len() as u64, size_of::<Node>() as u64)?.at(0);
        layout.align(MOST_CHUNK_BYTES);
        header.edge_base = layout.array(edges.len() as u64, size_of::<NodeId>() as u64)?.at(0);
        layout.array(nodes.len() as u64, ORDER_BYTES)?;
        Ok(Some(dependencies))
    }
}

/// Each tile after its W and N tiles; NW follows.
fn tile_by_tile(policy: GraphPolicy, grid: &Grid) -> Result<Dependencies, SetupError> {
    let Grid { columns, rows, .. } = *grid;
    let edges = (columns - 1) * rows + columns * (rows - 1);
    let (graph, order) = build(Dim3 { x: columns, y: rows, z: 1 }, edges, |tb, links| {
        let (x, y) = (i64::from(tb.x), i64::from(tb.y));
        links.set_policy(policy)?;
        links.add_dependency(x - 1, y, 0)?;
        links.add_dependency(x, y - 1, 0)
    })?;
    Ok(Dependencies { graph, tiles: order.into_iter().map(|tile| Some(tile.into())).collect() })
}

/// Every tile after all of the level before: TBs level by level, a relay TB behind each but the last if relays are used.
fn barriers(barriers: Barriers, grid: &Grid) -> Result<Dependencies, SetupError> {
    let levels: Vec<&[u32]> = (0..grid.levels()).map(|level| grid.level(level)).collect();
    let widest = levels.iter().map(|tiles| tiles.len()).max().unwrap_or(0);
    let by_relay = match barriers {
        Barriers::Auto => widest > MOST_DIRECT,
        Barriers::Edges => false,
        Barriers::Node => true,
    };
    let mut tiles = Vec::new();
    // The TBs of a level, and of its relay, by linear index.
    let mut groups = Vec::new();
    for (level, numbers) in levels.iter().enumerate() {
        groups.push(tiles.len() as u32..(tiles.len() + numbers.len()) as u32);
        tiles.extend(numbers.iter().map(|&number| Some(number)));
        if by_relay && level + 1 < levels.len() {
            groups.push(tiles.len() as u32..tiles.len() as u32 + 1);
            tiles.push(None);
        }
    }
    let edges = groups.windows(2).map(|pair| (pair[0].len() * pair[1].len()) as u32).sum();
    let mut group = 0;
    let (graph, order) = build(Dim3::linear(tiles.len() as u32), edges, |tb, links| {
        while groups[group].end <= tb.x {
            group += 1;
        }
        match group.checked_sub(1) {
            Some(before) => links.barrier(groups[before].clone(), groups[group].clone()),
            None => Ok(()),
        }
    })?;
    Ok(Dependencies { graph, tiles: order.into_iter().map(|tb| tiles[tb as usize]).collect() })
}

/// A graph of at most `edges` edges, not yet anywhere in memory, and the TB of each VID.
fn build(
    grid: Dim3,
    edges: u32,
    mapping: impl FnMut(Dim3, &mut DepLinks) -> Result<(), DepLinksError>,
) -> Result<(TbGraph, Vec<u16>), SetupError> {
    let (v, e) = (DepLinks::nodes_of(grid)? as usize, edges as usize);
    let (mut nodes, mut edges, mut order) = (vec![Node::default(); v], vec![NodeId(0); e], vec![0; v]);
    let storage = GraphStorage {
        nodes: &mut nodes,
        edges: &mut edges,
        order: &mut order,
        parents: &mut vec![0; e],
        rows: &mut vec![DepLinksRow::default(); v],
    };
    let graph = DepLinks::build(grid, storage, mapping)?;
    let header = GraphHeader {
        v: graph.nodes.len() as u32,
        e: graph.edges.len() as u32,
        policy: graph.policy,
        ..GraphHeader::default()
    };
    let e = graph.edges.len();
    edges.truncate(e);
    Ok((TbGraph { header, nodes, edges }, order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched::dats::{Admission, DgbConfig, admit};

    fn graph(version: Version, side: u32, barriers: Barriers) -> Dependencies {
        let options = WaveOptions { barriers, ..WaveOptions::default() };
        let grid = Grid::new(side, side, side, side);
        Dependencies::new(version, &options, &grid, &mut Layout::default()).unwrap().unwrap()
    }

    fn size(of: &Dependencies) -> (u32, u32) {
        (of.graph.header.v, of.graph.header.e)
    }

    #[test]
    fn graphs_have_the_sizes_of_the_sheet() {
        // V = g^2, E = 2 g (g - 1).
        for (side, edges) in [(32, 1984), (64, 8064), (96, 18_240)] {
            let of = graph(Version::Lvl, side, Barriers::Auto);
            assert_eq!((size(&of), of.graph.header.policy), ((side * side, edges), GraphPolicy::Lvl { bound: 3 }));
        }
        assert_eq!(size(&graph(Version::DepLinks, 64, Barriers::Edges)), (4096, 174_720));
        // A relay between any two levels: an edge in and one out for every tile of them.
        assert_eq!(size(&graph(Version::DepLinks, 64, Barriers::Node)), (4096 + 126, 2 * 4096 - 2));
    }

    #[test]
    fn barriers_are_edges_up_to_levels_of_32_tiles_and_relays_beyond() {
        let has_relay = |side| graph(Version::DepLinks, side, Barriers::Auto).tiles.contains(&None);
        assert!(!has_relay(32) && has_relay(33));
    }

    #[test]
    fn every_tile_has_a_vid_at_its_level() {
        let grid = Grid::new(5, 3, 5, 3);
        let options = WaveOptions { barriers: Barriers::Node, ..WaveOptions::default() };
        for version in [Version::DepLinks, Version::Lrr] {
            let of = Dependencies::new(version, &options, &grid, &mut Layout::default()).unwrap().unwrap();
            let mut tiles: Vec<u32> = of.tiles.iter().filter_map(|tile| *tile).collect();
            for (node, tile) in of.graph.nodes.iter().zip(&of.tiles) {
                let levels = if version == Version::Lrr { 1 } else { 2 };
                let level = tile.map_or(node.level() as u32, |tile| levels * grid.tiles()[tile as usize].level());
                assert_eq!(u32::from(node.level()), level);
            }
            tiles.sort_unstable();
            assert!(tiles.into_iter().eq(0..15));
        }
    }

    #[test]
    fn the_evaluated_graphs_are_safe_on_their_buffers() {
        let verdict = |config: &DgbConfig, version, side, barriers| {
            let TbGraph { nodes, edges, .. } = graph(version, side, barriers).graph;
            admit(config, &nodes, &edges, &mut vec![0; nodes.len()]).unwrap()
        };
        for side in [32, 64, 96] {
            assert_eq!(verdict(&DgbConfig::GTX480, Version::Lvl, side, Barriers::Auto), Admission::Safe);
            assert_eq!(verdict(&DgbConfig::GTX480_LRR, Version::Lrr, side, Barriers::Auto), Admission::Safe);
            assert_eq!(verdict(&DgbConfig::GTX480_LRR, Version::DepLinks, side, Barriers::Auto), Admission::Safe);
        }
        let hopeless = verdict(&DgbConfig::GTX480_LRR, Version::DepLinks, 64, Barriers::Edges);
        assert!(matches!(hopeless, Admission::Deadlocks { .. }), "{hopeless:?}");
    }

    #[test]
    fn more_tbs_than_vids_are_refused() {
        let grid = Grid::new(256, 256, 256, 256);
        let error =
            Dependencies::new(Version::Lrr, &WaveOptions::default(), &grid, &mut Layout::default()).unwrap_err();
        assert!(matches!(error, SetupError::Graph(DepLinksError::TooManyNodes)), "{error}");
    }
}
