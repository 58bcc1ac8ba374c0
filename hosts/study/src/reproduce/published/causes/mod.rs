//! Why some statements of a source do not come out here, each from what was counted in the runs. Nothing is told of what was not run.

pub mod bubbles;
pub mod dtbl;
pub mod laperm;
pub mod wireframe;

use super::claim::{Counted, Figure, Unit};
use super::measured::Measured;

/// The mean of a figure over these benchmarks, or over all of the source's.
fn mean(measured: &Measured, names: &[&str], figure: Figure, unit: Unit) -> Option<f64> {
    let values: Vec<f64> = measured.of(names).filter_map(|(_, figures)| figure.of(figures)).collect();
    (!values.is_empty()).then(|| unit.mean(&values))
}

/// The mean of what was counted, in percent.
fn share(measured: &Measured, names: &[&str], counted: Counted) -> Option<f64> {
    mean(measured, names, Figure::Of(counted), Unit::Share).map(|share| 100.0 * share)
}

/// What was counted of one benchmark.
fn number(measured: &Measured, name: &str, counted: Counted) -> Option<f64> {
    mean(measured, &[name], Figure::Of(counted), Unit::Number)
}

/// Which of these benchmarks, or of all, has most of a figure, and how much that is.
fn most(measured: &Measured, names: &[&str], figure: Figure) -> Option<(&'static str, f64)> {
    let all = measured.of(names).filter_map(|(name, figures)| Some((name, figure.of(figures)?)));
    all.max_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// Which has least.
fn least(measured: &Measured, names: &[&str], figure: Figure) -> Option<(&'static str, f64)> {
    let all = measured.of(names).filter_map(|(name, figures)| Some((name, figure.of(figures)?)));
    all.min_by(|(_, a), (_, b)| a.total_cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn most_and_least_are_of_the_benchmarks_that_have_the_figure() {
        let of = |cycles: Option<f64>| -> super::super::measured::Figures {
            [("flat", cycles.map(|cycles| ("cycles".to_owned(), cycles)).into_iter().collect::<BTreeMap<_, _>>())]
                .into()
        };
        let measured = Measured::made([("a", of(Some(2.0))), ("b", of(Some(5.0))), ("c", of(None))]);
        let cycles = Figure::Of(("flat", "cycles"));
        assert_eq!(most(&measured, &["a", "c"], cycles), Some(("a", 2.0)));
        assert_eq!((most(&measured, &[], cycles), least(&measured, &[], cycles)), (Some(("b", 5.0)), Some(("a", 2.0))));
        assert_eq!(most(&measured, &[], Figure::Of(("cdp", "cycles"))), None);
        assert_eq!(number(&measured, "a", ("flat", "cycles")), Some(2.0));
    }
}
