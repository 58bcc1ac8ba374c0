//! `gpusched clusters`: how many clusters of TBs a machine holds, what fragmentation leaves of them, and what waiting for a whole GPC
//! costs (sheet `modern`, Clusters). The front end alone, without SMs: TBs take time, not instructions.
//!
//! `bench.rs` has the front end at work, `report.rs` says what came out.

mod bench;
mod report;

use crate::ask::{CLUSTER_GPU, Clusters as Args};
use crate::failure::Failure;
use crate::input::Setup;
use crate::output::{self, Folder};
use crate::side_by_side;
use anyhow::anyhow;
use bench::{Bench, Loaded, Placed, Shape};
use gpusched::{Fault, SmxId};
use gpusched_workloads::graph::SplitMix64;

/// Sizes that are looked at if none are named.
const SIZES: [u32; 5] = [1, 2, 4, 8, 16];
/// Shares of busy SMs, in tenths.
const TENTHS: std::ops::RangeInclusive<u32> = 0..=9;
/// Kernels under load, for each sample.
const KERNELS: u32 = 25;

/// Everything about one size of clusters.
#[derive(Debug)]
struct Size {
    tbs: u32,
    /// What the query promises of an empty machine.
    promised: u32,
    /// What it takes.
    empty: Placed,
    /// At each tenth of busy SMs: of the free ones, those that clusters find a place on. Mean, least and most.
    left: Vec<[f64; 3]>,
    /// Half of the kernels a cluster, half single TBs: who waits for a cluster's room waits, and may be passed.
    load: [Loaded; 2],
}

/// The text of `clusters`.
pub fn run(args: &Args) -> Result<String, Failure> {
    let setup = Setup::resolve(&args.machine, CLUSTER_GPU)?;
    setup.only_of(&[])?;
    setup.only_machine(&["sm.", "cluster.", "dsm.enabled"], "clusters")?;
    let gpu = &setup.gpu;
    if let Some(why) = gpu.without_clusters() {
        return Err(Failure::Usage(anyhow!("clusters: {why}")));
    }
    let smem = args.smem.unwrap_or(gpu.sm.shared_bytes / 2 + 1);
    let shape = Shape { threads: args.threads, regs: args.threads.saturating_mul(args.regs), smem };
    let bench = Bench::new(gpu, shape);
    if bench.per_sm == 0 {
        return Err(Failure::Usage(anyhow!(
            "a TB of {} threads, {} registers and {smem} bytes of shared memory fits no SM of {}",
            shape.threads,
            shape.regs,
            gpu.name
        )));
    }
    let largest = gpu.cluster.largest;
    if let Some(size) = args.sizes.iter().find(|&&size| size > largest) {
        return Err(Failure::Usage(anyhow!("--sizes {size}: {} takes clusters of at most {largest} TBs", gpu.name)));
    }
    let sizes = if args.sizes.is_empty() { &SIZES[..] } else { &args.sizes };
    let folder = Folder::open(&args.results.out)?.with_png(args.pictures.png)?;
    let sizes: Vec<u32> = sizes.iter().copied().filter(|&size| size <= largest).collect();
    let all =
        side_by_side::each(&sizes, None, |&size, _| Ok(look(&bench, size, gpu.sm.count, args.samples, args.seed)?))?;
    let report =
        report::Report { setup: &setup, bench: &bench, shape, sizes: &all, samples: args.samples, seed: args.seed };
    let json = report.json()?;
    let mut written = Vec::new();
    for (name, picture) in report.pictures()? {
        written.extend(folder.draw(&format!("clusters-{}-{name}", gpu.name), &picture)?);
    }
    written.push(folder.write(&format!("clusters-{}.json", gpu.name), &json)?);
    output::answer((args.results.json, args.results.quiet), &written, || report.tables(), || Ok(json))
}

fn look(bench: &Bench, size: u32, sms: u32, samples: u32, seed: u64) -> anyhow::Result<Size> {
    let promised = match bench.promised(size) {
        Ok(clusters) => clusters,
        Err(Fault::ClusterNever) => 0,
        Err(fault) => return Err(anyhow!("clusters of {size}: {fault}")),
    };
    let empty = bench.place(size, &[])?;
    let left =
        TENTHS.map(|tenths| left(bench, size, sms, sms * tenths / 10, samples, seed)).collect::<Result<_, _>>()?;
    let load = |pass| bench.under_load(size, pass, samples * KERNELS, seed);
    Ok(Size { tbs: size, promised, empty, left, load: [load(false)?, load(true)?] })
}

/// The share of the free SMs that clusters use when `busy` others, drawn anew for each sample, hold a TB.
fn left(bench: &Bench, size: u32, sms: u32, busy: u32, samples: u32, seed: u64) -> anyhow::Result<[f64; 3]> {
    let mut random = SplitMix64::new(seed);
    let (mut sum, mut least, mut most) = (0.0, f64::INFINITY, 0.0_f64);
    for _ in 0..samples {
        let mut order: Vec<SmxId> = (0..sms as u16).map(SmxId).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i as u64 + 1) as usize);
        }
        let placed = bench.place(size, &order[..busy as usize])?;
        let mut used: Vec<SmxId> = placed.into_iter().flatten().collect();
        used.sort_unstable();
        used.dedup();
        let share = used.len() as f64 / f64::from(sms - busy);
        (sum, least, most) = (sum + share, least.min(share), most.max(share));
    }
    Ok([sum / f64::from(samples), least, most])
}
