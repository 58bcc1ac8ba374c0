//! LaPerm as a policy of the seam: its queues and visits are the policy's own, room and gates it sees in the view (policy-E2).
//!
//! It does what the front end's own [LaPerm](crate::policy::line) does in the model `dtbl`, on the same queues and visits, from what any
//! policy is shown: units as they become visible, suspensions, gates as they change. A place to start from for a policy that binds, backs up or
//! orders otherwise. What the KMU does in the model `cdp` is no policy's of the seam.
//!
//! ```
//! use gpusched::seam::LaPerm;
//! use gpusched::{Config, Decided, Descriptor, Dim3, GroupLaunch, LaPermPart, Policy, Sched, ToldPart, Units, inline_tables,
//!     laperm};
//!
//! const GPU: Config = Config {
//!     n_smx: 4,
//!     tb_slots: 2,
//!     pend_limit: 64,
//!     policy: Policy::Told(ToldPart { units: Units::Free, ..ToldPart::CHAIN }),
//!     ..Config::K20C.ideal()
//! };
//! const LAPERM: LaPermPart = LaPermPart { pool_cap: 96, ..LaPermPart::K20C };
//! const QUEUES: laperm::Config = LAPERM.machine(&GPU);
//! inline_tables! {
//!     struct Four = GPU;
//! }
//! inline_tables! {
//!     struct Queues: laperm = QUEUES;
//! }
//! let mut gpu = Decided::<Four, _>::new(&GPU, LaPerm::<Queues>::new(&LAPERM, &GPU)?)?;
//! let kernel = Descriptor { grid: Dim3::linear(6), tb: Dim3::linear(64), tag: 7, ..Descriptor::default() };
//! gpu.host_launch(0, &kernel, false)?;
//! let Sched::Tb(parent) = gpu.tick(&mut ())?.sched else { panic!("SMX 0 is free") };
//! // Its child stays on its SMX, and goes before the rest of the kernel there.
//! let group = Descriptor { grid: Dim3::linear(1), tag: 8, ..kernel };
//! gpu.agg_launch(parent.smx, parent.slot, &[GroupLaunch { kernel: group, hw_tid: 0 }])?;
//! let sent = (0..4).filter_map(|_| match gpu.tick(&mut ()).ok()?.sched {
//!     Sched::Tb(tb) => Some((tb.smx.0, tb.tag)),
//!     _ => None,
//! });
//! assert_eq!(sent.collect::<Vec<_>>(), [(1, 7), (2, 7), (3, 7), (0, 8)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::base::cycle::Cycle;
use crate::base::home::BuildError;
use crate::base::id::{ClassId, Id, KernelSlot, RecordId, SmxId};
use crate::base::set::{ClassSet, MAX_CLASSES, SmxSet};
use crate::config::parts::LaPermPart;
use crate::config::{Config as FrontConfig, parts};
use crate::policy::laperm::list::EntryId;
use crate::policy::laperm::queues::{self, Queues};
use crate::policy::laperm::visit::{Pick, Room, Visits};
use crate::policy::laperm::{Config, Entry, InlineTables, TableSet, TableSizes, Tables, Visit, Work};
use crate::policy::seam::fcfs_rr::Turns;
use crate::policy::seam::offer::{Choice, Offer, OfferId, OfferKind, View};
use crate::policy::seam::policy::{Answer, Policy};
use crate::probe::{Decision, GroupRef};

/// Units that can become visible in a cycle: the groups of a warp's lanes, and a kernel.
const CAME: usize = 64 + 1;

/// LaPerm's queues and visits. For units offered by themselves, one TB in a cycle.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LaPerm<T: Tables> {
    config: Config,
    pass_capped: bool,
    /// A unit's work is named by its offer: the entry, or the record as tag.
    queues: Queues<Work, T::Entries, T::FreeWords, T::Sections, T::Units>,
    visits: Visits<T::Backups>,
    turns: Turns,
    /// The kernel whose nodes are sent where nothing else is.
    graph: Option<KernelSlot>,
    /// Units that have become visible since it was asked last, in order.
    came: heapless::Vec<OfferId, CAME>,
    /// Whether units may have other classes than when it was asked last.
    is_regated: bool,
}

impl<T: InlineTables> LaPerm<T> {
    /// LaPerm with these parameters for a front end of this configuration. It brings its own tables.
    ///
    /// # Errors
    /// As [`LaPerm::with_tables`].
    pub fn new(part: &LaPermPart, front: &FrontConfig) -> Result<Self, BuildError> {
        Self::with_tables(part, front, T::empty())
    }
}

impl<T: Tables> LaPerm<T> {
    /// LaPerm with these parameters for a front end of this configuration, on the given tables.
    ///
    /// # Errors
    /// `BuildError::Config` for what the front end's own LaPerm refuses, for the model `cdp`, for refills that the host times, and for a
    /// front end that does not offer free units; a table with fewer rows than [`TableSizes::of`] its [machine](LaPermPart::machine).
    pub fn with_tables(part: &LaPermPart, front: &FrontConfig, tables: TableSet<T>) -> Result<Self, BuildError> {
        parts::expect_laperm_as_policy(part, front).map_err(BuildError::Config)?;
        let config = part.machine(front);
        if let Some(small) = tables.shortage(&TableSizes::of(&config)) {
            return Err(BuildError::Tables(small));
        }
        let TableSet { entries, free_words, sections, units, backups, .. } = tables;
        Ok(Self {
            config,
            pass_capped: front.pass_capped,
            queues: Queues::new(entries, free_words, sections, units, &config, queues::capacity(&config)),
            visits: Visits::new(backups),
            turns: Turns::of(front.n_smx as u16),
            graph: None,
            came: heapless::Vec::new(),
            is_regated: false,
        })
    }

