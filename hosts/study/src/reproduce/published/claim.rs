//! What a source states of its benchmarks, as data, and what becomes of it here: a figure of each benchmark from what its runs
//! counted, the mean over them, and whether it lies on the side of no effect on which the source has it.

use super::measured::{Figures, Measured};
use crate::reproduce::quantity::Mean;
use crate::reproduce::told::Verdict;
use serde::Serialize;

/// An effect of less than this, as a share, is none: "about unchanged" in a source's text.
pub const UNCHANGED: f64 = 0.05;

/// Of a factor, or of a change, an effect of less than this is none: it would be printed as 1.00x.
const NOTHING: f64 = 0.005;
/// The same of a difference of shares or numbers, which would be printed as 0.1 points or less.
const NOTHING_OF_SHARES: f64 = 0.001;

/// What a figure is, which says what no effect is, how benchmarks are averaged, and how it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A factor; 1 is no effect. Geometric means.
    Times,
    /// What something is more or less than something else, as a share of that; 0 is no effect.
    Change,
    /// A difference of two shares; 0 is no effect.
    Points,
    /// A difference of two numbers; 0 is no effect.
    Difference,
    /// A share of one, which is no effect of anything.
    Share,
    /// A small one.
    Part,
    /// A number, neither.
    Number,
}

impl Unit {
    /// The value of no effect, if the figure is an effect.
    pub const fn neutral(self) -> Option<f64> {
        match self {
            Self::Times => Some(1.0),
            Self::Change | Self::Points | Self::Difference => Some(0.0),
            Self::Share | Self::Part | Self::Number => None,
        }
    }

    /// On which side of no effect a value is, if it shows one.
    pub fn side(self, value: f64) -> Option<bool> {
        let least = if matches!(self, Self::Points | Self::Difference) { NOTHING_OF_SHARES } else { NOTHING };
        let effect = value - self.neutral()?;
        (effect.abs() >= least).then_some(effect > 0.0)
    }

    /// The mean of these values, of which there is at least one.
    pub fn mean(self, values: &[f64]) -> f64 {
        if self == Self::Times { Mean::Geometric.of(values) } else { Mean::Arithmetic.of(values) }
    }

    /// As it is printed.
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Times => format!("{value:.2}x"),
            Self::Change => format!("{:+.1}%", 100.0 * value),
            Self::Points => format!("{:+.1} points", 100.0 * value),
            Self::Difference => format!("{value:+.3}"),
            Self::Share => format!("{:.1}%", 100.0 * value),
            Self::Part => format!("{:.2}%", 100.0 * value),
            Self::Number => format!("{value:.1}"),
        }
    }
}

/// A figure of a benchmark, from what was counted in some of the ways in which it ran.
#[derive(Clone, Copy, Debug)]
pub enum Figure {
    /// What was counted in one way.
    Of(Counted),
    /// The first over the second.
    Over(Counted, Counted),
    /// What the first is more than the second, as a share of the second.
    Change(Counted, Counted),
    /// The first less the second.
    Less(Counted, Counted),
    /// What the first change is more than the second one; both against the same.
    Further(Counted, Counted, Counted),
    /// What the change of the first against the second lacks of a saving that the last promises.
    Short(Counted, Counted, Counted),
}

/// A way of the source, and a figure of a run by its name in JSON.
pub type Counted = (&'static str, &'static str);

impl Figure {
    /// What it is worked out from.
    pub fn counted(self) -> Vec<Counted> {
        match self {
            Self::Of(one) => vec![one],
            Self::Over(a, b) | Self::Change(a, b) | Self::Less(a, b) => vec![a, b],
            Self::Further(a, b, c) | Self::Short(a, b, c) => vec![a, b, c],
        }
    }

    /// Of a benchmark, if all that it is worked out from was counted.
    pub fn of(self, figures: &Figures) -> Option<f64> {
        let get = |(way, metric): Counted| figures.get(way)?.get(metric).copied();
        let value = match self {
            Self::Of(one) => get(one)?,
            Self::Over(a, b) => get(a)? / get(b)?,
            Self::Change(a, b) => get(a)? / get(b)? - 1.0,
            Self::Less(a, b) => get(a)? - get(b)?,
            Self::Further(a, b, base) => (get(a)? - get(b)?) / get(base)?,
            Self::Short(a, base, promised) => get(promised)? - (1.0 - get(a)? / get(base)?),
        };
        value.is_finite().then_some(value)
    }
}

/// What the source states.
#[derive(Clone, Copy, Debug)]
pub enum Stated {
    /// This value.
    Is(f64),
    /// About this value, which is none of the source's: that there is no effect.
    Unchanged,
    /// At most this.
    AtMost(f64),
    /// That there is less than without it; by how much is not said.
    Less,
}

