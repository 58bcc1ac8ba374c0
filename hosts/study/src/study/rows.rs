//! What came out: a table for people, JSON lines and CSV for programs.

use super::plan::{Plan, told};
use super::store::Record;
use crate::failure::Failure;
use crate::metrics;
use crate::table::{self, Table};
use anyhow::{Context, anyhow};
use comfy_table::CellAlignment::{Left, Right};
use indicatif::HumanCount;
use serde::Serialize;
use serde_json::{Map, Number, Value};
use std::collections::BTreeSet;

/// Figures of which less is better.
const COSTS: [&str; 3] = ["cycles", "time_us", "energy_mj"];

/// A study whose runs are all there.
pub struct Rows<'a> {
    pub(super) plan: &'a Plan,
    pub(super) records: &'a [Record],
}

/// A run for programs.
#[derive(Serialize)]
struct Row<'a> {
    study: &'a str,
    options: Map<String, Value>,
    command: &'a str,
    /// Its figure beside that of the run that it is compared with, if it is with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    #[serde(flatten)]
    record: &'a Record,
}

impl<'a> Rows<'a> {
    /// The runs of `plan`, in its order.
    ///
    /// # Errors
    /// No run has the figure that is asked for.
    pub fn new(plan: &'a Plan, records: &'a [Record]) -> Result<Self, Failure> {
        let rows = Self { plan, records };
        if records.iter().all(|record| record.figure(&plan.metric).is_none()) {
            let why =
                "no run has this figure, and what was run is kept; figures that compare runs are asked for with base";
            return Err(Failure::Usage(anyhow!("metric {}: {why}", plan.metric)));
        }
        Ok(rows)
    }

    /// What option `axis` was in run number `row`.
    pub(super) fn option(&self, row: usize, axis: &str) -> Option<&'a str> {
        let options = &self.plan.points[row].options;
        options.iter().find(|(key, _)| key == axis).map(|(_, value)| value.as_str())
    }

    /// The options that differ between runs.
    pub(super) fn varied(&self) -> Vec<&'a str> {
        let all = 0..self.records.len();
        let differs = |axis: &&str| all.clone().map(|row| self.option(row, axis)).collect::<BTreeSet<_>>().len() > 1;
        self.plan.axes.iter().map(String::as_str).filter(differs).collect()
    }

    /// How a run's figure compares with the base's: how many times better a cost is, or how many times as large another figure.
    pub(super) fn ratio(&self, row: usize) -> Option<f64> {
        let metric = &self.plan.metric;
        let base = self.records[self.plan.base_of(row)?].figure(metric)?;
        let own = self.records[row].figure(metric)?;
        let ratio = if COSTS.contains(&metric.as_str()) { base / own } else { own / base };
        ratio.is_finite().then_some(ratio)
    }

    /// What the ratios are.
    pub(super) fn ratio_name(&self) -> Option<String> {
        let metric = &self.plan.metric;
        let base = told(self.plan.base.as_ref()?);
        Some(match COSTS.contains(&metric.as_str()) {
            true => format!("{metric} of {base} / {metric}"),
            false => format!("{metric} / {metric} of {base}"),
        })
    }

    /// For people.
    pub fn text(&self) -> String {
        let same = self.same().map_or_else(String::new, |same| format!("all runs: {same}\n"));
        let means =
            self.means().map_or_else(String::new, |(over, rows)| format!("\nover {over}\n{}", table::text(&rows)));
        format!("{}\n{same}\n{}{means}", self.plan.title, table::text(&self.table()))
    }

    /// What all runs have in common, if they have something.
    pub fn same(&self) -> Option<String> {
        let varied = self.varied();
        let same = self.plan.axes.iter().filter(|axis| !varied.contains(&axis.as_str()));
        let same: Vec<_> = same.filter_map(|axis| Some((axis.clone(), self.option(0, axis)?.to_owned()))).collect();
        (!same.is_empty()).then(|| told(&same))
    }

    /// A row for each run: what is varied, the figure, and how it compares.
    pub fn table(&self) -> Table {
        let metric = &self.plan.metric;
        let (varied, ratio) = (self.varied(), self.ratio_name());
        let mut header: Vec<String> = varied.iter().map(|&axis| axis.to_owned()).collect();
        let mut columns = vec![Left; header.len()];
        header.push(metric.clone());
        columns.push(Right);
        if let Some(name) = &ratio {
            header.push(name.clone());
            columns.push(Right);
        }
        let mut rows = table::new(header, &columns);
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        for row in 0..self.records.len() {
            let options = varied.iter().map(|axis| or_none(self.option(row, axis).map(str::to_owned)));
            let mut cells: Vec<String> = options.collect();
            cells.push(or_none(self.records[row].figure(metric).map(number)));
            if ratio.is_some() {
                cells.push(or_none(self.ratio(row).map(|ratio| format!("{ratio:.3}x"))));
            }
            rows.add_row(cells);
        }
        rows
    }

    /// A run a line.
    pub fn json_lines(&self) -> Result<String, Failure> {
        let mut lines = String::new();
        for (row, (point, record)) in self.plan.points.iter().zip(self.records).enumerate() {
            let options = point.options.iter().map(|(key, value)| (key.clone(), value.as_str().into()));
            let row = Row {
                study: &self.plan.name,
                options: options.collect(),
                command: &point.command,
                ratio: self.ratio(row),
                record,
            };
            lines += &serde_json::to_string(&row).context("cannot write JSON")?;
            lines.push('\n');
        }
        Ok(lines)
    }

    /// A run a row: options, command, key, and every figure that any run has.
    pub fn csv(&self) -> Result<String, Failure> {
        self.try_csv().context("cannot write CSV").map_err(Failure::Failed)
    }

    /// The figures that any run has.
    pub(super) fn figures(&self) -> Vec<&'static str> {
        let mut figures = Vec::new();
        for key in self.plan.points.iter().flat_map(|point| metrics::all(point.workload)).map(|metric| metric.key) {
            if !figures.contains(&key) && self.records.iter().any(|record| record.metrics.contains_key(key)) {
                figures.push(key);
            }
        }
        figures
    }

    fn try_csv(&self) -> anyhow::Result<String> {
        let figures = self.figures();
        let mut writer = csv::Writer::from_writer(Vec::new());
        let axes = self.plan.axes.iter().map(String::as_str);
        writer.write_record(axes.clone().chain(["command", "key"]).chain(figures.iter().copied()))?;
        for (row, (point, record)) in self.plan.points.iter().zip(self.records).enumerate() {
            let options = axes.clone().map(|axis| self.option(row, axis).unwrap_or_default().to_owned());
            let own = [point.command.clone(), record.key.clone()].into_iter();
            let figures = figures.iter().map(|&key| record.metrics.get(key).map(Number::to_string).unwrap_or_default());
            writer.write_record(options.chain(own).chain(figures))?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}

/// A figure as people read it.
pub(super) fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        HumanCount(value as u64).to_string()
    } else {
        format!("{value:.4}")
    }
}
