//! The model's calls: dtbl-L1 to L3, dtbl-D1 to D5, dtbl-S2, dtbl-S3.

use gpusched::dats::GraphHeader;
use gpusched::{
    Consumers, Decision, Descriptor, DeviceLaunch, Fault, GraphState, GroupLaunch, GroupRef, HwqId, KernelSlot,
    LoadMode, RecordId, TbRef,
};

use super::cross::kernel_of;
use super::grids::Of;
use super::modern::Launched;
use super::{Held, Model, Origin, Record, Ref, Tb, Waiting, threads_of};
use crate::events::Value;

impl Model {
    /// dtbl-V1 to V4, modern-V5: what is asked of a kernel whatever its context.
    pub(super) fn check_kernel(&self, d: &Descriptor) -> Result<(), Fault> {
        self.check(d)?;
        self.check_cluster(d, Launched::Kernel)
    }

    /// modern-V6, modern-V7.
    pub(super) fn check_of_context(&self, d: &Descriptor, context: usize) -> Result<(), Fault> {
        self.check_quota(d, context)?;
        self.check_reach(d, context)
    }

    /// dtbl-V1 to V4.
    pub(super) fn check(&self, d: &Descriptor) -> Result<(), Fault> {
        let [x, y, z] = [d.grid.x, d.grid.y, d.grid.z].map(u128::from);
        if x * y * z == 0 {
            return Err(Fault::EmptyGrid);
        }
        if x >= 1 << 31 || y >= 1 << 16 || z >= 1 << 16 || x * y * z >= 1 << 32 {
            return Err(Fault::GridTooLarge);
        }
        self.check_tb(d)
    }

    /// dtbl-V3, dtbl-V4.
    pub(super) fn check_tb(&self, d: &Descriptor) -> Result<(), Fault> {
        let threads = [d.tb.x, d.tb.y, d.tb.z].map(u128::from).into_iter().product::<u128>();
        if threads == 0 {
            return Err(Fault::EmptyTb);
        }
        if threads > self.config.threads.into() || d.regs > self.config.regs || d.smem > self.config.smem {
            return Err(Fault::TbTooBig);
        }
        Ok(())
    }

    /// dtbl-V1 to V4, modern-V5 to V7: of a kernel or group of a context.
    fn check_of(&self, d: &Descriptor, launched: Launched, context: usize) -> Result<(), Fault> {
        self.check(d)?;
        self.check_cluster(d, launched)?;
        self.check_of_context(d, context)
    }

    /// dtbl-L1, frontend-F1, launch2-P1.
    pub(super) fn host_launch(
        &mut self,
        stream: u32,
        d: &Descriptor,
        (retain, is_dependent): (bool, bool),
        (graph, consumers): (Option<GraphHeader>, Option<Consumers>),
    ) -> Result<Value, Fault> {
        if is_dependent && self.config.pdl.is_none() {
            return Err(Fault::NoPdl);
        }
        let owner = self.owner_of_stream(stream);
        let launched = if graph.is_some() { Launched::Graph } else { Launched::Kernel };
        if let Some(second) = &consumers {
            self.check_consumers(d, second, graph.map_or(0, |graph| graph.v))?;
        }
        self.check_of(d, launched, owner.context)?;
        if let Some(second) = &consumers {
            self.check_of_context(&kernel_of(d, second), owner.context)?;
        }
        if let Some(graph) = &graph {
            self.check_graph(d, retain, graph)?;
        }
        let q = self.queue_of_stream(stream);
        if self.queues[q].len() == self.config.hwq_depth as usize {
            return Err(Fault::HwqFull);
        }
        let key = (self.host_ready(), self.take_seq());
        let origin = Origin { stream: q as u32, parent: None };
        let kernel_graph = None;
        self.queues[q].push_back(Waiting {
            descriptor: *d,
            retain,
            is_dependent,
            kernel_graph,
            key,
            graph,
            consumers,
            origin,
            stream,
            owner,
        });
        Ok(Value::Number(q as u32))
    }

