//! Parameter blocks of device launches (`workloads` W6, A1): one 256-byte slot per launch in flight.
//!
//! A slot is taken when the launching lane stores its parameters and is free again when the last warp of the child has
//! exited. The slot freed last is taken first, so the blocks occupy as much memory as there were launches in flight at
//! once, and no more.

/// Bytes from one slot to the next.
pub const SLOT_BYTES: u64 = 256;

/// What is known of the slots: the parameters `P` of each, and which are free.
#[derive(Clone, Debug)]
pub struct Slots<P> {
    slots: Vec<Slot<P>>,
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Slot<P> {
    parameters: P,
    warps_left: u32,
}

impl<P: Copy> Slots<P> {
    pub const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    /// Takes a slot for a child of `warps` warps.
    pub fn take(&mut self, parameters: P, warps: u32) -> u32 {
        let slot = Slot { parameters, warps_left: warps };
        if let Some(number) = self.free.pop() {
            self.slots[number as usize] = slot;
            number
        } else {
            self.slots.push(slot);
            self.slots.len() as u32 - 1
        }
    }

    /// The parameters in a slot.
    pub fn parameters(&self, slot: u32) -> P {
        self.slots[slot as usize].parameters
    }

    /// A warp of the child has exited.
    pub fn warp_exits(&mut self, slot: u32) {
        let left = &mut self.slots[slot as usize].warps_left;
        *left -= 1;
        if *left == 0 {
            self.free.push(slot);
        }
    }

    /// Whether no launch is in flight.
    #[cfg(test)]
    pub fn all_free(&self) -> bool {
        self.free.len() == self.slots.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_free_after_the_last_warp_of_its_child() {
        let mut slots = Slots::new();
        let (a, b) = (slots.take('a', 2), slots.take('b', 1));
        slots.warp_exits(a);
        assert_eq!((slots.parameters(a), slots.parameters(b)), ('a', 'b'));
        assert_ne!(slots.take('c', 1), a);
        slots.warp_exits(a);
        assert_eq!(slots.take('d', 1), a);
        assert_eq!(slots.parameters(a), 'd');
    }
}
