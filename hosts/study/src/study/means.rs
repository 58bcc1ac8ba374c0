//! Runs that differ only in what means are taken over, put together: a table, and a picture.

use super::rows::{Rows, number};
use crate::failure::Failure;
use crate::plot::intervals::{self, Figure, Row};
use crate::statistics::Mean;
use crate::table::{self, Table};
use comfy_table::CellAlignment::{Left, Right};

/// Options whose values are drawn: their values are samples, where workloads and machines that somebody chose are not.
const DRAWN: [&str; 2] = ["seed", "source"];

/// Runs that are alike but for what means are taken over.
struct Group<'a> {
    options: Vec<Option<&'a str>>,
    /// What is known of a run once is not known better for being asked for again: in another block, or in other words.
    keys: Vec<&'a str>,
    /// The ratio of each or, without a base, its figure, if it has one.
    values: Vec<Option<f64>>,
}

impl Group<'_> {
    /// The geometric mean, if all have values above 0.
    fn mean(&self) -> Option<Mean> {
        let values = self.positive();
        (values.len() == self.values.len()).then(|| Mean::of_factors(&values))
    }

    /// The values that a logarithmic axis can show.
    fn positive(&self) -> Vec<f64> {
        self.values.iter().flatten().copied().filter(|&value| value > 0.0 && value.is_finite()).collect()
    }
}

impl<'a> Rows<'a> {
    /// The options that groups are told apart by.
    fn kept(&self) -> Vec<&'a str> {
        self.varied().into_iter().filter(|axis| !self.plan.mean_over.iter().any(|one| one == axis)).collect()
    }

    /// In the order of their first runs.
    fn groups(&self) -> Vec<Group<'a>> {
        let kept = self.kept();
        let mut groups = Vec::<Group<'_>>::new();
        for row in 0..self.records.len() {
            let options = kept.iter().map(|axis| self.option(row, axis)).collect();
            let value = match self.plan.base {
                Some(_) => self.ratio(row),
                None => self.records[row].figure(&self.plan.metric),
            };
            let key = self.plan.points[row].key.as_str();
            match groups.iter_mut().find(|group| group.options == options) {
                None => groups.push(Group { options, keys: vec![key], values: vec![value] }),
                Some(group) if group.keys.contains(&key) => {}
                Some(group) => {
                    group.keys.push(key);
                    group.values.push(value);
                }
            }
        }
        groups
    }

    /// Whether runs are samples that know nothing of each other: they differ in one thing that is drawn. Sources of one graph are no new
    /// graphs, and what all are compared with is in every ratio if a base says its seed.
    fn is_drawn(&self) -> bool {
        let is_fixed = |axis: &String| self.plan.base.iter().flatten().any(|(key, _)| key == axis);
        matches!(&self.plan.mean_over[..], [axis] if DRAWN.contains(&axis.as_str()) && !is_fixed(axis))
    }

    /// Geometric means over what they are asked over, and what that is; of the ratios or, without a base, of the figure itself.
    pub fn means(&self) -> Option<(String, Table)> {
        let (over, ratio) = (&self.plan.mean_over, self.ratio_name());
        if over.is_empty() {
            return None;
        }
        let kept = self.kept();
        let of = ratio.as_deref().unwrap_or(&self.plan.metric);
        let mut header: Vec<String> = kept.iter().map(|&axis| axis.to_owned()).collect();
        header.extend(["runs".to_owned(), format!("geometric mean of {of}")]);
        let mut columns = vec![Left; kept.len()];
        columns.extend([Right, Right]);
        if self.is_drawn() {
            header.push("95 % confidence".to_owned());
            columns.push(Right);
        }
        let mut rows = table::new(header, &columns);
        let told = |value: f64| if ratio.is_some() { format!("{value:.3}x") } else { number(value) };
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        for group in self.groups() {
            let mean = group.mean();
            let mut cells: Vec<String> = group.options.iter().map(|value| value.unwrap_or("-").to_owned()).collect();
            cells.extend([group.keys.len().to_string(), or_none(mean.map(|mean| told(mean.mean)))]);
            if self.is_drawn() {
                let interval = mean.and_then(|mean| mean.interval());
                cells.push(or_none(interval.map(|[low, high]| format!("{} to {}", told(low), told(high)))));
            }
            rows.add_row(cells);
        }
        Some((over.join(", "), rows))
    }

    /// The ratios as a picture, a row for each group with a dot for each run; if runs are compared with a base.
    pub fn picture(&self) -> Result<Option<String>, Failure> {
        let Some(ratio) = self.ratio_name() else { return Ok(None) };
        let over = &self.plan.mean_over;
        let row = |group: Group<'_>| {
            let mean = group.mean();
            Row {
                name: group.options.iter().flatten().copied().collect::<Vec<_>>().join(", "),
                note: mean.map_or("-".to_owned(), |mean| format!("{:.3}x", mean.mean)),
                // One dot is its own mean.
                mean: mean.filter(|_| !over.is_empty()).and_then(|mean| match self.is_drawn() {
                    true => mean.with_interval(),
                    false => Some([mean.mean; 3]),
                }),
                values: group.positive(),
                stated: None,
            }
        };
        let means = match (over.is_empty(), self.is_drawn()) {
            (true, _) => String::new(),
            (false, true) => format!("; geometric means over {}, with 95 % confidence", over.join(", ")),
            (false, false) => format!("; geometric means over {}", over.join(", ")),
        };
        let groups = self.groups();
        let undrawn: usize = groups.iter().map(|group| group.values.len() - group.positive().len()).sum();
        let undrawn =
            if undrawn == 0 { String::new() } else { format!("; {undrawn} have no ratio above 0 and no dot") };
        let figure = Figure {
            title: self.plan.title.clone(),
            subtitle: format!("{} runs; results verified{undrawn}", self.records.len()),
            values: format!("{ratio}: a dot for each run{means}"),
            groups: vec![intervals::Group {
                name: self.kept().join(", "),
                rows: groups.into_iter().map(row).collect(),
            }],
        };
        Ok(Some(intervals::svg(&figure)?))
    }
}
