//! Execution time and potential benefits (`models` E; 4.1 of the source): MWP-CWP.
//!
//! A kernel's time is that of its computing and that of its memory accesses less what they overlap. How far they do follows from two
//! numbers of warps: those whose accesses memory serves at the same time (MWP), and those that could compute while one waits (CWP). The
//! benefits say how much time each kind of optimisation could save: more parallelism of instructions, less serialisation, fewer
//! instructions that are no floating-point work, fewer or better overlapped accesses.
//!
//! The estimate is not monotonic in bandwidth: where MWP crosses CWP the overlap jumps by `t_comp / n` (models-H1). `b_fp` may be
//! negative, because floating-point work is divided by the parallelism that there is, not by the greatest one.

use super::number::{max, min};
use super::refusal::{Input, Refusal, check, field, finite, inputs};
use crate::base::error::Fault;
use crate::base::parameter::choice;

choice! {
    /// What `size_of_data` counts (models-A2).
    pub enum SizeUnit {
        /// Requests of an SM, which (4.26) needs to balance.
        #[default]
        Literal,
        /// Bytes of the kernel.
        Bytes,
    }
}

/// How the equations are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ExecConfig {
    /// What `size_of_data` counts.
    pub size_unit: SizeUnit,
    /// Whether a negative `b_fp` is raised to 0.
    pub clamp_bfp: bool,
}

/// What is known about a kernel and its GPU (Table 4.1, with what the equations use besides). Numbers of instructions are those of a warp.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ExecInputs {
    /// Instructions, without those of the SFU. Not 0.
    pub insts: f64,
    /// Memory instructions, at most `insts`.
    pub mem_insts: f64,
    /// Synchronisation instructions.
    pub sync_insts: f64,
    /// Instructions of the special function unit.
    pub sfu_insts: f64,
    /// Floating-point instructions, at most `insts`.
    pub fp_insts: f64,
    /// Warps of the kernel. Without any, all times are 0.
    pub total_warps: f64,
    /// SMs that run them. Not 0.
    pub active_sms: f64,
    /// N: warps that run on an SM at the same time, at least 1.
    pub n: f64,
    /// Transactions of a memory instruction, at least 1.
    pub avg_trans_warp: f64,
    /// Latency of an instruction, in cycles. Not 0.
    pub avg_inst_lat: f64,
    /// Memory instructions that miss all caches, from 0 to 1.
    pub miss_ratio: f64,
    /// Data that the kernel needs, in the configuration's unit.
    pub size_of_data: f64,
    /// Instructions of a warp that may run at the same time. Not 0.
    pub ilp: f64,
    /// Memory instructions of a warp that may wait at the same time. Not 0.
    pub mlp: f64,
    /// Threads of a warp. Not 0.
    pub warp_size: f64,
    /// Machine's parameter of synchronisation: share of an SM's warps' DRAM latency.
    pub gamma: f64,
    /// Departure delay: cycles between two transactions of an SM. At 0 it bounds nothing.
    pub delta: f64,
    /// Latency of DRAM, in cycles. Not 0.
    pub dram_lat: f64,
    /// Latency of a floating-point instruction, in cycles; `None`: `avg_inst_lat`.
    pub fp_lat: Option<f64>,
    /// Latency of a hit, in cycles.
    pub hit_lat: f64,
    /// Lanes of an SM. Not 0.
    pub simd_width: f64,
    /// Special function units of an SM. Not 0 if there are `sfu_insts`.
    pub sfu_width: f64,
    /// SM clock in GHz. Not 0.
    pub freq: f64,
    /// Peak bandwidth of memory in GB/s. Not 0.
    pub mem_peak_bw: f64,
    /// Bytes of a transaction. Not 0.
    pub transaction_size: f64,
    /// Overhead of divergence, in cycles.
    pub o_cfdiv: f64,
    /// Overhead of bank conflicts, in cycles.
    pub o_bank: f64,
    /// Mean latency of a memory instruction, in cycles; `None`: what (4.12) makes of the others.
    pub amat: Option<f64>,
}

