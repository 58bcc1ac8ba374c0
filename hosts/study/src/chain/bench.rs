//! A chain of kernels, and the ways in which they can follow each other.

use super::pair::Reads;
use super::run::Run;
use anyhow::{Result, ensure};
use gpusched::dats::MAX_NODES;
use gpusched::{Cdp2Part, Config, DatsPart, Descriptor, KgraphPart, PdlPart, StorageBits, TailDepth, storage_bits};
use serde::Serialize;

/// How the kernels of a chain follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Launched one by one into a stream: each starts when the one before is complete.
    Stream,
    /// The same, each a programmatic dependent.
    Pdl,
    /// A graph, launched at once.
    Graph,
    /// The same, each a programmatic dependent.
    GraphPdl,
    /// The host launches the first one, and the first TB of each the next one, as its tail launch.
    Tail,
    /// Two by two into a stream; in each two a TB of the second starts when those that it reads have ended.
    Dependencies,
    /// Two by two in one kernel.
    Fused,
}

impl Way {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Stream, Self::Pdl, Self::Graph, Self::GraphPdl, Self::Tail, Self::Dependencies, Self::Fused];

    /// In tables and pictures.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::Pdl => "PDL",
            Self::Graph => "graph",
            Self::GraphPdl => "graph with PDL",
            Self::Tail => "tail launches",
            Self::Dependencies => "TB dependencies",
            Self::Fused => "fused",
        }
    }

    pub(super) const fn overlaps(self) -> bool {
        matches!(self, Self::Pdl | Self::GraphPdl)
    }
}

/// What takes how long, in cycles of an SM.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Times {
    /// A TB, at least.
    pub tb: u64,
    /// How much longer it may take.
    pub spread: u64,
    /// Parts of a TB: what needs nothing of the kernel before, and after what it lets the next one start.
    pub parts: (f64, f64),
    /// The host: a kernel, a graph, and each kernel of it.
    pub host: (u32, u32, u32),
    /// From a launch by a TB to the kernel's being known.
    pub device: u32,
    /// From the completion of a kernel to the next one.
    pub dispatch: u32,
    /// From a request of the dependency-graph buffer to the answer of memory.
    pub fetch: u32,
    /// What of a TB is computed twice where two steps of a stencil are one kernel.
    pub halo: f64,
}

/// A chain of kernels on a machine.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    pub(super) config: Config,
    pub(super) kernel: Descriptor,
    pub(super) kernels: u32,
    pub(super) reads: Reads,
    pub(super) times: Times,
    seed: u64,
    wave: u32,
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ran {
    /// Cycles until all is complete.
    pub cycles: u64,
    /// Cycles of TBs at work.
    pub busy: u64,
    /// Cycles of TBs that waited for the kernel before.
    pub waited: u64,
}

impl Bench {
    /// `kernels` kernels of this shape, on the front end `config`, which holds `wave` TBs of them at once.
    pub fn new(
        config: &Config,
        (kernel, wave): (Descriptor, u32),
        (kernels, reads): (u32, Reads),
        times: Times,
        seed: u64,
    ) -> Self {
        let (lat_kernel, lat_graph, lat_node) = times.host;
        let config = Config {
            hwq_depth: kernels,
            lat_dispatch: times.dispatch,
            kmu_interval: 1,
            pdl: Some(PdlPart::CUDA),
            kgraph: Some(KgraphPart {
                graphs: 1,
                nodes: kernels,
                edges: kernels,
                insts: 1,
                lat_kernel,
                lat_graph,
                lat_node,
                ..KgraphPart::FREE
            }),
            ..*config
        };
        Self { config, kernel, kernels, reads, times, seed, wave }
    }

    /// The same, of so many kernels.
    pub fn of(&self, kernels: u32) -> Self {
        Self { kernels, ..*self }
    }