    fn resident(&self, smx: u32, slot: u32) -> Result<Tb, Fault> {
        let slots = self.tbcr.get(smx as usize).ok_or(Fault::BadSmx)?;
        slots.get(slot as usize).ok_or(Fault::BadSlot)?.ok_or(Fault::NoTb)
    }

    /// A resident TB that runs: those of a kernel that is being saved are frozen (modern-S2).
    pub(super) fn running(&self, smx: u32, slot: u32) -> Result<Tb, Fault> {
        let tb = self.resident(smx, slot)?;
        if self.kde(tb.kde).saving.is_some() { Err(Fault::Saving) } else { Ok(tb) }
    }

    /// What dtbl-L2 and dtbl-L3 share: the caller, the lane count, the lanes, each checked as one of the caller's context, and
    /// the room.
    fn check_command<L>(
        &self,
        smx: u32,
        slot: u32,
        lanes: &[L],
        check: impl Fn(&L, usize) -> Result<(), Fault>,
        streams: &[u32],
    ) -> Result<Tb, Fault> {
        let parent = self.running(smx, slot)?;
        self.check_late(parent.kde)?;
        let context = self.kde(parent.kde).kernel.owner.context;
        if lanes.is_empty() || lanes.len() > self.config.warp as usize {
            return Err(Fault::BadCount);
        }
        for lane in lanes {
            check(lane, context)?;
        }
        self.check_depth(self.kde(parent.kde).kernel.depth, streams)?;
        self.check_room(lanes.len())?;
        if self.records.iter().filter(|r| r.is_none()).count() < lanes.len() {
            return Err(Fault::PendingLimit);
        }
        Ok(parent)
    }

    /// P(x).
    fn p(&self, x: usize) -> u64 {
        u64::from(self.config.gpb_b) + u64::from(self.config.gpb_a) * x as u64
    }

    /// dtbl-L2.
    pub(super) fn device_launch(&mut self, smx: u32, slot: u32, kernels: &[Descriptor]) -> Result<Value, Fault> {
        let stream = DeviceLaunch::FIRE_AND_FORGET;
        let launches = kernels.iter().map(|&kernel| DeviceLaunch { kernel, stream }).collect::<Vec<_>>();
        self.launch_kernels(smx, slot, &launches)
    }

    /// launch2-C1.
    pub(super) fn device_launch_named(&mut self, smx: u32, slot: u32, all: &[DeviceLaunch]) -> Result<Value, Fault> {
        if self.has_named_streams() { self.launch_kernels(smx, slot, all) } else { Err(Fault::NoCdp2) }
    }

    fn launch_kernels(&mut self, smx: u32, slot: u32, launches: &[DeviceLaunch]) -> Result<Value, Fault> {
        let check = |launch: &DeviceLaunch, context| {
            self.check_of(&launch.kernel, Launched::Kernel, context)?;
            let known = [DeviceLaunch::FIRE_AND_FORGET, DeviceLaunch::TAIL];
            if known.contains(&launch.stream) { Ok(()) } else { Err(Fault::BadStream) }
        };
        let streams = launches.iter().map(|launch| launch.stream).collect::<Vec<_>>();
        let parent = self.check_command(smx, slot, launches, check, &streams)?;
        let x = launches.len();
        let d = u64::from(self.config.ld_b) + u64::from(self.config.ld_a) * x as u64;
        let latency = u64::from(self.config.lat_stream) + self.p(x) + d;
        let lanes = launches.iter().map(|launch| (launch.kernel, 0, launch.stream)).collect::<Vec<_>>();
        Ok(self.take_records(smx, parent, latency, &Held::Dev, &lanes))
    }

