//! Launch records in memory (refgpu-V5): which are written and read when, and who waits.
//!
//! A record is the sector behind the parameters in its launch's block (workloads-W6). It holds the 20 bytes of an AGE (`dtbl`,
//! Structures) or the 24 of an entry of LaPerm's queues (`laperm`, Structures), be it a group's or a kernel's.

use std::collections::BTreeMap;

use gpusched::{Fault, FrontEnd, RecordId};
use gpusched_heap::HeapTables;

use super::port::{NOBODY, Port};
use crate::stats::RecordStats;

/// Bytes of parameters at the beginning of a launch's block.
const PARAMETERS: u64 = 64;

/// What happens to a record.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    /// The record of the launch with this tag leaves the chip, or does not get there.
    Write(u64),
    /// The group behind it joins: its Next is written.
    Link(u64),
    /// The scheduler fetches a spilled group.
    Load(RecordId),
    /// LaPerm brings the unit with this tag back onto the chip.
    Refill(u64),
    /// The KMU takes a pending kernel.
    Issue(u64),
}

/// Who waits for a read.
#[derive(Clone, Copy, Debug)]
enum Asker {
    /// The scheduler, for this record of a group.
    Scheduler(RecordId),
    /// LaPerm, for the unit with this tag.
    LaPerm(u64),
}

/// The records of launches in flight, and the reads that somebody waits for.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// Addresses of blocks, by tag.
    blocks: BTreeMap<u64, u64>,
    /// By number: who waits for it, and since when.
    reads: Vec<Option<(Asker, u64)>>,
    stats: RecordStats,
}

impl Records {
    /// The launch with this tag has its block at this address.
    pub fn launch(&mut self, tag: u64, block: u64) {
        self.blocks.insert(tag, block);
    }

    /// The launch with this tag has come to its end.
    pub fn end(&mut self, tag: u64) {
        self.blocks.remove(&tag);
    }

    /// Sends what `moves` ask of memory. Reads are numbered from `first` on.
    pub fn carry_out(&mut self, now: u64, moves: &[Move], first: u16, core: &FrontEnd<HeapTables>, port: &mut Port) {
        for &one in moves {
            match one {
                Move::Write(tag) => {
                    self.stats.writes += 1;
                    port.write_sector(self.address(tag), NOBODY);
                }
                Move::Link(tag) => {
                    self.stats.links += 1;
                    port.write_sector(self.address(tag), NOBODY);
                }
                Move::Load(record) => {
                    let tag = core.group(record).map_or(0, |group| group.tag);
                    let number = self.number(Asker::Scheduler(record), now);
                    port.read_sector(self.address(tag), first + number);
                }
                Move::Refill(tag) => {
                    let number = self.number(Asker::LaPerm(tag), now);
                    port.read_sector(self.address(tag), first + number);
                }
                Move::Issue(tag) => {
                    self.stats.issues += 1;
                    port.read_sector(self.address(tag), NOBODY);
                }
            }
        }
    }

    /// The answer to read `number` is there; `NoLoad` if nobody waits for it.
    pub fn answer(&mut self, now: u64, number: u16, core: &mut FrontEnd<HeapTables>) -> Result<(), Fault> {
        let (asker, since) = self.reads.get_mut(usize::from(number)).and_then(Option::take).ok_or(Fault::NoLoad)?;
        self.stats.loads += 1;
        self.stats.load_cycles += now - since;
        match asker {
            Asker::Scheduler(record) => core.spill_loaded(record),
            // A unit that has left its queue again, or was answered by an earlier read, wants none.
            Asker::LaPerm(tag) => {
                core.refilled(tag).or_else(|fault| if fault == Fault::NoLoad { Ok(()) } else { Err(fault) })
            }
        }
    }

    /// What was counted.
    pub fn stats(&self) -> RecordStats {
        self.stats
    }

    fn address(&self, tag: u64) -> u64 {
        // The host has its kernels' records where no workload has anything.
        self.blocks.get(&tag).copied().unwrap_or(0) + PARAMETERS
    }

    /// The lowest free number for a read.
    fn number(&mut self, asker: Asker, now: u64) -> u16 {
        let free = self.reads.iter().position(Option::is_none).unwrap_or(self.reads.len());
        if free == self.reads.len() {
            self.reads.push(None);
        }
        self.reads[free] = Some((asker, now));
        free as u16
    }
}
