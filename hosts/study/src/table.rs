//! Tables for people: ruled on a terminal, plain columns in a pipe; a page has the same ones.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle};
use std::io::{IsTerminal, stdout};

/// Columns of a page.
const PAGE: u16 = 100;

/// Rows of words, below a header.
#[derive(Clone, Debug)]
pub struct Table {
    /// Empty in a table of remarks, whose rows are a word and what is said of it.
    pub header: Vec<String>,
    /// How columns are aligned, first to last.
    pub columns: Vec<CellAlignment>,
    /// Of as many cells as the header.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A row more.
    pub fn add_row(&mut self, cells: impl IntoIterator<Item = impl ToString>) {
        self.rows.push(cells.into_iter().map(|cell| cell.to_string()).collect());
    }
}

/// A table whose columns are aligned by `columns`, first to last.
pub fn new(header: Vec<String>, columns: &[CellAlignment]) -> Table {
    Table { header, columns: columns.to_vec(), rows: Vec::new() }
}

/// A column of words and one of remarks on them, wrapped for a page.
pub fn remarks<'a>(rows: impl IntoIterator<Item = (&'a str, String)>) -> Table {
    let rows = rows.into_iter().map(|(word, remark)| vec![word.to_owned(), remark]);
    Table { header: Vec::new(), columns: vec![CellAlignment::Left; 2], rows: rows.collect() }
}

/// The table as text: no blanks at the ends of lines, a line feed at the end.
pub fn text(table: &Table) -> String {
    let mut text = comfy_table::Table::new();
    text.add_rows(&table.rows);
    if table.header.is_empty() {
        text.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(PAGE);
        text.column_iter_mut().for_each(|column| {
            column.set_padding((0, 2));
        });
        text.set_constraints([ColumnConstraint::ContentWidth]);
    } else {
        let rule = if stdout().is_terminal() { '─' } else { '-' };
        let line = LineStyle::none().fill(rule).junction(rule);
        text.load_style(NOTHING.header_separator(line))
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(&table.header);
        for (column, &alignment) in text.column_iter_mut().zip(&table.columns) {
            column.set_padding((0, 2)).set_cell_alignment(alignment);
        }
    }
    text.trim_fmt() + "\n"
}
