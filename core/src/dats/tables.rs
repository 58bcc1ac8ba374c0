//! Homes for the tables of [`Dgb`](super::Dgb).

use super::config::DgbConfig;
use super::graph::{Node, NodeId};
use super::slots;
use super::window::LocalNode;
use crate::base::home::tables;

tables! {
    /// Local node array and node state table: `lna`.
    LocalNodes local_nodes: LocalNode;
    /// Local edge array: `lea`.
    LocalEdges local_edges: NodeId;
    /// Pending update buffer: `pub_entries`.
    PendingUpdates pending_updates: NodeId;
    /// Node insertion buffer: the nodes of a chunk.
    Insertions insertions: Node;
    /// Which nodes are ready, executing and pending: a bit of `lna` each.
    StateWords state_words: u64;
}

impl TableSizes {
    /// What a configuration within its ranges needs.
    #[must_use]
    pub const fn of(config: &DgbConfig) -> Self {
        Self {
            local_nodes: config.lna as usize,
            local_edges: config.lea as usize,
            pending_updates: config.pub_entries as usize,
            insertions: config.chunk_nodes() as usize,
            state_words: slots::SETS * slots::words(config.lna),
        }
    }
}

/// Makes a home of inline arrays for one configuration, a constant.
///
/// ```
/// use gpusched::dats::{Dgb, DgbConfig};
/// use gpusched::inline_dgb_tables;
///
/// const SMALL: DgbConfig = DgbConfig { lna: 32, lea: 64, ..DgbConfig::GTX480 };
/// inline_dgb_tables! {
///     /// A window of 32 nodes.
///     pub struct Small = SMALL;
/// }
/// let machine = Dgb::<Small>::new(&SMALL).unwrap();
/// assert_eq!(machine, machine.clone());
/// ```
#[macro_export]
macro_rules! inline_dgb_tables {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::dats::tables as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                LocalNodes local_nodes: $crate::dats::LocalNode;
                LocalEdges local_edges: $crate::dats::NodeId;
                PendingUpdates pending_updates: $crate::dats::NodeId;
                Insertions insertions: $crate::dats::Node;
                StateWords state_words: u64;
            }
        };
    };
}
