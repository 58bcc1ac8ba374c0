//! Execution time and potential benefits.

use core::ffi::c_char;
use core::mem::size_of;

use gpusched::models::exec::{ExecConfig, ExecEstimate, ExecInputs, SizeUnit, eval};

use super::{Blame, blamed};
use crate::config::{self, Parameters, Wrong, c_name, choices, chosen, write};
use crate::object::writable;
use crate::status::{gpusched_status, status};

/// What size_of_data counts.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_exec_size_unit {
    /// Requests of an SM.
    Literal = 0,
    /// Bytes of the kernel.
    Bytes = 1,
}

choices! {
    gpusched_exec_size_unit = SizeUnit { Literal Bytes };
}

/// What is known about a kernel and its GPU. Fill it with gpusched_exec_inputs_init, then set what you know: a newer library adds fields
/// at the end, and programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_exec_inputs {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// gpusched_exec_size_unit.
    pub size_unit: u32,
    /// A negative b_fp is raised to 0; 0 or 1.
    pub clamp_bfp: u32,
    /// fp_lat is known; 0 or 1.
    pub has_fp_lat: u32,
    /// amat is known; 0 or 1.
    pub has_amat: u32,
    /// Not looked at.
    pub reserved: u32,
    /// Instructions of a warp, without those of the SFU. Not 0.
    pub insts: f64,
    /// Memory instructions of a warp, at most insts.
    pub mem_insts: f64,
    /// Synchronisation instructions of a warp.
    pub sync_insts: f64,
    /// Instructions of a warp for the special function unit.
    pub sfu_insts: f64,
    /// Floating-point instructions of a warp, at most insts.
    pub fp_insts: f64,
    /// Warps of the kernel. Without any, all times are 0.
    pub total_warps: f64,
    /// SMs that run them. Not 0.
    pub active_sms: f64,
    /// Warps that run on an SM at the same time, at least 1.
    pub n: f64,
    /// Transactions of a memory instruction, at least 1.
    pub avg_trans_warp: f64,
    /// Latency of an instruction, in cycles. Not 0.
    pub avg_inst_lat: f64,
    /// Memory instructions that miss all caches, from 0 to 1.
    pub miss_ratio: f64,
    /// Data that the kernel needs, in the unit that size_unit says.
    pub size_of_data: f64,
    /// Instructions of a warp that may run at the same time. Not 0.
    pub ilp: f64,
    /// Memory instructions of a warp that may wait at the same time. Not 0.
    pub mlp: f64,
    /// Threads of a warp. Not 0.
    pub warp_size: f64,
    /// Machine's parameter of synchronisation.
    pub gamma: f64,
    /// Departure delay: cycles between two transactions of an SM. At 0 it bounds nothing.
    pub delta: f64,
    /// Latency of DRAM, in cycles. Not 0.
    pub dram_lat: f64,
    /// Latency of a floating-point instruction, in cycles; only looked at if has_fp_lat, else avg_inst_lat holds.
    pub fp_lat: f64,
    /// Latency of a hit, in cycles.
    pub hit_lat: f64,
    /// Lanes of an SM. Not 0.
    pub simd_width: f64,
    /// Special function units of an SM. Not 0 if there are sfu_insts.
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
    /// Mean latency of a memory instruction, in cycles; only looked at if has_amat, else it is computed.
    pub amat: f64,
}

