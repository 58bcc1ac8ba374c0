//! The usual load, in few instructions: of a full warp whose addresses have the offset of the PC's row, which prefetches lines side by
//! side, all of them inside, none of them waiting. All its conditions are tested before anything is done; where one fails the load goes
//! the plain way, which does the same step by step.

use super::Apogee;
use super::access::{Access, Lanes, Verdict, differs};
use super::answer::{LoadProbe, Loaded, Request, RequestKind};
use super::distance;
use super::queue::Run;
use super::row::{LoadRow, PrefetchState, RowKind};
use super::tables::Tables;
use crate::cycle::Cycle;

impl<T: Tables> Apogee<T> {
    /// The decision about such a load; `None`, and nothing was done, if it is another one.
    #[inline(always)]
    pub(super) fn steady(&mut self, now: Cycle, access: &Access<'_>, probe: &mut impl LoadProbe) -> Option<Loaded> {
        let Lanes::Dense { mask, addresses } = access.lanes else { return None };
        let config = &self.config;
        let warp = addresses.get(..config.warp_size as usize)?;
        let (&[first, ..], &[.., last]) = (warp, warp) else { return None };
        if mask != u64::MAX >> (u64::BITS - config.warp_size) || self.check_call(now, access).is_err() {
            return None;
        }
        // C, T: the PC's row is alone in its bucket, so there is no trigger.
        let id = self.table.first(access.pc as u32)?;
        let row = self.table.row(id);
        let RowKind::Load(LoadRow { offset: Some(offset), distance, .. }) = row.kind else { return None };
        // S: its last prefetch was neither late nor early.
        let state = row.states.of(access.warp);
        let is_timely = state == PrefetchState::Idle || state == PrefetchState::Back && access.verdict == Verdict::Hit;
        if row.next.is_some() || u64::from(row.pc) != access.pc || !is_timely || offset == 0 {
            return None;
        }
        // O: every pair is a match. The confidence then is at least N - 1, or the greatest, which is no less than N - 2.
        let step = i64::from(offset);
        let last_lane = config.warp_size - 1;
        let confidence = (u32::from(row.confidence) + last_lane).min(config.max_confidence());
        let inside = |from: u64, to: u64| (from | to) >> config.addr_bits == 0;
        if !inside(first, last) || confidence < config.min_conf || differs(warp, first, step.cast_unsigned()) != 0 {
            return None;
        }
        // F: if the first prediction is inside, the last one is calculated without overflow.
        let begin = distance::base(last, offset, distance.into(), self.threads, last_lane as u8);
        let end = begin.wrapping_add(step * i64::from(last_lane));
        let shift = config.line_bytes.trailing_zeros();
        if !inside(begin.cast_unsigned(), end.cast_unsigned()) || offset.unsigned_abs() > config.line_bytes {
            return None;
        }
        let (line, count) = (begin.cast_unsigned() >> shift, (end >> shift).abs_diff(begin >> shift) as u16 + 1);
        let (generation, kind) = (row.generation, RequestKind::Foa);
        let request = Request { line: line << shift, entry: id, generation, warp: access.warp, kind };
        let ready = now.after(config.issue_latency.into());
        let run = Run { first: request, ready, count, falls: offset < 0 };
        if !self.queue.push_run(&run) {
            return None;
        }
        (0..count).for_each(|i| probe.pushed(run.request(i, 1 << shift).line));
        self.now = now;
        let row = self.table.row_mut(id);
        (row.address, row.confidence) = (last, confidence as u16);
        row.kind = RowKind::Load(LoadRow { offset: Some(offset), thread: last_lane as u8, distance });
        self.requested(id, access.warp, count.into());
        let register = self.register(access.warp);
        self.last_loads[register] = Some(access.pc as u32);
        Some(Loaded { entry: id, confirmed: true, pushed: count.into(), ..Loaded::default() })
    }
}
