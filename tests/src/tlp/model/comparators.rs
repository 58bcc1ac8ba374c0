//! O and V: the pool, and what the source compares with.

use gpusched::tlp::{
    KernelId, KernelType, Next, OwnedSm, Pending, Picked, Pref, Proposal, Reported, Sent, SentTb, Sharer,
    SharerTbEnded, SmcPhase, Submitted, TlpConfig,
};
use gpusched::{Fault, SmxId};

use super::fit;
use crate::calls::{tlp_leftover as leftover, tlp_pool as pool, tlp_smart_even as smart_even, tlp_smc as smc};
use crate::tlp::{View, kernel};

/// tlp-O1 to O3.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    config: TlpConfig,
    entries: Vec<Option<Pending>>,
    added: u64,
}

impl Pool {
    pub(super) fn new(config: &TlpConfig) -> Self {
        Self { config: *config, entries: vec![None; config.pool_cap as usize], added: 0 }
    }

    pub(super) fn take(&mut self, event: &pool::Event) -> Result<pool::Answer, Fault> {
        use pool::{Answer, Event};
        Ok(match *event {
            Event::Add { kind, pref, ready } => {
                let i = self.entries.iter().position(Option::is_none).ok_or(Fault::PoolFull)?;
                self.entries[i] = Some(Pending { kind, pref, ready, seq: self.added });
                self.added += 1;
                Answer::Add(kernel(i as u32))
            }
            Event::Ready { i } => {
                let entry = self.entries.get_mut(usize::from(i.0)).and_then(Option::as_mut).ok_or(Fault::BadIndex)?;
                entry.ready = true;
                Answer::Done
            }
            Event::PickPair => {
                let mut ready = self.ready();
                ready.sort_by_key(|(_, kernel)| (kernel.kind == KernelType::Up, kernel.seq));
                let Some(&(a, first)) = ready.first() else { return Ok(Answer::Picked(None)) };
                self.entries[a] = None;
                let b = self.pick_next(first.kind, first.pref).map(|next| next.i);
                Answer::Picked(Some(Picked { a: kernel(a as u32), b }))
            }
            Event::PickNext { kind, pref } => Answer::Next(self.pick_next(kind, pref)),
        })
    }

    fn ready(&self) -> Vec<(usize, Pending)> {
        let all = self.entries.iter().enumerate().filter_map(|(i, entry)| Some((i, (*entry)?)));
        all.filter(|(_, kernel)| kernel.ready).collect()
    }

    fn pick_next(&mut self, kind: KernelType, pref: Pref) -> Option<Next> {
        let mut ready = self.ready();
        let up = |kernel: &Pending| self.config.avoid_upup && kernel.kind == KernelType::Up && kind == KernelType::Up;
        ready.sort_by_key(|(_, kernel)| (kernel.pref == pref, up(kernel), kernel.seq));
        let &(i, next) = ready.first()?;
        self.entries[i] = None;
        Some(Next { i: kernel(i as u32), complementary: next.pref != pref })
    }

    pub(super) fn view(&self) -> View {
        View::Pool { entries: self.entries.clone(), added: self.added }
    }
}

/// tlp-V1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeftOver {
    config: TlpConfig,
    entries: Vec<Option<Submitted>>,
    /// TBs as (SM, entry).
    tbs: Vec<(u32, u32)>,
    pointer: u32,
    submitted: u64,
}

impl LeftOver {
    pub(super) fn new(config: &TlpConfig) -> Self {
        let entries = vec![None; config.qcap as usize];
        Self { config: *config, entries, tbs: Vec::new(), pointer: 0, submitted: 0 }
    }

    fn resident(&self, sm: u32, k: u32) -> u32 {
        self.tbs.iter().filter(|&&tb| tb == (sm, k)).count() as u32
    }

    pub(super) fn take(&mut self, event: &leftover::Event) -> Result<leftover::Answer, Fault> {
        use leftover::{Answer, Event};
        Ok(match *event {
            Event::Submit { needs, n_tb } => {
                if needs.threads == 0 || n_tb == 0 {
                    return Err(Fault::BadKernel);
                }
                if fit::remain(&self.config, needs, &[]) == 0 {
                    return Err(Fault::TbTooBig);
                }
                let k = self.entries.iter().position(Option::is_none).ok_or(Fault::QueueFull)?;
                self.entries[k] = Some(Submitted { needs, n_tb, next: 0, finished: 0, seq: self.submitted });
                self.submitted += 1;
                Answer::Submit(kernel(k as u32))
            }
            Event::Dispatch => Answer::Sent(self.send()),
            Event::Finish { sm, k } => {
                let at = self.tbs.iter().position(|&tb| tb == (sm.0.into(), k.0.into())).ok_or(Fault::NotResident)?;
                self.tbs.remove(at);
                let entry = &mut self.entries[usize::from(k.0)];
                let of = entry.as_mut().unwrap();
                of.finished += 1;
                let done = of.finished == of.n_tb;
                if done {
                    *entry = None;
                }
                Answer::Finish(done)
            }
        })
    }

