//! Prefetching into L1, beside the data-cache controller of one SM (refgpu-M12).
//!
//! The LSU reports each load through L1 with what the cache says to its lines ([`Prefetcher::load`]); texture loads it does not. In
//! a cycle in which L1 has a free MSHR and nothing waits for memory's bandwidth it asks for a line ([`Prefetcher::pop`]), says
//! whether that went to memory ([`Prefetcher::reply`]), and tells of its arrival ([`Prefetcher::filled`]). What prefetches is APOGEE
//! of `gpusched`, or one of the [`baselines`] that it is compared with.
//!
//! Programs name their loads by any number ([`Inst::pc`](crate::program::Inst)). Here they are numbered by first sight, as if the
//! loads of a kernel lay behind each other: so no two share a row of the table while a kernel has fewer than its PCs can tell apart.
//! Addresses are taken from the start of the address space that the first load touches; loads beyond are not seen.

pub mod baselines;
mod stats;

use std::collections::HashMap;

use gpusched::Cycle;
use gpusched::apogee::{Access, Adjust, Apogee, Lanes, Request, Tia, Verdict, WarpId};
use gpusched_heap::apogee::{HeapTables, machine};

use crate::cache::Line;
use crate::config::{ConfigError, GpuConfig, PrefetchScheme};
use baselines::Baseline;
pub use stats::{DistanceChange, Distances, LineUse, PrefetchStats};

/// What decides what is fetched.
#[derive(Clone, Debug)]
enum Scheme {
    Apogee(Box<Apogee<HeapTables>>),
    Baseline(Box<Baseline>),
}

/// The prefetcher of one SM.
#[derive(Clone, Debug)]
pub struct Prefetcher {
    scheme: Scheme,
    /// Numbers of the loads of this kernel, and how many there may be.
    pcs: HashMap<u32, u32>,
    most_pcs: u64,
    /// Start of the address space that is seen, once a load has shown it, and its bits.
    base: Option<u64>,
    addr_bits: u32,
    line_shift: u32,
    /// By L1 MSHR: the request that it is for.
    sent: Vec<Option<Request>>,
    popped: Option<Request>,
    stats: PrefetchStats,
    distances: Distances,
}

/// A load of a warp.
#[derive(Clone, Copy, Debug)]
pub struct Load<'a> {
    /// Names the load in its program.
    pub pc: u32,
    /// Warp slot.
    pub warp: u8,
    /// What L1 says to all its lines.
    pub verdict: Verdict,
    /// Active lanes.
    pub mask: u32,
    /// Address of each.
    pub addresses: &'a [u64; 32],
}

impl Prefetcher {
    /// The prefetcher that `config` asks for, if it does.
    ///
    /// # Errors
    /// A table that cannot be built.
    pub fn new(config: &GpuConfig) -> Result<Option<Self>, ConfigError> {
        if !config.apogee.enabled {
            return Ok(None);
        }
        let table = config.prefetch_table();
        let scheme = match config.apogee.scheme {
            PrefetchScheme::Apogee => {
                let apogee = machine(&table).map_err(|e| ConfigError::Syntax(format!("apogee: {e}")))?;
                Scheme::Apogee(Box::new(apogee))
            }
            PrefetchScheme::Stride => Scheme::Baseline(Box::new(Baseline::new(&table, false))),
            PrefetchScheme::Mta => Scheme::Baseline(Box::new(Baseline::new(&table, true))),
        };
        Ok(Some(Self {
            scheme,
            pcs: HashMap::new(),
            most_pcs: 1 << table.pc_bits,
            base: None,
            addr_bits: table.addr_bits,
            line_shift: table.line_bytes.trailing_zeros(),
            sent: vec![None; config.l1.mshrs as usize],
            popped: None,
            stats: PrefetchStats::default(),
            distances: Distances::default(),
        }))
    }