/// Which of the benchmarks' values a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Their mean.
    Mean,
    /// The least.
    Least,
    /// The greatest.
    Most,
}

/// What is said of a figure.
#[derive(Clone, Copy, Debug)]
pub enum Says {
    /// Its mean, least or greatest value.
    Value(Figure, Unit, Fold, Stated),
    /// That the means of several, each by its name, rise in this order.
    Rise(&'static [(&'static str, Figure)], Unit),
    /// That these benchmarks have the greatest of all measured, or the least.
    Extreme(Figure, Unit, Fold, &'static [&'static str]),
}

/// One statement.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// In words.
    pub what: &'static str,
    /// The benchmarks that it is about; none: all of the source's that are here.
    pub of: &'static [&'static str],
    /// What is said.
    pub says: Says,
    /// Why it does not come out, if it does not.
    pub cause: Option<Cause>,
}

/// Why something does not come out, as runs show it.
#[derive(Clone, Copy, Debug)]
pub struct Cause {
    /// Ways that show it, beside those of the claim.
    pub ways: &'static [&'static str],
    /// What they show of the claim's benchmarks, if they were run.
    pub shown: fn(&Measured, &[&str]) -> Option<String>,
}

impl Claim {
    /// The same, with this cause.
    pub const fn because(self, cause: Cause) -> Self {
        Self { cause: Some(cause), ..self }
    }

    /// The ways that it needs.
    pub fn ways(&self) -> impl Iterator<Item = &'static str> {
        let of_cause = self.cause.map_or(&[][..], |cause| cause.ways);
        self.counted().into_iter().map(|(way, _)| way).chain(of_cause.iter().copied())
    }

    /// The same of these benchmarks.
    pub const fn of(self, of: &'static [&'static str]) -> Self {
        Self { of, ..self }
    }

    /// The same of the least or the greatest value.
    pub const fn at(self, fold: Fold) -> Self {
        let says = match self.says {
            Says::Value(figure, unit, _, stated) => Says::Value(figure, unit, fold, stated),
            other => other,
        };
        Self { says, ..self }
    }

    /// Everything that has to be counted for it.
    pub fn counted(&self) -> Vec<Counted> {
        match self.says {
            Says::Value(figure, ..) | Says::Extreme(figure, ..) => figure.counted(),
            Says::Rise(figures, _) => figures.iter().flat_map(|(_, figure)| figure.counted()).collect(),
        }
    }
}

const fn claim(what: &'static str, says: Says) -> Claim {
    Claim { what, of: &[], says, cause: None }
}

/// That the mean of a figure is this.
pub const fn mean(what: &'static str, figure: Figure, unit: Unit, stated: f64) -> Claim {
    claim(what, Says::Value(figure, unit, Fold::Mean, Stated::Is(stated)))
}

/// That a figure is less than nothing.
pub const fn less(what: &'static str, figure: Figure, unit: Unit) -> Claim {
    claim(what, Says::Value(figure, unit, Fold::Mean, Stated::Less))
}

/// That a figure shows no effect.
pub const fn unchanged(what: &'static str, figure: Figure, unit: Unit) -> Claim {
    claim(what, Says::Value(figure, unit, Fold::Mean, Stated::Unchanged))
}

/// That no benchmark has more.
pub const fn at_most(what: &'static str, figure: Figure, unit: Unit, stated: f64) -> Claim {
    claim(what, Says::Value(figure, unit, Fold::Most, Stated::AtMost(stated)))
}

