//! A timeline as JSON of Chrome's trace events, which Perfetto and `chrome://tracing` open. An event is a line, and is written when it
//! happens; what is kept is what runs and waits.
//!
//! A time is in microseconds, with nanoseconds behind the point: viewers keep no more. Slices have a begin (`B`) and an end (`E`), so that
//! neither rounds differently from the slice behind it. There is no `displayTimeUnit`, which versions of Perfetto take for the unit of
//! the times themselves, and the numbers of lanes are different in the whole file, as versions of it name threads by number alone.

use super::gauges::{self, Clock, Group, Supplies};
use super::launches::{Launched, Launches};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::equalizer::VfPair;
use gpusched_refgpu::power::SmxState;
use gpusched_refgpu::timeline::{Event, Launch, LaunchKind, Sample, SmSample, Tb, Visible};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// A process of the viewer: lanes and counters with one heading.
type Process = u32;

/// Streams, with a lane each.
const HOST: Process = 1;
/// The front end: a lane for each entry of the distributor, and its counters.
const FRONT_END: Process = 2;
/// Counters of all SMs together.
const ALL_SMS: Process = 3;
/// The first SM.
const SMS: Process = 100;

/// Lanes of an SM: its P-state, whether it is in a bubble, and its TB slots.
const STATE: u32 = 1;
const BUBBLE: u32 = 2;
const SLOTS: u32 = 10;

/// A lane of the viewer: its process, and its place there.
type Lane = (Process, u32);

/// The number of a lane, unlike that of any other lane or process.
fn thread((process, place): Lane) -> u32 {
    1000 * process + place
}

fn slot(sm: u16, slot: u8) -> Lane {
    (SMS + u32::from(sm), SLOTS + u32::from(slot))
}

fn stream(stream: u32) -> Lane {
    (HOST, 1 + stream)
}

fn lane_name((process, lane): Lane) -> String {
    match (process, lane) {
        (HOST, lane) => format!("stream {}", lane - 1),
        (FRONT_END, lane) => format!("entry {}", lane - 1),
        (_, STATE) => "P-state".to_owned(),
        (_, BUBBLE) => "bubble".to_owned(),
        (_, lane) => format!("slot {}", lane - SLOTS),
    }
}

/// An event as it is written.
#[derive(Serialize, Default)]
struct Line<'a> {
    ph: &'static str,
    pid: Process,
    #[serde(skip_serializing_if = "Option::is_none")]
    tid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cat: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Value>,
}

/// A file under way.
pub struct Perfetto<W> {
    out: W,
    /// What stands between the last event and the next.
    between: &'static str,
    clock: Clock,
    supplies: Supplies,
    launches: Launches,
    /// The kernel in each entry, and the stream on whose lane it is shown.
    entries: BTreeMap<u8, Option<u32>>,
    /// Lanes that have their names, and those with a slice that has not ended.
    named: BTreeSet<Lane>,
    open: BTreeSet<Lane>,
    /// What each counter was last.
    counters: BTreeMap<(Process, &'static str), Vec<(&'static str, f64)>>,
    /// The cycles by word at the last sample.
    words: BTreeMap<(&'static str, &'static str), u64>,
    states: Vec<(SmxState, bool)>,
}

impl<W: Write> Perfetto<W> {
    /// Begins a file of a run of `workload`, `run`, on `gpu`.
    pub fn begin(mut out: W, workload: &str, run: &str, gpu: &GpuConfig) -> io::Result<Self> {
        let about = json!({
            "generator": concat!("gpusched ", env!("CARGO_PKG_VERSION")),
            "schema": "gpusched.timeline/1",
            "workload": workload,
            "run": run,
            "gpu": gpu.name,
            "clock_mhz": gpu.sm.clock_mhz,
        });
        writeln!(out, "{{\"otherData\":{about},\"traceEvents\":[")?;
        let sms = gpu.sm.count;
        let mut file = Self {
            out,
            between: "",
            clock: Clock::of(gpu),
            supplies: Supplies::of(gpu),
            launches: Launches::new(workload),
            entries: BTreeMap::new(),
            named: BTreeSet::new(),
            open: BTreeSet::new(),
            counters: BTreeMap::new(),
            words: BTreeMap::new(),
            states: vec![Default::default(); sms as usize],
        };
        let together = [(HOST, "Host"), (FRONT_END, "Front end"), (ALL_SMS, "All SMs")];
        let sms = (0..sms).map(|s| (SMS + s, format!("SM {s}")));
        for (process, name) in together.map(|(process, name)| (process, name.to_owned())).into_iter().chain(sms) {
            file.name("process_name", (process, None), json!({"name": name}))?;
            file.name("process_sort_index", (process, None), json!({"sort_index": process}))?;
        }
        let levels = VfPair { sm: gpu.vf.sm, mem: gpu.vf.mem };
        file.levels(0, levels)?;
        if gpu.bubble.enabled {
            (0..file.states.len()).try_for_each(|smx| file.supply(0, smx as u16, SmxState::High))?;
        }
        Ok(file)
    }

