//! Analytical performance models (sheet [`models`](crate::sheets::models); its source's chapters 2 to 4): closed forms and one seeded
//! estimate, for architects and auto-tuners.
//!
//! # What it models
//! - [`exec`]: execution time of a kernel from its counters, and what each kind of optimisation could gain (MWP-CWP).
//! - [`theory`]: roofline, work and depth, external memory, balance, and the arithmetic of an FMM's U-list.
//! - [`wfg`]: a work-flow graph: what a warp's instructions cost, what it waits for, how many warps hide that.
//! - [`monte`]: hit rates of a memory hierarchy whose warps interleave at random: a machine of integers, run by run.
//!
//! # Who drives it
//! Whoever has counters: a simulator, a profiler, a spreadsheet. All but `monte` are functions without state.
//!
//! ```
//! use gpusched::models::{ExecConfig, ExecInputs, estimate};
//!
//! // 448 warps on 14 SMs of a made-up GPU, 16 of them at a time.
//! let kernel = ExecInputs {
//!     insts: 100.0,
//!     mem_insts: 10.0,
//!     fp_insts: 50.0,
//!     total_warps: 448.0,
//!     active_sms: 14.0,
//!     n: 16.0,
//!     avg_inst_lat: 20.0,
//!     dram_lat: 400.0,
//!     delta: 20.0,
//!     freq: 1.0,
//!     mem_peak_bw: 89.6,
//!     size_of_data: 100.0,
//!     ..ExecInputs::DEFAULT
//! };
//! let of = estimate(&ExecConfig::default(), &kernel)?;
//! assert_eq!((of.t_comp, of.t_mem.round(), of.t_exec.round()), (4000.0, 8533.0, 8783.0));
//! // More warps at a time would save 800 cycles of computing.
//! assert_eq!(of.b_itilp, 800.0);
//!
//! let refusal = estimate(&ExecConfig::default(), &ExecInputs { n: 0.5, ..kernel }).unwrap_err();
//! assert_eq!(refusal.to_string(), "n: an input is out of its range");
//! # Ok::<(), gpusched::models::Refusal>(())
//! ```
//!
//! # Numbers
//! Numbers are `f64`; each expression is evaluated in the sheet's order, operation by operation, so every target gives the same bits. A
//! refused evaluation computes nothing and says which input is to blame.

pub mod exec;
pub mod monte;
pub mod theory;
pub mod wfg;

mod number;
mod refusal;

pub use exec::*;
pub use refusal::{Field, Refusal};
pub use theory::*;
pub use wfg::*;
