//! The verbs and queries of sheet `modern`: streams and contexts, draining and saving, clusters and where SMXs lie.
//!
//! ```
//! use gpusched::{Config, ContextId, ContextSpec, Descriptor, Dim3, FrontEnd, PartitionPart, Sched, SmxId, SmxSet, inline_tables};
//!
//! const SHARED: Config = Config { n_smx: 4, pend_limit: 16, partition: Some(PartitionPart::TWO), ..Config::K20C };
//! inline_tables! {
//!     struct Shared = SHARED;
//! }
//! let mut gpu = FrontEnd::<Shared>::new(&SHARED.ideal())?;
//! // The second context has SMXs 2 and 3; stream 7 is of it.
//! let upper = SmxSet::first(4).without(&SmxSet::first(2));
//! gpu.set_context(ContextId(1), &ContextSpec { smxs: Some(upper), ..ContextSpec::default() })?;
//! gpu.set_stream(7, Some(ContextId(1)), None)?;
//! gpu.host_launch(7, &Descriptor { grid: Dim3::linear(2), tb: Dim3::linear(32), ..Descriptor::default() }, false)?;
//! let Sched::Tb(tb) = gpu.tick(&mut ())?.sched else { panic!("an SMX is free") };
//! assert_eq!(tb.smx, SmxId(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "image")]
mod image;

use crate::base::cycle::Cycle;
use crate::base::dim3::Dim3;
use crate::base::error::Fault;
use crate::base::id::{ContextId, DrainId, GpcId, KernelSlot, SmxId};
use crate::base::set::SmxSet;
use crate::config::topology::Tpc;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::descriptor::Descriptor;
use crate::launch::distributor::{Kernel, Phase, Source};
use crate::launch::hwq::Owner;
use crate::modern::Modern;
use crate::modern::clusters::{Gpc, GpcView};
use crate::modern::contexts::{Context, ContextSpec, ContextView};
use crate::modern::drains::{Drain, DrainView, Victim};
use crate::probe::{Decision, Probe};

impl<T: Tables> FrontEnd<T> {
    // ---- streams and contexts

    /// modern-R1, modern-P2: launches of a stream are of this context, and have this priority, from now on; what is not given stays.
    ///
    /// # Errors
    /// `NoPartition`, `BadContext` if there is none or it has no SMXs; `NoPriority`, `BadPriority`; `BadStream`; `StreamBusy` while a kernel
    /// of it is queued, in the distributor or suspended, or its queue is held by a graph of kernels or by a kernel that has ended but is not complete.
    pub fn set_stream(&mut self, stream: u32, context: Option<ContextId>, priority: Option<u32>) -> Result<(), Fault> {
        self.between()?;
        let config = &self.board.config;
        if let Some(context) = context {
            self.check_context(context)?;
        }
        if let Some(priority) = priority {
            let levels = config.priority.ok_or(Fault::NoPriority)?.levels;
            if priority >= levels {
                return Err(Fault::BadPriority);
            }
        }
        if stream >= config.n_stream {
            return Err(Fault::BadStream);
        }
        let owner = self.owner_of(stream);
        let queue = owner.queue_of(stream, config);
        let queued = self.board.hwqs.kernels(queue).any(|kernel| kernel.stream == stream);
        let is_launched = self.any_kernel(|kernel| kernel.source != Source::Device && kernel.stream == stream);
        let is_held = self.grids.as_ref().is_some_and(|grids| grids.holds(queue));
        if queued || is_launched || is_held {
            return Err(Fault::StreamBusy);
        }
        let owner = Owner {
            context: context.unwrap_or(owner.context),
            priority: priority.map_or(owner.priority, |priority| priority as u8),
        };
        self.lift();
        let has_streams = self.board.config.has_streams();
        if let Some(modern) = self.modern.as_mut().filter(|_| has_streams) {
            modern.set_stream(stream, owner);
        }
        Ok(())
    }