    fn send(&mut self) -> Sent {
        let waiting = self.entries.iter().enumerate().filter_map(|(k, entry)| Some((k as u32, (*entry)?)));
        let head = waiting.filter(|(_, of)| of.next < of.n_tb).min_by_key(|(_, of)| of.seq);
        let Some((k, head)) = head else { return Sent::Empty };
        for i in 0..self.config.sms {
            let sm = (self.pointer + i) % self.config.sms;
            let residents = (0..self.config.qcap).map(|other| (other, self.resident(sm, other)));
            let residents = residents.filter(|(_, n)| *n > 0).collect::<Vec<_>>();
            let used = residents.iter().map(|&(other, n)| (n, self.entries[other as usize].unwrap().needs));
            let others = residents.iter().any(|&(other, _)| other != k);
            let room = fit::remain(&self.config, head.needs, &used.collect::<Vec<_>>());
            if room > 0 && !(others && self.config.idle_only) {
                self.entries[k as usize].as_mut().unwrap().next += 1;
                self.tbs.push((sm, k));
                self.pointer = (sm + 1) % self.config.sms;
                return Sent::Tb(SentTb { sm: SmxId(sm as u16), k: kernel(k), tb: head.next });
            }
        }
        Sent::NoRoom
    }

    pub(super) fn view(&self) -> View {
        let resident = |sm| (0..self.config.qcap).map(|k| self.resident(sm, k)).collect();
        View::LeftOver {
            entries: self.entries.clone(),
            resident: (0..self.config.sms).map(resident).collect(),
            pointer: SmxId(self.pointer as u16),
            submitted: self.submitted,
        }
    }
}

/// tlp-V2, tlp-V3.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SmartEven {
    config: TlpConfig,
    kernels: Vec<Sharer>,
    owners: Vec<Option<usize>>,
    resident: Vec<u32>,
    pointer: u32,
}

impl SmartEven {
    pub(super) fn new(config: &TlpConfig) -> Self {
        let sms = config.sms as usize;
        Self { config: *config, kernels: Vec::new(), owners: vec![None; sms], resident: vec![0; sms], pointer: 0 }
    }

    fn ended(&self, k: usize) -> bool {
        self.kernels[k].finished == self.kernels[k].n_tb
    }

    pub(super) fn ids(&self) -> Vec<Option<KernelId>> {
        self.owners.iter().map(|owner| owner.map(|k| kernel(k as u32))).collect()
    }

    pub(super) fn take(&mut self, event: &smart_even::Event) -> Result<smart_even::Answer, Fault> {
        use smart_even::{Answer, Event};
        Ok(match event {
            Event::Start { jobs } => {
                if (0..self.kernels.len()).any(|k| !self.ended(k)) {
                    return Err(Fault::Busy);
                }
                if jobs.is_empty() || jobs.len() > 8 {
                    return Err(Fault::BadArg);
                }
                let sms = self.config.sms;
                let n = jobs.len() as u32;
                if sms < n {
                    return Err(Fault::TooFewSms);
                }
                let mut kernels = Vec::new();
                for job in jobs {
                    if job.needs.threads == 0 || job.n_tb == 0 {
                        return Err(Fault::BadKernel);
                    }
                    let max = fit::remain(&self.config, job.needs, &[]);
                    if max == 0 {
                        return Err(Fault::TbTooBig);
                    }
                    kernels.push(Sharer { max, n_tb: job.n_tb, next: 0, finished: 0 });
                }
                let mut share = (0..n).map(|i| sms / n + u32::from(i < sms % n)).collect::<Vec<_>>();
                if self.config.smart {
                    let want = kernels.iter().map(|k| k.n_tb.div_ceil(k.max)).collect::<Vec<_>>();
                    let kept = share.iter().zip(&want).map(|(share, want)| *share.min(want)).collect::<Vec<_>>();
                    let mut spare = sms - kept.iter().sum::<u32>();
                    share = kept;
                    // As long as somebody wants more, one each in turn.
                    while spare > 0 && share.iter().zip(&want).any(|(share, want)| share < want) {
                        for (share, want) in share.iter_mut().zip(&want) {
                            if spare > 0 && *share < *want {
                                *share += 1;
                                spare -= 1;
                            }
                        }
                    }
                }
                let mut owners = Vec::new();
                for (k, share) in share.into_iter().enumerate() {
                    owners.extend((0..share).map(|_| Some(k)));
                }
                owners.resize(sms as usize, None);
                self.kernels = kernels;
                self.owners = owners;
                self.pointer = 0;
                Answer::Done
            }
            Event::Dispatch => Answer::Sent(self.send()),
            Event::Finish { sm } => {
                let at = usize::from(sm.0);
                if self.resident.get(at).is_none_or(|&n| n == 0) {
                    return Err(Fault::NotResident);
                }
                self.resident[at] -= 1;
                let k = self.owners[at].unwrap();
                self.kernels[k].finished += 1;
                let done = self.ended(k);
                if done {
                    for at in 0..self.owners.len() {
                        if self.owners[at].is_none_or(|owner| owner == k) {
                            let owned = |k: usize| self.owners.iter().filter(|owner| **owner == Some(k)).count();
                            let left = (0..self.kernels.len()).filter(|&k| !self.ended(k));
                            self.owners[at] = left.min_by_key(|&k| (owned(k), k));
                        }
                    }
                }
                Answer::SharerTbEnded(SharerTbEnded { k: kernel(k as u32), done })
            }
        })
    }