/// That means rise.
pub const fn rise(what: &'static str, unit: Unit, figures: &'static [(&'static str, Figure)]) -> Claim {
    claim(what, Says::Rise(figures, unit))
}

/// That these benchmarks have the least, or the greatest.
pub const fn extreme(
    what: &'static str,
    figure: Figure,
    unit: Unit,
    fold: Fold,
    which: &'static [&'static str],
) -> Claim {
    claim(what, Says::Extreme(figure, unit, fold, which))
}

/// What became of a claim.
#[derive(Debug, Serialize)]
pub struct Outcome {
    what: &'static str,
    unit: Unit,
    /// The benchmarks that it is over, each with its value; of an order the values are those of what rises.
    pub values: Vec<(String, f64)>,
    /// What the source states, if that is a number.
    pub stated: Option<f64>,
    /// What came out, if that is one.
    pub measured: Option<f64>,
    /// The second over the first.
    pub ratio: Option<f64>,
    /// Whether it is on the source's side of no effect; none: it is no effect, or nothing was measured.
    pub direction: Option<bool>,
    /// Why not.
    pub cause: Option<String>,
    #[serde(skip)]
    pub texts: [String; 2],
}

impl Outcome {
    /// Of a claim.
    pub fn of(claim: &Claim, measured: &Measured) -> Self {
        let all = |figure: Figure| -> Vec<(String, f64)> {
            let some = measured.of(claim.of);
            some.filter_map(|(name, figures)| Some((name.to_owned(), figure.of(figures)?))).collect()
        };
        let outcome = match claim.says {
            Says::Value(figure, unit, fold, stated) => value(unit, fold, stated, all(figure)),
            Says::Rise(figures, unit) => {
                let mean = |figure| {
                    let values: Vec<f64> = all(figure).into_iter().map(|(_, value)| value).collect();
                    (!values.is_empty()).then(|| unit.mean(&values))
                };
                let means = figures.iter().map(|&(name, figure)| Some((name.to_owned(), mean(figure)?)));
                // Of a part of it nothing can be said.
                order(unit, means.collect::<Option<_>>().unwrap_or_default())
            }
            Says::Extreme(figure, unit, fold, which) => of_extremes(unit, fold, which, all(figure)),
        };
        let why = |outcome: &Self| match (outcome.direction, claim.cause) {
            (Some(false), Some(cause)) => (cause.shown)(measured, claim.of),
            _ => None,
        };
        Self { what: claim.what, cause: why(&outcome), ..outcome }
    }

    /// For people, under the heading `group`.
    pub fn verdict(&self, group: &str) -> Verdict {
        let [stated, here] = self.texts.clone();
        Verdict {
            group: group.to_owned(),
            what: self.what.to_owned(),
            over: self.values.len(),
            stated,
            here,
            ratio: self.ratio,
            direction: self.direction,
            cause: self.cause.clone(),
            factors: self.factors(),
        }
    }

    /// The mean as a factor, and those of the benchmarks, if it is one.
    fn factors(&self) -> Option<(f64, f64, Vec<f64>)> {
        let of = |value: f64| match self.unit {
            Unit::Times => Some(value),
            Unit::Change => Some(1.0 + value),
            _ => None,
        };
        let values = self.values.iter().map(|(_, value)| of(*value)).collect::<Option<Vec<_>>>()?;
        let (mean, stated) = (of(self.measured?)?, of(self.stated?)?);
        let drawn = values.iter().chain([&mean, &stated]).all(|&factor| factor > 0.0);
        drawn.then_some((mean, stated, values))
    }
}

/// Nothing, so far.
fn nothing(unit: Unit, values: Vec<(String, f64)>, texts: [String; 2]) -> Outcome {
    let (stated, measured, ratio) = (None, None, None);
    Outcome { what: "", unit, values, stated, measured, ratio, direction: None, cause: None, texts }
}

fn value(unit: Unit, fold: Fold, stated: Stated, values: Vec<(String, f64)>) -> Outcome {
    let all = || values.iter().map(|(_, value)| *value);
    let measured = match fold {
        Fold::Mean => (!values.is_empty()).then(|| unit.mean(&all().collect::<Vec<_>>())),
        Fold::Least => all().reduce(f64::min),
        Fold::Most => all().reduce(f64::max),
    };
    let neutral = unit.neutral();
    let is_effect = |measured: Option<f64>| measured.filter(|_| neutral.is_some());
    let (number, text, direction) = match stated {
        Stated::Is(stated) => {
            let direction = is_effect(measured).map(|measured| unit.side(measured) == unit.side(stated));
            (Some(stated), unit.text(stated), direction)
        }
        Stated::Unchanged => {
            let direction = measured.and_then(|measured| Some((measured - neutral?).abs() < UNCHANGED));
            (None, "unchanged".to_owned(), direction)
        }
        Stated::Less => {
            let direction = is_effect(measured).map(|measured| unit.side(measured) == Some(false));
            (None, "less".to_owned(), direction)
        }
        Stated::AtMost(stated) => {
            (Some(stated), format!("at most {}", unit.text(stated)), measured.map(|measured| measured <= stated))
        }
    };
    let text_of = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| unit.text(value));
    let ratio = measured.zip(number).map(|(measured, stated)| measured / stated).filter(|ratio| ratio.is_finite());
    Outcome { stated: number, measured, ratio, direction, ..nothing(unit, values, [text, text_of(measured)]) }
}

