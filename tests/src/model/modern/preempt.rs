//! The model's preemption: requests that SMXs be drained (modern-D1 to modern-D4), and the saving of kernels (modern-S1 to
//! modern-S4).

use std::collections::BTreeMap;

use gpusched::{
    ContextId, Cycle, Decision, Descriptor, DrainId, DrainView, Fault, KernelSlot, SlotId, SmxId, SmxSet, SuspId,
};

use super::{Member, members, set_of};
use crate::events::Value;
use crate::model::{Kernel, Model, Suspended, Tb};

/// Whose TBs are to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    All,
    Context(usize),
    Kernel(usize),
}

/// A request that SMXs be drained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    victim: Victim,
    smxs: Vec<usize>,
    done: bool,
}

impl Model {
    // ---- modern-D1 to modern-D4

    fn is_victim(&self, victim: Victim, k: usize) -> bool {
        match victim {
            Victim::All => true,
            Victim::Context(c) => self.kde(k).kernel.owner.context == c,
            Victim::Kernel(other) => k == other,
        }
    }

    /// modern-G1: D, which stands until the request is released, whether it is done or not.
    pub(in crate::model) fn closed_d(&self, k: usize, s: usize) -> bool {
        let requests = self.modern.drains.iter().flatten();
        requests.filter(|request| request.smxs.contains(&s)).any(|request| self.is_victim(request.victim, k))
    }

    /// modern-D1.
    pub(in crate::model) fn drain(&mut self, smxs: SmxSet, c: Option<u32>, k: Option<u32>) -> Result<Value, Fault> {
        if self.config.preempt.is_none() {
            return Err(Fault::NoPreempt);
        }
        let smxs = members(smxs.words());
        if smxs.is_empty() || smxs.iter().any(|&s| s >= self.tbcr.len()) {
            return Err(Fault::BadSmx);
        }
        let victim = match (k, c) {
            (Some(k), _) => {
                self.active(k as usize)?;
                Victim::Kernel(k as usize)
            }
            (None, Some(c)) => Victim::Context(self.context(c)?),
            (None, None) => Victim::All,
        };
        let i = self.modern.drains.iter().position(Option::is_none).ok_or(Fault::DrainFull)?;
        self.modern.drains[i] = Some(Request { victim, smxs, done: false });
        Ok(Value::Number(i as u32))
    }

    /// modern-D3.
    pub(in crate::model) fn release_drain(&mut self, i: u32) -> Result<(), Fault> {
        let request = self.modern.drains.get_mut(i as usize).ok_or(Fault::BadDrain)?;
        request.take().map(drop).ok_or(Fault::BadDrain)
    }

    /// modern-D2, modern-D4: at the end of each call, and of what a tick begins with.
    pub(in crate::model) fn tell_drains(&mut self) {
        for i in 0..self.modern.drains.len() {
            let Some(Request { victim, smxs, done }) = self.modern.drains[i].clone() else { continue };
            let drain = DrainId(i as u8);
            let on = |s: &usize| self.tbcr[*s].iter().flatten().any(|tb: &Tb| self.is_victim(victim, tb.kde));
            if !done && !smxs.iter().any(on) {
                self.modern.drains[i] = Some(Request { victim, smxs, done: true });
                self.emit(Decision::Drained { drain });
            }
            if matches!(victim, Victim::Kernel(k) if self.kdes[k].is_none()) {
                self.modern.drains[i] = None;
                self.emit(Decision::DrainEnd { drain });
            }
        }
    }

    pub(in crate::model) fn drain_view(&self) -> BTreeMap<u8, DrainView> {
        let used = self.modern.drains.iter().enumerate().filter_map(|(i, request)| Some((i, request.as_ref()?)));
        let view = |request: &Request| DrainView {
            smxs: set_of(&request.smxs),
            victim: match request.victim {
                Victim::All => gpusched::Victim::All,
                Victim::Context(c) => gpusched::Victim::Context { context: ContextId(c as u8) },
                Victim::Kernel(k) => gpusched::Victim::Kernel { kde: KernelSlot(k as u8) },
            },
            is_done: request.done,
        };
        used.map(|(i, request)| (i as u8, view(request))).collect()
    }

    // ---- modern-S1 to modern-S3