    /// Units that have become visible go into their queues, in order.
    fn take_in(&mut self, view: &impl View) {
        if core::mem::take(&mut self.is_regated) {
            self.queues.classify(true, |work| class_of(view, work));
        }
        for id in core::mem::take(&mut self.came) {
            match (view.offer(id), id) {
                (Some(unit), _) if unit.kind != OfferKind::Node => self.push(&unit, view.now()),
                (_, OfferId::Entry(k)) => self.graph = Some(k),
                _ => {}
            }
        }
    }

    /// As the front end's own LaPerm holds a unit. There is room: its configuration was checked.
    fn push(&mut self, unit: &Offer, now: Cycle) {
        let work = match unit.id {
            OfferId::Entry(k) => Work { kde: Some(k), ..Work::default() },
            OfferId::Record(r) => Work { tag: r.0.into(), ..Work::default() },
            OfferId::Piece(_) => return,
        };
        let prio = unit.prio.min(self.config.levels as u8);
        let mut entry = self.config.entry_of(work, unit.left, prio, unit.psmx);
        entry.class = unit.class_id;
        let _ = match entry.unit {
            None => self.queues.push_queue0(entry, now, &self.config).map(drop),
            Some(bound) => self.queues.push(bound, entry, now, &self.config).map(drop),
        };
    }

    /// A unit was sent whole, or is withdrawn. Another one may come from memory.
    fn let_go(&mut self, e: EntryId, now: Cycle, class_of: impl Fn(&Work) -> Option<ClassId>) {
        let Entry { unit, is_on_chip, .. } = *self.queues.get(e);
        self.queues.remove(e);
        if let Some(unit) = unit.filter(|_| is_on_chip) {
            self.queues.refill(unit, now, &self.config, class_of);
        }
    }

    fn send(&mut self, view: &impl View, Pick { smx, entry: e, .. }: Pick) -> Answer {
        let id = name(&self.queues.get(e).work);
        if self.queues.send(e).1 {
            self.let_go(e, view.now(), |work| class_of(view, work));
        }
        Answer::Send(Choice::next_of(id, smx))
    }

    /// frontend-A6: where no unit is sent, a graph may send a node.
    fn send_node(&mut self, view: &impl View) -> Option<Answer> {
        let node = view.offer(OfferId::Entry(self.graph?))?;
        let is_ready = node.kind == OfferKind::Node && node.blkid.is_some();
        if is_ready { self.turns.send(&node, &node.open) } else { None }
    }

    /// When a visit may find what it does not find now, if nothing happens before.
    fn wake(&self, now: Cycle) -> Option<Cycle> {
        let visits_on = self.config.visit == Visit::Step && self.queues.any_visible(now);
        let next = now.after(1);
        if visits_on { Some(next) } else { self.queues.next_ready(next, &self.config) }
    }
}

impl<T: Tables> Policy for LaPerm<T> {
    fn saw(&mut self, at: Cycle, decision: &Decision) {
        let came = match *decision {
            Decision::Arrive { kde, .. } => OfferId::Entry(kde),
            Decision::Join { group: GroupRef::Unit(r), .. } => OfferId::Record(r),
            Decision::Suspend { kde, .. } => {
                let mut waiting = self.queues.places().flat_map(|place| self.queues.waiting(place));
                if let Some((e, _)) = waiting.find(|(_, entry)| entry.work.kde == Some(kde)) {
                    drop(waiting);
                    // The class of what comes from memory is looked up when there is a view.
                    self.let_go(e, at, |_| None);
                    self.is_regated = true;
                }
                return;
            }
            _ => return,
        };
        // It is asked in every cycle in which something comes, so there is room.
        let _ = self.came.push(came);
    }

    fn regated(&mut self) {
        self.is_regated = true;
    }

    fn choose(&mut self, view: &impl View) -> Answer {
        self.take_in(view);
        let room = Doors { view, closed: view.closed(), pass_capped: self.pass_capped };
        match self.visits.pick(&self.config, &self.queues, &room, view.now()) {
            Ok(pick) => self.send(view, pick),
            Err(_) => self.send_node(view).unwrap_or(Answer::Wait(self.wake(view.now()))),
        }
    }
}

/// The offer of a unit's work.
fn name(work: &Work) -> OfferId {
    match work.kde {
        Some(k) => OfferId::Entry(k),
        None => OfferId::Record(RecordId(work.tag as u32)),
    }
}

fn class_of(view: &impl View, work: &Work) -> Option<ClassId> {
    view.offer(name(work))?.class_id
}

/// Room and gates as the view shows them.
struct Doors<'v, V> {
    view: &'v V,
    closed: SmxSet,
    pass_capped: bool,
}

impl<V: View> Room<Work> for Doors<'_, V> {
    fn is_masked(&self, smx: SmxId) -> bool {
        self.closed.contains(smx)
    }

    fn hidden(&self, smx: SmxId) -> ClassSet {
        let mut hidden = ClassSet::EMPTY;
        let classes = (0..MAX_CLASSES).map(ClassId::from_index).filter(|_| self.pass_capped);
        classes.filter(|&class| self.view.capped(class).contains(smx)).for_each(|class| hidden.insert(class));
        hidden
    }

    fn fits(&self, smx: SmxId, work: &Work) -> bool {
        self.view.offer(name(work)).is_some_and(|unit| unit.open.contains(smx))
    }
}
