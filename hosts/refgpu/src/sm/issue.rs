//! The issue phase: schedulers pick, instructions take effect, results are booked, the next ones are fetched (refgpu-W2 to W5).

use super::blocks::Phase;
use super::wheel::Result;
use super::{LaunchCall, Outbox, Sm, Tb, Unit, registers};
use crate::coalesce::{atomic_conflicts, bank_conflicts};
use crate::erased::AnyWorkload;
use crate::lsu::Lsu;
use crate::noc::Kind;
use crate::program::{Class, Effects, Inst};
use crate::remote::RemoteAccess;
use crate::stats::STREAMS;
use gpusched::Descriptor;
use gpusched::simt::scoreboard::{Issue, WarpId};

impl Sm {
    /// Every scheduler issues at most one instruction, in the order c, c + 1, ... (refgpu-W4).
    pub(super) fn issue(&mut self, now: u64, work: &mut AnyWorkload<'_>, effects: &mut Effects, out: &mut Outbox) {
        let mut usable = self.ready;
        self.phase = Phase { cycle: now, issued: 0, empty: 0 };
        if self.bubble != 0 {
            self.phase.empty = if self.bubble_cycle == now { self.bubble } else { 0 };
            usable &= !self.phase.empty;
            self.bubble = 0;
        }
        let mut issued = 0;
        if usable & !self.blocked_by_latch() != 0 {
            issued = self.issue_each(now, usable, work, effects, out);
        }
        self.stats.issue_cycles += u64::from(issued != 0);
        if issued != (1 << self.schedulers.len()) - 1 {
            let (memory, structural) = self.waiting_schedulers(self.ready & usable, issued);
            self.stats.memory_stalls += memory;
            self.stats.structural_stalls += structural;
        }
        if self.released != 0 {
            self.release();
        }
    }

    /// Lets the schedulers of these warps issue; returns which did, one bit each.
    fn issue_each(
        &mut self,
        now: u64,
        usable: u64,
        work: &mut AnyWorkload<'_>,
        effects: &mut Effects,
        out: &mut Outbox,
    ) -> u64 {
        let n = self.schedulers.len();
        let mut issued = 0;
        for turn in 0..n {
            // The number of schedulers is a power of two.
            let s = (now as usize).wrapping_add(turn) & (n - 1);
            let candidates = usable & self.schedulers[s].warps;
            if candidates == 0 {
                continue;
            }
            let candidates = self.with_free_unit(now, candidates);
            if candidates != 0 {
                let w = self.schedulers[s].pick(candidates, &self.age) as usize & 63;
                self.issue_one(now, w, work, effects, out);
                issued |= 1 << s;
            }
        }
        issued
    }

    /// Warps that cannot enter the LSU, or the texture unit, now.
    #[inline]
    pub(super) fn blocked_by_latch(&self) -> u64 {
        let behind = |unit: &Lsu, heads: Unit| if unit.is_free() { 0 } else { self.heads[heads as usize] };
        behind(&self.lsu, Unit::Lsu) | behind(&self.texture, Unit::Texture)
    }

    /// Of these warps, those whose unit can take an instruction.
    #[inline]
    fn with_free_unit(&self, now: u64, mut warps: u64) -> u64 {
        let heads = |unit: Unit| self.heads[unit as usize];
        warps &= !self.blocked_by_latch();
        if warps & heads(Unit::Sp) != 0 && !self.sp.available(now) {
            warps &= !heads(Unit::Sp);
        }
        if warps & heads(Unit::Sfu) != 0 && !self.sfu.available(now) {
            warps &= !heads(Unit::Sfu);
        }
        if warps & heads(Unit::Dp) != 0 && !self.dp.available(now) {
            warps &= !heads(Unit::Dp);
        }
        warps
    }

