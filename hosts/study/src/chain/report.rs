//! What is said of chains: a table, JSON, and a picture.

use super::bench::{Ran, Times, Way};
use super::pair::Reads;
use super::{Size, Timeline};
use crate::ask::Chain as Args;
use crate::failure::Failure;
use crate::input::Setup;
use crate::plot::curves;
use crate::{output, table};
use comfy_table::CellAlignment::Right;
use serde::Serialize;
use std::collections::BTreeMap;

pub(super) struct Report<'a> {
    pub setup: &'a Setup,
    pub args: &'a Args,
    pub times: Times,
    pub per_sm: u32,
    pub sizes: &'a [Size],
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    generator: &'static str,
    gpu: &'a str,
    set: BTreeMap<String, String>,
    tbs_per_sm: u32,
    kernels: u32,
    reads: Reads,
    seed: u64,
    /// In cycles of an SM.
    times: Times,
    sizes: Vec<SizePart>,
}

#[derive(Serialize)]
struct SizePart {
    waves: f64,
    tbs: u32,
    ways: BTreeMap<&'static str, Ran>,
    /// What TB dependencies cost on chip, in bytes.
    buffer_bytes: u64,
    second_kernels_bytes: u64,
}

impl Size {
    /// Cycles of a way in parts of those of a stream.
    fn relative(&self, way: usize) -> f64 {
        self.ran[way].cycles as f64 / self.ran[0].cycles as f64
    }
}

