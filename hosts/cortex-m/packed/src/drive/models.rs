//! Analytical models, which are functions, and the stochastic memory hierarchy.

use alloc::vec::Vec;

use gpusched::Fault;
use gpusched::models::monte::{Generator, Monte, Request, SiteId, Slot, Tables, Tally, WarpTrace};
use gpusched::models::wfg::{Arc, Dependence, Graph};
use gpusched::models::{Refusal, exec, theory, wfg};
use gpusched::simt::coalesce::{Coalescer, Segment, Segments};
use gpusched_abi::config::Parameters;
use gpusched_abi::models::exec::{gpusched_exec_estimate, gpusched_exec_inputs};
use gpusched_abi::models::monte::query::{gpusched_monte_site, gpusched_monte_summary, gpusched_monte_tally};
use gpusched_abi::models::monte::verbs::gpusched_monte_request;
use gpusched_abi::models::theory::*;
use gpusched_abi::models::wfg::*;
use gpusched_abi::simt::coalescer::{gpusched_coalescer_config, gpusched_segment};

use super::{Driven, Refused, graphs, image, put};
use crate::{Bytes, Damaged, Op, Reader, Record};

/// What needs no machine: the analytical models, the coalescer, and what comes with the dependency-graph buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Functions;

/// The record of an answer, or the name of the field to blame.
fn told<C: Record>(answer: Result<impl Into<C>, Refusal>, to: &mut Bytes) -> Result<(), Refused> {
    match answer {
        Ok(answer) => {
            put::<C>(answer, to);
            Ok(())
        }
        Err(Refusal { fault, field }) => {
            field.map_or("", |field| field.name()).put(to);
            Err(fault.into())
        }
    }
}

impl Driven for Functions {
    fn image(&self) -> Vec<u8> {
        Vec::new()
    }

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::ExecEval => {
                let (config, inputs) = from.get::<gpusched_exec_inputs>()?.checked().map_err(|_| Fault::BadConfig)?;
                told::<gpusched_exec_estimate>(exec::eval(&config, &inputs).as_ref().map_err(|refusal| *refusal), to)
            }
            Op::WfgEval => work_flow(from, to),
            Op::Roofline => told::<gpusched_theory_roof>(theory::roofline(from.get()?, from.get()?, from.get()?), to),
            Op::Brent => told::<gpusched_theory_brent_time>(theory::brent(from.get()?, from.get()?, from.get()?), to),
            Op::Inefficiency => told::<gpusched_theory_speed>(theory::inefficiency(from.get()?, from.get()?), to),
            Op::ReductionTree => told::<gpusched_theory_tree>(theory::reduction_tree(from.get()?), to),
            Op::ReductionIo => {
                told::<gpusched_theory_reduction>(theory::reduction_io(from.get()?, from.get()?, from.get()?), to)
            }
            Op::MatmulIo => {
                told::<gpusched_theory_matmul>(theory::matmul_io(from.get()?, from.get()?, from.get()?), to)
            }
            Op::QpBound => {
                let of = from.get::<gpusched_theory_private>()?;
                told::<gpusched_theory_misses>(theory::qp_bound(&(&of).into()), to)
            }
            Op::TMem => {
                let of = from.get::<gpusched_theory_traffic>()?;
                told::<f64>(theory::t_mem(&(&of).into()), to)
            }
            Op::Balance => {
                let of = from.get::<gpusched_theory_machine>()?;
                told::<gpusched_theory_balanced>(theory::balance(&(&of).into()), to)
            }
            Op::UlistEstimate => {
                let of = from.get::<gpusched_theory_boxes>()?;
                told::<gpusched_theory_ulist_estimate>(theory::ulist(&(&of).into()), to)
            }
            Op::Coalesce => coalesce(from, to),
            _ => graphs::function(op, from, to),
        }
    }
}

fn work_flow(from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
    let config = from.get::<gpusched_wfg_config>()?.checked().map_err(|_| Fault::BadConfig)?;
    let node = |from: &mut Reader<'_>| from.get::<gpusched_wfg_node>()?.node().map_err(|_| Damaged);
    let arc = |from: &mut Reader<'_>| {
        let gpusched_wfg_arc { fraction, from, to } = from.get()?;
        Ok(Arc { from: from as usize, to: to as usize, fraction })
    };
    let dependence = |from: &mut Reader<'_>| {
        let gpusched_wfg_dependence { from, to } = from.get()?;
        Ok(Dependence { from: from as usize, to: to as usize })
    };
    let nodes: Vec<_> = from.list(node)?;
    let arcs: Vec<_> = from.list(arc)?;
    let deps: Vec<_> = from.list(dependence)?;
    told::<gpusched_wfg_flow>(wfg::eval(&config, &Graph { nodes: &nodes, arcs: &arcs, deps: &deps }), to)
}

fn coalesce(from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
    let config = from.get::<gpusched_coalescer_config>()?;
    let (mask, size, addresses) = (from.get()?, from.get()?, from.get::<Vec<u64>>()?);
    let config = config.checked().map_err(|_| Fault::BadConfig)?;
    let coalescer = Coalescer::new(&config).map_err(Fault::from)?;
    let mut segments = Segments::EMPTY;
    coalescer.access(mask, &addresses, size, &mut segments)?.put(to);
    let segment = |&Segment { base, lanes }: &Segment| gpusched_segment { base, lanes };
    segments.as_slice().iter().map(segment).collect::<Vec<_>>()[..].put(to);
    Ok(())
}

impl<T: Tables> Driven for Monte<T> {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::MonteSimulate => {
                let (seed, runs, trace) = (from.get()?, from.get()?, from.list::<_, Vec<_>>(warp)?);
                let warps: Vec<_> = trace.iter().map(|(sm, requests)| WarpTrace { sm: *sm, requests }).collect();
                let mut slots = alloc::vec![Slot::default(); trace.iter().map(|(_, requests)| requests.len()).sum()];
                self.simulate(&warps[..], runs, seed, &mut slots)?;
                gpusched_monte_summary { seed: self.seed(), stores: self.stores(), runs: self.runs(), reserved: 0 }
                    .put(to);
                let level = |of: &Tally, to: &mut Bytes| {
                    gpusched_monte_tally::of(of, self.config().tol_permille).put(to);
                    of.histogram().put(to);
                };
                level(self.l1(), to);
                level(self.l2(), to);
                self.sites().map(|(_, of)| gpusched_monte_site::from(of)).collect::<Vec<_>>()[..].put(to);
            }
            Op::MonteRng => {
                let (seed, below, run, count) = (from.get()?, from.get()?, from.get()?, from.get::<u32>()?);
                let mut random = Generator::of_run(seed, run);
                let mut next = || if below == 0 { random.next() } else { random.below(below) };
                (0..count).map(|_| next()).collect::<Vec<_>>()[..].put(to);
            }
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}

/// The SM of a warp, and what it accesses.
fn warp(from: &mut Reader<'_>) -> Result<(u32, Vec<Request>), Damaged> {
    let request = |from: &mut Reader<'_>| {
        let gpusched_monte_request { address, site, store } = from.get()?;
        // What no site can be called is beyond all of them.
        Ok(Request { address, site: SiteId(site.try_into().unwrap_or(u16::MAX)), store: store != 0 })
    };
    Ok((from.get()?, from.list(request)?))
}