    pub(super) fn issue_one(
        &mut self,
        now: u64,
        w: usize,
        work: &mut AnyWorkload<'_>,
        effects: &mut Effects,
        out: &mut Outbox,
    ) {
        let inst = self.inst[w];
        self.issued_at = now;
        self.phase.issued |= 1 << w;
        work.execute(&mut self.programs[w], effects);
        let slot = self.tb_of[w];
        if let Some(counts) = &mut self.counts {
            counts.issue(slot);
        }
        let Tb { child, owner, .. } = self.tbs[slot as usize & 63];
        let (family, stream) = (usize::from(child), usize::from(owner.stream) % STREAMS);
        self.stats.instructions[family] += 1;
        let lanes = u64::from(inst.mask.count_ones());
        self.stats.lanes[family] += lanes;
        self.streams[stream].instructions += 1;
        self.streams[stream].lanes += lanes;
        match self.unit_of(inst.class) {
            Unit::Sp => self.streams[stream].sp_busy += u64::from(self.config.sp_interval),
            Unit::Lsu => self.lsu.set_owner(owner),
            Unit::Sfu | Unit::Dp | Unit::Texture => {}
        }
        self.note_independence(w, &inst);
        self.stats.classes[inst.class as usize] += 1;
        self.stats.class_lanes[inst.class as usize] += lanes;
        self.stats.written_lanes += if inst.dst != 0 { lanes } else { 0 };
        match inst.class {
            Class::Int | Class::Fp => {
                let latency = if inst.class == Class::Fp { self.config.fp_latency } else { self.config.sp_latency };
                self.sp.take(now, self.config.sp_interval);
                self.book(now + u64::from(latency), w, inst.dst);
            }
            Class::Sfu => {
                self.sfu.take(now, self.config.sfu_interval);
                self.book(now + u64::from(self.config.sfu_latency), w, inst.dst);
            }
            Class::Dp => {
                let unit = if self.config.dp_units == 0 { &mut self.sfu } else { &mut self.dp };
                unit.take(now, self.config.dp_interval);
                self.book(now + u64::from(self.config.dp_latency), w, inst.dst);
            }
            Class::LoadGlobal => self.enter_global(now, w, &inst, Kind::Read, effects, out),
            Class::StoreGlobal => self.enter_global(now, w, &inst, Kind::Write, effects, out),
            Class::AtomicGlobal => {
                let kind = if inst.dst == 0 { Kind::Reduction } else { Kind::Atomic };
                self.enter_global(now, w, &inst, kind, effects, out);
            }
            Class::LoadTexture => self.enter_texture(now, w, &inst, effects, out),
            Class::LoadShared | Class::StoreShared | Class::AtomicShared => self.enter_shared(now, w, &inst, effects),
            Class::LoadRemote | Class::StoreRemote => self.enter_remote(now, w, &inst, effects, out),
            Class::Barrier => {
                self.sp.take(now, self.config.sp_interval);
                self.arrive_at_barrier(w);
            }
            Class::Launch => {
                self.sp.take(now, self.config.sp_interval);
                self.launch(w, effects, out);
            }
            Class::Sync => {
                self.sp.take(now, self.config.sp_interval);
                if self.arrive_at_sync(w) {
                    out.syncs.push((self.id, self.tb_of[w]));
                }
            }
            Class::Exit => {
                self.sp.take(now, self.config.sp_interval);
                self.exit(now, w, out);
                return;
            }
        }
        if inst.diverges {
            self.bubble |= 1 << w;
            self.bubble_cycle = now + 1;
        }
        self.fetch(w, work);
    }

    /// How many instructions of the warp, and how many of its loads, go together (refgpu-X5).
    #[inline]
    fn note_independence(&mut self, w: usize, inst: &Inst) {
        let begins = (inst.src | inst.dst) & self.run[w] != 0 || self.run[w] == 0;
        self.stats.independent_runs += u64::from(begins);
        // Bit 31 is of launch calls only; it keeps a run of instructions without results from being none.
        self.run[w] = if begins { inst.dst | 1 << 31 } else { self.run[w] | inst.dst };
        if inst.src & self.loaded[w] != 0 {
            self.stats.load_uses += 1;
            self.loaded[w] = 0;
        }
        if inst.class == Class::LoadGlobal {
            self.loaded[w] |= inst.dst;
        }
    }

    /// The head's destinations `regs` are pending until cycle `at`.
    #[inline]
    fn book(&mut self, at: u64, w: usize, regs: u32) {
        if regs != 0 {
            self.mark_pending(w, regs, false);
            self.wheel.push(at, Result { warp: w as u8, regs });
        }
    }

    /// The scoreboard takes the head's destinations. Its operands were seen to be there.
    #[inline]
    fn mark_pending(&mut self, w: usize, regs: u32, memory: bool) {
        let issue = self.scoreboard.issue_sets(WarpId(w as u8), &registers(self.inst[w].src), &registers(regs), memory);
        debug_assert!(matches!(issue, Ok(Issue::Issued(_))), "{issue:?}");
    }

    fn enter_global(&mut self, now: u64, w: usize, inst: &Inst, kind: Kind, effects: &Effects, out: &mut Outbox) {
        let transactions = self.lsu.transactions();
        if !transactions.combine(inst.mask, &effects.addr, effects.bytes) {
            out.bad_address = true;
        }
        if matches!(kind, Kind::Atomic | Kind::Reduction) {
            transactions.serialise(inst.mask, &effects.addr);
        }
        if kind == Kind::Read {
            self.lsu.show_load(now, inst.pc, w as u8, inst.mask, &effects.addr);
        }
        let n = self.lsu.transactions().as_slice().len();
        if n == 0 {
            self.lsu.pass_by(w as u8);
            return;
        }
        if kind == Kind::Read
            && let Some(lines) = &mut self.lines
        {
            lines.extend(self.lsu.transactions().as_slice().iter().map(|transaction| transaction.line));
            self.stats.lines_read = lines.len() as u64;
        }
        self.stats.global_instructions += 1;
        self.stats.transactions += n as u64;
        if inst.dst != 0 && kind != Kind::Write {
            self.mark_pending(w, inst.dst, true);
        }
        self.lsu.enter(now, kind, w as u8, inst, effects);
    }

