//! What the transform is held to: its definition for the first outputs, and a recursive form for all, in double precision.

use super::Parts;
use crate::WrongResult;
use std::f64::consts::TAU;
use std::ops::{Add, Mul, Sub};

/// Outputs that are held to the definition.
const BY_DEFINITION: u32 = 64;
/// How far an output may be off, of the root mean square.
const TOLERANCE: f64 = 1e-4;

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

/// The n roots of unity, clockwise.
#[derive(Debug)]
pub struct Roots(u32);

impl Roots {
    pub const fn new(points: u32) -> Self {
        Self(points)
    }

    /// `exp(-2 pi i k / n)`
    pub fn get(&self, k: u32) -> Complex {
        let (sin, cos) = libm::sincos(TAU * f64::from(k) / f64::from(self.0));
        Complex { re: cos, im: -sin }
    }

    fn all(&self) -> Vec<Complex> {
        (0..self.0).map(|k| self.get(k)).collect()
    }
}

/// The first outputs: sums over all inputs.
pub fn first_by_definition(input: &[Complex]) -> Vec<Complex> {
    let points = input.len();
    let roots = Roots::new(points as u32).all();
    let output = |k: usize| {
        let terms = input.iter().enumerate().map(|(j, &x)| x * roots[j * k % points]);
        terms.fold(Complex::default(), Add::add)
    };
    (0..BY_DEFINITION as usize).map(output).collect()
}

/// All outputs: those of the even and of the odd inputs, put together.
pub fn transform(input: &[Complex]) -> Vec<Complex> {
    let roots = Roots::new(input.len() as u32).all();
    part(input, 0, 1, &roots)
}

/// The transform of every `step`th input from `first` on. Recurses log2 n deep.
fn part(input: &[Complex], first: usize, step: usize, roots: &[Complex]) -> Vec<Complex> {
    if step >= input.len() {
        return vec![input[first]];
    }
    let even = part(input, first, 2 * step, roots);
    let odd = part(input, first + step, 2 * step, roots);
    let turned: Vec<_> = odd.iter().zip(roots.iter().step_by(step)).map(|(&x, &root)| x * root).collect();
    let both = || even.iter().zip(&turned);
    both().map(|(&a, &b)| a + b).chain(both().map(|(&a, &b)| a - b)).collect()
}

/// Holds as many outputs to `want` as that has.
pub fn hold([re, im]: &Parts<Vec<f32>>, want: &[Complex]) -> Result<(), WrongResult> {
    let mean = want.iter().map(|w| w.re * w.re + w.im * w.im).sum::<f64>() / want.len() as f64;
    let most = TOLERANCE * mean.sqrt();
    let parts = |k: usize| [("re", re[k], want[k].re), ("im", im[k], want[k].im)].map(|part| (k, part));
    // A NaN is far off, too.
    let far = |&(_, (_, got, want)): &(usize, (&str, f32, f64))| got.is_nan() || (f64::from(got) - want).abs() > most;
    match (0..want.len()).flat_map(parts).find(far) {
        None => Ok(()),
        Some((k, (part, got, want))) => {
            Err(WrongResult { place: format!("{part}[{k}]"), got: got.to_string(), want: want.to_string() })
        }
    }
}
