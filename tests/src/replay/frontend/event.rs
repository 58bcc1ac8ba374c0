//! Steps of vectors as events.

use anyhow::{Context, Result, bail, ensure};
use gpusched::dats::GraphHeader;
use gpusched::{Config, Descriptor, Dim3, GroupLaunch, KernelSlot, OfferId, PieceId, RecordId, SmxSet};
use serde_json::Value;

use super::{grids, modern};
use crate::events::Event;
use crate::replay::argument::{Argument, given};

/// The event of a step that is one.
pub fn event(config: &Config, op: &str, step: &Value) -> Result<Event> {
    let field = |name: &str| number::<u32>(step, name);
    Ok(match op {
        "host_launch" => {
            let (stream, descriptor, retain) = (u32_field(step, "stream")?, descriptor(step)?, flag(step, "retain")?);
            match (&step["graph"], flag(step, "pdl")?) {
                (graph, is_dependent) if !step["part1"].is_null() => {
                    // Without a graph there are no nodes for either of the two.
                    let graph = if graph.is_null() { GraphHeader::default() } else { GraphHeader::read(graph)? };
                    let consumers = grids::consumers(&step["part1"])?;
                    Event::HostLaunchCross { stream, producers: descriptor, retain, is_dependent, graph, consumers }
                }
                (Value::Null, false) => Event::HostLaunch { stream, descriptor, retain },
                (Value::Null, true) => Event::HostLaunchDependent { stream, descriptor, retain },
                (graph, is_dependent) => {
                    let graph = GraphHeader::read(graph)?;
                    if is_dependent {
                        Event::HostLaunchGraphDependent { stream, descriptor, retain, graph }
                    } else {
                        Event::HostLaunchGraph { stream, descriptor, retain, graph }
                    }
                }
            }
        }
        "kgraph_define" => Event::KgraphDefine {
            nodes: list(step, "nodes")?.iter().map(grids::node).collect::<Result<_>>()?,
            edges: list(step, "edges")?.iter().map(grids::edge).collect::<Result<_>>()?,
        },
        "kgraph_launch" => Event::KgraphLaunch { graph: field("g")?, stream: u32_field(step, "stream")? },
        "kgraph_destroy" => Event::KgraphDestroy(field("g")?),
        "tb_trigger" => Event::TbTrigger { smx: field("smx")?, slot: field("slot")? },
        "tb_wait" => Event::TbWait { smx: field("smx")?, slot: field("slot")? },
        "graph_poll" => Event::GraphPoll,
        "graph_nodes" => Event::GraphNodes(u32_field(step, "tag")?, given(step, "entries")?),
        "graph_edges" => Event::GraphEdges(u32_field(step, "tag")?, given(step, "targets")?),
        "graph_spilled" => Event::GraphSpilled(u32_field(step, "tag")?),
        "abort_graph" => Event::AbortGraph(field("kdei")?),
        "device_launch" => {
            let (smx, slot, lanes) = (field("smx")?, field("slot")?, list(step, "kernels")?);
            if lanes.iter().any(|lane| !lane["named"].is_null()) {
                let launches = lanes.iter().map(grids::launch).collect::<Result<_>>()?;
                Event::DeviceLaunchNamed { smx, slot, launches }
            } else {
                Event::DeviceLaunch { smx, slot, kernels: lanes.iter().map(descriptor).collect::<Result<_>>()? }
            }
        }
        "agg_launch" => {
            let group = |g| Ok(GroupLaunch { kernel: descriptor(g)?, hw_tid: number(g, "hw_tid")? });
            let groups = list(step, "groups")?.iter().map(group).collect::<Result<_>>()?;
            Event::AggLaunch { smx: field("smx")?, slot: field("slot")?, groups }
        }
        "tb_done" => Event::TbDone { smx: field("smx")?, slot: field("slot")? },
        "unretain" => Event::Unretain(field("kdei")?),
        "suspend" => Event::Suspend(field("kdei")?),
        "resume" => Event::Resume(field("si")?),
        "spill_loaded" => Event::SpillLoaded(field("rec")?),
        "refilled" => Event::Refilled(u64_field(step, "tag")?),
        "run" => Event::Run(u64_field(step, "n")?),
        "set_eligible" => Event::SetEligible(mask(config, step)?),
        "set_block_cap" => Event::SetBlockCap { smx: field("smx")?, cap: field("cap")? },
        "set_class" => {
            let pc = if step["pc"].is_null() { None } else { Some(u64_field(step, "pc")?) };
            Event::SetClass { class: field("cls")?, pc }
        }
        "set_class_cap" => Event::SetClassCap {
            class: field("cls")?,
            smx: field("smx")?,
            cap: field("cap")?,
            by: optional(step, "by")?,
        },
        "activity" => {
            let value = |v: &Value| saturated(v).with_context(|| format!("{v} is not a number"));
            Event::Activity(list(step, "values")?.iter().map(value).collect::<Result<_>>()?)
        }
        "has_work" => Event::HasWork(field("cls")?),
        "waiting_head" => {
            ensure!(config.n_smx <= 64, "`waiting_head` has no form for more than 64 SMXs");
            Event::WaitingHead(field("start")?)
        }
        "begin" => Event::Begin,
        "offers" => Event::Offers,
        "load" => Event::Load(offer(step)?),
        "send" => Event::Send { id: offer(step)?, smx: field("smx")? },
        "split" => Event::Split { id: offer(step)?, at: field("at")? },
        "end" => Event::End(if step["wake"].is_null() { None } else { Some(u64_field(step, "wake")?) }),
        "advance" => Event::Skip(u64_field(step, "to")?),
        "next_event" => Event::NextEvent,
        "save" if step["kdei"].is_null() => Event::Save,
        "save" => Event::SaveKernel(field("kdei")?),
        "set_stream" => modern::set_stream(step)?,
        "set_context" => modern::set_context(field("ctx")?, step)?,
        "drain" => {
            let (context, kde) = (optional_number(step, "ctx")?, optional_number(step, "kdei")?);
            Event::Drain { smxs: modern::smxs(step)?, context, kde }
        }
        "release_drain" => Event::ReleaseDrain(field("drain")?),
        "max_active_clusters" => modern::max_active_clusters(step)?,
        "gpc_of" => Event::GpcOf(field("smx")?),
        other => bail!("event `{other}` is not part of this machine"),
    })
}

