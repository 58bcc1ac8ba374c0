//! What came out, beside what others measured.

use super::{Found, Measured, QUANTITIES};
use crate::failure::Failure;
use crate::input::Setup;
use crate::plot::curves;
use crate::{output, table};
use comfy_table::CellAlignment::{Left, Right};
use indicatif::HumanBytes;
use serde::Serialize;
use std::collections::BTreeMap;

/// The measurements of a machine.
pub struct Report<'a> {
    pub setup: &'a Setup,
    pub found: &'a Found,
    pub published: Vec<Measured>,
}

/// A figure beside what was measured of it.
#[derive(Serialize)]
struct Row<'a> {
    key: &'static str,
    label: &'static str,
    unit: &'static str,
    model: f64,
    /// The least and the most that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    /// How the two compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    gpu: &'a str,
    title: &'a str,
    set: BTreeMap<String, String>,
    quantities: Vec<Row<'a>>,
    /// By stride, footprints with the cycles of a load.
    chases: BTreeMap<u64, &'a [(u64, f64)]>,
}

/// In the range, or how far from its nearer end.
fn verdict(model: f64, [least, most]: [f64; 2]) -> String {
    let ratio = if model > most { model / most } else { (model / least).min(1.0) };
    match ratio {
        1.0 => "as measured".to_owned(),
        0.9..=1.1 => "within 10%".to_owned(),
        0.7..=1.3 => "within 30%".to_owned(),
        _ => format!("{ratio:.2}x"),
    }
}

/// A number with as many decimals as it deserves.
fn number(value: f64) -> String {
    let decimals = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

impl Report<'_> {
    fn rows(&self) -> Vec<Row<'_>> {
        let rows = QUANTITIES.iter().filter_map(|quantity| {
            let model = self.found.value(quantity, &self.setup.gpu)?;
            let is_of = |one: &&Measured| one.gpu == self.setup.gpu.name && one.of == quantity.key;
            let measured = self.published.iter().find(is_of);
            Some(Row {
                key: quantity.key,
                label: quantity.label,
                unit: quantity.unit,
                model,
                measured: measured.map(|one| one.range),
                source: measured.map(|one| one.source.as_str()),
                verdict: measured.map(|one| verdict(model, one.range)),
            })
        });
        rows.collect()
    }

    /// For people.
    pub fn tables(&self) -> String {
        let header = ["quantity", "unit", "model", "measured", "verdict", "measured by"].map(str::to_owned).to_vec();
        let mut rows = table::new(header, &[Left, Left, Right, Right, Left, Left]);
        for Row { label, unit, model, measured, source, verdict, .. } in self.rows() {
            let measured = measured.map(|[least, most]| match least == most {
                true => number(least),
                false => format!("{} - {}", number(least), number(most)),
            });
            let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            let source = source.map(str::to_owned);
            rows.add_row([
                label.to_owned(),
                unit.to_owned(),
                number(model),
                or_none(measured),
                or_none(verdict),
                or_none(source),
            ]);
        }
        let none = self.published.iter().all(|one| one.gpu != self.setup.gpu.name);
        let mut remarks = vec![
            ("GPU", self.setup.told()),
            (
                "loads",
                "one lane, each address needs the value before it; addresses are physical, as there is no TLB"
                    .to_owned(),
            ),
            (
                "rates",
                "one TB of 32 warps; bandwidth of L2: one such TB on every SM; of DRAM: short TBs of 8 warps that read a stream"
                    .to_owned(),
            ),
            ("verdict", "the model against the measured range, or against its nearer end".to_owned()),
        ];
        remarks.extend(
            none.then(|| {
                ("measured", format!("nothing that could be checked was found about {}", self.setup.gpu.name))
            }),
        );
        format!("{}\n{}\n{}", table::text(&rows), table::text(&self.chases()), table::text(&table::remarks(remarks)))
    }

    /// Cycles of a load by footprint, a column per stride.
    fn chases(&self) -> table::Table {
        let strides = self.found.chases.iter().map(|(stride, _)| format!("every {stride} bytes"));
        let header: Vec<String> = std::iter::once("load by footprint".to_owned()).chain(strides).collect();
        let alignment = vec![Right; header.len()];
        let mut rows = table::new(header, &alignment);
        let mut by_footprint = BTreeMap::<u64, Vec<String>>::new();
        for (column, (_, points)) in self.found.chases.iter().enumerate() {
            for &(footprint, cycles) in points {
                let row = by_footprint.entry(footprint).or_default();
                row.resize(column, "-".to_owned());
                row.push(number(cycles));
            }
        }
        for (footprint, mut row) in by_footprint {
            row.resize(self.found.chases.len(), "-".to_owned());
            rows.add_row(std::iter::once(HumanBytes(footprint).to_string()).chain(row));
        }
        rows
    }

    /// For programs.
    pub fn json(&self) -> Result<String, Failure> {
        output::json(&Document {
            schema: "gpusched.microbench/1",
            gpu: &self.setup.gpu.name,
            title: &self.setup.gpu.title,
            set: self.setup.set(),
            quantities: self.rows(),
            chases: self.found.chases.iter().map(|(stride, points)| (*stride, points.as_slice())).collect(),
        })
    }

    /// Latency over footprint.
    pub fn picture(&self) -> Result<String, Failure> {
        let line = |(stride, points): &(u64, Vec<(u64, f64)>)| curves::Line {
            name: format!("every {stride} B"),
            points: points.iter().map(|&(footprint, cycles)| ((footprint as f64 / 1024.0).log2(), cycles)).collect(),
        };
        let figure = curves::Figure {
            title: format!("{}: a load whose address needs the load before", self.setup.gpu.name),
            subtitle: self.setup.gpu.title.clone(),
            x: "footprint in KiB, its logarithm to base 2".to_owned(),
            y: "cycles".to_owned(),
            lines: self.found.chases.iter().map(line).collect(),
        };
        Ok(curves::svg(&figure)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_about_the_nearer_end_of_what_was_measured() {
        let of = |model: f64| verdict(model, [100.0, 200.0]);
        assert_eq!([of(100.0), of(150.0), of(200.0)], ["as measured"; 3]);
        assert_eq!([of(90.0), of(220.0)], ["within 10%"; 2]);
        assert_eq!([of(89.0), of(71.0), of(221.0), of(260.0)], ["within 30%"; 4]);
        assert_eq!([of(50.0), of(400.0)], ["0.50x", "2.00x"]);
    }

    #[test]
    fn numbers_have_the_decimals_that_matter() {
        assert_eq!([0.125, 4.0, 33.04, 466.3].map(number), ["0.12", "4", "33", "466"]);
    }
}
