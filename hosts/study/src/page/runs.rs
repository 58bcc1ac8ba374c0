//! What a page says of the runs behind it: the commands that make them, what they worked on, and every number of their machines with where
//! it comes from.

use crate::ask::Workload;
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::job;
use crate::study::digest::Digest;
use crate::study::point::Point;
use crate::study::store::{About, Record};
use crate::table::{self, Table};
use crate::way::Way;
use comfy_table::CellAlignment::{Left, Right};
use gpusched_refgpu::config::GpuConfig;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// Runs, in the order in which they are told.
#[derive(Debug, Default)]
pub struct Runs {
    lines: Vec<Line>,
    inputs: Vec<About>,
    parameters: Vec<Parameter>,
    /// Of the parameters, by name.
    places: BTreeMap<String, usize>,
    digest: Digest,
}

/// A run.
#[derive(Debug)]
struct Line {
    command: String,
    /// The name and the checksum of its result, if it is kept.
    kept: Option<[String; 2]>,
}

/// A parameter or an option, with the values that it has.
#[derive(Debug)]
struct Parameter {
    key: String,
    unit: &'static str,
    values: Vec<Value>,
}

#[derive(Debug, PartialEq)]
struct Value {
    value: String,
    from: &'static str,
    origin: String,
    runs: usize,
}

impl Runs {
    /// A run whose result is kept.
    pub fn kept(&mut self, point: &Point, record: &Record) -> Result<(), Failure> {
        let kept = Some([record.key.clone(), record.checksum.clone()]);
        self.add_point(point, kept, &record.input)
    }

    /// A run of these options whose result is not kept.
    pub fn point(&mut self, point: &Point) -> Result<(), Failure> {
        self.add_point(point, None, &About::of(&point.load()?))
    }

    fn add_point(&mut self, point: &Point, kept: Option<[String; 2]>, input: &About) -> Result<(), Failure> {
        self.digest.add("run", &point.key);
        let machine = point.machine()?;
        self.add(Line { command: point.command.clone(), kept }, input, &point.setup, &machine, point.workload);
        Ok(())
    }

    /// What another command runs.
    pub fn command(
        &mut self,
        command: String,
        setup: &Setup,
        workload: Workload,
        way: Way,
        input: &Input,
    ) -> Result<(), Failure> {
        self.digest.add("run", &command);
        let (machine, _) = job::machine(setup, way, &setup.gpu)?;
        machine.resolved().for_each(|entry| self.digest.add(&entry.key, &entry.value));
        self.add(Line { command, kept: None }, &About::of(input), setup, &machine, workload);
        Ok(())
    }

    fn add(&mut self, line: Line, input: &About, setup: &Setup, machine: &GpuConfig, workload: Workload) {
        self.lines.push(line);
        if !self.inputs.contains(input) {
            self.inputs.push(input.clone());
        }
        for resolved in setup.entries_of(machine, workload) {
            let entry = resolved.entry();
            let place = *self.places.entry(entry.key.clone()).or_insert_with(|| {
                self.parameters.push(Parameter { key: entry.key.clone(), unit: entry.unit, values: Vec::new() });
                self.parameters.len() - 1
            });
            let values = &mut self.parameters[place].values;
            let from = resolved.label();
            match values
                .iter_mut()
                .find(|known| known.value == entry.value && known.from == from && known.origin == entry.origin)
            {
                Some(known) => known.runs += 1,
                None => {
                    let (value, origin) = (entry.value.clone(), entry.origin.clone());
                    values.push(Value { value, from, origin, runs: 1 });
                }
            }
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// A hash of all that the results depend on, but for the program, as so many hexadecimal digits.
    pub fn digest(&self, digits: usize) -> String {
        self.digest.clone().hex(digits)
    }

    /// Inputs, machines, and the commands.
    pub fn markup(&self) -> Markup {
        let set = |parameter: &&Parameter| {
            parameter.values.len() > 1 || parameter.values.iter().any(|value| value.from == "set")
        };
        let differing: Vec<&Parameter> = self.parameters.iter().filter(set).collect();
        html! {
            h3 { "Inputs" }
            (super::table(&self.inputs_table()))
            h3 { "Machine" }
            p { "The hash of all that the results depend on, but for the program: " code { (self.digest(64)) } ". Where numbers come from is \
                said in one word: " code { "gpusched config show --help" } " explains them." }
            @if !differing.is_empty() {
                p { "What is set, or differs between runs:" }
                (super::table(&self.parameters_table(&differing)))
            }
            details {
                summary { "Every parameter, with its provenance" }
                (super::table(&self.parameters_table(&self.parameters.iter().collect::<Vec<_>>())))
            }
            h3 { "Runs" }
            details {
                summary { "The commands that make them (" (self.count()) ")" }
                (super::table(&self.runs_table()))
            }
        }
    }

    fn inputs_table(&self) -> Table {
        let mut rows =
            table::new(["input", "size", "FNV-1a 64", "origin and seed"].map(str::to_owned).to_vec(), &[Left; 4]);
        for About { name, size, provenance, checksum, .. } in &self.inputs {
            rows.add_row([name, size, checksum.as_deref().unwrap_or("-"), provenance]);
        }
        rows
    }

    fn parameters_table(&self, parameters: &[&Parameter]) -> Table {
        let header = ["parameter", "value", "unit", "from", "origin", "runs"].map(str::to_owned);
        let mut rows = table::new(header.to_vec(), &[Left, Right, Left, Left, Left, Right]);
        for Parameter { key, unit, values } in parameters {
            for Value { value, from, origin, runs } in values {
                let of = if *runs == self.count() { "all".to_owned() } else { runs.to_string() };
                rows.add_row([key, value, *unit, from, origin, &of]);
            }
        }
        rows
    }

    fn runs_table(&self) -> Table {
        let mut rows = table::new(["command", "key", "checksum of the result"].map(str::to_owned).to_vec(), &[Left; 3]);
        for Line { command, kept } in &self.lines {
            let [key, checksum] = kept.as_ref().map_or(["", ""], |kept| kept.each_ref().map(String::as_str));
            rows.add_row([command, key, checksum]);
        }
        rows
    }
}
