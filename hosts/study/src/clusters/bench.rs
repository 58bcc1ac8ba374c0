//! The front end at work on clusters: how many an empty machine holds, what is left of that when single TBs are scattered over it, and
//! what waiting for a whole GPC costs under load.

use anyhow::{Context, Result, anyhow};
use gpusched::{
    Cluster, ClusterPart, Config, ContextId, Cycle, Decision, Descriptor, Dim3, Fault, FrontEnd, Probe, Sched, SlotId,
    SmxId, TbPlacement,
};
use gpusched_heap::{HeapTables, front_end};
use gpusched_refgpu::config::GpuConfig;
use gpusched_workloads::graph::SplitMix64;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// What of a TB matters here.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Threads.
    pub threads: u32,
    /// Registers of all threads.
    pub regs: u32,
    /// Bytes of shared memory.
    pub smem: u32,
}

/// A machine without delays, and TBs for it.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    config: Config,
    shape: Shape,
    /// TBs of the shape that an SM holds.
    pub per_sm: u32,
}

/// Where clusters lie, each by its ranks.
pub type Placed = Vec<Vec<SmxId>>;

/// What came out under load.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Loaded {
    /// SM cycles with a TB, of all.
    pub busy: f64,
    /// Cycles from a kernel's launch to its first TB, in the mean: of clusters.
    pub cluster_wait: f64,
    /// The same of single TBs.
    pub single_wait: f64,
}

/// TBs that were sent, and tags of kernels that ended.
#[derive(Debug, Default)]
struct Seen {
    sent: Vec<TbPlacement>,
    ended: Vec<u64>,
}

impl Probe for Seen {
    fn decide(&mut self, _: Cycle, decision: Decision) {
        match decision {
            Decision::Tb(tb) => self.sent.push(tb),
            Decision::KernelDone { tag, .. } => self.ended.push(tag),
            _ => {}
        }
    }
}

type Core = FrontEnd<HeapTables>;

/// Kernels in flight under load, each in a stream of its own.
const IN_FLIGHT: u32 = 32;
/// A TB runs so long under load: from the first, and up to so much longer.
const SHORTEST: u64 = 500;
const SPREAD: u64 = 1000;

impl Bench {
    /// TBs of this shape on the front end of a machine.
    pub fn new(gpu: &GpuConfig, shape: Shape) -> Self {
        let config = Config { lat_dispatch: 0, kmu_interval: 1, n_hwq: IN_FLIGHT, ..gpu.front_end() };
        let bench = Self { config, shape, per_sm: 0 };
        Self { per_sm: gpu.most_tbs(&bench.kernel(1, 1)), ..bench }
    }

    fn core(&self, pass_cluster: bool) -> Result<Core> {
        let cluster = self.config.cluster.map(|part| ClusterPart { pass_cluster, ..part });
        front_end(&Config { cluster, ..self.config }).map_err(|error| anyhow!("{error}"))
    }

    /// A kernel of so many TBs in clusters of `size`, of which more than is portable may be asked.
    fn kernel(&self, tbs: u32, size: u32) -> Descriptor {
        let is_portable = self.config.cluster.is_none_or(|part| size <= part.portable);
        let cluster = if size > 1 {
            Cluster { nonportable: u8::from(!is_portable), ..Cluster::new(size, 1, 1) }
        } else {
            Cluster::NONE
        };
        let Shape { threads, regs, smem } = self.shape;
        Descriptor {
            pc: u64::from(size),
            grid: Dim3::linear(tbs),
            tb: Dim3::linear(threads),
            regs,
            smem,
            cluster,
            ..Descriptor::default()
        }
    }

    /// modern-C7: clusters of `size` that the query promises of an empty machine.
    pub fn promised(&self, size: u32) -> Result<u32, Fault> {
        let core = front_end(&self.config).map_err(|_| Fault::BadConfig)?;
        core.max_active_clusters(&self.kernel(size, size), ContextId(0))
    }

