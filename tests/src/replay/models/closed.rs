//! Units without state.

use anyhow::{Context, Result, bail};
use gpusched::Fault;
use gpusched::models::exec::{ExecConfig, ExecInputs};
use gpusched::models::theory::{Balance, MemoryTime, PrivateCaches, Ulist};
use gpusched::models::wfg::{Arc, Dependence, Node, WfgConfig};
use gpusched::simt::coalesce::CoalescerConfig;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Answered, integer};
use crate::models::{Graph, Models, Refused};
use crate::replay::config as config_of;
use crate::simt::coalesce::{Access, Coalesced};

/// How an access is answered.
pub type Coalesce = fn(&CoalescerConfig, &Access) -> Result<Coalesced, Fault>;

/// A number that need not be finite.
fn float(value: &Value) -> Result<f64> {
    match value {
        Value::String(text) if text == "nan" => Ok(f64::NAN),
        Value::String(text) if text == "inf" => Ok(f64::INFINITY),
        Value::String(text) if text == "-inf" => Ok(f64::NEG_INFINITY),
        value => value.as_f64().with_context(|| format!("not a number: {value}")),
    }
}

/// Sets fields by their names; an input that there is not is an error.
macro_rules! set {
    ($of:ident, $name:expr, $value:expr; $($field:ident)*) => {
        match $name {
            $(stringify!($field) => $of.$field = $value,)*
            other => bail!("no input `{other}`"),
        }
    };
}

fn fields(inputs: &Value) -> Result<&Map<String, Value>> {
    inputs.as_object().context("`in` is not an object")
}

fn answered<V: Serialize>(answer: Result<V, Refused>) -> Result<Answered> {
    let value = match answer {
        Ok(answer) => Ok(serde_json::to_value(answer)?),
        Err(refused) => Err(refused),
    };
    Ok(value.into())
}

pub fn exec(models: &impl Models, config: &Map<String, Value>, inputs: &Value) -> Result<Answered> {
    let config: ExecConfig = match config_of(&Value::Object(config.clone()), ExecConfig::default())? {
        Ok(config) => config,
        Err(fault) => return Ok(Err(fault.into()).into()),
    };
    let mut of = ExecInputs::DEFAULT;
    for (name, value) in fields(inputs)? {
        let value = float(value).with_context(|| name.clone())?;
        match name.as_str() {
            "fp_lat" => of.fp_lat = Some(value),
            "amat" => of.amat = Some(value),
            name => set!(of, name, value;
                insts mem_insts sync_insts sfu_insts fp_insts total_warps active_sms n avg_trans_warp avg_inst_lat
                miss_ratio size_of_data ilp mlp warp_size gamma delta dram_lat hit_lat simd_width sfu_width freq
                mem_peak_bw transaction_size o_cfdiv o_bank),
        }
    }
    answered(models.exec(&config, &of))
}

pub fn theory(models: &impl Models, ev: &str, inputs: &Value) -> Result<Answered> {
    let f = |name: &str| float(&inputs[name]).with_context(|| format!("`{name}`"));
    let n = |name: &str| integer(inputs, name);
    match ev {
        "roofline" => answered(models.roofline(f("peak")?, f("bw")?, f("intensity")?)),
        "brent" => answered(models.brent(f("w")?, f("d")?, f("p")?)),
        "inefficiency" => answered(models.inefficiency(f("p")?, f("eps")?)),
        "reduction_tree" => answered(models.reduction_tree(n("n")?)),
        "reduction_io" => answered(models.reduction_io(n("n")?, n("z")?, n("l")?)),
        "matmul_io" => {
            let mut answer = answered(models.matmul_io(f("n")?, f("z")?, f("l")?))?;
            // Vectors leave out what there is not.
            if let Ok(Value::Object(of)) = &mut answer.answer {
                of.retain(|_, value| !value.is_null());
            }
            Ok(answer)
        }
        "qp_bound" => {
            let mut of = PrivateCaches::DEFAULT;
            for (name, value) in fields(inputs)? {
                set!(of, name.as_str(), float(value)?; q1 p z d l c);
            }
            answered(models.qp_bound(&of))
        }
        "t_mem" => {
            let mut of = MemoryTime::default();
            for (name, value) in fields(inputs)? {
                set!(of, name.as_str(), float(value)?; alpha d q l beta);
            }
            answered(models.t_mem(&of).map(|t| json!({"t": t})))
        }
        "balance" => {
            let mut of = Balance::default();
            for (name, value) in fields(inputs)? {
                set!(of, name.as_str(), float(value)?; p c0 beta alpha l q w d);
            }
            answered(models.balance(&of))
        }
        "ulist" => {
            let mut of = Ulist::DEFAULT;
            for (name, value) in fields(inputs)? {
                match name.as_str() {
                    // What no number of dimensions can be is outside of their range.
                    "dims" => of.dims = value.as_u64().and_then(|dims| u32::try_from(dims).ok()).unwrap_or(u32::MAX),
                    name => set!(of, name, float(value)?; kappa q balance words_per_point bytes_per_word),
                }
            }
            answered(models.ulist(&of))
        }
        _ => bail!("event `{ev}` is not part of this unit"),
    }
}

pub fn wfg(models: &impl Models, config: &Map<String, Value>, inputs: &Value) -> Result<Answered> {
    let mut of = WfgConfig::DEFAULT;
    for (name, value) in config {
        set!(of, name.as_str(), float(value)?; warp_size simd_width dram_lat delta n_warps balance_tol);
    }
    let list = |name: &str| inputs[name].as_array().with_context(|| format!("`{name}` is not a list"));
    let index = |value: &Value| value.as_u64().and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX);
    let mut nodes = Vec::new();
    for node in list("nodes")? {
        let weight = || float(&node[1]);
        nodes.push(match node[0].as_str() {
            Some("entry") => Node::Entry,
            Some("comp") => Node::Comp(weight()?),
            Some("smem") => Node::Smem(weight()?),
            Some("gmem") => Node::Gmem(weight()?),
            Some("barrier") => Node::Barrier,
            Some("exit") => Node::Exit,
            // In Rust there is no other kind; a host that reads one from elsewhere does this, once the machine is a good one.
            _ => return Ok(Err(of.check().map_or_else(Into::into, |()| Fault::BadGraph.into())).into()),
        });
    }
    let mut arcs = Vec::new();
    for arc in list("arcs")? {
        arcs.push(Arc { from: index(&arc[0]), to: index(&arc[1]), fraction: float(&arc[2])? });
    }
    let deps: Vec<_> =
        list("deps")?.iter().map(|dep| Dependence { from: index(&dep[0]), to: index(&dep[1]) }).collect();
    answered(models.wfg(&of, &Graph { nodes: &nodes, arcs: &arcs, deps: &deps }))
}

pub fn access(coalesce: Coalesce, config: &Map<String, Value>, inputs: &Value) -> Result<Answered> {
    let config: CoalescerConfig = match config_of(&Value::Object(config.clone()), CoalescerConfig::WARP_32)? {
        Ok(config) => config,
        Err(fault) => return Ok(Err(fault.into()).into()),
    };
    let access = Access::read(inputs)?;
    Ok(coalesce(&config, &access)
        .map(|Coalesced { segs, coalesced }| {
            let list: Vec<_> = segs.iter().map(|seg| json!([seg.base, seg.lanes])).collect();
            json!({"n": segs.len(), "segs": list, "coalesced": coalesced})
        })
        .map_err(Into::into)
        .into())
}
