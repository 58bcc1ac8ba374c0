//! The verbs of the gates, and what controllers ask (`frontend`, Interface, G and C2).

use crate::dispatch::Cursor;
use crate::error::Fault;
use crate::frontend::config::Config;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Sched};
use crate::id::{ClassId, KernelSlot, SmxId, UnitId};
use crate::residency::Need;
use crate::set::SmxSet;

/// The unit at the head of the line, for controllers that wake SMXs (C2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WaitingHead {
    /// Tag of the kernel or group whose TB is next.
    pub tag: u64,
    /// What that TB needs.
    pub need: Need,
    /// SMXs that may take it, were they eligible and free.
    pub allowed: SmxSet,
}

/// A unit in line, and whether only SMXs that are not eligible could take it.
struct Head {
    waiting: WaitingHead,
    is_asleep: bool,
}

impl<T: Tables> FrontEnd<T> {
    /// Gate E: only these SMXs take TBs.
    ///
    /// # Errors
    /// `BubbleOwnsMask` with an occupancy-bubble controller; `BadMask` if the set names an SMX that does not exist.
    pub fn set_eligible(&mut self, eligible: SmxSet) -> Result<(), Fault> {
        if self.bubble.is_some() {
            return Err(Fault::BubbleOwnsMask);
        }
        if !eligible.without(&self.all_smxs()).is_empty() {
            return Err(Fault::BadMask);
        }
        self.gates.set_eligible(eligible);
        Ok(())
    }

    /// Gate X: `smx` holds at most `cap` TBs; `tb_slots` is open. Nothing is evicted.
    ///
    /// # Errors
    /// `BadSmx`, `BadCap`.
    pub fn set_block_cap(&mut self, smx: SmxId, cap: u32) -> Result<(), Fault> {
        self.check_smx(smx)?;
        if cap > self.config.tb_slots {
            return Err(Fault::BadCap);
        }
        self.gates.set_block_cap(smx, cap as u8, self.residency.count_of(smx));
        Ok(())
    }

    /// Gate K: kernels with entry `pc` are of this class from now on; `None` empties the class. Its caps stay (G3).
    ///
    /// # Errors
    /// `BadClass`, `ClassTaken`.
    pub fn set_class(&mut self, class: ClassId, pc: Option<u64>) -> Result<(), Fault> {
        self.check_class(class)?;
        if pc.and_then(|pc| self.gates.class_of(pc)).is_some_and(|owner| owner != class) {
            return Err(Fault::ClassTaken);
        }
        self.gates.bind(class, pc);
        Ok(())
    }

    /// Gate K: `smx` holds at most `cap` TBs of the class, the first `by` of which bypass L1; `tb_slots` is open.
    ///
    /// # Errors
    /// `BadClass`, `BadSmx`, `BadCap`.
    pub fn set_class_cap(&mut self, class: ClassId, smx: SmxId, cap: u32, by: u32) -> Result<(), Fault> {
        self.check_class(class)?;
        self.check_smx(smx)?;
        if by > cap || cap > self.config.tb_slots {
            return Err(Fault::BadCap);
        }
        let entry = self.gates.cap_mut(class, smx);
        (entry.cap, entry.by) = (cap as u8, by as u8);
        Ok(())
    }

    /// Whether an active kernel of the class has unsent TBs or groups.
    ///
    /// # Errors
    /// `BadClass`.
    pub fn has_work(&self, class: ClassId) -> Result<bool, Fault> {
        self.check_class(class)?;
        let Some(pc) = self.gates.class(class) else { return Ok(false) };
        let mut entries = self.kd.active().map(|k| self.kd.get(k));
        Ok(entries.any(|e| e.kernel.descriptor.pc == pc && e.has_work()))
    }

    /// The first unit in line that no SMX can take although one that is not eligible is allowed to; else the first in line. A
    /// unit that waits for gate X, M or K on every SMX is passed over.
    ///
    /// First come, first served has one line, so `start` is 0; under LaPerm the heads of bind unit `start` and those behind it,
    /// wrapping, are the first in line, then that of queue 0, then a dependency graph.
    ///
    /// # Errors
    /// `BadUnit`.
    pub fn waiting_head(&self, start: u32) -> Result<Option<WaitingHead>, Fault> {
        let units = self.laperm.as_ref().map_or(1, |line| line.config.units());
        if start >= units {
            return Err(Fault::BadUnit);
        }
        Ok(match &self.laperm {
            None => self.first_waiting(self.fifo_heads()),
            Some(line) => {
                let units = line.queues.candidates_from(UnitId(start as u16), self.now);
                let units = units.filter_map(|e| {
                    let smxs = line.config.allowed(e.unit);
                    self.head(e.work.kde, self.tag_of(&e.work), smxs)
                });
                let graph = self.unsent_graph().and_then(|k| self.graph_head(k));
                self.first_waiting(units.chain(graph))
            }
        })
    }

