//! The machine of a log, from its headers or from `--gpu`, and whether that is all that a policy goes by.

use super::super::line::{Wrong, whole};
use super::super::source::quoted;
use crate::scheduler::Sched;
use gpusched::Config;
use gpusched::policy::catalogue::{Domain, MAX_SMXS, Order, Policy as Name};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::front::Machine;
use std::collections::BTreeMap;

type Headers = BTreeMap<String, String>;

/// Parts of a simulator that decide where TBs may go, in ways that a log does not tell in full.
const UNFOLLOWED: [&str; 2] = ["graphs", "diversion"];

/// What is known of the machine, and what has to be known of kernels.
#[derive(Debug)]
pub struct Known {
    /// The machine; limits that are not known are 0, and nothing takes any of them.
    pub machine: Machine,
    /// Whether registers are counted.
    pub regs: bool,
    /// Whether shared memory is.
    pub smem: bool,
    /// Whether the policy goes by tags.
    pub tags: bool,
    /// Whether an SM gives threads to a TB warp by warp, as real ones do.
    pub warps: bool,
    /// Whether lines `arrive` and `join` tell when a kernel or group can be sent; else its stream does.
    pub arrivals: bool,
}

impl Known {
    /// From the head of a log, and the GPU that was named.
    pub fn of(headers: &Headers, gpu: Option<&GpuConfig>, sched: &Sched) -> Result<Self, Wrong> {
        let number = |name: &str| headers.get(name).map(|value| limit(value, name)).transpose();
        let attached = headers.get("attach").map_or("-", String::as_str);
        if let Some(part) = attached.split(',').find(|part| UNFOLLOWED.contains(part)) {
            return Err(Wrong::new(
                "a log that a policy can be held against",
                format!("one of a run with {part}, of which a log does not tell enough"),
            ));
        }
        let smxs = number("smx")?.unwrap_or_default();
        if smxs as usize > MAX_SMXS {
            return Err(Wrong::new(format!("at most {MAX_SMXS} SMXs for a policy"), smxs.to_string()));
        }
        let (front, regs, smem) = match gpu.map(GpuConfig::front_end) {
            Some(front) if front.n_smx == smxs => (front, true, true),
            Some(front) => {
                let expected = format!("the {} SMXs of --gpu {}", front.n_smx, gpu.map_or("", |gpu| &gpu.name));
                return Err(Wrong::new(expected, format!("{smxs} in the header `smx`")));
            }
            None => {
                let need = |name: &str| {
                    let wrong = || Wrong::new(format!("a header `! {name} NUMBER`, or --gpu"), "none");
                    number(name).and_then(|number| number.ok_or_else(wrong))
                };
                let (regs, smem) = (number("regs")?, number("smem")?);
                let limits = (regs.unwrap_or_default(), smem.unwrap_or_default());
                let (tb_slots, threads) = (need("slots")?, need("threads")?);
                let front = Config { n_smx: smxs, tb_slots, threads, regs: limits.0, smem: limits.1, ..Config::K20C };
                (front, regs.is_some(), smem.is_some())
            }
        };
        let mut machine = Machine::of(&front);
        let reads = Reads::of(sched)?;
        for (name, place, is_read) in [("tpc", &mut machine.tpc, reads.tpcs), ("gpc", &mut machine.gpc, reads.gpcs)] {
            match headers.get(name) {
                Some(value) => *place = list(value, name, smxs)?,
                None if is_read && gpu.is_none() => {
                    let expected = format!("a header `! {name} LIST`, or --gpu, as {sched} goes by it");
                    return Err(Wrong::new(expected, "none"));
                }
                None => {}
            }
        }
        let dispatch = headers.get("dispatch").map_or("", String::as_str);
        let is_hardware = dispatch == "hardware";
        let arrivals = !is_hardware && dispatch != "gpgpusim_stock";
        Ok(Self { machine, regs, smem, tags: reads.tags, warps: is_hardware, arrivals })
    }
}

/// What a policy goes by that not every log tells.
#[derive(Clone, Copy, Debug, Default)]
struct Reads {
    tpcs: bool,
    gpcs: bool,
    tags: bool,
}

impl Reads {
    fn of(sched: &Sched) -> Result<Self, Wrong> {
        // What a file's policy looks at is its own affair.
        let Sched::Catalogue(policy) = sched else { return Ok(Self::default()) };
        let config = policy.config();
        let both = Self { tpcs: true, gpcs: true, tags: false };
        match config.policy {
            Name::Lcs => {
                let expected = "a policy that goes by what a log tells";
                Err(Wrong::new(expected, format!("{sched}, which goes by counts of issued instructions")))
            }
            Name::GpcFirst => Ok(both),
            Name::TpcFirst => Ok(Self { gpcs: false, ..both }),
            Name::MostRoom => Ok(Self { tpcs: config.order == Order::EvenOdd, ..Self::default() }),
            Name::Chunked | Name::Strided | Name::Dist | Name::BatchRr => match config.domain {
                Domain::Smx => Ok(Self::default()),
                Domain::Tpc => Ok(Self { gpcs: false, ..both }),
                Domain::Gpc => Ok(Self { tpcs: false, ..both }),
            },
            Name::Affinity => Ok(Self { tags: true, ..Self::default() }),
            _ => Ok(Self::default()),
        }
    }
}

fn limit(value: &str, name: &str) -> Result<u32, Wrong> {
    let number = whole(value, name)?;
    u32::try_from(number).map_err(|_| Wrong::new(format!("a number below 2^32 as header `{name}`"), quoted(value)))
}

/// The TPC or GPC of each SMX.
fn list(value: &str, name: &str, smxs: u32) -> Result<Vec<u16>, Wrong> {
    let numbers: Vec<u16> = value.split(',').map_while(|word| word.parse().ok()).collect();
    if numbers.len() == smxs as usize && value.split(',').count() == numbers.len() {
        return Ok(numbers);
    }
    Err(Wrong::new(format!("{smxs} numbers with commas between them as header `{name}`"), quoted(value)))
}
