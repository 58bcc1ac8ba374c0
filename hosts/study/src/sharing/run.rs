//! Runs a set under several policies, side by side.

use super::set::Set;
use crate::ask::SharingPolicy;
use crate::failure::Failure;
use crate::input::{Setup, in_effect};
use crate::interrupt::Watch;
use crate::side_by_side;
use crate::study::store::Store;
use crate::timeline::{Wanted, Watched};
use anyhow::{Context, anyhow};
use gpusched::tlp::{Proposal, Smc};
use gpusched_refgpu::config::{ConfigError, GpuConfig};
use gpusched_refgpu::gpu::{Gpu, Monitor, RunError, RunOptions};
use gpusched_refgpu::program::Workload;
use gpusched_refgpu::stats::{RunStats, TlpWalk};
use gpusched_refgpu::timeline::TbLog;
use serde::Serialize;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// A finished and verified run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Who shared the SMs.
    pub policy: SharingPolicy,
    /// What it has set of the machine.
    pub set: BTreeMap<&'static str, String>,
    /// What the machine counted.
    pub stats: RunStats,
    /// The way of the targets, under TLP modulation.
    pub walk: Option<TlpWalk>,
    /// TBs on the machine over time, of each kernel; nothing of a run of more than 200,000 TBs.
    pub resident: Vec<Vec<(u64, f64)>>,
    /// FNV-1a 64 of the results.
    pub checksum: u64,
    /// What a search has found.
    pub search: Option<Search>,
    /// The files that tell what happened.
    pub timelines: Vec<PathBuf>,
}

/// TBs that a picture of a run is drawn from at most.
const MOST_TBS: u32 = 200_000;

/// What SMC has found.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Search {
    /// SMs, and TBs per SM, of each kernel.
    pub found: Proposal,
    /// Runs that it took.
    pub trials: u32,
}

/// Runs the set under each policy, on up to `threads` threads. The first failure ends all.
pub fn run(
    set: &Set,
    policies: &[SharingPolicy],
    threads: Option<NonZeroUsize>,
    timelines: Option<&Wanted>,
) -> Result<Vec<Run>, Failure> {
    each(set, policies, threads, |policy, gpu, failed| {
        if policy == SharingPolicy::Smc {
            let once = |gpu: &GpuConfig| once(set, policy, gpu, &mut Watch(failed));
            let (run, search) = search(set, gpu, once, |run| run.stats.cycles)?;
            return Ok(Run { search: Some(search), ..run });
        }
        let begin = |wanted: &Wanted| wanted.begin(&policy.to_string(), gpu, policies.len());
        let timeline = timelines.map(begin).transpose()?;
        let mut watch = Watched { watch: &mut Watch(failed), timeline };
        let run = once(set, policy, gpu, &mut watch);
        let (run, timelines) = watch.finish(run, |run| run.stats.cycles)?;
        Ok(Run { timelines, ..run })
    })
}

/// What the machine counts under each policy: as `store` has it, or in a run, which is kept. Of a search every trial is.
pub fn counts(
    set: &Set,
    policies: &[SharingPolicy],
    threads: Option<NonZeroUsize>,
    store: &Store,
) -> Result<Vec<RunStats>, Failure> {
    each(set, policies, threads, |policy, gpu, failed| {
        let once =
            |gpu: &GpuConfig| store.kept(set.digest(gpu), || Ok(once(set, policy, gpu, &mut Watch(failed))?.stats));
        match policy {
            SharingPolicy::Smc => Ok(search(set, gpu, once, |stats| stats.cycles)?.0),
            _ => once(gpu),
        }
    })
}

/// What comes `of` the set under each policy, on its machine, in the order of the policies.
fn each<T: Send>(
    set: &Set,
    policies: &[SharingPolicy],
    threads: Option<NonZeroUsize>,
    of: impl Fn(SharingPolicy, &GpuConfig, &AtomicBool) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    let machines = policies.iter().map(|&policy| Ok((machine(&set.setup, policy)?, RunOptions::default())));
    // Types are told of all kernels; SMC's search goes as far as they fit.
    let reads = &["tlp.tol_permille", "tlp.tlp_cap"];
    let reads = if policies.contains(&SharingPolicy::Smc) { &reads[..] } else { &reads[..1] };
    let machines = machines.collect::<Result<Vec<_>, Failure>>()?;
    set.setup.check_effect(&machines, reads)?;
    // The search takes longest.
    let mut order: Vec<usize> = (0..policies.len()).collect();
    order.sort_by_key(|&place| policies[place] != SharingPolicy::Smc);
    let runs = side_by_side::each(&order, threads, |&place, failed| of(policies[place], &machines[place].0, failed))?;
    let mut placed: Vec<_> = order.into_iter().zip(runs).collect();
    placed.sort_by_key(|(place, _)| *place);
    Ok(placed.into_iter().map(|(_, run)| run).collect())
}

