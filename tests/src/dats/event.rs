//! Events as values: what a host may tell the DGB, and what it answers.

use gpusched::SmxSet;

use gpusched::dats::{Completion, Dgb, GraphError, GraphLaunch, Node, NodeId, Report, Request, Selection, Tables};

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

impl Event {
    /// Makes the call.
    ///
    /// # Errors
    /// The machine's error.
    pub fn apply<T: Tables>(&self, m: &mut Dgb<T>) -> Answered {
        match self {
            Self::Launch(launch) => m.launch(launch).map(|()| Answer::Done),
            Self::Poll => m.poll().map(Answer::Request),
            Self::Nodes(tag, entries) => m.nodes(*tag, entries).map(Answer::Report),
            Self::Edges(tag, targets) => m.edges(*tag, targets).map(Answer::Report),
            Self::Spilled(tag) => m.spilled(*tag).map(Answer::Report),
            Self::Select(fits) => m.select(fits).map(Answer::Selection),
            Self::Complete(node) => m.complete(*node).map(Answer::Completion),
            Self::Abort => Ok(Answer::Executing(m.abort())),
        }
    }
}
