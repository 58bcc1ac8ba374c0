//! What the instructions of the Barnes-Hut tree do for a thread. `list.rs` has the lists that they stand in.

use super::tree::Node;
use super::{Bht, SCALE, SOFTENING, distances, is_far, list};
use crate::device::{Child, Device, LOCAL};
use crate::list::{List, Place};
use gpusched_refgpu::lanes::WARP;

/// Nodes that a thread can keep for later (workloads-BH2).
pub(super) const STACK_SLOTS: usize = 64;

/// A thread, of a body or of a child.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    body: u32,
    at: [f32; 3],
    force: [f32; 3],
    /// The node that was loaded last; what acts there, and half of its side.
    node: Node,
    acting: [f32; 4],
    half: f32,
    stack: Stack,
    /// Kids or grandchildren left to keep for later: next and end, and whether a child takes some.
    next: u32,
    end: u32,
    is_wide: bool,
    /// Threads of the TB that still hold a force in the tree of the sum.
    width: u32,
}

/// What a thread has still to look at.
#[derive(Clone, Copy, Debug)]
struct Stack {
    nodes: [Node; STACK_SLOTS],
    len: u32,
}

impl Default for Stack {
    fn default() -> Self {
        Self { nodes: [0; STACK_SLOTS], len: 0 }
    }
}

/// The parameter block of a child: the body, and the first grandchild.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parameters {
    body: u32,
    first: u32,
}

impl Thread {
    pub(super) fn at(place: Place, root: Node) -> Self {
        Self { place, body: place.index(), node: root, width: place.tb_threads, ..Self::default() }
    }

    pub(super) fn give(&mut self, device: &Device<Parameters>) -> Child<Parameters> {
        let child = device.child(self.end - self.next, Parameters { body: self.body, first: self.next });
        self.next += child.count;
        child
    }

    pub(super) const fn receive(&mut self, child: Child<Parameters>) {
        let Child { count, parameters: Parameters { body, first }, .. } = child;
        self.body = body;
        self.next = first + self.place.index();
        self.end = first + count;
    }

    /// workloads-RP4: lanes side by side.
    const fn slot(&self) -> u64 {
        LOCAL + 4 * (self.stack.len * WARP + self.place.in_tb % WARP) as u64
    }

    const fn push(&mut self, node: Node) -> u64 {
        let slot = self.slot();
        self.stack.nodes[self.stack.len as usize] = node;
        self.stack.len += 1;
        slot
    }

    /// The first of its words of shared memory.
    const fn word(&self) -> u32 {
        4 * self.place.in_tb
    }
}

// What the lists do, for one thread.
impl Bht {
    pub(super) fn has_body(&self, t: &Thread) -> bool {
        t.body < self.tree.bodies()
    }

    pub(super) fn own_place<const AXIS: usize>(&mut self, t: &mut Thread) -> u64 {
        t.at[AXIS] = self.tree.places[t.body as usize][AXIS];
        self.memory.places[AXIS].at(t.body)
    }

    /// Keeps the node that was loaded last for later.
    pub(super) fn push(&mut self, t: &mut Thread) -> u64 {
        t.push(t.node)
    }

    pub(super) fn has_node(&self, t: &Thread) -> bool {
        t.stack.len > 0
    }

    pub(super) fn pop(&mut self, t: &mut Thread) -> u64 {
        t.stack.len -= 1;
        t.node = t.stack.nodes[t.stack.len as usize];
        t.slot()
    }

    pub(super) fn is_body(&self, t: &Thread) -> bool {
        self.tree.cell_number(t.node).is_none()
    }

    pub(super) fn is_cell(&self, t: &Thread) -> bool {
        !self.is_body(t)
    }

    pub(super) fn place<const AXIS: usize>(&mut self, t: &mut Thread) -> u64 {
        t.acting[AXIS] = self.tree.places[t.node as usize][AXIS];
        self.memory.places[AXIS].at(t.node)
    }

    pub(super) fn mass(&mut self, t: &mut Thread) -> u64 {
        t.acting = self.tree.body(t.node);
        self.memory.mass.at(t.node)
    }

    fn cell_number(&self, t: &Thread) -> u32 {
        self.tree.cell_number(t.node).unwrap_or_default()
    }

    pub(super) fn cell_mass(&mut self, t: &mut Thread) -> u64 {
        t.acting = self.tree.cell(t.node).mass;
        self.memory.cell_mass.at(self.cell_number(t))
    }

