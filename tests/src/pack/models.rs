//! Vectors of `models`: the analytical models, and what SIMT execution does per instruction.

use anyhow::Result;
use gpusched::Fault;
use gpusched::models::exec::{ExecConfig, ExecEstimate, ExecInputs};
use gpusched::models::monte::{Monte, MonteConfig};
use gpusched::models::theory::{
    Balance, Balanced, Brent, Inefficiency, MatmulIo, MemoryTime, PrivateCaches, PrivateMisses, ReductionIo,
    ReductionTree, Roofline, Ulist, UlistEstimate,
};
use gpusched::models::wfg::{Graph, WfgConfig, WorkFlow};
use gpusched::simt::coalesce::{CoalescerConfig, Segment};
use gpusched::simt::scoreboard::{Scoreboard, ScoreboardConfig};
use gpusched::simt::stack::{Running, Stack, StackConfig};
use gpusched_abi::models::exec::{gpusched_exec_estimate, gpusched_exec_inputs};
use gpusched_abi::models::monte::verbs::gpusched_monte_request;
use gpusched_abi::models::theory::*;
use gpusched_abi::models::wfg::{gpusched_wfg_config, gpusched_wfg_flow};
use gpusched_abi::simt::coalescer::gpusched_segment;
use gpusched_packed::{Bytes, Functions, Machine as Kind, Op, Record};
use serde_json::Value;

use super::tape::{self, Recorded, packed};
use crate::models::monte::{self, Trace};
use crate::models::{Core, Models, Refused};
use crate::replay::{Outcome, in_rust, models as replay};
use crate::simt::coalesce::{Access, Coalesced};
use crate::simt::{coalesce, scoreboard, stack};
use crate::through_c::models::{c_monte_config, c_wfg_graph};
use crate::through_c::scoreboard::c_config as c_scoreboard_config;
use crate::through_c::simt::c_coalescer_config;
use crate::through_c::stack::c_config as c_stack_config;

/// Replays a vector on a unit that writes down what it is asked and answers.
pub fn replay(vector: &Value) -> Result<Outcome> {
    match replay::unit(vector)? {
        "simt" => replay::simt::stack_on(vector, new_stack),
        "scoreboard" => replay::simt::scoreboard_on(vector, new_scoreboard),
        "monte" => replay::monte::replay_on(vector, new_monte),
        unit => {
            tape::start_functions();
            replay::functions_on(vector, unit, &Functions, access)
        }
    }
}

// ---- functions

/// A function answers a record, or the name of the field to blame.
fn told<A: Copy, R: Record>(packed: (Op, Bytes), answer: Result<A, Refused>, record: fn(A) -> R) -> Result<A, Refused> {
    let mut expected = Bytes::default();
    match &answer {
        Ok(answer) => record(*answer).put(&mut expected),
        Err(refused) => refused.field.as_deref().unwrap_or_default().put(&mut expected),
    }
    let result = answer.as_ref().map(drop).map_err(|refused| refused.fault);
    tape::function(&mut Functions, packed, result, &expected);
    answer
}

impl Models for Functions {
    fn exec(&self, config: &ExecConfig, inputs: &ExecInputs) -> Result<ExecEstimate, Refused> {
        let packed = packed!(ExecEval, gpusched_exec_inputs::of(config, inputs));
        told(packed, Core.exec(config, inputs), |of| gpusched_exec_estimate::from(&of))
    }

    fn roofline(&self, peak: f64, bw: f64, intensity: f64) -> Result<Roofline, Refused> {
        told(packed!(Roofline, peak, bw, intensity), Core.roofline(peak, bw, intensity), gpusched_theory_roof::from)
    }

    fn brent(&self, w: f64, d: f64, p: f64) -> Result<Brent, Refused> {
        told(packed!(Brent, w, d, p), Core.brent(w, d, p), gpusched_theory_brent_time::from)
    }

    fn inefficiency(&self, p: f64, eps: f64) -> Result<Inefficiency, Refused> {
        told(packed!(Inefficiency, p, eps), Core.inefficiency(p, eps), gpusched_theory_speed::from)
    }

    fn reduction_tree(&self, n: u64) -> Result<ReductionTree, Refused> {
        told(packed!(ReductionTree, n), Core.reduction_tree(n), gpusched_theory_tree::from)
    }

    fn reduction_io(&self, n: u64, z: u64, l: u64) -> Result<ReductionIo, Refused> {
        told(packed!(ReductionIo, n, z, l), Core.reduction_io(n, z, l), gpusched_theory_reduction::from)
    }

    fn matmul_io(&self, n: f64, z: f64, l: f64) -> Result<MatmulIo, Refused> {
        told(packed!(MatmulIo, n, z, l), Core.matmul_io(n, z, l), gpusched_theory_matmul::from)
    }

    fn qp_bound(&self, of: &PrivateCaches) -> Result<PrivateMisses, Refused> {
        let &PrivateCaches { q1, p, z, d, l, c } = of;
        let packed = packed!(QpBound, gpusched_theory_private { q1, p, z, d, l, c });
        told(packed, Core.qp_bound(of), gpusched_theory_misses::from)
    }

    fn t_mem(&self, of: &MemoryTime) -> Result<f64, Refused> {
        let &MemoryTime { alpha, d, q, l, beta } = of;
        told(packed!(TMem, gpusched_theory_traffic { alpha, d, q, l, beta }), Core.t_mem(of), |t| t)
    }

