//! The inputs of a tournament: of one generator with several seeds, or one graph from several vertices.

use crate::ask::{self, Samples, Simulation, Workload};
use crate::failure::Failure;
use crate::input::{Input, Setup};
use anyhow::anyhow;
use gpusched_workloads::graph::{Csr, GraphSource, SplitMix64};
use gpusched_workloads::keys::{Generator, KeySource};
use gpusched_workloads::regx::StreamSource;

/// Seed of the vertices that are drawn.
const SEED: u64 = 1;

/// Inputs that are drawn.
pub struct Draw<'a> {
    workload: Workload,
    args: &'a Simulation,
    setup: &'a Setup,
    first: Input,
    of: Of,
}

/// What differs between them.
enum Of {
    /// The seed, by up to so much.
    Seeds(u32),
    /// The vertex.
    Sources(Vec<u32>),
}

impl<'a> Draw<'a> {
    /// What is asked for, if the workload has that.
    pub fn new(
        option: &str,
        workload: Workload,
        samples: Samples,
        args: &'a Simulation,
        setup: &'a Setup,
    ) -> Result<Self, Failure> {
        let refuse = |text: String| Err(Failure::Usage(anyhow!("{option}: {text}")));
        let searches = matches!(workload, Workload::Bfs | Workload::Sssp);
        if samples.sources.is_some() && !searches {
            return refuse(format!("{} starts from no vertex; it takes {}", workload.name(), workload.takes()));
        }
        let first = Input::load(workload, &args.input, &args.kernel, setup, args.quiet)?;
        let of = match (samples.sources, &first) {
            (Some(count), Input::Graph { graph, .. }) => {
                let Some(vertices) = drawn(&graph.csr, count) else {
                    return refuse(format!("{} has fewer than {count} vertices with neighbours", graph.name));
                };
                Of::Sources(vertices)
            }
            _ => Of::Seeds(samples.seeds.unwrap_or(1)),
        };
        let draw = Self { workload, args, setup, first, of };
        match (&draw.of, draw.is_generated()) {
            (Of::Seeds(_), false) if workload == Workload::Trace => refuse("a trace has no seed".to_owned()),
            (Of::Seeds(_), false) => {
                let sources = if searches { ", or --sources, which varies where it starts" } else { "" };
                let such = if workload == Workload::Join { "--keys uni" } else { "--graph kron:12" };
                refuse(format!(
                    "{} is no generator, and has no seed; take one, such as {such}{sources}",
                    draw.first.name()
                ))
            }
            _ => Ok(draw),
        }
    }

    /// Whether seeds make other inputs.
    fn is_generated(&self) -> bool {
        match &self.first {
            Input::Graph { .. } => matches!(self.args.input.graph, Some(GraphSource::Generated(_))),
            Input::Keys(_) => !matches!(self.args.input.keys, Some(KeySource::Files(_))),
            Input::Bodies(_)
            | Input::Ratings(_)
            | Input::Streams(_)
            | Input::Tiles { .. }
            | Input::Product(_)
            | Input::Mesh(_)
            | Input::Kernel { .. } => true,
            Input::Trace(_) => false,
        }
    }

    /// How many there are; two or more.
    pub fn len(&self) -> usize {
        match &self.of {
            Of::Seeds(count) => *count as usize,
            Of::Sources(vertices) => vertices.len(),
        }
    }

    /// The input that is asked for: the first, but for the vertex.
    pub fn first(&self) -> &Input {
        &self.first
    }

    /// Name and size of what is worked on, and where all of it starts.
    pub fn description(&self, workload: Workload) -> String {
        match &self.of {
            Of::Seeds(_) => self.first.description(workload),
            Of::Sources(_) => format!("{}: {}", self.first.name(), self.first.size()),
        }
    }

    /// The vertices that searches start from, if it is those that differ.
    pub fn sources(&self) -> Option<&[u32]> {
        match &self.of {
            Of::Seeds(_) => None,
            Of::Sources(vertices) => Some(vertices),
        }
    }

    /// One of them.
    pub fn sample(&self, number: usize) -> Result<Input, Failure> {
        let by = number as u64;
        let load = |input: ask::Input| Input::load(self.workload, &input, &self.args.kernel, self.setup, true);
        let given = &self.args.input;
        Ok(match (&self.of, &self.first) {
            (Of::Sources(vertices), Input::Graph { graph, .. }) => {
                Input::Graph { graph: graph.clone(), source: vertices[number] }
            }
            (_, Input::Graph { .. }) => {
                let reseeded = |source: &GraphSource| match source {
                    GraphSource::Generated(generator) => GraphSource::Generated(generator.reseeded(by)),
                    fixed => fixed.clone(),
                };
                load(ask::Input { graph: given.graph.as_ref().map(reseeded), ..given.clone() })?
            }
            (_, Input::Keys(_)) => {
                let reseeded = match given.keys.clone().unwrap_or_default() {
                    KeySource::Generated(of) => {
                        KeySource::Generated(Generator { seed: of.seed.wrapping_add(by), ..of })
                    }
                    fixed => fixed,
                };
                load(ask::Input { keys: Some(reseeded), ..given.clone() })?
            }
            (_, Input::Streams(streams)) => {
                let of = streams.source;
                Input::Streams(StreamSource { seed: of.seed.wrapping_add(by), ..of }.streams().into())
            }
            (_, made) => {
                let mut made = made.clone();
                made.seed_mut().into_iter().for_each(|seed| *seed = seed.wrapping_add(by));
                made
            }
        })
    }

    /// Two seeds have given the same result.
    pub fn refuse_equal(&self) -> Result<(), Failure> {
        match self.of {
            Of::Sources(_) => Ok(()),
            Of::Seeds(_) => Err(Failure::Usage(anyhow!(
                "--seeds: {} has no random input; two seeds give the same result",
                self.workload.name()
            ))),
        }
    }

    /// What differs, in words.
    pub fn words(&self) -> String {
        match &self.of {
            Of::Seeds(count) => format!("{count} inputs: the seed of this one, and the {} behind it", count - 1),
            Of::Sources(vertices) => format!(
                "{} vertices, drawn without replacement among those with neighbours, as Graph500 has it (seed {SEED})",
                vertices.len()
            ),
        }
    }
}

/// So many different vertices with neighbours.
fn drawn(graph: &Csr, count: u32) -> Option<Vec<u32>> {
    let mut vertices: Vec<u32> = (0..graph.vertices()).filter(|&vertex| graph.degree(vertex) > 0).collect();
    if vertices.len() < count as usize {
        return None;
    }
    let mut stream = SplitMix64::new(SEED);
    for place in 0..count as usize {
        let other = place + stream.below((vertices.len() - place) as u64) as usize;
        vertices.swap(place, other);
    }
    vertices.truncate(count as usize);
    Some(vertices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn vertices_are_drawn_once_each_and_have_neighbours() {
        let graph: GraphSource = "cit:64".parse().unwrap();
        let graph = graph.load(&mut |_| std::ops::ControlFlow::Continue(())).unwrap().csr;
        let twenty = drawn(&graph, 20).unwrap();
        assert_eq!(twenty.iter().collect::<BTreeSet<_>>().len(), 20);
        assert!(twenty.iter().all(|&vertex| graph.degree(vertex) > 0));
        assert_eq!(twenty[..10], drawn(&graph, 10).unwrap());
        assert_eq!(drawn(&graph, 65), None);
    }
}