impl gpusched_exec_inputs {
    /// The core's inputs as C has them.
    #[must_use]
    pub fn of(config: &ExecConfig, inputs: &ExecInputs) -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            size_unit: config::Choice::code(config.size_unit),
            clamp_bfp: config.clamp_bfp.into(),
            has_fp_lat: inputs.fp_lat.is_some().into(),
            has_amat: inputs.amat.is_some().into(),
            reserved: 0,
            insts: inputs.insts,
            mem_insts: inputs.mem_insts,
            sync_insts: inputs.sync_insts,
            sfu_insts: inputs.sfu_insts,
            fp_insts: inputs.fp_insts,
            total_warps: inputs.total_warps,
            active_sms: inputs.active_sms,
            n: inputs.n,
            avg_trans_warp: inputs.avg_trans_warp,
            avg_inst_lat: inputs.avg_inst_lat,
            miss_ratio: inputs.miss_ratio,
            size_of_data: inputs.size_of_data,
            ilp: inputs.ilp,
            mlp: inputs.mlp,
            warp_size: inputs.warp_size,
            gamma: inputs.gamma,
            delta: inputs.delta,
            dram_lat: inputs.dram_lat,
            fp_lat: inputs.fp_lat.unwrap_or_default(),
            hit_lat: inputs.hit_lat,
            simd_width: inputs.simd_width,
            sfu_width: inputs.sfu_width,
            freq: inputs.freq,
            mem_peak_bw: inputs.mem_peak_bw,
            transaction_size: inputs.transaction_size,
            o_cfdiv: inputs.o_cfdiv,
            o_bank: inputs.o_bank,
            amat: inputs.amat.unwrap_or_default(),
        }
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_exec_inputs {
    type Checked = (ExecConfig, ExecInputs);
    const FIRST_SIZE: usize = 248;

    fn preset() -> Self {
        Self::of(&ExecConfig::default(), &ExecInputs::DEFAULT)
    }

    fn checked(&self) -> Result<(ExecConfig, ExecInputs), Wrong> {
        let size_unit = chosen(c_name!(size_unit), self.size_unit)?;
        let clamp_bfp = chosen(c_name!(clamp_bfp), self.clamp_bfp)?;
        let has_fp_lat: bool = chosen(c_name!(has_fp_lat), self.has_fp_lat)?;
        let has_amat: bool = chosen(c_name!(has_amat), self.has_amat)?;
        let inputs = ExecInputs {
            insts: self.insts,
            mem_insts: self.mem_insts,
            sync_insts: self.sync_insts,
            sfu_insts: self.sfu_insts,
            fp_insts: self.fp_insts,
            total_warps: self.total_warps,
            active_sms: self.active_sms,
            n: self.n,
            avg_trans_warp: self.avg_trans_warp,
            avg_inst_lat: self.avg_inst_lat,
            miss_ratio: self.miss_ratio,
            size_of_data: self.size_of_data,
            ilp: self.ilp,
            mlp: self.mlp,
            warp_size: self.warp_size,
            gamma: self.gamma,
            delta: self.delta,
            dram_lat: self.dram_lat,
            fp_lat: has_fp_lat.then_some(self.fp_lat),
            hit_lat: self.hit_lat,
            simd_width: self.simd_width,
            sfu_width: self.sfu_width,
            freq: self.freq,
            mem_peak_bw: self.mem_peak_bw,
            transaction_size: self.transaction_size,
            o_cfdiv: self.o_cfdiv,
            o_bank: self.o_bank,
            amat: has_amat.then_some(self.amat),
        };
        Ok((ExecConfig { size_unit, clamp_bfp }, inputs))
    }
}

/// Fills inputs with the values that they have if nobody gives them; what has to be given is 0.
///
/// @param inputs  Written.
/// @param size    sizeof(gpusched_exec_inputs) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_exec_inputs_init(inputs: *mut gpusched_exec_inputs, size: usize) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(inputs, size, &gpusched_exec_inputs::preset()) })
}

