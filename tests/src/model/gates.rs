//! The model's gates: frontend-G1 to G5, their verbs, and frontend-C2.

use gpusched::{Descriptor, Fault, Need, Sched, SmxSet, WaitingHead};

use super::{Model, Tb, same_key, threads_of};

/// frontend-G1, modern-G1: what keeps a TB off an SMX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    P,
    Q,
    D,
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
    /// Its entry, if it stands in the line of modern-G6.
    pub(super) entry: Option<usize>,
}

impl Model {
    /// Free slots, threads, registers and shared memory of an SMX, by adding up what resides there (dtbl-I1).
    pub(super) fn free(&self, s: usize) -> [u32; 4] {
        let mut free = [self.config.tb_slots, self.config.threads, self.config.regs, self.config.smem];
        for tb in self.tbcr[s].iter().flatten() {
            for (left, used) in free.iter_mut().zip(need(&self.resident_kernel(tb))) {
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

    /// Gate X, if `placed` TBs more were on the SMX.
    pub(super) fn closed_x(&self, s: usize, placed: u32) -> bool {
        self.block_caps[s] < self.config.tb_slots && self.residents(s) + placed >= self.block_caps[s]
    }

    /// Gate M to a kernel of a context.
    pub(super) fn closed_m(&self, d: &Descriptor, context: usize, s: usize) -> bool {
        let other = |tb: &Tb| {
            let of = self.kde(tb.kde).kernel.owner.context;
            !same_key((&self.resident_kernel(tb), of), (d, context))
        };
        self.config.exclusive && self.tbcr[s].iter().flatten().any(other)
    }

    /// Gate K, if `placed` TBs more of the kernel were on the SMX.
    pub(super) fn closed_k(&self, d: &Descriptor, s: usize, placed: u32) -> bool {
        self.class_of(d).is_some_and(|c| {
            let cap = self.caps[c][s].0;
            cap < self.config.tb_slots && self.class_residents(c, s).0 + placed >= cap
        })
    }

    /// frontend-G1, modern-G1: of the next TB of an entry.
    pub(super) fn obstacle(&self, k: usize, s: usize) -> Option<Obstacle> {
        self.obstacle_beside(k, s, 0)
    }

    /// modern-C4: the same, if `placed` TBs of the entry were placed on the SMX already.
    pub(super) fn obstacle_beside(&self, k: usize, s: usize, placed: u32) -> Option<Obstacle> {
        if self.closed_p(k, s) {
            Some(Obstacle::P)
        } else if self.closed_q(k) {
            Some(Obstacle::Q)
        } else if self.closed_d(k, s) {
            Some(Obstacle::D)
        } else {
            self.obstacle_to(&self.next_kernel(k), self.kde(k).kernel.owner.context, s, placed)
        }
    }

    /// Of a TB of a kernel, where there are neither contexts nor requests.
    pub(super) fn obstacle_of(&self, d: &Descriptor, s: usize) -> Option<Obstacle> {
        self.obstacle_to(d, 0, s, 0)
    }

    fn obstacle_to(&self, d: &Descriptor, context: usize, s: usize, placed: u32) -> Option<Obstacle> {
        let mut room = self.free(s).into_iter().zip(need(d));
        let has_room = room.all(|(free, need)| u64::from(free) >= u64::from(need) * u64::from(placed + 1));
        let obstacles = [
            (Obstacle::K, self.closed_k(d, s, placed)),
            (Obstacle::R, !has_room),
            (Obstacle::E, !self.eligible(s)),
            (Obstacle::X, self.closed_x(s, placed)),
            (Obstacle::M, self.closed_m(d, context, s)),
        ];
        obstacles.into_iter().find(|&(_, stands)| stands).map(|(obstacle, _)| obstacle)
    }

    /// Every SMX.
    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.tbcr.len()).collect()
    }

    /// Whether one of these SMXs takes a TB of an entry; of a kernel of clusters, whether they take all of the next unit
    /// (modern-G4).
    pub(super) fn takes(&self, k: usize, left: &[usize]) -> bool {
        if self.has_clusters(k) {
            self.find_gpc(k, left).is_some()
        } else {
            left.iter().any(|&s| self.obstacle(k, s).is_none())
        }
    }

    /// frontend-G4, modern-G4, for an entry that cannot be sent to the SMXs left to it.
    pub(super) fn verdict(&self, k: usize, left: &[usize]) -> Sched {
        verdict_on(&left.iter().map(|&s| self.obstacle(k, s)).collect::<Vec<_>>())
    }

    /// frontend-G4, where there are neither contexts nor requests.
    pub(super) fn verdict_of(&self, d: &Descriptor, left: &[usize]) -> Sched {
        verdict_on(&left.iter().map(|&s| self.obstacle_of(d, s)).collect::<Vec<_>>())
    }

    /// frontend-G3, frontend-G5: class and bypass of a TB that is about to start.
    pub(super) fn admission(&self, d: &Descriptor, s: usize) -> (Option<usize>, bool) {
        let class = self.class_of(d);
        (class, class.is_some_and(|c| self.class_residents(c, s).1 < self.caps[c][s].1))
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
        for Head { tag, d, left, entry } in heads {
            let mut allowed = left;
            let context = entry.map_or(0, |k| self.kde(k).kernel.owner.context);
            allowed.retain(|&s| !self.closed_x(s, 0) && !self.closed_m(&d, context, s) && !self.closed_k(&d, s, 0));
            if let Some(k) = entry {
                // modern-G4: these are gates as well.
                allowed.retain(|&s| !self.closed_p(k, s) && !self.closed_q(k) && !self.closed_d(k, s));
            }
            if allowed.is_empty() {
                continue;
            }
            let warps = threads_of(&d).div_ceil(self.config.warp);
            let need = Need { threads: threads_of(&d), regs: d.regs, smem: d.smem, warps };
            let mut words = [0; 4];
            allowed.iter().for_each(|s| words[s / 64] |= 1 << (s % 64));
            let head = WaitingHead { tag, need, allowed: SmxSet::from_words(words) };
            let taken = match entry {
                Some(k) => self.takes(k, &allowed),
                None => allowed.iter().any(|&s| self.obstacle_of(&d, s).is_none()),
            };
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

    /// launch2-Q2: whether a TB could be sent if gates E, X and K were open.
    pub(super) fn only_gates_keep(&self) -> bool {
        let mut open = self.clone();
        open.eligible.fill(true);
        open.block_caps.fill(self.config.tb_slots);
        open.caps.iter_mut().for_each(|caps| caps.fill((self.config.tb_slots, 0)));
        open.could_send()
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

/// What the obstacles on the SMXs left to an entry say, if it cannot be sent. Where an SMX is without obstacle, only a cluster can
/// stay unsent.
fn verdict_on(obstacles: &[Option<Obstacle>]) -> Sched {
    if obstacles.contains(&Some(Obstacle::Q)) {
        Sched::Quota
    } else if obstacles.contains(&Some(Obstacle::K)) {
        Sched::Capped
    } else if obstacles.contains(&None) {
        Sched::Frag
    } else if obstacles.iter().all(|&o| o == Some(Obstacle::R)) {
        Sched::NoRoom
    } else {
        Sched::Gated
    }
}

/// One slot, threads, registers, shared memory.
fn need(d: &Descriptor) -> [u32; 4] {
    [1, threads_of(d), d.regs, d.smem]
}
