//! The model's dtbl-T4: first come, first served and round robin (frontend-T4f), and what every dispatch does.

use gpusched::{Decision, KernelSlot, LoadMode, RecordId, Sched, SlotId, SmxId, TbPlacement};

use super::{Asked, Member, Model, Ref, Sscr, Tb, tbs_of};

impl Model {
    pub(super) fn t4_dispatch(&mut self) -> Sched {
        if self.laperm.is_some() {
            return self.t4_laperm();
        }
        let Some(&head) = self.fifo.first() else { return Sched::Idle };
        let mut head_word = None;
        let mut left = self.all_left();
        for k in self.fifo.clone() {
            let tried = self.tried_on(k, &left);
            if tried.is_empty() {
                continue;
            }
            let unit = self.unit(k);
            let sent = if self.kde(k).graph.is_some() {
                self.try_graph(k, &tried)
            } else if self.has_clusters(k) {
                self.try_cluster(k, &tried)
            } else {
                self.try_entry(k, &tried)
            };
            match sent {
                Ok(tb) => {
                    self.stats.passed += if k == head { 0 } else { u64::from(unit) };
                    return Sched::Tb(tb);
                }
                Err(word) => {
                    head_word.get_or_insert(word);
                    self.keep(k, word, &tried, &mut left);
                    if left.iter().all(Vec::is_empty) {
                        break;
                    }
                }
            }
        }
        head_word.expect("the head was tried")
    }

    pub(super) fn native_left(&self, k: usize) -> bool {
        let kde = self.kde(k);
        kde.restored < kde.kernel.saved || kde.kernel.next_native < tbs_of(&kde.kernel.descriptor)
    }

    /// What an entry that was not tried yet sends first.
    pub(super) fn fresh(&self, k: usize) -> Sscr {
        let kde = self.kde(k);
        Sscr {
            agei: if kde.first { None } else { kde.nagei },
            next_bl: if kde.first { kde.kernel.next_native } else { 0 },
            load: 0,
            load_at: 0,
            turn: 0,
        }
    }

    fn try_entry(&mut self, k: usize, left: &[usize]) -> Result<TbPlacement, Sched> {
        let mut sscr = match self.cursors.get(&k) {
            Some(sscr) => *sscr,
            None => self.fetched(self.fresh(k)),
        };
        if let Some(r) = sscr.agei
            && self.group(r).age.is_none()
            && sscr.load != 2
        {
            if sscr.load == 0 {
                self.emit(Decision::Load { record: RecordId(r as u32) });
                sscr.load = 1;
                sscr.load_at = self.now.saturating_add(self.config.load_cycles.into());
            }
            if self.config.load_mode == LoadMode::External || self.now < sscr.load_at {
                self.cursors.insert(k, sscr);
                return Err(Sched::Load);
            }
            sscr.load = 2;
        }
        self.cursors.insert(k, sscr);
        self.t4a_look_ahead(k, sscr.agei);
        let n = self.tbcr.len();
        let round = (0..n).map(|i| (self.rr + i) % n).filter(|s| left.contains(s));
        let taker = round.into_iter().find(|&s| self.obstacle(k, s).is_none());
        let Some(s) = taker else { return Err(self.verdict(k, left)) };
        self.rr = (s + 1) % self.tbcr.len();
        Ok(self.send(k, s, sscr))
    }

    /// SSCR takes over what the load buffer has of its AGEI.
    fn fetched(&mut self, sscr: Sscr) -> Sscr {
        let is_of = |a: &Option<Asked>| a.is_some() && a.map(|a| a.record) == sscr.agei;
        match self.ahead.iter_mut().find(|a| is_of(a)).and_then(Option::take) {
            Some(Asked { load, load_at, .. }) => Sscr { load, load_at, ..sscr },
            None => sscr,
        }
    }

    /// dtbl-T4a.
    fn t4a_look_ahead(&mut self, k: usize, agei: Option<usize>) {
        let mut next = match agei {
            Some(r) => self.group(r).next.map(|(next, _)| next),
            None => self.kde(k).nagei,
        };
        for _ in 0..self.config.load_ahead {
            let Some(r) = next else { return };
            if self.group(r).age.is_none() {
                let asked = self.ahead.iter().flatten().find(|a| a.record == r);
                let Some(asked) = asked else {
                    let load_at = self.now.saturating_add(self.config.load_cycles.into());
                    if let Some(place) = self.ahead.iter_mut().find(|place| place.is_none()) {
                        *place = Some(Asked { record: r, load: 1, load_at });
                        self.emit(Decision::Load { record: RecordId(r as u32) });
                    }
                    return;
                };
                let fixed = self.config.load_mode == LoadMode::Fixed;
                if asked.load == 1 && !(fixed && self.now >= asked.load_at) {
                    return;
                }
            }
            next = self.group(r).next.map(|(next, _)| next);
        }
    }

