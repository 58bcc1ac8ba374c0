//! Matrix Market coordinate: the banner `%%MatrixMarket matrix coordinate FIELD SYMMETRY`, comments, `rows columns
//! entries`, then one entry per line, from 1. Square matrices only; the diagonal is dropped. Entries of an integer matrix
//! are weights; real ones are checked to be finite and are no weights.

use super::text::Text;
use crate::graph::{EdgeList, GraphError};
use std::io::Read;

/// What follows the place of an entry.
#[derive(Clone, Copy)]
enum Field {
    Pattern,
    Integer,
    Real,
}

pub fn edges<R: Read>(text: &mut Text<'_, R>) -> Result<EdgeList, GraphError> {
    let field = banner(text)?;
    text.skip_comments(b"%")?;
    let vertices = text.vertices()?;
    let columns = text.number("a number of columns")?;
    if columns != u64::from(vertices) {
        return Err(text.wrong(format_args!("a square matrix, {vertices} columns"), columns));
    }
    let promised = text.edge_count()?;
    text.end_line()?;

    let mut edges = match field {
        Field::Integer => EdgeList::weighted(vertices),
        Field::Pattern | Field::Real => EdgeList::unweighted(vertices),
    };
    for found in 0..promised {
        if !text.skip_comments(b"%")? {
            return Err(
                text.wrong(format_args!("{promised} entries"), format_args!("the end of the file after {found}"))
            );
        }
        let (u, v) = (text.vertex_of(vertices)?, text.vertex_of(vertices)?);
        let weight = match field {
            Field::Pattern => 1,
            Field::Real => {
                text.real("a real number")?;
                1
            }
            // What stands on the diagonal is no edge, and so may be anything.
            Field::Integer if u == v => {
                text.real("a number")?;
                1
            }
            Field::Integer => text.weight()?,
        };
        text.end_line()?;
        if u != v {
            text.push(&mut edges, (u, v), weight)?;
        }
    }
    text.end_text(b"%")?;
    Ok(edges)
}

fn banner<R: Read>(text: &mut Text<'_, R>) -> Result<Field, GraphError> {
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
    let field = [Field::Pattern, Field::Integer, Field::Real][one_of(&["pattern", "integer", "real"])?];
    // Either way both directions of an entry are made.
    one_of(&["general", "symmetric"])?;
    text.end_line()?;
    Ok(field)
}
