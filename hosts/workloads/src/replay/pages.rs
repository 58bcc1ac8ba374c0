//! Where the addresses of a traced program lie in the machine's memory.

use std::collections::HashMap;

/// Pages are this large, so that neighbours stay in one row of DRAM. The machine has room for 2^23 of them.
const PAGE_BITS: u32 = 16;

/// Pages by the order in which the trace comes to them: a program's addresses have up to 64 bits, those of the machine 39. The order is
/// that of the file, so it is the same in every run.
#[derive(Debug, Default)]
pub struct Pages {
    numbers: HashMap<u64, u64>,
    last: Option<(u64, u64)>,
}

impl Pages {
    /// The place of an address.
    pub fn place(&mut self, address: u64) -> u64 {
        let page = address >> PAGE_BITS;
        let number = match self.last {
            Some((last, number)) if last == page => number,
            _ => {
                let next = self.numbers.len() as u64;
                *self.numbers.entry(page).or_insert(next)
            }
        };
        self.last = Some((page, number));
        number << PAGE_BITS | address & ((1 << PAGE_BITS) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_come_in_the_order_in_which_they_are_met_and_keep_what_is_in_them() {
        let mut pages = Pages::default();
        let places = [0x7f12_3456_7890, 0x10, 0x7f12_3456_7894, 0x7f12_3457_0000, 0x20].map(|a| pages.place(a));
        assert_eq!(places, [0x7890, 0x1_0010, 0x7894, 0x2_0000, 0x1_0020]);
    }
}
