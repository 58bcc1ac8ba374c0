//! The model's gates: G1 to G5, their verbs, and C2.

use gpusched::{Descriptor, Fault, Need, Sched, SmxSet, WaitingHead};

use super::{Model, same_key, threads_of};

/// G1: what keeps a TB off an SMX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    R,
    E,
    X,
    M,
    K,
}

impl Model {
    /// Free slots, threads, registers and shared memory of an SMX, by adding up what resides there (I1).
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

    /// G3.
    pub(super) fn class_of(&self, d: &Descriptor) -> Option<usize> {
        self.classes.iter().position(|&pc| pc == Some(d.pc))
    }

    pub(super) fn closed_x(&self, s: usize) -> bool {
        self.block_caps[s] < self.config.tb_slots && self.residents(s) >= self.block_caps[s]
    }

    fn closed_m(&self, d: &Descriptor, s: usize) -> bool {
        let other = |k: usize| !same_key(&self.kde(k).kernel.descriptor, d);
        self.config.exclusive && self.tbcr[s].iter().flatten().any(|tb| other(tb.kde))
    }

    fn closed_k(&self, d: &Descriptor, s: usize) -> bool {
        self.class_of(d).is_some_and(|c| {
            let cap = self.caps[c][s].0;
            cap < self.config.tb_slots && self.class_residents(c, s).0 >= cap
        })
    }

    /// G1.
    pub(super) fn obstacle(&self, k: usize, s: usize) -> Option<Obstacle> {
        self.obstacle_of(&self.kde(k).kernel.descriptor, s)
    }

    fn obstacle_of(&self, d: &Descriptor, s: usize) -> Option<Obstacle> {
        let fits = self.free(s).into_iter().zip(need(d)).all(|(free, need)| free >= need);
        if !fits {
            Some(Obstacle::R)
        } else if !self.eligible(s) {
            Some(Obstacle::E)
        } else if self.closed_x(s) {
            Some(Obstacle::X)
        } else {
            self.gate_m_or_k(d, s)
        }
    }

    /// The gates that look at the kernel.
    pub(super) fn gate_m_or_k(&self, d: &Descriptor, s: usize) -> Option<Obstacle> {
        if self.closed_m(d, s) {
            Some(Obstacle::M)
        } else if self.closed_k(d, s) {
            Some(Obstacle::K)
        } else {
            None
        }
    }

    /// G4, for a kernel that no SMX takes.
    pub(super) fn verdict(&self, k: usize) -> Sched {
        let obstacles = (0..self.tbcr.len()).map(|s| self.obstacle(k, s)).collect::<Vec<_>>();
        if obstacles.contains(&Some(Obstacle::K)) {
            Sched::Capped
        } else if obstacles.iter().all(|&o| o == Some(Obstacle::R)) {
            Sched::NoRoom
        } else {
            Sched::Gated
        }
    }

    /// G3, G5: class and bypass of a TB that is about to start.
    pub(super) fn admission(&self, k: usize, s: usize) -> (Option<usize>, bool) {
        let class = self.class_of(&self.kde(k).kernel.descriptor);
        (class, class.is_some_and(|c| self.class_residents(c, s).1 < self.caps[c][s].1))
    }

    /// C2's heads under `fcfs_rr`, in line.
    fn fcfs_heads(&self) -> Vec<(u64, Descriptor, Vec<usize>)> {
        let mut heads = Vec::new();
        for &k in &self.fifo {
            let d = self.kde(k).kernel.descriptor;
            let word = self.word_of(k);
            if let Err(word) = word
                && self.kde(k).graph.is_some()
                && self.sendable_node().is_err()
            {
                // It waits for no SMX.
                if self.passes(word) {
                    continue;
                }
                break;
            }
            let group = match self.cursors.get(&k) {
                Some(sscr) => sscr.agei,
                None if self.kde(k).first => None,
                None => self.kde(k).nagei,
            };
            let tag = group.map_or(d.tag, |r| self.record(r).descriptor.tag);
            heads.push((tag, d, (0..self.tbcr.len()).collect()));
            if !word.is_err_and(|word| self.passes(word)) {
                break;
            }
        }
        heads
    }

    /// C2.
    pub(super) fn waiting_head(&self, start: usize) -> Option<WaitingHead> {
        let heads = if self.laperm.is_some() { self.laperm_heads(start) } else { self.fcfs_heads() };
        let mut first = None;
        for (tag, d, mut allowed) in heads {
            allowed.retain(|&s| !self.closed_x(s) && self.gate_m_or_k(&d, s).is_none());
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

    /// Q1: whether T4 could send a TB to the SMXs, which are empty; a spilled group counts as loaded, and a bubble's gate as open.
    pub(super) fn could_send(&self) -> bool {
        let mut awake = self.clone();
        if awake.bubble.take().is_some() {
            awake.eligible.fill(true);
        }
        if awake.laperm.is_some() { awake.laperm_could_send() } else { awake.fcfs_could_send() }
    }

    fn fcfs_could_send(&self) -> bool {
        for &k in &self.fifo {
            match self.word_of(k) {
                Ok(()) => return true,
                Err(word) if self.passes(word) => {}
                Err(_) => return false,
            }
        }
        false
    }

    pub(super) fn an_smx_takes(&self, k: usize) -> bool {
        (0..self.tbcr.len()).any(|s| self.obstacle(k, s).is_none())
    }

    /// What an entry of the FIFO waits for, loads aside.
    fn word_of(&self, k: usize) -> Result<(), Sched> {
        if self.kde(k).graph.is_some() {
            self.sendable_node()?;
        }
        if self.an_smx_takes(k) { Ok(()) } else { Err(self.verdict(k)) }
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
