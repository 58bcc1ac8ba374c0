//! The baseline policy: kernels first come, first served; SMXs round robin (dtbl-T4, frontend-T4f).
//!
//! The head of the FCFS FIFO sends its native TBs, then its groups in the order in which they joined. Each TB goes to the first
//! SMX with room from the round-robin pointer on. A head that cannot be sent leaves some SMXs to those behind it, and each of them
//! to the next (frontend-G6): those on which it has its share (gate K), or, with `pass_graph`, all if it is a dependency graph
//! that has no node to send. On an SMX where it waits for room nothing overtakes it.
//!
//! So the line is walked while an SMX is left. What an entry leaves are set operations; only on an SMX that it does not leave is
//! room looked for, so on each SMX once in a cycle, however long the line.

mod validate;

use crate::base::cycle::{Cycle, first_of};
use crate::base::error::Fault;
use crate::base::id::{KernelSlot, RecordId, SmxId, next_of};
use crate::base::set::SmxSet;
use crate::config::LoadMode;
use crate::launch::ahead::LoadBuffer;
use crate::launch::board::{Board, BoardTables};
use crate::launch::cursor::{Cursor, Load};
use crate::launch::distributor::Chain;
use crate::policy::Sched;
use crate::policy::doors::Doors;
use crate::policy::graph::{GraphPart, GraphTables};
use crate::probe::{Decision, Probe, TbPlacement};

/// Where the policy stands. How far it got with a kernel is in the kernel's mark.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct FcfsRr {
    /// The SMX that is tried first.
    rr: SmxId,
    load_buffer: LoadBuffer,
}

impl FcfsRr {
    /// The policy with this SMX first.
    #[cfg(feature = "image")]
    pub(crate) fn at(rr: SmxId) -> Self {
        Self { rr, load_buffer: LoadBuffer::default() }
    }

    pub(crate) fn rr(&self) -> SmxId {
        self.rr
    }

    /// The SMX behind this one is tried first from now on.
    #[inline(always)] // On the way of every TB.
    pub(crate) fn pass_turn(&mut self, smx: SmxId, n_smx: u32) {
        self.rr = next_of(smx, n_smx);
    }

    pub(crate) fn load_buffer(&self) -> &LoadBuffer {
        &self.load_buffer
    }

    #[cfg(feature = "image")]
    pub(crate) fn load_buffer_mut(&mut self) -> &mut LoadBuffer {
        &mut self.load_buffer
    }

    // ---- one cycle

    /// One cycle of the SMX scheduler.
    pub(crate) fn dispatch<T: BoardTables + GraphTables>(
        &mut self,
        board: &mut Board<T>,
        graphs: &mut GraphPart<T>,
        probe: &mut impl Probe,
    ) -> Sched {
        match self.send_head(board, probe) {
            Some(tb) => Sched::Tb(tb),
            None => self.send_behind(board, graphs, probe),
        }
    }

    /// Sends the next TB of the kernel that is first in line, if that is at hand and an SMX takes it.
    #[inline(always)] // On the way of every TB, so nothing that may be missing is made on it.
    pub(crate) fn send_head<T: BoardTables>(
        &mut self,
        board: &mut Board<T>,
        probe: &mut impl Probe,
    ) -> Option<TbPlacement> {
        self.try_kernel(board, board.kd.fifo_head()?, None, probe)
    }

    /// The rest of a cycle in which [`FcfsRr::send_head`] has sent nothing: the kernel that is first in line says why not, and if
    /// it leaves SMXs to those behind it, the first of them that such an SMX takes goes ahead (frontend-A3, frontend-A4).
    #[inline(never)]
    pub(crate) fn send_behind<T: BoardTables + GraphTables>(
        &mut self,
        board: &mut Board<T>,
        graphs: &mut GraphPart<T>,
        probe: &mut impl Probe,
    ) -> Sched {
        let Some(head) = board.kd.fifo_head() else { return Sched::Idle };
        let all = board.all_smxs();
        let word = self.word(board, graphs, head, &all, probe);
        if !matches!(word, Sched::Capped) && !word.is_of_graph() {
            return word;
        }
        let mut left = Doors::of(board).leaves(head, &word, &all);
        let mut behind = board.kd.fifo_behind(head);
        while let Some(k) = behind.filter(|_| !left.is_empty()) {
            match self.try_behind(board, graphs, k, &left, probe) {
                sent @ Sched::Tb(_) => {
                    board.stats.passed = board.stats.passed.saturating_add(1);
                    return sent;
                }
                word => left = Doors::of(board).leaves(k, &word, &left),
            }
            behind = board.kd.fifo_behind(k);
        }
        word
    }

