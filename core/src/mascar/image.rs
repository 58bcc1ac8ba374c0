//! The image of a Mascar machine. The form is described in `image.rs` of the crate. Ranks, sets and counts follow from the warps
//! and the queue.

use super::config::MascarConfig;
use super::lsu::{Instruction, Lsu, Presented, STORE};
use super::rexq::Entry;
use super::tables::{TableSet, TableSizes, Tables};
use super::warps::{Head, Kind};
use super::{Mascar, Owner, WarpId};
use crate::base::cycle::Cycle;
use crate::base::image::{Form, ImageError, Reader, Writer, image_verbs, possible};

const FORM: Form = Form { kind: 12, version: 1 };

image_verbs!(Mascar, MascarConfig, mascar_image_config);

/// What is told of a warp in sets.
#[derive(Clone, Copy, Default, serde::Serialize, serde::Deserialize)]
struct Bits {
    wst_mem: bool,
    wst_stall: bool,
    in_ready: bool,
    leftover: bool,
}

impl<T: Tables> Mascar<T> {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self {
            config,
            rules: _,
            longest: _,
            next_pick: _,
            flags,
            mode: _,
            owner,
            barred,
            warps,
            last,
            lsu,
            presented,
            no_offset: _,
            passed,
            rexq,
        } = self;
        w.put(config);
        w.put((self.picked(), flags, owner, barred, warps.next_age));
        w.list(warps.by_age().map(|warp| (warp, warps.head(warp), self.bits(warp))));
        last.iter().take(config.schedulers as usize).for_each(|last| w.put(last));
        w.put((lsu, presented, passed));
        w.list(rexq.iter());
    }

    fn bits(&self, w: WarpId) -> Bits {
        let (bit, sets) = (self.warps.bit(w), &self.warps.sets);
        let has = |set: u64| set & bit != 0;
        Bits {
            wst_mem: has(sets.wst_mem),
            wst_stall: has(sets.wst_stall),
            in_ready: has(sets.in_ready),
            leftover: has(sets.leftover),
        }
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let config = self.config;
        let (picked, next_age): (Option<Cycle>, u64);
        (picked, self.flags, self.owner, self.barred, next_age) = r.get()?;
        possible(picked.is_none_or(|picked| picked < Cycle(super::pick::END_OF_TIME)))?;
        self.next_pick = picked.map_or(Cycle::ZERO, |picked| picked.after(1));
        possible(u32::from(self.flags) >> config.sources.caches().len() == 0)?;
        self.mode = self.mode_of(self.flags);
        while let Some((w, head, bits)) = r.next::<(WarpId, Head, Bits)>()? {
            possible(self.warp_start(w).is_ok() && head.is_possible())?;
            self.read_bits(w, head, bits)?;
        }
        // Numbers of ages may have been used up since; they count on from the oldest.
        possible(u64::from(self.resident().count_ones()) <= next_age)?;
        self.warps.next_age = next_age;
        self.check_owner()?;
        for (s, last) in (0..config.schedulers).zip(&mut self.last) {
            *last = r.get()?;
            let of_it =
                |w: WarpId| u32::from(w.0) < config.warps && u32::from(w.0).checked_rem(config.schedulers) == Some(s);
            possible(last.is_none_or(|w| picked.is_some() && of_it(w)))?;
        }
        let bits = self.last.iter().flatten().map(|&w| self.warps.bit(w));
        self.warps.sets.greedy = bits.fold(0, |all, bit| all | bit);
        (self.lsu, self.presented, self.passed) = r.get()?;
        while let Some(entry) = r.next::<Entry>()? {
            possible(!self.rexq.is_full() && self.is_entry(&entry))?;
            self.rexq.push(entry);
            self.warps.queued(entry.warp);
        }
        self.check_lsu()
    }

    /// Puts a warp's head and its places in sets back.
    fn read_bits(&mut self, w: WarpId, head: Head, bits: Bits) -> Result<(), ImageError> {
        let Bits { wst_mem, wst_stall, in_ready, leftover } = bits;
        possible(self.picked().is_some() || !(wst_mem || wst_stall || in_ready || leftover))?;
        // A warp is in the ready queue with the head that it had there, and is not stalled.
        let issues = head.ready && (head.kind == Kind::Alu || head.kind == Kind::Mem);
        possible(!in_ready || (issues && !wst_stall && wst_mem == (head.kind == Kind::Mem)))?;
        // mascar-M3, mascar-M5: leftovers and stalled warps of an owner are those of MP mode.
        possible(!leftover || (self.is_mp() && head.kind == Kind::Mem))?;
        self.warps.set_head(w, head);
        let bit = self.warps.bit(w);
        let sets = &mut self.warps.sets;
        let members = [
            (&mut sets.wst_mem, wst_mem),
            (&mut sets.wst_stall, wst_stall),
            (&mut sets.in_ready, in_ready),
            (&mut sets.leftover, leftover),
        ];
        members.into_iter().filter(|(_, member)| *member).for_each(|(set, _)| *set |= bit);
        Ok(())
    }

    /// EP mode has no owner, and a barred warp waits for one.
    fn check_owner(&mut self) -> Result<(), ImageError> {
        let resident = |w: WarpId| self.warps.is_resident(w);
        let Some(picked) = self.picked() else { return possible(self.owner.is_none() && self.barred.is_none()) };
        possible(self.owner.is_none_or(|Owner { warp, since }| self.is_mp() && resident(warp) && since <= picked))?;
        possible(self.barred.is_none_or(|w| self.is_mp() && resident(w) && self.owner.is_none()))?;
        self.set_owner(self.owner);
        Ok(())
    }

    /// Whether this machine's queue can hold an entry: of a warp that is there, and of one instruction of it.
    fn is_entry(&self, entry: &Entry) -> bool {
        let &Entry { warp, dst, ref request } = entry;
        let same = |other: &Entry| other.warp != warp || other.dst == dst;
        self.warps.is_resident(warp)
            && dst <= STORE
            && request.is_possible(self.config.warp_size, &self.no_offset)
            && u32::from(self.warps.entries(warp)) < self.config.warp_size
            && self.rexq.iter().all(same)
    }

    /// What the LSU, the queue and the presented request are to each other.
    fn check_lsu(&self) -> Result<(), ImageError> {
        let config = &self.config;
        possible(self.picked().is_some() || (self.lsu.is_idle() && self.rexq.is_empty()))?;
        let is_instruction = |&Instruction { warp, dst, nreq, left }: &Instruction| {
            let others = u32::from(self.warps.entries(warp)) + u32::from(left);
            self.warps.is_resident(warp)
                && dst <= STORE
                && left > 0
                && others <= u32::from(nreq)
                && u32::from(nreq) <= config.warp_size
                && self.rexq.iter().all(|entry| entry.warp != warp || entry.dst == dst)
        };
        possible(match &self.lsu {
            Lsu::Idle => true,
            Lsu::Await(warp) => self.warps.is_resident(*warp) && self.warps.entries(*warp) == 0,
            Lsu::Busy(instruction) => is_instruction(instruction),
            Lsu::Blocked { instruction, held, after_head } => {
                is_instruction(instruction)
                    && self.rexq.is_full()
                    && held.is_possible(config.warp_size, &self.no_offset)
                    && !(*after_head && self.rexq.is_empty())
            }
        })?;
        possible(match self.presented {
            None => true,
            Some(Presented::New) => matches!(self.lsu, Lsu::Busy(_)),
            Some(Presented::Blocked) => {
                let alone = self.rexq.is_empty() || config.retry_owner;
                matches!(self.lsu, Lsu::Blocked { after_head: false, .. }) && alone
            }
            Some(Presented::Rexq) => !self.rexq.is_empty() && self.passed == 0,
        })?;
        possible(u32::from(self.passed) <= config.starve_limit && (self.passed == 0 || !self.rexq.is_empty()))
    }
}
