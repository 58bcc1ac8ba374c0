//! A set of numbers that come mostly in order, and each of them once: what has come without a gap takes no room.

use std::collections::HashSet;

#[derive(Clone, Debug, Default)]
pub struct Once {
    /// All below are in.
    below: u64,
    beyond: HashSet<u64>,
}

impl Once {
    /// Puts `number` in. False: it was in already.
    pub fn insert(&mut self, number: u64) -> bool {
        if number < self.below || !self.beyond.insert(number) {
            return false;
        }
        while self.beyond.remove(&self.below) {
            self.below += 1;
        }
        true
    }

    pub fn contains(&self, number: u64) -> bool {
        number < self.below || self.beyond.contains(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_goes_in_once_in_any_order() {
        let mut once = Once::default();
        assert!([2, 0, 1, 5, u64::MAX].into_iter().all(|number| once.insert(number)));
        assert!([0, 1, 2, 5, u64::MAX].into_iter().all(|number| !once.insert(number) && once.contains(number)));
        assert!(!once.contains(3) && once.beyond.len() == 2);
    }
}
