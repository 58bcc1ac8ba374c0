//! The file of a study: what is varied, and what its table shows.

use super::digest::Files;
use super::point::{Point, Words};
use crate::failure::Failure;
use crate::input;
use crate::metrics;
use crate::suggest::like;
use anyhow::{Context, anyhow, bail, ensure};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use toml::{Spanned, Table, Value};

/// A file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: Option<String>,
    #[serde(default = "cycles")]
    metric: String,
    base: Option<Table>,
    #[serde(default)]
    mean_over: Vec<String>,
    runs: Vec<Block>,
}

/// Options with their values, each with where it stands, as tables have no order.
type Block = BTreeMap<String, Spanned<Value>>;

fn cycles() -> String {
    "cycles".to_owned()
}

/// What is to be run, and shown.
pub struct Plan {
    /// Its file.
    pub text: String,
    /// What the files of its results are called.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// The figure that the table shows, by its name in JSON.
    pub metric: String,
    /// What makes the run that each is compared with.
    pub base: Option<Words>,
    /// The place of that run, of each one: the same but for what `base` says. Empty without one.
    bases: Vec<Option<usize>>,
    /// What means are taken over.
    pub mean_over: Vec<String>,
    /// What is varied: the options of all runs, in the order of the file.
    pub axes: Vec<String>,
    /// The runs; at least one.
    pub points: Vec<Point>,
}

impl Plan {
    /// Reads a file, and resolves all of its runs.
    ///
    /// # Errors
    /// What is wrong in it, and where.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let context = || format!("study {}", path.display());
        let text = input::text(path).with_context(context).map_err(Failure::Usage)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self::new(name, &text).with_context(context).map_err(Failure::Usage)
    }

    fn new(name: String, text: &str) -> anyhow::Result<Self> {
        let File { title, metric, base, mean_over, runs } = toml::from_str(text)?;
        let (mut points, mut files) = (Vec::new(), Files::default());
        for (number, block) in runs.iter().enumerate() {
            let context = || format!("runs {}", number + 1);
            for words in every(block).with_context(context)? {
                let told = told(&words);
                let point = Point::resolve(words, &mut files).map_err(|failure| anyhow!("{told}: {failure}"));
                points.push(point.with_context(context)?);
            }
        }
        ensure!(!points.is_empty(), "runs: there is none");
        let mut axes = Vec::<String>::new();
        for (key, _) in points.iter().flat_map(|point| &point.options) {
            if !axes.contains(key) {
                axes.push(key.clone());
            }
        }
        let base = base.map(|table| one(&table)).transpose().context("base")?;
        let bases = base.as_ref().map(|base| bases(base, &points)).unwrap_or_default();
        let (text, title) = (text.to_owned(), title.unwrap_or_else(|| name.clone()));
        let plan = Self { text, name, title, metric, base, bases, mean_over, axes, points };
        plan.check()?;
        Ok(plan)
    }

    /// Whether the table can be made.
    fn check(&self) -> anyhow::Result<()> {
        for (row, point) in self.points.iter().enumerate() {
            let mut known = metrics::all(point.workload).map(|metric| metric.key.to_owned());
            if !known.any(|key| key == self.metric) {
                let keys = metrics::all(point.workload).map(|metric| metric.key.to_owned());
                bail!(
                    "metric {}: {} has none of this name{}",
                    self.metric,
                    point.workload.name(),
                    like(&self.metric, keys)
                );
            }
            if let (Some(base), None) = (&self.base, self.base_of(row)) {
                bail!("base {}: no run is like `{}` but for that", told(base), told(&point.options));
            }
        }
        match self.mean_over.iter().find(|key| !self.axes.contains(key)) {
            Some(key) => bail!("mean_over: no run has an option {key}{}", like(key, self.axes.iter().cloned())),
            None => Ok(()),
        }
    }

    /// The place of the run that the one in this place is compared with.
    pub fn base_of(&self, row: usize) -> Option<usize> {
        self.bases.get(row).copied().flatten()
    }
}

