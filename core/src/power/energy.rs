//! Energy (bubble_dvfs-B4): for evaluation only, in integers, so that every target counts the same.

use super::registers::PState;
use crate::power::config::BubbleConfig;

/// Power of an SMX at one P-state, mW.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Rate {
    /// Leakage and idle power.
    fixed: u64,
    /// What full activity adds.
    dynamic: u64,
}

/// Power at both P-states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rates {
    high: Rate,
    low: Rate,
    uncore: u64,
}

impl Rates {
    /// The largest product below, 10^6 mW x (5000 mV)^2 x 5000 MHz, and 10^6 mW x (5000 mV)^3, stay below 2^57.
    pub(super) fn of(config: &BubbleConfig) -> Self {
        let of = |p: u32, low: u64, high: u64| (u64::from(p) * low).checked_div(high).unwrap_or(0);
        let (v_low, v_high) = (u64::from(config.v_low_mv), u64::from(config.v_high_mv));
        let (f_low, f_high) = (u64::from(config.f_low_mhz), u64::from(config.f_high_mhz));
        // Dynamic power follows V^2 f, leakage follows V^k.
        let scale = |p| of(p, v_low.pow(2) * f_low, v_high.pow(2) * f_high);
        let leak = of(config.p_leak_mw, v_low.pow(config.leak_exp), v_high.pow(config.leak_exp));
        Self {
            high: Rate {
                fixed: u64::from(config.p_leak_mw) + u64::from(config.p_idle_mw),
                dynamic: config.p_dyn_mw.into(),
            },
            low: Rate { fixed: leak + scale(config.p_idle_mw), dynamic: scale(config.p_dyn_mw) },
            uncore: config.p_uncore_mw.into(),
        }
    }

    /// Energy of an SMX over `cycles` at one P-state, with an activity in thousandths.
    pub(super) fn smx(&self, pstate: PState, cycles: u64, activity: u64) -> u128 {
        let Rate { fixed, dynamic } = match pstate {
            PState::Low => self.low,
            PState::High | PState::Down | PState::Up => self.high,
        };
        u128::from(cycles) * u128::from(fixed) + thousandths(cycles, dynamic * activity)
    }

    /// Energy of everything else.
    pub(super) fn uncore(&self, cycles: u64) -> u128 {
        u128::from(cycles) * u128::from(self.uncore)
    }
}

/// floor(cycles x mw / 1000), without a division of 128 bits, which small targets do not have.
fn thousandths(cycles: u64, mw: u64) -> u128 {
    let (whole, rest) = (mw / 1000, mw % 1000);
    u128::from(cycles) * u128::from(whole) + u128::from(cycles / 1000 * rest + cycles % 1000 * rest / 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_powers_are_those_of_the_sheet() {
        let rates = Rates::of(&BubbleConfig::K20C);
        assert_eq!(rates.high, Rate { fixed: 6300, dynamic: 8000 });
        assert_eq!(rates.low, Rate { fixed: 981, dynamic: 345 });
    }

    #[test]
    fn thousandths_are_exact() {
        for cycles in [0, 1, 3, 499, 999, 1000, 1001, 123_456_789, u64::MAX - 1, u64::MAX] {
            for mw in [0, 1, 7, 999, 1000, 345 * 250, 1_000_000 * 1000 - 1, 1_000_000 * 1000] {
                assert_eq!(thousandths(cycles, mw), u128::from(cycles) * u128::from(mw) / 1000, "{cycles} x {mw}");
            }
        }
    }

    /// bubble_dvfs-I10.
    #[test]
    fn low_never_costs_more_than_high() {
        for leak_exp in 0..=3 {
            for (v_low_mv, f_low_mhz) in [(1, 1), (550, 100), (999, 700), (1000, 699), (1000, 700)] {
                let Rates { high, low, .. } =
                    Rates::of(&BubbleConfig { leak_exp, v_low_mv, f_low_mhz, ..BubbleConfig::K20C });
                assert!(low.fixed <= high.fixed && low.dynamic <= high.dynamic);
            }
        }
    }
}
