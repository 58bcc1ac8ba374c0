//! A first-in-first-out queue in a ring.

/// A FIFO with a stated number of places. Its memory starts small and doubles on demand, so that a queue that is never full
/// stays in few cache lines.
#[derive(Clone, Debug)]
pub struct Ring<T> {
    slots: Vec<T>,
    head: usize,
    len: usize,
    capacity: usize,
}

impl<T: Copy + Default> Ring<T> {
    /// An empty queue of `capacity` places.
    pub fn new(capacity: usize) -> Self {
        Self { slots: vec![T::default(); capacity.clamp(1, 8).next_power_of_two()], head: 0, len: 0, capacity }
    }

    /// Entries waiting.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no entry waits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Free places.
    pub fn room(&self) -> usize {
        self.capacity.saturating_sub(self.len)
    }

    /// Adds an entry at the tail. Callers ask for [`Ring::room`] where it can run out; a ring that may not refuse grows.
    pub fn push(&mut self, entry: T) {
        if self.len == self.slots.len() {
            self.grow();
        }
        let at = (self.head + self.len) & (self.slots.len() - 1);
        self.slots[at] = entry;
        self.len += 1;
    }

    #[cold]
    fn grow(&mut self) {
        self.slots.rotate_left(self.head);
        self.head = 0;
        self.slots.resize(self.slots.len() * 2, T::default());
    }

    /// Adds an entry behind all that are not greater; cheap if entries come nearly in order.
    pub fn push_sorted(&mut self, entry: T)
    where
        T: Ord,
    {
        self.push(entry);
        let mask = self.slots.len() - 1;
        for i in (1..self.len).rev() {
            let (before, at) = ((self.head + i - 1) & mask, (self.head + i) & mask);
            if self.slots[before] <= self.slots[at] {
                break;
            }
            self.slots.swap(before, at);
        }
    }

    /// The entry at the head.
    #[inline]
    pub fn front(&self) -> Option<&T> {
        if self.len == 0 { None } else { Some(&self.slots[self.head & (self.slots.len() - 1)]) }
    }

    /// The entries, from the head.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mask = self.slots.len() - 1;
        (0..self.len).map(move |i| &self.slots[(self.head + i) & mask])
    }

    /// The entries, from the head, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let (wrapped, first) = self.slots.split_at_mut(self.head);
        first.iter_mut().chain(wrapped).take(self.len)
    }

    /// Takes the entry at the head.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        let entry = *self.front()?;
        self.head = (self.head + 1) & (self.slots.len() - 1);
        self.len -= 1;
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_entries_leave_in_their_order() {
        let mut ring = Ring::new(4);
        ring.push(0);
        ring.pop();
        for entry in [5, 7, 6, 1, 9] {
            ring.push_sorted(entry);
        }
        ring.iter_mut().for_each(|entry| *entry *= 10);
        assert_eq!(std::iter::from_fn(|| ring.pop()).collect::<Vec<_>>(), [10, 50, 60, 70, 90]);
    }

    #[test]
    fn entries_leave_in_order_through_wrapping_and_growth() {
        let mut ring = Ring::new(4);
        let (mut sent, mut got) = (0, Vec::new());
        for _ in 0..3 {
            ring.push(sent);
            sent += 1;
        }
        got.extend([ring.pop().unwrap(), ring.pop().unwrap()]);
        assert_eq!(ring.room(), 3);
        while sent < 9 {
            ring.push(sent);
            sent += 1;
        }
        assert_eq!(ring.room(), 0);
        assert_eq!(ring.iter().copied().collect::<Vec<_>>(), (2..9).collect::<Vec<_>>());
        got.extend(std::iter::from_fn(|| ring.pop()));
        assert_eq!(got, (0..9).collect::<Vec<_>>());
    }
}
