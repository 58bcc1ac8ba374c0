//! What can be seen of the model, in the core's terms.

use gpusched::{
    ClassCap, ClassId, Cycle, GraphState, HwqId, KernelSlot, RecordId, SlotId, SmxId, State, TbView, UnitId,
};

use super::laperm::Unit;
use super::{Held, Kde, LaPerm, Model, Record, Sscr, tbs_of};
use crate::bubble::Machine;
use crate::laperm::view::EntryView;
use crate::view::{CursorView, KdeView, LaPermView, LoadView, RecordStateView, RecordView, UnitView, View};

fn used<T>(rows: &[Option<T>]) -> impl Iterator<Item = (usize, &T)> {
    rows.iter().enumerate().filter_map(|(i, row)| Some((i, row.as_ref()?)))
}

fn load_view(load: u8) -> LoadView {
    match load {
        0 => LoadView::NotAsked,
        1 => LoadView::Waiting,
        _ => LoadView::Here,
    }
}

impl Model {
    /// frontend-Q1.
    fn status(&self) -> State {
        let resident = self.tbcr.iter().flatten().flatten().next().is_some();
        let arriving = self.kdes.iter().flatten().any(|e| e.arriving.is_some());
        let maturing = self.records.iter().flatten().any(|r| match r.state {
            Held::Agg(_) => true,
            Held::Dev => r.key.0 > self.now,
            Held::Tail | Held::Grp(_) => false,
        });
        let candidate = !self.ready_for_kmu().is_empty();
        // modern-P7: no entry is free for one of a context that holds as many as it may.
        let free_entry = self.kdes.iter().any(Option::is_none) && !self.candidates().is_empty();
        let (units, loading) = self.laperm_units();
        // launch2-Q2.
        let (waiting, tbs) = self.waiting_tbs();
        let all_wait = waiting > 0 && waiting == tbs;
        if (resident && !all_wait)
            || arriving
            || maturing
            || (candidate && free_entry)
            || loading
            || self.grids.is_flushing()
            || self.is_launching()
            || self.could_send()
        {
            State::Running
        } else if self.is_graph_stuck() {
            State::GraphStuck
        } else if self.is_graph_waiting() {
            State::GraphWait
        } else if all_wait {
            if self.only_gates_keep() { State::Gated } else { State::WaitStuck }
        } else if !self.fifo.is_empty() || units || self.unsent_graph().is_some() || !self.line().is_empty() {
            State::Gated
        } else if candidate {
            State::KdBlocked
        } else if self.suspended.iter().any(Option::is_some) {
            State::Suspended
        } else if self.queues.iter().any(|q| !q.is_empty()) {
            State::HwqBlocked
        } else if self.kdes.iter().any(Option::is_some) {
            State::Retained
        } else {
            State::Drained
        }
    }

    pub(super) fn has_work(&self, c: usize) -> bool {
        let Some(pc) = self.classes[c] else { return false };
        let unsent = |e: &Kde| {
            let d = &e.kernel.descriptor;
            let unsent = e.restored < e.kernel.saved || e.kernel.next_native < tbs_of(d);
            let natives = unsent && e.graph != Some(GraphState::Aborted);
            let is_of = match &e.kernel.cross {
                None => d.pc == pc,
                Some(cross) => cross.has_unsent_of(d, pc),
            };
            is_of && e.arriving.is_none() && (natives || e.nagei.is_some() || e.pend > 0)
        };
        self.kdes.iter().flatten().any(unsent)
    }

    fn cursor_view(&self, sscr: &Sscr) -> CursorView {
        CursorView {
            group: sscr.agei.map(|r| self.group_ref(r)),
            next_bl: sscr.next_bl,
            load: load_view(sscr.load),
            turn: sscr.turn,
        }
    }

    fn kde_view(&self, k: usize, e: &Kde) -> KdeView {
        KdeView {
            tag: e.kernel.descriptor.tag,
            pc: self.next_kernel(k).pc,
            total: tbs_of(&e.kernel.descriptor),
            queue: e.kernel.queue.map(|q| HwqId(q as u8)),
            arrives: e.arriving.map(|(at, _)| at),
            mark: self.fifo.contains(&k).then_some(e.first),
            cursor: self.cursors.get(&k).map(|c| self.cursor_view(c)),
            chain: e.nagei.zip(e.lagei).map(|(n, l)| (self.group_ref(n), self.group_ref(l))),
            exe: e.exe,
            live: e.live,
            next_native: e.kernel.next_native,
            saved: (e.kernel.saved, e.restored),
            depth: e.kernel.depth as u8,
            retain: e.retain,
            psmx: e.kernel.psmx.map(|s| SmxId(s as u16)),
            prio: e.kernel.prio as u8,
            pend: e.pend,
            graph: e.graph,
            owner: (e.kernel.owner.context as u8, e.kernel.owner.prio as u8),
            unit: self.cluster_unit(k),
            saving: e.saving,
        }
    }

