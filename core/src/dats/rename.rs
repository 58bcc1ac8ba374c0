//! The second half of DepLinks: levels, VIDs and the arrays in memory (dats-B4 to B6).
//!
//! All passes are linear: children by TB, levels in Kahn's order, a stable counting sort by level, children by VID.

use crate::base::id::id;
use crate::base::table::Table;
use crate::dats::deplinks::{DepLinksError, DepLinksRow, Graph, GraphStorage};
use crate::dats::graph::{GraphPolicy, Node, NodeId};

id! {
    /// A TB by its linear index.
    TbId(u16)
}
id! {
    /// A place in the list of parents, or of children.
    LinkId(u32)
}

type Column<'a, I, R> = Table<I, R, &'a mut [R]>;

/// A graph whose TBs have named their parents.
pub(super) struct Rename<'a> {
    nodes: Column<'a, NodeId, Node>,
    /// Children: first by TB, TB by TB; then by VID.
    edges: Column<'a, LinkId, NodeId>,
    /// First the order in which TBs are levelled.
    order: Column<'a, NodeId, u16>,
    /// TB by TB.
    parents: Column<'a, LinkId, u16>,
    rows: Column<'a, TbId, DepLinksRow>,
    v: u32,
    e: u32,
}

impl<'a> Rename<'a> {
    /// Cuts the storage to size; the builder has made sure that it is large enough.
    pub(super) fn new(storage: GraphStorage<'a>, v: u32, e: u32) -> Self {
        let GraphStorage { nodes, edges, order, parents, rows } = storage;
        Self {
            nodes: Table::over(nodes.get_mut(..v as usize).unwrap_or_default()),
            edges: Table::over(edges.get_mut(..e as usize).unwrap_or_default()),
            order: Table::over(order.get_mut(..v as usize).unwrap_or_default()),
            parents: Table::over(parents.get_mut(..e as usize).unwrap_or_default()),
            rows: Table::over(rows.get_mut(..v as usize).unwrap_or_default()),
            v,
            e,
        }
    }

    pub(super) fn run(mut self, policy: GraphPolicy) -> Result<Graph<'a>, DepLinksError> {
        self.list_children();
        self.level()?;
        let levels = self.name();
        self.write_edges();
        let Self { nodes, edges, order, .. } = self;
        Ok(Graph { nodes: nodes.into_rows(), edges: edges.into_rows(), order: order.into_rows(), policy, levels })
    }

    fn tbs(&self) -> impl Iterator<Item = TbId> + use<'a> {
        (0..self.v).map(|tb| TbId(tb as u16))
    }

    /// Where a TB's parents are.
    fn parents_of(&self, tb: TbId) -> impl Iterator<Item = LinkId> + use<'a> {
        let next = u32::from(tb.0) + 1;
        let end = if next < self.v { self.rows[TbId(next as u16)].first_parent } else { self.e };
        (self.rows[tb].first_parent..end).map(LinkId)
    }

    /// The children of each TB, TB by TB: the parents turned round.
    fn list_children(&mut self) {
        let mut next = 0;
        for tb in self.tbs() {
            let row = &mut self.rows[tb];
            row.next_child = next;
            next += core::mem::take(&mut row.left);
        }
        for tb in self.tbs() {
            for place in self.parents_of(tb) {
                let parent = &mut self.rows[TbId(self.parents[place])];
                self.edges[LinkId(parent.next_child)] = NodeId(tb.0);
                parent.next_child += 1;
            }
        }
    }

    /// dats-B4: Kahn's order over the edges.
    fn level(&mut self) -> Result<(), DepLinksError> {
        let mut levelled = 0u32;
        for tb in self.tbs() {
            let left = self.parents_of(tb).count() as u32;
            let row = &mut self.rows[tb];
            (row.left, row.level) = (left, 0);
            if left == 0 {
                self.order[NodeId(levelled as u16)] = tb.0;
                levelled += 1;
            }
        }
        let mut next = 0;
        while next < levelled {
            let tb = self.order[NodeId(next as u16)];
            next += 1;
            let below = self.rows[TbId(tb)].level + 1;
            // `next_child` is where the TB's children end now, which is where those of the next one start.
            let first = if tb == 0 { 0 } else { self.rows[TbId(tb - 1)].next_child };
            for place in (first..self.rows[TbId(tb)].next_child).map(LinkId) {
                let child = self.edges[place].0;
                let row = &mut self.rows[TbId(child)];
                row.level = row.level.max(below);
                row.left -= 1;
                if row.left == 0 {
                    self.order[NodeId(levelled as u16)] = child;
                    levelled += 1;
                }
            }
        }
        match self.tbs().find(|&tb| self.rows[tb].left > 0) {
            Some(tb) => Err(DepLinksError::Cycle { tb: tb.0.into() }),
            None => Ok(()),
        }
    }

    /// dats-B5: a VID for each TB, by level, then by index; and the node array but for where edges start. The number of levels.
    fn name(&mut self) -> u32 {
        self.tbs().for_each(|tb| self.rows[tb].stamp = 0);
        let mut levels = 0;
        for tb in self.tbs() {
            let level = self.rows[tb].level;
            self.rows[TbId(level)].stamp += 1;
            levels = levels.max(u32::from(level) + 1);
        }
        let mut next = 0;
        for level in (0..levels).map(|level| TbId(level as u16)) {
            next += core::mem::replace(&mut self.rows[level].stamp, next);
        }
        for tb in self.tbs() {
            let level = TbId(self.rows[tb].level);
            let vid = self.rows[level].stamp as u16;
            self.rows[level].stamp += 1;
            self.rows[tb].vid = vid;
            self.order[NodeId(vid)] = tb.0;
        }
        levels
    }

    /// dats-B6: the node array, and children by VID, ascending within each node.
    fn write_edges(&mut self) {
        let mut start = 0;
        // Where a TB's children end, and those of the one before: what a node has, before `next_child` is used again.
        for tb in self.tbs() {
            let before = tb.0.checked_sub(1).map_or(0, |before| self.rows[TbId(before)].next_child);
            let row = &mut self.rows[tb];
            row.left = row.next_child - before;
        }
        for vid in (0..self.v).map(|vid| NodeId(vid as u16)) {
            let tb = TbId(self.order[vid]);
            let parents = self.parents_of(tb).count() as u16;
            let row = &mut self.rows[tb];
            self.nodes[vid] = Node::new(start, row.left == 0, parents, row.level);
            row.next_child = start;
            start += row.left;
        }
        for vid in (0..self.v).map(|vid| NodeId(vid as u16)) {
            for place in self.parents_of(TbId(self.order[vid])) {
                let parent = &mut self.rows[TbId(self.parents[place])];
                self.edges[LinkId(parent.next_child)] = vid;
                parent.next_child += 1;
            }
        }
    }
}
