//! What a comparison of sharing policies says: tables for people, JSON for programs.

use super::figures::Figure;
use super::run::{Run, Search};
use super::set::{Member, Profile, Set, type_word};
use crate::ask::SharingPolicy;
use crate::failure::Failure;
use crate::{output, table};
use comfy_table::CellAlignment::{Left, Right};
use gpusched::tlp::{KernelId, Mode, Pref};
use gpusched_refgpu::stats::{Pipelines, RunStats, StreamStats, TlpWalk};
use indicatif::HumanCount;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    generator: &'static str,
    gpu: GpuPart<'a>,
    kernels: &'a [Member],
    runs: Vec<RunPart<'a>>,
}

#[derive(Serialize)]
struct GpuPart<'a> {
    name: &'a str,
    title: &'a str,
    /// Parameters that differ from the preset.
    set: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct RunPart<'a> {
    policy: SharingPolicy,
    /// Parameters that it sets, with what they are.
    set: &'a BTreeMap<&'static str, String>,
    verified: bool,
    checksum: String,
    figures: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Search>,
    /// What each kernel had of the pipelines.
    pipelines: Vec<Pipelines>,
    counts: &'a RunStats,
    /// Targets over time.
    #[serde(skip_serializing_if = "Option::is_none")]
    walk: Option<&'a TlpWalk>,
}

/// The reproducible part, as JSON.
pub fn json(set: &Set, runs: &[Run]) -> Result<String, Failure> {
    let gpu = &set.setup.gpu;
    let part = |run: &'_ Run| {
        let figures =
            Figure::ALL.iter().filter_map(|figure| Some((figure.key, figure.of(&run.stats, &runs[0].stats)?)));
        (figures.collect(), format!("{:016x}", run.checksum))
    };
    output::json(&Document {
        schema: "gpusched.sharing/1",
        generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
        gpu: GpuPart { name: &gpu.name, title: &gpu.title, set: set.setup.set() },
        kernels: &set.members,
        runs: runs
            .iter()
            .map(|run| {
                let (figures, checksum) = part(run);
                let Run { policy, set, stats, walk, search, .. } = run;
                RunPart {
                    policy: *policy,
                    set,
                    verified: true,
                    checksum,
                    figures,
                    search: *search,
                    pipelines: stats.pipelines_of_streams().collect(),
                    counts: stats,
                    walk: walk.as_ref(),
                }
            })
            .collect(),
    })
}

/// Tables: the kernels, the whole under each policy, each kernel under each policy; and what they are about.
pub fn tables(set: &Set, runs: &[Run]) -> String {
    let parts = [kernels(set), whole(set, runs), by_kernel(set, runs), remarks(set, runs)];
    parts.join("\n")
}

fn kernels(set: &Set) -> String {
    let header = ["kernel", "", "threads", "registers", "shared", "type", "best TLP", "source", "leans on"];
    let alignment = [Left, Left, Right, Right, Right, Left, Right, Left, Left];
    let mut rows = table::new(header.map(str::to_owned).to_vec(), &alignment);
    for Member { name, entry, needs, profile, source, .. } in &set.members {
        let known = |of: fn(&Profile) -> String| profile.as_ref().map_or_else(|| "-".to_owned(), of);
        rows.add_row([
            name.clone(),
            entry.name.to_owned(),
            needs.threads.to_string(),
            needs.regs.to_string(),
            needs.smem.to_string(),
            known(|profile| type_word(profile.category.kind).to_owned()),
            known(|profile| profile.category.opt.to_string()),
            source.map_or_else(|| "-".to_owned(), |source| format!("{} {}", type_word(source.kind), source.opt)),
            known(|profile| if profile.pref == Pref::Compute { "arithmetic" } else { "memory" }.to_owned()),
        ]);
    }
    table::text(&rows)
}

fn whole(set: &Set, runs: &[Run]) -> String {
    let policies = runs.iter().map(|run| run.policy.to_string());
    let header = std::iter::once(set.name()).chain(policies).collect();
    let alignment: Vec<_> = std::iter::once(Left).chain(runs.iter().map(|_| Right)).collect();
    let mut rows = table::new(header, &alignment);
    for figure in Figure::ALL {
        let values: Vec<Option<f64>> = runs.iter().map(|run| figure.of(&run.stats, &runs[0].stats)).collect();
        if values.iter().any(Option::is_some) {
            let texts = values.into_iter().map(|value| figure.text(value));
            rows.add_row(std::iter::once(figure.label.to_owned()).chain(texts));
        }
    }
    table::text(&rows)
}