    /// The machine with a dependency-graph buffer for two kernels, the first one of so many TBs: a window of two waves, and room for every
    /// update of a TB that is not in the window yet, since one that has to go to memory waits for it.
    fn with_buffer(&self, tbs: u32) -> Result<Config> {
        let edges = tbs * self.reads.readers();
        ensure!(
            tbs + self.reads.consumers(tbs) <= MAX_NODES && edges <= MAX_NODES,
            "two kernels, the first one of {tbs} TBs, with up to {edges} dependencies: a dependency-graph buffer has room for {MAX_NODES} \
             TBs, and here for as many dependencies that wait"
        );
        let chunk_bytes = 1024;
        let lna = (2 * self.wave).clamp(chunk_bytes / 8 + 1, MAX_NODES);
        let lea = (lna * self.reads.readers()).min(MAX_NODES);
        let part = DatsPart { lna, lea, pub_entries: edges, chunk_bytes, ..DatsPart::GTX480 };
        Ok(Config { dats: Some(part), cross: true, ..self.config })
    }

    /// The machine on which kernels launch the next one themselves. Each of them is complete only when the last one is.
    fn with_tails(&self) -> Config {
        Config {
            cdp2: Some(Cdp2Part { tail_depth: TailDepth::Same, ..Cdp2Part::CUDA }),
            grids: self.kernels,
            lat_stream: self.times.device,
            gpb_b: 0,
            gpb_a: 0,
            ld_b: 0,
            ld_a: 0,
            ..self.config
        }
    }

    /// What the hardware of TB dependencies would cost on chip, in bytes: the buffer, and second kernels in entries and at the heads of
    /// queues; behind the heads they are in memory, as the first ones.
    pub fn storage(&self, tbs: u32) -> Result<(u64, u64)> {
        let config = Config { hwq_depth: 1, pdl: None, kgraph: None, ..self.with_buffer(tbs)? };
        let StorageBits { dats, grids, .. } = storage_bits(&config);
        Ok((dats.total() / 8, grids / 8))
    }

    /// Runs the chain, the first of each two kernels of so many TBs.
    pub fn run(&self, way: Way, tbs: u32) -> Result<Ran> {
        Ok(self.finished(way, tbs, None)?.ran())
    }

    /// When TBs were at work: from, until, in no order.
    pub fn work(&self, way: Way, tbs: u32) -> Result<Vec<(u64, u64)>> {
        Ok(self.finished(way, tbs, Some(Vec::new()))?.work.unwrap_or_default())
    }

    /// A run to its end, in which `work` is kept if it is there.
    fn finished(&self, way: Way, tbs: u32, work: Option<Vec<(u64, u64)>>) -> Result<Run<'_>> {
        let config = match way {
            Way::Dependencies => self.with_buffer(tbs)?,
            Way::Tail => self.with_tails(),
            _ => self.config,
        };
        let mut run = Run::begin(self, &config, (way, tbs), self.seed)?;
        run.work = work;
        while !run.is_over() {
            run.step()?;
        }
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched::Dim3;

    /// A machine of four SMXs of one TB each, and kernels of two TBs of 100 cycles.
    fn bench(times: Times) -> Bench {
        of(Reads::Stencil(1), times)
    }

    fn of(reads: Reads, times: Times) -> Bench {
        let config = Config { n_smx: 4, tb_slots: 1, ..Config::K20C.ideal() };
        let kernel = Descriptor { tb: Dim3::linear(32), ..Descriptor::default() };
        Bench::new(&config, (kernel, 4), (10, reads), times, 1)
    }

    const FREE: Times =
        Times { tb: 100, spread: 0, parts: (0.0, 0.0), host: (0, 0, 0), device: 0, dispatch: 0, fetch: 0, halo: 0.0 };

    /// Ten kernels whose second TB starts a cycle behind the first take 101 cycles each. Of dependents both are there already, and go on
    /// together, when the kernel before is complete. Two kernels in one start TBs half as often. Where TBs depend on each other, the graph
    /// is asked for when the first of two has arrived.
    #[test]
    fn without_costs_only_the_start_of_tbs_counts() {
        for way in Way::ALL {
            let ran = bench(FREE).run(way, 2).unwrap();
            let expected = match way {
                Way::Stream | Way::Graph | Way::Tail => 10 * 101,
                Way::Pdl | Way::GraphPdl => 10 * 100 + 1,
                Way::Dependencies => 10 * 101 + 5,
                Way::Fused => 5 * 201,
            };
            assert_eq!(ran.busy, 2000, "{way:?}");
            assert!(ran.cycles.abs_diff(expected) <= 3, "{way:?}: {ran:?}, expected {expected}");
        }
    }

