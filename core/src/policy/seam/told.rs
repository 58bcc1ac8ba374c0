//! The host as the policy: what it may do in a cycle that it has begun, and what is kept of it from cycle to cycle.

#[cfg(feature = "image")]
mod image;
mod split;
mod validate;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{KernelSlot, RecordId, SlotId, SmxId, id};
use crate::base::presence::{Part, Presence};
use crate::base::set::SmxSet;
use crate::base::table::{Rows, Table};
use crate::config::Config;
use crate::config::parts::{Rescue, ToldPart, Units as Form};
use crate::launch::board::{Board, BoardTables};
use crate::policy::fcfs_rr::{FcfsRr, load};
use crate::policy::graph::{GraphPart, GraphTables};
use crate::policy::seam::offer::{OfferId, OfferLoad};
use crate::policy::seam::pieces::{Piece, Pieces};
use crate::policy::seam::seat::{Next, Seat};
use crate::policy::seam::units::{Origin, ToldUnit, UnitRow, Units};
use crate::probe::{Decision, GroupRef, Probe, TbPlacement};
use crate::smx::residency::ResidentTb;

/// Where the rows of the seam lie.
pub(crate) trait ToldTables {
    /// Whether the host can be the policy.
    type Told: Presence;
    type ToldUnits: Rows<ToldUnit>;
    type ToldStarts: Rows<Cycle>;
    type ToldPieces: Rows<Piece>;
    type ToldPieceWords: Rows<u64>;
}

/// The seam, if the host is the policy.
pub(crate) type ToldPartOf<T> = Part<<T as ToldTables>::Told, Told<T>>;

/// For how long the host has nothing to say, unless something happens (policy-P9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Decline {
    /// It may have something to say now.
    #[default]
    None,
    /// Until this cycle.
    Until(Cycle),
    /// Until something happens.
    Never,
}

id! {
    /// A TB control register: SMX by SMX, slot by slot.
    pub(crate) StartId(u32)
}

/// What the front end keeps for a host that decides.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Told<T: ToldTables> {
    pub(crate) config: ToldPart,
    tb_slots: u32,
    pub(crate) units: Units<T::ToldUnits>,
    pub(crate) pieces: Pieces<T::ToldPieces, T::ToldPieceWords>,
    /// When the TB in a slot was sent.
    starts: Table<StartId, Cycle, T::ToldStarts>,
    /// Whether a cycle was begun that has not ended.
    pub(crate) is_begun: bool,
    /// TBs that the host has sent in it.
    pub(crate) sent: u32,
    /// The last of them.
    pub(crate) last: Option<TbPlacement>,
    pub(crate) decline: Decline,
    /// Cycles in a row with something open and nothing sent, up to `stall_limit`.
    pub(crate) spell: u32,
    /// Whether the front end sends until the host sends again.
    pub(crate) is_rescuing: bool,
}

impl<T: ToldTables> Told<T> {
    pub(crate) fn new(
        (rows, starts, pieces, map): (T::ToldUnits, T::ToldStarts, T::ToldPieces, T::ToldPieceWords),
        part: &ToldPart,
        config: &Config,
    ) -> Self {
        Self {
            config: *part,
            tb_slots: config.tb_slots,
            units: Units::new(rows, config),
            pieces: Pieces::new(pieces, map, part.split_cap),
            starts: Table::new(starts),
            is_begun: false,
            sent: 0,
            last: None,
            decline: Decline::None,
            spell: 0,
            is_rescuing: false,
        }
    }

    /// Whether units are offered by themselves.
    pub(crate) fn is_free(&self) -> bool {
        self.config.units == Form::Free
    }

    fn register(&self, smx: SmxId, slot: SlotId) -> StartId {
        StartId(u32::from(smx) * self.tb_slots + u32::from(slot))
    }

    /// When the TB in a slot was sent.
    pub(crate) fn start_of(&self, smx: SmxId, slot: SlotId) -> Cycle {
        self.starts[self.register(smx, slot)]
    }