    fn send(&mut self) -> Sent {
        if self.kernels.iter().all(|k| k.next == k.n_tb) {
            return Sent::Empty;
        }
        for i in 0..self.config.sms {
            let sm = (self.pointer + i) % self.config.sms;
            let Some(k) = self.owners[sm as usize] else { continue };
            let of = &mut self.kernels[k];
            if of.next < of.n_tb && self.resident[sm as usize] < of.max {
                of.next += 1;
                self.resident[sm as usize] += 1;
                self.pointer = (sm + 1) % self.config.sms;
                return Sent::Tb(SentTb { sm: SmxId(sm as u16), k: kernel(k as u32), tb: of.next - 1 });
            }
        }
        Sent::NoRoom
    }

    pub(super) fn view(&self) -> View {
        View::SmartEven {
            running: (0..self.kernels.len()).any(|k| !self.ended(k)),
            kernels: self.kernels.clone(),
            sms: self
                .ids()
                .into_iter()
                .zip(&self.resident)
                .map(|(owner, &resident)| OwnedSm { owner, resident })
                .collect(),
            pointer: SmxId(self.pointer as u16),
        }
    }
}

/// tlp-V4: the trials that are left, in their order, each made of the best so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Smc {
    config: TlpConfig,
    phase: SmcPhase,
    current: Proposal,
    saved: Proposal,
    best: u64,
}

impl Smc {
    pub(super) fn new(config: &TlpConfig) -> Self {
        let none = Proposal::default();
        Self { config: *config, phase: SmcPhase::Idle, current: none, saved: none, best: 0 }
    }

    /// The trial of a phase.
    fn trial(&self, phase: SmcPhase) -> Option<Proposal> {
        let Proposal { mut sm, mut b } = self.saved;
        let (from, to) = match phase {
            SmcPhase::B0 | SmcPhase::B1 => {
                let of = &mut b[usize::from(phase == SmcPhase::B1)];
                *of -= 1;
                return (*of > 0).then_some(Proposal { sm, b });
            }
            SmcPhase::More | SmcPhase::EvenMore => (1, 0),
            SmcPhase::Less => (0, 1),
            SmcPhase::Idle | SmcPhase::Base => return None,
        };
        sm[from] -= 1;
        sm[to] += 1;
        (sm[from] > 0).then_some(Proposal { sm, b })
    }

    pub(super) fn take(&mut self, event: &smc::Event) -> Result<smc::Answer, Fault> {
        use SmcPhase::{B0, B1, Base, EvenMore, Idle, Less, More};
        use smc::{Answer, Event};
        Ok(match *event {
            Event::Start { max } => {
                if self.phase != Idle {
                    return Err(Fault::Busy);
                }
                if max[0] == 0 || max[1] == 0 {
                    return Err(Fault::BadArg);
                }
                let s = self.config.sms;
                self.saved = Proposal { sm: [s - s / 2, s / 2], b: max };
                (self.current, self.best, self.phase) = (self.saved, 0, Base);
                Answer::Proposal(self.current)
            }
            Event::Report { .. } if self.phase == Idle => return Err(Fault::NoProposal),
            Event::Report { perf } => {
                let better = perf > self.best;
                if better || self.phase == Base {
                    (self.saved, self.best) = (self.current, perf);
                }
                // What comes next, the first of which has room.
                let order: &[SmcPhase] = match (self.phase, better) {
                    (Idle, _) => unreachable!(),
                    (Base, _) | (B0, true) => &[B0, B1, More, Less],
                    (B0, false) | (B1, true) => &[B1, More, Less],
                    (B1, false) => &[More, Less],
                    (More | EvenMore, true) => &[EvenMore],
                    (More, false) | (Less, true) => &[Less],
                    (EvenMore | Less, false) => &[],
                };
                let next = order.iter().find_map(|&phase| Some((phase, self.trial(phase)?)));
                (self.phase, self.current) = next.unwrap_or((Idle, self.saved));
                Answer::Reported(Reported { proposal: self.current, done: self.phase == Idle })
            }
        })
    }

    pub(super) fn view(&self) -> View {
        View::Smc { phase: self.phase, current: self.current, saved: self.saved, best: self.best }
    }
}