impl ExecInputs {
    /// What inputs have that nobody gives. Those that somebody has to give are 0, which is refused where it means nothing.
    pub const DEFAULT: Self = Self {
        insts: 0.0,
        mem_insts: 0.0,
        sync_insts: 0.0,
        sfu_insts: 0.0,
        fp_insts: 0.0,
        total_warps: 0.0,
        active_sms: 0.0,
        n: 0.0,
        avg_trans_warp: 1.0,
        avg_inst_lat: 0.0,
        miss_ratio: 1.0,
        size_of_data: 0.0,
        ilp: 1.0,
        mlp: 1.0,
        warp_size: 32.0,
        gamma: 64.0,
        delta: 0.0,
        dram_lat: 0.0,
        fp_lat: None,
        hit_lat: 0.0,
        simd_width: 32.0,
        sfu_width: 4.0,
        freq: 0.0,
        mem_peak_bw: 0.0,
        transaction_size: 128.0,
        o_cfdiv: 0.0,
        o_bank: 0.0,
        amat: None,
    };

    /// In the order of the checks.
    fn listed(&self) -> [Input; 27] {
        inputs! {
            insts = self.insts, nonzero;
            mem_insts = self.mem_insts;
            sync_insts = self.sync_insts;
            sfu_insts = self.sfu_insts;
            fp_insts = self.fp_insts;
            total_warps = self.total_warps;
            active_sms = self.active_sms, nonzero;
            n = self.n, nonzero;
            avg_trans_warp = self.avg_trans_warp;
            avg_inst_lat = self.avg_inst_lat, nonzero;
            miss_ratio = self.miss_ratio;
            size_of_data = self.size_of_data;
            ilp = self.ilp, nonzero;
            mlp = self.mlp, nonzero;
            warp_size = self.warp_size, nonzero;
            gamma = self.gamma;
            delta = self.delta;
            dram_lat = self.dram_lat, nonzero;
            fp_lat = self.fp_lat.unwrap_or(self.avg_inst_lat);
            hit_lat = self.hit_lat;
            simd_width = self.simd_width, nonzero;
            sfu_width = self.sfu_width;
            freq = self.freq, nonzero;
            mem_peak_bw = self.mem_peak_bw, nonzero;
            transaction_size = self.transaction_size, nonzero;
            o_cfdiv = self.o_cfdiv;
            o_bank = self.o_bank;
        }
    }

    /// Whether [`estimate`] would take this, but for results that are too large.
    ///
    /// # Errors
    /// `NotFinite`, `Negative`, `ZeroInput`, `OutOfRange`, in this order; each with its field.
    pub fn check(&self) -> Result<(), Refusal> {
        check(&self.listed())?;
        let ranges = [
            (self.n < 1.0, field!(n)), // models-H5
            (self.avg_trans_warp < 1.0, field!(avg_trans_warp)),
            (self.miss_ratio > 1.0, field!(miss_ratio)),
            (self.mem_insts > self.insts, field!(mem_insts)),
            (self.fp_insts > self.insts, field!(fp_insts)),
        ];
        if let Some(&(_, field)) = ranges.iter().find(|(is_wrong, _)| *is_wrong) {
            return Err(Refusal::of(Fault::OutOfRange, field));
        }
        if self.sfu_insts > 0.0 && self.sfu_width == 0.0 {
            return Err(Refusal::of(Fault::ZeroInput, field!(sfu_width)));
        }
        match self.amat {
            Some(amat) => check(&inputs! { amat = amat; }),
            None => Ok(()),
        }
    }
}

