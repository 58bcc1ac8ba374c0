//! The boxes of the U-list phase: which are neighbours, and where their points lie.

use crate::graph::SplitMix64;

/// Cubes in a row along x, each cut into 8^level boxes. Boxes are numbered by x, then y, then z.
#[derive(Clone, Copy, Debug)]
pub struct Boxes {
    pub level: u32,
    pub cubes: u32,
    pub periodic: bool,
}

impl Boxes {
    /// How many along each axis.
    const fn sides(self) -> [u32; 3] {
        let side = 1 << self.level;
        [side * self.cubes, side, side]
    }

    pub const fn count(self) -> u32 {
        let [x, y, z] = self.sides();
        x * y * z
    }

    /// Place of a box along each axis.
    const fn place(self, number: u32) -> [u32; 3] {
        let [_, y, z] = self.sides();
        [number / (y * z), number / z % y, number % z]
    }

    /// Where each box's U-list begins, and the end of the last; and the lists, one after the other: the box and its neighbours,
    /// ascending, or around the edge if periodic.
    pub fn lists(self) -> (Vec<u32>, Vec<u32>) {
        let (mut firsts, mut lists) = (vec![0], Vec::new());
        for number in 0..self.count() {
            let [xs, ys, zs] = std::array::from_fn(|axis| self.near(self.place(number)[axis], self.sides()[axis]));
            let [_, y_side, z_side] = self.sides();
            for x in xs {
                for &y in &ys {
                    lists.extend(zs.iter().map(|z| (x * y_side + y) * z_side + z));
                }
            }
            firsts.push(lists.len() as u32);
        }
        (firsts, lists)
    }

    /// Entries of all U-lists.
    pub fn pairs(self) -> u64 {
        let along = |side: u32| (0..side).map(|place| self.near(place, side).len() as u64).sum::<u64>();
        self.sides().into_iter().map(along).product()
    }

    /// The places next to one along an axis, and itself.
    fn near(self, place: u32, side: u32) -> Vec<u32> {
        let around = [place + side - 1, place + side, place + side + 1];
        let inside = |at: &u32| self.periodic || (side..2 * side).contains(at);
        around.into_iter().filter(inside).map(|at| at % side).collect()
    }

    /// Targets and sources of all boxes, `q` of each in every box: coordinates, and the potential 0 or a density of up to 1.
    /// Coordinates are multiples of a power of two that a float holds exactly, odd ones of targets and even ones of sources, so that no
    /// distance is 0.
    pub fn points(self, q: u32, seed: u64) -> (Vec<[f32; 4]>, Vec<[f32; 4]>) {
        let fraction = f32::MANTISSA_DIGITS - self.cubes.next_power_of_two().trailing_zeros();
        let of_box = fraction - self.level;
        let mut stream = SplitMix64::new(seed);
        let (mut targets, mut sources) = (Vec::new(), Vec::new());
        for number in 0..self.count() {
            let place = self.place(number);
            let mut point = |odd: u64| -> [f32; 3] {
                place.map(|at| {
                    let multiple = (u64::from(at) << of_box) + 2 * stream.below(1 << (of_box - 1)) + odd;
                    multiple as f32 / (1_u64 << fraction) as f32
                })
            };
            let drawn: Vec<_> = (0..q).map(|_| point(1)).collect();
            targets.extend(drawn.iter().map(|&[x, y, z]| [x, y, z, 0.0]));
            let drawn: Vec<_> = (0..q).map(|_| point(0)).collect();
            sources.extend(drawn.iter().map(|&[x, y, z]| [x, y, z, 1.0 - stream.unit_f32()]));
        }
        (targets, sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(boxes: Boxes) -> Vec<usize> {
        let (firsts, lists) = boxes.lists();
        assert_eq!((lists.len(), boxes.pairs()), (*firsts.last().unwrap() as usize, lists.len() as u64));
        firsts.windows(2).map(|of| (of[1] - of[0]) as usize).collect()
    }

    #[test]
    fn lists_are_the_box_and_what_it_touches() {
        let boxes = Boxes { level: 2, cubes: 1, periodic: false };
        let (firsts, lists) = boxes.lists();
        for number in 0..boxes.count() {
            let list = &lists[firsts[number as usize] as usize..firsts[number as usize + 1] as usize];
            let touches = |other: u32| {
                let (a, b) = (boxes.place(number), boxes.place(other));
                a.iter().zip(b).all(|(&a, b)| a.abs_diff(b) <= 1)
            };
            assert_eq!(list, (0..boxes.count()).filter(|&other| touches(other)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn inside_there_are_27_and_periodically_everywhere() {
        let count = |sizes: &[usize], n| sizes.iter().filter(|&&size| size == n).count();
        // Corners, edges, faces and the inside of 8 x 8 x 8.
        let open = sizes(Boxes { level: 3, cubes: 1, periodic: false });
        assert_eq!([8, 12, 18, 27].map(|n| count(&open, n)), [8, 72, 216, 216]);
        for (level, cubes) in [(2, 1), (3, 1), (2, 3)] {
            let boxes = Boxes { level, cubes, periodic: true };
            assert!(sizes(boxes).iter().all(|&size| size == 27));
            let (_, lists) = boxes.lists();
            for list in lists.chunks(27) {
                assert_eq!(list.iter().collect::<std::collections::BTreeSet<_>>().len(), 27);
            }
        }
        assert_eq!(sizes(Boxes { level: 0, cubes: 1, periodic: false }), [1]);
        assert_eq!(sizes(Boxes { level: 0, cubes: 3, periodic: false }), [2, 3, 2]);
    }

    #[test]
    fn points_lie_in_their_boxes_and_no_two_coincide() {
        for (level, cubes) in [(0, 1), (3, 1), (5, 1), (1, 1000)] {
            let boxes = Boxes { level, cubes, periodic: false };
            let (targets, sources) = boxes.points(2, 7);
            let side = 1.0 / f32::from(1_u16 << level);
            for (number, [target, source]) in targets.chunks(2).zip(sources.chunks(2)).map(|(t, s)| [t, s]).enumerate()
            {
                let place = boxes.place(number as u32).map(|at| at as f32 * side);
                for point in target.iter().chain(source) {
                    assert!((0..3).all(|a| (place[a]..place[a] + side).contains(&point[a])), "{point:?} {place:?}");
                }
                assert!(target.iter().all(|t| source.iter().all(|s| (0..3).all(|a| t[a] != s[a]))));
                assert!(source.iter().all(|s| s[3] > 0.0 && s[3] <= 1.0) && target.iter().all(|t| t[3] == 0.0));
            }
        }
    }
}
