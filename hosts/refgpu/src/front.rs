//! The machine's side of the front end: reports TBs and launches to `gpusched`, obeys what it sends (refgpu-V1; frontend-O1 to O4).
//!
//! The front end lags behind the machine's clock while it has nothing to decide, and catches up exactly
//! ([`FrontEnd::run`]). In a cycle with work the order is: ended TBs by SM and slot, launches by SM, slot and warp, the host's
//! launch, then the tick.

mod blocks;
mod decide;
mod depths;
mod family;
mod graph;
mod orders;
mod own;
mod pool;
mod port;
mod records;
mod sharing;
mod watch;

use std::collections::VecDeque;
use std::sync::Arc;

use gpusched::dats::{Admission, GraphError, NodeId, admit};
use gpusched::laperm::RefillMode;
use gpusched::power::{BubbleStats, PState};
use gpusched::{
    BuildError, Completion, Cycle, Descriptor, Fault, FrontEnd, GridId, GroupLaunch, KernelSlot, Kmu, LoadMode,
    PendHold, Sched, SlotId, SmxId, State, TbPlacement, TbRef, Tick, Words,
};

use crate::config::{ConfigError, GpuConfig, PoolPolicy};
use crate::memory::{Memory, Reply};
use crate::power::SmxState;
use crate::program::{LaneLaunch, StreamProfile, TbContext, TbGraph};
use crate::sm::{Ended, LaunchCall, Outbox};
use crate::stats::{DatsStats, LaPermStats, PendingStats, RecordStats};
pub use blocks::{BlockControl, BlockOrder};
pub use decide::{DecideStats, Decider, Decides, Machine, Sight};
use decide::{Deciding, Listeners};
pub use depths::Depths;
pub use family::ParentId;
use gpusched_heap::{HeapTables, front_end};
use graph::{GraphMemory, REQUESTS};
pub use orders::{Orders, Placed, Refusal, Resumed};
use own::Own;
pub use pool::{FullPool, Short};
use port::Port;
use records::{Move, Records};
pub use sharing::{Pipes, Share};
pub use watch::Arrival;
use watch::Watch;

/// What a launch instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchVerb {
    /// Each lane launches a device kernel (CDP), for whose end its parent may wait.
    DeviceKernel,
    /// Each lane fires a device kernel and forgets it (CUDA Dynamic Parallelism 2): its parent ends without it, and is complete with it.
    ForgottenKernel,
    /// Each lane launches an aggregated group (DTBL).
    Group,
}

impl LaunchVerb {
    /// Whether launches are kernels, not groups.
    #[must_use]
    pub const fn is_kernel(self) -> bool {
        !matches!(self, Self::Group)
    }
}

/// The bubble controller as the front end has it.
type Controller = gpusched::power::BubbleController<<HeapTables as gpusched::Tables>::Powers>;

/// What the front end and its parts counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontStats {
    /// The front end.
    pub front: gpusched::Stats,
    /// Waiting launches.
    pub pending: PendingStats,
    /// Who decided which TB goes where, if it was not the front end.
    pub decide: Option<DecideStats>,
    /// LaPerm, if that is the policy.
    pub laperm: Option<LaPermStats>,
    /// The bubble controller, if there is one.
    pub bubble: Option<BubbleStats>,
    /// The dependency-graph buffer, if there is one.
    pub dats: Option<DatsStats>,
    /// Launch records, if kernels launch and they lie in memory.
    pub records: Option<RecordStats>,
}

/// The front end and what the machine keeps about it.
#[derive(Debug)]
pub struct Front {
    core: FrontEnd<HeapTables>,
    verb: Option<LaunchVerb>,
    /// The next cycle in which the front end has something to do by itself.
    next: u64,
    /// What was launched last is ready for dispatch, as far as time alone goes.
    matures: u64,
    /// Launch calls in order, with the cycle of the call; the head waits for free launch records.
    calls: VecDeque<(u64, LaunchCall)>,
    /// What becomes of a call that finds too few.
    full_pool: PoolPolicy,
    /// Room for one command's launches, used again and again.
    kernels: Vec<Descriptor>,
    groups: Vec<GroupLaunch>,
    resident: u32,
    port: Port,
    graph: GraphMemory,
    /// Launch records, if kernels launch and they lie in memory.
    records: Option<Records>,
    /// What the scheduler's words were.
    words: Words,
    watch: Watch,
    /// Equalizer's block counts, if it is on.
    blocks: Option<BlockControl>,
    /// Who shares SMs, if streams do by a policy.
    share: Option<Share>,
    /// Contexts and priorities of streams, if they have any.
    own: Option<Own>,
    /// Who decides which TB goes where, if it is not the front end.
    deciding: Option<Deciding>,
}