fn order(unit: Unit, values: Vec<(String, f64)>) -> Outcome {
    let names = values.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" < ");
    let told = values.iter().map(|(_, value)| unit.text(*value)).collect::<Vec<_>>().join(", ");
    let rises = values.windows(2).all(|pair| pair[0].1 < pair[1].1);
    let direction = (values.len() > 1).then_some(rises);
    Outcome { direction, ..nothing(unit, values, [names, told]) }
}

fn of_extremes(unit: Unit, fold: Fold, which: &[&str], values: Vec<(String, f64)>) -> Outcome {
    let word = if fold == Fold::Least { "lowest" } else { "highest" };
    let mut sorted: Vec<&(String, f64)> = values.iter().collect();
    sorted.sort_by(|a, b| if fold == Fold::Least { a.1.total_cmp(&b.1) } else { b.1.total_cmp(&a.1) });
    let has = |name: &str| which.contains(&name);
    let there = values.iter().filter(|(name, _)| has(name)).count();
    let direction = (there > 0 && values.len() > there).then(|| sorted[..there].iter().all(|(name, _)| has(name)));
    let told = sorted.iter().take(there.max(1)).map(|(name, value)| format!("{name} {}", unit.text(*value)));
    let told = told.collect::<Vec<_>>().join(", ");
    Outcome { direction, ..nothing(unit, values, [word.to_owned(), told]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn measured() -> Measured {
        let of = |cdp: f64, dtbl: f64| -> Figures {
            [("cdp", cdp), ("dtbl", dtbl), ("flat", 100.0)]
                .map(|(way, cycles)| (way, BTreeMap::from([("cycles".to_owned(), cycles)])))
                .into()
        };
        Measured::made([("a", of(50.0, 25.0)), ("b", of(200.0, 100.0))])
    }

    const FLAT: Counted = ("flat", "cycles");
    const CDP: Counted = ("cdp", "cycles");
    const DTBL: Counted = ("dtbl", "cycles");

    #[test]
    fn means_are_beside_what_is_stated_and_say_whether_the_direction_holds() {
        let measured = measured();
        let of = |claim: Claim| Outcome::of(&claim, &measured);
        let speedup = of(mean("", Figure::Over(FLAT, DTBL), Unit::Times, 1.6));
        assert_eq!((speedup.measured, speedup.ratio, speedup.direction), (Some(2.0), Some(1.25), Some(true)));
        assert_eq!(of(mean("", Figure::Over(FLAT, CDP), Unit::Times, 0.8)).direction, Some(false), "1.00 is not less");
        assert_eq!(of(unchanged("", Figure::Over(FLAT, CDP), Unit::Times)).direction, Some(true));
        let change = of(mean("", Figure::Change(DTBL, CDP), Unit::Change, -0.4));
        assert_eq!((change.measured, change.direction, change.texts[1].as_str()), (Some(-0.5), Some(true), "-50.0%"));
        assert_eq!(of(mean("", Figure::Of(CDP), Unit::Number, 5.0)).direction, None, "a level has no direction");
        assert_eq!(of(mean("", Figure::Of(("cdpi", "cycles")), Unit::Number, 5.0)).measured, None);
        let most = mean("", Figure::Over(FLAT, DTBL), Unit::Times, 5.0).at(Fold::Most);
        assert_eq!(of(most).measured, Some(4.0));
        assert_eq!(of(most.of(&["b"])).measured, Some(1.0));
    }

    #[test]
    fn orders_and_extremes_hold_or_not() {
        let measured = measured();
        let of = |claim: Claim| Outcome::of(&claim, &measured).direction;
        assert_eq!(of(rise("", Unit::Number, &[("dtbl", Figure::Of(DTBL)), ("cdp", Figure::Of(CDP))])), Some(true));
        assert_eq!(of(rise("", Unit::Number, &[("cdp", Figure::Of(CDP)), ("dtbl", Figure::Of(DTBL))])), Some(false));
        let highest = |which| extreme("", Figure::Of(CDP), Unit::Number, Fold::Most, which);
        assert_eq!((of(highest(&["b"])), of(highest(&["a"])), of(highest(&["c"]))), (Some(true), Some(false), None));
    }

    #[test]
    fn a_cause_is_told_where_a_direction_does_not_hold() {
        let why = Cause { ways: &[], shown: |_, _| Some("because".to_owned()) };
        let claim = mean("", Figure::Over(FLAT, DTBL), Unit::Times, 0.5).because(why);
        assert_eq!(Outcome::of(&claim, &measured()).cause.as_deref(), Some("because"));
        let holds = mean("", Figure::Over(FLAT, DTBL), Unit::Times, 1.5).because(why);
        assert_eq!(Outcome::of(&holds, &measured()).cause, None);
    }
}
