//! The model's gates: frontend-G1 to G6, their verbs, and frontend-C2.

use gpusched::{Descriptor, Fault, LoadMode, Need, Sched, SmxSet, WaitingHead};

use super::{Model, same_key, threads_of};

/// frontend-G1: what keeps a TB off an SMX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    K,
    R,
    E,
    X,
    M,
}

/// frontend-C2: what is next in a line, and the SMXs that are left to it.
pub(super) struct Head {
    pub(super) tag: u64,
    pub(super) d: Descriptor,
    pub(super) left: Vec<usize>,
}

impl Model {
    /// Free slots, threads, registers and shared memory of an SMX, by adding up what resides there (dtbl-I1).
    pub(super) fn free(&self, s: usize) -> [u32; 4] {
        let mut free = [self.config.tb_slots, self.config.threads, self.config.regs, self.config.smem];
        for tb in self.tbcr[s].iter().flatten() {
            let d = &self.kde(tb.kde).kernel.descriptor;
            for (left, used) in free.iter_mut().zip(need(d)) {
                *left -= used;
            }
        }
        free
    }

    fn residents(&self, s: usize) -> u32 {
        self.tbcr[s].iter().flatten().count() as u32
    }

    /// TBs of a class on an SMX, and those of them that bypass.
    pub(super) fn class_residents(&self, c: usize, s: usize) -> (u32, u32) {
        let of_class = || self.tbcr[s].iter().flatten().filter(|tb| tb.class == Some(c));
        (of_class().count() as u32, of_class().filter(|tb| tb.bypass).count() as u32)
    }

    /// frontend-G3.
    pub(super) fn class_of(&self, d: &Descriptor) -> Option<usize> {
        self.classes.iter().position(|&pc| pc == Some(d.pc))
    }

    pub(super) fn closed_x(&self, s: usize) -> bool {
        self.block_caps[s] < self.config.tb_slots && self.residents(s) >= self.block_caps[s]
    }

    pub(super) fn closed_m(&self, d: &Descriptor, s: usize) -> bool {
        let other = |k: usize| !same_key(&self.kde(k).kernel.descriptor, d);
        self.config.exclusive && self.tbcr[s].iter().flatten().any(|tb| other(tb.kde))
    }

    pub(super) fn closed_k(&self, d: &Descriptor, s: usize) -> bool {
        self.class_of(d).is_some_and(|c| {
            let cap = self.caps[c][s].0;
            cap < self.config.tb_slots && self.class_residents(c, s).0 >= cap
        })
    }

    /// frontend-G1.
    pub(super) fn obstacle(&self, k: usize, s: usize) -> Option<Obstacle> {
        self.obstacle_of(&self.kde(k).kernel.descriptor, s)
    }

    pub(super) fn obstacle_of(&self, d: &Descriptor, s: usize) -> Option<Obstacle> {
        let has_room = self.free(s).into_iter().zip(need(d)).all(|(free, need)| free >= need);
        let obstacles = [
            (Obstacle::K, self.closed_k(d, s)),
            (Obstacle::R, !has_room),
            (Obstacle::E, !self.eligible(s)),
            (Obstacle::X, self.closed_x(s)),
            (Obstacle::M, self.closed_m(d, s)),
        ];
        obstacles.into_iter().find(|&(_, stands)| stands).map(|(obstacle, _)| obstacle)
    }