/// Whether launch records lie in memory, rather than wherever a fixed time brings them from.
fn in_memory(config: &gpusched::Config) -> bool {
    match &config.laperm() {
        Some(part) => part.refill_mode == RefillMode::External,
        None => config.load_mode == LoadMode::External,
    }
}

impl Front {
    /// An idle front end of this configuration on the machine `gpu`.
    ///
    /// # Errors
    /// A value out of its range, or a policy that does not go with this machine.
    pub fn new(config: &gpusched::Config, verb: Option<LaunchVerb>, gpu: &GpuConfig) -> Result<Self, ConfigError> {
        let refused = |e: BuildError| ConfigError::Syntax(e.to_string());
        let mut core = front_end(config).map_err(refused)?;
        let deciding = match &gpu.decider {
            Some(decider) => Some(Deciding::new(decider, config).map_err(ConfigError::Syntax)?),
            None => None,
        };
        let sms = config.n_smx as u16;
        let blocks = if gpu.equalizer.switch.enabled {
            let machines = BlockControl::new(sms, &gpu.equalizer_machines().0);
            Some(machines.map_err(|e| refused(BuildError::Config(e)))?)
        } else {
            // Nothing is refused: a cap within the TB slots.
            let is_set = (0..sms).all(|s| core.set_block_cap(SmxId(s), gpu.most_blocks()).is_ok());
            debug_assert!(is_set, "sm.block_cap");
            None
        };
        Ok(Self {
            core,
            blocks,
            verb,
            next: 0,
            matures: 0,
            calls: VecDeque::new(),
            full_pool: gpu.run.full_pool,
            kernels: Vec::new(),
            groups: Vec::new(),
            resident: 0,
            port: Port::new(gpu),
            graph: GraphMemory::default(),
            records: (verb.is_some() && in_memory(config)).then(Records::default),
            words: Words::default(),
            watch: Watch::default(),
            share: None,
            own: None,
            deciding,
        })
    }

    /// The run begins, with these streams.
    ///
    /// # Errors
    /// What the policy refuses, and more streams than contexts could be made for.
    pub fn begin(&mut self, gpu: &GpuConfig, streams: Vec<StreamProfile>) -> Result<(), ConfigError> {
        self.own = Some(Own::new(gpu, streams.len(), &mut self.core)?);
        self.share = Share::new(gpu, streams).map_err(|e| ConfigError::Syntax(format!("section tlp: {e}")))?;
        Ok(())
    }

    /// Who shares SMs, if streams do by a policy.
    pub fn share(&mut self) -> Option<&mut Share> {
        self.share.as_mut()
    }

    /// A stream is about to launch a kernel.
    ///
    /// # Errors
    /// What the policy refuses.
    pub fn announce(&mut self, now: u64, stream: usize, kernel: &Descriptor) -> Result<(), Refusal> {
        self.catch_up(now)?;
        let Self { core, watch, own, share, .. } = self;
        if let Some(own) = own {
            own.announce(stream, kernel, core, watch)?;
        }
        match share {
            Some(share) => Ok(share.announce(now, stream, kernel, core)?),
            None => Ok(()),
        }
    }

    /// A stream has no more kernels.
    ///
    /// # Errors
    /// What the policy refuses.
    pub fn end_stream(&mut self, now: u64, stream: usize) -> Result<(), Refusal> {
        match &mut self.share {
            Some(share) => Ok(share.end_stream(now, stream, &mut self.core)?),
            None => Ok(()),
        }
    }

    /// The counters of an SM that the policy wants to know.
    ///
    /// # Errors
    /// What the policy refuses.
    pub fn observe(&mut self, now: u64, sm: u16, pipes: &Pipes) -> Result<(), Refusal> {
        match &mut self.share {
            Some(share) => Ok(share.observe(now, sm, pipes, &self.core)?),
            None => Ok(()),
        }
    }

    /// The core's front end.
    pub fn core(&mut self) -> &mut FrontEnd<HeapTables> {
        &mut self.core
    }

    /// Equalizer's block counts, if it is on.
    pub fn blocks(&mut self) -> Option<&mut BlockControl> {
        self.blocks.as_mut()
    }

