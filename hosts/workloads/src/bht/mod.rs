//! Forces between bodies by a Barnes-Hut tree (workloads-BH1 to BH5): each body's thread walks an octree from the top down; a cell that is
//! far away acts as one body, any other is opened.
//!
//! One kernel. In the dynamic modes a thread that opens a cell with enough grandchildren launches a child over them, whose threads
//! walk on from one each, and may launch again. The host builds the tree: `tree.rs`. `list.rs` holds the instruction lists,
//! `thread.rs` what their instructions do, `reference.rs` what the forces should be.
//!
//! ```
//! use gpusched_refgpu::program::Workload;
//! use gpusched_workloads::{Bht, BhtOptions, Mode};
//!
//! let mut forces = Bht::new(Mode::Dtbl, BhtOptions { bodies: 1000, ..BhtOptions::default() })?;
//! let walk = Workload::next_kernel(&mut forces).expect("the only one");
//! assert_eq!(walk.grid.x, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;
mod options;
mod reference;
mod thread;
mod tree;

pub use options::BhtOptions;
pub use thread::{Parameters, Thread};

use super::device::{Child, Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, LaunchOptions, Layout, Mode, SetupError, Verified, WrongResult};
use crate::graph::fnv1a;
use gpusched::Descriptor;
use reference::Reference;
use thread::STACK_SLOTS;
use tree::Tree;

const TB_THREADS: u32 = 256;
const PARENT: Resources = Resources { regs: 40, smem: 0 };
/// Shared memory for the force of a thread, in four words.
const CHILD: Resources = Resources { regs: 32, smem: 16 };

/// Theta, squared: a cell is far away from where its side is seen under a smaller angle.
const THETA_SQUARED: f32 = 0.25;
/// What distances are softened by.
const SOFTENING: f32 = 1e-3;
/// Sums are of whole multiples of the inverse.
const SCALE: f32 = 65_536.0;
/// Of the root of the mean square of the forces.
const TOLERANCE: f64 = 1e-3;

/// The forces between bodies, in progress.
#[derive(Clone, Debug)]
pub struct Bht {
    tree: Tree,
    /// When threads launch, if they do.
    launch: Option<LaunchOptions>,
    launched: bool,
    memory: Memory,
    device: Device<Parameters>,
    /// The forces along x on all bodies, then along y, then along z.
    forces: Vec<i32>,
    /// Nodes that have acted on bodies.
    interactions: u64,
    reference: Reference,
}

/// Where the arrays lie, in the order of the sheet.
#[derive(Clone, Debug)]
struct Memory {
    places: [Array; 3],
    mass: Array,
    kids: Array,
    cell_mass: Array,
    half: Array,
    first: Array,
    grandchildren: Array,
    forces: Array,
}

/// From a body to what acts on it.
fn distances(at: [f32; 3], [x, y, z, _]: [f32; 4]) -> [f32; 3] {
    [x - at[0], y - at[1], z - at[2]]
}

/// Whether a cell acts as one body at these distances of its centre of mass.
fn is_far(half: f32, [x, y, z]: [f32; 3]) -> bool {
    let side = 2.0 * half;
    side * side < THETA_SQUARED * (x * x + y * y + z * z)
}

/// The most nodes that a thread keeps for later, whatever it opens.
fn stack(tree: &Tree, launch: Option<LaunchOptions>) -> usize {
    tree.stack(|cell| {
        let grandchildren = tree.grandchildren(cell);
        let child = launch.and_then(|launch| launch.child(grandchildren.len() as u32));
        child.map_or(&cell.kids, |(given, _)| &grandchildren[given as usize..])
    })
}

impl Bht {
    /// Bodies drawn from a seed, and the tree over them.
    ///
    /// # Errors
    /// [`SetupError`]: a mode that only others have, an option out of range, or walks that need more of a stack than there is.
    pub fn new(mode: Mode, options: BhtOptions) -> Result<Self, SetupError> {
        let launch = mode.common()?.is_dynamic().then(|| options.launch());
        options.check()?;
        let tree = Tree::new(options.bodies, options.seed);
        let needs = stack(&tree, launch);
        if needs > STACK_SLOTS {
            let reason = format!("a walk needs a stack of {needs} nodes: expected at most {STACK_SLOTS}");
            return Err(SetupError::Input { reason });
        }
        let reference = Reference::new(&tree, launch.as_ref());
        let (bodies, cells) = (u64::from(options.bodies), tree.cells.len() as u64);
        let mut layout = Layout::default();
        let memory = Memory {
            places: [layout.words(bodies)?, layout.words(bodies)?, layout.words(bodies)?],
            mass: layout.words(bodies)?,
            kids: layout.array(cells, 32)?,
            cell_mass: layout.array(cells, 16)?,
            half: layout.words(cells)?,
            first: layout.words(cells + 1)?,
            grandchildren: layout.words(tree.grandchildren.len() as u64)?,
            forces: layout.words(3 * bodies)?,
        };
        let most = u32::try_from(reference.launches).unwrap_or(u32::MAX);
        Ok(Self {
            device: Device::new(options.launch(), CHILD, &mut layout, most)?,
            forces: vec![0; 3 * options.bodies as usize],
            tree,
            launch,
            launched: false,
            memory,
            interactions: 0,
            reference,
        })
    }

    /// Compares how many nodes acted, and the forces, with those of walks in double precision.
    ///
    /// # Errors
    /// [`WrongResult`] with the first that differs, a force by more than a thousandth of the root of the mean square of all.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let wrong = |place: String, got: String, want: String| Err(WrongResult { place, got, want });
        let Reference { forces, interactions, .. } = &self.reference;
        if self.interactions != *interactions {
            return wrong("interactions".to_owned(), self.interactions.to_string(), interactions.to_string());
        }
        let allowed = TOLERANCE * self.reference.rms();
        for (number, &got) in self.forces.iter().enumerate() {
            let (axis, body) = (number / forces.len(), number % forces.len());
            let (got, want) = (f64::from(got) / f64::from(SCALE), forces[body][axis]);
            if (got - want).abs() > allowed {
                return wrong(format!("force[{number}]"), got.to_string(), want.to_string());
            }
        }
        Ok(Verified { checksum: fnv1a(self.forces.iter().map(|force| force.cast_unsigned())) })
    }
}

impl Algorithm for Bht {
    type Thread = Thread;
    on_device!(Parameters);

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let first = !std::mem::replace(&mut self.launched, true);
        first.then(|| host_kernel(0, self.tree.bodies().div_ceil(TB_THREADS), TB_THREADS, PARENT))
    }

    fn list(&self, child: bool) -> List<Self> {
        match (child, self.launch) {
            (true, _) => list::CHILD,
            (false, None) => list::FLAT,
            (false, Some(_)) => list::PARENT,
        }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place, self.tree.root())
    }

    fn give(&self, thread: &mut Thread) -> Child<Parameters> {
        thread.give(&self.device)
    }

    fn receive(&self, thread: &mut Thread, child: Child<Parameters>) {
        thread.receive(child);
    }

    fn progress(&self) -> (u64, u64) {
        (self.interactions, self.reference.interactions)
    }
}

#[cfg(test)]
mod tests;
