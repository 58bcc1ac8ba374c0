//! One run of a study: its options, what they come to, and the name of its result.

use super::digest::{Digest, Files};
use crate::ask::{self, KernelArgs, Workload};
use crate::compare;
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::job;
use crate::scheduler;
use crate::variant::Variant;
use anyhow::anyhow;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::RunOptions;
use gpusched_traces::Program;
use gpusched_workloads::graph::GraphSource;
use gpusched_workloads::keys::{Generator, KeySource};
use gpusched_workloads::regx::StreamSource;
use std::path::Path;

/// Options with their values.
pub type Words = Vec<(String, String)>;

/// What says where results go and how they are shown.
const OF_THE_COMMAND: [&str; 9] = ["out", "png", "threads", "json", "quiet", "gantt", "log", "export-trace", "results"];

/// One run.
#[derive(Debug)]
pub struct Point {
    /// As the file has them.
    pub options: Words,
    /// What does the same.
    pub command: String,
    /// The name of its result: a hash of all that it depends on but the code.
    pub key: String,
    /// The algorithm.
    pub workload: Workload,
    /// The machine and the options.
    pub setup: Setup,
    /// How it runs.
    pub variant: Variant,
    input: ask::Input,
    kernel: KernelArgs,
}

impl Point {
    /// What these options come to.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn resolve(options: Words, files: &mut Files) -> Result<Self, Failure> {
        let arguments = arguments(&options)?;
        let quoted: Vec<String> = arguments.iter().map(|argument| ask::quoted(argument)).collect();
        let ask::Run { workload, way, simulation } = ask::Run::parse(&arguments)?;
        let workload = simulation.input.workload(workload)?;
        let setup = compare::setup(workload, &simulation)?;
        let variants = Variant::all(&way.resolve(workload)?, &simulation.scheduling, &setup)?;
        let [variant] = <[Variant; 1]>::try_from(variants).map_err(|variants| {
            let each = variants.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            usage(format!("this is two runs or more: {each}; of bubbles, set bubble.enabled"))
        })?;
        let machine = job::machine(&setup, variant.way, &variant.gpu)?;
        setup.check_options([variant.way].into_iter())?;
        setup.check_effect(std::slice::from_ref(&machine), &[])?;
        let mut point = Self {
            options,
            command: format!("gpusched run {}", quoted.join(" ")),
            key: String::new(),
            workload,
            setup,
            variant,
            input: simulation.input,
            kernel: simulation.kernel,
        };
        point.key = point.digest(&machine, files)?.hex(16);
        Ok(point)
    }

    /// Loads what it works on.
    pub fn load(&self) -> Result<Input, Failure> {
        Input::load(self.workload, &self.input, &self.kernel, &self.setup, true)
    }

    /// The machine as it runs.
    pub fn machine(&self) -> Result<GpuConfig, Failure> {
        Ok(job::machine(&self.setup, self.variant.way, &self.variant.gpu)?.0)
    }

    /// What it works on, in one word: runs of the same word can share it.
    pub fn input(&self) -> String {
        let Self { workload, input, kernel, setup, .. } = self;
        let own = self.given("workload").unwrap_or_default();
        format!("{} {own} {input:?} {kernel:?} {:?}", workload.name(), setup.options)
    }

    fn given(&self, option: &str) -> Option<&str> {
        self.options.iter().find(|(key, _)| key == option).map(|(_, value)| value.as_str())
    }

    /// All that the result depends on.
    fn digest(&self, (gpu, run): &(GpuConfig, RunOptions), files: &mut Files) -> Result<Digest, Failure> {
        let mut digest = Digest::default();
        let Self { workload, setup, variant, input, kernel, .. } = self;
        digest.add("workload", workload.name());
        digest.add("options", &setup.options.json(*workload)?.to_string());
        digest.add("way", &variant.way.to_string());
        digest.add("scheduler", &variant.scheduler().to_string());
        digest.machine(gpu, *run);
        digest.add("kernel", &format!("{kernel:?}"));
        if let Some(file) = self.given("workload").filter(|word| ask::is_file(word)) {
            digest.add("workload", files.content("workload", Path::new(file))?);
        }
        let sched = self.given("sched").map(|word| scheduler::split(word).0);
        if let Some(file) = sched.filter(|word| scheduler::is_file(word)) {
            digest.add("sched", files.content("sched", Path::new(file))?);
        }
        match &input.graph {
            Some(GraphSource::File(file)) => digest.named(files, "graph", file)?,
            Some(other) => digest.add("graph", &other.to_string()),
            None => {}
        }
        match &input.keys {
            Some(KeySource::Files(sides)) => {
                for side in sides {
                    digest.named(files, "keys", side)?;
                }
            }
            Some(other) => digest.add("keys", &other.to_string()),
            None => {}
        }
        input.streams.iter().for_each(|streams| digest.add("streams", &streams.to_string()));
        if let Some(trace) = &input.trace {
            for file in Program::files(trace).map_err(|error| Failure::Usage(error.into()))? {
                digest.add("trace", files.content("trace", &file)?);
            }
            digest.name("trace", trace);
        }
        let ask::GraphArgs { undirected, format, memory: _ } = input.load;
        digest.add("input", &format!("{undirected} {format:?} {:?} {:?}", input.source, input.weight_scale));
        Ok(digest)
    }
}

fn usage(text: String) -> Failure {
    Failure::Usage(anyhow!(text))
}

/// The options as arguments of `gpusched run`.
fn arguments(options: &Words) -> Result<Vec<String>, Failure> {
    if let Some((key, _)) = options.iter().find(|(key, _)| OF_THE_COMMAND.contains(&key.as_str())) {
        return Err(usage(format!("{key} is not varied: it is of the command that runs the study")));
    }
    let seed = options.iter().find(|(key, _)| key == "seed").map(|(_, value)| value.as_str());
    let mut seeded = false;
    let mut arguments = Vec::new();
    for (key, value) in options {
        let other = reseeded(key, value, seed)?;
        seeded |= other.is_some();
        if key != "seed" {
            arguments.extend(ask::Run::argument(key, other.as_ref().unwrap_or(value)));
        }
    }
    if seed.is_some() && !seeded {
        let text = "only generators of graphs, keys and streams have one, such as graph = \"kron:12\"; others have options, such as wave.seed";
        return Err(usage(format!("seed: {text}")));
    }
    Ok(arguments)
}

/// The generator that the value of this option names, with its seed so much higher; if it names one.
fn reseeded(option: &str, value: &str, seed: Option<&str>) -> Result<Option<String>, Failure> {
    let Some(seed) = seed else { return Ok(None) };
    let by: u64 = seed.parse().map_err(|_| usage(format!("seed {seed}: expected whole numbers")))?;
    Ok(match option {
        "graph" => match value.parse() {
            Ok(GraphSource::Generated(of)) => Some(GraphSource::Generated(of.reseeded(by)).to_string()),
            _ => None,
        },
        "keys" => match value.parse() {
            Ok(KeySource::Generated(of)) => {
                Some(KeySource::Generated(Generator { seed: of.seed.wrapping_add(by), ..of }).to_string())
            }
            _ => None,
        },
        "streams" => match value.parse() {
            Ok(StreamSource { kind, count, seed }) => {
                Some(StreamSource { kind, count, seed: seed.wrapping_add(by) }.to_string())
            }
            Err(_) => None,
        },
        _ => None,
    })
}
