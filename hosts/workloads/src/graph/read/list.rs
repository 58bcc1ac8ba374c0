//! Edge lists: `u v [weight]` per line, blanks or commas between, vertices from 0. Lines that begin with `#` or `%` are
//! comments; a first line that begins with a letter or a quotation mark is taken for column titles. The first edge decides
//! whether all have a weight. An edge goes one way, from u to v.

use super::Wanted;
use super::edges::{Edges, Weight};
use super::text::Text;
use crate::graph::GraphError;
use std::io::Read;

pub fn edges<'a, R: Read>(text: &mut Text<'_, R>, wanted: &'a Wanted) -> Result<Edges<'a>, GraphError> {
    text.skip_titles(b"#%")?;
    let mut known: Option<Edges<'a>> = None;
    while text.skip_comments(b"#%")? {
        let u = text.vertex()?;
        text.separator()?;
        let v = text.vertex()?;
        text.separator()?;
        let edges = match &mut known {
            Some(edges) => edges,
            None => known.insert(Edges::new(wanted, 0, !text.at_line_end()?, true)),
        };
        let weight = if edges.weighted { edges.weight(text)? } else { Weight::ONE };
        text.end_line()?;
        edges.push(text, (u, v), weight)?;
    }
    Ok(known.unwrap_or_else(|| Edges::new(wanted, 0, false, true)))
}
