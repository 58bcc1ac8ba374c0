//! The stochastic memory hierarchy: events, what runs came to, and a plain model.

use std::collections::BTreeMap;

use gpusched::Fault;
use gpusched::models::monte::{
    self, Extreme, Generator, Monte, MonteConfig, Order, Request, SiteId, SiteTally, Tables, Tally, monte_image_config,
};

use crate::calls::monte::Queries;
use crate::{machine as machines, through_c};

pub use gpusched_heap::monte::{HeapTables, machine, tables};

pub use crate::calls::monte::Event;
pub use crate::calls::monte::hand::{Run, Simulate, Trace, slots};
pub use crate::machine::Machine;

/// What a call answers.
pub type Answered = Result<(), Fault>;

/// One level over all runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct Level {
    pub loads: u64,
    pub hits: u64,
    pub hist: Vec<u32>,
    pub empty: u32,
    pub min: Option<Extreme>,
    pub max: Option<Extreme>,
    pub mode: u32,
    pub reliable: bool,
}

/// What the runs came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct View {
    pub seed: u64,
    pub runs: u32,
    pub l1: Level,
    pub l2: Level,
    pub stores: u64,
    pub sites: Vec<SiteTally>,
}

/// What draws random numbers as models-M1 says: the core, the C face of it, or the model.
pub trait Draws {
    /// Random numbers of a run, below a number or of 64 bits.
    fn rng(&self, seed: u64, run: u32, n: usize, below: Option<u64>) -> Vec<u64>;
}

impl View {
    /// What a machine shows.
    #[must_use]
    pub fn of(m: &impl Queries) -> Self {
        let level = |level| {
            let Tally { loads, hits, min, max, empty, mode, reliable } = m.level(level);
            let there = |of: Extreme| (of.loads > 0).then_some(of);
            Level { loads, hits, hist: m.histogram(level), empty, min: there(min), max: there(max), mode, reliable }
        };
        let sites = (0..=u16::MAX).map_while(|site| m.site(SiteId(site))).collect();
        let (l1, l2) = (level(monte::Level::L1), level(monte::Level::L2));
        Self { seed: m.seed(), runs: m.runs(), l1, l2, stores: m.stores(), sites }
    }
}

machines::in_rust! { Monte<T>: Event => Answered = drop, View = View::of; T: Tables }
machines::through_c! { through_c::monte::ThroughC: Event => Answered = drop, View = View::of }

impl<T: Tables> Draws for Monte<T> {
    fn rng(&self, seed: u64, run: u32, n: usize, below: Option<u64>) -> Vec<u64> {
        let mut random = Generator::of_run(seed, run);
        let mut next = || match below {
            Some(below) => random.below(below),
            None => random.next(),
        };
        (0..n).map(|_| next()).collect()
    }
}

impl Draws for through_c::monte::ThroughC {
    fn rng(&self, seed: u64, run: u32, n: usize, below: Option<u64>) -> Vec<u64> {
        through_c::monte::hand::rng(seed, run, n, below)
    }
}

/// Hits and loads of a run.
type Counts = (u64, u64);

/// A plain model of models-M1 to M6.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    config: MonteConfig,
    seed: u64,
    stores: u64,
    /// Hits and loads of each run, for both levels.
    runs: Vec<[Counts; 2]>,
    sites: BTreeMap<u16, SiteTally>,
}

/// models-M1, in 128 bits.
struct Random(u128);

impl Random {
    fn next(&mut self) -> u64 {
        const ALL: u128 = u64::MAX as u128;
        self.0 = (self.0 + 0x9e37_79b9_7f4a_7c15) & ALL;
        let mut z = self.0;
        z = ((z ^ z >> 30) * 0xbf58_476d_1ce4_e5b9) & ALL;
        z = ((z ^ z >> 27) * 0x94d0_49bb_1331_11eb) & ALL;
        (z ^ z >> 31) as u64
    }

