//! Parametric kernels on the machine: verified, as calibrated, and short of what the sources say.

use super::script::config;
use crate::gpu::{Gpu, RunOptions};
use crate::stats::Figures;
use crate::workload::Boxed;
use crate::workload::catalogue::{Request, Row, Size};
use crate::workload::kernel::calibrate::{self, TOLERANCE, calibrate, measure};
use crate::workload::kernel::{App, KernelSpec, Parametric, built_in};

const FULL: Request = Request { size: Size::Times(1), loop_warps: None, seed: 1 };

fn specs() -> impl Iterator<Item = &'static KernelSpec> {
    built_in().iter().flat_map(|(_, app)| &app.kernels)
}

fn spec(name: &str) -> KernelSpec {
    specs().find(|spec| spec.name == name).unwrap().clone()
}

#[test]
fn every_kernel_runs_and_verifies_and_skipping_changes_nothing() {
    for (name, app) in built_in() {
        let graphics = app.kernels.iter().all(|spec| spec.line == 32);
        let config = config(if graphics { "apogee" } else { "gtx480_mascar" }, &[]);
        let [run, stepped] = [false, true].map(|step| {
            let work = Parametric::new(app, Request { size: Size::Test, ..FULL }).unwrap();
            let mut work = Boxed::new(work, Parametric::check);
            let options = RunOptions { step, ..RunOptions::default() };
            let stats = Gpu::new(&config, options).unwrap().run(&mut work, &mut ()).unwrap().stats;
            work.check().unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            stats
        });
        assert_eq!(run, stepped, "{name}");
        assert_eq!(run.host_kernels, app.kernels.len() as u64);
    }
}

#[test]
fn kernels_with_a_figure_are_calibrated_to_within_a_tenth_of_it() {
    let mut calibrated = 0;
    for spec in specs() {
        let Some(target) = spec.row.ipm else { continue };
        let ipm = spec.calibrated.as_ref().and_then(|to| to.ipm).unwrap_or(0.0);
        assert!((ipm / target - 1.0).abs() <= TOLERANCE, "{}: {ipm}, source {target}", spec.name);
        calibrated += 1;
    }
    assert_eq!(calibrated, 23, "rows of table 5.2 with an ipm that are not functional");
}

#[test]
fn what_is_stored_can_be_measured_again() {
    let machine = calibrate::machine().unwrap();
    for name in ["cfd-2", "mri-g-2", "mri-g-3", "leuko-2"] {
        let spec = spec(name);
        let stored = spec.calibrated.as_ref().unwrap().ipm.unwrap();
        let again = measure(&spec, &machine, FULL).unwrap().ipm.unwrap();
        assert!((again / stored - 1.0).abs() < 0.02, "{name}: {again}, stored {stored}");
    }
}

#[test]
fn calibration_moves_n_to_the_figure_and_tells_when_it_cannot() {
    let machine = calibrate::machine().unwrap();
    let app = |ipm: f64, phase: &str| {
        let head = "[[kernel]]\nname = 'k'\ngrid = 45\nthreads = 256\nregs = 20\nsmem = 128";
        App::from_toml(&format!("{head}\nrow = {{ ipm = {ipm} }}\n[[kernel.phase]]\niters = 16\n{phase}")).unwrap()
    };
    let mut told = 0;
    // Each iteration misses a line: n is the figure.
    let found =
        calibrate(&app(60.0, "n = 30\nloads = ['st(4)']").kernels[0], &machine, FULL, &mut |_| told += 1).unwrap();
    assert!(found.is_reached() && found.best > 0 && found.runs.len() == told);
    assert!((59..=61).contains(&found.stored().n[0]), "{found}");
    assert!(
        found
            .to_string()
            .starts_with("k: n [30], 30.0625 per miss; moved to [60], 60.0625 per miss; reached: source 60")
    );
    // As given is good enough.
    let found = calibrate(&app(32.0, "n = 30\nloads = ['st(4)']").kernels[0], &machine, FULL, &mut |_| ()).unwrap();
    assert_eq!((found.stored().n, found.runs.len()), (vec![30], 1));
    // Shared accesses do not go away.
    let found =
        calibrate(&app(10.0, "n = 100\nshared = 50\nloads = ['st(4)']").kernels[0], &machine, FULL, &mut |_| ())
            .unwrap();
    assert!(!found.is_reached() && found.stored().n == [53], "{found}");
    assert!(found.to_string().ends_with("not reached: source 10"));
    let found = calibrate(&app(10.0, "n = 100").kernels[0], &machine, FULL, &mut |_| ()).unwrap();
    assert_eq!(found.to_string(), "k: n [100], no miss; not reached: source 10");
    let none = KernelSpec { row: Row::NONE, ..spec("lbm") };
    let error = calibrate(&none, &machine, FULL, &mut |_| ()).unwrap_err().to_string();
    assert_eq!(error, "lbm: no source tells its instructions per L1 miss: set row.ipm");
}

#[test]
fn an_applications_kernels_take_the_sources_shares_of_the_time() {
    for (name, app) in built_in() {
        let fractions: Option<Vec<f64>> = app.kernels.iter().map(|kernel| kernel.row.fraction).collect();
        let Some(fractions) = fractions.filter(|fractions| fractions.len() > 1) else { continue };
        let all: f64 = fractions.iter().sum();
        for (kernel, fraction) in app.kernels.iter().zip(&fractions) {
            let share = kernel.calibrated.as_ref().and_then(|to| to.share).unwrap_or(0.0);
            assert!((share / (fraction / all) - 1.0).abs() < TOLERANCE, "{name}: {}: {share}", kernel.name);
        }
    }
}

/// A part of a kernel's grid on the machine of the Mascar study, with so many blocks on an SM at most.
fn part(name: &str, grid: u32, blocks: &str) -> Figures {
    let spec = KernelSpec { grid, ..spec(name) };
    let config = config("gtx480_mascar", &[("sm.tb_slots", blocks)]);
    measure(&spec, &config, FULL).unwrap().stats.figures()
}

#[test]
fn compute_kernels_keep_the_schedulers_busy() {
    for name in ["cutcp", "lavaMD"] {
        let of = part(name, 240, "8");
        assert!(of.peak_ipc_fraction > 0.85 && of.bandwidth_use < 0.2, "{name}: {of:?}");
    }
    // Its special functions take the unit's every cycle: 4 of 1 / 0.2 instructions.
    let of = part("mri-q", 150, "8");
    assert!(of.peak_ipc_fraction > 0.55 && of.structural_stall_fraction > 0.25, "{of:?}");
}

#[test]
fn memory_kernels_are_held_up_by_the_lsu_and_dram() {
    for (name, grid) in [("lbm", 1500), ("cfd-1", 150), ("cfd-2", 1000), ("histo-3", 45)] {
        let of = part(name, grid, "8");
        assert!(of.bandwidth_use > 0.5 && of.lsu_stall_fraction > 0.5, "{name}: {of:?}");
        assert!(of.peak_ipc_fraction < 0.75, "{name}: {of:?}");
    }
}

#[test]
fn cache_kernels_hit_more_often_when_fewer_blocks_run() {
    for (name, grid) in [("histo-1", 90), ("bp-2", 1500)] {
        let [all, one] = ["8", "1"].map(|blocks| part(name, grid, blocks).l1_hit_rate);
        assert!(one > all + 0.05, "{name}: {all} with all blocks, {one} with one");
    }
}