    /// Clusters of `size` on a machine of which these SMs each hold a TB that takes all of it; nothing if no GPC could ever hold one.
    pub fn place(&self, size: u32, busy: &[SmxId]) -> Result<Placed> {
        let mut core = self.core(false)?;
        let mut seen = Seen::default();
        let all = self.config.n_smx;
        if !busy.is_empty() {
            let Config { smem, threads, regs, .. } = self.config;
            let whole = Descriptor {
                pc: 0,
                grid: Dim3::linear(all),
                tb: Dim3::linear(threads.min(1024)),
                smem,
                regs,
                ..Descriptor::default()
            };
            core.host_launch(0, &whole, true).context("the TBs that keep SMs busy")?;
            settle(&mut core, &mut seen)?;
            for tb in std::mem::take(&mut seen.sent) {
                if !busy.contains(&tb.smx) {
                    core.tb_done(tb.smx, tb.slot, &mut seen)?;
                }
            }
        }
        let most = all * self.config.tb_slots / size * size;
        match core.host_launch(1, &self.kernel(most, size), false) {
            Ok(_) => {}
            Err(Fault::ClusterNever | Fault::ClusterTooBig) => return Ok(Placed::new()),
            Err(fault) => return Err(fault).with_context(|| format!("clusters of {size}")),
        }
        settle(&mut core, &mut seen)?;
        Ok(seen.sent.chunks(size as usize).map(|cluster| cluster.iter().map(|tb| tb.smx).collect()).collect())
    }

    /// Runs `kernels` kernels, always [`IN_FLIGHT`] at a time, half of them a cluster of `size`, half as many single TBs.
    pub fn under_load(&self, size: u32, pass_cluster: bool, kernels: u32, seed: u64) -> Result<Loaded> {
        let mut core = self.core(pass_cluster)?;
        let (mut random, mut seen) = (SplitMix64::new(seed), Seen::default());
        let mut ends: BinaryHeap<Reverse<(u64, SmxId, u8)>> = BinaryHeap::new();
        // Launch cycle of kernels that have not started, by tag; the last bit tells clusters.
        let mut waiting: BTreeMap<u64, u64> = BTreeMap::new();
        let mut idle: Vec<u32> = (0..IN_FLIGHT).rev().collect();
        let mut streams: BTreeMap<u64, u32> = BTreeMap::new();
        let (mut launched, mut waits, mut started, mut busy) = (0, [0_u64; 2], [0_u64; 2], 0_u64);
        while launched < u64::from(kernels) || !core.is_idle() {
            while launched < u64::from(kernels)
                && let Some(stream) = idle.pop()
            {
                let is_cluster = random.draw() & 1;
                let tag = launched << 1 | is_cluster;
                let kernel = self.kernel(size, if is_cluster == 1 { size } else { 1 });
                core.host_launch(stream, &Descriptor { tag, ..kernel }, false)?;
                waiting.insert(tag, core.now().0);
                streams.insert(tag, stream);
                launched += 1;
            }
            let now = core.now().0;
            while let Some(Reverse((_, smx, of))) = ends.peek().copied().filter(|Reverse(end)| end.0 <= now) {
                ends.pop();
                core.tb_done(smx, SlotId(of), &mut seen)?;
            }
            core.tick(&mut seen)?;
            let next = ends.peek().map(|Reverse(end)| Cycle(end.0));
            // Cycles up to there decide nothing, unless the next launch is due.
            let is_quiet = seen.sent.is_empty() && seen.ended.is_empty();
            if let Some(next) = core.next_event().into_iter().chain(next).min().filter(|_| is_quiet) {
                core.run(next.since(core.now()), &mut seen)?;
                debug_assert!(seen.sent.is_empty(), "a cycle that was announced to decide nothing");
            }
            for tb in seen.sent.drain(..) {
                let takes = SHORTEST + random.draw() % SPREAD;
                ends.push(Reverse((now + takes, tb.smx, tb.slot.0)));
                busy += takes;
                if let Some(since) = waiting.remove(&tb.tag) {
                    let kind = (tb.tag & 1) as usize;
                    waits[kind] += now - since;
                    started[kind] += 1;
                }
            }
            idle.extend(seen.ended.drain(..).filter_map(|tag| streams.remove(&tag)));
        }
        let mean = |kind: usize| if started[kind] == 0 { 0.0 } else { waits[kind] as f64 / started[kind] as f64 };
        let places = u64::from(self.config.n_smx) * u64::from(self.per_sm);
        let busy = busy as f64 / (core.now().0 * places) as f64;
        Ok(Loaded { busy, cluster_wait: mean(1), single_wait: mean(0) })
    }
}

/// Goes on until a cycle sends nothing more.
fn settle(core: &mut Core, seen: &mut Seen) -> Result<()> {
    // The first cycles bring the kernel into the distributor.
    let mut quiet = 0;
    while quiet < 4 {
        let sent = matches!(core.tick(seen)?.sched, Sched::Tb(_));
        quiet = if sent { 0 } else { quiet + 1 };
    }
    Ok(())
}
