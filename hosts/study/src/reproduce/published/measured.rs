//! Runs what claims need and collects what was counted. Each run is a `gpusched run` with its options, kept as a study keeps it: what was
//! run once is not run again, and what was ended goes on.

use super::claim::Claim;
use super::source::{Bench, Does, Row, Size, Source};
use crate::failure::Failure;
use crate::footprint;
use crate::job::Job;
use crate::page::runs::Runs;
use crate::side_by_side;
use crate::study;
use crate::study::digest::Files;
use crate::study::point::Point;
use crate::study::store::Store;
use gpusched_workloads::footprint::{Footprint, SharedRatio};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

/// Of a benchmark: what was counted, by way, by name in JSON.
pub type Figures = BTreeMap<&'static str, BTreeMap<String, f64>>;

/// What was counted of all benchmarks, each with whether it is one of the source's.
#[derive(Debug, Default)]
pub struct Measured(Vec<(&'static str, bool, Figures)>);

impl Measured {
    /// These benchmarks, or all of the source's, in its order.
    pub fn of(&self, names: &[&str]) -> impl Iterator<Item = (&'static str, &Figures)> {
        let is_one =
            move |name: &str, of_source: bool| if names.is_empty() { of_source } else { names.contains(&name) };
        self.0
            .iter()
            .filter(move |(name, of_source, _)| is_one(name, *of_source))
            .map(|(name, _, figures)| (*name, figures))
    }

    /// Made up.
    #[cfg(test)]
    pub fn made<const N: usize>(all: [(&'static str, Figures); N]) -> Self {
        Self(all.into_iter().map(|(name, figures)| (name, true, figures)).collect())
    }
}

/// Where runs are kept, and how they are made.
pub struct How<'a> {
    pub store: &'a Store,
    pub threads: Option<NonZeroUsize>,
    pub quiet: bool,
}

/// A run that is wanted.
struct Wanted {
    bench: usize,
    way: &'static str,
    point: Point,
}

/// The runs that these rows need of these benchmarks.
fn wanted(source: &Source, benches: &[&'static Bench], rows: &[&Row], size: Size) -> Result<Vec<Wanted>, Failure> {
    let mut files = Files::default();
    let mut all = Vec::new();
    for (number, bench) in benches.iter().enumerate() {
        let about = |of: &[&str]| if of.is_empty() { !bench.beside } else { of.contains(&bench.name) };
        let claims = rows.iter().flat_map(|row| row.claims).filter(|claim| about(claim.of));
        let needed: BTreeSet<&str> = claims.flat_map(Claim::ways).collect();
        for way in source.ways.iter().filter(|way| needed.contains(way.name)) {
            let point = Point::resolve(bench.options_in(way, size), &mut files)?;
            all.push(Wanted { bench: number, way: way.name, point });
        }
    }
    Ok(all)
}

/// Runs what these rows need of these benchmarks.
pub fn measure(
    source: &'static Source,
    benches: &[&'static Bench],
    rows: &[&Row],
    size: Size,
    how: &How<'_>,
) -> Result<(Measured, Runs), Failure> {
    let is_footprint =
        |wanted: &Wanted| source.ways.iter().any(|way| way.name == wanted.way && matches!(way.does, Does::Footprint));
    let (footprints, runs): (Vec<_>, Vec<_>) = wanted(source, benches, rows, size)?.into_iter().partition(is_footprint);
    let points: Vec<&Point> = runs.iter().map(|wanted| &wanted.point).collect();
    study::keep_all(&points, how.store, how.threads, how.quiet)?;
    let mut measured: Vec<(&'static str, bool, Figures)> =
        benches.iter().map(|bench| (bench.name, !bench.beside, Figures::default())).collect();
    let mut told = Runs::default();
    for Wanted { bench, way, point } in &runs {
        let record = how.store.load(&point.key)?;
        record.iter().try_for_each(|record| told.kept(point, record))?;
        let figures = record.iter().flat_map(|record| &record.metrics);
        let numbers = figures.filter_map(|(key, value)| Some((key.clone(), value.as_f64()?))).collect();
        measured[*bench].2.insert(way, numbers);
    }
    let shares = side_by_side::each(&footprints, how.threads, |Wanted { point, .. }, ended| {
        let input = point.load()?;
        let footprint = footprint::of(Job { workload: point.workload, input: &input, setup: &point.setup }, ended)?;
        Ok((input, footprint))
    })?;
    for (Wanted { bench, way, point }, (input, shares)) in footprints.iter().zip(&shares) {
        told.command(footprint_command(point), &point.setup, point.workload, point.variant.way, input)?;
        measured[*bench].2.insert(way, of_footprint(shares));
    }
    Ok((Measured(measured), told))
}

/// What shows the same of the footprint of a run, in whatever mode that is.
fn footprint_command(point: &Point) -> String {
    let words = point.command.split(' ').filter(|word| !word.starts_with("--mode="));
    words.collect::<Vec<_>>().join(" ").replacen("gpusched run", "gpusched footprint", 1)
}

/// The shares of a footprint that there are, by name.
fn of_footprint(footprint: &Footprint) -> BTreeMap<String, f64> {
    let shares: [(&str, &SharedRatio); 3] = [
        ("parent_child", &footprint.parent_child),
        ("child_sibling", &footprint.child_sibling),
        ("parent_parent", &footprint.parent_parent),
    ];
    let of_partners = shares.into_iter().map(|(name, ratio)| (name, ratio.mean));
    let of_own = [
        ("siblings_own", footprint.child_sibling.mean_of_own),
        ("own_parent_loads", footprint.child_own_parent_loads.mean_of_own),
    ];
    of_partners.chain(of_own).filter_map(|(name, share)| Some((name.to_owned(), share?))).collect()
}
