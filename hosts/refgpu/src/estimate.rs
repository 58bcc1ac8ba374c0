//! From the counts of a run to the inputs of the execution-time model (refgpu-X1 to X5), so that what the model estimates can be set
//! beside what the machine took.

use crate::config::GpuConfig;
use crate::lanes;
use crate::noc::{Kind, Packet};
use crate::program::Class;
use crate::stats::RunStats;
use gpusched::models::exec::ExecInputs;

/// Lanes of a warp.
const WARP: f64 = lanes::WARP as f64;
/// Cycles of a round trip over the crossbars and the L2 beside flight, ROP, hit latency and the flits of the reply (refgpu-N3).
const HANDOVERS: u32 = 4;

/// Cycles of an unloaded access that misses everywhere (refgpu-N6).
#[must_use]
pub fn dram_latency(gpu: &GpuConfig) -> f64 {
    if gpu.flat.enabled {
        return gpu.flat.latency.into();
    }
    let reply = Packet { kind: Kind::Read, ..Packet::default() }.reply_flits(gpu.noc.flit_bytes, gpu.l1.line);
    let l2 = 2 * gpu.noc.flight + gpu.l2.rop_latency + gpu.l2.hit_latency + reply + HANDOVERS;
    let bursts = gpu.l1.line / gpu.dram.burst.max(1);
    let commands = f64::from(gpu.dram.rcd + gpu.dram.cl + bursts * gpu.dram.burst_cycles);
    f64::from(l2 + gpu.dram.latency + gpu.dram.extra) + commands * clocks(gpu)
}

/// Core cycles of a DRAM command cycle.
fn clocks(gpu: &GpuConfig) -> f64 {
    f64::from(gpu.sm.clock_mhz) / f64::from(gpu.dram.clock_mhz)
}

/// Bytes that memory can move per core cycle.
#[must_use]
pub fn peak_bytes_per_cycle(gpu: &GpuConfig) -> f64 {
    if gpu.flat.enabled {
        return gpu.flat.bytes_per_cycle.into();
    }
    let per_command = f64::from(gpu.dram.channels * gpu.dram.burst) / f64::from(gpu.dram.burst_cycles);
    per_command / clocks(gpu)
}

/// What the model needs to know of a run and its machine. Counts of a run without instructions make inputs that the model refuses.
#[must_use]
pub fn exec_inputs(stats: &RunStats, gpu: &GpuConfig) -> ExecInputs {
    let (sm, figures) = (&stats.sm, stats.figures());
    let of = |classes: &[Class]| classes.iter().map(|&class| sm.classes[class as usize]).sum::<u64>() as f64;
    // Each warp exits once.
    let warps = of(&[Class::Exit]);
    let each = |n: f64| if warps == 0.0 { 0.0 } else { n / warps };
    let ratio = |a: u64, b: u64, none: f64| if b == 0 { none } else { a as f64 / b as f64 };
    let all = sm.all_instructions() as f64;
    let (sfu, memory) = (of(&[Class::Sfu]), of(&[Class::LoadGlobal, Class::StoreGlobal, Class::AtomicGlobal]));
    let active_sms = stats.smxs.iter().filter(|smx| smx.instructions > 0).count() as f64;
    let span = stats.kernel_cycles() as f64;
    let resident = sm.warp_cycles as f64 / (span * active_sms);
    let bytes = peak_bytes_per_cycle(gpu);
    let freq = f64::from(gpu.sm.clock_mhz) / 1000.0;
    let lanes = f64::from(gpu.sm.sp_units.min(gpu.sm.schedulers)) * WARP / f64::from(gpu.sm.sp_interval);
    ExecInputs {
        insts: each(all - sfu),
        mem_insts: each(memory),
        sync_insts: each(of(&[Class::Barrier])),
        sfu_insts: each(sfu),
        fp_insts: each(of(&[Class::Fp, Class::Dp])),
        total_warps: warps,
        active_sms,
        // Fewer than one warp in the mean: the SMs wait for their first TB, or their last.
        n: resident.max(1.0),
        avg_trans_warp: ratio(sm.transactions, sm.global_instructions, 1.0).max(1.0),
        avg_inst_lat: unit_latency(stats, gpu),
        miss_ratio: (1.0 - figures.l1_hit_rate) * if gpu.flat.enabled { 1.0 } else { 1.0 - figures.l2_hit_rate },
        size_of_data: sm.lines_read as f64 / active_sms.max(1.0),
        ilp: ratio(sm.all_instructions(), sm.independent_runs, 1.0),
        mlp: ratio(sm.classes[Class::LoadGlobal as usize], sm.load_uses, 1.0).max(1.0),
        warp_size: WARP,
        // An SM's share of the machine's bandwidth, however many SMs work.
        delta: f64::from(gpu.l1.line) / (bytes / f64::from(gpu.sm.count)),
        dram_lat: dram_latency(gpu),
        fp_lat: Some(gpu.sm.fp_latency.into()),
        // Without an L1 there is nothing to look into on the way to memory.
        hit_lat: if gpu.l1.enabled { gpu.l1.hit_latency.into() } else { 0.0 },
        simd_width: lanes,
        sfu_width: f64::from(gpu.sm.sfu_units.min(gpu.sm.schedulers)) * WARP / f64::from(gpu.sm.sfu_interval),
        freq,
        mem_peak_bw: bytes * freq,
        transaction_size: gpu.l1.line.into(),
        // Cycles beyond the first of each access to shared memory, of an SM.
        o_bank: (sm.shared_cycles - sm.shared_instructions) as f64 / active_sms.max(1.0),
        ..ExecInputs::DEFAULT
    }
}

