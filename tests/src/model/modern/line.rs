//! The model's line (modern-R2, modern-G6, and what of frontend-C2 and frontend-Q1 goes along it): who is in front, and what is
//! left to those behind.

use gpusched::{LoadMode, Sched};

use crate::model::Model;
use crate::model::gates::{Head, Obstacle};

impl Model {
    /// modern-R2: puts an entry behind the last one of at least its priority.
    pub(in crate::model) fn mark(&mut self, k: usize) {
        let prio = |k: usize| self.kde(k).kernel.owner.prio;
        let behind = self.fifo.iter().rposition(|&other| prio(other) >= prio(k));
        self.fifo.insert(behind.map_or(0, |at| at + 1), k);
    }

    // ---- modern-G6

    /// What is left to each context before the line is gone through: all SMXs.
    pub(in crate::model) fn all_left(&self) -> Vec<Vec<usize>> {
        vec![self.all(); self.modern.n_contexts()]
    }

    /// The SMXs on which an entry is tried; if there are none, it is passed over.
    pub(in crate::model) fn tried_on(&self, k: usize, left: &[Vec<usize>]) -> Vec<usize> {
        let kernel = &self.kde(k).kernel;
        let c = kernel.owner.context;
        let reach = self.reach(&kernel.descriptor, c);
        left[c].iter().copied().filter(|s| reach.contains(s)).collect()
    }

    /// What an entry that was not sent keeps from those behind it, of the SMXs on which it was tried.
    pub(in crate::model) fn keep(&self, k: usize, word: Sched, tried: &[usize], left: &mut [Vec<usize>]) {
        let own = self.kde(k).kernel.owner.context;
        for &s in tried {
            let (to_its_own, to_others) = self.leaves(k, word, s);
            for (c, left) in left.iter_mut().enumerate() {
                if !(if c == own { to_its_own } else { to_others }) {
                    left.retain(|&other| other != s);
                }
            }
        }
    }

    /// Whether an entry that was not sent leaves an SMX to those of its own context, and to those of others.
    fn leaves(&self, k: usize, word: Sched, s: usize) -> (bool, bool) {
        let both = |is_left| (is_left, is_left);
        match word {
            Sched::Load => both(false),
            Sched::GraphNoReady
            | Sched::GraphHead
            | Sched::GraphLevelBound
            | Sched::GraphDeadlock
            | Sched::GraphFault => both(self.config.pass_graph),
            _ if self.has_clusters(k) && self.config.cluster.is_some_and(|part| part.pass_cluster) => both(true),
            _ => match self.obstacle(k, s) {
                Some(Obstacle::D) => both(true),
                Some(Obstacle::Q) => (false, true),
                Some(Obstacle::K) => both(self.config.pass_capped),
                _ => both(false),
            },
        }
    }

    // ---- frontend-C2, frontend-Q1

    /// frontend-C2's heads under `fcfs_rr`, in line.
    pub(in crate::model) fn fcfs_heads(&self) -> Vec<Head> {
        let mut heads = Vec::new();
        let mut left = self.all_left();
        for &k in &self.fifo {
            let tried = self.tried_on(k, &left);
            if tried.is_empty() {
                continue;
            }
            let d = self.next_kernel(k);
            let found = self.word_of(k, &tried);
            if self.kde(k).graph.is_none() || self.sendable_node().is_ok() {
                let group = self.next_group(k);
                let tag = group.map_or(d.tag, |r| self.record(r).descriptor.tag);
                heads.push(Head { tag, d, left: tried.clone(), entry: Some(k) });
            }
            let Err(word) = found else { break };
            let word = if self.would_load(k) { Sched::Load } else { word };
            self.keep(k, word, &tried, &mut left);
            if left.iter().all(Vec::is_empty) {
                break;
            }
        }
        heads
    }

    /// The group that an entry of the FIFO sends next, if it is one.
    fn next_group(&self, k: usize) -> Option<usize> {
        match self.cursors.get(&k) {
            Some(sscr) => sscr.agei,
            None if self.kde(k).first => None,
            None => self.kde(k).nagei,
        }
    }

    /// Whether frontend-T4 would say `load` of an entry.
    fn would_load(&self, k: usize) -> bool {
        let group = self.next_group(k);
        let is_spilled = group.is_some_and(|r| self.group(r).age.is_none());
        let ahead = || self.ahead.iter().flatten().find(|a| Some(a.record) == group).map(|a| (a.load, a.load_at));
        let external = self.config.load_mode == LoadMode::External;
        let is_on_its_way = match self.cursors.get(&k).map(|sscr| (sscr.load, sscr.load_at)).or_else(ahead) {
            Some((2, _)) => false,
            Some((1, load_at)) => external || self.now < load_at,
            _ => external || self.config.load_cycles > 0,
        };
        is_spilled && is_on_its_way
    }

    /// Whether the line could send a TB.
    pub(in crate::model) fn fcfs_could_send(&self) -> bool {
        let mut left = self.all_left();
        for &k in &self.fifo {
            let tried = self.tried_on(k, &left);
            if tried.is_empty() {
                continue;
            }
            match self.word_of(k, &tried) {
                Ok(()) => return true,
                Err(word) => self.keep(k, word, &tried, &mut left),
            }
        }
        false
    }

    /// What an entry of the FIFO waits for, loads aside.
    fn word_of(&self, k: usize, tried: &[usize]) -> Result<(), Sched> {
        if self.kde(k).graph.is_some() {
            self.sendable_node()?;
        }
        if self.takes(k, tried) { Ok(()) } else { Err(self.verdict(k, tried)) }
    }
}
