//! Everything that the C queries show, in the core's terms.

use gpusched::{ClassCap, GraphState, HwqId, KernelSlot, RecordId, SmxId, Status, WaitingHead};
use gpusched_abi::frontend::query::*;
use gpusched_abi::frontend::view::*;
use gpusched_abi::frontend::{gates::*, query::gpusched_frontend_suspended as suspended};
use gpusched_abi::status::gpusched_status;

use super::records::{
    class_cap, flag, group_or_native, group_ref, head, narrow, number, one_of, optional_ref, stats, tb,
};
use super::{ThroughC, done};
use crate::view::{CursorView, KdeView, LoadView, RecordStateView, RecordView, View};

impl ThroughC {
    /// What the queries show. Where two of them show the same thing, they must agree.
    pub(super) fn look(&self) -> View {
        let config = self.config;
        let smxs = || 0..config.n_smx;
        let tbs = self.object.list(gpusched_frontend_resident_tbs);
        let by_slot = smxs().flat_map(|s| (0..config.tb_slots).map(move |w| (s, w)));
        let by_slot =
            by_slot.filter_map(|(s, w)| unless(gpusched_status::NoTb, self.object.cell(gpusched_frontend_tb, s, w)));
        assert!(by_slot.eq(tbs.iter().copied()), "slot by slot there are other TBs than {tbs:?}");
        let agt = self.object.list(gpusched_frontend_agt);
        for group in agt.iter().chain(&self.object.list(gpusched_frontend_spilled)) {
            assert_eq!(self.object.row(gpusched_frontend_group, group.record).as_ref(), Ok(group));
        }
        let records = (0..config.pend_limit).filter_map(|r| Some((RecordId(r), self.record(r)?)));
        let view = View {
            now: self.now(),
            rr: SmxId(narrow(self.object.ask(gpusched_frontend_rr))),
            fcfs: self.object.list(gpusched_frontend_fcfs).into_iter().map(|k| KernelSlot(narrow(k))).collect(),
            kdes: (0..config.n_kde).filter_map(|k| Some((KernelSlot(narrow(k)), self.kde(k)?))).collect(),
            agt: agt.iter().map(|group| (group.at, RecordId(group.record))).collect(),
            load_buffer: self.object.list(gpusched_frontend_load_buffer).iter().map(load_place).collect(),
            records: records.collect(),
            hwqs: (0..config.n_hwq).filter_map(|q| Some((narrow(q), self.hwq(q)?))).collect(),
            suspended: (0..config.susp_cap).filter_map(|i| Some((narrow(i), self.suspended(i)?))).collect(),
            smxs: smxs().map(|s| self.free(s)).collect(),
            tbs: tbs.iter().map(tb).collect(),
            warps: self.object.ask(gpusched_frontend_resident_warps),
            stats: stats(&self.object.ask(gpusched_frontend_get_stats)),
            status: status(self.object.ask(gpusched_frontend_get_status)),
            eligible: self.object.ask(gpusched_frontend_eligible).words,
            block_caps: smxs().map(|s| expect(self.object.row(gpusched_frontend_block_cap, s))).collect(),
            classes: (0..config.n_class).map(|c| self.class(c)).collect(),
            waiting_heads: (0..).map_while(|start| self.waiting_head(start)).collect(),
            laperm: self.laperm(),
            bubble: self.bubble(),
            dgb: self.dgb(),
        };
        assert_eq!(view.records.len() as u32, self.object.ask(gpusched_frontend_records_in_use));
        view
    }

    fn kde(&self, k: u32) -> Option<KdeView> {
        let e: gpusched_kde = unless(gpusched_status::NoKernel, self.object.row(gpusched_frontend_kde, k))?;
        let cursor = || CursorView {
            group: group_or_native(e.agei_unit, e.agei),
            next_bl: e.next_bl,
            load: one_of(e.load, &LOADS),
            turn: e.turn,
        };
        let chain = optional_ref(e.nagei_unit, e.nagei).zip(optional_ref(e.lagei_unit, e.lagei));
        Some(KdeView {
            tag: e.tag,
            pc: e.pc,
            total: e.total,
            queue: number(e.queue).map(HwqId),
            arrives: (e.arrives > 0).then_some(e.arrives),
            mark: flag(e.marked).then(|| flag(e.first)),
            cursor: flag(e.tried).then(cursor),
            chain,
            exe: e.exe,
            live: e.live,
            next_native: e.next_native,
            saved: (e.saved, e.restored),
            depth: narrow(e.depth),
            retain: flag(e.retain),
            psmx: number(e.psmx).map(SmxId),
            prio: narrow(e.prio),
            pend: e.pend,
            graph: one_of(e.graph, &GRAPHS),
        })
    }