/// Mean latency of what units compute; accesses to global memory are the model's own matter.
fn unit_latency(stats: &RunStats, gpu: &GpuConfig) -> f64 {
    let sm = &gpu.sm;
    let latencies = [
        (Class::Int, sm.sp_latency),
        (Class::Fp, sm.fp_latency),
        (Class::Dp, sm.dp_latency),
        (Class::LoadShared, sm.shared_latency),
        (Class::StoreShared, sm.shared_latency),
        (Class::AtomicShared, sm.shared_latency),
    ];
    let issued = |class: Class| stats.sm.classes[class as usize] as f64;
    let weight: f64 = latencies.iter().map(|&(class, _)| issued(class)).sum();
    let sum: f64 = latencies.iter().map(|&(class, latency)| issued(class) * f64::from(latency)).sum();
    if weight == 0.0 { sm.sp_latency.into() } else { sum / weight }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::RunOptions;
    use crate::tests::script::{At, Op, config, kernel, run_with};
    use gpusched::models::exec::{ExecConfig, estimate};

    #[test]
    fn unloaded_latencies_are_the_presets() {
        for (preset, cycles) in
            [("k20c", 440.0), ("gtx480", 322.0), ("gtx480_mascar", 440.0), ("apogee", 400.0), ("c1060", 440.0)]
        {
            let latency = dram_latency(&GpuConfig::preset(preset).unwrap());
            assert!((latency - cycles).abs() <= 2.0, "{preset}: {latency}");
        }
        // A line in four flits, not two.
        let narrow = crate::tests::script::config("k20c", &[("noc.flit_bytes", "32")]);
        assert_eq!(dram_latency(&narrow), dram_latency(&GpuConfig::preset("k20c").unwrap()) + 2.0);
    }

    #[test]
    fn bandwidths_are_the_presets() {
        for (preset, bytes) in [("k20c", 294.6), ("gtx480", 253.4), ("apogee", 12.0), ("c1060", 79.0)] {
            let peak = peak_bytes_per_cycle(&GpuConfig::preset(preset).unwrap());
            assert!((peak - bytes).abs() < 0.2, "{preset}: {peak}");
        }
    }

    /// Two warps of a TB: loads of one line twice, two at a time, then their use; an integer between.
    #[test]
    fn counts_become_inputs() {
        let gpu = config("gtx480", &[]);
        let options = RunOptions { count_lines: true, ..RunOptions::default() };
        let stats = run_with(&gpu, options, &[kernel(1, 1, 64, 0)], |at: At| match at.step {
            0 | 3 => Op::access(Class::LoadGlobal, 1, |_| 4096),
            1 | 4 => Op::access(Class::LoadGlobal, 2, |_| 8192),
            2 | 5 => Op::new(Class::Int, 3, 4),
            _ => Op::exit(),
        });
        let inputs = exec_inputs(&stats, &gpu);
        assert_eq!((inputs.total_warps, inputs.active_sms), (2.0, 1.0));
        // Four loads, two integers, the exit.
        assert_eq!((inputs.insts, inputs.mem_insts, inputs.fp_insts), (7.0, 4.0, 0.0));
        assert_eq!((inputs.avg_trans_warp, inputs.mlp), (1.0, 2.0));
        assert_eq!(inputs.size_of_data, 2.0, "distinct lines");
        // One SM of 15 works: its share is a fifteenth of 253.4 bytes a cycle all the same.
        assert!((inputs.delta - 128.0 * 15.0 / 253.4).abs() < 0.01, "{}", inputs.delta);
        assert_eq!(inputs.avg_inst_lat, f64::from(gpu.sm.sp_latency));
        assert!(inputs.n >= 1.0 && inputs.n <= 2.0, "{}", inputs.n);
        let estimate = estimate(&ExecConfig::default(), &inputs).unwrap();
        assert!(estimate.t_exec > 0.0);
    }

    #[test]
    fn without_an_l1_nothing_hits() {
        let gpu = config("c1060", &[]);
        let stats = run_with(&gpu, RunOptions::default(), &[kernel(1, 1, 32, 0)], |at: At| match at.step {
            0 => Op::access(Class::LoadGlobal, 1, |_| 4096),
            1 => Op::new(Class::Int, 1, 0),
            _ => Op::exit(),
        });
        let inputs = exec_inputs(&stats, &gpu);
        assert_eq!((inputs.miss_ratio, inputs.hit_lat, inputs.dram_lat), (1.0, 0.0, 440.0));
        // 8 lanes, two special ones, words of half a warp.
        assert_eq!((inputs.simd_width, inputs.sfu_width, inputs.transaction_size), (8.0, 2.0, 64.0));
    }

    /// Launches by the host between kernels are no time of theirs.
    #[test]
    fn waits_for_the_host_do_not_count() {
        let run = |launch| {
            let gpu = config("gtx480", &[("run.host_launch_cycles", launch)]);
            let kernels = [kernel(1, 1, 32, 0), kernel(2, 1, 32, 0), kernel(3, 1, 32, 0)];
            let stats = run_with(&gpu, RunOptions::default(), &kernels, |_: At| Op::exit());
            (stats.cycles - stats.first_tb, stats.kernel_cycles(), exec_inputs(&stats, &gpu))
        };
        let ((all, kernels, inputs), (all_slow, kernels_slow, slow)) = (run("0"), run("5000"));
        assert_eq!((all, all_slow), (kernels, kernels + 2 * 5000));
        assert_eq!((kernels_slow, inputs), (kernels, slow));
    }
}
