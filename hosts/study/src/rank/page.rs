//! A ranking as a page: one HTML file that needs no other.

use super::report::{Report, STANDINGS};
use crate::failure::Failure;
use crate::plot::intervals::{self, Figure, Group, Row};
use indicatif::HumanCount;
use std::fmt::Write;

const STYLE: &str = "\
body { font: 15px/1.45 Helvetica, Arial, 'Liberation Sans', sans-serif; color: #1f2937; margin: 32px; }
h1 { font-size: 24px; } h2 { font-size: 18px; margin-top: 36px; }
table { border-collapse: collapse; } th, td { padding: 3px 8px; text-align: left; white-space: nowrap; }
th { border-bottom: 1px solid #9ca3af; font-weight: 600; vertical-align: bottom; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
table.all { font-size: 12px; } table.all td { padding: 2px 5px; } table.all th.s { writing-mode: vertical-rl; transform: rotate(180deg); }
table.all td.n { min-width: 30px; } div.wide { overflow-x: auto; } dt { font-weight: 600; float: left; clear: left; width: 110px; }
dd { margin: 0 0 4px 120px; } svg { max-width: 100%; height: auto; }";

impl Report<'_> {
    /// The page.
    pub fn page(&self) -> Result<String, Failure> {
        let mut page = String::new();
        self.write(&mut page)?;
        Ok(page)
    }

    fn write(&self, page: &mut String) -> anyhow::Result<()> {
        let title = format!("{} schedulers on {} workloads", self.scheds.len(), self.rounds.len());
        writeln!(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>")?;
        writeln!(page, "<style>\n{STYLE}\n</style>\n<h1>{title}</h1>")?;
        writeln!(page, "<h2>Standings</h2>\n<table>\n<tr>")?;
        // Words stand on the left, numbers on the right.
        let side = |column: usize| if matches!(column, 1 | 5 | 6) { "" } else { " class=\"n\"" };
        for (column, (label, _)) in STANDINGS.iter().enumerate() {
            write!(page, "<th{}>{label}</th>", side(column))?;
        }
        writeln!(page, "</tr>")?;
        for sched in self.table.order() {
            write!(page, "<tr>")?;
            for (column, cell) in self.cells(sched).iter().enumerate() {
                write!(page, "<td{}>{}</td>", side(column), escaped(cell))?;
            }
            writeln!(page, "</tr>")?;
        }
        writeln!(page, "</table>\n<h2>Speed</h2>\n{}", self.picture()?)?;
        self.write_all(page)?;
        writeln!(page, "<h2>What the figures are about</h2>\n<dl>")?;
        for (word, text) in self.remarks() {
            writeln!(page, "<dt>{word}</dt><dd>{}</dd>", escaped(&text))?;
        }
        writeln!(page, "</dl>\n<h2>Inputs</h2>\n<dl>")?;
        for round in self.rounds {
            let input = round.input.description(round.workload);
            writeln!(page, "<dt>{round}</dt><dd>{}; {}</dd>", escaped(&input), escaped(&round.setup.gpu.name))?;
        }
        writeln!(page, "</dl>\n<p>gpusched {}; every result verified.</p>\n</html>", env!("CARGO_PKG_VERSION"))?;
        Ok(())
    }

    /// Cycles over those of the first scheduler, of every workload and every scheduler.
    fn write_all(&self, page: &mut String) -> anyhow::Result<()> {
        let first = escaped(&self.scheds[0].to_string());
        writeln!(page, "<h2>Cycles over those of {first}</h2>")?;
        writeln!(
            page,
            "<div class=\"wide\"><table class=\"all\">\n<tr><th>workload</th><th class=\"n\">{first}, cycles</th>"
        )?;
        let order = self.table.order();
        for &sched in &order {
            write!(page, "<th class=\"s\">{}</th>", escaped(&self.scheds[sched].to_string()))?;
        }
        writeln!(page, "</tr>")?;
        for (number, round) in self.rounds.iter().enumerate() {
            let cycles = self.table.outcome(number, 0).as_ref();
            let cycles = cycles.map_or_else(|_| "-".to_owned(), |&cycles| HumanCount(cycles).to_string());
            write!(page, "<tr><td>{round}</td><td class=\"n\">{cycles}</td>")?;
            for &sched in &order {
                match (self.table.factor(number, sched), self.table.outcome(number, sched)) {
                    (Some(factor), _) => {
                        write!(page, "<td class=\"n\" style=\"background:{}\">{factor:.2}</td>", shade(factor))?;
                    }
                    (None, Err(why)) => write!(page, "<td class=\"n\" title=\"{}\">failed</td>", escaped(why))?,
                    (None, Ok(_)) => write!(page, "<td class=\"n\">-</td>")?,
                }
            }
            writeln!(page, "</tr>")?;
        }
        writeln!(page, "</table></div>")?;
        Ok(())
    }

    /// The speedups of each scheduler.
    fn picture(&self) -> anyhow::Result<String> {
        let row = |sched: usize| {
            let factors = (0..self.rounds.len()).filter_map(|round| self.table.factor(round, sched));
            let speedup = self.table.standings[sched].mean.map(|mean| 1.0 / mean);
            Row {
                name: self.scheds[sched].to_string(),
                note: speedup.map_or_else(String::new, |speedup| format!("{speedup:.3}x")),
                values: factors.map(|factor| 1.0 / factor).collect(),
                mean: speedup.map(|speedup| [speedup; 3]),
            }
        };
        intervals::svg(&Figure {
            title: format!("Speedup over {}", self.scheds[0]),
            subtitle: format!("{} workloads at a small scale; results verified", self.rounds.len()),
            values: "speedup: a dot for each workload, and the geometric mean".to_owned(),
            groups: vec![Group {
                name: "all workloads".to_owned(),
                rows: self.table.order().into_iter().filter(|&sched| sched > 0).map(row).collect(),
            }],
        })
    }
}

/// Green for fewer cycles, red for more; full at a fifth.
fn shade(factor: f64) -> String {
    let strength = (factor.ln().abs() / 1.2_f64.ln()).min(1.0);
    let hue = if factor < 1.0 { [0, 158, 115] } else { [213, 94, 0] };
    let [r, g, b] = hue.map(|to: u8| (255.0 + (f64::from(to) - 255.0) * strength * 0.7).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_white_at_one_and_green_below() {
        assert_eq!((shade(1.0), shade(0.5), shade(2.0)), ("#ffffff".into(), shade(0.8), shade(1.3)));
        assert_ne!(shade(0.9), shade(1.1));
        assert_eq!(escaped("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
    }
}