    /// Five TBs on four SMXs: the second wave of a kernel has one TB. Behind it, those of the next kernel start that do not read it, and
    /// two kernels are done in three waves instead of four. One kernel of both has TBs that are twice as long, in two waves.
    #[test]
    fn dependencies_fill_the_tail() {
        let cycles = |way| bench(FREE).run(way, 5).unwrap().cycles;
        let [stream, pairs, fused] = [Way::Stream, Way::Dependencies, Way::Fused].map(cycles);
        assert!((2000..2060).contains(&stream) && (1500..1560).contains(&pairs), "{stream} {pairs}");
        assert!((2000..2060).contains(&fused), "{fused}");
    }

    /// Where each TB of the second kernel reads all of the first, dependencies are a barrier. One kernel of both reduces behind the last
    /// TB, without a start of its own; of layers it has one TB.
    #[test]
    fn who_reads_all_waits_for_all() {
        let cycles = |reads, way| of(reads, FREE).run(way, 4).unwrap().cycles;
        for reads in [Reads::Reduce(4), Reads::Layers(4)] {
            let [stream, pairs] = [Way::Stream, Way::Dependencies].map(|way| cycles(reads, way));
            assert!(pairs.abs_diff(stream) <= 5, "{reads}: {stream} {pairs}");
        }
        assert!(cycles(Reads::Reduce(4), Way::Fused).abs_diff(cycles(Reads::Reduce(4), Way::Stream)) <= 10);
        assert!((4000..4010).contains(&cycles(Reads::Layers(4), Way::Fused)));
    }

    #[test]
    fn graphs_that_are_too_large_are_refused() {
        let error = of(Reads::Layers(8), FREE).run(Way::Dependencies, 8192).unwrap_err().to_string();
        assert!(error.contains("8192 TBs") && error.contains("65536 dependencies"), "{error}");
    }

    /// What launching costs is hidden by those who start early, and paid once by graphs.
    #[test]
    fn costs_are_hidden_or_paid_once() {
        let cycles = |times, way| bench(times).run(way, 2).unwrap().cycles;
        let dispatch = Times { dispatch: 50, ..FREE };
        assert_eq!(cycles(dispatch, Way::Stream) - cycles(FREE, Way::Stream), 10 * 50);
        assert!(cycles(dispatch, Way::Pdl) < cycles(FREE, Way::Stream) + 2 * 50);
        let host = Times { host: (200, 300, 1), ..FREE };
        assert!(cycles(host, Way::Stream) >= 10 * 200);
        assert_eq!(cycles(host, Way::Graph) - cycles(FREE, Way::Graph), 310);
        // The host launches one kernel; what launching costs the device counts only where it takes longer than a kernel.
        let device = |device| Times { host: (200, 300, 1), device, ..FREE };
        assert_eq!(cycles(device(90), Way::Tail) - cycles(FREE, Way::Tail), 200);
        assert!(cycles(device(300), Way::Tail) > 9 * 300);
    }

    /// What needs nothing of the kernel before runs beside it.
    #[test]
    fn prologues_overlap() {
        let times = Times { parts: (0.5, 0.0), ..FREE };
        let [stream, pdl] = [Way::Stream, Way::Pdl].map(|way| bench(times).run(way, 2).unwrap());
        assert!(pdl.cycles * 10 < stream.cycles * 6, "{pdl:?} {stream:?}");
        assert!(pdl.waited == 0 || pdl.waited < pdl.busy);
        // Where kernels fill the machine, nothing starts early.
        let [stream, pdl] = [Way::Stream, Way::Pdl].map(|way| bench(times).run(way, 4).unwrap());
        assert!(pdl.cycles * 10 > stream.cycles * 9, "{pdl:?} {stream:?}");
    }
}
