//! A ranking as a page: one HTML file that needs no other.

use super::report::Report;
use crate::failure::Failure;
use crate::page;
use crate::plot::intervals::{self, Figure, Group, Row};
use indicatif::HumanCount;
use maud::{Markup, html};

impl Report<'_> {
    /// The page.
    pub fn page(&self) -> Result<String, Failure> {
        let title = format!("{} schedulers on {} workloads", self.scheds.len(), self.rounds.len());
        let remarks = self.remarks();
        let inputs: Vec<[String; 2]> = self
            .rounds
            .iter()
            .map(|round| {
                let input = round.input.description(round.workload);
                [round.to_string(), format!("{input}; {}", round.setup.gpu.name)]
            })
            .collect();
        let body = html! {
            h2 { "Standings" }
            (page::table(&self.standings()))
            h2 { "Speed" }
            (page::picture(&self.picture().map_err(Failure::Failed)?))
            h2 { "Cycles over those of " (self.scheds[0]) }
            (self.all())
            h2 { "What the figures are about" }
            (page::remarks(remarks.iter().map(|(word, text)| (*word, text.as_str()))))
            h2 { "Inputs" }
            (page::remarks(inputs.iter().map(|[round, input]| (round.as_str(), input.as_str()))))
        };
        Ok(page::document(&title, &body))
    }

    /// Cycles over those of the first scheduler, of every workload and every scheduler.
    fn all(&self) -> Markup {
        let order = self.table.order();
        let cell =
            |number: usize, sched: usize| match (self.table.factor(number, sched), self.table.outcome(number, sched)) {
                (Some(factor), _) => {
                    let style = format!("background: {}", shade(factor));
                    html! { td.n.shaded style=(style) { (format!("{factor:.2}")) } }
                }
                (None, Err(why)) => html! { td.n title=(why) { "failed" } },
                (None, Ok(_)) => html! { td.n { "-" } },
            };
        let first = |number: usize| {
            let cycles = self.table.outcome(number, 0).as_ref();
            cycles.map_or_else(|_| "-".to_owned(), |&cycles| HumanCount(cycles).to_string())
        };
        html! {
            div.wide { table.all {
                tr {
                    th { "workload" }
                    th.n { (self.scheds[0]) ", cycles" }
                    @for &sched in &order { th.s { (self.scheds[sched]) } }
                }
                @for (number, round) in self.rounds.iter().enumerate() {
                    tr { td { (round) } td.n { (first(number)) } @for &sched in &order { (cell(number, sched)) } }
                }
            } }
        }
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
                stated: None,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_white_at_one_and_green_below() {
        assert_eq!((shade(1.0), shade(0.5), shade(2.0)), ("#ffffff".into(), shade(0.8), shade(1.3)));
        assert_ne!(shade(0.9), shade(1.1));
    }
}
