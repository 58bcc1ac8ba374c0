//! Bodies and the octree over them (workloads-BH1), built by the host.

use crate::graph::SplitMix64;
use std::collections::BTreeSet;
use std::ops::Range;

/// Bits of a coordinate: as many as a float holds.
const BITS: u32 = 24;

/// What a walk looks at: a body by its number, or a cell by its number behind those of the bodies.
pub type Node = u32;

/// An octree with one body in each leaf.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Where the bodies are, in Morton order.
    pub places: Vec<[f32; 3]>,
    /// The cells, in breadth-first order; the first is the unit cube.
    pub cells: Vec<Cell>,
    /// The grandchildren of all cells, those of one after those of the cell before.
    pub grandchildren: Vec<Node>,
}

/// A cube with two bodies or more; that of all bodies may have one.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Centre of mass, and mass.
    pub mass: [f32; 4],
    /// Half of its side.
    pub half: f32,
    /// Those of its eighths that are not empty, in Morton order: bodies, and cells.
    pub kids: Vec<Node>,
    /// Its own among the [grandchildren](Tree::grandchildren): the kids of its kids, and kids that are bodies.
    pub grandchildren: Range<u32>,
}

impl Tree {
    /// `count` bodies of mass 1 / `count`, no two in one place.
    pub fn new(count: u32, seed: u64) -> Self {
        let mut stream = SplitMix64::new(seed);
        let mut codes = BTreeSet::new();
        while codes.len() < count as usize {
            codes.insert(morton([(); 3].map(|()| stream.below(1 << BITS))));
        }
        let codes: Vec<u128> = codes.into_iter().collect();
        let mut tree =
            Self { places: codes.iter().copied().map(place).collect(), cells: Vec::new(), grandchildren: Vec::new() };
        let mut ranges = vec![(0..codes.len(), 0)];
        while let Some((bodies, level)) = ranges.get(tree.cells.len()).cloned() {
            let eighth = |code: &u128| code >> (3 * (BITS - 1 - level)) & 7;
            let mut begin = bodies.start;
            let mut kids = Vec::new();
            for own in codes[bodies.clone()].chunk_by(|a, b| eighth(a) == eighth(b)) {
                let range = begin..begin + own.len();
                begin = range.end;
                kids.push(if own.len() == 1 { range.start as u32 } else { count + ranges.len() as u32 });
                if own.len() > 1 {
                    ranges.push((range, level + 1));
                }
            }
            let half = 0.5 / (1 << level) as f32;
            tree.cells.push(Cell { mass: tree.mass(bodies), half, kids, grandchildren: 0..0 });
        }
        for cell in 0..tree.cells.len() {
            let begin = tree.grandchildren.len() as u32;
            for &kid in &tree.cells[cell].kids {
                match kid.checked_sub(count) {
                    None => tree.grandchildren.push(kid),
                    Some(kid) => tree.grandchildren.extend(&tree.cells[kid as usize].kids),
                }
            }
            tree.cells[cell].grandchildren = begin..tree.grandchildren.len() as u32;
        }
        tree
    }

    /// Centre of mass, and mass, of some bodies.
    fn mass(&self, bodies: Range<usize>) -> [f32; 4] {
        let places = &self.places[bodies];
        let count = places.len() as f64;
        let mean = |axis: usize| (places.iter().map(|place| f64::from(place[axis])).sum::<f64>() / count) as f32;
        [mean(0), mean(1), mean(2), (count / self.places.len() as f64) as f32]
    }

    /// How many bodies there are.
    pub fn bodies(&self) -> u32 {
        self.places.len() as u32
    }

    /// The cube of all bodies.
    pub fn root(&self) -> Node {
        self.bodies()
    }

    /// The number of a node among cells. `None`: it is a body.
    pub fn cell_number(&self, node: Node) -> Option<u32> {
        node.checked_sub(self.bodies())
    }

    /// The cell of a node, which is none of the bodies.
    pub fn cell(&self, node: Node) -> &Cell {
        &self.cells[(node - self.bodies()) as usize]
    }

    /// What is beneath the kids of a cell.
    pub fn grandchildren(&self, cell: &Cell) -> &[Node] {
        &self.grandchildren[cell.grandchildren.start as usize..cell.grandchildren.end as usize]
    }

