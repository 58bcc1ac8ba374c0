//! A second reading of the execution-time equations: each quantity as a function of the inputs, in other arrangements than the core's, so
//! that both agree up to rounding only if both read them alike.

use gpusched::models::exec::{ExecConfig, ExecEstimate, ExecInputs, SizeUnit};

/// Cycles of an SM in which it issues an instruction of each of its warps.
fn per_sm(i: &ExecInputs) -> f64 {
    i.total_warps / i.active_sms
}

/// The estimate by the equations' numbers.
#[must_use]
pub fn model(config: &ExecConfig, i: &ExecInputs) -> ExecEstimate {
    // (4.4), (4.5): as many instructions of a latency as issue within it.
    let itilp_max = i.avg_inst_lat * i.simd_width / i.warp_size;
    let itilp = (i.ilp * i.n).min(itilp_max);
    // (4.20), then (4.3) as so many warps one after the other.
    let comp_cycles = i.insts / itilp * i.avg_inst_lat;
    let w_parallel = comp_cycles * per_sm(i);
    // (4.12), (4.13).
    let avg_dram_lat = i.dram_lat + i.avg_trans_warp * i.delta - i.delta;
    let amat = i.amat.unwrap_or(i.hit_lat + i.miss_ratio * avg_dram_lat);
    // (4.7), (4.8).
    let f_sync = i.gamma * (i.mem_insts / i.insts) * avg_dram_lat;
    let o_sync = f_sync * i.sync_insts * per_sm(i);
    // (4.9), (4.10).
    let visible = i.sfu_insts / i.insts - i.sfu_width / i.simd_width;
    let f_sfu = if i.sfu_insts > 0.0 { visible.clamp(0.0, 1.0) } else { 0.0 };
    let o_sfu = if i.sfu_insts > 0.0 { f_sfu * per_sm(i) * i.warp_size * i.sfu_insts / i.sfu_width } else { 0.0 };
    // (4.2), (4.6).
    let w_serial = i.o_bank + i.o_cfdiv + o_sfu + o_sync;
    let t_comp = w_serial + w_parallel;
    // (4.18), (4.19), (4.21).
    let mem_cycles = amat / i.mlp * i.mem_insts;
    let cwp_full = 1.0 + mem_cycles / comp_cycles;
    let cwp = cwp_full.min(i.n);
    // (4.22) to (4.24).
    let bw_per_warp = i.transaction_size / avg_dram_lat * i.freq;
    let mwp_peak_bw = i.mem_peak_bw / i.active_sms / bw_per_warp;
    let departure = if i.delta > 0.0 { avg_dram_lat / i.delta } else { f64::MAX };
    let mwp = mwp_peak_bw.min(i.n).min(departure);
    // (4.11), (4.14), (4.15).
    let mwp_cp = (cwp - 1.0).max(1.0).min(mwp);
    let itmlp = (mwp_cp * i.mlp).min(mwp_peak_bw);
    let t_mem = amat * i.mem_insts / itmlp * per_sm(i);
    // (4.1), (4.16), (4.17).
    let f_overlap = if cwp <= mwp { 1.0 - 1.0 / i.n } else { 1.0 };
    let t_overlap = (f_overlap * t_comp).min(t_mem);
    let t_exec = t_mem - t_overlap + t_comp;
    // (4.25), (4.26).
    let t_fp = i.fp_insts / itilp * i.fp_lat.unwrap_or(i.avg_inst_lat) * per_sm(i);
    let requests = match config.size_unit {
        SizeUnit::Literal => i.size_of_data,
        SizeUnit::Bytes => i.size_of_data / i.active_sms / i.transaction_size,
    };
    let t_mem_min = avg_dram_lat / mwp_peak_bw * requests;
    // (4.27) to (4.30).
    let b_itilp = w_parallel * (1.0 - itilp / itilp_max);
    let b_fp = w_parallel - b_itilp - t_fp;
    let b_fp = if config.clamp_bfp && b_fp < 0.0 { 0.0 } else { b_fp };
    let b_memlp = (t_mem - t_overlap - t_mem_min).max(0.0);
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
        b_serial: w_serial,
        b_fp,
        b_memlp,
    }
}
