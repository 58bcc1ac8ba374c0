//! The evaluations whose cost is measured.

use std::hint::black_box;

use gpusched::inline_monte_tables;
use gpusched::models::exec::{ExecConfig, ExecInputs, estimate};
use gpusched::models::monte::{Monte, MonteConfig, Request, Slot, WarpTrace};

inline_monte_tables! {
    /// A home of the default configuration.
    pub struct Gtx480 = MonteConfig::GTX480;
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Estimates the time of a kernel and all benefits.
    Exec,
    /// One run of the stochastic memory hierarchy: eight warps, 32 loads each.
    MonteRun,
}

const WARPS: usize = 8;
const LOADS: usize = 32;

/// A model that repeats an operation.
pub struct Steady {
    operation: Operation,
    inputs: ExecInputs,
    monte: Box<Monte<Gtx480>>,
    requests: [[Request; LOADS]; WARPS],
    scratch: Vec<Slot>,
}

impl Steady {
    /// About to repeat `operation`.
    ///
    /// # Panics
    /// If the default configuration is refused.
    #[must_use]
    pub fn new(operation: Operation) -> Self {
        let mut monte = Box::new(Monte::new(&MonteConfig::GTX480).expect("the default"));
        monte.start(2012);
        // Neighbours share half of their lines.
        let line = |warp: usize, load: usize| 128 * (16 * warp + load) as u64;
        Self {
            operation,
            inputs: ExecInputs {
                insts: 27.0,
                mem_insts: 6.0,
                fp_insts: 8.0,
                sfu_insts: 1.0,
                total_warps: 5120.0,
                active_sms: 14.0,
                n: 40.0,
                avg_inst_lat: 18.0,
                miss_ratio: 0.4,
                size_of_data: 1000.0,
                delta: 20.0,
                dram_lat: 440.0,
                hit_lat: 18.0,
                freq: 1.15,
                mem_peak_bw: 144.0,
                ..ExecInputs::DEFAULT
            },
            monte,
            requests: std::array::from_fn(|warp| std::array::from_fn(|load| Request::load(line(warp, load), 0))),
            scratch: vec![Slot::default(); WARPS * LOADS],
        }
    }

    /// Does it once.
    ///
    /// # Panics
    /// If it is refused.
    pub fn step(&mut self) {
        match self.operation {
            Operation::Exec => {
                black_box(estimate(&ExecConfig::default(), black_box(&self.inputs)).expect("the inputs are good"));
            }
            Operation::MonteRun => {
                let warps: [_; WARPS] = std::array::from_fn(|warp| WarpTrace { sm: 0, requests: &self.requests[warp] });
                if self.monte.runs() == 1 << 20 {
                    self.monte.start(2012);
                }
                self.monte.run(&warps[..], &mut self.scratch).expect("the trace is good");
            }
        }
    }
}