    /// Whether cycle `now` has work for the front end.
    #[must_use]
    #[inline]
    pub fn is_due(&self, now: u64, out: &Outbox) -> bool {
        self.next() <= now || self.has_news() || !out.is_empty()
    }

    /// The next cycle in which the front end has something to do by itself.
    #[must_use]
    #[inline]
    pub fn next(&self) -> u64 {
        self.share.as_ref().map_or(self.next, |share| share.next().min(self.next))
    }

    /// Whether gates have to be set before the next tick.
    #[must_use]
    #[inline]
    pub fn has_news(&self) -> bool {
        self.blocks.as_ref().is_some_and(BlockControl::is_stale) || self.share.as_ref().is_some_and(Share::is_stale)
    }

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

    /// The launch pool, if launch calls wait for it.
    #[must_use]
    pub fn full_pool(&self) -> Option<FullPool> {
        let (_, first) = self.calls.front()?;
        let front = self.core.config();
        let records = (Short::Records, front.pend_limit, self.core.records_in_use());
        let (short, limit, held) = front.cdp2.map_or(records, |part| {
            let grids = (0..self.core.n_grid()).filter_map(|g| self.core.grid(GridId(g)));
            let of_device = grids.filter(|grid| grid.queue.is_none()).count() as u32;
            if of_device as usize + first.lanes.len() > front.grids as usize {
                (Short::Grids, front.grids, of_device)
            } else if part.pend_hold == PendHold::Complete {
                (Short::Records, front.pend_limit, of_device)
            } else {
                records
            }
        });
        Some(FullPool {
            short,
            limit,
            held,
            pending: self.watch.pending(),
            asked: self.calls.iter().map(|(_, call)| call.lanes.len() as u64).sum(),
            sm: first.sm,
        })
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

    /// A reply for the front end will arrive; its time is a core cycle.
    pub fn expect(&mut self, reply: Reply) {
        self.port.expect(reply.at, reply.id);
        self.next = self.next.min(self.port.next_arrival());
    }

    /// End of the cycle at beat `at`: a request leaves for the network.
    pub fn send(&mut self, at: u64, memory: &mut Memory) {
        self.port.send(at, memory);
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

    /// Whether nothing is owned anywhere: the next host kernel may come.
    #[must_use]
    pub fn is_drained(&self) -> bool {
        self.resident == 0 && self.calls.is_empty() && self.core.is_idle()
    }

    /// Whether no TB is resident.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.resident == 0
    }

    /// What the scheduler has come to see since the last call.
    pub fn take_arrived(&mut self) -> std::vec::Drain<'_, Arrival> {
        self.watch.arrived.drain(..)
    }