    fn of_run(seed: u64, run: u32) -> Self {
        let mut first = Self(u128::from(seed ^ 0xd134_2543_de82_ef95_u64.wrapping_mul(run.into())));
        Self(first.next().into())
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// A cache: the lines of each set, the one used last at the end.
struct Cache {
    ways: usize,
    line: u64,
    sets: Vec<Vec<u64>>,
}

impl Cache {
    fn new(sets: u32, ways: u32, line: u32) -> Self {
        Self { ways: ways as usize, line: line.into(), sets: vec![Vec::new(); sets as usize] }
    }

    fn access(&mut self, address: u64, allocate: bool) -> bool {
        let line = address / self.line;
        let count = self.sets.len() as u64;
        let set = &mut self.sets[(line % count) as usize];
        let is_hit = set.contains(&line);
        if is_hit || allocate {
            set.retain(|&other| other != line);
            set.push(line);
            if set.len() > self.ways {
                set.remove(0);
            }
        }
        is_hit
    }
}

impl Model {
    /// A hierarchy without runs.
    #[must_use]
    pub fn new(config: &MonteConfig) -> Self {
        Self { config: *config, seed: 0, stores: 0, runs: Vec::new(), sites: BTreeMap::new() }
    }

    fn check(&self, trace: &Trace, slots: usize) -> Result<(), Fault> {
        if trace.iter().any(|(sm, _)| *sm >= self.config.sms) {
            return Err(Fault::BadSm);
        }
        if trace.iter().flat_map(|(_, requests)| requests).any(|r| u32::from(r.site.0) >= self.config.sites) {
            return Err(Fault::BadSite);
        }
        let requests = self::slots(trace);
        if requests > slots || requests as u64 > self.config.max_requests.into() {
            return Err(Fault::TooManyRequests);
        }
        Ok(())
    }

    /// One order of the streams' requests.
    fn merge(&self, random: &mut Random, mut streams: Vec<Vec<Request>>) -> Vec<Request> {
        let mut order = Vec::new();
        loop {
            streams.retain(|stream| !stream.is_empty());
            let left: usize = streams.iter().map(Vec::len).sum();
            if left == 0 {
                return order;
            }
            let stream = match self.config.pick {
                Order::UniformWarp => random.below(streams.len()),
                Order::Weighted => {
                    let mut drawn = random.below(left);
                    streams
                        .iter()
                        .position(|stream| {
                            let is_here = drawn < stream.len();
                            drawn = drawn.saturating_sub(stream.len());
                            is_here
                        })
                        .expect("a draw below the requests that are left")
                }
            };
            order.push(streams[stream].remove(0));
        }
    }

    fn run(&mut self, trace: &Trace) {
        let MonteConfig { sms, l1_sets, l1_ways, l1_line, l2_sets, l2_ways, l2_line, .. } = self.config;
        let mut random = Random::of_run(self.seed, self.runs.len() as u32);
        let mut counts = [(0, 0); 2];
        let mut out = Vec::new();
        for sm in 0..sms {
            let streams = trace.iter().filter(|(of, _)| *of == sm).map(|(_, requests)| requests.clone()).collect();
            let mut l1 = Cache::new(l1_sets, l1_ways, l1_line);
            let mut queue = Vec::new();
            for request in self.merge(&mut random, streams) {
                if request.store {
                    self.stores += 1;
                    l1.access(request.address, self.config.l1_store_alloc);
                    queue.push(request);
                    continue;
                }
                let is_hit = l1.access(request.address, true);
                let site = self.sites.entry(request.site.0).or_default();
                site.l1_loads += 1;
                counts[0].1 += 1;
                if is_hit {
                    site.l1_hits += 1;
                    counts[0].0 += 1;
                } else {
                    queue.push(request);
                }
            }
            out.push(queue);
        }
        let mut l2 = Cache::new(l2_sets, l2_ways, l2_line);
        for request in self.merge(&mut random, out) {
            let is_hit = l2.access(request.address, true);
            if !request.store {
                let site = self.sites.entry(request.site.0).or_default();
                site.l2_loads += 1;
                site.l2_hits += u64::from(is_hit);
                counts[1].1 += 1;
                counts[1].0 += u64::from(is_hit);
            }
        }
        self.runs.push(counts);
    }

    /// models-M6, from all runs.
    fn level(&self, level: usize) -> Level {
        let bins = self.config.bins;
        let runs: Vec<_> = self.runs.iter().map(|run| run[level]).collect();
        let counted: Vec<_> = runs.iter().filter(|&&(_, loads)| loads > 0).collect();
        let mut hist = vec![0; bins as usize];
        for &&(hits, loads) in &counted {
            hist[(hits * u64::from(bins) / loads).min(u64::from(bins) - 1) as usize] += 1;
        }
        // The first of the extremes.
        let below =
            |a: &(u64, u64), b: &(u64, u64)| u128::from(a.0) * u128::from(b.1) < u128::from(b.0) * u128::from(a.1);
        let first = |is_better: &dyn Fn(&Counts, &Counts) -> bool| {
            counted.iter().fold(None, |best: Option<&Counts>, run| match best {
                Some(best) if !is_better(run, best) => Some(best),
                _ => Some(run),
            })
        };
        let (min, max) = (first(&|a, b| below(a, b)), first(&|a, b| below(b, a)));
        let fullest = hist.iter().max().copied().unwrap_or(0);
        let reliable = match (min, max) {
            (Some(min), Some(max)) => {
                let wide = |a: u64, b: u64| i128::from(a) * i128::from(b);
                (wide(max.0, min.1) - wide(min.0, max.1)) * 1000
                    <= wide(min.1, max.1) * i128::from(self.config.tol_permille)
            }
            _ => false,
        };
        let extreme = |run: &(u64, u64)| Extreme { hits: run.0, loads: run.1 };
        Level {
            loads: runs.iter().map(|run| run.1).sum(),
            hits: runs.iter().map(|run| run.0).sum(),
            mode: hist.iter().position(|&count| count == fullest).unwrap_or(0) as u32,
            hist,
            empty: (runs.len() - counted.len()) as u32,
            min: min.map(extreme),
            max: max.map(extreme),
            reliable,
        }
    }
}

impl Machine for Model {
    type Event = Event;
    type Answered = Answered;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Answered {
        match event {
            Event::Simulate(Simulate { trace, runs, seed }) => {
                if !(1..=1 << 20).contains(runs) {
                    return Err(Fault::BadArg);
                }
                self.check(trace, slots(trace))?;
                self.take(&Event::Start { seed: *seed })?;
                (0..*runs).for_each(|_| self.run(trace));
            }
            Event::Start { seed } => *self = Self { seed: *seed, ..Self::new(&self.config) },
            Event::Run(Run { trace, slots: given }) => {
                if self.runs.len() == 1 << 20 {
                    return Err(Fault::BadArg);
                }
                self.check(trace, given.unwrap_or(slots(trace)))?;
                self.run(trace);
            }
        }
        Ok(())
    }

    fn view(&self) -> View {
        let site = |site: u32| self.sites.get(&(site as u16)).copied().unwrap_or_default();
        View {
            seed: self.seed,
            runs: self.runs.len() as u32,
            l1: self.level(0),
            l2: self.level(1),
            stores: self.stores,
            sites: (0..self.config.sites).map(site).collect(),
        }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

impl Draws for Model {
    fn rng(&self, seed: u64, run: u32, n: usize, below: Option<u64>) -> Vec<u64> {
        let mut random = Random::of_run(seed, run);
        let mut next = || match below {
            Some(below) => random.below(below as usize) as u64,
            None => random.next(),
        };
        (0..n).map(|_| next()).collect()
    }
}

machines::family! {
    /// Memory hierarchies.
    Montes: MonteConfig, Event => (), View;
    Monte<HeapTables> = machine, monte_image_config; through_c::monte::ThroughC; Model
}