/// Something of a kernel, as it is printed.
type Of<'a> = &'a dyn Fn(&StreamStats) -> String;

fn by_kernel(set: &Set, runs: &[Run]) -> String {
    let policies = runs.iter().map(|run| run.policy.to_string());
    let header = std::iter::once("of each kernel".to_owned()).chain(policies).collect();
    let alignment: Vec<_> = std::iter::once(Left).chain(runs.iter().map(|_| Right)).collect();
    let mut rows = table::new(header, &alignment);
    let share = |a: u64, b: u64| if b == 0 { "-".to_owned() } else { format!("{:.1}%", 100.0 * a as f64 / b as f64) };
    let sms = u64::from(set.setup.gpu.sm.count);
    let figures: [(&str, Of<'_>); 7] = [
        ("last TB ends", &|s| HumanCount(s.end).to_string()),
        ("waits for its first TB", &|s| {
            s.first_tb.map_or("-".to_owned(), |first| HumanCount(first - s.start).to_string())
        }),
        ("takes, from its launch on", &|s| HumanCount(s.end.saturating_sub(s.start)).to_string()),
        ("TBs per SM", &|s| match s.counts.tb_cycles as f64 / (sms * (s.end - s.start)) as f64 {
            share if share.is_finite() => format!("{share:.2}"),
            _ => "-".to_owned(),
        }),
        ("L1 miss rate", &|s| share(s.counts.lsu.misses + s.counts.lsu.merges, s.counts.lsu.accesses())),
        ("TBs past L1", &|s| share(s.counts.bypassing_tbs, s.counts.tbs)),
        ("LSU refused", &|s| share(s.counts.lsu.refused, s.counts.lsu.busy)),
    ];
    for (number, member) in set.members.iter().enumerate() {
        let pipelines = |run: &Run| run.stats.pipelines_of_streams().nth(number);
        let cells =
            runs.iter().map(|run| pipelines(run).map_or_else(|| "-".to_owned(), |of| format!("{:.2}", of.puhp)));
        rows.add_row(std::iter::once(format!("{} SP over LD/ST (PUHP)", member.name)).chain(cells));
        for (label, of) in figures {
            let cells = runs.iter().map(|run| run.stats.streams.get(number).map_or_else(|| "-".to_owned(), of));
            rows.add_row(std::iter::once(format!("{} {label}", member.name)).chain(cells));
        }
    }
    table::text(&rows)
}

fn remarks(set: &Set, runs: &[Run]) -> String {
    let gpu = &set.setup.gpu;
    let sizes = set.members.iter().map(|member| format!("{} x{}", member.name, member.scale)).collect::<Vec<_>>();
    let is_typed = set.members.iter().any(|member| member.profile.is_some());
    let by_speed = if is_typed { "; type by speed alone with 1, 2, ... TBs per SM" } else { "" };
    let mut remarks = vec![
        ("kernels", format!("{}, results verified{by_speed}", sizes.join(", "))),
        ("GPU", set.setup.told()),
        ("base", format!("{}: what the others are compared with", runs[0].policy)),
    ];
    let number = |run: &Run| {
        let (key, _) = run.policy.number(gpu.sm.count)?;
        Some(format!("{key} = {} of {}", run.set.get(key)?, run.policy))
    };
    let numbers: Vec<String> = runs.iter().filter_map(number).collect();
    if !numbers.is_empty() {
        remarks.push(("numbers", numbers.join(", ")));
    }
    if let [first, second] = &set.members[..]
        && runs.iter().any(|run| run.policy.modulates())
        && let Ok(targets) = gpu.tlp_units().static_tlp(first.kernel(), second.kernel(), KernelId(0))
    {
        let mode = if targets.mode == Mode::Leftover { ", one after the other: both are of type up" } else { "" };
        remarks.push(("targets", format!("{{{}, {}}} TBs per SM to begin with{mode}", targets.tb[0], targets.tb[1])));
    }
    if let Some(Search { found, trials }) = runs.iter().find_map(|run| run.search) {
        let [a, b] = found.sm;
        let [m, n] = found.b;
        remarks.push(("smc", format!("{a} SMs with {m} TBs and {b} SMs with {n} TBs, the best of {trials} runs")));
    }
    table::text(&table::remarks(remarks))
}