    /// Takes an event of cycle `at`.
    pub fn event(&mut self, at: u64, event: &Event<'_>) -> io::Result<()> {
        match *event {
            Event::Launch { number, launch, name } => self.launch(number, launch, name),
            Event::Visible(visible) => self.visible(visible),
            Event::Left { kde, suspended } => self.left(at, kde.0, suspended),
            Event::Start { number, tb } => self.start(number, tb),
            Event::End { number, tb, saved } => {
                self.launches.end(number, saved);
                let args = if saved { json!({"cycle": at, "suspended": true}) } else { json!({"cycle": at}) };
                self.close(at, slot(tb.sm, tb.slot), args)
            }
            Event::Depths(depths) => {
                let depths = gauges::depths(&depths);
                depths.chunk_by(|a, b| a.0 == b.0).try_for_each(|group| {
                    let values: Vec<_> = group.iter().map(|&(_, name, value)| (name, value as f64)).collect();
                    self.count(at, FRONT_END, group[0].0, &values)
                })
            }
            Event::State { smx, state, bubble } => self.state(at, smx, state, bubble),
            Event::Levels(levels) => self.levels(at, levels),
            Event::Sample(sample) => self.sample(at, sample),
        }
    }

    /// Ends the file with the run, or with what there is of it, in cycle `at`.
    pub fn end(mut self, at: u64) -> io::Result<()> {
        for lane in self.open.clone() {
            let is_state = lane.0 >= SMS && lane.1 < SLOTS;
            self.close(at, lane, if is_state { json!({"cycle": at}) } else { json!({"unfinished": true}) })?;
        }
        let sampled: Vec<_> = self.counters.iter().filter(|((process, name), _)| is_sampled(*process, name)).collect();
        let nothing = |values: &Vec<(&'static str, f64)>| values.iter().map(|(key, _)| (*key, 0.0)).collect();
        let zeros: Vec<(_, Vec<_>)> = sampled.into_iter().map(|(of, values)| (*of, nothing(values))).collect();
        zeros.into_iter().try_for_each(|((process, name), values)| self.count(at, process, name, &values))?;
        self.out.write_all(b"\n]}\n")?;
        self.out.flush()
    }

    fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        self.out.write_all(self.between.as_bytes())?;
        self.between = ",\n";
        Ok(serde_json::to_writer(&mut self.out, line)?)
    }

    fn time(&self, cycle: u64) -> Option<f64> {
        Some(self.clock.ns(cycle) as f64 / 1e3)
    }

    fn name(&mut self, what: &str, (pid, tid): (Process, Option<u32>), args: Value) -> io::Result<()> {
        self.line(&Line { ph: "M", pid, tid, name: Some(what), args: Some(args), ..Line::default() })
    }

    /// A slice begins.
    fn open(&mut self, cycle: u64, lane: Lane, cat: &'static str, name: &str, args: Value) -> io::Result<()> {
        let (pid, tid) = (lane.0, Some(thread(lane)));
        if self.named.insert(lane) {
            self.name("thread_name", (pid, tid), json!({"name": lane_name(lane)}))?;
            self.name("thread_sort_index", (pid, tid), json!({"sort_index": lane.1}))?;
        }
        self.open.insert(lane);
        let (ts, name, args) = (self.time(cycle), Some(name), Some(args));
        self.line(&Line { ph: "B", pid, tid, ts, name, cat: Some(cat), args, ..Line::default() })
    }