    /// Sends the next TB of a marked kernel to one of the SMXs left to it, or says why not.
    #[inline(never)]
    pub(crate) fn try_behind<T: BoardTables + GraphTables>(
        &mut self,
        board: &mut Board<T>,
        graphs: &mut GraphPart<T>,
        k: KernelSlot,
        left: &SmxSet,
        probe: &mut impl Probe,
    ) -> Sched {
        match self.try_kernel(board, k, Some(left), probe) {
            Some(tb) => Sched::Tb(tb),
            None => self.word(board, graphs, k, left, probe),
        }
    }

    /// Sends the next TB of a marked kernel, unless it is a node of a graph, to one of the SMXs left to it, all if it is the head.
    #[inline(always)] // On the way of every TB; its other caller is rare.
    fn try_kernel<T: BoardTables>(
        &mut self,
        board: &mut Board<T>,
        k: KernelSlot,
        left: Option<&SmxSet>,
        probe: &mut impl Probe,
    ) -> Option<TbPlacement> {
        let kde = board.kd.get_mut(k);
        let group = match kde.cursor() {
            Some(cursor) => cursor.group,
            // Its buffer knows how far a graph is.
            None if kde.graph.is_some() => return None,
            None => self.start(board, k),
        };
        if let Some(record) = group.filter(|&r| board.is_spilled(r))
            && !load(board, k, record, probe)
        {
            return None;
        }
        if board.config.load_ahead > 0 {
            self.look_ahead(board, k, group, probe);
        }
        let smx = match left {
            None => self.select_smx(board, k)?,
            Some(left) => self.first_taker(board, k, left)?,
        };
        self.pass_turn(smx, board.config.n_smx);
        Some(self.send(board, k, group, smx, probe))
    }

    /// Why [`FcfsRr::try_kernel`] sends nothing of a kernel to the SMXs left to it; of a kernel with a graph its buffer may send a node.
    #[inline(never)]
    fn word<T: BoardTables + GraphTables>(
        &self,
        board: &mut Board<T>,
        graphs: &mut GraphPart<T>,
        k: KernelSlot,
        left: &SmxSet,
        probe: &mut impl Probe,
    ) -> Sched {
        match board.kd.get(k).cursor() {
            Some(cursor) if cursor.group.is_some_and(|r| board.is_spilled(r)) && cursor.load != Load::Here => {
                Sched::Load
            }
            Some(_) => Doors::of(board).verdict(k, left),
            None => {
                let Some(graphs) = graphs.as_mut() else { return Sched::GraphFault };
                graphs.try_node(board, k, left, probe).map_or_else(|word| word, Sched::Tb)
            }
        }
    }

    /// The first SMX from the round-robin pointer on without obstacle for kernel `k`, which is the first in line.
    #[inline(always)] // On the way of every TB.
    fn select_smx<T: BoardTables>(&self, board: &mut Board<T>, k: KernelSlot) -> Option<SmxId> {
        board.residency.follow(k, &board.kd.get(k).need);
        let (room, gates) = (board.residency.room(), &board.gates);
        if board.config.exclusive || gates.any_class() {
            self.first_taker(board, k, room)
        } else {
            room.first_from(self.rr, gates.eligible(), gates.full())
        }
    }

    #[inline(never)]
    fn first_taker<T: BoardTables>(&self, board: &Board<T>, k: KernelSlot, left: &SmxSet) -> Option<SmxId> {
        Doors::of(board).takers(k, left, self.rr).next()
    }

