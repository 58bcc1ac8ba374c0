//! Events as values: what a host may tell the DGB, and what it answers.

use gpusched::SmxSet;

use super::words::{Completion, GraphError, GraphLaunch, Node, NodeId, Report, Request, Selection};

/// One call of a host.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A graph begins.
    Launch(GraphLaunch),
    /// The next memory request is asked for.
    Poll,
    /// A chunk of the node array lands: tag, entries.
    Nodes(u32, Vec<Node>),
    /// A part of the edge array lands: tag, children.
    Edges(u32, Vec<NodeId>),
    /// A parent count in memory was decremented: tag.
    Spilled(u32),
    /// SMXs with room for a TB.
    Select(SmxSet),
    /// A TB ended.
    Complete(NodeId),
    /// The graph is given up.
    Abort,
}

/// What a call that was not refused answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Of a launch.
    Done,
    /// Of a poll.
    Request(Option<Request>),
    /// Of an answer from memory.
    Report(Report),
    /// Of a select.
    Selection(Selection),
    /// Of a completion.
    Completion(Completion),
    /// Of an abort: TBs that still run.
    Executing(u32),
}

/// What a call answers.
pub type Answered = Result<Answer, GraphError>;