/// Of each point the place of the first one that has the same options, in any order, but for what `base` says.
fn bases(base: &Words, points: &[Point]) -> Vec<Option<usize>> {
    let options = |point: &Point| point.options.iter().cloned().collect::<BTreeMap<String, String>>();
    let mut places = HashMap::new();
    for (place, point) in points.iter().enumerate() {
        places.entry(options(point)).or_insert(place);
    }
    let base_of = |point: &Point| {
        let mut options = options(point);
        for (key, value) in base {
            options.get_mut(key)?.clone_from(value);
        }
        places.get(&options).copied()
    };
    points.iter().map(base_of).collect()
}

/// Options as a file says them.
pub fn told(words: &[(String, String)]) -> String {
    words.iter().map(|(key, value)| format!("{key} = {value}")).collect::<Vec<_>>().join(", ")
}

/// Every combination of the values of a block, of which the last option changes first.
fn every(block: &Block) -> anyhow::Result<Vec<Words>> {
    let mut in_order: Vec<_> = block.iter().collect();
    in_order.sort_by_key(|(_, value)| value.span().start);
    let mut all = vec![Words::new()];
    for (key, values) in choices(in_order.into_iter().map(|(key, value)| (key, value.get_ref())))? {
        let longer = |words: &Words, value: &String| {
            let mut words = words.clone();
            words.push((key.clone(), value.clone()));
            words
        };
        all = all.iter().flat_map(|words| values.iter().map(move |value| longer(words, value))).collect();
    }
    Ok(all)
}

/// A block in which each option has one value.
fn one(block: &Table) -> anyhow::Result<Words> {
    let single = choices(block.iter())?.into_iter().map(|(key, values)| match values.as_slice() {
        [value] => Ok((key, value.clone())),
        _ => Err(anyhow!("{key}: expected one value")),
    });
    single.collect()
}

/// Options with their values. What `set` holds is called `set.KEY`, and stands in the order of names.
fn choices<'a>(options: impl Iterator<Item = (&'a String, &'a Value)>) -> anyhow::Result<Vec<(String, Vec<String>)>> {
    let mut choices = Vec::new();
    for (key, value) in options {
        match value {
            Value::Table(settings) if key == "set" => flatten("set", settings, &mut choices)?,
            value => choices.push((key.clone(), words(key, value)?)),
        }
    }
    Ok(choices)
}

/// TOML takes the dots of a key that is not quoted for tables in tables.
fn flatten(within: &str, settings: &Table, choices: &mut Vec<(String, Vec<String>)>) -> anyhow::Result<()> {
    for (key, value) in settings {
        let key = format!("{within}.{key}");
        match value {
            Value::Table(more) => flatten(&key, more, choices)?,
            value => choices.push((key.clone(), words(&key, value)?)),
        }
    }
    Ok(())
}