    /// Every SMX.
    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.tbcr.len()).collect()
    }

    /// Whether one of these SMXs takes a TB of an entry.
    pub(super) fn takes(&self, k: usize, left: &[usize]) -> bool {
        left.iter().any(|&s| self.obstacle(k, s).is_none())
    }

    /// frontend-G4, for a kernel that none of the SMXs left to it takes.
    pub(super) fn verdict(&self, k: usize, left: &[usize]) -> Sched {
        self.verdict_of(&self.kde(k).kernel.descriptor, left)
    }

    pub(super) fn verdict_of(&self, d: &Descriptor, left: &[usize]) -> Sched {
        let obstacles = left.iter().map(|&s| self.obstacle_of(d, s)).collect::<Vec<_>>();
        if obstacles.contains(&Some(Obstacle::K)) {
            Sched::Capped
        } else if obstacles.iter().all(|&o| o == Some(Obstacle::R)) {
            Sched::NoRoom
        } else {
            Sched::Gated
        }
    }

    /// frontend-G6: what an entry that could not be sent leaves of its SMXs.
    pub(super) fn leaves(&self, k: usize, word: Sched, left: &[usize]) -> Vec<usize> {
        let is_left = |s: usize| match word {
            Sched::Load => false,
            Sched::GraphNoReady
            | Sched::GraphHead
            | Sched::GraphLevelBound
            | Sched::GraphDeadlock
            | Sched::GraphFault => self.config.pass_graph,
            _ => self.config.pass_capped && self.obstacle(k, s) == Some(Obstacle::K),
        };
        left.iter().copied().filter(|&s| is_left(s)).collect()
    }

    /// frontend-G3, frontend-G5: class and bypass of a TB that is about to start.
    pub(super) fn admission(&self, k: usize, s: usize) -> (Option<usize>, bool) {
        let class = self.class_of(&self.kde(k).kernel.descriptor);
        (class, class.is_some_and(|c| self.class_residents(c, s).1 < self.caps[c][s].1))
    }

    /// frontend-C2's heads under `fcfs_rr`, in line.
    fn fcfs_heads(&self) -> Vec<Head> {
        let mut heads = Vec::new();
        let mut left = self.all();
        for &k in &self.fifo {
            let d = self.kde(k).kernel.descriptor;
            let found = self.word_of(k, &left);
            if self.kde(k).graph.is_none() || self.sendable_node().is_ok() {
                let group = self.next_group(k);
                let tag = group.map_or(d.tag, |r| self.record(r).descriptor.tag);
                heads.push(Head { tag, d, left: left.clone() });
            }
            let Err(word) = found else { break };
            left = self.leaves(k, if self.would_load(k) { Sched::Load } else { word }, &left);
            if left.is_empty() {
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

    /// frontend-C2.
    pub(super) fn waiting_head(&self, start: usize) -> Option<WaitingHead> {
        let heads = if self.laperm.is_some() {
            self.laperm_heads(start)
        } else if self.host.is_some() {
            self.told_heads()
        } else {
            self.fcfs_heads()
        };
        let mut first = None;
        for Head { tag, d, left } in heads {
            let mut allowed = left;
            allowed.retain(|&s| !self.closed_x(s) && !self.closed_m(&d, s) && !self.closed_k(&d, s));
            if allowed.is_empty() {
                continue;
            }
            let warps = threads_of(&d).div_ceil(self.config.warp);
            let need = Need { threads: threads_of(&d), regs: d.regs, smem: d.smem, warps };
            let mut words = [0; 4];
            allowed.iter().for_each(|s| words[s / 64] |= 1 << (s % 64));
            let head = WaitingHead { tag, need, allowed: SmxSet::from_words(words) };
            let taken = allowed.iter().any(|&s| self.obstacle_of(&d, s).is_none());
            if !taken && allowed.iter().any(|&s| !self.eligible(s)) {
                return Some(head);
            }
            first.get_or_insert(head);
        }
        first
    }

    /// frontend-Q1: whether frontend-T4 could send a TB to the SMXs, which are empty; a spilled group counts as loaded, and a bubble's
    /// gate as open.
    pub(super) fn could_send(&self) -> bool {
        let mut awake = self.clone();
        if awake.bubble.take().is_some() {
            awake.eligible.fill(true);
        }
        if awake.laperm.is_some() {
            awake.laperm_could_send()
        } else if awake.host.is_some() {
            awake.host_could_send()
        } else {
            awake.fcfs_could_send()
        }
    }

    fn fcfs_could_send(&self) -> bool {
        let mut left = self.all();
        for &k in &self.fifo {
            match self.word_of(k, &left) {
                Ok(()) => return true,
                Err(word) => left = self.leaves(k, word, &left),
            }
        }
        false
    }

    /// What an entry of the FIFO waits for, loads aside.
    fn word_of(&self, k: usize, left: &[usize]) -> Result<(), Sched> {
        if self.kde(k).graph.is_some() {
            self.sendable_node()?;
        }
        if self.takes(k, left) { Ok(()) } else { Err(self.verdict(k, left)) }
    }

    pub(super) fn class(&self, c: u32) -> Result<usize, Fault> {
        if c < self.config.n_class { Ok(c as usize) } else { Err(Fault::BadClass) }
    }

    pub(super) fn set_eligible(&mut self, words: [u64; 4]) -> Result<(), Fault> {
        if self.bubble.is_some() {
            return Err(Fault::BubbleOwnsMask);
        }
        let bit = |s: usize| words[s / 64] >> (s % 64) & 1 == 1;
        if (self.tbcr.len()..256).any(bit) {
            return Err(Fault::BadMask);
        }
        self.eligible = (0..self.tbcr.len()).map(bit).collect();
        Ok(())
    }

    pub(super) fn set_block_cap(&mut self, s: u32, cap: u32) -> Result<(), Fault> {
        let slot = self.block_caps.get_mut(s as usize).ok_or(Fault::BadSmx)?;
        if cap > self.config.tb_slots {
            return Err(Fault::BadCap);
        }
        *slot = cap;
        Ok(())
    }

    pub(super) fn set_class(&mut self, c: u32, pc: Option<u64>) -> Result<(), Fault> {
        let c = self.class(c)?;
        if pc.is_some() && self.classes.iter().enumerate().any(|(other, &owned)| other != c && owned == pc) {
            return Err(Fault::ClassTaken);
        }
        self.classes[c] = pc;
        Ok(())
    }

    pub(super) fn set_class_cap(&mut self, c: u32, s: u32, cap: u32, by: u32) -> Result<(), Fault> {
        let class = self.caps.get_mut(c as usize).ok_or(Fault::BadClass)?;
        let entry = class.get_mut(s as usize).ok_or(Fault::BadSmx)?;
        if by > cap || cap > self.config.tb_slots {
            return Err(Fault::BadCap);
        }
        *entry = (cap, by);
        Ok(())
    }
}

/// One slot, threads, registers, shared memory.
fn need(d: &Descriptor) -> [u32; 4] {
    [1, threads_of(d), d.regs, d.smem]
}