    /// A marked kernel is tried for the first time. The group that it starts with, if it is one.
    #[inline(never)]
    pub(crate) fn start<T: BoardTables>(&mut self, board: &mut Board<T>, k: KernelSlot) -> Option<RecordId> {
        let cursor = board.kd.get_mut(k).start_cursor()?;
        if let Some(record) = cursor.group {
            cursor.load = self.load_buffer.take(record, board.config.load_ahead);
        }
        cursor.group
    }

    /// Sends the next TB of the kernel or of its group to `smx`, on which it fits.
    #[inline(always)] // On the way of every TB; its other caller is the host's.
    pub(crate) fn send<T: BoardTables>(
        &mut self,
        board: &mut Board<T>,
        k: KernelSlot,
        group: Option<RecordId>,
        smx: SmxId,
        probe: &mut impl Probe,
    ) -> TbPlacement {
        let (tb, more) = match group {
            None => board.send_native((k, None), smx, probe),
            Some(r) => {
                let blkid = board.kd.get_mut(k).cursor_mut().map_or(0, |cursor| {
                    cursor.next_bl += 1;
                    cursor.next_bl - 1
                });
                board.send_group((k, r, board.chained_ref(r)), (blkid, blkid == 0), smx, probe)
            }
        };
        if !more {
            self.finish(board, k, group, probe);
        }
        tb
    }

    /// Moves on when a grid was sent whole: to the kernel's next group, or to the next kernel.
    #[inline(never)]
    pub(crate) fn finish<T: BoardTables>(
        &mut self,
        board: &mut Board<T>,
        k: KernelSlot,
        group: Option<RecordId>,
        probe: &mut impl Probe,
    ) {
        let mut turn = board.kd.get(k).cursor().map_or(0, |c| c.turn);
        if let Some(r) = group {
            turn = turn.saturating_add(1);
            // Next is read only now, so a group linked behind a loaded one is not missed (dtbl-H3).
            let next = board.records.group_mut(r).and_then(|g| {
                g.dist = true;
                g.next.map(|(next, _)| next)
            });
            let kde = board.kd.get_mut(k);
            kde.chain = kde.chain.zip(next).map(|(chain, next)| Chain { next, ..chain });
        }
        let Some(chain) = board.kd.get(k).chain else {
            board.kd.unmark(k);
            return probe.decide(board.now, Decision::Unmark { kde: k });
        };
        let limit = board.config.turn_groups;
        let had_its_turn = group.is_some() && 0 < limit && limit <= turn;
        if had_its_turn && board.kd.fifo_head() == Some(k) && board.kd.fifo_behind(k).is_some() {
            board.kd.unmark(k);
            board.kd.mark(k, false);
            return probe.decide(board.now, Decision::Rotate { kde: k });
        }
        if let Some(mark) = &mut board.kd.get_mut(k).mark {
            mark.first = false;
            let load = self.load_buffer.take(chain.next, board.config.load_ahead);
            mark.cursor = Some(Cursor { group: Some(chain.next), load, turn, ..Cursor::default() });
        }
    }

    // ---- loads

    /// dtbl-T4a: what a kernel sends is at hand; of the groups behind it the first one that is spilled and not here is asked for, once.
    #[inline(never)]
    fn look_ahead<T: BoardTables>(
        &mut self,
        board: &Board<T>,
        k: KernelSlot,
        sent: Option<RecordId>,
        probe: &mut impl Probe,
    ) {
        if let Some((at, record)) = self.next_ask(board, k, sent, board.now)
            && at == board.now
            && let Some(place) = self.load_buffer.free_place(board.config.load_ahead)
        {
            *place = Some((record, Load::Waiting(at.after(board.config.load_cycles.into()))));
            probe.decide(at, Decision::Load { record });
        }
    }

    /// The first cycle from `at` on in which [`FcfsRr::look_ahead`] asks if nothing but time changes, and for which group.
    fn next_ask<T: BoardTables>(
        &self,
        board: &Board<T>,
        k: KernelSlot,
        sent: Option<RecordId>,
        mut at: Cycle,
    ) -> Option<(Cycle, RecordId)> {
        if !self.load_buffer.has_room(board.config.load_ahead) {
            return None;
        }
        for record in next_in_line(board, k, sent).filter(|&r| board.is_spilled(r)) {
            match self.load_buffer.get(record) {
                Load::NotAsked => return Some((at, record)),
                Load::Waiting(until) if board.config.load_mode == LoadMode::Fixed => at = at.max(until),
                Load::Waiting(_) => return None,
                Load::Here => {}
            }
        }
        None
    }

