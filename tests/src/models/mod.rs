//! What the tests of `models` share: the evaluations as core and C have them, and plain models.

pub mod exec;
pub mod monte;
pub mod steady;
#[cfg(feature = "tools")]
pub mod wfg;

use gpusched::Fault;
use gpusched::models::{
    Arc, Balance, Balanced, Brent, Dependence, ExecConfig, ExecEstimate, ExecInputs, Inefficiency, MatmulIo,
    MemoryTime, Node, PrivateCaches, PrivateMisses, ReductionIo, ReductionTree, Refusal, Roofline, Ulist,
    UlistEstimate, WfgConfig, WorkFlow,
};

use crate::calls::models::{Answer, Event};

/// A refused evaluation: why, and the input to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Why.
    pub fault: Fault,
    /// The input to blame, where one is.
    pub field: Option<String>,
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self { fault, field: None }
    }
}

impl From<Refusal> for Refused {
    fn from(Refusal { fault, field }: Refusal) -> Self {
        Self { fault, field: field.map(|field| field.name().to_owned()) }
    }
}

/// A work-flow graph.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct Graph<'a> {
    pub nodes: &'a [Node],
    pub arcs: &'a [Arc],
    pub deps: &'a [Dependence],
}

/// What a function is asked, and the variant of its answer.
macro_rules! asked {
    ($self:ident, $answer:ident, $event:ident $(, $arg:ident = $value:expr)*) => {
        match $self.call(&Event::$event { $($arg: $value),* })? {
            Answer::$answer(of) => Ok(of),
            other => panic!("{other:?} is no answer to {}", stringify!($event)),
        }
    };
}

/// The models that have no state: the core's, or the C face of them.
#[allow(missing_docs, reason = "the names are the sheet's")]
#[allow(clippy::missing_errors_doc, clippy::missing_panics_doc, reason = "those of the sheet")]
pub trait Models {
    fn call(&self, event: &Event) -> Result<Answer, Refusal>;

    fn exec(&self, config: &ExecConfig, inputs: &ExecInputs) -> Result<ExecEstimate, Refused> {
        asked!(self, ExecEstimate, Estimate, config = *config, inputs = *inputs)
    }
    fn roofline(&self, peak: f64, bw: f64, intensity: f64) -> Result<Roofline, Refused> {
        asked!(self, Roofline, Roofline, peak = peak, bw = bw, intensity = intensity)
    }
    fn brent(&self, w: f64, d: f64, p: f64) -> Result<Brent, Refused> {
        asked!(self, Brent, Brent, w = w, d = d, p = p)
    }
    fn inefficiency(&self, p: f64, eps: f64) -> Result<Inefficiency, Refused> {
        asked!(self, Inefficiency, Inefficiency, p = p, eps = eps)
    }
    fn reduction_tree(&self, n: u64) -> Result<ReductionTree, Refused> {
        asked!(self, ReductionTree, ReductionTree, n = n)
    }
    fn reduction_io(&self, n: u64, z: u64, l: u64) -> Result<ReductionIo, Refused> {
        asked!(self, ReductionIo, ReductionIo, n = n, z = z, l = l)
    }
    fn matmul_io(&self, n: f64, z: f64, l: f64) -> Result<MatmulIo, Refused> {
        asked!(self, MatmulIo, MatmulIo, n = n, z = z, l = l)
    }
    fn qp_bound(&self, of: &PrivateCaches) -> Result<PrivateMisses, Refused> {
        asked!(self, PrivateMisses, QpBound, of = *of)
    }
    fn t_mem(&self, of: &MemoryTime) -> Result<f64, Refused> {
        asked!(self, TMem, TMem, of = *of)
    }
    fn balance(&self, of: &Balance) -> Result<Balanced, Refused> {
        asked!(self, Balanced, Balance, of = *of)
    }
    fn ulist(&self, of: &Ulist) -> Result<UlistEstimate, Refused> {
        asked!(self, UlistEstimate, Ulist, of = *of)
    }
    fn wfg(&self, config: &WfgConfig, graph: &Graph<'_>) -> Result<WorkFlow, Refused> {
        let (nodes, arcs, deps) = (graph.nodes.to_vec(), graph.arcs.to_vec(), graph.deps.to_vec());
        asked!(self, WorkFlow, WorkFlow, config = *config, nodes = nodes, arcs = arcs, deps = deps)
    }
}

/// The core's functions.
pub struct Core;

impl Models for Core {
    fn call(&self, event: &Event) -> Result<Answer, Refusal> {
        event.apply()
    }
}

impl Models for crate::through_c::models::ThroughC {
    fn call(&self, event: &Event) -> Result<Answer, Refusal> {
        self.call(event)
    }
}

/// Whether two numbers are as close as the vectors' README asks.
#[must_use]
pub fn close(a: f64, b: f64, tol: f64) -> bool {
    (a - b).abs() <= tol * a.abs().max(b.abs()).max(1.0)
}
