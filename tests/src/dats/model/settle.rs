//! What follows from an event, and what may be dispatched next (`dats`, sections S and F, dats-C3, dats-T2, dats-T3).

use gpusched::dats::{GraphFaultKind, GraphPolicy, LevelRef, NodeState, Pending, Stall};

use super::graph::{Graph, Running, Settled};

impl Running<'_> {
    // ---- S

    pub(super) fn settle(&mut self) -> Settled {
        loop {
            loop {
                let before = self.g.clone();
                self.move_tail();
                self.insert()?;
                self.go_on_spilling()?;
                self.finalise_one()?;
                if *self.g == before {
                    break;
                }
            }
            if !self.begin_to_spill() {
                break;
            }
        }
        let g = &self.g;
        if g.tail < g.head && g.is(g.tail, NodeState::Waiting) {
            return Err((GraphFaultKind::ParentExcess, g.tail));
        }
        self.report.finished = g.finished();
        Ok(())
    }

    /// dats-S1.
    pub(super) fn move_tail(&mut self) {
        let g = &mut self.g;
        while g.tail < g.head && g.is(g.tail, NodeState::Done) {
            g.tail_edge = g.end(g.tail).expect("a finalised node has a known end");
            g.tail += 1;
        }
    }

    /// dats-S2.
    pub(super) fn insert(&mut self) -> Settled {
        while self.g.head < self.g.fetched() && self.insertable(self.g.head) {
            let i = self.g.head;
            let updates = self.g.updates.iter().filter(|child| **child == i).count();
            self.g.updates.retain(|child| *child != i);
            self.report.pub_out += updates as u32;
            let node = &mut self.g.nodes[i];
            node.parents = node.parents.checked_sub(updates).ok_or(Graph::underflow(i))?;
            node.state = Some(if node.parents == 0 { NodeState::Ready } else { NodeState::Waiting });
            self.report.inserted += 1;
            self.report.readied += u32::from(node.parents == 0);
            self.g.head += 1;
        }
        Ok(())
    }

    pub(super) fn insertable(&self, i: usize) -> bool {
        let g = &self.g;
        let i1 = i - g.tail < self.c.lna as usize;
        let i2 = g.nodes[i].start - g.tail_edge <= self.lea();
        let i3 = g.end(i).is_none_or(|end| end - g.tail_edge <= self.lea()) || g.nodes[i].childless || self.oversize(i);
        i1 && i2 && i3
    }

    /// dats-S3.
    pub(super) fn go_on_spilling(&mut self) -> Settled {
        let Some((t, _)) = self.g.spill.filter(|_| self.g.decrement.is_none()) else { return Ok(()) };
        let end = self.g.end(t).expect("known before a node spills");
        while let Some((_, cursor)) = self.g.spill.filter(|s| s.1 < end && s.1 < self.g.edge_head()) {
            let child = self.g.edges[cursor];
            if child <= t {
                return Err((GraphFaultKind::EdgeOrder, t));
            } else if child < self.g.head {
                self.g.decrement(child, &mut self.report)?;
            } else if self.free_updates() > 0 {
                self.g.put_into_pub(child, &mut self.report);
            } else if child < self.g.fetched() {
                let parents = &mut self.g.nodes[child].parents;
                *parents = parents.checked_sub(1).ok_or(Graph::underflow(child))?;
            } else {
                if self.g.nodes_asked.is_none() {
                    self.g.decrement = Some((child, None));
                }
                return Ok(());
            }
            self.applied();
        }
        if self.g.spill == Some((t, end)) {
            self.g.spill = None;
            self.finalised(t);
        }
        Ok(())
    }

    /// dats-S4 and the section F.
    pub(super) fn finalise_one(&mut self) -> Settled {
        let g = &self.g;
        let may = |i: &usize| {
            g.is(*i, NodeState::Pending)
                && g.spill.is_none_or(|(t, _)| t != *i)
                && g.edges_resident(*i)
                && !self.oversize(*i)
                && g.outside(*i) <= self.free_updates()
        };
        let Some(x) = g.resident().find(may) else { return Ok(()) };
        for child in g.children(x).to_vec() {
            if child <= x {
                return Err((GraphFaultKind::EdgeOrder, x));
            } else if child < self.g.head {
                self.g.decrement(child, &mut self.report)?;
            } else {
                self.g.put_into_pub(child, &mut self.report);
            }
            self.report.updates += 1;
        }
        self.finalised(x);
        Ok(())
    }

    pub(super) fn finalised(&mut self, x: usize) {
        self.g.nodes[x].state = Some(NodeState::Done);
        self.report.finalised += 1;
    }

    /// dats-S5: whether a spill begins.
    pub(super) fn begin_to_spill(&mut self) -> bool {
        let g = &self.g;
        let t = g.tail;
        if t >= g.head || !g.is(t, NodeState::Pending) || g.end(t).is_none() || g.spill.is_some() {
            return false;
        }
        let stuck = || {
            let full = g.edges_resident(t) && g.outside(t) > self.free_updates();
            full && g.nodes_asked.is_none() && !self.wants_nodes()
        };
        if self.oversize(t) || (self.c.spill && stuck()) {
            self.g.spill = Some((t, g.nodes[t].start));
            return true;
        }
        if stuck() {
            self.g.deadlock = Some(t);
        }
        false
    }

    // ---- C

    pub(super) fn pending(&self, i: usize) -> Option<Pending> {
        let g = &self.g;
        if g.is(i, NodeState::Done) {
            None
        } else if g.spill.is_some_and(|(t, _)| t == i) {
            Some(Pending::Spill)
        } else if self.oversize(i) {
            Some(Pending::Tail)
        } else if !g.edges_resident(i) {
            Some(Pending::Edges)
        } else {
            Some(Pending::Pub)
        }
    }

    // ---- T

    /// The node that `select` looks at, or why there is none (dats-T2, dats-T3).
    pub(super) fn candidate(&self) -> Result<usize, Stall> {
        let g = &self.g;
        let or_deadlock = |stall| if g.deadlock.is_some() { Stall::Deadlock } else { stall };
        let may = |i: &usize| {
            let edges = !self.c.issue_needs_edges || g.edges_resident(*i) || self.oversize(*i);
            g.is(*i, NodeState::Ready) && g.end(*i).is_some() && edges
        };
        let Some(n) = g.resident().find(may) else {
            let ready = g.resident().any(|i| g.is(i, NodeState::Ready));
            return Err(or_deadlock(if ready { Stall::Head } else { Stall::NoReady }));
        };
        let GraphPolicy::Lvl { bound } = g.header.policy else { return Ok(n) };
        let level = |i: usize| g.nodes[i].level;
        let range = match self.c.level_ref {
            LevelRef::Incomplete => level(n) - level(g.tail),
            LevelRef::Active if g.executing().next().is_none() => 0,
            LevelRef::Active => level_range(g.executing().chain([n]).map(level)),
        };
        if range > bound.into() { Err(or_deadlock(Stall::LevelBound)) } else { Ok(n) }
    }
}

pub(super) fn level_range(levels: impl Iterator<Item = usize>) -> usize {
    let levels = levels.collect::<Vec<_>>();
    levels.iter().max().unwrap_or(&0) - levels.iter().min().unwrap_or(&0)
}