impl Default for ExecInputs {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A struct of numbers, which it also has as a list.
macro_rules! listed {
    ($(#[$meta:meta])* pub struct $Struct:ident { $($(#[$doc:meta])* pub $name:ident: f64,)* }) => {
        $(#[$meta])*
        pub struct $Struct {
            $($(#[$doc])* pub $name: f64,)*
        }

        impl $Struct {
            /// The names of its values, in the order of the equations.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Its values, in the order of their names.
            #[must_use]
            pub const fn values(&self) -> [f64; Self::NAMES.len()] {
                [$(self.$name),*]
            }
        }
    };
}

listed! {
    /// Everything that the equations yield. Times are cycles, `w_` and `o_` are parts of `t_comp`.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "defmt", derive(defmt::Format))]
    pub struct ExecEstimate {
        /// Most parallelism of instructions that an SM can use (4.5).
        pub itilp_max: f64,
        /// Parallelism of instructions within and between warps (4.4).
        pub itilp: f64,
        /// Time of instructions that run in parallel (4.3).
        pub w_parallel: f64,
        /// Cost of a synchronisation (4.8).
        pub f_sync: f64,
        /// Time of synchronisations (4.7).
        pub o_sync: f64,
        /// How much of the SFU's time other instructions do not hide, from 0 to 1 (4.10).
        pub f_sfu: f64,
        /// Time of the SFU (4.9).
        pub o_sfu: f64,
        /// Time that is not parallel (4.6).
        pub w_serial: f64,
        /// Time to compute (4.2).
        pub t_comp: f64,
        /// Latency of DRAM for the transactions of a memory instruction (4.13).
        pub avg_dram_lat: f64,
        /// Mean latency of a memory instruction (4.12).
        pub amat: f64,
        /// Computing of a warp (4.20).
        pub comp_cycles: f64,
        /// Waiting of a warp (4.21).
        pub mem_cycles: f64,
        /// CWP of enough warps (4.19).
        pub cwp_full: f64,
        /// Computing warps: those that could compute while one waits for memory, and itself (4.18).
        pub cwp: f64,
        /// Bandwidth that a warp takes, GB/s (4.24).
        pub bw_per_warp: f64,
        /// Warps whose accesses the bandwidth suffices for (4.23).
        pub mwp_peak_bw: f64,
        /// Memory warps: those whose accesses are served at the same time (4.22).
        pub mwp: f64,
        /// MWP, as far as there are warps to wait (4.15).
        pub mwp_cp: f64,
        /// Parallelism of memory accesses (4.14).
        pub itmlp: f64,
        /// Time of memory accesses (4.11).
        pub t_mem: f64,
        /// How much of the computing can overlap, from 0 to 1 (4.17).
        pub f_overlap: f64,
        /// Time in which both go on (4.16).
        pub t_overlap: f64,
        /// Execution time (4.1).
        pub t_exec: f64,
        /// Least time of floating-point instructions (4.25).
        pub t_fp: f64,
        /// Least time of the data (4.26).
        pub t_mem_min: f64,
        /// Gained by more parallelism of instructions (4.27).
        pub b_itilp: f64,
        /// Gained by no serialisation (4.28).
        pub b_serial: f64,
        /// Gained by no instructions but floating-point ones (4.29).
        pub b_fp: f64,
        /// Gained by moving the least data, all of it overlapped (4.30).
        pub b_memlp: f64,
    }
}

/// Estimates the execution time of a kernel, and what optimisations could gain.
///
/// # Errors
/// `NotFinite`, `Negative`, `ZeroInput`, `OutOfRange`, with the field, in this order; `Overflow` if a value is not finite.
pub fn estimate(config: &ExecConfig, inputs: &ExecInputs) -> Result<ExecEstimate, Refusal> {
    inputs.check()?;
    let estimate = equations(config, inputs);
    finite(&estimate.values())?;
    Ok(estimate)
}

fn equations(config: &ExecConfig, inputs: &ExecInputs) -> ExecEstimate {
    let &ExecInputs { insts, mem_insts, sync_insts, sfu_insts, fp_insts, total_warps, active_sms, n, .. } = inputs;
    let &ExecInputs { avg_trans_warp, avg_inst_lat, miss_ratio, size_of_data, ilp, mlp, warp_size, gamma, .. } = inputs;
    let &ExecInputs { delta, dram_lat, hit_lat, simd_width, sfu_width, freq, mem_peak_bw, .. } = inputs;
    let &ExecInputs { fp_lat, transaction_size, o_cfdiv, o_bank, amat, .. } = inputs;
    let per_sm = total_warps / active_sms;
    // models-E1.
    let itilp_max = avg_inst_lat / (warp_size / simd_width);
    let itilp = min(ilp * n, itilp_max);
    // models-E2.
    let w_parallel = insts * per_sm * avg_inst_lat / itilp;
    // models-E3. AMAT may be given (models-A1).
    let avg_dram_lat = dram_lat + (avg_trans_warp - 1.0) * delta;
    let amat = match amat {
        Some(amat) => amat,
        None => avg_dram_lat * miss_ratio + hit_lat,
    };
    // models-E4.
    let f_sync = gamma * avg_dram_lat * mem_insts / insts;
    let o_sync = sync_insts * per_sm * f_sync;
    // models-E5.
    let (f_sfu, o_sfu) = if sfu_insts == 0.0 {
        (0.0, 0.0)
    } else {
        let f_sfu = min(max(sfu_insts / insts - sfu_width / simd_width, 0.0), 1.0);
        (f_sfu, sfu_insts * per_sm * (warp_size / sfu_width) * f_sfu)
    };
    // models-E6.
    let w_serial = o_sync + o_sfu + o_cfdiv + o_bank;
    let t_comp = w_parallel + w_serial;
    // models-E7.
    let comp_cycles = insts * avg_inst_lat / itilp;
    let mem_cycles = mem_insts * amat / mlp;
    let cwp_full = (mem_cycles + comp_cycles) / comp_cycles;
    let cwp = min(cwp_full, n);
    // models-E8.
    let bw_per_warp = freq * transaction_size / avg_dram_lat;
    let mwp_peak_bw = mem_peak_bw / (bw_per_warp * active_sms);
    let of_bandwidth = min(mwp_peak_bw, n);
    let mwp = if delta > 0.0 { min(of_bandwidth, avg_dram_lat / delta) } else { of_bandwidth };
    // models-E9.
    let mwp_cp = min(max(1.0, cwp - 1.0), mwp);
    let itmlp = min(mlp * mwp_cp, mwp_peak_bw);
    let t_mem = mem_insts * per_sm / itmlp * amat;
    // models-E10 (models-H1).
    let zeta = if cwp <= mwp { 1.0 } else { 0.0 };
    let f_overlap = (n - zeta) / n;
    let t_overlap = min(t_comp * f_overlap, t_mem);
    let t_exec = t_comp + t_mem - t_overlap;
    // models-E11.
    let t_fp = fp_insts * per_sm * fp_lat.unwrap_or(avg_inst_lat) / itilp;
    let size = match config.size_unit {
        SizeUnit::Literal => size_of_data,
        SizeUnit::Bytes => size_of_data / (transaction_size * active_sms),
    };
    let t_mem_min = size * avg_dram_lat / mwp_peak_bw;
    // models-E12.
    let b_itilp = w_parallel - insts * per_sm * avg_inst_lat / itilp_max;
    let b_serial = w_serial;
    let b_fp = t_comp - t_fp - b_itilp - b_serial;
    let b_fp = if config.clamp_bfp { max(b_fp, 0.0) } else { b_fp };
    let b_memlp = max((t_mem - t_overlap) - t_mem_min, 0.0);
    ExecEstimate {
        itilp_max,
        itilp,
        w_parallel,
        f_sync,
        o_sync,
        f_sfu,
        o_sfu,
        w_serial,
        t_comp,
        avg_dram_lat,
        amat,
        comp_cycles,
        mem_cycles,
        cwp_full,
        cwp,
        bw_per_warp,
        mwp_peak_bw,
        mwp,
        mwp_cp,
        itmlp,
        t_mem,
        f_overlap,
        t_overlap,
        t_exec,
        t_fp,
        t_mem_min,
        b_itilp,
        b_serial,
        b_fp,
        b_memlp,
    }
}
