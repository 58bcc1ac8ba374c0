//! What is said of clusters: tables, JSON, and two pictures.

use super::bench::{Bench, Shape};
use super::{Loaded, Size, TENTHS};
use crate::failure::Failure;
use crate::input::Setup;
use crate::plot::{curves, map};
use crate::{output, table};
use comfy_table::CellAlignment::{Left, Right};
use serde::Serialize;
use std::collections::BTreeMap;

pub(super) struct Report<'a> {
    pub setup: &'a Setup,
    pub bench: &'a Bench,
    pub shape: Shape,
    pub sizes: &'a [Size],
    pub samples: u32,
    pub seed: u64,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    generator: &'static str,
    gpu: &'a str,
    set: BTreeMap<String, String>,
    tbs_per_sm: u32,
    samples: u32,
    seed: u64,
    sizes: Vec<SizePart<'a>>,
}

#[derive(Serialize)]
struct SizePart<'a> {
    tbs: u32,
    max_active_clusters: u32,
    /// The SMs of each cluster that an empty machine takes, by rank.
    placed: Vec<Vec<u16>>,
    sms_in_use: usize,
    /// Share of the free SMs that clusters use, where every further tenth of the SMs holds a TB: mean, least, most.
    left: &'a [[f64; 3]],
    /// Under load: where nobody passes a cluster that waits, and where others may.
    load: &'a [Loaded; 2],
}

