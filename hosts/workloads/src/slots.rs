//! Numbered places that are taken for a number of users and free again when the last of them has left.
//!
//! The place freed last is taken first, so numbers stay as low as the most in use at once.

/// The places, with a value `T` in each.
#[derive(Clone, Debug)]
pub struct Slots<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    value: T,
    users: u32,
}

impl<T> Slots<T> {
    pub const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    /// Takes a place for `users`, at least one.
    pub fn take(&mut self, value: T, users: u32) -> u32 {
        let slot = Slot { value, users };
        if let Some(number) = self.free.pop() {
            self.slots[number as usize] = slot;
            number
        } else {
            self.slots.push(slot);
            self.slots.len() as u32 - 1
        }
    }

    /// The value there.
    pub fn get(&self, number: u32) -> &T {
        &self.slots[number as usize].value
    }

    /// One of its users leaves.
    pub fn user_leaves(&mut self, number: u32) {
        let users = &mut self.slots[number as usize].users;
        *users -= 1;
        if *users == 0 {
            self.free.push(number);
        }
    }

    /// Whether none is taken.
    #[cfg(test)]
    pub fn all_free(&self) -> bool {
        self.free.len() == self.slots.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_free_after_its_last_user() {
        let mut slots = Slots::new();
        let (a, b) = (slots.take('a', 2), slots.take('b', 1));
        slots.user_leaves(a);
        assert_eq!((slots.get(a), slots.get(b)), (&'a', &'b'));
        assert_ne!(slots.take('c', 1), a);
        slots.user_leaves(a);
        assert_eq!(slots.take('d', 1), a);
        assert_eq!(slots.get(a), &'d');
    }
}
