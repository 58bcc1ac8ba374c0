//! Tables for people: ruled on a terminal, plain columns in a pipe.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table};
use std::io::{IsTerminal, stdout};

/// Columns of a page.
const PAGE: u16 = 100;

/// A table whose columns are aligned by `columns`, first to last.
pub fn new(header: Vec<String>, columns: &[CellAlignment]) -> Table {
    let mut table = Table::new();
    let rule = if stdout().is_terminal() { '─' } else { '-' };
    let line = LineStyle::none().fill(rule).junction(rule);
    table
        .load_style(NOTHING.header_separator(line))
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header);
    for (column, &alignment) in table.column_iter_mut().zip(columns) {
        column.set_padding((0, 2)).set_cell_alignment(alignment);
    }
    table
}

/// A column of words and one of remarks on them, wrapped for a page.
pub fn remarks<'a>(rows: impl IntoIterator<Item = (&'a str, String)>) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(PAGE);
    table.add_rows(rows.into_iter().map(|(word, remark)| [word.to_owned(), remark]));
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 2));
    });
    table.set_constraints([ColumnConstraint::ContentWidth]);
    table
}

/// The table as text: no blanks at the ends of lines, a line feed at the end.
pub fn text(table: &Table) -> String {
    let mut text = table.trim_fmt();
    text.push('\n');
    text
}
