//! What a step of a vector says.

use anyhow::{Context, Result, anyhow, bail, ensure};
use gpusched::{Dim3, SmxId, SmxSet};
use serde::Deserialize;
use serde_json::{Map, Value};

use gpusched::dats::{DepLinksError, DgbConfig, GraphHeader, GraphPolicy, Node, NodeId};

use crate::dats::Parts;
use crate::dats::deplinks::{Built, Link};
use crate::replay::argument::Argument;

pub(super) fn config(base: &DgbConfig, overrides: &Value) -> Result<DgbConfig> {
    let mut config = serde_json::to_value(base)?;
    for (name, value) in overrides.as_object().context("`config` is not an object")? {
        // A word that Rust keeps to itself.
        let known = if name == "pub" { "pub_entries" } else { name };
        let field = config.get_mut(known).with_context(|| format!("no parameter `{name}`"))?;
        *field = value.clone();
    }
    DgbConfig::deserialize(config).with_context(|| format!("`config`: {overrides}"))
}

pub(super) fn number<N: TryFrom<u64>>(value: &Value, what: &str) -> Result<N> {
    let number = value.as_u64().and_then(|n| N::try_from(n).ok());
    number.with_context(|| format!("`{what}` is not a number of its range: {value}"))
}

pub(super) fn list<'a>(value: &'a Value, what: &str) -> Result<&'a Vec<Value>> {
    value.as_array().with_context(|| format!("`{what}` is not a list: {value}"))
}

pub(super) fn policy(value: &Value) -> Result<GraphPolicy> {
    let wrong = || anyhow!("no policy: {value}");
    match &list(value, "policy")?[..] {
        [name] if name == "lrr" => Ok(GraphPolicy::Lrr),
        [name, bound] if name == "lvl" => Ok(GraphPolicy::Lvl { bound: number(bound, "bound")? }),
        _ => Err(wrong()),
    }
}

/// What a launch says of its graph. Without a policy it is LRR.
impl Argument for GraphHeader {
    fn read(graph: &Value) -> Result<Self> {
        // Numbers that are too large for their type are beyond every range, too.
        let size = |key: &str| number::<u64>(&graph[key], key).map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let base = |key: &str| graph.get(key).map_or(Ok(0), |value| number(value, key));
        let policy = graph.get("policy").map_or(Ok(GraphPolicy::Lrr), policy)?;
        let (v, e) = (size("v")?, size("e")?);
        Ok(Self { v, e, node_base: base("node_base")?, edge_base: base("edge_base")?, policy })
    }
}

impl Argument for NodeId {
    fn read(value: &Value) -> Result<Self> {
        let id = value.as_u64().and_then(|id| u16::try_from(id).ok());
        id.map(Self).with_context(|| format!("is not a number of its range: {value}"))
    }
}

impl Argument for SmxSet {
    fn read(value: &Value) -> Result<Self> {
        let mut set = Self::EMPTY;
        for smx in list(value, "fits")? {
            let id = smx.as_u64().and_then(|id| u8::try_from(id).ok());
            set.set(SmxId(id.with_context(|| format!("is not a number of its range: {smx}"))?.into()), true);
        }
        Ok(set)
    }
}

impl Argument for Node {
    fn read(entry: &Value) -> Result<Self> {
        let [start, childless, parents, level] = &list(entry, "entries")?[..] else {
            bail!("has a node that is not a list of four numbers: {entry}")
        };
        let start = number(start, "start")?;
        ensure!(start < 1 << 31, "`start` has more than 31 bits: {start}");
        let childless = match number(childless, "childless")? {
            0u8 => false,
            1 => true,
            _ => bail!("`childless` is neither 0 nor 1: {childless}"),
        };
        Ok(Self::new(start, childless, number(parents, "parents")?, number(level, "level")?))
    }
}

/// A mapping function that asks for what the step lists.
pub(super) fn build<P: Parts>(step: &Value) -> Result<Result<Built, DepLinksError>> {
    let [x, y, z] = &list(&step["grid"], "grid")?[..] else { bail!("`grid` is not a list of three numbers") };
    let grid = Dim3 { x: number(x, "grid")?, y: number(y, "grid")?, z: number(z, "grid")? };
    let blocks = |value: &Value| -> Result<Vec<[i64; 3]>> {
        let block = |block: &Value| {
            let at = list(block, "block")?.iter().map(Value::as_i64).collect::<Option<Vec<_>>>();
            at.and_then(|at| at.try_into().ok()).with_context(|| format!("no block index: {block}"))
        };
        list(value, "blocks")?.iter().map(block).collect()
    };
    let stencil = step.get("stencil").map(&blocks).transpose()?;
    let deps = step.get("deps").map(|deps| list(deps, "deps")?.iter().map(blocks).collect::<Result<Vec<_>>>());
    let deps = deps.transpose()?;
    ensure!(stencil.is_some() != deps.is_some(), "either `stencil` or `deps`");
    let none = Map::new();
    let policies = match step.get("policies") {
        Some(policies) => policies.as_object().context("`policies` is not an object")?,
        None => &none,
    };
    let policy_of = |(tb, calls): (&String, &Value)| {
        let calls = list(calls, "policies")?.iter().map(policy).collect::<Result<Vec<_>>>()?;
        Ok((tb.parse::<u32>().with_context(|| format!("`{tb}` is no TB"))?, calls))
    };
    let policies = policies.iter().map(policy_of).collect::<Result<Vec<_>>>()?;
    let links = |block: Dim3| {
        let tb = block.x + grid.x * (block.y + grid.y * block.z);
        let from = |at: u32, offset: i64| i64::from(at) + offset;
        let around = stencil.iter().flatten().map(|o| [from(block.x, o[0]), from(block.y, o[1]), from(block.z, o[2])]);
        let listed = deps.iter().filter_map(|deps| deps.get(tb as usize)).flatten().copied();
        let parents = around.chain(listed).map(|[x, y, z]| Link::Parent(x, y, z));
        let calls = policies.iter().filter(|(of, _)| *of == tb).flat_map(|(_, calls)| calls);
        parents.chain(calls.map(|policy| Link::Policy(*policy))).collect()
    };
    let edge_cap = step.get("edge_cap").map_or(Ok(1 << 20), |cap| number(cap, "edge_cap"))?;
    Ok(P::build(grid, edge_cap, &links))
}