    /// Place and mass of a body.
    pub fn body(&self, body: Node) -> [f32; 4] {
        let [x, y, z] = self.places[body as usize];
        [x, y, z, (1.0 / f64::from(self.bodies())) as f32]
    }

    /// The most nodes that wait on the stack of a walk that opens every cell and pushes what `pushed` says of it, whichever node it
    /// begins with.
    pub fn stack<'a>(&'a self, pushed: impl Fn(&'a Cell) -> &'a [Node]) -> usize {
        let mut of_cells = vec![1; self.cells.len()];
        for number in (0..self.cells.len()).rev() {
            let beneath = pushed(&self.cells[number])
                .iter()
                .enumerate()
                .map(|(waiting, &node)| waiting + self.cell_number(node).map_or(1, |cell| of_cells[cell as usize]));
            of_cells[number] = beneath.max().unwrap_or(1);
        }
        of_cells.into_iter().max().unwrap_or(1)
    }
}

/// The bits of three coordinates, in turn from the highest ones down.
fn morton([x, y, z]: [u64; 3]) -> u128 {
    let of_bit = |bit: u32| u128::from((x >> bit & 1) << 2 | (y >> bit & 1) << 1 | z >> bit & 1);
    (0..BITS).rev().fold(0, |code, bit| code << 3 | of_bit(bit))
}

/// The coordinates, of which each is a multiple of 2^-24 below 1.
fn place(code: u128) -> [f32; 3] {
    [2, 1, 0].map(|axis| {
        let whole = (0..BITS).fold(0_u32, |whole, bit| whole | ((code >> (3 * bit + axis) & 1) as u32) << bit);
        whole as f32 / (1 << BITS) as f32
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// workloads-BH1.
    #[test]
    fn every_body_is_one_leaf_of_the_cube_it_lies_in() {
        for count in [1, 2, 9, 2048] {
            let tree = Tree::new(count, 5);
            let mut met = vec![0; count as usize];
            // Nodes in the order of their numbers, with the lowest corner of their cubes.
            let mut corners = vec![[0.0_f32; 3]];
            for (number, cell) in tree.cells.iter().enumerate() {
                let corner = corners[number];
                for &kid in &cell.kids {
                    let at = tree.cell_number(kid).map_or_else(|| tree.body(kid), |_| tree.cell(kid).mass);
                    let low = [0, 1, 2].map(|axis| {
                        let upper = at[axis] >= corner[axis] + cell.half;
                        corner[axis] + if upper { cell.half } else { 0.0 }
                    });
                    assert!((0..3).all(|axis| (low[axis]..=low[axis] + cell.half).contains(&at[axis])));
                    match tree.cell_number(kid) {
                        None => met[kid as usize] += 1,
                        Some(cell) => {
                            assert_eq!(cell as usize, corners.len(), "breadth first");
                            corners.push(low);
                        }
                    }
                }
            }
            assert_eq!(corners.len(), tree.cells.len());
            assert!(met.iter().all(|&times| times == 1));
            assert!((tree.cells[0].mass[3] - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn grandchildren_are_what_two_levels_beneath_have() {
        let tree = Tree::new(2048, 1);
        let root = &tree.cells[0];
        assert_eq!((root.kids.len(), tree.grandchildren(root).len()), (8, 64));
        for cell in &tree.cells {
            let beneath: Vec<Node> = cell
                .kids
                .iter()
                .flat_map(|&kid| tree.cell_number(kid).map_or_else(|| vec![kid], |_| tree.cell(kid).kids.clone()))
                .collect();
            assert_eq!(tree.grandchildren(cell), beneath);
        }
    }

    #[test]
    fn morton_codes_take_bits_in_turn() {
        assert_eq!(morton([1, 0, 0]), 4);
        assert_eq!(morton([2, 3, 1]), 0b110_011);
        assert_eq!(place(morton([1 << 23, 3 << 22, 1])), [0.5, 0.75, 1.0 / 16_777_216.0]);
        let codes: Vec<[f32; 3]> = Tree::new(300, 1).places;
        assert!(codes.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
