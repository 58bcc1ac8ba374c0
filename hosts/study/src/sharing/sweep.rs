//! `gpusched sweep`: a kernel alone with 1, 2, ... TBs per SM, and the type that follows (tlp-C1, tlp-C2).

use super::set::{machine, type_word};
use crate::ask::Sweep;
use crate::failure::Failure;
use crate::{output, table};
use comfy_table::CellAlignment::Right;
use gpusched::tlp::Pref;
use gpusched_refgpu::gpu::RunOptions;
use gpusched_refgpu::stats::RunStats;
use gpusched_workloads::catalogue::{Request, Size};
use gpusched_workloads::kernel::calibrate::CalibrateError;
use gpusched_workloads::sharers;
use indicatif::HumanCount;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    kernel: &'a str,
    gpu: &'a str,
    /// What is not as the preset has it.
    set: BTreeMap<String, String>,
    scale: u32,
    #[serde(flatten)]
    sweep: &'a sharers::Sweep,
    category: gpusched::tlp::Category,
    pref: Pref,
    source: Option<sharers::Source>,
}

/// Text of `sweep`.
pub fn sweep(args: &Sweep) -> Result<String, Failure> {
    let setup = machine(&args.machine)?;
    setup.leaves(&["tlp.policy", "sm.block_cap"], "sweep")?;
    setup.check_effect(&[(setup.gpu.clone(), RunOptions::default())], &["tlp.tol_permille", "tlp.tlp_cap"])?;
    let entry = args.kernel.0;
    let sharer = sharers::find(entry.name);
    let own = Request { size: Size::Times(args.scale), ..Request::default() };
    let request = sharer.map_or(own, |sharer| sharer.request(args.scale));
    let mut runs: Vec<RunStats> = Vec::new();
    let mut tell = |stats: &RunStats| {
        output::remark(&format!("{} TBs per SM: {} cycles\n", runs.len() + 1, stats.cycles), args.quiet);
        runs.push(stats.clone());
    };
    let swept = sharers::sweep(entry, request, &setup.gpu, &mut tell).map_err(|error| match error {
        CalibrateError::Config(error) => Failure::Usage(error.into()),
        error => Failure::Failed(error.into()),
    })?;
    let units = setup.gpu.tlp_units();
    let category =
        swept.category(&units).map_err(|fault| Failure::Usage(anyhow::anyhow!("{}: {fault}", entry.name)))?;
    let (pref, source) = (swept.pref(&units), sharer.map(|sharer| sharer.source));
    if args.json {
        let (schema, kernel, gpu) = ("gpusched.sweep/1", entry.name, setup.gpu.name.as_str());
        let (set, scale, sweep) = (setup.set(), args.scale, &swept);
        return output::json(&Document { schema, kernel, gpu, set, scale, sweep, category, pref, source });
    }
    let header =
        ["TBs per SM", "cycles", "of the best", "IPC", "L1 hit rate", "bandwidth", "memory stalls", "structural"];
    let mut rows = table::new(header.map(str::to_owned).to_vec(), &[Right; 8]);
    let best = swept.cycles.iter().min().copied().unwrap_or(1);
    for (number, stats) in runs.iter().enumerate() {
        let f = stats.figures();
        let share = |part: f64| format!("{:.1}%", 100.0 * part);
        rows.add_row([
            (number + 1).to_string(),
            HumanCount(stats.cycles).to_string(),
            share(best as f64 / stats.cycles as f64),
            format!("{:.2}", f.ipc),
            share(f.l1_hit_rate),
            share(f.bandwidth_use),
            share(f.memory_stall_fraction),
            share(f.structural_stall_fraction),
        ]);
    }
    let told = source.map_or_else(String::new, |source| {
        format!("; the study says {}, best with {}", type_word(source.kind), source.opt)
    });
    let leans = if pref == Pref::Compute { "arithmetic" } else { "memory" };
    let remarks = [
        ("type", format!("{}, best with {} TBs per SM{told}", type_word(category.kind), category.opt)),
        ("", format!("as good as the best is what comes within {} thousandths (tlp.tol_permille)", units.tol_permille)),
        ("leans on", leans.to_owned()),
        ("GPU", setup.told()),
    ];
    Ok(format!("{}\n{}", table::text(&rows), table::text(&table::remarks(remarks))))
}