fn words(key: &str, value: &Value) -> anyhow::Result<Vec<String>> {
    let word = |value: &Value| match value {
        Value::String(word) => Ok(word.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(truth) => Ok(truth.to_string()),
        _ => Err(anyhow!("{key}: expected a word, a number, true, false, or a list of them")),
    };
    match value {
        Value::Array(values) if values.is_empty() => Err(anyhow!("{key}: the list is empty")),
        Value::Array(values) => {
            let all: Vec<String> = values.iter().map(word).collect::<Result<_, _>>()?;
            match all.iter().enumerate().find(|(place, word)| all[..*place].contains(word)) {
                Some((_, word)) => Err(anyhow!("{key}: {word} is given twice")),
                None => Ok(all),
            }
        }
        value => Ok(vec![word(value)?]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> anyhow::Result<Plan> {
        Plan::new("study".into(), text)
    }

    #[test]
    fn every_combination_is_run_in_the_order_of_the_file() {
        let text = "
            [[runs]]
            workload = ['bfs', 'sssp']
            graph = 'kron:8'
            mode = ['flat', 'dtbl']
            set.dtbl.agt_size = 64
            [[runs]]
            workload = 'kmeans'
            sm = ['lrr', 'gto']
        ";
        let error = plan(text).err().unwrap();
        assert!(format!("{error:#}").contains("mode = flat"), "an option without effect: {error:#}");
        let plan = plan(&text.replace("['flat', 'dtbl']", "['dtbl', 'dtbli']")).unwrap();
        let told: Vec<String> = plan.points.iter().map(|point| told(&point.options)).collect();
        assert_eq!(told[1], "workload = bfs, graph = kron:8, mode = dtbli, set.dtbl.agt_size = 64");
        assert_eq!(told[2], "workload = sssp, graph = kron:8, mode = dtbl, set.dtbl.agt_size = 64");
        assert_eq!(told[5], "workload = kmeans, sm = gto");
        assert_eq!(plan.axes, ["workload", "graph", "mode", "set.dtbl.agt_size", "sm"]);
        let command = &plan.points[1].command;
        assert_eq!(command, "gpusched run bfs --graph=kron:8 --mode=dtbli --set dtbl.agt_size=64");
    }

    #[test]
    fn a_base_is_found_in_whatever_order_its_block_names_the_options() {
        let text = "
            base = { mode = 'flat' }
            [[runs]]
            workload = 'bfs'
            graph = 'kron:8'
            mode = 'flat'
            [[runs]]
            graph = 'kron:8'
            mode = 'dtbl'
            workload = 'bfs'
        ";
        assert_eq!(plan(text).unwrap().bases, [Some(0), Some(0)]);
    }

    #[test]
    fn a_parameter_can_be_true_or_false_and_an_option_that_stands_alone_is_there_or_not() {
        let text = "
            [[runs]]
            workload = 'bfs'
            graph = 'kron:8'
            undirected = [true, false]
            set.bubble.enabled = [true, false]
        ";
        let commands: Vec<String> = plan(text).unwrap().points.into_iter().map(|point| point.command).collect();
        let of = |undirected: &str, bubble: &str| {
            format!("gpusched run bfs --graph=kron:8{undirected} --set bubble.enabled={bubble}")
        };
        let [is, is_not] = [" --undirected", ""];
        assert_eq!(commands, [of(is, "true"), of(is, "false"), of(is_not, "true"), of(is_not, "false")]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let wrong = |text: &str, told: &str| {
            let error = format!("{:#}", plan(text).err().unwrap());
            assert!(error.contains(told), "{told}: {error}");
        };
        let bfs = |more: &str| format!("[[runs]]\nworkload = 'bfs'\ngraph = 'kron:8'\n{more}");
        wrong("runs = []", "runs: there is none");
        wrong("metrics = 'cycles'", "unknown field `metrics`");
        wrong(&bfs("mode = []"), "runs 1: mode: the list is empty");
        wrong(&bfs("mode = ['flat', 'flat']"), "mode: flat is given twice");
        wrong(&bfs("mode = 'flatt'"), "did you mean `flat`?");
        wrong(&bfs("colour = 'red'"), "unexpected argument '--colour'");
        wrong(&bfs("json = true"), "json is not varied: it is of the command");
        wrong("[[runs]]\nworkload = 'bfs'\nseed = 1", "seed: only generators of graphs, keys and streams");
        wrong(&bfs("power = 'bubble'"), "is two runs");
        wrong(&bfs("sched = 'rr,tb-pri'"), "is two runs");
        wrong(&format!("metric = 'cycle'\n{}", bfs("")), "did you mean `cycles`?");
        wrong(&format!("base = {{ mode = 'flat' }}\n{}", bfs("mode = 'dtbl'")), "base mode = flat: no run is like");
        wrong(&format!("mean_over = ['graf']\n{}", bfs("")), "did you mean `graph`?");
    }
}
