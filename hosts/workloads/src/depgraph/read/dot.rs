//! The language of Graphviz. An edge leads from parent to child; ends may be groups, and then stand for every node in them. The TBs
//! are the nodes in the order in which they are first mentioned or, if the names are the numbers 0, 1, 2 ... in any order, those.

use crate::depgraph::links::{Listed, syntax};
use crate::graph::GraphError;
use crate::graph::read::unread;
use gpusched::dats::MAX_NODES;
use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation, LineColLocation};
use pest::iterators::{Pair, Pairs};
use std::collections::HashMap;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

/// Most bytes of a file, unpacked: what is known of each word takes many times its length.
const MOST_BYTES: usize = 1 << 25;
/// Most groups inside each other: each takes room on the stack.
const DEPTH: usize = 32;
/// Letters of what is found that an error shows.
const FOUND: usize = 24;

/// The parser that the grammar gives.
#[allow(missing_docs, reason = "its rules are named in the grammar")]
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "depgraph/read/dot.pest"]
    pub struct Dot;
}
use grammar::{Dot, Rule};

/// All of `content`, as text.
pub fn text(
    mut content: impl Read,
    path: &Path,
    report: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<String, GraphError> {
    let mut bytes = Vec::new();
    // A piece at a time: what a damaged file costs is its own length.
    while (&mut content).take(1 << 16).read_to_end(&mut bytes).map_err(|error| unread(path, 1, error))? > 0 {
        if report().is_break() {
            return Err(GraphError::Cancelled);
        }
        if bytes.len() > MOST_BYTES {
            return Err(syntax(
                path,
                1,
                format!("at most {MOST_BYTES} bytes; a list of dependencies may be longer"),
                "more",
            ));
        }
    }
    String::from_utf8(bytes).map_err(|error| {
        let (bad, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
        let line = 1 + bytes[..bad].iter().filter(|&&byte| byte == b'\n').count();
        syntax(path, line as u64, "UTF-8", format!("byte 0x{:02x}", bytes[bad]))
    })
}

pub fn dependencies(text: &str, path: &Path) -> Result<Listed, GraphError> {
    check_depth(text, path)?;
    let file = Dot::parse(Rule::file, text).map_err(|error| refused(&error, text, path))?;
    let mut reader = Reader { path, listed: Listed::default(), index: HashMap::new(), groups: HashMap::new() };
    reader.statements(file)?;
    if reader.listed.tbs == 0 {
        return Err(syntax(path, 1, "a graph with nodes", "none"));
    }
    reader.listed.name_by_number();
    Ok(reader.listed)
}

/// Refuses groups that are nested too deeply to be parsed.
fn check_depth(text: &str, path: &Path) -> Result<(), GraphError> {
    let braces = Dot::parse(Rule::braces, text).map_err(|error| refused(&error, text, path))?;
    let mut depth = 0_usize;
    for brace in braces {
        match brace.as_rule() {
            Rule::open => depth += 1,
            Rule::close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            let line = brace.line_col().0 as u64;
            return Err(syntax(path, line, format!("at most {DEPTH} braces inside each other"), "more"));
        }
    }
    Ok(())
}

/// A file that is being turned into dependencies.
struct Reader<'a> {
    path: &'a Path,
    listed: Listed,
    /// The TB of each name.
    index: HashMap<String, u16>,
    /// The nodes of groups with a name, which may be opened again.
    groups: HashMap<String, Vec<u16>>,
}

impl Reader<'_> {
    /// Statements, and what else stands between them: the nodes that they mention, ascending.
    fn statements(&mut self, pairs: Pairs<'_, Rule>) -> Result<Vec<u16>, GraphError> {
        let mut mentioned = Vec::new();
        for edges in pairs.filter(|pair| pair.as_rule() == Rule::edges) {
            let mut parents = Vec::new();
            let ends = edges.into_inner().filter(|pair| matches!(pair.as_rule(), Rule::node | Rule::group));
            for end in ends {
                let line = end.line_col().0 as u64;
                let children = self.end(end)?;
                self.connect(&parents, &children, line)?;
                mentioned.extend_from_slice(&children);
                // A group that is opened again and again is mentioned as often.
                if mentioned.len() > 2 * MAX_NODES as usize {
                    mentioned.sort_unstable();
                    mentioned.dedup();
                }
                parents = children;
            }
        }
        mentioned.sort_unstable();
        mentioned.dedup();
        Ok(mentioned)
    }

    fn connect(&mut self, parents: &[u16], children: &[u16], line: u64) -> Result<(), GraphError> {
        let refused = |[expected, found]: [String; 2]| syntax(self.path, line, expected, found);
        for &parent in parents {
            children.iter().try_for_each(|&child| self.listed.push(parent, child, line)).map_err(refused)?;
        }
        Ok(())
    }

    /// The nodes that an end of an edge stands for.
    fn end(&mut self, end: Pair<'_, Rule>) -> Result<Vec<u16>, GraphError> {
        let is_node = end.as_rule() == Rule::node;
        let line = end.line_col().0 as u64;
        // Of a node the first word is its name, the others are ports.
        let name = end.clone().into_inner().find(|pair| pair.as_rule() == Rule::id).map(|pair| name(pair.as_str()));
        if is_node {
            return Ok(vec![self.node(name.unwrap_or_default(), line)?]);
        }
        let mut nodes = self.statements(end.into_inner())?;
        if let Some(name) = name {
            let all = self.groups.entry(name).or_default();
            all.append(&mut nodes);
            all.sort_unstable();
            all.dedup();
            nodes.clone_from(all);
        }
        Ok(nodes)
    }

    fn node(&mut self, name: String, line: u64) -> Result<u16, GraphError> {
        if let Some(&tb) = self.index.get(&name) {
            return Ok(tb);
        }
        if self.listed.tbs == MAX_NODES {
            return Err(syntax(self.path, line, format!("at most {MAX_NODES} nodes"), "more"));
        }
        let tb = self.listed.add(name.clone());
        self.index.insert(name, tb);
        Ok(tb)
    }
}

