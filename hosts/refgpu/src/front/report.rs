//! What the machine reports to the front end in a cycle: TBs that have ended, memory's answers, TBs that wait for their children, and
//! launch calls, in this order (frontend-O1 to O4).

use gpusched::dats::GraphError;
use gpusched::{Completion, Fault, GroupLaunch, SlotId, SmxId};

use super::decide::Listeners;
use super::graph::REQUESTS;
use super::records::Move;
use super::{Front, LaunchVerb, Orders, Refusal, Resumed};
use crate::config::PoolPolicy;
use crate::program::LaneLaunch;
use crate::sm::{Ended, LaunchCall, Outbox};

impl Front {
    /// Tells what the SMs did in cycle `now`. What they have to do then is added to `orders`.
    ///
    /// # Errors
    /// What the front end refuses, but for a shortage of launch records: then the call waits.
    pub fn report(&mut self, now: u64, out: &mut Outbox, orders: &mut Orders) -> Result<(), Refusal> {
        self.catch_up(now)?;
        out.ended.sort_unstable_by_key(|ended| (ended.sm, ended.slot));
        for Ended { sm, slot, issued } in out.ended.drain(..) {
            let told = self.core.completion(SmxId(sm), SlotId(slot));
            let (core, mut listeners) = self.listened();
            core.tb_done(SmxId(sm), SlotId(slot), &mut listeners)?;
            if let (Some(deciding), Some(told)) = (&mut self.deciding, told) {
                deciding.done(&Completion { issued: issued.own, all: issued.all, ..told });
            }
            if let Some(blocks) = &mut self.blocks {
                blocks.done(sm, slot)?;
            }
            if let Some(share) = &mut self.share {
                share.done(now, sm, slot)?;
            }
            self.watch.families.end_tb((sm, slot));
            self.resident -= 1;
        }
        self.serve_memory(now)?;
        out.syncs.sort_unstable();
        for (sm, slot) in out.syncs.drain(..) {
            self.synchronise(sm, slot, orders)?;
        }
        for index in self.watch.complete.drain(..) {
            self.core.resume(index)?;
        }
        out.launches.sort_unstable_by_key(|call| (call.sm, call.slot, call.warp));
        let blocked = !self.calls.is_empty() && !self.watch.freed;
        self.calls.extend(out.launches.drain(..).map(|call| (now, call)));
        self.watch.freed = false;
        while !blocked && let Some((since, call)) = self.calls.pop_front() {
            let Some(verb) = self.verb else { return Err(Refusal::Launch { sm: call.sm }) };
            match self.launch(verb, &call) {
                Ok(()) => {
                    let at = now + self.latency(verb, &call);
                    self.matures = self.matures.max(at + u64::from(self.core.config().lat_dispatch));
                    orders.resumed.push(Resumed { sm: call.sm, warp: call.warp, at });
                    for lane in &call.lanes {
                        self.watch.families.launch((call.sm, call.slot), lane.descriptor.tag);
                        if let Some(records) = &mut self.records {
                            records.launch(lane.descriptor.tag, lane.block);
                        }
                        if verb.is_kernel() {
                            self.watch.moves.push(Move::Write(lane.descriptor.tag));
                        }
                    }
                    self.watch.stats.refused_cycles += now - since;
                    self.watch.launched(now, verb, call.lanes.len() as u64);
                    let mut lanes = call.lanes;
                    lanes.clear();
                    out.spare.push(lanes);
                }
                Err(Fault::PendingLimit) => {
                    let front = self.core.config();
                    let most = if front.has_grids() { front.grids.min(front.pend_limit) } else { front.pend_limit };
                    let never = call.lanes.len() > most as usize;
                    self.calls.push_front((since, call));
                    match self.full_pool() {
                        Some(pool) if never || self.full_pool == PoolPolicy::Fail => return Err(Refusal::Pool(pool)),
                        _ => break,
                    }
                }
                Err(fault) => return Err(fault.into()),
            }
        }
        let late = self.calls.iter().rev().take_while(|(since, _)| *since == now).count();
        self.watch.stats.refused_calls += late as u64;
        Ok(())
    }

    /// Memory's part of a report: its answers, and what the dependency-graph buffer asks of it.
    fn serve_memory(&mut self, now: u64) -> Result<(), Refusal> {
        let Self { port, graph, records, core, watch, deciding, .. } = self;
        let mut listeners = Listeners { watch, deciding: deciding.as_mut() };
        while let Some(number) = port.arrived(now) {
            match (number.checked_sub(REQUESTS), &mut *records) {
                (None, _) => graph.reply(now, number, core, &mut listeners)?,
                (Some(read), Some(records)) => records.answer(now, read, core)?,
                (Some(_), None) => {}
            }
        }
        graph.poll(now, core, port)?;
        if let Some((kind, node)) = self.watch.graph_fault {
            return Err(GraphError::GraphFault { kind, node }.into());
        }
        if std::mem::take(&mut self.watch.graph_done)
            && let Some(dgb) = self.core.dgb()
        {
            self.graph.finish(dgb.stats());
        }
        Ok(())
    }

    /// A TB waits for its children: if there are any, its kernel is suspended (dtbl-S1).
    fn synchronise(&mut self, sm: u16, slot: u8, orders: &mut Orders) -> Result<(), Refusal> {
        if !self.watch.families.has_children((sm, slot)) {
            orders.synced.push((sm, slot));
            return Ok(());
        }
        let view = self.core.tb(SmxId(sm), SlotId(slot)).ok_or(Fault::NoTb)?;
        let tbs = self.core.kde(view.kde).map_or(0, |kde| kde.total);
        if tbs != 1 {
            return Err(Refusal::Synchronise { sm, tbs });
        }
        let is_child = self.watch.is_device(view.kde);
        let (core, mut listeners) = self.listened();
        let index = core.suspend(view.kde, &mut listeners)?;
        if let Some(blocks) = &mut self.blocks {
            blocks.done(sm, slot)?;
        }
        self.resident -= 1;
        let parent = self.watch.families.suspend((sm, slot), index, is_child);
        orders.saved.extend(parent.map(|parent| (sm, slot, parent)));
        Ok(())
    }

    /// Cycles that the calling warp is held (workloads-W6).
    fn latency(&self, verb: LaunchVerb, call: &LaunchCall) -> u64 {
        let lanes = call.lanes.len() as u32;
        match verb {
            LaunchVerb::DeviceKernel | LaunchVerb::ForgottenKernel => self.core.config().lat_cdp(lanes),
            LaunchVerb::Group => self.core.config().lat_dtbl(lanes),
        }
    }

    fn launch(&mut self, verb: LaunchVerb, call: &LaunchCall) -> Result<(), Fault> {
        let (sm, slot) = (SmxId(call.sm), SlotId(call.slot));
        match verb {
            // A launch into no named stream is one that is forgotten, where there are such (launch2-C1).
            LaunchVerb::DeviceKernel | LaunchVerb::ForgottenKernel => {
                self.kernels.clear();
                self.kernels.extend(call.lanes.iter().map(|lane| lane.descriptor));
                self.core.device_launch(sm, slot, &self.kernels)?;
            }
            LaunchVerb::Group => {
                let first = u32::from(call.warp) * 32;
                let group = |lane: &LaneLaunch| GroupLaunch { kernel: lane.descriptor, hw_tid: first + lane.lane };
                self.groups.clear();
                self.groups.extend(call.lanes.iter().map(group));
                self.core.agg_launch(sm, slot, &self.groups)?;
            }
        }
        Ok(())
    }
}
