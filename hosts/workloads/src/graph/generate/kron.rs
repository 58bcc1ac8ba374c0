//! KRON (workloads-G7): the Kronecker graph of the Graph500 reference program, edge for edge.
//!
//! The program draws every edge from its own stretch of one long stream, 2^64 steps apart, so that processes can share the
//! work. Here the state is carried from stretch to stretch by one 5 x 5 matrix.

use crate::graph::EdgeList;

/// Modulus of the stream: a Mersenne prime.
const P: u64 = (1 << 31) - 1;

pub fn edges(lg: u32, ef: u32, seeds: [u64; 2]) -> EdgeList {
    let start = Mrg::seeded(seeds);
    let stretch = Matrix::step().squared(64);
    let scramble = Scrambler::new(lg, start, &stretch);
    let mut list = EdgeList::unweighted(1 << lg);
    list.reserve((ef as usize) << lg);
    let mut state = start;
    for _ in 0..u64::from(ef) << lg {
        let [u, v] = descend(lg, state);
        list.push(scramble.vertex(u), scramble.vertex(v), 0);
        state = stretch.apply(state);
    }
    list
}

/// One edge before scrambling: a quadrant per bit, top down.
fn descend(lg: u32, mut stream: Mrg) -> [u64; 2] {
    let (mut u, mut v) = (0, 0);
    for _ in 0..lg {
        let (x, y) = match stream.quadrant() {
            0..1900 => (0, 1),
            // While both ends agree, the lower triangle is folded onto the upper one.
            1900..3800 if u == v => (0, 1),
            1900..3800 => (1, 0),
            3800..9500 => (0, 0),
            _ => (1, 1),
        };
        u = 2 * u + x;
        v = 2 * v + y;
    }
    [u, v]
}

/// State of the multiple recursive generator, latest output first.
#[derive(Clone, Copy)]
struct Mrg([u64; 5]);

impl Mrg {
    fn seeded([s1, s2]: [u64; 2]) -> Self {
        let mask = (1 << 30) - 1;
        Self([
            (s1 & mask) + 1,
            (s1 >> 30 & mask) + 1,
            (s2 & mask) + 1,
            (s2 >> 30 & mask) + 1,
            (s2 >> 60 << 4) + (s1 >> 60) + 1,
        ])
    }

    fn draw(&mut self) -> u64 {
        let [a, b, c, d, e] = self.0;
        let next = reduce(107_374_182 * a + 104_480 * e);
        self.0 = [next, a, b, c, d];
        next
    }

    /// A number below 10,000 without bias: the incomplete first cycle is drawn again.
    fn quadrant(&mut self) -> u64 {
        loop {
            let x = self.draw();
            if x >= P % 10_000 {
                return x % 10_000;
            }
        }
    }

    /// Two draws as one word, as the reference program joins them.
    fn word(&mut self) -> u64 {
        let high = self.draw() * 0xFFFF_FFFF;
        high + self.draw()
    }
}

/// `x` mod P for x below 2^63: twice fold the high bits, then one subtraction.
const fn reduce(x: u64) -> u64 {
    let x = (x & P) + (x >> 31);
    let x = (x & P) + (x >> 31);
    if x >= P { x - P } else { x }
}

/// A linear map of states.
#[derive(Clone)]
struct Matrix([[u64; 5]; 5]);

impl Matrix {
    /// One step of the stream.
    const fn step() -> Self {
        Self([[107_374_182, 0, 0, 0, 104_480], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0]])
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = [[0; 5]; 5];
        for (row, left) in product.iter_mut().zip(&self.0) {
            for (j, cell) in row.iter_mut().enumerate() {
                *cell = left.iter().zip(&other.0).fold(0, |sum, (&l, right)| reduce(sum + l * right[j]));
            }
        }
        Self(product)
    }

    /// This map 2^`times` times over.
    fn squared(&self, times: u32) -> Self {
        (0..times).fold(self.clone(), |map, _| map.times(&map))
    }

    /// This map `count` times over, for small counts.
    fn repeated(&self, count: u32) -> Self {
        (1..count).fold(self.clone(), |map, _| map.times(self))
    }

    fn apply(&self, state: Mrg) -> Mrg {
        // Two products of 62 bits fit a word, five do not.
        let dot = |row: &[u64; 5]| {
            let [a, b, c, d, e] = state.0;
            let low = row[0] * a + row[1] * b;
            let high = row[2] * c + row[3] * d;
            reduce(reduce(low) + reduce(high) + row[4] * e)
        };
        Mrg(self.0.each_ref().map(dot))
    }
}

/// The permutation that hides the order in which vertices were made.
struct Scrambler {
    shift: u32,
    add: u64,
    odd: [u64; 2],
}

impl Scrambler {
    fn new(lg: u32, start: Mrg, stretch: &Matrix) -> Self {
        // 50 * 2^128 + 7 * 2^64 steps from the seed, far from every edge's stretch.
        let far = stretch.squared(64).repeated(50).apply(start);
        let mut stream = stretch.repeated(7).apply(far);
        let (a, b) = (stream.word(), stream.word());
        Self { shift: 64 - lg, add: a.wrapping_add(b), odd: [a | 0x4519_8402_1149_3211, b | 0x3050_8521_02C8_43A5] }
    }

    fn vertex(&self, v: u64) -> u32 {
        let v = v.wrapping_add(self.add);
        let turned = self.odd.iter().fold(v, |v, &odd| v.wrapping_mul(odd).reverse_bits() >> self.shift);
        turned as u32
    }
}