    /// dtbl-S3: the information of a spilled group is here (`load_mode` external).
    pub(crate) fn loaded<T: BoardTables>(&mut self, board: &mut Board<T>, record: RecordId) -> Result<(), Fault> {
        let is_sent = |k: &KernelSlot| board.kd.get(*k).cursor().is_some_and(|c| c.group == Some(record));
        let sender = board.kd.fifo().find(is_sent);
        let load = match sender {
            Some(k) => board.kd.get_mut(k).cursor_mut().map(|cursor| &mut cursor.load),
            None => self.load_buffer.get_mut(record),
        };
        let load = load.filter(|load| matches!(load, Load::Waiting(_))).ok_or(Fault::NoLoad)?;
        *load = Load::Here;
        Ok(())
    }

    /// policy-P6: every load of a marked entry that is due is here.
    pub(crate) fn land<T: BoardTables>(&self, board: &mut Board<T>) {
        let (mut next, now) = (board.kd.fifo_head(), board.now);
        while let Some(k) = next {
            if let Some(cursor) = board.kd.get_mut(k).cursor_mut()
                && matches!(cursor.load, Load::Waiting(until) if until <= now)
            {
                cursor.load = Load::Here;
            }
            next = board.kd.fifo_behind(k);
        }
    }

    // ---- looks ahead, which change nothing

    /// How far the scheduler got with a marked kernel, or where it will start.
    pub(crate) fn cursor_of<T: BoardTables>(&self, board: &Board<T>, k: KernelSlot) -> Cursor {
        let kde = board.kd.get(k);
        kde.cursor().copied().unwrap_or_else(|| {
            let start = Cursor::start(kde);
            Cursor { load: start.group.map_or(Load::NotAsked, |r| self.load_buffer.get(r)), ..start }
        })
    }

    /// Whether the information of the group that an entry of the FIFO sends next is still to be loaded (dtbl-H2).
    pub(crate) fn waits_for_load<T: BoardTables>(&self, board: &Board<T>, k: KernelSlot) -> bool {
        let Cursor { group, load, .. } = self.cursor_of(board, k);
        let fixed = board.config.load_mode == LoadMode::Fixed;
        group.is_some_and(|r| board.is_spilled(r))
            && match load {
                Load::NotAsked => !fixed || board.config.load_cycles > 0,
                Load::Waiting(until) => !fixed || board.now < until,
                Load::Here => false,
            }
    }

    /// Whether an entry says in the cycle `at` that it waits for a load that was asked for.
    pub(crate) fn waits_at<T: BoardTables>(&self, board: &Board<T>, k: KernelSlot, at: Cycle) -> bool {
        let Cursor { group, load, .. } = self.cursor_of(board, k);
        let is_here = board.config.load_mode == LoadMode::Fixed && matches!(load, Load::Waiting(until) if until <= at);
        group.is_some_and(|r| board.is_spilled(r)) && load != Load::Here && !is_here
    }

    /// Whether an entry that is tried in the cycle `at` asks for a load.
    pub(crate) fn asks_at<T: BoardTables>(&self, board: &Board<T>, k: KernelSlot, at: Cycle) -> bool {
        let Cursor { group, load, .. } = self.cursor_of(board, k);
        if group.is_some_and(|r| board.is_spilled(r)) && load == Load::NotAsked {
            return true;
        }
        !self.waits_at(board, k, at) && self.next_ask(board, k, group, at).is_some_and(|(ask, _)| ask == at)
    }

    /// When, after the cycle `at`, something of an entry that is tried lands, or it asks for a load.
    pub(crate) fn next_load<T: BoardTables>(&self, board: &Board<T>, k: KernelSlot, at: Cycle) -> Option<Cycle> {
        let Cursor { group, load, .. } = self.cursor_of(board, k);
        if !self.waits_at(board, k, at) {
            return self.next_ask(board, k, group, at).map(|(ask, _)| ask).filter(|&ask| ask > at);
        }
        match load {
            Load::Waiting(until) if board.config.load_mode == LoadMode::Fixed => Some(until),
            _ => None,
        }
    }

