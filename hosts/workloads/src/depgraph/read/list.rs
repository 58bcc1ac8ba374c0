//! Lists: `parent child` per line, blanks or a comma between, TBs by their linear index from 0; a TB alone on its line is a TB that
//! the graph has. Lines that begin with `#` or `%` are comments; a first line that begins with a letter or a quotation mark is taken
//! for column titles. The highest index says how many TBs there are.

use crate::depgraph::links::Listed;
use crate::graph::GraphError;
use crate::graph::read::Text;
use gpusched::dats::MAX_NODES;
use std::io::Read;

const COMMENTS: &[u8] = b"#%";

pub fn dependencies<R: Read>(text: &mut Text<'_, R>) -> Result<Listed, GraphError> {
    text.skip_titles(COMMENTS)?;
    let mut listed = Listed::default();
    while text.skip_comments(COMMENTS)? {
        let parent = tb(text, &mut listed)?;
        text.separator()?;
        if !text.at_line_end()? {
            let child = tb(text, &mut listed)?;
            listed.push(parent, child, text.line()).map_err(|[expected, found]| text.wrong(expected, found))?;
        }
        text.end_line()?;
    }
    if listed.tbs == 0 {
        return Err(text.unexpected("a dependency `parent child`"));
    }
    Ok(listed)
}

fn tb<R: Read>(text: &mut Text<'_, R>, listed: &mut Listed) -> Result<u16, GraphError> {
    let tb = text.number_within(0, u64::from(MAX_NODES) - 1, "the index of a TB")? as u16;
    listed.tbs = listed.tbs.max(u32::from(tb) + 1);
    Ok(tb)
}
