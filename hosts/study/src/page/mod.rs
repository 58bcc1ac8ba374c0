//! Pages: what came out of an experiment as one HTML file that needs no other and no script, for screens of any width, light or dark, and
//! for paper. `rank`, `study report` and `reproduce --report` put theirs together of these parts; `maud` escapes all that is written into
//! them. The same results give the same bytes.

pub mod runs;

use crate::plot;
use crate::table::Table;
use comfy_table::CellAlignment;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1f2937; --faint: #5b6472; --paper: #ffffff; --shade: #f3f4f6; --rule: #d1d5db; --good: #00734f; \
--bad: #b04600; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e5e7eb; --faint: #9ca3af; --paper: #14181f; --shade: #1f2630; \
--rule: #3b4451; --good: #34d399; --bad: #fb923c; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 Helvetica, Arial, 'Liberation Sans', sans-serif; color: var(--ink); background: var(--paper); max-width: 1180px; \
margin: 0 auto; padding: 24px; overflow-wrap: break-word; }
h1 { font-size: 25px; line-height: 1.25; margin: 8px 0; } h2 { font-size: 20px; margin: 40px 0 8px; } h3 { font-size: 16px; margin: 28px 0 8px; }
p { max-width: 80ch; } .faint, footer { color: var(--faint); }
div.wide { overflow-x: auto; margin: 12px 0; } table { border-collapse: collapse; font-size: 14px; }
th, td { padding: 4px 14px 4px 0; text-align: left; vertical-align: top; white-space: nowrap; }
th { border-bottom: 2px solid var(--rule); font-weight: 600; vertical-align: bottom; } td { border-bottom: 1px solid var(--rule); }
th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; } td.w { white-space: normal; min-width: 21em; max-width: 44em; }
.holds { color: var(--good); font-weight: 600; } .fails { color: var(--bad); font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 16px; } dt { font-weight: 600; } dd { margin: 0; min-width: 0; }
pre { background: var(--shade); padding: 10px 12px; overflow-x: auto; font-size: 13px; } code { font-size: 13px; }
summary { cursor: pointer; margin: 12px 0; font-weight: 600; } svg { display: block; height: auto; width: 100%; min-width: 680px; }
table.all { font-size: 12px; } table.all td { padding: 2px 5px; } table.all th.s { writing-mode: vertical-rl; transform: rotate(180deg); }
table.all td.n { min-width: 30px; } td.shaded { color: #1f2937; }
@media (max-width: 600px) { body { padding: 12px; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 8px; } \
th, td:not(.n) { white-space: normal; } table.told td:first-child { min-width: 8.5em; } th, td { padding-right: 9px; } td.w { min-width: 14em; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } table { font-size: 8.5pt; } div.wide { overflow: visible; } \
svg { min-width: 0; } th, td { white-space: normal; padding-right: 8px; } pre { white-space: pre-wrap; } tr, svg { break-inside: avoid; } \
h2, h3 { break-after: avoid; } details::details-content { content-visibility: visible; height: auto; } }
";

/// The file: a title, and what is below it.
pub fn document(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(plot::in_the_dark())) }
            }
            body {
                h1 { (title) }
                (body)
                footer { p { "gpusched " (env!("CARGO_PKG_VERSION")) "; every result verified." } }
            }
        }
    };
    page.into_string() + "\n"
}

/// A table, which scrolls in a box of its own where the screen is narrow.
pub fn table(table: &Table) -> Markup {
    let class = |column: usize| match table.columns.get(column) {
        Some(CellAlignment::Right) => Some("n"),
        _ => None,
    };
    html! {
        div.wide { table {
            thead { tr { @for (column, word) in table.header.iter().enumerate() { th class=[class(column)] { (word) } } } }
            tbody { @for row in &table.rows {
                tr { @for (column, cell) in row.iter().enumerate() { td class=[class(column)] { (cell) } } }
            } }
        } }
    }
}

/// Words, each with what is said of it.
pub fn remarks<'a>(rows: impl IntoIterator<Item = (&'a str, &'a str)>) -> Markup {
    html! { dl { @for (word, remark) in rows { dt { (word) } dd { (remark) } } } }
}

/// A picture, in line. It is what [`plot`] has made, which escapes its texts.
pub fn picture(svg: &str) -> Markup {
    html! { div.wide { (PreEscaped(svg)) } }
}

/// Commands, a line each.
pub fn commands(lines: &str) -> Markup {
    html! { pre { (lines) } }
}