    fn balance(&self, of: &Balance) -> Result<Balanced, Refused> {
        let &Balance { p, c0, beta, alpha, l, q, w, d } = of;
        let packed = packed!(Balance, gpusched_theory_machine { p, c0, beta, alpha, l, q, w, d });
        told(packed, Core.balance(of), gpusched_theory_balanced::from)
    }

    fn ulist(&self, of: &Ulist) -> Result<UlistEstimate, Refused> {
        let &Ulist { kappa, q, balance, dims, words_per_point, bytes_per_word } = of;
        let of_c = gpusched_theory_boxes { kappa, q, balance, words_per_point, bytes_per_word, dims, reserved: 0 };
        told(packed!(UlistEstimate, of_c), Core.ulist(of), gpusched_theory_ulist_estimate::from)
    }

    fn wfg(&self, config: &WfgConfig, graph: &Graph<'_>) -> Result<WorkFlow, Refused> {
        let (nodes, arcs, deps) = c_wfg_graph(graph);
        let packed = packed!(WfgEval, gpusched_wfg_config::of(config), nodes[..], arcs[..], deps[..]);
        told(packed, Core.wfg(config, graph), gpusched_wfg_flow::from)
    }
}

fn access(config: &CoalescerConfig, access: &Access) -> Result<Coalesced, Fault> {
    let Access { mask, addrs, size } = access;
    let packed = packed!(Coalesce, c_coalescer_config(config), mask, size, addrs[..]);
    let answer = coalesce::core(config, access);
    let mut expected = Bytes::default();
    if let Ok(Coalesced { segs, coalesced }) = &answer {
        let segment = |&Segment { base, lanes }: &Segment| gpusched_segment { base, lanes };
        coalesced.put(&mut expected);
        segs.iter().map(segment).collect::<Vec<_>>()[..].put(&mut expected);
    }
    tape::function(&mut Functions, packed, answer.as_ref().map(drop).map_err(|fault| *fault), &expected);
    answer
}

// ---- machines

fn new_stack(config: &StackConfig) -> Result<Result<Recorded<Stack<stack::HeapTables>>, Fault>> {
    Ok(Recorded::new(Kind::Stack, config, &c_stack_config(config), in_rust(stack::machine(config))?))
}

impl stack::Machine for Recorded<Stack<stack::HeapTables>> {
    type Mark = Stack<stack::HeapTables>;

    fn take(&mut self, event: &stack::Event) -> Result<Running, Fault> {
        self.take(event.packed(), |machine| machine.take(event))
    }

    fn view(&self) -> stack::View {
        self.0.view()
    }

    fn mark(&self) -> Self::Mark {
        self.0.mark()
    }
}

type Board = Scoreboard<scoreboard::HeapTables>;

fn new_scoreboard(config: &ScoreboardConfig) -> Result<Result<Recorded<Board>, Fault>> {
    let built = in_rust(scoreboard::machine(config))?;
    Ok(Recorded::new(Kind::Scoreboard, config, &c_scoreboard_config(config), built))
}

impl scoreboard::Machine for Recorded<Board> {
    type Mark = Board;

    fn take(&mut self, event: &scoreboard::Event) -> Result<scoreboard::Answer, Fault> {
        self.take(event.packed(), |machine| machine.take(event))
    }

    fn view(&self) -> scoreboard::View {
        self.0.view()
    }

    fn mark(&self) -> Board {
        self.0.mark()
    }
}

type Hierarchy = Monte<monte::HeapTables>;

fn new_monte(config: &MonteConfig) -> Result<Result<Recorded<Hierarchy>, Fault>> {
    Ok(Recorded::new(Kind::Monte, config, &c_monte_config(config), in_rust(monte::machine(config))?))
}

impl monte::Machine for Recorded<Hierarchy> {
    type Mark = Hierarchy;

    fn take(&mut self, event: &monte::Event) -> Result<(), Fault> {
        let monte::Event::Simulate { trace, runs, seed } = event else {
            tape::unknown(format!("an event without a form: {event:?}"));
            return self.0.take(event);
        };
        let mut packed = packed!(MonteSimulate, seed, runs);
        write(trace, &mut packed.1);
        self.take(packed, |machine| machine.take(event))
    }

    fn view(&self) -> monte::View {
        self.0.view()
    }

    fn mark(&self) -> Hierarchy {
        self.0.mark()
    }

    fn rng(&self, seed: u64, run: u32, n: usize, below: Option<u64>) -> Vec<u64> {
        let numbers = self.0.rng(seed, run, n, below);
        let mut expected = Bytes::default();
        numbers[..].put(&mut expected);
        let count = u32::try_from(n).expect("a list of the form");
        let packed = packed!(MonteRng, seed, below.unwrap_or(0), run, count);
        tape::function(&mut self.0.clone(), packed, Ok(()), &expected);
        numbers
    }
}

fn write(trace: &Trace, to: &mut Bytes) {
    tape::count(trace.len(), to);
    for (sm, requests) in trace {
        sm.put(to);
        let request = |of: &gpusched::models::monte::Request| gpusched_monte_request {
            address: of.address,
            site: of.site.into(),
            store: of.store.into(),
        };
        requests.iter().map(request).collect::<Vec<_>>()[..].put(to);
    }
}
