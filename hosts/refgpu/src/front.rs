//! The machine's side of the front end: reports TBs and launches to `gpusched`, obeys what it sends (refgpu-V1; frontend-O1 to O4).
//!
//! The front end lags behind the machine's clock while it has nothing to decide, and catches up exactly
//! ([`FrontEnd::run`]). In a cycle with work the order is: ended TBs by SM and slot, launches by SM, slot and warp, the host's
//! launch, then the tick.

mod blocks;
mod cycle;
mod decide;
mod depths;
mod family;
mod graph;
mod host;
mod orders;
mod own;
mod pool;
mod port;
mod records;
mod report;
mod sharing;
mod tell;
mod watch;

use std::collections::VecDeque;

use gpusched::laperm::RefillMode;
use gpusched::{BuildError, Descriptor, FrontEnd, GroupLaunch, LoadMode, SmxId, Words};
use gpusched_heap::{HeapTables, front_end};

use crate::config::{ConfigError, GpuConfig, PoolPolicy};
use crate::memory::{Memory, Reply};
use crate::program::StreamProfile;
use crate::sm::{LaunchCall, Outbox};
pub use blocks::{BlockControl, BlockOrder};
pub use decide::{DecideStats, Decider, Decides, Machine, Sight};
use decide::{Deciding, Listeners};
pub use depths::Depths;
pub use family::ParentId;
use graph::GraphMemory;
pub use orders::{Orders, Placed, Refusal, Resumed};
use own::Own;
pub use pool::{FullPool, Short};
use port::Port;
use records::Records;
pub use sharing::{Pipes, Share};
pub use tell::FrontStats;
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

    /// A reply for the front end will arrive; its time is a core cycle.
    pub fn expect(&mut self, reply: Reply) {
        self.port.expect(reply.at, reply.id);
        self.next = self.next.min(self.port.next_arrival());
    }

    /// End of the cycle at beat `at`: a request leaves for the network.
    pub fn send(&mut self, at: u64, memory: &mut Memory) {
        self.port.send(at, memory);
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

    /// The front end, and who listens to it.
    fn listened(&mut self) -> (&mut FrontEnd<HeapTables>, Listeners<'_>) {
        let Self { core, watch, deciding, .. } = self;
        (core, Listeners { watch, deciding: deciding.as_mut() })
    }
}
