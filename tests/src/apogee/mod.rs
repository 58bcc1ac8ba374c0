//! What the tests of `apogee` share: its events and answers, its visible state.

pub mod invariants;
pub mod model;
pub mod steady;

use gpusched::apogee::{
    Access, Apogee, Lanes, LoadProbe, Loaded, PrefetchState, Request, RowId, RowKind, Tables, Triggered, Verdict,
    WarpId,
};
use gpusched::{Cycle, Fault};

pub use gpusched_heap::apogee::{HeapTables, machine, tables};

/// An event, as the sheet's Interface lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum Event {
    /// A warp has loaded.
    Load(Load),
    /// A request is taken.
    PfPop { now: Cycle },
    /// What became of it.
    PfReply { sent: bool },
    /// A request has come back.
    PfFill { entry: RowId, generation: u32, warp: WarpId },
    /// The SM has so many threads.
    SetThreads { n: u32 },
    /// A kernel ends.
    Flush,
}

/// The load of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct Load {
    pub now: Cycle,
    pub pc: u64,
    pub warp: WarpId,
    /// `None` is no answer of a cache.
    pub result: Option<Verdict>,
    pub lanes: Vec<(u8, u64)>,
    /// How the lanes are handed over.
    pub form: Form,
}

/// How the threads of a load are handed over. Those that cannot be told so are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As a list.
    List,
    /// As a mask and an address per lane.
    Dense,
    /// As a mask, an address and a stride.
    Affine,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::List, Self::Dense, Self::Affine];
}

/// The active threads of a load as a mask, the address of the first one and the bytes from lane to lane.
#[must_use]
pub fn affine(lanes: &[(u8, u64)]) -> Option<(u64, u64, i64)> {
    let (mask, _) = dense(lanes)?;
    let &[(lane, first), ..] = lanes else { return None };
    let way = |&(l, a): &(u8, u64)| (i128::from(l - lane), i128::from(a) - i128::from(first));
    let stride = lanes.get(1).map_or(0, |second| way(second).1 / way(second).0);
    let is_even = lanes.iter().map(way).all(|(lanes, bytes)| lanes * stride == bytes);
    Some((mask, first, i64::try_from(stride).ok().filter(|_| is_even)?))
}

/// The active threads of a load as a mask and an address per lane.
#[must_use]
pub fn dense(lanes: &[(u8, u64)]) -> Option<(u64, Vec<u64>)> {
    let &(last, _) = lanes.last()?;
    if last >= 64 || lanes.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        return None;
    }
    // What is at lanes that are not active must not matter.
    let (mut mask, mut addresses) = (0, vec![u64::MAX; usize::from(last) + 1]);
    for &(lane, address) in lanes {
        mask |= 1 << lane;
        addresses[usize::from(lane)] = address;
    }
    Some((mask, addresses))
}

/// What an accepted event answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The decision of a load.
    Load(Box<Decided>),
    /// The request that was taken.
    Request(Option<Request>),
    /// Whether the row was displaced.
    Stale(bool),
    /// Done.
    Done,
    /// So many requests were dropped.
    Dropped(u32),
}

/// What a load decided, with its lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct Decided {
    pub loaded: Loaded,
    pub pushed: Vec<u64>,
    pub trig: Vec<Triggered>,
}

impl LoadProbe for Decided {
    fn pushed(&mut self, line: u64) {
        self.pushed.push(line);
    }

    fn triggered(&mut self, row: Triggered) {
        self.trig.push(row);
    }
}

/// Everything that the sheet calls visible.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct View {
    pub table: Vec<(RowId, RowView)>,
    pub lal: Vec<Option<u32>>,
    /// Requests that wait, with their ready times.
    pub queue: Vec<(Request, Cycle)>,
    pub unanswered: Option<Request>,
    pub n: u32,
    pub now: Cycle,
}

/// One row of a [`View`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct RowView {
    pub kind: RowKind,
    pub pc: u32,
    pub address: u64,
    pub confidence: u16,
    pub generation: u32,
    pub states: Vec<PrefetchState>,
}

/// A machine of the sheet: the core's, the C face of one, or the model.
pub trait Machine {
    /// All of its state that a refused call must leave as it was.
    type Mark: PartialEq;

    /// Carries out an event.
    ///
    /// # Errors
    /// The sheet's named errors.
    fn take(&mut self, event: &Event) -> Result<Answer, Fault>;
    /// All that can be seen.
    fn view(&self) -> View;
    /// When a request may be popped next.
    fn next_event(&self) -> Option<Cycle>;
    /// The state.
    fn mark(&self) -> Self::Mark;
}

impl<T: Tables> Machine for Apogee<T>
where
    Self: Clone + PartialEq,
{
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        match event {
            Event::Load(Load { now, pc, warp, result, lanes, form }) => {
                let dense = dense(lanes);
                let lanes = match (form, &dense, affine(lanes)) {
                    (Form::Dense, Some((mask, addresses)), _) => Lanes::Dense { mask: *mask, addresses },
                    (Form::Affine, _, Some((mask, first, stride))) => Lanes::Affine { mask, first, stride },
                    _ => Lanes::List(lanes),
                };
                let access = Access { pc: *pc, warp: *warp, verdict: result.unwrap_or(Verdict::Hit), lanes };
                // In Rust there is no other answer of a cache; a host that reads one from elsewhere does this.
                if result.is_none() {
                    self.check_load(*now, &access)?;
                    return Err(Fault::BadResult);
                }
                let mut decided = Decided::default();
                decided.loaded = self.load(*now, &access, &mut decided)?;
                Ok(Answer::Load(Box::new(decided)))
            }
            Event::PfPop { now } => self.pf_pop(*now).map(Answer::Request),
            Event::PfReply { sent } => self.pf_reply(*sent).map(Answer::Stale),
            Event::PfFill { entry, generation, warp } => self.pf_fill(*entry, *generation, *warp).map(Answer::Stale),
            Event::SetThreads { n } => self.set_threads(*n).map(|()| Answer::Done),
            Event::Flush => self.flush().map(Answer::Dropped),
        }
    }

    fn view(&self) -> View {
        let warps = || (0..self.config().warps as u16).map(WarpId);
        let lals = match self.config().lal {
            gpusched::apogee::LalScope::Warp => self.config().warps as usize,
            gpusched::apogee::LalScope::Sm => 1,
        };
        let row = |row: &gpusched::apogee::Row| RowView {
            kind: row.kind,
            pc: row.pc,
            address: row.address,
            confidence: row.confidence,
            generation: row.generation,
            states: warps().map(|warp| row.states.of(warp)).collect(),
        };
        View {
            table: self.rows().map(|(id, of)| (id, row(of))).collect(),
            lal: warps().take(lals).map(|warp| self.last_load(warp)).collect(),
            queue: self.queue().collect(),
            unanswered: self.unanswered().copied(),
            n: self.threads(),
            now: self.now(),
        }
    }

    fn next_event(&self) -> Option<Cycle> {
        Self::next_event(self)
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}