    /// dtbl-L3.
    pub(super) fn agg_launch(&mut self, smx: u32, slot: u32, groups: &[GroupLaunch]) -> Result<Value, Fault> {
        let check = |g: &GroupLaunch, context| {
            self.check_of(&g.kernel, Launched::Group, context)?;
            if g.hw_tid >= self.config.threads { Err(Fault::BadThread) } else { Ok(()) }
        };
        if self.kmu_by_laperm() || self.has_named_streams() {
            return Err(Fault::NoDtbl);
        }
        let parent = self.check_command(smx, slot, groups, check, &[])?;
        let x = groups.len();
        let scan = u64::from(self.config.kde_scan) * u64::from(self.config.n_kde);
        let probes = u64::from(self.config.agt_probe) * x as u64;
        let latency = self.p(x).max(scan + probes);
        let lanes = groups.iter().map(|g| (g.kernel, g.hw_tid, 0)).collect::<Vec<_>>();
        Ok(self.take_records(smx, parent, latency, &Held::Agg(self.seq), &lanes))
    }

    fn take_records(
        &mut self,
        psmx: u32,
        parent: Tb,
        lat: u64,
        state: &Held,
        lanes: &[(Descriptor, u32, u32)],
    ) -> Value {
        let (parent_depth, parent_grid) = (self.kde(parent.kde).kernel.depth, self.kde(parent.kde).kernel.grid);
        let prio = (parent.prio + 1).min(self.levels());
        let origin = self.origin_of_child(&parent);
        // modern-R3, modern-P2.
        let owner = self.kde(parent.kde).kernel.owner;
        let mut taken = Vec::new();
        for &(descriptor, hw_tid, stream) in lanes {
            let r = self.records.iter().position(Option::is_none).expect("the room was checked");
            let key = (self.now.saturating_add(lat), self.take_seq());
            let is_tail = self.has_named_streams() && stream == DeviceLaunch::TAIL;
            let launcher = if matches!(state, Held::Agg(_)) { parent_grid } else { None };
            let state = if is_tail { Held::Tail } else { state.clone() };
            let (depth, t0) = (self.child_depth(parent_depth, stream).min(255), self.now);
            let of = |parent: usize| if is_tail { Of::Tail(parent) } else { Of::Fired(parent) };
            let named = parent_grid.filter(|_| self.has_named_streams());
            let grid = named.and_then(|parent| self.make_grid(descriptor.tag, of(parent)));
            self.records[r] =
                Some(Record { state, descriptor, key, t0, depth, hw_tid, psmx, prio, origin, owner, grid, launcher });
            taken.push(RecordId(r as u32));
        }
        let in_use = self.records.iter().flatten().count() as u64;
        self.stats.rec_peak = self.stats.rec_peak.max(in_use);
        Value::Records(taken)
    }

    /// dtbl-D1, dtbl-D2.
    pub(super) fn tb_done(&mut self, smx: u32, slot: u32) -> Result<(), Fault> {
        let tb = self.running(smx, slot)?;
        if tb.is_waiting {
            return Err(Fault::TbWaiting);
        }
        self.take_off(smx as usize, slot as usize);
        self.kde_mut(tb.kde).exe -= 1;
        if tb.part == Ref::Node {
            self.node_done(tb.kde, tb.blkid);
        }
        if let Ref::Group(r) = tb.part {
            self.group_mut(r).exe -= 1;
            let group = self.group(r).clone();
            if group.dist && group.exe == 0 {
                let (tag, at) = (self.record(r).descriptor.tag, self.group_ref(r));
                self.emit(Decision::GroupDone { tag, group: at });
                if let Some(age) = group.age {
                    self.agt.remove(&age);
                }
                self.records[r] = None;
                self.kde_mut(tb.kde).live -= 1;
            }
        }
        self.d3_release(tb.kde);
        self.p3_sweep();
        Ok(())
    }

    /// A TB gives its resources back.
    pub(super) fn take_off(&mut self, s: usize, w: usize) {
        let tb = self.tbcr[s][w].take().expect("a TB is there");
        let d = self.resident_kernel(&tb);
        self.laperm_ended(s, &d);
        self.bubble_completed(s, &d);
    }

