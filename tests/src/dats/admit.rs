//! Rule R a second time: every edge is looked at for every tail.

use std::ops::Range;

use gpusched::dats::{Admission, DgbConfig, Node, NodeId, Prefetch};

/// A good graph, as the rule looks at it.
struct Graph<'a> {
    c: &'a DgbConfig,
    nodes: &'a [Node],
    edges: &'a [NodeId],
}

/// The window for one tail.
struct Window {
    /// `H(t)` (dats-R1).
    head: usize,
    /// `K(t)` (dats-R1).
    finalisable: usize,
}

impl Graph<'_> {
    fn start(&self, i: usize) -> usize {
        self.nodes.get(i).map_or(self.edges.len(), |n| n.start() as usize)
    }

    fn children(&self, i: usize) -> impl Iterator<Item = usize> {
        self.edges[self.start(i)..self.start(i + 1)].iter().map(|child| usize::from(child.0))
    }

    /// Edges from some nodes to nodes that are at `head` or behind it.
    fn across(&self, from: Range<usize>, head: usize) -> usize {
        from.flat_map(|i| self.children(i)).filter(|child| *child >= head).count()
    }

    fn insertable(&self, h: usize, fetched: usize, t: usize) -> bool {
        let (lna, lea) = (self.c.lna as usize, self.c.lea as usize);
        let room = |end: usize| end - self.start(t) <= lea;
        let unknown = h + 1 == fetched && fetched < self.nodes.len();
        let childless = self.nodes[h].is_childless();
        h - t < lna && room(self.start(h)) && (childless || unknown || room(self.start(h + 1)))
    }

    fn windows(&self) -> Vec<Window> {
        let v = self.nodes.len();
        let (lna, lea) = (self.c.lna as usize, self.c.lea as usize);
        let chunk = self.c.chunk_bytes as usize / 8;
        let (mut f, mut h) = (0, 0);
        let window = |t: usize| {
            loop {
                if h < f {
                    if !self.insertable(h, f, t) {
                        break;
                    }
                    h += 1;
                } else if f < v && (self.c.prefetch == Prefetch::Eager || lna - (h - t) >= chunk.min(v - f)) {
                    f = (f + chunk).min(v);
                } else {
                    break;
                }
            }
            let last = h - 1;
            let unknown = h == f && f < v;
            let stays = !self.nodes[last].is_childless() && (unknown || self.start(h) - self.start(t) > lea);
            Window { head: h, finalisable: if stays { last } else { h } }
        };
        (0..v).map(window).collect()
    }
}

/// The tails at which some schedule of a graph that `build` made, without oversize nodes, is stuck under LRR with a slot for every
/// TB: those with a set of finalised nodes after which the tail's updates find no room (the sheet's theorem, part 3).
#[must_use]
pub fn deadlocks(c: &DgbConfig, nodes: &[Node], edges: &[NodeId]) -> Vec<NodeId> {
    let g = Graph { c, nodes, edges };
    let updates = c.pub_entries as usize;
    let is_stuck = |t: usize, w: &Window| {
        let others = w.finalisable.saturating_sub(t + 1);
        let own = g.across(t..t + 1, w.head);
        (0..1u64 << others).any(|bits| {
            let done = |i: usize| i < t || (i > t && i < w.finalisable && bits >> (i - t - 1) & 1 == 1);
            let closed = (0..nodes.len()).all(|i| done(i) || g.children(i).all(|child| !done(child)));
            let set = (0..nodes.len()).filter(|i| done(*i));
            let waiting = set.map(|i| g.across(i..i + 1, w.head)).sum::<usize>();
            closed && waiting <= updates && waiting + own > updates
        })
    };
    let windows = g.windows();
    let passes = |(t, w): &(usize, &Window)| g.across(0..t + 1, w.head) <= updates;
    let reached = 1 + windows.iter().enumerate().take_while(passes).count();
    let stuck = windows.iter().enumerate().take(reached).filter(|(t, w)| is_stuck(*t, w));
    stuck.map(|(t, _)| NodeId(t as u16)).collect()
}

/// The verdict on a graph that `build` made.
#[must_use]
pub fn admit(c: &DgbConfig, nodes: &[Node], edges: &[NodeId]) -> Admission {
    let g = Graph { c, nodes, edges };
    let v = nodes.len();
    let node = |i: usize| NodeId(i as u16);
    if let Some(i) = (0..v).find(|i| g.children(*i).count() > c.lea as usize) {
        return Admission::Oversize { node: node(i) };
    }
    let (windows, updates) = (g.windows(), c.pub_entries as usize);
    let tails = || windows.iter().enumerate();
    if let Some((t, _)) = tails().find(|(t, w)| g.across(0..t + 1, w.head) > updates) {
        return Admission::Deadlocks { node: node(t) };
    }
    let cut = |w: &Window| g.across(0..w.finalisable, w.head);
    if let Some((t, _)) = tails().find(|(t, w)| g.across(*t..t + 1, w.head) > 0 && cut(w) > updates) {
        return Admission::MayDeadlock { node: node(t) };
    }
    Admission::Safe
}
