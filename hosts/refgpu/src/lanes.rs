//! The lanes of a warp as bits.

/// Lanes of a warp.
pub const WARP: u32 = 32;

/// The lanes in `mask`, ascending.
pub fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let lane = left.trailing_zeros();
        left &= left.wrapping_sub(1);
        (lane < WARP).then_some(lane as usize)
    })
}

/// The first `count` lanes; all of them if there are that many.
pub const fn first_lanes(count: u32) -> u32 {
    if count >= WARP { u32::MAX } else { (1 << count) - 1 }
}

/// The lanes of `mask` for which `test` holds.
pub fn where_lane(mask: u32, mut test: impl FnMut(usize) -> bool) -> u32 {
    lanes(mask).fold(0, |found, lane| found | u32::from(test(lane)) << lane)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_and_its_lanes_are_the_same_thing() {
        for mask in [0, 1, 0x8000_0000, 0xF0F0_1234, u32::MAX] {
            assert_eq!(where_lane(mask, |_| true), mask);
            assert_eq!(lanes(mask).count(), mask.count_ones() as usize);
        }
        assert_eq!([0, 5, 32, 99].map(first_lanes), [0, 31, u32::MAX, u32::MAX]);
    }
}