    /// dtbl-D3, frontend-F4.
    pub(super) fn d3_release(&mut self, k: usize) {
        let kde = self.kde(k);
        let graph_is_over = matches!(kde.graph, None | Some(GraphState::Finished | GraphState::Aborted));
        if self.fifo.contains(&k) || kde.pend > 0 || kde.exe > 0 || kde.retain || !graph_is_over {
            return;
        }
        let (tag, queue, grid) = (kde.kernel.descriptor.tag, kde.kernel.queue, kde.kernel.grid);
        self.kdes[k] = None;
        self.dgb_owner = self.dgb_owner.filter(|&owner| owner != k);
        self.emit(Decision::KernelDone { kde: KernelSlot(k as u8), tag });
        if let Some(g) = grid {
            self.grid_has_ended(g);
        } else if let Some(q) = queue {
            self.busy[q] = false;
            self.emit(Decision::HwqFree { queue: HwqId(q as u8) });
        }
    }

    pub(super) fn active(&self, k: usize) -> Result<(), Fault> {
        let entry = self.kdes.get(k).ok_or(Fault::BadKde)?;
        match entry {
            Some(e) if e.arriving.is_none() => Ok(()),
            _ => Err(Fault::NoKernel),
        }
    }

    /// dtbl-D5.
    pub(super) fn unretain(&mut self, k: u32) -> Result<(), Fault> {
        let k = k as usize;
        self.active(k)?;
        if !self.kde(k).retain {
            return Err(Fault::NotRetained);
        }
        self.kde_mut(k).retain = false;
        self.d3_release(k);
        self.p3_sweep();
        Ok(())
    }

    /// dtbl-S2.
    pub(super) fn resume(&mut self, i: u32) -> Result<(), Fault> {
        let i = i as usize;
        let entry = self.suspended.get(i).and_then(Option::as_ref).ok_or(Fault::BadSusp)?;
        if entry.resumed.is_some() {
            return Err(Fault::AlreadyResumed);
        }
        let key = (self.now, self.take_seq());
        self.suspended[i].as_mut().expect("the entry was just looked at").resumed = Some(key);
        Ok(())
    }

    /// dtbl-S3, as `frontend` overrides it: any load of the record that is under way.
    pub(super) fn spill_loaded(&mut self, r: u32) -> Result<(), Fault> {
        if self.config.load_mode != LoadMode::External {
            return Err(Fault::NoLoad);
        }
        let r = r as usize;
        let cursors = self.cursors.values_mut().filter(|c| c.agei == Some(r)).map(|c| &mut c.load);
        let ahead = self.ahead.iter_mut().flatten().filter(|a| a.record == r).map(|a| &mut a.load);
        *cursors.chain(ahead).find(|load| **load == 1).ok_or(Fault::NoLoad)? = 2;
        Ok(())
    }

    pub(super) fn group_ref(&self, r: usize) -> GroupRef {
        match self.group(r).age {
            Some(age) => GroupRef::Age(gpusched::AgeId(age)),
            None if self.has_free_units() => GroupRef::Unit(RecordId(r as u32)),
            None => GroupRef::Record(RecordId(r as u32)),
        }
    }

    pub(super) fn tb_ref(&self, part: Ref) -> TbRef {
        match part {
            Ref::Native => TbRef::Native,
            Ref::Restored => TbRef::Restored,
            Ref::Node => TbRef::Node,
            Ref::Group(r) => TbRef::Group(self.group_ref(r)),
        }
    }

    /// ceil(threads / warp) per TB.
    pub(super) fn resident_warps(&self) -> u32 {
        let tbs = self.tbcr.iter().flatten().flatten();
        tbs.map(|tb| threads_of(&self.resident_kernel(tb)).div_ceil(self.config.warp)).sum()
    }
}
