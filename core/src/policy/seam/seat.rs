//! What the front end offers: a look at the units with TBs to send, at the room and at the gates (policy-P4). Looking changes nothing.

use core::ops::Range;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{KernelSlot, PieceId, RecordId, SmxId};
use crate::config::LoadMode;
use crate::launch::board::{Board, BoardTables};
use crate::launch::cursor::{Cursor, Load};
use crate::policy::Sched;
use crate::policy::doors::Doors;
use crate::policy::fcfs_rr::FcfsRr;
use crate::policy::graph::{GraphPart, GraphTables};
use crate::policy::seam::offer::{Offer, OfferId, OfferKind, OfferLoad, Resident};
use crate::policy::seam::told::{Told, ToldTables};
use crate::policy::seam::units::UnitRow;

/// The next TB of a unit, by where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Next {
    pub(crate) id: OfferId,
    pub(crate) k: KernelSlot,
    /// Its group; `None` for native TBs and nodes.
    pub(crate) group: Option<RecordId>,
    pub(crate) is_node: bool,
    /// The piece of its unit, if that is in pieces and this is none of what it has kept.
    pub(crate) piece: Option<PieceId>,
}

impl Next {
    /// A piece of this unit.
    fn in_piece(self, piece: PieceId) -> Self {
        Self { id: OfferId::Piece(piece), piece: Some(piece), ..self }
    }
}

/// The front end as the host sees it between the two halves of a cycle.
pub(crate) struct Seat<'a, T: BoardTables + GraphTables + ToldTables> {
    pub(crate) board: &'a Board<T>,
    pub(crate) fcfs_rr: &'a FcfsRr,
    pub(crate) graphs: &'a GraphPart<T>,
    pub(crate) told: &'a Told<T>,
}

impl<T: BoardTables + GraphTables + ToldTables> Clone for Seat<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: BoardTables + GraphTables + ToldTables> Copy for Seat<'_, T> {}

