//! METIS `.graph`, the format of DIMACS-10: `n m [fmt [ncon]]`, then line i holds the neighbours of vertex i, from 1, each
//! with its weight if fmt says so. Lines that begin with `%` are comments. Every edge stands in the lists of both ends.

use super::Wanted;
use super::edges::{Edges, Weight};
use super::text::Text;
use crate::graph::{GraphError, hash};
use std::io::Read;

/// What stands on the line of a vertex, by the digits of fmt.
struct Layout {
    /// Numbers before the first neighbour: the vertex's size and weights.
    lead: u64,
    /// Whether each neighbour is followed by a weight.
    weighted: bool,
}

pub fn edges<'a, R: Read>(text: &mut Text<'_, R>, wanted: &'a Wanted) -> Result<Edges<'a>, GraphError> {
    if !text.skip_comments(b"%")? {
        return Err(text.unexpected("a header `n m [fmt [ncon]]`"));
    }
    let vertices = text.vertices()?;
    let promised = text.edge_count()?;
    let layout = layout(text)?;
    let mut edges = Edges::new(wanted, vertices, layout.weighted, false).promised(promised)?;
    let mut entries = 0_u64;
    // One end of each edge is kept; that the other end agrees is known by a sum over either side.
    let mut sides = [0_u64; 2];
    for v in 0..vertices {
        while text.peek()? == Some(b'%') {
            text.skip_line()?;
        }
        // The last line, if empty, may lack its end.
        if v + 1 < vertices && text.peek()?.is_none() {
            return Err(text.wrong(
                format_args!("the neighbours of {vertices} vertices"),
                format_args!("the end of the file after {v}"),
            ));
        }
        for _ in 0..layout.lead {
            text.number("a vertex weight")?;
        }
        while !text.at_line_end()? {
            let u = text.vertex_of(vertices)?;
            let weight = if layout.weighted { edges.weight(text)? } else { Weight::ONE };
            entries += 1;
            let ends = u64::from(u.min(v)) << 32 | u64::from(u.max(v));
            let side = &mut sides[usize::from(u < v)];
            *side = side.wrapping_add(hash(hash(ends) ^ weight.value.to_bits()));
            if u > v {
                edges.push(text, (v, u), weight)?;
            } else if u == v {
                return Err(text.wrong("a neighbour other than the vertex itself", u + 1));
            }
        }
        text.end_line()?;
    }
    text.end_text(b"%")?;
    if entries != 2 * promised {
        return Err(
            text.wrong(format_args!("{promised} edges, each twice"), format_args!("{entries} neighbours in all"))
        );
    }
    if sides[0] != sides[1] {
        return Err(text.wrong(
            "every edge in the lists of both its ends, with one weight",
            "edges in one list only, or with two",
        ));
    }
    Ok(edges)
}

/// The rest of the header: fmt is up to three digits (vertex sizes, vertex weights, edge weights), ncon the number of
/// weights per vertex.
fn layout<R: Read>(text: &mut Text<'_, R>) -> Result<Layout, GraphError> {
    let mut digits = [false; 3];
    if !text.at_line_end()? {
        let fmt = text.number_within(0, 111, "a format of digits 0 and 1")?;
        for (digit, unit) in digits.iter_mut().zip([100, 10, 1]) {
            *digit = match fmt / unit % 10 {
                0 => false,
                1 => true,
                _ => return Err(text.wrong("a format of digits 0 and 1", fmt)),
            };
        }
    }
    let [sizes, weights, weighted] = digits;
    let constraints = if text.at_line_end()? {
        u64::from(weights)
    } else {
        text.number_within(0, 1024, "a number of vertex weights")?
    };
    text.end_line()?;
    Ok(Layout { lead: u64::from(sizes) + if weights { constraints } else { 0 }, weighted })
}
