//! Thread invariant address prefetching: loads of one address for all threads are prefetched by an earlier load of the same loop, the
//! trigger, which moves further back while it is too late (apogee-C1 to C4).

use super::Apogee;
use super::access::{Access, Verdict, WarpId};
use super::answer::{LoadProbe, Loaded, Push, Request, RequestKind, Tia, Triggered};
use super::row::{PrefetchState, Row, RowId, RowKind};
use super::tables::Tables;

impl<T: Tables> Apogee<T> {
    /// apogee-C1: what a load triggers; a slow row moves and prefetches (apogee-A10). The train or FOA row of its PC, which is met on
    /// the way.
    #[inline]
    pub(super) fn trigger(
        &mut self,
        pc: u32,
        access: &Access<'_>,
        loaded: &mut Loaded,
        probe: &mut impl LoadProbe,
    ) -> Option<RowId> {
        let mut own = None;
        let mut at = self.table.first(pc);
        while let Some(id) = at {
            let row = self.table.row(id);
            at = row.next;
            if row.pc == pc {
                match row.kind {
                    RowKind::Trigger { target, slow } => {
                        let triggered = self.trigger_row(id, target, slow, access);
                        loaded.triggered += 1;
                        probe.triggered(triggered);
                    }
                    _ => own = Some(id),
                }
            }
        }
        own
    }

    #[inline(never)]
    fn trigger_row(&mut self, id: RowId, target: u32, slow: bool, access: &Access<'_>) -> Triggered {
        let moved = slow && self.move_trigger(id, target, access);
        let ready = self.ready();
        let row = self.table.row_mut(id);
        row.states.set(access.warp, PrefetchState::Idle);
        let (line, generation) = (row.address & !u64::from(self.config.line_bytes - 1), row.generation);
        let request = Request { line, entry: id, generation, warp: access.warp, kind: RequestKind::Tia };
        let result = self.queue.push(request, ready);
        self.requested(id, access.warp, (result == Push::Pushed).into());
        Triggered { entry: id, moved, result }
    }

    /// apogee-C2: a slow row moves to the load before its trigger, if that is neither the trigger nor the target (apogee-H12).
    fn move_trigger(&mut self, id: RowId, target: u32, access: &Access<'_>) -> bool {
        self.table.row_mut(id).kind = RowKind::Trigger { target, slow: false };
        let pc = self.table.row(id).pc;
        match self.last_load(access.warp).and_then(|last| last.pc) {
            Some(lal) if lal != pc && lal != target => {
                self.table.change_pc(id, lal);
                true
            }
            _ => false,
        }
    }

    /// apogee-C3: the trigger row of a target, if there is one, prefetches for it from this address on.
    #[inline]
    pub(super) fn keep(&mut self, target: u32, address: u64, confidence: u16, warp: WarpId) -> Option<(RowId, Tia)> {
        let id = self.table.trigger_of(target)?;
        let row = self.table.row_mut(id);
        (row.address, row.confidence) = (address, confidence);
        if !row.states.of(warp).is_under_way() {
            return Some((id, Tia::Kept));
        }
        row.kind = RowKind::Trigger { target, slow: true };
        Some((id, Tia::Slow))
    }

    /// apogee-C3, apogee-C4: a scalar load that is confirmed and misses becomes the target of a trigger row.
    #[inline(never)]
    pub(super) fn chain(&mut self, own: RowId, access: &Access<'_>, loaded: &mut Loaded) {
        if access.verdict == Verdict::Hit {
            return;
        }
        let &Row { pc: target, address, confidence, .. } = self.table.row(own);
        if let Some((id, tia)) = self.keep(target, address, confidence, access.warp) {
            (loaded.tia, loaded.tia_entry) = (tia, Some(id));
            return;
        }
        loaded.tia = match self.last_load(access.warp).and_then(|last| last.pc) {
            None => Tia::NoLal,
            Some(lal) if lal == target => Tia::SelfLoad,
            Some(lal) => {
                let kind = RowKind::Trigger { target, slow: false };
                match self.claim(Row::new(kind, lal, address, confidence), Some(own)) {
                    None => Tia::NoRoom,
                    Some((id, displaced)) => {
                        (loaded.tia_entry, loaded.tia_evicted) = (Some(id), displaced);
                        Tia::Added
                    }
                }
            }
        };
    }
}
