//! The host of the vectors (catalogue, Harness of the vectors): units, residency, gates, durations, children, issue counts. It holds
//! whatever the policy answers against catalogue-I1 and catalogue-I2.

use anyhow::{Context, Result, ensure};
use gpusched::policy::catalogue::{Policy, Snapshot, mix};
use gpusched::policy::seam::offer::{Choice, Completion, Offer, OfferId, OfferKind, Resident, UnitKey};
use gpusched::{Cycle, RecordId, Resources, SmxId, SmxSet};
use serde::Deserialize;

use super::Chooses;

/// The GPU and what happens to it from outside.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs, reason = "the names are those of the vectors' README")]
pub struct Scene {
    pub n_smx: u32,
    pub slots: u32,
    pub threads: u32,
    pub regs: u32,
    pub smem: u32,
    pub tpc: Option<Vec<u8>>,
    pub gpc: Option<Vec<u8>>,
    pub seed: u64,
    pub dmin: u64,
    pub dmax: u64,
    pub width: u64,
    pub gates: Vec<Gate>,
    pub offers: Line,
    pub limit: u64,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            n_smx: 4,
            slots: 4,
            threads: 2048,
            regs: 65536,
            smem: 49152,
            tpc: None,
            gpc: None,
            seed: 0,
            dmin: 4,
            dmax: 12,
            width: 16,
            gates: Vec::new(),
            offers: Line::Key,
            limit: 20000,
        }
    }
}

/// From cycle to cycle, on an SMX, for a tag or all: E or K.
pub type Gate = (u64, u64, u16, Option<u64>, GateKind);

/// A gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[allow(missing_docs, reason = "the names are those of the front end's sheet")]
pub enum GateKind {
    E,
    K,
}

/// The order of the offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// By number.
    Key,
    /// By priority, highest first, then by number.
    Prio,
}

/// A host kernel.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs, reason = "the names are those of the vectors' README")]
pub struct Arrival {
    pub at: u64,
    #[serde(default)]
    pub stream: u32,
    #[serde(default)]
    pub prio: u8,
    #[serde(flatten)]
    pub work: Work,
}

/// What the TBs of a unit are.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs, reason = "the names are those of the vectors' README")]
pub struct Work {
    pub tag: u64,
    pub total: u32,
    #[serde(default = "a_warp")]
    pub threads: u32,
    #[serde(default)]
    pub regs: u32,
    #[serde(default)]
    pub smem: u32,
    #[serde(default)]
    pub share: u64,
    #[serde(default)]
    pub dur: Option<Durations>,
    #[serde(default)]
    pub children: Vec<Child>,
}

fn a_warp() -> u32 {
    32
}

/// How long TBs run.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Durations {
    /// Each as long.
    Each(u64),
    /// By number.
    List(Vec<u64>),
}

/// A group that some TBs launch.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs, reason = "the names are those of the vectors' README")]
pub struct Child {
    pub blks: Vec<u32>,
    pub after: u64,
    #[serde(flatten)]
    pub work: Work,
}

/// When the policy is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// In every cycle.
    Step,
    /// If it is not settled, or sees something else than it did (catalogue-I4, catalogue-C8).
    Skip,
}

/// A TB that was sent: cycle, SMX, unit (`k` or `g`, and its number), TB.
pub type Sent = (u64, u16, String, u32);

/// What became of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the vectors' README")]
pub struct Run {
    pub sent: Vec<Sent>,
    pub end: u64,
    pub drained: bool,
}

/// A unit that has become ready.
#[derive(Clone, Debug)]
struct Unit {
    row: u32,
    kind: OfferKind,
    work: Work,
    key: UnitKey,
    parent: Option<UnitKey>,
    psmx: Option<SmxId>,
    stream: u32,
    prio: u8,
    is_sent: Vec<bool>,
    left: u32,
    running: u32,
}

/// A TB on an SMX.
#[derive(Clone, Debug)]
struct Tb {
    unit: usize,
    blkid: u32,
    start: u64,
    end: u64,
    issued: u64,
    all: u64,
}

/// A group on its way: when it is ready, its place among those of that cycle, what it is.
type Coming = (u64, (u16, usize, u32, usize), Work);

/// A host in the middle of a run.
#[derive(Clone, Debug)]
pub struct Harness {
    scene: Scene,
    arrivals: Vec<Arrival>,
    now: u64,
    units: Vec<Unit>,
    rows: Vec<bool>,
    coming: Vec<Coming>,
    /// TBs by SMX and slot.
    smxs: Vec<Vec<Option<Tb>>>,
    seen: Option<Seen>,
    /// The policy names TBs (catalogue-X1).
    may_split: bool,
    run: Run,
}

/// What a policy sees, but for the cycle.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    offers: Vec<Offer>,
    free: Vec<Resources>,
    counts: Vec<u32>,
    residents: Vec<Resident>,
}