    fn enter_texture(&mut self, now: u64, w: usize, inst: &Inst, effects: &Effects, out: &mut Outbox) {
        self.textured = true;
        if !self.texture.transactions().combine(inst.mask, &effects.addr, effects.bytes) {
            out.bad_address = true;
        }
        self.stats.texture_instructions += 1;
        self.mark_pending(w, inst.dst, true);
        self.lsu.pass_by(w as u8);
        self.texture.enter_global(now, Kind::Read, w as u8, inst.dst);
    }

    fn enter_shared(&mut self, now: u64, w: usize, inst: &Inst, effects: &Effects) {
        let degree = match inst.class {
            Class::AtomicShared => atomic_conflicts(inst.mask, &effects.addr),
            _ => bank_conflicts(inst.mask, &effects.addr, effects.bytes),
        };
        self.stats.shared_instructions += 1;
        self.stats.shared_cycles += u64::from(degree);
        self.lsu.enter_shared(now, degree);
        self.lsu.pass_by(w as u8);
        if inst.class != Class::StoreShared {
            self.book(now + u64::from(self.config.shared_latency + degree - 1), w, inst.dst);
        }
    }

    /// refgpu-M16: the latch is held as by an access to shared memory; the rest is the other SM's port.
    fn enter_remote(&mut self, now: u64, w: usize, inst: &Inst, effects: &Effects, out: &mut Outbox) {
        let degree = bank_conflicts(inst.mask, &effects.addr, effects.bytes);
        let slot = usize::from(self.tb_of[w]) & 63;
        let ranks = self.clusters[slot].as_deref().unwrap_or_default();
        let target = ranks.get(effects.rank as usize).copied();
        self.stats.remote_instructions += 1;
        self.lsu.enter_shared(now, degree);
        self.lsu.pass_by(w as u8);
        if inst.dst != 0 {
            self.mark_pending(w, inst.dst, true);
        }
        let bytes = (inst.mask.count_ones() * effects.bytes).max(degree * 4);
        out.remote.push(RemoteAccess { sm: self.id, warp: w as u8, regs: inst.dst, target, bytes });
    }

    /// refgpu-W5: the warp waits until every warp of its TB that has not exited is there.
    fn arrive_at_barrier(&mut self, w: usize) {
        self.parked |= 1 << w;
        let tb = &mut self.tbs[self.tb_of[w] as usize & 63];
        tb.at_barrier |= 1 << w;
        if tb.at_barrier == tb.alive {
            self.released |= tb.at_barrier;
            tb.at_barrier = 0;
        }
    }

    /// Complete barriers: their warps go on in the next cycle.
    pub(super) fn release(&mut self) {
        let mut left = std::mem::take(&mut self.released);
        self.parked &= !left;
        while left != 0 {
            self.settle(left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }

    /// The call goes to the front end at the end of this cycle; the warp is held.
    fn launch(&mut self, w: usize, effects: &mut Effects, out: &mut Outbox) {
        self.parked |= 1 << w;
        let mut lanes = out.spare.pop().unwrap_or_default();
        std::mem::swap(&mut lanes, &mut effects.launches);
        effects.launches.clear();
        self.stats.launch_calls += 1;
        self.stats.launches += lanes.len() as u64;
        for Descriptor { grid, tb, .. } in lanes.iter().map(|launch| launch.descriptor) {
            let extents = [grid.x, grid.y, grid.z, tb.x, tb.y, tb.z];
            let threads = extents.into_iter().fold(1, |product: u64, n| product.saturating_mul(n.into()));
            self.stats.launched_threads = self.stats.launched_threads.saturating_add(threads);
        }
        out.launches.push(LaunchCall { sm: self.id, slot: self.tb_of[w], warp: w as u8, lanes });
    }

    /// What carries out instructions of a class (refgpu-W4).
    #[inline]
    fn unit_of(&self, class: Class) -> Unit {
        match class {
            Class::Sfu => Unit::Sfu,
            Class::Dp if self.config.dp_units == 0 => Unit::Sfu,
            Class::Dp => Unit::Dp,
            Class::Int | Class::Fp | Class::Barrier | Class::Launch | Class::Sync | Class::Exit => Unit::Sp,
            Class::LoadTexture => Unit::Texture,
            _ => Unit::Lsu,
        }
    }

    /// Reads the head instruction of a warp.
    #[inline]
    pub(super) fn fetch(&mut self, w: usize, work: &AnyWorkload<'_>) {
        let inst = work.fetch(&self.programs[w]);
        self.inst[w] = inst;
        let unit = self.unit_of(inst.class);
        for heads in &mut self.heads {
            *heads &= !(1 << w);
        }
        self.heads[unit as usize] |= 1 << w;
        // An exit, or a way off the SM, waits for everything still on its way to the warp's registers.
        let leaves = matches!(inst.class, Class::Exit | Class::Sync);
        self.leaves = self.leaves & !(1 << w) | u64::from(leaves) << w;
        self.need[w] = if leaves { u32::MAX } else { inst.src | inst.dst };
        self.settle(w);
    }
}