impl Report<'_> {
    pub fn json(&self) -> Result<String, Failure> {
        let part = |size: &Size| SizePart {
            waves: size.waves,
            tbs: size.tbs,
            ways: Way::ALL.iter().map(|way| way.name()).zip(size.ran.iter().copied()).collect(),
            buffer_bytes: size.storage.0,
            second_kernels_bytes: size.storage.1,
        };
        output::json(&Document {
            schema: "gpusched.chain/2",
            generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
            gpu: &self.setup.gpu.name,
            set: self.setup.set(),
            tbs_per_sm: self.per_sm,
            kernels: self.args.kernels,
            reads: self.args.reads,
            seed: self.args.seed,
            times: self.times,
            sizes: self.sizes.iter().map(part).collect(),
        })
    }

    pub fn tables(&self) -> String {
        let header = [
            "waves",
            "TBs",
            "stream: us",
            "PDL",
            "graph",
            "graph PDL",
            "tail",
            "TB deps",
            "fused",
            "PDL waits",
            "deps KiB",
        ];
        let mut rows = table::new(header.map(str::to_owned).to_vec(), &[Right; 11]);
        let clock = f64::from(self.setup.gpu.sm.clock_mhz);
        for size in self.sizes {
            let each = size.ran[0].cycles as f64 / f64::from(self.args.kernels) / clock;
            let percent = |part: f64| format!("{:.1}%", 100.0 * part);
            let waits = size.ran[1].waited as f64 / (size.ran[1].busy + size.ran[1].waited) as f64;
            let mut row = vec![size.waves.to_string(), size.tbs.to_string(), format!("{each:.2}")];
            row.extend((1..Way::ALL.len()).map(|way| percent(size.relative(way))));
            row.extend([percent(waits), format!("{:.1}", (size.storage.0 + size.storage.1) as f64 / 1024.0)]);
            rows.add_row(row);
        }
        [table::text(&rows), table::text(&self.remarks())].join("\n")
    }

    fn remarks(&self) -> table::Table {
        let Args { kernels, reads, threads, regs, smem, prologue, trigger, host, device, dispatch, graph, .. } =
            self.args;
        let Times { tb, spread, halo, .. } = self.times;
        let fused = match reads {
            Reads::Stencil(_) => format!("TBs of two steps that compute {halo} of a TB twice"),
            Reads::Reduce(of) => format!("TBs of which the last of {of} to end reduces them"),
            Reads::Layers(of) => format!("TBs of a whole row of {of} tiles, which nobody else may read"),
        };
        table::remarks([
            ("GPU", self.setup.told()),
            (
                "chain",
                format!(
                    "{kernels} kernels, each needs the one before; a TB of {threads} threads, {regs} registers each and {smem} bytes \
                     of shared memory takes {tb} to {} cycles; an SM holds {}",
                    tb + spread,
                    self.per_sm
                ),
            ),
            ("stream", "microseconds a kernel; of the others the time in percent of the stream's".to_owned()),
            (
                "tail",
                format!(
                    "the first TB of each kernel launches the next one behind it, which is known {device} us later (ours)"
                ),
            ),
            (
                "TB deps",
                format!(
                    "TB dependencies: kernels two by two in a dependency graph ({reads}), {} cycles from its request to memory's answer; \
                     KiB: what the graphs' buffer and second kernels take on chip",
                    self.times.fetch
                ),
            ),
            ("fused", format!("kernels two by two in one, as {fused}")),
            (
                "PDL",
                format!(
                    "{prologue} of a TB needs nothing of the kernel before, then it waits; after {trigger} of it the next kernel may \
                     start; waits: TB cycles that wait, of all in which TBs hold a slot"
                ),
            ),
            (
                "costs",
                format!(
                    "host: {host} us a kernel, {graph} us and 1 ns a kernel for a graph; {dispatch} us from completion to the next \
                     kernel's first TB. Measured on H200 by te42kyfo/gpu-benches: 2.43 us between dependent kernels in a stream, 1.26 \
                     in a graph; that the difference is the host's is ours"
                ),
            ),
        ])
    }

    pub fn picture(&self) -> anyhow::Result<String> {
        let line = |(nth, way): (usize, Way)| curves::Line {
            name: way.name().to_owned(),
            points: self.sizes.iter().map(|size| (size.waves, 100.0 * size.relative(nth))).collect(),
        };
        curves::svg(&curves::Figure {
            title: format!("A chain of {} kernels on {}", self.args.kernels, self.setup.gpu.name),
            subtitle: format!(
                "TBs of {} to {} cycles, {} of it before the wait",
                self.times.tb,
                self.times.tb + self.times.spread,
                self.args.prologue
            ),
            x: "TBs of a kernel, in waves".into(),
            y: "time, % of that of a stream".into(),
            lines: Way::ALL.into_iter().enumerate().map(line).collect(),
        })
    }

    /// Slots at work over time, in the first kernels of each way.
    pub fn timeline(&self, timeline: &Timeline, slots: u32) -> anyhow::Result<String> {
        let Timeline { waves, kernels, work } = timeline;
        let end = work.iter().flat_map(|(_, work)| work).map(|(_, until)| *until).max().unwrap_or(1);
        let clock = f64::from(self.setup.gpu.sm.clock_mhz);
        let bin = end.div_ceil(BINS).max(1);
        let line = |(way, work): &(Way, Vec<(u64, u64)>)| {
            let at_work = (0..end.div_ceil(bin)).map(|nth| {
                let (from, until) = (nth * bin, (nth + 1) * bin);
                let inside = |&(start, end): &(u64, u64)| end.min(until).saturating_sub(start.max(from));
                let part = work.iter().map(inside).sum::<u64>() as f64 / (bin * u64::from(slots)) as f64;
                ((from + until) as f64 / 2.0 / clock, 100.0 * part)
            });
            curves::Line { name: way.name().to_owned(), points: at_work.collect() }
        };
        curves::svg(&curves::Figure {
            title: format!("The first {kernels} kernels of {waves} waves on {}", self.setup.gpu.name),
            subtitle: format!(
                "{}; TBs of {} to {} cycles",
                self.args.reads,
                self.times.tb,
                self.times.tb + self.times.spread
            ),
            x: "time, us".into(),
            y: "slots whose TB is at work, %".into(),
            lines: work.iter().map(line).collect(),
        })
    }
}

/// Points of a timeline.
const BINS: u64 = 120;