    /// A TB was sent.
    pub(crate) fn started(&mut self, tb: &TbPlacement, now: Cycle) {
        let register = self.register(tb.smx, tb.slot);
        self.starts[register] = now;
    }

    /// A TB has ended, and with it perhaps its group. Apart, since every TB pays for what is asked on its way.
    #[cold]
    #[inline(never)]
    pub(crate) fn ended<B: BoardTables>(&mut self, board: &Board<B>, tb: &ResidentTb, (smx, slot): (SmxId, SlotId)) {
        self.left(smx, slot);
        self.lift();
        if let Some(r) = tb.group().filter(|&r| board.records.get(r).group().is_none()) {
            self.units.take(self.units.group(r));
        }
    }

    /// A TB has left its slot.
    pub(crate) fn left(&mut self, smx: SmxId, slot: SlotId) {
        let register = self.register(smx, slot);
        self.starts[register] = Cycle::ZERO;
    }

    /// Something happened: what the host has said before does not bind it any more (policy-P9).
    pub(crate) fn lift(&mut self) {
        self.decline = Decline::None;
    }
}

impl<T: BoardTables + GraphTables + ToldTables> Told<T> {
    // ---- units come and go

    /// What a TB has launched descends from its unit.
    #[cold]
    #[inline(never)]
    pub(crate) fn launched(&mut self, parent: &ResidentTb, records: &[RecordId]) {
        self.lift();
        let child = self.units.child_of(self.units.of(parent.kde, parent.group()));
        for &r in records {
            self.units.put(self.units.group(r), child);
        }
    }

    /// A kernel is issued: what it descends from moves to its entry.
    #[cold]
    #[inline(never)]
    pub(crate) fn issued(&mut self, origin: Origin, k: KernelSlot) {
        let unit = match origin {
            Origin::Host(stream) => ToldUnit::of_host(stream),
            Origin::Row(row) => self.units.take(row),
        };
        self.units.put(self.units.natives(k), unit);
    }

    /// policy-P3, policy-P12: the native TBs of a kernel, or the nodes of its graph, are visible. The graph stands in no line.
    #[cold]
    #[inline(never)]
    pub(crate) fn arrived(&mut self, board: &mut Board<T>, k: KernelSlot) {
        let row = self.units.natives(k);
        self.units.see(row, board.now);
        if board.kd.get(k).graph.is_none() && self.is_free() {
            self.hold(board, k, row);
        }
    }

    /// The same for a group.
    #[cold]
    #[inline(never)]
    pub(crate) fn joined(&mut self, board: &mut Board<T>, k: KernelSlot, r: RecordId) {
        let row = self.units.group(r);
        self.units.see(row, board.now);
        if self.is_free() {
            self.hold(board, k, row);
        } else {
            board.link(k, r);
        }
    }

    /// A free unit goes into the line, and is counted in its kernel's entry.
    fn hold(&mut self, board: &mut Board<T>, k: KernelSlot, row: UnitRow) {
        self.units.push(row);
        board.kd.get_mut(k).pend += 1;
    }

    /// A free unit leaves the line: it was sent whole, or is withdrawn.
    pub(crate) fn withdraw(&mut self, board: &mut Board<T>, k: KernelSlot, group: Option<RecordId>) {
        let row = self.units.of(k, group);
        if self.units.is_in_line(row) {
            self.units.remove(row);
            board.kd.get_mut(k).pend -= 1;
        }
    }

    // ---- the host's half of a cycle

    /// policy-P7: asks for the information of an offered group.
    pub(crate) fn ask(
        &mut self,
        board: &mut Board<T>,
        fcfs_rr: &mut FcfsRr,
        graphs: &GraphPart<T>,
        id: OfferId,
        probe: &mut impl Probe,
    ) -> Result<(), Fault> {
        let seat = Seat { board, fcfs_rr, graphs, told: self };
        let next = seat.find(id).ok_or(Fault::BadOffer)?;
        if seat.load(&next) != OfferLoad::Needed {
            return Err(Fault::NoLoad);
        }
        self.start(board, fcfs_rr, &next);
        if let Some(r) = next.group {
            load(board, next.k, r, probe);
        }
        Ok(())
    }

