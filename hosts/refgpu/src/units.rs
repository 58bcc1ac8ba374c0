//! Sets of units of one kind, such as SMs, banks or ports: one bit each, in as many words as the kind needs.

/// Words of a set of so many units.
pub const fn words(units: usize) -> usize {
    units.div_ceil(64)
}

/// Puts a unit into a set.
#[inline]
pub fn insert(set: &mut [u64], unit: usize) {
    set[unit / 64] |= 1 << (unit % 64);
}

/// Takes a unit out of a set.
#[inline]
pub fn remove(set: &mut [u64], unit: usize) {
    set[unit / 64] &= !(1 << (unit % 64));
}

/// The members of the word of this number of a set, lowest first.
#[inline]
pub fn members(number: usize, word: u64) -> impl Iterator<Item = usize> {
    let mut left = word;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let unit = 64 * number + left.trailing_zeros() as usize;
        left &= left - 1;
        Some(unit)
    })
}

/// A way once around a set, in windows of a word. The set may change meanwhile: each window is read when the way comes to it.
#[derive(Debug)]
pub struct Round {
    /// Where the window begins, what of it is left, and how many come after it.
    first: usize,
    left: u64,
    more: usize,
}

impl Round {
    /// The way from unit `first` upward, and then from 0.
    #[inline]
    pub fn new(set: &[u64], first: usize) -> Self {
        let first = if first < 64 * set.len() { first } else { 0 };
        Self { first, left: window(set, first), more: set.len() - 1 }
    }

    /// The next member on the way.
    #[inline]
    pub fn next(&mut self, set: &[u64]) -> Option<usize> {
        let wrap = |unit: usize| if unit < 64 * set.len() { unit } else { unit - 64 * set.len() };
        while self.left == 0 {
            self.more = self.more.checked_sub(1)?;
            self.first = wrap(self.first + 64);
            self.left = window(set, self.first);
        }
        let unit = self.first + self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(wrap(unit))
    }
}

/// 64 units from `first` on, from 0 on after the last.
#[inline]
fn window(set: &[u64], first: usize) -> u64 {
    if let [only] = set {
        return only.rotate_right(first as u32);
    }
    let (word, shift) = (first / 64, first % 64);
    let after = if word + 1 < set.len() { word + 1 } else { 0 };
    set[word] >> shift | set[after] << 1 << (63 - shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_begins_anywhere_and_meets_each_member_once() {
        let units = [0, 5, 63, 64, 130, 256];
        let mut set = vec![0; words(257)];
        units.iter().for_each(|&unit| insert(&mut set, unit));
        for first in 0..=320 {
            let mut round = Round::new(&set, first);
            let met: Vec<_> = std::iter::from_fn(|| round.next(&set)).collect();
            let above = units.iter().filter(|&&unit| unit >= first);
            let expected: Vec<_> = above.chain(units.iter().filter(|&&unit| unit < first)).copied().collect();
            assert_eq!(met, expected, "from {first}");
        }
        remove(&mut set, 63);
        let left = set.iter().enumerate().flat_map(|(number, &word)| members(number, word));
        assert_eq!(left.collect::<Vec<_>>(), [0, 5, 64, 130, 256]);
    }
}
