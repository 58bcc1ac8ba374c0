//! What `core` has not got, or not the same on every target.

use crate::base::error::Fault;

/// The lesser of two numbers; the first one if they are equal. (Which zero `f64::min` gives is left to the target.)
pub(super) fn min(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The greater of two numbers; the first one if they are equal.
pub(super) fn max(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// 2^53: from here on a number need not have all integers as neighbours.
pub(super) const TWO_53: f64 = 9_007_199_254_740_992.0;

/// ceil(x - 1e-9) of a number that is not negative (models-T10): rounding that left it a little above an integer does not count.
pub(super) fn ceil(x: f64) -> Result<u64, Fault> {
    if x >= TWO_53 || x.is_nan() {
        return Err(Fault::Overflow);
    }
    Ok(libm::ceil(x - 1e-9) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ceiling_forgives_rounding_and_ends_at_2_to_the_53() {
        let cases = [
            (0.0, 0),
            (1e-10, 0),
            (1.0, 1),
            (1.0 + 5e-10, 1),
            (1.0 + 2e-9, 2),
            (1.5, 2),
            (TWO_53 - 1.0, (1 << 53) - 1),
        ];
        for (x, expected) in cases {
            assert_eq!(ceil(x), Ok(expected), "{x}");
        }
        for x in [TWO_53, f64::INFINITY, f64::NAN] {
            assert_eq!(ceil(x), Err(Fault::Overflow), "{x}");
        }
    }

    #[test]
    fn ties_keep_the_first_number() {
        assert!(min(-0.0, 0.0).is_sign_negative() && min(0.0, -0.0).is_sign_positive());
        assert!(max(-0.0, 0.0).is_sign_negative() && max(0.0, -0.0).is_sign_positive());
        assert_eq!((min(1.0, 2.0), max(1.0, 2.0), min(2.0, 1.0), max(2.0, 1.0)), (1.0, 2.0, 1.0, 2.0));
    }
}