    fn record(&self, r: u32) -> Option<RecordView> {
        let record: gpusched_record = unless(gpusched_status::BadIndex, self.object.row(gpusched_frontend_record, r))?;
        let group = || {
            let group: gpusched_group_view = expect(self.object.row(gpusched_frontend_group, r));
            assert_eq!((group.tag, group.record), (record.tag, r));
            RecordStateView::Grp {
                at: group_ref(group.at_unit, group.at),
                kde: KernelSlot(narrow(group.kde)),
                next: optional_ref(group.next_unit, group.next),
                exe: group.exe,
                dist: flag(group.dist),
            }
        };
        let state = one_of(
            record.state,
            &[
                (gpusched_record_state::Agg as u32, Some(RecordStateView::Agg(record.ready))),
                (gpusched_record_state::Dev as u32, Some(RecordStateView::Dev(record.ready))),
                (gpusched_record_state::Grp as u32, None),
            ],
        );
        Some(RecordView {
            tag: record.tag,
            total: record.total,
            called: record.called,
            depth: narrow(record.depth),
            psmx: SmxId(narrow(record.psmx)),
            state: state.unwrap_or_else(group),
            prio: narrow(record.prio),
        })
    }

    fn hwq(&self, q: u32) -> Option<(bool, u32)> {
        let gpusched_hwq { busy, len } = expect(self.object.row(gpusched_frontend_hwq, q));
        (flag(busy) || len > 0).then(|| (flag(busy), len))
    }

    fn suspended(&self, i: u32) -> Option<(u64, u32, bool)> {
        let gpusched_suspended { tag, saved, resumed } =
            unless(gpusched_status::BadSusp, self.object.row(suspended, i))?;
        Some((tag, saved, flag(resumed)))
    }

    fn free(&self, s: u32) -> [u32; 4] {
        let gpusched_smx { slots, threads, regs, smem, warps: _ } = expect(self.object.row(gpusched_frontend_smx, s));
        [slots.count_ones(), threads, regs, smem]
    }

    /// From the unit `start` on, if there is one.
    fn waiting_head(&self, start: u32) -> Option<Option<WaitingHead>> {
        let told = unless(gpusched_status::BadUnit, self.object.row(gpusched_frontend_waiting_head, start))?;
        Some(head(&told))
    }

    fn class(&self, c: u32) -> (Option<u64>, Vec<ClassCap>, bool) {
        let (mut bound, mut pc) = (0, 0);
        // SAFETY: the object and both numbers live.
        expect(done(unsafe { gpusched_frontend_get_class(self.frontend(), c, &mut bound, &mut pc) }));
        let caps =
            (0..self.config.n_smx).map(|s| class_cap(&expect(self.object.cell(gpusched_frontend_class_cap, c, s))));
        (flag(bound).then_some(pc), caps.collect(), flag(expect(self.object.row(gpusched_frontend_has_work, c))))
    }
}

const LOADS: [(u32, LoadView); 3] = [
    (gpusched_load::NotAsked as u32, LoadView::NotAsked),
    (gpusched_load::Waiting as u32, LoadView::Waiting),
    (gpusched_load::Here as u32, LoadView::Here),
];

fn load_place(place: &gpusched_load_place) -> (RecordId, LoadView) {
    (RecordId(place.record), one_of(place.load, &LOADS))
}

const GRAPHS: [(u32, Option<GraphState>); 6] = [
    (gpusched_graph_state::None as u32, None),
    (gpusched_graph_state::Coming as u32, Some(GraphState::Coming)),
    (gpusched_graph_state::Running as u32, Some(GraphState::Running)),
    (gpusched_graph_state::Finished as u32, Some(GraphState::Finished)),
    (gpusched_graph_state::Faulted as u32, Some(GraphState::Faulted)),
    (gpusched_graph_state::Aborted as u32, Some(GraphState::Aborted)),
];

fn status(number: u32) -> Status {
    use gpusched_frontend_status as C;
    one_of(
        number,
        &[
            (C::Running as u32, Status::Running),
            (C::Gated as u32, Status::Gated),
            (C::KdBlocked as u32, Status::KdBlocked),
            (C::Suspended as u32, Status::Suspended),
            (C::HwqBlocked as u32, Status::HwqBlocked),
            (C::Retained as u32, Status::Retained),
            (C::Drained as u32, Status::Drained),
            (C::GraphStuck as u32, Status::GraphStuck),
            (C::GraphWait as u32, Status::GraphWait),
        ],
    )
}

/// The answer of a query that cannot be refused.
pub(super) fn expect<V>(answer: Result<V, gpusched_status>) -> V {
    answer.unwrap_or_else(|status| panic!("a query of something that exists is refused with {status:?}"))
}

/// The answer of a query about a row, or none if the row is free, which is said with `free`.
pub(super) fn unless<V>(free: gpusched_status, answer: Result<V, gpusched_status>) -> Option<V> {
    match answer {
        Err(status) if status == free => None,
        other => Some(expect(other)),
    }
}