    /// modern-P1, modern-P6: what a context has from now on: all four, whether it had them before or not.
    ///
    /// # Errors
    /// `NoPartition`, `BadContext`; `NoTopology` for GPCs where none are known; `BadSet`, `MigSplit`, `MigOverlap`, `BadQuota`, `BadLimit`;
    /// `ContextBusy` while a kernel or group of it is anywhere, or one of its queues is held as for [`FrontEnd::set_stream`].
    pub fn set_context(&mut self, context: ContextId, spec: &ContextSpec) -> Result<(), Fault> {
        self.between()?;
        let config = &self.board.config;
        let part = config.partition.as_ref().ok_or(Fault::NoPartition)?;
        if u32::from(context) >= part.contexts {
            return Err(Fault::BadContext);
        }
        let modern = self.modern.as_ref().ok_or(Fault::NoPartition)?;
        let given = modern.context_of(context, spec, part, config)?;
        let is_its = |owner: Owner| owner.context == context;
        let queues = (0..config.n_hwq).map(|stream| Owner { context, priority: 0 }.queue_of(stream, config));
        let is_held = |queue| self.grids.as_ref().is_some_and(|grids| grids.holds(queue));
        let waits = queues.into_iter().any(|queue| self.board.hwqs.len(queue) > 0 || is_held(queue));
        // A group that has joined is part of a kernel of its context.
        let launched = || self.board.records.iter().any(|(r, record)| self.record(r).is_some() && is_its(record.owner));
        if waits || self.any_kernel(|kernel| is_its(kernel.owner)) || launched() {
            return Err(Fault::ContextBusy);
        }
        self.lift();
        if let Some(modern) = self.modern.as_mut() {
            *modern.contexts_mut(context) = given;
        }
        Ok(())
    }

    /// A context; `None` if there is none of that number.
    #[must_use]
    pub fn context(&self, context: ContextId) -> Option<ContextView> {
        let contexts = self.board.config.partition.as_ref()?.contexts;
        let modern = self.modern.as_ref().filter(|_| u32::from(context) < contexts)?;
        let &Context { smxs, quota, kdes, limit } = modern.context(context);
        let given = |n: u8| (n > 0).then_some(u32::from(n));
        let threads = modern.threads_of(&self.board, context);
        Some(ContextView { smxs, quota: given(quota), limit, kdes: given(kdes), threads })
    }

    /// What a stream was set to; `None` if it was not.
    #[must_use]
    pub fn stream(&self, stream: u32) -> Option<Owner> {
        self.modern.as_ref()?.stream(stream)
    }

    /// Whether a context can be given to something: it is there, and has SMXs.
    fn check_context(&self, context: ContextId) -> Result<(), Fault> {
        let view = self.context(context).filter(|context| !context.smxs.is_empty());
        if self.board.config.partition.is_none() {
            Err(Fault::NoPartition)
        } else if view.is_none() {
            Err(Fault::BadContext)
        } else {
            Ok(())
        }
    }

    // ---- draining and saving

    /// modern-D1: from now on no TB of the victim starts on these SMXs. The number of the request.
    ///
    /// # Errors
    /// `NoPreempt`; `BadSmx` if the set is empty or names what does not exist; `BadKde`, `NoKernel`; `BadContext`; `DrainFull`.
    pub fn drain(&mut self, smxs: SmxSet, victim: &Victim, probe: &mut impl Probe) -> Result<DrainId, Fault> {
        self.between()?;
        let part = self.board.config.preempt.ok_or(Fault::NoPreempt)?;
        if smxs.is_empty() || !smxs.without(&self.board.all_smxs()).is_empty() {
            return Err(Fault::BadSmx);
        }
        match *victim {
            Victim::All => {}
            Victim::Context { context } if u32::from(context) >= self.board.config.n_context() => {
                return Err(Fault::BadContext);
            }
            Victim::Context { .. } => {}
            Victim::Kernel { kde } => self.board.check_active(kde)?,
        }
        let Self { board, modern, .. } = self;
        let modern = modern.as_mut().ok_or(Fault::NoPreempt)?;
        let number = modern.free_drain(part.drain_max).ok_or(Fault::DrainFull)?;
        modern.ask(board, number, smxs, *victim);
        self.lift();
        self.settle(probe);
        Ok(number)
    }

