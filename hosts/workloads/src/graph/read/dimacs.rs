//! DIMACS: tagged lines. `c` comment; `p sp n m` then `a u v w` (shortest paths, `.gr`); `p edge n m` or `p col n m` then
//! `e u v` (colouring, `.col`). Vertices from 1. The header counts the lines that follow. An arc goes one way, an edge both.

use super::Wanted;
use super::edges::{Edges, Weight};
use super::text::Text;
use crate::graph::GraphError;
use std::io::Read;

pub fn edges<'a, R: Read>(text: &mut Text<'_, R>, wanted: &'a Wanted) -> Result<Edges<'a>, GraphError> {
    const HEADER: &str = "a header `p sp n m` or `p edge n m`";
    if !text.skip_comments(b"c")? || text.peek_word()? != Some(b'p') {
        return Err(text.unexpected(HEADER));
    }
    text.tag(HEADER)?;
    let weighted = match text.word()?.as_deref() {
        Some("sp") => true,
        Some("edge" | "col") => false,
        Some(other) => return Err(text.wrong(HEADER, format_args!("`p {other}`"))),
        None => return Err(text.wrong(HEADER, "`p` alone")),
    };
    let vertices = text.vertices()?;
    let promised = text.edge_count()?;
    text.end_line()?;

    let mut edges = Edges::new(wanted, vertices, weighted, weighted).promised(promised)?;
    let (tag, line) = if weighted { (b'a', "an arc `a u v w`") } else { (b'e', "an edge `e u v`") };
    for found in 0..promised {
        if !text.skip_comments(b"c")? {
            return Err(text.wrong(
                format_args!("{promised} lines like {line}"),
                format_args!("the end of the file after {found}"),
            ));
        }
        match text.peek_word()? {
            Some(byte) if byte == tag => text.tag(line)?,
            _ => return Err(text.unexpected(line)),
        }
        let ends = (text.vertex_of(vertices)?, text.vertex_of(vertices)?);
        let weight = if weighted { edges.weight(text)? } else { Weight::ONE };
        text.end_line()?;
        edges.push(text, ends, weight)?;
    }
    text.end_text(b"c")?;
    Ok(edges)
}
