//! A report: one page for a study or for all of them, with what each source states beside what came out, first of all.

use super::told::{self, Told, Verdict};
use crate::ask::Reproduce;
use crate::failure::Failure;
use crate::page;
use crate::study::digest;
use crate::table::{self, Table};
use comfy_table::CellAlignment::{Left, Right};
use maud::{Markup, html};

/// What is said before all figures: how much was run.
const FIRST: [&str; 2] = ["size", "quick"];

/// The page.
pub fn page(all: &[Told], args: &Reproduce) -> Result<String, Failure> {
    let title = match all {
        [one] => format!("{}: {}", one.name, one.title),
        _ => "The sources' results".to_owned(),
    };
    let parts = all.iter().map(study).collect::<Result<Vec<_>, _>>()?;
    let body = html! {
        p.faint { "What the sources state, and what comes out on the reference GPU. It is a model of shape: directions and proportions are to \
            be compared, not cycles of a card." }
        @if all.len() > 1 { (page::table(&overview(all))) }
        @for (told, part) in all.iter().zip(&parts) {
            @if all.len() > 1 { h2 id=(told.name) { (told.name) ": " (told.title) } }
            (part)
        }
        h2 { "Made by" }
        (page::commands(&format!("{} --report FILE.html", args.command())))
        p { "The same command writes the same bytes, with any number of threads. Program: " code { (digest::of_code()?) } "." }
    };
    Ok(page::document(&title, &body))
}

/// A study a row.
fn overview(all: &[Told]) -> Table {
    let header = ["study", "what it is about", "statements", "directions that hold"].map(str::to_owned);
    let mut rows = table::new(header.to_vec(), &[Left, Left, Right, Right]);
    for told in all {
        let (holds, there) = told::holding(&told.verdicts);
        let holds = if there == 0 { "-".to_owned() } else { format!("{holds} of {there}") };
        rows.add_row([told.name, &told.title, &told.verdicts.len().to_string(), &holds]);
    }
    rows
}

fn study(told: &Told) -> Result<Markup, Failure> {
    let subtitle = format!("{} runs; results verified", told.runs.count());
    let picture = told::picture(&told.title, subtitle, &told.verdicts).map_err(Failure::Failed)?;
    // What has its place in the table of statements.
    let (first, remarks): (Vec<_>, Vec<_>) =
        told.remarks.iter().filter(|(word, _)| *word != "why").partition(|(word, _)| FIRST.contains(word));
    let (holds, there) = told::holding(&told.verdicts);
    Ok(html! {
        @for (_, remark) in first { p { strong { (remark) } } }
        @if told.verdicts.is_empty() {
            p { "The source states no figure of what is compared here." }
        } @else {
            @if there > 0 { p { "Directions that hold: " strong { (holds) " of " (there) } "." } }
            (verdicts(&told.verdicts))
        }
        @if let Some(picture) = picture { (page::picture(&picture)) }
        h3 { "What is to be known of it" }
        (page::remarks(remarks.iter().map(|(word, remark)| (*word, remark.as_str()))))
        @for table in &told.tables { (page::table(table)) }
        (told.runs.markup())
    })
}

/// What is stated, and what became of it. A heading wherever another part of the source begins.
fn verdicts(all: &[Verdict]) -> Markup {
    html! {
        div.wide { table.told {
            thead { tr {
                th { "statement" }
                th.n { "here" }
                th.n { "stated" }
                th.n { "ratio" }
                th { "direction, or why not" }
                th.n { "over" }
            } }
            tbody { @for verdict in all {
                tr {
                    td { (verdict.what) }
                    td.n { (verdict.here) }
                    td.n { (verdict.stated) }
                    td.n { (verdict.ratio_text()) }
                    (direction(verdict))
                    td.n { (verdict.over) }
                }
            } }
        } }
    }
}

fn direction(verdict: &Verdict) -> Markup {
    let text = verdict.direction_text();
    match verdict.direction {
        None => html! { td {} },
        Some(true) => html! { td { span.holds { (text) } } },
        Some(false) => html! {
            td.w { span.fails { (text) } ": " (verdict.cause.as_deref().unwrap_or("cause not established")) }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing that a source or a user is called becomes part of the page.
    #[test]
    fn what_is_told_is_escaped_and_told_alike_again() {
        let hostile = r#"<script>alert("1")</script>&'</title>"#;
        let verdict = |direction| Verdict {
            what: hostile.into(),
            group: hostile.into(),
            cause: Some(hostile.into()),
            direction,
            factors: Some((2.0, 1.5, vec![1.0, 3.0])),
            ..Verdict::default()
        };
        let page = || {
            let verdicts = [verdict(Some(true)), verdict(Some(false)), verdict(None)];
            let picture = told::picture(hostile, hostile.into(), &verdicts).unwrap().unwrap();
            let body = html! { (super::verdicts(&verdicts)) (page::picture(&picture)) (page::commands(hostile)) };
            page::document(hostile, &body)
        };
        let text = page();
        assert_eq!(text, page());
        assert!(!text.contains("<script") && text.contains("&lt;script&gt;"), "{text}");
        assert_eq!((text.matches("</title>").count(), text.matches("does not hold").count()), (1, 1), "{text}");
    }
}
