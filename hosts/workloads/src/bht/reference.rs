//! The forces in double precision, by a recursive walk of the same rule (workloads-BH5).

use super::tree::{Node, Tree};
use super::{SOFTENING, distances, is_far};
use crate::LaunchOptions;

/// What a run is checked against.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    /// The force on each body.
    pub forces: Vec<[f64; 3]>,
    /// How many nodes act on a body, over all bodies.
    pub interactions: u64,
    /// How often a cell is opened over which a child is launched.
    pub launches: u64,
}

impl Reference {
    /// Of the walks over `tree`, flat or with launches.
    pub fn new(tree: &Tree, launches: Option<&LaunchOptions>) -> Self {
        let mut of_all = Self::default();
        for body in 0..tree.bodies() {
            of_all.forces.push([0.0; 3]);
            of_all.visit(tree, launches, body, tree.root());
        }
        of_all
    }

    fn visit(&mut self, tree: &Tree, launches: Option<&LaunchOptions>, body: Node, node: Node) {
        let at = tree.places[body as usize];
        if tree.cell_number(node).is_none() {
            return self.act(body, at, tree.body(node));
        }
        let cell = tree.cell(node);
        if is_far(cell.half, distances(at, cell.mass)) {
            return self.act(body, at, cell.mass);
        }
        let grandchildren = tree.grandchildren(cell);
        let is_wide = launches.is_some_and(|options| options.child(grandchildren.len() as u32).is_some());
        self.launches += u64::from(is_wide);
        for &beneath in if is_wide { grandchildren } else { &cell.kids } {
            self.visit(tree, launches, body, beneath);
        }
    }

    fn act(&mut self, body: Node, at: [f32; 3], [x, y, z, mass]: [f32; 4]) {
        let wide = [x - at[0], y - at[1], z - at[2]].map(f64::from);
        let square = wide.iter().map(|d| d * d).sum::<f64>() + f64::from(SOFTENING) * f64::from(SOFTENING);
        for (force, distance) in self.forces[body as usize].iter_mut().zip(wide) {
            *force += f64::from(mass) * distance / (square * square.sqrt());
        }
        self.interactions += 1;
    }

    /// Root of the mean square of the forces.
    pub fn rms(&self) -> f64 {
        let squares: f64 = self.forces.iter().flatten().map(|force| force * force).sum();
        (squares / self.forces.len() as f64).sqrt()
    }
}
