//! Parents that synchronise with their children: who waits for whom, on an SM or suspended (refgpu-V1; dtbl-S1, dtbl-S2).
//!
//! A kernel of one TB whose warps all wait is suspended: it leaves its SM and the distributor, and is resumed when the last kernel
//! that the TB launched has ended. It comes back through the KMU like a kernel, on any SM.

use std::collections::{BTreeMap, VecDeque};

use gpusched::{KernelSlot, SuspId};

/// Names a TB that has launched something, for the whole run.
pub type ParentId = u32;

/// SM and TB slot.
type Slot = (u16, u8);

/// Parents and their children in flight.
#[derive(Clone, Debug, Default)]
pub struct Families {
    next: ParentId,
    /// Children in flight of each parent that has any or is somewhere, and where the parent is suspended.
    parents: BTreeMap<ParentId, Parent>,
    by_slot: BTreeMap<Slot, ParentId>,
    /// By the child's tag; tags of launches in flight are different.
    by_child: BTreeMap<u64, ParentId>,
    /// Resumed, in the order in which the KMU will issue them.
    resumed: VecDeque<ParentId>,
    /// Issued again, by entry.
    by_kde: BTreeMap<KernelSlot, ParentId>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Parent {
    children: u32,
    suspended: Option<SuspId>,
    /// It was itself launched by a device thread.
    is_child: bool,
}

impl Families {
    /// The TB in `slot` launches the kernel or group with this tag.
    pub fn launch(&mut self, slot: Slot, tag: u64) {
        let Self { next, parents, by_slot, by_child, .. } = self;
        let parent = *by_slot.entry(slot).or_insert_with(|| {
            *next += 1;
            *next
        });
        parents.entry(parent).or_default().children += 1;
        by_child.insert(tag, parent);
    }

    /// A kernel or group has ended. Its parent, if that was suspended and this was the last it waited for: it is to be resumed.
    pub fn end_child(&mut self, tag: u64) -> Option<SuspId> {
        let id = self.by_child.remove(&tag)?;
        let parent = self.parents.get_mut(&id)?;
        parent.children -= 1;
        if parent.children > 0 {
            return None;
        }
        let Some(index) = parent.suspended.take() else {
            self.parents.remove(&id);
            return None;
        };
        self.resumed.push_back(id);
        Some(index)
    }

    /// The TB in `slot` has ended.
    pub fn end_tb(&mut self, slot: Slot) {
        self.by_slot.remove(&slot);
    }

    /// Whether the TB in `slot` has children in flight.
    pub fn has_children(&self, slot: Slot) -> bool {
        self.by_slot.get(&slot).is_some_and(|parent| self.parents.contains_key(parent))
    }

    /// The TB in `slot` was suspended.
    pub fn suspend(&mut self, slot: Slot, index: SuspId, is_child: bool) -> Option<ParentId> {
        let id = self.by_slot.remove(&slot)?;
        let parent = self.parents.get_mut(&id)?;
        parent.suspended = Some(index);
        parent.is_child = is_child;
        Some(id)
    }

    /// The KMU sends the parent that was resumed first to an entry. Whether a device thread launched it.
    pub fn issue(&mut self, kde: KernelSlot) -> bool {
        let Some(id) = self.resumed.pop_front() else { return false };
        self.by_kde.insert(kde, id);
        self.parents.get(&id).is_some_and(|parent| parent.is_child)
    }

    /// The TB of the entry is back, in `slot`.
    pub fn restore(&mut self, kde: KernelSlot, slot: Slot) -> Option<ParentId> {
        let id = self.by_kde.remove(&kde)?;
        self.parents.remove(&id);
        self.by_slot.insert(slot, id);
        Some(id)
    }
}