    /// The slice of a lane ends, if there is one.
    fn close(&mut self, cycle: u64, lane: Lane, args: Value) -> io::Result<()> {
        if !self.open.remove(&lane) {
            return Ok(());
        }
        let ts = self.time(cycle);
        self.line(&Line { ph: "E", pid: lane.0, tid: Some(thread(lane)), ts, args: Some(args), ..Line::default() })
    }

    /// An end of the arrow from who launched something to its first TB: `s` or `f`.
    fn arrow(&mut self, ph: &'static str, cycle: u64, lane: Lane, number: u32) -> io::Result<()> {
        let (ts, name) = (self.time(cycle), Some("launch"));
        let bp = (ph == "f").then_some("e");
        let (pid, tid, id) = (lane.0, Some(thread(lane)), Some(number));
        self.line(&Line { ph, pid, tid, ts, name, cat: Some("launch"), id, bp, args: None })
    }

    /// A counter, if it is not what it was.
    fn count(
        &mut self,
        cycle: u64,
        pid: Process,
        name: &'static str,
        values: &[(&'static str, f64)],
    ) -> io::Result<()> {
        let last = self.counters.entry((pid, name)).or_default();
        if last == values {
            return Ok(());
        }
        values.clone_into(last);
        let args: Map<String, Value> =
            values.iter().map(|(name, value)| ((*name).to_owned(), number(*value))).collect();
        let ts = self.time(cycle);
        self.line(&Line { ph: "C", pid, ts, name: Some(name), args: Some(args.into()), ..Line::default() })
    }

    fn launch(&mut self, number: u32, launch: &Launch, name: Option<&str>) -> io::Result<()> {
        let from = self.launches.launch(number, launch, name);
        let called = launch.called;
        match (launch.kind, from) {
            (LaunchKind::Device, Some((sm, place))) => self.arrow("s", called, slot(sm, place), number),
            (LaunchKind::Device, None) => Ok(()),
            (LaunchKind::Host, _) => {
                let lane = stream(launch.stream);
                let name = self.launches.name(number);
                let kernel = &launch.kernel;
                let threads = kernel.tb.x * kernel.tb.y * kernel.tb.z;
                let tbs = Launches::tbs(launch);
                let args = json!({"launch": number, "tbs": tbs, "threads": threads, "cycle": called});
                self.open(called, lane, "host", &name, args)?;
                self.arrow("s", called, lane, number)
            }
        }
    }

    fn visible(&mut self, visible: Visible) -> io::Result<()> {
        let Visible { at, launch, kde, group } = visible;
        self.launches.visible(launch, at);
        if group.is_some() {
            return Ok(());
        }
        let known = self.launches.get(launch);
        self.entries.insert(kde.0, known.and_then(|known| known.stream));
        let args = json!({"launch": launch, "tbs": known.map(|known| known.left), "cycle": at});
        let name = self.launches.name(launch);
        self.open(at, (FRONT_END, 1 + u32::from(kde.0)), "kernel", &name, args)
    }

    fn left(&mut self, at: u64, kde: u8, suspended: bool) -> io::Result<()> {
        let own = self.entries.remove(&kde).flatten();
        self.close(at, (FRONT_END, 1 + u32::from(kde)), json!({"cycle": at}))?;
        match own {
            Some(own) if !suspended => self.close(at, stream(own), json!({"cycle": at})),
            _ => Ok(()),
        }
    }

    fn start(&mut self, number: u32, tb: &Tb) -> io::Result<()> {
        let &Tb { launch, blkid, threads, sm, slot: place, taken, start, .. } = tb;
        let lane = slot(sm, place);
        let is_first = self.launches.start(number, tb);
        let mut args = json!({"launch": launch, "tb": blkid, "threads": threads, "cycle": start});
        if let Some(Launched { called, visible, parent, .. }) = self.launches.get(launch) {
            if let Some((launch, tb)) = parent {
                args["parent"] = json!({"launch": launch, "tb": tb});
            }
            if is_first {
                args["called"] = (*called).into();
                args["visible"] = (*visible).into();
            }
        }
        if taken {
            args["taken"] = true.into();
        }
        let name = self.launches.name(launch);
        self.open(start, lane, "tb", &name, args)?;
        if is_first { self.arrow("f", start, lane, launch) } else { Ok(()) }
    }

    fn supply(&mut self, at: u64, smx: u16, state: SmxState) -> io::Result<()> {
        let [(_, khz), (_, permille)] = self.supplies.of_state(state);
        let process = SMS + u32::from(smx);
        self.count(at, process, "clock", &[("mhz", khz as f64 / 1e3)])?;
        self.count(at, process, "voltage", &[("percent", permille as f64 / 10.0)])
    }

    fn state(&mut self, at: u64, smx: u16, state: SmxState, bubble: bool) -> io::Result<()> {
        let Some(last) = self.states.get_mut(usize::from(smx)) else { return Ok(()) };
        let (old, was_bubble) = std::mem::replace(last, (state, bubble));
        let process = SMS + u32::from(smx);
        if old != state {
            self.close(at, (process, STATE), json!({"cycle": at}))?;
            if state != SmxState::High {
                self.open(at, (process, STATE), "state", gauges::state(state), json!({"cycle": at}))?;
            }
            self.supply(at, smx, state)?;
        }
        match (was_bubble, bubble) {
            (false, true) => self.open(at, (process, BUBBLE), "state", "bubble", json!({"cycle": at})),
            (true, false) => self.close(at, (process, BUBBLE), json!({"cycle": at})),
            _ => Ok(()),
        }
    }

    fn levels(&mut self, at: u64, levels: VfPair) -> io::Result<()> {
        let [(_, khz), (_, permille)] = self.supplies.of_levels(levels);
        self.count(at, ALL_SMS, "clock", &[("mhz", khz as f64 / 1e3)])?;
        self.count(at, ALL_SMS, "memory_clock", &[("percent", permille as f64 / 10.0)])
    }

    /// Means of a sample stand at its beginning.
    fn sample(&mut self, at: u64, sample: &Sample<'_>) -> io::Result<()> {
        let (from, cycles) = (at - sample.cycles, sample.cycles as f64);
        let mut all = SmSample::default();
        for (process, sm) in (SMS..).zip(sample.sms) {
            all.add(sm);
            self.count(from, process, "warps", &[("resident", sm.warp_cycles as f64 / cycles)])?;
        }
        self.count(from, ALL_SMS, "warps", &[("resident", all.warp_cycles as f64 / cycles)])?;
        self.count(from, ALL_SMS, "instructions", &[("per_cycle", all.instructions as f64 / cycles)])?;
        let stalls = gauges::stalls(&all).map(|(name, value)| (name, value as f64 / cycles));
        self.count(from, ALL_SMS, "stalls", &stalls)?;
        self.words(from, cycles, gauges::scheduler(&sample.words))?;
        self.words(from, cycles, gauges::kmu(&sample.words))
    }

    /// Shares of a sample's cycles, in percent, of words that have come so far.
    fn words<const N: usize>(&mut self, from: u64, cycles: f64, group: Group<N>) -> io::Result<()> {
        let mut shares = Vec::with_capacity(N);
        for (word, now) in group.values {
            let before = self.words.insert((group.name, word), now).unwrap_or_default();
            if now > 0 {
                shares.push((word, (now - before) as f64 * 100.0 / cycles));
            }
        }
        if shares.is_empty() { Ok(()) } else { self.count(from, FRONT_END, group.name, &shares) }
    }
}

/// Whether a counter tells means of samples: it ends with the run.
fn is_sampled(process: Process, name: &str) -> bool {
    match process {
        FRONT_END => matches!(name, "scheduler_cycles" | "kmu_cycles"),
        ALL_SMS => matches!(name, "warps" | "instructions" | "stalls"),
        _ => name == "warps",
    }
}

/// A number with three digits behind the point at most.
fn number(value: f64) -> Value {
    let rounded = (value * 1e3).round() / 1e3;
    if rounded.fract() == 0.0 { json!(rounded as u64) } else { json!(rounded) }
}