    /// C2: the first head that no allowed SMX can take while one allowed is not eligible; else the first head.
    fn first_waiting(&self, heads: impl Iterator<Item = Head>) -> Option<WaitingHead> {
        let mut first = None;
        for Head { waiting, is_asleep } in heads {
            if is_asleep {
                return Some(waiting);
            }
            first.get_or_insert(waiting);
        }
        first
    }

    /// The heads of the FCFS FIFO: the first one, and those behind heads that only gate K keeps out (A3).
    fn fifo_heads(&self) -> impl Iterator<Item = Head> {
        let mut passes = true;
        let seen = self.kd.fifo().take_while(move |&k| {
            let seen = passes;
            passes &= self.find(k).is_err_and(|word| self.passes(&word));
            seen
        });
        seen.filter_map(|k| {
            let kde = self.kd.get(k);
            if kde.graph.is_some() {
                return self.graph_head(k);
            }
            let group = Cursor::of(kde).group;
            let tag = group.map_or(kde.kernel.descriptor.tag, |r| self.records.get(r).descriptor.tag);
            self.head(k, tag, self.all_smxs())
        })
    }

    /// What an entry of the FIFO waits for; loads aside.
    pub(crate) fn find(&self, k: KernelSlot) -> Result<(), Sched> {
        if self.kd.get(k).graph.is_some() { self.find_graph(k) } else { self.find_smx(k).map(drop) }
    }

    /// The head of a graph kernel: it counts while it has a node to send.
    fn graph_head(&self, k: KernelSlot) -> Option<Head> {
        self.graph_candidate().ok()?;
        self.head(k, self.kd.get(k).kernel.descriptor.tag, self.all_smxs())
    }

    /// A head of kernel `k` that may run on `smxs`; `None` if X, M or K keeps it off all of them.
    fn head(&self, k: KernelSlot, tag: u64, smxs: SmxSet) -> Option<Head> {
        let doors = self.doors();
        let mut allowed = SmxSet::EMPTY;
        let (mut taken, mut asleep) = (false, false);
        for smx in smxs.iter().filter(|&smx| !doors.is_closed(k, smx)) {
            allowed.set(smx, true);
            let eligible = self.gates.eligible().contains(smx);
            taken |= eligible && doors.has_room(k, smx);
            asleep |= !eligible;
        }
        let waiting = WaitingHead { tag, need: self.kd.get(k).need, allowed };
        (!allowed.is_empty()).then_some(Head { waiting, is_asleep: !taken && asleep })
    }

    pub(crate) fn all_smxs(&self) -> SmxSet {
        SmxSet::first(self.config.n_smx)
    }

    fn check_smx(&self, smx: SmxId) -> Result<(), Fault> {
        let Config { n_smx, .. } = self.config;
        if u32::from(smx.0) < n_smx { Ok(()) } else { Err(Fault::BadSmx) }
    }

    fn check_class(&self, class: ClassId) -> Result<(), Fault> {
        if self.gates.has_class(class) { Ok(()) } else { Err(Fault::BadClass) }
    }

    /// What the scheduler would say if every SMX were empty: can anything be sent at all (Q1)?
    pub(crate) fn could_send_when_empty(&self) -> bool {
        if self.laperm.is_some() {
            let sends_node = |k| self.could_send_node(k).is_ok();
            return self.could_visit_when_empty() || self.unsent_graph().is_some_and(sends_node);
        }
        for k in self.kd.fifo() {
            let is_graph = self.kd.get(k).graph.is_some();
            match if is_graph { self.could_send_node(k) } else { self.could_start_when_empty(k) } {
                Ok(()) => return true,
                Err(word) if self.passes(&word) => {}
                Err(_) => return false,
            }
        }
        false
    }

    /// Whether an SMX would take a kernel's TB if all were empty.
    pub(crate) fn could_start_when_empty(&self, k: KernelSlot) -> Result<(), Sched> {
        let class = self.gates.class_of(self.kd.get(k).kernel.descriptor.pc);
        let mut word = Sched::Gated;
        for smx in self.host_eligible().iter() {
            if self.gates.is_full_with(smx, 0) {
                continue;
            }
            if !self.gates.is_capped(class, smx, |_| 0) {
                return Ok(());
            }
            word = Sched::Capped;
        }
        Err(word)
    }
}
