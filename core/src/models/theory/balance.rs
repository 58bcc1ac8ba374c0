//! Balance: whether a machine's memory keeps up with its processors.

use super::work_depth::check_graph;
use crate::models::refusal::{Refusal, check, finite, inputs};

/// A machine and a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct Balance {
    /// Processors, at least 1.
    pub p: f64,
    /// Operations of each per time. Not 0.
    pub c0: f64,
    /// Words of memory per time. Not 0.
    pub beta: f64,
    /// Latency of memory.
    pub alpha: f64,
    /// Words of a transfer. Not 0.
    pub l: f64,
    /// Transfers. Not 0.
    pub q: f64,
    /// Operations. Not 0.
    pub w: f64,
    /// Operations one after the other. Not 0, at most `w`.
    pub d: f64,
}

/// Both sides of the balance, and three verdicts on it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Balanced {
    /// Operations per word of the machine.
    pub machine_balance: f64,
    /// Operations per word of the computation.
    pub intensity: f64,
    /// Left side of (2.4).
    pub lhs: f64,
    /// Right side of (2.4).
    pub rhs: f64,
    /// Time to compute (2.1).
    pub t_comp: f64,
    /// Time of memory (2.3).
    pub t_mem: f64,
    /// Whether the machine is balanced by bandwidth alone (2.5).
    pub kung: bool,
    /// Whether it is by (2.4) as printed, which (2.1) and (2.3) do not yield (models-A3).
    pub printed: bool,
    /// Whether computing takes at least as long as memory.
    pub exact: bool,
}

/// Whether a machine's memory keeps up with its processors (models-T9): (2.4) and (2.5).
///
/// # Errors
/// `NotFinite`, `Negative`, `ZeroInput` (all but `alpha`) with the field; `DepthExceedsWork`; `OutOfRange` if `p` is below 1; `Overflow`.
pub fn balance(of: &Balance) -> Result<Balanced, Refusal> {
    let &Balance { p, c0, beta, alpha, l, q, w, d } = of;
    check(&inputs! {
        p = p, nonzero;
        c0 = c0, nonzero;
        beta = beta, nonzero;
        alpha = alpha;
        l = l, nonzero;
        q = q, nonzero;
        w = w, nonzero;
        d = d, nonzero;
    })?;
    check_graph(w, d, p)?;
    let machine_balance = p * c0 / beta;
    let intensity = w / (q * l);
    let lhs = machine_balance * (1.0 + (alpha * beta / l) / (q / d));
    let rhs = intensity * (1.0 + p / (w / d));
    let t_comp = (d + (w - d) / p) / c0;
    let t_mem = alpha * d + q * l / beta;
    finite(&[machine_balance, intensity, lhs, rhs, t_comp, t_mem])?;
    Ok(Balanced {
        machine_balance,
        intensity,
        lhs,
        rhs,
        t_comp,
        t_mem,
        kung: machine_balance <= intensity,
        printed: lhs <= rhs,
        exact: t_comp >= t_mem,
    })
}
