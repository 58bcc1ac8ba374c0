//! A study as a page: means first, then each run, a picture, inputs, machines, and the commands.

use super::plan::Plan;
use super::rows::Rows;
use crate::ask;
use crate::failure::Failure;
use crate::page;
use crate::page::runs::Runs;
use maud::html;
use std::path::Path;

/// The page of a study in `file`, whose runs are all there.
pub fn page(rows: &Rows<'_>, file: &Path) -> Result<String, Failure> {
    let Plan { title, metric, points, text, .. } = rows.plan;
    let mut runs = Runs::default();
    points.iter().zip(rows.records).try_for_each(|(point, record)| runs.kept(point, record))?;
    let (means, all, same) = (rows.means(), rows.table(), rows.same());
    let picture = rows.picture()?;
    let code = rows.records.first().map_or("", |record| &record.code);
    let file = ask::quoted(&file.display().to_string());
    let body = html! {
        p.faint { (points.len()) " runs, of which " code { (metric) } " is told. The reference GPU is a model of shape: directions and \
            proportions are to be compared, not cycles of a card." }
        @if let Some((over, table)) = &means {
            h2 { "Means over " (over) }
            (page::table(table))
        }
        @if let Some(picture) = &picture { (page::picture(picture)) }
        h2 { "Runs" }
        @if let Some(same) = &same { p { "All: " (same) "." } }
        (page::table(&all))
        h2 { "What makes them" }
        (page::commands(text))
        (page::commands(&format!("gpusched study run {file}\ngpusched study report {file}")))
        p { "The same commands write the same bytes, with any number of threads. Program: " code { (code) } "." }
        (runs.markup())
    };
    Ok(page::document(title, &body))
}