    /// The entries that kernels have left since the last call, each with whether its kernel is suspended.
    pub fn take_left(&mut self) -> std::vec::Drain<'_, (KernelSlot, bool)> {
        self.watch.left.drain(..)
    }

    /// How full queues and tables are.
    #[must_use]
    pub fn depths(&self) -> Depths {
        Depths { pending: self.watch.pending() as u32, ..self.watch.depths }
    }

    /// What the scheduler's and the KMU's words were before cycle `until`.
    ///
    /// # Errors
    /// `TimeOverflow`.
    pub fn words(&mut self, until: u64) -> Result<Words, Fault> {
        self.catch_up(until)?;
        Ok(self.words)
    }

    /// The tags of kernels that have ended since the last call.
    pub fn take_ended(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.watch.ended)
    }

    /// Whether time alone will bring the front end on: a launch is under way, or a transition to another P-state. A sample of the
    /// bubble controller is always to come and does not count.
    #[must_use]
    pub fn is_under_way(&self, now: u64) -> bool {
        let samples = self.core.config().bubble.map(|part| u64::from(part.sample_cycles));
        let other = self.next != u64::MAX && samples.is_none_or(|period| !self.next.is_multiple_of(period));
        let moves = |controller: &Controller| {
            self.smxs().any(|s| matches!(controller.pstate(s), Some(PState::Down | PState::Up)))
        };
        other || now < self.matures || self.core.bubble().is_some_and(moves)
    }

    fn smxs(&self) -> impl Iterator<Item = SmxId> + use<> {
        (0..self.core.config().n_smx as u16).map(SmxId)
    }

    /// The states of the SMXs, if a sample of the bubble controller was among the decisions since the last call.
    pub fn new_states(&mut self) -> Option<impl Iterator<Item = SmxState>> {
        if !std::mem::take(&mut self.watch.sampled) {
            return None;
        }
        let controller = self.core.bubble()?;
        let draining = controller.registers().drn;
        let state = move |s| SmxState::of(controller.pstate(s).unwrap_or(PState::High), draining.contains(s));
        Some(self.smxs().map(state))
    }

    /// Samples in which the bubble controller found each SMX in a bubble, if there is a controller.
    pub fn bubble_samples(&self) -> Option<impl Iterator<Item = u64>> {
        let controller = self.core.bubble()?;
        Some(self.smxs().map(move |s| controller.smx(s).map_or(0, |smx| smx.bubble)))
    }

    /// What the front end waits for.
    #[must_use]
    pub fn status(&self) -> State {
        self.core.status()
    }

    /// The policy that decides from outside, if it sends nothing although it could.
    #[must_use]
    pub fn declines(&self) -> Option<&str> {
        let is_its = self.core.word() == Ok(Sched::Told);
        self.deciding.as_ref().filter(|_| is_its).map(Deciding::name)
    }

    /// The front end, and who listens to it.
    fn listened(&mut self) -> (&mut FrontEnd<HeapTables>, Listeners<'_>) {
        let Self { core, watch, deciding, .. } = self;
        (core, Listeners { watch, deciding: deciding.as_mut() })
    }

    /// Sets the gates that have news, of which a policy is told.
    fn set_gates(&mut self, now: u64) -> Result<(), Fault> {
        let Self { core, blocks, share, deciding, .. } = self;
        let by_blocks = blocks.as_mut().map(|blocks| blocks.set_gates(core)).transpose()?;
        let by_share = share.as_mut().map(|share| share.set_gates(now, core)).transpose()?;
        if let Some(deciding) = deciding
            && (by_blocks == Some(true) || by_share == Some(true))
        {
            deciding.regated();
        }
        Ok(())
    }

    /// The host launches a kernel, perhaps with a dependency graph.
    ///
    /// # Errors
    /// What the front end refuses; `TbTooBig` for a TB that fits no SM. A graph that is certain to deadlock the buffer, if that
    /// does not spill (refgpu-D2).
    pub fn host_launch(
        &mut self,
        now: u64,
        stream: usize,
        kernel: &Descriptor,
        graph: Option<&TbGraph>,
    ) -> Result<(), Refusal> {
        self.catch_up(now)?;
        self.matures = self.matures.max(now + u64::from(self.core.config().lat_dispatch));
        let Some(graph) = graph else {
            self.core.host_launch(stream as u32, kernel, false)?;
            self.watch.depths.host_launch();
            return Ok(());
        };
        self.core.host_launch_graph(stream as u32, kernel, false, &graph.header)?;
        self.watch.depths.host_launch();
        if let Some(part) = self.core.config().dats {
            let dgb = part.machine(self.core.config());
            let mut scratch = vec![0; graph.nodes.len()];
            let Ok(admission) = admit(&dgb, &graph.nodes, &graph.edges, &mut scratch) else { return Ok(()) };
            let is_hopeless = matches!(admission, Admission::Deadlocks { .. } | Admission::Oversize { .. });
            if is_hopeless && !dgb.spill {
                return Err(Refusal::Admission(admission));
            }
            self.graph.launch(graph, admission);
        }
        Ok(())
    }

    /// The node at which the dependency graph can never go on, if there is one.
    #[must_use]
    pub fn stuck_node(&self) -> Option<NodeId> {
        self.core.dgb().and_then(|dgb| dgb.deadlock())
    }

    /// Carries out cycle `now`; adds the TBs that are sent to `placed`: one, or all of a cluster.
    ///
    /// # Errors
    /// `TimeOverflow`.
    pub fn tick(&mut self, now: u64, placed: &mut Vec<Placed>) -> Result<(), Fault> {
        self.catch_up(now)?;
        self.set_gates(now)?;
        self.watch.sent.clear();
        self.watch.emptied = false;
        let tick = match &mut self.deciding {
            Some(deciding) => deciding.cycle(&mut self.core, &mut self.watch)?,
            None => self.core.tick(&mut self.watch)?,
        };
        let sent = std::mem::take(&mut self.watch.sent);
        for tb in &sent {
            if let Some(own) = &mut self.own {
                own.placed(tb.tag, &mut self.core)?;
            }
            if let Some(share) = &mut self.share {
                share.placed(now, tb, &self.core)?;
            }
            if let Some(blocks) = &mut self.blocks {
                blocks.placed(tb, &self.core)?;
            }
        }
        if !sent.is_empty() {
            self.set_gates(now)?;
        }
        self.words.count(&tick, 1);
        self.move_records(now);
        let wake = self.deciding.as_ref().and_then(|deciding| deciding.wake(self.core.now()));
        let own = self.core.next_event().into_iter().chain(wake).min().map_or(u64::MAX, |cycle| cycle.0);
        self.next = own.min(self.port.next(now));
        // A flush that ends may be what the host waits for (launch2-T0).
        let is_asked = self.graph.asks(&self.core) || self.watch.freed && !self.calls.is_empty();
        if is_asked || self.watch.emptied {
            self.next = now + 1;
        }
        self.resident += sent.len() as u32;
        let cluster: Option<Arc<[u16]>> = (sent.len() > 1).then(|| sent.iter().map(|tb| tb.smx.0).collect());
        placed.extend(sent.iter().map(|tb| self.placed(tb, cluster.clone())));
        self.watch.sent = sent;
        Ok(())
    }

    /// What the decisions until now ask of memory for launch records.
    fn move_records(&mut self, now: u64) {
        let Watch { moves, over, .. } = &mut self.watch;
        if let Some(records) = &mut self.records {
            records.carry_out(now, moves, REQUESTS, &self.core, &mut self.port);
            over.iter().for_each(|&tag| records.end(tag));
        }
        moves.clear();
        over.clear();
    }

    fn placed(&mut self, tb: &TbPlacement, cluster: Option<Arc<[u16]>>) -> Placed {
        let descriptor = self.core.kde(tb.kde).map(|kde| kde.kernel.descriptor).unwrap_or_default();
        let shape = descriptor.tb;
        Placed {
            sm: tb.smx.0,
            slot: tb.slot.0,
            context: TbContext { tag: tb.tag, blkid: tb.blkid, threads: shape.x * shape.y * shape.z },
            pc: descriptor.pc,
            unit: self.core.completion(tb.smx, tb.slot).map_or(0, |told| told.unit),
            child: matches!(tb.tb_ref, TbRef::Group(_)) || self.watch.is_device(tb.kde),
            bypass: self.core.tb(tb.smx, tb.slot).is_some_and(|tb| tb.bypass),
            stage: self.watch.stage,
            cluster,
            restored: match tb.tb_ref {
                TbRef::Restored => self.watch.families.restore(tb.kde, (tb.smx.0, tb.slot.0)),
                _ => None,
            },
        }
    }

    /// The cycles before `now`, in which there was nothing to decide.
    fn catch_up(&mut self, now: u64) -> Result<(), Fault> {
        let behind = Cycle(now).since(self.core.now());
        match &mut self.deciding {
            None if behind > 0 => self.words += self.core.run(behind, &mut self.watch)?,
            None => {}
            Some(deciding) => {
                while self.core.now() < Cycle(now) {
                    let word = self.core.word();
                    let until = deciding.wake(self.core.now()).map_or(Cycle(now), |wake| wake.min(Cycle(now)));
                    let skipped = self.core.skip(until)?;
                    self.words.count(&Tick { sched: word?, kmu: Kmu::Empty }, skipped);
                    if skipped == 0 {
                        // Something is due that the machine does not wait for.
                        let tick = deciding.cycle(&mut self.core, &mut self.watch)?;
                        debug_assert!(!matches!(tick.sched, Sched::Tb(_)), "a TB is sent when the machine looks");
                        self.words.count(&tick, 1);
                    }
                }
            }
        }
        Ok(())
    }

    /// Pending launches, summed over the cycles before `until`.
    pub fn pending_cycles(&mut self, until: u64) -> u64 {
        self.watch.count_until(until);
        self.watch.stats.cycles
    }

    /// Statistics before cycle `until`.
    ///
    /// # Errors
    /// `TimeOverflow`.
    pub fn stats(&mut self, until: u64) -> Result<FrontStats, Fault> {
        self.catch_up(until)?;
        self.watch.count_until(until);
        Ok(FrontStats {
            front: self.core.stats(),
            pending: self.watch.stats,
            decide: self.deciding.as_ref().map(|deciding| deciding.stats(&self.core.stats())),
            laperm: self.core.config().laperm().map(|_| self.watch.laperm),
            bubble: self.core.bubble().map(|controller| controller.stats()),
            dats: self.core.config().dats.map(|_| self.graph.stats().with_words(&self.words)),
            records: self
                .records
                .as_ref()
                .map(|records| RecordStats { wait_cycles: self.words.load, ..records.stats() }),
        })
    }
}