    fn record_view(&self, r: usize, record: &Record) -> RecordView {
        let state = match &record.state {
            Held::Agg(_) => RecordStateView::Agg(record.key.0),
            Held::Dev => RecordStateView::Dev(record.key.0),
            Held::Tail => RecordStateView::Tail(record.key.0),
            Held::Grp(g) => RecordStateView::Grp {
                at: self.group_ref(r),
                kde: KernelSlot(g.kde as u8),
                next: g.next.map(|(_, at)| at),
                exe: g.exe,
                dist: g.dist,
            },
        };
        RecordView {
            tag: record.descriptor.tag,
            total: tbs_of(&record.descriptor),
            called: record.t0,
            depth: record.depth as u8,
            psmx: SmxId(record.psmx as u16),
            prio: record.prio as u8,
            state,
        }
    }

    fn laperm_view(&self, laperm: &LaPerm) -> LaPermView {
        let view = laperm.view();
        let unit = |e: &EntryView, on_chip: bool| UnitView {
            tag: self.tag_of(Unit::of(e.work.tag)),
            section: e.section,
            prio: e.prio,
            next: e.next,
            tbs: e.tbs,
            ready_at: e.ready_at.filter(|&at| on_chip && at < Cycle::MAX),
        };
        let each = |queues: &[Vec<EntryView>], on_chip: bool| {
            queues.iter().map(|queue| queue.iter().map(|e| unit(e, on_chip)).collect()).collect::<Vec<Vec<_>>>()
        };
        let (mut queues, mut overflow) = (each(&view.queues, true), each(&view.off_chip, false));
        let queue0 = queues.pop().expect("queue 0 is the last");
        overflow.pop();
        let kptr = UnitId(self.kptr as u16);
        LaPermView { cur: view.cur, backups: view.backups, kptr, pool_free: view.pool_free, queues, queue0, overflow }
    }

    /// Everything that can be seen.
    #[must_use]
    pub fn view(&self) -> View {
        let n = self.tbcr.len();
        let class_cap = |c: usize, s: usize| {
            let (cap, by) = self.caps[c][s];
            let (resident, bypassing) = self.class_residents(c, s);
            ClassCap { cap: cap as u8, by: by as u8, resident: resident as u8, bypassing: bypassing as u8 }
        };
        let tbs = (0..n).flat_map(|s| used(&self.tbcr[s]).map(move |(w, tb)| (s, w, tb)));
        let mut eligible = [0; 4];
        (0..n).filter(|&s| self.eligible(s)).for_each(|s| eligible[s / 64] |= 1 << (s % 64));
        View {
            now: self.now,
            rr: SmxId(self.rr as u16),
            fcfs: self.fifo.iter().map(|&k| KernelSlot(k as u8)).collect(),
            kdes: used(&self.kdes).map(|(k, e)| (KernelSlot(k as u8), self.kde_view(k, e))).collect(),
            agt: self.agt.iter().map(|(&age, &r)| (age, RecordId(r as u32))).collect(),
            load_buffer: used(&self.ahead).map(|(_, a)| (RecordId(a.record as u32), load_view(a.load))).collect(),
            records: used(&self.records).map(|(r, rec)| (RecordId(r as u32), self.record_view(r, rec))).collect(),
            hwqs: (0..self.queues.len())
                .map(|q| (q as u8, (self.busy[q], self.queues[q].len() as u32)))
                .filter(|(_, (busy, len))| *busy || *len > 0)
                .collect(),
            suspended: used(&self.suspended)
                .map(|(i, s)| (i as u8, (s.kernel.descriptor.tag, s.kernel.saved, s.resumed.is_some())))
                .collect(),
            smxs: (0..n).map(|s| self.free(s)).collect(),
            tbs: tbs
                .map(|(s, w, tb)| TbView {
                    smx: SmxId(s as u16),
                    slot: SlotId(w as u8),
                    kde: KernelSlot(tb.kde as u8),
                    tb_ref: self.tb_ref(tb.part),
                    blkid: tb.blkid,
                    prio: tb.prio as u8,
                    class_id: tb.class.map(|c| ClassId(c as u8)),
                    bypass: tb.bypass,
                    cluster: tb.member.map(|member| member.cluster),
                    rank: tb.member.map_or(0, |member| member.rank as u8),
                    has_triggered: tb.has_triggered,
                    is_waiting: tb.is_waiting,
                })
                .collect(),
            warps: self.resident_warps(),
            stats: self.stats,
            told: self.told_state(),
            status: self.status(),
            eligible,
            block_caps: self.block_caps.clone(),
            classes: (0..self.classes.len())
                .map(|c| (self.classes[c], (0..n).map(|s| class_cap(c, s)).collect(), self.has_work(c)))
                .collect(),
            waiting_heads: (0..self.units()).map(|start| self.waiting_head(start)).collect(),
            topology: self.topology_view(),
            clusters: self.cluster_view(),
            contexts: self.context_view(),
            streams: self.stream_view(),
            drains: self.drain_view(),
            grids: self.grids_view(),
            laperm: self.laperm.as_ref().map(|laperm| self.laperm_view(laperm)),
            bubble: self.bubble.as_ref().map(Machine::view),
            dgb: self.dgb.as_ref().map(|dgb| (dgb.view().specified(), self.dgb_owner.map(|k| KernelSlot(k as u8)))),
        }
    }
}
