//! Matrix Market coordinate: the banner `%%MatrixMarket matrix coordinate FIELD SYMMETRY`, comments, `rows columns
//! entries`, then one entry per line, from 1. Square matrices only; the diagonal is dropped. Entries of an integer or a real matrix
//! are weights. An entry of a general matrix goes one way, from its row to its column; one of a symmetric matrix both.

use super::Wanted;
use super::edges::{Edges, Weight};
use super::text::Text;
use crate::graph::GraphError;
use std::io::Read;

/// What the banner says.
struct Banner {
    /// Whether a number follows the place of an entry.
    weighted: bool,
    general: bool,
}

pub fn edges<'a, R: Read>(text: &mut Text<'_, R>, wanted: &'a Wanted) -> Result<Edges<'a>, GraphError> {
    let Banner { weighted, general } = banner(text)?;
    text.skip_comments(b"%")?;
    let vertices = text.vertices()?;
    let columns = text.number("a number of columns")?;
    if columns != u64::from(vertices) {
        return Err(text.wrong(format_args!("a square matrix, {vertices} columns"), columns));
    }
    let promised = text.edge_count()?;
    text.end_line()?;

    let mut edges = Edges::new(wanted, vertices, weighted, general).promised(promised)?;
    for found in 0..promised {
        if !text.skip_comments(b"%")? {
            return Err(
                text.wrong(format_args!("{promised} entries"), format_args!("the end of the file after {found}"))
            );
        }
        let (u, v) = (text.vertex_of(vertices)?, text.vertex_of(vertices)?);
        let weight = match weighted {
            false => Weight::ONE,
            // What stands on the diagonal is no edge, and so may be any number.
            true if u == v => text.real("a number").map(|_| Weight::ONE)?,
            true => edges.weight(text)?,
        };
        text.end_line()?;
        if u != v {
            edges.push(text, (u, v), weight)?;
        }
    }
    text.end_text(b"%")?;
    Ok(edges)
}

fn banner<R: Read>(text: &mut Text<'_, R>) -> Result<Banner, GraphError> {
    let mut one_of = |choices: &[&str]| {
        let word = text.word()?.unwrap_or_default();
        match choices.iter().position(|c| c.eq_ignore_ascii_case(&word)) {
            Some(place) => Ok(place),
            None => {
                let choices = choices.join("` or `");
                Err(text.wrong(format_args!("`{choices}`"), format_args!("`{word}`")))
            }
        }
    };
    one_of(&["%%MatrixMarket"])?;
    one_of(&["matrix"])?;
    one_of(&["coordinate"])?;
    let weighted = one_of(&["pattern", "integer", "real"])? > 0;
    let general = one_of(&["general", "symmetric"])? == 0;
    text.end_line()?;
    Ok(Banner { weighted, general })
}