    /// policy-P8: sends the next TB of an offered unit to an SMX. What is asked for comes first, then where, then whether it is ready and the
    /// SMX free; that the cycle is full comes last, so that it hides nothing (policy-A3).
    pub(crate) fn send(
        &mut self,
        board: &mut Board<T>,
        fcfs_rr: &mut FcfsRr,
        graphs: &mut GraphPart<T>,
        (id, smx): (OfferId, SmxId),
        probe: &mut impl Probe,
    ) -> Result<TbPlacement, Fault> {
        let seat = Seat { board, fcfs_rr, graphs, told: self };
        let next = seat.find(id).ok_or(Fault::BadOffer)?;
        board.check_smx(smx)?;
        seat.may_send(&next, smx)?;
        let is_passing = !self.is_free() && board.kd.fifo_head() != Some(next.k);
        let tb = self.send_next(board, fcfs_rr, graphs, &next, smx, probe).ok_or(Fault::NoNode)?;
        if is_passing {
            board.stats.passed = board.stats.passed.saturating_add(1);
        }
        self.sent += 1;
        self.last = Some(tb);
        self.spell = 0;
        self.is_rescuing = false;
        Ok(tb)
    }

    /// Sends the next TB of a unit to an SMX that has no obstacle for it. There is one, unless it is a node and the graph stalls.
    pub(crate) fn send_next(
        &mut self,
        board: &mut Board<T>,
        fcfs_rr: &mut FcfsRr,
        graphs: &mut GraphPart<T>,
        next: &Next,
        smx: SmxId,
        probe: &mut impl Probe,
    ) -> Option<TbPlacement> {
        let &Next { k, group, is_node, .. } = next;
        let tb = if is_node {
            let mut only = SmxSet::EMPTY;
            only.set(smx, true);
            graphs.as_mut()?.try_node(board, k, &only, probe).ok()?
        } else if self.is_free() {
            self.send_free(board, next, smx, probe)
        } else {
            self.start(board, fcfs_rr, next);
            fcfs_rr.send(board, k, group, smx, probe)
        };
        self.started(&tb, board.now);
        Some(tb)
    }

    /// A marked entry that is tried for the first time gets its cursor.
    fn start(&self, board: &mut Board<T>, fcfs_rr: &mut FcfsRr, next: &Next) {
        if board.kd.get(next.k).cursor().is_none() {
            fcfs_rr.start(board, next.k);
        }
    }

    /// The next TB of a free unit.
    fn send_free(&mut self, board: &mut Board<T>, next: &Next, smx: SmxId, probe: &mut impl Probe) -> TbPlacement {
        let &Next { k, group, .. } = next;
        let (tb, more) = match group {
            _ if self.units.is_cut(self.units.of(k, group)) => self.send_piece(board, next, smx, probe),
            None => board.send_native((k, None), smx, probe),
            Some(r) => {
                let blkid = self.units.count(self.units.group(r));
                board.send_group((k, r, GroupRef::Unit(r)), (blkid, blkid == 0), smx, probe)
            }
        };
        if !more {
            if let Some(group) = group.and_then(|r| board.records.group_mut(r)) {
                group.dist = true;
            }
            self.withdraw(board, k, group);
        }
        tb
    }

    // ---- the guard

    /// policy-P11: a cycle ends in which the host has sent nothing although it could, or not. The rescue begins in the cycle that says
    /// `stalled` (policy-A5), which changes nothing for the host and lifts no decline (policy-A6).
    pub(crate) fn guard(&mut self, board: &mut Board<T>, could_send: bool, probe: &mut impl Probe) {
        if !could_send {
            self.spell = 0;
            return;
        }
        let limit = self.config.stall_limit;
        if self.spell < limit {
            self.spell += 1;
            if self.spell == limit {
                probe.decide(board.now, Decision::Stalled);
                board.stats.stalled = board.stats.stalled.saturating_add(1);
                self.is_rescuing = self.config.rescue != Rescue::None;
            }
        }
    }
}