    /// A warp has issued a load.
    pub fn load(&mut self, now: u64, load: &Load<'_>) {
        let first = load.addresses[load.mask.trailing_zeros() as usize & 31];
        let base = *self.base.get_or_insert(first >> self.addr_bits << self.addr_bits);
        let inside = |a: u64| a.wrapping_sub(base) >> self.addr_bits == 0;
        if !crate::lanes::lanes(load.mask).all(|lane| inside(load.addresses[lane])) {
            self.stats.unseen += 1;
            return;
        }
        self.stats.loads += 1;
        let next = self.pcs.len() as u64 % self.most_pcs;
        let pc = *self.pcs.entry(load.pc).or_insert(next as u32);
        let addresses = load.addresses.map(|address| address.wrapping_sub(base));
        match &mut self.scheme {
            Scheme::Baseline(baseline) => baseline.load(now, pc, load.warp, load.mask, &addresses, &mut self.stats),
            Scheme::Apogee(apogee) => {
                let access = Access {
                    pc: pc.into(),
                    warp: WarpId(load.warp.into()),
                    verdict: load.verdict,
                    lanes: Lanes::Dense { mask: load.mask.into(), addresses: &addresses },
                };
                let loaded = apogee.load(Cycle(now), &access, &mut ());
                debug_assert!(loaded.is_ok(), "{loaded:?}");
                let Ok(loaded) = loaded else { return };
                if matches!(loaded.adjust, Adjust::Inc | Adjust::Dec)
                    && let Some(row) = apogee.row(loaded.entry).and_then(|row| row.load().copied())
                {
                    self.distances.add(DistanceChange { cycle: now, load: pc, distance: row.distance });
                }
                self.stats.count(&loaded);
                self.stats.chains += u64::from(loaded.tia == Tia::Added);
            }
        }
    }

    /// A line to fetch, if one is due. [`Prefetcher::reply`] has to follow.
    pub fn pop(&mut self, now: u64) -> Option<Line> {
        let request = match &mut self.scheme {
            Scheme::Apogee(apogee) => apogee.pf_pop(Cycle(now)).ok().flatten(),
            Scheme::Baseline(baseline) => baseline.pop(now).map(|line| Request { line, ..Request::default() }),
        }?;
        self.popped = Some(request);
        self.stats.popped += 1;
        Some(((self.base.unwrap_or(0) + request.line) >> self.line_shift) as Line)
    }

    /// The popped line goes to memory, for this MSHR of L1; or it does not, as it is there or on its way, or finds no place.
    pub fn reply(&mut self, mshr: Option<u16>) {
        let request = self.popped.take();
        if let Scheme::Apogee(apogee) = &mut self.scheme {
            let known = apogee.pf_reply(mshr.is_some());
            debug_assert!(known.is_ok());
        }
        if let Some(mshr) = mshr {
            self.stats.sent += 1;
            self.sent[mshr as usize] = request;
        }
    }

    /// The line of this MSHR of L1 has arrived.
    pub fn filled(&mut self, mshr: u16) {
        if let Some(request) = self.sent[mshr as usize].take()
            && let Scheme::Apogee(apogee) = &mut self.scheme
        {
            let stale = apogee.pf_fill(request.entry, request.generation, request.warp);
            self.stats.stale += u64::from(stale == Ok(true));
        }
    }

    /// The SM has so many threads from now on; none is nothing new.
    pub fn set_threads(&mut self, threads: u32) {
        if let Scheme::Apogee(apogee) = &mut self.scheme
            && threads > 0
        {
            let known = apogee.set_threads(threads);
            debug_assert!(known.is_ok());
        }
    }

    /// A host kernel starts (apogee-H4).
    pub fn flush(&mut self) {
        self.pcs.clear();
        match &mut self.scheme {
            Scheme::Apogee(apogee) => drop(apogee.flush()),
            Scheme::Baseline(baseline) => baseline.flush(),
        }
    }

    /// The cycle in which the next request is due; `u64::MAX` if there is none.
    #[must_use]
    pub fn next(&self) -> u64 {
        match &self.scheme {
            Scheme::Apogee(apogee) => apogee.next_event().map_or(u64::MAX, |at| at.0),
            Scheme::Baseline(baseline) => baseline.next(),
        }
    }

    /// What was counted.
    #[must_use]
    pub fn stats(&self) -> &PrefetchStats {
        &self.stats
    }

    /// How far ahead loads were fetched, over time.
    #[must_use]
    pub fn distances(&self) -> &Distances {
        &self.distances
    }
}