/// The machine with the policy.
pub fn machine(setup: &Setup, policy: SharingPolicy) -> Result<GpuConfig, Failure> {
    let mut gpu = setup.gpu.clone();
    policy.settings().try_for_each(|(key, value)| gpu.set(key, value)).map_err(usage)?;
    if let Some((key, usual)) = policy.number(gpu.sm.count) {
        let asked = in_effect(&setup.gpu, key);
        let number = if asked == "0" && !setup.gives(key) { usual.to_string() } else { asked };
        if number == "0" {
            return Err(Failure::Usage(anyhow!("{key} = 0: policy {policy} needs more than 0")));
        }
        gpu.set(key, &number).map_err(usage)?;
    }
    gpu.check().map_err(usage)?;
    Ok(gpu)
}

/// What a policy has made of the parameters that tell policies apart.
fn settings(policy: SharingPolicy, gpu: &GpuConfig) -> BTreeMap<&'static str, String> {
    policy.settings().map(|(key, _)| (key, in_effect(gpu, key))).collect()
}

fn usage(error: ConfigError) -> Failure {
    Failure::Usage(error.into())
}

/// The search: a run for each configuration that SMC proposes, the shorter the better (tlp-V4, refgpu-G5). Gives the best run.
fn search<T>(
    set: &Set,
    gpu: &GpuConfig,
    once: impl Fn(&GpuConfig) -> Result<T, Failure>,
    cycles: impl Fn(&T) -> u64,
) -> Result<(T, Search), Failure> {
    let units = gpu.tlp_units();
    let refused = |fault: gpusched::Fault| Failure::Failed(anyhow!("smc: {fault}"));
    let mut smc = Smc::new(&units).map_err(|error| Failure::Usage(anyhow!("tlp.{error}")))?;
    let [first, second] = &set.members[..] else {
        return Err(Failure::Usage(anyhow!("--policies: smc searches for two kernels")));
    };
    let max = [units.max(first.kernel()).map_err(refused)?, units.max(second.kernel()).map_err(refused)?];
    let mut proposal = smc.start(max).map_err(refused)?;
    let (mut best, mut trials) = (None::<(T, Proposal)>, 0);
    loop {
        let mut config = gpu.clone();
        let Proposal { sm: [split, _], b: [b0, b1] } = proposal;
        for (key, value) in [("tlp.split", split), ("tlp.b0", b0), ("tlp.b1", b1)] {
            config.set(key, &value.to_string()).map_err(|error| Failure::Failed(error.into()))?;
        }
        let run = once(&config)?;
        trials += 1;
        // Speed, in a scale that keeps every difference in cycles.
        let reported = smc.report((1 << 60) / cycles(&run).max(1)).map_err(refused)?;
        if best.as_ref().is_none_or(|(best, _)| cycles(&run) < cycles(best)) {
            best = Some((run, proposal));
        }
        proposal = reported.proposal;
        if reported.done {
            break;
        }
    }
    let (best, found) = best.ok_or(Failure::Interrupted)?;
    Ok((best, Search { found, trials }))
}

fn once(set: &Set, policy: SharingPolicy, gpu: &GpuConfig, watch: &mut dyn Monitor) -> Result<Run, Failure> {
    let mut work = set.workload().map_err(|error| Failure::Usage(error.into()))?;
    let streams = set.members.len();
    let tbs = (0..streams).fold(0, |sum: u32, stream| sum.saturating_add(work.profile(stream).tbs));
    // How many there will be is not always known beforehand, and too many would end the run.
    let log_tbs = if tbs <= MOST_TBS { u32::MAX } else { 0 };
    let options = RunOptions { log_tbs, ..RunOptions::default() };
    let machine = Gpu::new(gpu, options).map_err(|error| Failure::Usage(error.into()))?;
    let result = machine.run(&mut work, watch).map_err(|error| match error {
        RunError::Cancelled { .. } => Failure::Interrupted,
        error => Failure::Failed(anyhow::Error::new(error).context(format!("{policy} did not finish"))),
    })?;
    let verified = work.check().with_context(|| policy.to_string())?;
    let resident = if log_tbs > 0 { resident(&result.timeline.tbs, streams) } else { Vec::new() };
    Ok(Run {
        policy,
        set: settings(policy, gpu),
        stats: result.stats,
        walk: result.walk,
        resident,
        checksum: verified.checksum,
        search: None,
        timelines: Vec::new(),
    })
}

/// TBs of each stream on the machine, from each cycle in which there are more or fewer.
fn resident(log: &TbLog, streams: usize) -> Vec<Vec<(u64, f64)>> {
    let mut changes = vec![BTreeMap::from([(0, 0)]); streams];
    for tb in log.tbs() {
        let stream = log.launches().get(tb.launch as usize).map_or(0, |launch| launch.stream as usize);
        let Some(of) = changes.get_mut(stream) else { continue };
        *of.entry(tb.start).or_insert(0) += 1;
        if let Some(end) = tb.end {
            *of.entry(end).or_insert(0) -= 1;
        }
    }
    let sum = |of: BTreeMap<u64, i64>| {
        let mut now = 0;
        let at = |(cycle, change)| {
            now += change;
            (cycle, now as f64)
        };
        of.into_iter().map(at).collect()
    };
    changes.into_iter().map(sum).collect()
}