/// A name as it is meant: without quotation marks, in which only an escaped quotation mark and an escaped line end are special.
fn name(word: &str) -> String {
    if !word.starts_with('"') {
        return word.to_owned();
    }
    let mut name = String::new();
    let mut letters = word.chars();
    let mut inside = false;
    while let Some(letter) = letters.next() {
        match letter {
            '"' => inside = !inside,
            // What stands between the parts of a word in parts.
            _ if !inside => {}
            '\\' => match letters.next() {
                Some('"') => name.push('"'),
                Some('\n') => {}
                other => name.extend(std::iter::once('\\').chain(other)),
            },
            _ => name.push(letter),
        }
    }
    name
}

/// The error of the parser, in our words.
fn refused(error: &Error<Rule>, text: &str, path: &Path) -> GraphError {
    let (LineColLocation::Pos((line, _)) | LineColLocation::Span((line, _), _)) = error.line_col;
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
    let mut expected: Vec<&str> = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.iter().map(|&rule| words(rule)).collect(),
        ErrorVariant::CustomError { .. } => Vec::new(),
    };
    expected.sort_unstable();
    expected.dedup();
    let expected = match expected.as_slice() {
        [] => "the language of Graphviz".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    };
    let rest = text.get(at..).unwrap_or_default();
    let word: String = rest.chars().take_while(|letter| !letter.is_whitespace()).take(FOUND).collect();
    let found = if rest.is_empty() { "the end of the file".to_owned() } else { format!("`{}`", word.escape_debug()) };
    syntax(path, line as u64, expected, found)
}

/// What a rule is called in an error.
fn words(rule: Rule) -> &'static str {
    match rule {
        Rule::strict | Rule::digraph => "a directed graph (`digraph`)",
        Rule::arrow => "`->`",
        Rule::equals => "`=`",
        Rule::group | Rule::subgraph | Rule::open => "`{`",
        Rule::close => "`}`",
        Rule::EOI => "the end of the file",
        Rule::node | Rule::id => "a name",
        Rule::option => "an attribute",
        _ => "a statement",
    }
}
