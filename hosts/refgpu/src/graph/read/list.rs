//! Edge lists: `u v [weight]` per line, blanks or commas between, vertices from 0. Lines that begin with `#` or `%` are
//! comments; a first line that begins with a letter or a quotation mark is taken for column titles. The first edge decides
//! whether all have a weight.

use super::text::Text;
use crate::graph::{EdgeList, GraphError};
use std::io::Read;

pub fn edges<R: Read>(text: &mut Text<'_, R>) -> Result<EdgeList, GraphError> {
    text.skip_titles(b"#%")?;
    let mut edges: Option<EdgeList> = None;
    while text.skip_comments(b"#%")? {
        let u = text.vertex()?;
        text.separator()?;
        let v = text.vertex()?;
        text.separator()?;
        let weighted = match &edges {
            Some(edges) => edges.weights().is_some(),
            None => !text.at_line_end()?,
        };
        let weight = if weighted { text.weight()? } else { 1 };
        text.end_line()?;
        let edges = edges.get_or_insert_with(|| if weighted { EdgeList::weighted(0) } else { EdgeList::unweighted(0) });
        text.push(edges, (u, v), weight)?;
    }
    Ok(edges.unwrap_or_else(|| EdgeList::unweighted(0)))
}