    /// modern-D3: the SMXs of a request are open again, drained or not.
    ///
    /// # Errors
    /// `BadDrain`.
    pub fn release_drain(&mut self, drain: DrainId) -> Result<(), Fault> {
        self.between()?;
        self.modern.as_mut().and_then(|modern| modern.release_drain(drain)).ok_or(Fault::BadDrain)?;
        self.lift();
        Ok(())
    }

    /// A request; `None` if there is none of that number.
    #[must_use]
    pub fn drain_request(&self, drain: DrainId) -> Option<DrainView> {
        let &Drain { victim, smxs, is_done, .. } = self.modern.as_ref()?.drain(drain)?;
        Some(DrainView { smxs, victim, is_done })
    }

    /// modern-S1, modern-S2: freezes a kernel's TBs; in the cycle that is told they are taken off their SMXs, as by [`FrontEnd::suspend`].
    /// Where saving costs nothing that happens at once. A kernel is saved everywhere or nowhere (modern-A7).
    ///
    /// # Errors
    /// `NoPreempt`, then as [`FrontEnd::suspend`].
    pub fn save_kernel(&mut self, kde: KernelSlot, probe: &mut impl Probe) -> Result<Cycle, Fault> {
        self.between()?;
        let part = self.board.config.preempt.ok_or(Fault::NoPreempt)?;
        self.check_suspend(kde)?;
        self.lift();
        let Self { board, .. } = self;
        let each = board.kd.get(kde).need.context_bytes();
        let on = |s: SmxId| board.residency.tbs_on(s).filter(|tb| tb.kde == kde).count() as u64;
        let most = board.all_smxs().iter().map(on).max().unwrap_or(0);
        let cost = part.save_cycles(most.saturating_mul(each));
        let until = board.now.after(cost);
        if cost == 0 {
            self.take_away(kde, probe);
            self.settle(probe);
            return Ok(until);
        }
        board.kd.unmark(kde);
        board.kd.get_mut(kde).phase = Phase::Saving(until);
        probe.decide(board.now, Decision::Save { kde, until });
        Ok(until)
    }

    /// modern-T0: the kernels that are saved by now are taken off. Whether there were any.
    #[inline(never)]
    pub(super) fn take_saved(&mut self, probe: &mut impl Probe) -> bool {
        if self.board.config.preempt.is_none() {
            return false;
        }
        let mut any = false;
        while let Some((_, k)) = self.board.kd.saving().min().filter(|(until, _)| *until <= self.board.now) {
            self.take_away(k, probe);
            any = true;
        }
        if any {
            self.settle(probe);
        }
        any
    }

    /// When the next kernel is saved.
    pub(super) fn next_saved(&self) -> Option<Cycle> {
        self.modern.as_ref()?;
        self.board.kd.saving().map(|(until, _)| until.max(self.board.now)).min()
    }

    /// modern-D2, modern-D4: what a call means to the requests that SMXs be drained.
    #[inline(always)]
    pub(super) fn settle(&mut self, probe: &mut impl Probe) {
        if let Some(modern) = self.modern.as_mut()
            && modern.any_drain()
        {
            modern.settle(&self.board, probe);
        }
    }

    /// Whether a verb of a kernel's TBs is refused because they are frozen.
    pub(super) fn check_saving(&self, kde: KernelSlot) -> Result<(), Fault> {
        if matches!(self.board.kd.get(kde).phase, Phase::Saving(_)) { Err(Fault::Saving) } else { Ok(()) }
    }

    // ---- clusters and where SMXs lie

    /// modern-C7: clusters of this kernel that an empty machine holds at once, in the SMXs of a context, if there are contexts. Its grid
    /// says nothing.
    ///
    /// # Errors
    /// `NoClusters`, `BadContext`, `EmptyTb`, `TbTooBig`, `EmptyCluster`, `ClusterTooBig`.
    pub fn max_active_clusters(&self, kernel: &Descriptor, context: ContextId) -> Result<u32, Fault> {
        let part = self.board.config.cluster.as_ref().ok_or(Fault::NoClusters)?;
        let is_without = self.board.config.partition.is_none();
        if is_without && u32::from(context) > 0 {
            return Err(Fault::BadContext);
        }
        if !is_without {
            self.check_context(context)?;
        }
        let any_grid = Descriptor { grid: Dim3::linear(1), ..*kernel };
        let need = any_grid.shape(&self.board.config)?.need;
        if kernel.cluster.is_given() {
            kernel.cluster.check_size(part)?;
        }
        let modern = self.modern.as_ref().ok_or(Fault::NoClusters)?;
        Ok(modern.max_active(&self.board, kernel, &need, context))
    }