    pub(super) fn half(&mut self, t: &mut Thread) -> u64 {
        t.half = self.tree.cell(t.node).half;
        self.memory.half.at(self.cell_number(t))
    }

    pub(super) fn acts(&self, t: &Thread) -> bool {
        self.is_body(t) || is_far(t.half, distances(t.at, t.acting))
    }

    pub(super) fn is_open(&self, t: &Thread) -> bool {
        !self.acts(t)
    }

    pub(super) fn act(&mut self, t: &mut Thread) {
        let [x, y, z] = distances(t.at, t.acting);
        let inverse = 1.0 / (x * x + y * y + z * z + SOFTENING * SOFTENING).sqrt();
        let pull = t.acting[3] * inverse * inverse * inverse;
        t.force = [t.force[0] + pull * x, t.force[1] + pull * y, t.force[2] + pull * z];
        self.interactions += 1;
    }

    pub(super) fn open(&self) -> List<Self> {
        if self.launch.is_some() { list::OPEN_OR_LAUNCH } else { list::OPEN }
    }

    pub(super) fn low_kids(&mut self, t: &mut Thread) -> u64 {
        t.next = 0;
        t.end = self.tree.cell(t.node).kids.len() as u32;
        self.memory.kids.at(self.cell_number(t))
    }

    pub(super) fn high_kids(&mut self, t: &mut Thread) -> u64 {
        self.memory.kids.at(self.cell_number(t)) + 16
    }

    pub(super) fn has_kid(&self, t: &Thread) -> bool {
        t.next < t.end
    }

    pub(super) fn push_kid(&mut self, t: &mut Thread) -> u64 {
        let kid = self.tree.cell(t.node).kids[t.next as usize];
        t.next += 1;
        t.push(kid)
    }

    pub(super) fn first(&mut self, t: &mut Thread) -> u64 {
        t.next = self.tree.cell(t.node).grandchildren.start;
        self.memory.first.at(self.cell_number(t))
    }

    pub(super) fn end(&mut self, t: &mut Thread) -> u64 {
        t.end = self.tree.cell(t.node).grandchildren.end;
        t.is_wide = self.device.launches(t.end - t.next);
        self.memory.first.at(self.cell_number(t) + 1)
    }

    pub(super) fn is_wide(&self, t: &Thread) -> bool {
        t.is_wide
    }

    pub(super) fn is_narrow(&self, t: &Thread) -> bool {
        !t.is_wide
    }

    pub(super) fn has_grandchild(&self, t: &Thread) -> bool {
        t.next < t.end
    }

    pub(super) fn grandchild(&mut self, t: &mut Thread) -> u64 {
        let number = t.next;
        t.node = self.tree.grandchildren[number as usize];
        t.next += 1;
        self.memory.grandchildren.at(number)
    }

    pub(super) fn put_force(&mut self, t: &mut Thread) -> u64 {
        for (word, force) in (t.word()..).zip(t.force) {
            *self.device.shared(t.place.room, word) = force.to_bits();
        }
        u64::from(4 * t.word())
    }

    pub(super) fn in_tree(&self, t: &Thread) -> bool {
        t.width > 1
    }

    /// The upper half of the forces is folded onto the lower one; of an odd number, the middle one stays.
    pub(super) fn takes_other(&self, t: &Thread) -> bool {
        t.place.in_tb < t.width / 2
    }

    pub(super) fn other_force(&mut self, t: &mut Thread) -> u64 {
        let first = 4 * (t.place.in_tb + t.width.div_ceil(2));
        for (word, force) in (first..).zip(&mut t.force) {
            *force += f32::from_bits(*self.device.shared(t.place.room, word));
        }
        u64::from(4 * first)
    }

    pub(super) fn next_step(&mut self, t: &mut Thread) {
        t.width = t.width.div_ceil(2);
    }

    pub(super) fn is_first_thread(&self, t: &Thread) -> bool {
        t.place.in_tb == 0
    }

    /// workloads-BH2: a whole number of steps, so that the order of such additions does not matter.
    pub(super) fn add<const AXIS: usize>(&mut self, t: &mut Thread) -> u64 {
        let number = AXIS as u32 * self.tree.bodies() + t.body;
        let force = &mut self.forces[number as usize];
        *force = force.wrapping_add((t.force[AXIS] * SCALE).round() as i32);
        self.memory.forces.at(number)
    }
}