    /// dtbl-S1's checks, as modern-S1 has them.
    fn check_suspension(&self, k: usize) -> Result<(), Fault> {
        self.active(k)?;
        let kde = self.kde(k);
        let used = self.suspended.iter().flatten().count();
        let being_saved = self.kdes.iter().flatten().filter(|entry| entry.saving.is_some()).count();
        let checks = [
            (kde.graph.is_some(), Fault::GraphKernel),
            (self.overlaps(k), Fault::PdlKernel),
            (kde.saving.is_some(), Fault::Saving),
            (kde.retain, Fault::Retained),
            (kde.live > 0, Fault::HasGroups),
            (kde.restored < kde.kernel.saved, Fault::RestorePending),
            (self.natives_are_in_pieces(k), Fault::Split),
            (kde.exe == 0, Fault::NothingResident),
            (kde.kernel.depth >= self.config.sync_depth, Fault::SyncDepth),
            (used + being_saved >= self.suspended.len(), Fault::SuspFull),
        ];
        checks.into_iter().find(|&(refuses, _)| refuses).map_or(Ok(()), |(_, fault)| Err(fault))
    }

    /// dtbl-S1.
    pub(in crate::model) fn suspend(&mut self, k: u32) -> Result<Value, Fault> {
        let k = k as usize;
        self.check_suspension(k)?;
        Ok(Value::Number(self.take_off_kernel(k)))
    }

    /// The rest of dtbl-S1. The place of the kernel in the list.
    fn take_off_kernel(&mut self, k: usize) -> u32 {
        let i = self.suspended.iter().position(Option::is_none).expect("the room was checked");
        let (mut saved, mut places) = (0, Vec::new());
        for s in 0..self.tbcr.len() {
            for w in 0..self.tbcr[s].len() {
                let Some(tb) = self.tbcr[s][w].filter(|tb| tb.kde == k) else { continue };
                let (smx, slot) = (SmxId(s as u16), SlotId(w as u8));
                self.emit(Decision::Saved { smx, slot, tb_ref: self.tb_ref(tb.part), blkid: tb.blkid });
                self.take_off(s, w);
                saved += 1;
                places.push(tb.member);
            }
        }
        // modern-S4: of a kernel of clusters each TB has its place in one.
        let members: Vec<Member> = places.into_iter().flatten().collect();
        self.withdraw_natives(k);
        self.fifo.retain(|&marked| marked != k);
        self.cursors.remove(&k);
        let kde = self.kdes[k].take().expect("the entry was checked");
        let kernel = Kernel { saved, members, ..kde.kernel };
        self.suspended[i] = Some(Suspended { kernel, resumed: None });
        self.emit(Decision::Suspend { kde: KernelSlot(k as u8), index: SuspId(i as u8) });
        i as u32
    }

    /// modern-S1, modern-S2.
    pub(in crate::model) fn save_kernel(&mut self, k: u32) -> Result<Value, Fault> {
        let part = self.config.preempt.ok_or(Fault::NoPreempt)?;
        let k = k as usize;
        self.check_suspension(k)?;
        let bytes = context_bytes(&self.kde(k).kernel.descriptor);
        let on = |slots: &Vec<Option<Tb>>| slots.iter().flatten().filter(|tb| tb.kde == k).count() as u64 * bytes;
        let most = self.tbcr.iter().map(on).max().unwrap_or(0);
        let n = u64::from(part.save_base) + cycles(most, part.save_bytes);
        if n == 0 {
            self.take_off_kernel(k);
            return Ok(Value::Cycles(self.now));
        }
        let until = self.now.saturating_add(n);
        self.fifo.retain(|&marked| marked != k);
        self.cursors.remove(&k);
        self.kde_mut(k).saving = Some(until);
        self.emit(Decision::Save { kde: KernelSlot(k as u8), until: Cycle(until) });
        Ok(Value::Cycles(until))
    }

    /// modern-S2: what the tick of a cycle begins with.
    pub(in crate::model) fn t0_saves(&mut self) {
        let saving = self.kdes.iter().enumerate().filter_map(|(k, entry)| Some((entry.as_ref()?.saving?, k)));
        let mut due: Vec<(u64, usize)> = saving.filter(|&(until, _)| until <= self.now).collect();
        due.sort_unstable();
        for (_, k) in due {
            self.take_off_kernel(k);
        }
        self.tell_drains();
    }

    /// modern-S3: the cycles after which a restored TB starts.
    pub(in crate::model) fn restore_cycles(&self, d: &Descriptor) -> u64 {
        let Some(part) = self.config.preempt else { return 0 };
        u64::from(part.restore_base) + cycles(context_bytes(d), part.restore_bytes)
    }
}

/// What of a TB is saved and restored.
fn context_bytes(d: &Descriptor) -> u64 {
    4 * u64::from(d.regs) + u64::from(d.smem)
}

/// The cycles for so many bytes; none if they cost nothing.
fn cycles(bytes: u64, per_cycle: u32) -> u64 {
    if per_cycle == 0 { 0 } else { bytes.div_ceil(per_cycle.into()) }
}
