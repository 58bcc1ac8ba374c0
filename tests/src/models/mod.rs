//! What the tests of `models` share: the evaluations as core and C have them, and plain models.

pub mod exec;
pub mod monte;
pub mod steady;
pub mod wfg;

use gpusched::Fault;
use gpusched::models::Refusal;
use gpusched::models::exec::{ExecConfig, ExecEstimate, ExecInputs};
use gpusched::models::theory::{
    Balance, Balanced, Brent, Inefficiency, MatmulIo, MemoryTime, PrivateCaches, PrivateMisses, ReductionIo,
    ReductionTree, Roofline, Ulist, UlistEstimate,
};
use gpusched::models::wfg::{Graph, WfgConfig, WorkFlow};

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

/// The models that have no state: the core's, or the C face of them.
#[allow(missing_docs, reason = "the names are the sheet's")]
#[allow(clippy::missing_errors_doc, reason = "those of the sheet")]
pub trait Models {
    fn exec(&self, config: &ExecConfig, inputs: &ExecInputs) -> Result<ExecEstimate, Refused>;
    fn roofline(&self, peak: f64, bw: f64, intensity: f64) -> Result<Roofline, Refused>;
    fn brent(&self, w: f64, d: f64, p: f64) -> Result<Brent, Refused>;
    fn inefficiency(&self, p: f64, eps: f64) -> Result<Inefficiency, Refused>;
    fn reduction_tree(&self, n: u64) -> Result<ReductionTree, Refused>;
    fn reduction_io(&self, n: u64, z: u64, l: u64) -> Result<ReductionIo, Refused>;
    fn matmul_io(&self, n: f64, z: f64, l: f64) -> Result<MatmulIo, Refused>;
    fn qp_bound(&self, of: &PrivateCaches) -> Result<PrivateMisses, Refused>;
    fn t_mem(&self, of: &MemoryTime) -> Result<f64, Refused>;
    fn balance(&self, of: &Balance) -> Result<Balanced, Refused>;
    fn ulist(&self, of: &Ulist) -> Result<UlistEstimate, Refused>;
    fn wfg(&self, config: &WfgConfig, graph: &Graph<'_>) -> Result<WorkFlow, Refused>;
}

/// The core's functions.
pub struct Core;

impl Models for Core {
    fn exec(&self, config: &ExecConfig, inputs: &ExecInputs) -> Result<ExecEstimate, Refused> {
        Ok(gpusched::models::exec::eval(config, inputs)?)
    }

    fn roofline(&self, peak: f64, bw: f64, intensity: f64) -> Result<Roofline, Refused> {
        Ok(gpusched::models::theory::roofline(peak, bw, intensity)?)
    }

    fn brent(&self, w: f64, d: f64, p: f64) -> Result<Brent, Refused> {
        Ok(gpusched::models::theory::brent(w, d, p)?)
    }

    fn inefficiency(&self, p: f64, eps: f64) -> Result<Inefficiency, Refused> {
        Ok(gpusched::models::theory::inefficiency(p, eps)?)
    }

    fn reduction_tree(&self, n: u64) -> Result<ReductionTree, Refused> {
        Ok(gpusched::models::theory::reduction_tree(n)?)
    }

    fn reduction_io(&self, n: u64, z: u64, l: u64) -> Result<ReductionIo, Refused> {
        Ok(gpusched::models::theory::reduction_io(n, z, l)?)
    }

    fn matmul_io(&self, n: f64, z: f64, l: f64) -> Result<MatmulIo, Refused> {
        Ok(gpusched::models::theory::matmul_io(n, z, l)?)
    }

    fn qp_bound(&self, of: &PrivateCaches) -> Result<PrivateMisses, Refused> {
        Ok(gpusched::models::theory::qp_bound(of)?)
    }

    fn t_mem(&self, of: &MemoryTime) -> Result<f64, Refused> {
        Ok(gpusched::models::theory::t_mem(of)?)
    }

    fn balance(&self, of: &Balance) -> Result<Balanced, Refused> {
        Ok(gpusched::models::theory::balance(of)?)
    }

    fn ulist(&self, of: &Ulist) -> Result<UlistEstimate, Refused> {
        Ok(gpusched::models::theory::ulist(of)?)
    }

    fn wfg(&self, config: &WfgConfig, graph: &Graph<'_>) -> Result<WorkFlow, Refused> {
        Ok(gpusched::models::wfg::eval(config, graph)?)
    }
}

/// Whether two numbers are as close as the vectors' README asks.
#[must_use]
pub fn close(a: f64, b: f64, tol: f64) -> bool {
    (a - b).abs() <= tol * a.abs().max(b.abs()).max(1.0)
}