/// Everything that the equations yield. Times are cycles.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct gpusched_exec_estimate {
    /// Most parallelism of instructions that an SM can use.
    pub itilp_max: f64,
    /// Parallelism of instructions within and between warps.
    pub itilp: f64,
    /// Time of instructions that run in parallel.
    pub w_parallel: f64,
    /// Cost of a synchronisation.
    pub f_sync: f64,
    /// Time of synchronisations.
    pub o_sync: f64,
    /// How much of the SFU's time other instructions do not hide, from 0 to 1.
    pub f_sfu: f64,
    /// Time of the SFU.
    pub o_sfu: f64,
    /// Time that is not parallel.
    pub w_serial: f64,
    /// Time to compute.
    pub t_comp: f64,
    /// Latency of DRAM for the transactions of a memory instruction.
    pub avg_dram_lat: f64,
    /// Mean latency of a memory instruction.
    pub amat: f64,
    /// Computing of a warp.
    pub comp_cycles: f64,
    /// Waiting of a warp.
    pub mem_cycles: f64,
    /// CWP of enough warps.
    pub cwp_full: f64,
    /// Computing warps: those that could compute while one waits for memory, and itself.
    pub cwp: f64,
    /// Bandwidth that a warp takes, GB/s.
    pub bw_per_warp: f64,
    /// Warps whose accesses the bandwidth suffices for.
    pub mwp_peak_bw: f64,
    /// Memory warps: those whose accesses are served at the same time.
    pub mwp: f64,
    /// MWP, as far as there are warps to wait.
    pub mwp_cp: f64,
    /// Parallelism of memory accesses.
    pub itmlp: f64,
    /// Time of memory accesses.
    pub t_mem: f64,
    /// How much of the computing can overlap, from 0 to 1.
    pub f_overlap: f64,
    /// Time in which both go on.
    pub t_overlap: f64,
    /// Execution time.
    pub t_exec: f64,
    /// Least time of floating-point instructions.
    pub t_fp: f64,
    /// Least time of the data.
    pub t_mem_min: f64,
    /// Gained by more parallelism of instructions.
    pub b_itilp: f64,
    /// Gained by no serialisation.
    pub b_serial: f64,
    /// Gained by no instructions but floating-point ones.
    pub b_fp: f64,
    /// Gained by moving the least data, all of it overlapped.
    pub b_memlp: f64,
}

impl From<&ExecEstimate> for gpusched_exec_estimate {
    fn from(of: &ExecEstimate) -> Self {
        Self {
            itilp_max: of.itilp_max,
            itilp: of.itilp,
            w_parallel: of.w_parallel,
            f_sync: of.f_sync,
            o_sync: of.o_sync,
            f_sfu: of.f_sfu,
            o_sfu: of.o_sfu,
            w_serial: of.w_serial,
            t_comp: of.t_comp,
            avg_dram_lat: of.avg_dram_lat,
            amat: of.amat,
            comp_cycles: of.comp_cycles,
            mem_cycles: of.mem_cycles,
            cwp_full: of.cwp_full,
            cwp: of.cwp,
            bw_per_warp: of.bw_per_warp,
            mwp_peak_bw: of.mwp_peak_bw,
            mwp: of.mwp,
            mwp_cp: of.mwp_cp,
            itmlp: of.itmlp,
            t_mem: of.t_mem,
            f_overlap: of.f_overlap,
            t_overlap: of.t_overlap,
            t_exec: of.t_exec,
            t_fp: of.t_fp,
            t_mem_min: of.t_mem_min,
            b_itilp: of.b_itilp,
            b_serial: of.b_serial,
            b_fp: of.b_fp,
            b_memlp: of.b_memlp,
        }
    }
}

/// Estimates the execution time of a kernel, and what optimisations could gain.
///
/// @param inputs    Initialised inputs.
/// @param estimate  Written.
/// @param field     Receives the name of the input because of which the call is refused; NULL if none is, or it is not refused. Static.
///                  May be null.
/// @return BadConfig; NotFinite, Negative, ZeroInput, OutOfRange, with the field, in this order; Overflow; Null, Misaligned,
/// BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_exec_eval(
    inputs: *const gpusched_exec_inputs,
    estimate: *mut gpusched_exec_estimate,
    field: *mut *const c_char,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe {
        blamed(field, || {
            let estimate = writable(estimate)?;
            let checked = config::read(inputs)?
                .checked()
                .map_err(|Wrong { status, parameter }| Blame { status, field: parameter.name });
            let (config, inputs) = checked?;
            estimate.write((&eval(&config, &inputs)?).into());
            Ok(())
        })
    }
}