impl Size {
    /// SMs that clusters use on an empty machine.
    fn sms(&self) -> usize {
        let mut sms: Vec<u16> = self.empty.iter().flatten().map(|smx| smx.0).collect();
        sms.sort_unstable();
        sms.dedup();
        sms.len()
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

impl Report<'_> {
    pub fn json(&self) -> Result<String, Failure> {
        let part =
            |size: &'_ Size| (size.empty.iter().map(|of| of.iter().map(|smx| smx.0).collect()).collect(), size.sms());
        let sizes = self.sizes.iter().map(|size| {
            let (placed, sms_in_use) = part(size);
            let Size { tbs, promised, left, load, .. } = size;
            SizePart { tbs: *tbs, max_active_clusters: *promised, placed, sms_in_use, left, load }
        });
        output::json(&Document {
            schema: "gpusched.clusters/1",
            generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
            gpu: &self.setup.gpu.name,
            set: self.setup.set(),
            tbs_per_sm: self.bench.per_sm,
            samples: self.samples,
            seed: self.seed,
            sizes: sizes.collect(),
        })
    }

    pub fn tables(&self) -> String {
        [self.empty(), self.fragmented(), self.loaded(), table::text(&self.remarks())].join("\n")
    }

    fn empty(&self) -> String {
        let sms = self.setup.gpu.sm.count as usize;
        let header = ["TBs of a cluster", "max active clusters", "placed", "SMs in use", "idle"].map(str::to_owned);
        let mut rows = table::new(header.to_vec(), &[Right; 5]);
        for size in self.sizes {
            let used = size.sms();
            let idle = percent((sms - used) as f64 / sms as f64);
            rows.add_row([
                size.tbs.to_string(),
                size.promised.to_string(),
                size.empty.len().to_string(),
                used.to_string(),
                idle,
            ]);
        }
        table::text(&rows)
    }

    fn fragmented(&self) -> String {
        let shares = TENTHS.map(|tenths| format!("{}%", 10 * tenths));
        let header = std::iter::once("busy SMs".to_owned()).chain(shares).collect();
        let alignment: Vec<_> = std::iter::once(Left).chain(TENTHS.map(|_| Right)).collect();
        let mut rows = table::new(header, &alignment);
        for size in self.sizes {
            let cells = size.left.iter().map(|[mean, ..]| percent(*mean));
            rows.add_row(std::iter::once(format!("clusters of {}", size.tbs)).chain(cells));
        }
        table::text(&rows)
    }

    fn loaded(&self) -> String {
        let header =
            ["under load", "busy", "cluster waits", "single waits", "passed: busy", "cluster waits", "single waits"];
        let alignment: Vec<_> = std::iter::once(Left).chain([Right; 6]).collect();
        let mut rows = table::new(header.map(str::to_owned).to_vec(), &alignment);
        for size in self.sizes.iter().filter(|size| size.tbs > 1) {
            let cells = size.load.iter().flat_map(|load| {
                [percent(load.busy), format!("{:.0}", load.cluster_wait), format!("{:.0}", load.single_wait)]
            });
            rows.add_row(std::iter::once(format!("clusters of {}", size.tbs)).chain(cells));
        }
        table::text(&rows)
    }

    fn remarks(&self) -> table::Table {
        let Shape { threads, regs, smem } = self.shape;
        let per_sm = self.bench.per_sm;
        table::remarks([
            ("GPU", self.setup.told()),
            ("TB", format!("{threads} threads, {regs} registers, {smem} bytes of shared memory; an SM holds {per_sm}")),
            ("max active", "what the query answers of an empty machine (modern-C7); placed: what the front end does".to_owned()),
            (
                "busy SMs",
                format!(
                    "so many SMs, drawn {} times, hold a TB that takes all of them; of the others, clusters find a place on so many",
                    self.samples
                ),
            ),
            (
                "under load",
                "32 kernels at a time, half of them a cluster and half as many single TBs, of 500 to 1,499 cycles; cycles from a launch to \
                 the first TB. Nobody passes a cluster that waits for its GPC; passed: others may (cluster.pass_cluster)"
                    .to_owned(),
            ),
        ])
    }

    pub fn pictures(&self) -> anyhow::Result<[(&'static str, String); 2]> {
        Ok([("map", map::svg(&self.map())?), ("fragmentation", curves::svg(&self.curves())?)])
    }

    fn map(&self) -> map::Figure {
        let topology = self.setup.gpu.layout.topology.unwrap_or_default();
        let panels = self.sizes.iter().filter(|size| size.tbs > 1).map(|size| {
            let cluster_of: BTreeMap<u16, usize> =
                (0..).zip(&size.empty).flat_map(|(number, of)| of.iter().map(move |smx| (smx.0, number))).collect();
            let mut gpcs = vec![Vec::new(); topology.n_gpc() as usize];
            for tpc in topology.tpcs() {
                let sm = |smx: gpusched::SmxId| map::Sm {
                    number: smx.0,
                    owner: cluster_of.get(&smx.0).copied(),
                    marked: topology.pair_only.contains(smx),
                };
                gpcs[usize::from(tpc.gpc.0)].push(tpc.smxs.iter().map(sm).collect());
            }
            map::Panel { name: format!("clusters of {}: {}, on {} SMs", size.tbs, size.empty.len(), size.sms()), gpcs }
        });
        map::Figure {
            title: format!("Clusters on an empty {}", self.setup.gpu.name),
            subtitle: "an SM with the number of its last cluster; rows are GPCs, pairs TPCs; framed: takes no cluster of more than 2".into(),
            panels: panels.collect(),
        }
    }

    fn curves(&self) -> curves::Figure {
        let line = |size: &Size| curves::Line {
            name: format!("of {}", size.tbs),
            points: TENTHS
                .zip(&size.left)
                .map(|(tenths, [mean, ..])| (10.0 * f64::from(tenths), 100.0 * mean))
                .collect(),
        };
        curves::Figure {
            title: format!("What fragmentation leaves to clusters on {}", self.setup.gpu.name),
            subtitle: format!(
                "mean of {} random fillings; an SM holds {} TBs of a cluster",
                self.samples, self.bench.per_sm
            ),
            x: "busy SMs, %".into(),
            y: "free SMs that clusters can use, %".into(),
            lines: self.sizes.iter().map(line).collect(),
        }
    }
}