impl Harness {
    /// A host before its first cycle, with as many rows for units.
    #[must_use]
    pub fn new(scene: &Scene, arrivals: &[Arrival], rows: u32) -> Self {
        Self {
            scene: scene.clone(),
            arrivals: arrivals.to_vec(),
            now: 0,
            units: Vec::new(),
            rows: vec![false; rows as usize],
            coming: Vec::new(),
            smxs: vec![vec![None; scene.slots as usize]; scene.n_smx as usize],
            seen: None,
            may_split: false,
            run: Run { sent: Vec::new(), end: 0, drained: false },
        }
    }

    /// Goes on to the end, or to the last cycle of the scene.
    ///
    /// # Errors
    /// What the policy does against the sheet.
    pub fn finish(mut self, policy: &mut impl Chooses, pace: Pace) -> Result<Run> {
        while !self.is_over() {
            self.cycle(policy, pace).with_context(|| format!("cycle {}", self.now))?;
        }
        Ok(self.run)
    }

    /// Whether nothing is left, or the time is over.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.run.drained || self.now >= self.scene.limit
    }

    /// What has become of the run until now.
    #[must_use]
    pub const fn run(&self) -> &Run {
        &self.run
    }

    /// One cycle.
    ///
    /// # Errors
    /// What the policy does against the sheet.
    pub fn cycle(&mut self, policy: &mut impl Chooses, pace: Pace) -> Result<()> {
        let config = policy.config();
        self.may_split = config.is_own() || config.policy == Policy::Steal;
        let ended = self.end_tbs();
        self.make_ready()?;
        for ended in &ended {
            policy.done(ended)?;
        }
        let seen = self.look();
        if pace == Pace::Step || !policy.is_settled() || self.seen.as_ref() != Some(&seen) {
            let Seen { offers, free, counts, residents } = &seen;
            let choice = policy.choose(&Snapshot { now: Cycle(self.now), offers, free, counts, residents })?;
            self.seen = Some(seen);
            if let Some(choice) = choice {
                self.send(choice)?;
                self.seen = None;
            }
        }
        self.issue();
        let is_busy = self.units.iter().any(|unit| unit.left + unit.running > 0);
        let later = self.arrivals.iter().any(|arrival| arrival.at > self.now);
        self.run.drained = !is_busy && !later && self.coming.is_empty();
        self.now += 1;
        Ok(())
    }

    fn end_tbs(&mut self) -> Vec<Completion> {
        let mut ended = Vec::new();
        for (smx, slots) in (0..).map(SmxId).zip(&mut self.smxs) {
            for slot in slots {
                let Some(tb) = slot.take_if(|tb| tb.end == self.now) else { continue };
                let unit = &mut self.units[tb.unit];
                unit.running -= 1;
                if unit.left + unit.running == 0 {
                    self.rows[unit.row as usize] = false;
                }
                ended.push(Completion {
                    unit: tb.unit as u64,
                    row: unit.row,
                    blkid: tb.blkid,
                    smx,
                    start: Cycle(tb.start),
                    end: Cycle(tb.end),
                    issued: tb.issued,
                    all: tb.all,
                });
                self.run.end = self.now;
            }
        }
        ended
    }

    /// Groups by their places, then kernels in the order of the list.
    fn make_ready(&mut self) -> Result<()> {
        let now = self.now;
        let mut ready: Vec<_> = self.coming.extract_if(.., |(at, ..)| *at == now).collect();
        ready.sort_by_key(|(_, place, _)| *place);
        for (_, (psmx, parent, ..), work) in ready {
            let Unit { key, prio, stream, .. } = self.units[parent];
            let unit = self.unit(OfferKind::Group, work, stream, 7.min(prio + 1))?;
            self.units.push(Unit { parent: Some(key), psmx: Some(SmxId(psmx)), ..unit });
        }
        for arrival in self.arrivals.clone().into_iter().filter(|arrival| arrival.at == now) {
            let unit = self.unit(OfferKind::Native, arrival.work, arrival.stream, arrival.prio)?;
            self.units.push(unit);
        }
        Ok(())
    }

    fn unit(&mut self, kind: OfferKind, work: Work, stream: u32, prio: u8) -> Result<Unit> {
        let row = self.rows.iter().position(|is_taken| !is_taken).context("more units than rows")?;
        self.rows[row] = true;
        Ok(Unit {
            row: row as u32,
            kind,
            key: UnitKey { ready: Cycle(self.now), no: self.units.len() as u64 },
            parent: None,
            psmx: None,
            stream,
            prio,
            is_sent: vec![false; work.total as usize],
            left: work.total,
            running: 0,
            work,
        })
    }

    fn free(&self, smx: usize) -> Resources {
        let Scene { slots, threads, regs, smem, .. } = self.scene;
        self.smxs[smx].iter().flatten().fold(Resources { threads, regs, smem, slots }, |free, tb| {
            let Work { threads, regs, smem, .. } = self.units[tb.unit].work;
            Resources {
                threads: free.threads - threads,
                regs: free.regs - regs,
                smem: free.smem - smem,
                slots: free.slots - 1,
            }
        })
    }

    fn look(&self) -> Seen {
        let free: Vec<_> = (0..self.smxs.len()).map(|smx| self.free(smx)).collect();
        let mut offers: Vec<_> = self.units.iter().filter(|unit| unit.left > 0).map(|u| self.offer(u, &free)).collect();
        if self.scene.offers == Line::Prio {
            offers.sort_by_key(|offer| std::cmp::Reverse(offer.prio));
        }
        let resident = |tb: &Tb| Resident {
            unit: tb.unit as u64,
            stream: self.units[tb.unit].stream,
            threads: self.units[tb.unit].work.threads,
        };
        Seen {
            offers,
            free,
            counts: self.smxs.iter().map(|slots| slots.iter().flatten().count() as u32).collect(),
            residents: self.smxs.iter().flatten().flatten().map(resident).collect(),
        }
    }

    fn offer(&self, unit: &Unit, free: &[Resources]) -> Offer {
        let Work { tag, total, threads, regs, smem, .. } = unit.work;
        let res = Resources { threads, regs, smem, slots: 1 };
        let (mut open, mut capped) = (SmxSet::EMPTY, SmxSet::EMPTY);
        for (smx, free) in (0..).map(SmxId).zip(free) {
            let closed = |kind| {
                self.scene.gates.iter().any(|&(from, to, at, of, gate)| {
                    gate == kind && at == smx.0 && of.is_none_or(|of| of == tag) && (from..to).contains(&self.now)
                })
            };
            capped.set(smx, closed(GateKind::K));
            open.set(smx, !closed(GateKind::K) && !closed(GateKind::E) && res.fits(free));
        }
        Offer {
            row: unit.row,
            kind: unit.kind,
            tag,
            res,
            blkid: unit.is_sent.iter().position(|is_sent| !is_sent).map(|blkid| blkid as u32),
            left: unit.left,
            total,
            prio: unit.prio,
            psmx: unit.psmx,
            stream: unit.stream,
            key: unit.key,
            parent: unit.parent,
            open,
            capped,
            ..Offer::of(OfferId::Record(RecordId(unit.key.no as u32)))
        }
    }

    /// The host obeys.
    fn send(&mut self, choice: Choice) -> Result<()> {
        let offers = self.seen.as_ref().map_or(&[][..], |seen| &seen.offers);
        let offer = *offers.iter().find(|offer| offer.id == choice.id).context("an answer that was no offer")?;
        ensure!(offer.open.contains(choice.smx), "SMX {} is not open", choice.smx.0);
        let blkid = choice.blkid.or(offer.blkid).context("no next TB")?;
        ensure!(choice.blkid.is_none() || self.may_split, "TBs go in order");
        ensure!(choice.blkid != offer.blkid, "the next TB is not named");
        ensure!(offer.res.fits(&self.free(choice.smx.0.into())), "no room on SMX {}", choice.smx.0);
        let id = offer.key.no as usize;
        let unit = &mut self.units[id];
        let is_sent = unit.is_sent.get_mut(blkid as usize).context("no such TB")?;
        ensure!(!*is_sent, "TB {blkid} of unit {id} a second time");
        *is_sent = true;
        unit.left -= 1;
        unit.running += 1;
        let unit = &self.units[id];
        let Scene { seed, dmin, dmax, .. } = self.scene;
        let duration = match &unit.work.dur {
            Some(Durations::Each(duration)) => *duration,
            Some(Durations::List(list)) => *list.get(blkid as usize).context("too few durations")?,
            None => dmin + mix(seed ^ unit.work.tag << 32 ^ u64::from(blkid)) % (dmax - dmin + 1),
        };
        let launched = (0..).zip(&unit.work.children).filter(|(_, child)| child.blks.contains(&blkid));
        let coming =
            launched.map(|(i, child)| (self.now + child.after, (choice.smx.0, id, blkid, i), child.work.clone()));
        self.coming.extend(coming);
        let letter = if unit.kind == OfferKind::Group { 'g' } else { 'k' };
        self.run.sent.push((self.now, choice.smx.0, format!("{letter}{id}"), blkid));
        let tb = Tb { unit: id, blkid, start: self.now, end: self.now + duration, issued: 0, all: 0 };
        let slots = &mut self.smxs[usize::from(choice.smx.0)];
        *slots.iter_mut().find(|slot| slot.is_none()).context("no slot")? = Some(tb);
        Ok(())
    }

    /// Each SMX gives out its issue slots, oldest TB first.
    fn issue(&mut self) {
        for slots in &mut self.smxs {
            let mut tbs: Vec<_> = slots.iter_mut().flatten().collect();
            tbs.sort_by_key(|tb| tb.start);
            let mut width = self.scene.width;
            let given: Vec<_> = tbs
                .iter()
                .map(|tb| {
                    let issued = self.units[tb.unit].work.share.min(width);
                    width -= issued;
                    (tb.unit, issued)
                })
                .collect();
            for (tb, (_, issued)) in tbs.iter_mut().zip(&given) {
                tb.issued += issued;
                tb.all += given.iter().filter(|(unit, _)| *unit == tb.unit).map(|(_, issued)| issued).sum::<u64>();
            }
        }
    }
}