    /// modern-Y1: the GPC of an SMX.
    ///
    /// # Errors
    /// `NoTopology`, `BadSmx`.
    pub fn gpc_of(&self, smx: SmxId) -> Result<GpcId, Fault> {
        let modern = self.modern.as_ref().filter(|_| self.board.config.topology.is_some()).ok_or(Fault::NoTopology)?;
        modern.gpc_of(smx).ok_or(Fault::BadSmx)
    }

    /// A GPC; `None` if there is none of that number.
    #[must_use]
    pub fn gpc(&self, gpc: GpcId) -> Option<GpcView> {
        let &Gpc { smxs, next } = self.modern.as_ref()?.gpc(gpc)?;
        Some(GpcView { smxs, place: next.into() })
    }

    /// The GPC that is asked first for the next cluster; `None` if no GPCs are known.
    #[must_use]
    pub fn gpc_pointer(&self) -> Option<GpcId> {
        self.board.config.topology.as_ref()?;
        Some(self.modern.as_ref()?.gpc_pointer())
    }

    /// TPCs, in the order of their SMXs.
    pub fn tpcs(&self) -> impl Iterator<Item = Tpc> {
        self.board.config.topology.iter().flat_map(|topology| topology.tpcs())
    }

    // ---- inside

    /// Whether there is such a kernel in an entry or in the list of suspended ones.
    fn any_kernel(&self, is_it: impl FnMut(&Kernel) -> bool) -> bool {
        self.board.kd.kernels().chain(self.board.suspended.kernels()).any(is_it)
    }

    /// Whose launches of a stream are.
    pub(super) fn owner_of(&self, stream: u32) -> Owner {
        self.modern.as_ref().map_or(Owner::default(), |modern| modern.owner_of(stream))
    }

    /// What a launch of a stream is checked for behind its shape (modern-V5 to modern-V7); whose it is.
    pub(super) fn check_owner(&self, stream: u32, kernel: &Descriptor, threads: u32) -> Result<Owner, Fault> {
        let owner = self.owner_of(stream);
        self.check_modern(kernel, threads, owner)?;
        Ok(owner)
    }

    /// modern-V5 to modern-V7 of a kernel whose TBs have so many threads.
    #[inline]
    pub(super) fn check_modern(&self, kernel: &Descriptor, threads: u32, owner: Owner) -> Result<(), Fault> {
        kernel.cluster.check(kernel.grid, self.board.config.cluster.as_ref())?;
        match self.modern.as_ref() {
            Some(modern) => modern.check_launch(&self.board, kernel, threads, owner.context),
            None => Ok(()),
        }
    }

    /// modern-V5 and modern-V6 of a group.
    pub(super) fn check_group(&self, group: &Descriptor, threads: u32, owner: Owner) -> Result<(), Fault> {
        if group.cluster.is_given() {
            let has_clusters = self.board.config.cluster.is_some();
            return Err(if has_clusters { Fault::ClusterGroup } else { Fault::NoClusters });
        }
        self.check_modern(group, threads, owner)
    }

    /// modern-P7: contexts that hold as many entries as they may.
    pub(super) fn held_contexts(&self) -> u64 {
        self.modern.as_ref().map_or(0, |modern| modern.held(&self.board))
    }

    /// Whether a kernel waits that could be issued were an entry free.
    pub(super) fn has_free_candidate(&self) -> bool {
        let held = self.held_contexts();
        self.has_candidate() && (held == 0 || self.next_candidate().is_some_and(|at| at <= self.board.now))
    }

    /// The part that rules the line of kernels, if it does.
    pub(super) fn ruled_line(&self) -> Option<&Modern<T>> {
        self.modern.as_ref().filter(|modern| modern.rules_line(&self.board.config))
    }
}
