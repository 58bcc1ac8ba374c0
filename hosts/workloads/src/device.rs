//! What the device holds for a workload besides its arrays: the children in flight with their parameter blocks (workloads-W6,
//! workloads-A1), and the shared memory of the TBs that are resident.
//!
//! A parameter slot is 256 bytes. It is taken when the launching lane stores its parameters and free again when the last
//! warp of the child has exited; the slot freed last is taken first, so the blocks occupy as much memory as there were
//! launches in flight at once, and no more. Shared memory comes and goes with its TB in the same way.

use super::slots::Slots;
use super::{Array, LaunchOptions, Layout, SetupError};
use gpusched::{Descriptor, Dim3};
use gpusched_refgpu::lanes::WARP;

/// Bytes from one parameter slot to the next.
const SLOT_BYTES: u64 = 256;
/// Entry of the child's program, and of the first of the host's. They only need to differ.
pub const CHILD_PC: u64 = 0x2000;
const HOST_PC: u64 = 0x1000;
/// Where accesses of shared memory mean local memory instead (workloads-RP4): beyond all that a TB can have.
pub const LOCAL: u64 = 1 << 23;
/// Tag of the host's kernels. A child's tag is its slot plus one.
const HOST_TAG: u64 = 0;

/// What a TB of a kernel needs of an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Registers per thread.
    pub regs: u32,
    /// Bytes of shared memory: per TB of a host kernel, per thread of a child.
    pub smem: u32,
}

/// A child: how many items it works on, in TBs of how many threads, and the words of its parameter block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Child<P> {
    /// Items, one per thread.
    pub count: u32,
    /// Threads of a TB.
    pub tb: u32,
    /// The parameters that differ from child to child.
    pub parameters: P,
}

/// Children in flight and shared memory.
#[derive(Clone, Debug)]
pub struct Device<P> {
    options: LaunchOptions,
    resources: Resources,
    memory: Array,
    children: Slots<Child<P>>,
    tbs: Slots<()>,
    shared: Vec<Vec<u32>>,
    /// The TB that was begun last.
    newest: u32,
}

/// No room for children: shared memory only.
impl<P> Default for Device<P> {
    fn default() -> Self {
        Self {
            options: LaunchOptions::default(),
            resources: Resources { regs: 0, smem: 0 },
            memory: Array::default(),
            children: Slots::new(),
            tbs: Slots::new(),
            shared: Vec::new(),
            newest: 0,
        }
    }
}

impl<P: Copy> Device<P> {
    /// Launches as `options` say, children that need `resources`, at most `most` of them in flight. The parameter slots
    /// follow the arrays of `layout`.
    ///
    /// # Errors
    /// [`SetupError`]: an option out of range, or no room for the slots.
    pub(super) fn new(
        options: LaunchOptions,
        resources: Resources,
        layout: &mut Layout,
        most: u32,
    ) -> Result<Self, SetupError> {
        options.check()?;
        let memory = layout.array(u64::from(most), SLOT_BYTES)?;
        Ok(Self { options, resources, memory, ..Self::default() })
    }

    /// How many of its `items` a thread gives to a child (workloads-W7).
    pub(super) fn share(&self, items: u32) -> u32 {
        self.options.child(items).map_or(0, |(count, _)| count)
    }

    /// Whether a thread with `items` launches a child.
    pub(super) fn launches(&self, items: u32) -> bool {
        self.share(items) > 0
    }

    /// The child for a thread with `items` that launches one.
    pub(super) fn child(&self, items: u32, parameters: P) -> Child<P> {
        let (count, tb) = self.options.child(items).unwrap_or((0, WARP));
        Child { count, tb, parameters }
    }

    /// Integer instructions of the launch call.
    pub(super) const fn launch_insts(&self) -> u32 {
        self.options.launch_insts
    }

    /// Takes a parameter slot.
    pub(super) fn take(&mut self, child: Child<P>) -> u32 {
        self.children.take(child, child.count.div_ceil(child.tb) * child.tb.div_ceil(WARP))
    }

    /// Address of a parameter slot.
    pub(super) const fn address(&self, slot: u32) -> u64 {
        self.memory.at(slot)
    }

    /// What is in a parameter slot.
    pub(super) fn parameters(&self, slot: u32) -> Child<P> {
        *self.children.get(slot)
    }

    /// What the machine is told of the child with its parameters in `slot`.
    pub(super) fn descriptor(&self, slot: u32) -> Descriptor {
        let Child { count, tb, .. } = *self.children.get(slot);
        let Resources { regs, smem } = self.resources;
        Descriptor {
            pc: CHILD_PC,
            grid: Dim3::linear(count.div_ceil(tb)),
            tb: Dim3::linear(tb),
            regs: regs * tb,
            smem: smem * tb,
            param: slot,
            tag: u64::from(slot) + 1,
            ..Descriptor::default()
        }
    }

    /// Warp number `warp`, of `warps` in its TB, begins: gives the number of the TB's shared memory. The warps of a TB begin
    /// one after the other, the first one first.
    pub(super) fn warp_begins(&mut self, warp: u32, warps: u32) -> u32 {
        if warp == 0 {
            self.newest = self.tbs.take((), warps);
            let room = self.newest as usize;
            self.shared.resize_with(self.shared.len().max(room + 1), Vec::new);
            self.shared[room].clear();
        }
        self.newest
    }

    /// A warp exits, of the TB with shared memory `room` and, if it is a child's, with parameters in `slot`.
    pub(super) fn warp_exits(&mut self, room: u32, slot: Option<u32>) {
        self.tbs.user_leaves(room);
        if let Some(slot) = slot {
            self.children.user_leaves(slot);
        }
    }

    /// A word of shared memory.
    pub(super) fn shared(&mut self, room: u32, word: u32) -> &mut u32 {
        let (words, word) = (&mut self.shared[room as usize], word as usize);
        if words.len() <= word {
            words.resize(word + 1, 0);
        }
        &mut words[word]
    }

    /// Whether neither a launch nor a TB is left.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.children.all_free() && self.tbs.all_free()
    }
}

/// The host kernel of a workload's program number `program` over `tbs` TBs of `tb` threads.
pub fn host_kernel(program: u8, tbs: u32, tb: u32, Resources { regs, smem }: Resources) -> Descriptor {
    Descriptor {
        pc: HOST_PC + (u64::from(program) << 4),
        grid: Dim3::linear(tbs),
        tb: Dim3::linear(tb),
        regs: regs * tb,
        smem,
        tag: HOST_TAG,
        ..Descriptor::default()
    }
}

/// Slot of the child with this tag. `None`: a host kernel's.
pub const fn slot_of(tag: u64) -> Option<u32> {
    match tag {
        HOST_TAG => None,
        child => Some((child - 1) as u32),
    }
}