    pub(super) fn send(&mut self, k: usize, s: usize, mut sscr: Sscr) -> TbPlacement {
        let (part, blkid) = match sscr.agei {
            None => {
                let kde = self.kde_mut(k);
                if kde.restored < kde.kernel.saved {
                    kde.restored += 1;
                    (Ref::Restored, kde.restored - 1)
                } else {
                    kde.kernel.next_native += 1;
                    sscr.next_bl = kde.kernel.next_native;
                    (Ref::Native, sscr.next_bl - 1)
                }
            }
            Some(r) => {
                self.group_mut(r).exe += 1;
                sscr.next_bl += 1;
                (Ref::Group(r), sscr.next_bl - 1)
            }
        };
        let placement = self.place(k, s, part, blkid, 0);
        self.after_sending(k, sscr);
        placement
    }

    /// A TB takes the lowest free slot of an SMX.
    pub(super) fn place(&mut self, k: usize, s: usize, part: Ref, blkid: u32, prio: u32) -> TbPlacement {
        self.place_in(k, s, part, blkid, prio, None)
    }

    /// The same of a TB that may be of a cluster.
    pub(super) fn place_in(
        &mut self,
        k: usize,
        s: usize,
        part: Ref,
        blkid: u32,
        prio: u32,
        member: Option<Member>,
    ) -> TbPlacement {
        let w = self.tbcr[s].iter().position(Option::is_none).expect("a slot is free");
        // The first TB of a device kernel or group ends its wait.
        let launched = match part {
            Ref::Group(r) => self.is_first_of_group(r, blkid).then_some(self.record(r).t0),
            _ => self.kde_mut(k).t0.take(),
        };
        if let Some(t0) = launched {
            self.stats.dyn_n += 1;
            self.stats.dyn_wait = self.stats.dyn_wait.saturating_add(self.now - t0);
        }
        self.stats.tbs += 1;
        self.kde_mut(k).exe += 1;
        let descriptor = self.kernel_of_tb(k, part, blkid);
        let (class, bypass) = self.admission(&descriptor, s);
        self.tbcr[s][w] =
            Some(Tb { kde: k, part, blkid, prio, class, bypass, member, has_triggered: false, is_waiting: false });
        self.bubble_dispatched(s, &descriptor);
        let tag = match part {
            Ref::Group(r) => self.record(r).descriptor.tag,
            _ => self.kde(k).kernel.descriptor.tag,
        };
        let (smx, slot, kde) = (SmxId(s as u16), SlotId(w as u8), KernelSlot(k as u8));
        let placement = TbPlacement { smx, slot, kde, tb_ref: self.tb_ref(part), blkid, tag };
        self.emit(Decision::Tb(placement));
        if bypass {
            self.emit(Decision::Bypass { smx, slot });
        }
        // modern-S3.
        let cycles = self.restore_cycles(&descriptor);
        if part == Ref::Restored && cycles > 0 {
            self.emit(Decision::Restore { smx, slot, cycles });
        }
        placement
    }

    pub(super) fn after_sending(&mut self, k: usize, mut sscr: Sscr) {
        let more = match sscr.agei {
            None => self.native_left(k),
            Some(r) => sscr.next_bl < tbs_of(&self.record(r).descriptor),
        };
        if more {
            self.cursors.insert(k, sscr);
            return;
        }
        match sscr.agei {
            None => self.kde_mut(k).first = false,
            Some(r) => {
                self.group_mut(r).dist = true;
                sscr.turn += 1;
                let next = self.group(r).next.map(|(next, _)| next);
                self.kde_mut(k).nagei = next;
                if next.is_none() {
                    self.kde_mut(k).lagei = None;
                }
            }
        }
        let kde = KernelSlot(k as u8);
        let limit = self.config.turn_groups;
        let turn_over = sscr.agei.is_some() && 0 < limit && limit <= sscr.turn;
        if self.kde(k).nagei.is_none() {
            self.fifo.retain(|&marked| marked != k);
            self.cursors.remove(&k);
            self.emit(Decision::Unmark { kde });
        } else if turn_over && self.fifo[0] == k && self.fifo.len() > 1 {
            self.fifo.remove(0);
            self.mark(k);
            self.cursors.remove(&k);
            self.emit(Decision::Rotate { kde });
        } else {
            let agei = self.kde(k).nagei;
            let next = self.fetched(Sscr { agei, next_bl: 0, load: 0, load_at: 0, turn: sscr.turn });
            self.cursors.insert(k, next);
        }
    }
}