    /// When the scheduler next sends a TB or asks for a load.
    pub(crate) fn next_dispatch<T: BoardTables + GraphTables>(
        &self,
        board: &Board<T>,
        graphs: &GraphPart<T>,
    ) -> Option<Cycle> {
        // Later than now while an entry in line has a load under way.
        let mut at = board.now;
        // When the first of the entries in line asks for a group behind the one that it sends.
        let mut ask = None;
        for (k, _, found) in in_line(Doors::of(board), graphs) {
            let Cursor { group, load, .. } = self.cursor_of(board, k);
            if group.is_some_and(|r| board.is_spilled(r)) {
                match load {
                    Load::NotAsked => return first_of([ask, Some(at)]),
                    Load::Waiting(_) if board.config.load_mode == LoadMode::External => return ask,
                    Load::Waiting(until) => at = at.max(until),
                    Load::Here => {}
                }
            }
            ask = first_of([ask, self.next_ask(board, k, group, at).map(|(at, _)| at)]);
            if found.is_ok() {
                return first_of([ask, Some(at)]);
            }
        }
        ask
    }
}

/// Whether the information of a spilled group is here; asks for it once (dtbl-H2).
#[inline(never)]
pub(crate) fn load<T: BoardTables>(
    board: &mut Board<T>,
    k: KernelSlot,
    record: RecordId,
    probe: &mut impl Probe,
) -> bool {
    let (now, fixed) = (board.now, board.config.load_mode == LoadMode::Fixed);
    let until = now.after(board.config.load_cycles.into());
    let Some(cursor) = board.kd.get_mut(k).cursor_mut() else { return false };
    if cursor.load == Load::NotAsked {
        probe.decide(now, Decision::Load { record });
        cursor.load = Load::Waiting(until);
    }
    if matches!(cursor.load, Load::Waiting(until) if fixed && now >= until) {
        cursor.load = Load::Here;
    }
    cursor.load == Load::Here
}

/// The groups next in line behind what a marked kernel sends, as many as may be fetched.
fn next_in_line<T: BoardTables>(
    board: &Board<T>,
    k: KernelSlot,
    sent: Option<RecordId>,
) -> impl Iterator<Item = RecordId> {
    let next_of = |r: &RecordId| board.records.get(*r).group()?.next.map(|(next, _)| next);
    let first = match sent {
        None => board.kd.get(k).chain.map(|chain| chain.next),
        Some(r) => next_of(&r),
    };
    core::iter::successors(first, next_of).take(board.config.load_ahead as usize)
}

/// Entries of the FIFO with the SMXs that are left to each, and why it cannot be sent if it cannot; loads aside. The line ends
/// with an entry that can be, or that leaves no SMX.
pub(crate) fn in_line<'a, T: BoardTables + GraphTables>(
    doors: Doors<'a, T>,
    graphs: &'a GraphPart<T>,
) -> impl Iterator<Item = (KernelSlot, SmxSet, Result<(), Sched>)> + use<'a, T> {
    let board = doors.board;
    let (mut next, mut left) = (board.kd.fifo_head(), board.all_smxs());
    core::iter::from_fn(move || {
        let k = next.filter(|_| !left.is_empty())?;
        let own = left;
        let found = find(k, &doors, graphs, &own);
        left = found.as_ref().err().map_or(SmxSet::EMPTY, |word| doors.leaves(k, word, &own));
        next = board.kd.fifo_behind(k);
        Some((k, own, found))
    })
}

/// Whether an entry of the FIFO could be sent to an SMX that is left to it; loads aside.
fn find<T: BoardTables + GraphTables>(
    k: KernelSlot,
    doors: &Doors<'_, T>,
    graphs: &GraphPart<T>,
    left: &SmxSet,
) -> Result<(), Sched> {
    if doors.board.kd.get(k).graph.is_some() {
        graphs.as_ref().map_or(Err(Sched::GraphFault), |graphs| graphs.candidate())?;
    }
    if doors.is_taken(k, left) { Ok(()) } else { Err(doors.verdict(k, left)) }
}
