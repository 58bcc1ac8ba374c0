//! Calibrates the parametric kernels: `cargo run --release -p gpusched-workloads --example calibrate [application...]`.
//!
//! Prints what `n` was moved to, what came out, and grids and shares of the time of applications of several kernels: what is stored in
//! the kernels' files. Then a line per kernel: what it does on the machine.

use gpusched_refgpu::config::GpuConfig;
use gpusched_workloads::catalogue::Request;
use gpusched_workloads::kernel::calibrate::{balance, calibrate, machine, measure};
use gpusched_workloads::kernel::{App, Calibrated, built_in};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let config = machine()?;
    for (name, app) in built_in() {
        let graphics = app.kernels.iter().all(|kernel| kernel.line == 32);
        if !graphics && (wanted.is_empty() || wanted.iter().any(|of| of == name)) {
            report(app, &config)?;
        }
    }
    Ok(())
}

fn report(app: &App, config: &GpuConfig) -> Result<(), Box<dyn std::error::Error>> {
    let mut app = app.clone();
    for kernel in &mut app.kernels {
        let n = (0..kernel.phases.len()).map(|phase| kernel.phases[phase].n).collect();
        kernel.calibrated = Some(Calibrated { n, ipm: None, share: None });
        if kernel.row.ipm.is_some() {
            let found = calibrate(kernel, config, Request::default(), &mut |_| {})?;
            println!("# {found}");
            kernel.calibrated = Some(found.stored());
        }
    }
    let shares = balance(&mut app, config, Request::default())?;
    for (number, kernel) in app.kernels.iter_mut().enumerate() {
        let start = Instant::now();
        let measured = measure(kernel, config, Request::default())?;
        let (f, seconds) = (measured.stats.figures(), start.elapsed().as_secs_f64());
        if let Some(calibrated) = &mut kernel.calibrated {
            calibrated.ipm = measured.ipm;
            calibrated.share = shares.as_ref().map(|shares| shares[number]);
        }
        let Calibrated { n, ipm, share } = kernel.calibrated.as_ref().ok_or("not calibrated")?;
        println!("{} grid={} n={n:?} ipm={ipm:?} share={share:?}", kernel.name, kernel.grid);
        println!(
            "  type {} cycles {} instr {} {seconds:.1} s; peak {:.3} L1 {:.3} L2 {:.3} bw {:.3} lsu {:.3} mem {:.3} struct {:.3} occ {:.3}",
            kernel.row.category.map_or('-', |category| category.letter()),
            measured.stats.cycles,
            measured.stats.sm.all_instructions(),
            f.peak_ipc_fraction,
            f.l1_hit_rate,
            f.l2_hit_rate,
            f.bandwidth_use,
            f.lsu_stall_fraction,
            f.memory_stall_fraction,
            f.structural_stall_fraction,
            f.occupancy,
        );
    }
    Ok(())
}
