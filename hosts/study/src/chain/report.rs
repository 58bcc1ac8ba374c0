//! What is said of chains: a table, JSON, and a picture.

use super::Size;
use super::bench::{Ran, Times, Way};
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
            ways: Way::ALL.iter().map(|way| way.name()).zip(size.ran).collect(),
        };
        output::json(&Document {
            schema: "gpusched.chain/1",
            generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
            gpu: &self.setup.gpu.name,
            set: self.setup.set(),
            tbs_per_sm: self.per_sm,
            kernels: self.args.kernels,
            seed: self.args.seed,
            times: self.times,
            sizes: self.sizes.iter().map(part).collect(),
        })
    }

    pub fn tables(&self) -> String {
        let header = ["waves", "TBs", "stream: us a kernel", "PDL", "graph", "graph with PDL", "waits under PDL"];
        let mut rows = table::new(header.map(str::to_owned).to_vec(), &[Right; 7]);
        let clock = f64::from(self.setup.gpu.sm.clock_mhz);
        for size in self.sizes {
            let each = size.ran[0].cycles as f64 / f64::from(self.args.kernels) / clock;
            let percent = |part: f64| format!("{:.1}%", 100.0 * part);
            let waits = size.ran[1].waited as f64 / (size.ran[1].busy + size.ran[1].waited) as f64;
            rows.add_row([
                size.waves.to_string(),
                size.tbs.to_string(),
                format!("{each:.2}"),
                percent(size.relative(1)),
                percent(size.relative(2)),
                percent(size.relative(3)),
                percent(waits),
            ]);
        }
        [table::text(&rows), table::text(&self.remarks())].join("\n")
    }

    fn remarks(&self) -> comfy_table::Table {
        let Args { kernels, threads, regs, smem, prologue, trigger, host, dispatch, graph, .. } = self.args;
        let Times { tb, spread, .. } = self.times;
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
            ("percent", "time in parts of that of the stream".to_owned()),
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
}
