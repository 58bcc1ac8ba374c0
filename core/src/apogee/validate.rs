//! What holds of an APOGEE machine between two calls.

use super::answer::Request;
use super::filter::FilterBits;
use super::queue::{Queue, Run};
use super::row::{LoadRow, Row, RowId, RowKind};
use super::tables::Tables;
use super::{Apogee, NEVER};
use crate::base::cycle::Cycle;
use crate::base::invariant::{Violation, invariant};
use crate::base::table::Rows;

impl<T: Tables> Apogee<T> {
    /// What holds between any two calls: apogee-I1 to I4, but for what only the past tells, and that index, filter and counts are
    /// those of the rows and the queue.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        self.validate_saved()?;
        self.table.ids().try_for_each(|id| self.validate_place(id))?;
        self.queue.validate_counts(|request| self.table.is_live(request.entry, request.generation))
    }

    /// What needs neither index nor counts.
    pub(super) fn validate_saved(&self) -> Result<(), Violation> {
        let Self { config, constants: _, table, queue, last_loads, threads, now, unanswered } = self;
        let of_sm = (1..=u32::from(u16::MAX)).contains(threads) && now.0 < NEVER;
        invariant("an SM has threads, and time has not run out", of_sm)?;
        table.ids().try_for_each(|id| self.validate_row(table.row(id)))?;
        invariant("the table has no other rows", table.ends())?;
        let are_pcs = last_loads.iter().all(|(_, pc)| pc.is_none_or(|pc| self.is_pc(pc)));
        invariant("last loads have PCs (apogee-C5)", are_pcs && last_loads.ends_by(config.lals() as usize))?;
        queue.validate_ring()?;
        let mut latest = Cycle::ZERO;
        for run in queue.all_runs() {
            self.validate_run(run)?;
            invariant("first in, first out (apogee-Q2)", latest <= run.ready && run.ready <= self.ready())?;
            latest = run.ready;
        }
        invariant(
            "a request for a line is of a row and a warp",
            unanswered.is_none_or(|request| self.is_request(&request)),
        )
    }

    fn is_pc(&self, pc: u32) -> bool {
        u64::from(pc) >> self.config.pc_bits == 0
    }

    fn validate_row(&self, row: &Row) -> Result<(), Violation> {
        let &Row { kind, pc, address, confidence, ref states, generation, .. } = row;
        if row.is_free() {
            return invariant("a free row knows its generation alone", *row == Row { generation, ..Row::default() });
        }
        let fits = self.is_pc(pc) && address >> self.config.addr_bits == 0 && states.fits(self.config.warps);
        invariant("a row has a PC, an address, and states of the warps (apogee-I5)", fits)?;
        invariant("confidence has its bits (apogee-I2)", u32::from(confidence) <= self.config.max_confidence())?;
        match kind {
            RowKind::Free => Ok(()),
            RowKind::Trigger { target, .. } => {
                invariant("a trigger is not its target (apogee-I1)", self.is_pc(target) && target != pc)
            }
            RowKind::Load(load) => self.validate_load_row(&load, confidence),
        }
    }

    fn validate_load_row(&self, load: &LoadRow, confidence: u16) -> Result<(), Violation> {
        let config = &self.config;
        let LoadRow { offset, thread, distance } = *load;
        let in_range = (config.min_distance..=config.max_distance()).contains(&distance.into());
        invariant("distance is in its range (apogee-I2)", in_range)?;
        let is_scalar = offset == Some(0) && u32::from(thread) == config.scalar();
        invariant("a thread is a lane, or all", u32::from(thread) < config.warp_size || is_scalar)?;
        match offset {
            None => invariant("a train row has confidence 0 (apogee-I2)", confidence == 0),
            Some(offset) => invariant("an offset has its bits (apogee-I3)", config.has_offset(offset.into())),
        }
    }

    /// apogee-I1, and that a row is where the index leads.
    fn validate_place(&self, id: RowId) -> Result<(), Violation> {
        let (table, row) = (&self.table, self.table.row(id));
        invariant("a row is free or not", table.is_free(id) == row.is_free())?;
        match row.kind {
            RowKind::Free => Ok(()),
            RowKind::Load(_) => invariant("one train or foa row per PC (apogee-I1)", table.load_of(row.pc) == Some(id)),
            RowKind::Trigger { target, .. } => {
                let only = table.trigger_of(target) == Some(id) && table.has(row.pc, id);
                invariant("one trig row per target (apogee-I1)", only)
            }
        }
    }

    fn validate_run(&self, &Run { first, ready: _, count, falls }: &Run) -> Result<(), Violation> {
        invariant("a request for a line is of a row and a warp", self.is_request(&first))?;
        let way = u64::from(count.saturating_sub(1)) * u64::from(self.config.line_bytes);
        let last = if falls { first.line.checked_sub(way) } else { first.line.checked_add(way) };
        let inside = last.is_some_and(|last| last >> self.config.addr_bits == 0) && (1..=64).contains(&count);
        invariant("lines lie inside the address space (apogee-I6)", inside)
    }

    fn is_request(&self, request: &Request) -> bool {
        let &Request { line, entry, generation, warp, .. } = request;
        self.table.exists(entry)
            && u32::from(warp) < self.config.warps
            // A row asks, and is displaced later.
            && self.table.row(entry).generation.wrapping_sub(generation) <= u32::MAX / 2
            && line >> self.config.addr_bits == 0
            && line.is_multiple_of(self.config.line_bytes.into())
    }
}

impl<Q: Rows<Run>, F: Rows<FilterBits>, C: Rows<u16>> Queue<Q, F, C> {
    /// Runs are in places of the ring behind each other, and nothing is elsewhere.
    fn validate_ring(&self) -> Result<(), Violation> {
        let &Self { ref ring, head, runs, pfq, .. } = self;
        let is_ring = head < pfq && runs <= pfq && (runs > 0 || head == 0);
        invariant("runs are in the ring; an empty one starts at its first place", is_ring && ring.ends_by(pfq.into()))?;
        let used = ring.iter().filter(|(_, run)| **run != Run::default()).count();
        let there = used == usize::from(runs) && self.all_runs().all(|run| run.count > 0);
        invariant("places of the ring without a run are empty", there)?;
        let requests = self.all_runs().map(|run| u32::from(run.count)).sum::<u32>();
        invariant("no more requests wait than there is room for (apogee-I4)", requests <= pfq.into())
    }

    /// What is counted, and apogee-I4.
    fn validate_counts(&self, is_live: impl Fn(&Request) -> bool) -> Result<(), Violation> {
        let requests = || self.requests().map(|(request, _)| request);
        let room = usize::from(self.pfq) - requests().count() == usize::from(self.room) && self.tail == self.end();
        invariant("the queue knows its room", room)?;
        let live = requests().filter(|request| is_live(request));
        let counted = live.clone().all(|request| self.waits(request.entry, request.warp));
        let sum = self.counts.iter().map(|(_, &count)| u32::from(count)).sum::<u32>();
        invariant("requests of a row that is still there are counted", counted && sum as usize == live.count())?;
        let waits_once = |request: Request| {
            let line = request.line >> self.line_shift;
            let is_only = || requests().filter(|other| other.line == request.line).count() == 1;
            self.filter.may_have(line) && (!self.filter.may_share(line) || is_only())
        };
        invariant("no line waits twice (apogee-I4)", !self.merges() || requests().all(waits_once))
    }
}