/// The name of an offer: that of an entry, of a launch record or of a piece.
fn offer(step: &Value) -> Result<OfferId> {
    let name = step["id"].as_str().context("`id` is not a name")?;
    let (kind, number) = name.split_at_checked(1).context("`id` is empty")?;
    let number: u64 = number.parse().with_context(|| format!("`id`: {name}"))?;
    // Beyond what an id can hold it names what does not exist, too.
    Ok(match kind {
        "k" => OfferId::Entry(KernelSlot(number.try_into().unwrap_or(u8::MAX))),
        "g" => OfferId::Record(RecordId(number.try_into().unwrap_or(u32::MAX))),
        "p" => OfferId::Piece(PieceId(number.try_into().unwrap_or(u16::MAX))),
        _ => bail!("`id`: {name} names no entry, no launch record and no piece"),
    })
}

/// A number field that names or limits something. Values beyond the type's range name what does not exist, as values beyond
/// the machine's range do.
pub fn number<N: TryFrom<u64> + Bounded>(step: &Value, field: &str) -> Result<N> {
    saturated(&step[field]).with_context(|| format!("`{field}` is not a number: {}", step[field]))
}

/// A non-negative integer, or the greatest value for one that is out of range on either side.
fn saturated<N: TryFrom<u64> + Bounded>(value: &Value) -> Option<N> {
    let whole = value.as_f64().filter(|f| f.fract() == 0.0)?;
    Some(value.as_u64().filter(|_| whole >= 0.0).and_then(|v| N::try_from(v).ok()).unwrap_or(N::GREATEST))
}

/// A number type with a greatest value.
pub trait Bounded {
    /// It.
    const GREATEST: Self;
}

macro_rules! bounded {
    ($($t:ty)*) => { $(impl Bounded for $t { const GREATEST: Self = <$t>::MAX; })* };
}

bounded!(u16 u32);

/// As [`number`], of a field that may be absent.
pub fn optional_number<N: TryFrom<u64> + Bounded>(step: &Value, field: &str) -> Result<Option<N>> {
    if step[field].is_null() { Ok(None) } else { number(step, field).map(Some) }
}

/// As [`number`]; 0 if absent.
pub(super) fn optional<N: TryFrom<u64> + Bounded + Default>(step: &Value, field: &str) -> Result<N> {
    Ok(optional_number(step, field)?.unwrap_or_default())
}

/// A number that must be exact.
pub(super) fn u64_field(step: &Value, field: &str) -> Result<u64> {
    step[field].as_u64().with_context(|| format!("`{field}` is not a 64-bit number: {}", step[field]))
}

/// A number that must be exact.
pub(super) fn u32_field(step: &Value, field: &str) -> Result<u32> {
    u32::try_from(u64_field(step, field)?).with_context(|| format!("`{field}` is not a 32-bit number: {}", step[field]))
}

/// A flag, written as a boolean, 0 or 1; false if absent.
pub fn flag(step: &Value, field: &str) -> Result<bool> {
    match &step[field] {
        Value::Null => Ok(false),
        Value::Bool(flag) => Ok(*flag),
        other if *other == 0 || *other == 1 => Ok(*other == 1),
        other => bail!("`{field}` is not a flag: {other}"),
    }
}

fn list<'a>(step: &'a Value, field: &str) -> Result<&'a Vec<Value>> {
    step[field].as_array().with_context(|| format!("`{field}` is not a list"))
}

/// A set of SMXs as a number. One that does not fit 64 bits names an SMX that a machine of up to 64 does not have.
fn mask(config: &Config, step: &Value) -> Result<SmxSet> {
    if let Some(word) = step["mask"].as_u64() {
        return Ok(SmxSet::from_words([word, 0, 0, 0]));
    }
    ensure!(step["mask"].is_number(), "`mask` is not a number: {}", step["mask"]);
    ensure!(config.n_smx <= 64, "`mask` has no form for more than 64 SMXs");
    Ok(SmxSet::from_words([u64::MAX; 4]))
}

/// A list of three numbers.
pub fn three(step: &Value, field: &str) -> Result<Dim3> {
    let extent: Option<Vec<u32>> = list(step, field)?.iter().map(saturated).collect();
    match extent.as_deref() {
        Some(&[x, y, z]) => Ok(Dim3 { x, y, z }),
        _ => bail!("`{field}` is not a list of three numbers: {}", step[field]),
    }
}

pub fn descriptor(step: &Value) -> Result<Descriptor> {
    Ok(Descriptor {
        pc: u64_field(step, "pc")?,
        grid: three(step, "grid")?,
        tb: three(step, "tb")?,
        regs: optional(step, "regs")?,
        smem: optional(step, "smem")?,
        param: if step["param"].is_null() { 0 } else { u32_field(step, "param")? },
        tag: u64_field(step, "tag")?,
        cluster: modern::cluster(step)?,
    })
}