impl<'a, T: BoardTables + GraphTables + ToldTables> Seat<'a, T> {
    /// Units with TBs to send, in order. A graph is none of the free units, and comes behind them (policy-A2).
    #[inline]
    pub(crate) fn units(self) -> Line<'a, T> {
        self.units_from(None)
    }

    /// Those from this one on; none is the first one.
    #[inline]
    pub(crate) fn units_from(self, start: Option<Next>) -> Line<'a, T> {
        let at = match start {
            Some(next) => At::Unit(next),
            None => At::Start,
        };
        Line { seat: self, at }
    }

    #[inline]
    fn first(&self) -> Option<Next> {
        if self.told.is_free() {
            self.free_unit(self.told.units.first())
        } else {
            self.board.kd.fifo_head().map(|k| self.chained(k))
        }
    }

    /// The unit behind one.
    #[inline]
    fn behind(&self, next: &Next) -> Option<Next> {
        if !self.told.is_free() {
            return self.board.kd.fifo_behind(next.k).map(|k| self.chained(k));
        }
        // A graph is the last one.
        if next.is_node {
            return None;
        }
        let row = self.told.units.of(next.k, next.group);
        match self.told.piece_behind(row, next.piece) {
            Some(piece) => Some(next.in_piece(piece)),
            None => self.free_unit(self.told.units.behind(row)),
        }
    }

    /// A free unit in line, or behind all of them the graph.
    fn free_unit(&self, row: Option<UnitRow>) -> Option<Next> {
        match row {
            Some(row) => self.at(row),
            None => {
                let k = self.graphs.as_ref()?.unsent(self.board)?;
                Some(Next { id: OfferId::Entry(k), k, group: None, is_node: true, piece: None })
            }
        }
    }

    /// What is offered under a name.
    pub(crate) fn find(&self, id: OfferId) -> Option<Next> {
        let is_free = self.told.is_free();
        match id {
            OfferId::Entry(k) if u32::from(k.0) >= self.board.config.n_kde => None,
            OfferId::Entry(k) if !is_free => self.board.kd.get(k).mark.map(|_| self.chained(k)),
            OfferId::Entry(k) => {
                let is_node = self.graphs.as_ref().is_some_and(|graphs| graphs.unsent(self.board) == Some(k));
                let is_offered = is_node || self.told.units.has_own(self.told.units.natives(k));
                is_offered.then_some(Next { id, k, group: None, is_node, piece: None })
            }
            OfferId::Record(r) => {
                let is_record = is_free && r.0 < self.board.config.pend_limit;
                let row = self.told.units.group(r);
                (is_record && self.told.units.has_own(row)).then(|| self.at(row))?
            }
            OfferId::Piece(p) => Some(self.unit_at(self.told.pieces.unit(p)?)?.in_piece(p)),
        }
    }

    /// The current unit of a marked entry.
    #[inline]
    fn chained(&self, k: KernelSlot) -> Next {
        let kde = self.board.kd.get(k);
        let is_node = kde.graph.is_some();
        let group = match kde.cursor() {
            _ if is_node => None,
            Some(cursor) => cursor.group,
            None => Cursor::start(kde).group,
        };
        Next { id: OfferId::Entry(k), k, group, is_node, piece: None }
    }

    /// A free unit: what it has kept, or the first of its pieces if that is sent.
    pub(crate) fn at(&self, row: UnitRow) -> Option<Next> {
        let unit = self.unit_at(row)?;
        if self.told.units.has_own(row) { Some(unit) } else { Some(unit.in_piece(self.told.piece_behind(row, None)?)) }
    }

    fn unit_at(&self, row: UnitRow) -> Option<Next> {
        Some(match self.told.units.record(row) {
            None => {
                let k = KernelSlot(row.0 as u8);
                Next { id: OfferId::Entry(k), k, group: None, is_node: false, piece: None }
            }
            Some(r) => {
                let k = self.board.records.get(r).group()?.kernel;
                Next { id: OfferId::Record(r), k, group: Some(r), is_node: false, piece: None }
            }
        })
    }

    // ---- one offer

    /// How far the load of its information is.
    #[inline]
    pub(crate) fn load(&self, next: &Next) -> OfferLoad {
        match next.group {
            Some(r) if !self.told.is_free() && self.board.is_spilled(r) => self.load_of_spilled(next),
            _ => OfferLoad::None,
        }
    }

    #[inline(never)]
    fn load_of_spilled(&self, next: &Next) -> OfferLoad {
        match self.fcfs_rr.cursor_of(self.board, next.k).load {
            Load::NotAsked => OfferLoad::Needed,
            Load::Waiting(until) if self.board.config.load_mode == LoadMode::Fixed && until <= self.board.now => {
                OfferLoad::Here
            }
            Load::Waiting(_) => OfferLoad::Waiting,
            Load::Here => OfferLoad::Here,
        }
    }

    /// Whether its next TB is known: a graph may have no node to send.
    #[inline]
    pub(crate) fn is_known(&self, next: &Next) -> bool {
        !next.is_node || self.graphs.as_ref().is_some_and(|graphs| graphs.candidate().is_ok())
    }

    /// Whether its next TB could be sent now, were its information here (policy-P5).
    #[inline]
    pub(crate) fn is_live(&self, next: &Next) -> bool {
        self.load(next) != OfferLoad::Waiting && self.is_known(next) && Doors::of(self.board).is_open(next.k)
    }

    /// Whether anything could be done with it now (policy-P5).
    #[inline]
    pub(crate) fn is_ripe(&self, next: &Next) -> bool {
        self.load(next) == OfferLoad::Needed || self.is_live(next)
    }

    /// Whether any offer is live.
    pub(crate) fn any_live(&self) -> bool {
        if self.told.is_free() { self.any_free_live() } else { self.any_chained(|next| self.is_live(next)) }
    }

    /// Whether any offer is ripe. Nothing is to be loaded for free units.
    pub(crate) fn any_ripe(&self) -> bool {
        if self.told.is_free() { self.any_free_live() } else { self.any_chained(|next| self.is_ripe(next)) }
    }

    #[inline(always)] // At the end of every cycle.
    fn any_chained(&self, is_so: impl Fn(&Next) -> bool) -> bool {
        let mut k = self.board.kd.fifo_head();
        while let Some(unit) = k.map(|k| self.chained(k)) {
            if is_so(&unit) {
                return true;
            }
            k = self.board.kd.fifo_behind(unit.k);
        }
        false
    }

    /// What stands against a unit stands against all of its kernel, so each kernel is looked at once, however many units there are.
    fn any_free_live(&self) -> bool {
        let doors = Doors::of(self.board);
        let has_units = |k: &KernelSlot| self.board.kd.get(*k).pend > 0;
        self.board.kd.active().filter(has_units).any(|k| doors.is_open(k))
            || self.free_unit(None).is_some_and(|node| self.is_live(&node))
    }

    /// policy-P8: whether its next TB may go to this SMX now.
    #[inline(always)] // For each TB that is sent.
    pub(crate) fn may_send(&self, next: &Next, smx: SmxId) -> Result<(), Fault> {
        if matches!(self.load(next), OfferLoad::Needed | OfferLoad::Waiting) {
            return Err(Fault::NotHere);
        }
        if !self.is_known(next) {
            return Err(Fault::NoNode);
        }
        if let Some(closed) = Doors::of(self.board).obstacle(next.k, smx) {
            return Err(closed);
        }
        if self.told.sent >= self.told.config.dispatch_per_cycle { Err(Fault::CycleFull) } else { Ok(()) }
    }

    /// policy-P4: all that is said of it.
    #[inline(always)] // An offer is built where it is read: it is long.
    pub(crate) fn offer(&self, next: &Next) -> Offer {
        let &Next { id, k, group, is_node, piece } = next;
        let (board, units) = (self.board, &self.told.units);
        let kde = board.kd.get(k);
        let (kernel, row) = (&kde.kernel, units.of(k, group));
        let is_restored = kde.restored < kernel.saved;
        let (kind, blkid, left, total, prio, psmx) = match group {
            Some(r) => {
                let record = board.records.get(r);
                let sent = if self.told.is_free() {
                    units.get(row).next
                } else {
                    kde.cursor().filter(|c| c.group == group).map_or(0, |c| c.next_bl)
                };
                let total = record.shape.total;
                (OfferKind::Group, Some(sent), total - sent, total, record.prio, Some(record.psmx))
            }
            None => {
                let left = (kernel.saved - kde.restored) + (kde.total - kernel.next_native);
                let (kind, blkid) = match () {
                    () if is_node => (OfferKind::Node, self.node()),
                    () if is_restored => (OfferKind::Restored, Some(kde.restored)),
                    () => (OfferKind::Native, Some(kernel.next_native)),
                };
                (kind, blkid, left, kde.total, kernel.prio, kernel.psmx)
            }
        };
        let unit = units.get(row);
        let (blkid, left) = match self.told.range(row, piece) {
            Some(tbs) => (Some(tbs.start), tbs.end - tbs.start),
            None => (blkid, left),
        };
        let doors = Doors::of(board);
        Offer {
            id,
            row: row.0,
            kind,
            tag: board.tag_of(k, group),
            // Of two kernels that share a graph the candidate's (launch2-W4).
            res: kde.need.resources(),
            blkid,
            left,
            total,
            prio,
            psmx,
            class_id: board.class_of(k),
            stream: unit.stream.into(),
            key: unit.key,
            parent: unit.parent,
            open: doors.open(k),
            capped: doors.capped(k),
            load: self.load(next),
        }
    }

    /// The TBs of it that the host may send in pieces (policy-P15): of a free unit, and fresh ones.
    pub(crate) fn fresh(&self, next: &Next) -> Option<Range<u32>> {
        let kde = self.board.kd.get(next.k);
        let has_restored = next.group.is_none() && kde.restored < kde.kernel.saved;
        if next.is_node || has_restored || !self.told.is_free() {
            return None;
        }
        let row = self.told.units.of(next.k, next.group);
        let whole = match next.group {
            None => kde.kernel.next_native..kde.total,
            Some(r) => self.told.units.get(row).next..self.board.records.get(r).shape.total,
        };
        Some(self.told.range(row, next.piece).unwrap_or(whole))
    }

    /// The node that a graph sends next.
    fn node(&self) -> Option<u32> {
        self.graphs.as_ref()?.next_node()
    }

    /// The TBs on an SMX, by slot.
    pub(crate) fn on(self, smx: SmxId) -> impl Iterator<Item = Resident> + use<'a, T> {
        self.board.residency.tbs_on(smx).map(move |tb| {
            let unit = self.told.units.get(self.told.units.of(tb.kde, tb.group()));
            Resident { unit: unit.key.no, stream: unit.stream.into(), threads: self.board.kd.need_of(tb).threads }
        })
    }

    /// The word of a cycle in which nothing was sent (policy-P10). While anything was live, it was the host's to act, also if that is a
    /// group which it could have loaded (policy-A4).
    pub(crate) fn word(&self, any_live: bool) -> Sched {
        if any_live {
            return Sched::Told;
        }
        let Some(first) = self.units().next() else { return Sched::Idle };
        if first.is_node
            && let Some(Err(word)) = self.graphs.as_ref().map(|graphs| graphs.candidate())
        {
            return word;
        }
        match self.load(&first) {
            OfferLoad::Needed | OfferLoad::Waiting => Sched::Load,
            OfferLoad::None | OfferLoad::Here => Doors::of(self.board).verdict(first.k, &self.board.all_smxs()),
        }
    }

    /// When the next load under way is here (`load_mode` fixed).
    pub(crate) fn next_load(&self) -> Option<Cycle> {
        let until = |k: KernelSlot| match self.board.kd.get(k).cursor()?.load {
            Load::Waiting(until) if self.board.config.load_mode == LoadMode::Fixed => Some(until),
            _ => None,
        };
        self.board.kd.fifo().filter_map(until).min()
    }
}

/// Units in order, from one on. Each is looked up when it is asked for.
pub(crate) struct Line<'a, T: BoardTables + GraphTables + ToldTables> {
    seat: Seat<'a, T>,
    at: At,
}

/// What a line tells next.
enum At {
    /// The first unit.
    Start,
    /// This one.
    Unit(Next),
    /// The one behind.
    Behind(Next),
    /// None.
    End,
}

impl<T: BoardTables + GraphTables + ToldTables> Iterator for Line<'_, T> {
    type Item = Next;

    #[inline(always)] // A host asks for the first ones in every cycle.
    fn next(&mut self) -> Option<Next> {
        let next = match &self.at {
            At::Start => self.seat.first(),
            At::Unit(next) => Some(*next),
            At::Behind(next) => self.seat.behind(next),
            At::End => None,
        };
        self.at = next.map_or(At::End, At::Behind);
        next
    }
}
